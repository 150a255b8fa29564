package main

import (
	"jl/internal/entry"
	"jl/internal/record"
	"jl/internal/shape"
)

// A task is a background task that runs, and where it began.
type task struct {
	half
	call record.Raw // the id of the call that left it running
	shape.Task
}

// A taskEnd is the end of a background task, and the entry that reports it.
type taskEnd struct {
	pos
	status, output record.Raw
}

// launched takes a task that a call left running.
func (l *linker) launched(call *toolCall, t shape.Task) {
	if t.ID != nil && l.isRun(call.id, t.ID) {
		l.running(&task{l.half(call.pos), call.id, t})
	}
}

// begun takes a task whose beginning a stream reports.
func (l *linker) begun(t shape.Task, call entry.Value, at pos) {
	if id := raw(call); l.isRun(id, t.ID) {
		l.running(&task{l.half(at), id, t})
	}
}

// isRun reports whether a call began a run of a task that is not known yet, and marks
// it. An agent may be resumed: it has the same id in each of its runs, but each run has
// its own call. An entry that does not name the call is about the first run.
func (l *linker) isRun(call record.Raw, id entry.Value) bool {
	by, task := string(entry.Value(call).Text()), string(id.Text())
	again := l.markDone("run", by+"\x00"+task)
	if !l.markDone("task", task) {
		return true
	}
	_, runs := l.tasks.WaitingCall(task)
	return !again && by != "" && !runs && !l.isDone("run", "\x00"+task)
}

// running takes a task that runs, or has already ended.
func (l *linker) running(t *task) {
	id := string(t.ID.Text())
	t.ID, t.Output = entry.Value(raw(t.ID)), entry.Value(raw(t.Output)) // copies, which outlive the entry
	if end, ok := l.tasks.Call(id, t); ok {
		l.task(t, end)
	}
}

// ended takes the first report of the end of a task.
func (l *linker) ended(id string, end *taskEnd) {
	if t, ok := l.tasks.FirstResult(id, end); ok {
		l.task(t, end)
	}
}

// task prints the link from a call to a task, whose end is nil if it has not ended.
func (l *linker) task(t *task, end *taskEnd) {
	row := &record.TaskLink{
		Link: "task", ID: t.call, From: t.id, Line: t.line, Task: record.Raw(t.ID), Of: record.Text(t.Of), Output: record.Raw(t.Output),
		State: "not ended", Logs: t.logs(&t.pos),
	}
	if end != nil {
		row.State, row.TaskEnd = "ended", &record.TaskEnd{Status: end.status, To: end.id, ToLine: end.line}
		row.Logs = t.logs(&end.pos)
		if row.Output == nil {
			row.Output = end.output
		}
	}
	l.print(row)
}
