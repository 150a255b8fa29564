package archive

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jl/internal/atomicfile"
	"jl/test/env"
)

// TestGrowing appends to the log all the time: no byte is lost.
func TestGrowing(t *testing.T) {
	s := newScene(t, logText(5_000_000), 0o600)
	stop, stopped := make(chan bool), make(chan int)
	go func() {
		n := 0
		for {
			select {
			case <-stop:
				stopped <- n
				return
			case <-time.After(300 * time.Microsecond):
				if f, err := os.OpenFile(s.file, os.O_APPEND|os.O_WRONLY, 0); err == nil {
					if m, _ := f.WriteString("more\n"); m == 5 {
						n++
					}
					f.Close()
				}
			}
		}
	}()
	runs := 20
	for range runs {
		got := archive(t, s.file)
		if got == silent { // nothing was appended meanwhile
			require.Equal(t, silent, archive(t, "--extract", s.target))
			continue
		}
		require.Equal(t, 2, got.status)
		require.Regexp(t, "^archive: "+s.file+": (changed meanwhile|is open for writing in another process)\n$", got.stderr)
	}
	close(stop)
	n := <-stopped
	require.Positive(t, n)
	require.Equal(t, []string{"s.jsonl"}, s.list(t))
	text, err := os.ReadFile(s.file)
	require.NoError(t, err)
	require.True(t, string(text) == string(s.text)+strings.Repeat("more\n", n))
	t.Logf("%d runs, %d lines", runs, n)
}

// TestTimes: the archive has the access time that the log had before it was archived.
func TestTimes(t *testing.T) {
	s := newScene(t, logText(1000), 0o400)
	want, _ := stamps(s.was)
	require.True(t, want.Equal(longAgo.Add(time.Hour)))
	require.Equal(t, silent, archive(t, s.file))
	s.replaced(t)
	info, err := os.Lstat(s.target)
	require.NoError(t, err)
	got, _ := stamps(info)
	// It may be newer, because replaced reads the archive.
	require.False(t, got.Before(want))
}

// TestTimeThatCannotBeKept: nanoseconds since 1970 end in 2262, so a log that is older or younger by its
// time stays where it is.
func TestTimeThatCannotBeKept(t *testing.T) {
	s := newScene(t, logText(1000), 0o600)
	if out, err := exec.Command("touch", "-d", "2263-01-01T00:00:00Z", s.file).CombinedOutput(); err != nil {
		t.Skipf("no such time here: %s", out)
	}
	info, err := os.Lstat(s.file)
	require.NoError(t, err)
	if info.ModTime().UTC().Year() != 2263 {
		t.Skip("no such time here")
	}
	require.Equal(t, outcome{2, "", "archive: " + s.file + ": its time, 2263-01-01 00:00:00, cannot be kept\n"}, archive(t, s.file))
	require.Equal(t, []string{"s.jsonl"}, s.list(t))
}

// TestOwner: a user who can change owners keeps the owner; any other leaves the files of
// others alone.
func TestOwner(t *testing.T) {
	env.NeedsRoot(t)
	eachDeed(t, testOwner)
}

func testOwner(t *testing.T, deed deed) {
	s := deed.scene(t, logText(1000), 0o644)
	require.NoError(t, os.Chown(s.file, 12345, 54321))
	var err error
	s.was, err = os.Lstat(s.file)
	require.NoError(t, err)
	require.Equal(t, silent, s.run())
	s.replaced(t)

	s.reset(t, 0o644)
	require.NoError(t, os.Chmod(s.dir, 0o777))
	path, err := exec.LookPath("archive")
	require.NoError(t, err)
	// Another user cannot search the directories of the tests: open them.
	name := filepath.Base(s.file)
	cmd := exec.Command(path, slices.Concat(s.args()[:len(s.args())-1], []string{name})...)
	cmd.Dir = s.dir
	for dir := range ancestors(s.dir, path) {
		info, err := os.Stat(dir)
		require.NoError(t, err)
		if info.Mode()&0o001 == 0 {
			require.NoError(t, os.Chmod(dir, info.Mode()|0o011))
			defer os.Chmod(dir, info.Mode())
		}
	}
	const other = 65534
	as := &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: other, Gid: other}}
	cmd.SysProcAttr = as
	require.Equal(t, outcome{2, "", "archive: " + name + ": its owner cannot be kept: operation not permitted\n"}, runCommand(t, cmd))
	s.untouched(t)

	// The owner may give a file only to groups that it is a member of.
	require.NoError(t, os.Chown(s.file, other, 0))
	s.was, err = os.Lstat(s.file)
	require.NoError(t, err)
	again := exec.Command(path, cmd.Args[1:]...)
	again.Dir, again.SysProcAttr = cmd.Dir, as
	require.Equal(t, outcome{2, "", "archive: " + name + ": its group cannot be kept: operation not permitted\n"}, runCommand(t, again))
	s.untouched(t)
}

