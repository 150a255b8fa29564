package fleet

import (
	"fmt"
	"math"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jl/test/env"
	"jl/test/scripttest"
)

// small are few sessions in which everything can go wrong.
var small = Sessions{N: 40, Bytes: 4000, Huge: 200, Damaged: 4, Missing: 3}

// programs puts the programs in the PATH and skips the test if a tool is not installed.
func programs(t *testing.T, tools ...string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the scripts use GNU tools")
	}
	t.Setenv("PATH", os.Getenv("PATH")+":/usr/sbin")
	env.Needs(t, append(tools, "bash", "jq", "flock", "stat", "du")...)
	out, err := build()
	require.NoError(t, err, "%s", out)
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
}

// bin is the directory of the programs, and made whether they are there already.
var (
	bin  = os.Getenv("TORTURE_BIN")
	made = bin != ""
)

// build builds the programs, unless they are there.
var build = sync.OnceValues(func() ([]byte, error) {
	if made {
		return nil, nil
	}
	return exec.Command("go", "build", "-o", bin, "../../cmd/...").CombinedOutput()
})

func TestMain(m *testing.M) {
	if !made {
		var err error
		if bin, err = os.MkdirTemp("", "fleet-"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
	}
	scripttest.DefaultSignals()
	status := m.Run()
	if !made {
		_ = os.RemoveAll(bin)
	}
	os.Exit(status)
}

// TestCut wants the chunks to hold each unit once, the huge one alone, and all others in
// chunks of about the same size.
func TestCut(t *testing.T) {
	programs(t)
	s, units := newSite(t, Sessions{N: 200, Bytes: 4000, Huge: 25_000})
	s.list("twice", slices.Concat(units, units))
	require.Equal(t, "10", s.sh("fleet/cut.sh 10 run true <twice"))
	var all []string
	least, most := len(units), 0
	for k := 1; k <= 10; k++ {
		chunk := listOf(t, filepath.Join(s.dir, "run", fmt.Sprint(k, ".chunk")))
		all = append(all, chunk...)
		if k == 1 {
			require.Equal(t, units[:1], chunk)
			continue
		}
		least, most = min(least, len(chunk)), max(most, len(chunk))
	}
	require.ElementsMatch(t, units, all)
	require.LessOrEqual(t, most-least, 1)

	require.Contains(t, s.fails(2, "fleet/cut.sh 10 run true <units"), "run exists")
	require.Contains(t, s.fails(1, "fleet/cut.sh 10 none true </dev/null"), "no units")
	for _, args := range []string{"", "10", "10 none", "0 none true", "ten none true"} {
		require.Contains(t, s.fails(2, "fleet/cut.sh "+args+" <units"), "usage: ")
	}
	require.Empty(t, s.sh("compgen -G 'none*' || true"))
	require.Equal(t, "200", s.sh("fleet/cut.sh 1000 most/ true <units"))

	// Two that make the same run at once take nothing from each other, and a folder with a similar name stays.
	require.Equal(t, "10\nboth\nboth.tmp", s.sh("mkdir both.tmp; (fleet/cut.sh 10 both true <units & fleet/cut.sh 10 both true <units; wait) 2>/dev/null; compgen -G 'both*' | sort"))
	require.Equal(t, "10", s.sh("compgen -G 'both/*.chunk' | wc -l"))
}

// TestNames does units whose names a script may take for something else. The list does not
// end with NUL.
func TestNames(t *testing.T) {
	programs(t)
	s, units := newSite(t, Sessions{N: 1, Bytes: 4000})
	names := []string{"", "-n.jsonl", "\t.jsonl", " a \"b' .jsonl", "\n.jsonl", "\xff.jsonl", "$(touch x).jsonl", "*.jsonl", "a]b[.jsonl", "@", "\\n.jsonl", ".jsonl"}
	for _, name := range names[1:] {
		require.NoError(t, os.Link(units[0], filepath.Join(s.dir, name)))
	}
	require.NoError(t, os.WriteFile(filepath.Join(s.dir, "list"), []byte(strings.Join(names, "\x00")), 0o600))
	for _, line := range []string{"jltree --check", "jltree -H", "jlrev"} {
		s.sh("rm -rf run; fleet/cut.sh 1 run " + line + " -- <list; fleet/task.sh run 1")
		require.ElementsMatch(t, names, listOf(t, filepath.Join(s.dir, "run", "1.chunk")))
		s.sh("while IFS= read -r -d '' unit; do " + line + ` -- "$unit"; done <run/1.chunk 2>messages >plain; cmp plain run/1.out`)
		require.Contains(t, s.sh("fleet/collect.sh run"), "\n11 with status 0\n0 with status 1\n1 with status 2\n")
	}
	require.NoFileExists(t, filepath.Join(s.dir, "x"))
}

// TestJobs does each job without an engine, all chunks one after another.
func TestJobs(t *testing.T) {
	programs(t)
	few := Sessions{N: 12, Bytes: 4000, Huge: 200, Damaged: 2, Missing: 1} // each is a chunk
	s, units := newSite(t, few)
	for job, line := range map[string]string{
		"check":   "fleet/cut.sh 64 check fleet/unit.sh check <units",
		"edges":   "fleet/cut.sh 64 edges fleet/unit.sh edges <units",
		"touched": "fleet/cut.sh 64 touched fleet/unit.sh touched src/energy.go <units",
	} {
		require.Equal(t, "12", s.types(line))
		s.sh("for k in {1..12}; do fleet/task.sh " + job + " $k || exit; done")
		require.Contains(t, s.sh("fleet/collect.sh "+job), "12 chunks are done, 0 are not\n")
		compare(t, filepath.Join(s.dir, job), job, units)
	}
	require.Contains(t, s.types("jq -c 'select(.totals | not)' check/*.out"), `"finding":"malformed"`)
	require.Contains(t, s.types("cat touched/*.out | jq -r .log | sort -u"), units[0]+"\n")
	s.sh("jlcompact --archive " + units[0])
	s.types("find -L sessions -path '*/subagents' -prune -o '(' -name '*.jsonl' -o -name '*.jsonl.zst' ')' -print0 >units")
	found := listOf(t, filepath.Join(s.dir, "units"))
	require.Len(t, found, few.N-few.Missing)
	s.types("jlrel --home HOME --list -0 >units", "HOME", "sessions")
	require.ElementsMatch(t, found, listOf(t, filepath.Join(s.dir, "units")))
}

// TestReport wants a line for each unit that has no good answer, with its messages.
func TestReport(t *testing.T) {
	programs(t)
	s, _ := newSite(t, Sessions{N: 8, Bytes: 4000, Damaged: 1, Missing: 1})
	s.sh("fleet/cut.sh 1 check fleet/unit.sh check <units; fleet/task.sh check 1")
	require.Empty(t, s.types("fleet/collect.sh check >check/report"))
	size := s.sh("stat -c %s check/1.out")
	damaged := s.sh("grep ^1 check/1.units")
	missing := "$'" + s.dir + "/sessions/projects/-home-ada-two\\nlines/"
	report := s.sh("cat check/report")
	require.Regexp(t, "^8 units, "+size+" bytes\n6 with status 0\n1 with status 1\n1 with status 2\n1 chunks are done, 0 are not\n", report)
	require.Contains(t, report, damaged)
	require.Contains(t, report, "\n2\t0\t"+missing)
	require.Contains(t, report, "\n\tjltree: "+s.dir+"/sessions/projects/-home-ada-two\\u000alines/")
}

// TestArchive archives a session again while some of its archives are there, as after a kill.
func TestArchive(t *testing.T) {
	programs(t, "zstd")
	s, units := newSite(t, Sessions{N: 1, Bytes: 4000})
	agent := logsOf(t, units[0])[1]
	want := s.sh("fleet/unit.sh archive " + units[0])
	require.Equal(t, 2, strings.Count(want, ".jsonl.zst"))
	require.NoFileExists(t, units[0])
	require.NoFileExists(t, agent)
	before := listing(t, s.dir, ".zst")
	s.sh("zstd -dq --rm " + agent + ".zst")
	require.Equal(t, want, s.sh("fleet/unit.sh archive "+units[0]))
	require.Equal(t, want, s.sh("fleet/unit.sh archive "+units[0]))
	require.Equal(t, want, s.sh("fleet/unit.sh archive "+units[0]+".zst"))
	require.Equal(t, before, listing(t, s.dir, ".zst"))
	require.Contains(t, s.fails(2, "fleet/unit.sh archive none.jsonl"), "jlcompact: none.jsonl: no such file or directory")
}

// TestTouchedPath finds a path that JSON escapes, in logs of Claude and of pi.
func TestTouchedPath(t *testing.T) {
	programs(t)
	s, _ := newSite(t, Sessions{N: 1, Bytes: 1})
	require.NoError(t, os.WriteFile(filepath.Join(s.dir, "c.jsonl"), []byte(`{"type":"assistant","uuid":"u","message":{"content":[{"type":"tool_use","name":"Edit","input":{"file_path":"C:\\a\"b"}}]}}
{"type":"assistant","uuid":"v","message":{"content":[{"type":"text","text":"C:\\a\"b"}]}}
`), 0o600))
	require.JSONEq(t, `{"log":"c.jsonl","agentId":null,"id":"u","timestamp":null,"tool":"Edit"}`, s.sh(`fleet/unit.sh touched 'C:\a"b' c.jsonl`))
	require.Empty(t, s.sh(`fleet/unit.sh touched b c.jsonl`))
	require.NoError(t, os.WriteFile(filepath.Join(s.dir, "p.jsonl"), []byte(`{"type":"session","id":"s"}
{"type":"message","id":"m","parentId":null,"message":{"role":"assistant","content":[{"type":"toolCall","name":"read","arguments":{"path":"/x/b"}}]}}
`), 0o600))
	require.Contains(t, s.sh(`fleet/unit.sh touched b p.jsonl`), `"id":"m"`)
}

// TestKilledTask kills a task in the middle of its chunk. The next try must give what a
// task that was not killed gives.
func TestKilledTask(t *testing.T) {
	programs(t)
	s, units := newSite(t, small)
	s.sh(`fleet/cut.sh 1 check bash -c '[ -e go ] || [ "$(wc -l <check/1.new.units)" -lt 5 ] || sleep 100; exec "$@"' pause fleet/unit.sh check <units`)
	cmd := s.command("exec fleet/task.sh check 1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	require.NoError(t, cmd.Start())
	require.Eventually(t, func() bool { done, _ := s.progress("check", "1"); return done == 5 }, time.Minute, time.Millisecond)
	require.NoError(t, syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL))
	require.Error(t, cmd.Wait())
	require.Contains(t, s.fails(1, "fleet/collect.sh check"), "\n0 chunks are done, 1 are not\nnot done: --array=1\n")

	s.sh("touch go; fleet/task.sh check 1")
	compare(t, filepath.Join(s.dir, "check"), "check", units)
	before := listing(t, s.dir, ".out", ".units")
	s.sh("fleet/task.sh check 1")
	require.Equal(t, before, listing(t, s.dir, ".out", ".units"))
}

// TestOrphan kills a task, but not the program that it runs. What that program still prints
// must not be in the output of the next try.
func TestOrphan(t *testing.T) {
	programs(t)
	s, _ := newSite(t, Sessions{N: 1, Bytes: 1})
	s.sh(`fleet/cut.sh 1 run bash -c '[ -e again ] || { touch started; until [ -e again ]; do sleep 0.1; done; sleep 0.5; echo late; touch ended; }; echo done' orphan <units`)
	cmd := s.command("exec fleet/task.sh run 1")
	require.NoError(t, cmd.Start())
	exists := func(name string) func() bool {
		return func() bool { _, err := os.Stat(filepath.Join(s.dir, name)); return err == nil }
	}
	require.Eventually(t, exists("started"), time.Minute, time.Millisecond)
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	s.sh("touch again; fleet/task.sh run 1")
	require.Eventually(t, exists("ended"), time.Minute, time.Millisecond)
	require.Equal(t, "done", s.sh("cat run/1.out"))
}

// TestKilledRename kills a task before and after each rename. The next try must complete
// the chunk.
func TestKilledRename(t *testing.T) {
	programs(t)
	for _, kill := range []string{"before out", "after out", "before units", "after units"} {
		s, units := newSite(t, Sessions{N: 4, Bytes: 4000})
		when, what, _ := strings.Cut(kill, " ")
		s.sh("fleet/cut.sh 1 edges fleet/unit.sh edges <units; mkdir bin")
		mv := "#!/bin/bash\nafter() { command -p mv \"$@\"; }\nbefore() { true; }\ncase ${@: -1} in */1." + what + ") " + when + " \"$@\"; kill -KILL $PPID ;; *) after \"$@\" ;; esac\n"
		require.NoError(t, os.WriteFile(filepath.Join(s.dir, "bin", "mv"), []byte(mv), 0o755))
		s.fails(137, "PATH=$PWD/bin:$PATH; fleet/task.sh edges 1; exit $?")
		s.sh("fleet/task.sh edges 1; fleet/collect.sh edges")
		compare(t, filepath.Join(s.dir, "edges"), "edges", units)
	}
}

// TestSameChunk does a chunk in several tasks at once. Each unit must be done once.
func TestSameChunk(t *testing.T) {
	programs(t)
	s, units := newSite(t, small)
	s.sh(`fleet/cut.sh 1 run bash -c 'printf "%s\0" "$1" >>calls' call <units`)
	s.sh("for try in 1 2 3 4; do fleet/task.sh run 1 & all+=($!); done; for p in ${all[@]}; do wait $p || exit; done")
	require.ElementsMatch(t, units, listOf(t, filepath.Join(s.dir, "calls")))
}

// TestTrouble makes the machine fail under a task. The chunk must not be done, the report
// must say why, and the next try must do it.
func TestTrouble(t *testing.T) {
	programs(t)
	for _, test := range []struct{ name, command, before, message, cure string }{
		{"full disk, output", "fleet/unit.sh check", "ln -s /dev/full run/1.new.out", "': jltree: write: no space left on device\n", "rm run/1.new.out"},
		{"full disk, statuses", "fleet/unit.sh check", "ln -s /dev/full run/1.new.units", "cannot write run/1.new.units\n", "rm run/1.new.units"},
		{"missing program", "./program", "true", "status 127: ", "ln -s /bin/true program"},
		{"killed program", "bash -c '[ -e ok ] || kill -9 $$'", "true", "status 137: ", "touch ok"},
		{"killed grep", "fleet/unit.sh touched x", `mkdir bin; printf '#!/bin/bash\ncat >/dev/null; kill -9 $$\n' >bin/grep; chmod +x bin/grep`, "status 137: ", "rm bin/grep"},
		{"full disk, late", "true", `mkdir bin; printf '#!/bin/bash\nexit 1\n' >bin/sync; chmod +x bin/sync`, "cannot write run/1.new.units\n", "rm bin/sync"},
		{"lock", "true", "mkdir run/1.lock", "cannot write run/1.lock\n", "rmdir run/1.lock"},
		{"missing chunk", "true", "mv run/1.chunk x", "cannot read run/1.chunk\n", "mv x run/1.chunk"},
		{"missing command", "true", "mv run/command x", "cannot read run/command\n", "mv x run/command"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, units := newSite(t, Sessions{N: 4, Bytes: 4000})
			t.Setenv("PATH", filepath.Join(s.dir, "bin")+":"+os.Getenv("PATH"))
			s.sh("fleet/cut.sh 1 run " + test.command + " <units; " + test.before)
			require.Contains(t, s.fails(75, "fleet/task.sh run 1"), test.message)
			require.NoFileExists(t, filepath.Join(s.dir, "run", "1.units"))
			if test.name != "missing chunk" {
				require.Regexp(t, `(?s)\n0 chunks are done, 1 are not\nnot done: --array=1\n1: task.sh: .*`+test.message, s.fails(1, "fleet/collect.sh run"))
			}
			s.sh(test.cure + "; fleet/task.sh run 1")
			require.Contains(t, s.sh("fleet/collect.sh run"), fmt.Sprintf("\n%d with status 0\n", len(units)))
			require.NoFileExists(t, filepath.Join(s.dir, "run", "1.trouble"))
		})
	}
}

