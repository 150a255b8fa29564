package session

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A row is a file or a directory of a home. What is in the directory of a session is no row: there may be
// very many files.
type row struct {
	name    string // in the home
	kind    string // as its rule has it, "" if none fits
	session string // the id of the session that its name holds, "" if it holds none
	agent   string // the id of the sub-agent that its name holds
	in      *row   // the directory that it is in; nil for a directory that is not listed with others
	isDir   bool
	link    bool        // it is reached through a link
	loose   bool        // it is, or may be, a sub-agent's beside the logs of sessions
	err     *PlaceError // why there may be more in it

	rule *rule
}

// A table has the rows of some directories of a home, each directory before what is in it, sorted by name.
// All of it is valid once newTable has made it.
type table struct {
	rows     []*row
	sessions map[string][]*row // by session
	ids      []string          // of the sessions, sorted
	seeming  map[string]bool   // the sessions that have what seems to be a log, such as ID.jsonl.xz
	loose    map[*row][]*row   // by directory, the rows that are beside others
	errs     []*PlaceError     // those of the rows
}

func newTable(rows []*row) *table {
	t := &table{rows: rows, sessions: map[string][]*row{}, seeming: map[string]bool{}, loose: map[*row][]*row{}}
	for _, r := range rows {
		if r.err != nil {
			t.errs = append(t.errs, r.err)
		}
		if r.session != "" {
			t.sessions[r.session] = append(t.sessions[r.session], r)
			t.ids = append(t.ids, r.session)
		}
		if id, suffix, _ := strings.Cut(path.Base(r.name), "."); IsID(id) && strings.HasPrefix(suffix, "jsonl.") {
			t.seeming[id] = true
		}
		if r.loose {
			t.loose[r.in] = append(t.loose[r.in], r)
		}
	}
	slices.Sort(t.ids)
	t.ids = slices.Compact(t.ids)
	return t
}

// withPrefix returns the ids that begin with a prefix.
func (t *table) withPrefix(prefix string) []string {
	first, _ := slices.BinarySearch(t.ids, prefix)
	end := first
	for end < len(t.ids) && strings.HasPrefix(t.ids[end], prefix) {
		end++
	}
	return t.ids[first:end]
}

