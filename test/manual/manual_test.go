package manual

import (
	"go/ast"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/cli"
	"jl/internal/dialect"
	"jl/internal/entry"
	as "jl/internal/reader"
	"jl/test/env"
)

// flags has an option of each kind, with a comment for the manual or without one.
type flags struct {
	// End there; "file" says
	// more. It has two lines.
	Leaf string   `short:"l" placeholder:"ID" help:"The leaf."`
	All  bool     `help:"All of them."`
	As   string   `placeholder:"READER" help:"Somebody's: rule [x]."`
	Home string   `placeholder:"DIR" help:"The home."`
	Many []string `short:"m" sep:"none" placeholder:"ID" help:"Some."`

	// Each by itself.
	NotAll bool `name:"not-all" help:"Some."`

	// Neither.
	OrNone bool `help:"None."`
}

// completed are the flags that the completions are made for.
type completed struct {
	flags
	Rows cli.Names `short:"r" placeholder:"KIND" help:"Rows."`
}

func (*flags) Help() string {
	return "Examples:\n  jlx -l a~b\n\nExit status:\n  0  it was done\n  2  trouble: wrong usage,\n     or another\n"
}

// told returns the page of a program with the given doc comment, and the flags of this file.
func told(t *testing.T, doc string, flags any) (string, error) {
	t.Helper()
	this, err := os.ReadFile("manual_test.go")
	require.NoError(t, err)
	_, code, _ := strings.Cut(string(this), "package manual")
	file := t.TempDir() + "/main.go"
	require.NoError(t, os.WriteFile(file, []byte("// "+strings.ReplaceAll(doc, "\n", "\n// ")+"\npackage main"+code), 0o600))
	return page(Program{Name: "jlx", About: "Do it.\nAnd more.", Flags: flags}, optionsOf(flags), file, "../../internal/record")
}

const doc = `Jlx does it. It is what --all tells.

Usage:

	jlx [-l ID|-]... [--all] [FILE]...
	jlx --as READER

Do it with .dots and \u0000.

	LOG     ITS END
	of one  is here
	two of many
	        are there

# More of it

Words:

	word     what it means
	two words
	         what they mean

An example:

	jlx -l 'a' | b

Another:

	   HEAD   of a table
	.  aligned
`

func TestPage(t *testing.T) {
	got, err := told(t, doc, new(flags))
	require.NoError(t, err)
	_, got, _ = strings.Cut(got, ".Sh NAME\n")
	require.Equal(t, `.Nm jlx
.Nd do it
.Sh SYNOPSIS
.Nm jlx
.Oo Fl l Ar ID|\- Oc Ns ...
.Oo Fl -all Oc
.Oo Ar FILE Oc Ns ...
.Nm jlx
.Fl -as
.Ar READER
.Sh DESCRIPTION
Jlx does it.
It is what \-\-all tells.
.Pp
Do it with .dots and \eu0000.
.Pp
.Bl -tag -width 6n -compact
.It Sy LOG
.Sy ITS END
.It "of one"
is here
.It "two of many"
are there
.El
.Sh OPTIONS
.Bl -tag -width Ds
.It Fl l , Fl -leaf Ar ID
End there; "file" says more.
It has two lines.
.It Fl -all
All of them.
.It Fl -as Ar READER
Somebody's: rule [x].
.It Fl -home Ar DIR
The home.
.It Fl m , Fl -many Ar ID
Some.
.It Fl -not-all
Each by itself.
.It Fl -or-none
Neither.
.It Fl h , Fl -help
Print this help.
.It Fl -version
Print the version.
.El
.Sh MORE OF IT
Words:
.Pp
.Bl -tag -width 7n -compact
.It "word"
what it means
.It "two words"
what they mean
.El
.Pp
An example:
.Bd -literal -offset indent
jlx \-l \(aqa\(aq | b
.Ed
.Pp
Another:
.Bd -literal -offset indent
   HEAD   of a table
\&.  aligned
.Ed
.Sh EXIT STATUS
.Bl -tag -width Ds
.It 0
it was done
.It 2
trouble: wrong usage,
or another
.El
.Sh EXAMPLES
.Bd -literal -offset indent
jlx \-l a\(tib
.Ed
.Sh SEE ALSO
.Xr jlcompact 1 ,
.Xr jlleaf 1 ,
.Xr jlpath 1 ,
.Xr jlrel 1 ,
.Xr jlrev 1 ,
.Xr jlsnap 1 ,
.Xr jltree 1 ,
.Xr jl 7
`, got)
}

// TestOptionsOfPage: a comment that is lost, because no option has the name of its field, is an error.
func TestOptionsOfPage(t *testing.T) {
	_, err := told(t, doc, new(struct{ Leaf string }))
	require.ErrorContains(t, err, "a comment is about --or-none, which is no option")
}

