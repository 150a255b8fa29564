package entry

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/segmentio/encoding/json"
	"github.com/stretchr/testify/require"

	"jl/test/env"
)

var timeTests = []struct {
	name, text string
	want       string // RFC 3339 in UTC, "" if the text is not a time
}{
	{"as the logs have it", "2026-01-02T03:04:05.678Z", "2026-01-02T03:04:05.678Z"},
	{"no fraction", "2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z"},
	{"one digit", "2026-01-02T03:04:05.6Z", "2026-01-02T03:04:05.6Z"},
	{"microseconds", "2026-01-02T03:04:05.678901Z", "2026-01-02T03:04:05.678901Z"},
	{"nanoseconds are cut", "2026-01-02T03:04:05.678901999Z", "2026-01-02T03:04:05.678901Z"},
	{"nine digits, zero first", "2026-01-02T03:04:05.000559484Z", "2026-01-02T03:04:05.000559Z"},
	{"no seconds", "2026-01-02T03:04Z", "2026-01-02T03:04:00Z"},
	{"date", "2026-01-02", "2026-01-02T00:00:00Z"},
	{"month", "2026-02", ""},
	{"year", "2026", ""},
	{"month and time", "2026-02T03:04Z", ""},
	{"year and time", "2026T03:04Z", ""},
	{"space for T", "2026-01-02 03:04:05Z", "2026-01-02T03:04:05Z"},
	{"no zone is UTC", "2026-01-02T03:04:05.5", "2026-01-02T03:04:05.5Z"},
	{"east", "2026-01-02T03:04:05+01:30", "2026-01-02T01:34:05Z"},
	{"west", "2026-01-02T03:04:05.25-08:00", "2026-01-02T11:04:05.25Z"},
	{"offset without its colon", "2026-01-02T03:04:05+0130", "2026-01-02T01:34:05Z"},
	{"offset zero", "2026-01-02T03:04:05-00:00", "2026-01-02T03:04:05Z"},
	{"hour 24", "2026-01-02T24:00:00Z", ""},
	{"hour 24, no seconds", "2026-12-31T24:00Z", ""},
	{"leap day", "2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"},
	{"day that the month does not have", "2026-02-30T00:00:00Z", ""},
	{"leap day in a common year", "1900-02-29T00:00:00Z", ""},
	{"before 1970", "1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999999Z"},
	{"year 0", "0000-03-01T00:00:00Z", "0000-03-01T00:00:00Z"},
	{"year 9999", "9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"},
	{"long year", "+002026-01-02T03:04:05Z", ""},

	{"empty", "", ""},
	{"words", "yesterday", ""},
	{"seconds", "1767322445", ""},
	{"hour 24 and more", "2026-01-02T24:00:01Z", ""},
	{"hour 25", "2026-01-02T25:00:00Z", ""},
	{"minute 60", "2026-01-02T03:60:00Z", ""},
	{"second 60", "2026-01-02T03:04:60Z", ""},
	{"month 0", "2026-00-02T03:04:05Z", ""},
	{"month 13", "2026-13-02T03:04:05Z", ""},
	{"day 0", "2026-01-00T03:04:05Z", ""},
	{"day 32", "2026-01-32T03:04:05Z", ""},
	{"one-digit month", "2026-1-02T03:04:05Z", ""},
	{"two-digit year", "26-01-02T03:04:05Z", ""},
	{"five-digit year", "12026-01-02T03:04:05Z", ""},
	{"year minus 0", "-000000-01-01T00:00:00Z", ""},
	{"space between, with a fraction and an offset", "2026-01-02 03:04:05.123456789+01:00", "2026-01-02T02:04:05.123456Z"},
	{"hour only", "2026-01-02T03Z", ""},
	{"point without digits", "2026-01-02T03:04:05.Z", ""},
	{"T without a time", "2026-01-02T", ""},
	{"date with a zone", "2026-01-02Z", ""},
	{"two zones", "2026-01-02T03:04:05Z+01:00", ""},
	{"something after", "2026-01-02T03:04:05Zx", ""},
	{"space after", "2026-01-02T03:04:05Z ", ""},
	{"space before", " 2026-01-02T03:04:05Z", ""},
	{"NUL after", "2026-01-02T03:04:05Z\x00", ""},
	{"hour of an offset", "2026-01-02T03:04:05+01", ""},
	{"sign of an offset", "2026-01-02T03:04:05+", ""},
	{"full width digits", "２026-01-02T03:04:05Z", ""},
	{"after the end of time", "+275760-09-13T00:00:00.001Z", ""},
	{"long after the end of time", "+999999-01-01T00:00:00Z", ""},
	{"long before time", "-999999-01-01T00:00:00Z", ""},
}

