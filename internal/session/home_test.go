package session

import (
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"iter"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"jl/test/scripttest"
)

// A tree is a home: the contents of files, by name.
type tree map[string]string

// open creates the home on the disk and opens it.
func (t tree) open(tb testing.TB) *Home {
	tb.Helper()
	dir := filepath.Join(tb.TempDir(), "home")
	require.NoError(tb, os.MkdirAll(filepath.Join(dir, "projects"), 0o777))
	for name, content := range t {
		file := filepath.Join(dir, name)
		require.NoError(tb, os.MkdirAll(filepath.Dir(file), 0o777))
		require.NoError(tb, os.WriteFile(file, []byte(content), 0o666))
	}
	h, err := openHome(dir, agentOf(dir))
	require.NoError(tb, err)
	tb.Cleanup(Homes{h}.Close)
	return h
}

// texts returns each member as its kind and name, and what is wrong with it. A place that
// cannot be read begins with "!".
func texts(members iter.Seq2[Member, *PlaceError]) []string {
	var all []string
	for m, err := range members {
		all = append(all, textOf(m, err))
	}
	return all
}

func textOf(m Member, err *PlaceError) string {
	if err != nil {
		return strings.TrimSpace("! "+err.Kind) + " " + reason(err)
	}
	s := m.Kind + " " + m.Name
	if m.Missing {
		s += " missing"
	}
	if m.Err != nil {
		s += ": " + reason(m.Err)
	}
	return s
}

// reason returns the text of err without what package os adds.
func reason(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return strings.Replace(err.Error(), e.Error(), e.Err.Error(), 1)
	}
	return err.Error()
}

// reasons returns the texts of errors.
func reasons(errs []*PlaceError) (texts []string) {
	for _, err := range errs {
		texts = append(texts, reason(err))
	}
	return texts
}

// logs returns the names of the logs of a home, and why folders could not be read.
func logs(h *Home) (names, wrong []string) {
	for _, log := range h.Logs() {
		names = append(names, log.Name)
	}
	return names, reasons(h.logs().closed(false))
}

var agentLine = func(id string) string { return `{"isSidechain":true,"sessionId":"` + id + `","type":"user"}` + "\n" }

var newLayout = tree{
	"projects/-w/" + one + ".jsonl":                                   "{}\n",
	"projects/-w/" + one + "/subagents/agent-a2.jsonl":                agentLine(one),
	"projects/-w/" + one + "/subagents/agent-a2.meta.json":            `{"toolUseId":"t"}`,
	"projects/-w/" + one + "/subagents/agent-a10.jsonl":               "",
	"projects/-w/" + one + "/subagents/workflows/w1/agent-deep.jsonl": "",
	"projects/-w/" + one + "/subagents/workflows/w1/journal.jsonl":    "",
	"projects/-w/" + one + "/tool-results/toolu_1.txt":                "x",
	"projects/-w/" + one + "/archived.json":                           "{}",
	"projects/-w/memory/MEMORY.md":                                    "",
	"projects/-w/" + two + ".jsonl":                                   "{}\n",
	"tasks/" + one + "/1.json":                                        "{}",
	"tasks/" + one + "/2.json":                                        "{}",
	"file-history/" + one + "/0123456789abcdef@v1":                    "old",
	"session-env/" + one + "/env.sh":                                  "",
	"image-cache/" + one + "/1.png":                                   "",
	"security/" + one + ".json":                                       "",
	"telemetry/1p_events." + one + "." + two + ".json":                "",
	"history.jsonl":      "",
	"plans/some-slug.md": "",
	"projects/-w-long/" + two + "/subagents/agent-b1.jsonl": "",
	"settings.json":                      "",
	"shell-snapshots/snapshot-bash-1.sh": "",
}

var oldLayout = tree{
	"projects/-w/" + one + ".jsonl":                "{}\n",
	"projects/-w/agent-0a.jsonl":                   agentLine(one),
	"projects/-w/agent-0b.jsonl":                   agentLine(two),
	"projects/-w/agent-0c.jsonl":                   "\x00\x00\n" + `{"type":"summary"}` + "\n" + agentLine(one),
	"projects/-w/agent-0c.meta.json":               "{}",
	"projects/-w/agent-0d.jsonl":                   "",
	"projects/-w/agent-0e.jsonl":                   `{"x":"` + strings.Repeat("y", 300<<10) + `"`,
	"projects/-elsewhere/agent-0f.jsonl":           agentLine(one),
	"todos/" + one + "-agent-" + one + ".json":     "[]",
	"todos/" + one + "-agent-0a.json":              "[]",
	"todos/" + two + "-agent-" + one + ".json":     "[]",
	"debug/" + one + ".txt":                        "",
	"debug/" + two + ".txt":                        "",
	"file-history/" + one + "/0123456789abcdef@v1": "",
	"file-history/" + one + "/0123456789abcdef@v2": "",
}

