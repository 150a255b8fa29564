package operand

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestInstant: days, and times without a zone, are local. The end of a day is in it.
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
	for _, s := range []string{"tomorrow", "-1h", "-1d", "d", "1e9d", "NaNd", "@", "@x", "@1e300", "2026-13-01", " 1h", "5"} {
		_, err := Instant(s, false)
		require.Error(t, err, s)
	}
}
