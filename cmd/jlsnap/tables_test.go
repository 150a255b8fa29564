package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestInside(t *testing.T) {
	x := strings.Repeat("x", 255)
	tests := []struct {
		path string
		want string
		err  string
	}{
		{"a", "a", ""},
		{"a/b c/d\n", "a/b c/d\n", ""},
		{"/etc/hosts", "etc/hosts", ""},
		{"//a//./b/", "a/b", ""},
		{`C:\a\b`, `C:\a\b`, ""},
		{`\\host\share\..\x`, `\\host\share\..\x`, ""},
		{"...", "...", ""},
		{"a..", "a..", ""},
		{"-", "-", ""},
		{x + "/" + x, x + "/" + x, ""},
		{"\xed\xa0\x80", "\xed\xa0\x80", ""},
		{"", "", "an empty path"},
		{"/", "", "a path without a file name"},
		{"./.", "", "a path without a file name"},
		{"..", "", `a path with ".."`},
		{"a/..", "", `a path with ".."`},
		{"a/../a", "", `a path with ".."`},
		{"/../a", "", `a path with ".."`},
		{"a\x00b", "", "a path with a NUL"},
		{x + "x", "", "file name too long"},
		{strings.Repeat("a/", 2048), "", "file name too long"},
	}
	for _, test := range tests {
		got, err := inside(test.path)
		if test.err != "" {
			require.EqualError(t, err, test.err, "%q", test.path)
			continue
		}
		require.NoError(t, err, "%q", test.path)
		require.Equal(t, test.want, got)
	}
}

// TestOneFile has two names for one file, as on a file system that ignores case: what this
// run wrote under one name, it does not replace under the other.
func TestOneFile(t *testing.T) {
	for _, force := range []bool{false, true} {
		dir := t.TempDir()
		to, err := openTarget(dir, force, nil)
		require.NoError(t, err)
		defer to.close()
		restore := func(name, content string) error {
			from := filepath.Join(t.TempDir(), "backup")
			require.NoError(t, os.WriteFile(from, []byte(content), 0o666))
			f, err := os.Open(from)
			require.NoError(t, err)
			defer f.Close()
			return to.restoreFile(name, f)
		}
		require.NoError(t, restore("README", "one"))
		require.NoError(t, os.Link(filepath.Join(dir, "README"), filepath.Join(dir, "readme")))
		require.ErrorIs(t, restore("readme", "two"), fs.ErrExist)
		b, err := os.ReadFile(filepath.Join(dir, "README"))
		require.NoError(t, err)
		require.Equal(t, "one", string(b))
	}
}

// FuzzInside: what is not refused stays below the directory that it is joined to.
func FuzzInside(f *testing.F) {
	for _, s := range []string{"a/b", "/a", "../x", "a/./b//c", "a\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, tracked string) {
		path, err := inside(tracked)
		if err != nil {
			require.Empty(t, path)
			return
		}
		for e := range strings.SplitSeq(path, "/") {
			require.NotContains(t, []string{"", ".", ".."}, e)
			require.NotContains(t, e, "\x00")
		}
	})
}
