package dialect

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"jl/internal/entry"
)

// ErrNotLog reports that no line of an input is an entry: none of its first megabyte, and
// not one of two lines, if these are longer. Objects in indented lines that may be parts of
// another JSON text do not count, nor do rows of the suite's own programs, the input of a hook, and
// a document on one line. Objects without a type or an id count once they are as many as the lost
// lines above them. An empty input, or one with nothing but an unfinished line, is a log. An
// error that wraps ErrNotLog says what the input is, if that can be seen, and what makes a log of it.
var ErrNotLog = errors.New("not a session log")

// notLog returns the error about an input of a kind, which is "" if the input shows none.
func notLog(kind string) error {
	return fmt.Errorf("%w: %s", ErrNotLog, cmp.Or(kind, "no line of its first megabyte is an entry"))
}

// ReadSQLite prints rows of an SQLite database, one a line.
const ReadSQLite = "sqlite3 -json DB 'select …' | jq -c '.[]'"

const document = "a JSON document; jq -c '.messages[]' makes lines of its messages"

const listed = "rows of jlrel --list; jlpath < ROWS reads the logs that they name"

const said = "rows of jlpath --said, which jq reads; their session names the log"

// notEntries are kinds of objects that are not entries, each with members that no entry has together.
// The first two may be indented, and the second is an entry if it is not alone.
var notEntries = []struct {
	members []string
	kind    string
}{
	{[]string{"transcript_path"}, "the input of a hook; jq -r .transcript_path | xargs jlpath reads its log"},
	{[]string{"messages"}, document},
	{[]string{"fileSize", "lastModified"}, listed},
	{[]string{"kind", "path", "sessionId"}, "rows of jlrel, about files; their path names them"},
	{[]string{"session_id", "agent_files"}, "rows of jlrel --report, about sessions; their session_file names the log"},
	{[]string{"page", "offset"}, "rows of jlcompact --list, about pages; jlcompact -n PAGE prints one"},
	{[]string{"link", "line"}, "rows of jlrel --links, about logs"},
	{[]string{"finding", "severity"}, "rows of jltree --check, about logs; their file names them"},
	{[]string{"totals", "healthy"}, "rows of jltree --check, about logs; their file names them"},
	{[]string{"backupTime", "state"}, "rows of jlsnap --files, about files; their path names them"},
}

// other returns what an object is if it is not an entry, "" if it may be one.
func other(e *entry.Entry) string {
	if !e.HasAny(entry.Type) && e.Member("is").IsString() && e.Member("session") != nil {
		return said // whatever uuid it has
	}
	if e.HasAny(entry.UUID, entry.Type) {
		return ""
	}
	if Listed(e) != nil {
		return listed
	}
	for _, o := range notEntries {
		if !slices.ContainsFunc(o.members, func(name string) bool { return e.Member(name) == nil }) {
			return o.kind
		}
	}
	return ""
}

// Listed returns the path of the log that a row of jlrel --list names, nil if an object is not such a row: rows about
// the other files of a session have neither of the two times.
func Listed(e *entry.Entry) entry.Value {
	path := e.Member("path")
	if e.HasAny(entry.UUID, entry.Type) || !path.IsString() || e.Member("sessionId") == nil ||
		e.Member("lastTimestamp") == nil && e.Member("lastModified") == nil {
		return nil
	}
	return path
}

// NotText returns an error that wraps [ErrNotLog] if what begins with head is UTF-16 or a database,
// in which no line is text.
func NotText(head []byte) error {
	switch {
	case isUTF16(head):
		return notLog("UTF-16 text; iconv -f UTF-16 -t UTF-8 makes a log of it")
	case bytes.HasPrefix(head, []byte("SQLite format 3\x00")):
		return notLog("an SQLite database; " + ReadSQLite + " prints its rows")
	}
	return nil
}

// isUTF16 reports whether what begins with head is ASCII in UTF-16, after a byte order mark or "{".
func isUTF16(head []byte) bool {
	if len(head) < 4 || (head[2] == 0) == (head[3] == 0) {
		return false
	}
	begin := string(head[:2])
	return begin == "\xff\xfe" || begin == "\xfe\xff" || begin == "{\x00" || begin == "\x00{"
}

// opensArray reports whether the first line of an input begins a JSON array that has an element on each
// line. The first would be lost. A line that was torn off an entry does not end with a comma.
func opensArray(line []byte) bool {
	line = bytes.TrimSpace(line)
	return bytes.HasPrefix(line, []byte("[{")) && bytes.HasSuffix(line, []byte("},"))
}

// textKind returns what a text that holds no entry is by its beginning, "" if that does not show. The
// line of an entry that was torn off hardly ends as the first line of an object of several does.
func textKind(head []byte) string {
	head = bytes.TrimPrefix(head, []byte(entry.BOM))
	switch {
	case regexp.MustCompile(`^\s*\[\s*[\[{"\]]`).Match(head):
		return "a JSON array; jq -c '.[]' makes lines of it"
	case !regexp.MustCompile(`^\s*{(\s*"[^\n]*[{\[,])?\s*\n\s*"`).Match(head):
		return ""
	}
	for _, o := range notEntries[:2] {
		if bytes.Contains(head, []byte(`"`+o.members[0]+`":`)) {
			return o.kind
		}
	}
	return "a JSON document; jq -c . makes a line of it"
}
