package test

import (
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/env"
)

// harmless matches the tags that a page may have, after the browser has read it.
var harmless = regexp.MustCompile(`^</?(!DOCTYPE html|(html|head|meta|title|style|body|header|nav|main|section|h[1-6]|p|ol|ul|li|a|b|i|em|strong|code|pre|kbd|time|div|table|tbody|tr|th|td|blockquote|details|summary|ins|del|span|small|img|hr|br|input|label)` +
	`( (lang|charset|http-equiv|name|content|type|class|id|alt|for|start)="[^"<>]*"| href="(#s?[0-9]*p[0-9]+|#[0-9a-f]{16}|https?://[^"<>]*)"| rel="noreferrer"| src="data:image/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+"| (open|checked)="")*)>$`)

// TestPageInBrowser opens pages in headless Chromium: it shows what was said, as narrow as a phone, runs nothing that a
// log holds, and asks for nothing but the file.
func TestPageInBrowser(t *testing.T) {
	env.Needs(t, "jq", "chromium")
	built(t)
	for _, log := range []string{"testdata/jq/odd.jsonl", "testdata/jq/claude.jsonl", "../testdata/questions.work.jsonl"} {
		t.Run(filepath.Base(log), func(t *testing.T) {
			input := rowsOf(t, log)
			page := runJq(t, "jq", "page.jq", "-nr", "html(inputs)", input)
			require.Zero(t, page.status, page.message)
			requests := filepath.Join(t.TempDir(), "net.json")
			shown := browse(t, page.out, "--log-net-log="+requests, "--host-resolver-rules=MAP * ~NOTFOUND", "--disable-background-networking", "--disable-component-update", "--disable-sync")
			for _, tag := range regexp.MustCompile(`<[^>]*>`).FindAllString(shown, -1) {
				require.Regexp(t, harmless, tag)
			}
			prompts := runJq(t, "jq", "jl.jq", "-nr", "[said(inputs) | select(.is == \"prompt\" and .by == null and .agentId == null and .isSidechain == null)] | length", input)
			require.Equal(t, strings.TrimSpace(prompts.out), fmt.Sprint(strings.Count(shown, "<section id=")))
			for _, m := range regexp.MustCompile(`href="#([^"]*)"`).FindAllStringSubmatch(shown, -1) {
				require.Contains(t, shown, `id="`+m[1]+`"`)
			}
			log, err := os.ReadFile(requests)
			require.NoError(t, err)
			for _, host := range []string{"example.org", "alert("} {
				require.NotContains(t, string(log), host)
			}
		})
	}
}

// TestPageReads wants Markdown read, each input once, and nothing wider than a phone.
func TestPageReads(t *testing.T) {
	env.Needs(t, "jq")
	long := strings.Repeat("wide", 100)
	rows := `{"is":"prompt","timestamp":"2026-01-02T08:00:00Z","session":"s","uuid":"1","text":"Count ` + long + `.","images":0}
{"is":"answer","session":"s","uuid":"2","text":"**Four** ` + "`" + long + "`" + ` moons:\n\n| a | b |\n|---|---|\n| ` + long + ` | d |\n\n- one\n  - two\n\n` + "```go\\n" + long + "\\n```" + `"}
{"is":"call","session":"s","uuid":"3","id":"c","name":"Bash","input":{"command":"wc -l moons.txt"},"cwd":"/w"}
{"is":"result","session":"s","uuid":"4","call":"c","name":"Bash","failed":true,"seconds":1,"text":"\u001b[31mno ` + long + `\u001b[0m\u001b[38;5;99m\u001b[4mu\u001b[24mn\u001b[7mr","images":0}
{"is":"file","session":"s","uuid":"4","call":"d","name":"Edit","cwd":"/w","action":"edit","path":"/w/a","failed":false,"diff":"@@ -1,1 +1,1 @@\n-a\n+b\n"}
{"is":"call","session":"s","agentId":"g","uuid":"5","id":"e","name":"Bash","input":{"command":"ls"},"cwd":"/w"}
{"is":"prompt","session":"s","agentId":"acompact-1","uuid":"6","text":"Summarise.","images":0,"by":"model"}
{"is":"answer","session":"s","agentId":"acompact-1","uuid":"7","text":"So far."}
{"is":"bill","timestamp":null,"session":"s","dollars":0.7}
{"is":"bill","timestamp":null,"session":"s","dollars":0.15}
`
	page := runJq(t, "jq", "page.jq", "-nr", "html(inputs)", []byte(rows))
	require.Zero(t, page.status, page.message)
	require.NotContains(t, page.out, "**")
	require.NotContains(t, page.out, "\x1b")
	require.Equal(t, 1, strings.Count(page.out, "wc -l moons.txt"))
	for _, element := range []string{"<strong>Four</strong>", "<td>d", "<li>two", `class="language-go"`, `<span class="f1">`, `<span class="u">u</span>nr`, "<b>$0.85</b> cost", "<b>1</b> sub-agent<", "So far."} {
		require.Contains(t, page.out, element)
	}

	env.Needs(t, "chromium")
	fits(t, page.out)
}

