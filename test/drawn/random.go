package drawn

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Many yields made-up logs: 300, or as many as the environment variable JL_TEST_SESSIONS says.
func Many(draw func(rnd *rand.Rand, n int) string) iter.Seq[string] {
	return func(yield func(string) bool) {
		n, err := strconv.Atoi(os.Getenv("JL_TEST_SESSIONS"))
		if err != nil {
			n = 300
		}
		for seed := range uint64(n) {
			rnd := rand.New(rand.NewPCG(seed, 1))
			if !yield(Log(draw(rnd, 3+rnd.IntN(40)))) {
				return
			}
		}
	}
}

// The headers of pi logs, by version.
const (
	V1 = `|{"type":"session","id":"s"}` + "\n"
	V2 = `|{"type":"session","version":2,"id":"s"}` + "\n"
	V3 = `|{"type":"session","version":3,"id":"s"}` + "\n"
)

// Graph draws a log of at most 24 entries from bytes: any graph, with cycles, duplicates,
// orphans and preserved lists.
func Graph(b []byte) string {
	next := func() int {
		if len(b) == 0 {
			return 0
		}
		v := int(b[0])
		b = b[1:]
		return v
	}
	kinds := []string{
		"user", "assistant", "progress", "system", "attachment", "weird", "boundary", "last-prompt",
		"assistant m=m call=t1", "assistant m=m call=t2,t3", "assistant m=n call=t1", "assistant m=n think",
		"user res=t1", "user res=t2", "user res=t3,t1", "summary sum=x",
	}
	pi := next()%16 == 15
	var log strings.Builder
	if pi {
		log.WriteString([]string{V1, V2, V3}[next()%3])
	}
	id := func(v int) string { return fmt.Sprintf("n%d", v%24) }
	for k := 0; k < 24 && len(b) > 0; k++ {
		kind := kinds[next()%len(kinds)]
		if pi {
			kind = "pi:message"
		}
		name := id(k)
		if x := next(); x%8 == 7 {
			name = id(x / 8) // possibly a duplicate
		} else if x == 0 {
			name = "-"
		}
		fmt.Fprintf(&log, "%s %s", name, kind)
		switch x := next(); x % 4 {
		case 0:
		case 1:
			fmt.Fprintf(&log, " <%s", id(x/4))
		default:
			fmt.Fprintf(&log, " <%s", id(max(k-1-x/4%3, 0)))
		}
		switch x := next(); {
		case x%16 == 15:
			log.WriteString(" @-")
		default:
			fmt.Fprintf(&log, " @%d", x/16)
		}
		if next()%8 == 7 {
			log.WriteString([]string{" side", " team", " meta", " session=s"}[next()%4])
		}
		switch {
		case strings.HasPrefix(kind, "boundary"):
			rules := []string{"keep", "seg"}[next()%2]
			fmt.Fprintf(&log, " log=%s %s=%s,%s/%s", id(next()), rules, id(next()), id(next()), id(next()))
		case strings.HasPrefix(kind, "last-prompt"), strings.HasPrefix(kind, "summary"):
			fmt.Fprintf(&log, " leaf=%s", id(next()))
		}
		log.WriteByte('\n')
	}
	return log.String()
}

// Conversation draws a log as clients write them, from bytes: prompts and answers,
// parallel calls with their results, links between them, branches from any earlier entry,
// sidechains, and compactions that preserve entries. Some lines are missing.
func Conversation(b []byte) string {
	next := func(n int) int {
		if len(b) == 0 {
			return 0
		}
		v := int(b[0]) % n
		b = b[1:]
		return v
	}
	var lines []string
	var ids []string // of the entries that a branch may continue from
	at, calls, messages := 0, 0, 0
	add := func(id, kind, parent string) string {
		at += 1 + next(2)
		line := fmt.Sprintf("%s %s @%d", id, kind, at)
		if parent != "" {
			line = fmt.Sprintf("%s %s <%s @%d", id, kind, parent, at)
		}
		if next(24) != 23 {
			lines = append(lines, line)
		}
		return id
	}
	named := 0
	name := func(kind byte) string {
		named++
		return fmt.Sprintf("%c%d", kind, named)
	}
	last := ""
	for len(b) > 0 && len(lines) < 60 {
		switch next(8) {
		case 0, 1:
			last = add(name('u'), "user", last)
			ids = append(ids, last)
		case 2:
			messages++
			last = add(name('a'), fmt.Sprintf("assistant m=m%d", messages), last)
			ids = append(ids, last)
		case 3, 4, 5: // parallel calls
			messages++
			var results [][2]string
			for range 1 + next(3) {
				calls++
				last = add(name('c'), fmt.Sprintf("assistant m=m%d call=t%d", messages, calls), last)
				up := last
				if next(3) == 0 {
					up = add(name('p'), "progress", up)
				}
				results = append(results, [2]string{up, fmt.Sprintf("t%d", calls)})
			}
			slices.SortFunc(results, func(x, y [2]string) int { return next(3) - 1 })
			for _, r := range results {
				last = add(name('r'), "user res="+r[1], r[0])
			}
			ids = append(ids, last)
		case 6:
			if len(ids) > 0 {
				last = ids[next(len(ids))]
			}
		case 7:
			if last != "" {
				summary := name('s')
				bound := add(name('b'), fmt.Sprintf("boundary log=%s keep=%s/%s", last, last, summary), "")
				last = add(summary, "user", bound)
				ids = append(ids, last)
			}
		}
	}
	return strings.Join(lines, "\n")
}

// Pi draws a pi session of n steps.
func Pi(rnd *rand.Rand, n int) string {
	var log strings.Builder
	log.WriteString(V3)
	var all, chain []string
	tip := ""
	for k := range n {
		id, up := fmt.Sprint("e", k), below(tip)
		switch x := rnd.IntN(20); {
		case x == 0 && len(all) > 0:
			tip, chain = pick(rnd, all), nil
			continue
		case x == 1:
			log.WriteString(id + " pi:label <gone\n")
			continue
		case x == 2:
			log.WriteString("|{\"torn\n")
			continue
		case x < 6 && len(all) > 0:
			first := pick(rnd, all)
			if len(chain) > 0 && rnd.IntN(4) > 0 {
				first = pick(rnd, chain)
			}
			fmt.Fprintf(&log, "%s pi:compaction%s first=%s\n", id, up, first)
		case x < 9:
			kind := []string{"model_change", "thinking_level_change", "session_info"}[rnd.IntN(3)]
			fmt.Fprintf(&log, "%s pi:%s%s\n", id, kind, up)
		default:
			fmt.Fprintf(&log, "%s pi:message%s\n", id, up)
		}
		tip, all, chain = id, append(all, id), append(chain, id)
	}
	return log.String()
}
