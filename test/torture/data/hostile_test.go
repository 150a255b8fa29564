package data

import (
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

	"jl/test/torture/harness"
)

// What a terminal would obey: it renames the window, fills the clipboard, moves the
// cursor, reverses the text.
const (
	evil     = `\u001b]0;evil\u0007\u001b]52;c;ZXZpbA==\u0007\r\b\u0000` + evilRaw // in JSON
	evilRaw  = "\x7f\u009b31m\u0085\u009d0;evil\u009c\u202eevil\u2066\u2069\u200f" // JSON allows these bytes
	evilName = "\x1b]0;evil\x07\x1b[2J\r\b" + evilRaw                              // in names of files
	evilLog  = "log" + evilName + ".jsonl"
)

// evilText is a log whose every text is evil: @ stands for it.
var evilText = strings.ReplaceAll(evilNode("1", "null", `,"type":"user","message":{"role":"user","content":"prompt @"}`)+
	evilNode("2", `"1@"`, `,"type":"assistant","message":{"id":"m@","role":"assistant","content":[{"type":"tool_use","id":"t@","name":"Task@","input":{"x":"@"}}]}`)+
	evilNode("3", `"2@"`, `,"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t@","content":"agentId: @"}]},"toolUseResult":{"agentId":"a@","backgroundTaskId":"@","outputFile":"/tmp/@"}`)+
	evilNode("4", `"gone@"`, `,"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"u@","name":"Bash@","input":{}}]}`)+
	`{"type":"file-history-snapshot","messageId":"4@","snapshot":{"messageId":"4@","trackedFileBackups":{"src/@":{"backupFileName":"@","version":"@","backupTime":"@"},"b`+evilRaw+`":{"backupFileName":"0000000000000001!v1","version":1,"backupTime":"x"}},"timestamp":"@"},"isSnapshotUpdate":false}
{"type":"summary","summary":"s @","leafUuid":"4@"}
{"type":"custom-title","customTitle":"t @","sessionId":"`+harness.SessionID+`"}
{"type":"tag","tag":"@","sessionId":"`+harness.SessionID+`"}
{"type":"last-prompt","lastPrompt":"@","leafUuid":"1@","sessionId":"`+harness.SessionID+`"}
`, "@", evil)

func evilNode(n, parent, more string) string {
	return fmt.Sprintf(`{"parentUuid":%s,"isSidechain":false,"cwd":"/x@","sessionId":"%s","gitBranch":"b@"%s,"uuid":"%s@","timestamp":"2026-03-02T09:00:0%[4]s.000Z","x@":"@"}`+"\n", parent, harness.SessionID, more, n)
}

// evilDir returns a directory with evil logs and a home with evil names.
func evilDir(t testing.TB) string {
	dir, project := harness.Dir(t), "home/projects/-x/"+harness.SessionID
	text := strings.ReplaceAll(evilText, "1!v1", "1@v1")
	harness.Write(t, dir, map[string]string{
		evilLog:            text,
		"broken":           evilName + "\n" + `{"type":"user","uuid":"` + evilName + `"}` + "\n" + `{"torn":"` + evilName + text,
		project + ".jsonl": text,
		project + "/tool-results/r" + evilName + ".txt":                                   "x",
		project + "/subagents/agent-a" + evilRaw + ".jsonl":                               harness.Node(1, "a", "", ""),
		"home/file-history/" + harness.SessionID + "/0000000000000001@v1":                 "x",
		"home/todos/" + strings.Replace(harness.SessionID, "5", "6", 1) + "-agent-x.json": "[]",
		"home/debug/" + evilName + ".txt":                                                 "x",
	})
	return dir
}

// evilCalls returns command lines that print what is in an evil directory.
func evilCalls() (all [][]string) {
	add := func(line string, more ...string) {
		all = append(all, append(strings.Split(strings.NewReplacer("@", evilName, "ID", harness.SessionID, "HOME", "--home home").Replace(line), " "), more...))
	}
	for _, file := range []string{evilLog, "broken", "no" + evilName} {
		for _, line := range []string{
			"jlrev", "jltree", "jltree --check", "jlleaf", "jlleaf -a", "jlleaf -u", "jlpath", "jlpath --bridge --meta",
			"jlpath -l 4", "jlpath -l @", "jlleaf -l no@", "jlpath --as claude-2.1", "jlpath --session x@",
			"jlsnap", "jlsnap HOME --files", "jlsnap HOME@ --files",
			"jlcompact", "jlcompact --list", "jlcompact --last 2", "jlcompact -n 9", "jlrel HOME --links", "jlrel HOME",
		} {
			add(line, file)
		}
	}
	for _, args := range []string{"ID", "-0 ID", "--report ID", "--links ID", "--list", "--orphans", "@", "--since @ --list", "--no@"} {
		add("jlrel HOME " + args)
	}
	add("jlsnap HOME --restore out", evilLog)
	add("jlpath --as @")
	return all
}

