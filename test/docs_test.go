package test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jl/test/env"
)

// bin is the directory of the programs, empty until a test calls built.
var bin string

func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "jq" {
		fmt.Fprintln(os.Stderr, quickJq())
		os.Exit(126)
	}
	status := m.Run()
	if bin != "" {
		_ = os.RemoveAll(bin)
		_ = os.RemoveAll(bin + partsOfJq)
	}
	os.Exit(status)
}

// built returns a folder that has the programs, and nothing else: the folder that TORTURE_BIN names may have more. Without
// that, it compiles them, once.
func built(t *testing.T) string {
	t.Helper()
	if bin != "" {
		return bin
	}
	var err error
	bin, err = os.MkdirTemp("", "jl")
	require.NoError(t, err)
	made := os.Getenv("TORTURE_BIN")
	if made == "" {
		out, err := exec.Command("go", "build", "-o", bin, "../cmd/...").CombinedOutput()
		require.NoError(t, err, "%s", out)
		return bin
	}
	folders, err := filepath.Glob("../cmd/*")
	require.NoError(t, err)
	for _, folder := range folders {
		program := filepath.Base(folder)
		require.NoError(t, os.Symlink(filepath.Join(made, program), filepath.Join(bin, program)))
	}
	return bin
}

// shell returns a command that runs script with bash, in a temporary directory. Its PATH has the programs in bin and the
// tools that the script and the examples in it name; if one of them is missing, the test is skipped. JL is the folder
// of the jq library, EXAMPLES that of the examples. The home of the user has the library as ~/.jq: see [quick].
func shell(t *testing.T, bin, script string) *exec.Cmd {
	t.Helper()
	cmd := whole(t, bin, script)
	quick(t, cmd)
	return cmd
}

// whole returns a command as shell does, whose jq reads all of the library, as that of a user does.
func whole(t *testing.T, bin, script string) *exec.Cmd {
	t.Helper()
	cmd := bare(t, bin, script)
	require.NoError(t, os.WriteFile(filepath.Join(variable(cmd, "HOME"), ".jq"), readFile(t, "../share/jl/jl.jq"), 0o600))
	return cmd
}

// bare returns a command as shell does, for a script that uses no function of the library, whatever words it
// has.
func bare(t *testing.T, bin, script string) *exec.Cmd {
	t.Helper()
	tools := toolsOf(t, script)
	for _, tool := range tools {
		if !slices.ContainsFunc(standIn.FindAllStringSubmatch(script, -1), func(m []string) bool { return m[1] == tool }) {
			env.Needs(t, tool)
		}
	}
	return with(t, bin, script, tools)
}

// needs skips the test if a tool is missing that the Go code runs: a script names its own.
func needs(t *testing.T, tools ...string) {
	t.Helper()
	env.Needs(t, tools...)
}

// standIn matches how a script makes a program that stands in for a tool.
var standIn = regexp.MustCompile(`>(?:some|bin)/(\w+)`)

// with returns a command as bare does, for a script that has these tools and no others.
func with(t *testing.T, bin, script string, tools []string) *exec.Cmd {
	t.Helper()
	library, err := filepath.Abs("../share/jl")
	require.NoError(t, err)
	examples, err := filepath.Abs("../examples")
	require.NoError(t, err)
	cmd := exec.Command("bash", "-c", script)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "PATH="+bin+":"+env.Folder(t, tools), "JL="+library, "EXAMPLES="+examples)
	cmd.Dir = t.TempDir()
	return cmd
}

// toolsOf returns the tools that scripts name, and those that the scripts of the examples name whose names they have.
func toolsOf(t *testing.T, scripts ...string) []string {
	t.Helper()
	scripts = append(scripts, "bash")
	examples, err := filepath.Glob("../examples/*.[smy][hkm]*")
	require.NoError(t, err)
	fleet, err := filepath.Glob("../examples/fleet/*.sh")
	require.NoError(t, err)
	for i := 0; i < len(scripts); i++ {
		for _, example := range append(append(examples, fleet...), "../examples/settings.json") {
			if text := read(t, example); strings.Contains(scripts[i], filepath.Base(example)) && !slices.Contains(scripts, text) {
				scripts = append(scripts, text)
			}
		}
	}
	return env.Words(scripts...)
}

var consoleBlock = regexp.MustCompile("(?s)```console\n(.*?)```")

// transcripts returns the console blocks of a document.
func transcripts(t *testing.T, doc string) []string {
	t.Helper()
	text, err := os.ReadFile(doc)
	require.NoError(t, err)
	var blocks []string
	for _, m := range consoleBlock.FindAllSubmatch(text, -1) {
		blocks = append(blocks, string(m[1]))
	}
	require.NotEmpty(t, blocks)
	return blocks
}

// TestReadme types the commands of the README and of the guide. A block may use the files of those
// before.
func TestReadme(t *testing.T) {
	built(t)
	for _, doc := range []string{"../README.md", "../doc/guide.md"} {
		t.Run(filepath.Base(doc), func(t *testing.T) {
			t.Parallel()
			work := testdata(t)
			typed(t, doc, func(*testing.T) string { return work }, false)
		})
	}
}

