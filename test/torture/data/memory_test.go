package data

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/torture/harness"
)

// small is the memory that a program may use if it need not hold the log.
const small = 64 << 20

// TestMemoryOfStreams runs programs that need not hold the log on a large one, in a
// control group whose memory includes the page cache.
func TestMemoryOfStreams(t *testing.T) {
	p := harness.NewPromise(t, "P17", "memory is bounded: 64 MB, whatever the size of the log")
	g := bigLog{n: harness.Pick(250_000, 10<<20), live: 1000}
	dir := harness.Dir(t)
	var disk syscall.Statfs_t
	if require.NoError(t, syscall.Statfs(dir, &disk)); harness.Long() && uint64(disk.Bavail)*uint64(disk.Bsize) < 25<<30 {
		p.Lacks("room for 11 GB")
		g.n = 1 << 20
	}
	writeParts(t, filepath.Join(dir, "big"), g.entries(0, g.n))
	info, err := os.Stat(filepath.Join(dir, "big"))
	require.NoError(t, err)
	p.Remark("%d MB", info.Size()>>20)
	group, err := harness.MemoryGroup(t, small)
	if err != nil {
		p.Lacks("control group for memory")
	}
	packed, err := os.Create(filepath.Join(dir, "packed.zst"))
	require.NoError(t, err)
	defer packed.Close()

	var peak int64
	run := func(wrapper []string, program, args string, stdin io.Reader, want func() string, count int) {
		cmd := harness.Wrapped(t, wrapper, program, strings.Fields(args)...)
		compared, counted := &comparer{next: want}, lines(0)
		cmd.Dir, cmd.Stdin, cmd.Stdout = dir, stdin, &counted
		if want != nil {
			cmd.Stdout = compared
		} else if count == 0 {
			cmd.Stdout = packed
		}
		got := harness.Measure(t, cmd)
		if want != nil {
			p.Check(compared.problem(), "%s %s", program, args)
		}
		p.Try(got.Status == 0 && got.Stderr == "" && got.Peak < small && int(counted) == count, "%s %s: peak %d MB, %d lines, want %d: %v", program, args, got.Peak>>20, counted, count, got.Outcome)
		peak = max(peak, got.Peak)
	}
	cut := g.n - g.live
	run(group, "jlrev", "big", nil, g.reversed(0, g.n), 0)
	run(group, "jltree", "big", nil, nil, g.n)
	run(group, "jltree", "", partReader{g.entries(0, g.n)}, nil, g.n)
	run(group, "jlcompact", "big", nil, g.entries(cut, g.n), 0)
	run(group, "jlcompact", "--last 3 --no-summary big", nil, g.entries(g.n-3, g.n), 0)
	run(group, "jlcompact", "--cold big", nil, g.entries(0, cut), 0)
	run(group, "jlcompact", "--list big", nil, nil, 2)
	run(group, "jlcompact", "-n 2 big", nil, g.entries(cut, g.n), 0)
	run(group, "jlcompact", "--cold -z big", nil, nil, 0) // writes packed.zst
	run(group, "jlrev", "packed.zst", nil, g.reversed(0, cut), 0)
	run(group, "jltree", "packed.zst", nil, nil, cut)
	// These spool a pipe, which fills the page cache.
	if harness.Long() {
		g.n = 1 << 20
	}
	run(nil, "jlrev", "", partReader{g.entries(0, g.n)}, g.reversed(0, g.n), 0)
	run(nil, "jlcompact", "", partReader{g.entries(0, g.n)}, g.entries(g.n-g.live, g.n), 0)
	p.Remark("peak %d MB", peak>>20)
}

// TestMemoryOfTrees measures what programs hold of each entry if they need all.
func TestMemoryOfTrees(t *testing.T) {
	p := harness.NewPromise(t, "P17", "…where all entries must be known, 200 bytes of each")
	g := bigLog{n: harness.Pick(100_000, 4_000_000), live: 10}
	dir := harness.Dir(t)
	writeParts(t, filepath.Join(dir, "big"), g.entries(0, g.n))
	writeParts(t, filepath.Join(dir, "little"), bigLog{n: 20, live: 10}.entries(0, 20))
	for _, test := range []struct {
		program, args string
		lines         int
	}{
		{"jltree", "--check", 1},
		{"jlleaf", "", 1},
		{"jlleaf", "-a", 2},
		{"jlpath", "--through", g.n},
		{"jlpath", "--through --meta", g.n},
		{"jlpath", "--as claude-2.1", 10},
		{"jlpath", "--as sdk", 9},
		{"jlsnap", "", 0},
		{"jlrel", "--links --home .", 1},
	} {
		var ignored, printed lines
		base := measure(t, dir, test.program, test.args+" little", nil, &ignored)
		got := measure(t, dir, test.program, test.args+" big", nil, &printed)
		each := (got.Peak - base.Peak) / int64(g.n)
		name := strings.TrimSpace(test.program + " " + test.args)
		p.Try(got.Status <= 1 && got.Stderr == "" && int(printed) == test.lines && each <= 200, "%s: %d bytes for each entry, %d lines, want %d: %v", name, each, printed, test.lines, got.Outcome)
		p.Remark("%s %d B", name, each)
	}
}

