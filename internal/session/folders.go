package session

import (
	"errors"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A folder is a directory that holds logs of sessions and the directories of sessions, as far as it
// could be read.
type folder struct {
	name    string // in the home
	entries []fs.DirEntry
	link    bool  // it is reached through a link, so only its logs are read
	err     error // the [*PlaceError] that says why the rest could not be read

	agents []Member // nil until they are known
}

// A place is where a session is in the home.
type place struct {
	logs    []string  // their names in the home
	folders []*folder // that have one of them or the session's directory
	dirs    []string  // the session's directories, their names in the home, unless those are its id
}

// readFolders returns the folders, sorted. A new home has none.
func (h *Home) readFolders() (folders []*folder) {
	for _, pattern := range h.agent.folders {
		folders = h.expand(folders, "", strings.Split(pattern, "/"), false)
	}
	slices.SortFunc(folders, func(a, b *folder) int { return strings.Compare(a.name, b.name) })
	return folders
}

// expand appends the folders below the directory name that have the remaining elements of a pattern.
// A directory above folders that cannot be read counts as one.
func (h *Home) expand(folders []*folder, name string, rest []string, link bool) []*folder {
	if len(rest) == 0 || strings.ContainsAny(rest[0], "*[") {
		entries, err := h.list(name)
		if err != nil || len(rest) == 0 {
			f := &folder{name: name, entries: entries, link: link}
			if link && errors.Is(err, fs.ErrNotExist) { // on a disk that is not there
				err = skipped("a symbolic link to nothing")
			}
			if err != nil {
				f.err = h.placeError(name, Other, err)
			}
			if len(rest) > 0 && errors.Is(err, fs.ErrNotExist) {
				return folders
			}
			return append(folders, f)
		}
		for _, e := range entries {
			child, isLink := path.Join(name, e.Name()), e.Type() == fs.ModeSymlink
			if ok, _ := path.Match(rest[0], e.Name()); !ok || !e.IsDir() && (!isLink || h.leadsToFolder(child)) {
				continue
			}
			folders = h.expand(folders, child, rest[1:], link || isLink)
		}
		return folders
	}
	child := path.Join(name, rest[0])
	info, err := h.lstat(child)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return folders
	case err != nil:
		return append(folders, &folder{name: child, err: h.placeError(child, Other, err)})
	}
	return h.expand(folders, child, rest[1:], link || info.Mode().Type() == fs.ModeSymlink)
}

// leadsToFolder reports whether a link leads to a directory beside it, which is read by itself. Some
// users link the folder of a directory that they have moved.
func (h *Home) leadsToFolder(link string) bool {
	target, err := filepath.EvalSymlinks(h.Path(link))
	dir, dirErr := realPath(filepath.Dir(h.Path(link)))
	if err == nil {
		target, err = filepath.Abs(target)
	}
	return err == nil && dirErr == nil && filepath.Dir(target) == dir
}

// folder returns the folder with the name in the home. It is empty if there is none.
func (h *Home) folder(name string) *folder {
	i, found := slices.BinarySearchFunc(h.folders(), name, func(f *folder, name string) int { return strings.Compare(f.name, name) })
	if !found {
		return &folder{name: name}
	}
	return h.folders()[i]
}

// readSessions returns the place of each session by its id.
func (h *Home) readSessions() map[string]place {
	sessions := map[string]place{}
	for _, f := range h.folders() {
		for _, e := range f.entries {
			id, name := h.logAt(f, e)
			if name == "" {
				if id = h.agent.ownerOf(e.Name()); !e.IsDir() || id == "" {
					continue
				}
			}
			p := sessions[id]
			if e.IsDir() && e.Name() != id {
				p.dirs = append(p.dirs, path.Join(f.name, e.Name()))
			}
			if name != "" {
				p.logs = append(p.logs, name)
			}
			if !slices.Contains(p.folders, f) {
				p.folders = append(p.folders, f)
			}
			sessions[id] = p
		}
	}
	return sessions
}

// Logs returns the logs of all sessions of the home, by folder and name. Of the [Member]s only the home,
// the session and the name are set.
func (h *Home) Logs() (logs []Member) {
	for _, f := range h.folders() {
		for _, e := range f.entries {
			if id, name := h.logAt(f, e); name != "" {
				logs = append(logs, Member{Home: h, Session: id, Name: name})
			}
		}
	}
	return logs
}

// logAt returns the id and the name in the home of the log that an entry of a folder is or holds, or
// "" twice.
func (h *Home) logAt(f *folder, e fs.DirEntry) (id, name string) {
	id, stem := h.agent.logAt(e.Name(), e.IsDir())
	if id == "" {
		return "", ""
	}
	name = path.Join(f.name, e.Name())
	if e.IsDir() {
		if name = h.packed(path.Join(f.name, stem)); name == "" {
			return "", ""
		}
	}
	return h.whole(id, name), name
}

// whole returns the id of a session, given what the name of its log has of it.
func (h *Home) whole(id, name string) string {
	if h.agent.headed && id != "" {
		if s, err := h.told(name); err == nil && s.id != "" {
			return s.id
		}
	}
	return id
}

// packed returns the name of the log with a stem, packed or not, "" if there is none.
func (h *Home) packed(stem string) string {
	for _, suffix := range logSuffixes {
		if _, err := h.lstat(stem + suffix); err == nil {
			return stem + suffix
		}
	}
	return ""
}

