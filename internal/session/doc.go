// Package session knows where Claude Code keeps the logs of its sessions and which
// files belong to which session.
//
// What it knows. The home is a directory, ~/.claude by default. Each project has a folder in it,
// projects/NAME, whose name [ProjectName] makes from the working directory. The name loses what
// it replaces, so it is never decoded: the cwd in the entries is the truth. A session is a file
// ID.jsonl in any project folder, compressed or not. Its members are found in two ways.
// [Home.Members] finds those whose names hold the id of the session:
//
//	projects/P/ID/**        sub-agents, their .meta.json, tool results, marks
//	projects/P/agent-*      sub-agents of the old layout: their sessionId names the session
//	D/ID, D/ID.*, D/*ID*    in any other directory D of the home: todos, tasks,
//	                        file-history, debug, session-env, image-cache, …
//
// [Home.AllMembers] also finds those that only entries name: plans, pastes, outputs of
// background tasks, and files that are missing. [Home.Owners] goes the other way, from a
// file to its session, and [Home.List] describes the sessions.
//
// What it promises. Nothing that a log or the name of a file says leads out of the home.
// [Home.Open] holds the rule for all programs: everything below the home is reached through an
// [os.Root], no link is followed, wherever it leads, and a name that comes from elsewhere must be
// a single harmless path element ([IsElement], [Backup]). Links that stay inside are not followed
// either, because one session could pass off the files of another as its own; but a link from one
// project folder to another hides nothing. Nothing blocks: only regular files are opened, and
// without waiting. Outputs of background tasks are outside of the home; they are looked at and
// never opened. Everything comes sorted by name, byte by byte, or in the order in which entries
// name it, whatever the order on the disk.
//
// Errors. Iterators yield an error as their second value and go on. A directory or a log of the
// home that cannot be read, or a damaged line, is a [*PlaceError]. A member that exists and
// cannot be read is a [Member] with an Err. [IsSkipped] tells what was not opened on purpose.
//
// What it does not do. It writes nothing and knows nothing of the tree. The home itself may be a
// link; a link inside it is a member that cannot be read. File names are taken byte by byte;
// only a working directory is composed (NFC) before a folder is named after it.
package session
