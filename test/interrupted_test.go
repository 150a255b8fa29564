package test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// recipe returns the commands of the block of the cookbook that has word, from the one that begins with
// first on; a block may begin by making what the recipe is for.
func recipe(t *testing.T, word, first string) string {
	t.Helper()
	for _, block := range transcripts(t, "../doc/cookbook.md") {
		if !strings.Contains(block, word) {
			continue
		}
		var commands []string
		for _, l := range strings.Split(block, "\n") {
			if command, ok := strings.CutPrefix(l, "$ "); ok && (len(commands) > 0 || strings.HasPrefix(command, first)) {
				commands = append(commands, command)
			}
		}
		return strings.Join(commands, "\n")
	}
	require.Fail(t, "no block has it", word)
	return ""
}

// TestRecipesRemoveNothingElse runs recipes that move and remove files where something fails, is there
// already, or was done before.
func TestRecipesRemoveNothingElse(t *testing.T) {
	pack := recipe(t, "login.tar.zst", "export")
	pack, unpack, _ := strings.Cut(pack, "jlrel --orphans")
	_, unpack, _ = strings.Cut(unpack, "\n")
	join := recipe(t, "joined.jsonl", "set -o")
	back := recipe(t, "backup.sh claude", "cp -r")
	remove := recipe(t, "xargs -0 -n 1 dirname", "export")
	hook := "jq -r '.hooks.SessionEnd[].hooks[].command' \"$EXAMPLES/settings.json\" >hook; echo '{\"transcript_path\":\"demo.jsonl\"}' | bash hook\n"
	for name, script := range map[string]string{
		"a session is packed twice": "cp -r claude before\n" + pack + "\n" + pack + "\n" + unpack + "\ndiff -r before claude",
		"a session is packed and does not fit": "cp -r claude before; head -c 100000 /dev/urandom >claude/plans/x; " +
			"mkdir bin; printf '%s\\n' '#!/bin/sh' 'head -c 2048' >bin/zstd; chmod +x bin/zstd; PATH=$PWD/bin:$PATH\n" +
			pack + "\nrm claude/plans/x; diff -r before claude",
		"a session is packed whose log is a link": "log=$(ls claude/projects/*/3f1c*.jsonl); mv $log real; ln -s $PWD/real $log; cp -rP claude before\n" +
			pack + "\ndiff -r before claude; [ -L $log ] && zstd -dc login.tar.zst | tar -xO \"${log#*/}\" | cmp - real",
		"an archive that is joined is damaged": "cp demo.jsonl before; head -n 6 before >demo.jsonl; jlcompact --archive demo.jsonl; tail -n +7 before >demo.jsonl\n" +
			"cp demo.jsonl tail; truncate -s -100 demo.jsonl.zst; cp demo.jsonl.zst archive\n" + join +
			"\ncmp demo.jsonl tail && cmp demo.jsonl.zst archive",
		"a backup comes back beside newer files": "\"$EXAMPLES\"/backup.sh claude backup; echo new >claude/plans/*.md\n" +
			"log=$(ls claude/projects/*/3f1c*.jsonl)\n" + back + "\n[ \"$(cat claude/plans/*.md)\" = new ]",
		"a session is deleted beside an empty folder": "mkdir claude/projects/-other\n" + remove + "\n[ -d claude/projects/-other ] && [ ! -e claude/tasks ]",
		"the shell looks for folders elsewhere first": "mkdir -p other/orrery other/run; export CDPATH=$PWD/other CLAUDE_CONFIG_DIR=orrery; cd \"$PWD\"\n" +
			"printf 'demo.jsonl\\0' | \"$EXAMPLES\"/fleet/cut.sh 1 run \"$EXAMPLES\"/fleet/unit.sh check && \"$EXAMPLES\"/fleet/task.sh run 1 &&\n" +
			"\"$EXAMPLES\"/fleet/collect.sh run && \"$EXAMPLES\"/move.sh 7b1e /srv/new",
		"a session that ended before ends with a damaged log": hook + "cp ~/sessions/demo.md before\n" +
			"mkdir bin; printf '%s\\n' '#!/bin/sh' 'exit 2' >bin/jlpath; chmod +x bin/jlpath; PATH=$PWD/bin:$PATH\n" + hook + "cmp before ~/sessions/demo.md",
	} {
		t.Run(name, func(t *testing.T) {
			cmd := shell(t, built(t), "exec 2>&1\n"+script)
			cmd.Dir = testdata(t)
			out, err := cmd.Output()
			require.NoError(t, err, "%s", out)
		})
	}
}

// TestBackupGoesOn cuts a copy short and wants the next run to finish it.
func TestBackupGoesOn(t *testing.T) {
	dir := testdata(t)
	folder := filepath.Join(dir, "claude/file-history/a b\n")
	require.NoError(t, os.MkdirAll(folder, 0o700))
	for _, name := range []string{"-x", "a'\"\n\xff", "large"} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), make([]byte, 1<<20), 0o600))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "claude/projects/-home-user-shop/large"), make([]byte, 1<<20), 0o600))
	cmd := shell(t, built(t), `exec 2>&1
		(ulimit -f 512; trap '' XFSZ; "$EXAMPLES"/backup.sh claude $'-a backup\n'); echo $?
		"$EXAMPLES"/backup.sh claude $'-a backup\n' || exit
		find ./-a* -name '*.zst' -exec jlcompact --extract {} +
		find ./-a* -name '.*' ! -name .lock
		for f in file-history plans projects tasks; do diff -r claude/$f ./$'-a backup\n'/$f; done`)
	cmd.Dir = dir
	cmd.Env = append(cmd.Env, "CDPATH="+filepath.Join(dir, "orrery")) // the home of another
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "orrery/claude/projects"), 0o700))
	out, err := cmd.Output()
	require.NoError(t, err, "%s", out)
	status, rest, _ := strings.Cut(string(out), "\n2\n")
	require.Contains(t, status, "cp: ")
	require.Empty(t, rest)
}
