package faults

import (
	"crypto/sha256"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
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
		allowed, inputs := []string{}, []string{"home", "packed", "archive", "tmp"}
		if c.Writes {
			allowed = append(allowed, f.Path("out"))
		}
		if strings.Contains(c.Args, "--archive FILE") {
			allowed = append(allowed, f.Path("log"))
		} else {
			inputs = append(inputs, "log")
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

// TestWithoutNetwork runs all commands in a network namespace of their own.
func TestWithoutNetwork(t *testing.T) {
	p := harness.Parallel(t, "P28", "all work without a network")
	if exec.Command("unshare", "-n", "true").Run() != nil {
		p.SkipWithout("unshare(1) that may")
	}
	small := harness.Small(t)
	for _, c := range harness.Commands {
		want := c.Run(t, c.On(t, small), c.Forms[0])
		f := c.On(t, small)
		got := c.Execute(t, f, c.Wrapped(t, f, c.Forms[0], []string{"unshare", "-n"}))
		p.Try(got == want, "%v: %v", c, got)
	}
}

// TestSameBuild builds the programs in two directories: they are static, and the
// bytes are the same.
func TestSameBuild(t *testing.T) {
	p := harness.Parallel(t, "P36", "the build is static and reproducible")
	there := t.TempDir()
	for _, part := range []string{"cmd", "internal"} {
		require.NoError(t, os.CopyFS(filepath.Join(there, part), os.DirFS(filepath.Join(harness.Root, part))))
	}
	harness.Write(t, there, map[string]string{
		"go.mod": harness.Read(t, harness.Root+"/go.mod"),
		"go.sum": harness.Read(t, harness.Root+"/go.sum"),
	})
	programs := harness.Names
	if !harness.Long() {
		programs = []string{"jlcompact"} // it links the most
		p.Remark("linked twice; TORTURE=long compiles everything twice")
	}
	var sums [2]map[string]string
	for i, dir := range []string{harness.Root, there} {
		bin := t.TempDir()
		// As make build does; but a copy has no version control.
		args := []string{"build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w -X jl/internal/cli.version=v0", "-o", bin + "/"}
		for _, name := range programs {
			args = append(args, "./cmd/"+name)
		}
		build := exec.Command("go", args...)
		build.Dir = dir
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if i == 1 && harness.Long() {
			build.Env = append(build.Env, "GOCACHE="+t.TempDir())
		}
		out, err := build.CombinedOutput()
		require.NoError(t, err, "%s", out)
		sums[i] = map[string]string{}
		for _, name := range programs {
			path := filepath.Join(bin, name)
			sums[i][name] = fmt.Sprintf("%x", sha256.Sum256([]byte(harness.Read(t, path))))
			if runtime.GOOS == "linux" {
				p.Check(dynamic(t, path), "%s", name)
			}
		}
	}
	for _, name := range programs {
		p.Try(sums[0][name] == sums[1][name], "%s differs if it is built elsewhere", name)
	}
}

// dynamic says what a program needs to start, "" if nothing.
func dynamic(t testing.TB, path string) string {
	f, err := elf.Open(path)
	require.NoError(t, err)
	defer f.Close()
	for _, prog := range f.Progs {
		if prog.Type == elf.PT_INTERP {
			return "it needs an interpreter"
		}
	}
	if libraries, err := f.ImportedLibraries(); err == nil && len(libraries) > 0 {
		return fmt.Sprintf("it needs %q", libraries)
	}
	return ""
}
