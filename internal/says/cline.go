package says

import (
	"bytes"
	"slices"

	"jl/internal/entry"
)

// clineTags are the tags that Cline and its forks write around what was typed: a task, an answer to a question, more
// words.
var clineTags = []string{"task", "feedback", "answer", "user_message"}

// clineWords returns a content without the tags around what was typed, if it is one of Cline, which tells the
// surroundings next to that. Other programs' tags of these names are words.
func clineWords(content entry.Value) entry.Value {
	blocks := slices.Collect(content.Elements())
	if !slices.ContainsFunc(blocks, func(v entry.Value) bool { return hasPrefix(v.Member("text"), "<environment_details>") }) {
		return content
	}
	isTyped := false
	for i, v := range blocks {
		text := bytes.TrimSpace(v.Member("text").Text())
		for _, name := range clineTags {
			typed, begins := bytes.CutPrefix(text, []byte("<"+name+">\n"))
			if typed, ends := bytes.CutSuffix(typed, []byte("</"+name+">")); begins && ends {
				blocks[i], isTyped = quoted(string(bytes.TrimSpace(typed))), true
			}
		}
	}
	if !isTyped {
		return content
	}
	return arrayOf(blocks)
}
