package said

import "jl/internal/entry"

// Edited returns the text of a file after an edit of Claude Code: by what the result of the call tells, else by the
// input of the call. Before is the text that the file had, nil if it is not known. Edited reports false if the two do
// not tell.
func Edited(told, input entry.Value, before []byte) ([]byte, bool) {
	m := entry.FieldsOf(told)
	for _, whole := range []entry.Value{m.Get("content"), entry.FieldsOf(input).Get("content")} {
		if whole.IsString() {
			return whole.Text(), true
		}
	}
	for _, name := range []string{"originalFile", "originalFileContents"} {
		if text := m.Get(name); text.IsString() {
			before = append([]byte{}, text.Text()...)
		}
	}
	edits := [][3]entry.Value{{m.Get("oldString"), m.Get("newString"), m.Get("replaceAll")}}
	in := m
	if edits[0][1] == nil && m.Get("edits") == nil {
		in = entry.FieldsOf(input)
		edits[0] = [3]entry.Value{in.Get("old_string"), in.Get("new_string"), in.Get("replace_all")}
	}
	if list := in.Get("edits"); list != nil {
		edits = nil
		for e := range list.Elements() {
			edits = append(edits, [3]entry.Value{e.Member("old_string"), e.Member("new_string"), e.Member("replace_all")})
		}
	}
	after, ok := before, len(edits) > 0
	for _, e := range edits {
		now := edited(after, e[0], e[1], e[2])
		if !e[1].IsString() || after == nil || !e[0].IsEmpty() && string(now) == string(after) {
			return nil, false
		}
		if len(after) == 0 { // so an edit makes a file
			now = append([]byte{}, e[1].Text()...)
		}
		after = now
	}
	return after, ok
}
