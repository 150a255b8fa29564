package said

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/line"
	"jl/internal/says"
)

// v is a value, nil if it is the empty text.
func v(s string) entry.Value {
	if s == "" {
		return nil
	}
	return entry.Value(s)
}

// TestWhoAsksForPrompts: what entries in the name of the user say has rows for each kind that somebody asks for, alone.
func TestWhoAsksForPrompts(t *testing.T) {
	text := `"Hi.<bash-input>ls</bash-input><bash-stdout>a &amp;&lt;b&gt;</bash-stdout>` +
		`<task-notification><summary>s</summary><event>e</event><result>r</result><status>failed</status><tool-use-id>t</tool-use-id></task-notification>` +
		`<teammate-message teammate_id=\"ann\">m</teammate-message>"`
	prompt := says.Thing{Is: says.Prompt, Text: v(`[{"type":"text","text":` + text + `},{"type":"image","source":{"type":"url","url":"https://x"}}]`)}
	for kind, test := range map[says.Kind]struct {
		told says.Thing
		want []string
	}{
		says.Prompt:  {prompt, []string{`prompt "text":"Hi.","images":1`}},
		says.Picture: {prompt, []string{`picture "media":null,"url":"https://x"`}},
		says.Shell:   {prompt, []string{`shell "command":"ls","text":"a &<b>","failed":false`}},
		says.Task:    {prompt, []string{`task "call":"t","failed":true,"text":"s\ne\nr"`}},
		says.Member:  {prompt, []string{`member "name":"ann","text":"m"`}},
		says.Failure: {says.Thing{Is: says.Prompt, Text: v(`"[Request interrupted by user]"`)}, []string{`error "text":"[Request interrupted by user]"`}},
		says.Context: {says.Thing{Is: says.Prompt, Text: v(`"[Your previous response had no visible output]"`)}, []string{`context "text":"[Your previous response had no visible output]"`}},
		says.Answer:  {prompt, nil},
	} {
		require.Equal(t, test.want, things(1<<kind, test.told), kind)
	}
	require.Equal(t, []string{`shell "command":null,"text":"o\ne","failed":false`}, things(1<<says.Shell, says.Thing{Is: says.Context, Text: v(`"<bash-stdout>o</bash-stdout><bash-stderr>e</bash-stderr>"`)}))
	require.Equal(t, []string{`shell "command":"l","text":"","failed":false`}, things(1<<says.Shell, says.Thing{Is: says.Context, Text: v(`"<bash-input>l</bash-input>"`)}))
	require.Equal(t, []string{`shell "command":null,"text":"x","failed":false`}, things(1<<says.Shell, says.Thing{Is: says.Context, Text: v(`"<bash-stdout>x</bash-stdout>"`)}))
	const notice = `"<task-notification><summary>s</summary><tool-use-id>t</tool-use-id></task-notification>"`
	require.Equal(t, []string{`task "call":"t","failed":false,"text":"s"`}, things(1<<says.Task|1<<says.Context, says.Thing{Is: says.Context, Text: v(notice)}), "nothing else is in it")
	require.Equal(t, []string{`task "call":"t","failed":false,"text":"s"`, `context "text":"more"`},
		things(1<<says.Task|1<<says.Context, says.Thing{Is: says.Context, Text: v(`[{"type":"text","text":` + notice + `},{"type":"text","text":"more"}]`)}))
	require.Equal(t, []string{`context "text":"more"`}, things(1<<says.Context, says.Thing{Is: says.Context, Text: v(`"more"`)}))
}

