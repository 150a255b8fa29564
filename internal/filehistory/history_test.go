package filehistory

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
	"jl/internal/log"
	"jl/test/drawn"
)

// snapshotLog writes one line for each word of a drawing:
//
//	a-b     the user entry b below a; -a the root a
//	full:a:x   a full snapshot of a named a, with the timestamp x
//	upd:b:a:x  an update of b for the snapshot a
//	of:b:a:x   a full snapshot of b for the snapshot a
//	new:b:a:x  a delta of b for the snapshot a
func snapshotLog(drawing string) string {
	var b strings.Builder
	for _, word := range strings.Fields(drawing) {
		p := strings.Split(word, ":")
		switch p[0] {
		case "full":
			fmt.Fprintf(&b, `{"type":"file-history-snapshot","messageId":%q,"snapshot":{"messageId":%[1]q,"trackedFileBackups":{},"timestamp":%q},"isSnapshotUpdate":false}`, p[1], p[2])
		case "upd":
			fmt.Fprintf(&b, `{"type":"file-history-snapshot","messageId":%q,"snapshot":{"messageId":%q,"trackedFileBackups":{},"timestamp":%q},"isSnapshotUpdate":true}`, p[1], p[2], p[3])
		case "of":
			fmt.Fprintf(&b, `{"type":"file-history-snapshot","messageId":%q,"snapshot":{"messageId":%q,"trackedFileBackups":{},"timestamp":%q},"isSnapshotUpdate":false}`, p[1], p[2], p[3])
		case "new":
			fmt.Fprintf(&b, `{"type":"file-history-delta","messageId":%q,"snapshotMessageId":%q,"timestamp":%q,"trackingPath":"f","backup":{}}`, p[1], p[2], p[3])
		default:
			parent, id, _ := strings.Cut(word, "-")
			fmt.Fprintf(&b, `{"type":"user","uuid":%q,"parentUuid":%q}`, id, parent)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// nodeOf returns the node of an id, or None.
func nodeOf(t *log.Log, id string) log.Node { return t.Find([]string{id})[id].Node }

// mergedOf returns the history of the path that ends at leaf: the timestamps of the
// snapshots, each with its node before it and its deltas after it; and the remarks.
func mergedOf(t *testing.T, text, leaf string) (merged, remarks string) {
	src := strings.NewReader(text)
	tr, err := log.Read(src, src.Size(), log.Reading{}, nil)
	require.NoError(t, err)
	h := Read(tr, tr.Path(nodeOf(tr, leaf), log.Options{}).Nodes)
	require.NoError(t, tr.Err())
	value := func(x entry.Pos) entry.Value { return entry.Value(tr.EntryAt(x).Line) }
	var words []string
	for _, s := range h.Snapshots {
		w := tr.ID(s.Node) + "="
		if !s.Made() {
			w += string(value(s.Entry).Member("snapshot").Member("timestamp").Text())
		}
		for _, d := range s.Deltas {
			w += "+" + string(value(d).Member("timestamp").Text())
		}
		words = append(words, w)
	}
	var lines []string
	for _, r := range h.Lost {
		lines = append(lines, fmt.Sprint(r.Pos.Line, ": ", r.Why))
	}
	return strings.Join(words, " "), strings.Join(lines, "\n")
}

func TestSnapshots(t *testing.T) {
	tests := []struct {
		name, drawing, leaf string
		want, remarks       string
	}{
		{"no snapshot", "-a a-b", "b", "", ""},
		{"full ones are appended", "-a full:a:1 a-b full:b:2", "b", "a=1 b=2", ""},
		{"before their entries in the file", "full:b:2 full:a:1 a-b -a", "b", "b=2 a=1", ""},
		{"no node has the id", "-a full:x:1", "a", "", ""},
		{"an update replaces", "-a full:a:1 a-b upd:b:a:2", "b", "b=2", ""},
		{"an update takes the position of the replaced one", "-a full:a:1 a-b full:b:2 b-c upd:c:a:3", "c", "c=3 b=2", ""},
		{"updates in a row", "-a full:a:1 a-b upd:b:a:2 b-c upd:c:a:3", "c", "c=3", ""},
		{"an update that replaces nothing is appended", "-a a-b upd:b:a:2", "b", "b=2", ""},
		{"the path, not the file, gives the order", "-a upd:b:a:2 a-b full:a:1", "b", "b=2", ""},
		{"the last snapshot of an entry counts", "-a full:a:1 full:a:2", "a", "a=2", ""},
		{"a full one, then an update of the same entry", "-a full:a:1 a-b full:b:2 upd:b:b:3", "b", "a=1 b=3", ""},
		{"a full one, then an update for another snapshot", "-a full:a:1 a-b full:b:2 upd:b:a:3", "b", "b=3", ""},
		{"an update, then a full one, of the same entry", "-a full:a:1 a-b upd:b:a:2 full:b:3", "b", "a=1 b=3", ""},
		{"other branches do not count", "-a full:a:1 a-b upd:b:a:2 a-c upd:c:a:3", "b", "b=2", ""},
		{"each branch has its own", "-a full:a:1 a-b upd:b:a:2 a-c upd:c:a:3", "c", "c=3", ""},
		{"snapshots below do not count", "-a full:a:1 a-b upd:b:a:2", "a", "a=1", ""},

		{"delta by snapshotMessageId", "-a full:a:1 a-b new:b:a:x b-c full:c:2 new:c:c:y", "c", "a=1+x c=2+y", ""},
		{"delta before its snapshot", "new:b:a:x -a a-b full:a:1", "b", "a=1+x", ""},
		{"delta of an entry with another snapshot", "-a full:a:1 a-b full:b:2 new:b:a:x", "b", "a=1+x b=2", ""},
		{"delta of another branch for a snapshot of both", "-a full:a:1 a-b new:b:a:x a-c", "c", "a=1", ""},
		{"delta of no entry", "-a full:a:1 new:z:a:x", "a", "a=1", ""},
		{"delta for a snapshot of another branch", "-a full:a:1 a-c full:c:2 a-b new:b:c:x", "b", "a=1 b=+x", ""},
		{"delta for no snapshot", "-a full:a:1 a-b new:b:z:x", "b", "a=1 b=+x", ""},
		{"delta for an entry with an update", "-a full:a:1 a-b upd:b:a:2 new:b:b:x", "b", "b=2 b=+x", ""},
		{"deltas make a snapshot once", "-a full:a:1 a-b new:b:z:x b-c new:c:z:y full:c:2 c-d new:d:z:w new:d:c:v", "d", "a=1 b=+x+y+w c=2+v", ""},
		{"a snapshot of that name comes later", "-a a-b new:b:c:x b-c full:c:2 new:c:c:y", "c", "b=+x c=2+y", ""},
		{"an update replaces what deltas made", "-a a-b new:b:z:x b-c upd:c:z:2", "c", "c=2", ""},
		{"deltas come in the order of the path", "-a full:a:1 a-b b-c new:c:a:y new:b:a:x", "c", "a=1+x+y", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			merged, remarks := mergedOf(t, snapshotLog(test.drawing), test.leaf)
			require.Equal(t, test.want, merged)
			require.Equal(t, test.remarks, remarks)
		})
	}
}

// Snapshot entries that Claude Code does not write.
func TestOddSnapshots(t *testing.T) {
	const a = `{"type":"user","uuid":"a","parentUuid":null}` + "\n"
	const ab = a + `{"type":"user","uuid":"b","parentUuid":"a"}` + "\n"
	shot := func(id, members string) string {
		return `{"type":"file-history-snapshot","messageId":"` + id + `",` + members + "}\n"
	}
	tests := []struct{ name, text, leaf, want, remarks string }{
		{"not an object", a + shot("a", `"snapshot":[]`), "a", "", "2: \"snapshot\" is not an object: skipped"},
		{"no snapshot", a + shot("a", `"x":1`), "a", "", "2: \"snapshot\" is not an object: skipped"},
		{"not an object, last of two", a + shot("a", `"snapshot":{"timestamp":"1"}`) + shot("a", `"snapshot":null`), "a", "", "3: \"snapshot\" is not an object: skipped"},
		{"not valid, last of two", a + shot("a", `"snapshot":{"timestamp":"1"}`) + shot("a", `"snapshot":{"timestamp":"2",}`), "a", "a=1", "3: not valid JSON inside: skipped"},
		{"delta of unknown form", a + shot("a", `"snapshot":{"timestamp":"1","messageId":"a"}`) + `{"type":"file-history-delta","messageId":"a"}`, "a", "a=1", "3: a delta of unknown form: skipped"},
		{"delta for no string", a + shot("a", `"snapshot":{"timestamp":"1","messageId":"a"}`) + `{"type":"file-history-delta","messageId":"a","snapshotMessageId":null,"timestamp":"x","trackingPath":"f","backup":{}}`, "a", "a=1", "3: a delta of unknown form: skipped"},
		{"delta without a backup, then another one", a + shot("a", `"snapshot":{"timestamp":"1","messageId":"a"}`) + `{"type":"file-history-delta","messageId":"a","snapshotMessageId":"a","trackingPath":"f"}` + "\n" +
			`{"type":"file-history-delta","messageId":"a","snapshotMessageId":"a","timestamp":"x","trackingPath":"f","backup":{}}`, "a", "a=1+x", "3: a delta of unknown form: skipped"},
		{"delta not valid", a + shot("a", `"snapshot":{"timestamp":"1","messageId":"a"}`) + `{"type":"file-history-delta","messageId":"a","x":[1,]}`, "a", "a=1", "3: not valid JSON inside: skipped"},
		{"truthy", ab + shot("a", `"snapshot":{"timestamp":"1","messageId":"s"}`) + shot("b", `"snapshot":{"timestamp":"2","messageId":"s"},"isSnapshotUpdate":1`), "b", "b=2", ""},
		{"falsy", ab + shot("a", `"snapshot":{"timestamp":"1","messageId":"s"}`) + shot("b", `"snapshot":{"timestamp":"2","messageId":"s"},"isSnapshotUpdate":""`), "b", "a=1 b=2", ""},
		{"names with escapes", ab + shot("\\u0061", `"snapshot":{"timestamp":"1","messageId":"s"}`) + shot("b", `"snapshot":{"timestamp":"2","messageId":"\u0073"},"isSnapshotUpdate":true`), "b", "b=2", ""},
		{"both without a name", ab + shot("a", `"snapshot":{"timestamp":"1"}`) + shot("b", `"snapshot":{"timestamp":"2"},"isSnapshotUpdate":true`), "b", "b=2", ""},
		{"one without a name", ab + shot("a", `"snapshot":{"timestamp":"1","messageId":""}`) + shot("b", `"snapshot":{"timestamp":"2"},"isSnapshotUpdate":true`), "b", "a=1 b=2", ""},
		{"a number is not a string", ab + shot("a", `"snapshot":{"timestamp":"1","messageId":"5"}`) + shot("b", `"snapshot":{"timestamp":"2","messageId":5},"isSnapshotUpdate":true`), "b", "a=1 b=2", ""},
		{"the last of repeated keys", a + shot("a", `"snapshot":7,"snapshot":{"timestamp":"1","timestamp":"2"}`), "a", "a=2", ""},
		{"decoys", a + shot("a", `"snapshot":{"timestamp":"1","messageId":"a","snapshot":{"timestamp":"9"},"isSnapshotUpdate":true}`), "a", "a=1", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			merged, remarks := mergedOf(t, test.text, test.leaf)
			require.Equal(t, test.want, merged)
			require.Equal(t, test.remarks, remarks)
		})
	}
}

func TestSnapshotAt(t *testing.T) {
	tests := []struct {
		name, drawing, at string // in the path that ends at c; "" is its end
		want              string // the timestamp of the snapshot
	}{
		{"its own", "-a full:a:1 a-b full:b:2 b-c full:c:3", "b", "2"},
		{"the nearest above", "-a full:a:1 a-b b-c full:c:3", "b", "1"},
		{"none above", "-a a-b b-c full:c:3", "b", ""},
		{"the end", "-a full:a:1 a-b full:b:2 b-c", "", "2"},
		{"updated below", "-a full:a:1 a-b upd:b:a:2 b-c", "a", "2"},
		{"an update is not its own", "-a full:a:1 a-b full:b:2 b-c upd:c:a:3", "c", "2"},
		{"an update of a snapshot that is not there", "-a a-b upd:b:a:2 b-c", "a", "2"},
		{"an update of no entry", "-a a-b upd:b:z:2 b-c", "b", "2"},
		{"above an update of no entry", "-a a-b upd:b:z:2 b-c", "a", ""},
		{"of an entry that is not on the path", "-a full:a:1 a-b a-d upd:b:d:2 b-c full:c:3", "d", "2"},
		{"the last of a name", "-a full:a:1 a-b upd:b:z:2 b-c full:c:3 full:a:4", "a", "4"},
		{"the later of two of one entry", "-a full:a:1 a-b of:b:a:2 b-c", "", "2"},
		{"above one that was updated", "-a a-b full:b:1 b-c upd:c:b:2", "a", ""},
		{"one of an entry above comes later", "-a full:a:1 a-b full:b:2 b-c of:c:a:3", "", "2"},
		{"one of an entry below comes first", "-a of:a:c:1 a-b of:b:z:2 b-c", "b", "2"},
		{"updates of no entry", "-a upd:a:z:1 a-b upd:b:z:2 b-c", "a", "2"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			src := strings.NewReader(snapshotLog(test.drawing))
			tr, err := log.Read(src, src.Size(), log.Reading{}, nil)
			require.NoError(t, err)
			h := Read(tr, tr.Path(nodeOf(tr, "c"), log.Options{}).Nodes)
			got := ""
			if i, ok := h.At(nodeOf(tr, test.at)); ok {
				got = string(entry.Value(tr.EntryAt(h.Snapshots[i].Entry).Line).Member("snapshot").Member("timestamp").Text())
			}
			require.Equal(t, test.want, got)
		})
	}
}

