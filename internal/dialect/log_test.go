package dialect_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/line"
)

const (
	claudeA = `{"type":"user","uuid":"a","parentUuid":null,"sessionId":"s"}`
	claudeB = `{"type":"user","uuid":"b","parentUuid":"a","sessionId":"s"}`
	piHead  = `{"type":"session","version":3,"id":"s"}`
	piA     = `{"type":"message","id":"a","parentId":null}`
)

// A readLine is an entry as a Reader returned it, and the damage of its line.
type readLine struct {
	entry  string
	pos    entry.Pos
	damage string
}

// A stale is a Maker of another log, for which nothing is made any more.
type stale struct{ isClosed *bool }

func (m stale) Make(*entry.Entry) {
	if *m.isClosed {
		panic("made by the Maker of another log")
	}
}

// used returns a Spare with a Reader that has read a part of another log: Take makes it like a new one.
func used(dec entry.Decoder) dialect.Spare {
	log := piHead + "\n" + strings.Repeat(piA[:9]+piA+"\n", 1<<10)
	r := dialect.NewReader(line.NewForward(strings.NewReader(log)), entry.Decoder{Faults: !dec.Faults}, nil)
	r.Only([]byte(`"id"`))
	var isClosed bool
	r.Prepare(func() dialect.Maker { return stale{&isClosed} })
	for range 700 {
		r.Next()
	}
	r.Close()
	isClosed = true
	var spare dialect.Spare
	spare.Give(r)
	return spare
}

// read returns what a Reader of the log returns, and the damage it reports, in order.
func read(t *testing.T, from io.Reader, dec entry.Decoder) (entries []readLine, damage []string, r *dialect.Reader) {
	t.Helper()
	spare := used(dec)
	r = spare.Take(line.NewForward(from), dec, func(d *entry.Damage) { damage = append(damage, d.Error()) })
	for r.Next() {
		e := r.Entry()
		got := readLine{string(e.Bytes), e.Pos, ""}
		if d := r.Damage(); d != nil {
			got.damage = d.Error()
			require.Equal(t, damage[len(damage)-1], got.damage, "damage is reported before the entries of its line")
		}
		entries = append(entries, got)
	}
	require.False(t, r.Next())
	return entries, damage, r
}

func TestReader(t *testing.T) {
	const torn = "torn entry; recovered the entry at byte "
	log := claudeA + "\n\n[]\n" + claudeA[:20] + claudeB + claudeA + "\n" + claudeB + "\n" + claudeA[:9]
	at := int64(len(claudeA) + 5)
	mixed := torn + "85, 144"
	entries, damage, r := read(t, strings.NewReader(log), entry.Decoder{})
	require.Equal(t, []readLine{
		{claudeA, entry.Pos{Line: 1, Offset: 0, Length: 61}, ""},
		{claudeB, entry.Pos{Line: 4, Offset: at + 20, Length: 59}, mixed},
		{claudeA, entry.Pos{Line: 4, Offset: at + 79, Length: 60}, mixed},
		{claudeB, entry.Pos{Line: 5, Offset: at + 140, Length: 60}, ""},
	}, entries)
	require.Equal(t, []string{
		"a JSON array is not an entry; skipped 3 bytes at byte 62",
		mixed,
		"the last line is not finished",
	}, damage)
	lines, bytes := r.Read()
	require.EqualValues(t, 6, lines)
	require.EqualValues(t, len(log), bytes)
	require.NoError(t, r.Err())
}

func TestReaderWithoutAFunction(t *testing.T) {
	r := dialect.NewReader(line.NewForward(strings.NewReader("x\n"+claudeA+"\n")), entry.Decoder{}, nil)
	require.True(t, r.Next())
	require.Equal(t, claudeA, string(r.Entry().Bytes))
	require.Nil(t, r.Damage())
	require.False(t, r.Next())
}

func TestReaderReaders(t *testing.T) {
	log := entry.BOM + claudeA + "\n" + claudeA[:20] + claudeB + "\n" + claudeB
	want, wantDamage, _ := read(t, strings.NewReader(log), entry.Decoder{})
	require.Len(t, want, 3)
	for name, wrap := range map[string]func(io.Reader) io.Reader{
		"one byte":        iotest.OneByteReader,
		"half":            iotest.HalfReader,
		"data with error": iotest.DataErrReader,
	} {
		got, damage, r := read(t, wrap(strings.NewReader(log)), entry.Decoder{})
		require.Equal(t, want, got, name)
		require.Equal(t, wantDamage, damage, name)
		require.NoError(t, r.Err(), name)
	}
}

