// Same compares the programs of two folders: it asks both the same questions about many logs and homes,
// and prints the questions that they answer otherwise: in what they print, in a message, in the status or in
// a file that they write. It is what a change that promises no other answer is proved by.
//
//	same [-v] OLD NEW DIR...
//
// The logs are all files below the folders whose names end in .jsonl or .json, and those in scripts
// (.txtar). The homes are all directories there that have what the home of an agent has; each is asked
// about each session that the names in it, or the old list of it, show. Its status is 1 if an answer
// differs.
package main

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"jl/test/corpus"
)

// What is asked about each log.
var aboutLogs = []string{
	"jlpath LOG", "jlpath --through LOG", "jlpath --bridge LOG", "jlpath -a LOG", "jlpath -s LOG", "jlpath -ts LOG", "jlpath -as LOG",
	"jlpath --meta --session 00000000-0000-4000-8000-000000000001 LOG",
	"jlpath --as claude-2.1 LOG", "jlpath --as sdk LOG", "jlleaf -a LOG", "jltree LOG", "jltree --check --notes LOG",
	"jltree --graph LOG", "jlcompact LOG", "jlcompact --last 3 LOG", "jlcompact --list LOG", "jlsnap LOG", "jlrev LOG",
	"jlrel --list LOG", "jlcompact --archive COPY; jltree COPY.zst; jlrev COPY.zst; jlcompact --extract COPY.zst",
}

// What is asked about each home, and about each session of it. OUT is an empty folder.
var (
	aboutHomes = []string{
		"jlrel --home HOME --list", "jlrel --home HOME --list --all", "jlrel --home HOME --list -0",
		"jlrel --home HOME --orphans", "jlrel --home HOME --orphans --missing", "jlrel --home HOME --orphans -0",
		"jlrel --home HOME --list --under /home --since 2026-01-01",
	}
	aboutSessions = []string{
		"jlrel --home HOME ID", "jlrel --home HOME -0 --relative ID", "jlrel --home HOME --report ID", "jlrel --home HOME --links ID",
		"jlpath --home HOME ID", "jltree --home HOME -H ID", "jlrev --home HOME ID", "jlsnap --home HOME --files ID",
		"jlsnap --home HOME --restore OUT/files ID",
	}
	aboutFiles = []string{"jlrel --home HOME FILE"}
)

// most is how many sessions, and files, of a home are asked about.
const most = 100

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
	c := comparison{old: flag.Arg(0), new: flag.Arg(1), verbose: *verbose, empty: filepath.Join(scratch, "empty"), differs: map[string]int{}}
	check(os.Mkdir(c.empty, 0o777))
	logs, homes, err := corpus.Find(scratch, flag.Args()[2:]...)
	check(err)
	questions := c.questions(logs, homes)
	c.ask(questions)
	total := 0
	for _, command := range slices.Sorted(maps.Keys(c.differs)) {
		fmt.Printf("%4d differ: %s\n", c.differs[command], command)
		total += c.differs[command]
	}
	fmt.Printf("%d logs, %d homes, %d questions, %d differ\n", len(logs), len(homes), len(questions), total)
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

// A question is a command line, or several, and what the words in capital letters mean in it.
type question struct {
	command         string
	log, home       string
	session, member string
}

// A comparison asks the programs of two folders.
type comparison struct {
	old, new string
	empty    string // a home in which nothing is
	verbose  bool

	mu      sync.Mutex
	differs map[string]int // by command
}

var idPattern = regexp.MustCompile(`"(?:sessionId|agentId)":"([^"\\]*)"`)

// questions returns what is asked about some logs and homes.
func (c *comparison) questions(logs, homes []string) (all []question) {
	for _, log := range logs {
		for _, command := range aboutLogs {
			all = append(all, question{command: command, log: log})
		}
	}
	for _, home := range homes {
		for _, command := range aboutHomes {
			all = append(all, question{command: command, home: home})
		}
		ids, files := map[string]bool{}, map[string]bool{}
		for _, command := range aboutHomes[1:5] {
			for _, m := range idPattern.FindAllSubmatch(c.run(c.old, question{command: command, home: home}), -1) {
				ids[string(m[1])] = true
			}
		}
		check(filepath.WalkDir(home, func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				files[name] = true
				stem, _, _ := strings.Cut(filepath.Base(name), ".")
				ids[stem] = true
				_, id, _ := strings.Cut(stem, "_")
				ids[id] = true
			}
			return nil
		}))
		delete(ids, "")
		for i, id := range slices.Sorted(maps.Keys(ids)) {
			for _, command := range aboutSessions {
				if i < most && id[0] != '-' {
					all = append(all, question{command: command, home: home, session: id})
				}
			}
		}
		for i, file := range slices.Sorted(maps.Keys(files)) {
			for _, command := range aboutFiles {
				if i < most {
					all = append(all, question{command: command, home: home, member: file})
				}
			}
		}
	}
	return all
}

// ask asks both folders' programs, and counts the answers that differ.
func (c *comparison) ask(all []question) {
	var wg sync.WaitGroup
	queue := make(chan question)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for q := range queue {
				before, after := c.run(c.old, q), c.run(c.new, q)
				if bytes.Equal(before, after) {
					continue
				}
				c.mu.Lock()
				c.differs[q.command]++
				if c.verbose {
					fmt.Printf("%s %s\n%s", q.command, q.log+q.home+" "+q.session+q.member, difference(before, after))
				}
				c.mu.Unlock()
			}
		})
	}
	for _, q := range all {
		queue <- q
	}
	close(queue)
	wg.Wait()
}

// run returns what the programs in dir answer: what they print on both streams, their status, and the files that
// they write.
func (c *comparison) run(dir string, q question) []byte {
	var out bytes.Buffer
	scratch, err := os.MkdirTemp(filepath.Dir(c.empty), "out")
	check(err)
	defer os.RemoveAll(scratch)
	if strings.Contains(q.command, "COPY") {
		log, err := os.ReadFile(q.log)
		check(err)
		check(os.WriteFile(filepath.Join(scratch, "log.jsonl"), log, 0o640))
		check(os.Chtimes(filepath.Join(scratch, "log.jsonl"), time.Time{}, corpus.Written))
	}
	for command := range strings.SplitSeq(q.command, "; ") {
		words := strings.Fields(command)
		for i, word := range words[1:] {
			for _, w := range [...][2]string{
				{"LOG", q.log}, {"HOME", q.home}, {"ID", q.session}, {"FILE", q.member}, {"COPY", filepath.Join(scratch, "log.jsonl")}, {"OUT", scratch},
			} {
				if rest, ok := strings.CutPrefix(word, w[0]); ok {
					words[i+1] = w[1] + rest
				}
			}
		}
		cmd := exec.Command(filepath.Join(dir, words[0]), words[1:]...)
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + c.empty, "TZ=UTC", "LC_ALL=C.UTF-8"}
		var errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		err := cmd.Run()
		fmt.Fprintf(&out, "messages:\n%sstatus: %v\n", errs.Bytes(), err)
	}
	check(filepath.WalkDir(scratch, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		check(err)
		content, err := os.ReadFile(name)
		fmt.Fprintf(&out, "file %s %v %x %v", name, info.Mode(), sha256.Sum256(content), err)
		if strings.HasPrefix(filepath.Base(name), "log.") {
			fmt.Fprint(&out, " ", info.ModTime().UTC())
		}
		out.WriteByte('\n')
		return nil
	}))
	return bytes.ReplaceAll(out.Bytes(), []byte(scratch), []byte("OUT"))
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
