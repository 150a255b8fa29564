package said

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
)

// TestFits: hunks are whole if they have as many lines as their heads say.
func TestFits(t *testing.T) {
	for hunks, want := range map[string]bool{
		"":                                           true,
		"@@ -1,2 +1,2 @@\n a\n-b\n+c\n":              true,
		"@@ -1,2 +1,2 @@\n a\n-b\n":                  false,
		"@@ -1,2 +1,2 @@\n a\n+c\n":                  false,
		"@@ -1,1 +1,1 @@\n a\n b\n":                  false,
		"@@ -1,1 +1,1 @@\n a\n-b\n":                  false,
		"@@ -1,1 +1,1 @@\n a\n+b\n":                  false,
		"@@ -1,1 +0,0 @@\n a\n":                      false,
		"@@ -0,0 +1,1 @@\n a\n":                      false,
		"@@ -1,1 +1,1 @@\n a\n@@ -5,1 +5,0 @@\n-b\n": true,
		"@@ -1,1 +1,1 @@\n@@ -5,1 +5,0 @@\n-b\n":     false,
		"@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n": true,
		"@@ -1,1 +1,1 @@\n*a\n":                  false,
		"@@ -1 +1 @@\n-a\n+b\n":                  true,
		"@@ -1,x +1 @@\n-a\n+b\n":                false,
		"a\n":                                    false,
		"@@ -1,1 +0,0 @@\n@@ -5,1 +5,0 @@\n-b\n": false,
		"@@ -0,0 +1,1 @@\n@@ -5,1 +5,0 @@\n-b\n": false,
		"@@ -1,x +1 @@\n+b\n":                    false,
		"@@ -1,x +1,1 @@\n+b\n":                  false,
		"@@ -1,-1 +1 @@\n+b\n":                   false,
		"@@ -1 +1 x\n-a\n+b\n":                   false,
		"@@ -1 +1\n-a\n+b\n":                     false,
		"@@ -1\n":                                false,
	} {
		require.Equal(t, want, fits([]byte(hunks)), hunks)
	}
}

// TestHunksIn: hunks begin at the first line that is the header of one.
func TestHunksIn(t *testing.T) {
	for diff, want := range map[string]string{
		"":                                    "",
		"a\n":                                 "",
		"@@ -1 +1 @@\n-a\n+b":                 "@@ -1 +1 @@\n-a\n+b\n",
		"--- a\n+++ b\n@@ -1 +1 @@\n-a\n\n\n": "@@ -1 +1 @@\n-a\n",
		"x@@ -1 +1 @@\n-a\n":                  "",
	} {
		require.Equal(t, want, string(hunksIn([]byte(diff))), diff)
	}
}

