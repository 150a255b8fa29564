package session

import (
	"bytes"
	"iter"
	"slices"
	"strings"

	"jl/internal/entry"
)

// A finder finds the members of one name in text, at any depth. It searches for the rarest letter
// of the name first, because each byte that is not the right one costs time.
type finder struct{ front, back []byte } // the name in quotes and a colon, cut before that letter

func newFinder(name string) finder {
	rarest := 0
	for i := range len(name) {
		if rarity(name[i]) > rarity(name[rarest]) {
			rarest = i
		}
	}
	return finder{[]byte(`"` + name[:rarest]), []byte(name[rarest:] + `":`)}
}

// rarity tells how rare a letter is in English text and code.
func rarity(c byte) int {
	const frequent = "etaoinsrhldcumfpgwybvkxjqz"
	if i := strings.IndexByte(frequent, c); i >= 0 {
		return i
	}
	return len(frequent)
}

// The finders of the members that ends are searched for.
var (
	typeMember             = newFinder("type")
	customTitleMember      = newFinder("customTitle")
	aiTitleMember          = newFinder("aiTitle")
	tagMember              = newFinder("tag")
	summaryMember          = newFinder("summary")
	lastPromptMember       = newFinder("lastPrompt")
	isMetaMember           = newFinder("isMeta")
	isCompactSummaryMember = newFinder("isCompactSummary")
	isSidechainMember      = newFinder("isSidechain")
	gitBranchMember        = newFinder("gitBranch")
	cwdMember              = newFinder("cwd")
	timestampMember        = newFinder("timestamp")
	slugMember             = newFinder("slug")
)

// all yields where in text the value of each member begins, if it begins with value, and whether
// there is a space before it: the two ways that JSON is written in.
func (f *finder) all(text []byte, value string) iter.Seq2[int, bool] {
	return func(yield func(int, bool) bool) {
		for i := 0; ; {
			n := bytes.Index(text[i:], f.back)
			if n < 0 {
				return
			}
			found := i + n
			i = found + len(f.back)
			at := i
			if at < len(text) && text[at] == ' ' {
				at++
			}
			if bytes.HasSuffix(text[:found], f.front) && bytes.HasPrefix(text[at:], []byte(value)) && !yield(at, at > i) {
				return
			}
		}
	}
}

// in reports whether text has a member whose value begins with value.
func (f *finder) in(text []byte, value string) bool {
	for range f.all(text, value) {
		return true
	}
	return false
}

// first returns the first string in text that is the value of a member, one written without a
// space before one with a space.
func (f *finder) first(text []byte) string {
	withSpace, found := "", false
	for at, spaced := range f.all(text, `"`) {
		if spaced && found {
			continue
		}
		s, ok := stringAt(text[at+1:])
		switch {
		case ok && !spaced:
			return s
		case ok:
			withSpace, found = s, true
		}
	}
	return withSpace
}

// last returns the last string in text that is the value of a member. It is fast if that is near
// the end.
func (f *finder) last(text []byte) string {
	for size := 1 << 10; ; size *= 8 {
		end := text[max(0, len(text)-size):]
		var places []int
		for at := range f.all(end, `"`) {
			places = append(places, at)
		}
		for _, at := range slices.Backward(places) {
			if s, ok := stringAt(end[at+1:]); ok {
				return s
			}
		}
		if len(end) == len(text) {
			return ""
		}
	}
}

// stringAt returns the string whose inside text begins with; false if it does not
// end. A string that is not valid JSON is returned as it is written.
func stringAt(text []byte) (string, bool) {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			inside := text[:i]
			if bytes.IndexByte(inside, '\\') < 0 {
				return string(inside), true
			}
			quoted := append(append([]byte{'"'}, inside...), '"')
			if !entry.Valid(quoted) {
				return string(inside), true
			}
			return string(entry.Value(quoted).Text()), true
		}
	}
	return "", false
}
