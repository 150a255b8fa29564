package torture

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// dataSameIDs are texts in JSON strings, those of a group the same id to JavaScript,
// and no two of different groups.
var dataSameIDs = [][]string{
	{"a", `\u0061`},
	{"A", `\u0041`},
	{"ab", `a\u0062`, `\u0061\u0062`},
	{"a ", `a\u0020`},
	{" a"},
	{"\u00e9", `\u00e9`, `\u00E9`}, // é in one
	{"e\u0301", `e\u0301`},         // and in two
	{"\u00c9", `\u00c9`},
	{"\U0001f600", `\ud83d\ude00`, `\uD83D\uDE00`, `\uD83d\udE00`},
	{`\ud83d`, `\uD83D`}, // halves alone
	{`\ude00`},
	{`\ud83e`},
	{`\ude00\ud83d`},
	{`\ud83d\ud83d\ude00`, `\ud83d` + "\U0001f600"},
	{`\ufffd`, "\ufffd"},
	{`\ufffd\ufffd`},
	{`\ud83dx`, `\ud83d\u0078`},
	{`a\u0000`},
	{`a\u0000b`},
	{`\u0000`},
	{`\n`, `\u000a`, `\u000A`},
	{`\r`, `\u000d`},
	{`\\n`, `\u005cn`},
	{`/`, `\/`, `\u002f`},
	{`\\/`},
	{`\"`, `\u0022`},
	{`\b`, `\u0008`},
	{"\u212a", `\u212a`}, {"K"}, {"k"}, // the first is the Kelvin sign
	{"\u0131"}, {"i"}, {"I"}, {"\u0130"}, // dotless and dotted
	{"\u00df"}, {"ss"}, {"\u017f"}, {"s"}, // sharp and long
	{"\uff41"}, {"\u0430"}, // full width and Cyrillic a
	{"\ufb01"}, {"fi"},
	{"\u00c5", `\u00c5`}, {"\u212b", `\u212b`}, {"A\u030a"},
	{"a\u200b", `a\u200b`},
	{"\ufeffa", `\ufeffa`},
	{"\u2028", `\u2028`},
	{"9007199254740993"}, {"9007199254740992"},
	{"null"}, {"true"}, {"{}"}, {"#1"},
	{strings.Repeat("x", 5000) + "1"},
	{strings.Repeat("x", 5000) + "2", strings.Repeat("x", 5000) + `\u0032`},
	{strings.Repeat("x", 5000)},
}

// TestSameIDs: two ids are one if they are to JSON.parse, however they are written,
// and are not if they only look or fold alike: for each pair an entry is the parent
// of another, or that is an orphan; and they are doubles, or none.
func TestSameIDs(t *testing.T) {
	p := promise(t, "P15", "ids are the same exactly if they are to JSON.parse: no false edge, none lost")
	type pair struct {
		a, b string
		same bool
	}
	var pairs []pair
	for i, group := range dataSameIDs {
		for j, other := range dataSameIDs {
			for x, a := range group {
				for y, b := range other {
					if thorough() || i == j || i < j && x == 0 && y == 0 {
						pairs = append(pairs, pair{a, b, i == j})
					}
				}
			}
		}
	}
	const batch = 800
	check := dataCall{program: "jltree", args: []string{"--check"}}
	chain := dataCall{program: "jlpath", args: []string{"--chain"}}
	for len(pairs) > 0 {
		some := pairs[:min(batch, len(pairs))]
		pairs = pairs[len(some):]
		var parents, doubles []string
		for _, q := range some {
			parents = append(parents, dataNode(1, q.a, "", "")+dataNode(2, "child", q.b, ""))
			doubles = append(doubles, dataNode(1, q.a, "", "")+dataNode(2, q.b, "", ""))
		}
		dir := space(t)
		files := dataWrite(t, dir, parents)
		_, checked := dataEach(t, check, dir, files)
		_, chains := dataEach(t, chain, dir, files)
		for i, q := range some {
			p.try(strings.Contains(checked[i], `"finding":"orphan"`) != q.same, "%q is the parent %q: %v: %s", shorten(q.a), shorten(q.b), q.same, shorten(checked[i]))
			want := parents[i]
			if !q.same {
				want = want[strings.IndexByte(want, '\n')+1:]
			}
			p.try(chains[i] == want, "%q is the parent %q: %v: %q", shorten(q.a), shorten(q.b), q.same, shorten(chains[i]))
		}
		p.figure("%d ids", len(dataSameIDs))
		files = dataWrite(t, dir, doubles)
		_, checked = dataEach(t, check, dir, files)
		for i, q := range some {
			p.try(strings.Contains(checked[i], `"finding":"duplicate id"`) == q.same, "%q and %q are doubles: %v: %s", shorten(q.a), shorten(q.b), q.same, shorten(checked[i]))
		}
	}
}

