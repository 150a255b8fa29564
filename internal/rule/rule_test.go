package rule

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// An answers holds a log, and what a slow and plain program answers about it.
type answers struct {
	Plain  bool
	Parent []Node
	Flags  []Flags
	Strand []int32
	Time   []*int64
	ID     []uint64   // of messages
	Tools  [][]uint64 // by node

	Compactions map[Node]Compaction

	Path, Through, Leaf, Given, GivenThrough, Ends, Leaves []Node

	Turn, Whole, Tops, Attached, Loops []Node // nil if they were not asked
	Depth                              []int  // the same
	End                                *Node  // the same
	Branches                           []End  // if there are several ends
	Last                               *Node  // the end that has the last leaf in the file; nil if it was not asked
}

// log returns the log.
func (a *answers) log() *Table {
	l := &Table{Plain: a.Plain, Parent: a.Parent, Flags: a.Flags, Strand: a.Strand, Compactions: a.Compactions}
	for n := range a.Parent {
		at := int64(math.MinInt64)
		if a.Time[n] != nil {
			at = *a.Time[n]
		}
		l.Time = append(l.Time, at)
		l.say(a.ID[n], a.Tools[n])
	}
	return l
}

// say adds the message of the next node.
func (l *Table) say(id uint64, tools []uint64) {
	if id == 0 && len(tools) == 0 {
		l.Message = append(l.Message, 0)
		return
	}
	m := Message{First: int32(len(l.Tools)), Count: int32(len(tools))}
	if id != 0 {
		m.ID = mix(id)
	}
	for _, tool := range tools {
		if tool != 0 {
			tool = mix(tool)
		}
		l.Tools = append(l.Tools, tool)
	}
	l.Messages = append(l.Messages, m)
	l.Message = append(l.Message, int32(len(l.Messages)))
}

// mix returns a hash of a number, never 0.
func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31 | 1
}

// TestAnswers: the answers about 90 logs, as a client writes them, also torn, cut, repeated, copied and with plans, are
// those of a program that says the rule once more, slowly and plainly. ANSWERS names a file with more. The answers about logs
// that a person has drawn are those that the tests of package log expect.
func TestAnswers(t *testing.T) {
	names := []string{"testdata/answers.jsonl", "testdata/drawn.jsonl"}
	if more := os.Getenv("ANSWERS"); more != "" {
		names = append(names, more)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) { testAnswers(t, name) })
	}
}

func testAnswers(t *testing.T, name string) {
	all, err := os.ReadFile(name)
	require.NoError(t, err)
	for i, line := range bytes.Split(bytes.TrimSpace(all), []byte("\n")) {
		var a answers
		require.NoError(t, json.Unmarshal(line, &a))
		l := a.log()
		l.Make()
		same := func(what string, want, got []Node) {
			require.Equal(t, fmt.Sprint(want), fmt.Sprint(got), "%s of log %d", what, i)
		}
		same("leaves", a.Leaves, l.Leaves)
		if a.Turn != nil {
			same("turns", a.Turn, l.Turn)
			same("turns above, to the true beginning", a.Whole, l.Whole())
			var tops, attached []Node
			for _, turn := range l.Order {
				tops = append(tops, l.Top(turn))
				if l.IsAttached(turn) {
					attached = append(attached, turn)
				}
			}
			same("tops of turns", a.Tops, tops)
			same("turns that are attached", a.Attached, attached)
			same("end", []Node{*a.End}, []Node{l.End})
			up := slices.Clone(l.Up)
			for n, depth := range a.Depth {
				require.Equal(t, depth, l.Depth()(Node(n)), "depth of node %d of log %d", n, i)
			}
			same("parents after all that", up, l.Up)
		}
		ends := []Node{}
		branches, last := l.EndsOf(l.Leaves)
		for _, e := range branches {
			ends = append(ends, e.Leaf)
		}
		same("ends", a.Ends, ends)
		if a.Last != nil {
			require.Equal(t, *a.Last, last, "end of the last leaf of log %d", i)
		}
		if a.Branches != nil {
			require.Equal(t, a.Branches, branches, "ends of log %d", i)
		}
		if len(l.Leaves) > 0 {
			same("path", a.Path, l.Climb(l.Leaves[:1], 0).Nodes)
			same("path to the true beginning", a.Through, l.Climb(l.Leaves[:1], Through).Nodes)
			if a.Turn != nil {
				same("loops above it", a.Loops, l.Climb(l.Leaves[:1], Through).Loops)
			}
		}
		if len(a.Leaf) > 0 {
			same("path of a given leaf", a.Given, l.Climb(a.Leaf, 0).Nodes)
			same("path of a given leaf to the true beginning", a.GivenThrough, l.Climb(a.Leaf, Through).Nodes)
		}
	}
}

// random returns a log that no client writes.
func random(r *rand.Rand) *Table {
	count := 1 + r.IntN(9)
	node := func() Node { return Node(r.IntN(count+1) - 1) }
	l := &Table{Compactions: map[Node]Compaction{}}
	for n := range Node(count) {
		l.Parent, l.Flags = append(l.Parent, node()), append(l.Flags, Flags(r.IntN(1024)))
		l.Strand, l.Time = append(l.Strand, int32(r.IntN(2))), append(l.Time, int64(r.IntN(4)))
		var tools []uint64
		for range r.IntN(3) {
			tools = append(tools, uint64(r.IntN(4)))
		}
		l.say(uint64(max(0, r.IntN(5)-2)), tools)
		if l.Is(n, Boundary) {
			c := Compaction{Summary: n, Logical: node(), From: r.IntN(2) == 0}
			for k := range Node(count) {
				if r.IntN(3) == 0 {
					c.Kept = append(c.Kept, k)
				}
			}
			l.Compactions[n] = c
		}
	}
	return l
}

