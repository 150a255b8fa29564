package said

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
	"jl/internal/says"
)

// TestForgets: a queue keeps what is not said, and at most as many others and eight.
func TestForgets(t *testing.T) {
	q := newQueue()
	var all []*waiting
	for i := range 10 {
		all = append(all, q.add(entry.Value(strconv.Quote(strconv.Itoa(i))), origin{}, int64(i)))
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

// TestLeave: the first text that a person typed leaves the queue, else the first, each once; or the first, if it is to be said again.
func TestLeave(t *testing.T) {
	q := newQueue()
	for _, text := range []string{`"<task-notification>a</task-notification>"`, `"b"`, `"<task-notification>c</task-notification>"`, `"d"`, `"e"`} {
		q.enqueue(entry.Value(text), origin{}, 0)
	}
	waits := q.waits
	for _, c := range []struct {
		again bool
		want  string
	}{{false, "b"}, {true, "ab"}, {true, "abc"}, {false, "abcd"}, {true, "abcde"}, {false, "abcde"}, {true, "abcde"}} {
		q.unqueue(&says.Thing{Again: c.again}, origin{}, 0)
		left := ""
		for i, w := range waits {
			if w.left {
				left += "abcde"[i : i+1]
			}
		}
		require.Equal(t, c.want, left)
	}
}

// TestJoinedTexts: what a person typed says texts that wait if it is just these, each on lines of its own.
func TestJoinedTexts(t *testing.T) {
	for typed, want := range map[string]bool{`a\nb`: true, `b\na`: true, `a\nb\n`: false, `a\nbc`: false, `a\nc`: false, `a\na`: false} {
		q := newQueue()
		q.enqueue(entry.Value(`"a"`), origin{}, 0)
		q.enqueue(entry.Value(`"b"`), origin{}, 0)
		require.Equal(t, want, q.joined([]byte(typed)), typed)
		require.Equal(t, want, q.count == 0, typed)
	}
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
		q.enqueue(entry.Value(c.waits), origin{}, 0)
		require.Equal(t, c.want, q.saysText(entry.Value(c.said)), c.waits+c.said)
	}
}
