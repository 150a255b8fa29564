package main

import (
	"bytes"
	"iter"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"jl/internal/entry"
	"jl/internal/session"
)

// texts yields the texts of a message's content: a string, or the text blocks of an
// array.
func texts(content entry.Value) iter.Seq[string] {
	return func(yield func(string) bool) {
		if content.IsString() {
			yield(string(content.Text()))
			return
		}
		for block := range content.Elements() {
			if !block.Member("type").Is("text") {
				continue
			}
			if text := block.Member("text"); text.IsString() && !yield(string(text.Text())) {
				return
			}
		}
	}
}

// joined returns all texts of a content.
func joined(content entry.Value) string {
	var all []string
	for text := range texts(content) {
		all = append(all, text)
	}
	return strings.Join(all, "\n")
}

// str returns the string that a member of an object is, "" if it is none.
func str(object entry.Value, name string) string { return string(object.Member(name).Text()) }

// first returns the first of the members of an object that is a string with a
// character.
func first(object entry.Value, names ...string) string {
	for _, name := range names {
		if s := str(object, name); s != "" {
			return s
		}
	}
	return ""
}

// resultOf returns what a tool gave its caller beside the text for the model: an
// object with names of agents, tasks and files. Files and captures spell it
// differently.
func resultOf(e *entry.Entry) entry.Value {
	if !bytes.Contains(e.Bytes, []byte("oolUseResult")) && !bytes.Contains(e.Bytes, []byte("tool_use_result")) {
		return nil
	}
	if v := entry.Value(e.Bytes).Member("toolUseResult"); v != nil {
		return v
	}
	return entry.Value(e.Bytes).Member("tool_use_result")
}

// sessionOf returns the session that an entry says it is of.
func sessionOf(e *entry.Entry) string {
	if id := e.Get(entry.SessionID); id.IsString() {
		return string(id.Text())
	}
	return str(entry.Value(e.Bytes), "session_id")
}

// A notice says that a background task has ended.
type notice struct{ task, status, output string }

// noticeIn reads a <task-notification>.
func noticeIn(text string) (notice, bool) {
	text, ok := strings.CutPrefix(strings.TrimSpace(text), "<task-notification>")
	n := notice{inTag(text, "task-id"), inTag(text, "status"), inTag(text, "output-file")}
	return n, ok && n.task != ""
}

func inTag(text, tag string) string {
	_, text, _ = strings.Cut(text, "<"+tag+">")
	text, _, ok := strings.Cut(text, "</"+tag+">")
	if !ok {
		return ""
	}
	return strings.TrimSpace(text)
}

// noticesOf yields the notices in an entry: queued, shown to the model, or sent on a
// stream.
func noticesOf(e *entry.Entry) iter.Seq[notice] {
	return func(yield func(notice) bool) {
		switch typ := e.Get(entry.Type); {
		case typ.Is("queue-operation"):
			if n, ok := noticeIn(str(entry.Value(e.Bytes), "content")); ok {
				yield(n)
			}
		case typ.Is("user"):
			if !bytes.Contains(e.Bytes, []byte("<task-notification>")) {
				return
			}
			for text := range texts(e.Get(entry.Message).Member("content")) {
				if n, ok := noticeIn(text); ok && !yield(n) {
					return
				}
			}
		case typ.Is("system") && e.Get(entry.Subtype).Is("task_notification"):
			v := entry.Value(e.Bytes)
			if n := (notice{str(v, "task_id"), str(v, "status"), str(v, "output_file")}); n.task != "" {
				yield(n)
			}
		}
	}
}

// A launch is the beginning of a background task.
type launch struct{ task, of, output string }

// taskTypes says what the types of tasks in a stream are called here.
var taskTypes = map[string]string{"local_bash": "bash", "local_agent": "agent", "remote_agent": "remote"}

var (
	inBackground = regexp.MustCompile(`^Command running in background with ID: ([A-Za-z0-9_-]+)(?:\. Output is being written to: (\S+))?`)
	agentInText  = regexp.MustCompile(`\bagentId: ([A-Za-z0-9_-]+)`)
	savedTo      = regexp.MustCompile(`^<persisted-output>\s*[^\n]*saved to: ([^\n]+)`)
)

