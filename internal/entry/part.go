package entry

import "bytes"

// A part is some lines of a log, and the place of the first.
type part struct {
	bytes          []byte
	number, offset int64
	more           bool // lines may follow
}

// skip cuts off the first length bytes of p, which are so many lines.
func (p *part) skip(length int, lines int64) {
	*p = part{p.bytes[length:], p.number + lines, p.offset + int64(length), p.more}
}

// cut cuts off the first line of p, at least one byte, and returns it.
func (p *part) cut() part {
	first, length := *p, lineLength(p.bytes)
	first.bytes = p.bytes[:length:length]
	p.skip(length, 1)
	return first
}

// skipEmpty cuts off the empty lines that p begins with. A log may have millions of them.
func (p *part) skipEmpty() {
	n := 0
	for n < len(p.bytes) && p.bytes[n] == '\n' {
		n++
	}
	if n > 0 {
		p.skip(n, int64(n))
	}
}

// skipTo cuts off the lines before the one that holds word, or all of them.
func (p *part) skipTo(word []byte) {
	i := bytes.Index(p.bytes, word)
	if i < 0 {
		i = len(p.bytes)
	} else {
		i = bytes.LastIndexByte(p.bytes[:i], '\n') + 1
	}
	if i == 0 {
		return
	}
	lines := bytes.Count(p.bytes[:i], newline)
	if p.bytes[i-1] != '\n' {
		lines++ // the last line of a log
	}
	p.skip(i, int64(lines))
}

// decodeFirst decodes the first line of p, at least one byte, and cuts it off. Nearly all lines begin
// with an entry and hold nothing else: decodeFirst searches for the end of the others only.
func (d *Decoder) decodeFirst(p *part) (count int, damage *Damage) {
	d.begin(p.bytes, p.number, p.offset)
	if length := d.scanLine(p.bytes); length > 0 {
		d.line = p.bytes[:length:length]
		d.setPos(0, length)
		p.skip(length, 1)
		return 1, nil
	}
	first := p.cut()
	return d.Decode(first.bytes, first.number, first.offset)
}
