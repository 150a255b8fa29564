package frames

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/env"
	"jl/test/sample"
)

// repeating returns a log of n lines, each made of few parts that repeat: images, text; and of what
// only this line has, which repeats what is 1 to 8 bytes before: the first offsets of a frame.
func repeating(rnd *rand.Rand, n int) string {
	var parts []string
	for range 1 + rnd.IntN(6) {
		part := make([]byte, rnd.IntN(60<<10))
		for i := range part {
			part[i] = byte(rnd.Uint32())
		}
		parts = append(parts, base64.StdEncoding.EncodeToString(part), sample.Lines(1+rnd.IntN(30<<10)))
	}
	var b strings.Builder
	for i := range n {
		for range rnd.IntN(4) {
			run := strings.Repeat("abcdefgh"[:1+rnd.IntN(8)], rnd.IntN(9))
			fmt.Fprintf(&b, `%s%d%s{"data":"%s"},%[1]s`, run, i*rnd.IntN(2), run[len(run)/2:], parts[rnd.IntN(len(parts))])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestLongFrames reads random logs with many repeats back in all ways, at every level of the
// encoder and with windows and frames of many sizes.
func TestLongFrames(t *testing.T) {
	zstd := env.Has("zstd")
	if !zstd {
		env.NotTested(t, "that zstd(1) reads archives with long frames", "zstd is not installed")
	}
	long, seeds := 0, uint64(40)
	if testing.Short() {
		seeds = 6
	}
	for seed := range seeds {
		rnd := rand.New(rand.NewPCG(seed, 7))
		data := repeating(rnd, 60)
		var b bytes.Buffer
		z, _ := NewWriter(&b, []int{1, 3, 5, 9}[seed%4])
		z.Size, z.Line = 1<<(10+rnd.IntN(8)), 1<<(12+rnd.IntN(8))
		z.Line = max(z.Line, z.Size)
		z.window, z.most = 1<<(12+rnd.IntN(12)), 1<<(14+rnd.IntN(12))
		_, werr := io.Copy(z, strings.NewReader(data))
		require.NoError(t, werr)
		require.NoError(t, z.Close())
		packed := b.String()
		long += strings.Count(packed, longHead)

		at, aerr := readAt(t, packed)
		require.NoError(t, aerr, "seed %d", seed)
		require.True(t, data == at, "seed %d", seed)
		got, rerr := readAll(strings.NewReader(packed))
		require.NoError(t, rerr, "seed %d", seed)
		require.True(t, data == string(got), "seed %d", seed)
		if zstd {
			out, err := exec.Command("zstd", "-dc", create(t, packed)).Output()
			require.NoError(t, err, "seed %d", seed)
			require.True(t, data == string(out), "seed %d", seed)
		}
	}
	require.Greater(t, long, 20)
}

// TestRepeatsFarApart compares the size of archives whose images repeat farther apart than a frame
// is long with the output of zstd --long=27.
func TestRepeatsFarApart(t *testing.T) {
	env.Needs(t, "zstd")
	one, text := images(1, 1<<20), sample.Lines(3<<20)
	for name, data := range map[string]string{
		"one image":          strings.Repeat(one+sample.Lines(100), 20),
		"images in a line":   strings.Repeat(strings.ReplaceAll(images(5, 2<<20), "\n", ",")+"\n", 4),
		"records":            strings.Repeat(images(8, 200<<10)+sample.Lines(1000), 10),
		"records of text":    strings.Repeat(strings.ReplaceAll(sample.Lines(1200<<10), "\n", ",")+"\n", 20),
		"text of two frames": strings.Repeat(text+images(2, 1<<20)+text, 5),
	} {
		out, err := exec.Command("zstd", "-q", "-3", "--long=27", "-c", create(t, data)).Output()
		require.NoError(t, err)
		ours := len(archive(t, data))
		t.Logf("%s: %d bytes, zstd: %d", name, ours, len(out))
		require.LessOrEqual(t, ours, len(out)*3/2, name)
	}
}

// TestLongFrameInPlace reads the end of a log whose last frame is long, from a file.
func TestLongFrameInPlace(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	data := strings.Repeat(images(1, 3<<20), 10)
	packed := archive(t, data)
	end := func() (string, error) {
		f := Open(strings.NewReader(packed), int64(len(packed)), NewStream(nil))
		require.NotNil(t, f)
		defer f.Close()
		require.EqualValues(t, len(data), f.Size())
		p := make([]byte, 1000)
		_, err := f.ReadAt(p, f.Size()-1000)
		return string(p), err
	}
	got, err := end()
	require.NoError(t, err)
	require.Equal(t, data[len(data)-1000:], got)
	left, err := os.ReadDir(os.TempDir())
	require.NoError(t, err)
	require.Empty(t, left)

	t.Setenv("TMPDIR", "/nonexistent")
	_, err = end()
	require.ErrorContains(t, err, "temporary file in /nonexistent: ")
}

// TestHeldInFile: what is held back is in a file without a name, and a Writer that cannot have one
// reports that.
func TestHeldInFile(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	data := sample.Lines(3 * frameSize)
	var b bytes.Buffer
	z, err := NewWriter(&b, 0)
	require.NoError(t, err)
	_, err = io.WriteString(z, data)
	require.NoError(t, err)
	require.Len(t, b.Bytes(), len(marker))
	left, err := os.ReadDir(os.TempDir())
	require.NoError(t, err)
	require.Empty(t, left)
	require.NoError(t, z.Close())

	t.Setenv("TMPDIR", "/nonexistent")
	z, err = NewWriter(io.Discard, 0)
	require.NoError(t, err)
	_, err = io.WriteString(z, data)
	require.ErrorContains(t, err, "temporary file in /nonexistent: ")
	require.Equal(t, err, z.Close())
}
