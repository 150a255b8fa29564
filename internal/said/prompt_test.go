package said

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
)

// TestCountPictures: pictures are blocks, or stand in a list of their own.
func TestCountPictures(t *testing.T) {
	for _, c := range []struct {
		blocks, media string
		want          int
	}{
		{``, ``, 0},
		{`"words"`, `[]`, 0},
		{`[{"type":"text","text":"x"},{"type":"image","source":{}},{"type":"image","source":{}}]`, ``, 2},
		{`"words"`, `["a","b","c"]`, 3},
		{`[{"type":"image","source":{}}]`, `["a"]`, 2},
	} {
		require.Equal(t, c.want, countPictures(entry.Value(c.blocks), entry.Value(c.media)), c.blocks+c.media)
	}
}
