package entry

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Entries for damaged lines: user entries, and entries that are not nodes and name no
// session.
const (
	userA = `{"type":"user","uuid":"a","parentUuid":null,"sessionId":"s"}`
	userB = `{"type":"user","uuid":"b","parentUuid":"a","sessionId":"s","message":{"content":"x"}}`
	title = `{"type":"summary","summary":"t","leafUuid":"b"}`
	piID  = `{"type":"message","id":"1","parentId":null,"message":{"role":"user"}}`

	// Entries without a type or an id.
	spoken = `{"role":"user","text":"x"}`
	grok   = `{"update":{"sessionUpdate":"plan"}}`
	rewind = `{"$rewindTo":"a"}`

	// The head of an entry whose nested object looks like an entry.
	nested = `{"type":"user","uuid":"n","sessionId":"s","parentUuid":null}`
	head   = `{"type":"progress","data":{"message":` + nested
)

var nul = strings.Repeat("\x00", 5)

var decodeTests = []struct {
	name, line string
	first      bool
	want       []string // the bytes of the entries
	at         []int
	message    string // for a line at offset 1000; "" for no damage
	lost       bool
}{
	// What is accepted.
	{"an entry", userA + "\n", false, []string{userA + "\n"}, []int{0}, "", false},
	{"the last line", userA, false, []string{userA}, []int{0}, "", false},
	{"no fields that are read", "{}\n", false, []string{"{}\n"}, []int{0}, "", false},
	{"nothing", "", false, nil, nil, "", false},
	{"blank", "\n", false, nil, nil, "", false},
	{"blank, CRLF", "\r\n", false, nil, nil, "", false},
	{"blank, spaces", " \t \r\n", true, nil, nil, "", false},
	{"CRLF", userA + "\r\n", false, []string{userA + "\r\n"}, []int{0}, "", false},
	{"leading spaces", "  \t" + userA + "\n", false, []string{"  \t" + userA + "\n"}, []int{0}, "", false},
	{"trailing spaces", userA + " \t \n", false, []string{userA + " \t \n"}, []int{0}, "", false},
	{"byte order mark", "\xef\xbb\xbf" + userA + "\n", true, []string{userA + "\n"}, []int{3}, "", false},
	{"byte order mark and spaces", "\xef\xbb\xbf  " + userA + "\n", true, []string{"  " + userA + "\n"}, []int{3}, "", false},
	{"byte order mark alone", "\xef\xbb\xbf\r\n", true, nil, nil, "", false},
	{"invalid UTF-8", "{\"type\":\"user\",\"uuid\":\"\xff\"}\n", false, []string{"{\"type\":\"user\",\"uuid\":\"\xff\"}\n"}, []int{0}, "", false},

	// Values that are not entries.
	{"array", "[1]\n", false, nil, nil, "a JSON array is not an entry; skipped 4 bytes at byte 1000", true},
	{"array of entries", "[" + userA + "]\n", false, nil, nil, "a JSON array is not an entry; skipped 63 bytes at byte 1000", true},
	{"string", "\"{}\"\n", false, nil, nil, "a JSON string is not an entry; skipped 5 bytes at byte 1000", true},
	{"number", "-1.5\n", false, nil, nil, "a JSON number is not an entry; skipped 5 bytes at byte 1000", true},
	{"true", "true\n", false, nil, nil, "a JSON boolean is not an entry; skipped 5 bytes at byte 1000", true},
	{"false", " false\r\n", false, nil, nil, "a JSON boolean is not an entry; skipped 8 bytes at byte 1000", true},
	{"null", "null\n", false, nil, nil, "a JSON null is not an entry; skipped 5 bytes at byte 1000", true},
	{"number on the last line", "12", false, nil, nil, "a JSON number is not an entry; skipped 2 bytes at byte 1000", true},

	// Damage without an entry in it.
	{"text", "not JSON\n", false, nil, nil, "not a whole entry; skipped 9 bytes at byte 1000", true},
	{"byte order mark alone, not on the first line", "\xef\xbb\xbf\n", false, nil, nil, "misplaced byte order mark", false},
	{"torn", userA[:30] + "\n", false, nil, nil, "not a whole entry; skipped 31 bytes at byte 1000", true},
	{"head torn off", userA[5:] + "\n", false, nil, nil, "not a whole entry; skipped 56 bytes at byte 1000", true},
	{"NUL only", nul + "\n", false, nil, nil, "NUL bytes; skipped 6 bytes at byte 1000", true},
	{"torn, then NUL", userA[:30] + nul + "\n", false, nil, nil, "not a whole entry; skipped 36 bytes at byte 1000", true},
	{"whole by its brackets only", "{\"type\":\"user\",\"uuid\":\"\\x\"}\n", false, nil, nil, "not a whole entry; skipped 28 bytes at byte 1000", true},
	{"objects that are not entries, then text", "{}{}x\n", false, nil, nil, "not a whole entry; skipped 6 bytes at byte 1000", true},

	// The last line, still being written.
	{"unfinished", userA[:30], false, nil, nil, "the last line is not finished", false},
	{"unfinished, one byte", "{", false, nil, nil, "the last line is not finished", false},
	{"unfinished, NUL only", nul, false, nil, nil, "NUL bytes", false},
	{"whole, then unfinished", userA + userB[:30], false, []string{userA}, []int{0}, "the last line is not finished; recovered the entry at byte 1000", false},
	{"torn, whole, unfinished", userA[:30] + userB + userA[:9], false, []string{userB}, []int{30}, "torn entry; recovered the entry at byte 1030", true},
	{"torn, then whole, no newline", userA[:30] + userB, false, []string{userB}, []int{30}, "torn entry; recovered the entry at byte 1030", true},
	{"two, no newline", userA + userB, false, []string{userA, userB}, []int{0, len(userA)}, "more than one entry on a line; recovered the entry at byte 1000, 1060", false},

	// Whole entries inside a damaged line.
	{"two", userA + userB + "\n", false, []string{userA, userB}, []int{0, 60}, "more than one entry on a line; recovered the entry at byte 1000, 1060", false},
	{"two, after spaces", " \t" + userA + "  " + userB + " \r\n", false, []string{userA, userB}, []int{2, 64}, "more than one entry on a line; recovered the entry at byte 1002, 1064", false},
	{"two, CR between", userA + "\r" + title + "\n", false, []string{userA, title}, []int{0, 61}, "more than one entry on a line; recovered the entry at byte 1000, 1061", false},
	{"two that are not nodes", title + title + "\n", false, []string{title, title}, []int{0, 47}, "more than one entry on a line; recovered the entry at byte 1000, 1047", false},
	{"two of pi", piID + piID + "\n", false, []string{piID, piID}, []int{0, 69}, "more than one entry on a line; recovered the entry at byte 1000, 1069", false},
	{"three", userA + userB + title + "\n", false, []string{userA, userB, title}, []int{0, 60, 145}, "more than one entry on a line; recovered the entry at byte 1000, 1060, 1145", false},
	{"six", strings.Repeat(userA, 6) + "\n", false, []string{userA, userA, userA, userA, userA, userA}, []int{0, 60, 120, 180, 240, 300}, "more than one entry on a line; recovered the entry at byte 1000, 1060, 1120, 1180 and 2 more", false},
	{"an id without a type", "{\"uuid\":\"x\",\"parentUuid\":null}" + userA + "\n", false, []string{"{\"uuid\":\"x\",\"parentUuid\":null}", userA}, []int{0, 30}, "more than one entry on a line; recovered the entry at byte 1000, 1030", false},
	{"neither an id nor a type, then text", "{}{\"a\":1}{\"type\":null}x\n", false, []string{`{"a":1}`, `{"type":null}`}, []int{2, 9}, "torn entry; recovered the entry at byte 1002, 1009", true},
	{"two without a type", spoken + spoken + "\n", false, []string{spoken, spoken}, []int{0, 26}, "more than one entry on a line; recovered the entry at byte 1000, 1026", false},
	{"NUL before an entry without a type", nul + spoken + nul + " " + spoken + "\n", false, []string{spoken, spoken}, []int{5, 37}, "NUL bytes; recovered the entry at byte 1005, 1037", false},
	{"torn, then whole without a type", userA[:30] + grok + "\n", false, []string{grok}, []int{30}, "torn entry; recovered the entry at byte 1030", true},
	{"without a type, then torn", rewind + spoken[:9] + "\n", false, []string{rewind}, []int{0}, "torn entry; recovered the entry at byte 1000", true},
	{"with a byte order mark", "\xef\xbb\xbf" + userA + userB, true, []string{userA, userB}, []int{3, 63}, "more than one entry on a line; recovered the entry at byte 3, 63", false},
	{"byte order mark, not on the first line", "\xef\xbb\xbf" + userA + "\n", false, []string{userA}, []int{3}, "misplaced byte order mark; recovered the entry at byte 1003", false},
	{"byte order mark between", title + "\xef\xbb\xbf" + title + "\n", false, []string{title, title}, []int{0, 50}, "more than one entry on a line; recovered the entry at byte 1000, 1050", false},
	{"NUL before", nul + userA + "\n", false, []string{userA}, []int{5}, "NUL bytes; recovered the entry at byte 1005", false},
	{"NUL before an entry that is not a node", nul + " " + title + "\n", false, []string{title}, []int{6}, "NUL bytes; recovered the entry at byte 1006", false},
	{"NUL between", userA + nul + userB + "\n", false, []string{userA, userB}, []int{0, 65}, "NUL bytes; recovered the entry at byte 1000, 1065", false},
	{"NUL after", userA + nul + "\n", false, []string{userA}, []int{0}, "NUL bytes; recovered the entry at byte 1000", false},
	{"NUL after the last", userA + nul, false, []string{userA}, []int{0}, "NUL bytes; recovered the entry at byte 1000", false},
	{"torn, NUL, whole", userA[:30] + nul + title + "\n", false, []string{title}, []int{35}, "torn entry; recovered the entry at byte 1035", true},
	{"torn, then whole", userA[:30] + userB + "\n", false, []string{userB}, []int{30}, "torn entry; recovered the entry at byte 1030", true},
	{"torn, torn, whole", userA[:30] + userB[:40] + title + "\n", false, []string{title}, []int{70}, "torn entry; recovered the entry at byte 1070", true},
	{"torn, whole, torn, whole", userA[:30] + userB + title[:9] + title + "\n", false, []string{userB, title}, []int{30, 124}, "torn entry; recovered the entry at byte 1030, 1124", true},
	{"whole, then torn", userA + userB[:40] + "\n", false, []string{userA}, []int{0}, "torn entry; recovered the entry at byte 1000", true},
	{"head torn off, then whole", userA[5:] + title + "\n", false, []string{title}, []int{55}, "torn entry; recovered the entry at byte 1055", true},
	{"tail of text, then whole", "ends here" + userB + "\n", false, []string{userB}, []int{9}, "torn entry; recovered the entry at byte 1009", true},
	{"text after", userB + "x\n", false, []string{userB}, []int{0}, "torn entry; recovered the entry at byte 1000", true},
	{"torn before a value", "{\"a\":" + userB + "\n", false, []string{userB}, []int{5}, "torn entry; recovered the entry at byte 1005", true},
	{"torn before a value, then two", "{\"a\":" + userB + title + "\n", false, []string{userB, title}, []int{5, 90}, "torn entry; recovered the entry at byte 1005, 1090", true},
	{"torn twice before a value", "{\"a\":[{\"b\":" + title + "\n", false, []string{title}, []int{11}, "torn entry; recovered the entry at byte 1011", true},
	{"torn in a word", "{\"a\":tr" + title + "\n", false, []string{title}, []int{7}, "torn entry; recovered the entry at byte 1007", true},
	{"torn in a number", "{\"a\":-1.5e+" + title + "\n", false, []string{title}, []int{11}, "torn entry; recovered the entry at byte 1011", true},
	{"torn in an escape", "{\"a\":\"\\u12" + title + "\n", false, []string{title}, []int{10}, "torn entry; recovered the entry at byte 1010", true},
	{"torn in text full of brackets", "{\"a\":\"{ [{}] {{ \\\" {" + title + "\n", false, []string{title}, []int{20}, "torn entry; recovered the entry at byte 1020", true},

	// An entry written into the middle of another one.
	{"inside: before a name", "{\"a\":{" + userB + "\"b\":1}}\n", false, []string{userB}, []int{6}, "torn entry; recovered the entry at byte 1006", true},
	{"inside: after a name", "{\"a\":{\"b\"" + title + ":1}}\n", false, []string{title}, []int{9}, "torn entry; recovered the entry at byte 1009", true},
	{"inside: before a value", "{\"a\":{\"b\":" + userB + "1}}\n", false, []string{userB}, []int{10}, "torn entry; recovered the entry at byte 1010", true},
	{"inside: in a number", "{\"a\":[1" + title + "1]}\n", false, []string{title}, []int{7}, "torn entry; recovered the entry at byte 1007", true},
	{"inside: after a value", "{\"a\":{\"b\":1" + title + "}}\n", false, []string{title}, []int{11}, "torn entry; recovered the entry at byte 1011", true},
	{"inside: after a comma", "{\"a\":{\"b\":1," + title + "\"c\":1}}\n", false, []string{title}, []int{12}, "torn entry; recovered the entry at byte 1012", true},
	{"inside: after an object", "{\"a\":[{\"b\":1}" + title + "]}\n", false, []string{title}, []int{13}, "torn entry; recovered the entry at byte 1013", true},
	{"inside: in a string", "{\"a\":[\"b" + title + "\"]}\n", false, []string{title}, []int{8}, "torn entry; recovered the entry at byte 1008", true},

	// Objects that are part of a torn entry.
	{"decoy, then a comma", head + ",\n", false, nil, nil, "not a whole entry; skipped 99 bytes at byte 1000", true},
	{"decoy, then a name", head + ",\"norm\n", false, nil, nil, "not a whole entry; skipped 104 bytes at byte 1000", true},
	{"decoy, then its end", head + "}\n", false, nil, nil, "not a whole entry; skipped 99 bytes at byte 1000", true},
	{"decoy, then more", head + ",\"normalizedMessages\":[]},\"toolUseID\":\"x\n", false, nil, nil, "not a whole entry; skipped 138 bytes at byte 1000", true},
	{"decoy, then more, then whole", head + ",\"normalizedMessages\":[" + userB + "\n", false, []string{userB}, []int{120}, "torn entry; recovered the entry at byte 1120", true},
	{"decoy, its head torn off", head[9:] + "},\"uuid\":\"p\"}\n", false, nil, nil, "not a whole entry; skipped 102 bytes at byte 1000", true},
	{"decoy in an array, its head torn off", "sage\":[" + nested + "," + nested + "],\"uuid\":\"p\"}\n", false, nil, nil, "not a whole entry; skipped 142 bytes at byte 1000", true},
	{"decoys where the text breaks", "{\"data\":{\"a\":" + nested + "," + nested + "," + nested + "],\"p\":\"cut\n", false, nil, nil, "not a whole entry; skipped 206 bytes at byte 1000", true},
	{"decoy in text", "{\"a\":\"{\\\"type\\\":\\\"user\\\",\\\"uuid\\\":\\\"x\\\",\\\"sessionId\\\":\\\"s\\\"}\n", false, nil, nil, "not a whole entry; skipped 61 bytes at byte 1000", true},
	{"message block", "{\"content\":[{\"type\":\"text\",\"text\":\"x\"}\n", false, nil, nil, "not a whole entry; skipped 39 bytes at byte 1000", true},
	{"other agents' entries in a torn entry", "{\"content\":[" + rewind + "," + grok + "\n", false, nil, nil, "not a whole entry; skipped 66 bytes at byte 1000", true},
	{"message block, then whole", "{\"content\":[{\"type\":\"text\",\"text\":\"x\"}" + title + "\n", false, []string{title}, []int{38}, "torn entry; recovered the entry at byte 1038", true},
}

