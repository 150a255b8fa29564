// Jlrel prints the files of a session, the links between its entries, or the list of sessions.
//
// Usage:
//
//	jlrel [--home DIR]... [-0 [--relative] | --report | --links [-H]] [SESSION|FILE]...
//	jlrel [--home DIR]... [-0 [--relative] | --missing] --orphans
//	jlrel [--home DIR]... --list [-0 [--relative]] [--all] [--cwd DIR] [--under DIR]
//	      [--since TIME] [--until TIME] [FILE]...
//	jlrel [--home DIR]... [-0] --homes
//
// A session is more than its log: around it are agents, their metadata, big tool results, todos,
// tasks, backups of edited files, a debug log, plans and images, in a layout that has changed over
// time. Jlrel finds them from the session, and the session from any of them. It prints one row
// for each member, the log first:
//
//	{"sessionId":…,"kind":…,"path":…,"bytes":n,"mtime":…}
//
// With --list it prints one row for each session of all homes, the newest first.
//
//	OPERAND                   WHAT IT NAMES
//	an id                     a session, or one of its agents; a beginning that no other
//	                          id has is enough
//	a file                    the session whose log or member it is; a name with a slash
//	                          is a file, and one with a dot, unless it is an id
//	ID.jsonl, not there       the session
//	any other id              the log with an entry of that session in the 64 KiB at
//	                          either end
//	none, or -                the sessions that standard input names: entries with whole
//	                          ids, or ids and beginnings of ids, one a line; with
//	                          --links, a log
//
// The rows are these:
//
//	MEMBER                    ITS ROW
//	its name has the id       comes first; these rows are sorted by name
//	only entries name it      comes after them, in the order of the entries: a plan, a
//	                          paste, a loose image, the output of a background task;
//	                          to find the session of such a file, but not of a plan,
//	                          jlrel may have to read all logs
//	it does not exist         has "missing":true; an agent or a big tool result that a
//	                          fork names may be in the directory of its origin
//	it cannot be read         has an "error"
//	the output of a task      is outside the home: jlrel looks at its size and never
//	                          opens it, not even as a FILE
//	it is beyond a link       is left out, and named: jlrel follows a symbolic link only
//	                          to the folder of projects, to one in it, and to a log;
//	                          a link to another project's folder is left out, because
//	                          that folder is read by itself
//	it is not a regular file  is left out, and named
//
// # The list
//
// A row of --list has the names and values that listSessions of the Agent SDK returns, and then
// some of its own. Jlrel looks at 64 KiB at each end of a log, so it does not see what only the
// middle holds. An unknown value is null. The newest session comes first: the one with the latest
// lastTimestamp, which is the time of its last entry. The time of the file does not count, because
// the file may be a copy.
//
//	LOG                       IN THE LIST
//	of a sub-agent            is left out, unless --all is given
//	whose name is not an id   has its name as its id; the Agent SDK leaves it out
//	that nothing names        is called by its first prompt, or its first answer; the Agent
//	                          SDK leaves it out
//	that a plan begins        is called by the first heading of the plan, in place of
//	                          the client's sentence above it
//	with damaged lines        tells what its whole entries tell; the Agent SDK searches the
//	                          text of such lines
//	with half an emoji        has \ufffd in its place, because jq 1.6 stops at half an emoji
//	without a conversation    is left out, if it is of Claude Code and has no title
//	twice in a home           has one row, for the newest copy that has a conversation
//	a copy of a sync tool     is left out, and named on standard error
//	no log, as of OpenCode    is left out, and named on standard error, with what reads it
//	compressed                is read through, up to 16 MiB; of a longer one jlrel sees
//	                          only the beginning, unless it is an archive of jlcompact,
//	                          whose end is read in place
//
// The folder of a working directory decides which sessions belong to it. If the folder's name can
// mean another directory too, the cwd in the entries decides.
//
// # Links
//
// The rows of --links lead from one entry to another: OUTPUT has their kinds. "from" and "to" are
// ids of entries, and "line" and "toLine" are their lines; they are null if the id or the entry
// is missing. If there are several logs, "file" is the log of "from", and "toFile" is the log of
// "to" if that is another one.
//
// A link is printed when it is complete. Links that are still open at the end, and forks, come
// last, in the order of the entries. Given either log of a fork, jlrel finds the other: by what
// the logs say, and because one has in its middle the entries with which the other begins; for
// that it looks at the first entries of each log in the home, or beside FILE. If no log says
// which of the two is the fork, it is the one that begins with the shared entries, or that was
// begun later. A log of the home that cannot be read is named, because it may be one. Of N
// sessions that begin with the same entries, each has N - 1 links.
//
// A log that is a FILE needs no home; without a home, jlrel looks for what its entries name only
// among the logs beside it. Jlrel reports a home that it cannot open. A FILE that is a member and
// not a log names its session.
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"

	"jl/internal/cli"
	"jl/internal/operand"
	"jl/internal/session"
)