func TestMembers(t *testing.T) {
	own := "projects/-w/" + one
	tests := []struct {
		name string
		home tree
		id   string
		want []string
	}{
		{"new layout", newLayout, one, []string{
			"session " + own + ".jsonl",
			"other " + own + "/archived.json",
			"agent " + own + "/subagents/agent-a10.jsonl",
			"agent " + own + "/subagents/agent-a2.jsonl",
			"agent-meta " + own + "/subagents/agent-a2.meta.json",
			"agent " + own + "/subagents/workflows/w1/agent-deep.jsonl",
			"workflow " + own + "/subagents/workflows/w1/journal.jsonl",
			"tool-result " + own + "/tool-results/toolu_1.txt",
			"file-history file-history/" + one + "/0123456789abcdef@v1",
			"image image-cache/" + one + "/1.png",
			"security security/" + one + ".json",
			"session-env session-env/" + one + "/env.sh",
			"task tasks/" + one + "/1.json",
			"task tasks/" + one + "/2.json",
			"telemetry telemetry/1p_events." + one + "." + two + ".json",
		}},
		{"old layout", oldLayout, one, []string{
			"session " + own + ".jsonl",
			"agent projects/-w/agent-0a.jsonl",
			"agent projects/-w/agent-0c.jsonl",
			"agent-meta projects/-w/agent-0c.meta.json",
			"debug debug/" + one + ".txt",
			"file-history file-history/" + one + "/0123456789abcdef@v1",
			"file-history file-history/" + one + "/0123456789abcdef@v2",
			"todo todos/" + one + "-agent-0a.json",
			"todo todos/" + one + "-agent-" + one + ".json",
		}},
		{"its log is gone, agents may be anywhere", oldLayout, two, []string{
			"agent projects/-w/agent-0b.jsonl",
			"debug debug/" + two + ".txt",
			"todo todos/" + two + "-agent-" + one + ".json",
		}},
		{"in two folders", newLayout, two, []string{
			"session projects/-w/" + two + ".jsonl",
			"agent projects/-w-long/" + two + "/subagents/agent-b1.jsonl",
		}},
		{"compressed", tree{own + ".jsonl.zst": "", own + ".jsonl.gz": ""}, one, []string{
			"session " + own + ".jsonl.gz",
			"session " + own + ".jsonl.zst",
		}},
		{"an id that is not a UUID", tree{
			"projects/-w/demo.jsonl": "", "projects/-w/demo/x": "", "projects/-w/demonstration.jsonl": "",
			"todos/demo-agent-demo.json": "", "debug/demo.txt": "", "debug/demos.txt": "",
		}, "demo", []string{
			"session projects/-w/demo.jsonl",
			"other projects/-w/demo/x",
			"debug debug/demo.txt",
			"todo todos/demo-agent-demo.json",
		}},
		{"a directory that belongs to no session", newLayout, "memory", nil},
		{"none", newLayout, "33333333-3333-4333-8333-333333333333", nil},
		{"a way out", newLayout, "..", nil},
		{"a path", newLayout, "../-w/" + one, nil},
		{"no projects", tree{"todos/" + one + ".json": ""}, one, []string{"todo todos/" + one + ".json"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, test.want, texts(test.home.open(t).Members(test.id)))
		})
	}
}

func TestMembersStop(t *testing.T) {
	for _, home := range []tree{newLayout, oldLayout} {
		h := home.open(t)
		all := texts(h.Members(one))
		for n := range all {
			var some []string
			for m, err := range h.Members(one) {
				if some = append(some, textOf(m, err)); len(some) > n {
					break
				}
			}
			require.Equal(t, all[:n+1], some)
		}
	}
}

// find returns the ids of what a name may mean in a home.
func find(h *Home, name string) (ids []string, errs []*PlaceError) {
	found, errs := Homes{h}.Find(name, false)
	for _, m := range found {
		ids = append(ids, m.ID)
	}
	return ids, errs
}

