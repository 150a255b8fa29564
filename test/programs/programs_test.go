// Package programs runs real coding agents, as npm has them, in a temporary folder against an api of its own that answers by scripts and writes
// down each request, and compares what jlpath says of their logs with what the api saw and sent: prompts, answers, calls, results, which of
// them failed, tokens, the next request; what git makes of their diffs, and their session in the list. So a new release of a program
// is tried by one line:
//
//	make programs PROGRAM=claude
//
// A program that cannot be installed is skipped by its name. PROGRAMS_NPM is a folder in which the programs stay installed,
// PROGRAMS_KEEP one in which their homes stay.
package programs

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A run is one try of a program, in a folder of its own.
type run struct {
	*program
	t    *testing.T
	bin  string // of our own programs
	user string // the directory of the user
	home string // of the program
	work string // the project
	url  string // of the api
	env  []string
	path string // of the program
	api  *api
}

// before are the files of the project before the model changes them.
var before = map[string]string{
	"beds.txt": "alpha\nroses\nomega\n", "end.txt": "x\ny", "tab.go": "f() {\n\ta\n}\n", "long.txt": "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n", "blank.txt": "a\n\nb\n\n",
	"words.txt": "one\ntwo\n  a blue boat\nfour\nfive\nsix\nthe last one",
}

// unknownTool is the name of a tool that no program has.
const unknownTool = "water_the_beds"

func TestPrograms(t *testing.T) {
	bin := os.Getenv("PROGRAMS_BIN")
	if bin == "" {
		t.Skip("make programs runs it")
	}
	for _, p := range all {
		t.Run(p.name, func(t *testing.T) {
			r := &run{program: &p, t: t, bin: bin}
			r.install()
			r.begin()
			r.try()
		})
	}
}

// install finds the program below the folder PROGRAMS_NPM, or lets npm put it there; in a temporary folder by default.
func (r *run) install() {
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			r.t.Skip(r.name + ": " + tool + " is not installed")
		}
	}
	dir := os.Getenv("PROGRAMS_NPM")
	if dir == "" {
		dir = r.t.TempDir()
	}
	dir = filepath.Join(dir, strings.NewReplacer("@", "_", "/", "_").Replace(r.npm))
	r.path = filepath.Join(dir, "node_modules", ".bin", r.program.bin)
	if _, err := os.Stat(r.path); err == nil {
		return
	}
	must(os.MkdirAll(dir, 0o700))
	npm := exec.Command("npm", "install", "--prefix", dir, "--no-audit", "--no-fund", r.npm+"@latest")
	if out, err := npm.CombinedOutput(); err != nil {
		r.t.Skipf("%s: npm install: %v: %s", r.name, err, out)
	}
}

// begin makes the home, the project and the api.
func (r *run) begin() {
	r.user = os.Getenv("PROGRAMS_KEEP")
	if r.user == "" {
		r.user = r.t.TempDir()
	}
	r.user = filepath.Join(r.user, r.name)
	must(os.RemoveAll(r.user))
	r.home, r.work = filepath.Join(r.user, r.dir), filepath.Join(r.user, "garden")
	must(os.MkdirAll(r.home, 0o700))
	must(os.MkdirAll(r.work, 0o700))
	for name, text := range before {
		must(os.WriteFile(filepath.Join(r.work, name), []byte(text), 0o600))
	}
	r.api = &api{scripts: map[string][][]block{}, steps: map[string]int{}}
	server := httptest.NewServer(r.api)
	r.t.Cleanup(server.Close)
	r.url = server.URL
	r.env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + r.user, "LANG=C.UTF-8", "TERM=xterm-256color", "NO_COLOR=1", "TZ=UTC"}
	if r.program.env != nil {
		r.env = append(r.env, r.program.env(r)...)
	}
	if r.setup != nil {
		r.setup(r)
	}
}

// say types a prompt into the program.
func (r *run) say(prompt string, n int) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, r.path, r.args(r, prompt, n)...)
	c.Dir, c.Env = r.work, r.env
	c.WaitDelay = time.Second
	out, err := c.CombinedOutput()
	r.t.Logf("%s: %v: %.300s", prompt, err, out)
}