// control returns the first character of a text that a terminal would obey, or that
// is not UTF-8.
func control(text string) (rune, bool) {
	for i, r := range text {
		_, n := utf8.DecodeRuneInString(text[i:])
		if unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r) || r == utf8.RuneError && n == 1 {
			return r, true
		}
	}
	return 0, false
}

// TestTerminalsObeyNoLog runs the evil calls on a terminal, whose streams both stay
// clean, and with pipes, which get the bytes of the log but clean messages.
func TestTerminalsObeyNoLog(t *testing.T) {
	p := harness.Parallel(t, "P26", "no control character out of a log reaches a terminal; a pipe gets the bytes")
	if _, err := exec.LookPath("script"); err != nil || runtime.GOOS != "linux" {
		p.SkipWithout("script(1) of util-linux")
	}
	dir := evilDir(t)
	shown := 0
	for _, words := range evilCalls() {
		line := "exec '" + harness.Bin(t, "") + "/'"
		for _, word := range words {
			line += "'" + strings.ReplaceAll(word, "'", `'\''`) + "' "
		}
		harness.Write(t, dir, map[string]string{"call": line})
		cmd := exec.Command("script", "-qec", "sh ./call", "/dev/null")
		cmd.Dir, cmd.Env = dir, append(harness.Program(t, words[0]).Env, "SHELL=/bin/sh", "TERM=xterm")
		got := harness.Execute(t, cmd)
		screen := strings.ReplaceAll(got.Stdout, "\r\n", "\n") // the terminal adds them
		r, found := control(screen)
		p.Try(!found && !got.Hung, "%q shows %U: %q", words, r, harness.Shorten(screen))
		if strings.Contains(screen, `\u202e`) {
			shown++
		}
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "out")))

		got = harness.Run(t, dir, words[0], words[1:]...)
		r, found = control(got.Stderr)
		p.Try(!found, "%q writes %U: %q", words, r, harness.Shorten(got.Stderr))
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "out")))
	}
	require.Greater(t, shown, 40, "the calls show too little")
	text := harness.Read(t, filepath.Join(dir, evilLog))
	p.Try(harness.Run(t, dir, "jlrev", evilLog).Stdout == harness.Reversal(text), "jlrev changes bytes for a pipe")
	p.Try(harness.Run(t, dir, "jlcompact", evilLog).Stdout == text, "jlcompact changes bytes for a pipe")
	p.Try(pieces(text, harness.Run(t, dir, "jlpath", evilLog).Stdout), "jlpath changes bytes for a pipe")
	p.Remark("%d calls, %d of which show some of it", len(evilCalls()), shown)
}

// oddIDs are JSON strings that could be taken for two lines or ids, or for none.
var oddIDs = []string{
	`a\nb`, `a\r\nb`, `a\tb`, `a\u0000b`, `\n`, ` a`, `a `, `a\u0085b`, `a\u2028b`, `\"a\"`, `\"a`, `{\"uuid\":\"x\"}`, `{`, `-`, `--`, `..`, `../x`, `/`, `#1`, `\\`, `\ud800`, `a\u001fb`, `\u007f`, `\ufeffa`, `[1]`,
}

