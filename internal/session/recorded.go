package session

import (
	"bytes"
	"cmp"
	"errors"
	"path"
	"strconv"
	"strings"

	"jl/internal/entry"
	"jl/internal/relation"
	"jl/internal/shape"
)

// know remembers the name of a member.
func (s *scan) know(name string) {
	s.add("", name)
	dir, base := path.Split(name)
	switch {
	case s.h.agent.match(name, false).kind == kindImage:
		s.add(kindImage, strings.TrimSuffix(name, path.Ext(name)))
	case strings.HasSuffix(dir, "/"+s.h.agent.resultsDir+"/"):
		s.add(kindToolResult, base) // in any folder
	}
	if id := AgentID(base); id != "" {
		s.add("directory with agents", path.Clean(dir))
		if !strings.HasSuffix(base, metaSuffix) {
			s.add(Agent, id)
		}
	}
}

// readLog yields what the entries in a log name; if a word is given, only those in lines that hold
// it, and then damaged lines do not matter.
func (s *scan) readLog(log string, word []byte) {
	if s.stopped {
		return
	}
	folder := strings.Join(strings.SplitN(log, "/", 3)[:2], "/")
	s.dir, s.flat = path.Join(folder, s.id), s.has("directory with agents", folder)
	for e, err := range s.h.EntriesWith(log, word) {
		switch {
		case s.stopped:
			return
		case err == nil:
			s.entry(e)
		case word == nil || !errors.As(err, new(*entry.Damage)):
			s.emit(Member{}, err)
		}
	}
}

func (s *scan) entry(e *entry.Entry) {
	s.plan(e)
	s.pastedImages(e)
	s.mentions(e.Bytes)
	if shape.NamesBackups(e) {
		for _, backup := range shape.Backups(e) {
			if name := Backup(s.id, string(backup.Member(shape.BackupName).Text())); name != "" {
				s.file(kindFileHistory, name, true)
			}
		}
	}
	for n := range relation.Notices(e) {
		s.output(n.ID, n.Output)
	}
	if !e.Get(entry.Type).Is("user") {
		return
	}
	origin := "" // of what e names: a fork leaves that where it is
	for o := range relation.Outcomes(e) {
		if origin == "" {
			origin = string(relation.Origin(e).Text())
		}
		s.agent(string(o.Agent.Text()), origin)
		for _, saved := range o.Saved {
			name := s.h.agent.toolResult(string(saved.Text()), s.id)
			if name == "" {
				if name = s.h.agent.toolResult(string(saved.Text()), origin); name == "" {
					continue
				}
				for _, dir := range s.h.ownDirs(origin) {
					s.file(kindToolResult, path.Join(dir, s.h.agent.resultsDir, name), false)
				}
			}
			if !s.has(kindToolResult, name) {
				s.file(kindToolResult, path.Join(s.dir, s.h.agent.resultsDir, name), true)
			}
		}
		s.output(o.Began.ID, o.Began.Output)
	}
}

// plan yields the plans of the session's slug. Nearly all entries have the slug that the
// entry before them has.
func (s *scan) plan(e *entry.Entry) {
	slug := e.Member("slug")
	if slug.IsEmpty() || bytes.Equal(slug, s.slug) {
		return
	}
	s.slug = bytes.Clone(slug)
	for _, plan := range s.h.plans(string(slug.Text())) { // few sessions with a slug have one
		s.file(kindPlan, plan, false)
	}
}

// plans returns the names of the plans of the sessions with a slug, their own and those
// of their agents, sorted.
func (h *Home) plans(slug string) (plans []string) {
	for _, r := range h.others().rows {
		if r.kind == kindPlan && planSlug(path.Base(r.name)) == slug {
			plans = append(plans, r.name)
		}
	}
	return plans
}

