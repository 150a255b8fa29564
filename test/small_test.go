package test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestHelpOfScripts: each script that is typed says what it is for.
func TestHelpOfScripts(t *testing.T) {
	scripts, err := filepath.Glob("../examples/*.sh")
	require.NoError(t, err)
	for _, script := range scripts {
		name := filepath.Base(script)
		if name == "prepare-commit-msg.sh" { // git calls it
			continue
		}
		t.Run(name, func(t *testing.T) {
			status, out := exitStatus(t, bare(t, built(t), `"$EXAMPLES"/`+name+` --help`))
			require.Zero(t, status, name)
			require.Regexp(t, `\A[A-Z](.*\n)+\n\t(examples/)?`+name, out)
			require.NotContains(t, out, "set -u")
			require.NotContains(t, out, "#!")
		})
	}
}

// TestWeek adds up projects of two agents since a day: rows before it do not count, and what ran at the same time counts once.
func TestWeek(t *testing.T) {
	const entries = `{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"S","cwd":"DIR","timestamp":"2026-03-01T12:00:00.000Z","message":{"role":"user","content":"Before DIR."}}
{"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":"S","cwd":"DIR","timestamp":"2026-03-01T12:00:10.000Z","message":{"id":"m1S","role":"assistant","model":"claude-haiku-4-5","content":[{"type":"text","text":"x"}],"usage":{"input_tokens":1000,"output_tokens":7}}}
{"type":"user","uuid":"u2","parentUuid":"a1","sessionId":"S","cwd":"DIR","timestamp":"2026-03-02T12:00:00.000Z","message":{"role":"user","content":"Count DIR."}}
{"type":"assistant","uuid":"a2","parentUuid":"u2","sessionId":"S","cwd":"DIR","timestamp":"2026-03-02T12:04:00.000Z","message":{"id":"m2S","role":"assistant","model":"claude-haiku-4-5","content":[{"type":"text","text":"4"}],"usage":{"input_tokens":10000,"output_tokens":2000}}}
{"type":"user","uuid":"u3","parentUuid":"a2","sessionId":"S","cwd":"DIR/below","timestamp":"2026-03-02T12:05:00.000Z","message":{"role":"user","content":"Again DIR."}}
{"type":"assistant","uuid":"a3","parentUuid":"u3","sessionId":"S","cwd":"DIR/below","timestamp":"2026-03-02T12:06:00.000Z","message":{"id":"m3S","role":"assistant","model":"MODEL","content":[{"type":"text","text":"4"}],"usage":{"input_tokens":10000,"output_tokens":2000}}}
`
	cmd := bare(t, built(t), `"$EXAMPLES"/week.sh 2026-03-02 2>said; echo $?; grep -o 'no price[^"]*' said; "$EXAMPLES"/week.sh 2099-01-01; echo $?
		sed -i '3s/.$//' home/projects/-a/*; "$EXAMPLES"/week.sh 2026-03-02 >out 2>said; echo $?; grep -c "/-a/.*:3: " said`)
	cmd.Env = append(cmd.Env, "CLAUDE_CONFIG_DIR=home")
	for project, model := range map[string]string{"a": "claude-haiku-4-5", "b": "claude-haiku-4-5", "c": "unknown-1"} {
		dir := filepath.Join(cmd.Dir, "home/projects/-"+project)
		require.NoError(t, os.MkdirAll(dir, 0o700))
		id := strings.Repeat(project, 8) + "-0000-4000-8000-000000000001"
		text := strings.NewReplacer("DIR", "/"+project, "MODEL", model, "m1S", "m1"+project, "m2S", "m2"+project, "m3S", "m3"+project, `u1"`, project+`1"`, `u2"`, project+`2"`, `u3"`, project+`3"`, `a1"`, project+`4"`, `a2"`, project+`5"`, `a3"`, project+`6"`, `"S"`, `"`+id+`"`).Replace(entries)
		require.NoError(t, os.WriteFile(filepath.Join(dir, id+".jsonl"), []byte(text), 0o600))
	}
	_, out := exitStatus(t, cmd)
	require.Equal(t, `PROMPTS	HOURS	TOKENS	DOLLARS	PROJECT
2	0.1	24000	0.04	/a
2	0.1	24000	0.04	/b
2	0.1	24000	0.02	/c
6	0.1	72000	0.10	(all)
0
no price for unknown-1
jlrel: no session since 2099-01-01
1
2
1
`, out)
}