// TestOneRecordOneLine prints odd ids and names. A record stays one line, and what is
// printed for another program means the same to it.
func TestOneRecordOneLine(t *testing.T) {
	p := harness.Parallel(t, "P27", "one record one line, one message one line, whatever the names are")
	const odd = "odd\n\tname\r.jsonl"
	dir := harness.Dir(t)
	text := harness.Node(0, "root", "", "")
	var leaves []string
	for i, id := range oddIDs {
		leaves = append(leaves, harness.Node(i+1, id, "root", harness.Text(id)))
		text += leaves[i]
	}
	harness.Write(t, dir, map[string]string{odd: text})
	ids, edges := harness.Run(t, dir, "jlleaf", "-a", "-u", odd), harness.Run(t, dir, "jlleaf", "-a", odd)
	p.Try(strings.Count(ids.Stdout, "\n") == len(oddIDs), "jlleaf -a -u: %v", ids)
	for _, list := range []harness.Outcome{ids, edges} {
		for i, line := range slices.Collect(strings.Lines(list.Stdout)) {
			cmd := harness.Program(t, "jlpath", "-l", "-", odd)
			cmd.Dir, cmd.Stdin = dir, strings.NewReader(line)
			got := harness.Execute(t, cmd)
			want := leaves[len(leaves)-1-i]
			p.Try(got.Status == 0 && strings.HasSuffix(got.Stdout, want) && strings.Count(got.Stdout, "\n") == 2, "jlpath -l - of %q: %v", line, got)
		}
	}
	for _, leaf := range leaves {
		id := rows(t, leaf)[0].text("uuid")
		if strings.ContainsAny(id, "\x00\ufffd") || strings.HasPrefix(id, "-") || strings.Contains(id, "..") {
			continue // an argument cannot say that
		}
		got := harness.Run(t, dir, "jlpath", "--leaf="+id, odd)
		p.Try(strings.HasSuffix(got.Stdout, leaf) || strings.Contains(got.Stderr, "ambiguous"), "jlpath -l %q: %v", id, got)
	}
	// Logs in which everything is wrong.
	for i, id := range oddIDs {
		name := fmt.Sprintf("%d%s", i, odd)
		harness.Write(t, dir, map[string]string{name: harness.Node(i, id, id+"x", "") + harness.Node(i, id, id, "") + `{"uuid":"` + id + "\n" + harness.Node(i, id+"y", id+"z", "")})
		for _, c := range calls {
			got := c.run(t, dir, name)
			problem := harness.ProblemOfEnd(c.program, got)
			if got.Stderr != "" && problem == "" {
				problem = harness.ProblemOfMessages(c.program, got.Stderr)
			}
			if c.json && problem == "" {
				problem = notJSON(got.Stdout)
			}
			p.Check(problem, "%v, ids %s", c, id)
			if i > 0 && !harness.Long() && c == path {
				break
			}
		}
	}

	home := evilDir(t)
	results := filepath.Join("home/projects/-x", harness.SessionID, "tool-results")
	for _, name := range []string{"a\nb.txt", "a\tb.txt", " ", "-rf", "*", "\xff\xfe", "a\\nb"} {
		harness.Write(t, home, map[string]string{filepath.Join(results, name): ""})
	}
	// exist reports how many of the paths, which NULs end, are below a directory.
	exist := func(got harness.Outcome, below string) (n int) {
		for path := range strings.SplitSeq(strings.TrimSuffix(got.Stdout, "\x00"), "\x00") {
			_, err := os.Lstat(filepath.Join(home, path))
			p.Try(err == nil, "the path %q: %v", path, err)
			if strings.HasPrefix(path, below+"/") {
				n++
			}
		}
		return n
	}
	got := harness.Run(t, home, "jlrel", "--home", "home", "-0", harness.SessionID)
	n, want := exist(got, results), len(harness.List(t, filepath.Join(home, results)))
	p.Try(n == want, "jlrel -0 prints %d of %d results: %v", n, want, got)
	p.Check(notJSON(harness.Run(t, home, "jlrel", "--home", "home", harness.SessionID).Stdout), "jlrel")

	backup := `":{"backupFileName":"0000000000000001@v1"}`
	harness.Write(t, home, map[string]string{"log": harness.Node(1, "a", "", "") + `{"type":"file-history-snapshot","messageId":"a","snapshot":{"messageId":"a","trackedFileBackups":{"a\nb` + backup + `,"a\tb` + backup + `,"d\u000ab/c` + backup + `},"timestamp":"x"},"isSnapshotUpdate":false}` + "\n"})
	got = harness.Run(t, home, "jlsnap", "--home", "home", "--restore", "out1", "log")
	p.Try(got.Status == 0 && strings.Count(got.Stdout, "\n") == 3, "jlsnap --restore: %v", got)
	got = harness.Run(t, home, "jlsnap", "--home", "home", "--restore", "out2", "-0", "log")
	p.Try(got.Status == 0 && exist(got, "out2") == 3, "jlsnap --restore -0: %v", got)
}

