package torture

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// changing are the calls that change the file system.
var changing = []string{"mkdirat", "mkdir", "mknodat", "symlinkat", "linkat", "renameat", "renameat2", "rename", "unlinkat", "unlink", "rmdir", "creat",
	"truncate", "ftruncate", "chmod", "fchmod", "fchmodat", "fchmodat2", "fchown", "fchownat", "utimensat"}

// leaving are the calls by which a program talks to others.
var leaving = []string{"socket", "socketpair", "connect", "bind", "sendto", "sendmsg", "execve", "fork", "vfork"}

// stray says what is wrong with a call that is not among what a program may do:
// change things below some directories.
func stray(c *call, allowed ...string) string {
	switch {
	case slices.Contains(leaving, c.name):
		return c.String()
	case !slices.Contains(changing, c.name) && !c.writing():
		return ""
	case slices.ContainsFunc(allowed, func(dir string) bool {
		return (c.path == dir || strings.HasPrefix(c.path, dir+"/")) && (c.to == "" || strings.HasPrefix(c.to, dir+"/"))
	}):
		return ""
	}
	return c.String()
}

// stamps returns a line for each file below a directory with what a change would
// change, the time of the last reading aside.
func stamps(t testing.TB, dir string, but ...string) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if slices.Contains(but, path) {
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		info, err := e.Info()
		if err == nil {
			fmt.Fprintln(&b, path, info.Mode(), info.Size(), info.ModTime().UnixNano())
		}
		return err
	}))
	return b.String()
}

// TestTouchesNothingElse traces all programs: they speak to no one, and write to
// nothing but what they are told to.
func TestTouchesNothingElse(t *testing.T) {
	t.Parallel()
	p := promise(t, "P28", "no network, no stray write, inputs as they were")
	p.needTrace()
	each(p, allKinds, func(p *promised, v invocation, k kind) {
		w := v.on(p.t, small(p.t))
		cmd := v.command(p.t, w, k)
		allowed, but := []string{}, []string{}
		if v.writes {
			allowed = append(allowed, w.out)
			but = append(but, w.dir, w.out) // the directory itself, for what is new in it
		}
		if strings.Contains(v.args, "--archive FILE") {
			allowed = append(allowed, filepath.Dir(w.forms[plain]))
			but = append(but, filepath.Dir(w.forms[plain]))
		}
		inputs := []string{w.home, filepath.Dir(w.forms[plain]), filepath.Dir(w.forms[gz]), filepath.Dir(w.forms[archive]), w.tmp}
		look := func() string {
			s := ""
			for _, dir := range inputs {
				s += stamps(p.t, dir, but...)
			}
			return s
		}
		before, wrong, calls := look(), "", 0
		got := runTraced(p.t, cmd, func(c *call) {
			if !c.made {
				calls++
				if s := stray(c, allowed...); s != "" {
					wrong = s
				}
			}
		})
		require.Contains(p.t, []int{0, 1}, got.status, got)
		require.Positive(p.t, calls)
		p.tryWell(wrong, "%v on %v", v, k)
		p.try(look() == before, "%v on %v changes its input", v, k)
	})
}

// TestSpoolIsUnlinked: what cannot seek and is large goes through a file that has
// no name before anything is written into it.
func TestSpoolIsUnlinked(t *testing.T) {
	t.Parallel()
	p := promise(t, "P28", "the temporary file has no name when it is written")
	p.needTrace()
	for _, name := range []string{"jlrev", "jlleaf", "jlpath", "jlsnap", "jlcompact"} {
		own := *large(t)
		w := &own
		w.tmp = space(t)
		named, wrong, spooled := false, "", 0
		got := runTraced(t, invocation{program: name, args: "FILE"}.command(t, w, pipe), func(c *call) {
			switch {
			case !c.made && stray(c, w.tmp) != "":
				wrong = c.String()
			case c.made && c.writing():
				named = true
			case c.made && c.name == "unlinkat":
				named = false
			case !c.made && c.name == "write" && strings.HasPrefix(c.path, w.tmp):
				spooled++
				if named {
					wrong = "written while it has a name"
				}
			}
		})
		require.Zero(t, got.status, got)
		require.Positive(t, spooled)
		p.tryWell(wrong, "%s", name)
		p.try(len(list(t, w.tmp)) == 0, "%s leaves %v", name, list(t, w.tmp))
	}
}

// TestStrayIsSeen: the checks see what they are for.
func TestStrayIsSeen(t *testing.T) {
	for _, c := range []*call{
		{name: "connect"},
		{name: "unlinkat", path: "/w/log/s.jsonl"},
		{name: "linkat", path: "/w/out/a", to: "/w/b"},
		{name: "openat", path: "/w/out2", args: [6]uint64{2: syscall.O_RDWR}},
		{name: "openat", path: "/etc/x", args: [6]uint64{2: syscall.O_CREAT}},
	} {
		require.NotEmpty(t, stray(c, "/w/out"), "%v", c)
	}
	require.Empty(t, stray(&call{name: "openat", path: "/etc/x"}, "/w/out"))
	require.Empty(t, stray(&call{name: "linkat", path: "/w/out/a", to: "/w/out/b"}, "/w/out"))
	dir := t.TempDir()
	was := stamps(t, dir)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a"), nil, 0o600))
	require.NotEqual(t, was, stamps(t, dir))
}

// TestWithoutNetwork runs all programs where there is none.
func TestWithoutNetwork(t *testing.T) {
	t.Parallel()
	p := promise(t, "P28", "all work without a network")
	if exec.Command("unshare", "-n", "true").Run() != nil {
		p.skip("unshare(1) that may")
	}
	w := small(t)
	for _, v := range invocations(t) {
		want := v.run(t, v.on(t, w), v.kinds[0])
		w := v.on(t, w)
		got := execute(t, v.wrapped(t, w, v.kinds[0], []string{"unshare", "-n"}))
		got.files = v.listing(t, w)
		p.try(got == want, "%v: %v", v, got)
	}
}
