package log_test

import (
	"fmt"
	"strings"

	"jl/internal/entry"
	"jl/internal/log"
)

// The user went back and asked again: the log has two leaves, and the path to the newest
// does not contain the other.
func Example() {
	const session = `{"uuid":"q1","parentUuid":null,"type":"user","timestamp":"2026-01-01T10:00:00Z"}
{"uuid":"a2","parentUuid":"q1","type":"assistant","timestamp":"2026-01-01T10:00:05Z"}
{"uuid":"q3","parentUuid":"a2","type":"user","timestamp":"2026-01-01T10:01:00Z"}
{"uuid":"q4","parentUuid":"a2","type":"user","timestamp":"2026-01-01T10:02:00Z"}
`
	source := strings.NewReader(session)
	damaged := func(d *entry.Damage) { fmt.Println(d.Pos.Line, d) }
	t, err := log.Read(source, source.Size(), log.Reading{}, damaged)
	if err != nil {
		panic(err)
	}
	for _, n := range t.Leaves {
		fmt.Println("leaf", t.ID(n))
	}
	for _, n := range t.Path(log.None, log.Options{}).Nodes {
		fmt.Printf("%s", t.Entry(n).Line)
	}
	if err := t.Err(); err != nil {
		panic(err)
	}
	// Output:
	// leaf q4
	// leaf q3
	// {"uuid":"q1","parentUuid":null,"type":"user","timestamp":"2026-01-01T10:00:00Z"}
	// {"uuid":"a2","parentUuid":"q1","type":"assistant","timestamp":"2026-01-01T10:00:05Z"}
	// {"uuid":"q4","parentUuid":"a2","type":"user","timestamp":"2026-01-01T10:02:00Z"}
}