// TestOneLongLine prints a log with a line of megabytes between two short ones.
// Programs that read entries hold the line, but jlrev does not.
func TestOneLongLine(t *testing.T) {
	p := harness.NewPromise(t, "P18", "one huge line: exact, its neighbours kept")
	megabytes := harness.Pick(32, 1024)
	a, c := harness.Node(1, "a", "", ""), harness.Node(3, "c", "b", "")
	begin, end, _ := strings.Cut(harness.Node(2, "b", "a", harness.Text("@")), "@")
	log := func(first, last string) func() string {
		return parts(megabytes+4, func(i int) string {
			switch i {
			case 0:
				return first
			case 1:
				return begin
			case megabytes + 2:
				return end
			case megabytes + 3:
				return last
			}
			return strings.Repeat(noise[i%1000:][:32<<10], 32)
		})
	}
	dir := harness.Dir(t)
	writeParts(t, filepath.Join(dir, "log"), log(a, c))
	for _, test := range []struct {
		program, args string
		want          func() string
		lines         int
		copies        int64 // of the line that may be in memory
	}{
		{"jlrev", "", log(c, a), 0, 0},
		{"jlpath", "", log(a, c), 0, 4},
		{"jlcompact", "", log(a, c), 0, 4},
		{"jlcompact", "--last 9", log(a, c), 0, 4},
		{"jltree", "", nil, 3, 4},
		{"jltree", "--check", nil, 1, 4},
		{"jlleaf", "-a", nil, 1, 6},
		{"jlrel", "--links --home .", nil, 0, 4},
	} {
		compared, counted := &comparer{next: test.want}, lines(0)
		var out io.Writer = &counted
		if test.want != nil {
			out = compared
		}
		got := measure(t, dir, test.program, test.args+" log", nil, out)
		problem := ""
		if test.want != nil {
			problem = compared.problem()
		}
		name := strings.TrimSpace(test.program + " " + test.args)
		most := small + test.copies*int64(megabytes)<<20
		p.Try(problem == "" && got.Status <= 1 && got.Stderr == "" && int(counted) == test.lines && got.Peak < most,
			"%s: %s, %d lines, want %d, peak %d MB: %v", name, problem, counted, test.lines, got.Peak>>20, got.Outcome)
		p.Remark("%s %d MB", name, got.Peak>>20)
	}
	p.Remark("a line of %d MB", megabytes)
}

// TestMemoryRunsOut gives too little memory to the programs. They succeed with all of
// the output, report trouble, or end by a signal.
func TestMemoryRunsOut(t *testing.T) {
	p := harness.NewPromise(t, "P32", "no memory error is hidden: all of the output, or trouble")
	dir := harness.Dir(t)
	graphs[0].write(t, filepath.Join(dir, "chain"), harness.Pick(40_000, 400_000))
	harness.Write(t, dir, map[string]string{"long": harness.Node(1, "a", "", harness.Text(strings.Repeat("x", 40<<20))) + harness.Node(2, "b", "a", "")})
	failed := map[string]int{}
	for _, c := range []string{
		"jlpath chain", "jltree --check chain", "jlleaf -a chain", "jlcompact -z chain", "jlcompact --last 9 chain",
		"jlpath long", "jltree long", "jlrev long", "jlcompact long",
	} {
		words := strings.Fields(c)
		want := harness.Run(t, dir, words[0], words[1:]...)
		require.Zero(t, want.Status, want)
		for megabytes := 4; megabytes <= 64; megabytes += harness.Pick(12, 4) {
			limits := map[string][]string{"ulimit": harness.Shell(fmt.Sprintf("ulimit -d %d || exit 125", megabytes<<10))}
			if group, err := harness.MemoryGroup(t, int64(megabytes)<<20); err == nil {
				limits["control group"] = group
			} else {
				p.Lacks("control group for memory")
			}
			for by, limit := range limits {
				cmd := harness.Wrapped(t, limit, words[0], words[1:]...)
				cmd.Dir = dir
				got := harness.Execute(t, cmd)
				trouble := got.Signal != 0 || got.Status == 2 && got.Stderr != ""
				p.Try(!got.Hung && (trouble || got.Status == want.Status && got.Stdout == want.Stdout), "%s with %d MB by %s: %v", c, megabytes, by, got)
				if trouble {
					failed[by]++
				}
			}
		}
	}
	p.Remark("%d runs failed by control group, %d by ulimit", failed["control group"], failed["ulimit"])
}
