package said

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
)

// TestForgets: a queue keeps what is not said, and at most as many others and eight.
func TestForgets(t *testing.T) {
	q := newQueue()
	var all []*waiting
	for i := range 10 {
		all = append(all, q.add(entry.Value(strconv.Quote(strconv.Itoa(i))), head{}, int64(i)))
	}
	for i, w := range all {
		require.Len(t, q.all, 10)
		require.Equal(t, 10-i, q.count)
		require.Len(t, q.left(), 10-i)
		q.say(w)
		q.say(w) // said twice, it counts once
	}
	require.Empty(t, q.all)
	require.Zero(t, q.count)
	require.Equal(t, 10, q.due)
}

// TestLeave: the first text of a kind leaves the queue, else the first, each once.
func TestLeave(t *testing.T) {
	q := newQueue()
	for i := range 4 {
		q.enqueue(entry.Value(strconv.Quote(strconv.Itoa(i))), head{}, int64(i))
	}
	waits := q.waits
	left := func() (left []bool) {
		for _, w := range waits {
			left = append(left, w.left)
		}
		return left
	}
	none := func(*waiting) bool { return false }
	q.leave(func(w *waiting) bool { return w.offset >= 2 })
	require.Equal(t, []bool{false, false, true, false}, left())
	q.leave(none)
	require.Equal(t, []bool{true, false, true, false}, left())
	q.leave(none)
	require.Equal(t, []bool{true, true, true, false}, left())
	q.leave(none)
	q.leave(none)
	require.Equal(t, []bool{true, true, true, true}, left())
}

// TestSaysText: a text says what waits, as it is, as a command of the client or of a shell, or as what was typed in it.
func TestSaysText(t *testing.T) {
	for _, c := range []struct {
		waits, said string
		want        bool
	}{
		{`"a"`, `"a"`, true},
		{`"a"`, `" \u0061\n"`, true},
		{`"a"`, `"b"`, false},
		{`"a"`, `"<system-reminder>x</system-reminder>a"`, true},
		{`""`, `"<system-reminder>x</system-reminder>"`, false},
		{`"/x y"`, `"<command-name>/x</command-name><command-args>y</command-args>"`, true},
		{`"/x"`, `"<command-name>/x</command-name><command-args></command-args>"`, true},
		{`"y"`, `"<command-name></command-name><command-args>y</command-args>"`, false},
		{`"ls"`, `"<bash-input>ls</bash-input>"`, true},
		{`"!ls"`, `"<bash-input>ls</bash-input>"`, true},
		{`"! ls"`, `"<bash-input>ls</bash-input>"`, true},
		{`"!!ls"`, `"<bash-input>ls</bash-input>"`, false},
		{`"!"`, `"<bash-input></bash-input>"`, false},
		{`"!"`, `"<system-reminder>x</system-reminder>"`, false},
	} {
		q := newQueue()
		q.enqueue(entry.Value(c.waits), head{}, 0)
		require.Equal(t, c.want, q.saysText(entry.Value(c.said)), c.waits+c.said)
	}
}
