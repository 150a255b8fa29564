package shape

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTyped(t *testing.T) {
	tests := []struct{ text, want string }{
		{"<system-reminder>\nToday is Friday.\n</system-reminder>\n\nFix it.", "Fix it."},
		{"Fix it.\n<system-reminder>Be brief.</system-reminder>", "Fix it."},
		{"Fix <system-reminder>a</system-reminder>it<system-reminder>b</system-reminder>.", "Fix it."},
		{"<ide_selection>line 4 of <b></ide_selection>\nWhat is it?", "What is it?"},
		{"<pr-context>7</pr-context> Review it.", "<pr-context>7</pr-context> Review it."},
		{"<pre-commit> hook fails", "<pre-commit> hook fails"},
		{"a <system-reminder> is a tag", "a <system-reminder> is a tag"},
		{"</system-reminder> is an end, <system-reminder> a beginning", "</system-reminder> is an end, <system-reminder> a beginning"},
		{"<system-reminder>a <system-reminder> b</system-reminder> c", "c"},
		{"<system-reminders>a</system-reminders>", "<system-reminders>a</system-reminders>"},
		{"<user_query>\nSort it.\n</user_query>", "Sort it."},
		{"see <pasted_content id=\"1\">\nx </b>\n</pasted_content id=\"1\"> there", "see \nx </b>\n there"},
		{"<user_query><system-reminder>a</system-reminder>Sort it.</user_query>", "Sort it."},
		{"<user_query>Sort it.", "<user_query>Sort it."},
		{"<user_query>a</user_query> b </user_query>", "a b </user_query>"},
		{"<teammate-message teammate_id=\"lead\">\nTest it.\n</teammate-message>", ""},
		{"Another Claude session sent a message:\n<teammate-message teammate_id=\"ann\" color=\"blue\">\nDone.\n</teammate-message>\n\n<teammate-message teammate_id=\"bob\">\nToo.\n</teammate-message>\n\nThis came from another Claude session — not typed by your user.", ""},
		{"Another Claude session sent a message:\n<cross-session-message from=\"uds:x\" from-name=\"w\">\nHi.\n</cross-session-message>\n\nThis came from another Claude session — not typed.\nReally?", "Really?"},
		{"<fork-boilerplate>\nExecute ONE directive.\n</fork-boilerplate>\n\nYour directive: Count them.", "Count them."},
		{"<system-reminder>a</system-reminder>\nThis came from another Claude session", "This came from another Claude session"},
		{"<system-reminder>a</system-reminder>\n<command-message>x</command-message>\n<command-name>/x</command-name>", "/x"},
		{"<command-name>/x</command-name><command-args>y</command-args> and more", "/x y\nand more"},
		{"<system-reminder>a</system-reminder>[Request interrupted by user]", ""},
		{"<system-reminder>a</ide_opened_file>b</system-reminder>\nc", "c"},
		{"<channel source=\"telegram\">Fix it.</channel>", "Fix it."},
		{"<channel>Fix it.</channel>", "<channel>Fix it.</channel>"},
		{"# Files mentioned by the user:\n\n## a.go: /w/a.go\n\n## My request for Codex:\nFix it.\n", "Fix it."},
		{"# Files mentioned by the user:\n\n## a.go: /w/a.go", "# Files mentioned by the user:\n\n## a.go: /w/a.go"},
		{"# Context from my IDE setup:\n\n## Active file: a.go\n\n## My request for Codex:\nFix it.", "Fix it."},
		{"Say:\n## My request for Codex:\nFix it.", "Say:\n## My request for Codex:\nFix it."},
		{"<system-reminder>a</system-reminder>[Your previous response had no visible output. Go on.]", ""},
		{"<task-notification>a</task-notification>\nRead the output file to retrieve the result: /tmp/x\nGo on.", "Go on."},
		{"<agent-notification>a</agent-notification>\nFull transcript available at: /tmp/x", ""},
		{"Another Claude session sent a message:\n<system-reminder>a</system-reminder>", "Another Claude session sent a message:"},
		{"<tick>a <tick>b</goal>", "<tick>a <tick>b</goal>"},
		{"</tick> a <tick>b</tick>", "</tick> a"},
		{"</user_query> a <user_query>b</user_query>", "</user_query> a b"},
		{"<user_query>Sort it.</goal>", "<user_query>Sort it.</goal>"},
		{"x < y </ z <1> <system-reminder", "x < y </ z <1> <system-reminder"},
	}
	for _, test := range tests {
		prompt, _ := Typed([]byte(test.text))
		require.Equal(t, test.want, string(prompt), test.text)
	}
}

