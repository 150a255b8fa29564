package main

import (
	"bytes"
	"cmp"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/line"
	"jl/internal/session"
	"jl/internal/source"
)

// inEntries returns the members that only the entries in the logs of a session and its agents name,
// sorted by kind and name: plans, pastes, outputs of tasks, and what is missing.
// seen holds the names in the home of those known already.
func inEntries(c *cli.Command, h *session.Home, id string, logs []string, seen map[string]bool) []member {
	n := &inLogs{
		h: h, id: id, seen: seen, tasks: map[string]bool{},
		agents: map[string]bool{}, beside: map[string]bool{}, stems: map[string]bool{}, saved: map[string]bool{},
	}
	for name := range seen {
		n.know(name)
	}
	for _, log := range logs {
		folder := strings.Join(strings.SplitN(log, "/", 3)[:2], "/")
		n.home, n.flat = path.Join(folder, id), n.beside[folder]
		n.read(c, log)
	}
	n.pastes()
	slices.SortFunc(n.found, func(a, b member) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name), cmp.Compare(a.task, b.task))
	})
	return n.found
}

// inLogs gathers what entries name.
type inLogs struct {
	h     *session.Home
	id    string
	home  string          // the session's own directory beside the log that is read
	flat  bool            // agents lie beside the log
	seen  map[string]bool // by name in the home
	tasks map[string]bool // by id
	slug  []byte          // the member that has the last one seen
	found []member

	// What is asked of all names that were seen, so that no entry looks at all of them.
	agents map[string]bool // ids of those with a log
	beside map[string]bool // directories with agents
	stems  map[string]bool // names without what follows the last dot
	saved  map[string]bool // names of results of the session, in whatever folder
}

// know remembers the name of a member.
func (n *inLogs) know(name string) {
	n.seen[name] = true
	n.stems[strings.TrimSuffix(name, path.Ext(name))] = true
	if dir, base := path.Split(name); strings.HasSuffix(dir, "/"+n.id+"/tool-results/") {
		n.saved[base] = true
	}
	if id := session.AgentID(name); id != "" {
		n.beside[path.Dir(name)] = true
		if !strings.HasSuffix(name, ".json") {
			n.agents[id] = true
		}
	}
}

func (n *inLogs) read(c *cli.Command, name string) {
	f, err := n.h.Open(name)
	if err != nil {
		c.Troublef("%s: %v", n.h.Path(name), err)
		return
	}
	defer f.Close()
	eachEntry(c, n.h.Path(name), f, func(e *entry.Entry, _ *line.Forward) error {
		n.entry(e)
		return nil
	})
}

// eachEntry calls do for each entry of an open log, and says what is wrong with the
// log. It returns what do returned.
func eachEntry(c *cli.Command, name string, f *os.File, do func(*entry.Entry, *line.Forward) error) error {
	src, err := source.Open("-", f, nil)
	if err != nil {
		c.Troublef("%s: %v", name, err)
		return nil
	}
	defer src.Close()
	return eachIn(c, name, src, do)
}

func eachIn(c *cli.Command, name string, src *source.Source, do func(*entry.Entry, *line.Forward) error) error {
	var dec entry.Decoder
	lines := line.NewForward(src)
	for lines.Next() {
		count, damage := dec.Decode(lines.Bytes(), lines.Number() == 1)
		report(c, name, lines, damage)
		for i := range count {
			if err := do(dec.Entry(i), lines); err != nil {
				return err
			}
		}
	}
	if err := lines.Err(); err != nil {
		c.Troublef("%s: %v", name, err)
	}
	return nil
}

// add adds the member called name in the home if it is not known; one that is not
// there only if missing says so.
func (n *inLogs) add(kind, name string, missing bool) {
	if n.seen[name] {
		return
	}
	m := n.h.Stat(name)
	if m.Missing && !missing {
		return
	}
	n.know(name)
	m.Session, m.Kind = n.id, kind
	n.found = append(n.found, member{Member: m})
}

func (n *inLogs) entry(e *entry.Entry) {
	n.plan(e)
	n.images(e)
	n.mentions(e.Bytes)
	if isSnapshot(e) {
		for _, backup := range backupsOf(e) {
			if name := str(backup, "backupFileName"); backupName.MatchString(name) {
				n.add(session.FileHistory, path.Join("file-history", n.id, name), true)
			}
		}
	}
	for notice := range noticesOf(e) {
		n.output(notice.task, notice.output)
	}
	if e.Get(entry.Type).Is("user") {
		n.results(e)
	}
}

