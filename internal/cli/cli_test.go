package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// process has the streams of this process.
var process = Stdio{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}

// flags has a flag of each kind that the programs have.
type flags struct {
	Depth  int      `short:"n" group:"Where" placeholder:"N" help:"How deep."`
	Leaf   string   `short:"l" group:"Where" placeholder:"ID" help:"The leaf."`
	All    bool     `short:"a" help:"All of them."`
	Bare   bool     `short:"u" help:"Bare ids\nand nothing else."`
	Chain  bool     `xor:"way" help:"One way."`
	Bridge bool     `xor:"way" help:"The other way."`
	Files  []string `arg:"" optional:"" name:"file" help:"With no FILE, read standard input."`
}

func (f *flags) Validate() error {
	if f.Leaf == "-" && len(f.Files) == 0 {
		return errors.New("-l - needs a FILE")
	}
	return nil
}

func (*flags) Help() string { return "Exit status:\n  0  done\n" }

// start runs a command that does nothing, and returns its flags, whether it ran, its
// output and its exit status.
func start(args ...string) (f flags, ok bool, stdout, stderr string, status int) {
	var out, err strings.Builder
	status = Run("jlx", "Do it.", args, Stdio{Out: &out, Err: &err}, func(_ *Command, parsed *flags) { f, ok = *parsed, true })
	return f, ok, out.String(), err.String(), status
}

// quick has the flags, and can be filled without a parser.
type quick struct{ flags }

func (q *quick) Operands() *[]string { return &q.Files }

func TestArguments(t *testing.T) {
	tests := []struct {
		name string
		args []string
		want flags
	}{
		{"none", nil, flags{}},
		{"operands", []string{"a", "b"}, flags{Files: []string{"a", "b"}}},
		{"option between operands", []string{"a", "-a", "b"}, flags{All: true, Files: []string{"a", "b"}}},
		{"options last", []string{"a", "b", "-u", "--all"}, flags{All: true, Bare: true, Files: []string{"a", "b"}}},
		{"dash is an operand", []string{"-", "-a", "-"}, flags{All: true, Files: []string{"-", "-"}}},
		{"double dash", []string{"-a", "--", "-u", "--", "-l"}, flags{All: true, Files: []string{"-u", "--", "-l"}}},
		{"operands around double dash", []string{"a", "--", "-b"}, flags{Files: []string{"a", "-b"}}},
		{"only double dash", []string{"--"}, flags{}},
		{"short flags combined", []string{"-au", "f"}, flags{All: true, Bare: true, Files: []string{"f"}}},
		{"value in the next argument", []string{"-l", "ID", "f"}, flags{Leaf: "ID", Files: []string{"f"}}},
		{"value in the same argument", []string{"f", "-lID"}, flags{Leaf: "ID", Files: []string{"f"}}},
		{"value after combined flags", []string{"-aul", "ID", "f"}, flags{All: true, Bare: true, Leaf: "ID", Files: []string{"f"}}},
		{"value in combined flags", []string{"-alu", "f"}, flags{All: true, Leaf: "u", Files: []string{"f"}}},
		{"long value in the next argument", []string{"--leaf", "ID", "f"}, flags{Leaf: "ID", Files: []string{"f"}}},
		{"long value in the same argument", []string{"f", "--leaf=I=D"}, flags{Leaf: "I=D", Files: []string{"f"}}},
		{"value is a dash", []string{"-l", "-", "f"}, flags{Leaf: "-", Files: []string{"f"}}},
		{"value begins with a dash", []string{"-l", "-a", "f"}, flags{Leaf: "-a", Files: []string{"f"}}},
		{"value is a double dash", []string{"-l", "--", "f"}, flags{Leaf: "--", Files: []string{"f"}}},
		{"negative number", []string{"-n", "-3", "f"}, flags{Depth: -3, Files: []string{"f"}}},
		{"negative number tied", []string{"-n-3", "f"}, flags{Depth: -3, Files: []string{"f"}}},
		{"number with a zero before it", []string{"-n", "010"}, flags{Depth: 10}},
		{"number with a sign", []string{"--depth=+10"}, flags{Depth: 10}},
		{"an option without a value may be repeated", []string{"-a", "-a"}, flags{All: true}},
		{"operands arrive as they are", []string{"a,b", "", " c", "d=e", "\"f\"", "<>&", "\xff\xfe", "${x}"},
			flags{Files: []string{"a,b", "", " c", "d=e", "\"f\"", "<>&", "\xff\xfe", "${x}"}}},
		{"a value arrives as it is", []string{"-l", "\xff,\\,${x}"}, flags{Leaf: "\xff,\\,${x}"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f, ok, stdout, stderr, status := start(test.args...)
			require.Empty(t, stderr)
			require.Empty(t, stdout)
			require.True(t, ok)
			require.Zero(t, status)
			require.Equal(t, test.want, f)

			var q quick
			status = Run("jlx", "Do it.", test.args, Stdio{}, func(_ *Command, parsed *quick) { q = *parsed })
			require.Zero(t, status)
			require.Equal(t, test.want, q.flags)
		})
	}
}

