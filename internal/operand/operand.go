package operand

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"syscall"

	"jl/internal/cli"
	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/line"
	"jl/internal/log"
	"jl/internal/says"
	"jl/internal/session"
	"jl/internal/source"
)

// A File is an open operand.
type File struct {
	// Name is the operand as it was given, or, if that is the id of a session, the log of this.
	// Messages use it.
	Name string

	// Label is the file's name in records: Name if there are several operands or the user
	// asked for it, else empty.
	Label string

	// Source reads the bytes of the operand, decompressed.
	Source *source.Source

	// Spare has the memory to read the file with, and the next one.
	Spare *dialect.Spare

	// FallsBack says that an id which the log lacks counts as if no id was given, as for some programs.
	FallsBack bool

	c      *cli.Command
	joined *joined // what the Source reads, if that is several logs, else nil
	noted  bool    // [beginsIn] has been printed
	goesOn string  // what it says more
	bytes  int64   // that were read
	failed string  // the error that Fail has reported last, empty if none
}

// Close closes the Source. A log that [File.Log] returned must not be used afterwards.
func (f *File) Close() { f.Source.Close() }

// Options are the options and operands of a program that reads logs.
type Options struct {
	Home   []string `placeholder:"DIR" sep:"none" help:"Look only in this home of an agent; see man 7 jl."`
	Writes bool     `kong:"-"` // the program replaces the logs, so those of a session must not be behind a link
	Above  bool     `kong:"-"` // a log that goes on from another one is read together with it
	Lines  bool     `kong:"-"` // the program reads any lines, so those of a list of sessions are no operands
	Single string   `kong:"-"` // an option that is given and takes one FILE, else ""
	Files  []string `arg:"" optional:"" name:"file" help:"A FILE may be the id of a session in the home, or the beginning of one:\nfour characters or more. With no FILE, or when FILE is -, read standard input."`

	spare  dialect.Spare // for all files
	homes  session.Homes // valid once they are opened, as open does
	errs   []*session.PlaceError
	opened bool
}

// Operands returns the operands.
func (o *Options) Operands() *[]string { return &o.Files }

// Validate accepts all options. Programs that refuse some have a method of their own.
func (o *Options) Validate() error { return nil }

// Each opens the operands, or standard input if there are none, one after another, calls
// do with each, and closes it. It reports those that cannot be opened, and stops once
// standard output is broken. The files have labels if there are several operands, or if
// named is set. If standard input is a list of sessions, the logs that it names are operands
// in its place, and have labels.
func Each(c *cli.Command, o *Options, named bool, do func(*File)) {
	Refuse(c, o.Files)
	named = named || len(o.Files) > 1
	for _, name := range Names(o.Files) {
		if c.Broken() {
			return
		}
		if in, ok := o.resolve(c, name); ok {
			o.use(c, in, named, do)
		}
	}
}

// use opens what an operand names, calls do with it, and closes it.
func (o *Options) use(c *cli.Command, in input, named bool, do func(*File)) {
	defer in.close()
	f, ok := o.openInput(c, &in)
	if !ok {
		return
	}
	defer f.Close()
	if in.path == "-" && !o.Lines && f.isList() {
		o.eachListed(c, f, do)
		return
	}
	if named {
		f.Label = f.Name
	}
	do(f)
	c.CountMessages()
}

// openInput opens what an operand names.
func (o *Options) openInput(c *cli.Command, in *input) (f *File, ok bool) {
	switch {
	case in.prompts != nil:
		src, err := source.Open("-", bytes.NewReader(in.prompts), c.Flush)
		f, ok = opened(c, in.path, src, err)
	case in.logs != nil:
		text := &joined{logs: in.logs}
		src, err := source.Open("-", text, c.Flush)
		if f, ok = opened(c, in.path, src, err); ok {
			f.joined = text
		}
	default:
		f, ok = Open(c, in.path)
	}
	if ok {
		f.noted, f.goesOn, f.Spare = in.noted, o.goesOn(), &o.spare
	}
	return f, ok
}

// Refuse reports the files among the names that are standard output too, before anything is written.
func Refuse(c *cli.Command, names []string) {
	for _, name := range names {
		if info, err := os.Stat(name); err == nil {
			if err := c.Writes(info); err != nil {
				c.Fail(cli.File(name), err)
			}
		}
	}
}

// Names returns the operands, or "-" if there are none.
func Names(names []string) []string {
	if len(names) == 0 {
		return []string{"-"}
	}
	return names
}

