//go:build linux && !purego

package entry

import (
	"math/rand/v2"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// needAVX2 skips a test or fuzz target that compares the loops with and without vectors.
func needAVX2(tb testing.TB) {
	if !hasAVX2 {
		tb.Skip("no AVX2")
	}
}

// A skipped is where the functions that use vectors arrive.
type skipped struct {
	nested, str, sound, utf8 int
	ok                       bool
	surrogate, nul           int
}

// skipAll skips b from its second byte on, as each of the functions does.
func skipAll(b []byte) (s skipped) {
	first := b[0]
	b[0] = '"'
	s.str = skipString(b, 1)
	g := grammar{surrogate: -1, nul: -1}
	s.sound, s.ok = g.checkString(b, 1)
	s.surrogate, s.nul = g.surrogate, g.nul
	b[0] = first
	s.utf8 = Value(b).invalidUTF8()
	s.nested = skipNested(b, 1)
	return s
}

// checkVectors checks that the functions arrive at the same places without vectors.
func checkVectors(t *testing.T, b []byte) {
	with := skipAll(b)
	hasAVX2 = false
	without := skipAll(b)
	hasAVX2 = true
	if with != without {
		require.Equal(t, without, with, "%q", b)
	}
}

// nestedText appends a random value to b, deep enough to need at least room bytes.
func nestedText(r *rand.Rand, b []byte, room int) []byte {
	if room < 8 {
		scalars := []string{"0", "-1.5e3", "true", "null", `""`, "{}", "[ ]", `"\\"`, `"\""`, `"é"`, `"\u00e9"`, "\"\t\""}
		return append(b, scalars[r.IntN(len(scalars))]...)
	}
	space := func() { b = append(b, strings.Repeat(" \t\r"[:1+r.IntN(3)], r.IntN(40)/38*r.IntN(70))...) }
	switch r.IntN(3) {
	case 0:
		b = append(b, '"')
		for end := len(b) + room; len(b) < end; {
			parts := []string{"plain text", `\\`, `\"`, `\n`, `\u001b`, "{", "]", ",", "€", strings.Repeat(`\\`, r.IntN(70))}
			b = append(b, parts[r.IntN(len(parts))]...)
		}
		return append(b, '"')
	case 1:
		b = append(b, '[')
		for end := len(b) + room; len(b) < end; b = append(b, ',') {
			space()
			b = nestedText(r, b, r.IntN(room))
			space()
		}
		return append(b, "1]"...)
	}
	b = append(b, '{')
	for end := len(b) + room; len(b) < end; b = append(b, ',') {
		b = append(b, `"key":`...)
		space()
		b = nestedText(r, b, r.IntN(room))
		space()
	}
	return append(b, `"":0}`...)
}

// atPageEnd returns size bytes before a page that must not be read.
func atPageEnd(t *testing.T, size int) []byte {
	page := syscall.Getpagesize()
	m, err := syscall.Mmap(-1, 0, 2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	require.NoError(t, err)
	t.Cleanup(func() { _ = syscall.Munmap(m) })
	require.NoError(t, syscall.Mprotect(m[page:], syscall.PROT_NONE))
	return m[page-size : page : page]
}

func TestVectorsAgree(t *testing.T) {
	needAVX2(t)
	const longest, gap = 200, 63
	room := atPageEnd(t, longest+gap)
	r := rand.New(rand.NewPCG(1, 2))
	const bytes = `{}[]",:\` + " \t\n\r\x00\x1fatrue0-é"
	whole := 0
	for length := 1; length <= longest; length++ {
		var texts [][]byte
		for range 6 {
			random := make([]byte, length)
			for i := range random {
				random[i] = bytes[r.IntN(len(bytes))]
			}
			valid := nestedText(r, nil, max(length, 8))
			for len(valid) < length || valid[0] == '"' {
				valid = nestedText(r, nil, max(length, 8))
			}
			if end := skipValue(valid, 0); end == len(valid) {
				whole++
			}
			// What is cut off at its beginning ends in many closing brackets.
			texts = append(texts, random, valid[:length], valid[len(valid)-length:])
			changed := slices.Clone(valid[:length])
			changed[r.IntN(length)] = bytes[r.IntN(len(bytes))]
			texts = append(texts, changed)
		}
		for _, text := range texts {
			for after := range gap + 1 {
				b := room[len(room)-after-length : len(room)-after]
				copy(b, text)
				checkVectors(t, b)
			}
		}
	}
	require.Equal(t, 6*longest, whole)
}

// TestVectorsAgreeOnEachByte has each byte in a whole block, outside and inside of strings.
func TestVectorsAgreeOnEachByte(t *testing.T) {
	needAVX2(t)
	for c := range 256 {
		for _, before := range []string{"", `\`, "[", "]", "1"} {
			for _, after := range []string{"", "[1]", "1"} {
				text := before + string([]byte{byte(c)}) + after
				for _, b := range []string{"[" + text + "]", `["` + text + `"]`, "[1" + text + "]"} {
					checkVectors(t, []byte(b+strings.Repeat(" ", 64)))
				}
			}
		}
	}
}

// TestVectorsAgreeOnCodeUnits has escapes of code units at each place of a block, with each byte
// instead of the u and each of their digits, and escapes that are cut off.
func TestVectorsAgreeOnCodeUnits(t *testing.T) {
	needAVX2(t)
	room := atPageEnd(t, 256)
	check := func(text string) {
		b := room[len(room)-len(text):]
		copy(b, text)
		checkVectors(t, b)
	}
	for _, unit := range []string{"0000", "0001", "1000", "d000", "D7ff", "d83d", "DFFF", "e000", "c0fE", "00e9", "ffff"} {
		for before := range 70 {
			text := `"` + strings.Repeat("x", before)
			for _, after := range []string{"", `"`, `\u` + unit, `\`, strings.Repeat("x", 70) + `"`} {
				check(text + `\u` + unit + after)
				check(text + `\\u` + unit + after)
			}
			for cut := range unit {
				check(text + `\u` + unit[:cut])
				check(text + `\u` + unit[:cut] + `"`)
			}
		}
		for at := range "u" + unit {
			for c := range 256 {
				changed := []byte("u" + unit)
				changed[at] = byte(c)
				check(`"\` + string(changed) + `"` + strings.Repeat(" ", 64))
			}
		}
	}
}

// A value ends at each place of a block, and what must not be there is found at each.
func TestVectorsFindEachPlace(t *testing.T) {
	needAVX2(t)
	for _, inside := range []string{`"x"`, `{"k":1}`, `[[]]`, `"\\"`, `"\""`, "[1 ]", "[1] ,[]", `1]`, `"`, `{{}}`, `[] {}`, `[]"k"`, "x", "\x01", "é", `\"`, `"\"`, `"\x"`, "\"\x01\""} {
		for before := range 140 {
			for _, filler := range []string{" ", `\`, "[", "1", "\x01"} {
				b := strings.Repeat(filler, before)
				checkVectors(t, []byte("["+b+inside+"] "+strings.Repeat(b, 2)))
				checkVectors(t, []byte(`["`+b+`",`+inside+"]"+inside))
				checkVectors(t, []byte(`[[`+inside+"]"+b+"]"+inside))
			}
		}
	}
}

func FuzzVectorsAgree(f *testing.F) {
	needAVX2(f)
	seed(f)
	r := rand.New(rand.NewPCG(3, 4))
	for room := range 300 {
		f.Add(nestedText(r, nil, room))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 0 {
			checkVectors(t, slices.Clone(b))
		}
	})
}