func TestFind(t *testing.T) {
	const third = "22223333-2222-4222-8222-222222222222"
	home := tree{
		"projects/-w/" + one + ".jsonl": "", "projects/-x/" + two + ".jsonl": "", "projects/-w/22.jsonl": "",
		"file-history/" + third + "/a": "",
		"jobs/1111/state.json":         "", "sessions/111.json": "", "plans/2222-foo.md": "", "todos/222.json": "",
		"sessions/44.json": "", "debug/4.txt": "",
	}
	tests := []struct {
		name string
		want []string
	}{
		{one, []string{one}},
		{"1", nil},
		{"2222", []string{third, two}},
		{"22", []string{"22"}}, // the whole id wins
		{third, []string{third}},
		{"1111", []string{one}}, // other files begin so
		{"111", nil},            // too short for a beginning
		{"222", []string{"222"}},
		{"44", nil},
		{"4", []string{"4"}},
		{"3", nil},
		{"", nil},
		{"..", nil},
	}
	h := home.open(t)
	for _, test := range tests {
		got, errs := find(h, test.name)
		require.Empty(t, errs)
		if len(test.want) == 0 {
			require.Empty(t, got, "%q", test.name)
			continue
		}
		require.Equal(t, test.want, got, "%q", test.name)
	}
}

func TestOwnerOf(t *testing.T) {
	for name := range newLayout {
		want := ""
		for _, id := range []string{one, two} {
			if strings.Contains(name, id) && (want == "" || strings.Index(name, id) < strings.Index(name, want)) {
				want = id
			}
		}
		if name == "projects/-w/memory/MEMORY.md" {
			want = "memory" // a folder may hold other directories
		}
		require.Equal(t, want, newLayout.open(t).OwnerOf(name), name)
	}
	h := oldLayout.open(t)
	require.Equal(t, one, h.OwnerOf("projects/-w/agent-0a.jsonl"))
	require.Equal(t, two, h.OwnerOf("projects/-w/agent-0b.jsonl"))
	require.Equal(t, one, h.OwnerOf("projects/-w/agent-0c.meta.json"))
	require.Equal(t, "", h.OwnerOf("projects/-w/agent-0d.jsonl"))
	require.Equal(t, "", h.OwnerOf("projects/-w/agent-gone.jsonl"))
}

func TestUnattributed(t *testing.T) {
	var names []string
	for _, m := range oldLayout.open(t).Unattributed() {
		names = append(names, m.Kind+" "+m.Name)
	}
	require.Equal(t, []string{"agent projects/-w/agent-0d.jsonl", "agent projects/-w/agent-0e.jsonl"}, names)
}

// allIDs returns the ids of a home, and the texts of what is wrong.
func allIDs(h *Home) (ids, wrong []string) {
	ids, errs := h.AllIDs()
	return ids, reasons(errs)
}

func TestAllIDs(t *testing.T) {
	h := oldLayout.open(t)
	ids, errs := allIDs(h)
	require.Empty(t, errs)
	require.Equal(t, []string{one, two}, ids)
	require.True(t, h.HasLog(one))
	require.False(t, h.HasLog(two))
}

func TestName(t *testing.T) {
	h := newLayout.open(t)
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(h.dir, link))
	require.Equal(t, "tasks/x", h.Name(h.dir+"/debug/../tasks/x"))
	require.Equal(t, "tasks/x", h.Name(filepath.Join(h.dir, "tasks", "x")))
	require.Equal(t, "tasks/x", h.Name(filepath.Join(link, "tasks", "x")))
	require.Equal(t, "", h.Name(filepath.Dir(h.dir)))
	require.Equal(t, "", h.Name(h.dir))
	require.Equal(t, "", h.Name("/etc/passwd"))
	linked, errs := Open([]string{link})
	require.Empty(t, errs)
	defer linked.Close()
	require.Equal(t, "tasks/x", linked[0].Name(filepath.Join(h.dir, "tasks", "x")))
}

