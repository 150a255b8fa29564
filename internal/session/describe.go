package session

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/line"
	"jl/internal/record"
	"jl/internal/shape"
)

// A describer describes the sessions of logs, one after another.
type describer struct {
	h       *Home // nil if the log is in no home
	agent   *agent
	dialect dialect.Dialect
	filter  Filter
	ends    *endReader
	log     string // the name of the log that is described, "" if it is in no home
	id      string // of its session
	row     record.Session
	errs    []error // what could not be read of its session
	found   []Brief // what is listed
	buf     []byte  // the last row
}

func (d *describer) fail(name string, err error) {
	if err != nil {
		d.errs = append(d.errs, d.h.placeError(name, "", err))
	}
}

// describeLog describes the session of a log of the home.
func (d *describer) describeLog(log *Member) {
	d.log, d.id = log.Name, log.Session
	f, info, err := d.h.open(d.log, 0)
	switch {
	case err != nil:
		d.fail(d.log, err)
	case info.Size() == 0:
		f.Close()
	default:
		e, err := d.ends.read(f, info.Size())
		d.fail(d.log, err)
		d.describe(e, info, d.h.Path(d.log), false)
	}
}

// describeFile describes the log in a file, whose agent its entries show, if the home does not.
func (d *describer) describeFile(file string) {
	fail := func(err error) { // names the file as it was given, and not as one of the home
		d.errs = append(d.errs, &PlaceError{file, file, "", err})
	}
	f, info, err := openFile(file)
	if err != nil {
		fail(err)
		return
	}
	e, err := d.ends.read(f, info.Size())
	if err != nil {
		fail(err)
		if len(e.head) == 0 {
			return
		}
	}
	text := e.head
	if !e.small {
		text = slices.Concat(e.head, e.tail) // where both are in one string, they are one line
	}
	r := dialect.NewReader(line.NewForward(bytes.NewReader(text)), entry.Decoder{}, nil)
	d.agent, d.id = &agent{}, ""
	entries := false
	for r.Next() {
		entries = true
		for i := range models {
			a := &models[i]
			if a.dialect.String() == r.Dialect().String() && (d.agent.name == "" || a.shows != nil && a.shows(r.Entry())) {
				d.agent = a
			}
		}
	}
	d.dialect = r.Dialect()
	switch {
	case !entries && r.Err() != nil && (e.small || bytes.IndexByte(e.head, '\n') >= 0):
		fail(r.Err())
		return
	case d.h != nil && d.h.agent.idIn(d.log) != "":
		d.agent, d.id = d.h.agent, d.h.agent.idIn(d.log)
	case d.agent.id != nil:
		if stem, _ := CutLog(filepath.Base(file)); IsID(d.agent.id(stem)) {
			d.id = d.agent.id(stem)
		}
	}
	d.describe(e, info, file, true)
}

