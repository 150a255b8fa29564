package data

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"jl/test/torture/harness"
)

// A growing is a log of any size, of which a careless program looks at something again for each other thing.
type growing struct {
	name string
	log  func(n int) string
}

// each joins n parts.
func each(n int, part func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(part(i))
	}
	return b.String()
}

// lines is a log of n times the same line, in which # is a number.
func lines(line string) func(n int) string {
	return func(n int) string {
		return each(n, func(i int) string { return strings.ReplaceAll(line, "#", fmt.Sprint(i)) + "\n" })
	}
}

// at returns the time of the i-th entry.
func at(i int) string {
	return `"timestamp":"` + time.Unix(1772442000+int64(i), 0).UTC().Format("2006-01-02T15:04:05.000Z") + `"`
}

// userAt returns an entry of the user, and modelAt one of a message of the model.
func userAt(i int, parent, content string) string {
	return fmt.Sprintf(`{"type":"user","uuid":"%d","parentUuid":%s,"sessionId":"s",%s,"message":{"role":"user","content":%s}}`+"\n", i, parent, at(i), content)
}

func modelAt(i int, parent, message, content, usage string) string {
	return fmt.Sprintf(`{"type":"assistant","uuid":"%d","parentUuid":%s,"sessionId":"s",%s,"message":{"id":"%s","role":"assistant","content":[%s],"usage":{%s}}}`+"\n",
		i, parent, at(i), message, content, usage)
}

func quote(i int) string { return fmt.Sprintf(`"%d"`, i) }

// nested is one entry with a value in it that is n deep.
func nested(open, inner, closed string) func(n int) string {
	return func(n int) string {
		return userAt(0, "null", `"x"`) + modelAt(1, `"0"`, "m", strings.Repeat(open, n)+inner+strings.Repeat(closed, n), `"output_tokens":1`)
	}
}

// inOneText is one prompt with n times the same words.
func inOneText(words string) func(n int) string {
	return func(n int) string {
		return userAt(0, "null", `"`+strings.TrimSuffix(lines(words)(n), "\n")+`"`) + modelAt(1, `"0"`, "m", `{"type":"text","text":"x"}`, "")
	}
}

func toolUse(i int) string {
	return fmt.Sprintf(`{"type":"tool_use","id":"t%d","name":"Bash","input":{"command":"x"}}`, i)
}

func toolResult(i int) string {
	return fmt.Sprintf(`{"type":"tool_result","tool_use_id":"t%d","content":"x"}`, i)
}

// list joins n parts with commas.
func list(n int, part func(i int) string) string {
	return strings.TrimSuffix(each(n, func(i int) string { return part(i) + "," }), ",")
}