func TestPastes(t *testing.T) {
	h := tree{"history.jsonl": `{"sessionId":"` + one + `","pastedContents":{"1":{"contentHash":"b"},"2":{"contentHash":"a"}}}
{"sessionId":"` + one + `","pastedContents":{"1":{"contentHash":"b"},"2":{"content":"short"},"3":{"contentHash":"../../x"}}}
torn{
{"sessionId":"` + two + `","pastedContents":{"1":{"contentHash":"c"}}}
{"display":"old","pastedContents":{"1":{"contentHash":"d"}}}`}.open(t)
	pastes := func(h *Home, id string) []string {
		all := h.history()
		require.Nil(t, all.err)
		return all.pastes[id]
	}
	require.Equal(t, []string{"a", "b"}, pastes(h, one))
	require.Equal(t, []string{"c"}, pastes(h, two))
	require.Empty(t, pastes(tree{}.open(t), one))
}

// TestOpenHomes: a home is where its variable says, else at its usual place; one that is not there is no
// error, unless it was named.
func TestOpenHomes(t *testing.T) {
	user, moved := t.TempDir(), t.TempDir()
	t.Setenv("HOME", user)
	for _, a := range agents() {
		for _, variable := range a.variables {
			t.Setenv(variable, "")
		}
	}
	dirs := func(named ...string) (all []string, errs []*PlaceError) {
		homes, errs := Open(named)
		defer homes.Close()
		for _, h := range homes {
			all = append(all, h.agent.name+" "+h.dir)
		}
		return all, errs
	}
	all, errs := dirs()
	require.Empty(t, all)
	require.Empty(t, errs)
	for _, dir := range []string{".claude", ".codex", ".trae/cli", ".pi/agent"} {
		require.NoError(t, os.MkdirAll(filepath.Join(user, dir), 0o777))
	}
	require.NoError(t, os.MkdirAll(filepath.Join(moved, ".gemini/tmp/p/chats"), 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(user, ".qwen"), nil, 0o666))
	t.Setenv("GEMINI_CLI_HOME", moved)
	all, errs = dirs()
	require.Equal(t, []string{
		"claude " + user + "/.claude", "codex " + user + "/.codex", "gemini " + moved + "/.gemini", "pi " + user + "/.pi/agent", "trae " + user + "/.trae/cli",
	}, all)
	require.Len(t, errs, 1)
	require.ErrorIs(t, errs[0], syscall.ENOTDIR)
	t.Setenv("CLAUDE_CONFIG_DIR", moved+"/")
	all, _ = dirs()
	require.Equal(t, "claude "+moved, all[0])

	require.NoError(t, os.MkdirAll(filepath.Join(user, ".codex/archived_sessions"), 0o777))
	all, errs = dirs(user+"/.codex/", moved+"/.gemini", user+"/.claude", user+"/none")
	require.Equal(t, []string{"codex " + user + "/.codex", "gemini " + moved + "/.gemini", "claude " + user + "/.claude"}, all)
	require.Len(t, errs, 1)
	require.ErrorIs(t, errs[0], fs.ErrNotExist)

	require.NoError(t, os.Symlink(".claude", filepath.Join(user, ".openclaude")))
	all, _ = dirs(user+"/.openclaude", user+"/.claude/")
	require.Equal(t, []string{"claude " + user + "/.openclaude"}, all, "two names of one home")
	t.Setenv("CLAUDE_CONFIG_DIR", "")
	all, _ = dirs()
	require.Equal(t, "claude "+user+"/.claude", all[0])
	require.NotContains(t, all, "openclaude "+user+"/.openclaude")
	t.Setenv("CODEX_HOME", user+"/.claude")
	all, _ = dirs()
	require.Contains(t, all, "codex "+user+"/.claude", "a directory in which two agents keep their sessions")
}

