package test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/env"
)

// jqs are the programs that the library promises one output on. .ci/run installs them.
var jqs = []string{"jq", "jq-1.7", "jq-1.8", "gojq"}

// A jqRun is what a program of the library did.
type jqRun struct {
	out, message string
	status       int
}

// runJq runs a program after a file of the library. Each line of the output that is JSON has its members in
// the order of their names, as gojq writes them.
func runJq(t testing.TB, jq, file, flags, program string, input []byte) jqRun {
	t.Helper()
	return runJqIn(t, "UTC", jq, file, flags, program, input)
}

// runJqIn is runJq in a time zone, a value of TZ.
func runJqIn(t testing.TB, zone, jq, file, flags, program string, input []byte) jqRun {
	t.Helper()
	library, err := os.ReadFile("../share/jl/" + file)
	require.NoError(t, err)
	name := filepath.Join(t.TempDir(), "program.jq")
	require.NoError(t, os.WriteFile(name, append(library, program...), 0o600))
	cmd := exec.Command(jq, append(strings.Fields(flags), "-f", name)...)
	cmd.Stdin = bytes.NewReader(input)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "TZ="+zone)
	var message bytes.Buffer
	cmd.Stderr = &message
	out, err := cmd.Output()
	run := jqRun{message: message.String()}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		run.status = exit.ExitCode()
	} else {
		require.NoError(t, err)
	}
	for line := range strings.Lines(strings.TrimRight(string(out), "\n")) {
		var value any
		if line = strings.TrimSuffix(line, "\n"); json.Unmarshal([]byte(line), &value) == nil {
			sorted, err := json.Marshal(value)
			require.NoError(t, err)
			line = string(sorted)
		}
		run.out += line + "\n"
	}
	return run
}

// rowsOf returns the rows of what was said in logs: jlpath prints those of all that fits one of the patterns.
func rowsOf(t *testing.T, patterns ...string) []byte {
	t.Helper()
	args := []string{"-a", "--said"}
	for _, pattern := range patterns {
		logs, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, logs, pattern)
		args = append(args, logs...)
	}
	rows, err := exec.Command(filepath.Join(built(t), "jlpath"), args...).Output()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) { // a log may hold what no rule reads
		require.NoError(t, err)
	}
	require.NotEmpty(t, rows)
	return rows
}

// eachJq runs test for each jq that is installed, at the same time, and names the others. With -short it runs only the
// one that is called jq.
func eachJq(t *testing.T, test func(t *testing.T, jq string)) {
	for _, jq := range jqs {
		t.Run(jq, func(t *testing.T) {
			env.Needs(t, jq)
			if jq != jqs[0] {
				env.Long(t)
			}
			t.Parallel()
			test(t, jq)
		})
	}
}

// TestJqsAgree wants the same of each function from each jq, for the rows of a log of each agent, of what is
// hard to read, and of values that no row has.
func TestJqsAgree(t *testing.T) {
	env.Needs(t, "jq")
	const prices = `{gpt: {input: 1, output: 2, cacheRead: 0.1, fast: {input: 9}, over200k: {input: 3}, over272k: {output: 4}}}`
	const rows = `[inputs] as $all | def all: $all[];
		{said: [said(all)], prompts: [prompts(all)], answers: [answers(all)], text: [text(all)], tools: [tools(all)], errors: [errors(all)],
		 calls: [calls(all)], files: [files(all)], todos: [todos(all)], timeline: [timeline(all)], chat: [chat(all)], hits: [hits("oo"; all)],
		 pairs: [pairs(all)], usage: [usage_by({model, day, session, project, agentId, agentType, skill, speed, long}; all)],
		 prompt: [usage_by({prompt}; all)], blocks: [blocks(all)], cost: [cost_by({day}; ` + prices + `; all)],
		 saved: [usage(all) | cost(` + prices + `), saved(` + prices + `)], bill: [bill(all)], active: [active_by({day, who, project}; all)],
		 patch: [patch(all)], messages: [messages(all)], openai: [openai(all)], one: [all | prompts, timeline, chat, files, errors, hits("a"), day]}
		| to_entries | sort_by(.key)[]`
	const pages = `[inputs] as $all | markdown($all[]), markdown(0; $all[])`
	odd := `5 "x" null [] {"is":"call","id":7,"name":null,"input":[{}],"timestamp":3} {"is":"result","call":7,"text":{"a":[null]},"seconds":"x"}
		{"is":"prompt","text":null,"images":"x","by":{}} {"is":"answer","text":["x"],"timestamp":"2026-13-45T99:00:00Z","uuid":[]} {"is":[],"text":1}
		{"is":"file","path":5,"diff":[],"failed":"x","cwd":{}} {"is":"todo","id":{},"text":[]} {"is":"usage","message":[],"model":{},"input":null}
		{"is":"usage","timestamp":"x","message":"timeless","model":"m","input":1}
		{"is":"prompt","text":"\u00a0é_é_ ` + "`é`" + ` http://x/é\u3000http://y\u00a0","uuid":"1"} {"is":"answer","text":"é_b_é |\n\n| a\u00a0| é |\n|---|---|\n|\u2003b |\u00a0|","uuid":"2"} {"is":"prompt","text":"\u00a0","uuid":"3"}
`
	input := append(rowsOf(t, "../testdata/questions*.jsonl", "testdata/jq/*.jsonl"), odd...)
	eachJq(t, func(t *testing.T, jq string) {
		for _, test := range []struct{ file, program string }{{"jl.jq", rows}, {"jl.jq", pages}, {"page.jq", "html(inputs)"}} {
			want, got := runJq(t, jqs[0], test.file, "-nc", test.program, input), jqRun{}
			require.Zero(t, want.status, want.message)
			require.NotEmpty(t, want.out)
			if jq != jqs[0] {
				got = runJq(t, jq, test.file, "-nc", test.program, input)
				want.message, got.message = "", "" // jq 1.6 writes them in another form
				require.Equal(t, want, got, jq)
			}
		}
	})
}

