package said_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/line"
	"jl/internal/said"
	"jl/internal/says"
)

const all = said.Kinds(1<<says.Kinds - 1)

func only(kinds ...says.Kind) (set said.Kinds) {
	for _, k := range kinds {
		set |= 1 << k
	}
	return set
}

// rowsOf returns the rows of a log, and what was not read. The bytes of each entry are overwritten after it, so that a
// row which keeps some shows it.
func rowsOf(t testing.TB, kinds said.Kinds, copies bool, log string, with ...func(*said.Rows)) (rows []string, report string) {
	keys := map[string]bool{}
	r := said.New(kinds, copies, func(row []byte) {
		require.True(t, entry.Valid(row), "%s", row)
		require.True(t, bytes.HasPrefix(row, []byte(`{"is":"`)), "%s", row)
		require.NotContains(t, string(row), "\n")
		rest, key := withoutKey(string(row))
		require.Equal(t, strings.HasPrefix(rest, `{"is":"unread"`), key == "", "%s", row)
		require.NotContains(t, keys, key, "%s", row)
		if key != "" {
			keys[key] = true
		}
		rows = append(rows, rest)
	})
	for _, f := range with {
		f(r)
	}
	in := dialect.NewReader(line.NewForward(strings.NewReader(log)), entry.Decoder{}, nil)
	for in.Next() {
		e := in.Entry()
		r.Entry(e, in.Dialect())
		for i := range e.Bytes {
			e.Bytes[i] = 'x'
		}
	}
	r.End()
	return rows, r.Report()
}

var keyMember = regexp.MustCompile(`,"key":"([0-9a-f]{16})"}$`)

// withoutKey returns a row without its key, and the key, "" if it has none.
func withoutKey(row string) (rest, key string) {
	m := keyMember.FindStringSubmatch(row)
	if m == nil {
		return row, ""
	}
	return strings.TrimSuffix(row, m[0]) + "}", m[1]
}

// own returns what rows have after the uuid.
func own(rows []string) (all []string) {
	for _, row := range rows {
		_, members, _ := strings.Cut(row, `"uuid":`)
		_, members, _ = strings.Cut(members, ",")
		all = append(all, strings.TrimSuffix(members, "}"))
	}
	return all
}

// user and assistant return entries of Claude Code, with more members at the end.
func user(id, content string, more ...string) string {
	return fmt.Sprintf(`{"type":"user","uuid":"%s","parentUuid":null,"timestamp":"2026-01-01T00:00:01Z","message":{"role":"user","content":%s}%s}`, id, content, strings.Join(more, ""))
}

func assistant(id, message, usage, content string) string {
	return fmt.Sprintf(`{"type":"assistant","uuid":"%s","parentUuid":null,"timestamp":"2026-01-01T00:00:00Z","message":{"id":"%s","model":"m","content":[%s],"usage":{%s}}}`, id, message, content, usage)
}

// attachment returns an entry that has one, with more members at the end.
func attachment(a string, more ...string) string {
	return fmt.Sprintf(`{"type":"attachment","uuid":"%x","parentUuid":null,"timestamp":"2026-01-01T00:00:02Z","attachment":%s%s}`, a, a, strings.Join(more, ""))
}

func queue(operation string, more string) string {
	return fmt.Sprintf(`{"type":"queue-operation","operation":"%s","sessionId":"s"%s}`, operation, more)
}

// codex returns an entry of Codex.
func codex(typ, payload string) string {
	return `{"timestamp":"2026-01-01T00:00:01Z","type":"` + typ + `","payload":` + payload + `}`
}

func lines(l ...string) string { return strings.Join(l, "\n") + "\n" }