// decoded returns copies of all entries of a line, which is the first of its log or begins
// at byte 1000.
func decoded(d *Decoder, line []byte, first bool) ([]Entry, *Damage) {
	number, offset := int64(7), int64(1000)
	if first {
		number, offset = 1, 0
	}
	n, damage := d.Decode(line, number, offset)
	var es []Entry
	for i := range n {
		es = append(es, *d.Entry(i))
	}
	return es, damage
}

func TestDecode(t *testing.T) {
	var d Decoder
	for _, test := range decodeTests {
		t.Run(test.name, func(t *testing.T) {
			line := []byte(test.line)
			es, damage := decoded(&d, line, test.first)
			base := int64(1000)
			if test.first {
				base = 0
			}
			var texts []string
			var at []int
			var offsets []int64
			for _, e := range es {
				text := line[e.Pos.Offset-base:][:e.Pos.Length]
				require.Equal(t, string(trimmed(text)), string(e.Bytes))
				require.Equal(t, string(e.Bytes), string(line[e.At(0)-base:][:len(e.Bytes)]))
				texts, at, offsets = append(texts, string(text)), append(at, int(e.Pos.Offset-base)), append(offsets, e.Pos.Offset)
			}
			require.Equal(t, test.want, texts)
			require.Equal(t, test.at, at)
			require.Equal(t, test.message != "", damage != nil)
			if damage != nil {
				require.Equal(t, test.message, damage.Error())
				require.Equal(t, test.lost, damage.Lost())
				require.Equal(t, offsets, damage.Recovered)
				require.Equal(t, int64(len(line)), damage.Pos.Length)
				isValue := strings.Contains(test.message, "is not an entry")
				require.Equal(t, isValue, damage.Value != nil)
				require.True(t, !isValue || string(damage.Value) == string(trimmed(line)))
			}
			checkDecoded(t, line)
		})
	}
}

