package shape

import "jl/internal/entry"

// QueuedPrompt returns the uuid of the message that the attachment e was queued as, nil
// if it names none. It reports false if e is not a prompt that was queued while the
// model was busy, as Claude Code writes it since 2.1.329.
func QueuedPrompt(e *entry.Entry) (source entry.Value, ok bool) {
	a := entry.Value(e.Bytes).Member("attachment")
	prompt := a.Member("prompt")
	if !e.Get(entry.Type).Is("attachment") || !a.Member("type").Is("queued_command") || a.Member("isMeta").Truthy() || !prompt.IsString() && !prompt.IsArray() {
		return nil, false
	}
	return str(a, "source_uuid"), true
}

// QueuedContent returns the content of a prompt that was queued while the model was busy,
// nil if e is not one: see [QueuedPrompt].
func QueuedContent(e *entry.Entry) entry.Value {
	if !e.Get(entry.Type).Is("attachment") {
		return nil
	}
	if _, ok := QueuedPrompt(e); !ok {
		return nil
	}
	return entry.Value(e.Bytes).Member("attachment").Member("prompt")
}