func TestRows(t *testing.T) {
	call := func(name, input string) string {
		return assistant("c", "m1", "", `{"type":"tool_use","id":"c1","name":"`+name+`","input":`+input+`}`)
	}
	result := func(content string, more ...string) string {
		return user("r", `[{"type":"tool_result","tool_use_id":"c1",`+content+`}]`, more...)
	}
	tests := []struct {
		name  string
		kinds said.Kinds
		log   string
		want  []string
	}{
		{"a prompt is as it is in the log", only(says.Prompt), lines(user("a", `" as it is \u00e9"`)), []string{`"text":" as it is \u00e9","images":0`}},
		{"what a client put in is not typed", only(says.Prompt), lines(
			user("a", `[{"type":"text","text":"<system-reminder>x</system-reminder>Now."},{"type":"image","source":{}},{"type":"text","text":"And."}]`),
			user("b", `"<system-reminder>x</system-reminder>"`)),
			[]string{`"text":"Now.\nAnd.","images":1`}},
		{"the request below the context of an editor", only(says.Prompt), lines(
			user("a", `"# Context from my IDE setup:\n\n## Active file: a.go\n\n## My request for Codex:\nFix it.\n"`)),
			[]string{`"text":"Fix it.","images":0`}},
		{"a result that holds files of a server", only(says.Result), lines(user("a", `[{"type":"tool_result","tool_use_id":"c","content":[{"type":"resource","resource":{"uri":"file:///x","text":"words"}},{"type":"resource","resource":{"uri":"file:///y","blob":"AA"}}]}]`)), []string{`"call":"c","name":null,"failed":false,"seconds":null,"text":"words\nfile:///y","images":0`}},
		{"a result of what a search found, a link and a document", only(says.Result, says.Unread), lines(user("a", `[{"type":"tool_result","tool_use_id":"c","content":[`+
			`{"type":"search_result","source":"https://x","title":"T","content":[{"type":"text","text":"one"},{"type":"text","text":"two"}],"citations":{"enabled":true}},`+
			`{"type":"resource_link","uri":"file:///z","name":"n","description":"d","mimeType":"text/plain"},`+
			`{"type":"document","title":"D","context":"C","source":{"type":"text","media_type":"text/plain","data":"words"}},`+
			`{"type":"document","source":{"type":"content","content":[{"type":"text","text":"more"}]}},`+
			`{"type":"document","source":{"type":"content","content":"last"}},`+
			`{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"AA=="}}]}]`)),
			[]string{`"call":"c","name":null,"failed":false,"seconds":null,"text":"T\nhttps://x\none\ntwo\nn\nfile:///z\nd\nD\nC\nwords\nmore\nlast","images":1`}},
		{"a prompt with a document of text and a link", only(says.Prompt), lines(user("a", `[{"type":"document","source":{"type":"text","media_type":"text/plain","data":"words"}},{"type":"resource_link","uri":"file:///z","name":"n"},{"type":"text","text":"Read."}]`)),
			[]string{`"text":"words\nn\nfile:///z\nRead.","images":0`}},
		{"a queued prompt that is never said", only(says.Prompt), lines(
			queue("enqueue", `,"content":"only here"`), queue("remove", ""), assistant("b", "m", "", `{"type":"text","text":"x"}`)),
			[]string{`"text":"only here","images":0,"queued":true`}},
		{"a queued prompt that is said again", only(says.Prompt), lines(
			queue("enqueue", `,"content":"twice"`), queue("remove", `,"content":"twice"`), user("b", `"twice"`),
			queue("enqueue", `,"content":"/mcp"`), queue("remove", "")),
			[]string{`"text":"twice","images":0`}},
		{"a notification in the queue is no prompt", only(says.Prompt, says.Task), lines(
			queue("enqueue", `,"content":"<task-notification>n</task-notification>\nRead the output file to retrieve the result: /x"`),
			user("b", `"<task-notification>n</task-notification>\nRead the output file to retrieve the result: /x"`),
			user("c", `"<task-notification><summary>done</summary></task-notification>\nFull transcript available at: /x"`), queue("remove", "")),
			[]string{`"call":null,"failed":false,"text":""`, `"call":null,"failed":false,"text":"done"`}},
		{"a prompt leaves the queue before a notification", only(says.Prompt, says.Task), lines(
			queue("enqueue", `,"content":"<task-notification><summary>one</summary></task-notification>"`), queue("enqueue", `,"content":"x"`), queue("remove", ""),
			user("b", `"y"`), user("c", `"<task-notification><summary>one</summary></task-notification>"`)),
			[]string{`"text":"y","images":0`, `"call":null,"failed":false,"text":"one"`, `"text":"x","images":0,"queued":true`}},
		{"a notification that is only in the queue", only(says.Prompt, says.Task), lines(
			queue("enqueue", `,"content":"<task-notification><summary>one</summary></task-notification>"`), queue("remove", ""),
			queue("enqueue", `,"content":"<task-notification><summary>waits</summary></task-notification>"`)),
			[]string{`"call":null,"failed":false,"text":"one"`, `"call":null,"failed":false,"text":"waits"`}},
		{"a notification that left the queue before the log ends", only(says.Task), lines(
			queue("enqueue", `,"content":"<task-notification><summary>one</summary></task-notification>"`), queue("dequeue", "")),
			[]string{`"call":null,"failed":false,"text":"one"`}},
		{"why a call is refused", only(says.Prompt, says.Result), lines(call("Bash", `{}`),
			result(`"is_error":true,"content":"The user doesn't want to proceed. The user said:\nNo, the user said:\nthe other."`)),
			[]string{`"call":"c1","name":"Bash","failed":true,"refused":true,"seconds":1,"text":"The user doesn't want to proceed. The user said:\nNo, the user said:\nthe other.","images":0`, `"text":"the other.","images":0,"call":"c1"`}},
		{"a result before and after what was typed", only(says.Prompt, says.Result), lines(
			user("a", `[{"type":"tool_result","tool_use_id":"c","content":"x"},{"type":"text","text":"y"},{"type":"tool_result","tool_use_id":"d","content":"z"},{"type":"text","text":"w"}]`)),
			[]string{`"call":"c","name":null,"failed":false,"seconds":null,"text":"x","images":0`, `"text":"y\nw","images":0`, `"call":"d","name":null,"failed":false,"seconds":null,"text":"z","images":0`}},
		{"a call that is refused in Copilot", only(says.Prompt, says.Result),
			`{"type":"tool.execution_complete","id":"a","data":{"toolCallId":"c","success":false,"error":{"message":"The user rejected this tool call. User feedback: use ls","code":"denied"}}}` + "\n",
			[]string{`"call":"c","name":null,"failed":true,"refused":true,"seconds":null,"text":"The user rejected this tool call. User feedback: use ls","images":0`, `"text":"use ls","images":0,"call":"c"`}},
		{"in Gemini CLI", only(says.Prompt, says.Result),
			`{"id":"a","type":"gemini","content":"","toolCalls":[{"id":"c","name":"ls","args":{},"status":"cancelled","result":[{"functionResponse":{"id":"c","response":{"error":"[Operation Cancelled] Reason: User denied execution."}}}]}]}` + "\n",
			[]string{`"call":"c","name":"ls","failed":true,"refused":true,"seconds":null,"text":"[Operation Cancelled] Reason: User denied execution.","images":0`}},
		{"in Qwen Code", only(says.Prompt, says.Result),
			`{"uuid":"a","parentUuid":null,"type":"tool_result","message":{"parts":[{"functionResponse":{"id":"c","response":{"error":"[Operation Cancelled] Reason: User did not allow tool call"}}}]},"toolCallResult":{"status":"cancelled"}}` + "\n",
			[]string{`"call":"c","name":null,"failed":true,"refused":true,"seconds":null,"text":"[Operation Cancelled] Reason: User did not allow tool call","images":0`}},
		{"in Codex, and one that is interrupted", only(says.Result), lines(
			`{"type":"response_item","payload":{"type":"function_call_output","call_id":"c","output":"exec_command failed: CreateProcess { message: \"Rejected(\\\"rejected by user\\\")\" }"}}`,
			`{"type":"response_item","payload":{"type":"function_call_output","call_id":"d","output":"Wall time: 0.1 seconds\naborted by user"}}`),
			[]string{`"call":"c","name":null,"failed":true,"refused":true,"seconds":null,"text":"exec_command failed: CreateProcess { message: \"Rejected(\\\"rejected by user\\\")\" }","images":0`,
				`"call":"d","name":null,"failed":false,"seconds":null,"text":"Wall time: 0.1 seconds\naborted by user","images":0`}},
		{"an own answer in Gemini CLI, and one that was offered", only(says.Prompt), lines(
			`{"id":"a","type":"gemini","content":"","toolCalls":[{"id":"c","name":"ask_user","args":{"questions":[{"question":"q","options":[{"label":"A"},{"label":"B"}]},{"question":"p","options":[{"label":"B"}]}]},"status":"success","result":[{"functionResponse":{"response":{"output":"{\"answers\":{\"0\":\"my own\",\"1\":\"B, A\"}}"}}}]}]}`),
			[]string{`"text":"my own","images":0,"call":"c"`}},
		{"in Qwen Code", only(says.Prompt), lines(
			`{"uuid":"a","parentUuid":null,"type":"assistant","message":{"parts":[{"functionCall":{"id":"c","name":"ask_user_question","args":{"questions":[{"question":"q","options":[{"label":"A"}]}]}}}]}}`,
			`{"uuid":"b","parentUuid":"a","type":"tool_result","message":{"parts":[{"functionResponse":{"id":"c","name":"ask_user_question","response":{"output":"User has provided"}}}]},"toolCallResult":{"status":"success","resultDisplay":{"answers":[{"question":"q","answer":"my own"},{"question":"p","answer":"A"}]}}}`),
			[]string{`"text":"my own","images":0,"call":"c"`}},
		{"in Copilot CLI", only(says.Prompt), lines(
			`{"type":"assistant.message","id":"a","data":{"messageId":"m","content":"","toolRequests":[{"toolCallId":"c","name":"ask_user","arguments":{"question":"q","requestedSchema":{"properties":{"pick":{"enum":["A"]}}}}},{"toolCallId":"d","name":"ask_user","arguments":{"choices":["A"]}},{"toolCallId":"e","name":"ask_user","arguments":{"requestedSchema":{"properties":{"pick":{"enum":["A"]},"also":{"enum":["B"]}}}}}]}}`,
			`{"type":"tool.execution_complete","id":"b","data":{"toolCallId":"c","success":true,"result":{"content":"User responded: my own"}}}`,
			`{"type":"tool.execution_complete","id":"c","data":{"toolCallId":"d","success":true,"result":{"content":"User responded: A"}}}`,
			`{"type":"tool.execution_complete","id":"d","data":{"toolCallId":"e","success":true,"result":{"content":"User responded: A, B"}}}`),
			[]string{`"text":"my own","images":0,"call":"c"`}},
		{"an answer to a question", only(says.Result), lines(call("AskUserQuestion", `{}`), result(`"content":"Small ones"`)),
			[]string{`"call":"c1","name":"AskUserQuestion","failed":false,"answered":true,"seconds":1,"text":"Small ones","images":0`}},
		{"a question that failed", only(says.Result), lines(call("AskUserQuestion", `{}`), result(`"content":"no","is_error":true`)),
			[]string{`"call":"c1","name":"AskUserQuestion","failed":true,"seconds":1,"text":"no","images":0`}},
		{"a question that the user does not answer, but talks about", only(says.Prompt), lines(call("AskUserQuestion", `{}`),
			result(`"is_error":true,"content":"The user doesn't want to proceed with this tool use. the user said:\nThe user wants to clarify these questions.\nThis means that"`)), nil},
		{"an own answer", only(says.Prompt), lines(call("AskUserQuestion", `{}`),
			result(`"content":"ok"`, `,"toolUseResult":{"questions":[{"question":"q","options":[{"label":"A"}]},{"question":"p","options":[{"label":"A"},{"label":"B"}]}],"answers":{"q":"neither","p":"A, B"}}`)),
			[]string{`"text":"neither","images":0,"call":"c1"`}},
		{"a blocked prompt", only(says.Prompt, says.Hook), `{"type":"system","uuid":"a","parentUuid":null,"subtype":"informational","content":"UserPromptSubmit operation blocked by hook:\nno\n\nOriginal prompt: please"}` + "\n",
			[]string{`"name":"UserPromptSubmit","failed":true,"text":"UserPromptSubmit operation blocked by hook:\nno"`, `"text":"please","images":0`}},
		{"the task of a sub-agent", only(says.Prompt), lines(user("a", `"look"`, `,"isSidechain":true,"agentId":"x"`)), []string{`"text":"look","images":0,"by":"model"`}},
		{"of Codex, in a log that tells nothing better", only(says.Prompt), lines(
			codex("response_item", `{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>x</environment_context>"}]}`),
			codex("response_item", `{"type":"message","role":"user","content":[{"type":"input_text","text":"Count."}]}`), codex("event_msg", `{"type":"agent_reasoning","text":"hm"}`)),
			[]string{`"text":"Count.","images":0`}},
		{"of Codex, which another agent wrote", only(says.Prompt), lines(codex("response_item", `{"type":"agent_message","author":"/main","recipient":"/main/a","content":[{"type":"input_text","text":"go on"}]}`)),
			[]string{`"text":"go on","images":0,"by":"model"`}},
		{"of a sub-agent of Codex", only(says.Prompt), lines(
			codex("session_meta", `{"id":"g","parent_thread_id":"s","source":{"subagent":"review"}}`),
			codex("response_item", `{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>x</environment_context>"}]}`),
			codex("response_item", `{"type":"message","role":"user","content":[{"type":"input_text","text":"look"}]}`), codex("event_msg", `{"type":"user_message","message":"look"}`)),
			[]string{`"text":"look","images":0,"by":"model"`}},
		{"a plan of the model that is carried out in a new session", only(says.Prompt), lines(user("a", `"Implement the following plan:\n\n# Plan"`, `,"origin":{"kind":"auto-continuation"},"planContent":"# Plan"`)),
			[]string{`"text":"Implement the following plan:\n\n# Plan","images":0,"by":"model","plan":"Plan"`}},
		{"a plan that only its words tell, with an escape in its heading", only(says.Prompt), lines(user("a", `"Implement the following plan:\n\n# A \"pier\""`)),
			[]string{`"text":"Implement the following plan:\n\n# A \"pier\"","images":0,"plan":"A \"pier\""`}},
		{"a plan in other words", only(says.Prompt), lines(user("a", `"Go on with the plan.\nNow."`, `,"planContent":"# Plan"`)),
			[]string{`"text":"Go on with the plan.\nNow.","images":0,"by":"model","plan":"Go on with the plan. Now."`}},
		{"what a client says to the model", only(says.Context, says.Prompt), lines(user("a", `"the body of a skill"`, `,"isMeta":true`)), []string{`"text":"the body of a skill"`}},
		{"what the client attaches to a prompt", only(says.Context, says.File, says.Hook, says.Unread), lines(user("a", `"Look at @beds.txt"`),
			attachment(`{"type":"file","filename":"/g/beds.txt","content":{"type":"text","file":{"content":"<bash-input>roses</bash-input>"}}}`),
			attachment(`{"type":"file","filename":"/g/b.txt","content":{"type":"text","file":{"content":"b"}}}`, `,"rendered":[{"content":"As it was sent."}]`),
			attachment(`{"type":"directory","path":"/g","content":"beds.txt"}`),
			attachment(`{"type":"instructions","files":[{"path":"/g/CLAUDE.md","content":"Water them."},{"path":"/CLAUDE.md","content":"Be kind."}]}`),
			attachment(`{"type":"nested_memory","path":"/g/s/CLAUDE.md","content":{"path":"/g/s/CLAUDE.md","content":"No salt."}}`),
			attachment(`{"type":"output_style_instructions","style":{"name":"sailor","prompt":"Talk like a sailor."}}`),
			attachment(`{"type":"hook_additional_context","content":["It rains."],"hookName":"UserPromptSubmit"}`),
			attachment(`{"type":"unknown_command_fallback","commandName":"moon"}`),
			`{"type":"system","subtype":"compact_boundary","uuid":"s"}`, user("t", `"So far."`, `,"isCompactSummary":true`),
			attachment(`{"type":"file","filename":"/g/again.txt","content":{"type":"text","file":{"content":"again"}}}`)),
			[]string{`"call":null,"name":null,"cwd":null,"action":"named","path":"/g/beds.txt","failed":null`, `"text":"<bash-input>roses</bash-input>"`,
				`"call":null,"name":null,"cwd":null,"action":"named","path":"/g/b.txt","failed":null`, `"text":"As it was sent."`,
				`"call":null,"name":null,"cwd":null,"action":"named","path":"/g","failed":null`, `"text":"beds.txt"`,
				`"text":"Water them.\nBe kind."`, `"text":"No salt."`, `"text":"Talk like a sailor."`, `"name":"UserPromptSubmit","failed":false,"text":"It rains."`, `"text":"It rains."`, `"text":"again"`}},
		{"a permission mode", only(says.Prompt), lines(user("a", `"Count."`, `,"permissionMode":"bypassPermissions"`)), []string{`"text":"Count.","images":0,"mode":"bypassPermissions"`}},
		{"what changes the price of a message", only(says.Usage), lines(
			`{"type":"assistant","uuid":"a","timestamp":"2026-01-01T00:00:01Z","attributionMcpServer":"charts","message":{"id":"m","model":"o","content":[],"usage":{"input_tokens":5,"output_tokens":9,"output_tokens_details":{"thinking_tokens":4},"service_tier":"batch","inference_geo":"us","server_tool_use":{"web_search_requests":2,"web_fetch_requests":1}}}}`,
			`{"type":"assistant","uuid":"b","timestamp":"2026-01-01T00:00:01Z","message":{"id":"n","model":"o","content":[],"usage":{"input_tokens":5,"output_tokens":9,"service_tier":"standard","inference_geo":"","server_tool_use":{"web_search_requests":0},"new":0}}}`),
			[]string{`"message":"m","model":"o","input":5,"output":9,"cacheWrite":0,"cacheWrite5m":0,"cacheWrite1h":0,"cacheRead":0,"cwd":null,"thinking":4,"tier":"batch","geo":"us","webSearches":2,"mcp":"charts"`,
				`"message":"n","model":"o","input":5,"output":9,"cacheWrite":0,"cacheWrite5m":0,"cacheWrite1h":0,"cacheRead":0,"cwd":null,"tier":"standard"`}},
		{"a total of models, of which messages name none or others", only(says.Usage), lines(
			`{"type":"session.start","id":"a","data":{"sessionId":"s"}}`, `{"type":"assistant.message","id":"b","data":{"messageId":"1","content":"x","outputTokens":50}}`,
			`{"type":"assistant.message","id":"c","data":{"messageId":"2","model":"h-1","content":"x","outputTokens":7}}`,
			`{"type":"session.shutdown","id":"d","data":{"modelMetrics":{"g":{"usage":{"inputTokens":10,"outputTokens":30,"reasoningTokens":3}},"h":{"usage":{"inputTokens":2,"outputTokens":27}}}}}`,
			`{"type":"session.shutdown","id":"e","data":{"modelMetrics":{"g":{"usage":{"inputTokens":10,"outputTokens":30}}}}}`),
			[]string{`"message":"1","model":null,"input":0,"output":50,"cacheWrite":0,"cacheWrite5m":0,"cacheWrite1h":0,"cacheRead":0,"cwd":null`,
				`"message":"2","model":"h-1","input":0,"output":7,"cacheWrite":0,"cacheWrite5m":0,"cacheWrite1h":0,"cacheRead":0,"cwd":null`,
				`"message":null,"model":"g","input":10,"output":0,"cacheWrite":0,"cacheWrite5m":0,"cacheWrite1h":0,"cacheRead":0,"cwd":null,"thinking":3`,
				`"message":null,"model":"h","input":2,"output":0,"cacheWrite":0,"cacheWrite5m":0,"cacheWrite1h":0,"cacheRead":0,"cwd":null`,
				`"message":null,"model":"g","input":10,"output":30,"cacheWrite":0,"cacheWrite5m":0,"cacheWrite1h":0,"cacheRead":0,"cwd":null`}},
		{"what pi counted", only(says.Bill), lines(
			`{"type":"session","version":3,"id":"s","cwd":"/w"}`,
			`{"type":"message","id":"a","parentId":null,"timestamp":"2026-01-01T00:00:01Z","message":{"role":"assistant","content":[],"usage":{"input":10,"output":2,"cost":{"input":0.01,"total":0.03}}}}`,
			`{"type":"message","id":"b","parentId":"a","timestamp":"2026-01-01T00:00:02Z","message":{"role":"assistant","content":[],"usage":{"input":10,"output":2,"cost":{"input":0,"total":0}}}}`),
			[]string{`"dollars":0.03,"input":10,"output":2,"cacheWrite":0,"cacheRead":0,"linesAdded":null,"linesRemoved":null,"seconds":null`}},
		{"what OpenCode counted", only(says.Bill), lines(`{"type":"step_finish","sessionID":"s","part":{"id":"p","cost":0.5,"tokens":{"input":3,"output":1}}}`),
			[]string{`"dollars":0.5,"input":3,"output":1,"cacheWrite":0,"cacheRead":0,"linesAdded":null,"linesRemoved":null,"seconds":null`}},
		{"what Copilot counted", only(says.Bill), lines(`{"type":"session.shutdown","id":"a","data":{"totalApiDurationMs":2000,"codeChanges":{"linesAdded":12,"linesRemoved":4},"modelMetrics":{"g":{"requests":{"cost":3},"usage":{"inputTokens":10,"cacheReadTokens":4}},"h":{"usage":{"inputTokens":1,"outputTokens":2}}}}}`),
			[]string{`"dollars":null,"input":7,"output":2,"cacheWrite":0,"cacheRead":4,"linesAdded":12,"linesRemoved":4,"seconds":2`}},
		{"the tokens of a compaction of pi", only(says.Usage), lines(
			`{"type":"session","version":3,"id":"s","cwd":"/w"}`, `{"type":"compaction","id":"a","parentId":null,"timestamp":"2026-01-01T00:00:01Z","summary":"x","usage":{"input":100,"output":20}}`),
			[]string{`"message":"a","model":null,"input":100,"output":20,"cacheWrite":0,"cacheWrite5m":0,"cacheWrite1h":0,"cacheRead":0,"cwd":"/w"`}},
		{"the tokens of a turn of Grok", only(says.Usage), lines(
			`{"timestamp":1793520004,"method":"_x.ai/session/update","params":{"sessionId":"s","update":{"sessionUpdate":"turn_completed","prompt_id":"p","usage":{"inputTokens":9,"modelUsage":{"m":{"inputTokens":9,"outputTokens":2,"cachedReadTokens":4,"cacheCreationTokens":0,"reasoningTokens":1,"modelCalls":1}},"numTurns":1}}}}`),
			[]string{`"message":"p","model":"m","input":5,"output":2,"cacheWrite":0,"cacheWrite5m":0,"cacheWrite1h":0,"cacheRead":4,"cwd":null,"thinking":1`}},
		{"a request of Qwen Code beside a message with the same figures", only(says.Usage), lines(
			`{"type":"assistant","uuid":"a","parentUuid":null,"sessionId":"s","timestamp":"2026-01-01T00:00:01Z","model":"q","message":{"role":"model","parts":[{"text":"x"}]},"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":2}}`,
			`{"type":"system","subtype":"ui_telemetry","uuid":"b","parentUuid":"a","sessionId":"s","timestamp":"2026-01-01T00:00:02Z","systemPayload":{"uiEvent":{"event.name":"qwen-code.api_response","model":"q","prompt_id":"s########0","input_token_count":10,"output_token_count":2}}}`,
			`{"type":"system","subtype":"ui_telemetry","uuid":"c","parentUuid":"b","sessionId":"s","timestamp":"2026-01-01T00:00:03Z","systemPayload":{"uiEvent":{"event.name":"qwen-code.api_response","model":"q","prompt_id":"compress-1","input_token_count":10,"output_token_count":2}}}`),
			[]string{`"message":"a","model":"q","input":10,"output":2,"cacheWrite":0,"cacheWrite5m":0,"cacheWrite1h":0,"cacheRead":0,"cwd":null`,
				`"message":null,"model":"q","input":10,"output":2,"cacheWrite":0,"cacheWrite5m":0,"cacheWrite1h":0,"cacheRead":0,"cwd":null`}},
		{"what a schedule, a coordinator and the client say", only(says.Context, says.Prompt), lines(user("a", `"Count again."`, `,"origin":{"kind":"task-notification","subkind":"scheduled-trigger"}`),
			user("b", `"A word."`, `,"origin":{"kind":"coordinator"}`), user("c", `"[Your previous response had no visible output. Go on.]"`), user("d", `"<user_action>out</user_action>"`)),
			[]string{`"text":"Count again."`, `"text":"A word."`, `"text":"[Your previous response had no visible output. Go on.]"`}},
		{"the end of a task, in an entry that says so", only(says.Context, says.Prompt, says.Task),
			lines(user("a", `"<task-notification>\n<status>failed</status>\n<summary>Agent \"look\" failed</summary>\n</task-notification>\nIt rained."`, `,"origin":{"kind":"task-notification"},"isMeta":true`)),
			[]string{`"call":null,"failed":true,"text":"Agent \"look\" failed"`, `"text":"It rained."`}},
		{"an agent that is done, in the queue", only(says.Prompt, says.Task),
			lines(queue("enqueue", `,"content":"<agent-notification>\n<agent-id>a1</agent-id>\n<status>completed</status>\n<summary>Done.</summary>\n</agent-notification>"`), queue("dequeue", ``)),
			[]string{`"call":null,"failed":false,"text":"Done."`}},
		{"what a person types in the thread of a sub-agent of Codex", only(says.Prompt), lines(
			codex("session_meta", `{"id":"g","parent_thread_id":"s","source":{"subagent":"review"}}`),
			codex("event_msg", `{"type":"task_started","turn_attribution":{"turn_id":"1","parent_turn_id":"0"}}`), codex("event_msg", `{"type":"user_message","message":"Look."}`),
			codex("event_msg", `{"type":"task_started","turn_attribution":{"turn_id":"2","parent_turn_id":null}}`), codex("event_msg", `{"type":"user_message","message":"Mend it."}`),
			codex("event_msg", `{"type":"task_started"}`), codex("event_msg", `{"type":"user_message","message":"Go on."}`)),
			[]string{`"text":"Look.","images":0,"by":"model"`, `"text":"Mend it.","images":0`, `"text":"Go on.","images":0,"by":"model"`}},
		{"what the client says in the name of the model, which a capture says again", only(says.Answer, says.Context), lines(
			`{"type":"assistant","uuid":"a","session_id":"s","message":{"id":"m","model":"<synthetic>","content":[{"type":"text","text":"No response requested."}]}}`,
			`{"type":"result","subtype":"success","session_id":"s","result":"No response requested."}`),
			[]string{`"text":"No response requested."`}},
		{"what a peer says without a tag", only(says.Member, says.Prompt), lines(user("a", `"Hi."`, `,"origin":{"kind":"peer","from":"uds:x","name":"Ann"}`)), []string{`"name":"Ann","text":"Hi."`}},
		{"what a person types in another program", only(says.Context, says.Prompt), lines(user("a", `"<channel source=\"telegram\" user=\"ann\">\nAnd the rings?\n</channel>"`, `,"isMeta":true,"origin":{"kind":"channel","server":"telegram"}`)),
			[]string{`"text":"And the rings?","images":0`}},
		{"a command for the client, with words, that waited in the queue", only(says.Prompt),
			lines(queue("enqueue", `,"content":"/rename Moons"`), queue("dequeue", ``), user("a", `"<command-name>/rename</command-name>\n<command-message>rename</command-message>\n<command-args>Moons</command-args>"`)), nil},
		{"commands of the user's own", only(says.Shell, says.Prompt), lines(user("a", `"<bash-input>ls</bash-input>"`), user("b", `"<bash-stdout>x</bash-stdout><bash-stderr>y</bash-stderr>"`)),
			[]string{`"command":"ls","text":"","failed":false`, `"command":null,"text":"x\ny","failed":false`}},
		{"what a command of the user's own printed is escaped once, the command is not", only(says.Shell), lines(user("a", `"<bash-input>echo '&amp;&lt;' > x</bash-input>"`), user("b", `"<bash-stdout>a -&gt; b &amp;&amp; &lt;c&gt; &amp;lt; \"'</bash-stdout><bash-stderr>&lt;/bash-stderr&gt;</bash-stderr>"`)),
			[]string{`"command":"echo '&amp;&lt;' > x","text":"","failed":false`, `"command":null,"text":"a -> b && <c> &lt; \"'\n</bash-stderr>","failed":false`}},
		{"an interruption", only(says.Failure, says.Prompt), lines(user("a", `"[Request interrupted by user]"`)), []string{`"text":"[Request interrupted by user]"`}},
		{"a tool on the server", only(says.Call, says.Result), lines(
			assistant("a", "m1", "", `{"type":"server_tool_use","id":"s1","name":"web_search","input":{"query":"q"}}`),
			assistant("b", "m1", "", `{"type":"web_search_tool_result","tool_use_id":"s1","content":[{"type":"web_search_result","title":"T","url":"u"}]}`)),
			[]string{`"id":"s1","name":"web_search","input":{"query":"q"},"cwd":null,"model":"m","message":"m1"`, `"call":"s1","name":"web_search","failed":false,"seconds":0,"text":"T\nu","images":0`}},
		{"hooks", only(says.Hook, says.Fired), lines(
			`{"type":"attachment","uuid":"a","parentUuid":null,"attachment":{"type":"hook_success","hookName":"Stop","content":"","stdout":""}}`,
			`{"type":"attachment","uuid":"b","parentUuid":null,"attachment":{"type":"hook_blocking_error","hookName":"Stop","blockingError":{"blockingError":"no","command":"x"}}}`),
			[]string{`"name":"Stop","text":""`, `"name":"Stop","failed":true,"text":"no"`}},
		{"what a hook said, told twice", only(says.Hook), lines(assistant("a", "m", "", `{"type":"text","text":"done"}`),
			`{"type":"attachment","uuid":"b","parentUuid":"a","attachment":{"type":"hook_blocking_error","hookName":"Stop","blockingError":{"blockingError":"no\n"}}}`,
			`{"type":"system","uuid":"c","parentUuid":"b","subtype":"stop_hook_summary","hookErrors":["[x]: no","other"]}`,
			assistant("d", "m2", "", `{"type":"text","text":"done"}`), `{"type":"system","uuid":"e","parentUuid":"d","subtype":"stop_hook_summary","hookErrors":["no"]}`),
			[]string{`"name":"Stop","failed":true,"text":"no\n"`, `"name":"Stop","failed":true,"text":"other"`, `"name":"Stop","failed":true,"text":"no"`}},
		{"a task whose call is open is told by its result", only(says.Task), lines(call("Bash", `{}`),
			`{"type":"system","uuid":"b","parentUuid":null,"subtype":"task_notification","tool_use_id":"c1","status":"completed","summary":"ls"}`, result(`"content":"ok"`),
			`{"type":"system","uuid":"d","parentUuid":null,"subtype":"task_notification","tool_use_id":"c1","status":"failed","summary":"ls"}`),
			[]string{`"call":"c1","failed":true,"text":"ls"`}},
		{"a compaction and what it kept", only(says.Compaction, says.Summary), lines(
			`{"type":"system","uuid":"a","parentUuid":null,"subtype":"compact_boundary","compactMetadata":{"preservedMessages":{"uuids":["k1","k2"]}}}`,
			user("b", `"so far"`, `,"isCompactSummary":true`)), []string{`"kept":["k1","k2"]`, `"text":"so far"`}},
		{"a picture", only(says.Picture), lines(
			user("a", `[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AA=="}},{"type":"text","text":"x"}]`), call("Read", `{}`),
			result(`"content":[{"type":"image","source":{"type":"url","url":"https://x/y.png"}}]`)),
			[]string{`"media":"image/png","data":"AA=="`, `"call":"c1","media":null,"url":"https://x/y.png"`}},
		{"texts as Kiro writes them", only(says.Prompt), `{"kind":"Prompt","data":{"content":[{"kind":"text","data":"Fix it."}]}}` + "\n", []string{`"text":"Fix it.","images":0`}},
		{"an error without words", only(says.Failure), `{"type":"system","uuid":"a","parentUuid":null,"subtype":"api_error","error":{},"retryAttempt":1,"maxRetries":9}` + "\n", []string{`"text":"the request failed, attempt 1 of 9"`}},
		{"a task and a member in the name of the user", only(says.Task, says.Member, says.Prompt), lines(
			user("a", `"<task-notification><tool-use-id>c9</tool-use-id><status>failed</status><summary>no</summary><result>x</result></task-notification>"`),
			user("d", `"<task-notification><summary>Monitor event</summary><event>tick 1</event></task-notification>\n<task-notification><summary>Monitor event</summary><event>tick 2</event></task-notification> <task-notification>"`),
			user("b", `"<teammate-message teammate_id=\"ann\">A</teammate-message> <teammate-message teammate_id=\"bob\">B</teammate-message> <teammate-message"`)),
			[]string{`"call":"c9","failed":true,"text":"no\nx"`, `"call":null,"failed":false,"text":"Monitor event\ntick 1"`, `"call":null,"failed":false,"text":"Monitor event\ntick 2"`, `"text":"<task-notification>","images":0`, `"name":"ann","text":"A"`, `"name":"bob","text":"B"`, `"text":"<teammate-message","images":0`}},
		{"messages of peers, with the client's words around them", only(says.Task, says.Member, says.Prompt, says.Context), lines(
			user("a", `"Another Claude session sent a message:\n<teammate-message teammate_id=\"ann\" color=\"blue\">\n{\"type\":\"idle_notification\",\"from\":\"ann\",\"result\":\"Done.\"}\n</teammate-message>\n\n<teammate-message teammate_id=\"bob\">\nToo.\n</teammate-message>\n\nThis came from another Claude session, not typed."`),
			`{"type":"queue-operation","operation":"enqueue","content":"<cross-session-message from=\"uds:x\" from-name=\"w-13\">\nHi.\n</cross-session-message>"}`, `{"type":"queue-operation","operation":"dequeue"}`,
			user("b", `"Another Claude session sent a message:\n<cross-session-message from=\"uds:x\" from-name=\"w-13\">\nHi.\n</cross-session-message>\n\nThis came from another Claude session."`, `,"isMeta":true,"origin":{"kind":"peer"}`),
			`{"type":"queue-operation","operation":"enqueue","content":"<cross-session-message from-name=\"w-13\">\nStill here.\n</cross-session-message>"}`),
			[]string{`"name":"ann","text":"Done."`, `"name":"bob","text":"Too."`, `"name":"w-13","text":"Hi."`, `"name":"w-13","text":"Still here."`}},
		{"what the client queued itself", only(says.Prompt, says.Context), lines(user("a", `"Wake me."`),
			`{"type":"queue-operation","operation":"enqueue","content":"wake"}`, `{"type":"queue-operation","operation":"dequeue"}`,
			user("b", `"wake"`, `,"isMeta":true,"wakeupSource":"loop_wakeup"`), assistant("c", "m", "", `{"type":"text","text":"awake"}`)),
			[]string{`"text":"Wake me.","images":0`, `"text":"wake"`}},
		{"the task of a fork, behind its rules", only(says.Prompt, says.Answer, says.Unread), lines(`{"type":"fork-context-ref","agentId":"g","parentSessionId":"s","parentLastUuid":"u","contextLength":2}`,
			assistant("a", "m", "", `{"type":"tool_use","id":"c1","name":"Agent","input":{"prompt":"Count them."}}`),
			user("b", `[{"type":"tool_result","tool_use_id":"c1","content":"Fork started"},{"type":"text","text":"<fork-boilerplate>\nOne directive.\n</fork-boilerplate>\n\nYour directive: Count them."}]`, `,"agentId":"g","isSidechain":true`),
			assistant("c", "m2", "", `{"type":"text","text":"Four."}`)),
			[]string{`"text":"Count them.","images":0,"by":"model"`, `"text":"Four.","model":"m","message":"m2"`}},
		{"what a sub-agent of a team was told, by another and by a person", only(says.Member, says.Prompt), lines(
			user("a", `"<teammate-message teammate_id=\"team-lead\" summary=\"x\">\nRead it.\n</teammate-message>"`, `,"agentId":"g","isSidechain":true`),
			user("b", `"And test it."`, `,"agentId":"g","isSidechain":true,"origin":{"kind":"human"}`),
			user("c", `"Find it."`, `,"agentId":"h","isSidechain":true`)),
			[]string{`"name":"team-lead","text":"Read it."`, `"text":"And test it.","images":0`, `"text":"Find it.","images":0,"by":"model"`}},
		{"what a compaction kept, in other words", only(says.Compaction), lines(
			`{"type":"system","uuid":"a","parentUuid":null,"subtype":"compact_boundary","compactMetadata":{"preservedSegment":{"headUuid":"k"}}}`,
			`{"type":"system","uuid":"b","parentUuid":null,"subtype":"compact_boundary"}`), []string{`"kept":["k"]`, ``}},
		{"calls without a name or an input, results without a call", only(says.Call, says.Result), lines(
			assistant("a", "m", "", `{"type":"tool_use","id":"c1"},{"type":"tool_use","id":"c2","name":"X","input":"{\"a\":\n1}"},{"type":"tool_use","id":"c3","name":"X","input":"{no"}`),
			user("b", `[{"type":"tool_result","tool_use_id":"c9","content":{"b":1}},{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"x"},{"type":"text","text":"y"},{"type":"text","text":"z"}]}]`, `,"toolUseResult":{"agentId":"g"}`)),
			[]string{`"id":"c1","name":"tool","input":{},"cwd":null,"model":"m","message":"m"`, `"id":"c2","name":"X","input":{"a": 1},"cwd":null,"model":"m","message":"m"`, `"id":"c3","name":"X","input":"{no","cwd":null,"model":"m","message":"m"`,
				`"call":"c9","name":null,"failed":false,"seconds":null,"text":"{\"b\":1}","images":0`, `"call":"c1","name":"tool","failed":false,"seconds":1,"text":"x\ny\nz","images":0`}},
		{"the answer again at the end of a capture", only(says.Answer), lines(assistant("a", "m", "", `{"type":"text","text":"x"}`), `{"type":"result","subtype":"success","session_id":"s","result":"x"}`,
			`{"type":"result","subtype":"success","session_id":"s","result":"other"}`), []string{`"text":"x","model":"m","message":"m"`, `"text":"other","model":null`}},
		{"blanks are no answer and no summary, and a title is a text", only(says.Answer, says.Summary, says.Title), lines(
			assistant("a", "m", "", `{"type":"text","text":" \n"}`), user("b", `""`, `,"isCompactSummary":true`), `{"type":"ai-title","aiTitle":7,"sessionId":"s"}`), nil},
		{"a session", only(says.Setting), `{"type":"system","subtype":"init","uuid":"a","parentUuid":null,"session_id":"s","cwd":"/w","model":"m"}` + "\n", []string{`"model":"m","cwd":"/w"`}},
		{"a title, a recap", only(says.Title, says.Recap), lines(user("a", `"x"`),
			`{"type":"ai-title","aiTitle":"A","sessionId":"s"}`, `{"type":"system","uuid":"b","parentUuid":"a","subtype":"away_summary","content":"so far"}`),
			[]string{`"text":"A","rank":2`, `"text":"so far"`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rows, report := rowsOf(t, test.kinds, false, test.log)
			require.Equal(t, test.want, own(rows))
			require.Empty(t, report)
		})
	}
}

