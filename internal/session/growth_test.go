package session

import (
	"fmt"
	"math"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
)

// numbered returns the id of a session with a number.
func numbered(i int) string { return fmt.Sprintf("%08x%s", i, one[8:]) }

// TestJobsGrowLinearly: a job whose state names no session is looked up among the sessions.
func TestJobsGrowLinearly(t *testing.T) {
	allocated := func(jobs int) float64 {
		home := tree{}
		for i := range jobs {
			home["projects/-w/"+numbered(i)+".jsonl"] = ""
			home[fmt.Sprintf("jobs/%08x/output.txt", i)] = ""
		}
		h := home.open(t)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		ids, errs := h.AllIDs()
		runtime.ReadMemStats(&after)
		require.Len(t, ids, jobs)
		require.Empty(t, errs)
		require.Equal(t, numbered(jobs/2), h.OwnerOf(fmt.Sprintf("jobs/%08x", jobs/2)))
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	require.Less(t, allocated(800)/allocated(100), 16.0, "8 times as many")
}

// TestAgentsGrowLinearly: a list with sub-agents whose logs are beside those of sessions finds the session of each.
func TestAgentsGrowLinearly(t *testing.T) {
	taken := func(agents int) float64 {
		home := tree{"projects/-w/" + one + ".jsonl": agentLine(one)}
		for i := range agents {
			home[fmt.Sprintf("projects/-w/agent-%08x.jsonl", i)] = agentLine(one)
		}
		h := home.open(t)
		before := processorTime(t)
		all, errs := Homes{h}.List(Filter{Since: math.MinInt64, Until: math.MaxInt64, All: true})
		took := processorTime(t) - before
		require.Len(t, all, agents+1)
		require.Empty(t, errs)
		require.Equal(t, one, all[0].ID)
		return took.Seconds()
	}
	ratio := math.Inf(1)
	for try := 0; try < 3 && ratio >= 16; try++ { // a time is never too short, but may be too long
		ratio = taken(2000) / taken(250)
	}
	require.Less(t, ratio, 16.0, "8 times as many")
}

// TestBeginningsTakeLittle: the beginnings of many logs take no buffer each.
func TestBeginningsTakeLittle(t *testing.T) {
	const logs = 200
	home := tree{"projects/-w/" + one + ".jsonl": agentLine(one)}
	for i := range logs {
		home[fmt.Sprintf("projects/-w/agent-%08x.jsonl", i)] = agentLine(one)
	}
	h := home.open(t)
	h.logs()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	require.Len(t, h.loose().of[one], logs)
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(logs*32<<10))
}

// TestEntriesTakeLittle: the entries of many small logs take no buffer for each log.
func TestEntriesTakeLittle(t *testing.T) {
	const logs = 200
	home := tree{}
	for i := range logs {
		home["projects/-w/"+numbered(i)+".jsonl"] = agentLine(numbered(i))
	}
	h := home.open(t)
	all := h.Logs()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, log := range all {
		for e, err := range h.Entries(log.Name) {
			if err != nil || len(e.Bytes) == 0 {
				t.Fatal(err)
			}
		}
	}
	runtime.ReadMemStats(&after)
	require.Len(t, all, logs)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(logs*32<<10))
}

// TestLogInLog: while a log is read, others may be read.
func TestLogInLog(t *testing.T) {
	name := func(i int) string { return "projects/-w/" + numbered(i) + ".jsonl" }
	h := tree{name(1): agentLine("a") + agentLine("b"), name(2): agentLine("c") + agentLine("d")}.open(t)
	var read []string
	for e, err := range h.Entries(name(1)) {
		require.Nil(t, err)
		for inside, err := range h.Entries(name(2)) {
			require.Nil(t, err)
			read = append(read, string(e.Get(entry.SessionID).Text())+string(inside.Get(entry.SessionID).Text()))
		}
	}
	require.Equal(t, []string{"ac", "ad", "bc", "bd"}, read)
}

func processorTime(t *testing.T) time.Duration {
	var use syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &use))
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}
