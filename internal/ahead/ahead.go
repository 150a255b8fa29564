// Package ahead does jobs in a second goroutine besides the caller's and yields them in
// order, so that a program uses two processors and prints the same as if it did not.
//
// It promises that the goroutine has ended when the iteration has, however it ends, and that
// the number of jobs at the same time, and so the memory, is bounded. It knows nothing about
// what the jobs are.
package ahead

import (
	"iter"
	"runtime"
	"sync"
)

// Pays reports whether a second goroutine pays for a log of size bytes: not for a small one,
// nor on a single processor.
func Pays(size int64) bool { return size >= smallest && runtime.GOMAXPROCS(0) > 1 }

// smallest is in bytes. A smaller log is read about as fast as a goroutine is started and its
// first jobs are done.
const smallest = 4 << 20

// Workers is how many jobs are done at the same time: one by the goroutine, and one by the
// caller, which would have to wait otherwise. That takes two threads; a third one would have
// to be woken each time that the caller has to go on.
const Workers = 2

// each is how many jobs a worker has: one that it does, and others that wait for their turn,
// because jobs take different times. A worker keeps its jobs, because their memory is in the
// cache of the processor that it runs on.
const each = 3

// Jobs yields jobs in the order in which next makes them, each when work has done it.
//
// Next turns the zero job, or one that was used, into the next one; it reports false at the
// end. It is not called by two goroutines at the same time, but work is, for different
// jobs. Either goroutine may call both, also while the caller uses a job; neither is called once
// the iteration has ended. The caller may change the job that is yielded, and may use it until it
// asks for the next one.
func Jobs[T any](next func(*T) bool, work func(*T)) iter.Seq[*T] {
	return func(yield func(*T) bool) {
		p := pipe[T]{next: next, work: work, row: make(chan *job[T], Workers*each), stop: make(chan struct{})}
		for range Workers - 1 {
			p.group.Go(p.do)
		}
		defer p.end()
		p.use(yield)
	}
}

// A job goes in a circle: a worker takes an idle one, makes it the next, which puts it into
// the row, and does it; then the caller uses it, and makes it idle.
type job[T any] struct {
	value T
	done  chan struct{} // receives when it is done
	idle  chan *job[T]  // where it goes when it was used
}

// newJobs returns the jobs of a worker, which are idle.
func newJobs[T any]() chan *job[T] {
	idle := make(chan *job[T], each)
	for range each {
		idle <- &job[T]{done: make(chan struct{}, 1), idle: idle}
	}
	return idle
}

// A pipe is one iteration of Jobs.
type pipe[T any] struct {
	next func(*T) bool
	work func(*T)

	mu    sync.Mutex // held while next is called, so that row has its order
	ended bool       // next is not called any more
	row   chan *job[T]
	stop  chan struct{} // closed when the caller stops
	group sync.WaitGroup
}

// end stops the goroutine, and waits for its end.
func (p *pipe[T]) end() {
	p.mu.Lock()
	p.ended = true
	p.mu.Unlock()
	close(p.stop)
	p.group.Wait()
}

// do does jobs until next reports the end, or the caller stops.
func (p *pipe[T]) do() {
	for idle := newJobs[T](); ; {
		select {
		case j := <-idle:
			if !p.one(j) {
				return
			}
		case <-p.stop:
			return
		}
	}
}

// one turns j into the next job, and does it. It reports false at the end.
func (p *pipe[T]) one(j *job[T]) bool {
	if !p.take(j) {
		return false
	}
	p.work(&j.value)
	j.done <- struct{}{}
	return true
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

// use yields the jobs of the row. As long as the first of them is not done, it does others.
func (p *pipe[T]) use(yield func(*T) bool) {
	idle := newJobs[T]()
	for {
		if len(p.row) == 0 {
			p.help(idle)
		}
		first, ok := <-p.row
		if !ok {
			return
		}
		for len(first.done) == 0 && p.help(idle) {
		}
		<-first.done
		if !yield(&first.value) {
			return
		}
		first.idle <- first
	}
}

// help does the next job. It reports false at the end, or if none is idle.
func (p *pipe[T]) help(idle chan *job[T]) bool {
	select {
	case j := <-idle:
		return p.one(j)
	default:
		return false
	}
}
