package said

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
	"jl/internal/says"
	"jl/internal/shape"
)

// TestUsageRow: the members of a row of tokens, and what of them makes two messages one.
func TestUsageRow(t *testing.T) {
	x := says.Thing{
		Is: says.Usage, Message: v(`"message 1"`), Model: v(`"m"`), Speed: v(`"fast"`), Tier: v(`"batch"`), Geo: v(`"eu"`),
		Tokens: says.Tokens{Input: 1, Output: 2, Write: 3, Write5m: 4, Write1h: 5, Read: 6, Thinking: 7, Searches: 8},
	}
	r, rows := begun(1 << says.Usage)
	r.cwd, r.home, r.branch = v(`"/p"`), v(`"/h"`), v(`"main"`)
	r.told.AgentType, r.told.Skill, r.told.Server = v(`"Plan"`), v(`"k"`), v(`"srv"`)
	r.thing(&x)
	r.End()
	require.Len(t, *rows, 1)
	require.Contains(t, (*rows)[0], `{"is":"usage","timestamp":null,"session":null,"uuid":null,"message":"message 1","model":"m","speed":"fast","input":1,"output":2,"cacheWrite":3,`+
		`"cacheWrite5m":4,"cacheWrite1h":5,"cacheRead":6,"cwd":"/p","gitBranch":"main","agentType":"Plan","skill":"k","thinking":7,"tier":"batch","geo":"eu","webSearches":8,"mcp":"srv","key":"`)

	pieces := func(change func(*says.Thing)) (got []string) {
		more := x
		more.Tokens.Output = 9
		change(&more)
		return things(1<<says.Usage, x, more)
	}
	require.Equal(t, []string{`usage "message":"message 1","model":"m","speed":"slow","input":1,"output":9,"cacheWrite":3,"cacheWrite5m":4,"cacheWrite1h":5,"cacheRead":6,"cwd":null,"thinking":7,"tier":"prio","geo":"us","webSearches":8`},
		pieces(func(x *says.Thing) { x.Speed, x.Tier, x.Geo = v(`"slow"`), v(`"prio"`), v(`"us"`) }), "the last of those alike, or with more")
	require.Equal(t, []string{`usage "message":"message 1","model":"m","speed":"fast","input":1,"output":9,"cacheWrite":3,"cacheWrite5m":4,"cacheWrite1h":5,"cacheRead":6,"cwd":null,"thinking":7,"tier":"batch","geo":"eu","webSearches":8`},
		pieces(func(x *says.Thing) { x.Speed, x.Tier, x.Geo = nil, nil, nil }), "what the other does not tell")

	// Without an id, the figures are the key.
	keyOf := func(change func(*says.Tokens)) string {
		x := x
		x.Message = nil
		change(&x.Tokens)
		r, rows := begun(1 << says.Usage)
		r.from.time, r.from.uuid = v(`"t"`), v(`"u"`)
		r.thing(&x)
		r.End()
		return keyIn(t, (*rows)[0])
	}
	keys := map[string]bool{}
	for i, change := range []func(*says.Tokens){
		func(*says.Tokens) {}, func(x *says.Tokens) { x.Input = 9 }, func(x *says.Tokens) { x.Output = 9 }, func(x *says.Tokens) { x.Write = 9 }, func(x *says.Tokens) { x.Write5m = 9 },
		func(x *says.Tokens) { x.Write1h = 9 }, func(x *says.Tokens) { x.Read = 9 }, func(x *says.Tokens) { x.Thinking = 9 }, func(x *says.Tokens) { x.Searches = 9 },
		func(x *says.Tokens) { x.Input, x.Output = 12, 2 }, func(x *says.Tokens) { x.Input, x.Output = 1, 22 },
	} {
		keys[keyOf(change)] = true
		require.Len(t, keys, i+1)
	}
	require.Equal(t, `{1 2 3 4 5 6 7}`, string(new(Rows).figuresOf(x.Tokens, 7)))
	require.Equal(t, `{1 2 3 4 5 6}`, string(new(Rows).figuresOf(x.Tokens)))
}