func (n *inLogs) plan(e *entry.Entry) {
	key := []byte(`"slug"`)
	i := bytes.Index(e.Bytes, key)
	if i < 0 || n.slug != nil && bytes.HasPrefix(e.Bytes[i:], n.slug) && !bytes.Contains(e.Bytes[i+len(key):], key) {
		return
	}
	v := entry.Value(e.Bytes).Member("slug")
	if slug := string(v.Text()); slug != "" {
		n.slug = append([]byte(`"slug":`), v...)
		for _, plan := range n.h.Plans(slug) { // few sessions with a slug have one
			n.add(session.Plan, plan, false)
		}
	}
}

// images adds the images that were pasted into a prompt.
func (n *inLogs) images(e *entry.Entry) {
	if !bytes.Contains(e.Bytes, []byte(`"imagePasteIds"`)) {
		return
	}
	dir := path.Join("image-cache", n.id)
	for v := range entry.Value(e.Bytes).Member("imagePasteIds").Elements() {
		if number, ok := v.Int(); ok && number >= 0 && !n.stems[path.Join(dir, strconv.FormatInt(number, 10))] {
			n.add(session.Image, path.Join(dir, strconv.FormatInt(number, 10)+".png"), true)
		}
	}
}

// mentions adds pastes and images of the session that the text of an entry names by
// their paths, if they are there.
func (n *inLogs) mentions(b []byte) {
	const mark = "-cache/"
	for {
		i := bytes.Index(b, []byte(mark))
		if i < 0 {
			return
		}
		before, after := b[:i], b[i+len(mark):]
		switch {
		case bytes.HasSuffix(before, []byte("paste")):
			n.mention(session.Paste, "paste-cache", after)
		case bytes.HasSuffix(before, []byte("image")):
			if rest, ok := bytes.CutPrefix(after, []byte(n.id+"/")); ok {
				n.mention(session.Image, "image-cache/"+n.id, rest)
			}
		}
		b = after
	}
}

// mention adds the file in dir whose name text begins with.
func (n *inLogs) mention(kind, dir string, text []byte) {
	end := bytes.IndexFunc(text, func(r rune) bool { return !strings.ContainsRune(fileChars, r) })
	if end < 0 {
		end = len(text)
	}
	// A path may end a sentence.
	if name := strings.TrimRight(string(text[:end]), "."); session.IsElement(name) {
		n.add(kind, path.Join(dir, name), false)
	}
}

const fileChars = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ._-"

// results adds what the results of tools in an entry name.
func (n *inLogs) results(e *entry.Entry) {
	result := resultOf(e)
	if result.IsObject() {
		n.agent(str(result, "agentId"))
		for _, key := range []string{"persistedOutputPath", "rawOutputPath"} {
			n.toolResult(str(result, key))
		}
	}
	for block := range e.Get(entry.Message).Member("content").Elements() {
		if !block.Member("type").Is("tool_result") {
			continue
		}
		text := joined(block.Member("content"))
		if m := savedTo.FindStringSubmatch(text); m != nil {
			n.toolResult(m[1])
		}
		if l, ok := launchIn(result, text); ok {
			n.output(l.task, l.output)
		}
	}
}

// agent adds the log of an agent if it is missing.
func (n *inLogs) agent(id string) {
	base := "agent-" + id + ".jsonl"
	if id == "" || !session.IsElement(base) || n.agents[id] {
		return
	}
	// An agent of the old layout that is empty, damaged or packed does not say whose it is.
	beside := path.Join(path.Dir(n.home), base)
	for _, suffix := range []string{"", ".zst", ".gz"} {
		n.add(session.Agent, beside+suffix, false)
	}
	if n.agents[id] {
		return
	}
	dir := path.Join(n.home, "subagents")
	if n.flat {
		dir = path.Dir(n.home)
	}
	n.add(session.Agent, path.Join(dir, base), true)
}

func (n *inLogs) toolResult(saved string) {
	if name := toolResultName(saved, n.id); name != "" && !n.saved[name] {
		n.add(session.ToolResult, path.Join(n.home, "tool-results", name), true)
	}
}

// output adds the output of a background task.
func (n *inLogs) output(task, name string) {
	if name == "" || n.tasks[task] {
		return
	}
	n.tasks[task] = true
	n.found = append(n.found, outputOf(n.id, task, name))
}

// pastes adds the long pastes that the history of prompts names.
func (n *inLogs) pastes() {
	for _, hash := range n.h.Pastes(n.id) {
		n.add(session.Paste, path.Join("paste-cache", hash+".txt"), true)
	}
}
