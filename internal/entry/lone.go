package entry

import "bytes"

// ReplaceLone replaces the escapes of lone surrogates in JSON by that of U+FFFD: jq 1.6 stops at one, and loses all
// records after it.
func ReplaceLone(b []byte) {
	for i := 0; ; i += 2 { // over an escape of two characters, or the beginning of a longer one
		j := bytes.IndexByte(b[i:], '\\')
		if j < 0 {
			return
		}
		i += j
		if i+6 > len(b) || b[i+1] != 'u' {
			continue
		}
		switch first, second := half(b[i:]), half(b[min(i+6, len(b)):]); {
		case first == high && second == low:
			i += 10
		case first != 0:
			copy(b[i+2:], "fffd")
			i += 4
		}
	}
}

// The halves of a pair of surrogates.
const (
	high = 'h'
	low  = 'l'
)

// half returns which half of a pair b begins with, as an escape; 0 if with none.
func half(b []byte) byte {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' || b[2]|0x20 != 'd' {
		return 0
	}
	switch c := b[3] | 0x20; {
	case b[3] >= '0' && b[3] < '8':
		return 0
	case b[3] == '8' || b[3] == '9' || c == 'a' || c == 'b':
		return high
	}
	return low
}
