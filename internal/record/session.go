package record

// A Member is a file that belongs to a session: a row of jlrel, and of jlrel --orphans.
type Member struct {
	SessionID Raw    `json:"sessionId"` // null if it is not known
	Kind      Raw    `json:"kind"`      // session, agent, agent-meta, tool-result, todo, task, file-history, debug, session-env, plan, image, paste, task-output, other, or the name of the directory of the home that it is in
	Path      Raw    `json:"path"`
	Bytes     *int64 `json:"bytes,omitempty"`   // the size; left out if the file is missing or cannot be read
	Mtime     *Time  `json:"mtime,omitempty"`   // when it last changed
	AgentID   Raw    `json:"agentId,omitempty"` // of an agent and its metadata
	Task      Raw    `json:"task,omitempty"`    // the id of the task whose output it is
	Missing   bool   `json:"missing,omitempty"` // an entry names it, and it does not exist
	Error     string `json:"error,omitempty"`   // why it cannot be read
	Orphan    string `json:"orphan,omitempty"`  // why it is an orphan: "no session", "no member" or "names no session"
}

// A Session is a row of jlrel --list. Names and values are those of listSessions of the
// Agent SDK, but for Path and what follows it.
type Session struct {
	SessionID    Raw    `json:"sessionId"`
	Summary      Raw    `json:"summary"` // what names the session: its title, its last prompt, its summary or its first prompt
	CustomTitle  Raw    `json:"customTitle"`
	FirstPrompt  Raw    `json:"firstPrompt"`
	GitBranch    Raw    `json:"gitBranch"`
	Cwd          Raw    `json:"cwd"`
	Tag          Raw    `json:"tag"`
	CreatedAt    *int64 `json:"createdAt"`    // milliseconds since 1970
	LastModified int64  `json:"lastModified"` // milliseconds since 1970
	FileSize     int64  `json:"fileSize"`     // bytes, of the file as it is
	Path         Raw    `json:"path"`
	Archived     bool   `json:"archived,omitempty"`
	Compressed   bool   `json:"compressed,omitempty"`
	HeadOnly     bool   `json:"headOnly,omitempty"` // the end of the log is too far into compressed data to be read
}

// A Title gives a session a name, as Claude Code writes it into its log: the entry that
// jlpath --session adds.
type Title struct {
	Type        string `json:"type"` // "custom-title"
	CustomTitle Raw    `json:"customTitle"`
	SessionID   Raw    `json:"sessionId"`
}

// A Report is all that belongs to one session: what jlrel --report prints. The lists
// hold paths. Names and order up to DebugFile are those of an older script.
type Report struct {
	SessionID       Raw         `json:"session_id"`
	SessionFile     Raw         `json:"session_file"` // null if the session has no log; of several logs the newest
	AgentFiles      []Raw       `json:"agent_files"`
	TodoFiles       []Raw       `json:"todo_files"`
	FileHistory     []SizedFile `json:"file_history"`
	DebugFile       Raw         `json:"debug_file"`
	AgentMetaFiles  []Raw       `json:"agent_meta_files"`
	ToolResultFiles []Raw       `json:"tool_result_files"`
	TaskFiles       []Raw       `json:"task_files"`
	PlanFiles       []Raw       `json:"plan_files"`
	SessionEnvFiles []Raw       `json:"session_env_files"`
	ImageFiles      []Raw       `json:"image_files"`
	PasteFiles      []Raw       `json:"paste_files"`
	OutputFiles     []SizedFile `json:"output_files"` // of background tasks
	OtherFiles      []Raw       `json:"other_files"`
	MissingFiles    []Raw       `json:"missing_files"` // that entries name and that do not exist
}

// A SizedFile is a file and its size in bytes.
type SizedFile struct {
	File Raw   `json:"file"`
	Size int64 `json:"size"`
}
