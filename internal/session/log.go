package session

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/line"
	"jl/internal/record"
	"jl/internal/says"
	"jl/internal/source"
)

// Entries yields the entries of the log called name in order. An entry is valid until the next
// one is yielded. An error says that the log cannot be opened or read to its end, or a
// line is damaged, which comes before the entries that were recovered from it.
func (d *disk) Entries(name string) iter.Seq2[*entry.Entry, *PlaceError] {
	return d.EntriesWith(name, nil)
}

// EntriesWith yields what Entries does, of those lines of a log that hold a word.
func (d *disk) EntriesWith(name string, word []byte) iter.Seq2[*entry.Entry, *PlaceError] {
	return func(yield func(*entry.Entry, *PlaceError) bool) {
		more := true
		fail := func(err error) { more = more && (err == nil || yield(nil, d.placeError(name, "", err))) }
		f, err := d.Open(name)
		fail(d.reader.each(f, err, word, func(damage *entry.Damage) { fail(damage) }, func(e *entry.Entry) bool {
			more = more && yield(e, nil)
			return more
		}))
	}
}

// A reader reads logs one after another, with the same memory: a home may have thousands.
type reader struct {
	spare dialect.Spare
	lines *line.Forward // of beginnings
}

// each calls do with the entries in those lines of an open log that hold a word, until do returns false,
// and closes the log. Do may read another log.
func (r *reader) each(f *os.File, err error, word []byte, damaged func(*entry.Damage), do func(*entry.Entry) bool) error {
	if err != nil {
		return err
	}
	l, err := source.Of(f)
	if err != nil {
		return err
	}
	defer l.Close()
	in := r.spare.Take(line.NewForward(l), entry.Decoder{}, damaged)
	defer r.spare.Give(in)
	if word != nil {
		in.Only(word)
	}
	for in.Next() {
		if !do(in.Entry()) {
			return nil
		}
	}
	return in.Err()
}

// A beginning is what the beginning of a log tells about its session.
type beginning struct {
	id, parent string
	isAgent    bool // it is a sub-agent of the parent

	// What is told of a log that goes on from another one, else "":
	base, above, before string

	err error // why it is not known
}

// beginning returns what the first entry of an open log that names its session tells, and closes the log. An
// error says that the log could not be opened, cannot be read up to there, or has more than the first
// entries can need.
func (r *reader) beginning(f *os.File, _ fs.FileInfo, err error) beginning {
	if err != nil {
		return beginning{err: err}
	}
	l, err := source.Of(f)
	if err != nil {
		return beginning{err: err}
	}
	defer l.Close()
	head := &io.LimitedReader{R: l, N: throughSize}
	if r.lines == nil {
		r.lines = line.NewForward(nil)
	}
	r.lines.Reset(head)
	d := entry.Decoder{}
	for _, line := range entry.Lines(r.lines) {
		count, _ := d.Decode(line, 1, 0)
		for i := range count {
			e := d.Entry(i)
			s := says.About(dialect.Of(e), e)
			if s.ID == nil {
				s.ID = e.Get(entry.SessionID) // even if nothing shows the dialect
			}
			if id := s.ID.Text(); len(id) > 0 {
				return beginning{string(id), ParentOf(s), s.IsAgent, string(s.Base.Text()), string(s.Above), string(s.Before.Text()), nil}
			}
		}
	}
	if head.N == 0 {
		return beginning{err: errors.New("its first 16 MiB name no session")}
	}
	return beginning{err: r.lines.Err()}
}

// asDialect describes the session of a log by what its entries tell, as its dialect has it.
func (d *describer) asDialect(e ends) {
	var s says.Session
	if d.isPart {
		for line := range linesIn(e.head) {
			if (d.said.wantsMore() || says.MayTell(d.dialect, line)) && d.e.Scan(line) {
				d.tell(&s, &d.e)
			}
		}
	}
	for x := range d.entriesIn(e.tail) {
		d.seen.entry(x)
		switch {
		case !d.whole:
		case !d.isPart && (d.said.wantsMore() || says.MayTell(d.dialect, d.line)):
			d.tell(&s, x)
		case says.MayTell(d.dialect, d.line):
			merge(&s, says.About(d.dialect, x))
		}
	}
	r, prompt := &d.row, d.said.prompt
	if at, ok := instantOf(s.Created); ok {
		r.CreatedAt = millis(at)
	}
	if at, ok := instantOf(s.Changed); ok {
		r.LastModified = *millis(at)
	}
	if id := string(s.ID.Text()); id != "" && (d.id == "" || d.agent.prefixed) {
		d.id = id
	}
	if d.id == "" && d.agent.name == "" { // no entry names it, and nobody knows the program
		d.id = Owner(path.Base(filepath.ToSlash(d.file)))
	}
	name, summary := d.titleBeside()
	title := cmp.Or(name, string(s.Title.Text()), summary)
	r.CustomTitle, r.FirstPrompt, r.Summary = record.Text(title), record.Text(prompt), record.Text(cmp.Or(title, d.said.title))
	r.GitBranch, r.Model, r.Entrypoint = record.Text(s.Branch.Text()), record.Text(s.Model.Text()), record.Text(s.Entrypoint.Text())
	cwd := cmp.Or(string(s.Cwd.Text()), firstString(e.head, "cwd")) // the first line may be longer than the head
	if cwd == "" && d.agent.project != nil && d.h != nil {
		cwd = d.agent.project(d.h, path.Dir(d.log))
	}
	r.Archived = d.agent.archive != "" && strings.HasPrefix(d.log, d.agent.archive)
	if s.Base != nil && bytes.Equal(s.Base, s.ID) {
		d.brief.goesOn = true
		d.brief.above, _ = s.Above.Int()
	}
	r.Cwd, r.ParentSession, d.isAgent = record.Text(cwd), record.Text(ParentOf(s)), s.IsAgent
}