// TestHostile puts a trap in every place that Members looks at.
func TestHostile(t *testing.T) {
	h := newLayout.open(t)
	outside := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(outside, []byte(agentLine(one)), 0o666))
	at := func(name string) string {
		file := filepath.Join(h.dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o777))
		require.NoError(t, os.RemoveAll(file))
		return file
	}
	own := "projects/-w/" + one
	require.NoError(t, os.Symlink(outside, at(own+".jsonl")))
	require.NoError(t, os.Symlink(filepath.Dir(outside), at(own+"/tool-results")))
	require.NoError(t, os.Symlink("agent-a2.jsonl", at(own+"/subagents/agent-a10.jsonl")))
	require.NoError(t, os.Symlink("nowhere", at(own+"/subagents/dangling")))
	require.NoError(t, os.RemoveAll(at(own+"/subagents/workflows")))
	require.NoError(t, syscall.Mkfifo(at("tasks/"+one+"/1.json"), 0o666))
	require.NoError(t, os.Symlink("/dev/zero", at("session-env/"+one)))
	require.NoError(t, syscall.Mkfifo(at("projects/-w/agent-fifo.jsonl"), 0o666))
	require.NoError(t, os.Symlink(outside, at("projects/-w/agent-link.jsonl")))
	require.NoError(t, os.Symlink(filepath.Dir(outside), at("todos")))
	require.NoError(t, os.Symlink(filepath.Dir(outside), at("projects/-link")))
	require.NoError(t, syscall.Mkfifo(at("history.jsonl"), 0o666))
	require.NoError(t, os.WriteFile(at("debug/"+one+"/"+strings.Repeat("d/", 40)+"x"), nil, 0o666))

	done := make(chan []string)
	go func() {
		require.Nil(t, h.history().err)
		done <- texts(h.Members(one))
	}()
	var got []string
	select {
	case got = <-done:
	case <-time.After(30 * time.Second):
		t.Fatal("it blocks")
	}
	const link = ": not read: a symbolic link, which is not followed"
	require.Equal(t, []string{
		"session " + own + ".jsonl",
		"other " + own + "/archived.json",
		"agent " + own + "/subagents/agent-a10.jsonl" + link,
		"agent " + own + "/subagents/agent-a2.jsonl",
		"agent-meta " + own + "/subagents/agent-a2.meta.json",
		"other " + own + "/subagents/dangling" + link,
		"tool-result " + own + "/tool-results" + link,
		"other debug/" + one + strings.Repeat("/d", deepest) + ": not read: too many nested directories",
		"file-history file-history/" + one + "/0123456789abcdef@v1",
		"image image-cache/" + one + "/1.png",
		"security security/" + one + ".json",
		"session-env session-env/" + one + link,
		"task tasks/" + one + "/1.json: not read: a named pipe",
		"task tasks/" + one + "/2.json",
		"telemetry telemetry/1p_events." + one + "." + two + ".json",
		"! todo todos" + link,
	}, got)
	names, errs := logs(h)
	require.Empty(t, errs)
	require.Equal(t, []string{own + ".jsonl", "projects/-w/" + two + ".jsonl"}, names)
	ids, wrong := find(h, "44444444-4444-4444-8444-444444444444")
	require.Empty(t, wrong)
	require.Empty(t, ids)
}

func TestOpen(t *testing.T) {
	h := newLayout.open(t)
	f, err := h.Open("projects/-w/" + one + "/tool-results/toolu_1.txt")
	require.NoError(t, err)
	b, err := io.ReadAll(f)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	require.Equal(t, "x", string(b))
	for _, name := range []string{"tasks", "../x", "/etc/passwd", "a\x00b", strings.Repeat("a", 5000), "nothing", ""} {
		_, err := h.Open(name)
		require.Error(t, err, "%q", name)
	}

	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o666))
	_, errs := Open([]string{pipe})
	require.ErrorIs(t, errs[0], syscall.ENOTDIR)
}

// TestReplaced opens a file that is replaced all the time.
func TestReplaced(t *testing.T) {
	h := tree{"debug/x": "old"}.open(t)
	name := filepath.Join(h.dir, "debug", "x")
	stop, stopped := make(chan bool), make(chan error)
	go func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				stopped <- nil
				return
			default:
			}
			aside := name + strconv.Itoa(i)
			if err := errors.Join(os.WriteFile(aside, []byte("new"), 0o666), os.Rename(aside, name)); err != nil {
				stopped <- err
				return
			}
		}
	}()
	seen := false
	for range 100_000 {
		f, err := h.Open("debug/x")
		if seen = errors.Is(err, errChanged); seen {
			break
		}
		require.NoError(t, err)
		require.NoError(t, f.Close())
	}
	close(stop)
	require.NoError(t, <-stopped)
	require.True(t, seen)
}

