package session

import (
	"errors"
	"io/fs"
	"iter"
	"path"
	"strings"
	"time"

	"jl/internal/entry"
)

// The kinds of members. The kind of a member in any other directory of the home is the
// name of that directory.
const (
	Log         = "session"
	Agent       = "agent"
	AgentMeta   = "agent-meta"
	ToolResult  = "tool-result"
	Todo        = "todo"
	Task        = "task"
	FileHistory = "file-history"
	Debug       = "debug"
	SessionEnv  = "session-env"
	Image       = "image"
	Paste       = "paste"
	Plan        = "plan"
	TaskOutput  = "task-output" // of a background task, outside of the home
	Other       = "other"       // in the session's own directory, and none of these
)

// kinds has the kind of members in a directory of the home.
var kinds = map[string]string{
	"todos":        Todo,
	"tasks":        Task,
	"file-history": FileHistory,
	"debug":        Debug,
	"session-env":  SessionEnv,
	"image-cache":  Image,
}

// kindIn returns the kind of a file in the directory of a session, given its name
// there.
func kindIn(name string) string {
	switch dir, base := strings.SplitN(name, "/", 2)[0], path.Base(name); {
	case dir == "tool-results":
		return ToolResult
	case dir == "subagents" && AgentID(base) != "" && strings.HasSuffix(base, metaSuffix):
		return AgentMeta
	case dir == "subagents" && AgentID(base) != "":
		return Agent
	}
	return Other
}

// A Member is a file that belongs to a session, or a directory of its own that cannot be
// read.
type Member struct {
	Session string // its id, "" if it is not known
	Kind    string
	Name    string // in the home; of a TaskOutput its path, as an entry has it
	Bytes   int64
	Time    time.Time   // of the last change, zero if it is not known
	Task    entry.Value // of a TaskOutput the id of the task, as an entry has it
	Missing bool        // an entry names it, and it does not exist
	Err     error       // why it cannot be read
}

// Outranks reports whether m counts before other, if both are logs of one session: the
// log that can be read, the newer, the larger.
func (m *Member) Outranks(other *Member) bool {
	switch {
	case (m.Err == nil) != (other.Err == nil):
		return m.Err == nil
	case !m.Time.Equal(other.Time):
		return m.Time.After(other.Time)
	}
	return m.Bytes > other.Bytes
}

// PathOf returns the path of m.
func (h *Home) PathOf(m *Member) string {
	if m.Kind == TaskOutput {
		return m.Name
	}
	return h.Path(m.Name)
}

// Members yields the members of the session whose names hold its id: its log, what is stored
// in its own directory, the agents of the old layout, and what other directories of the
// home hold. Each part is sorted by name. The logs come at once, before anything else is
// looked at. An error is a [*PlaceError]: a directory in which members of any session may
// be, or, at the end, an agent of the old layout that may be the session's.
func (h *Home) Members(id string) iter.Seq2[Member, error] {
	return func(yield func(Member, error) bool) {
		w := walker{h: h, id: id, yield: yield}
		if !IsElement(id) || !w.projects() || !w.others() {
			return
		}
		for _, err := range w.unread {
			if !yield(Member{}, err) {
				return
			}
		}
	}
}

// A walker yields members until yield reports false; so do its methods.
type walker struct {
	h      *Home
	id     string
	yield  func(Member, error) bool
	unread []error // of agents that may be the session's
}

func (w *walker) projects() bool {
	if err := w.h.readProjects(); err != nil {
		return w.yield(Member{}, err)
	}
	folders := w.h.places[w.id]
	for _, folder := range folders {
		for _, suffix := range logSuffixes {
			if base := w.id + suffix; w.h.holds(folder, base) && !w.file(Log, path.Join("projects", folder, base)) {
				return false
			}
		}
	}
	for _, folder := range folders {
		own := path.Join("projects", folder, w.id)
		kind := func(name string) string { return kindIn(strings.TrimPrefix(name, own+"/")) }
		if w.h.holds(folder, w.id) && !w.tree(own, 0, kind) {
			return false
		}
	}
	for _, err := range w.h.closedFolders(folders != nil) {
		if !w.yield(Member{}, err) {
			return false
		}
	}
	if folders == nil { // its log is gone or cannot be seen: the agents may be anywhere
		folders = w.h.folders
	}
	for _, folder := range folders {
		if !w.oldAgents(folder) {
			return false
		}
	}
	return true
}

