package data

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/torture/harness"
)

// cases are texts on which JSON parsers disagree, or should not. The class is that of
// the known test suites: y is JSON, n is not, i is for the parser to choose.
var cases = []struct {
	class byte
	text  string
}{
	{'y', `[]`}, {'y', `{}`}, {'y', `null`}, {'y', `true`}, {'y', `false`}, {'y', `0`}, {'y', `-0`}, {'y', `""`}, {'y', ` [1] `},
	{'y', `1E22`}, {'y', `1e-2`}, {'y', `0.4e00669999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999`}, {'y', `-1.0e+1`}, {'y', `123456789012345678901234567890`}, {'y', `9007199254740993`},
	{'y', `[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]`}, {'y', `[null,1,"1",{}]`}, {'y', "[1\r\t ,\t2 ]"}, {'y', `{"a":{"b":[{}]}}`}, {'y', `{"":0}`}, {'y', `{"a":1,"a":2}`}, {'y', `{"a":"b","a":"b"}`}, {'y', `{"\u0000":1}`},
	{'y', `"\"\\\/\b\f\n\r\t"`}, {'y', `"\u0060\u012a\u12AB"`}, {'y', `"\ud801\udc37"`}, {'y', `"\uDBFF\uDFFF"`}, {'y', `"` + "\u2028\u2029\u007f" + `"`}, {'y', `"` + "\u200b\ufeff\U0010ffff" + `"`}, {'y', `"\\u0000"`}, {'y', `"\\"`}, {'y', `"\\\""`}, {'y', `"}{"`}, {'y', `"]["`}, {'y', `"{\"uuid\":\"z\"}"`},
	{'y', `{"uuid":"m","parentUuid":"z"}`}, {'y', `{"type":"user","uuid":"z","parentUuid":null}`}, {'y', `{"UUID":"b"}`}, {'y', `[{"type":"user","uuid":"z","parentUuid":"a","sessionId":"s"}]`},
	{'n', ``}, {'n', ` `}, {'n', `[`}, {'n', `{`}, {'n', `]`}, {'n', `}`}, {'n', `"`}, {'n', `"\`}, {'n', `"\"`}, {'n', `[1,]`}, {'n', `[,1]`}, {'n', `[1,,2]`}, {'n', `[1 2]`}, {'n', `[1:2]`}, {'n', `["a":1]`}, {'n', `{"a":1,}`}, {'n', `{,"a":1}`}, {'n', `{"a" 1}`}, {'n', `{"a"}`}, {'n', `{"a":}`}, {'n', `{:1}`}, {'n', `{a:1}`}, {'n', `{'a':1}`}, {'n', `{1:1}`}, {'n', `{null:1}`}, {'n', `{"a":1 "b":2}`}, {'n', `{"a":1}}`}, {'n', `{"a":1}{`}, {'n', `[]]`}, {'n', `[}`}, {'n', `{]`}, {'n', `[{]}`}, {'n', `[1}`}, {'n', `{"a":[}`},
	{'n', `01`}, {'n', `-01`}, {'n', `-`}, {'n', `+1`}, {'n', `1.`}, {'n', `.5`}, {'n', `1.e1`}, {'n', `1e`}, {'n', `1e+`}, {'n', `0x1F`}, {'n', `1_000`}, {'n', `Infinity`}, {'n', `-Infinity`}, {'n', `NaN`}, {'n', `1a`}, {'n', `--1`}, {'n', `1-2`}, {'n', `0e+-1`}, {'n', `１`}, {'n', `[1+2]`}, {'n', `[0.1.2]`}, {'n', `[0e]`}, {'n', `[-foo]`}, {'n', `[1ea]`},
	{'n', `nul`}, {'n', `nulll`}, {'n', `True`}, {'n', `tru`}, {'n', `truefalse`}, {'n', `undefined`}, {'n', `[nu]`}, {'n', `[fals]`}, {'n', `/*c*/1`}, {'n', `1//c`}, {'n', `1 #c`}, {'n', `<html>`}, {'n', "\ufeff1"}, {'n', "[\u00a01]"}, {'n', "[\u20601]"}, {'n', "[\x0b1]"}, {'n', "[\x0c1]"}, {'n', "\x001"}, {'n', "[\x00]"}, {'n', "1\x1a"},
	{'n', `"\x41"`}, {'n', `"\a"`}, {'n', `"\u00"`}, {'n', `"\u12G4"`}, {'n', `"\ud800\u"`}, {'n', `"\ud800\u1"`}, {'n', `"\ud800\u1x"`}, {'n', `"\U0041"`}, {'n', `"\'"`}, {'n', `"\` + "\x00" + `"`}, {'n', `"\😀"`}, {'n', `'a'`}, {'n', "\"a\tb\""}, {'n', "\"a\x00b\""}, {'n', "\"a\x1fb\""}, {'n', `"a" "b"`}, {'n', `"a`}, {'n', `a"`}, {'n', `“a”`}, {'n', `["a]`}, {'n', `{"a":"b}`}, {'n', `[""],`}, {'n', `["",`}, {'n', `*`}, {'n', `[*]`}, {'n', `(1)`}, {'n', `[1` + "\x1b" + `]`}, {'n', "[\"\xc3\"\"]"}, {'n', strings.Repeat("[", 20000)}, {'n', strings.Repeat(`{"a":`, 20000)}, {'n', strings.Repeat(`[{"":`, 20000)},
	{'i', `"\ud800"`}, {'i', `"\udc00\ud800"`}, {'i', `"\ud800\ud800"`}, {'i', `"\ud83d\u0041"`}, {'i', "\"\xff\""}, {'i', "\"\xc0\xaf\""}, {'i', "\"\xed\xa0\x80\""}, {'i', "\"\xf4\x90\x80\x80\""}, {'i', "\"\xe2\x82\""}, {'i', "\"\x80\""}, {'i', `1e9999`}, {'i', `-1e9999`}, {'i', `1e-9999`}, {'i', `0.4e99999999999999999999`}, {'i', strings.Repeat("[", 5000) + strings.Repeat("]", 5000)}, {'i', `"` + strings.Repeat("\U0001f600", 10000) + `"`}, {'i', strings.Repeat("9", 100000)}, {'i', "\"\u0085\""}, {'i', "\"\ufffe\uffff\""},
}

// TestSurvivesJSON puts the cases between two entries, as a line and as a value in an
// entry. No neighbour is lost, JSON is printed, and what is not JSON is named.
func TestSurvivesJSON(t *testing.T) {
	p := harness.Parallel(t, "P12", "…with what JSON parsers stumble over, as a line and as a value")
	a, b := harness.Node(1, "a", "", ""), harness.Node(3, "b", "a", "")
	c := harness.Node(3, "b", "m", "")
	var lines, values []string
	for _, j := range cases {
		if j.class != 'i' {
			require.Equal(t, j.class == 'y', json.Valid([]byte(j.text)), "%q", j.text)
		}
		lines = append(lines, a+j.text+"\n"+b)
		values = append(values, a+harness.Node(2, "m", "a", `,"message":`+j.text)+c)
	}
	asLine, asValue := newBatch(t, lines), newBatch(t, values)
	asLine.survives(p)
	asValue.survives(p)
	got, paths := asLine.run(t, path)
	_, findings := asLine.run(t, check)
	for i, j := range cases {
		text := harness.Shorten(j.text)
		bad := strings.TrimSpace(j.text) != "" && (j.class != 'y' || !strings.HasPrefix(j.text, "{"))
		p.Try(paths[i] == a+b, "the line %q changes the path: %q", text, paths[i])
		p.Try(slices.Equal(named(got.Stderr, asLine.files[i]), []int{2}) == bad, "the line %q is named: want %v", text, bad)
		p.Try(len(foundOn(rows(t, findings[i]), "malformed")) > 0 == bad, "jltree --check of the line %q: %q", text, findings[i])
	}
	got, paths = asValue.run(t, path)
	_, findings = asValue.run(t, check)
	for i, j := range cases {
		text := harness.Shorten(j.text)
		malformed := len(foundOn(rows(t, findings[i]), "malformed")) > 0
		if j.class != 'n' {
			p.Try(paths[i] == values[i], "the value %q changes the path: %q", text, harness.Shorten(paths[i]))
			p.Try(!malformed, "jltree --check calls the value %q malformed", text)
			continue
		}
		m := strings.TrimSuffix(strings.TrimPrefix(values[i], a), c)
		p.Try(!strings.Contains(paths[i], m), "the value %q is printed: %q", text, paths[i])
		p.Try(slices.Contains(named(got.Stderr, asValue.files[i]), 2), "the value %q is not named", text)
		p.Try(strings.HasSuffix(paths[i], c), "the value %q costs the next entry: %q", text, paths[i])
		p.Try(malformed, "jltree --check does not report the value %q: %q", text, findings[i])
	}
}
