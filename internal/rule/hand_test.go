package rule

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A row is a node of a log that is made by hand.
type row struct {
	up    Node
	flags Flags
	time  int64
}

// What a person typed, and what the model answered.
const (
	typed = Talks | Speaks | User | Prompt
	reply = Talks | Speaks | Answer
)

// table returns the log of rows, of one session, with what the rule says about it.
func table(rows []row, compactions map[Node]Compaction) *Table {
	l := &Table{Compactions: compactions}
	for _, r := range rows {
		l.Parent, l.Flags, l.Time = append(l.Parent, r.up), append(l.Flags, r.flags), append(l.Time, r.time)
		l.Strand = append(l.Strand, 0)
		l.say(0, nil)
	}
	l.Make()
	return l
}

// TestAcross: a path goes on above the roots that it is asked to cross, and above no others.
func TestAcross(t *testing.T) {
	l := table([]row{
		{None, typed, 1},
		{None, typed | Lost, 2},
		{None, Talks | Boundary, 3},
		{None, typed | Plan, 4},
	}, map[Node]Compaction{2: {Summary: 2, Logical: 1}})
	for _, c := range []struct {
		leaf   Node
		across Across
		want   []Node
	}{
		{3, 0, []Node{3}},
		{3, Compactions | Gaps, []Node{3}},
		{3, Plans, []Node{2, 3}},
		{3, Plans | Gaps, []Node{2, 3}},
		{3, Plans | Compactions, []Node{1, 2, 3}},
		{3, Through, []Node{0, 1, 2, 3}},
		{2, Gaps | Plans, []Node{2}},
		{2, Compactions, []Node{1, 2}},
		{1, Compactions | Plans, []Node{1}},
		{1, Gaps, []Node{0, 1}},
	} {
		require.Equal(t, c.want, l.Climb([]Node{c.leaf}, c.across).Nodes, "leaf %d, across %b", c.leaf, c.across)
	}
	require.Equal(t, Node(2), l.Compaction(2))
	require.Equal(t, None, l.Compaction(1))
}

// TestCrossing: where a path goes on above a root.
func TestCrossing(t *testing.T) {
	for _, c := range []struct {
		name        string
		rows        []row
		compactions map[Node]Compaction
		of, want    Node
	}{
		{
			"a plan, not at what hangs below it and is newer than all",
			[]row{{None, typed, 1}, {2, reply, 9}, {None, typed | Plan, 3}}, nil, 2, 0,
		},
		{
			"a plan, at what is older than what hangs below it",
			[]row{{2, reply, 9}, {None, typed, 1}, {None, typed | Plan, 3}}, nil, 2, 1,
		},
		{
			"a plan, at the newest of what is older than what hangs below it",
			[]row{{3, reply, 9}, {None, typed, 2}, {None, typed, 1}, {None, typed | Plan, 3}}, nil, 3, 1,
		},
		{
			"a plan, not at the older of two that hang below it",
			[]row{{None, typed, 1}, {3, reply, 8}, {3, reply, 9}, {None, typed | Plan, 3}}, nil, 3, 0,
		},
		{
			"a plan, not at the later of two that hang below it",
			[]row{{None, typed, 1}, {3, reply, 9}, {3, reply, 8}, {None, typed | Plan, 3}}, nil, 3, 0,
		},
		{
			"a plan, at the newest before it in the file",
			[]row{{None, typed, 1}, {None, typed, 2}, {None, typed | Plan, 3}, {None, typed, 2}}, nil, 2, 1,
		},
		{
			"a plan below which all is",
			[]row{{1, reply, 9}, {None, typed | Plan, 3}}, nil, 1, None,
		},
		{
			"a compaction from an entry on that it did not keep",
			[]row{{None, typed, 1}, {0, reply, 2}, {1, reply, 3}, {None, Talks | Boundary, 4}},
			map[Node]Compaction{3: {Kept: []Node{0}, Summary: 3, Logical: 1, From: true}}, 3, 1,
		},
		{
			"a second compaction from the same kept entry on, at what came since the first",
			[]row{{None, typed, 1}, {0, reply, 2}, {None, Talks | Boundary, 3}, {1, reply, 4}, {None, Talks | Boundary, 5}},
			map[Node]Compaction{2: {Kept: []Node{0}, Summary: 2, Logical: 0, From: true}, 4: {Kept: []Node{0}, Summary: 4, Logical: 0, From: true}}, 4, 3,
		},
		{
			"a compaction that hangs on another entry, nowhere",
			[]row{{None, typed, 1}, {0, Talks | Boundary, 2}}, map[Node]Compaction{1: {Summary: 1, Logical: 0}}, 1, None,
		},
		{
			"a compaction from a kept entry on, on a sidechain",
			[]row{{None, typed | Sidechain, 1}, {0, reply | Sidechain, 2}, {None, Talks | Boundary | Sidechain, 3}},
			map[Node]Compaction{2: {Kept: []Node{0}, Summary: 2, Logical: 0, From: true}}, 2, 1,
		},
		{
			"a compaction from a kept entry on, not at what is on a sidechain",
			[]row{{None, typed, 1}, {0, reply | Sidechain, 2}, {None, Talks | Boundary, 3}},
			map[Node]Compaction{2: {Kept: []Node{0}, Summary: 2, Logical: 0, From: true}}, 2, 0,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, table(c.rows, c.compactions).Crossing(c.of))
		})
	}
}