// TestReported: reports of its progress tell what a sub-agent said as its own log does, once, unless that log is there.
func TestReported(t *testing.T) {
	entry := func(typ, id, more, message string) string {
		return fmt.Sprintf(`{"type":"%s","uuid":"%s"%s,"timestamp":"2026-01-01T00:00:0%sZ","message":%s}`, typ, id, more, id[1:], message)
	}
	own := func(more string) []string {
		return []string{
			entry("user", "g1", more, `{"content":"look"}`),
			entry("assistant", "g2", more, `{"id":"m","model":"o","content":[{"type":"tool_use","id":"c","name":"Read","input":{"file_path":"/w/a"}}],"usage":{"input_tokens":1}}`),
			entry("user", "g3", more, `{"content":[{"type":"tool_result","tool_use_id":"c","content":"ok"}]}`),
		}
	}
	var reports []string
	for i, e := range own("") {
		reports = append(reports, fmt.Sprintf(`{"type":"progress","uuid":"p%d","parentUuid":null,"sessionId":"s","cwd":"/w","timestamp":"2026-01-01T00:01:00Z","data":{"type":"agent_progress","agentId":"g","message":%s}}`, i, e))
	}
	entries := own(`,"parentUuid":null,"sessionId":"s","cwd":"/w","agentId":"g","isSidechain":true`)
	want, _ := rowsOf(t, said.Default, false, lines(entries...))
	require.Len(t, want, 5)
	log := lines(append([]string{user("a", `"x"`, `,"sessionId":"s","cwd":"/w"`)}, reports...)...)
	rows, _ := rowsOf(t, said.Default, false, log)
	require.Equal(t, want, rows[1:])
	rows, _ = rowsOf(t, said.Default, false, log+lines(entries...))
	require.Equal(t, want, rows[1:])

	rows, _ = rowsOf(t, said.Default, false, log, func(r *said.Rows) { r.HasLog = func(agent string) bool { return agent == "g" } })
	require.Len(t, rows, 2)
	require.Contains(t, rows[1], `"is":"usage"`)

	rows, _ = rowsOf(t, only(says.Prompt), false, lines(append(append([]string{queue("enqueue", `,"content":"next"`), queue("remove", "")}, reports...), user("b", `"next"`))...))
	require.Len(t, rows, 2, "what a sub-agent did meanwhile does not tell that a prompt is not said again")
}