// TestChangedLog: if the log changes, Read returns no snapshot that it does not hold.
func TestChangedLog(t *testing.T) {
	src := strings.NewReader(snapshotLog("-a full:a:1 new:a:a:x"))
	tr, err := log.Read(src, src.Size(), log.Reading{}, nil)
	require.NoError(t, err)
	src.Reset("")
	h := Read(tr, []log.Node{nodeOf(tr, "a")})
	require.Empty(t, h.Snapshots)
	require.Empty(t, h.Lost)
	require.ErrorIs(t, tr.Err(), log.ErrChanged)
}

// TestKept: what a compaction kept has its snapshots on the path that goes on below it.
func TestKept(t *testing.T) {
	src := strings.NewReader(drawn.Log(`
		a user
		|{"type":"file-history-snapshot","messageId":"a","snapshot":{"messageId":"a","trackedFileBackups":{}}}
		k user <a
		|{"type":"file-history-snapshot","messageId":"k","snapshot":{"messageId":"k","trackedFileBackups":{}}}
		b boundary keep=k/s
		s user <b
		n user <s`))
	tr, err := log.Read(src, src.Size(), log.Reading{}, nil)
	require.NoError(t, err)
	h := Read(tr, tr.Path(log.None, log.Options{}).Nodes)
	k := nodeOf(tr, "k")
	require.Len(t, h.Snapshots, 1)
	require.Equal(t, k, h.Snapshots[0].Node)
	for id, on := range map[string]bool{"a": false, "k": true, "n": true} {
		i, ok := h.At(nodeOf(tr, id))
		require.Equal(t, on, ok, id)
		require.Equal(t, on, h.On(nodeOf(tr, id)), id)
		require.Zero(t, i)
	}
}

