package test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/env"
)

// TestBlame finds the changes that added a line, in logs of sessions that edited the file in turn.
func TestBlame(t *testing.T) {
	const (
		a = "aaaaaaaa-0000-4000-8000-000000000001"
		b = "bbbbbbbb-0000-4000-8000-000000000002"
	)
	bin := built(t)
	for name, script := range map[string]string{
		"an edit":                    `edit $a 08:01 moons.go " one" "+two" "-2"; file one two; blame 2; status 0; found "2026-01-02 08:01	$a		Edit	$a-08:01r	Do it at 08:01, please."`,
		"the newest first":           `edit $a 08:01 moons.go +two; edit $b 09:01 moons.go -two; edit $a 08:02 moons.go -2 +two; edit $b 09:02 moons.go +two; file two; blame 1; status 0; [ "$(cut -f 5 out | tr '\n' ' ')" = "$b-09:02r $a-08:02r $a-08:01r " ]`,
		"the prompt before it":       `edit $a 08:01 moons.go +one; edit $b 08:02 moons.go +three; edit $a 08:03 moons.go +two; file two; blame 1; found "*	Do it at 08:03, please."`,
		"a line that is there twice": `edit $a 08:01 moons.go " one" "+}" " two"; edit $b 09:01 moons.go " three" "+}" " four"; file one } two three } four; blame 2; found "*	$a	*"; blame 5; found "*	$b	*"`,
		"none":                       `edit $a 08:01 moons.go " two" -two "+three"; file two; blame 1; status 1 "moons.go:1: no change of a session that added it is found"; [ ! -s out ]`,
		"no session":                 `rm -r home/projects/*; file two; blame 1; status 1 "no session"`,
		"a read and a failed edit":   `edit $a 08:01 moons.go +two; sed -i 's/"type":"tool_result"/&,"is_error":true/' $(log $a); file two; blame 1; status 1`,
		"another file":               `edit $a 08:01 sun.go +two; edit $b 09:01 newmoons.go +two; file two; blame 1; status 1`,
		"another checkout":           `edit $a 08:01 moons.go +two; sed -i "s,$PWD/w,/elsewhere,g" $(log $a); file two; blame 1; status 0; found "*	$a	*"; edit $b 07:01 moons.go +two; blame 1; found "*	$b	*"`,
		"a fork":                     `edit $a 08:01 moons.go +two; sed "s/\"sessionId\":\"$a\"/\"sessionId\":\"$b\"/" $(log $a) >$(log $b); edit $b 09:01 sun.go +one; file two; blame 1; found "*	$a	*"`,
		"an archive":                 `edit $a 08:01 moons.go +two; jlcompact --archive $(log $a); file two; blame 1; found "*	$a	*"`,
		"a sub-agent":                `edit $a 08:01 sun.go +one; mkdir home/projects/-w/$a; mkdir home/projects/-w/$a/subagents; cp $(log $a) l; : >$(log $a); edit $a 08:02 moons.go +two; sed 's/"uuid"/"isSidechain":true,"agentId":"a7",&/' $(log $a) >home/projects/-w/$a/subagents/agent-a7.jsonl; mv l $(log $a); file two; blame 1; found "2026-01-02 08:02	$a	a7	Edit	*	Do it at 08:01, please."`,
		"Codex":                      `export CODEX_HOME=$PWD/codex; sed "s,/home/user/moons,$PWD/w,g; s,+Ganymede[\\]n,& Europa\\\\n," questions.codex.jsonl >codex/sessions/2026/11/02/rollout-2026-03-02T10-00-00-019a0000-0000-7000-8000-000000000003.jsonl; file Io Ganymede Europa; mv w/moons.go w/moons.txt; blame 2 moons.txt; found "*	019a0000-0000-7000-8000-000000000003		apply_patch	#17	*"`,
		"a part of a line":           `edit $a 08:01 moons.go "+Kick("; file "	Pos.Kick(2)"; blame 1; found "*	$a	*"`,
		"a command":                  `run $a 08:01 "cat >moons.go <<_\\\\n\\\\treturn 4\\\\n_"; file "	return 4" xy; blame 1; found "*	$a		Bash	*"; blame 2; status 1`,
		"line breaks of Windows":     `edit $a 08:01 moons.go $'+two\r'; printf 'one\r\ntwo\r\n' >w/moons.go; blame 2; found "*	$a	*"`,
		"an empty line":              `edit $a 08:01 moons.go " one" + " two"; file one "" two "" three; blame 2; found "*	$a	*"; blame 4; status 0`,
		"odd names":                  `name="it's \$(touch pwned): [x]*"; edit $a 08:01 "$name" +two; mkdir -p w; echo two >"w/$name"; blame 1 "$name"; found "*	$a	*"; [ ! -e w/pwned ]; echo two >w/$'a\n\e[31m:1'; blame 1 $'a\n\e[31m:1'; status 1; if grep -q $'\e' said; then exit 1; fi`,
		"hostile words":              `edit $a 08:01 moons.go +two; sed -i 's/Do it/\\u0007\\u001b[31mDo\\n\\tit/' $(log $a); file two; blame 1; found '*	\\u0007Do it at 08:01, please.'`,
		"a long line":                `long=$(printf 'x%.0s' {1..200000}); edit $a 08:01 moons.go "+$long"; file "$long"; blame 1; found "*	$a	*"`,
		"no such line":               `file one; blame 2; status 2 "moons.go: it has no line 2"; blame 0; status 2 "usage: blame.sh FILE:LINE"; blame x; status 2 usage; blame 1 sun.go; status 2 "sun.go: not a file that can be read"`,
		"of git":                     `type -P git >/dev/null || exit 0; edit $a 08:01 moons.go +two; sed -i "s,$PWD/w,/elsewhere,g" $(log $a); file two; git init -q w; mkdir w/sub; (cd w/sub; "$EXAMPLES"/blame.sh ../moons.go:1 >../../out); found "*	$a	*"; mv w/moons.go w/sub; blame 1 sub/moons.go; status 1`,
	} {
		t.Run(name, func(t *testing.T) {
			env.Half(t)
			t.Parallel()
			cmd := bare(t, bin, `set -eE; trap 'echo "failed: $BASH_COMMAND; status $got"; cat said out' ERR
				a=`+a+` b=`+b+` got=0; : >said; : >out; mkdir -p w home/projects/-w; export CLAUDE_CONFIG_DIR=$PWD/home
				log() { echo home/projects/-w/$1.jsonl; }
				entry() { printf '{"type":"%s","uuid":"%s","parentUuid":null,"timestamp":"2026-01-02T%s:00Z","sessionId":"%s","cwd":"%s",%s}\n' "$1" "$2-$3$4" "$3" "$2" "$PWD/w" "$5" >>$(log $2); }
				edit() { # SESSION TIME FILE LINE...: a prompt, and an edit with these lines
					local id=$1 at=$2 file=$3 lines
					shift 3
					lines=$(printf '%s\n' "$@" | jq -Rnc '[inputs] | def n($sign): map(select(startswith($sign) | not)) | length; {oldStart: 1, oldLines: n("+"), newStart: 1, newLines: n("-"), lines: .}')
					entry user $id $at p "\"message\":{\"role\":\"user\",\"content\":\"Do it at $at, please.\"}"
					entry assistant $id $at c "\"message\":{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":\"$at\",\"name\":\"Edit\",\"input\":{\"file_path\":\"$PWD/w/$file\",\"old_string\":\"\",\"new_string\":\"\"}}]}"
					entry user $id $at r "\"toolUseResult\":{\"structuredPatch\":[$lines]},\"message\":{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"$at\",\"content\":\"ok\"}]}"
				}
				run() { entry user $1 $2 p '"message":{"role":"user","content":"Run it."}'; entry assistant $1 $2 c "\"message\":{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":\"$2\",\"name\":\"Bash\",\"input\":{\"command\":\"$3\"}}]}"; }
				file() { printf '%s\n' "$@" >w/moons.go; }
				blame() { got=0; (cd w; exec "$EXAMPLES"/blame.sh "${2-moons.go}:$1") >out 2>said || got=$?; }
				status() { [ $got = $1 ] && if [ -n "${2-}" ]; then grep -qF -e "$2" said; fi; }
				found() { [ "$(wc -l <out)" = 1 ] && [[ $(<out) == $1 ]]; }
				exec 2>&1
				`+script)
			cmd.Dir = testdata(t)
			out, err := cmd.Output()
			require.NoError(t, err, "%s", out)
		})
	}
}
