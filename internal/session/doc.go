// Package session knows where Claude Code keeps the logs of its sessions and which files belong to
// which session.
//
// What it knows. The home is a directory, ~/.claude by default. Each project has a folder in it,
// projects/NAME, whose name projectName makes from the working directory. The name loses what
// it replaces, so it is never decoded: the cwd in the entries is the truth. A session is a file
// ID.jsonl in any project folder, compressed or not. [Home.Members] finds the members whose names
// hold the id of the session, and those agents of the old layout that name it; a table of patterns
// tells their kinds. [Home.AllMembers] also finds those that only entries name: plans, pastes,
// outputs of background tasks, and files that are missing. [Home.Owners] goes the other way, from a
// file to its session, and [Home.List] describes the sessions.
//
// Where things are. layout.go has the kinds of members and the table, name.go what else names tell.
// home.go opens what is in a home, projects.go reads its directories, once, and log.go and ends.go
// read logs. find.go finds sessions by their ids, owner.go by their files. members.go and
// recorded.go are the scan for members. list.go makes the rows of a list, from what title.go and
// text.go find in the ends of logs.
//
// What it promises. Nothing that a log or the name of a file says leads out of the home.
// [Home.Open] holds the rule for all programs: everything below the home is reached through an
// [os.Root], no link is followed, wherever it leads, and a name that comes from elsewhere must be
// a single harmless path element ([IsElement], [Backup]). Links that stay inside are not followed
// either, because one session could pass off the files of another as its own. A link from one
// project folder to another is left out, because its target is read anyway. Nothing blocks: only
// regular files are opened, and without waiting. Outputs of background tasks are outside of the
// home; they are looked at and never opened. Everything comes sorted by name, byte by byte, or in
// the order in which entries name it, whatever the order on the disk.
//
// Errors. A directory or a log of the home that cannot be read, or a damaged line, is a
// [*PlaceError]; the work goes on. A member that exists and cannot be read is a [Member] with an
// Err. [IsSkipped] tells what was not opened on purpose.
//
// What it does not do. It writes nothing and knows nothing of the tree. File names are taken byte
// by byte; only a working directory is composed (NFC) before a folder is named after it.
package session
