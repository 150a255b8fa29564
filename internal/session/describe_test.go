package session

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/record"
	"jl/internal/says"
)

// codexHome opens a home of Codex. The names of its logs are those of one day.
func codexHome(t *testing.T, logs map[string]string) *Home {
	files := tree{}
	for name, log := range logs {
		files[".codex/sessions/2026/01/02/rollout-2026-01-02T00-00-00-"+name+".jsonl"] = log
	}
	homes, errs := Open([]string{files.open(t).Path(".codex")})
	require.Empty(t, errs)
	t.Cleanup(homes.Close)
	return homes[0]
}

// farther is an entry of a log of Codex that is longer than what is read of an end.
var farther = `{"timestamp":"2026-01-02T00:00:05Z","type":"world_state","payload":{"x":"` + strings.Repeat("x", endSize) + `"}}` + "\n"

// TestMiddle: a prompt that is far from both ends names a session that nothing else names.
func TestMiddle(t *testing.T) {
	meta := `{"type":"session_meta","payload":{"id":"` + one + `","cwd":"/w"}}` + "\n"
	prompt := `{"timestamp":"2026-01-02T00:00:06Z","type":"event_msg","payload":{"type":"user_message","message":"in the middle"}}` + "\n"
	h := codexHome(t, map[string]string{one: meta + farther + farther + prompt + farther})
	all, errs := Homes{h}.List(Filter{Until: math.MaxInt64})
	require.Empty(t, errs)
	require.Len(t, all, 1)
	require.Equal(t, "in the middle", rowOf(t, all[0]).Summary)
}

// TestTornTail: of a line at the end of a long log that holds two entries, both tell when the session ended. The line that
// the end begins in the middle of is not damaged.
func TestTornTail(t *testing.T) {
	meta := `{"type":"session_meta","payload":{"id":"` + one + `","cwd":"/w"}}` + "\n"
	at := func(second string) string {
		return `{"timestamp":"2026-01-02T00:00:` + second + `Z","type":"event_msg","payload":{"type":"user_message","message":"x"}}`
	}
	h := codexHome(t, map[string]string{one: meta + at("01") + "\n" + farther + at("07") + at("08") + "\n"})
	all, errs := Homes{h}.List(Filter{Until: math.MaxInt64})
	require.Empty(t, errs)
	require.Len(t, all, 1)
	var row record.Session
	require.NoError(t, json.Unmarshal(all[0].Row, &row))
	require.Equal(t, time.Date(2026, 1, 2, 0, 0, 8, 0, time.UTC).UnixMilli(), *row.LastTimestamp)
}

// TestCarrying: an id that only the end of a long log names leads to that log.
func TestCarrying(t *testing.T) {
	far := `{"type":"x","x":"` + strings.Repeat("x", endSize) + `"}` + "\n"
	name := "projects/-w/" + one + ".jsonl"
	h := tree{name: `{"type":"user","uuid":"a","sessionId":"` + one + `"}` + "\n" + far + `{"type":"user","uuid":"b","sessionId":"` + two + `"}` + "\n"}.open(t)
	found, errs := Homes{h}.Find(two, false)
	require.Empty(t, errs)
	require.Equal(t, []Match{{Home: h, ID: two, Log: name}}, found)
}

// TestRankOfUnread: a log that cannot be read comes behind one that says nothing, however new it is.
func TestRankOfUnread(t *testing.T) {
	h := tree{"projects/-w/" + one + ".jsonl": ""}.open(t)
	empty := Member{Home: h, Session: one, Name: "projects/-w/" + one + ".jsonl", Time: time.UnixMilli(1)}
	unread := Member{Home: h, Session: one, Name: "projects/-x/" + one + ".jsonl", Time: time.UnixMilli(2), Err: errors.New("not read")}
	logs := []Member{unread, empty}
	Rank(logs)
	require.Equal(t, []string{empty.Name, unread.Name}, []string{logs[0].Name, logs[1].Name})
}

