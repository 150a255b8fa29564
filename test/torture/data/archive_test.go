package data

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/torture/harness"
)

// TestLossless archives sound and damaged sessions. zstd(1), or the library if it is
// missing, restores every byte.
func TestLossless(t *testing.T) {
	p := harness.Parallel(t, "P8", "archives are lossless")
	_, noZstd := exec.LookPath("zstd")
	if noZstd != nil {
		p.Lacks("zstd(1), decoded by the library")
	}
	const size = 200
	for n := range harness.Times(3, 500) {
		p.Subtest(fmt.Sprint(n), func(p *harness.Promise) {
			rnd := harness.Rand(p, 0)
			dir, err := os.MkdirTemp("/dev/shm", "torture-") // fast, as each archive is synced
			if err != nil {
				dir = harness.Dir(p)
			}
			defer os.RemoveAll(dir)
			texts := map[string]string{}
			for i := range size {
				text, _ := harness.Session(rnd.Uint64(), rnd.IntN(4))
				at := rnd.IntN(len(text))
				texts[fmt.Sprintf("%d.jsonl", i)] = []string{text, text[:at], wrecked(rnd, 10, 5).String(), randomText(rnd), text[:at] + randomText(rnd) + text[at:]}[i%5]
			}
			harness.Write(p, dir, texts)
			require.Equal(p, harness.Outcome{}, harness.Run(p, dir, "jlcompact", append([]string{"--archive"}, harness.List(p, dir)...)...))
			archives := harness.List(p, dir)
			require.Len(p, archives, size)
			if noZstd == nil {
				cmd := exec.Command("zstd", append([]string{"-dqk", "--"}, archives...)...)
				cmd.Dir = dir
				out, err := cmd.CombinedOutput()
				require.NoError(p, err, "%s", out)
			}
			for name, text := range texts {
				got := ""
				if noZstd == nil {
					got = harness.Read(p, filepath.Join(dir, name))
				} else {
					got = harness.Unzstd(p, filepath.Join(dir, name+".zst"))
				}
				p.Try(got == text, "%s has other bytes", name)
			}
		})
	}
}

// TestDamagedArchive flips every bit of a small archive and cuts it at every byte. The
// damage is reported, or makes no difference, and nothing is printed that was not in
// the log. An archive cut to nothing is an empty file.
func TestDamagedArchive(t *testing.T) {
	p := harness.Parallel(t, "P10", "damage of an archive is reported, or makes no difference")
	const (
		text = `{"uuid":"a","parentUuid":null,"type":"user","message":{"content":"Why do the moons drift?"}}
{"uuid":"b","parentUuid":"a","type":"assistant","message":{"content":"Because of Euler."}}
{"uuid":"c","parentUuid":"b","type":"user","message":{"content":"Then replace him."}}
`
		between = `{"uuid":"between","parentUuid":null,"type":"user"}` + "\n"
	)
	dir := harness.Dir(t)
	harness.Write(t, dir, map[string]string{"whole.jsonl": text, "between.jsonl": between})
	require.Equal(t, harness.Outcome{}, harness.Run(t, dir, "jlcompact", "--archive", "--keep", "whole.jsonl"))
	archive := harness.Read(t, filepath.Join(dir, "whole.jsonl.zst"))
	damaged := map[string]string{}
	var names []string
	for i := range 8 * len(archive) {
		names = append(names, fmt.Sprintf("bit%d.zst", i))
		damaged[names[i]] = archive[:i/8] + string([]byte{archive[i/8] ^ 1<<(i%8)}) + archive[i/8+1:]
	}
	for n := 1; n < len(archive); n++ {
		name := fmt.Sprintf("cut%d.zst", n)
		names, damaged[name] = append(names, name), archive[:n]
	}
	harness.Write(t, dir, damaged)
	reported, same := 0, 0
	for _, program := range []string{"jlrev", "jlpath", "jlcompact"} {
		want := harness.Run(t, dir, program, "whole.jsonl")
		require.Equal(t, want, harness.Run(t, dir, program, "whole.jsonl.zst"))
		for some := range slices.Chunk(names, 200) {
			var args []string
			for _, name := range some {
				args = append(args, name, "between.jsonl")
			}
			got := harness.Run(t, dir, program, args...)
			p.Check(harness.ProblemOfEnd(program, got), "%s", program)
			printed := strings.Split(got.Stdout, between)
			require.Len(t, printed, len(some)+1, "%v", got)
			for i, name := range some {
				if strings.Contains(got.Stderr, program+": "+name+":") {
					reported++
					p.Try(harness.AllLinesIn(printed[i], text), "%s prints of %s what is not in the log: %q", program, name, printed[i])
				} else {
					same++
					p.Try(printed[i] == want.Stdout, "%s reports nothing of %s and prints %q", program, name, printed[i])
				}
			}
		}
	}
	require.Positive(t, reported)
	p.Remark("%d bytes: %d reported, %d without a difference", len(archive), reported, same)
}