// ancestors yields the directories above paths, up to the directory of temporary files.
func ancestors(paths ...string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for _, path := range paths {
			for dir := filepath.Dir(path); len(dir) > len(filepath.Clean(os.TempDir())); dir = filepath.Dir(dir) {
				if !yield(dir) {
					return
				}
			}
		}
	}
}

// TestLeftovers: what a killed run left is removed and named, and nothing else: no file of another with
// such a name, and no FILE. TestRemoveStale of package atomicfile has all the names.
func TestLeftovers(t *testing.T) {
	s := newScene(t, logText(1000), 0o600)
	const temp = ".jlcompact-1-0123456789abcdef"
	for _, name := range []string{temp, ".jlcompact-2"} {
		require.NoError(t, os.WriteFile(filepath.Join(s.dir, name), []byte("half"), 0o400))
	}
	require.NoError(t, os.Symlink(temp, filepath.Join(s.dir, ".jlcompact-1")))
	got := archive(t, "--told", s.file)
	require.Equal(t, 0, got.status)
	require.Equal(t, "archive: "+filepath.Join(s.dir, temp)+": removed: a killed run left it\n", got.stderr)
	require.Equal(t, []string{".jlcompact-2", "s.jsonl.zst"}, s.list(t))
	s.oldOrNew(t)

	log := filepath.Join(s.dir, ".jlcompact-5")
	require.NoError(t, os.WriteFile(log, []byte(logText(10)), 0o600))
	require.Equal(t, silent, archive(t, "--keep", log))
	require.Equal(t, []string{".jlcompact-2", ".jlcompact-5", ".jlcompact-5.zst", "s.jsonl.zst"}, s.list(t))
}

// TestInUse: a log that another run has locked is left alone.
func TestInUse(t *testing.T) {
	s := newScene(t, logText(1000), 0o600)
	held, err := os.Open(s.file)
	require.NoError(t, err)
	defer held.Close()
	require.NoError(t, atomicfile.Lock(held))
	require.Equal(t, outcome{2, "", "archive: " + s.file + ": is in use by another jlcompact\n"}, archive(t, s.file))
	s.untouched(t)
}

// needLeases skips a test where no one can tell who has a file open.
func needLeases(t *testing.T, name string) {
	t.Helper()
	f, err := os.Open(name)
	require.NoError(t, err)
	defer f.Close()
	lease, err := atomicfile.TakeLease(f)
	require.NoError(t, err)
	lease.Release()
	if lease == (atomicfile.Lease{}) {
		t.Skip("no leases here")
	}
}

// TestOpenForWriting: a file that a process has open for writing is left alone. One that
// is only read is not.
func TestOpenForWriting(t *testing.T) {
	eachDeed(t, func(t *testing.T, deed deed) {
		s := deed.scene(t, logText(1000), 0o600)
		needLeases(t, s.file)
		for _, more := range [][]string{nil, {"--keep"}} {
			w, err := os.OpenFile(s.file, os.O_APPEND|os.O_WRONLY, 0)
			require.NoError(t, err)
			require.Equal(t, outcome{2, "", "archive: " + s.file + ": is open for writing in another process\n"}, s.run(more...))
			require.NoError(t, w.Close())
			s.untouched(t)
		}
		r, err := os.Open(s.file)
		require.NoError(t, err)
		defer r.Close()
		require.Equal(t, silent, s.run())
		s.replaced(t)
	})
}

