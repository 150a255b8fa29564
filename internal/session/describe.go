package session

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"syscall"
	"time"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/line"
	"jl/internal/record"
	"jl/internal/says"
	"jl/internal/shape"
)

// A describer describes the sessions of logs, one after another.
type describer struct {
	h       *Home // nil if the log is in no home
	agent   *agent
	dialect dialect.Dialect
	filter  Filter
	*endReader
	log     string // the name of the log that is described, "" if it is in no home
	file    string // the log as the user named it, "" if a home did
	id      string // of its session
	row     record.Session
	brief   *Brief
	isAgent bool
	buf     []byte        // the last row
	errs    []*PlaceError // what could not be read of its session
}

// describer returns a describer of the logs of the home.
func (h *Home) describer() *describer {
	return &describer{h: h, agent: h.agent, dialect: h.agent.dialect, endReader: newEndReader()}
}

// open opens the log.
func (d *describer) open() (*os.File, fs.FileInfo, error) {
	if d.file != "" {
		return openFile(d.file)
	}
	return d.h.open(d.log, 0)
}

func (d *describer) fail(name string, err error) {
	switch {
	case err == nil:
	case d.file != "" && name == d.log:
		d.errs = append(d.errs, &PlaceError{d.file, d.file, "", err})
	default:
		d.errs = append(d.errs, d.h.placeError(name, "", err))
	}
}

// readEnds reads the ends of the log. With an error, which it notes, it returns what it has read, and no info
// if the log cannot be opened.
func (d *describer) readEnds() (e ends, info fs.FileInfo, err error) {
	f, info, err := d.open()
	if err != nil {
		info = nil
	} else {
		e, err = d.read(f, info.Size())
	}
	d.fail(d.log, err)
	return e, info, err
}

// describeLog describes the session, or the sub-agent, of a log of the home. It returns nil if that is not
// to be listed.
func (d *describer) describeLog(log *Member) *Brief {
	d.log, d.id, d.errs = log.Name, log.Session, nil
	e, info, _ := d.readEnds()
	if info == nil || info.Size() == 0 {
		return nil
	}
	d.describe(e, info, d.h.Path(d.log))
	if d.isAgent = d.isAgent || log.Kind == Agent; d.isAgent && !d.filter.All {
		return nil
	} else if !d.isAgent && d.agent.sdk && d.brief.rank >= 2 && (d.row.Summary == nil || !IsID(d.id)) {
		return nil
	}
	if log.Kind == Agent {
		d.id = log.Session
	}
	return d.finish(log.Agent)
}

// describeFile describes the log in a file, whose agent its entries show, if the home does not. It returns
// nil if that is no log.
func (d *describer) describeFile(file string) *Brief {
	d.file, d.agent, d.id, d.errs = file, &agent{}, "", nil
	e, info, err := d.readEnds()
	if err != nil && len(e.head) == 0 {
		return nil
	}
	text := e.head
	if d.isPart {
		text = slices.Concat(e.head, e.tail) // where both are in one string, they are one line
	}
	r := d.reader.spare.Take(line.NewForward(bytes.NewReader(text)), entry.Decoder{}, nil)
	defer d.reader.spare.Give(r)
	entries := false
	var old *agent
	all := models()
	for ; r.Next(); entries = true {
		for i := range all {
			a := &all[i]
			if !entries && a.began != nil && a.began(r.Entry()) {
				old = a
			}
			if a.dialect.String() == r.Dialect().String() && (d.agent.name == "" && a.shows == nil || a.shows != nil && a.shows(r.Entry())) {
				d.agent = a
			}
		}
	}
	if !entries && r.Err() != nil && (!d.isPart || bytes.IndexByte(e.head, '\n') >= 0) {
		d.fail(d.log, r.Err())
		return nil
	}
	if d.dialect = r.Dialect(); d.agent.name == "" && old != nil {
		d.dialect, d.agent = old.dialect, old
	}
	if d.h != nil && d.h.agent.match(d.log, false).isSession() {
		d.agent, d.id = d.h.agent, d.h.rowOf(d.log, nil, false).session
	} else if id := d.agent.idOf(filepath.Base(file)); IsID(id) {
		d.id = id
	}
	d.describe(e, info, file)
	return d.finish("")
}

