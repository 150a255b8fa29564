package entry

import "bytes"

// An Entry is one JSON object of a log, and the values of its top-level keys.
type Entry struct {
	// Bytes is the object from its '{' to its '}', part of the line that was scanned.
	Bytes []byte

	// Pos is the position of the entry, and Line the bytes there, a part of the line that was
	// decoded. [Decoder] sets them.
	Pos  Pos
	Line []byte

	val    [keys]Value
	walked bool // the message was read by Decoder.Walker
	faults Faults
	whole  *grammar // of ScanWhole, made by its first call
}

// Walked reports whether the message was read by the [Walker] of the decoder while the entry was scanned.
func (e *Entry) Walked() bool { return e.walked }

// At returns the offset in the log of the byte at i of e.Bytes.
func (e *Entry) At(i int) int64 {
	return e.Pos.Offset + int64(bytes.IndexByte(e.Line, '{')+i)
}

// Get returns the value of a top-level key, nil if the entry does not have it.
func (e *Entry) Get(k Key) Value { return e.val[k] }

// Scan finds the values of b, one object with nothing before or after it. If it reports
// false, b is not such an object, and the entry must not be used. By the full grammar, Scan
// checks only names and those values that the suite reads and that are strings.
func (e *Entry) Scan(b []byte) bool { return e.scan(b, nil, nil) == len(b) }

// ScanWhole does what Scan does if b is valid throughout, and else reports false.
func (e *Entry) ScanWhole(b []byte) bool {
	if e.whole == nil {
		e.whole = new(grammar)
	}
	return e.scan(b, e.whole, nil) == len(b)
}

// scan does what Scan does for the object that b begins with, and returns the offset after it, -1
// if there is none before the end of the line. If g is not nil, scan checks all values by the full
// grammar. If w is not nil, it reads the message.
func (e *Entry) scan(b []byte, g *grammar, w Walker) int {
	e.walked = false
	e.val = [keys]Value{}
	c := Cursor{text: b, g: g}
	if !c.Object() {
		return -1
	}
	for name := c.name(); name != nil; name = c.name() {
		k, start, walked := keyOf(name[1:len(name)-1]), c.at, false
		if c.escaped {
			var buf [32]byte
			k = keyOf(unescape(buf[:0], name[1:len(name)-1]))
		}
		if k == Message && w != nil && start < len(b) && b[start] == '{' {
			if at := w.Walk(c).at; at >= 0 {
				c.at, walked = at, true
			}
		}
		switch {
		case walked:
		case k < keys && start < len(b) && b[start] == '"': // programs copy the values into their records
			c.at = g.sound(b, start)
		default:
			c.at = g.skip(b, start)
		}
		if c.at < 0 {
			return -1
		}
		if k < keys {
			e.val[k] = b[start:c.at:c.at]
			e.walked = walked || e.walked && k != Message
		}
	}
	if !c.Lost() {
		e.Bytes = b[:c.at:c.at]
	}
	return c.at
}

// The classes of bytes outside strings.
const (
	foreign = iota // not allowed in a line
	filler         // white space, punctuation, and the letters of literals and numbers
	quote
	opening
	closing
)

var class = func() (t [256]uint8) {
	for _, c := range []byte(" \t\r,:+-.0123456789eEtrufalsn") {
		t[c] = filler
	}
	t['"'] = quote
	t['{'], t['['] = opening, opening
	t['}'], t[']'] = closing, closing
	return t
}()

// skipSpace returns the offset of the first byte from i on that is not white space of a line,
// len(b) if there is none.
func skipSpace(b []byte, i int) int {
	for i < len(b) && b[i] <= ' ' && isSpace(b[i]) {
		i++
	}
	return i
}

// skipString returns the offset after the closing quote of the string whose opening
// quote is just before i, -1 if the string does not end in the line. Where skipQuoted stops, it
// jumps from quote to quote.
func skipString(b []byte, i int) int {
	i = skipQuoted(b, i)
	if i < len(b) && b[i] == '"' {
		return i + 1
	}
	for start := i; ; {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return -1
		}
		i += n + 1
		// The quote is escaped if an odd number of backslashes precedes it. The
		// opening quote ends their run.
		k := i - 2
		for b[k] == '\\' {
			k--
		}
		if (i-k)%2 != 0 {
			continue
		}
		if bytes.IndexByte(b[start:i], '\n') >= 0 {
			return -1
		}
		return i
	}
}

// skipValue returns the offset after the JSON value at i, -1 if there is no value or it
// does not end. It does not check the grammar inside an object or array.
func skipValue(b []byte, i int) int {
	if i >= len(b) {
		return -1
	}
	switch c := b[i]; {
	case c == '"':
		return skipString(b, i+1)
	case class[c] == opening:
		return skipNested(b, i+1)
	default:
		return skipScalar(b, i)
	}
}

// skipNestedBytes returns the offset after the bracket that closes the object or array
// whose opening bracket is just before i. It returns -1 if there is none, at a byte that
// is foreign outside strings, and at a bracket after a byte it cannot follow. So
// it detects another entry that was written into the middle of this one, if there is no
// white space at that point. It reads byte by byte; skipNested does the same, with vectors
// if it can.
func skipNestedBytes(b []byte, i int) int {
	depth := 1
	for i < len(b) {
		switch class[b[i]] {
		case filler:
			i++
		case quote:
			if i = skipString(b, i+1); i < 0 {
				return -1
			}
		case opening:
			if before := b[i-1]; before != ':' && before != ',' && before != '[' && !isSpace(before) {
				return -1
			}
			depth++
			i++
		case closing:
			depth--
			i++
			if depth == 0 {
				return i
			}
			if i = skipSpace(b, i); i < len(b) && class[b[i]] != closing && b[i] != ',' {
				return -1
			}
		default:
			return -1
		}
	}
	return -1
}

// skipScalar returns the offset after the literal or number at i, -1 if there is none.
func skipScalar(b []byte, i int) int {
	switch b[i] {
	case 't':
		return skipLiteral(b, i, "true")
	case 'f':
		return skipLiteral(b, i, "false")
	case 'n':
		return skipLiteral(b, i, "null")
	}
	return skipNumber(b, i)
}

func skipLiteral(b []byte, i int, word string) int {
	if len(b)-i < len(word) || string(b[i:i+len(word)]) != word {
		return -1
	}
	return i + len(word)
}

func skipNumber(b []byte, i int) int {
	if i < len(b) && b[i] == '-' {
		i++
	}
	if i < len(b) && b[i] == '0' {
		i++
	} else if i = skipDigits(b, i); i < 0 {
		return -1
	}
	if i < len(b) && b[i] == '.' {
		if i = skipDigits(b, i+1); i < 0 {
			return -1
		}
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		return skipDigits(b, i)
	}
	return i
}

// skipDigits returns the offset after the digits at i, -1 if there are none.
func skipDigits(b []byte, i int) int {
	start := i
	for i < len(b) && '0' <= b[i] && b[i] <= '9' {
		i++
	}
	if i == start {
		return -1
	}
	return i
}
