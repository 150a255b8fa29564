// Package manual makes the manual page and the completions of a program: the page from the
// doc comment of its main.go, its options and the records that it prints, the completions
// from its options. Only tests import it.
package manual

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"

	"jl/internal/cli"
)

var update = flag.Bool("update", false, "write the manual page and the completions")

// A Program is a program that has a manual page.
type Program struct {
	Name  string
	About string // what it does, as its help says
	Flags any    // a pointer to its options and operands, a struct with kong's tags
}

// Test wants the page and the completions of p in the repository to be those that p has now.
// With -update it writes them. It runs in the directory of the program.
func Test(t *testing.T, p Program) {
	model := cli.Model(p.Flags)
	page, err := page(p, model, "main.go", "../../internal/record")
	require.NoError(t, err)
	for name, want := range map[string]string{
		"doc/man/" + p.Name + ".1":                            page,
		"share/bash-completion/completions/" + p.Name:         bash(p.Name, model),
		"share/zsh/site-functions/_" + p.Name:                 zsh(p.Name, model),
		"share/fish/vendor_completions.d/" + p.Name + ".fish": fish(p.Name, model),
	} {
		file := filepath.Join("../..", name)
		if *update {
			require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
			require.NoError(t, os.WriteFile(file, []byte(want), 0o644))
		}
		got, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, want, string(got), "%s is old: run make docs", name)
	}
}

// names returns the names of an option with their dashes, the short one first.
func names(f *kong.Flag) []string {
	if f.Short == 0 {
		return []string{"--" + f.Name}
	}
	return []string{"-" + string(f.Short), "--" + f.Name}
}

// takesValue reports whether an option takes a value.
func takesValue(f *kong.Flag) bool { return !f.IsBool() && !f.IsCounter() }
