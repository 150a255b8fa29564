package main

import (
	"jl/internal/entry"
	"jl/internal/record"
	"jl/internal/relation"
)

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