func TestState(t *testing.T) {
	src := strings.NewReader(drawn.Log(`
		a user
		|{"type":"file-history-snapshot","messageId":"a","snapshot":{"messageId":"a","trackedFileBackups":{"y":{"version":1},"o":{"version":1}}}}
		b user <a
		|{"type":"file-history-snapshot","messageId":"b","snapshot":{"messageId":"b","trackedFileBackups":{"y":{"version":2},"x":{"version":1},"u":{"version":1}}}}
		|{"type":"file-history-delta","messageId":"b","snapshotMessageId":"b","trackingPath":"z","backup":{"version":7}}
		|{"type":"file-history-delta","messageId":"b","snapshotMessageId":"a","trackingPath":"y","backup":{"version":3}}
		|{"type":"file-history-delta","messageId":"b","snapshotMessageId":"b","trackingPath":"w","backup":{"version":1}}
		|{"type":"file-history-delta","messageId":"b","snapshotMessageId":"b","trackingPath":"\u0075","backup":{"version":2}}
		|{"type":"file-history-snapshot","messageId":"q","snapshot":{"trackedFileBackups":{"v":{"version":1}}}}`))
	tr, err := log.Read(src, src.Size(), log.Reading{}, nil)
	require.NoError(t, err)
	h := Read(tr, tr.Path(log.None, log.Options{}).Nodes)
	say := func(files []File) string {
		var words []string
		for _, f := range files {
			words = append(words, fmt.Sprintf("%s=%s@%d", f.Raw, f.Backup.Member("version"), f.Line))
		}
		return strings.Join(words, " ")
	}
	require.Equal(t, `"y"=3@6 "o"=1@2`, say(h.Tracked(0)))
	require.Equal(t, `"y"=2@4 "x"=1@4 "\u0075"=2@8 "z"=7@5 "w"=1@7`, say(h.Tracked(1)))
	require.Equal(t, `"o"=1@2 "\u0075"=@8 "v"=@9 "w"=1@7 "x"=1@4 "y"=3@6 "z"=@5`, say(h.State(0)))
	require.Equal(t, `"o"=1@2 "\u0075"=2@8 "v"=@9 "w"=1@7 "x"=1@4 "y"=2@4 "z"=7@5`, say(h.State(1)))
	require.NoError(t, tr.Err())
}