// TestPicture wants the picture in the README to be the page of a session as it is made now: the elements that the
// browser has read, closed as XML wants them.
func TestPicture(t *testing.T) {
	env.Needs(t, "jq", "chromium")
	rows, err := exec.Command(filepath.Join(built(t), "jlpath"), "-ts", "../testdata/compacted.jsonl").Output()
	require.NoError(t, err)
	page := runJq(t, "jq", "page.jq", "-nr", "html(inputs)", rows)
	require.Zero(t, page.status, page.message)
	shown := browse(t, page.out)
	css := regexp.MustCompile(`(?s)<style>.*</style>`).FindString(shown)
	css = strings.Replace(css, "@media(max-width:60rem)", "@media not all", 1) // a picture that is shown small keeps its columns
	_, body, _ := strings.Cut(shown, "<body>")
	body, _, _ = strings.Cut(body, "</body>")
	body = regexp.MustCompile(`<(br|hr|img|input)\b[^>]*`).ReplaceAllString(body, "$0/")
	got := `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 648">` + css + `<foreignObject width="1000" height="648">` +
		`<body xmlns="http://www.w3.org/1999/xhtml">` + body + "</body></foreignObject></svg>\n"
	require.NoError(t, xml.Unmarshal([]byte(got), new(struct{})))

	want, err := os.ReadFile("../doc/page.svg")
	require.NoError(t, err)
	if got != string(want) {
		require.NoError(t, os.WriteFile("../bin/page.svg", []byte(got), 0o600))
		require.Fail(t, "the page has changed", "see whether bin/page.svg looks right, then: cp bin/page.svg doc")
	}
}

// fits opens a page that is as narrow as a phone, wants nothing that is wider, and returns what the browser has read.
func fits(t *testing.T, page string) string {
	t.Helper()
	wide := "<script>document.title = document.documentElement.scrollWidth <= innerWidth ? 'fits' : 'wide'</script></body>"
	text := regexp.MustCompile(`<meta http-equiv=[^>]*>`).ReplaceAllString(strings.Replace(page, "</body>", wide, 1), "")
	shown := browse(t, text)
	require.Contains(t, shown, "<title>fits</title>")
	return strings.Replace(shown, strings.TrimSuffix(wide, "</body>"), "", 1)
}

// browse opens a page in headless Chromium, as narrow as a phone, and returns what the browser has read.
func browse(t *testing.T, page string, flags ...string) string {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "page.html")
	require.NoError(t, os.WriteFile(file, []byte(page), 0o600))
	flags = append(flags, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--user-data-dir="+filepath.Join(dir, "profile"),
		"--window-size=390,800", "--dump-dom", "file://"+file)
	var dom []byte
	var err error
	for range 3 {
		dom, err = exec.Command("chromium", flags...).Output()
		if exit, ended := err.(*exec.ExitError); !ended || exit.Exited() {
			break
		}
		t.Log("chromium crashes now and then, whatever it reads: once more")
	}
	require.NoError(t, err)
	return string(dom)
}
