package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSplit(t *testing.T) {
	x := strings.Repeat("x", 255)
	tests := []struct {
		path string
		want []string
		err  string
	}{
		{"a", []string{"a"}, ""},
		{"a/b c/d\n", []string{"a", "b c", "d\n"}, ""},
		{"/etc/hosts", []string{"etc", "hosts"}, ""},
		{"//a//./b/", []string{"a", "b"}, ""},
		{`C:\a\b`, []string{`C:\a\b`}, ""},
		{`\\host\share\..\x`, []string{`\\host\share\..\x`}, ""},
		{"...", []string{"..."}, ""},
		{"a..", []string{"a.."}, ""},
		{"-", []string{"-"}, ""},
		{x + "/" + x, []string{x, x}, ""},
		{"\xed\xa0\x80", []string{"\xed\xa0\x80"}, ""},
		{"", nil, "an empty path"},
		{"/", nil, "a path without a file name"},
		{"./.", nil, "a path without a file name"},
		{"..", nil, `a path with ".."`},
		{"a/..", nil, `a path with ".."`},
		{"a/../a", nil, `a path with ".."`},
		{"/../a", nil, `a path with ".."`},
		{"a\x00b", nil, "a path with a NUL"},
		{x + "x", nil, "file name too long"},
		{strings.Repeat("a/", 2048), nil, "file name too long"},
	}
	for _, test := range tests {
		got, err := split(test.path)
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
		to, err := openTarget(dir, force)
		require.NoError(t, err)
		defer to.close()
		restore := func(name, content string) error {
			from := filepath.Join(t.TempDir(), "backup")
			require.NoError(t, os.WriteFile(from, []byte(content), 0o666))
			f, err := os.Open(from)
			require.NoError(t, err)
			defer f.Close()
			return to.restoreFile([]string{name}, f)
		}
		require.NoError(t, restore("README", "one"))
		require.NoError(t, os.Link(filepath.Join(dir, "README"), filepath.Join(dir, "readme")))
		require.ErrorIs(t, restore("readme", "two"), fs.ErrExist)
		b, err := os.ReadFile(filepath.Join(dir, "README"))
		require.NoError(t, err)
		require.Equal(t, "one", string(b))
	}
}

// FuzzSplit: what is not refused stays below the directory that it is joined to.
func FuzzSplit(f *testing.F) {
	for _, s := range []string{"a/b", "/a", "../x", "a/./b//c", "a\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, path string) {
		elements, err := split(path)
		if err != nil {
			require.Empty(t, elements)
			return
		}
		require.NotEmpty(t, elements)
		for _, e := range elements {
			require.NotContains(t, []string{"", ".", ".."}, e)
			require.NotContains(t, e, "/")
			require.NotContains(t, e, "\x00")
		}
	})
}
