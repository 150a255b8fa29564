package graft

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
	"jl/internal/forest"
	"jl/internal/log"
	"jl/test/drawn"
)

// parents returns the parents that the nodes of a part have after the graft, by their ids in order.
func parents(t *testing.T, text string, part func(*log.Log) Part) (ids, parents []string) {
	tr, err := log.Read(strings.NewReader(text), int64(len(text)), log.Reading{}, nil)
	require.NoError(t, err)
	p := part(tr)
	g := New(tr, p)
	for _, n := range p.Nodes {
		if !entry.Valid(tr.Entry(n).Bytes) {
			continue
		}
		parent := g.Parent(n)
		if parent == nil {
			parent = tr.RawParent(n)
		}
		ids = append(ids, tr.ID(n))
		parents = append(parents, string(parent.Text()))
	}
	require.NoError(t, tr.Err())
	return ids, parents
}

// TestParent grafts whole paths, or all of a log.
func TestParent(t *testing.T) {
	const torn = `{"type":"user","uuid":"u2","parentUuid":"u1","x":[01]}` + "\n"
	for _, test := range []struct {
		name, text string
		all        bool
		want       string // child<parent, of those that are printed
	}{
		{"as it is", drawn.Log("u1 user\nu2 user <u1"), false, "u1< u2<u1"},
		{"an orphan", drawn.Log("u1 user <gone\nu2 user <u1"), false, "u1< u2<u1"},
		{"its own parent", drawn.Log("u1 user <u1\nu2 user <u1"), false, "u1< u2<u1"},
		{"its own parent, in a whole log", drawn.Log("u1 user <u1\nu2 user <u1"), true, "u1< u2<u1"},
		{"a cycle", drawn.Log("u1 user <u2\nu2 user <u1\nu3 user <u2"), false, "u1< u2<u1 u3<u2"},
		{"an entry that is lost", drawn.Log("u1 user") + torn + drawn.Log("u3 user <u2"), false, "u1< u3<u1"},
		{"in a whole log", drawn.Log("u1 user") + torn + drawn.Log("u3 user <u2"), true, "u1< u3<u1"},
		{"the first is lost", torn + drawn.Log("u3 user <u2\nu4 user <u3"), false, "u3< u4<u3"},
		{"another root in a whole log", drawn.Log("u1 user\nu2 user <u1\nu3 user"), true, "u1< u2<u1 u3<"},
	} {
		t.Run(test.name, func(t *testing.T) {
			ids, up := parents(t, test.text, func(tr *log.Log) Part {
				if test.all {
					return Part{Nodes: forest.All(tr.Count)}
				}
				path := tr.Path(tr.End, log.Options{})
				return Part{Nodes: path.Nodes, Chain: path.Turns}
			})
			var got []string
			for i, id := range ids {
				got = append(got, id+"<"+up[i])
			}
			require.Equal(t, test.want, strings.Join(got, " "))
		})
	}
}

// TestPartIsConnected leaves some nodes of paths out: one of the others becomes a root, and the parents of
// all others lead to it.
func TestPartIsConnected(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	parts := 0
	for _, draw := range []func(*rand.Rand, int) string{drawn.Session, drawn.Pi} {
		for text := range drawn.Many(draw) {
			ids, up := parents(t, text, func(tr *log.Log) Part {
				path := tr.Path(tr.End, log.Options{})
				nodes := path.Nodes
				if tr.Dialect.IsList() {
					nodes = nil
				}
				return Part{Kept: true, Chain: path.Turns, Nodes: slices.DeleteFunc(nodes, func(log.Node) bool { return rnd.IntN(3) == 0 })}
			})
			roots := 0
			for _, parent := range up {
				if parent == "" {
					roots++
				}
				steps := 0
				for ; parent != ""; steps++ {
					at := slices.Index(ids, parent)
					require.GreaterOrEqual(t, at, 0, "%s: %v\n%s", parent, ids, text)
					require.Less(t, steps, len(ids), "a cycle in %v %v\n%s", ids, up, text)
					parent = up[at]
				}
			}
			require.Equal(t, min(1, len(ids)), roots, "%v %v\n%s", ids, up, text)
			parts += min(1, len(ids))
		}
	}
	require.Greater(t, parts, 100)
}
