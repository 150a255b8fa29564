package said_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
	"jl/internal/says"
)

// TestQueued: a prompt waited in the queue if something was said or done while it was there, whatever the client took out meanwhile.
func TestQueued(t *testing.T) {
	enqueue := func(text string) string { return queue("enqueue", `,"content":"`+text+`"`) }
	dequeue, popAll, answer := queue("dequeue", ""), queue("popAll", ""), `{"type":"assistant","sessionId":"s","message":{"content":"x"}}`
	typed := func(text string) string { return user("id "+text, `"`+text+`"`) }
	for _, test := range []struct {
		name, log string
		want      []string
	}{
		{"at once", lines(enqueue("A"), dequeue, typed("A")), []string{"A"}},
		{"while an answer came", lines(enqueue("A"), answer, answer, dequeue, typed("A")), []string{"A queued"}},
		{"the client takes out what it has said, not the next", lines(enqueue("A"), enqueue("B"), typed("A"), dequeue, answer, answer, typed("B")), []string{"A queued", "B queued"}},
		{"nor what came into the queue after that", lines(enqueue("A"), typed("A"), enqueue("B"), dequeue, answer, answer, typed("B")), []string{"A", "B queued"}},
		{"the client takes out what it has said once", lines(enqueue("A"), typed("A"), dequeue, enqueue("B"), dequeue, answer, answer, typed("B")), []string{"A", "B"}},
		{"nor twice by its words", lines(enqueue("A"), typed("A"), queue("remove", `,"content":"A"`), enqueue("B"), dequeue, answer, answer, typed("B")), []string{"A", "B"}},
		{"after all was taken back, it takes out the next", lines(enqueue("A"), typed("A"), popAll, enqueue("B"), dequeue, answer, answer, typed("B")), []string{"A", "B"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			rows, _ := rowsOf(t, only(says.Prompt), false, test.log)
			var got []string
			for _, row := range rows {
				v := entry.Value(row)
				text := string(v.Member("text").Text())
				if v.Member("queued").Truthy() {
					text = fmt.Sprint(text, " queued")
				}
				got = append(got, text)
			}
			require.Equal(t, test.want, got)
		})
	}
}
