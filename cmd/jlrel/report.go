package main

import (
	"cmp"

	"jl/internal/operand"
	"jl/internal/record"
	"jl/internal/session"
)

// reportOn prints one object for all that belongs to a session.
func (p *printer) reportOn(of session.Match) {
	row := record.Report{SessionID: record.Text(of.ID), FileHistory: []record.SizedFile{}, OutputFiles: []record.SizedFile{}}
	lists := map[string]*[]record.Raw{
		"agent": &row.AgentFiles, "agent-meta": &row.AgentMetaFiles, "todo": &row.TodoFiles,
		"tool-result": &row.ToolResultFiles, "task": &row.TaskFiles, "plan": &row.PlanFiles,
		"session-env": &row.SessionEnvFiles, "image": &row.ImageFiles, "paste": &row.PasteFiles,
		session.Other: &row.OtherFiles, "missing": &row.MissingFiles,
	}
	for _, list := range lists {
		*list = []record.Raw{}
	}
	logs, _ := of.LogsOf() // what is wrong with them is wrong with members, too
	p.eachMember(of, of.Home.AllMembers(of.ID), func(m *session.Member) {
		p.troubled(m)
		path := record.Text(m.Path())
		sized := record.SizedFile{File: path, Size: m.Bytes}
		list := cmp.Or(lists[m.Kind], &row.OtherFiles)
		switch {
		case m.Kind == session.Log && m.Name == logs[0].Name: // others are listed with what has no list of its own
			row.SessionFile = path
		case m.Missing:
			row.MissingFiles = append(row.MissingFiles, path)
		case m.Kind == "debug" && row.DebugFile == nil:
			row.DebugFile = path
		case m.Kind == "file-history":
			row.FileHistory = append(row.FileHistory, sized)
		case m.Kind == session.TaskOutput:
			row.OutputFiles = append(row.OutputFiles, sized)
		default:
			*list = append(*list, path)
		}
	})
	p.print(&row)
	for _, other := range logs[min(1, len(logs)):] {
		if !other.Silent {
			operand.Another(p.c, of.ID, other.Path(), logs[0].Path())
		}
	}
}
