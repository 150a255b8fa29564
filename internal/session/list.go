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

	"jl/internal/record"
)

// A Filter selects sessions of a list.
type Filter struct {
	Cwd          string // those of this working directory and its worktrees; "" for all
	Under        string // those of this working directory and those below; "" for all
	Since, Until int64  // those changed or begun since, and begun until, in milliseconds since 1970
	All          bool   // sub-agents too

	cwds, unders []alias           // the names of Cwd and Under, see Resolve
	worktrees    map[string]string // the working directory of each worktree that entries tell, both plain
}

// A Brief is what a list has about a session, or a sub-agent.
type Brief struct {
	Path  string // of its log
	Name  string // of its log in the home, "" if it is in none
	ID    string // of the session
	Agent string // the id of the sub-agent, "" if it is none
	Row   []byte // the [record.Session] that describes it, encoded

	Others []string // the paths of the older logs of the session in its home that it does not go on from

	goesOn bool // from older logs of the session, from what is in those before the ordinal above
	joined bool // a newer log goes on from it, and tells what it has
	above  int64
	first  int64           // the ordinal of the first prompt
	row    *record.Session // of an agent whose sessions may go on, else nil

	cwd         string    // as in Row
	cwds        []string  // all that the ends of the log tell, plain, if the filter needs them
	worktree    [2]string // one of those, and the directory that it is a worktree of
	last, begun int64     // milliseconds since 1970
	bytes       int64     // of the log
	rank        int       // among copies: 0 if the log has a conversation, with times, 1 if without, 2 if its ends have none, 3 if it has none and no title
}

// isSilent reports whether the log has no conversation and no title, and does not go on from another log.
func (b *Brief) isSilent() bool { return b.rank == 3 && !b.goesOn }

// workers is how many logs are looked at at the same time.
const workers = 2

// An alias is a name of a directory: in its plain form, and as the name of the folder of Claude Code for it.
type alias struct{ dir, folder string }

// Resolve finds out which directories Cwd and Under mean, and makes both absolute and free of links. A session may know
// its directory by either name. An absolute Windows path is one on every system. The error is for a relative one whose
// place is not known.
func (f *Filter) Resolve() (err error) {
	f.worktrees = map[string]string{}
	if f.cwds, err = resolve(&f.Cwd); err == nil {
		f.unders, err = resolve(&f.Under)
	}
	if f.Cwd != "" && !IsWindows(f.Cwd) {
		for _, dir := range gitWorktrees(f.Cwd) {
			for _, name := range []string{dir, withoutLinks(dir)} {
				if a := (alias{plainDir(name), projectName(name)}); !slices.Contains(f.cwds, a) {
					f.cwds = append(f.cwds, a)
				}
			}
		}
	}
	return err
}

// resolve returns the names of a directory, none for "", and sets it to the one that is free of links.
func resolve(dir *string) (aliases []alias, err error) {
	if *dir == "" {
		return nil, nil
	}
	abs, real := *dir, *dir
	if !IsWindows(*dir) {
		if abs, err = filepath.Abs(*dir); err != nil {
			return nil, err
		}
		real = withoutLinks(abs)
	}
	*dir = real
	for _, name := range []string{abs, real} {
		aliases = append(aliases, alias{plainDir(name), projectName(name)})
	}
	return slices.Compact(aliases), nil
}

// withoutLinks returns a directory without the links on the way to it, also if it is gone.
func withoutLinks(dir string) string {
	real, err := filepath.EvalSymlinks(dir)
	if above := filepath.Dir(dir); err != nil && above != dir {
		real = filepath.Join(withoutLinks(above), filepath.Base(dir))
	}
	return real
}

// IsWindows reports whether a path is an absolute one of Windows.
func IsWindows(dir string) bool {
	return len(dir) > 2 && isAlnum(dir[0]) && dir[1] == ':' && (dir[2] == '\\' || dir[2] == '/') || strings.HasPrefix(dir, `\\`)
}

