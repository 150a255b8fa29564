package entry

import "bytes"

// Rewrite appends the object v to dst with some of its members changed or left out, and
// every other byte as it is. It calls edit for each member in order. Edit returns the
// value to write: value to keep the member, nil to leave it out.
func (v Value) Rewrite(dst []byte, edit func(name, value Value) Value) []byte {
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

// Insert is Rewrite for an object that gets another member in front of the others.
func (v Value) Insert(dst []byte, name string, value Value, edit func(name, value Value) Value) []byte {
	dst = AppendMember(append(dst, '{'), AppendString(nil, []byte(name)), value)
	at := len(dst)
	dst = v.Rewrite(dst, edit)
	if rest := bytes.TrimLeft(dst[at+1:], " \t\r"); len(rest) > 0 && rest[0] == '}' {
		return append(dst[:at], rest...)
	}
	dst[at] = ',' // it was '{'
	return dst
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
