package said

import (
	"bytes"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/says"
)

// Keys finds the keys of what the entries of a log say: its prompts, answers, calls and results. A copy that keeps the
// times has the same keys, whatever ids its entries have.
type Keys struct {
	rows  *Rows
	found []string
}

// NewKeys returns a Keys for the entries of one log.
func NewKeys() *Keys {
	k := new(Keys)
	k.rows = New(1<<says.Prompt|1<<says.Answer|1<<says.Call|1<<says.Result, true, func(row []byte) {
		const end = `"}`
		if bytes.Contains(row, []byte(`,"timestamp":null`)) { // its key is of its place
			return
		}
		k.found = append(k.found, string(row[len(row)-len(end)-keyLen:len(row)-len(end)]))
	})
	return k
}

// Of returns the keys of what the next entry says, which is in the dialect d. They are valid until the next call.
func (k *Keys) Of(e *entry.Entry, d dialect.Dialect) []string {
	k.found = k.found[:0]
	k.rows.Entry(e, d)
	return k.found
}
