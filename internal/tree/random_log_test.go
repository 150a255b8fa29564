package tree_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// The kinds of random logs: as a client writes them; such logs with some lines changed; any
// lines at all; and few messages and calls, kept and answered at random.
const (
	sane = iota
	damaged
	odd
	mixed
	kinds
)

// A logWriter draws a log of a few entries, with the ids n0, n1, and so on.
type logWriter struct {
	*rand.Rand
	lines   []string // a drawing
	parents []string // by line
	seconds int
	current string   // the parent of the next entry
	tips    []string // what that was before each step
}

// randomLog returns the lines of the drawing of a log that the seed decides.
func randomLog(seed uint64, kind int) []string {
	w := &logWriter{Rand: rand.New(rand.NewPCG(seed, 1))}
	anything := kind == odd && w.chance(50) || kind == mixed
	for n := 4 + w.IntN(10); len(w.lines) < n; {
		switch {
		case kind == mixed:
			w.mixed(n)
		case anything:
			w.odd(n)
		default:
			w.step()
		}
	}
	if anything && w.chance(15) {
		w.Shuffle(len(w.lines), func(i, j int) { w.lines[i], w.lines[j] = w.lines[j], w.lines[i] })
	}
	for range 1 + w.IntN(3) {
		if kind == damaged || kind == odd && !anything {
			w.change(kind)
		}
	}
	return w.lines
}

func (w *logWriter) chance(percent int) bool { return w.IntN(100) < percent }

func pick(w *logWriter, of ...string) string { return of[w.IntN(len(of))] }

// add draws an entry and returns its id.
func (w *logWriter) add(what, parent string) string {
	id := fmt.Sprintf("n%d", len(w.lines))
	w.seconds += w.IntN(3)
	line := fmt.Sprintf("%s %s @%d", id, what, w.seconds)
	if parent != "" {
		line += " <" + parent
	}
	w.lines, w.parents = append(w.lines, line), append(w.parents, parent)
	return id
}

// step draws what a client writes at a time.
func (w *logWriter) step() {
	w.tips = append(w.tips, w.current)
	switch w.IntN(10) {
	case 0, 1:
		w.current = w.add("user", w.current)
	case 2:
		w.current = w.add(pick(w, "attachment", "system", "progress", "x"), w.current)
	case 3, 4, 5, 6:
		w.message()
	case 7:
		w.compact()
	case 8: // the user goes back
		w.current = pick(w, w.tips...)
	case 9:
		w.add("assistant side", w.add("user side", w.current))
	}
}

// message draws the entries of a message and most results, each below its call.
func (w *logWriter) message() {
	message := len(w.lines)
	var results [][2]string // the entry that makes the call, and the call
	for range 1 + w.IntN(3) {
		what := fmt.Sprintf("assistant m=m%d", message)
		var calls []string
		for k := range w.IntN(3) {
			calls = append(calls, fmt.Sprintf("t%d.%d", len(w.lines), k))
		}
		if len(calls) > 0 {
			what += " call=" + strings.Join(calls, ",")
		}
		w.current = w.add(what, w.current)
		for _, c := range calls {
			results = append(results, [2]string{w.current, c})
		}
		if len(results) > 0 && w.chance(20) { // a result comes before the next entry
			w.add("user res="+results[0][1], results[0][0])
			results = results[1:]
		}
	}
	for _, r := range results {
		for w.chance(20) {
			r[0] = w.add(pick(w, "attachment", "progress", "system"), r[0])
		}
		if w.chance(90) {
			w.current = w.add("user res="+r[1], r[0])
		}
	}
}

// compact draws a boundary, mostly with a list of the last entries and a summary.
func (w *logWriter) compact() {
	var kept []string
	for i, id := len(w.lines)-1, w.current; i >= 0 && len(kept) < 1+w.seconds%4; i-- {
		if id == fmt.Sprintf("n%d", i) {
			kept, id = append([]string{id}, kept...), w.parents[i]
		}
	}
	last := w.current
	what := "boundary"
	if last != "" {
		what += " log=" + last
	}
	b := len(w.lines)
	anchor := w.add(what, "")
	w.current = anchor
	if w.chance(80) {
		w.current = w.add("user", anchor)
		anchor = pick(w, anchor, w.current, w.current, w.current)
	}
	if len(kept) > 0 && w.chance(85) {
		w.lines[b] += w.list(kept, anchor)
		w.current = pick(w, w.current, w.current, w.current, last)
	}
}

