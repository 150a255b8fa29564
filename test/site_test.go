package test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/env"
)

// TestSite makes pages of all sessions and an index of them: what has not changed stays, and no page is half of one.
func TestSite(t *testing.T) {
	bin := built(t)
	made := bare(t, bin, `CLAUDE_CONFIG_DIR=claude "$EXAMPLES"/site.sh site`)
	made.Dir = testdata(t)
	shortPages(t, made)
	out, err := made.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Empty(t, out)
	// What begins with "made" goes on where that run ended.
	for name, script := range map[string]string{
		"each session": `export CODEX_HOME=codex; site; status 0; [ "$(pages | wc -l)" = 4 ]; links; grep -q "<h1>Login test</h1>" $page; grep -q 'The clock is wrong' $page; [ "$(grep -c '<a href="../index.html">All sessions</a>' $page)" = 1 ]; grep -q '>Login test</a>' site/index.html
			[ "$(grep -c '^<tr><td>' site/index.html)" = 4 ]; head -n 1 site/index.html | grep -q '^<!DOCTYPE html>$'; [ -z "$(find site -name new)" ]`,
		"again":                            `made; cp -rp site before; find site -type f -printf '%P %i %T@\n' | grep -v '^.site/mark' >files; site; status 0; diff -r site before; find site -type f -printf '%P %i %T@\n' | grep -v '^.site/mark' | diff files -`,
		"one has grown":                    `made; touch -d 2001-01-01 $(pages); last=$(jlleaf -u $log); printf '{"type":"user","uuid":"n","parentUuid":"%s","timestamp":"2026-01-03T08:00:00Z","sessionId":"x","message":{"role":"user","content":"Once more"}}\n' $last >>$log; site; status 0; grep -q 'Once more' $page; [ "$(find site -name '*.html' -newermt 2002-01-01 ! -name index.html)" = $page ]`,
		"an agent has grown":               `made; cp $page p; sed -i 's/clock/stopwatch/' claude/projects/*/*/subagents/*.jsonl; site; status 0; grep -q stopwatch $page; ! cmp -s p $page`,
		"a page is removed":                `made; cp -rp site before; rm $page; site; status 0; diff -r site before`,
		"a session is deleted":             `made; cp -rp site before; rm $log; rm -r ${log%.jsonl}; site; status 0; diff -r site before`,
		"…but not its agents":              `made; cp $page p; rm $log; site; status 0; cmp p $page; site; status 0; cmp p $page`,
		"…and its page, too":               `made; rm -r $log ${log%.jsonl} $page; site; status 0; [ "$(pages | wc -l)" = 1 ]; links; if grep -q 'Login test' site/index.html; then exit 1; fi`,
		"a damaged log":                    `alone; sed -i '3s/.\{200\}$//' $log; site; status 2 "$id.jsonl:3: "; grep -q '</a> <abbr title="jlpath: [^"]*">not read whole</abbr>' site/index.html; grep -q '</html>' $page; site; status 0`,
		"a log that cannot be read":        `printf '{"a\n' >$log; rm -r ${log%.jsonl}; site; status 2 "$id.jsonl: not a session log"; [ ! -e $page ]; links; site; status 2 "$id.jsonl: not a session log"`,
		"a log that can no longer be read": `made; cp $page p; chmod 0 $log; touch $log; site; status 2 ermission; cmp p $page`,
		"a name that is not text":          `alone; cp $log "${log%/*}"/$'\xff.jsonl'; site; status 0; [ "$(pages | wc -l)" = 2 ]; links; grep -q 'The test reads' site/claude/s-*.html; site; status 0`,
		"names for a page": `cp ${log%/*}/8b20*.jsonl "${log%/*}/"$'a"\'>\n<img src=x>\e[31m..jsonl'; cp ${log%/*}/8b20*.jsonl "${log%/*}/-x.jsonl"; sed -i 's/release notes/<script>alert(1)<\/script>\\u001b[31m\\"onload=\\"x/' "${log%/*}"/a*.jsonl
			site; status 0; [ "$(pages | wc -l)" = 4 ]; if find site | grep -v '^[A-Za-z0-9/.-]*$'; then exit 1; fi; links; if grep -e '<script' -e '<img' -e $'\e' -r --include='*.html' site; then exit 1; fi`,
		"half of a surrogate pair":   `alone; sed -i 's/Login test/Login \\ud83d/' $log; site; status 0; [ "$(pages | wc -l)" = 1 ]; links; grep -q '>Login �</a>' site/index.html`,
		"prices":                     `alone; cp questions.work.jsonl questions.jsonl ${log%/*}; rm $log; site; if grep -F '$' site/index.html; then exit 1; fi; grep -q '826 in, 140 out' site/index.html; site "$EXAMPLES"/prices.json; status 0; grep -qF '<td class=n>$0.00</tr>' site/index.html; echo '{"claude":{"input":1000,"output":5000,"cacheRead":1000,"cacheWrite5m":0,"cacheWrite1h":0}}' >p; site p; status 0; grep -qF '$1.' site/index.html`,
		"a model without a price":    `alone; cp questions.work.jsonl ${log%/*}; echo '{"claude-haiku":{"input":1}}' >p; site p; status 0; links`,
		"prices that are none":       `echo '{' >p; site p; status 2 "p: not a file of prices"; [ ! -e site ]`,
		"a folder of another":        `mkdir site; echo mine >site/index.html; site; status 2 "site: not empty, and not of this script"; [ "$(cat site/index.html)" = mine ]; [ ! -e site/.site ]`,
		"an empty folder":            `alone; mkdir site; site; status 0; links`,
		"another run":                `made; cp -rp site before; rm $page; flock site/.site/mark sleep 3 & sleep 1; site; status 2 "another run writes to"; [ ! -e $page ]; wait; site; status 0; diff -r site before`,
		"a killed run left a folder": `made; cp -rp site before; mkdir site/.site/new; echo half >site/.site/new/page; site; status 0; diff -r site before`,
		"a full disk":                `made; mv site whole; (ulimit -f 8; trap '' XFSZ; site; exit $got) && exit 1; for p in $(pages); do cmp $p whole/${p#site/}; done; site; status 0; diff -r site whole`,
		"an odd name of the folder":  `made; mv site before; (cd /; unset JL; CLAUDE_CONFIG_DIR=$OLDPWD/claude "$EXAMPLES"/site.sh "$OLDPWD"/$'-a\nb' || exit); diff before/index.html ./-a*/index.html`,
		"projects": `cp questions.work.jsonl ${log%/*}; site "$EXAMPLES"/prices.json; status 0; [ "$(sed -n 's/.*<h2 id=p\([0-9]*\)>\([^<]*\)<small>\(.*\)<.small>.*/\1 \2: \3/p' site/index.html)" = "1 moons: /home/user/moons · 1 session · 1 prompt · 826 in · 140 out · \$0.00
2 shop: /home/user/shop · 2 sessions · 2 prompts" ]
			[ "$(grep -o '<title>[^<]* on [^<]*' site/index.html)" = "<title>2 prompts on 2026-01-02
<title>1 prompt on 2026-03-02" ]; grep -q '<title>$0.00 in the week of 2026-03-02<' site/index.html; grep -q '<p>3 sessions, the newest first; times are in UTC; 3 prompts · 826 in · 140 out · $0.00</p>' site/index.html`,
		"a plan":             `alone; cp plan.jsonl ${log%/*}/c0000000-0000-4000-8000-000000000001.jsonl; sed 1,2d plan.jsonl >${log%/*}/c0000000-0000-4000-8000-000000000002.jsonl; site; status 0 "began the conversation afresh"; grep -q '>A pier of oak</a>.*<td class=n>1 plan<td' site/index.html; grep -q 'north' site/claude/c0000000-0000-4000-8000-000000000001.html; grep -q '>A pier of oak<small>#2 · 08:01 · Plan · 1 call</small>' site/claude/c*1.html; grep -q '<title>A pier of oak</title>' site/claude/c*2.html`,
		"what jlpath says":   `alone; sed -i '4s/"parentUuid":"[^"]*"/"parentUuid":"lost"/' $log; site; status 0 "is not in the file"; if grep -q '<abbr' site/index.html; then exit 1; fi`,
		"without a session":  `mkdir none; CLAUDE_CONFIG_DIR=none; site; status 0 "no session"; grep -q '<p>0 sessions,' site/index.html`,
		"page.jq is missing": `cp "$EXAMPLES"/site.sh .; JL=; got=0; ./site.sh site >said 2>&1 || got=$?; status 2 "site.sh: page.jq is not found"; [ ! -e site ]`,
	} {
		t.Run(name, func(t *testing.T) {
			env.Half(t)
			t.Parallel()
			if strings.Contains(script, "chmod 0 ") {
				env.NeedsUser(t)
			}
			cmd := bare(t, bin, `set -eE; trap 'echo "failed: $BASH_COMMAND; status $got"; cat said' ERR
				export CLAUDE_CONFIG_DIR=claude
				id=3f1c9a52-7d6e-4b1f-9a3c-2e8d5b60c7a1; log=claude/projects/-home-user-shop/$id.jsonl; page=site/claude/$id.html; got=0; : >said
				site() { got=0; "$EXAMPLES"/site.sh site "$@" >said 2>&1 || got=$?; [ ! -e site/.site/new ]; }
				made() { [ -s $page ]; }                              # site has run
				alone() { rm ${log%/*}/8b20*.jsonl; }                 # a home of one session
				status() { [ $got = $1 ] && if [ -n "${2-}" ]; then grep -qF -e "$2" said; else [ ! -s said ]; fi; }
				pages() { find site -name '*.html' ! -name index.html; }
				links() { # the index has each page, and nothing else
					diff <(grep -o '<a href="[^"]*"' site/index.html | cut -d '"' -f 2 | sort) <(pages | sed 's/^site.//' | sort)
				}
				exec 2>&1
				`+script)
			cmd.Dir = testdata(t)
			if name != "each session" && name != "a plan" {
				shortPages(t, cmd)
			}
			if strings.HasPrefix(script, "made;") {
				out, err := exec.Command("cp", "-Rp", made.Dir+"/.", cmd.Dir).CombinedOutput()
				require.NoError(t, err, "%s", out)
			}
			require.NoError(t, os.WriteFile(filepath.Join(cmd.Dir, "plan.jsonl"), readFile(t, "testdata/jq/plan.jsonl"), 0o600))
			out, err := cmd.Output()
			require.NoError(t, err, "%s", out)
		})
	}
}

