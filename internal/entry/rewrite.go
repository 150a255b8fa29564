package entry

import "bytes"

// Rewrite appends the object v to dst with some of its members changed, and leaves every
// other byte as it is. For each member in order it calls edit, which returns the value
// to write: value itself to leave the member alone, nil to leave it out.
func (v Value) Rewrite(dst []byte, edit func(name, value Value) Value) []byte {
	done, kept := 0, false
	for name, value := range v.Members() {
		at, end := v.Offset(name), v.Offset(value)+len(value)
		comma := v[done:at]
		if done == 0 {
			dst, comma = append(dst, comma...), nil // what is between '{' and the first name
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

// AppendMember appends a member to dst, an object that is not closed yet.
func AppendMember(dst []byte, name, value Value) []byte {
	if !bytes.HasSuffix(dst, []byte("{")) {
		dst = append(dst, ',')
	}
	dst = append(append(dst, name...), ':')
	return append(dst, value...)
}
