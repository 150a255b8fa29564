package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/log"
	"jl/test/program"
)

const real = "../../../shared/real"

type object = map[string]any

// A plainHistory is the file history of a path. It is the rules once more, written without
// regard to speed, for logs that Claude Code wrote.
type plainHistory struct {
	shots  []object // the merged snapshots, with what deltas change
	loose  []object // deltas whose snapshot is not on the path
	all    object   // a key for each path that the log tracks
	deltas bool     // a delta changes one of shots
}

func readPlain(text []byte, path []string) plainHistory {
	h := plainHistory{all: object{}}
	stored := map[string]object{}
	var deltas []object
	for l := range bytes.Lines(text) {
		var e object
		if json.Unmarshal(l, &e) != nil {
			continue
		}
		id, _ := e["messageId"].(string)
		switch e["type"] {
		case "file-history-snapshot":
			stored[id] = e
			for path := range e["snapshot"].(object)["trackedFileBackups"].(object) {
				h.all[path] = true
			}
		case "file-history-delta":
			h.all[e["trackingPath"].(string)] = true
			if slices.Contains(path, id) {
				deltas = append(deltas, e)
			}
		}
	}
	for _, id := range path {
		s, ok := stored[id]["snapshot"].(object)
		if !ok {
			continue
		}
		at := h.find(s["messageId"])
		if at < 0 || stored[id]["isSnapshotUpdate"] != true {
			h.shots = append(h.shots, s)
		} else {
			h.shots[at] = s
		}
	}
	for _, d := range deltas {
		if at := h.find(d["snapshotMessageId"]); at >= 0 {
			h.deltas = true
			h.shots[at]["trackedFileBackups"].(object)[d["trackingPath"].(string)] = d["backup"]
		} else {
			h.loose = append(h.loose, d)
		}
	}
	return h
}

// find returns the index of the last snapshot with the messageId, -1 if there is none.
func (h *plainHistory) find(id any) int {
	for i, s := range slices.Backward(h.shots) {
		if s["messageId"] == id {
			return i
		}
	}
	return -1
}

// state returns the backups at the moment of snapshot i by path; nil if there is none.
func (h *plainHistory) state(i int) object {
	state := object{}
	for path := range h.all {
		state[path] = nil
	}
	for _, s := range slices.Backward(h.shots) {
		for path, backup := range s["trackedFileBackups"].(object) {
			if backup.(object)["version"] == 1.0 {
				state[path] = backup
			}
		}
	}
	for _, d := range h.loose {
		if path := d["trackingPath"].(string); state[path] == nil {
			state[path] = d["backup"]
		}
	}
	for path, backup := range h.shots[i]["trackedFileBackups"].(object) {
		state[path] = backup
	}
	return state
}

// TestSharedSessions reads real sessions, if there are any: the merged snapshots at each
// leaf are those of readPlain. Without deltas they are the logged bytes. The rows at each
// snapshot of the path are its state.
func TestSharedSessions(t *testing.T) {
	if _, err := os.Stat(real); err != nil {
		t.Skip("no shared sessions: ", err)
	}
	total := 0
	require.NoError(t, filepath.WalkDir(real, func(name string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".jsonl" {
			return err
		}
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		src := bytes.NewReader(text)
		tr, err := log.Read(src, src.Size(), log.Reading{}, nil)
		require.NoError(t, err)
		ids := func(leaf log.Node) (ids []string) {
			for _, n := range tr.Path(leaf, log.Options{}).Nodes {
				ids = append(ids, tr.ID(n))
			}
			return ids
		}
		for _, leaf := range tr.Leaves {
			want := readPlain(text, ids(leaf))
			lines := output(t, "-l", tr.ID(leaf), name)
			require.Len(t, lines, len(want.shots), name)
			for i, l := range lines {
				require.True(t, want.deltas || bytes.Contains(text, []byte(`"snapshot":`+l)), name)
				require.Equal(t, want.shots[i], decode(t, l), name)
			}
			total += len(want.shots)
		}
		path := ids(log.None)
		want := readPlain(text, path)
		for i, s := range want.shots {
			id, _ := s["messageId"].(string)
			if slices.Contains(path, id) && (i < 3 || i > len(want.shots)-3) {
				checkRows(t, want.state(i), output(t, "--files", "--home", t.TempDir(), "-l", id, name))
			}
		}
		return nil
	}))
	require.Positive(t, total)
}