// shortHTML is the function html of [shortPages].
const shortHTML = `def html(rows): [rows] as $rows | "<!DOCTYPE html>", "<nav></nav>", ($rows[].text | strings | "<p>" + pg_esc), "</html>";
`

// shortPages gives a script pages that have the text of each row and no more, if the tests run with -short: jq 1.6 takes
// most of the time of a small site to compile what makes a page.
func shortPages(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if !testing.Short() {
		return
	}
	library := variable(cmd, "JL")
	pages, _, found := strings.Cut(read(t, filepath.Join(library, "page.jq")), "\ndef html(")
	require.True(t, found)
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "page.jq"), []byte(pages+"\n"+shortHTML), 0o600))
	require.NoError(t, os.Symlink(filepath.Join(library, "jl.jq"), filepath.Join(folder, "jl.jq")))
	cmd.Env = append(cmd.Env, "JL="+folder)
}

// TestSiteInBrowser wants an index that is not wider than a phone, of harmless tags only.
func TestSiteInBrowser(t *testing.T) {
	env.Needs(t, "chromium")
	cmd := bare(t, built(t), `sed "s/Login test/$(printf 'wide%.0s' {1..60})/; s,/home/user/shop,/home/$(printf 'folder%.0s' {1..30}),g" claude/projects/*/3f1c*.jsonl >claude/projects/-home-user-shop/wide.jsonl
		cp questions.work.jsonl claude/projects/-home-user-shop; CLAUDE_CONFIG_DIR=claude "$EXAMPLES"/site.sh site "$EXAMPLES"/prices.json`)
	cmd.Dir = testdata(t)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	index, err := os.ReadFile(filepath.Join(cmd.Dir, "site/index.html"))
	require.NoError(t, err)
	for _, tag := range regexp.MustCompile(`<[^>]*>`).FindAllString(fits(t, string(index)), -1) {
		require.Regexp(t, `^</?(!DOCTYPE html|(html|head|meta|title|style|body|h1|h2|p|nav|small|figure|figcaption|svg|rect|path|text|table|thead|tbody|tr|th|td|a|abbr|time|i)( (lang|charset|name|content|class|title|id|x|y|width|height|d|viewBox|role|aria-label)="[^"<>]*"| href="(claude/[A-Za-z0-9.-]+\.html|#p[0-9]+)")*)>$`, tag)
	}
}
