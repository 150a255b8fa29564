package dialect_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/line"
)

// The first entry that shows the dialect decides, and what was read meanwhile comes first.
func TestReaderDialect(t *testing.T) {
	kibi := `{"a":"` + strings.Repeat("x", 1024-len(`{"a":""}`+"\n")) + `"}` + "\n" // of 8,192 lines none beyond 8 MiB
	const any, codex = `{"a":1}` + "\n", `{"type":"event_msg","payload":{}}` + "\n"
	for name, test := range map[string]struct {
		log  string
		want dialect.Dialect
	}{
		"nothing":               {"", dialect.Claude},
		"the first entry":       {codex + claudeA + "\n", dialect.Codex},
		"a later entry":         {any + "x\n" + codex + claudeA + "\n", dialect.Codex},
		"the last that counts":  {strings.Repeat(any, 63) + claudeA + "\n" + codex, dialect.Claude},
		"one that comes late":   {strings.Repeat(kibi, 8192+1) + claudeA + "\n", dialect.Unknown},
		"one that is far down":  {strings.Repeat(kibi, 8192-1) + claudeA + "\n", dialect.Claude},
		"a part of a pi log":    {piA + "\n", dialect.Pi},
		"pi's, but not first":   {any + piA + "\n", dialect.Unknown},
		"a header, not first":   {any + piHead + "\n", dialect.Pi},
		"a header alone":        {piHead + "\n", dialect.Pi},
		"a header, and damage":  {piHead + "\nx\n" + piA + "\n", dialect.Pi},
		"two entries of a line": {`{"type":"x"}` + codex, dialect.Codex},
		"a value":               {"[]\n" + codex, dialect.Codex},
		"many damaged lines":    {any + strings.Repeat("x\n", 5000) + codex, dialect.Codex},
	} {
		t.Run(name, func(t *testing.T) {
			for _, dec := range []entry.Decoder{{}, {Strict: true}} {
				r := dialect.NewReader(line.NewForward(strings.NewReader(test.log)), dec, nil)
				entries := 0
				for r.Next() {
					entries++
				}
				require.Equal(t, test.want, r.Dialect())
				require.NoError(t, r.Err())
				if test.want == dialect.Claude && dec.Strict {
					continue
				}
				require.Equal(t, strings.Count(test.log, "{")-strings.Count(test.log, `:{`), entries)
			}
		})
	}
}

// A capture of pi --mode json begins with the header of a log.
func TestReaderCapture(t *testing.T) {
	log := piHead + "\n" + `{"type":"agent_start"}` + "\n" + `{"type":"message_end","message":{"role":"user"}}` + "\n"
	r := dialect.NewReader(line.NewForward(strings.NewReader(log)), entry.Decoder{}, nil)
	entries := 0
	for r.Next() {
		require.Equal(t, dialect.Unknown, r.Dialect())
		entries++
	}
	require.Equal(t, 3, entries)
}

// Strict rules end at the first entry if that is pi's.
func TestReaderStrict(t *testing.T) {
	const broken = `{"type":"user","uuid":"c","message":[1,]}`
	tests := []struct {
		name, log string
		rejectBOM bool
		want      []string
	}{
		{"Claude", claudeA + "\n" + claudeB + "\n", false, []string{claudeA, claudeB}},
		{"Claude, two on a line", claudeA + "\n" + claudeA + claudeB + "\n" + claudeB + "\n", false, []string{claudeA, claudeB}},
		{"Claude, broken nested value", claudeA + "\n" + broken + "\n" + claudeB + "\n", false, []string{claudeA, claudeB}},
		{"Claude, byte order mark", entry.BOM + claudeA + "\n" + claudeB, false, []string{claudeA, claudeB}},
		{"Claude, rejected byte order mark", entry.BOM + claudeA + "\n" + claudeB, true, []string{claudeB}},
		{"Claude, then pi", claudeA + "\n" + piA + piA + "\n", false, []string{claudeA}},
		{"pi", piHead + "\n" + piA + piA + "\n", true, []string{piHead, piA, piA}},
		{"pi, byte order mark", entry.BOM + piHead + "\n" + piA + piA + "\n", true, []string{piHead, piA, piA}},
		{"pi, after blank and damaged lines", "\n\n[]\nx\n" + piHead + "\n" + piA + piA + "\n", true, []string{piHead, piA, piA}},
		{"pi, recovered", "\x00" + piHead + "\n" + piA + piA + "\n", true, []string{piHead, piA, piA}},
		{"pi, without a header", piA + "\n" + piA + piA + "\n", true, []string{piA, piA, piA}},
		{"nothing", "", true, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := dialect.NewReader(line.NewForward(strings.NewReader(test.log)), entry.Decoder{Strict: true, SDK: test.rejectBOM}, nil)
			var got []string
			for r.Next() {
				got = append(got, string(r.Entry().Bytes))
			}
			require.Equal(t, test.want, got)
		})
	}
}