// TestPicturesOfRows: a picture is told by its data, or by where it is.
func TestPicturesOfRows(t *testing.T) {
	for text, want := range map[string]string{
		`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AA"}}`: `"media":"image/png","data":"AA"`,
		`{"type":"image","source":{"mimeType":"image/gif","data":"AA"}}`:                   `"media":"image/gif","data":"AA"`,
		`{"type":"image","source":{"type":"url","url":"https://x/y"}}`:                     `"media":null,"url":"https://x/y"`,
		`{"type":"image","source":{"type":"file","file_id":"f1"}}`:                         `"media":null,"url":"f1"`,
		`{"type":"image","source":{"path":"/p"}}`:                                          `"media":null,"url":"/p"`,
		`"https://x/z"`:              `"media":null,"url":"https://x/z"`,
		`"file.png"`:                 `"media":null,"url":"file.png"`,
		`"data:image/png;base64,AA"`: `"media":"image/png","data":"AA"`,
	} {
		require.Equal(t, []string{`picture ` + want}, things(1<<says.Picture, says.Thing{Is: says.Prompt, Text: v(`"x"`), Media: v(`[` + text + `]`)}), text)
		require.Equal(t, []string{`picture "call":"c",` + want}, things(1<<says.Picture, says.Thing{Is: says.Result, Call: v(`"c"`), Text: v(`[` + text + `]`)}), text)
		require.Equal(t, []string{`picture ` + want}, things(1<<says.Picture, says.Thing{Is: says.Picture, Text: v(text)}), text)
		require.Empty(t, things(1<<says.Prompt, says.Thing{Is: says.Picture, Text: v(text)}), text)
		require.Equal(t, []string{`prompt "text":"","images":1`}, things(1<<says.Prompt, says.Thing{Is: says.Prompt, Media: v(`[` + text + `]`)}), text)
	}
}

// TestUnsure: a prompt that another entry may tell better waits for what follows it, and has no row if the log has such entries.
func TestUnsure(t *testing.T) {
	unsure := says.Thing{Is: says.Prompt, Text: v(`"x"`), Unsure: true}
	for kind := says.Prompt; kind <= says.Undone; kind++ {
		if kind == says.Kinds {
			continue
		}
		waits := false
		switch kind {
		case says.Result, says.Queued, says.Unqueued, says.Context, says.Setting, says.Usage, says.Unread, says.Picture:
			waits = true
		}
		r, rows := begun(1 << says.Prompt)
		x := unsure
		r.thing(&x)
		r.from.uuid = v(`2`)
		other := says.Thing{Is: kind, Text: v(`"y"`), Call: v(`"c"`), Bill: &says.Counted{}}
		r.thing(&other)
		if kind == says.Prompt {
			require.Len(t, *rows, 2)
			require.Contains(t, (*rows)[0], `"x"`)
			continue
		}
		require.Equal(t, !waits, len(*rows) == 1, uint8(kind))
		r.sure = true
		r.End()
		if waits {
			require.NotContains(t, strings.Join(*rows, ""), `"x"`, uint8(kind))
		}
		require.LessOrEqual(t, len(*rows), 1, uint8(kind))
	}
	r, rows := begun(1<<says.Prompt | 1<<says.Picture)
	r.sure = true
	x := unsure
	r.thing(&x)
	r.End()
	require.Empty(t, *rows, "the log tells them better")

	r, rows = begun(1 << says.Prompt)
	r.from.agent = v(`"g"`)
	x = unsure
	r.thing(&x)
	r.from.uuid = v(`2`)
	r.thing(&says.Thing{Is: says.Prompt, Text: v(`"y"`)})
	require.Len(t, *rows, 2, "also in a sub-agent, and in the order of the log")
	require.Contains(t, (*rows)[0], `"x"`)

	r, rows = begun(1 << says.Picture)
	x = says.Thing{Is: says.Prompt, Text: v(`[{"type":"image","source":{"data":"AA"}}]`), Unsure: true}
	r.thing(&x)
	r.End()
	require.Empty(t, *rows, "its pictures are told better, too")
}

// TestRestored: a file that a client names behind a compaction was attached by itself, until somebody prompts.
func TestRestored(t *testing.T) {
	named := says.Thing{Is: says.File, Name: v(`"f"`)}
	for _, kind := range []says.Kind{says.Compaction, says.Summary} {
		require.Len(t, things(1<<says.File, named, says.Thing{Is: kind, Text: v(`"x"`)}, named, says.Thing{Is: says.Answer, Text: v(`"x"`)}, named), 1)
		require.Len(t, things(1<<says.File, named, says.Thing{Is: kind, Text: v(`"x"`)}, named, says.Thing{Is: says.Prompt, Text: v(`"x"`)}, named), 2)
	}
}

