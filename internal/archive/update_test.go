package archive

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jl/test/env"
)

// TestUpdate replaces archives of a log that has grown.
func TestUpdate(t *testing.T) {
	text := logText(19_000_000)
	sizes := []int{0, 9_000_000, len(text) - 1, 1, 300_000, 4 << 20}
	if testing.Short() {
		sizes = sizes[:3]
	}
	for _, size := range sizes {
		s := newScene(t, text, 0o640)
		old := pack(t, text[:size])
		require.NoError(t, os.WriteFile(s.target, old, 0o600))
		require.Equal(t, silent, s.run("--keep", "--update"))
		packed, err := os.ReadFile(s.target)
		require.NoError(t, err)
		require.True(t, bytes.Equal(pack(t, text), packed), "%d: the archive is as a new one", size)

		was, err := os.Lstat(s.target)
		require.NoError(t, err)
		require.Equal(t, silent, s.run("--keep", "--update"))
		now, err := os.Lstat(s.target)
		require.NoError(t, err)
		require.True(t, os.SameFile(was, now), "an archive of the whole log stays")
		require.Equal(t, silent, s.run("--update"))
		s.replaced(t)
	}
}

// TestUpdateForeign updates archives that other programs have made.
func TestUpdateForeign(t *testing.T) {
	env.Needs(t, "zstd")
	text := logText(9_000_000)
	for _, args := range [][]string{{"-3"}, {"--long=27", "-5"}} {
		s := newScene(t, text[:6_000_000], 0o640)
		require.NoError(t, exec.Command("zstd", append(args, "-q", s.file, "-o", s.target)...).Run())
		require.NoError(t, os.WriteFile(s.file, text, 0))
		require.Equal(t, silent, s.run("--keep", "--update"))
		got, err := unpack(s.target)
		require.NoError(t, err)
		require.True(t, bytes.Equal(text, got))
	}
}

// TestUpdateRefuses tests that an archive whose content is not a beginning of the log is left alone.
func TestUpdateRefuses(t *testing.T) {
	text := logText(5_000_000)
	other := bytes.Clone(text)
	other[4_900_000] ^= 1
	damaged := pack(t, text[:4_500_000])
	damaged[1000] ^= 1
	for name, tt := range map[string]struct {
		target []byte
		want   string
	}{
		"longer":       {pack(t, append(bytes.Clone(text), 'x')), "has different contents"},
		"other at end": {pack(t, other), "has different contents"},
		"damaged":      {damaged, "(damaged zstd data: .*|has different contents)"},
		"no archive":   {text[:1000], "is not a zstd file"},
		"empty":        {nil, "is not a zstd file"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, text, 0o640)
			require.NoError(t, os.WriteFile(s.target, tt.target, 0o600))
			for _, when := range []time.Time{longAgo, time.Now()} {
				require.NoError(t, os.Chtimes(s.target, when, when))
				got := s.run("--update")
				require.Equal(t, 2, got.status)
				require.Regexp(t, "^archive: "+s.file+": "+s.target+" exists: "+tt.want+"\n$", got.stderr)
				require.Equal(t, []string{"s.jsonl", "s.jsonl.zst"}, s.list(t))
				now, err := os.ReadFile(s.target)
				require.NoError(t, err)
				require.True(t, bytes.Equal(tt.target, now))
			}
		})
	}
}

// TestUpdateMeanwhile changes the log or the archive at each stage of an update: the archive
// holds a beginning of the log, and a file that has taken its name stays.
func TestUpdateMeanwhile(t *testing.T) {
	for _, call := range []string{"openat", "fsync", "read", "renameat"} {
		for n := 1; n < 12; n++ {
			s := deed("update").scene(t, logText(300_000), 0o640)
			got := s.meanwhile(t, call, n, func() {
				f, err := os.OpenFile(s.file, os.O_APPEND|os.O_WRONLY, 0)
				if errors.Is(err, fs.ErrNotExist) {
					return // the log is replaced
				}
				require.NoError(t, err)
				_, err = f.WriteString("more\n")
				require.NoError(t, err)
				require.NoError(t, f.Close())
			})
			text, err := unpack(s.target)
			require.NoError(t, err, "%s %d", call, n)
			require.True(t, bytes.HasPrefix(append(bytes.Clone(s.text), "more\n"...), text))
			if got.status != 0 {
				require.Regexp(t, message, got.stderr)
				require.FileExists(t, s.file)
				require.Equal(t, silent, s.run("--keep"))
				text, err = unpack(s.target)
				require.NoError(t, err)
				require.True(t, bytes.HasSuffix(text, []byte("more\n")))
			}
		}
	}
	s := deed("update").scene(t, logText(300_000), 0o640)
	got := s.meanwhile(t, "fchmod", 1, func() {
		require.NoError(t, os.Remove(s.target))
		require.NoError(t, os.WriteFile(s.target, []byte("another's"), 0o600))
	})
	require.Equal(t, outcome{2, "", "archive: " + s.file + ": write " + s.target + ": changed meanwhile\n"}, got)
	text, err := os.ReadFile(s.target)
	require.NoError(t, err)
	require.Equal(t, "another's", string(text))
	require.FileExists(t, s.file)
	require.Equal(t, []string{filepath.Base(s.file), filepath.Base(s.target)}, s.list(t))
}