// A read that fails ends the log. The entries before it are returned.
func TestReaderErrors(t *testing.T) {
	broken := errors.New("broken")
	entries, damage, r := read(t, io.MultiReader(strings.NewReader(claudeA+"\n"+claudeB[:9]), iotest.ErrReader(broken)), entry.Decoder{})
	require.Len(t, entries, 1)
	require.Equal(t, []string{"the last line is not finished"}, damage)
	require.Equal(t, broken, r.Err())
	lines, bytes := r.Read()
	require.EqualValues(t, 2, lines)
	require.EqualValues(t, len(claudeA)+10, bytes)
}

func TestNotLog(t *testing.T) {
	text := strings.Repeat(strings.Repeat("x", 99)+"\n", 10486) // a little more than a megabyte
	for name, test := range map[string]struct {
		log   string
		dec   entry.Decoder
		isLog bool
	}{
		"empty":                           {"", entry.Decoder{}, true},
		"blank":                           {"\n \n", entry.Decoder{}, true},
		"unfinished":                      {claudeA[:20], entry.Decoder{}, true},
		"byte order mark":                 {entry.BOM + "\n" + claudeA[:20], entry.Decoder{}, true},
		"one bad line":                    {"x\n", entry.Decoder{}, false},
		"a JSON value":                    {"[]\n", entry.Decoder{}, false},
		"indented JSON":                   {"{\n \"a\": {\"type\":\"x\"},\n {\"type\":\"y\"}\n}\n", entry.Decoder{}, false},
		"a list of objects":               {"[\n{\"type\":\"x\"},\n{\"type\":\"y\"}\n]\n", entry.Decoder{}, true},
		"any object":                      {"x\n{\"a\":1}\n", entry.Decoder{}, true},
		"objects fewer than lost lines":   {"x\ny\n{\"a\":1}\n", entry.Decoder{}, false},
		"objects as many as lost lines":   {"x\ny\n{\"a\":1}\n{\"a\":2}\n", entry.Decoder{}, true},
		"an entry below text":             {"# x\n\ny\nz\n" + claudeA + "\n", entry.Decoder{}, true},
		"rows and an entry":               {"{\"transcript_path\":\"x\"}\n" + claudeA + "\n", entry.Decoder{}, true},
		"documents":                       {"{\"messages\":[]}\n{\"messages\":[]}\n", entry.Decoder{}, true},
		"an indented entry":               {"x\n  " + claudeA + "\n", entry.Decoder{}, true},
		"indented objects only":           {" {\"a\":1}\n {\"a\":2}\n", entry.Decoder{}, true},
		"after a megabyte":                {text + claudeA + "\n", entry.Decoder{}, false},
		"within a megabyte":               {text[:1<<20-200] + "\n" + claudeA + "\n" + text, entry.Decoder{}, true},
		"after one long line":             {strings.Repeat("x", 2<<20) + "\n" + claudeA + "\n", entry.Decoder{}, true},
		"NULs":                            {strings.Repeat("\x00", 2<<20) + claudeA + "\n", entry.Decoder{}, true},
		"torn lines, read strictly":       {claudeA[:9] + claudeB + "\n", entry.Decoder{Strict: true}, true},
		"one bad line, read strictly":     {"x\n", entry.Decoder{Strict: true}, false},
		"one entry, read strictly":        {"x\n" + claudeA + "\n", entry.Decoder{Strict: true}, true},
		"a damaged pi log, read strictly": {"null\n" + piHead + "\n" + piA[:9] + piA + "\n", entry.Decoder{Strict: true}, true},
	} {
		t.Run(name, func(t *testing.T) {
			entries, damage, r := read(t, strings.NewReader(test.log), test.dec)
			if !test.isLog {
				require.ErrorIs(t, r.Err(), dialect.ErrNotLog)
				require.Empty(t, entries)
				require.Empty(t, damage)
				return
			}
			require.NoError(t, r.Err())
			// What was held back comes out in order.
			var want []string
			var wantDamage []string
			if strings.Contains(test.log, piHead) {
				test.dec = entry.Decoder{} // its rules are not Claude Code's
			}
			p := dialect.NewReader(line.NewForward(strings.NewReader(test.log)), test.dec, func(d *entry.Damage) { wantDamage = append(wantDamage, d.Error()) })
			p.TakeAs(dialect.Claude)
			for p.Next() {
				want = append(want, string(p.Entry().Line))
			}
			require.Len(t, entries, len(want))
			for i, e := range entries {
				require.Equal(t, strings.TrimSpace(strings.TrimPrefix(want[i], entry.BOM)), e.entry)
			}
			require.Equal(t, wantDamage, damage)
		})
	}
	_, _, r := read(t, io.MultiReader(strings.NewReader("x\n"), iotest.ErrReader(io.ErrUnexpectedEOF)), entry.Decoder{})
	require.Equal(t, io.ErrUnexpectedEOF, r.Err(), "what could not be read may have been entries")
}