// TestBrokenResults wants the report not to count results that are not whole.
func TestBrokenResults(t *testing.T) {
	programs(t)
	for _, damage := range []string{"truncate -s -1 run/1.out", "sed -i '$d' run/1.units", ": >run/1.units", "rm run/1.units"} {
		s, _ := newSite(t, Sessions{N: 4, Bytes: 4000})
		s.sh("fleet/cut.sh 1 run fleet/unit.sh edges <units; fleet/task.sh run 1; fleet/collect.sh run; " + damage)
		require.Contains(t, s.fails(1, "fleet/collect.sh run"), "not done: --array=1", damage)
		s.sh("rm -f run/1.units; fleet/task.sh run 1; fleet/collect.sh run")
	}
}

// TestNoRun gives the scripts a folder that cut.sh did not make.
func TestNoRun(t *testing.T) {
	programs(t)
	s, _ := newSite(t, Sessions{N: 1, Bytes: 1})
	require.Contains(t, s.fails(2, "fleet/collect.sh sessions"), "not a run: sessions")
	require.Contains(t, s.fails(2, "fleet/submit.sh sessions"), "not a run: sessions")
	require.Contains(t, s.fails(75, "fleet/task.sh sessions 1"), "cannot read sessions/command")
	require.Contains(t, s.fails(2, "fleet/task.sh"), "usage: ")
}

