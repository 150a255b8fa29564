package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/cli"
)

// bigLog returns a log of snapshots, each with a new backup, and of tool results, some of
// them long; and how many backups and results there are.
func bigLog(size int) (log string, backups int) {
	var b strings.Builder
	for b.Len() < size {
		fmt.Fprintf(&b, `{"type":"file-history-snapshot","messageId":"m","snapshot":{"trackedFileBackups":{"a":{"backupFileName":"%016x@v1"}}}}`+"\n", backups)
		length := 1000
		if backups%1000 == 0 {
			length = 1 << 20
		}
		fmt.Fprintf(&b, `{"type":"user","uuid":"u","message":{"content":[{"type":"tool_result","tool_use_id":"r%d","content":"%s"}]}}`+"\n", backups, strings.Repeat("x", length))
		backups++
	}
	return b.String(), backups
}

func liveBytes() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestResultsTakeLittle: a result without a call takes little memory, whatever its
// length.
func TestResultsTakeLittle(t *testing.T) {
	log, results := bigLog(32 << 20)
	name := write(t, log, t.TempDir(), "log")
	var l *linker
	var live int64
	status := cli.Run("jlrel", about, nil, cli.Stdio{Out: io.Discard, Err: io.Discard}, func(c *cli.Command, _ *flags) {
		l = newLinker(&printer{c: c, near: map[string]map[string][]string{}}, nil)
		before := liveBytes()
		l.log(name)
		live = liveBytes() - before
	})
	require.Zero(t, status)
	require.Less(t, live/int64(results), int64(500), "bytes of memory for a result")
	require.Len(t, l.waiting, results)
	runtime.KeepAlive(log)
}

// A peak is a writer that records the most memory in use during its writes.
type peak struct{ most uint64 }

func (p *peak) Write(b []byte) (int, error) {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	p.most = max(p.most, sample[0].Value.Uint64())
	return len(b), nil
}

// BenchmarkMembers prints the members of a session with a log of 256 MB that names some
// 120,000 missing backups. It reports the most memory in use, and the bytes allocated for
// each megabyte of the log.
func BenchmarkMembers(b *testing.B) {
	home := b.TempDir()
	log, _ := bigLog(256 << 20)
	write(b, log, home, "projects", "-w", id+".jsonl")
	size := len(log)
	log = ""
	runtime.GC()
	for _, verb := range []string{"rows", "--report", "--links"} {
		b.Run(verb, func(b *testing.B) {
			args := []string{"--home", home, id}
			if verb != "rows" {
				args = append(args, verb)
			}
			var out peak
			b.SetBytes(int64(size))
			b.ReportAllocs()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for b.Loop() {
				require.Zero(b, cli.Run("jlrel", about, args, cli.Stdio{In: strings.NewReader(""), Out: &out, Err: io.Discard}, run))
			}
			runtime.ReadMemStats(&after)
			b.ReportMetric(float64(out.most)/1e6, "peak-MB")
			b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(b.N)/float64(size>>20), "alloc-B/MB")
		})
	}
}
