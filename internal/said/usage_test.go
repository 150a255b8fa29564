package said

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
	"jl/internal/says"
)

// TestSum: all tokens count, but those of which others are a part.
func TestSum(t *testing.T) {
	require.Equal(t, int64(1111), sum(says.Tokens{Input: 1, Output: 10, Write: 100, Read: 1000, Write5m: 7, Write1h: 7, Thinking: 7, Searches: 7}))
}

// TestPiecesOfUsage: the greatest figures of a message count, and of those alike the last.
func TestPiecesOfUsage(t *testing.T) {
	usage := func(model, speed string, input, thinking int64) says.Thing {
		x := says.Thing{Is: says.Usage, Message: entry.Value(`"m1"`), Tokens: says.Tokens{Input: input, Thinking: thinking}}
		if model != "" {
			x.Model = entry.Value(model)
		}
		if speed != "" {
			x.Speed = entry.Value(speed)
		}
		return x
	}
	for name, test := range map[string]struct {
		pieces []says.Thing
		want   string
	}{
		"alike":                       {[]says.Thing{usage(`"a"`, `"slow"`, 5, 1), usage(`"a"`, `"fast"`, 5, 2)}, `"model":"a","speed":"fast","input":5,.*"thinking":2`},
		"less":                        {[]says.Thing{usage(`"a"`, `"slow"`, 5, 1), usage(`"a"`, `"fast"`, 4, 2)}, `"model":"a","speed":"slow","input":5,.*"thinking":1`},
		"another model":               {[]says.Thing{usage(`"a"`, "", 5, 0), usage(`"b"`, "", 6, 0)}, `"model":"a","input":6,`},
		"a model that comes later":    {[]says.Thing{usage("", "", 5, 0), usage(`"b"`, "", 6, 0)}, `"model":"b","input":6,`},
		"a model that never comes":    {[]says.Thing{usage("", "", 5, 0), usage("", "", 6, 0)}, `"model":null,"input":6,`},
		"a model that is with less":   {[]says.Thing{usage("", "", 5, 0), usage(`"b"`, "", 4, 0)}, `"model":null,"input":5,`},
		"a piece that tells no speed": {[]says.Thing{usage(`"a"`, `"slow"`, 5, 0), usage(`"a"`, "", 6, 0)}, `"speed":"slow","input":6,`},
	} {
		r, rows := begun(1 << says.Usage)
		for i := range test.pieces {
			r.usage(&test.pieces[i])
		}
		r.End()
		require.Len(t, *rows, 1, name)
		require.Regexp(t, test.want, (*rows)[0], name)
	}
}

// TestUsageOutOfPart: a message has its row where the first of its entries in the part is, also if it was over before.
func TestUsageOutOfPart(t *testing.T) {
	for _, id := range []string{`"m1"`, ""} { // an id of its own, or that of its entry
		x := says.Thing{Is: says.Usage, Message: entry.Value(id).NonEmpty(), Tokens: says.Tokens{Input: 1}}
		r, rows := begun(1 << says.Usage)
		r.from.uuid = entry.Value(`"an entry"`)
		for i, out := range []bool{true, true, false, false, true} {
			r.from.out = out
			r.usage(&x)
			r.endUsages()
			require.Len(t, *rows, map[bool]int{false: 0, true: 1}[i >= 2])
		}
	}
}