// TestRequests: the tokens of a request are those of the message that tells the same of the same model and sub-agent, and of no other.
func TestRequests(t *testing.T) {
	tokens := says.Tokens{Input: 1, Output: 2}
	type step struct {
		message, model, agent string
		tokens                says.Tokens
	}
	for name, test := range map[string]struct {
		steps []step // a request has no message
		want  []string
	}{
		"a message, then its request":     {[]step{{`"m1"`, `"a"`, ``, tokens}, {``, `"a"`, ``, tokens}}, []string{`"m1"`}},
		"a request, then its message":     {[]step{{``, `"a"`, ``, tokens}, {`"m1"`, `"a"`, ``, tokens}}, []string{`"m1"`}},
		"which tells more":                {[]step{{``, `"a"`, ``, tokens}, {`"m1"`, `"a"`, ``, says.Tokens{Input: 1, Output: 2, Thinking: 1, Searches: 1}}}, []string{`"m1"`}},
		"two requests of one message":     {[]step{{`"m1"`, `"a"`, ``, tokens}, {``, `"a"`, ``, tokens}, {``, `"a"`, ``, tokens}}, []string{`"m1"`, `null`}},
		"two messages, then one request":  {[]step{{`"m1"`, `"a"`, ``, tokens}, {`"m2"`, `"a"`, ``, tokens}, {``, `"a"`, ``, tokens}}, []string{`"m1"`, `"m2"`}},
		"two requests, then two messages": {[]step{{``, `"a"`, ``, tokens}, {``, `"a"`, ``, tokens}, {`"m1"`, `"a"`, ``, tokens}, {`"m2"`, `"a"`, ``, tokens}}, []string{`"m1"`, `"m2"`}},
		"a request, a message, a request": {[]step{{``, `"a"`, ``, tokens}, {`"m1"`, `"a"`, ``, tokens}, {``, `"a"`, ``, tokens}}, []string{`"m1"`, `null`}},
		"one request, then two messages":  {[]step{{``, `"a"`, ``, tokens}, {`"m1"`, `"a"`, ``, tokens}, {`"m2"`, `"a"`, ``, tokens}}, []string{`"m1"`, `"m2"`}},
		"a piece of a message behind it":  {[]step{{``, `"a"`, ``, tokens}, {`"m1"`, `"a"`, ``, tokens}, {`"m1"`, `"a"`, ``, says.Tokens{Input: 1, Output: 3}}}, []string{`"m1"`}},
		"of another model":                {[]step{{`"m1"`, `"a"`, ``, tokens}, {``, `"b"`, ``, tokens}}, []string{`"m1"`, `null`}},
		"of another sub-agent":            {[]step{{`"m1"`, `"a"`, ``, tokens}, {``, `"a"`, `"g"`, tokens}}, []string{`"m1"`, `null`}},
		"of other tokens":                 {[]step{{`"m1"`, `"a"`, ``, tokens}, {``, `"a"`, ``, says.Tokens{Input: 1, Output: 3}}}, []string{`"m1"`, `null`}},
		"a message of another model":      {[]step{{``, `"b"`, ``, tokens}, {`"m1"`, `"a"`, ``, tokens}}, []string{`null`, `"m1"`}},
		"a message of another sub-agent":  {[]step{{``, `"a"`, `"g"`, tokens}, {`"m1"`, `"a"`, ``, tokens}}, []string{`null`, `"m1"`}},
		"a message of other tokens":       {[]step{{``, `"a"`, ``, tokens}, {`"m1"`, `"a"`, ``, says.Tokens{Input: 1}}}, []string{`null`, `"m1"`}},
	} {
		r, rows := begun(1 << says.Usage)
		for i, s := range test.steps {
			x := says.Thing{Is: says.Usage, Message: v(s.message), Model: v(s.model), Tokens: s.tokens, Scope: says.OfRequest}
			if s.message != "" {
				x.Scope = says.OfMessage
			}
			r.from.agent, r.from.uuid = v(s.agent), entry.Value{'1' + byte(i)}
			r.thing(&x)
		}
		r.End()
		var got []string
		for _, row := range *rows {
			got = append(got, string(entry.Value(row).Member("message")))
		}
		require.Equal(t, test.want, got, name)
	}
}

