// Same compares the programs of two folders: it runs the same commands over many logs, and prints the
// commands whose output, messages or status differ. It is what a change that promises no other answer
// is proved by.
//
//	same [-v] OLD NEW DIR...
//
// The logs are all files below the folders whose names end in .jsonl or .json, and the logs in scripts
// (.txtar). Its status is 1 if a command differs.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/txtar"
)

// The commands that are compared.
var commands = []string{
	"jlpath", "jlpath --through", "jlpath --bridge", "jlpath -a", "jlpath --meta --session 00000000-0000-4000-8000-000000000001",
	"jlpath --as claude-2.1", "jlpath --as sdk", "jlleaf -a", "jltree", "jltree --check --notes", "jltree --graph",
	"jlcompact", "jlcompact --last 3", "jlcompact --list", "jlsnap", "jlrev", "jlrel --list",
}

func main() {
	verbose := flag.Bool("v", false, "print what differs")
	flag.Parse()
	if flag.NArg() < 3 {
		fmt.Fprintln(os.Stderr, "usage: same [-v] OLD NEW DIR...")
		os.Exit(2)
	}
	scratch, err := os.MkdirTemp("", "same")
	check(err)
	defer os.RemoveAll(scratch)
	var logs []string
	for _, dir := range flag.Args()[2:] {
		logs = append(logs, find(dir, scratch)...)
	}
	c := comparison{old: flag.Arg(0), new: flag.Arg(1), verbose: *verbose, home: filepath.Join(scratch, "home"), differs: map[string]int{}}
	check(os.Mkdir(c.home, 0o777))
	c.all(logs)
	total := 0
	for _, command := range commands {
		if n := c.differs[command]; n > 0 {
			fmt.Printf("%4d of %d differ: %s\n", n, len(logs), command)
			total += n
		}
	}
	fmt.Printf("%d logs, %d commands each, %d differ\n", len(logs), len(commands), total)
	if total > 0 {
		os.RemoveAll(scratch)
		os.Exit(1)
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "same:", err)
		os.Exit(2)
	}
}

func isLog(name string) bool {
	return strings.HasSuffix(name, ".jsonl") || strings.HasSuffix(name, ".json")
}

// find returns the logs below dir. It writes those in scripts to scratch.
func find(dir, scratch string) (logs []string) {
	check(filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Type().IsRegular() && isLog(name):
			logs = append(logs, name)
		case d.Type().IsRegular() && strings.HasSuffix(name, ".txtar"):
			script, err := txtar.ParseFile(name)
			if err != nil {
				return err
			}
			for i, f := range script.Files {
				if isLog(f.Name) {
					out := filepath.Join(scratch, fmt.Sprintf("%s-%d.jsonl", strings.ReplaceAll(name, "/", "-"), i))
					if err := os.WriteFile(out, f.Data, 0o666); err != nil {
						return err
					}
					logs = append(logs, out)
				}
			}
		}
		return nil
	}))
	return logs
}

// A comparison runs the commands of two folders.
type comparison struct {
	old, new, home string
	verbose        bool

	mu      sync.Mutex
	differs map[string]int // by command: the number of logs
}

func (c *comparison) all(logs []string) {
	var wg sync.WaitGroup
	queue := make(chan string)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for log := range queue {
				for _, command := range commands {
					c.one(command, log)
				}
			}
		})
	}
	for _, log := range logs {
		queue <- log
	}
	close(queue)
	wg.Wait()
}

func (c *comparison) one(command, log string) {
	before, after := c.run(c.old, command, log), c.run(c.new, command, log)
	if bytes.Equal(before, after) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.differs[command]++
	if c.verbose {
		fmt.Printf("%s %s\n%s", command, log, difference(before, after))
	}
}

// run returns what a command prints on both streams, and its status.
func (c *comparison) run(dir, command, log string) []byte {
	words := strings.Fields(command)
	cmd := exec.Command(filepath.Join(dir, words[0]), append(words[1:], log)...)
	cmd.Env = append(os.Environ(), "HOME="+c.home)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	fmt.Fprintf(&out, "messages:\n%sstatus: %v\n", errs.Bytes(), err)
	return out.Bytes()
}

// difference returns the lines that only one of two outputs has, cut short; or, if both have all lines,
// a line that says that their order differs.
func difference(before, after []byte) string {
	const most, width = 5, 160
	var b strings.Builder
	a, z := strings.Split(string(before), "\n"), strings.Split(string(after), "\n")
	for _, side := range []struct {
		mark         string
		lines, other []string
	}{{"-", a, z}, {"+", z, a}} {
		has, count := map[string]bool{}, 0
		for _, l := range side.other {
			has[l] = true
		}
		for i, l := range side.lines {
			if !has[l] {
				if count++; count <= most {
					fmt.Fprintf(&b, "  %s %d: %s\n", side.mark, i+1, l[:min(len(l), width)])
				}
			}
		}
		if count > most {
			fmt.Fprintf(&b, "  %s %d more\n", side.mark, count-most)
		}
	}
	if b.Len() == 0 {
		slices.Sort(a)
		slices.Sort(z)
		return fmt.Sprintf("  the same lines in another order, or another number of times: %v\n", slices.Equal(a, z))
	}
	return b.String()
}
