package dialect

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
)

// words are the entries of the logs below, by dialect. A word may be followed by "=" and what
// stands for %s in its entry.
var words = map[Dialect]map[string]string{
	Codex: {
		"meta":       `{"type":"session_meta","payload":{}}`,
		"task":       `{"type":"event_msg","payload":{"type":"task_started"}}`,
		"turn":       `{"type":"event_msg","payload":{"type":"turn_started"}}`,
		"context":    `{"type":"turn_context","payload":{}}`,
		"item":       `{"type":"response_item","payload":{"type":"message","role":"user"}}`,
		"prompt":     `{"type":"event_msg","payload":{"type":"user_message","message":""}}`,
		"newer":      `{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"UserMessage","content":[]}}}`,
		"answer":     `{"type":"response_item","payload":{"type":"message","role":"assistant"}}`,
		"agent":      `{"type":"response_item","payload":{"type":"agent_message"}}`,
		"talk":       `{"type":"inter_agent_communication","payload":{}}`,
		"about":      `{"type":"inter_agent_communication_metadata","payload":{}}`,
		"compacted":  `{"type":"compacted","payload":{"replacement_history":[]}}`,
		"summarized": `{"type":"compacted","payload":{"message":"s"}}`,
		"undo":       `{"type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":%s}}`,
		"at":         `{"ordinal":%s,"type":"response_item","payload":{"type":"message","role":"assistant"}}`,
		"first":      `{"ordinal":0,"type":"session_meta","payload":{"id":"t"}}`,
		"revert":     `{"type":"session_meta","payload":{"id":"t","history_base":{"thread_id":"t","end_ordinal_exclusive":%s}}}`,
		"fork":       `{"type":"session_meta","payload":{"id":"u","history_base":{"thread_id":"u","end_ordinal_exclusive":%s}}}`,
	},
	Gemini: {
		"header":   `{"sessionId":"s","projectHash":"p","startTime":"t"}`,
		"user":     `{"id":"%s","type":"user","content":"x"}`,
		"rewind":   `{"$rewindTo":"%s"}`,
		"snapshot": `{"$set":{"messages":[{"id":"%s"},{"id":"later"}]}}`,
		"three":    `{"$set":{"messages":[{"id":"a"},{"id":"b"},{"id":"c"}]}}`,
		"empty":    `{"$set":{"messages":[]}}`,
		"set":      `{"$set":{"summary":"x"}}`,
	},
	DeepSeek: {
		"header": `{"type":"session","id":"s","createdAt":1.5}`,
		"other":  `{"type":"turn/start","seq":0,"data":{}}`,
		"add":    `{"type":"user/message","seq":%s,"data":{},"surfaceOp":"append"}`,
		"put":    `{"type":"user/message","seq":9,"data":{},"surfaceOp":{"op":"replace",%s}}`,
	},
	Grok: {
		"chunk":  `{"params":{"update":{"sessionUpdate":"user_message_chunk"}}}`,
		"index":  `{"params":{"update":{"sessionUpdate":"user_message_chunk","_meta":{"promptIndex":%s}}}}`,
		"host":   `{"update":{"sessionUpdate":"user_message_chunk","_meta":{"hostTurn":true}}}`,
		"answer": `{"update":{"sessionUpdate":"agent_message_chunk"}}`,
		"rewind": `{"params":{"update":{"sessionUpdate":"rewind_marker","target_prompt_index":%s}}}`,
	},
	Copilot: {
		"start":    `{"type":"session.start","id":"s","data":{}}`,
		"user":     `{"type":"user.message","id":"u","data":{}}`,
		"sub":      `{"type":"user.message","id":"a","data":{},"agentId":"%s"}`,
		"gone":     `{"type":"session.snapshot_rewind","id":"e","data":{},"ephemeral":true}`,
		"begin":    `{"type":"session.compaction_start","id":"b","data":{}}`,
		"complete": `{"type":"session.compaction_complete","id":"c","data":{"success":%s}}`,
		"cleared":  `{"type":"session.context_cleared","id":"d","data":{}}`,
	},
	PiV1:    {"header": `{"type":"session","id":"s"}`, "user": `{"type":"message","message":{}}`, "compaction": `{"type":"compaction"}`},
	Unknown: {"any": `{"role":"user"}`},
}