// A strict decoder skips a damaged line as a whole.
func TestDecodeStrict(t *testing.T) {
	tests := []struct {
		name, line string
		first, sdk bool
		message    string // "" if the line is an entry or blank
	}{
		{"an entry", userA + "\n", false, false, ""},
		{"spaces and CRLF", " " + userA + "\t\r\n", false, false, ""},
		{"blank", " \r\n", false, false, ""},
		{"invalid UTF-8", "{\"a\":[\"\xff\"]}\n", false, false, ""},
		{"byte order mark", "\xef\xbb\xbf" + userA + "\n", true, false, ""},
		{"byte order mark, rejected", "\xef\xbb\xbf" + userA + "\n", true, true, "not a whole entry; skipped 64 bytes at byte 0"},
		{"byte order mark on another line", "\xef\xbb\xbf" + userA + "\n", false, false, "not a whole entry; skipped 64 bytes at byte 1000"},
		{"broken nested value", "{\"a\":[1,]}\n", false, false, "not a whole entry; skipped 11 bytes at byte 1000"},
		{"broken nested string", "{\"a\":[\"\\x\"]}\n", false, false, "not a whole entry; skipped 13 bytes at byte 1000"},
		{"two", userA + userB + "\n", false, false, "not a whole entry; skipped 146 bytes at byte 1000"},
		{"NUL before", nul + userA + "\n", false, false, "not a whole entry; skipped 66 bytes at byte 1000"},
		{"NUL only", nul + "\n", false, false, "NUL bytes; skipped 6 bytes at byte 1000"},
		{"array", "[]\n", false, false, "a JSON array is not an entry; skipped 3 bytes at byte 1000"},
		{"unfinished", userA[:20], false, false, "the last line is not finished"},
		{"whole, then unfinished", userA + userB[:20], false, false, "the last line is not finished"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := Decoder{Strict: true, SDK: test.sdk}
			es, damage := decoded(&d, []byte(test.line), test.first)
			if test.message == "" {
				require.Nil(t, damage)
				require.Equal(t, len(trimmed([]byte(test.line))) > 0, len(es) == 1)
				return
			}
			require.Empty(t, es)
			require.Empty(t, damage.Recovered)
			require.Equal(t, test.message, damage.Error())
			require.Equal(t, strings.HasSuffix(test.line, "\n"), damage.Lost())
		})
	}
}