var growings = []growing{
	{"blocks in one another", nested(`{"type":"tool_use","id":"t","name":"x","input":{},"toolCall":`, `{}`, `}`)},
	{"data in one another", nested(`{"data":`, `{}`, `}`)},
	{"functions in one another", nested(`{"function":`, `{}`, `}`)},
	{"lists in one another", nested(`[`, ``, `]`)},
	{"caches in one another", func(n int) string {
		return userAt(0, "null", `"x"`) + modelAt(1, `"0"`, "m", "", strings.Repeat(`"cache":{`, n)+`"read":1`+strings.Repeat(`}`, n))
	}},
	{"runs of Codex", lines(`{"type":"thread.started","thread_id":"#"}` + "\n" + `{"type":"turn.completed","usage":{"input_tokens":1,"cached_input_tokens":0,"output_tokens":1}}`)},
	{"runs of Claude", lines(`{"type":"system","subtype":"init","session_id":"#","model":"o","cwd":"/w"}` + "\n" +
		`{"type":"assistant","session_id":"#","message":{"id":"m#","content":[{"type":"text","text":"x"}],"usage":{"output_tokens":1}}}` + "\n" +
		`{"type":"result","subtype":"success","session_id":"#","result":"x","total_cost_usd":1,"usage":{"output_tokens":2}}`)},
	{"runs of Gemini", lines(`{"type":"init","session_id":"#","model":"g"}` + "\n" + `{"type":"message","role":"user","content":"x"}` + "\n" + `{"type":"result","status":"success","stats":{"input_tokens":1,"output_tokens":1}}`)},
	{"lost entries of one message", func(n int) string {
		return userAt(0, "null", `"x"`) + each(n, func(i int) string {
			return modelAt(2*i+1, `"0"`, "m", `{"type":"text","text":"\q"}`, "") + modelAt(2*i+2, quote(2*i+1), fmt.Sprint("m", i), `{"type":"text","text":"x"}`, "")
		})
	}},
	{"calls in one entry", func(n int) string { return userAt(0, "null", `"x"`) + modelAt(1, `"0"`, "m", list(n, toolUse), "") }},
	{"calls of one message", func(n int) string {
		return userAt(0, "null", `"x"`) + each(n, func(i int) string { return modelAt(i+1, quote(i), "m", toolUse(i), `"output_tokens":1`) })
	}},
	{"results in reverse order", func(n int) string {
		return userAt(0, "null", `"x"`) + modelAt(1, `"0"`, "m", list(n, toolUse), "") + each(n, func(i int) string { return userAt(i+2, `"1"`, "["+toolResult(n-1-i)+"]") })
	}},
	{"results in one entry", func(n int) string {
		return userAt(0, "null", `"x"`) + modelAt(1, `"0"`, "m", list(n, toolUse), "") + userAt(2, `"1"`, "["+list(n, toolResult)+"]")
	}},
	{"a call again and again", func(n int) string {
		return userAt(0, "null", `"x"`) + each(n, func(i int) string {
			return modelAt(2*i+1, quote(2*i), fmt.Sprint("m", i), toolUse(0), "") + userAt(2*i+2, quote(2*i+1), "["+toolResult(0)+"]")
		})
	}},
	{"a queue in reverse order", func(n int) string {
		return each(n, func(i int) string {
			return fmt.Sprintf(`{"type":"queue-operation","operation":"enqueue",%s,"sessionId":"s","content":"word %d"}`+"\n", at(i), i)
		}) + each(n, func(i int) string {
			parent := "null"
			if i > 0 {
				parent = quote(n + i - 1)
			}
			return userAt(n+i, parent, fmt.Sprintf(`"word %d"`, n-1-i))
		})
	}},
	{"a queue that nobody says", func(n int) string {
		return userAt(0, "null", `"x"`) + lines(`{"type":"queue-operation","operation":"enqueue","timestamp":"2026-03-02T09:00:00.000Z","sessionId":"s","content":"word #"}`)(n) +
			lines(`{"type":"queue-operation","operation":"remove","timestamp":"2026-03-02T09:00:01.000Z","sessionId":"s","content":"word #"}`)(n/2)
	}},
	{"notices before what is typed in a queue", func(n int) string {
		return userAt(0, "null", `"x"`) + lines(`{"type":"queue-operation","operation":"enqueue","timestamp":"2026-03-02T09:00:00.000Z","sessionId":"s","content":"<task-notification>#</task-notification>"}`)(n) +
			lines(`{"type":"queue-operation","operation":"enqueue","timestamp":"2026-03-02T09:00:00.000Z","sessionId":"s","content":"word #"}`)(n) +
			lines(`{"type":"queue-operation","operation":"dequeue","timestamp":"2026-03-02T09:00:01.000Z","sessionId":"s"}`)(n)
	}},
	{"a queue in one prompt", func(n int) string {
		return userAt(0, "null", `"x"`) + lines(`{"type":"queue-operation","operation":"enqueue","timestamp":"2026-03-02T09:00:00.000Z","sessionId":"s","content":"word #"}`)(n) +
			userAt(1, `"0"`, `"`+strings.ReplaceAll(strings.TrimSuffix(lines("word #")(n), "\n"), "\n", `\n`)+`"`)
	}},
	{"one text in the queue", func(n int) string {
		return userAt(0, "null", `"x"`) + lines(`{"type":"queue-operation","operation":"enqueue","timestamp":"2026-03-02T09:00:00.000Z","sessionId":"s","content":"x"}`)(n)
	}},
	{"sub-agents in reports", func(n int) string {
		return userAt(0, "null", `"x"`) + modelAt(1, `"0"`, "m", list(n, toolUse), "") + each(n, func(i int) string {
			return fmt.Sprintf(`{"type":"progress","uuid":"p%d","parentUuid":"1","sessionId":"s",%s,"parentToolUseID":"t%d","data":{"type":"agent_progress","agentId":"a%d","message":{"type":"user","message":{"role":"user","content":"x"}}}}`+"\n", i, at(i), i, i)
		})
	}},
	{"compactions", func(n int) string { return each(n, compaction) }},
	{"summaries of the same entries", func(n int) string {
		return userAt(0, "null", `"x"`) + each(n, func(i int) string {
			b := 3*i + 1
			return fmt.Sprintf(`{"type":"system","subtype":"compact_boundary","uuid":"%d","parentUuid":null,"logicalParentUuid":"%d",%s,"compactMetadata":{"preservedSegment":{"headUuid":"0","anchorUuid":"%d","tailUuid":"%d"}}}`+"\n", b, b-1, at(b), b, b-1) +
				userAt(b+1, quote(b), `"y"`) + modelAt(b+2, quote(b+1), fmt.Sprint("m", i), `{"type":"text","text":"x"}`, "")
		})
	}},
	{"lost parents", func(n int) string {
		return each(n, func(i int) string { return userAt(i, fmt.Sprintf(`"gone%d"`, i), `"x"`) })
	}},
	{"plans", func(n int) string {
		return each(n, func(i int) string { return userAt(i, "null", `"Implement the following plan:\n\n# x"`) })
	}},
	{"roots", func(n int) string { return each(n, func(i int) string { return userAt(i, "null", `"x"`) }) }},
	{"branches", func(n int) string {
		return userAt(0, "null", `"x"`) + each(n, func(i int) string { return userAt(i+1, `"0"`, `"x"`) })
	}},
	{"branches of branches", func(n int) string {
		return userAt(0, "null", `"x"`) + each(n, func(i int) string {
			return modelAt(2*i+1, quote(2*i), fmt.Sprint("m", i), `{"type":"text","text":"x"}`, "") + userAt(2*i+2, quote(2*i+max(i%2, 0)), `"x"`)
		})
	}},
	{"titles", lines(`{"type":"custom-title","customTitle":"x#","sessionId":"s"}` + "\n" + `{"type":"summary","summary":"y#","leafUuid":"#"}` + "\n" + `{"type":"user","uuid":"#","parentUuid":null,"message":{"role":"user","content":"x"}}`)},
	{"sessions", lines(`{"type":"user","uuid":"#","parentUuid":null,"sessionId":"#","cwd":"/w#","timestamp":"2026-03-02T09:00:00.000Z","message":{"role":"user","content":"x"}}`)},
	{"unknown types", lines(`{"type":"new#","uuid":"#","parentUuid":null,"sessionId":"s"}`)},
	{"hooks", lines(`{"type":"progress","uuid":"#","parentUuid":null,"toolUseID":"t#","data":{"type":"hook_progress","hookName":"x","command":"y"}}`)},
	{"reminders", inOneText(`<system-reminder>x</system-reminder>`)},
	{"reminders that stay open", inOneText(`<system-reminder>`)},
	{"reminders in one another", func(n int) string {
		return userAt(0, "null", `"`+strings.Repeat("<system-reminder>", n)+"x"+strings.Repeat("</system-reminder>", n)+`"`)
	}},
	{"notices of tasks", inOneText(`<task-notification><tool-use-id>t</tool-use-id><summary>x</summary></task-notification>`)},
	{"what peers say", inOneText(`<teammate-message teammate_id=\"a#\">x</teammate-message>`)},
	{"pictures", func(n int) string {
		return userAt(0, "null", "["+list(n, func(int) string {
			return `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"eA=="}}`
		})+"]")
	}},
	{"a list of what there is to do", func(n int) string {
		todos := func(status string) string {
			return list(n, func(i int) string { return fmt.Sprintf(`{"content":"x%d","status":"%s"}`, i, status) })
		}
		call := func(id, status string) string {
			return `{"type":"tool_use","id":"` + id + `","name":"TodoWrite","input":{"todos":[` + todos(status) + `]}}`
		}
		return userAt(0, "null", `"x"`) + modelAt(1, `"0"`, "m", call("t", "pending"), "") + modelAt(2, `"1"`, "n", call("u", "completed"), "")
	}},
	{"tasks", func(n int) string {
		call := func(i int, name, input string) string {
			return modelAt(2*i+1, quote(2*i), fmt.Sprint("m", i), fmt.Sprintf(`{"type":"tool_use","id":"t%d","name":"%s","input":{%s}}`, i, name, input), "") +
				userAt(2*i+2, quote(2*i+1), "["+toolResult(i)+"]")
		}
		return userAt(0, "null", `"x"`) + each(n, func(i int) string { return call(i, "TaskCreate", `"subject":"x"`) }) +
			each(n, func(i int) string {
				return call(n+i, "TaskUpdate", fmt.Sprintf(`"taskId":"%d","status":"completed"`, i+1))
			})
	}},
	{"an edit of many lines", func(n int) string {
		text := func(s string) string { return strings.Repeat(s+`\n`, n) }
		return userAt(0, "null", `"x"`) + modelAt(1, `"0"`, "m", `{"type":"tool_use","id":"t","name":"Edit","input":{"file_path":"/w/a","old_string":"`+text("a")+`","new_string":"`+text("b")+`"}}`, "") +
			userAt(2, `"1"`, "["+strings.Replace(toolResult(0), "t0", "t", 1)+"]")
	}},
	{"snapshots", lines(`{"type":"file-history-snapshot","messageId":"#","snapshot":{"messageId":"#","trackedFileBackups":{"a#":{"backupFileName":"b@v1","version":1}},"timestamp":"2026-03-02T09:00:00.000Z"},"isSnapshotUpdate":false}` + "\n" +
		`{"type":"user","uuid":"#","parentUuid":null,"message":{"role":"user","content":"x"}}`)},
	{"a log twice", func(n int) string {
		log := each(n, func(i int) string {
			return userAt(i, map[bool]string{true: "null", false: quote(i - 1)}[i == 0], `"x"`)
		})
		return log + log
	}},
	{"entries on one line", func(n int) string {
		return `{"type":"user","message":"` + strings.ReplaceAll(each(n, func(i int) string {
			return userAt(i, map[bool]string{true: "null", false: quote(i - 1)}[i == 0], `"x"`)
		}), "\n", "") + "\n"
	}},
	{"a torn line of braces", func(n int) string { return userAt(0, "null", `"x"`) + strings.Repeat(`{"a":`, n) + "\n" }},
	{"calls of Codex", func(n int) string {
		return `{"type":"session_meta","timestamp":"2026-03-02T09:00:00.000Z","payload":{"id":"s","cwd":"/w"}}` + "\n" + each(n, func(i int) string {
			return fmt.Sprintf(`{"type":"response_item",%s,"payload":{"type":"function_call","name":"shell","call_id":"c%d","arguments":"{}"}}`+"\n"+
				`{"type":"event_msg",%s,"payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":%d,"output_tokens":1},"last_token_usage":{"input_tokens":1,"output_tokens":1}}}}`+"\n", at(i), i, at(i), i)
		})
	}},
	{"folders", lines(`{"type":"user","uuid":"#","parentUuid":null,"sessionId":"s","cwd":"/w/#","message":{"role":"user","content":"x"}}` + "\n" +
		`{"type":"assistant","uuid":"a#","parentUuid":"#","sessionId":"s","cwd":"/w/#","message":{"id":"m#","content":[{"type":"tool_use","id":"t#","name":"Edit","input":{"file_path":"/w/#/a","old_string":"a","new_string":"b"}}]}}`)},
	{"pieces of a message beside each other", func(n int) string {
		return userAt(0, "null", `"x"`) + each(n, func(i int) string { return modelAt(i+1, `"0"`, "m", `{"type":"text","text":"x"}`, `"output_tokens":1`) })
	}},
	{"pieces of two messages in turns", func(n int) string {
		return userAt(0, "null", `"x"`) + each(n, func(i int) string { return modelAt(i+1, quote(i), fmt.Sprint("m", i%2), toolUse(i), "") })
	}},
	{"sub-agents in the log", func(n int) string {
		side := strings.NewReplacer(`"sessionId"`, `"isSidechain":true,"sessionId"`)
		return userAt(0, "null", `"x"`) + modelAt(1, `"0"`, "m", list(n, toolUse), "") + each(n, func(i int) string {
			return side.Replace(userAt(2*i+2, "null", `"p"`) + modelAt(2*i+3, quote(2*i+2), fmt.Sprint("a", i), `{"type":"text","text":"x"}`, ""))
		})
	}},
	{"commands in the background", func(n int) string {
		return userAt(0, "null", `"x"`) + modelAt(1, `"0"`, "m", list(n, toolUse), "") + each(n, func(i int) string {
			return strings.Replace(userAt(i+2, `"1"`, "["+toolResult(i)+"]"), `"sessionId"`, fmt.Sprintf(`"toolUseResult":{"backgroundTaskId":"b%d"},"sessionId"`, i), 1)
		}) + each(n, func(i int) string {
			return userAt(n+i+2, quote(n+1), fmt.Sprintf(`"<task-notification><task-id>b%d</task-id><tool-use-id>t%d</tool-use-id><status>completed</status></task-notification>"`, n-1-i, n-1-i))
		})
	}},
	{"renames of a file", func(n int) string {
		return userAt(0, "null", `"x"`) + each(n, func(i int) string {
			return modelAt(2*i+1, quote(2*i), fmt.Sprint("m", i), fmt.Sprintf(`{"type":"tool_use","id":"t%d","name":"Bash","input":{"command":"git mv a%d a%d"}}`, i, i, i+1), "") +
				userAt(2*i+2, quote(2*i+1), "["+toolResult(i)+"]")
		})
	}},
	{"copies with other ids", lines(`{"type":"user","uuid":"#","parentUuid":null,"sessionId":"s","forkedFrom":{"sessionId":"o#","messageUuid":"x#"},"message":{"role":"user","content":"x"}}`)},
	{"texts of Codex, as events and as items", func(n int) string {
		return `{"type":"session_meta","timestamp":"2026-03-02T09:00:00.000Z","payload":{"id":"s","cwd":"/w"}}` + "\n" +
			lines(`{"type":"event_msg","timestamp":"2026-03-02T09:00:00.000Z","payload":{"type":"user_message","message":"x#"}}`)(n) +
			lines(`{"type":"response_item","timestamp":"2026-03-02T09:00:00.000Z","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"x#"}]}}`)(n)
	}},
	{"turns of Codex that are undone", func(n int) string {
		return `{"type":"session_meta","timestamp":"2026-03-02T09:00:00.000Z","payload":{"id":"s","cwd":"/w"}}` + "\n" +
			lines(`{"type":"event_msg","timestamp":"2026-03-02T09:00:00.000Z","payload":{"type":"user_message","message":"x#"}}`)(n) +
			lines(`{"type":"event_msg","timestamp":"2026-03-02T09:00:00.000Z","payload":{"type":"thread_rolled_back","num_turns":1}}`)(n)
	}},
	{"compactions of pi", func(n int) string {
		return `{"type":"session","version":3,"id":"s","cwd":"/w"}` + "\n" + each(n, func(i int) string {
			return fmt.Sprintf(`{"type":"message","id":"a%d","parentId":"b%d","message":{"role":"user","content":"x"}}`+"\n"+
				`{"type":"compaction","id":"b%d","parentId":"a%d","summary":"x","firstKeptEntryId":"a0"}`+"\n", i, i-1, i, i)
		})
	}},
	{"messages of Gemini that are undone", func(n int) string {
		return `{"sessionId":"s","projectHash":"p","startTime":"2026-03-02T09:00:00.000Z","lastUpdated":"2026-03-02T09:00:00.000Z","kind":"main"}` + "\n" +
			lines(`{"id":"m#","timestamp":"2026-03-02T09:00:00.000Z","type":"user","content":"x"}`+"\n"+`{"$rewindTo":"gone#"}`)(n) + `{"$rewindTo":"m0"}` + "\n"
	}},
	{"events of Copilot that are undone", func(n int) string {
		return `{"type":"session.start","id":"e0","parentId":null,"timestamp":"2026-03-02T09:00:00.000Z","data":{"sessionId":"s"}}` + "\n" + each(n, func(i int) string {
			return fmt.Sprintf(`{"type":"user.message","id":"e%d","parentId":"e%d",%s,"data":{"content":"x"}}`+"\n"+
				`{"type":"session.snapshot_rewind","id":"e%d","parentId":"e%d",%s,"data":{"upToEventId":"e%d","eventsRemoved":1}}`+"\n", 2*i+1, 2*i, at(i), 2*i+2, 2*i+1, at(i), i)
		})
	}},
	{"an array of messages", func(n int) string {
		return "[" + list(n, func(i int) string { return fmt.Sprintf(`{"role":"user","content":[{"type":"text","text":"x%d"}]}`, i) }) + "]\n"
	}},
	{"a message of Gemini again and again", func(n int) string {
		return `{"sessionId":"s","projectHash":"p","startTime":"2026-03-02T09:00:00.000Z","lastUpdated":"2026-03-02T09:00:00.000Z","kind":"main"}` + "\n" +
			each(n, func(i int) string { return fmt.Sprintf(`{"id":"m%d",%s,"type":"user","content":"x"}`+"\n", i%2, at(i)) })
	}},
}

