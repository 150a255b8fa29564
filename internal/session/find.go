package session

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// AllIDs returns the ids of all sessions that anything in the home belongs to, sorted:
// those in project folders, those that agents of the old layout name, and those in the
// names of members in other directories. The errors are a [*PlaceError] for each place where
// there may be more. If that is the directory of all projects, there are no ids.
func (h *Home) AllIDs() (ids []string, errs []error) {
	folders, err := h.projects()
	if err != nil {
		return nil, []error{err}
	}
	ids = slices.Collect(maps.Keys(h.sessions()))
	o, err := h.others()
	for _, f := range folders {
		errs = append(errs, f.err)
	}
	errs = append(append(errs, err), o.closed...)
	for id, names := range o.byID {
		if slices.ContainsFunc(names, func(name string) bool { return claude.kindOf(name) != "" }) {
			ids = append(ids, id)
		}
	}
	for _, f := range folders {
		for _, a := range h.oldAgents(f) {
			if errs = append(errs, a.err); IsElement(a.session) {
				ids = append(ids, a.session)
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), slices.DeleteFunc(errs, func(err error) bool { return err == nil })
}

// Find returns the ids of the sessions that name may mean, sorted: the session of that
// id, else those whose ids begin with it; else that id, if files are called by it and no
// log is. The error is the first place that could not be searched.
func (h *Home) Find(name string) ([]string, error) {
	if !IsElement(name) {
		return nil, nil
	}
	folders, err := h.projects()
	o, otherErr := h.others()
	if h.sessions()[name] != nil || o.byID[name] != nil {
		return []string{name}, nil
	}
	errs := []error{err, otherErr}
	for _, f := range folders {
		if slices.ContainsFunc(h.oldAgents(f), func(a oldAgent) bool { return a.session == name }) {
			return []string{name}, nil
		}
		errs = append(errs, f.err)
	}
	all := slices.AppendSeq(slices.Collect(maps.Keys(h.sessions())), maps.Keys(o.byID))
	all = slices.DeleteFunc(all, func(id string) bool { return !strings.HasPrefix(id, name) })
	if len(all) == 0 && h.hasNameless(name) {
		return []string{name}, nil
	}
	slices.Sort(all)
	return slices.Compact(all), cmp.Or(errs...)
}

// hasNameless reports whether a file is called by an id that is not a UUID. A link does
// not count: debug/latest leads to the log of any session.
func (h *Home) hasNameless(id string) bool {
	for m, err := range h.Members(id) {
		if err == nil && !IsSkipped(m.Err) {
			return true
		}
	}
	return false
}

// LogsOf returns the logs of a session. If it has several, the one that outranks the others comes
// first. The errors are a [*PlaceError] for each place that may hold another one.
func (h *Home) LogsOf(id string) ([]Member, []error) {
	if _, err := h.projects(); err != nil {
		return nil, []error{err}
	}
	var logs []Member
	for m := range h.Members(id) {
		if m.Kind != Log { // the logs come first
			break
		}
		logs = append(logs, m)
	}
	slices.SortStableFunc(logs, func(a, b Member) int { return b.compare(&a) })
	return logs, h.closedFolders(len(logs) > 0)
}

// Agents returns the names in the home of the logs of those agents whose ids are id or, if
// none is, begin with it, sorted. The id may be written as in these names, agent-ID. Agents looks
// into the directories of all sessions. The errors are a [*PlaceError] for each place where there
// may be more; with them it returns what it found.
func (h *Home) Agents(id string) (logs []string, errs []error) {
	id = strings.TrimPrefix(id, agentPrefix)
	if !IsElement(id) {
		return nil, nil
	}
	folders, err := h.projects()
	if err != nil {
		return nil, []error{err}
	}
	add := func(name string) {
		if _, isLog := CutLog(name); isLog && strings.HasPrefix(AgentID(name), id) {
			logs = append(logs, name)
		}
	}
	for _, f := range folders {
		if f.err != nil {
			errs = append(errs, f.err)
		}
		for _, e := range f.entries {
			name := path.Join(f.name, e.name)
			if !e.dir {
				add(name)
				continue
			}
			agents := path.Join(name, "subagents")
			found, err := h.list(agents)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				errs = append(errs, &PlaceError{agents, Agent, err})
			}
			for _, a := range found {
				add(path.Join(agents, a.name))
			}
		}
	}
	slices.Sort(logs)
	if exact := func(name string) bool { return AgentID(name) == id }; slices.ContainsFunc(logs, exact) {
		logs = slices.DeleteFunc(logs, func(name string) bool { return !exact(name) })
	}
	return logs, errs
}
