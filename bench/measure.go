package main

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

// A cost is what one run of a program took.
type cost struct {
	wall, cpu time.Duration
	peak      int64 // of its memory, in KiB
}

// run runs a program with its output discarded, after it has removed a file that an earlier
// run may have made.
func run(argv []string, made string) (cost, error) {
	if made != "" {
		if err := os.RemoveAll(made); err != nil {
			return cost{}, err
		}
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	start := time.Now()
	err := cmd.Run()
	c := cost{wall: time.Since(start)}
	if err != nil {
		return c, fmt.Errorf("%s: %w: %s", strings.Join(argv, " "), err, stderr.String())
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	c.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	c.peak = usage.Maxrss
	return c, nil
}

// A comparison is a program and its peer, which do about the same job.
type comparison struct {
	name, peerName string
	argv, peer     []string
	times          int    // how many pairs are run
	made           string // a file that both make, or ""
}

// A result is what a comparison found.
type result struct {
	comparison
	size            string    // of the log
	wall, cpu, most []float64 // the ratios of the pairs, sorted; most are those of the peaks
	own             []cost    // the runs of the program, by wall time
	skipped         string    // why there is nothing else
}

// compare runs a program and its peer in turn, after one run of each that does not count,
// and returns the ratios.
func compare(c comparison) (result, error) {
	r := result{comparison: c}
	for _, argv := range [][]string{c.argv, c.peer} {
		name := argv[0]
		if name == "env" {
			name = argv[2]
		}
		if _, err := exec.LookPath(name); err != nil {
			r.skipped = name + " is not installed"
			return r, nil
		}
	}
	for i := range c.times + 1 {
		own, err := run(c.argv, c.made)
		if err != nil {
			return r, err
		}
		peer, err := run(c.peer, c.made)
		if err != nil {
			return r, err
		}
		if i == 0 {
			continue
		}
		r.own = append(r.own, own)
		r.wall = append(r.wall, own.wall.Seconds()/peer.wall.Seconds())
		r.most = append(r.most, float64(own.peak)/float64(peer.peak))
		if peer.cpu > 0 {
			r.cpu = append(r.cpu, own.cpu.Seconds()/peer.cpu.Seconds())
		}
	}
	slices.Sort(r.wall)
	slices.Sort(r.cpu)
	slices.Sort(r.most)
	slices.SortFunc(r.own, func(a, b cost) int { return int(a.wall - b.wall) })
	return r, nil
}

// median returns the median of sorted values, 0 if there are none.
func median(sorted []float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[len(sorted)/2]
}

// peak returns the largest peak memory of the runs of the program, in MiB.
func (r result) peak() int64 {
	var most int64
	for _, c := range r.own {
		most = max(most, c.peak)
	}
	return most >> 10
}

// version returns the first line that a program prints about its version, "" if it is not
// installed.
func version(name string) string {
	out, err := exec.Command(name, "--version").Output()
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return line
}

// cpuName returns the name of the processor, "" if the system does not tell.
func cpuName() string {
	info, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(info)) {
		if name, found := strings.CutPrefix(line, "model name\t: "); found {
			return strings.TrimSpace(name)
		}
	}
	return ""
}
