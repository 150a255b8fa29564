package says

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/dialect"
	"jl/internal/entry"
)

// TestWords: what a content says, and that no more is read than is wanted.
func TestWords(t *testing.T) {
	for content, want := range map[string][]string{
		`"a"`:                        {`"a"`},
		`null`:                       nil,
		`7`:                          nil,
		`["a"]`:                      {`"a"`},
		`[7]`:                        {`"7"`},
		`["a","b"]`:                  {`"a"`, `"b"`},
		`{"type":"text","text":"a"}`: {`"a"`},
		`[{"type":"text","text":"a"},{"type":"text","text":"b"},"c"]`:                                                     {`"a"`, `"b"`, `"c"`},
		`[{"kind":"text","data":"a"}]`:                                                                                    {`"a"`},
		`[{"kind":"text","data":"a","text":"b"}]`:                                                                         {`"b"`},
		`[{"text":{"text":"a"}}]`:                                                                                         {`"a"`},
		`[{"type":"tool_reference","tool_name":"a"}]`:                                                                     {`"a"`},
		`[{"type":"x","content":{"text":"a"}},"b"]`:                                                                       {`"a"`, `"b"`},
		`[{"type":"x","content":{"n":1}},"b"]`:                                                                            {`"b"`},
		`[{"type":"resource","resource":{"uri":"u","text":"a"}},"b"]`:                                                     {`"a"`, `"b"`},
		`[{"type":"resource","resource":{"uri":"u","blob":"AA"}},"b"]`:                                                    {`"u"`, `"b"`},
		`[{"type":"search_result","title":"t","source":"s","content":[{"type":"text","text":"a"}],"url":"u"}]`:            {`"t"`, `"s"`, `"a"`},
		`[{"type":"resource_link","title":"t","name":"n","uri":"u","description":"d","url":"v"}]`:                         {`"t"`, `"n"`, `"u"`, `"d"`},
		`[{"type":"document","title":"t","context":"c","source":{"type":"text","data":"a"},"url":"u"},"b"]`:               {`"t"`, `"c"`, `"a"`, `"b"`},
		`[{"type":"document","source":{"type":"content","content":[{"type":"text","text":"a"}]}}]`:                        {`"a"`},
		`[{"type":"document","source":{"type":"base64","data":"AA"}}]`:                                                    nil,
		`[{"type":"web_fetch_result","content":{"type":"document","title":"t","source":{"type":"text","data":"a"}}},"b"]`: {`"t"`, `"a"`, `"b"`},
		`[{"type":"code_execution_result","stdout":"o","stderr":"e","error_code":"c","title":"t","url":"u"},"b"]`:         {`"t"`, `"u"`, `"o"`, `"e"`, `"c"`, `"b"`},
		`[{"a":1}]`:                      {`"{\"a\":1}"`},
		`[{"type":"image","source":{}}]`: nil,
	} {
		var got []string
		for text := range Words(entry.Value(content)) {
			got = append(got, string(text))
		}
		require.Equal(t, want, got, content)
		for n := range len(want) { // no more than n + 1
			i := 0
			for range Words(entry.Value(content)) {
				if i++; i > n {
					break
				}
			}
			require.Equal(t, n+1, i, content)
		}
	}
	require.True(t, IsBlank(entry.Value(`[" ","\n"]`)))
	require.False(t, IsBlank(entry.Value(`[" ","a"]`)))
	require.True(t, IsBlank(nil))
}

// TestValues: what the functions make of values that several programs share.
func TestValues(t *testing.T) {
	v := func(text string) entry.Value { return entry.Value(text) }
	require.Equal(t, `"a"`, string(firstOf(v(`"a"`))))
	require.Equal(t, `"b"`, string(firstOf(v(`[{"n":1},{"text":"b"},{"text":"c"}]`))))
	require.Nil(t, firstOf(v(`{"text":"b"}`)))
	require.Equal(t, `[1,2]`, string(joined(v(`[1]`), v(`[2]`))))
	for _, empty := range []string{`[]`, `[ ]`, ``, `"a"`} {
		require.Equal(t, `[2]`, string(joined(v(empty), v(`[2]`))), empty)
		require.Equal(t, `[1]`, string(joined(v(`[1]`), v(empty))), empty)
	}
	for words, want := range map[string]string{
		`["bash","-lc","ls -l"]`: `"ls -l"`, `["ls","-l"]`: `"ls -l"`, `["cp","-a","b"]`: `"cp -a b"`, `["sh","c","b"]`: `"sh c b"`, `["bash","-c","a","b"]`: `"bash -c a b"`, `"ls"`: `"ls"`,
	} {
		require.Equal(t, want, string(commandOf(v(words))), words)
	}
	for _, name := range []string{"AskUserQuestion", "ask_user", "ask_user_question", "request_user_input"} {
		require.True(t, Asks(quoted(name)))
	}
	require.False(t, Asks(quoted("Bash")))
	require.True(t, StartsAgent(quoted("Agent")) && StartsAgent(quoted("Task")))
	require.False(t, StartsAgent(quoted("TaskCreate")))
}

