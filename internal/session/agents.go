package session

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"jl/internal/dialect"
	"jl/internal/entry"
)

// An agent is a row of the table of agents: where a program keeps its sessions, and what the names
// there tell. What the entries of its logs tell is in the row of its dialect.
type agent struct {
	name string // as the rows of a list have it

	dir       string   // the home below the user's directory
	variables []string // of the environment; the first one that is set names the home
	below     string   // the home below what a variable names

	dialect dialect.Dialect
	shows   func(*entry.Entry) bool // reports whether only this one of the agents with the dialect writes e

	folders []string                 // patterns of the directories that hold logs and directories of sessions
	inside  string                   // the stem of the log that is in a session's directory, or sameName; "" if a log is in a folder
	id      func(stem string) string // the id that the stem of a log has, "" if it is no log of a session
	headed  bool                     // the log itself has the whole id, its name only the beginning or none
	threads bool                     // sub-agents are logs beside the logs of sessions
	parts   bool                     // the entries of sub-agents are in the logs of their sessions
	agents  string                   // the directory below a session's with the logs of its sub-agents; "" if there is none
	runs    bool                     // only the logs of sub-agents have the ids of those
	layout  layout                   // the kinds of the other members
	shorts  []string                 // directories whose names begin the id of a session
	records bool                     // entries name members, as shape knows them

	sdk     bool                                // a list is that of the Agent SDK
	project func(h *Home, folder string) string // the working directory of a folder, if no log tells it
	title   string                              // the YAML file in a session's directory that has its name
	titles  string                              // the file of the home with an entry for each name that a session got
}

// models is the table. A new agent needs a row, one in the table of dialects if its logs are like no
// other's, and a home in testdata.
var models = [...]agent{
	{
		name: "claude", dir: ".claude", variables: []string{"CLAUDE_CONFIG_DIR"}, dialect: dialect.Claude,
		folders: []string{"projects/*"}, id: wholeStem, agents: "subagents", layout: claude,
		shorts: []string{"jobs", "daemon/gateway-routed"}, records: true, sdk: true,
	},
	{
		name: "codex", dir: ".codex", variables: []string{"CODEX_HOME"}, dialect: dialect.Codex,
		folders: []string{"sessions/" + days, "archived_sessions"},
		id: func(stem string) string {
			id := Owner(stem)
			before, after, _ := strings.Cut(stem, id)
			if !strings.HasPrefix(before, "rollout-") || after != "" && !(after[0] == '_' && IsID(after[1:])) { // after a revert
				return ""
			}
			return id
		},
		threads: true, titles: "session_index.jsonl",
	},
	{
		name: "gemini", dir: ".gemini", variables: []string{"GEMINI_CLI_HOME"}, below: ".gemini", dialect: dialect.Gemini,
		folders: []string{"tmp/*/chats"}, headed: true, agents: ".", layout: layout{{"tmp/*/chats/*/*.jsonl", Agent}},
		id: func(stem string) string {
			if !strings.HasPrefix(stem, "session-") {
				return ""
			}
			return stem[strings.LastIndexByte(stem, '-')+1:]
		},
		project: geminiProject,
	},
	{
		name: "copilot", dir: ".copilot", variables: []string{"COPILOT_HOME"}, dialect: dialect.Copilot,
		folders: []string{"session-state"}, inside: "events", id: wholeStem, parts: true, title: "workspace.yaml",
		layout: layout{{"session-state/*/checkpoints/**", "checkpoint"}, {"session-state/*/files/**", "file"}, {"session-state/*/**", Other}},
	},
	{
		name: "qwen", dir: ".qwen", variables: []string{"QWEN_RUNTIME_DIR", "QWEN_HOME"}, dialect: dialect.Claude,
		shows:   func(e *entry.Entry) bool { return e.Get(entry.Message).Member("parts").IsArray() },
		folders: []string{"projects/*/chats", "projects/*/subagents"}, id: wholeStem, agents: ".",
		layout: layout{{"projects/*/subagents/*/agent-?*.meta.json", AgentMeta}, {"projects/*/subagents/*/agent-?*.jsonl", Agent}},
	},
	{
		name: "pi", dir: ".pi/agent", variables: []string{"PI_CODING_AGENT_DIR"}, dialect: dialect.Pi,
		folders: []string{"sessions/--*--", "sessions/--*--/*/forks"}, agents: ".", runs: true,
		layout: layout{
			{"sessions/--*--/*/subagent-artifacts/**", "artifact"}, {"sessions/--*--/*/**/session.jsonl", Agent},
			{"sessions/--*--/*/**", Other},
		},
		id: func(stem string) string {
			_, id, _ := strings.Cut(stem, "_")
			return id
		},
	},
	{
		name: "grok", dir: ".grok", dialect: dialect.Grok,
		folders: []string{"sessions/*"}, inside: "updates", id: wholeStem, layout: layout{{"sessions/*/*/**", Other}},
	},
	{
		name: "deepseek", dir: ".dsh", variables: []string{"DSH_HOME"}, dialect: dialect.DeepSeek,
		folders: []string{"sessions/*"}, inside: "session", id: wholeStem, threads: true, layout: layout{{"sessions/*/*/**", Other}},
	},
	{
		name: "cursor", dir: ".cursor", dialect: dialect.Unknown,
		shows:   func(e *entry.Entry) bool { return e.Member("role").IsString() && e.Get(entry.Message).IsObject() },
		folders: []string{"projects/*/agent-transcripts"}, inside: sameName, id: wholeStem, agents: "subagents",
		layout: layout{{"projects/*/agent-transcripts/*/subagents/*.jsonl", Agent}, {"projects/*/agent-transcripts/*/**", Other}},
	},
}

