package torture

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What the tests share whose subject is the data that the programs read: the
// data_*_test.go. Their logs are many and small, so a program is given hundreds
// at once; or one, and large.

// dataNode returns an entry with an id, on a line: more is members, ",…". Without a
// parent it is a root. The n-th was written in second n.
func dataNode(n int, id, parent, more string) string {
	if parent = `"` + parent + `"`; parent == `""` {
		parent = "null"
	}
	when := time.Date(2026, 3, 2, 9, 0, n, 0, time.UTC).Format("2006-01-02T15:04:05.000Z")
	return fmt.Sprintf(`{"parentUuid":%s,"isSidechain":false,"sessionId":"%s","type":"user"%s,"uuid":"%s","timestamp":"%s"}`+"\n",
		parent, sessionID, more, id, when)
}

// dataText returns an entry's content.
func dataText(text string) string {
	return `,"message":{"role":"user","content":"` + text + `"}`
}

// dataSession is a short log with a bit of everything: a root, two calls at once, a
// branch, a snapshot, a compaction, an agent, a title.
func dataSession() string {
	a := &author{rnd: rand.New(rand.NewPCG(3, 3)), time: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)}
	first := a.user("Why?")
	a.snapshot(first, "")
	fork := a.assistant(`{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"go test"}},{"type":"tool_use","id":"t2","name":"Task","input":{}}`)
	a.add("user", `,"message":{"role":"user","content":[{"tool_use_id":"t1","type":"tool_result","content":"\u00e9t\u00e9 {\"a\":[1,2]}"}]}`)
	a.last = fork
	a.add("user", `,"message":{"role":"user","content":[{"tool_use_id":"t2","type":"tool_result","content":"ok"}]},"toolUseResult":{"agentId":"a7c01f"}`)
	end := a.assistant(`{"type":"text","text":"So."}`)
	a.last = ""
	a.add("system", `,"logicalParentUuid":"`+end+`","subtype":"compact_boundary","compactMetadata":{"trigger":"auto","preTokens":155}`)
	a.add("user", `,"isCompactSummary":true,"message":{"role":"user","content":"Summary"}`)
	last := a.user("And?")
	a.snapshot(last, `"a.go":{"backupFileName":"0000000000000001@v1","version":1,"backupTime":"2026-03-02T09:01:49.000Z"}`)
	a.assistant(`{"type":"text","text":"No."}`)
	a.WriteString(`{"type":"summary","summary":"Why","leafUuid":"` + end + `"}` + "\n")
	return a.String()
}

// dataWrite writes texts into files of a directory, and returns their names in it.
func dataWrite(t testing.TB, dir string, texts []string) []string {
	t.Helper()
	files := make([]string, len(texts))
	for i, text := range texts {
		files[i] = fmt.Sprintf("f%05d", i)
		require.NoError(t, os.WriteFile(filepath.Join(dir, files[i]), []byte(text), 0o644))
	}
	return files
}

// dataIn runs a program in a directory.
func dataIn(t testing.TB, dir, name string, args ...string) outcome {
	t.Helper()
	cmd := program(t, name, args...)
	cmd.Dir = dir
	return execute(t, cmd)
}

// dataPiped runs a program whose standard input is a pipe.
func dataPiped(t testing.TB, input, name string, args ...string) outcome {
	t.Helper()
	cmd := program(t, name, args...)
	cmd.Stdin = strings.NewReader(input)
	return execute(t, cmd)
}

// dataWrong says what is wrong with how a run ended, whatever it read: "" if it
// neither hung nor crashed, and gives a message with status 2.
func dataWrong(program string, got outcome) string {
	switch {
	case got.hung:
		return "it hangs"
	case got.signal != 0:
		return "ended by signal " + got.signal.String()
	case crashed.MatchString(got.stderr):
		return "it crashed: " + shorten(got.stderr)
	case got.status == 2:
		return wrongMessages(program, strings.ReplaceAll(got.stderr, ": NUL bytes", ": a name")) // not a capital out of place
	case got.status != 0 && got.status != 1:
		return fmt.Sprintf("status %d", got.status)
	}
	return ""
}

// dataNotLines says what is wrong with text if it is not lines of JSON, "" if it is.
func dataNotLines(text string) string {
	if text != "" && !strings.HasSuffix(text, "\n") {
		return "no newline at the end"
	}
	for line := range strings.Lines(text) {
		if !json.Valid([]byte(line)) {
			return fmt.Sprintf("a line that is no JSON: %q", shorten(line))
		}
	}
	return ""
}

// A dataObject is a JSON object whose keys are what they are: encoding/json takes
// UUID for uuid in a struct.
type dataObject map[string]json.RawMessage

// dataRows returns the objects on the lines of a text.
func dataRows(t testing.TB, text string) []dataObject {
	t.Helper()
	var rows []dataObject
	for line := range strings.Lines(text) {
		var o dataObject
		require.NoError(t, json.Unmarshal([]byte(line), &o), "%q", shorten(line))
		rows = append(rows, o)
	}
	return rows
}

// text returns a member that is a string, "" if it is none.
func (o dataObject) text(key string) string {
	var s string
	_ = json.Unmarshal(o[key], &s)
	return s
}

// number returns a member that is a number, 0 if it is none.
func (o dataObject) number(key string) int {
	n, _ := strconv.Atoi(string(o[key]))
	return n
}

