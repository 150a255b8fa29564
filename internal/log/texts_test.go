package log

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
	"jl/internal/forest"
	"jl/test/drawn"
)

// large is the size of a log that takes many reads.
const large = 4 << 20

// textsLog returns a log of at least size bytes, with entries of many lengths, some of which
// are not valid inside.
func textsLog(rnd *rand.Rand, size int) string {
	var log strings.Builder
	for n := 0; log.Len() < size; n++ {
		length := rnd.IntN(3000)
		if rnd.IntN(100) == 0 {
			length = rnd.IntN(2 * (256 << 10))
		}
		more := ""
		if rnd.IntN(50) == 0 {
			more = `,"x":{"broken" 1}`
		}
		fmt.Fprintf(&log, `{"type":"user","uuid":"u%d","parentUuid":"u%d","message":{"content":"%s"}%s}`+"\n", n, n-1, strings.Repeat("x", length), more)
		if rnd.IntN(10) == 0 {
			log.WriteString(`{"type":"summary","leafUuid":"u0","summary":"s"}` + strings.Repeat(" ", rnd.IntN(2*(64<<10))) + "\n")
		}
	}
	return log.String()
}

// TestTexts reads entries in the order of the file, backward and at random, of small and large logs.
func TestTexts(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{1 << 10, 1 << 20, large} {
		log := textsLog(rnd, size)
		tree, err := Read(strings.NewReader(log), int64(len(log)), Reading{}, nil)
		require.NoError(t, err)
		refs := slices.Clone(forest.All(tree.Count))
		orders := [][]Node{refs, slices.Clone(refs), slices.Clone(refs)}
		slices.Reverse(orders[1])
		rnd.Shuffle(len(refs), func(i, j int) { orders[2][i], orders[2][j] = orders[2][j], orders[2][i] })
		whole := 0
		for _, refs := range orders {
			i := 0
			for x := range tree.Texts(refs, nil) {
				require.Equal(t, refs[i], x.Node)
				b := log[x.Pos.Offset : x.Pos.Offset+x.Pos.Length]
				require.True(t, b == string(x.Bytes))
				require.Equal(t, entry.Valid(x.Bytes), x.Whole)
				if x.Whole {
					whole++
				}
				if tree.Entry(forest.All(tree.Count)[0]); i%5 == 0 { // other reads do not change x
					require.True(t, b == string(x.Bytes))
				}
				i++
			}
			require.Equal(t, len(refs), i)
			require.NoError(t, tree.Err())
		}
		require.True(t, 0 < whole && (size < 1<<20 || whole < 3*len(refs)))
	}
}

// TestTextsAfterAnError: an error before or between Texts ends them, because what the caller
// makes of the rest could be wrong.
func TestTextsAfterAnError(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for _, size := range []int{1 << 14, large} {
		log := textsLog(rnd, size)
		for before := range 3 {
			tree, err := Read(strings.NewReader(log), int64(len(log)), Reading{}, nil)
			require.NoError(t, err)
			n := 0
			if before == 0 {
				tree.fail(errIO)
			}
			for range tree.Texts(forest.All(tree.Count), nil) {
				if n++; n == before {
					tree.fail(errIO)
				}
			}
			require.Equal(t, before, n)
		}
	}
}

// TestTextsOfAChangedLog: what is yielded before the change was there.
func TestTextsOfAChangedLog(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for _, size := range []int{1 << 18, large} {
		log := textsLog(rnd, size)
		at := strings.LastIndex(log[:len(log)/2], `{"type":"user"`)
		for name, then := range map[string]changing{
			"cut":        {text: log[:at+20]},
			"another id": {text: log[:at] + strings.Replace(log[at:], `"uuid":"u`, `"uuid":"v`, 1)},
			"no entry":   {text: log[:at] + "x" + log[at+1:]},
			"unreadable": {text: log, err: errIO},
		} {
			source := &changing{text: log}
			tree, err := Read(source, int64(len(log)), Reading{}, nil)
			require.NoError(t, err)
			*source = then
			n := 0
			for x := range tree.Texts(forest.All(tree.Count), nil) {
				require.Less(t, x.Pos.Offset, int64(at), name)
				require.True(t, bytes.Equal(x.Bytes, []byte(log[x.Pos.Offset:x.Pos.Offset+x.Pos.Length])))
				n++
			}
			want := ErrChanged
			if then.err != nil {
				want, at = then.err, 0
			}
			require.ErrorIs(t, tree.Err(), want, name)
			require.Equal(t, strings.Count(log[:at], `{"type":"user"`), n, name)
			at = strings.LastIndex(log[:len(log)/2], `{"type":"user"`)
		}
	}
}

// TestEntryAfterTexts: an entry that was read before Texts is the same after it.
func TestEntryAfterTexts(t *testing.T) {
	tree := read(t, drawn.Log("u1 user say=one\nu2 user say=two"), Reading{})
	nodes := forest.All(tree.Count)
	require.Contains(t, string(tree.Entry(nodes[1]).Bytes), `"two"`)
	for range tree.Texts(nodes[:1], nil) {
	}
	require.Contains(t, string(tree.Entry(nodes[1]).Bytes), `"two"`)
	require.NoError(t, tree.Err())
}
