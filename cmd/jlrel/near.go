package main

import (
	"io"
	"path"

	"jl/internal/entry"
	"jl/internal/session"
)

// neighbours are the files that records may refer to.
type neighbours struct {
	h    *session.Home
	all  map[string]*files // by session
	here *files            // those of the session that is read
}

// files are the members of one session that its records refer to.
type files struct {
	id     string
	agents map[string]string // paths of logs by the id of the agent
	calls  map[string]string // ids of agents by that of the call, as their metadata have it
	there  bool              // the session has members at all
}

func newNeighbours(h *session.Home) *neighbours {
	return &neighbours{h: h, all: map[string]*files{}, here: &files{}}
}

// session says that what follows is of the session id.
func (n *neighbours) session(id string) {
	if n.h == nil || id == "" || id == n.here.id {
		return
	}
	if n.all[id] == nil {
		n.all[id] = n.learn(id)
	}
	n.here = n.all[id]
}

func (n *neighbours) learn(id string) *files {
	f := &files{id: id, agents: map[string]string{}, calls: map[string]string{}}
	for m := range n.h.Members(id) {
		f.there = f.there || !m.Shared()
		agent := session.AgentID(m.Name)
		switch m.Kind {
		case session.Agent:
			f.agents[agent] = n.h.Path(m.Name)
		case session.AgentMeta:
			if call := n.callOf(m.Name); call != "" {
				f.calls[call] = agent
			}
		}
	}
	return f
}

// callOf returns the id of the call that an agent's metadata name.
func (n *neighbours) callOf(name string) string {
	f, err := n.h.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	const most = 1 << 20
	b, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil || !entry.Valid(b) {
		return ""
	}
	return str(b, "toolUseId")
}

// known reports whether the home has anything of the session, so that what is not
// found is missing.
func (n *neighbours) known() bool { return n.here.there }

// agent returns the path of the log of an agent, "" if there is none.
func (n *neighbours) agent(id string) string { return n.here.agents[id] }

// byCall returns the id of the agent whose metadata name a call.
func (n *neighbours) byCall(id string) string { return n.here.calls[id] }

// backup returns the path of a backup, "" if the name is none or nothing is known of
// the session, and whether it is there.
func (n *neighbours) backup(name string) (string, bool) {
	if !n.here.there || !backupName.MatchString(name) {
		return "", false
	}
	m := n.h.Stat(path.Join("file-history", n.here.id, name))
	return n.h.Path(m.Name), !m.Missing
}

// log returns the path of the log of a session, "" if there is none.
func (n *neighbours) log(id string) (string, bool) {
	if n.h == nil {
		return "", false
	}
	for m := range n.h.Members(id) {
		if m.Kind == session.Log {
			return n.h.Path(m.Name), true
		}
		break
	}
	return "", false
}
