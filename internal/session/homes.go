package session

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// A Home is an open home: the directory in which an agent keeps its sessions.
type Home struct {
	disk

	// Ready is called after the logs of a session, and before what is in its logs is looked for, which may
	// take long, so that the caller can write what it has.
	Ready func()

	known *known
	label string // see Label
}

// Homes are open homes, in the order in which they are searched.
type Homes []*Home

// Open opens the homes in dirs, each of any agent, or, if dirs is empty, the homes of
// all agents that are there. A directory that several names lead to is one home, under the first of them, unless
// agents of several layouts share it. The errors say which of them cannot be opened, and which is not there although a
// variable of the environment names it.
func Open(dirs []string) (homes Homes, errs []*PlaceError) {
	open := func(dir string, a *agent, name, variable string) {
		h, err := openHome(dir, a)
		gone := errors.Is(err, fs.ErrNotExist)
		if gone && variable != "" {
			err = fmt.Errorf("the home that %s names: %w", variable, err)
		}
		switch {
		case err == nil && slices.ContainsFunc(homes, h.isTwin):
			h.root.Close()
		case err == nil:
			h.label = cmp.Or(name, h.agent.name)
			homes = append(homes, h)
		case !gone || variable != "" || dirs != nil: // not everybody has every agent
			errs = append(errs, &PlaceError{dir, dir, "", err})
		}
	}
	for _, dir := range dirs {
		dir = filepath.Clean(dir)
		open(dir, agentOf(dir), "", "")
	}
	if dirs != nil {
		return homes, errs
	}
	user, _ := os.UserHomeDir() // without it, variables may name homes
	named := map[string]int{}
	for _, a := range agents() {
		dir, below, by := user, a.dir, ""
		name := a.name
		if named[name]++; named[name] > 1 {
			name += "-" + strconv.Itoa(named[name])
		}
		for _, variable := range slices.Backward(a.variables) {
			if set := os.Getenv(variable); set != "" {
				dir, below, by = set, a.below, variable
			}
		}
		switch {
		case dir == "":
		case strings.Contains(below, "*"):
			found, _ := fs.Glob(os.DirFS(dir), below)
			for _, at := range found {
				open(filepath.Join(dir, at), &a, name+"/"+filepath.Base(filepath.Dir(at)), "")
			}
		default:
			open(filepath.Join(dir, below), &a, name, by)
		}
	}
	return homes, errs
}

// isTwin reports whether another home is the same directory in the same layout, under another name.
func (h *Home) isTwin(other *Home) bool {
	return os.SameFile(h.info, other.info) && h.agent.files == other.agent.files
}

// openHome opens the home in dir of an agent. A new home, which has no agent's layout yet, counts as one of
// Claude Code's.
func openHome(dir string, a *agent) (*Home, error) {
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() { // to open a named pipe would block
		err = &fs.PathError{Op: "open", Path: dir, Err: syscall.ENOTDIR}
	}
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	h := &Home{disk: disk{dir: dir, info: info, root: root, agent: cmp.Or(a, &models()[0])}, Ready: func() {}, known: &known{tellers: map[string]beginning{}}}
	return h, nil
}

// Close closes the homes.
func (hs Homes) Close() {
	for _, h := range hs {
		h.closeLast()
		h.root.Close()
	}
}

// Agent returns the name of the agent whose home it is.
func (h *Home) Agent() string { return h.agent.name }

// Label returns a name that no other home of this user has, whichever homes are there: the name of the agent, with a
// number for a further home of the agent, or the name of the directory.
func (h *Home) Label() string { return h.label }

// Dir returns the directory of the home.
func (h *Home) Dir() string { return h.dir }

// String returns the directories of the homes, as a message names them.
func (hs Homes) String() string {
	var dirs []string
	for _, h := range hs {
		dirs = append(dirs, h.dir)
	}
	return strings.Join(dirs, ", ")
}

// WithBackups returns the homes of agents that back up the files that they edit.
func (hs Homes) WithBackups() Homes {
	return slices.DeleteFunc(slices.Clone(hs), func(h *Home) bool { return !h.NamesAgents() })
}

// OpenBackup opens the backup with the name that [Backup] returns in the first of the homes that has it, and
// returns its path, or where it would be, "" if there is no home.
func (hs Homes) OpenBackup(name string) (f *os.File, path string, err error) {
	err = fs.ErrNotExist
	for i := 0; i < len(hs) && errors.Is(err, fs.ErrNotExist); i++ {
		if f, err = hs[i].Open(name); err == nil || path == "" {
			path = hs[i].Path(name)
		}
	}
	return f, path, err
}

// HomeAround returns a home of the logs beside a file that is in no home, and the name of the file there. In
// a folder of a day, as Codex has them, the logs of all days are beside it.
func HomeAround(file string) (h *Home, name string, err error) {
	if info, err := os.Lstat(file); err == nil && info.Mode().Type() == fs.ModeSymlink {
		if file, err = filepath.EvalSymlinks(file); err != nil {
			return nil, "", err
		}
	}
	abs, err := filepath.Abs(file)
	if err != nil {
		return nil, "", err
	}
	dir, name := filepath.Dir(file), filepath.Base(file)
	a := agent{files: "{in}.jsonl session"}
	elements := strings.Split(filepath.ToSlash(abs), "/")
	end := strings.Join(elements[max(0, len(elements)-4):], "/")
	if inDay, _ := path.Match(days+"/*", end); inDay {
		dir, name, a.files = filepath.Join(dir, "../../.."), end, days+"/{in}.jsonl session"
	}
	a.compile()
	h, err = openHome(dir, &a)
	return h, name, err
}

// Of returns the home that a file is in, and the name of the file there; nil if it is in none.
func (hs Homes) Of(file string) (*Home, string) {
	for _, h := range hs {
		if name := h.Name(file); name != "" {
			return h, name
		}
	}
	return nil, ""
}

// Stat looks at the file name and opens it to see whether it can be read. It sets only
// the Home, Name, Bytes, Time, Missing and Err of the Member.
func (h *Home) Stat(name string) Member {
	f, info, err := h.open(name, 0)
	if err == nil {
		f.Close()
	}
	m := memberOf(name, info, err)
	m.Home = h
	return m
}
