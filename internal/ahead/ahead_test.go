package ahead

import (
	"iter"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A square is a job of the tests.
type square struct {
	n, square int
	text      []byte // kept from job to job
}

// squares yields the squares below most, and counts the jobs that run at the same time.
func squares(most int, running, peak *atomic.Int32) iter.Seq[*square] {
	n := 0
	return Jobs(func(s *square) bool {
		s.n = n
		n++
		return s.n < most
	}, func(s *square) {
		now := running.Add(1)
		if now > peak.Load() {
			peak.Store(now)
		}
		if rand.IntN(20) == 0 {
			time.Sleep(time.Duration(rand.IntN(100)) * time.Microsecond)
		}
		s.square, s.text = s.n*s.n, append(s.text[:0], byte(s.n))
		running.Add(-1)
	})
}

// TestJobsAreInOrder: jobs are yielded in order, and have ended when the iteration has,
// wherever the caller stops.
func TestJobsAreInOrder(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for procs := 1; procs <= 4; procs++ {
		runtime.GOMAXPROCS(procs)
		for most := range 60 {
			for _, stop := range []int{most / 2, most + 1} {
				var running, peak atomic.Int32
				want := 0
				for s := range squares(most, &running, &peak) {
					require.Equal(t, want, s.n)
					require.Equal(t, want*want, s.square)
					require.Equal(t, []byte{byte(want)}, s.text)
					s.text = nil // the caller may change it
					if want++; want == stop {
						break
					}
				}
				require.Equal(t, min(most, max(stop, 1)), want)
				require.Zero(t, running.Load())
				require.LessOrEqual(t, int(peak.Load()), Workers)
			}
		}
	}
}

// TestTheCallerWorks: a job is done while another takes its time, by the caller.
func TestTheCallerWorks(t *testing.T) {
	var began atomic.Int32
	second := make(chan struct{})
	n := 0
	for range Jobs(func(*int) bool { n++; return n <= 10 }, func(*int) {
		switch began.Add(1) {
		case 1:
			select {
			case <-second:
			case <-time.After(time.Minute):
				t.Error("no other job was done")
			}
		case 2:
			close(second)
		}
	}) {
	}
	require.Equal(t, int32(10), began.Load())
}

// TestJobsEndWithAPanic: no goroutine is left if the caller panics.
func TestJobsEndWithAPanic(t *testing.T) {
	var running, peak atomic.Int32
	before := runtime.NumGoroutine()
	require.Panics(t, func() {
		for range squares(1000, &running, &peak) {
			panic("stop")
		}
	})
	require.Zero(t, running.Load())
	require.LessOrEqual(t, runtime.NumGoroutine(), before)
}

// TestJobsAreBounded: no job is made before there is room for it.
func TestJobsAreBounded(t *testing.T) {
	made, used := atomic.Int32{}, int32(0)
	for range Jobs(func(*int) bool { return made.Add(1) <= 1000 }, func(*int) {}) {
		used++
		require.LessOrEqual(t, made.Load(), used+Workers*each)
	}
	require.Equal(t, int32(1000), used)
}

// TestJobsWhileUsed: a job that was yielded is not made another one until the caller asks for
// the next.
func TestJobsWhileUsed(t *testing.T) {
	n := 0
	for j := range Jobs(func(j *int) bool { n++; *j = n; return n < 100 }, func(*int) {}) {
		before := *j
		time.Sleep(10 * time.Microsecond)
		require.Equal(t, before, *j)
	}
}

// TestJobsPulled: the caller may pull jobs, and stop.
func TestJobsPulled(t *testing.T) {
	var running, peak atomic.Int32
	next, stop := iter.Pull(squares(100, &running, &peak))
	for i := range 10 {
		s, ok := next()
		require.True(t, ok)
		require.Equal(t, i, s.n)
	}
	stop()
	require.Zero(t, running.Load())
	_, ok := next()
	require.False(t, ok)
}

// TestPays: a goroutine does not pay for a small log, nor on one processor.
func TestPays(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	require.True(t, Pays(smallest))
	require.False(t, Pays(smallest-1))
	runtime.GOMAXPROCS(1)
	require.False(t, Pays(1<<40))
}

func BenchmarkJobs(b *testing.B) {
	b.ReportAllocs()
	n := 0
	for range Jobs(func(*int) bool { n++; return n <= b.N }, func(*int) {}) {
	}
}
