package fleet

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
)

// A result is what a job answered for a unit.
type result struct {
	status        int
	out, messages string
}

// jobs are the commands of the plain loop for the logs of a unit: what unit.sh must do.
var jobs = map[string]func(t *testing.T, logs []string) result{
	"check": func(t *testing.T, logs []string) result {
		return run(t, "jltree", append([]string{"--check"}, logs...)...)
	},
	"edges": func(t *testing.T, logs []string) result {
		return run(t, "jltree", append(logs, os.DevNull)...)
	},
	"touched": touched,
}

// run runs a program of the suite.
func run(t *testing.T, program string, args ...string) result {
	var out, messages bytes.Buffer
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = &out, &messages
	err := cmd.Run()
	if _, ok := errors.AsType[*exec.ExitError](err); !ok {
		require.NoError(t, err)
	}
	return result{cmd.ProcessState.ExitCode(), out.String(), messages.String()}
}

const touchedPath = "ada/src/tnhrto.go"

// touched finds the tool calls of a path without grep and jq.
func touched(t *testing.T, logs []string) result {
	r := run(t, "jlrev", logs...)
	all := r.out
	r.out = ""
	for line := range strings.Lines(all) {
		var entry struct {
			UUID, Timestamp string
			Message         struct{ Content json.RawMessage }
		}
		var content []struct {
			Name  string
			Input struct {
				Path string `json:"file_path"`
			}
		}
		if json.Unmarshal([]byte(line), &entry) != nil || json.Unmarshal(entry.Message.Content, &content) != nil {
			continue
		}
		for _, c := range content {
			if strings.HasSuffix(c.Input.Path, "/"+touchedPath) {
				log, err := json.Marshal(logs[0])
				require.NoError(t, err)
				r.out += fmt.Sprintf(`{"log":%s,"agentId":null,"id":"%s","timestamp":"%s","tool":"%s"}`+"\n", log, entry.UUID, entry.Timestamp, c.Name)
			}
		}
	}
	return r
}

// logsOf returns the logs of a unit.
func logsOf(t *testing.T, unit string) []string {
	logs := []string{unit}
	folder := filepath.Join(strings.TrimSuffix(strings.TrimSuffix(unit, ".zst"), ".jsonl"), "subagents")
	entries, err := os.ReadDir(folder)
	if !errors.Is(err, fs.ErrNotExist) {
		require.NoError(t, err)
	}
	for _, e := range entries {
		logs = append(logs, filepath.Join(folder, e.Name()))
	}
	return logs
}

// listOf returns the strings in a file that are ended by NUL.
func listOf(t *testing.T, path string) []string {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return slices.Collect(func(yield func(string) bool) {
		for s := range strings.SplitSeq(string(text), "\x00") {
			if s != "" && !yield(s) {
				return
			}
		}
	})
}

// results returns the results of a run by unit. Each unit must have one.
func results(t *testing.T, dir string, units []string) map[string]result {
	all := map[string]result{}
	chunks, err := filepath.Glob(filepath.Join(dir, "*.chunk"))
	require.NoError(t, err)
	for _, chunk := range chunks {
		base := strings.TrimSuffix(chunk, ".chunk")
		out, err := os.ReadFile(base + ".out")
		require.NoError(t, err)
		rows, err := os.ReadFile(base + ".units")
		require.NoError(t, err)
		for _, unit := range listOf(t, chunk) {
			row, rest, _ := strings.Cut(string(rows), "\n")
			field := strings.SplitN(row, "\t", 3)
			require.Len(t, field, 3, "%s: %s", chunk, unit)
			status, err := strconv.Atoi(field[0])
			require.NoError(t, err)
			size, err := strconv.Atoi(field[1])
			require.NoError(t, err)
			require.LessOrEqual(t, size, len(out))
			r := result{status: status, out: string(out[:size])}
			for strings.HasPrefix(rest, "\t") {
				var message string
				message, rest, _ = strings.Cut(rest, "\n")
				r.messages += message[1:] + "\n"
			}
			require.NotContains(t, all, unit)
			all[unit], out, rows = r, out[size:], []byte(rest)
		}
		require.Empty(t, out)
		require.Empty(t, rows)
	}
	require.Len(t, all, len(units))
	return all
}

// compare wants the results of a run to be those of the plain loop.
func compare(t *testing.T, dir, job string, units []string) {
	got := results(t, dir, units)
	same, size, statuses := 0, 0, [3]int{}
	for _, unit := range units {
		want := jobs[job](t, logsOf(t, unit))
		require.Equal(t, want, got[unit], unit)
		same++
		size += len(want.out)
		statuses[want.status]++
	}
	require.Positive(t, size)
	t.Logf("%s: %d of %d outputs are those of the plain loop: %d bytes; units by status: %v", job, same, len(units), size, statuses)
}

// A site is the folder of the shared file system in which the runs are.
type site struct {
	t   *testing.T
	dir string
}

// sh runs a line with bash and returns what it prints.
func (s site) sh(line string) string {
	cmd := exec.Command("bash", "-c", line)
	cmd.Dir = s.dir
	out, err := cmd.CombinedOutput()
	require.NoError(s.t, err, "%s\n%s", line, out)
	return strings.TrimSpace(string(out))
}

