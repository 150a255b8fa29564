package torture

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A dataCall is a way to call a program on many logs at once.
type dataCall struct {
	program string
	args    []string
	exact   bool // each line of the output is a piece of the log it is printed for
	json    bool // each is JSON
}

func (c dataCall) String() string { return c.program + " " + strings.Join(c.args, " ") }

var dataCalls = []dataCall{
	{program: "jlrev"},
	{program: "jltree", json: true},
	{program: "jltree", args: []string{"--check"}, json: true},
	{program: "jlleaf", json: true},
	{program: "jlleaf", args: []string{"-a"}, json: true},
	{program: "jlpath", exact: true, json: true},
	{program: "jlpath", args: []string{"--bridge", "--through", "--meta"}, exact: true, json: true},
	{program: "jlpath", args: []string{"--strip", "--session", "x"}, json: true},
	{program: "jlpath", args: []string{"--as", "claude-2.1"}, exact: true, json: true},
	{program: "jlpath", args: []string{"--as", "claude-2.0"}, exact: true, json: true},
	{program: "jlpath", args: []string{"--as", "sdk"}, exact: true, json: true},
	{program: "jlpath", args: []string{"--as", "sdk-system"}, exact: true, json: true},
	{program: "jlsnap", exact: true},
	{program: "jlsnap", args: []string{"--home", "home", "--files"}, json: true},
	{program: "jlrel", args: []string{"--home", "home", "--links"}, json: true},
	{program: "jlcompact"},
	{program: "jlcompact", args: []string{"--cold"}},
	{program: "jlcompact", args: []string{"--list"}, json: true},
	{program: "jlcompact", args: []string{"--last", "3"}, exact: true, json: true},
}

// dataMark is a log that stands between the logs of a batch, so that it shows in the
// output where what is printed for the next one begins. Every call prints dataMarked
// for it, which is its first line, or the snapshot in it.
const (
	dataMarked = `{"type":"user","uuid":"mark","parentUuid":null,"timestamp":"2026-03-02T09:00:00.000Z","message":{"role":"user","content":"mark"}}` + "\n"
	dataMark   = dataMarked + `{"type":"file-history-snapshot","messageId":"mark","snapshot":` + dataMarkShot + `}` + "\n"

	dataMarkShot = `{"messageId":"mark","trackedFileBackups":{},"timestamp":"mark"}`
)

// dataEach runs a call on logs and returns what it prints for each: rows by the file
// that they name, entries by the marks between them.
func dataEach(t testing.TB, c dataCall, dir string, files []string) (got outcome, each []string) {
	t.Helper()
	rows := c.program == "jltree" || c.program == "jlleaf" || c.program == "jlrel" || c.program == "jlcompact" && c.args != nil && c.args[0] == "--list"
	switch {
	case rows:
		got = dataIn(t, dir, c.program, append(c.args[:len(c.args):len(c.args)], files...)...)
		by := map[string]*strings.Builder{}
		for line := range strings.Lines(got.stdout) {
			var row struct{ File string }
			_ = json.Unmarshal([]byte(line), &row)
			if by[row.File] == nil {
				by[row.File] = &strings.Builder{}
			}
			by[row.File].WriteString(line)
		}
		for _, f := range files {
			if b := by[f]; b != nil {
				each = append(each, b.String())
			} else {
				each = append(each, "")
			}
		}
		return got, each
	case c.program == "jlsnap" && c.args != nil: // rows that name the log as it is named here
		return dataIn(t, dir, c.program, append(c.args[:len(c.args):len(c.args)], files...)...), nil
	}
	var args []string
	for _, f := range files {
		args = append(args, f, "mark")
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "mark"), []byte(dataMark), 0o644))
	alone := dataIn(t, dir, c.program, append(c.args[:len(c.args):len(c.args)], "mark")...)
	if alone.stdout == "" { // --cold of a log that was not compacted
		return dataIn(t, dir, c.program, append(c.args[:len(c.args):len(c.args)], files...)...), nil
	}
	got = dataIn(t, dir, c.program, append(c.args[:len(c.args):len(c.args)], args...)...)
	each = strings.Split(got.stdout, alone.stdout)
	require.Len(t, each, len(files)+1, "%v", c)
	return got, each[:len(files)]
}

