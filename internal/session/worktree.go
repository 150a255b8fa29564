package session

import (
	"os"
	"path/filepath"
	"strings"
)

// gitWorktrees returns the working directories that share the git repository of dir, and dir itself, as the files in
// .git name them; nil if dir has no .git. It runs no program.
func gitWorktrees(dir string) (dirs []string) {
	common := filepath.Join(dir, ".git")
	if info, err := os.Lstat(common); err != nil {
		return nil
	} else if info.Mode().IsRegular() { // of a worktree
		own := inDir(dir, firstLine(common, "gitdir: "))
		if own == "" {
			return nil
		}
		common = inDir(own, firstLine(filepath.Join(own, "commondir"), ""))
	}
	if common == "" {
		return nil
	}
	if filepath.Base(common) == ".git" {
		dirs = append(dirs, filepath.Dir(common))
	}
	trees, _ := filepath.Glob(filepath.Join(escapeGlob(common), "worktrees", "*", "gitdir"))
	for _, name := range trees {
		if tree := firstLine(name, ""); filepath.Base(tree) == ".git" {
			dirs = append(dirs, filepath.Dir(inDir(filepath.Dir(name), tree)))
		}
	}
	return dirs
}

// inDir returns a name that may be relative to dir, "" for "".
func inDir(dir, name string) string {
	if name == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}

// firstLine returns what is behind a prefix in the first line of a small file, "" if there is no such line.
func firstLine(name, prefix string) string {
	text, err := os.ReadFile(name)
	line, _, _ := strings.Cut(string(text), "\n")
	rest, has := strings.CutPrefix(strings.TrimRight(line, "\r"), prefix)
	if err != nil || !has {
		return ""
	}
	return rest
}

// escapeGlob returns a pattern that only name matches.
func escapeGlob(name string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(name)
}