func TestIrregular(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, os.WriteFile(at("file"), []byte("four"), 0o666))
	require.NoError(t, os.Symlink("file", at("link")))
	require.NoError(t, syscall.Mkfifo(at("pipe"), 0o666))
	t.Chdir(dir) // the name of a socket must be short
	socket, err := net.Listen("unix", "socket")
	require.NoError(t, err)
	defer socket.Close()
	tests := []struct{ file, want string }{
		{at("file"), ""},
		{at("link"), "not read: a symbolic link, which is not followed"},
		{at("pipe"), "not read: a named pipe"},
		{at("socket"), "not read: a socket"},
		{dir, "not read: a directory"},
		{os.DevNull, "not read: a device"},
		{at("file/x"), "not read: not a directory"},
		{at("a\x00b"), "not read: invalid argument"},
		{at("gone"), "missing"},
	}
	for _, test := range tests {
		m := look(test.file)
		got := ""
		if m.Err != nil {
			require.True(t, isSkipped(m.Err))
			got = reason(m.Err)
		}
		if m.Missing {
			got = "missing"
		}
		require.Equal(t, test.want, got, test.file)
		require.Equal(t, test.want == "", m.Bytes == 4, test.file)
	}

	// A file where a directory should be.
	h := tree{"todos": "", "file-history/" + one: ""}.open(t)
	require.NoError(t, os.Remove(filepath.Join(h.dir, "projects")))
	require.NoError(t, os.WriteFile(filepath.Join(h.dir, "projects"), nil, 0o666))
	require.Equal(t, []string{
		"! other projects: not read: a regular file",
		"file-history file-history/" + one,
	}, texts(h.Members(one)))
	_, errs := logs(h)
	require.Equal(t, []string{"projects: not read: a regular file"}, errs)
	ids, errs := allIDs(h)
	require.Equal(t, []string{one}, ids)
	require.Equal(t, []string{"projects: not read: a regular file"}, errs)
	require.Equal(t, "", h.OwnerOf("projects/-w/agent-1.jsonl"))
	require.Empty(t, h.Unattributed(), "no folder has an agent")
	require.True(t, h.Stat("paste-cache/"+strings.Repeat("a", 256)).Missing, "no file can have that name")
	m := h.Stat("file-history/" + one + "/x")
	require.EqualError(t, m.Err, "not read: behind a regular file")
}

// TestStop: an iterator ends with its loop.
func TestStop(t *testing.T) {
	h := oldLayout.open(t)
	require.NoError(t, os.RemoveAll(filepath.Join(h.dir, "todos")))
	require.NoError(t, os.Symlink("debug", filepath.Join(h.dir, "todos")))
	got := ""
	for m, err := range h.Members(one) {
		if got = textOf(m, err); err != nil {
			break
		}
	}
	require.Equal(t, "! todo todos: not read: a symbolic link, which is not followed", got)
}

func TestPlans(t *testing.T) {
	h := tree{
		"plans/a-slug.md": "", "plans/a-slug-agent-1.md": "", "plans/a-slug.txt": "", "plans/a-slugs.md": "",
		"plans/" + one + ".md": "", "todos/a-slug.md": "",
	}.open(t)
	require.Equal(t, []string{"plans/a-slug-agent-1.md", "plans/a-slug.md"}, h.plans("a-slug"))
	require.Empty(t, h.plans("slug"))
}

// TestLinkedPlans: directories of files that only entries name are not passed over in silence if they are links.
func TestLinkedPlans(t *testing.T) {
	h := tree{"projects/-w/" + one + ".jsonl": "", "elsewhere/a-slug.md": ""}.open(t)
	for _, dir := range []string{"paste-cache", "plans"} {
		require.NoError(t, os.Symlink("elsewhere", filepath.Join(h.dir, dir)))
	}
	require.Equal(t, []string{
		"session projects/-w/" + one + ".jsonl",
		"! paste paste-cache: not read: a symbolic link, which is not followed",
		"! plan plans: not read: a symbolic link, which is not followed",
	}, texts(h.Members(one)))
}

func TestLogs(t *testing.T) {
	h := tree{
		"projects/-w/" + one + ".jsonl": "", "projects/-w/" + one + ".jsonl.zst": "", "projects/-w/x.jsonl.gz": "", "projects/-x/y.jsonl": "",
		"projects/-w/agent-a.jsonl": "", "projects/-w/x.txt": "", "projects/-w/d.jsonl/x": "", "projects/.DS_Store": "",
	}.open(t)
	names, errs := logs(h)
	require.Empty(t, errs)
	var ids []string
	for _, log := range names {
		ids = append(ids, idOf(log))
	}
	require.Equal(t, []string{one, one, "x", "y"}, ids)
	require.Equal(t, filepath.Join(h.dir, "projects", "-w"), h.Path("projects/-w"))
	require.Equal(t, "", h.OwnerOf("projects/-w"))
	require.Equal(t, "", h.OwnerOf("history.jsonl"))
	require.Equal(t, one, h.OwnerOf("projects/-w/"+one))
}