// entryOf returns the entry of a word.
func entryOf(t *testing.T, d Dialect, word string) *entry.Entry {
	t.Helper()
	name, rest, with := strings.Cut(word, "=")
	text, ok := words[d][name]
	require.True(t, ok, word)
	if with {
		text = fmt.Sprintf(text, rest)
	}
	return scanned(t, text)
}

// TestThread follows logs that are given by words. Their entries are counted from 1.
func TestThread(t *testing.T) {
	tests := []struct {
		name    string
		dialect Dialect
		log     string
		living  string
		cut     int // the entry at which the log is cut, 0 if it is not cut
	}{
		{"no undo", Codex, "meta task item prompt answer meta", "2 3 4 5", 0},
		{"one turn", Codex, "meta task item prompt task item prompt undo=1 task", "2 3 4 9", 0},
		{"the context above the first prompt stays", Codex, "meta task context item prompt undo=1", "2 3", 0},
		{"unless it is replaced", Codex, "compacted task item prompt undo=1", "1", 1},
		{"more turns than there are", Codex, "task item prompt task item prompt undo=99", "1", 0},
		{"no turns", Codex, "task context undo=1", "1 2", 0},
		{"zero turns", Codex, "task item prompt undo=0 undo=-1", "1 2 3", 0},
		{"an older name", Codex, "turn item prompt turn item prompt undo=1", "1 2 3", 0},
		{"a prompt of the same turn", Codex, "task item prompt answer item prompt answer undo=1", "1 2 3 4", 0},
		{"a prompt without an item", Codex, "task item prompt answer prompt undo=1", "1 2 3 4", 0},
		{"a prompt that is written twice", Codex, "task item prompt task prompt prompt answer undo=1", "1 2 3", 0},
		{"a turn without a prompt", Codex, "task prompt task prompt task answer undo=1", "1 2", 0},
		{"an undo of an undo", Codex, "task prompt task prompt undo=1 task prompt undo=1", "1 2", 0},
		{"a prompt behind an undo is not written twice", Codex, "prompt task prompt undo=1 prompt undo=1", "1", 0},
		{"another agent's message", Codex, "task prompt answer about agent answer undo=1", "1 2 3", 0},
		{"a talk of agents", Codex, "task prompt answer about talk answer undo=1", "1 2 3", 0},
		{"a turn goes on behind an undo", Codex, "task context item prompt undo=1 item prompt task prompt undo=2", "1 2", 0},
		{"prompts of newer releases", Codex, "task item newer answer task item newer undo=1", "1 2 3 4", 0},
		{"a compaction", Codex, "meta task prompt compacted answer compacted answer", "2 3 4 5 6 7", 6},
		{"a compaction that is undone", Codex, "task prompt compacted task prompt compacted undo=1", "1 2 3", 3},
		{"a compaction of older versions", Codex, "task prompt summarized", "1 2 3", 0},

		{"a revert", Codex, "first at=1 at=2 at=3 revert=2 at=3 at=4", "2 6 7", 0},
		{"a revert of a revert", Codex, "first at=1 at=2 revert=2 at=3 at=4 revert=4 at=5", "2 5 8", 0},
		{"a revert to the beginning, and beyond the end", Codex, "first at=1 revert=0 at=1 revert=99", "4", 0},
		{"a revert of another thread", Codex, "first at=1 fork=0 at=2", "2 4", 0},
		{"a revert behind an undo", Codex, "first at=1 prompt at=3 undo=1 at=5 revert=5 at=6", "2 8", 0},
		{"a revert without the first log", Codex, "at=1 first at=2 revert=0", "1 3", 0},

		{"messages", Gemini, "header user=a set user=b", "2 4", 0},
		{"an update", Gemini, "header user=a user=b user=a user=c", "4 3 5", 0},
		{"a rewind", Gemini, "user=a user=b user=c rewind=b user=d", "1 5", 0},
		{"a rewind to the first", Gemini, "user=a user=b rewind=a", "", 0},
		{"a rewind to nobody", Gemini, "user=a user=b rewind=x user=c", "4", 0},
		{"an id that was taken back", Gemini, "user=a user=b rewind=b user=c user=b", "1 4 5", 0},
		{"a snapshot", Gemini, "user=a snapshot=a user=b", "2 3", 2},
		{"a snapshot of a snapshot", Gemini, "user=a snapshot=a snapshot=a user=b", "3 4", 3},
		{"an empty snapshot", Gemini, "user=a empty rewind=a", "", 0},
		{"a rewind to the first of a snapshot", Gemini, "snapshot=a user=b rewind=a", "", 0},
		{"a rewind into a snapshot", Gemini, "snapshot=a user=b rewind=later", "1", 1},
		{"a rewind to a message that a snapshot has, too", Gemini, "snapshot=a user=b user=later rewind=later", "1", 1},

		{"a rewind to a message of a snapshot that is gone", Gemini, "three rewind=b rewind=c user=q", "4", 0},
		{"an id that was taken back from a snapshot", Gemini, "three rewind=b user=x user=b user=y rewind=b user=z", "1 3 7", 1},
		{"an update behind a rewind into a snapshot", Gemini, "three rewind=b user=b user=b", "1 4", 1},
		{"events", DeepSeek, "header other add=1 add=2", "2 3 4", 0},
		{"a replaced beginning", DeepSeek, `add=1 add=2 add=3 put="start":1,"end":2`, "1 2 3 4", 3},
		{"a replaced beginning, all of it", DeepSeek, `add=1 add=2 put="start":1,"end":2 add=3`, "1 2 3 4", 3},
		{"a replaced middle", DeepSeek, `add=1 add=2 add=3 put="start":2,"end":2`, "1 2 3 4", 0},
		{"a beginning that is not in the file", DeepSeek, `other add=2 put="start":0,"end":1`, "1 2 3", 2},

		{"prompts", Grok, "chunk answer chunk answer rewind=1 chunk", "1 2 6", 0},
		{"prompts of several chunks", Grok, "chunk chunk answer chunk chunk rewind=1", "1 2 3", 0},
		{"prompts side by side", Grok, "index=0 index=1 index=1 rewind=1 index=1 rewind=1", "1", 0},
		{"a host's turn", Grok, "index=0 host index=1 rewind=1", "1 2", 0},
		{"chunks without an index", Grok, "index=0 chunk index=1 rewind=1", "1 2", 0},
		{"a prompt that there is not", Grok, "chunk answer rewind=1 rewind=-1", "1 2", 0},

		{"in order", Copilot, "start user user", "2 3", 0},
		{"off the path", Copilot, "user sub=x gone sub=y user", "1 5", 0},
		{"compacted", Copilot, "start user begin user complete=true user", "2 3 4 5 6", 3},
		{"compacted without a start", Copilot, "user complete=true user", "1 2 3", 2},
		{"a failed compaction", Copilot, "user begin complete=false complete=true", "1 2 3 4", 4},
		{"cleared", Copilot, "user begin complete=true user cleared user", "1 2 3 4 5 6", 5},

		{"version 1", PiV1, "header user compaction user", "2 3 4", 0},
		{"of no known agent", Unknown, "any any", "1 2", 0},
	}
	for _, test := range tests {
		t.Run(test.dialect.String()+", "+test.name, func(t *testing.T) {
			thread := NewThread(test.dialect)
			var living []string
			for i, word := range strings.Fields(test.log) {
				step := thread.Next(entryOf(t, test.dialect, word))
				require.LessOrEqual(t, step.Keep, len(living))
				living = living[:step.Keep]
				if step.Node && step.Sidechain == nil {
					require.LessOrEqual(t, step.At, len(living))
					living = append(living[:step.At], append([]string{strconv.Itoa(i + 1)}, living[min(step.At+1, len(living)):]...)...)
				}
			}
			require.Equal(t, test.living, strings.Join(living, " "))
			cut := "0"
			if at := thread.Cut(); at >= 0 {
				cut = living[at]
			}
			require.Equal(t, strconv.Itoa(test.cut), cut)
		})
	}
}

// A part of a log shows its dialect, too.
func TestDialectOfParts(t *testing.T) {
	for d, parts := range map[Dialect]string{
		Codex:    "meta task context item prompt answer agent talk about compacted undo=1",
		Gemini:   "header user=a rewind=a snapshot=a empty set",
		DeepSeek: `header other add=1 put="start":1`,
		Grok:     "chunk index=0 host answer rewind=0",
		Copilot:  "start user sub=x gone begin complete=true cleared",
		PiV1:     "header user compaction",
		Unknown:  "any",
	} {
		for _, word := range strings.Fields(parts) {
			require.Equal(t, d.String(), Of(entryOf(t, d, word)).String(), word)
		}
	}
}
