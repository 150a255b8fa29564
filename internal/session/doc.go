// Package session knows where agents keep the logs of their sessions, and which files belong to which session.
//
// # What it knows
//
// The table of agents, in agents.go, holds all that differs from agent to agent. It says where the home is, which
// variable moves it, and what the names of the files in it mean. It also says in which directories the files are that
// only entries name: the plans, pastes and images of Claude Code. A new agent is a row in it; a fork of an agent is a
// name, a home and the name of the row that it is like. The code in recorded.go, owner.go and history.go reads the
// entries that name such files, for agents whose rows have such directories.
//
// Package says knows what the entries of a log tell: its working directory, title, model and parent.
//
// # How it works
//
// A home is two tables. One has a row for each name in the directories with logs, the other for each name in the other
// directories. [Home.Members], [Home.Owners] and the others are loops over these rows. Home.rowOf makes a row, and
// reads off its name what the name tells. Where a name tells too little, Home.tell reads the beginning of the log, and
// Home.owner says whose a row is. The directory of a session is listed only when its members are asked for.
//
// A folder of Claude Code is projects/NAME. projectName makes the name from the working directory. The name loses what
// it replaces, so no code decodes it: the cwd in the entries is the truth. A session is a file ID.jsonl in any folder,
// compressed or not.
//
// [Home.Members] finds the members whose names hold the id of the session, and the sub-agents beside its log that name
// it. [Home.AllMembers] also finds those that only entries name: plans, pastes, outputs of background tasks, what a
// fork left with its origin, and files that are missing. [Homes.Owners] goes from a file to its session. [Homes.List]
// describes the sessions.
//
// # What it promises
//
// Nothing that a log or the name of a file says leads out of the home. [Home.Open] opens everything below the home
// through an [os.Root]. A name that comes from an entry is a single element of a path, or it is left out.
//
// It follows links only to project folders, to the directories above them, and to logs. Behind such a link it reads
// nothing but logs. It does not follow a link that stays inside the home either, because one session could pass off the
// files of another as its own. It leaves out a link from one project folder to another, because it reads the target
// anyway.
//
// It opens only regular files, and never waits for one. It looks at the outputs of background tasks, which are outside
// of the home, and never opens them.
//
// Everything comes sorted by name, byte by byte, or in the order in which entries name it, whatever the order on the
// disk.
//
// # Errors
//
// A [*PlaceError] tells of a home that cannot be opened, of a directory or a log that cannot be read, or of a damaged
// line. The work goes on. A member that exists and cannot be read is a [Member] with an Err. isSkipped tells what was
// left closed on purpose.
//
// # What it does not do
//
// It writes nothing, and knows nothing of the tree in a log. It takes names of files byte by byte. It composes (NFC)
// only a working directory, before it names a folder after it.
package session
