package test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/env"
)

// TestPatchApplies brings the edits of a log into a checkout of what was there before, with git.
func TestPatchApplies(t *testing.T) {
	env.Needs(t, "jq", "git")
	const empty = "an empty file"
	const long = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n"
	tests := []struct {
		name, log     string
		before, after map[string]string // by path; "" is no file
	}{
		{"Claude Code", `{"type":"assistant","uuid":"1","cwd":"/w","message":{"content":[{"type":"tool_use","id":"a","name":"Edit","input":{"file_path":"/w/a.go","old_string":"6","new_string":"six"}}]}}
{"type":"user","uuid":"2","cwd":"/w","toolUseResult":{"structuredPatch":[{"oldStart":3,"oldLines":7,"newStart":3,"newLines":7,"lines":[" 3"," 4"," 5","-6","+six"," 7"," 8"," 9"]}]},"message":{"content":[{"type":"tool_result","tool_use_id":"a","content":"ok"}]}}
{"type":"assistant","uuid":"3","cwd":"/w","message":{"content":[{"type":"tool_use","id":"b","name":"Write","input":{"file_path":"/w/new/b.txt","content":"Io\nEuropa"}},{"type":"tool_use","id":"c","name":"Edit","input":{"file_path":"/w/new/b.txt","old_string":"Europa","new_string":"Ganymede\n"}},{"type":"tool_use","id":"d","name":"Edit","input":{"file_path":"/w/a.go","old_string":"8","new_string":"never"}}]}}
{"type":"user","uuid":"4","cwd":"/w","message":{"content":[{"type":"tool_result","tool_use_id":"b","content":"ok"},{"type":"tool_result","tool_use_id":"c","content":"ok"},{"type":"tool_result","tool_use_id":"d","is_error":true,"content":"no"}]}}
`, map[string]string{"a.go": long}, map[string]string{"a.go": strings.Replace(long, "6", "six", 1), "new/b.txt": "Io\nGanymede\n"}},
		{"Codex, from its own diffs", `{"type":"session_meta","payload":{"id":"s","cwd":"/w"}}
{"type":"response_item","payload":{"type":"custom_tool_call","name":"apply_patch","call_id":"a","input":"*** Begin Patch\n*** Update File: a.go\n@@\n-x\n+y\n*** End Patch\n"}}
{"type":"event_msg","payload":{"type":"patch_apply_end","call_id":"a","success":true,"changes":{"/w/a.go":{"type":"update","unified_diff":"@@ -5,4 +5,4 @@\n 5\n 6\n-7\n+seven\n 8\n"},"/w/b.go":{"type":"add","content":"b\n"},"/w/c.go":{"type":"delete","content":"c\n"}}}}
{"type":"response_item","payload":{"type":"custom_tool_call_output","call_id":"a","output":"ok"}}
`, map[string]string{"a.go": long, "c.go": "c\n"}, map[string]string{"a.go": strings.Replace(long, "7", "seven", 1), "b.go": "b\n", "c.go": ""}},
		{"Gemini CLI", `{"sessionId":"s","startTime":"2026-05-01T10:00:00.000Z","directories":["/w"]}
{"id":"g","type":"gemini","content":"","toolCalls":[{"id":"a","name":"replace","args":{"file_path":"/w/a.go","old_string":"3\n4","new_string":"3\nfour"},"status":"success","result":[{"functionResponse":{"id":"a","response":{"output":"ok"}}}],"resultDisplay":{"fileName":"a.go","fileDiff":"Index: a.go\n===\n--- a.go\tCurrent\n+++ a.go\tProposed\n@@ -2,4 +2,4 @@\n 2\n 3\n-4\n+four\n 5\n"}}]}
`, map[string]string{"a.go": long}, map[string]string{"a.go": strings.Replace(long, "4", "four", 1)}},
		{"pi, whose lines stand for their place", `{"type":"session","id":"s","cwd":"/w","timestamp":"2026-05-01T10:00:00.000Z"}
{"type":"message","id":"a","message":{"role":"assistant","content":[{"type":"toolCall","id":"a","name":"edit","arguments":{"path":"a.go","oldText":"7\n8\n9","newText":"7\neight\n9"}},{"type":"toolCall","id":"b","name":"write","arguments":{"path":"./b.go","content":"b\n"}}]}}
{"type":"message","id":"b","message":{"role":"toolResult","toolCallId":"a","content":[{"type":"text","text":"ok"}],"isError":false}}
{"type":"message","id":"c","message":{"role":"toolResult","toolCallId":"b","content":[{"type":"text","text":"ok"}],"isError":false}}
`, map[string]string{"a.go": long}, map[string]string{"a.go": strings.Replace(long, "8", "eight", 1), "b.go": "b\n"}},
		{"empty files", `{"type":"assistant","uuid":"1","cwd":"/w","message":{"content":[{"type":"tool_use","id":"a","name":"Write","input":{"file_path":"/w/new","content":""}},{"type":"tool_use","id":"b","name":"Write","input":{"file_path":"/w/a.go","content":"a\n"}},{"type":"tool_use","id":"c","name":"Write","input":{"file_path":"/w/b.go","content":""}},{"type":"tool_use","id":"d","name":"Edit","input":{"file_path":"/w/b.go","old_string":"","new_string":"b\n"}},{"type":"tool_use","id":"e","name":"Edit","input":{"file_path":"/w/c.go","old_string":"","new_string":"c\n"}}]}}
{"type":"user","uuid":"2","cwd":"/w","toolUseResult":{"type":"create","content":"","structuredPatch":[],"originalFile":null},"message":{"content":[{"type":"tool_result","tool_use_id":"a","content":"ok"}]}}
{"type":"user","uuid":"3","cwd":"/w","toolUseResult":{"type":"update","content":"a\n","structuredPatch":[],"originalFile":""},"message":{"content":[{"type":"tool_result","tool_use_id":"b","content":"ok"}]}}
{"type":"user","uuid":"4","cwd":"/w","toolUseResult":{"type":"create","content":"","structuredPatch":[],"originalFile":null},"message":{"content":[{"type":"tool_result","tool_use_id":"c","content":"ok"}]}}
{"type":"user","uuid":"5","cwd":"/w","toolUseResult":{"oldString":"","newString":"b\n","structuredPatch":[{"oldStart":0,"oldLines":0,"newStart":1,"newLines":1,"lines":["+b"]}],"originalFile":""},"message":{"content":[{"type":"tool_result","tool_use_id":"d","content":"ok"}]}}
{"type":"user","uuid":"6","cwd":"/w","toolUseResult":{"oldString":"","newString":"c\n","structuredPatch":[{"oldStart":0,"oldLines":0,"newStart":1,"newLines":1,"lines":["+c"]}],"originalFile":""},"message":{"content":[{"type":"tool_result","tool_use_id":"e","content":"ok"}]}}
`, map[string]string{"a.go": ""}, map[string]string{"new": empty, "a.go": "a\n", "b.go": "b\n", "c.go": "c\n"}},
		{"names with marks", `{"type":"assistant","uuid":"1","cwd":"/w","message":{"content":[{"type":"tool_use","id":"a","name":"Write","input":{"file_path":"/w/a \"b\"\n\té","content":"x\n"}},{"type":"tool_use","id":"b","name":"Edit","input":{"file_path":"/w/\"q\"","old_string":"5\n6\n7","new_string":"5\nsix\n7"}},{"type":"tool_use","id":"c","name":"apply_patch","input":{"patch":"*** Begin Patch\n*** Update File: m\"1\n*** Move to: m\"2\n@@\n 5\n-6\n+six\n 7\n*** End Patch\n"}},{"type":"tool_use","id":"d","name":"Write","input":{"file_path":"/w/.GIT/config","content":"x\n"}},{"type":"tool_use","id":"e","name":"Write","input":{"file_path":"/w/\u007f","content":"x\n"}}]}}
{"type":"user","uuid":"2","cwd":"/w","message":{"content":[{"type":"tool_result","tool_use_id":"a","content":"ok"},{"type":"tool_result","tool_use_id":"b","content":"ok"},{"type":"tool_result","tool_use_id":"c","content":"ok"},{"type":"tool_result","tool_use_id":"d","content":"ok"},{"type":"tool_result","tool_use_id":"e","content":"ok"}]}}
`, map[string]string{`"q"`: long, `m"1`: long}, map[string]string{"a \"b\"\n\té": "x\n", `"q"`: strings.Replace(long, "6", "six", 1), `m"1`: "", `m"2`: strings.Replace(long, "6", "six", 1)}},
		{"a backslash in a name", `{"type":"assistant","uuid":"1","cwd":"/w","message":{"content":[{"type":"tool_use","id":"a","name":"Write","input":{"file_path":"/w/a\\b\"","content":"x\n"}},{"type":"tool_use","id":"b","name":"Write","input":{"file_path":"c\\d","content":"x\n"}}]}}
{"type":"user","uuid":"2","cwd":"/w","message":{"content":[{"type":"tool_result","tool_use_id":"a","content":"ok"},{"type":"tool_result","tool_use_id":"b","content":"ok"}]}}
`, nil, map[string]string{`a\b"`: "x\n", `c\d`: "x\n"}},
		{"Windows", `{"type":"assistant","uuid":"1","cwd":"C:\\w","message":{"content":[{"type":"tool_use","id":"a","name":"Write","input":{"file_path":"C:\\w\\a\\b","content":"x\n"}},{"type":"tool_use","id":"b","name":"Write","input":{"file_path":"c\\d","content":"x\n"}}]}}
{"type":"user","uuid":"2","cwd":"C:\\w","message":{"content":[{"type":"tool_result","tool_use_id":"a","content":"ok"},{"type":"tool_result","tool_use_id":"b","content":"ok"}]}}
`, nil, map[string]string{"a/b": "x\n", "c/d": "x\n"}},
		{"what git would not take", `{"type":"assistant","uuid":"1","cwd":"/w","message":{"content":[{"type":"tool_use","id":"a","name":"Write","input":{"file_path":"/w/./a.go","content":"x\n"}},{"type":"tool_use","id":"b","name":"Write","input":{"file_path":"/w/a.go","content":"x\n"}},{"type":"tool_use","id":"d","name":"Write","input":{"file_path":"/etc/evil","content":"x\n"}},{"type":"tool_use","id":"e","name":"Write","input":{"file_path":"/w/../evil","content":"x\n"}},{"type":"tool_use","id":"f","name":"Write","input":{"file_path":"/w/.git/config","content":"x\n"}}]}}
{"type":"user","uuid":"2","cwd":"/w/sub","message":{"content":[{"type":"tool_result","tool_use_id":"a","content":"ok"},{"type":"tool_result","tool_use_id":"b","content":"ok"},{"type":"tool_result","tool_use_id":"d","content":"ok"},{"type":"tool_result","tool_use_id":"e","content":"ok"},{"type":"tool_result","tool_use_id":"f","content":"ok"}]}}
{"type":"assistant","uuid":"3","cwd":"/w/sub","message":{"content":[{"type":"tool_use","id":"g","name":"Write","input":{"file_path":"/w/sub/c.go","content":"c\n"}},{"type":"tool_use","id":"h","name":"Edit","input":{"file_path":"/w/a.go","old_string":"y","new_string":"z"}}]}}
{"type":"user","uuid":"4","cwd":"/w/sub","toolUseResult":{"structuredPatch":[{"oldStart":1,"oldLines":1,"newStart":1,"newLines":1,"lines":["-never","+ever"]}]},"message":{"content":[{"type":"tool_result","tool_use_id":"h","content":"ok"}]}}
{"type":"user","uuid":"5","cwd":"/w/sub","message":{"content":[{"type":"tool_result","tool_use_id":"g","content":"ok"}]}}
`, map[string]string{"b.go": "b\n"}, map[string]string{"a.go": "x\n", "b.go": "b\n", "sub/c.go": "c\n", "../evil": "", "etc/evil": ""}},
	}
	bin := built(t)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			cmd := shell(t, bin, "set -eo pipefail\ngit init -q w; cd w; jlpath -as ../log.jsonl | jq -nr 'patch(inputs)' | git apply")
			require.NoError(t, os.WriteFile(filepath.Join(cmd.Dir, "log.jsonl"), []byte(test.log), 0o600))
			w := filepath.Join(cmd.Dir, "w")
			for path, text := range test.before {
				require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(w, path)), 0o700))
				require.NoError(t, os.WriteFile(filepath.Join(w, path), []byte(text), 0o600))
			}
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", out)
			for path, want := range test.after {
				text, err := os.ReadFile(filepath.Join(w, path))
				if want == "" {
					require.ErrorIs(t, err, os.ErrNotExist)
					continue
				}
				require.NoError(t, err)
				if want == empty {
					want = ""
				}
				require.Equal(t, want, string(text), path)
			}
		})
	}
}