// closed returns why there may be more rows. A directory that is gone holds nothing. Nor does a link, if
// what was looked for has been found.
func (t *table) closed(found bool) (errs []*PlaceError) {
	for _, err := range t.errs {
		if !(found && isSkipped(err)) && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errs
}

// readLogs returns the table of the directories with logs. A new home has none.
func (h *Home) readLogs() *table {
	var dirs, rows []*row
	for _, pattern := range h.agent.folders {
		level := []*row{{name: ".", isDir: true, rule: &rule{}}}
		for element := range strings.SplitSeq(pattern, "/") {
			above := level
			level = nil
			for _, d := range above {
				level = append(level, h.dirsIn(d, element)...)
			}
		}
		dirs = append(dirs, level...)
	}
	slices.SortFunc(dirs, func(a, b *row) int { return strings.Compare(a.name, b.name) })
	for _, d := range slices.CompactFunc(dirs, func(a, b *row) bool { return a.name == b.name }) {
		rows = append(rows, d)
		if d.err == nil {
			rows = append(rows, h.readFolder(d)...)
		}
	}
	return newTable(rows)
}

// dirsIn returns the directories in d that fit an element of the pattern of a folder; d, if that cannot be read.
func (h *Home) dirsIn(d *row, element string) (dirs []*row) {
	if d.err != nil {
		return []*row{d}
	}
	if !strings.ContainsAny(element, "*[") { // a name need not be listed to be found
		child := &row{name: path.Join(d.name, element), isDir: true, rule: &rule{}}
		info, err := h.lstat(child.name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if h.noteClosed(child, err); err == nil {
			child.link = d.link || info.Mode().Type() == fs.ModeSymlink
		}
		return []*row{child}
	}
	entries, err := h.list(d.name)
	if h.noteClosed(d, err) {
		return []*row{d}
	}
	for _, e := range entries {
		child, isLink := path.Join(d.name, e.Name()), e.Type() == fs.ModeSymlink
		if ok, _ := path.Match(element, e.Name()); ok && (e.IsDir() || isLink && h.leadsToFolder(child)) {
			dirs = append(dirs, &row{name: child, isDir: true, link: d.link || isLink, rule: &rule{}})
		}
	}
	return dirs
}

// noteClosed notes why a directory with logs cannot be read. It reports whether there may be logs.
func (h *Home) noteClosed(d *row, err error) bool {
	if d.link && errors.Is(err, fs.ErrNotExist) { // on a disk that is not there
		err = skipped("a symbolic link to nothing")
	}
	if err != nil {
		d.err = h.placeError(d.name, Other, err)
	}
	return err != nil && !errors.Is(err, fs.ErrNotExist)
}

// leadsToFolder reports whether a link may lead to a folder that a user has moved. A folder beside the link does not
// count, because it is read by itself, nor does a log, which may be a link, too.
func (h *Home) leadsToFolder(link string) bool {
	if info, err := os.Stat(h.Path(link)); err == nil && !info.IsDir() || h.agent.match(link, false).isSession() {
		return false
	}
	target, err := filepath.EvalSymlinks(h.Path(link))
	dir, dirErr := realPath(filepath.Dir(h.Path(link)))
	if err == nil {
		target, err = filepath.Abs(target)
	}
	return err != nil || dirErr != nil || filepath.Dir(target) != dir
}

// readFolder returns the rows of what is in a directory with logs, as far as it can be read. The log in the
// directory of a session is one of them.
func (h *Home) readFolder(d *row) (rows []*row) {
	entries, err := h.list(d.name)
	h.noteClosed(d, err)
	isSession := map[string]bool{}
	for _, e := range entries {
		r := h.rowOf(path.Join(d.name, e.Name()), d, e.IsDir())
		if log := h.logIn(r); log != nil {
			rows = append(rows, log)
			isSession[log.session] = true
		}
		rows = append(rows, r)
		isSession[r.session] = isSession[r.session] || r.kind == Log || r.isDir && IsID(r.session)
	}
	for _, r := range rows { // any name of a directory can be an id, but is one only beside a log
		if !isSession[r.session] {
			r.session = ""
		}
	}
	return rows
}

// rowOf returns the row of a name, with all that the name tells. If it lacks the whole id of the session, that is
// looked up: in the log that has the name, or among the sessions that are there.
func (h *Home) rowOf(name string, in *row, isDir bool) *row {
	m := h.agent.match(name, isDir)
	r := &row{name: name, kind: m.kind, session: m.session, agent: m.agent, in: in, isDir: isDir, link: in != nil && in.link, rule: m.rule}
	if m.kind == thread {
		r.kind = Log
	}
	if m.prefix != "" {
		r.session = cmp.Or(h.tell(name).id, m.prefix)
	}
	if m.short != "" {
		r.session = h.ofShort(m.short)
	}
	if m.pid != "" {
		if state, err := h.ReadObject(name); err == nil {
			if id := string(state.Member("sessionId").Text()); isElement(id) {
				r.session = id
			}
		}
	}
	r.loose = m.kind == thread || m.isAgent() && r.session == "" && !isDir
	return r
}

// logIn returns the row of the log in the directory of a session, nil if there is none.
func (h *Home) logIn(dir *row) *row {
	for i := range h.agent.rules {
		r := &h.agent.rules[i]
		if !dir.isDir || !r.isSession() || r.rest == "" {
			continue
		}
		stem, _ := CutLog(strings.ReplaceAll(r.rest, "{session}", path.Base(dir.name)))
		if name := h.packed(path.Join(dir.name, stem)); name != "" {
			return h.rowOf(name, dir.in, false)
		}
	}
	return nil
}

// readOthers returns the table of the other directories of the home.
func (h *Home) readOthers() *table {
	var rows []*row
	entries, err := h.list(".")
	if err != nil {
		rows = append(rows, &row{name: ".", isDir: true, err: h.placeError(".", Other, err), rule: &rule{}})
	}
	for _, e := range entries {
		kind := h.agent.kindIn(e.Name())
		if h.agent.leading(e.Name()) == "" && (e.IsDir() || e.Type() == fs.ModeSymlink && kind != "") {
			rows = append(rows, h.readOther(e.Name(), kind)...)
		}
	}
	return newTable(rows)
}

// readOther returns the row of a directory without logs, whose members are of one kind, and the rows of what
// is in it.
func (h *Home) readOther(name, kind string) []*row {
	d := &row{name: name, kind: kind, isDir: true, rule: &rule{}}
	rows := []*row{d}
	entries, err := h.list(name)
	if err != nil && d.kind != "" { // other directories may have nothing to do with sessions
		d.err = h.placeError(name, d.kind, err)
	}
	for _, e := range entries {
		r := h.rowOf(path.Join(name, e.Name()), d, e.IsDir())
		rows = append(rows, r)
		if r.isDir && h.agent.kindIn(r.name) != "" {
			rows = append(rows, h.readOther(r.name, kind)...)
		}
	}
	return rows
}

// shortLen is how long the beginning of an id is that names a directory.
const shortLen = 8

// ofShort returns the id that the state of a job names, or the first one of a log that begins so, "" if there is
// none.
func (h *Home) ofShort(short string) string {
	if state, err := h.ReadObject(h.agent.place(kindJob, short, "state.json")); err == nil {
		if id := string(state.Member("sessionId").Text()); strings.HasPrefix(id, short) && isElement(id) {
			return id
		}
	}
	if ids := h.logs().withPrefix(short); len(short) >= shortLen && len(ids) > 0 {
		return ids[0]
	}
	return ""
}
