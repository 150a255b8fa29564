package harness

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A Form is a way to give a session to a program.
type Form string

const (
	Plain   Form = "plain"
	Gz      Form = "gz"
	Zst     Form = "zst"
	Archive Form = "archive" // written by jlcompact --archive
	Pipe    Form = "pipe"    // standard input, a pipe
	Stdin   Form = "stdin"   // standard input, the plain file
	Home    Form = "home"    // no log: the program reads the home
)

var formFile = map[Form]string{Plain: Log, Gz: "packed/s.jsonl.gz", Zst: "packed/s.jsonl.zst", Archive: "archive/s.jsonl.zst", Stdin: Log}

var allForms = []Form{Plain, Gz, Zst, Archive, Pipe, Stdin}

// File returns the path of the file that is read for a form.
func (f *Fixture) File(form Form) string { return f.Path(formFile[form]) }

// A Command is a typical command line. In its arguments FILE stands for the
// operand, PI for a pi log, and HOME, OUT, ID and LEAF for what they say.
type Command struct {
	Program string
	Args    string // separated by spaces
	Forms   []Form // of the input, the typical one first
	Writes  bool   // it replaces FILE, or writes to OUT
}

func (c Command) String() string { return c.Program + " " + c.Args }

// Commands are the command lines that the tests run.
var Commands = []Command{
	{Program: "jlrev", Args: "FILE", Forms: allForms},
	{Program: "jltree", Args: "FILE", Forms: allForms},
	{Program: "jltree", Args: "--check FILE", Forms: allForms},
	{Program: "jlleaf", Args: "FILE", Forms: allForms},
	{Program: "jlleaf", Args: "-a FILE", Forms: allForms},
	{Program: "jlpath", Args: "FILE", Forms: allForms},
	{Program: "jlpath", Args: "-l LEAF FILE", Forms: []Form{Plain, Zst}},
	{Program: "jlpath", Args: "--bridge FILE", Forms: []Form{Plain, Pipe}},
	{Program: "jlpath", Args: "--through --meta FILE", Forms: []Form{Plain, Archive, Pipe}},
	{Program: "jlpath", Args: "--session ID FILE", Forms: []Form{Plain, Gz}},
	{Program: "jlsnap", Args: "FILE", Forms: allForms},
	{Program: "jlsnap", Args: "--home HOME --files FILE", Forms: []Form{Plain, Archive, Pipe}},
	{Program: "jlsnap", Args: "--home HOME --restore OUT FILE", Forms: []Form{Plain, Gz}, Writes: true},
	{Program: "jlrel", Args: "--home HOME ID", Forms: []Form{Home}},
	{Program: "jlrel", Args: "--home HOME -0 ID", Forms: []Form{Home}},
	{Program: "jlrel", Args: "--home HOME --report ID", Forms: []Form{Home}},
	{Program: "jlrel", Args: "--home HOME --links ID", Forms: []Form{Home}},
	{Program: "jlrel", Args: "--home HOME --links FILE", Forms: []Form{Plain, Gz, Archive}},
	{Program: "jlrel", Args: "--home HOME --list", Forms: []Form{Home}},
	{Program: "jlrel", Args: "--home HOME --orphans", Forms: []Form{Home}},
	{Program: "jlrel", Args: "--home HOME FILE", Forms: []Form{Plain, Pipe}},
	{Program: "jlcompact", Args: "FILE", Forms: allForms},
	{Program: "jlcompact", Args: "--cold FILE", Forms: []Form{Plain, Archive, Pipe}},
	{Program: "jlcompact", Args: "--list FILE", Forms: []Form{Plain, Gz, Pipe}},
	{Program: "jlcompact", Args: "-n 1 FILE", Forms: []Form{Plain, Zst}},
	{Program: "jlcompact", Args: "--last 3 FILE", Forms: []Form{Plain, Archive}},
	{Program: "jlcompact", Args: "-z FILE", Forms: []Form{Plain, Pipe}},
	{Program: "jlcompact", Args: "--archive FILE", Forms: []Form{Plain}, Writes: true},
	{Program: "jlcompact", Args: "--archive --keep --to OUT FILE", Forms: []Form{Plain}, Writes: true},
	{Program: "jlcompact", Args: "--extract FILE", Forms: []Form{Archive}, Writes: true},
	{Program: "jlcompact", Args: "--extract --keep --to OUT FILE", Forms: []Form{Archive}, Writes: true},
}

