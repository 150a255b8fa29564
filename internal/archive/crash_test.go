package archive

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jl/test/calls"
	"jl/test/env"
	"jl/test/scripttest"
)

// A sweep is a way that a run can go, by what is in the directory besides FILE.
type sweep struct {
	name   string
	before func(t *testing.T, s *scene)
	calls  map[string]int // that are interrupted: how many there are, or -1 if that varies
}

// eachSweep runs do in a subtest for each deed and each sweep.
func eachSweep(t *testing.T, do func(t *testing.T, deed deed, sweep sweep)) {
	for _, deed := range append(slices.Clone(deeds), "update") {
		for _, sweep := range sweeps {
			if deed == "update" && sweep.calls["linkat"] > 0 {
				sweep.calls = maps.Clone(sweep.calls) // rename does both in one call
				sweep.calls["linkat"] = 0
				sweep.calls["renameat"] = 1
				sweep.calls["unlinkat"]--
			}
			t.Run(string(deed)+"/"+sweep.name, func(t *testing.T) { do(t, deed, sweep) })
		}
	}
}

// eachDeed runs do in a subtest for each deed.
func eachDeed(t *testing.T, do func(t *testing.T, deed deed)) {
	for _, deed := range deeds {
		t.Run(string(deed), func(t *testing.T) { do(t, deed) })
	}
}

var sweeps = []sweep{
	{
		"fresh", func(*testing.T, *scene) {},
		map[string]int{"write": 4, "fsync": 4, "linkat": 1, "symlinkat": 1, "unlinkat": 3, "fchmod": 1, "utimensat": 1, "flock": 2,
			"close": -1, "openat": -1, "lseek": -1, "read": -1, "pread64": -1, "newfstatat": -1, "fstat": -1, "getdents64": -1, "fgetxattr": 2},
	},
	{
		"leftover",
		func(t *testing.T, s *scene) {
			const temp = ".jlcompact-123-0123456789abcdef"
			require.NoError(t, os.WriteFile(filepath.Join(s.dir, temp), []byte("half"), 0o600))
			require.NoError(t, os.Symlink(temp, filepath.Join(s.dir, ".jlcompact-123")))
		},
		map[string]int{"unlinkat": 5, "flock": 3, "linkat": 1},
	},
	{
		"both exist",
		func(t *testing.T, s *scene) {
			other := s.text
			if !s.extract {
				other = pack(t, s.text)
			}
			require.NoError(t, os.WriteFile(s.target, other, 0o600))
			require.NoError(t, os.Chmod(s.target, s.was.Mode()))
			require.NoError(t, os.Chtimes(s.target, longAgo, longAgo))
		},
		map[string]int{"fsync": 3, "linkat": 0, "unlinkat": 1, "fchmod": 0, "utimensat": 0, "flock": 1, "close": -1, "openat": -1},
	},
}

// TestKillAtEveryCall looks at what a run has left if it is killed at the beginning of any
// of its calls: the log or its archive is whole, and another run completes the work and
// leaves nothing else.
func TestKillAtEveryCall(t *testing.T) {
	var kills atomic.Int32
	t.Cleanup(func() { t.Logf("killed %d times", kills.Load()) })
	eachSweep(t, func(t *testing.T, deed deed, sweep sweep) {
		sizes := []int{300_000, 9_000_000} // several frames are written by several calls
		if testing.Short() {
			sizes = sizes[:1]
		}
		for _, size := range sizes {
			t.Run(fmt.Sprint(size), func(t *testing.T) {
				t.Parallel()
				s := deed.scene(t, logText(size), 0o640)
				sweep.before(t, s)
				made := map[string]int{}
				got := s.watched(t, func(call string) syscall.Errno {
					_, interrupted := sweep.calls[call]
					if interrupted && (size == 300_000 || call == "write" || call == "fsync") {
						made[call]++
						kills.Add(1)
						s.killed(t)
					}
					return 0
				})
				require.Equal(t, silent, got)
				s.replaced(t)
				for call, n := range made {
					if known := sweep.calls[call]; known >= 0 && call != "write" {
						require.Equal(t, known, n, call)
					}
				}
			})
		}
	})
}

