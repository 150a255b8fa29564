// Package manual makes the manual page and the completions of a program: the page from the doc comment of its main.go,
// its options, with the comments that these have there, and the records that it prints; the completions from its options.
// Only tests import it.
package manual

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
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
	options := optionsOf(p.Flags)
	page, err := page(p, options, "main.go", "../../internal/record")
	require.NoError(t, err)
	for name, want := range map[string]string{
		"doc/man/" + p.Name + ".1":                            page,
		"share/bash-completion/completions/" + p.Name:         bash(p.Name, options),
		"share/zsh/site-functions/_" + p.Name:                 zsh(p.Name, options),
		"share/fish/vendor_completions.d/" + p.Name + ".fish": fish(p.Name, options),
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