const about = `Print the files of a session, the links in it, or the list of sessions.
Name a session by its id, its log, any member file, or its entries.`

const details = `Examples:
  jlrel --list | jq -r sessions  # jl.jq is ~/.jq: man jl.jq
  jlrel --list | jlpath -a --said=prompt,answer | jq -r 'hits("drift")'
  jlrel -0 3f1c | xargs -0 grep -l 'sk-ant-'
  jlrel -0 3f1c | tar --null -T - -c | zstd > 3f1c.tar.zst
  jlrel --links 3f1c | jq -c 'select(.state == "not ended")'

Exit status:
  0  every operand was found
  1  no such session was found, or the list is empty
  2  trouble: wrong usage, an ambiguous name, unreadable input, a lost entry,
     a failed write
`

// The manual tells of each option what its comment says, or else its help.
type flags struct {
	// Print one object for each session, with the paths of all members; if a session has several logs, standard
	// error names all but the newest.
	Report bool `group:"What to print" xor:"verb,null-report" help:"Print one object for each session."`

	// Print the links between the entries of a session and its agents, of a log, or of a stream-json capture; see
	// below.
	Links bool `group:"What to print" xor:"verb,null-links" help:"Print the links between the entries."`

	// Print the members whose session has no log ("orphan":"no session"), unless a project folder cannot be read,
	// because their logs may be there; agents of the old layout that name no session ("names no session"); and
	// logs that are one folder too deep ("no place of a session").
	Orphans bool `group:"What to print" xor:"verb" help:"Print members whose session is gone."`

	// With --orphans, also print the members that are missing although their session names them ("no member"),
	// which reads every log, and the sessions that have no log although history.jsonl, or the sessions-index.json
	// of a project, names them ("no log"); jlpath with the id of such a session prints its lines of history.jsonl.
	Missing bool `needs:"orphans" group:"What to print" help:"With --orphans: also members that are gone\nalthough their session names them."`

	// Print the sessions of all homes, newest first, or, with FILEs, a row for each of these logs, of any agent
	// and wherever it is.
	List bool `group:"What to print" xor:"verb" help:"Print the sessions, newest first."`

	// Print the homes that exist: {"agent":…,"name":…,"path":…}; no two homes of the user have the same name,
	// whichever of them exist.
	Homes bool `group:"What to print" xor:"verb" help:"Print the homes of agents that are there."`

	// With --list, print a row for the log of each sub-agent, too; "kind" tells them apart, and sessionId is that
	// of their session; with FILEs, only these have rows, and jlrel SESSION names the logs of its agents.
	All bool `needs:"list" group:"Which sessions" help:"List sub-agents too, a row for each of their logs."`

	// List only the sessions of exactly the working directory DIR, and of its worktrees: those in the folder that
	// is named after it, and those in which an entry at either end of the log has it as cwd, in any folder; if DIR
	// leads through links, the name without them counts, too; DIR may be a Windows path, in either case.
	Cwd string `needs:"list" group:"Which sessions" placeholder:"DIR" help:"List only sessions of exactly this working directory,\nand of its worktrees."`

	Under string `needs:"list" group:"Which sessions" placeholder:"DIR" help:"List only sessions of this directory and of all below."`

	// List only the sessions with an entry since then: a day or a time, local unless it has a zone (2026-11-20,
	// 2026-11-20T09:00, today, yesterday, monday), 'this week', 'last month' or 'last year', @ and seconds since
	// 1970, or how long ago (90m, 12h, 7d).
	Since string `needs:"list" group:"Which sessions" placeholder:"TIME" help:"List only sessions with an entry since then: a day or\na local time (2026-11-20, monday, 'last week'), @SECONDS,\nor how long ago (90m, 12h, 7d)."`

	// List only the sessions that were begun by then; a day, a week, a minute or a second counts to its end.
	Until string `needs:"list" group:"Which sessions" placeholder:"TIME" help:"List only sessions begun by then; a day counts whole."`

	// Print only the paths of the members that are regular files in the home, each ended by NUL; outputs of tasks,
	// which are elsewhere, are named on standard error instead, because a log could name any file; with --list,
	// print the paths of the logs.
	Null bool `group:"Output" xor:"null-report,null-links" short:"0" name:"null" help:"Print paths only, each ended by NUL."`

	// With -0, print paths relative to the home, so that an archive of tar -C HOME can be unpacked in another
	// home.
	Relative bool `needs:"null" group:"Output" help:"With -0, print paths relative to the home."`

	Named bool `needs:"links" group:"Output" short:"H" name:"with-filename" help:"With --links: name the log in each row, even if it is\nthe only one."`

	// Look in this home, not in those of all agents, which jl(7) names: with ~/.codex, --list lists only the
	// sessions of Codex.
	Home  []string `placeholder:"DIR" sep:"none" help:"Look only in this home of an agent; see man 7 jl."`
	Names []string `arg:"" optional:"" name:"session|file" help:"With no SESSION, or when it is -, read entries or ids from standard input;\nwith --links, a log."`

	since, until int64 // the instants that Since and Until name
}

