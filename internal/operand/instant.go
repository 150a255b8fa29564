package operand

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"jl/internal/entry"
)

// farthest is how far from 1970 a time may be, in seconds: less than the present is in
// milliseconds.
const farthest = 1e12

// Instant returns the instant that a user names, in milliseconds since 1970: a day or a time, local if it has
// no zone, a week, a month or a year, an @ and seconds since 1970, or how long ago. A day, what has days, a minute
// and a second are their beginning, or their end: what is printed as 16:00 or 16:00:30 was in that minute or second.
func Instant(s string, end bool) (int64, error) {
	now := time.Now()
	if ago, ok := duration(s); ok {
		return now.Add(-ago).UnixMilli(), nil
	}
	switch first, next, ok := days(strings.ToLower(s), now); {
	case ok && end:
		return midnight(next).UnixMilli() - 1, nil
	case ok:
		return midnight(first).UnixMilli(), nil
	}
	rest := int64(0)
	if end {
		rest = unit(s) - 1
	}
	for _, form := range []string{"2006-01-02T15:04", "2006-01-02T15:04:05", "2006-01-02 15:04", time.DateTime} { // with a fraction, too
		if at, err := time.ParseInLocation(form, s, time.Local); err == nil {
			return at.UnixMilli() + rest, nil
		}
	}
	if at, ok := entry.ParseInstant([]byte(s)); ok {
		return time.UnixMicro(at).UnixMilli() + rest, nil
	}
	if seconds, ok := strings.CutPrefix(s, "@"); ok {
		f, err := strconv.ParseFloat(seconds, 64)
		switch {
		case err == nil && math.Abs(f) < farthest:
			return int64(math.Floor(f * 1000)), nil
		case err == nil && !math.IsNaN(f):
			return 0, fmt.Errorf("%q is out of range: @ takes seconds", s)
		}
	}
	return 0, fmt.Errorf("%q is neither a time (2026-11-20, 2026-11-20T09:00, today, monday, last week, @1795165200) nor a duration (90m, 12h, 7d)", s)
}

// unit returns the milliseconds of what a time names: a minute, a second, or, if it has a fraction, one.
func unit(at string) int64 {
	_, clock, _ := strings.Cut(strings.Replace(at, " ", "T", 1), "T")
	if zone := strings.IndexAny(clock, "Z+-"); zone >= 0 {
		clock = clock[:zone]
	}
	switch {
	case strings.ContainsAny(clock, ".,"):
		return 1
	case strings.Count(clock, ":") == 2:
		return time.Second.Milliseconds()
	}
	return time.Minute.Milliseconds()
}

// days returns the first of the days that a user names, and the one after the last. The days of a week are
// those of the last seven, today included. Its zone does not count.
func days(s string, now time.Time) (first, next time.Time, ok bool) {
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	switch s {
	case "today":
		return today, today.AddDate(0, 0, 1), true
	case "yesterday":
		return today.AddDate(0, 0, -1), today, true
	}
	for back := range 7 {
		if day := today.AddDate(0, 0, -back); strings.ToLower(day.Weekday().String()) == s {
			return day, day.AddDate(0, 0, 1), true
		}
	}
	which, unit, _ := strings.Cut(s, " ")
	back, ok := map[string]int{"this": 0, "last": 1}[which]
	switch {
	case ok && unit == "week": // it begins on Monday
		monday := today.AddDate(0, 0, -int(today.Weekday()+6)%7-7*back)
		return monday, monday.AddDate(0, 0, 7), true
	case ok && unit == "month":
		month := time.Date(now.Year(), now.Month()-time.Month(back), 1, 0, 0, 0, 0, time.UTC)
		return month, month.AddDate(0, 1, 0), true
	case ok && unit == "year":
		year := time.Date(now.Year()-back, 1, 1, 0, 0, 0, 0, time.UTC)
		return year, year.AddDate(1, 0, 0), true
	}
	day, err := time.Parse(time.DateOnly, s)
	return day, day.AddDate(0, 0, 1), err == nil
}

// midnight returns the time at which a day begins here: one o'clock where the clock is put forward at 00:00.
func midnight(day time.Time) time.Time {
	t := time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, time.Local)
	if t.Day() != day.Day() {
		_, t = t.ZoneBounds()
	}
	return t
}

// duration parses what time.ParseDuration parses, and days and weeks. It reports false
// if s is neither, or negative.
func duration(s string) (time.Duration, bool) {
	for unit, hours := range map[string]float64{"d": 24, "w": 7 * 24} {
		if n, ok := strings.CutSuffix(s, unit); ok {
			f, err := strconv.ParseFloat(n, 64)
			if hours *= f; err != nil || !(hours >= 0 && hours <= 2.4e6) { // a Duration holds 2.56e6
				return 0, false
			}
			return time.Duration(hours * float64(time.Hour)), true
		}
	}
	d, err := time.ParseDuration(s)
	return d, err == nil && d >= 0
}
