package said

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
	"jl/internal/says"
)

// TestTold: the hunks of what Claude Code tells of a change, whose lines have two spaces for each tab of the file.
func TestTold(t *testing.T) {
	const none = "?"
	patch := func(lines string) string {
		return `"structuredPatch":[{"oldStart":1,"oldLines":1,"newStart":1,"newLines":1,"lines":[` + lines + `]}]`
	}
	const head = "@@ -1,1 +1,1 @@\n"
	for name, c := range map[string]struct{ told, want string }{
		"nothing":                        {`{}`, none},
		"no patch":                       {`{"type":"create","content":"a\n"}`, none},
		"an empty patch and no text":     {`{"structuredPatch":[]}`, none},
		"a new file":                     {`{"structuredPatch":[],"type":"create","content":"a\n"}`, "@@ -0,0 +1,1 @@\n+a\n"},
		"a new file without its text":    {`{"structuredPatch":[],"type":"create"}`, none},
		"an empty file without its text": {`{"structuredPatch":[],"originalFile":""}`, none},
		"another text":                   {`{"structuredPatch":[],"originalFile":"a","content":"b"}`, none},
		"of a notebook":                  {`{"original_file":"a\n","updated_file":"b\n",` + patch(`"-x","+y"`) + `}`, head + "-a\n+b\n"},
		"of a notebook, before":          {`{"original_file":"a\n",` + patch(`"-x","+y"`) + `}`, head + "-x\n+y\n"},
		"of a notebook, after":           {`{"updated_file":"b\n",` + patch(`"-x","+y"`) + `}`, head + "-x\n+y\n"},
		"empty lines":                    {`{` + patch(`"-","+"," "`) + `}`, head + "-\n+\n \n"},
		"tabs of a line that stays":      {`{"originalFile":"\ta\nb\n","oldString":"b","newString":"c",` + patch(`"   a","-b","+c"`) + `}`, head + " \ta\n-b\n+c\n"},
		"two hunks":                      {`{"structuredPatch":[{"oldStart":1,"oldLines":1,"newStart":1,"newLines":1,"lines":["-a","+b"]},{"oldStart":9,"oldLines":1,"newStart":8,"newLines":1,"lines":["-c","+d"]}]}`, head + "-a\n+b\n@@ -9,1 +8,1 @@\n-c\n+d\n"},
		"tabs of the older member":       {`{"originalFileContents":"\tb\n","oldString":"b","newString":"c",` + patch(`"-  b","+  c"`) + `}`, head + "-\tb\n+\tc\n"},
		"tabs of both members":           {`{"originalFile":"\tb\n","originalFileContents":"x\n\n","oldString":"b","newString":"c",` + patch(`"-  b","+  c"`) + `}`, head + "-\tb\n+\tc\n"},
		"tabs, everywhere":               {`{"originalFile":"b\n\tb\n","oldString":"b","newString":"c","replaceAll":true,` + patch(`"-b","+c","-  b","+  c"`) + `}`, head + "-b\n+c\n-\tb\n+\tc\n"},
		"tabs, everywhere, by a list":    {`{"originalFile":"b\n\tb\n","edits":[{"old_string":"b","new_string":"c","replace_all":true}],` + patch(`"-b","+c","-  b","+  c"`) + `}`, head + "-b\n+c\n-\tb\n+\tc\n"},
		"tabs of another line":           {`{"originalFile":"\tx\n","oldString":"x","newString":"y",` + patch(`"-  b","+  c"`) + `}`, head + "-  b\n+  c\n"},
		"a line behind the text":         {`{"originalFile":"\tx\n","oldString":"x","newString":"y",` + patch(`"-  x","-","-  b"`) + `}`, head + "-\tx\n-\n-  b\n"},
	} {
		s := scratch{hunks: []byte{}}
		told := entry.Value(c.told)
		hunks := s.told(told, entry.FieldsOf(told))
		got := string(hunks)
		if hunks == nil {
			got = none
		}
		require.Equal(t, c.want, got, name)
	}
}