func TestInstant(t *testing.T) {
	for _, test := range timeTests {
		t.Run(test.name, func(t *testing.T) {
			got, ok := Value(AppendString(nil, []byte(test.text))).Instant()
			if test.want == "" {
				require.False(t, ok)
				return
			}
			want, err := time.Parse(time.RFC3339Nano, test.want)
			require.NoError(t, err)
			require.True(t, ok)
			require.Equal(t, want.UnixMicro(), got)
		})
	}
}

func TestInstantOfOtherValues(t *testing.T) {
	for _, v := range []string{``, `null`, `2026`, `{"a":"2026"}`, `["2026"]`, `true`} {
		_, ok := Value(v).Instant()
		require.False(t, ok, v)
	}
	got, ok := Value(`"2026-01-01T00:00:0\u0030Z"`).Instant()
	require.True(t, ok)
	require.Equal(t, int64(1767225600e6), got)
}

// Package time gives the same days.
func TestInstantOfDays(t *testing.T) {
	day := time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)
	for ; day.Year() < 10000; day = day.AddDate(0, 0, 13) {
		got, ok := Value(day.Format(`"2006-01-02"`)).Instant()
		require.True(t, ok && got == day.UnixMicro(), "%s: %d", day, got)
	}
}

// times returns n texts that are times, or almost.
func times(n int) []string {
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(from ...string) string { return from[r.IntN(len(from))] }
	var texts []string
	for _, test := range timeTests {
		texts = append(texts, test.text)
	}
	for len(texts) < n {
		s := fmt.Sprintf("%d-%02d-%02d", 1970+r.IntN(100), r.IntN(14), r.IntN(33))
		if r.IntN(8) > 0 {
			s += pick("T", "T", "T", " ", "t") + fmt.Sprintf("%02d:%02d", r.IntN(26), r.IntN(61))
			if r.IntN(8) > 0 {
				s += fmt.Sprintf(":%02d", r.IntN(61))
				if r.IntN(3) > 0 {
					s += "." + strings.Repeat("0", r.IntN(4)) + fmt.Sprint(r.IntN(1e6))
				}
			}
			s += pick("Z", "Z", "Z", "z", "", fmt.Sprintf("%+03d:%02d", r.IntN(46)-23, r.IntN(60)), fmt.Sprintf("%+03d%02d", r.IntN(46)-23, r.IntN(60)))
		}
		texts = append(texts, s)
	}
	return texts
}

// For each text that Instant accepts, Date.parse returns the same millisecond. Date.parse
// accepts more.
func TestInstantAgreesWithDateParse(t *testing.T) {
	env.Needs(t, "node")
	texts := times(20000)
	in, err := json.Marshal(texts)
	require.NoError(t, err)
	cmd := exec.Command("node", "-e", `console.log(JSON.stringify(JSON.parse(require("fs").readFileSync(0)).map(s => Date.parse(s))))`)
	cmd.Env = append(os.Environ(), "TZ=UTC")
	cmd.Stdin = bytes.NewReader(in)
	out, err := cmd.Output()
	require.NoError(t, err)
	var want []*int64
	require.NoError(t, json.Unmarshal(out, &want))
	require.Len(t, want, len(texts))
	accepted := 0
	for i, text := range texts {
		got, ok := Value(AppendString(nil, []byte(text))).Instant()
		switch {
		case ok && want[i] == nil:
			require.Fail(t, "not a time for Date.parse", "%q", text)
		case ok && (got-(got%1000+1000)%1000)/1000 != *want[i]:
			require.Fail(t, "another time", "%q: %d, not %d", text, got, *want[i])
		case ok:
			accepted++
		}
	}
	require.Greater(t, accepted, 3000)
}

// TestCommonInstant: the form that nearly all times have is read as package time reads it, and no other.
func TestCommonInstant(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	common := 0
	for range 100_000 {
		text := fmt.Appendf(nil, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", rnd.IntN(10_000), rnd.IntN(14), rnd.IntN(33), rnd.IntN(25), rnd.IntN(61), rnd.IntN(61), rnd.IntN(1000))
		if rnd.IntN(4) == 0 {
			text[rnd.IntN(len(text))] = "0: T-Z+."[rnd.IntN(8)]
		}
		var want time.Time
		valid := want.UnmarshalText(text) == nil
		got, ok := commonInstant(text)
		if ok {
			require.True(t, valid, "%s", text)
			require.Equal(t, want.UnixMicro(), got, "%s", text)
			common++
		}
		at, valid2 := ParseInstant(text)
		require.True(t, !valid || valid2 && at == want.UnixMicro(), "%s", text)
	}
	require.Greater(t, common, 40_000)
}