// TestTwoScreens wants each page to say its rule and the exceptions in at most two screens,
// before the options, and each row of its tables to begin on a line of its own.
func TestTwoScreens(t *testing.T) {
	env.Needs(t, "mandoc")
	for _, program := range programs {
		t.Run(program, func(t *testing.T) {
			file := "../../doc/man/" + program + ".1"
			out, err := exec.Command("mandoc", "-Tutf8", "-Owidth=78", file).Output()
			require.NoError(t, err)
			text := regexp.MustCompile(`.\x08`).ReplaceAllString(string(out), "") // bold
			before, _, ok := strings.Cut(text, "\nOPTIONS\n")
			require.True(t, ok)
			require.LessOrEqual(t, strings.Count(before, "\n"), 80)

			page, err := os.ReadFile(file)
			require.NoError(t, err)
			described, _, _ := strings.Cut(string(page), ".Sh OPTIONS")
			headings := regexp.MustCompile(`(?m)^\.It Sy (.+)\n\.Sy (.+)$`).FindAllStringSubmatch(described, -1)
			require.NotEmpty(t, headings, "the exceptions are in a table")
			for _, row := range headings {
				require.Regexp(t, `(?m)^ +`+row[1]+` +`+row[2]+`$`, before)
			}
			for _, row := range regexp.MustCompile(`(?m)^\.It "(.+)"$`).FindAllStringSubmatch(described, -1) {
				require.Regexp(t, `(?m)^     `+regexp.QuoteMeta(row[1])+`(  |$)`, before)
			}
			html, err := exec.Command("mandoc", "-Thtml", file).Output()
			require.NoError(t, err)
			require.Equal(t, strings.Count(string(page), "-compact\n"), strings.Count(string(html), `<dl class="Bl-tag Bl-compact">`))
		})
	}
}

// TestRecords wants each record of package record in the page of one program.
func TestRecords(t *testing.T) {
	types, err := structs("../../internal/record")
	require.NoError(t, err)
	var printed []string
	for _, names := range printedBy {
		printed = append(printed, names...)
	}
	exported := slices.DeleteFunc(slices.Sorted(maps.Keys(types)), func(name string) bool {
		return !ast.IsExported(name) || name == "Left" // a row, which is in the table of rows
	})
	require.ElementsMatch(t, exported, printed)
}

// TestFindings wants each finding of jltree --check in its page.
func TestFindings(t *testing.T) {
	page, err := os.ReadFile("../../doc/man/jltree.1")
	require.NoError(t, err)
	found := map[string]bool{}
	files, err := filepath.Glob("../../internal/check/*.go")
	require.NoError(t, err)
	for _, name := range files {
		code, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`(?:finding\([\w.]+, |\tname :?= )"([^"]+)"|\{"([^"]+)", record\.`).FindAllStringSubmatch(string(code), -1) {
			found[m[1]+m[2]] = true
		}
	}
	require.GreaterOrEqual(t, len(found), 14)
	for name := range found {
		require.Regexp(t, `(?m)^\.It "(.*, )?`+regexp.QuoteMeta(name)+`(, .*)?"$`, string(page))
	}
}

// TestEdges wants each field of an edge in jl(7).
func TestEdges(t *testing.T) {
	page, err := os.ReadFile("../../doc/man/jl.7")
	require.NoError(t, err)
	_, edges, _ := strings.Cut(string(page), ".Sh EDGES")
	edges, _, _ = strings.Cut(edges, ".Sh READERS")
	const log = `{"uuid":"b","parentUuid":"a","type":"system","timestamp":"t","isSidechain":true,"subtype":"s","logicalParentUuid":"l","sessionId":"s"}`
	var dec entry.Decoder
	_, damage := dec.Decode([]byte(log+"\n"), 1, 0)
	require.Nil(t, damage)
	for _, d := range []dialect.Dialect{dialect.Claude, dialect.Pi} {
		edge := d.AppendEdge(nil, dec.Entry(0), entry.Value(`"b"`), nil, "f")
		keys := regexp.MustCompile(`"(\w+)":`).FindAllSubmatch(edge, -1)
		require.Len(t, keys, 12)
		for _, key := range keys {
			require.Regexp(t, `(?m)^\.It (.* , )?`+string(key[1])+`( ,.*)?$`, edges)
		}
	}
}

// TestReaders wants the completions to have the values that --as takes.
func TestReaders(t *testing.T) {
	var rules as.Rules
	require.ErrorContains(t, rules.UnmarshalText(nil), "one of "+strings.ReplaceAll(readers, " ", ", ")+" but")
}

// fishStub is stub for fish.
const fishStub = `function jlrel; echo '{"sessionId":"3f1c-9"}'; end; function jlleaf; test $argv[4] = 3f1c-9; and printf 'e1\ne2a\n'; end; `

// stub defines the programs that the completions ask for ids, for bash and zsh.
const stub = `jlrel() { echo '{"sessionId":"3f1c-9","summary":"\"sessionId\":\"5\""}'; }; ` +
	`jlleaf() { [ "$4" = 3f1c-9 ] && printf 'e1\ne2a\nbad$(touch x)\n' || [ "$4" != pipe ] || cat pipe; }; `

