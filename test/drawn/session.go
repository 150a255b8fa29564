package drawn

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

func pick(rnd *rand.Rand, ids []string) string { return ids[rnd.IntN(len(ids))] }

// below draws the parent of an entry, which is a root if the id is empty.
func below(id string) string {
	if id == "" {
		return ""
	}
	return " <" + id
}

// A session is drawn step by step.
type session struct {
	*rand.Rand
	lines  []string
	count  int
	tip    string          // the id of the entry that the conversation ends at
	main   []string        // the ids of the conversation so far
	chain  []string        // those since the last boundary or root
	deltas map[string]bool // the ids that deltas name
	shots  map[string]bool // the ids that have snapshots
}

func (s *session) chance(percent int) bool { return s.IntN(100) < percent }

func (s *session) id(kind string) string {
	s.count++
	return kind + strconv.Itoa(s.count)
}

func (s *session) put(format string, args ...any) {
	s.lines = append(s.lines, fmt.Sprintf(format, args...))
}

// entry draws an entry of the conversation or a sidechain, often with annotations around it.
func (s *session) entry(id, drawing string) string {
	if s.chance(15) {
		s.snapshot(id)
		if s.chance(40) {
			s.put("%s progress%s", s.id("p"), below(s.tip))
		}
	}
	at := s.count // most often later than the times before
	if s.chance(5) {
		at = s.IntN(s.count + 1)
	}
	when := fmt.Sprint(" @", at)
	if s.chance(2) {
		when = " @-"
	}
	s.put("%s %s%s", id, drawing, when)
	if s.chance(15) {
		s.annotate(id)
	}
	return id
}

// on draws an entry that the conversation goes on to.
func (s *session) on(id, drawing string) string {
	s.entry(id, drawing)
	s.tip, s.main, s.chain = id, append(s.main, id), append(s.chain, id)
	return id
}

// snapshot draws a snapshot of id. At times it is an update, but not for a snapshot that
// deltas add to: those that a cut takes away would be missing.
func (s *session) snapshot(id string) {
	of, update := id, false
	s.shots[id] = true
	if len(s.chain) > 0 && s.chance(30) {
		if earlier := pick(s.Rand, s.chain); !s.deltas[earlier] {
			of, update = earlier, true
		}
	}
	s.put(`|{"type":"file-history-snapshot","messageId":%q,"isSnapshotUpdate":%v,"snapshot":{"messageId":%q,"n":%d}}`, id, update, of, s.IntN(1000))
}

// annotate draws a line that has no id, or that is a link.
func (s *session) annotate(id string) {
	switch s.IntN(8) {
	case 0:
		s.put(`|{"type":"custom-title","customTitle":"t%d"}`, s.count)
	case 1:
		s.put("- summary leaf=%s", id)
	case 2, 3:
		s.snapshot(id)
	case 4:
		s.put(`|{"type":"queue-operation","operation":"enqueue"`)
	case 5:
		s.put(`|{"type":"user","uuid":"torn{"type":"tag","tag":"t"}`)
	case 6:
		s.put("%s unknown <%s", s.id("l"), id)
	case 7:
		s.deltas[id] = true
		s.put("- file-history-delta msg=%s", id)
	}
}

// answer draws a message, most often of several calls, with most of their results.
func (s *session) answer() {
	message, up := s.id("m"), s.tip
	var open [][2]string // entry and call
	result := func() {
		i := s.IntN(len(open))
		up, call := open[i][0], open[i][1]
		open = slices.Delete(open, i, i+1)
		if s.chance(15) {
			link := s.id("p")
			s.put("%s progress <%s", link, up)
			up = link
		}
		s.on(s.id("r"), "user <"+up+" res="+call)
	}
	for range 1 + s.IntN(3) {
		call := s.id("c")
		id := s.on(s.id("a"), fmt.Sprintf("assistant%s m=%s call=%s", below(up), message, call))
		if !s.chance(30) {
			up = id // else the next is its sibling
		}
		open = append(open, [2]string{id, call})
		if s.chance(20) {
			s.side()
		}
		if s.chance(20) {
			result()
			s.between()
		}
	}
	for len(open) > 0 && !s.chance(5) {
		result()
	}
}

// between draws, at times, what may stand between the entries of a message: what a client put
// in, or another answer, that the conversation most often does not go through.
func (s *session) between() {
	switch s.IntN(20) {
	case 0, 1, 2:
		s.entry(s.id("x"), "user meta"+below(s.tip))
	case 3:
		s.on(s.id("x"), "user meta"+below(s.tip))
	case 4:
		s.entry(s.id("a"), "assistant"+below(s.tip)+" m="+s.id("m"))
	}
}

