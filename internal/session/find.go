package session

import (
	"jl/internal/says"

	"cmp"
	"path"
	"slices"
	"strings"
)

// A Match is what a name may mean: a session, or the log of a sub-agent.
type Match struct {
	Home *Home
	ID   string // of the session, or of the sub-agent
	Log  string // the name in the home of the log of a sub-agent, or of one whose entries carry the id; else ""
	Part bool   // it is a sub-agent that has no log: its entries are in Log
}

// Shortest is the length of the shortest beginning of an id that Find looks up, as with git: a mistyped
// name of a file should not be one.
const Shortest = 4

// Find returns what name may mean, in the order of the homes. It tries, in this order, and stops at the
// first that finds something, a whole id before a beginning:
//   - a session that has a log or files called by its id,
//   - a session that only sub-agents or files name, by its whole id,
//   - a session that the history names,
//   - a sub-agent,
//   - the logs that carry the whole id of a session at either end,
//   - a sub-agent whose entries are in the log of its session, by its whole id.
//
// If exact is set, name means only the first two. The errors are the places that could not be searched.
func (hs Homes) Find(name string, exact bool) (found []Match, errs []*PlaceError) {
	if !isElement(name) {
		return nil, nil
	}
	agent := strings.TrimPrefix(name, agentPrefix)
	searches := []func(h *Home, name string) ([]Match, []*PlaceError){
		(*Home).withPrefix, (*Home).nameless, (*Home).lost, (*Home).subAgents, (*Home).carrying, (*Home).parts,
	}
	if exact {
		searches = searches[:2]
	}
	for _, search := range searches {
		for _, h := range hs {
			matches, wrong := search(h, name)
			found, errs = append(found, matches...), append(errs, wrong...)
		}
		isWhole := func(m Match) bool { return m.ID == name || m.ID == agent }
		if exact || len(agent) < Shortest || slices.ContainsFunc(found, isWhole) {
			found = slices.DeleteFunc(found, func(m Match) bool { return !isWhole(m) })
		}
		if len(found) > 0 {
			break
		}
	}
	seen := map[string]bool{} // each search has met the same places
	return found, slices.DeleteFunc(errs, func(err *PlaceError) bool {
		again := seen[err.Error()]
		seen[err.Error()] = true
		return again
	})
}

// nameless returns the session of an id that is not a UUID, if files are called by it, or that a
// sub-agent names. A link does not count: debug/latest leads to the log of any session.
func (h *Home) nameless(id string) ([]Match, []*PlaceError) {
	for m, err := range h.Members(id) {
		if err == nil && !isSkipped(m.Err) {
			return []Match{{Home: h, ID: id}}, nil
		}
	}
	return nil, nil
}

// withPrefix returns the sessions whose ids begin with a prefix: those that the names of logs or other files
// hold.
func (h *Home) withPrefix(prefix string) (found []Match, errs []*PlaceError) {
	ids := slices.Concat(h.logs().withPrefix(prefix), h.others().withPrefix(prefix))
	slices.Sort(ids)
	for _, id := range slices.Compact(ids) {
		found = append(found, Match{Home: h, ID: id})
	}
	return found, h.unseen()
}

// unseen returns why there may be more sessions than are known.
func (h *Home) unseen() []*PlaceError {
	errs := h.logs().closed(false)
	for _, err := range h.others().errs {
		if err.Kind == Other { // in directories of one kind are no logs
			errs = append(errs, err)
		}
	}
	return errs
}

// Logs returns the logs of all sessions of the home, by folder and name. Of the [Member]s only the home,
// the session and the name are set.
func (h *Home) Logs() (logs []Member) {
	for _, r := range h.logs().rows {
		if r.kind == Log && r.session != "" {
			logs = append(logs, Member{Home: h, Session: r.session, Name: r.name})
		}
	}
	return logs
}

