package tree

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/line"
)

// readLive returns the live part of a log, without the header if it has one.
func readLive(t testing.TB, log string) (Live, string) {
	t.Helper()
	r := strings.NewReader(log)
	live, err := ReadLive(r, r.Size())
	require.NoError(t, err)
	return live, log[live.Cut:]
}

// checkBackwards requires that a log that is read backwards, as far as necessary, has the
// same live nodes as the whole tree.
func checkBackwards(t *testing.T, log string) {
	t.Helper()
	r := strings.NewReader(log)
	first := dialect.NewReader(line.NewForward(strings.NewReader(log)), entry.Decoder{}, nil)
	whole := read(t, log, Default)
	if !first.Next() || whole.Straight() {
		return
	}
	v := newUnread(first.Entry(), first.Dialect(), r, r.Size())
	var got, want Live
	nodes := whole.all().live(&want)
	require.Equal(t, ids(t, whole, nodes), ids(t, v.Tree, v.live(&got)), log)
	require.Equal(t, want.Compaction, got.Compaction)
}

func FuzzLiveBackwards(f *testing.F) {
	for i := range 64 {
		var b []byte
		for k := range 120 {
			b = append(b, byte(i*k*k+i*37+k*5>>(i%3)))
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		log := jsonl(graph(b))
		checkBackwards(t, log)
		readLive(t, log)
	})
}

// A lateReader reads a log until it has been read some times, and then fails, or reads another log.
type lateReader struct {
	log, then string
	reads     int // that are left
}

func (l *lateReader) ReadAt(p []byte, at int64) (int, error) {
	if l.reads--; l.reads >= 0 {
		return strings.NewReader(l.log).ReadAt(p, at)
	}
	if l.then == "" {
		return 0, errIO
	}
	return strings.NewReader(l.then).ReadAt(p, at)
}

// TestReadLiveFails: whichever read fails, ReadLive does; and if the log is another one meanwhile,
// it says so, or has not needed the rest.
func TestReadLiveFails(t *testing.T) {
	log := jsonl("u1 user pad=90000\nb2 boundary keep=u1/b2 pad=90000\nu3 user <b2 pad=90000")
	size := int64(len(log))
	reads := 0
	for ; ; reads++ {
		live, err := ReadLive(&lateReader{log: log, reads: reads}, size)
		if err == nil {
			live.Close()
			break
		}
		require.ErrorIs(t, err, errIO)
	}
	require.Greater(t, reads, 3)
	changed := 0
	for n := range reads {
		live, err := ReadLive(&lateReader{log: log, then: strings.ReplaceAll(log, `"b2"`, `"x2"`), reads: n}, size)
		if err != nil {
			require.ErrorIs(t, err, ErrChanged)
			changed++
		}
		live.Close()
	}
	require.NotZero(t, changed)
	live, err := ReadLive(strings.NewReader(""), 0)
	require.NoError(t, err)
	require.Equal(t, Live{}, live)
}

// A countingReader counts the bytes that are read of a log.
type countingReader struct {
	io.ReaderAt
	read int
}

func (c *countingReader) ReadAt(p []byte, at int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(p, at)
	c.read += n
	return n, err
}

// What is above the live part is not read.
func TestReadLiveReadsLittle(t *testing.T) {
	log := jsonl(draw(10_000, func(b *strings.Builder, k int) { fmt.Fprintf(b, "n%d user <n%d pad=1000", k, k-1) })) +
		jsonl("b1 boundary\nu2 user <b1")
	r := &countingReader{ReaderAt: strings.NewReader(log)}
	size := int64(len(log))
	live, err := ReadLive(r, size)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(log[live.Cut:], `{"subtype":"compact_boundary"`))
	require.Less(t, r.read, 1<<20)
}

