package test

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/env"
)

// stopper is read by each bash before its script. It counts the commands of the script, and before the
// STOP_AT-th it sends the signal STOP to the script.
const stopper = `set -T
trap '[ $((++STOP_N)) != "$STOP_AT" ] || kill -s "$STOP" $$' DEBUG
`

// counter counts them, in place of that.
const counter = "set -T; steps=$PWD/steps\ntrap 'printf . >>\"$steps\"' DEBUG\n"

// stoppedHead begins the script of each case of stopped.
const stoppedHead = `set -eE; trap 'echo "failed: $BASH_COMMAND"' ERR
	id=3f1c9a52-7d6e-4b1f-9a3c-2e8d5b60c7a1
	stopped() { # the programs that it has started may still hold the lock, and end then
		if [ -n "${KILL_AFTER-}" ]; then killed "$@"; return; fi
		BASH_ENV=$PWD/stopper "$@" >said 2>&1 || echo stopped >was
		[ ! -e "$lock" ] || flock "$lock" true || true
	}
	killed() { # it, and all programs that it has started, after a part of the time that it takes
		local from=$EPOCHREALTIME
		setsid "$@" >said 2>&1 &
		if [ "$KILL_AFTER" != never ]; then sleep "$KILL_AFTER"; kill -s KILL -- -$! 2>/dev/null || true; fi
		wait $! || echo stopped >was
		for i in {1..200}; do kill -0 -- -$! 2>/dev/null || break; sleep .01; done # they end one after another
		echo "it took $((${EPOCHREALTIME/./} - ${from/./}))" >took
	}
	exec 2>&1
	`