// TestOddValues wants that no value of a member, whatever it is, ends a function, and the same of each jq.
func TestOddValues(t *testing.T) {
	env.Needs(t, "jq")
	const program = `[inputs] as $all | def all: $all[];
		[all | prompts, answers, tools, errors, bill, timeline, chat, files, hits("x")], [calls(all)], [todos(all)], [pairs(all)], [chat(all)], [patch(all)], [markdown(all)],
		[usage_by({day, prompt, agentType}; all)], [blocks(all)], [cost_by({day}; {}; all)], [active_by({day, who, project}; all)], [messages(all)], [openai(all)]`
	want := runJq(t, jqs[0], "jl.jq", "-nc", program, []byte(oddValues()))
	require.Zero(t, want.status, want.message)
	eachJq(t, func(t *testing.T, jq string) {
		got := runJq(t, jq, "jl.jq", "-nc", program, []byte(oddValues()))
		require.Zero(t, got.status, got.message)
		require.Equal(t, want.out, got.out)
	})
}

// TestDayIsThatOfEachRow proves that usage_by and active_by, which work days out for more rows at once, take the day of each row
// for it, wherever midnight is within an hour.
func TestDayIsThatOfEachRow(t *testing.T) {
	env.Needs(t, "jq")
	for _, zone := range []string{"UTC", "XXX-5:45", "XXX3:30", "XXX-0:00:30"} {
		run := runJqIn(t, zone, "jq", "jl.jq", "-nc", `
			[range(400) | {is: "usage", message: tostring, key: tostring, timestamp: (1767225600 + . * 1801 | todate | if . < "2026-01-05" then . else rtrimstr("Z") + "+01:00" end)}, {is: "usage"}] as $rows
			| [usage_by({day}; $rows[]) | {day, messages}] == [$rows | group_by(day)[] | {day: (.[0] | day), messages: (map(.message | select(.)) | length)}],
			  ([active_by({day}; $rows[]).day] == ([$rows[1:][] | day | strings] | unique))`, nil)
		require.Equal(t, jqRun{out: "true\ntrue\n"}, run, zone)
	}
}

// TestSummerTime proves that times in summer are read as those in winter, in zones that know the two: the mktime of jq 1.6 is an hour
// late. Gojq and jq in WebAssembly do not know such a TZ.
func TestSummerTime(t *testing.T) {
	env.Needs(t, "jq")
	for zone, want := range map[string]string{"UTC": "08 08 09 09", "GMT0BST,M3.5.0/1,M10.5.0": "08 08 10 10", "EST5EDT,M3.2.0,M11.1.0": "07 08 09 09", "NZST-12NZDT,M9.5.0,M4.1.0/3": "08 09 10 10"} {
		run := runJqIn(t, zone, "jq", "jl.jq", "-nr", `
			["2025-01-08T03:30:00Z", "2025-01-08T22:30:00.5Z", "2025-07-10T01:30:00+02:00", "2025-07-09T23:30:00Z"] as $times
			| ([$times[] | {timestamp: .} | day[8:]] | join(" ")), ([$times[] | jl_seconds] | tojson),
			  ([blocks($times[] | {is: "usage", message: ., key: ., timestamp: .}) | .start[8:16], .end[8:16]] | join(" "))`, nil)
		require.Equal(t, jqRun{out: want + "\n[1736307000,1736375400.5,1752103800,1752103800]\n08T03:00 08T08:00 08T22:00 09T03:00 09T23:00 10T04:00\n"}, run, zone)
	}
}

// TestBlocksOfEachZone proves that a window of five hours is the same in each time zone, also where the hour in which a message was sent
// has parts of two days.
func TestBlocksOfEachZone(t *testing.T) {
	eachJq(t, func(t *testing.T, jq string) {
		for _, zone := range []string{"UTC", "Asia/Kolkata", "Asia/Kathmandu"} {
			run := runJqIn(t, zone, jq, "jl.jq", "-nc", `[blocks(("18:10:00", "18:50:00", "19:10:00", "23:00:00") | {is: "usage", timestamp: "2026-03-02T\(.)Z", input: 1}) | [.start, .end, .input]]`, nil)
			require.Equal(t, jqRun{out: `[["2026-03-02T18:00:00Z","2026-03-02T23:00:00Z",3],["2026-03-02T23:00:00Z","2026-03-03T04:00:00Z",1]]` + "\n"}, run, zone)
		}
	})
}

// forksInEachOrder returns the logs of a session and of two forks of it, one of them made in the middle of a turn and one while a message
// was written, in each order.
func forksInEachOrder() [][]string {
	const origin, longer, early = "testdata/forks/origin.jsonl", "testdata/forks/longer.jsonl", "testdata/forks/early.jsonl"
	return [][]string{{origin, longer, early}, {origin, early, longer}, {longer, origin, early}, {longer, early, origin}, {early, origin, longer}, {early, longer, origin}, {origin, origin, longer, early}}
}

