package data

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
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

// TestLyingArchives gives the programs archives of another writer. Their frames end anywhere, and the seek
// table lies about them; in some a frame has another header, too. The answer is that for the log, or trouble.
func TestLyingArchives(t *testing.T) {
	p := harness.Parallel(t, "P10", "a lying seek table or frame header is reported, or makes no difference")
	rnd := harness.Rand(t, 0)
	for range harness.Times(60, 4000) / harness.Each(3) {
		text, _ := harness.Session(rnd.Uint64(), 1+rnd.IntN(4))
		archive := lying(rnd, text)
		log, packed := harness.Dir(t), harness.Dir(t)
		harness.Write(t, log, map[string]string{"s.jsonl": text})
		harness.Write(t, packed, map[string]string{"s.jsonl": archive})
		for _, command := range []string{"jlrev", "jltree", "jlleaf -a", "jlpath --through", "jlsnap", "jlrel --links --home .", "jlcompact", "jlcompact --cold", "jlcompact --last 3"} {
			words := append(strings.Fields(command), "s.jsonl")
			want, got := harness.Run(t, log, words[0], words[1:]...), harness.Run(t, packed, words[0], words[1:]...)
			p.Check(harness.Problem(words[0], want, got, "s.jsonl"), "%s of %q", command, archive)
		}
	}
}

// lying returns a log as zstd frames with a seek table that is wrong.
func lying(rnd *rand.Rand, text string) string {
	var packed strings.Builder
	var sizes []uint32 // of each frame, compressed and not
	for text != "" {
		part := text[:1+rnd.IntN(len(text))]
		text = text[len(part):]
		frame := []byte(harness.Zstd(part))
		if rnd.IntN(8) == 0 {
			frame[4+rnd.IntN(8)] ^= 1 << rnd.IntN(8) // the window, the size, a checksum, the first block
		}
		packed.Write(frame)
		sizes = append(sizes, uint32(len(frame)), uint32(len(part)))
	}
	count, flags, at := len(sizes)/2, byte(0), rnd.IntN(len(sizes))
	frame := at &^ 1
	switch rnd.IntN(8) {
	case 0:
		sizes[at] += uint32(rnd.IntN(9) - 4)
	case 1:
		sizes[at] = rnd.Uint32()
	case 2: // the sums are right
		n, to := uint32(rnd.IntN(20)), (at+2)%len(sizes)
		sizes[at], sizes[to] = sizes[at]+n, sizes[to]-n
	case 3: // frames overlap
		sizes = append(sizes, sizes[frame:frame+2]...)
		count++
	case 4: // two frames are one
		if next := frame + 2; next < len(sizes) {
			sizes[frame], sizes[frame+1] = sizes[frame]+sizes[next], sizes[frame+1]+sizes[next+1]
			sizes = slices.Delete(sizes, next, next+2)
			count--
		}
	case 5:
		count += rnd.IntN(5) - 2
	case 6:
		flags = byte(rnd.IntN(256)) // as if there were checksums
	case 7:
		rnd.Shuffle(len(sizes), func(i, j int) { sizes[i], sizes[j] = sizes[j], sizes[i] })
	}
	table := binary.LittleEndian.AppendUint32([]byte("\x5e\x2a\x4d\x18"), uint32(4*len(sizes)+9))
	for _, size := range sizes {
		table = binary.LittleEndian.AppendUint32(table, size)
	}
	table = append(binary.LittleEndian.AppendUint32(table, uint32(count)), flags)
	packed.Write(binary.LittleEndian.AppendUint32(table, 0x8f92eab1))
	return packed.String()
}
