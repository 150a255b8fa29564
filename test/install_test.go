package test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/env"
)

// makes runs make at the root of the repository, with a PATH that has no Go.
func makes(t *testing.T, args ...string) (status int, out string) {
	t.Helper()
	env.Needs(t, "make", "install")
	tools := t.TempDir()
	for _, tool := range []string{"make", "sh", "install", "rm", "git", "sed"} {
		if path, err := exec.LookPath(tool); err == nil {
			require.NoError(t, os.Symlink(path, filepath.Join(tools, tool)))
		}
	}
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

// TestInstall installs what is built without Go, and removes it.
func TestInstall(t *testing.T) {
	bin, root := built(t), t.TempDir()
	args := []string{"BUILT=" + bin, "DESTDIR=" + root, "PREFIX=/opt"}
	status, out := makes(t, append(args, "install")...)
	require.Zero(t, status, out)
	files := installed(t, root)
	for _, name := range []string{
		"/opt/bin/jlpath", "/opt/share/man/man1/jlpath.1", "/opt/share/man/man7/jl.7", "/opt/share/man/man7/jl.jq.7", "/opt/share/jl/jl.jq", "/opt/share/jl/page.jq",
		"/opt/share/bash-completion/completions/jlpath", "/opt/share/zsh/site-functions/_jlpath",
		"/opt/share/fish/vendor_completions.d/jlpath.fish", "/opt/share/skills/jl/SKILL.md", "/opt/share/doc/jl/doc/cookbook.md", "/opt/share/doc/jl/examples/fleet/task.sh",
	} {
		require.Contains(t, files, name)
	}
	require.NoError(t, exec.Command(root+"/opt/bin/jlpath", "--version").Run())
	places := map[string]string{} // by what a file holds
	for _, name := range files {
		text := read(t, root+name)
		require.Empty(t, places[text], "%s holds the same", name)
		places[text] = name
	}

	status, out = makes(t, append(args, "uninstall")...)
	require.Zero(t, status, out)
	require.Empty(t, installed(t, root))
}

// TestInstallNeedsABuild wants a message, and nothing installed, if nothing is built.
func TestInstallNeedsABuild(t *testing.T) {
	root := t.TempDir()
	status, out := makes(t, "BUILT=bin/nothing", "DESTDIR="+root, "install")
	require.Equal(t, 2, status)
	require.Contains(t, out, "bin/nothing/jlcompact is missing: run make first\n")
	require.Empty(t, installed(t, root))
}
