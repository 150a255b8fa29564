package main

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"jl/internal/cli"
	"jl/internal/drawing"
	"jl/internal/entry"
	"jl/internal/log"
	"jl/internal/says"
	"jl/internal/shape"
)

// A stretch is what a drawing shows as one row: entries that follow one another without a fork.
// It ends at an end, a fork or a compaction; if each turn has a row, at the next prompt, too.
type stretch struct {
	drawing.Node
	marks   []string // what is special about it
	title   string   // what it is about, on one line without control characters
	id      string   // of its last entry, or the beginning of it; "" if it is folded
	prompts int      // that the user typed
	calls   int      // of tools
	entries int

	from, to int64 // the earliest and the latest timestamp, in microseconds since 1970

	top, bottom log.Node // its first and its last turn; None if it is folded
	last        log.Node // the last entry of bottom that converses, or else the last; None if it is folded
	timed       bool     // an entry has a timestamp
	prompted    bool     // the title is a prompt
	answered    bool     // the model wrote an entry of it
}

// The marks of a stretch. A folded stretch has a mark of its own, which counts its entries.
const (
	leafMark       = "leaf"
	endMark        = "end"
	compactionMark = "compaction"
	orphanMark     = "orphan"
	planMark       = "plan"
	cycleMark      = "cycle"
)

var endMarks = map[drawing.Kind][]string{drawing.Chosen: {leafMark}, drawing.End: {endMark}}

// pass adds what an entry says to s.
func (o *outliner) pass(s *stretch, n log.Node) {
	a, said := &o.nodes[n], o.said[n]
	if isBottom := s.bottom != log.None && o.t.Tree.Turn[n] == s.bottom; isBottom && (o.t.Tree.Is(n, log.Talks) || s.last == log.None || o.t.Tree.Turn[s.last] != s.bottom) {
		s.last = n
	}
	s.answered = s.answered || a.answer
	if a.prompt {
		s.prompts++
	}
	if said != "" && (s.title == "" || a.prompt && !s.prompted) {
		s.title, s.prompted = said, a.prompt
	}
}

// count adds n to the figures of s, wherever it hangs.
func (o *outliner) count(s *stretch, n log.Node) {
	s.entries++
	o.nodes[n].counted = true
	s.calls += int(o.nodes[n].calls)
	at := o.t.Tree.Time[n]
	timed := at != log.NoTime
	if timed && !s.timed {
		s.timed, s.from, s.to = true, at, at
	} else if timed {
		s.from, s.to = min(s.from, at), max(s.to, at)
	}
}

// name gives a stretch its title and its id. The title is the first prompt; else the name of the
// first command; else what the model says.
func (o *outliner) name(s *stretch) {
	s.marks = slices.Concat(endMarks[s.Kind], s.marks)
	if s.Kind != drawing.Folded {
		id := o.t.ID(s.last)
		if p := prefixOf(id); len(id) > len(p) && !o.begin[p] && utf8.RuneStart(id[len(p)]) {
			id = id[:len(p)]
		}
		s.id = oneLine(id)
		if s.title == "" {
			s.title = oneLine(o.answer(s))
		}
	}
	if s.title == "" && slices.Contains(s.marks, compactionMark) {
		s.title = "(summary)" // all that a compaction without a prompt has
	}
}

// answer returns an ellipsis and the first words of the model in a stretch, or else the tool that it
// called first.
func (o *outliner) answer(s *stretch) string {
	var told says.Telling
	text, tool := "", ""
	for turn := s.bottom; ; turn = o.up.Up[turn] {
		for _, n := range slices.Backward(o.members(turn)) {
			if !o.nodes[n].answer {
				continue
			}
			says.Tell(o.t.Dialect, o.t.Entry(n), &told)
			for _, x := range slices.Backward(told.Things) {
				switch x.Is {
				case says.Call:
					tool = string(x.Name.Text())
				case says.Answer:
					text = cmp.Or(firstText(x.Text), text)
				}
			}
		}
		if turn == s.top {
			break
		}
	}
	if text = cmp.Or(text, tool); text == "" {
		return ""
	}
	return "… " + text
}

// firstText returns the first text of a content that is not white space, or "".
func firstText(content entry.Value) string {
	for text := range says.Words(content) {
		if text := bytes.TrimSpace(text.Text()); len(text) > 0 {
			return string(text)
		}
	}
	return ""
}

// start returns the time of the earliest entry in UTC, or "" if no entry has a time.
func (s *stretch) start(form string) string {
	if !s.timed {
		return ""
	}
	return time.UnixMicro(s.from).UTC().Format(form)
}

// took returns the time from the earliest entry to the latest, in one or two units.
func (s *stretch) took() string {
	if !s.timed {
		return ""
	}
	left := (s.to - s.from) / 1e6
	days, hours, minutes := left/(24*60*60), left/(60*60)%24, left/60%60
	switch {
	case days > 0:
		return strings.TrimSuffix(fmt.Sprintf("%dd%02dh", days, hours), "00h")
	case hours > 0:
		return strings.TrimSuffix(fmt.Sprintf("%dh%02dm", hours, minutes), "00m")
	case minutes > 0:
		return fmt.Sprintf("%dm", minutes)
	}
	return fmt.Sprintf("%ds", left)
}

// titleWidth is the most columns that a title takes. Of a prompt, which may have a gigabyte, a drawing looks at
// about titleMost bytes.
const (
	titleWidth = 200
	titleMost  = 16 << 10
)

// oneLine returns the beginning of a text on one line, with its control characters visible.
func oneLine[T string | []byte](text T) string {
	line := bytes.ToValidUTF8(shape.FirstWords([]byte(text), titleMost), []byte("\ufffd"))
	return drawing.Clip(string(cli.AppendVisible(nil, line)), titleWidth, "…")
}

// counted returns a number of things.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprint(n, " ", many)
}
