// Package session knows where the logs of Claude Code live and which files belong
// to which session.
//
// What it knows. The home is a directory, ~/.claude by default. In it every project
// has a folder, projects/NAME, whose name is made from the working directory by
// [ProjectName]. The encoding loses what it replaces, so a name is never decoded:
// the cwd in the records is the truth. A session is a file ID.jsonl in any project
// folder, compressed or not, and what belongs to it, its members, is found by name:
//
//	projects/P/ID/**        sub-agents, their .meta.json, tool results, marks
//	projects/P/agent-*      sub-agents of the old layout: the sessionId in them says whose
//	D/ID, D/ID.*, D/*ID*    in any other directory D of the home: todos, tasks,
//	                        file-history, debug, session-env, image-cache, …
//
// Members that only entries name (plans, pastes, files that are gone) are the
// business of whoever reads the entries; [Home.Stat] looks at one.
//
// What it promises. Nothing that a log or the name of a file says leads out of the
// home. One rule does for all programs, that of [Home.Open]: everything below the home
// is reached through an [os.Root], no link is followed, wherever it leads, and a
// name that comes from elsewhere must be a single harmless path element ([IsElement],
// [Backup]). A link that stays inside is not followed either: one session could pass
// off the files of another as its own. Nothing blocks: only regular files are opened,
// and those without waiting. Whatever is found comes sorted by name, byte by byte, so
// the order of a directory on the disk does not show.
//
// What it does not do. It writes nothing, reads no transcript further than the
// beginning of an agent file of the old layout, and knows nothing of the tree. The
// home itself may be a link; a link inside it is reported as a member that cannot be
// read. File names are taken as they are, byte by byte; only a working directory is
// composed ([Compose]) before a folder is named after it.
package session
