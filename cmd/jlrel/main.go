// Jlrel prints the files of a session, and the links between its entries.
//
// Usage:
//
//	jlrel [--home DIR]... [-0 [--relative] | --report | --links [-H]] [SESSION|FILE]...
//	jlrel [--home DIR]... [-0 [--relative] | --missing] --orphans
//	jlrel [--home DIR]... --list [-0 [--relative]] [--cwd DIR] [--since TIME] [--until TIME] [FILE]...
//
// A session is more than its log: agents, their metadata, big tool results, todos and tasks,
// backups of edited files, a debug log, plans and images are stored around it, in a layout that
// has changed over time. Jlrel finds them from the session, and the session from any of them. An
// operand names a session by its id or a beginning of it that no other id has, by the id of one
// of its agents, or by its log or any member file; one that has a slash or ends as logs do, in
// .jsonl, .jsonl.zst or .jsonl.gz, is a file, but ID.jsonl that is not there means the session. An id
// that no log is called by is looked up in the entries at both ends of all logs. With no operand, or when it is -, jlrel reads
// standard input: entries, which name their session by its whole id, or ids and beginnings of
// ids, one a line; with --links, a log. A session is found in any project folder. The names of
// plans, pastes, loose images and outputs of background tasks hold no session id: these files
// belong to the sessions whose entries name them, and to find those sessions jlrel may have to
// read every log, except for a plan.
//
// Jlrel prints one row for each member:
//
//	{"sessionId":…,"kind":…,"path":…,"bytes":n,"mtime":…}
//
// The kind is session, agent, agent-meta, tool-result, todo, task, file-history, debug,
// session-env, plan, image, paste, task-output, workflow, job (of a session in the background), other,
// of Copilot's sessions also checkpoint and file, or the name of the directory of
// the home that holds the member. The mtime is UTC. Rows of agents have an "agentId", and
// those of task outputs the id of the "task". A member that an entry names and that does
// not exist has "missing":true, and one that cannot be read has an "error". Members that
// are found by name come first, sorted, with the log before all others. Then, as jlrel
// reads the logs of the session and its agents, come the members that only entries name,
// in that order.
//
//	-0, --null    print paths only, each ended by NUL, of the members that are regular
//	              files in the home; outputs of tasks, which are elsewhere, are named
//	              on standard error, because a log could name any file; with --list,
//	              print the paths of the logs
//	--relative    with -0, print paths relative to the home, so that an archive of
//	              tar -C HOME can be unpacked in another home
//	--report      print one object for each session: session_id, session_file,
//	              agent_files, todo_files, file_history (file and size), debug_file,
//	              and lists of all other members, including the missing ones; if a
//	              session has several logs, session_file is the newest, and the
//	              others are named on standard error
//	--links       print the links between the entries of a session and its agents,
//	              of a log, or of a stream-json capture; see below
//	-H, --with-filename
//	              with --links, name the log in each row, even if it is the only one
//	--orphans     print the members whose session has no log ("orphan":"no session"),
//	              and agents of the old layout that name no session ("names no
//	              session"); none of the former if a project folder cannot be read,
//	              because their logs may be there; also logs that are one folder too
//	              deep ("no place of a session")
//	--missing     with --orphans, also print the members that are missing although
//	              their session names them ("no member"); this reads every log
//	--list        print the sessions of all homes, newest first, or, with FILEs, a row for
//	              each of these logs, of any agent and wherever it is
//	--cwd DIR     list only the sessions of the working directory DIR: those in the
//	              folder that is named after it, and those in which an entry at either
//	              end of the log has it as cwd, in any folder; DIR may be a Windows path
//	--since TIME  list only the sessions that were changed or begun since then: a time
//	              in UTC (2026-11-20T09:00:00Z, 2026-11-20), @ and seconds since 1970,
//	              or how long ago (90m, 12h, 7d)
//	--until TIME  list only the sessions that were begun until then
//	--home DIR    a home, of any agent, instead of those of all agents: see jl(7)
//
// A row of --list has the names and values that listSessions of the Agent SDK returns:
// sessionId, summary (what names the session: its title, else its last prompt, its
// summary or its first prompt, or "Image" or "Document" if no prompt has words),
// customTitle, firstPrompt, gitBranch, cwd, tag, createdAt and lastModified (milliseconds
// since 1970) and fileSize; and then the path, the agent and, for a session that was archived, and
// in which no prompt was sent since, "archived":true. What is not known is null. A
// session of Claude Code that nothing names is not listed, nor is a sub-agent. Sessions of other agents
// have the same fields, a "model" and, if they are forks, the "parentSession". A log without a message
// has "messages":0. Copies that a sync tool made of logs are named on standard error. Jlrel looks at 64 KiB at each end of a log,
// so it does not see what only the middle holds. A compressed log has "compressed":true
// and the size of its file. Jlrel reads the end of an archive of jlcompact in place. It
// reads other compressed logs through, up to 16 MiB; of a longer one it sees only the
// beginning, which "headOnly":true says. The folder of a working directory decides which
// sessions belong to it. If the folder's name can stand for another directory too, the
// cwd in the entries decides. If a session exists twice in a home, the newer copy is listed.
//
// A row of --links has a "link", which is one of the following. "from" and "to" are ids
// of entries, and "line" and "toLine" are their lines. They are null if the id or
// the entry is missing. If a session has several logs, or several logs are given, "file" is the
// log, and "toFile" that of the other end if it is another one.
//
//	tool     the id and name of a call, from its entry to that of its result;
//	         "state":"unanswered" or "no call"
//	agent    a call and the log of the agent that it began: id, from, agentId, path;
//	         "by" is what names the agent: toolUseResult, meta (the agent's .meta.json),
//	         text, workflow (it ran in the one that the call began) or, without a call,
//	         parent (its log or place names the session, as with Codex and Gemini);
//	         "state":"missing", or "unknown" if jlrel cannot look for it
//	task     the id and entry of a call, the task that it left running in the
//	         background, "of" bash, agent, remote, monitor or workflow, and its output;
//	         "state":"ended" with status, to and toLine, or "not ended"
//	backup   from a message to the backups in its snapshot: tracked is the file, path
//	         the backup; "state":"absent" if there was no such file, "missing", or
//	         "unknown" if jlrel cannot look for it
//	logical  from an entry to its logical parent
//	fork, continued
//	         from a session to another one that has a part of the conversation, too, with
//	         the last entry that they share (toEntry), its copy (entry), how many entries
//	         they share, where the part begins that only the session has (ownLine), and
//	         the path of the other log; "state":"missing" or "unknown". A session that
//	         says so, or has no part of its own, is continued in the other one; else it is
//	         a fork of the same conversation. Jlrel finds them from either side, in what
//	         the logs say and by the first entry of each log in the home, or beside FILE
//	control  the id and name of a control_request, from its line to that of its
//	         response: "state" is success, error, unanswered, cancelled or "no request"
//
// A link is printed when it is complete. Links that are still open at the end, and
// forks, come last, in the order of the entries. --links needs no home for a log that is
// a FILE, but, apart from logs beside it, finds what the entries name only in a home; it reports one that it cannot
// open. A FILE that is a member and not a log names its session.
//
// Whatever logs and names say, jlrel reads only in the homes, and beside the FILE of --links. It follows a symbolic link there only to
// the folder of projects, to the folder of one, and to a log; in such a folder it reads only the logs. It
// opens only regular files, and waits for none; what it does not read for that reason is
// named like other input that cannot be read. A link from one project folder to another is
// left out, because that one is read by itself. Outputs of background tasks are outside
// of the home: jlrel looks at their sizes and never opens them, not even as a FILE.
//
//	jlrel -0 ID | tar --null -T - -c | zstd > ID.tar.zst
//	jlrel -0 --relative ID | tar -C ~/.claude --null -T - -c | tar -C OTHERHOME -x
//	jlrel -0 ID | xargs -0 zstdgrep -l 'sk-ant-'
//	jlrel --links ID | jq -c 'select(.state == "not ended")'
package main

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"jl/internal/cli"
	"jl/internal/operand"
	"jl/internal/session"
)