// list writes a list of units.
func (s site) list(name string, units []string) {
	require.NoError(s.t, os.WriteFile(filepath.Join(s.dir, name), []byte(strings.Join(units, "\x00")+"\x00"), 0o644))
}

// until waits until something is true.
func (s site) until(what string, ok func() bool) {
	s.t.Helper()
	for end := time.Now().Add(2 * time.Minute); !ok(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("gave up waiting for %s:\n%s", what, s.sh(`squeue; sinfo -N; tail -n 20 "$CLUSTER"/*.out`))
		}
	}
}

// drained waits until no job is left, and returns the report of a run.
func (s site) drained(run string) string {
	s.t.Helper()
	s.until("the end of all jobs", func() bool { return s.sh("squeue -h") == "" })
	report, err := os.ReadFile(filepath.Join(s.dir, run, "report"))
	require.NoError(s.t, err)
	return string(report)
}

// progress returns how many units of a chunk are done and how many it has, while a task
// does it.
func (s site) progress(run, k string) (done, all int) {
	rows, _ := os.ReadFile(filepath.Join(s.dir, run, k+".new.units"))
	for row := range strings.Lines(string(rows)) {
		if !strings.HasPrefix(row, "\t") {
			done++
		}
	}
	return done, len(listOf(s.t, filepath.Join(s.dir, run, k+".chunk")))
}

// kill kills a node, as soon as it is in the middle of a chunk of an array and at least
// so many units are done, and returns the number of the chunk.
func (s site) kill(node, run, array string, least int) (chunk string) {
	pid, err := strconv.Atoi(s.sh("cat $CLUSTER/" + node + ".pid"))
	require.NoError(s.t, err)
	s.until(node+" in the middle of a chunk", func() bool {
		finished, err := strconv.Atoi(s.sh("cd " + run + "; cat *.units 2>/dev/null | wc -l"))
		require.NoError(s.t, err)
		for _, task := range strings.Fields(s.sh("squeue -h -t R -w " + node + " -o %F_%K")) {
			var ours bool
			if chunk, ours = strings.CutPrefix(task, array+"_"); !ours {
				continue
			}
			if done, all := s.progress(run, chunk); done > 0 && done < all-1 && finished >= least {
				require.NoError(s.t, syscall.Kill(pid, syscall.SIGKILL))
				return true
			}
		}
		return false
	})
	time.Sleep(time.Second)
	done, all := s.progress(run, chunk)
	require.Less(s.t, done, all)
	require.NoFileExists(s.t, filepath.Join(s.dir, run, chunk+".units"))
	s.t.Logf("%s was killed in chunk %s, after %d of its %d units", node, chunk, done, all)
	return chunk
}

// start starts a node for which a directory is a small disk of its own.
func (s site) start(node, disk string) {
	cmd := exec.Command("./cluster.sh", "--node", node, disk)
	require.NoError(s.t, cmd.Start())
	s.until(node, func() bool {
		return strings.Contains(s.sh("sinfo -h -t idle -o %N"), node) || s.sh("sinfo -h -t idle -o %D") == "2"
	})
}

// listing returns a line for each file of a run that is a result: name, hash and time.
func listing(t *testing.T, dir string, suffixes ...string) string {
	var b strings.Builder
	require.NoError(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !slices.Contains(suffixes, filepath.Ext(path)) {
			return err
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		info, err := e.Info()
		require.NoError(t, err)
		name, err := filepath.Rel(dir, path)
		require.NoError(t, err)
		fmt.Fprintf(&b, "%q %x %v\n", name, sha256.Sum256(text), info.ModTime().UTC())
		return nil
	}))
	require.NotEmpty(t, b.String())
	return b.String()
}

// TestCluster does all jobs of doc/fleet.md on a cluster, while its nodes fail, and
// compares each output with that of a plain loop. FLEET_KILL is the number of units that
// must be done before a node is killed.
func TestCluster(t *testing.T) {
	if os.Getenv("CLUSTER") == "" {
		t.Skip("there is no cluster: run make fleet")
	}
	least, err := strconv.Atoi(os.Getenv("FLEET_KILL"))
	require.NoError(t, err)
	s := site{t, t.TempDir()}
	require.NoError(t, os.CopyFS(filepath.Join(s.dir, "fleet"), os.DirFS("../../examples/fleet")))
	s.sh("chmod +x fleet/*")
	units, err := Sessions{N: 300, Bytes: 60_000, Huge: 1000, Damaged: 12, Missing: 6}.Write(filepath.Join(s.dir, "home"))
	require.NoError(t, err)
	s.list("units", units)

	s.killed(units, least)
	s.full()
	s.sh("fleet/cut.sh 16 edges fleet/unit.sh edges <units")
	s.sh("fleet/cut.sh 16 touched fleet/unit.sh touched " + touchedPath + " <units")
	s.sh("fleet/submit.sh edges; fleet/submit.sh touched")
	for _, job := range []string{"edges", "touched"} {
		require.Contains(t, s.drained(job), "\n16 chunks are done, 0 are not\n")
		compare(t, filepath.Join(s.dir, job), job, units)
	}
	s.archived()
}