// checkRows checks the rows of a log whose backups are gone.
func checkRows(t *testing.T, want object, rows []string) {
	require.Len(t, rows, len(want))
	for _, r := range rows {
		row := decode(t, r)
		if want[row["path"].(string)] == nil {
			require.Equal(t, "untouched", row["state"])
			continue
		}
		f := want[row["path"].(string)].(object)
		require.Equal(t, []any{f["backupFileName"], f["version"], f["backupTime"]}, []any{row["backup"], row["version"], row["backupTime"]})
		require.Equal(t, map[bool]string{true: "absent", false: "pruned"}[f["backupFileName"] == nil], row["state"])
	}
}

// A rewind is what Claude Code's rewind to a message left of each file.
type rewind struct {
	home, session, message string
	left                   map[string]string // by path
}

// rewinds reads the recorded rewinds, if there are any.
func rewinds(t *testing.T) (all []*rewind) {
	f, err := os.Open(filepath.Join(real, "fresh/rewind.tsv"))
	if err != nil {
		t.Skip("no recorded rewinds: ", err)
	}
	defer f.Close()
	tsv := csv.NewReader(f)
	tsv.Comma = '\t'
	rows, err := tsv.ReadAll()
	require.NoError(t, err)
	for _, r := range rows[1:] {
		if n := len(all); n == 0 || all[n-1].message != r[2] {
			all = append(all, &rewind{r[0], r[1], r[2], map[string]string{}})
		}
		all[len(all)-1].left[r[3]] = r[4]
	}
	return all
}

// TestRewinds compares the states that jlsnap lists and restores with what Claude Code's
// own rewind left.
func TestRewinds(t *testing.T) {
	rewound, refused := 0, 0
	for _, r := range rewinds(t) {
		home := filepath.Join(real, "fresh/homes", r.home)
		logs, err := filepath.Glob(filepath.Join(home, "projects/*", r.session+".jsonl"))
		require.NoError(t, err)
		require.Len(t, logs, 1)
		for _, as := range [][]string{nil, {"--as", "claude-2.1"}} {
			if as == nil && r.left["-"] == "refused" {
				continue // the suite's own rules take any entry
			}
			args := slices.Concat(as, []string{"--home", home, "-l", r.message, logs[0]})
			require.Equal(t, r.left, listed(t, args), "%s %s %v", r.home, r.message, as)
			require.Equal(t, r.left, restored(t, args, r.left), "%s %s %v", r.home, r.message, as)
		}
		if r.left["-"] == "refused" {
			refused++
		} else {
			rewound++
		}
	}
	require.Positive(t, rewound)
	require.Positive(t, refused)
	t.Logf("%d rewound, %d refused", rewound, refused)
}

// listed returns what jlsnap --files says in the words of [rewind].
func listed(t *testing.T, args []string) map[string]string {
	out, errs, status := program.Run(about, run, "", append(args, "--files")...)
	if status == 1 {
		require.Empty(t, out)
		require.Regexp(t, `^jlsnap: [^\n]*\n$`, errs)
		return map[string]string{"-": "refused"}
	}
	require.Zero(t, status, errs)
	left := map[string]string{}
	for l := range strings.Lines(out) {
		row := decode(t, l)
		state := row["state"].(string)
		switch state {
		case "absent":
			state = "removed"
		case "ok":
			state = contentOf(t, row["backupPath"].(string))
		}
		left[row["path"].(string)] = state
	}
	return left
}

// restored does jlsnap --restore into a directory that has every file of want, and returns
// what it makes of each, in the words of [rewind].
func restored(t *testing.T, args []string, want map[string]string) map[string]string {
	const before = "before the rewind"
	dir := t.TempDir()
	for path := range want {
		name := filepath.Join(dir, path)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
		require.NoError(t, os.WriteFile(name, []byte(before), 0o600))
	}
	_, errs, status := program.Run(about, run, "", append(args, "--restore", dir, "--force")...)
	if status == 1 {
		return map[string]string{"-": "refused"}
	}
	require.Zero(t, status, errs)
	left := map[string]string{}
	for path := range want {
		b, err := os.ReadFile(filepath.Join(dir, path))
		require.NoError(t, err)
		switch {
		case string(b) != before:
			left[path] = contentOf(t, filepath.Join(dir, path))
		case strings.Contains(errs, `"`+path+`" did not exist then; it is left in `+dir+"\n"):
			left[path] = "removed"
		default:
			left[path] = "untouched"
		}
	}
	return left
}

func contentOf(t *testing.T, name string) string {
	b, err := os.ReadFile(name)
	require.NoError(t, err)
	sum := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(sum[:])
}

func output(t *testing.T, args ...string) []string {
	out, errs, _ := program.Run(about, run, "", args...)
	require.NotContains(t, errs, "skipped")
	if out == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(out, "\n"), "\n")
}

func decode(t *testing.T, s string) object {
	var v object
	require.NoError(t, json.Unmarshal([]byte(s), &v))
	return v
}
