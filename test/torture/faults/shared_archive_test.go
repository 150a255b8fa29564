package torture

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
)

// mutate returns text with something done to it that happens to logs, or worse.
func mutate(rnd *rand.Rand, text string) string {
	for range rnd.IntN(4) {
		if text == "" {
			return text
		}
		i := rnd.IntN(len(text))
		j := i + rnd.IntN(len(text)-i+1)
		switch rnd.IntN(7) {
		case 0:
			text = text[:i] // torn
		case 1:
			text = text[:i] + text[j:]
		case 2:
			text = text[:j] + text[i:] // written again
		case 3:
			text = text[:i] + strings.Repeat("\x00", rnd.IntN(5000)) + text[i:]
		case 4:
			b := []byte(text)
			b[i] ^= 1 << rnd.IntN(8)
			text = string(b)
		case 5:
			text = strings.TrimSuffix(text, "\n")
		case 6:
			noise := make([]byte, rnd.IntN(3000))
			for i := range noise {
				noise[i] = byte(rnd.UintN(256))
			}
			text = text[:i] + string(noise) + text[i:]
		}
	}
	return text
}

// batch is how many sessions are given to one run.
const batch = 200

// memory returns a new directory in a file system in memory, if there is one: all
// that is written is synced, which takes time, and shows nothing here.
func memory(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "torture-")
	if err != nil {
		return space(t)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func lossless(p *promised, rnd *rand.Rand, other bool) {
	t := p.t
	dir := memory(t)
	texts := map[string]string{}
	args := []string{"--archive"}
	var packed []string
	for i := range batch {
		name := fmt.Sprintf("%d.jsonl", i)
		text, _ := session(rnd.Uint64(), rnd.IntN(4))
		text = mutate(rnd, text)
		if head := text[:min(len(text), 1)]; head == "\x1f" || head == "\x28" || head >= "\x50" && head <= "\x5f" {
			text = "{" + text // else it may be refused as compressed
		}
		texts[name] = text
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		args, packed = append(args, name), append(packed, name+".zst")
	}
	cmd := program(t, "jlcompact", args...)
	cmd.Dir = dir
	got := execute(t, cmd)
	require.Equal(t, outcome{}, got)
	require.Len(t, list(t, dir), batch)
	if other {
		cmd := exec.Command("zstd", append([]string{"-dqk", "--"}, packed...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	for name, text := range texts {
		p.try(unpacked(t, filepath.Join(dir, name), other) == text, "%s is not what it was", name)
	}
}

// unpacked returns what the archive of a log holds, which may have been decoded
// already.
func unpacked(t testing.TB, log string, already bool) string {
	t.Helper()
	if already {
		text, err := os.ReadFile(log)
		require.NoError(t, err)
		return string(text)
	}
	packed, err := os.ReadFile(log + ".zst")
	require.NoError(t, err)
	d, err := zstd.NewReader(nil)
	require.NoError(t, err)
	defer d.Close()
	text, err := d.DecodeAll(packed, nil)
	require.NoError(t, err)
	return string(text)
}

const threeEntries = `{"uuid":"a","parentUuid":null,"type":"user","message":{"content":"Why do the moons drift?"}}
{"uuid":"b","parentUuid":"a","type":"assistant","message":{"content":"Because of Euler."}}
{"uuid":"c","parentUuid":"b","type":"user","message":{"content":"Then replace him."}}
`

// slicesOf yields s in slices of n.
func slicesOf(s []string, n int) func(func([]string) bool) {
	return func(yield func([]string) bool) {
		for ; len(s) > 0; s = s[min(n, len(s)):] {
			if !yield(s[:min(n, len(s))]) {
				return
			}
		}
	}
}

// allLinesIn reports whether all lines of some are whole lines of all.
func allLinesIn(some, all string) bool {
	for line := range strings.Lines(some) {
		if !strings.HasSuffix(line, "\n") || !strings.Contains("\n"+all, "\n"+line) {
			return false
		}
	}
	return true
}

// This copy goes with the next changes.