const about = `Print the files of a session, and the links between its entries.
Name a session by its id, its log, any member file, or its entries.`

const details = `Examples:
  jlrel -0 3f1c | xargs -0 grep -l 'sk-ant-'
  jlrel --list --since 7d | jq -r '[.sessionId, .summary] | @tsv'

Exit status:
  0  every operand was found
  1  no such session was found, the list is empty, or nothing in the input of
     --links has a type
  2  trouble: wrong usage, an ambiguous name, unreadable input, a lost entry,
     a failed write
`

type flags struct {
	Report   bool     `group:"What to print" xor:"verb,null-report" help:"Print one object for each session."`
	Links    bool     `group:"What to print" xor:"verb,null-links" help:"Print the links between the entries."`
	Orphans  bool     `group:"What to print" xor:"verb" help:"Print members whose session is gone."`
	Missing  bool     `needs:"orphans" group:"What to print" help:"With --orphans: also members that are gone\nalthough their session names them."`
	List     bool     `group:"What to print" xor:"verb" help:"Print the sessions, newest first."`
	Cwd      string   `needs:"list" group:"Which sessions" placeholder:"DIR" help:"List only sessions of this working directory."`
	Since    string   `needs:"list" group:"Which sessions" placeholder:"TIME" help:"List only sessions changed or begun since then:\na time in UTC, @SECONDS, or how long ago (90m, 12h, 7d)."`
	Until    string   `needs:"list" group:"Which sessions" placeholder:"TIME" help:"List only sessions begun until then."`
	Null     bool     `group:"Output" xor:"null-report,null-links" short:"0" name:"null" help:"Print paths only, each ended by NUL."`
	Relative bool     `needs:"null" group:"Output" help:"With -0, print paths relative to the home."`
	Named    bool     `needs:"links" group:"Output" short:"H" name:"with-filename" help:"With --links: name the log in each row, even if it is\nthe only one."`
	Home     []string `placeholder:"DIR" sep:"none" help:"A home, instead of those of all agents; see man 7 jl."`
	Names    []string `arg:"" optional:"" name:"session|file" help:"With no SESSION, or when it is -, read entries or ids from standard input;\nwith --links, a log."`

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
	case slices.Contains(f.Names, ""):
		return errors.New("a SESSION cannot be empty")
	}
	var since, until error
	f.since, since = instantOf("--since", f.Since, math.MinInt64)
	f.until, until = instantOf("--until", f.Until, math.MaxInt64)
	return cmp.Or(since, until)
}