// TestAbout: what entries tell about their session; the text of one that tells something has a word for it.
func TestAbout(t *testing.T) {
	for _, c := range []struct {
		log   dialect.Dialect
		entry string
		want  Session
	}{
		{dialect.Claude, `{"type":"user","sessionId":"s","cwd":"/w","gitBranch":"b","model":"m","parentSessionId":"p"}`, Session{ID: quoted("s"), Cwd: quoted("/w"), Branch: quoted("b"), Model: quoted("m"), Parent: quoted("p")}},
		{dialect.Claude, `{"type":"relocated","sessionId":"s","cwd":"/w","relocatedCwd":"/v"}`, Session{ID: quoted("s"), Cwd: quoted("/v")}},
		{dialect.Claude, `{"type":"worktree-state","sessionId":"s","worktreeSession":{"worktreePath":"/w","originalCwd":"/v"}}`, Session{ID: quoted("s"), Cwd: quoted("/w"), Origin: quoted("/v")}},
		{dialect.Claude, `{"type":"system","subtype":"hook_started","session_id":"s"}`, Session{}},
		{dialect.Claude, `{"type":"custom-title","sessionId":"s","customTitle":"t"}`, Session{ID: quoted("s"), Title: quoted("t"), Rank: dialect.ByUser}},
		{dialect.Codex, `{"id":"i","timestamp":"2025-01-01T00:00:00Z","instructions":null,"git":{"branch":"b"}}`, Session{ID: quoted("i"), Branch: quoted("b")}},
		{dialect.Codex, `{"type":"turn_context","payload":{"cwd":"/w","model":"m","id":"no"}}`, Session{Cwd: quoted("/w"), Model: quoted("m")}},
		{dialect.Codex, `{"type":"session_meta","payload":{"id":"i","cwd":"/w","git":{"branch":"b"},"source":"cli","forked_from_id":"p"}}`, Session{ID: quoted("i"), Cwd: quoted("/w"), Branch: quoted("b"), Entrypoint: quoted("cli"), Parent: quoted("p")}},
		{dialect.Codex, `{"type":"event_msg","payload":{"cwd":"/w","model":"m"}}`, Session{}},
		{dialect.Pi, `{"type":"session","version":3,"id":"i","cwd":"/w","parentSession":"p"}`, Session{ID: quoted("i"), Cwd: quoted("/w"), Parent: quoted("p")}},
		{dialect.PiV1, `{"type":"session","id":"i","branchedFrom":"p"}`, Session{ID: quoted("i"), Parent: quoted("p")}},
		{dialect.Pi, `{"type":"model_change","id":"i","parentId":null,"modelId":"m"}`, Session{Model: quoted("m")}},
		{dialect.Pi, `{"type":"message","id":"i","parentId":null,"message":{"model":"m"}}`, Session{Model: quoted("m")}},
		{dialect.DeepSeek, `{"type":"session","id":"i","createdAt":5,"cwd":"/w","parentSession":"p","origin":"subagent"}`, Session{ID: quoted("i"), Cwd: quoted("/w"), Created: entry.Value("5"), Parent: quoted("p"), IsAgent: true}},
		{dialect.DeepSeek, `{"type":"user/message","id":"i","cwd":"/w"}`, Session{}},
		{dialect.Gemini, `{"sessionId":"s","projectHash":"p","startTime":"t","lastUpdated":"u","directories":["/w","/v"]}`, Session{ID: quoted("s"), Created: quoted("t"), Changed: quoted("u"), Cwd: quoted("/w")}},
		{dialect.Gemini, `{"$set":{"lastUpdated":"u"}}`, Session{Changed: quoted("u")}},
		{dialect.Gemini, `{"id":"a","type":"gemini","model":"m"}`, Session{Model: quoted("m")}},
		{dialect.Grok, `{"params":{"sessionId":"s","update":{"sessionUpdate":"plan"}}}`, Session{ID: quoted("s")}},
	} {
		var e entry.Entry
		require.True(t, e.Scan([]byte(c.entry)))
		require.Equal(t, c.want, About(c.log, &e), c.entry)
		require.True(t, MayTell(c.log, e.Bytes) || reflect.DeepEqual(c.want, Session{}) || dialect.IsOldCodex(&e), c.entry) // which is the first entry, and always read
	}
	require.False(t, MayTell(dialect.Grok, []byte(`{"update":{}}`)))
	for typ, want := range map[string]bool{"user": true, "queue-operation": true, "assistant": false, "progress": false} {
		var e entry.Entry
		require.True(t, e.Scan([]byte(`{"type":"`+typ+`"}`)))
		require.Equal(t, want, MayQueue(&e), typ)
	}
}
