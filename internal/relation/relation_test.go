package relation

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
	"jl/internal/shape"
)

// scan returns the entry that text is.
func scan(t testing.TB, text string) *entry.Entry {
	t.Helper()
	e := new(entry.Entry)
	require.True(t, e.Scan([]byte(text)), "%.200s", text)
	return e
}

func TestNotices(t *testing.T) {
	const notice = `<task-notification>\n<task-id> b1 </task-id>\n<output-file>/t/b1.output</output-file>\n<status>completed</status>\n</task-notification>`
	b1 := Notice{quoted("b1"), quoted("completed"), quoted("/t/b1.output")}
	tests := []struct {
		name, entry string
		want        []Notice
	}{
		{"queued", `{"type":"queue-operation","content":"\n ` + notice + ` and a prompt"}`, []Notice{b1}},
		{"queued prompt", `{"type":"queue-operation","content":"about ` + notice + `"}`, nil},
		{"queued without text", `{"type":"queue-operation"}`, nil},
		{"no id", `{"type":"queue-operation","content":"<task-notification><status>completed</status>"}`, nil},
		{"tag that does not end", `{"type":"queue-operation","content":"<task-notification><task-id>b2</task-id><status>comp"}`, []Notice{{ID: quoted("b2")}}},
		{"event", `{"type":"queue-operation","content":"<task-notification>\n<task-id>b2</task-id>\n<summary>s</summary>\n<event>a line</event>\n</task-notification>"}`, nil},
		{"last event", `{"type":"queue-operation","content":"<task-notification><task-id>b2</task-id><status>completed</status><event>a line</event></task-notification>"}`, []Notice{{ID: quoted("b2"), Status: quoted("completed")}}},
		{"prompt", `{"type":"user","message":{"content":"` + notice + `"}}`, []Notice{b1}},
		{"blocks", `{"type":"user","message":{"content":[{"type":"text","text":"` + notice + `"},{"type":"text","text":"x"},{"type":"text","text":"` + notice + `"}]}}`, []Notice{b1, b1}},
		{"other prompt", `{"type":"user","message":{"content":"x"}}`, nil},
		{"answer", `{"type":"assistant","message":{"content":"` + notice + `"}}`, nil},
		{"stream", `{"type":"system","subtype":"task_notification","task_id":"b3","status":"killed"}`, []Notice{{ID: quoted("b3"), Status: quoted("killed")}}},
		{"stream without id", `{"type":"system","subtype":"task_notification","task_id":""}`, nil},
		{"other system entry", `{"type":"system","subtype":"init","task_id":"b3"}`, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			all := slices.Collect(Notices(scan(t, test.entry)))
			require.Equal(t, test.want, all)
			for n := range Notices(scan(t, test.entry)) {
				require.Equal(t, test.want[0], n)
				break
			}
		})
	}
}

func TestStartedTask(t *testing.T) {
	const started = `{"type":"system","subtype":"task_started","is_backgrounded":true,`
	tests := []struct {
		entry string
		want  Task
		call  string
	}{
		{started + `"task_id":"b","tool_use_id":"t","task_type":"local_bash","output_file":"/o"}`, Task{quoted("b"), "bash", quoted("/o")}, `"t"`},
		{started + `"task_id":"b","task_type":"local_agent"}`, Task{ID: quoted("b"), Of: "agent"}, ""},
		{started + `"task_id":"b","task_type":"remote_agent"}`, Task{ID: quoted("b"), Of: "remote"}, ""},
		{started + `"task_id":"b","task_type":"unheard_of"}`, Task{ID: quoted("b")}, ""},
		{started + `"tool_use_id":"t"}`, Task{}, `"t"`},
		{`{"type":"system","subtype":"task_started","is_backgrounded":false,"task_id":"b"}`, Task{}, ""},
		{`{"type":"system","subtype":"init","is_backgrounded":true,"task_id":"b"}`, Task{}, ""},
		{`{"type":"user","subtype":"task_started","is_backgrounded":true,"task_id":"b"}`, Task{}, ""},
	}
	for _, test := range tests {
		task, call := StartedTask(scan(t, test.entry))
		require.Equal(t, test.want, task, test.entry)
		require.Equal(t, test.call, string(call), test.entry)
	}
}

func TestStoppedTask(t *testing.T) {
	tests := []struct{ block, want string }{
		{`{"name":"KillShell","input":{"shell_id":"b"}}`, `"b"`},
		{`{"name":"KillBash","input":{"shell_id":"","bash_id":"b"}}`, `"b"`},
		{`{"name":"TaskStop","input":{"task_id":"b","bash_id":"c"}}`, `"b"`},
		{`{"name":"TaskStop","input":{}}`, ""},
		{`{"name":"TaskOutput","input":{"task_id":"b"}}`, ""},
	}
	for _, test := range tests {
		for b := range shape.Blocks(entry.Value("[" + test.block + "]")) {
			require.Equal(t, test.want, string(StoppedTask(&b)), test.block)
		}
	}
}