// TestPipe wants what doc/fleet.md says about reading from a pipe: only the edges need no
// place for a copy.
func TestPipe(t *testing.T) {
	programs(t)
	s, units := newSite(t, Sessions{N: 1, Bytes: 10_000_000, Huge: 1})
	t.Setenv("TMPDIR", filepath.Join(s.dir, "none"))
	require.Equal(t, s.sh("jltree "+units[0]), s.sh("cat "+units[0]+" | jltree"))
	for _, program := range []string{"jltree --check", "jlleaf", "jlpath", "jlrev", "jlsnap", "jlcompact", "jlcompact -z"} {
		require.Contains(t, s.fails(2, "cat "+units[0]+" | "+program), "temporary file", program)
	}
}

// TestParallel types the lines for GNU parallel on one machine.
func TestParallel(t *testing.T) {
	programs(t, "parallel")
	s, units := newSite(t, small)
	require.Equal(t, "40", s.types("fleet/cut.sh 64 check fleet/unit.sh check <units"))
	s.sh("mkdir check/7.lock")
	line := "parallel --joblog check/joblog --resume fleet/task.sh check ::: $(seq $(ls check/*.chunk | wc -l))"
	require.Contains(t, s.fails(1, line), "cannot write check/7.lock")
	s.sh("rmdir check/7.lock; mv check/3.units three")
	s.types(line) // does nothing: all chunks were tried
	require.NoFileExists(t, filepath.Join(s.dir, "check", "3.units"))
	require.NoFileExists(t, filepath.Join(s.dir, "check", "7.units"))
	s.sh("mv three check/3.units")
	s.types("parallel --joblog check/joblog --retry-failed")
	s.types("fleet/collect.sh check >check/report")
	compare(t, filepath.Join(s.dir, "check"), "check", units)
}

