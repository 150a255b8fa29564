package entry

import (
	"bytes"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Valid reports whether b is a line of one JSON value, with optional white space around it, by the
// grammar of RFC 8259. As JSON.parse does, it accepts invalid UTF-8 and lone surrogates.
// Only memory limits the depth: each level takes a byte.
func Valid(b []byte) bool {
	var g grammar
	return g.whole(bytes.TrimSuffix(b, newline))
}

// ValidPairs is Valid. It also returns the offset of the first escape of a lone surrogate, half of a pair without the
// other half; -1 if there is none.
func ValidPairs(b []byte) (lone int, valid bool) {
	g := grammar{surrogate: -1, nul: -1}
	valid = g.whole(bytes.TrimSuffix(b, newline))
	return g.surrogate, valid
}

var newline = []byte{'\n'}

// Parse returns the value of a JSON text that is not a line of a log but, for example, all of a
// small file; nil if the text is not valid. The value is a copy, in which newlines have become
// carriage returns.
func Parse(text []byte) Value {
	// A carriage return is white space where a newline is, and not allowed where that is not.
	line := bytes.ReplaceAll(text, newline, []byte{'\r'})
	if !Valid(line) {
		return nil
	}
	return bytes.TrimSpace(line)
}

// A grammar checks one JSON value without recursion. If the value is broken, it keeps
// where.
type grammar struct {
	at          int    // the end of the value; where the text stops being JSON if it is broken
	token       int    // the start of the last string, literal or number
	open        []byte // the brackets that are open
	closedAt    int    // the end of the object or array that was closed last, -1 if none was
	closedDepth int    // how many brackets were open in it, its own included

	surrogate, nul int // where, in the text, the first such escapes of Faults are, -1 for none
}

// closer returns the byte that closes a bracket: ']' is '[' + 2, and '}' is '{' + 2.
func closer(bracket byte) byte { return bracket + 2 }

// whole reports whether b is one value with optional white space around it.
func (g *grammar) whole(b []byte) bool {
	if !g.parse(b, 0) {
		return false
	}
	g.at = skipSpace(b, g.at)
	return g.at == len(b)
}

// skip returns the offset after the value at b[i:], -1 if it is broken. It checks the grammar
// inside objects and arrays unless g is nil.
func (g *grammar) skip(b []byte, i int) int {
	switch {
	case g == nil:
		return skipValue(b, i)
	case g.parse(b, i):
		return g.at
	}
	return -1
}

// parse checks the value at b[i:], with optional white space before it, and reports
// whether it is whole and valid.
func (g *grammar) parse(b []byte, i int) bool {
	g.open, g.closedAt, g.token = g.open[:0], -1, i
	wantKey := false
	i = skipSpace(b, i)
	for {
		if wantKey {
			if i = g.key(b, i); i < 0 {
				return false
			}
		}
		if i >= len(b) {
			g.at = i
			return false
		}
		switch c := b[i]; {
		case class[c] == opening:
			g.open = append(g.open, c)
			i = skipSpace(b, i+1)
			if i >= len(b) || b[i] != closer(c) {
				wantKey = c == '{'
				continue
			}
		default:
			if i = g.scalar(b, i); i < 0 {
				return false
			}
		}
		// A value ends here, or its container does.
		for {
			if len(g.open) == 0 {
				g.at = i
				return true
			}
			i = skipSpace(b, i)
			if i < len(b) && b[i] == closer(g.open[len(g.open)-1]) {
				i++
				g.closedAt, g.closedDepth = i, len(g.open)
				g.open = g.open[:len(g.open)-1]
				continue
			}
			if i >= len(b) || b[i] != ',' {
				g.at = i
				return false
			}
			i = skipSpace(b, i+1)
			wantKey = g.open[len(g.open)-1] == '{'
			break
		}
	}
}

// closed returns the start of the object or array that was closed last in the value at
// b[i:], which parse has checked.
func (g *grammar) closed(b []byte, i int) int {
	start, depth := -1, 0
	for i < g.closedAt {
		switch class[b[i]] {
		case quote:
			i = skipString(b, i+1)
			continue
		case opening:
			if depth++; depth == g.closedDepth {
				start = i
			}
		case closing:
			depth--
		}
		i++
	}
	return start
}

// key checks `"name":` at b[i:] and returns the offset of the value after it, or -1 if
// the text is broken at g.at.
func (g *grammar) key(b []byte, i int) int {
	if i >= len(b) || b[i] != '"' {
		g.at = i
		return -1
	}
	if i = g.scalar(b, i); i < 0 {
		return -1
	}
	if i = skipSpace(b, i); i >= len(b) || b[i] != ':' {
		g.at = i
		return -1
	}
	return skipSpace(b, i+1)
}

// scalar checks the string, literal or number at b[i:] and returns the offset of its end,
// or -1 if the text is broken at g.at.
func (g *grammar) scalar(b []byte, i int) int {
	g.token = i
	if b[i] == '"' {
		end, ok := g.checkString(b, i+1)
		if !ok {
			g.at, end = end, -1
		}
		return end
	}
	end := skipScalar(b, i)
	if end < 0 {
		g.at = skipWord(b, i)
	}
	return end
}

// checkString returns the offset after the closing quote of the string whose opening
// quote is just before i. If the text is not a string, with no control characters and
// only escapes of JSON, it returns the offset where it stops being one, and false. Unless g is
// nil, it notes the first escapes that are faults.
func (g *grammar) checkString(b []byte, i int) (end int, ok bool) {
	for {
		i = skipText(b, i)
		if i < len(b) && b[i] != '"' && b[i] != '\\' {
			i = plain(b, i)
		}
		switch {
		case i >= len(b):
			return i, false
		case b[i] == '"':
			return i + 1, true
		case b[i] != '\\' || i+1 >= len(b):
			return i, false
		case b[i+1] == 'u':
			u, ok := hex4(b[i+2:])
			switch {
			case !ok:
				return skipWord(b, i+1), false
			case g != nil && (u == 0 || utf16.IsSurrogate(u)):
				i += g.note(b, i, u)
			default:
				i += 6
			}
		case strings.IndexByte(`"\/bfnrt`, b[i+1]) >= 0:
			i += 2
		default:
			return skipWord(b, i+1), false
		}
	}
}

// note notes the escape at b[i:] of u, NUL or half of a surrogate pair, unless it is one half of two.
// It returns the length of the escape, or of both.
func (g *grammar) note(b []byte, i int, u rune) int {
	first := &g.nul
	if u != 0 {
		if low, ok := unit(b[i+6:]); ok && utf16.DecodeRune(u, low) != utf8.RuneError {
			return 12
		}
		first = &g.surrogate
	}
	if *first < 0 {
		*first = i
	}
	return 6
}

// sound returns the offset after the string at b[i:], -1 if it is not sound.
func (g *grammar) sound(b []byte, i int) int {
	if end, ok := g.checkString(b, i+1); ok {
		return end
	}
	return -1
}

// skipWord returns the offset after the letters, digits, signs and points at i: the rest
// of a literal, number or escape that is cut off.
func skipWord(b []byte, i int) int {
	for i < len(b) && (b[i]|0x20 >= 'a' && b[i]|0x20 <= 'z' || b[i] >= '0' && b[i] <= '9' || b[i] == '-' || b[i] == '+' || b[i] == '.') {
		i++
	}
	return i
}
