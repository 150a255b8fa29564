package main

import (
	"jl/internal/record"
	"jl/internal/shape"
)

// A control is a control request, or an answer to one.
type control struct {
	half
	id, name record.Raw
}

// request takes a request. One that has the id of an earlier one takes its place.
func (l *linker) request(c shape.Control, at pos) {
	id := string(c.ID.Text())
	if before, ok := l.controls.WaitingCall(id); ok {
		l.control(before, nil)
	}
	request := &control{l.half(at), raw(c.ID), raw(c.Name)}
	if answer, ok := l.controls.Call(id, request); ok {
		l.control(request, answer)
	}
}

// answer takes the first answer to a request; more may come if it was cancelled.
func (l *linker) answer(c shape.Control, at pos) {
	answer := &control{l.half(at), raw(c.ID), raw(c.Name)}
	if request, ok := l.controls.FirstResult(string(c.ID.Text()), answer); ok {
		l.control(request, answer)
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
