package main

import (
	"jl/internal/record"
	"jl/internal/shape"
)

// A control is a control request without an answer so far, or an answer without a
// request.
type control struct {
	open
	id, name record.Raw
}

// request takes a request. One that has the id of an earlier one takes its place.
func (l *linker) request(c shape.Control, at pos) {
	id := string(c.ID.Text())
	request := &control{l.open(at), raw(c.ID), raw(c.Name)}
	if answer := l.answers[id]; answer != nil {
		delete(l.answers, id)
		l.markDone("control", id)
		l.control(request, answer)
		return
	}
	if before := l.requests[id]; before != nil {
		l.control(before, nil)
	}
	l.requests[id] = request
}

// answer takes the first answer to a request; more may come if it was cancelled.
func (l *linker) answer(c shape.Control, at pos) {
	id := string(c.ID.Text())
	if request := l.requests[id]; request != nil {
		delete(l.requests, id)
		l.markDone("control", id)
		l.control(request, &control{open{at, 0}, raw(c.ID), raw(c.Name)})
	} else if l.answers[id] == nil && !l.isDone("control", id) {
		l.answers[id] = &control{l.open(at), raw(c.ID), raw(c.Name)}
	}
}

// control prints the link from a request to its answer, which is nil if there is none.
func (l *linker) control(request, answer *control) {
	row := &record.ControlLink{
		Link: "control", ID: request.id, Name: request.name, Line: request.number(), State: record.Text("unanswered"),
		Logs: request.logs(&request.pos),
	}
	if answer != nil {
		row.ToLine, row.State, row.Logs = answer.number(), answer.name, request.logs(&answer.pos)
	}
	l.print(row)
}

func (l *linker) withoutRequest(answer *control) {
	l.print(&record.ControlLink{
		Link: "control", ID: answer.id, ToLine: answer.number(), State: record.Text("no request"), Logs: answer.logs(&answer.pos),
	})
}
