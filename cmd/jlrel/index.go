package main

import (
	"errors"
	"path"

	"jl/internal/record"
	"jl/internal/relation"
	"jl/internal/session"
)

// A memberIndex has the members of one session that its records refer to.
type memberIndex struct {
	id      string
	logs    []string              // names of its log and those of its agents that can be read
	hasLog  bool                  // there are some, whether they can be read or not
	folders []string              // of its logs
	agents  map[string]string     // paths of logs, by the id of the agent
	calls   map[string]record.Raw // ids of agents, by the id of the call that their metadata name
	hidden  bool                  // some may be in a directory that cannot be read
}

// A resolver finds the files that records refer to.
type resolver struct {
	*printer
	indexes     map[string]*memberIndex // by session
	memberIndex                         // of the session whose records are read
}

func newResolver(p *printer) *resolver {
	return &resolver{printer: p, indexes: map[string]*memberIndex{}}
}

// enter makes id the session whose records are read.
func (r *resolver) enter(id string) {
	if r.h == nil || id == "" || id == r.id {
		return
	}
	if r.indexes[id] == nil {
		r.indexes[id] = r.index(id)
	}
	r.memberIndex = *r.indexes[id]
}

// index looks at the members of a session. It reports those that cannot be read.
func (r *resolver) index(id string) *memberIndex {
	ix := &memberIndex{id: id, agents: map[string]string{}, calls: map[string]record.Raw{}}
	for m, err := range r.h.Members(id) {
		if err != nil {
			r.report(err)
			place, ok := errors.AsType[*session.PlaceError](err)
			ix.hidden = ix.hidden || ok && place.Kind == session.Other
			continue
		}
		r.troubled(&m)
		if m.Kind == session.Log || m.Kind == session.Agent {
			ix.hasLog = true
			if m.Err == nil {
				ix.logs = append(ix.logs, m.Name)
			}
		}
		ix.hidden = ix.hidden || m.Err != nil && m.Kind == session.Other
		switch m.Kind {
		case session.Log:
			ix.folders = append(ix.folders, path.Dir(m.Name))
		case session.Agent:
			ix.agents[m.Agent] = m.Path()
		case session.AgentMeta:
			if call := r.callOf(&m); call != "" {
				ix.calls[call] = record.Text(m.Agent)
			}
		}
	}
	return ix
}

// callOf returns the id of the call that an agent's metadata name, "" if they name none.
func (r *resolver) callOf(meta *session.Member) string {
	if meta.Err != nil {
		return ""
	}
	object, err := r.h.ReadObject(meta.Name)
	if err != nil {
		r.fail(r.h.Path(meta.Name), err)
	}
	return string(relation.ToolUseOf(object).Text())
}

// agent returns the path of the log of an agent and its state, "" if none is found.
func (r *resolver) agent(id string) (path, state string) {
	if log := r.agents[id]; log != "" {
		return log, present
	}
	for _, folder := range r.folders {
		if log := r.h.OldAgent(folder, id); log.Name != "" {
			r.troubled(&log)
			return log.Path(), present
		}
	}
	if r.hidden || r.h == nil || r.id == "" { // jlrel cannot look for it
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

func (r *resolver) state(name string) string {
	m := r.h.Stat(name)
	r.troubled(&m)
	switch {
	case m.Missing:
		return missing
	case m.Err != nil && (m.Time.IsZero() || session.IsSkipped(m.Err)):
		return unknown
	}
	return present
}

// backup returns the path of a backup and its state, "" if no backup can have the name.
func (r *resolver) backup(name string) (path, state string) {
	if !session.IsBackup(name) {
		return "", present
	}
	inside := session.Backup(r.id, name)
	if inside == "" || r.h == nil {
		return "", unknown
	}
	return r.h.Path(inside), r.state(inside)
}

// log returns the path of the log of a session and its state, "" if none is found.
func (r *resolver) log(id string) (path, state string) {
	if r.h == nil {
		return "", unknown
	}
	logs, errs := r.h.LogsOf(id)
	r.reportAll(errs)
	switch {
	case len(logs) > 0:
		r.troubled(&logs[0])
		return logs[0].Path(), present
	case len(errs) > 0:
		return "", unknown
	}
	return "", missing
}
