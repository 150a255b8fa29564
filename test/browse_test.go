package test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/env"
)

// TestBrowse does with a session what a key is for, where a fzf of the test chooses the session and the key.
func TestBrowse(t *testing.T) {
	bin := built(t)
	for name, script := range map[string]string{
		"go on":                    `browse '' Login; status 0; [ "$(cat out)" = "$PWD/shop: claude --resume 3f1c9a52-7d6e-4b1f-9a3c-2e8d5b60c7a1" ]`,
		"enter":                    `browse enter notes; status 0; [ "$(cat out)" = "$PWD/shop: claude --resume 8b20d4e7-15aa-4c3d-8f77-90c1e2d3a4b5" ]`,
		"without a key":            `export bare=1; browse '' notes --filter notes; status 0; grep -q 'claude --resume 8b20' out; [ "$(tail -n 2 options | tr '\n' ' ')" = "--filter notes " ]`,
		"its folder is gone":       `rmdir shop; browse enter Login; status 2 "browse.sh: $PWD/shop: the folder of the session is gone"; [ ! -s out ]; [ "$(wc -l <said)" = 1 ]`,
		"no agent to go on with":   `mkdir -p ~/.dsh/sessions/w/x; cp questions.deepseek.jsonl ~/.dsh/sessions/w/x/session.jsonl; browse enter deepseek; [ $got = 2 ]; grep -q 'no command is known' said`,
		"files":                    `browse ctrl-f Login; status 0; [ "$(cut -f 1 out | head -n 2 | tr '\n' ' ')" = "session agent " ]; grep -q "^file-history	51	claude/file-history/" out`,
		"archive":                  `browse ctrl-x Login <<<y; [ $got = 0 ]; [ -e $log.zst ]; [ ! -e $log ]; jlcompact --extract $log.zst`,
		"archive: no":              `for answer in n '' x; do browse ctrl-x Login <<<"$answer"; [ $got = 1 ]; [ -e $log ]; done; browse ctrl-x Login </dev/null; [ $got = 1 ]; [ -e $log ]`,
		"a page":                   `BROWSER=look browse ctrl-o Login; status 0; page=$(head -n 1 out); [ "$(sed -n 2p out)" = "look $page" ]; grep -q '<h1>Login test</h1>' $page; case $page in $TMPDIR/*) ;; *) exit 1 ;; esac`,
		"a page of a damaged log":  `sed -i '3s/.\{200\}$//' $log; BROWSER=look browse ctrl-o Login; [ $got = 0 ]; grep -q "$log:3: " said; grep -q '</html>' $(head -n 1 out)`,
		"a page on a full disk":    `(ulimit -f 1; trap '' XFSZ; browse ctrl-o Login; exit $got) && exit 1; [ -z "$(ls $TMPDIR)" ]`,
		"nothing":                  `export fails=130; browse '' Login; status 130; [ ! -s out ]`,
		"a key of another":         `browse ctrl-z Login; status 2 "ctrl-z: no such key"`,
		"help":                     `"$EXAMPLES"/browse.sh --help >said; grep -q "browse.sh \[FZF-OPTION\]" said`,
		"no session":               `rm -r claude/projects/*; browse enter Login; [ $got = 1 ]; grep -q 'browse.sh: there is no session' said`,
		"the list":                 `cp -r codex ~/.codex; browse ctrl-f Login; cut -f 2- list >shown; [ "$(wc -l <shown)" = 4 ]; grep -q '^2026-01-02 08:08 claude   shop         Login test$' shown; head -n 1 shown | grep -q '^2026-11-02 10:00 codex    orrery       Why do the moons'`,
		"half of a surrogate pair": `sed -i 's/Login test/Login \\ud83d/' $log; browse ctrl-f Login; status 0; cut -f 2- list | grep -q 'Login �$'; [ "$(wc -l <list)" = 2 ]`,
		"the preview":              `browse ctrl-f Login; bash "$EXAMPLES"/browse.sh --chat "$(grep Login list | cut -f 1)" >out; grep -q '^> The login test fails, find out why$' out; grep -A 1 '^--preview$' options | tail -n 1 | grep -qxF 'bash "$BROWSE" --chat {1}'`,
		"odd names": `odd=${log%/*}/$'it\'s "$(touch pwned)"\t\n\e[31m.jsonl'; sed 's/Login test/\\u001b[31mAn odd \\u202e\\n\\tone\\"/' $log >"$odd"; rm $log; browse ctrl-f "An odd"; status 0; grep -q '^session	' out; if cut -f 2- list | grep -e $'\e' -e $'\u202e'; then exit 1; fi; [ "$(grep -c "An odd" list)" = 1 ]
			bash "$EXAMPLES"/browse.sh --chat "$(grep "An odd" list | cut -f 1)" | grep -q '^> The login test'; browse ctrl-x "An odd" <<<y; [ $got = 0 ]; [ -e "$odd.zst" ]; if grep -q $'\e' said; then exit 1; fi; [ ! -e pwned ]`,
	} {
		t.Run(name, func(t *testing.T) {
			env.Half(t)
			t.Parallel()
			cmd := bare(t, bin, `set -eE; trap 'echo "failed: $BASH_COMMAND; status $got"; cat said out' ERR
				got=0; : >said; : >out; mkdir -p shop some tmp; export CLAUDE_CONFIG_DIR=claude TMPDIR=$PWD/tmp PATH=$PWD/some:$PATH BROWSER=
				unset CODEX_HOME DISPLAY; sed -i "s,/home/user/shop,$PWD/shop,g" claude/projects/*/*.jsonl; log=$(ls claude/projects/*/3f1c*.jsonl)
				printf '%s\n' '#!/bin/bash' 'cat >list; printf "%s\n" "$@" >options; [ -z "${fails-}" ] || exit $fails; [ -n "${bare-}" ] || echo "$key"; grep -m 1 -e "$word" list' >some/fzf
				printf '%s\n' '#!/bin/sh' 'echo "$PWD: claude $*"' >some/claude; printf '%s\n' '#!/bin/sh' 'echo "look $1"' >some/look; chmod +x some/*
				browse() { got=0; key=$1 word=$2 "$EXAMPLES"/browse.sh "${@:3}" >out 2>said || got=$?; }
				status() { [ $got = $1 ] && if [ -n "${2-}" ]; then grep -qF -e "$2" said; else [ ! -s said ]; fi; }
				exec 2>&1
				`+script)
			cmd.Dir = testdata(t)
			out, err := cmd.Output()
			require.NoError(t, err, "%s", out)
		})
	}
}