// pack returns a log compressed with zstd.
func pack(log string) string {
	w, _ := zstd.NewWriter(nil) // without options it does not fail
	return string(w.EncodeAll([]byte(log), nil))
}

// TestPacked has packed agents of the old layout: sound, damaged at once, and damaged
// after the entry that names the session.
func TestPacked(t *testing.T) {
	random := make([]byte, 1<<20)
	_, _ = rand.NewChaCha8([32]byte{}).Read(random)
	long := pack(agentLine(one) + hex.EncodeToString(random))
	h := tree{
		"projects/-w/" + one + ".jsonl": "", "projects/-w/agent-a.jsonl.zst": pack(agentLine(one)),
		"projects/-w/agent-b.jsonl": pack(agentLine(one))[:20], "projects/-w/agent-c.jsonl": long[:len(long)-10],
	}.open(t)
	got := texts(h.Members(one))
	require.Len(t, got, 4)
	require.Equal(t, []string{"session projects/-w/" + one + ".jsonl", "agent projects/-w/agent-a.jsonl.zst", "agent projects/-w/agent-c.jsonl"}, got[:3])
	require.Regexp(t, "^! projects/-w/agent-b.jsonl: damaged zstd data: ", got[3])
	require.Equal(t, got, texts(h.Members(one)))
	_, places := allIDs(h)
	require.Len(t, places, 1)
	found, errs := find(tree{"projects/-w/agent-a.jsonl": agentLine(two)}.open(t), two) // it has no other member
	require.Empty(t, errs)
	require.Equal(t, []string{two}, found)
}

func TestFirstSession(t *testing.T) {
	long := `{"a":"` + strings.Repeat("x", 300<<10) + `"`
	tests := []struct{ name, head, want string }{
		{"empty", "", ""},
		{"none", "{}\n[]\nrubbish\n", ""},
		{"on a later line", "{}\n\n" + agentLine(one) + agentLine(two), one},
		{"far", strings.Repeat("{}\n", 100<<10) + agentLine(one), one},
		{"behind a long member", long + `,"sessionId":"` + one + `"}`, one},
		{"in a line that is longer", `{"sessionId":"` + one + `",` + long[1:] + "}", one},
		{"in a line that is torn", `{"sessionId":"` + one + `"`, ""},
		{"not a UUID", `{"sessionId":"demo"}`, "demo"},
	}
	told := func(head string) beginning {
		file := filepath.Join(t.TempDir(), "log")
		require.NoError(t, os.WriteFile(file, []byte(head), 0o600))
		f, err := os.Open(file)
		return new(reader).beginning(f, nil, err)
	}
	for _, test := range tests {
		got := told(test.head)
		require.NoError(t, got.err, test.name)
		require.Equal(t, test.want, got.id, test.name)
	}
	err := told(strings.Repeat(`{"a":"`+strings.Repeat("x", 1000)+"\"}\n", 17_000) + agentLine(one)).err
	require.EqualError(t, err, "its first 16 MiB name no session")
}

// TestNoDirectory: a path in a directory that does not exist has no name in the home.
func TestNoDirectory(t *testing.T) {
	h := newLayout.open(t)
	require.Equal(t, "", h.Name(filepath.Join(h.dir, "none", "x")))
	gone, err := os.MkdirTemp("", "gone")
	require.NoError(t, err)
	t.Chdir(gone)
	require.NoError(t, os.Remove(gone))
	require.Equal(t, "", h.Name("x"))
	here := &Home{disk: disk{dir: "."}}
	require.Equal(t, "", here.Name(filepath.Join(h.dir, "x")))
}

