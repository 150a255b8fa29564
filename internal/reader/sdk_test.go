package reader

import "testing"

// TestSDK follows sdk step by step, with the others where they differ.
func TestSDK(t *testing.T) {
	run(t, []reading{
		// 1. preserved lists
		{name: "a list below the boundary, the children of the boundary below the list", text: `
			u1 user
			a2 assistant <u1
			u3 user <a2
			a4 assistant <u3
			b5 boundary keep=u3,a4/b5
			u6 user <b5
			a7 assistant <u6`,
			sdk: "u3 a4 u6 a7", sys: "b5 u3 a4 u6 a7", c21: "b5 u3 a4 u6 a7", c20: "b5 u6 a7"},
		{name: "a segment, below a summary", text: `
			u1 user
			a2 assistant <u1
			u3 user <a2
			a4 assistant <u3
			b5 boundary seg=u3,a4/u6
			u6 user <b5
			a7 assistant <u6`,
			sdk: "u6 u3 a4 a7", c21: "b5 u6 u3 a4 a7", c20: "b5 u6 a7"},
		{name: "a list counts before a segment", text: `
			u1 user
			a2 assistant <u1
			b3 boundary keep=a2/b3 seg=u1,a2/b3
			u4 user <b3`,
			sdk: "a2 u4", c21: "b3 a2 u4"},
		{name: "the entries of a list form a chain, whatever their parents", text: `
			u1 user
			a2 assistant <u1
			a3 assistant <u1
			b4 boundary keep=u1,a2,a3/b4
			u5 user <b4`,
			sdk: "u1 a2 a3 u5", c21: "b4 u1 a2 a3 u5"},
		{name: "an incomplete list is ignored", text: `
			u1 user
			a2 assistant <u1
			b3 boundary keep=a2,no/b3
			u4 user <b3`,
			sdk: "u4", sys: "b3 u4", c21: "b3 u4"},
		{name: "an empty list is ignored", text: `
			u1 user
			a2 assistant <u1
			b3 boundary keep=/b3 seg=u1,a2/b3
			u4 user <b3`,
			sdk: "u4", sys: "b3 u4", c21: "b3 u4"},
		{name: "a missing tail cuts the path", text: `
			u1 user
			a2 assistant <u1
			b3 boundary seg=a2,no/b3
			u4 user <b3`,
			sdk: "u4", sys: "u4", c21: "b3 u4"},
		{name: "with a missing head the path goes through the old entries", text: `
			u1 user
			a2 assistant <u1
			b3 boundary seg=no,a2/b3
			u4 user <b3`,
			sdk: "u1 a2 u4", c21: "b3 u4"},
		{name: "two children of the anchor", text: `
			u1 user
			a2 assistant <u1
			b3 boundary seg=u1,a2/b3
			u4 user <b3
			u5 user <b3`,
			sdk: "u1 a2 u5", c21: "b3 u1 a2 u5"},
		{name: "sdk relinks all lists; to claude-2.1 a plain last boundary hides all before it", text: `
			u1 user
			b2 boundary keep=u1/b2
			u3 user <b2
			b4 boundary
			u5 user <u3`,
			sdk: "u1 u3 u5", c21: "b4 u5"},
		{name: "two lists, one after the other", text: `
			u1 user
			b2 boundary keep=u1/b2
			u3 user <b2
			b4 boundary keep=u3/b4
			u5 user <b4`,
			sdk: "u3 u5", sys: "b4 u3 u5", c21: "b4 u3 u5"},
		{name: "an anchor that is its own tail moves nothing", text: `
			u1 user
			b2 boundary seg=u1,b2/b2
			u3 user <b2`,
			sdk: "u3", sys: "b2 u3"},
		{name: "an anchor that is not a string moves nothing", text: `
			u1 user
			|{"uuid":"b2","type":"system","subtype":"compact_boundary","timestamp":"2026-01-01T00:00:02Z","compactMetadata":{"preservedSegment":{"headUuid":"u1","tailUuid":"u1"}}}
			u3 user <b2`,
			sys: "b2 u3"},
		// 2. bridging
		{name: "progress is bridged", text: `
			u1 user
			p2 progress <u1
			p3 progress <p2
			a4 assistant <p3`,
			sdk: "u1 a4", c21: "u1 a4", c20: "a4"},
		{name: "a progress entry without its parent makes an orphan", text: `
			u1 user
			p2 progress <no @80
			a3 assistant <p2 @90`,
			sdk: "a3", c21: "a3", c20: "a3"},
		{name: "a cycle of progress", text: `
			u1 user
			p2 progress <p3
			p3 progress <p2
			a4 assistant <p3 @90`,
			sdk: "a4", c21: "a4"},
		// 3. the leaf
		{name: "the last in the file, not the newest", text: `
			u1 user
			a2 assistant <u1 @50
			a3 assistant <u1 @40`,
			sdk: "u1 a3", c21: "u1 a3", c20: "u1 a2"},
		{name: "an attachment on an old branch makes it the leaf", text: `
			u1 user
			a2 assistant <u1
			u3 user <a2
			t4 attachment <a2`,
			sdk: "u1 a2", c21: "u1 a2 t4", c20: "u1 a2 t4"},
		{name: "a system entry on an old branch makes it the leaf", text: `
			u1 user
			a2 assistant <u1
			u3 user <a2
			s4 system <a2`,
			sdk: "u1 a2", sys: "u1 a2", c21: "u1 a2 s4", c20: "u1 a2 s4"},
		{name: "a meta entry on an old branch makes it the leaf", text: `
			u1 user
			a2 assistant <u1
			u3 user <a2
			u4 user <a2 meta`,
			sdk: "u1 a2", c21: "u1 a2 u4", c20: "u1 a2 u4"},
		{name: "an end can have a hidden child", text: `
			u1 user
			a2 assistant <u1
			u3 user <a2 side`,
			sdk: "u1 a2", c21: "u1 a2", c20: "u1 a2 u3"},
		{name: "a team's entry is hidden only from sdk", text: `
			u1 user
			a2 assistant <u1
			u3 user <a2 team`,
			sdk: "u1 a2", c21: "u1 a2 u3", c20: "u1 a2 u3"},
		{name: "up to a message, hidden ones too", text: `
			u1 user
			a2 assistant <u1 side
			t3 attachment <a2`,
			sdk: "u1", c21: "-", c20: "u1 a2 t3"},
		{name: "an end without a message above it does not count", text: `
			u1 user
			s2 system`,
			sdk: "u1", c21: "u1", c20: "s2"},
		{name: "a progress entry names no parent", text: `
			u1 user
			a2 assistant <u1
			p3 progress <a2`,
			sdk: "u1 a2", c21: "u1 a2", c20: "u1 a2"},
		{name: "an entry below progress does not name the one above it", text: `
			u1 user
			p2 progress <u1
			a3 assistant <p2
			a4 assistant @1`,
			sdk: "a4"},
		{name: "only sidechains", text: `
			u1 user side
			a2 assistant <u1 side`,
			sdk: "-", sys: "-", c21: "-", c20: "u1 a2"},
		{name: "a closed cycle with progress", text: `
			u1 user <a2
			a2 assistant <u1
			p3 progress <a2`,
			sdk: "u1 a2", c20: "-"},
		{name: "a closed cycle without", text: `
			u1 user <a2
			a2 assistant <u1`,
			sdk: "-", sys: "-", c21: "u1 a2", c20: "-"},
		// 4. the path
		{name: "stops at a missing parent", text: `
			u1 user
			u2 user <no @80
			a3 assistant <u2 @81`,
			sdk: "u2 a3", c21: "u2 a3", c20: "u2 a3"},
		{name: "stops at a repeat", text: `
			u1 user <a2
			a2 assistant <u1
			u3 user <a2`,
			sdk: "u1 a2 u3", c21: "u1 a2 u3", c20: "u1 a2 u3"},
		{name: "its own parent", text: `
			u1 user
			u2 user <u2`,
			sdk: "u1", c21: "u1 u2", c20: "u1"},
		// 6. the output
		{name: "shown kinds and flags", text: `
			u1 user
			s2 system <u1
			u3 user <s2 meta
			u4 user <u3 side
			u5 user <u4 team
			t6 attachment <u5
			a7 assistant <t6`,
			sdk: "u1 a7", sys: "u1 s2 a7", c21: "u1 s2 u3 u4 u5 t6 a7", c20: "u1 s2 u3 u4 u5 t6 a7"},
		{name: "last-prompt is ignored", text: `
			u1 user
			a2 assistant <u1
			a3 assistant <u1
			- last-prompt leaf=a2`,
			sdk: "u1 a3", c21: "u1 a2", c20: "u1 a3"},
		{name: "a given leaf", leaf: "a2", text: `
			u1 user
			a2 assistant <u1
			a3 assistant <u1`,
			sdk: "u1 a2", sys: "u1 a2", c21: "u1 a2", c20: "u1 a2"},
		{name: "a given leaf that is not a node", leaf: "p2", text: `
			u1 user
			p2 progress <u1`,
			sdk: "-", c21: "-"},
	})
}