// subAgents returns the sub-agents whose ids begin with a prefix, sorted by the names of their logs. It
// looks into the directories of all sessions.
func (h *Home) subAgents(prefix string) (found []Match, errs []*PlaceError) {
	prefix = strings.TrimPrefix(prefix, agentPrefix)
	all := h.agentLogs()
	for _, a := range all.members {
		if prefix != "" && strings.HasPrefix(a.Agent, prefix) {
			found = append(found, Match{Home: h, ID: a.Agent, Log: a.Name})
		}
	}
	return found, all.errs
}

// The agentLogs of a home are the logs of all sub-agents that are not sessions, too, sorted by name. Of the
// [Member]s only the home, the kind, the name and the agent are set. The errors say where there may be more.
type agentLogs struct {
	members []Member
	errs    []*PlaceError
}

func (h *Home) readAgents() (all agentLogs) {
	below, has := h.agent.belowSession(Agent) // the directory may hold very many other files
	for _, r := range h.logs().rows {
		switch {
		case r.err != nil:
			all.errs = append(all.errs, r.err)
		case r.in != nil && !r.isDir:
			h.addAgent(&all, r.name)
		case r.in != nil && has && !r.link:
			for name, err := range h.below(path.Join(r.name, below)) {
				if err == nil {
					h.addAgent(&all, name)
				} else {
					all.errs = append(all.errs, h.placeError(name, Agent, err))
				}
			}
		}
	}
	slices.SortFunc(all.members, func(a, b Member) int { return strings.Compare(a.Name, b.Name) })
	return all
}

func (h *Home) addAgent(all *agentLogs, name string) {
	if h.agent.match(name, false).kind == Agent {
		all.members = append(all.members, Member{Home: h, Kind: Agent, Name: name, Agent: h.agentID(name)})
	}
}

// agentID returns the id of the sub-agent whose log or metadata have a name in the home: its log tells it, if
// its name does not.
func (h *Home) agentID(name string) string {
	r := h.rowOf(name, nil, false)
	if r.rule.kind == Agent && r.agent == "" {
		return cmp.Or(h.tell(name).id, idOf(name))
	}
	return cmp.Or(r.agent, r.session)
}

// carrying returns the logs in which an entry in either end carries an id: the one that a hook knows may
// not be the name of the log.
func (h *Home) carrying(id string) (found []Match, errs []*PlaceError) {
	if !IsID(id) {
		return nil, nil
	}
	x := h.ends()
	for _, name := range x.logs["id"+id] {
		found = append(found, Match{Home: h, ID: id, Log: name})
	}
	return found, x.errs
}

// An index has the names of the logs that tell something in one of their ends: "id" and the id of a
// session that is not in their names, or "slug" and a slug. The errors say why logs could not be searched.
type index struct {
	logs map[string][]string
	errs []*PlaceError
}

func (h *Home) readIndex() index {
	logs := h.Logs()
	wrong := make([][]*PlaceError, len(logs))
	found := inParallel(h, logs, func(d *describer, i int) map[string]bool {
		keys := map[string]bool{}
		d.log, d.errs = logs[i].Name, nil
		e, _, _ := d.readEnds()
		wrong[i] = d.errs
		for _, end := range [][]byte{e.head, e.tail} {
			another := false // most logs name only their own session
			for _, name := range []string{"sessionId", "session_id", "id"} {
				for id := range stringsOf(end, name) {
					another = another || IsID(id) && id != logs[i].Session
				}
			}
			for x := range d.entriesIn(end) {
				if !another {
					break
				}
				if id := string(says.About(d.dialect, x).ID.Text()); IsID(id) && id != logs[i].Session {
					keys["id"+id] = true
				}
			}
			for slug := range stringsOf(end, "slug") {
				keys["slug"+slug] = true
			}
		}
		return keys
	})
	x := index{map[string][]string{}, h.logs().closed(false)}
	for i, keys := range found {
		x.errs = append(x.errs, wrong[i]...)
		for key := range keys {
			x.logs[key] = append(x.logs[key], logs[i].Name)
		}
	}
	return x
}