// The error about what is not a log says what it is, and what makes a log of it.
func TestNotLogSays(t *testing.T) {
	const text = "no line of its first megabyte is an entry"
	for _, test := range []struct{ log, says string }{
		{"\xff\xfe{\x00\"\x00a\x00\"\x00\n\x00", "UTF-16 text; iconv -f UTF-16 -t UTF-8 makes a log of it"},
		{"\xfe\xff\x00{\x00\"", "UTF-16 text; iconv -f UTF-16 -t UTF-8 makes a log of it"},
		{"{\x00\"\x00a\x00", "UTF-16 text; iconv -f UTF-16 -t UTF-8 makes a log of it"},
		{"\x00{\x00\"\x00a\x00\n", "UTF-16 text; iconv -f UTF-16 -t UTF-8 makes a log of it"},
		{"SQLite format 3\x00", "an SQLite database; sqlite3 -json DB 'select …' | jq -c '.[]' prints its rows"},
		{"[]\n", "a JSON array; jq -c '.[]' makes lines of it"},
		{"[{\"a\":1},{\"a\":2}]", "a JSON array; jq -c '.[]' makes lines of it"},
		{entry.BOM + "\n[\n  {\n    \"a\": 1\n  }\n]\n", "a JSON array; jq -c '.[]' makes lines of it"},
		{"[{\"x\":\"" + strings.Repeat("x", 8<<10) + "\"},\n" + claudeA + ",\n" + claudeA + "]\n", "a JSON array; jq -c '.[]' makes lines of it"},
		{"{\r\n  \"a\": 1\r\n}\r\n", "a JSON document; jq -c . makes a line of it"},
		{"{\"a\": {\n \"b\": 1\n}}\n", "a JSON document; jq -c . makes a line of it"},
		{"{\n  \"id\": \"x\",\n  \"messages\": [\n  ]\n}\n", "a JSON document; jq -c '.messages[]' makes lines of its messages"},
		{"{\"sessionId\":\"x\",\"messages\":[{\"id\":\"1\",\"type\":\"user\"}]}", "a JSON document; jq -c '.messages[]' makes lines of its messages"},
		{"{\"session_id\":\"x\",\"transcript_path\":\"y\"}\n", "the input of a hook; jq -r .transcript_path | xargs jlpath reads its log"},
		{"{\n  \"session_id\": \"x\",\n  \"transcript_path\": \"y\"\n}\n", "the input of a hook; jq -r .transcript_path | xargs jlpath reads its log"},
		{`{"is":"prompt","timestamp":null,"session":"s","uuid":"u","text":"Row"}`, "rows of jlpath --said, which jq reads; their session names the log"},
		{`{"is":"left","session":null,"what":"above","count":2}` + "\n", "rows of jlpath --said, which jq reads; their session names the log"},
		{"[12:00] text\n", text},
		{"# {\n\n\"a\"\n", text},
		{claudeA[:20] + "\n", text},
		{"\xff\xfe\n", text},
	} {
		_, _, r := read(t, strings.NewReader(test.log), entry.Decoder{})
		require.EqualError(t, r.Err(), "not a session log: "+test.says, test.log)
		require.ErrorIs(t, r.Err(), dialect.ErrNotLog)
	}
}

// TestBounds: the bounds are those of the line of the current entry, even if lines were held back.
func TestBounds(t *testing.T) {
	log := "{\"a\":1}\n\n{\"a\":2}\n" + claudeA + claudeB + "\n"
	r := dialect.NewReader(line.NewForward(strings.NewReader(log)), entry.Decoder{}, nil)
	var got []string
	for r.Next() {
		start, end := r.Bounds()
		got = append(got, log[start:end])
	}
	rest := claudeA + claudeB + "\n"
	require.Equal(t, []string{"{\"a\":1}\n", "{\"a\":2}\n", rest, rest}, got)
}
