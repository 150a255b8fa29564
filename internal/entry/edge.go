package entry

import "strconv"

// AppendEdge appends to dst the edge of e without its closing '}': its tree fields, byte
// for byte as the entry has them, the file if it is not empty, and the position. The
// caller passes id and parent because not all logs have them; a nil parent makes a root.
// An entry that is itself an edge keeps the file and the position that it names.
func (e *Entry) AppendEdge(dst []byte, d Dialect, id, parent Value, file string) []byte {
	return e.AppendPlace(e.AppendFields(dst, d, id, parent, file))
}

// AppendFields appends to dst what comes before the position in the edge of e.
func (e *Entry) AppendFields(dst []byte, d Dialect, id, parent Value, file string) []byte {
	if parent == nil {
		parent = Value("null")
	}
	names := &dialects[d].names
	dst = append(append(append(append(dst, `{"`...), names.idName...), `":`...), id...)
	dst = append(append(append(append(dst, `,"`...), names.parentName...), `":`...), parent...)
	for _, m := range [...]struct {
		name  string
		value Value
	}{{`,"type":`, d.Type(e)}, {`,"timestamp":`, e.Get(Timestamp)}} {
		if v := m.value; v != nil && !v.IsObject() && !v.IsArray() {
			dst = append(append(dst, m.name...), v...)
		}
	}
	if d.Agent(e) != nil {
		dst = append(dst, `,"isSidechain":true`...)
	}
	for _, m := range [...]struct {
		name string
		key  Key
	}{{`,"subtype":`, Subtype}, {`,"logicalParentUuid":`, LogicalParentUUID}, {`,"sessionId":`, SessionID}} {
		if v := e.Get(m.key); v.IsString() {
			dst = append(append(dst, m.name...), v...)
		}
	}
	if f := e.Get(File); f.IsString() {
		if _, ok := e.namedPos(); ok {
			file = string(f.Text())
		}
	}
	if file != "" {
		dst = AppendString(append(dst, `,"file":`...), []byte(file))
	}
	return dst
}

// AppendPlace appends to the fields of the edge of e its position.
func (e *Entry) AppendPlace(dst []byte) []byte {
	at, ok := e.namedPos()
	if !ok {
		at = e.Pos
	}
	dst = strconv.AppendInt(append(dst, `,"line":`...), at.Line, 10)
	dst = strconv.AppendInt(append(dst, `,"offset":`...), at.Offset, 10)
	return strconv.AppendInt(append(dst, `,"length":`...), at.Length, 10)
}

// namedPos returns the position that e names. It reports false if e is not an edge.
func (e *Entry) namedPos() (at Pos, ok bool) {
	line, ok1 := e.Get(Line).Int()
	offset, ok2 := e.Get(Offset).Int()
	length, ok3 := e.Get(Length).Int()
	return Pos{line, offset, length}, ok1 && ok2 && ok3 && min(line, offset, length) >= 0
}