// manySessions calls check with made-up sessions: 300, or as many as JL_TEST_SESSIONS says.
func manySessions(t *testing.T, draw func(*rand.Rand, int) string, check func(log string)) {
	n, err := strconv.Atoi(os.Getenv("JL_TEST_SESSIONS"))
	if err != nil {
		n = 300
	}
	for seed := range uint64(n) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		log := jsonl(draw(rnd, 3+rnd.IntN(40)))
		checkBackwards(t, log)
		check(log)
	}
}

// answersOf returns the bytes of the default path of a log and of its snapshots.
func answersOf(t *testing.T, log string) (path, snapshots string) {
	t.Helper()
	tree := read(t, log, Default)
	nodes := tree.Path(None, Options{}).Nodes
	for _, s := range tree.FileHistory(nodes).Snapshots {
		if !s.Made() {
			snapshots += string(tree.EntryAt(s.Entry).Line)
		}
		for _, p := range s.Deltas {
			snapshots += string(tree.EntryAt(p).Line)
		}
		snapshots += "\n"
	}
	path = joined(tree, nodes)
	require.NoError(t, tree.Err())
	return path, snapshots
}

// If the default leaf is the live end, the live part has the path and the snapshots of the
// whole log. The live part of a live part is all of it.
func TestLivePartAnswersAsTheLog(t *testing.T) {
	asked, cut := 0, 0
	manySessions(t, drawSession, func(log string) {
		l, live := readLive(t, log)
		require.True(t, l.Cut == 0 || log[l.Cut-1] == '\n', log)
		again, _ := readLive(t, live)
		require.Zero(t, again.Cut, log)
		tree := read(t, log, Default)
		leaf, _ := tree.Leaf(None)
		if leaf != None {
			spoken := tree.all().nearest(tree.all().isMessage)
			require.Equal(t, spoken.of(leaf) == None, spoken.of(tree.End()) == None, log)
		}
		if leaf != tree.End() {
			return
		}
		path, snapshots := answersOf(t, log)
		livePath, liveSnapshots := answersOf(t, live)
		require.Equal(t, path, livePath, log)
		require.Equal(t, snapshots, liveSnapshots, log)
		asked++
		if l.Cut > 0 {
			cut++
		}
	})
	t.Logf("%d sessions, %d of them cut", asked, cut)
	require.Greater(t, cut, asked/2)
}

func TestLiveCut(t *testing.T) {
	for _, c := range []struct{ name, log, first string }{
		{"a conversation that is lost, and a list on a sidechain that keeps a boundary", `
			u0 user
			u1 user <u0
			b2 boundary
			s3 user <b2
			u4 user <lost
			b5 boundary side keep=u1,b2,s3/u4
			u6 user <u4`, "u1"},
		{"a kept message whose parent is lost", `
			u1 user
			a2 assistant <lost m=m1 text=x
			u3 user <a2
			a4 assistant <lost m=m1 text=y
			b5 boundary keep=a4/s6
			s6 user <b5`, "a2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			log := jsonl(c.log)
			_, live := readLive(t, log)
			tree := read(t, live, Default)
			require.Equal(t, c.first, tree.ID(tree.order[0]))
			path, _ := answersOf(t, log)
			livePath, _ := answersOf(t, live)
			require.Equal(t, path, livePath)
			again, _ := readLive(t, live)
			require.Zero(t, again.Cut)
		})
	}
}

func TestLivePartOfPi(t *testing.T) {
	cut, moved := 0, 0
	manySessions(t, drawPi, func(log string) {
		l, live := readLive(t, log)
		require.Equal(t, strings.Index(log, "\n")+1, int(l.Head))
		again, _ := readLive(t, log[:l.Head]+live)
		require.Equal(t, []any{l.Head, l.Head, l.Compaction}, []any{again.Head, again.Cut, again.Compaction}, log)
		if l.Cut > l.Head {
			require.NotNil(t, l.Compaction)
			cut++
		}
		short := withSettings(t, log, l)
		require.Equal(t, settingsOf(t, log), settingsOf(t, short), log)
		s, _ := readLive(t, short)
		require.Equal(t, short, withSettings(t, short, s), log)
		if short != log[:l.Head]+live {
			moved++
		}
	})
	require.NotZero(t, cut)
	require.NotZero(t, moved)
}

