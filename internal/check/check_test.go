package check

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
	"jl/internal/forest"
	"jl/internal/log"
	"jl/internal/record"
	"jl/test/drawn"
)

// checked returns a log that was checked, and what it reported: a line for each finding.
func checked(t *testing.T, text string) (*Log, string) {
	t.Helper()
	var b strings.Builder
	l, err := Read(strings.NewReader(text), int64(len(text)), Asked{Notes: true, Found: func(row any) bool {
		f := headOf(row)
		require.True(t, entry.Valid(record.Append(nil, row)))
		fmt.Fprintf(&b, "%s %d %s%s\n", f.Severity, f.Line, f.Finding, details(row))
		return true
	}})
	require.NoError(t, err)
	l.Check()
	require.NoError(t, l.Err())
	return l, b.String()
}

// headOf returns what the row of each finding begins with.
func headOf(row any) record.Finding {
	return reflect.ValueOf(row).FieldByName("Finding").Interface().(record.Finding)
}

// details returns what a row tells besides its name and place.
func details(row any) string {
	switch r := row.(type) {
	case record.Orphan:
		return fmt.Sprintf(": %s below %s", r.ID, r.Parent)
	case record.SelfParent:
		return fmt.Sprintf(": %s", r.ID)
	case record.Cycle:
		return fmt.Sprintf(": %s, %d nodes", r.IDs, r.Nodes)
	case record.Duplicate:
		return fmt.Sprintf(": %s, with line %d, same %t", r.ID, r.With.Line, r.Same)
	case record.SnapshotID:
		return fmt.Sprintf(": %s, with line %d", r.ID, r.With.Line)
	case record.Between:
		return fmt.Sprintf(": %s, with line %d", r.ID, r.With.Line)
	case record.ClockSkew:
		return fmt.Sprintf(": %s below %s, with line %d, %v s", r.ID, r.Parent, r.With.Line, r.Seconds)
	case record.LostIDs:
		return fmt.Sprintf(": %s names %s, %d", r.ID, r.IDs, r.Count)
	case record.Unmatched:
		if r.With != nil {
			return fmt.Sprintf(": %s, %s of %s, with line %d, removable %t", r.ID, r.Call, r.Tool, r.With.Line, r.Removable)
		}
		return fmt.Sprintf(": %s below %s, %s of %s, children %v, removable %t", r.ID, r.Parent, r.Call, r.Tool, r.Children, r.Removable)
	case record.AnotherSession:
		return fmt.Sprintf(": %s of %s, with line %d", r.ID, r.SessionID, r.With.Line)
	case record.Malformed:
		return fmt.Sprintf(": %s %s, at %d", r.ID, r.Reason, r.At)
	case record.Recovered:
		return fmt.Sprintf(": %s %s", r.ID, r.Reason)
	case record.Ordinal:
		return fmt.Sprintf(": %d, expected %d", r.Ordinal, r.Expected)
	case record.Beside:
		return fmt.Sprintf(": %s, %d of %d", r.ID, r.Beside, r.All)
	case record.Root:
		return fmt.Sprintf(": %s, %d of %d", r.ID, r.Below, r.All)
	case record.WithoutID:
		return fmt.Sprintf(": %d", r.Count)
	case record.BadText:
		return fmt.Sprintf(": %s at %d, %s", r.ID, r.At, r.Where)
	}
	panic(fmt.Sprintf("%T", row))
}

