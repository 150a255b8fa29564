package said

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/line"
	"jl/internal/says"
)

// TestPromptRows: what is a prompt, and what beside one.
func TestPromptRows(t *testing.T) {
	const prompts, contexts = 1 << says.Prompt, 1 << says.Context
	prompt := func(text string) says.Thing { return says.Thing{Is: says.Prompt, Text: v(text)} }
	context := func(text string) says.Thing { return says.Thing{Is: says.Context, Text: v(text)} }
	text := func(s string) string { return `{"type":"text","text":"` + s + `"}` }
	untyped := func(s string) says.Thing { x := prompt(s); x.Untyped = true; return x }
	again := says.Thing{Is: says.Answer, Text: v(`"a"`), Again: true}
	said := context(`"a"`)
	said.Message = v(`"m"`)
	const notice = `<task-notification><summary>s</summary></task-notification>`
	for name, test := range map[string]struct {
		kinds Kinds
		told  []says.Thing
		want  []string
	}{
		"escapes of the log":              {prompts, []says.Thing{prompt(`"a < \u00e9\/"`)}, []string{`prompt "text":"a < \u00e9\/","images":0`}},
		"of a call":                       {prompts, []says.Thing{{Is: says.Prompt, Text: v(`"x"`), Call: v(`"c"`), Name: v(`"n"`)}}, []string{`prompt "text":"x","images":0,"call":"c"`}},
		"only a picture, of nobody":       {prompts, []says.Thing{untyped(`[{"type":"image","source":{}}]`)}, []string{`prompt "text":"","images":1,"by":"model"`}},
		"a picture that tells its kind":   {1 << says.Picture, []says.Thing{prompt(`[{"type":"image","mimeType":"image/png","data":"AA"}]`)}, []string{`picture "media":"image/png","data":"AA"`}},
		"peers":                           {prompts | 1<<says.Member, []says.Thing{untyped(`[` + text(`<teammate-message teammate_id=\"ann\">m</teammate-message>`) + `,` + text("x") + `]`)}, []string{`member "name":"ann","text":"m"`}},
		"an interruption":                 {contexts | 1<<says.Failure, []says.Thing{context(`"[Request interrupted by user]"`)}, []string{`error "text":"[Request interrupted by user]"`}},
		"what a shell printed":            {contexts | 1<<says.Shell, []says.Thing{context(`"<bash-stdout>x</bash-stdout>"`)}, []string{`shell "command":null,"text":"x","failed":false`}},
		"what a client put in":            {contexts, []says.Thing{context(`"<system-reminder>x</system-reminder>"`)}, []string{`context "text":"<system-reminder>x</system-reminder>"`}},
		"a notice, and a sign":            {contexts | 1<<says.Task, []says.Thing{context(`[` + text(notice) + `,` + text("a < b") + `]`)}, []string{`task "call":null,"failed":false,"text":"s"`, `context "text":"a < b"`}},
		"a sign, and a notice":            {contexts | 1<<says.Task, []says.Thing{context(`[` + text("a < b") + `,` + text(notice) + `]`)}, []string{`task "call":null,"failed":false,"text":"s"`, `context "text":"a < b"`}},
		"what no model said, and it does": {contexts | 1<<says.Answer, []says.Thing{context(`"a"`), again}, []string{`context "text":"a"`, `answer "text":"a","model":null`}},
		"what a model said, and again":    {contexts | 1<<says.Answer, []says.Thing{said, again}, []string{`context "text":"a"`}},
		"broken, and unsure":              {prompts, []says.Thing{{Is: says.Prompt, Text: v(`"\q"`), Unsure: true}}, nil},
		"hooks of two names":              {1 << says.Hook, []says.Thing{{Is: says.Hook, Name: v(`"n"`), Text: v(`"x"`)}, {Is: says.Hook, Name: v(`"o"`), Text: v(`"x"`)}}, []string{`hook "name":"n","failed":false,"text":"x"`, `hook "name":"o","failed":false,"text":"x"`}},
		"two commands":                    {1 << says.Shell, []says.Thing{{Is: says.Shell, Input: v(`"n"`)}, {Is: says.Shell, Input: v(`"o"`)}}, []string{`shell "command":"n","text":"","failed":false`, `shell "command":"o","text":"","failed":false`}},
		"two tokens without an id":        {1 << says.Usage, []says.Thing{{Is: says.Usage, Tokens: says.Tokens{Input: 1}}, {Is: says.Usage, Tokens: says.Tokens{Input: 1}}}, []string{usageOf("null", 1), usageOf("null", 1)}},
		"two requests without a message":  {1 << says.Usage, []says.Thing{{Is: says.Usage, Scope: says.OfRequest, Tokens: says.Tokens{Input: 1}}, {Is: says.Usage, Scope: says.OfRequest, Tokens: says.Tokens{Input: 1}}}, []string{usageOf("null", 1), usageOf("null", 1)}},
		"the first of all counts":         {1 << says.Usage, []says.Thing{{Is: says.Usage, Counter: 1, Tokens: says.Tokens{Input: 1}}, {Is: says.Usage, Counter: 12, Tokens: says.Tokens{Input: 1}}}, []string{usageOf(`" 1"`, 1), usageOf(`" 12"`, 1)}},
		"two lists":                       {1 << says.Todo, []says.Thing{{Is: says.Call, Call: v(`"c"`), Name: v(`"todo"`), Input: v(`{"todos":[{"content":"a"}]}`)}, {Is: says.Result, Call: v(`"c"`)}, {Is: says.Call, Call: v(`"d"`), Name: v(`"TaskUpdate"`), Input: v(`{"status":"done"}`)}, {Is: says.Result, Call: v(`"d"`)}}, []string{`todo "id":null,"text":"a","status":"pending"`}},
		"nothing new in a list":           {1 << says.Todo, []says.Thing{{Is: says.Call, Call: v(`"c"`), Name: v(`"TaskCreate"`), Input: v(`{"subject":"a"}`)}, {Is: says.Result, Call: v(`"c"`), Text: v(`"#1234567890"`)}, {Is: says.Call, Call: v(`"d"`), Name: v(`"TaskUpdate"`), Input: v(`{"taskId":"1234567890","status":"pending"}`)}, {Is: says.Result, Call: v(`"d"`)}}, []string{`todo "id":"1234567890","text":"a","status":"pending"`}},
	} {
		require.Equal(t, test.want, things(test.kinds, test.told...), name)
	}

	// All at one time, so what they say tells them apart.
	r, rows := begun(1<<says.Hook | 1<<says.Shell | 1<<says.Todo | 1<<says.Recap | 1<<says.Summary | 1<<says.Setting)
	r.from.time = v(`"t"`)
	for i, x := range []says.Thing{
		{Is: says.Hook, Name: v(`"n"`), Text: v(`"x"`)}, {Is: says.Hook, Name: v(`"o"`), Text: v(`"x"`)}, {Is: says.Shell, Input: v(`"n"`)}, {Is: says.Shell, Input: v(`"o"`)},
		{Is: says.Recap, Text: v(`"x"`)}, {Is: says.Summary, Text: v(`"x"`)}, {Is: says.Setting, Model: v(`"a"`)}, {Is: says.Setting, Model: v(`"b"`)},
	} {
		r.keys = nil
		r.thing(&x)
		require.Len(t, *rows, i+1)
	}
	*rows, r.keys = nil, nil
	r.todoRow(item{"1", "a", "b"})
	r.keys = nil
	r.todoRow(item{"2", "a", "b"})
	require.Len(t, *rows, 2)
}

