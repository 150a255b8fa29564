package entry

import (
	"slices"
	"strconv"
)

// A Dialect is the set of key names that a log uses for its tree.
type Dialect uint8

const (
	Claude Dialect = iota // uuid, parentUuid: Claude Code and Qwen Code
	Pi                    // id, parentId: pi, and edges or parts of its logs
)

// DialectOf returns the dialect of a log by its first entry: pi's if that is the header
// of a pi session. Edges and parts of a log have no header; they are pi's if the first
// entry has an id and a parentId and no uuid, or has neither id nor uuid and a type that
// only pi writes.
func DialectOf(first *Entry) Dialect {
	switch {
	case first.IsHeader():
		return Pi
	case first.Get(UUID) != nil:
		return Claude
	case first.Get(ID).IsString() && first.Get(ParentID) != nil,
		first.Get(ID) == nil && isPiType(first.Get(Type)):
		return Pi
	}
	return Claude
}

func isPiType(t Value) bool {
	return slices.Contains([]string{
		"message", "compaction", "branch_summary", "custom_message", "custom",
		"model_change", "thinking_level_change", "label", "session_info",
	}, string(t.Text()))
}

// Numbered reports whether the entries of the pi log that begins with first have no ids
// of their own, because the log is of version 1: the version in its header is below 2 or
// missing. Such an entry has the id #LINE, and its parent is the entry before it.
func Numbered(first *Entry) bool {
	if !first.IsHeader() {
		return first.Get(ID) == nil
	}
	v, err := strconv.ParseFloat(string(first.Get(Version)), 64)
	return err != nil || v < 2
}

// IsHeader reports whether e is the header of a pi session, which is not part of the
// tree.
func (e *Entry) IsHeader() bool {
	return e.Get(Type).Is("session") && e.Get(ID).IsString() && e.Get(UUID) == nil && e.Get(ParentID) == nil
}

// IDOf returns the id of e, nil if it has none. An id is a non-empty string.
func (d Dialect) IDOf(e *Entry) Value { return e.nonEmpty(d, UUID, ID) }

// ParentOf returns the id of the parent of e, nil if e is a root: its parent is null,
// empty, absent or not a string.
func (d Dialect) ParentOf(e *Entry) Value { return e.nonEmpty(d, ParentUUID, ParentID) }

// nonEmpty returns the value of the key that d uses, nil if it is not a non-empty string.
func (e *Entry) nonEmpty(d Dialect, claude, pi Key) Value {
	v := e.Get(claude)
	if d == Pi {
		v = e.Get(pi)
	}
	if v.IsEmpty() {
		return nil
	}
	return v
}

// IsConversation reports whether e has the type of a conversation node of a Claude log.
func (e *Entry) IsConversation() bool {
	t := e.Get(Type)
	return t.Is("user") || t.Is("assistant") || t.Is("attachment") || t.Is("system")
}

// IsBoundary reports whether e is the entry that a compaction wrote in a Claude log.
func (e *Entry) IsBoundary() bool {
	return e.Get(Type).Is("system") && e.Get(Subtype).Is("compact_boundary")
}
