package main

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/line"
)

// A failing reader gives an error from its n-th read on.
type failing struct {
	io.ReaderAt
	n int
}

func (f *failing) ReadAt(p []byte, off int64) (int, error) {
	if f.n--; f.n < 0 {
		return 0, errors.New("bad sector")
	}
	return f.ReaderAt.ReadAt(p, off)
}

// Wherever reading stops, what came before is written, and the last line ends.
func TestReadErrorLeavesWholeLines(t *testing.T) {
	long := strings.Repeat("x", 3<<20) + "\n"
	text := strings.Repeat("first\n", 1<<17) + long + "last"
	want := "last\n" + long + strings.Repeat("first\n", 1<<17)

	none, torn, complete := 0, 0, false
	for n := 0; !complete; n++ {
		var out strings.Builder
		w := bufio.NewWriter(&out)
		lines := line.NewBackward(&failing{strings.NewReader(text), n}, int64(len(text)))
		writeLines(w, lines)
		require.NoError(t, w.Flush())

		got := out.String()
		if complete = lines.Err() == nil; complete {
			require.True(t, got == want)
			continue
		}
		cut := strings.TrimSuffix(got, "\n")
		require.True(t, got == "" || got == cut+"\n")
		require.True(t, strings.HasPrefix(want, cut))
		switch {
		case got == "":
			none++
		case strings.HasSuffix(cut, "x") && want[len(cut)] == 'x':
			torn++
		}
	}
	require.Positive(t, none)
	require.Positive(t, torn)
}