// TestHints: what another program has is in its manual.
func TestHints(t *testing.T) {
	for _, h := range hints {
		program, other := strings.CutSuffix(h.hint, " has it")
		if !other {
			continue
		}
		page, err := os.ReadFile("../../doc/man/" + program + ".1")
		require.NoError(t, err)
		for _, option := range strings.Fields(h.options) {
			require.Contains(t, string(page), strings.ReplaceAll(" "+option, " --", " Fl -"), option)
		}
	}
}

func TestUsageMistake(t *testing.T) {
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"unknown long flag", []string{"--dept"}, `unknown flag --dept, did you mean "--depth"?`},
		{"unknown flag unlike any other", []string{"f", "--verbose"}, "unknown flag --verbose"},
		{"abbreviated flag", []string{"--brid"}, `unknown flag --brid, did you mean "--bridge"?`},
		{"a long flag with one dash", []string{"f", "-bridge"}, `unknown flag -bridge, did you mean "--bridge"?`},
		{"help with one dash", []string{"f", "-help"}, "unknown flag -help: say --help"},
		{"short version", []string{"-v"}, "unknown flag -v: say --version"},
		{"value missing", []string{"f", "--leaf"}, "flag --leaf needs a value; quote '#27'"},
		{"value missing after short flags", []string{"f", "-al"}, "flag -al needs a value; quote '#27'"},
		{"empty value", []string{"-l", "", "f"}, "--leaf: must not be empty"},
		{"empty value in the same argument", []string{"f", "--leaf="}, "--leaf: must not be empty"},
		{"a value twice", []string{"-n1", "f", "--depth", "2"}, "--depth: can be given only once"},
		{"not a number", []string{"-n", "x"}, `--depth: "x" is not a whole number`},
		{"not a whole number", []string{"-n", "1.5"}, `--depth: "1.5" is not a whole number`},
		{"not in decimal", []string{"-n0x1"}, `--depth: "0x1" is not a whole number`},
		{"no number", []string{"--depth="}, "--depth: must not be empty"},
		{"a number without end", []string{"-n", "99999999999999999999"}, "--depth: 99999999999999999999 is out of range"},
		{"flags that exclude each other", []string{"--chain", "--bridge"}, "--chain and --bridge can't be used together"},
		{"refused by the program", []string{"-l", "-"}, "-l - needs a FILE"},
		{"an option of another program", []string{"f", "--graph"}, "unknown flag --graph: jltree has it"},
		{"…with a value", []string{"--since=3d"}, "unknown flag --since=3d: jlrel --list --since monday | jlx reads the sessions since then"},
		{"what a pipe does", []string{"-5"}, "unknown flag -5: | head -n N prints the first N"},
		{"a name that begins with a dash", []string{"-home-x/a.jsonl"}, "unknown flag -home-x/a.jsonl: put -- before files whose names begin with -"},
		{"an option without dashes", []string{"bridge"}, `no file "bridge"; the option is --bridge`},
		{"control characters", []string{"--\x1b[2J\nx"}, `unknown flag --\u001b[2J\u000ax`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, ok, stdout, stderr, status := start(test.args...)
			require.False(t, ok)
			require.Empty(t, stdout)
			require.Equal(t, "jlx: "+test.want+"\nTry 'jlx --help' for more information.\n", stderr)
			require.Equal(t, 2, status)
		})
	}
}

