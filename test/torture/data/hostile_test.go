package torture

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// dataEvil is what a terminal would obey, as JSON writes it and as it is: it retitles
// the window, fills the clipboard, moves the cursor, turns the text round.
const (
	dataEvil = `\u001b]0;evil\u0007\u001b]52;c;ZXZpbA==\u0007\r\b\u0000` + dataEvilRaw
	// These JSON lets stand as they are.
	dataEvilRaw = "\x7f\u009b31m\u0085\u009d0;evil\u009c\u202eevil\u2066\u2069\u200f"
	// And these are in names of files, and in what is no JSON.
	dataEvilName = "\x1b]0;evil\x07\x1b[2J\r\b" + dataEvilRaw
)

// A dataEvilWorld is a directory with a home and logs in which every text is evil.
type dataEvilWorld struct{ dir, log, id string }

func newEvilWorld(t testing.TB) dataEvilWorld {
	w := dataEvilWorld{dir: space(t), id: sessionID}
	w.log = "log" + dataEvilName + ".jsonl"
	e := dataEvil
	node := func(n, parent, more string) string {
		if parent != "null" {
			parent = `"` + parent + e + `"`
		}
		return `{"parentUuid":` + parent + `,"isSidechain":false,"cwd":"/x` + e + `","sessionId":"` + w.id + `","gitBranch":"b` + e + `"` + more + `,"uuid":"` + n + e + `","timestamp":"2026-03-02T09:00:0` + n + `.000Z","x` + e + `":"` + e + `"}` + "\n"
	}
	text := node("1", "null", `,"type":"user","message":{"role":"user","content":"prompt `+e+`"}`) +
		node("2", "1", `,"type":"assistant","message":{"id":"m`+e+`","role":"assistant","content":[{"type":"tool_use","id":"t`+e+`","name":"Task`+e+`","input":{"x":"`+e+`"}}]}`) +
		node("3", "2", `,"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t`+e+`","content":"agentId: `+e+`"}]},"toolUseResult":{"agentId":"a`+e+`","backgroundTaskId":"`+e+`","outputFile":"/tmp/`+e+`"}`) +
		node("4", "gone", `,"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"u`+e+`","name":"Bash`+e+`","input":{}}]}`) +
		`{"type":"file-history-snapshot","messageId":"4` + e + `","snapshot":{"messageId":"4` + e + `","trackedFileBackups":{"src/` + e + `":{"backupFileName":"` + e + `","version":"` + e + `","backupTime":"` + e + `"},"b` + dataEvilRaw + `":{"backupFileName":"0000000000000001@v1","version":1,"backupTime":"x"}},"timestamp":"` + e + `"},"isSnapshotUpdate":false}` + "\n" +
		`{"type":"summary","summary":"s ` + e + `","leafUuid":"4` + e + `"}` + "\n" +
		`{"type":"custom-title","customTitle":"t ` + e + `","sessionId":"` + w.id + `"}` + "\n" +
		`{"type":"tag","tag":"` + e + `","sessionId":"` + w.id + `"}` + "\n" +
		`{"type":"last-prompt","lastPrompt":"` + e + `","leafUuid":"1` + e + `","sessionId":"` + w.id + `"}` + "\n"
	broken := dataEvilName + "\n" + `{"type":"user","uuid":"` + dataEvilName + `"}` + "\n" + `{"torn":"` + dataEvilName + text
	for name, text := range map[string]string{
		w.log: text, "broken": broken,
		"home/projects/-x/" + w.id + ".jsonl":                                      text,
		"home/projects/-x/" + w.id + "/tool-results/r" + dataEvilName + ".txt":     "x",
		"home/projects/-x/" + w.id + "/subagents/agent-a" + dataEvilRaw + ".jsonl": agentLog,
		"home/file-history/" + w.id + "/0000000000000001@v1":                       "x",
		"home/todos/" + strings.Replace(w.id, "5", "6", 1) + "-agent-x.json":       "[]",
		"home/debug/" + dataEvilName + ".txt":                                      "x",
	} {
		path := filepath.Join(w.dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return w
}

// calls returns ways to have the programs show what is in such a world.
func (w dataEvilWorld) calls() [][]string {
	var calls [][]string
	for _, file := range []string{w.log, "broken", "no" + dataEvilName} {
		for _, args := range [][]string{
			{"jlrev"}, {"jltree"}, {"jltree", "--check"}, {"jlleaf"}, {"jlleaf", "-a"}, {"jlleaf", "-u"}, {"jlpath"}, {"jlpath", "--bridge", "--meta"},
			{"jlpath", "-l", "4"}, {"jlpath", "-l", dataEvilName}, {"jlleaf", "-l", "no" + dataEvilName}, {"jlpath", "--as", "claude-2.1"}, {"jlpath", "--session", "x" + dataEvilName},
			{"jlsnap"}, {"jlsnap", "--home", "home", "--files"}, {"jlsnap", "--home", "home" + dataEvilName, "--files"},
			{"jlcompact"}, {"jlcompact", "--list"}, {"jlcompact", "--last", "2"}, {"jlcompact", "-n", "9"}, {"jlrel", "--home", "home", "--links"}, {"jlrel", "--home", "home"},
		} {
			calls = append(calls, append(args, file))
		}
	}
	for _, args := range [][]string{
		{w.id}, {"-0", w.id}, {"--report", w.id}, {"--links", w.id}, {"--list"}, {"--orphans"}, {dataEvilName}, {"--since", dataEvilName, "--list"}, {"--no" + dataEvilName},
	} {
		calls = append(calls, append([]string{"jlrel", "--home", "home"}, args...))
	}
	return append(calls, []string{"jlsnap", "--home", "home", "--restore", "out", w.log}, []string{"jlpath", "--as", dataEvilName})
}

// dataRaw returns the first character of a text that a terminal would obey, or one
// that is no UTF-8.
func dataRaw(text string) (rune, bool) {
	for i, r := range text {
		_, n := utf8.DecodeRuneInString(text[i:])
		if unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r) || r == utf8.RuneError && n == 1 {
			return r, true
		}
	}
	return 0, false
}

// TestTerminalsObeyNoLog: what a terminal would obey never reaches one, on neither
// stream; a pipe gets the bytes as they are.
func TestTerminalsObeyNoLog(t *testing.T) {
	p := promise(t, "P26", "no control character out of a log reaches a terminal; a pipe gets the bytes")
	if _, err := exec.LookPath("script"); err != nil || runtime.GOOS != "linux" {
		p.skip("script(1) of util-linux")
	}
	w := newEvilWorld(t)
	shown := 0
	for _, call := range w.calls() {
		var line strings.Builder
		for i, word := range call {
			if i == 0 {
				word = binary(t, word)
			}
			line.WriteString("'" + strings.ReplaceAll(word, "'", `'\''`) + "' ")
		}
		require.NoError(t, os.WriteFile(filepath.Join(w.dir, "call"), []byte("exec "+line.String()), 0o644))
		plain := program(t, call[0])
		cmd := exec.Command("script", "-qec", "sh ./call", "/dev/null")
		cmd.Dir, cmd.Env = w.dir, append(plain.Env, "SHELL=/bin/sh", "TERM=xterm")
		got := execute(t, cmd)
		screen := strings.ReplaceAll(got.stdout, "\r\n", "\n") // as terminals have it
		r, raw := dataRaw(screen)
		p.try(!raw && !got.hung, "%q shows %U: %q", call, r, shorten(screen))
		if strings.Contains(screen, `\u202e`) {
			shown++
		}
		require.NoError(t, os.RemoveAll(filepath.Join(w.dir, "out")))

		// Not on a terminal a message is one, too.
		got = dataIn(t, w.dir, call[0], call[1:]...)
		r, raw = dataRaw(got.stderr)
		p.try(!raw, "%q says %U: %q", call, r, shorten(got.stderr))
		require.NoError(t, os.RemoveAll(filepath.Join(w.dir, "out")))
	}
	require.Greater(t, shown, 40, "the calls show too little to prove anything")
	text := dataFile(t, filepath.Join(w.dir, w.log))
	p.try(dataIn(t, w.dir, "jlrev", w.log).stdout == dataReversal(text), "jlrev changes bytes for a pipe")
	p.try(dataIn(t, w.dir, "jlcompact", w.log).stdout == text, "jlcompact changes bytes for a pipe")
	p.try(strings.HasSuffix(text, "\n") && dataPieces(text, dataIn(t, w.dir, "jlpath", w.log).stdout), "jlpath changes bytes for a pipe")
	p.figure("%d calls, %d of which show some of it", len(w.calls()), shown)
}

// dataOddNames are ids and names that could be taken for two, or for none, as JSON
// strings.
var dataOddNames = []string{
	`a\nb`, `a\r\nb`, `a\tb`, `a\u0000b`, `\n`, ` a`, `a `, `a\u0085b`, `a\u2028b`, `\"a\"`, `\"a`, `{\"uuid\":\"x\"}`, `{`, `-`, `--`, `..`, `../x`, `/`, `#1`, `\\`, `\ud800`, `a\u001fb`, `\u007f`, `\ufeffa`, `[1]`,
}

// TestOneRecordOneLine: a record is a line and a line is a record, whatever an id or
// a name is; and what is printed for another program is taken by it for what it was.
func TestOneRecordOneLine(t *testing.T) {
	p := promise(t, "P27", "one record one line, one message one line, whatever the names are")
	// All are leaves of one root.
	text := dataNode(0, "root", "", "")
	leaves := map[string]string{}
	for i, id := range dataOddNames {
		node := dataNode(i+1, id, "root", dataText(id))
		leaves[id] = node
		text += node
	}
	dir := space(t)
	odd := "odd\n\tname\r.jsonl"
	require.NoError(t, os.WriteFile(filepath.Join(dir, odd), []byte(text), 0o644))
	ids := dataIn(t, dir, "jlleaf", "-a", "-u", odd)
	p.try(strings.Count(ids.stdout, "\n") == len(dataOddNames), "jlleaf -a -u: %v", ids)
	rows := dataIn(t, dir, "jlleaf", "-a", odd)
	for _, list := range []outcome{ids, rows} {
		for i, line := range slices.Collect(strings.Lines(list.stdout)) {
			cmd := program(t, "jlpath", "-l", "-", odd)
			cmd.Dir, cmd.Stdin = dir, strings.NewReader(line)
			got := execute(t, cmd)
			want := leaves[dataOddNames[len(dataOddNames)-1-i]]
			wrong := ""
			if got.status != 0 || !strings.HasSuffix(got.stdout, want) || strings.Count(got.stdout, "\n") != 2 {
				wrong = "not the path of that leaf"
			}
			p.tryWell(wrong, "jlpath -l - of %q: %v", line, got)
		}
	}
	// One by one, as an argument; but those that mean something else there.
	for i, id := range dataOddNames {
		var name string
		o := dataRows(t, leaves[id])[0]
		if name = o.text("uuid"); strings.Contains(name, "\x00") || strings.HasPrefix(name, "-") || strings.Contains(id, `\ud800`) {
			continue
		}
		got := dataIn(t, dir, "jlpath", "--leaf="+name, odd)
		p.try(strings.HasSuffix(got.stdout, leaves[id]) || strings.Contains(got.stderr, "ambiguous"), "jlpath -l, name %d, %q: %v", i, name, got)
	}
	// Rows, and messages, of logs in which everything is wrong.
	var logs []string
	for i, id := range dataOddNames {
		logs = append(logs, dataNode(i, id, id+"x", "")+dataNode(i, id, id, "")+`{"uuid":"`+id+"\n"+dataNode(i, id+"y", id+"z", ""))
	}
	for i, text := range logs {
		name := fmt.Sprintf("%d%s", i, odd)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
		for _, c := range dataCalls {
			got := dataIn(t, dir, c.program, append(c.args[:len(c.args):len(c.args)], name)...)
			wrong := dataWrong(c.program, got)
			if got.stderr != "" && wrong == "" {
				wrong = wrongMessages(c.program, got.stderr)
			}
			if c.json && wrong == "" {
				wrong = dataNotLines(got.stdout)
			}
			p.tryWell(wrong, "%v, ids %s", c, dataOddNames[i])
			if i > 0 && !thorough() && c.program == "jlpath" && c.args == nil {
				break
			}
		}
	}

	// Names of files, ended by NUL.
	home := newEvilWorld(t)
	results := filepath.Join(home.dir, "home/projects/-x", home.id, "tool-results")
	for _, name := range []string{"a\nb.txt", "a\tb.txt", " ", "-rf", "*", "\xff\xfe", "a\\nb"} {
		require.NoError(t, os.WriteFile(filepath.Join(results, name), nil, 0o644))
	}
	got := dataIn(t, home.dir, "jlrel", "--home", "home", "-0", home.id)
	paths := strings.Split(strings.TrimSuffix(got.stdout, "\x00"), "\x00")
	found := 0
	for _, path := range paths {
		_, err := os.Lstat(filepath.Join(home.dir, path))
		p.try(err == nil, "jlrel -0 prints %q: %v", path, err)
		if filepath.Dir(filepath.Join(home.dir, path)) == results {
			found++
		}
	}
	there, err := os.ReadDir(results)
	require.NoError(t, err)
	p.try(found == len(there), "jlrel -0 prints %d of %d results: %v", found, len(there), got)
	listed := dataIn(t, home.dir, "jlrel", "--home", "home", home.id)
	p.tryWell(dataNotLines(listed.stdout), "jlrel: %v", listed)

	// And those that are restored.
	shot := `"a\nb":{"backupFileName":"0000000000000001@v1"},"a\tb":{"backupFileName":"0000000000000001@v1"},"a\u000ab/c":{"backupFileName":"0000000000000001@v1"}`
	shot = strings.Replace(shot, `"a\u000ab/c"`, `"d\u000ab/c"`, 1)
	log := dataNode(1, "a", "", "") + `{"type":"file-history-snapshot","messageId":"a","snapshot":{"messageId":"a","trackedFileBackups":{` + shot + `},"timestamp":"x"},"isSnapshotUpdate":false}` + "\n"
	require.NoError(t, os.WriteFile(filepath.Join(home.dir, "odd"), []byte(log), 0o644))
	got = dataIn(t, home.dir, "jlsnap", "--home", "home", "--restore", "out1", "odd")
	p.try(got.status == 0 && strings.Count(got.stdout, "\n") == 3, "jlsnap --restore: %v", got)
	got = dataIn(t, home.dir, "jlsnap", "--home", "home", "--restore", "out2", "-0", "odd")
	names := strings.Split(strings.TrimSuffix(got.stdout, "\x00"), "\x00")
	p.try(got.status == 0 && len(names) == 3, "jlsnap --restore -0: %v", got)
	for _, name := range names {
		_, err := os.Lstat(filepath.Join(home.dir, name))
		p.try(err == nil, "jlsnap --restore -0 prints %q: %v", name, err)
	}
}

// TestNamesStayInside: no name in a log leads out of the home and the directory that
// is restored into: nothing else is opened, written or shown.
func TestNamesStayInside(t *testing.T) {
	p := promise(t, "P25", "names in a log lead nowhere but into the home and the directory to restore into")
	const secret = "what nobody is to see"
	deep := strings.Repeat("../", 40)
	evil := []string{"..", "../x", "../../x", deep + "x", "a/../../x", "/", "/x", "//x", ".", "", "a/./../../x", `a\u0000b`, `a\u0000/../../x`, "*", "[", "~", "~/x", "-rf", "link/x", "link", "fifo", `..\\x`, strings.Repeat("x", 5000), strings.Repeat("y/", 3000), "file/x", "%2e%2e/x", `\u002e\u002e/x`, "file:///x"}
	sessions := []string{"..", "../..", deep + "outside", "/", "/outside", "*", "", `a\u0000b`, "link", ".", strings.Repeat("x", 5000), sessionID + "/../../../outside", "outside"}

	for i, id := range append([]string{sessionID}, sessions...) {
		dir := space(t)
		in := func(name string) string { return filepath.Join(dir, name) }
		history := "home/file-history/" + sessionID
		for _, d := range []string{history, "home/projects/-x", "outside/0000", "home/tasks", "tmp", "out/file"} {
			require.NoError(t, os.MkdirAll(in(d), 0o755))
		}
		for _, name := range []string{"x", "outside/x", "outside/0000000000000001@v1", "home/secret", history + "/x"} {
			require.NoError(t, os.WriteFile(in(name), []byte(secret), 0o644))
		}
		require.NoError(t, os.WriteFile(in(history+"/0000000000000001@v1"), []byte("a backup"), 0o644))
		require.NoError(t, os.Symlink(in("outside/x"), in(history+"/0000000000000002@v1")))
		require.NoError(t, os.Symlink(in("outside"), in("home/file-history/link")))
		require.NoError(t, syscall.Mkfifo(in(history+"/0000000000000003@v1"), 0o644))
		require.NoError(t, os.Symlink(in("outside"), in("out/link")))
		require.NoError(t, syscall.Mkfifo(in("out/fifo"), 0o644))

		var files []string
		for j, name := range evil {
			files = append(files, fmt.Sprintf(`"%s":{"backupFileName":"0000000000000001@v1","version":1}`, name), fmt.Sprintf(`"ok%d":{"backupFileName":"%s","version":1}`, j, name))
		}
		for n := range 4 {
			files = append(files, fmt.Sprintf(`"back%d":{"backupFileName":"000000000000000%d@v1","version":1}`, n, n), fmt.Sprintf(`"backx%d":{"backupFileName":"000000000000000%d@v1/../../../../outside/x","version":1}`, n, n))
		}
		root := `{"parentUuid":null,"sessionId":"` + id + `","type":"user","uuid":"a","timestamp":"2026-03-02T09:00:00.000Z","agentId":"` + id + `","slug":"` + id + `","message":{"content":[{"type":"tool_use","id":"t","name":"Task","input":{}}]},"toolUseResult":{"agentId":"` + id + `","outputFile":"` + id + `","filePath":"` + id + `"}}` + "\n"
		log := root + `{"type":"file-history-snapshot","messageId":"a","snapshot":{"messageId":"a","trackedFileBackups":{` + strings.Join(files, ",") + `},"timestamp":"x"},"isSnapshotUpdate":false}` + "\n"
		require.NoError(t, os.WriteFile(in("home/projects/-x/s.jsonl"), []byte(log), 0o644))

		outside := func() string {
			var b strings.Builder
			for _, d := range []string{"outside", "home", "tmp"} {
				b.WriteString(listing(t, in(d)))
			}
			top, err := os.ReadDir(dir)
			require.NoError(t, err)
			fmt.Fprint(&b, len(top))
			return b.String()
		}
		before := outside()
		for _, args := range [][]string{
			{"jlsnap", "--home", "home", "--files", "home/projects/-x/s.jsonl"},
			{"jlsnap", "--home", "home", "--restore", "out", "--force", "home/projects/-x/s.jsonl"},
			{"jlrel", "--home", "home", "home/projects/-x/s.jsonl"},
			{"jlrel", "--home", "home", "--links", "home/projects/-x/s.jsonl"},
			{"jlrel", "--home", "home", "--report", "home/projects/-x/s.jsonl"},
			{"jlrel", "--home", "home", "--orphans"},
			{"jlrel", "--home", "home", "--list"},
			{"jlrel", "--home", "home"},
		} {
			cmd := program(t, args[0], args[1:]...)
			cmd.Stdin = strings.NewReader(log)
			cmd.Dir = dir
			cmd.Env = append(cmd.Env, "TMPDIR="+in("tmp"))
			var strays []string
			var got outcome
			if traceMissing(t) == "" && (i < 4 || thorough()) {
				got = runTraced(t, cmd, func(c *call) {
					if !c.made && c.name == "openat" && !dataInside(dir, c.path) {
						strays = append(strays, c.path)
					}
				})
			} else {
				got = execute(t, cmd)
			}
			p.try(len(strays) == 0, "%q of session %q opens %q", args, id, strays)
			p.tryWell(dataWrong(args[0], got), "%q of session %q", args, id)
			p.try(!strings.Contains(got.stdout+got.stderr, secret), "%q of session %q shows the secret", args, id)
			p.try(outside() == before, "%q of session %q changes what is outside", args, id)
		}
		require.NoError(t, filepath.WalkDir(in("out"), func(path string, e fs.DirEntry, err error) error {
			if err == nil && e.Type().IsRegular() {
				text, err := os.ReadFile(path)
				p.try(err == nil && string(text) == "a backup", "restored into %q: %q", path, text)
			}
			return err
		}))
		if i == 0 {
			_, err := os.Stat(in("out/back1"))
			require.False(t, errors.Is(err, fs.ErrNotExist), "nothing is restored at all")
		}
	}
	if missing := traceMissing(t); missing != "" {
		p.lacks(missing)
	}
}

// dataInside reports whether a path that is opened is in the home or where the
// programs write, or is of the system's.
func dataInside(dir, path string) bool {
	rest, ok := strings.CutPrefix(filepath.Clean(path), dir)
	if !ok {
		return false
	}
	return rest == "/home" || strings.HasPrefix(rest, "/home/") || rest == "/out" || strings.HasPrefix(rest, "/out/") || strings.HasPrefix(rest, "/tmp/")
}