// stopped has a script for each script of examples/ that makes, moves, removes or packs files: it lets it be stopped,
// wants that nothing is lost then, and that the next run goes on.
var stopped = map[string]string{
	"prune.sh": `touch -d '30 days ago' $(find claude -type f); touch claude/projects/*/8b20*; cp -rp claude before; lock=old/.prune/mark
		stopped "$EXAMPLES"/prune.sh 20 old claude
		mkdir back
		for a in old/claude/*.zst; do [ ! -e "$a" ] || zstd -dcq "$a" | tar -C back -x; done
		(cd before && find . -type f) >files
		while IFS= read -r file; do cmp -s "before/$file" "claude/$file" || cmp "before/$file" "back/$file"; done <files
		"$EXAMPLES"/prune.sh 20 old claude >/dev/null
		[ -z "$(find claude -name "*$id*")" ]
		[ "$(find old -type f)" = old/claude/$id.tar.zst ]
		zstd -dcq old/claude/$id.tar.zst | tar -C claude -x --skip-old-files
		diff -r claude before`,
	"backup.sh": `cp -r claude before; lock=bk/.backup/mark
		stopped "$EXAMPLES"/backup.sh claude bk
		diff -r claude before
		"$EXAMPLES"/backup.sh claude bk 2>&1 | { grep -v 'a killed run left it$' || true; } >said
		[ ! -s said ]
		[ -z "$(find bk -name '.*' ! -name .lock)" ]
		find bk -name '*.zst' -exec jlcompact --extract {} +
		diff -r before bk`,
	"move.sh": `export CLAUDE_CONFIG_DIR=orrery; cp -r orrery before; lock=orrery/projects/-srv-new/.move/mark
		stopped "$EXAMPLES"/move.sh 7b1e /srv/new
		(cd before && find . -type f -exec cmp {} ../orrery/{} \;) >said
		[ ! -s said ]
		if [ ! -e orrery/projects/-srv-new/7b1e55d2-0c3a-4f6b-9d21-5a8e4c90f713.jsonl ]; then "$EXAMPLES"/move.sh 7b1e /srv/new >/dev/null; fi
		"$EXAMPLES"/move.sh 7b1e /srv/new >/dev/null 2>&1 && exit 1
		diff <(cd orrery/projects/-srv-new && find . | sort) <(cd before/projects/-home-ada-orrery && find . | sort)`,
	"merge.sh": `cp -rp claude mine; cp -rp claude from; rm -r mine/plans mine/projects/*/*/; lock=mine/.merge/mark
		log=projects/-home-user-shop/$id.jsonl; tail -n 1 from/$log >>from/$log; cp -rp from before
		stopped "$EXAMPLES"/merge.sh from mine
		(cd mine && find . -type f ! -path './.merge/*' -exec cmp {} ../from/{} \;) >said 2>&1 || true
		if grep -v "EOF on ./$log" said; then exit 1; fi
		"$EXAMPLES"/merge.sh from mine
		diff -r from mine && diff -r from before`,
	"redact.sh": `lock=claude/.redact/mark; sed -i 's/clock/sk-ant-1/' $(grep -lr clock claude); cp -rp claude before; sed -i 's/sk-ant-1/[secret]/' $(grep -lr sk-ant-1 before)
		jlcompact --archive claude/projects/*/*.jsonl
		stopped "$EXAMPLES"/redact.sh sk-ant-1 claude
		"$EXAMPLES"/redact.sh sk-ant-1 claude >/dev/null
		find claude -name '*.zst' -exec jlcompact --extract {} +
		diff -r claude before`,
	"site.sh": `export CLAUDE_CONFIG_DIR=claude; lock=site/.site/mark; cp -r claude old; rm -r claude/projects/*/$id*
		"$EXAMPLES"/site.sh site; cp -rp old/. claude; cp -rp site before
		"$EXAMPLES"/site.sh whole
		stopped "$EXAMPLES"/site.sh site
		for page in $(find site -name '*.html'); do cmp -s $page whole/${page#site/} || cmp $page before/${page#site/}; done
		"$EXAMPLES"/site.sh site
		diff -r site whole`,
	"rewind.sh": rewound + `lock=proj/.rewind/mark; cp $file before
		stopped "$EXAMPLES"/rewind.sh -y 7b1e 1948
		cmp -s $file before || { [ ! -e $file ] || cmp $file $backups/*v2; cmp before proj/.rewind/1/files/src/integrate.go; }
		"$EXAMPLES"/rewind.sh -y 7b1e 1948 >said 2>&1
		cmp $file $backups/*v2; cmp before proj/.rewind/1/files/src/integrate.go; [ ! -e proj/.rewind/new ]
		"$EXAMPLES"/rewind.sh -y --back proj/.rewind/1 >said; cmp $file before`,
	"browse.sh": `mkdir some tmp; printf '%s\n' '#!/bin/sh' 'echo ctrl-o; grep -m 1 Login' >some/fzf; chmod +x some/fzf; lock=
		export TMPDIR=$PWD/tmp PATH=$PWD/some:$PATH CLAUDE_CONFIG_DIR=claude BROWSER=true; whole=$("$EXAMPLES"/browse.sh)
		stopped "$EXAMPLES"/browse.sh
		for page in tmp/*/page.html; do cmp $page $whole; done
		cmp $("$EXAMPLES"/browse.sh) $whole`,
	"branch.sh": `export CLAUDE_CONFIG_DIR=orrery; cp -rp orrery before; lock=; old=7b1e55d2-0c3a-4f6b-9d21-5a8e4c90f713
		stopped "$EXAMPLES"/branch.sh 7b1e d61d
		(cd before && find . -type f -exec cmp {} ../orrery/{} \;) >said
		[ ! -s said ]
		new=$(find orrery/projects -maxdepth 2 -name '*.jsonl' ! -name $old.jsonl)
		if [ -n "$new" ]; then
			jltree --check "$new" >said
			cmp orrery/projects/*/$old/subagents/*.jsonl "${new%.jsonl}"/subagents/*.jsonl
		elif [ $STOP = TERM ]; then
			diff -r before orrery
		fi
		"$EXAMPLES"/branch.sh 7b1e d61d >said`,
	"cut.sh": `printf 'demo.jsonl\0compacted.jsonl\0' >list; run() { "$EXAMPLES"/fleet/cut.sh 2 "$@" unit.sh check <list; }
		export -f run; lock=.cut.sh-dir/mark; mkdir .cut.sh-dir.mine
		stopped bash -c 'run dir'
		run whole >/dev/null
		[ -e dir ] || run dir
		diff -r dir whole; [ "$(find . -name '.cut*')" = ./.cut.sh-dir.mine ] || [ -e was ]`,
	"page.sh": `export CLAUDE_CONFIG_DIR=claude TMPDIR=/nonexistent; lock=.page-p.html/mark; echo old >p.html; mkdir .page-mine
		"$EXAMPLES"/page.sh 3f1c whole.html
		stopped "$EXAMPLES"/page.sh 3f1c p.html
		[ "$(cat p.html)" = old ] || cmp p.html whole.html
		"$EXAMPLES"/page.sh 3f1c p.html
		cmp p.html whole.html; [ "$(find . -name '.page*')" = ./.page-mine ]`,
	"task.sh": `printf 'demo.jsonl\0compacted.jsonl\0' >list; for d in dir whole; do "$EXAMPLES"/fleet/cut.sh 1 $d "$EXAMPLES"/fleet/unit.sh check <list; done; lock=dir/1.lock
		"$EXAMPLES"/fleet/task.sh whole 1
		stopped "$EXAMPLES"/fleet/task.sh dir 1
		"$EXAMPLES"/fleet/task.sh dir 1
		diff -r dir whole
		"$EXAMPLES"/fleet/collect.sh dir >/dev/null`,
	"unit.sh": `cp -rp claude before; log=claude/projects/-home-user-shop/$id.jsonl; lock=
		stopped "$EXAMPLES"/fleet/unit.sh archive $log
		"$EXAMPLES"/fleet/unit.sh archive $log >said
		[ $(wc -l <said) = 2 ]
		find claude -name '*.zst' -exec jlcompact --extract {} +
		diff -r claude before`,
}

