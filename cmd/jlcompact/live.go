package main

import (
	"io"

	"jl/internal/line"
	"jl/internal/tree"
)

// live finds the live part of a log.
func live(r io.ReaderAt, size int64) (tree.Live, error) {
	forward := line.NewForward(io.NewSectionReader(r, 0, size))
	return tree.ReadLive(forward, func(end int64) tree.Backward { return line.NewBackward(r, end) }, r, size)
}
