package main

import (
	"hash/maphash"
	"iter"
	"maps"
)

// A matcher matches calls with their results, and whatever else comes in two halves that have one
// id, in either order. What waits for its other half is kept; of what is matched only a hash of the
// id is. Two ids have the same hash less likely than a hardware fault strikes.
type matcher[C, R any] struct {
	seed    maphash.Seed
	calls   map[uint64]C // without a result
	results map[uint64]R // without a call
	matched map[uint64]bool
}

// newMatcher returns a matcher that has seen nothing.
func newMatcher[C, R any]() *matcher[C, R] {
	return &matcher[C, R]{maphash.MakeSeed(), map[uint64]C{}, map[uint64]R{}, map[uint64]bool{}}
}

// call adds a call. It returns the result that waits for it. If none does, the call waits, in place
// of an earlier one with its id.
func (m *matcher[C, R]) call(id string, call C) (result R, ok bool) {
	return match(m.key(id), call, m.calls, m.results, m.matched)
}

// result adds a result. It returns the call that waits for it. If none does, the result waits, in
// place of an earlier one with its id.
func (m *matcher[C, R]) result(id string, result R) (call C, ok bool) {
	return match(m.key(id), result, m.results, m.calls, m.matched)
}

// firstResult is result for a result that counts only if its call waits, or if it is the first with
// its id.
func (m *matcher[C, R]) firstResult(id string, result R) (call C, ok bool) {
	key := m.key(id)
	_, waits := m.calls[key]
	_, again := m.results[key]
	if !waits && (again || m.matched[key]) {
		return call, false
	}
	return m.result(id, result)
}

// match matches one half with its other half, or keeps it.
func match[A, B any](key uint64, half A, same map[uint64]A, others map[uint64]B, matched map[uint64]bool) (other B, ok bool) {
	if other, ok = others[key]; ok {
		delete(others, key)
		matched[key] = true
	} else {
		same[key] = half
	}
	return other, ok
}

func (m *matcher[C, R]) key(id string) uint64 { return maphash.String(m.seed, id) }

// isMatched reports whether a call and a result with the id have been matched.
func (m *matcher[C, R]) isMatched(id string) bool { return m.matched[m.key(id)] }

// waitingCall returns the call with the id that waits for its result.
func (m *matcher[C, R]) waitingCall(id string) (call C, ok bool) {
	call, ok = m.calls[m.key(id)]
	return call, ok
}

// waiting returns the calls without a result and the results without a call, in no order.
func (m *matcher[C, R]) waiting() (iter.Seq[C], iter.Seq[R]) {
	return maps.Values(m.calls), maps.Values(m.results)
}
