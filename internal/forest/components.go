package forest

import "slices"

// Components returns, by vertex of a graph, a number that it has in common with the vertices that it
// reaches and that reach it. Edges lead from v to targets[starts[v]:starts[v+1]]; a target below 0 is none.
// It takes linear time.
func Components(starts, targets []int32) []int32 {
	next := slices.Clone(starts[:len(starts)-1])
	component, count := make([]int32, len(next)), int32(0)
	place := make([]int32, len(next)) // 1 + the index in open; 0 if v was not visited
	var walk []int32                  // from one vertex to the next
	var open []int32                  // the visited vertices without a component
	var firsts []int32                // the places of those that begin what may become a component
	visit := func(v int32) {
		walk, open = append(walk, v), append(open, v)
		place[v] = int32(len(open))
		firsts = append(firsts, place[v])
	}
	for v := range next {
		if place[v] == 0 {
			visit(int32(v))
		}
		for len(walk) > 0 {
			v := walk[len(walk)-1]
			if next[v] < starts[v+1] {
				w := targets[next[v]]
				next[v]++
				switch {
				case w < 0:
				case place[w] == 0:
					visit(w)
				case component[w] == 0: // w leads to v
					for firsts[len(firsts)-1] > place[w] {
						firsts = firsts[:len(firsts)-1]
					}
				}
				continue
			}
			walk = walk[:len(walk)-1]
			if place[v] == firsts[len(firsts)-1] {
				firsts = firsts[:len(firsts)-1]
				count++
				for _, w := range open[place[v]-1:] {
					component[w] = count
				}
				open = open[:place[v]-1]
			}
		}
	}
	return component
}
