package says

import (
	"bytes"

	"jl/internal/dialect"
	"jl/internal/entry"
)

// A Session is what one entry tells about its session. What it does not tell is nil.
type Session struct {
	ID         entry.Value
	Cwd        entry.Value  // the working directory
	Origin     entry.Value  // the working directory that Cwd is a worktree of
	Branch     entry.Value  // of git
	Title      entry.Value  // which the user or the program gave it; empty if it takes the last one back
	Rank       dialect.Rank // of the title
	Model      entry.Value
	Entrypoint entry.Value // how the session was begun
	Created    entry.Value // a time, if the entry has it in a member of its own
	Changed    entry.Value // a time
	Parent     entry.Value // the id, or the log, of the session that it was forked from, or whose sub-agent it is
	IsAgent    bool        // it is a sub-agent of the parent
	Base       entry.Value // the id of the session in whose log its beginning is, if it has no copy of that
	Above      entry.Value // the number of the first entry of that log that is not its own
	Before     entry.Value // the id at the end of the name of that log: of a session, or of a revert
}

// SessionOf returns the id of the session that e, an entry of Claude Code's or Qwen Code's, names, nil
// if it names none. Captured streams spell the key in another way, and may begin with entries about
// hooks, which name the session that the hooks ran in first.
func SessionOf(e *entry.Entry) entry.Value {
	if id := e.Get(entry.SessionID); id.IsString() {
		return id.NonEmpty()
	}
	if bytes.HasPrefix(e.Get(entry.Subtype).Text(), []byte("hook_")) {
		return nil
	}
	return e.Member("session_id").NonEmpty()
}
