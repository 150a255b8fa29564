package programs

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A program is a coding agent, as npm has it.
type program struct {
	name     string
	npm      string // the package
	bin      string // its command
	dir      string // the home below the user's directory
	logs     string // a pattern of the logs of sessions, below the home
	setup    func(r *run)
	env      func(r *run) []string
	args     func(r *run, prompt string, n int) []string // of its nth prompt
	tools    tools
	ownWords bool                  // its log has the results in another form than the model gets them
	noTokens bool                  // its log tells no tokens
	once     bool                  // it goes on with a session only if it reaches its maker's server
	noInput  bool                  // it keeps no input of a call of a tool that it has not
	convert  func(r *run) []string // makes logs of what is none, and returns their names
}

// The tools of a program: how it is asked to do something. A nil one is not offered.
type tools struct {
	shell func(command string) block
	read  func(path string) block
	write func(path, text string) block
	edit  func(path, from, to string) block
	lines bool // an edit is of whole lines
}

// tool returns a function of a call of a tool with an input of given names, in order.
func tool(name string, names ...string) func(values ...string) block {
	return func(values ...string) block {
		input := object{}
		for i, name := range names {
			name, fixed, isFixed := strings.Cut(name, "=")
			switch {
			case !isFixed:
				input[name] = values[i]
			default:
				var v any
				if json.Unmarshal([]byte(fixed), &v) != nil {
					v = fixed
				}
				input[name] = v
			}
		}
		return block{tool: name, input: input}
	}
}

func one(f func(...string) block) func(string) block { return func(a string) block { return f(a) } }
func two(f func(...string) block) func(string, string) block {
	return func(a, b string) block { return f(a, b) }
}
func three(f func(...string) block) func(string, string, string) block {
	return func(a, b, c string) block { return f(a, b, c) }
}

