package dialect

import (
	"strconv"

	"jl/internal/entry"
)

// AppendEdge appends to dst the edge of e without its closing '}': its tree fields, byte
// for byte as the entry has them, the file if it is not empty, and the position. The
// caller passes id and parent because they may depend on other entries; a nil parent makes a root.
// An entry that is itself an edge keeps the file and the position that it names.
func (d Dialect) AppendEdge(dst []byte, e *entry.Entry, id, parent entry.Value, file string) []byte {
	return AppendPlace(d.AppendFields(d.AppendIDs(dst, id, parent), e, file), e)
}

// AppendIDs appends to dst the beginning of an edge: '{', the id and the parent.
func (d Dialect) AppendIDs(dst []byte, id, parent entry.Value) []byte {
	if parent == nil {
		parent = entry.Value("null")
	}
	names := &dialects[d].names
	dst = append(append(append(append(dst, `{"`...), names.idName...), `":`...), id...)
	return append(append(append(append(dst, `,"`...), names.parentName...), `":`...), parent...)
}

// AppendFields appends to dst the fields of the edge of e between its parent and its position.
func (d Dialect) AppendFields(dst []byte, e *entry.Entry, file string) []byte {
	for _, m := range [...]struct {
		name  string
		value entry.Value
	}{{`,"type":`, d.Type(e)}, {`,"timestamp":`, e.Get(entry.Timestamp)}} {
		if v := m.value; v != nil && !v.IsObject() && !v.IsArray() {
			dst = append(append(dst, m.name...), v...)
		}
	}
	if d.Sidechain(e) != nil {
		dst = append(dst, `,"isSidechain":true`...)
	}
	for _, m := range [...]struct {
		name string
		key  entry.Key
	}{{`,"subtype":`, entry.Subtype}, {`,"logicalParentUuid":`, entry.LogicalParentUUID}, {`,"sessionId":`, entry.SessionID}} {
		if v := e.Get(m.key); v.IsString() {
			dst = append(append(dst, m.name...), v...)
		}
	}
	if f := e.Get(entry.File); f.IsString() {
		if _, ok := namedPos(e); ok {
			file = string(f.Text())
		}
	}
	if file != "" {
		dst = entry.AppendString(append(dst, `,"file":`...), []byte(file))
	}
	return dst
}

// AppendPlace appends to dst the position in the edge of e, which ends it but for the '}'.
func AppendPlace(dst []byte, e *entry.Entry) []byte {
	at, ok := namedPos(e)
	if !ok {
		at = e.Pos
	}
	dst = strconv.AppendInt(append(dst, `,"line":`...), at.Line, 10)
	dst = strconv.AppendInt(append(dst, `,"offset":`...), at.Offset, 10)
	return strconv.AppendInt(append(dst, `,"length":`...), at.Length, 10)
}

// namedPos returns the position that e names. It reports false if e is not an edge.
func namedPos(e *entry.Entry) (at entry.Pos, ok bool) {
	line, ok1 := e.Get(entry.Line).Int()
	offset, ok2 := e.Get(entry.Offset).Int()
	length, ok3 := e.Get(entry.Length).Int()
	return entry.Pos{Line: line, Offset: offset, Length: length}, ok1 && ok2 && ok3 && min(line, offset, length) >= 0
}
