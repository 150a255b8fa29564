package dialect

import (
	"bytes"

	"jl/internal/entry"
)

var copilot = row{
	name: "Copilot", facts: list | splitLines, names: ids,
	fits: func(e *entry.Entry, _ bool) bool {
		t := e.Get(entry.Type)
		return e.Get(entry.ID).IsString() && (t.Is("abort") || bytes.IndexByte(t.Text(), '.') >= 0) && e.Member("data").IsObject()
	},
	header:   func(e *entry.Entry) bool { return e.Get(entry.Type).Is("session.start") },
	messages: []string{"user.message", "assistant.message", "tool.execution_complete"}, others: []string{"system.message"},
	sidechain: copilotSidechain, boundary: isCopilotBoundary, step: copilotStep,
	title: copilotTitle,
}

// copilotSidechain returns the sub-agent that wrote e, or that e is not to be kept.
func copilotSidechain(e *entry.Entry) entry.Value {
	if agent := e.Member("agentId").NonEmpty(); agent != nil {
		return agent
	}
	if ephemeral := e.Member("ephemeral"); ephemeral.Truthy() {
		return ephemeral
	}
	return nil
}

func isCopilotBoundary(e *entry.Entry) bool {
	t := e.Get(entry.Type)
	return t.Is("session.context_cleared") || t.Is("session.compaction_complete") && string(e.Member("data").Member("success")) == "true"
}

// copilotStep cuts the log where a compaction that succeeded was started, because what was
// written meanwhile is not in its summary.
func copilotStep(t *Thread, e *entry.Entry, s *Step) mark {
	at := s.At
	switch typ := e.Get(entry.Type); {
	case typ.Is("session.compaction_start"):
		t.opened = s.At
	case typ.Is("session.compaction_complete"):
		if t.opened >= 0 {
			at = t.opened
		}
		t.opened = -1
	}
	if isCopilotBoundary(e) {
		t.cut(at)
	}
	return 0
}

func copilotTitle(e *entry.Entry) (entry.Value, Rank) {
	if e.Get(entry.Type).Is("session.title_changed") {
		return e.Member("data").Member("title"), ByClient
	}
	return nil, NoTitle
}
