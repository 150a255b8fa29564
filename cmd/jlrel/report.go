package main

import (
	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/record"
	"jl/internal/session"
)

// A reporter gathers the members of one session.
type reporter struct {
	*printer
	log  *session.Member // the log that counts, nil if there is none
	more []string        // the paths of the session's other logs
	row  record.Report
}

// reportOn prints one object for all that belongs to a session.
func (p *printer) reportOn(id string) {
	none := func() []record.Raw { return []record.Raw{} }
	r := reporter{printer: p, row: record.Report{
		SessionID:  record.Text(id),
		AgentFiles: none(), TodoFiles: none(), FileHistory: []record.SizedFile{}, AgentMetaFiles: none(),
		ToolResultFiles: none(), TaskFiles: none(), PlanFiles: none(), SessionEnvFiles: none(), ImageFiles: none(),
		PasteFiles: none(), OutputFiles: []record.SizedFile{}, OtherFiles: none(), MissingFiles: none(),
	}}
	p.eachMember(id, r.add)
	if r.log != nil {
		r.row.SessionFile = record.Text(p.h.PathOf(r.log))
	}
	p.print(&r.row)
	for _, log := range r.more {
		p.c.Note(cli.File(log), "another log of session %s", entry.Quote(id))
	}
}

func (r *reporter) add(m *session.Member) {
	r.troubled(m)
	if m.Kind == session.Log {
		log := *m
		if r.log == nil {
			r.log = &log
			return
		}
		if m.Outranks(r.log) {
			m, r.log = r.log, &log
		}
		r.more = append(r.more, r.h.PathOf(m)) // and it is listed with what has no list of its own
	}
	path := record.Text(r.h.PathOf(m))
	switch {
	case m.Missing:
		r.row.MissingFiles = append(r.row.MissingFiles, path)
	case m.Kind == session.Debug && r.row.DebugFile == nil:
		r.row.DebugFile = path
	case m.Kind == session.FileHistory:
		r.row.FileHistory = append(r.row.FileHistory, record.SizedFile{File: path, Size: m.Bytes})
	case m.Kind == session.TaskOutput:
		r.row.OutputFiles = append(r.row.OutputFiles, record.SizedFile{File: path, Size: m.Bytes})
	default:
		list := r.listOf(m.Kind)
		*list = append(*list, path)
	}
}

// listOf returns the list for the paths of members of a kind.
func (r *reporter) listOf(kind string) *[]record.Raw {
	switch kind {
	case session.Agent:
		return &r.row.AgentFiles
	case session.AgentMeta:
		return &r.row.AgentMetaFiles
	case session.Todo:
		return &r.row.TodoFiles
	case session.ToolResult:
		return &r.row.ToolResultFiles
	case session.Task:
		return &r.row.TaskFiles
	case session.Plan:
		return &r.row.PlanFiles
	case session.SessionEnv:
		return &r.row.SessionEnvFiles
	case session.Image:
		return &r.row.ImageFiles
	case session.Paste:
		return &r.row.PasteFiles
	}
	return &r.row.OtherFiles
}