// openFile opens a regular file outside of a home. It does not wait for the writer of a named pipe.
func openFile(file string) (*os.File, fs.FileInfo, error) {
	info, err := os.Stat(file) // to open a device may do something to it
	switch {
	case err != nil:
		return nil, nil, err
	case info.IsDir():
		return nil, nil, DirError(file)
	case !info.Mode().IsRegular():
		return nil, nil, errors.New("not a regular file")
	}
	f, err := os.OpenFile(file, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	return f, info, err
}

// describe describes the session of a log at a path.
func (d *describer) describe(e ends, info fs.FileInfo, path string) {
	d.row = record.Session{
		LastModified: info.ModTime().Round(time.Millisecond).UnixMilli(), FileSize: info.Size(), Path: record.Text(path),
		Compressed: e.compressed, HeadOnly: e.tail == nil,
	}
	d.brief, d.isAgent = &Brief{Path: path, Name: d.log}, false
	d.seen, d.said, d.aside = survey{in: d.dialect, answers: d.seen.answers[:0]}, words{}, words{}
	if d.agent.sdk {
		d.asSDK(e)
	} else {
		d.asDialect(e)
	}
	r, seen := &d.row, &d.seen
	if seen.at != nil {
		seen.last, seen.hasLast = seen.at.Instant()
	}
	if r.Summary == nil && (seen.main || seen.side || seen.damaged || d.isPart) {
		d.useWords()
	}
	switch {
	case !seen.main && !seen.side && r.FirstPrompt == nil:
		d.brief.rank = 2
		if !d.isPart && !seen.damaged {
			r.Messages = new(int)
			if r.Summary == nil {
				d.brief.rank = 3
			}
		}
	case !seen.hasLast:
		d.brief.rank = 1
	}
	if f := &d.filter; f.cwds != nil || f.unders != nil {
		d.dirs(e.head)
		d.dirs(e.tail)
	}
}

// finish returns what a list has about the session, or the sub-agent, that is described.
func (d *describer) finish(agent string) *Brief {
	b, r := d.brief, &d.row
	if d.filter.All {
		r.Kind = record.Text(Log)
	}
	if d.isAgent {
		parent := string(entry.Value(r.ParentSession).Text())
		if agent == "" && parent != "" { // it is among the logs of the sessions
			if agent = d.id; d.filter.All && d.h != nil {
				d.id = d.h.topOf(parent)
			}
		}
		r.Kind, r.AgentID = record.Text(Agent), record.Text(agent)
		b.Agent = cmp.Or(agent, d.id)
	}
	b.ID, b.cwd, b.last, b.bytes = d.id, string(entry.Value(r.Cwd).Text()), r.LastModified, r.FileSize
	if d.seen.hasLast {
		r.LastTimestamp = millis(d.seen.last)
		b.last = *r.LastTimestamp
	}
	b.begun = *cmp.Or(r.CreatedAt, &b.last)
	r.SessionID, r.Agent = record.Text(d.id), record.Text(d.agent.name)
	if d.agent.threads {
		row := *r
		b.row = &row
	}
	d.buf = record.Append(d.buf[:0], r)
	entry.ReplaceLone(d.buf)
	b.Row = bytes.Clone(d.buf)
	return b
}

// A survey is what the entries at an end of a log tell. Its values are valid until the next log is read.
type survey struct {
	in         dialect.Dialect
	at         entry.Value // the timestamp of the last entry that has one
	last       int64       // or its time, in microseconds since 1970
	hasLast    bool
	answers    []entry.Value // the messages of Claude Code's model
	main, side bool          // there is a message on the main line, on a sidechain
	damaged    bool          // there is a line that is no entry, but may hold some
}

// entry adds what the next entry of a log tells.
func (s *survey) entry(x *entry.Entry) {
	if at := x.Get(entry.Timestamp); at.IsString() {
		s.at = at
	} else if last, ok := s.in.Instant(x); ok {
		s.at, s.last, s.hasLast = nil, last, true
	}
	if x.Get(entry.Type).Is("assistant") {
		s.answers = append(s.answers, x.Get(entry.Message))
	}
	s.message(x)
}

// answer returns the last message that the model wrote, and not the client, nil if there is none.
func (s *survey) answer() entry.Value {
	for _, m := range slices.Backward(s.answers) {
		if !bytes.Contains(m, []byte(`"<synthetic>"`)) {
			return m
		}
	}
	return nil
}

// isWhole reports whether nothing more of a log is wanted.
func (s *survey) isWhole() bool { return s.main && s.at != nil && s.answer() != nil }

// message notes whether x is a message.
func (s *survey) message(x *entry.Entry) {
	if s.main {
		return
	}
	if s.in.IsMessage(x) {
		s.main = s.in.Sidechain(x) == nil
		s.side = !s.main
	}
}

// above adds to a survey of a tail what that of the head tells.
func (s *survey) above(head *survey) {
	if s.at == nil && !s.hasLast {
		s.at, s.last, s.hasLast = head.at, head.last, head.hasLast
	}
	s.answers = append(head.answers, s.answers...)
	s.main = s.main || head.main
	s.side = !s.main && (s.side || head.side)
	s.damaged = s.damaged || head.damaged
}

// The words of a log name it if nothing else does: its first prompt, else the first message of the user that is
// only there as it was sent to the model, its first answer, or what a client put in first, without the tags.
type words struct {
	prompt, title, item, answer, inserted string // title is what the prompt is called

	pieces  []byte      // of the prompt, which may go on in the next entry; nil if it comes in one
	message entry.Value // that they are of
}

// wantsMore reports whether the next entry may tell the first prompt.
func (w *words) wantsMore() bool { return w.prompt == "" || w.pieces != nil }

// look adds the words of an entry to those of the main line, or to those of the sidechains.
func (r *endReader) look(x *entry.Entry) {
	in, w := r.seen.in, &r.said
	if in.Sidechain(x) != nil {
		w = &r.aside
	}
	if !w.wantsMore() {
		return
	}
	says.Tell(in, x, &r.told)
	if things := r.told.Things; len(things) > 0 {
		if x := &things[0]; x.Is == says.Prompt && x.Piece && (w.pieces == nil || bytes.Equal(w.message, x.Message)) {
			w.addPiece(x)
			return
		}
		w.pieces = nil
	}
	if w.prompt != "" {
		return
	}
	prompt, _ := says.PromptIn(&r.told)
	w.prompt, w.title = shape.Line(prompt), shape.Line(shape.Title(prompt))
	for i := range r.told.Things {
		w.add(&r.told.Things[i])
	}
}

// addPiece adds a piece of the first prompt.
func (w *words) addPiece(x *says.Thing) {
	for text := range says.Words(x.Text) {
		w.pieces = append(w.pieces, text.Text()...)
	}
	w.message = bytes.Clone(x.Message)
	typed, _ := shape.Typed(w.pieces)
	w.prompt, w.title = shape.Line(typed), shape.Line(shape.Title(typed))
}

// add adds what a thing says, apart from a prompt that is sure.
func (w *words) add(x *says.Thing) {
	switch x.Is {
	case says.Prompt, says.Context, says.Summary:
		for text := range says.Words(x.Text) {
			if w.inserted == "" {
				w.inserted = shape.Line(bytes.TrimSpace(tag().ReplaceAll(text.Text(), nil)))
			}
			if typed, _ := shape.Typed(text.Text()); x.Unsure && w.item == "" {
				w.item = shape.Line(typed)
			}
		}
	case says.Answer:
		for text := range says.Words(x.Text) {
			if w.answer == "" {
				w.answer = shape.Line(bytes.Trim(text.Text(), entry.SpaceJS))
			}
		}
	}
}

// spoken returns the words of the log: what sidechains have counts if nothing else has a message.
func (r *endReader) spoken() words {
	if m, s := r.said, r.aside; !r.seen.main {
		return words{prompt: cmp.Or(m.prompt, s.prompt), title: cmp.Or(m.title, s.title), item: cmp.Or(m.item, s.item), answer: cmp.Or(m.answer, s.answer), inserted: cmp.Or(m.inserted, s.inserted)}
	}
	return r.said
}

// useWords sets the first prompt and the summary of a log by its words. If its head has none, it reads on behind it, as
// far as a compressed log is read.
func (d *describer) useWords() {
	if first := d.row.CreatedAt; !d.seen.hasLast && first != nil {
		d.seen.last, d.seen.hasLast = *first*1000, true
	}
	w := d.spoken()
	if (w.prompt+w.item+w.answer == "" || d.said.pieces != nil) && (d.seen.damaged || d.isPart) {
		if d.said.pieces != nil { // they are read again
			d.said = words{}
		}
		f, _, err := d.open()
		err = d.reader.each(f, err, nil, nil, func(x *entry.Entry) bool {
			if d.seen.message(x); !d.seen.hasLast {
				d.seen.last, d.seen.hasLast = d.dialect.Instant(x)
			}
			d.look(x)
			w = d.spoken()
			return (w.prompt+w.answer == "" || d.said.pieces != nil) && x.Pos.Offset < throughSize
		})
		if d.errs == nil { // else it has failed at the ends already
			d.fail(d.log, err)
		}
	}
	prompt := cmp.Or(w.prompt, w.item)
	d.row.FirstPrompt, d.row.Summary = record.Text(prompt), record.Text(cmp.Or(w.title, prompt, w.answer, w.inserted))
}

var tag = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`</?[a-z][^<>]*>`) })

// dirs remembers the working directories that the entries in an end of the log tell. Most tell only that of
// the row.
func (d *describer) dirs(end []byte) {
	b, cwd := d.brief, string(entry.Value(d.row.Cwd).Text())
	another := bytes.Contains(end, []byte(`"relocatedCwd"`)) || bytes.Contains(end, []byte(`"worktreePath"`))
	for dir := range stringsOf(end, "cwd") {
		another = another || dir != cwd
	}
	if !another {
		return
	}
	add := func(v entry.Value) string {
		dir := plainDir(string(v.Text()))
		if v != nil && !slices.Contains(b.cwds, dir) {
			b.cwds = append(b.cwds, dir)
		}
		return dir
	}
	for line := range linesIn(end) {
		if says.MayTell(d.dialect, line) && d.e.Scan(line) {
			s := says.About(d.dialect, &d.e)
			cwd := add(s.Cwd)
			if s.Origin != nil {
				b.worktree = [2]string{cwd, add(s.Origin)}
			}
		}
	}
}

// millis returns the milliseconds of a time in microseconds.
func millis(at int64) *int64 {
	at = time.UnixMicro(at).UnixMilli()
	return &at
}
