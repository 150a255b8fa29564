// Package data tests what the programs print for odd input: damaged, hostile, huge,
// deep and compressed logs.
package data

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/torture/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }

// A call is a way to call a program on many small logs at once.
type call struct {
	program, args string
	exact         bool // each line of the output is a piece of the log
	json          bool // each is JSON
}

func (c call) String() string { return strings.TrimSpace(c.program + " " + c.args) }

func (c call) cmd(t testing.TB, dir string, files ...string) *exec.Cmd {
	cmd := harness.Program(t, c.program, append(strings.Fields(c.args), files...)...)
	cmd.Dir = dir
	return cmd
}

func (c call) run(t testing.TB, dir string, files ...string) harness.Outcome {
	return harness.Execute(t, c.cmd(t, dir, files...))
}

var (
	tree  = call{program: "jltree", json: true}
	check = call{program: "jltree", args: "--check --notes", json: true}
	path  = call{program: "jlpath", exact: true, json: true}
	chain = call{program: "jlpath", args: "--bridge --chain", exact: true, json: true}
	said  = call{program: "jlpath", args: "-as", json: true}
	live  = call{program: "jlcompact"}
	cold  = call{program: "jlcompact", args: "--cold"}
)

var calls = []call{
	{program: "jlrev"},
	tree,
	check,
	{program: "jlleaf", json: true},
	{program: "jlleaf", args: "-a", json: true},
	path,
	{program: "jlpath", args: "--bridge --through --meta", exact: true, json: true},
	said,
	{program: "jlpath", args: "--strip --session " + harness.SessionID, json: true},
	{program: "jlpath", args: "--as claude-2.1", exact: true, json: true},
	{program: "jlpath", args: "--as claude-2.0", exact: true, json: true},
	{program: "jlpath", args: "--as sdk", exact: true, json: true},
	{program: "jlpath", args: "--as sdk-system", exact: true, json: true},
	{program: "jlsnap", exact: true},
	{program: "jlsnap", args: "--home home --files", json: true},
	{program: "jlrel", args: "--home home --links", json: true},
	live,
	cold,
	{program: "jlcompact", args: "--list", json: true},
	{program: "jlcompact", args: "--last 3", json: true},
}

// A batch is many logs in a directory.
type batch struct {
	dir          string
	files, texts []string
}

func newBatch(t testing.TB, texts []string) batch {
	b := batch{dir: harness.Dir(t), texts: texts}
	for i, text := range texts {
		b.files = append(b.files, fmt.Sprintf("f%05d", i))
		require.NoError(t, os.WriteFile(filepath.Join(b.dir, b.files[i]), []byte(text), 0o644))
	}
	return b
}

// mark is a log that stands between the logs of a batch. It separates their entries
// in the output.
const mark = `{"type":"user","uuid":"mark","parentUuid":null,"timestamp":"2026-03-02T09:00:00.000Z","message":{"role":"user","content":"mark"}}` + "\n" +
	`{"type":"file-history-snapshot","messageId":"mark","snapshot":{"messageId":"mark","trackedFileBackups":{},"timestamp":"mark"}}` + "\n"

// run runs a call on all logs. It also returns what the call prints for each, or nil
// if that does not show: rows are told apart by their file, entries by the mark.
func (b batch) run(t testing.TB, c call) (got harness.Outcome, each []string) {
	switch c.program + " " + c.args {
	case "jlsnap --home home --files", "jlcompact --cold": // rows without the log; nothing for the mark
		return c.run(t, b.dir, b.files...), nil
	case "jltree ", "jltree --check", "jlleaf ", "jlleaf -a", "jlpath -as", "jlrel --home home --links", "jlcompact --list":
		got = c.run(t, b.dir, b.files...)
		by := map[string]string{}
		for line := range strings.Lines(got.Stdout) {
			var row struct{ File string }
			_ = json.Unmarshal([]byte(line), &row)
			by[row.File] += line
		}
		for _, file := range b.files {
			each = append(each, by[file])
		}
		return got, each
	}
	harness.Write(t, b.dir, map[string]string{"mark": mark})
	alone := c.run(t, b.dir, "mark").Stdout
	require.NotEmpty(t, alone, "%v", c)
	var files []string
	for _, file := range b.files {
		files = append(files, file, "mark")
	}
	got = c.run(t, b.dir, files...)
	each = strings.Split(got.Stdout, alone)
	require.Len(t, each, len(b.files)+1, "%v", c)
	return got, each[:len(b.files)]
}

