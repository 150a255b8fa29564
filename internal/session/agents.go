package session

import (
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"jl/internal/dialect"
	"jl/internal/entry"
)

// An agent is a row of the table of agents: where a program keeps its sessions, and what the names
// there tell. What the entries of its logs tell, package says knows by the dialect.
type agent struct {
	name string // as the rows of a list have it

	dir       string   // the home below the user's directory
	variables []string // of the environment; the first one that is set names the home
	below     string   // the home below what a variable names

	dialect dialect.Dialect
	shows   func(*entry.Entry) bool // reports whether only this one of the agents with the dialect writes e
	began   func(*entry.Entry) bool // reports whether e began a log of an older release, which does not show the dialect

	files string // a line for each rule: a pattern and a kind
	parts bool   // the entries of sub-agents are in the logs of their sessions

	sdk       bool                                // a list is that of the Agent SDK
	project   func(h *Home, folder string) string // the working directory of a folder, if no log tells it
	title     string                              // the YAML file in a session's directory that has its name
	titles    string                              // the file of the home with an entry for each name that a session got
	archive   string                              // the folder of the home with the logs of sessions that the user put away
	homeTitle func(h *Home) string                // the title of the session whose home it is

	// Of the files:
	rules             []rule
	folders           []string              // patterns of the directories with logs, which may be links
	prefixed, threads bool                  // a log has the whole id, says whether it is a sub-agent's
	named             bool                  // entries name members
	agentsDir         string                // in the directory of a session, where the logs of sub-agents are
	resultsDir        string                // there, where big results are
	pastes, images    string                // the directories of those
	mentioned         func() *regexp.Regexp // what mentions a paste, or an image with its session
}

// tableOfAgents is the table; only models, which makes the rules, reads it. A new agent needs a row, one in the table
// of dialects if its logs are like no other's, and a home in testdata.
var tableOfAgents = []agent{
	{
		name: "claude", dir: ".claude", variables: []string{"CLAUDE_CONFIG_DIR"}, dialect: dialect.Claude, sdk: true,
		files: `
			projects/*/agent-{agent}.meta.json                          agent-meta
			projects/*/agent-{agent}.jsonl                              agent
			projects/*/{session}.jsonl                                  session
			projects/*/{session}/tool-results/**                        tool-result
			projects/*/{session}/workflows/**                           workflow
			projects/*/{session}/subagents/**/agent-{agent}.meta.json   agent-meta
			projects/*/{session}/subagents/**/agent-{agent}.jsonl       agent
			projects/*/{session}/subagents/workflows/**                 workflow
			projects/*/{session}/**                                     other
			todos/{in}/**                                               todo
			tasks/{in}/**                                               task
			file-history/{in}/**                                        file-history
			debug/{in}/**                                               debug
			session-env/{in}/**                                         session-env
			image-cache/{in}/**                                         image
			sessions/{pid}.json                                         running
			plans/{named}/**                                            plan
			paste-cache/{named}/**                                      paste
			jobs/{short}/**                                             job
			daemon/gateway-routed/{short}/**                            job`,
	},
	{
		name: "droid", dir: ".factory", dialect: dialect.Unknown,
		shows: func(e *entry.Entry) bool { return e.Get(entry.Type).Is("session_start") && e.Get(entry.ID).IsString() },
		files: `
			sessions/-*/{session}.settings.json     settings
			sessions/-*/{session}.jsonl             session`,
	},
	{
		name: "kimi", dir: ".kimi-code", dialect: dialect.Unknown, project: kimiProject,
		shows: func(e *entry.Entry) bool {
			return e.Get(entry.Type).Is("metadata") && e.Member("protocol_version").IsString()
		},
		files: `
			sessions/*/{session}/agents/main/wire.jsonl         session
			sessions/*/{session}/agents/**/{agent}/wire.jsonl   agent
			sessions/*/{session}/wire.jsonl                     session
			sessions/*/{session}/**                             other`,
	},
	{
		name: "codex", dir: ".codex", variables: []string{"CODEX_HOME"}, dialect: dialect.Codex, began: dialect.IsOldCodex, titles: "session_index.jsonl", archive: "archived_sessions/",
		files: `
			sessions/[0-9][0-9][0-9][0-9]/[0-9][0-9]/[0-9][0-9]/rollout-*{revert}.jsonl   thread
			sessions/[0-9][0-9][0-9][0-9]/[0-9][0-9]/[0-9][0-9]/rollout-*{uuid}.jsonl     thread
			archived_sessions/rollout-*{revert}.jsonl                                     thread
			archived_sessions/rollout-*{uuid}.jsonl                                       thread`,
	},
	{
		name: "gemini", dir: ".gemini", variables: []string{"GEMINI_CLI_HOME"}, below: ".gemini", dialect: dialect.Gemini, project: geminiProject,
		files: `
			tmp/*/chats/session-*-{prefix}.jsonl      session
			tmp/*/chats/{session}/{agent}.jsonl     agent`,
	},
	{
		name: "copilot", dir: ".copilot", variables: []string{"COPILOT_HOME"}, dialect: dialect.Copilot, parts: true, title: "workspace.yaml",
		files: `
			session-state/{session}.jsonl           session
			session-state/{session}/events.jsonl    session
			session-state/{session}/checkpoints/**  checkpoint
			session-state/{session}/files/**        file
			session-state/{session}/**              other`,
	},
	{
		name: "qwen", dir: ".qwen", variables: []string{"QWEN_RUNTIME_DIR", "QWEN_HOME"}, dialect: dialect.Claude,
		shows: func(e *entry.Entry) bool { return e.Get(entry.Message).Member("parts").IsArray() },
		files: `
			projects/*/chats/{session}.jsonl                            session
			projects/*/subagents/{session}/agent-{agent}.meta.json      agent-meta
			projects/*/subagents/{session}/agent-{agent}.jsonl          agent`,
	},
	{
		name: "pi", dir: ".pi/agent", variables: []string{"PI_CODING_AGENT_DIR"}, dialect: dialect.Pi,
		files: `
			sessions/--*--/*_{session}.jsonl                    session
			sessions/--*--/*/forks/*_{session}.jsonl            session
			sessions/--*--/*_{session}/subagent-artifacts/**    artifact
			sessions/--*--/*_{session}/**/session.jsonl         agent
			sessions/--*--/*_{session}/**                       other`,
	},
	{
		name: "openclaw", dir: ".openclaw", variables: []string{"OPENCLAW_STATE_DIR"}, dialect: dialect.Pi,
		files: `
			agents/*/sessions/{session}.trajectory.jsonl   trajectory
			agents/*/sessions/{session}.trajectory-path.json   trajectory
			agents/*/sessions/{session}.jsonl       session`,
	},
	{
		name: "grok", dir: ".grok", dialect: dialect.Grok, project: grokProject, title: "summary.json",
		files: `
			sessions/*/{session}/updates.jsonl      session
			sessions/*/{uuid}.jsonl                 session
			sessions/*/{session}/**                 other`,
	},
	{
		name: "deepseek", dir: ".dsh", variables: []string{"DSH_HOME"}, dialect: dialect.DeepSeek,
		files: `
			sessions/*/{session}/session.jsonl      thread
			sessions/*/{session}.jsonl              thread
			sessions/*/{session}/**                 other`,
	},
	{
		name: "cursor", dir: ".cursor", dialect: dialect.Unknown,
		shows: func(e *entry.Entry) bool { return e.Member("role").IsString() && e.Get(entry.Message).IsObject() },
		files: `
			projects/*/agent-transcripts/{session}.jsonl                     session
			projects/*/agent-transcripts/{session}/{session}.jsonl           session
			projects/*/agent-transcripts/{session}/subagents/{agent}.jsonl   agent
			projects/*/agent-transcripts/{session}/**                        other`,
	},
}

