package session

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// put writes a file below a directory, and makes the directories above it.
func put(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
}

// TestGitWorktrees: a repository and its worktrees name each other in files of .git.
func TestGitWorktrees(t *testing.T) {
	dir := t.TempDir()
	main, tree, other := filepath.Join(dir, "main [1]"), filepath.Join(dir, "tree"), filepath.Join(dir, "other")
	put(t, main, ".git/HEAD", "ref: refs/heads/main\n")
	put(t, main, ".git/worktrees/tree/gitdir", filepath.Join(tree, ".git")+"\r\n")
	put(t, main, ".git/worktrees/tree/commondir", "../..\n")
	put(t, main, ".git/worktrees/other/gitdir", "../../../../other/.git\n")
	put(t, main, ".git/worktrees/gone/gitdir", "")
	put(t, tree, ".git", "gitdir: "+filepath.Join(main, ".git/worktrees/tree")+"\n")
	want := []string{main, other, tree}
	require.Equal(t, want, gitWorktrees(main))
	require.Equal(t, want, gitWorktrees(tree))
	require.Nil(t, gitWorktrees(dir), "no repository")
	put(t, other, ".git", "something else\n")
	require.Nil(t, gitWorktrees(other))
	put(t, dir, "lost/.git", "gitdir: ../nowhere\n")
	require.Nil(t, gitWorktrees(filepath.Join(dir, "lost")))
}

// TestUnlisted: sessions that no list has are named once for each kind and directory.
func TestUnlisted(t *testing.T) {
	user := t.TempDir()
	t.Setenv("HOME", user)
	dir := filepath.Join(user, ".cursor")
	put(t, dir, "chats/a/b/store.db", "x")
	put(t, dir, "chats/a/c/store.db", "x")
	put(t, user, ".iflow/projects/p/a.jsonl", "{}")
	h, err := openHome(dir, nil)
	require.NoError(t, err)
	homes := Homes{h}
	defer homes.Close()
	found := homes.Unlisted(false)
	require.Len(t, found, 1)
	require.Equal(t, filepath.Join(dir, "chats/a/b/store.db"), found[0].Path)
	require.Equal(t, 1, found[0].More)
	require.Contains(t, found[0].Way, "Cursor keeps its sessions in SQLite")
	found = homes.Unlisted(true)
	require.Len(t, found, 2, "a home that is the directory of a program counts once")
	require.Equal(t, filepath.Join(user, ".iflow/projects/p/a.jsonl"), found[1].Path)
	require.Equal(t, 0, found[1].More)
}

// TestYAML: a value may be quoted, or a block of lines.
func TestYAML(t *testing.T) {
	for document, want := range map[string]string{
		"":                                     "",
		"other: x\n":                           "",
		"name: a b\nsummary: c\n":              "a b",
		"name: |\n  a\n  b\n\n  c\nother: d\n": "a b c",
		"name: >-\n  a\n":                      "a",
		"name: |\nother: d\n":                  "",
		"  name: inside\nname: a\n":            "a",
	} {
		require.Equal(t, want, yaml(document, "name"), document)
	}
}

// TestForks: a fork is like its model but for its name and its home, which no variable moves.
func TestForks(t *testing.T) {
	all := agents()
	model := map[string]agent{}
	for _, a := range models() {
		model[a.name] = a
	}
	forks := all[len(models()):]
	require.NotEmpty(t, forks)
	for _, f := range forks {
		of := map[string]string{"openclaude": "claude", "cowork": "claude", "trae": "codex", "omp": "pi", "prime": "pi", "clawdbot": "openclaw", "moltbot": "openclaw", "kimi": "kimi"}[f.name]
		require.NotEmpty(t, of, "a fork that is not named here: %s", f.name)
		require.Equal(t, model[of].files, f.files, f.name)
		require.Equal(t, model[of].dialect, f.dialect, f.name)
		require.Len(t, f.rules, len(model[of].rules), f.name)
		require.NotEqual(t, model[of].dir, f.dir, f.name)
		require.Empty(t, f.variables, f.name)
		require.Equal(t, f.name == "cowork", f.homeTitle != nil, f.name)
	}
}
