package test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/env"
)

// rewound makes a home with a session that has worked in the folder proj, in which a file is newer than its backups.
const rewound = `export CLAUDE_CONFIG_DIR=orrery; log=$(ls orrery/projects/*/*.jsonl); backups=orrery/file-history/7b1e55d2-0c3a-4f6b-9d21-5a8e4c90f713
		sed -i "s,/home/ada/orrery,$PWD/proj,g" $log; mkdir -p proj/src; file=proj/src/integrate.go; echo later >$file
		`

// TestRewind puts files back to what they were, and what was there before, and writes nothing elsewhere.
func TestRewind(t *testing.T) {
	bin := built(t)
	for name, script := range map[string]string{
		"and back": `chmod 600 $file; rewind 1948; status 0; cmp $file $backups/*v2; grep -q '^-later' out; [ "$(cat proj/.rewind/.gitignore)" = '*' ]
			rewind 3bdb; cmp $file $backups/*v1; eval "$(sed -n 's/^the way back: //p' out) -y" && exit 1
			eval "$(sed -n 's/^the way back: //p' out | sed 's/rewind.sh /rewind.sh -y /')"; cmp $file $backups/*v2
			got=0; "$EXAMPLES"/rewind.sh -y --back proj/.rewind/1 || got=$?; [ "$(cat $file)" = later ]; [ "$(stat -c %a $file)" = 600 ]`,
		"no":                           `for answer in n '' yes.; do yes=; rewind 1948 <<<"${answer#yes.}"; [ $got = 1 ]; [ "$(cat $file)" = later ]; [ ! -e proj/.rewind ]; grep -q '^-later' out; done`,
		"nobody is there":              `yes=; rewind 1948 </dev/null; [ $got = 1 ]; [ "$(cat $file)" = later ]; [ ! -e proj/.rewind ]`,
		"yes":                          `yes=; rewind 1948 <<<y; [ $got = 0 ]; cmp $file $backups/*v2; grep -q 'Change this file?' said`,
		"again":                        `rewind 1948; rewind 1948; status 0 "rewind.sh: there is nothing to change"; [ ! -e proj/.rewind/2 ]`,
		"a file that is gone":          `rm -r proj/src; rewind 1948; status 0; cmp $file $backups/*v2; rewind --back proj/.rewind/1; status 0; [ ! -e $file ]`,
		"a file that was made later":   `track new.go ''; echo new >proj/new.go; rewind 1948; status 0; [ ! -e proj/new.go ]; grep -q '^+++ b/new.go' out; rewind --back proj/.rewind/1; status 0; [ "$(cat proj/new.go)" = new ]`,
		"the name with its folder":     `track "$PWD/proj/a b" 9c41f0a2b7d6e855@v1; rewind 1948; status 0; cmp "proj/a b" $backups/*v1`,
		"a folder of two names":        `mv proj real; ln -s real proj; track "$PWD/real/b.go" 9c41f0a2b7d6e855@v1; track "$PWD/proj/c.go" 9c41f0a2b7d6e855@v1; rewind 1948; status 0; cmp real/b.go $backups/*v1; cmp real/c.go $backups/*v1; cmp $file $backups/*v2`,
		"odd names":                    `track $'-x\n\e[31m' 9c41f0a2b7d6e855@v1; track "it's \$(touch pwned)/-y" 9c41f0a2b7d6e855@v1; rewind 1948; status 0; cmp proj/$'-x\n\e[31m' $backups/*v1; cmp "proj/it's \$(touch pwned)/-y" $backups/*v1; [ ! -e pwned ]; if grep $'\e' out; then exit 1; fi; rewind --back proj/.rewind/1; status 0; [ "$(find proj -type f ! -path '*/.rewind/*')" = $file ]`,
		"a link":                       `mv $file real; ln -s ../../real $file; rewind 1948; status 2 "src/integrate.go: a symbolic link, or not a file; it stays"; [ "$(cat real)" = later ]; [ -L $file ]`,
		"a link above it":              `mv proj/src real; ln -s ../real proj/src; track b.go 9c41f0a2b7d6e855@v1; rewind 1948; status 2 "src/integrate.go: a symbolic link, or not a file; it stays"; [ "$(cat real/integrate.go)" = later ]; cmp proj/b.go $backups/*v1`,
		"a link above a new file":      `mkdir real; ln -s ../real proj/d; track d/e/f 9c41f0a2b7d6e855@v1; rewind 1948; status 2 "d/e/f: a symbolic link"; [ -z "$(ls real)" ]; cmp $file $backups/*v2`,
		"a link to one that was made":  `echo mine >real; ln -s ../real proj/new.go; track new.go ''; rewind 1948; status 2 "new.go: a symbolic link"; [ -L proj/new.go ]; [ "$(cat real)" = mine ]`,
		"a folder in its place":        `rm $file; mkdir $file; rewind 1948; status 2 "src/integrate.go: a symbolic link, or not a file"; [ -d $file ]`,
		"a file in place of a folder":  `rm -r proj/src; echo mine >proj/src; rewind 1948; status 2 "it stays"; [ "$(cat proj/src)" = mine ]`,
		"elsewhere":                    `for name in ../evil src/../../evil "$PWD/evil" "$PWD/proj/../evil" /tmp/jl-evil ./a a//b .; do track "$name" 9c41f0a2b7d6e855@v1; done; rewind 1948; status 2 "../evil: not below"; [ ! -e evil ]; [ ! -e /tmp/jl-evil ]; [ "$(grep -c 'not below' said)" -ge 5 ]; cmp $file $backups/*v2; [ "$(ls -A proj)" = "$(printf '.rewind\nsrc')" ]`,
		"for git":                      `for name in .git/hooks/pre-commit src/.GIT/config .rewind/mark .rewind/1/x; do track $name 9c41f0a2b7d6e855@v1; done; rewind 1948; status 2 ".git/hooks/pre-commit: not a file of the session"; [ ! -e proj/.git ]; [ ! -e proj/src/.GIT ]; [ "$(grep -c 'not a file of the session' said)" = 4 ]; cmp $file $backups/*v2`,
		"a backup is gone":             `track b.go 0123456789abcdef@v1; rewind 1948; status 2 b.go; cmp $file $backups/*v2; [ ! -e proj/b.go ]`,
		"all backups are gone":         `rm -r $backups; rewind 1948; status 2 integrate.go; [ "$(cat $file)" = later ]`,
		"no such entry":                `rewind dead; [ $got = 1 ]; grep -q 'jlsnap: .*no entry "dead"' said; [ ! -e proj/.rewind ]`,
		"no such session":              `got=0; "$EXAMPLES"/rewind.sh -y dead 1948 >out 2>said || got=$?; [ $got != 0 ]; grep -q 'jlrel: ' said`,
		"the folder is gone":           `rm -r proj; rewind 1948; status 2 "proj: the folder of the session is gone"; [ ! -e proj ]`,
		"its own folder is a link":     `mkdir real; ln -s ../real proj/.rewind; rewind 1948; status 2 ".rewind: a symbolic link"; [ -z "$(ls -A real)" ]; [ "$(cat $file)" = later ]`,
		"…or the mark in it":           `mkdir proj/.rewind; echo "files of rewind.sh" >real; ln -s ../../real proj/.rewind/mark; rewind 1948; status 2 "mark: a symbolic link"; [ "$(cat $file)" = later ]`,
		"its own folder is of another": `mkdir proj/.rewind; echo mine >proj/.rewind/x; rewind 1948; status 2 "not of this script"; [ "$(cat $file)" = later ]; [ "$(ls -A proj/.rewind)" = x ]`,
		"another run":                  `mkdir proj/.rewind; echo "files of rewind.sh" >proj/.rewind/mark; flock proj/.rewind/mark sleep 3 & sleep 1; rewind 1948; status 2 "another run writes to"; [ "$(cat $file)" = later ]; wait; rewind 1948; status 0`,
		"back with a link":             `rewind 1948; ln -s /etc/passwd proj/.rewind/1/files/x; rewind --back proj/.rewind/1; status 2 "it has more than files"; cmp $file $backups/*v2`,
		"back from elsewhere":          `mkdir -p other/files; : >other/absent; rewind --back other; status 2 "other: not a folder that rewind.sh has kept"`,
		"a full disk":                  `head -c 100000 /dev/zero >$file; cp $file before; (ulimit -f 1; trap '' XFSZ; rewind 1948; exit $got) && exit 1; cmp $file before; rewind 1948; status 0; cmp $file $backups/*v2; cmp before proj/.rewind/1/files/src/integrate.go`,
		"half of a surrogate pair":     `sed -i 's/Why the moons drift/&\\ud83d/' $log; grep -q ud83d $log; rewind 1948; status 0; cmp $file $backups/*v2`,
		"saved before it is taken":     `meanwhile mv 'case $* in *integrate.go*taken*) echo saved >new; /bin/mv new '$PWD/$file';; esac'; rewind 1948; status 2 "src/integrate.go: it changed meanwhile; it stays"; [ "$(cat $file)" = saved ]; [ "$(cat proj/.rewind/1/files/src/integrate.go)" = later ]; kept`,
		"removed before it is taken":   `meanwhile mv 'case $* in *integrate.go*taken*) rm '$PWD/$file';; esac'; rewind 1948; status 2 "it changed meanwhile"; [ ! -e $file ]; kept`,
		"a link before it is taken":    `echo mine >real; meanwhile mv 'case $* in *integrate.go*taken*) ln -sf '$PWD'/real '$PWD/$file';; esac'; rewind 1948; status 2 "it changed meanwhile"; [ -L $file ]; [ "$(cat real)" = mine ]; kept`,
		"saved when it was taken":      `meanwhile ln 'echo saved >'$PWD/$file; rewind 1948; status 2 "src/integrate.go: it changed meanwhile; it stays"; [ "$(cat $file)" = saved ]; kept`,
		"saved twice":                  `meanwhile mv 'case $* in *integrate.go*taken*) echo saved >'$PWD/$file';; esac'; meanwhile ln 'echo again >'$PWD/$file; rewind 1948; status 2 "what was there before it changed again"; [ "$(cat $file)" = again ]; [ "$(cat proj/.rewind/1/taken.1)" = saved ]`,
		"made meanwhile":               `track b.go 9c41f0a2b7d6e855@v1; meanwhile ln 'case $* in *b.go*) echo mine >'$PWD/proj/b.go';; esac'; rewind 1948; status 2 "b.go: it changed meanwhile"; [ "$(cat proj/b.go)" = mine ]; cmp $file $backups/*v2`,
		"still open": `meanwhile ln ': >'$PWD'/go; for i in {1..500}; do [ -e '$PWD'/done ] || sleep .01; done'; (exec 7>>$file; for i in {1..500}; do [ -e go ] || sleep .01; done; echo late >&7; : >done) & sleep .1; rewind 1948; wait; status 2 "what was saved is in $PWD/proj/.rewind/1/files/src/integrate.go"; cmp $file $backups/*v2; [ "$(cat proj/.rewind/1/files/src/integrate.go)" = $'later
late' ]`,
		"without links":       `meanwhile ln 'exit 1'; rewind 1948; status 0; cmp $file $backups/*v2; rewind --back proj/.rewind/1; status 0; [ "$(cat $file)" = later ]`,
		"from another folder": `mkdir -p else/src; cd else; CLAUDE_CONFIG_DIR=../orrery CDPATH=$PWD; got=0; "$EXAMPLES"/rewind.sh -y ../$log 1948 >../out 2>../said || got=$?; cd ..; status 0; cmp $file $backups/*v2; [ -z "$(ls else/src)" ]`,
	} {
		t.Run(name, func(t *testing.T) {
			env.Half(t)
			t.Parallel()
			cmd := bare(t, bin, `set -eE; trap 'echo "failed: $BASH_COMMAND; status $got"; cat said' ERR
				got=0; : >said; yes=-y
				`+rewound+`rewind() {
					[ "$1" = --back ] || set -- 7b1e "$1"
					got=0; "$EXAMPLES"/rewind.sh $yes "$@" >out 2>said || got=$?
					[ ! -e proj/.rewind/new ] || exit 1
				}
				status() { [ $got = $1 ] && if [ -n "${2-}" ]; then grep -qF -e "$2" said; else [ ! -s said ]; fi; }
				meanwhile() { # another program does something when the script runs a tool
					mkdir -p some; printf '#!/bin/bash\n%s\nexec %s "$@"\n' "$2" "$(type -P $1)" >some/$1; chmod +x some/$1; PATH=$PWD/some:$PATH
				}
				kept() { [ -z "$(find proj -name 'taken.*')" ]; } # nothing else is left
				track() { # a file has a backup at the last prompt, or was not there
					jq -c --arg name "$1" --arg backup "$2" 'if .snapshot.messageId == "1948f425-07ac-4242-bb49-f7bcd175ca35" then .snapshot.trackedFileBackups[$name] =
						{backupFileName: ($backup | if . == "" then null else . end), version: 1, backupTime: "2026-03-02T09:00:40.000Z"} else . end' $log >l && mv l $log
				}
				exec 2>&1
				`+script)
			cmd.Dir = testdata(t)
			out, err := cmd.Output()
			require.NoError(t, err, "%s", out)
		})
	}
}
