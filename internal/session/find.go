package session

import (
	"errors"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"
)

// AllIDs yields the ids of all sessions that anything in the home belongs to, sorted:
// those in project folders, those that agents of the old layout name, and those in the
// names of members in other directories. Before them it yields a [*PlaceError] for each
// place where there may be more. If that is the directory of all projects, no id follows.
func (h *Home) AllIDs() iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		if err := h.readProjects(); err != nil {
			yield("", err)
			return
		}
		var errs []error
		for _, folder := range h.folders {
			errs = append(errs, h.folderError(folder))
		}
		errs = append(errs, h.readOthers())
		for _, err := range h.closed {
			errs = append(errs, err)
		}
		ids := slices.Collect(maps.Keys(h.places))
		for id, names := range h.others {
			known := func(name string) bool { return kinds[path.Dir(name)] != "" }
			if slices.ContainsFunc(names, known) {
				ids = append(ids, id)
			}
		}
		for _, folder := range h.folders {
			for _, a := range h.oldAgents(folder) {
				if errs = append(errs, a.unread()); IsElement(a.session) {
					ids = append(ids, a.session)
				}
			}
		}
		for _, err := range errs {
			if err != nil && !yield("", err) {
				return
			}
		}
		slices.Sort(ids)
		for _, id := range slices.Compact(ids) {
			if !yield(id, nil) {
				return
			}
		}
	}
}

// Find returns the ids of the sessions that name may mean, sorted: the session of that
// id, else those whose ids begin with it; else that id, if files are called by it and no
// log is. The error is the first place that could not be searched.
func (h *Home) Find(name string) ([]string, error) {
	if !IsElement(name) {
		return nil, nil
	}
	if h.has(name) {
		return []string{name}, nil
	}
	err := h.readProjects()
	if e := h.readOthers(); err == nil {
		err = e
	}
	for _, folder := range h.folders {
		if err == nil {
			err = h.folderError(folder)
		}
	}
	all := slices.AppendSeq(slices.Collect(maps.Keys(h.places)), maps.Keys(h.others))
	all = slices.DeleteFunc(all, func(id string) bool { return !strings.HasPrefix(id, name) })
	if len(all) == 0 && h.hasNameless(name) {
		return []string{name}, nil
	}
	slices.Sort(all)
	return slices.Compact(all), err
}

// has reports whether there is a session with the id: in a project folder, in the name
// of a member that holds a whole id, or in an agent of the old layout.
func (h *Home) has(id string) bool {
	_ = errors.Join(h.readProjects(), h.readOthers()) // what cannot be read has no session
	if h.places[id] != nil || h.others[id] != nil {
		return true
	}
	for _, folder := range h.folders {
		if slices.ContainsFunc(h.oldAgents(folder), func(a oldAgent) bool { return a.session == id }) {
			return true
		}
	}
	return false
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

// OwnerOf returns the id of the session that the file or directory with the name in the
// home belongs to, "" if its name does not hold one. It looks into an agent's log of the
// old layout.
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
		if stem, isLog := CutLog(parts[2]); isLog {
			return stem
		}
		return Owner(parts[2])
	case len(parts) > 3:
		return parts[2]
	}
	return ""
}
