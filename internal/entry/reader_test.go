package entry_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

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

// read returns what a Reader of the log returns, and the damage it reports, in order.
func read(t *testing.T, from io.Reader, dec entry.Decoder) (entries []readLine, damage []string, r *entry.Reader) {
	t.Helper()
	r = entry.NewReader(line.NewForward(from), dec, func(d *entry.Damage) { damage = append(damage, d.Error()) })
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
	r := entry.NewReader(line.NewForward(strings.NewReader("x\n"+claudeA+"\n")), entry.Decoder{}, nil)
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
				require.Equal(t, entry.ErrNotLog, r.Err())
				require.Empty(t, entries)
				require.Empty(t, damage)
				return
			}
			require.NoError(t, r.Err())
			// What was held back comes out in order.
			var want []string
			var wantDamage []string
			p := entry.NewReader(line.NewForward(strings.NewReader(test.log)), test.dec, func(d *entry.Damage) { wantDamage = append(wantDamage, d.Error()) })
			p.TakeAsLog()
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

// TestBounds: the bounds are those of the line of the current entry, even if lines were held back.
func TestBounds(t *testing.T) {
	log := "{\"a\":1}\n\n{\"a\":2}\n" + claudeA + claudeB + "\n"
	r := entry.NewReader(line.NewForward(strings.NewReader(log)), entry.Decoder{}, nil)
	var got []string
	for r.Next() {
		start, end := r.Bounds()
		got = append(got, log[start:end])
	}
	rest := claudeA + claudeB + "\n"
	require.Equal(t, []string{"{\"a\":1}\n", "{\"a\":2}\n", rest, rest}, got)
}
