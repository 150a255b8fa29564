// Package test tests what all programs have in common: the contract, the documents and the
// arrows between packages.
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
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	_ "jl/test/env"
)

// A pkg is what go list prints about a package.
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

// mayImport lists, for each package under internal, the packages under internal that it
// may import: the arrows of CONTRIBUTING.md. A command may import all of them.
var mayImport = map[string][]string{
	"archive":     {"atomicfile", "frames", "source"},
	"atomicfile":  nil,
	"check":       {"dialect", "entry", "forest", "line", "log", "record", "says", "shape"},
	"checksum":    nil,
	"cli":         {"nonblock"},
	"cut":         {"dialect", "entry", "forest", "line", "log", "shape"},
	"dialect":     {"entry", "line"},
	"drawing":     nil,
	"entry":       {"line"},
	"filehistory": {"entry", "log", "shape"},
	"forest":      nil,
	"frames":      {"checksum", "tempfile"},
	"graft":       {"entry", "forest", "log"},
	"hashset":     nil,
	"line":        nil,
	"log":         {"dialect", "entry", "forest", "line", "numbers", "rule", "shape"},
	"nonblock":    nil,
	"numbers":     nil,
	"operand":     {"cli", "dialect", "entry", "forest", "line", "log", "says", "session", "source"},
	"reader":      {"entry", "forest", "log", "shape"},
	"record":      {"entry"},
	"relation":    {"entry", "shape"},
	"rule":        {"forest", "numbers"},
	"said":        {"checksum", "dialect", "entry", "says", "shape"},
	"says":        {"dialect", "entry", "shape"},
	"session":     {"dialect", "entry", "hashset", "line", "record", "relation", "says", "shape", "source"},
	"shape":       {"entry"},
	"source":      {"frames", "line", "nonblock", "tempfile"},
	"tempfile":    nil,
}

// testOnly are the modules that no program may contain.
var testOnly = []string{"github.com/rogpeppe/go-internal", "github.com/stretchr/testify"}

// isTest reports whether a package of ours exists for tests alone. What it imports counts
// as imported by a test.
func isTest(path string) bool { return path == "jl/test" || strings.HasPrefix(path, "jl/test/") }

// brokenArrows returns the imports among pkgs that CONTRIBUTING.md rules out, sorted.
// Direct are the modules that go.mod requires for packages of ours.
func brokenArrows(pkgs []pkg, direct []string) []string {
	var broken []string
	report := func(format string, args ...any) { broken = append(broken, fmt.Sprintf(format, args...)) }
	moduleOf := map[string]string{} // by package that is not ours
	for _, p := range pkgs {
		if p.Module != nil && !p.Module.Main {
			moduleOf[p.ImportPath] = p.Module.Path
		}
	}
	importers := map[string]map[string]bool{} // by module
	for _, p := range pkgs {
		if !p.ours() {
			continue
		}
		for _, path := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			if strings.HasPrefix(path, "jl/cmd/") && path != p.ImportPath {
				report("%s imports a command, %s", p.ImportPath, path)
			}
		}
		if isTest(p.ImportPath) {
			continue
		}
		name, internal := strings.CutPrefix(p.ImportPath, "jl/internal/")
		allowed, listed := mayImport[name]
		if internal && !listed {
			report("%s is not in the table of arrows", p.ImportPath)
		}
		for _, path := range p.Imports {
			to, ours := strings.CutPrefix(path, "jl/internal/")
			m, foreign := moduleOf[path]
			switch {
			case isTest(path), slices.Contains(testOnly, m):
				report("%s imports %s outside of a test", p.ImportPath, path)
			case foreign:
				if importers[m] == nil {
					importers[m] = map[string]bool{}
				}
				importers[m][p.ImportPath] = true
			case ours && listed && !slices.Contains(allowed, to):
				report("%s imports %s", p.ImportPath, path)
			}
		}
	}
	for _, m := range direct {
		by := slices.Sorted(maps.Keys(importers[m]))
		switch {
		case slices.Contains(testOnly, m):
		case len(by) == 0:
			report("%s is imported by no program", m)
		case len(by) > 1:
			report("%s is imported by %s", m, strings.Join(by, " and "))
		}
	}
	slices.Sort(broken)
	return broken
}

// goCommand runs the go command at the root of the repository and returns its output.
func goCommand(t *testing.T, args ...string) []byte {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = ".."
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, stderr.String())
	return out
}

func TestArrows(t *testing.T) {
	// The go command caches a result together with the files that the test itself reads,
	// so the test reads the directories that go list reads.
	for _, dir := range []string{"../cmd", "../internal", "../test"} {
		require.NoError(t, filepath.WalkDir(dir, func(string, fs.DirEntry, error) error { return nil }))
	}

	var pkgs []pkg
	out := goCommand(t, "list", "-deps", "-json=ImportPath,Imports,TestImports,XTestImports,Module", "./...")
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

	var mod struct {
		Require []struct {
			Path     string
			Indirect bool
		}
	}
	require.NoError(t, json.Unmarshal(goCommand(t, "mod", "edit", "-json"), &mod))
	var direct []string
	for _, m := range mod.Require {
		if !m.Indirect {
			direct = append(direct, m.Path)
		}
	}
	require.Contains(t, direct, "github.com/alecthomas/kong")
	require.Subset(t, direct, testOnly)
	require.Empty(t, brokenArrows(pkgs, direct))
}