// TestPlainRows: what a thing that is no more than what it says has in its row.
func TestPlainRows(t *testing.T) {
	for _, test := range []struct {
		told says.Thing
		want []string
	}{
		{says.Thing{Is: says.Summary, Text: v(`"x"`), Alone: true}, []string{`summary "text":"x","alone":true`}},
		{says.Thing{Is: says.Summary, Text: v(`"x"`), Human: true}, []string{`summary "text":"x"`}},
		{says.Thing{Is: says.Summary, Text: v(`" "`)}, nil},
		{says.Thing{Is: says.Recap, Text: v(`"x"`)}, []string{`recap "text":"x"`}},
		{says.Thing{Is: says.Recap, Text: v(`" "`)}, nil},
		{says.Thing{Is: says.Context, Text: v(`"\n"`)}, nil},
		{says.Thing{Is: says.Title, Text: v(`"x"`), Rank: 3}, []string{`title "text":"x","rank":3`}},
		{says.Thing{Is: says.Title, Text: v(`7`)}, nil},
		{says.Thing{Is: says.Title, Text: v(`""`)}, []string{`title "text":"","rank":0`}},
		{says.Thing{Is: says.Shell, Input: v(`"ls"`), Text: v(`"x"`), Failed: true}, []string{`shell "command":"ls","text":"x","failed":true`}},
		{says.Thing{Is: says.Shell, Input: v(`"ls"`), Text: v(`"x"`), Refused: true}, []string{`shell "command":"ls","text":"x","failed":false`}},
		{says.Thing{Is: says.Hook, Name: v(`"n"`), Text: v(`"x"`)}, []string{`hook "name":"n","failed":false,"text":"x"`}},
		{says.Thing{Is: says.Hook, Name: v(`"n"`), What: "w", Text: v(`"x"`), Failed: true}, []string{`hook "name":"w","failed":true,"text":"x"`}},
		{says.Thing{Is: says.Fired, Name: v(`"n"`), Text: v(`"x"`)}, []string{`fired "name":"n","text":"x"`}},
		{says.Thing{Is: says.Compaction, Text: v(`"x"`), Extra: v(`{"preservedMessages":{"uuids":["a"]}}`)}, []string{`compaction "kept":["a"]`}},
		{says.Thing{Is: says.Compaction, Extra: v(`{"preservedSegment":{"headUuid":"a"},"firstKeptEntryId":"b"}`)}, []string{`compaction "kept":["a"]`}},
		{says.Thing{Is: says.Compaction, Extra: v(`{"firstKeptEntryId":"b"}`)}, []string{`compaction "kept":["b"]`}},
		{says.Thing{Is: says.Compaction, Extra: v(`{"firstKeptEntryId":""}`)}, []string{`compaction `}},
	} {
		got := things(1<<test.told.Is, test.told)
		for i := range got {
			got[i] = strings.TrimSuffix(got[i], "1,")
		}
		if test.told.Is == says.Compaction && len(test.want) == 1 && test.want[0] == "compaction " {
			require.Len(t, got, 1)
			continue
		}
		require.Equal(t, test.want, got)
		require.Empty(t, things(1<<says.Bill, test.told))
	}
	fired := func(call, name string) says.Thing { return says.Thing{Is: says.Fired, Call: v(call), Name: v(name)} }
	require.Len(t, things(1<<says.Fired, fired(`"a"`, `"n"`), fired(`"a"`, `"n"`), fired(`"b"`, `"n"`), fired("", `"n"`), fired("", `"n"`)), 4)
	task := says.Thing{Is: says.Task, Call: v(`"c"`), Text: v(`"x"`)}
	require.Len(t, things(1<<says.Task|1<<says.Result, says.Thing{Is: says.Call, Call: v(`"c"`), Name: v(`"ls"`)}, task), 0)
	require.Len(t, things(1<<says.Task|1<<says.Result, says.Thing{Is: says.Call, Call: v(`"d"`), Name: v(`"ls"`)}, task), 1)
}

