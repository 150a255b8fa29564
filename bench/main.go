// Bench compares the programs with others that do about the same job, and prints a table
// of ratios.
//
// Usage:
//
//	bench [-bin DIR] [-old DIR] [-sizes LIST] [-sessions N] [-times N] [-seed N] [-svg FILE]
//	bench -ends DIR
//	bench -make FILE -sizes SIZE [-short] [-seed N]
//	bench -make DIR -sessions N -sizes "" [-seed N]
//
// It makes a log of each size, and a home with many sessions, in a new directory under TMPDIR,
// and removes them at the end. It runs each program and its peer in turn, so that both see the
// same machine, and prints the ratios of the pairs: their median, smallest and largest. A peer
// that is not installed is skipped. Memory below that of this program itself cannot be seen.
//
// With -old the peers are the same programs of another build, and the logs one of long lines and one of
// short lines. So it shows what a change costs.
//
// With -ends it is a peer itself: it reads 64 KiB at each end of all logs below a directory.
// With -make it makes only a log, or a home. It makes all logs in processes of their own, in
// order to stay small.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

func main() {
	bin := flag.String("bin", "bin", "the `directory` of the programs")
	old := flag.String("old", "", "compare with the build in `DIR` instead")
	short := flag.Bool("short", false, "with -make: make a log of short lines")
	sizes := flag.String("sizes", "16M,256M", "the sizes of the logs, with M or G for MiB or GiB")
	times := flag.Int("times", 7, "how many pairs are run of each comparison")
	seed := flag.Uint64("seed", 1, "the seed of the logs")
	sessions := flag.Int("sessions", 2000, "how many sessions the home has that is listed")
	svg := flag.String("svg", "", "write a picture of the ratios to `FILE`")
	ends := flag.String("ends", "", "read both ends of the logs below `DIR`")
	name := flag.String("make", "", "make the log, or the home, `NAME`")
	flag.Parse()
	var err error
	switch {
	case *ends != "":
		err = readEnds(*ends)
	case *name != "" && *sizes == "":
		err = writeHome(*name, *sessions, *seed)
	case *name != "":
		var size int64
		if size, err = parseSize(*sizes); err == nil {
			longest := longText
			if *short {
				longest = shortText
			}
			err = writeCorpus(*name, size, longest, *seed)
		}
	case *old != "":
		err = builds(*bin, *old, strings.Split(*sizes, ","), *times, *seed)
	default:
		err = bench(*bin, strings.Split(*sizes, ","), *sessions, *times, *seed, *svg)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// These are how long the texts of a log may be, in bytes.
const (
	longText  = 8 << 20
	shortText = 800
)

func bench(bin string, sizes []string, sessions, times int, seed uint64, svg string) error {
	dir, self, err := begin()
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s := suite{bin: bin, self: self, simdjson: filepath.Join(dir, "simdjson"), nothing: filepath.Join(dir, "nothing"), times: times}
	build := exec.Command("go", "build", "-o", s.nothing, "./bench/peers/nothing")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	// Without the library the peer does not exist, and is skipped.
	_ = exec.Command("c++", "-O3", "-march=native", "-o", s.simdjson, "bench/peers/simdjson.cc", "-lsimdjson").Run()

	fmt.Printf("%s, %d processors, %s/%s, seed %d, %d pairs\n", cpuName(), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, seed, times)
	for _, name := range []string{filepath.Join(bin, "jltree"), "wc", "jq", "gojq", "node", "zstd", "duckdb", "c++"} {
		if v := version(name); v != "" {
			fmt.Printf("%s: %s\n", filepath.Base(name), v)
		}
	}
	fmt.Println()

	empty := filepath.Join(dir, "empty.jsonl")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		return err
	}
	results, err := s.all(s.small(empty), "empty")
	if err != nil {
		return err
	}
	if sessions > 0 {
		home := filepath.Join(dir, "home")
		if err := s.make(home, seed, "-sizes", "", "-sessions", strconv.Itoa(sessions)); err != nil {
			return err
		}
		more, err := s.all(s.lists(home), fmt.Sprintf("%d logs", sessions))
		if err != nil {
			return err
		}
		results = append(results, more...)
		if err := os.RemoveAll(home); err != nil {
			return err
		}
	}
	for _, size := range sizes {
		n, err := parseSize(size)
		if err != nil {
			return err
		}
		log := filepath.Join(dir, size+".jsonl")
		if err := s.make(log, seed, "-sizes", size); err != nil {
			return err
		}
		more, err := s.all(s.large(log, n), size)
		if err != nil {
			return err
		}
		results = append(results, more...)
		if err := os.Remove(log); err != nil {
			return err
		}
	}
	writeTable(os.Stdout, results)
	writeSlopes(os.Stdout, results, sizes)
	if svg == "" {
		return nil
	}
	f, err := os.Create(svg)
	if err != nil {
		return err
	}
	writePicture(f, results)
	return f.Close()
}

// begin makes a directory for logs, and returns it and the file of this program, which makes them.
func begin() (dir, self string, err error) {
	if self, err = os.Executable(); err == nil {
		dir, err = os.MkdirTemp("", "jl-bench-*")
	}
	return dir, self, err
}

// parseSize returns the size that a text such as 16M means, in bytes.
func parseSize(text string) (int64, error) {
	for suffix, unit := range map[string]int64{"M": 1 << 20, "G": 1 << 30} {
		if digits, found := strings.CutSuffix(text, suffix); found {
			n, err := strconv.ParseInt(digits, 10, 32)
			return n * unit, err
		}
	}
	return 0, fmt.Errorf("size %q has neither M nor G", text)
}

// A suite is the comparisons.
type suite struct {
	bin               string // the directory of the programs
	self              string // this program
	simdjson, nothing string // peers that it builds
	times             int
}

// make makes a log, or a home, in a process of its own.
func (s suite) make(name string, seed uint64, options ...string) error {
	out, err := exec.Command(s.self, append(options, "-make", name, "-seed", strconv.FormatUint(seed, 10))...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// all runs comparisons over a log of the given size.
func (s suite) all(list []comparison, size string) ([]result, error) {
	var results []result
	for _, c := range list {
		fmt.Fprintf(os.Stderr, "%s: %s / %s\n", size, c.name, c.peerName)
		r, err := compare(c)
		if err != nil {
			return nil, err
		}
		r.size = size
		results = append(results, r)
	}
	return results, nil
}

// program returns the path of one of the programs.
func (s suite) program(name string) string { return filepath.Join(s.bin, name) }

// small returns the comparisons of what a start costs. Each is so short that it needs many
// pairs.
func (s suite) small(empty string) []comparison {
	jltree := []string{s.program("jltree"), empty}
	return []comparison{
		{name: "jltree", peerName: "tail -n1", argv: jltree, peer: []string{"tail", "-n1", empty}, times: 10 * s.times},
		{name: "jltree", peerName: "an empty Go program", argv: jltree, peer: []string{s.nothing}, times: 10 * s.times},
		{name: "jltree", peerName: "jq", argv: jltree, peer: []string{"jq", ".", empty}, times: s.times},
	}
}

// lists returns the comparisons over a home with many sessions: the list, and questions with the library for jq.
func (s suite) lists(home string) []comparison {
	all := fmt.Sprintf(`%s --home %s --list | %s -a`, s.program("jlrel"), home, s.program("jlpath"))
	logs := home + "/projects/*/*.jsonl"
	shell := func(format string, args ...any) []string { return []string{"sh", "-c", fmt.Sprintf(format, args...)} }
	tokens := shell(`%s --said=usage | jq -nc -L share/jl 'include "jl"; usage_by({day, model}; inputs)'`, all)
	const sums = `reduce (inputs | select(.message.usage?)) as $e ({}; .[$e.timestamp[:10]] += $e.message.usage.input_tokens)`
	const table = `SELECT substr("timestamp", 1, 10), sum(message.usage.input_tokens) FROM read_json('%s', format = 'newline_delimited', maximum_object_size = 100000000, ` +
		`columns = {timestamp: 'VARCHAR', message: 'STRUCT(usage STRUCT(input_tokens BIGINT))'}) GROUP BY 1`
	list := []comparison{
		{
			name: "jlrel --list", peerName: "reading both ends",
			argv: []string{s.program("jlrel"), "--home", home, "--list"}, peer: []string{s.self, "-ends", home},
		},
		{name: "tokens by day", peerName: "jq", argv: tokens, peer: shell(`jq -nc '%s' %s`, sums, logs)},
		{name: "tokens by day", peerName: "duckdb", argv: tokens, peer: []string{"duckdb", "-c", fmt.Sprintf(table, logs)}},
		{name: "tokens by day", peerName: "ccusage", argv: tokens, peer: []string{"env", "CLAUDE_CONFIG_DIR=" + home, "ccusage", "daily", "--offline", "--json"}},
		{
			name: "all prompts", peerName: "jq", argv: shell(`%s --said=prompt | jq -nr -L share/jl 'include "jl"; prompts(inputs)'`, all),
			peer: shell(`jq -r 'select(.type == "user").message.content | strings' %s`, logs),
		},
	}
	for i := range list {
		list[i].times = s.times
	}
	return list
}

// slowest is the size of the largest log that the slow peers read.
const slowest = 256 << 20

// large returns the comparisons over a log of the given size.
func (s suite) large(log string, size int64) []comparison {
	const fields = `{uuid, parentUuid, type, timestamp} | select(.uuid)`
	const columns = `{uuid: 'VARCHAR', parentUuid: 'VARCHAR', type: 'VARCHAR', timestamp: 'VARCHAR'}`
	query := fmt.Sprintf(`COPY (SELECT * FROM read_json('%s', format = 'newline_delimited', maximum_object_size = 100000000, columns = %s) WHERE uuid IS NOT NULL) TO '/dev/null'`, log, columns)
	newest := []string{"sh", "-c", `"$0" "$1" | head -n1`, s.program("jlrev"), log}
	archive := log + ".zst"
	safely := []string{"sh", "-c", `zstd -q -3 -k "$0" && zstd -q -t "$0.zst" && sync "$0.zst"`, log}
	own := func(name string, options ...string) []string {
		return append(append([]string{s.program(name)}, options...), log)
	}
	list := []comparison{
		{name: "jltree", peerName: "wc -l", argv: own("jltree"), peer: []string{"wc", "-l", log}},
		{name: "jltree", peerName: "simdjson", argv: own("jltree"), peer: []string{s.simdjson, log}},
		{name: "jltree", peerName: "duckdb", argv: own("jltree"), peer: []string{"duckdb", "-c", query}},
		{name: "jlleaf", peerName: "wc -l", argv: own("jlleaf"), peer: []string{"wc", "-l", log}},
		{name: "jlpath", peerName: "wc -l", argv: own("jlpath"), peer: []string{"wc", "-l", log}},
		{name: "jlpath -as", peerName: "jlpath -a", argv: own("jlpath", "-as"), peer: own("jlpath", "-a")},
		{name: "jlpath -a --said=usage", peerName: "jlpath -a", argv: own("jlpath", "-a", "--said=usage"), peer: own("jlpath", "-a")},
		{name: "jltree --check", peerName: "jltree", argv: own("jltree", "--check"), peer: own("jltree")},
		{name: "jlrev", peerName: "tac", argv: own("jlrev"), peer: []string{"tac", log}},
		{name: "first line of jlrev", peerName: "tail -n1", argv: newest, peer: []string{"tail", "-n1", log}},
	}
	for i := range list {
		list[i].times = s.times
	}
	if size <= slowest {
		list = append(list,
			comparison{name: "jltree", peerName: "jq", argv: own("jltree"), peer: []string{"jq", "-c", fields, log}, times: 1},
			comparison{name: "jltree", peerName: "gojq", argv: own("jltree"), peer: []string{"gojq", "-c", fields, log}, times: 1},
			comparison{name: "jlpath", peerName: "node", argv: own("jlpath"), peer: []string{"node", "bench/peers/path.mjs", log}, times: 3},
			comparison{name: "jlcompact --archive", peerName: "zstd -3, zstd -t, sync", argv: own("jlcompact", "--archive", "--keep"), peer: safely, times: 3, made: archive})
	}
	return list
}