// side draws a sidechain.
func (s *session) side() {
	up := ""
	if s.chance(50) {
		up = s.tip
	}
	for range 1 + s.IntN(3) {
		up = s.entry(s.id("x"), []string{"user", "assistant"}[s.IntN(2)]+below(up)+" side m="+s.id("m"))
	}
}

// compact draws a boundary and a summary. The conversation goes on below it, unless it
// belongs to another branch, or below an entry that was kept, or below one that is lost.
func (s *session) compact() {
	b, sum := s.id("b"), s.id("s")
	drawing := "boundary"
	if s.chance(5) {
		drawing += below(s.tip)
	}
	if s.chance(10) {
		drawing += " side"
	}
	anchor := []string{sum, sum, sum, b, "gone"}[s.IntN(5)]
	if len(s.main) > 0 && s.chance(15) {
		anchor = s.main[len(s.main)-1-s.IntN(min(5, len(s.main)))]
	}
	other := s.chance(20)
	last := "" // of the kept entries
	pool := s.chain
	if other && s.chance(60) && len(pool) > 0 {
		pool, anchor = s.main, pick(s.Rand, pool)
	}
	if n := len(pool); n > 0 {
		from := s.IntN(n)
		if s.chance(50) {
			from = n - 1 - s.IntN(min(n, 6))
		}
		kept := slices.Clone(pool[from:])
		if other {
			kept = kept[:1+s.IntN(len(kept))]
		}
		last = kept[len(kept)-1]
		switch s.IntN(4) {
		case 0:
			if s.chance(30) {
				kept = slices.DeleteFunc(kept, func(string) bool { return s.chance(30) })
			}
			if s.chance(8) {
				kept = append(kept, "gone")
			}
			drawing += " keep=" + strings.Join(kept, ",") + "/" + anchor
		case 1:
			drawing += " seg=" + kept[0] + "," + kept[len(kept)-1] + "/" + anchor
		}
	}
	tip, chain := s.tip, s.chain
	s.chain = nil
	s.on(b, drawing)
	s.on(sum, "user <"+b)
	switch {
	case other:
		s.tip, s.chain = tip, chain
	case last != "" && s.chance(15):
		s.tip = last
	case s.chance(10):
		s.tip = "lost"
	}
}

// crash draws what a crash in a compaction leaves: a boundary, at times with entries that
// are not messages below it, and the beginning of the summary.
func (s *session) crash() {
	b := s.id("b")
	s.put("%s boundary @%d", b, s.count)
	for s.chance(40) {
		s.put("%s %s <%s @%d", s.id("t"), []string{"attachment", "system"}[s.IntN(2)], b, s.count)
	}
	s.put(`|{"type":"user","uuid":"torn`)
}

// again draws a line once more, unless its entry has snapshots: what begins with the second
// line does not have them.
func (s *session) again() {
	if len(s.lines) == 0 {
		return
	}
	l := s.lines[len(s.lines)-1-s.IntN(min(8, len(s.lines)))]
	if id, _, _ := strings.Cut(l, " "); !s.shots[id] {
		s.put("%s", l)
	}
}

// Session draws a session of n steps with everything that a log can hold.
func Session(rnd *rand.Rand, n int) string {
	s := &session{Rand: rnd, deltas: map[string]bool{}, shots: map[string]bool{}}
	for range n {
		switch k := s.IntN(100); {
		case k < 25:
			s.on(s.id("u"), "user"+below(s.tip))
		case k < 60:
			s.answer()
		case k < 66:
			s.side()
		case k < 72:
			s.on(s.id("t"), []string{"attachment", "system", "progress"}[s.IntN(3)]+below(s.tip))
		case k < 76: // back to an earlier entry, at times to one above the boundary
			if len(s.chain) > 0 && !s.chance(30) {
				s.tip = pick(s.Rand, s.chain)
			} else if len(s.main) > 0 {
				s.tip = pick(s.Rand, s.main)
			}
		case k < 78:
			if s.chance(20) {
				s.on(s.id("o"), "user <gone")
			} else {
				s.entry(s.id("o"), "user <gone")
			}
		case k < 80:
			s.again()
		case k < 88:
			if s.tip != "" {
				s.annotate(s.tip)
			}
		default:
			s.compact()
		}
	}
	if s.tip != "" {
		s.entry(s.id("u"), "user <"+s.tip)
	}
	if s.chance(15) {
		s.crash()
	}
	return strings.Join(s.lines, "\n")
}
