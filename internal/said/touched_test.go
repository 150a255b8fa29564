package said

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
	"jl/internal/says"
)

// TestTouched: what a call did to files is told by an entry before its result, else by its input, and by what the client tells of it.
func TestTouched(t *testing.T) {
	for name, test := range map[string]struct {
		input, ended string
		result       says.Thing
		want         string // action, path and diff of the first file
	}{
		"an entry tells it":                {`{"file_path":"f","content":"a\n"}`, `{"g":{"type":"add","content":"b\n"}}`, says.Thing{}, "write g @@ -0,0 +1,1 @@\n+b\n"},
		"the input tells it":               {`{"file_path":"f","content":"a\n"}`, ``, says.Thing{}, "write f @@ -0,0 +1,1 @@\n+a\n"},
		"the input has a list":             {`{"file_path":"f","changes":[{"path":"g","kind":"add"}]}`, ``, says.Thing{}, "write g "},
		"the list is empty":                {`{"file_path":"f","content":"a\n","changes":[]}`, ``, says.Thing{}, "write f @@ -0,0 +1,1 @@\n+a\n"},
		"the list is none":                 {`{"file_path":"f","content":"a\n","changes":{"g":{"type":"add","content":"b\n"}}}`, ``, says.Thing{}, "write f @@ -0,0 +1,1 @@\n+a\n"},
		"an edit of an empty file":         {`{"file_path":"f","content":"a\n"}`, ``, says.Thing{Extra: entry.Value(`{"originalFile":"","content":"a\n","structuredPatch":[]}`)}, "edit f @@ -0,0 +1,1 @@\n+a\n"},
		"a file made by an edit":           {`{"file_path":"f","old_string":"","new_string":"a"}`, ``, says.Thing{Extra: entry.Value(`{"originalFile":"","oldString":"","newString":"a","structuredPatch":[{"oldStart":0,"oldLines":0,"newStart":1,"newLines":1,"lines":["+a"]}]}`)}, "write f @@ -0,0 +1,1 @@\n+a\n"},
		"a file that has a letter":         {`{"file_path":"f","content":"b\n"}`, ``, says.Thing{Extra: entry.Value(`{"originalFile":"a","content":"b\n","structuredPatch":[{"oldStart":1,"oldLines":1,"newStart":1,"newLines":1,"lines":["-a","+b"]}]}`)}, "write f @@ -1,1 +1,1 @@\n-a\n+b\n"},
		"tabs in two new lines":            {`{"file_path":"f","content":"\ta\n\tb\n"}`, ``, says.Thing{Extra: entry.Value(`{"originalFile":"x","content":"\ta\n\tb\n","structuredPatch":[{"oldStart":1,"oldLines":1,"newStart":1,"newLines":2,"lines":["-x","+  a","+  b"]}]}`)}, "write f @@ -1,1 +1,2 @@\n-x\n+\ta\n+\tb\n"},
		"a new file in pieces":             {`{"file_path":"f","content":"a\n"}`, ``, says.Thing{Split: true, Diff: entry.Value(`"--- /dev/null\n+++ b/f\n@@ -1,0 +1,2 @@\n+a\n+\n"`)}, "write f @@ -0,0 +1,1 @@\n+a\n"},
		"a new file, by an edit in pieces": {`{"file_path":"f","old_string":"","new_string":"b"}`, ``, says.Thing{Split: true, Diff: entry.Value(`"--- /dev/null\n+++ b/f\n@@ -1,1 +1,2 @@\n+a\n \n"`)}, "edit f @@ -0,0 +1,1 @@\n+a\n"},
		"a written file in pieces":         {`{"file_path":"f","content":"a\n"}`, ``, says.Thing{Split: true, Diff: entry.Value(`"--- a/f\n+++ b/f\n@@ -1,1 +1,2 @@\n+a\n \n"`)}, "write f @@ -0,0 +1,1 @@\n+a\n"},
		"a new file, not in pieces":        {`{"file_path":"f","content":"a\n"}`, ``, says.Thing{Diff: entry.Value(`"--- /dev/null\n+++ b/f\n@@ -0,0 +1,1 @@\n+c\n"`)}, "write f @@ -0,0 +1,1 @@\n+c\n"},
	} {
		r, rows := begun(1 << says.File)
		r.thing(&says.Thing{Is: says.Call, Call: entry.Value(`"c"`), Name: entry.Value(`"a tool"`), Input: entry.Value(test.input)})
		if test.ended != "" {
			r.thing(&says.Thing{Is: says.Ended, Call: entry.Value(`"c"`), Extra: entry.Value(test.ended)})
		}
		test.result.Is, test.result.Call = says.Result, entry.Value(`"c"`)
		r.thing(&test.result)
		require.Len(t, *rows, 1, name)
		v := entry.Value((*rows)[0])
		require.Equal(t, test.want, string(v.Member("action").Text())+" "+string(v.Member("path").Text())+" "+string(v.Member("diff").Text()), name)
	}
}