// TestMessagesKeepTheirValues: a row has the values of its message, whatever others came before it, in the part or out of it, and
// each message of which an entry is in the part has one row.
func TestMessagesKeepTheirValues(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		r, rows := begun(1 << says.Usage)
		inPart := map[string]bool{}
		for range 40 {
			id := strconv.Itoa(rnd.IntN(9))
			x := says.Thing{Is: says.Usage, Tokens: says.Tokens{Input: 1 + rnd.Int64N(9)}}
			values := []*entry.Value{&x.Message, &x.Model, &x.Speed, &x.Tier, &x.Geo, &r.from.uuid, &r.from.time}
			for i, of := range []string{"message", "model", "speed", "tier", "geo", "uuid", "time"} {
				*values[i] = entry.Value(strconv.Quote(of + " " + id))
			}
			r.from.out = rnd.IntN(2) == 0
			inPart[id] = inPart[id] || !r.from.out
			r.usage(&x)
			for _, v := range values {
				clear(*v) // the next line of a log takes the place of this one
			}
		}
		r.from = origin{}
		r.End()
		for _, row := range *rows {
			id, isMessage := strings.CutPrefix(string(entry.Value(row).Member("message").Text()), "message ")
			require.True(t, isMessage && inPart[id], row)
			delete(inPart, id)
			for name, of := range map[string]string{"model": "model", "speed": "speed", "tier": "tier", "geo": "geo", "uuid": "uuid", "timestamp": "time"} {
				require.Equal(t, of+" "+id, string(entry.Value(row).Member(name).Text()), row)
			}
		}
		for id, is := range inPart {
			require.False(t, is, id)
		}
	}
}

// TestRest: of a total, what no message has told has a row.
func TestRest(t *testing.T) {
	message := func(id, model string, input int64) says.Thing {
		return says.Thing{Is: says.Usage, Message: entry.Value(id), Model: entry.Value(model), Tokens: says.Tokens{Input: input}}
	}
	total := func(scope says.Scope, model string, tokens says.Tokens) says.Thing {
		x := says.Thing{Is: says.Usage, Scope: scope, Tokens: tokens}
		if model != "" {
			x.Model = entry.Value(model)
		}
		return x
	}
	of := func(things ...says.Thing) []says.Thing { return things }
	for name, test := range map[string]struct {
		entries [][]says.Thing
		want    []string // the rows of totals
	}{
		"nothing is left":          {[][]says.Thing{of(message(`"m1"`, `"a"`, 5)), of(total(says.OfLog, `"a"`, says.Tokens{Input: 5}))}, nil},
		"one is left":              {[][]says.Thing{of(message(`"m1"`, `"a"`, 5)), of(total(says.OfLog, `"a"`, says.Tokens{Input: 6}))}, []string{`"model":"a","input":1,`}},
		"only searches are":        {[][]says.Thing{of(total(says.OfLog, `"a"`, says.Tokens{Searches: 2}))}, []string{`"model":"a","input":0,.*"webSearches":2`}},
		"more searches than input": {[][]says.Thing{of(total(says.OfLog, `"a"`, says.Tokens{Input: 1, Searches: 1}))}, []string{`"model":"a","input":1,.*"webSearches":1`}},
		"only what a cache had":    {[][]says.Thing{of(total(says.OfLog, `"a"`, says.Tokens{Read: 3}))}, []string{`"cacheRead":3`}},
		"without a model, of all": {[][]says.Thing{of(message(`"m1"`, `"a"`, 5)), of(message(`"m2"`, `"b"`, 5)), of(total(says.OfLog, "", says.Tokens{Input: 12})), of(total(says.OfLog, "", says.Tokens{Input: 13}))},
			[]string{`"model":null,"input":2,`, `"model":null,"input":1,`}},
		"of a model whose messages name another": {[][]says.Thing{of(message(`"m1"`, `"a 2026"`, 5)), of(total(says.OfLog, `"a"`, says.Tokens{Input: 7})), of(total(says.OfLog, `"a"`, says.Tokens{Input: 8}))},
			[]string{`"model":"a","input":2,`, `"model":"a","input":1,`}},
		"of all, then of the model": {[][]says.Thing{of(message(`"m1"`, `"a"`, 5)), of(total(says.OfLog, "", says.Tokens{Input: 5})), of(total(says.OfLog, `"a"`, says.Tokens{Input: 5}))}, nil},
		"of all, then of each": {[][]says.Thing{of(message(`"m1"`, `"a"`, 5)), of(message(`"m2"`, `"b"`, 3)), of(total(says.OfLog, "", says.Tokens{Input: 8})), of(total(says.OfLog, `"a"`, says.Tokens{Input: 8}), total(says.OfLog, `"b"`, says.Tokens{Input: 3}))},
			[]string{`"model":"a","input":3,`}},
		"of two models, each its own": {[][]says.Thing{of(message(`"m1"`, `"a"`, 5)), of(message(`"m2"`, `"b"`, 3)), of(total(says.OfLog, `"a"`, says.Tokens{Input: 6}), total(says.OfLog, `"b"`, says.Tokens{Input: 3}))},
			[]string{`"model":"a","input":1,`}},
		"of a run, which the next one forgets": {[][]says.Thing{of(message(`"m1"`, `"a"`, 5)), of(total(says.OfRun, `"a"`, says.Tokens{Input: 6})), of(total(says.OfRun, `"a"`, says.Tokens{Input: 6}))},
			[]string{`"model":"a","input":1,`, `"model":"a","input":6,`}},
		"of a run with two models": {[][]says.Thing{of(message(`"m1"`, `"a"`, 5)), of(message(`"m2"`, `"b"`, 3)), of(total(says.OfRun, `"a"`, says.Tokens{Input: 5}), total(says.OfRun, `"b"`, says.Tokens{Input: 4}))},
			[]string{`"model":"b","input":1,`}},
	} {
		r, rows := begun(1 << says.Usage)
		for _, things := range test.entries {
			r.number++
			r.told.Things = things
			for i := range things {
				r.usage(&things[i])
			}
		}
		r.End()
		var got []string
		for _, row := range *rows {
			if (entry.Value(row)).Member("message").IsEmpty() {
				got = append(got, row)
			}
		}
		require.Len(t, got, len(test.want), name)
		for i, want := range test.want {
			require.Regexp(t, want, got[i], name)
		}
	}
}