// TestBrokenArrows adds one import to a suite without broken arrows.
func TestBrokenArrows(t *testing.T) {
	const (
		testify = "github.com/stretchr/testify"
		harness = "jl/test/scripttest"
	)
	tests := []struct{ name, from, to, want string }{
		{"allowed", "jl/cmd/a", "jl/internal/line", ""},
		{"bottom to bottom", "jl/internal/line", "jl/internal/forest", "jl/internal/line imports jl/internal/forest"},
		{"bottom upwards", "jl/internal/line", "jl/internal/source", "jl/internal/line imports jl/internal/source"},
		{"log to source", "jl/internal/log", "jl/internal/source", "jl/internal/log imports jl/internal/source"},
		{"source to entry", "jl/internal/source", "jl/internal/entry", "jl/internal/source imports jl/internal/entry"},
		{"cli to line", "jl/internal/cli", "jl/internal/line", "jl/internal/cli imports jl/internal/line"},
		{"package without arrows", "jl/internal/newcomer", "fmt", "jl/internal/newcomer is not in the table of arrows"},
		{"command to command", "jl/cmd/a", "jl/cmd/b", "jl/cmd/a imports a command, jl/cmd/b"},
		{"internal to command", "jl/internal/log", "jl/cmd/a", "jl/internal/log imports a command, jl/cmd/a"},
		{"test to command", harness, "jl/cmd/a", "jl/test/scripttest imports a command, jl/cmd/a"},
		{"second importer of a module", "jl/internal/session", "example.org/zip/gz", "example.org/zip is imported by jl/internal/session and jl/internal/source"},
		{"test as an importer of a module", harness, "example.org/zip/gz", ""},
		{"module without importer", "", "", "example.org/flags is imported by no program"},
		{"test module in a test", harness, testify + "/require", ""},
		{"test module in a program", "jl/internal/cli", testify + "/require", "jl/internal/cli imports github.com/stretchr/testify/require outside of a test"},
		{"test package in a program", "jl/cmd/a", harness, "jl/cmd/a imports jl/test/scripttest outside of a test"},
		{"test package in a package", "jl/internal/cli", "jl/test", "jl/internal/cli imports jl/test outside of a test"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			imports := map[string][]string{
				"jl/cmd/a":            {"fmt", "jl/internal/cli", "jl/internal/session", "jl/internal/source", "jl/internal/log"},
				"jl/cmd/b":            {"jl/internal/cli"},
				"jl/internal/cli":     {"example.org/flags"},
				"jl/internal/entry":   nil,
				"jl/internal/line":    nil,
				"jl/internal/session": {"jl/internal/line"},
				"jl/internal/source":  {"jl/internal/line", "example.org/zip", "example.org/zip/gz"},
				"jl/internal/log":     {"jl/internal/entry"},
				"jl/test":             nil,
				harness:               nil,
				"example.org/flags":   nil,
				"example.org/zip":     {"example.org/zip/gz"},
				"example.org/zip/gz":  nil,
				testify + "/require":  nil,
			}
			if test.from == "" {
				imports["jl/internal/cli"] = nil
			} else {
				imports[test.from] = append(imports[test.from], test.to)
			}
			direct := []string{"example.org/flags", "example.org/zip", testify}
			var pkgs []pkg
			for path, list := range imports {
				m := &module{Path: "jl", Main: true}
				for _, other := range direct {
					if strings.HasPrefix(path, other) {
						m = &module{Path: other}
					}
				}
				pkgs = append(pkgs, pkg{ImportPath: path, Imports: list, Module: m})
			}
			require.Equal(t, test.want, strings.Join(brokenArrows(pkgs, direct), "\n"))
		})
	}
}

// TestEnvironment wants the tests of each package that runs commands to have the environment of package env.
func TestEnvironment(t *testing.T) {
	commands := regexp.MustCompile(`\bexec\.Command|\bos\.Environ\b|\bos\.StartProcess\b`)
	clean := regexp.MustCompile(`"jl/test/(env|scripttest|program|torture/harness)"`)
	ask, have := map[string]bool{}, map[string]bool{}
	for _, dir := range []string{"../cmd", "../internal", "."} {
		require.NoError(t, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			if strings.HasSuffix(path, ".go") && (strings.HasSuffix(path, "_test.go") || dir == ".") {
				text := read(t, path)
				ask[filepath.Dir(path)] = ask[filepath.Dir(path)] || commands.MatchString(text)
				have[filepath.Dir(path)] = have[filepath.Dir(path)] || clean.MatchString(text)
			}
			return err
		}))
	}
	// Itself; a process in the place of this one; a program; agents of others, which make programs runs.
	ask["env"], ask["calls"], ask["same"], ask["programs"] = false, false, false, false
	asking := 0
	for dir, runs := range ask {
		if runs {
			asking++
			require.True(t, have[dir], "the tests of %s run commands and do not import jl/test/env", dir)
		}
	}
	require.Greater(t, asking, 10)
}