// TestCookbook types the commands of the cookbook, whose recipes need nothing from each
// other.
func TestCookbook(t *testing.T) { typed(t, "../doc/cookbook.md", testdata, true) }

// TestJq runs each function of the jq library on a log of each agent.
func TestJq(t *testing.T) {
	typed(t, "testdata/jq.md", testdata, true)
}

var (
	publicFunction = regexp.MustCompile(`(?m)^def ([a-z]\w*(?:\([^)]*\))?):( jl_rows\()?`)
	literalText    = regexp.MustCompile(`(?s)\.Bd -literal\n(\$ .*?)\n\.Ed`)
	roffEscapes    = strings.NewReplacer(`\-`, "-", `\e`, `\`, `\(aq`, "'", `\(ga`, "`", `\(ha`, "^", `\(ti`, "~", "\n\\&.", "\n.")
)

// TestLibraryManual wants each function of the jq library in jl.jq(7), and runs the examples there.
func TestLibraryManual(t *testing.T) {
	library, err := os.ReadFile("../share/jl/jl.jq")
	require.NoError(t, err)
	page, err := os.ReadFile("../doc/man/jl.jq.7")
	require.NoError(t, err)
	public := 0
	for _, m := range publicFunction.FindAllSubmatch(library, -1) {
		if name := string(m[1]); !strings.HasPrefix(name, "jl_") && len(m[2]) == 0 { // without rows, one of all rows only says what to type
			public++
			require.True(t, strings.Contains(string(page), ".Ic \""+name+"\""), "%s is not in the manual", name)
		}
	}
	require.Greater(t, public, 30)
	examples := literalText.FindAllStringSubmatch(string(page), -1)
	require.Greater(t, len(examples), 20)
	bin := built(t)
	for _, m := range examples {
		command, want, _ := strings.Cut(strings.TrimPrefix(roffEscapes.Replace("\n"+m[1]), "\n$ "), "\n")
		t.Run(command, func(t *testing.T) {
			env.Half(t)
			t.Parallel()
			cmd := shell(t, bin, "exec 2>&1\n"+command)
			cmd.Dir = testdata(t)
			got, err := cmd.Output()
			require.NoError(t, err)
			require.Equal(t, want, strings.TrimRight(string(got), "\n"))
		})
	}
}

// testdata returns a copy of the test data.
func testdata(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("../testdata")))
	return dir
}

// typed types the commands of a document, each block in a shell of its own and in the
// directory that work returns. It wants the output that the document shows: standard
// output and standard error together. More is added to the environment. Blocks that need nothing from each other run at the same time,
// because a jq with the library takes long to start.
func typed(t *testing.T, doc string, work func(*testing.T) string, apart bool, more ...string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the documents show what GNU tools print")
	}
	bin := built(t)
	var before []string // a block that uses the files of others needs their tools
	for _, want := range transcripts(t, doc) {
		first, _, _ := strings.Cut(want, "\n")
		t.Run(first, func(t *testing.T) {
			if apart {
				env.Half(t)
				t.Parallel()
			}
			var script strings.Builder
			script.WriteString("exec 2>&1\n")
			for _, l := range strings.Split(want, "\n") {
				if command, ok := strings.CutPrefix(l, "$ "); ok {
					// Print the command as the document shows it, then run it.
					script.WriteString("cat <<'_'\n" + l + "\n_\n" + command + "\n")
				}
			}
			if !apart {
				before = append(before, script.String())
				env.Needs(t, toolsOf(t, before...)...)
			}
			command := shell
			if doc == "../README.md" {
				command = whole
			}
			cmd := command(t, bin, script.String())
			cmd.Dir = work(t)
			cmd.Env = append(cmd.Env, more...)
			got, err := cmd.Output()
			require.NoError(t, err)
			require.Equal(t, want, string(got))
		})
	}
}

var helpExample = regexp.MustCompile(`(?m)^  (jl.*|find .*)$`)

// TestHelpExamples runs the examples of each --help.
func TestHelpExamples(t *testing.T) {
	bin := built(t)
	programs, err := filepath.Glob("../cmd/*")
	require.NoError(t, err)
	for _, program := range programs {
		help, err := exec.Command(filepath.Join(bin, filepath.Base(program)), "--help").Output()
		require.NoError(t, err)
		for line := range strings.Lines(string(help)) {
			require.LessOrEqual(t, len(line), 81, "%s: wider than a terminal of 80 columns: %s", program, line)
		}
		examples := helpExample.FindAllSubmatch(help, -1)
		require.GreaterOrEqual(t, len(examples), 2, "%s", program)
		for _, m := range examples {
			t.Run(string(m[1]), func(t *testing.T) {
				t.Parallel()
				cmd := shell(t, bin, "set -eo pipefail\n"+string(m[1]))
				cmd.Dir = testdata(t)
				cmd.Env = append(cmd.Env, "CLAUDE_CONFIG_DIR=claude")
				require.NoError(t, os.Rename(filepath.Join(cmd.Dir, "demo.jsonl"), filepath.Join(cmd.Dir, "session.jsonl")))
				require.NoError(t, os.CopyFS(filepath.Join(cmd.Dir, "claude"), os.DirFS(filepath.Join(cmd.Dir, "home"))))
				require.NoError(t, os.Chtimes(filepath.Join(cmd.Dir, "compacted.jsonl"), time.Time{}, time.Unix(1700000000, 0)))
				out, err := cmd.CombinedOutput()
				require.NoError(t, err, "%s", out)
			})
		}
	}
}

