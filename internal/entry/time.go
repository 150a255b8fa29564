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
	if at, ok := commonInstant(s); ok {
		return at, true
	}
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

// commonInstant is ParseInstant for the form that nearly all times have, "2006-01-02T15:04:05.000Z".
func commonInstant(s []byte) (int64, bool) {
	if len(s) != 24 || s[4] != '-' || s[7] != '-' || s[10] != 'T' || s[13] != ':' || s[16] != ':' || s[19] != '.' || s[23] != 'Z' {
		return 0, false
	}
	y, m, d := digits(s[:4]), digits(s[5:7]), digits(s[8:10])
	hour, minute, second, milli := digits(s[11:13]), digits(s[14:16]), digits(s[17:19]), digits(s[20:23])
	if y < 1 || m < 1 || m > 12 || d < 1 || d > 28 || hour > 23 || minute > 59 || second > 59 || min(hour, minute, second, milli) < 0 {
		return 0, false // or a day that not every month has
	}
	if m < 3 { // a year begins in March, and so ends with the leap day
		y, m = y-1, m+12
	}
	days := 365*y + y/4 - y/100 + y/400 + (153*m-457)/5 + d - 719469
	return (((int64(days)*24+hour)*60+minute)*60+second)*1e6 + milli*1000, true
}

// digits returns the number that s is, -1 if it has something else than digits.
func digits(s []byte) (n int64) {
	for _, c := range s {
		if c < '0' || c > '9' {
			return -1
		}
		n = 10*n + int64(c-'0')
	}
	return n
}
