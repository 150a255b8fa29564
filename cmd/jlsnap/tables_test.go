package main

import (
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

func TestBackupNames(t *testing.T) {
	for _, good := range []string{"0123456789abcdef@v1", "ffffffffffffffff@v0", "0000000000000000@v123456789012345678901234567890"} {
		require.True(t, isBackupName([]byte(good)), good)
	}
	for _, bad := range []string{
		"", "0123456789abcdef", "0123456789abcdef@v", "0123456789abcdef@1", "0123456789abcdef@v1x", "0123456789abcdef@v1\n",
		"0123456789abcdeF@v1", "0123456789abcdeg@v1", "0123456789abcde@v1", "0123456789abcdef0@v1", "x0123456789abcdef@v1",
		"../0123456789abcdef@v1", "0123456789abcdef@v1/..", "0123456789abcdef@v1\x00", "0123456789abcdef@v-1",
		"................@v1", "/123456789abcdef@v1", "0123456789abcdef@v" + strings.Repeat("1", 300),
	} {
		require.False(t, isBackupName([]byte(bad)), bad)
	}
}

func TestElements(t *testing.T) {
	for _, good := range []string{"5d9a4a3e-1c1b-4e0e-9a7d-0b8f4f6c2a11", "s", "a b", "..a", "é", strings.Repeat("x", 255)} {
		require.True(t, isElement(good), good)
	}
	for _, bad := range []string{"", ".", "..", "/", "a/b", `a\b`, "a\x00", "a\nb", "\x7f", "\u0085", strings.Repeat("x", 256)} {
		require.False(t, isElement(bad), bad)
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