// killed checks all units, in an array that is submitted twice. A node dies in the middle
// of a chunk.
func (s site) killed(units []string, least int) {
	t, dir := s.t, filepath.Join(s.dir, "check")
	// The pause makes sure that there is a middle.
	s.sh(`fleet/cut.sh 24 check bash -c 'sleep 0.1; exec "$@"' pause fleet/unit.sh check <units`)
	array := s.sh(`fleet/submit.sh check >/dev/null; squeue -h -o %F -n fleet | sort -u`)
	s.sh("fleet/submit.sh check")
	chunk := s.kill("n2", "check", array, least)
	report := s.drained("check")
	compare(t, dir, "check", units)
	require.Contains(t, report, "300 units, ")
	require.Contains(t, report, "\n282 with status 0\n12 with status 1\n6 with status 2\n24 chunks are done, 0 are not\n")
	require.Equal(t, 6, strings.Count(report, "\tjltree: "+s.dir+"/home/projects/"), report)

	task := s.sh("scontrol -o show job " + array + "_" + chunk)
	require.Contains(t, task, " Restarts=1 ")
	require.Contains(t, task, " JobState=COMPLETED ")
	require.Contains(t, task, " BatchHost=n1 ")
	t.Logf("chunk %s was requeued, and n1 did it", chunk)

	before := listing(t, dir, ".out", ".units")
	s.sh("fleet/submit.sh check")
	require.Equal(t, report, s.drained("check"))
	require.Equal(t, before, listing(t, dir, ".out", ".units"))
	t.Log("submitted again, the array changed nothing")
}

// full runs a job for compressed logs while the disk of a node is full, on which the
// programs would keep what they have unpacked.
func (s site) full() {
	t, tmp := s.t, filepath.Join(s.dir, "tmp")
	require.NoError(t, os.Mkdir(tmp, 0o755))
	t.Setenv("TMPDIR", tmp)
	s.start("n2", tmp)

	units, err := Sessions{N: 8, Bytes: 10_000_000}.Write(filepath.Join(s.dir, "packed"))
	require.NoError(t, err)
	w, err := zstd.NewWriter(nil)
	require.NoError(t, err)
	for i, unit := range units {
		text, err := os.ReadFile(unit)
		require.NoError(t, err)
		units[i] += ".zst"
		require.NoError(t, os.WriteFile(units[i], w.EncodeAll(text, nil), 0o644))
	}
	s.list("large.units", units)
	s.sh("fleet/cut.sh 8 large fleet/unit.sh touched " + touchedPath + " <large.units")
	s.sh("fleet/submit.sh large")
	report := s.drained("large")
	require.Contains(t, report, ": task.sh: n2: ")
	require.Contains(t, report, ": no space left on device\n")
	require.NotContains(t, report, ": task.sh: n1: ")
	_, todo, ok := strings.Cut(report, "not done: ")
	require.True(t, ok, report)
	todo, _, _ = strings.Cut(todo, "\n")
	t.Logf("the disk of n2 is full, so some chunks are not done: %s", todo)

	s.sh("scontrol update nodename=n2 state=drain reason='disk full'")
	s.sh("fleet/submit.sh large " + todo)
	require.Contains(t, s.drained("large"), "\n8 chunks are done, 0 are not\n")
	compare(t, filepath.Join(s.dir, "large"), "touched", units)
	s.sh("scontrol update nodename=n2 state=resume")
}

// archived archives the old sessions, in an array that is submitted twice.
func (s site) archived() {
	s.sh("cp -a home plain")
	s.sh("find home -path '*/subagents' -prune -o -name '*.jsonl' -mtime +30 -print0 >old")
	s.sh("fleet/cut.sh 8 archive fleet/unit.sh archive <old")
	s.sh("fleet/submit.sh archive; fleet/submit.sh archive")
	units := listOf(s.t, filepath.Join(s.dir, "old"))
	report := s.drained("archive")
	require.Contains(s.t, report, fmt.Sprintf("\n%d with status 0\n0 with status 1\n0 with status 2\n8 chunks are done, 0 are not\n", len(units)))
	size, got := 0, results(s.t, filepath.Join(s.dir, "archive"), units)
	for _, unit := range units {
		logs := logsOf(s.t, filepath.Join(s.dir, "plain", strings.TrimPrefix(unit, "home/")))
		require.Zero(s.t, run(s.t, "jlcompact", append([]string{"--archive"}, logs...)...).status)
		require.Equal(s.t, len(logs), strings.Count(got[unit].out, "\n"))
		size += len(logs)
	}
	plain := listing(s.t, filepath.Join(s.dir, "plain"), ".jsonl", ".zst")
	require.Equal(s.t, plain, listing(s.t, filepath.Join(s.dir, "home"), ".jsonl", ".zst"))
	s.t.Logf("archive: %d logs of %d units; all %d files are those of the plain loop", size, len(units), strings.Count(plain, "\n"))
}
