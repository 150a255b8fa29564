package tree

import (
	"bytes"

	"jl/internal/shape"
)

// Prompt returns the text of the nearest prompt of the user at or above n, nil if there is
// none. The caller may keep it.
func (t *Tree) Prompt(n Node) []byte {
	if t.prompts == nil {
		t.prompts = t.all().nearest(t.isPrompt)
	}
	found := t.prompts.of(n)
	if found == None {
		return nil
	}
	prompt, _ := shape.Prompt(t.Entry(found), t.dialect)
	return bytes.Clone(prompt)
}

// isPrompt reports whether n is a prompt that the user wrote.
func (t *Tree) isPrompt(n Node) bool {
	if k := t.at(n).kind; t.dialect.LikeClaude() && k != user && k != attachment {
		return false
	}
	prompt, _ := shape.Prompt(t.Entry(n), t.dialect)
	return len(prompt) > 0
}