// TestCountersOfCopies: a counter of all tokens names a message by the log that counts: in a copy, by the one that it is of.
func TestCountersOfCopies(t *testing.T) {
	count := says.Thing{Is: says.Usage, Counter: 7, Tokens: says.Tokens{Input: 1}}
	for want, test := range map[string]copied{
		`"own 7"`: {root: v(`"other"`), session: v(`"x"`)}, `"other 7"`: {is: true, root: v(`"other"`), session: v(`"x"`)}, `" 7"`: {},
	} {
		r, rows := begun(1 << says.Usage)
		r.copies = true
		if r.copied = test; test.root != nil {
			r.root = v(`"own"`)
		}
		x := count
		r.thing(&x)
		r.End()
		require.Contains(t, (*rows)[0], `"message":`+want+`,`)
	}
	r, rows := begun(1 << says.Usage)
	r.copied, r.root = copied{is: true, session: v(`"x"`)}, v(`"own"`)
	r.copies = true
	x := count
	r.thing(&x)
	r.End()
	require.Contains(t, (*rows)[0], `"message":"own 7",`, "a copy that names no log")
	r, rows = begun(1 << says.Usage)
	r.copied = copied{is: true}
	x = says.Thing{Is: says.Usage, Message: v(`"message 1"`), Tokens: says.Tokens{Input: 1}}
	r.thing(&x)
	r.copied.is = false
	r.thing(&x)
	x.Tokens.Input = 2
	r.thing(&x)
	r.End()
	require.Empty(t, *rows, "what was copied has no row again")
	require.Empty(t, r.Report())
}

// TestUsageAnew: the tokens that are told anew, of the same model, have no row again.
func TestUsageAnew(t *testing.T) {
	usage := func(message, model string, input int64) says.Thing {
		return says.Thing{Is: says.Usage, Message: v(message), Model: v(model), Tokens: says.Tokens{Input: input}}
	}
	r, rows := begun(1<<says.Usage | 1<<says.Call)
	r.anew.known = map[uint64]bool{}
	for i, x := range []says.Thing{usage(`"m1"`, `"a"`, 1), usage(`"m2"`, `"a"`, 1), usage(`"m3"`, `"a"`, 2), usage(`"m4"`, `"b"`, 1)} {
		r.from.uuid = entry.Value{'1' + byte(i)}
		r.anew.repeats = i > 0
		r.thing(&x)
	}
	r.End()
	require.Len(t, *rows, 3)
	require.NotContains(t, strings.Join(*rows, ""), `"m2"`)
}

// TestMessagesInThePart: a message has its row in the part if one of its entries is there, and only what no row has is late.
func TestMessagesInThePart(t *testing.T) {
	for _, test := range []struct {
		out  [2]bool
		want int
	}{{[2]bool{false, false}, 1}, {[2]bool{true, false}, 1}, {[2]bool{false, true}, 1}, {[2]bool{true, true}, 0}} {
		r, rows := begun(1 << says.Usage)
		for i, out := range test.out {
			r.from.out, r.from.sidechain = out, !out
			x := says.Thing{Is: says.Usage, Message: v(`"m1"`), Tokens: says.Tokens{Input: int64(i)}}
			r.thing(&x)
		}
		r.End()
		require.Len(t, *rows, test.want, test.out)
	}
}

// TestBillRow: the members of what the client counted, and what of them is its key: the time of the start alone, or else all.
func TestBillRow(t *testing.T) {
	start := v(`"of a capture"`)
	make := func(change func(*says.Thing, *says.Counted)) string {
		x := says.Thing{Is: says.Bill, Tokens: says.Tokens{Input: 1, Output: 2, Write: 3, Write5m: 9, Read: 4},
			Bill: &says.Counted{Start: start, Dollars: v(`0.5`), Added: v(`6`), Removed: v(`7`), Millis: v(`1500`)}}
		change(&x, x.Bill)
		r, rows := begun(1 << says.Bill)
		r.from.time = v(`"t"`)
		r.thing(&x)
		require.Equal(t, x.Bill.Start == nil, len(*rows) == 1, "it waits for the next one")
		r.End()
		r.End()
		require.Len(t, *rows, 1)
		return (*rows)[0]
	}
	row := make(func(*says.Thing, *says.Counted) {})
	require.Contains(t, row, `"dollars":0.5,"input":1,"output":2,"cacheWrite":3,"cacheRead":4,"linesAdded":6,"linesRemoved":7,"seconds":1.5,"key"`)
	keys := map[string]bool{keyIn(t, row): true}
	for i, change := range []func(*says.Thing, *says.Counted){
		func(_ *says.Thing, b *says.Counted) { b.Start = nil }, func(_ *says.Thing, b *says.Counted) { b.Start = v(`6`) }, func(_ *says.Thing, b *says.Counted) { b.Dollars = v(`0.6`) },
		func(_ *says.Thing, b *says.Counted) { b.Added = v(`8`) }, func(_ *says.Thing, b *says.Counted) { b.Removed = v(`8`) }, func(x *says.Thing, _ *says.Counted) { x.Tokens.Write = 8 },
	} {
		keys[keyIn(t, make(change))] = true
		require.Len(t, keys, i+2)
	}
	require.Contains(t, make(func(_ *says.Thing, b *says.Counted) { b.Millis = nil }), `"seconds":null`)
	start = v(`1767225600000`)
	of := make(func(x *says.Thing, b *says.Counted) {})
	require.Equal(t, keyIn(t, of), keyIn(t, make(func(x *says.Thing, b *says.Counted) { b.Dollars, x.Tokens.Output = v(`0.6`), 8 })))
	require.NotEqual(t, keyIn(t, of), keyIn(t, make(func(x *says.Thing, b *says.Counted) { b.Start = v(`1767225600001`) })))
}

