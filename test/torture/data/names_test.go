package data

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/torture/harness"
)

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
