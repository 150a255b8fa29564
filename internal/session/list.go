package session

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"iter"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"golang.org/x/text/unicode/norm"

	"jl/internal/entry"
	"jl/internal/record"
)

// A Brief is what a list has about a session.
type Brief struct {
	Name string // of its log in the home
	Row  []byte // the [record.Session] that describes it, encoded

	modified int64 // milliseconds since 1970, as in Row
}

// workers is how many logs are looked at at the same time.
const workers = 2

// List describes the sessions in the home that have a title and were changed or begun since an
// instant in milliseconds, newest first, then by id and name; those of a working directory only if
// cwd is not empty: those in its folder and those that record it. Of a session that exists several
// times it describes the newest copy. It looks at 64 KiB at each end of a log and reads at most
// 16 MiB of a compressed one. The errors are [*PlaceError]s in the order of the logs, or the one
// for a relative cwd whose place is not known.
func (h *Home) List(cwd string, since int64) ([]Brief, []error) {
	p, err := projectOf(cwd)
	if err != nil {
		return nil, []error{err}
	}
	_, _ = h.projects() // once, before there are twins; logs reports the error
	next, stop := iter.Pull2(h.logs())
	defer stop()
	var mu sync.Mutex // for what follows
	taken := 0
	failed := map[int][]error{} // by the number of the log
	var all []Brief
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			d := describer{h: h.twin(), project: p, since: since, ends: newEndReader()}
			defer d.h.last.close()
			mu.Lock()
			defer mu.Unlock()
			for name, err, ok := next(); ok; name, err, ok = next() {
				n := taken
				taken++
				mu.Unlock()
				if d.errs = nil; err != nil {
					d.errs = []error{err}
				} else {
					d.describe(name)
				}
				if mu.Lock(); d.errs != nil {
					failed[n] = d.errs
				}
			}
			all = append(all, d.found...)
		})
	}
	group.Wait()
	var errs []error
	for _, n := range slices.Sorted(maps.Keys(failed)) {
		errs = append(errs, failed[n]...)
	}
	return newestFirst(all), errs
}

// newestFirst sorts sessions by the time of their last change, then by id and name. If a
// session exists several times, only the newest copy remains. It changes all.
func newestFirst(all []Brief) []Brief {
	slices.SortFunc(all, func(a, b Brief) int {
		return cmp.Or(cmp.Compare(b.modified, a.modified), cmp.Compare(idOf(a.Name), idOf(b.Name)), cmp.Compare(a.Name, b.Name))
	})
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(b Brief) bool {
		again := seen[idOf(b.Name)]
		seen[idOf(b.Name)] = true
		return again
	})
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

// has reports whether the session of a log whose entries name a cwd is one of the project. The cwd
// decides, in whatever folder the log is; else its folder does, as for the Agent SDK, unless the
// name of the folder stands for the other directory that the entries name.
func (p project) has(log, cwd string) bool {
	if p.folder == "" || norm.NFC.String(cwd) == p.dir {
		return true
	}
	return path.Base(path.Dir(log)) == p.folder && ProjectName(cwd) != p.folder
}

// A describer describes the sessions of logs, one after another.
type describer struct {
	h       *Home
	project project
	since   int64
	ends    *endReader
	log     string  // the name of the log that is described
	errs    []error // what could not be read of its session
	found   []Brief // what is listed
	row     []byte  // the last row
	rows    []byte  // rows of found: to allocate each would take a tenth more memory
}

const chunk = 64 << 10

// describe describes the session of the log with the name, and keeps the description if it is to
// be listed.
func (d *describer) describe(name string) {
	d.log = name
	row := d.session()
	cwd := string(entry.Value(row.Cwd).Text())
	mine := d.project.has(name, cwd)
	if !mine && cwd != "" { // the log is another directory's
		d.errs = nil
	}
	if !mine || row.Summary == nil || row.LastModified < d.since && (row.CreatedAt == nil || *row.CreatedAt < d.since) {
		return
	}
	d.row = record.Append(d.row[:0], &row)
	if len(d.rows)+len(d.row) > cap(d.rows) {
		d.rows = make([]byte, 0, max(chunk, len(d.row)))
	}
	d.rows = append(d.rows, d.row...)
	d.found = append(d.found, Brief{name, d.rows[len(d.rows)-len(d.row):], row.LastModified})
}

func (d *describer) fail(name string, err error) {
	if err != nil {
		d.errs = append(d.errs, &PlaceError{Name: name, Err: err})
	}
}

// session describes the session of the log. The result has no summary if a list does not show the
// session: its log is empty, cannot be opened, or is an agent's.
func (d *describer) session() (row record.Session) {
	id := idOf(d.log)
	if !IsID(id) {
		return row
	}
	f, info, err := d.h.open(d.log, 0)
	d.fail(d.log, err)
	if err != nil {
		return row
	}
	if info.Size() == 0 {
		f.Close()
		return row
	}
	e, err := d.ends.read(f)
	d.fail(d.log, err)
	first, _, _ := bytes.Cut(e.head, []byte("\n"))
	if hasMember(first, "isSidechain", "true") {
		return row
	}
	// Some fields come from entries, others from the text at any depth: both as the SDK has it, so
	// that the answers agree.
	t := d.ends.names(e)
	if !t.retitled {
		t.custom = cmp.Or(trimJS(string(d.mark(id, "custom-title.json").Member("customTitle").Text())), t.custom)
	}
	row = record.Session{
		SessionID:    record.Text(id),
		Summary:      record.Text(t.summaryOf()),
		CustomTitle:  record.Text(t.custom),
		FirstPrompt:  record.Text(t.firstPrompt),
		GitBranch:    record.Text(cmp.Or(lastString(e.tail, "gitBranch"), firstString(e.head, "gitBranch"))),
		Cwd:          record.Text(firstString(e.head, "cwd")),
		Tag:          record.Text(t.tag),
		LastModified: info.ModTime().Round(time.Millisecond).UnixMilli(),
		FileSize:     info.Size(),
		Path:         record.Text(d.h.Path(d.log)),
		Archived:     d.isArchived(id, e),
		Compressed:   e.compressed,
		HeadOnly:     e.tail == nil,
	}
	if at, ok := entry.ParseInstant([]byte(firstString(e.head, "timestamp"))); ok {
		created := time.UnixMicro(at).UnixMilli()
		row.CreatedAt = &created
	}
	return row
}

// isArchived reports whether a mark says that a session is archived, and neither end of its log has
// a prompt that was sent later, which ends that.
func (d *describer) isArchived(id string, e ends) bool {
	mark := d.mark(id, "archived.json")
	at, ok := mark.Member("at").Instant()
	return ok && string(mark.Member("archived")) == "true" && !d.ends.sentAfter(e.tail, at) && !d.ends.sentAfter(e.head, at)
}

// mark returns the object in a small file in a session's own directory, or nil.
func (d *describer) mark(id, base string) entry.Value {
	folder := path.Dir(d.log)
	if !d.h.folder(folder).holds(id) {
		return nil
	}
	name := path.Join(folder, id, base)
	object, err := d.h.ReadObject(name)
	if !errors.Is(err, fs.ErrNotExist) {
		d.fail(name, err)
	}
	return object
}
