package entry

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/segmentio/encoding/json"
	"github.com/stretchr/testify/require"
)

func TestText(t *testing.T) {
	tests := []struct{ name, value, want string }{
		{"plain", `"abc"`, "abc"},
		{"empty", `""`, ""},
		{"letters", `"é😀"`, "é😀"},
		{"each escape", `"\"\\\/\b\f\n\r\t"`, "\"\\/\b\f\n\r\t"},
		{"unicode escapes", `"\u0041\u00e9\u20AC\u0000"`, "Aé€\x00"},
		{"escapes among letters", `"a\nb\u0063d"`, "a\nbcd"},
		{"surrogate pair", `"\ud83d\ude00!"`, "😀!"},
		{"high surrogate alone", `"\ud83d!"`, "\xed\xa0\xbd!"},
		{"low surrogate alone", `"\ude00"`, "\xed\xb8\x80"},
		{"high surrogate twice, then low", `"\ud83d\ud83d\ude00"`, "\xed\xa0\xbd😀"},
		{"high surrogate and another escape", `"\ud83d\u0041"`, "\xed\xa0\xbdA"},
		{"high surrogate and a newline", `"\ud83d\nde00"`, "\xed\xa0\xbd\nde00"},
		{"replacement character", `"\ufffd"`, "\ufffd"},
		{"replacement character after a high surrogate", `"\ud83d\ufffd"`, "\xed\xa0\xbd\ufffd"},
		{"invalid UTF-8", "\"\xff\\n\xc0\"", "\xff\n\xc0"},
		{"number", `12`, ""},
		{"null", `null`, ""},
		{"object", `{"a":"b"}`, ""},
		{"absent", ``, ""},

		// Broken strings can occur below the top level. They must not cause a panic.
		{"no such escape", `"\x"`, "x"},
		{"cut off in the digits", `"\u12"`, "12"},
		{"no digits", `"\uzzzz"`, "zzzz"},
		{"low half cut off", `"\ud83d\ude"`, "\xed\xa0\xbdde"},
		{"cut off after the u", `"\u"`, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			v := Value(test.value)
			require.Equal(t, test.want, string(v.Text()))
			require.Equal(t, v.IsString(), v.Is(test.want))
			require.False(t, v.Is(test.want+"x"))
		})
	}
}

func TestTextKeepsDifferentStringsDifferent(t *testing.T) {
	seen := map[string]string{}
	for _, v := range []string{`"\ud800"`, `"\ud801"`, `"\udc00"`, `"\udfff"`, `"\ufffd"`, "\"\xff\"", "\"\xfe\"", `"e\u0301"`, `"\u00e9"`, `"É"`, `"\\u00e9"`} {
		text := string(Value(v).Text())
		require.NotContains(t, seen, text, "%s and %s", v, seen[text])
		seen[text] = v
	}
}

func TestIs(t *testing.T) {
	require.True(t, Value(`"user"`).Is("user"))
	require.True(t, Value(`"\u0075ser"`).Is("user"))
	require.True(t, Value(`"a\\b"`).Is(`a\b`))
	require.False(t, Value(`"a\\b"`).Is(`a\\b`))
	require.False(t, Value(`"User"`).Is("user"))
	require.False(t, Value(`user`).Is("user"))
	require.False(t, Value(`null`).Is(""))
	require.False(t, Value(nil).Is(""))
	require.True(t, Value(`""`).Is(""))
}

func TestKinds(t *testing.T) {
	tests := []struct {
		value                              string
		isString, isObject, isArray, empty bool
		truthy                             bool // as `v ? 1 : 0` in JavaScript
	}{
		{value: ``, empty: true},
		{value: `null`, empty: true},
		{value: `false`, empty: true},
		{value: `true`, empty: true, truthy: true},
		{value: `""`, isString: true, empty: true},
		{value: `"0"`, isString: true, truthy: true},
		{value: `"false"`, isString: true, truthy: true},
		{value: `"\u0000"`, isString: true, truthy: true},
		{value: `0`, empty: true},
		{value: `-0`, empty: true},
		{value: `0.000`, empty: true},
		{value: `-0e5`, empty: true},
		{value: `1e-400`, empty: true},
		{value: `5e-324`, empty: true, truthy: true},
		{value: `1e400`, empty: true, truthy: true},
		{value: `-1e400`, empty: true, truthy: true},
		{value: `0.1`, empty: true, truthy: true},
		{value: `1`, empty: true, truthy: true},
		{value: `{}`, isObject: true, empty: true, truthy: true},
		{value: `[]`, isArray: true, empty: true, truthy: true},
	}
	for _, test := range tests {
		t.Run(test.value, func(t *testing.T) {
			v := Value(test.value)
			require.Equal(t, test.isString, v.IsString())
			require.Equal(t, test.isObject, v.IsObject())
			require.Equal(t, test.isArray, v.IsArray())
			require.Equal(t, test.empty, v.IsEmpty())
			require.Equal(t, test.truthy, v.Truthy())
		})
	}
}