// ReadsLog reports whether the command has a log as operand.
func (c Command) ReadsLog() bool { return strings.Contains(c.Args, "FILE") }

// Replaces reports whether the command makes another file of FILE, and removes FILE unless
// it is told to keep it.
func (c Command) Replaces() bool {
	return strings.Contains(c.Args, "--archive") || strings.Contains(c.Args, "--extract")
}

// ShowsFiles reports whether the command prints sizes and times of the log itself.
func (c Command) ShowsFiles() bool { return c.Args == "--home HOME FILE" }

// Cmd returns the command on a form of the session.
func (c Command) Cmd(t testing.TB, f *Fixture, form Form) *exec.Cmd {
	return c.Wrapped(t, f, form, nil)
}

// Wrapped returns the command, executed by a wrapper.
func (c Command) Wrapped(t testing.TB, f *Fixture, form Form, wrapper []string) *exec.Cmd {
	operand := formFile[form]
	if f.Operands != nil {
		operand = strings.Join(f.Operands, " ")
	} else if form == Pipe || form == Stdin {
		operand = ""
	}
	args := strings.Fields(strings.NewReplacer("FILE", operand, "PI", "pi.jsonl", "HOME", "home", "OUT", "out", "ID", SessionID, "LEAF", f.Leaf).Replace(c.Args))
	if c.Program == "jlcompact" && slices.Contains(args, "out") {
		require.NoError(t, os.MkdirAll(f.Path("out"), 0o755))
	}
	cmd := Wrapped(t, wrapper, c.Program, args...)
	cmd.Dir = f.Dir
	cmd.Env = append(cmd.Env, "TMPDIR="+f.Tmp)
	switch form {
	case Pipe:
		cmd.Stdin = strings.NewReader(f.Text) // os/exec copies it into a pipe
	case Stdin:
		log, err := os.Open(f.Path(Log))
		require.NoError(t, err)
		t.Cleanup(func() { log.Close() })
		cmd.Stdin = log
	}
	return cmd
}

// On returns the fixture that the command may run in: if it writes, a copy with what
// it needs.
func (c Command) On(t testing.TB, f *Fixture) *Fixture {
	if c.Writes {
		return f.Copy(t, "log", "packed", "archive", "home/file-history")
	}
	return f
}

// Run runs the command.
func (c Command) Run(t testing.TB, f *Fixture, form Form) Outcome {
	return c.Execute(t, f, c.Cmd(t, f, form))
}

// Execute runs cmd and adds to the outcome what the command wrote.
func (c Command) Execute(t testing.TB, f *Fixture, cmd *exec.Cmd) Outcome {
	got := Execute(t, cmd)
	got.Files = c.Written(t, f)
	return got
}

// Written lists the directories that the command writes to; "" if it writes none.
func (c Command) Written(t testing.TB, f *Fixture) string {
	switch {
	case !c.Writes:
		return ""
	case c.Replaces():
		return Listing(t, f.Path("out")) + Listing(t, filepath.Dir(f.File(c.Forms[0])))
	}
	return Listing(t, f.Path("out"))
}

// Each runs do in a parallel subtest for all commands, and for those forms of their
// input that choose returns. With -short it runs every tenth of these, but at least one, and other ones for another promise.
func (p *Promise) Each(choose func(Command) []Form, do func(p *Promise, c Command, form Form)) {
	var subtests []func()
	for _, c := range Commands {
		for _, form := range choose(c) {
			subtests = append(subtests, func() {
				p.Subtest(c.String()+"/"+string(form), func(p *Promise) { do(p, c, form) })
			})
		}
	}
	for i := len(p.Name()) % min(Each(10), len(subtests)); i < len(subtests); i += Each(10) {
		subtests[i]()
	}
}

// AllForms chooses every form.
func AllForms(c Command) []Form { return c.Forms }

// FirstForm chooses the typical form.
func FirstForm(c Command) []Form { return c.Forms[:1] }

// OnPipe chooses a pipe.
func OnPipe(c Command) []Form {
	if slices.Contains(c.Forms, Pipe) {
		return []Form{Pipe}
	}
	return nil
}

// Printing chooses as choose does, but only for commands that write no files.
func Printing(choose func(Command) []Form) func(Command) []Form {
	return func(c Command) []Form {
		if c.Writes {
			return nil
		}
		return choose(c)
	}
}

// Writing chooses the typical form of commands that write files.
func Writing(c Command) []Form {
	if c.Writes {
		return c.Forms[:1]
	}
	return nil
}
