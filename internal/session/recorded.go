package session

import (
	"bytes"
	"errors"
	"iter"
	"path"
	"strconv"
	"strings"

	"jl/internal/entry"
	"jl/internal/hashset"
	"jl/internal/shape"
)

// AllMembers yields the members that [Home.Members] yields, and then, as it reads the
// logs of the session and its agents and the history of prompts, those that only entries
// name, in the order in which they do: plans, pastes, outputs of tasks, and what is
// missing. If ready is not nil, it is called before everything that may take long, so
// that the caller can write what it has. An error is a [*PlaceError].
func (h *Home) AllMembers(id string, ready func()) iter.Seq2[Member, error] {
	if ready == nil {
		ready = func() {}
	}
	return func(yield func(Member, error) bool) {
		s := newRecordScanner(h, id, yield)
		var unread []*PlaceError // entries may name them yet
		for m, err := range h.Members(id) {
			if place, ok := errors.AsType[*PlaceError](err); ok && place.Kind == "" {
				unread = append(unread, place)
				continue
			}
			if err == nil {
				s.found(&m)
			}
			if s.emit(m, err); s.stopped {
				return
			}
			if m.Kind == Log {
				ready() // a directory of very many files may follow
			}
		}
		ready()
		if s.readLogs(); s.stopped {
			return
		}
		s.pastes()
		for _, place := range unread {
			if !s.seen.Has(place.Name) {
				s.emit(Member{}, place)
			}
		}
	}
}

// A recordScanner finds the members of a session that the entries in its logs, and in
// those of its agents, name. It remembers what it has seen by hashes.
type recordScanner struct {
	h       *Home
	id      string
	yield   func(Member, error) bool
	stopped bool // yield has returned false

	pathless bool // an output is a member even if no entry has its path

	logs []string // names of the logs to read
	dir  string   // the session's own directory next to the log that is read
	flat bool     // agents are next to that log
	slug []byte   // the last slug seen, as a member of an object

	seen      hashset.Set // names in the home
	tasks     hashset.Set // ids
	agents    hashset.Set // ids of those with a log
	agentDirs hashset.Set // directories with agents
	images    hashset.Set // names without their suffix
	results   hashset.Set // base names of the session's tool results, in any folder
}

func newRecordScanner(h *Home, id string, yield func(Member, error) bool) *recordScanner {
	return &recordScanner{
		h: h, id: id, yield: yield,
		seen: hashset.Set{}, tasks: hashset.Set{}, agents: hashset.Set{}, agentDirs: hashset.Set{}, images: hashset.Set{}, results: hashset.Set{},
	}
}

func (s *recordScanner) emit(m Member, err error) {
	if !s.stopped {
		s.stopped = !s.yield(m, err)
	}
}

// found remembers a member that was found by its name.
func (s *recordScanner) found(m *Member) {
	if (m.Kind == Log || m.Kind == Agent) && m.Err == nil {
		s.logs = append(s.logs, m.Name)
	}
	s.know(m.Name)
}

// know remembers the name of a member.
func (s *recordScanner) know(name string) {
	s.seen.Add(name)
	dir, base := path.Split(name)
	switch {
	case strings.HasPrefix(name, "image-cache/"):
		s.images.Add(strings.TrimSuffix(name, path.Ext(name)))
	case strings.HasSuffix(dir, "/"+s.id+"/tool-results/"):
		s.results.Add(base)
	}
	if id := AgentID(base); id != "" {
		s.agentDirs.Add(path.Clean(dir))
		if !strings.HasSuffix(base, metaSuffix) {
			s.agents.Add(id)
		}
	}
}

func (s *recordScanner) readLogs() {
	for _, log := range s.logs {
		folder := strings.Join(strings.SplitN(log, "/", 3)[:2], "/")
		s.dir, s.flat = path.Join(folder, s.id), s.agentDirs.Has(folder)
		for e, err := range s.h.Entries(log) {
			if err != nil {
				s.emit(Member{}, err)
			} else {
				s.entry(e)
			}
			if s.stopped {
				return
			}
		}
	}
}

// add yields the member with the name in the home if it is new; one that is not there
// only if missing is true.
func (s *recordScanner) add(kind, name string, missing bool) {
	if s.seen.Has(name) {
		return
	}
	m := s.h.Stat(name)
	if m.Missing && !missing {
		return
	}
	s.know(name)
	m.Session, m.Kind = s.id, kind
	s.emit(m, nil)
}

