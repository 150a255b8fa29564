package main

import "jl/internal/entry"

func (l *linker) request(e *entry.Entry, p place) error {
	v := entry.Value(e.Bytes)
	request := &open{id: str(v, "request_id"), name: str(v.Member("request"), "subtype"), place: p, order: l.next()}
	if answer := l.answers[request.id]; answer != nil {
		delete(l.answers, request.id)
		l.finished("control", request.id)
		return l.control(request, answer.name, answer.place)
	}
	if before := l.requests[request.id]; before != nil {
		if err := l.control(before, "unanswered", place{}); err != nil {
			return err
		}
	}
	l.requests[request.id] = request
	return nil
}

func (l *linker) response(e *entry.Entry, p place) error {
	v := entry.Value(e.Bytes).Member("response")
	return l.answer(str(v, "request_id"), str(v, "subtype"), p)
}

func (l *linker) cancelled(e *entry.Entry, p place) error {
	return l.answer(str(entry.Value(e.Bytes), "request_id"), "cancelled", p)
}

// answer takes the first answer to a request; more may come when it was cancelled.
func (l *linker) answer(id, state string, p place) error {
	if request := l.requests[id]; request != nil {
		delete(l.requests, id)
		l.finished("control", id)
		return l.control(request, state, p)
	}
	if l.answers[id] == nil && !l.isDone("control", id) {
		l.answers[id] = &open{id: id, name: state, place: p, order: l.next()}
	}
	return nil
}

func (l *linker) control(request *open, state string, answer place) error {
	r := l.begin("control")
	r.str("id", request.id)
	r.text("name", request.name)
	r.place("line", request.place)
	r.place("toLine", answer)
	r.str("state", state)
	return l.print(request.file, answer.file)
}

// place adds a line, or null if there is none.
func (r *row) place(name string, p place) {
	if p.line == 0 {
		r.null(name)
		return
	}
	r.num(name, p.line)
}