// killed requires that a run that is killed now has lost nothing, and that the next one
// completes the work.
func (s *scene) killed(t *testing.T) {
	t.Helper()
	s.oldOrNew(t)
	left := *s
	var err error
	left.dir, err = os.MkdirTemp(filepath.Dir(s.dir), "killed")
	require.NoError(t, err)
	defer os.RemoveAll(left.dir)
	left.file, left.target = filepath.Join(left.dir, filepath.Base(s.file)), filepath.Join(left.dir, filepath.Base(s.target))
	for _, name := range s.list(t) {
		from, to := filepath.Join(s.dir, name), filepath.Join(left.dir, name)
		if marked, err := os.Readlink(from); err == nil {
			require.NoError(t, os.Symlink(marked, to))
			continue
		}
		text, err := os.ReadFile(from)
		require.NoError(t, err)
		info, err := os.Lstat(from)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(to, text, info.Mode()))
		require.NoError(t, os.Chtimes(to, time.Time{}, info.ModTime()))
		if from == s.file {
			left.was, err = os.Lstat(to)
			require.NoError(t, err)
		}
	}
	if left.was == s.was { // FILE is removed
		require.Equal(t, []string{filepath.Base(s.target)}, s.list(t))
		return
	}
	require.Equal(t, silent, left.run())
	left.replaced(t)
}

// TestSignals ends the program by a signal while it writes: the temporary file is removed,
// and the log is left alone.
func TestSignals(t *testing.T) {
	t.Parallel()
	needStrace(t)
	var waits []func()
	for _, deed := range deeds {
		for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
			s := deed.scene(t, logText(300_000), 0o640)
			// The second call takes long enough for the signal to be handled before it ends.
			args := []string{"-f", "-qq", "-o", os.DevNull, "-e", fmt.Sprintf("inject=fsync:signal=%d:when=1", int(sig)),
				"-e", "inject=fchmod:delay_enter=3000000", "archive"}
			cmd := exec.Command("strace", append(args, s.args()...)...)
			cmd.Env = append(os.Environ(), scripttest.OneThread)
			require.NoError(t, cmd.Start())
			waits = append(waits, func() {
				_ = cmd.Wait()
				require.Equal(t, sig, cmd.ProcessState.Sys().(syscall.WaitStatus).Signal())
				s.untouched(t)
			})
		}
	}
	for _, wait := range waits {
		wait()
	}
}

// TestEveryCallFails makes the N-th call of each kind fail, for all N. Either the failure
// does not matter and the work is done, or the program reports it in one line and with
// status 2, and the log or its archive is whole. Then a second run completes the work.
func TestEveryCallFails(t *testing.T) {
	faults := map[string][]syscall.Errno{
		"write":      {syscall.ENOSPC, syscall.EIO, syscall.EDQUOT},
		"fsync":      {syscall.EIO, syscall.ENOSPC},
		"close":      {syscall.EIO},
		"renameat":   {syscall.EXDEV, syscall.EPERM, syscall.EIO},
		"linkat":     {syscall.EXDEV, syscall.EPERM, syscall.EMLINK, syscall.EIO},
		"openat":     {syscall.EACCES, syscall.EMFILE, syscall.EIO},
		"unlinkat":   {syscall.EIO, syscall.EPERM, syscall.EBUSY},
		"fchmod":     {syscall.EPERM, syscall.EIO},
		"utimensat":  {syscall.EPERM, syscall.EIO},
		"read":       {syscall.EIO},
		"pread64":    {syscall.EIO},
		"lseek":      {syscall.EIO},
		"newfstatat": {syscall.EIO, syscall.EACCES},
		"fstat":      {syscall.EIO},
		"fgetxattr":  {syscall.EIO},
		"getdents64": {syscall.EIO},
		"flock":      {syscall.ENOLCK, syscall.EBADF}, // the program continues without locks
	}
	// All of these matter: they write the archive, or make it last. Pread64 may only read a seek table,
	// without which an archive is read from its start.
	grave := []string{"write", "fsync", "linkat", "renameat", "unlinkat", "fchmod", "utimensat", "getdents64", "fgetxattr"}
	var failures, reported atomic.Int32
	t.Cleanup(func() { t.Logf("%d failures, %d of them reported", failures.Load(), reported.Load()) })
	eachSweep(t, func(t *testing.T, deed deed, sweep sweep) {
		for call, errs := range faults {
			if testing.Short() {
				errs = errs[:1]
			}
			if sweep.calls[call] == 0 || call == "flock" && sweep.name == "leftover" {
				continue // without locks, a leftover stays
			}
			for _, fault := range errs {
				t.Run(call+"/"+fault.Error(), func(t *testing.T) {
					t.Parallel()
					s := deed.scene(t, logText(300_000), 0o640)
					step := 1
					if testing.Short() {
						step = 5
					}
					for n := 1; ; n += step {
						require.Less(t, n, 200)
						s.reset(t, 0o640)
						sweep.before(t, s)
						injected := &calls.Fault{Calls: []string{call}, Errno: fault, At: n}
						got := s.watched(t, injected.Before)
						if injected.Injected == 0 {
							require.Equal(t, silent, got)
							break
						}
						failures.Add(1)
						s.oldOrNew(t)
						if got.status == 0 {
							require.NotContains(t, grave, call)
							require.Equal(t, silent, got)
							s.replaced(t)
							continue
						}
						reported.Add(1)
						require.Equal(t, 2, got.status)
						require.Empty(t, got.stdout)
						require.Regexp(t, message, got.stderr)
						if !slices.Contains(s.list(t), filepath.Base(s.file)) {
							// The call failed too late to leave FILE alone.
							require.Contains(t, []string{"fsync", "close"}, call)
							require.Regexp(t, "(archived in|extracted to) ", got.stderr)
						}
						require.Equal(t, silent, s.run())
						s.replaced(t)
					}
				})
			}
		}
	})
}