// TestQueue: what was typed has one row, in whatever order a client says it and takes it from the queue. A text that no entry says has
// its row where it was queued if the log was looked through before, else at the end.
func TestQueue(t *testing.T) {
	enqueue := func(text string) string { return queue("enqueue", `,"content":"`+text+`"`) }
	dequeue, remove, answer := queue("dequeue", ""), queue("remove", ""), `{"type":"assistant","sessionId":"s","message":{"content":"x"}}`
	ids := 0
	typed := func(text string) string { ids++; return user(fmt.Sprintf("id %d", ids), `"`+text+`"`) }
	tests := []struct {
		name, log string
		want      []string
		atEnd     []string // want if nobody looked ahead, nil for want
	}{
		{"taken out and answered, but not said", lines(enqueue("A"), dequeue, answer, typed("B"), answer), []string{"A", "B"}, []string{"B", "A"}},
		{"two taken out, of which one is said", lines(enqueue("A"), enqueue("B"), dequeue, dequeue, typed("B"), answer, typed("C")), []string{"A", "B", "C"}, []string{"B", "C", "A"}},
		{"taken out, and said below an answer that was on its way", lines(enqueue("A"), dequeue, answer, typed("A"), answer, typed("B")), []string{"A", "B"}, nil},
		{"two taken out and answered, and said in one entry", lines(enqueue("A"), enqueue("B"), dequeue, dequeue, answer, user("c", `[{"type":"text","text":"A"},{"type":"text","text":"B"}]`)), []string{"A\nB"}, nil},
		{"two taken out and answered, and said in one text", lines(enqueue("A"), enqueue("B"), dequeue, dequeue, answer, user("c", `"A\nB"`)), []string{"A\nB"}, nil},
		{"taken out and answered, and said with more", lines(enqueue("A"), dequeue, answer, user("c", `[{"type":"text","text":"A"},{"type":"text","text":"more"}]`)), []string{"A\nmore"}, nil},
		{"taken out, and typed again much later", lines(enqueue("A"), dequeue, answer, typed("B"), answer, typed("A")), []string{"B", "A"}, nil},
		{"lost, and typed again in the queue", lines(enqueue("A"), dequeue, typed("B"), enqueue("A"), dequeue, typed("A")), []string{"A", "B", "A"}, []string{"B", "A", "A"}},
		{"taken out and said as a command for a shell", lines(enqueue("ls"), enqueue("! pwd"), dequeue, typed("<bash-input>ls</bash-input>"), answer, typed("<bash-input>pwd</bash-input>"), typed("B")), []string{"B"}, nil},
		{"a command for the client", lines(enqueue("/mcp"), dequeue, answer, typed("B")), []string{"B"}, nil},
		{"said before it is taken out", lines(enqueue("A"), enqueue("B"), typed("A"), dequeue, answer, dequeue, typed("B"), answer), []string{"A", "B"}, nil},
		{"said before it is removed", lines(enqueue("A"), enqueue("B"), typed("A"), remove, answer, dequeue, typed("B"), answer), []string{"A", "B"}, nil},
		{"said before it is removed, by its words", lines(enqueue("A"), enqueue("B"), typed("A"), queue("remove", `,"content":"A"`), remove, answer), []string{"B", "A"}, []string{"A", "B"}},
		{"a notification is said, and not taken out", lines(enqueue("<task-notification>n</task-notification>"), typed("<task-notification>n</task-notification>"), enqueue("A"), remove, answer, typed("B")), []string{"A", "B"}, []string{"B", "A"}},
		{"taken back and changed", lines(enqueue("A"), queue("popAll", ""), answer, typed("AB"), answer), []string{"AB"}, nil},
		{"taken back, and said as it was", lines(enqueue("A"), queue("popAll", ""), answer, enqueue("A"), dequeue, typed("A")), []string{"A"}, nil},
		{"lost, and the next is taken back and changed", lines(enqueue("A"), dequeue, enqueue("B"), queue("popAll", ""), typed("C")), []string{"A", "C"}, []string{"C", "A"}},
		{"nothing but the queue", lines(enqueue("A"), enqueue("B"), enqueue("C"), remove, dequeue), []string{"A", "B", "C"}, nil},
		{"with white space around it, and escaped in another way", lines(enqueue(`\u00e9 A `), dequeue, typed("é A")), []string{"é A"}, nil},
		{"said on a branch, below another prompt", lines(enqueue("A"), dequeue, typed("B"), answer, user("z", `"A"`)), []string{"B", "A"}, nil},
		{"removed, but queued in another log", lines(queue("remove", `,"content":"A"`), answer, typed("B")), []string{"A", "B"}, []string{"B", "A"}},
		{"taken back, and a notification waits", lines(enqueue("A"), queue("popAll", ""), enqueue("<task-notification>n</task-notification>")), []string{"A"}, nil},
		{"taken back, and a notification is said", lines(enqueue("A"), queue("popAll", ""), typed("<task-notification>n</task-notification>")), []string{"A"}, nil},
		{"lines of a text are no texts", lines(enqueue("A"), typed(`A\nB`)), []string{"A", "A\nB"}, []string{"A\nB", "A"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			texts := func(with ...func(*said.Rows)) (texts []string) {
				rows, _ := rowsOf(t, only(says.Prompt), false, test.log, with...)
				for _, row := range rows {
					texts = append(texts, string(entry.Parse([]byte(row)).Member("text").Text()))
				}
				return texts
			}
			require.Equal(t, test.want, texts(func(r *said.Rows) { r.Ahead = func(dialect.Dialect) map[int64]bool { return waitingIn(test.log) } }))
			if test.atEnd == nil {
				test.atEnd = test.want
			}
			require.Equal(t, test.atEnd, texts())
		})
	}
}

// waitingIn returns the offsets of what waits in the queue of a log and is never said.
func waitingIn(log string) map[int64]bool {
	r := said.New(only(says.Prompt), false, func([]byte) {})
	in := dialect.NewReader(line.NewForward(strings.NewReader(log)), entry.Decoder{}, nil)
	for in.Next() {
		r.Entry(in.Entry(), in.Dialect())
	}
	return r.Waiting()
}

// TestWaits: a text waits until an entry says it.
func TestWaits(t *testing.T) {
	r := said.New(only(says.Prompt), false, func([]byte) {})
	in := dialect.NewReader(line.NewForward(strings.NewReader(lines(user("a", `"x"`), queue("enqueue", `,"content":"A"`), user("b", `"A"`), queue("enqueue", `,"content":"B"`), user("c", `"y"`)))), entry.Decoder{}, nil)
	var waits []bool
	for in.Next() {
		r.Entry(in.Entry(), in.Dialect())
		waits = append(waits, r.Waits())
	}
	require.Equal(t, []bool{false, true, false, true, true}, waits)
}

// TestHead: a row begins with whose it is. Entries without ids are known by their lines.
func TestHead(t *testing.T) {
	rows, _ := rowsOf(t, only(says.Prompt, says.Answer), false, lines(
		user("a", `"x"`, `,"sessionId":"s"`), user("b", `"y"`, `,"sessionId":"s","isSidechain":true`),
		`{"type":"assistant","uuid":"c","parentUuid":"b","sessionId":"s","agentId":"g","isSidechain":true,"message":{"content":"z"}}`))
	require.Equal(t, []string{
		`{"is":"prompt","timestamp":"2026-01-01T00:00:01Z","session":"s","uuid":"a","text":"x","images":0}`,
		`{"is":"prompt","timestamp":"2026-01-01T00:00:01Z","session":"s","isSidechain":true,"uuid":"b","text":"y","images":0,"by":"model"}`,
		`{"is":"answer","timestamp":null,"session":"s","agentId":"g","uuid":"c","text":"z","model":null}`,
	}, rows)
	rows, _ = rowsOf(t, only(says.Prompt), false, lines(`{"role":"user","content":"x"}`, `{"role":"user","content":"y"}`))
	require.Equal(t, []string{
		`{"is":"prompt","timestamp":null,"session":null,"uuid":"#1","text":"x","images":0}`,
		`{"is":"prompt","timestamp":null,"session":null,"uuid":"#2","text":"y","images":0}`,
	}, rows)
}