// TestNext: the first snapshot of a later node that an entry has, which its deltas alone have not.
func TestNext(t *testing.T) {
	src := strings.NewReader(snapshotLog("-a full:a:1 a-b full:b:2 b-c of:c:b:3"))
	tr, err := log.Read(src, src.Size(), log.Reading{}, nil)
	require.NoError(t, err)
	i, ok := Read(tr, tr.Path(log.None, log.Options{}).Nodes).Next(nodeOf(tr, "a"))
	require.Equal(t, []any{1, true}, []any{i, ok}, "the first of two of one entry")
	for drawing, next := range map[string]map[string]string{
		"-a full:a:1 a-b new:b:z:x b-c full:c:3 c-d full:d:4": {"a": "c", "b": "c", "c": "d", "d": ""},
		"-a full:a:1 a-b b-c c-d upd:c:d:3 upd:d:b:4":         {"a": "b", "b": "d", "c": "d", "d": ""},
	} {
		src := strings.NewReader(snapshotLog(drawing))
		tr, err := log.Read(src, src.Size(), log.Reading{}, nil)
		require.NoError(t, err)
		h := Read(tr, tr.Path(log.None, log.Options{}).Nodes)
		for from, want := range next {
			i, ok := h.Next(nodeOf(tr, from))
			require.Equal(t, want != "", ok, from)
			if ok {
				require.Equal(t, want, tr.ID(h.Begin(i)), from)
			}
		}
	}
}