// usageOf returns the row of tokens of a message.
func usageOf(message string, input int) string {
	return `usage "message":` + message + `,"model":null,"input":1,"output":0,"cacheWrite":0,"cacheWrite5m":0,"cacheWrite1h":0,"cacheRead":0,"cwd":null`
}

// TestTwoUnsure: prompts that are unsure all wait for one that is sure.
func TestTwoUnsure(t *testing.T) {
	for _, agent := range []string{"", `"g"`} {
		r, rows := begun(1<<says.Prompt | 1<<says.Task)
		r.from.agent = v(agent)
		for i, text := range []string{`"a"`, `"b"`} {
			r.from.uuid = entry.Value{'1' + byte(i)}
			r.thing(&says.Thing{Is: says.Prompt, Text: v(text), Unsure: true})
			require.Empty(t, *rows)
		}
		r.sure = true
		r.thing(&says.Thing{Is: says.Prompt, Text: v(`"<task-notification><summary>s</summary></task-notification>"`), Unsure: true})
		r.End()
		require.Empty(t, *rows, "what they say beside is told better, too")
	}
	r, rows := begun(1 << says.Prompt)
	r.from.agent = v(`"g"`)
	r.thing(&says.Thing{Is: says.Prompt, Text: v(`""`), Unsure: true})
	r.End()
	require.Empty(t, *rows)
}

