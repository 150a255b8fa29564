package operand

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestInstant: days, and times without a zone, are local. The end of a day, a minute or a second is in it.
func TestInstant(t *testing.T) {
	zone := time.Local
	t.Cleanup(func() { time.Local = zone })
	var err error
	time.Local, err = time.LoadLocation("America/New_York")
	require.NoError(t, err)
	at := func(option, s string) int64 {
		ms, err := Instant(s, option == "--until")
		require.NoError(t, err, s)
		return ms
	}
	for s, want := range map[string]string{
		"2026-01-01":                "2026-01-01T05:00:00Z",
		"2026-01-01T00:00:01.5Z":    "2026-01-01T00:00:01.5Z",
		"2026-01-01T01:00:00+01:00": "2026-01-01T00:00:00Z",
		"2026-07-01T01:00":          "2026-07-01T05:00:00Z",
		"2026-07-01 01:00:02.25":    "2026-07-01T05:00:02.25Z",
		"@1767225600.25":            "2026-01-01T00:00:00.25Z",
	} {
		require.Equal(t, want, time.UnixMilli(at("--since", s)).UTC().Format(time.RFC3339Nano), s)
	}
	for s, want := range map[string]string{
		"2026-01-01T01:00":          "2026-01-01T06:00:59.999Z",
		"2026-01-01 01:00":          "2026-01-01T06:00:59.999Z",
		"2026-01-01T01:00Z":         "2026-01-01T01:00:59.999Z",
		"2026-01-01T01:00+01:00":    "2026-01-01T00:00:59.999Z",
		"2026-01-01T01:00:02Z":      "2026-01-01T01:00:02.999Z",
		"2026-01-01T01:00:02-01:00": "2026-01-01T02:00:02.999Z",
		"2026-01-01 01:00:02":       "2026-01-01T06:00:02.999Z",
		"2026-01-01 01:00:02.25":    "2026-01-01T06:00:02.25Z",
		"2026-01-01T01:00:02.000Z":  "2026-01-01T01:00:02Z",
		"@1767225600":               "2026-01-01T00:00:00Z",
	} {
		require.Equal(t, want, time.UnixMilli(at("--until", s)).UTC().Format(time.RFC3339Nano), s)
	}
	const day = 86400e3
	require.Equal(t, at("--since", "2026-01-02")-1, at("--until", "2026-01-01"))
	require.Equal(t, at("--since", "2026-03-08")+23*3600e3-1, at("--until", "2026-03-08"), "an hour is left out")
	require.Equal(t, at("--since", "today")-1, at("--until", "yesterday"))
	require.InDelta(t, at("--since", "today"), at("--since", "yesterday")+day, 3600e3)
	time.Local, err = time.LoadLocation("America/Santiago") // where the day begins at one
	require.NoError(t, err)
	require.Equal(t, "2026-09-06T04:00:00Z", time.UnixMilli(at("--since", "2026-09-06")).UTC().Format(time.RFC3339))
	require.Equal(t, "2026-09-07T02:59:59Z", time.UnixMilli(at("--until", "2026-09-06")).UTC().Format(time.RFC3339))
	require.Equal(t, at("--since", "2026-09-06")-1, at("--until", "2026-09-05"))
	now := time.Now().UnixMilli()
	require.LessOrEqual(t, at("--since", "today"), now)
	require.Greater(t, at("--until", "today"), now)
	for s, ago := range map[string]int64{"0s": 0, "90m": 5400e3, "1.5h": 5400e3, "2d": 2 * day, "1w": 7 * day} {
		require.InDelta(t, now-ago, at("--until", s), 60e3, s)
	}
	for s, want := range map[string][2]string{ // on a Friday
		"today":      {"2026-11-27", "2026-11-28"},
		"yesterday":  {"2026-11-26", "2026-11-27"},
		"friday":     {"2026-11-27", "2026-11-28"},
		"Monday":     {"2026-11-23", "2026-11-24"},
		"saturday":   {"2026-11-21", "2026-11-22"},
		"this week":  {"2026-11-23", "2026-11-30"},
		"last week":  {"2026-11-16", "2026-11-23"},
		"this month": {"2026-11-01", "2026-12-01"},
		"last month": {"2026-10-01", "2026-11-01"},
		"last year":  {"2025-01-01", "2026-01-01"},
		"2026-02-28": {"2026-02-28", "2026-03-01"},
	} {
		first, next, ok := days(strings.ToLower(s), time.Date(2026, 11, 27, 23, 0, 0, 0, time.Local))
		require.True(t, ok, s)
		require.Equal(t, want, [2]string{first.Format(time.DateOnly), next.Format(time.DateOnly)}, s)
	}
	for on, want := range map[int]string{29: "2026-11-23", 30: "2026-11-30"} { // Sunday ends a week
		first, _, _ := days("this week", time.Date(2026, 11, on, 0, 0, 0, 0, time.Local))
		require.Equal(t, want, first.Format(time.DateOnly))
	}
	require.Equal(t, at("--since", "this week")-1, at("--until", "last week"))
	first, _, _ := days("last month", time.Date(2026, 1, 31, 0, 0, 0, 0, time.Local))
	require.Equal(t, "2025-12-01", first.Format(time.DateOnly))
	for _, s := range []string{"tomorrow", "next week", "last monday", "this", "mon", "-1h", "-1d", "d", "1e9d", "NaNd", "@", "@x", "@1e300", "2026-13-01", " 1h", "5"} {
		_, err := Instant(s, false)
		require.Error(t, err, s)
	}
}
