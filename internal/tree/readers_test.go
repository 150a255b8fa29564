package tree

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A reading is a log and the paths by each of the rules: "-" if there is none, "" if the
// test does not check it.
type reading struct {
	name string
	log  string
	leaf string // the given leaf, if not empty

	def, sdk, sys, c21, c20 string
}

func (c *reading) run(t *testing.T) {
	log := jsonl(c.log)
	for _, as := range []struct {
		name  string
		rules Rules
		want  string
	}{
		{"default", Default, c.def},
		{"sdk", SDK, c.sdk},
		{"sdk-system", SDKSystem, c.sys},
		{"claude-2.1", Claude21, c.c21},
		{"claude-2.0", Claude20, c.c20},
	} {
		if as.want == "" {
			continue
		}
		tree := read(t, log, as.rules)
		p := tree.Path(nodeOf(t, tree, c.leaf), Options{})
		require.Equal(t, as.want, ids(t, tree, p.Nodes), "%s of\n%s", as.name, c.log)
		if as.rules == Default && c.leaf == "" {
			again := read(t, joined(tree, p.Nodes), Default)
			require.Equal(t, as.want, ids(t, again, again.Path(None, Options{}).Nodes), "a path's path is itself:\n%s", c.log)
		}
		if leaf, _ := tree.Leaf(nodeOf(t, tree, c.leaf)); as.want == "-" {
			require.Equal(t, None, leaf, as.name)
		} else {
			require.Equal(t, p.Leaf, leaf, as.name)
		}
	}
}

// joined returns the bytes of nodes, each with a newline.
func joined(tree *Tree, nodes []Node) string {
	var b strings.Builder
	for _, n := range nodes {
		b.Write(bytes.TrimSuffix(tree.Entry(n).Line, []byte("\n")))
		b.WriteByte('\n')
	}
	return b.String()
}

func run(t *testing.T, cases []reading) {
	for _, c := range cases {
		t.Run(c.name, c.run)
	}
}

// From lines to nodes.
func TestNodes(t *testing.T) {
	run(t, []reading{
		{name: "a message whose context is off the path", leaf: "a3", c21: "u2 a3", log: `
			a1 assistant call=t1 m=m
			u2 attachment <a1
			a3 assistant <a1`},
		{name: "an entry of the message that hangs below a later one", leaf: "a1", def: "a2 a1", log: `
			a1 assistant <a2 m=m
			a2 assistant m=m`},
		{name: "one path", log: `
			u1 user
			a2 assistant <u1
			u3 user <a2`,
			def: "u1 a2 u3", sdk: "u1 a2 u3", sys: "u1 a2 u3", c21: "u1 a2 u3", c20: "u1 a2 u3"},
		{name: "empty", log: ``, def: "-", sdk: "-", sys: "-", c21: "-", c20: "-"},
		{name: "a line that is not a whole entry is skipped", log: `
			u1 user
			|{"uuid":"a2","parentUuid":"u1","type":"assist
			u3 user <u1`,
			def: "u1 u3", sdk: "u1 u3", c21: "u1 u3", c20: "u1 u3"},
		{name: "only the default recovers", log: `
			u1 user
			|{"uuid":"a2","parentUuid":"u1","type":"assist{"uuid":"u3","parentUuid":"u1","type":"user","timestamp":"2026-01-01T00:00:02Z","message":{"role":"user","content":"x"}}`,
			def: "u1 u3", sdk: "u1", c21: "u1", c20: "u1"},
		{name: "a byte order mark costs sdk the first entry", log: "|\xef\xbb\xbf" + `{"uuid":"u1","type":"user","timestamp":"2026-01-01T00:00:01Z","message":{"content":"x"}}
			a2 assistant <u1`,
			def: "u1 a2", sdk: "a2", c21: "u1 a2", c20: "u1 a2"},
		{name: "an id that is not a string, or not at the top level", log: `
			u1 user
			|{"uuid":7,"parentUuid":"u1","type":"user","timestamp":"2026-01-01T00:00:02Z"}
			|{"message":{"uuid":"u3"},"parentUuid":"u1","type":"user","timestamp":"2026-01-01T00:00:03Z"}`,
			def: "u1", sdk: "u1", c21: "u1", c20: "u1"},
		{name: "an escaped id is the same id", log: `
			u1 user
			|{"\u0075uid":"\u0061\u0032","parentUuid":"\u00751","type":"assistant","timestamp":"2026-01-01T00:00:02Z","message":{"content":"x"}}
			u3 user <a2`,
			def: "u1 a2 u3", sdk: "u1 a2 u3", c21: "u1 a2 u3", c20: "u1 a2 u3"},
		{name: "ids compare exactly", log: `
			u1 user
			U1 user
			a2 assistant <u1`,
			def: "u1 a2", sdk: "u1 a2", c21: "u1 a2", c20: "u1 a2"},
		{name: "an empty, absent or non-string parent makes a root", log: `
			u1 user <
			u2 user <-
			|{"uuid":"u3","parentUuid":{"uuid":"u2"},"type":"user","timestamp":"2026-01-01T00:00:03Z","message":{"content":"x"}}`,
			def: "u3", sdk: "u3", c21: "u3", c20: "u3"},
		{name: "the logical parent is not followed", log: `
			u1 user
			b2 boundary log=u1
			u3 user <b2`,
			def: "b2 u3", sdk: "u3", sys: "b2 u3", c21: "b2 u3", c20: "b2 u3"},
		{name: "progress, unknown types and no type", log: `
			u1 user
			p2 progress <u1
			a3 assistant <p2
			w4 weird <a3
			u5 user <w4
			|{"uuid":"n6","parentUuid":"u5"}
			a7 assistant <n6 @7`,
			def: "u1 p2 a3 w4 u5 n6 a7", sdk: "a7", c21: "u1 a3 u5 a7", c20: "a7"},
		{name: "the last duplicate counts, at its position", log: `
			u1 user
			a2 assistant <u1
			u3 user
			a4 assistant <u3 @1
			a2 assistant <u3 @2`,
			def: "u3 a2", sdk: "u3 a2", c21: "u3 a2", c20: "u3 a2"},
		{name: "claude-2.0 keeps the first position", log: `
			u1 user @9
			u2 user @9
			u1 user @9`,
			def: "u1", sdk: "u1", c21: "u1", c20: "u1"},
		{name: "claude-2.0 keeps the first position of three", log: `
			u1 user @9
			u2 user @9
			u1 user @3
			u1 user @9`,
			c20: "u1"},
		{name: "children before parents", log: `
			u5 user <a4 @5
			a4 assistant <u3 @4
			u3 user @3`,
			def: "u3 a4 u5", sdk: "u3 a4 u5", c21: "u3 a4 u5", c20: "u3 a4 u5"},
		{name: "invalid UTF-8 is kept", log: `
			u1 user
			|{"uuid":"a2","parentUuid":"u1","type":"assistant","timestamp":"2026-01-01T00:00:02Z","message":{"content":"` + "\xff\xfe" + `"}}`,
			def: "u1 a2", sdk: "u1 a2", c21: "u1 a2", c20: "u1 a2"},
		{name: "CR ends no line", log: "|{\"uuid\":\"u1\",\"type\":\"user\",\"timestamp\":\"2026-01-01T00:00:02Z\"}\r\n" +
			"|{\"uuid\":\"u2\",\"type\":\"user\",\"timestamp\":\"2026-01-01T00:00:02Z\"}\r{\"uuid\":\"u3\",\"type\":\"user\",\"timestamp\":\"2026-01-01T00:00:01Z\"}",
			def: "u2", sdk: "u1", c21: "u1", c20: "u1"},
	})
}

