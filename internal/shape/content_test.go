package shape

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/line"
)

// scan returns the entry that text is.
func scan(t testing.TB, text string) *entry.Entry {
	t.Helper()
	e := new(entry.Entry)
	require.True(t, e.Scan([]byte(text)), "%.200s", text)
	return e
}

// message returns an entry with a content.
func message(t *testing.T, typ, content string) *entry.Entry {
	return scan(t, `{"type":"`+typ+`","message":{"content":`+content+`}}`)
}

func TestBlocks(t *testing.T) {
	e := message(t, "user", `["text",{"type":"tool_use","id":"t","name":"Bash"},7,{"type":"tool_result","tool_use_id":"t"},{"type":"redacted_thinking"},{"type":"thinking"},{"type":"text","text":"x"},{"type":"server_tool_use"}]`)
	var got []string
	for b := range Blocks(Content(e)) {
		got = append(got, fmt.Sprintf("%s %t %t %t", b.Type, b.IsCall(), b.IsResult(), b.IsThinking()))
	}
	require.Equal(t, []string{
		`"tool_use" true false false`, `"tool_result" false true false`, `"redacted_thinking" false false true`,
		`"thinking" false false true`, `"text" false false false`, `"server_tool_use" false false false`,
	}, got)
	for b := range Blocks(Content(e)) {
		require.Equal(t, `{"type":"tool_use","id":"t","name":"Bash"}`, string(b.Raw))
		require.Equal(t, `"t" "Bash"`, fmt.Sprintf("%s %s", b.ID, b.Name))
		break
	}
}

func TestTexts(t *testing.T) {
	tests := []struct {
		content string
		want    []string
	}{
		{`"x"`, []string{`"x"`}},
		{`[{"type":"text","text":"x"},{"type":"image"},{"type":"text","text":7},{"type":"text","text":"y"}]`, []string{`"x"`, `"y"`}},
		{`{"type":"text","text":"x"}`, nil},
		{`[{"text":"hm","thought":true},{"text":"x"},{"functionCall":{"id":"t"},"text":"y"}]`, []string{`"x"`}},
		{`null`, nil},
	}
	for _, test := range tests {
		var got []string
		for text := range Texts(entry.Value(test.content)) {
			got = append(got, string(text))
		}
		require.Equal(t, test.want, got, test.content)
		for text := range Texts(entry.Value(test.content)) {
			require.Equal(t, test.want[0], string(text))
			break
		}
	}
}

func TestToolBlocks(t *testing.T) {
	quoted := func(text string) entry.Value { return entry.AppendString(nil, []byte(text)) }
	const call, result = `{"type":"tool_use","id":"t","name":"Bash"}`, `{"type":"tool_result","tool_use_id":"t"}`
	tests := []struct {
		name  string
		entry string
		want  []Block
	}{
		{"calls", `{"type":"assistant","message":{"role":"assistant","content":[` + call + `,` + result + `]}}`, []Block{{ID: quoted("t"), Name: quoted("Bash")}}},
		{"results", `{"type":"user","message":{"content":[` + result + `]}}`, []Block{{ID: quoted("t"), Alone: true}}},
		{"a result with the role of pi's", `{"type":"user","message":{"role":"toolResult","toolCallId":"u","content":[` + result + `]}}`, []Block{{ID: quoted("t"), Alone: true}}},
		{"a call of another type", `{"type":"system","message":{"content":[` + call + `]}}`, nil},
		{"other type", `{"type":"system","message":{"content":[` + result + `]}}`, nil},
		{"pi calls", `{"type":"message","message":{"role":"assistant","content":[{"type":"toolCall","id":"t","name":"bash"},` + call + `]}}`, []Block{{ID: quoted("t"), Name: quoted("bash")}}},
		{"pi result", `{"type":"message","message":{"role":"toolResult","toolCallId":"t","toolName":"bash"}}`, []Block{{ID: quoted("t"), Name: quoted("bash"), Alone: true}}},
		{"Qwen's calls", `{"type":"assistant","message":{"role":"model","parts":[{"text":"x"},{"functionCall":{"id":"t","name":"ls"}},{"functionResponse":{"id":"u"}}]}}`, []Block{{ID: quoted("t"), Name: quoted("ls")}}},
		{"Qwen's result", `{"type":"tool_result","message":{"role":"user","parts":[{"functionResponse":{"id":"t","name":"ls"}}]}}`, []Block{{ID: quoted("t"), Name: quoted("ls"), Alone: true}}},
		{"pi's result", `{"type":"message","message":{"role":"toolResult","toolCallId":"t","toolName":"bash","content":[` + call + `]}}`, []Block{{ID: quoted("t"), Name: quoted("bash"), Alone: true}}},
		{"pi's prompt", `{"type":"message","message":{"role":"user","content":[` + result + `]}}`, nil},
		{"two calls", `{"type":"assistant","message":{"content":[` + call + `,{"type":"text","text":"x"},` + call + `]}}`, []Block{{ID: quoted("t"), Name: quoted("Bash")}, {ID: quoted("t"), Name: quoted("Bash")}}},
		{"Claude's in pi's", `{"type":"message","message":{"role":"assistant","content":[` + call + `]}}`, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []Block
			for b := range ToolBlocks(scan(t, test.entry)) {
				got = append(got, Block{ID: b.ID, Name: b.Name, Alone: b.Alone})
				require.NotEqual(t, b.IsResult(), b.IsCall() || b.isPiCall())
				require.Equal(t, strings.Contains(test.name, "result"), b.IsResult())
			}
			require.Equal(t, test.want, got)
			count := 0
			for range ToolBlocks(scan(t, test.entry)) {
				count++
				break
			}
			require.Equal(t, min(1, len(test.want)), count)
		})
	}
}