// ParentOf returns the id of the session that a log names as its parent, "" if it names none. Some name the path of a
// log.
func ParentOf(s says.Session) string {
	parent := string(s.Parent.Text())
	return cmp.Or(Owner(parent[strings.LastIndexAny(parent, `/\`)+1:]), parent)
}

// tell adds what an entry of the head tells.
func (d *describer) tell(s *says.Session, x *entry.Entry) {
	merge(s, says.About(d.dialect, x))
	d.seen.message(x)
	if at, ok := d.dialect.Instant(x); ok && d.row.CreatedAt == nil {
		d.row.CreatedAt = millis(at)
	}
	if d.said.wantsMore() {
		if d.look(x); d.agent.threads {
			d.brief.first, _ = x.Member("ordinal").Int()
		}
	}
}

// merge adds to s what another entry tells. The last one counts, but an entry that tells another id is
// in a copy of another log.
func merge(s *says.Session, t says.Session) {
	if s.ID == nil {
		s.ID, s.Parent, s.IsAgent, s.Created = t.ID, t.Parent, t.IsAgent, t.Created
		s.Base, s.Above = t.Base, t.Above
	} else if t.ID != nil && !bytes.Equal(t.ID.Text(), s.ID.Text()) {
		return
	}
	if t.Title != nil && t.Rank >= s.Rank {
		s.Title, s.Rank = t.Title, t.Rank
	}
	for _, v := range [...]struct{ to, from *entry.Value }{
		{&s.Cwd, &t.Cwd}, {&s.Branch, &t.Branch}, {&s.Model, &t.Model}, {&s.Changed, &t.Changed}, {&s.Entrypoint, &t.Entrypoint},
	} {
		if *v.from != nil {
			*v.to = *v.from
		}
	}
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

// titleBeside returns the names that a file of the home, or one in the directory of the session, gives it: the
// user's, and the client's.
func (d *describer) titleBeside() (name, summary string) {
	if d.h == nil {
		return "", ""
	}
	if name = d.h.titles()[d.id]; name != "" || d.agent.title == "" || path.Base(path.Dir(d.log)) != d.id {
		return name, ""
	}
	f, err := d.h.Open(path.Join(path.Dir(d.log), d.agent.title))
	if err != nil { // many have none
		return "", ""
	}
	defer f.Close()
	text, _ := io.ReadAll(io.LimitReader(f, endSize))
	if object := entry.Value(bytes.TrimSpace(text)); strings.HasSuffix(d.agent.title, ".json") && object.IsObject() && entry.Valid(object) {
		return "", string(entry.First(object.Member("generated_title").NonEmpty(), object.Member("session_summary")).Text())
	}
	return yaml(string(text), "name"), yaml(string(text), "summary")
}

// yaml returns the text that a document of YAML has for a name at its top level, in one line; "" if it has none.
func yaml(document, name string) (text string) {
	inBlock := false
	for line := range strings.Lines(document) {
		rest, isMember := strings.CutPrefix(line, name+":")
		switch {
		case inBlock && line[0] != ' ' && strings.TrimSpace(line) != "":
			return text
		case inBlock:
			text = strings.TrimSpace(text + " " + strings.TrimSpace(line))
		case isMember:
			text = strings.TrimSpace(rest)
			if inBlock = strings.HasPrefix(text, "|") || strings.HasPrefix(text, ">"); inBlock {
				text = ""
				continue
			}
			if quoted, err := strconv.Unquote(text); err == nil && text[0] == '"' {
				return quoted
			}
			return strings.ReplaceAll(strings.Trim(text, "'"), "''", "'")
		}
	}
	return text
}
