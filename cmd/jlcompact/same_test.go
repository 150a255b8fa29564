package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
	"jl/internal/line"
	"jl/internal/tree"
)

// A teller makes up small sessions with all that a log may hold.
type teller struct {
	rnd   *rand.Rand
	log   strings.Builder
	count int
	tip   string   // where the conversation goes on
	main  []string // the ids of the main line's entries so far
	chain []string // the way from the last boundary or root to the tip
	lines []string
	added map[string]bool // the ids that deltas name
	shot  map[string]bool // the ids that snapshots belong to
}

func (s *teller) chance(percent int) bool { return s.rnd.IntN(100) < percent }

func (s *teller) id(kind string) string {
	s.count++
	return kind + strconv.Itoa(s.count)
}

func (s *teller) put(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	s.lines = append(s.lines, text)
	s.log.WriteString(text + "\n")
}

// time is most often later than the times before, and sometimes not there.
func (s *teller) time() string {
	at := s.count
	switch {
	case s.chance(2):
		return ""
	case s.chance(5):
		at = s.rnd.IntN(s.count + 1)
	}
	return fmt.Sprintf(`"timestamp":"2026-01-01T%02d:%02d:%02dZ",`, at/3600, at/60%60, at%60)
}

func parent(id string) string {
	if id == "" {
		return "null"
	}
	return `"` + id + `"`
}

// entry puts one entry with an id, below up; what stands directly above it may
// belong to it.
func (s *teller) entry(typ, id, up, more string) {
	if s.chance(15) {
		s.snapshot(id)
		if s.chance(40) {
			s.put(`{"type":"progress",%s"uuid":"%s","parentUuid":%s}`, s.time(), s.id("p"), parent(up))
		}
	}
	s.put(`{"type":"%s",%s"uuid":"%s","parentUuid":%s%s}`, typ, s.time(), id, parent(up), more)
	if s.chance(15) {
		s.beside(id)
	}
}

// snapshot puts a snapshot that belongs to id.
func (s *teller) snapshot(id string) {
	of, update := id, "false"
	s.shot[id] = true
	if len(s.chain) > 0 && s.chance(30) {
		of, update = s.chain[s.rnd.IntN(len(s.chain))], "true"
	}
	if s.added[of] {
		of = id // else what was added in the cold part would be added to this
	}
	s.put(`{"type":"file-history-snapshot","messageId":"%s","isSnapshotUpdate":%s,"snapshot":{"messageId":"%s","n":%d}}`, id, update, of, s.rnd.IntN(1000))
}

// beside puts something that has no id, or none that counts.
func (s *teller) beside(id string) {
	switch s.rnd.IntN(9) {
	case 0:
		s.put(`{"type":"custom-title","customTitle":"t%d"}`, s.count)
	case 1:
		s.put(`{"type":"summary","summary":"s","leafUuid":"%s"}`, id)
	case 2, 3:
		s.snapshot(id)
	case 4:
		s.put(``)
	case 5:
		s.put(`{"type":"queue-operation","operation":"enqueue"`)
	case 6:
		s.put(`{"type":"user","uuid":"torn{"type":"tag","tag":"t"}`)
	case 7:
		s.put(`{"type":"unknown","uuid":"%s","parentUuid":"%s"}`, s.id("l"), id)
	case 8:
		s.added[id] = true
		s.put(`{"type":"file-history-delta","messageId":"%s","trackingPath":"f","backup":{}}`, id)
	}
}

// on says that the conversation has gone on to id.
func (s *teller) on(id string) {
	s.tip = id
	s.main = append(s.main, id)
	s.chain = append(s.chain, id)
}

// answer puts a message, most often of several calls, each with its result.
func (s *teller) answer() {
	message, up := s.id("m"), s.tip
	type call struct{ id, call string }
	var open []call
	result := func() {
		i := s.rnd.IntN(len(open))
		c := open[i]
		open = slices.Delete(open, i, i+1)
		id, below := s.id("r"), c.id
		if s.chance(15) {
			below = s.id("p")
			s.put(`{"type":"progress",%s"uuid":"%s","parentUuid":"%s"}`, s.time(), below, c.id)
		}
		s.entry("user", id, below, fmt.Sprintf(`,"message":{"content":[{"type":"tool_result","tool_use_id":"%s"}]}`, c.call))
		s.on(id)
	}
	for range 1 + s.rnd.IntN(3) {
		id := s.id("a")
		c := call{id, s.id("c")}
		s.entry("assistant", id, up, fmt.Sprintf(`,"message":{"id":"%s","content":[{"type":"tool_use","id":"%s"}]}`, message, c.call))
		if !s.chance(30) {
			up = id // else the next hangs beside it
		}
		s.on(id)
		open = append(open, c)
		if s.chance(20) {
			s.side()
		}
		if s.chance(20) {
			result()
		}
	}
	for len(open) > 0 && !s.chance(5) {
		result()
	}
}