// dataNamed returns the lines of a file that messages name.
func dataNamed(stderr, file string) map[int]bool {
	named := map[int]bool{}
	for _, m := range regexp.MustCompile(`(?m)^jl[a-z]+: `+regexp.QuoteMeta(file)+`:(\d+): `).FindAllStringSubmatch(stderr, -1) {
		n, _ := strconv.Atoi(m[1])
		named[n] = true
	}
	return named
}

// A dataReversal is the lines of a text, last to first, told in another way than
// jlrev does.
func dataReversal(text string) string {
	lines := strings.SplitAfter(text, "\n")
	var b strings.Builder
	for i := len(lines) - 1; i >= 0; i-- {
		if lines[i] == "" {
			continue
		}
		b.WriteString(lines[i])
		if !strings.HasSuffix(lines[i], "\n") {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// A dataComparer is a writer that compares what is written with what is wanted, which
// next gives part by part, "" at the end. So neither is held.
type dataComparer struct {
	next func() string
	want string
	at   int64
	bad  string
}

func (c *dataComparer) Write(b []byte) (int, error) {
	for rest := b; len(rest) > 0 && c.bad == ""; {
		if c.want == "" {
			c.want = c.next()
		}
		n := min(len(rest), len(c.want))
		if n == 0 || string(rest[:n]) != c.want[:n] {
			c.bad = fmt.Sprintf("other bytes from about %d on: %q for %q", c.at, shorten(string(rest)), shorten(c.want))
			break
		}
		rest, c.want, c.at = rest[n:], c.want[n:], c.at+int64(n)
	}
	return len(b), nil
}

// wrong says what is wrong once all was written.
func (c *dataComparer) wrong() string {
	if c.bad == "" && (c.want != "" || c.next() != "") {
		c.bad = fmt.Sprintf("ends after %d bytes", c.at)
	}
	return c.bad
}

// dataParts returns a next for a comparer.
func dataParts(n int, part func(i int) string) func() string {
	i := 0
	return func() string {
		for i < n {
			s := part(i)
			i++
			if s != "" {
				return s
			}
		}
		return ""
	}
}

// A dataCost is how a run ended and what it cost.
type dataCost struct {
	outcome
	peak int64 // bytes of memory, at most
	cpu  time.Duration
}

func (c dataCost) megabytes() int64 { return c.peak >> 20 }

// dataMeasure in the environment makes this test binary another program: it runs its
// arguments and says, on descriptor 3, how that ended and what it cost. The peak that
// the kernel gives for a child is that of its parent at least, and this one is small
// while a test may be large.
const dataMeasure = "TORTURE_MEASURE"

func init() {
	limit, err := time.ParseDuration(os.Getenv(dataMeasure))
	if err != nil {
		return
	}
	syscall.CloseOnExec(3)
	_ = os.Unsetenv(dataMeasure)
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(127)
	}
	late := time.AfterFunc(limit, func() { _ = cmd.Process.Kill() })
	_ = cmd.Wait()
	state := cmd.ProcessState
	o := outcomeOf(state)
	var peak int64
	if u, ok := state.SysUsage().(*syscall.Rusage); ok {
		peak = int64(u.Maxrss)
		if runtime.GOOS == "linux" {
			peak *= 1024
		}
	}
	hung := 0
	if !late.Stop() {
		hung = 1
	}
	fmt.Fprintln(os.NewFile(3, "report"), o.status, int(o.signal), hung, peak, int64(state.UserTime()+state.SystemTime()))
	os.Exit(0)
}

// dataMeasured runs a command and measures it. It has so long, in the end.
func dataMeasured(t testing.TB, cmd *exec.Cmd, limit time.Duration) dataCost {
	t.Helper()
	exe, err := os.Executable()
	require.NoError(t, err)
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	cmd.Args = append([]string{exe, cmd.Path}, cmd.Args[1:]...)
	cmd.Path = exe
	cmd.Env = append(cmd.Env, dataMeasure+"="+limit.String())
	cmd.ExtraFiles = []*os.File{w}
	c := dataCost{outcome: executeFor(t, cmd, limit+10*time.Second)}
	require.NoError(t, w.Close())
	told, err := io.ReadAll(r)
	require.NoError(t, err)
	var signal, hung int
	_, err = fmt.Fscan(bytes.NewReader(told), &c.status, &signal, &hung, &c.peak, &c.cpu)
	require.NoError(t, err, "%v", c.outcome)
	c.signal, c.hung = syscall.Signal(signal), c.hung || hung == 1
	return c
}

// dataCgroup returns words for wrapped that run a program with so many bytes of
// memory, its page cache included; it fails if that cannot be had here.
func dataCgroup(t testing.TB, bytes int64) ([]string, error) {
	t.Helper()
	for _, c := range []struct{ parent, limit string }{{"/sys/fs/cgroup/memory", "memory.limit_in_bytes"}, {"/sys/fs/cgroup", "memory.max"}} {
		root, err := os.MkdirTemp(c.parent, "torture-")
		if err != nil {
			continue
		}
		t.Cleanup(func() { _ = os.Remove(root) })
		f, err := os.OpenFile(filepath.Join(root, c.limit), os.O_WRONLY, 0)
		if err != nil {
			continue
		}
		_, err = f.WriteString(strconv.FormatInt(bytes, 10))
		if err = errors.Join(err, f.Close()); err != nil {
			return nil, err
		}
		return shell("echo $$ >" + root + "/cgroup.procs || exit 125"), nil
	}
	return nil, errors.New("no control group")
}

// dataFile returns what is in a file.
func dataFile(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}
