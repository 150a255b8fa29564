package tree

import (
	"bytes"
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"

	"jl/internal/entry"
)

// isBlank reports whether the string v is white space, as JavaScript has it. It looks at no more
// than the first character that is not.
func isBlank(v entry.Value) bool {
	for i := 1; ; {
		c := v[i]
		switch {
		case c == '"':
			return true
		case c == '\\' && v[i+1] == 'u':
			unit, err := strconv.ParseUint(string(v[i+2:min(i+6, len(v))]), 16, 16)
			if err != nil || !isSpaceJS(rune(unit)) {
				return err != nil && len(bytes.Trim(v.Text(), entry.SpaceJS)) == 0
			}
			i += 6
		case c == '\\':
			if strings.IndexByte("ntrf", v[i+1]) < 0 {
				return false
			}
			i += 2
		default:
			r, size := utf8.DecodeRune(v[i:])
			if !isSpaceJS(r) {
				return false
			}
			i += size
		}
	}
}

func isSpaceJS(r rune) bool { return strings.ContainsRune(entry.SpaceJS, r) }

// message returns the message of n, the zero message if it has none.
func (t *Tree) message(n Node) message {
	if m := t.at(n).message; m > 0 {
		return *t.messages.At(int(m) - 1)
	}
	return message{}
}

// messageOf returns the id of the message that n is an entry of, 0 if it has none or is
// not an assistant entry.
func (t *Tree) messageOf(n Node) hash {
	if t.at(n).kind != assistant {
		return 0
	}
	return t.message(n).id
}

// resultsOf returns the calls that n answers, nil if it is not a user entry.
func (t *Tree) resultsOf(n Node) []hash {
	if t.at(n).kind != user {
		return nil
	}
	return t.toolsOf(n)
}

// callsOf returns the calls that n makes, nil if it is not an assistant entry.
func (t *Tree) callsOf(n Node) []hash {
	if t.at(n).kind != assistant {
		return nil
	}
	return t.toolsOf(n)
}

func (t *Tree) toolsOf(n Node) []hash {
	m := t.message(n)
	if m.count == 0 {
		return nil
	}
	return t.tools.From(int(m.tools))[:m.count]
}

// callSet returns the set of the calls that of returns for nodes.
func callSet(nodes iter.Seq[Node], of func(Node) []hash) map[hash]bool {
	set := map[hash]bool{}
	for n := range nodes {
		for _, call := range of(n) {
			set[call] = true
		}
	}
	return set
}
