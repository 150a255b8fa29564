package main

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/forest"
	"jl/internal/log"
	"jl/test/drawn"
	"jl/test/program"
)

// damage returns a copy of a log with some damage of the kinds that logs are found with.
func damage(rnd *rand.Rand, text []byte) []byte {
	text = slices.Clone(text)
	for range 1 + rnd.IntN(3) {
		at := rnd.IntN(len(text))
		end := min(len(text), at+1+rnd.IntN(60))
		switch rnd.IntN(8) {
		case 0: // bytes that JSON does not allow
			for i := at; i < end; i++ {
				if text[i] == '"' || text[i] == '\\' || text[i] == '\n' {
					break
				}
				text[i] = 0
			}
		case 1: // a block that was never written
			clear(text[at:end])
		case 2: // a bit that flipped
			text[at] ^= 1 << rnd.IntN(8)
		case 3: // a record cut off by the next
			text = slices.Delete(text, at, end)
		case 4: // a newline that is missing
			if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
				text = slices.Delete(text, at+i, at+i+1)
			}
		case 5: // a disk that was full
			text = text[:max(at, len(text)/2)]
		case 6:
			text = slices.Insert(text, at, make([]byte, 1+rnd.IntN(8))...)
		default: // a member of the grammar's outskirts, which tells nothing about the tree
			if i := bytes.Index(text[at:], []byte(`,"parent`)); i >= 0 {
				text = slices.Insert(text, at+i, []byte(`,"x":[01]`)...)
			}
		}
	}
	return text
}

// rescued returns what jlpath prints of a log with some options.
func rescued(text []byte, options ...string) []byte {
	out, _, _ := program.Run(about, run, string(text), options...)
	return []byte(out)
}

// orphans returns the ids of the orphans of a log. Of those that a compaction kept jltree --check says
// that readers tie them to it.
func orphans(t *testing.T, text []byte) (tr *log.Log, ids map[string]bool) {
	tr, err := log.Read(bytes.NewReader(text), int64(len(text)), log.Reading{}, nil)
	require.NoError(t, err)
	ids = map[string]bool{}
	kept := map[log.Node]bool{}
	for b := range tr.Count {
		for _, n := range tr.Tree.Compactions[b].Kept {
			kept[n] = true
		}
	}
	for n := range tr.Count {
		if up := tr.Written[n]; up != log.None && !tr.Has(up) {
			ids[tr.ID(n)] = !kept[n]
		}
	}
	return tr, ids
}

// spoken returns the ids of what was said in some nodes, apart from the results of calls: without
// its call, a result belongs to nothing.
func spoken(tr *log.Log, nodes []log.Node) []string {
	var ids []string
	for _, n := range nodes {
		if tr.Kinds[n].Message() && len(tr.Tree.Results(n)) == 0 && !tr.Tree.Is(n, log.Sidechain) && tr.Marks[n]&log.Meta == 0 {
			ids = append(ids, tr.ID(n))
		}
	}
	return ids
}

// TestRescueIsOnePiece: whatever the damage, a session of its own has no orphan, with --bridge and
// without, and jlpath prints all that was said in it again. The whole log as a session, and a union of
// its branches, have no orphan that the log did not have.
func TestRescueIsOnePiece(t *testing.T) {
	const id = "11111111-2222-4333-8444-555555555555"
	draws := []func(*rand.Rand, int) string{drawn.Session, drawn.Session, drawn.Pi}
	shorter := 0
	for seed := range uint64(some(400)) {
		rnd := rand.New(rand.NewPCG(seed, 2))
		text := damage(rnd, []byte(drawn.Log(draws[seed%3](rnd, 3+rnd.IntN(20)))))
		in, err := log.Read(bytes.NewReader(text), int64(len(text)), log.Reading{}, nil)
		if err != nil || in.Dialect.IsList() || len(forest.All(in.Count)) == 0 {
			continue // no entry names a parent
		}
		for _, options := range [][]string{{}, {"--bridge"}, {"--bridge", "--meta"}} {
			if out := rescued(text, append(options, "--session", id)...); len(out) > 0 {
				tr, left := orphans(t, out)
				for id, damage := range left {
					require.False(t, damage, "%d %v: %s\n%s\n->\n%s", seed, options, id, text, out)
				}
				leaves := []log.Node{tr.Path(log.None, log.Options{}).Leaf}
				if len(options) > 0 { // a guess may make a branch of what was sent meanwhile
					leaves = tr.Leaves
				}
				again := spoken(tr, tr.Union(leaves, log.Options{}).Nodes)
				require.ElementsMatch(t, spoken(tr, forest.All(tr.Count)), again, "%d %v\n%s\n->\n%s", seed, options, text, out)
			}
		}
		_, lost := orphans(t, text)
		some := forest.All(in.Count)[len(forest.All(in.Count))/2]
		for _, options := range [][]string{{"-a"}, {"--union", "-l", in.ID(forest.All(in.Count)[0]), "-l", in.ID(some)}} {
			if out := rescued(text, append(options, "--session", id)...); len(out) > 0 {
				tr, left := orphans(t, out)
				for id, damage := range left {
					_, known := lost[id]
					require.True(t, known || !damage, "%d %v: %s\n%s\n->\n%s", seed, options, id, text, out)
				}
				if options[0] == "-a" && len(forest.All(tr.Count)) < len(forest.All(in.Count)) {
					shorter++
				}
			}
		}
	}
	require.Greater(t, shorter, some(30), "logs have entries that cannot be printed, or this proves nothing")
}
