// Package session knows where agents keep the logs of their sessions and which files belong to
// which session.
//
// What it knows. All that differs from agent to agent is one table: where the home is, which variable
// moves it, and, as lines of a pattern and a kind, what the names of the files in it mean. What entries of Claude Code
// name besides (plans, pastes, images, results, outputs of tasks) is in recorded.go and owner.go, for agents whose row says records; no
// other code of the package asks which agent it is. What the entries of a log tell, its working directory, title, model and
// parent, package says knows by the dialect of the log, which a row here names. So a new agent is a
// row in each table, and a fork of an agent is a name, a home and the name of the row that it is like.
//
// A home is two tables of rows, a row for each name: the directories with logs, and the others. Home.rowOf makes
// all rows, and tells all that a name tells. What is in the directory of a session is listed when it is asked
// for. What a name does not tell, the log itself does: Home.tell reads its beginning, and Home.owner says whose
// a row is. All questions are loops over rows: which logs there are, what an id means, which members a session
// has, what is an orphan. known has the tables, and what else is read once.
//
// A folder of Claude Code is projects/NAME, whose name projectName makes from the working directory. The
// name loses what it replaces, so it is never decoded: the cwd in the entries is the truth. A session is
// a file ID.jsonl in any folder, compressed or not. [Home.Members] finds the members whose names
// hold the id of the session, and those agents of the old layout that name it.
// [Home.AllMembers] also finds those that only entries name: plans, pastes,
// outputs of background tasks, what a fork left with its origin, and files that are missing. [Homes.Owners] goes the other way, from a
// file to its session, and [Homes.List] describes the sessions.
//
// Where things are. agents.go has the table of agents, pattern.go the language of its patterns, name.go what else
// names tell. homes.go opens homes, disk.go what is in them, table.go reads their directories, known.go has
// what is read once. ends.go reads the ends of logs, log.go logs and what their entries tell, history.go the
// history of prompts. find.go finds sessions by their ids, owner.go by their files. members.go and recorded.go are
// the scan for members, orphans.go is for those without a session. list.go makes the list, describe.go its rows, as
// log.go has it, or, for Claude Code, sdk.go, by the rules of the Agent SDK.
//
// What it promises. Nothing that a log or the name of a file says leads out of the home.
// [Home.Open] holds the rule for all programs: everything below the home is reached through an
// [os.Root]. Links are followed only to project folders, the directories above them, and logs. In a folder
// behind a link only logs are read. A name that comes from elsewhere must be
// a single harmless path element (isElement, [Backup]). Links that stay inside are not followed
// either, because one session could pass off the files of another as its own. A link from one
// project folder to another is left out, because its target is read anyway. Nothing blocks: only
// regular files are opened, and without waiting. Outputs of background tasks are outside of the
// home; they are looked at and never opened. Everything comes sorted by name, byte by byte, or in
// the order in which entries name it, whatever the order on the disk.
//
// Errors. A home that cannot be opened, a directory or a log in one that cannot be read, and a damaged
// line are each a [*PlaceError]; the work goes on. A member that exists and cannot be read is a [Member] with an
// Err. isSkipped tells what was not opened on purpose.
//
// What it does not do. It writes nothing and knows nothing of the tree. File names are taken byte
// by byte; only a working directory is composed (NFC) before a folder is named after it.
package session