// Only strict decoders see what is wrong below the top level. Programs check the lines that
// they print.
func TestDecodeChecksNestedValuesOnlyIfStrict(t *testing.T) {
	var d Decoder
	es, damage := decoded(&d, []byte("{\"type\":\"user\",\"message\":{\"a\" 1,,}}\n"), false)
	require.Nil(t, damage)
	require.Len(t, es, 1)
	require.False(t, Valid(es[0].Bytes))
}

// An entry that was cut off at any byte does not cost another one.
func TestRecoverBehindEveryCut(t *testing.T) {
	seconds := append([]string{userB, title, piID}, samples[:5]...)
	var d Decoder
	for _, first := range append([]string{userA, piID}, samples...) {
		for n := 1; n < len(first); n++ {
			for _, second := range seconds {
				for _, gap := range []string{"", " ", "\x00\x00"} {
					line := first[:n] + gap + second + "\n"
					at := int64(1000 + n + len(gap))
					es, damage := decoded(&d, []byte(line), false)
					require.NotNil(t, damage, line)
					require.Len(t, es, 1, line)
					require.Equal(t, second, string(es[0].Bytes), line)
					require.Equal(t, at, es[0].Pos.Offset, line)
					require.Equal(t, []int64{at}, damage.Recovered, line)
					require.True(t, damage.Lost(), line)
				}
			}
		}
	}
}