// TestWords: answers and thoughts, whose rows the log has once, and in its order.
func TestWords(t *testing.T) {
	answer := func(text string) says.Thing { return says.Thing{Is: says.Answer, Text: v(text)} }
	thought := func(text string) says.Thing { return says.Thing{Is: says.Thinking, Text: v(text)} }
	again, unsure := answer(`"a"`), answer(`"a"`)
	again.Again, unsure.Unsure = true, true
	summary := func(text string) says.Thing { return says.Thing{Is: says.Summary, Text: v(text)} }
	hook := says.Thing{Is: says.Hook, Text: v(`"h"`)}
	for name, test := range map[string]struct {
		kinds []says.Kind
		told  []says.Thing
		want  []string
	}{
		"answers":                      {[]says.Kind{says.Answer}, []says.Thing{answer(`"a"`), thought(`"t"`), answer(`" "`)}, []string{`answer "text":"a","model":null`}},
		"thoughts":                     {[]says.Kind{says.Thinking}, []says.Thing{answer(`"a"`), thought(`"t"`), thought(`" "`)}, []string{`thinking "text":"t","model":null`}},
		"again":                        {[]says.Kind{says.Answer}, []says.Thing{answer(`"a"`), again}, []string{`answer "text":"a","model":null`}},
		"again, behind another":        {[]says.Kind{says.Answer}, []says.Thing{answer(`"a"`), answer(`"b"`), again}, []string{`answer "text":"a","model":null`, `answer "text":"b","model":null`}},
		"again, behind four others":    {[]says.Kind{says.Answer}, []says.Thing{answer(`"a"`), answer(`"b"`), answer(`"c"`), answer(`"d"`), answer(`"e"`), again}, []string{`answer "text":"a","model":null`, `answer "text":"b","model":null`, `answer "text":"c","model":null`, `answer "text":"d","model":null`, `answer "text":"e","model":null`, `answer "text":"a","model":null`}},
		"again, behind thoughts":       {[]says.Kind{says.Answer, says.Thinking}, []says.Thing{answer(`"a"`), thought(`"t"`), again}, []string{`answer "text":"a","model":null`, `thinking "text":"t","model":null`}},
		"hooks alone, and answers":     {[]says.Kind{says.Hook}, []says.Thing{hook, answer(`"a"`), {Is: says.Hook, Text: v(`"h"`), Again: true}}, []string{`hook "name":null,"failed":false,"text":"h"`, `hook "name":null,"failed":false,"text":"h"`}},
		"hooks alone, and thoughts":    {[]says.Kind{says.Hook}, []says.Thing{hook, thought(`"a"`), {Is: says.Hook, Text: v(`"h"`), Again: true}}, []string{`hook "name":null,"failed":false,"text":"h"`}},
		"broken":                       {[]says.Kind{says.Answer}, []says.Thing{{Is: says.Answer, Text: v(`"\q"`), Unsure: true}, unsure}, []string{`answer "text":"a","model":null`}},
		"two unsure":                   {[]says.Kind{says.Answer}, []says.Thing{{Is: says.Answer, Text: v(`"b"`), Unsure: true}, unsure}, []string{`answer "text":"b","model":null`, `answer "text":"a","model":null`}},
		"a summary of what was unsure": {[]says.Kind{says.Answer, says.Summary}, []says.Thing{unsure, summary(`"so: a"`)}, []string{`summary "text":"so: a"`}},
		"a summary of something else":  {[]says.Kind{says.Answer, says.Summary}, []says.Thing{unsure, summary(`"b"`)}, []string{`answer "text":"a","model":null`, `summary "text":"b"`}},
		"a recap of it":                {[]says.Kind{says.Answer, says.Recap}, []says.Thing{unsure, {Is: says.Recap, Text: v(`"a"`)}}, []string{`answer "text":"a","model":null`, `recap "text":"a"`}},
		"tokens between":               {[]says.Kind{says.Answer, says.Summary}, []says.Thing{unsure, {Is: says.Usage, Message: v(`"m"`)}, summary(`"a"`)}, []string{`summary "text":"a"`}},
		"a prompt between":             {[]says.Kind{says.Answer, says.Summary}, []says.Thing{unsure, {Is: says.Prompt, Text: v(`"p"`)}, summary(`"a"`)}, []string{`answer "text":"a","model":null`, `summary "text":"a"`}},
	} {
		var kinds Kinds
		for _, k := range test.kinds {
			kinds |= 1 << k
		}
		r, rows := begun(kinds)
		for i := range test.told {
			r.from.uuid = entry.Value{'1' + byte(i)}
			r.compare(&says.Telling{Things: test.told[i : i+1]})
			r.thing(&test.told[i])
		}
		r.End()
		r.End()
		require.Equal(t, test.want, members(*rows), name)
	}
	r, rows := begun(1 << says.Answer)
	r.thing(&unsure)
	r.compare(&says.Telling{})
	require.Len(t, *rows, 1, "an entry that says nothing")
	for _, out := range []bool{false, true} {
		r, rows = begun(1<<says.Answer | 1<<says.Thinking)
		r.anew = anew{known: map[uint64]bool{}, repeats: true}
		for i, x := range []says.Thing{thought(`"a"`), answer(`"a"`), answer(`"a"`), thought(`"a"`)} {
			r.from.uuid, r.from.out, r.from.sidechain = entry.Value{'1' + byte(i)}, out && i < 2, true
			r.thing(&x)
		}
		require.Len(t, *rows, 2, "what is told anew, each of a kind")
	}
	message := says.Thing{Is: says.Answer, Text: v(`"a"`), Message: v(`"m"`), Mode: v(`"x"`), Model: v(`"o"`)}
	require.Equal(t, []string{`answer "text":"a","model":"o","message":"m"`}, things(1<<says.Answer, message))
	keyOf := func(message, uuid string) string {
		r, rows := begun(1 << says.Answer)
		r.from.time, r.from.uuid = v(`"t"`), v(uuid)
		r.thing(&says.Thing{Is: says.Answer, Text: v(`"a"`), Message: v(message)})
		return keyIn(t, (*rows)[0])
	}
	require.NotEqual(t, keyOf(`"m"`, `"u"`), keyOf(`"n"`, `"u"`))
	require.Equal(t, keyOf(`"u"`, `"u"`), keyOf(`"w"`, `"w"`), "an id that is that of the entry, which a copy does not keep")
}

