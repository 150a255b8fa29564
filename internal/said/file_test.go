package said_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"jl/internal/says"
)

// quote returns a text as a string of JSON.
func quote(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// TestFiles: what a call did to files, and with which lines.
func TestFiles(t *testing.T) {
	edit := func(told string) []string {
		return []string{
			assistant("a", "m1", "", `{"type":"tool_use","id":"c1","name":"Edit","input":{"file_path":"/p/x.go","old_string":"a","new_string":"b"}}`),
			user("b", `[{"type":"tool_result","tool_use_id":"c1","content":"ok"}]`, `,"toolUseResult":`+told),
		}
	}
	calls := func(inputs ...string) (log []string) {
		for i, input := range inputs {
			id := "c" + strconv.Itoa(i)
			log = append(log, assistant("a"+id, "m"+id, "", `{"type":"tool_use","id":"`+id+`","name":"Write","input":`+input+`}`),
				user("r"+id, `[{"type":"tool_result","tool_use_id":"`+id+`","content":"ok"}]`))
		}
		return log
	}
	patch := func(text string) []string {
		return []string{
			`{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"s","cwd":"/p"}}`,
			`{"timestamp":"2026-01-01T00:00:01Z","type":"response_item","payload":{"type":"custom_tool_call","name":"apply_patch","call_id":"c","input":` + quote("*** Begin Patch\n"+text+"*** End Patch\n") + `}}`,
			`{"timestamp":"2026-01-01T00:00:02Z","type":"response_item","payload":{"type":"custom_tool_call_output","call_id":"c","output":"ok"}}`,
		}
	}
	named := func(namesAndInputs ...string) []string {
		log := calls()
		for i := 0; i < len(namesAndInputs); i += 2 {
			for _, l := range calls(namesAndInputs[i+1]) {
				id := "n" + strconv.Itoa(i)
				log = append(log, strings.NewReplacer("c0", id, `"Write"`, quote(namesAndInputs[i])).Replace(l))
			}
		}
		return log
	}
	codex := func(input string) []string {
		return []string{
			`{"timestamp":"2026-01-01T00:00:01Z","type":"response_item","payload":{"type":"custom_tool_call","name":"apply_patch","call_id":"d","input":` + quote(input) + `}}`,
			`{"timestamp":"2026-01-01T00:00:02Z","type":"response_item","payload":{"type":"custom_tool_call_output","call_id":"d","output":"ok"}}`,
		}
	}
	none := "-" // no diff
	tests := []struct {
		name string
		log  []string
		want [][]string // action, path, to, diff
	}{
		{"tabs are those of the file", edit(`{"originalFile":"{\n\ta\n}\n","oldString":"\ta","newString":"\t\tb","structuredPatch":[{"oldStart":1,"oldLines":3,"newStart":1,"newLines":3,"lines":[" {","-  a","+    b"," }"]}]}`),
			[][]string{{"edit", "/p/x.go", "", "@@ -1,3 +1,3 @@\n {\n-\ta\n+\t\tb\n }\n"}}},
		{"a new file", edit(`{"type":"create","content":"x\ny","structuredPatch":[]}`), [][]string{{"edit", "/p/x.go", "", "@@ -0,0 +1,2 @@\n+x\n+y\n\\ No newline at end of file\n"}}},
		{"written twice alike", edit(`{"type":"update","content":"x","originalFile":"x","structuredPatch":[]}`), [][]string{{"edit", "/p/x.go", "", ""}}},
		{"what was there before is not in the log", edit(`{"type":"update","content":"x","originalFile":null,"structuredPatch":[]}`), [][]string{{"edit", "/p/x.go", "", none}}},
		{"a line that is two", edit(`{"structuredPatch":[{"oldStart":1,"oldLines":1,"newStart":1,"newLines":1,"lines":["-a","+b\n+c"]}]}`), [][]string{{"edit", "/p/x.go", "", none}}},
		{"counts that are wrong", edit(`{"structuredPatch":[{"oldStart":1,"oldLines":7,"newStart":1,"newLines":1,"lines":["-a","+b"]}]}`), [][]string{{"edit", "/p/x.go", "", none}}},
		{"texts that only inputs tell", calls(`{"file_path":"x","content":"a\nb\n"}`, `{"file_path":"x","old_string":"b","new_string":"c"}`, `{"file_path":"x","old_string":"nowhere","new_string":"c"}`, `{"file_path":"x","old_string":"c","new_string":"d"}`),
			[][]string{{"write", "x", "", "@@ -0,0 +1,2 @@\n+a\n+b\n"}, {"edit", "x", "", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"}, {"edit", "x", "", none}, {"edit", "x", "", none}}},
		{"edits without a place", calls(`{"path":"x","edits":[{"oldText":"a\nb\nc","newText":"a\nB\nc"},{"oldText":"x\ny\n","newText":"y\n"}]}`, `{"path":"x","old_string":"","new_string":"c"}`),
			[][]string{{"edit", "x", "", "@@ -2,3 +2,3 @@\n a\n-b\n+B\n c\n@@ -2,2 +2,1 @@\n-x\n y\n"}, {"edit", "x", "", none}}},
		{"an edit below which no line is known, or of a part of a line", calls(`{"path":"x","edits":[{"oldText":"a\nb\n","newText":"c\nb\n"},{"oldText":"x\n","newText":"y\n"}]}`, `{"path":"y","old_string":"x","new_string":"y\nz"}`),
			[][]string{{"edit", "x", "", none}, {"edit", "y", "", none}}},
		{"a part of a file", named("insert_content", `{"path":"a","content":"x","line":3}`, "append_to_file", `{"path":"b","content":"x"}`, "NotebookEdit", `{"notebook_path":"c.ipynb","cell_id":"1","new_source":"x"}`,
			"edit_notebook", `{"target_notebook":"d.ipynb","cell_idx":0,"old_string":"a\n","new_string":"b\n"}`),
			[][]string{{"edit", "a", "", none}, {"edit", "b", "", none}, {"edit", "c.ipynb", "", none}, {"edit", "d.ipynb", "", none}}},
		{"a notebook", edit(`{"new_source":"b","original_file":"{\n \"a\"\n}","updated_file":"{\n \"b\"\n}"}`),
			[][]string{{"edit", "/p/x.go", "", "@@ -1,3 +1,3 @@\n {\n- \"a\"\n+ \"b\"\n }\n\\ No newline at end of file\n"}}},
		{"a text that a diff has changed since", []string{
			`{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00Z","cwd":"/p"}`,
			`{"type":"message","id":"1","parentId":null,"message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"write","arguments":{"path":"x","content":"a\n"}}]}}`,
			`{"type":"message","id":"2","parentId":"1","message":{"role":"toolResult","toolCallId":"c","content":"ok"}}`,
			`{"type":"message","id":"3","parentId":"2","message":{"role":"assistant","content":[{"type":"toolCall","id":"d","name":"edit","arguments":{"path":"x","edits":[{"oldText":"a","newText":"b"}]}}]}}`,
			`{"type":"message","id":"4","parentId":"3","message":{"role":"toolResult","toolCallId":"d","content":"ok","details":{"patch":"@@ -1,1 +1,1 @@\n-a\n+b\n"}}}`,
			`{"type":"message","id":"5","parentId":"4","message":{"role":"assistant","content":[{"type":"toolCall","id":"e","name":"write","arguments":{"path":"x","content":"c\n"}}]}}`,
			`{"type":"message","id":"6","parentId":"5","message":{"role":"toolResult","toolCallId":"e","content":"ok"}}`,
		}, [][]string{{"write", "x", "", "@@ -0,0 +1,1 @@\n+a\n"}, {"edit", "x", "", "@@ -1,1 +1,1 @@\n-a\n+b\n"}, {"write", "x", "", none}}},
		{"written over", calls(`{"file_path":"x","content":"1\n2\n3\n4\n5\n6\n7\n8\n9\n"}`, `{"file_path":"x","content":"1\n2\n3\n4\n5!\n6\n7\n8\n9"}`),
			[][]string{{"write", "x", "", "@@ -0,0 +1,9 @@\n+1\n+2\n+3\n+4\n+5\n+6\n+7\n+8\n+9\n"}, {"write", "x", "", "@@ -2,8 +2,8 @@\n 2\n 3\n 4\n-5\n-6\n-7\n-8\n-9\n+5!\n+6\n+7\n+8\n+9\n\\ No newline at end of file\n"}}},
		{"what tools do by their names and inputs", named(
			"View", `{"path":"a"}`, "str_replace_based_edit_tool", `{"command":"view","path":"b"}`, "str_replace_based_edit_tool", `{"command":"insert","path":"c"}`,
			"delete_file", `{"path":"d"}`, "create_file", `{"path":"e"}`, "apply_patch", `{"path":"f"}`, "list_dir", `{"path":"g"}`, "Shell", `{"path":"h","command":"rm -r x"}`,
			"read_many_files", `{"paths":["i",{"path":"j"},7]}`, "grep", `{"paths":["k"]}`, "str_replace_based_edit_tool", `{"command":"create","path":"l","file_text":"x"}`, "open", `{"filename":"m"}`,
			"write", `{"path":"n","workdir":"sub","content":""}`),
			[][]string{{"read", "a", "", none}, {"read", "b", "", none}, {"edit", "c", "", none}, {"delete", "d", "", none}, {"write", "e", "", none}, {"edit", "f", "", none},
				{"read", "i", "", none}, {"read", "j", "", none}, {"write", "l", "", "@@ -0,0 +1,1 @@\n+x\n\\ No newline at end of file\n"}, {"read", "m", "", none}, {"write", "sub/n", "", "@@ -0,0 +0,0 @@\n"}}},
		{"several edits of a text", calls(`{"path":"x","content":"a\nb\na\n"}`, `{"path":"x","edits":[{"oldText":"b","newText":"cc"},{"oldText":"cc","newText":"d"}]}`, `{"path":"x","old_string":"a","new_string":"e","replace_all":true}`,
			`{"path":"x","edits":[{"oldText":"nowhere"}]}`),
			[][]string{{"write", "x", "", "@@ -0,0 +1,3 @@\n+a\n+b\n+a\n"}, {"edit", "x", "", "@@ -1,3 +1,3 @@\n a\n-b\n+d\n a\n"},
				{"edit", "x", "", "@@ -1,3 +1,3 @@\n-a\n-d\n-a\n+e\n+d\n+e\n"}, {"edit", "x", "", none}}},
		{"a file that was empty", edit(`{"originalFile":"","content":"x\n","structuredPatch":[]}`), [][]string{{"edit", "/p/x.go", "", "@@ -0,0 +1,1 @@\n+x\n"}}},
		{"no patch that is one", edit(`{"structuredPatch":{}}`), [][]string{{"edit", "/p/x.go", "", none}}},
		{"tabs after several edits", edit(`{"originalFile":"\ta\n\tb\n\n","edits":[{"old_string":"\ta","new_string":"\tc"},{"old_string":"\tb","new_string":""},{"old_string":""}],"structuredPatch":[{"oldStart":1,"oldLines":3,"newStart":1,"newLines":2,"lines":["-  a","-  b","+  c",""]}]}`),
			[][]string{{"edit", "/p/x.go", "", "@@ -1,3 +1,2 @@\n-\ta\n-\tb\n+\tc\n \n"}}},
		{"tabs of a text that is written", edit(`{"originalFile":"\ta\n","content":"\tb\n","structuredPatch":[{"oldStart":1,"oldLines":1,"newStart":1,"newLines":1,"lines":["-  a","+  b"]}]}`),
			[][]string{{"edit", "/p/x.go", "", "@@ -1,1 +1,1 @@\n-\ta\n+\tb\n"}}},
		{"patches of Codex that cannot be told", append(patch("*** Update File: a\n@@\n+only\n@@\n x\n+y\n*** Update File: b\n@@\n?\n x\n*** End of File\n"), codex("*** Begin Patch without lines")...),
			[][]string{{"edit", "a", "", none}, {"edit", "b", "", none}}},
		{"a patch of Codex", patch("*** Update File: a\n@@\n 1\n-2\n+3\n\n@@ func\n x\n+y\n*** End of File\n*** Update File: g\n@@\n x\n+y\n*** Delete File: b\n*** Add File: c\n+z\n*** Update File: d\n*** Move to: e\n*** Update File: f\n@@\n+only\n"),
			[][]string{{"edit", "a", "", "@@ -2,3 +2,3 @@\n 1\n-2\n+3\n \n@@ -2,1 +2,2 @@\n x\n+y\n"}, {"edit", "g", "", none}, {"delete", "b", "", none}, {"write", "c", "", "@@ -0,0 +1,1 @@\n+z\n"}, {"move", "d", "e", ""}, {"edit", "f", "", none}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rows, report := rowsOf(t, only(says.File), false, lines(test.log...))
			var got [][]string
			for _, row := range rows {
				var f struct {
					Action, Path, To string
					Diff             *string
				}
				require.NoError(t, json.Unmarshal([]byte(row), &f))
				diff := none
				if f.Diff != nil {
					diff = *f.Diff
				}
				got = append(got, []string{f.Action, f.Path, f.To, diff})
			}
			require.Equal(t, test.want, got)
			require.Empty(t, report)
		})
	}
}

// TestPlaces: a path is below the first folder of the session, wherever the call was made and whoever made it.
func TestPlaces(t *testing.T) {
	call := func(id, cwd, input, more string) string {
		return `{"type":"assistant","uuid":"` + id + `","parentUuid":null,"sessionId":"s","cwd":"` + cwd + `"` + more +
			`,"message":{"content":[{"type":"tool_use","id":"` + id + `","name":"Read","input":` + input + `}]}}`
	}
	rows, _ := rowsOf(t, only(says.File), false, lines(
		call("a", "/p", `{"file_path":"x"}`, ""), call("b", "/p/sub", `{"file_path":"x"}`, ""), call("c", "/p/sub", `{"file_path":"/y"}`, ""),
		call("d", "/p/sub", `{"patch":"*** Begin Patch\n*** Update File: x\n*** Move to: z\n*** End Patch"}`, ""),
		call("e", "/p/sub", `{"file_path":"x"}`, `,"isSidechain":true,"agentId":"g"`)))
	require.Len(t, rows, 5)
	for i, want := range []string{`"path":"x"`, `"path":"/p/sub/x"`, `"path":"/y"`, `"path":"/p/sub/x","to":"/p/sub/z"`, `"path":"/p/sub/x"`} {
		require.Contains(t, rows[i], `"cwd":"/p"`)
		require.Contains(t, rows[i], want+`,"failed":null`)
	}
}

// TestTodosOfSidechains: a sidechain has a list of its own.
func TestTodosOfSidechains(t *testing.T) {
	side := func(log string) string {
		return strings.ReplaceAll(log, `"parentUuid"`, `"isSidechain":true,"parentUuid"`)
	}
	list := func(id, text, status string) string {
		return lines(assistant("a"+id, "m"+id, "", `{"type":"tool_use","id":"`+id+`","name":"TodoWrite","input":{"todos":[{"content":"`+text+`","status":"`+status+`"}]}}`),
			user("r"+id, `[{"type":"tool_result","tool_use_id":"`+id+`","content":"ok"}]`))
	}
	rows, _ := rowsOf(t, only(says.Todo), false, list("1", "a", "active")+side(list("2", "b", "done"))+list("3", "a", "TODO_STATUS_COMPLETED"))
	require.Equal(t, []string{`"id":null,"text":"a","status":"in_progress"`, `"id":null,"text":"b","status":"completed"`, `"id":null,"text":"a","status":"completed"`}, own(rows))
}

func TestTodos(t *testing.T) {
	call := func(id, name, input, result string) string {
		return lines(assistant("a"+id, "m"+id, "", `{"type":"tool_use","id":"`+id+`","name":"`+name+`","input":`+input+`}`),
			user("r"+id, `[{"type":"tool_result","tool_use_id":"`+id+`","content":`+quote(result)+`}]`))
	}
	rows, _ := rowsOf(t, only(says.Todo), false, strings.Join([]string{
		call("1", "TodoWrite", `{"todos":[{"content":"a","status":"pending"},{"content":"b","status":"in_progress"}]}`, "ok"),
		call("2", "TodoWrite", `{"todos":[{"content":"a","status":"completed"}]}`, "ok"),
		call("3", "TaskCreate", `{"subject":"c"}`, "Task #7 created"),
		call("4", "TaskUpdate", `{"taskId":"7","status":"completed"}`, "ok"),
		call("5", "TaskUpdate", `{"taskId":"9","status":"completed"}`, "ok"),
		call("5a", "TaskUpdate", `{"taskId":7,"subject":"C"}`, "ok"),
		call("5b", "TaskUpdate", `{"taskId":7,"subject":"C"}`, "ok"),
		call("5c", "TaskCreate", `{"subject":"gone"}`, "Task created"),
		call("5d", "TaskUpdate", `{"taskId":"3","status":"deleted"}`, "ok"),
		call("6", "update_todo_list", `{"todos":"- [x] d\n- [ ] e\n"}`, "ok"),
	}, ""))
	require.Equal(t, []string{
		`"id":null,"text":"a","status":"pending"`, `"id":null,"text":"b","status":"in_progress"`,
		`"id":null,"text":"a","status":"completed"`, `"id":null,"text":"b","status":"deleted"`,
		`"id":"7","text":"c","status":"pending"`, `"id":"7","text":"c","status":"completed"`, `"id":"7","text":"C","status":"completed"`, `"id":"7","text":"c","status":"deleted"`,
		`"id":"3","text":"gone","status":"pending"`, `"id":"3","text":"gone","status":"deleted"`,
		`"id":null,"text":"d","status":"completed"`, `"id":null,"text":"e","status":"pending"`, `"id":null,"text":"a","status":"deleted"`, `"id":"7","text":"C","status":"deleted"`,
	}, own(rows))
}

// FuzzDiff: a diff makes the new text of the old one, with at most three lines around.
func FuzzDiff(f *testing.F) {
	f.Add("a\nb\nc\nd\ne\nf\ng\n", "a\nb\nc\nX\ne\nf\ng\n")
	f.Add("a\nb", "a\nb\n")
	f.Add("", "x")
	f.Add("x\nx\nx\n", "x\nx\n")
	f.Add("1\nab\n", "1\nb\n")
	f.Add("same", "same")
	f.Add("\n\n\n\n\n", "\n\n\n\n\n\n")
	f.Fuzz(func(t *testing.T, before, after string) {
		for _, text := range []string{before, after} {
			if strings.ContainsAny(text, "\x00\r\ufffd\u2028\u2029") || !utf8.ValidString(text) {
				t.Skip()
			}
		}
		var log []string
		for i, text := range []string{before, after} {
			id := strconv.Itoa(i)
			log = append(log, assistant("a"+id, "m"+id, "", `{"type":"tool_use","id":"`+id+`","name":"Write","input":{"file_path":"x","content":`+quote(text)+`}}`),
				user("r"+id, `[{"type":"tool_result","tool_use_id":"`+id+`","content":"ok"}]`))
		}
		rows, _ := rowsOf(t, only(says.File), false, lines(log...))
		require.Len(t, rows, 2)
		text := ""
		for i, row := range rows {
			var file struct{ Diff *string }
			require.NoError(t, json.Unmarshal([]byte(row), &file))
			require.NotNil(t, file.Diff)
			text = apply(t, text, *file.Diff)
			require.Equal(t, []string{before, after}[i], text)
		}
	})
}

// FuzzEdit: the hunk of an edit of which only the lines are known has all lines of the old text and of the new one, and tells no
// line as changed with which both begin or end.
func FuzzEdit(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nX\nc\n")
	f.Add("a\nb", "a\nb\n")
	f.Add("x\nx\nx", "x\nx")
	f.Add("ab\nb", "b\nb")
	f.Add("a\n\n\n", "a\n\n")
	f.Add("", "x")
	f.Add("\t\"\\\n", "\n")
	f.Fuzz(func(t *testing.T, before, after string) {
		for _, text := range []string{before, after} {
			if strings.ContainsAny(text, "\x00\r\ufffd\u2028\u2029") || !utf8.ValidString(text) {
				t.Skip()
			}
		}
		rows, _ := rowsOf(t, only(says.File), false, lines(
			assistant("a", "m", "", `{"type":"tool_use","id":"c","name":"Edit","input":{"file_path":"x","old_string":`+quote(before)+`,"new_string":`+quote(after)+`}}`),
			user("r", `[{"type":"tool_result","tool_use_id":"c","content":"ok"}]`)))
		require.Len(t, rows, 1)
		var file struct{ Diff *string }
		require.NoError(t, json.Unmarshal([]byte(rows[0]), &file))
		whole := func(text string) []string {
			if text = strings.TrimSuffix(text, "\n"); text != "" && !strings.HasSuffix(text, "\n") {
				text += "\n"
			}
			return slices.Collect(strings.Lines(text))
		}
		old, now := whole(before), whole(after)
		same := 0 // lines above
		for same < min(len(old), len(now)) && old[same] == now[same] {
			same++
		}
		if n, m := len(old), len(now); same == n || same == m || old[n-1] != now[m-1] { // no line is known below the change
			require.Nil(t, file.Diff)
			return
		}
		require.NotNil(t, file.Diff)
		head, body, _ := strings.Cut(*file.Diff, "\n")
		require.Equal(t, fmt.Sprintf("@@ -2,%d +2,%d @@", len(old), len(now)), head)
		var hadOld, hadNow, removed, added []string
		for l := range strings.Lines(body) {
			switch mark, line := l[0], l[1:]; mark {
			case '-':
				hadOld, removed = append(hadOld, line), append(removed, line)
			case '+':
				hadNow, added = append(hadNow, line), append(added, line)
			default:
				require.Equal(t, byte(' '), mark)
				hadOld, hadNow = append(hadOld, line), append(hadNow, line)
			}
		}
		require.Equal(t, old, hadOld)
		require.Equal(t, now, hadNow)
		if n, m := len(removed), len(added); n > 0 && m > 0 {
			require.NotEqual(t, removed[0], added[0])
			require.NotEqual(t, removed[n-1], added[m-1])
		}
	})
}

// apply returns a text after a diff of one hunk.
func apply(t *testing.T, text, diff string) string {
	if diff == "" {
		return text
	}
	if diff == "@@ -0,0 +0,0 @@\n" { // made without lines
		require.Empty(t, text)
		return text
	}
	head, body, _ := strings.Cut(diff, "\n")
	var at, old, now, start int
	_, err := fmt.Sscanf(head, "@@ -%d,%d +%d,%d @@", &at, &old, &start, &now)
	require.NoError(t, err, head)
	if old == 0 {
		at++
	}
	lines := slices.Collect(strings.Lines(text))
	out := slices.Clone(lines[:at-1])
	around, changed := 0, false
	for l := range strings.Lines(strings.ReplaceAll(body, "\n\\ No newline at end of file\n", "\x00")) {
		for part := range strings.SplitAfterSeq(l, "\x00") {
			if part == "" {
				continue
			}
			line := strings.TrimSuffix(part, "\x00")[1:]
			if part[0] != '+' {
				require.Equal(t, lines[at-1], line)
				at, old = at+1, old-1
			}
			if part[0] != '-' {
				out, now = append(out, line), now-1
			}
			if around++; part[0] != ' ' {
				around, changed = 0, true
			}
			require.LessOrEqual(t, around, 3)
		}
	}
	require.True(t, changed)
	require.Zero(t, old)
	require.Zero(t, now)
	return strings.Join(append(out, lines[at-1:]...), "")
}

// TestDiffsOfPieces: a diff of Copilot CLI, whose lines are the pieces of a text between its line breaks, becomes one that makes the new
// text of the old one, whether they end in a line break or not.
func TestDiffsOfPieces(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	text := func() []string {
		pieces := make([]string, rnd.IntN(12))
		for i := range pieces {
			pieces[i] = []string{"a", "b", "", "c d"}[rnd.IntN(4)]
		}
		return pieces
	}
	for range 1000 {
		old := append(text(), []string{"", "end"}[rnd.IntN(2)])
		from := rnd.IntN(len(old) + 1)
		to := from + rnd.IntN(len(old)-from+1)
		var added []string
		for range rnd.IntN(3) {
			added = append(added, []string{"x", "y", ""}[rnd.IntN(3)])
		}
		now := slices.Concat(old[:from], added, old[to:])
		if len(now) == 0 || slices.Equal(old, now) {
			continue
		}
		const around = 3
		first, last := max(from-around, 0), min(to+around, len(old))
		var body strings.Builder
		put := func(mark string, pieces []string) {
			for _, p := range pieces {
				body.WriteString(mark + p + "\n")
			}
		}
		put(" ", old[first:from])
		put("-", old[from:to])
		put("+", added)
		put(" ", old[to:last])
		diff := fmt.Sprintf("diff --git a/m b/m\n--- a/m\n+++ b/m\n@@ -%d,%d +%d,%d @@\n%s", first+1, last-first, first+1, last-first-(to-from)+len(added), body.String())
		rows, _ := rowsOf(t, only(says.File), false, lines(
			`{"type":"session.start","data":{"sessionId":"5e55a000-0000-4000-8000-000000000001","producer":"copilot-agent","context":{"cwd":"/p"}},"id":"e1","timestamp":"2026-03-02T10:00:00.000Z","parentId":null}`,
			`{"type":"assistant.message","data":{"messageId":"a1","content":"","toolRequests":[{"toolCallId":"c1","name":"edit","arguments":{"path":"/p/m","old_str":"x","new_str":"y"}}]},"id":"e2","timestamp":"2026-03-02T10:00:01.000Z","parentId":"e1"}`,
			`{"type":"tool.execution_complete","data":{"toolCallId":"c1","success":true,"result":{"content":"ok","detailedContent":`+quote(diff)+`}},"id":"e3","timestamp":"2026-03-02T10:00:02.000Z","parentId":"e2"}`))
		require.Len(t, rows, 1)
		var file struct{ Diff *string }
		require.NoError(t, json.Unmarshal([]byte(rows[0]), &file))
		require.NotNil(t, file.Diff, diff)
		require.Equal(t, strings.Join(now, "\n"), apply(t, strings.Join(old, "\n"), *file.Diff), "%q\n%s\n%s", strings.Join(old, "\n"), diff, *file.Diff)
	}
}
