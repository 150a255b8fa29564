// Package ahead does jobs in several goroutines and yields them in order, so that a program
// uses more than one processor and prints the same as if it did not.
//
// It promises that all goroutines have ended when the iteration has, however it ends, and
// that the number of jobs at the same time, and so the memory, is bounded. It knows nothing
// about what the jobs are.
package ahead

import (
	"iter"
	"runtime"
	"sync"
)

// Pays reports whether goroutines pay for a log of size bytes: not for a small one, nor on a
// single processor.
func Pays(size int64) bool { return size >= smallest && runtime.GOMAXPROCS(0) > 1 }

const smallest = 4 << 20

// Workers is how many goroutines do jobs.
const Workers = 2

// each is how many jobs a worker has: one that it does while the caller uses the other, or
// waits for the other worker. A worker keeps its jobs, because their memory is in the cache
// of the processor that it runs on.
const each = 2

// Jobs yields jobs in the order in which next makes them, each when work has done it.
//
// Next turns the zero job, or one that was used, into the next one; it reports false at the
// end. It is not called by two goroutines at the same time, but work is, for different
// jobs. The caller may change the job that is yielded, and may use it until it asks for the
// next one.
func Jobs[T any](next func(*T) bool, work func(*T)) iter.Seq[*T] {
	return func(yield func(*T) bool) {
		p := pipe[T]{next: next, work: work, row: make(chan *job[T], Workers*each), stop: make(chan struct{})}
		for range Workers {
			p.group.Go(p.do)
		}
		p.use(yield)
		close(p.stop)
		p.group.Wait()
	}
}

// A job goes in a circle: a worker takes an idle one, makes it the next, which puts it into
// the row, and does it; then the caller uses it, and makes it idle.
type job[T any] struct {
	value T
	done  chan struct{} // receives when it is done
	idle  chan *job[T]  // where it goes when it was used
}

type pipe[T any] struct {
	next func(*T) bool
	work func(*T)

	mu    sync.Mutex // held while next is called, so that row has its order
	ended bool       // next has reported false, and row is closed
	row   chan *job[T]
	stop  chan struct{} // closed when the caller stops
	group sync.WaitGroup
}

// do does jobs until next reports the end, or the caller stops.
func (p *pipe[T]) do() {
	idle := make(chan *job[T], each)
	for range each {
		idle <- &job[T]{done: make(chan struct{}, 1), idle: idle}
	}
	for {
		select {
		case j := <-idle:
			if !p.take(j) {
				return
			}
			p.work(&j.value)
			j.done <- struct{}{}
		case <-p.stop:
			return
		}
	}
}

// take turns j into the next job, and puts it into the row. It reports false at the end.
func (p *pipe[T]) take(j *job[T]) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return false
	}
	if !p.next(&j.value) {
		p.ended = true
		close(p.row)
		return false
	}
	p.row <- j
	return true
}

func (p *pipe[T]) use(yield func(*T) bool) {
	for j := range p.row {
		<-j.done
		if !yield(&j.value) {
			return
		}
		j.idle <- j
	}
}
