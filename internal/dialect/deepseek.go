package dialect

import (
	"bytes"
	"slices"

	"jl/internal/entry"
)

var deepSeek = row{
	name: "DeepSeek", facts: list | noIDs, names: ids, time: "time", unit: 1e3,
	fits:     func(e *entry.Entry, _ bool) bool { return isDeepSeekHeader(e) || isDeepSeekPart(e) },
	header:   isDeepSeekHeader,
	messages: []string{"user/message", "assistant/message", "tool/result"}, others: []string{},
	boundary: func(e *entry.Entry) bool { return e.Member("surfaceOp").IsObject() }, step: deepSeekStep,
	title: deepSeekTitle,
}

func isDeepSeekHeader(e *entry.Entry) bool {
	return isPiSession(e) && e.Member("createdAt").IsNumber()
}

func isDeepSeekPart(e *entry.Entry) bool {
	_, hasSeq := e.Member("seq").Int()
	t := e.Get(entry.Type).Text()
	return hasSeq && bytes.IndexByte(t, '/') >= 0 && e.Member("data") != nil ||
		bytes.HasSuffix(t, []byte("-chunks")) && e.Member("seq0") != nil
}

// deepSeekStep keeps the surface, the events that the model sees. An event joins it or
// replaces a stretch of it. The log is cut above the surface once the stretch began with the
// first event: then nothing before that is on it.
func deepSeekStep(t *Thread, e *entry.Entry, s *Step) mark {
	seq, _ := e.Member("seq").Int()
	node := surfaced{seq, s.At}
	switch op := e.Member("surfaceOp"); {
	case op.Is("append"):
		t.surface = append(t.surface, node)
	case op.Member("op").Is("replace"):
		at := func(name string) int {
			seq, ok := op.Member(name).Int()
			i := len(t.surface) - 1 // the newest are replaced most
			for i >= 0 && !(ok && t.surface[i].seq == seq) {
				i--
			}
			return i
		}
		from, to := max(0, at("start")), 1+at("end")
		t.surface = slices.Replace(t.surface, from, max(from, to), node)
		t.replaced = t.replaced || from == 0
	}
	return 0
}

func deepSeekTitle(e *entry.Entry) (entry.Value, Rank) {
	if e.Get(entry.Type).Is("session/title") {
		return e.Member("data").Member("title"), ByClient
	}
	return nil, NoTitle
}