// TestNamesOfLists: agents have several names for a list of what there is to do, for what its items say, and for their states.
func TestNamesOfLists(t *testing.T) {
	list := func(more ...says.Kind) func(name, input string) []string {
		return func(name, input string) []string {
			return things(1<<says.Todo, says.Thing{Is: says.Call, Call: v(`"c"`), Name: v(`"` + name + `"`), Input: v(input)}, says.Thing{Is: says.Result, Call: v(`"c"`)})
		}
	}()
	for _, name := range []string{"todos", "plan", "items", "todoList"} {
		require.Equal(t, []string{`todo "id":null,"text":"a","status":"pending"`}, list("todo", `{"`+name+`":[{"content":"a"}]}`), name)
	}
	for _, name := range []string{"title", "description", "text", "step", "content"} {
		require.Equal(t, []string{`todo "id":"1","text":"a","status":"pending"`}, list("plan", `{"todos":[{"id":"1","`+name+`":"a"}]}`), name)
	}
	for name, want := range map[string]string{
		"": "pending", "Done": "completed", "complete": "completed", "completed": "completed", "TODO_STATUS_COMPLETED": "completed", "active": "in_progress",
		"todo_status_in_progress": "in_progress", "todo_status_pending": "pending", "blocked": "blocked",
	} {
		require.Equal(t, []string{`todo "id":null,"text":"a","status":"` + want + `"`}, list("todo", `{"todos":[{"content":"a","status":"`+name+`"}]}`), name)
	}
	require.Equal(t, []string{`todo "id":null,"text":"ab","status":"completed"`}, list("todo", `{"todos":"- [x] ab\n- [x  ab\n-[ ] ab\n-x[x] ab\n- [x]-ab"}`))
	require.Empty(t, things(1<<says.File, says.Thing{Is: says.Call, Call: v(`"c"`), Name: v(`"todo"`), Input: v(`{"todos":[{"content":"a"}]}`)}, says.Thing{Is: says.Result, Call: v(`"c"`)}))
	require.Empty(t, list("todo", `7`))
	require.Empty(t, list("taskcreate", `7`))

	r, rows := begun(1 << says.Todo)
	todo := func(agent string, side bool, text string) int {
		r.from.agent, r.from.sidechain = v(agent), side
		r.from.uuid = append(v(`1`), byte('0'+len(*rows)))
		r.thing(&says.Thing{Is: says.Call, Call: v(`"c"`), Name: v(`"todo"`), Input: v(`{"todos":[{"content":"` + text + `"}]}`)})
		before := len(*rows)
		r.thing(&says.Thing{Is: says.Result, Call: v(`"c"`)})
		return len(*rows) - before
	}
	for _, step := range []struct {
		agent string
		side  bool
		text  string
		want  int
	}{{"", false, "a", 1}, {"", false, "a", 0}, {"", true, "b", 1}, {`"g"`, false, "c", 1}, {`"g"`, true, "d", 1}, {`"h"`, true, "e", 1}, {`"g"`, true, "d", 0}, {"", false, "f", 2}} {
		require.Equal(t, step.want, todo(step.agent, step.side, step.text), step)
	}
	r, rows = begun(1 << says.Todo)
	for _, c := range [][2]string{{"TaskCreate", `{"subject":"a"}`}, {"TaskUpdate", `{"taskId":"1","status":"done"}`}} {
		r.from.agent = v(`"g"`)
		r.thing(&says.Thing{Is: says.Call, Call: v(`"c"`), Name: v(`"` + c[0] + `"`), Input: v(c[1])})
		r.thing(&says.Thing{Is: says.Result, Call: v(`"c"`)})
	}
	require.Len(t, *rows, 2, "a sub-agent changes its own list")
	require.Equal(t, []string{`todo "id":"12","text":"","status":"pending"`}, things(1<<says.Todo, says.Thing{Is: says.Call, Call: v(`"c"`), Name: v(`"TaskCreate"`), Input: v(`{}`)},
		says.Thing{Is: says.Result, Call: v(`"c"`), Text: v(`[{"type":"text","text":"no number"},{"type":"text","text":"#12 and #13"},{"type":"text","text":"#19"}]`)}))
}