// TestPiecesOfOneText: a piece goes on with the one before if it is of the same kind, message and sub-agent.
func TestPiecesOfOneText(t *testing.T) {
	type of struct {
		kind           says.Kind
		piece          bool
		message, agent string
	}
	for name, test := range map[string]struct {
		second of
		want   int
	}{
		"a piece":              {of{says.Answer, true, `"m"`, ``}, 1},
		"no piece":             {of{says.Answer, false, `"m"`, ``}, 2},
		"of another kind":      {of{says.Thinking, true, `"m"`, ``}, 2},
		"of another message":   {of{says.Answer, true, `"n"`, ``}, 2},
		"of another sub-agent": {of{says.Answer, true, `"m"`, `"g"`}, 2},
	} {
		r, rows := begun(1<<says.Answer | 1<<says.Thinking)
		r.thing(&says.Thing{Is: says.Answer, Text: v(`"a"`), Message: v(`"m"`), Model: v(`"o"`), Piece: true})
		r.from.agent, r.from.uuid = v(test.second.agent), v(`2`)
		r.thing(&says.Thing{Is: test.second.kind, Text: v(`"b"`), Message: v(test.second.message), Piece: test.second.piece})
		r.End()
		require.Len(t, *rows, test.want, name)
		require.Contains(t, (*rows)[0], `"model":"o","message":"m"`)
		require.Equal(t, test.want == 1, strings.Contains((*rows)[0], `"text":"ab"`), name)
	}
}