func TestFindings(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"healthy", "a user\nb assistant <a\nc user <a side", ""},
		{"children first", "c user <b @3\nb user <a @2\na user @1", ""},
		{"orphans", "a user <x\nb progress <a\nc user <y", "damage 1 orphan: \"a\" below \"x\"\ndamage 3 orphan: \"c\" below \"y\"\n"},
		{"an orphan that a compaction kept", "k user <x @3\nb boundary @4 keep=k/s\ns user <b @5\nn user <s @6", "note 1 orphan: \"k\" below \"x\"\n"},
		{"its own parent", "a user <a\nb user <a", "damage 1 self parent: \"a\"\n"},
		{"cycles with tails", `
			a assistant <c @1
			b assistant <a @1
			c assistant <b @1
			d assistant <c @1
			f assistant <e @1
			e assistant <f @1
			g assistant <d @1`, "damage 3 cycle: [\"c\" \"b\" \"a\"], 3 nodes\ndamage 6 cycle: [\"e\" \"f\"], 2 nodes\n"},
		{"a cycle closed in the middle of the file", "b assistant <c\nc assistant <a\na assistant <b\nx assistant <b",
			"damage 3 cycle: [\"a\" \"b\" \"c\"], 3 nodes\nwarning 1 clock going back: \"b\" below \"c\", with line 2, 1 s\nwarning 2 clock going back: \"c\" below \"a\", with line 3, 1 s\n"},
		{"a repeat makes a cycle", "a user @1\nb user <a @1\na user <b @1",
			"damage 3 cycle: [\"a\" \"b\"], 2 nodes\ndamage 3 duplicate id: \"a\", with line 1, same false\n"},
		{"ids that are used again", "a user @1\nb user <a\na user @1\na user @2\nb user <a @2",
			"warning 3 duplicate id: \"a\", with line 1, same true\ndamage 4 duplicate id: \"a\", with line 3, same false\nwarning 5 duplicate id: \"b\", with line 2, same true\n"},
		{"clock", "a assistant @10\nb user <a @9.5\nc user <a @10\nd user <a @-\ne user <d @1\nf user <a @8",
			"note 2 clock going back: \"b\" below \"a\", with line 1, 0.5 s\nwarning 6 clock going back: \"f\" below \"a\", with line 1, 2 s\n"},
		{"clock that sound logs have", "a assistant @10\nb progress <a @1\nc attachment <a @2\nd user <a meta @9\ne user <d @8",
			"note 2 clock going back: \"b\" below \"a\", with line 1, 9 s\nnote 3 clock going back: \"c\" below \"a\", with line 1, 8 s\n" +
				"warning 4 clock going back: \"d\" below \"a\", with line 1, 1 s\nnote 5 clock going back: \"e\" below \"d\", with line 4, 1 s\n"},
		{"snapshots", "- summary leaf=a\n- file-history-snapshot msg=b\na user\nb user <a\n- file-history-snapshot msg=x\n- file-history-delta msg=a",
			"note 2 id equal to a snapshot messageId: \"b\", with line 4\nnote 6 id equal to a snapshot messageId: \"a\", with line 3\n"},
		{"calls", "a user\nb assistant <a call=t,u\nc user <b res=t\nd user <c res=v\ne user <x res=w",
			"damage 5 orphan: \"e\" below \"x\"\n" +
				"warning 2 tool_use without tool_result: \"b\" below \"a\", \"u\" of \"Bash\", children [3], removable false\n" +
				"warning 4 tool_result without tool_use: \"d\" below \"c\", \"v\" of , children [], removable true\n" +
				"warning 5 tool_result without tool_use: \"e\" below \"x\", \"w\" of , children [], removable true\n"},
		{"a call that is written again", "a user\nb assistant <a call=t\nc assistant <a call=t\nd user <a\ne boundary log=f\nf assistant <a call=u",
			"warning 4 prompt beside the path: \"d\" below \"a\"\nwarning 2 tool_use without tool_result: \"b\" below \"a\", \"t\" of \"Bash\", children [], removable false\n" +
				"warning 6 tool_use without tool_result: \"f\" below \"a\", \"u\" of \"Bash\", children [], removable false\n"},
		{"calls and results that are written again", "a user\nb assistant <a call=t\nc user <b res=t\nd user <b res=t @9\ne assistant <a call=t", ""},
		{"a call on the path of the leaf whose result is elsewhere", "a user\nb assistant <a call=t\nu user <b\nc user <u res=t\nv assistant <c\nd user <b\ne assistant <d",
			"warning 2 tool_use without tool_result: \"b\", \"t\" of \"Bash\", with line 4, removable false\n"},
		{"a call on another path", "a user\nb assistant <a call=t,u\nr user <b res=u\nc user <a\nd user <c res=t\ne assistant <d",
			"warning 2 tool_use without tool_result: \"b\", \"t\" of \"Bash\", with line 5, removable false\n" +
				"warning 5 tool_result without tool_use: \"d\", \"t\" of , with line 2, removable false\n"},
		{"the results of a message that hang beside its next entry", "a user\nb assistant <a m=m call=t\nc assistant <b m=m call=u\nd user <c res=u\ne user <b res=t\nf assistant <d", ""},
		{"a prompt between call and result", "a user\nb assistant <a m=m call=t\nc assistant <b m=m call=u\nd user <b\ne user <d res=u,t", ""},
		{"a compaction between call and result", "a user\nb assistant <a call=t\nc boundary log=b\nd user <c\ne user <d res=t",
			"warning 2 tool_use without tool_result: \"b\", \"t\" of \"Bash\", with line 5, removable false\n" +
				"warning 5 tool_result without tool_use: \"e\", \"t\" of , with line 2, removable false\n"},
		{"a compaction that kept the call", "a user\nb assistant <a m=m call=t\nc boundary log=b keep=b/d\nd user <c\ne user <b res=t", ""},
		{"kept ids", "a user\nb boundary log=x keep=a,y,z/c\nc user <b\nd boundary seg=v,w/d\ne boundary log=a",
			"warning 2 kept id not in the file: \"b\" names [\"y\" \"z\" \"x\"], 3\nwarning 4 kept id not in the file: \"d\" names [\"v\" \"w\"], 2\n"},
		{"what pi kept", drawn.V3 + "a pi:message\nb pi:compaction <a first=x\nc pi:compaction <b first=a\nd pi:compaction <c first=d",
			"warning 3 kept id not in the file: \"b\" names [\"x\"], 1\n"},
		{"pi's calls", drawn.V3 + `a pi:message
			|{"type":"message","id":"b","parentId":"a","message":{"role":"assistant","content":[{"type":"toolCall","id":"t","name":"ls"},{"type":"toolCall","id":"u","name":"ls"}]}}
			|{"type":"message","id":"c","parentId":"b","message":{"role":"toolResult","toolCallId":"u","toolName":"ls"}}
			d pi:message <a
			|{"type":"message","id":"e","parentId":"d","message":{"role":"toolResult","toolCallId":"t","toolName":"ls"}}`,
			"warning 3 tool_use without tool_result: \"b\", \"t\" of \"ls\", with line 6, removable false\n" +
				"warning 6 tool_result without tool_use: \"e\", \"t\" of \"ls\", with line 3, removable false\n"},
		{"a message between pi's call and its result", drawn.V3 + `a pi:message
			|{"type":"message","id":"b","parentId":"a","message":{"role":"assistant","content":[{"type":"toolCall","id":"t","name":"ls"},{"type":"toolCall","id":"u","name":"ls"}]}}
			|{"type":"message","id":"c","parentId":"b","message":{"role":"toolResult","toolCallId":"t","toolName":"ls"}}
			|{"type":"label","id":"l","parentId":"c","targetId":"a","label":"x"}
			|{"type":"message","id":"x","parentId":"l","message":{"role":"bashExecution","command":"ls","excludeFromContext":true}}
			|{"type":"message","id":"d","parentId":"x","message":{"role":"user","content":"wait"}}
			|{"type":"message","id":"e","parentId":"d","message":{"role":"toolResult","toolCallId":"u","toolName":"ls"}}
			f pi:message <e`, "warning 7 message between call and result: \"d\", with line 8\n"},
		{"pi's results one after another", drawn.V3 + `a pi:message
			|{"type":"message","id":"b","parentId":"a","message":{"role":"assistant","content":[{"type":"toolCall","id":"t","name":"ls"},{"type":"toolCall","id":"u","name":"ls"}]}}
			|{"type":"message","id":"c","parentId":"b","message":{"role":"toolResult","toolCallId":"u","toolName":"ls"}}
			|{"type":"message","id":"d","parentId":"c","message":{"role":"toolResult","toolCallId":"t","toolName":"ls"}}
			f pi:message <d`, ""},
		{"orphans without a conversation", "p progress <x\nq progress <p\nr progress <y\na user <r\n|{\"uuid\":\"z\",\"parentUuid\":\"x\",\"type\":\"user\",\"isSidechain\":true,\"agentId\":\"acompact-1\"}",
			"note 1 orphan: \"p\" below \"x\"\ndamage 3 orphan: \"r\" below \"y\"\nnote 5 orphan: \"z\" below \"x\"\n"},
		{"thinking", `|{"uuid":"a","type":"assistant","message":{"content":[{"type":"thinking","thinking":"x","signature":"s"},{"type":"thinking","thinking":"","signature":""},{"type":"text","thinking":"","signature":"s"}]}}
			|{"uuid":"b","parentUuid":"a","type":"assistant","message":{"content":[{"type":"thinking","thinking":"","signature":"s"}]}}`,
			"warning 2 empty signed thinking: \"b\" at 302, \".message.content[0].thinking\"\n"},
		{"ordinals", `|{"type":"session_meta","payload":{"id":"s"},"ordinal":7}
			|{"type":"event_msg","payload":{"type":"user_message","message":"hi"},"ordinal":8}
			|{"type":"event_msg","payload":{"type":"x"},"ordinal":8}
			|{"type":"event_msg","payload":{"type":"x"},"ordinal":9}
			|{"type":"event_msg","payload":{"type":"x"},"ordinal":12}
			|{"type":"event_msg","payload":{"type":"x"}}
			|{"type":"event_msg","payload":{"type":"x"},"ordinal":13}`,
			"warning 3 ordinal used twice: 8, expected 9\nwarning 5 ordinal missing: 12, expected 10\n"},
		{"ordinals after a revert", `|{"type":"session_meta","payload":{"id":"s"},"ordinal":0}
			|{"type":"event_msg","payload":{"type":"x"},"ordinal":1}
			|{"type":"event_msg","payload":{"type":"x"},"ordinal":2}
			|{"type":"session_meta","payload":{"id":"s","history_base":{"thread_id":"s","end_ordinal_exclusive":2}},"ordinal":2}
			|{"type":"event_msg","payload":{"type":"x"},"ordinal":3}
			|{"type":"event_msg","payload":{"type":"x"},"ordinal":3}`,
			"warning 6 ordinal used twice: 3, expected 4\n"},
		{"line separators", `|{"type":"session.start","id":"e0","data":{"sessionId":"s"}}
			|{"type":"user.message","id":"e1","data":{"content":"x\u2028"}}
			|{"type":"user.message","id":"e2","data":{"content":"x` + "\u2029" + `"}}`, "warning 3 line separator: \"e2\" at 176, \".data.content\"\n"},
		{"line separators, at which the program ends no line", "|{\"uuid\":\"a\",\"parentUuid\":null,\"type\":\"user\",\"message\":{\"content\":\"x\u2028\u2029\"}}", ""},
		{"a call in a message without an id", "a user\n- assistant call=t\nb user <a res=t",
			"warning 2 message without an id: 1\nwarning 3 tool_result without tool_use: \"b\" below \"a\", \"t\" of , children [], removable true\n"},
		{"a call in a torn line", "a user\n|{\"uuid\":\"b\",\"type\":\"us{\"uuid\":\"c\",\"parentUuid\":\"a\",\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"tool_use\",\"id\":\"t\"}]}}",
			"damage 2 malformed:  torn entry, at 0\ndamage 2 recovered: \"c\" torn entry\n" +
				"warning 2 tool_use without tool_result: \"c\" below \"a\", \"t\" of , children [], removable false\n"},
		{"calls without ids", "- user\n- assistant call=t", "warning 2 tool_use without tool_result: \"#2\" below \"#1\", \"t\" of \"Bash\", children [], removable true\n"},
		{"sessions", "a assistant session=s\n- summary session=t\nb user <a session=t\nc user <a session=t", "warning 3 another session: \"b\" of \"t\", with line 1\n"},
		{"damage", "a user\n|{\"uuid\":\"b\",\"type\":\"us{\"uuid\":\"c\",\"type\":\"user\"}\n|x",
			"damage 2 malformed:  torn entry, at 0\ndamage 2 recovered: \"c\" torn entry\ndamage 3 malformed:  not a whole entry, at 0\n"},
		{"text", "|{\"uuid\":\"a\",\"type\":\"user\",\"x\":[1,]}\n|{\"uuid\":\"b\",\"x\":\"\xff\\ud800\\u0000\"}",
			"damage 1 malformed: \"a\" not JSON by the full grammar, at 33\nwarning 2 invalid UTF-8: \"b\" at 53, \".x\"\n" +
				"warning 2 lone surrogate: \"b\" at 54, \".x\"\nnote 2 NUL character: \"b\" at 60, \".x\"\n"},
		{"a second conversation, half of the log", "a user\nb assistant <a\nc user\nd assistant <c", "note 3 second root: \"c\", 2 of 4\n"},
		{"most is in the tree of the leaf", "a user\nb assistant <a\nc user\nd assistant <c\ne user <d\nf assistant <e", "note 3 second root: \"c\", 4 of 6\n"},
		{"most is in the other one", "a user\nb assistant <a\ne user <b\nf assistant <e\nc user\nd assistant <c", "warning 5 second root: \"c\", 2 of 6\n"},
		{"three conversations", "a user\nb assistant <a\nc user\nd assistant <c\ne user\nf assistant <e", "warning 3 second root: \"c\", 2 of 6\nwarning 5 second root: \"e\", 2 of 6\n"},
		{"a second tree in which nobody speaks", "a user\nb assistant <a\ns system\nc attachment <s", ""},
		{"a second tree on a sidechain", "a user\nb assistant <a\nc user side\nd assistant <c side", ""},
		{"all on sidechains", "a user side\nb assistant <a side\nc user side\nd assistant <c side", "note 3 second root: \"c\", 2 of 4\n"},
		{"a conversation of another session", "a user session=s\nb assistant <a session=s\nc user session=t\nd assistant <c session=t", "warning 3 another session: \"c\" of \"t\", with line 1\n"},
		{"one that begins with an answer", "a user\nb assistant <a\nc assistant\nd user <c\ne assistant <d", "warning 3 second root: \"c\", 3 of 5\n"},
		{"one below a compaction", "a user\nb assistant <a\nc boundary\nd user <c\ne assistant <d", ""},
		{"one below progress", "a user\nb assistant <a\np progress\nc user <p\nd assistant <c", "warning 3 second root: \"p\", 2 of 4\n"},
		{"most is beside one below progress", "a user\nb assistant <a\nc user <b\nd assistant <c\np progress\ne user <p", "warning 6 entries beside the path: \"e\", 4 of 5\n"},
		{"half is", "a user\nb assistant <a\nc user <b\nd assistant <c\np progress\ne user <p\nf assistant <e\ng user <f\nh assistant <g", "warning 5 second root: \"p\", 4 of 8\n"},
		{"most is below parents that were lost", "a assistant <x\nb user <a\nc assistant <y\nd user <c\ng user <d\ne user\nf assistant <e",
			"damage 1 orphan: \"a\" below \"x\"\ndamage 3 orphan: \"c\" below \"y\"\nwarning 7 entries beside the path: \"f\", 5 of 7\n"},
		{"on sidechains, as the leaf is", "a assistant <x side\nb user <a side\nc assistant <y side\nd user <c side\ng user <d side\ne user side\nf assistant <e side",
			"damage 1 orphan: \"a\" below \"x\"\ndamage 3 orphan: \"c\" below \"y\"\nwarning 7 entries beside the path: \"f\", 5 of 7\n"},
		{"on sidechains, as the leaf is not", "a assistant <x side\nb user <a side\nc assistant <y side\nd user <c side\ng user <d side\ne user\nf assistant <e",
			"damage 1 orphan: \"a\" below \"x\"\ndamage 3 orphan: \"c\" below \"y\"\n"},
		{"branches of answers", "a user\nb assistant <a\nc assistant <a\nd user <c\ne assistant <a\nf user <e\ng assistant <f", ""},
		{"results beside the path", "a user\nb assistant <a\nc user <a res=t\nd user <c\ne user <a res=u\nf user <e\ng user <f\nh user <a\ni assistant <h",
			"warning 2 answer beside the path: \"b\" below \"a\"\nwarning 3 prompt beside the path: \"c\" below \"a\"\nwarning 5 prompt beside the path: \"e\" below \"a\"\n" +
				"warning 3 tool_result without tool_use: \"c\" below \"a\", \"t\" of , children [4], removable false\nwarning 5 tool_result without tool_use: \"e\" below \"a\", \"u\" of , children [6], removable false\n"},
		{"messages between pi's calls and results", drawn.V3 + `a pi:message
			|{"type":"message","id":"b","parentId":"a","message":{"role":"assistant","content":[{"type":"toolCall","id":"t","name":"ls"},{"type":"toolCall","id":"u","name":"ls"}]}}
			|{"type":"custom_message","id":"d","parentId":"b","content":"wait"}
			|{"type":"message","id":"e","parentId":"d","message":{"role":"toolResult","toolCallId":"t","toolName":"ls"}}
			|{"type":"message","id":"f","parentId":"e","message":{"role":"toolResult","toolCallId":"u","toolName":"ls"}}
			g pi:message <f`, "warning 4 message between call and result: \"d\", with line 5\n"},
		{"a label between them, and what the user kept out", drawn.V3 + `a pi:message
			|{"type":"message","id":"b","parentId":"a","message":{"role":"assistant","content":[{"type":"toolCall","id":"t","name":"ls"}]}}
			|{"type":"label","id":"d","parentId":"b","targetId":"a","label":"x"}
			|{"type":"message","id":"x","parentId":"d","message":{"role":"bashExecution","command":"ls","excludeFromContext":true}}
			|{"type":"message","id":"e","parentId":"x","message":{"role":"toolResult","toolCallId":"t","toolName":"ls"}}
			f pi:message <e`, ""},
		{"what the user ran between them", drawn.V3 + `a pi:message
			|{"type":"message","id":"b","parentId":"a","message":{"role":"assistant","content":[{"type":"toolCall","id":"t","name":"ls"}]}}
			|{"type":"message","id":"x","parentId":"b","message":{"role":"bashExecution","command":"ls","excludeFromContext":false}}
			|{"type":"message","id":"e","parentId":"x","message":{"role":"toolResult","toolCallId":"t","toolName":"ls"}}
			f pi:message <e`, "warning 4 message between call and result: \"x\", with line 5\n"},
		{"a byte order mark and nothing else", "a user\n|\ufeff\nb user <a", "note 2 malformed:  misplaced byte order mark, at 0\n"},
		{"a root that a compaction goes on from", "a user\nb assistant <a\nc boundary log=b\nd user <c\ne assistant <d", ""},
		{"a result whose call is far above", "a user\nb assistant <a call=t\nc user <b\nd user <c\ne user <d\nf user <e\ng user <f res=t", ""},
		{"one on another branch", "a user\nb assistant <a call=t\nc user <b\nd user <c\ne user <d\nf user <e\ng user <a res=t",
			"warning 2 tool_use without tool_result: \"b\", \"t\" of \"Bash\", with line 7, removable false\nwarning 7 tool_result without tool_use: \"g\", \"t\" of , with line 2, removable false\n"},
		{"two entries with calls without results, of which one is needed", "a user\nb assistant <a call=t\nc user <a\nd assistant <c call=t,u\nd assistant <c call=t,v",
			"damage 5 duplicate id: \"d\", with line 4, same false\nwarning 2 tool_use without tool_result: \"b\" below \"a\", \"t\" of \"Bash\", children [], removable false\n" +
				"warning 5 tool_use without tool_result: \"d\" below \"c\", \"v\" of \"Bash\", children [], removable false\n"},
		{"one that the client wrote twice", "a user\nb assistant <a call=t @2\nb assistant <a call=t @2", "warning 3 duplicate id: \"b\", with line 2, same true\nwarning 2 tool_use without tool_result: \"b\" below \"a\", \"t\" of \"Bash\", children [], removable false\n"},

		{"two texts that are empty", `|{"uuid":"a","parentUuid":null,"type":"assistant","message":{"content":[{"type":"text","text":""},{"type":"text","text":""}]}}`, "warning 1 empty text: \"a\" at 93, \".message.content[0].text\"\n"},
		{"two empty thoughts", `|{"uuid":"a","type":"assistant","message":{"content":[{"type":"thinking","thinking":"","signature":"s"},{"type":"thinking","thinking":"","signature":"s"}]}}`,
			"note 1 empty signed thinking: \"a\" at 83, \".message.content[0].thinking\"\n"},
		{"two messages between them", drawn.V3 + `a pi:message
			|{"type":"message","id":"b","parentId":"a","message":{"role":"assistant","content":[{"type":"toolCall","id":"t","name":"ls"},{"type":"toolCall","id":"u","name":"ls"}]}}
			|{"type":"message","id":"c","parentId":"b","message":{"role":"user","content":"x"}}
			|{"type":"message","id":"d","parentId":"c","message":{"role":"toolResult","toolCallId":"t","toolName":"ls"}}
			|{"type":"message","id":"e","parentId":"d","message":{"role":"user","content":"y"}}
			|{"type":"message","id":"f","parentId":"e","message":{"role":"toolResult","toolCallId":"u","toolName":"ls"}}
			g pi:message <f`, "warning 4 message between call and result: \"c\", with line 5\nwarning 6 message between call and result: \"e\", with line 7\n"},
		{"calls of one list entry", `|{"type":"assistant.message","id":"e1","data":{"content":"","toolRequests":[{"toolCallId":"c2","name":"b"},{"toolCallId":"c1","name":"a"}]}}
			|{"type":"assistant.message","id":"e2","data":{"content":"","toolRequests":[{"toolCallId":"c0","name":"c"}]}}`,
			"warning 1 tool_use without tool_result: \"e1\" below , \"c2\" of \"b\", children [], removable false\nwarning 1 tool_use without tool_result: \"e1\" below , \"c1\" of \"a\", children [], removable false\n" +
				"warning 2 tool_use without tool_result: \"e2\" below , \"c0\" of \"c\", children [], removable false\n"},
		{"results beside their call, of which the first in the file is not the first of the paths", "a user\nb assistant <a call=t\nc user <a\ne user <a res=t\nd user <c res=t",
			"warning 3 prompt beside the path: \"c\" below \"a\"\nwarning 2 tool_use without tool_result: \"b\", \"t\" of \"Bash\", with line 4, removable false\n" +
				"warning 4 tool_result without tool_use: \"e\", \"t\" of , with line 2, removable false\n"},
		{"a call twice in one entry, with its result on another path", `|{"type":"user","uuid":"a","message":{"role":"user","content":"x"}}
			|{"type":"assistant","uuid":"b","parentUuid":"a","message":{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"A"},{"type":"tool_use","id":"t","name":"B"}]}}
			|{"type":"user","uuid":"c","parentUuid":"b","message":{"role":"user","content":"y"}}
			|{"type":"assistant","uuid":"e","parentUuid":"c","message":{"role":"assistant","content":[{"type":"text","text":"y"}]}}
			|{"type":"user","uuid":"f","parentUuid":"e","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"y"}]}}
			|{"type":"user","uuid":"d","parentUuid":"b","message":{"role":"user","content":"z"}}
			|{"type":"assistant","uuid":"g","parentUuid":"d","message":{"role":"assistant","content":[{"type":"text","text":"y"}]}}`,
			"warning 2 tool_use without tool_result: \"b\", \"t\" of \"A\", with line 5, removable false\n"},
		{"calls of a list without ids", `|{"type":"assistant.message","id":"e1","data":{"content":"","toolRequests":[{"name":"b"}]}}`, ""},
		{"a call of pi's first version", `|{"type":"session","id":"s"}
			|{"type":"message","message":{"role":"user","content":"x"}}
			|{"type":"message","message":{"role":"assistant","content":[{"type":"toolCall","id":"t","name":"ls","arguments":{}}]}}`,
			"warning 3 tool_use without tool_result: \"#3\" below , \"t\" of \"ls\", children [], removable false\n"},
		{"calls of one entry, with a result of the first in another place", "a user\nb assistant <a call=v,u,t\nc user <b res=u\nd user <c\ne assistant <d call=s",
			"warning 2 tool_use without tool_result: \"b\" below \"a\", \"v\" of \"Bash\", children [3], removable false\nwarning 2 tool_use without tool_result: \"b\" below \"a\", \"t\" of \"Bash\", children [3], removable false\n" +
				"warning 5 tool_use without tool_result: \"e\" below \"d\", \"s\" of \"Bash\", children [], removable true\n"},
		{"without ids", "- user\n- assistant", ""},
		{"empty", "", ""},
		{"pi", drawn.V3 + "a pi:message <b\nc pi:message <c\n|{\"type\":\"session\",\"id\":\"s\"}", "damage 2 orphan: \"a\" below \"b\"\ndamage 3 self parent: \"c\"\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, got := checked(t, drawn.Log(test.text))
			require.Equal(t, test.want, got)
		})
	}
}