// textIn returns the text of a result if it may say where it was saved, what runs in
// the background or which agent it is of; else "": most are long and of no use here.
func textIn(block entry.Value) string {
	for _, word := range []string{"<persisted-output>", "running in background with ID", "agentId: "} {
		if bytes.Contains(block, []byte(word)) {
			return joined(block.Member("content"))
		}
	}
	return ""
}

// launchIn returns the background task that the result of a tool began.
func launchIn(result entry.Value, text string) (launch, bool) {
	if result.IsObject() {
		output := str(result, "outputFile")
		if id := str(result, "backgroundTaskId"); id != "" {
			if m := inBackground.FindStringSubmatch(text); m != nil && output == "" {
				output = strings.Clone(m[2]) // else all of the text stays
			}
			return launch{id, "bash", output}, true
		}
		if id := str(result, "agentId"); id != "" && (str(result, "status") == "async_launched" || result.Member("isAsync").Truthy()) {
			return launch{id, "agent", output}, true
		}
		if id := str(result, "taskId"); id != "" && str(result, "status") == "remote_launched" {
			return launch{id, "remote", output}, true
		}
	}
	if m := inBackground.FindStringSubmatch(text); m != nil {
		return launch{strings.Clone(m[1]), "bash", strings.Clone(m[2])}, true
	}
	return launch{}, false
}

// An outcome is what the result of a call says of agents and tasks.
type outcome struct {
	agent, quoted string // the agent it is of; the last one that its text names
	begun         launch // a task that it left running; none if that has no id
	ended, status string // a task that it says has ended
	failed        bool
}

func outcomeOf(result, block entry.Value) outcome {
	text := textIn(block)
	o := outcome{agent: str(result, "agentId"), failed: block.Member("is_error").Truthy()}
	// The text of an agent may quote another one; its own id stands behind it.
	if all := agentInText.FindAllStringSubmatch(text, -1); all != nil {
		o.quoted = strings.Clone(all[len(all)-1][1])
	}
	o.begun, _ = launchIn(result, text)
	task := result
	if inner := result.Member("task"); inner.IsObject() {
		task = inner
	}
	switch status := str(task, "status"); status {
	case "completed", "failed", "killed", "stopped":
		o.ended, o.status = first(task, "shellId", "task_id"), status
	}
	return o
}

// backupsOf yields the files that a snapshot or the change of one tracks, with
// their backups.
func backupsOf(e *entry.Entry) iter.Seq2[string, entry.Value] {
	return func(yield func(string, entry.Value) bool) {
		v := entry.Value(e.Bytes)
		if e.Get(entry.Type).Is("file-history-delta") {
			yield(str(v, "trackingPath"), v.Member("backup"))
			return
		}
		for name, backup := range v.Member("snapshot").Member("trackedFileBackups").Members() {
			if !yield(string(name.Text()), backup) {
				return
			}
		}
	}
}

// isSnapshot reports whether an entry names backups.
func isSnapshot(e *entry.Entry) bool {
	typ := e.Get(entry.Type)
	return typ.Is("file-history-snapshot") || typ.Is("file-history-delta")
}

// outputName is the place of the output of a background task, outside of the home.
// Only such a file is looked at, and it is never opened: some have had 459 GB.
var outputName = regexp.MustCompile(`^/[^\x00]*/tasks/[A-Za-z0-9_-]+\.output$`)

func isOutput(name string) bool {
	const longest = 4096
	return len(name) < longest && outputName.MatchString(name) && filepath.Clean(name) == name
}

// toolResultName returns the name of the file that a big result was saved to, given
// the path that an entry names; "" if that is none of the session.
func toolResultName(saved, id string) string {
	saved = strings.ReplaceAll(strings.TrimSpace(saved), `\`, "/")
	dir, base := path.Split(saved)
	if !session.IsElement(base) || !strings.HasSuffix(dir, "/"+id+"/tool-results/") {
		return ""
	}
	return base
}
