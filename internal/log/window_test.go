package log

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
	"jl/internal/rule"
	"jl/test/drawn"
)

// A zeros is a log of zero bytes that keeps what is asked of it.
type zeros struct {
	size  int64
	asked [][2]int64 // offset and length
}

func (z *zeros) ReadAt(p []byte, at int64) (int, error) {
	z.asked = append(z.asked, [2]int64{at, int64(len(p))})
	if left := z.size - at; int64(len(p)) > left {
		return int(max(0, left)), io.EOF
	}
	return len(p), nil
}

// TestWindow: who reads near behind what was read last reads ahead; others read no more than they want.
func TestWindow(t *testing.T) {
	const size = 1 << 20
	z, w := &zeros{size: size}, window{}
	read := func(at, length int64) {
		_, err := w.read(z, size, entry.Pos{Offset: at, Length: length})
		require.NoError(t, err)
	}
	for _, step := range []struct {
		at, length int64
		asked      int64 // 0 if the bytes are there
	}{
		{0, 10, readAhead},
		{100, 10, 0},
		{readAhead - 10, 10, 0}, // its very end
		{readAhead - 9, 10, readAhead},
		{readAhead - 10, 5, 5},        // before it
		{readAhead - 10, 5, 0},        // its beginning
		{readAhead + 500<<10, 20, 20}, // far behind it
		{readAhead + 500<<10 + 20 + nearby, 7, 0 + size - (readAhead + 500<<10 + 20 + nearby)}, // as far as may be, and near the end of the log
		{300 << 10, 8, 8},
		{300<<10 + 8 + nearby + 1, 9, 9}, // one byte too far
		{0, 300 << 10, 300 << 10},
		{300 << 10, 400 << 10, 400 << 10}, // longer than what is read ahead
	} {
		n := len(z.asked)
		read(step.at, step.length)
		if step.asked == 0 {
			require.Len(t, z.asked, n, step)
			continue
		}
		require.Equal(t, [2]int64{step.at, step.asked}, z.asked[n], step)
	}
	_, err := w.read(z, 2*size, entry.Pos{Offset: size - 5, Length: 10})
	require.ErrorIs(t, err, ErrChanged)
	require.False(t, errors.Is(err, io.EOF))
}

// TestMakeRoom: the columns get room for the rest of a log that is like what was read of it, within bounds.
func TestMakeRoom(t *testing.T) {
	for name, test := range map[string]struct {
		room, size, offset int64
		want               int // more rows
	}{
		"at first":                  {0, 1 << 20, 0, 1 << 10},
		"nine times as long":        {1 << 12, 1000, 100, 37601}, // and a fiftieth more
		"very long":                 {1 << 12, 1 << 40, 100, 32 << 12},
		"hardly any left":           {1 << 14, 1001, 1000, 1 << 12},
		"a small log, hardly any":   {1 << 10, 1001, 1000, 1 << 10},
		"the first line is so long": {1 << 12, 2000, 1000, 4177},
	} {
		l := &Log{Size: test.size, room: int(test.room)}
		l.ids = make([]Hash, test.room)
		l.Tree.Messages = make([]rule.Message, test.room/2)
		l.Tree.Tools = make([]Hash, 4*test.room)
		l.makeRoom(test.offset)
		require.Equal(t, int(test.room)+test.want, l.room, name)
		require.GreaterOrEqual(t, cap(l.ids)-len(l.ids), test.want, name)
		if test.room == 0 { // nothing to foresee
			continue
		}
		require.GreaterOrEqual(t, cap(l.Tree.Messages)-len(l.Tree.Messages), test.want/2-1, name)
		require.Less(t, cap(l.Tree.Messages), len(l.Tree.Messages)+2*test.want+4*int(test.room)+64, name)
		require.GreaterOrEqual(t, cap(l.Tree.Tools)-len(l.Tree.Tools), min(4*test.want, test.want+len(l.Tree.Tools)), name)
	}
}

// TestTextsOfOthers: entries that are no nodes come in their order among those that are, also if there are more of them, or none but them.
func TestTextsOfOthers(t *testing.T) {
	tree := read(t, drawn.Log("- mode\na user\n- mode\n- mode\nb user <a\n- mode"), Reading{})
	others := []entry.Pos{}
	offset := int64(0)
	for i, l := range strings.SplitAfter(drawn.Log("- mode\na user\n- mode\n- mode\nb user <a\n- mode"), "\n") {
		if i < 6 && i != 1 && i != 4 {
			others = append(others, entry.Pos{Line: int64(i + 1), Offset: offset, Length: int64(len(strings.TrimSuffix(l, "\n")))})
		}
		offset += int64(len(l))
	}
	lines := func(nodes []Node, others []entry.Pos) (lines []int64) {
		for x := range tree.Texts(nodes, others) {
			require.Equal(t, x.Pos.Line == 2 || x.Pos.Line == 5, x.Node != None)
			lines = append(lines, x.Pos.Line)
		}
		require.NoError(t, tree.Err())
		return lines
	}
	require.Equal(t, []int64{1, 2, 3, 4, 5, 6}, lines([]Node{0, 1}, others))
	require.Equal(t, []int64{1, 3, 4, 6}, lines(nil, others))
	require.Equal(t, []int64{2, 5}, lines([]Node{0, 1}, nil))
	require.Equal(t, []int64{2, 6}, lines([]Node{0}, others[3:]))
	require.Equal(t, []int64{1, 5}, lines([]Node{1}, others[:1]))
	first := None // of two at one place
	for x := range tree.Texts([]Node{0}, []entry.Pos{tree.Pos(0)}) {
		first = x.Node
		break
	}
	require.Equal(t, Node(0), first)
}