// sameName is for logs that are called as their directories.
const sameName = "*"

// agents are the models and their forks. A fork needs the name of its model, a name and a home.
var agents = append(models[:], fork("claude", "openclaude", ".openclaude"), fork("codex", "trae", ".trae/cli"),
	fork("pi", "omp", ".omp/agent"), fork("pi", "prime", ".prime/agent"))

// fork returns an agent in whose homes all is as in those of a model.
func fork(model, name, dir string) agent {
	a := models[slices.IndexFunc(models[:], func(a agent) bool { return a.name == model })]
	a.name, a.dir, a.variables, a.below = name, dir, nil, ""
	return a
}

// days is the pattern of the folders of Codex below one for all logs.
const days = "[0-9][0-9][0-9][0-9]/[0-9][0-9]/[0-9][0-9]"

// wholeStem is for logs that are called by the ids of their sessions.
func wholeStem(stem string) string { return stem }

// agentOf returns the agent whose layout a directory has, nil if it has none's.
func agentOf(dir string) *agent {
	for _, a := range slices.Backward(models[:]) {
		for _, pattern := range a.folders {
			if a.inside != "" && a.inside != sameName && strings.ContainsRune(pattern, '*') { // else the folder itself shows it
				pattern += "/*/" + a.inside + ".jsonl*"
			}
			if has(dir, pattern) {
				return &a
			}
		}
	}
	return nil
}

// has reports whether a directory has a file or directory whose name matches the pattern.
func has(dir, pattern string) bool {
	first, rest := pattern, ""
	if at := strings.LastIndexAny(pattern, "*[/"); pattern[max(at, 0)] == '/' { // a name need not be listed to be found
		first, rest = pattern[:at], pattern[at:]
	}
	found, _ := fs.Glob(os.DirFS(dir), first)
	return slices.ContainsFunc(found, func(name string) bool {
		_, err := os.Lstat(filepath.Join(dir, name) + rest)
		return err == nil
	})
}

// foreign are agents whose sessions are no logs: what shows a directory of theirs, where it is below that
// of the user, and what makes logs of its sessions.
var foreign = [...]struct{ pattern, dir, way string }{
	{"opencode.db", ".local/share/opencode", "OpenCode keeps its sessions in opencode.db: opencode.sh of the examples makes logs of them"},
	{"chats/*/*/store.db", ".cursor", "Cursor keeps its sessions in SQLite: sqlite3 -json DB 'select …' | jq -c '.[]' prints rows"},
	{"tmp/*/chats/session-*.json", ".gemini", oldGemini}, {"session-*.json", "", oldGemini},
}

const oldGemini = "older sessions of Gemini CLI are JSON documents: jq -c '{sessionId, projectHash, startTime}, .messages[]' makes a log of one"

