package main

import (
	"hash/maphash"
	"iter"
	"slices"

	"jl/internal/dialect"
	"jl/internal/record"
	"jl/internal/relation"
	"jl/internal/session"
)

// A content is what a log has that other ones may have, too. It takes about 200 bytes for each entry.
type content struct {
	session string
	began   int64 // when the log was begun, in microseconds since 1970; 0 if nothing tells
	items   []item
	ids     []byte           // of the items, one after another
	texts   []uint64         // hashes of the texts that identify entries, in order
	places  []place          // where ids are
	last    map[uint64]int32 // by the hash of an id: the number, from 1 on, of the last place that has it

	copies map[string]map[string]copy // by the session that an entry names as its origin, and the message there
}

// An item is an entry that can be known in another log. It has ids or a text.
type item struct {
	line, at int64 // its line, and its time as Instant returns it
	idEnd    int   // of its id in ids
	isText   bool
}

// A place is an item that has an id: its own if rank is 0, else the key of something that it says.
type place struct{ item, rank, before int32 } // before is the index of another place with that id, -1 if there is none

// A copy is an item that names the message from which it was made.
type copy struct {
	item int
	from record.Raw
}

var seed = maphash.MakeSeed()

// contentOf reads a log.
func (p *printer) contentOf(log session.Member) *content {
	c := &content{session: log.Session, last: map[uint64]int32{}, copies: map[string]map[string]copy{}}
	for e := range p.identified(log) {
		at, timed := dialect.Of(e.Entry).Instant(e.Entry)
		if timed && c.began == 0 {
			c.began = at
		}
		switch {
		case e.text != "":
			c.texts = append(c.texts, maphash.String(seed, e.text))
		case len(e.ids) == 0:
			continue
		}
		n := len(c.items)
		for rank, id := range e.ids {
			hash := maphash.String(seed, id)
			c.places = append(c.places, place{int32(n), int32(rank), c.last[hash] - 1})
			c.last[hash] = int32(len(c.places))
		}
		if origin, message := relation.Fork(e.Entry); origin != nil && e.text == "" {
			id := string(origin.Text())
			if c.copies[id] == nil {
				c.copies[id] = map[string]copy{}
			}
			c.copies[id][string(message.Text())] = copy{n, raw(message)}
		}
		c.ids = append(c.ids, idOf(e.Entry)...)
		c.items = append(c.items, item{e.Pos.Line, at, len(c.ids), e.text != ""})
	}
	return c
}

// id returns the id of an item, nil if it has none.
func (c *content) id(item int) record.Raw {
	start := 0
	if item > 0 {
		start = c.items[item-1].idEnd
	}
	if end := c.items[item].idEnd; end > start {
		return c.ids[start:end:end]
	}
	return nil
}

// with yields the places that have an id, from the last one on.
func (c *content) with(id string) iter.Seq[place] {
	return func(yield func(place) bool) {
		for at := c.last[maphash.String(seed, id)] - 1; at >= 0 && yield(c.places[at]); at = c.places[at].before {
		}
	}
}

// A shared is what a log has of another one.
type shared struct {
	entry, toEntry record.Raw // the copy of the last entry, and that entry
	line, ownLine  *int64     // of it, and of the first entry after it
	entries        int64
	isFirst        bool  // the first entry of the log is a copy
	began, own     int64 // when the log was begun and its own part, in microseconds since 1970; 0 if nothing tells
}

// before reports whether the log of t is the fork, and not that of s: it alone begins with a copy, or it, or its own
// part, was begun later.
func (s *shared) before(t *shared) bool {
	switch {
	case s.isFirst != t.isFirst:
		return t.isFirst
	case s.began != t.began:
		return s.began < t.began
	}
	return s.own < t.own
}

// The ways in which an item is known in another log, besides by its ids, whose ranks are less. The least counts.
const (
	namedThere  = 1<<30 + iota // an entry there says that it was made from it
	namesItself                // it says so itself
	notAtAll
)