// TestForksInAnyOrder proves that what is told of prompts does not depend on which of the sessions that have them comes first: an answer
// of a fork that stands before its own first prompt belongs to the prompt that it copied.
func TestForksInAnyOrder(t *testing.T) {
	inputs := forksInEachOrder()
	var rows bytes.Buffer
	for _, logs := range inputs {
		fmt.Fprintf(&rows, "[%s]\n", strings.ReplaceAll(strings.TrimSpace(string(rowsOf(t, logs...))), "\n", ","))
	}
	eachJq(t, func(t *testing.T, jq string) {
		run := runJq(t, jq, "jl.jq", "-nc", `inputs as $rows | null | [[usage_by({prompt}; $rows[]) | [.prompt[25:29], .output]], [active_by({prompt}; $rows[]) | [.prompt[25:29], .seconds]],
			([pairs($rows[]) | [.prompt[:4], .answer]] | sort)]`, rows.Bytes())
		require.Equal(t, jqRun{out: strings.Repeat(`[[["How ",31],["And ",170],["Writ",64],["Whic",86],["In f",97]],[["How ",10],["And ",190],["Writ",45],["Whic",75],["In f",305]],`+
			`[["And ","Between six and seven."],["And ","Six metres."],["How ","Nine metres."],["In f","Twenty."],["Whic","All but the ferry."],["Writ","It is in depths.txt."]]]`+"\n", len(inputs))}, run)
	})
}

// TestEachSessionIsALine wants one line for each row of the list, whatever its members hold or lack.
func TestEachSessionIsALine(t *testing.T) {
	rows := `{"sessionId":"s"}` + "\n"
	row := map[string]any{"sessionId": "3f1c9a52-7d6e", "agent": "codex", "cwd": "/home/user/shop", "summary": "Login test", "lastTimestamp": "2026-01-02T08:00:00Z"}
	for member := range row {
		for _, value := range []any{nil, 5, []any{nil}, "", "x"} {
			odd := maps.Clone(row)
			odd[member] = value
			line, err := json.Marshal(odd)
			require.NoError(t, err)
			rows += string(line) + "\n"
		}
	}
	whole, err := json.Marshal(row)
	require.NoError(t, err)
	rows = string(whole) + "\n" + rows + string(whole) + "\n" // jq-wasm leaves out white space around its output
	eachJq(t, func(t *testing.T, jq string) {
		for _, form := range []string{"inputs | sessions", "inputs | sessions(80)", "sessions(inputs)", "sessions(80; inputs)"} {
			got := runJq(t, jq, "jl.jq", "-nr", form, []byte(rows))
			require.Zero(t, got.status, got.message)
			require.Equal(t, strings.Count(rows, "\n"), strings.Count(got.out, "\n"), form)
			for line := range strings.Lines(got.out) {
				require.Equal(t, 4, strings.Count(line, "\t"), line)
			}
		}
	})
}