func TestUnreadable(t *testing.T) {
	h := newLayout.open(t)
	denied := func(err error) {
		t.Helper()
		require.ErrorIs(t, err, os.ErrPermission)
		require.False(t, isSkipped(err))
	}
	shut := func(name string, mode os.FileMode) {
		t.Helper()
		name = filepath.Join(h.dir, name)
		info, err := os.Stat(name)
		require.NoError(t, err)
		require.NoError(t, os.Chmod(name, mode))
		t.Cleanup(func() { _ = os.Chmod(name, info.Mode().Perm()) }) // else it cannot be removed
	}
	own := "projects/-w/" + one
	shut(own+".jsonl", 0)
	shut(own+"/tool-results", 0)
	shut(own+"/subagents/workflows", 0)
	shut("tasks", 0)
	shut("plans", 0)
	shut("projects/-w-long", 0)
	scripttest.AsNobody(t, func() {
		denied(h.Stat(own + ".jsonl").Err)
		place := &PlaceError{Name: own + ".jsonl", Err: h.Stat(own + ".jsonl").Err}
		require.EqualError(t, place, own+".jsonl: permission denied")
		denied(h.Stat("tasks/" + one + "/1.json").Err)
		_, err := h.Open(own + "/tool-results/toolu_1.txt")
		denied(err)
		require.Equal(t, []string{
			"session " + own + ".jsonl: permission denied",
			"other " + own + "/archived.json",
			"agent " + own + "/subagents/agent-a10.jsonl",
			"agent " + own + "/subagents/agent-a2.jsonl",
			"agent-meta " + own + "/subagents/agent-a2.meta.json",
			"other " + own + "/subagents/workflows: permission denied",
			"other " + own + "/tool-results: permission denied",
			"! other projects/-w-long: permission denied",
			"file-history file-history/" + one + "/0123456789abcdef@v1",
			"image image-cache/" + one + "/1.png",
			"security security/" + one + ".json",
			"session-env session-env/" + one + "/env.sh",
			"telemetry telemetry/1p_events." + one + "." + two + ".json",
			"! plan plans: permission denied",
			"! task tasks: permission denied",
		}, texts(h.Members(one)))
		for m := range h.Members(one) { // the loop ends at a member that cannot be read
			if strings.HasSuffix(m.Name, "workflows") {
				break
			}
		}
		// Its log may lie in a folder that cannot be read.
		const third = "33333333-3333-4333-8333-333333333333"
		closed := []string{"! other projects/-w-long: permission denied", "! plan plans: permission denied", "! task tasks: permission denied"}
		require.Equal(t, closed, texts(h.Members(third)))
		for m, err := range h.Members(third) {
			require.Equal(t, closed[0], textOf(m, err))
			break
		}
		_, errs := logs(h)
		require.Equal(t, []string{"projects/-w-long: permission denied"}, errs)
		_, errs = allIDs(h)
		require.Equal(t, []string{"projects/-w-long: permission denied", "plans: permission denied", "tasks: permission denied"}, errs)
		ids, wrong := find(h, "unknown")
		require.Contains(t, reasons(wrong), "projects/-w-long: permission denied")
		require.Empty(t, ids)
		_, wrong = Open([]string{filepath.Join(h.dir, "tasks", one)})
		require.ErrorIs(t, wrong[0], os.ErrPermission)
	})

	// A home whose directories can be entered but not listed.
	h = newLayout.open(t)
	shut("history.jsonl", 0)
	shut("projects", 0o111)
	shut(".", 0o111)
	scripttest.AsNobody(t, func() {
		require.Equal(t, []string{"! other projects: permission denied", "! other .: permission denied"}, texts(h.Members(one)))
		for range h.Members(one) {
			break
		}
		require.Empty(t, h.plans("some-slug"))
		ids, wrong := find(h, one)
		denied(wrong[0])
		require.Empty(t, ids)
		ids, errs := allIDs(h)
		require.Equal(t, []string{"projects: permission denied", ".: permission denied"}, errs)
		require.Empty(t, ids)
		require.False(t, h.HasLog(one))
		err := h.history().err
		denied(err)
	})
}

// TestReadObject: what a small file holds besides one object is reported.
func TestReadObject(t *testing.T) {
	dir := t.TempDir()
	h, err := openHome(dir, &agents()[0])
	require.NoError(t, err)
	defer Homes{h}.Close()
	for text, want := range map[string]string{
		"{\n\"a\": 1}\n":                    "",
		"":                                  "not a JSON object",
		"[]":                                "not a JSON object",
		`{"a":1`:                            "not a JSON object",
		`{"a":1}{}`:                         "not a JSON object",
		strings.Repeat(" ", 1<<20-2) + "{}": "",
		strings.Repeat(" ", 1<<20-1) + "{}": "more than 1 MiB",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "o.json"), []byte(text), 0o600))
		object, err := h.ReadObject("o.json")
		if want == "" {
			require.NoError(t, err)
			require.True(t, object.IsObject())
			continue
		}
		require.EqualError(t, err, want)
		require.Nil(t, object)
	}
	_, err = h.ReadObject("gone.json")
	require.ErrorIs(t, err, fs.ErrNotExist)
}