// A match is an item that is in another log, too, and the entry there.
type match struct {
	item int
	way  int32
	to   record.Raw
}

// matches are the items of a content that are in another log.
type matches struct {
	items []int // in any order, maybe several times
	last  match
}

func (m *matches) add(item int, way int32, to record.Raw) {
	m.items = append(m.items, item)
	if item > m.last.item || item == m.last.item && way < m.last.way {
		m.last = match{item, way, to}
	}
}

// sharedBy returns what the log of a content has of another one in its home, and what that has of it. Entries with ids
// are copies wherever they are, others only above the first entry that is none. The time that it takes does not depend
// on what only the content has: a long log may have thousands of forks.
func (p *printer) sharedBy(c *content, other session.Member) (s, t shared) {
	here := matches{last: match{item: -1}}
	texts, same := 0, 0 // texts of the other log, and how many the content begins with, too
	for e := range p.identified(other) {
		at, timed := dialect.Of(e.Entry).Instant(e.Entry)
		if timed && t.began == 0 {
			t.began = at
		}
		if len(e.ids) == 0 && e.text == "" {
			continue
		}
		id, way, to := idOf(e.Entry), int32(notAtAll), record.Raw(nil)
		if e.text != "" {
			if same == texts && texts < len(c.texts) && c.texts[texts] == maphash.String(seed, e.text) {
				if same++; t.ownLine == nil {
					way, to = 0, id
				}
			}
			texts++
		}
		for rank, its := range e.ids {
			for place := range c.with(its) {
				here.add(int(place.item), place.rank, id)
				if way >= int32(rank) { // the first entry that has it
					way, to = int32(rank), c.id(int(place.item))
				}
			}
		}
		if len(e.ids) > 0 && way > namedThere {
			if made, isMade := c.copies[other.Session][e.ids[0]]; isMade {
				way, to = namedThere, c.id(made.item)
			}
		}
		if origin, message := relation.Fork(e.Entry); origin.Is(c.session) {
			for place := range c.with(string(message.Text())) {
				if place.rank == 0 {
					here.add(int(place.item), namedThere, id)
				}
			}
			if len(e.ids) > 0 && way > namesItself {
				way, to = namesItself, raw(message)
			}
		}
		line, isFirst := e.Pos.Line, t.entries == 0 && t.ownLine == nil
		if way < notAtAll {
			t.entries++
			t.entry, t.line, t.toEntry, t.ownLine, t.own = id, &line, to, nil, 0
			t.isFirst = t.isFirst || isFirst
		} else if t.ownLine == nil {
			t.ownLine, t.own = &line, at
		}
	}
	for _, made := range c.copies[other.Session] {
		here.add(made.item, namesItself, made.from)
	}
	return c.shared(&here, same), t
}

// shared returns what the content has of another log: matches, and texts that both begin with.
func (c *content) shared(m *matches, same int) shared {
	slices.Sort(m.items)
	ids := slices.Compact(m.items)
	begun, texts := 0, 0 // the numbers of items and of texts above the first item that is not a copy
	for ; begun < len(c.items); begun++ {
		isMatch := begun-texts < len(ids) && ids[begun-texts] == begun
		if !isMatch && (!c.items[begun].isText || texts == same) {
			break
		}
		if !isMatch {
			texts++
		}
	}
	s := shared{began: c.began, entries: int64(len(ids) + texts), isFirst: begun > 0}
	last := max(begun-1, m.last.item)
	if last >= 0 {
		s.entry, s.line, s.toEntry = c.id(last), &c.items[last].line, c.id(last)
	}
	if last >= 0 && last == m.last.item {
		s.toEntry = m.last.to
	}
	if last+1 < len(c.items) {
		s.ownLine, s.own = &c.items[last+1].line, c.items[last+1].at
	}
	return s
}
