package entry_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
	"jl/internal/line"
)

// readAll returns the entries of a log, and the reasons and positions of its damaged lines.
func readAll(r io.Reader, ahead bool) (entries, damage []string) {
	reader := entry.NewReader(line.NewForward(r), entry.Decoder{}, func(d *entry.Damage) {
		damage = append(damage, fmt.Sprint(d.Pos, " ", d))
	})
	reader.TakeAsLog()
	note := func() {
		e := reader.Entry()
		entries = append(entries, fmt.Sprint(e.Pos, " ", string(e.Line)))
	}
	if ahead {
		for range entry.Ahead(reader, func(*entry.Entry, *struct{}) {}) {
			note()
		}
	} else {
		for reader.Next() {
			note()
		}
	}
	return entries, damage
}

// TestTornByBreaks: lines that are an entry only together are one, and no other line is lost to them.
func TestTornByBreaks(t *testing.T) {
	defer entry.JoinAtMost(8000)()
	const sound = `{"uuid":"z"}` + "\n"
	for _, test := range []struct {
		log    string
		want   string // the first entry
		joined int    // the lines that it is made of, 0 if it is one that is not torn
	}{
		{"{\"uuid\":\"a\nb\"}\n", `{"uuid":"a\nb"}`, 2},
		{"{\"uuid\":\"a\r\nb\"}\r\n", `{"uuid":"a\r\nb"}` + "\r", 2},
		{"{\"uuid\":\"a\rb\nc\"}\n", `{"uuid":"a\rb\nc"}`, 2},
		{"{\"uuid\":\"a\n\n\nb\"}\n", `{"uuid":"a\n\n\nb"}`, 4},
		{"{\"uuid\":\"\n\"}\n", `{"uuid":"\n"}`, 2},
		{" {\"uuid\":\"a\tb\n\x01\"} \n", `{"uuid":"a\u0009b\n\u0001"} `, 2},
		{"{\"uuid\":\"a\n\\\"\n\\\\\",\"x\":[\"\n\",{\"\n\":1}]}\n", `{"uuid":"a\n\"\n\\","x":["\n",{"\n":1}]}`, 5},
		{"{\"uuid\":\"a\n{\"}\n", `{"uuid":"a\n{"}`, 2},
		{"{\"uuid\":\"a\n{\",\"b\":\"{\n}\"}\n", `{"uuid":"a\n{","b":"{\n}"}`, 3},
		{"{\"uuid\":\"a\n{\\\"uuid\\\":\\\"b\\\"}\n\"}\n", `{"uuid":"a\n{\"uuid\":\"b\"}\n"}`, 3},
		{"{\"uuid\":\"a\n{}\n[]\nnull\n\"}\n", `{"uuid":"a\n{}\n[]\nnull\n"}`, 5},

		{"{\"uuid\":\"a\n" + sound, strings.TrimSpace(sound), 0},
		{"{\"uuid\":\"a\n{\"\": \"b\"}\n\"}\n", `{"": "b"}`, 0},               // whatever its names are
		{"{\"uuid\":\"a\n {\", \":\", \",\"a\":[\"]}\n", "", 0},               // and even if both are sound
		{"{\"uuid\":\"a\\\nb\"}\n", "", 0},                                    // no escape
		{"{\"uuid\":\"a\n\"x}\n", "", 0},                                      // not an entry
		{"{\"uuid\":\"a\n\"}{\"uuid\":\"b\"}\n", `{"uuid":"b"}`, 0},           // two
		{"[\"a\nb\"]\n", "", 0},                                               // none
		{"{\"uuid\":\n\"b\"}\n", "", 0},                                       // torn between strings
		{"{\"uuid\":\"a\nb\n" + strings.Repeat("c\n", 4000) + "\"}\n", "", 0}, // too long
		{"{\"uuid\":\"a\n" + strings.Repeat("c", 9000) + "\n" + sound, strings.TrimSpace(sound), 0},
	} {
		log := test.log + sound
		got, damage := readAll(strings.NewReader(log), false)
		name := log[:min(len(log), 80)]
		require.NotEmpty(t, got, "%q", name)
		require.True(t, strings.HasSuffix(got[len(got)-1], " "+sound), "%q: %q", name, got)
		require.NotEmpty(t, damage, "%q", name)
		if test.want != "" {
			_, text, _ := strings.Cut(got[0], "} ")
			require.Equal(t, test.want, strings.TrimSuffix(text, "\n"), "%q", name)
		}
		if test.joined > 0 {
			want := fmt.Sprintf("{1 0 %d} raw line breaks in a string; joined %d lines; recovered the entry at byte %d", len(test.log), test.joined, strings.IndexByte(log, '{'))
			require.Equal(t, []string{want}, damage, "%q", name)
			require.Equal(t, fmt.Sprintf("{%d %d %d} %s", test.joined+1, len(test.log), len(sound), sound), got[1])
		} else {
			require.NotContains(t, fmt.Sprint(damage), "joined", "%q", name)
		}
	}
	_, damage := readAll(strings.NewReader("\ufeff{\"uuid\":\"a\nb\"}"), false)
	require.Equal(t, []string{"{1 0 17} raw line breaks in a string; joined 2 lines; recovered the entry at byte 3"}, damage)
}