// dataSurvive runs every call on logs and judges what each prints, by what holds for
// any input.
func dataSurvive(p *promised, dir string, files, texts []string) {
	t := p.t
	live := make([]string, len(files))
	for _, c := range dataCalls {
		got, each := dataEach(t, c, dir, files)
		if wrong := dataWrong(c.program, got); wrong != "" {
			dataFindWrong(p, c, dir, files, texts)
			p.try(false, "%v on a batch: %s", c, wrong)
			continue
		}
		if c.json {
			if wrong := dataNotLines(got.stdout); wrong != "" {
				p.try(false, "%v: %s", c, wrong)
			}
		}
		for i, printed := range each {
			switch {
			case c.program == "jlrev":
				p.try(printed == dataReversal(texts[i]), "%v of %q is %q", c, texts[i], shorten(printed))
			case c.program == "jlcompact" && c.args == nil:
				live[i] = printed
				p.try(strings.HasSuffix(dataEnded(texts[i]), printed), "%v of %q is %q", c, texts[i], shorten(printed))
			case c.exact:
				p.try(dataPieces(texts[i], printed), "%v prints what is not in %q: %q", c, texts[i], printed)
			default:
				p.try(true, "")
			}
		}
		if c.program == "jlcompact" && c.args != nil && c.args[0] == "--cold" {
			var cold strings.Builder
			for i, text := range texts {
				cold.WriteString(strings.TrimSuffix(dataEnded(text), live[i]))
			}
			dataHeld(p, len(files), got.stdout == cold.String(), "cold and live are not the logs")
		}
	}
}

// dataEnded returns a text with a newline at its end, as the programs print it.
func dataEnded(text string) string {
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
}

// dataPieces reports whether each line printed stands in the text.
func dataPieces(text, printed string) bool {
	for line := range strings.Lines(printed) {
		if !strings.Contains(text, strings.TrimSuffix(line, "\n")) {
			return false
		}
	}
	return true
}

// dataFindWrong looks for the log of a batch that a call did not survive.
func dataFindWrong(p *promised, c dataCall, dir string, files, texts []string) {
	p.t.Helper()
	for i, f := range files {
		got := dataIn(p.t, dir, c.program, append(c.args[:len(c.args):len(c.args)], f)...)
		if wrong := dataWrong(c.program, got); wrong != "" {
			p.try(false, "%v on %q: %s", c, texts[i], wrong)
			return
		}
	}
}

// TestSurvivesEveryPrefix: of a log that was cut anywhere, whatever is whole is there.
func TestSurvivesEveryPrefix(t *testing.T) {
	p := promise(t, "P12", "no input crashes or hangs; a log cut at any byte")
	text := dataSession()
	edges := strings.SplitAfter(dataPiped(t, text, "jltree").stdout, "\n")
	step := often(11, 1)
	for from := 0; from < len(text); from += 1500 * step {
		var texts []string
		for n := from; n < min(from+1500*step, len(text)); n += step {
			texts = append(texts, text[:n])
		}
		dir := space(t)
		files := dataWrite(t, dir, texts)
		dataSurvive(p, dir, files, texts)
		_, each := dataEach(t, dataCalls[1], dir, files)
		for i, printed := range each {
			want := strings.Join(edges[:dataNodes(texts[i])], "")
			got := strings.ReplaceAll(printed, `,"file":"`+files[i]+`"`, "")
			// An entry that only its newline was cut off is shorter by it.
			p.try(got == want || dataWhole(texts[i]) && strings.Count(got, "\n") == strings.Count(want, "\n")+1,
				"the edges of the first %d bytes are %q", len(texts[i]), got)
		}
	}
}

// dataNodes counts the lines of a text that are whole, and have an id.
func dataNodes(text string) int {
	n := 0
	for line := range strings.Lines(text) {
		if strings.HasSuffix(line, "\n") && strings.Contains(line, `"uuid":"`) {
			n++
		}
	}
	return n
}

// dataWhole reports whether a text ends in an entry without its newline.
func dataWhole(text string) bool {
	return json.Valid([]byte(text[strings.LastIndexByte(text, '\n')+1:]))
}

