package entry

// A Key is one of the top-level keys that the suite reads of all entries. [Entry.Member] reads others.
type Key uint8

// The keys of the tree, those that say what an entry is, and those by which an entry that
// is not a node names one. Line, Offset, Length and File appear in edges only.
const (
	UUID Key = iota
	ParentUUID
	ID
	ParentID
	Type
	Subtype
	Timestamp
	IsSidechain
	IsMeta
	IsSynthetic
	ClientComposed
	Origin
	PlanContent
	IsCompactSummary
	IsAPIError
	TeamName
	SessionID
	LogicalParentUUID
	Message
	LeafUUID
	MessageID
	Summary
	Line
	Offset
	Length
	File
	keys
)

// keyOf returns the Key of a name without escapes, keys if it has none.
func keyOf(name []byte) Key {
	switch string(name) {
	case "uuid":
		return UUID
	case "parentUuid":
		return ParentUUID
	case "id":
		return ID
	case "parentId":
		return ParentID
	case "type":
		return Type
	case "subtype":
		return Subtype
	case "timestamp":
		return Timestamp
	case "isSidechain":
		return IsSidechain
	case "isMeta":
		return IsMeta
	case "isSynthetic":
		return IsSynthetic
	case "client_composed":
		return ClientComposed
	case "origin":
		return Origin
	case "planContent":
		return PlanContent
	case "isCompactSummary":
		return IsCompactSummary
	case "isApiErrorMessage":
		return IsAPIError
	case "teamName":
		return TeamName
	case "sessionId":
		return SessionID
	case "logicalParentUuid":
		return LogicalParentUUID
	case "message":
		return Message
	case "leafUuid":
		return LeafUUID
	case "messageId":
		return MessageID
	case "summary":
		return Summary
	case "line":
		return Line
	case "offset":
		return Offset
	case "length":
		return Length
	case "file":
		return File
	}
	return keys
}