// openFile opens a regular file outside of a home. It does not wait for the writer of a named pipe.
func openFile(file string) (*os.File, fs.FileInfo, error) {
	info, err := os.Stat(file) // to open a device may do something to it
	if err != nil {
		return nil, nil, err
	}
	switch {
	case info.IsDir():
		return nil, nil, DirError(file)
	case !info.Mode().IsRegular():
		return nil, nil, errors.New("not a regular file")
	}
	f, err := os.OpenFile(file, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	return f, info, err
}

// describe describes the session of a log at a path, and keeps the description if the session is to
// be listed. One that was given is listed whatever its agent would show.
func (d *describer) describe(e ends, info fs.FileInfo, path string, given bool) {
	d.row = record.Session{
		LastModified: info.ModTime().Round(time.Millisecond).UnixMilli(), FileSize: info.Size(), Path: record.Text(path),
		Compressed: e.compressed, HeadOnly: e.tail == nil,
	}
	describe := (*describer).asDialect
	if d.agent.describe != nil {
		describe = d.agent.describe
	}
	if !describe(d, e) && !given {
		return
	}
	if d.row.FirstPrompt == nil && e.small && !d.converses(e.head) {
		d.row.Messages = new(int)
	}
	d.row.SessionID, d.row.Agent = record.Text(d.id), record.Text(d.agent.name)
	cwd := string(entry.Value(d.row.Cwd).Text())
	mine := d.filter.isOf(path, cwd) || d.workedIn(e.head) || !e.small && d.workedIn(e.tail)
	if !mine && cwd != "" { // the log is another directory's
		d.errs = nil
	}
	begun := d.row.LastModified
	if d.row.CreatedAt != nil {
		begun = *d.row.CreatedAt
	}
	if !mine || max(d.row.LastModified, begun) < d.filter.Since || begun > d.filter.Until {
		return
	}
	d.buf = record.Append(d.buf[:0], &d.row)
	d.found = append(d.found, Brief{Path: path, Name: d.log, Row: bytes.Clone(d.buf), ID: d.id, modified: d.row.LastModified})
}

// converses reports whether a log has a message, or a damaged line, which may hold one.
func (d *describer) converses(log []byte) bool {
	for line := range linesIn(log) {
		if len(line) > 0 && (!d.ends.e.Scan(line) || d.dialect.IsMessage(&d.ends.e)) {
			return true
		}
	}
	return false
}

// workedIn reports whether an entry in an end of the log tells the working directory of the filter.
func (d *describer) workedIn(end []byte) bool {
	for line := range linesIn(end) {
		if d.dialect.Tells(line) && d.ends.e.Scan(line) {
			if cwd := d.dialect.Session(&d.ends.e).Cwd; cwd != nil && plainDir(string(cwd.Text())) == d.filter.dir {
				return true
			}
		}
	}
	return false
}

// asSDK describes the session of a log as the Agent SDK does: some fields come from entries, others
// from the text at any depth, so that the answers agree. A log that is an agent's, or that nothing
// names, is not listed.
func (d *describer) asSDK(e ends) bool {
	if d.id == "" {
		t, _ := toldIn(bytes.NewReader(e.head))
		d.id = t.id
	} else if !IsID(d.id) {
		return false
	}
	first, _, _ := bytes.Cut(e.head, []byte("\n"))
	t := d.ends.names(e)
	if !t.retitled {
		custom := d.mark("custom-title.json").Member("customTitle").Text()
		t.custom = cmp.Or(string(bytes.Trim(custom, entry.SpaceJS)), t.custom)
	}
	r := &d.row
	r.Summary, r.CustomTitle, r.FirstPrompt, r.Tag = record.Text(t.summaryOf()), record.Text(t.custom), record.Text(t.firstPrompt), record.Text(t.tag)
	r.GitBranch = record.Text(cmp.Or(lastString(e.tail, "gitBranch"), firstString(e.head, "gitBranch")))
	r.Cwd = record.Text(cmp.Or(t.relocated, firstString(e.head, "cwd")))
	r.Archived = d.isArchived(e)
	if at, ok := entry.ParseInstant([]byte(firstString(e.head, "timestamp"))); ok {
		r.CreatedAt = millis(at)
	}
	return r.Summary != nil && !hasMember(first, "isSidechain", "true")
}

// isArchived reports whether a mark says that a session is archived, and neither end of its log has
// a prompt that was sent later, which ends that.
func (d *describer) isArchived(e ends) bool {
	mark := d.mark("archived.json")
	at, ok := mark.Member("at").Instant()
	return ok && string(mark.Member("archived")) == "true" && !d.ends.sentAfter(e.tail, at) && !d.ends.sentAfter(e.head, at)
}

// mark returns the object in a small file in a session's own directory, or nil.
func (d *describer) mark(base string) entry.Value {
	if d.h == nil {
		return nil
	}
	f := d.h.folder(path.Dir(d.log))
	if f.link || !f.holds(d.id) {
		return nil
	}
	name := path.Join(f.name, d.id, base)
	object, err := d.h.ReadObject(name)
	if !errors.Is(err, fs.ErrNotExist) {
		d.fail(name, err)
	}
	return object
}

// asDialect describes the session of a log by what its entries tell, as its dialect has it. A log that
// says that it is a sub-agent's is not listed.
func (d *describer) asDialect(e ends) bool {
	var s dialect.Session
	x := &d.ends.e
	r := &d.row
	prompt := ""
	for line := range linesIn(e.head) {
		if prompt != "" && !d.dialect.Tells(line) || !x.Scan(line) {
			continue
		}
		merge(&s, d.dialect.Session(x))
		if at, ok := d.dialect.Instant(x); ok && r.CreatedAt == nil {
			r.CreatedAt = millis(at)
		}
		if prompt == "" && d.dialect.Agent(x) == nil {
			text, _ := shape.Prompt(x, d.dialect)
			prompt = shape.Line(text)
		}
	}
	for line := range linesIn(e.tail) {
		if !e.small && d.dialect.Tells(line) && x.Scan(line) {
			merge(&s, d.dialect.Session(x))
		}
	}
	if at, ok := instantOf(s.Created); ok {
		r.CreatedAt = millis(at)
	}
	if at, ok := instantOf(s.Changed); ok {
		r.LastModified = *millis(at)
	}
	if id := string(s.ID.Text()); id != "" && (d.id == "" || d.agent.headed) {
		d.id = id
	}
	r.CustomTitle = record.Text(cmp.Or(string(s.Title.Text()), d.titleBeside()))
	r.FirstPrompt, r.GitBranch, r.Model = record.Text(prompt), record.Text(s.Branch.Text()), record.Text(s.Model.Text())
	if r.Summary = r.CustomTitle; r.Summary == nil {
		r.Summary = r.FirstPrompt
	}
	cwd := cmp.Or(string(s.Cwd.Text()), firstString(e.head, "cwd")) // the first line may be longer than the head
	if cwd == "" && d.agent.project != nil && d.h != nil {
		cwd = d.agent.project(d.h, path.Dir(d.log))
	}
	parent := string(s.Parent.Text()) // an id, or the path of a log
	parent = cmp.Or(Owner(parent[strings.LastIndexAny(parent, `/\`)+1:]), parent)
	r.Cwd, r.ParentSession = record.Text(cwd), record.Text(parent)
	return !s.IsAgent
}

// merge adds to s what another entry tells. The last one counts, but an entry that tells another id is
// in a copy of another log.
func merge(s *dialect.Session, t dialect.Session) {
	if s.ID == nil {
		s.ID, s.Parent, s.IsAgent, s.Created = t.ID, t.Parent, t.IsAgent, t.Created
	} else if t.ID != nil && !bytes.Equal(t.ID.Text(), s.ID.Text()) {
		return
	}
	for _, v := range [...]struct{ to, from *entry.Value }{
		{&s.Cwd, &t.Cwd}, {&s.Branch, &t.Branch}, {&s.Title, &t.Title}, {&s.Model, &t.Model}, {&s.Changed, &t.Changed},
	} {
		if *v.from != nil {
			*v.to = *v.from
		}
	}
}

// millis returns the milliseconds of a time in microseconds.
func millis(at int64) *int64 {
	at = time.UnixMicro(at).UnixMilli()
	return &at
}

// instantOf returns a time in microseconds since 1970: a number is milliseconds.
func instantOf(v entry.Value) (int64, bool) {
	if n, ok := v.Int(); ok && n >= 0 && n < 1<<50 {
		return n * 1000, true
	}
	return v.Instant()
}

// readTitles returns the last name of each session that got one, by its id, as a file of the home has it.
func (h *Home) readTitles() map[string]string {
	titles := map[string]string{}
	if h.agent.titles != "" {
		for e, err := range h.Entries(h.agent.titles) {
			if err == nil { // it is only a hint
				titles[string(e.Get(entry.ID).Text())] = string(e.Member("thread_name").Text())
			}
		}
	}
	return titles
}

// titleBeside returns the name that a file of the home, or in the directory of the session, gives it, or "".
func (d *describer) titleBeside() string {
	if d.h != nil && d.h.titles()[d.id] != "" {
		return d.h.titles()[d.id]
	}
	if d.agent.title == "" || d.h == nil || path.Base(path.Dir(d.log)) != d.id {
		return ""
	}
	f, err := d.h.Open(path.Join(path.Dir(d.log), d.agent.title))
	if err != nil { // many have none
		return ""
	}
	defer f.Close()
	text, _ := io.ReadAll(io.LimitReader(f, endSize))
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(line, "name:"); ok {
			return strings.Trim(strings.TrimSpace(name), `"'`)
		}
	}
	return ""
}