func TestOutcomes(t *testing.T) {
	user := func(reported string, results ...string) string {
		for i, r := range results {
			results[i] = `{"type":"tool_result",` + r + `}`
		}
		return `{"type":"user",` + reported + `"message":{"content":[` + strings.Join(results, ",") + `]}}`
	}
	tests := []struct {
		name, entry string
		want        []Outcome
	}{
		{"prompt", `{"type":"user","message":{"content":"x"}}`, nil},
		{"bare", user(``, `"tool_use_id":"t"`), []Outcome{{Call: quoted("t")}}},
		{"failed", user(``, `"tool_use_id":7,"is_error":true`), []Outcome{{Call: entry.Value("7"), Failed: true}}},
		{"agent", user(`"toolUseResult":{"agentId":"a","status":"completed"},`, `"tool_use_id":"t","content":[{"type":"text","text":"agentId: b"},{"type":"text","text":"agentId: c (to resume)"}]`),
			[]Outcome{{Call: quoted("t"), Agent: quoted("a"), QuotedAgent: quoted("c"), Status: quoted("completed")}}},
		{"no result", `{"type":"user","toolUseResult":{"agentId":"a"},"message":{}}`, []Outcome{{Agent: quoted("a")}}},
		{"reported as text", `{"type":"user","toolUseResult":"agentId","message":{}}`, nil},
		{"on a stream", user(`"tool_use_result":{"agentId":"a","isAsync":true,"outputFile":"/o"},`, `"tool_use_id":"t"`),
			[]Outcome{{Call: quoted("t"), Agent: quoted("a"), Began: Task{quoted("a"), "agent", quoted("/o")}}}},
		{"both spellings", user(`"tool_use_result":{"agentId":"a"},"toolUseResult":{"agentId":"b"},`, `"tool_use_id":"t"`),
			[]Outcome{{Call: quoted("t"), Agent: quoted("b")}}},
		{"spelt with an escape", user(`"\u0074oolUseResult":{"agentId":"b"},`, `"tool_use_id":"t"`), []Outcome{{Call: quoted("t"), Agent: quoted("b")}}},
		{"launched", user(`"toolUseResult":{"agentId":"a","status":"async_launched"},`, `"tool_use_id":"t"`),
			[]Outcome{{Call: quoted("t"), Agent: quoted("a"), Began: Task{ID: quoted("a"), Of: "agent"}}}},
		{"workflow", user(`"toolUseResult":{"status":"async_launched","taskId":"w1","taskType":"local_workflow","runId":"wf_1"},`, `"tool_use_id":"t"`),
			[]Outcome{{Call: quoted("t"), Began: Task{ID: quoted("w1"), Of: "workflow"}, Run: quoted("wf_1")}}},
		{"remote", user(`"toolUseResult":{"taskId":"r","status":"remote_launched"},`, `"tool_use_id":"t"`),
			[]Outcome{{Call: quoted("t"), Began: Task{ID: quoted("r"), Of: "remote"}}}},
		{"monitor", user(`"toolUseResult":{"taskId":"m","timeoutMs":5000,"persistent":false},`, `"tool_use_id":"t","content":"Monitor started (task m, expires in 5s)."`),
			[]Outcome{{Call: quoted("t"), Began: Task{ID: quoted("m"), Of: "monitor"}}}},
		{"list of tasks", user(`"toolUseResult":{"taskId":"m","success":true},`, `"tool_use_id":"t"`), []Outcome{{Call: quoted("t")}}},
		{"command", user(`"toolUseResult":{"backgroundTaskId":"b"},`, `"tool_use_id":"t","content":"Command running in background with ID: b. Output is being written to: /t/b.output"`),
			[]Outcome{{Call: quoted("t"), Began: Task{quoted("b"), "bash", quoted("/t/b.output")}}}},
		{"command of a newer release", user(`"toolUseResult":{"backgroundTaskId":"b"},`, `"tool_use_id":"t","content":"Command running in background with ID: b. Output is being written to: /t u/b.output. You will be notified when it completes."`),
			[]Outcome{{Call: quoted("t"), Began: Task{quoted("b"), "bash", quoted("/t u/b.output")}}}},
		{"command with lines after the output", user(`"toolUseResult":{"backgroundTaskId":"b"},`, `"tool_use_id":"t","content":"Command running in background with ID: b. Output is being written to: /t/b.output\nmore.output"`),
			[]Outcome{{Call: quoted("t"), Began: Task{quoted("b"), "bash", quoted("/t/b.output")}}}},
		{"command with an output elsewhere", user(`"toolUseResult":{"backgroundTaskId":"b"},`, `"tool_use_id":"t","content":"Command running in background with ID: b. Output is being written to: /t/b.txt. More."`),
			[]Outcome{{Call: quoted("t"), Began: Task{quoted("b"), "bash", quoted("/t/b.txt")}}}},
		{"command whose output is reported", user(`"toolUseResult":{"backgroundTaskId":"b","outputFile":"/o"},`, `"tool_use_id":"t","content":"Command running in background with ID: b. Output is being written to: /t/b.output"`),
			[]Outcome{{Call: quoted("t"), Began: Task{quoted("b"), "bash", quoted("/o")}}}},
		{"command in text only", user(``, `"tool_use_id":"t","content":"Command running in background with ID: b"`),
			[]Outcome{{Call: quoted("t"), Began: Task{ID: quoted("b"), Of: "bash"}}}},
		{"ended", user(`"toolUseResult":{"shellId":"b","status":"killed"},`, `"tool_use_id":"t"`), []Outcome{{Call: quoted("t"), Ended: quoted("b"), Status: quoted("killed")}}},
		{"ended inside", user(`"toolUseResult":{"task":{"task_id":"b","status":"failed"}},`, `"tool_use_id":"t"`), []Outcome{{Call: quoted("t"), Ended: quoted("b"), Status: quoted("failed")}}},
		{"still running", user(`"toolUseResult":{"shellId":"b","status":"running"},`, `"tool_use_id":"t"`), []Outcome{{Call: quoted("t")}}},
		{"saved", user(`"toolUseResult":{"persistedOutputPath":"/p","rawOutputPath":"/r"},`,
			`"tool_use_id":"t","content":"<persisted-output>\nOutput too large. Full output saved to: /x\n\nPreview"`, `"tool_use_id":"u","content":"<persisted-output>\nsaved to: /y"`),
			[]Outcome{{Call: quoted("t"), Saved: []entry.Value{quoted("/p"), quoted("/r"), quoted("/x")}}, {Call: quoted("u"), Saved: []entry.Value{quoted("/p"), quoted("/r"), quoted("/y")}}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e := scan(t, test.entry)
			all := slices.Collect(Outcomes(e))
			require.Equal(t, test.want, all)
			for o := range Outcomes(e) {
				require.Equal(t, test.want[0], o)
				break
			}
			for i, o := range all {
				all[i] = o.Clone()
				test.want[i].Saved = nil
			}
			clear(e.Bytes)
			require.Equal(t, test.want, all)
		})
	}
}

