package operand

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/cli"
	"jl/internal/session"
	"jl/test/scripttest"
)

// TestResolveWithClosedFolder: another log of the session, maybe a newer one, may be in a folder
// that cannot be read, or cannot be looked at.
func TestResolveWithClosedFolder(t *testing.T) {
	const id = "11111111-1111-4111-8111-111111111111"
	inDir(t, nil)
	for _, folder := range []string{"home/projects/-a/", "home/projects/-b/"} {
		require.NoError(t, os.MkdirAll(folder, 0o755))
		require.NoError(t, os.WriteFile(folder+id+".jsonl", []byte(lineA), 0o644))
	}
	resolve := func(c *cli.Command) {
		path, ok := (&Options{Home: []string{"home"}}).Resolve(c, "1111")
		require.True(t, ok)
		require.Equal(t, "home/projects/-a/"+id+".jsonl", path)
	}
	t.Cleanup(func() { _ = os.Chmod("home/projects/-b", 0o755) }) // else it cannot be removed
	for mode, want := range map[os.FileMode]string{
		0:     "jlx: home/projects/-b: permission denied\n",
		0o644: "jlx: home/projects/-b/" + id + ".jsonl: permission denied\n",
	} {
		require.NoError(t, os.Chmod("home/projects/-b", mode))
		scripttest.AsNobody(t, func() {
			stderr, status := run(nil, resolve)
			require.Equal(t, want, stderr)
			require.Equal(t, 2, status)
		})
	}
}

// TestHomesAreWalkedOnce: thousands of operands take one walk of the homes, so what appears there later is
// not seen.
func TestHomesAreWalkedOnce(t *testing.T) {
	const id = "11111111-1111-4111-8111-111111111111"
	inDir(t, nil)
	folder := "home/projects/-a/"
	require.NoError(t, os.MkdirAll(folder, 0o755))
	require.NoError(t, os.WriteFile(folder+id+".jsonl", []byte(lineA), 0o644))
	_, _ = run(nil, func(c *cli.Command) {
		o := &Options{Home: []string{"home"}}
		_, ok := o.Resolve(c, "1111")
		require.True(t, ok)
		require.NoError(t, os.WriteFile(folder+"2"+id[1:]+".jsonl", []byte(lineA), 0o644))
		_, ok = o.Resolve(c, "2111")
		require.False(t, ok)
		_, ok = (&Options{Home: []string{"home"}}).Resolve(c, "2111")
		require.True(t, ok)
	})
}

// TestJoinedFailure: a log that cannot be read costs none of the others.
func TestJoinedFailure(t *testing.T) {
	const id = "11111111-1111-4111-8111-111111111111"
	inDir(t, map[string]string{})
	require.NoError(t, os.MkdirAll("home/archived_sessions", 0o755))
	var logs []session.Member
	homes, _ := session.Open([]string{"home"})
	t.Cleanup(homes.Close)
	for i, content := range []string{lineA[:20], "(\xb5/\xfd damaged", lineB} {
		name := fmt.Sprintf("archived_sessions/rollout-%d-%s.jsonl", i, id)
		require.NoError(t, os.WriteFile("home/"+name, []byte(content), 0o644))
		logs = append(logs, session.Member{Home: homes[0], Name: name})
	}
	logs = append(logs, session.Member{Home: homes[0], Name: "archived_sessions/gone.jsonl"})
	text, err := io.ReadAll(&joined{logs: logs})
	require.Error(t, err)
	require.Equal(t, lineA[:20]+"\n"+lineB, string(text))
}

// TestRevert: the id of a thread of Codex means its newest log, byte for byte, unless the program reads it together
// with what it goes on from; then each line is placed in the log that has it.
func TestRevert(t *testing.T) {
	const (
		id     = "11111111-1111-4111-8111-111111111111"
		first  = `{"type":"session_meta","ordinal":0,"payload":{"id":"` + id + `"}}` + "\n" + `{"type":"event_msg","ordinal":1,"payload":{}}`
		second = `{"type":"session_meta","ordinal":1,"payload":{"id":"` + id + `","history_base":{"thread_id":"` + id + `","end_ordinal_exclusive":1}}}` + "\n{\n{}\n"
		old    = "home/archived_sessions/rollout-2026-01-01T00-00-00-" + id + ".jsonl"
		newest = "home/archived_sessions/rollout-2026-01-02T00-00-00-" + id + "_21111111-1111-4111-8111-111111111111.jsonl"
	)
	inDir(t, nil)
	require.NoError(t, os.MkdirAll("home/archived_sessions", 0o755))
	require.NoError(t, os.WriteFile(old, []byte(first), 0o644))
	require.NoError(t, os.WriteFile(newest, []byte(second), 0o644))
	for _, tt := range []struct {
		name     string
		above    bool
		text     string
		messages string
	}{
		{"1111", false, second, "jlx: " + newest + ": its beginning is in another log, of session " + id +
			": the entries with an ordinal below 1; jlpath --through goes on there\n"},
		{newest, false, second, ""},
		{"1111", true, first + "\n" + second, ""},
		{newest, true, first + "\n" + second, ""},
		{old, true, first, ""},
	} {
		var lines string
		stderr, status := run(nil, func(c *cli.Command) {
			Each(c, &Options{Home: []string{"home"}, Above: tt.above, Files: []string{tt.name}}, false, func(f *File) {
				text, err := io.ReadAll(f.Source)
				require.NoError(t, err)
				require.Equal(t, tt.text, string(text), tt.name)
				lines = f.place(2).String() + " " + f.place(int64(strings.Count(tt.text, "\n"))).String()
			})
		})
		require.Zero(t, status)
		require.Equal(t, tt.messages, stderr, tt.name)
		want := newest + ":2 " + newest + ":3"
		switch {
		case tt.name == old:
			want = old + ":2 " + old + ":1"
		case tt.above:
			want = old + ":2 " + newest + ":3"
		}
		require.Equal(t, want, lines, tt.name)
	}
}
