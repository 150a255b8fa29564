package says

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
)

// TestTypeOfNested: a block that is in another one has the type of that, which is the one that is written.
func TestTypeOfNested(t *testing.T) {
	b := BlockOf(entry.Value(`{"kind":"toolUse","data":{"toolUseId":"c","name":"ls","input":{},"type":"novelty"}}`))
	require.Equal(t, []string{"call", `"toolUse"`, `"c"`}, []string{b.Is.String(), string(b.Type), string(b.Call)})
}

// TestDeepBlocks: a block of objects in one another is read as deep as programs write it, and named if it is deeper.
func TestDeepBlocks(t *testing.T) {
	nested := func(depth int) entry.Value {
		return entry.Value(strings.Repeat(`{"type":"tool_call","toolCall":`, depth) + `{"name":"x"}` + strings.Repeat("}", depth))
	}
	for _, depth := range []int{1, 2, 4} {
		b := BlockOf(nested(depth))
		require.Equal(t, Call, b.Is)
		require.Equal(t, `"x"`, string(b.Name))
	}
	for _, depth := range []int{5, 6, 100_000} {
		b := BlockOf(nested(depth))
		require.Equal(t, Unread, b.Is)
		require.Equal(t, "block tool_call", b.What())
	}
}

// TestBlocks: the blocks of an array are its elements, each read as BlockOf reads it, also where what is inside is damaged.
func TestBlocks(t *testing.T) {
	pieces := strings.Fields(`{ } [ ] , : "type" "text" "tool_use" "id" "input" "content" "data" "functionResponse" "toolCall" "\\u0061" null true 12 "a}b" ` + "\x01")
	whole := strings.Fields(`{"type":"text","text":"a"} {"type":"tool_use","id":"c","input":{"k":[1,{}]}} {"toolCall":{"value":{"name":"n"}},"id":"c"} ` +
		`{"functionResponse":{"id":"c","response":{"output":"o"}}} {"type":"toolUse","data":{"name":"n"}} {} "words" null 7 [{"type":"text"}]`)
	rnd := rand.New(rand.NewPCG(1, 2))
	damaged := 0
	for range 50_000 {
		var elements []string
		for range rnd.IntN(4) {
			if rnd.IntN(2) == 0 {
				elements = append(elements, whole[rnd.IntN(len(whole))])
				continue
			}
			var odd strings.Builder
			for range 1 + rnd.IntN(8) {
				odd.WriteString(pieces[rnd.IntN(len(pieces))])
			}
			elements = append(elements, "{"+odd.String()+"}")
		}
		content := entry.Value("[" + strings.Join(elements, ",") + "]")
		var want, got []string
		for v := range content.Elements() {
			want = append(want, fmt.Sprintf("%s %+v", v, BlockOf(v)))
		}
		for v, b := range Blocks(content) {
			got = append(got, fmt.Sprintf("%s %+v", v, b))
		}
		require.Equal(t, want, got, "%s", content)
		if !json.Valid(content) && len(want) > 1 {
			damaged++
		}
	}
	require.Greater(t, damaged, 1000)
	for _, v := range []string{``, `null`, `"words"`, `{"type":"text"}`} {
		for range Blocks(entry.Value(v)) {
			t.Fatal(v)
		}
	}
	for range Blocks(entry.Value(`[{},{}]`)) { // a caller may stop
		break
	}
}
