// Jlrel prints what belongs to a session, and who refers to whom.
//
// Usage:
//
//	jlrel [--home DIR] [-0 | --report | --links] [SESSION|FILE]...
//	jlrel [--home DIR] [-0] --orphans
//	jlrel [--home DIR] --list [--cwd DIR] [--since TIME]
//
// A session is more than its log: sub-agents, their metadata, big tool results,
// todos and tasks, backups of edited files, a debug log, plans and images lie around
// it, in a layout that has changed. Jlrel finds them from the session, and the session
// from any of them. A session is named by its id or a beginning of it that no other
// has; by its log or any member file; or by entries on standard input, which say
// whose they are, by whole ids (ids or beginnings will do, one a line). It is found in
// any project folder. A plan, a paste, a loose image and the output of a background task
// have no session in their names: they belong to those sessions whose records name them,
// and for all but the plan every log may have to be read.
//
// One row is printed for each member:
//
//	{"session":…,"kind":…,"path":…,"bytes":n,"mtime":…}
//
// mtime is UTC. kind is session, agent, agent-meta, tool-result, todo, task,
// file-history, debug, session-env, plan, image, paste, task-output, other, or the name
// of the directory of the home that it lies in. Agents have an "agentId", an output
// has the "task" whose it is. A member that an entry names and that is not there is a
// row with "missing":true. One that cannot be read has an "error". First come the
// members found by name, sorted, the log before all; then, as the logs of the session
// and its agents are read, those that only entries name, in the order in which they do.
//
//	-0, --null    print paths only, each ended by NUL: of the files that are there,
//	              regular, and in the home
//	--report      print one object for each session: session_id, session_file,
//	              agent_files, todo_files, file_history (file and size), debug_file,
//	              and lists of all other members, of those missing too; of several
//	              logs the newest counts, and the others are named
//	--links       print who refers to whom in the records of a session and its agents,
//	              of a log, or of a stream-json capture; see below
//	--orphans     print the members whose session is gone ("orphan":"no session"), and
//	              those that are gone though their session names them ("no member");
//	              every log is read. Agents of the old layout that name no session
//	              are "names no session"
//	--list        print the sessions, newest first
//	--cwd DIR     list only the sessions of the working directory DIR
//	--since TIME  list only the sessions touched or begun since: a time in UTC
//	              (2026-11-20T09:00:00Z, 2026-11-20), @ and seconds since 1970, or how
//	              long ago (90m, 12h, 7d)
//	--home DIR    the home; else $CLAUDE_CONFIG_DIR, else ~/.claude
//
// A row of --list has the names and values that listSessions of the Agent SDK has:
// sessionId, summary (what names the session: the title, or the last prompt, the
// summary, the first prompt), customTitle, firstPrompt, gitBranch, cwd, tag, createdAt and
// lastModified (milliseconds since 1970), fileSize, "archived":true; and path. What is
// not known is null. It looks at 64 KiB at each end of a log, no more: what is said only
// in the middle is not seen. A log that is compressed has "compressed":true and the
// size of its file. To find the end of one that is no archive of jlcompact's it is read
// through, up to 16 MiB; of a longer one only the beginning counts: "headOnly":true.
// The folder of a working directory decides what belongs to it, and the cwd in the
// records where the folder's name stands for two. Of a session that lies twice the newer
// is listed.
//
// A row of --links has "link", which says what follows; from and to are ids of
// entries, line and toLine their lines, null if there is none; "file" is the log, if there
// are several.
//
//	tool     id and name of a call, from its entry to that of its result;
//	         "state":"unanswered" or "no call"
//	agent    a call and the log of the agent that it began: id, from, agentId, path;
//	         "by" says what told: toolUseResult, meta (the agent's .meta.json) or text
//	task     id, from, the task that it left running in the background, "of" bash,
//	         agent or remote, and its output; "state":"ended" with status, to and toLine,
//	         or "not ended"
//	backup   from a message to the backups of its snapshot: tracked is the file, path
//	         the backup; "state":"absent" if there was no such file, "missing", or
//	         "unknown" if it cannot be looked at
//	logical  from an entry to its logical parent
//	fork     from a session to the session it was forked from, with the last entry
//	         they share, its copy (entry), how many entries, and the path
//	control  id and name of a control_request, from its line to that of its
//	         response: "state" success, error, unanswered, cancelled or "no request"
//
// Links come in the order in which they are complete; what is still open comes last,
// with forks, in the order of the records. A log that is a FILE needs no home, but what
// its records name can only be found in one; that one cannot be opened is said. A member
// that is no log stands for its session.
//
// Jlrel reads in the home only, whatever logs and names say: it follows no link there,
// opens nothing but regular files, and waits for none. Outputs of background tasks,
// outside of the home, are looked at for their sizes and not opened, not even as a FILE.
//
//	jlrel -0 ID | tar --null -T - -c | zstd > ID.tar.zst
//	jlrel -0 ID | xargs -0 grep -l 'sk-ant-'
//	jlrel --links ID | jq -c 'select(.state == "not ended")'
//
// The exit status is 0 if something was printed for every operand, 1 if there is no
// such session or nothing to list, and 2 if a name was ambiguous, some input could not
// be read, an entry was lost, or the output not be written.
package main

