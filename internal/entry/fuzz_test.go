package entry

import (
	"bytes"
	stdjson "encoding/json"
	"iter"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/segmentio/encoding/json"
	"github.com/stretchr/testify/require"
)

// seed adds whole entries, damaged lines, and the cases of the grammar to the corpus.
func seed(f *testing.F) {
	for _, s := range samples {
		f.Add([]byte(s))
		f.Add([]byte(s[:len(s)/2] + s + "\n"))
	}
	for _, test := range decodeTests {
		f.Add([]byte(test.line))
	}
	for _, test := range grammarTests {
		f.Add([]byte(test.text))
	}
}

// checkDecoded checks what is true of the entries of any line.
func checkDecoded(t *testing.T, line []byte) {
	var d Decoder
	valid := Valid(line)
	for _, d.Strict = range []bool{false, true} {
		es, damage := decoded(&d, line, true)
		end := 0
		for i, e := range es {
			at, length := int(e.Pos.Offset), int(e.Pos.Length)
			switch {
			case at < end || length <= 0 || at+length > len(line):
				require.FailNow(t, "wrong position", "%q: %d+%d", line, at, length)
			case damage != nil && string(e.Bytes) != string(bytes.TrimSpace(line[at:at+length])):
				require.FailNow(t, "not the line's bytes", "%q", line)
			case (damage != nil || d.Strict) && !Valid(e.Bytes):
				require.FailNow(t, "not valid", "%q: %q", line, e.Bytes)
			case damage != nil && damage.Recovered[i] != e.Pos.Offset:
				require.FailNow(t, "another offset in the damage", "%q", line)
			}
			end = at + length
		}
		whole := damage == nil && len(es) == 1
		switch {
		case damage == nil && len(es) > 1 || damage != nil && len(damage.Recovered) != len(es):
			require.FailNow(t, "wrong number of entries", "%q", line)
		case damage != nil && damage.reason == "":
			require.FailNow(t, "no message", "%q", line)
		case whole && (int(es[0].Pos.Offset+es[0].Pos.Length) != len(line) || string(es[0].Bytes) != string(trimmed(line))):
			require.FailNow(t, "not the whole line", "%q", line)
		case valid && !whole && trimmed(line)[0] == '{', d.Strict && whole && !Valid(line[es[0].Pos.Offset:]):
			require.FailNow(t, "an entry and the grammar differ", "%q", line)
		case d.Strict && damage != nil && len(es) > 0:
			require.FailNow(t, "recovered by a strict reader", "%q", line)
		}
	}
}

// trimmed returns the line without a byte order mark and white space around it.
func trimmed(line []byte) []byte {
	if len(line) >= 3 && string(line[:3]) == "\xef\xbb\xbf" {
		line = line[3:]
	}
	for len(line) > 0 && isSpace(line[0]) {
		line = line[1:]
	}
	line = bytes.TrimSuffix(line, newline)
	for len(line) > 0 && isSpace(line[len(line)-1]) {
		line = line[:len(line)-1]
	}
	return line
}

func FuzzDecodeNeverPanics(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, line []byte) { checkDecoded(t, line) })
}

// tooDeep reports whether b may be too deep for a library: segmentio's overflows the stack,
// and the standard one stops at 10,000 levels.
func tooDeep(b []byte) bool {
	n := 0
	for _, c := range b {
		if c == '[' || c == '{' {
			n++
		}
	}
	return n > 9000
}

func checkGrammar(t *testing.T, b []byte) {
	var e Entry
	require.Equal(t, e.Scan(b) && Valid(b), e.ScanWhole(b), "%q", b)
	if tooDeep(b) {
		return
	}
	isLine := bytes.IndexByte(bytes.TrimSuffix(b, newline), '\n') < 0
	require.Equal(t, stdjson.Valid(b) && isLine, Valid(b), "encoding/json: %q", b)
	require.Equal(t, json.Valid(b) && isLine, Valid(b), "segmentio: %q", b)
}

func FuzzValidAgreesWithLibrary(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, b []byte) { checkGrammar(t, b) })
}

// A library reads the same values.
func FuzzScanAgreesWithSegmentio(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		if tooDeep(b) || !Valid(b) || trimmed(b)[0] != '{' || b[0] == 0xef {
			return
		}
		b = trimmed(b)
		var want map[string]json.RawMessage
		rest, err := json.Parse(b, &want, json.ZeroCopy)
		require.NoError(t, err)
		require.Empty(t, rest)
		var e Entry
		require.True(t, e.Scan(b))
		for name, k := range keyNames {
			v := want[name]
			got := e.Get(k)
			require.Equal(t, string(v), string(got), "%q in %q", name, b)
			if got.IsString() {
				var s string
				require.NoError(t, json.Unmarshal(v, &s))
				require.Equal(t, replaced(s), replaced(string(got.Text())), "%q", b)
			}
			checkParts(t, got)
		}
	})
}