// TestNamesOfMembers: agents have several names for the path, the texts before and after an edit, that of a file, and a list of files.
func TestNamesOfMembers(t *testing.T) {
	first := func(r *Rows, name, input string) (f touch) {
		c := call{name: entry.Value(`"` + name + `"`), input: entry.Value(input)}
		for _, f = range r.touched(&c, &says.Thing{}) {
			return f
		}
		return f
	}
	for _, name := range []string{"file_path", "filePath", "path", "notebook_path", "absolute_path", "target_file", "target_notebook", "filename"} {
		r, _ := begun(0)
		require.Equal(t, touch{action: "read", path: "f"}, first(r, "read", `{"`+name+`":"f"}`), name)
	}
	for _, name := range []string{"content", "file_text", "contents", "fileText"} {
		r, _ := begun(0)
		require.Equal(t, "@@ -0,0 +1,1 @@\n+a\n", string(first(r, "write", `{"path":"f","`+name+`":"a\n"}`).diff), name)
	}
	for old, now := range map[string]string{"old_string": "new_string", "old_str": "new_str", "oldText": "newText", "oldString": "newString", "oldStr": "newStr"} {
		for _, all := range []string{"", `,"replace_all":true`, `,"replaceAll":true`} {
			r, _ := begun(0)
			first(r, "write", `{"path":"f","content":"a\na\n"}`)
			want := "@@ -1,2 +1,2 @@\n-a\n+b\n a\n"
			if all != "" {
				want = "@@ -1,2 +1,2 @@\n-a\n-a\n+b\n+b\n"
			}
			require.Equal(t, want, string(first(r, "edit", `{"path":"f","`+old+`":"a","`+now+`":"b"`+all+`}`).diff), old+all)
		}
	}
	for _, name := range []string{"paths", "files", "absolute_paths", "operations"} {
		r, _ := begun(0)
		require.Equal(t, touch{action: "read", path: "f"}, first(r, "read_files", `{"`+name+`":[{"path":"f"}]}`), name)
		require.Equal(t, touch{}, first(r, "list", `{"`+name+`":[{"path":"f"}]}`), name)
	}
	const patch = `*** Begin Patch\n*** Delete File: f\n*** End Patch\n*** Delete File: g\n`
	for _, input := range []string{`"` + patch + `"`, `{"input":"` + patch + `"}`, `{"patch":"` + patch + `"}`, `{"patchText":"` + patch + `"}`, `{"command":"` + patch + `"}`, `{"cmd":"` + patch + `"}`, `{"command":["apply_patch","` + patch + `"]}`} {
		touches, ok := patchIn(entry.Value(input), entry.FieldsOf(entry.Value(input)))
		require.True(t, ok, input)
		require.Equal(t, []touch{{action: "delete", path: "f"}}, inPatch(touches), input)
	}
	r, _ := begun(0)
	require.Equal(t, "write", first(r, "write", `{"path":"f","content":"*** Begin Patch"}`).action, "a text about a patch")
	require.Empty(t, inPatch([]byte("x\n*** Move to: y\n")), "lines of no file")
}