// TestQueueOfTexts: what waits, what leaves the queue, and what is said.
func TestQueueOfTexts(t *testing.T) {
	const notice = `"<task-notification>n</task-notification>"`
	queue := func(texts ...string) *Queue {
		q := newQueue()
		for i, text := range texts {
			q.enqueue(v(text), origin{uuid: v(`1`)}, int64(i))
		}
		return &q
	}
	says1 := func(q *Queue, text string) { q.says(v(text), typedIn(v(text)), 5) }

	for text, want := range map[string]bool{"/": true, "/x": true, "/x y": false, "x": false, "": false} {
		require.Equal(t, want, (&waiting{typed: []byte(text)}).isCommand(), text)
	}
	q := queue(notice, `[{"type":"image","source":{}}]`)
	q.unqueue(&says.Thing{}, origin{}, 0)
	require.Equal(t, []bool{false, true}, []bool{q.all[0].left, q.all[1].left}, "a person sent the picture")
	q.unqueue(&says.Thing{}, origin{}, 0)
	require.True(t, q.all[0].left, "nothing else is in the queue")
	require.Equal(t, `1`, string(q.all[0].from.uuid))

	for waits, said := range map[string]string{
		notice: strings.Replace(notice, "n", `\u006e`, 1),
		`"<system-reminder>x</system-reminder>A"`: `"<system-reminder>x</system-reminder>\u0041"`,
		`[{"type":"text","text":"A"}]`:            `"A"`,
		`" A\nB"`:                                 `[{"type":"text","text":"A"},{"type":"text","text":"B"}]`,
		`"x y"`:                                   `"<command-name>x</command-name><command-args>y</command-args>"`,
		`"l"`:                                     `"<bash-input>l</bash-input>"`,
	} {
		q := queue(waits)
		says1(q, said)
		require.Zero(t, q.count, waits)
	}

	q = queue("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19", "20")
	q.waits = nil
	for _, w := range slices.Clone(q.all[:15]) {
		q.say(w)
	}
	require.Len(t, q.all, 5, "those that were said are forgotten")
	require.Len(t, q.left(), 5)

	q = queue(`"A"`, `"B"`)
	q.unqueue(&says.Thing{Text: v(`"A"`)}, origin{}, 0)
	require.Equal(t, []bool{true, false}, []bool{q.all[0].left, q.all[1].left})
	says1(q, `"A"`)
	require.Equal(t, 1, q.count, "it left the queue, and was said then")
	require.Zero(t, q.due)

	q = queue(`"A"`, notice)
	q.unqueue(&says.Thing{All: true}, origin{}, 0)
	says1(q, notice)
	says1(q, `"A"`)
	require.Zero(t, q.due, "nothing is in the queue")
	q.enqueue(v(`"C"`), origin{}, 0)
	says1(q, `"C"`)
	require.Equal(t, 1, q.due)
	q.unqueue(&says.Thing{Text: v(`"C"`)}, origin{}, 0)
	require.Zero(t, q.due)
	q.unqueue(&says.Thing{Text: v(`"C"`)}, origin{}, 0)
	require.Zero(t, q.due)
	q = queue(`"A"`, `"B"`)
	says1(q, `"A"`)
	says1(q, `"B"`)
	q.unqueue(&says.Thing{Text: v(`"A"`)}, origin{}, 0)
	require.Equal(t, 1, q.due)

	for said, want := range map[string]bool{
		`"\u0042"`: false, `[{"type":"text","text":"B"},{"type":"text","text":"more"}]`: false, `[{"type":"text","text":"more"},{"type":"text","text":"B"}]`: false, `"more"`: true,
	} {
		q = queue(`"B"`)
		q.unqueue(&says.Thing{}, origin{}, 0)
		q.enqueue(v(`"A"`), origin{}, 0)
		q.unqueue(&says.Thing{All: true}, origin{}, 0)
		a := q.all[1]
		says1(q, said)
		require.Equal(t, want, a.said, said)
	}

	for typed, waits := range map[string][]string{`a\nb\nc`: {`"a\nb"`, `"c"`}, `c\na\nb`: {`"a\nb"`, `"c"`}} {
		require.True(t, queue(waits...).joined([]byte(typed)), typed)
	}
	require.False(t, queue(`"a\nx"`).joined([]byte(`a\ny`)), "only the first line")
	require.False(t, queue(`"a\nb"`).joined([]byte(`a\nbc`)), "a part of a line")
	q = queue(`"a"`, `"b"`)
	says1(q, `"a"`)
	require.False(t, q.joined([]byte(`a\nb`)), "it was said")

	r, rows := begun(1<<says.Prompt | 1<<says.Picture)
	asked := 0
	r.Ahead = func(dialect.Dialect) map[int64]bool { asked++; return map[int64]bool{0: true} }
	blocks := `[{"type":"text","text":"A"},{"type":"image","source":{"data":"AA"}}]`
	r.from.uuid = v(`1`)
	r.thing(&says.Thing{Is: says.Queued, Text: v(blocks)})
	r.thing(&says.Thing{Is: says.Unqueued, Text: v(`"x"`)})
	require.Equal(t, 1, asked)
	require.Contains(t, (*rows)[0], `"text":"A","images":1,"queued":true`)
	r.thing(&says.Thing{Is: says.Unqueued})
	require.Len(t, *rows, 3)

	r, rows = begun(1 << says.Prompt)
	r.from = origin{time: v(`"t"`), session: v(`"s"`), agent: v(`"g"`), uuid: v(`1`)}
	r.thing(&says.Thing{Is: says.Queued, Text: v(`"A"`)})
	r.from = origin{}
	r.End()
	require.Contains(t, (*rows)[0], `{"is":"prompt","timestamp":"t","session":"s","agentId":"g","uuid":1,"text":"A","images":0,"queued":true,"key"`)

	r, _ = begun(1 << says.Prompt)
	for i, text := range []string{`"alpha"`, `"beta"`, `"alpha"`} {
		r.queue.enqueue(v(text), origin{}, int64(i))
	}
	words, ok := r.Sought(nil)
	require.True(t, ok)
	require.Len(t, words, 2, "each word once")
}

// TestSilentEntries: an entry that says nothing is none of those that come while a text waits, and ends no copy.
func TestSilentEntries(t *testing.T) {
	const silent = `{"type":"system","subtype":"turn_duration","uuid":"%","sessionId":"s","timestamp":"2026-01-01T00:00:09Z"}`
	enqueue, dequeue := `{"type":"queue-operation","operation":"enqueue","content":"A","sessionId":"s"}`, `{"type":"queue-operation","operation":"dequeue","sessionId":"s"}`
	prompt := `{"type":"user","uuid":"u","sessionId":"s","message":{"content":"A"}}`
	rows, _ := part(t, 1<<says.Prompt, nil, enqueue, strings.Replace(silent, "%", "1", 1), strings.Replace(silent, "%", "2", 1), dequeue, prompt)
	require.Len(t, rows, 1)
	require.NotContains(t, rows[0], "queued")
	rows, _ = part(t, 1<<says.Prompt, func(r *Rows) {
		r.ofLog = r.stateOf(v(`"s"`), nil)
		r.state = r.ofLog
		r.copied = copied{is: true, own: v(`"a"`)}
	}, silent)
	require.Empty(t, rows)

	r, _ := begun(1 << says.Prompt)
	in := dialect.NewReader(line.NewForward(strings.NewReader(silent+"\n")), entry.Decoder{}, nil)
	require.True(t, in.Next())
	for _, is := range []bool{true, false} {
		r.copied = copied{is: is, own: v(`"a"`)}
		r.Entry(in.Entry(), dialect.Claude)
		require.Equal(t, !is, r.copied.none)
	}
	again := `{"type":"queue-operation","operation":"enqueue","content":"x","sessionId":"s","timestamp":"2026-01-01T00:00:01Z"}`
	rows, _ = part(t, 1<<says.Prompt, nil, again, again, strings.Replace(prompt, `"A"`, `"x"`, 1))
	require.Len(t, rows, 1, "the same line again")
	New(1<<says.Unread, false, func([]byte) { t.Fatal("a row of nothing") }).End()
}