// agents returns the models and their forks. A fork needs the name of its model, a name and a home, which may be a
// pattern: Claude Desktop has a home for each of its sessions. The table is made when a home is first asked for,
// because to make it takes a quarter of the start of a program.
var agents = sync.OnceValue(func() []agent {
	return slices.Concat(models(), []agent{
		fork("claude", "openclaude", ".openclaude"), fork("codex", "trae", ".trae/cli"),
		fork("pi", "omp", ".omp/agent"), fork("pi", "prime", ".prime/agent"),
		fork("openclaw", "clawdbot", ".clawdbot"), fork("openclaw", "moltbot", ".moltbot"),
		fork("kimi", "kimi", ".kimi"),
		fork("claude", "cowork", "Library/Application Support/"+cowork), fork("claude", "cowork", ".config/"+cowork),
	})
})

const cowork = "Claude/local-agent-mode-sessions/*/*/local_*/.claude"

// fork returns an agent whose homes are like those of a model.
func fork(model, name, dir string) agent {
	all := models()
	a := all[slices.IndexFunc(all, func(a agent) bool { return a.name == model })]
	a.name, a.dir, a.variables, a.below = name, dir, nil, ""
	if strings.Contains(dir, "*") { // a home for each session, beside which a file has its title
		a.homeTitle = func(h *Home) string {
			about, err := objectIn(openFile(filepath.Dir(h.dir) + ".json"))
			if err != nil { // it is only a hint
				return ""
			}
			return string(about.Member("title").Text())
		}
	}
	return a
}

// days is the pattern of the folders in which Codex keeps the logs of a day, below the one of all logs.
const days = "[0-9][0-9][0-9][0-9]/[0-9][0-9]/[0-9][0-9]"

// agentOf returns the agent whose layout a directory has, nil if there is no such agent. The first rule of each
// directory with logs shows the layout.
func agentOf(dir string) *agent {
	all := models()
	for i, a := range slices.Backward(all) {
		for _, pattern := range a.folders {
			r := a.rules[slices.IndexFunc(a.rules, func(r rule) bool { return r.folder == pattern })]
			if r.rest != "" && !strings.Contains(r.rest, "{") && strings.ContainsRune(pattern, '*') { // else the directory itself does
				pattern += "/*/" + r.rest + "*"
			}
			if has(dir, pattern) {
				return &all[i]
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

// grokProject returns the working directory of a session, which a file beside its log tells, and the name of the
// folder, where each mark that a name cannot have is written as a number.
func grokProject(h *Home, folder string) string {
	summary, err := h.ReadObject(path.Join(folder, "summary.json"))
	if cwd := string(summary.Member("info").Member("cwd").Text()); err == nil && cwd != "" {
		return cwd
	}
	dir, err := url.PathUnescape(path.Base(path.Dir(folder)))
	if err != nil || !strings.HasPrefix(dir, "/") {
		return ""
	}
	return dir
}

// kimiProject returns the working directory that the state of a session has.
func kimiProject(h *Home, folder string) string {
	for dir := folder; strings.Count(dir, "/") > 1; dir = path.Dir(dir) { // of an agent, or of the session
		if state, err := h.ReadObject(path.Join(dir, "state.json")); err == nil {
			return string(entry.First(state.Member("cwd"), state.Member("workDir")).Text())
		}
	}
	return ""
}

// models returns the rows of the table, with their rules.
var models = sync.OnceValue(func() []agent {
	for i := range tableOfAgents {
		tableOfAgents[i].compile()
	}
	return tableOfAgents
})