// TestFilesOfCalls: the rows of the files of a call are those of its result, and have a diff if it did not fail.
func TestFilesOfCalls(t *testing.T) {
	for name, test := range map[string]struct {
		home, cwd, call string
		input           string
		failed          bool
		want            string
	}{
		"a diff":        {`"/p"`, `"/p"`, `"Write"`, `{"path":"f","content":"a\n"}`, false, `"uuid":2,"call":"c","name":"Write","cwd":"/p","action":"write","path":"f","failed":false,"diff":"@@ -0,0 +1,1 @@\n+a\n"`},
		"no diff":       {`"/p"`, `"/p"`, `"patch"`, `{"patch":"*** Begin Patch\n*** Add File: f\n+a\n*** End Patch\n"}`, true, `"uuid":2,"call":"c","name":"patch","cwd":"/p","action":"write","path":"f","failed":true`},
		"a read":        {`"/p"`, `"/p/q"`, `"Read"`, `{"path":"f","content":7}`, false, `"uuid":2,"call":"c","name":"Read","cwd":"/p","action":"read","path":"/p/q/f","failed":false`},
		"in a folder":   {`"/p"`, `"/p"`, `"Read"`, `{"path":"f","workdir":"sub"}`, false, `"uuid":2,"call":"c","name":"Read","cwd":"/p","action":"read","path":"/p/sub/f","failed":false`},
		"in its folder": {`"/p"`, `"/p/q"`, `"Read"`, `{"path":"./f","workdir":"/p"}`, false, `"uuid":2,"call":"c","name":"Read","cwd":"/p","action":"read","path":"./f","failed":false`},
		"in no folder":  {`"/p"`, ``, `"Read"`, `{"path":"./f"}`, false, `"uuid":2,"call":"c","name":"Read","cwd":"/p","action":"read","path":"./f","failed":false`},
	} {
		r, rows := begun(1 << says.File)
		r.home, r.cwd, r.branch = v(test.home), v(test.cwd), v(`"main"`)
		r.from.uuid = v(`1`)
		r.thing(&says.Thing{Is: says.Call, Call: v(`"c"`), Name: v(test.call), Input: v(test.input)})
		r.from.uuid = v(`2`)
		r.thing(&says.Thing{Is: says.Result, Call: v(`"c"`), Failed: test.failed})
		require.Len(t, *rows, 1, name)
		require.Contains(t, (*rows)[0], `,`+test.want+`,"key"`, name)
	}
	require.Equal(t, []string{`file "call":"c","name":"Write","cwd":null,"action":"write","path":"f","failed":null`},
		things(1<<says.File, says.Thing{Is: says.Call, Call: v(`"c"`), Name: v(`"Write"`), Input: v(`{"path":"f","content":"a"}`), Ends: true}))
	require.Equal(t, []string{`file "call":"c","name":"Write","cwd":null,"action":"write","path":"f","failed":false,"diff":"@@ -0,0 +1,1 @@\n+a\n"`},
		things(1<<says.File, says.Thing{Is: says.Call, Call: v(`"c"`), Name: v(`"Write"`), Input: v(`{"path":"f","content":"a"}`), Ends: true}, says.Thing{Is: says.Result, Call: v(`"c"`)}))
	r, rows := begun(1 << says.File)
	r.home, r.branch = v(`"/p"`), v(`"main"`)
	r.thing(&says.Thing{Is: says.File, Name: v(`"f"`)})
	require.Len(t, *rows, 1)
	require.Contains(t, (*rows)[0], `{"is":"file",`)
	require.Contains(t, (*rows)[0], `"call":null,"name":null,"cwd":"/p","action":"named","path":"f","failed":null`)
	r, rows = begun(1 << says.Prompt)
	r.thing(&says.Thing{Is: says.File, Name: v(`"f"`)})
	require.Empty(t, *rows)
}

