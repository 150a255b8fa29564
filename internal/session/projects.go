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

// A folder is what a project folder holds, as far as it could be read, and why the rest
// could not.
type folder struct {
	entries []dirEntry
	err     error
}

// readProjects learns which sessions are in which project folders. A new home has
// no folders. An error is a *PlaceError.
func (h *Home) readProjects() error {
	if h.places != nil {
		return nil
	}
	found, err := h.list("projects")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &PlaceError{"projects", Other, err}
	}
	h.places, h.hasLog, h.contents = map[string][]string{}, map[string]bool{}, map[string]folder{}
	for _, f := range found {
		if !f.dir && (!f.link || h.leadsToFolder(f.name)) { // another link is not read, but an error says so
			continue
		}
		h.folders = append(h.folders, f.name)
		entries, err := h.list(path.Join("projects", f.name))
		h.contents[f.name] = folder{entries, err}
		for _, e := range entries {
			id, isLog := sessionLog(e)
			if !isLog && len(e.name) > idLen && strings.HasPrefix(e.name[idLen:], logSuffixes[0]+".") {
				h.hasLog[e.name[:idLen]] = true // compressed in another way
			}
			if !isLog && !IsID(e.name) {
				continue
			}
			h.hasLog[id] = h.hasLog[id] || isLog
			if at := h.places[id]; len(at) == 0 || at[len(at)-1] != f.name {
				h.places[id] = append(at, f.name)
			}
		}
	}
	return nil
}

// leadsToFolder reports whether a link under projects leads to a name under projects, which is
// read by itself. Some users link the folder of a directory that they have moved.
func (h *Home) leadsToFolder(link string) bool {
	target, err := h.root.Readlink(path.Join("projects", link))
	if !filepath.IsAbs(target) {
		target = h.Path(path.Join("projects", target))
	}
	return err == nil && path.Dir(h.Name(target)) == "projects"
}

// folderError returns why a project folder could not be read, nil if it could.
func (h *Home) folderError(folder string) error {
	if err := h.contents[folder].err; err != nil {
		return &PlaceError{path.Join("projects", folder), Other, err}
	}
	return nil
}

// closedFolders returns why project folders could not be read to their ends: each may hold more of
// a session. A folder that is gone holds nothing. Nor does a link, if the session was found.
func (h *Home) closedFolders(found bool) []error {
	var errs []error
	for _, folder := range h.folders {
		if err := h.folderError(folder); err != nil && !(found && IsSkipped(err)) && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errs
}

// holds reports whether a project folder has a file or directory called name. It has if the
// folder could not be read to its end.
func (h *Home) holds(folder, name string) bool {
	f := h.contents[folder]
	_, found := slices.BinarySearchFunc(f.entries, name, func(e dirEntry, name string) int { return strings.Compare(e.name, name) })
	return found || f.err != nil
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

// HasLog reports whether a project folder that can be read has a log of the session, or what
// seems to be one that this package cannot read, such as ID.jsonl.xz.
func (h *Home) HasLog(id string) bool { return h.readProjects() == nil && h.hasLog[id] }

// logs yields the names of the logs of sessions in the project folders, sorted by folder and
// name. Errors are folders that cannot be read.
func (h *Home) logs() iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		if err := h.readProjects(); err != nil {
			yield("", err)
			return
		}
		for _, folder := range h.folders {
			if err := h.folderError(folder); err != nil && !yield("", err) {
				return
			}
			for _, e := range h.contents[folder].entries {
				if _, isLog := sessionLog(e); isLog && !yield(path.Join("projects", folder, e.name), nil) {
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

// An oldAgent is the log of a sub-agent in the old layout, next to the log of its
// session.
type oldAgent struct {
	name    string // in the home
	session string // "" if the log does not name it
	err     error  // why the beginning of the log cannot be read
}

// oldAgents returns the agents in a project folder.
func (h *Home) oldAgents(folder string) []oldAgent {
	if known, ok := h.agents[folder]; ok {
		return known
	}
	if h.readProjects() != nil {
		return nil
	}
	var agents []oldAgent
	for _, e := range h.contents[folder].entries {
		if _, isLog := CutLog(e.name); isLog && !e.dir && AgentID(e.name) != "" {
			a := oldAgent{name: path.Join("projects", folder, e.name)}
			a.session, a.err = h.firstSession(a.name)
			agents = append(agents, a)
		}
	}
	h.agents[folder] = agents
	return agents
}

// unread returns an error if it cannot be known to which session an agent belongs.
func (a oldAgent) unread() error {
	if a.err == nil || IsSkipped(a.err) {
		return nil
	}
	return &PlaceError{Name: a.name, Err: a.err}
}

// unreadAgent returns why it cannot be known to which session the agent of the old layout belongs
// whose log has the name, nil if it can, or the name is another one.
func (h *Home) unreadAgent(name string) error {
	folder, file := path.Split(name)
	if path.Dir(path.Clean(folder)) != "projects" || AgentID(file) == "" {
		return nil
	}
	for _, a := range h.oldAgents(path.Base(folder)) {
		if a.name == name {
			return a.unread()
		}
	}
	return nil
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

// readOthers learns the names in the directories of the home other than projects. An
// error is a *PlaceError.
func (h *Home) readOthers() error {
	if h.others != nil {
		return nil
	}
	dirs, err := h.list(".")
	if err != nil {
		return &PlaceError{".", Other, err}
	}
	h.others = map[string][]string{}
	for _, d := range dirs {
		kind := kinds[d.name]
		if !d.dir && (!d.link || kind == "") || d.name == "projects" {
			continue
		}
		entries, err := h.list(d.name)
		if d.name == "plans" { // the names there hold no ids
			kind = Plan
		}
		if err != nil && kind != "" { // other directories may have nothing to do with sessions
			h.closed = append(h.closed, &PlaceError{d.name, kind, err})
		}
		for _, e := range entries {
			name := path.Join(d.name, e.name)
			if owner := Owner(e.name); owner != "" {
				h.others[owner] = append(h.others[owner], name)
			} else {
				h.nameless = append(h.nameless, name)
			}
		}
	}
	return nil
}
