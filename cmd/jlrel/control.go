package main

import (
	"jl/internal/record"
	"jl/internal/relation"
)

// A control is a control request, or an answer to one, and its link without the other.
type control struct {
	half
	link record.ControlLink
	name record.Raw // how an answer ends the request
}

// request takes a request. One that has the id of an earlier one takes its place.
func (l *linker) request(c relation.Control, at pos) {
	id := string(c.ID.Text())
	if before, ok := l.controls.waitingCall(id); ok {
		l.print(&before.link)
	}
	request := &control{half: l.half(at), link: record.ControlLink{
		Link: "control", ID: raw(c.ID), Name: raw(c.Name), Line: at.number(), State: record.Text("unanswered"), Logs: at.logs(&at),
	}}
	if answer, ok := l.controls.call(id, request); ok {
		l.answered(request, answer)
	}
}

// answer takes the first answer to a request; more may come if it was cancelled.
func (l *linker) answer(c relation.Control, at pos) {
	answer := &control{half: l.half(at), name: raw(c.Name), link: record.ControlLink{
		Link: "control", ID: raw(c.ID), ToLine: at.number(), State: record.Text("no request"), Logs: at.logs(&at),
	}}
	if request, ok := l.controls.firstResult(string(c.ID.Text()), answer); ok {
		l.answered(request, answer)
	}
}

// answered prints the link from a request to its answer.
func (l *linker) answered(request, answer *control) {
	link := &request.link
	link.ToLine, link.State, link.Logs = answer.link.ToLine, answer.name, request.logs(&answer.pos)
	l.print(link)
}

func (c *control) printOpen(l *linker) {
	if string(c.name) != `"cancelled"` { // else nothing was asked
		l.print(&c.link)
	}
}