// withSettings returns the live part of a pi log with its header and settings.
func withSettings(t *testing.T, log string, l Live) string {
	settings, first, err := l.Settings()
	require.NoError(t, err)
	parent := regexp.MustCompile(`"parentId":("[^"]*"|null)`)
	linked := func(s Linked) string {
		text := log[s.Offset : s.Offset+s.Length]
		if s.Parent == nil {
			return text
		}
		return parent.ReplaceAllLiteralString(text, `"parentId":`+string(s.Parent))
	}
	out := log[:l.Head]
	for _, s := range settings {
		out += strings.TrimSuffix(linked(s), "\n") + "\n"
	}
	from := l.Cut
	if first.Parent != nil {
		out += log[from:first.Offset] + linked(first)
		from = first.Offset + first.Length
	}
	return out + log[from:]
}

// settingsOf returns the ids of what pi takes as the model, the thinking level and the
// name, and the leaf.
func settingsOf(t *testing.T, log string) map[string]string {
	tree := read(t, log, Default)
	found := map[string]string{}
	for _, n := range tree.all().chain(tree.End()) {
		if e := tree.Entry(n); isSetting(e) && !e.Get(entry.Type).Is(nameSetting) {
			found[string(e.Get(entry.Type).Text())] = tree.ID(n)
		}
		found["leaf"] = tree.ID(n)
	}
	for _, n := range tree.order {
		if tree.Entry(n).Get(entry.Type).Is(nameSetting) {
			found[nameSetting] = tree.ID(n)
		}
	}
	return found
}

// drawPi draws a pi session of n steps.
func drawPi(rnd *rand.Rand, n int) string {
	var log strings.Builder
	log.WriteString(v3)
	var all, chain []string
	tip := ""
	for k := range n {
		id, up := fmt.Sprint("e", k), below(tip)
		switch x := rnd.IntN(20); {
		case x == 0 && len(all) > 0:
			tip, chain = pick(rnd, all), nil
			continue
		case x == 1:
			log.WriteString(id + " pi:label <gone\n")
			continue
		case x == 2:
			log.WriteString("|{\"torn\n")
			continue
		case x < 6 && len(all) > 0:
			first := pick(rnd, all)
			if len(chain) > 0 && rnd.IntN(4) > 0 {
				first = pick(rnd, chain)
			}
			fmt.Fprintf(&log, "%s pi:compaction%s first=%s\n", id, up, first)
		case x < 9:
			kind := []string{"model_change", "thinking_level_change", nameSetting}[rnd.IntN(3)]
			fmt.Fprintf(&log, "%s pi:%s%s\n", id, kind, up)
		default:
			fmt.Fprintf(&log, "%s pi:message%s\n", id, up)
		}
		tip, all, chain = id, append(all, id), append(chain, id)
	}
	return log.String()
}

func pick(rnd *rand.Rand, ids []string) string { return ids[rnd.IntN(len(ids))] }

// below draws the parent of an entry, which is a root if the id is empty.
func below(id string) string {
	if id == "" {
		return ""
	}
	return " <" + id
}

// A session is drawn step by step.
type session struct {
	*rand.Rand
	lines  []string
	count  int
	tip    string          // the id of the entry that the conversation ends at
	main   []string        // the ids of the conversation so far
	chain  []string        // those since the last boundary or root
	deltas map[string]bool // the ids that deltas name
	shots  map[string]bool // the ids that have snapshots
}

func (s *session) chance(percent int) bool { return s.IntN(100) < percent }

func (s *session) id(kind string) string {
	s.count++
	return kind + strconv.Itoa(s.count)
}

func (s *session) put(format string, args ...any) {
	s.lines = append(s.lines, fmt.Sprintf(format, args...))
}

