package said

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
	"jl/internal/says"
)

// things returns the rows of things that are told one after another, each by an entry of its own: what a row has behind its kind
// and where it comes from, without its key.
func things(kinds Kinds, told ...says.Thing) []string {
	r, rows := begun(kinds)
	for i := range told {
		r.number++
		r.from.uuid = entry.Value{'1' + byte(i)}
		r.thing(&told[i])
	}
	r.End()
	return members(*rows)
}

// members returns of each row its kind, and what is behind where it comes from, without its key.
func members(rows []string) (got []string) {
	for _, row := range rows {
		is := string(entry.Value(row).Member("is").Text())
		_, row, _ = strings.Cut(row, `"uuid":`)
		_, row, _ = strings.Cut(row, ",")
		row, _, _ = strings.Cut(row, `,"key":"`)
		got = append(got, is+" "+row)
	}
	return got
}

// TestCalls: what a call and its result tell.
func TestCalls(t *testing.T) {
	call := func(name, input string) says.Thing {
		return says.Thing{Is: says.Call, Call: v(`"c"`), Name: v(name), Input: v(input)}
	}
	result := func(text string) says.Thing { return says.Thing{Is: says.Result, Call: v(`"c"`), Text: v(text)} }
	with := func(x says.Thing, f func(*says.Thing)) says.Thing { f(&x); return x }
	failed := func(x *says.Thing) { x.Failed = true }
	const refusal = `The user doesn't want to proceed, the user said:\nno`
	for _, test := range []struct {
		name  string
		kinds []says.Kind
		told  []says.Thing
		want  []string
	}{
		{"no input", []says.Kind{says.Call}, []says.Thing{call(`"ls"`, ``)}, []string{`call "id":"c","name":"ls","input":{},"cwd":null,"model":null`}},
		{"an input of null", []says.Kind{says.Call}, []says.Thing{call(`"ls"`, `null`)}, []string{`call "id":"c","name":"ls","input":{},"cwd":null,"model":null`}},
		{"an input in a string", []says.Kind{says.Call}, []says.Thing{call(`"ls"`, `"{\"a\":1}"`)}, []string{`call "id":"c","name":"ls","input":{"a":1},"cwd":null,"model":null`}},
		{"no name", []says.Kind{says.Call}, []says.Thing{call(`""`, `{}`)}, []string{`call "id":"c","name":"tool","input":{},"cwd":null,"model":null`}},
		{"no id", []says.Kind{says.Call}, []says.Thing{{Is: says.Call, Name: v(`"ls"`)}, {Is: says.Call, Name: v(`"ls"`)}},
			[]string{`call "id":null,"name":"ls","input":{},"cwd":null,"model":null`, `call "id":null,"name":"ls","input":{},"cwd":null,"model":null`}},
		{"of a message", []says.Kind{says.Call}, []says.Thing{with(call(`"ls"`, `{}`), func(x *says.Thing) { x.Message, x.Model = v(`"m"`), v(`""`) })},
			[]string{`call "id":"c","name":"ls","input":{},"cwd":null,"model":null,"message":"m"`}},
		{"a result without its call", []says.Kind{says.Result, says.File, says.Todo, says.Prompt}, []says.Thing{with(result(`"ok"`), func(x *says.Thing) { x.Name, x.Input = v(`"ls"`), v(`"x"`) })},
			[]string{`result "call":"c","name":"ls","failed":false,"seconds":null,"text":"ok","images":0`}},
		{"an empty name", []says.Kind{says.Result}, []says.Thing{with(result(`"ok"`), func(x *says.Thing) { x.Name = v(`""`) })},
			[]string{`result "call":"c","name":null,"failed":false,"seconds":null,"text":"ok","images":0`}},
		{"a sub-agent", []says.Kind{says.Result}, []says.Thing{call(`"Task"`, `{}`), with(result(`"ok"`), func(x *says.Thing) { x.Agent, x.Model = v(`"g"`), v(`"m"`) })},
			[]string{`result "call":"c","name":"Task","failed":false,"seconds":null,"text":"ok","images":0,"agent":"g"`}},
		{"what is told of several results, and of another one", []says.Kind{says.Result}, []says.Thing{call(`"Task"`, `{"prompt":"p"}`),
			with(result(`"ok"`), func(x *says.Thing) {
				x.Agent, x.Extra, x.Diff, x.Shared = v(`"g"`), v(`{"prompt":"q"}`), v(`{"prompt":"p"}`), true
			})},
			[]string{`result "call":"c","name":"Task","failed":false,"seconds":null,"text":"ok","images":0`}},
		{"what is told of several results, and of this one", []says.Kind{says.Result}, []says.Thing{call(`"Task"`, `{"n":1,"prompt":"p"}`),
			with(result(`"ok"`), func(x *says.Thing) { x.Agent, x.Extra, x.Shared = v(`"g"`), v(`{"n":1,"prompt":"p"}`), true })},
			[]string{`result "call":"c","name":"Task","failed":false,"seconds":null,"text":"ok","images":0,"agent":"g"`}},
		{"what is told of several results, of which one has no call", []says.Kind{says.Result}, []says.Thing{with(result(`"ok"`), func(x *says.Thing) { x.Agent, x.Shared = v(`"g"`), true })},
			[]string{`result "call":"c","name":null,"failed":false,"seconds":null,"text":"ok","images":0`}},
		{"a call that the user refused", []says.Kind{says.Result, says.Prompt}, []says.Thing{call(`"ls"`, `{}`), with(result(`"`+refusal+`"`), failed)},
			[]string{`result "call":"c","name":"ls","failed":true,"refused":true,"seconds":null,"text":"` + refusal + `","images":0`, `prompt "text":"no","images":0,"call":"c"`}},
		{"why it was refused is not wanted", []says.Kind{says.Result}, []says.Thing{call(`"ls"`, `{}`), with(result(`"`+refusal+`"`), failed)},
			[]string{`result "call":"c","name":"ls","failed":true,"refused":true,"seconds":null,"text":"` + refusal + `","images":0`}},
		{"nothing but why it was refused is wanted", []says.Kind{says.Prompt}, []says.Thing{call(`"ls"`, `{}`), with(result(`"`+refusal+`"`), failed)},
			[]string{`prompt "text":"no","images":0,"call":"c"`}},
		{"the words of a refusal in a result that did not fail", []says.Kind{says.Result, says.Prompt}, []says.Thing{call(`"cat"`, `{}`), result(`"` + refusal + `"`)},
			[]string{`result "call":"c","name":"cat","failed":false,"seconds":null,"text":"` + refusal + `","images":0`}},
		{"a call that another member says was refused", []says.Kind{says.Result, says.Prompt}, []says.Thing{call(`"ls"`, `{}`), with(result(`"`+refusal+`"`), func(x *says.Thing) { x.Failed, x.Refused = true, true })},
			[]string{`result "call":"c","name":"ls","failed":true,"refused":true,"seconds":null,"text":"` + refusal + `","images":0`}},
		{"a refusal in the first of two texts", []says.Kind{says.Result}, []says.Thing{call(`"ls"`, `{}`), with(result(`[{"type":"text","text":"`+refusal+`"},{"type":"text","text":"x"}]`), failed)},
			[]string{`result "call":"c","name":"ls","failed":true,"refused":true,"seconds":null,"text":"` + refusal + `\nx","images":0`}},
		{"a refusal in the second of two texts", []says.Kind{says.Result}, []says.Thing{call(`"ls"`, `{}`), with(result(`[{"type":"text","text":"x"},{"type":"text","text":"`+refusal+`"}]`), failed)},
			[]string{`result "call":"c","name":"ls","failed":true,"seconds":null,"text":"x\n` + refusal + `","images":0`}},
		{"a reason of a letter, with blanks around", []says.Kind{says.Prompt}, []says.Thing{call(`"ls"`, `{}`), with(result(`"The user doesn't want to proceed, the user said:\n n \n"`), failed)},
			[]string{`prompt "text":"n","images":0,"call":"c"`}},
		{"an own answer, an offered one, and notes", []says.Kind{says.Prompt}, []says.Thing{call(`"AskUserQuestion"`, `{}`),
			with(result(`"ok"`), func(x *says.Thing) {
				x.Extra = v(`{"questions":[{"question":"p","options":[{"label":"A"},{"label":""}]},{"question":"q","options":["B"]}],"answers":{"p":"own","q":"\"B\""},"annotations":{"q":{"notes":"but soon"}}}`)
			})},
			[]string{`prompt "text":"own","images":0,"call":"c"`, `prompt "text":"but soon","images":0,"call":"c"`}},
		{"an answer to a question that failed", []says.Kind{says.Prompt}, []says.Thing{call(`"AskUserQuestion"`, `{}`),
			with(result(`"User responded: own"`), func(x *says.Thing) {
				x.Failed, x.Extra = true, v(`{"questions":[{"question":"p"}],"answers":{"p":"own"}}`)
			})}, nil},
		{"a question that failed", []says.Kind{says.Prompt}, []says.Thing{call(`"ask_user"`, `{}`), with(result(`"User responded: own"`), failed)}, nil},
		{"the words of an answer to what is no question", []says.Kind{says.Prompt, says.Todo}, []says.Thing{call(`"ls"`, `{}`), result(`"User responded: own"`)}, nil},
		{"questions that are those of another result", []says.Kind{says.Prompt}, []says.Thing{call(`"ls"`, `{}`),
			with(result(`"ok"`), func(x *says.Thing) {
				x.Shared, x.Extra = true, v(`{"questions":[{"question":"p"}],"answers":{"p":"own"}}`)
			})}, nil},
		{"an id of its own", []says.Kind{says.Call, says.Result}, []says.Thing{{Is: says.Call, Call: v(`"call one"`), Name: v(`"ls"`)}, {Is: says.Result, Call: v(`"call one"`)}},
			[]string{`call "id":"call one","name":"ls","input":{},"cwd":null,"model":null`, `result "call":"call one","name":"ls","failed":false,"seconds":null,"text":"","images":0`}},
		{"an answer that is told twice", []says.Kind{says.Prompt}, []says.Thing{call(`"ask_user_question"`, `{}`),
			with(result(`"User responded: x"`), func(x *says.Thing) { x.Extra = v(`{"answers":[{"answer":"own"}]}`) })},
			[]string{`prompt "text":"own","images":0,"call":"c"`}},
	} {
		var kinds Kinds
		for _, k := range test.kinds {
			kinds |= 1 << k
		}
		require.Equal(t, test.want, things(kinds, test.told...), test.name)
	}
	require.Equal(t, []string{`"A"`, "A", `"B"`, "B"}, labels(nil, entry.Value(`["A",{"label":""},{"label":"B"},""]`)))
	require.True(t, isOffered(`"A", "B"`, labels(nil, entry.Value(`["A","B"]`))))
}

// TestShortIDs: calls and results at one time are not one another if their short ids are not the same.
func TestShortIDs(t *testing.T) {
	r, rows := begun(1<<says.Call | 1<<says.Result)
	r.from.time = v(`"2026-01-01T00:00:00Z"`)
	for i, id := range []string{`"1"`, `"2"`} {
		for k, is := range []says.Kind{says.Call, says.Result} {
			r.keys = nil
			r.thing(&says.Thing{Is: is, Call: v(id), Name: v(`"ls"`), Text: v(`"x"`)})
			require.Len(t, *rows, 2*i+k+1)
		}
	}
}
