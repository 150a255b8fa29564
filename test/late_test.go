package test

import (
	"cmp"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/env"
)

// TestScriptsBesideAWriter runs scripts while another program appends lines to a log, each with a call of its own. No
// line is lost: it is in the log, in an archive or in both.
func TestScriptsBesideAWriter(t *testing.T) {
	env.Long(t)
	times, _ := strconv.Atoi(cmp.Or(os.Getenv("SCRIPT_TIMES"), "10"))
	bin := built(t)
	for name, script := range map[string]string{
		"redact.sh":  `sed -i 's/clock/sk-ant-1/' $log; beside "$EXAMPLES"/redact.sh sk-ant-1 claude; all`,
		"merge.sh":   `cp -rp claude from; sed -i '$d' $log; beside "$EXAMPLES"/merge.sh from claude; all`,
		"prune.sh":   `touch -d '30 days ago' $(find claude -type f); old=1; beside "$EXAMPLES"/prune.sh 20 old claude; find old -name '*.zst' -exec zstd -dcq {} + | tar -xO --wildcards "*/$id.jsonl" >packed 2>/dev/null || true; all packed`,
		"backup.sh":  `beside "$EXAMPLES"/backup.sh claude bk; all; "$EXAMPLES"/backup.sh claude bk; log=bk/${log#*/}.zst; all`,
		"move.sh":    `export CLAUDE_CONFIG_DIR=$PWD/claude; beside "$EXAMPLES"/move.sh 3f1c /srv/new; all; [ $got = 1 ] || log=claude/projects/-srv-new/$id.jsonl all`,
		"branch.sh":  `export CLAUDE_CONFIG_DIR=claude; beside "$EXAMPLES"/branch.sh 3f1c $(jlleaf -u $log); all`,
		"unit.sh":    `beside "$EXAMPLES"/fleet/unit.sh archive $log; if [ -e $log.zst ]; then all $log.zst; else all; fi`,
		"jlcompact":  `jlcompact --archive --keep --to . $log; beside jlcompact --archive --update --keep --to . $log; all; jlcompact --archive --update --keep --to . $log; log=$id.jsonl.zst; all`,
		"jlsnap":     `beside jlsnap --restore to -- $log; all`,
		"handoff.sh": `beside "$EXAMPLES"/handoff.sh $log; all`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for i := range times {
				cmd := bare(t, bin, `set -eE; trap 'echo "failed: $BASH_COMMAND; status $got"; cat said' ERR
					id=3f1c9a52-7d6e-4b1f-9a3c-2e8d5b60c7a1; log=claude/projects/-home-user-shop/$id.jsonl; got=0; : >said
					beside() { # runs a command beside the writer
						local n=0 pause='`+[]string{"true", "sleep .001", "sleep .01", "sleep .05"}[i%4]+`'
						(trap 'echo $n >n; exit' TERM; while :; do printf '{"n":%d}\n' $((n + 1)) >>$log; n=$((n + 1)); [ -z "${old-}" ] || touch -d '30 days ago' $log; $pause; done) 2>/dev/null &
						sleep .05
						"$@" >said 2>&1 || got=$?
						sleep .05
						kill $! && wait $! || true
					}
					all() { # is in the log and these files, and each line is whole
						zstd -dcqf -- "$@" $log | grep -a '"n":' | sort -t : -k 2n -u | head -n $(cat n) | cmp - <(seq 1 $(cat n) | sed 's/.*/{"n":&}/')
					}
					exec 2>&1
					`+script)
				cmd.Dir = testdata(t)
				out, err := cmd.Output()
				require.NoError(t, err, "%s", out)
			}
		})
	}
}