// HasLog reports whether a folder that can be read has a log of the session, or what
// seems to be one that this package cannot read, such as ID.jsonl.xz.
func (h *Home) HasLog(id string) bool {
	return h.sessions()[id].logs != nil || len(id) == idLen && slices.ContainsFunc(h.folders(), func(f *folder) bool {
		name := id + logSuffixes[0] + "."
		i, _ := f.find(name)
		return i < len(f.entries) && strings.HasPrefix(f.entries[i].Name(), name)
	})
}

// closedFolders returns why folders could not be read to their ends: each may hold more of
// a session. A folder that is gone holds nothing. Nor does a link, if the session was found.
func (h *Home) closedFolders(found bool) []error {
	var errs []error
	for _, f := range h.folders() {
		if f.err != nil && !(found && isSkipped(f.err)) && !errors.Is(f.err, fs.ErrNotExist) {
			errs = append(errs, f.err)
		}
	}
	return errs
}

// unseen returns why there may be more sessions than are known.
func (h *Home) unseen() []error {
	errs := h.closedFolders(false)
	for _, err := range h.others().closed {
		if err.(*PlaceError).Kind == Other { // in directories of one kind are no logs
			errs = append(errs, err)
		}
	}
	return errs
}

// holds reports whether a folder has a file or directory called name. It has if the
// folder could not be read to its end.
func (f *folder) holds(name string) bool {
	_, found := f.find(name)
	return found || f.err != nil
}

func (f *folder) find(name string) (int, bool) {
	return slices.BinarySearchFunc(f.entries, name, func(e fs.DirEntry, name string) int { return strings.Compare(e.Name(), name) })
}

// threadsIn returns the sub-agents whose logs are beside those of sessions in a folder: they are called
// so, or say so. Of the [Member]s only the name, the agent and its session, "" if the log does not name it,
// are set, or a [*PlaceError] that says why the session is not known.
func (h *Home) threadsIn(f *folder) []Member {
	if f.agents != nil {
		return f.agents
	}
	f.agents = []Member{}
	for _, e := range f.entries {
		a := Member{Name: path.Join(f.name, e.Name()), Agent: AgentID(e.Name())}
		_, isLog := CutLog(e.Name())
		if h.agent.threads {
			a.Agent, a.Name = h.logAt(f, e)
			isLog = a.Name != ""
		}
		if !isLog || a.Agent == "" || e.IsDir() && !h.agent.threads {
			continue
		}
		told, err := h.told(a.Name)
		if a.Session = told.id; h.agent.threads {
			if !told.isAgent {
				continue
			}
			a.Session = told.parent
		}
		if err != nil && !isSkipped(err) {
			a.Err = h.placeError(a.Name, "", err)
		}
		f.agents = append(f.agents, a)
	}
	return f.agents
}

// The others are the names in the directories of the home other than those of folders.
type others struct {
	byID     map[string][]string // by the session id that they hold
	nameless []string            // those that hold none
	closed   []error             // a [*PlaceError] for each directory of members, or the home, that cannot be read
}

// readOthers returns the others.
func (h *Home) readOthers() others {
	o := others{byID: map[string][]string{}}
	dirs, err := h.list(".")
	if err != nil {
		o.closed = append(o.closed, h.placeError(".", Other, err))
	}
	for _, d := range dirs {
		isLink, kind := d.Type() == fs.ModeSymlink, h.agent.layout.kindOf(d.Name())
		if h.agent.leading(d.Name()) == "" && (d.IsDir() || isLink && kind != "") {
			h.readOther(&o, d.Name(), kind)
		}
	}
	return o
}

// readOther adds what is in a directory with members of a kind.
func (h *Home) readOther(o *others, dir, kind string) {
	entries, err := h.list(dir)
	if dir == "plans" { // the names there hold no ids
		kind = kindPlan
	}
	if err != nil && kind != "" { // other directories may have nothing to do with sessions
		o.closed = append(o.closed, h.placeError(dir, kind, err))
	}
	isShort := slices.Contains(h.agent.shorts, dir)
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		owner := Owner(e.Name())
		if isShort {
			owner = h.ownerOfShort(name)
		}
		if owner != "" {
			o.byID[owner] = append(o.byID[owner], name)
		} else if !isShort {
			o.nameless = append(o.nameless, name)
		}
		if e.IsDir() && slices.Contains(h.agent.shorts, name) {
			h.readOther(o, name, kind)
		}
	}
}

// ownerOfShort returns the id of the session whose id the last element of a name begins: the one that
// the state of its job names, or else one that exists; "" if there is none.
func (h *Home) ownerOfShort(name string) string {
	short := path.Base(name)
	if state, err := h.ReadObject(path.Join(h.agent.shorts[0], short, "state.json")); err == nil {
		if id := string(state.Member("sessionId").Text()); strings.HasPrefix(id, short) && isElement(id) {
			return id
		}
	}
	if len(short) < shortLen {
		return ""
	}
	for _, id := range slices.Sorted(maps.Keys(h.sessions())) {
		if strings.HasPrefix(id, short) {
			return id
		}
	}
	return ""
}

// shortLen is how long the beginning of an id is that names a directory.
const shortLen = 8

// plans returns the names of the plans of the sessions with a slug, their own and those
// of their agents, sorted.
func (h *Home) plans(slug string) []string {
	var plans []string
	for _, name := range h.others().nameless {
		if base, ok := strings.CutPrefix(name, "plans/"); ok && planSlug(base) == slug {
			plans = append(plans, name)
		}
	}
	return plans
}
