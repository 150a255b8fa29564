package dialect

import (
	"slices"

	"jl/internal/entry"
)

// AddReport adds what Report says; the tokens only if the log of Agent is there, which says the rest.
func (t *Telling) AddReport(hasLog bool) {
	var e entry.Entry
	byUser := t.Report.Member("type").Is("user")
	if byUser && hasLog || !e.Scan(t.Report) {
		return
	}
	agent := t.Agent
	if byUser {
		t.user(&e, &marks{meta: e.Get(entry.IsMeta).Truthy()}, false, e.Member("toolUseResult"))
	} else if e.Get(entry.Type).Is("assistant") {
		t.answer(&e, e.Member("isApiErrorMessage").Truthy(), nil, nil)
	}
	if hasLog {
		t.Things = slices.DeleteFunc(t.Things, func(x Thing) bool { return x.Is != Usage })
	}
	t.Agent = agent
	for i := range t.Things {
		t.Things[i].Of, t.Things[i].Time = e.Get(entry.UUID), e.Get(entry.Timestamp)
	}
}