// TestSureOnce: once an entry tells a prompt better, those that are unsure have no rows, whatever comes between.
func TestSureOnce(t *testing.T) {
	codex := func(typ, payload string) string {
		return `{"timestamp":"2026-01-01T00:00:01Z","type":"` + typ + `","payload":` + payload + `}`
	}
	log := strings.Join([]string{
		codex("session_meta", `{"id":"s"}`),
		codex("event_msg", `{"type":"user_message","message":"a"}`),
		codex("response_item", `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"x"}]}`),
		codex("response_item", `{"type":"message","role":"user","content":[{"type":"input_text","text":"b"}]}`), "",
	}, "\n")
	var rows []string
	r := New(1<<says.Prompt, false, func(row []byte) { rows = append(rows, string(row)) })
	in := dialect.NewReader(line.NewForward(strings.NewReader(log)), entry.Decoder{}, nil)
	for in.Next() {
		r.Entry(in.Entry(), in.Dialect())
	}
	r.End()
	require.Len(t, rows, 1)
	require.Contains(t, rows[0], `"text":"a"`)
}

// TestWhatIsAsked: whether a sub-agent has a log is asked once; the time of an entry may be a number.
func TestWhatIsAsked(t *testing.T) {
	r, _ := begun(0)
	require.False(t, r.hasLog("g"))
	asked := 0
	r, _ = begun(0)
	r.HasLog = func(agent string) bool { asked++; return agent == "g" }
	for range 2 {
		require.True(t, r.hasLog("g"))
		require.False(t, r.hasLog("h"))
	}
	require.Equal(t, 2, asked)
	for stamp, want := range map[string]string{`"yesterday"`: `"yesterday"`, `1767225600000`: `"2026-01-01T00:00:00.000Z"`, `true`: ""} {
		require.True(t, r.entry.Scan([]byte(`{"timestamp":`+stamp+`}`)))
		require.Equal(t, want, string(r.stamp()), stamp)
	}
}

// TestEndOfSeveral: at the end, what waits is of its own session and sub-agent, also what no rule reads.
func TestEndOfSeveral(t *testing.T) {
	call := func(id, session, cwd string) string {
		return `{"type":"assistant","uuid":"` + id + `","sessionId":"` + session + `","cwd":"` + cwd + `","timestamp":"2026-01-01T00:00:00Z","message":{"id":"m` + id + `","usage":{"input_tokens":1},"content":[{"type":"tool_use","id":"` + id + `","name":"Read","input":{"file_path":"x"}}]}}`
	}
	rows, _ := part(t, 1<<says.File|1<<says.Usage, nil, call("a", "s", "/p"), call("b", "t", "/q"))
	require.Len(t, rows, 4)
	for i, want := range []string{`"session":"s","uuid":"a",`, `"session":"t","uuid":"b",`, `"session":"s","uuid":"a","call":"a","name":"Read","cwd":"/p"`, `"session":"t","uuid":"b","call":"b","name":"Read","cwd":"/q"`} {
		require.Contains(t, rows[i], want)
	}
	r, got := begun(1 << says.Unread)
	r.state.session, r.state.agent = v(`"s"`), v(`"g"`)
	r.order = []*state{r.state}
	r.count("x")
	r.End()
	require.Equal(t, []string{`{"is":"unread","session":"s","agentId":"g","what":"x","count":1}`}, *got)
	rows, _ = part(t, 1<<says.Prompt, nil, `{"type":"user","uuid":"1","sessionId":"s","message":{"content":"x"}}`, `{"type":"user","uuid":"1","sessionId":"t","message":{"content":"x"}}`)
	require.Len(t, rows, 2, "a short id is of its session")
	r, _ = begun(1 << says.Prompt)
	x := says.Thing{Is: says.Prompt, Text: v(`"x"`)}
	r.from.uuid = v(`"u"`)
	for i, out := range []bool{false, true, false} {
		r.number, r.from.out = i, out
		require.Equal(t, i == 0, r.isNew(&x), i)
	}
}

