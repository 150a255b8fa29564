package entry

import "time"

// Instant returns the moment that the string v names, in microseconds since 1970 in UTC.
// It reports false if v does not name one. It accepts the forms of JavaScript's Date that
// occur in logs: the ISO forms, a space instead of the T, an offset without its colon. A
// time without an offset is in UTC, so that the result does not depend on the machine.
// Digits beyond the microsecond are dropped.
func (v Value) Instant() (int64, bool) {
	if !v.IsString() {
		return 0, false
	}
	p := timeParser{s: v.Text(), ok: true}
	t := p.instant()
	return t, p.ok && len(p.s) == 0
}

// A timeParser consumes s from the left. It sets ok to false at anything unexpected.
type timeParser struct {
	s  []byte
	ok bool
}

func (p *timeParser) instant() int64 {
	year, month, day := p.year(), int64(1), int64(1)
	whole := false
	if p.eat('-') {
		month = p.digits(2, 1, 12)
		if p.eat('-') {
			day = p.digits(2, 1, 31)
			whole = true
		}
	}
	// A day that the month does not have falls into the next month.
	t := time.Date(int(year), time.Month(month), int(day), 0, 0, 0, 0, time.UTC).UnixMicro()
	// Before a space, JavaScript reads years below 100 as years of the last century.
	if p.eat('T') || p.eat('t') || whole && year >= 100 && p.eat(' ') {
		t += p.clock()
		t -= p.zone()
	}
	if t < -8.64e18 || t > 8.64e18 {
		p.ok = false
	}
	return t
}

// year reads four digits, or a sign and six. JavaScript has no times beyond these years.
func (p *timeParser) year() int64 {
	switch {
	case p.eat('+'):
		return p.digits(6, 0, 275760)
	case p.eat('-'):
		return -p.digits(6, 1, 271821)
	}
	return p.digits(4, 0, 9999)
}

// clock reads hours and minutes, and seconds if there are any, and returns microseconds.
// Hour 24 is the end of the day.
func (p *timeParser) clock() int64 {
	hour := p.digits(2, 0, 24)
	if !p.eat(':') {
		p.ok = false
	}
	t := hour*3600e6 + p.digits(2, 0, 59)*60e6
	if p.eat(':') {
		t += p.digits(2, 0, 59) * 1e6
		if p.eat('.') {
			t += p.fraction()
		}
	}
	if hour == 24 && t != 24*3600e6 {
		p.ok = false
	}
	return t
}

// fraction reads one to nine digits and returns microseconds. (With more digits,
// JavaScript's engine returns a wrong number if the first is zero.)
func (p *timeParser) fraction() int64 {
	t, scale, n := int64(0), int64(100000), 0
	for len(p.s) > 0 && '0' <= p.s[0] && p.s[0] <= '9' {
		t += int64(p.s[0]-'0') * scale
		scale /= 10
		p.s = p.s[1:]
		n++
	}
	p.ok = p.ok && 0 < n && n <= 9
	return t
}

// zone reads Z, an offset, or nothing, and returns microseconds east of UTC.
func (p *timeParser) zone() int64 {
	sign := int64(1)
	switch {
	case len(p.s) == 0 || p.eat('Z') || p.eat('z'):
		return 0
	case p.eat('-'):
		sign = -1
	case !p.eat('+'):
		p.ok = false
		return 0
	}
	hours := p.digits(2, 0, 23)
	p.eat(':')
	return sign * (hours*3600e6 + p.digits(2, 0, 59)*60e6)
}

// eat reads c if it is next, and reports whether it was.
func (p *timeParser) eat(c byte) bool {
	if len(p.s) == 0 || p.s[0] != c {
		return false
	}
	p.s = p.s[1:]
	return true
}

// digits reads a number from low to high of n digits.
func (p *timeParser) digits(n int, low, high int64) int64 {
	if len(p.s) < n {
		p.ok = false
		return low
	}
	var v int64
	for _, c := range p.s[:n] {
		if c < '0' || c > '9' {
			p.ok = false
			return low
		}
		v = v*10 + int64(c-'0')
	}
	p.s = p.s[n:]
	if v < low || v > high {
		p.ok = false
		return low
	}
	return v
}
