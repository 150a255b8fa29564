package log

import "jl/internal/entry"

// A packedPos is the position of an entry: 48 bits of its offset, 40 of its length and 40 of the
// number of its line. So a log may have 256 TiB, and an entry 1 TiB, which is more than memory.
type packedPos [2]uint64

func pack(p entry.Pos) packedPos {
	return packedPos{uint64(p.Offset)<<16 | uint64(p.Length)>>24, uint64(p.Length)<<40 | uint64(p.Line)}
}

func (p packedPos) unpack() entry.Pos {
	return entry.Pos{Line: p.line(), Offset: p.offset(), Length: int64(p[0]&0xffff<<24 | p[1]>>40)}
}

func (p packedPos) offset() int64 { return int64(p[0] >> 16) }
func (p packedPos) line() int64   { return int64(p[1] & (1<<40 - 1)) }
