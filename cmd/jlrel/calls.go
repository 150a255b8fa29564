package main

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"jl/internal/entry"
	"jl/internal/record"
	"jl/internal/relation"
	"jl/internal/shape"
)

// A half is one end of a link that waits for the other: the call of a tool or its result, or a control
// request on a stream or its answer. The zero half stands for an end that the log lacks.
type half struct {
	pos
	order      int
	call, name record.Raw        // the id of the call and the name of its tool; those of a request, or how its answer ends it
	control    bool              // it is a request or an answer
	answers    bool              // it is a result or an answer
	stops      string            // the id of the task that a call is to stop, "" if it is not such a call
	outcome    *relation.Outcome // of a result
}

// halves takes the calls or the results in an entry, and the request or the answer that it is.
func (l *linker) halves(e *entry.Entry, at pos) {
	switch typ := e.Get(entry.Type); {
	case typ.Is("assistant"):
		for b := range shape.Blocks(shape.Content(e)) {
			if b.IsCall() {
				l.half(&half{pos: at, call: raw(b.ID), name: raw(b.Name), stops: string(relation.StoppedTask(&b).Text())})
			}
		}
	case typ.Is("user"), typ.Is("tool_result"):
		for o := range relation.Outcomes(e) {
			l.half(&half{pos: at, call: raw(o.Call), answers: true, outcome: &o})
		}
	}
	if c := relation.ControlOf(e); c.ID != nil {
		l.half(&half{pos: at, control: true, call: raw(c.ID), name: raw(c.Name), answers: c.IsAnswer})
	}
}

// half takes one end of a link. It waits for the other, a call in place of an earlier one with its id. Of
// several answers the first counts, as more may come to a request that was cancelled. What replays one of a
// pair is passed over.
func (l *linker) half(h *half) {
	h.order = l.next()
	key := string(entry.Value(h.call).Text())
	if key == "" {
		return
	}
	if h.control {
		key = "control " + key
	}
	other, again := l.waiting[key]
	switch {
	case again && (other == nil || h.answers && other.answers):
	case other == nil || other.answers == h.answers:
		if h.control && other != nil {
			l.pair(other, &half{})
		}
		if h.outcome != nil { // it outlives the entry
			o := h.outcome.Clone()
			h.outcome = &o
		}
		l.waiting[key] = h
	default:
		l.waiting[key] = nil
		if h.answers {
			other, h = h, other
		}
		l.pair(h, other)
	}
}

// pair prints the link of a call and its result, or of a request and its answer, and what follows from it.
// One of them may be missing.
func (l *linker) pair(call, result *half) {
	one, state := call, ""
	if call.line == 0 {
		one, state = result, "no call"
	} else if result.line == 0 {
		state = "unanswered"
	}
	if one.control {
		row := &record.ControlLink{
			Link: "control", ID: one.call, Name: call.name, Line: call.number(), ToLine: result.number(),
			State: record.Text(state), Logs: logs(call.pos, result.pos),
		}
		switch state {
		case "":
			row.State = result.name
		case "no call":
			row.State = record.Text("no request")
		}
		l.print(row)
		return
	}
	l.print(&record.ToolLink{
		Link: "tool", ID: one.call, Name: call.name, From: call.id, Line: call.number(), To: result.id, ToLine: result.number(),
		State: state, Logs: logs(call.pos, result.pos),
	})
	if call.line == 0 {
		return
	}
	o := cmp.Or(result.outcome, new(relation.Outcome))
	l.agentsOf(call, o)
	l.began(call.call, o.Began, call.pos)
	switch {
	case call.stops != "" && result.line != 0 && !o.Failed:
		l.ended(call.stops, &taskEnd{result.pos, record.Text("stopped"), nil})
	case o.Ended != nil: // when its output was asked for, it had ended
		l.ended(string(o.Ended.Text()), &taskEnd{result.pos, raw(o.Status), nil})
	}
}

// agentsOf prints the links from a call to the log of the agent that it began, and to those of the agents
// that ran in the workflow that it began.
func (l *linker) agentsOf(call *half, o *relation.Outcome) {
	agent, by := raw(o.Agent), "toolUseResult"
	if agent == nil {
		agent, by = l.calls[string(entry.Value(call.call).Text())], "meta"
	}
	if agent == nil && (string(call.name) == `"Task"` || string(call.name) == `"Agent"`) {
		agent, by = raw(o.QuotedAgent), "text"
	}
	if agent != nil {
		name := string(entry.Value(agent).Text())
		l.agentsSeen[name] = true
		path, state := l.agentLog(name)
		l.printAgent(call, agent, by, path, state)
	}
	if o.Run == nil || l.id == "" {
		return
	}
	inside := "/workflows/" + string(o.Run.Text()) + "/"
	for _, agent := range slices.Sorted(maps.Keys(l.agents)) {
		if strings.Contains(l.agents[agent], inside) {
			l.printAgent(call, record.Text(agent), "workflow", l.agents[agent], present)
		}
	}
}

// printAgent prints the link from a call to the log of an agent at a path.
func (l *linker) printAgent(call *half, agent record.Raw, by, path, state string) {
	l.print(&record.AgentLink{
		Link: "agent", ID: call.call, From: call.id, Line: call.number(), AgentID: agent, By: by, Path: record.Text(path), State: state,
		Logs: record.Logs{File: call.file},
	})
}

// A task is what is known of a background task, in all its runs.
type task struct {
	calls map[string]bool // that began a run; "" if an entry that names none told of one
	ended bool            // a run has ended
	end   *taskEnd        // the first, if what began it is not known

	// These describe the current run:
	pos
	order int
	link  *record.TaskLink // nil if none does
}

// A taskEnd is the end of a background task, and the entry that reports it.
type taskEnd struct {
	pos
	status, output record.Raw
}

// taskOf returns the task of an id.
func (l *linker) taskOf(id string) *task {
	if l.tasks[id] == nil {
		l.tasks[id] = &task{calls: map[string]bool{}}
	}
	return l.tasks[id]
}

// began takes a task that a call left running, which the entry at a pos reports. An agent may be resumed: it
// has the same id in each of its runs, but each run has its own call. An entry that does not name the call
// is about the first run.
func (l *linker) began(call record.Raw, t relation.Task, at pos) {
	if t.ID == nil {
		return
	}
	run, by := l.taskOf(string(t.ID.Text())), string(entry.Value(call).Text())
	resumed := by != "" && !run.calls[by] && !run.calls[""] && run.link == nil
	run.calls[by] = true
	if (run.link != nil || run.ended) && !resumed {
		return
	}
	run.pos, run.order = at, l.next()
	run.link = &record.TaskLink{
		Link: "task", ID: call, From: at.id, Line: at.line, Task: raw(t.ID), Of: record.Text(t.Of), Output: raw(t.Output),
		State: "not ended", Logs: record.Logs{File: at.file},
	}
	if run.end != nil {
		l.ended(string(t.ID.Text()), run.end)
	}
}

// ended takes the first report of the end of a task, and prints the link from the call to it if that is known.
func (l *linker) ended(id string, end *taskEnd) {
	t := l.taskOf(id)
	if t.link == nil {
		if t.end == nil && !t.ended {
			t.end = end
		}
		return
	}
	t.link.State, t.link.TaskEnd = "ended", &record.TaskEnd{Status: end.status, To: end.id, ToLine: end.line}
	t.link.Logs = logs(t.pos, end.pos)
	if t.link.Output == nil {
		t.link.Output = end.output
	}
	l.print(t.link)
	t.link, t.end, t.ended = nil, nil, true
}
