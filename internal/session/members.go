package session

import (
	"cmp"
	"errors"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"
	"time"

	"jl/internal/entry"
	"jl/internal/hashset"
)

// A Member is a file that belongs to a session, or a directory of its own that cannot be read.
type Member struct {
	Home    *Home
	Session string // its id, "" if it is not known
	Kind    string
	Agent   string // the id of the sub-agent whose log or metadata it is
	Name    string // in the home; of a TaskOutput its path, as an entry has it
	Bytes   int64
	Time    time.Time   // of the last change; zero if it is not known, or of a file that is not regular
	Task    entry.Value // of a TaskOutput the id of the task, as an entry has it
	Missing bool        // an entry names it, and it does not exist
	Err     error       // why it cannot be read
}

// BehindLink reports whether the folder of the log m is reached through a link.
func (m *Member) BehindLink() bool {
	folder, _, _ := m.Home.agent.folderIn(m.Name)
	return m.Home.folder(folder).link
}

// Path returns the path of m, "" if it is no member.
func (m *Member) Path() string {
	if m.Home == nil || m.Kind == TaskOutput || m.Name == "" {
		return m.Name
	}
	return m.Home.Path(m.Name)
}

// Members yields the members of the session whose names hold its id: its log, what is stored
// in its own directory, the agents of the old layout, and what other directories of the
// home hold. Each part is sorted by name. The logs come at once, before anything else is
// looked at. An error is a [*PlaceError]: a directory in which members of any session may
// be, or, at the end, an agent of the old layout that may be the session's.
func (h *Home) Members(id string) iter.Seq2[Member, error] {
	return func(yield func(Member, error) bool) {
		s := newScan(h, id, yield)
		s.named()
		s.errors(s.unread)
	}
}

// AllMembers yields the members that [Home.Members] yields, and then, as it reads the
// logs of the session and its agents and the history of prompts, those that only entries
// name, in the order in which they do: plans, pastes, outputs of tasks, and what is
// missing. An error is a [*PlaceError].
func (h *Home) AllMembers(id string) iter.Seq2[Member, error] {
	return func(yield func(Member, error) bool) {
		s := newScan(h, id, yield)
		s.named()
		h.Ready()
		if h.agent.records {
			for _, log := range s.logs {
				s.readLog(log, nil)
			}
			s.pastes()
		}
		s.errors(slices.DeleteFunc(s.unread, func(err error) bool { return s.has("", err.(*PlaceError).Name) }))
	}
}

// NamesAgents reports whether the entries of a session name the sub-agents that it began. Else those name
// their session, or are in its directory.
func (h *Home) NamesAgents() bool { return h.agent.records }

// Unattributed yields the sub-agents beside logs that name no session.
func (h *Home) Unattributed() iter.Seq[Member] {
	return func(yield func(Member) bool) {
		newScan(h, "", func(m Member, _ error) bool { return yield(m) }).beside(h.folders())
	}
}

// Misplaced returns the logs in directories of folders that are none of a session: a program that moved a
// folder has put them one too deep.
func (h *Home) Misplaced() (logs []Member) {
	for _, f := range h.folders() {
		for _, e := range f.entries {
			if !e.IsDir() || f.link || h.agent.ownerOf(e.Name()) != "" || h.agent.inside != "" || h.sessions()[e.Name()].folders != nil {
				continue
			}
			for name, err := range h.below(path.Join(f.name, e.Name())) {
				stem, isLog := CutLog(path.Base(name))
				if id := h.agent.id(stem); err == nil && isLog && Owner(id) != "" {
					m := h.Stat(name)
					m.Session, m.Kind = id, Log
					logs = append(logs, m)
				}
			}
		}
	}
	return logs
}

// A scan yields the members of one session until yield returns false. It remembers what it has seen
// by hashes.
type scan struct {
	h       *Home
	id      string
	yield   func(Member, error) bool
	stopped bool // yield has returned false

	logs   []string    // names of the logs that can be read
	unread []error     // of agents that may be the session's
	seen   hashset.Set // see add

	// Of the log that is read:
	dir  string // the session's own directory next to it
	flat bool   // agents are next to it
	slug []byte // the last one seen, as JSON

	pathless bool // an output is a member even if no entry has its path
}

