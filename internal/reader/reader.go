// Package reader gives the answers of other programs that read the logs of Claude Code: which entry is
// the leaf, and which entries are the conversation that ends there. Each set of [Rules] imitates one
// release of one program; what they have in common is in this package once.
//
// A log that is not like Claude's has no other readers: it always follows the rules of package log.
//
// Every method ends on any graph. What a Reader learns about a log takes time linear in the log,
// apart from sorting, and it learns it once. A path takes time linear in its length, with one
// exception: under [Claude21] each message of a path costs time linear in the distance from its
// first entry to its last, so interleaved messages cost more than linear time.
package reader

import "jl/internal/log"

// A Reader answers about one log.
type Reader struct {
	t     *log.Log
	rules Rules

	// The log as each program reads it, nil until it is needed.
	claude21 *claude21
	claude20 *view
	newest   log.Node // the leaf that Claude20 chooses
	sdk      *sdk
}

// New returns a Reader of a log that was read as [Rules.Reading] says. Like t, it is not safe for
// concurrent use.
func New(t *log.Log, r Rules) *Reader {
	if !t.Dialect.IsClaude() { // which the rules are about
		r = Default
	}
	return &Reader{t: t, rules: r}
}

// Path returns the conversation that ends at leaf, or, if leaf is log.None, at the leaf that the
// program chooses. If there is none, the Path has no nodes. Only the suite's own rules heed o.
//
// If parents is set, Taken has the nodes of the path that the program puts below another node than the
// parent that they name.
func (r *Reader) Path(leaf log.Node, o log.Options, parents bool) log.Path {
	switch r.rules {
	case Claude21:
		return r.asClaude21().answer(leaf, parents)
	case Claude20:
		return r.asClaude20(leaf)
	case SDK, SDKSystem:
		return r.asSDK().answer(leaf, r.rules == SDKSystem, parents)
	}
	return r.t.Path(leaf, o)
}

// Leaf returns given, or the leaf that the program chooses if given is log.None. It returns
// log.None and why if there is no leaf, or if the program has no path to given.
func (r *Reader) Leaf(given log.Node) (log.Node, []log.Odd) {
	if r.rules == Default {
		if given == log.None || len(r.t.NoLeaf) > 0 && r.t.NoLeaf[0].What == log.NoHeader {
			return r.t.Leaf, r.t.NoLeaf
		}
		return given, nil
	}
	p := r.Path(given, log.Options{}, false)
	if len(p.Nodes) == 0 {
		return log.None, p.Odd
	}
	return p.Leaf, p.Odd
}

// Pinned returns the node that the last last-prompt entry of the log names, or log.None if there
// is no such entry or [Claude21] does not heed it. The log may have been read by any rules.
func (r *Reader) Pinned() log.Node {
	pin := r.t.Pinned
	if pin == log.None || !r.t.Dialect.IsClaude() {
		return log.None
	}
	if c := r.asClaude21(); !c.heeds(pin, c.lastEnd()) {
		return log.None
	}
	return pin
}