// TestAtOnce runs the program several times at once: only one run archives a log, and runs
// in one directory are not in each other's way.
func TestAtOnce(t *testing.T) {
	s := newScene(t, logText(5_000_000), 0o600)
	const runs = 4
	for range 5 {
		s.reset(t, 0o600)
		var wg sync.WaitGroup
		got := make([]outcome, runs)
		for i := range runs {
			wg.Go(func() { got[i] = archive(t, s.file) })
		}
		wg.Wait()
		s.replaced(t)
		require.Contains(t, got, silent)
		for _, g := range got {
			if g != silent {
				require.Equal(t, 2, g.status)
				require.Regexp(t, message, g.stderr)
			}
		}
	}

	s.reset(t, 0o600)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			name := filepath.Join(s.dir, fmt.Sprint(i))
			if os.WriteFile(name, s.text, 0o600) == nil {
				if got := archive(t, name); got != silent {
					t.Error(got)
				}
			}
		})
	}
	wg.Wait()
	require.Len(t, s.list(t), 9)
	for i := range 8 {
		text, err := unpack(filepath.Join(s.dir, fmt.Sprint(i)+".zst"))
		require.NoError(t, err)
		require.True(t, bytes.Equal(s.text, text))
	}
}

// TestLossless archives all kinds of bytes, of sizes around those that matter, and reads
// the archives with zstd(1) too.
func TestLossless(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	noise := make([]byte, 5<<20)
	_, _ = rand.NewChaCha8([32]byte{}).Read(noise)
	noise[0] = '{'
	var texts [][]byte
	for _, at := range []int{0, len(block{}), 2 * len(block{}), 1 << 20, 4 << 20} {
		for n := max(0, at-1); n <= at+1; n++ {
			texts = append(texts, logText(n), noise[:n], bytes.Repeat([]byte{'\n'}, n), make([]byte, n))
		}
	}
	for range 40 {
		texts = append(texts, logText(rnd.IntN(2000)), noise[:rnd.IntN(5000)])
	}
	zstd := env.Has("zstd")
	if !zstd {
		env.NotTested(t, "that zstd(1) reads the archives", "zstd is not installed")
	}
	for i, text := range texts {
		s := newScene(t, text, 0o600)
		require.Equal(t, silent, inProcess("--level", fmt.Sprint(1+i%6), s.file))
		s.replaced(t)
		if zstd && i%4 == 0 {
			got, err := exec.Command("zstd", "-dcq", s.target).Output()
			require.NoError(t, err)
			require.True(t, bytes.Equal(text, got))
		}
	}
	t.Logf("%d logs", len(texts))
}

// TestRoundTrip archives a file and extracts the archive: bytes, mode, owner and times are
// those of the file.
func TestRoundTrip(t *testing.T) {
	for _, mode := range []fs.FileMode{0o600, 0o444, 0o640, 0o755} {
		for _, n := range []int{0, 1, 1000, 5_000_000} {
			s := newScene(t, logText(n), mode)
			if os.Geteuid() == 0 {
				require.NoError(t, os.Chown(s.file, 12345, 54321))
			}
			was, err := os.Lstat(s.file)
			require.NoError(t, err)
			require.Equal(t, silent, inProcess(s.file))
			require.Equal(t, silent, inProcess("--extract", s.target))
			require.Equal(t, []string{"s.jsonl"}, s.list(t))
			text, err := os.ReadFile(s.file)
			require.NoError(t, err)
			require.True(t, bytes.Equal(s.text, text))
			is, err := os.Lstat(s.file)
			require.NoError(t, err)
			require.Equal(t, was.Mode(), is.Mode())
			require.True(t, was.ModTime().Equal(is.ModTime()))
			require.Equal(t, []uint32{stat(was).Uid, stat(was).Gid}, []uint32{stat(is).Uid, stat(is).Gid})
		}
	}
}

// TestDamagedFile: an archive with any bit wrong, or truncated anywhere, stays as it is and
// nothing is extracted, unless the wrong bit makes no difference.
func TestDamagedFile(t *testing.T) {
	s := deed("extract").scene(t, logText(400), 0o600)
	refused, same := 0, 0
	check := func(packed []byte) {
		t.Helper()
		require.NoError(t, os.WriteFile(s.file, packed, 0o600))
		got := inProcess(s.args()...)
		if got == silent {
			require.Equal(t, []string{"s.jsonl"}, s.list(t))
			text, err := os.ReadFile(s.target)
			require.NoError(t, err)
			require.Equal(t, s.text, text)
			require.NoError(t, os.Remove(s.target))
			same++
			return
		}
		require.Equal(t, 2, got.status)
		require.Regexp(t, "^archive: "+s.file+": (damaged zstd data|zstd data that needs a dictionary|zstd window over|is not a zstd file|the file is empty).*\n$", got.stderr)
		require.Equal(t, []string{"s.jsonl.zst"}, s.list(t))
		is, err := os.ReadFile(s.file)
		require.NoError(t, err)
		require.Equal(t, packed, is)
		refused++
	}
	for n := range len(s.bytes) {
		check(s.bytes[:n])
	}
	require.Equal(t, len(s.bytes)-1, refused) // without its seek table it is still an archive of the log
	for i := range 8 * len(s.bytes) {
		packed := bytes.Clone(s.bytes)
		packed[i/8] ^= 1 << (i % 8)
		check(packed)
	}
	check(s.bytes)
	t.Logf("%d bytes: %d refused, %d extracted", len(s.bytes), refused, same)
}