// TestAgentTypeOfUsage: the entry tells the type of the sub-agent better than the call that started it, and that better than the log.
func TestAgentTypeOfUsage(t *testing.T) {
	for _, test := range []struct{ own, call, log, want string }{
		{`"own"`, `"call"`, `"log"`, `"own"`}, {"", `"call"`, `"log"`, `"call"`}, {"", "", `"log"`, `"log"`}, {`"own"`, "", "", `"own"`}, {"", "", "", ""},
	} {
		r, _ := begun(1 << says.Usage)
		input := `{}`
		if test.call != "" {
			input = `{"subagent_type":` + test.call + `}`
		}
		r.call(&says.Thing{Is: says.Call, Call: entry.Value(`"c"`), Name: entry.Value(`"Task"`), Input: entry.Value(input)})
		r.told.Caller, r.AgentType = entry.Value(`"c"`), entry.Value(test.log).NonEmpty()
		r.told.AgentType = entry.Value(test.own).NonEmpty()
		require.Equal(t, test.want, string(r.newUsage(&says.Thing{Is: says.Usage}).agentType))
		r.told.Caller = entry.Value(`"d"`)
		require.NotEqual(t, `"call"`, string(r.newUsage(&says.Thing{Is: says.Usage}).agentType))
	}
}

// TestBills: a bill counts from the start of a client. The next one with the same start takes its place, also behind that of another client,
// unless it has less.
func TestBills(t *testing.T) {
	bill := func(start, dollars string) says.Thing {
		x := says.Thing{Is: says.Bill, Bill: &says.Counted{Dollars: entry.Value(dollars)}}
		if start != "" {
			x.Bill.Start = entry.Value(start)
		}
		return x
	}
	for name, test := range map[string]struct {
		bills []says.Thing
		want  []string
	}{
		"more":             {[]says.Thing{bill("1", "0.5"), bill("1", "0.7")}, []string{"0.7"}},
		"as much":          {[]says.Thing{bill("1", "0.5"), bill("1", "0.50")}, []string{"0.50"}},
		"less":             {[]says.Thing{bill("1", "0.5"), bill("1", "0.4")}, []string{"0.5", "0.4"}},
		"another start":    {[]says.Thing{bill("1", "0.5"), bill("2", "0.7")}, []string{"0.5", "0.7"}},
		"without a start":  {[]says.Thing{bill("", "0.5"), bill("", "0.7")}, []string{"0.5", "0.7"}},
		"one without, too": {[]says.Thing{bill("1", "0.5"), bill("", "0.7"), bill("1", "0.6")}, []string{"0.7", "0.6"}},
		"two in turn":      {[]says.Thing{bill("1", "0.5"), bill("2", "0.7"), bill("1", "0.6"), bill("2", "0.8")}, []string{"0.6", "0.8"}},
	} {
		r, rows := begun(1 << says.Bill)
		for i := range test.bills {
			r.addBill(&test.bills[i])
		}
		r.End()
		var got []string
		for _, row := range *rows {
			got = append(got, string(entry.Value(row).Member("dollars")))
		}
		require.Equal(t, test.want, got, name)
	}
	r, rows := begun(1 << says.Bill)
	r.from.out = true
	before, now := bill("1", "0.5"), bill("1", "0.4")
	r.addBill(&before)
	r.from.out = false
	r.addBill(&now)
	r.End()
	require.Len(t, *rows, 1, "what is not in the part has no row")
}