// Above 5 MiB the programs do not read what is before the last boundary.
func TestFiveMiB(t *testing.T) {
	run(t, []reading{
		{name: "cut", log: `
			u1 user @1 pad=5242880
			b2 boundary @200
			a3 assistant <u1 @300`,
			def: "u1 a3", sdk: "a3", sys: "a3", c21: "a3", c20: "u1 a3"},
		{name: "a boundary on a sidechain, or without an id, counts too", log: `
			u1 user @1 pad=5242880
			b2 boundary side @100
			u3 user @150
			- boundary @200
			a4 assistant <u3 @300`,
			sdk: "a4", c21: "a4", c20: "u3 a4"},
		{name: "not if the boundary preserves entries", log: `
			u1 user @1 pad=5242880
			b2 boundary @200 seg=x,y/z
			a3 assistant <u1 @300`,
			sdk: "u1 a3", c21: "u1 a3"},
		{name: "not without a boundary", log: `
			u1 user @1 pad=5242880
			a3 assistant <u1 @300`,
			sdk: "u1 a3", c21: "u1 a3"},
		{name: "an older duplicate before the boundary is not read either", log: `
			u1 user @1 pad=5242880
			x2 user @2
			b3 boundary @3
			u4 user <b3 @4
			x2 user <u4 side @5`,
			c21: "b3 u4"},
	})
	small := jsonl("u1 user @1 pad=5240000\nb2 boundary @2\na3 assistant <u1 @300")
	exact := small + strings.Repeat("\n", fiveMiB-len(small))
	for _, c := range []struct {
		log, want string
	}{{exact, "u1 a3"}, {exact + "\n", "a3"}} {
		tree := read(t, c.log, SDK)
		require.Equal(t, c.want, ids(t, tree, tree.Path(None, Options{}).Nodes), "%d bytes", len(c.log))
	}
}

