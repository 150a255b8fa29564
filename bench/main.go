// Bench compares the programs with others that do about the same job, and prints a table
// of ratios.
//
// Usage:
//
//	bench [-bin DIR] [-sizes LIST] [-times N] [-seed N] [-svg FILE]
//
// It makes a log of each size in a new directory under TMPDIR, and removes it at the end.
// Then it runs each program and its peer in turn, so that both see the same machine, and
// prints the ratios of the pairs: their median, smallest and largest. A peer that is not
// installed is skipped. Memory below that of this program itself cannot be seen.
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
	sizes := flag.String("sizes", "16M,256M", "the sizes of the logs, with M or G for MiB or GiB")
	times := flag.Int("times", 7, "how many pairs are run of each comparison")
	seed := flag.Uint64("seed", 1, "the seed of the logs")
	svg := flag.String("svg", "", "write a picture of the ratios to `FILE`")
	flag.Parse()
	if err := bench(*bin, strings.Split(*sizes, ","), *times, *seed, *svg); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func bench(bin string, sizes []string, times int, seed uint64, svg string) error {
	dir, err := os.MkdirTemp("", "jl-bench-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s := suite{bin: bin, simdjson: filepath.Join(dir, "simdjson"), times: times}
	// Without the library the peer does not exist, and is skipped.
	_ = exec.Command("c++", "-O3", "-march=native", "-o", s.simdjson, "bench/peers/simdjson.cc", "-lsimdjson").Run()

	fmt.Printf("%s, %d processors, %s/%s, seed %d, %d pairs\n", cpuName(), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, seed, times)
	for _, name := range []string{filepath.Join(bin, "jltree"), "wc", "jq", "gojq", "node", "c++"} {
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
	for _, size := range sizes {
		n, err := parseSize(size)
		if err != nil {
			return err
		}
		log := filepath.Join(dir, size+".jsonl")
		if err := writeCorpus(log, n, seed); err != nil {
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
	bin, simdjson string
	times         int
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
	return []comparison{
		{"jltree", "tail -n1", []string{s.program("jltree"), empty}, []string{"tail", "-n1", empty}, 10 * s.times},
		{"jltree", "jq", []string{s.program("jltree"), empty}, []string{"jq", ".", empty}, s.times},
	}
}

// slowest is the size of the largest log that the slow peers read.
const slowest = 256 << 20

// large returns the comparisons over a log of the given size.
func (s suite) large(log string, size int64) []comparison {
	const fields = `{uuid, parentUuid, type, timestamp} | select(.uuid)`
	jltree, jlleaf, jlpath, jlrev := s.program("jltree"), s.program("jlleaf"), s.program("jlpath"), s.program("jlrev")
	list := []comparison{
		{"jltree", "wc -l", []string{jltree, log}, []string{"wc", "-l", log}, s.times},
		{"jltree", "simdjson", []string{jltree, log}, []string{s.simdjson, log}, s.times},
		{"jlleaf", "wc -l", []string{jlleaf, log}, []string{"wc", "-l", log}, s.times},
		{"jlpath", "wc -l", []string{jlpath, log}, []string{"wc", "-l", log}, s.times},
		{"jltree --check", "jltree", []string{jltree, "--check", log}, []string{jltree, log}, s.times},
		{"jlrev", "tac", []string{jlrev, log}, []string{"tac", log}, s.times},
	}
	if size <= slowest {
		list = append(list,
			comparison{"jltree", "jq", []string{jltree, log}, []string{"jq", "-c", fields, log}, 1},
			comparison{"jltree", "gojq", []string{jltree, log}, []string{"gojq", "-c", fields, log}, 1},
			comparison{"jlpath", "node", []string{jlpath, log}, []string{"node", "bench/peers/path.mjs", log}, 3})
	}
	return list
}
