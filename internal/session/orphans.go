package session

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// AllIDs returns the ids of all sessions that anything in the home belongs to, sorted: those that the names of
// members hold, and those that sub-agents beside logs name. The errors are the places where there may be more.
func (h *Home) AllIDs() (ids []string, errs []*PlaceError) {
	errs = append(h.logs().closed(false), h.others().errs...)
	for _, r := range h.others().rows {
		if r.session != "" && r.kind != "" {
			ids = append(ids, r.session)
		}
	}
	ids = slices.Concat(ids, h.logs().ids, h.loose().ids)
	slices.Sort(ids)
	return slices.Compact(ids), append(errs, h.loose().unread...)
}

// HasLog reports whether a directory that can be read has a log of the session, or what seems to be one that
// this package cannot read, such as ID.jsonl.xz.
func (h *Home) HasLog(id string) bool {
	for _, r := range h.logs().sessions[id] {
		if r.kind == Log {
			return true
		}
	}
	return h.logs().seeming[id]
}

// Unattributed returns the members of sub-agents beside logs that name no session.
func (h *Home) Unattributed() (members []Member) {
	for _, r := range h.loose().of[""] {
		if m := h.Stat(r.name); !m.Missing {
			m.Kind, m.Agent = r.kind, h.agentID(r.name)
			members = append(members, m)
		}
	}
	return members
}

// Misplaced returns the logs at no place of a session: those whose names fit no rule, and those in directories
// that belong to no session, where a program that moved a folder has put them one too deep.
func (h *Home) Misplaced() (logs []Member) {
	inside := slices.ContainsFunc(h.agent.rules, func(r rule) bool { return r.isSession() && r.rest != "" })
	for _, r := range h.logs().rows {
		switch {
		case r.in == nil || r.link || r.session != "" || r.rule.isSession() || r.rule.isAgent():
		case !r.isDir:
			logs = h.misplaced(logs, r.name, r.in.name)
		case !inside && h.logs().sessions[path.Base(r.name)] == nil:
			for name, err := range h.below(r.name) {
				if err == nil {
					logs = h.misplaced(logs, name, r.in.name)
				}
			}
		}
	}
	return logs
}

// misplaced appends the log with a name, if it is the log of a session or a sub-agent: as its name would tell in the
// folder, or its beginning tells.
func (h *Home) misplaced(logs []Member, name, folder string) []Member {
	at := h.agent.match(path.Join(folder, path.Base(name)), false)
	if _, isLog := CutLog(name); !isLog || isConflict(name) && !at.isSession() && !at.isAgent() {
		return logs
	}
	id := Owner(cmp.Or(at.session, at.prefix))
	if at.isAgent() || id == "" {
		id = h.tell(name).id
	}
	if id == "" {
		return logs
	}
	m := h.Stat(name)
	if m.Session, m.Kind = id, Log; at.isAgent() {
		m.Kind, m.Agent = Agent, at.agent
	}
	return append(logs, m)
}

// Conflicts returns the names in the home of the copies of logs that a sync tool made, or has not
// fetched, sorted.
func (h *Home) Conflicts() (names []string) {
	for _, r := range h.logs().rows {
		if r.in != nil && !r.isDir && !r.rule.isSession() && !r.rule.isAgent() && isConflict(r.name) {
			names = append(names, r.name)
		}
	}
	return names
}

// isConflict reports whether a file that is not the log of a session is named like a copy of one, or like one that
// is not fetched.
func isConflict(name string) bool {
	stem, isLog := CutLog(strings.TrimSuffix(path.Base(name), ".icloud"))
	return isLog && !IsID(stem) && Owner(stem) != ""
}