// TestStates: entries are of the session that they name, else of that before; what is known of it is known to its sub-agents.
func TestStates(t *testing.T) {
	type step struct {
		session, agent, cwd, branch, model string
		want                               string // session, agent, folder, first folder, branch and model
	}
	for name, steps := range map[string][]step{
		"one session":                   {{`"s"`, ``, `"/p"`, `"b"`, `"m"`, `"s"  "/p" "/p" "b" "m"`}, {``, ``, `"/q"`, ``, ``, `"s"  "/q" "/p" "b" "m"`}, {`"s"`, ``, ``, `"c"`, `"n"`, `"s"  "/q" "/p" "c" "n"`}},
		"two sessions":                  {{`"s"`, ``, `"/p"`, `"b"`, `"m"`, `"s"  "/p" "/p" "b" "m"`}, {`"t"`, ``, `"/q"`, ``, ``, `"t"  "/q" "/q"  `}, {`"s"`, ``, ``, ``, ``, `"s"  "/p" "/p" "b" "m"`}, {``, ``, ``, ``, ``, `"s"  "/p" "/p" "b" "m"`}},
		"a session that is named later": {{``, ``, `"/p"`, ``, ``, `  "/p" "/p"  `}, {`"s"`, ``, ``, ``, ``, `"s"  "/p" "/p"  `}, {`"t"`, ``, ``, ``, ``, `"t"     `}, {`"s"`, ``, ``, ``, ``, `"s"  "/p" "/p"  `}},
		"a sub-agent": {{`"s"`, ``, `"/p"`, `"b"`, `"m"`, `"s"  "/p" "/p" "b" "m"`}, {`"s"`, ``, `"/r"`, ``, ``, `"s"  "/r" "/p" "b" "m"`}, {`"s"`, `"g"`, ``, ``, ``, `"s" "g" "/r" "/p" "b" "m"`}, {`"s"`, `"g"`, `"/q"`, `"c"`, `"n"`, `"s" "g" "/q" "/p" "c" "n"`},
			{`"s"`, ``, ``, ``, ``, `"s"  "/r" "/p" "b" "m"`}, {``, `"g"`, ``, ``, ``, `"s" "g" "/q" "/p" "c" "n"`}, {``, `"h"`, ``, ``, ``, `"s" "h" "/r" "/p" "b" "m"`}, {``, ``, ``, ``, ``, `"s"  "/r" "/p" "b" "m"`}},
		"sub-agents of the same name": {{`"s"`, `"g"`, `"/p"`, ``, ``, `"s" "g" "/p" "/p"  `}, {`"t"`, `"g"`, ``, ``, ``, `"t" "g"    `}, {`"s"`, `"g"`, ``, ``, ``, `"s" "g" "/p" "/p"  `}},
	} {
		r := New(0, false, func([]byte) {})
		for i, s := range steps {
			told := says.Telling{Session: v(s.session), Agent: v(s.agent)}
			r.enter(&told)
			set(&r.cwd, v(s.cwd))
			if r.home == nil {
				set(&r.home, v(s.cwd))
			}
			set(&r.branch, v(s.branch))
			set(&r.model, v(s.model))
			require.Equal(t, s.want, fmt.Sprintf("%s %s %s %s %s %s", r.session, r.state.agent, r.cwd, r.home, r.branch, r.model), "%s %d", name, i)
		}
	}
	r := New(0, false, func([]byte) {})
	r.Model, r.Cwd = v(`"beside"`), v(`"/p"`)
	r.enter(&says.Telling{Session: v(`"s"`), AgentOfLog: v(`"g"`), AgentType: v(`"x"`)})
	require.Equal(t, `"beside"`, string(r.model), "what something beside the log tells")
	require.Equal(t, `"g"`, string(r.state.agent))
	r.enter(&says.Telling{Session: v(`"t"`), AgentOfLog: v(`"h"`), AgentType: v(`"x"`)})
	require.Equal(t, `"h"`, string(r.state.agent))
	r.copied.is = true
	r.enter(&says.Telling{Session: v(`"u"`)})
	require.Equal(t, `"t"`, string(r.session), "what is copied is of the log")
	r = New(0, false, func([]byte) {})
	r.enter(&says.Telling{Session: v(`"s"`)})
	r.root, r.number, r.entry = v(`"l"`), 9, new(entry.Entry)
	for header, want := range map[string]string{`"l"`: `"s"`, `"o"`: `"u"`} {
		was := r.state
		r.enter(&says.Telling{Session: v(`"u"`), Things: []says.Thing{{Is: says.Setting, Call: v(header)}}})
		require.Equal(t, want, string(r.session), "only the header of another log begins a session")
		r.ofLog, r.state = was, was
	}
	require.Nil(t, headerOf(&says.Telling{Things: []says.Thing{{Is: says.Setting}, {Is: says.Call, Call: v(`"c"`)}}}))
	require.Equal(t, `"l"`, string(headerOf(&says.Telling{Things: []says.Thing{{Is: says.Setting}, {Is: says.Setting, Call: v(`"l"`), Name: v(`"n"`)}}})))
}

