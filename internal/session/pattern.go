package session

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
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

// thread is the kind of a log that says whether it is a session's or a sub-agent's.
const thread = "thread"

// A rule says what the files and directories are whose names in the home fit a pattern. In a pattern, * is part
// of an element, ** any elements, and .jsonl the end of the name of a log, packed or not. These are the ids:
//
//	{session}   the id of a session
//	{uuid}      one that is a UUID
//	{revert}    a UUID, and the one of a revision
//	{prefix}    the beginning of the id that the log has
//	{short}     the beginning of the id of a session that is there
//	{pid}       a number, of a process: the file names the session
//	{in}        an element with the id of a session, a UUID, somewhere in it
//	{agent}     the id of a sub-agent
//	{named}     an element without the id of a session: the file belongs to the sessions whose entries name it
//
// A log without the id of its session names it, and the log of a sub-agent without {agent} names that. The first
// rule that fits counts.
type rule struct {
	elements []element
	kind     string
	folder   string // the elements before the first one with an id
	key      string // that element
	rest     string // what is after it
}

// An element of a pattern is a text, a glob, or an id between two texts. With a star, the first text is followed by
// anything and the text sep.
type element struct {
	text, glob         string
	before, sep, after string
	star               bool
	id                 string
}

func newRule(pattern, kind string) rule {
	elements := strings.Split(pattern, "/")
	n := slices.IndexFunc(elements, func(e string) bool { return strings.ContainsRune(e, '{') })
	r := rule{kind: kind, folder: strings.Join(elements[:n], "/"), key: elements[n], rest: strings.Join(elements[n+1:], "/")}
	for _, text := range elements {
		e := element{text: text}
		var hasID bool
		if e.before, e.id, hasID = strings.Cut(text, "{"); hasID {
			e.id, e.after, _ = strings.Cut(e.id, "}")
			e.before, e.sep, e.star = strings.Cut(e.before, "*")
		} else if text != "**" && strings.ContainsAny(text, "*[") {
			e.glob = text
		}
		r.elements = append(r.elements, e)
	}
	return r
}

// compile makes the rules. Each agent has two more: a directory beside logs belongs to the session that it is named
// after, and so does anything else in the home whose name has the id of a session.
func (a *agent) compile() {
	for line := range strings.Lines(strings.TrimSpace(a.files)) {
		f := strings.Fields(line)
		a.rules = append(a.rules, newRule(f[0], f[1]))
	}
	kind, own := "", []rule{}
	for _, r := range a.rules {
		a.prefixed, a.threads = a.prefixed || strings.Contains(r.key, "{prefix}"), a.threads || r.kind == thread
		a.named = a.named || r.key == "{named}"
		if r.kind == Other {
			kind = Other
		}
		if (r.isSession() || r.isAgent()) && !slices.Contains(a.folders, r.folder) {
			a.folders = append(a.folders, r.folder)
		}
	}
	for _, f := range slices.Backward(slices.Sorted(slices.Values(a.folders))) { // the deepest first
		own = append(own, newRule(f+"/{uuid}/**", kind))
		for _, r := range a.rules {
			if stem, isLog := CutLog(r.key); isLog && r.isSession() && r.folder == f && !strings.Contains(stem, "{prefix}") {
				own = append(own, newRule(f+"/"+stem+"/**", kind))
			}
		}
		own = append(own, newRule(f+"/{session}/**", kind))
	}
	a.rules = append(append(a.rules, own...), newRule(anyDirectory+"/{in}/**", ""))
	a.agentsDir, _ = a.belowSession(Agent)
	a.resultsDir, _ = a.belowSession(kindToolResult)
	if a.named {
		a.pastes, a.images = a.place(kindPaste)+"/", a.place(kindImage)+"/"
		a.mentioned = sync.OnceValue(func() *regexp.Regexp {
			const name = `([0-9A-Za-z._-]+)`
			return regexp.MustCompile(`(?:` + regexp.QuoteMeta(a.pastes) + `|` + regexp.QuoteMeta(a.images) + name + `/)` + name)
		})
	}
}

// anyDirectory is the folder of the rule for what is in no directory that the table names.
const anyDirectory = "*"

// hasSession reports whether the files of the rule have the id of a session in their names, in a directory that the
// table names.
func (r *rule) hasSession() bool { return r.key == "{in}" && r.folder != anyDirectory }

// isSession reports whether the rule is for the logs of sessions, isAgent whether it is for those of sub-agents and
// their metadata.
func (r *rule) isSession() bool { return r.kind == Log || r.kind == thread }
func (r *rule) isAgent() bool   { return r.kind == Agent || r.kind == AgentMeta }

// isNamed reports whether entries name the files of the rule. If no id is in the name of such a file, only an entry
// shows to which session it belongs.
func (r *rule) isNamed() bool {
	return r.kind == kindPlan || r.kind == kindPaste || r.kind == kindImage
}

