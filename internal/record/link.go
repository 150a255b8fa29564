package record

// The records of this file are the rows of jlrel --links. From, To and the like are the
// ids of entries and null if an entry has none; a line is null if there is none.

// Logs are the logs that a link is in, if there is more than one log.
type Logs struct {
	File   Raw `json:"file,omitempty"`   // the log of the link
	ToFile Raw `json:"toFile,omitempty"` // of the other end, if that is another log
}

// A ToolLink leads from a tool call to its result.
type ToolLink struct {
	Link   string `json:"link"`            // "tool"
	ID     Raw    `json:"id"`              // of the call
	Name   Raw    `json:"name"`            // of the tool
	From   Raw    `json:"from"`            // the entry of the call
	Line   *int64 `json:"line"`            // of from
	To     Raw    `json:"to"`              // the entry of the result
	ToLine *int64 `json:"toLine"`          // of to
	State  string `json:"state,omitempty"` // "unanswered" or "no call"
	Logs
}

// An AgentLink leads from a tool call to the log of the agent that the call began.
type AgentLink struct {
	Link    string `json:"link"`            // "agent"
	ID      Raw    `json:"id"`              // of the call
	From    Raw    `json:"from"`            // the entry of the call
	Line    *int64 `json:"line"`            // of from
	AgentID Raw    `json:"agentId"`         // the id of the agent
	By      string `json:"by"`              // what names the agent: "toolUseResult", "meta" (its .meta.json), "text", "workflow" (it ran in the one that the call began), or, without a call, "parent" (the agent's log or its place names the session, as with Codex and Gemini)
	Path    Raw    `json:"path"`            // of the agent's log
	State   string `json:"state,omitempty"` // "missing", or "unknown" if it may be where jlrel cannot look
	Logs
}

// A TaskLink leads from a tool call to the background task that the call left running,
// and to where the task ended.
type TaskLink struct {
	Link   string `json:"link"`   // "task"
	ID     Raw    `json:"id"`     // of the call
	From   Raw    `json:"from"`   // the entry of the call
	Line   int64  `json:"line"`   // of from
	Task   Raw    `json:"task"`   // its id
	Of     Raw    `json:"of"`     // "bash", "agent", "remote", "monitor" or "workflow"
	Output Raw    `json:"output"` // the path of the file that its output goes to
	State  string `json:"state"`  // "ended" or "not ended"
	*TaskEnd
	Logs
}

// A TaskEnd says where and how a task ended.
type TaskEnd struct {
	Status Raw   `json:"status"` // of the task, as in the log
	To     Raw   `json:"to"`     // the entry that says so
	ToLine int64 `json:"toLine"` // of to
}

// A BackupLink leads from a message to a backup of its snapshot.
type BackupLink struct {
	Link    string `json:"link"`              // "backup"
	From    Raw    `json:"from"`              // the message
	Line    int64  `json:"line"`              // of from
	Tracked Raw    `json:"tracked"`           // the path of the file
	Version Raw    `json:"version,omitempty"` // of the backup
	Backup  Raw    `json:"backup"`            // the name of the backup
	Path    Raw    `json:"path"`              // of the backup
	State   string `json:"state,omitempty"`   // "absent": there was no such file; "missing": the backup is gone; "unknown": jlrel cannot look at it
	Logs
}

// A LogicalLink leads from an entry to its logical parent.
type LogicalLink struct {
	Link string `json:"link"` // "logical"
	From Raw    `json:"from"` // the entry
	Line int64  `json:"line"` // of from
	To   Raw    `json:"to"`   // its logical parent
	Logs
}

// A ForkLink leads from a session to another one that has a part of the same conversation.
type ForkLink struct {
	Link    string `json:"link"`            // "fork": from has entries of to, and each may go on in its own way; "continued": the conversation of from goes on in to: from says so, has nothing else, or was ended by /clear, which began to
	From    Raw    `json:"from"`            // the session; if both go on, the fork, whichever of the two is read
	To      Raw    `json:"to"`              // the other one
	Entry   Raw    `json:"entry"`           // the copy of the last entry that they share
	Line    *int64 `json:"line"`            // of entry, in the log of from
	ToEntry Raw    `json:"toEntry"`         // that entry
	Entries int64  `json:"entries"`         // how many they share, as far as is known
	OwnLine *int64 `json:"ownLine"`         // of the first entry after them, which only from has
	Path    Raw    `json:"path"`            // of the log of the session that is not read
	State   string `json:"state,omitempty"` // "missing", or "unknown" if it may be where jlrel cannot look
	Logs
}

// A ControlLink leads from a control request on a stream to its answer.
type ControlLink struct {
	Link   string `json:"link"`   // "control"
	ID     Raw    `json:"id"`     // of the request
	Name   Raw    `json:"name"`   // its subtype
	Line   *int64 `json:"line"`   // of the request
	ToLine *int64 `json:"toLine"` // of the response
	State  Raw    `json:"state"`  // success, error, unanswered, cancelled or "no request"
	Logs
}
