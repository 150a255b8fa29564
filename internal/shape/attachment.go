package shape

import "jl/internal/entry"

// QueuedPrompt returns the content of a prompt that was queued while the model was busy, as Claude
// Code writes it since 2.1.329, and the uuid of the message that it was queued as, nil if it names
// none. The prompt is nil if e is something else.
func QueuedPrompt(e *entry.Entry) (prompt, source entry.Value) {
	if !e.Get(entry.Type).Is("attachment") {
		return nil, nil
	}
	a := entry.Value(e.Bytes).Member("attachment")
	prompt = a.Member("prompt")
	if !a.Member("type").Is("queued_command") || a.Member("isMeta").Truthy() || !prompt.IsString() && !prompt.IsArray() {
		return nil, nil
	}
	return prompt, str(a, "source_uuid")
}
