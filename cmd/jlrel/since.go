package main

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

// instantOf returns the instant that the value of an option names, in milliseconds since 1970: a time,
// an @ and seconds since 1970, or how long ago. If the option was not given, it is otherwise.
func instantOf(option, s string, otherwise int64) (int64, error) {
	if s == "" {
		return otherwise, nil
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
			return 0, fmt.Errorf("%s %q is out of range: @ takes seconds", option, s)
		}
	}
	if ago, ok := duration(s); ok {
		return time.Now().Add(-ago).UnixMilli(), nil
	}
	return 0, fmt.Errorf("%s %q is neither a time (2026-11-20T09:00:00Z, 2026-11-20, @1795165200) nor a duration (90m, 12h, 7d)", option, s)
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
