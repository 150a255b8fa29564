package main

import (
	"jl/internal/entry"
	"jl/internal/record"
	"jl/internal/relation"
)

// A task is a run of a background task, and its link if it has not ended.
type task struct {
	half
	link record.TaskLink
}

// A taskEnd is the end of a background task, and the entry that reports it.
type taskEnd struct {
	half
	status, output record.Raw
}

func (t *task) printOpen(l *linker) { l.print(&t.link) }

func (*taskEnd) printOpen(*linker) {} // what began it is in no log

// began takes a task that a call left running, which the entry at a pos reports.
func (l *linker) began(call record.Raw, t relation.Task, at pos) {
	id := string(t.ID.Text())
	if t.ID == nil || !l.isRun(string(entry.Value(call).Text()), id) {
		return
	}
	run := &task{l.half(at), record.TaskLink{
		Link: "task", ID: call, From: at.id, Line: at.line, Task: raw(t.ID), Of: record.Text(t.Of), Output: raw(t.Output),
		State: "not ended", Logs: at.logs(&at),
	}}
	if end, ok := l.tasks.call(id, run); ok {
		l.task(run, end)
	}
}

// isRun reports whether a call began a run of a task that is not known yet, and marks
// it. An agent may be resumed: it has the same id in each of its runs, but each run has
// its own call. An entry that does not name the call is about the first run.
func (l *linker) isRun(call, task string) bool {
	again := l.markDone("run", call+"\x00"+task)
	if !l.markDone("task", task) {
		return true
	}
	_, runs := l.tasks.waitingCall(task)
	return !again && call != "" && !runs && !l.isDone("run", "\x00"+task)
}

// ended takes the first report of the end of a task.
func (l *linker) ended(id string, end *taskEnd) {
	if run, ok := l.tasks.firstResult(id, end); ok {
		l.task(run, end)
	}
}

// task prints the link from a call to a task that has ended.
func (l *linker) task(run *task, end *taskEnd) {
	link := &run.link
	link.State, link.TaskEnd = "ended", &record.TaskEnd{Status: end.status, To: end.id, ToLine: end.line}
	link.Logs = run.logs(&end.pos)
	if link.Output == nil {
		link.Output = end.output
	}
	l.print(link)
}