// TestStatus: the line is about the given session, or the newest, also if there was none in the last day.
func TestStatus(t *testing.T) {
	cmd := bare(t, built(t), `for input in '{"session_id":"40000000-0000-4000-8000-000000000001"}' '' 'no JSON'; do "$EXAMPLES"/status.sh <<<"$input"; done
		"$EXAMPLES"/status.sh 4000; "$EXAMPLES"/status.sh 5000; echo $?; rm home/projects/*/4*; "$EXAMPLES"/status.sh 3000; "$EXAMPLES"/status.sh </dev/null
		sed -i '/"assistant"/d' home/projects/*/3*; "$EXAMPLES"/status.sh 3000; echo $?; rm home/projects/*/*; "$EXAMPLES"/status.sh </dev/null; echo $?`)
	cmd.Env = append(cmd.Env, "CLAUDE_CONFIG_DIR=home")
	log, err := os.ReadFile("../testdata/questions.work.jsonl")
	require.NoError(t, err)
	dir := filepath.Join(cmd.Dir, "home/projects/-home-user-moons")
	require.NoError(t, os.MkdirAll(dir, 0o700))
	now := time.Now().UTC().Add(-time.Minute).Format("2006-01-02T15:04")
	text := strings.ReplaceAll(string(log), "2026-03-02T10:00", now)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "40000000-0000-4000-8000-000000000001.jsonl"), []byte(text+`{"type":"assi`), 0o600))
	old := strings.ReplaceAll(string(log), "40000000", "30000000")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "30000000-0000-4000-8000-000000000001.jsonl"), []byte(old), 0o600))
	_, out := exitStatus(t, cmd)
	require.Regexp(t, `\A(118 tokens in the context, \$0.00, 140 tokens out in the window until [0-9:]{5}\n){4}status.sh: 5000: no such session\n1\n`+
		`(118 tokens in the context, \$0.00, 0 tokens out in the window\n){2}status.sh: 3000: no tokens\n1\njlrel: no session in home\n1\n\z`, out)
}

// TestBranch: a branch has what belongs to its session, and the old one stays as it was.
func TestBranch(t *testing.T) {
	cmd := bare(t, built(t), `cp -rp orrery before; old=7b1e55d2-0c3a-4f6b-9d21-5a8e4c90f713
		"$EXAMPLES"/branch.sh 7b1e nope; echo $?; "$EXAMPLES"/branch.sh dead d61d; echo $?; diff -r before orrery
		new=$("$EXAMPLES"/branch.sh 7b1e d61d | sed "s/.*'\(.*\)'$/\1/"); echo $?
		(cd before && find . -type f -exec cmp {} ../orrery/{} \;)
		jltree --check orrery/projects/*/$new.jsonl | jq -c 'select(.totals) | [.nodes, .healthy]'
		jlpath -l d61d orrery/projects/*/$old.jsonl | jq -r .uuid | diff - <(jlpath orrery/projects/*/$new.jsonl | jq -r .uuid)
		(cd orrery && find . | grep "$new" | sed "s/$new/NEW/" | sort); jlrel --list | jq -r .summary`)
	cmd.Dir = testdata(t)
	cmd.Env = append(cmd.Env, "CLAUDE_CONFIG_DIR=orrery")
	_, out := exitStatus(t, cmd)
	require.Equal(t, `jlpath: orrery/projects/-home-ada-orrery/7b1e55d2-0c3a-4f6b-9d21-5a8e4c90f713.jsonl: no entry "nope"
1
jlrel: no session "dead" in orrery
1
0
[8,true]
./file-history/NEW
./file-history/NEW/9c41f0a2b7d6e855@v1
./file-history/NEW/9c41f0a2b7d6e855@v2
./projects/-home-ada-orrery/NEW
./projects/-home-ada-orrery/NEW.jsonl
./projects/-home-ada-orrery/NEW/subagents
./projects/-home-ada-orrery/NEW/subagents/agent-a3d10fc2.jsonl
./projects/-home-ada-orrery/NEW/subagents/agent-a3d10fc2.meta.json
Why the moons drift
Why the moons drift
`, out)
}

// TestHandoff: the prompt has what was said above a compaction, too, the changed files once, the last plan and the steps.
func TestHandoff(t *testing.T) {
	cmd := bare(t, built(t), `"$EXAMPLES"/handoff.sh compacted.jsonl 'Write the tests.' | grep -n -e '^>' -e tests -e '^- src'; echo
		"$EXAMPLES"/handoff.sh questions.work.jsonl | sed -n '/^It changed/,$p'
		"$EXAMPLES"/handoff.sh questions.codex.jsonl | head -n 1
		sed '2s/.$//' demo.jsonl >torn; "$EXAMPLES"/handoff.sh torn >out 2>said; echo $?; wc -l <said; : | "$EXAMPLES"/handoff.sh -; echo $?`)
	cmd.Dir = testdata(t)
	_, out := exitStatus(t, cmd)
	require.Equal(t, `1:Take over a session that another coding agent has begun in /home/ada/orrery. Write the tests.
7:> The moons of Jupiter drift after a few simulated years. Find out why.
9:I'll look at the integrator and at the tests side by side.
15:> No. Replace it by leapfrog instead.
22:> Write a test that would have caught it.
31:- src/integrate.go
32:- src/energy_test.go

It changed these files, which may have changed since:

- /home/user/moons/moons.txt
- /home/user/moons/moons.go

The last plan:

# Plan

1. Count "them".
Take over a session that another coding agent has begun in /home/user/moons. Go on where it ends.
2
2
jlpath: -: no entry
1
`, out)
}