// TestNamesStayInside reads logs whose names lead out of the home and out of the
// directory to restore into. Nothing else is opened, written or printed.
func TestNamesStayInside(t *testing.T) {
	p := harness.Parallel(t, "P25", "names in a log lead nowhere but into the home and the directory to restore into")
	const secret = "a secret outside"
	deep := strings.Repeat("../", 40)
	paths := []string{"..", "../x", "../../x", deep + "x", "a/../../x", "/", "/x", "//x", ".", "", "a/./../../x", `a\u0000b`, `a\u0000/../../x`, "*", "[", "~", "~/x", "-rf", "link/x", "link", "fifo", `..\\x`, strings.Repeat("x", 5000), strings.Repeat("y/", 3000), "file/x", "%2e%2e/x", `\u002e\u002e/x`, "file:///x"}
	sessions := []string{harness.SessionID, "..", "../..", deep + "outside", "/", "/outside", "*", "", `a\u0000b`, "link", ".", strings.Repeat("x", 5000), harness.SessionID + "/../../../outside", "outside"}
	var files []string
	for i, name := range paths {
		files = append(files, fmt.Sprintf(`"%s":{"backupFileName":"0000000000000001@v1","version":1}`, name), fmt.Sprintf(`"ok%d":{"backupFileName":"%s","version":1}`, i, name))
	}
	for n := range 4 {
		files = append(files, fmt.Sprintf(`"back%d":{"backupFileName":"000000000000000%d@v1","version":1}`, n, n), fmt.Sprintf(`"backx%d":{"backupFileName":"000000000000000%d@v1/../../../../outside/x","version":1}`, n, n))
	}
	for i, id := range sessions {
		dir := harness.Dir(t)
		in := func(name string) string { return filepath.Join(dir, name) }
		log := strings.ReplaceAll(`{"parentUuid":null,"sessionId":"ID","type":"user","uuid":"a","timestamp":"2026-03-02T09:00:00.000Z","agentId":"ID","slug":"ID","message":{"content":[{"type":"tool_use","id":"t","name":"Task","input":{}}]},"toolUseResult":{"agentId":"ID","outputFile":"ID","filePath":"ID"}}`, "ID", id) + "\n" +
			`{"type":"file-history-snapshot","messageId":"a","snapshot":{"messageId":"a","trackedFileBackups":{` + strings.Join(files, ",") + `},"timestamp":"x"},"isSnapshotUpdate":false}` + "\n"
		history := "home/file-history/" + harness.SessionID
		harness.Write(t, dir, map[string]string{
			"home/projects/-x/s.jsonl": log, "home/tasks/.": "", "tmp/.": "", "out/file/.": "", "outside/0000/.": "",
			history + "/0000000000000001@v1": "a backup",
			"x":                              secret, "outside/x": secret, "outside/0000000000000001@v1": secret, "home/secret": secret, history + "/x": secret,
		})
		require.NoError(t, os.Symlink(in("outside/x"), in(history+"/0000000000000002@v1")))
		require.NoError(t, os.Symlink(in("outside"), in("home/file-history/link")))
		require.NoError(t, os.Symlink(in("outside"), in("out/link")))
		require.NoError(t, syscall.Mkfifo(in(history+"/0000000000000003@v1"), 0o644))
		require.NoError(t, syscall.Mkfifo(in("out/fifo"), 0o644))

		outside := func() string {
			return fmt.Sprint(harness.Listing(t, in("outside")), harness.Listing(t, in("home")), harness.Listing(t, in("tmp")), harness.List(t, dir))
		}
		before := outside()
		for _, args := range []string{
			"jlsnap --home home --files home/projects/-x/s.jsonl",
			"jlsnap --home home --restore out --force home/projects/-x/s.jsonl",
			"jlrel --home home home/projects/-x/s.jsonl",
			"jlrel --home home --links home/projects/-x/s.jsonl",
			"jlrel --home home --report home/projects/-x/s.jsonl",
			"jlrel --home home --orphans",
			"jlrel --home home --list",
			"jlrel --home home",
		} {
			words := strings.Fields(args)
			cmd := harness.Program(t, words[0], words[1:]...)
			cmd.Dir, cmd.Stdin, cmd.Env = dir, strings.NewReader(log), append(cmd.Env, "TMPDIR="+in("tmp"))
			var got harness.Outcome
			var opened []string
			if harness.TraceMissing(t) == "" && (i < 4 || harness.Long()) {
				got = harness.Trace(t, cmd, func(c *harness.Call) {
					if c.Name == "openat" && !c.Below(in("home")) && !c.Below(in("out")) && !c.Below(in("tmp")) {
						opened = append(opened, c.Path)
					}
				}, nil)
			} else {
				got = harness.Execute(t, cmd)
			}
			p.Try(len(opened) == 0, "%s of session %q opens %q", args, id, opened)
			p.Check(harness.ProblemOfEnd(words[0], got), "%s of session %q", args, id)
			p.Try(!strings.Contains(got.Stdout+got.Stderr, secret), "%s of session %q prints the secret", args, id)
			p.Try(outside() == before, "%s of session %q writes outside", args, id)
		}
		require.NoError(t, filepath.WalkDir(in("out"), func(path string, e fs.DirEntry, err error) error {
			if err == nil && e.Type().IsRegular() {
				text, err := os.ReadFile(path)
				p.Try(err == nil && string(text) == "a backup", "%q is restored as %q", path, text)
			}
			return err
		}))
		if i == 0 {
			require.FileExists(t, in("out/back1"), "nothing is restored")
		}
	}
	if missing := harness.TraceMissing(t); missing != "" {
		p.Lacks(missing)
	}
}