// TestCommands: a command for the model is a prompt, with what the user typed behind it. One for the client, whose message
// stands behind its name, is none, unless there is more.
func TestCommands(t *testing.T) {
	for _, c := range []struct{ text, prompt, command string }{
		{"<command-name>/clear</command-name>\n<command-message>clear</command-message>\n<command-args></command-args>", "", "/clear"},
		{"<command-name>/model</command-name><command-args> big </command-args>", "", "/model big"},
		{"<command-name>/model</command-name>x", "x", ""},
		{"<command-name>/model</command-name><command-args>y</command-args>x", "/model y\nx", ""},
		{"<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>7</command-args>", "/review 7", ""},
		{"<command-message>r</command-message><command-name>r</command-name>", "r", ""},
		{"<command-message>r</command-message><command-name>r</command-name>x", "r\nx", ""},
		{"<command-args>y</command-args> and", "and", ""},
		{"<command-name>/clear", "<command-name>/clear", ""},
		{"<command-name>/clear now", "<command-name>/clear now", ""},
		{" \n", "", ""},
	} {
		prompt, command := Typed([]byte(c.text))
		require.Equal(t, []string{c.prompt, c.command}, []string{string(prompt), string(command)}, c.text)
	}
}

// TestLine: a list shows 200 UTF-16 units of a prompt, on one line, and no half of a character.
func TestLine(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"one\ntwo", "one two"},
		{strings.Repeat("x", 200), strings.Repeat("x", 200)},
		{strings.Repeat("x", 201), strings.Repeat("x", 200) + "…"},
		{strings.Repeat("x", 195) + "     y", strings.Repeat("x", 195) + "…"},
		{strings.Repeat("x", 198) + "\U0001f30a", strings.Repeat("x", 198) + "\U0001f30a"},
		{strings.Repeat("x", 199) + "\U0001f30a", strings.Repeat("x", 199) + "…"},
		{strings.Repeat("\xed\xa0\xbd", 201), strings.Repeat("\xed\xa0\xbd", 200) + "…"},
		{strings.Repeat("\U0001f30a", 101), strings.Repeat("\U0001f30a", 100) + "…"},
	} {
		require.Equal(t, test.want, Line([]byte(test.text)))
	}
}

// TestFirstWords: white space becomes one space, and no more is read than is wanted.
func TestFirstWords(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""}, {" \n\t", ""}, {" a\n\n b\t", "a b"}, {"abcd efgh", "abcd"}, {"abc efgh i", "abc efgh"}, {"abcdefgh", "abcd"}, {"a b c d", "a b c"},
	} {
		require.Equal(t, c.want, string(FirstWords([]byte(c.text), 4)), c.text)
	}
}

func TestPeerMessages(t *testing.T) {
	tests := []struct {
		text string
		want []PeerMessage
	}{
		{"<teammate-message summary=\"a > b\"\nteammate_id=\"ann\">\nDone.\n</teammate-message>", []PeerMessage{{[]byte("ann"), []byte("Done.")}}},
		{"<cross-session-message from-name='w'>Hi.</cross-session-message> <teammate-message>{\"result\":\"x\"}</teammate-message>", []PeerMessage{{[]byte("w"), []byte("Hi.")}, {nil, []byte("x")}}},
		{"<teammate-message teammate_id=\"bob\">x</cross-session-message>", nil},
		{"<teammate-message teammate_id=\"bob\">x", nil},
		{"<teammate-message teammate_id=\"bob\">x<teammate-message>y</teammate-message>", []PeerMessage{{[]byte("bob"), []byte("x<teammate-message>y")}}},
		{"</teammate-message><tick>x</tick><teammate-message>y</teammate-message>", []PeerMessage{{nil, []byte("y")}}},
	}
	for _, test := range tests {
		require.Equal(t, test.want, PeerMessages([]byte(test.text)), test.text)
		if typed, _ := Typed([]byte(test.text)); test.want != nil && !strings.HasPrefix(test.text, "</") {
			require.Empty(t, typed, test.text)
		}
	}
}