// TestSessionAsked: what nobody names is asked for: the session, if the first entry names none.
func TestSessionAsked(t *testing.T) {
	ask := func(r *said.Rows) { r.Session = func() entry.Value { return entry.Value(`"asked"`) } }
	for more, want := range map[string]string{``: `"asked"`, `,"sessionId":"s"`: `"s"`, `,"sessionId":""`: `"asked"`} {
		rows, _ := rowsOf(t, only(says.Prompt), false, lines(user("a", `"x"`, more)), ask)
		require.Contains(t, rows[0], `"session":`+want+`,`)
	}
}

// TestFolder: an entry that says nothing may tell the folder of what comes.
func TestFolder(t *testing.T) {
	call := func(id string) string {
		return `{"type":"assistant","uuid":"` + id + `","parentUuid":null,"message":{"content":[{"type":"tool_use","id":"call of ` + id + `","name":"Bash","input":{}}]}}`
	}
	silent := func(id, more string) string {
		return `{"type":"system","subtype":"turn_duration","uuid":"` + id + `","parentUuid":null` + more + `}`
	}
	rows, _ := rowsOf(t, only(says.Call), false, lines(call("a"), silent("b", `,"cwd":"/p"`), call("c"), silent("d", ""), call("e")))
	require.Len(t, rows, 3)
	for i, want := range []string{"null", `"/p"`, `"/p"`} {
		require.Contains(t, rows[i], `"cwd":`+want+`,`)
	}
}

// TestOnce: what a log repeats has one row; two blocks alike in one entry have two.
func TestOnce(t *testing.T) {
	twice := assistant("a", "m1", `"input_tokens":1,"output_tokens":1`, `{"type":"text","text":"ok"},{"type":"text","text":"ok"}`)
	other := strings.Replace(twice, `"model":"m"`, `"model":"m","stop_reason":"end_turn"`, 1)
	rows, _ := rowsOf(t, only(says.Answer, says.Usage), false, lines(twice, other, twice))
	require.Len(t, rows, 3)
}

// TestToldAgain: what a message tells again does nothing: it says no text that waits, and changes no list.
func TestToldAgain(t *testing.T) {
	waits := queue("enqueue", `,"content":"x"`)
	rows, _ := rowsOf(t, only(says.Prompt), false, lines(waits, waits, user("a", `"x"`), user("a", `"x"`, `,"version":"2"`)))
	require.Equal(t, []string{`"text":"x","images":0`, `"text":"x","images":0,"queued":true`}, own(rows))

	call := func(id, text string) string {
		return `{"id":"` + id + `","name":"write_todos","args":{"todos":[{"description":"` + text + `"}]},"status":"success","result":[{"functionResponse":{"id":"` + id + `","response":{"output":"ok"}}}]}`
	}
	message := `{"id":"g","timestamp":"2026-01-01T00:00:02.000Z","type":"gemini","content":"x","toolCalls":[` + call("c1", "a") + `,` + call("c2", "b") + `]}`
	rows, _ = rowsOf(t, only(says.Todo), false, lines(
		`{"sessionId":"s","projectHash":"p","startTime":"2026-01-01T00:00:00.000Z","kind":"main"}`,
		message, `{"$set":{"messages":[`+message+`]}}`))
	require.Equal(t, []string{`"id":null,"text":"a","status":"pending"`, `"id":null,"text":"b","status":"pending"`, `"id":null,"text":"a","status":"deleted"`}, own(rows))
}

func TestUsage(t *testing.T) {
	say := func(id, message, figures string) string { return assistant(id, message, figures, "") }
	usage := func(message string, figures ...int) string {
		f := []any{message}
		for _, n := range figures {
			f = append(f, n)
		}
		return fmt.Sprintf(`"message":%s,"model":"m","input":%d,"output":%d,"cacheWrite":%d,"cacheWrite5m":%d,"cacheWrite1h":%d,"cacheRead":%d,"cwd":null`, f...)
	}
	tests := []struct {
		name, log string
		want      []string
	}{
		{"the pieces of two messages alternate, and figures grow", lines(
			say("a", "m1", `"input_tokens":5,"output_tokens":1`), say("b", "m2", `"input_tokens":1,"output_tokens":1`), say("c", "m1", `"input_tokens":5,"output_tokens":9`)),
			[]string{usage(`"m1"`, 5, 9, 0, 0, 0, 0), usage(`"m2"`, 1, 1, 0, 0, 0, 0)}},
		{"a total has a rest, and a later one another", lines(say("a", "m1", `"input_tokens":5,"output_tokens":1`),
			`{"type":"result","subtype":"success","modelUsage":{"m":{"inputTokens":10,"outputTokens":1}}}`,
			`{"type":"result","subtype":"success","modelUsage":{"m":{"inputTokens":12,"outputTokens":2}}}`),
			[]string{usage(`"m1"`, 5, 1, 0, 0, 0, 0), usage("null", 5, 0, 0, 0, 0, 0), usage("null", 2, 1, 0, 0, 0, 0)}},
		{"a total that names no model has a rest of all models", lines(say("a", "m1", `"input_tokens":5,"output_tokens":1`),
			strings.Replace(say("b", "m2", `"input_tokens":1,"output_tokens":1`), `"model":"m"`, `"model":"n"`, 1),
			`{"type":"result","subtype":"success","usage":{"input_tokens":6,"output_tokens":2}}`,
			`{"type":"result","subtype":"success","usage":{"input_tokens":8,"output_tokens":2}}`),
			[]string{usage(`"m1"`, 5, 1, 0, 0, 0, 0), strings.Replace(usage(`"m2"`, 1, 1, 0, 0, 0, 0), `"m",`, `"n",`, 1), strings.Replace(usage("null", 2, 0, 0, 0, 0, 0), `"m",`, `null,`, 1)}},
		{"caches", lines(say("a", "m1", `"input_tokens":1,"output_tokens":2,"cache_creation_input_tokens":30,"cache_creation":{"ephemeral_5m_input_tokens":10,"ephemeral_1h_input_tokens":20},"cache_read_input_tokens":4`)),
			[]string{usage(`"m1"`, 1, 2, 30, 10, 20, 4)}},
		{"an advisor and a compaction on the server", lines(say("a", "m1", `"input_tokens":1,"output_tokens":1,"iterations":[{"type":"message","input_tokens":1,"output_tokens":1},{"type":"compaction","input_tokens":9},{"type":"advisor_message","model":"big","input_tokens":7,"output_tokens":3}]`)),
			[]string{usage(`"m1"`, 1, 1, 0, 0, 0, 0), usage(`"m1 compaction"`, 9, 0, 0, 0, 0, 0), strings.Replace(usage(`"m1 advisor_message 2"`, 7, 3, 0, 0, 0, 0), `"m",`, `"big",`, 1)}},
		{"a sub-agent's, whose progress is told, too", lines(
			strings.Replace(say("a", "m1", `"input_tokens":1`), `"uuid"`, `"cwd":"/w","gitBranch":"main","attributionAgent":"Plan","attributionSkill":"k","uuid"`, 1),
			`{"type":"progress","uuid":"b","parentUuid":"a","data":{"type":"agent_progress","agentId":"g","message":{"type":"assistant","message":{"id":"m1","model":"m","usage":{"input_tokens":1,"output_tokens":4}}}}}`),
			[]string{strings.Replace(usage(`"m1"`, 1, 4, 0, 0, 0, 0), `"cwd":null`, `"cwd":"/w","gitBranch":"main","agentType":"Plan","skill":"k"`, 1)}},
		{"the totals of two runs", lines(
			`{"type":"session.start","id":"a","data":{"sessionId":"s","selectedModel":"m"}}`, `{"type":"assistant.message","id":"b","data":{"messageId":"m1","content":"x","outputTokens":3}}`,
			`{"type":"session.shutdown","id":"c","data":{"modelMetrics":{"m":{"usage":{"inputTokens":5,"outputTokens":4}}}}}`,
			`{"type":"session.shutdown","id":"d","data":{"modelMetrics":{"m":{"usage":{"inputTokens":5,"outputTokens":4}}}}}`),
			[]string{usage(`"m1"`, 0, 3, 0, 0, 0, 0), usage("null", 5, 1, 0, 0, 0, 0), usage("null", 5, 4, 0, 0, 0, 0)}},
		{"a total without a model", lines(say("a", "m1", `"input_tokens":5,"output_tokens":1`), say("b", "m2", `"input_tokens":6,"output_tokens":1`),
			`{"type":"result","subtype":"success","uuid":"c","result":"x","usage":{"input_tokens":12,"output_tokens":2}}`),
			[]string{usage(`"m1"`, 5, 1, 0, 0, 0, 0), usage(`"m2"`, 6, 1, 0, 0, 0, 0), strings.Replace(usage("null", 1, 0, 0, 0, 0, 0), `"model":"m"`, `"model":null`, 1)}},
		{"a request that a message tells after it", lines(
			`{"uuid":"b","parentUuid":"a","type":"system","subtype":"ui_telemetry","systemPayload":{"uiEvent":{"event.name":"qwen-code.api_response","model":"m","input_token_count":10,"output_token_count":2}}}`,
			`{"uuid":"a","parentUuid":null,"type":"assistant","message":{"role":"model","parts":[{"text":"x"}]},"model":"m","usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":2}}`),
			[]string{usage(`"a"`, 10, 2, 0, 0, 0, 0)}},
		{"a request that a message tells, too, and one that none does", lines(
			`{"uuid":"a","parentUuid":null,"type":"assistant","message":{"role":"model","parts":[{"text":"x"}]},"model":"m","usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":2}}`,
			`{"uuid":"b","parentUuid":"a","type":"system","subtype":"ui_telemetry","systemPayload":{"uiEvent":{"event.name":"qwen-code.api_response","model":"m","input_token_count":10,"output_token_count":2}}}`,
			`{"uuid":"c","parentUuid":"b","type":"system","subtype":"ui_telemetry","systemPayload":{"uiEvent":{"event.name":"qwen-code.api_response","model":"m","input_token_count":7,"output_token_count":1}}}`),
			[]string{usage(`"a"`, 10, 2, 0, 0, 0, 0), usage("null", 7, 1, 0, 0, 0, 0)}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rows, report := rowsOf(t, only(says.Usage), false, test.log)
			require.Equal(t, test.want, own(rows))
			require.Empty(t, report)
		})
	}
}

// TestLateUsage: what a message tells behind four others is counted as not read, if it is more than its row has.
func TestLateUsage(t *testing.T) {
	said := func(message, tokens string) string {
		return `{"type":"assistant","uuid":"` + message + tokens + `","message":{"id":"` + message + `","role":"assistant","usage":{"output_tokens":` + tokens + `},"content":[]}}`
	}
	for last, want := range map[string]string{"9": "not read: tokens of a message that has its row (1)", "1": "", "0": ""} {
		rows, report := rowsOf(t, only(says.Usage), false, lines(said("m1", "1"), said("m2", "2"), said("m3", "3"), said("m4", "4"), said("m5", "5"), said("m1", last)))
		require.Len(t, rows, 5)
		require.Equal(t, want, report)
	}
}

func TestBill(t *testing.T) {
	state := func(start, dollars string) string {
		return `{"type":"cost-state","sessionId":"s","startTime":` + start + `,"totalCostUSD":` + dollars + `,"totalLinesAdded":1,"totalLinesRemoved":2,"totalDuration":1500,"modelUsage":{"a":{"inputTokens":1,"outputTokens":2},"b":{"inputTokens":3,"cacheReadInputTokens":4}}}`
	}
	rows, _ := rowsOf(t, only(says.Bill), false, lines(user("a", `"x"`), state("1", "0.5"), state("1", "0.7"), state("2", "0.1")))
	bill := func(dollars string) string {
		return `"dollars":` + dollars + `,"input":4,"output":2,"cacheWrite":0,"cacheRead":4,"linesAdded":1,"linesRemoved":2,"seconds":1.5`
	}
	require.Equal(t, []string{bill("0.7"), bill("0.1")}, own(rows))

	// A capture has the figures at the end of each turn. They count from the start of the client, and so grow.
	result := func(session, dollars string) string {
		return `{"type":"result","subtype":"success","session_id":"` + session + `","result":"x","total_cost_usd":` + dollars + `,"duration_ms":5,"modelUsage":{"a":{"inputTokens":4,"outputTokens":2,"cacheReadInputTokens":4}}}`
	}
	rows, _ = rowsOf(t, only(says.Bill), true, lines(result("s", "0.5"), result("s", "0.7"), result("s", "0.1"), result("t", "0.2")))
	ofCapture := func(dollars string) string {
		return strings.Replace(bill(dollars), `"linesAdded":1,"linesRemoved":2,"seconds":1.5`, `"linesAdded":null,"linesRemoved":null,"seconds":null`, 1)
	}
	require.Equal(t, []string{ofCapture("0.7"), ofCapture("0.1"), ofCapture("0.2")}, own(rows))
}

// TestPieces: a text that comes in pieces is one row, in the place of its first piece.
func TestPieces(t *testing.T) {
	rows, _ := rowsOf(t, only(says.Prompt, says.Answer, says.Thinking, says.Call), false, lines(
		`{"type":"init","session_id":"s","model":"m","timestamp":"2026-01-01T00:00:00Z"}`,
		`{"type":"message","role":"user","content":"Go.","timestamp":"2026-01-01T00:00:01Z"}`,
		`{"type":"message","role":"assistant","content":"It \"","delta":true,"timestamp":"2026-01-01T00:00:02Z"}`,
		`{"type":"message","role":"assistant","content":"goes\".","delta":true,"timestamp":"2026-01-01T00:00:03Z"}`,
		`{"type":"tool_use","tool_name":"ls","tool_id":"c","parameters":{},"timestamp":"2026-01-01T00:00:04Z"}`,
		`{"type":"result","status":"success","stats":{"input_tokens":1}}`))
	require.Equal(t, []string{
		`{"is":"prompt","timestamp":"2026-01-01T00:00:01Z","session":"s","uuid":"#2","text":"Go.","images":0}`,
		`{"is":"answer","timestamp":"2026-01-01T00:00:02Z","session":"s","uuid":"#3","text":"It \"goes\".","model":"m"}`,
		`{"is":"call","timestamp":"2026-01-01T00:00:04Z","session":"s","uuid":"#5","id":"c","name":"ls","input":{},"cwd":null,"model":"m"}`,
	}, rows)
}