// checkParts compares the members or elements of v with those of a library.
func checkParts(t *testing.T, v Value) {
	switch {
	case v.IsArray():
		var want []json.RawMessage
		require.NoError(t, json.Unmarshal(v, &want))
		got := slices.Collect(v.Elements())
		require.Len(t, got, len(want))
		for i := range got {
			require.Equal(t, string(want[i]), string(got[i]))
		}
	case v.IsObject():
		var want map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(v, &want))
		names := map[string]bool{}
		for name := range v.Members() {
			names[string(name.Text())] = true
		}
		for name, m := range want {
			if !strings.Contains(name, "\ufffd") { // several such names may have become one
				require.True(t, names[name], "%q in %q", name, v)
				require.Equal(t, string(m), string(v.Member(name)), "%q in %q", name, v)
			}
		}
	}
}

// replaced replaces each run of invalid UTF-8 by one U+FFFD, because the libraries and this
// package differ in how they represent it.
func replaced(s string) string {
	return replacements.ReplaceAllString(strings.ToValidUTF8(s, "\ufffd"), "\ufffd")
}

var replacements = regexp.MustCompile("\ufffd+")

// A deep Walker walks into all objects and arrays.
type deep struct{}

func (d deep) Walk(c Cursor) Cursor {
	switch {
	case c.Object():
		for name := c.Name(); name != nil; name = c.Name() {
			c = d.Walk(c)
		}
	case c.Array():
		for c.Element() {
			c = d.Walk(c)
		}
	default:
		c.Value()
	}
	return c
}

// TestTheLastMessageIsWalked: an entry is walked if Walk got through the message that counts.
func TestTheLastMessageIsWalked(t *testing.T) {
	for message, want := range map[string]bool{`{"id":[{}]}`: true, `{"id":truefalse}`: false, `{"id":1,}`: false, `"text"`: false} {
		var e Entry
		require.Positive(t, e.scan([]byte(`{"message":`+message+`,"type":"user"}`), nil, deep{}), message)
		require.Equal(t, want, e.Walked(), message)
		require.Equal(t, message, string(e.Get(Message)))
		require.Positive(t, e.scan([]byte(`{"message":`+message+`,"m\u0065ssage":{}}`), nil, deep{}), message)
		require.True(t, e.Walked(), "the last message counts")
		require.Equal(t, `{}`, string(e.Get(Message)))
		require.Positive(t, e.scan([]byte(`{"message":`+message+`,"message":1}`), nil, deep{}), message)
		require.False(t, e.Walked(), "the last message counts")
		require.Positive(t, e.scan([]byte(`{"message":{}}`), nil, deep{}))
		require.Positive(t, e.scan([]byte(`{"type":"user"}`), nil, deep{}))
		require.False(t, e.Walked(), "the entry has no message")
	}
}

// checkFaults decodes a line with and without a search for faults, which must find those that
// a search of its own finds in each entry, whether Walk reads the message or not.
func checkFaults(t *testing.T, line []byte) {
	var plain Decoder
	for _, dec := range []*Decoder{{Faults: true}, {Faults: true, Walker: deep{}}} {
		want, wantDamage := plain.Decode(line, 1, 0)
		got, damage := dec.Decode(line, 1, 0)
		require.Equal(t, want, got, "%q", line)
		require.Equal(t, wantDamage, damage, "%q", line)
		for i := range want {
			want, got := plain.Entry(i), dec.Entry(i)
			require.Equal(t, want.Bytes, got.Bytes)
			require.Equal(t, want.val, got.val)
			require.Equal(t, new(grammar).faults(want.Bytes, false), got.Faults(), "%q", line)
			if got.Faults().Syntax < 0 {
				surrogate, nul := badEscapes(want.Bytes)
				require.Equal(t, []int{surrogate, nul}, []int{got.Faults().Surrogate, got.Faults().NUL}, "%q", line)
			}
		}
	}
}

var escape = regexp.MustCompile(`\\(?:u[0-9a-fA-F]{4}|[^u])`)

// badEscapes returns the offsets in valid JSON of the first escape that is half of a surrogate pair without
// the other half, and of the first escape of NUL, each -1 if there is none.
func badEscapes(v []byte) (surrogate, nul int) {
	surrogate, nul = -1, -1
	high := -1 // the half of a pair that ends here
	for _, at := range escape.FindAllIndex(v, -1) {
		text := strings.ToLower(string(v[at[0]:at[1]]))
		isLow := text >= `\udc00` && text <= `\udfff`
		if high >= 0 && (!isLow || at[0] != high+6) && surrogate < 0 {
			surrogate = high
		}
		if isLow && (high < 0 || at[0] != high+6) && surrogate < 0 {
			surrogate = at[0]
		}
		if high = -1; text >= `\ud800` && text < `\udc00` {
			high = at[0]
		}
		if text == `\u0000` && nul < 0 {
			nul = at[0]
		}
	}
	if high >= 0 && surrogate < 0 {
		surrogate = high
	}
	return surrogate, nul
}

// checkNamed checks that an entry has the members that its text has, though it does not read its message again.
func checkNamed(t *testing.T, e *Entry, sound bool) {
	if !sound {
		return
	}
	type member struct{ name, value string }
	members := func(of iter.Seq2[[]byte, Value]) (all []member) {
		for name, v := range of {
			all = append(all, member{string(name), string(v)})
		}
		return all
	}
	require.Equal(t, members(Value(e.Bytes).Named()), members(e.Named()), "%q", e.Bytes)
	for name := range Value(e.Bytes).Named() {
		require.Equal(t, Value(e.Bytes).Member(string(name)), e.Member(string(name)), "%q", e.Bytes)
	}
}