// all are the programs that are tried.
var all = []program{
	{
		name: "claude", npm: "@anthropic-ai/claude-code", bin: "claude", dir: ".claude", logs: "projects/*/*.jsonl",
		env: func(r *run) []string {
			return []string{
				"ANTHROPIC_API_KEY=none", "ANTHROPIC_BASE_URL=" + r.url, "CLAUDE_CONFIG_DIR=" + r.home, "DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1",
				"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "IS_SANDBOX=1",
			}
		},
		args: func(r *run, prompt string, n int) []string {
			args := []string{"-p", prompt, "--permission-mode", "acceptEdits", "--allowedTools", "Bash,Read,Write,Edit"}
			if n > 0 {
				args = append(args, "--continue")
			}
			return args
		},
		tools: tools{
			shell: one(tool("Bash", "command", "description=x")), read: one(tool("Read", "file_path")), write: two(tool("Write", "file_path", "content")),
			edit: three(tool("Edit", "file_path", "old_string", "new_string")),
		},
	},
	{
		name: "codex", npm: "@openai/codex", bin: "codex", dir: ".codex", logs: "sessions/*/*/*/*.jsonl",
		setup: func(r *run) {
			r.write(".codex/config.toml", "model = \"gpt-5.5\"\nmodel_provider = \"fake\"\napproval_policy = \"never\"\nsandbox_mode = \"danger-full-access\"\n"+
				"[model_providers.fake]\nname = \"fake\"\nbase_url = \""+r.url+"/v1\"\nenv_key = \"OPENAI_API_KEY\"\nwire_api = \"responses\"\nrequest_max_retries = 1\nstream_max_retries = 1\n")
		},
		env: func(r *run) []string { return []string{"OPENAI_API_KEY=none"} },
		args: func(r *run, prompt string, n int) []string {
			if n > 0 {
				return []string{"exec", "--skip-git-repo-check", "resume", "--last", prompt}
			}
			return []string{"exec", "--skip-git-repo-check", prompt}
		},
		tools: tools{
			shell: one(tool("exec_command", "cmd")),
			read:  func(path string) block { return block{tool: "exec_command", input: object{"cmd": "cat " + path}} },
			write: func(path, text string) block {
				return applyPatch("*** Add File: " + path + "\n+" + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n+"))
			},
			edit: func(path, from, to string) block {
				lines := func(mark, text string) string {
					return mark + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+mark)
				}
				return applyPatch("*** Update File: " + path + "\n@@\n" + lines("-", from) + "\n" + lines("+", to))
			},
			lines: true,
		},
	},
	{
		name: "gemini", npm: "@google/gemini-cli", bin: "gemini", dir: ".gemini", logs: "tmp/*/chats/session-*.jsonl",
		setup: func(r *run) {
			r.write(".gemini/settings.json", `{"security":{"auth":{"selectedType":"gemini-api-key"}},"general":{"disableAutoUpdate":true},"privacy":{"usageStatisticsEnabled":false}}`)
		},
		env: func(r *run) []string {
			return []string{"GEMINI_API_KEY=none", "GOOGLE_GEMINI_BASE_URL=" + r.url, "GEMINI_CLI_TRUST_WORKSPACE=true"}
		},
		args: func(r *run, prompt string, n int) []string {
			args := []string{"-m", "gemini-3-pro", "-p", prompt, "--yolo"}
			if n > 0 {
				args = append(args, "--resume", "latest")
			}
			return args
		},
		tools: tools{
			shell: one(tool("run_shell_command", "command", "description=x")), read: one(tool("read_file", "file_path")), write: two(tool("write_file", "file_path", "content")),
			edit: three(tool("replace", "file_path", "old_string", "new_string", "instruction=x")),
		},
	},
	{
		name: "qwen", npm: "@qwen-code/qwen-code", bin: "qwen", dir: ".qwen", logs: "projects/*/chats/*.jsonl",
		env: func(r *run) []string {
			return []string{"OPENAI_API_KEY=none", "OPENAI_BASE_URL=" + r.url + "/v1", "OPENAI_MODEL=" + model, "QWEN_CODE_SUPPRESS_YOLO_WARNING=1"}
		},
		args: func(r *run, prompt string, n int) []string {
			args := []string{"--auth-type", "openai", "--yolo", "-p", prompt}
			if n > 0 {
				args = append(args, "--continue")
			}
			return args
		},
		tools: tools{
			shell: one(tool("run_shell_command", "command", "description=x", "is_background=false")), read: one(tool("read_file", "file_path")), write: two(tool("write_file", "file_path", "content")),
			edit: three(tool("edit", "file_path", "old_string", "new_string")),
		},
	},
	{
		name: "copilot", npm: "@github/copilot", bin: "copilot", dir: ".copilot", logs: "session-state/*/events.jsonl",
		env: func(r *run) []string {
			return []string{
				"COPILOT_PROVIDER_BASE_URL=" + r.url + "/v1", "COPILOT_PROVIDER_TYPE=openai", "COPILOT_PROVIDER_API_KEY=none", "COPILOT_MODEL=" + model, "COPILOT_OFFLINE=true",
				"COPILOT_AUTO_UPDATE=false",
			}
		},
		args: func(r *run, prompt string, n int) []string {
			args := []string{"--allow-all-tools", "--allow-all-paths", "-p", prompt}
			if n > 0 {
				args = append(args, "--continue")
			}
			return args
		},
		tools: tools{
			shell: one(tool("bash", "command", "description=x", "async=false")), read: one(tool("view", "path")), write: two(tool("create", "path", "file_text")),
			edit: three(tool("edit", "path", "old_str", "new_str")),
		},
	},
	{
		name: "pi", npm: "@earendil-works/pi-coding-agent", bin: "pi", dir: ".pi/agent", logs: "sessions/*/*.jsonl",
		setup: func(r *run) {
			r.write(".pi/agent/models.json", `{"providers":{"fake":{"baseUrl":"`+r.url+`/v1","apiKey":"none","api":"openai-completions","models":[{"id":"`+model+`","name":"moon","reasoning":false,`+
				`"input":["text"],"contextWindow":100000,"maxTokens":4000,"cost":{"input":1,"output":1,"cacheRead":1,"cacheWrite":1}}]}}}`)
		},
		args: func(r *run, prompt string, n int) []string {
			args := []string{"--model", "fake/" + model, "-p", prompt}
			if n > 0 {
				args = append(args, "--continue")
			}
			return args
		},
		tools: tools{
			shell: one(tool("bash", "command")), read: one(tool("read", "path")), write: two(tool("write", "path", "content")),
			edit: func(path, from, to string) block {
				return block{tool: "edit", input: object{"path": path, "edits": []any{object{"oldText": from, "newText": to}}}}
			},
		},
	},
	{
		name: "opencode", noInput: true, npm: "opencode-ai", bin: "opencode", dir: ".local/share/opencode", logs: "opencode.db",
		setup: func(r *run) {
			r.write("opencode.json", `{"provider":{"fake":{"npm":"@ai-sdk/openai-compatible","options":{"baseURL":"`+r.url+`/v1","apiKey":"none"},"models":{"`+model+`":{"name":"moon"}}}},`+
				`"model":"fake/`+model+`","permission":{"*":"allow"}}`)
		},
		env: func(r *run) []string {
			return []string{"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_CONFIG=" + filepath.Join(r.user, "opencode.json")}
		},
		args: func(r *run, prompt string, n int) []string {
			args := []string{"run", "-m", "fake/" + model}
			if n > 0 {
				args = append(args, "-c")
			}
			return append(args, prompt)
		},
		tools: tools{
			shell: one(tool("bash", "command", "description=x")), read: one(tool("read", "filePath")), write: two(tool("write", "filePath", "content")),
			edit: three(tool("edit", "filePath", "oldString", "newString")),
		},
		convert: openCode,
	},
	{
		name: "grok", npm: "@xai-official/grok", bin: "grok", dir: ".grok", logs: "sessions/*/*/updates.jsonl",
		env: func(r *run) []string {
			url := r.url + "/v1"
			return []string{"XAI_API_KEY=none", "GROK_BASE_URL=" + url, "XAI_BASE_URL=" + url, "GROK_API_BASE_URL=" + url, "GROK_MODELS_BASE_URL=" + url}
		},
		args: func(r *run, prompt string, n int) []string {
			args := []string{"--always-approve", "-p", prompt}
			if n > 0 {
				args = append(args, "--continue")
			}
			return args
		},
		tools: tools{
			shell: one(tool("run_terminal_command", "command", "description=x")), read: one(tool("read_file", "target_file")), write: two(tool("write", "file_path", "content")),
			edit: three(tool("search_replace", "file_path", "old_string", "new_string")),
		},
	},
	{
		name: "kimi", npm: "@moonshot-ai/kimi-code", bin: "kimi", dir: ".kimi-code", logs: "sessions/**/wire.jsonl",
		setup: func(r *run) {
			r.write(".kimi-code/config.toml", "default_model = \"moon\"\n[models.moon]\nprovider = \"fake\"\nmodel = \""+model+"\"\nmax_context_size = 100000\n"+
				"[providers.fake]\ntype = \"openai\"\nbase_url = \""+r.url+"/v1\"\napi_key = \"none\"\n")
		},
		args: func(r *run, prompt string, n int) []string {
			args := []string{"-p", prompt}
			if n > 0 {
				args = append(args, "--continue")
			}
			return args
		},
		tools: tools{
			shell: one(tool("Bash", "command")), read: one(tool("Read", "path")), write: two(tool("Write", "path", "content")),
			edit: three(tool("Edit", "path", "old_string", "new_string")),
		},
	},
	{
		name: "droid", ownWords: true, noTokens: true, once: true, npm: "droid", bin: "droid", dir: ".factory", logs: "sessions/*/*.jsonl",
		setup: func(r *run) {
			r.write(".factory/settings.json", `{"customModels":[{"displayName":"moon","model":"`+model+`","id":"custom:moon-1-0","baseUrl":"`+r.url+`/v1","apiKey":"none",`+
				`"provider":"generic-chat-completion-api"}]}`)
		},
		env: func(r *run) []string { return []string{"FACTORY_API_KEY=fk-none"} },
		args: func(r *run, prompt string, n int) []string {
			args := []string{"exec", "--auto", "high", "-m", "custom:moon-1-0"}
			if n > 0 {
				args = append(args, "--session-id", r.session())
			}
			return append(args, prompt)
		},
		tools: tools{
			shell: one(tool("Execute", "command", "summary=x", "riskLevel=low", "riskLevelReason=x")), read: one(tool("Read", "file_path")), write: two(tool("Create", "file_path", "content")),
			edit: three(tool("Edit", "file_path", "old_str", "new_str")),
		},
	},
}

func applyPatch(lines string) block {
	return block{tool: "apply_patch", input: "*** Begin Patch\n" + lines + "\n*** End Patch\n"}
}

// session returns the id of the newest session, which its log is named after.
func (r *run) session() string {
	logs := r.logs()
	if len(logs) == 0 {
		return "none"
	}
	return strings.TrimSuffix(filepath.Base(logs[len(logs)-1]), ".jsonl")
}

// write makes a file below the user's directory.
func (r *run) write(name, text string) {
	name = filepath.Join(r.user, name)
	must(os.MkdirAll(filepath.Dir(name), 0o700))
	must(os.WriteFile(name, []byte(text), 0o600))
}

func must(err error) {
	if err != nil {
		panic(fmt.Sprint("programs: ", err))
	}
}