func TestInt(t *testing.T) {
	tests := []struct {
		value string
		want  int64
		ok    bool
	}{
		{`0`, 0, true},
		{`-0`, 0, true},
		{`12`, 12, true},
		{`-12`, -12, true},
		{`9007199254740993`, 9007199254740993, true},
		{`9223372036854775807`, 1<<63 - 1, true},
		{`-9223372036854775808`, -1 << 63, true},
		{`9223372036854775808`, 0, false},
		{`1.0`, 0, false},
		{`1e3`, 0, false},
		{`"12"`, 0, false},
		{`null`, 0, false},
		{`true`, 0, false},
		{`[1]`, 0, false},
		{`{}`, 0, false},
		{``, 0, false},
	}
	for _, test := range tests {
		t.Run(test.value, func(t *testing.T) {
			n, ok := Value(test.value).Int()
			require.Equal(t, test.ok, ok)
			require.True(t, !ok || n == test.want, n)
		})
	}
}

func TestMembers(t *testing.T) {
	tests := []struct {
		name, value string
		want        []string // names and values in turn
	}{
		{"empty", `{}`, nil},
		{"one", `{"a":1}`, []string{`"a"`, `1`}},
		{"spaces", " {\t\"a\" : 1 ,\r\"b\":\"x\" } "[1:], []string{`"a"`, `1`, `"b"`, `"x"`}},
		{"nested", `{"a":{"b":[1,{}]},"c":[]}`, []string{`"a"`, `{"b":[1,{}]}`, `"c"`, `[]`}},
		{"repeated", `{"a":1,"a":2}`, []string{`"a"`, `1`, `"a"`, `2`}},
		{"names with escapes", `{"\u0061":1,"":2}`, []string{`"\u0061"`, `1`, `""`, `2`}},
		{"not an object", `[1,2]`, nil},
		{"absent", ``, nil},
		{"malformed: open", `{`, nil},
		{"malformed: name open", `{"a":1,"b`, []string{`"a"`, `1`}},
		{"malformed: quote open", `{"`, nil},
		{"malformed: no colon", `{"a":1,"b"}`, []string{`"a"`, `1`}},
		{"malformed: no value", `{"a":1,"b":}`, []string{`"a"`, `1`}},
		{"malformed: nothing after the colon", `{"a":`, nil},
		{"malformed: no comma", `{"a":1 "b":2}`, []string{`"a"`, `1`}},
		{"malformed: comma last", `{"a":1,}`, []string{`"a"`, `1`}},
		{"malformed: value open", `{"a":[1,2`, nil},
		{"malformed: name is a number", `{1:1}`, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for name, v := range Value(test.value).Members() {
				got = append(got, string(name), string(v))
			}
			require.Equal(t, test.want, got)
			for range Value(test.value).Members() {
				break // this must not panic
			}
		})
	}
}

func TestElements(t *testing.T) {
	tests := []struct {
		name, value string
		want        []string
	}{
		{"empty", `[]`, nil},
		{"empty with a space", `[ ]`, nil},
		{"one", `[1]`, []string{`1`}},
		{"spaces", "[\t1 ,\r\"x\" , null ]", []string{`1`, `"x"`, `null`}},
		{"nested", `[[1,[2]],{"a":[3]}]`, []string{`[1,[2]]`, `{"a":[3]}`}},
		{"not an array", `{"a":1}`, nil},
		{"string", `"[1]"`, nil},
		{"absent", ``, nil},
		{"malformed: open", `[`, nil},
		{"malformed: comma last", `[1,]`, []string{`1`}},
		{"malformed: comma, then nothing", `[1,`, []string{`1`}},
		{"malformed: no comma", `[1 2]`, []string{`1`}},
		{"malformed: no end", `[1,2`, []string{`1`, `2`}},
		{"malformed: string open", `[1,"x]`, []string{`1`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for v := range Value(test.value).Elements() {
				got = append(got, string(v))
			}
			require.Equal(t, test.want, got)
			for range Value(test.value).Elements() {
				break
			}
		})
	}
}