// TestSameKeys: keys are what they are, not what they look or fold like; of those that
// are there twice the last counts; and only those at the top.
func TestSameKeys(t *testing.T) {
	p := promise(t, "P15", "keys are exact, the last of two counts, and those further in do not")
	for _, c := range []struct{ members, id, parent string }{ // what JSON.parse makes of them
		{`"uuid":"m","parentUuid":"a"`, "m", "a"},
		{`"\u0075uid":"m","parentUui\u0064":"a"`, "m", "a"},
		{`"uuid":"m","parentUuid":"a","UUID":"x","ParentUuid":"x","parentuuid":"x","PARENTUUID":"x"`, "m", "a"},
		{`"UUID":"x","uuid":"m","parentUUID":"x","parentUuid":"a"`, "m", "a"},
		{`"UUID":"m","parentUuid":"a"`, "", ""},
		{`"Uuid":"m"`, "", ""},
		{`"uuid ":"m"`, "", ""},
		{`" uuid":"m"`, "", ""},
		{`"uuid\u0000":"m"`, "", ""},
		{`"uu` + "\u0131" + `d":"m"`, "", ""},
		{`"uui` + "\uff44" + `":"m"`, "", ""},
		{`"\\u0075uid":"m"`, "", ""},
		{`"uuid":"m","parentUu\u0131d":"a"`, "m", ""},
		{`"uuid":"x","uuid":"m","parentUuid":"x","parentUuid":"a"`, "m", "a"},
		{`"uuid":"x","\u0075uid":"m","parentUuid":"a"`, "m", "a"},
		{`"\u0075uid":"x","uuid":"m","parentUuid":"a"`, "m", "a"},
		{`"uuid":"m","parentUuid":"a","parentUuid":null`, "m", ""},
		{`"uuid":"m","parentUuid":null,"parentUuid":"a"`, "m", "a"},
		{`"uuid":"m","parentUuid":"a","parentUuid":""`, "m", ""},
		{`"uuid":"m","parentUuid":"a","parentUuid":7`, "m", ""},
		{`"uuid":"m","uuid":7,"parentUuid":"a"`, "", ""},
		{`"uuid":"m","uuid":null`, "", ""},
		{`"uuid":"","parentUuid":"a"`, "", ""},
		{`"uuid":["m"]`, "", ""},
		{`"uuid":{"uuid":"m"}`, "", ""},
		{`"message":{"uuid":"x","parentUuid":"x","type":"x"},"uuid":"m","parentUuid":"a"`, "m", "a"},
		{`"uuid":"m","parentUuid":"a","toolUseResult":{"uuid":"x","parentUuid":"x"},"data":[{"uuid":"x"}],"snapshot":{"uuid":"x"}`, "m", "a"},
		{`"message":{"uuid":"m","parentUuid":"a"}`, "", ""},
		{`"uuid":"m","parentUuid":"a","message":"\",\"uuid\":\"x\""`, "m", "a"},
		{`"uuid":"m","message":"\\","parentUuid":"a"`, "m", "a"},
		{`"a\",\"uuid\":\"x":1,"uuid":"m","parentUuid":"a"`, "m", "a"},
		{`"id":"x","parentId":"x","uuid":"m","parentUuid":"a"`, "m", "a"},
		{` "uuid" : "m" ,` + "\t" + `"parentUuid":` + "\r" + `"a" `, "m", "a"},
		{`"__proto__":{"uuid":"x"},"uuid":"m","parentUuid":"a"`, "m", "a"},
		{`"logicalParentUuid":"a","uuid":"m","parentUuid":null`, "m", ""},
	} {
		line := `{"type":"user",` + c.members + "}\n"
		require.True(t, json.Valid([]byte(line)), line)
		got := dataPiped(t, dataNode(1, "a", "", "")+line, "jltree")
		rows := dataRows(t, got.stdout)
		switch {
		case c.id == "":
			p.try(len(rows) == 1, "%s has an id: %v", c.members, got)
		case p.try(len(rows) == 2, "%s has no id: %v", c.members, got):
			p.try(rows[1].text("uuid") == c.id && rows[1].text("parentUuid") == c.parent, "%s: %v", c.members, got)
		}
	}
	// A lookalike of the key of sessions is none either: it is left as it is.
	odd := `{"type":"user","uuid":"a","parentUuid":null,"` + "\u017f" + `essionId":"x","SESSIONID":"x","sessionId":"x","message":{"sessionId":"x"}}` + "\n"
	got := dataPiped(t, odd, "jlpath", "--session", "new")
	p.try(got.stdout == strings.Replace(odd, `"sessionId":"x"`, `"sessionId":"new"`, 1), "--session: %v", got)
}
