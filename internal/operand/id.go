package operand

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/log"
)

// An Answer is the meaning of a given id in one log.
type Answer struct {
	// Known reports whether the log has the id, or ids that begin with it. Find has
	// reported an ambiguous one. It is also true if not all of the log could be read: what
	// cannot be read may have the id.
	Known bool

	// Chosen reports whether Node can be used. [log.None] is the leaf that the rules
	// choose, because some treat an unknown id as if none was given.
	Chosen bool
	Node   log.Node

	// Until is the moment that the id names if it is a day or a time, in microseconds since 1970: Node is
	// the last entry that is not after it. Else it is [log.NoTime].
	Until int64
}

// Find looks up ids in the log of f: whole ids, or prefixes that only one id has. It returns the answers
// by id.
func (f *File) Find(t *log.Log, ids ...string) map[string]Answer {
	answers, inText := map[string]Answer{}, map[string]string{}
	for _, id := range ids {
		inText[id] = f.inText(id)
	}
	matches := t.Find(slices.Collect(maps.Values(inText)))
	for _, id := range slices.Sorted(maps.Keys(inText)) {
		m := matches[inText[id]]
		_, err := strconv.Atoi(id)
		switch {
		case m.Count > 1:
			Ambiguous(f.c, f.Name, id, m.Candidates, m.Count)
			answers[id] = Answer{Known: true}
		case m.Node != log.None:
			answers[id] = Answer{Known: true, Chosen: true, Node: m.Node, Until: log.NoTime}
		case f.failed != "", t.Err() != nil:
			answers[id] = Answer{Known: true} // the caller reports the error of t
		case t.Dialect.IsList() && err == nil: // the number of a line, more likely than an id
			f.Note("no entry %s; the id of line %s is '#%[2]s'", entry.Quote(id), id)
			f.c.No()
			answers[id] = Answer{Known: true}
		case isTime(id):
			answers[id] = f.lastNotAfter(t, id)
		case f.FallsBack:
			f.Note("no entry %s: ignored", entry.Quote(id))
			answers[id] = Answer{Known: true, Chosen: true, Node: log.None, Until: log.NoTime}
		}
	}
	return answers
}

// inText returns an id in the text of the file: an entry without an id is called by its line, which is that in
// the last of several logs.
func (f *File) inText(id string) string {
	line, isLine := strings.CutPrefix(id, "#")
	if number, err := strconv.ParseInt(line, 10, 64); isLine && err == nil && f.joined != nil {
		return fmt.Sprint("#", number+f.joined.parts[len(f.joined.parts)-1].lines)
	}
	return id
}

// isTime reports whether the value of -l is not an id, but a day or a time: an id may begin as a duration does.
func isTime(s string) bool {
	_, isAgo := duration(s)
	_, err := Instant(s, true)
	return err == nil && !isAgo
}

// lastNotAfter returns the last entry of the newest conversation of f that is not after a time, or after the end
// of a day.
func (f *File) lastNotAfter(t *log.Log, when string) Answer {
	until, _ := Instant(when, true)
	timed := false
	for _, n := range slices.Backward(t.Path(log.None, log.Options{Through: true}).Nodes) {
		if !t.Tree.Is(n, log.Talks) || t.Tree.Time[n] == log.NoTime {
			continue
		}
		timed = true
		if end := (until+1)*1000 - 1; t.Tree.Time[n] <= end {
			return Answer{Known: true, Chosen: true, Node: n, Until: end}
		}
	}
	if timed {
		f.Note("the conversation begins after %s", when)
	} else {
		f.Note("no entry of the conversation has a time")
	}
	f.c.No()
	return Answer{Known: true}
}

// Ambiguous reports that id is a prefix of count ids at a place, and makes the exit status
// 2. It names the first few of them, which candidates begins with.
func Ambiguous(c *cli.Command, place, id string, candidates []string, count int) {
	const most = 5
	var quoted []string
	for _, candidate := range candidates[:min(len(candidates), most)] {
		quoted = append(quoted, entry.Quote(candidate))
	}
	more := ""
	if count > most {
		more = fmt.Sprintf(" and %d more", count-most)
	}
	c.Fail(cli.File(place), fmt.Errorf("%s is ambiguous: %s%s", entry.Quote(id), strings.Join(quoted, ", "), more))
}

// NoEntry prints the note that no operand has an entry with the id, and makes the answer
// "none".
func NoEntry(c *cli.Command, names []string, id string) {
	hint := ""
	if _, err := time.Parse("15:04", id); err == nil {
		hint = "; a time begins with its day, as in 2026-11-24T16:00"
	}
	if names = Names(names); len(names) == 1 {
		c.Note(cli.File(names[0]), "no entry %s%s", entry.Quote(id), hint)
	} else {
		c.Note(cli.Place{}, "no FILE has an entry %s%s", entry.Quote(id), hint)
	}
	c.No()
}

// parseID returns the id on a line of a list of ids: bare or as a JSON string, with optional white
// space and a byte order mark around it. It returns "" if the line may be something else, such as an
// entry or a part of one.
func parseID(line []byte) string {
	const longest = 1 << 10
	line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte(entry.BOM)))
	switch {
	case bytes.HasPrefix(line, []byte{'"'}) && entry.Valid(line):
		return string(entry.Value(line).Text())
	case len(line) > longest, bytes.ContainsAny(line, "{}[]\"\x00"):
		return ""
	}
	return string(line)
}

// AppendID appends an id as a line of a list, without a '\n', so that [File.List] reads it
// back: bare if possible, else as a JSON string.
func AppendID(dst []byte, id string) []byte {
	control := func(r rune) bool { return r < 0x20 || r == 0x7f }
	if parseID([]byte(id)) == id && !strings.ContainsFunc(id, control) {
		return append(dst, id...)
	}
	return entry.AppendString(dst, []byte(id))
}
