package dialect

import (
	"bytes"
	"slices"

	"jl/internal/entry"
)

// A Session is what one entry tells about its session. What it does not tell is nil.
type Session struct {
	ID         entry.Value
	Cwd        entry.Value // the working directory
	Origin     entry.Value // the working directory that Cwd is a worktree of
	Branch     entry.Value // of git
	Title      entry.Value // which the user or the program gave it; empty if it takes the last one back
	Rank       Rank        // of the title
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

// A told says what the entries of a program tell about their session.
type told struct {
	words   []string // the text of an entry that tells anything has one of them; a rare first byte makes the search fast
	session func(*entry.Entry) Session
}

// Tells reports whether text, a line of a log, may tell something about its session. It is much
// faster than to scan the line.
func (d Dialect) Tells(text []byte) bool {
	return slices.ContainsFunc(dialects[d].told.words, func(word string) bool { return bytes.Contains(text, []byte(word)) })
}

// Session returns what e tells about its session. Of a log that begins with a copy of another one, as
// a fork of Codex does, the first entry that tells an id counts.
func (d Dialect) Session(e *entry.Entry) Session {
	if dialects[d].told.session == nil {
		return Session{}
	}
	s := dialects[d].told.session(e)
	if title, rank := d.Title(e); title.IsString() && rank > BySummary {
		s.Title, s.Rank = title, rank
	}
	return s
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

var (
	claudeTold = told{[]string{`"sessionId"`, `"session_id"`, `"cwd"`, `Cwd"`, `itle"`}, func(e *entry.Entry) Session {
		s := Session{
			ID: SessionOf(e), Cwd: e.Member("cwd").NonEmpty(), Branch: e.Member("gitBranch").NonEmpty(),
			Model: e.Member("model").NonEmpty(), Parent: e.Member("parentSessionId").NonEmpty(),
		}
		switch {
		case e.Get(entry.Type).Is("relocated"):
			s.Cwd = e.Member("relocatedCwd").NonEmpty()
		case e.Get(entry.Type).Is("worktree-state"):
			at := e.Member("worktreeSession")
			s.Cwd, s.Origin = at.Member("worktreePath").NonEmpty(), at.Member("originalCwd").NonEmpty()
		}
		return s
	}}
	codexTold = told{[]string{`_meta"`, `_context`}, func(e *entry.Entry) Session {
		if IsOldCodex(e) {
			return Session{ID: e.Get(entry.ID), Branch: e.Member("git").Member("branch").NonEmpty()}
		}
		if e.Get(entry.Type).Is("message") {
			return Session{Cwd: oldCodexCwd(e)}
		}
		isMeta := e.Get(entry.Type).Is("session_meta")
		if !isMeta && !e.Get(entry.Type).Is("turn_context") {
			return Session{}
		}
		p := entry.FieldsOf(e.Member("payload")) // in one pass, because the instructions for the model are long
		s := Session{Cwd: p.Get("cwd").NonEmpty()}
		if !isMeta {
			s.Model = p.Get("model").NonEmpty()
			return s
		}
		s.ID, s.Branch, s.Entrypoint = p.Get("id").NonEmpty(), p.Get("git").Member("branch").NonEmpty(), p.Get("source").NonEmpty()
		s.Base, s.Above = p.Get("history_base").Member("thread_id"), p.Get("history_base").Member("end_ordinal_exclusive")
		s.Before = s.Base
		// It may be the id of a revert, which only the name of a log has.
		forked := p.Get("forked_from_id").NonEmpty()
		from, isFork := p.Get("forked_from_ordinal_exclusive").Int()
		if end, ok := s.Above.Int(); ok && isFork && end <= from {
			s.Base = forked
		} else if ok && (isFork || forked == nil) {
			s.Base = s.ID
		}
		sub := p.Get("source").Member("subagent")
		for _, v := range []entry.Value{p.Get("parent_thread_id"), sub.Member("thread_spawn").Member("parent_thread_id"), forked} {
			if s.Parent == nil {
				s.Parent = v.NonEmpty()
			}
		}
		s.IsAgent = (sub != nil || p.Get("thread_source").Is("subagent")) && s.Parent != nil
		return s
	}}
	geminiTold = told{[]string{`Id"`, `$set"`, `"model"`}, func(e *entry.Entry) Session {
		if isGeminiHeader(e) {
			s := Session{ID: e.Get(entry.SessionID).NonEmpty(), Created: e.Member("startTime"), Changed: e.Member("lastUpdated")}
			for dir := range e.Member("directories").Elements() {
				s.Cwd = dir.NonEmpty()
				break
			}
			return s
		}
		set := e.Member("$set")
		return Session{Changed: set.Member("lastUpdated").NonEmpty(), Model: e.Member("model").NonEmpty()}
	}}
	copilotTold = told{[]string{`.start"`, `.resume"`, `Model"`, `.message"`, `title_changed"`}, func(e *entry.Entry) Session {
		data := e.Member("data")
		s := Session{Model: data.Member("newModel").NonEmpty()}
		switch t := e.Get(entry.Type); {
		case t.Is("assistant.message"):
			s.Model = data.Member("model").NonEmpty()
		case t.Is("session.start"), t.Is("session.resume"):
			at := data.Member("context")
			s.ID, s.Cwd, s.Branch = data.Member("sessionId").NonEmpty(), at.Member("cwd").NonEmpty(), at.Member("branch").NonEmpty()
			s.Model = data.Member("selectedModel").NonEmpty()
		}
		return s
	}}
	deepSeekTold = told{[]string{`At"`, `/title"`}, func(e *entry.Entry) Session {
		if !isDeepSeekHeader(e) {
			return Session{}
		}
		return Session{
			ID: e.Get(entry.ID).NonEmpty(), Cwd: e.Member("cwd").NonEmpty(), Created: e.Member("createdAt"),
			Parent: e.Member("parentSession").NonEmpty(), IsAgent: e.Member("origin").Is("subagent"),
		}
	}}
	grokTold = told{[]string{`"sessionId"`}, func(e *entry.Entry) Session {
		return Session{ID: e.Member("params").Member("sessionId").NonEmpty()}
	}}
	// anyTold is what the entries of programs tell that have no row of their own: Droid and Kimi Code.
	anyTold = told{[]string{`"session_start"`, `"config.update"`, `"usage.record"`}, func(e *entry.Entry) Session {
		switch typ := e.Get(entry.Type); {
		case typ.Is("session_start") && isDroid(e, typ):
			return Session{ID: e.Get(entry.ID).NonEmpty(), Cwd: e.Member("cwd").NonEmpty()}
		case typ.Is("config.update"):
			return Session{Cwd: e.Member("cwd").NonEmpty()}
		case typ.Is("usage.record"):
			return Session{Model: e.Member("model").NonEmpty()}
		}
		return Session{}
	}}
	piTold = told{[]string{`"session"`, `_info"`, `_change"`, `"model"`}, func(e *entry.Entry) Session {
		switch t := e.Get(entry.Type); {
		case isPiHeader(e):
			parent := e.Member("parentSession").NonEmpty()
			if parent == nil {
				parent = e.Member("branchedFrom").NonEmpty() // in version 1
			}
			return Session{ID: e.Get(entry.ID).NonEmpty(), Cwd: e.Member("cwd").NonEmpty(), Parent: parent}
		case t.Is("model_change"):
			return Session{Model: e.Member("modelId").NonEmpty()}
		}
		return Session{Model: e.Get(entry.Message).Member("model").NonEmpty()}
	}}
)