// problem says what is wrong with the outcome of a call on all logs. If it ended
// badly, problem looks for the log that is to blame.
func (b batch) problem(t testing.TB, c call, got harness.Outcome) string {
	wrong := harness.ProblemOfEnd(c.program, got)
	if wrong == "" && c.json {
		return notJSON(got.Stdout)
	}
	for i := 0; wrong != "" && i < len(b.files); i++ {
		if one := harness.ProblemOfEnd(c.program, c.run(t, b.dir, b.files[i])); one != "" {
			return fmt.Sprintf("%s: %q", one, harness.Shorten(b.texts[i]))
		}
	}
	return wrong
}

// notJSON says what is wrong with text if it is not lines of JSON.
func notJSON(text string) string {
	if text != "" && !strings.HasSuffix(text, "\n") {
		return "no newline at the end"
	}
	for line := range strings.Lines(text) {
		if !json.Valid([]byte(line)) {
			return fmt.Sprintf("a line is not JSON: %q", harness.Shorten(line))
		}
	}
	return ""
}

// survives runs every call on the logs and checks what holds for any input.
func (b batch) survives(p *harness.Promise) {
	lives := make([]string, len(b.files))
	for _, c := range calls {
		got, each := b.run(p, c)
		if problem := b.problem(p, c, got); problem != "" {
			p.Try(false, "%v: %s", c, problem)
			continue
		}
		for i, printed := range each {
			ok := true
			switch {
			case c.program == "jlrev":
				ok = printed == harness.Reversal(b.texts[i])
			case c == live:
				lives[i] = printed
				ok = strings.HasSuffix(ended(b.texts[i]), printed)
			case c.exact:
				ok = pieces(b.texts[i], printed)
			}
			p.Try(ok, "%v of %q prints %q", c, b.texts[i], printed)
		}
		if c == cold {
			var all strings.Builder
			for i, text := range b.texts {
				all.WriteString(strings.TrimSuffix(ended(text), lives[i]))
			}
			p.TryAll(len(b.files), got.Stdout == all.String(), "cold and live parts are not the logs")
		}
	}
}

// ended returns a text with a newline at its end.
func ended(text string) string {
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
}

// parentOf finds the parent that an entry names.
var parentOf = regexp.MustCompile(`"parentUuid":("(?:[^"\\]|\\.)*"|null)`)

// pieces reports whether each line printed is a piece of the text, but for its parent if that is not
// printed.
func pieces(text, printed string) bool {
	for line := range strings.Lines(printed) {
		line = strings.TrimSuffix(line, "\n")
		at := parentOf.FindStringSubmatchIndex(line)
		if !strings.Contains(text, line) && (at == nil || !strings.Contains(text, line[:at[2]]) || !strings.Contains(text, line[at[3]:])) {
			return false
		}
	}
	return true
}

// An object is a JSON object. A struct would not do, because encoding/json takes UUID
// for uuid there.
type object map[string]json.RawMessage

// rows returns the objects on the lines of a text.
func rows(t testing.TB, text string) []object {
	var all []object
	for line := range strings.Lines(text) {
		var o object
		require.NoError(t, json.Unmarshal([]byte(line), &o), "%q", harness.Shorten(line))
		all = append(all, o)
	}
	return all
}

// text returns a member that is a string, else "".
func (o object) text(key string) (s string) {
	_ = json.Unmarshal(o[key], &s)
	return s
}

// number returns a member that is a number, else 0.
func (o object) number(key string) (n int) {
	_ = json.Unmarshal(o[key], &n)
	return n
}

// named returns the lines of a file that messages name.
func named(stderr, file string) []int {
	var lines []int
	for _, m := range regexp.MustCompile(`(?m)^jl[a-z]+: `+regexp.QuoteMeta(file)+`:(\d+)`).FindAllStringSubmatch(stderr, -1) {
		n, _ := strconv.Atoi(m[1])
		lines = append(lines, n)
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// foundOn returns the lines, in order, on which jltree --check finds something.
func foundOn(rows []object, finding string) []int {
	var lines []int
	for _, row := range rows {
		if row.text("finding") == finding {
			lines = append(lines, row.number("line"))
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}
