package said

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
	"jl/internal/says"
)

// TestHooks: what a hook said is told again once, unless an answer came between, and only the last ones are looked for.
func TestHooks(t *testing.T) {
	hook := func(text string) says.Thing { return says.Thing{Is: says.Hook, Text: entry.Value(`"` + text + `"`)} }
	again := func(text string) says.Thing { x := hook(text); x.Again = true; return x }
	answer := says.Thing{Is: says.Answer, Text: entry.Value(`"x"`)}
	for name, test := range map[string]struct {
		things []says.Thing
		want   []string
	}{
		"again":                 {[]says.Thing{hook("a"), again("a")}, []string{"a"}},
		"again, with more":      {[]says.Thing{hook("a"), again("hook: a")}, []string{"a"}},
		"again, with less":      {[]says.Thing{hook("hook: a"), again("a")}, []string{"hook: a"}},
		"twice again":           {[]says.Thing{hook("a"), again("a "), again("a")}, []string{"a", "a"}},
		"not again":             {[]says.Thing{again("a")}, []string{"a"}},
		"another one":           {[]says.Thing{hook("a"), again("b")}, []string{"a", "b"}},
		"behind an answer":      {[]says.Thing{hook("a"), answer, again("a ")}, []string{"a", "a "}},
		"the second of two":     {[]says.Thing{hook("a"), hook("b"), again("b"), again("a")}, []string{"a", "b"}},
		"the first of five":     {[]says.Thing{hook("a"), hook("b"), hook("c"), hook("d"), hook("e"), again("a")}, []string{"a", "b", "c", "d", "e"}},
		"one of too many":       {[]says.Thing{hook("a"), hook("b"), hook("c"), hook("d"), hook("e"), hook("f"), again("a ")}, []string{"a", "b", "c", "d", "e", "f", "a "}},
		"white space around it": {[]says.Thing{hook(" a "), again(`\na`)}, []string{" a "}},
	} {
		r, rows := begun(1 << says.Hook)
		for i := range test.things {
			r.from.uuid = entry.Value{'0' + byte(i)} // as it has no time
			r.thing(&test.things[i])
		}
		var got []string
		for _, row := range *rows {
			got = append(got, string(entry.Value(row).Member("text").Text()))
		}
		require.Equal(t, test.want, got, name)
	}
}

// TestThoughtsWait: thoughts wait for those that may tell them again, while tokens come, but nothing else.
func TestThoughtsWait(t *testing.T) {
	thought := func(text string, unsure bool) says.Thing {
		return says.Thing{Is: says.Thinking, Text: entry.Value(`"` + text + `"`), Unsure: unsure}
	}
	usage, answer := says.Thing{Is: says.Usage, Message: entry.Value(`"m"`)}, says.Thing{Is: says.Answer, Text: entry.Value(`"x"`)}
	for name, test := range map[string]struct {
		things []says.Thing
		want   []string
	}{
		"at once":          {[]says.Thing{thought("a", true), thought(`a\nb`, false)}, []string{`a\nb`}},
		"behind tokens":    {[]says.Thing{thought("a", true), usage, thought(`a\nb`, false)}, []string{`a\nb`}},
		"behind an answer": {[]says.Thing{thought("a", true), answer, thought(`a\nb`, false)}, []string{"a", "x", `a\nb`}},
		"two":              {[]says.Thing{thought("a", true), thought("b", true), thought(`a\nb`, false)}, []string{`a\nb`}},
		"one of two":       {[]says.Thing{thought("a", true), thought("b", true), thought(`b\nc`, false), answer}, []string{`b\nc`, "a", "x"}},
		"told before":      {[]says.Thing{thought(`a\nb`, false), thought("b", true), answer}, []string{`a\nb`, "x"}},
		"a part of a line": {[]says.Thing{thought("ab", false), thought("b", true), answer}, []string{"ab", "b", "x"}},
	} {
		r, rows := begun(1<<says.Thinking | 1<<says.Answer)
		for i := range test.things {
			r.thing(&test.things[i])
		}
		r.End()
		var got []string
		for _, row := range *rows {
			text := entry.Value(row).Member("text")
			got = append(got, string(text[1:len(text)-1]))
		}
		require.Equal(t, test.want, got, name)
	}
}

// TestCallsWithoutResults: at the end, they tell what they were to do, in the order of the log.
func TestCallsWithoutResults(t *testing.T) {
	r, rows := begun(1 << says.File)
	var want []string
	for i := range 12 {
		name := string('a' + byte(i*7%12))
		r.thing(&says.Thing{Is: says.Call, Call: entry.Value(`"call ` + name + `"`), Name: entry.Value(`"Read"`), Input: entry.Value(`{"file_path":"` + name + `"}`)})
		want = append(want, name)
	}
	r.End()
	var got []string
	for _, row := range *rows {
		got = append(got, string(entry.Value(row).Member("path").Text()))
	}
	require.Equal(t, want, got)
}

// TestModelOfCall: a call is of the model that it names, else of the last that was told.
func TestModelOfCall(t *testing.T) {
	r, rows := begun(1 << says.Call)
	r.model = entry.Value(`"before"`)
	r.thing(&says.Thing{Is: says.Call, Call: entry.Value(`"c1"`), Model: entry.Value(`"own"`)})
	r.thing(&says.Thing{Is: says.Call, Call: entry.Value(`"c2"`)})
	require.Len(t, *rows, 2)
	require.Contains(t, (*rows)[0], `"model":"own"`)
	require.Contains(t, (*rows)[1], `"model":"before"`)
}