// TestRowsOfTokens: a row has what is known of a message, and no more; of two that are requested, each has its own.
func TestRowsOfTokens(t *testing.T) {
	tokens := says.Tokens{Input: 1}
	for _, test := range []struct{ branch, agentType, want string }{{`"b"`, ``, `"cwd":null,"gitBranch":"b","key"`}, {``, `"a"`, `"cwd":null,"agentType":"a","key"`}} {
		r, rows := begun(1 << says.Usage)
		r.branch, r.told.AgentType = v(test.branch), v(test.agentType)
		r.thing(&says.Thing{Is: says.Usage, Message: v(`"m"`), Tokens: tokens})
		r.End()
		require.Contains(t, (*rows)[0], test.want)
	}
	message := func(id string) says.Thing { return says.Thing{Is: says.Usage, Message: v(id), Tokens: tokens} }
	request := says.Thing{Is: says.Usage, Scope: says.OfRequest, Tokens: tokens}
	require.Equal(t, []string{usageOf(`"m1"`, 1), usageOf(`"m2"`, 1)}, things(1<<says.Usage, message(`"m1"`), request, message(`"m2"`)))
	more := request
	more.Tokens.Thinking, more.Tokens.Searches = 1, 2
	require.Len(t, things(1<<says.Usage, message(`"m1"`), more), 1)
	keyOf := func(message, uuid string) string {
		r, rows := begun(1 << says.Usage)
		r.from.time, r.from.uuid = v(`"t"`), v(uuid)
		r.thing(&says.Thing{Is: says.Usage, Message: v(message), Tokens: tokens})
		r.End()
		return keyIn(t, (*rows)[0])
	}
	require.Equal(t, keyOf(`"long enough"`, `"long enough"`), keyOf(`"other long"`, `"other long"`), "the id of its entry, which a copy does not keep")
	require.NotEqual(t, keyOf(`"long enough"`, `"u"`), keyOf(`"other long"`, `"u"`))
	r, rows := begun(1 << says.Bill)
	r.thing(&says.Thing{Is: says.Bill, Bill: &says.Counted{}})
	require.Contains(t, (*rows)[0], `{"is":"bill",`)
	keyOf = func(session, call string) string {
		r, rows := begun(1 << says.Setting)
		r.from.session = v(session)
		r.thing(&says.Thing{Is: says.Setting, Call: v(call)})
		return keyIn(t, (*rows)[0])
	}
	require.Equal(t, keyOf(`"s"`, `"long enough"`), keyOf(`"t"`, `"long enough"`), "the header of a log without a time")

	// Of two answers in one entry that a summary may tell, both have rows; so has one before a prompt with tokens.
	r, rows = begun(1 << says.Answer)
	for i, text := range []string{`"a"`, `"b"`} {
		r.from.uuid = entry.Value{'1' + byte(i)}
		r.thing(&says.Thing{Is: says.Answer, Text: v(text), Unsure: true})
	}
	r.compare(&says.Telling{Things: []says.Thing{{Is: says.Prompt}, {Is: says.Usage}}})
	require.Len(t, *rows, 2)
	r, rows = begun(1<<says.Thinking | 1<<says.Prompt | 1<<says.Answer)
	r.anew = anew{known: map[uint64]bool{}, repeats: true}
	for i, step := range []struct {
		is   says.Kind
		text string
		want int
	}{{says.Thinking, `"a"`, 1}, {says.Thinking, `"b"`, 2}, {says.Prompt, `"a"`, 3}, {says.Answer, `"a"`, 4}, {says.Prompt, `"a"`, 4}, {says.Prompt, `"b"`, 5}} {
		r.from.uuid, r.from.sidechain = entry.Value{'1' + byte(i)}, true
		r.thing(&says.Thing{Is: step.is, Text: v(step.text), Human: true})
		require.Len(t, *rows, step.want, i)
	}
}