// TestRunIsOver: which totals a client that runs on may tell after one of 60 tokens of input, of which messages have told 50, and after
// messages of 20 more.
func TestRunIsOver(t *testing.T) {
	r, rows := begun(1 << says.Usage)
	tell := func(message string, scope says.Scope, tokens says.Tokens) {
		x := says.Thing{Is: says.Usage, Scope: scope, Model: entry.Value(`"a"`), Tokens: tokens}
		if message != "" {
			x.Message = entry.Value(strconv.Quote(message))
		}
		r.told.Things = []says.Thing{x}
		r.usage(&r.told.Things[0])
		r.endUsages()
	}
	isOver := func(tokens says.Tokens) bool {
		return r.runOf(r.from.session).isOver(map[string]says.Tokens{`"a"`: tokens})
	}
	require.False(t, isOver(says.Tokens{}), "no total before")
	tell("message-1", says.OfMessage, says.Tokens{Input: 10, Read: 40})
	require.False(t, isOver(says.Tokens{}), "no total before")
	tell("", says.OfLog, says.Tokens{Input: 20, Read: 40, Output: 9})
	tell("message-2", says.OfMessage, says.Tokens{Write: 20, Output: 1})
	require.Len(t, *rows, 3)
	for _, test := range []struct {
		name string
		is   bool
		all  says.Tokens
	}{
		{"all of it", false, says.Tokens{Input: 20, Read: 40, Write: 20, Output: 9}},
		{"more", false, says.Tokens{Input: 20, Read: 50, Write: 30, Output: 20}},
		{"as before", false, says.Tokens{Input: 20, Read: 40, Output: 9}},
		{"less input than before", true, says.Tokens{Input: 19, Read: 40, Write: 20, Output: 9}},
		{"less output than before", true, says.Tokens{Input: 20, Read: 40, Write: 20, Output: 8}},
		{"what was told since", true, says.Tokens{Write: 20, Output: 90}},
		{"less than was told since", false, says.Tokens{Input: 20, Read: 40, Write: 19, Output: 9}},
	} {
		require.Equal(t, test.is, isOver(test.all), test.name)
	}
	require.True(t, r.runOf(r.from.session).isOver(map[string]says.Tokens{`"b"`: {Input: 90, Read: 90, Write: 90, Output: 90}}), "a model is no longer there")

	// A message that was given up is in no total.
	tell("", says.OfLog, says.Tokens{Input: 20, Read: 40, Output: 9})
	tell("message-3", says.OfMessage, says.Tokens{Read: 90})
	require.False(t, isOver(says.Tokens{Input: 20, Read: 130, Output: 10}), "all that was told explains it better")
	require.True(t, isOver(says.Tokens{Input: 20, Read: 91, Output: 9}), "what was told since explains it better")
}

// TestRunOfOneSession: the end of a run of one session leaves the totals of another one.
func TestRunOfOneSession(t *testing.T) {
	r, _ := begun(1 << says.Usage)
	other := r.runOf(entry.Value("other"))
	r.told.Things = []says.Thing{{Is: says.Usage, Scope: says.OfRun, Model: entry.Value(`"a"`), Tokens: says.Tokens{Input: 2}}}
	r.usage(&r.told.Things[0])
	require.Equal(t, map[string]*run{"other": other}, r.runs)
}