// side puts a few entries of a sidechain.
func (s *teller) side() {
	up := ""
	if s.chance(50) {
		up = s.tip
	}
	for range 1 + s.rnd.IntN(3) {
		id := s.id("x")
		s.entry([]string{"user", "assistant"}[s.rnd.IntN(2)], id, up, `,"isSidechain":true,"message":{"id":"`+s.id("m")+`"}`)
		up = id
	}
}

// compact puts a boundary and a summary; the conversation goes on there unless it
// is one of another branch.
func (s *teller) compact() {
	b, sum := s.id("b"), s.id("s")
	up, more := "", ""
	if s.chance(5) {
		up = s.tip
	}
	if s.chance(10) {
		more = `,"isSidechain":true`
	}
	anchor := []string{sum, sum, sum, b, "gone"}[s.rnd.IntN(5)]
	if len(s.main) > 0 && s.chance(15) {
		anchor = s.main[len(s.main)-1-s.rnd.IntN(min(5, len(s.main)))]
	}
	other := s.chance(20) // the conversation does not go on here
	pool := s.chain
	if other && s.chance(60) && len(pool) > 0 {
		pool, anchor = s.main, pool[s.rnd.IntN(len(pool))]
	}
	if n := len(pool); n > 0 {
		from := s.rnd.IntN(n)
		if s.chance(50) {
			from = n - 1 - s.rnd.IntN(min(n, 6))
		}
		kept := slices.Clone(pool[from:])
		if other {
			kept = kept[:1+s.rnd.IntN(len(kept))]
		}
		switch s.rnd.IntN(4) {
		case 0:
			if s.chance(30) {
				kept = slices.DeleteFunc(kept, func(string) bool { return s.chance(30) })
			}
			if s.chance(8) {
				kept = append(kept, "gone")
			}
			more += fmt.Sprintf(`,"compactMetadata":{"preservedMessages":{"anchorUuid":"%s","uuids":["%s"]}}`, anchor, strings.Join(kept, `","`))
		case 1:
			more += fmt.Sprintf(`,"compactMetadata":{"preservedSegment":{"headUuid":"%s","anchorUuid":"%s","tailUuid":"%s"}}`, kept[0], anchor, kept[len(kept)-1])
		}
	}
	back, way := s.tip, s.chain
	s.entry("system", b, up, `,"subtype":"compact_boundary"`+more)
	s.chain = nil
	s.on(b)
	s.entry("user", sum, b, `,"isCompactSummary":true`)
	s.on(sum)
	if other {
		s.tip, s.chain = back, way
	}
}

// again writes a line once more, but for entries whose snapshots stand above the
// first: what begins with the second does not find them.
func (s *teller) again() {
	if len(s.lines) == 0 {
		return
	}
	text := s.lines[len(s.lines)-1-s.rnd.IntN(min(8, len(s.lines)))]
	_, id, _ := strings.Cut(text, `"uuid":"`)
	id, _, _ = strings.Cut(id, `"`)
	if !s.shot[id] {
		s.put("%s", text)
	}
}

// tell returns a session of about n steps.
func tell(rnd *rand.Rand, n int) string {
	s := &teller{rnd: rnd, added: map[string]bool{}, shot: map[string]bool{}}
	for range n {
		switch k := s.rnd.IntN(100); {
		case k < 25:
			id := s.id("u")
			s.entry("user", id, s.tip, `,"message":{"content":"words"}`)
			s.on(id)
		case k < 60:
			s.answer()
		case k < 66:
			s.side()
		case k < 72:
			id := s.id("t")
			s.entry([]string{"attachment", "system", "progress"}[s.rnd.IntN(3)], id, s.tip, "")
			s.on(id)
		case k < 76:
			if len(s.main) > 0 { // back to an earlier entry, at times one above the boundary
				i := s.rnd.IntN(len(s.main))
				if !s.chance(30) && len(s.chain) > 0 {
					s.tip = s.chain[s.rnd.IntN(len(s.chain))]
				} else {
					s.tip = s.main[i]
				}
			}
		case k < 78:
			id := s.id("o")
			s.entry("user", id, "gone", "")
			if s.chance(20) {
				s.on(id)
			}
		case k < 80:
			s.again()
		case k < 88:
			s.beside(s.tip)
		default:
			s.compact()
		}
	}
	if s.tip != "" {
		s.entry("user", s.id("u"), s.tip, `,"message":{"content":"the end"}`)
	}
	return s.log.String()
}

// read returns the tree of a log.
func read(t *testing.T, log string) *tree.Tree {
	t.Helper()
	r := strings.NewReader(log)
	all, err := tree.Read(line.NewForward(strings.NewReader(log)), r, int64(len(log)), tree.Default, nil)
	require.NoError(t, err)
	return all
}

