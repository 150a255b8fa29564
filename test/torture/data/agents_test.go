package data

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/torture/harness"
)

// TestSurvivesInAllDialects damages the logs of all agents as crashes, editors and sync tools do. A path is its own path
// then, too, and the healed log is its own.
func TestSurvivesInAllDialects(t *testing.T) {
	p := harness.Parallel(t, "P12", "…the logs of all agents with lines cut, lost, twice, swapped, glued or behind NULs: a path is its own path")
	files, err := filepath.Glob("../../../testdata/questions*.jsonl")
	require.NoError(t, err)
	require.Greater(t, len(files), 8)
	rnd := harness.Rand(t, 0)
	var texts []string
	for range harness.Times(6, 100) {
		for _, file := range files {
			lines := slices.Collect(strings.Lines(harness.Read(t, file)))
			texts = append(texts, strings.Join(harmed(rnd, lines), ""))
		}
	}
	for some := range slices.Chunk(texts, 500) {
		b := newBatch(t, some)
		for _, c := range calls {
			p.Check(b.problem(p, c, c.run(p, b.dir, b.files...)), "%v", c)
		}
		for i, text := range some {
			for _, args := range [][]string{nil, {"-a"}} {
				once := harness.Run(p, b.dir, "jlpath", append(args, b.files[i])...).Stdout
				p.Try(once == "" || harness.RunPipe(p, once, "jlpath", args...).Stdout == once, "jlpath %v of %q", args, harness.Shorten(text))
			}
		}
	}
}

// harmed returns lines after one kind of harm, at up to three places.
func harmed(rnd *rand.Rand, lines []string) []string {
	lines = slices.Clone(lines)
	kind := rnd.IntN(7)
	for range 1 + rnd.IntN(3) {
		if len(lines) == 0 {
			break
		}
		at := rnd.IntN(len(lines))
		switch line := lines[at]; kind {
		case 0:
			lines = slices.Delete(lines, at, at+1)
		case 1:
			lines = slices.Insert(lines, rnd.IntN(len(lines)+1), line)
		case 2:
			next := min(at+1, len(lines)-1)
			lines[at], lines[next] = lines[next], line
		case 3:
			lines[at] = line[:rnd.IntN(len(line)+1)]
		case 4:
			lines[at] = strings.TrimSuffix(line, "\n")
		case 5:
			lines[at] = "\x00\x00\x00" + line
		default: // as a crash leaves the end
			return append(lines[:at], line[:rnd.IntN(len(line)+1)])
		}
	}
	return lines
}
