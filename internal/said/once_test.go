package said

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/says"
)

// begun returns Rows in the session "s", and what gets their rows.
func begun(kinds Kinds) (*Rows, *[]string) {
	rows := new([]string)
	r := New(kinds, false, func(row []byte) { *rows = append(*rows, string(row)) })
	r.ofLog = r.stateOf(entry.Value(`"s"`), nil)
	r.state = r.ofLog
	r.entry, r.log, r.from.instant = new(entry.Entry), dialect.Claude, -1
	return r, rows
}

// TestIsNew: a thing is told again by a later message with the same id, unless only messages out of the part told it before.
func TestIsNew(t *testing.T) {
	answer := func(text string) says.Thing { return says.Thing{Is: says.Answer, Text: entry.Value(text)} }
	call := func(is says.Kind, id string) says.Thing {
		return says.Thing{Is: is, Call: entry.Value(id), Name: entry.Value(`"ls"`), Text: entry.Value(`"x"`)}
	}
	const in, out = false, true
	r, _ := begun(0)
	r.from.uuid = entry.Value(`"u"`)
	for i, step := range []struct {
		number int
		out    bool
		thing  says.Thing
		want   bool
	}{
		{1, in, answer(`"a"`), true},
		{1, in, answer(`"a"`), true}, // two blocks alike
		{2, in, answer(`"a"`), false},
		{2, out, answer(`"a"`), false},
		{2, in, answer(`"b"`), true},
		{3, out, answer(`"c"`), true},
		{3, out, answer(`"c"`), true},
		{4, out, answer(`"c"`), false},
		{5, in, answer(`"c"`), true},
		{6, in, answer(`"c"`), false},
		{6, out, answer(`"c"`), false},
		{7, in, call(says.Call, `"c1"`), true},
		{8, in, call(says.Call, `"c2"`), true},
		{8, in, call(says.Call, `"c1"`), false},
		{8, in, call(says.Result, `"c1"`), true},
		{9, in, call(says.Result, `"c2"`), true},
		{9, in, call(says.Result, `"c1"`), false},
		{10, in, says.Thing{Is: says.Usage}, true},
		{11, in, says.Thing{Is: says.Usage}, true},
		{10, in, says.Thing{Is: says.Unread}, true},
		{11, in, says.Thing{Is: says.Unread}, true},
	} {
		r.number, r.from.out = step.number, step.out
		require.Equal(t, step.want, r.isNew(&step.thing), i)
	}
}

// TestIsRepeated: an entry is told again if its bytes are, and if no id tells that.
func TestIsRepeated(t *testing.T) {
	for name, test := range map[string]struct {
		id    string
		thing says.Thing
		want  bool
	}{
		"without an id":           {"", says.Thing{Is: says.Answer}, true},
		"with an id":              {`"u"`, says.Thing{Is: says.Answer}, false},
		"a total with an id":      {`"u"`, says.Thing{Is: says.Usage, Scope: says.OfLog}, true},
		"tokens of a message":     {`"u"`, says.Thing{Is: says.Usage}, false},
		"tokens without an id":    {"", says.Thing{Is: says.Usage}, true},
		"a piece without an id":   {"", says.Thing{Is: says.Answer, Piece: true}, false},
		"an answer with a scope":  {`"u"`, says.Thing{Is: says.Answer, Scope: says.OfLog}, false},
		"a request with an id":    {`"u"`, says.Thing{Is: says.Usage, Scope: says.OfRequest}, true},
		"a piece, also with one":  {`"u"`, says.Thing{Is: says.Answer, Piece: true}, false},
		"no rule reads it":        {"", says.Thing{Is: says.Unread}, true},
		"no rule reads it, an id": {`"u"`, says.Thing{Is: says.Unread}, false},
	} {
		r, _ := begun(0)
		require.True(t, r.entry.Scan([]byte(`{"a":1}`)))
		told := says.Telling{Things: []says.Thing{test.thing}}
		var id entry.Value
		if test.id != "" {
			id = entry.Value(test.id)
		}
		require.False(t, r.isRepeated(&told, id), name)
		require.Equal(t, test.want, r.isRepeated(&told, id), name)
		require.True(t, r.entry.Scan([]byte(`{"a":2}`)))
		require.False(t, r.isRepeated(&told, id), name)
	}
}

// TestStampOf: a time that is no time is printed as it is, if it is a text.
func TestStampOf(t *testing.T) {
	for v, want := range map[string]struct {
		stamp   string
		instant int64
	}{
		`"yesterday"`:            {`"yesterday"`, -1},
		`true`:                   {"", -1},
		`"1970-01-01T00:00:01Z"`: {`"1970-01-01T00:00:01Z"`, 1e6},
		`1767225600`:             {`"2026-01-01T00:00:00.000Z"`, 1767225600e6},
	} {
		stamp, instant := stampOf(entry.Value(v))
		require.Equal(t, want.stamp, string(stamp), v)
		require.Equal(t, want.instant, instant, v)
	}
}

// TestOwn: a short id may be that of another session, too.
func TestOwn(t *testing.T) {
	r, _ := begun(0)
	short, long := entry.Value(`"1234567"`), entry.Value(`"12345678"`)
	require.Equal(t, `"s"`, string(r.own(short)))
	require.Nil(t, r.own(long))
	require.Equal(t, `"s"`+short.Key(), r.callKey(short))
	require.Equal(t, long.Key(), r.callKey(long))
}

// keyIn returns the key of a row.
func keyIn(t *testing.T, row string) string {
	_, key, ok := strings.Cut(row, `,"key":"`)
	require.True(t, ok, row)
	return key
}