// Foreign returns what makes logs of sessions that are none and in no home, by their directories.
func (Homes) Foreign() map[string]string {
	user, err := os.UserHomeDir()
	ways := map[string]string{}
	for _, f := range foreign {
		if dir := filepath.Join(user, f.dir); err == nil && f.dir != "" && has(dir, f.pattern) {
			ways[dir] = f.way
		}
	}
	return ways
}

// DirError returns the error for a directory that should be a log. It says what makes logs of what is
// there.
func DirError(dir string) error {
	for _, f := range foreign {
		if has(dir, f.pattern) {
			return fmt.Errorf("%w: %s", syscall.EISDIR, f.way)
		}
	}
	switch {
	case agentOf(dir) != nil:
		return fmt.Errorf("%w, the home of an agent: jlrel --list --home prints its sessions", syscall.EISDIR)
	case has(dir, "*.jsonl"):
		return fmt.Errorf("%w: its logs are *.jsonl", syscall.EISDIR)
	}
	return syscall.EISDIR
}

// folderIn returns the name of the deepest folder in which a name in the home is, and the rest of the name.
func (a *agent) folderIn(name string) (folder, rest string, ok bool) {
	for _, pattern := range a.folders {
		n := 1 + strings.Count(pattern, "/")
		if dir := firstOf(name, n); matching(pattern, name) == n && len(dir) < len(name) && len(dir) > len(folder) {
			folder, rest, ok = dir, name[len(dir)+1:], true
		}
	}
	return folder, rest, ok
}

// leading returns the longest beginning of a name in the home that is a folder, or a directory above
// one: they may be links.
func (a *agent) leading(name string) string {
	longest := 0
	for _, pattern := range a.folders {
		longest = max(longest, matching(pattern, name))
	}
	return firstOf(name, longest)
}

// matching returns how many of the first elements of a name match those of a pattern.
func matching(pattern, name string) (n int) {
	elements := strings.Split(name, "/")
	for i, part := range strings.Split(pattern, "/") {
		if ok, _ := path.Match(part, elements[min(i, len(elements)-1)]); !ok || i == len(elements) {
			break
		}
		n++
	}
	return n
}

// firstOf returns the first n elements of a name.
func firstOf(name string, n int) string {
	elements := strings.Split(name, "/")
	return strings.Join(elements[:min(n, len(elements))], "/")
}

// idIn returns the id in the name in the home of the log of a session, "" if it is none.
func (a *agent) idIn(name string) string {
	_, rest, ok := a.folderIn(name)
	dir, base, deep := strings.Cut(rest, "/")
	if !ok || deep && idOf(base) != a.stemIn(dir) {
		return ""
	}
	id, _ := a.logAt(dir, deep)
	return id
}

// stemIn returns the stem of the log in a session's directory, "" if it is not there.
func (a *agent) stemIn(dir string) string {
	if a.inside == sameName {
		return dir
	}
	return a.inside
}

// ownerOf returns the id of the session whose own directory in a folder has the name, "" if it is none.
func (a *agent) ownerOf(dir string) string {
	for _, id := range []string{dir, a.id(dir)} {
		if IsID(id) {
			return id
		}
	}
	return ""
}

// logAt returns the id in the name of the log that a file in a folder is, or a directory there holds, "" if it
// is none, and the stem of that name in the folder.
func (a *agent) logAt(name string, isDir bool) (id, stem string) {
	if isDir {
		if a.inside == "" {
			return "", ""
		}
		return a.id(name), name + "/" + a.stemIn(name)
	}
	stem, isLog := CutLog(name)
	if !isLog || a.agents != "" && AgentID(name) != "" {
		return "", ""
	}
	id = a.id(stem)
	if owner := Owner(id); owner != "" && owner != id {
		return "", "" // a sync tool that met two versions of a file has kept one of them under a longer name
	}
	return id, stem
}

// geminiProject returns the working directory that projects.json has for a project.
func geminiProject(h *Home, folder string) string {
	registry, err := h.ReadObject("projects.json")
	if err != nil { // it is only a hint
		return ""
	}
	project := path.Base(path.Dir(folder))
	for dir, name := range registry.Member("projects").Members() {
		if name.Is(project) {
			return string(dir.Text())
		}
	}
	return ""
}
