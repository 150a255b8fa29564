package log

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
	"jl/internal/forest"
	"jl/test/drawn"
)

// TestIndex: of the entries with one id, the last one is the node, and all are in file order.
func TestIndex(t *testing.T) {
	const lines, ids = 12_293, 4097
	log := draw(lines, func(b *strings.Builder, k int) { fmt.Fprintf(b, "n%d user <n%d @%d", k%ids, (k+1)%ids, k) })
	tree := read(t, drawn.Log(log), Reading{})
	require.Equal(t, Node(ids), tree.Count)
	require.Equal(t, ids, tree.Cap)
	for n := range tree.Count {
		line := lines - ids + int(n)
		require.Equal(t, int64(line+1), tree.Pos(n).Line)
		require.Equal(t, n, tree.find(tree.hash(fmt.Appendf(nil, "n%d", line%ids))))
		require.Equal(t, tree.find(tree.hash(fmt.Appendf(nil, "n%d", (line+1)%ids))), tree.Written[n])
	}
	require.Len(t, tree.Duplicates, lines-ids)
	for i, d := range tree.Duplicates {
		require.Equal(t, []int64{int64(i + 1), int64(i + 1 + ids)}, []int64{d.Earlier.Line, d.Later.Line})
		require.Equal(t, tree.find(tree.hash(fmt.Appendf(nil, "n%d", i%ids))), d.Node)
		require.False(t, d.Same)
	}
}

// TestCopies: an entry that says the same as the one with its id that counts is no news, so that one keeps its
// place. Other programs take the last.
func TestCopies(t *testing.T) {
	for _, c := range []struct{ name, log, want, same string }{
		{"the beginning again", "u1 user @1\na2 assistant <u1\nu1 user @1", "u1:1 a2:2", "true"},
		{"another text", "u1 user\na2 assistant <u1\nu1 user @9", "a2:2 u1:3", "false"},
		{"another text, and that again", "u1 user\na2 assistant <u1\nu1 user @9\nb3 user\nu1 user @9", "a2:2 u1:3 b3:4", "false true"},
		{"another text, and the first again", "u1 user @1\nu1 user @9\na2 assistant <u1\nu1 user @1", "a2:3 u1:4", "false false"},
	} {
		tree := read(t, drawn.Log(c.log), Reading{})
		var got, same []string
		for n := range tree.Count {
			got = append(got, fmt.Sprintf("%s:%d", tree.ID(n), tree.Pos(n).Line))
		}
		for _, d := range tree.Duplicates {
			same = append(same, fmt.Sprint(d.Same))
		}
		require.Equal(t, c.want, strings.Join(got, " "), c.name)
		require.Equal(t, c.same, strings.Join(same, " "), c.name)
	}
	tree := read(t, drawn.Log("u1 user side\nu2 user\nu1 user\nu2 user side\np3 progress\np3 progress"), Reading{})
	var main []bool
	for _, d := range tree.Duplicates {
		main = append(main, d.Main)
	}
	require.Equal(t, []bool{false, true, false}, main, "the earlier one is a conversation entry on no sidechain")
	other := Reading{Knows: func(Kind) bool { return true }}
	tree = read(t, drawn.Log("u1 user @1\na2 assistant <u1\nu1 user @1"), other)
	require.Equal(t, "a2 u1", ids(t, tree, forest.All(tree.Count)))
	require.Equal(t, []Duplicate{{Node: 1, Earlier: entry.Pos{Line: 1, Offset: 0, Length: tree.Pos(1).Length}, Later: tree.Pos(1), Main: true}}, tree.Duplicates)

	tree = read(t, drawn.Log("a user @1\nb user @1\nb user @2\na user @2"), Reading{})
	require.Equal(t, []int64{3, 4}, []int64{tree.Duplicates[0].Later.Line, tree.Duplicates[1].Later.Line}, "in the order of the later ones")

	tree = read(t, drawn.Log("u1 user team\nu2 user team @1\na3 assistant text=x\nu2 user team meta @9\na3 assistant text=y @9\nu4 user meta"), Reading{})
	require.Equal(t, "u1 u2 a3 u4", ids(t, tree, forest.All(tree.Count)))
	require.Equal(t, []Mark{Team, Team | Meta, HasWords, Meta}, tree.Marks, "of the one that counts")
}

// A once is a log that can be read from its beginning to its end, but not again.
type once struct {
	text string
	end  int64 // of what was read
}

func (o *once) ReadAt(p []byte, at int64) (int, error) {
	if at < o.end {
		return 0, errIO
	}
	n, err := strings.NewReader(o.text).ReadAt(p, at)
	o.end = at + int64(n)
	return n, err
}

// TestCopiesFail: if entries with one id cannot be read again, there is an error. Ids that are in the log are found
// without reading.
func TestCopiesFail(t *testing.T) {
	for _, c := range []struct {
		drawing, id string
		want        error
	}{{"u1 user\nu1 user", "u1", errIO}, {"u1 user\nu2 user", "u2", nil}} {
		log := drawn.Log(c.drawing)
		tree, err := Read(&once{text: log}, int64(len(log)), Reading{}, nil)
		require.NoError(t, err)
		require.Equal(t, tree.Count-1, tree.Find([]string{c.id})[c.id].Node)
		require.ErrorIs(t, tree.Err(), c.want)
		tree.Find([]string{"u"})
		require.ErrorIs(t, tree.Err(), errIO)
	}
}

// TestPackedPos: a position survives being packed, up to its bounds.
func TestPackedPos(t *testing.T) {
	for _, p := range []entry.Pos{{}, {Line: 1, Offset: 2, Length: 3}, {Line: 1<<40 - 1}, {Offset: 1<<48 - 1}, {Length: 1<<40 - 1},
		{Line: 1<<40 - 2, Offset: 1<<48 - 2, Length: 1<<40 - 2}, {Line: 1 << 32, Offset: 1 << 32, Length: 1 << 32}} {
		require.Equal(t, p, pack(p).unpack())
		require.Equal(t, p.Line, pack(p).line())
		require.Equal(t, p.Offset, pack(p).offset())
	}
}

// TestIndexWithoutIDs: an index that was made for ids is made again for a log that has none.
func TestIndexWithoutIDs(t *testing.T) {
	log := draw(700, func(b *strings.Builder, k int) { fmt.Fprintf(b, "p%d progress", k) }) +
		draw(5000, func(b *strings.Builder, _ int) { b.WriteString("- user") })
	tree := read(t, drawn.Log(log), Reading{})
	require.Len(t, tree.Path(None, Options{}).Nodes, 5000)
}