// TestKeysByID: an id that no other session has is the key of a row, whatever else is told; a short one is not.
func TestKeysByID(t *testing.T) {
	short, long := `"1234567"`, `"12345678"`
	for name, keys := range map[string]func(r *Rows, id entry.Value, text string){
		"call": func(r *Rows, id entry.Value, text string) {
			r.call(&says.Thing{Is: says.Call, Call: id, Name: entry.Value(text), Input: entry.Value("{}")})
		},
		"result": func(r *Rows, id entry.Value, text string) {
			r.result(&says.Thing{Is: says.Result, Call: id, Text: entry.Value(text)})
		},
		"usage": func(r *Rows, id entry.Value, text string) {
			r.usage(&says.Thing{Is: says.Usage, Message: id, Model: entry.Value(text)})
			r.End()
		},
		"session": func(r *Rows, id entry.Value, text string) {
			r.from.uuid = entry.Value(text) // as it has no time
			r.setting(&says.Thing{Is: says.Setting, Call: id})
		},
	} {
		keyOf := func(id, text string) string {
			r, rows := begun(1<<says.Call | 1<<says.Result | 1<<says.Usage | 1<<says.Setting)
			keys(r, entry.Value(id), text)
			require.Len(t, *rows, 1, name)
			return keyIn(t, (*rows)[0])
		}
		require.Equal(t, keyOf(long, `"a"`), keyOf(long, `"b"`), name)
		require.NotEqual(t, keyOf(short, `"a"`), keyOf(short, `"b"`), name)
		require.Equal(t, keyOf(short, `"a"`), keyOf(short, `"a"`), name)
		require.NotEqual(t, keyOf(long, `"a"`), keyOf(`"abcdefgh"`, `"a"`), name)
	}
}

// TestJoined: the text of a value is that of its blocks, else its JSON.
func TestJoined(t *testing.T) {
	for v, want := range map[string]string{
		``: "", `null`: "", `[]`: "", `7`: "7", `true`: "true", `"a\n"`: `a\n`, `[{"type":"text","text":"a"}]`: "a",
		`[{"type":"text","text":"a"},{"type":"text","text":"b"},{"type":"text","text":"c"}]`: `a\nb\nc`,
	} {
		r, _ := begun(0)
		r.decoded = []byte("what was before")
		require.Equal(t, want, string(r.joined(entry.Value(v))), v)
	}
}

// TestTimesOfResults: a result tells how long its call took if both times are known, also those at the beginning of 1970.
func TestTimesOfResults(t *testing.T) {
	for _, test := range []struct {
		call, result int64
		want         string
	}{
		{0, 2_000_000, "2"}, {1_000_000, 1_001_000, "0.001"}, {0, 0, "0"}, {-1, 5, "null"}, {5, -1, "null"}, {2_000_000, 0, "-2"},
	} {
		r, rows := begun(1 << says.Result)
		r.from.instant = test.call
		r.call(&says.Thing{Is: says.Call, Call: entry.Value(`"c"`), Name: entry.Value(`"ls"`)})
		r.from.instant = test.result
		r.result(&says.Thing{Is: says.Result, Call: entry.Value(`"c"`)})
		require.Contains(t, (*rows)[0], `"seconds":`+test.want+`,`)
	}
}

// TestResultsAgain: a result without a call is no result if its call may have it, and one that is told anew has no row again.
func TestResultsAgain(t *testing.T) {
	result := func(call string, again bool) *says.Thing {
		x := says.Thing{Is: says.Result, Text: entry.Value(`[{"type":"hologram"}]`), Again: again}
		if call != "" {
			x.Call = entry.Value(call)
		}
		return &x
	}
	for name, test := range map[string]struct {
		results []*says.Thing
		anew    bool
		want    int
	}{
		"of no call":                  {[]*says.Thing{result(`"x"`, false)}, false, 1},
		"of no call, which may be":    {[]*says.Thing{result(`"x"`, true)}, false, 0},
		"of a call, which may be":     {[]*says.Thing{result(`"c"`, true)}, false, 1},
		"twice":                       {[]*says.Thing{result(`"x"`, false), result(`"x"`, false)}, false, 2},
		"twice, anew":                 {[]*says.Thing{result(`"x"`, false), result(`"x"`, false)}, true, 1},
		"two of no call at all, anew": {[]*says.Thing{result("", false), result("", false)}, true, 2},
	} {
		r, _ := begun(1 << says.Result)
		if test.anew {
			r.anew = anew{repeats: true, known: map[uint64]bool{}}
		}
		r.call(&says.Thing{Is: says.Call, Call: entry.Value(`"c"`), Name: entry.Value(`"ls"`)})
		for _, x := range test.results {
			r.result(x)
		}
		require.Equal(t, test.want, r.unread["block hologram"], name)
	}
}

// TestAnewOutOfThePart: what the part told once is told again, also if entries out of the part told it in between.
func TestAnewOutOfThePart(t *testing.T) {
	a := anew{known: map[uint64]bool{}}
	require.False(t, a.has(says.Prompt, []byte("x"), false))
	a.repeats = true
	for _, out := range []bool{false, true, false} {
		require.True(t, a.has(says.Prompt, []byte("x"), out))
	}
	require.False(t, a.has(says.Prompt, []byte("y"), true))
	require.True(t, a.has(says.Prompt, []byte("y"), true))
	require.False(t, a.has(says.Prompt, []byte("y"), false), "the first in the part")
}
