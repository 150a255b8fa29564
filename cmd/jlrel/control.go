package main

import (
	"jl/internal/record"
	"jl/internal/relation"
)

// A control is a control request, or an answer to one, without the other.
type control struct {
	pos
	order    int
	link     record.ControlLink
	isAnswer bool
	name     record.Raw // how the answer ends the request
}

// control takes a request, or an answer to one. A request that has the id of an earlier one takes its
// place. Of several answers the first counts; more may come if the request was cancelled.
func (l *linker) control(c relation.Control, at pos) {
	id := string(c.ID.Text())
	before, again := l.controls[id]
	if c.IsAnswer && again && (before == nil || before.isAnswer) {
		return
	}
	half := &control{
		pos: at, order: l.next(), isAnswer: c.IsAnswer,
		link: record.ControlLink{Link: "control", ID: raw(c.ID), State: record.Text("unanswered"), Logs: at.logs(&at)},
	}
	if c.IsAnswer {
		half.name, half.link.ToLine, half.link.State = raw(c.Name), at.number(), record.Text("no request")
	} else {
		half.link.Name, half.link.Line = raw(c.Name), at.number()
	}
	if before == nil || before.isAnswer == half.isAnswer {
		if before != nil {
			l.print(&before.link)
		}
		l.controls[id] = half
		return
	}
	request, answer := before, half
	if before.isAnswer {
		request, answer = half, before
	}
	link := request.link
	link.ToLine, link.State, link.Logs = answer.link.ToLine, answer.name, request.logs(&answer.pos)
	l.print(&link)
	l.controls[id] = nil
}
