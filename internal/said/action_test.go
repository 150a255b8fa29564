package said

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
)

// TestAction: what a tool does to the file that its input names.
func TestAction(t *testing.T) {
	for _, c := range []struct{ tool, input, want string }{
		{"Edit", `{"old_string":"a","new_string":"b"}`, "edit"},
		{"read_file", `{"oldText":""}`, "edit"},
		{"Write", `{"content":"a"}`, "write"},
		{"write_file", `{}`, "write"},
		{"editor", `{"command":"create","file_text":"a"}`, "write"},
		{"editor", `{"command":"write","file_text":"a"}`, "write"},
		{"editor", `{"command":"view","file_text":"a"}`, "read"},
		{"editor", `{"command":"view"}`, "read"},
		{"editor", `{"command":"read"}`, "read"},
		{"editor", `{"command":"insert"}`, "edit"},
		{"editor", `{"command":"append"}`, "edit"},
		{"editor", `{"command":"ls -l","content":"a"}`, "write"},
		{"insert_text", `{"content":"a"}`, "edit"},
		{"append_to", `{"content":"a"}`, "edit"},
		{"delete_file", `{}`, "delete"},
		{"remove", `{}`, "delete"},
		{"unlink", `{}`, "delete"},
		{"create", `{}`, "write"},
		{"replace", `{}`, "edit"},
		{"apply_patch", `{}`, "edit"},
		{"Read", `{}`, "read"},
		{"view", `{}`, "read"},
		{"open_file", `{}`, "read"},
		{"read_list", `{}`, ""},
		{"read_dir", `{}`, ""},
		{"viewls", `{}`, ""},
		{"multi", `{"edits":[]}`, "edit"},
		{"notebook", `{"cell_id":"c"}`, "edit"},
		{"think", `{}`, ""},
		{"tool", `{"command":"insert"}`, "edit"},
		{"tool", `{"command":"append"}`, "edit"},
		{"editor", `{"command":"str_replace","file_text":"a"}`, "edit"},
		{"insert_lines", `{}`, "edit"},
		{"append_to", `{}`, ""},
		{"edit_lines", `{}`, "edit"},
		{"notebook", `{"new_source":"c"}`, "edit"},
		{"notebook", `{"cell_number":1}`, "edit"},
		{"notebook", `{"cell_idx":1}`, "edit"},
		{"notebook", `{"cell_type":"code"}`, "edit"},
	} {
		require.Equal(t, c.want, action(letters(c.tool), entry.FieldsOf(entry.Value(c.input))), c.tool+c.input)
	}
	require.Equal(t, "azmultiedit", letters("az_MultiEdit2{`"))
}

// TestIsAbsolute: a path is absolute by the rules of any system.
func TestIsAbsolute(t *testing.T) {
	for name, want := range map[string]bool{
		"/a": true, "~/a": true, `C:\a`: true, "c:/a": true, "c:/": true, `\\host\a`: true, "a": false, "a/b": false, "a:": false, "": false, "ab:c": false,
	} {
		require.Equal(t, want, isAbsolute(name), name)
	}
}

// TestKeepText: all texts that are kept have no more than textsMost bytes, or are one.
func TestKeepText(t *testing.T) {
	text := func(n int) []byte { return []byte(strings.Repeat("x", n)) }
	r := Rows{state: &state{}}
	r.keepText("a", text(textsMost-10))
	r.keepText("b", text(10))
	require.Len(t, r.texts, 2, "all that may be kept")
	r.keepText("b", text(9))
	require.Equal(t, textsMost-1, r.textBytes)
	r.forget("a")
	require.Equal(t, 9, r.textBytes)
	r.forget("a")
	require.Equal(t, 9, r.textBytes)
	r.keepText("c", text(textsMost-9))
	require.Len(t, r.texts, 2)
	r.keepText("d", text(1))
	require.Equal(t, map[string][]byte{"d": text(1)}, r.texts, "one byte more than may be kept")
	require.Equal(t, 1, r.textBytes)
	r.keepText("e", text(textsMost+1))
	require.Len(t, r.texts, 1, "one text may be longer")
}
