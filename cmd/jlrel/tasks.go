package main

import (
	"cmp"

	"jl/internal/entry"
)

// An ending of a background task, and where it is said.
type ending struct {
	place
	status, output string
}

// launched takes a task that a call left running.
func (l *linker) launched(call *open, begun launch) error {
	if begun.task == "" || !l.isRun(call.id, begun.task) {
		return nil
	}
	task := &open{id: call.id, place: call.place, order: l.next(), launch: begun}
	return l.running(task)
}

// isRun reports whether a call began a run of a task that is not known yet, and marks
// it. An agent may be resumed: it has the same id in each of its runs, but a call of
// its own. What does not tell its call is of the first run.
func (l *linker) isRun(call, task string) bool {
	again := l.finished("run", call+"\x00"+task)
	if !l.finished("task", task) {
		return true
	}
	return !again && call != "" && l.tasks[task] == nil && !l.isDone("run", "\x00"+task)
}

// running takes a task that runs, or has already ended.
func (l *linker) running(task *open) error {
	if end, ok := l.ends[task.task]; ok {
		delete(l.ends, task.task)
		return l.task(task, &end)
	}
	l.tasks[task.task] = task
	return nil
}

// started takes what a stream says of the beginning of a task.
func (l *linker) started(e *entry.Entry, p place) error {
	v := entry.Value(e.Bytes)
	begun := launch{task: str(v, "task_id"), of: taskTypes[str(v, "task_type")], output: str(v, "output_file")}
	call := str(v, "tool_use_id")
	if !v.Member("is_backgrounded").Truthy() || begun.task == "" || !l.isRun(call, begun.task) {
		return nil
	}
	return l.running(&open{id: call, place: p, order: l.next(), launch: begun})
}

// endings takes what an entry says of the end of tasks.
func (l *linker) endings(e *entry.Entry, p place) error {
	for n := range noticesOf(e) {
		if err := l.ended(n.task, ending{p, n.status, n.output}); err != nil {
			return err
		}
	}
	return nil
}

// stopped takes what the result of a call says of the end of a task: that it was
// stopped, or, when its output was asked for, that it had ended.
func (l *linker) stopped(call *open, o outcome, p place) error {
	if task := l.stops[call.id]; task != "" {
		delete(l.stops, call.id)
		if !o.failed {
			return l.ended(task, ending{p, "stopped", ""})
		}
	}
	if o.ended != "" {
		return l.ended(o.ended, ending{p, o.status, ""})
	}
	return nil
}

// ended takes the first word of the end of a task.
func (l *linker) ended(id string, end ending) error {
	if task := l.tasks[id]; task != nil {
		delete(l.tasks, id)
		return l.task(task, &end)
	}
	if _, known := l.ends[id]; !known && !l.isDone("task", id) {
		l.ends[id] = end
	}
	return nil
}

func (l *linker) task(task *open, end *ending) error {
	r := l.begin("task")
	r.str("id", task.id)
	r.from(task.place)
	r.str("task", task.task)
	r.text("of", task.of)
	if end == nil {
		r.text("output", task.output)
		r.str("state", "not ended")
		return l.print(task.file, task.file)
	}
	r.text("output", cmp.Or(task.output, end.output))
	r.str("state", "ended")
	r.text("status", end.status)
	r.to(end.place)
	return l.print(task.file, end.file)
}
