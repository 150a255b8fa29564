package log

import (
	"encoding/json"
	"flag"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/rule"
)

var answers = flag.String("answers", "", "append the tables of the logs that the tests draw, and what the rule answers about each, to a `FILE`: "+
	"-run 'TestLeaves|Path|TestEnds|Gap|Logical|Segments|Clients|Messages' makes internal/rule/testdata/drawn.jsonl")

// An answer is a table as the reader fills it, and what the rule answers about it, in the form of the tests of package rule.
type answer struct {
	Plain       bool                     `json:"plain,omitempty"`
	Parent      []Node                   `json:"parent"`
	Flags       []rule.Flags             `json:"flags"`
	Strand      []int32                  `json:"strand"`
	Time        []*int                   `json:"time"`
	ID          []int                    `json:"id"`
	Tools       [][]int                  `json:"tools"`
	Compactions map[Node]rule.Compaction `json:"compactions,omitempty"`

	Turn         []Node     `json:"turn"`
	Whole        []Node     `json:"whole"`
	Tops         []Node     `json:"tops"`     // of the turns in order
	Attached     []Node     `json:"attached"` // those of the turns that are
	Depth        []int      `json:"depth"`
	Leaves       []Node     `json:"leaves"`
	Ends         []Node     `json:"ends"`
	End          Node       `json:"end"`
	Branches     []rule.End `json:"branches,omitempty"` // if they are several
	Last         Node       `json:"last"`
	Path         []Node     `json:"path"`
	Through      []Node     `json:"through"`
	Loops        []Node     `json:"loops,omitempty"`
	Leaf         []Node     `json:"leaf,omitempty"`
	Given        []Node     `json:"given,omitempty"`
	GivenThrough []Node     `json:"givenThrough,omitempty"`
}

// keepAnswer appends the answer about a log that a test drew to the file of -answers.
func keepAnswer(t testing.TB, tree *Log) {
	const few, most = 20, 40 // nodes, of logs that a person has drawn
	r := &tree.Tree
	if *answers == "" || tree.Count == 0 || tree.Count > most || tree.reading.Knows != nil {
		return
	}
	rare := false
	for _, c := range r.Compactions {
		rare = rare || c.From && slices.Contains(c.Kept, c.Logical)
	}
	if tree.Count > few && !rare {
		return
	}
	times := slices.Compact(slices.Sorted(slices.Values(r.Time))) // only their order counts
	numbers := map[uint64]int{0: 0}
	number := func(hash uint64) int {
		if _, ok := numbers[hash]; !ok {
			numbers[hash] = len(numbers)
		}
		return numbers[hash]
	}
	a := answer{Plain: r.Plain, Parent: r.Parent, Flags: r.Flags, Strand: r.Strand, Compactions: r.Compactions, Turn: r.Turn, Whole: r.Whole(), Leaves: r.Leaves, Ends: []Node{}, End: r.End}
	depth := r.Depth()
	for n := range tree.Count {
		var at *int
		if rank, _ := slices.BinarySearch(times, r.Time[n]); r.Time[n] != NoTime {
			at = &rank
		}
		a.Time = append(a.Time, at)
		a.Depth = append(a.Depth, depth(n))
		id, tools := 0, []int{}
		if i := r.Message[n]; i > 0 {
			m := r.Messages[i-1]
			id = number(m.ID)
			for _, tool := range r.Tools[m.First : m.First+m.Count] {
				tools = append(tools, number(tool))
			}
		}
		a.ID, a.Tools = append(a.ID, id), append(a.Tools, tools)
	}
	for _, turn := range r.Order {
		a.Tops = append(a.Tops, r.Top(turn))
		if r.IsAttached(turn) {
			a.Attached = append(a.Attached, turn)
		}
	}
	branches, last := r.EndsOf(r.Leaves)
	for _, e := range branches {
		a.Ends = append(a.Ends, e.Leaf)
	}
	if a.Last = last; len(branches) > 1 {
		a.Branches = branches
	}
	if n := len(r.Leaves); n > 0 {
		a.Path, a.Through = r.Climb(r.Leaves[:1], 0).Nodes, r.Climb(r.Leaves[:1], rule.Through).Nodes
		a.Loops = r.Climb(r.Leaves[:1], rule.Through).Loops
		if n > 1 {
			a.Leaf = r.Leaves[n-1:]
			a.Given, a.GivenThrough = r.Climb(a.Leaf, 0).Nodes, r.Climb(a.Leaf, rule.Through).Nodes
		}
	}
	line, err := json.Marshal(a)
	require.NoError(t, err)
	f, err := os.OpenFile(*answers, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	require.NoError(t, err)
	_, err = f.Write(append(line, '\n'))
	require.NoError(t, err)
	require.NoError(t, f.Close())
}