// TestSettings: the row of a session that begins or goes on in another way.
func TestSettings(t *testing.T) {
	r, rows := begun(1 << says.Setting)
	r.cwd, r.home, r.model = v(`"/p"`), v(`"/h"`), v(`"m"`)
	r.thing(&says.Thing{Is: says.Setting, Call: v(`"log"`), Message: v(`"x"`), Name: v(`"n"`)})
	r.from.uuid = v(`2`)
	r.thing(&says.Thing{Is: says.Setting, Model: v(`"o"`)})
	require.Len(t, *rows, 2)
	require.Contains(t, (*rows)[0], `"uuid":null,"model":"m","cwd":"/p","key"`)
	require.Contains(t, (*rows)[1], `"uuid":2,"model":"o","cwd":"/p","key"`)
	require.Empty(t, things(1<<says.Call, says.Thing{Is: says.Setting, Model: v(`"o"`)}))

	for _, test := range []struct {
		copies bool
		call   string
		want   int
	}{{false, `"log"`, 1}, {false, `"other"`, 0}, {true, `"other"`, 1}} {
		r, rows := begun(1 << says.Setting)
		r.copies, r.copied = test.copies, copied{is: true, own: v(`"log"`), root: v(`"other"`)}
		r.thing(&says.Thing{Is: says.Setting, Call: v(test.call), Name: v(`"log"`)})
		require.Len(t, *rows, test.want, test)
	}
	keyOf := func(time, call string) string {
		r, rows := begun(1 << says.Setting)
		r.from.time, r.from.session, r.from.uuid = v(time), v(`"s"`), v(`"u"`)
		r.thing(&says.Thing{Is: says.Setting, Call: v(call), Name: v(`"n"`)})
		return keyIn(t, (*rows)[0])
	}
	require.NotEqual(t, keyOf(`"1"`, `"12345678"`), keyOf(`"2"`, `"12345678"`))
	require.NotEqual(t, keyOf(`"1"`, `"12345678"`), keyOf(`"1"`, `"12345679"`))
}

