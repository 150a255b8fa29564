package entry

import "strconv"

// A Place says where an entry stands: the file, if it must be named, the line,
// counted from 1, and the offset and length in bytes of what is printed for the
// entry, in the decompressed input.
type Place struct {
	File                 string
	Line, Offset, Length int64
}

// AppendEdge appends to dst the edge of e without its closing '}': its tree
// fields, as they stand in the entry, and its place. id and parent are given
// because not all logs have them; a nil parent makes a root. An entry that is
// itself an edge keeps the place that it names.
func (e *Entry) AppendEdge(dst []byte, d Dialect, id, parent Value, at Place) []byte {
	dst = append(dst, '{')
	if d == Pi {
		dst = appendMember(dst, "id", id)
		dst = append(dst, `,"parentId":`...)
	} else {
		dst = appendMember(dst, "uuid", id)
		dst = append(dst, `,"parentUuid":`...)
	}
	if parent == nil {
		dst = append(dst, "null"...)
	} else {
		dst = append(dst, parent...)
	}
	for _, m := range [...]struct {
		name string
		key  Key
	}{{"type", Type}, {"timestamp", Timestamp}} {
		if v := e.Get(m.key); v != nil && !v.IsObject() && !v.IsArray() {
			dst = appendMember(append(dst, ','), m.name, v)
		}
	}
	if e.Get(IsSidechain).Truthy() {
		dst = append(dst, `,"isSidechain":true`...)
	}
	for _, m := range [...]struct {
		name string
		key  Key
	}{{"subtype", Subtype}, {"logicalParentUuid", LogicalParentUUID}, {"sessionId", SessionID}} {
		if v := e.Get(m.key); v.IsString() {
			dst = appendMember(append(dst, ','), m.name, v)
		}
	}
	return e.placed(at).append(dst)
}

// placed returns the place that e names if it is an edge, else at.
func (e *Entry) placed(at Place) Place {
	line, ok1 := e.Get(Line).Int()
	offset, ok2 := e.Get(Offset).Int()
	length, ok3 := e.Get(Length).Int()
	if !ok1 || !ok2 || !ok3 || min(line, offset, length) < 0 {
		return at
	}
	if f := e.Get(File); f.IsString() {
		at.File = string(f.Text())
	}
	at.Line, at.Offset, at.Length = line, offset, length
	return at
}

func (p Place) append(dst []byte) []byte {
	if p.File != "" {
		dst = append(dst, `,"file":`...)
		dst = AppendString(dst, []byte(p.File))
	}
	dst = append(dst, `,"line":`...)
	dst = strconv.AppendInt(dst, p.Line, 10)
	dst = append(dst, `,"offset":`...)
	dst = strconv.AppendInt(dst, p.Offset, 10)
	dst = append(dst, `,"length":`...)
	return strconv.AppendInt(dst, p.Length, 10)
}

func appendMember(dst []byte, name string, v Value) []byte {
	dst = append(dst, '"')
	dst = append(dst, name...)
	dst = append(dst, '"', ':')
	return append(dst, v...)
}
