package entry

import (
	"bytes"
	"slices"
)

// Rewrite appends the object v to dst, which may have white space around it, with some of its
// members changed or left out, and every other byte as it is. It calls edit for each member in
// order. Edit returns the value to write: value to keep the member, nil to leave it out.
func (v Value) Rewrite(dst []byte, edit func(name, value Value) Value) []byte {
	start := skipSpace(v, 0)
	dst, v = append(dst, v[:start]...), v[start:]
	done, kept := 0, false
	for name, value := range v.Members() {
		at, end := v.Offset(name), v.Offset(value)+len(value)
		comma := v[done:at]
		if done == 0 {
			dst, comma = append(dst, comma...), nil // '{' and the space before the first name
		}
		done = end
		now := edit(name, value)
		if now == nil {
			continue
		}
		if kept {
			dst = append(dst, comma...)
		}
		kept = true
		dst = append(dst, v[at:end-len(value)]...)
		dst = append(dst, now...)
	}
	return append(dst, v[done:]...)
}

// Set is Rewrite that also gives one member a value. A member that the object lacks becomes its
// first. A nil edit keeps the other members.
func (v Value) Set(dst []byte, name string, value Value, edit func(name, value Value) Value) []byte {
	member := append(append(append(AppendString(nil, []byte(name)), ':'), value...), ',')
	dst = slices.Grow(dst, len(v)+len(member))
	object, has := len(dst)+skipSpace(v, 0), false
	dst = v.Rewrite(dst, func(n, old Value) Value {
		switch {
		case n.Is(name):
			has = true
			return value
		case edit == nil:
			return old
		}
		return edit(n, old)
	})
	if has || !bytes.HasPrefix(dst[object:], []byte{'{'}) {
		return dst
	}
	if bytes.HasPrefix(dst[skipSpace(dst, object+1):], []byte{'}'}) {
		member = member[:len(member)-1] // it is the only one
	}
	return slices.Insert(dst, object+1, member...)
}

// AppendMember appends a member to dst, an object without its closing '}'. The name is a
// string Value.
func AppendMember(dst []byte, name, value Value) []byte {
	if !bytes.HasSuffix(dst, []byte("{")) {
		dst = append(dst, ',')
	}
	dst = append(append(dst, name...), ':')
	return append(dst, value...)
}