func TestTotals(t *testing.T) {
	tests := []struct {
		name, text          string
		nodes, roots, reach int
	}{
		{"all", "a user\nb user <a\nc user <a\nd progress <c", 4, 1, 4},
		{"two trees", "a user\nb user <a\nc user", 3, 2, 3},
		{"and an orphan", "a user @9\nb user <x @1\nc user <b @2", 3, 1, 1},
		{"the leaf is below an orphan", "a user\nb user <a\nc user <x\nd user <c\ne user <c", 5, 1, 3},
		{"and a cycle", "a user @9\nb user <c @1\nc user <b @2\nd user <c @3", 4, 1, 1},
		{"the leaf is below a cycle", "a user\nb assistant <c\nc assistant <b\nd assistant <c\ne assistant <b", 5, 1, 4},
		{"without ids", "- user\n- assistant", 2, 1, 2},
		{"without parents, as in a capture", "a user <-\nb assistant <-\nc user <-", 3, 1, 3},
		{"empty", "", 0, 0, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			l, _ := checked(t, drawn.Log(test.text))
			got := l.Totals()
			require.Equal(t, []int{test.nodes, test.roots, test.reach}, []int{got.Nodes, got.Roots, got.Reachable})
			require.Equal(t, test.nodes == 0, got.Share == nil)
		})
	}
}

