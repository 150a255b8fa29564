package entry

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"iter"
	"math/bits"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A Value is the text of one JSON value, nil if there is none. It is part of a line, and
// valid as long as the line is.
type Value []byte

// IsString reports whether v is a string.
func (v Value) IsString() bool { return len(v) > 0 && v[0] == '"' }

// IsObject reports whether v is an object.
func (v Value) IsObject() bool { return len(v) > 0 && v[0] == '{' }

// IsArray reports whether v is an array.
func (v Value) IsArray() bool { return len(v) > 0 && v[0] == '[' }

// IsNumber reports whether v is a number.
func (v Value) IsNumber() bool { return len(v) > 0 && (v[0] == '-' || v[0] >= '0' && v[0] <= '9') }

// Text returns the text of the string v without escapes, nil if v is not a string. The
// result is part of v, or a new slice if v has escapes. A lone surrogate becomes the three
// bytes that UTF-8 would give it, which are not valid UTF-8: other strings stay different.
func (v Value) Text() []byte {
	if !v.IsString() {
		return nil
	}
	s := v[1 : len(v)-1]
	if bytes.IndexByte(s, '\\') < 0 {
		return s
	}
	return unescape(make([]byte, 0, len(s)), s)
}

// AppendText appends the text of v to dst.
func (v Value) AppendText(dst []byte) []byte {
	if !v.IsString() {
		return dst
	}
	return unescape(dst, v[1:len(v)-1])
}

// Is reports whether v is the string s.
func (v Value) Is(s string) bool {
	switch {
	case len(v) < len(s)+2 || v[0] != '"': // escapes are longer than what they stand for
		return false
	case len(v) == len(s)+2:
		return string(v[1:len(v)-1]) == s && strings.IndexByte(s, '\\') < 0
	case s != "" && v[1] != s[0] && v[1] != '\\':
		return false
	}
	return bytes.IndexByte(v, '\\') >= 0 && string(v.Text()) == s
}

// Key returns a text to compare values by. Strings have the same key if their Text is the
// same, and other values if their bytes are the same.
func (v Value) Key() string {
	if v.IsString() {
		return `"` + string(v.Text()) // no other value begins with a quote
	}
	return string(v)
}

// IsEmpty reports whether v is the empty string, or not a string.
func (v Value) IsEmpty() bool { return !v.IsString() || len(v) == 2 }

// NonEmpty returns v, or nil if v is the empty string or not a string.
func (v Value) NonEmpty() Value {
	if v.IsEmpty() {
		return nil
	}
	return v
}

// First returns the first value that is there and is not null.
func First(values ...Value) Value {
	for _, v := range values {
		if v != nil && string(v) != "null" {
			return v
		}
	}
	return nil
}

// Truthy reports whether v is true in a condition of JavaScript: it is not absent, null,
// false, "" or zero.
func (v Value) Truthy() bool {
	if len(v) == 0 {
		return false
	}
	switch v[0] {
	case 'n', 'f':
		return false
	case '"':
		return len(v) > 2
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		f, err := strconv.ParseFloat(string(v), 64)
		return err != nil || f != 0
	}
	return true
}

// Int returns v as an integer. It reports false if v is not a number, has a fraction or
// an exponent, or does not fit.
func (v Value) Int() (int64, bool) {
	if !v.IsNumber() {
		return 0, false
	}
	n, err := strconv.ParseInt(string(v), 10, 64)
	return n, err == nil
}

// Members yields the names and values of the object v in the order of the text. A name is
// a string Value. Both are part of v; [Value.Offset] returns where. Members yields nothing
// for any other value, and stops where v is not well formed.
func (v Value) Members() iter.Seq2[Value, Value] {
	return func(yield func(Value, Value) bool) {
		c := v.Cursor()
		if !c.Object() {
			return
		}
		for name := c.name(); name != nil; name = c.name() {
			if m := c.Value(); m == nil || !yield(name, m) {
				return
			}
		}
	}
}

// Named yields the members of the object v as [Value.Members] does, but with names without quotes and escapes.
func (v Value) Named() iter.Seq2[[]byte, Value] {
	return func(yield func([]byte, Value) bool) {
		c := v.Cursor()
		if !c.Object() {
			return
		}
		for name := c.Name(); name != nil; name = c.Name() {
			if m := c.Value(); m == nil || !yield(name, m) {
				return
			}
		}
	}
}

// Elements yields the elements of the array v, which are part of v. It yields nothing for
// any other value, and stops where v is not well formed.
func (v Value) Elements() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		c := v.Cursor()
		if !c.Array() {
			return
		}
		for c.Element() {
			if m := c.Value(); m == nil || !yield(m) {
				return
			}
		}
	}
}

// Member returns the value of the last member of the object v with the name, nil if there
// is none.
func (v Value) Member(name string) Value { return lastOf(v.Named(), name) }

// lastOf returns the last of some members that has a name, or nil.
func lastOf(members iter.Seq2[[]byte, Value], name string) (found Value) {
	for k, m := range members {
		if string(k) == name {
			found = m
		}
	}
	return found
}

// Offset returns the offset of part in v. Members or Elements of v, at any depth, must have
// yielded part. Offset compares capacities, so nobody may have limited these since, as [Entry.Get] does.
func (v Value) Offset(part Value) int { return cap(v) - cap(part) }

// unit reads the escape \uXXXX at the start of s.
func unit(s []byte) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	return hex4(s[2:])
}