// part returns the texts of the rows of the lines of a log, of which those that begin with a - are not in the part.
func part(t *testing.T, kinds Kinds, f func(*Rows), log ...string) (got []string, report string) {
	r := New(kinds, false, func(row []byte) { got = append(got, string(row)) })
	if f != nil {
		f(r)
	}
	for _, l := range log {
		l, isOut := strings.CutPrefix(l, "-")
		in := dialect.NewReader(line.NewForward(strings.NewReader(l+"\n")), entry.Decoder{}, nil)
		require.True(t, in.Next(), l)
		if isOut {
			r.Pass(in.Entry(), dialect.Claude)
		} else {
			r.Entry(in.Entry(), dialect.Claude)
		}
	}
	r.End()
	return got, r.Report()
}

// TestPart: what entries out of the part say has no rows, and those of the others are as if it had; what an entry in the part tells
// again has its row there.
func TestPart(t *testing.T) {
	says1 := func(id, role, content string) string {
		return `{"type":"` + role + `","uuid":"` + id + `","sessionId":"s","timestamp":"2026-01-01T00:00:00Z","message":{"role":"` + role + `","id":"m` + id + `","model":"m","content":` + content + `}}`
	}
	user := func(id, text string) string { return says1(id, "user", `"`+text+`"`) }
	call := says1("a", "assistant", `[{"type":"tool_use","id":"call one","name":"ls","input":{}},{"type":"hologram"}]`)
	result := says1("b", "user", `[{"type":"tool_result","tool_use_id":"call one","content":"ok"}]`)
	kinds := Kinds(1<<says.Prompt | 1<<says.Call | 1<<says.Result | 1<<says.Answer | 1<<says.Todo)
	for name, test := range map[string]struct {
		log  []string
		want []string // kind, id of the entry and text
	}{
		"all":                             {[]string{user("a", "x"), user("b", "y")}, []string{"prompt a x", "prompt b y"}},
		"one":                             {[]string{"-" + user("a", "x"), user("b", "y")}, []string{"prompt b y"}},
		"a copy in the part":              {[]string{"-" + user("a", "x"), user("b", "x")}, []string{"prompt b x"}},
		"a copy out of it":                {[]string{user("a", "x"), "-" + user("b", "x"), user("c", "x")}, []string{"prompt a x"}},
		"three copies":                    {[]string{"-" + user("a", "x"), "-" + user("b", "x"), user("c", "x"), "-" + user("d", "x"), user("e", "x")}, []string{"prompt c x"}},
		"the call of a result":            {[]string{"-" + call, result}, []string{"result b ok"}},
		"the result of a call":            {[]string{call, "-" + result}, []string{"call a "}},
		"the same entry again, in it":     {[]string{"-" + user("a", "x"), strings.Replace(user("a", "x"), `"s"`, `"s","version":"2"`, 1)}, []string{"prompt a x"}},
		"the same entry again, out of it": {[]string{user("a", "x"), "-" + strings.Replace(user("a", "x"), `"s"`, `"s","version":"2"`, 1)}, []string{"prompt a x"}},
	} {
		rows, report := part(t, kinds, nil, test.log...)
		var got []string
		for _, row := range rows {
			w := entry.Value(row)
			got = append(got, string(w.Member("is").Text())+" "+string(w.Member("uuid").Text())+" "+string(w.Member("text").Text()))
		}
		require.Equal(t, test.want, got, name)
		require.Equal(t, strings.HasPrefix(strings.Join(test.log, ""), `{"type":"assistant"`), report != "", name)
	}
	rows, _ := part(t, 1<<says.Result, nil, "-"+call, result)
	require.Contains(t, rows[0], `"name":"ls","failed":false,"seconds":0,`)
	rows, _ = part(t, kinds, nil, user("a", "x"), `{"type":"user","uuid":"b","sessionId":"s","message":{"content":"broken \q"}}`, "-"+`{"type":"user","uuid":"c","sessionId":"s","message":{"content":"broken \q"}}`)
	require.Len(t, rows, 1)
}

