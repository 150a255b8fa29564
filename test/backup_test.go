package test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/env"
)

// TestBackup: what jlrel --list shows is in the backup, or backup.sh names it and exits with 2.
func TestBackup(t *testing.T) {
	const log = "claude/projects/-home-user-shop/3f1c9a52-7d6e-4b1f-9a3c-2e8d5b60c7a1.jsonl"
	bin := built(t)
	for name, script := range map[string]string{
		"the home is a link":           `mv claude real; ln -s real claude; backup claude; status 0; all claude`,
		"the folder of projects is":    `mkdir real; mv claude/projects real; ln -s ../real/projects claude; backup claude; status 0; all claude; agents`,
		"a project's folder is":        `mkdir real; mv claude/projects/* real; ln -s ../../real/-home-user-shop claude/projects; backup claude; status 0; all claude; agents`,
		"a log is":                     `mv $log real; ln -s ../../../real $log; backup claude; status 0; all claude; zstd -dcq bk/${log#*/}.zst | cmp - real`,
		"a folder of members is":       `mv claude/file-history real; ln -s ../real claude/file-history; backup claude; status 2 "file-history: a symbolic link; "; all claude`,
		"a member is":                  `ln -s /etc/passwd claude/plans/x; backup claude; status 2 "plans/x: a symbolic link; "; all claude; [ ! -e bk/plans/x ]`,
		"a link leads into the backup": `ln -s calm-green-fox.md claude/plans/latest; backup claude; status 0; all claude`,
		"a link leads nowhere":         `ln -s nowhere claude/projects/-x; backup claude; status 2 "projects/-x: a symbolic link; "; rm claude/projects/-x; all claude`,
		"no home":                      `mkdir no; backup no; status 2 "no: no home of an agent"; [ ! -e bk/projects ]`,
		"no such folder":               `backup nowhere; status 2 "nowhere"`,
		"a home without a session":     `mkdir -p empty/projects; backup empty; status 0 ""`,
		"another agent's home":         `backup codex; status 0; all codex`,
		"the homes of all agents":      `cp -r claude ~/.claude; cp -r codex ~/.codex; unset CLAUDE_CONFIG_DIR CODEX_HOME; "$EXAMPLES"/backup.sh bk; all ~/.claude bk/claude; all ~/.codex bk/codex`,
		"…and one that has no logs":    `mkdir -p ~/.codex/sessions ~/.cursor/chats; unset CODEX_HOME XDG_DATA_HOME; "$EXAMPLES"/backup.sh bk >said 2>&1; grep -q "/.cursor/chats: sessions in SQLite, which are not in the backup$" said`,
		"the home of Cursor":           `s=40000000-0000-4000-8000-000000000001; t=~/.cursor/projects/w/agent-transcripts; mkdir -p $t/$s/subagents; printf '%s\n' '{"role":"user","message":{"content":[{"type":"text","text":"Hi"}]}}' '{"role":"assistant","message":{"content":[{"type":"text","text":"Hello"}]}}' | tee $t/$s/subagents/${s/4/5}.jsonl >$t/$s/$s.jsonl; unset CODEX_HOME CLAUDE_CONFIG_DIR; "$EXAMPLES"/backup.sh bk; all ~/.cursor bk/cursor; [ -e bk/cursor/projects/w/agent-transcripts/$s/subagents/${s/4/5}.jsonl.zst ]`,
		"the homes of Droid and Kimi Code": `mkdir -p ~/.factory/sessions/-w ~/.kimi{,-code}/sessions/w/session_1/agents/main; printf '%s\n' '{"type":"session_start","id":"d1","cwd":"/w"}' '{"type":"message","id":"m1","message":{"role":"user","content":[{"type":"text","text":"Go."}]}}' >~/.factory/sessions/-w/d1.jsonl
			printf '%s\n' '{"type":"metadata","protocol_version":"1.5"}' '{"type":"context.append_message","message":{"role":"user","content":"Go.","origin":{"kind":"user"}},"time":1793520001000}' | tee ~/.kimi/sessions/w/session_1/wire.jsonl >~/.kimi-code/sessions/w/session_1/agents/main/wire.jsonl
			unset CODEX_HOME CLAUDE_CONFIG_DIR; "$EXAMPLES"/backup.sh bk; all ~/.factory bk/droid; all ~/.kimi-code bk/kimi; [ -e bk/kimi-2/sessions/w/session_1/wire.jsonl.zst ]; mkdir new; "$EXAMPLES"/merge.sh bk/kimi new; jlrel --list --home new | grep -q '"agent":"kimi"'`,
		"a home that has no log yet":     `mkdir -p ~/.gemini; cp -r claude ~/.claude; unset GEMINI_CLI_HOME CODEX_HOME CLAUDE_CONFIG_DIR; "$EXAMPLES"/backup.sh bk >said 2>&1; [ ! -s said ]; all ~/.claude bk/claude`,
		"a log of an unknown agent":      `cp -r claude ~/.claude; unset CODEX_HOME CLAUDE_CONFIG_DIR; mkdir bin; printf '#!/bin/bash\njlrel=%s\n[ "$*" != "--list -0" ] || printf "/new/agent\\nx/s.jsonl\\0"\nexec $jlrel "$@"\n' "$(type -P jlrel)" >bin/jlrel; chmod +x bin/jlrel; PATH=$PWD/bin:$PATH; "$EXAMPLES"/backup.sh bk >said 2>&1 || got=$?; [ $got = 2 ]; [ "$(cat said)" = "backup.sh: \$'/new/agent\\nx/s.jsonl: not in the backup'" ]`,
		"another mode of a plan":         `backup claude; chmod 600 claude/plans/*; backup claude; status 0; [ "$(stat -c %a bk/plans/calm-green-fox.md)" = 600 ]`,
		"nothing has changed":            `backup claude; mkdir bin; printf '#!/bin/sh\necho "$0 $*" >&2; exit 1\n' >bin/jlcompact; cp bin/jlcompact bin/cp; chmod +x bin/*; PATH=$PWD/bin:$PATH; backup claude; status 0; touch claude/plans/*; backup claude; status 2 "bin/cp"; touch $log; backup claude; status 2 "bin/jlcompact --archive"`,
		"another mode":                   `backup claude; chmod 600 $log; backup claude; status 0; [ "$(stat -c %a bk/${log#*/}.zst)" = 600 ]`,
		"a tool is missing":              `mkdir some; ln -s ${PATH//:/\/* }/* some; rm some/jlcompact; PATH=$PWD/some; backup claude; status 2 "backup.sh: jlcompact is not installed"; [ ! -e bk ]`,
		"usage":                          `for args in "" "a b c"; do got=0; "$EXAMPLES"/backup.sh $args >said 2>&1 || got=$?; [ $got = 2 ]; [ "$(cat said)" = "usage: backup.sh [HOME] DIR" ]; done`,
		"twice at once":                  `backup claude & first=$!; "$EXAMPLES"/backup.sh claude bk >said2 2>&1 || grep -q "another run writes to" said2; wait $first; backup claude; status 0 ""; all claude; agents`,
		"an archive in the home":         `jlcompact --archive $log; backup claude; status 0; all claude; jlcompact --extract $log.zst; tail -n 1 $log >>$log; jlcompact --archive $log; backup claude; status 0; cmp <(zstd -dcq $log.zst) <(zstd -dcq bk/${log#*/}.zst)`,
		"a log packed with gzip":         `gzip $log; backup claude; status 0; cmp <(gzip -dc $log.gz) <(zstd -dcq bk/${log#*/}.zst)`,
		"the clock went back":            `backup claude; echo new >claude/plans/calm-green-fox.md; touch -d 2001-01-01 claude/plans/*; backup claude; status 0; cmp claude/plans/calm-green-fox.md bk/plans/calm-green-fox.md`,
		"a log got shorter":              `backup claude; cp -r bk was; sed -i '$d' $log; backup claude; status 2 "has different contents"; diff -r bk was`,
		"…and was archived":              `backup claude; cp -r bk was; sed -i '$d' $log; jlcompact --archive $log; backup claude; status 2 "has different contents"; diff -r bk was`,
		"…and was packed with gzip":      `backup claude; cp -r bk was; sed -i '$d' $log; gzip $log; backup claude; status 2 "has different contents"; diff -r bk was`,
		"a killed run left a folder":     `mkdir -p bk/.backup/log; echo "unfinished files of backup.sh" >bk/.backup/mark; echo half >bk/.backup/copy; backup claude; status 0 ""; all claude; [ ! -e bk/.backup ]`,
		"…before it wrote the mark":      `mkdir -p bk/.backup; : >bk/.backup/mark; backup claude; status 0 ""; all claude; [ ! -e bk/.backup ]`,
		"such a folder is of another":    `mkdir -p bk/.backup; : >bk/.backup/mark; echo mine >bk/.backup/x; backup claude; status 2 ".backup is not of this script"; [ "$(cat bk/.backup/x)" = mine ]`,
		"another run is not at its end":  `mkdir -p bk/.backup; echo "unfinished files of backup.sh" >bk/.backup/mark; flock bk/.backup/mark sleep 5 & sleep 1; backup claude; status 2 "another run writes to"; wait`,
		"a file with such a name":        `mkdir bk; echo mine >bk/.backup.12345678; backup claude; status 0; [ "$(cat bk/.backup.12345678)" = mine ]`,
		"a name with a line break":       `cp $log claude/projects/-home-user-shop/$'a\nb.jsonl'; backup claude; status 0; [ -e bk/projects/-home-user-shop/$'a\nb.jsonl.zst' ]`,
		"a project's folder is not read": `chmod 0 claude/projects/-home-user-shop; backup claude; got=$?; chmod 700 claude/projects/-home-user-shop; status 2 "ermission denied"`,
	} {
		t.Run(name, func(t *testing.T) {
			env.Half(t)
			t.Parallel()
			if strings.Contains(script, "chmod 0 ") {
				env.NeedsUser(t)
			}
			cmd := bare(t, bin, `set -eE; trap 'echo "failed: $BASH_COMMAND; status $got"; cat said' ERR
				log=`+log+`; got=0; : >said
				backup() { got=0; "$EXAMPLES"/backup.sh "$1" bk >said 2>&1 || got=$?; }
				status() { [ $got = $1 ] && if [ -n "${2-}" ]; then grep -qF -e "$2" said; else [ ! -s said ]; fi; }
				all() { # what the list of a home shows is in the backup
					jlrel --list --relative -0 --home "$1" >list
					[ -s list ]
					while IFS= read -rd '' file; do cmp <(zstd -dcfq "$1/$file") <(zstd -dcq "${2-bk}/${file%.zst}.zst"); done <list
				}
				agents() { [ -e bk/projects/-home-user-shop/3f1c*/subagents/agent-a7c01f.jsonl.zst ]; }
				exec 2>&1
				`+script)
			cmd.Dir = testdata(t)
			out, err := cmd.Output()
			require.NoError(t, err, "%s", out)
		})
	}
}

// TestBackupIsKilled kills backups after some time. The next one is whole, and nothing is left of them.
func TestBackupIsKilled(t *testing.T) {
	cmd := bare(t, built(t), `exec 2>&1
		for i in 0 1 2 3 4 5 6 7; do
			timeout -s KILL 0.0$((i * 11 + 5)) "$EXAMPLES"/backup.sh claude bk$i >/dev/null
			sleep 0.2 # the programs that it has started may still hold the lock
			"$EXAMPLES"/backup.sh claude bk$i || exit
			find bk$i -name '.*'
			find bk$i -name '*.zst' -exec jlcompact --extract {} +
			for f in file-history plans projects tasks; do diff -r claude/$f bk$i/$f; done
		done 2>&1 | grep -v -e 'a killed run left it$' -e 'line [0-9]*: *[0-9]* Killed '`)
	cmd.Dir = testdata(t)
	out, err := cmd.Output()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit, "%s", out) // grep prints nothing
	require.Empty(t, string(out))
}
