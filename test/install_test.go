package test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/env"
)

// makes runs make at the root of the repository, with a PATH that has no Go.
func makes(t *testing.T, args ...string) (status int, out string) {
	t.Helper()
	needed := []string{"make", "sh", "install", "rm", "rmdir", "ln", "uname", "sed", "cat"}
	env.Needs(t, needed...)
	tools := env.Folder(t, append(needed, "git"))
	cmd := exec.Command(filepath.Join(tools, "make"), append([]string{"-s", "-C", ".."}, args...)...)
	cmd.Env = append(os.Environ(), "PATH="+tools)
	return exitStatus(t, cmd)
}

// installed returns the files below a directory.
func installed(t *testing.T, dir string) []string {
	t.Helper()
	var files []string
	require.NoError(t, filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, strings.TrimPrefix(name, dir))
		}
		return err
	}))
	return files
}

// TestInstall installs what is built without Go, in a folder with a space in its name, and removes it with all folders.
// Nothing else is written.
func TestInstall(t *testing.T) {
	bin, root := built(t), filepath.Join(t.TempDir(), "a root")
	before, err := filepath.Glob("../*")
	require.NoError(t, err)
	const prefix = "/opt/my place"
	args := []string{"BUILT=" + bin, "DESTDIR=" + root, "PREFIX=" + prefix}
	status, out := makes(t, append(args, "install")...)
	require.Zero(t, status, out)
	files := installed(t, root)
	for _, name := range []string{
		"/bin/jlpath", "/share/man/man1/jlpath.1", "/share/man/man7/jl.7", "/share/man/man7/jl.jq.7", "/share/jl/jl.jq", "/share/jl/page.jq",
		"/share/bash-completion/completions/jlpath", "/share/zsh/site-functions/_jlpath",
		"/share/fish/vendor_completions.d/jlpath.fish", "/share/skills/jl/SKILL.md", "/share/doc/jl/doc/cookbook.md", "/share/doc/jl/examples/fleet/task.sh",
	} {
		require.Contains(t, files, prefix+name)
	}
	require.NoError(t, exec.Command(root+prefix+"/bin/jlpath", "--version").Run())
	places := map[string]string{} // by what a file holds
	for _, name := range files {
		require.True(t, strings.HasPrefix(name, prefix+"/"), name)
		text := read(t, root+name)
		require.Empty(t, places[text], "%s holds the same", name)
		places[text] = name
	}

	status, out = makes(t, append(args, "uninstall")...)
	require.Zero(t, status, out)
	left, err := filepath.Glob(root + "/*/*")
	require.NoError(t, err)
	require.Empty(t, left)
	after, err := filepath.Glob("../*")
	require.NoError(t, err)
	require.Equal(t, before, after)
}

// TestInstallBelowUsrLocal: fish finds its completions, and the folders of the system stay.
func TestInstallBelowUsrLocal(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("fish has other folders on other systems")
	}
	root := t.TempDir()
	args := []string{"BUILT=" + built(t), "DESTDIR=" + root}
	status, out := makes(t, append(args, "install")...)
	require.Zero(t, status, out)
	link, err := os.Readlink(root + "/etc/fish/completions/jlpath.fish")
	require.NoError(t, err)
	require.Equal(t, "/usr/local/share/fish/vendor_completions.d/jlpath.fish", link)
	require.FileExists(t, root+link)
	status, out = makes(t, append(args, "uninstall")...)
	require.Zero(t, status, out)
	left, err := filepath.Glob(root + "/*/*/*/*")
	require.NoError(t, err)
	require.Equal(t, []string{root + "/usr/local/share/man"}, left)
	require.NoDirExists(t, root+"/etc")
}

// TestInstallNeedsABuild wants a message, and nothing installed, if nothing is built.
func TestInstallNeedsABuild(t *testing.T) {
	root := t.TempDir()
	status, out := makes(t, "BUILT=bin/nothing", "DESTDIR="+root, "install")
	require.Equal(t, 2, status)
	require.Contains(t, out, "bin/nothing/jlcompact is missing: run make first\n")
	require.Empty(t, installed(t, root))
}