// TestTagsOfClients has each tag that a client was seen to put in, with more behind it where a name has several ends.
func TestTagsOfClients(t *testing.T) {
	for _, name := range strings.Fields(`additional_data ADDITIONAL_METADATA agent-notification agent_skills always_applied_workspace_rules
		app-context apps_instructions attached_files background-task-output bash-stdout channel-message collaboration_mode command-args
		cross-session-message current_date current_datetime editor_context environment_context environment_details extra_context
		file_attachments fork-boilerplate git_status goal hook_context ide_selection info-msg local-command-stdout
		manually_attached_skills new-diagnostics open_and_recently_viewed_files persisted-output plugins_instructions
		post-tool-use-hook pre-tool-use-hook project_layout session-start-hook session_context skills_instructions state_snapshot
		subagent_notification system-reminder system_info system_instruction system_reminder task-notification teammate-message tick
		turn_aborted untrusted_context uploaded_files user-prompt-submit-hook user_action user_info user_instructions
		USER_SETTINGS_CHANGE user_shell_command workspace_info workspace_roots`) {
		require.Equal(t, "Row.", string(bytes.TrimSpace(withoutTags([]byte("<"+name+">put in</"+name+">\nRow.")))), name)
	}
	require.Equal(t, "Row.", string(bytes.TrimSpace(withoutTags([]byte("<permissions instructions>put in</permissions instructions>\nRow.")))))
	for _, name := range []string{"pasted_content", "user-memory-input", "user_query", "USER_REQUEST"} {
		require.Equal(t, "Row.", string(bytes.TrimSpace(withoutTags([]byte("<"+name+">Row.</"+name+">")))), name)
	}
	for _, text := range []string{"<goals>x</goals>", "<b>x</b>", "<ide>x</ide>", "<channel>x</channel>"} {
		require.Equal(t, text, string(withoutTags([]byte(text))))
	}
}

// TestTagsAreSorted: the lists are easy to read.
func TestTagsAreSorted(t *testing.T) {
	for _, tags := range [][]string{insertedTags, unwrappedTags} {
		require.True(t, slices.IsSortedFunc(tags, func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) }))
	}
}

// FuzzTyped: what was typed is part of the text, and nothing is taken out of a text without the tags
// of clients.
func FuzzTyped(f *testing.F) {
	f.Add("<system-reminder>a</system-reminder>b")
	f.Add("<user_query>a<ide_x y>b</user_query></ide_x>")
	f.Fuzz(func(t *testing.T, text string) {
		rest := string(withoutTags([]byte(text)))
		at := 0
		for i := range len(rest) { // a subsequence
			next := strings.IndexByte(text[at:], rest[i])
			require.GreaterOrEqual(t, next, 0)
			at += next + 1
		}
		for range tags([]byte(text)) {
			return
		}
		require.Equal(t, text, rest)
	})
}

// TestQueuedPrompt: a prompt that waited names the entry that it comes from, if a client tells it.
func TestQueuedPrompt(t *testing.T) {
	for attachment, want := range map[string][2]string{
		`{"type":"queued_command","prompt":"x","source_uuid":"u","uuid":"v"}`: {`"x"`, `"u"`},
		`{"type":"queued_command","prompt":["x"],"source_uuid":""}`:           {`["x"]`, ""},
		`{"type":"queued_command","prompt":"x","isMeta":true}`:                {},
		`{"type":"queued_command","prompt":7}`:                                {},
		`{"type":"novelty","prompt":"x"}`:                                     {},
	} {
		prompt, source := QueuedPrompt(scan(t, `{"type":"attachment","uuid":"w","attachment":`+attachment+`}`))
		require.Equal(t, want, [2]string{string(prompt), string(source)}, attachment)
	}
	prompt, _ := QueuedPrompt(scan(t, `{"type":"user","attachment":{"type":"queued_command","prompt":"x"}}`))
	require.Nil(t, prompt)
}