// TestNeeds: an option is refused without one of those that its tag names.
func TestNeeds(t *testing.T) {
	type needy struct {
		Graph, Dot, All bool
		Depth           *int   `needs:"all"`
		Leaf            string `needs:"graph,dot"`
	}
	for args, want := range map[string]string{
		"":                        "",
		"--all":                   "",
		"--leaf=a":                "--leaf needs --graph or --dot",
		"--leaf=a --graph=false":  "--leaf needs --graph or --dot",
		"--leaf=a --dot":          "",
		"--depth=0":               "--depth needs --all",
		"--depth=0 --graph --all": "",
	} {
		var messages strings.Builder
		c := newCommand("jlx", Stdio{Out: io.Discard, Err: &messages}, false)
		require.Equal(t, want == "", c.parse("", new(needy), strings.Fields(args)), args)
		if want != "" {
			require.Contains(t, messages.String(), "jlx: "+want+"\n", args)
		}
	}
}

// TestShorten: a message about the usage is short, however long what the user gave is, and says at
// its ends what is wrong.
func TestShorten(t *testing.T) {
	for _, part := range []string{"x", "é", "日", "\U0001f600", "\x80", "\xe6"} {
		for n := range 400 {
			text := "--session " + strings.Repeat(part, n) + " is not a UUID"
			short := shorten(text)
			if len(text) <= 300 {
				require.Equal(t, text, short)
				continue
			}
			require.LessOrEqual(t, len(short), 300+len("…"))
			require.True(t, strings.HasPrefix(short, "--session"))
			if utf8.ValidString(text) {
				require.True(t, utf8.ValidString(short))
				require.True(t, strings.HasSuffix(short, " is not a UUID"))
			}
		}
	}
}

func TestUnknownShortFlag(t *testing.T) {
	for _, arg := range []string{"-x", "-ax", "-\xff", "-é"} {
		_, ok, stdout, stderr, status := start(arg, "f")
		require.False(t, ok, arg)
		require.Empty(t, stdout)
		require.Regexp(t, "^jlx: unknown flag -.*\nTry 'jlx --help' for more information.\n$", stderr)
		require.Equal(t, 2, status)
	}
}

func TestNoOperandsTaken(t *testing.T) {
	var err strings.Builder
	status := Run("jlx", "Do it.", []string{"f"}, Stdio{Out: io.Discard, Err: &err}, func(*Command, *struct{}) { t.Error("the command ran") })
	require.Equal(t, 2, status)
	require.Equal(t, "jlx: unexpected argument f\nTry 'jlx --help' for more information.\n", err.String())
}

func TestHelp(t *testing.T) {
	const want = `Usage: jlx [OPTION]... [FILE]...
Do it.
With no FILE, read standard input.

Where:
  -n, --depth=N  How deep.
  -l, --leaf=ID  The leaf.

General:
  -a, --all      All of them.
  -u, --bare     Bare ids
                 and nothing else.
      --chain    One way.
      --bridge   The other way.
  -h, --help     Print this help.
      --version  Print the version.

Exit status:
  0  done

More: man jlx, man 7 jl, man jl.jq
`
	t.Setenv("COLUMNS", "20")
	for _, args := range [][]string{{"--help"}, {"-h"}, {"f", "-ah"}, {"--help", "--version"}} {
		_, ok, stdout, stderr, status := start(args...)
		require.False(t, ok)
		require.Equal(t, want, stdout, args)
		require.Empty(t, stderr)
		require.Zero(t, status)
	}
}

func TestVersion(t *testing.T) {
	defer func(was string) { commit = was }(commit)
	number := strings.TrimSpace(release)
	require.Regexp(t, `^[1-9]\d*\.\d+\.\d+(-dev)?$`, number)
	for at, want := range map[string]string{
		"":        number,
		"4c2843a": number + " (4c2843a)",
		"7a59ee8529300dbae80a3825d68c33abd1e9630f":       number + " (7a59ee852930)",
		"7a59ee8529300dbae80a3825d68c33abd1e9630f-dirty": number + " (7a59ee852930-dirty)",
	} {
		commit = at
		_, ok, stdout, stderr, status := start("--version")
		require.False(t, ok)
		require.Equal(t, "jlx (jl suite) "+want+"\n", stdout)
		require.Empty(t, stderr)
		require.Zero(t, status)
	}
}