// AppendString appends s as a JSON string to dst, with the short escapes. It is the inverse of [Value.Text]:
// the three bytes of a lone surrogate become its escape again. Other bytes that are not
// UTF-8 are written as U+FFFD.
func AppendString(dst, s []byte) []byte {
	dst = append(dst, '"')
	for len(s) > 0 {
		if n := verbatim(s); n > 0 {
			dst, s = append(dst, s[:n]...), s[n:]
			continue
		}
		n := 1
		switch c := s[0]; {
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\t':
			dst = append(dst, '\\', 't')
		case c == '\r':
			dst = append(dst, '\\', 'r')
		case c < utf8.RuneSelf:
			dst = fmt.Appendf(dst, `\u%04x`, c)
		case IsSurrogate(s):
			dst = fmt.Appendf(dst, `\ud%03x`, int(s[1]&0x3f)<<6|int(s[2]&0x3f))
			n = 3
		default:
			var r rune
			r, n = utf8.DecodeRune(s)
			dst = utf8.AppendRune(dst, r)
		}
		s = s[n:]
	}
	return append(dst, '"')
}

// verbatim returns how many bytes at the start of s are ASCII and stand for themselves in a JSON
// string. It checks eight bytes at a time, as [plain] does.
func verbatim(s []byte) int {
	i := 0
	for ; i+8 <= len(s); i += 8 {
		w := binary.LittleEndian.Uint64(s[i:])
		// A byte above '~' has its high bit set in w, or gets it by adding one. A carry comes from a marked byte.
		if marks := special(w) | (w|(w+ones))&highs; marks != 0 {
			return i + bits.TrailingZeros64(marks)/8
		}
	}
	for i < len(s) && s[i] >= ' ' && s[i] <= '~' && s[i] != '"' && s[i] != '\\' {
		i++
	}
	return i
}

// IsSurrogate reports whether s begins with the three bytes that UTF-8 would give a surrogate, as
// [Value.Text] returns a lone one.
func IsSurrogate[S ~string | ~[]byte](s S) bool {
	return len(s) >= 3 && s[0] == 0xed && s[1] >= 0xa0 && s[1] <= 0xbf && s[2]&0xc0 == 0x80
}

// unescape appends to dst the text of the sound string that has s between its quotes.
func unescape(dst, s []byte) []byte {
	for {
		i := bytes.IndexByte(s, '\\')
		if i < 0 || i+1 >= len(s) {
			return append(dst, s...)
		}
		dst = append(dst, s[:i]...)
		c := s[i+1]
		s = s[i+2:]
		switch c {
		case 'n':
			dst = append(dst, '\n')
		case 't':
			dst = append(dst, '\t')
		case 'b', 'f', 'r':
			dst = append(dst, "\b\f\r"[strings.IndexByte("bfr", c)])
		case 'u':
			u, ok := hex4(s)
			if !ok {
				continue
			}
			s = s[4:]
			if low, ok := unit(s); ok && utf16.IsSurrogate(u) {
				if r := utf16.DecodeRune(u, low); r != utf8.RuneError {
					dst, s = utf8.AppendRune(dst, r), s[6:]
					continue
				}
			}
			dst = appendUnit(dst, u)
		default:
			dst = append(dst, c)
		}
	}
}

// SpaceJS are the characters that trim() takes for white space in JavaScript.
const SpaceJS = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"

// appendUnit is utf8.AppendRune, but does not replace a lone surrogate.
func appendUnit(dst []byte, u rune) []byte {
	if utf16.IsSurrogate(u) {
		return append(dst, 0xe0|byte(u>>12), 0x80|byte(u>>6)&0x3f, 0x80|byte(u)&0x3f)
	}
	return utf8.AppendRune(dst, u)
}

// hex4 reads the four hexadecimal digits at the start of s.
func hex4(s []byte) (rune, bool) {
	if len(s) < 4 {
		return 0, false
	}
	var u [2]byte
	_, err := hex.Decode(u[:], s[:4])
	return rune(binary.BigEndian.Uint16(u[:])), err == nil
}

// plain returns the offset of the first byte from i on that is a quote, a backslash or a
// control character, len(b) if there is none. It checks eight bytes at a time.
func plain(b []byte, i int) int {
	for ; i+8 <= len(b); i += 8 {
		if marks := special(binary.LittleEndian.Uint64(b[i:])); marks != 0 {
			return i + bits.TrailingZeros64(marks)/8
		}
	}
	for i < len(b) && b[i] >= 0x20 && b[i] != '"' && b[i] != '\\' {
		i++
	}
	return i
}

// The lowest and the highest bit of each of eight bytes.
const ones, highs = 0x0101010101010101, 0x8080808080808080

// special sets the high bit of the first byte of w, from the lowest on, that is a quote, a backslash or a control
// character, and may set those of bytes above it.
func special(w uint64) uint64 {
	q, s := w^ones*'"', w^ones*'\\'
	// A byte below n has its high bit set in (w - n) &^ w. A zero byte of q or s
	// is a quote or a backslash. A borrow can mark only bytes above a true one, so
	// the lowest mark is true.
	return ((w-ones*0x20)&^w | (q-ones)&^q | (s-ones)&^s) & highs
}

// Named yields the top-level members of e as [Value.Named] does. It reads e again, but not what is in its message.
func (e *Entry) Named() iter.Seq2[[]byte, Value] {
	return func(yield func([]byte, Value) bool) {
		c, message := Value(e.Bytes).Cursor(), e.val[Message]
		if !c.Object() {
			return
		}
		for name := c.Name(); name != nil; name = c.Name() {
			var m Value
			if len(message) > 0 && c.at >= 0 && c.at < len(c.text) && &c.text[c.at] == &message[0] {
				m = message
				c.at += len(message)
			} else {
				m = c.Value()
			}
			if m == nil || !yield(name, m) {
				return
			}
		}
	}
}

// Member returns the value of the last top-level member of e with the name, nil if e does not have it. It reads e
// again, so it is for names that few entries have.
func (e *Entry) Member(name string) Value { return lastOf(e.Named(), name) }