// TestWrittenWithAnEnd: some tools end a text with a line break, if it has none.
func TestWrittenWithAnEnd(t *testing.T) {
	for content, want := range map[string]string{
		"a": "@@ -0,0 +1,1 @@\n+a\n", `a\n`: "@@ -0,0 +1,1 @@\n+a\n", "": "@@ -0,0 +0,0 @@\n", `a\nb`: "@@ -0,0 +1,2 @@\n+a\n+b\n",
	} {
		r, _ := begun(0)
		in := entry.Value(`{"file_path":"f","content":"` + content + `"}`)
		got := r.written(&touch{action: "write", path: "f"}, &call{ends: true, input: in}, entry.FieldsOf(in))
		require.Equal(t, want, string(got), content)
	}
}

// TestWrittenAgain: the text of a file that was written before is known, unless the file was deleted since.
func TestWrittenAgain(t *testing.T) {
	for _, deleted := range []bool{false, true} {
		r, _ := begun(0)
		write := func(content string) string {
			in := entry.Value(`{"file_path":"f","content":"` + content + `"}`)
			return string(r.written(&touch{action: "write", path: "f"}, &call{input: in}, entry.FieldsOf(in)))
		}
		require.Equal(t, "@@ -0,0 +1,1 @@\n+a\n", write(`a\n`))
		want := "@@ -1,1 +1,1 @@\n-a\n+b\n"
		if deleted {
			in := entry.Value(`{"file_path":"f"}`)
			require.Nil(t, r.written(&touch{action: "delete", path: "f"}, &call{input: in}, entry.FieldsOf(in)))
			want = "@@ -0,0 +1,1 @@\n+b\n"
		}
		require.Equal(t, want, write(`b\n`))
	}
}

// TestPromptsOfAgents: what a sub-agent got is a prompt also if the client put all of it in, unless another entry tells it better.
func TestPromptsOfAgents(t *testing.T) {
	const inserted = `"<system-reminder>x</system-reminder>"`
	for name, test := range map[string]struct {
		thing says.Thing
		want  string
	}{
		"typed":            {says.Thing{Text: entry.Value(`"Look."`)}, `"text":"Look.","images":0,"by":"model"`},
		"put in":           {says.Thing{Text: entry.Value(inserted)}, `"text":` + inserted + `,"images":0,"by":"model"`},
		"typed, unsure":    {says.Thing{Text: entry.Value(`"Look."`), Unsure: true}, `"text":"Look.","images":0,"by":"model"`},
		"put in, unsure":   {says.Thing{Text: entry.Value(inserted), Unsure: true}, ""},
		"by a person":      {says.Thing{Text: entry.Value(`"Look."`), Human: true}, `"text":"Look.","images":0`},
		"no words of them": {says.Thing{Text: entry.Value(`"<b>x</b>"`), Human: true}, `"text":"<b>x</b>","images":0`},
	} {
		r, rows := begun(1<<says.Prompt | 1<<says.Shell)
		r.from.agent = entry.Value(`"g"`)
		test.thing.Is = says.Prompt
		r.thing(&test.thing)
		r.End()
		if test.want == "" {
			require.Empty(t, *rows, name)
			continue
		}
		require.Len(t, *rows, 1, name)
		require.Contains(t, (*rows)[0], test.want+`,"key"`, name)
	}
}

// TestMessageOfPieces: an answer in pieces is that of a message; the number by which the pieces of a prompt are known is none.
func TestMessageOfPieces(t *testing.T) {
	for kind, want := range map[says.Kind]string{says.Answer: `"message":"m"`, says.Prompt: `"text":"ab","images":0`} {
		r, rows := begun(1<<says.Prompt | 1<<says.Answer)
		for _, text := range []string{`"a"`, `"b"`} {
			r.thing(&says.Thing{Is: kind, Text: entry.Value(text), Message: entry.Value(`"m"`), Piece: true})
		}
		r.End()
		require.Len(t, *rows, 1)
		require.Contains(t, (*rows)[0], want+`,"key"`)
	}
}
