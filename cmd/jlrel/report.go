package main

import (
	"cmp"

	"jl/internal/cli"
	"jl/internal/operand"
	"jl/internal/session"
)

// A list in the report, and the kinds of members that it holds.
type reported struct {
	key   string
	sized bool
	kinds []string
}

// lists are the lists of the report in their order. The last takes what no other
// does.
var lists = []reported{
	{"agent_files", false, []string{session.Agent}},
	{"todo_files", false, []string{session.Todo}},
	{"file_history", true, []string{session.FileHistory}},
	{"agent_meta_files", false, []string{session.AgentMeta}},
	{"tool_result_files", false, []string{session.ToolResult}},
	{"task_files", false, []string{session.Task}},
	{"plan_files", false, []string{session.Plan}},
	{"session_env_files", false, []string{session.SessionEnv}},
	{"image_files", false, []string{session.Image}},
	{"paste_files", false, []string{session.Paste}},
	{"output_files", true, []string{taskOutput}},
	{"other_files", false, nil},
	{"missing_files", false, nil},
}

// reports prints one object for each session.
func reports(c *cli.Command, h *session.Home, f flags) error {
	n := namer{c: c, h: h, home: h.Path("."), each: func(id string) error {
		r := reporter{c: c, h: h, lists: make([]row, len(lists))}
		if err := collect(c, h, id, r.add); err != nil {
			return err
		}
		return r.print(id)
	}}
	return n.all(operand.Names(f.Names))
}

// A reporter gathers the members of one session.
type reporter struct {
	c     *cli.Command
	h     *session.Home
	log   *session.Member // the one that counts, nil if there is none
	more  []string        // the paths of other logs
	debug string
	lists []row
}

// counts reports whether of two logs of a session a counts rather than b: the one that
// can be read, the newer, the larger.
func counts(a, b *session.Member) bool {
	if (a.Err == nil) != (b.Err == nil) {
		return a.Err == nil
	}
	return cmp.Or(a.Time.Compare(b.Time), cmp.Compare(a.Bytes, b.Bytes)) > 0
}

func (r *reporter) add(m *member) error {
	sayTrouble(r.c, r.h, m)
	if m.Kind == session.Log {
		log := m.Member
		if r.log == nil {
			r.log = &log
			return nil
		}
		if counts(&log, r.log) {
			*r.log, log = log, *r.log
		}
		m = &member{Member: log} // it is listed with what has no list of its own
		r.more = append(r.more, m.path(r.h))
	}
	path := m.path(r.h)
	if m.Kind == session.Debug && r.debug == "" && !m.Missing {
		r.debug = path
		return nil
	}
	at := listOf(m)
	list := &r.lists[at]
	if len(list.b) > 0 {
		list.b = append(list.b, ',')
	}
	if !lists[at].sized {
		list.b = appendText(list.b, path)
		return nil
	}
	var item row
	item.reset()
	item.str("file", path)
	item.num("size", m.Bytes)
	list.b = append(append(list.b, item.b...), '}')
	return nil
}

// listOf returns which list a member goes to.
func listOf(m *member) int {
	missing := len(lists) - 1
	if m.Missing {
		return missing
	}
	for i, l := range lists {
		for _, kind := range l.kinds {
			if kind == m.Kind {
				return i
			}
		}
	}
	return missing - 1
}

func (r *reporter) print(id string) error {
	var out row
	out.reset()
	out.str("session_id", id)
	log := ""
	if r.log != nil {
		log = r.h.Path(r.log.Name)
	}
	out.text("session_file", log)
	for i, l := range lists {
		if l.key == "agent_meta_files" { // the keys before it are those of old
			out.text("debug_file", r.debug)
		}
		out.key(l.key)
		out.b = append(append(append(out.b, '['), r.lists[i].b...), ']')
	}
	if err := out.print(r.c); err != nil {
		return err
	}
	for _, other := range r.more {
		r.c.Note(other, "another log of session %q", id)
	}
	return nil
}