// Help returns what follows the options in the help.
func (*flags) Help() string { return details }

func main() { cli.Main("jlrel", about, run) }

func run(c *cli.Command, f *flags) {
	homes, errs := session.Open(f.Home)
	defer homes.Close()
	p := printer{c: c, homes: homes, null: f.Null, relative: f.Relative, reported: map[string]bool{}}
	for _, h := range homes {
		h.Refuses = c.Writes
	}
	if len(homes) > 0 {
		p.h = homes[0]
	}
	operand.Refuse(c, f.Names)
	if f.Links {
		p.links(f.Names, f.Named, errs)
		return
	}
	for _, err := range errs {
		c.Fail(cli.Place{}, err)
	}
	switch {
	case len(homes) == 0 && !(f.List && len(f.Names) > 0):
		if len(errs) == 0 {
			c.Note(cli.Place{}, "no home of an agent is there")
			c.No()
		}
	case f.Orphans:
		p.orphans(f.Missing)
	case f.List:
		p.list(operand.Options{Home: f.Home, Files: f.Names}, session.Filter{Cwd: f.Cwd, Since: f.since, Until: f.until})
	case f.Report:
		p.eachSession(f.Names, p.reportOn)
	default:
		p.eachSession(f.Names, p.membersOf)
	}
}