// TestSDK follows sdk step by step, with the others where they differ.
func TestSDK(t *testing.T) {
	run(t, []reading{
		// 1. preserved lists
		{name: "a list below the boundary, the children of the boundary below the list", log: `
			u1 user
			a2 assistant <u1
			u3 user <a2
			a4 assistant <u3
			b5 boundary keep=u3,a4/b5
			u6 user <b5
			a7 assistant <u6`,
			def: "b5 u3 a4 u6 a7", sdk: "u3 a4 u6 a7", sys: "b5 u3 a4 u6 a7", c21: "b5 u3 a4 u6 a7", c20: "b5 u6 a7"},
		{name: "a segment, below a summary", log: `
			u1 user
			a2 assistant <u1
			u3 user <a2
			a4 assistant <u3
			b5 boundary seg=u3,a4/u6
			u6 user <b5
			a7 assistant <u6`,
			def: "b5 u6 u3 a4 a7", sdk: "u6 u3 a4 a7", c21: "b5 u6 u3 a4 a7", c20: "b5 u6 a7"},
		{name: "a list counts before a segment", log: `
			u1 user
			a2 assistant <u1
			b3 boundary keep=a2/b3 seg=u1,a2/b3
			u4 user <b3`,
			def: "b3 a2 u4", sdk: "a2 u4", c21: "b3 a2 u4"},
		{name: "the entries of a list form a chain, whatever their parents", log: `
			u1 user
			a2 assistant <u1
			a3 assistant <u1
			b4 boundary keep=u1,a2,a3/b4
			u5 user <b4`,
			def: "b4 u1 a2 a3 u5", sdk: "u1 a2 a3 u5", c21: "b4 u1 a2 a3 u5"},
		{name: "an incomplete list is ignored", log: `
			u1 user
			a2 assistant <u1
			b3 boundary keep=a2,no/b3
			u4 user <b3`,
			def: "b3 u4", sdk: "u4", sys: "b3 u4", c21: "b3 u4"},
		{name: "an empty list is ignored", log: `
			u1 user
			a2 assistant <u1
			b3 boundary keep=/b3 seg=u1,a2/b3
			u4 user <b3`,
			def: "b3 u4", sdk: "u4", sys: "b3 u4", c21: "b3 u4"},
		{name: "a missing tail cuts the path", log: `
			u1 user
			a2 assistant <u1
			b3 boundary seg=a2,no/b3
			u4 user <b3`,
			def: "b3 u4", sdk: "u4", sys: "u4", c21: "b3 u4"},
		{name: "with a missing head the path goes through the old entries", log: `
			u1 user
			a2 assistant <u1
			b3 boundary seg=no,a2/b3
			u4 user <b3`,
			def: "b3 u4", sdk: "u1 a2 u4", c21: "b3 u4"},
		{name: "two children of the anchor", log: `
			u1 user
			a2 assistant <u1
			b3 boundary seg=u1,a2/b3
			u4 user <b3
			u5 user <b3`,
			def: "b3 u1 a2 u5", sdk: "u1 a2 u5", c21: "b3 u1 a2 u5"},
		{name: "sdk relinks all lists, the others the last one", log: `
			u1 user
			b2 boundary keep=u1/b2
			u3 user <b2
			b4 boundary
			u5 user <u3`,
			def: "b2 u3 u5", sdk: "u1 u3 u5", c21: "b2 u3 u5"},
		{name: "two lists, one after the other", log: `
			u1 user
			b2 boundary keep=u1/b2
			u3 user <b2
			b4 boundary keep=u3/b4
			u5 user <b4`,
			def: "b4 u3 u5", sdk: "u3 u5", sys: "b4 u3 u5", c21: "b4 u3 u5"},
		{name: "an anchor that is its own tail moves nothing", log: `
			u1 user
			b2 boundary seg=u1,b2/b2
			u3 user <b2`,
			sdk: "u3", sys: "b2 u3"},
		{name: "an anchor that is not a string moves nothing", log: `
			u1 user
			|{"uuid":"b2","type":"system","subtype":"compact_boundary","timestamp":"2026-01-01T00:00:02Z","compactMetadata":{"preservedSegment":{"headUuid":"u1","tailUuid":"u1"}}}
			u3 user <b2`,
			def: "b2 u3", sys: "b2 u3"},
		// 2. bridging
		{name: "progress is bridged", log: `
			u1 user
			p2 progress <u1
			p3 progress <p2
			a4 assistant <p3`,
			def: "u1 p2 p3 a4", sdk: "u1 a4", c21: "u1 a4", c20: "a4"},
		{name: "a progress entry without its parent makes an orphan", log: `
			u1 user
			p2 progress <no @80
			a3 assistant <p2 @90`,
			def: "p2 a3", sdk: "a3", c21: "a3", c20: "a3"},
		{name: "a cycle of progress", log: `
			u1 user
			p2 progress <p3
			p3 progress <p2
			a4 assistant <p3 @90`,
			def: "p2 p3 a4", sdk: "a4", c21: "a4"},
		// 3. the leaf
		{name: "the last in the file, not the newest", log: `
			u1 user
			a2 assistant <u1 @50
			a3 assistant <u1 @40`,
			def: "u1 a2", sdk: "u1 a3", c21: "u1 a3", c20: "u1 a2"},
		{name: "an attachment on an old branch makes it the leaf", log: `
			u1 user
			a2 assistant <u1
			u3 user <a2
			t4 attachment <a2`,
			def: "u1 a2 t4", sdk: "u1 a2", c21: "u1 a2 t4", c20: "u1 a2 t4"},
		{name: "a system entry on an old branch makes it the leaf", log: `
			u1 user
			a2 assistant <u1
			u3 user <a2
			s4 system <a2`,
			def: "u1 a2 s4", sdk: "u1 a2", sys: "u1 a2", c21: "u1 a2 s4", c20: "u1 a2 s4"},
		{name: "a meta entry on an old branch makes it the leaf", log: `
			u1 user
			a2 assistant <u1
			u3 user <a2
			u4 user <a2 meta`,
			def: "u1 a2 u4", sdk: "u1 a2", c21: "u1 a2 u4", c20: "u1 a2 u4"},
		{name: "an end can have a hidden child", log: `
			u1 user
			a2 assistant <u1
			u3 user <a2 side`,
			def: "u1 a2", sdk: "u1 a2", c21: "u1 a2", c20: "u1 a2 u3"},
		{name: "a team's entry is hidden only from sdk", log: `
			u1 user
			a2 assistant <u1
			u3 user <a2 team`,
			def: "u1 a2 u3", sdk: "u1 a2", c21: "u1 a2 u3", c20: "u1 a2 u3"},
		{name: "up to a message, hidden ones too", log: `
			u1 user
			a2 assistant <u1 side
			t3 attachment <a2`,
			def: "u1 a2 t3", sdk: "u1", c21: "-", c20: "u1 a2 t3"},
		{name: "an end without a message above it does not count", log: `
			u1 user
			s2 system`,
			def: "u1", sdk: "u1", c21: "u1", c20: "s2"},
		{name: "a progress entry names no parent", log: `
			u1 user
			a2 assistant <u1
			p3 progress <a2`,
			def: "u1 a2", sdk: "u1 a2", c21: "u1 a2", c20: "u1 a2"},
		{name: "an entry below progress does not name the one above it", log: `
			u1 user
			p2 progress <u1
			a3 assistant <p2
			a4 assistant @1`,
			def: "u1 p2 a3", sdk: "a4"},
		{name: "only sidechains", log: `
			u1 user side
			a2 assistant <u1 side`,
			def: "u1 a2", sdk: "-", sys: "-", c21: "-", c20: "u1 a2"},
		{name: "a closed cycle with progress", log: `
			u1 user <a2
			a2 assistant <u1
			p3 progress <a2`,
			def: "-", sdk: "u1 a2", c20: "-"},
		{name: "a closed cycle without", log: `
			u1 user <a2
			a2 assistant <u1`,
			def: "-", sdk: "-", sys: "-", c21: "u1 a2", c20: "-"},
		// 4. the path
		{name: "stops at a missing parent", log: `
			u1 user
			u2 user <no @80
			a3 assistant <u2 @81`,
			def: "u2 a3", sdk: "u2 a3", c21: "u2 a3", c20: "u2 a3"},
		{name: "stops at a repeat", log: `
			u1 user <a2
			a2 assistant <u1
			u3 user <a2`,
			def: "u1 a2 u3", sdk: "u1 a2 u3", c21: "u1 a2 u3", c20: "u1 a2 u3"},
		{name: "its own parent", log: `
			u1 user
			u2 user <u2`,
			def: "u1", sdk: "u1", c21: "u1 u2", c20: "u1"},
		// 6. the output
		{name: "shown kinds and flags", log: `
			u1 user
			s2 system <u1
			u3 user <s2 meta
			u4 user <u3 side
			u5 user <u4 team
			t6 attachment <u5
			a7 assistant <t6`,
			def: "u1 s2 u3 u4 u5 t6 a7", sdk: "u1 a7", sys: "u1 s2 a7", c21: "u1 s2 u3 u4 u5 t6 a7", c20: "u1 s2 u3 u4 u5 t6 a7"},
		{name: "last-prompt is ignored", log: `
			u1 user
			a2 assistant <u1
			a3 assistant <u1
			- last-prompt leaf=a2`,
			def: "u1 a3", sdk: "u1 a3", c21: "u1 a2", c20: "u1 a3"},
		{name: "a given leaf", leaf: "a2", log: `
			u1 user
			a2 assistant <u1
			a3 assistant <u1`,
			def: "u1 a2", sdk: "u1 a2", sys: "u1 a2", c21: "u1 a2", c20: "u1 a2"},
		{name: "a given leaf that is not a node", leaf: "p2", log: `
			u1 user
			p2 progress <u1`,
			def: "u1 p2", sdk: "-", c21: "-"},
	})
}

