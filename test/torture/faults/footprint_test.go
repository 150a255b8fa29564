package faults

import (
	"debug/elf"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/torture/harness"
)

// TestTouchesNothingElse traces all commands: they talk to no other process, and
// write only where they are told to.
func TestTouchesNothingElse(t *testing.T) {
	p := harness.Traced(t, "P28", "no network, no stray write, inputs as they were")
	p.Each(harness.AllForms, func(p *harness.Promise, c harness.Command, form harness.Form) {
		f := harness.Small(p)
		if c.Writes {
			f = f.Copy(p)
		}
		cmd := c.Cmd(p, f, form)
		allowed, inputs := []string{}, []string{"home", "log", "packed", "archive", "tmp"}
		if c.Writes {
			allowed = append(allowed, f.Path("out"))
		}
		if dir := filepath.Dir(f.File(form)); c.Replaces() && !strings.Contains(c.Args, "--keep") {
			allowed = append(allowed, dir)
			inputs = slices.DeleteFunc(inputs, func(name string) bool { return f.Path(name) == dir })
		}
		look := func() (all string) {
			for _, dir := range inputs {
				all += harness.Listing(p, f.Path(dir))
			}
			return all
		}
		before, stray, calls := look(), "", 0
		got := harness.Trace(p, cmd, func(call *harness.Call) {
			calls++
			if call.Stray(allowed...) {
				stray = call.String()
			}
		}, nil)
		require.Contains(p, []int{0, 1}, got.Status, got)
		require.Positive(p, calls)
		p.Check(stray, "%v on %v", c, form)
		p.Try(look() == before, "%v on %v changes its input", c, form)
	})
}

// TestSpoolIsUnlinked traces what the programs do with a long pipe: the temporary
// file loses its name before the first write.
func TestSpoolIsUnlinked(t *testing.T) {
	p := harness.Traced(t, "P28", "the temporary file has no name when it is written")
	for _, name := range []string{"jlrev", "jlleaf", "jlpath", "jlsnap", "jlcompact"} {
		f := *harness.Large(t)
		f.Tmp = harness.Dir(t)
		named, problem, writes := false, "", 0
		got := harness.Trace(t, harness.Command{Program: name, Args: "FILE"}.Cmd(t, &f, harness.Pipe), func(c *harness.Call) {
			if c.Stray(f.Tmp) {
				problem = c.String()
			}
			if c.Name == "write" && c.Below(f.Tmp) {
				writes++
				if named {
					problem = "written while it has a name"
				}
			}
		}, func(c *harness.Call) {
			named = c.Opens() || named && c.Name != "unlinkat"
		})
		require.Zero(t, got.Status, got)
		require.Positive(t, writes)
		p.Check(problem, "%s", name)
		left := harness.List(t, f.Tmp)
		p.Try(len(left) == 0, "%s leaves %v", name, left)
	}
}

// TestSameBuild builds the programs in two directories: they are static, and the
// bytes are the same.
func TestSameBuild(t *testing.T) {
	p := harness.Parallel(t, "P36", "the build is static and reproducible")
	there, bin := t.TempDir(), [2]string{t.TempDir(), t.TempDir()}
	require.NoError(t, os.CopyFS(there+"/cmd", os.DirFS(harness.Root+"/cmd")))
	require.NoError(t, os.CopyFS(there+"/internal", os.DirFS(harness.Root+"/internal")))
	harness.Write(t, there, map[string]string{"go.mod": harness.Read(t, harness.Root+"/go.mod"), "go.sum": harness.Read(t, harness.Root+"/go.sum")})
	programs, cache := harness.Names, "GOCACHE="+t.TempDir()
	if !harness.Long() {
		programs, cache = []string{"jlcompact"}, "GOFLAGS=" // it links the most
		p.Remark("linked twice; TORTURE=long compiles everything twice")
	}
	// As make build does; but a copy has no version control.
	flags := []string{"-trimpath", "-buildvcs=false", "-ldflags", "-s -w -X jl/internal/cli.commit=c0"}
	require.NoError(t, harness.Build(harness.Root, bin[0], []string{"CGO_ENABLED=0"}, programs, flags...))
	require.NoError(t, harness.Build(there, bin[1], []string{"CGO_ENABLED=0", cache}, programs, flags...))
	for _, name := range programs {
		here, there := filepath.Join(bin[0], name), filepath.Join(bin[1], name)
		p.Try(harness.Read(t, here) == harness.Read(t, there), "%s differs if it is built elsewhere", name)
		for _, path := range []string{here, there} {
			if f, err := elf.Open(path); runtime.GOOS == "linux" {
				require.NoError(t, err)
				defer f.Close()
				libraries, _ := f.ImportedLibraries()
				p.Try(f.Section(".interp") == nil && libraries == nil, "%s needs an interpreter, or %v", name, libraries)
			}
		}
	}
}
