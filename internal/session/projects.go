package session

import (
	"errors"
	"io/fs"
	"iter"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A folder is what a project folder holds, as far as it could be read.
type folder struct {
	name    string // in the home
	entries []dirEntry
	err     error // the [*PlaceError] that says why the rest could not be read

	agents []oldAgent // nil until they are known
}

// readProjects returns the project folders, sorted. A new home has none. An error is a
// [*PlaceError].
func (h *Home) readProjects() ([]*folder, error) {
	found, err := h.list("projects")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, &PlaceError{"projects", Other, err}
	}
	var folders []*folder
	for _, e := range found {
		name := path.Join("projects", e.name)
		if !e.dir && (!e.link || h.leadsToFolder(name)) { // another link is not read, but an error says so
			continue
		}
		f := &folder{name: name}
		if f.entries, err = h.list(name); err != nil {
			f.err = &PlaceError{name, Other, err}
		}
		folders = append(folders, f)
	}
	return folders, nil
}

// leadsToFolder reports whether a link under projects leads to a name under projects, which is
// read by itself. Some users link the folder of a directory that they have moved.
func (h *Home) leadsToFolder(link string) bool {
	target, err := h.root.Readlink(link)
	if !filepath.IsAbs(target) {
		target = h.Path(path.Join("projects", target))
	}
	return err == nil && path.Dir(h.Name(target)) == "projects"
}

// folder returns the project folder with the name in the home. It is empty if there is none.
func (h *Home) folder(name string) *folder {
	folders, _ := h.projects() // what cannot be read has no folders
	i, found := slices.BinarySearchFunc(folders, name, func(f *folder, name string) int { return strings.Compare(f.name, name) })
	if !found {
		return &folder{name: name}
	}
	return folders[i]
}

// readSessions returns, by id, the project folders with the log or the directory of a session.
func (h *Home) readSessions() map[string][]*folder {
	sessions := map[string][]*folder{}
	folders, _ := h.projects() // what cannot be read has no sessions
	for _, f := range folders {
		for _, e := range f.entries {
			id, isLog := sessionLog(e)
			at := sessions[id]
			if (isLog || IsID(id)) && (len(at) == 0 || at[len(at)-1] != f) {
				sessions[id] = append(at, f)
			}
		}
	}
	return sessions
}

// HasLog reports whether a project folder that can be read has a log of the session, or what
// seems to be one that this package cannot read, such as ID.jsonl.xz.
func (h *Home) HasLog(id string) bool {
	hasLog := func(f *folder) bool {
		name := id + logSuffixes[0]
		for i, _ := f.find(name); i < len(f.entries) && strings.HasPrefix(f.entries[i].name, name); i++ {
			if _, isLog := sessionLog(f.entries[i]); isLog || len(id) == idLen && strings.HasPrefix(f.entries[i].name, name+".") {
				return true
			}
		}
		return false
	}
	folders, _ := h.projects()
	return slices.ContainsFunc(h.sessions()[id], hasLog) || slices.ContainsFunc(folders, hasLog)
}

// closedFolders returns why project folders could not be read to their ends: each may hold more of
// a session. A folder that is gone holds nothing. Nor does a link, if the session was found.
func (h *Home) closedFolders(found bool) []error {
	var errs []error
	folders, _ := h.projects()
	for _, f := range folders {
		if f.err != nil && !(found && IsSkipped(f.err)) && !errors.Is(f.err, fs.ErrNotExist) {
			errs = append(errs, f.err)
		}
	}
	return errs
}

// holds reports whether a project folder has a file or directory called name. It has if the
// folder could not be read to its end.
func (f *folder) holds(name string) bool {
	_, found := f.find(name)
	return found || f.err != nil
}

func (f *folder) find(name string) (int, bool) {
	return slices.BinarySearchFunc(f.entries, name, func(e dirEntry, name string) int { return strings.Compare(e.name, name) })
}