// TestFailsForGood makes calls fail from the N-th on, as on a disk that is full or gone:
// the log stays, and at most a temporary file.
func TestFailsForGood(t *testing.T) {
	eachDeed(t, func(t *testing.T, deed deed) {
		for _, fault := range []calls.Fault{
			{Calls: []string{"write"}, Errno: syscall.ENOSPC}, {Calls: []string{"fsync"}, Errno: syscall.EIO},
			{Calls: []string{"unlinkat"}, Errno: syscall.EIO}, {Calls: []string{"linkat"}, Errno: syscall.EPERM},
			{Calls: []string{"write", "fsync", "unlinkat", "close"}, Errno: syscall.EIO},
		} {
			t.Run(fmt.Sprint(fault.Calls), func(t *testing.T) {
				t.Parallel()
				s := deed.scene(t, logText(300_000), 0o640)
				for n := 1; ; n++ {
					s.reset(t, 0o640)
					fault := calls.Fault{Calls: fault.Calls, Errno: fault.Errno, At: n, Onward: true}
					got := s.watched(t, fault.Before)
					if fault.Injected == 0 {
						require.Equal(t, silent, got)
						break
					}
					s.oldOrNew(t)
					if n < 3 { // the last fsync comes after the log was removed
						require.FileExists(t, s.file)
					}
					if got.status == 0 {
						require.Len(t, fault.Calls, 4) // one closed what was only read
						s.replaced(t)
						continue
					}
					require.Equal(t, 2, got.status)
					require.Regexp(t, message, got.stderr)
					require.Equal(t, silent, s.run())
					s.replaced(t)
				}
			})
		}
	})
}

// TestChangedMeanwhile changes the log at each stage of a run: the log is left alone, and
// no archive of what it was remains.
func TestChangedMeanwhile(t *testing.T) {
	eachDeed(t, func(t *testing.T, deed deed) {
		stages := []struct {
			name, call string
			n          int
		}{
			{"written", "fsync", 1}, {"compared", "fchmod", 1}, {"finished", "utimensat", 1}, {"synced", "fsync", 2}, {"named", "linkat", 1}, {"lasting", "fsync", 3},
		}
		write := func(t *testing.T, name string, flag int, text string) {
			f, err := os.OpenFile(name, os.O_WRONLY|flag, 0o600)
			require.NoError(t, err)
			_, err = f.WriteString(text)
			require.NoError(t, err)
			require.NoError(t, f.Close())
		}
		changes := []struct {
			name   string
			change func(t *testing.T, s *scene)
		}{
			{"grown", func(t *testing.T, s *scene) { write(t, s.file, os.O_APPEND, "more\n") }},
			{"cut", func(t *testing.T, s *scene) { require.NoError(t, os.Truncate(s.file, 5)) }},
			{"other bytes, same size and time", func(t *testing.T, s *scene) {
				write(t, s.file, 0, "[")
				require.NoError(t, os.Chtimes(s.file, longAgo, longAgo))
			}},
			{"replaced", func(t *testing.T, s *scene) {
				other := filepath.Join(t.TempDir(), "other")
				require.NoError(t, os.WriteFile(other, s.bytes, 0o640))
				require.NoError(t, os.Chtimes(other, longAgo, longAgo))
				require.NoError(t, os.Rename(other, s.file))
			}},
			{"linked", func(t *testing.T, s *scene) { require.NoError(t, os.Link(s.file, filepath.Join(t.TempDir(), "other"))) }},
			{"opened to all", func(t *testing.T, s *scene) { require.NoError(t, os.Chmod(s.file, 0o666)) }},
			{"gone", func(t *testing.T, s *scene) { require.NoError(t, os.Remove(s.file)) }},
		}
		for _, stage := range stages {
			for _, change := range changes {
				t.Run(stage.name+"/"+change.name, func(t *testing.T) {
					t.Parallel()
					s := deed.scene(t, logText(300_000), 0o640)
					var want []byte
					got := s.meanwhile(t, stage.call, stage.n, func() {
						change.change(t, s)
						want, _ = os.ReadFile(s.file)
					})
					require.Equal(t, outcome{2, "", "archive: " + s.file + ": changed meanwhile\n"}, got)
					late := stage.name == "synced" || stage.name == "named" || stage.name == "lasting"
					switch {
					case change.name == "gone" && late, change.name == "replaced" && late:
						// The archive may be the only copy.
						require.Contains(t, s.list(t), filepath.Base(s.target))
						text, err := unpack(s.target)
						require.NoError(t, err)
						require.Equal(t, sha256.Sum256(s.text), sha256.Sum256(text))
					case change.name == "gone":
						require.Empty(t, s.list(t))
					default:
						require.Equal(t, []string{filepath.Base(s.file)}, s.list(t))
					}
					is, _ := os.ReadFile(s.file)
					require.True(t, bytes.Equal(want, is))
				})
			}
		}
	})
}

