package shape

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBackups(t *testing.T) {
	const delta, snapshot = `"type":"file-history-delta"`, `"snapshot":{"trackedFileBackups":{"a":{"version":1},"b":null}}`
	tests := []struct {
		name, entry string
		names, has  bool // it names backups, is a delta that has one
		want        []string
	}{
		{"snapshot", `{"type":"file-history-snapshot",` + snapshot + `}`, true, false, []string{`"a"`, `{"version":1}`, `"b"`, `null`}},
		{"snapshot without files", `{"type":"file-history-snapshot"}`, true, false, nil},
		{"delta", `{` + delta + `,"trackingPath":"c","backup":{}}`, true, true, []string{`"c"`, `{}`}},
		{"delta with a snapshot", `{` + delta + `,"trackingPath":"c",` + snapshot + `}`, true, false, nil},
		{"delta of unknown form", `{` + delta + `,"trackingPath":"c","backup":null}`, true, false, nil},
		{"delta of no path", `{` + delta + `,"trackingPath":7,"backup":{}}`, true, false, nil},
		{"snapshot like a delta", `{"type":"file-history-snapshot","trackingPath":"c","backup":{}}`, true, false, nil},
		{"prompt", `{"type":"user"}`, false, false, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e := scan(t, test.entry)
			require.Equal(t, test.names, NamesBackups(e))
			require.Equal(t, test.has, HasBackup(e))
			var got []string
			for path, backup := range Backups(e) {
				got = append(got, string(path), string(backup))
			}
			require.Equal(t, test.want, got)
		})
	}
}