// TestOutcomesLinear doubles the number of results and the size of what the entry
// reports. Code that looks through the report for each result would run into the time limit of go test.
func TestOutcomesLinear(t *testing.T) {
	for n := 1000; n <= 128_000; n *= 2 {
		text := `{"type":"user","toolUseResult":{"agentId":"a","filler":[` + strings.Repeat(`"0123456789abcdef0123456789abcdef",`, n) + `0]},"message":{"content":[` +
			strings.Repeat(`{"type":"tool_result","tool_use_id":"t"},`, n) + `{"type":"tool_result"}]}}`
		count := 0
		for o := range Outcomes(scan(t, text)) {
			require.True(t, o.Agent.Is("a"))
			count++
		}
		require.Equal(t, n+1, count)
	}
}

func TestFork(t *testing.T) {
	tests := []struct{ entry, session, message string }{
		{`{}`, "", ""},
		{`{"data":{"forkedFrom":{"sessionId":"s"}}}`, "", ""},
		{`{"forkedFrom":{"sessionId":"s","messageUuid":"m"}}`, `"s"`, `"m"`},
		{`{"forkedFrom":{"sessionId":"","messageUuid":7}}`, "", ""},
	}
	for _, test := range tests {
		session, message := Fork(scan(t, test.entry))
		require.Equal(t, test.session, string(session), test.entry)
		require.Equal(t, test.message, string(message), test.entry)
	}
}

func TestControl(t *testing.T) {
	tests := []struct {
		entry string
		want  Control
	}{
		{`{"type":"control_request","request_id":"r","request":{"subtype":"initialize"}}`, Control{quoted("r"), quoted("initialize"), false}},
		{`{"type":"control_response","response":{"request_id":"r","subtype":"success"}}`, Control{quoted("r"), quoted("success"), true}},
		{`{"type":"control_cancel_request","request_id":"r"}`, Control{quoted("r"), quoted("cancelled"), true}},
		{`{"type":"user"}`, Control{}},
	}
	for _, test := range tests {
		require.Equal(t, test.want, ControlOf(scan(t, test.entry)), test.entry)
	}
}
