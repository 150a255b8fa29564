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

// control takes a request, or an answer to one. A request that has the id of an earlier one takes its
// place. Of several answers the first counts; more may come if the request was cancelled.
func (l *linker) control(c relation.Control, at pos) {
	id := string(c.ID.Text())
	link := record.ControlLink{Link: "control", ID: raw(c.ID), Logs: at.logs(&at)}
	if c.IsAnswer {
		link.ToLine, link.State = at.number(), record.Text("no request")
		answer := &control{l.half(at), link, raw(c.Name)}
		if request, ok := l.controls.firstResult(id, answer); ok {
			l.answered(request, answer)
		}
		return
	}
	if before, ok := l.controls.waitingCall(id); ok {
		l.print(&before.link)
	}
	link.Name, link.Line, link.State = raw(c.Name), at.number(), record.Text("unanswered")
	request := &control{half: l.half(at), link: link}
	if answer, ok := l.controls.call(id, request); ok {
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