// The same with a second cut: the third entry is always recovered.
func TestRecoverBehindTwoCuts(t *testing.T) {
	var d Decoder
	for _, first := range []string{samples[1], samples[2]} {
		for n := 1; n < len(first); n++ {
			for m := 1; m < len(userB); m++ {
				line := first[:n] + userB[:m] + title + "\n"
				es, _ := decoded(&d, []byte(line), false)
				require.Len(t, es, 1, line)
				require.Equal(t, int64(1000+n+m), es[0].Pos.Offset, line)
			}
		}
	}
}

// A cut right after a nested object that looks like an entry is read as a cut before a
// value with an entry after it.
func TestRecoverTakesANestedEntry(t *testing.T) {
	var d Decoder
	for n := 1; n < len(head); n++ {
		es, _ := decoded(&d, []byte(head[:n]+userB+"\n"), false)
		require.Len(t, es, 1, head[:n])
		require.Equal(t, userB, string(es[0].Bytes))
	}
	es, damage := decoded(&d, []byte(head+userB+"\n"), false)
	require.Len(t, es, 2)
	require.Equal(t, userB, string(es[1].Bytes))
	require.True(t, damage.Lost())
}

func TestDecodeReusesItsEntries(t *testing.T) {
	var d Decoder
	es, _ := decoded(&d, []byte(strings.Repeat(userA, 9)), false)
	require.Len(t, es, 9)
	es, damage := decoded(&d, []byte(title), false)
	require.Nil(t, damage)
	require.Len(t, es, 1)
	require.Nil(t, es[0].Get(UUID))
	require.Equal(t, Pos{7, 1000, int64(len(title))}, es[0].Pos)
}