// Operands returns the operands.
func (f *flags) Operands() *[]string { return &f.Names }

// Validate refuses options that contradict each other, and a wrong time.
func (f *flags) Validate() error {
	switch {
	case f.Missing && f.Null:
		return errors.New("--missing and --null can't be used together: what is gone has no path to print")
	case f.Orphans && len(f.Names) > 0:
		return errors.New("--orphans takes no SESSION")
	case f.Homes && len(f.Names) > 0:
		return errors.New("--homes takes no SESSION")
	case f.Homes && f.Relative:
		return errors.New("--homes and --relative can't be used together")
	case f.List && slices.Contains(f.Names, "-"):
		return errors.New("--list takes a FILE with a path and a time, not -")
	case slices.Contains(f.Names, ""):
		return errors.New("a SESSION cannot be empty")
	}
	f.since, f.until = math.MinInt64, math.MaxInt64
	for _, o := range []struct {
		name, value string
		at          *int64
	}{{"--since", f.Since, &f.since}, {"--until", f.Until, &f.until}} {
		if o.value == "" {
			continue
		}
		at, err := operand.Instant(o.value, o.name == "--until")
		if err != nil {
			return fmt.Errorf("%s %w", o.name, err)
		}
		*o.at = at
	}
	return nil
}

// Help returns what follows the options in the help.
func (*flags) Help() string { return details }

func main() { cli.Main("jlrel", about, run) }

func run(c *cli.Command, f *flags) {
	homes, errs := session.Open(f.Home)
	defer homes.Close()
	p := printer{c: c, homes: homes, null: f.Null, relative: f.Relative, reported: map[string]bool{}, near: map[string]map[string][]string{}}
	for _, h := range homes {
		h.Refuses, h.Ready = c.Writes, c.Flush
	}
	operand.Refuse(c, f.Names)
	if f.Links {
		p.links(f.Names, f.Named, errs)
		return
	}
	gone := 0
	for _, err := range errs {
		if f.Home == nil && errors.Is(err, fs.ErrNotExist) { // the others are answer enough
			c.NoteError(cli.File(err.Path), err.Err)
			gone++
		} else {
			c.Fail(cli.File(err.Path), err.Err)
		}
	}
	if f.List && len(f.Names) == 0 {
		for _, u := range homes.Unlisted(f.Home == nil) {
			more := ""
			if u.More > 0 {
				more = fmt.Sprintf(", nor %d more", u.More)
			}
			c.Note(cli.File(u.Path), "not listed%s: %s", more, u.Way)
		}
	}
	switch {
	case len(homes) == 0 && !(f.List && len(f.Names) > 0):
		if len(errs) == 0 {
			c.Note(cli.Place{}, "no home of an agent is there")
		}
		if len(errs) == gone {
			c.No()
		}
	case f.Homes:
		for _, h := range homes {
			p.home(h)
		}
	case f.Orphans:
		found := false
		for _, h := range homes {
			found = p.orphans(h, f.Missing) || found
		}
		if !found {
			c.No()
		}
	case f.List:
		p.list(operand.Options{Home: f.Home, Files: f.Names}, f)
	case f.Report:
		p.eachSession(f.Names, p.reportOn)
	default:
		p.eachSession(f.Names, p.membersOf)
	}
}
