package shape

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
)

func TestPreserved(t *testing.T) {
	tests := []struct {
		metadata string
		want     Preserved
		ok       bool
	}{
		{`{}`, Preserved{}, false},
		{`null`, Preserved{}, false},
		{`{"preservedMessages":{"uuids":["a",1],"anchorUuid":"x"}}`, Preserved{Listed: true, IDs: []entry.Value{entry.Value(`"a"`), entry.Value(`1`)}, Anchor: entry.Value(`"x"`)}, true},
		{`{"preservedMessages":{"uuids":[]}}`, Preserved{Listed: true}, true},
		{`{"preservedMessages":{"uuids":"a"}}`, Preserved{}, false},
		{`{"preservedMessages":[{"uuids":["a"]}]}`, Preserved{}, false},
		{`{"preservedSegment":{"headUuid":"h","tailUuid":"t","anchorUuid":"x"}}`, Preserved{Head: entry.Value(`"h"`), Tail: entry.Value(`"t"`), Anchor: entry.Value(`"x"`)}, true},
		{`{"preservedSegment":{"tailUuid":"t"},"preservedMessages":{"uuids":3}}`, Preserved{Tail: entry.Value(`"t"`)}, true},
		{`{"preservedSegment":{},"preservedMessages":{"uuids":["a"]}}`, Preserved{Listed: true, IDs: []entry.Value{entry.Value(`"a"`)}}, true},
		{`{"preservedSegment":"x"}`, Preserved{}, false},
	}
	for _, test := range tests {
		var e entry.Entry
		require.True(t, e.Scan([]byte(`{"compactMetadata":`+test.metadata+`}`)))
		got, ok := PreservedBy(&e)
		require.Equal(t, test.ok, ok, test.metadata)
		require.Equal(t, test.want, got, test.metadata)
	}
}

// TestKeptIDs: a boundary names what it kept by lists, by ends and by an anchor, and pi by the first entry.
func TestKeptIDs(t *testing.T) {
	for boundary, want := range map[string]string{
		`{"compactMetadata":{"preservedMessages":{"uuids":["a","b"],"anchorUuid":"x"}}}`:            `"a" "b" "x"`,
		`{"compactMetadata":{"preservedSegment":{"headUuid":"h","tailUuid":"t","anchorUuid":"x"}}}`: `"h" "t" "x"`,
		`{"firstKeptEntryId":"f"}`: `"f"`,
		`{"firstKeptEntryId":"f","compactMetadata":{"preservedSegment":{"tailUuid":"t","anchorUuid":"x"}}}`: `"t" "x" "f"`,
		`{}`: ``,
	} {
		var got []string
		for _, id := range KeptIDs(scan(t, boundary)) {
			if id != nil {
				got = append(got, string(id))
			}
		}
		require.Equal(t, want, strings.Join(got, " "), boundary)
	}
}

func TestHasPreserved(t *testing.T) {
	tests := []struct {
		metadata string
		want     bool
	}{
		{`{}`, false},
		{`{"preservedSegment":{}}`, true},
		{`{"preservedMessages":{"uuids":3}}`, true},
		{`{"preservedMessages":[]}`, false},
	}
	for _, test := range tests {
		require.Equal(t, test.want, HasPreserved(scan(t, `{"compactMetadata":`+test.metadata+`}`)), test.metadata)
	}
}

// TestIsSummarizer: the agent that writes a summary has a name of its own.
func TestIsSummarizer(t *testing.T) {
	for members, want := range map[string]bool{`"agentId":"acompact-1"`: true, `"agentId":"a1"`: false, `"agentId":""`: false, `"uuid":"acompact-1"`: false, `"agentId":"acompac"`: false} {
		require.Equal(t, want, IsSummarizer(scan(t, `{`+members+`}`)), members)
	}
}
