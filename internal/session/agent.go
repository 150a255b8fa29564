package session

import (
	"path"
	"slices"
	"strings"
)

// LogOf returns the name in the home of a session's log, "" if it has none that is known.
// If it has several, the one that outranks the others counts.
func (h *Home) LogOf(id string) string {
	var log *Member
	for m := range h.Members(id) {
		switch {
		case m.Kind != Log: // the logs come first
			if log == nil {
				return ""
			}
			return log.Name
		case log == nil || m.Outranks(log):
			log = &m
		}
	}
	if log == nil {
		return ""
	}
	return log.Name
}

// Agents returns the names in the home of the logs of those agents whose ids are id or, if
// none is, begin with it, sorted. It looks into the directories of all sessions.
func (h *Home) Agents(id string) []string {
	if !IsElement(id) || h.readProjects() != nil {
		return nil
	}
	var exact, begin []string
	add := func(name string) {
		if _, isLog := cutLog(name); !isLog {
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
		for _, e := range h.contents[folder].entries {
			name := path.Join("projects", folder, e.name)
			if !e.dir {
				add(name)
				continue
			}
			agents := path.Join(name, "subagents")
			found, _ := h.list(agents) // what cannot be read has no agents
			for _, a := range found {
				add(path.Join(agents, a.name))
			}
		}
	}
	if exact == nil {
		exact = begin
	}
	slices.Sort(exact)
	return exact
}
