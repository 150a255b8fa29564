package tree

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
	"jl/internal/line"
)

// snapshotLog writes one line for each word of a drawing:
//
//	a-b     the user entry b below a; -a the root a
//	full:a:x   a full snapshot of a named a, with the timestamp x
//	upd:b:a:x  an update of b for the snapshot a
//	delta:a:x  a delta for a
func snapshotLog(drawing string) string {
	var b strings.Builder
	for _, word := range strings.Fields(drawing) {
		p := strings.Split(word, ":")
		switch p[0] {
		case "full":
			fmt.Fprintf(&b, `{"type":"file-history-snapshot","messageId":%q,"snapshot":{"messageId":%[1]q,"trackedFileBackups":{},"timestamp":%q},"isSnapshotUpdate":false}`, p[1], p[2])
		case "upd":
			fmt.Fprintf(&b, `{"type":"file-history-snapshot","messageId":%q,"snapshot":{"messageId":%q,"trackedFileBackups":{},"timestamp":%q},"isSnapshotUpdate":true}`, p[1], p[2], p[3])
		case "delta":
			fmt.Fprintf(&b, `{"type":"file-history-delta","messageId":%q,"timestamp":%q}`, p[1], p[2])
		default:
			parent, id, _ := strings.Cut(word, "-")
			fmt.Fprintf(&b, `{"type":"user","uuid":%q,"parentUuid":%q}`, id, parent)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// mergedOf returns the answer of Snapshots for the path that ends at leaf: the timestamps
// of the snapshots, each with its node before it and its deltas behind it, and the remarks.
func mergedOf(t *testing.T, log, leaf string) (merged, remarks string) {
	src := strings.NewReader(log)
	tree, err := Read(line.NewForward(strings.NewReader(log)), src, src.Size(), Default, nil)
	require.NoError(t, err)
	shots, rs := tree.Snapshots(tree.Path(tree.Find([]string{leaf})[0].Node, Options{}).Nodes)
	require.NoError(t, tree.Err())
	value := func(x entry.Pos) entry.Value { return entry.Value(tree.Read(x)) }
	var words []string
	for _, s := range shots {
		w := tree.ID(s.Node) + "=" + string(value(s.Entry).Member("snapshot").Member("timestamp").Text())
		for _, d := range s.Deltas {
			w += "+" + string(value(d).Member("timestamp").Text())
		}
		words = append(words, w)
	}
	var lines []string
	for _, r := range rs {
		lines = append(lines, fmt.Sprint(r.Line, ": ", r.Text))
	}
	return strings.Join(words, " "), strings.Join(lines, "\n")
}

func TestSnapshots(t *testing.T) {
	const nowhere = "no snapshot on the path that this delta could add to: skipped"
	tests := []struct {
		name, drawing, leaf string
		want, remarks       string
	}{
		{"no snapshot", "-a a-b", "b", "", ""},
		{"full ones are appended", "-a full:a:1 a-b full:b:2", "b", "a=1 b=2", ""},
		{"before their entries in the file", "full:b:2 full:a:1 a-b -a", "b", "a=1 b=2", ""},
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

		{"delta by snapshot.messageId", "-a full:a:1 delta:a:x a-b delta:a:y", "b", "a=1+x+y", ""},
		{"delta, and an update replaces its snapshot", "-a full:a:1 delta:a:x a-b upd:b:a:2 delta:a:y", "b", "b=2+x+y", ""},
		{"delta by the entry of an update", "-a full:a:1 a-b upd:b:a:2 delta:b:x", "b", "b=2+x", ""},
		{"delta by the entry of an update that was replaced", "-a full:a:1 a-b upd:b:a:2 delta:b:x b-c upd:c:a:3", "c", "c=3+x", ""},
		{"delta between lines of one entry", "-a full:a:1 delta:a:x full:a:2", "a", "a=2+x", ""},
		{"delta of another branch", "-a full:a:1 a-b full:b:2 delta:b:x a-c", "c", "a=1", ""},
		{"delta of an entry without a snapshot", "-a full:a:1 a-b delta:b:x", "b", "a=1", "4: " + nowhere},
		{"delta that names nothing", "-a full:a:1 delta:z:x", "a", "a=1", ""},
		{"delta alone", "-a delta:a:x", "a", "", "2: " + nowhere},
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
	tests := []struct{ name, log, leaf, want, remarks string }{
		{"not an object", a + shot("a", `"snapshot":[]`), "a", "", "2: \"snapshot\" is not an object: skipped"},
		{"no snapshot", a + shot("a", `"x":1`), "a", "", "2: \"snapshot\" is not an object: skipped"},
		{"not an object, last of two", a + shot("a", `"snapshot":{"timestamp":"1"}`) + shot("a", `"snapshot":null`), "a", "", "3: \"snapshot\" is not an object: skipped"},
		{"not valid, last of two", a + shot("a", `"snapshot":{"timestamp":"1"}`) + shot("a", `"snapshot":{"timestamp":"2",}`), "a", "a=1", "3: not valid JSON inside: skipped"},
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
			merged, remarks := mergedOf(t, test.log, test.leaf)
			require.Equal(t, test.want, merged)
			require.Equal(t, test.remarks, remarks)
		})
	}
}

// If the log changes, Snapshots returns no snapshot that it does not hold.
func TestSnapshotsOfAChangedLog(t *testing.T) {
	log := snapshotLog("-a full:a:1 delta:a:x")
	src := strings.NewReader("")
	tree, err := Read(line.NewForward(strings.NewReader(log)), src, int64(len(log)), Default, nil)
	require.NoError(t, err)
	shots, remarks := tree.Snapshots([]Node{tree.Find([]string{"a"})[0].Node})
	require.Empty(t, shots)
	require.Empty(t, remarks)
	require.ErrorIs(t, tree.Err(), errChanged)
}