// TestFish asks fish for completions.
func TestFish(t *testing.T) {
	env.Needs(t, "fish")
	file := t.TempDir() + "/jlx.fish"
	require.NoError(t, os.WriteFile(file, []byte(fish("jlx", optionsOf(new(completed)))), 0o600))
	for typed, want := range map[string]string{
		"jlx --al":         "--all\tAll of them\n",
		"jlx 3f":           "3f1c-9\n",
		"jlx 3f1c-9 -l e2": "e2a\tThe leaf\n",
		"jlx 3f1c-9 -m e2": "e2a\tSome\n",
		"jlx -l e2":        "",
		"jlx --as sd":      "sdk\tSomebody's: rule [x]\nsdk-system\tSomebody's: rule [x]\n",
		"jlx --rows=pr":    "--rows=prompt\tRows\n",
		"jlx --as=cla":     "--as=claude\tSomebody's: rule [x]\n--as=claude-2.0\tSomebody's: rule [x]\n--as=claude-2.1\tSomebody's: rule [x]\n",
	} {
		out, err := exec.Command("fish", "--no-config", "-c", fishStub+"source $argv[1]; complete -C $argv[2]", file, typed).Output()
		require.NoError(t, err)
		require.Equal(t, want, string(out), typed)
	}
}

// TestBash types the beginnings of words with tabs after them into bash.
func TestBash(t *testing.T) {
	env.Needs(t, "bash")
	typeInto(t, []string{"true"}, "bash --norc --noprofile", ". ./_jlx; "+stub, bash("jlx", optionsOf(new(completed))), map[string]string{
		"--home ses\t":    "--home ses",
		"3f1c-9 -l bad\t": "3f1c-9 -l bad",
	})
}

// TestZsh types them into zsh, which quotes what it completes.
func TestZsh(t *testing.T) {
	env.Needs(t, "zsh")
	// What completes what is found once, because to look for that takes a zsh longer than all the rest.
	const find = "fpath=($PWD $fpath); autoload -U compinit; compinit -u "
	const begin = "PROMPT= RPROMPT=; unsetopt prompt_sp prompt_cr; " + find + "-C -d ./found; "
	typeInto(t, []string{"zsh", "-f", "-c", find + "-d ./found"}, "zsh -f -i", begin+stub, zsh("jlx", optionsOf(new(completed))), map[string]string{
		"3f1c-9 -l bad\t": "3f1c-9 -l bad$(touch x)",
		"-m e2\t":         "-m e2",
		"3f1c-9 -m e2\t":  "3f1c-9 -m e2a",
	})
}

// typeInto types the beginnings of words with tabs after them into a shell that has read begin, after a command that
// is first. The completions are in the file _jlx. More has what this shell alone completes so.
func typeInto(t *testing.T, first []string, shell, begin, completions string, more map[string]string) {
	env.Needs(t, "script")
	if runtime.GOOS != "linux" {
		t.Skip("script(1) of other systems has other options")
	}
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(dir+"/folder", 0o700))
	require.NoError(t, os.WriteFile(dir+"/session.jsonl", nil, 0o600))
	require.NoError(t, os.WriteFile(dir+"/_jlx", []byte(completions), 0o600))
	require.NoError(t, syscall.Mkfifo(dir+"/pipe", 0o600)) // which nobody writes to
	prepare := exec.Command(first[0], first[1:]...)
	prepare.Dir = dir
	require.NoError(t, prepare.Run())
	cases := map[string]string{
		"--le\t":               "--leaf",
		"--al\t --ho\t fol\t":  "--all --home folder",
		"--as cl\t-2.1":        "--as claude-2.1",
		"--as=sdk-\t":          "--as=sdk-system",
		"ses\t":                "session.jsonl",
		"-l ses\t":             "-l ses",
		"3f\t":                 "3f1c-9",
		"--all 3f1c-9 -l e2\t": "--all 3f1c-9 -l e2a",
		"pipe 3f1c-9 -l e2\t":  "pipe 3f1c-9 -l e2a",
		"--rows=pr\t":          "--rows=prompt",
		"--rows=prompt,an\t":   "--rows=prompt,answer",
		"--rows ses\t":         "--rows session.jsonl",
	}
	maps.Copy(cases, more)
	for typed, want := range cases {
		t.Run(typed, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command("script", "-qec", shell, "/dev/null")
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "INPUTRC=/dev/null", "TERM=dumb")
			cmd.Stdin = strings.NewReader(begin + "jlx() { printf '<%s>\\n' \"$*\"; exit; }\njlx " + typed + "\n")
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", out)
			require.Regexp(t, `<`+regexp.QuoteMeta(want)+`[ /]*>`, string(out))
		})
	}
	t.Cleanup(func() { require.NoFileExists(t, dir+"/x", "a shell ran an id") })
}