func TestStampedCommit(t *testing.T) {
	for modified, want := range map[string]string{"false": "7a59ee8", "true": "7a59ee8-dirty"} {
		require.Equal(t, want, stampedCommit(&debug.BuildInfo{Settings: []debug.BuildSetting{
			{Key: "GOOS", Value: "linux"}, {Key: "vcs.revision", Value: "7a59ee8"}, {Key: "vcs.modified", Value: modified},
		}}))
	}
	require.Empty(t, stampedCommit(&debug.BuildInfo{}))
}

func TestHelpComesBeforeContradictions(t *testing.T) {
	for _, option := range []string{"--help", "--version"} {
		var out, err strings.Builder
		status := Run("jlx", "About.", []string{option}, Stdio{Out: &out, Err: &err}, func(*Command, *contradicting) { t.Error("the command ran") })
		require.Zero(t, status)
		require.NotEmpty(t, out.String())
		require.Empty(t, err.String())
	}
}

type contradicting struct{}

func (*contradicting) Validate() error { return errors.New("it contradicts itself") }

func TestStatus(t *testing.T) {
	tests := []struct {
		name string
		run  func(*Command)
		want int
	}{
		{"answered", func(c *Command) {}, 0},
		{"note", func(c *Command) { c.Note(Place{}, "n") }, 0},
		{"none", func(c *Command) { c.No() }, 1},
		{"trouble", func(c *Command) { c.Fail(Place{}, io.ErrUnexpectedEOF) }, 2},
		{"trouble, then none", func(c *Command) { c.Fail(Place{}, io.ErrUnexpectedEOF); c.No() }, 2},
		{"none, then trouble", func(c *Command) { c.No(); c.Fail(Place{}, io.ErrUnexpectedEOF) }, 2},
		{"none, then note", func(c *Command) { c.No(); c.Note(Place{}, "n") }, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := newCommand("jlx", Stdio{Out: io.Discard, Err: io.Discard}, false)
			test.run(c)
			require.Equal(t, test.want, c.finish())
		})
	}
}

// One buffer takes both outputs and shows their order.
func TestMessageComesAfterOutput(t *testing.T) {
	var both bytes.Buffer
	c := newCommand("jlx", Stdio{Out: &both, Err: &both}, false)
	fmt.Fprint(c.Out, "one\n")
	c.Note(Line("s.jsonl", 1), "a %s", "guess")
	fmt.Fprint(c.Out, "two\n")
	c.Fail(Line("s.jsonl", 2), errors.New("100% wrong"))
	fmt.Fprint(c.Out, "three\n")
	require.Equal(t, 2, c.finish())
	require.Equal(t, "one\njlx: s.jsonl:1: a guess\ntwo\njlx: s.jsonl:2: 100% wrong\nthree\n", both.String())
}

func TestMessageIsOneHarmlessLine(t *testing.T) {
	var err strings.Builder
	c := newCommand("jlx", Stdio{Out: io.Discard, Err: &err}, false)
	c.Note(File("a\nb\t\x1b]52;c;eA\a\u009b\u202e\x7f\xff é\U0001F600"), "gone")
	require.Equal(t, `jlx: a\u000ab\u0009\u001b]52;c;eA\u0007\u009b\u202e\u007f\ufffd é😀: gone`+"\n", err.String())
}

// A failing writer takes n bytes and then fails as os.File does.
type failing struct {
	n   int
	err error
}

func (f *failing) Write(p []byte) (int, error) {
	if len(p) <= f.n {
		f.n -= len(p)
		return len(p), nil
	}
	n := f.n
	f.n = 0
	return n, &os.PathError{Op: "write", Path: "/dev/stdout", Err: f.err}
}

// TestPrintKeepsTheOrder: what is written at once follows what was written before.
func TestPrintKeepsTheOrder(t *testing.T) {
	for _, screen := range []bool{false, true} {
		var out, want strings.Builder
		c := newCommand("jlx", Stdio{Out: &out}, screen)
		for i := range 40 {
			part := bytes.Repeat([]byte{'a' + byte(i%26)}, i*i*100)
			c.Print(part)
			want.Write(part)
		}
		require.Zero(t, c.finish())
		require.True(t, want.String() == out.String())
	}
}

