package reader

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/log"
	"jl/test/drawn"
)

// A reading is a log and the paths by each of the rules: "-" if there is none, "" if the test does
// not check it.
type reading struct {
	name string
	text string
	leaf string // the given leaf, if not empty

	sdk, sys, c21, c20 string
}

func (c *reading) run(t *testing.T) {
	for _, as := range []struct {
		rules Rules
		want  string
	}{{SDK, c.sdk}, {SDKSystem, c.sys}, {Claude21, c.c21}, {Claude20, c.c20}} {
		if as.want == "" {
			continue
		}
		r := read(t, drawn.Log(c.text), as.rules)
		given := nodeOf(t, r, c.leaf)
		p := r.Path(given, log.Options{}, false)
		require.Equal(t, as.want, ids(t, r, p.Nodes), "%s of\n%s", as.rules, c.text)
		leaf, _ := r.Leaf(given)
		if as.want == "-" {
			require.Equal(t, log.None, leaf, as.rules)
		} else {
			require.Equal(t, p.Leaf, leaf, as.rules)
		}
	}
}

func run(t *testing.T, cases []reading) {
	for _, c := range cases {
		t.Run(c.name, c.run)
	}
}

// read returns a reader of a log.
func read(t testing.TB, text string, rules Rules) *Reader {
	t.Helper()
	tr, err := log.Read(strings.NewReader(text), int64(len(text)), rules.Reading(), nil)
	require.NoError(t, err)
	return New(tr, rules)
}

// ids returns the ids of nodes, "-" for no nodes.
func ids(t testing.TB, r *Reader, nodes []log.Node) string {
	t.Helper()
	if len(nodes) == 0 {
		return "-"
	}
	var names []string
	for _, n := range nodes {
		names = append(names, r.t.ID(n))
	}
	require.NoError(t, r.t.Err())
	return strings.Join(names, " ")
}

// nodeOf returns the node of an id, log.None if the id is empty.
func nodeOf(t testing.TB, r *Reader, id string) log.Node {
	t.Helper()
	if id == "" {
		return log.None
	}
	m := r.t.Find([]string{id})[id]
	require.NotEqual(t, log.None, m.Node, "no %q", id)
	return m.Node
}