// TestPiecesOfPrompts: the pieces of a prompt of Grok have its number, which another prompt has once that is taken back.
func TestPiecesOfPrompts(t *testing.T) {
	update := func(kind, more string) string {
		return `{"params":{"sessionId":"s","update":{"sessionUpdate":"` + kind + `"` + more + `}}}`
	}
	prompt := func(text, index string) string {
		return update("user_message_chunk", `,"content":{"type":"text","text":"`+text+`"},"_meta":{"promptIndex":`+index+`}`)
	}
	rows, _ := rowsOf(t, only(says.Prompt), false, lines(prompt("o", "0"), prompt("ne", "0"), prompt("two", "1"),
		update("rewind_marker", `,"target_prompt_index":1`), prompt("an", "1"), update("usage_update", ""), prompt("ew", "1")))
	require.Equal(t, []string{`"text":"one","images":0`, `"text":"two","images":0`, `"text":"anew","images":0`}, own(rows))
}

// TestCopies: a fork of Codex begins with a copy of another log, which has rows if they are asked for.
func TestCopies(t *testing.T) {
	at := func(ms int, typ, payload string) string {
		return fmt.Sprintf(`{"timestamp":"2026-01-01T00:00:%02d.%03dZ","type":"%s","payload":%s}`, ms/1000, ms%1000, typ, payload)
	}
	count := func(ms, total int) string {
		return at(ms, "event_msg", fmt.Sprintf(`{"type":"token_count","info":{"last_token_usage":{"input_tokens":%d},"total_token_usage":{"total_tokens":%d}}}`, total, total))
	}
	more := func(ms, total int) string {
		return strings.Replace(count(ms, total), `"input_tokens":`, `"input_tokens":9`, 1)
	}
	log := lines(
		at(9000, "session_meta", `{"id":"fork","forked_from_id":"first"}`), at(9000, "session_meta", `{"id":"first"}`),
		at(9001, "event_msg", `{"type":"user_message","message":"copied"}`), count(9003, 7), more(9004, 7),
		at(9500, "event_msg", `{"type":"user_message","message":"own"}`), count(9600, 9))
	kinds := only(says.Prompt, says.Usage)
	rows, report := rowsOf(t, kinds, false, log)
	require.Empty(t, report, "what is not printed is not late")
	require.Equal(t, []string{`"text":"own","images":0`, `"message":"fork 9","model":null,"input":9,"output":0,"cacheWrite":0,"cacheWrite5m":0,"cacheWrite1h":0,"cacheRead":0,"cwd":null`}, own(rows))
	rows, _ = rowsOf(t, kinds, true, log)
	require.Len(t, rows, 4)
	require.Contains(t, rows[2], `"message":"first 7"`)
	require.Contains(t, rows[0], `"session":"first"`)
	require.Contains(t, rows[1], `"session":"fork"`)

	rows, _ = rowsOf(t, kinds, false, strings.Replace(log, "9.000Z", "8.990Z", 1))
	require.Len(t, rows, 2, "the other header comes a moment later")
}

// TestFolderBeside: what something beside the log tells is the folder of the session, until an entry tells one.
func TestFolderBeside(t *testing.T) {
	call := func(id, more string) string {
		return `{"type":"assistant","uuid":"` + id + `","sessionId":"s"` + more + `,"message":{"content":[{"type":"tool_use","id":"` + id + `","name":"Read","input":{"file_path":"x"}}]}}`
	}
	rows, _ := rowsOf(t, only(says.Call, says.File), false, lines(call("a", ""), call("b", `,"cwd":"/p/sub"`)), func(r *said.Rows) { r.Cwd = entry.Value(`"/p"`) })
	require.Len(t, rows, 4)
	require.Contains(t, rows[0], `"cwd":"/p"`)
	require.Contains(t, rows[1], `"cwd":"/p/sub"`)
	require.Contains(t, rows[2], `"cwd":"/p","action":"read","path":"x"`)
	require.Contains(t, rows[3], `"cwd":"/p","action":"read","path":"/p/sub/x"`)
}

// TestAnew has a log of Gemini CLI in which a call was cancelled: all before it is written again, with other ids.
func TestAnew(t *testing.T) {
	log := lines(
		`{"sessionId":"s","projectHash":"p","startTime":"2026-01-01T00:00:00.000Z","kind":"main"}`,
		`{"$set":{"messages":[{"id":"a","timestamp":"2026-01-01T00:00:00.000Z","type":"user","content":[{"text":"<session_context>x</session_context>"}]}]}}`,
		`{"id":"b","timestamp":"2026-01-01T00:00:01.000Z","type":"user","content":[{"text":"Go on."}]}`,
		`{"id":"c","timestamp":"2026-01-01T00:00:02.000Z","type":"gemini","content":"I read.","thoughts":[{"subject":"S","description":"D"}],"toolCalls":[{"id":"c1","name":"ls","args":{},"status":"success","result":[{"functionResponse":{"id":"c1","response":{"output":"x"}}}]}],"tokens":{"input":7,"output":1,"total":8}}`,
		`{"id":"d","timestamp":"2026-01-01T00:00:03.000Z","type":"user","content":[{"text":"Go on."}]}`,
		`{"id":"e","timestamp":"2026-01-01T00:00:04.000Z","type":"user","content":[{"text":"<session_context>x</session_context>"},{"text":"Go on."}]}`,
		`{"$set":{"lastUpdated":"2026-01-01T00:00:04.000Z"}}`,
		`{"id":"f","timestamp":"2026-01-01T00:00:04.001Z","type":"gemini","content":[{"text":"I read."},{"functionCall":{"id":"c1","name":"ls","args":{}}}]}`,
		`{"id":"g","timestamp":"2026-01-01T00:00:04.001Z","type":"user","content":[{"functionResponse":{"id":"c1","response":{"output":"x"}}}]}`,
		`{"id":"g","timestamp":"2026-01-01T00:00:04.001Z","type":"gemini","content":"I read.","thoughts":[{"subject":"S","description":"D"}],"toolCalls":[{"id":"c1","name":"ls","args":{},"status":"success","result":[{"functionResponse":{"id":"c1","response":{"output":"x"}}}]}],"tokens":{"input":7,"output":1,"total":8}}`,
		`{"id":"h","timestamp":"2026-01-01T00:00:09.000Z","type":"user","content":[{"text":"Go on."}]}`,
		`{"id":"i","timestamp":"2026-01-01T00:00:10.000Z","type":"gemini","content":"","tokens":{"input":7,"output":1,"total":8}}`)
	rows, _ := rowsOf(t, only(says.Prompt, says.Answer, says.Thinking, says.Call, says.Result, says.Usage), false, log)
	var told []string
	for _, row := range rows {
		kind, _, _ := strings.Cut(strings.TrimPrefix(row, `{"is":"`), `"`)
		_, uuid, _ := strings.Cut(row, `"uuid":"`)
		told = append(told, kind+" "+uuid[:1])
	}
	require.Equal(t, []string{"prompt b", "thinking c", "answer c", "call c", "result c", "prompt d", "prompt h", "usage c", "usage i"}, told)
}

// TestSessionsOfOneLog: two logs of Codex in one file, whose counts are the same, and two runs in one capture.
func TestSessionsOfOneLog(t *testing.T) {
	head := func(id string) string {
		return `{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"` + id + `"}}`
	}
	count := `{"timestamp":"2026-01-01T00:00:01Z","type":"event_msg","payload":{"type":"token_count","info":{"last_token_usage":{"input_tokens":5},"total_token_usage":{"total_tokens":5}}}}`
	usage := func(message, model string) string {
		return `"message":` + message + `,"model":` + model + `,"input":5,"output":0,"cacheWrite":0,"cacheWrite5m":0,"cacheWrite1h":0,"cacheRead":0,"cwd":null`
	}
	rows, _ := rowsOf(t, only(says.Usage), false, lines(head("s"), count, head("t"), count, head("t"), count))
	require.Equal(t, []string{usage(`"s 5"`, "null"), usage(`"t 5"`, "null")}, own(rows))
	rows, _ = rowsOf(t, only(says.Usage), false, lines(head("t"), head("s"), count))
	require.Equal(t, []string{usage(`"t 5"`, "null")}, own(rows))
	run := lines(`{"type":"init","session_id":"s","model":"m","timestamp":"2026-01-01T00:00:00Z"}`, `{"type":"result","status":"success","stats":{"total_tokens":5,"input_tokens":5},"timestamp":"2026-01-01T00:00:01Z"}`)
	rows, _ = rowsOf(t, only(says.Usage), false, run+strings.ReplaceAll(run, "2026-01-01", "2026-01-02"))
	require.Equal(t, []string{usage("null", `"m"`), usage("null", `"m"`)}, own(rows))
}

// TestUnread: what no rule reads is counted, and a known entry around it is read.
func TestUnread(t *testing.T) {
	rows, report := rowsOf(t, only(says.Answer, says.Unread), false, lines(
		assistant("a", "m1", `"input_tokens":1,"new_tokens":3`, `{"type":"hologram","data":1},{"type":"text","text":"x"},{"type":"hologram","text":"y"}`),
		`{"type":"novelty","uuid":"b","parentUuid":"a"}`))
	require.Equal(t, []string{`"text":"x","model":"m","message":"m1"`, `"text":"y","model":"m","message":"m1"`}, own(rows[:2]))
	require.Equal(t, []string{
		`{"is":"unread","session":null,"what":"block hologram","count":2}`,
		`{"is":"unread","session":null,"what":"entry novelty","count":1}`,
		`{"is":"unread","session":null,"what":"member of a usage new_tokens","count":1}`,
	}, rows[2:])
	require.Equal(t, "not read: block hologram (2), entry novelty (1), member of a usage new_tokens (1)", report)
}

// TestReportIsShort: a report names five kinds of what is not read, those first of which there are most, and says that there are more.
func TestReportIsShort(t *testing.T) {
	report := func(kinds string) string {
		var l []string
		for i, kind := range kinds {
			l = append(l, fmt.Sprintf(`{"type":"new %c","uuid":"%d","parentUuid":null}`, kind, i))
		}
		_, report := rowsOf(t, only(says.Answer), false, lines(l...))
		return report
	}
	require.Equal(t, "not read: entry new c (2), entry new a (1), entry new b (1), entry new d (1), entry new e (1)", report("abccde"))
	require.Equal(t, "not read: entry new c (2), entry new a (1), entry new b (1), entry new d (1), entry new e (1), …", report("abccdef"))
}

// TestUnreadInResult: a block of a result that has no words is named; data is its own JSON.
func TestUnreadInResult(t *testing.T) {
	rows, report := rowsOf(t, only(says.Result), false, lines(user("a", `[{"type":"tool_result","tool_use_id":"c","content":[{"type":"text","text":"x"},{"type":"audio","data":"AA==","mimeType":"audio/wav"},{"a":1},{"type":"tool_reference","tool_name":"y"},{"type":"image","source":{}},{"text":{"text":"z"}},{"title":"t","body":"b"}]}]`)))
	require.Equal(t, []string{`"call":"c","name":null,"failed":false,"seconds":null,"text":"x\n{\"a\":1}\ny\nz\n{\"title\":\"t\",\"body\":\"b\"}","images":1`}, own(rows))
	require.Equal(t, "not read: block audio (1)", report)
	for content, want := range map[string]string{
		`{"type":"code_execution_result","stdout":"2","stderr":"","return_code":0,"content":[]}`:                                                               "2",
		`{"type":"web_fetch_result","url":"u","content":{"type":"document","title":"Moons","source":{"type":"text","media_type":"text/plain","data":"Four"}}}`: `Moons\nFour`,
	} {
		rows, report := rowsOf(t, only(says.Result), false, lines(user("a", `[{"type":"tool_result","tool_use_id":"c","content":`+content+`}]`)))
		require.Contains(t, rows[0], `"text":"`+want+`"`)
		require.Empty(t, report)
	}
	for content, want := range map[string]string{
		`[{"type":"text","text":""}]`:                                       "",
		`[{"type":"text","text":" ","annotations":{"a":"b"}}]`:              "",
		`[{"type":"text","text":"","novelty":"words"}]`:                     "not read: block text (1)",
		`[{"type":"text","text":"x","novelty":"words"}]`:                    "",
		`{"type":"novelty","words":"x"}`:                                    "not read: block novelty (1)",
		`[{"type":"text","text":"","novelty":{}},{"type":"image","a":"b"}]`: "",
	} {
		_, report := rowsOf(t, only(says.Result), false, lines(user("a", `[{"type":"tool_result","tool_use_id":"c","content":`+content+`}]`)))
		require.Equal(t, want, report, content)
	}
}