// TestMessages wants of the messages of each log what the Messages API and the Chat Completions API
// want: roles that alternate, and the result of each call next.
func TestMessages(t *testing.T) {
	env.Needs(t, "jq")
	id := regexp.MustCompile(`^[A-Za-z0-9_-]+$`)
	calls := 0
	input := rowsOf(t, "../testdata/questions*.jsonl", "testdata/jq/*.jsonl")
	run := runJq(t, "jq", "jl.jq", "-nc", "[inputs] as $all | messages($all[]), openai($all[])", input)
	require.Zero(t, run.status, run.message)
	for line := range strings.Lines(run.out) {
		var messages []struct {
			Role    string
			Content any
			Calls   []struct{ ID string } `json:"tool_calls"`
			Answers string                `json:"tool_call_id"`
		}
		require.NoError(t, json.Unmarshal([]byte(line), &messages))
		require.NotEmpty(t, messages, line)
		require.Equal(t, "user", messages[0].Role, line)
		open := map[string]bool{} // calls without their results
		before := ""
		for _, m := range messages {
			if m.Role == "tool" {
				require.True(t, open[m.Answers], line)
				delete(open, m.Answers)
				before = m.Role
				continue
			}
			require.NotEqual(t, before, m.Role, line)
			before = m.Role
			blocks, _ := m.Content.([]any)
			results := 0
			for i, b := range blocks {
				b := b.(map[string]any)
				switch b["type"] {
				case "tool_use":
					calls++
					require.Regexp(t, id, b["id"])
					require.Regexp(t, id, b["name"])
					require.IsType(t, map[string]any{}, b["input"])
					open[b["id"].(string)] = true
				case "tool_result":
					require.Equal(t, results, i, "results come first: %s", line)
					results++
					require.True(t, open[b["tool_use_id"].(string)], line)
					delete(open, b["tool_use_id"].(string))
				case "text":
					require.NotEmpty(t, strings.TrimSpace(b["text"].(string)))
				case "image", "document":
					require.Contains(t, []any{"base64", "url"}, b["source"].(map[string]any)["type"])
				default:
					require.Contains(t, []any{"image_url"}, b["type"])
				}
			}
			if m.Role == "user" {
				require.Empty(t, open, line)
			}
			for _, c := range m.Calls {
				open[c.ID] = true
			}
		}
		require.Empty(t, open, line)
	}
	require.Greater(t, calls, 20)
}

