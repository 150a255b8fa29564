package archive

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/scripttest"
)

// many writes n logs, and archives of them for the other deed. It returns their paths and
// what each holds.
func (d deed) many(t testing.TB, dir string, n int) (names []string, texts map[string]string) {
	t.Helper()
	texts = map[string]string{}
	for i := range n {
		name := filepath.Join(dir, fmt.Sprint(i%3), fmt.Sprintf("%d.jsonl", i))
		size := 1 + i%140*50
		if i%8 == 0 {
			size *= i % 140
		}
		text := logText(size)
		texts[name] = string(text)
		if d == "extract" {
			name, text = name+suffix, pack(t, text)
		}
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
		require.NoError(t, os.WriteFile(name, text, 0o600))
		names = append(names, name)
	}
	return names, texts
}

// args returns the arguments for the deed.
func (d deed) args(names ...string) []string {
	if d == "extract" {
		return append([]string{"--extract"}, names...)
	}
	return names
}

// requireWhole requires that each log exists, or its archive, and is whole. If done, there
// is nothing but the replacements.
func (d deed) requireWhole(t *testing.T, dir string, texts map[string]string, done bool) {
	t.Helper()
	seen := map[string]bool{}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	require.NoError(t, err)
	for _, file := range files {
		if strings.HasPrefix(filepath.Base(file), tempPrefix) {
			require.False(t, done, file)
			continue
		}
		name, archive := strings.CutSuffix(file, suffix)
		text, err := unpack(file)
		require.NoError(t, err)
		require.True(t, texts[name] == string(text), file)
		seen[name] = true
		if done {
			require.Equal(t, d == "archive", archive, file)
		}
	}
	require.Len(t, seen, len(texts))
}

// TestMany replaces more files than a batch holds, some of them large, from several
// directories.
func TestMany(t *testing.T) {
	eachDeed(t, func(t *testing.T, deed deed) {
		dir := t.TempDir()
		names, texts := deed.many(t, dir, 2*maxJobs+10)
		require.Equal(t, silent, archive(t, deed.args(names...)...))
		deed.requireWhole(t, dir, texts, true)
	})
}

// TestFewDescriptors replaces more files than the process may open.
func TestFewDescriptors(t *testing.T) {
	eachDeed(t, func(t *testing.T, deed deed) {
		dir := t.TempDir()
		names, texts := deed.many(t, dir, 50)
		cmd := exec.Command("sh", append([]string{"-c", `ulimit -n 32; exec archive "$@"`, "sh"}, deed.args(names...)...)...)
		require.Equal(t, silent, runCommand(t, cmd))
		deed.requireWhole(t, dir, texts, true)
	})
}

// TestBatchBytes: a batch takes FILEs up to its limit, or one that is larger.
func TestBatchBytes(t *testing.T) {
	a := newArchiver(Options{}, nil)
	dir := t.TempDir()
	for _, tt := range []struct {
		sizes []int64
		fit   int
	}{{[]int64{maxBytes / 2, maxBytes / 2, 1}, 2}, {[]int64{1, maxBytes}, 1}, {[]int64{maxBytes + 1, 1}, 1}} {
		b := newBatch(a)
		for i, size := range tt.sizes {
			name := filepath.Join(dir, fmt.Sprint(i))
			require.NoError(t, os.WriteFile(name, nil, 0o600))
			require.NoError(t, os.Truncate(name, size))
			require.Equal(t, i < tt.fit, b.add(&job{archiver: a, name: name}), "%v, FILE %d", tt.sizes, i)
		}
	}
}

