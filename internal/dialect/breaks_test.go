package dialect_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/line"
)

// TestRawBreaks: lines that would be an entry only together are damage, and cost no other entry.
func TestRawBreaks(t *testing.T) {
	const sound = `{"uuid":"z"}` + "\n"
	for log, want := range map[string][]string{
		"{\"uuid\":\"a\nb\"}\n" + sound: {
			"2 not a whole entry; skipped 11 bytes at byte 13",
			"3 not a whole entry; skipped 4 bytes at byte 24",
		},
		"{\"uuid\":\"a\n" + sound + "b\"}\n": {"2 not a whole entry; skipped 11 bytes at byte 13", "4 not a whole entry; skipped 4 bytes at byte 37"},
		"{\"uuid\":\"a\"\nb\"}\n" + sound:    {"2 not a whole entry; skipped 12 bytes at byte 13", "3 not a whole entry; skipped 4 bytes at byte 25"},
		"{\"uuid\":\"a\n{\"uuid\":\"b\n" + sound: {
			"2 not a whole entry; skipped 11 bytes at byte 13", "3 not a whole entry; skipped 11 bytes at byte 24",
		},
	} {
		var got []string
		r := dialect.NewReader(line.NewForward(strings.NewReader(sound+log)), entry.Decoder{}, func(d *entry.Damage) {
			got = append(got, fmt.Sprint(d.Pos.Line, " ", d))
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
	r := dialect.NewReader(line.NewForward(strings.NewReader(log)), entry.Decoder{}, nil)
	require.True(t, r.Next())
	for i := range r.Entry().Bytes {
		require.EqualValues(t, 2+i, r.Entry().At(i))
	}
}
