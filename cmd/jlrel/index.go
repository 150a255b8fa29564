package main

import (
	"io"
	"path"

	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/session"
)

// neighbours are the files that records may refer to.
type neighbours struct {
	c    *cli.Command
	h    *session.Home
	all  map[string]*files // by session
	here *files            // those of the session that is read
	said hashes            // names of what cannot be read
}

// files are the members of one session that its records refer to.
type files struct {
	id     string
	logs   []string          // names of its log and those of its agents that can be read
	logged bool              // there are some, whether they can be read or not
	beside []string          // the folders of its logs
	agents map[string]string // paths of logs by the id of the agent
	calls  map[string]string // ids of agents by that of the call, as their metadata have it
	there  bool              // the session has members at all
}

func newNeighbours(c *cli.Command, h *session.Home) *neighbours {
	return &neighbours{c: c, h: h, all: map[string]*files{}, here: &files{}, said: hashes{}}
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

// learn looks at the members of a session. It says which cannot be read.
func (n *neighbours) learn(id string) *files {
	f := &files{id: id, agents: map[string]string{}, calls: map[string]string{}}
	for m := range n.h.Members(id) {
		n.say(m)
		f.there = f.there || !m.Shared()
		if (m.Kind == session.Log || m.Kind == session.Agent) && !isSkipped(m.Err) {
			f.logged = true
			if m.Err == nil {
				f.logs = append(f.logs, m.Name)
			}
		}
		agent := session.AgentID(m.Name)
		switch m.Kind {
		case session.Log:
			f.beside = append(f.beside, path.Dir(m.Name))
		case session.Agent:
			f.agents[agent] = n.h.Path(m.Name)
		case session.AgentMeta:
			if call := n.callOf(&m); call != "" {
				f.calls[call] = agent
			}
		}
	}
	for _, m := range n.h.Unread() {
		n.say(m)
	}
	return f
}

// callOf returns the id of the call that an agent's metadata name.
func (n *neighbours) callOf(meta *session.Member) string {
	if meta.Err != nil {
		return ""
	}
	const most = 1 << 20
	var b []byte
	f, err := n.h.Open(meta.Name)
	if err == nil {
		defer f.Close()
		b, err = io.ReadAll(io.LimitReader(f, most))
	}
	if err != nil {
		sayError(n.c, n.h.Path(meta.Name), cause(err))
	}
	if !entry.Valid(b) {
		return ""
	}
	return str(b, "toolUseId")
}

// known reports whether the home has anything of the session, so that what is not
// found is missing.
func (n *neighbours) known() bool { return n.here.there }

// agent returns the path of the log of an agent, "" if there is none.
func (n *neighbours) agent(id string) string {
	if name := n.here.agents[id]; name != "" {
		return name
	}
	for _, folder := range n.here.beside {
		for _, name := range besideNames(folder, id) {
			if n.stat(name) != gone {
				return n.h.Path(name)
			}
		}
	}
	return ""
}

// The states of a file that a record names, "" if it is there.
const (
	gone    = "missing"
	unknown = "unknown" // it cannot be looked at, which is said
)

func (n *neighbours) stat(name string) (state string) {
	m := n.h.Stat(name)
	if m.Missing {
		return gone
	}
	n.say(m)
	if m.Err != nil && m.Time.IsZero() && !isSkipped(m.Err) {
		return unknown
	}
	return ""
}

// say says that a member cannot be read, once.
func (n *neighbours) say(m session.Member) {
	if m.Err != nil && n.said.add(m.Name) {
		sayTrouble(n.c, n.h, &member{Member: m})
	}
}

// byCall returns the id of the agent whose metadata name a call.
func (n *neighbours) byCall(id string) string { return n.here.calls[id] }

// backup returns the path of a backup, "" if the name is none or nothing is known of
// the session, and its state.
func (n *neighbours) backup(name string) (path, state string) {
	inside := session.Backup(n.here.id, name)
	if !n.here.there || inside == "" {
		return "", ""
	}
	return n.h.Path(inside), n.stat(inside)
}

// log returns the path of the log of a session, "" if there is none.
func (n *neighbours) log(id string) (string, bool) {
	if n.h == nil {
		return "", false
	}
	var log *session.Member
	for m := range n.h.Members(id) {
		n.say(m)
		if m.Kind != session.Log {
			break
		}
		if log == nil || counts(&m, log) {
			log = &m
		}
	}
	if log == nil {
		return "", false
	}
	return n.h.Path(log.Name), true
}
