package entry

import "time"

// Instant returns the moment that the string v names, as [ParseInstant] does. It also reports false
// if v is not a string.
func (v Value) Instant() (int64, bool) {
	if !v.IsString() {
		return 0, false
	}
	return ParseInstant(v.Text())
}

// ParseInstant returns the moment that s names, in microseconds since 1970 in UTC. It reports
// false if s does not name one. It accepts the forms of JavaScript's Date that occur in logs: the
// ISO forms, a space instead of the T, an offset without its colon. A time without an offset is in
// UTC, so that the result does not depend on the machine. Digits beyond the microsecond are
// dropped.
func ParseInstant(s []byte) (int64, bool) {
	year, at := readYear(s)
	month, day := int64(1), int64(1)
	whole := false
	if isAt(s, at, '-') {
		month, at = readTwo(s, at+1, 1, 12)
		if isAt(s, at, '-') {
			day, at = readTwo(s, at+1, 1, 31)
			whole = true
		}
	}
	// A day that the month does not have falls into the next month.
	t := time.Date(int(year), time.Month(month), int(day), 0, 0, 0, 0, time.UTC).UnixMicro()
	// Before a space, JavaScript reads years below 100 as years of the last century.
	if isAt(s, at, 'T') || isAt(s, at, 't') || whole && year >= 100 && isAt(s, at, ' ') {
		var clock, zone int64
		clock, at = readClock(s, at+1)
		zone, at = readZone(s, at)
		t += clock - zone
	}
	return t, at == len(s) && -8.64e18 <= t && t <= 8.64e18
}

// The functions below read a part of s that begins at the offset at. They return what it means
// and its end. If it is not there, the end is broken, and so is the end of what follows.
const broken = -1

// isAt reports whether c is at an offset of s.
func isAt(s []byte, at int, c byte) bool { return at >= 0 && at < len(s) && s[at] == c }

// readTwo reads a number from low to high of two digits.
func readTwo(s []byte, at int, low, high int64) (n int64, end int) {
	if at < 0 || at+2 > len(s) || s[at]-'0' > 9 || s[at+1]-'0' > 9 {
		return low, broken
	}
	n = int64(s[at]-'0')*10 + int64(s[at+1]-'0')
	if n < low || n > high {
		return low, broken
	}
	return n, at + 2
}

// readYear reads the year that s begins with: four digits, or a sign and six. JavaScript has no
// times beyond the years -271821 and 275760.
func readYear(s []byte) (year int64, end int) {
	sign, at := int64(1), 0
	if isAt(s, 0, '-') {
		sign, at = -1, 1
	} else if isAt(s, 0, '+') {
		at = 1
	}
	if at > 0 {
		year, at = readTwo(s, at, 0, 27)
	}
	hundreds, at := readTwo(s, at, 0, 99)
	rest, at := readTwo(s, at, 0, 99)
	year = sign * (year*10000 + hundreds*100 + rest)
	if year < -271821 || year > 275760 || sign < 0 && year == 0 {
		return 0, broken
	}
	return year, at
}

// readClock reads hours and minutes, and seconds if there are any, in microseconds. Hour 24 is the
// end of the day.
func readClock(s []byte, at int) (t int64, end int) {
	hours, at := readTwo(s, at, 0, 24)
	if !isAt(s, at, ':') {
		return 0, broken
	}
	minutes, at := readTwo(s, at+1, 0, 59)
	t = hours*3600e6 + minutes*60e6
	if isAt(s, at, ':') {
		var seconds, fraction int64
		seconds, at = readTwo(s, at+1, 0, 59)
		if isAt(s, at, '.') {
			fraction, at = readFraction(s, at+1)
		}
		t += seconds*1e6 + fraction
	}
	if hours == 24 && t != 24*3600e6 {
		return 0, broken
	}
	return t, at
}

// readFraction reads one to nine digits after a point, in microseconds. (With more digits,
// JavaScript's engine returns a wrong number if the first is zero.)
func readFraction(s []byte, at int) (t int64, end int) {
	scale := int64(100000)
	for end = at; end < len(s) && s[end]-'0' <= 9; end++ {
		t += int64(s[end]-'0') * scale
		scale /= 10
	}
	if end == at || end > at+9 {
		return 0, broken
	}
	return t, end
}

// readZone reads Z, an offset, or nothing, in microseconds east of UTC.
func readZone(s []byte, at int) (t int64, end int) {
	sign := int64(1)
	switch {
	case at == len(s):
		return 0, at
	case isAt(s, at, 'Z') || isAt(s, at, 'z'):
		return 0, at + 1
	case isAt(s, at, '-'):
		sign = -1
	case !isAt(s, at, '+'):
		return 0, broken
	}
	hours, at := readTwo(s, at+1, 0, 23)
	if isAt(s, at, ':') {
		at++
	}
	minutes, at := readTwo(s, at, 0, 59)
	return sign * (hours*3600e6 + minutes*60e6), at
}
