package main

import (
	"maps"
	"slices"

	"jl/internal/record"
	"jl/internal/session"
)

// A memberIndex has the members of one session that its records refer to.
type memberIndex struct {
	id     string
	logs   []session.Member      // its logs and those of its agents
	agents map[string]string     // paths of logs, by the id of the agent
	calls  map[string]record.Raw // ids of agents, by the id of the call that their metadata name
	hidden bool                  // some may be in a directory that cannot be read
}

// enter makes id the session whose records are read.
func (l *linker) enter(id string) {
	if l.h == nil || id == "" || id == l.id {
		return
	}
	if l.indexes[id] == nil {
		l.indexes[id] = l.index(id)
	}
	l.memberIndex = l.indexes[id]
}

// index looks at the members of a session. It reports those that cannot be read.
func (l *linker) index(id string) *memberIndex {
	ix := &memberIndex{id: id, agents: map[string]string{}, calls: map[string]record.Raw{}}
	l.eachMember(session.Match{Home: l.h, ID: id}, l.h.Members(id), func(m *session.Member) {
		l.troubled(m)
		ix.hidden = ix.hidden || m.Err != nil && m.Kind == session.Other
		switch m.Kind {
		case session.Log:
			ix.logs = append(ix.logs, *m)
		case session.Agent:
			ix.logs = append(ix.logs, *m)
			ix.agents[m.Agent] = m.Path()
		case session.AgentMeta:
			if m.Err != nil {
				return
			}
			meta, err := l.h.ReadObject(m.Name)
			if err != nil {
				l.fail(m.Path(), err)
			}
			if call := meta.Member("toolUseId").NonEmpty(); call != nil {
				ix.calls[string(call.Text())] = record.Text(m.Agent)
			}
		}
	})
	return ix
}

// agentLog returns the path of the log of an agent and its state, "" if none is found.
func (l *linker) agentLog(id string) (file, state string) {
	if log := l.agents[id]; log != "" {
		return log, present
	}
	if l.h != nil {
		var logs []string
		for _, log := range l.logs {
			if log.Kind == session.Log {
				logs = append(logs, log.Name)
			}
		}
		if log := l.h.AgentLog(id, logs, slices.Sorted(maps.Keys(l.origins))); log.Name != "" {
			l.troubled(&log)
			return log.Path(), present
		}
	}
	if l.hidden || l.h == nil || l.id == "" { // jlrel cannot look for it
		return "", unknown
	}
	return "", missing
}

// The states of a file that a record names.
const (
	present = ""
	missing = "missing"
	unknown = "unknown" // it cannot be looked at, which is reported
)

// backup returns the path of a backup and its state, "" if no backup can have the name.
func (l *linker) backup(name string) (path, state string) {
	if !session.IsBackup(name) {
		return "", present
	}
	inside := session.Backup(l.id, name)
	if inside == "" || l.h == nil {
		return "", unknown
	}
	m := l.h.Stat(inside)
	l.troubled(&m)
	switch {
	case m.Missing:
		state = missing
	case m.Time.IsZero():
		state = unknown
	}
	return m.Path(), state
}

// sessionLog returns the path of the log of a session and its state, "" if none is found.
func (l *linker) sessionLog(id string) (path, state string) {
	if l.h == nil {
		return "", unknown
	}
	of := session.Match{Home: l.h, ID: id}
	logs, errs := of.LogsOf()
	l.reportAll(errs)
	switch {
	case len(logs) > 0:
		l.troubled(&logs[0])
		return logs[0].Path(), present
	case len(errs) > 0:
		return "", unknown
	}
	return "", missing
}