// TestMembersOfAllRows: each row has the session, the sub-agent and the log that it is of, where they are told, and its own key.
func TestMembersOfAllRows(t *testing.T) {
	log := []string{
		`{"type":"user","uuid":"a","timestamp":"2026-01-01T00:00:00Z","message":{"content":"x"}}`,
		`{"type":"user","uuid":"b","sessionId":"t","isSidechain":true,"agentId":"g","timestamp":"2026-01-01T00:00:00Z","message":{"content":"y"}}`,
		`{"type":"user","uuid":"c","sessionId":"u","isSidechain":true,"timestamp":"2026-01-01T00:00:00Z","message":{"content":"z"}}`,
		`{"type":"novelty","uuid":"d","sessionId":"u"}`,
	}
	rows, _ := part(t, 1<<says.Prompt|1<<says.Unread, func(r *Rows) {
		r.File = v(`"f"`)
		r.Session = func() entry.Value { return v(`"s"`) }
	}, log...)
	require.Len(t, rows, 4)
	for i, want := range []string{
		`{"is":"prompt","timestamp":"2026-01-01T00:00:00Z","session":"s","uuid":"a","text":"x","images":0,"file":"f","key":"`,
		`{"is":"prompt","timestamp":"2026-01-01T00:00:00Z","session":"t","agentId":"g","uuid":"b","text":"y","images":0,"by":"model","file":"f","key":"`,
		`{"is":"prompt","timestamp":"2026-01-01T00:00:00Z","session":"u","isSidechain":true,"uuid":"c","text":"z","images":0,"by":"model","file":"f","key":"`,
		`{"is":"unread","session":"s","what":"entry novelty","count":1,"file":"f"}`,
	} {
		require.Equal(t, want, rows[i][:min(len(want), len(rows[i]))])
	}
}

// TestWhatAKeyIsOf: the key of a row is of its kind, its time and what it says; without a time, of the session and the entry, too.
func TestWhatAKeyIsOf(t *testing.T) {
	keyOf := func(kind says.Kind, time, session, agent, uuid, text string) string {
		r, rows := begun(1<<says.Prompt | 1<<says.Recap)
		r.from.time, r.from.session, r.from.agent, r.from.uuid = v(time), v(session), v(agent), v(uuid)
		r.thing(&says.Thing{Is: kind, Text: v(text), Human: true})
		require.Len(t, *rows, 1)
		return keyIn(t, (*rows)[0])
	}
	const is = says.Prompt
	key := keyOf(is, `"1"`, `"s"`, `"g"`, `"u"`, `"x"`)
	require.Equal(t, key, keyOf(is, `"1"`, `"t"`, ``, `"v"`, `"x"`))
	require.NotEqual(t, key, keyOf(says.Recap, `"1"`, `"s"`, `"g"`, `"u"`, `"x"`))
	require.NotEqual(t, key, keyOf(is, `"2"`, `"s"`, `"g"`, `"u"`, `"x"`))
	require.NotEqual(t, key, keyOf(is, `"1"`, `"s"`, `"g"`, `"u"`, `"y"`))
	key = keyOf(is, ``, `"s"`, ``, `"u"`, `"x"`)
	require.Equal(t, key, keyOf(is, ``, `"s"`, `"g"`, `"u"`, `"x"`))
	require.NotEqual(t, key, keyOf(is, ``, `"t"`, ``, `"u"`, `"x"`))
	require.NotEqual(t, key, keyOf(is, ``, `"s"`, ``, `"v"`, `"x"`))
	require.Len(t, key, len(`0123456789abcdef"}`))
	require.Regexp(t, `^[0-9a-f]{16}"}$`, key)

	r, rows := begun(1 << says.Prompt)
	r.thing(&says.Thing{Is: is, Text: v(`"x"`)})
	r.thing(&says.Thing{Is: is, Text: v(`"x"`)})
	require.Len(t, *rows, 2, "one entry says it twice")
	require.NotEqual(t, keyIn(t, (*rows)[0]), keyIn(t, (*rows)[1]))
	r.keys = nil
	r.thing(&says.Thing{Is: is, Text: v(`"x"`)})
	require.Len(t, *rows, 2, "another one is a copy")
}