var (
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	anchor  = regexp.MustCompile(`\]\(([A-Za-z/.]*)#([^)]*)\)`)
	marks   = regexp.MustCompile(`[^a-z0-9 -]`)
)

// TestAnchors wants a heading for each link into a document.
func TestAnchors(t *testing.T) {
	docs, err := filepath.Glob("../doc/*.md")
	require.NoError(t, err)
	links := 0
	for _, doc := range append(docs, "../README.md", "../CONTRIBUTING.md") {
		text, err := os.ReadFile(doc)
		require.NoError(t, err)
		for _, m := range anchor.FindAllStringSubmatch(string(text), -1) {
			links++
			to := doc
			if m[1] != "" {
				to = filepath.Join(filepath.Dir(doc), m[1])
			}
			text, err := os.ReadFile(to)
			require.NoError(t, err)
			var anchors []string
			for _, h := range heading.FindAllStringSubmatch(string(text), -1) {
				anchors = append(anchors, strings.ReplaceAll(marks.ReplaceAllString(strings.ToLower(h[1]), ""), " ", "-"))
			}
			require.Contains(t, anchors, m[2], "%s names it", doc)
		}
	}
	require.NotZero(t, links)
}

// TestTailIsLive runs the pipeline that the guide shows for a log that is being written.
// It wants the edge of each entry before it appends the next one.
func TestTailIsLive(t *testing.T) {
	const pipeline = "tail -n +1 -F demo.jsonl | jltree"
	guide, err := os.ReadFile("../doc/guide.md")
	require.NoError(t, err)
	require.Contains(t, string(guide), "\n"+pipeline+"\n")

	cmd := shell(t, built(t), pipeline)
	log, err := os.Create(filepath.Join(cmd.Dir, "demo.jsonl"))
	require.NoError(t, err)
	defer log.Close()
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	own(cmd)
	require.NoError(t, cmd.Start())
	defer func() {
		end(cmd)
		_ = cmd.Wait()
	}()
	edges := bufio.NewReader(out)
	for _, id := range []string{"a", "b", "c"} {
		_, err := io.WriteString(log, `{"type":"user","uuid":"`+id+`","parentUuid":null}`+"\n")
		require.NoError(t, err)
		edge := make(chan []byte, 1)
		go func() {
			l, _ := edges.ReadBytes('\n')
			edge <- l
		}()
		select {
		case l := <-edge:
			require.True(t, bytes.Contains(l, []byte(`"uuid":"`+id+`"`)), "%s", l)
		case <-time.After(20 * time.Second):
			t.Fatalf("no edge for entry %s", id)
		}
	}
}

var codePath = regexp.MustCompile("`((?:cmd|internal|test|doc|share)/[^`]*)`")

// TestContributing wants every path that CONTRIBUTING.md names to exist.
func TestContributing(t *testing.T) {
	text, err := os.ReadFile("../CONTRIBUTING.md")
	require.NoError(t, err)
	paths := codePath.FindAllSubmatch(text, -1)
	require.NotEmpty(t, paths)
	for _, m := range paths {
		pattern := strings.ReplaceAll(string(m[1]), "jlX", "jl*")
		found, err := filepath.Glob(filepath.Join("..", pattern))
		require.NoError(t, err)
		require.NotEmpty(t, found, pattern)
	}
}

var (
	promiseRow  = regexp.MustCompile(`(?m)^\| P\d+ \| .* \| (Test\w+) \| (\d+) \| (\d+) \| .*\|$`)
	newPromise  = regexp.MustCompile(`harness\.(NewPromise|Parallel|Traced)\(t, `)
	promiseTest = regexp.MustCompile(`(?ms)^func (Test\w+)\(t .*?^}`)
)

// TestReliability wants doc/reliability.md to name every promise that test/torture
// has a test of, its table to name no other test, and to show none that did not hold.
func TestReliability(t *testing.T) {
	doc, err := os.ReadFile("../doc/reliability.md")
	require.NoError(t, err)
	files, err := filepath.Glob("torture/*/*_test.go")
	require.NoError(t, err)
	tests := map[string]bool{} // whether it is of a promise
	for _, name := range files {
		code, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, m := range promiseTest.FindAllSubmatch(code, -1) {
			tests[string(m[1])] = newPromise.Match(m[0])
		}
	}
	for test, promised := range tests {
		if promised {
			require.Contains(t, string(doc), test)
		}
	}
	rows := promiseRow.FindAllSubmatch(doc, -1)
	require.NotEmpty(t, rows)
	for _, row := range rows {
		require.Contains(t, tests, string(row[1]))
		require.Equal(t, string(row[2]), string(row[3]), "%s did not hold", row[1])
	}
}
