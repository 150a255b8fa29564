package dialect

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
)

func TestAppendEdge(t *testing.T) {
	const none, named = "", `a "b".jsonl`
	tests := []struct{ name, text, file, want string }{
		{
			"all members, in their order", `{"sessionId":"s","isSidechain":true,"logicalParentUuid":"l","subtype":"t","timestamp":"2026-01-01T00:00:00Z","type":"system","parentUuid":"a","uuid":"b"}`, none,
			`{"uuid":"b","parentUuid":"a","type":"system","timestamp":"2026-01-01T00:00:00Z","isSidechain":true,"subtype":"t","logicalParentUuid":"l","sessionId":"s","line":7,"offset":1234,"length":56}`,
		},
		{
			"root, the rest absent", `{"uuid":"b","parentUuid":null}`, none,
			`{"uuid":"b","parentUuid":null,"line":7,"offset":1234,"length":56}`,
		},
		{
			"without a parent", `{"uuid":"b"}`, none,
			`{"uuid":"b","parentUuid":null,"line":7,"offset":1234,"length":56}`,
		},
		{
			"not on a sidechain", `{"uuid":"b","isSidechain":false}`, none,
			`{"uuid":"b","parentUuid":null,"line":7,"offset":1234,"length":56}`,
		},
		{
			"raw tokens", `{"uuid":"\u0062\ud800","parentUuid":"\/","type":"\u0075ser","timestamp":1.50e3,"isSidechain":"x"}`, none,
			`{"uuid":"\u0062\ud800","parentUuid":"\/","type":"\u0075ser","timestamp":1.50e3,"isSidechain":true,"line":7,"offset":1234,"length":56}`,
		},
		{
			"values of another kind", `{"uuid":"b","type":{"a":[1,,]},"timestamp":["x"],"subtype":1,"logicalParentUuid":null,"sessionId":{}}`, none,
			`{"uuid":"b","parentUuid":null,"line":7,"offset":1234,"length":56}`,
		},
		{
			"pi", `{"type":"message","id":"b","parentId":"a","timestamp":"2026-01-01T00:00:00Z"}`, none,
			`{"id":"b","parentId":"a","type":"message","timestamp":"2026-01-01T00:00:00Z","line":7,"offset":1234,"length":56}`,
		},
		{
			"pi, root", `{"type":"message","id":"b","parentId":null}`, none,
			`{"id":"b","parentId":null,"type":"message","line":7,"offset":1234,"length":56}`,
		},
		{
			"with its file", `{"uuid":"b"}`, named,
			`{"uuid":"b","parentUuid":null,"file":"a \"b\".jsonl","line":7,"offset":1234,"length":56}`,
		},
		{
			"of an edge", `{"uuid":"b","line":3,"offset":200,"length":90}`, none,
			`{"uuid":"b","parentUuid":null,"line":3,"offset":200,"length":90}`,
		},
		{
			"of an edge that names its file", `{"uuid":"b","file":"\u0063.jsonl","line":3,"offset":200,"length":90}`, named,
			`{"uuid":"b","parentUuid":null,"file":"c.jsonl","line":3,"offset":200,"length":90}`,
		},
		{
			"a position that is not whole", `{"uuid":"b","file":"c.jsonl","line":3,"offset":200}`, none,
			`{"uuid":"b","parentUuid":null,"line":7,"offset":1234,"length":56}`,
		},
		{
			"a position that is not one", `{"uuid":"b","line":3,"offset":200,"length":"90"}`, none,
			`{"uuid":"b","parentUuid":null,"line":7,"offset":1234,"length":56}`,
		},
		{
			"a position before the file", `{"uuid":"b","line":3,"offset":-1,"length":90}`, none,
			`{"uuid":"b","parentUuid":null,"line":7,"offset":1234,"length":56}`,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e := scanned(t, test.text)
			e.Pos = entry.Pos{Line: 7, Offset: 1234, Length: 56}
			d := Of(e)
			got := append(d.AppendEdge(nil, e, d.IDOf(e), d.ParentOf(e), test.file), '}')
			require.Equal(t, test.want, string(got))
			require.True(t, entry.Valid(got))

			again := scanned(t, string(got))
			require.Equal(t, test.want, string(append(d.AppendEdge(nil, again, d.IDOf(again), d.ParentOf(again), ""), '}')), "the edge of an edge is the edge")
		})
	}
}

func TestAppendEdgeWithAnotherID(t *testing.T) {
	e := scanned(t, `{"type":"user"}`)
	e.Pos = entry.Pos{Line: 2, Offset: 5, Length: 9}
	got := Claude.AppendEdge([]byte("x"), e, entry.Value(`"line:2"`), entry.Value(`"line:1"`), "")
	require.Equal(t, `x{"uuid":"line:2","parentUuid":"line:1","type":"user","line":2,"offset":5,"length":9`, string(got))
}
