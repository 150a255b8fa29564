package shape

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
)

// user returns a user entry with a content and with more members.
func user(t *testing.T, content, members string) *entry.Entry {
	return scan(t, `{"type":"user","message":{"role":"user","content":`+content+`}`+members+`}`)
}

// TestIsClients: to a list an entry of a client is one that nobody typed, unless isMeta is anything but true.
func TestIsClients(t *testing.T) {
	for members, want := range map[string]bool{
		``:                                   false,
		`,"isMeta":true`:                     true,
		`,"isMeta":1`:                        false,
		`,"isMeta":false,"isSynthetic":true`: true,
		`,"origin":{"kind":"peer"}`:          true,
		`,"origin":{"kind":"human"}`:         false,
	} {
		require.Equal(t, want, IsClients(user(t, `"Count."`, members)), members)
	}
}

// TestFirstPrompt: a list shows the first words that the Agent SDK takes as a prompt, or else the first command.
func TestFirstPrompt(t *testing.T) {
	const command, count = `"<command-name>/sail</command-name>"`, `"Count the moons."`
	for _, c := range []struct {
		name          string
		entries       []*entry.Entry
		prompt, title string
	}{
		{"no entry", nil, "", ""},
		{"the first", []*entry.Entry{user(t, count, ""), user(t, `"Then sail."`, "")}, "Count the moons.", "Count the moons."},
		{"not of the model", []*entry.Entry{message(t, "assistant", `"Three."`), user(t, count, "")}, "Count the moons.", "Count the moons."},
		{"not a summary", []*entry.Entry{user(t, `"So far:"`, `,"isCompactSummary":true`), user(t, count, "")}, "Count the moons.", "Count the moons."},
		{"a summary only if true", []*entry.Entry{user(t, `"So far:"`, `,"isCompactSummary":1`)}, "So far:", "So far:"},
		{"not a result", []*entry.Entry{user(t, `[{"type":"tool_result","content":"Three."},{"type":"text","text":"a"}]`, ""), user(t, count, "")}, "Count the moons.", "Count the moons."},
		{"not of a client", []*entry.Entry{user(t, `"Caveat"`, `,"isMeta":true`), user(t, count, "")}, "Count the moons.", "Count the moons."},
		{"not the task of a sub-agent", []*entry.Entry{user(t, `"Look."`, `,"parent_tool_use_id":"t"`), user(t, count, `,"parent_tool_use_id":null`)}, "Count the moons.", "Count the moons."},
		{"words before a command", []*entry.Entry{user(t, command, ""), user(t, count, "")}, "Count the moons.", "Count the moons."},
		{"the first command", []*entry.Entry{user(t, command, ""), user(t, `"<command-name>/clear</command-name>"`, "")}, "/sail", "/sail"},
		{"a command of one character", []*entry.Entry{user(t, `"<command-name>x</command-name>"`, "")}, "x", "x"},
		{"an empty one", []*entry.Entry{user(t, `""`, "")}, "", ""},
		{"white space of JavaScript", []*entry.Entry{user(t, `"\ufeff"`, ""), user(t, `"\ufeffImplement the following plan:\n# A pier"`, "")}, "Implement the following plan: # A pier", "A pier"},
		{"a command of no name", []*entry.Entry{user(t, `"<command-name></command-name>"`, "")}, "", ""},
		{"a command of the shell", []*entry.Entry{user(t, `"<bash-input> ls\n</bash-input>"`, "")}, "! ls", "! ls"},
		{"a command of the shell behind white space of JavaScript", []*entry.Entry{user(t, `"<bash-input>\ufeffls</bash-input>"`, "")}, "! ls", "! ls"},
		{"not what begins with a tag", []*entry.Entry{user(t, `"<tick>8</tick>"`, ""), user(t, `"[Request interrupted by user for tool use] and"`, "")}, "", ""},
		{"from a channel", []*entry.Entry{user(t, `"<channel source=\"telegram\">\nCount.\n</channel>"`, "")}, "Count.", "Count."},
		{"the title of a plan", []*entry.Entry{user(t, `" Implement the following plan:\n\n# A pier\nOf oak."`, "")}, "Implement the following plan:  # A pier Of oak.", "A pier"},
	} {
		t.Run(c.name, func(t *testing.T) {
			prompt, title := FirstPrompt(slices.Values(c.entries))
			require.Equal(t, c.prompt, prompt)
			require.Equal(t, c.title, title)
		})
	}
}