// TestOpenedMeanwhile opens a file for writing at each stage of a run, and writes to it
// when the run is over: what is written is in the file.
func TestOpenedMeanwhile(t *testing.T) {
	eachDeed(t, func(t *testing.T, deed deed) {
		for _, stage := range []struct {
			call string
			n    int
		}{{"fsync", 1}, {"fchmod", 1}, {"fsync", 2}, {"linkat", 1}, {"fsync", 3}} {
			s := deed.scene(t, logText(300_000), 0o640)
			needLeases(t, s.file)
			var w *os.File
			got := s.meanwhile(t, stage.call, stage.n, func() {
				var err error
				w, err = os.OpenFile(s.file, os.O_APPEND|os.O_WRONLY, 0)
				require.NoError(t, err)
			})
			require.Equal(t, outcome{2, "", "archive: " + s.file + ": is open for writing in another process\n"}, got)
			s.untouched(t)
			_, err := w.WriteString("more")
			require.NoError(t, err)
			require.NoError(t, w.Close())
			text, err := os.ReadFile(s.file)
			require.NoError(t, err)
			require.Equal(t, string(s.bytes)+"more", string(text))
		}
	})
}

// TestOpenedAtRemoval opens a file for writing when the program is about to remove it: the
// lease makes the opener wait, and the program reports that there was one.
func TestOpenedAtRemoval(t *testing.T) {
	s := newScene(t, logText(1000), 0o640)
	needLeases(t, s.file)
	removed := 0
	got := s.watched(t, func(call string) syscall.Errno {
		if call == "unlinkat" {
			removed++ // the first removes the temporary name
		}
		if call == "unlinkat" && removed == 3 {
			_, err := os.OpenFile(s.file, os.O_WRONLY|os.O_APPEND|syscall.O_NONBLOCK, 0)
			require.ErrorIs(t, err, syscall.EAGAIN)
		}
		return 0
	})
	require.Equal(t, outcome{2, "", "archive: " + s.file + ": archived in " + s.target +
		", and removed while a process opened it for writing: what that writes is lost\n"}, got)
	s.replaced(t)
}

// TestStaleStays changes a log when its archive has its name, and makes the archive
// impossible to remove.
func TestStaleStays(t *testing.T) {
	eachDeed(t, func(t *testing.T, deed deed) {
		s := deed.scene(t, logText(300_000), 0o640)
		change := calls.After("linkat", 1, func() { require.NoError(t, os.Truncate(s.file, 5)) })
		fault := &calls.Fault{Calls: []string{"unlinkat"}, Errno: syscall.EIO, At: 3} // the first two remove the temporary name and the mark
		got := s.watched(t, func(call string) syscall.Errno {
			_ = change(call)
			return fault.Before(call)
		})
		require.Equal(t, outcome{2, "", "archive: " + s.file + ": changed meanwhile, and " + s.target +
			", which is stale, was not removed: input/output error\n"}, got)
		require.Equal(t, []string{"s.jsonl", "s.jsonl.zst"}, s.list(t))
		text, err := unpack(s.target)
		require.NoError(t, err)
		require.Equal(t, sha256.Sum256(s.text), sha256.Sum256(text))
	})
}