// TestSessionsAreToldApart: of several sessions, an id and a folder are as long as it takes to tell them apart, titles are whole, and with
// 80 columns a line has 80 at the most.
func TestSessionsAreToldApart(t *testing.T) {
	ids := []string{"0198c000-0000-7000-8000-000000000001", "0198c000-0000-7000-9000-000000000001", "3f1c9a52-7d6e-4b1f-9a3c-2e8d5b60c7a1", "3f1c9a52-7d6e-4b1f-9a3c-2e8d5b60c7a2", "3f1c", "5e55a000-1"}
	folders := []string{"/home/ada/harbour/.worktrees/2", "/home/ada/docks/.worktrees/2", "/home/ada/boats", "/home/ada/boats/", "/boats", "/home/ada/衛星"}
	var rows strings.Builder
	title := strings.Repeat("Count the boats in the harbour. ", 5) + "End"
	for i, id := range ids {
		fmt.Fprintf(&rows, "{\"sessionId\":%q,\"agent\":\"claude\",\"cwd\":%q,\"summary\":%q,\"lastModified\":1767340800000}\n", id, folders[i], title)
	}
	eachJq(t, func(t *testing.T, jq string) {
		got := runJq(t, jq, "jl.jq", "-nr", "sessions(inputs)", []byte(rows.String()))
		require.Zero(t, got.status, got.message)
		var cells [][]string
		for line := range strings.Lines(got.out) {
			cells = append(cells, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
		}
		for i, want := range [][2]string{
			{"0198c000-0000-7000-8", "harbour/.worktrees/2"}, {"0198c000-0000-7000-9", "docks/.worktrees/2"},
			{"3f1c9a52-7d6e-4b1f-9a3c-2e8d5b60c7a1", "ada/boats"}, {"3f1c9a52-7d6e-4b1f-9a3c-2e8d5b60c7a2", "ada/boats"}, {"3f1c", "boats"}, {"5e55a000", "衛星"},
		} {
			require.Equal(t, []string{"2026-01-02 08:00", want[0], "claude", want[1], title}, cells[i])
		}
		for _, form := range []string{"inputs | sessions(80)", "sessions(80; inputs)"} {
			got := runJq(t, jq, "jl.jq", "-nr", form, []byte(rows.String()))
			for line := range strings.Lines(got.out) {
				column := 0
				for _, r := range strings.TrimSuffix(line, "\n") {
					switch {
					case r == '\t':
						column += 8 - column%8
					case r >= 0x2e80: // as wide as two
						column += 2
					default:
						column++
					}
				}
				require.LessOrEqual(t, column, 80, line)
				require.Greater(t, column, 70, line)
			}
		}
	})
}

// oddValues returns rows of each kind, each with one member that is not what it should be, behind a prompt of the same entry and before
// a summary.
func oddValues() string {
	var out strings.Builder
	n := 0
	for _, row := range []string{
		`"is":"prompt" "text":"x" "images":1`, `"is":"answer" "text":"x" "model":"m" "message":"m"`, `"is":"call" "id":"c" "name":"n" "input":{} "cwd":"/w" "message":"m"`,
		`"is":"result" "call":"c" "name":"n" "failed":true "seconds":1 "text":"x" "images":1`, `"is":"file" "name":"n" "cwd":"/w" "action":"write" "path":"p" "diff":"@@\u0020-0,0\u0020+1,1\u0020@@\n+x\n"`,
		`"is":"todo" "id":"1" "text":"x" "status":"done"`, `"is":"usage" "message":"m" "model":"m" "speed":"fast" "input":1 "output":1 "cacheWrite":1 "cacheWrite5m":1 "cacheWrite1h":1 "cacheRead":1`,
		`"is":"bill" "dollars":1 "input":1 "seconds":1`, `"is":"error" "text":"x"`, `"is":"shell" "command":"ls" "text":"x" "failed":true`, `"is":"task" "call":"c" "text":"x"`,
		`"is":"member" "name":"n" "text":"x"`, `"is":"compaction" "kept":["1"]`, `"is":"summary" "text":"x"`, `"is":"title" "text":"x" "rank":3`, `"is":"picture" "media":"image/png" "data":"AA"`,
	} {
		members := append(strings.Fields(row), `"timestamp":"2026-01-01T00:00:00Z"`, `"session":"s"`, `"agentId":"a"`, `"uuid":"u"`, `"by":"model"`)
		for i := 1; i < len(members); i++ {
			for _, value := range []string{"5", "[null]"} {
				n++
				odd := slices.Clone(members[:len(members)-1])
				odd[len(odd)-1] = fmt.Sprintf(`"uuid":"odd %d"`, n)
				if name, _, _ := strings.Cut(members[i], ":"); i < len(odd) {
					odd[i] = name + ":" + value
				} else {
					odd = append(odd, name+":"+value)
				}
				if i != len(odd)-2 { // without an agent, except for odd ones
					odd = slices.DeleteFunc(odd, func(m string) bool { return m == `"agentId":"a"` })
				}
				fmt.Fprintf(&out, "{\"is\":\"prompt\",\"session\":\"s\",\"uuid\":\"odd %d\",\"text\":\"x\"}\n{%s}\n{\"is\":\"summary\",\"session\":\"s\",\"text\":\"x\"}\n", n, strings.Join(odd, ","))
			}
		}
	}
	return out.String()
}

// TestJqPrograms wants from each jq what a program that stops early, or has a mistake of its own,
// gets without the library.
func TestJqPrograms(t *testing.T) {
	log, rows := readFile(t, "../testdata/questions.jsonl"), rowsOf(t, "../testdata/questions.jsonl")
	const keyed = `[foreach inputs as $row (0; . + 1; $row + {key: "\(.)"})] as $all`
	// These are one program, because a jq takes a while to start.
	answers := []struct{ program, want string }{
		{`any(said($all[]); .is == "call")`, `true`},
		{`[limit(2; answers($all[]))]`, `["I count them.","Four large moons."]`},
		{`[label $done | tools($all[]) | .name, break $done]`, `["Bash"]`},
		{`[first($all[] | answers)]`, `["I count them."]`},
		{`[first(calls($all[]) | select(.failed)).name]`, `["Bash"]`},
		{`[first(files($all[])).path]`, `["moons.txt"]`},
		{`[last(answers($all[]))]`, `["Four large moons."]`},
		{`[first(errors($all[])) | .name]`, `["Bash"]`},
		{`[$all[] | prompts] == [prompts($all[])]`, `true`},
		{`[prompts($all[], $all[])] == [prompts($all[])]`, `true`},
		{`[calls($all[], $all[])] == [calls($all[])]`, `true`},
		{`[usage($all[], ($all[] | .session = "copy"))] == [usage($all[])]`, `true`},
		{`[first(usage($all[]))] | length`, `1`},
		{`[{is: "prompt", text: "a"} | prompts(., .)] | length`, `2`}, // a row without a key is no copy of another
		{`[usage_by({agentId, a: ($all[0].is)}; $all[])] | length`, `1`},
		{`[{is: "usage", timestamp: "2026-01-02T03:04:05Z", model: "m", input: 1, cwd: ("/home/ada/boats", null, "/x")} | .session = (.cwd | tostring)] as $u
		  | [usage_by(.project | split("/")[2]; $u[]) | [.by, .input]], [usage_by({who: (.project | split("/")[2])}; $u[]) | [.who, .input]], [usage_by(.timestamp[:13]; $u[]).by], [usage_by(day; $u[]).by],
		    [cost_by(.project | capture("/home/(?<who>[a-z]+)").who; {m: {input: 1e6}}; $u[]) | [.by, .dollars]], [active_by(.project | split("/")[2]; $u[] | ., (.timestamp = "2026-01-02T03:04:06Z")) | [.by, .seconds]]`,
			`[[null,2],["ada",1]]` + "\n" + `[[null,2],["ada",1]]` + "\n" + `["2026-01-02T03"]` + "\n" + `["2026-01-02"]` + "\n" + `[[null,2],["ada",1]]` + "\n" + `[[null,1],["ada",1]]`},
		{`[{is: "prompt", text: "a", timestamp: "2026-01-01T00:00:00Z"}, {is: "prompt", text: "b", timestamp: "2026-01-01T00:01:00.5Z"}, {is: "answer", text: "late", timestamp: "2026-01-01T00:00:50Z"},
		   {is: "answer", text: "now", timestamp: "2026-01-01T00:01:01Z"}, {is: "usage", input: 2, timestamp: "2026-01-01T00:00:50Z"}, {is: "usage", input: 3, timestamp: "2026-01-01T00:01:00.500Z"}] as $r
		  | [pairs($r[]) | [.prompt, .answer]], [usage_by({prompt}; $r[]) | [.prompt[-1:], .input]], [active_by({prompt, who}; $r[]) | [.prompt[-1:], .who, .seconds]],
		    [pairs($r[] | del(.timestamp)) | [.prompt, .answer]], [usage_by({prompt}; $r[] | del(.timestamp)) | [.prompt, .input]]`,
			`[["a","late"],["b","now"]]` + "\n" + `[["a",2],["b",3]]` + "\n" + `[["a","agent",50],["b","agent",0.5],["b","user",10.5]]` + "\n" + `[["a",null],["b","now"]]` + "\n" + `[[" b",5]]`},
		{`[todos(("a", "b") as $text | {is: "todo", session: "s", id: "1", text: $text, status: ({"a": "done"}[$text] // ("pending", "completed", "pending"))}, {is: "todo", session: "s", id: "1", text: "a", status: "deleted"}) | [.text, .status]]`, `[["b","pending"]]`},
		{`[commands({is: "call", name: "exec", id: "1", input: "await tools.exec_command({\"cmd\": \"git push \\\"a\\\"\"}); tools.exec_command({cmd: 'ls'})"}, {is: "result", call: "1", failed: true},
		   {is: "call", name: "write_stdin", input: {session_id: 1, chars: "rm -r x\n"}}, {is: "call", name: "shell", input: {command: ["bash", "-lc", "make"]}, agentId: "a"},
		   {is: "call", name: "edit", input: {command: "view", path: "p"}}, {is: "shell", command: "pwd", failed: false}) | [.agentId, .command, .failed]]`,
			`[[null,"git push \"a\"",true],[null,"ls",true],[null,"rm -r x\n",null],["a","make",null],[null,"pwd",false]]`},
		{`[markdown(({command: "view", path: "p", description: "d"}, {command: ["bash", "-lc", "make"], description: "d"}, {command: null, cmd: "ls"}) | {is: "call", name: "it", input: .})][2:]`,
			`["**it** ` + "`p`" + `\n","**it** d\n","` + "```" + `\nmake\n` + "```" + `\n","**it**\n","` + "```" + `\nls\n` + "```" + `\n"]`},
		{`[usage_by({model}; ("a", "b", "a", null, "b") | {is: "usage", model: ., input: 1}) | [.model, .input]]`, `[[null,1],["a",2],["b",2]]`},
		{`[usage_by(.skill // .agentType // .project; ({}, {agentType: "Plan"}, {skill: "k"}) | {is: "usage", session: "s", cwd: "/w", timestamp: "2026-01-01T00:00:00Z", input: 1} + .) | [.by, .input]]`, `[["/w",1],["Plan",1],["k",1]]`},
		{`[usage_by({day, who: (if .agentId then "sub" else .project end)}; ({}, {agentId: "a"}) | {is: "usage", cwd: "/w", input: 1} + .) | [.who, .input]]`, `[["/w",1],["sub",1]]`},
		// f may compare and decide: it sees the names of each row, whatever it makes of them.
		{`[{is: "usage", timestamp: "2026-05-01T10:00:00Z", session: "s", model: ("m", "n"), cwd: "/w", input: 1}, ({is: "result", agent: "a", call: "c"}, {is: "call", id: "c", input: {subagent_type: "Plan"}} | .session = "s"),
		   {is: "usage", agentId: "a", timestamp: "2026-05-01T16:00:00Z", session: "s", model: "m", input: 200}] as $u
		  | [usage_by({late: (.day >= "2026-03-01"), here: (.project == "/w")}; $u[]) | [.late, .here, .input]], [usage_by(if .model == "m" then .day else "other" end; $u[]) | [.by, .input]],
		    [usage_by(if .agentType == "Plan" then .block else .model end; $u[]) | [.by, .input]], [usage_by(if .input > 100 then .day else .model end; $u[]).by], [usage_by({morning: (.time[11:13] < "12")}; $u[]) | [.morning, .input]],
		    [cost_by(if .agentType == "Plan" then .day else .model end; {m: {input: 1e6}, n: {input: 1e6}}; $u[]) | [.by, .dollars]], [usage_by(select(.day > "2027") | .model; $u[]) | [.by, .input]],
		    [usage_by(if .agentId then {day} else error end; $u[]) | [.day, .input]], [active_by(if .who == "agent" then .project else .day end; $u[] | select(.is == "usage")) | [.by, .seconds]]`,
			`[[true,true,202]]` + "\n" + `[["2026-05-01",201],["other",1]]` + "\n" + `[["2026-05-01T16:00:00Z",200],["m",1],["n",1]]` + "\n" + `["2026-05-01","m","n"]` + "\n" + `[[false,200],[true,2]]` + "\n" +
				`[["2026-05-01",200],["m",1],["n",1]]` + "\n" + `[[null,202]]` + "\n" + `[[null,2],["2026-05-01",200]]` + "\n" + `[]`},
		// It may fail for a row that no log has, and its members have names of their own.
		{`[{is: "usage", timestamp: "2026-05-01T10:00:00Z", session: ("s", "t"), model: "claude-opus-4", key: "k"} | .project = null | .cwd = "/" + .session | .output = ({"s": 1, "t": 2}[.session])] as $u
		  | [usage_by(.model | split("-") | {v: .[0], n: (.[1] | ascii_upcase)}; $u[]) | [.v, .n]], [usage_by({session, project}; $u[]) | [.session, .project, .output]]`, `[["claude","OPUS"]]` + "\n" + `[["s","/s",2]]`},
		// Rows may be in any order, and so may be a session and its fork, whose time before a row may be longer if it has no branch of the other.
		{`[{is: "prompt", text: "a", key: "1", timestamp: "2026-01-01T00:00:00Z"}, {is: "call", id: "call-000001", key: "2", timestamp: "2026-01-01T00:00:10Z"}, {is: "answer", text: "b", key: "3", timestamp: "2026-01-01T00:00:20Z"},
		   {is: "result", call: "call-000001", text: "c", key: "4", timestamp: "2026-01-01T00:01:00Z"}, {is: "answer", text: "d", key: "5", timestamp: "2026-01-01T00:01:10Z"},
		   {is: "prompt", text: "e", key: "6", timestamp: "2026-01-01T00:01:20Z"}] as $r
		  | ("t", "r") as $name | [$r[] + {session: "s"}] as $s | [$r[0, 1, 4, 5] + {session: $name}] as $t
		  | ([$s[], $t[]], [$t[], $s[]], ([$t[], $s[]] | reverse)) | [[calls(.[]).result], ([pairs(.[]) | [.prompt, .answer]] | sort)], [active(.[])], [active_by({who}; .[]) | [.who, .seconds]]`,
			strings.TrimSpace(strings.Repeat(`[["c"],[["a","d"],["e",null]]]`+"\n"+`[80]`+"\n"+`[["agent",70],["user",10]]`+"\n", 6))},
		{`[bill((0.5, 0.75, 0.25) | {is: "bill", key: "of a start", dollars: .}).dollars]`, `[0.75]`},
		{`[pairs(("A", "B") as $s | {is: "prompt", text: "one", session: $s}, {is: "answer", text: $s, session: $s}).answer]`, `["A","B"]`},
		{`([["call", "make"], ["result", "bad", true], ["call", "ls"], ["result", "good", false], ["call", "own", null, "a"]]
			| map({is: .[0], id: "c", call: "c", name: "Bash", input: {command: .[1]}, text: .[1], failed: .[2], agentId: .[3]} | if .is == "call" then del(.call, .failed, .text) else del(.id, .input) end) as $rows
			| [calls($rows[]) | [.input.command, .failed, .result]], [commands($rows[]) | .failed], [messages($rows[])[].content[] | .id // .tool_use_id // empty], [markdown($rows[]) | scan("good|bad|make|ls|own")])`,
			`[["make",true,"bad"],["ls",false,"good"],["own",null,null]]` + "\n" + `[true,false,null]` + "\n" + `["c","c","c_2","c_2","c","c"]` + "\n" + `["make","bad","ls","good","own"]`},
		{`[errors(({failed: false, text: "said"}, {failed: true, text: "lost"}) | {is: "hook"} + .).text]`, `["lost"]`},
		{`[commands((({id: "r"}, {name: "SlashCommand"}, {name: "Skill"}, {id: "e", input: {command: "undo_edit"}}, {name: "exec", input: "await tools.shell_command({command: \"git push\"})"}, {id: "k"}) | {is: "call", name: "Bash", input: {command: "rm"}} + .),
			({call: "r", refused: true}, {call: "k"}) + {is: "result", failed: true}) | [.command, .failed]]`, `[["git push",null],["rm",true]]`},
		{`[("src/a.ts", "a.ts", "src\\a.ts", "rc/a.ts") as $p | [files($p; {is: "file", path: ("C:\\w\\src\\a.ts", "/w/src/a.ts")})] | length]`, `[2,2,1,0]`},
		{`[todos((["a", "completed", "2026-01-02T00:00:00.5Z"], ["a", "pending", "2026-01-02T00:00:00Z"]) | {is: "todo", text: .[0], status: .[1], timestamp: .[2]}).status]`, `["completed"]`},
		{`[patch((["delete", 3, "@@ -1,1 +0,0 @@\n-y\n"], ["edit", 2, "@@ -1,1 +1,1 @@\n-x\n+y\n"], ["write", 4, "@@ -0,0 +1,1 @@\n+z\n"]) | {is: "file", cwd: "/w", path: "/w/f", action: .[0], timestamp: "2026-01-01T00:00:0\(.[1])Z", diff: .[2]}) | split("\n")[] | select(test("^[-+][xyz]"))]`,
			`["-x","+y","-y","+z"]`},
		// A sub-agent that a second call goes on with is said once, and without its call in its place; ids are those of a session.
		{`[(("s", "t") as $session | (({is: "call", id: "1"}, {is: "call", id: "2"}, {is: "result", call: ("1", "2"), agent: "a"}) | .name = "Task"), {is: "answer", agentId: "a", text: "moons of \($session)"} | .session = $session)] as $r
		  | [chat($r[]) | ltrimstr("\n")], [chat($r[] | select(.is != "call")) | ltrimstr("\n")], [messages($r[] | select(.is == "answer"))[].content[].text]`,
			`["- Task: null","  moons of s","- Task: null","- Task: null","  moons of t","- Task: null"]` + "\n" + `["  moons of s","  moons of t"]` + "\n" + `["(The beginning is not here.)","moons of s","(The beginning is not here.)","moons of t"]`},
		{`[{is: "shell", command: "ls harbour", text: ""} | hits("harbour") | split("\t")[3:]]`, `[["shell","ls harbour"]]`},
		{`[$all[0] | prompts(., $all[1:][])] == [prompts($all[])]`, `true`},
		{`[5, null, {timestamp: 3}, {timestamp: "2026-01-01T23:59:59.5-01:00"} | day]`, `[null,null,null,"2026-01-02"]`},
		{`["2026-01-02T03:04:05" + ("", "Z", ".5", ".25Z", "+0100", ".5-01:30", ".Z", ".5.5Z", ".1e3Z", " Z", "Zz", "+01", "z") | jl_seconds | if . then . - 1767323045 else . end]`,
			`[0,0,0.5,0.25,-3600,5400.5,0,null,null,null,null,null,null]`},
		{`["2026-01-02 03:04:05", "2026-01-02 03:04:05.5+0100", "2026-01-02", "", "2026-13-02T03:04:05Z", 1767323045, null | jl_seconds]`, `[1767323045,1767319445.5,null,null,null,null,null]`},
		{`["x.1", "x:1", "x_1", "\("a" * 64)z"] as $ids
		  | [messages(range(4) | $ids[.] as $id | {is: ("call", "result"), session: "s", uuid: "u\(.)", id: $id, call: $id, name: "a.b", input: {}, text: $id})
		     | .[].content[] | select(.type == "tool_use" or .type == "tool_result")] as $blocks
		  | [$blocks[] | .id | strings], [$blocks[] | .tool_use_id | strings], ([$blocks[].name | strings] | unique)`,
			strings.Repeat(`["x_46_1","x_58_1","x_1","`+strings.Repeat("a", 63)+"z\"]\n", 2) + `["a_b"]`},
		{`[try ($all[] | said | error("mine")) catch .]`, `["mine"]`},
		{`[([1000], [1010], [1012, "a"], [1100, "a"], [1110], [2000]) | {is: "answer", timestamp: (.[0] | todate), session: ("s", "t"), agentId: .[1]} | .uuid = tojson] as $rows
		  | [active($rows[])], [active_by({session}; $rows[]).seconds], [active_by({agentId}; $rows[]).seconds]`, "[410]\n[410,410]\n[410,88]"},
		{`[("衛" * 30, "a" + "衛" * 30, "é" * 60, "🌙" * 30) | {is: "prompt", text: .} | timeline | split("\t")[2] | length], [{sessionId: "s", agent: "a", cwd: "/衛衛衛衛", summary: ("衛" * 30)} | sessions(80) | split("\t")[-2:]]`,
			`[24,25,48,24]` + "\n" + `[["衛衛衛衛","衛衛衛衛衛衛衛衛衛衛衛衛衛衛衛衛衛衛衛…"]]`},
		{`[{is: ("call", "shell"), agentId: ("a", null), name: ("n" * 9, "n" * 99), input: {command: ("x" * 99)}, command: ("x" * 99)} | chat | ltrimstr("\n") | length] | unique`, `[80]`},
		{`[active_by({who}; ({is: "call"}, {is: "result", name: "ask_user", answered: true}, {is: "result", name: "Bash"}) | .timestamp = ({"ask_user": 1060, "Bash": 1070}[.name // ""] // 1000 | todate)) | [.who, .seconds]]`, `[["agent",10],["user",60]]`},
	}
	type jqTest struct {
		input                   []byte
		flags, program, message string
		status                  int
	}
	tests := []jqTest{
		{rows, "-nr", `first(timeline(inputs))`, "", 0},
		{rows, "-r", `label $done | prompts | ., break $done`, "", 0},
		{rows, "-nr", `[markdown(inputs)] | length > 10`, "", 0},
		{rows, "-nr", `markdown(0; inputs)`, "", 0},
		{rows, "-nr", `files("moons.txt"; inputs).action`, "", 0},
		{rows, "-nr", `said(inputs) | error("mine")`, "mine", 5},
		{rows, "-nr", `inputs | prompts | error("mine")`, "mine", 5},
		{rows, "-nr", `files(inputs) | error("mine")`, "mine", 5},
		{rows, "-nr", `usage(inputs) | cost({claude: {input: 1}}) | error("mine")`, "mine", 5},
		{rows, "-r", `timeline(inputs)`, "use jq -n", 5},
		{[]byte(`{"is":"prompt"}`), "-r", `prompts(inputs)`, "the first row is left out: use jq -n", 5},
		{rows, "-sr", `usage_by({day}; .)`, "array in place of rows: use jq -n, without -s, and inputs", 5},
		{rows, "-nr", `chat(.)`, "null in place of rows", 5},
		{rows, "-sr", `"out", usage_by({day}; inputs)`, "no rows, but an array of them: use jq -n, without -s, and inputs", 0},
		{rows, "-nr", `calls("demo.jsonl")`, "string in place of rows", 5},
		{nil, "-nr", `"out", calls(inputs)`, "", 0},
		{rows, "-nr", `usage_by(.day, .model; inputs)`, "a row has one value, or members of one", 5},
		{rows, "-nr", `"out", chat`, "the input is null: with -n, give the function (inputs)", 0},
		{rows, "-sr", `"out", prompts`, "the input is an array: leave out -s", 0},
		{rows, "-r", `usage(inputs)`, "use jq -n", 5},
		{rows, "-nr", `usage_by({agent}; inputs)`, "usage_by: agent: not one of", 5},
		{rows, "-nr", `usage_by({model, input: .session}; inputs)`, "usage_by: a member of f has the name of a figure: input, model", 5},
		{rows, "-nr", `cost_by({dollars: .session}; {}; inputs)`, "cost_by: a member of f has the name of a figure", 5},
		{rows, "-nr", `cost_by({agent}; {}; inputs)`, "agent: not one of", 5},
		{rows, "-nr", `active_by({tool}; inputs)`, "active_by: tool: not one of agentId, day, project, prompt, session, who", 5},
		{rows, "-nr", `active_by(.tool; inputs)`, "active_by: null: not one of", 5},
		{rows, "-nr", `cost_by({day}; [{claude: {input: 1}}]; inputs)`, "the prices are not an object", 5},
		{rows, "-r", `sessions`, "the input is not rows of jlrel --list", 5},
		{[]byte(`{"sessionId":"a"} {"sessionId":"b"}`), "-r", `sessions(inputs)`, "the first row is left out: use jq -n", 5},
		{rows, "-nr", `sessions(80; inputs)`, "the input is not rows of jlrel --list", 5},
		{rows, "-r", `resume`, "the input is not rows of jlrel --list", 5},
		{rows, "-nr", `usage_by({day}; inputs) | cost({})`, "the row has no model", 5},
		{rows, "-nr", `patch(({path: "a"}, {path: ".git/config"}, {path: "/x/.."}) | . + {is: "file", cwd: "/w", action: "write", diff: "@@ -0,0 +1,1 @@\n+x\n"})`, `patch: .git/config is in .git, or has a control character in its name`, 0},
		{rows, "-nr", `patch((["edit"], ["move", "/w/b"], ["delete"]) | {is: "file", cwd: "/w", path: "/w/a", action: .[0], to: .[1], diff: "@@ -1,1 +1,1 @@\n-x\n+y\n"})`, `patch: a is moved after a change of it, which git does not apply`, 0},
		{rows, "-nr", `patch((["edit"], ["delete"]) | {is: "file", cwd: "/w", path: "/w/a", action: .[0], diff: "@@ -1,1 +1,1 @@\n-x\n+y\n"})`, `patch: a is deleted after a change of it, which git does not apply`, 0},
		{rows, "-nr", `html(inputs)`, "include \\\"page\\\"", 5},
		{log, "-r", `prompts`, "use jlpath --said", 5},
		{log, "-nr", `prompts(inputs)`, "use jlpath --said", 5},
		{log, "-nr", `usage(inputs)`, "use jlpath --said", 5},
		{log, "-nr", `markdown(inputs)`, "use jlpath --said", 5},
	}
	for short, form := range map[string]string{
		"usage": "usage(inputs)", "calls": "calls(inputs)", "patch": "patch(inputs)", "markdown": "markdown(inputs)", "messages": "messages(inputs)", "openai": "openai(inputs)",
		"todos": "todos(inputs)", "blocks": "blocks(inputs)", "active": "active(inputs)", "commands": "commands(inputs)", "pairs": "pairs(inputs)", "usage_by({day})": "usage_by({day}; inputs)",
		"cost_by({day}; {})": "cost_by({day}; $p[0]; inputs)", "active_by({day})": "active_by({day}; inputs)", "markdown(3)": "markdown(3; inputs)",
		`files("moons.txt")`: `files("moons.txt"; inputs)`, `patch("moons.txt")`: `patch("moons.txt"; inputs)`,
	} {
		tests = append(tests, jqTest{rows, "-r", short, short[:strings.IndexAny(short+"(", "(")] + " is about all rows: jq -n '" + form + "'", 5})
	}
	tests = append(tests, jqTest{rows, "-nr", "usage", "jq -n 'usage(inputs)'", 5}, jqTest{rows, "-sr", "patch", "jq -n 'patch(inputs)'", 5},
		jqTest{rows, "-r", `select(.is == "answer") | usage_by({day})`, "jq -n 'usage_by({day}; inputs)'", 5})
	eachJq(t, func(t *testing.T, jq string) {
		var programs, want []string
		for _, a := range answers {
			programs, want = append(programs, "("+a.program+")"), append(want, a.want)
		}
		got := runJq(t, jq, "jl.jq", "-nc", keyed+" | "+strings.Join(programs, ", "), rows)
		require.Equal(t, jqRun{out: strings.Join(want, "\n") + "\n"}, got)
		for _, test := range tests {
			got := runJq(t, jq, "jl.jq", test.flags, test.program, test.input)
			require.Equal(t, test.status, got.status, "%s: %s", test.program, got.message)
			require.Contains(t, strings.ReplaceAll(got.message, `\"`, `"`), strings.ReplaceAll(test.message, `\"`, `"`), test.program)
			require.Equal(t, test.status == 0, got.out != "", test.program)
			if strings.Contains(test.message, "use jlpath") {
				require.Equal(t, 1, strings.Count(got.message, "\n"), "one line: %s", got.message)
			}
		}
	})
}

// BenchmarkLibrary takes the time of functions for a number of rows and for four times as many, which must
// not be more for each row.
func BenchmarkLibrary(b *testing.B) {
	for _, program := range []string{"prompts(inputs)", "chat(inputs)", "calls(inputs)", "files(inputs)", "usage_by({day, model, block}; inputs)",
		"active(inputs)", "markdown(inputs)", "messages(inputs)", "pairs(inputs)", "todos(inputs)", "patch(inputs)", "hits(\"a\"; inputs)"} {
		for _, n := range []int{2000, 8000} {
			b.Run(fmt.Sprintf("%s/%d", program, n), func(b *testing.B) {
				var rows bytes.Buffer
				for i := range n / 6 {
					at := fmt.Sprintf(`"timestamp":"2026-01-%02dT%02d:%02d:%02d.000Z","session":"s","uuid":"u%d"`, i/86400%28+1, i/3600%24, i/60%60, i%60, i)
					fmt.Fprintf(&rows, `{"is":"prompt",%[1]s,"text":"a %[2]d","images":0}
{"is":"answer",%[1]s,"text":"**b** %[2]d","model":"m","message":"m%[2]d"}
{"is":"call",%[1]s,"id":"c%[2]d","name":"Edit","input":{"file_path":"/w/a"},"cwd":"/w","model":"m","message":"m%[2]d"}
{"is":"result",%[1]s,"call":"c%[2]d","name":"Edit","failed":false,"seconds":1,"text":"ok","images":0}
{"is":"file",%[1]s,"call":"c%[2]d","name":"Edit","cwd":"/w","action":"edit","path":"/w/a%[2]d","failed":false,"diff":"@@ -1,1 +1,1 @@\n-a\n+b\n"}
{"is":"usage",%[1]s,"message":"m%[2]d","model":"m","input":1,"output":2,"cacheWrite":0,"cacheWrite5m":0,"cacheWrite1h":0,"cacheRead":3,"cwd":"/w"}
`, at, i)
				}
				for b.Loop() {
					require.Zero(b, runJq(b, "jq", "jl.jq", "-nc", program, rows.Bytes()).status)
				}
				b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(n), "µs/row")
			})
		}
	}
}

// readFile returns the bytes of a file.
func readFile(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	return text
}
