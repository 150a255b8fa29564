package shape

import (
	"bytes"
	"regexp"
	"slices"
	"sync"

	"jl/internal/entry"
)

// toCarryOut is how a client begins the prompt by which the model carries out a plan that was approved.
const toCarryOut = "Implement the following plan:"

// IsPlan reports whether the user entry e, whose message is m, tells the model to carry out a plan that was approved.
func (m *Message) IsPlan(e *entry.Entry) bool {
	text := m.Content
	if i := slices.IndexFunc(m.Blocks, func(b Block) bool { return b.Type.Is("text") }); i >= 0 {
		text = m.Blocks[i].Text
	}
	return beginsWith(text, toCarryOut) || e.Get(entry.PlanContent).Truthy()
}

// IsPlanText reports whether a prompt begins as one by which the model carries out a plan that was approved.
func IsPlanText(prompt []byte) bool { return bytes.HasPrefix(prompt, []byte(toCarryOut)) }

// Title returns what a prompt is called: by its words or, if it has the model carry out a plan, by the first heading of
// the plan, or the words of a plan without one. The sentence above the plan is the same in many sessions. Title returns
// a part of the prompt.
func Title(prompt []byte) []byte {
	if !IsPlanText(prompt) {
		return prompt
	}
	plan := bytes.TrimSpace(prompt[len(toCarryOut):])
	if len(plan) == 0 {
		return prompt
	}
	if title := heading(plan); title != nil {
		return title
	}
	return plan
}

// atx matches a line that is a heading of Markdown, and its words. That it is nothing but words is up to the reader.
var atx = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^ {0,3}#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?[ \t\r]*$`) })

// heading returns the words of the first heading in a text of Markdown, nil if it has none. What is fenced is no
// heading.
func heading(text []byte) []byte {
	var fence, above []byte
	for line := range bytes.Lines(text) {
		line = bytes.TrimSuffix(line, []byte{'\n'})
		trimmed := bytes.TrimSpace(line)
		if fence != nil {
			if bytes.HasPrefix(trimmed, fence) && len(bytes.Trim(trimmed, string(fence[:1]))) == 0 {
				fence = nil
			}
			continue
		}
		if bytes.HasPrefix(trimmed, []byte("```")) || bytes.HasPrefix(trimmed, []byte("~~~")) {
			fence = trimmed[:len(trimmed)-len(bytes.TrimLeft(trimmed, string(trimmed[:1])))]
			above = nil
			continue
		}
		if m := atx().FindSubmatch(line); m != nil && len(bytes.Trim(m[1], "# \t")) > 0 {
			return m[1]
		}
		if len(above) > 0 && len(trimmed) > 0 && len(bytes.Trim(trimmed, "=")) == 0 { // underlined
			return above
		}
		above = trimmed
	}
	return nil
}