// hostile lines make the time of a recovery quadratic if it starts again at each brace.
var hostile = []struct{ name, text string }{
	{"objects and arrays", `{"a":[`},
	{"objects", `{"a":`},
	{"braces", `{`},
	{"brackets", `{[`},
	{"empty objects", `[{},`},
	{"empty objects as values", `{"a":{},"b":`},
	{"open strings", `{"`},
	{"open strings with a brace", `{"x{"`},
	{"spaces", `{  "  {  "  `},
	{"spaces and braces", `{          `},
	{"escapes", `{"\`},
	{"quotes and colons", `{":{":`},
	{"entries", userA},
	{"torn entries", userB[:40]},
	{"torn before a value", `{"a":` + userB},
	{"objects that are not entries", `{"a":1}`},
	{"nested and closed", `{"a":{"a":{}}`},
	{"NULs", "{\x00\x00\x00"},
	{"names and words", `{"a":tru`},
	{"closing", `{"a":[]]`},
}

func TestRecoverHostileLines(t *testing.T) {
	for _, test := range hostile {
		checkDecoded(t, []byte(strings.Repeat(test.text, 200)))
		checkDecoded(t, []byte(strings.Repeat(test.text, 200)+userB+"\n"))
	}
	var d Decoder
	for _, test := range hostile {
		line := bytes.Repeat([]byte(test.text), 200)
		es, _ := decoded(&d, append(line, "\x00"+title+"\n"...), false)
		require.NotEmpty(t, es, test.name)
		require.Equal(t, title, string(es[len(es)-1].Bytes), test.name)
	}
}

// An entry that was written into the middle of another one, at any byte, is recovered, too,
// unless the two happen to be one valid object.
func TestRecoverFromInsideAnother(t *testing.T) {
	var d Decoder
	for _, first := range samples {
		if strings.HasPrefix(first, "{ ") {
			continue
		}
		for n := 1; n < len(first); n++ {
			line := first[:n] + userB + first[n:]
			es, damage := decoded(&d, []byte(line+"\n"), false)
			found := slices.ContainsFunc(es, func(e Entry) bool { return e.Pos.Offset == int64(1000+n) && string(e.Bytes) == userB })
			require.NotEqual(t, Valid([]byte(line)), found, line)
			require.Equal(t, found, damage != nil && damage.Lost(), line)
		}
	}
}

func TestDamage(t *testing.T) {
	tests := []struct {
		line, reason, message string
		lost, unfinished      bool
	}{
		{"[1]\n", "a JSON array is not an entry", "a JSON array is not an entry; skipped 4 bytes at byte 100", true, false},
		{"{\"uuid\":\"a\"}{\"uuid\":\"b\"}\n", "more than one entry on a line", "more than one entry on a line; recovered the entry at byte 100, 112", false, false},
		{"{\"uuid\":\"a\",\"t", "the last line is not finished", "the last line is not finished", false, true},
		{"nothing\n", "not a whole entry", "not a whole entry; skipped 8 bytes at byte 100", true, false},
	}
	for _, test := range tests {
		var d Decoder
		_, damage := d.Decode([]byte(test.line), 7, 100)
		require.NotNil(t, damage, test.line)
		require.Equal(t, test.reason, damage.Reason())
		require.Equal(t, test.lost, damage.Lost(), test.line)
		require.Equal(t, test.unfinished, damage.Unfinished(), test.line)
		require.Equal(t, test.message, damage.Error())
	}
}