// TestScriptsAreStopped stops scripts before one of their commands, for commands in all of their parts.
func TestScriptsAreStopped(t *testing.T) {
	bin := built(t)
	for name, script := range stopped {
		t.Run(name, func(t *testing.T) {
			env.Half(t)
			t.Parallel()
			run := func(t *testing.T, signal string, at int, stopper string) string {
				cmd := bare(t, bin, stoppedHead+script+"\ncat steps was 2>/dev/null || true")
				cmd.Dir = testdata(t)
				require.NoError(t, os.WriteFile(filepath.Join(cmd.Dir, "stopper"), []byte(stopper), 0o600))
				if name == "site.sh" || name == "page.sh" {
					shortPages(t, cmd)
				}
				cmd.Env = append(cmd.Env, "STOP="+signal, fmt.Sprintf("STOP_AT=%d", at))
				out, err := cmd.Output()
				require.NoError(t, err, "at %d: %s", at, out)
				return string(out)
			}
			steps := strings.Count(run(t, "", 0, counter), ".")
			require.Greater(t, steps, 10, "it runs no command")
			points := map[string]int{"KILL": 4, "TERM": 2}
			if testing.Short() { // one of the two, in one place
				points = map[string]int{[]string{"KILL", "TERM"}[name[0]%2]: 1}
			}
			for signal, points := range points {
				if at := os.Getenv("STOP_POINTS"); at != "" { // in how many places it is stopped
					points, _ = strconv.Atoi(at)
				}
				t.Run(signal, func(t *testing.T) {
					t.Parallel()
					stopped := 0
					for i := range points {
						stopped += strings.Count(run(t, signal, 1+(2*i+1)*steps/(2*points), stopper), "stopped")
					}
					require.GreaterOrEqual(t, stopped, points/2)
				})
			}
		})
	}
}

// TestScriptsAreKilled kills scripts and all programs that they have started, after random parts of the time that they take.
func TestScriptsAreKilled(t *testing.T) {
	env.Long(t)
	bin := built(t)
	times, _ := strconv.Atoi(cmp.Or(os.Getenv("SCRIPT_TIMES"), "10"))
	seed, _ := strconv.ParseUint(os.Getenv("TORTURE_SEED"), 10, 64)
	for name, script := range stopped {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run := func(after string) (string, int) {
				cmd := bare(t, bin, stoppedHead+script+"\ncat took was 2>/dev/null || true")
				cmd.Dir = testdata(t)
				cmd.Env = append(cmd.Env, "STOP=KILL", "KILL_AFTER="+after)
				out, err := cmd.Output()
				require.NoError(t, err, "after %s: %s", after, out)
				var took int
				_, _ = fmt.Sscanf(string(out[bytes.LastIndex(out, []byte("it took ")):]), "it took %d", &took)
				return string(out), took
			}
			_, took := run("never")
			rnd, killed := rand.New(rand.NewPCG(seed, 0)), 0
			for range times {
				after := rnd.Float64() * float64(took)
				if out, _ := run(fmt.Sprintf("%.6f", after/1e6)); strings.Contains(out, "stopped") {
					killed++
				} else {
					took = int(after) // the machine is faster than at first
				}
			}
			t.Logf("killed %d of %d times within %d ms", killed, times, took/1000)
			require.Positive(t, killed)
		})
	}
}
