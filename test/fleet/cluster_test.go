package fleet

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
)

// until waits until something is true.
func (s site) until(what string, ok func() bool) {
	s.t.Helper()
	for end := time.Now().Add(2 * time.Minute); !ok(); time.Sleep(100 * time.Millisecond) {
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
	time.Sleep(200 * time.Millisecond) // until all its processes are dead
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

// other is the node that does the work of one that fails.
var other = map[string]string{"n1": "n2", "n2": "n1"}

// TestCluster does all jobs of doc/fleet.md on a cluster, while its nodes fail, and
// compares each output with that of a plain loop. FLEET_KILL is the number of units that
// must be done before a node is killed, and FLEET_NODE is the node.
func TestCluster(t *testing.T) {
	if os.Getenv("CLUSTER") == "" {
		t.Skip("there is no cluster: run make fleet")
	}
	least, err := strconv.Atoi(os.Getenv("FLEET_KILL"))
	require.NoError(t, err)
	node := os.Getenv("FLEET_NODE")
	require.Contains(t, other, node)
	s, units := newSite(t, Sessions{N: 300, Bytes: 60_000, Huge: 1000, Damaged: 12, Missing: 6})
	s.killed(units, node, least)
	s.full(node)
	s.types("fleet/cut.sh 64 edges fleet/unit.sh edges <units", "64", "16")
	s.types("fleet/cut.sh 64 touched fleet/unit.sh touched src/energy.go <units", "64", "16")
	s.sh("fleet/submit.sh edges; fleet/submit.sh touched")
	for _, job := range []string{"edges", "touched"} {
		require.Contains(t, s.drained(job), "\n16 chunks are done, 0 are not\n")
		compare(t, filepath.Join(s.dir, job), job, units)
	}
	s.archived()
}

// killed checks all units, in an array that is submitted twice. A node dies in the middle
// of a chunk.
func (s site) killed(units []string, node string, least int) {
	t, dir := s.t, filepath.Join(s.dir, "check")
	// The pause makes sure that there is a middle.
	s.sh(`fleet/cut.sh 24 check bash -c 'sleep 0.1; exec "$@"' pause fleet/unit.sh check <units`)
	s.types("fleet/submit.sh check")
	array := s.sh("squeue -h -o %F -n fleet | sort -u")
	s.types("fleet/submit.sh check")
	chunk := s.kill(node, "check", array, least)
	report := s.drained("check")
	compare(t, dir, "check", units)
	require.Contains(t, report, "300 units, ")
	require.Contains(t, report, "\n282 with status 0\n12 with status 1\n6 with status 2\n24 chunks are done, 0 are not\n")
	require.Equal(t, 6, strings.Count(report, "\tjltree: "+s.dir+"/sessions/projects/"), report)

	task := s.sh("scontrol -o show job " + array + "_" + chunk)
	require.Contains(t, task, " Restarts=1 ")
	require.Contains(t, task, " JobState=COMPLETED ")
	require.Contains(t, task, " BatchHost="+other[node]+" ")
	t.Logf("chunk %s was requeued, and %s did it", chunk, other[node])

	before := listing(t, dir, ".out", ".units")
	s.types("fleet/submit.sh check")
	require.Equal(t, report, s.drained("check"))
	require.Equal(t, before, listing(t, dir, ".out", ".units"))
	t.Log("submitted again, the array changed nothing")
}

// full starts a node again and runs a job for compressed logs while the disk of that node,
// on which the programs would keep what they have unpacked, is full.
func (s site) full(node string) {
	t, tmp := s.t, filepath.Join(s.dir, "tmp")
	require.NoError(t, os.Mkdir(tmp, 0o755))
	t.Setenv("TMPDIR", tmp)
	s.start(node, tmp)

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
	s.sh(`fleet/cut.sh 8 large bash -c 'sleep 1; exec "$@"' pause fleet/unit.sh touched ` + touchedPath + " <large.units")
	s.sh("fleet/submit.sh large")
	report := s.drained("large")
	require.Contains(t, report, ": task.sh: "+node+": ")
	require.Contains(t, report, ": no space left on device\n")
	require.NotContains(t, report, ": task.sh: "+other[node]+": ")
	_, todo, ok := strings.Cut(report, "not done: ")
	require.True(t, ok, report)
	todo, _, _ = strings.Cut(todo, "\n")
	t.Logf("the disk of %s is full, so some chunks are not done: %s", node, todo)

	s.types("scontrol update nodename=n2 state=drain reason='disk full'", "n2", node)
	s.sh("fleet/submit.sh large " + todo)
	require.Contains(t, s.drained("large"), "\n8 chunks are done, 0 are not\n")
	compare(t, filepath.Join(s.dir, "large"), "touched", units)
	s.sh("scontrol update nodename=" + node + " state=resume")
}

// archived archives the old sessions, in an array that is submitted twice.
func (s site) archived() {
	s.sh("cp -a sessions plain")
	s.types("find -L sessions -path '*/subagents' -prune -o -name '*.jsonl' -mtime +20 -print0 | fleet/cut.sh 64 archive fleet/unit.sh archive", "64", "8")
	s.sh("fleet/submit.sh archive; fleet/submit.sh archive")
	units := listOf(s.t, filepath.Join(s.dir, "archive", "*.chunk"))
	report := s.drained("archive")
	require.Contains(s.t, report, fmt.Sprintf("\n%d with status 0\n0 with status 1\n0 with status 2\n8 chunks are done, 0 are not\n", len(units)))
	size, got := 0, results(s.t, filepath.Join(s.dir, "archive"), units)
	for _, unit := range units {
		logs := logsOf(s.t, filepath.Join(s.dir, "plain", strings.TrimPrefix(unit, "sessions/")))
		require.Zero(s.t, run(s.t, "jlcompact", append([]string{"--archive"}, logs...)...).status)
		require.Equal(s.t, len(logs), strings.Count(got[unit].out, "\n"))
		size += len(logs)
	}
	require.NotEqual(s.t, "0", s.types(`awk '{ bytes += $1 } END { printf "%.0f\n", bytes }' archive/*.out`))
	plain := listing(s.t, filepath.Join(s.dir, "plain"), ".jsonl", ".zst")
	require.Equal(s.t, plain, listing(s.t, filepath.Join(s.dir, "sessions"), ".jsonl", ".zst"))
	s.t.Logf("archive: %d logs of %d units; all %d files are those of the plain loop", size, len(units), strings.Count(plain, "\n"))
}
