// Package record holds what the programs print about logs: one struct for each kind of
// record, with the names and the meaning of its fields.
//
// A record is one line of compact JSON. A value that comes from a log travels as [Raw]
// JSON, so that an id in a record is the id in the log, byte for byte; what a program
// makes up is an ordinary Go value. A field that does not apply is left out or null,
// as its tag says.
//
// Records that follow another program's published shape keep its names: [Session] those
// of the Agent SDK's listSessions, [Report] those of an older script. In all others one
// thing has one name: sessionId, path (of a file), bytes, mtime, file (the FILE that
// was given), line, offset and length (of an entry).
//
// Edges, which are by far the most records, are appended by entry.AppendEdge.
// [Extend] adds the fields of a record to one.
package record

import (
	"time"

	"github.com/segmentio/encoding/json"

	"jl/internal/entry"
)

// Raw is JSON as it stands in a log, or as [Text] makes it; nil is null, or left out.
type Raw = json.RawMessage

// Text returns s as a JSON string, nil if s is empty. A lone surrogate, which
// entry.Value.Text returns as three bytes, becomes its escape again.
func Text[S ~string | ~[]byte](s S) Raw {
	if len(s) == 0 {
		return nil
	}
	return Raw(entry.AppendString(nil, []byte(s)))
}

// Scalar returns a copy of v, nil if v is absent, null, an object, an array, or not
// valid JSON: what a record says in one word.
func Scalar(v entry.Value) Raw {
	if len(v) == 0 || v.IsObject() || v.IsArray() || string(v) == "null" || !entry.Valid(v) {
		return nil
	}
	return append(Raw(nil), v...)
}

// Time is an instant as records have it: UTC, ISO 8601 with milliseconds.
type Time time.Time

// MarshalText returns the time as records have it.
func (t Time) MarshalText() ([]byte, error) {
	return time.Time(t).UTC().AppendFormat(nil, "2006-01-02T15:04:05.000Z"), nil
}

// Append appends record, a struct of this package, and a newline to dst.
func Append(dst []byte, record any) []byte {
	// TrustRawMessage: Raw is valid JSON, and checking it would recurse on a log's value.
	dst, err := json.Append(dst, record, json.TrustRawMessage)
	if err != nil {
		panic(err) // a struct that cannot be encoded is a bug in this package
	}
	return append(dst, '\n')
}

// Extend adds the fields of record to dst, an object without its closing brace and
// with at least one member, and closes it with a newline behind.
func Extend(dst []byte, record any) []byte {
	start := len(dst)
	dst = Append(dst, record)
	if dst[start+1] == '}' {
		return append(dst[:start], '}', '\n')
	}
	dst[start] = ','
	return dst
}
