package faults

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/torture/harness"
)

// TestInputIsOutput: whatever command reads a log that is its output, too, changes no byte of it.
func TestInputIsOutput(t *testing.T) {
	p := harness.Parallel(t, "P28", "a log that is read is not written, whatever the name of the output")
	forms := func(c harness.Command) (some []harness.Form) {
		for _, form := range c.Forms {
			if form != harness.Pipe && !c.Replaces() && !strings.Contains(c.Args, "--orphans") { // which reads no log
				some = append(some, form)
			}
		}
		return some
	}
	logOf := func(f *harness.Fixture, c harness.Command, form harness.Form) string {
		switch {
		case form != harness.Home:
			return f.File(form)
		case c.Program == "jlrel":
			return f.Path("home", "projects", "-home-ada-orrery", harness.SessionID+".jsonl")
		}
		return f.Path("pi.jsonl")
	}
	p.Each(forms, func(p *harness.Promise, c harness.Command, form harness.Form) {
		// Messages about a damaged log do not go into it either.
		f := harness.Small(p).Copy(p)
		file := logOf(f, c, form)
		out, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND, 0)
		require.NoError(p, err)
		_, err = out.WriteString("{\"torn\n{}\n")
		require.NoError(p, err)
		want := harness.Read(p, file)
		cmd := c.Cmd(p, f, form)
		cmd.Stderr = out
		err = cmd.Run()
		out.Close()
		p.Try(harness.Read(p, file) == want, "%v on %v 2>>: %v", c, form, err)

		for _, way := range []struct {
			name string
			flag int
			link bool
		}{{">>", os.O_WRONLY | os.O_APPEND, false}, {"1<>", os.O_RDWR, false}, {">> hard link", os.O_WRONLY | os.O_APPEND, true}} {
			for _, twice := range []bool{false, true} {
				f := harness.Small(p).Copy(p)
				file := logOf(f, c, form)
				want := harness.Read(p, file)
				cmd := c.Cmd(p, f, form)
				if twice { // the FILE that is the output is not the first
					if !strings.Contains(c.Args, "FILE") || form == harness.Stdin || c.Writes {
						continue
					}
					harness.Write(p, f.Dir, map[string]string{"other.jsonl": f.Text})
					last := len(cmd.Args) - 1
					cmd.Args = append(cmd.Args[:last:last], "other.jsonl", cmd.Args[last])
				}
				name := file
				if way.link {
					name = f.Path("link")
					require.NoError(p, os.Link(file, name))
				}
				out, err := os.OpenFile(name, way.flag, 0)
				require.NoError(p, err)
				cmd.Stdout = out
				var messages strings.Builder
				cmd.Stderr = &messages
				err = cmd.Run()
				out.Close()
				failed := new(exec.ExitError)
				require.ErrorAs(p, err, &failed, "%v on %v %s: %s", c, form, way.name, &messages)
				p.Try(harness.Read(p, file) == want && failed.ExitCode() == 2 && strings.Contains(messages.String(), ": the input is also the output\n"),
					"%v on %v %s: %v %s", c, form, way.name, err, &messages)
			}
		}
	})
}
