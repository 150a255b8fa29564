package data

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/torture/harness"
)

// shortSession is a session whose every byte is worth a trial.
var shortSession, _ = harness.Session(3, 0)

// TestSurvivesEveryPrefix cuts a log at every byte, in a short run at every 23rd. Each
// entry before the cut is there.
func TestSurvivesEveryPrefix(t *testing.T) {
	p := harness.Parallel(t, "P12", "no input crashes or hangs; a log cut at any byte")
	edges := strings.SplitAfter(harness.RunPipe(t, shortSession, "jltree").Stdout, "\n")
	var texts []string
	for n := 0; n < len(shortSession); n += harness.Pick(23, 1) * harness.Each(2) {
		texts = append(texts, shortSession[:n])
	}
	for some := range slices.Chunk(texts, 1500) {
		b := newBatch(t, some)
		b.survives(p)
		_, each := b.run(t, tree)
		for i, printed := range each {
			text := some[i]
			nodes := 0
			for line := range strings.Lines(text) {
				if strings.HasSuffix(line, "\n") && strings.Contains(line, `"uuid":"`) {
					nodes++
				}
			}
			want := strings.Join(edges[:nodes], "")
			got := strings.ReplaceAll(printed, `,"file":"`+b.files[i]+`"`, "")
			// If only its newline is cut off, an entry is whole, and its length is less.
			whole := json.Valid([]byte(text[strings.LastIndexByte(text, '\n')+1:]))
			p.Try(got == want || whole && strings.Count(got, "\n") == nodes+1, "the edges of the first %d bytes are %q", len(text), got)
		}
	}
}

// telling returns a byte that means something in JSON, or any byte.
func telling(rnd *rand.Rand) byte {
	const bytes = "{}[]\",:\\\n\r\x00 0tu\x80\xff"
	if rnd.IntN(3) > 0 {
		return bytes[rnd.IntN(len(bytes))]
	}
	return byte(rnd.UintN(256))
}

// TestSurvivesEveryChangedByte changes every byte of a log, in a short run every 19th.
// That costs its own entry at most, and the loss is named: by jltree if the line is
// damaged, else by jltree --check.
func TestSurvivesEveryChangedByte(t *testing.T) {
	p := harness.Parallel(t, "P12", "…with any byte changed: no other entry is lost, and a lost one is named")
	edges := rows(t, harness.RunPipe(t, shortSession, "jltree").Stdout)
	for n := range harness.Times(1, 3) {
		rnd := harness.Rand(t, n)
		var texts []string
		var places []int
		for at := 0; at < len(shortSession); at += harness.Pick(19, 1) * harness.Each(2) {
			text := []byte(shortSession)
			for text[at] == shortSession[at] {
				text[at] = telling(rnd)
			}
			texts, places = append(texts, string(text)), append(places, at)
		}
		for some := range slices.Chunk(texts, 2000) {
			b := newBatch(t, some)
			b.survives(p)
			got, each := b.run(t, tree)
			_, findings := b.run(t, check)
			for i, printed := range each {
				reported := append(named(got.Stderr, b.files[i]), foundOn(rows(t, findings[i]), "malformed")...)
				p.Check(lost(edges, rows(t, printed), some[i], places[0], reported), "jltree %q", some[i][max(0, places[0]-150):min(len(some[i]), places[0]+300)])
				places = places[1:]
			}
		}
	}
}

// lost says which entry is missing among the edges now though the changed byte is in
// another one, or though no message reports its line.
func lost(edges, now []object, text string, changed int, reported []int) string {
	present := map[string]bool{}
	for _, edge := range now {
		present[edge.text("uuid")] = true
	}
	number := 1 + strings.Count(shortSession[:changed], "\n")
	line := strings.SplitAfter(text, "\n")[number-1]
	for _, edge := range edges {
		offset := edge.number("offset")
		switch {
		case present[edge.text("uuid")]:
		case changed < offset || changed >= offset+edge.number("length"):
			return fmt.Sprintf("byte %d has changed, and the entry of line %d is lost", changed, edge.number("line"))
		case !json.Valid([]byte(line)) && !slices.Contains(reported, number):
			return fmt.Sprintf("byte %d has changed, and line %d is lost but not named", changed, number)
		}
	}
	return ""
}

// TestSurvivesNoise reads random bytes, some behind the beginning of a compressed
// file, and damaged compressed files.
func TestSurvivesNoise(t *testing.T) {
	p := harness.Parallel(t, "P12", "…any bytes, and any that begin as gzip, zstd or archives do")
	rnd := harness.Rand(t, 0)
	var texts []string
	for range harness.Times(25, 400) {
		for _, head := range []string{"", "\x1f\x8b", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", "\x28\xb5\x2f\xfd", "\x28\xb5\x2f\xfd\x24\x05", "\x50\x2a\x4d\x18", "\x5e\x2a\x4d\x18",
			"\x50", "(", "\xef\xbb\xbf", "\xff\xfe", `{"type":"session","version":3,"id":"`, `{"type":"session"}` + "\n"} {
			text := []byte(head)
			for range rnd.IntN(300) {
				text = append(text, telling(rnd))
			}
			texts = append(texts, string(text))
		}
	}
	for _, form := range []harness.Form{harness.Gz, harness.Zst, harness.Archive} {
		packed := harness.Read(t, harness.Small(t).File(form))
		for range harness.Times(40, 600) {
			text := []byte(packed[:1+rnd.IntN(len(packed))])
			for range rnd.IntN(4) {
				text[rnd.IntN(len(text))] = byte(rnd.UintN(256))
			}
			texts = append(texts, string(text))
		}
	}
	for some := range slices.Chunk(texts, 2000) {
		b := newBatch(t, some)
		for _, c := range calls {
			got := c.run(t, b.dir, b.files...)
			p.Check(b.problem(t, c, got), "%v", c)
			p.TryAll(len(some), true, "")
		}
	}
}

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
// entry. No neighbor is lost, JSON is printed, and what is not JSON is named.
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
		next := strings.HasSuffix(paths[i], c) || strings.HasSuffix(paths[i], harness.Node(3, "b", "a", "")) // below what is not printed
		p.Try(next, "the value %q costs the next entry: %q", text, paths[i])
		p.Try(malformed, "jltree --check does not report the value %q: %q", text, findings[i])
	}
}
