// Package relation knows what an entry says about other things: the session that it is of, the
// outcome of a call, a background task, a fork, a request and its answer. It reads all forms that
// releases have written. Package shape reads the message itself; its promises hold here too.
package relation

import (
	"bytes"
	"iter"
	"regexp"
	"strings"
	"sync"

	"jl/internal/entry"
	"jl/internal/shape"
)

// quoted returns text as a string value, a copy.
func quoted(text string) entry.Value {
	if text == "" {
		return nil
	}
	return entry.AppendString(nil, []byte(text))
}

// A Task is a background task: a command, an agent, a remote agent, a monitor or a workflow.
type Task struct {
	ID     entry.Value
	Of     string      // "bash", "agent", "remote", "monitor" or "workflow"; "" if it is not known
	Output entry.Value // the path of the file that the output goes to, nil if it is not known
}

// A Notice says that a background task has ended. Absent members are nil.
type Notice struct{ ID, Status, Output entry.Value }

// Notices yields the notices in an entry: queued, shown to the model in a prompt, or
// sent on a stream.
func Notices(e *entry.Entry) iter.Seq[Notice] {
	return func(yield func(Notice) bool) {
		switch typ := e.Get(entry.Type); {
		case typ.Is("queue-operation"):
			if n, ok := noticeIn(e.Member("content")); ok {
				yield(n)
			}
		case typ.Is("user"):
			if !bytes.Contains(e.Bytes, []byte("<task-notification>")) {
				return
			}
			for text := range shape.Texts(shape.Content(e)) {
				if n, ok := noticeIn(text); ok && !yield(n) {
					return
				}
			}
		case typ.Is("system") && e.Get(entry.Subtype).Is("task_notification"):
			v := entry.Value(e.Bytes)
			if n := (Notice{oneOf(v, "task_id"), oneOf(v, "status"), oneOf(v, "output_file")}); n.ID != nil {
				yield(n)
			}
		}
	}
}

// noticeIn reads a <task-notification>. One about an event without a status is not about the end of
// the task.
func noticeIn(v entry.Value) (Notice, bool) {
	text, ok := bytes.CutPrefix(bytes.TrimSpace(v.Text()), []byte("<task-notification>"))
	if !ok {
		return Notice{}, false
	}
	field := func(name string) entry.Value { return quoted(string(shape.Inside(text, name))) }
	n := Notice{field("task-id"), field("status"), field("output-file")}
	return n, n.ID != nil && (n.Status != nil || !bytes.Contains(text, []byte("<event>")))
}

// StartedTask returns the background task whose beginning the entry e of a stream
// reports, and the id of the call that began it. The task has no id if e reports none.
func StartedTask(e *entry.Entry) (task Task, call entry.Value) {
	v := entry.Value(e.Bytes)
	if !e.Get(entry.Type).Is("system") || !e.Get(entry.Subtype).Is("task_started") || !v.Member("is_backgrounded").Truthy() {
		return Task{}, nil
	}
	kinds := map[string]string{"local_bash": "bash", "local_agent": "agent", "remote_agent": "remote", "local_workflow": "workflow"}
	return Task{oneOf(v, "task_id"), kinds[string(v.Member("task_type").Text())], oneOf(v, "output_file")}, oneOf(v, "tool_use_id")
}

// StoppedTask returns the id of the background task that a call stops, nil if it is not
// such a call.
func StoppedTask(call *shape.Block) entry.Value {
	if !call.Name.Is("KillShell") && !call.Name.Is("KillBash") && !call.Name.Is("TaskStop") {
		return nil
	}
	return oneOf(call.Raw.Member("input"), "shell_id", "task_id", "bash_id")
}

// oneOf returns the first member of an object that is a string and not empty, or nil.
func oneOf(object entry.Value, names ...string) entry.Value {
	for _, name := range names {
		if v := object.Member(name).NonEmpty(); v != nil {
			return v
		}
	}
	return nil
}

// An Outcome is what the result of a call reports about agents, tasks and files. Absent
// members are nil.
type Outcome struct {
	Call        entry.Value // the id of the call that has this result
	Agent       entry.Value // the id of the agent that the call ran
	QuotedAgent entry.Value // the last agent id in the text of the result
	Began       Task        // the task that the call left running, if it has an id
	Run         entry.Value // the id of the run, if that is a workflow
	Ended       entry.Value // the id of a task that has ended
	Status      entry.Value // how it ended
	Failed      bool
	Saved       []entry.Value // the paths of the files that the output was saved to
}