// TestParallelCalls checks sdk and the default.
func TestParallelCalls(t *testing.T) {
	run(t, []reading{
		{name: "after the last entry on the path: entries, then results", log: `
			u1 user
			a2 assistant <u1 m=m call=t1
			a3 assistant <a2 m=m call=t2
			r4 user <a2 res=t1
			r5 user <a3 res=t2
			a6 assistant <r5`,
			def: "u1 a2 a3 r4 r5 a6", sdk: "u1 a2 a3 r4 r5 a6", c21: "u1 a2 a3 r4 r5 a6", c20: "u1 a2 a3 r5 a6"},
		{name: "an entry of the message on another branch", log: `
			u1 user
			a2 assistant <u1 m=m call=t1
			r3 user <a2 res=t1
			a4 assistant <u1 m=m call=t2
			r5 user <a4 res=t2
			u6 user <r5`,
			def: "u1 a4 a2 r3 r5 u6", sdk: "u1 a4 a2 r3 r5 u6"},
		{name: "without a message id there is no group", log: `
			u1 user
			a2 assistant <u1 call=t1
			r3 user <a2 res=t1
			u4 user <a2`,
			def: "u1 a2 u4", sdk: "u1 a2 u4"},
		{name: "a result that is a child counts, whatever it names", log: `
			u1 user
			a2 assistant <u1 m=m call=t1
			r3 user <a2 res=zz
			u4 user <a2`,
			def: "u1 a2 r3 u4", sdk: "u1 a2 r3 u4"},
		{name: "a result below progress does not count", log: `
			u1 user
			a2 assistant <u1 m=m call=t1
			p3 progress <a2
			r4 user <p3 res=zz
			u5 user <a2`,
			def: "u1 a2 u5", sdk: "u1 a2 u5"},
		{name: "an open call finds its result anywhere except at a root", log: `
			u1 user
			a2 assistant <u1 m=m call=t1,t2
			s3 system <a2
			r4 user <s3 res=t1
			r5 user res=t2
			r6 user <no res=t2
			r7 user <s3 res=t2
			u8 user <a2`,
			def: "u1 a2 r4 r6 u8", sdk: "u1 a2 r4 r6 u8"},
		{name: "not a call that the path answers", log: `
			u1 user
			a2 assistant <u1 m=m call=t1
			u3 user <a2
			r4 user <u3 res=t1
			s5 system <a2
			r6 user <s5 res=t1 @2
			u7 user <r4`,
			def: "u1 a2 u3 r4 u7", sdk: "u1 a2 u3 r4 u7"},
		{name: "not a call that a child answers, even on a sidechain", log: `
			u1 user
			a2 assistant <u1 m=m call=t1
			r3 user <a2 res=t1 side
			s4 system <a2
			r5 user <s4 res=t1
			u6 user <a2 @50`,
			def: "u1 a2 u6", sdk: "u1 a2 u6"},
		{name: "not if another message makes the same call", log: `
			u1 user
			a2 assistant <u1 m=m call=t1
			a3 assistant m=n call=t1
			s4 system <a2
			r5 user <s4 res=t1
			u6 user <a2 @50`,
			def: "u1 a2 u6", sdk: "u1 a2 u6"},
		{name: "not if the last to make it is a sidechain", log: `
			u1 user
			a2 assistant <u1 m=m call=t1
			a3 assistant m=m call=t1 side
			s4 system <a2
			r5 user <s4 res=t1
			u6 user <a2 @50`,
			def: "u1 a2 u6", sdk: "u1 a2 u6"},
		{name: "each result once, for the first call", log: `
			u1 user
			a2 assistant <u1 m=m call=t1,t2
			s3 system <a2
			r4 user <s3 res=t1,t2
			r5 user <s3 res=t2
			u6 user <a2 @50`,
			def: "u1 a2 r4 r5 u6", sdk: "u1 a2 r4 r5 u6"},
		{name: "by time, without a time first, else in file order", log: `
			u1 user
			a2 assistant <u1 m=m call=t1,t2,t3,t4
			r3 user <a2 res=t1 @30
			r4 user <a2 res=t2 @20
			r5 user <a2 res=t3 @-
			r6 user <a2 res=t4 @20
			u7 user <a2 @50`,
			def: "u1 a2 r5 r4 r6 r3 u7", sdk: "u1 a2 r5 r4 r6 r3 u7"},
		{name: "nothing below inserted entries", log: `
			u1 user
			a2 assistant <u1 m=m call=t1
			r3 user <a2 res=t1
			t4 attachment <r3
			a5 assistant <r3 @3
			u6 user <a2 @50`,
			def: "u1 a2 r3 u6", sdk: "u1 a2 r3 u6"},
		{name: "sidechains are left out", log: `
			u1 user
			a2 assistant <u1 m=m call=t1
			a3 assistant <a2 m=m call=t2 side
			r4 user <a3 res=t2 side
			r5 user <a2 res=t1`,
			def: "u1 a2 r5", sdk: "u1 a2 r5"},
		{name: "but not if the whole log is a sidechain", log: `
			u1 user side
			a2 assistant <u1 m=m call=t1 side
			a3 assistant <a2 m=m call=t2 side
			r4 user <a2 res=t1 side
			r5 user <a3 res=t2 side`,
			def: "u1 a2 a3 r4 r5", sdk: "-"},
		{name: "two turns", log: `
			u1 user
			a2 assistant <u1 m=m call=t1
			a3 assistant <a2 m=m call=t2
			r4 user <a2 res=t1
			r5 user <a3 res=t2
			a6 assistant <r5 m=n call=t3
			a7 assistant <a6 m=n call=t4
			r8 user <a6 res=t3
			r9 user <a7 res=t4`,
			def: "u1 a2 a3 r4 r5 a6 a7 r8 r9", sdk: "u1 a2 a3 r4 r5 a6 a7 r8 r9", c21: "u1 a2 a3 r4 r5 a6 a7 r8 r9"},
		{name: "ids of calls that are not strings", log: `
			u1 user
			|{"uuid":"a2","parentUuid":"u1","type":"assistant","timestamp":"2026-01-01T00:00:02Z","message":{"id":"m","content":[{"type":"tool_use","id":7},"text",{"type":"tool_use","id":"7"}]}}
			s3 system <a2
			|{"uuid":"r4","parentUuid":"s3","type":"user","timestamp":"2026-01-01T00:00:04Z","message":{"content":[{"type":"tool_result","tool_use_id":7}]}}
			u5 user <a2 @50`,
			def: "u1 a2 r4 u5", sdk: "u1 a2 r4 u5"},
	})
}