// TestBeginning: a log that goes on from one that goes on from another begins with both, the oldest first.
func TestBeginning(t *testing.T) {
	const three = "33333333-3333-4333-8333-333333333333"
	meta := func(base string) string {
		return `{"type":"session_meta","payload":{"id":"` + one + `","cwd":"/w"` + base + `}}` + "\n"
	}
	from := func(log string) string {
		return `,"history_base":{"thread_id":"` + log + `","end_ordinal_exclusive":3}`
	}
	h := codexHome(t, map[string]string{one: meta(""), two: meta(from(one)), three: meta(from(two))})
	m := h.Stat("sessions/2026/01/02/rollout-2026-01-02T00-00-00-" + three + ".jsonl")
	b := m.Beginning()
	require.Equal(t, []string{one, "3"}, []string{b.Session, b.Above})
	require.Len(t, b.Logs, 2)
	require.Contains(t, b.Logs[0].Name, one)
	require.Contains(t, b.Logs[1].Name, two)
}

// TestLastCwd: what a log tells more than once counts as it was told last.
func TestLastCwd(t *testing.T) {
	context := func(cwd, model string) string {
		return `{"timestamp":"2026-01-02T00:00:06Z","type":"turn_context","payload":{"cwd":"` + cwd + `","model":"` + model + `"}}` + "\n"
	}
	h := codexHome(t, map[string]string{one: `{"type":"session_meta","payload":{"id":"` + one + `","cwd":"/v"}}` + "\n" + context("/w", "m") + context("/x", "n") +
		`{"timestamp":"2026-01-02T00:00:06Z","type":"event_msg","payload":{"type":"user_message","message":"x"}}` + "\n"})
	all, errs := Homes{h}.List(Filter{Until: math.MaxInt64})
	require.Empty(t, errs)
	require.Len(t, all, 1)
	var row record.Session
	require.NoError(t, json.Unmarshal(all[0].Row, &row))
	require.Equal(t, []string{`"/x"`, `"n"`}, []string{string(row.Cwd), string(row.Model)})
}

// TestLastBranch: a session is on the branch that its log tells last.
func TestLastBranch(t *testing.T) {
	entry := func(branch string) string {
		return `{"type":"user","uuid":"a","sessionId":"` + one + `","gitBranch":"` + branch + `","timestamp":"2026-01-02T00:00:06Z","message":{"content":"x"}}` + "\n"
	}
	all, errs := Homes{tree{"projects/-w/" + one + ".jsonl": entry("main") + entry("side")}.open(t)}.List(Filter{Until: math.MaxInt64})
	require.Empty(t, errs)
	require.Len(t, all, 1)
	var row record.Session
	require.NoError(t, json.Unmarshal(all[0].Row, &row))
	require.Equal(t, `"side"`, string(row.GitBranch))
}

// TestSelect: a filter selects what was changed or begun since a time, and what was in a worktree of the directory, which
// another log may tell.
func TestSelect(t *testing.T) {
	selected := func(f Filter, briefs ...*Brief) (ids []string) {
		require.NoError(t, f.Resolve())
		found, _ := f.apply(briefs, make([][]*PlaceError, len(briefs)))
		for _, b := range found {
			ids = append(ids, b.ID)
		}
		return ids
	}
	require.Equal(t, []string{"b", "c"}, selected(Filter{Since: 3, Until: 9}, &Brief{ID: "a", last: 2, begun: 1}, &Brief{ID: "b", last: 4, begun: 1}, &Brief{ID: "c", last: 1, begun: 5}, nil))
	require.Equal(t, []string{"a"}, selected(Filter{Since: 0, Until: 3}, &Brief{ID: "a", last: 9, begun: 3}, &Brief{ID: "b", last: 4, begun: 4}))
	moved := &Brief{ID: "a", cwd: "/no/tree", worktree: [2]string{"/no/tree", "/no/main"}}
	require.Equal(t, []string{"a", "b"}, selected(Filter{Cwd: "/no/main", Until: 9}, moved, &Brief{ID: "b", cwd: "/no/tree"}, &Brief{ID: "c", cwd: "/no/other"}))
}