// entry draws an entry of the conversation or a sidechain, often with annotations around it.
func (s *session) entry(id, drawing string) string {
	if s.chance(15) {
		s.snapshot(id)
		if s.chance(40) {
			s.put("%s progress%s", s.id("p"), below(s.tip))
		}
	}
	at := s.count // most often later than the times before
	if s.chance(5) {
		at = s.IntN(s.count + 1)
	}
	when := fmt.Sprint(" @", at)
	if s.chance(2) {
		when = " @-"
	}
	s.put("%s %s%s", id, drawing, when)
	if s.chance(15) {
		s.annotate(id)
	}
	return id
}

// on draws an entry that the conversation goes on to.
func (s *session) on(id, drawing string) string {
	s.entry(id, drawing)
	s.tip, s.main, s.chain = id, append(s.main, id), append(s.chain, id)
	return id
}

// snapshot draws a snapshot of id. At times it is an update, but not for a snapshot that
// deltas add to: those that a cut takes away would be missing.
func (s *session) snapshot(id string) {
	of, update := id, false
	s.shots[id] = true
	if len(s.chain) > 0 && s.chance(30) {
		if earlier := pick(s.Rand, s.chain); !s.deltas[earlier] {
			of, update = earlier, true
		}
	}
	s.put(`|{"type":"file-history-snapshot","messageId":%q,"isSnapshotUpdate":%v,"snapshot":{"messageId":%q,"n":%d}}`, id, update, of, s.IntN(1000))
}

// annotate draws a line that has no id, or that is a link.
func (s *session) annotate(id string) {
	switch s.IntN(8) {
	case 0:
		s.put(`|{"type":"custom-title","customTitle":"t%d"}`, s.count)
	case 1:
		s.put("- summary leaf=%s", id)
	case 2, 3:
		s.snapshot(id)
	case 4:
		s.put(`|{"type":"queue-operation","operation":"enqueue"`)
	case 5:
		s.put(`|{"type":"user","uuid":"torn{"type":"tag","tag":"t"}`)
	case 6:
		s.put("%s unknown <%s", s.id("l"), id)
	case 7:
		s.deltas[id] = true
		s.put("- file-history-delta msg=%s", id)
	}
}

// answer draws a message, most often of several calls, with most of their results.
func (s *session) answer() {
	message, up := s.id("m"), s.tip
	var open [][2]string // entry and call
	result := func() {
		i := s.IntN(len(open))
		up, call := open[i][0], open[i][1]
		open = slices.Delete(open, i, i+1)
		if s.chance(15) {
			link := s.id("p")
			s.put("%s progress <%s", link, up)
			up = link
		}
		s.on(s.id("r"), "user <"+up+" res="+call)
	}
	for range 1 + s.IntN(3) {
		call := s.id("c")
		id := s.on(s.id("a"), fmt.Sprintf("assistant%s m=%s call=%s", below(up), message, call))
		if !s.chance(30) {
			up = id // else the next is its sibling
		}
		open = append(open, [2]string{id, call})
		if s.chance(20) {
			s.side()
		}
		if s.chance(20) {
			result()
			s.between()
		}
	}
	for len(open) > 0 && !s.chance(5) {
		result()
	}
}

// between draws, at times, what may stand between the entries of a message: what a client put
// in, or another answer, that the conversation most often does not go through.
func (s *session) between() {
	switch s.IntN(20) {
	case 0, 1, 2:
		s.entry(s.id("x"), "user meta"+below(s.tip))
	case 3:
		s.on(s.id("x"), "user meta"+below(s.tip))
	case 4:
		s.entry(s.id("a"), "assistant"+below(s.tip)+" m="+s.id("m"))
	}
}

// side draws a sidechain.
func (s *session) side() {
	up := ""
	if s.chance(50) {
		up = s.tip
	}
	for range 1 + s.IntN(3) {
		up = s.entry(s.id("x"), []string{"user", "assistant"}[s.IntN(2)]+below(up)+" side m="+s.id("m"))
	}
}

