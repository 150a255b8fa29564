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
	return bytes.Clone(t.promptOf(found))
}

// isPrompt reports whether n is a prompt that the user wrote.
func (t *Tree) isPrompt(n Node) bool {
	if t.dialect.LikeClaude() && t.at(n).kind != user || t.at(n).flags&meta != 0 {
		return false
	}
	return len(t.promptOf(n)) > 0
}

// promptOf returns the text of n, nil if it is not a prompt.
func (t *Tree) promptOf(n Node) []byte {
	e := t.Entry(n)
	if text := t.dialect.Prompt(e); text != nil {
		return bytes.TrimSpace(text.Text())
	}
	return shape.Prompt(e)
}
