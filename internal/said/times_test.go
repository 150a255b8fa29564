package said

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
	"jl/internal/says"
)

// TestAtOnce: a client writes a copy, and what it tells again, at once: the next entry comes no later than atOnce after the last one.
func TestAtOnce(t *testing.T) {
	const begins, last = 100, 500
	c := copied{is: true, begins: begins, last: last}
	for at, want := range map[int64]bool{0: true, begins: true, last: true, last + atOnce: true, last + atOnce + 1: false} {
		require.Equal(t, want, c.goesOn(at), at)
	}
	early := copied{is: true, begins: last + 2*atOnce, last: last}
	require.True(t, early.goesOn(early.begins), "what was written before the log began is of the copy")
	require.False(t, early.goesOn(early.begins+1))
	bySteps := copied{is: true, bySteps: true}
	require.True(t, bySteps.goesOn(last+2*atOnce))

	for at, want := range map[int64]bool{begins: false, begins + atOnce: false, begins + atOnce + 1: true} {
		c := copied{own: entry.Value(`"s"`), begins: begins}
		require.True(t, c.mayBegin())
		c.passed(at)
		require.Equal(t, want, c.none, at)
		require.Equal(t, !want, c.mayBegin(), at)
	}
	require.False(t, (&copied{own: entry.Value{}}).mayBegin(), "the log told no id first")

	for at, want := range map[int64]bool{-1: true, 0: true, last: true, last + atOnce: true, last + atOnce + 1: false} {
		var a anew
		a.next(&says.Telling{Anew: true}, 0)
		require.False(t, a.repeats, "the first beginning is that of the log")
		a.next(&says.Telling{Anew: true}, last)
		a.next(&says.Telling{}, at)
		require.Equal(t, want, a.repeats, at)
	}
	var a anew
	for _, at := range []int64{0, atOnce, 2 * atOnce} { // each comes at once after the one before it
		a.next(&says.Telling{Anew: at <= atOnce}, at)
	}
	require.True(t, a.repeats)
	a = anew{repeats: true, last: 5}
	a.next(&says.Telling{}, 0)
	a.next(&says.Telling{}, atOnce+1)
	require.False(t, a.repeats, "an entry of the time 0 has a time")
}

// TestIsOffered: an answer is made of options, of which one may begin as another does.
func TestIsOffered(t *testing.T) {
	for answer, want := range map[string]bool{"a": true, "ab": true, "ab, a": true, `"ab"`: false, "abc": false, "": true} {
		require.Equal(t, want, isOffered(answer, []string{"a", "ab"}), answer)
	}
}

// TestTellsOf: what is told of a result is about the call that has the same text or list, but for an empty text.
func TestTellsOf(t *testing.T) {
	for _, c := range []struct {
		told, input string
		want        bool
	}{
		{`{"filePath":"f"}`, `{"file_path":"f"}`, true},
		{`{"filePath":"g"}`, `{"file_path":"f"}`, false},
		{`{"todos":[1]}`, `{"todos":[1]}`, true},
		{`{"a":""}`, `{"b":""}`, false},
		{`{"a":7}`, `{"b":7}`, false},
		{`{"a":777}`, `{"b":777}`, false},
		{`{}`, `{"b":"x"}`, false},
		{`{"a":"x"}`, `{}`, false},
	} {
		require.Equal(t, c.want, tellsOf(entry.Value(c.told), entry.Value(c.input)), c.told+c.input)
	}
}
