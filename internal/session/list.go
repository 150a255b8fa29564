package session

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"iter"
	"path"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/text/unicode/norm"

	"jl/internal/ahead"
	"jl/internal/entry"
)

// A Brief describes a session by the rules of the Agent SDK's listSessions. Texts are
// empty if they are not known.
type Brief struct {
	ID   string
	Name string // of its log in the home

	CustomTitle string // what the user or a model called it
	LastPrompt  string
	Summary     string
	FirstPrompt string
	Attached    string // to the first prompt with an attachment: "Image" or "Document"
	GitBranch   string
	Cwd         string
	Tag         string

	Created    *int64 // milliseconds since 1970, nil if it is not known
	Modified   int64  // milliseconds since 1970
	Bytes      int64  // of the file as it is
	Archived   bool   // it is marked as archived, and no prompt was sent since
	Compressed bool
	HeadOnly   bool // the end of the log is too far to look at, or cannot be read
}

// Title returns what names the session.
func (b *Brief) Title() string {
	return cmp.Or(b.CustomTitle, b.LastPrompt, b.Summary, b.FirstPrompt, b.Attached)
}

// List yields a description of each session in the home that has a title, those of a working
// directory only if cwd is not empty: those in its folder and those that record it. It looks at
// 64 KiB at each end of a log and reads at most 16 MiB of a compressed one. A session whose log
// exists in several folders comes several times: see [NewestFirst]. An error is a [*PlaceError],
// but for a relative cwd whose place is not known.
func (h *Home) List(cwd string) iter.Seq2[Brief, error] {
	return func(yield func(Brief, error) bool) {
		p, err := projectOf(cwd)
		if err != nil {
			yield(Brief{}, err)
			return
		}
		for d := range h.describeAll() {
			mine := p.has(&d.brief)
			for _, err := range d.errs {
				if (mine || d.brief.Cwd == "") && !yield(Brief{}, err) { // else the log is another directory's
					return
				}
			}
			if d.brief.Title() != "" && mine && !yield(d.brief, nil) {
				return
			}
		}
	}
}

// A described is what is known of the session of a log, or why a folder could not be read.
type described struct {
	name  string // of the log, "" for a folder
	brief Brief
	errs  []error
}

// describeAll yields what is known of the session of each log, in the order of logs.
func (h *Home) describeAll() iter.Seq[*described] {
	return func(yield func(*described) bool) {
		_ = h.readProjects() // so that the twins know the folders; logs reports the error
		pull, stop := iter.Pull2(h.logs())
		defer stop()
		free := make(chan *describer, ahead.Workers)
		for range ahead.Workers {
			d := &describer{h: h.twin(), ends: newEndReader()}
			defer d.h.last.close()
			free <- d
		}
		next := func(d *described) bool {
			name, err, ok := pull()
			*d = described{name: name}
			if err != nil {
				d.errs = []error{err}
			}
			return ok
		}
		work := func(log *described) {
			if log.name != "" {
				d := <-free
				log.brief, log.errs = d.describe(log.name)
				free <- d
			}
		}
		ahead.Jobs(next, work)(yield)
	}
}

// A project selects the sessions of a working directory; the zero project selects all.
type project struct {
	folder string // the name of its folder
	dir    string // its true path, composed
}

func projectOf(cwd string) (project, error) {
	if cwd == "" {
		return project{}, nil
	}
	dir, err := filepath.Abs(cwd)
	if err != nil {
		return project{}, err
	}
	// A directory that is gone has no links to follow any more.
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	return project{ProjectName(dir), norm.NFC.String(dir)}, nil
}

// has reports whether a session is one of the project. The cwd in the entries decides, in
// whatever folder the log is; else its folder does, as for the Agent SDK, unless the name of
// the folder stands for the other directory that the entries name.
func (p project) has(b *Brief) bool {
	if p.folder == "" || norm.NFC.String(b.Cwd) == p.dir {
		return true
	}
	return path.Base(path.Dir(b.Name)) == p.folder && ProjectName(b.Cwd) != p.folder
}

