package main

import (
	"maps"
	"slices"
	"strings"

	"jl/internal/entry"
	"jl/internal/record"
	"jl/internal/relation"
	"jl/internal/shape"
)

// A tool is a call of a tool without its result, or a result without its call.
type tool struct {
	pos
	order      int
	call, name record.Raw        // the id of the call and the name of its tool
	stops      string            // the id of the task that it is to stop, "" if it is not such a call
	outcome    *relation.Outcome // nil if it is a call
}

// link returns the link of a call as long as it has no result.
func (t *tool) link() *record.ToolLink {
	return &record.ToolLink{
		Link: "tool", ID: t.call, Name: t.name, From: t.id, Line: t.number(), State: "unanswered", Logs: t.logs(&t.pos),
	}
}

// callsIn takes the tool calls in an entry.
func (l *linker) callsIn(e *entry.Entry, at pos) {
	for b := range shape.Blocks(shape.Content(e)) {
		if b.IsCall() {
			l.half(string(b.ID.Text()), &tool{pos: at, call: raw(b.ID), name: raw(b.Name), stops: string(relation.StoppedTask(&b).Text())})
		}
	}
}

// resultsIn takes the tool results in an entry.
func (l *linker) resultsIn(e *entry.Entry, at pos) {
	for o := range relation.Outcomes(e) {
		id := string(o.Call.Text())
		if other := l.tools[id]; other == nil || other.outcome != nil { // the result outlives the entry
			o.Saved = nil
			o = o.Clone()
		}
		l.half(id, &tool{pos: at, call: raw(o.Call), outcome: &o})
	}
}

// half takes a call or a result. It waits for the other, in place of an earlier one with its id. A replayed one
// of a pair is passed over.
func (l *linker) half(id string, t *tool) {
	other, again := l.tools[id]
	t.order = l.next()
	switch {
	case id == "" || again && other == nil:
	case other == nil || (other.outcome == nil) == (t.outcome == nil):
		l.tools[id] = t
	case t.outcome != nil:
		l.tools[id] = nil
		l.pair(id, other, t)
	default:
		l.tools[id] = nil
		l.pair(id, t, other)
	}
}

// pair takes a call and its result.
func (l *linker) pair(id string, call, result *tool) {
	link := call.link()
	link.To, link.ToLine, link.State, link.Logs = result.id, result.number(), "", call.logs(&result.pos)
	l.print(link)
	o := result.outcome
	l.agent(id, call, o)
	l.workflow(call, o)
	l.began(call.call, o.Began, call.pos)
	switch {
	case call.stops != "" && !o.Failed:
		l.ended(call.stops, &taskEnd{result.pos, record.Text("stopped"), nil})
	case o.Ended != nil: // when its output was asked for, it had ended
		l.ended(string(o.Ended.Text()), &taskEnd{result.pos, raw(o.Status), nil})
	}
}

// printOpen prints the link of a call without a result, or of a result without a call.
func (l *linker) printOpen(t *tool) {
	if t.outcome != nil {
		l.print(&record.ToolLink{Link: "tool", ID: t.call, To: t.id, ToLine: t.number(), State: "no call", Logs: t.logs(&t.pos)})
		return
	}
	l.print(t.link())
	l.agent(string(entry.Value(t.call).Text()), t, &relation.Outcome{})
}

// agent prints the link from a call to the log of the agent that it began, if it began one.
func (l *linker) agent(id string, call *tool, o *relation.Outcome) {
	agent, by := raw(o.Agent), "toolUseResult"
	if agent == nil {
		agent, by = l.calls[id], "meta"
	}
	if agent == nil && (string(call.name) == `"Task"` || string(call.name) == `"Agent"`) {
		agent, by = raw(o.QuotedAgent), "text"
	}
	if agent == nil {
		return
	}
	name := string(entry.Value(agent).Text())
	l.agentsSeen[name] = true
	path, state := l.agentLog(name)
	l.print(call.agentLink(agent, by, path, state))
}

// agentLink returns the link from a call to the log of an agent at a path.
func (t *tool) agentLink(agent record.Raw, by, path, state string) *record.AgentLink {
	return &record.AgentLink{
		Link: "agent", ID: t.call, From: t.id, Line: t.number(), AgentID: agent, By: by, Path: record.Text(path), State: state,
		Logs: t.logs(&t.pos),
	}
}

// workflow prints the links from a call to the logs of the agents that ran in the workflow that it
// began.
func (l *linker) workflow(call *tool, o *relation.Outcome) {
	if o.Run == nil || l.id == "" {
		return
	}
	inside := "/workflows/" + string(o.Run.Text()) + "/"
	for _, agent := range slices.Sorted(maps.Keys(l.agents)) {
		if strings.Contains(l.agents[agent], inside) {
			l.print(call.agentLink(record.Text(agent), "workflow", l.agents[agent], present))
		}
	}
}

// children prints the links to sub-agents that no call of the session began.
func (l *linker) children() {
	if l.h.NamesAgents() {
		return
	}
	for _, agent := range slices.Sorted(maps.Keys(l.agents)) {
		if !l.agentsSeen[agent] {
			l.print(new(tool).agentLink(record.Text(agent), "parent", l.agents[agent], present))
		}
	}
}
