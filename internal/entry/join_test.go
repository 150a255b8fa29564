package entry_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
	"jl/internal/line"
)

// TestRawBreaks: lines that would be an entry only together are damage, and cost no other entry. What
// the second of them says names the program that joins them; nothing else does.
func TestRawBreaks(t *testing.T) {
	const sound = `{"uuid":"z"}` + "\n"
	for log, want := range map[string][]string{
		"{\"uuid\":\"a\nb\"}\n" + sound: {
			"1 not a whole entry; skipped 11 bytes at byte 0",
			"2 not a whole entry; skipped 4 bytes at byte 11; if it goes on with line 1, examples/join.py joins them",
		},
		"{\"uuid\":\"a\n" + sound + "b\"}\n": {"1 not a whole entry; skipped 11 bytes at byte 0", "3 not a whole entry; skipped 4 bytes at byte 24"},
		"{\"uuid\":\"a\"\nb\"}\n" + sound:    {"1 not a whole entry; skipped 12 bytes at byte 0", "2 not a whole entry; skipped 4 bytes at byte 12"},
		"{\"uuid\":\"a\n{\"uuid\":\"b\n" + sound: {
			"1 not a whole entry; skipped 11 bytes at byte 0", "2 not a whole entry; skipped 11 bytes at byte 11",
		},
	} {
		var got []string
		r := entry.NewReader(line.NewForward(strings.NewReader(sound+log)), entry.Decoder{}, func(d *entry.Damage) {
			d.Pos.Line--
			d.Pos.Offset -= int64(len(sound))
			got = append(got, strings.Replace(fmt.Sprint(d.Pos.Line, " ", d), "line 2,", "line 1,", 1))
		})
		n := 0
		for r.Next() {
			require.Equal(t, sound, string(r.Entry().Line))
			n++
		}
		require.Equal(t, 2, n, "%q", log)
		require.Equal(t, want, got, "%q", log)
	}
}

// TestAt: a place in an entry is one in the log.
func TestAt(t *testing.T) {
	log := "\n" + ` {"a":"é","b":7}` + "\n"
	r := entry.NewReader(line.NewForward(strings.NewReader(log)), entry.Decoder{}, nil)
	require.True(t, r.Next())
	for i := range r.Entry().Bytes {
		require.EqualValues(t, 2+i, r.Entry().At(i))
	}
}
