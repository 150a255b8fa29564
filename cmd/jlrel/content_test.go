package main

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/cli"
)

// TestForksTakeLittle: a long log that has many short forks is read a few times, and not once for each of them.
func TestForksTakeLittle(t *testing.T) {
	id := func(i int) string { return fmt.Sprintf("%08x-0000-4000-8000-000000000000", i) }
	log := func(of string, first, n int) string {
		var b strings.Builder
		for i := range n {
			number := i
			if i > 1 {
				number += first
			}
			fmt.Fprintf(&b, `{"type":"user","uuid":"%08d-0000","sessionId":"%s","message":{"role":"user","content":"%s"}}`+"\n", number, of, strings.Repeat("x", 200))
		}
		return b.String()
	}
	allocated := func(forks int) float64 {
		home := t.TempDir()
		write(t, log(id(0), 0, 4000), home, "projects", "-w", id(0)+".jsonl")
		for i := 1; i <= forks; i++ {
			write(t, log(id(i), 1000000*i, 3), home, "projects", "-w", id(i)+".jsonl")
		}
		var out strings.Builder
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		status := cli.Run("jlrel", about, []string{"--links", "--home", home, id(0)}, cli.Stdio{Out: &out, Err: io.Discard}, run)
		runtime.ReadMemStats(&after)
		require.Zero(t, status)
		require.Equal(t, forks, strings.Count(out.String(), `"entries":2,"ownLine":3,`))
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	require.Less(t, allocated(80)/allocated(10), 3.0)
}
