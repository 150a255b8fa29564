package says

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
)

// diffLines returns a result of Droid's about the lines of a drawing: "1 1 a" is on both sides, "1 - a" was, "- 1 a" is.
func diffLines(drawing string) entry.Value {
	var lines []string
	for _, word := range strings.Split(drawing, ", ") {
		p := strings.SplitN(word, " ", 3)
		var numbers []string
		for i, name := range []string{"old", "new"} {
			if p[i] != "-" {
				numbers = append(numbers, fmt.Sprintf(`%q:%s`, name, p[i]))
			}
		}
		lines = append(lines, fmt.Sprintf(`{"content":%q,"lineNumber":{%s}}`, p[2], strings.Join(numbers, ",")))
	}
	return entry.Value(`{"file_path":"f","diffLines":[` + strings.Join(lines, ",") + `]}`)
}

// TestDroidChanges: an edit has the parts of the file that its lines tell, without a last line of which it is not told
// whether it has a line break.
func TestDroidChanges(t *testing.T) {
	for drawing, want := range map[string]string{
		"1 1 a, 2 - b, - 2 c, 3 3 d, 4 4 e": `[{"path":"f","kind":"update","line":1,"to":1,"before":"a\nb\nd\n","after":"a\nc\nd\n"}]`,
		"1 1 a, 2 - b, - 2 c, 3 3 d":        `[{"path":"f","kind":"update","line":1,"to":1,"before":"a\nb\nd\n","after":"a\nc\nd\n"}]`,
		"1 1 a, 2 - b, - 2 c":               ``,
		"4 - b, 5 4 d":                      `[{"path":"f","kind":"update","line":4,"to":4,"before":"b\nd\n","after":"d\n"}]`,
		"- 7 b, 7 8 d":                      `[{"path":"f","kind":"update","line":7,"to":7,"before":"d\n","after":"b\nd\n"}]`,
		// Parts: lines that do not follow each other, on either side.
		"1 - a, - 1 b, 2 2 c, 9 9 d, 10 - e, 11 10 f": `[{"path":"f","kind":"update","line":1,"to":1,"before":"a\nc\n","after":"b\nc\n"},{"path":"f","kind":"update","line":9,"to":9,"before":"d\ne\nf\n","after":"d\nf\n"}]`,
		"1 - a, - 1 b, 2 2 c, 3 9 d, - 10 e, 4 11 f":  `[{"path":"f","kind":"update","line":1,"to":1,"before":"a\nc\n","after":"b\nc\n"},{"path":"f","kind":"update","line":3,"to":9,"before":"d\nf\n","after":"d\ne\nf\n"}]`,
		"1 - a, - 1 bb, 9 9 c, 10 - dd, 11 10 e":      `[{"path":"f","kind":"update","line":1,"to":1,"before":"a\n","after":"bb\n"},{"path":"f","kind":"update","line":9,"to":9,"before":"c\ndd\ne\n","after":"c\ne\n"}]`,
		"1 - a, - 1 b, 2 2 c, 3 3 d, 4 4 eee":         `[{"path":"f","kind":"update","line":1,"to":1,"before":"a\nc\nd\n","after":"b\nc\nd\n"}]`,
		"1 1 a, 2 2 b, 3 - c, - 3 d, 4 4 e":           `[{"path":"f","kind":"update","line":1,"to":1,"before":"a\nb\nc\ne\n","after":"a\nb\nd\ne\n"}]`,
	} {
		require.Equal(t, want, string(droidChanges(diffLines(drawing))), drawing)
	}
	require.Nil(t, droidChanges(entry.Value(`{"file_path":"f"}`)))
	require.Equal(t, `[{"path":"","kind":"update","line":1,"to":0,"before":"a\nb\n","after":"b\n"}]`,
		string(droidChanges(entry.Value(`{"diffLines":[{"content":"a","lineNumber":{"old":1}},{"content":"b","lineNumber":{"old":2,"new":0}}]}`))))
}

// TestGrokChanges: an edit has a part of the file, unless that ends inside of a line.
func TestGrokChanges(t *testing.T) {
	const none = `{"path":"f","kind":"update"}`
	for details, want := range map[string]string{
		`{"old_line":3,"new_line":4,"context_before":"a\nb\n","old_string":"c\n","new_string":"d\n","context_after":"e\n"}`: `{"path":"f","kind":"update","line":1,"to":2,"before":"a\nb\nc\ne\n","after":"a\nb\nd\ne\n"}`,
		`{"old_line":1,"new_line":1,"old_string":"c\n","new_string":""}`:                                                    `{"path":"f","kind":"update","line":1,"to":1,"before":"c\n","after":""}`,
		`{"old_line":1,"new_line":1,"old_string":"","new_string":"c"}`:                                                      `{"path":"f","kind":"update","line":1,"to":1,"before":"","after":"c"}`,
		`{"old_line":2,"new_line":2,"context_before":"a\n","old_string":"","new_string":"c"}`:                               none,
		`{"old_line":1,"new_line":1,"context_after":"a\n","old_string":"","new_string":"c"}`:                                none,
		`{"old_line":1,"new_line":1,"old_string":"c","new_string":"d\n"}`:                                                   none,
		`{"old_line":1,"new_line":1,"old_string":"c\n","new_string":"d"}`:                                                   none,
		`{"old_line":1,"old_string":"c\n","new_string":"d\n"}`:                                                              none,
		`{"new_line":1,"old_string":"c\n","new_string":"d\n"}`:                                                              none,
	} {
		require.Equal(t, `[`+want, string(grokChanges(nil, entry.Value(`{"path":"f","_meta":{"details":[`+details+`]}}`))), details)
	}
	two := entry.Value(`{"path":"g","_meta":{"details":[{},{}]}}`)
	require.Equal(t, `[{"path":"f","kind":"update"},{"path":"g","kind":"update"},{"path":"g","kind":"update"}`, string(grokChanges(entry.Value(`[`+none), two)))
}