// TestMessagesInOrder: messages are in the order of the FILEs, whatever takes long, and
// files that depend on each other have the outcome that they have one after the other.
func TestMessagesInOrder(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	for range 5 {
		require.NoError(t, os.RemoveAll(dir))
		for name, text := range map[string]string{
			"long": string(logText(5_000_000)), "d/a": "a", "e/a": "b", "twice": "c", "taken": "d", "taken.zst": "e", "nested": "f", "last": "g",
		} {
			require.NoError(t, os.MkdirAll(filepath.Dir(path(name)), 0o700))
			require.NoError(t, os.WriteFile(path(name), []byte(text), 0o600))
		}
		// Another spelling of the directory does not hide that the names are the same.
		require.NoError(t, os.Symlink(dir, path("link")))
		var args []string
		for _, name := range []string{"missing", "long", "d", "twice", "link/twice", "d/a", "e/a", "taken", "nested", "nested.zst", "last", "long"} {
			args = append(args, path(name))
		}
		want := ""
		for _, said := range []string{
			"missing: no such file or directory", "d: is a directory", "taken: " + path("taken.zst") + " exists: is not a zstd file",
			"nested.zst: is already compressed",
		} {
			want += "archive: " + dir + "/" + said + "\n"
		}
		require.Equal(t, outcome{2, "", want}, archive(t, args...))
		for _, name := range []string{"long.zst", "twice.zst", "d/a.zst", "e/a.zst", "nested.zst", "last.zst"} {
			require.FileExists(t, path(name))
		}

		// In one directory, two files of one name cannot both have an archive.
		for _, name := range []string{"d/a", "e/a"} {
			require.NoError(t, os.WriteFile(path(name), []byte(name), 0o600))
		}
		require.NoError(t, os.Mkdir(path("to"), 0o700))
		got := archive(t, "--to", path("to"), path("d/a"), path("e/a"))
		require.Equal(t, 2, got.status)
		require.Regexp(t, "^archive: "+path("e/a")+": "+path("to/a.zst")+" exists: .*\n$", got.stderr)
	}
}

// TestOneFails makes a call of each kind fail in a run with several files: that file is
// named and stays, and the others are replaced.
func TestOneFails(t *testing.T) {
	needStrace(t)
	for _, fault := range []string{"linkat:error=EIO", "fchmod:error=EIO", "utimensat:error=EIO"} {
		dir := t.TempDir()
		names, texts := deed("archive").many(t, dir, 9)
		logged := filepath.Join(t.TempDir(), "trace")
		// Strace counts the calls of each thread, so a call may fail in several.
		cmd := exec.Command("strace", append([]string{"-f", "-qq", "-o", logged, "-e", "inject=" + fault + ":when=2", "archive"}, names...)...)
		got := runCommand(t, cmd)
		trace, err := os.ReadFile(logged)
		require.NoError(t, err)
		failures := strings.Count(string(trace), "(INJECTED)")
		require.Equal(t, failures, strings.Count(got.stderr, "\n"), "%s: %v", fault, got)
		deed("archive").requireWhole(t, dir, texts, failures == 0)
		require.Equal(t, silent, archive(t, names...))
		deed("archive").requireWhole(t, dir, texts, true)
	}
}

// TestSyncs counts the syncs of a run with several files in one directory: two for each
// file, and two for the directory.
func TestSyncs(t *testing.T) {
	needStrace(t)
	eachDeed(t, func(t *testing.T, deed deed) {
		names, _ := deed.many(t, t.TempDir(), 28)
		var args []string
		for i := 0; i < len(names); i += 3 { // one directory of three
			args = append(args, names[i])
		}
		logged := filepath.Join(t.TempDir(), "trace")
		cmd := exec.Command("strace", append([]string{"-f", "-qq", "-o", logged, "-e", "trace=fsync", "archive"}, deed.args(args...)...)...)
		cmd.Env = append(os.Environ(), scripttest.OneThread)
		require.Equal(t, silent, runCommand(t, cmd))
		trace, err := os.ReadFile(logged)
		require.NoError(t, err)
		require.Equal(t, 2*len(args)+2, strings.Count(string(trace), "fsync("))
	})
}

// BenchmarkMany replaces small files, as there are most of.
func BenchmarkMany(b *testing.B) {
	for _, deed := range deeds {
		b.Run(string(deed), func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				dir := b.TempDir()
				names, texts := deed.many(b, dir, 100)
				size := 0
				for _, text := range texts {
					size += len(text)
				}
				b.SetBytes(int64(size))
				b.StartTimer()
				err := Replace(names, Options{Extract: deed == "extract", Removed: func(string) {}}, func(name string, err error) { b.Error(name, err) })
				require.NoError(b, err)
			}
		})
	}
}
