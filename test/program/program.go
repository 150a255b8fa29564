// Package program tests what all programs are tested for: their scripts, manual pages and
// completions. Only tests import it.
package program

import (
	"strings"
	"testing"

	"jl/internal/cli"
	"jl/test/manual"
	"jl/test/scripttest"
)

var name string

// Main is the TestMain of the program with that name. It does not return.
func Main(m *testing.M, program string, main func()) {
	name = program
	scripttest.Main(m, program, main)
}

// Test runs the scripts in testdata/script, each after setup unless that is nil, and compares
// the manual page and the completions with those in the repository. About and flags are what
// the program gives to cli.Main.
func Test(t *testing.T, about string, flags any, setup func(*scripttest.Env) error) {
	t.Run("scripts", func(t *testing.T) { scripttest.Run(t, "testdata/script", setup) })
	t.Run("manual", func(t *testing.T) { manual.Test(t, manual.Program{Name: name, About: about, Flags: flags}) })
}

// Run runs the program in the process of the test, and returns what it writes and its exit status. About and run are
// what the program gives to cli.Main.
func Run[Flags any](about string, run func(*cli.Command, *Flags), stdin string, args ...string) (stdout, stderr string, status int) {
	var out, errs strings.Builder
	status = cli.Run(name, about, args, cli.Stdio{In: strings.NewReader(stdin), Out: &out, Err: &errs}, run)
	return out.String(), errs.String(), status
}