func TestMessage(t *testing.T) {
	var m Message
	blocks := func() (types []string) {
		for _, b := range m.Blocks {
			types = append(types, string(b.Type)+" "+string(b.Raw))
		}
		return types
	}
	m.Read(entry.Value(`{"id":"m","content":[{"type":"a","x":[{}]}, 1,{"type":"b"}],"y":{"id":"n"}}`))
	require.Equal(t, `"m"`, string(m.ID))
	require.Nil(t, m.Content)
	require.Equal(t, []string{`"a" {"type":"a","x":[{}]}`, `"b" {"type":"b"}`}, blocks())

	m.Read(entry.Value(`{"content":[{"type":"a"}],"content":"text"}`))
	require.Nil(t, m.ID)
	require.Equal(t, `"text"`, string(m.Content))
	require.Empty(t, m.Blocks, "the last content counts")

	m.Read(entry.Value(`{"content":[{"type":"a" 1},{"type":"b"}],"id":"m"}`))
	require.Equal(t, []string{`"a" {"type":"a" 1}`, `"b" {"type":"b"}`}, blocks(), "a broken block does not hide the next one")
	require.Equal(t, `"m"`, string(m.ID))

	m.Read(entry.Value(`{"content":[{"type":"a"},1 2,{"type":"b"}],"id":"m"}`))
	require.Equal(t, []string{`"a" {"type":"a"}`}, blocks())
	require.Equal(t, `"m"`, string(m.ID), "a broken content does not hide what follows")

	require.Nil(t, m.Content)
	m.Read(entry.Value(`{"content":[{"type":"a"},{"type":"b`))
	require.Equal(t, []string{`"a" {"type":"a"}`}, blocks(), "a torn block is none")

	m.Read(entry.Value(`{"parts":[{"text":"x"},{"text":"x","thought":true},{"functionCall":{}},{"functionResponse":{}},{"id":"x"},{"id":"x","text":"x"}]}`))
	require.Equal(t, []string{
		`"text" {"text":"x"}`, `"thought" {"text":"x","thought":true}`, `"functionCall" {"functionCall":{}}`,
		`"functionResponse" {"functionResponse":{}}`, ` {"id":"x"}`, `"text" {"id":"x","text":"x"}`,
	}, blocks(), "the types of Qwen's parts")
	require.Equal(t, []bool{false, true, false, false, false, false}, []bool{
		m.Blocks[0].IsThinking(), m.Blocks[1].IsThinking(), m.Blocks[2].IsThinking(),
		m.Blocks[3].IsThinking(), m.Blocks[4].IsThinking(), m.Blocks[5].IsThinking(),
	})

	m.Read(nil)
	require.Empty(t, m.Blocks)
	for content, want := range map[string]bool{`[{"type":"a"}]`: true, `[{"type":"a"},1]`: false, `[1,{"type":"a"}]`: false, `[{"type":"a"} 1]`: false} {
		m.Read(entry.Value(`{"content":` + content + `}`))
		require.Equal(t, want, m.Blocks[0].Alone, content)
	}
	require.Equal(t, `[{"text":"x"}]`, string(Content(scan(t, `{"message":{"role":"model","parts":[{"text":"x"}]}}`))))
}

// TestWalk: what stands behind a message is read also if that is no object.
func TestWalk(t *testing.T) {
	for _, value := range []string{`{"content":"x"}`, `"x"`, `null`, `[{"content":"x"}]`} {
		c := entry.Value(`{"message":` + value + `,"next":7}`).Cursor()
		require.True(t, c.Object())
		require.Equal(t, "message", string(c.Name()))
		var m Message
		c = m.Walk(c)
		if m.Content == nil {
			c.Value()
		}
		require.Equal(t, "next", string(c.Name()), value)
		require.Equal(t, value[0] == '{', m.Content != nil)
	}
}