func (w *walker) file(kind, name string) bool {
	m := w.h.Stat(name)
	if m.Missing { // it was there a moment ago
		return true
	}
	m.Session, m.Kind = w.id, kind
	return w.yield(m, nil)
}

// fail yields a directory of the session that cannot be read.
func (w *walker) fail(name string, err error) bool {
	return errors.Is(err, fs.ErrNotExist) || w.yield(Member{Session: w.id, Kind: Other, Name: name, Err: err}, nil)
}

// deepest is how many directories may be nested below one of a session.
// The programs that write there use two.
const deepest = 32

var errDeep = skipped("too many nested directories")

// tree yields all files below the directory name, or the file of that name.
func (w *walker) tree(name string, depth int, kind func(name string) string) bool {
	info, err := w.h.lstat(name)
	switch {
	case err != nil:
		return w.fail(name, err)
	case !info.IsDir():
		return w.file(kind(name), name)
	case depth == deepest:
		return w.fail(name, errDeep)
	}
	entries, err := w.h.list(name)
	if err != nil && !w.fail(name, err) {
		return false
	}
	for _, e := range entries {
		child := path.Join(name, e.name)
		more := true
		if e.dir {
			more = w.tree(child, depth+1, kind)
		} else {
			more = w.file(kind(child), child)
		}
		if !more {
			return false
		}
	}
	return true
}

// oldAgents yields the session's agents in a project folder.
func (w *walker) oldAgents(folder string) bool {
	for _, a := range w.h.oldAgents(folder) {
		if err := a.unread(); err != nil {
			w.unread = append(w.unread, err)
			continue
		}
		if a.session != w.id {
			continue
		}
		if !w.file(Agent, a.name) {
			return false
		}
		stem, _ := CutLog(a.name)
		if !w.file(AgentMeta, stem+metaSuffix) {
			return false
		}
	}
	return true
}

// others yields the members in directories other than projects.
func (w *walker) others() bool {
	if err := w.h.readOthers(); err != nil {
		return w.yield(Member{}, err)
	}
	names := w.h.others[w.id]
	if !IsID(w.id) {
		for _, name := range w.h.nameless {
			// In other directories a name may begin so by chance: sessions/12345.json
			// belongs to a process.
			if kinds[path.Dir(name)] != "" && belongs(path.Base(name), w.id) {
				names = append(names, name)
			}
		}
	}
	for _, name := range names {
		dir := path.Dir(name)
		kind := kinds[dir]
		if kind == "" {
			kind = dir
		}
		if !w.tree(name, 0, func(string) string { return kind }) {
			return false
		}
	}
	for _, err := range w.h.closed {
		if !w.yield(Member{}, err) {
			return false
		}
	}
	return true
}

// Unattributed yields the agents of the old layout that name no session.
func (h *Home) Unattributed() iter.Seq[Member] {
	return func(yield func(Member) bool) {
		w := walker{h: h, yield: func(m Member, _ error) bool { return yield(m) }}
		_ = h.readProjects() // what cannot be read has no agents
		for _, folder := range h.folders {
			if !w.oldAgents(folder) {
				return
			}
		}
	}
}

// plans returns the names of the plans of the sessions with a slug, their own and those
// of their agents, sorted.
func (h *Home) plans(slug string) []string {
	if h.readOthers() != nil {
		return nil
	}
	var plans []string
	for _, name := range h.nameless {
		if base, ok := strings.CutPrefix(name, "plans/"); ok && planSlug(base) == slug {
			plans = append(plans, name)
		}
	}
	return plans
}
