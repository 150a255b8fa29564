package session

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// LogsOf returns the logs of a session. If it has several, the one that outranks the others comes
// first. The errors are a [*PlaceError] for each place that may hold another one.
func (h *Home) LogsOf(id string) ([]Member, []error) {
	if err := h.readProjects(); err != nil {
		return nil, []error{err}
	}
	var logs []Member
	for m := range h.Members(id) {
		if m.Kind != Log { // the logs come first
			break
		}
		logs = append(logs, m)
	}
	slices.SortStableFunc(logs, func(a, b Member) int {
		switch {
		case a.Outranks(&b):
			return -1
		case b.Outranks(&a):
			return 1
		}
		return 0
	})
	return logs, h.closedFolders(len(logs) > 0)
}

// Agents returns the names in the home of the logs of those agents whose ids are id or, if
// none is, begin with it, sorted. The id may be written as in these names, agent-ID. Agents looks
// into the directories of all sessions. The errors are a [*PlaceError] for each place where there
// may be more; with them it returns what it found.
func (h *Home) Agents(id string) ([]string, []error) {
	id = strings.TrimPrefix(id, agentPrefix)
	if !IsElement(id) {
		return nil, nil
	}
	if err := h.readProjects(); err != nil {
		return nil, []error{err}
	}
	var errs []error
	var exact, begin []string
	add := func(name string) {
		if _, isLog := CutLog(name); !isLog {
			return
		}
		switch agent := AgentID(name); {
		case agent == id:
			exact = append(exact, name)
		case strings.HasPrefix(agent, id):
			begin = append(begin, name)
		}
	}
	for _, folder := range h.folders {
		if err := h.folderError(folder); err != nil {
			errs = append(errs, err)
		}
		for _, e := range h.contents[folder].entries {
			name := path.Join("projects", folder, e.name)
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
	if exact == nil {
		exact = begin
	}
	slices.Sort(exact)
	return exact, errs
}