func (w *logWriter) list(ids []string, anchor string) string {
	if w.chance(50) {
		return " keep=" + strings.Join(ids, ",") + "/" + anchor
	}
	return " seg=" + ids[0] + "," + ids[len(ids)-1] + "/" + anchor
}

// change changes the log: a line is lost or is there twice, all above it is lost, or it has
// another time or none; or, in an odd log, an entry is at another place, has another parent,
// is on a sidechain, or has the id of another one.
func (w *logWriter) change(kind int) {
	i, j := w.IntN(len(w.lines)), w.IntN(len(w.lines))
	id := func(line string) string { return strings.Fields(line)[0] }
	a, b := w.lines[i], w.lines[j]
	changes := 5
	if kind == odd {
		changes = 9
	}
	switch w.IntN(changes) {
	case 0:
		w.lines = slices.Delete(w.lines, i, min(i+1, len(w.lines)-1))
	case 1:
		w.lines = w.lines[i:]
	case 2:
		w.lines = slices.Insert(w.lines, i, a)
	case 3:
		w.lines[i] += fmt.Sprintf(" @%d", j)
	case 4:
		w.lines[i] += " @-"
	case 5:
		w.lines[i], w.lines[j] = b, a
	case 6:
		w.lines[i] += " <" + id(b) // the last one counts
	case 7:
		w.lines[i] += " side"
	case 8:
		w.lines[i] = id(b) + strings.TrimPrefix(a, id(a))
	}
}

// odd draws any entry of a log of n.
func (w *logWriter) odd(n int) {
	id := func() string { return fmt.Sprintf("n%d", w.IntN(n+1)) } // nn is missing
	near := fmt.Sprintf("n%d", max(0, len(w.lines)-1-w.IntN(3)))
	what := pick(w, "user", "user", "assistant", "assistant m=m", "assistant m=k", "boundary",
		"attachment", "system", "progress", "x")
	calls := []string{"t0", "t1", "t2", "t3"}
	w.Shuffle(4, func(i, j int) { calls[i], calls[j] = calls[j], calls[i] })
	if k, name := w.IntN(3), map[byte]string{'u': " res=", 'a': " call="}[what[0]]; k > 0 && name != "" {
		what += name + strings.Join(calls[:k], ",")
	}
	if what == "boundary" {
		if w.chance(30) {
			what += " log=" + id()
		}
		if k := w.IntN(5); k > 0 {
			what += w.list([]string{id(), id(), id(), id()}[:k], id())
		}
	}
	w.add(what, pick(w, near, near, near, near, near, near, id(), ""))
	line := &w.lines[len(w.lines)-1]
	switch w.IntN(40) {
	case 0, 1:
		*line += " @-"
	case 2, 3:
		*line += ` @="yesterday"`
	case 4, 5:
		*line = id() + strings.TrimPrefix(*line, strings.Fields(*line)[0])
	case 6, 7, 8, 9:
		*line += " side"
	}
}

// mixed draws an entry of a log of n that has to do with one before it. Lists of what boundaries
// kept name entries that are above them, in any order.
func (w *logWriter) mixed(n int) {
	k := len(w.lines)
	before := func() string { return fmt.Sprintf("n%d", w.IntN(max(k, 1))) }
	parent, side := before(), ""
	if w.chance(60) {
		parent = fmt.Sprintf("n%d", k-1)
	}
	if w.chance(8) {
		side = " side"
	}
	call, of := fmt.Sprintf("t%d", k), w.IntN(max(k, 1)) // the entry that makes a call has its number
	what := "user"
	switch x := w.IntN(100); {
	case k == 0 || x < 20:
	case x < 50:
		what = fmt.Sprintf("assistant m=m%d", w.IntN(3))
		if w.chance(70) {
			what += " call=" + call
		}
	case x < 75:
		what = fmt.Sprintf("user res=t%d", of)
		if w.chance(60) {
			parent = fmt.Sprintf("n%d", of)
		}
	case x < 82:
		what = "attachment"
	case x < 87:
		what = pick(w, "progress", "x")
	case x < 92:
		what, parent = "boundary log="+before(), ""
		if w.chance(75) {
			ids := []string{before(), before(), before(), "nn"}[:1+w.IntN(4)]
			what += w.list(ids, fmt.Sprintf("n%d", k+w.IntN(2)))
		}
	default:
		what = "system"
	}
	if w.chance(7) {
		parent = pick(w, "", fmt.Sprintf("n%d", w.IntN(n+1)))
	}
	w.add(what+side, parent)
}