// logs returns the logs of sessions, the oldest first.
func (r *run) logs() []string {
	found, err := filepath.Glob(filepath.Join(r.home, r.program.logs))
	must(err)
	if before, after, ok := strings.Cut(r.program.logs, "/**/"); ok {
		found = nil
		must(filepath.WalkDir(filepath.Join(r.home, before), func(name string, _ os.DirEntry, err error) error {
			if ok, _ := filepath.Match(after, filepath.Base(name)); ok && err == nil {
				found = append(found, name)
			}
			return nil
		}))
	}
	if r.convert != nil {
		found = r.convert(r)
	}
	slices.SortFunc(found, func(a, b string) int {
		x, errX := os.Stat(a)
		y, errY := os.Stat(b)
		if errX != nil || errY != nil {
			return strings.Compare(a, b)
		}
		return x.ModTime().Compare(y.ModTime())
	})
	return found
}

// try runs a session of three prompts, and compares what the programs of the suite say of it with what the api saw.
func (r *run) try() {
	file := func(name string) string { return filepath.Join(r.work, name) }
	k, fails := r.tools, map[string]bool{}
	failing := map[[2]int]bool{} // step, call
	var steps [][]block
	step := func(blocks ...block) { steps = append(steps, blocks) }
	fail := func(i int) { failing[[2]int{len(steps) - 1, i}] = true }
	step(block{thought: "hm"}, block{text: "I look at the garden."}, k.shell("echo out-1"))
	step(k.shell("echo out-2"), k.shell("echo out-3; exit 4"))
	fail(1)
	step(k.shell("echo 'exited with code 1'; echo 'Exit code: 2'; echo 'Exit Code: 3'"))
	var reads []block
	for _, name := range []string{"beds.txt", "end.txt", "tab.go", "long.txt", "blank.txt", "words.txt"} {
		reads = append(reads, k.read(file(name)))
	}
	step(reads...)
	step(k.write(file("new.txt"), "one\ntwo\n"), k.write(file("open.txt"), "no line break"), k.edit(file("beds.txt"), "roses\n", "tulips\n"))
	step(k.edit(file("end.txt"), "y", "z"), k.edit(file("tab.go"), "\ta\n", "\tb\n\tc\n"), k.edit(file("beds.txt"), "nowhere\n", "z\n"))
	fail(2)
	step(k.edit(file("long.txt"), "6\n", "six\nsix\n"), k.edit(file("blank.txt"), "b\n", "c\n"))
	step(k.edit(file("long.txt"), "12\n", "twelve\n"), k.edit(file("new.txt"), "two\n", "2\n"))
	if !k.lines {
		step(k.edit(file("beds.txt"), "meg", "MEG"), k.edit(file("words.txt"), "blue", "red"))
		step(k.edit(file("words.txt"), "last", "least"), k.edit(file("open.txt"), "no line", "still no line"))
	}
	step(block{tool: unknownTool, input: object{"how": "well"}})
	fail(0)
	step(block{text: "All is done."})
	r.api.scripts["A"] = steps
	r.api.scripts["B"] = [][]block{{{text: "It rained."}}}
	r.api.scripts["C"] = [][]block{{k.shell("echo out-c")}, {{text: "The end."}}}
	prompts := []string{"Tidy the beds. [[A]]", "What was the weather? [[B]]", "One more. [[C]]"}
	if r.once {
		prompts = prompts[:1]
	}
	for n, prompt := range prompts {
		r.say(prompt, n)
	}
	at := 0
	for _, q := range r.api.requests {
		if q.key == "A" && q.sent != nil && !q.isSide {
			for i, c := range q.sent.calls {
				if failing[[2]int{at, i}] {
					fails[c.id] = true
				}
			}
			at++
		}
	}
	logs := r.logs()
	require.NotEmpty(r.t, logs, "logs")
	rows, errs := r.rows(append([]string{"-as"}, logs...)...)
	if errs != "" {
		r.t.Errorf("jlpath -as: %s", errs)
	}
	for _, w := range r.api.compare(rows, prompts, fails, r.program) {
		r.t.Error(w)
	}
	r.nextRequest(logs)
	r.patched(logs)
	r.listed(prompts[0])
}

// jl runs one of the programs of the suite.
func (r *run) jl(name string, args ...string) (stdout []byte, stderr string) {
	c := exec.Command(filepath.Join(r.bin, name), args...)
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + r.user, "LANG=C.UTF-8", "TZ=UTC"}
	var errs strings.Builder
	c.Stderr = &errs
	out, _ := c.Output()
	return out, errs.String()
}

func (r *run) rows(args ...string) (rows []row, stderr string) {
	out, stderr := r.jl("jlpath", args...)
	for l := range bytes.Lines(out) {
		var row row
		if err := json.Unmarshal(l, &row); err != nil {
			r.t.Errorf("%v: %s", err, l)
		}
		rows = append(rows, row)
	}
	return rows, stderr
}

