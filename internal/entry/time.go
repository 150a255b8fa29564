package entry

import (
	"strings"
	"time"
)

// Instant returns the moment that the string v names, as [ParseInstant] does. It also reports false
// if v is not a string.
func (v Value) Instant() (int64, bool) {
	if !v.IsString() {
		return 0, false
	}
	return ParseInstant(v.Text())
}

// instantForms are the forms of a time that ParseInstant accepts besides the strict form of RFC 3339,
// which nearly all logs have. Go accepts a fraction after the seconds of each.
var instantForms = []string{
	time.RFC3339, "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05",
	"2006-01-02T15:04Z07:00", "2006-01-02T15:04", time.DateOnly,
}

// ParseInstant returns the moment that s names, in microseconds since 1970 in UTC. It reports
// false if s does not name one. It accepts forms of ISO 8601: a date, or a date and a time with or
// without seconds, with a T or a space between. A time without an offset is in UTC, so that the
// result does not depend on the machine. Digits beyond the microsecond are dropped.
func ParseInstant(s []byte) (int64, bool) {
	var t time.Time
	if t.UnmarshalText(s) == nil {
		return t.UnixMicro(), true
	}
	const longest = 64 // of a time, with room to spare
	if len(s) > longest {
		return 0, false
	}
	text := strings.Replace(string(s), " ", "T", 1)
	for _, form := range instantForms {
		if t, err := time.Parse(form, text); err == nil {
			return t.UnixMicro(), true
		}
	}
	return 0, false
}