// TestLinear gives the programs logs of n and of 4 n of what a careless program looks at again for each other thing: they take less
// than nine times as long, where what is squared takes sixteen times. A short test reads all logs in one run.
func TestLinear(t *testing.T) {
	p := harness.NewPromise(t, "P16", "…and of anything else that a log may have many of")
	commands, n := []string{"jlpath -st", "jltree --check"}, 300
	if !testing.Short() {
		n = 2000
		commands = append(commands, "jlpath --session s", "jlpath -as", "jlpath -a", "jlpath --bridge --meta", "jlpath --as claude-2.1", "jltree", "jltree --graph",
			"jlleaf -a", "jlsnap", "jlrev", "jlcompact", "jlcompact --last 5", "jlcompact --list", "jlrel --list", "jlrel --home . --links")
	}
	dir := harness.Dir(t)
	logs := map[string]string{} // by what is in them: the names of those of n
	for i, g := range growings {
		little := fmt.Sprintf("%d.jsonl", i)
		harness.Write(t, dir, map[string]string{little: g.log(n), "4" + little: g.log(4 * n)})
		if name := g.name; !testing.Short() {
			logs[name] = little
		} else {
			logs["all logs"] += " " + little
		}
	}
	steepest, which := 0.0, ""
	for _, name := range slices.Sorted(maps.Keys(logs)) {
		for _, line := range commands {
			took := func(logs string) time.Duration {
				got, _ := measure(t, dir, line+" "+logs)
				p.Check(harness.ProblemOfEnd(strings.Fields(line)[0], got.Outcome), "%s of %s: %v", line, name, got.Outcome)
				return got.CPU
			}
			ratio := math.Inf(1)
			for try := 0; try < 3 && ratio > 9; try++ { // a time is never too short, but may be too long
				const start = 10 * time.Millisecond // and what the clock does not tell
				ratio = float64(took(strings.ReplaceAll(" "+logs[name], " ", " 4"))) / float64(took(logs[name])+start)
			}
			p.Try(ratio <= 9, "%s of %s: 4 times as many as %d take %.1f times as long", line, name, n, ratio)
			if x := math.Log(ratio) / math.Log(4); x > steepest {
				steepest, which = x, line+", "+name
			}
		}
	}
	p.Remark("%d logs; steepest: exponent %.2f (%s)", len(growings), steepest, which)
}
