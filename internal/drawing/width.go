package drawing

import "github.com/rivo/uniseg"

// Width returns how many columns a text without control characters takes.
func Width(text string) int { return uniseg.StringWidth(text) }

// Clip returns text if it takes at most the given number of columns. Else it returns the
// beginning of text and mark, which together take no more than that; but if even mark takes
// more, nothing. It does not split what a reader takes for one character.
func Clip(text string, columns int, mark string) string {
	left := columns - Width(mark)
	short, state := 0, -1 // the length that leaves room for mark
	for at, taken := 0, 0; at < len(text); {
		cluster, _, width, next := uniseg.FirstGraphemeClusterInString(text[at:], state)
		if taken += width; taken > columns {
			if left < 0 {
				return ""
			}
			return text[:short] + mark
		}
		at, state = at+len(cluster), next
		if taken <= left {
			short = at
		}
	}
	return text
}