// Clone returns o with copies of its values, which stay valid after the entry, and without Saved.
func (o Outcome) Clone() Outcome {
	for _, v := range []*entry.Value{&o.Call, &o.Agent, &o.QuotedAgent, &o.Began.ID, &o.Began.Output, &o.Run, &o.Ended, &o.Status} {
		*v = bytes.Clone(*v)
	}
	o.Saved = nil
	return o
}

// Outcomes yields the outcome of each tool result in the entry e. If e reports an outcome
// but holds no tool result, Outcomes yields that outcome without a Call.
func Outcomes(e *entry.Entry) iter.Seq[Outcome] {
	return func(yield func(Outcome) bool) {
		var shared *Outcome // what all results of the entry have in common; read on first use
		for b := range shape.Blocks(shape.Content(e)) {
			if !b.IsResult() {
				continue
			}
			if shared == nil {
				shared = new(Outcome)
				*shared, _ = reported(e)
			}
			o := *shared
			o.Call, o.Failed = b.ID, b.Raw.Member("is_error").Truthy()
			o.read(notable(b.Raw))
			if !yield(o) {
				return
			}
		}
		if shared != nil {
			return
		}
		if o, ok := reported(e); ok {
			yield(o)
		}
	}
}

// reported returns what a tool reported in toolUseResult, in addition to the text for the
// model. It reports false if e has no such object. Logs and captured streams spell the key
// differently.
func reported(e *entry.Entry) (o Outcome, ok bool) {
	if !bytes.Contains(e.Bytes, []byte("oolUseResult")) && !bytes.Contains(e.Bytes, []byte("tool_use_result")) {
		return o, false // spares a pass over the entry
	}
	result := e.Member("toolUseResult")
	if result == nil {
		result = e.Member("tool_use_result")
	}
	if !result.IsObject() {
		return o, false
	}
	o.Agent = oneOf(result, "agentId")
	bash, task, status := oneOf(result, "backgroundTaskId"), oneOf(result, "taskId"), result.Member("status")
	began := Task{Output: oneOf(result, "outputFile")}
	switch launched := status.Is("async_launched"); {
	case bash != nil:
		began.ID, began.Of = bash, "bash"
	case o.Agent != nil && (launched || result.Member("isAsync").Truthy()):
		began.ID, began.Of = o.Agent, "agent"
	case launched && result.Member("taskType").Is("local_workflow"):
		began.ID, began.Of, o.Run = task, "workflow", oneOf(result, "runId")
	case status.Is("remote_launched"):
		began.ID, began.Of = task, "remote"
	case result.Member("persistent") != nil:
		began.ID, began.Of = task, "monitor"
	}
	if began.ID != nil {
		o.Began = began
	}
	ended := result
	if inner := result.Member("task"); inner.IsObject() {
		ended = inner
	}
	switch status := ended.Member("status"); {
	case status.Is("completed"), status.Is("failed"), status.Is("killed"), status.Is("stopped"):
		o.Ended, o.Status = oneOf(ended, "shellId", "task_id"), status
	}
	for _, name := range []string{"persistedOutputPath", "rawOutputPath"} {
		if saved := result.Member(name).NonEmpty(); saved != nil {
			o.Saved = append(o.Saved, saved)
		}
	}
	o.Saved = o.Saved[:len(o.Saved):len(o.Saved)] // each result appends to a copy
	return o, true
}

