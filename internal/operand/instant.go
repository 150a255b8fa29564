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
// no zone, an @ and seconds since 1970, or how long ago. A day is its beginning, or its end.
func Instant(s string, end bool) (int64, error) {
	now := time.Now()
	if ago, ok := duration(s); ok {
		return now.Add(-ago).UnixMilli(), nil
	}
	day, err := time.Parse(time.DateOnly, s)
	if back, ok := map[string]int{"today": 0, "yesterday": 1}[s]; ok {
		day, err = time.Date(now.Year(), now.Month(), now.Day()-back, 0, 0, 0, 0, time.UTC), nil
	}
	switch {
	case err == nil && end:
		return midnight(day.AddDate(0, 0, 1)).UnixMilli() - 1, nil
	case err == nil:
		return midnight(day).UnixMilli(), nil
	}
	for _, form := range []string{"2006-01-02T15:04", "2006-01-02T15:04:05", "2006-01-02 15:04", time.DateTime} { // with a fraction, too
		if at, err := time.ParseInLocation(form, s, time.Local); err == nil {
			return at.UnixMilli(), nil
		}
	}
	if at, ok := entry.ParseInstant([]byte(s)); ok {
		return time.UnixMicro(at).UnixMilli(), nil
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
	return 0, fmt.Errorf("%q is neither a time (2026-11-20, 2026-11-20T09:00, today, yesterday, @1795165200) nor a duration (90m, 12h, 7d)", s)
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