// compact draws a boundary and a summary. The conversation goes on below it, unless it
// belongs to another branch, or below an entry that was kept, or below one that is lost.
func (s *session) compact() {
	b, sum := s.id("b"), s.id("s")
	drawing := "boundary"
	if s.chance(5) {
		drawing += below(s.tip)
	}
	if s.chance(10) {
		drawing += " side"
	}
	anchor := []string{sum, sum, sum, b, "gone"}[s.IntN(5)]
	if len(s.main) > 0 && s.chance(15) {
		anchor = s.main[len(s.main)-1-s.IntN(min(5, len(s.main)))]
	}
	other := s.chance(20)
	last := "" // of the kept entries
	pool := s.chain
	if other && s.chance(60) && len(pool) > 0 {
		pool, anchor = s.main, pick(s.Rand, pool)
	}
	if n := len(pool); n > 0 {
		from := s.IntN(n)
		if s.chance(50) {
			from = n - 1 - s.IntN(min(n, 6))
		}
		kept := slices.Clone(pool[from:])
		if other {
			kept = kept[:1+s.IntN(len(kept))]
		}
		last = kept[len(kept)-1]
		switch s.IntN(4) {
		case 0:
			if s.chance(30) {
				kept = slices.DeleteFunc(kept, func(string) bool { return s.chance(30) })
			}
			if s.chance(8) {
				kept = append(kept, "gone")
			}
			drawing += " keep=" + strings.Join(kept, ",") + "/" + anchor
		case 1:
			drawing += " seg=" + kept[0] + "," + kept[len(kept)-1] + "/" + anchor
		}
	}
	tip, chain := s.tip, s.chain
	s.chain = nil
	s.on(b, drawing)
	s.on(sum, "user <"+b)
	switch {
	case other:
		s.tip, s.chain = tip, chain
	case last != "" && s.chance(15):
		s.tip = last
	case s.chance(10):
		s.tip = "lost"
	}
}

// crash draws what a crash in a compaction leaves: a boundary, at times with entries that
// are not messages below it, and the beginning of the summary.
func (s *session) crash() {
	b := s.id("b")
	s.put("%s boundary @%d", b, s.count)
	for s.chance(40) {
		s.put("%s %s <%s @%d", s.id("t"), []string{"attachment", "system"}[s.IntN(2)], b, s.count)
	}
	s.put(`|{"type":"user","uuid":"torn`)
}

// again draws a line once more, unless its entry has snapshots: what begins with the second
// line does not have them.
func (s *session) again() {
	if len(s.lines) == 0 {
		return
	}
	l := s.lines[len(s.lines)-1-s.IntN(min(8, len(s.lines)))]
	if id, _, _ := strings.Cut(l, " "); !s.shots[id] {
		s.put("%s", l)
	}
}

// drawSession draws a session of n steps with everything that a log can hold.
func drawSession(rnd *rand.Rand, n int) string {
	s := &session{Rand: rnd, deltas: map[string]bool{}, shots: map[string]bool{}}
	for range n {
		switch k := s.IntN(100); {
		case k < 25:
			s.on(s.id("u"), "user"+below(s.tip))
		case k < 60:
			s.answer()
		case k < 66:
			s.side()
		case k < 72:
			s.on(s.id("t"), []string{"attachment", "system", "progress"}[s.IntN(3)]+below(s.tip))
		case k < 76: // back to an earlier entry, at times to one above the boundary
			if len(s.chain) > 0 && !s.chance(30) {
				s.tip = pick(s.Rand, s.chain)
			} else if len(s.main) > 0 {
				s.tip = pick(s.Rand, s.main)
			}
		case k < 78:
			if s.chance(20) {
				s.on(s.id("o"), "user <gone")
			} else {
				s.entry(s.id("o"), "user <gone")
			}
		case k < 80:
			s.again()
		case k < 88:
			if s.tip != "" {
				s.annotate(s.tip)
			}
		default:
			s.compact()
		}
	}
	if s.tip != "" {
		s.entry(s.id("u"), "user <"+s.tip)
	}
	if s.chance(15) {
		s.crash()
	}
	return strings.Join(s.lines, "\n")
}