// draws returns how many of count random logs a test draws: a tenth with -short.
func draws(count int) int {
	if testing.Short() {
		return count / 10
	}
	return count
}

// TestOddGraphs: on any graph a path ends, has its leaf and is in file order, and the ends are leaves.
func TestOddGraphs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range draws(100_000) {
		l := random(r)
		l.Make()
		for _, leaf := range l.Leaves {
			for _, across := range []Across{0, Compactions, Gaps, Through} {
				p := l.Climb([]Node{leaf}, across)
				if !slices.IsSorted(p.Nodes) || !slices.Contains(p.Nodes, leaf) || len(slices.Compact(p.Nodes)) < len(p.Nodes) {
					t.Fatalf("leaf %d of %+v has the path %v", leaf, l, p)
				}
			}
		}
		ends, last := l.EndsOf(l.Leaves)
		if len(ends) == 0 != (len(l.Leaves) == 0) || last == None != (len(ends) == 0) {
			t.Fatalf("%+v has the ends %v and the last %d", l, ends, last)
		}
	}
}

// TestSubtrees: the newest node at or below each turn is that of a plain search, with all nodes before some end, and as
// more are added. A cycle is cut where Order is.
func TestSubtrees(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		l := random(r)
		l.Make()
		place := map[Node]int{}
		for i, turn := range l.Order {
			place[turn] = i
		}
		below := func(turn, top Node) bool {
			for ; turn != top; turn = l.Above[turn] {
				if up := l.Above[turn]; up == None || place[up] > place[turn] {
					return false
				}
			}
			return true
		}
		side, end := r.IntN(2), Node(r.IntN(len(l.Up)+1))
		s := l.subtrees(side, end)
		for ; end <= Node(len(l.Up)); end++ {
			for _, top := range l.Order {
				want := None
				for n := range end {
					if l.Is(n, Talks) && l.side(n) == side && below(l.Turn[n], top) {
						want = l.newer(want, n)
					}
				}
				require.Equal(t, want, s.newest(top), "below %d before %d of %+v", top, end, l)
			}
			if end < Node(len(l.Up)) && l.Is(end, Talks) && l.side(end) == side {
				s.add(end)
			}
		}
	}
}

// TestUnion: the paths of several leaves are one, whatever their order.
func TestUnion(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range draws(20_000) {
		l := random(r)
		l.Make()
		var nodes []Node
		for _, leaf := range l.Leaves {
			nodes = append(nodes, l.Climb([]Node{leaf}, 0).Nodes...)
		}
		slices.Sort(nodes)
		require.Equal(t, fmt.Sprint(slices.Compact(nodes)), fmt.Sprint(l.Climb(l.Leaves, 0).Nodes))
	}
}

// chat returns a long log of prompts, calls, results and answers, in which the user goes back now and then.
func chat(count int) *Table {
	l := &Table{Compactions: map[Node]Compaction{}}
	for n := range count {
		up, flags := Node(n-1), Talks|Speaks
		if n%50 == 49 {
			up = Node(n - 9)
		}
		var id uint64
		var tools []uint64
		switch n % 4 {
		case 0:
			flags |= Prompt | User
		case 1:
			flags, id, tools = flags|Answer, uint64(n+1), []uint64{uint64(n + 1)}
		case 2:
			flags, tools = flags|User|Results, []uint64{uint64(n)}
		case 3:
			flags, id = flags|Answer, uint64(n+1)
		}
		l.Parent, l.Flags = append(l.Parent, up), append(l.Flags, flags)
		l.Strand, l.Time = append(l.Strand, 0), append(l.Time, int64(n))
		l.say(id, tools)
	}
	return l
}

// manyCalls returns a log in which one entry makes all calls, and each result hangs on it.
func manyCalls(count int) *Table {
	l := &Table{Parent: []Node{None}, Flags: []Flags{Talks | Speaks | Answer}, Strand: []int32{0}, Time: []int64{0}}
	calls := make([]uint64, count)
	for i := range calls {
		calls[i] = uint64(i + 1)
	}
	l.say(1, calls)
	for i := range calls {
		l.Parent, l.Flags = append(l.Parent, 0), append(l.Flags, Talks|Speaks|User|Results)
		l.Strand, l.Time = append(l.Strand, 0), append(l.Time, int64(i))
		l.say(0, calls[i:i+1])
	}
	return l
}

// compactions returns a log of boundaries each of which kept all that is above it.
func compactions(count int) *Table {
	l := chat(count)
	for n := 10; n < count; n += 10 {
		l.Flags[n] = Talks | Boundary
		l.Compactions[Node(n)] = Compaction{Summary: Node(n), Logical: Node(n / 2), Kept: []Node{0, Node(n / 2)}, From: true}
	}
	return l
}

func BenchmarkMake(b *testing.B) {
	for _, shape := range []struct {
		name string
		make func(count int) *Table
	}{{"chat", chat}, {"many calls", manyCalls}, {"compactions", compactions}} {
		for _, count := range []int{10_000, 100_000} {
			b.Run(fmt.Sprint(shape.name, "/", count), func(b *testing.B) {
				l := shape.make(count)
				b.ReportAllocs()
				for b.Loop() {
					x := Table{
						Parent: l.Parent, Flags: l.Flags, Strand: l.Strand, Time: l.Time, Message: l.Message,
						Messages: l.Messages, Tools: l.Tools, Compactions: l.Compactions,
					}
					x.Make()
					if ends, _ := x.EndsOf(x.Leaves); len(x.Climb(x.Leaves[:1], Through).Nodes) == 0 || len(ends) == 0 {
						b.Fatal("no path")
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*count), "ns/node")
			})
		}
	}
}
