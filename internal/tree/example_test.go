package tree_test

import (
	"fmt"
	"log"
	"strings"

	"jl/internal/entry"
	"jl/internal/tree"
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
	damaged := func(d *entry.Damage) { log.Print(d.Pos.Line, d) }
	t, err := tree.Read(source, source.Size(), tree.Reading{}, damaged)
	if err != nil {
		log.Fatal(err)
	}
	for _, n := range t.Leaves {
		fmt.Println("leaf", t.ID(n))
	}
	for _, n := range t.Path(tree.None, tree.Options{}).Nodes {
		fmt.Printf("%s", t.Entry(n).Line)
	}
	if err := t.Err(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// leaf q4
	// leaf q3
	// {"uuid":"q1","parentUuid":null,"type":"user","timestamp":"2026-01-01T10:00:00Z"}
	// {"uuid":"a2","parentUuid":"q1","type":"assistant","timestamp":"2026-01-01T10:00:05Z"}
	// {"uuid":"q4","parentUuid":"a2","type":"user","timestamp":"2026-01-01T10:02:00Z"}
}