// TestIsSent: a person sent words, a picture or a command for the model, at once or queued.
func TestIsSent(t *testing.T) {
	const count = `"Count."`
	for _, c := range []struct {
		name string
		e    *entry.Entry
		want bool
	}{
		{"words", user(t, count, ""), true},
		{"words in a block", user(t, `[{"type":"text","text":"Count."}]`, ""), true},
		{"nothing", user(t, `" "`, ""), false},
		{"a picture", user(t, `[{"type":"image"}]`, ""), true},
		{"a picture and another block", user(t, `[{"type":"image"},{"type":"text","text":" "},{"type":"other"}]`, ""), true},
		{"words and a blank", user(t, `[{"type":"text","text":"Count."},{"type":"text","text":" "}]`, ""), true},
		{"a command behind white space of JavaScript", user(t, `"\ufeff<command-message>sail</command-message>"`, ""), true},
		{"a document", user(t, `[{"type":"document"}]`, ""), true},
		{"a block of another type", user(t, `[{"type":"thinking"}]`, ""), false},
		{"a result with words", user(t, `[{"type":"tool_result"},{"type":"text","text":"Count."}]`, ""), false},
		{"a command for the model", user(t, `"<command-message>sail</command-message>\n<command-name>/sail</command-name>"`, ""), true},
		{"a command for the client", user(t, `"<command-name>/clear</command-name>"`, ""), false},
		{"of the model", message(t, "assistant", count), false},
		{"of a client", user(t, count, `,"isMeta":true`), false},
		{"a summary", user(t, count, `,"isCompactSummary":true`), false},
		{"on a sidechain", user(t, count, `,"isSidechain":true`), false},
		{"that the model does not see", user(t, count, `,"isVisibleInTranscriptOnly":true`), false},
		{"of a person", user(t, count, `,"origin":{"kind":"human"}`), true},
		{"of a peer", user(t, count, `,"origin":{"kind":"peer"}`), false},
		{"queued", scan(t, `{"type":"attachment","attachment":{"type":"queued_command","prompt":"Count."}}`), true},
		{"queued by a peer", scan(t, `{"type":"attachment","attachment":{"type":"queued_command","prompt":"Count.","origin":{"kind":"peer"}}}`), false},
		{"another attachment", scan(t, `{"type":"attachment","attachment":{"type":"hook","prompt":"Count."}}`), false},
	} {
		require.Equal(t, c.want, IsSent(c.e), c.name)
	}
}

// TestMessageTyped: the beginning of a message tells that a client put it in.
func TestMessageTyped(t *testing.T) {
	for content, want := range map[string]bool{
		`"Count."`:                        true,
		`""`:                              true,
		`"<b>Count</b>"`:                  true,
		`"[Count]"`:                       true,
		`"[Request interrupted by user]"`: false,
		`"<command-name>/clear"`:          false,
		`"<local-command-stdout>x"`:       false,
		`[{"type":"x","text":"<bash-i>"},{"type":"text","text":"Count."}]`:         true,
		`"Count.","x":{}},"isCompactSummary":true,"y":{"z":0`:                      false,
		`"\u003ccommand-name>/clear"`:                                              false,
		`[{"type":"text","text":"Count."}]`:                                        true,
		`[{"type":"text","text":7}]`:                                               false,
		`[{"type":"image"}]`:                                                       true,
		`[{"type":"document"}]`:                                                    true,
		`[{"type":"thinking"}]`:                                                    false,
		`[{"type":"image"},{"type":"text"}]`:                                       true,
		`[{"type":"image"},{"type":"text","text":7}]`:                              false,
		`[{"type":"text","text":"<bash-i>"}]`:                                      false,
		`[{"type":"text","text":"Count."},{"type":"text","text":"<bash-i>"}]`:      true,
		`[{"type":"text","text":"Count."},{"type":"tool_result"}]`:                 false,
		`[{"type":"image"},{"type":"text","text":"[Request interrupted by user"}]`: false,
		`7`: false,
	} {
		e := user(t, content, "")
		var m Message
		m.Read(e.Get(entry.Message))
		require.Equal(t, want, m.Typed(e), content)
	}
}

// TestIsPlain: a text is plain if nothing in it can be of a client.
func TestIsPlain(t *testing.T) {
	for text, want := range map[string]bool{
		`"Count."`:                              true,
		`"1 < 2"`:                               false,
		`"<b"`:                                  false,
		`"x [Request interrupted by user"`:      false,
		`"x ## My request for Codex:"`:          false,
		`"[Your previous response had no visib`: true,
		`"[Your previous response had no visible output"`: false,
	} {
		require.Equal(t, want, IsPlain(entry.Value(text)), text)
	}
}

// TestPlanInABlock: the first text of a message tells that it is a plan to carry out.
func TestPlanInABlock(t *testing.T) {
	const plan = `{"type":"text","text":"Implement the following plan:\n# A pier"}`
	for content, want := range map[string]bool{
		`[` + plan + `]`:                                 true,
		`[{"type":"image"},` + plan + `]`:                true,
		`[{"type":"text","text":"Count."},` + plan + `]`: false,
		`[{"type":"image"}]`:                             false,
		`"Implement the following plan: x"`:              true,
		`"I implement the following plan: x"`:            false,
		`7`:                                              false,
	} {
		e := user(t, content, "")
		var m Message
		m.Read(e.Get(entry.Message))
		require.Equal(t, want, m.IsPlan(e), content)
	}
}

// TestTaskNotices: what a text tells of tasks that are over.
func TestTaskNotices(t *testing.T) {
	for text, want := range map[string][]string{
		"Count.": nil,
		"<task-notification>a</task-notification>":                                              {"a"},
		"<task-notification>a</task-notification> b <agent-notification>c</agent-notification>": {"a", "c"},
		"<task-notification>a<agent-notification>b</task-notification>":                         {"a<agent-notification>b"},
		"<task-notification>a<agent-notification>b</agent-notification></task-notification>":    {"a<agent-notification>b</agent-notification>"},
		"</task-notification>a<task-notification>":                                              nil,
		"<task-notification>a<task-notification>b</task-notification>":                          {"a<task-notification>b"},
		"</task-notification>a<task-notification>b</task-notification>":                         {"b"},
		"<tick>a</tick><task-notification>b</task-notification>":                                {"b"},
		"<task-notification>a</tick>b</task-notification>":                                      {"a</tick>b"},
	} {
		var got []string
		for notice := range TaskNotices([]byte(text)) {
			got = append(got, string(notice))
		}
		require.Equal(t, want, got, text)
		for notice := range TaskNotices([]byte(text)) {
			require.Equal(t, want[0], string(notice))
			break
		}
	}
}
