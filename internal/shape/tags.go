package shape

import (
	"bytes"
	"iter"
	"regexp"
	"slices"
	"strings"
	"sync"

	"jl/internal/entry"
)

// The tags that clients are known to put into the text of a prompt; * stands for any end of a name.
// Nobody typed the text between the tags of an inserted name; the tags of an unwrapped name are around
// what was typed. Other tags are words.
var (
	insertedTags = []string{
		"additional_data", "ADDITIONAL_METADATA", "agent-notification", "agent_skills", "always_applied_workspace_rules",
		"app-context", "apps_instructions", "attached_files", "background-task-*", "bash-*", "channel-message",
		"collaboration_mode", "command-*", "cross-session-message", "current_date", "current_datetime",
		"editor_context", "environment_context", "environment_details", "extra_context", "file_attachments",
		"fork-boilerplate", "git_status", "goal", "hook_context", "ide_*", "info-msg", "local-command-*",
		"manually_attached_skills", "new-diagnostics", "open_and_recently_viewed_files",
		"permissions instructions", "persisted-output", "plugins_instructions", "post-tool-use-hook",
		"pre-tool-use-hook", "project_layout", "session-start-hook", "session_context", "skills_instructions",
		"state_snapshot", "subagent_notification", "system-reminder", "system_info", "system_instruction",
		"system_reminder", "task-notification", "teammate-message", "tick", "turn_aborted",
		"untrusted_context", "uploaded_files", "user-prompt-submit-hook", "user_action", "user_info", "user_instructions",
		"USER_SETTINGS_CHANGE", "user_shell_command", "workspace_info", "workspace_roots",
	}
	unwrappedTags = []string{"pasted_content", "user-memory-input", "user_query", "USER_REQUEST"}
)

// isUnwrapped reports whether a tag of a name is around what was typed. That of a channel from another program names
// its source; one that does not is a word.
func isUnwrapped(name string, tag []byte) bool {
	return slices.Contains(unwrappedTags, name) || name == "channel" && (tag[1] == '/' || bytes.HasPrefix(tag, fromChannel))
}

var fromChannel = []byte("<channel source=")

// withoutTags returns text without the elements of inserted names and without the tags of unwrapped
// names. An element ends at the first end tag of its name; a tag without it is text. It takes time
// linear in text.
func withoutTags(text []byte) []byte {
	if !bytes.Contains(text, []byte("</")) {
		return text
	}
	ends := map[string]int{} // the last end tag of each name
	for t := range tags(text) {
		if t.ends {
			ends[t.name] = t.start
		}
	}
	if len(ends) == 0 {
		return text
	}
	var out []byte
	open := map[string]bool{} // unwrapped elements
	element, from := "", 0    // the inserted element that is open, and the end of what was looked at
	for t := range tags(text) {
		switch {
		case element != "":
			if !t.ends || t.name != element {
				continue
			}
			element = ""
			if isNotice(t.name) {
				t.end += len(afterNotice().Find(text[t.end:]))
			}
		case t.inserted && !t.ends && ends[t.name] > t.start:
			element = t.name
			above := text[from:t.start]
			if isNotice(t.name) {
				above = bytes.TrimSuffix(bytes.TrimRight(above, "\r\n"), aboveNotice)
			}
			out = append(out, above...)
		case t.unwrapped && (t.ends && open[t.name] || !t.ends && ends[t.name] > t.start):
			open[t.name] = !t.ends
			out = append(out, text[from:t.start]...)
		default:
			continue
		}
		from = t.end
	}
	return append(out, text[from:]...)
}

// isNotice reports whether Claude Code writes words of its own around the elements of that name: what tells that a task
// is over, a message of another agent of the team or of another session, and what a fork is told.
func isNotice(name string) bool {
	return slices.Contains(taskTags, name) || slices.Contains(peerTags, name) || name == "fork-boilerplate"
}

// What Claude Code writes above notices and after them.
var (
	aboveNotice = []byte("Another Claude session sent a message:")
	afterNotice = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\s*(?:(?:(?:Read the output file to retrieve the result|Full transcript available at): |This came from another Claude session)[^\n]*|Your directive: )`)
	})
)

// taskTags are the names of what tells that a task in the background is over, or what it has to say.
var taskTags = []string{"task-notification", "agent-notification"}

// peerTags are the names of what another agent of the team, or another session, has to say.
var peerTags = []string{"teammate-message", "cross-session-message"}

// TaskNotices yields what is in the elements of text that tell of a task.
func TaskNotices(text []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		if !bytes.Contains(text, []byte("-notification>")) {
			return
		}
		var open tag
		for t := range tags(text) {
			if open.name == "" && !t.ends && slices.Contains(taskTags, t.name) {
				open = t
			} else if t.ends && t.name == open.name {
				if !yield(text[open.end:t.start]) {
					return
				}
				open = tag{}
			}
		}
	}
}

// A PeerMessage is what another agent of the team, or another session, told the model in the name of the user.
type PeerMessage struct{ Name, Text []byte }

var peerName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\s(?:teammate_id|from-name)=(?:"([^"]*)"|'([^']*)')`)
})

// PeerMessages returns the messages of peers in a text. An agent that has nothing more to do tells so in JSON: its
// message is the result in it.
func PeerMessages(text []byte) (messages []PeerMessage) {
	if !bytes.Contains(text, []byte("-message>")) {
		return nil
	}
	var open tag
	for t := range tags(text) {
		if open.name == "" && !t.ends && slices.Contains(peerTags, t.name) {
			open = t
		} else if t.ends && t.name == open.name {
			m := PeerMessage{Text: bytes.TrimSpace(text[open.end:t.start])}
			if name := peerName().FindSubmatch(text[open.start:open.end]); name != nil {
				m.Name = append(name[1], name[2]...)
			}
			if result := Object(entry.AppendString(nil, m.Text)).Member("result"); result.IsString() {
				m.Text = result.Text()
			}
			messages = append(messages, m)
			open = tag{}
		}
	}
	return messages
}

// A tag is at text[start:end].
type tag struct {
	name                string
	start, end          int
	ends                bool // it is an end tag
	inserted, unwrapped bool
}

// tags yields the tags in text whose names are known.
func tags(text []byte) iter.Seq[tag] {
	return func(yield func(tag) bool) {
		for _, m := range tagPattern().FindAllSubmatchIndex(text, -1) {
			t := tag{name: string(text[m[4]:m[5]]), start: m[0], end: m[1], ends: m[2] < m[3]}
			t.inserted, t.unwrapped = isInserted(t.name), isUnwrapped(t.name, text[t.start:t.end])
			if (t.inserted || t.unwrapped) && !yield(t) {
				return
			}
		}
	}
}

func isInserted(name string) bool {
	return slices.ContainsFunc(insertedTags, func(tag string) bool {
		begin, any := strings.CutSuffix(tag, "*")
		return name == tag || any && strings.HasPrefix(name, begin)
	})
}

var tagPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`<(/?)(permissions instructions|[A-Za-z][A-Za-z0-9_-]*)(?:[ \t\r\n](?:"[^"<]*"|[^<>])*)?>`)
})

// Inside returns what is in the first element of that name, without white space around it,
// or nil.
func Inside(text []byte, name string) []byte {
	if inner, ok := element(text, name); ok {
		return bytes.TrimSpace(inner)
	}
	return nil
}

// element returns what is in the first element of that name.
func element(text []byte, name string) (inner []byte, ok bool) {
	_, rest, _ := bytes.Cut(text, []byte("<"+name+">"))
	inner, _, ok = bytes.Cut(rest, []byte("</"+name+">"))
	return inner, ok
}
