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
	Silent  bool        // a log that says nothing beside another one of its session; see Rank
}

// BehindLink reports whether the folder of the log m is reached through a link.
func (m *Member) BehindLink() bool {
	for _, r := range m.Home.logs().rows {
		if r.name == m.Name {
			return r.link
		}
	}
	return false
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
// looked at. An error is about a directory in which members of any session may
// be, or, at the end, an agent of the old layout that may be the session's.
func (h *Home) Members(id string) iter.Seq2[Member, *PlaceError] {
	return func(yield func(Member, *PlaceError) bool) {
		s := newScan(h, id, yield)
		s.named()
		s.errors(s.unread)
	}
}

// AllMembers yields the members that [Home.Members] yields, and then, as it reads the
// logs of the session and its agents and the history of prompts, those that only entries
// name, in the order in which they do: plans, pastes, outputs of tasks, and what is
// missing. An error is a [*PlaceError].
func (h *Home) AllMembers(id string) iter.Seq2[Member, *PlaceError] {
	return func(yield func(Member, *PlaceError) bool) {
		s := newScan(h, id, yield)
		s.named()
		h.Ready()
		if h.NamesAgents() {
			for _, log := range s.logs {
				s.readLog(log, nil)
			}
			s.pastes()
		}
		s.errors(slices.DeleteFunc(s.unread, func(err *PlaceError) bool { return s.has("", err.Name) }))
	}
}

// NamesAgents reports whether the entries of a session name the sub-agents that it began. Else those name
// their session, or are in its directory.
func (h *Home) NamesAgents() bool { return h.agent.named }

// A scan yields the members of one session until yield returns false. It remembers what it has seen
// by hashes.
type scan struct {
	h       *Home
	id      string
	yield   func(Member, *PlaceError) bool
	stopped bool // yield has returned false

	logs   []string      // names of the logs that can be read
	unread []*PlaceError // of agents that may be the session's
	seen   hashset.Set   // see add

	// Of the log that is read:
	dir  string // the session's own directory next to it
	flat bool   // agents are next to it
	slug []byte // the last one seen, as JSON

	pathless bool // an output is a member even if no entry has its path
}

func newScan(h *Home, id string, yield func(Member, *PlaceError) bool) *scan {
	return &scan{h: h, id: id, yield: yield, seen: hashset.Set{}}
}

func (s *scan) emit(m Member, err *PlaceError) {
	if m.Home = s.h; !s.stopped {
		s.stopped = !s.yield(m, err)
	}
}

func (s *scan) errors(errs []*PlaceError) {
	for _, err := range errs {
		s.emit(Member{}, err)
	}
}

// add notes something that has been seen: a name in the home if kind is empty. It reports whether
// that is new.
func (s *scan) add(kind, name string) bool { return s.seen.Add(kind + "\x00" + name) }

func (s *scan) has(kind, name string) bool { return s.seen.Has(kind + "\x00" + name) }

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

// named yields the members whose names hold the id.
func (s *scan) named() {
	if !isElement(s.id) {
		return
	}
	logs := s.h.logs()
	own := logs.sessions[s.id]
	for _, r := range own {
		if r.kind == Log {
			s.file(Log, r.name, false)
		}
	}
	for _, isPlain := range []bool{false, true} { // directories that are called by more than the id come first
		for _, r := range own {
			switch {
			case r.kind == Log || (path.Base(r.name) == s.id) != isPlain || !isPlain && !r.isDir && r.kind == "":
			case isPlain && r.link:
				s.fail(r.name, skipped("behind a symbolic link"))
			default:
				s.tree(r)
			}
		}
	}
	s.errors(logs.closed(own != nil))
	s.loose(own)
	if s.stopped {
		return
	}
	others := s.h.others()
	for _, r := range others.sessions[s.id] {
		s.tree(r)
	}
	if !IsID(s.id) {
		for _, r := range others.rows {
			if r.isCalled(s.id) {
				s.tree(r)
			}
		}
	}
	s.errors(others.errs)
}

// isCalled reports whether the name of a file begins with an id that is not a UUID. In a directory that the table of
// agents does not name, a name may begin so by chance.
func (r *row) isCalled(id string) bool {
	rest, ok := strings.CutPrefix(path.Base(r.name), id)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '-') && r.session == "" && r.rule.hasSession()
}

// loose yields the session's sub-agents whose logs are beside those of sessions: if it has rows of its own,
// beside these.
func (s *scan) loose(own []*row) {
	var found []*row
	if own != nil && !s.h.agent.threads {
		var seen *row
		for _, o := range own {
			if o.in == seen {
				continue
			}
			seen = o.in
			for _, r := range s.h.logs().loose[o.in] {
				switch id, err := s.h.owner(r); {
				case err != nil && r.kind == Agent:
					s.unread = append(s.unread, err)
				case err == nil && id == s.id:
					found = append(found, r)
				}
			}
		}
	} else { // its log is gone or cannot be seen: the sub-agents may be anywhere
		all := s.h.loose()
		found, s.unread = all.of[s.id], all.unread
	}
	for _, r := range found {
		kind := r.kind
		if r.rule.kind == thread {
			kind = Agent
		}
		if r.rule.kind != thread || r.session != s.id { // else it is the session's own log
			s.file(kind, r.name, false)
		}
	}
}

// tree yields what is in the directory of a session, or a file.
func (s *scan) tree(r *row) {
	if !r.isDir {
		s.member(r.name)
		return
	}
	for name, err := range s.h.below(r.name) {
		switch {
		case s.stopped:
			return
		case err == nil:
			s.member(name)
		default:
			s.fail(name, err)
		}
	}
}

// member yields a file whose name tells its kind.
func (s *scan) member(name string) {
	r := s.h.rowOf(name, nil, false)
	if r.rule.isSession() && r.session != s.id {
		return // a fork's
	}
	dir, _, _ := strings.Cut(name, "/")
	kind := cmp.Or(r.kind, dir)
	if kind == Log { // not that of its directory
		kind = Other
	}
	s.file(kind, name, false)
}