// TestSurvivesEveryChangedByte: a byte that was changed costs its own entry at most,
// and that is said: if the entry still has an id by jltree, else by its --check.
func TestSurvivesEveryChangedByte(t *testing.T) {
	p := promise(t, "P12", "…with any byte changed: no other entry is lost, and a lost one is named")
	text := dataSession()
	plain := dataPiped(t, text, "jltree").stdout
	for round := range often(1, 3) {
		rnd := rand.New(rand.NewPCG(12, uint64(round)))
		for from := 0; from < len(text); from += 2000 {
			var texts []string
			for at := from; at < min(from+2000, len(text)); at += often(9, 1) {
				b := []byte(text)
				for b[at] == text[at] {
					b[at] = dataByte(rnd)
				}
				texts = append(texts, string(b))
			}
			dir := space(t)
			files := dataWrite(t, dir, texts)
			dataSurvive(p, dir, files, texts)
			got, each := dataEach(t, dataCalls[1], dir, files)
			_, checked := dataEach(t, dataCalls[2], dir, files)
			for i, printed := range each {
				said := got.stderr
				for _, row := range dataRows(t, checked[i]) {
					if row.text("finding") == "malformed" {
						said += fmt.Sprintf("jltree: %s:%d: malformed\n", files[i], row.number("line"))
					}
				}
				p.tryWell(dataLosses(plain, text, texts[i], files[i], printed, said), "jltree %q", dataChanged(text, texts[i]))
			}
		}
	}
}

// dataByte returns one that means something, or any.
func dataByte(rnd *rand.Rand) byte {
	const telling = "{}[]\",:\\\n\r\x00 0tu\x80\xff"
	if rnd.IntN(3) > 0 {
		return telling[rnd.IntN(len(telling))]
	}
	return byte(rnd.UintN(256))
}

// dataLosses says what is wrong with the edges of a text that differs from the one
// whose edges are plain in one byte: of the entries that do not hold that byte one is
// missing, or that which does is missing and not named. It says nothing, "", if all is
// well.
func dataLosses(plain, before, after, file, printed, stderr string) string {
	at := dataFirst(before, after)
	number := 1 + strings.Count(before[:at], "\n")
	here := map[string]bool{}
	for line := range strings.Lines(printed) {
		var o struct{ UUID string }
		if json.Unmarshal([]byte(line), &o) == nil {
			here[o.UUID] = true
		}
	}
	for line := range strings.Lines(plain) {
		var o struct {
			UUID         string
			Line, Length int
			Offset       int
		}
		if json.Unmarshal([]byte(line), &o) != nil || here[o.UUID] {
			continue
		}
		if at < o.Offset || at >= o.Offset+o.Length {
			return fmt.Sprintf("byte %d was changed, and the entry of line %d is lost: %s", at, o.Line, printed)
		}
		changed := strings.SplitAfter(after, "\n")[number-1]
		if !json.Valid([]byte(changed)) && !dataNamed(stderr, file)[number] {
			return fmt.Sprintf("byte %d was changed, and nobody says that line %d is lost", at, number)
		}
	}
	return ""
}

// dataFirst returns the place of the first byte in which two texts differ.
func dataFirst(before, after string) int {
	at := 0
	for before[at] == after[at] {
		at++
	}
	return at
}

// dataChanged returns the lines around the first byte in which two texts differ.
func dataChanged(before, after string) string {
	at := dataFirst(before, after)
	return after[max(0, at-150):min(len(after), at+300)]
}

// A dataJSON is a text that parsers of JSON disagree on, or should not.
type dataJSON struct {
	class byte // as in the known test suites: y is JSON, n is none, i is for the parser to choose
	text  string
}

