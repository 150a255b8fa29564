package cli

import (
	"cmp"
	"fmt"
	"io/fs"
	"strings"
)

// A Place is what a message is about: a file, a line of a file, or nothing if it is zero.
type Place struct {
	File string
	Line int64 // counted from 1, 0 for the whole file
}

// File returns the place of a file.
func File(name string) Place { return Place{File: name} }

// Line returns the place of a line of a file.
func Line(file string, line int64) Place { return Place{file, line} }

func (p Place) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// most is how many messages of one kind about one file are printed. The others are counted.
const most = 10

// A kind is what messages have in common.
type kind struct{ file, text string }

// messages counts the messages so far.
type messages struct {
	count map[kind]int64
	over  []kind // the kinds with more than most messages, in the order of message most+1
}

// Note prints a message that leaves the exit status as it is: a warning, a guess. Of the
// messages with one format about one file it prints the first ten only; see CountMessages.
func (c *Command) Note(place Place, format string, args ...any) {
	c.tell(place, format, fmt.Sprintf(format, args...))
}

// Hint is Note for a person: it says what an answer leaves out by rule, if standard error is a
// terminal.
func (c *Command) Hint(place Place, format string, args ...any) {
	if c.Terminal() != nil {
		c.Note(place, format, args...)
	}
}

// NoteError prints the text of err as a note. Its kind is what a method Kind() string returns, or
// the text. If the place is zero and err is a [fs.PathError], its path is the place, in quotes if it
// is empty.
func (c *Command) NoteError(place Place, err error) {
	if e, ok := err.(*fs.PathError); ok && place == (Place{}) {
		place = File(cmp.Or(e.Path, "''"))
	}
	text := err.Error()
	if place.File != "" {
		text = Reason(err)
	}
	what := text
	if k, ok := err.(interface{ Kind() string }); ok {
		what = k.Kind()
	}
	c.tell(place, what, text)
}

// Fail reports what went wrong at a place, and makes the exit status 2. The command goes
// on. If the place is zero, the error must name it. Fail counts messages as NoteError does.
func (c *Command) Fail(place Place, err error) {
	c.NoteError(place, err)
	c.status = trouble
}

// tell prints a message of a kind, unless there were too many.
func (c *Command) tell(place Place, what, text string) {
	k := kind{place.File, what}
	if c.reported.count == nil {
		c.reported.count = map[kind]int64{}
	}
	c.reported.count[k]++
	switch n := c.reported.count[k]; {
	case n <= most:
		c.message(place, text)
	case n == most+1:
		c.reported.over = append(c.reported.over, k)
	}
}

// CountMessages prints how many messages of each kind were not printed, and forgets all
// messages. It is called after each file.
func (c *Command) CountMessages() {
	for _, k := range c.reported.over {
		c.message(File(k.file), fmt.Sprintf("%d more: %s", c.reported.count[k]-most, verbs.Replace(k.text)))
	}
	clear(c.reported.count)
	c.reported.over = nil
}

// verbs replaces the verbs in the format of a message.
var verbs = strings.NewReplacer("%s", "…", "%d", "…", "%q", "…", "%v", "…", "%%", "%")

// message prints one line on standard error, after the output so far.
func (c *Command) message(place Place, text string) {
	c.Flush()
	if c.mute.Load() {
		c.status = trouble
		return
	}
	line := c.name + ": "
	if place != (Place{}) {
		line += place.String() + ": "
	}
	// If this write fails, there is nowhere to report it.
	_, _ = c.stderr.Write(append(appendEscaped(nil, []byte(line+text), ""), '\n'))
}