// A hit is the rule that fits a name, and the ids in the name, by what the rule calls them.
type hit struct {
	*rule
	session, agent, prefix, short, pid string
}

// match returns what the rules tell of the name of a file or a directory.
func (a *agent) match(name string, isDir bool) hit {
	if stem, isLog := CutLog(name); isLog {
		name = stem + ".jsonl"
	}
	elements := strings.Split(name, "/")
	for i := range a.rules {
		h := hit{rule: &a.rules[i]}
		if (!isDir || h.elements[len(h.elements)-1].text == "**") && h.fits(h.elements, elements) {
			return h
		}
	}
	return hit{rule: &rule{}}
}

// fits reports whether the elements of a name match those of a pattern.
func (h *hit) fits(pattern []element, name []string) bool {
	for ; len(pattern) > 0; pattern, name = pattern[1:], name[1:] {
		e := &pattern[0]
		switch {
		case e.text == "**" && len(pattern) == 1:
			return true
		case len(name) == 0:
			return false
		case e.text == "**":
			return h.fits(pattern[1:], name) || h.fits(pattern, name[1:])
		case e.id != "":
			if !h.cut(e, name[0]) {
				return false
			}
		case e.glob == "*":
		case e.glob != "":
			if ok, _ := path.Match(e.glob, name[0]); !ok {
				return false
			}
		case e.text != name[0]:
			return false
		}
	}
	return len(name) == 0
}

// cut takes the id from an element of a name, if that matches one of a pattern.
func (h *hit) cut(e *element, name string) bool {
	rest, before := strings.CutPrefix(name, e.before)
	rest, after := strings.CutSuffix(rest, e.after)
	if !before || !after {
		return false
	}
	if !e.star {
		return h.take(e.id, rest)
	}
	for i := range rest {
		if id, ok := strings.CutPrefix(rest[i:], e.sep); ok && h.take(e.id, id) {
			return true
		}
	}
	return false
}

// take notes an id. It reports whether the text can be one.
func (h *hit) take(id, text string) bool {
	ok, to := text != "", &h.session
	switch id {
	case "session":
		if ok = ok && (*to == "" || *to == text); ok && h.isSession() && h.rest == "" {
			owner := Owner(text)
			ok = owner == "" || owner == text // else a sync tool that met two versions of a log has kept one under a longer name
		}
	case "uuid":
		ok = IsID(text)
	case "revert":
		first, second, _ := strings.Cut(text, "_")
		ok, text = IsID(first) && IsID(second), first
	case "in":
		text = Owner(text)
	case "prefix":
		ok, to = ok && !strings.ContainsAny(text, "-."), &h.prefix
	case "short":
		to = &h.short
	case "named":
		return ok && Owner(text) == ""
	case "pid":
		ok, to = ok && strings.Trim(text, "0123456789") == "", &h.pid
	case "agent":
		to = &h.agent
	}
	if ok {
		*to = text
	}
	return ok
}

// inFolder returns a name in the deepest folder in which it is, false if it is in none.
func (a *agent) inFolder(name string) (rest string, ok bool) {
	depth := 0
	for _, pattern := range a.folders {
		n := 1 + strings.Count(pattern, "/")
		if folder := firstOf(name, n); matching(pattern, name) == n && len(folder) < len(name) && n > depth {
			depth, rest = n, name[len(folder)+1:]
		}
	}
	return rest, depth > 0
}

// idOf returns the id in the name of a session's log, wherever the log is, "" if it has none.
func (a *agent) idOf(name string) string {
	stem, _ := CutLog(name)
	for i := range a.rules {
		h := hit{rule: &a.rules[i]}
		if n := len(h.elements) - 1; h.isSession() && h.rest == "" && h.cut(&h.elements[n], stem+".jsonl") {
			return h.session
		}
	}
	return ""
}

// kindIn returns the kind of what is in a directory of the home other than those with logs, "" if no rule tells it.
func (a *agent) kindIn(dir string) (kind string) {
	for _, r := range a.rules {
		if r.folder == dir {
			kind = r.kind
		}
	}
	return kind
}

// belowSession returns where the files of a kind are in the directory of a session.
func (a *agent) belowSession(kind string) (dir string, has bool) {
	for _, r := range a.rules {
		if r.kind == kind && strings.Contains(r.key, "{session}") {
			dir, _, _ = strings.Cut(path.Dir(r.rest), "/**")
			return strings.TrimPrefix(dir, "**"), true
		}
	}
	return "", false
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

// place returns the name in the home of what is in the directory of a kind, the first one if there are several.
func (a *agent) place(kind string, elements ...string) string {
	for _, r := range a.rules {
		if r.kind == kind {
			return path.Join(r.folder, path.Join(elements...))
		}
	}
	return path.Join(elements...)
}