func TestMember(t *testing.T) {
	tests := []struct{ name, value, member, want string }{
		{"only", `{"id":"m"}`, "id", `"m"`},
		{"last wins", `{"id":"m","id":null}`, "id", `null`},
		{"last wins, escaped", `{"id":"m","\u0069d":"n"}`, "id", `"n"`},
		{"exact", `{"ID":"m","id ":"m"}`, "id", ``},
		{"not the nested one", `{"a":{"id":"m"}}`, "id", ``},
		{"empty name", `{"":"m"}`, "", `"m"`},
		{"not an object", `["id"]`, "id", ``},
		{"before malformed text", `{"id":"m",}`, "id", `"m"`},
		{"absent", ``, "id", ``},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, test.want, string(Value(test.value).Member(test.member)))
		})
	}
}

func TestAppendString(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"empty", "", `""`},
		{"plain", "a b", `"a b"`},
		{"quote and backslash", `a"b\c`, `"a\"b\\c"`},
		{"control characters", "\x00\t\n\x1f\x7f", `"\u0000\t\n\u001f\u007f"`},
		{"letters", "é€😀\u2028", "\"é€😀\u2028\""},
		{"slash and angles", "</a>&", `"</a>&"`},
		{"invalid UTF-8", "a\xff\xe2\x82b", "\"a\ufffd\ufffd\ufffdb\""},
		{"surrogates in UTF-8", "\xed\xa0\x80b\xed\xbf\xbf\xed\xa1\xb6", `"\ud800b\udfff\ud876"`},
		{"cut off surrogate", "\xed\xa0", "\"\ufffd\ufffd\""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := AppendString([]byte("x"), []byte(test.text))
			require.Equal(t, "x"+test.want, string(got))
			require.True(t, Valid(got[1:]))
			require.Equal(t, replaced(test.text), replaced(string(Value(got[1:]).Text())))
		})
	}
}

// Text returns every rune that AppendString wrote.
func TestAppendStringOfEachRune(t *testing.T) {
	var all []byte
	for r := range rune(0x11000) {
		all = append(all, string(r)...) // U+FFFD for surrogates
	}
	text := AppendString(nil, all)
	require.True(t, slices.Equal(all, Value(text).Text()))
	var s string
	require.NoError(t, json.Unmarshal(text, &s))
	require.True(t, string(all) == s)
}

// AppendString writes each byte in the same way wherever it stands.
func TestAppendStringOfEachByte(t *testing.T) {
	const n = 17 // twice the bytes that are checked at a time, and one
	for c := range 256 {
		alone := AppendString(nil, []byte{byte(c)})
		for i := range n {
			text := bytes.Repeat([]byte{'~'}, n)
			text[i] = byte(c)
			want := string(text[:i]) + string(alone[1:len(alone)-1]) + string(text[i+1:])
			require.Equal(t, `"`+want+`"`, string(AppendString(nil, text)), "%#x at %d", c, i)
		}
	}
}

// AppendString is the inverse of Text for every string of valid UTF-8 and escapes, lone
// surrogates included.
func TestAppendStringIsTheInverseOfText(t *testing.T) {
	parts := []string{`a`, `é`, `😀`, `\n`, `\u0041`, `\ud83d`, `\ude00`, `\udbff`, `\ufffd`, `\u0000`, `\"`, `\\`}
	for i := range len(parts) * len(parts) * len(parts) {
		v := Value(`"` + parts[i%12] + parts[i/12%12] + parts[i/144] + `"`)
		text := v.Text()
		again := Value(AppendString(nil, text))
		require.Equal(t, string(text), string(again.Text()), "%s", v)
		surrogate := new(grammar).faults(v, false).Surrogate
		same := new(grammar).faults(again, false).Surrogate
		require.Equal(t, surrogate >= 0, same >= 0, "%s", v)
		require.Equal(t, string(again), string(AppendString(nil, again.Text())), "%s", v)
	}
}