func (s *recordScanner) entry(e *entry.Entry) {
	s.plan(e)
	s.pastedImages(e)
	s.mentions(e.Bytes)
	if shape.NamesBackups(e) {
		for _, backup := range shape.Backups(e) {
			if name := Backup(s.id, string(backup.Member(shape.BackupName).Text())); name != "" {
				s.add(FileHistory, name, true)
			}
		}
	}
	for n := range shape.Notices(e) {
		s.output(n.ID, n.Output)
	}
	if !e.Get(entry.Type).Is("user") {
		return
	}
	for o := range shape.Outcomes(e) {
		s.agent(string(o.Agent.Text()))
		for _, saved := range o.Saved {
			s.toolResult(string(saved.Text()))
		}
		s.output(o.Began.ID, o.Began.Output)
	}
}

// plan yields the plans of the session's slug. Nearly all entries have the slug that the
// entry before them has.
func (s *recordScanner) plan(e *entry.Entry) {
	key := []byte(`"slug"`)
	i := bytes.Index(e.Bytes, key)
	if i < 0 || s.slug != nil && bytes.HasPrefix(e.Bytes[i:], s.slug) && !bytes.Contains(e.Bytes[i+len(key):], key) {
		return
	}
	slug := entry.Value(e.Bytes).Member("slug")
	if slug.IsEmpty() {
		return
	}
	s.slug = append([]byte(`"slug":`), slug...)
	for _, plan := range s.h.plans(string(slug.Text())) { // few sessions with a slug have one
		s.add(Plan, plan, false)
	}
}

// pastedImages yields the images that were pasted into a prompt.
func (s *recordScanner) pastedImages(e *entry.Entry) {
	if !bytes.Contains(e.Bytes, []byte(`"imagePasteIds"`)) {
		return
	}
	for v := range entry.Value(e.Bytes).Member("imagePasteIds").Elements() {
		number, ok := v.Int()
		if !ok || number < 0 {
			continue
		}
		if name := path.Join("image-cache", s.id, strconv.FormatInt(number, 10)); !s.images.Has(name) {
			s.add(Image, name+".png", true)
		}
	}
}

// mentions yields pastes and images of the session that exist and that the text of an
// entry names by their paths.
func (s *recordScanner) mentions(b []byte) {
	const mark = "-cache/"
	for {
		i := bytes.Index(b, []byte(mark))
		if i < 0 {
			return
		}
		before, after := b[:i], b[i+len(mark):]
		switch {
		case bytes.HasSuffix(before, []byte("paste")):
			s.mention(Paste, "paste-cache", after)
		case bytes.HasSuffix(before, []byte("image")):
			if rest, ok := bytes.CutPrefix(after, []byte(s.id+"/")); ok {
				s.mention(Image, "image-cache/"+s.id, rest)
			}
		}
		b = after
	}
}

// mention yields the file in dir whose name text begins with.
func (s *recordScanner) mention(kind, dir string, text []byte) {
	end := bytes.IndexFunc(text, func(r rune) bool { return !strings.ContainsRune(fileChars, r) })
	if end < 0 {
		end = len(text)
	}
	// A path may end a sentence.
	if name := strings.TrimRight(string(text[:end]), "."); IsElement(name) {
		s.add(kind, path.Join(dir, name), false)
	}
}

const fileChars = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ._-"

// agent yields the log of an agent if it is missing, or if it is empty, damaged or
// packed, so that only the entry shows to which session it belongs.
func (s *recordScanner) agent(id string) {
	flat := OldAgentLogs(path.Dir(s.dir), id)
	if flat == nil || s.agents.Has(id) {
		return
	}
	for _, name := range flat {
		s.add(Agent, name, false)
	}
	if s.agents.Has(id) {
		return
	}
	name := flat[0]
	if !s.flat {
		name = path.Join(s.dir, "subagents", path.Base(name))
	}
	s.add(Agent, name, true)
}

func (s *recordScanner) toolResult(saved string) {
	if name := toolResult(saved, s.id); name != "" && !s.results.Has(name) {
		s.add(ToolResult, path.Join(s.dir, "tool-results", name), true)
	}
}

// output yields the output of a background task. It looks at the file and does not
// open it.
func (s *recordScanner) output(task, output entry.Value) {
	if task == nil || output == nil && !s.pathless || !s.tasks.Add(string(task.Text())) {
		return
	}
	m := Member{Name: string(output.Text()), Err: errElsewhere}
	if IsTaskOutput(m.Name) {
		m = look(m.Name)
	}
	m.Session, m.Kind, m.Task = s.id, TaskOutput, bytes.Clone(task)
	s.emit(m, nil)
}

// errElsewhere is for an output that is not where outputs are stored.
var errElsewhere = skipped("outputs of tasks are not stored here")

// pastes yields the long pastes that the history of prompts names.
func (s *recordScanner) pastes() {
	hashes, err := s.h.pastesOf(s.id)
	if err != nil {
		s.emit(Member{}, err)
	}
	for _, hash := range hashes {
		if s.stopped {
			return
		}
		s.add(Paste, path.Join("paste-cache", hash+".txt"), true)
	}
}
