package test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/env"
)

// TestPageOfSession: page.sh makes the page of a session with its sub-agents, opens it, and leaves nothing behind that is not whole.
func TestPageOfSession(t *testing.T) {
	needs(t, "bash", "jq")
	for name, script := range map[string]string{
		"a session":       `page 3f1c; status 0; [ "$(cat out)" = "$(ls $PWD/tmp/*/page.html)" ]; grep -q '<h1>Login test</h1>' "$(cat out)"; grep -q 'The clock is wrong' "$(cat out)"; [ "$(ls tmp/*)" = page.html ]`,
		"into a file":     `echo old >p.html; page 3f1c p.html; status 0; [ "$(cat out)" = p.html ]; grep -q 'The clock is wrong' p.html; [ -z "$(ls tmp)" ]; [ -z "$(find . -name '.page*')" ]`,
		"a browser":       `BROWSER=look page 3f1c; status 0; [ "$(tail -n 1 out)" = "look $(head -n 1 out)" ]`,
		"a file anywhere": `page questions.jsonl; status 0; grep -q '</html>' "$(cat out)"`,
		"damaged":         `sed -i '3s/.\{200\}$//' claude/projects/*/3f1c*.jsonl; page 3f1c; status 2; grep -q ':3: ' said; grep -q '</html>' "$(cat out)"`,
		"a member":        `chmod 0 claude/projects/*/3f1c*/subagents; page 3f1c; chmod 700 claude/projects/*/3f1c*/subagents; status 2; grep -q '^jlrel: .*subagents: permission denied' said; grep -q 'The test reads' "$(head -n 1 out)"`,
		"none":            `page dead; status 2; [ -z "$(ls tmp)" ]; [ ! -s out ]`,
		"nothing said":    `: >empty.jsonl; echo old >p.html; page ./empty.jsonl p.html; status 1; [ "$(cat p.html)" = old ]; [ -z "$(find . -name '.page*')" ]`,
		"a full disk":     `(ulimit -f 1; trap '' XFSZ; page 3f1c p.html; exit $got) && exit 1; [ ! -e p.html ]; [ -z "$(find . -name '.page*')" ]`,
		"a long name":     `name=$(printf %0100d 0)äöü.html; page 3f1c $name; status 0; grep -q '</html>' $name`,
		"another run":     `mkdir .page-p.html; echo "unfinished files of page.sh" >.page-p.html/mark; flock .page-p.html/mark sleep 3 & sleep 1; page 3f1c p.html; status 2; [ "$(cat said)" = "page.sh: another run writes to ./p.html" ]; page 3f1c q.html; status 0; wait`,
		"not its own":     `mkdir .page-p.html; echo mine >.page-p.html/rows; page 3f1c p.html; status 2; grep -q 'is not of this script$' said; [ "$(cat .page-p.html/rows)" = mine ]`,
		"usage":           `page; status 2; grep -q '^usage: page.sh SESSION .FILE.$' said`,
	} {
		t.Run(name, func(t *testing.T) {
			env.Half(t)
			t.Parallel()
			if strings.Contains(script, "chmod 0 ") {
				env.NeedsUser(t)
			}
			cmd := bare(t, built(t), `set -eE; trap 'echo "failed: $BASH_COMMAND; status $got"; cat said' ERR
				export CLAUDE_CONFIG_DIR=claude TMPDIR=$PWD/tmp DISPLAY= WAYLAND_DISPLAY=; mkdir tmp some; unset BROWSER
				printf '%s\n' '#!/bin/sh' 'echo "look $1"' >some/look; chmod +x some/look; PATH=$PWD/some:$PATH; got=0; : >said
				page() { got=0; "$EXAMPLES"/page.sh "$@" >out 2>said || got=$?; }
				status() { [ $got = $1 ]; }
				exec 2>&1
				`+script)
			cmd.Dir = testdata(t)
			if name != "a session" {
				shortPages(t, cmd)
			}
			out, err := cmd.Output()
			require.NoError(t, err, "%s", out)
		})
	}
}

// TestPageOfTodos: a box says how far a thing to do is, and one that left the list is not open.
func TestPageOfTodos(t *testing.T) {
	needs(t, "jq")
	for status, box := range map[string]string{"pending": "☐", "in_progress": "◪", "completed": "☑", "deleted": "☒"} {
		row := `{"is":"todo","timestamp":null,"session":"s","id":"1","text":"Count","status":"` + status + `"}`
		require.Contains(t, runJq(t, "jq", "page.jq", "-nr", "html(inputs)", []byte(row)).out, ">"+box+" Count")
	}
}
