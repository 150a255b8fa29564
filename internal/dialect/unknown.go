package dialect

import "jl/internal/entry"

var unknown = row{
	name: "an unknown program", facts: list | noIDs, names: ids,
	title: unknownTitle,
	note:  "not the log of a known program: its entries are taken in file order",
}

// times are the members in which programs that have no row of their own keep the time of what an object says.
var times = [...]string{"created_at", "createdAt", "created", "time", "ts", "timestamp"}

// TimeIn returns the time in the members of an object of an unknown program, a string or a number, nil if it has none.
func TimeIn(m entry.Fields) entry.Value {
	for _, name := range times {
		if at := m.Get(name); at.IsString() || at.IsNumber() {
			return at
		}
	}
	return nil
}

// Stamp returns the instant that a time is, in microseconds since 1970 in UTC: a string, or a number of seconds or of
// milliseconds. It reports false if it is none, or after the year 9999.
func Stamp(at entry.Value) (int64, bool) {
	if at.IsString() {
		return at.Instant()
	}
	n, ok := at.Int()
	if n < 1e11 {
		n *= 1000
	}
	return n * 1000, ok && n >= 0 && n <= 253402300800000
}

// unknownTitle is Title of programs that have no row of their own: Droid, whose title is the first prompt unless
// somebody gave it another.
func unknownTitle(e *entry.Entry) (entry.Value, Rank) {
	if e.Get(entry.Type).Is("session_start") && e.Get(entry.ID).IsString() && e.Member("isSessionTitleManuallySet").Truthy() {
		return e.Member("title"), ByUser
	}
	return nil, NoTitle
}
