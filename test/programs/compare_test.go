package programs

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// A row is what jlpath says of a thing, as far as it is compared.
type row struct {
	Is, By, Text, ID, Name, Call, What string
	Input                              json.RawMessage
	Failed                             *bool
	Message                            *string

	Output, CacheRead, CacheWrite int
}

// tokens returns those of a usage, whose input is a number.
func (r *row) tokens() tokens {
	var in int
	if json.Unmarshal(r.Input, &in) != nil {
		in = -1
	}
	return tokens{in, r.Output, r.CacheRead, r.CacheWrite}
}

// compare returns how the rows of all logs differ from what the api saw and sent. Fails has the ids of the calls that must have failed.
func (a *api) compare(rows []row, typed []string, fails map[string]bool, p *program) (wrong []string) {
	differ := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	var prompts, answers, wantAnswers []string
	calls, results := map[string]row{}, map[string]row{}
	var used, wantUsed, all tokens
	for _, r := range rows {
		switch r.Is {
		case "prompt":
			if r.By != "model" {
				prompts = append(prompts, strings.Trim(r.Text, `"`)) // OpenCode quotes what has spaces
			}
		case "answer":
			answers = append(answers, strings.TrimSpace(r.Text))
		case "call":
			r.ID = own(r.ID)
			if _, twice := calls[r.ID]; twice {
				differ("call %s is told twice", r.ID)
			}
			calls[r.ID] = r
		case "result":
			r.Call = own(r.Call)
			if _, twice := results[r.Call]; twice {
				differ("the result of %s is told twice", r.Call)
			}
			results[r.Call] = r
		case "usage":
			used.add(r.tokens())
		case "unread":
			differ("%s is not read", r.What)
		}
	}
	if !slices.Equal(prompts, typed) {
		differ("prompts %q, typed %q", prompts, typed)
	}
	seen := map[string]string{}
	n := 0
	for _, q := range a.requests {
		results := resultsIn(q.messages)
		for id, text := range results {
			seen[own(id)] = text
		}
		if q.sent == nil {
			continue
		}
		all.add(q.sent.tokens)
		if q.isSide {
			continue
		}
		wantUsed.add(q.sent.tokens)
		wantAnswers = append(wantAnswers, q.sent.texts...)
		for _, c := range q.sent.calls {
			n++
			got, has := calls[c.id]
			switch {
			case !has:
				differ("call %s (%s) is in no row", c.id, c.name)
				continue
			case got.Name != c.name:
				differ("call %s is named %q, not %q", c.id, got.Name, c.name)
			case !sameJSON(got.Input, c.input) && !(p.noInput && c.name == unknownTool):
				differ("call %s has the input %s, not %s", c.id, got.Input, c.input)
			}
		}
	}
	if len(calls) != n {
		differ("%d calls, %d were sent", len(calls), n)
	}
	slices.Sort(answers)
	slices.Sort(wantAnswers)
	if !slices.Equal(answers, wantAnswers) {
		differ("answers %q, sent %q", answers, wantAnswers)
	}
	for id, text := range seen {
		got, has := results[id]
		switch {
		case !has:
			differ("the result of %s is in no row", id)
		case got.Failed == nil || *got.Failed != fails[id]:
			differ("the result of %s: failed is %v, but it did%s: %q", id, got.Failed != nil && *got.Failed, map[bool]string{false: " not"}[fails[id]], text)
		case !p.ownWords && !sameWords(got.Text, text):
			differ("the result of %s is %q, the model was told %q", id, got.Text, text)
		}
	}
	if !p.noTokens && used != wantUsed && used != all { // not every program logs its requests for titles
		differ("tokens %+v, counted %+v or %+v", used, wantUsed, all)
	}
	return wrong
}

var sentID = regexp.MustCompile(`call_\d+_\d+$`)

// own returns the id that the api gave a call, which Gemini CLI puts behind the name of the tool.
func own(id string) string {
	if found := sentID.FindString(id); found != "" {
		return found
	}
	return id
}

func (t *tokens) add(more tokens) {
	t.Input += more.Input
	t.Output += more.Output
	t.CacheRead += more.CacheRead
	t.CacheWrite += more.CacheWrite
}

// sameJSON reports whether the input of a row is the one that was sent.
func sameJSON(got json.RawMessage, want string) bool {
	var a, b any
	if json.Unmarshal(got, &a) != nil {
		return false
	}
	if text, isText := a.(string); isText {
		return text == want
	}
	return json.Unmarshal([]byte(want), &b) == nil && has(a, b)
}

// has reports whether a value is another one, or an object that has all of it: programs add what an input leaves out.
func has(got, want any) bool {
	all, isObject := want.(map[string]any)
	some, _ := got.(map[string]any)
	if !isObject {
		return reflect.DeepEqual(got, want)
	}
	for name, v := range all {
		if !has(some[name], v) {
			return false
		}
	}
	return true
}

// sameWords reports whether a text has the words of another. A program may tell the model where the text is from.
func sameWords(got, want string) bool {
	got, want = strings.TrimSpace(got), strings.TrimSpace(want)
	return got == want || got != "" && strings.Contains(want, got) || want != "" && strings.Contains(got, want)
}

// resultsIn returns the results of calls among the messages of a request, by the ids of their calls.
func resultsIn(messages []any) map[string]string {
	found := map[string]string{}
	for _, m := range messages {
		walk(m, func(o map[string]any) {
			switch id, _ := o["tool_call_id"].(string); {
			case o["type"] == "tool_result":
				found[fmt.Sprint(o["tool_use_id"])] = wordsOf(o["content"])
			case o["type"] == "function_call_output", o["type"] == "custom_tool_call_output":
				found[fmt.Sprint(o["call_id"])] = wordsOf(o["output"])
			case o["role"] == "tool":
				found[id] = wordsOf(o["content"])
			case o["functionResponse"] != nil:
				r, _ := o["functionResponse"].(map[string]any)
				answer, _ := r["response"].(map[string]any)
				if answer["output"] == nil {
					answer["output"] = answer["error"]
				}
				found[fmt.Sprint(r["id"])] = wordsOf(answer["output"])
			}
		})
	}
	return found
}

// walk calls f with each object in v.
func walk(v any, f func(map[string]any)) {
	switch v := v.(type) {
	case map[string]any:
		f(v)
		for _, in := range v {
			walk(in, f)
		}
	case []any:
		for _, in := range v {
			walk(in, f)
		}
	}
}

// wordsOf returns a content, a string or blocks with texts, as one text.
func wordsOf(v any) string {
	if text, isText := v.(string); isText {
		return text
	}
	var texts []string
	walk(v, func(o map[string]any) {
		if text, isText := o["text"].(string); isText {
			texts = append(texts, text)
		}
	})
	return strings.Join(texts, "\n")
}

// order returns which of some words come in the messages of a request, in the order in which each comes first.
func order(text string, words []string) (found []string) {
	found = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return !strings.Contains(text, w) })
	slices.SortFunc(found, func(a, b string) int { return strings.Index(text, a) - strings.Index(text, b) })
	return found
}