// TestLineDiff: a change has three lines around it, if they are there.
func TestLineDiff(t *testing.T) {
	for _, c := range []struct{ before, after, want string }{
		{"a\n", "a\n", ""},
		{"", "a\n", "@@ -0,0 +1,1 @@\n+a\n"},
		{"a\n", "", "@@ -1,1 +0,0 @@\n-a\n"},
		{"a\nb\n", "a\nc\n", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"},
		{"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n", "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n"},
		{"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\n6\n7\n8\n9\n", "@@ -2,7 +2,6 @@\n 2\n 3\n 4\n-5\n 6\n 7\n 8\n"},
		{"a\nb", "a\nc", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n"},
		{"x\nb", "y\nb", "@@ -1,2 +1,2 @@\n-x\n+y\n b\n\\ No newline at end of file\n"},
		{"ab\nc\n", "b\nc\n", "@@ -1,2 +1,2 @@\n-ab\n+b\n c\n"},
		{"a\n\nb\nc\nd\n", "x\n\nb\nc\nd\n", "@@ -1,4 +1,4 @@\n-a\n+x\n \n b\n c\n"},
		{"x\n\ny\n", "x\n\nz\n", "@@ -1,3 +1,3 @@\n x\n \n-y\n+z\n"},
		{"1\nb\n", "1\nab\n", "@@ -1,2 +1,2 @@\n 1\n-b\n+ab\n"},
		{"x\nab", "x\ncb", "@@ -1,2 +1,2 @@\n x\n-ab\n\\ No newline at end of file\n+cb\n\\ No newline at end of file\n"},
		{"\na\n", "\nb\n", "@@ -1,2 +1,2 @@\n \n-a\n+b\n"},
		{"a\nb\n", "", "@@ -1,2 +0,0 @@\n-a\n-b\n"},
	} {
		require.Equal(t, c.want, string(lineDiff(nil, []byte(c.before), []byte(c.after))), "%q, %q", c.before, c.after)
	}
	require.Equal(t, "@@ -8,2 +9,2 @@\n a\n-b\n+c\n", string(partDiff(nil, 8, 9, []byte("a\nb\n"), []byte("a\nc\n"))))
}

// TestUnsplit: the piece behind the last line break is no line.
func TestUnsplit(t *testing.T) {
	for _, c := range []struct{ name, hunks, want string }{
		{"three pieces behind", "@@ -1,4 +1,4 @@\n-a\n+b\n c\n d\n e\n", "@@ -1,3 +1,3 @@\n-a\n+b\n c\n d\n"},
		{"two pieces, the last one empty", "@@ -1,3 +1,3 @@\n-a\n+b\n c\n \n", "@@ -1,2 +1,2 @@\n-a\n+b\n c\n"},
		{"two pieces, the last one a line without an end", "@@ -1,3 +1,3 @@\n-a\n+b\n c\n d\n", "@@ -1,3 +1,3 @@\n-a\n+b\n c\n d\n\\ No newline at end of file\n"},
		{"a text that is gone", "@@ -1,2 +1,1 @@\n-a\n \n", "@@ -1,1 +0,0 @@\n-a\n"},
		{"a new text", "@@ -1,1 +1,2 @@\n+a\n \n", "@@ -0,0 +1,1 @@\n+a\n"},
		{"a line break at the end", "@@ -1,1 +1,2 @@\n a\n+\n", "@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n"},
		{"the last of two", "@@ -1,1 +1,1 @@\n-a\n+b\n@@ -9,2 +9,2 @@\n-c\n+d\n \n", "@@ -1,1 +1,1 @@\n-a\n+b\n@@ -9,1 +9,1 @@\n-c\n+d\n"},
		{"an empty line without a mark", "@@ -1,5 +1,5 @@\n-a\n+b\n\n\n c\n \n", "@@ -1,4 +1,4 @@\n-a\n+b\n \n \n c\n"},
		{"no header", "a\n", ""},
		{"a header without the first number", "@@ -x,1 +1,1 @@\n-a\n", ""},
		{"lines in the middle of a text", "@@ -5,1 +5,2 @@\n+a\n \n", "@@ -4,0 +5,1 @@\n+a\n"},
		{"the last lines of a text are gone", "@@ -5,2 +5,1 @@\n-a\n \n", "@@ -5,1 +4,0 @@\n-a\n"},
		{"a new text, that begins at no line", "@@ -0,1 +1,2 @@\n+a\n \n", "@@ -0,0 +1,1 @@\n+a\n"},
		{"a text that is gone, to no line", "@@ -1,2 +0,1 @@\n-a\n \n", "@@ -1,1 +0,0 @@\n-a\n"},
		{"half a header", "@@ -1,1\n-a\n", ""},
		{"a header without a number", "@@ -1,1 +x @@\n-a\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, string(unsplit([]byte(c.hunks))))
		})
	}
}

// TestPlace: lines of a patch without a place become hunks that git finds by their lines.
func TestPlace(t *testing.T) {
	for _, c := range []struct{ name, action, lines, want string }{
		{"a deleted file", "delete", "-a\n", ""},
		{"a written file", "write", "+a\n+b\n", "@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"an edit", "edit", "@@\n a\n-b\n+c\n d\n", "@@ -2,3 +2,3 @@\n a\n-b\n+c\n d\n"},
		{"two edits", "edit", "@@\n a\n-b\n d\n@@\n e\n+f\n g\n", "@@ -2,3 +2,2 @@\n a\n-b\n d\n@@ -2,2 +2,3 @@\n e\n+f\n g\n"},
		{"one without a line below", "edit", "@@\n a\n-b\n+c\n", ""},
		{"one without a line below, at the end of the file", "edit", "@@\n a\n-b\n+c\n*** End of File\n", "@@ -2,2 +2,2 @@\n a\n-b\n+c\n"},
		{"one without a line that was", "edit", "@@\n+c\n", ""},
		{"one that cannot be placed before one that can", "edit", "@@\n-a\n@@\n e\n+f\n g\n", ""},
		{"a line without a mark", "edit", "@@\n a\n-b\n d\nx\n", ""},
		{"one without a line that was, at the end of the file", "edit", "@@\n+x\n*** End of File\n", ""},
		{"a moved file", "move", "", ""},
		{"a deleted file with lines", "delete", "-a\n b\n", ""},
		{"no line that begins an edit", "edit", " a\n-b\n+c\n d\n", "@@ -2,3 +2,3 @@\n a\n-b\n+c\n d\n"},
		{"no line that begins an edit without a line below", "edit", "-b\n", ""},
		{"no line that begins an edit without a line that was", "edit", "+b\n", ""},
		{"an edit of nothing before one", "edit", "@@\n@@\n a\n-b\n d\n", "@@ -2,3 +2,2 @@\n a\n-b\n d\n"},
		{"one that cannot be placed behind one that can", "edit", "@@\n a\n-b\n d\n@@\n+x\n", ""},
		{"one without a line below behind one that has one", "edit", "@@\n a\n-b\n d\n@@\n-x\n", ""},
		{"a line without a mark behind one that can be placed", "edit", "@@\n a\n-b\n d\n@@\nx\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := touch{action: c.action, diff: []byte(c.lines)}
			f.place()
			require.Equal(t, c.want, string(f.diff))
			require.Equal(t, c.action == "move", f.diff != nil && len(f.diff) == 0)
		})
	}
}

// TestSomewhere: an edit of lines has a hunk if a line below the change is told.
func TestSomewhere(t *testing.T) {
	for in, want := range map[string]string{
		`{"old_string":"a\nb\nc","new_string":"a\nx\nc"}`:                                                 "@@ -2,3 +2,3 @@\n a\n-b\n+x\n c\n",
		`{"old_string":"a\nb\nc\n","new_string":"a\nc\n"}`:                                                "@@ -2,3 +2,2 @@\n a\n-b\n c\n",
		`{"old_string":"a\nb","new_string":"a\nx"}`:                                                       "",
		`{"old_string":"","new_string":"x"}`:                                                              "",
		`{"old_string":"","new_string":""}`:                                                               "",
		`{"edits":[{"old_string":"a\nb","new_string":"x\nb"},{"old_string":"c\nd","new_string":"y\nd"}]}`: "@@ -2,2 +2,2 @@\n-a\n+x\n b\n@@ -2,2 +2,2 @@\n-c\n+y\n d\n",
		`{"edits":[{"old_string":"a\nb","new_string":"x\nb"},{"old_string":"c","new_string":"y"}]}`:       "",
		`{"edits":[{"old_string":"","new_string":""},{"old_string":"c\nd","new_string":"y\nd"}]}`:         "@@ -2,2 +2,2 @@\n-c\n+y\n d\n",
		`{"edits":[{"old_string":"","new_string":"x"},{"old_string":"c\nd","new_string":"y\nd"}]}`:        "",
		`{"old_string":"e\nf","new_string":"g\nf","edits":[{"old_string":"c\nd","new_string":"y\nd"}]}`:   "@@ -2,2 +2,2 @@\n-c\n+y\n d\n",
		`{"edits":[]}`: "",
	} {
		require.Equal(t, want, string(new(scratch).somewhere(entry.FieldsOf(entry.Value(in)))), in)
	}
}

// TestLines: the text of a member is whole lines, without an empty one at its end.
func TestLines(t *testing.T) {
	for text, want := range map[string]string{``: "", `a`: "a\n", `a\n`: "a\n", `a\n\n`: "a\n", `a\nb`: "a\nb\n", `\n`: ""} {
		require.Equal(t, want, string(lines([]byte("before"), entry.FieldsOf(entry.Value(`{"n":"`+text+`"}`)), []string{"n"})), text)
	}
}

// TestChanged: what agents tell of the files that a call changed.
func TestChanged(t *testing.T) {
	const old, now, diff = "-1,1 +0,0", "-0,0 +1,1", "@@ -1,1 +1,1 @@\n-a\n+b\n"
	for told, want := range map[string][]touch{
		`null`:                                    nil,
		`{"f":{"type":"add","content":"a\n"}}`:    {{action: "write", path: "f", diff: []byte("@@ " + now + " @@\n+a\n")}},
		`{"f":{"type":"add","content":""}}`:       {{action: "write", path: "f", diff: []byte("@@ -0,0 +0,0 @@\n")}},
		`{"f":{"type":"delete","content":"a\n"}}`: {{action: "delete", path: "f", diff: []byte("@@ " + old + " @@\n-a\n")}},
		`{"f":{"type":"update","unified_diff":"@@ -1,1 +1,1 @@\n-a\n+b\n"}}`:                 {{action: "edit", path: "f", diff: []byte(diff)}},
		`{"f":{"type":"update","unified_diff":"@@ -1,2 +1,1 @@\n-a\n+b\n"}}`:                 {{action: "edit", path: "f"}},
		`{"f":{"type":"update","unified_diff":"","move_path":"g"}}`:                          {{action: "move", path: "f", to: "g", diff: []byte{}}},
		`{"f":{"update":{"unified_diff":"@@ -1,1 +1,1 @@\n-a\n+b\n"}}}`:                      {{action: "edit", path: "f", diff: []byte(diff)}},
		`{"f":{"type":"update","unified_diff":"@@ -1,1 +1,1 @@\n-a\n+b\n","move_path":"g"}}`: {{action: "move", path: "f", to: "g", diff: []byte(diff)}},
		`{"f":{"delete":{"content":"a\n"}}}`:                                                 {{action: "delete", path: "f", diff: []byte("@@ " + old + " @@\n-a\n")}},
		`{"f":{"add":{"content":"a\n"}}}`:                                                    {{action: "write", path: "f", diff: []byte("@@ " + now + " @@\n+a\n")}},
		`{"f":{"type":"delete","add":{"content":"a\n"}}}`:                                    {{action: "delete", path: "f", diff: []byte{}}},
		`[{"kind":"add"},{"path":"f","kind":"add"},{"path":"g","kind":"delete"}]`:            {{action: "write", path: "f"}, {action: "delete", path: "g"}},
		`[{"path":"f","kind":"update","line":1,"before":"a\n","after":"b\n"}]`:               {{action: "edit", path: "f", line: 1, end: 2, diff: []byte(diff)}},
		`[{"path":"f","kind":"update","line":1,"before":"","after":"b\n"}]`:                  {{action: "write", path: "f", line: 1, end: 1, diff: []byte("@@ " + now + " @@\n+b\n")}},
		`[{"path":"f","kind":"update","line":2,"before":"","after":"b\n"}]`:                  {{action: "edit", path: "f", line: 2, end: 2, diff: []byte("@@ -1,0 +2,1 @@\n+b\n")}},
		`[{"path":"f","kind":"update","line":"x","before":"a\n","after":"b\n"}]`:             {{action: "edit", path: "f"}},
		`[{"path":"f","kind":"update","line":1,"after":"b\n"}]`:                              {{action: "edit", path: "f"}},
		// Two parts of a file, of which the second begins behind the first, at its end, or in it.
		`[{"path":"f","line":1,"before":"a\n","after":"b\n"},{"path":"f","line":5,"to":6,"before":"a\n","after":"b\n"}]`: {{action: "edit", path: "f", line: 1, end: 6, diff: []byte(diff + "@@ -5,1 +6,1 @@\n-a\n+b\n")}},
		`[{"path":"f","line":1,"before":"a\n","after":"b\n"},{"path":"f","line":2,"before":"a\n","after":"b\n"}]`:        {{action: "edit", path: "f", line: 1, end: 3, diff: []byte(diff + "@@ -2,1 +2,1 @@\n-a\n+b\n")}},
		`[{"path":"f","line":1,"before":"a\n","after":"b\n"},{"path":"f","line":1,"before":"a\n","after":"b\n"}]`:        {{action: "edit", path: "f", line: 1, end: 2}},
		`[{"path":"f","line":1,"before":"a\n","after":"b\n"},{"path":"f"}]`:                                              {{action: "edit", path: "f", line: 1, end: 2}},
		`[{"path":"f"},{"path":"f","line":1,"before":"a\n","after":"b\n"}]`:                                              {{action: "edit", path: "f"}},
	} {
		require.Equal(t, want, changed(entry.Value(told)), told)
	}
}
