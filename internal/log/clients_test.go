package log

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/drawn"
)

// TestConversations: the path of the newest end, that across compactions, and the ends of conversations as
// clients write them.
func TestConversations(t *testing.T) {
	for _, c := range []struct{ name, log, path, through, ends string }{
		{"a compaction keeps what its client said, while another client writes", `
			u1 user
			a1 assistant <u1
			v2 user <a1
			u2 user <a1
			a2 assistant <u2
			w2 assistant <v2
			b3 boundary log=a2 keep=a2/s3
			s3 user <b3 summary
			u4 user <a2
			a4 assistant <u4`, "a2 b3 s3 u4 a4", "u1 a1 u2 a2 b3 s3 u4 a4", "a4 w2"},
		{"what was undone before a compaction is a branch", `
			u1 user
			a1 assistant <u1
			u2 user <a1
			a2 assistant <u2
			b3 boundary log=a1 keep=a1/s3
			s3 user <b3 summary
			u3 user <s3
			a3 assistant <u3`, "a1 b3 s3 u3 a3", "u1 a1 b3 s3 u3 a3", "a3 a2"},
		{"the user summarised from an entry on, and then up to one", `
			u1 user
			a1 assistant <u1
			u2 user <a1
			a2 assistant <u2
			b3 boundary log=a1 keep=u1,a1/b3
			s3 user <b3 summary
			u4 user <s3
			a4 assistant <u4
			b5 boundary log=a4 keep=u4,a4/s5
			s5 user <b5 summary
			u6 user <s5`, "u4 a4 b5 s5 u6", "u1 a1 u2 a2 b3 s3 u4 a4 b5 s5 u6", "u6"},
		{"a boundary that has a parent and kept something", `
			u1 user
			a1 assistant <u1
			u2 user <a1
			a2 assistant <u2
			b3 boundary <a2 log=a2 keep=u2,a2/s3
			s3 user <b3 summary
			u4 user <s3`, "u2 a2 b3 s3 u4", "u1 a1 u2 a2 b3 s3 u4", "u4"},
		{"the beginning once more, byte for byte", `
			u1 user @1
			a1 assistant <u1 @2
			u2 user <a1 @3
			a2 assistant <u2 @4
			u1 user @1
			a1 assistant <u1 @2`, "u1 a1 u2 a2", "u1 a1 u2 a2", "a2"},
		{"prompts that were sent while the turn went on, and before it did", `
			u1 user
			a1 assistant <u1 m=m call=t1
			a2 assistant <a1 m=m call=t2
			r1 user <a1 res=t1
			q1 user <r1
			r2 user <a2 res=t2
			q2 user <r2
			q3 user <q2`, "u1 a1 a2 r1 q1 r2 q2 q3", "u1 a1 a2 r1 q1 r2 q2 q3", "q3"},
		{"a hook speaks, and a request fails", `
			u1 user
			a1 assistant <u1 m=m call=t1
			r1 user <a1 res=t1
			h2 attachment <r1
			|{"uuid":"e3","parentUuid":"a1","type":"assistant","isApiErrorMessage":true,"timestamp":"2026-01-01T00:00:05Z","message":{"id":"n","content":[{"type":"text","text":"API Error"}]}}
			a4 assistant <r1`, "u1 a1 r1 h2 e3 a4", "u1 a1 r1 h2 e3 a4", "a4"},
		{"a command for the model that was undone", `
			u1 user
			a1 assistant <u1
			|{"uuid":"c2","parentUuid":"a1","type":"user","timestamp":"2026-01-01T00:00:03Z","message":{"content":"<command-message>review</command-message>\n<command-name>/review</command-name>"}}
			a2 assistant <c2
			|{"uuid":"c3","parentUuid":"a1","type":"user","timestamp":"2026-01-01T00:00:05Z","message":{"content":"<command-name>/model</command-name>"}}
			u3 user <c3
			a3 assistant <u3`, "u1 a1 c3 u3 a3", "u1 a1 c3 u3 a3", "a3 a2"},
		{"a compaction of another client, which names the entry before it", `
			u1 user
			a1 assistant <u1
			|{"uuid":"b2","parentUuid":"a1","type":"system","subtype":"chat_compression","timestamp":"2026-01-01T00:00:03Z"}
			u3 user <b2`, "b2 u3", "u1 a1 b2 u3", "u3"},
		{"a picture that was undone", `
			u1 user
			a1 assistant <u1
			|{"uuid":"i2","parentUuid":"a1","type":"user","timestamp":"2026-01-01T00:00:03Z","message":{"content":[{"type":"image","source":{}}]}}
			a2 assistant <i2
			|{"uuid":"c3","parentUuid":"a1","type":"user","timestamp":"2026-01-01T00:00:05Z","message":{"content":"<command-name>/model</command-name>"}}
			u3 user <c3
			a3 assistant <u3`, "u1 a1 c3 u3 a3", "u1 a1 c3 u3 a3", "a3 a2"},
		{"the client recovered from an error", `
			u1 user
			a1 assistant <u1
			s2 system <u1
			u3 user <s2
			a3 assistant <u3`, "u1 a1 s2 u3 a3", "u1 a1 s2 u3 a3", "a3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := read(t, drawn.Log(c.log), Reading{})
			require.Equal(t, c.path, ids(t, tree, tree.Path(None, Options{}).Nodes))
			require.Equal(t, c.through, ids(t, tree, tree.Path(None, Options{Through: true}).Nodes))
			require.Equal(t, c.ends, ids(t, tree, tree.ends()))
		})
	}
}