// TestParallelResume interrupts GNU parallel in the middle and types the same line again.
func TestParallelResume(t *testing.T) {
	env.Long(t)
	programs(t, "parallel")
	s, units := newSite(t, small)
	s.sh(`fleet/cut.sh 64 check bash -c 'sleep 0.1; exec "$@"' pause fleet/unit.sh check <units`)
	line := "parallel --joblog check/joblog --resume fleet/task.sh check ::: $(seq $(ls check/*.chunk | wc -l))"
	cmd := s.command(line)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	require.NoError(t, cmd.Start())
	chunks := func() string { return s.sh("ls check | grep -c '^[0-9]*[.]units$' || true") }
	require.Eventually(t, func() bool { return chunks() != "0" }, time.Minute, time.Millisecond)
	require.NoError(t, syscall.Kill(-cmd.Process.Pid, syscall.SIGINT))
	require.Error(t, cmd.Wait())
	require.NotEqual(t, "40", chunks())
	s.types(line)
	compare(t, filepath.Join(s.dir, "check"), "check", units)
	require.Equal(t, "40", s.sh("tail -n +2 check/joblog | cut -f 9 | sort -u | wc -l"))
}

// TestColumns wants the SQL of doc/fleet.md to name all columns that edges have.
func TestColumns(t *testing.T) {
	programs(t)
	s, _ := newSite(t, Sessions{N: 1, Bytes: 1})
	logs, err := filepath.Abs("../../testdata")
	require.NoError(t, err)
	keys := s.sh("find '" + logs + "' -name '*.jsonl' -print0 | xargs -0 jltree -H 2>/dev/null | jq -r 'keys_unsorted[]' | sort -u")
	doc, err := os.ReadFile("../../doc/fleet.md")
	require.NoError(t, err)
	_, columns, _ := strings.Cut(string(doc), "columns = {")
	columns, _, _ = strings.Cut(columns, "}")
	var names []string
	for column := range strings.SplitSeq(columns, ",") {
		name, _, _ := strings.Cut(column, ":")
		names = append(names, strings.Trim(name, " \n\""))
	}
	require.ElementsMatch(t, strings.Fields(keys), names)
}

