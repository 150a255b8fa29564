package data

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"jl/test/torture/harness"
)

// shortSession is a session whose every byte is worth a trial.
var shortSession, _ = harness.Session(3, 0)

// TestSurvivesEveryPrefix cuts a log at every byte, in a short run at every 11th. Each
// entry before the cut is there.
func TestSurvivesEveryPrefix(t *testing.T) {
	p := harness.Parallel(t, "P12", "no input crashes or hangs; a log cut at any byte")
	edges := strings.SplitAfter(harness.RunPipe(t, shortSession, "jltree").Stdout, "\n")
	var texts []string
	for n := 0; n < len(shortSession); n += harness.Pick(11, 1) {
		texts = append(texts, shortSession[:n])
	}
	for some := range slices.Chunk(texts, 1500) {
		b := newBatch(t, some)
		b.survives(p)
		_, each := b.run(t, tree)
		for i, printed := range each {
			text := some[i]
			nodes := 0
			for line := range strings.Lines(text) {
				if strings.HasSuffix(line, "\n") && strings.Contains(line, `"uuid":"`) {
					nodes++
				}
			}
			want := strings.Join(edges[:nodes], "")
			got := strings.ReplaceAll(printed, `,"file":"`+b.files[i]+`"`, "")
			// If only its newline is cut off, an entry is whole, and its length is less.
			whole := json.Valid([]byte(text[strings.LastIndexByte(text, '\n')+1:]))
			p.Try(got == want || whole && strings.Count(got, "\n") == nodes+1, "the edges of the first %d bytes are %q", len(text), got)
		}
	}
}

// telling returns a byte that means something in JSON, or any byte.
func telling(rnd *rand.Rand) byte {
	const bytes = "{}[]\",:\\\n\r\x00 0tu\x80\xff"
	if rnd.IntN(3) > 0 {
		return bytes[rnd.IntN(len(bytes))]
	}
	return byte(rnd.UintN(256))
}

// TestSurvivesEveryChangedByte changes every byte of a log, in a short run every 9th.
// That costs its own entry at most, and the loss is named: by jltree if the line is
// damaged, else by jltree --check.
func TestSurvivesEveryChangedByte(t *testing.T) {
	p := harness.Parallel(t, "P12", "…with any byte changed: no other entry is lost, and a lost one is named")
	edges := rows(t, harness.RunPipe(t, shortSession, "jltree").Stdout)
	for n := range harness.Times(1, 3) {
		rnd := harness.Rand(t, n)
		var texts []string
		var places []int
		for at := 0; at < len(shortSession); at += harness.Pick(9, 1) {
			text := []byte(shortSession)
			for text[at] == shortSession[at] {
				text[at] = telling(rnd)
			}
			texts, places = append(texts, string(text)), append(places, at)
		}
		for some := range slices.Chunk(texts, 2000) {
			b := newBatch(t, some)
			b.survives(p)
			got, each := b.run(t, tree)
			_, findings := b.run(t, check)
			for i, printed := range each {
				reported := append(named(got.Stderr, b.files[i]), foundOn(rows(t, findings[i]), "malformed")...)
				p.Check(lost(edges, rows(t, printed), some[i], places[0], reported), "jltree %q", some[i][max(0, places[0]-150):min(len(some[i]), places[0]+300)])
				places = places[1:]
			}
		}
	}
}

// lost says which entry is missing among the edges now though the changed byte is in
// another one, or though no message reports its line.
func lost(edges, now []object, text string, changed int, reported []int) string {
	present := map[string]bool{}
	for _, edge := range now {
		present[edge.text("uuid")] = true
	}
	number := 1 + strings.Count(shortSession[:changed], "\n")
	line := strings.SplitAfter(text, "\n")[number-1]
	for _, edge := range edges {
		offset := edge.number("offset")
		switch {
		case present[edge.text("uuid")]:
		case changed < offset || changed >= offset+edge.number("length"):
			return fmt.Sprintf("byte %d has changed, and the entry of line %d is lost", changed, edge.number("line"))
		case !json.Valid([]byte(line)) && !slices.Contains(reported, number):
			return fmt.Sprintf("byte %d has changed, and line %d is lost but not named", changed, number)
		}
	}
	return ""
}

// TestSurvivesNoise reads random bytes, some behind the beginning of a compressed
// file, and damaged compressed files.
func TestSurvivesNoise(t *testing.T) {
	p := harness.Parallel(t, "P12", "…any bytes, and any that begin as gzip, zstd or archives do")
	rnd := harness.Rand(t, 0)
	var texts []string
	for range harness.Times(40, 400) {
		for _, head := range []string{"", "\x1f\x8b", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", "\x28\xb5\x2f\xfd", "\x28\xb5\x2f\xfd\x24\x05", "\x50\x2a\x4d\x18", "\x5e\x2a\x4d\x18",
			"\x50", "(", "\xef\xbb\xbf", "\xff\xfe", `{"type":"session","version":3,"id":"`, `{"type":"session"}` + "\n"} {
			text := []byte(head)
			for range rnd.IntN(300) {
				text = append(text, telling(rnd))
			}
			texts = append(texts, string(text))
		}
	}
	for _, form := range []harness.Form{harness.Gz, harness.Zst, harness.Archive} {
		packed := harness.Read(t, harness.Small(t).File(form))
		for range harness.Times(60, 600) {
			text := []byte(packed[:1+rnd.IntN(len(packed))])
			for range rnd.IntN(4) {
				text[rnd.IntN(len(text))] = byte(rnd.UintN(256))
			}
			texts = append(texts, string(text))
		}
	}
	for some := range slices.Chunk(texts, 2000) {
		b := newBatch(t, some)
		for _, c := range calls {
			got := c.run(t, b.dir, b.files...)
			p.Check(b.problem(t, c, got), "%v", c)
			p.TryAll(len(some), true, "")
		}
	}
}
