package said

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
)

func TestEdited(t *testing.T) {
	const none = "?" // the text is not known
	for name, tt := range map[string]struct{ told, input, before, want string }{
		"made":                        {`{"type":"create","content":"a\n","originalFile":null}`, `{}`, none, "a\n"},
		"written anew":                {`{"type":"update","content":"","originalFile":"b"}`, `{}`, "b", ""},
		"with its original":           {`{"originalFile":"a b a","oldString":"a","newString":"c","replaceAll":false}`, `{}`, none, "c b a"},
		"everywhere":                  {`{"originalFile":"a b a","oldString":"a","newString":"c","replaceAll":true}`, `{}`, none, "c b c"},
		"a line removed":              {`{"originalFile":"a\nb\n","oldString":"a","newString":""}`, `{}`, none, "b\n"},
		"by an edit made":             {`{"originalFile":"","oldString":"","newString":"x"}`, `{}`, none, "x"},
		"of what was there":           {`{"originalFile":null,"oldString":"a","newString":"c"}`, `{}`, "a b", "c b"},
		"of what is not known":        {`{"originalFile":null,"oldString":"a","newString":"c"}`, `{}`, none, none},
		"of what is not there":        {`{"originalFile":null,"oldString":"x","newString":"c"}`, `{}`, "a b", none},
		"several":                     {`{"originalFileContents":"a b","edits":[{"old_string":"a","new_string":"c"},{"old_string":"c b","new_string":"d"}]}`, `{}`, none, "d"},
		"the input alone, whole":      {`null`, `{"file_path":"f","content":"a"}`, none, "a"},
		"the input alone, a part":     {`"ok"`, `{"file_path":"f","old_string":"a","new_string":"b"}`, "a a", "b a"},
		"the input alone, edits":      {``, `{"file_path":"f","edits":[{"old_string":"a","new_string":"b","replace_all":true}]}`, "a a", "b b"},
		"neither tells":               {`{"filePath":"f"}`, `{"file_path":"f","insert_line":3}`, "a", none},
		"a line removed, of two":      {`{"originalFile":"a\n\nb\n","oldString":"a\n","newString":""}`, `{}`, none, "\nb\n"},
		"the last line removed":       {`{"originalFile":"b\na","oldString":"a","newString":""}`, `{}`, none, "b\n"},
		"a line changed":              {`{"originalFile":"a\nb\n","oldString":"a","newString":"c"}`, `{}`, none, "c\nb\n"},
		"the input everywhere":        {`{}`, `{"file_path":"f","old_string":"a","new_string":"b","replace_all":true}`, "a a", "b b"},
		"the input, made":             {`{}`, `{"file_path":"f","old_string":"","new_string":"x"}`, "", "x"},
		"nothing to find":             {`{"originalFile":"y","oldString":"","newString":"x"}`, `{}`, none, "y"},
		"half of it told":             {`{"oldString":"a"}`, `{"old_string":"a","new_string":"b"}`, "a", "b"},
		"nothing put in":              {`{"originalFile":"y","oldString":"y"}`, `{"old_string":"y"}`, none, none},
		"a file that is emptied":      {`{"originalFile":"y","oldString":"y","newString":""}`, `{}`, none, ""},
		"made by an edit, none there": {`{"oldString":"","newString":"x"}`, `{}`, none, none},
		"an empty list":               {`{"originalFile":"a","edits":[]}`, `{}`, none, none},
	} {
		var before []byte
		if tt.before != none {
			before = append([]byte{}, tt.before...)
		}
		got, ok := Edited(entry.Value(tt.told), entry.Value(tt.input), before)
		require.Equal(t, tt.want != none, ok, name)
		if ok {
			require.Equal(t, tt.want, string(got), name)
		}
	}
}
