// Package record defines the records that the programs print about logs: one struct for
// each kind of record, with the names and the meaning of its fields.
//
// A record is one line of compact JSON. A value of a log is copied as [Raw] JSON, so that
// an id in a record is the id in the log, byte for byte; all other values are ordinary Go
// values. A field that does not apply is left out or null, as its tag says.
//
// Records that follow another program's published shape keep its names: [Session] those
// of the Agent SDK's listSessions, [Title] those of Claude Code, [Report] those of an
// older script. In all others, one thing has one name: sessionId; path (of a file), its bytes
// (the size) and mtime; file (the FILE that was given); line, offset and length (the position
// of an entry), toLine (the line at the other end of a link); id and parent (of an entry), from
// and to (the ends of a link), agentId; version (of a backup); status (of a task); entry (an
// id); reason (what is wrong, in words); lines, entries, nodes, roots and leaves (how many there
// are).
//
// Edges are by far the most frequent records. They have no struct: package dialect
// appends them, and [Extend] adds the fields of a record to one.
package record

import (
	"time"

	"github.com/segmentio/encoding/json"

	"jl/internal/entry"
)

// Raw is JSON as it is in a log, or as [Text] makes it; nil is null, or left out.
type Raw = json.RawMessage

// Text returns s as a JSON string, nil if s is empty. A lone surrogate, which
// entry.Value.Text returns as three bytes, becomes its escape again.
func Text[S ~string | ~[]byte](s S) Raw {
	if len(s) == 0 {
		return nil
	}
	return Raw(entry.AppendString(make([]byte, 0, len(s)+len(`""`)), []byte(s)))
}

// Scalar returns a copy of v if it is a valid string, number or boolean, else nil.
func Scalar(v entry.Value) Raw {
	if len(v) == 0 || v.IsObject() || v.IsArray() || string(v) == "null" || !entry.Valid(v) {
		return nil
	}
	return append(Raw(nil), v...)
}

// Time is a time that records show in UTC, as ISO 8601 with milliseconds.
type Time time.Time

// MarshalText returns the time as records show it.
func (t Time) MarshalText() ([]byte, error) {
	return time.Time(t).UTC().AppendFormat(nil, "2006-01-02T15:04:05.000Z"), nil
}

// Append appends record, a struct of this package, and a newline to dst.
func Append(dst []byte, record any) []byte {
	// Raw is valid JSON. Without TrustRawMessage, a check would recurse on a log's value.
	dst, err := json.Append(dst, record, json.TrustRawMessage)
	if err != nil {
		panic(err) // if a struct cannot be encoded, this package has a bug
	}
	return append(dst, '\n')
}

// Extend adds the fields of record to the object at the end of dst, which has at least one
// member and no closing brace yet. It closes the object and appends a newline.
func Extend(dst []byte, record any) []byte {
	start := len(dst)
	dst = Append(dst, record)
	if dst[start+1] == '}' {
		return append(dst[:start], '}', '\n')
	}
	dst[start] = ','
	return dst
}