// TestEnded: whether a call failed is what an entry before its result told, if one did.
func TestEnded(t *testing.T) {
	for _, failed := range []bool{false, true} {
		r, rows := begun(1 << says.Result)
		r.thing(&says.Thing{Is: says.Call, Call: entry.Value(`"c"`)})
		r.thing(&says.Thing{Is: says.Ended, Call: entry.Value(`"c"`), Failed: failed})
		r.thing(&says.Thing{Is: says.Result, Call: entry.Value(`"c"`), Failed: !failed})
		require.Len(t, *rows, 1)
		require.Equal(t, failed, entry.Value((*rows)[0]).Member("failed").Truthy())
	}
}

// TestTasks: the number of a new item is that of its result, else its place in the list.
func TestTasks(t *testing.T) {
	type of struct{ name, input, result string }
	for name, test := range map[string]struct {
		calls []of
		want  []string
	}{
		"by its number":     {[]of{{"TaskCreate", `{"subject":"a"}`, "Task #70 created"}}, []string{"70 a pending"}},
		"by no number":      {[]of{{"TaskCreate", `{"subject":"a"}`, "Task # created"}}, []string{"1 a pending"}},
		"the first of two":  {[]of{{"TaskCreate", `{"subject":"a"}`, "#5, #6"}}, []string{"5 a pending"}},
		"changed":           {[]of{{"TaskCreate", `{"subject":"a"}`, "#5"}, {"TaskUpdate", `{"taskId":"5","status":"active"}`, ""}}, []string{"5 a pending", "5 a in_progress"}},
		"renamed":           {[]of{{"TaskCreate", `{"subject":"a"}`, "#5"}, {"TaskUpdate", `{"taskId":"5","subject":"b"}`, ""}, {"TaskUpdate", `{"taskId":"5","subject":"b"}`, ""}}, []string{"5 a pending", "5 b pending", "5 a deleted"}},
		"not there":         {[]of{{"TaskUpdate", `{"taskId":"5","status":"active"}`, ""}}, nil},
		"numbered again":    {[]of{{"TaskCreate", `{"subject":"a"}`, "#1"}, {"TaskCreate", `{"subject":"b"}`, "#1"}, {"TaskUpdate", `{"taskId":"1","status":"active"}`, ""}}, []string{"1 a pending", "1 b pending", "1 b in_progress"}},
		"listed anew":       {[]of{{"TaskCreate", `{"subject":"a"}`, "#1"}, {"TaskUpdate", `{"taskId":"1","status":"deleted"}`, ""}, {"TodoWrite", `{"todos":[{"content":"b","status":"pending","id":"2"}]}`, ""}, {"TaskUpdate", `{"taskId":"2","status":"active"}`, ""}}, []string{"1 a pending", "1 a deleted", "2 b pending", "2 b in_progress"}},
		"listed no more":    {[]of{{"TodoWrite", `{"todos":[{"content":"a","id":"1"}]}`, ""}, {"TodoWrite", `{"todos":[{"content":"b","id":"2"}]}`, ""}, {"TaskUpdate", `{"taskId":"1","status":"active"}`, ""}}, []string{"1 a pending", "2 b pending", "1 a deleted"}},
		"gone":              {[]of{{"TaskCreate", `{"subject":"a"}`, "#5"}, {"TaskUpdate", `{"taskId":"5","status":"deleted"}`, ""}, {"TaskUpdate", `{"taskId":"5","status":"active"}`, ""}}, []string{"5 a pending", "5 a deleted"}},
		"boxes":             {[]of{{"todo", `{"todos":"- [x] a\n* [ ] b\n  - [-] c\n+ [x] d\n- [x] \n- [x]e\n-[x] f\n"}`, ""}}, []string{" a completed", " b pending", " c completed"}},
		"an empty list":     {[]of{{"todo", `{"todos":[{"content":"a"}]}`, ""}, {"todo", `{"todos":[]}`, ""}}, []string{" a pending", " a deleted"}},
		"no list":           {[]of{{"todo", `{"todos":[{"content":"a"}]}`, ""}, {"todo", `{"todos":"none"}`, ""}}, []string{" a pending"}},
		"done, another way": {[]of{{"plan", `{"plan":[{"step":"a","completed":true}]}`, ""}}, []string{" a completed"}},
		"another tool":      {[]of{{"list", `{"todos":[{"content":"a"}]}`, ""}}, nil},
	} {
		r, rows := begun(1 << says.Todo)
		for _, c := range test.calls {
			r.thing(&says.Thing{Is: says.Call, Call: entry.Value(`"c"`), Name: entry.Value(`"` + c.name + `"`), Input: entry.Value(c.input)})
			r.thing(&says.Thing{Is: says.Result, Call: entry.Value(`"c"`), Text: entry.Value(`"` + c.result + `"`)})
		}
		var got []string
		for _, row := range *rows {
			v := entry.Value(row)
			got = append(got, string(v.Member("id").Text())+" "+string(v.Member("text").Text())+" "+string(v.Member("status").Text()))
		}
		require.Equal(t, test.want, got, name)
	}
	r, rows := begun(1 << says.Todo)
	r.thing(&says.Thing{Is: says.Call, Call: entry.Value(`"c"`), Name: entry.Value(`"todo"`), Input: entry.Value(`{"todos":[{"content":"a"}]}`)})
	r.thing(&says.Thing{Is: says.Result, Call: entry.Value(`"c"`), Failed: true})
	require.Empty(t, *rows, "a call that failed changes no list")
}