func TestLoneSurrogate(t *testing.T) {
	tests := []struct {
		text string
		want int
	}{
		{`"plain"`, -1},
		{`"\ud83d\ude00"`, -1},
		{`"\uD83D\uDE00 \u0041\n"`, -1},
		{`"\ud83d"`, 1},
		{`"\ude00"`, 1},
		{`"a\ud83d\u0041"`, 2},
		{`"\ud83d\ud83d\ude00"`, 1},
		{`"\ud83d\ude00\ude00"`, 13},
		{`"\\ud83d"`, -1},
		{`"\\\ud83d"`, 3},
		{`{"a":["x",{"\udead":1}]}`, 12},
		{`"\ud83d\\ude00"`, 1},
		{`"\ud8`, -1}, // the text is not JSON
		{`"\`, -1},
	}
	for _, test := range tests {
		got := new(grammar).faults(Value(test.text), false).Surrogate
		require.Equal(t, test.want, got, test.text)
	}
}

// TestReplaceLone: a lone surrogate becomes U+FFFD, and a pair stays.
func TestReplaceLone(t *testing.T) {
	for text, want := range map[string]string{
		`"plain"`:                     `"plain"`,
		`"\ud83d\ude00"`:              `"\ud83d\ude00"`,
		`"\ud83d\ude00\ude00"`:        `"\ud83d\ude00\ufffd"`,
		`"\ud83d\ud83d\ude00\n"`:      `"\ufffd\ud83d\ude00\n"`,
		`"\uDBFF\uDFFF\u0041\uDBFFx"`: `"\uDBFF\uDFFF\u0041\ufffdx"`,
		`"\\ud83d\\\ud83d\ud7ff"`:     `"\\ud83d\\\ufffd\ud7ff"`,
		`"\ud8`:                       `"\ud8`,
	} {
		b := []byte(text)
		ReplaceLone(b)
		require.Equal(t, want, string(b), text)
	}
}

// TestIsSurrogate: three bytes that encode half a pair, as no UTF-8 does.
func TestIsSurrogate(t *testing.T) {
	for text, want := range map[string]bool{"\xed\xa0\x80": true, "\xed\xbf\xbfx": true, "\xed\x9f\xbf": false, "\xed\xa0\xc0": false, "\xed\xa0\x7f": false, "\xee\xa0\x80": false, "\xed\xa0": false} {
		require.Equal(t, want, IsSurrogate(text), "%q", text)
	}
}

// TestSkipBlank: a byte order mark is blank, and what follows it is not.
func TestSkipBlank(t *testing.T) {
	for text, want := range map[string]int{"": 0, BOM + "{": 3, " \x00" + BOM + "\t" + BOM + "{": 9, BOM[:2] + "{": 0, BOM: 3} {
		require.Equal(t, want, skipBlank([]byte(text), 0), "%q", text)
	}
}

func TestOffset(t *testing.T) {
	const text = `{ "a" : [ 1, {"b":"c"} ], "d":2}`
	v := Value(text)
	var got []string
	var walk func(Value)
	walk = func(part Value) {
		require.Equal(t, string(part), text[v.Offset(part):v.Offset(part)+len(part)])
		got = append(got, string(part))
		for name, m := range part.Members() {
			walk(name)
			walk(m)
		}
		for m := range part.Elements() {
			walk(m)
		}
	}
	walk(v)
	require.Len(t, got, 9)
}

func TestKey(t *testing.T) {
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{`"a"`, `"\u0061"`, true},
		{`"a"`, `"b"`, false},
		{`1`, `1`, true},
		{`"1"`, `1`, false},
		{`"\u00001"`, `1`, false},
		{`"\"x\""`, `"x"`, false},
		{`""`, ``, false},
		{`null`, `"null"`, false},
	} {
		require.Equal(t, test.same, Value(test.a).Key() == Value(test.b).Key(), "%s %s", test.a, test.b)
	}
}

func TestEscapedNUL(t *testing.T) {
	long := strings.Repeat(`text \n \" \\ \u00e9 `, 20)
	for _, test := range []struct {
		text string
		want int
	}{
		{`""`, -1},
		{`"\u0000"`, 1},
		{`"\u0001\u0000"`, 7},
		{`"\\u0000"`, -1},
		{`"\\\u0000"`, 3},
		{`"\u000"`, -1},
		{`"\u\u0000"`, -1}, // the text is not JSON
		{`"\ud83d\u0000\u0000"`, 7},
		{`"\ud83d\ude00\u0000"`, 13},
		{`"\`, -1},
		{`"\u000`, -1},
		{`"` + long + `\\u0000"`, -1},
		{`"` + long + `\u0000` + long + `"`, 1 + len(long)},
		{`{"` + long + `":"` + long + `\u0000"}`, 5 + 2*len(long)},
	} {
		got := new(grammar).faults(Value(test.text), false).NUL
		require.Equal(t, test.want, got, test.text)
	}
}
