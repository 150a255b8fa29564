package archive

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A sweep is a way that a run can go, by what is in the directory besides FILE.
type sweep struct {
	name   string
	before func(t *testing.T, s *scene)
	calls  map[string]int // that are interrupted: how many there are, or -1 if that varies
}

// eachSweep runs do in a subtest for each deed and each sweep.
func eachSweep(t *testing.T, do func(t *testing.T, deed deed, sweep sweep)) {
	for _, deed := range deeds {
		for _, sweep := range sweeps {
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
		map[string]int{"write": 4, "fsync": 4, "linkat": 1, "unlinkat": 2, "fchmod": 1, "utimensat": 1, "flock": 2,
			"close": -1, "openat": -1, "lseek": -1, "read": -1, "pread64": -1, "newfstatat": -1, "fstat": -1, "getdents64": -1, "fgetxattr": 2},
	},
	{
		"leftover",
		func(t *testing.T, s *scene) {
			require.NoError(t, os.WriteFile(filepath.Join(s.dir, ".jlcompact-123"), []byte("half"), 0o600))
		},
		map[string]int{"unlinkat": 3, "flock": 3, "linkat": 1},
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

// TestKillAtEveryCall kills the program at the beginning of its N-th call of each kind,
// for all N: the log or its archive is whole, and a second run completes the work and
// leaves nothing else.
func TestKillAtEveryCall(t *testing.T) {
	needStrace(t)
	var kills atomic.Int32
	t.Cleanup(func() { t.Logf("killed %d times", kills.Load()) })
	eachSweep(t, func(t *testing.T, deed deed, sweep sweep) {
		for call, known := range sweep.calls {
			t.Run(call, func(t *testing.T) {
				t.Parallel()
				size := 300_000
				if call == "write" {
					size = 9_000_000 // three frames and the table
				}
				s := deed.scene(t, logText(size), 0o640)
				n := 1
				for ; ; n++ {
					require.Less(t, n, 200)
					s.reset(t, 0o640)
					sweep.before(t, s)
					got, _ := traced(t, []string{"-e", "trace=" + call, "-e", fmt.Sprintf("inject=%s:signal=SIGKILL:when=%d", call, n)},
						s.args())
					if got == silent {
						s.replaced(t)
						break
					}
					require.Equal(t, outcome{status: -1}, got)
					kills.Add(1)
					s.oldOrNew(t)
					require.Equal(t, silent, s.run(t))
					s.replaced(t)
				}
				if known >= 0 && (call != "write" || !s.extract) {
					require.Equal(t, known, n-1)
				}
			})
		}
	})
}

// TestKillAtAnyTime kills the program at random times: 10 times, or as often as
// JL_TEST_KILLS says.
func TestKillAtAnyTime(t *testing.T) {
	eachDeed(t, func(t *testing.T, deed deed) {
		kills := 10
		if env := os.Getenv("JL_TEST_KILLS"); env != "" {
			var err error
			kills, err = strconv.Atoi(env)
			require.NoError(t, err)
		}
		s := deed.scene(t, logText(5_000_000), 0o600)
		whole := time.Hour
		for range 3 {
			s.reset(t, 0o600)
			begin := time.Now()
			require.Equal(t, silent, s.run(t))
			whole = min(whole, time.Since(begin))
			s.replaced(t)
		}
		runs, killed, old, both := 0, 0, 0, 0
		for ; killed < kills; runs++ {
			require.Less(t, runs, 10*kills)
			s.reset(t, 0o600)
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(rand.Int64N(int64(whole))))
			cmd := exec.CommandContext(ctx, "archive", s.args()...) // which kills by SIGKILL
			if cmd.Start() == nil {
				_ = cmd.Wait()
				if cmd.ProcessState.ExitCode() < 0 {
					killed++
				}
			}
			cancel()
			s.oldOrNew(t)
			switch names := s.list(t); {
			case slices.Contains(names, filepath.Base(s.file)) && slices.Contains(names, filepath.Base(s.target)):
				both++
			case slices.Contains(names, filepath.Base(s.file)):
				old++
			}
			require.Equal(t, silent, s.run(t))
			s.replaced(t)
		}
		t.Logf("killed %d times in %d runs of %v: the log was left %d times, both %d times", killed, runs, whole, old, both)
	})
}

// TestSignals ends the program by a signal while it writes: the temporary file is removed,
// and the log is left alone.
func TestSignals(t *testing.T) {
	needStrace(t)
	eachDeed(t, func(t *testing.T, deed deed) {
		for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
			t.Run(sig.String(), func(t *testing.T) {
				t.Parallel()
				s := deed.scene(t, logText(300_000), 0o640)
				// The second call takes long enough for the signal to be handled before it ends.
				got, trace := traced(t, []string{"-e", "trace=fsync,fchmod", "-e", fmt.Sprintf("inject=fsync:signal=%d:when=1", int(sig)),
					"-e", "inject=fchmod:delay_enter=3000000"}, s.args())
				require.Equal(t, -1, got.status)
				require.Regexp(t, `killed by SIG(INT|TERM|HUP)`, trace)
				s.untouched(t)
			})
		}
	})
}

// TestEveryCallFails makes the N-th call of each kind fail, for all N. Either the failure
// does not matter and the work is done, or the program reports it in one line and with
// status 2, and the log or its archive is whole. Then a second run completes the work.
func TestEveryCallFails(t *testing.T) {
	needStrace(t)
	faults := map[string][]string{
		"write":      {"ENOSPC", "EIO", "EDQUOT"},
		"fsync":      {"EIO", "ENOSPC"},
		"close":      {"EIO"},
		"linkat":     {"EXDEV", "EPERM", "EMLINK", "EIO"},
		"openat":     {"EACCES", "EMFILE", "EIO"},
		"unlinkat":   {"EIO", "EPERM", "EBUSY"},
		"fchmod":     {"EPERM", "EIO"},
		"utimensat":  {"EPERM", "EIO"},
		"read":       {"EIO"},
		"pread64":    {"EIO"},
		"lseek":      {"EIO"},
		"newfstatat": {"EIO", "EACCES"},
		"fstat":      {"EIO"},
		"fgetxattr":  {"EIO"},
		"getdents64": {"EIO"},
		"flock":      {"ENOLCK", "EBADF"}, // the program continues without locks
	}
	// All of these matter: they write the archive, or make it last.
	grave := []string{"write", "fsync", "linkat", "unlinkat", "fchmod", "utimensat", "pread64", "getdents64", "fgetxattr"}
	var failures, reported atomic.Int32
	t.Cleanup(func() { t.Logf("%d failures, %d of them reported", failures.Load(), reported.Load()) })
	eachSweep(t, func(t *testing.T, deed deed, sweep sweep) {
		for call, errs := range faults {
			if sweep.calls[call] == 0 || call == "flock" && sweep.name == "leftover" {
				continue // without locks, a leftover stays
			}
			for _, fault := range errs {
				t.Run(call+"/"+fault, func(t *testing.T) {
					t.Parallel()
					s := deed.scene(t, logText(300_000), 0o640)
					for n := 1; ; n++ {
						require.Less(t, n, 200)
						s.reset(t, 0o640)
						sweep.before(t, s)
						got, trace := traced(t, []string{"-e", "trace=" + call, "-e", fmt.Sprintf("inject=%s:error=%s:when=%d", call, fault, n)},
							s.args())
						if !strings.Contains(trace, "(INJECTED)") {
							require.Equal(t, silent, got)
							break
						}
						if got.status == 127 {
							continue // the loader's call
						}
						failures.Add(1)
						s.oldOrNew(t)
						if got.status == 0 {
							require.NotContains(t, grave, call, trace)
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
						require.Equal(t, silent, s.run(t))
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
	needStrace(t)
	eachDeed(t, func(t *testing.T, deed deed) {
		for _, fault := range []string{"write:error=ENOSPC", "fsync:error=EIO", "unlinkat:error=EIO", "linkat:error=EPERM", "write,fsync,unlinkat,close:error=EIO"} {
			t.Run(fault, func(t *testing.T) {
				t.Parallel()
				s := deed.scene(t, logText(300_000), 0o640)
				call, _, _ := strings.Cut(fault, ":")
				for n := 1; ; n++ {
					s.reset(t, 0o640)
					got, trace := traced(t, []string{"-e", "trace=" + call, "-e", fmt.Sprintf("inject=%s:when=%d+", fault, n)}, s.args())
					if !strings.Contains(trace, "(INJECTED)") {
						require.Equal(t, silent, got)
						break
					}
					if got.status == 127 {
						continue // the loader's call
					}
					s.oldOrNew(t)
					if n < 3 { // the last fsync comes after the log was removed
						require.FileExists(t, s.file)
					}
					if got.status == 0 {
						require.Equal(t, "write,fsync,unlinkat,close", call) // of what was only read
						s.replaced(t)
						continue
					}
					require.Equal(t, 2, got.status)
					if !strings.HasPrefix(call, "write") { // which a message needs
						require.Regexp(t, message, got.stderr)
					}
					require.Equal(t, silent, s.run(t))
					s.replaced(t)
				}
			})
		}
	})
}

// calledOn finds in a trace made with -y the name of a call, the open file or directory
// that it is given, and a name in that directory.
var calledOn = regexp.MustCompile(`^\d+ +(\w+)\((?:AT_FDCWD[^,]*|\d+<([^>]*)>)(?:, "([^"]*)")?`)

// TestOrder finds the steps in a trace: the contents are on the disk before the
// replacement gets its name, and the name before FILE is removed. Nothing is opened for writing but
// the temporary file, which no other user can open.
func TestOrder(t *testing.T) {
	needStrace(t)
	eachDeed(t, testOrder)
}

func testOrder(t *testing.T, deed deed) {
	s := deed.scene(t, logText(2_500_000), 0o600)
	to := t.TempDir()
	calls := []string{"-y", "-e", "trace=write,fsync,linkat,unlinkat,fchmod,utimensat,openat,read,rename,renameat,renameat2,creat,open"}
	got, trace := traced(t, calls, s.args("--to", to))
	require.Equal(t, silent, got)

	var steps []string
	for line := range strings.Lines(trace) {
		m := calledOn.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		call, path := m[1], m[3]
		if !filepath.IsAbs(path) {
			path = filepath.Join(m[2], path)
		}
		switch name := filepath.Base(path); {
		case strings.HasPrefix(name, ".jlcompact-"):
			path = "temp"
		case path == s.file:
			path = "file"
		case filepath.Clean(path) == to:
			path = "to"
		case filepath.Clean(path) == s.dir:
			path = "from"
		default:
			require.NotRegexp(t, `O_WRONLY|O_RDWR|O_CREAT`, line)
			continue
		}
		if call == "openat" && strings.Contains(line, "O_CREAT") {
			require.Contains(t, line, "O_EXCL")
			require.Contains(t, line, ", 0600)")
			call = "create"
		}
		if call == "fchmod" {
			require.Contains(t, line, ", 0600)")
		}
		if step := call + " " + path; len(steps) == 0 || steps[len(steps)-1] != step {
			steps = append(steps, step)
		}
	}
	all := strings.Join(steps, ", ")
	// Reading and writing alternate.
	all = regexp.MustCompile(`(read file, write temp, )+(read file, )?`).ReplaceAllString(all, "pack, ")
	all = regexp.MustCompile(`write temp, `).ReplaceAllString(all, "pack, ")
	all = regexp.MustCompile(`(pack, )+`).ReplaceAllString(all, "pack, ")
	all = regexp.MustCompile(`(read temp, |read file, )+`).ReplaceAllString(all, "read, ")
	// It is opened, and read for leftovers.
	all = strings.TrimPrefix(all, "openat to, ")
	// The head of an archive is read before FILE is opened.
	all = strings.Replace(all, "fsync temp, read, openat", "fsync temp, openat", 1)
	require.Equal(t, "openat from, openat file, create temp, openat file, pack, fsync temp, openat file, read, "+
		"fchmod temp, utimensat temp, fsync temp, linkat temp, unlinkat temp, fsync to, unlinkat file, fsync from",
		all)
}

// TestChangedMeanwhile changes the log at each stage of a run: the log is left alone, and
// no archive of what it was remains.
func TestChangedMeanwhile(t *testing.T) {
	needStrace(t)
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
					got := meanwhile(t, s, stage.call, stage.n, func() {
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
	needStrace(t)
	eachDeed(t, func(t *testing.T, deed deed) {
		for _, stage := range []struct {
			call string
			n    int
		}{{"fsync", 1}, {"fchmod", 1}, {"fsync", 2}, {"linkat", 1}, {"fsync", 3}} {
			s := deed.scene(t, logText(300_000), 0o640)
			needLeases(t, s.file)
			var w *os.File
			got := meanwhile(t, s, stage.call, stage.n, func() {
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
// opener waits for the lease, and the program reports that there was one.
func TestOpenedAtRemoval(t *testing.T) {
	needStrace(t)
	s := newScene(t, logText(1000), 0o640)
	needLeases(t, s.file)
	opened := make(chan error)
	go func() {
		leased := fmt.Sprintf(":%d ", stat(s.was).Ino)
		for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
			locks, _ := os.ReadFile("/proc/locks")
			if _, err := os.Lstat(s.target); err == nil && regexp.MustCompile("LEASE .*"+leased).Match(locks) {
				break
			}
		}
		time.Sleep(200 * time.Millisecond) // until the program has looked for the last time
		f, err := os.OpenFile(s.file, os.O_WRONLY|os.O_APPEND, 0)
		f.Close()
		opened <- err
	}()
	// The first removes the temporary name.
	got, _ := traced(t, []string{"-e", "inject=unlinkat:delay_enter=1000000:when=2"}, s.args())
	require.NoError(t, <-opened)
	require.Equal(t, outcome{2, "", "archive: " + s.file + ": archived in " + s.target +
		", and removed while a process opened it for writing: what that writes is lost\n"}, got)
	s.replaced(t)
}

// TestStaleStays changes a log when its archive has its name, and makes the archive
// impossible to remove.
func TestStaleStays(t *testing.T) {
	needStrace(t)
	eachDeed(t, func(t *testing.T, deed deed) {
		s := deed.scene(t, logText(300_000), 0o640)
		got := meanwhile(t, s, "linkat", 1, func() { require.NoError(t, os.Truncate(s.file, 5)) },
			"-e", "inject=unlinkat:error=EIO:when=2") // the first removes the temporary name
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
	needStrace(t)
	eachDeed(t, func(t *testing.T, deed deed) {
		for _, at := range []int64{0, 5, 100, 5000, -1, -5, -9, -12, -20, -30, -40, -60} {
			t.Run(fmt.Sprint(at), func(t *testing.T) {
				t.Parallel()
				s := deed.scene(t, logText(5_000_000), 0o640)
				got := meanwhile(t, s, "fsync", 1, func() {
					names, err := filepath.Glob(filepath.Join(s.dir, ".jlcompact-*"))
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
	needStrace(t)
	eachDeed(t, func(t *testing.T, deed deed) {
		s := deed.scene(t, logText(300_000), 0o640)
		got := meanwhile(t, s, "fsync", 2, func() { require.NoError(t, os.WriteFile(s.target, []byte("mine"), 0o600)) })
		require.Equal(t, outcome{2, "", "archive: " + s.file + ": " + s.target + " exists\n"}, got)
		text, err := os.ReadFile(s.target)
		require.NoError(t, err)
		require.Equal(t, "mine", string(text))
		require.NoError(t, os.Remove(s.target))
		s.untouched(t)

		// Then it replaces the archive by another file.
		got = meanwhile(t, s, "fsync", 3, func() {
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
// then that of the log.
func TestModes(t *testing.T) {
	needStrace(t)
	eachDeed(t, func(t *testing.T, deed deed) {
		for _, mode := range []fs.FileMode{0o600, 0o400, 0o644, 0o640, 0o444, 0o000} {
			t.Run(fmt.Sprintf("%04o", mode), func(t *testing.T) {
				t.Parallel()
				if mode&0o400 == 0 && os.Geteuid() != 0 {
					t.Skip("it cannot be read")
				}
				s := deed.scene(t, logText(300_000), mode)
				modes := func() (modes []fs.FileMode) {
					names, err := filepath.Glob(filepath.Join(s.dir, ".jlcompact-*"))
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
					got := meanwhile(t, s, at.call, at.n, func() { require.Equal(t, []fs.FileMode{at.mode}, modes()) })
					require.Equal(t, silent, got)
					s.replaced(t)
				}
			})
		}
	})
}

// TestFullDisk archives onto a file system that has no room.
func TestFullDisk(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("not root")
	}
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
