package session

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/text/unicode/norm"
)

// A Filter selects sessions of a list.
type Filter struct {
	Cwd          string // those of this working directory; "" for all
	Since, Until int64  // those changed or begun since, and begun until, in milliseconds since 1970

	folder string // the name of the folder of Cwd
	dir    string // its true path, composed
}

// A Brief is what a list has about a session.
type Brief struct {
	Path string // of its log
	Name string // of its log in the home, "" if it is in none
	ID   string // of the session
	Row  []byte // the [record.Session] that describes it, encoded

	Others []string // the paths of the older logs of the session in its home

	modified int64 // milliseconds since 1970, as in Row
}

// workers is how many logs are looked at at the same time.
const workers = 2

// Resolve makes Cwd absolute and follows its links. An absolute Windows path is one on every system. The
// error is for a relative one whose place is not known.
func (f *Filter) Resolve() error {
	if f.Cwd == "" {
		return nil
	}
	if !IsWindows(f.Cwd) {
		dir, err := filepath.Abs(f.Cwd)
		if err != nil {
			return err
		}
		f.Cwd = dir
		// A directory that is gone has no links to follow any more.
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			f.Cwd = real
		}
	}
	f.folder, f.dir = projectName(f.Cwd), plainDir(f.Cwd)
	return nil
}

// IsWindows reports whether a path is an absolute one of Windows.
func IsWindows(dir string) bool {
	return len(dir) > 2 && isAlnum(dir[0]) && dir[1] == ':' && (dir[2] == '\\' || dir[2] == '/') || strings.HasPrefix(dir, `\\`)
}

// plainDir returns a form of a directory that is the same for all ways to write it: composed, and, on
// Windows, with either separator and in either case of the drive.
func plainDir(dir string) string {
	if IsWindows(dir) {
		dir = strings.TrimRight(strings.ReplaceAll(dir, `\`, "/"), "/")
		dir = strings.ToUpper(dir[:1]) + dir[1:]
	}
	return norm.NFC.String(dir)
}

// isOf reports whether the session of a log whose row has a cwd is one of the directory. The cwd
// decides, in whatever folder the log is; else its folder does, as for the Agent SDK, unless the
// name of the folder means the other directory that the entries name.
func (f *Filter) isOf(log, cwd string) bool {
	if f.folder == "" || plainDir(cwd) == f.dir {
		return true
	}
	return path.Base(path.Dir(log)) == f.folder && projectName(cwd) != f.folder
}

// List describes the sessions in the homes, newest first, then by id and path: of Claude Code's homes
// those that have a title. Of a session that exists several times in one home it describes the newest
// copy, and names the others. It looks at 64 KiB at each end of a log and reads at most 16 MiB of a compressed one. The
// errors are [*PlaceError]s: of a home, those of folders, then those of logs.
func (hs Homes) List(f Filter) (all []Brief, errs []error) {
	for _, h := range hs {
		found, wrong := h.briefs(f)
		all, errs = append(all, newestOfEach(found)...), append(errs, wrong...)
	}
	newestFirst(all)
	return all, errs
}

// briefs describes the sessions of a home, in any order.
func (h *Home) briefs(f Filter) ([]Brief, []error) {
	logs := h.Logs()
	wrong := make([][]error, len(logs)) // what is wrong with each
	var found [workers][]Brief
	var next atomic.Int64
	var group sync.WaitGroup
	for i := range workers {
		group.Go(func() {
			twin := *h // knows what h knows by now, but looks at directories of its own
			twin.last = nil
			defer twin.closeLast()
			d := describer{h: &twin, agent: h.agent, dialect: h.agent.dialect, filter: f, ends: newEndReader()}
			for n := next.Add(1) - 1; n < int64(len(logs)); n = next.Add(1) - 1 {
				d.errs = nil
				d.describeLog(&logs[n])
				wrong[n] = d.errs
			}
			found[i] = d.found
		})
	}
	group.Wait()
	return slices.Concat(found[:]...), append(h.closedFolders(false), slices.Concat(wrong...)...)
}

// ListFiles describes the logs in files, of any agent and wherever they are, as [Homes.List] does, but
// each of them. The errors are [*PlaceError]s in the order of the files.
func (hs Homes) ListFiles(files []string, f Filter) (all []Brief, errs []error) {
	d := describer{filter: f, ends: newEndReader()}
	for _, file := range files {
		d.h, d.log = hs.Of(file)
		d.errs = nil
		d.describeFile(file)
		errs = append(errs, d.errs...)
	}
	newestFirst(d.found)
	return d.found, errs
}

// newestFirst sorts sessions by the time of their last change, then by id and path.
func newestFirst(all []Brief) {
	slices.SortFunc(all, func(a, b Brief) int {
		return cmp.Or(cmp.Compare(b.modified, a.modified), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Path, b.Path))
	})
}

// newestOfEach leaves only the newest copy of each session, which names the others.
func newestOfEach(all []Brief) (newest []Brief) {
	newestFirst(all)
	at := map[string]int{} // by id
	for _, b := range all {
		if i, again := at[b.ID]; again {
			newest[i].Others = append(newest[i].Others, b.Path)
			continue
		}
		at[b.ID] = len(newest)
		newest = append(newest, b)
	}
	return newest
}

// Conflicts returns the names in the home of the copies of logs that a sync tool made, or has not
// fetched, sorted.
func (h *Home) Conflicts() (names []string) {
	for _, f := range h.folders() {
		for _, e := range f.entries {
			stem, isLog := CutLog(strings.TrimSuffix(e.name, ".icloud"))
			if !e.dir && isLog && Owner(stem) != "" && AgentID(e.name) == "" {
				if id, _ := h.agent.logAt(e); id == "" {
					names = append(names, path.Join(f.name, e.name))
				}
			}
		}
	}
	return names
}