// TestSpeaks: thinking and white space say nothing, all else does.
func TestSpeaks(t *testing.T) {
	for content, want := range map[string]bool{
		`"x"`: true, `" \n"`: false, `""`: false, `null`: false, `[]`: false, `7`: false,
		`[{"type":"thinking","thinking":"x"}]`: false, `[{"type":"redacted_thinking","data":"x"}]`: false,
		`[{"type":"text","text":" "}]`: false, `[{"type":"text","text":"x"}]`: true, `[{"type":"text"}]`: true,
		`[{"type":"tool_use","id":"t","name":"Bash"}]`: true, `[{"type":"thinking"},{"type":"text","text":"x"}]`: true,
	} {
		var m Message
		m.Read(entry.Value(`{"content":` + content + `}`))
		require.Equal(t, want, m.Speaks(), content)
	}
}

// TestSaysTheSame: what a client changes when it goes on with a session elsewhere is ambient.
func TestSaysTheSame(t *testing.T) {
	const e = `{"type":"user","uuid":"u","cwd":"/a","gitBranch":"a","version":"1","slug":"s","forkedFrom":{"messageUuid":"m"},"message":{"content":"x","n":{"a":[1]}}}`
	for _, c := range []struct {
		old, now string
		want     bool
	}{
		{`"/a"`, `"/a"`, true}, {`"/a"`, `"/b"`, true}, {`"gitBranch":"a"`, `"gitBranch":"b"`, true}, {`"1"`, `"2"`, true}, {`"s"`, `"t"`, true}, {`"m"`, `"n"`, true},
		{`"x"`, `"y"`, false}, {`"u"`, `"v"`, false}, {`[1]`, `[2]`, false}, {`"user"`, `"assistant"`, false},
	} {
		other := strings.Replace(e, c.old, c.now, 1)
		require.Equal(t, c.want, SaysTheSame(scan(t, e), scan(t, other)), other)
	}
}

// TestObject: an object may stand in a string, on several lines.
func TestObject(t *testing.T) {
	for v, want := range map[string]string{
		`{"a":1}`: `{"a":1}`, `[1]`: `[1]`, `"{\"a\":1}"`: `{"a":1}`, `" {\"a\":\n\r1}\n"`: `{"a":  1}`, `"{\"a\":\n1}"`: `{"a": 1}`, `"{\"a\":\r1}"`: `{"a": 1}`, `"a"`: `"a"`, `""`: `""`, `"[1]"`: `"[1]"`, `"{"`: `"{"`, ``: ``,
	} {
		require.Equal(t, want, string(Object(entry.Value(v))), v)
	}
}

// A made is the message of an entry, read while that is scanned if it can be.
type made struct{ Message }

func (m *made) Make(e *entry.Entry) {
	if !e.Walked() {
		m.Read(e.Get(entry.Message))
	}
}

// FuzzWalkIsRead: a message that is read while its entry is scanned is the message of the
// entry.
func FuzzWalkIsRead(f *testing.F) {
	for _, content := range []string{
		`"text"`, `[]`, `7`, `["a",{"type":"tool_use","id":"t","name":"Bash"},{"type":"text","text":"\u0041"}]`,
		`[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text"}]}],"content":"again","id":"m","id":7`,
		`[{"type":"text",}]`, `[{"type":"text"},]`, `["a"`, `[truefalse],"id":"m"`,
	} {
		f.Add([]byte(`{"id":"m","content":` + content + `}`))
		f.Add([]byte(`{"content":` + content + `},"message":{"id":"n"}`))
		f.Add([]byte(`{"content":` + content + `},"m\u0065ssage":{"id":"n"}`))
	}
	f.Fuzz(func(t *testing.T, message []byte) {
		const first = `{"type":"user","uuid":"u"}` + "\n"
		log := first + `{"type":"user","uuid":"v","message":` + string(message) + `}`
		log = strings.Repeat(log+"\n", 3)
		r := dialect.NewReader(line.NewForward(strings.NewReader(log)), entry.Decoder{}, nil)
		r.Prepare(func() dialect.Maker { return new(made) })
		defer r.Close()
		for r.Next() {
			m := &r.Made().(*made).Message
			var want Message
			want.Read(r.Entry().Get(entry.Message))
			require.Equal(t, want.ID, m.ID)
			require.Equal(t, want.Content, m.Content)
			require.Equal(t, len(want.Blocks), len(m.Blocks))
			for i := range want.Blocks {
				require.Equal(t, want.Blocks[i], m.Blocks[i])
			}
		}
	})
}
