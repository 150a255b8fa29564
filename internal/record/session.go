package record

// A Member is a file that belongs to a session: a row of jlrel, and of jlrel --orphans.
type Member struct {
	SessionID Raw    `json:"sessionId"`         // null if it is not known
	Kind      Raw    `json:"kind"`              // session, agent, agent-meta, tool-result, todo, task, file-history, debug, session-env, plan, image, paste, task-output, workflow, job (of a session in the background), checkpoint and file (of Copilot), other, or the name of the directory of the home that it is in
	Path      Raw    `json:"path"`              // of the file
	Bytes     *int64 `json:"bytes,omitempty"`   // the size; left out if the file is missing or cannot be read
	Mtime     *Time  `json:"mtime,omitempty"`   // when it last changed
	AgentID   Raw    `json:"agentId,omitempty"` // of an agent and its metadata
	Task      Raw    `json:"task,omitempty"`    // the id of the task whose output it is
	Missing   bool   `json:"missing,omitempty"` // an entry names it, and it does not exist
	Error     string `json:"error,omitempty"`   // why it cannot be read
	Orphan    string `json:"orphan,omitempty"`  // why it is an orphan: "no session", "no member", "no log" (only the history names the session), "names no session" or "no place of a session"
}

// A Home is a row of jlrel --homes.
type Home struct {
	Agent Raw `json:"agent"` // whose home it is, as in the rows of --list
	Name  Raw `json:"name"`  // a name that no other home of the user has
	Path  Raw `json:"path"`  // of the folder
}

// A Session is a row of jlrel --list. Names and values are those of listSessions of the
// Agent SDK, but for Path and what follows it. The values of a session that the Agent SDK leaves
// out come from the first words of its log.
type Session struct {
	SessionID     Raw    `json:"sessionId"`               // the id of the session
	Summary       Raw    `json:"summary"`                 // what names the session: its title, its last prompt, its summary, its first prompt, or Image or Document; if there is none of them, the first words of the log; a prompt that has an approved plan carried out is called by the first heading of the plan
	CustomTitle   Raw    `json:"customTitle"`             // its title
	FirstPrompt   Raw    `json:"firstPrompt"`             // the first prompt, cut at 200 characters
	GitBranch     Raw    `json:"gitBranch"`               // the branch of git that the log names last
	Cwd           Raw    `json:"cwd"`                     // the working directory
	Tag           Raw    `json:"tag"`                     // its tag
	CreatedAt     *int64 `json:"createdAt"`               // milliseconds since 1970
	LastModified  int64  `json:"lastModified"`            // milliseconds since 1970
	FileSize      int64  `json:"fileSize"`                // bytes, of the file as it is
	Path          Raw    `json:"path"`                    // of the log
	Agent         Raw    `json:"agent"`                   // claude, codex, gemini, copilot, qwen, pi, grok, deepseek, cursor, openclaude, trae, omp, prime; null if nothing shows it
	Model         Raw    `json:"model,omitempty"`         // that the log names last
	Entrypoint    Raw    `json:"entrypoint,omitempty"`    // how it was begun, as in the log: cli, sdk-ts, exec, …
	LastTimestamp *int64 `json:"lastTimestamp,omitempty"` // of the last entry that tells a time, in milliseconds since 1970; the list is in this order, or in that of lastModified
	Kind          Raw    `json:"kind,omitempty"`          // with --all: "session", or "agent" if the log is that of a sub-agent
	AgentID       Raw    `json:"agentId,omitempty"`       // of a sub-agent
	ParentSession Raw    `json:"parentSession,omitempty"` // the session that it was forked from, or whose sub-agent it is
	Messages      *int   `json:"messages,omitempty"`      // 0 if the log has no message, else left out
	Archived      bool   `json:"archived,omitempty"`      // it is marked as archived, and no prompt was sent since
	Compressed    bool   `json:"compressed,omitempty"`    // the log is compressed
	HeadOnly      bool   `json:"headOnly,omitempty"`      // the end of the log is too far into compressed data, or cannot be read
}

// A Title gives a session a name, as Claude Code writes it into its log: the entry that
// jlpath --session adds.
type Title struct {
	Type        string `json:"type"`        // "custom-title"
	CustomTitle Raw    `json:"customTitle"` // the name
	SessionID   Raw    `json:"sessionId"`   // the id of the session
}

// A Report is all that belongs to one session: what jlrel --report prints. The lists
// hold paths. Names and order up to DebugFile are those of an older script.
type Report struct {
	SessionID       Raw         `json:"session_id"`        // the id of the session
	SessionFile     Raw         `json:"session_file"`      // null if the session has no log; of several logs the newest
	AgentFiles      []Raw       `json:"agent_files"`       // the logs of agents
	TodoFiles       []Raw       `json:"todo_files"`        // todos
	FileHistory     []SizedFile `json:"file_history"`      // backups of files
	DebugFile       Raw         `json:"debug_file"`        // the debug log, null if there is none
	AgentMetaFiles  []Raw       `json:"agent_meta_files"`  // the metadata of agents
	ToolResultFiles []Raw       `json:"tool_result_files"` // big results of tools
	TaskFiles       []Raw       `json:"task_files"`        // tasks
	PlanFiles       []Raw       `json:"plan_files"`        // plans
	SessionEnvFiles []Raw       `json:"session_env_files"` // environments
	ImageFiles      []Raw       `json:"image_files"`       // images
	PasteFiles      []Raw       `json:"paste_files"`       // pastes
	OutputFiles     []SizedFile `json:"output_files"`      // of background tasks
	OtherFiles      []Raw       `json:"other_files"`       // all other members
	MissingFiles    []Raw       `json:"missing_files"`     // that entries name and that do not exist
}

// A SizedFile is a file and its size in bytes.
type SizedFile struct {
	File Raw   `json:"file"` // the path
	Size int64 `json:"size"` // in bytes
}
