package says

import (
	"bytes"

	"jl/internal/entry"
	"jl/internal/shape"
)

// qwenSays tells what an entry of Qwen Code says: those of Claude Code, with the messages of Gemini CLI.
func qwenSays(e *entry.Entry, t *Telling) {
	t.Session, t.Cwd, t.Branch = e.Get(entry.SessionID), e.Member("cwd"), e.Member("gitBranch").NonEmpty()
	t.Agent = e.Member("agentId").NonEmpty()
	t.Sidechain = t.Agent == nil && e.Get(entry.IsSidechain).Truthy()
	parts, model, usage := e.Get(entry.Message).Member("parts"), e.Member("model"), e.Member("usageMetadata")
	switch typ := e.Get(entry.Type); {
	case typ.Is("system"):
		t.qwenSystem(e.Get(entry.Subtype), e.Member("systemPayload"), model)
	case typ.Is("user") && shape.AuthorOf(e) == shape.Client:
		t.text(Context, parts)
	case typ.Is("user"):
		t.prompt(parts, Thing{})
	case typ.Is("tool_result"):
		outcome := e.Member("toolCallResult")
		t.blocks(parts, nil, nil)
		for i := range t.Things {
			x := &t.Things[i]
			display := outcome.Member("resultDisplay")
			x.Failed = x.Failed || e.Member("isError").Truthy() || isAny(outcome.Member("status"), "error", "cancelled") || failed(display.Member("exitCode")) || x.Name.Is("run_shell_command") && display.Member("exitCode") == nil && geminiFailed(x.Text, display)
			if x.Diff = display.Member("fileDiff"); display.Member("answers").IsArray() {
				x.Extra = display
			}
		}
	default:
		t.blocks(parts, model, e.Get(entry.UUID))
		t.usage(usage, true, Thing{Message: e.Get(entry.UUID), Model: model})
	}
}

// qwenSilent are the subtypes of Qwen Code's system entries that say nothing, or what other entries say, too.
var qwenSilent = []string{"agent_*", "at_command", "attribution_snapshot", "custom_title", "file_history_snapshot", "goal_*", "notification", "rewind", "session_*"}

// qwenSystem tells what Qwen Code itself says.
func (t *Telling) qwenSystem(subtype, payload, model entry.Value) {
	switch string(subtype.Text()) {
	case "chat_compression":
		var summary entry.Value // the snapshot, or the first message
		for v := range payload.Member("compressedHistory").Elements() {
			parts := v.Member("parts")
			if isSnapshot := hasPrefix(firstOf(parts), "<state_snapshot>"); isSnapshot || summary == nil {
				summary = parts
				if isSnapshot {
					break
				}
			}
		}
		t.compaction(nil, summary)
	case "slash_command": // without arguments it is for the client
		if command := payload.Member("rawCommand"); payload.Member("phase").Is("invocation") && bytes.IndexByte(bytes.TrimSpace(command.Text()), ' ') > 0 {
			t.text(Prompt, command)
		}
	case "ui_telemetry":
		if event := payload.Member("uiEvent"); bytes.HasSuffix(event.Member("event.name").Text(), []byte("api_response")) {
			if agent := qwenAgent(event); agent != nil {
				t.Agent, t.AgentType = agent, event.Member("subagent_type").NonEmpty()
			}
			t.record(event, Thing{Scope: OfRequest, Model: entry.First(event.Member("model"), model)})
		}
	default:
		if !matches(subtype, qwenSilent) {
			t.unread("system", string(subtype.Text()))
		}
	}
}

// qwenAgent returns the sub-agent that made a request, nil if none did. The event goes on to name one that is over, but
// its prompt_id has the session, the sub-agent and a number.
func qwenAgent(event entry.Value) entry.Value {
	agent := event.Member("subagent_id").NonEmpty()
	parts := bytes.Split(event.Member("prompt_id").Text(), []byte{'#'})
	if len(parts) != 3 || !bytes.Equal(parts[1], agent.Text()) {
		return nil
	}
	return agent
}