// NewestFirst sorts sessions by the time of their last change, then by id and name. If a
// session exists several times, only the newest copy remains. It changes all.
func NewestFirst(all []Brief) []Brief {
	slices.SortFunc(all, func(a, b Brief) int {
		return cmp.Or(cmp.Compare(b.Modified, a.Modified), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Name, b.Name))
	})
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(b Brief) bool {
		again := seen[b.ID]
		seen[b.ID] = true
		return again
	})
}

// A describer describes the sessions of logs, one after another.
type describer struct {
	h    *Home
	ends *endReader
	errs []error // what could not be read of the current session
}

func (d *describer) fail(name string, err error) {
	if err != nil {
		d.errs = append(d.errs, &PlaceError{Name: name, Err: err})
	}
}

// describe describes the session whose log has the name, and returns what could not be read.
func (d *describer) describe(name string) (Brief, []error) {
	d.errs = nil
	b := d.brief(name)
	return b, d.errs
}

// brief describes the session whose log has the name. The Brief is empty if a list does not
// show the session: its log is empty, cannot be opened, or is an agent's.
func (d *describer) brief(name string) Brief {
	b := Brief{ID: idOf(name), Name: name}
	if !IsID(b.ID) {
		return Brief{}
	}
	f, info, err := d.h.open(name, 0)
	if err != nil {
		d.errs = append(d.errs, &PlaceError{Name: name, Err: err})
		return Brief{}
	}
	if info.Size() == 0 {
		f.Close()
		return Brief{}
	}
	e, err := d.ends.read(f)
	d.fail(name, err)
	first, _, _ := bytes.Cut(e.head, []byte("\n"))
	if hasMember(first, "isSidechain", "true") {
		return Brief{}
	}
	b.Modified, b.Bytes = info.ModTime().Round(time.Millisecond).UnixMilli(), info.Size()
	b.Compressed, b.HeadOnly = e.compressed, e.tail == nil
	d.read(&b, e)
	return b
}

// read fills b from the ends of its log by the rules of the Agent SDK's listing. It takes
// some fields from entries, others from the text at any depth: both as the SDK does, so
// that the answers agree.
func (d *describer) read(b *Brief, e ends) {
	if retitled := d.ends.name(b, e); !retitled {
		b.CustomTitle = cmp.Or(trimJS(string(d.mark(b, "custom-title.json").Member("customTitle").Text())), b.CustomTitle)
	}
	b.Archived = d.isArchived(b, e)
	b.GitBranch = cmp.Or(lastString(e.tail, "gitBranch"), firstString(e.head, "gitBranch"))
	b.Cwd = firstString(e.head, "cwd")
	if at, ok := entry.ParseInstant([]byte(firstString(e.head, "timestamp"))); ok {
		created := time.UnixMicro(at).UnixMilli()
		b.Created = &created
	}
}

// isArchived reports whether a mark says that a session is archived, and neither end of its log has
// a prompt that was sent later, which ends that.
func (d *describer) isArchived(b *Brief, e ends) bool {
	mark := d.mark(b, "archived.json")
	at, ok := mark.Member("at").Instant()
	return ok && string(mark.Member("archived")) == "true" && !d.ends.sentAfter(e.tail, at) && !d.ends.sentAfter(e.head, at)
}

// mark returns the object in a small file in a session's own directory, nil if there
// is none.
func (d *describer) mark(b *Brief, base string) entry.Value {
	folder := path.Dir(b.Name)
	if !d.h.holds(path.Base(folder), b.ID) {
		return nil
	}
	name := path.Join(folder, b.ID, base)
	object, err := d.h.ReadObject(name)
	if !errors.Is(err, fs.ErrNotExist) {
		d.fail(name, err)
	}
	return object
}
