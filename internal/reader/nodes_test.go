package reader

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/log"
	"jl/test/drawn"
)

// From lines to nodes.
func TestNodes(t *testing.T) {
	run(t, []reading{
		{name: "a message whose context is off the path", leaf: "a3", c21: "u2 a3", text: `
			a1 assistant call=t1 m=m
			u2 attachment <a1
			a3 assistant <a1`},
		{name: "an entry of the message that hangs below a later one", leaf: "a1", text: `
			a1 assistant <a2 m=m
			a2 assistant m=m`},
		{name: "one path", text: `
			u1 user
			a2 assistant <u1
			u3 user <a2`,
			sdk: "u1 a2 u3", sys: "u1 a2 u3", c21: "u1 a2 u3", c20: "u1 a2 u3"},
		{name: "empty", text: ``, sdk: "-", sys: "-", c21: "-", c20: "-"},
		{name: "a line that is not a whole entry is skipped", text: `
			u1 user
			|{"uuid":"a2","parentUuid":"u1","type":"assist
			u3 user <u1`,
			sdk: "u1 u3", c21: "u1 u3", c20: "u1 u3"},
		{name: "only the default recovers", text: `
			u1 user
			|{"uuid":"a2","parentUuid":"u1","type":"assist{"uuid":"u3","parentUuid":"u1","type":"user","timestamp":"2026-01-01T00:00:02Z","message":{"role":"user","content":"x"}}`,
			sdk: "u1", c21: "u1", c20: "u1"},
		{name: "a byte order mark costs sdk the first entry", text: "|\xef\xbb\xbf" + `{"uuid":"u1","type":"user","timestamp":"2026-01-01T00:00:01Z","message":{"content":"x"}}
			a2 assistant <u1`,
			sdk: "a2", c21: "u1 a2", c20: "u1 a2"},
		{name: "an id that is not a string, or not at the top level", text: `
			u1 user
			|{"uuid":7,"parentUuid":"u1","type":"user","timestamp":"2026-01-01T00:00:02Z"}
			|{"message":{"uuid":"u3"},"parentUuid":"u1","type":"user","timestamp":"2026-01-01T00:00:03Z"}`,
			sdk: "u1", c21: "u1", c20: "u1"},
		{name: "an escaped id is the same id", text: `
			u1 user
			|{"\u0075uid":"\u0061\u0032","parentUuid":"\u00751","type":"assistant","timestamp":"2026-01-01T00:00:02Z","message":{"content":"x"}}
			u3 user <a2`,
			sdk: "u1 a2 u3", c21: "u1 a2 u3", c20: "u1 a2 u3"},
		{name: "ids compare exactly", text: `
			u1 user
			U1 user
			a2 assistant <u1`,
			sdk: "u1 a2", c21: "u1 a2", c20: "u1 a2"},
		{name: "an empty, absent or non-string parent makes a root", text: `
			u1 user <
			u2 user <-
			|{"uuid":"u3","parentUuid":{"uuid":"u2"},"type":"user","timestamp":"2026-01-01T00:00:03Z","message":{"content":"x"}}`,
			sdk: "u3", c21: "u3", c20: "u3"},
		{name: "the logical parent is not followed", text: `
			u1 user
			b2 boundary log=u1
			u3 user <b2`,
			sdk: "u3", sys: "b2 u3", c21: "b2 u3", c20: "b2 u3"},
		{name: "progress, unknown types and no type", text: `
			u1 user
			p2 progress <u1
			a3 assistant <p2
			w4 weird <a3
			u5 user <w4
			|{"uuid":"n6","parentUuid":"u5"}
			a7 assistant <n6 @7`,
			sdk: "a7", c21: "u1 a3 u5 a7", c20: "a7"},
		{name: "the last duplicate counts, at its position", text: `
			u1 user
			a2 assistant <u1
			u3 user
			a4 assistant <u3 @1
			a2 assistant <u3 @2`,
			sdk: "u3 a2", c21: "u3 a2", c20: "u3 a2"},
		{name: "claude-2.0 keeps the first position", text: `
			u1 user @9
			u2 user @9
			u1 user @9`,
			sdk: "u1", c21: "u1", c20: "u1"},
		{name: "claude-2.0 keeps the first position of three", text: `
			u1 user @9
			u2 user @9
			u1 user @3
			u1 user @9`,
			c20: "u1"},
		{name: "children before parents", text: `
			u5 user <a4 @5
			a4 assistant <u3 @4
			u3 user @3`,
			sdk: "u3 a4 u5", c21: "u3 a4 u5", c20: "u3 a4 u5"},
		{name: "invalid UTF-8 is kept", text: `
			u1 user
			|{"uuid":"a2","parentUuid":"u1","type":"assistant","timestamp":"2026-01-01T00:00:02Z","message":{"content":"` + "\xff\xfe" + `"}}`,
			sdk: "u1 a2", c21: "u1 a2", c20: "u1 a2"},
		{name: "CR ends no line", text: "|{\"uuid\":\"u1\",\"type\":\"user\",\"timestamp\":\"2026-01-01T00:00:02Z\"}\r\n" +
			"|{\"uuid\":\"u2\",\"type\":\"user\",\"timestamp\":\"2026-01-01T00:00:02Z\"}\r{\"uuid\":\"u3\",\"type\":\"user\",\"timestamp\":\"2026-01-01T00:00:01Z\"}",
			sdk: "u1", c21: "u1", c20: "u1"},
	})
}

// Above 5 MiB the programs do not read what is before the last boundary.
func TestFiveMiB(t *testing.T) {
	run(t, []reading{
		{name: "cut", text: `
			u1 user @1 pad=5242880
			b2 boundary @200
			a3 assistant <u1 @300`,
			sdk: "a3", sys: "a3", c21: "a3", c20: "u1 a3"},
		{name: "a boundary on a sidechain, or without an id, counts too", text: `
			u1 user @1 pad=5242880
			b2 boundary side @100
			u3 user @150
			- boundary @200
			a4 assistant <u3 @300`,
			sdk: "a4", c21: "a4", c20: "u3 a4"},
		{name: "not if the boundary preserves entries", text: `
			u1 user @1 pad=5242880
			b2 boundary @200 seg=x,y/z
			a3 assistant <u1 @300`,
			sdk: "u1 a3", c21: "u1 a3"},
		{name: "not without a boundary", text: `
			u1 user @1 pad=5242880
			a3 assistant <u1 @300`,
			sdk: "u1 a3", c21: "u1 a3"},
		{name: "an older duplicate before the boundary is not read either", text: `
			u1 user @1 pad=5242880
			x2 user @2
			b3 boundary @3
			u4 user <b3 @4
			x2 user <u4 side @5`,
			c21: "b3 u4"},
	})
	small := drawn.Log("u1 user @1 pad=5240000\nb2 boundary @2\na3 assistant <u1 @300")
	exact := small + strings.Repeat("\n", fiveMiB-len(small))
	for _, c := range []struct {
		text, want string
	}{{exact, "u1 a3"}, {exact + "\n", "a3"}} {
		r := read(t, c.text, SDK)
		require.Equal(t, c.want, ids(t, r, r.Path(log.None, log.Options{}, false).Nodes), "%d bytes", len(c.text))
	}
}