// TestNothingAfterAFailedWrite: the output has no hole, even if a later write would succeed.
func TestNothingAfterAFailedWrite(t *testing.T) {
	full := &failing{n: 10, err: syscall.ENOSPC}
	c := newCommand("jlx", Stdio{Out: full, Err: io.Discard}, false)
	c.Print(make([]byte, outputSize+1))
	full.n = 1 << 30
	c.Print(make([]byte, outputSize+1))
	fmt.Fprint(c.Out, "x")
	require.Equal(t, 2, c.finish())
	require.Equal(t, 1<<30, full.n, "bytes are written after a hole")
}

func TestFailedWriteIsReportedOnce(t *testing.T) {
	const message = "jlx: write: no space left on device\n"
	tests := []struct {
		name string
		run  func(*Command)
		want string
	}{
		{"seen at the end", func(c *Command) { fmt.Fprint(c.Out, "x") }, message},
		{"seen before another error", func(c *Command) {
			fmt.Fprint(c.Out, "x")
			c.Flush()
			c.Fail(Place{}, io.ErrUnexpectedEOF)
		}, "jlx: unexpected EOF\n" + message},
		{"seen by a message", func(c *Command) {
			fmt.Fprint(c.Out, "x")
			c.Note(File("a"), "bad")
			fmt.Fprint(c.Out, "y")
			c.Note(File("b"), "bad")
		}, "jlx: a: bad\njlx: b: bad\n" + message},
		{"a long write", func(c *Command) { c.Print(make([]byte, outputSize)) }, message},
		{"nothing written", func(c *Command) {}, ""},
	}
	for _, test := range tests {
		for _, screen := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/%t", test.name, screen), func(t *testing.T) {
				var err strings.Builder
				c := newCommand("jlx", Stdio{Out: &failing{err: syscall.ENOSPC}, Err: &err}, screen)
				test.run(c)
				c.Flush()
				require.Equal(t, test.want != "", c.Broken())
				status := c.finish()
				require.Equal(t, test.want, err.String())
				require.Equal(t, test.want != "", status == 2)
			})
		}
	}
}

func TestBrokenPipeIsSilent(t *testing.T) {
	var err strings.Builder
	c := newCommand("jlx", Stdio{Out: &failing{err: syscall.EPIPE}, Err: &err}, false)
	c.Print([]byte("x"))
	require.Equal(t, 141, c.finish())
	require.Empty(t, err.String())
}

func TestReason(t *testing.T) {
	gone := &os.PathError{Op: "open", Path: "/tmp/x", Err: syscall.ENOENT}
	tests := []struct {
		err  error
		want string
	}{
		{errors.New("it is late"), "it is late"},
		{gone, "no such file or directory"},
		{fmt.Errorf("read back y: %w", gone), "read back y: no such file or directory"},
		{&os.LinkError{Op: "link", Old: "a", New: "b", Err: syscall.EEXIST}, "file exists"},
		{os.NewSyscallError("flock", syscall.EINTR), "interrupted system call"},
		{&os.PathError{Op: "read", Path: "x", Err: os.NewSyscallError("read", syscall.EIO)}, "input/output error"},
	}
	for _, test := range tests {
		require.Equal(t, test.want, Reason(test.err))
	}
}

// FuzzArguments checks that any arguments are accepted, or refused in one line, and that
// operands after "--" arrive as they are.
func FuzzArguments(f *testing.F) {
	for _, s := range []string{"", "a", "-a\x00b", "-l\x00x", "--leaf\x00-", "-n\x00-1", "-\x00--\x00-x", "--a=\x00--\x00--", "---\x00--=", "-al"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		args := strings.Split(s, "\x00")
		got, ok, stdout, stderr, status := start(args...)
		switch {
		case ok:
			require.Empty(t, stdout+stderr)
			require.Zero(t, status)
		case status == 0:
			require.NotEmpty(t, stdout)
			require.Empty(t, stderr)
		default:
			require.Equal(t, 2, status)
			require.Empty(t, stdout)
			require.Equal(t, 2, strings.Count(stderr, "\n"), stderr)
		}
		if ok {
			again, ok, _, _, _ := start(append([]string{"--"}, got.Files...)...)
			require.True(t, ok)
			require.Equal(t, got.Files, again.Files)
		}
	})
}