// TestAllTotals has one of all that is counted.
func TestAllTotals(t *testing.T) {
	text := drawn.Log("a user <x\nb user\nc assistant <b @1\nd progress <c @0.5\ne user <c\n|x\nf user <b")
	l, got := checked(t, text)
	want := record.Totals{Totals: true, Damage: 2, Warnings: 2, Notes: 1, Lines: 7, Bytes: int64(len(text)), Entries: 6, Nodes: 6, Leaves: 2, Roots: 1, OnPath: 3, Reachable: 5}
	share := 0.8333
	want.Share = &share
	require.Equal(t, want, l.Totals(), got)
	require.Equal(t, log.Node(6), l.Table().Count)
}

// TestStop: once the caller has enough, it hears no more.
func TestStop(t *testing.T) {
	for _, text := range []string{"|x\n|x\na user <b", "a user <x\nb user <y\nc user <c"} {
		text, calls := drawn.Log(text), 0
		l, err := Read(strings.NewReader(text), int64(len(text)), Asked{Found: func(any) bool { calls++; return false }})
		require.NoError(t, err)
		l.Check()
		require.Equal(t, 1, calls, text)
	}
}

// TestUnfinished: the end of a log that is being written is not a finding.
func TestUnfinished(t *testing.T) {
	l, got := checked(t, `{"uuid":"a","type":"user"}`+"\n"+`{"uuid":"b","type":"us`)
	require.Empty(t, got)
	require.EqualValues(t, 2, l.Unfinished.Pos.Line)
	require.True(t, l.Totals().Unfinished)
}