// TestCopiesOfThings: of a copy, only the session and the tokens are heeded, unless it is wanted.
func TestCopiesOfThings(t *testing.T) {
	for kind, want := range map[says.Kind]int{says.Prompt: 0, says.Recap: 0, says.Setting: 1, says.Usage: 0} {
		for _, copies := range []bool{false, true} {
			r, rows := begun(1 << kind)
			r.copies, r.copied = copies, copied{is: true}
			x := says.Thing{Is: kind, Text: v(`"x"`), Message: v(`"m"`), Tokens: says.Tokens{Input: 1}}
			r.thing(&x)
			r.End()
			require.Equal(t, want == 1 || copies, len(*rows) == 1, kind)
			require.Equal(t, kind == says.Usage, len(r.used)+len(r.copied.told) == 1)
		}
	}
}

// TestWhatIsTakenBack: texts that were taken back are said by the next words that a person types, but not by an interruption.
func TestWhatIsTakenBack(t *testing.T) {
	for _, test := range []struct {
		typed string
		want  bool // said
	}{
		{`"A changed"`, true}, {`"[Request interrupted by user]"`, false}, {`"B"`, false}, {`" "`, false}, {`"<system-reminder>x</system-reminder>"`, false},
	} {
		q := newQueue()
		q.enqueue(v(`"B"`), origin{}, 0)
		q.unqueue(&says.Thing{}, origin{}, 0)
		q.enqueue(v(`"A"`), origin{}, 1)
		q.unqueue(&says.Thing{All: true}, origin{}, 2)
		a := q.all[1]
		q.says(v(test.typed), typedIn(v(test.typed)), 3)
		require.Equal(t, test.want, a.said, test.typed)
	}
	for text, want := range map[string]bool{`"C"`: true, `"/mcp"`: false, `"/x y"`: true, `"<task-notification>n</task-notification>"`: false} {
		q := newQueue()
		q.enqueue(v(`"A"`), origin{}, 1)
		q.unqueue(&says.Thing{All: true}, origin{}, 2)
		a := q.all[0]
		q.enqueue(v(text), origin{}, 3)
		require.Equal(t, want, a.said, text)
		require.Len(t, q.all, 2)
	}
	q := newQueue()
	q.unqueue(&says.Thing{Text: v(`"A"`)}, origin{}, 1)
	require.True(t, q.all[0].left, "it was queued in another log")
	require.False(t, q.all[0].waited)
	q.unqueue(&says.Thing{Text: v(`"A"`)}, origin{}, 1)
	require.Len(t, q.all, 1)
	require.Zero(t, q.due)
	require.True(t, beginsWith(v(`[{"type":"text","text":"ab"},{"type":"text","text":"c"}]`), "ab"))
	require.False(t, beginsWith(v(`[{"type":"text","text":"ab"},{"type":"text","text":"c"}]`), "c"))
	require.False(t, beginsWith(v(`[]`), ""))
}