// TestFigures computes the last two columns of the table of speeds in doc/fleet.md.
func TestFigures(t *testing.T) {
	doc, err := os.ReadFile("../../doc/fleet.md")
	require.NoError(t, err)
	rows := regexp.MustCompile(`(?m)^\| .(\w+). \| (\d+) MB/s \| ([\d.]+).* \| (\d+) \| (\d+) \|$`).FindAllStringSubmatch(string(doc), -1)
	require.Len(t, rows, 4)
	for _, row := range rows {
		var n [4]float64
		for i := range n {
			n[i], err = strconv.ParseFloat(row[i+2], 64)
			require.NoError(t, err)
		}
		speed, read, cores, days := n[0]*1e6, n[1], n[2], n[3]
		require.Equal(t, math.Ceil(3.125e9/(speed*read)), cores, row[1])
		require.Equal(t, math.Round(1e15/speed/86_400), days, row[1])
	}
}

// TestParallelSSH types the lines for GNU parallel on several machines, which are two
// names of this one.
func TestParallelSSH(t *testing.T) {
	env.Long(t)
	programs(t, "parallel", "sshd", "ssh", "ssh-keygen")
	s, units := newSite(t, small)
	home := t.TempDir()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	port := listener.Addr().(*net.TCPAddr).Port
	require.NoError(t, listener.Close())
	s.sh("cd " + home + `; ssh-keygen -q -t ed25519 -N "" -f key; ssh-keygen -q -t ed25519 -N "" -f host; cp key.pub keys; [ $(id -u) != 0 ] || mkdir -p /run/sshd`)
	config := fmt.Sprintf("Port %d\nListenAddress 127.0.0.1\nHostKey %[2]s/host\nAuthorizedKeysFile %[2]s/keys\nPidFile none\nStrictModes no\nUsePAM no\nPermitRootLogin yes\n", port, home)
	require.NoError(t, os.WriteFile(filepath.Join(home, "sshd.conf"), []byte(config), 0o600))
	config = fmt.Sprintf("Host node1 node2\nHostName 127.0.0.1\nPort %d\nIdentityFile %[2]s/key\nUserKnownHostsFile %[2]s/known\nStrictHostKeyChecking no\nLogLevel ERROR\n", port, home)
	require.NoError(t, os.WriteFile(filepath.Join(home, "config"), []byte(config), 0o600))
	ssh := s.sh("command -v ssh")
	require.NoError(t, os.WriteFile(filepath.Join(home, "ssh"), []byte("#!/bin/sh\nexec "+ssh+" -F "+home+"/config \"$@\"\n"), 0o755))
	t.Setenv("PATH", home+":"+os.Getenv("PATH"))
	require.NoError(t, os.WriteFile(filepath.Join(s.dir, "nodes"), []byte("2/node1\n2/node2\n"), 0o600))

	server := s.command("exec $(command -v sshd) -D -e -f " + home + "/sshd.conf")
	require.NoError(t, server.Start())
	defer func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	}()
	require.Eventually(t, func() bool { return s.command("ssh node1 true").Run() == nil }, time.Minute, 100*time.Millisecond)

	s.sh("fleet/cut.sh 16 check fleet/unit.sh check <units")
	s.sh("mkdir check/7.lock")
	line := "parallel --sshloginfile nodes --workdir . --env PATH --joblog check/joblog --resume fleet/task.sh check ::: $(seq $(ls check/*.chunk | wc -l))"
	require.Contains(t, s.fails(1, line), "cannot write check/7.lock")
	s.sh("rmdir check/7.lock")
	s.types(line) // does nothing: all chunks were tried
	require.NoFileExists(t, filepath.Join(s.dir, "check", "7.units"))
	s.types("parallel --sshloginfile nodes --workdir . --env PATH --joblog check/joblog --retry-failed")
	require.Equal(t, "0", s.sh("cut -f 2 check/joblog | grep -c '^:$' || true"))
	compare(t, filepath.Join(s.dir, "check"), "check", units)
	for _, node := range []string{"node1", "node2"} {
		require.NotEqual(t, "0", s.sh("grep -c "+node+" check/joblog"))
	}
}