// TestNothingBreaksARow: jq 1.6 stops at a lone surrogate.
func TestNothingBreaksARow(t *testing.T) {
	rows, report := rowsOf(t, said.Default, false, lines(user("a", `"x \ud83d y \ud83d\ude00 \\ud83d \uDE00 \ud83"`), user("b", `"fine \uD83D\uDE00"`), user("c", `{"type":"text","text":"x","n":01}`)))
	require.Equal(t, []string{`"text":"fine \uD83D\uDE00","images":0`}, own(rows[:1]))
	require.Equal(t, "not read: not valid JSON inside (1)", report)
	rows, _ = rowsOf(t, said.Default, false, lines(user("a", `"x \ud83d y \ud83d\ude00 \\ud83d \uDE00 \ud83d"`)))
	require.Equal(t, []string{`"text":"x \ufffd y \ud83d\ude00 \\ud83d \ufffd \ufffd","images":0`}, own(rows))
}

func TestKindsOf(t *testing.T) {
	k, err := said.KindsOf([]string{"prompt", "fired"})
	require.NoError(t, err)
	require.Equal(t, only(says.Prompt, says.Fired), k)
	_, err = said.KindsOf([]string{"prompt", "promt"})
	require.ErrorContains(t, err, `"promt" is not a kind of row: prompt, answer,`)
	_, err = said.KindsOf([]string{""})
	require.Error(t, err)
	k, err = said.KindsOf(nil)
	require.NoError(t, err)
	require.Equal(t, said.Default, k)
	require.False(t, said.Default.Has(says.Picture, says.Fired))
}

// FuzzRows: whatever a log holds, rows are JSON, and the rows of a kind are the same whether others are asked for or not.
func FuzzRows(f *testing.F) {
	f.Add(lines(user("a", `"x <b>"`), queue("enqueue", `,"content":"q"`), assistant("b", "m", `"input_tokens":1`, `{"type":"tool_use","id":"c","name":"Write","input":{"file_path":"a","content":"x\ny"}}`),
		user("c", `[{"type":"tool_result","tool_use_id":"c","content":"ok"}]`, `,"toolUseResult":{"structuredPatch":[{"oldStart":1,"lines":["+x"]}]}`)))
	f.Add(`{"timestamp":"2026-01-01T00:00:00Z","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{\"command\":[\"apply_patch\",\"*** Begin Patch\\n*** Add File: a\\n+x\\n*** End Patch\"]}","call_id":"c"}}` + "\n" +
		`{"timestamp":"2026-01-01T00:00:01Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c","output":"Exit code: 1\nOutput:\nno"}}`)
	f.Add(`{"$set":{"messages":[{"id":"g","type":"gemini","content":"x","toolCalls":[{"id":"c","name":"n","args":{},"result":[{"functionResponse":{"id":"c","response":{"output":"o"}}}]}]}]}}`)
	f.Add(`{"type":"message","role":"assistant","content":"a","delta":true,"timestamp":"t"}` + "\n" + `{"type":"tool_call","subtype":"started","call_id":"c","tool_call":{"xToolCall":{"args":{}}}}`)
	f.Add(`{"timestamp":"2026-01-01T00:00:01Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a"}]}}` + "\n" + `{"type":"compacted","payload":{"message":"a"}}`)
	f.Add(lines(assistant("a", "m", "", `{"type":"tool_use","id":"c","name":"Bash"}`), `{"type":"system","uuid":"b","subtype":"task_notification","tool_use_id":"c","summary":"x"}`,
		`{"type":"attachment","uuid":"d","attachment":{"type":"hook_blocking_error","hookName":"Stop","blockingError":{"blockingError":"no"}}}`, `{"type":"system","uuid":"e","subtype":"stop_hook_summary","hookErrors":["no"]}`))
	f.Fuzz(func(t *testing.T, log string) {
		rows, _ := rowsOf(t, all, true, log)
		for _, kind := range []says.Kind{says.Prompt, says.Answer, says.Result, says.File, says.Usage, says.Bill, says.Todo, says.Hook, says.Task} {
			var want []string
			for _, row := range rows {
				if strings.HasPrefix(row, `{"is":"`+kind.String()+`"`) {
					want = append(want, row)
				}
			}
			alone, _ := rowsOf(t, only(kind), true, log)
			require.Equal(t, want, alone)
		}
	})
}

// BenchmarkRows compares all rows of a log with those of tokens.
func BenchmarkRows(b *testing.B) {
	var log strings.Builder
	for i := range 2000 {
		id := fmt.Sprint(i)
		log.WriteString(lines(user("u"+id, `"`+strings.Repeat("Count the moons. ", 20)+`"`),
			assistant("a"+id, "m"+id, `"input_tokens":1,"output_tokens":2`, `{"type":"text","text":"`+strings.Repeat("Four.\\n", 50)+`"},{"type":"tool_use","id":"c`+id+`","name":"Bash","input":{"command":"ls"}}`),
			user("r"+id, `[{"type":"tool_result","tool_use_id":"c`+id+`","content":"`+strings.Repeat("Io\\n", 400)+`"}]`)))
	}
	text := log.String()
	for name, kinds := range map[string]said.Kinds{"all": said.Default, "usage": only(says.Usage)} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				r := said.New(kinds, false, func([]byte) {})
				in := dialect.NewReader(line.NewForward(strings.NewReader(text)), entry.Decoder{}, nil)
				for in.Next() {
					r.Entry(in.Entry(), in.Dialect())
				}
				r.End()
			}
		})
	}
}

// TestSummaryOfCodex: Codex logs the message in which the model sums up like an answer, just before the compaction that has its
// text.
func TestSummaryOfCodex(t *testing.T) {
	at := func(typ, payload string) string {
		return `{"timestamp":"2026-01-01T00:00:01Z","type":"` + typ + `","payload":` + payload + `}`
	}
	answer := func(text string) string {
		return at("response_item", `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"`+text+`"}]}`)
	}
	count := at("event_msg", `{"type":"token_count","info":{"last_token_usage":{"input_tokens":5},"total_token_usage":{"total_tokens":5}}}`)
	done := at("event_msg", `{"type":"task_complete"}`)
	compacted := at("compacted", `{"message":"Another model wrote:\nSo far."}`)
	head := at("session_meta", `{"id":"s"}`)
	said, summary := `{"is":"answer","text":`, `{"is":"summary","text":`
	tests := []struct {
		name string
		log  []string
		want []string
	}{
		{"next to it", []string{answer("So far."), compacted}, []string{summary + `"Another model wrote:\nSo far."`}},
		{"its tokens between", []string{answer("So far."), count, compacted}, []string{summary + `"Another model wrote:\nSo far."`}},
		{"another text", []string{answer("Yes."), compacted}, []string{said + `"Yes."`, summary + `"Another model wrote:\nSo far."`}},
		{"the turn ends before it", []string{answer("So far."), done, compacted}, []string{said + `"So far."`, summary + `"Another model wrote:\nSo far."`}},
		{"two answers", []string{answer("Yes."), answer("So far."), compacted, answer("Go on.")}, []string{said + `"Yes."`, summary + `"Another model wrote:\nSo far."`, said + `"Go on."`}},
		{"an answer is the end", []string{answer("Yes."), count}, []string{said + `"Yes."`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rows, _ := rowsOf(t, only(says.Answer, says.Summary), false, lines(append([]string{head}, test.log...)...))
			var got []string
			for _, row := range rows {
				var r struct {
					Is   string          `json:"is"`
					Text json.RawMessage `json:"text"`
				}
				require.NoError(t, json.Unmarshal([]byte(row), &r))
				got = append(got, `{"is":"`+r.Is+`","text":`+string(r.Text))
			}
			require.Equal(t, test.want, got)
		})
	}
}

// TestHeld: what waits for a later entry.
func TestHeld(t *testing.T) {
	item := codex("response_item", `{"type":"message","role":"user","content":[{"type":"input_text","text":"x"}]}`)
	tests := []struct {
		name, log string
		want      []string
	}{
		{"a log of Codex without events has its prompts in items", lines(codex("session_meta", `{"id":"s"}`), item, codex("response_item", `{"type":"ghost_snapshot"}`)), []string{`"text":"x","images":0`}},
		{"one with events has them there", lines(codex("session_meta", `{"id":"s"}`), item, codex("event_msg", `{"type":"user_message","message":"y"}`), item), []string{`"text":"y","images":0`}},
		{"a queued prompt that was said before it left the queue", lines(queue("enqueue", `,"content":"x"`), user("a", `"x"`), queue("remove", `,"content":"x"`)), []string{`"text":"x","images":0`}},
		{"the same prompt twice, one of them only in the queue", lines(user("a", `"x"`), queue("enqueue", `,"content":"x"`), queue("remove", `,"content":"x"`), assistant("b", "m", "", `{"type":"text","text":"y"}`)), []string{`"text":"x","images":0`, `"text":"x","images":0,"queued":true`}},
		{"the same words wait twice, and one is said", lines(queue("enqueue", `,"content":"x"`), queue("enqueue", `,"content":"x"`), queue("dequeue", ""), user("a", `"x"`), assistant("b", "m", "", `{"type":"text","text":"y"}`), queue("remove", "")), []string{`"text":"x","images":0,"queued":true`, `"text":"x","images":0,"queued":true`}},
		{"the same words wait twice, and one is said without a dequeue", lines(queue("enqueue", `,"content":"x"`), queue("enqueue", `,"content":"x"`), user("a", `"x"`), queue("remove", `,"content":"x"`)), []string{`"text":"x","images":0`, `"text":"x","images":0,"queued":true`}},
		{"a command that was said before it left the queue", lines(queue("enqueue", `,"content":"/x y"`), user("a", `"<command-message>x</command-message>\n<command-name>/x</command-name>\n<command-args>y</command-args>"`), queue("remove", `,"content":"/x y"`)), []string{`"text":"/x y","images":0`}},
		{"a picture waits before a text", lines(queue("enqueue", ""), queue("enqueue", `,"content":"y"`), queue("dequeue", ""), user("a", `"z"`), queue("remove", "")), []string{`"text":"z","images":0`, `"text":"y","images":0,"queued":true`}},
		{"dequeued, and not said before the log ends", lines(queue("enqueue", `,"content":"x"`), queue("enqueue", `,"content":"y"`), queue("dequeue", ""), queue("enqueue", `,"content":[]`), queue("remove", "")), []string{`"text":"x","images":0,"queued":true`, `"text":"y","images":0,"queued":true`}},
		{"waits when the log ends", lines(queue("enqueue", `,"content":"x"`), queue("enqueue", `,"content":"/mcp"`), queue("enqueue", `,"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]`), assistant("b", "m", "", `{"type":"text","text":"y"}`)),
			[]string{`"text":"x","images":0,"queued":true`, `"text":"a\nb","images":0,"queued":true`}},
		{"waited in blocks, and is said", lines(queue("enqueue", `,"content":[{"type":"text","text":"a"},{"type":"image","source":{}}]`), user("a", `[{"type":"text","text":"a"},{"type":"image","source":{}}]`)), []string{`"text":"a","images":1`}},
		{"taken back, and not sent again", lines(queue("enqueue", `,"content":"x"`), queue("popAll", ""), user("a", `"[Request interrupted by user]"`)), []string{`"text":"x","images":0,"queued":true`}},
		{"taken back, and sent again", lines(queue("enqueue", `,"content":"x"`), queue("enqueue", `,"content":"y"`), queue("popAll", ""), user("a", `"x\ny"`)), []string{`"text":"x\ny","images":0,"queued":true`}},
		{"taken back, changed, and it waits again", lines(queue("enqueue", `,"content":"x"`), queue("popAll", ""), queue("enqueue", `,"content":"x, please"`)), []string{`"text":"x, please","images":0,"queued":true`}},
		{"taken back while another is said", lines(queue("enqueue", `,"content":"x"`), queue("dequeue", ""), queue("enqueue", `,"content":"y"`), queue("popAll", ""), user("a", `"x"`)), []string{`"text":"x","images":0`, `"text":"y","images":0,"queued":true`}},
		{"blanks are no prompt", lines(user("a", `" \n\t"`), user("b", `[{"type":"text","text":""}]`)), nil},
		{"pieces of two prompts", lines(
			`{"params":{"update":{"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"a"},"_meta":{"promptIndex":0}}}}`,
			`{"params":{"update":{"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"b"},"_meta":{"promptIndex":1}}}}`),
			[]string{`"text":"a","images":0`, `"text":"b","images":0`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rows, _ := rowsOf(t, only(says.Prompt), false, test.log)
			require.Equal(t, test.want, own(rows))
		})
	}
}

// TestThoughts: thoughts that Codex tells in an event and in an item are told once, also those of a turn that was aborted.
func TestThoughts(t *testing.T) {
	event := func(text string) string { return codex("event_msg", `{"type":"agent_reasoning","text":"`+text+`"}`) }
	rows, _ := rowsOf(t, only(says.Thinking), false, lines(codex("session_meta", `{"id":"s"}`), event("a"), event(`b \u00e9`),
		codex("response_item", `{"type":"reasoning","summary":[{"type":"summary_text","text":"a"},{"type":"summary_text","text":"b \u00e9"}]}`), event("a"), event("c"),
		codex("event_msg", `{"type":"token_count","info":{"last_token_usage":{"input_tokens":1}}}`), event("d"), codex("event_msg", `{"type":"turn_aborted","reason":"interrupted"}`), event("e")))
	require.Equal(t, []string{`"text":"a\nb \u00e9","model":null`, `"text":"c","model":null`, `"text":"d","model":null`, `"text":"e","model":null`}, own(rows))
}

// TestCopyOfDeepSeek: a fork of DeepSeek says where its copy ends.
func TestCopyOfDeepSeek(t *testing.T) {
	log := lines(`{"type":"session","version":0,"id":"s","createdAt":1767225600000,"parentSession":"t","seedLength":2}`,
		`{"type":"user/message","seq":0,"time":1767225600000,"data":{"content":"copied"}}`,
		`{"type":"session/end-seed","seq":1,"time":1767225600000,"data":{}}`,
		`{"type":"user/message","seq":2,"time":1767225600000,"data":{"content":"own"}}`)
	rows, _ := rowsOf(t, only(says.Prompt), false, log)
	require.Equal(t, []string{`"text":"own","images":0`}, own(rows))
	rows, _ = rowsOf(t, only(says.Prompt), true, log)
	require.Len(t, rows, 2)
}