// TestWaitsUntilSaid: what a message says of what waits: all of it, a text of several, what peers say, a joined text, or the words in other escapes.
func TestWaitsUntilSaid(t *testing.T) {
	const peer = `<teammate-message teammate_id=\"ann\">m</teammate-message>`
	for name, test := range map[string]struct {
		waits  []string
		said   string
		left   int
		waited bool
	}{
		"as it is":                   {[]string{`"A"`}, `"A"`, 0, true},
		"something else":             {[]string{`"A"`}, `"B"`, 1, false},
		"in several texts":           {[]string{`"A"`, `"B"`}, `[{"type":"text","text":"A"},{"type":"text","text":"B"}]`, 0, true},
		"blocks as they are":         {[]string{`[{"type":"text","text":"A"},{"type":"image","source":{}}]`}, `[{"type":"text","text":"A"},{"type":"image","source":{}}]`, 0, true},
		"only a picture":             {[]string{`[{"type":"image","source":{}}]`}, `[{"type":"image","source":{}}]`, 0, true},
		"in other escapes":           {[]string{`"\u0041\/"`}, `"A/"`, 0, true},
		"with blanks around":         {[]string{`" A"`}, `"A\n"`, 0, true},
		"a peer, in other words":     {[]string{`"` + peer + `"`}, `"<system-reminder>x</system-reminder>` + peer + `"`, 0, true},
		"a peer, with others":        {[]string{`"` + peer + `"`}, `[{"type":"text","text":"x"},{"type":"text","text":"` + peer + `"}]`, 0, true},
		"another peer":               {[]string{`"` + peer + `"`}, `"` + strings.Replace(peer, "ann", "bob", 1) + `"`, 1, false},
		"other words of the peer":    {[]string{`"` + peer + `"`}, `"` + strings.Replace(peer, ">m<", ">n<", 1) + `"`, 1, false},
		"two joined":                 {[]string{`"A"`, `"B"`}, `"B\nA"`, 0, true},
		"two joined, and more":       {[]string{`"A"`, `"B"`}, `"B\nA\nC"`, 2, false},
		"of which one was said":      {[]string{`"A"`, `"A"`}, `"A"`, 1, true},
		"as a part of what is typed": {[]string{`"A"`}, `"<system-reminder>x</system-reminder>A"`, 0, true},
		"typed in two texts":         {[]string{`"A\nB"`}, `[{"type":"text","text":"A"},{"type":"text","text":"B"}]`, 0, true},
	} {
		q := newQueue()
		for i, text := range test.waits {
			q.number = 1
			q.enqueue(v(text), origin{}, int64(i))
		}
		require.Equal(t, test.waited, q.says(v(test.said), typedIn(v(test.said)), 3), name)
		require.Equal(t, test.left, q.count, name)
		require.Len(t, q.left(), test.left, name)
		require.False(t, q.says(v(`"nothing"`), []byte("nothing"), 9), name)
	}
	require.Equal(t, "ann\x00mbob\x00n", string(heard(v(`[{"type":"text","text":"x"},{"type":"text","text":"`+peer+`<teammate-message teammate_id=\"bob\">n</teammate-message>"}]`))))
	require.Nil(t, heard(v(`"x"`)))
}

// TestWhoIsAsked: what a sub-agent gets is of the model, unless a person is asked there.
func TestWhoIsAsked(t *testing.T) {
	for _, asker := range []shape.Author{shape.Anybody, shape.Person} {
		r, rows := begun(1 << says.Prompt)
		r.from.sidechain, r.asker = true, asker
		r.thing(&says.Thing{Is: says.Prompt, Text: v(`"x"`)})
		require.Len(t, *rows, 1)
		require.Equal(t, asker != shape.Person, strings.Contains((*rows)[0], `"by":"model"`))
	}
}
