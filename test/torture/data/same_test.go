package torture

import (
	"crypto/sha256"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSameAnswer: the same input gives the same bytes on both streams, the same
// status and the same files, whatever the machine and its user are like. That goes
// for archives, too.
func TestSameAnswer(t *testing.T) {
	p := promise(t, "P30", "the same input gives the same output, messages, status and files")
	w := middle(t)
	vary := [][]string{
		{"GOMAXPROCS=1", "TZ=UTC", "LC_ALL=C", "HOME=/nonexistent"},
		{"GOMAXPROCS=2", "TZ=Asia/Kathmandu", "LANG=tr_TR.UTF-8", "LC_ALL=tr_TR.UTF-8", "HOME=/", "TERM=xterm", "COLUMNS=20"},
		{"GOMAXPROCS=16", "TZ=America/St_Johns", "LANG=ja_JP.eucJP", "LC_ALL=ja_JP.eucJP", "HOME=" + w.home, "GOGC=5", "NO_COLOR=1", "TERM=dumb"},
	}
	for _, v := range invocations(t) {
		for _, k := range v.kinds[:often(1, len(v.kinds))] {
			first := v.run(t, v.on(t, w), k)
			for _, env := range vary {
				for range 5 {
					on := v.on(t, w)
					cmd := v.command(t, on, k)
					cmd.Env = append(cmd.Env, env...)
					got := execute(t, cmd)
					got.files = v.listing(t, on)
					p.try(got == first, "%v on %v with %v: %v, but %v", v, k, env, got, first)
				}
			}
		}
	}
	// What is said of a damaged log is the same, too.
	dir := space(t)
	files := dataWrite(t, dir, []string{wrecked(30, 40, 20).String(), wrecked(31, 40, 20).String(), dataSession()})
	for _, c := range dataCalls {
		args := append(c.args[:len(c.args):len(c.args)], files...)
		first := dataIn(t, dir, c.program, args...)
		for _, env := range vary {
			for range often(2, 10) {
				cmd := program(t, c.program, args...)
				cmd.Dir, cmd.Env = dir, append(cmd.Env, env...)
				got := execute(t, cmd)
				p.try(got == first, "%v of damaged logs with %v: %v, but %v", c, env, got, first)
			}
		}
	}
}

// racy is what a program says, built to look for them, when two of its goroutines use
// the same memory.
var racy = regexp.MustCompile(`WARNING: DATA RACE|race: `)

// TestNoRaces: no program, in any invocation, has two goroutines at the same memory.
func TestNoRaces(t *testing.T) {
	long(t) // the build takes a minute
	p := promise(t, "P31", "no data races, in any invocation")
	bin := t.TempDir()
	build := exec.Command("go", "build", "-race", "-o", bin+"/", "../../../cmd/...")
	build.Env = append(os.Environ(), "CGO_ENABLED=1")
	if out, err := build.CombinedOutput(); err != nil {
		p.skip("race detector: " + strings.ReplaceAll(string(out), "\n", " "))
	}
	w := middle(t)
	for _, v := range invocations(t) {
		for _, k := range v.kinds {
			plain := v.run(t, v.on(t, w), k)
			for _, procs := range []string{"1", "2", "16"} {
				on := v.on(t, w)
				cmd := v.command(t, on, k)
				cmd.Path = filepath.Join(bin, v.program)
				cmd.Env = append(cmd.Env, "GOMAXPROCS="+procs)
				got := execute(t, cmd)
				got.files = v.listing(t, on)
				p.try(!racy.MatchString(got.stderr) && got == plain, "%v on %v: %v", v, k, got)
			}
		}
	}
}

// TestSameBuild: the programs are static, and who builds them elsewhere gets the same
// bytes.
func TestSameBuild(t *testing.T) {
	p := promise(t, "P36", "the build is static and reproducible")
	here, err := filepath.Abs("../../..")
	require.NoError(t, err)
	there := t.TempDir()
	for _, part := range []string{"cmd", "internal"} {
		require.NoError(t, os.CopyFS(filepath.Join(there, part), os.DirFS(filepath.Join(here, part))))
	}
	for _, part := range []string{"go.mod", "go.sum"} {
		require.NoError(t, os.WriteFile(filepath.Join(there, part), []byte(dataFile(t, filepath.Join(here, part))), 0o644))
	}
	programs := names
	if !thorough() {
		programs = []string{"jlcompact"} // which has most in it
	}
	var sums [2]map[string][32]byte
	for i, dir := range []string{here, there} {
		bin := t.TempDir()
		// What make says; but a copy is no checkout, whose state would be in it.
		args := []string{"build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w -X jl/internal/cli.version=v0", "-o", bin + "/"}
		for _, name := range programs {
			args = append(args, "./cmd/"+name)
		}
		build := exec.Command("go", args...)
		build.Dir = dir
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if i == 1 && thorough() { // else what is compiled is taken from the cache, and only linked anew
			build.Env = append(build.Env, "GOCACHE="+t.TempDir())
		}
		out, err := build.CombinedOutput()
		require.NoError(t, err, string(out))
		sums[i] = map[string][32]byte{}
		for _, name := range programs {
			path := filepath.Join(bin, name)
			sums[i][name] = sha256.Sum256([]byte(dataFile(t, path)))
			if runtime.GOOS == "linux" {
				p.tryWell(dataDynamic(t, path), "%s", name)
			}
		}
	}
	for _, name := range programs {
		p.try(sums[0][name] == sums[1][name], "%s is another one if it is built elsewhere", name)
	}
	if !thorough() {
		p.figure("linked twice; TORTURE=long compiles everything twice")
	}
}

// dataDynamic says what a program needs to be started, "" if nothing.
func dataDynamic(t testing.TB, path string) string {
	t.Helper()
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
