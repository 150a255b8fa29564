package entry

import "strconv"

// AppendEdge appends to dst the edge of e without its closing '}': its tree fields, byte
// for byte as the entry has them, the file if it is not empty, and the position. The
// caller passes id and parent because not all logs have them; a nil parent makes a root.
// An entry that is itself an edge keeps the file and the position that it names.
func (e *Entry) AppendEdge(dst []byte, d Dialect, id, parent Value, file string) []byte {
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
	at := e.Pos
	if named, ok := e.namedPos(); ok {
		at = named
		if f := e.Get(File); f.IsString() {
			file = string(f.Text())
		}
	}
	if file != "" {
		dst = append(dst, `,"file":`...)
		dst = AppendString(dst, []byte(file))
	}
	dst = append(dst, `,"line":`...)
	dst = strconv.AppendInt(dst, at.Line, 10)
	dst = append(dst, `,"offset":`...)
	dst = strconv.AppendInt(dst, at.Offset, 10)
	dst = append(dst, `,"length":`...)
	return strconv.AppendInt(dst, at.Length, 10)
}

// namedPos returns the position that e names. It reports false if e is not an edge.
func (e *Entry) namedPos() (at Pos, ok bool) {
	line, ok1 := e.Get(Line).Int()
	offset, ok2 := e.Get(Offset).Int()
	length, ok3 := e.Get(Length).Int()
	return Pos{line, offset, length}, ok1 && ok2 && ok3 && min(line, offset, length) >= 0
}

func appendMember(dst []byte, name string, v Value) []byte {
	dst = append(dst, '"')
	dst = append(dst, name...)
	dst = append(dst, '"', ':')
	return append(dst, v...)
}