func TestClaude21(t *testing.T) {
	run(t, []reading{
		// 2. preserved lists
		{name: "entries before the boundary that are not kept are dropped", log: `
			u1 user
			a2 assistant <u1
			u3 user <a2
			a4 assistant <u3
			b5 boundary keep=u3/b5
			u6 user <b5
			u7 user <a4`,
			def: "u1 a2 u3 a4 u7", sdk: "u3 a4 u7", c21: "b5 u3 u7", c20: "u1 a2 u3 a4 u7"},
		{name: "a later boundary without a list undoes it", log: `
			u1 user
			b2 boundary keep=u1/b2
			u3 user <b2
			b4 boundary
			u5 user <b4`,
			c21: "b4 u5", def: "b4 u5", sys: "b4 u5"},
		{name: "a segment whose head is not above its tail is ignored", log: `
			u1 user
			u2 user
			b3 boundary seg=u1,u2/b3
			u4 user <b3`,
			c21: "b3 u4", def: "b3 u4"},
		// 3. the leaf
		{name: "the newest of a closed cycle", log: `
			u1 user <u3 @9
			u2 user <u1 @10
			u3 user <u2 @8`,
			c21: "u3 u1 u2"},
		{name: "the first of equals of a closed cycle", log: `
			u1 user <u3 @9
			u2 user <u1 @9
			u3 user <u2 @-`,
			c21: "u2 u3 u1"},
		{name: "a closed cycle without times", log: `
			u1 user <u2 @-
			u2 user <u1 @-`,
			c21: "u2 u1"},
		{name: "system and attachments only", log: `
			t1 attachment
			s2 system`,
			c21: "s2", sdk: "-", def: "s2"},
		{name: "an id on the main line, then on a sidechain", log: `
			u1 user
			a2 assistant <u1
			a2 assistant <u1 side`,
			c21: "-", sdk: "u1"},
		{name: "by its position on the main line", log: `
			u1 user
			t2 attachment <u1
			a3 assistant <u1
			t2 attachment <u1 side`,
			c21: "u1 a3"},
		// 4. last-prompt
		{name: "it names a branch", log: `
			u1 user
			a2 assistant <u1
			u3 user <a2
			- last-prompt leaf=u3
			u4 user <a2`,
			c21: "u1 a2 u3"},
		{name: "it names a node on the path", log: `
			u1 user
			a2 assistant <u1
			- last-prompt leaf=u1`,
			c21: "u1 a2"},
		{name: "the last one with a leaf counts", log: `
			u1 user
			a2 assistant <u1
			a3 assistant <u1
			a4 assistant <u1
			- last-prompt leaf=a3
			- last-prompt leaf=a2
			|{"type":"last-prompt","leafUuid":null}
			|{"type":"last-prompt"}`,
			c21: "u1 a2"},
		{name: "a boundary after it cancels it", log: `
			u1 user
			a2 assistant <u1
			- last-prompt leaf=a2
			b3 boundary
			u4 user <b3`,
			c21: "b3 u4"},
		{name: "a missing leaf, or one without a message above it, is ignored", log: `
			u1 user
			s2 system
			a3 assistant <u1
			- last-prompt leaf=s2`,
			c21: "u1 a3"},
		{name: "missing", log: `
			u1 user
			- last-prompt leaf=no`,
			c21: "u1"},
		{name: "a last message without a time", log: `
			u1 user
			a2 assistant <u1 @-`,
			def: "u1 a2", c21: "u1 a2", sdk: "u1 a2", c20: "u1 a2"},
		{name: "a last message whose time is a number", log: `
			u1 user
			a2 assistant <u1 @=1767225600000`,
			c21: "u1 a2", c20: "u1 a2"},
		{name: "an ancestor's time does not matter", log: `
			u1 user @=null
			a2 assistant <u1`,
			c21: "u1 a2"},
		{name: "the same for a given leaf", leaf: "t3", log: `
			u1 user
			a2 assistant <u1 side
			t3 attachment <a2`,
			c21: "-"},
		{name: "a given leaf whose last message is found by time", leaf: "t4", log: `
			u1 user @1
			a2 assistant <u1 side @2
			s3 system <a2 @3
			t4 attachment <no @4`,
			c21: "-"},
		// 5. the path
		{name: "an orphan is tied to the newest of five seconds", log: `
			u1 user @1
			u2 user @2
			a3 assistant <no @6`,
			c21: "u2 a3", def: "a3", sdk: "a3"},
		{name: "five seconds older is not too old", log: `
			u1 user @1
			a2 assistant <no @6`,
			c21: "u1 a2"},
		{name: "more than five seconds older is too old", log: `
			u1 user @1
			a2 assistant <no @6.001`,
			c21: "a2"},
		{name: "ties go to the first in the file", log: `
			u1 user @4
			u2 user @4
			a3 assistant <no @6`,
			c21: "u1 a3"},
		{name: "not to a sidechain, a younger one, its own child, or without a time", log: `
			u1 user @4 side
			u2 user @7
			u3 user @-
			s5 system <a4 @5
			a4 assistant <no @6`,
			c21: "a4 s5"},
		{name: "an orphan without a time is not tied", log: `
			u1 user @1
			s2 system <no @-
			a3 assistant <s2 @3`,
			c21: "s2 a3"},
		{name: "a repeat is tied like an orphan", log: `
			u1 user @1
			u2 user <a3 @2
			a3 assistant <u2 @3
			u4 user <a3 @4`,
			c21: "u1 u2 a3 u4"},
		{name: "an orphan above an orphan", log: `
			u1 user <no @1
			u2 user <gone @2
			u3 user <lost @3`,
			c21: "u1 u2 u3"},
		// 6. parallel calls
		{name: "in file order", log: `
			u1 user
			a2 assistant <u1 m=m call=t1
			r3 user <a2 res=t1
			a4 assistant <a2 m=m call=t2
			r5 user <a4 res=t2
			a6 assistant <r5`,
			c21: "u1 a2 r3 a4 r5 a6", sdk: "u1 a2 a4 r3 r5 a6"},
		{name: "with the context below them", log: `
			u1 user
			a2 assistant <u1 m=m call=t1
			a3 assistant <a2 m=m call=t2
			r4 user <a2 res=t1
			t5 attachment <r4
			s6 system <t5
			r7 user <a3 res=t2
			a8 assistant <r7`,
			c21: "u1 a2 a3 r4 t5 s6 r7 a8", sdk: "u1 a2 a3 r4 r7 a8"},
		{name: "without the context if another conversation continues there", log: `
			u1 user
			a2 assistant <u1 m=m call=t1
			a3 assistant <a2 m=m call=t2
			r4 user <a2 res=t1
			t5 attachment <r4
			u6 user <t5
			r7 user <a3 res=t2
			a8 assistant <r7`,
			c21: "u1 a2 a3 r4 r7 a8"},
		{name: "results below attachments", log: `
			u1 user
			a2 assistant <u1 m=m call=t1,t2
			s3 system <a2
			r4 user <s3 res=t1
			t5 attachment <r4
			r6 user <t5 res=t2
			t7 attachment <r6
			u8 user <a2`,
			c21: "u1 a2 s3 r4 t5 r6 t7 u8"},
		{name: "results below attachments, and a conversation at their end", log: `
			u1 user
			a2 assistant <u1 m=m call=t1,t2
			s3 system <a2
			r4 user <s3 res=t1
			t5 attachment <r4
			r6 user <t5 res=t2
			t7 attachment <r6
			t8 attachment <r4
			u9 user <t7
			u10 user <a2`,
			c21: "u1 a2 r4 r6 t8 u10"},
		{name: "an attachment between the message's entries comes after them", log: `
			u1 user
			a2 assistant <u1 m=m call=t1
			r3 user <a2 res=t1
			t4 attachment <r3
			a5 assistant <a2 m=m call=t2
			r6 user <a5 res=t2
			u7 user <r6`,
			c21: "u1 a2 a5 r3 t4 r6 u7"},
		{name: "a result before its call comes after it", log: `
			u1 user
			a2 assistant <u1 m=m
			s3 system <a2
			r4 user <s3 res=t2
			a5 assistant <a2 m=m call=t2
			u6 user <a5`,
			c21: "u1 a2 a5 s3 r4 u6"},
		{name: "sidechains come along", log: `
			u1 user
			a2 assistant <u1 m=m call=t1
			r3 user <a2 res=t1 side
			u4 user <a2`,
			c21: "u1 a2 r3 u4", sdk: "u1 a2 u4"},
		{name: "a message without calls brings no attachments", log: `
			u1 user
			a2 assistant <u1 m=m
			t3 attachment <a2
			u4 user <a2`,
			c21: "u1 a2 u4"},
		{name: "turns that overlap", log: `
			u1 user
			a2 assistant <u1 m=m call=t1
			a3 assistant <a2 m=n call=t2
			a4 assistant <a3 m=m call=t3
			a5 assistant <a4 m=n call=t4
			r6 user <a2 res=t1
			r7 user <a3 res=t2
			r8 user <a4 res=t3
			r9 user <a5 res=t4`,
			c21: "u1 a2 a3 a4 r6 r7 r8 a5 r9", sdk: "u1 a2 a3 a4 r6 r8 a5 r7 r9"},
		{name: "attachments and system entries below the leaf", log: `
			u1 user
			a2 assistant <u1
			t3 attachment <a2 side
			s4 system <t3 side
			t5 attachment <a2 side`,
			c21: "u1 a2 t3 t5 s4", sdk: "u1 a2"},
		// 7. what is not sent
		{name: "a call without a result", log: `
			u1 user
			a2 assistant <u1 m=m call=t1
			u3 user <a2`,
			c21: "u1 u3", sdk: "u1 a2 u3"},
		{name: "not if one of its calls has a result", log: `
			u1 user
			a2 assistant <u1 m=m call=t1,t2
			r3 user <a2 res=t1
			u4 user <r3`,
			c21: "u1 a2 r3 u4"},
		{name: "not in an interrupted turn", log: `
			u1 user
			a2 assistant <u1 m=m call=t1
			u3 user <a2
			a4 assistant <u3 m=n call=t2
			r5 user <a4 res=zz
			a6 assistant <r5 m=o call=t3
			t7 attachment <a6`,
			c21: "u1 u3 a4 r5 a6 t7"},
		{name: "a path that ends with a result is interrupted", log: `
			u1 user
			a2 assistant <u1 m=m call=t1
			r3 user <a2 res=zz`,
			c21: "u1 a2 r3"},
		{name: "a last message whose calls are answered is not interrupted", log: `
			u1 user
			a2 assistant <u1 m=m call=t1
			r3 user <a2 res=zz
			a4 assistant <r3 m=n`,
			c21: "u1 r3 a4"},
		{name: "a call that is kept is kept in all entries", log: `
			u1 user
			a2 assistant <u1 m=m call=t1
			u3 user <a2
			a4 assistant <u3 m=n call=t1`,
			c21: "u1 a2 u3 a4"},
		{name: "messages that hold only thinking and white space", log: `
			u1 user
			a2 assistant <u1 m=m think
			a3 assistant <a2 m=m text=_
			u4 user <a3
			a5 assistant <u4 m=n think
			a6 assistant <a5 m=n text=yes
			a7 assistant <a6 think
			a8 assistant <a7 none
			a9 assistant <a8 say=_
			a10 assistant <a9
			|{"uuid":"a11","parentUuid":"a10","type":"assistant","timestamp":"2026-01-01T00:00:11Z","message":{"content":[{"type":"redacted_thinking"}]}}
			|{"uuid":"a12","parentUuid":"a11","type":"assistant","timestamp":"2026-01-01T00:00:12Z"}`,
			c21: "u1 u4 a5 a6 a10"},
	})
}

