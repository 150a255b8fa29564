// Package operand opens the FILEs of a command line: as bytes, as entries, or as a tree
// in which it looks up the ids that the user gave. It reports what is wrong with a FILE to
// the command, so that all programs use the same words and the same exit status.
//
// What it promises. Each FILE is a session of its own, and "-" is standard input. A FILE
// that cannot be opened, a read that fails and a line that is not a whole entry are
// reported with file and line, and do not stop the rest. A lost entry is trouble; a
// recovered one, and the unfinished end of a log that is being written, are notes.
//
// What it does not do. It prints no data, and it does not know what a program does with a
// log.
package operand

import (
	"errors"
	"io"
	"iter"

	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/line"
	"jl/internal/source"
	"jl/internal/tree"
)

// A File is an open operand.
type File struct {
	// Name is the operand as it was given. Messages use it.
	Name string

	// Label is the operand's name in records: Name if there are several operands, else
	// empty.
	Label string

	// Source reads the bytes of the operand, decompressed.
	Source *source.Source

	c *cli.Command
}

// Each opens the operands, or standard input if there are none, one after another, calls
// do with each, and closes it. It reports those that cannot be opened, and stops once
// standard output is broken.
func Each(c *cli.Command, names []string, do func(*File)) {
	for _, name := range Names(names) {
		if c.Broken() {
			return
		}
		f, ok := Open(c, name)
		if !ok {
			continue
		}
		if len(names) > 1 {
			f.Label = name
		}
		do(f)
		f.Source.Close()
	}
}

// Names returns the operands, or "-" if there are none.
func Names(names []string) []string {
	if len(names) == 0 {
		return []string{"-"}
	}
	return names
}

// Open opens one operand. If it cannot, it reports why to the command, and returns false.
// The caller closes the Source.
func Open(c *cli.Command, name string) (*File, bool) {
	src, err := source.Open(name, c.In, c.Flush)
	if err != nil {
		c.Fail(name, err)
		return nil, false
	}
	return &File{Name: name, Source: src, c: c}, true
}

// Fail reports an error about the file, unless err is nil.
func (f *File) Fail(err error) {
	if err != nil {
		f.c.Fail(f.Name, err)
	}
}

// FailAt reports an error about a line of the file.
func (f *File) FailAt(number int64, err error) { f.c.Fail(cli.Line(f.Name, number), err) }

// Note prints a message about the file that is not trouble.
func (f *File) Note(format string, args ...any) { f.c.Note(f.Name, format, args...) }

// Damaged reports the damage of a line of the file, as [Report] does.
func (f *File) Damaged(d *entry.Damage) { Report(f.c, f.Name, d) }

// Entries yields the entries of the file in order, as they arrive. It reports damaged
// lines and a failed read. An entry is valid until the next one is yielded.
func (f *File) Entries() iter.Seq[*entry.Entry] {
	return func(yield func(*entry.Entry) bool) {
		r := entry.NewReader(line.NewForward(f.Source), entry.Decoder{}, f.Damaged)
		for r.Next() {
			if !yield(r.Entry()) {
				return
			}
		}
		f.Fail(r.Err())
	}
}

// At returns a reader of the file at any offset, and the size of the file. If reading the
// file fails before the end, At reports that, and the file ends there.
func (f *File) At() (io.ReaderAt, int64) {
	r, size, err := f.Source.At()
	f.Fail(err)
	return r, size
}

// Tree reads the file as a tree by the given rules. It reports damaged lines and failed
// reads.
func (f *File) Tree(rules tree.Rules) *tree.Tree {
	r, size := f.At()
	t, err := tree.Read(line.NewForward(io.NewSectionReader(r, 0, size)), r, size, rules, f.Damaged)
	f.Fail(err)
	f.NoteNumbered(t)
	return t
}

// NoteNumbered prints the note [NoIDs] if the entries of a Claude log have no ids.
func (f *File) NoteNumbered(t *tree.Tree) {
	if t.Numbered() && t.Dialect() == entry.Claude {
		f.Note("%s", NoIDs)
	}
}

// NoIDs is the note about a Claude log whose entries have no ids.
const NoIDs = "no conversation entry has an id: read as one path, in file order"

// Remarks prints the remarks about a path as notes.
func (f *File) Remarks(remarks []tree.Remark) {
	for _, r := range remarks {
		f.c.Note(cli.Line(f.Name, r.Line), "%s", r.Text)
	}
}

// Lost reports the remarks about entries that could not be used, as trouble.
func (f *File) Lost(remarks []tree.Remark) {
	for _, r := range remarks {
		f.FailAt(r.Line, errors.New(r.Text))
	}
}

// Report reports the damage of a line of the file called name: as trouble if an entry may
// be lost, else as a note.
func Report(c *cli.Command, name string, d *entry.Damage) {
	place := cli.Line(name, d.Pos.Line)
	if d.Lost() {
		c.Fail(place, d)
		return
	}
	c.Note(place, "%v", d)
}