// TestLostByIndex: an index of a folder names logs that are gone, in that folder.
func TestLostByIndex(t *testing.T) {
	h := tree{"projects/-w/sessions-index.json": `{"entries":[{"sessionId":"` + two + `"},{"sessionId":"../x"}]}`}.open(t)
	lost := h.Lost()
	require.Len(t, lost, 1)
	require.Equal(t, []string{two, "projects/-w/" + two + ".jsonl"}, []string{lost[0].Session, lost[0].Name})
	require.True(t, lost[0].Missing)
}

// TestMerge: of two titles the last counts, unless the one before has a higher rank.
func TestMerge(t *testing.T) {
	var s says.Session
	for _, title := range []struct {
		text string
		rank dialect.Rank
		want string
	}{{`"a"`, dialect.ByClient, `"a"`}, {`"b"`, dialect.ByClient, `"b"`}, {`"c"`, dialect.ByUser, `"c"`}, {`"d"`, dialect.ByClient, `"c"`}} {
		merge(&s, says.Session{Title: entry.Value(title.text), Rank: title.rank})
		require.Equal(t, title.want, string(s.Title))
	}
}

// TestFirstVariable: of the variables that name a home the first one that is set does.
func TestFirstVariable(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOME", filepath.Join(dir, "nobody"))
	for _, a := range models() {
		for _, name := range a.variables {
			t.Setenv(name, "")
		}
	}
	for _, name := range []string{"runtime", "home"} {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, name), 0o777))
	}
	open := func() string {
		homes, errs := Open(nil)
		require.Empty(t, errs)
		defer homes.Close()
		return homes.String()
	}
	t.Setenv("QWEN_HOME", filepath.Join(dir, "home"))
	require.Equal(t, filepath.Join(dir, "home"), open())
	t.Setenv("QWEN_RUNTIME_DIR", filepath.Join(dir, "runtime"))
	require.Equal(t, filepath.Join(dir, "runtime"), open())
}

// TestLabels: of several homes of an agent the second one has a number.
func TestLabels(t *testing.T) {
	user := t.TempDir()
	t.Setenv("HOME", user)
	for _, a := range models() {
		for _, name := range a.variables {
			t.Setenv(name, "")
		}
	}
	for _, name := range []string{".kimi-code", ".kimi"} {
		require.NoError(t, os.MkdirAll(filepath.Join(user, name), 0o777))
	}
	homes, errs := Open(nil)
	require.Empty(t, errs)
	defer homes.Close()
	require.Len(t, homes, 2)
	require.Equal(t, []string{"kimi", "kimi-2"}, []string{homes[0].Label(), homes[1].Label()})
}

// TestTopOf: the session of a sub-agent of a sub-agent is that of the uppermost, and a cycle has an end.
func TestTopOf(t *testing.T) {
	all := loose{parents: map[string]string{"c": "b", "b": "a", "x": "y", "y": "x"}}
	for id, want := range map[string]string{"c": "a", "b": "a", "a": "a", "x": "x"} {
		require.Equal(t, want, all.topOf(id), id)
	}
}

// TestFirstOfShort: a job whose state names no session belongs to the first one whose id begins as its name.
func TestFirstOfShort(t *testing.T) {
	const first, second = "77777777-0000-4000-8000-000000000001", "77777777-0000-4000-8000-000000000002"
	h := tree{"projects/-w/" + first + ".jsonl": "", "projects/-w/" + second + ".jsonl": "", "jobs/77777777/output.txt": ""}.open(t)
	require.Equal(t, first, h.OwnerOf("jobs/77777777"))
}

// TestOwnerOfCopies: a plan belongs once to a session that has two logs.
func TestOwnerOfCopies(t *testing.T) {
	log := `{"type":"user","uuid":"a","slug":"owl","sessionId":"` + one + `"}` + "\n"
	h := tree{"plans/owl.md": "x", "projects/-a/" + one + ".jsonl": log, "projects/-b/" + one + ".jsonl": log}.open(t)
	ids, unread, err := h.owners(h.Path("plans/owl.md"))
	require.NoError(t, err)
	require.Empty(t, unread)
	require.Equal(t, []string{one}, ids)
}
