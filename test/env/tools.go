package env

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// known are the tools that scripts of the tests may use. Those that a shell has of its own are not among them: a
// script that runs one by another tool names that one.
var known = strings.Fields(`
	awk base64 basename bash cat chmod chown cksum cmp column comm cp cut date dd df diff dirname du env expr false find
	flock fold grep gunzip gzip head iconv id install join ln ls make md5sum mkdir mkfifo mktemp mv nice nl nohup od paste
	printenv readlink realpath rm rmdir sed seq setsid sh sha256sum shuf sleep sort split stat stdbuf stty sync tac tail tar
	tee timeout touch tr true truncate tsort tty uname uniq wc xargs yes zcat
	dot duckdb fish fzf git gojq jq jq-1.7 jq-1.8 less mlr node parallel perl python3 ruby script sqlite3 ssh strace
	unshare xz zsh zstd zstdcat zstdgrep`)

var comment = regexp.MustCompile(`(?m)(^|[ \t])#[ !].*$`)

// Words returns the tools that scripts name, each once and in the order of their names. It takes each word of a script
// that is the name of a tool for one, so a text may seem to need a tool that it does not run. A path is none, and
// comments do not count.
func Words(scripts ...string) (tools []string) {
	for _, script := range scripts {
		for _, word := range strings.FieldsFunc(comment.ReplaceAllString(script, ""), func(r rune) bool {
			return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("_.-/", r))
		}) {
			if slices.Contains(known, word) {
				tools = append(tools, word)
			}
		}
	}
	slices.Sort(tools)
	return slices.Compact(tools)
}

// Folder returns a new folder that has these tools and no others, as the PATH of a script: a script that uses a tool
// which it does not name fails on every machine, not only where that tool is missing. A tool that is not installed is
// left out.
func Folder(t testing.TB, tools []string) string {
	t.Helper()
	dir := t.TempDir()
	for _, tool := range tools {
		program, err := exec.LookPath(tool)
		if err != nil {
			continue
		}
		program, err = filepath.Abs(program)
		require.NoError(t, err)
		if interpreted(program) {
			// Its interpreter looks for other tools, and what it runs for those of the script.
			wrapper := "#!/bin/sh\nPATH=\"$PATH\":'" + os.Getenv("PATH") + "' exec '" + program + "' \"$@\"\n"
			require.NoError(t, os.WriteFile(filepath.Join(dir, tool), []byte(wrapper), 0o755))
		} else {
			require.NoError(t, os.Symlink(program, filepath.Join(dir, tool)))
		}
	}
	return dir
}

func interpreted(program string) bool {
	f, err := os.Open(program)
	if err != nil {
		return false
	}
	defer f.Close()
	var begin [2]byte
	_, _ = f.Read(begin[:])
	return bytes.Equal(begin[:], []byte("#!"))
}