// A changing log is another one when it is read again.
type changing struct{ *strings.Reader }

func TestChangedLog(t *testing.T) {
	text := changing{strings.NewReader(drawn.Log("a user <x\nb user <y"))}
	l, err := Read(text, text.Size(), Asked{Notes: true, Found: func(row any) bool {
		require.Fail(t, "found in another log", "%v", row)
		return true
	}})
	require.NoError(t, err)
	text.Reset("")
	l.Check()
	require.ErrorIs(t, l.Err(), log.ErrChanged)
}

// FuzzParents: the cycles, orphans and reachable nodes of any graph are those that walking up from
// each node shows.
func FuzzParents(f *testing.F) {
	for i := range 64 {
		var b []byte
		for k := range 120 {
			b = append(b, byte(i*k*k+i*37+k*11>>(i%3)))
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		graph := drawn.Graph(b)
		var orphans, cycles []record.Finding
		text := drawn.Log(graph)
		l, err := Read(strings.NewReader(text), int64(len(text)), Asked{Notes: true, Found: func(row any) bool {
			f := headOf(row)
			switch f.Finding {
			case "orphan":
				orphans = append(orphans, f)
			case "cycle", "self parent":
				cycles = append(cycles, f)
			}
			return true
		}})
		require.NoError(t, err)
		l.Check()
		onCycle, end := map[log.Node]bool{}, map[log.Node]log.Node{}
		var lost []entry.Pos
		for n := range l.t.Count {
			if p := l.t.Written[n]; p != log.None && !l.t.Has(p) {
				lost = append(lost, l.t.Pos(n))
			}
			seen := map[log.Node]bool{}
			at := n
			for ; at != log.None && !seen[at]; at = l.written.Up[at] {
				seen[at], end[n] = true, at
			}
			onCycle[n] = at == n
		}
		require.Len(t, orphans, len(lost), graph)
		for i, o := range orphans {
			require.Equal(t, record.Place(lost[i]), o.Place, graph)
		}
		total := 0
		for _, c := range cycles {
			n := l.t.NodeAt(entry.Pos(c.Place))
			for m, first := n, true; first || m != n; m, first = l.written.Up[m], false {
				total++
				require.True(t, onCycle[m], graph)
				require.LessOrEqual(t, l.t.Pos(m).Offset, c.Offset)
			}
		}
		for n, on := range onCycle {
			if on {
				total--
			}
			require.NotEqual(t, log.None, n)
		}
		require.Zero(t, total, graph)
		require.True(t, slices.IsSortedFunc(cycles, func(a, b record.Finding) int { return int(a.Offset - b.Offset) }))

		isRoot := func(n log.Node) bool { return l.t.Written[n] == log.None }
		for _, leaf := range append([]log.Node{log.None}, forest.All(l.t.Count)...) {
			want := 0
			for n := range l.t.Count {
				switch {
				case leaf == log.None || isRoot(end[leaf]):
					if isRoot(end[n]) {
						want++
					}
				case slices.Contains(l.written.Walk(n, nil), end[leaf]):
					want++
				}
			}
			require.Equal(t, want, l.reachable(leaf), graph)
		}
	})
}