// TestTextsThatAreKnown: a diff is of the text that the log tells, which a failed call does not change, and of which nothing is
// known once a client has told another change.
func TestTextsThatAreKnown(t *testing.T) {
	const write, edit = `{"path":"f","content":"a\n"}`, `{"path":"f","old_string":"a\nz","new_string":"b\nz"}`
	for name, test := range map[string]struct {
		calls []string
		told  map[int]says.Thing
		want  string // the last diff
	}{
		"failed":               {[]string{write, `{"path":"f","old_string":"a","new_string":"b"}`, `{"path":"f","old_string":"a","new_string":"c"}`}, map[int]says.Thing{1: {Failed: true}}, "@@ -1,1 +1,1 @@\n-a\n+c\n"},
		"told by a diff":       {[]string{write, edit, edit}, map[int]says.Thing{1: {Diff: v(`"@@ -1 +1 @@\n-a\n+x\n"`)}}, "@@ -2,2 +2,2 @@\n-a\n+b\n z\n"},
		"a diff that is none":  {[]string{write}, map[int]says.Thing{0: {Diff: v(`"@@ -1 +1 @@\n-a\n"`)}}, ""},
		"a patch without end":  {[]string{write}, map[int]says.Thing{0: {Extra: v(`{"structuredPatch":7}`)}}, ""},
		"told by a patch":      {[]string{write, edit, `{"path":"f","content":"c\n"}`}, map[int]says.Thing{1: {Extra: v(`{"structuredPatch":[{"oldStart":1,"oldLines":1,"newStart":1,"newLines":1,"lines":["-a","+x"]}]}`)}}, ""},
		"read meanwhile":       {[]string{write, `{"path":"f","command":"view"}`, `{"path":"f","old_string":"a","new_string":"c"}`}, nil, "@@ -1,1 +1,1 @@\n-a\n+c\n"},
		"written in pieces":    {[]string{write}, map[int]says.Thing{0: {Split: true, Diff: v(`"--- a/f\n+++ b/f\n@@ -1,1 +1,2 @@\n+b\n \n"`)}}, "@@ -0,0 +1,1 @@\n+b\n"},
		"lines of a cell":      {[]string{`{"path":"f","cell_id":"1","old_string":"a\nz","new_string":"b\nz"}`}, nil, ""},
		"a cell":               {[]string{`{"path":"f","cell_id":"1","content":"a\n"}`}, nil, ""},
		"a new file in pieces": {[]string{write}, map[int]says.Thing{0: {Split: true, Diff: v(`"--- /dev/null\n+++ b/f\n@@ -1,0 +1,2 @@\n+b\n+\n"`)}}, "@@ -0,0 +1,1 @@\n+a\n"},
		"an edit in pieces":    {[]string{`{"path":"f","old_string":"a","new_string":"b"}`}, map[int]says.Thing{0: {Split: true, Diff: v(`"--- /dev/null\n+++ b/f\n@@ -1,0 +1,2 @@\n+b\n+\n"`)}}, "@@ -0,0 +1,1 @@\n+b\n"},
	} {
		r, rows := begun(1 << says.File)
		for i, input := range test.calls {
			r.from.uuid = entry.Value{'1' + byte(i)}
			r.thing(&says.Thing{Is: says.Call, Call: v(`"c"`), Name: v(`"tool"`), Input: v(input)})
			x := test.told[i]
			x.Is, x.Call = says.Result, v(`"c"`)
			r.thing(&x)
		}
		require.Len(t, *rows, len(test.calls), name)
		require.Equal(t, test.want, string(v((*rows)[len(*rows)-1]).Member("diff").Text()), name)
	}
}