// TestReadBack changes the temporary file before it is read back.
func TestReadBack(t *testing.T) {
	eachDeed(t, func(t *testing.T, deed deed) {
		places := []int64{0, 5, 100, 5000, -1, -5, -9, -12, -20, -30, -40, -60}
		if testing.Short() {
			places = []int64{0, 5000, -9, -40}
		}
		for _, at := range places {
			t.Run(fmt.Sprint(at), func(t *testing.T) {
				t.Parallel()
				s := deed.scene(t, logText(5_000_000), 0o640)
				got := s.meanwhile(t, "fsync", 1, func() {
					names, err := filepath.Glob(filepath.Join(s.dir, ".jlcompact-*-*"))
					require.NoError(t, err)
					require.Len(t, names, 1)
					packed, err := os.ReadFile(names[0])
					require.NoError(t, err)
					i := at
					if i < 0 {
						i += int64(len(packed))
					}
					packed[i] ^= 0x10
					require.NoError(t, os.WriteFile(names[0], packed, 0))
				})
				require.Equal(t, 2, got.status)
				require.Empty(t, got.stdout)
				require.Regexp(t, "^archive: "+s.file+": read back "+s.target+": .*\n$", got.stderr)
				s.untouched(t)
			})
		}
	})
}

// TestTargetAppears takes the name of the archive for another file.
func TestTargetAppears(t *testing.T) {
	eachDeed(t, func(t *testing.T, deed deed) {
		s := deed.scene(t, logText(300_000), 0o640)
		got := s.meanwhile(t, "fsync", 2, func() { require.NoError(t, os.WriteFile(s.target, []byte("mine"), 0o600)) })
		require.Equal(t, outcome{2, "", "archive: " + s.file + ": " + s.target + " exists\n"}, got)
		text, err := os.ReadFile(s.target)
		require.NoError(t, err)
		require.Equal(t, "mine", string(text))
		require.NoError(t, os.Remove(s.target))
		s.untouched(t)

		// Then it replaces the archive by another file.
		got = s.meanwhile(t, "fsync", 3, func() {
			other := filepath.Join(t.TempDir(), "other")
			require.NoError(t, os.WriteFile(other, []byte("mine"), 0o600))
			require.NoError(t, os.Rename(other, s.target))
		})
		require.Equal(t, outcome{2, "", "archive: " + s.file + ": read back " + s.target + ": changed meanwhile\n"}, got)
		require.NoError(t, os.Remove(s.target))
		s.untouched(t)
	})
}

// TestModes looks at the mode of the temporary file: it is 0600 until the file is whole,
// then the mode of the log.
func TestModes(t *testing.T) {
	eachDeed(t, func(t *testing.T, deed deed) {
		for _, mode := range []fs.FileMode{0o600, 0o400, 0o644, 0o640, 0o444, 0o000} {
			t.Run(fmt.Sprintf("%04o", mode), func(t *testing.T) {
				t.Parallel()
				if mode&0o400 == 0 && os.Geteuid() != 0 {
					env.NeedsRoot(t)
				}
				s := deed.scene(t, logText(300_000), mode)
				modes := func() (modes []fs.FileMode) {
					names, err := filepath.Glob(filepath.Join(s.dir, ".jlcompact-*-*"))
					require.NoError(t, err)
					for _, name := range names {
						info, err := os.Lstat(name)
						require.NoError(t, err)
						modes = append(modes, info.Mode())
					}
					return modes
				}
				old := syscall.Umask(0o022)
				syscall.Umask(old)
				for _, at := range []struct {
					call string
					n    int
					mode fs.FileMode
				}{{"flock", 2, 0o600}, {"fsync", 1, 0o600}, {"fsync", 2, mode}} {
					s.reset(t, mode)
					got := s.meanwhile(t, at.call, at.n, func() { require.Equal(t, []fs.FileMode{at.mode}, modes()) })
					require.Equal(t, silent, got)
					s.replaced(t)
				}
			})
		}
	})
}

// TestFullDisk archives onto a file system that has no room.
func TestFullDisk(t *testing.T) {
	env.NeedsRoot(t)
	s := newScene(t, logText(5_000_000), 0o640)
	to := t.TempDir()
	if err := exec.Command("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", to).Run(); err != nil {
		t.Skip("may not mount: ", err)
	}
	defer exec.Command("umount", to).Run()
	got := archive(t, "--to", to, s.file)
	require.Equal(t, outcome{2, "", "archive: " + s.file + ": write " + to + "/s.jsonl.zst: no space left on device\n"}, got)
	s.untouched(t)
	left, err := os.ReadDir(to)
	require.NoError(t, err)
	require.Empty(t, left)
}