// Open opens a file, or standard input if the name is "-". If it cannot, it reports why to
// the command, and returns false. It refuses a file that is the output too, which would
// grow while it is read. The caller closes the File.
func Open(c *cli.Command, name string) (*File, bool) {
	if name == "-" && c.FromTerminal() {
		c.Note(cli.Place{}, "reading from the terminal; Ctrl-D ends the input")
	}
	src, err := source.Open(name, c.In, c.Flush)
	return opened(c, name, src, err)
}

// Of is [Open] for a file that is open, or could not be opened, by the rules of a home.
func Of(c *cli.Command, name string, file *os.File, err error) (*File, bool) {
	var src *source.Source
	if err == nil {
		src, err = source.Of(file)
	}
	return opened(c, name, src, err)
}

// opened returns the File of a source, unless it could not be opened.
func opened(c *cli.Command, name string, src *source.Source, err error) (*File, bool) {
	if err == nil {
		if err = c.Writes(src.Info()); err != nil {
			src.Close()
		}
	}
	if err != nil {
		if errors.Is(err, syscall.EISDIR) {
			err = session.DirError(name)
		}
		c.Fail(cli.File(name), err)
		return nil, false
	}
	return &File{Name: name, Source: src, Spare: new(dialect.Spare), c: c}, true
}

// Fail reports an error about the file, unless err is nil, or says the same as the last one:
// what cannot be read fails each time that it is tried.
func (f *File) Fail(err error) {
	if err == nil || err.Error() == f.failed {
		return
	}
	f.failed = err.Error()
	f.c.Fail(cli.File(f.Name), err)
}

// Failed reports whether Fail has reported an error: the file may not have been read to its end.
func (f *File) Failed() bool { return f.failed != "" }

// FailAt reports an error about a line of the file.
func (f *File) FailAt(number int64, err error) { f.c.Fail(f.place(number), err) }

// place returns the place of a line of the file.
func (f *File) place(number int64) cli.Place {
	if f.joined != nil {
		return f.joined.place(number)
	}
	return cli.Line(f.Name, number)
}

// Note prints a message about the file that is not trouble.
func (f *File) Note(format string, args ...any) { f.c.Note(cli.File(f.Name), format, args...) }

// NoteAt is Note about a line of the file.
func (f *File) NoteAt(number int64, format string, args ...any) {
	f.c.Note(f.place(number), format, args...)
}

// Damaged reports the damage of a line of the file, as Report does.
func (f *File) Damaged(d *entry.Damage) { Report(f.c, f.place(d.Pos.Line), d) }

// Entries yields the entries of the file in order, as they arrive, and the dialect of the
// log, which is the same for all. It reports damaged lines and a failed read. An entry is
// valid until the next one is yielded.
func (f *File) Entries() iter.Seq2[*entry.Entry, dialect.Dialect] {
	return f.entries(f.Source, f.Damaged)
}

// entries yields the entries that it reads from in, which is the file or has its bytes.
func (f *File) entries(in io.Reader, damaged func(*entry.Damage)) iter.Seq2[*entry.Entry, dialect.Dialect] {
	return func(yield func(*entry.Entry, dialect.Dialect) bool) {
		r := f.Spare.Take(line.NewForward(in), entry.Decoder{}, damaged)
		defer f.Spare.Give(r)
		for r.Next() {
			if !yield(r.Entry(), r.Dialect()) {
				return
			}
		}
		f.End(r)
	}
}

// End reports how the entries of the file ended, which r has read.
func (f *File) End(r *dialect.Reader) {
	f.Fail(r.Err())
	_, f.bytes = r.Read()
}

// List yields what the file names as a list: the id on a line, bare or as a JSON string, or else the
// entries of the line. It reports damaged lines and a failed read. If the list is complete, and not a
// log that may be growing, the rest of a last line that is not finished is lost. An entry is valid
// until the next one is yielded.
func (f *File) List(complete bool) iter.Seq2[string, *entry.Entry] {
	return func(yield func(string, *entry.Entry) bool) {
		var dec entry.Decoder
		lines := line.NewForward(f.Source)
		for at, text := range entry.Lines(lines) {
			if id := parseID(text); id != "" {
				if !yield(id, nil) {
					return
				}
				continue
			}
			count, damage := dec.Decode(text, at.Line, at.Offset)
			switch {
			case damage == nil:
			case complete && damage.Unfinished():
				f.FailAt(at.Line, damage)
			default:
				f.Damaged(damage)
			}
			for i := range count {
				if !yield("", dec.Entry(i)) {
					return
				}
			}
		}
		f.Fail(lines.Err())
	}
}