// TestTimes: rows have the time of the entry, or of the message, as text in UTC.
func TestTimes(t *testing.T) {
	for at, want := range map[string]string{
		`1767225600`: `"2026-01-01T00:00:00.000Z"`, `1767225600500`: `"2026-01-01T00:00:00.500Z"`, `"2026-01-01T00:00:00Z"`: `"2026-01-01T00:00:00Z"`,
		`"yesterday"`: `"yesterday"`, `-1`: "null", `9e99`: "null", `true`: "null",
	} {
		rows, _ := rowsOf(t, only(says.Prompt), false, lines(`{"role":"user","content":"x","ts":`+at+`}`))
		require.Len(t, rows, 1)
		require.Contains(t, rows[0], `"timestamp":`+want+`,`, at)
	}
}

// TestPictures: where pictures are, in the words of several programs.
func TestPictures(t *testing.T) {
	rows, _ := rowsOf(t, only(says.Picture), false, lines(
		`{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,AA=="}},{"type":"input_image","image_url":"https://x/y.png"}]}`,
		`{"role":"user","content":[{"type":"image","source":{"media_type":"image/png","path":"x.png"}},{"inlineData":{"mimeType":"image/png","data":"AA=="}},{"type":"localImage","path":"/x.png"}]}`,
		`{"role":"assistant","content":[{"type":"image","data":"AA==","mimeType":"image/png"}]}`))
	require.Equal(t, []string{
		`"media":"image/png","data":"AA=="`, `"media":null,"url":"https://x/y.png"`, `"media":"image/png","url":"x.png"`, `"media":"image/png","data":"AA=="`,
		`"media":null,"url":"/x.png"`, `"media":"image/png","data":"AA=="`,
	}, own(rows))
}

// BenchmarkMemory reports what is kept of each of many entries, with all kinds of rows.
func BenchmarkMemory(b *testing.B) {
	const entries = 300_000
	logs := map[string]func(i int) string{
		"prompts": func(i int) string { return user(fmt.Sprintf("%032x", i), fmt.Sprintf(`"prompt %d"`, i)) },
		"messages": func(i int) string {
			return assistant(fmt.Sprintf("%032x", i), fmt.Sprintf("msg_%024x", i/3), `"input_tokens":1,"output_tokens":2`, `{"type":"text","text":"`+strings.Repeat("x", 200)+`"}`)
		},
		"calls": func(i int) string {
			if i%2 == 1 {
				return user(fmt.Sprintf("%032x", i), fmt.Sprintf(`[{"type":"tool_result","tool_use_id":"c%d","content":"ok"}]`, i-1))
			}
			return assistant(fmt.Sprintf("%032x", i), fmt.Sprintf("msg_%024x", i), `"input_tokens":1`, fmt.Sprintf(`{"type":"tool_use","id":"c%d","name":"Write","input":{"file_path":"/p/%d","content":"%s"}}`, i, i, strings.Repeat(`x\n`, 500)))
		},
		"lost calls": func(i int) string {
			return assistant(fmt.Sprintf("%032x", i), "m", "", fmt.Sprintf(`{"type":"tool_use","id":"c%d","name":"Bash","input":{}}`, i))
		},
		"queued": func(i int) string {
			if i%2 == 1 {
				return user(fmt.Sprintf("%032x", i), fmt.Sprintf(`"prompt %d"`, i-1))
			}
			return queue("enqueue", fmt.Sprintf(`,"content":"prompt %d"`, i))
		},
		"deltas": func(i int) string {
			return fmt.Sprintf(`{"type":"message","role":"assistant","content":"a word","delta":true,"timestamp":"2026-01-01T00:00:%02dZ"}`, i%60)
		},
		"streamed": func(i int) string {
			return fmt.Sprintf(`{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a word"}},"session_id":"s","uuid":"%032x"}`, i)
		},
	}
	for name, log := range logs {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				r := said.New(all, false, func([]byte) {})
				var before, after runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&before)
				var e entry.Entry
				d := dialect.Claude
				if name == "deltas" {
					d = dialect.Unknown
				}
				for i := range entries {
					if text := strings.TrimSpace(log(i)); e.Scan([]byte(text)) {
						r.Entry(&e, d)
					}
				}
				runtime.GC()
				runtime.ReadMemStats(&after)
				b.ReportMetric(float64(int64(after.HeapAlloc)-int64(before.HeapAlloc))/entries, "B/entry")
				runtime.KeepAlive(r)
			}
		})
	}
}

// TestSought: what waits is looked for by a word that is not everywhere, the one with the rarest first letter; a text without one, or
// texts that the user took back, may be said by any entry.
func TestSought(t *testing.T) {
	sought := func(lines ...string) (words []string, ok bool) {
		r := said.New(all, false, func([]byte) {})
		in := dialect.NewReader(line.NewForward(strings.NewReader(strings.Join(lines, "\n"))), entry.Decoder{}, nil)
		for in.Next() {
			r.Entry(in.Entry(), in.Dialect())
		}
		found, ok := r.Sought([]byte(`"cwd":"/home/ada/Quay"`))
		for _, word := range found {
			words = append(words, string(word))
		}
		return words, ok
	}
	for name, test := range map[string]struct {
		lines []string
		words []string
		ok    bool
	}{
		"nothing waits":        {[]string{user("1", `"Begin."`)}, nil, true},
		"said":                 {[]string{queue("enqueue", `,"content":"Paint it."`), user("1", `"Paint it."`)}, nil, true},
		"rare first letter":    {[]string{queue("enqueue", `,"content":"Paint Jupiter."`)}, []string{"Jupiter"}, true},
		"not everywhere":       {[]string{queue("enqueue", `,"content":"Paint Quay."`)}, []string{"Paint"}, true},
		"behind an escape":     {[]string{queue("enqueue", `,"content":"a\nZebra"`)}, []string{"Zebra"}, true},
		"long words":           {[]string{queue("enqueue", `,"content":"Z 0123456789abcdefghijkl"`)}, []string{"9abcdefghijkl"}, true},
		"without a tag":        {[]string{queue("enqueue", `,"content":"<system-reminder>Zebra</system-reminder>Paint."`)}, []string{"Paint"}, true},
		"of a notification":    {[]string{queue("enqueue", `,"content":"<task-notification><task-id>Zq7</task-id></task-notification>"`)}, []string{"fication"}, true},
		"each text, each once": {[]string{queue("enqueue", `,"content":"Jupiter"`), queue("enqueue", `,"content":"Zebra"`), queue("enqueue", `,"content":"Zebra!"`)}, []string{"Jupiter", "Zebra"}, true},
		"the first of two":     {[]string{queue("enqueue", `,"content":"Jab Jam"`)}, []string{"Jab"}, true},
		"a letter":             {[]string{queue("enqueue", `,"content":"y"`)}, nil, false},
		"no letters":           {[]string{queue("enqueue", `,"content":"好的"`)}, nil, false},
		"all are everywhere":   {[]string{queue("enqueue", `,"content":"home"`)}, nil, false},
		"taken back":           {[]string{queue("enqueue", `,"content":"Jupiter"`), queue("popAll", "")}, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			words, ok := sought(test.lines...)
			require.Equal(t, test.words, words)
			require.Equal(t, test.ok, ok)
		})
	}
}

// TestLogBehindSilentOne: a log behind that of a sub-agent which says nothing is not a copy at its beginning, though it is older: what
// a client copies, it writes at once.
func TestLogBehindSilentOne(t *testing.T) {
	at := func(second int, typ, payload string) string {
		return fmt.Sprintf(`{"timestamp":"2026-06-01T10:00:%02d.000Z","type":"%s","payload":%s}`, second, typ, payload)
	}
	header := at(30, "session_meta", `{"id":"aaaaaaaaaa","parent_thread_id":"bbbbbbbbbb","source":{"subagent":{"other":"guardian"}}}`)
	settings := at(31, "event_msg", `{"type":"thread_settings_applied"}`)
	other := []string{at(0, "session_meta", `{"id":"bbbbbbbbbb","cwd":"/w"}`), at(1, "event_msg", `{"type":"user_message","message":"Sort."}`)}
	prompts := only(says.Prompt)
	alone, _ := rowsOf(t, prompts, false, lines(other...))
	require.Len(t, alone, 1)
	behind, _ := rowsOf(t, prompts, false, lines(append([]string{header, settings}, other...)...))
	require.Equal(t, own(alone), own(behind))
	copied, _ := rowsOf(t, prompts, false, lines(append([]string{header}, other...)...))
	require.Empty(t, copied)
}

// TestFiredOnce: a hook that a report of progress tells and the end of the turn tells again has one row, for each call of it.
func TestFiredOnce(t *testing.T) {
	progress := func(call, command string) string {
		return `{"type":"progress","uuid":"p` + call + command + `","parentUuid":null,"timestamp":"2026-01-01T00:00:01Z","toolUseID":"` + call + `","data":{"type":"hook_progress","hookName":"Stop","command":"` + command + `"}}`
	}
	end := func(call string, commands ...string) string {
		var infos []string
		for _, command := range commands {
			infos = append(infos, `{"command":"`+command+`"}`)
		}
		return `{"type":"system","subtype":"stop_hook_summary","uuid":"s` + call + `","parentUuid":null,"timestamp":"2026-01-01T00:00:02Z","toolUseID":"` + call + `","hookInfos":[` + strings.Join(infos, ",") + `],"hookErrors":[]}`
	}
	rows, _ := rowsOf(t, only(says.Fired), false, lines(progress("hook-call-1", "lint"), end("hook-call-1", "lint", "tidy"), progress("hook-call-2", "lint"), end("hook-call-2", "lint")))
	require.Equal(t, []string{`"name":"Stop","text":"lint"`, `"name":"Stop","text":"tidy"`, `"name":"Stop","text":"lint"`}, own(rows))
}

// TestHooksOfCallsAtOnce: a hook that says the same of two calls in one millisecond has two rows, each with a key of its own, and so has one
// that says nothing; a copy has the same keys.
func TestHooksOfCallsAtOnce(t *testing.T) {
	hook := func(uuid, typ, call string) string {
		return `{"type":"attachment","uuid":"` + uuid + `","parentUuid":null,"timestamp":"2026-01-01T00:00:02Z","attachment":{"type":"` + typ + `","hookName":"PostToolUse:Bash","command":"lint","toolUseID":"` + call + `","blockingError":{"blockingError":"no"}}}`
	}
	keys := func(log string) (all []string) {
		r := said.New(only(says.Hook, says.Fired), false, func(row []byte) {
			_, key := withoutKey(string(row))
			all = append(all, key)
		})
		in := dialect.NewReader(line.NewForward(strings.NewReader(log)), entry.Decoder{}, nil)
		for in.Next() {
			r.Entry(in.Entry(), in.Dialect())
		}
		return all
	}
	log := lines(hook("a1", "hook_blocking_error", "toolu_0001"), hook("a2", "hook_blocking_error", "toolu_0002"), strings.ReplaceAll(hook("a3", "hook_success", "toolu_0001"), `"no"`, `""`), strings.ReplaceAll(hook("a4", "hook_success", "toolu_0002"), `"no"`, `""`))
	got := keys(log)
	require.Len(t, got, 4)
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(got))), 4)
	require.Equal(t, got, keys(strings.ReplaceAll(log, `"uuid":"a`, `"uuid":"b`)))
}

// TestKeysOfEntries: the keys of what an entry says are those of its rows, and a copy with other ids and another session has them, too; what
// tells no time has none.
func TestKeysOfEntries(t *testing.T) {
	log := lines(user("u1", `"Count."`), assistant("a1", "msg_1", `"input_tokens":1,"output_tokens":1`, `{"type":"text","text":"Four."},{"type":"tool_use","id":"toolu_0001","name":"Bash","input":{}}`),
		user("u2", `[{"type":"tool_result","tool_use_id":"toolu_0001","content":"ok"}]`), queue("enqueue", `,"content":"Never said."`))
	keysOf := func(log string) (all [][]string) {
		k := said.NewKeys()
		in := dialect.NewReader(line.NewForward(strings.NewReader(log)), entry.Decoder{}, nil)
		for in.Next() {
			all = append(all, append([]string{}, k.Of(in.Entry(), in.Dialect())...))
		}
		return all
	}
	var want []string
	r := said.New(only(says.Prompt, says.Answer, says.Call, says.Result), false, func(row []byte) {
		_, key := withoutKey(string(row))
		want = append(want, key)
	})
	in := dialect.NewReader(line.NewForward(strings.NewReader(log)), entry.Decoder{}, nil)
	for in.Next() {
		r.Entry(in.Entry(), in.Dialect())
	}
	got := keysOf(log)
	require.Len(t, got, 4)
	require.Len(t, got[1], 2)
	require.Equal(t, want, append(append(append([]string{}, got[0]...), got[1]...), got[2]...))
	require.Empty(t, got[3])
	require.Equal(t, got, keysOf(strings.NewReplacer(`"u1"`, `"v1"`, `"a1"`, `"b1"`, `"u2"`, `"v2"`, `"type":"user"`, `"type":"user","sessionId":"t"`).Replace(log)))
	require.Equal(t, [][]string{{}}, keysOf(`{"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":"Count."}}`+"\n"))
}