// tornLog returns a log of entries, in whose strings line breaks are as they are or escaped, and what the
// entries are. If damaged is set, other lines are between them.
func tornLog(rnd *rand.Rand, size int, damaged bool) (log string, want []string) {
	var b strings.Builder
	b.WriteString(claudeA + "\n")
	want = append(want, claudeA)
	words := []string{"\n", "\n", "\r\n", "\r", `\n`, `\"`, `\\`, "{", "}", "{}", "[", `{\"type\":\"user\"}`, ",", ":", "é", " ", "\t", "some words"}
	text := func() (raw, sound string) {
		for range rnd.IntN(20) {
			raw += words[rnd.IntN(len(words))]
		}
		if rnd.IntN(50) == 0 {
			raw += strings.Repeat("x", rnd.IntN(4000))
		}
		if rnd.IntN(2) == 0 { // as most entries
			raw = strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(raw)
		}
		return raw, strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\u0009`).Replace(raw)
	}
	for n := 0; b.Len() < size; n++ {
		raw, sound := text()
		raw2, sound2 := text()
		const e = `{"type":"user","uuid":"u%d","message":{"content":["%s","%s"]},"toolUseResult":{"%[2]s":1},"n":"w%[1]d"}`
		torn := fmt.Sprintf(e, n, raw, raw2)
		if !strings.Contains(torn, "\n") {
			sound, sound2 = raw, raw2 // a tab alone is as it was
		}
		b.WriteString(torn + "\n")
		want = append(want, fmt.Sprintf(e, n, sound, sound2))
		if damaged && rnd.IntN(3) == 0 {
			cut := torn[:rnd.IntN(strings.Index(torn, `"message"`))]
			b.WriteString([]string{"", "\n", "no entry\n", "[]\n", cut + "\n", "\x00\x00\n", `{"uuid":"` + "\n", `{"uuid":"torn` + "\nand\nmore\n"}[rnd.IntN(8)])
		}
	}
	return b.String(), want
}

// TestBreaksLoseNothing: all entries of a log are read, however many of their strings have raw line
// breaks, whatever is between them, wherever reads and blocks end, and by one goroutine or more.
func TestBreaksLoseNothing(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	rnd := rand.New(rand.NewPCG(5, 6))
	for i := range 30 {
		log, want := tornLog(rnd, 20_000, i%2 == 1)
		whole, damage := readAll(strings.NewReader(log), false)
		var texts []string
		for _, e := range whole {
			_, text, _ := strings.Cut(strings.TrimSpace(e), "} ")
			texts = append(texts, text)
		}
		require.Equal(t, want, texts)
		for name, r := range map[string]io.Reader{
			"byte":  iotest.OneByteReader(strings.NewReader(log)),
			"half":  iotest.HalfReader(strings.NewReader(log)),
			"error": iotest.DataErrReader(strings.NewReader(log)),
		} {
			got, gotDamage := readAll(r, false)
			require.Equal(t, whole, got, name)
			require.Equal(t, damage, gotDamage, name)
		}
		undo := entry.ReadSmallAhead(1 + rnd.IntN(3000))
		for procs := 1; procs <= 3; procs++ {
			runtime.GOMAXPROCS(procs)
			got, gotDamage := readAll(sectionOf(log), true)
			require.Equal(t, whole, got)
			require.Equal(t, damage, gotDamage)
		}
		undo()
		for range 10 {
			n := rnd.IntN(len(want) - 1)
			word := fmt.Appendf(nil, `"w%d"`, n)
			some := entry.NewReader(line.NewForward(iotest.HalfReader(strings.NewReader(log))), entry.Decoder{}, nil)
			some.Only(word)
			var found []string
			for some.Next() {
				found = append(found, string(some.Entry().Bytes))
			}
			require.Equal(t, want[n+1:n+2], found)
		}
		lines := entry.NewReader(line.NewForward(strings.NewReader(log)), entry.Decoder{}, nil)
		for lines.Next() {
			p := lines.Entry().Pos
			raw := []byte(log[p.Offset : p.Offset+p.Length])
			require.Equal(t, string(lines.Entry().Line), string(entry.Join(raw)))
			require.Equal(t, p.Line, int64(1+strings.Count(log[:p.Offset], "\n")))
			start, end := lines.Bounds()
			require.Equal(t, []int64{p.Offset, p.Offset + p.Length}, []int64{start, end})
		}
		read, bytes := lines.Read()
		require.Equal(t, []int64{int64(strings.Count(log, "\n")), int64(len(log))}, []int64{read, bytes})
	}
}

// TestAt: a place in a joined line is one in the log.
func TestAt(t *testing.T) {
	log := "\n" + ` {"a":"\n` + "\n\x01é\r\n" + `\u0041","b":7}` + "\n"
	r := entry.NewReader(line.NewForward(strings.NewReader(log)), entry.Decoder{}, nil)
	require.True(t, r.Next())
	e := r.Entry()
	require.Equal(t, `{"a":"\n\n\u0001é\r\n\u0041","b":7}`, string(e.Bytes))
	for joined, written := range map[string]string{"{": "{", `\n\u0001`: "\n\x01", `\u0001`: "\x01", "é": "é", `\r`: "\r", `\n\u0041`: "\n\\u0041", `\u0041`: `\u0041`, "7": "7"} {
		at := strings.Index(string(e.Bytes), joined)
		require.EqualValues(t, strings.Index(log, written), e.At(at), joined)
	}
	require.EqualValues(t, strings.LastIndex(log, "}"), e.At(len(e.Bytes)-1))
}
