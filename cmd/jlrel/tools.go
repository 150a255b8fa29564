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

// A toolCall is a call of a tool.
type toolCall struct {
	half
	call, name record.Raw // its id and the name of its tool
	stops      string     // the id of the task that it is to stop, "" if it is not such a call
}

// link returns the link of the call as long as it has no result.
func (c *toolCall) link() *record.ToolLink {
	return &record.ToolLink{
		Link: "tool", ID: c.call, Name: c.name, From: c.id, Line: c.number(), State: "unanswered", Logs: c.logs(&c.pos),
	}
}

// A toolResult is the result of a call.
type toolResult struct {
	half
	outcome relation.Outcome
}

// callsIn takes the tool calls in an entry.
func (l *linker) callsIn(e *entry.Entry, at pos) {
	for b := range shape.Blocks(shape.Content(e)) {
		if !b.IsCall() {
			continue
		}
		id := string(b.ID.Text())
		if id == "" || l.tools.isMatched(id) { // a replayed call has its result
			continue
		}
		call := &toolCall{l.half(at), raw(b.ID), raw(b.Name), string(relation.StoppedTask(&b).Text())}
		if result, ok := l.tools.call(id, call); ok {
			l.matchPair(id, call, result)
		}
	}
}

// resultsIn takes the tool results in an entry.
func (l *linker) resultsIn(e *entry.Entry, at pos) {
	for o := range relation.Outcomes(e) {
		id := string(o.Call.Text())
		if id == "" || l.tools.isMatched(id) {
			continue
		}
		if _, waits := l.tools.waitingCall(id); !waits { // the result outlives the entry
			o.Saved = nil
			o = o.Clone()
		}
		result := &toolResult{l.half(at), o}
		if call, ok := l.tools.result(id, result); ok {
			l.matchPair(id, call, result)
		}
	}
}

// matchPair takes a call and its result, whichever came first.
func (l *linker) matchPair(id string, call *toolCall, result *toolResult) {
	link := call.link()
	link.To, link.ToLine, link.State, link.Logs = result.id, result.number(), "", call.logs(&result.pos)
	l.print(link)
	o := &result.outcome
	l.agent(id, call, o)
	l.workflow(call, o)
	l.began(call.call, o.Began, call.pos)
	switch {
	case call.stops != "" && !o.Failed:
		l.ended(call.stops, &taskEnd{result.half, record.Text("stopped"), nil})
	case o.Ended != nil: // when its output was asked for, it had ended
		l.ended(string(o.Ended.Text()), &taskEnd{result.half, raw(o.Status), nil})
	}
}

// agent prints the link from a call to the log of the agent that it began, if it began one.
func (l *linker) agent(id string, call *toolCall, o *relation.Outcome) {
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
	l.markDone("agent", name)
	path, state := l.agentLog(name)
	l.print(call.agentLink(agent, by, path, state))
}

// agentLink returns the link from a call to the log of an agent at a path.
func (c *toolCall) agentLink(agent record.Raw, by, path, state string) *record.AgentLink {
	return &record.AgentLink{
		Link: "agent", ID: c.call, From: c.id, Line: c.number(), AgentID: agent, By: by, Path: record.Text(path), State: state,
		Logs: c.logs(&c.pos),
	}
}

// workflow prints the links from a call to the logs of the agents that ran in the workflow that it
// began.
func (l *linker) workflow(call *toolCall, o *relation.Outcome) {
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
		if !l.isDone("agent", agent) {
			l.print(new(toolCall).agentLink(record.Text(agent), "parent", l.agents[agent], present))
		}
	}
}

func (c *toolCall) printOpen(l *linker) {
	l.print(c.link())
	l.agent(string(entry.Value(c.call).Text()), c, &relation.Outcome{})
}

func (r *toolResult) printOpen(l *linker) {
	l.print(&record.ToolLink{
		Link: "tool", ID: raw(r.outcome.Call), To: r.id, ToLine: r.number(), State: "no call", Logs: r.logs(&r.pos),
	})
}