func TestClaude20(t *testing.T) {
	run(t, []reading{
		{name: "ties go to the first", log: `
			u1 user @5
			u2 user @5`,
			c20: "u1", def: "u2"},
		{name: "as an instant", log: `
			u1 user @="2026-01-01T10:00:00+05:00"
			u2 user @="2026-01-01T06:00:00Z"`,
			c20: "u2", def: "u2"},
		{name: "only claude-2.0 reads a number as a time", log: `
			u1 user @=1767225600000
			u2 user @="2020-01-01T00:00:00Z"`,
			c20: "u1", def: "u2"},
		{name: "a number out of the range of dates is not a time", log: `
			u1 user @=1e300
			u2 user @="2020-01-01T00:00:00Z"`,
			c20: "u2"},
		{name: "an unreadable time is oldest", log: `
			u1 user @="xx"
			u2 user @-
			u3 user @1`,
			c20: "u3", def: "u3"},
		{name: "none has a time", log: `
			u1 user @="xx"
			u2 user @-`,
			c20: "u1", def: "u2"},
		{name: "a sidechain can be a leaf, and can continue one", log: `
			u1 user
			u2 user <u1 side
			u3 user @1`,
			c20: "u1 u2", def: "u3"},
		{name: "no siblings are inserted", log: `
			u1 user
			a2 assistant <u1 m=m call=t1
			a3 assistant <a2 m=m call=t2
			r4 user <a2 res=t1 @3
			r5 user <a3 res=t2`,
			c20: "u1 a2 a3 r5"},
	})
}

// claude-2.0 chooses a leaf itself if the given one is not in the log.
func TestFallsBack(t *testing.T) {
	for rules := Default; rules <= SDKSystem; rules++ {
		for log, claude := range map[string]bool{
			`{"type":"user","uuid":"a"}`:                true,
			`{"type":"message","id":"a","parentId":""}`: false,
		} {
			tree, err := Read(strings.NewReader(log), int64(len(log)), rules, nil)
			require.NoError(t, err)
			require.Equal(t, rules == Claude20 && claude, tree.FallsBack())
		}
	}
}