// FuzzWalkedIsScanned: an entry through whose message Walk walks is the same entry, and has
// the same faults.
func FuzzWalkedIsScanned(f *testing.F) {
	for _, s := range samples {
		f.Add([]byte(s), []byte(s))
	}
	for _, test := range grammarTests {
		f.Add([]byte(test.text), []byte(`"`))
	}
	f.Add([]byte(`{"a":[{},[1,"x\\"]]},"message":7,"m\u0065ssage":{}`), []byte(`{"b":1`))
	f.Add([]byte(`{"\u0000":["\ud800"]}`), []byte(`{"\udc00":"\u0000"`))
	f.Add([]byte(`{}`), []byte(`{"\ud800":1`))
	f.Add([]byte(`{}`), []byte(`{"\u0000":1`))
	f.Add([]byte(`{"\u0000\u0041":"\ud800\u0041"}`), []byte(`{"b":1`))
	f.Add([]byte("{\"a\":\"\xff\",\"b\":[01]}"), []byte(`{"b":[tru]`))
	f.Fuzz(func(t *testing.T, message, before []byte) {
		for _, line := range []string{
			`{"message":` + string(message) + `}`,
			`{"uuid":"x","message":` + string(message) + `,"type":"user"}`,
			string(before) + `,"message":` + string(message) + `}`,
		} {
			var plain, walked Entry
			sound := plain.Scan([]byte(line))
			require.Equal(t, sound, walked.scan([]byte(line), nil, deep{}) == len(line), "%q", line)
			require.False(t, plain.Walked())
			if sound {
				require.Equal(t, plain.val, walked.val, "%q", line)
			}
			checkNamed(t, &plain, sound)
			checkNamed(t, &walked, sound)
			if walked.Walked() && sound {
				require.True(t, walked.Get(Message).IsObject())
			}
			checkFaults(t, []byte(line))
		}
	})
}

// checkFirst decodes the first of lines with those behind it, and alone: it is the same line.
func checkFirst(t *testing.T, lines []byte) {
	for _, dec := range []Decoder{{}, {Strict: true}, {SDK: true}, {Faults: true}, {Walker: deep{}}, {Faults: true, Walker: deep{}}} {
		for _, offset := range []int64{0, 1000} {
			alone, first := dec, dec
			line := lines[:lineLength(lines)]
			count, damage := alone.Decode(line, 7, offset)
			length, firstCount, firstDamage := first.DecodeFirst(lines, 7, offset)
			require.Equal(t, len(line), length, "%q", lines)
			require.Equal(t, count, firstCount, "%q", lines)
			require.Equal(t, damage, firstDamage, "%q", lines)
			for i := range count {
				require.Equal(t, alone.Entry(i), first.Entry(i), "%q", lines)
			}
		}
	}
}

// TestFirstEndsBeforeTheNext: to append to a part of a line does not change the next one.
func TestFirstEndsBeforeTheNext(t *testing.T) {
	var d Decoder
	d.DecodeFirst([]byte("{\"uuid\":\"a\"}\n{\"uuid\":\"b\"}\n"), 1, 0)
	e := d.Entry(0)
	for _, part := range [][]byte{e.Bytes, e.Line, e.Get(UUID)} {
		require.Equal(t, len(part), cap(part), "%s", part)
	}
}

// FuzzFirstIsDecoded: the lines behind a line make no difference to it.
func FuzzFirstIsDecoded(f *testing.F) {
	whole := "{\"uuid\":\"b\",\"x\":[1,{}],\"message\":{\"a\":\"b\"}}\n"
	for _, s := range samples {
		for _, behind := range []string{"\n" + s + "\n", "\n", "\r\n" + whole, " \n\n", ""} {
			f.Add([]byte(s + behind))
			f.Add([]byte(s[:len(s)/2] + behind))
			f.Add([]byte(" " + s[:len(s)/3] + s + behind))
		}
	}
	for _, test := range decodeTests {
		f.Add([]byte(test.line + "\n" + whole))
	}
	for _, test := range grammarTests {
		f.Add([]byte(test.text + "\n" + whole))
		f.Add([]byte(`{"message":` + test.text + "}\n" + whole))
	}
	for i := range whole { // a line that ends, or goes on, anywhere
		f.Add([]byte(whole[:i] + "\n" + whole[i:]))
		f.Add([]byte(whole[:i] + "\\\n" + whole[i:]))
		f.Add([]byte(whole[:i] + strings.Repeat(" ", 70) + "\n" + strings.Repeat(" ", 70) + whole[i:]))
		f.Add([]byte(whole[:i] + strings.Repeat("x", 70) + "\n" + strings.Repeat("x", 70) + whole[i:]))
	}
	f.Fuzz(func(t *testing.T, lines []byte) {
		if len(lines) > 0 {
			checkFirst(t, lines)
		}
	})
}