// TestDamagedTarget: an archive with any bit wrong, or truncated anywhere, is not accepted
// as the archive of the log, although it has the time of the log.
func TestDamagedTarget(t *testing.T) {
	s := newScene(t, logText(400), 0o600)
	require.Equal(t, silent, inProcess("--keep", s.file))
	good, err := os.ReadFile(s.target)
	require.NoError(t, err)
	again := func(packed []byte) outcome {
		require.NoError(t, os.WriteFile(s.target, packed, 0o600))
		require.NoError(t, os.Chtimes(s.target, longAgo, longAgo))
		return inProcess("--keep", s.file)
	}
	refused, same := 0, 0
	check := func(packed []byte) {
		t.Helper()
		got := again(packed)
		is, err := os.ReadFile(s.target)
		require.NoError(t, err)
		require.True(t, bytes.Equal(packed, is))
		if got == silent {
			text, err := unpack(s.target) // the wrong bit does not matter
			require.NoError(t, err)
			require.Equal(t, s.text, text)
			same++
			return
		}
		require.Equal(t, 2, got.status)
		require.Regexp(t, "^archive: "+s.file+": "+s.target+" exists: .*\n$", got.stderr)
		refused++
	}
	for n := range len(good) {
		check(good[:n])
	}
	require.Equal(t, len(good)-1, refused) // without its seek table it is still an archive of the log
	for i := range 8 * len(good) {
		packed := bytes.Clone(good)
		packed[i/8] ^= 1 << (i % 8)
		check(packed)
	}
	require.Equal(t, silent, again(good))
	t.Logf("%d bytes: %d refused, %d accepted", len(good), refused, same)
}

// TestOtherFileSystem archives to another file system, if there is one.
func TestOtherFileSystem(t *testing.T) {
	s := newScene(t, logText(300_000), 0o640)
	to, err := os.MkdirTemp("/dev/shm", "archive")
	if err != nil {
		t.Skip("no other file system is here: ", err)
	}
	defer os.RemoveAll(to)
	if info, err := os.Lstat(to); err != nil || stat(info).Dev == stat(s.was).Dev {
		t.Skip("no other file system is here")
	}
	require.Equal(t, silent, archive(t, "--to", to, s.file))
	require.Empty(t, s.list(t))
	s.dir, s.target = to, filepath.Join(to, "s.jsonl.zst")
	s.replaced(t)
}

// TestHoles extracts a file with holes in its middle and at its end: it takes no more room than before.
func TestHoles(t *testing.T) {
	for _, end := range []int64{20 << 20, 20<<20 + 1} {
		s := newScene(t, nil, 0o600)
		f, err := os.Create(s.file)
		require.NoError(t, err)
		_, err = f.WriteAt(logText(1000), 8<<20)
		require.NoError(t, err)
		require.NoError(t, f.Truncate(end))
		require.NoError(t, f.Close())
		was, err := os.Stat(s.file)
		require.NoError(t, err)
		if stat(was).Blocks*512 >= end {
			t.Skip("no holes here")
		}
		before, err := os.ReadFile(s.file)
		require.NoError(t, err)
		require.Equal(t, silent, s.run())
		s.file, s.extract = s.target, true
		require.Equal(t, silent, s.run())
		now, err := os.Stat(strings.TrimSuffix(s.target, ".zst"))
		require.NoError(t, err)
		require.Less(t, stat(now).Blocks*512, int64(1<<20))
		after, err := os.ReadFile(strings.TrimSuffix(s.target, ".zst"))
		require.NoError(t, err)
		require.True(t, bytes.Equal(before, after))
	}
}