// TestPageCountsAsTheLibrary wants the tokens and the seconds of each prompt in the page of each log, and the seconds in its head, to be
// those of usage_by and active_by, and what both files say to be the same words.
func TestPageCountsAsTheLibrary(t *testing.T) {
	library, page := string(readFile(t, "../share/jl/jl.jq")), string(readFile(t, "../share/jl/page.jq"))
	shared := 0
	for _, def := range strings.Split(page, "\ndef ") {
		if def, _, _ = strings.Cut(def, "\n\n"); strings.HasPrefix(def, "jl_") {
			shared++
			require.Contains(t, library, "\ndef "+def)
		}
	}
	require.GreaterOrEqual(t, shared, 10)
	needs(t, "jq")
	const program = `def span: if . < 1 then "" elif . < 60 then "\(floor) s" elif . < 3600 then "\(. / 60 | floor) min" + (if . < 600 and . % 60 > 0 then " \(. % 60 | floor) s" else "" end)
			elif . < 172800 then "\(. / 3600 | floor) h \(. % 3600 / 60 | floor) min" else "\(. / 86400 | floor) days" end;
		def count: if . < 1000 then "\(.)" elif . < 10000 then "\(. / 1000 | floor),\(tostring[1:])" elif . < 1000000 then "\(. / 1000 | round)k" else "\(. / 100000 | round / 10)M" end;
		inputs as $rows | null | "next", (
		  (reduce (usage_by({prompt}; $rows[]) | select(.prompt)) as $of ({}; . + {($of.prompt): {out: $of.output}})) as $used
		| (reduce (active_by({prompt, who}; $rows[]) | select(.prompt and .who == "agent")) as $of ($used; . + {($of.prompt): (.[$of.prompt] + {seconds: $of.seconds})}))[]
		| [(.out | select(.) | if . == 1 then "1 token out" else "\(count) tokens out" end), (.seconds | select(.) | span | select(. != ""))] | select(. != []) | join(" · "))`
	shown := regexp.MustCompile(`<section id=[^>]*><div[^>]* class=prompt><h2><a [^>]*>#\d+</a><span>(.*?)</span><time>`)
	figure := regexp.MustCompile(`(?:^| · )((?:[\d.,]+[kM]? tokens? out)?(?: · )?(?:\d+ (?:s|min(?: \d+ s)?|h \d+ min|days))?)$`)
	var inputs [][]string // of each the FILEs
	for _, pattern := range []string{"../testdata/questions*.jsonl", "../testdata/demo.jsonl", "testdata/jq/*.jsonl", "testdata/pause.jsonl"} {
		some, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, some)
		for _, log := range some {
			inputs = append(inputs, []string{log})
		}
	}
	inputs = append(inputs, forksInEachOrder()...)
	var rows bytes.Buffer // of each input an array
	inputs = slices.DeleteFunc(inputs, func(logs []string) bool {
		some, _ := exec.Command(filepath.Join(built(t), "jlpath"), append([]string{"-as"}, logs...)...).Output()
		if len(some) > 0 {
			fmt.Fprintf(&rows, "[%s]\n", strings.ReplaceAll(strings.TrimSpace(string(some)), "\n", ","))
		}
		return len(some) == 0
	})
	run := runJq(t, "jq", "jl.jq", "-nr", program, rows.Bytes())
	require.Zero(t, run.status, run.message)
	pages := runJq(t, "jq", "page.jq", "-nr", `inputs as $all | null | "next", html($all[])`, rows.Bytes())
	require.Zero(t, pages.status, pages.message)
	next := regexp.MustCompile(`(?m)^next\n`)
	answers, pagesOf := next.Split(run.out, -1)[1:], next.Split(pages.out, -1)[1:]
	require.Len(t, answers, len(inputs))
	require.Len(t, pagesOf, len(inputs))
	compared := 0
	for i, logs := range inputs {
		var want, got []string
		for line := range strings.Lines(answers[i]) {
			want = append(want, strings.TrimSpace(line))
		}
		for _, m := range shown.FindAllStringSubmatch(pagesOf[i], -1) {
			if f := figure.FindStringSubmatch(m[1]); f != nil && f[1] != "" {
				got = append(got, f[1])
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		want = slices.DeleteFunc(want, func(s string) bool { return s == "" })
		require.Equal(t, want, got, logs)
		compared += len(got)
	}
	require.Greater(t, compared, 10)
}