// answersOf returns what jlpath and jlsnap print of a log.
func answersOf(t *testing.T, log string) (path, snapshots string) {
	t.Helper()
	all := read(t, log)
	var p, s bytes.Buffer
	nodes := all.Path(tree.None, tree.Options{}).Nodes
	for _, n := range nodes {
		p.Write(all.Bytes(n))
	}
	merged, _ := all.Snapshots(nodes)
	for _, shot := range merged {
		for _, e := range append([]entry.Pos{shot.Entry}, shot.Deltas...) {
			s.WriteString(log[e.Offset:e.Offset+e.Length] + "\n")
		}
		s.WriteString("\n")
	}
	require.NoError(t, all.Err())
	return p.String(), s.String()
}

// sessions calls check with many made-up sessions: 500, or as many as
// JL_TEST_SESSIONS says.
func sessions(t *testing.T, make func(*rand.Rand, int) string, check func(seed uint64, log string)) {
	n := 500
	if many, err := strconv.Atoi(os.Getenv("JL_TEST_SESSIONS")); err == nil {
		n = many
	}
	for seed := range uint64(n) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		check(seed, make(rnd, 3+rnd.IntN(40)))
	}
}

// parts returns what jlcompact prints of a log, and with --cold.
func parts(t *testing.T, log string) (hot, cold string) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "s.jsonl")
	require.NoError(t, os.WriteFile(name, []byte(log), 0o600))
	var out [2]string
	for i, args := range [][]string{{name}, {"--cold", name}} {
		got := inProcess(args...)
		require.Zero(t, got.status)
		out[i] = got.stdout
	}
	return out[0], out[1]
}

// TestSameAnswers asks what the other programs say of a log and of its live part.
// Where the leaf that jlpath chooses is the live end they say the same.
func TestSameAnswers(t *testing.T) {
	asked, cut := 0, 0
	sessions(t, tell, func(seed uint64, log string) {
		hot, cold := parts(t, log)
		require.Equal(t, log, cold+hot, "session %d", seed)
		again, _ := parts(t, hot)
		require.Equal(t, hot, again, "session %d", seed)
		all := read(t, log)
		if leaf, _ := all.Leaf(tree.None); leaf != all.End() {
			return
		}
		path, snapshots := answersOf(t, log)
		hotPath, hotSnapshots := answersOf(t, hot)
		require.Equal(t, path, hotPath, "session %d:\n%s", seed, log)
		require.Equal(t, snapshots, hotSnapshots, "session %d:\n%s", seed, log)
		asked++
		if cold != "" {
			cut++
		}
	})
	t.Logf("%d asked, of which %d are cut", asked, cut)
	require.Greater(t, cut, asked/2)
}

// TestSamePi has logs of pi, whose jlpath goes to the root: the live part of the
// live part is that itself.
func TestSamePi(t *testing.T) {
	asked, cut := 0, 0
	sessions(t, tellPi, func(seed uint64, log string) {
		hot, cold := parts(t, log)
		asked++
		again, _ := parts(t, hot)
		require.Equal(t, hot, again, "session %d:\n%s", seed, log)
		if cold == "" {
			require.Equal(t, log, hot)
			return
		}
		cut++
		header, rest, _ := strings.Cut(hot, "\n")
		require.Equal(t, log, cold+rest, "session %d", seed)
		require.True(t, strings.HasPrefix(cold, header+"\n"))
	})
	t.Logf("%d asked, of which %d are cut", asked, cut)
	require.Greater(t, cut, asked/2)
}

// tellPi returns a pi session of about n steps.
func tellPi(rnd *rand.Rand, n int) string {
	var log strings.Builder
	log.WriteString(`{"type":"session","version":3,"id":"s"}` + "\n")
	var ids, chain []string
	tip := ""
	for i := range n {
		id := fmt.Sprint("e", i)
		switch k := rnd.IntN(20); {
		case k == 0 && len(ids) > 0:
			tip = ids[rnd.IntN(len(ids))]
			chain = nil
		case k == 1:
			log.WriteString(`{"type":"label","id":"` + id + `","parentId":"gone"}` + "\n")
		case k == 2:
			log.WriteString("\n" + `{"torn` + "\n")
		case k < 6 && len(ids) > 0:
			first := ids[rnd.IntN(len(ids))]
			if len(chain) > 0 && rnd.IntN(4) > 0 {
				first = chain[rnd.IntN(len(chain))]
			}
			fmt.Fprintf(&log, `{"type":"compaction","id":"%s","parentId":%s,"firstKeptEntryId":"%s"}`+"\n", id, parent(tip), first)
			tip, ids, chain = id, append(ids, id), append(chain, id)
		default:
			fmt.Fprintf(&log, `{"type":"message","id":"%s","parentId":%s}`+"\n", id, parent(tip))
			tip, ids, chain = id, append(ids, id), append(chain, id)
		}
	}
	return log.String()
}