import (
	"errors"
	"runtime/debug"
	"slices"

	"jl/internal/cli"
	"jl/internal/session"
)

const about = `Print what belongs to a session, and who refers to whom.
A session is named by its id, its log, any member file, or entries that are its own.`

type flags struct {
	Null    bool     `short:"0" name:"null" help:"Print paths only, each ended by NUL."`
	Report  bool     `help:"Print one object for each session."`
	Links   bool     `help:"Print who refers to whom in the records."`
	Orphans bool     `help:"Print members whose session is gone,\nand members that are gone."`
	List    bool     `help:"Print the sessions, newest first."`
	Cwd     string   `placeholder:"DIR" help:"List only sessions of this working directory."`
	Since   string   `placeholder:"TIME" help:"List only sessions touched or begun since then:\na time in UTC, @SECONDS, or how long ago (90m, 12h, 7d)."`
	Home    string   `placeholder:"DIR" help:"The home, instead of $CLAUDE_CONFIG_DIR or ~/.claude."`
	Names   []string `arg:"" optional:"" name:"session|file" help:"With no SESSION, or when it is -, read entries or ids from standard input."`

	since int64 // the instant that Since names
}

// Validate refuses options that contradict each other.
func (f *flags) Validate() error {
	verbs := 0
	for _, verb := range []bool{f.Report, f.Links, f.Orphans, f.List} {
		if verb {
			verbs++
		}
	}
	switch {
	case verbs > 1:
		return errors.New("only one of --report, --links, --orphans and --list can be used")
	case f.Null && (f.Report || f.Links || f.List):
		return errors.New("-0 cannot be used with --report, --links or --list")
	case (f.Cwd != "" || f.Since != "") && !f.List:
		return errors.New("--cwd and --since need --list")
	case (f.Orphans || f.List) && len(f.Names) > 0:
		return errors.New("--orphans and --list take no SESSION")
	case slices.Contains(f.Names, ""):
		return errors.New("a SESSION cannot be empty")
	}
	var err error
	f.since, err = sinceOf(f.Since)
	return err
}

func main() { cli.Main("jlrel", about, run) }

func run(c *cli.Command, f *flags) {
	// The buffer of a long line is most of the memory in use. Garbage must not take as
	// much again.
	const percent = 25
	debug.SetGCPercent(percent)
	p := printer{c: c, null: f.Null, reported: map[string]bool{}}
	dir, err := session.Dir(f.Home)
	if err == nil {
		p.h, err = session.Open(dir)
	}
	if err == nil {
		defer p.h.Close()
	}
	switch {
	case f.Links:
		p.links(f.Names, err)
	case err != nil:
		c.Fail("", err)
	case f.Orphans:
		p.orphans()
	case f.List:
		p.list(f.Cwd, f.since)
	case f.Report:
		p.eachSession(f.Names, p.reportOn)
	default:
		p.eachSession(f.Names, p.membersOf)
	}
}