func newScan(h *Home, id string, yield func(Member, error) bool) *scan {
	return &scan{h: h, id: id, yield: yield, seen: hashset.Set{}}
}

func (s *scan) emit(m Member, err error) {
	if m.Home = s.h; !s.stopped {
		s.stopped = !s.yield(m, err)
	}
}

func (s *scan) errors(errs []error) {
	for _, err := range errs {
		s.emit(Member{}, err)
	}
}

// add notes something that has been seen: a name in the home if kind is empty. It reports whether
// that is new.
func (s *scan) add(kind, name string) bool { return s.seen.Add(kind + "\x00" + name) }

func (s *scan) has(kind, name string) bool { return s.seen.Has(kind + "\x00" + name) }

// named yields the members whose names hold the id.
func (s *scan) named() {
	if !isElement(s.id) {
		return
	}
	place := s.h.sessions()[s.id]
	folders := place.folders
	for _, log := range place.logs {
		s.file(Log, log, false)
	}
	for _, dir := range place.dirs {
		s.tree(dir)
	}
	for _, f := range folders {
		if dir := path.Join(f.name, s.id); f.link && f.holds(s.id) {
			s.fail(dir, skipped("behind a symbolic link"))
		} else if f.holds(s.id) {
			s.tree(dir)
		}
	}
	s.errors(s.h.closedFolders(folders != nil))
	if folders == nil || s.h.agent.threads { // its log is gone or cannot be seen: the sub-agents may be anywhere
		folders = s.h.folders()
	}
	s.beside(folders)
	s.others()
}

// file yields the member of a kind with the name if it is new; one that is not there only if missing is
// true.
func (s *scan) file(kind, name string, missing bool) {
	if s.stopped || s.has("", name) {
		return
	}
	m := s.h.Stat(name)
	if m.Missing && !missing {
		return
	}
	m.Session, m.Kind = s.id, kind
	if kind == Agent || kind == AgentMeta {
		m.Agent = s.h.agentID(m.Name)
	}
	if m.Err == nil && (kind == Log || kind == Agent) {
		s.logs = append(s.logs, name)
	}
	s.know(name)
	s.emit(m, nil)
	if kind == Log {
		s.h.Ready() // a directory of very many files may follow
	}
}

// fail yields a directory of the session that cannot be read.
func (s *scan) fail(name string, err error) {
	if !errors.Is(err, fs.ErrNotExist) {
		s.emit(Member{Session: s.id, Kind: Other, Name: name, Err: err}, nil)
	}
}

// tree yields all files below the directory name, or the file of that name.
func (s *scan) tree(name string) {
	if info, err := s.h.lstat(name); err == nil && !info.IsDir() {
		s.member(name)
		return
	}
	for file, err := range s.h.below(name) {
		if s.stopped {
			return
		}
		if err != nil {
			s.fail(file, err)
		} else {
			s.member(file)
		}
	}
}

// member yields a file whose name tells its kind.
func (s *scan) member(name string) {
	if id := s.h.agent.idIn(name); id != "" && id != s.id {
		return // a fork's
	}
	dir, _, _ := strings.Cut(name, "/")
	s.file(cmp.Or(s.h.agent.layout.kindOf(name), dir), name, false)
}

// beside yields the session's sub-agents whose logs are beside those of sessions.
func (s *scan) beside(folders []*folder) {
	for _, f := range folders {
		if s.stopped {
			return
		}
		for _, a := range s.h.threadsIn(f) {
			if a.Err != nil {
				s.unread = append(s.unread, a.Err)
			} else if s.h.topOf(a.Session) == s.id {
				stem, _ := CutLog(a.Name)
				s.file(Agent, a.Name, false)
				s.file(AgentMeta, stem+metaSuffix, false)
			}
		}
	}
}

// others yields the members in directories without folders.
func (s *scan) others() {
	if s.stopped {
		return
	}
	o := s.h.others()
	for _, name := range o.byID[s.id] {
		s.tree(name)
	}
	for _, name := range o.nameless {
		// In other directories a name may begin so by chance: sessions/12345.json belongs to a process.
		if !IsID(s.id) && belongs(path.Base(name), s.id) && s.h.agent.layout.kindOf(name) != "" {
			s.tree(name)
		}
	}
	s.errors(o.closed)
}
