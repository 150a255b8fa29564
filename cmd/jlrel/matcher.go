package main

import (
	"iter"
	"maps"

	"jl/internal/hashset"
)

// A matcher matches calls with their results, and whatever else comes in two halves that have one
// id, in either order. What waits for its other half is kept; of what is matched only a hash of the
// id is.
type matcher[C, R any] struct {
	calls   map[string]C // without a result
	results map[string]R // without a call
	matched hashset.Set
}

// newMatcher returns a matcher that has seen nothing.
func newMatcher[C, R any]() *matcher[C, R] {
	return &matcher[C, R]{map[string]C{}, map[string]R{}, hashset.Set{}}
}

// call adds a call. It returns the result that waits for it. If none does, the call waits, in place
// of an earlier one with its id.
func (m *matcher[C, R]) call(id string, call C) (result R, ok bool) {
	return match(id, call, m.calls, m.results, m.matched)
}

// result adds a result. It returns the call that waits for it. If none does, the result waits, in
// place of an earlier one with its id.
func (m *matcher[C, R]) result(id string, result R) (call C, ok bool) {
	return match(id, result, m.results, m.calls, m.matched)
}

// firstResult is result for a result that counts only if its call waits, or if it is the first with
// its id.
func (m *matcher[C, R]) firstResult(id string, result R) (call C, ok bool) {
	_, waits := m.calls[id]
	_, again := m.results[id]
	if !waits && (again || m.matched.Has(id)) {
		return call, false
	}
	return m.result(id, result)
}

// match matches one half with its other half, or keeps it.
func match[A, B any](id string, half A, same map[string]A, others map[string]B, matched hashset.Set) (other B, ok bool) {
	if other, ok = others[id]; ok {
		delete(others, id)
		matched.Add(id)
	} else {
		same[id] = half
	}
	return other, ok
}

// isMatched reports whether a call and a result with the id have been matched.
func (m *matcher[C, R]) isMatched(id string) bool { return m.matched.Has(id) }

// waitingCall returns the call with the id that waits for its result.
func (m *matcher[C, R]) waitingCall(id string) (call C, ok bool) {
	call, ok = m.calls[id]
	return call, ok
}

// waiting returns the calls without a result and the results without a call, in no order.
func (m *matcher[C, R]) waiting() (iter.Seq[C], iter.Seq[R]) {
	return maps.Values(m.calls), maps.Values(m.results)
}