// TestFirstDelta: a delta of a snapshot that is not there goes on from the last before it, and has the files of its own
// node on.
func TestFirstDelta(t *testing.T) {
	src := strings.NewReader(drawn.Log(`
		a user
		|{"type":"file-history-snapshot","messageId":"a","snapshot":{"messageId":"a","trackedFileBackups":{"y":{"version":1}}}}
		b user <a
		|{"type":"file-history-delta","messageId":"b","snapshotMessageId":"z","trackingPath":"x","backup":{"version":2}}
		c user <b
		|{"type":"file-history-delta","messageId":"c","snapshotMessageId":"q","trackingPath":"w","backup":{"version":2}}`))
	tr, err := log.Read(src, src.Size(), log.Reading{}, nil)
	require.NoError(t, err)
	h := Read(tr, tr.Path(log.None, log.Options{}).Nodes)
	require.Len(t, h.Snapshots, 3)
	var names []string
	for i := range h.Snapshots {
		for _, f := range h.Tracked(i) {
			names = append(names, tr.ID(h.Begin(i))+f.Path)
		}
	}
	require.Equal(t, []string{"ay", "by", "bx", "cy", "cx", "cw"}, names)
}

// TestFolders: a file outside the folder of the session has no backup. The first relative path whose backup tells its
// folder tells that of the session. A file is overwritten if its backup was written again later.
func TestFolders(t *testing.T) {
	src := strings.NewReader(drawn.Log(`
		a user
		|{"type":"file-history-snapshot","messageId":"a","snapshot":{"messageId":"a","trackedFileBackups":{"in/o":{"version":1,"realParentDir":"/w/out","backupFileName":"5@v1","backupTime":"1"},"n":{"version":1,"backupFileName":null,"backupTime":"1"},"/abs":{"version":1,"realParentDir":"/","backupFileName":"3@v1","backupTime":"1"},"in/y":{"version":1,"realParentDir":"/w/in","backupFileName":"2@v1","backupTime":"1"},"x":{"version":1,"realParentDir":"/w","backupFileName":"1@v1","backupTime":"1"},"z":{"version":1,"realParentDir":"/v","backupFileName":"4@v1","backupTime":"1"},"in/v":{"version":1,"realParentDir":"/v/in","backupFileName":"6@v1","backupTime":"1"}}}}
		|{"type":"file-history-snapshot","messageId":"a","snapshot":{"messageId":"q","trackedFileBackups":{"bad":{"version":1,"realParentDir":"/w","backupFileName":"1@v1","backupTime":"9",}}}}
		b user <a
		|{"type":"file-history-snapshot","messageId":"b","snapshot":{"messageId":"b","trackedFileBackups":{"n":{"version":1,"backupFileName":null,"backupTime":"2"},"x":{"version":1,"realParentDir":"/w","backupFileName":"1@v1","backupTime":"2"},"z":{"version":2,"realParentDir":"/v","backupFileName":"4@v2","backupTime":"2"}}}}
		|{"type":"file-history-delta","messageId":"gone","snapshotMessageId":"gone","trackingPath":"x","backup":{"version":1,"realParentDir":"/w","backupFileName":"1@v1","backupTime":"1"}}
		|{"type":"file-history-delta","messageId":"gone","snapshotMessageId":"gone","trackingPath":"z","backup":{"version":3,"realParentDir":"/v","backupFileName":"4@v3","backupTime":"3"}}`))
	tr, err := log.Read(src, src.Size(), log.Reading{}, nil)
	require.NoError(t, err)
	h := Read(tr, tr.Path(log.None, log.Options{}).Nodes)
	var said []string
	for _, f := range h.State(0) {
		said = append(said, fmt.Sprint(f.Path, " ", f.Backup != nil, " ", f.Overwritten))
	}
	require.Equal(t, []string{"/abs true false", "in/o true false", "in/v false false", "in/y true false", "n true false", "x true true", "z false false"}, said)
	said = nil
	for _, f := range h.State(1) {
		said = append(said, fmt.Sprint(f.Path, " ", f.Overwritten))
	}
	require.Equal(t, []string{"/abs false", "in/o false", "in/v false", "in/y false", "n false", "x false", "z false"}, said)
}

// TestFirstOfLater: a file that the files of a moment do not have gets its first backup, from the entry that has it, although
// an entry above has a later one.
func TestFirstOfLater(t *testing.T) {
	src := strings.NewReader(drawn.Log(`
		a user
		|{"type":"file-history-snapshot","messageId":"a","snapshot":{"messageId":"a","trackedFileBackups":{}}}
		b user <a
		|{"type":"file-history-snapshot","messageId":"b","snapshot":{"messageId":"b","trackedFileBackups":{"t":{"version":0}}}}
		c user <b
		|{"type":"file-history-snapshot","messageId":"c","snapshot":{"messageId":"c","trackedFileBackups":{"t":{"version":1}}}}`))
	tr, err := log.Read(src, src.Size(), log.Reading{}, nil)
	require.NoError(t, err)
	files := Read(tr, tr.Path(log.None, log.Options{}).Nodes).State(0)
	require.Len(t, files, 1)
	require.Equal(t, []string{"t", "1", "6"}, []string{files[0].Path, string(files[0].Backup.Member("version")), fmt.Sprint(files[0].Line)})
}