// Reader returns a reader of the file, which reports damaged lines. The caller calls End after it, and gives it to
// Spare.
func (f *File) Reader() *dialect.Reader {
	var in io.Reader = f.Source
	if f.Source.InPlace() {
		r, size := f.At()
		in = io.NewSectionReader(r, 0, size)
	}
	return f.Spare.Take(line.NewForward(in), entry.Decoder{}, f.Damaged)
}

// Again yields the entries of a file that was read already, from the first on, and the dialect of
// the log. It reports a failed read, but no damaged lines. An entry is valid until the next one is
// yielded, the last one until a file is read again.
func (f *File) Again() iter.Seq2[*entry.Entry, dialect.Dialect] {
	r, size := f.At()
	return f.entries(io.NewSectionReader(r, 0, size), nil)
}

// Head yields what Again does. It is cheaper for a caller that stops soon, because it reads no long line to its end before
// it yields those above, and takes more memory for one that does not.
func (f *File) Head() iter.Seq2[*entry.Entry, dialect.Dialect] {
	r, size := f.At()
	return f.entries(struct{ io.Reader }{io.NewSectionReader(r, 0, size)}, nil)
}

// Header returns the header of a log that was read already, in the dialect d, or nil if there is none, as
// in a part of a log. It is valid until a file is read again.
func (f *File) Header(d dialect.Dialect) *entry.Entry {
	for e := range f.Head() {
		if d.IsHeader(e) {
			return e
		}
		break
	}
	return nil
}

// At returns a reader of the file at any offset, and the size of the file. If reading the
// file fails before the end, At reports that, and the file ends there.
func (f *File) At() (io.ReaderAt, int64) {
	r, size, err := f.Source.At()
	f.Fail(err)
	f.bytes = size
	return r, size
}

// Log reads the file as a log, which is valid until Close. It reports damaged lines and failed
// reads. If the file is not a log, it reports only that, and returns false.
func (f *File) Log(reading log.Reading) (*log.Log, bool) {
	r, size := f.At()
	reading.Spare = f.Spare
	t, err := log.Read(r, size, reading, f.Damaged)
	f.Fail(err)
	if t.Cap == 0 {
		f.NoteNone()
	}
	f.NoteDialect(t.Dialect)
	f.NoteShape(t)
	f.noteAbove(t.Dialect)
	return t, !errors.Is(err, dialect.ErrNotLog)
}

// NoteNone prints a note about a log that has been read and has no node: it has no bytes, or only
// entries about its session. It prints none about a log that could not be read, nor about a device
// such as /dev/null, which is empty by intent. Of standard input without an entry, as of a list that names no
// session, the answer is "none".
func (f *File) NoteNone() {
	info := f.Source.Info()
	switch {
	case f.Failed():
	case f.bytes > 0:
		f.Note("no conversation")
	case info == nil || info.Mode()&os.ModeDevice == 0:
		f.Note("no entry")
		if f.Name == "-" { // it may be a list of sessions
			f.c.No()
		}
	}
}

// NoteShape prints notes about a log whose ids form no chain, and about compactions whose segments are too long.
func (f *File) NoteShape(t *log.Log) {
	if t.TooLong > 0 {
		f.Note("compactions that keep nothing here, because the segments that they name are together far longer than the log: %d", t.TooLong)
	}
	if t.Unchained {
		f.Note("no entry names a parent that is in the file: read as one path, in file order")
	}
}

// noteAbove prints a note about a log that goes on from another one and has no copy of it.
func (f *File) noteAbove(d dialect.Dialect) {
	if !d.IsList() || f.noted { // else the entries name what they go on from
		return
	}
	for e := range f.Head() {
		if s := says.About(d, e); s.Base != nil {
			f.Note(beginsIn+f.goesOn, s.Base.Text(), s.Above)
		}
		return
	}
}

// NoteDialect prints the note about a log of the dialect, if there is one.
func (f *File) NoteDialect(d dialect.Dialect) {
	if note := d.Note(); note != "" {
		f.Note("%s", note)
	}
}

// Allows reports whether an option means anything for a log in the dialect, and fails if
// it does not. The empty option means that none was given. The suite writes sessions of Claude Code and pi
// only, and knows only how their programs read a log.
func (f *File) Allows(d dialect.Dialect, option string) bool {
	ok := option == "" || d.IsClaude() || d.NeedsHeader()
	if !ok {
		f.Fail(fmt.Errorf("%s makes no sense for a log of %s", option, d))
	}
	return ok
}

// Report reports the damage of a line at a place: as trouble if an entry may be lost, else as a note.
func Report(c *cli.Command, place cli.Place, d *entry.Damage) {
	if d.Lost() {
		c.Fail(place, d)
		return
	}
	c.NoteError(place, d)
}
