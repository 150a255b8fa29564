package main

import (
	"bytes"
	"io"
	"os"
	"path"
	"strconv"
	"strings"

	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/line"
	"jl/internal/session"
	"jl/internal/source"
)

// inLogs finds the members of a session that only the entries in its logs name, and
// those of its agents: plans, pastes, outputs of tasks, and what is missing. It prints
// them in the order in which they are named. Of what it has seen it keeps hashes, so
// that a log may name any number of backups.
type inLogs struct {
	c     *cli.Command
	h     *session.Home
	id    string
	print func(*member) error
	err   error // the first that print returned; nothing is printed after it

	pathless bool // an output is printed even if no entry says where it is

	home string // the session's own directory beside the log that is read
	flat bool   // agents lie beside the log
	slug []byte // the member that has the last one seen

	seen   hashes // names in the home
	tasks  hashes // ids
	agents hashes // ids of those with a log
	beside hashes // directories with agents
	shown  hashes // names, without what follows the last dot
	saved  hashes // names of results of the session, in whatever folder
}

func newInLogs(c *cli.Command, h *session.Home, id string, print func(*member) error) *inLogs {
	return &inLogs{
		c: c, h: h, id: id, print: print,
		seen: hashes{}, tasks: hashes{}, agents: hashes{}, beside: hashes{}, shown: hashes{}, saved: hashes{},
	}
}

// know remembers the name of a member.
func (n *inLogs) know(name string) {
	n.seen.add(name)
	dir, base := path.Split(name)
	switch {
	case strings.HasPrefix(name, "image-cache/"):
		n.shown.add(strings.TrimSuffix(name, path.Ext(name)))
	case strings.HasSuffix(dir, "/"+n.id+"/tool-results/"):
		n.saved.add(base)
	}
	if id := session.AgentID(base); id != "" {
		n.beside.add(path.Clean(dir))
		if !strings.HasSuffix(base, ".json") {
			n.agents.add(id)
		}
	}
}

// read reads the logs of the session and its agents. It returns a failed write only.
func (n *inLogs) read(logs []string) error {
	for _, log := range logs {
		folder := strings.Join(strings.SplitN(log, "/", 3)[:2], "/")
		n.home, n.flat = path.Join(folder, n.id), n.beside.has(folder)
		n.log(log)
	}
	n.pastes()
	return n.err
}

func (n *inLogs) log(name string) {
	f, err := n.h.Open(name)
	if err != nil {
		n.c.Fail(n.h.Path(name), err)
		return
	}
	defer f.Close()
	_ = eachEntry(n.c, n.h.Path(name), f, func(e *entry.Entry, _ *line.Forward) error {
		n.entry(e)
		return n.err
	})
}

// unpack returns what an open log holds, compressed or not.
func unpack(f *os.File) (io.ReadCloser, error) { return source.Open("-", f, nil) }

// eachEntry calls do for each entry of an open log, and says what is wrong with the
// log. It returns what do returned.
func eachEntry(c *cli.Command, name string, f *os.File, do func(*entry.Entry, *line.Forward) error) error {
	src, err := source.Open("-", f, nil)
	if err != nil {
		c.Fail(name, err)
		return nil
	}
	defer src.Close()
	return eachIn(c, name, src, do)
}

func eachIn(c *cli.Command, name string, src *source.Source, do func(*entry.Entry, *line.Forward) error) error {
	var dec entry.Decoder
	lines := line.NewForward(src)
	for lines.Next() {
		count, damage := dec.Decode(lines.Bytes(), lines.Number(), lines.Offset())
		report(c, name, lines, damage)
		for i := range count {
			if err := do(dec.Entry(i), lines); err != nil {
				return err
			}
		}
	}
	if err := lines.Err(); err != nil {
		c.Fail(name, err)
	}
	return nil
}

// add prints the member called name in the home if it is not known; one that is not
// there only if missing says so.
func (n *inLogs) add(kind, name string, missing bool) {
	if n.seen.has(name) {
		return
	}
	m := n.h.Stat(name)
	if m.Missing && !missing {
		return
	}
	n.know(name)
	m.Session, m.Kind = n.id, kind
	n.row(&member{Member: m})
}

func (n *inLogs) row(m *member) {
	if n.err == nil {
		n.err = n.print(m)
	}
}

func (n *inLogs) entry(e *entry.Entry) {
	n.plan(e)
	n.images(e)
	n.mentions(e.Bytes)
	if isSnapshot(e) {
		for _, backup := range backupsOf(e) {
			if name := session.Backup(n.id, str(backup, "backupFileName")); name != "" {
				n.add(session.FileHistory, name, true)
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

// images prints the images that were pasted into a prompt.
func (n *inLogs) images(e *entry.Entry) {
	if !bytes.Contains(e.Bytes, []byte(`"imagePasteIds"`)) {
		return
	}
	dir := path.Join("image-cache", n.id)
	for v := range entry.Value(e.Bytes).Member("imagePasteIds").Elements() {
		if number, ok := v.Int(); ok && number >= 0 && !n.shown.has(path.Join(dir, strconv.FormatInt(number, 10))) {
			n.add(session.Image, path.Join(dir, strconv.FormatInt(number, 10)+".png"), true)
		}
	}
}

// mentions prints pastes and images of the session that the text of an entry names by
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

// mention prints the file in dir whose name text begins with.
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

// results prints what the results of tools in an entry name.
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
		text := textIn(block)
		if m := savedTo.FindStringSubmatch(text); m != nil {
			n.toolResult(m[1])
		}
		if l, ok := launchIn(result, text); ok {
			n.output(l.task, l.output)
		}
	}
}

// besideNames returns what the log of an agent may be called in the folder of its
// session, nothing if the id cannot be in the name of a file. Is it empty, damaged or
// packed, an agent of the old layout does not say whose it is.
func besideNames(folder, id string) []string {
	base := "agent-" + id + ".jsonl"
	if id == "" || !session.IsElement(base) {
		return nil
	}
	name := path.Join(folder, base)
	return []string{name, name + ".zst", name + ".gz"}
}

// agent prints the log of an agent if it is missing, or if only an entry tells whose
// it is.
func (n *inLogs) agent(id string) {
	beside := besideNames(path.Dir(n.home), id)
	if beside == nil || n.agents.has(id) {
		return
	}
	for _, name := range beside {
		n.add(session.Agent, name, false)
	}
	if n.agents.has(id) {
		return
	}
	dir := path.Join(n.home, "subagents")
	if n.flat {
		dir = path.Dir(n.home)
	}
	n.add(session.Agent, path.Join(dir, path.Base(beside[0])), true)
}

func (n *inLogs) toolResult(saved string) {
	if name := toolResultName(saved, n.id); name != "" && !n.saved.has(name) {
		n.add(session.ToolResult, path.Join(n.home, "tool-results", name), true)
	}
}

// output prints the output of a background task.
func (n *inLogs) output(task, name string) {
	if name == "" && !n.pathless || !n.tasks.add(task) {
		return
	}
	m := outputOf(n.id, task, name)
	n.row(&m)
}

// pastes prints the long pastes that the history of prompts names.
func (n *inLogs) pastes() {
	hashes, err := n.h.Pastes(n.id)
	if err != nil {
		n.c.Fail(n.h.Path(session.History), err)
	}
	for _, hash := range hashes {
		n.add(session.Paste, path.Join("paste-cache", hash+".txt"), true)
	}
}
