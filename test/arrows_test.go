// Package test holds what is true of the suite as a whole.
package test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A pkg is what go list says of a package.
type pkg struct {
	ImportPath                         string
	Imports, TestImports, XTestImports []string
	Module                             *module
}

type module struct {
	Path string
	Main bool
}

func (p pkg) ours() bool { return p.Module != nil && p.Module.Main }

// mayImport lists, for each of our packages under internal, which of ours it may
// import: the arrows of CONTRIBUTING.md.
var mayImport = map[string][]string{
	"jl/internal/entry":   nil,
	"jl/internal/line":    nil,
	"jl/internal/cli":     nil,
	"jl/internal/shape":   {"jl/internal/entry"},
	"jl/internal/record":  {"jl/internal/entry"},
	"jl/internal/tree":    {"jl/internal/entry", "jl/internal/shape"},
	"jl/internal/source":  {"jl/internal/line"},
	"jl/internal/session": {"jl/internal/entry", "jl/internal/line"},
	"jl/internal/operand": {"jl/internal/cli", "jl/internal/entry", "jl/internal/line", "jl/internal/source", "jl/internal/tree"},
}

// testOnly are the modules that no program may contain.
var testOnly = []string{"github.com/stretchr/testify", "github.com/rogpeppe/go-internal"}

// brokenArrows returns the imports among pkgs that CONTRIBUTING.md rules out,
// sorted.
func brokenArrows(pkgs []pkg) []string {
	module := map[string]string{} // of each package that is not ours
	for _, p := range pkgs {
		if p.Module != nil && !p.Module.Main {
			module[p.ImportPath] = p.Module.Path
		}
	}
	var broken []string
	importers := map[string]map[string]bool{} // of each module
	for _, p := range pkgs {
		if !p.ours() {
			continue
		}
		for _, path := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			if strings.HasPrefix(path, "jl/cmd/") && path != p.ImportPath {
				broken = append(broken, fmt.Sprintf("%s imports a command, %s", p.ImportPath, path))
			}
		}
		allowed, bottom := mayImport[p.ImportPath]
		for _, path := range p.Imports {
			switch m := module[path]; {
			case slices.Contains(testOnly, m):
				broken = append(broken, fmt.Sprintf("%s imports %s outside of a test", p.ImportPath, path))
			case m != "":
				if importers[m] == nil {
					importers[m] = map[string]bool{}
				}
				importers[m][p.ImportPath] = true
			case !strings.HasPrefix(path, "jl/internal/"):
			case bottom && !slices.Contains(allowed, path):
				broken = append(broken, fmt.Sprintf("%s imports %s", p.ImportPath, path))
			case path == "jl/internal/cli" && !bottom && !strings.HasPrefix(p.ImportPath, "jl/cmd/"):
				broken = append(broken, fmt.Sprintf("%s imports %s and is not a command", p.ImportPath, path))
			}
		}
	}
	for m, by := range importers {
		if len(by) > 1 {
			broken = append(broken, fmt.Sprintf("%s is imported by %s", m, strings.Join(slices.Sorted(maps.Keys(by)), " and ")))
		}
	}
	slices.Sort(broken)
	return broken
}

func TestArrows(t *testing.T) {
	// The go command does not see what go list reads. It sees this, and so does
	// not take the result of an earlier run.
	for _, dir := range []string{"../cmd", "../internal"} {
		require.NoError(t, filepath.WalkDir(dir, func(string, fs.DirEntry, error) error { return nil }))
	}

	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Imports,TestImports,XTestImports,Module", "./...")
	cmd.Dir = ".."
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, stderr.String())

	var pkgs []pkg
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		pkgs = append(pkgs, p)
	}
	require.True(t, slices.ContainsFunc(pkgs, func(p pkg) bool { return p.ours() && p.ImportPath == "jl/internal/cli" }))
	require.True(t, slices.ContainsFunc(pkgs, func(p pkg) bool { return !p.ours() && p.ImportPath == "github.com/alecthomas/kong" }))
	require.Empty(t, brokenArrows(pkgs))
}

// TestBrokenArrows adds one import to a suite that is in order.
func TestBrokenArrows(t *testing.T) {
	tests := []struct{ name, from, to, want string }{
		{"in order", "jl/cmd/a", "jl/internal/line", ""},
		{"bottom imports a neighbour", "jl/internal/entry", "jl/internal/line", "jl/internal/entry imports jl/internal/line"},
		{"bottom imports what is above", "jl/internal/line", "jl/internal/source", "jl/internal/line imports jl/internal/source"},
		{"tree knows no bytes", "jl/internal/tree", "jl/internal/source", "jl/internal/tree imports jl/internal/source"},
		{"source knows no entries", "jl/internal/source", "jl/internal/entry", "jl/internal/source imports jl/internal/entry"},
		{"cli knows no one", "jl/internal/cli", "jl/internal/line", "jl/internal/cli imports jl/internal/line"},
		{"only commands talk", "jl/internal/newcomer", "jl/internal/cli", "jl/internal/newcomer imports jl/internal/cli and is not a command"},
		{"command imported by a command", "jl/cmd/a", "jl/cmd/b", "jl/cmd/a imports a command, jl/cmd/b"},
		{"command imported from below", "jl/internal/tree", "jl/cmd/a", "jl/internal/tree imports a command, jl/cmd/a"},
		{"second importer of a module", "jl/internal/session", "example.org/zip/gz", "example.org/zip is imported by jl/internal/session and jl/internal/source"},
		{"test library in a program", "jl/internal/cli", "github.com/stretchr/testify/require", "jl/internal/cli imports github.com/stretchr/testify/require outside of a test"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			imports := map[string][]string{
				"jl/cmd/a":                            {"fmt", "jl/internal/cli", "jl/internal/session", "jl/internal/source", "jl/internal/tree"},
				"jl/cmd/b":                            {"jl/internal/cli"},
				"jl/internal/cli":                     nil,
				"jl/internal/entry":                   nil,
				"jl/internal/line":                    nil,
				"jl/internal/session":                 {"jl/internal/line"},
				"jl/internal/source":                  {"jl/internal/line", "example.org/zip", "example.org/zip/gz"},
				"jl/internal/tree":                    {"jl/internal/entry"},
				"example.org/zip":                     {"example.org/zip/gz"},
				"example.org/zip/gz":                  nil,
				"github.com/stretchr/testify/require": nil,
			}
			imports[test.from] = append(imports[test.from], test.to)
			var pkgs []pkg
			for path, list := range imports {
				m := &module{Path: "jl", Main: true}
				for _, other := range []string{"example.org/zip", "github.com/stretchr/testify"} {
					if strings.HasPrefix(path, other) {
						m = &module{Path: other}
					}
				}
				pkgs = append(pkgs, pkg{ImportPath: path, Imports: list, Module: m})
			}
			require.Equal(t, test.want, strings.Join(brokenArrows(pkgs), "\n"))
		})
	}
}