// sessionLog returns the id of the session whose log a file in a project folder is. If
// it is not a log, sessionLog returns its name and false.
func sessionLog(e dirEntry) (string, bool) {
	stem, isLog := CutLog(e.name)
	if e.dir || !isLog || strings.HasPrefix(e.name, agentPrefix) {
		return e.name, false
	}
	return stem, true
}

// logs yields the names of the logs of sessions in the project folders, sorted by folder and
// name. Errors are folders that cannot be read.
func (h *Home) logs() iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		folders, err := h.projects()
		if err != nil {
			yield("", err)
			return
		}
		for _, f := range folders {
			if f.err != nil && !yield("", f.err) {
				return
			}
			for _, e := range f.entries {
				if _, isLog := sessionLog(e); isLog && !yield(path.Join(f.name, e.name), nil) {
					return
				}
			}
		}
	}
}

// idOf returns the id of the session whose log has the name.
func idOf(name string) string {
	stem, _ := CutLog(path.Base(name))
	return stem
}

// An oldAgent is the log of a sub-agent in the old layout, next to the log of its session.
type oldAgent struct {
	name    string // in the home
	session string // "" if the log does not name it
	err     error  // the [*PlaceError] that says why it cannot be known
}

// oldAgents returns the agents in a project folder.
func (h *Home) oldAgents(f *folder) []oldAgent {
	if f.agents != nil {
		return f.agents
	}
	f.agents = []oldAgent{}
	for _, e := range f.entries {
		if _, isLog := CutLog(e.name); isLog && !e.dir && AgentID(e.name) != "" {
			a := oldAgent{name: path.Join(f.name, e.name)}
			file, err := h.Open(a.name)
			if err == nil {
				a.session, err = sessionOf(file)
			}
			if err != nil && !IsSkipped(err) {
				a.err = &PlaceError{Name: a.name, Err: err}
			}
			f.agents = append(f.agents, a)
		}
	}
	return f.agents
}

// OldAgentLogs returns the names that the log of an agent may have in a project folder,
// packed or not; none if the id cannot be part of the name of a file.
func OldAgentLogs(folder, id string) []string {
	if id == "" || !IsElement(agentPrefix+id+logSuffixes[0]) {
		return nil
	}
	var names []string
	for _, suffix := range logSuffixes {
		names = append(names, path.Join(folder, agentPrefix+id+suffix))
	}
	return names
}

// The others are the names in the directories of the home other than projects.
type others struct {
	byID     map[string][]string // by the session id that they hold
	nameless []string            // those that hold none
	closed   []error             // a [*PlaceError] for each directory of members that cannot be read
}

// readOthers returns the others. An error is a [*PlaceError].
func (h *Home) readOthers() (others, error) {
	dirs, err := h.list(".")
	if err != nil {
		return others{}, &PlaceError{".", Other, err}
	}
	o := others{byID: map[string][]string{}}
	for _, d := range dirs {
		kind := claude.kindOf(d.name)
		if !d.dir && (!d.link || kind == "") || d.name == "projects" {
			continue
		}
		entries, err := h.list(d.name)
		if d.name == "plans" { // the names there hold no ids
			kind = Plan
		}
		if err != nil && kind != "" { // other directories may have nothing to do with sessions
			o.closed = append(o.closed, &PlaceError{d.name, kind, err})
		}
		for _, e := range entries {
			name := path.Join(d.name, e.name)
			if owner := Owner(e.name); owner != "" {
				o.byID[owner] = append(o.byID[owner], name)
			} else {
				o.nameless = append(o.nameless, name)
			}
		}
	}
	return o, nil
}

// plans returns the names of the plans of the sessions with a slug, their own and those
// of their agents, sorted.
func (h *Home) plans(slug string) []string {
	o, _ := h.others() // what cannot be read has no plans
	var plans []string
	for _, name := range o.nameless {
		if base, ok := strings.CutPrefix(name, "plans/"); ok && planSlug(base) == slug {
			plans = append(plans, name)
		}
	}
	return plans
}
