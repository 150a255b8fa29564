package session

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"

	"jl/internal/entry"
)

// The kinds of members. A member in a directory of the home that is not known
// here has that directory's name as its kind.
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
	Other       = "other" // in the session's own directory, and none of these
)

// kinds says which kind of members a directory of the home holds.
var kinds = map[string]string{
	"todos":        Todo,
	"tasks":        Task,
	"file-history": FileHistory,
	"debug":        Debug,
	"session-env":  SessionEnv,
	"image-cache":  Image,
}

// kindOf returns the kind of a file in the directory of a session, given its name
// there.
func kindOf(name string) string {
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

// Members yields what belongs to the session id and is found by name: its log,
// what lies in its own directory, the agents of the old layout, and what other
// directories of the home hold. Each part is sorted by name. A log comes at once,
// before anything else is looked at.
func (h *Home) Members(id string) iter.Seq[Member] {
	return func(yield func(Member) bool) {
		if !IsElement(id) {
			return
		}
		w := walker{h: h, id: id, yield: yield}
		if w.projects() {
			w.beside()
		}
	}
}

// A walker yields members until yield reports false; so do its methods.
type walker struct {
	h     *Home
	id    string
	yield func(Member) bool
}

func (w *walker) projects() bool {
	if err := w.h.readProjects(); err != nil {
		return w.fail(Other, "projects", err)
	}
	mine := w.h.places[w.id]
	for _, folder := range mine {
		for _, suffix := range logSuffixes {
			if !w.file(Log, path.Join("projects", folder, w.id+suffix)) {
				return false
			}
		}
	}
	for _, folder := range mine {
		own := path.Join("projects", folder, w.id)
		kind := func(name string) string { return kindOf(strings.TrimPrefix(name, own+"/")) }
		if !w.tree(own, 0, kind) {
			return false
		}
	}
	if mine == nil { // its log is gone, or not to be seen: the agents may be anywhere
		mine = w.h.folders
		for _, folder := range mine {
			err := w.h.contents[folder].err
			if err != nil && !errors.As(err, new(*SkippedError)) && !w.fail(Other, path.Join("projects", folder), err) {
				return false
			}
		}
	}
	for _, folder := range mine {
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
	return w.yield(m)
}

func (w *walker) fail(kind, name string, err error) bool {
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	return w.yield(Member{Session: w.id, Kind: kind, Name: name, Err: err})
}

// deepest is how many directories lie within each other below one of a session.
// The programs that write there use two.
const deepest = 32

var errDeep = &SkippedError{"too many directories within each other"}

// tree yields all files below the directory name, or the file of that name.
func (w *walker) tree(name string, depth int, kind func(name string) string) bool {
	info, err := w.h.lstat(name)
	switch {
	case err != nil:
		return w.fail(Other, name, err)
	case !info.IsDir():
		return w.file(kind(name), name)
	case depth == deepest:
		return w.fail(Other, name, errDeep)
	}
	entries, err := w.h.list(name)
	if err != nil && !w.fail(Other, name, err) {
		return false
	}
	for _, e := range entries {
		child := path.Join(name, e.name)
		ok := true
		if e.dir {
			ok = w.tree(child, depth+1, kind)
		} else {
			ok = w.file(kind(child), child)
		}
		if !ok {
			return false
		}
	}
	return true
}

// oldAgents yields the agents that lie in a project folder.
func (w *walker) oldAgents(folder string) bool {
	for _, a := range w.h.oldAgents(folder) {
		if a.session != w.id {
			continue
		}
		if !w.file(Agent, a.name) {
			return false
		}
		stem, _ := cutLog(a.name)
		if !w.file(AgentMeta, stem+metaSuffix) {
			return false
		}
	}
	return true
}

// beside yields what directories other than projects hold.
func (w *walker) beside() bool {
	if err := w.h.readBeside(); err != nil {
		return w.fail(Other, ".", err)
	}
	names := w.h.beside[w.id]
	if !IsID(w.id) {
		for _, name := range w.h.nameless {
			// Elsewhere a name may begin so by chance: sessions/12345.json is of a process.
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
	for _, m := range w.h.closed {
		m.Session = w.id
		if !w.yield(m) {
			return false
		}
	}
	return true
}

// Plans returns the names of the plans of the sessions with a slug: its own and those
// of its agents, sorted.
func (h *Home) Plans(slug string) []string {
	if h.readBeside() != nil {
		return nil
	}
	var plans []string
	for _, name := range h.nameless {
		if base, ok := strings.CutPrefix(name, "plans/"); ok && PlanSlug(base) == slug {
			plans = append(plans, name)
		}
	}
	return plans
}

// Closed returns the directories in which members of all sessions lie, and which
// cannot be read.
func (h *Home) Closed() []Member {
	_ = h.readBeside() // else there is none
	return h.closed
}

// readBeside learns the names in the directories of the home.
func (h *Home) readBeside() error {
	if h.beside != nil {
		return nil
	}
	dirs, err := h.list(".")
	if err != nil {
		return err
	}
	h.beside = map[string][]string{}
	for _, d := range dirs {
		kind := kinds[d.name]
		if !d.dir && (!d.link || kind == "") || d.name == "projects" {
			continue
		}
		entries, err := h.list(d.name)
		if err != nil && kind != "" { // others need not have anything to do with sessions
			h.closed = append(h.closed, Member{Kind: kind, Name: d.name, Err: err})
		}
		for _, e := range entries {
			name := path.Join(d.name, e.name)
			if owner := Owner(e.name); owner != "" {
				h.beside[owner] = append(h.beside[owner], name)
			} else {
				h.nameless = append(h.nameless, name)
			}
		}
	}
	return nil
}

// readProjects learns which sessions lie in which project folders. A new home has
// no folders.
func (h *Home) readProjects() error {
	if h.places != nil {
		return nil
	}
	found, err := h.list("projects")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	h.places = map[string][]string{}
	h.contents = map[string]folder{}
	for _, f := range found {
		if !f.dir && !f.link { // a link is named in vain, but not silently
			continue
		}
		h.folders = append(h.folders, f.name)
		entries, err := h.list(path.Join("projects", f.name))
		h.contents[f.name] = folder{entries, err}
		for _, e := range entries {
			id, log := sessionLog(e)
			if !log && !IsID(e.name) {
				continue
			}
			if at := h.places[id]; len(at) == 0 || at[len(at)-1] != f.name {
				h.places[id] = append(at, f.name)
			}
		}
	}
	return nil
}

// A folder is what a project folder holds, and why that is not known.
type folder struct {
	entries []dirEntry
	err     error
}

// sessionLog returns the id of the session that a file in a project folder is the
// log of, and whether it is one. Else it returns the file's name.
func sessionLog(e dirEntry) (string, bool) {
	stem, log := cutLog(e.name)
	if e.dir || !log || strings.HasPrefix(e.name, "agent-") {
		return e.name, false
	}
	return stem, true
}

// Projects returns the names of the project folders, sorted.
func (h *Home) Projects() ([]string, error) {
	err := h.readProjects()
	return h.folders, err
}

// Logs returns the names in the home of the logs of sessions in a project folder,
// sorted. What could be read of the folder is returned with the error.
func (h *Home) Logs(folder string) ([]string, error) {
	if err := h.readProjects(); err != nil {
		return nil, err
	}
	f := h.contents[folder]
	var logs []string
	for _, e := range f.entries {
		if _, log := sessionLog(e); log {
			logs = append(logs, path.Join("projects", folder, e.name))
		}
	}
	return logs, f.err
}

// IDOf returns the id of the session whose log is called name.
func IDOf(name string) string {
	stem, _ := cutLog(path.Base(name))
	return stem
}

// An oldAgent is the log of a sub-agent that lies beside the log of its session.
type oldAgent struct {
	name    string // in the home
	session string // "" if it does not say
}

// oldAgents returns the agents in a project folder and whose they are.
func (h *Home) oldAgents(folder string) []oldAgent {
	if known, ok := h.agents[folder]; ok {
		return known
	}
	if h.readProjects() != nil {
		return nil
	}
	var agents []oldAgent
	for _, e := range h.contents[folder].entries {
		if _, log := cutLog(e.name); log && !e.dir && AgentID(e.name) != "" {
			name := path.Join("projects", folder, e.name)
			id, err := h.firstSession(name)
			if err != nil {
				h.unread = append(h.unread, Member{Kind: Agent, Name: name, Err: err})
			}
			agents = append(agents, oldAgent{name, id})
		}
	}
	h.agents[folder] = agents
	return agents
}

// firstSession returns the first sessionId in the beginning of a log, which may be
// compressed.
func (h *Home) firstSession(name string) (string, error) {
	f, err := h.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	r, err := h.unpack(f)
	if err != nil {
		return "", cause(err)
	}
	defer r.Close()
	return FirstSession(r)
}

// FirstSession returns the first sessionId in the beginning of what r reads, "" if
// there is none. An error is one of r, when it came first.
func FirstSession(r io.Reader) (string, error) {
	const enough = 256 << 10
	head := make([]byte, enough)
	n, err := io.ReadFull(r, head)
	id := sessionIn(head[:n])
	if id != "" || err == io.EOF || err == io.ErrUnexpectedEOF {
		return id, nil
	}
	return "", cause(err)
}

// Unread returns the agents of the old layout that could not be read, so that nobody
// knows whose they are; of those that were looked at since the last call.
func (h *Home) Unread() []Member {
	unread := h.unread
	h.unread = nil
	return unread
}

// sessionIn returns the first sessionId of an entry at the beginning of a log, ""
// if there is none.
func sessionIn(head []byte) string {
	var d entry.Decoder
	for line := range bytes.Lines(head) {
		count, _ := d.Decode(line, 2, 1)
		for i := range count {
			if id := d.Entry(i).Get(entry.SessionID).Text(); len(id) > 0 {
				return string(id)
			}
		}
	}
	// The first line may be longer than what was read.
	const key = `"sessionId":"`
	if _, rest, ok := bytes.Cut(head, []byte(key)); ok && len(rest) >= idLen && IsID(string(rest[:idLen])) {
		return string(rest[:idLen])
	}
	return ""
}

// AllIDs returns the ids of all sessions that anything in the home belongs to,
// sorted: those in project folders, those that agents of the old layout name, and
// those in the names of members in the directories known to hold some.
func (h *Home) AllIDs() ([]string, error) {
	err := h.readProjects()
	ids := slices.Collect(maps.Keys(h.places))
	if e := h.readBeside(); err == nil {
		err = e
	}
	for id, names := range h.beside {
		known := func(name string) bool { return kinds[path.Dir(name)] != "" }
		if slices.ContainsFunc(names, known) {
			ids = append(ids, id)
		}
	}
	for _, folder := range h.folders {
		for _, a := range h.oldAgents(folder) {
			if IsElement(a.session) {
				ids = append(ids, a.session)
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), err
}

// Strays yields the agents of the old layout that do not say whose they are.
func (h *Home) Strays() iter.Seq[Member] {
	return func(yield func(Member) bool) {
		w := walker{h: h, yield: yield}
		folders, _ := h.Projects()
		for _, folder := range folders {
			if !w.oldAgents(folder) {
				return
			}
		}
	}
}

// Find returns the ids of the sessions that name may mean: the one of that id, else
// those whose ids begin so, sorted; else the one of that id if all that is known of
// it are files with names that begin with it.
func (h *Home) Find(name string) ([]string, error) {
	if !IsElement(name) {
		return nil, nil
	}
	if h.has(name) {
		return []string{name}, nil
	}
	err := h.readProjects()
	if e := h.readBeside(); err == nil {
		err = e
	}
	for _, folder := range h.folders {
		if e := h.contents[folder].err; err == nil && e != nil {
			err = fmt.Errorf("%s: %w", folder, e)
		}
	}
	all := slices.AppendSeq(slices.Collect(maps.Keys(h.places)), maps.Keys(h.beside))
	all = slices.DeleteFunc(all, func(id string) bool { return !strings.HasPrefix(id, name) })
	if len(all) == 0 && h.hasNameless(name) {
		return []string{name}, nil
	}
	slices.Sort(all)
	return slices.Compact(all), err
}

// has reports whether there is a session id: in a project folder, in the name of
// a member that holds a whole id, or in an agent of the old layout.
func (h *Home) has(id string) bool {
	_ = h.readProjects() // what is not known is not there
	_ = h.readBeside()
	if h.places[id] != nil || h.beside[id] != nil {
		return true
	}
	for _, folder := range h.folders {
		if slices.ContainsFunc(h.oldAgents(folder), func(a oldAgent) bool { return a.session == id }) {
			return true
		}
	}
	return false
}

// hasNameless reports whether a file is called by an id that is no UUID. A link is
// none: debug/latest leads to the log of any session.
func (h *Home) hasNameless(id string) bool {
	for m := range h.Members(id) {
		if !m.Shared() && !errors.As(m.Err, new(*SkippedError)) {
			return true
		}
	}
	return false
}

// OwnerOf returns the id of the session that the file or directory name in the home
// belongs to, "" if its name and its beginning do not say. A log of the old layout
// is looked into.
func (h *Home) OwnerOf(name string) string {
	parts := strings.Split(name, "/")
	if parts[0] != "projects" {
		if len(parts) < 2 {
			return ""
		}
		return Owner(parts[1])
	}
	switch {
	case len(parts) == 3:
		if id := AgentID(parts[2]); id != "" {
			for _, a := range h.oldAgents(parts[1]) {
				if AgentID(a.name) == id {
					return a.session
				}
			}
			return ""
		}
		if stem, log := cutLog(parts[2]); log {
			return stem
		}
		return Owner(parts[2])
	case len(parts) > 3:
		return parts[2]
	}
	return ""
}