// parts returns the sub-agents of an id whose entries are in the logs of their sessions. A name with a
// dot means a file.
func (h *Home) parts(id string) (found []Match, errs []*PlaceError) {
	if !h.agent.parts || len(id) < Shortest || strings.Contains(id, ".") {
		return nil, nil
	}
	for _, log := range h.Logs() {
		for e, err := range h.EntriesWith(log.Name, []byte(id)) {
			if err == nil && h.agent.dialect.Sidechain(e).Is(id) {
				found = append(found, Match{h, id, log.Name, true})
				break
			}
		}
	}
	return found, h.logs().closed(false)
}

// Session returns the id of the session that a match is, or that it is a sub-agent of.
func (m *Match) Session() string {
	if m.Log != "" {
		return m.Home.OwnerOf(m.Log)
	}
	return m.Home.topOf(m.ID)
}

// LogsOf returns the logs that a match means. If there are several, the one that outranks the others
// comes first. The errors are the places that may hold another one.
func (m *Match) LogsOf() (logs []Member, errs []*PlaceError) {
	if m.Log != "" {
		log := m.Home.Stat(m.Log)
		log.Kind = Log
		return []Member{log}, nil
	}
	for _, r := range m.Home.logs().sessions[m.ID] {
		if r.kind != Log {
			continue
		}
		if log := m.Home.Stat(r.name); !log.Missing { // it was there a moment ago
			log.Session, log.Kind = m.ID, Log
			logs = append(logs, log)
		}
	}
	Rank(logs)
	return logs, m.Home.logs().closed(len(logs) > 0)
}

// A Beginning says where the beginning of a log is that has no copy of it.
type Beginning struct {
	Session string   // in whose log it is, "" if the log is whole
	Above   string   // the number of the first entry there that is not the log's own
	Logs    []Member // those that the log goes on from, oldest first, as far as they are there
}

// Beginning returns where the beginning of a log is.
func (m *Member) Beginning() (b Beginning) {
	t := m.Home.tell(m.Name)
	b.Session, b.Above = t.base, t.above
	for seen := map[string]bool{m.Name: true}; t.before != ""; {
		name := m.Home.endingIn(t.before)
		if name == "" || seen[name] {
			break
		}
		seen[name] = true
		b.Logs = append(b.Logs, m.Home.Stat(name))
		t = m.Home.tell(name)
	}
	slices.Reverse(b.Logs)
	return b
}

// endingIn returns the name of the log whose name ends in an id, "" if there is none.
func (h *Home) endingIn(id string) string {
	for _, log := range h.Logs() {
		if stem := idOf(log.Name); strings.HasSuffix(stem, "-"+id) || strings.HasSuffix(stem, "_"+id) {
			return log.Name
		}
	}
	return ""
}

// Rank sorts the logs of one session. First comes the one that a list shows: it can be read, it has a
// conversation, and its last entry is the newest. Those without a conversation and without a title, such
// as Gemini CLI leaves behind each time it resumes a session, become silent.
func Rank(logs []Member) {
	if len(logs) < 2 {
		return
	}
	briefs := map[string]*Brief{}
	for _, log := range logs {
		b := log.Home.describer().describeLog(&log)
		if b == nil { // it cannot be read, or has nothing to list
			b = &Brief{Path: log.Path(), rank: 4, last: log.Time.UnixMilli(), bytes: log.Bytes}
			if log.Err != nil {
				b.rank++
			}
		}
		briefs[log.Path()] = b
	}
	slices.SortFunc(logs, func(a, b Member) int { return compareCopies(briefs[a.Path()], briefs[b.Path()]) })
	for i := range logs {
		logs[i].Silent = briefs[logs[i].Path()].isSilent()
	}
}

// idOf returns the id of the session or the sub-agent whose log has the name.
func idOf(name string) string {
	stem, _ := CutLog(path.Base(name))
	return stem
}