// TestCopied: a log begins with a copy if its header says so, or if another header comes at once, and the copy ends where its times
// or the log say so.
func TestCopied(t *testing.T) {
	const other = 7
	header := func(id string, again bool) says.Telling {
		return says.Telling{Things: []says.Thing{{Is: says.Setting, Call: entry.Value(id), Name: entry.Value(`"n"`), Again: again}}}
	}
	says1 := says.Telling{Session: entry.Value(`"x"`), Things: []says.Thing{{Is: says.Call, Call: entry.Value(`"c"`)}, {Is: says.Setting}}}
	marked := header(`"a"`, false)
	marked.Copied = true
	ended := says.Telling{CopyEnded: true}
	type step struct {
		told    says.Telling
		at      int64
		is      bool
		session string
	}
	for name, steps := range map[string][]step{
		"no copy":                        {{header(`"a"`, false), 10, false, ""}, {header(`"b"`, false), 10, false, ""}, {says1, 10, false, ""}},
		"a copy by its header":           {{header(`"a"`, true), 10, false, ""}, {header(`"b"`, false), 11, true, ""}, {says1, 12, true, `"x"`}, {says1, 12 + atOnce + 1, false, `"x"`}},
		"its own header again":           {{header(`"a"`, true), 10, false, ""}, {header(`"a"`, false), 11, false, ""}},
		"a call before it":               {{says1, 9, false, ""}, {header(`"a"`, true), 10, false, ""}, {header(`"b"`, false), 11, true, ""}},
		"a call with an id":              {{header(`"a"`, true), 10, false, ""}, {says1, 11, false, ""}},
		"a copy that says so":            {{marked, 10, true, ""}, {says1, 10 + 2*atOnce, true, `"x"`}, {ended, 11 + 2*atOnce, false, `"x"`}, {header(`"b"`, false), 12 + 2*atOnce, true, `"x"`}},
		"it goes on step by step":        {{header(`"a"`, true), 10, false, ""}, {header(`"b"`, false), 11, true, ""}, {says1, atOnce, true, `"x"`}, {says1, 2 * atOnce, true, `"x"`}, {says1, 5, true, `"x"`}, {says1, 3 * atOnce, true, `"x"`}},
		"a header that says so too late": {{header(`"a"`, false), 10, false, ""}, {header(`"b"`, true), 10, false, ""}, {header(`"c"`, false), 10, false, ""}},
		"it ends once":                   {{header(`"a"`, true), 10, false, ""}, {header(`"b"`, false), 11, true, ""}, {says1, other + 11 + atOnce, false, ""}, {says1, 12, false, ""}},
	} {
		var c copied
		for i, s := range steps {
			c.next(&s.told, s.at)
			require.Equal(t, s.is, c.is, "%s %d", name, i)
			require.Equal(t, s.session, string(c.session), "%s %d", name, i)
		}
	}
	c := copied{own: entry.Value(`"a"`), root: entry.Value(`"b"`)}
	require.False(t, c.mayBegin(), "one has ended")
	c = copied{}
	first, second := header(`"a"`, true), header(`"b"`, false)
	c.next(&first, 5e6)
	c.passed(5e6 + atOnce)
	require.True(t, c.mayBegin(), "the log has not gone on")
	c.next(&second, 5e6)
	require.True(t, c.is)
	require.False(t, c.mayBegin(), "one has begun")
}

// TestAnewEnds: what is told again ends with a later entry, and does not go on with the next one; an entry without a time tells nothing of that.
func TestAnewEnds(t *testing.T) {
	a := anew{repeats: true, last: 5e6}
	a.next(&says.Telling{}, -1)
	require.True(t, a.repeats)
	a.next(&says.Telling{}, 5e6+1)
	require.True(t, a.repeats)
	a.next(&says.Telling{}, 6e6)
	require.False(t, a.repeats)
	a.next(&says.Telling{}, 6e6+1)
	require.False(t, a.repeats)
}

// TestCallsAgain: a call that is told anew has no row again, whatever else has its id or its name.
func TestCallsAgain(t *testing.T) {
	r, rows := begun(1<<says.Call | 1<<says.Result)
	r.anew = anew{repeats: true, known: map[uint64]bool{}}
	for i, step := range []struct {
		is        says.Kind
		call      string
		out, side bool
		want      int
	}{
		{says.Result, `"c"`, false, false, 1}, {says.Call, `"c"`, false, false, 2}, {says.Call, `"c"`, false, false, 2}, {says.Result, `"c"`, false, false, 2},
		{says.Call, `"d"`, false, false, 3}, {says.Call, ``, false, false, 4}, {says.Call, ``, false, false, 5},
		{says.Call, `"e"`, true, false, 5}, {says.Call, `"e"`, false, false, 6}, {says.Call, `"f"`, false, true, 7}, {says.Call, `"f"`, false, true, 7},
		{says.Result, `"d"`, false, false, 8}, {says.Result, `"e"`, true, false, 8}, {says.Result, `"e"`, false, false, 9}, {says.Result, `"f"`, false, true, 10}, {says.Result, `"f"`, false, true, 10},
	} {
		r.from.uuid, r.from.out, r.from.sidechain = entry.Value{'1', '0' + byte(i%10), '0' + byte(i/10)}, step.out, step.side
		x := says.Thing{Is: step.is, Name: entry.Value(`"ls"`)}
		if step.call != "" {
			x.Call = entry.Value(step.call)
		}
		r.thing(&x)
		require.Len(t, *rows, step.want, i)
	}
}