// pastedImages yields the images that were pasted into a prompt.
func (s *scan) pastedImages(e *entry.Entry) {
	if !bytes.Contains(e.Bytes, []byte(`"imagePasteIds"`)) {
		return
	}
	held := 0 // images in the entry: then none of a file is missing
	for b := range shape.Blocks(shape.Content(e)) {
		if b.Type.Is("image") {
			held++
		}
	}
	for v := range e.Member("imagePasteIds").Elements() {
		held--
		number, ok := v.Int()
		if !ok || number < 0 {
			continue
		}
		if name := s.h.agent.place(kindImage, s.id, strconv.FormatInt(number, 10)); !s.has(kindImage, name) {
			s.file(kindImage, name+".png", held < 0)
		}
	}
}

// mentions yields pastes and images of the session that exist and that the text of an
// entry names by their paths.
func (s *scan) mentions(text []byte) {
	if a := s.h.agent; !bytes.Contains(text, []byte(a.pastes)) && !bytes.Contains(text, []byte(a.images)) {
		return
	}
	for _, m := range s.h.agent.mentioned().FindAllSubmatch(text, -1) {
		id, name := string(m[1]), strings.TrimRight(string(m[2]), ".") // a path may end a sentence
		switch {
		case !isElement(name):
		case m[1] == nil:
			s.file(kindPaste, s.h.agent.place(kindPaste, name), false)
		case id == s.id:
			s.file(kindImage, s.h.agent.place(kindImage, id, name), false)
		}
	}
}

// agent yields the log of an agent if it is missing, or if it is empty, damaged or
// packed, so that only the entry shows to which session it belongs, or if it is with the origin of a fork.
func (s *scan) agent(id, origin string) {
	if id == "" || s.has(Agent, id) || !isElement(agentPrefix+id) {
		return
	}
	dir := path.Join(s.dir, s.h.agent.agentsDir)
	if s.flat {
		dir = path.Dir(s.dir)
	}
	log := s.h.AgentLog(id, []string{s.dir}, []string{origin})
	s.file(Agent, cmp.Or(log.Name, path.Join(dir, agentPrefix+id+logSuffixes[0])), true)
}

// output yields the output of a background task. It looks at the file and does not open it.
func (s *scan) output(task, output entry.Value) {
	if task == nil || output == nil && !s.pathless || !s.add(TaskOutput, string(task.Text())) {
		return
	}
	m := Member{Name: string(output.Text()), Err: errElsewhere}
	if isTaskOutput(m.Name) {
		m = look(m.Name)
	}
	m.Session, m.Kind, m.Task = s.id, TaskOutput, bytes.Clone(task)
	s.emit(m, nil)
}

// errElsewhere is for an output that is not where outputs are stored.
var errElsewhere = skipped("outputs of tasks are not stored here")

// pastes yields the long pastes that the history of prompts names.
func (s *scan) pastes() {
	if s.stopped {
		return
	}
	all := s.h.history()
	if all.err != nil {
		s.emit(Member{}, all.err)
	}
	for _, hash := range all.pastes[s.id] {
		s.file(kindPaste, s.h.agent.place(kindPaste, hash+".txt"), true)
	}
}

// ownDirs returns the names in the home of the own directories of a session.
func (h *Home) ownDirs(session string) (dirs []string) {
	for _, r := range h.logs().sessions[session] {
		if r.isDir && !r.link {
			dirs = append(dirs, r.name)
		}
	}
	return dirs
}

// AgentLog returns the log of an agent, packed or not, that is beside one of some logs, as in the old layout, or
// where a fork leaves it, with one of its origins. It has no name if there is none, or if the id cannot be part
// of the name of a file.
func (h *Home) AgentLog(id string, logs, origins []string) Member {
	var dirs []string
	for _, log := range logs {
		dirs = append(dirs, path.Dir(log))
	}
	for _, origin := range origins {
		for _, dir := range h.ownDirs(origin) {
			dirs = append(dirs, path.Join(dir, h.agent.agentsDir))
		}
	}
	if !isElement(agentPrefix + id) {
		return Member{}
	}
	for _, dir := range dirs {
		if name := h.packed(path.Join(dir, agentPrefix+id)); name != "" {
			m := h.Stat(name)
			m.Kind, m.Agent = Agent, id
			return m
		}
	}
	return Member{}
}