// TestCopies: an entry that is written again in another folder, branch or release is a note.
func TestCopies(t *testing.T) {
	entry := func(more string) string {
		return `{"uuid":"a","parentUuid":null,"type":"user","message":{"content":"x"}` + more + "}\n"
	}
	_, got := checked(t, entry(`,"gitBranch":"main","cwd":"/a"`)+entry(`,"gitBranch":"fix","cwd":"/b","slug":"s"`))
	require.Equal(t, "note 2 duplicate id: \"a\", with line 1, same false\n", got)
	_, got = checked(t, entry(`,"gitBranch":"main"`)+entry(`,"gitBranch":"main","isMeta":true`))
	require.Equal(t, "damage 2 duplicate id: \"a\", with line 1, same false\n", got)
}

func TestEmptyText(t *testing.T) {
	_, got := checked(t, `{"uuid":"a","parentUuid":null,"type":"assistant","message":{"content":[{"type":"text","text":"x"},{"type":"text","text":""}]}}`+"\n")
	require.Equal(t, "warning 1 empty text: \"a\" at 120, \".message.content[1].text\"\n", got)
}

// TestLabels: pi writes a label again with its old time when it forks.
func TestLabels(t *testing.T) {
	_, got := checked(t, `{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00Z","cwd":"/"}
{"type":"message","id":"a","parentId":null,"timestamp":"2026-01-01T00:01:00Z","message":{"role":"user","content":"x"}}
{"type":"label","id":"b","parentId":"a","timestamp":"2026-01-01T00:00:30Z","label":"l"}
`)
	require.Equal(t, "note 3 clock going back: \"b\" below \"a\", with line 2, 30 s\n", got)
}

