package session

import (
	"path"
	"strings"
)

// The kinds of members. The kind of a member in any other directory of the home is the
// name of that directory.
const (
	Log        = "session"
	Agent      = "agent"
	AgentMeta  = "agent-meta"
	TaskOutput = "task-output" // of a background task, outside of the home
	Other      = "other"       // in the session's own directory, and none of the others

	kindToolResult  = "tool-result"
	kindFileHistory = "file-history"
	kindImage       = "image"
	kindPaste       = "paste"
	kindPlan        = "plan"
	kindJob         = "job" // of a session in the background
)

// A layout says what the members of sessions are by their names in the home. A pattern is one of
// [path.Match]. In it, /** means the directory before it and all that is below, and .jsonl
// for the name of a log, packed or not. The first rule that fits counts.
type layout []struct{ pattern, kind string }

// claude is the layout of the homes of Claude Code, as far as names hold the id of the session.
var claude = layout{
	{"projects/*/agent-?*.meta.json", AgentMeta},
	{"projects/*/agent-?*.jsonl", Agent},
	{"projects/*/?*.jsonl", Log},
	{"projects/*/*/tool-results/**", kindToolResult},
	{"projects/*/*/workflows/**", "workflow"},
	{"projects/*/*/subagents/**/agent-?*.meta.json", AgentMeta},
	{"projects/*/*/subagents/**/agent-?*.jsonl", Agent},
	{"projects/*/*/subagents/workflows/**", "workflow"},
	{"projects/*/*/**", Other},
	{"todos/**", "todo"},
	{"tasks/**", "task"},
	{"file-history/**", kindFileHistory},
	{"debug/**", "debug"},
	{"session-env/**", "session-env"},
	{"image-cache/**", kindImage},
	{"jobs/**", kindJob},
	{"daemon/gateway-routed/**", kindJob},
}

// kindOf returns the kind of the file or directory with the name in the home, or "".
func (l layout) kindOf(name string) string {
	if stem, isLog := CutLog(name); isLog {
		name = stem + logSuffixes[0]
	}
	for _, rule := range l {
		if fits(rule.pattern, name) {
			return rule.kind
		}
	}
	return ""
}

// fits reports whether a name in the home fits the pattern of a layout.
func fits(pattern, name string) bool {
	dir, base, deep := strings.Cut(pattern, "/**")
	if !deep {
		ok, _ := path.Match(pattern, name)
		return ok
	}
	ok := matching(dir, name) == 1+strings.Count(dir, "/")
	if ok && base != "" {
		ok, _ = path.Match(base[1:], path.Base(name))
	}
	return ok
}