var (
	inBackground = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^Command running in background with ID: ([A-Za-z0-9_-]+)(?:\. Output is being written to: ([^\n]+?\.output|\S*[^\s.])(?:[.\s]|$))?`)
	})
	agentInText = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bagentId: ([A-Za-z0-9_-]+)`) })
	savedTo     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^<persisted-output>\s*[^\n]*saved to: ([^\n]+)`) })
)

// read adds what only the text of the result says, in older releases.
func (o *Outcome) read(text string) {
	// The text of an agent may quote another one; its own id is the last.
	if all := agentInText().FindAllStringSubmatch(text, -1); all != nil {
		o.QuotedAgent = quoted(all[len(all)-1][1])
	}
	if m := savedTo().FindStringSubmatch(text); m != nil {
		o.Saved = append(o.Saved, quoted(m[1]))
	}
	m := inBackground().FindStringSubmatch(text)
	switch {
	case m == nil:
	case o.Began.ID == nil:
		o.Began = Task{quoted(m[1]), "bash", quoted(m[2])}
	case o.Began.Of == "bash" && o.Began.Output == nil:
		o.Began.Output = quoted(m[2])
	}
}

// notable returns the text of a result if it may name a file, a task or an agent, else
// "": most texts are long and name none.
func notable(block entry.Value) string {
	for _, word := range []string{"<persisted-output>", "running in background with ID", "agentId: "} {
		if bytes.Contains(block, []byte(word)) {
			var all []string
			for text := range shape.Texts(block.Member("content")) {
				all = append(all, string(text.Text()))
			}
			return strings.Join(all, "\n")
		}
	}
	return ""
}

// Fork returns the session that an entry was copied from when its session was forked,
// and the id of the entry there. It returns nil if e is not a copy.
func Fork(e *entry.Entry) (session, message entry.Value) {
	if !bytes.Contains(e.Bytes, []byte(`"forkedFrom"`)) {
		return nil, nil
	}
	from := e.Member("forkedFrom")
	return from.Member("sessionId").NonEmpty(), from.Member("messageUuid").NonEmpty()
}

// Origin returns the session in which e, an entry of a log of Claude Code, was first: the one that it was
// copied from, or, at the beginning of a log, the one that /clear ended, or the one whose plan is carried out without
// its context. It returns nil if e names none.
func Origin(e *entry.Entry) entry.Value {
	if session, _ := Fork(e); session != nil {
		return session
	}
	if session := planned(e); session != nil {
		return session
	}
	own := e.Get(entry.SessionID)
	if own.IsEmpty() || !bytes.Contains(e.Bytes, []byte(`"session_id"`)) {
		return nil
	}
	if old := e.Member("session_id").NonEmpty(); old != nil && !bytes.Equal(old, own) {
		return old
	}
	return nil
}

// planned returns the session that made the plan which e tells the model to carry out, nil if there is none. The
// words end with the log of that session.
func planned(e *entry.Entry) entry.Value {
	if !bytes.Contains(e.Bytes, []byte(`"planContent"`)) || e.Member("planContent").IsEmpty() {
		return nil
	}
	_, log, _ := bytes.Cut(e.Get(entry.Message).Member("content").Text(), []byte("read the full transcript at: "))
	log = log[bytes.LastIndexAny(log, `/\`)+1:]
	id, ok := bytes.CutSuffix(bytes.TrimSpace(log), []byte(".jsonl"))
	if !ok || len(id) == 0 {
		return nil
	}
	return entry.AppendString(nil, id)
}

// ContinuedIn returns the session in which the conversation goes on, if e says so, else nil.
func ContinuedIn(e *entry.Entry) entry.Value {
	if !e.Get(entry.Type).Is("continued-in") {
		return nil
	}
	return e.Member("continuedInSessionId").NonEmpty()
}

// Identity returns what e has in common with its copies in other logs: its id, or, in a log of Codex, which
// has no ids, its text. It reports whether that is an id. It returns "" if e is not a part of a conversation.
func Identity(e *entry.Entry) (id string, unique bool) {
	payload := e.Member("payload")
	switch {
	case !e.Get(entry.UUID).IsEmpty():
		return string(e.Get(entry.UUID).Text()), true
	case !e.Get(entry.ID).IsEmpty() && !e.Get(entry.Type).Is("session"): // a header has the id of the session
		return string(e.Get(entry.ID).Text()), true
	case payload.IsObject() && !e.Get(entry.Type).Is("session_meta"):
		return string(e.Get(entry.Type)) + string(payload), false
	}
	return "", false
}

// A Control is a request on a stream between the client and its SDK, or an answer to one: a response, or
// the cancellation of the request. Absent members are nil.
type Control struct {
	ID       entry.Value // of the request
	Name     entry.Value // the subtype of the request, or how the answer ends it
	IsAnswer bool
}

// ControlOf returns the request or the answer that e is. It has no id if e is neither.
func ControlOf(e *entry.Entry) Control {
	v := entry.Value(e.Bytes)
	switch t := e.Get(entry.Type); {
	case t.Is("control_request"):
		return Control{oneOf(v, "request_id"), oneOf(v.Member("request"), "subtype"), false}
	case t.Is("control_response"):
		response := v.Member("response")
		return Control{oneOf(response, "request_id"), oneOf(response, "subtype"), true}
	case t.Is("control_cancel_request"):
		return Control{oneOf(v, "request_id"), entry.Value(`"cancelled"`), true}
	}
	return Control{}
}
