package torture

import (
	"bytes"
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

// TestLossless archives sessions, whole and damaged, and decodes them by zstd(1), or
// by the library if there is none.
func TestLossless(t *testing.T) {
	t.Parallel()
	p := promise(t, "P8", "archives are lossless")
	_, err := exec.LookPath("zstd")
	other := err == nil
	if !other {
		p.lacks("zstd(1), decoded by the library")
	}
	const batch = 200
	for i := range often(600, 100_000) / batch {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			lossless(p.in(t), rand.New(rand.NewPCG(8, uint64(i))), other)
		})
	}
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

// TestDamagedArchive flips every bit of a small archive, and cuts it at every byte:
// each time that is told, or makes no difference, and nothing is printed that was
// not in the log. An archive cut to nothing is an empty file.
func TestDamagedArchive(t *testing.T) {
	t.Parallel()
	p := promise(t, "P10", "damage of an archive is told, or of no account")
	dir := space(t)
	write := func(name string, text []byte) {
		t.Helper()
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o600))
	}
	write("whole.jsonl", []byte(threeEntries))
	run := func(program_ string, args ...string) outcome {
		t.Helper()
		cmd := program(t, program_, args...)
		cmd.Dir = dir
		return execute(t, cmd)
	}
	require.Equal(t, outcome{}, run("jlcompact", "--archive", "--keep", "whole.jsonl"))
	good, err := os.ReadFile(filepath.Join(dir, "whole.jsonl.zst"))
	require.NoError(t, err)
	var names []string
	for n := 1; n < len(good); n++ {
		names = append(names, fmt.Sprintf("cut%d.zst", n))
		write(names[len(names)-1], good[:n])
	}
	for i := range 8 * len(good) {
		flipped := bytes.Clone(good)
		flipped[i/8] ^= 1 << (i % 8)
		names = append(names, fmt.Sprintf("bit%d.zst", i))
		write(names[len(names)-1], flipped)
	}
	// Many are given to one run. A log between them tells what is printed of which.
	const between = `{"uuid":"between","parentUuid":null,"type":"user"}` + "\n"
	write("between.jsonl", []byte(between))
	told, same := 0, 0
	for _, name := range []string{"jlrev", "jlpath", "jlcompact"} {
		want := run(name, "whole.jsonl")
		require.Equal(t, want, run(name, "whole.jsonl.zst"))
		for batch := range slicesOf(names, 200) {
			var args []string
			for _, n := range batch {
				args = append(args, n, "between.jsonl")
			}
			got := run(name, args...)
			parts := strings.Split(got.stdout, between)
			require.Len(t, parts, len(batch)+1, "%v", got)
			require.False(t, got.hung || got.signal != 0 || crashed.MatchString(got.stderr), "%v", got)
			said := 0
			for i, n := range batch {
				if strings.Contains(got.stderr, name+": "+n+": ") || strings.Contains(got.stderr, name+": "+n+":") {
					said++
					p.try(allLinesIn(parts[i], threeEntries), "%s prints of %s what is not in it: %q", name, n, parts[i])
					continue
				}
				same++
				p.try(parts[i] == want.stdout, "%s tells nothing of %s and prints %q", name, n, parts[i])
			}
			told += said
			if said > 0 {
				p.tryWell(judgeFailed(name, got, batch...), "%s", name)
			}
		}
	}
	require.Positive(t, told)
	p.figure("%d bytes: %d told, %d with the same bytes all the same", len(good), told, same)
}

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