// TestResumes: an answer without a prompt belongs to the turn above only if another side of that goes on to a prompt.
func TestResumes(t *testing.T) {
	own := []row{{None, typed, 1}, {0, Talks, 2}, {1, reply, 3}, {1, typed | Sidechain, 4}}
	require.False(t, table(own, nil).IsAttached(1), "its own side goes on to a prompt, on a sidechain")
	other := []row{{None, typed, 1}, {0, reply, 2}, {0, Talks, 3}, {2, typed, 4}}
	require.True(t, table(other, nil).IsAttached(1))
	require.Equal(t, []Node{0, 1, 2, 3}, table(other, nil).Climb([]Node{3}, 0).Nodes)
	both := append(own, row{0, Talks, 5}, row{4, typed, 6})
	require.True(t, table(both, nil).IsAttached(1), "another side does, too")
	newest := []row{{None, typed, 1}, {0, Talks, 2}, {1, reply, 3}, {1, typed, 4}, {0, reply, 5}}
	require.True(t, table(newest, nil).IsAttached(4), "the newest line of the other side goes on to a prompt")
	older := []row{{None, typed, 1}, {0, Talks, 2}, {1, typed, 3}, {1, reply, 4}, {0, reply, 5}}
	require.False(t, table(older, nil).IsAttached(4), "only an older line does")
	late := []row{{1, Talks, 2}, {None, typed, 1}, {1, reply, 3}, {0, typed, 4}}
	require.True(t, table(late, nil).IsAttached(2), "the other side begins at the first line of the file")
}

// TestEras: a message that goes on below a compaction is another turn there, after the first compaction and after each later one.
func TestEras(t *testing.T) {
	l := &Table{
		Parent: []Node{None, 0, None, 2, None, 4}, Flags: []Flags{typed, reply, Talks | Boundary, reply, Talks | Boundary, reply},
		Strand: make([]int32, 6), Time: make([]int64, 6),
		Compactions: map[Node]Compaction{2: {Summary: 2, Logical: None}, 4: {Summary: 4, Logical: None}},
	}
	for _, message := range []uint64{0, 7, 0, 7, 0, 7} {
		l.say(message, nil)
	}
	l.Make()
	require.Equal(t, []Node{0, 1, 2, 3, 4, 5}, l.Turn)
}

// TestMute: what hangs below a turn belongs to it if nobody speaks there, also if only what is further below is of the conversation.
func TestMute(t *testing.T) {
	l := table([]row{{None, typed, 1}, {0, reply, 2}, {0, 0, 3}, {2, Talks, 4}}, nil)
	require.Equal(t, []Node{0, 1, 2, 3}, l.Climb([]Node{1}, 0).Nodes)
	require.Equal(t, []Node{1}, l.Leaves)
}

// TestFirstCompaction: a turn with two compactions goes on above the first in the file.
func TestFirstCompaction(t *testing.T) {
	l := &Table{
		Parent: []Node{2, 0, None, 1, None, None}, Flags: []Flags{Talks | Boundary, Talks | Boundary, reply, reply, typed, typed},
		Strand: make([]int32, 6), Time: make([]int64, 6),
		Compactions: map[Node]Compaction{0: {Summary: 0, Logical: 4}, 1: {Summary: 1, Logical: 5}},
	}
	for _, message := range []uint64{0, 0, 7, 7, 0, 0} {
		l.say(message, nil)
	}
	l.Make()
	require.Equal(t, []Node{0, 0, 0, 0, 4, 5}, l.Turn)
	require.Equal(t, Node(4), l.Crossing(0))
}

// TestPlainEnds: a leaf where nobody speaks is an end if each node is a turn of its own; else it belongs to the turn above.
func TestPlainEnds(t *testing.T) {
	for plain, want := range map[bool][]End{
		true:  {{Leaf: 1, Fork: None, Own: 2}, {Leaf: 2, Fork: 0, Own: 1}},
		false: {{Leaf: 1, Fork: None, Own: 3}},
	} {
		l := &Table{
			Plain: plain, Parent: []Node{None, 0, 0}, Flags: []Flags{typed, reply, Talks},
			Strand: make([]int32, 3), Time: make([]int64, 3), Message: make([]int32, 3),
		}
		l.Make()
		ends, last := l.EndsOf([]Node{1, 2})
		require.Equal(t, want, ends)
		require.Equal(t, map[bool]Node{true: 2, false: 1}[plain], last)
	}
}

