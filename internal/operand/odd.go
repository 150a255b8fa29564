package operand

import (
	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/log"
)

// Odd prints what is odd about a path of t as notes.
func (f *File) Odd(t *log.Log, odd []log.Odd) {
	for _, o := range odd {
		f.odd(t, o)
	}
}

func (f *File) odd(t *log.Log, o log.Odd) {
	var at cli.Place
	var to string
	var line int64
	name := entry.Quote(o.Name)
	if o.At != log.None {
		at = f.place(t.Pos(o.At).Line)
	}
	if o.To != log.None {
		to, line = entry.Quote(t.ID(o.To)), t.Pos(o.To).Line
	}
	switch starts := o.To == log.None; {
	case o.What == log.NoHeader:
		f.c.Note(f.place(1), "the header of the session is not its first line: pi does not open it")
	case o.What == log.NoConversation:
		f.Note("no conversation")
	case o.What == log.Orphan && starts:
		f.c.Note(at, "its parent %s is not in the file: the path starts here", name)
	case o.What == log.Orphan:
		f.c.Note(at, "its parent %s is not in the file: the path starts here; jlpath --through goes on above", name)
	case o.What == log.Tied:
		f.c.Note(at, "its parent %s is not in the file: tied to %s on line %d", name, to, line)
	case o.What == log.NoLogical && starts:
		f.c.Note(at, "it names no logical parent")
	case o.What == log.NoLogical:
		f.c.Note(at, "it names no logical parent: went on at the newest entry above, %s on line %d", to, line)
	case o.What == log.LostLogical && starts:
		f.c.Note(at, "its logical parent %s is not in the file", name)
	case o.What == log.LostLogical:
		f.c.Note(at, "its logical parent %s is not in the file: went on at the newest entry above, %s on line %d", name, to, line)
	case o.What == log.Cycle:
		f.c.Note(at, "its parent %s is below it, a cycle: the path starts here", to)
	case o.What == log.Afresh:
		f.c.Note(at, "an approved plan began the conversation afresh: went on at the newest entry before, %s on line %d", to, line)
	}
}