var dataTorture = []dataJSON{
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

// TestSurvivesJSON: what parsers of JSON stumble over, between two entries and inside
// one between them. Neither neighbour is lost, ever; an entry that holds JSON is on
// the path; and what holds none is never printed as an entry, but named.
func TestSurvivesJSON(t *testing.T) {
	p := promise(t, "P12", "…with what JSON parsers stumble over, as a line and as a value")
	a, b := dataNode(1, "a", "", ""), dataNode(3, "b", "a", "")
	c := dataNode(3, "b", "m", "")
	var lines, values []string
	for _, j := range dataTorture {
		if j.class != 'i' { // of which encoding/json takes some
			require.Equal(t, j.class == 'y', json.Valid([]byte(j.text)), "%q", j.text)
		}
		lines = append(lines, a+j.text+"\n"+b)
		values = append(values, a+dataNode(2, "m", "a", `,"message":`+j.text)+c)
	}
	dir := space(t)
	files := dataWrite(t, dir, lines)
	dataSurvive(p, dir, files, lines)
	got, each := dataEach(t, dataCalls[5], dir, files)
	_, checked := dataEach(t, dataCalls[2], dir, files)
	for i, j := range dataTorture {
		p.try(each[i] == a+b, "as a line %q changes the path: %q", shorten(j.text), each[i])
		entry := strings.HasPrefix(j.text, "{") && j.class == 'y'
		bad := strings.TrimSpace(j.text) != "" && !entry
		p.try(dataNamed(got.stderr, files[i])[2] == bad, "jlpath: as a line %q is named: %v", shorten(j.text), !bad)
		p.try(strings.Contains(checked[i], `"finding":"malformed"`) == bad, "jltree --check of the line %q: %q", shorten(j.text), checked[i])
	}

	dir = space(t)
	files = dataWrite(t, dir, values)
	dataSurvive(p, dir, files, values)
	got, each = dataEach(t, dataCalls[5], dir, files)
	_, checked = dataEach(t, dataCalls[2], dir, files)
	for i, j := range dataTorture {
		m := strings.TrimSuffix(strings.TrimPrefix(values[i], a), c)
		malformed := strings.Contains(checked[i], `"finding":"malformed"`)
		switch j.class {
		case 'n':
			p.try(!strings.Contains(each[i], m), "the value %q is printed: %q", shorten(j.text), each[i])
			p.try(dataNamed(got.stderr, files[i])[2], "the value %q is not named", shorten(j.text))
			p.try(strings.HasSuffix(each[i], c), "the value %q costs the entry behind it: %q", shorten(j.text), each[i])
			p.try(malformed, "jltree --check says nothing of the value %q: %q", shorten(j.text), checked[i])
		default:
			p.try(each[i] == values[i], "the value %q changes the path: %q", shorten(j.text), shorten(each[i]))
			p.try(!malformed, "jltree --check finds the value %q malformed", shorten(j.text))
		}
	}
}

// TestSurvivesNoise: any bytes at all, and what compressed files begin with.
func TestSurvivesNoise(t *testing.T) {
	p := promise(t, "P12", "…any bytes, and any that begin as gzip, zstd or archives do")
	heads := []string{"", "\x1f\x8b", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", "\x28\xb5\x2f\xfd", "\x28\xb5\x2f\xfd\x24\x05", "\x50\x2a\x4d\x18", "\x5e\x2a\x4d\x18", "\x50", "(", "\xef\xbb\xbf", "\xff\xfe", `{"type":"session","version":3,"id":"`, `{"type":"session"}` + "\n"}
	rnd := rand.New(rand.NewPCG(12, 12))
	var texts []string
	for range often(40, 400) {
		for _, head := range heads {
			b := make([]byte, rnd.IntN(300))
			for i := range b {
				b[i] = dataByte(rnd)
			}
			texts = append(texts, head+string(b))
		}
	}
	// And what the tools write, cut and changed.
	w := small(t)
	for _, k := range []kind{gz, zst, archive} {
		packed := dataFile(t, w.forms[k])
		for range often(60, 600) {
			b := bytes.Clone([]byte(packed[:1+rnd.IntN(len(packed))]))
			for range rnd.IntN(4) {
				b[rnd.IntN(len(b))] = byte(rnd.UintN(256))
			}
			texts = append(texts, string(b))
		}
	}
	dir := space(t)
	files := dataWrite(t, dir, texts)
	for _, c := range dataCalls {
		got := dataIn(t, dir, c.program, append(c.args[:len(c.args):len(c.args)], files...)...)
		if wrong := dataWrong(c.program, got); wrong != "" {
			dataFindWrong(p, c, dir, files, texts)
			p.try(false, "%v on a batch: %s", c, wrong)
		}
		if c.json {
			p.tryWell(dataNotLines(got.stdout), "%v", c)
		}
		dataHeld(p, len(files), true, "")
	}
}