// nextRequest compares the path of the last log with the last request: the same words in the same order.
func (r *run) nextRequest(logs []string) {
	last, key := request{}, "C"
	if r.once {
		key = "A"
	}
	for _, q := range r.api.requests {
		if q.sent != nil && !q.isSide && q.key == key {
			last = q
		}
	}
	words := []string{"Tidy the beds.", "I look at the garden.", "echo out-1", "echo out-2", "All is done.", "What was the weather?", "It rained.", "One more.", "echo out-c"}
	if r.once {
		words = words[:4]
	}
	asked := order(encode(last.messages), words)
	rows, _ := r.rows("-s", "--said=prompt,answer,call,result", logs[len(logs)-1])
	var said strings.Builder
	for _, row := range rows {
		said.WriteString(row.Text + "\n" + string(row.Input) + "\n")
	}
	if got := order(said.String(), words); !slices.Equal(got, asked) {
		r.t.Errorf("the path has %q, the request has %q", got, asked)
	}
}

// patched applies the diffs of the logs to the project as it was, and compares it with what the program left.
func (r *run) patched(logs []string) {
	clean := r.t.TempDir()
	for name, text := range before {
		must(os.WriteFile(filepath.Join(clean, name), []byte(text), 0o600))
	}
	script := `set -eo pipefail; cd "$1"; bin=$2; lib=$3; shift 3; git init -q .; "$bin"/jlpath -as "$@" | jq -L "$lib" -nr 'include "jl"; patch(inputs)' > .git/diff; git apply .git/diff`
	lib, err := filepath.Abs(filepath.Join("..", "..", "share", "jl"))
	must(err)
	c := exec.Command("bash", append([]string{"-c", script, "bash", clean, r.bin, lib}, logs...)...)
	out, err := c.CombinedOutput()
	if err != nil {
		diff, _ := os.ReadFile(filepath.Join(clean, ".git", "diff"))
		r.t.Errorf("git apply: %v: %s\n%s", err, out, diff)
		return
	} else if said := untold.ReplaceAllString(string(out), ""); strings.TrimSpace(said) != "" {
		r.t.Errorf("patch: %s", said)
	}
	names, err := os.ReadDir(r.work)
	must(err)
	for _, e := range names {
		if e.IsDir() {
			continue
		}
		want, err := os.ReadFile(filepath.Join(r.work, e.Name()))
		must(err)
		got, _ := os.ReadFile(filepath.Join(clean, e.Name()))
		if isTold := !strings.Contains(string(out), "what was changed in "+e.Name()+" is not in the log"); isTold && !bytes.Equal(got, want) {
			r.t.Errorf("%s is %q after git apply, the program left %q", e.Name(), got, want)
		}
	}
}

// untold matches what patch says of a change whose lines the log does not tell, or that comes after one.
var untold = regexp.MustCompile(`\["DEBUG:","[^"]*patch: (what was changed in \S+ is not in the log|a later change of \S+ is left out, too)"\]`)

// listed looks for the session in the list of the home.
func (r *run) listed(prompt string) {
	if r.convert != nil {
		return
	}
	out, errs := r.jl("jlrel", "--list", "--home", r.home)
	var s struct {
		Cwd, FirstPrompt, Agent *string
	}
	if json.Unmarshal(bytes.TrimSpace(out), &s) != nil || s.FirstPrompt == nil || !strings.Contains(*s.FirstPrompt, prompt) || s.Cwd == nil || *s.Cwd != r.work {
		r.t.Errorf("jlrel --list: %s%s", out, errs)
	}
}

// openCode makes a log of each session of OpenCode.
func openCode(r *run) (logs []string) {
	script := filepath.Join("..", "..", "examples", "opencode.sh")
	db := filepath.Join(r.home, "opencode.db")
	list, err := exec.Command("bash", script, db).Output()
	must(err)
	for l := range strings.Lines(string(list)) {
		id, _, _ := strings.Cut(l, "\t")
		log, err := exec.Command("bash", script, db, id).CombinedOutput()
		if err != nil {
			r.t.Errorf("opencode.sh %s: %v: %s", id, err, log)
		}
		name := filepath.Join(r.user, fmt.Sprintf("%s.jsonl", id))
		must(os.WriteFile(name, log, 0o600))
		logs = append(logs, name)
	}
	return logs
}
