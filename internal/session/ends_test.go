package session

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLinesNaming: a line is found by its members of the names whose values are strings, at any
// depth, written with a space or without.
func TestLinesNaming(t *testing.T) {
	names := []string{"tag", "summary"}
	for text, want := range map[string][]string{
		"":                                    nil,
		"{\"tag\":\"a\"}":                     {"tag"},
		"{\"tag\": \"a\"}\n":                  {"tag"},
		"{\"tag\":  \"a\"}\n":                 nil,
		"{\"tag\":1,\"summary\":null}\n":      nil,
		"{\"tag\":":                           nil,
		"tag\":\"cut\"}\n{\"x\":1}\n":         nil,
		"{\"xtag\":\"a\",\"tags\":\"b\"}\n":   nil,
		"{\"text\":\"\\\"tag\\\":\\\"a\"}\n":  nil,
		"{\"a\":{\"tag\":\"a\"}}\n":           {"tag"},
		"{\"summary\":\"s\",\"tag\":\"t\"}\n": {"summary tag"},
		"{}\n\n{\"tag\":\"a\",\"b\":\"tag\"}\n{\"c\":\":\"}\n{\"summary\":\"s\"}": {"tag", "summary"},
	} {
		var got []string
		for line, has := range linesNaming([]byte(text), names) {
			require.Contains(t, text, string(line))
			require.LessOrEqual(t, strings.Count(string(line), "\n"), 1)
			for name := range has {
				require.True(t, hasMember(line, name, `"`), text)
			}
			got = append(got, strings.Join(slices.Sorted(maps.Keys(has)), " "))
		}
		require.Equal(t, want, got, text)
	}
}