// TestLeavesOfTheSilent: a leaf where somebody speaks comes before all where nobody does, which come newest first.
func TestLeavesOfTheSilent(t *testing.T) {
	require.Equal(t, []Node{1, 0, 2}, table([]row{{None, Talks, 9}, {None, typed, 1}, {None, Talks, 8}}, nil).Leaves)
	require.Equal(t, []Node{0, 2, 1}, table([]row{{None, typed, 1}, {None, Talks, 8}, {None, Talks, 9}}, nil).Leaves)
	require.Equal(t, []Node{2, 1, 0}, table([]row{{None, Talks, 8}, {None, Talks, 9}, {None, typed, 1}}, nil).Leaves)
}

// A said is a row with its message.
type said struct {
	row
	message uint64
	tools   []uint64
}

// tableOf is table of rows with messages.
func tableOf(rows []said, compactions map[Node]Compaction) *Table {
	l := &Table{Compactions: compactions}
	for _, r := range rows {
		l.Parent, l.Flags, l.Time = append(l.Parent, r.up), append(l.Flags, r.flags), append(l.Time, r.time)
		l.Strand = append(l.Strand, 0)
		l.say(r.message, r.tools)
	}
	l.Make()
	return l
}

// TestTurns: which nodes are one turn. A result is part of the turn that makes the first of its calls that one makes, else of that on
// which it hangs.
func TestTurns(t *testing.T) {
	const result = Talks | User | Results
	for _, c := range []struct {
		name string
		rows []said
		want []Node
	}{
		{
			"a result that hangs on the answer behind that of its call",
			[]said{{row{None, typed, 1}, 0, nil}, {row{0, reply, 2}, 7, []uint64{1}}, {row{1, reply, 3}, 8, []uint64{2}}, {row{2, result, 4}, 0, []uint64{1}}},
			[]Node{0, 1, 2, 1},
		},
		{
			"results of two turns, and one of no call before them",
			[]said{{row{None, reply, 1}, 7, []uint64{1}}, {row{0, reply, 2}, 8, []uint64{2}}, {row{1, typed, 3}, 0, nil}, {row{2, result, 4}, 0, []uint64{9, 1, 2}}},
			[]Node{0, 1, 2, 0},
		},
		{
			"a call and a result without ids are not of each other",
			[]said{{row{None, reply, 1}, 7, []uint64{0}}, {row{0, typed, 2}, 0, nil}, {row{1, result, 3}, 0, []uint64{0}}},
			[]Node{0, 1, 2},
		},
		{
			"a result that hangs on results, the second of which is of its call",
			[]said{{row{None, reply, 1}, 7, []uint64{1}}, {row{0, reply, 2}, 8, []uint64{2}}, {row{1, result, 3}, 0, []uint64{1, 2}}, {row{2, result, 4}, 0, []uint64{2}}},
			[]Node{0, 1, 0, 1},
		},
	} {
		require.Equal(t, c.want, tableOf(c.rows, nil).Turn, c.name)
	}
}

// TestAboveTheFirst: the turn above is that above the first node of a turn, also if that hangs on another node of it.
func TestAboveTheFirst(t *testing.T) {
	l := tableOf([]said{
		{row{None, typed, 1}, 0, nil}, {row{3, reply, 2}, 7, nil}, {row{4, reply, 3}, 7, nil}, {row{0, reply, 4}, 7, nil}, {row{None, typed, 5}, 0, nil},
	}, nil)
	require.Equal(t, []Node{0, 1, 1, 1, 4}, l.Turn)
	require.Equal(t, Node(0), l.Above[1])
}

// TestKept: what follows a boundary and names what that kept hangs below its summary, and the summary stays where it is.
func TestKept(t *testing.T) {
	l := table([]row{{None, typed, 1}, {0, reply, 2}, {None, Talks | Boundary, 3}, {1, typed, 4}, {1, reply, 5}},
		map[Node]Compaction{2: {Kept: []Node{1}, Summary: 3, Logical: 1}})
	require.Equal(t, []Node{None, 0, None, 1, 3}, l.Up)
}

// TestPast: what a boundary left above it is no leaf; what another node goes on from is one.
func TestPast(t *testing.T) {
	for flags, want := range map[Flags][]Node{typed | Boundary: {3}, typed: {3, 1}} {
		l := table([]row{{None, typed, 1}, {0, reply, 2}, {None, flags, 3}, {2, reply, 4}}, map[Node]Compaction{2: {Summary: 2, Logical: 1}})
		require.Equal(t, want, l.Leaves)
	}
}

// TestNewestOfALeaf: leaves are in the order of their newest nodes, which may not be the last in the file.
func TestNewestOfALeaf(t *testing.T) {
	l := tableOf([]said{{row{None, typed, 1}, 0, nil}, {row{0, reply, 9}, 7, nil}, {row{1, reply, 2}, 7, nil}, {row{None, typed, 4}, 0, nil}, {row{3, reply, 5}, 8, nil}}, nil)
	require.Equal(t, []Node{2, 4}, l.Leaves)
}