// plainDir returns a form of a directory that is the same for all ways to write it: composed, and, on
// Windows, with either separator and in either case.
func plainDir(dir string) string {
	if IsWindows(dir) {
		dir = strings.ToLower(strings.TrimRight(strings.ReplaceAll(dir, `\`, "/"), "/"))
	}
	return norm.NFC.String(dir)
}

// worktrees is where Claude Code puts worktrees in a working directory.
const worktrees = "/.claude/worktrees/"

// matches reports whether a session is one of the working directories of the filter. A cwd decides, in
// whatever folder the log is; else its folder does, as for the Agent SDK, unless the name of the folder
// means the other directory that the entries name.
func (f *Filter) matches(b *Brief) bool {
	folder := path.Base(path.Dir(b.Path))
	cwds := append(b.cwds[:len(b.cwds):len(b.cwds)], plainDir(b.cwd))
	inDir, below := f.Cwd == "", f.Under == ""
	for _, a := range f.cwds {
		inDir = inDir || folder == a.folder && projectName(b.cwd) != a.folder ||
			b.cwd == "" && strings.HasPrefix(folder, projectName(a.dir+worktrees))
		for _, cwd := range cwds {
			tree, inside := strings.CutPrefix(cwd, a.dir+worktrees)
			inDir = inDir || cwd == a.dir || f.worktrees[cwd] == a.dir || inside && !strings.Contains(tree, "/")
		}
	}
	for _, a := range f.unders {
		below = below || b.cwd == "" && folder == a.folder
		for _, cwd := range cwds {
			below = below || cwd == a.dir || strings.HasPrefix(cwd, strings.TrimRight(a.dir, "/")+"/")
		}
	}
	return inDir && below
}

// apply returns those of the sessions that the filter selects, and what was wrong with their logs, or with
// logs whose directory is not known.
func (f *Filter) apply(briefs []*Brief, wrong [][]*PlaceError) (selected []*Brief, errs []*PlaceError) {
	for _, b := range briefs {
		if b != nil && b.worktree[1] != "" {
			f.worktrees[b.worktree[0]] = b.worktree[1]
		}
	}
	for i, b := range briefs {
		if b != nil && b.joined {
			b = nil
		}
		isMatch := b == nil || f.matches(b)
		if isMatch || b.cwd == "" {
			errs = append(errs, wrong[i]...)
		}
		if b != nil && isMatch && max(b.last, b.begun) >= f.Since && b.begun <= f.Until {
			selected = append(selected, b)
		}
	}
	return selected, errs
}

// List describes the sessions in the homes, newest first, then by id and path. If a session exists several
// times in one home, it describes the newest copy that has a conversation, and names the others. It looks
// at 64 KiB at each end of a log, and reads at most 16 MiB of a compressed one, or of one that
// nothing there names. The errors are [*PlaceError]s: of a home, those of folders, then those of logs.
func (hs Homes) List(f Filter) (all []*Brief, errs []*PlaceError) {
	for _, h := range hs {
		found, wrong := h.briefs(&f)
		all, errs = append(all, newestOfEach(found)...), append(errs, wrong...)
	}
	newestFirst(all)
	return all, errs
}

// briefs describes those sessions of a home that the filter selects, in any order.
func (h *Home) briefs(f *Filter) ([]*Brief, []*PlaceError) {
	logs, closed := h.Logs(), h.logs().closed(false)
	if f.All {
		for _, a := range h.agentLogs().members {
			a.Session = h.OwnerOf(a.Name)
			logs = append(logs, a)
		}
		closed = append(closed, h.agentLogs().errs...)
	}
	wrong := make([][]*PlaceError, len(logs))
	briefs := inParallel(h, logs, func(d *describer, i int) *Brief {
		d.filter = *f
		b := d.describeLog(&logs[i])
		wrong[i] = d.errs
		return b
	})
	join(briefs)
	found, errs := f.apply(briefs, wrong)
	return found, append(closed, errs...)
}

// inParallel returns what look returns for the index of each log.
func inParallel[T any](h *Home, logs []Member, look func(*describer, int) T) []T {
	made := make([]T, len(logs))
	var next atomic.Int64
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			twin := *h // knows what h knows by now, but looks at directories and logs of its own
			twin.last, twin.reader = nil, reader{}
			defer twin.closeLast()
			d := twin.describer()
			for n := next.Add(1) - 1; n < int64(len(logs)); n = next.Add(1) - 1 {
				made[n] = look(d, int(n))
			}
		})
	}
	group.Wait()
	return made
}

// ListFiles describes the logs in files, of any agent and wherever they are, as [Homes.List] does, but
// each of them. The errors are [*PlaceError]s in the order of the files.
func (hs Homes) ListFiles(files []string, f Filter) (all []*Brief, errs []*PlaceError) {
	d := describer{filter: f, endReader: newEndReader()}
	var briefs []*Brief
	var wrong [][]*PlaceError
	for _, file := range files {
		d.h, d.log = hs.Of(file)
		briefs, wrong = append(briefs, d.describeFile(file)), append(wrong, d.errs)
	}
	all, errs = f.apply(briefs, wrong)
	newestFirst(all)
	return all, errs
}

// newestFirst sorts sessions by the time of their last entry, then by id and path.
func newestFirst(all []*Brief) {
	slices.SortFunc(all, func(a, b *Brief) int {
		return cmp.Or(cmp.Compare(b.last, a.last), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Path, b.Path))
	})
}

// newestOfEach returns, in no order, only the newest copy of each session that has a conversation, which names
// the others.
func newestOfEach(all []*Brief) (newest []*Brief) {
	for _, logs := range copies(all) {
		for _, older := range logs[1:] {
			if !older.isSilent() {
				logs[0].Others = append(logs[0].Others, older.Path)
			}
		}
		newest = append(newest, logs[0])
	}
	return newest
}

// join makes one of the logs of each session of which the newest goes on from the others.
func join(all []*Brief) {
	for _, logs := range copies(all) {
		for _, older := range logs[1:] {
			if older.joined = logs[0].goesOn; older.joined {
				logs[0].begin(older)
			}
		}
	}
}

// copies returns the logs of each session, the one that counts first, and that of each sub-agent, in no order.
func copies(all []*Brief) (each [][]*Brief) {
	sessions := make(map[string][]*Brief, len(all)) // by id
	for _, b := range all {
		switch {
		case b == nil:
		case b.Agent != "":
			each = append(each, []*Brief{b})
		default:
			sessions[b.ID] = append(sessions[b.ID], b)
		}
	}
	for _, logs := range sessions {
		slices.SortFunc(logs, compareCopies)
		each = append(each, logs)
	}
	return each
}

// compareCopies compares logs of one session: the one that counts comes first.
func compareCopies(a, b *Brief) int {
	return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.last, a.last), cmp.Compare(b.bytes, a.bytes), cmp.Compare(a.Path, b.Path))
}

// begin makes the row of b that of a session that begins with an older log.
func (b *Brief) begin(older *Brief) {
	r := b.row
	r.CreatedAt, b.begun = older.row.CreatedAt, older.begun
	if older.row.FirstPrompt != nil && older.first < b.above {
		r.FirstPrompt = older.row.FirstPrompt
		if r.CustomTitle == nil {
			r.Summary = r.FirstPrompt
		}
	}
	b.Row = record.Append(nil, r)
}
