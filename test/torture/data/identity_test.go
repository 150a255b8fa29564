package data

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/torture/harness"
)

var x5000 = strings.Repeat("x", 5000)

// ids are JSON strings without their quotes. To JavaScript those of a group are the
// same id, and those of two groups are not.
var ids = [][]string{
	{"a", `\u0061`}, {"A", `\u0041`}, {"ab", `a\u0062`, `\u0061\u0062`}, {"a ", `a\u0020`}, {" a"},
	{"\u00e9", `\u00e9`, `\u00E9`}, {"e\u0301", `e\u0301`}, {"\u00c9", `\u00c9`}, // é, composed and not
	{"\U0001f600", `\ud83d\ude00`, `\uD83D\uDE00`, `\uD83d\uDE00`},
	{`\ud83d`, `\uD83D`}, {`\ude00`}, {`\ud83e`}, {`\ude00\ud83d`}, {`\ud83d\ud83d\ude00`, `\ud83d` + "\U0001f600"}, // lone surrogates
	{`\ufffd`, "\ufffd"}, {`\ufffd\ufffd`}, {`\ud83dx`, `\ud83d\u0078`},
	{`a\u0000`}, {`a\u0000b`}, {`\u0000`},
	{`\n`, `\u000a`, `\u000A`}, {`\r`, `\u000d`}, {`\\n`, `\u005cn`}, {`/`, `\/`, `\u002f`}, {`\\/`}, {`\"`, `\u0022`}, {`\b`, `\u0008`},
	{"\u212a", `\u212a`}, {"K"}, {"k"}, // the Kelvin sign
	{"\u0131"}, {"i"}, {"I"}, {"\u0130"}, // i without and with dot
	{"\u00df"}, {"ss"}, {"\u017f"}, {"s"}, // sharp s and long s
	{"\uff41"}, {"\u0430"}, {"\ufb01"}, {"fi"}, // full width a, Cyrillic a, a ligature
	{"\u00c5", `\u00c5`}, {"\u212b", `\u212b`}, {"A\u030a"}, // Å and the Ångström sign
	{"a\u200b", `a\u200b`}, {"\ufeffa", `\ufeffa`}, {"\u2028", `\u2028`},
	{"9007199254740993"}, {"9007199254740992"}, {"null"}, {"true"}, {"{}"}, {"#1"},
	{x5000 + "1"}, {x5000 + "2", x5000 + `\u0032`}, {x5000},
}

// TestSameIDs compares ids in pairs: one entry names the other as its parent, or has
// the same id.
func TestSameIDs(t *testing.T) {
	p := harness.Parallel(t, "P15", "ids are the same exactly if they are to JSON.parse: no false edge, none lost")
	p.Remark("%d ids", len(ids))
	type pair struct {
		a, b string
		same bool
	}
	var pairs []pair
	for i, group := range ids {
		for j, other := range ids {
			for x, a := range group {
				for y, b := range other {
					if harness.Long() || i == j || i < j && x == 0 && y == 0 {
						pairs = append(pairs, pair{a, b, i == j})
					}
				}
			}
		}
	}
	chain := call{program: "jlpath", args: "--chain"}
	for len(pairs) > 0 {
		some := pairs[:min(800, len(pairs))]
		pairs = pairs[len(some):]
		var parents, doubles []string
		for _, q := range some {
			parents = append(parents, harness.Node(1, q.a, "", "")+harness.Node(2, "child", q.b, "")+harness.Node(3, "below", "child", ""))
			doubles = append(doubles, harness.Node(1, q.a, "", "")+harness.Node(2, q.b, "", ""))
		}
		b := newBatch(t, parents)
		_, orphans := b.run(t, check)
		_, chains := b.run(t, chain)
		_, repeats := newBatch(t, doubles).run(t, check)
		for i, q := range some {
			want := parents[i]
			if !q.same {
				_, want, _ = strings.Cut(want, "\n")
			}
			p.Try(strings.Contains(orphans[i], `"finding":"orphan"`) != q.same, "%q is the parent %q, want %v: %s", harness.Shorten(q.a), harness.Shorten(q.b), q.same, harness.Shorten(orphans[i]))
			p.Try(chains[i] == want, "%q is the parent %q, want %v: %q", harness.Shorten(q.a), harness.Shorten(q.b), q.same, harness.Shorten(chains[i]))
			p.Try(strings.Contains(repeats[i], `"finding":"duplicate id"`) == q.same, "%q is a duplicate of %q, want %v: %s", harness.Shorten(q.b), harness.Shorten(q.a), q.same, harness.Shorten(repeats[i]))
		}
	}
}

// TestSameKeys writes keys in many ways. Only exact keys at the top level count, and
// of two the last.
func TestSameKeys(t *testing.T) {
	p := harness.Parallel(t, "P15", "keys are exact, the last of two counts, and those further in do not")
	for _, test := range []struct{ members, id, parent string }{
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
		line := `{"type":"user",` + test.members + "}\n"
		require.True(t, json.Valid([]byte(line)), line)
		got := harness.RunPipe(t, harness.Node(1, "a", "", "")+line, "jltree")
		edges := rows(t, got.Stdout)
		if test.id == "" {
			p.Try(len(edges) == 1, "%s has an id: %v", test.members, got)
		} else if p.Try(len(edges) == 2, "%s has no id: %v", test.members, got) {
			p.Try(edges[1].text("uuid") == test.id && edges[1].text("parentUuid") == test.parent, "%s: %v", test.members, got)
		}
	}
	odd := `{"type":"user","uuid":"a","parentUuid":null,"` + "\u017f" + `essionId":"x","SESSIONID":"x","sessionId":"x","message":{"sessionId":"x"}}` + "\n"
	got := harness.RunPipe(t, odd, "jlpath", "--session", harness.SessionID)
	p.Try(got.Stdout == strings.Replace(odd, `"sessionId":"x"`, `"sessionId":"`+harness.SessionID+`"`, 1), "--session: %v", got)
}
