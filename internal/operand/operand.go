// Package operand opens the FILEs of a command line: as bytes, as entries, or as a
// tree whose leaf the user chose. Whatever is wrong with a FILE it reports to the
// command, so that all programs use the same words and the same exit status.
//
// What it promises. Each FILE is a session of its own, and "-" is standard input. A
// FILE that cannot be opened, a read that fails and a line that is not a whole entry
// are reported with file and line, and never stop the rest. A lost entry is trouble; a
// recovered one, and the unfinished end of a log that is being written, are notes.
//
// What it does not do. It prints no data, and it knows nothing of what a program does
// with a log.
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
	// Name is the operand as it was given: what messages call the file.
	Name string

	// Label is what records call the file: its name if there are several operands,
	// else empty.
	Label string

	// Source is the operand's bytes, decompressed.
	Source *source.Source

	c *cli.Command
}

// Each opens the operands, or standard input if there are none, one after another and
// calls do with each. It reports those that cannot be opened, and stops when standard
// output is broken.
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

// Open opens one operand. It reports false, and why to the command, if it cannot. The
// caller closes the Source.
func Open(c *cli.Command, name string) (*File, bool) {
	src, err := source.Open(name, c.In, c.Flush)
	if err != nil {
		c.Fail(name, err)
		return nil, false
	}
	return &File{Name: name, Source: src, c: c}, true
}

// Fail reports what went wrong with the file. It does nothing if err is nil.
func (f *File) Fail(err error) {
	if err != nil {
		f.c.Fail(f.Name, err)
	}
}

// FailAt reports what went wrong with a line of the file.
func (f *File) FailAt(number int64, err error) { f.c.Fail(cli.Line(f.Name, number), err) }

// Note prints a message about the file that is not trouble.
func (f *File) Note(format string, args ...any) { f.c.Note(f.Name, format, args...) }

// Damaged reports what is wrong with a line: see [Report].
func (f *File) Damaged(d *entry.Damage) { Report(f.c, f.Name, d) }

// Entries yields the entries of the file in order, as they come in. It reports damaged
// lines and a failed read. An entry is valid until the next one is yielded.
func (f *File) Entries() iter.Seq[*entry.Entry] { return f.entries(f.Source) }

func (f *File) entries(from io.Reader) iter.Seq[*entry.Entry] {
	return func(yield func(*entry.Entry) bool) {
		r := entry.NewReader(line.NewForward(from), entry.Decoder{}, f.Damaged)
		for r.Next() {
			if !yield(r.Entry()) {
				return
			}
		}
		f.Fail(r.Err())
	}
}

// At returns the bytes of the file at any place, and how many there are. A read that
// fails before the end is reported, and the file ends there.
func (f *File) At() (io.ReaderAt, int64) {
	r, size, err := f.Source.At()
	f.Fail(err)
	return r, size
}

// Tree reads the file as a tree whose leaf and paths are found by the rules. It reports
// damaged lines and whatever keeps the file from being read to its end.
func (f *File) Tree(rules tree.Rules) *tree.Tree {
	r, size := f.At()
	t, err := tree.Read(line.NewForward(io.NewSectionReader(r, 0, size)), r, size, rules, f.Damaged)
	f.Fail(err)
	f.NoteNumbered(t)
	return t
}

// NoteNumbered says so if the entries of a Claude log have no ids.
func (f *File) NoteNumbered(t *tree.Tree) {
	if t.Numbered() && t.Dialect() == entry.Claude {
		f.Note("%s", NoIDs)
	}
}

// NoIDs is the note about a Claude log whose entries have no ids.
const NoIDs = "no conversation entry has an id: taken as one straight path, in the order of the file"

// Remarks reports what is odd about a path.
func (f *File) Remarks(remarks []tree.Remark) {
	for _, r := range remarks {
		f.c.Note(cli.Line(f.Name, r.Line), "%s", r.Text)
	}
}

// Lost reports the remarks about entries that could not be used.
func (f *File) Lost(remarks []tree.Remark) {
	for _, r := range remarks {
		f.FailAt(r.Line, errors.New(r.Text))
	}
}

// Report reports what is wrong with a line of the file called name: trouble if
// something is lost, else a note.
func Report(c *cli.Command, name string, d *entry.Damage) {
	place := cli.Line(name, d.Pos.Line)
	if d.Lost() {
		c.Fail(place, d)
		return
	}
	c.Note(place, "%v", d)
}