// TestBesideProgress: a prompt below the progress of an agent, whose chain has lost its beginning, hides the conversation.
func TestBesideProgress(t *testing.T) {
	entry := func(id, up, typ string, n int) string {
		return fmt.Sprintf(`{"uuid":"%s","parentUuid":%s,"type":"%s","timestamp":"2026-01-01T00:00:%02dZ","message":{"role":"%[3]s","content":"x"}}`, id, up, typ, n) + "\n"
	}
	text := entry("u1", "null", "user", 1) + entry("a1", `"u1"`, "assistant", 2) + entry("u2", `"a1"`, "user", 3) + entry("a2", `"u2"`, "assistant", 4) +
		entry("p", "null", "progress", 5) + entry("u3", `"p"`, "user", 6) + entry("a3", `"u3"`, "assistant", 7)
	_, got := checked(t, text)
	require.Contains(t, got, "warning 7 entries beside the path")
	_, got = checked(t, strings.Replace(text, `"p","parentUuid":null,"type":"progress"`, `"p","parentUuid":null,"type":"user"`, 1))
	require.NotContains(t, got, "beside the path")
}

// TestListCalls: a call in a list without a result, as a client leaves it that was killed.
func TestListCalls(t *testing.T) {
	item := func(item string) string {
		return `{"timestamp":"2026-01-01T00:00:00Z","type":"response_item","payload":` + item + "}\n"
	}
	call := func(id string) string {
		return item(`{"type":"function_call","name":"shell","arguments":"{}","call_id":"` + id + `"}`)
	}
	output := func(id string) string {
		return item(`{"type":"function_call_output","call_id":"` + id + `","output":"x"}`)
	}
	_, got := checked(t, call("c1")+call("c2")+output("c1")+call("c1"))
	require.Equal(t, "warning 2 tool_use without tool_result: \"#2\" below , \"c2\" of \"shell\", children [], removable false\n", got)
	_, got = checked(t, `{"id":"e","type":"assistant.message","timestamp":"2026-01-01T00:00:00Z","data":{"content":"","toolRequests":[{"toolCallId":"c1","name":"bash"}]}}`+"\n")
	require.Equal(t, "warning 1 tool_use without tool_result: \"e\" below , \"c1\" of \"bash\", children [], removable false\n", got)
}

// TestPathTo: a place in an entry is told as jq names it.
func TestPathTo(t *testing.T) {
	const text = `{"a":{"b_2":["x",{"C":"y"}]},"2b":"z","x y":{"":"w"},"é":"v"}`
	for at, want := range map[string]string{
		`"x"`: ".a.b_2[0]", `"y"`: ".a.b_2[1].C", `"z"`: `."2b"`, `"w"`: `."x y".""`, `"v"`: `."é"`, `"C"`: ".a.b_2[1].C",
	} {
		require.Equal(t, want, string(pathTo(entry.Value(text), strings.Index(text, at))), at)
	}
	deep := strings.Repeat(`[`, 40) + strings.Repeat(`]`, 40)
	require.Equal(t, strings.Repeat("[0]", 32), string(pathTo(entry.Value(deep), 39)))
}
