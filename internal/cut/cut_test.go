package cut

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
	"jl/internal/forest"
	"jl/internal/log"
	"jl/test/drawn"
)

// liveOf returns the live part of a log, without the header if it has one.
func liveOf(t testing.TB, text string) (Cut, string) {
	t.Helper()
	r := strings.NewReader(text)
	live, err := Find(r, r.Size())
	require.NoError(t, err)
	return live, text[live.Offset:]
}

// checkTails requires that the live part of a log does not depend on how much of it is read at
// first.
func checkTails(t *testing.T, text string) {
	t.Helper()
	r := strings.NewReader(text)
	defer func(was int64) { firstTail = was }(firstTail)
	firstTail = r.Size()
	whole, err := Find(r, r.Size())
	require.NoError(t, err)
	wantSettings, wantFirst, err := whole.Settings()
	require.NoError(t, err)
	for _, least := range []int64{1, 300, 2000} {
		firstTail = least
		part, err := Find(r, r.Size())
		require.NoError(t, err)
		require.Equal(t, whole.Offset, part.Offset, "%d bytes of\n%s", least, text)
		require.Equal(t, whole.Compaction, part.Compaction)
		settings, first, err := part.Settings()
		require.NoError(t, err)
		require.Equal(t, places(wantSettings...), places(settings...), text)
		require.Equal(t, places(wantFirst), places(first), text)
	}
}

// places returns what settings say, but for the numbers of lines.
func places(settings ...Linked) (all []Linked) {
	for _, s := range settings {
		s.Line = 0
		all = append(all, s)
	}
	return all
}

func FuzzCutDoesNotDependOnTheTail(f *testing.F) {
	for i := range 64 {
		var b []byte
		for k := range 120 {
			b = append(b, byte(i*k*k+i*37+k*5>>(i%3)))
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		text := drawn.Log(drawn.Conversation(b))
		checkTails(t, text)
		liveOf(t, text)
	})
}

// A lateReader reads a log until it has been read some times, and then fails, or reads another log.
type lateReader struct {
	text, then string
	reads      int // that are left
}

func (l *lateReader) ReadAt(p []byte, at int64) (int, error) {
	if l.reads--; l.reads >= 0 {
		return strings.NewReader(l.text).ReadAt(p, at)
	}
	if l.then == "" {
		return 0, errIO
	}
	return strings.NewReader(l.then).ReadAt(p, at)
}

// TestFindFails: whichever read fails, Find does; and if the log is another one meanwhile,
// it says so, or has not needed the rest.
func TestFindFails(t *testing.T) {
	text := drawn.Log("u1 user pad=90000\nb2 boundary keep=u1/b2 pad=90000\nu3 user <b2 pad=90000")
	size := int64(len(text))
	reads := 0
	for ; ; reads++ {
		_, err := Find(&lateReader{text: text, reads: reads}, size)
		if err == nil {
			break
		}
		require.ErrorIs(t, err, errIO)
	}
	require.Greater(t, reads, 3)
	changed := 0
	for n := range reads {
		_, err := Find(&lateReader{text: text, then: strings.ReplaceAll(text, `"b2"`, `"x2"`), reads: n}, size)
		if err != nil {
			require.ErrorIs(t, err, log.ErrChanged)
			changed++
		}
	}
	require.NotZero(t, changed)
	live, err := Find(strings.NewReader(""), 0)
	require.NoError(t, err)
	require.Equal(t, Cut{}, live)
}

var errIO = errors.New("input/output error")

// read returns the tree of a log.
func read(t testing.TB, text string) *log.Log {
	t.Helper()
	tr, err := log.Read(strings.NewReader(text), int64(len(text)), log.Reading{}, nil)
	require.NoError(t, err)
	return tr
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
func TestFindReadsLittle(t *testing.T) {
	text := strings.Repeat(drawn.Log("n1 user <n0 pad=1000"), 10_000) + drawn.Log("b1 boundary\nu2 user <b1")
	r := &countingReader{ReaderAt: strings.NewReader(text)}
	size := int64(len(text))
	live, err := Find(r, size)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(text[live.Offset:], `{"subtype":"compact_boundary"`))
	require.Less(t, r.read, 1<<20)
}

// answersOf returns the bytes of the default path of a log and of its snapshots.
func answersOf(t *testing.T, text string) (path, snapshots string) {
	t.Helper()
	tr := read(t, text)
	nodes := tr.Path(log.None, log.Options{}).Nodes
	for n, at := range tr.Snapshots() {
		if slices.Contains(nodes, n) {
			snapshots += string(tr.EntryAt(at).Line)
		}
	}
	path = linesOf(t, tr, nodes, 0)
	require.NoError(t, tr.Err())
	return path, snapshots
}

// If the default leaf is the live end, the live part has the path and the snapshots of the
// whole log. The live part of a live part is all of it.
func TestLivePartAnswersAsTheLog(t *testing.T) {
	asked, cut := 0, 0
	for text := range drawn.Many(drawn.Session) {
		checkTails(t, text)
		l, live := liveOf(t, text)
		require.True(t, l.Offset == 0 || text[l.Offset-1] == '\n', text)
		again, _ := liveOf(t, live)
		require.Zero(t, again.Offset, text)
		tr := read(t, text)
		leaf := tr.Leaf
		if leaf != log.None {
			spoken := forest.Of(tr.Tree.Up).Nearest(func(n log.Node) bool { return tr.Kinds[n].Message() })
			require.Equal(t, spoken(leaf) == log.None, spoken(tr.End) == log.None, text)
		}
		if leaf != tr.End {
			return
		}
		path, snapshots := answersOf(t, text)
		livePath, liveSnapshots := answersOf(t, live)
		require.Equal(t, path, livePath, text)
		require.Equal(t, snapshots, liveSnapshots, text)
		asked++
		if l.Offset > 0 {
			cut++
		}
	}
	t.Logf("%d sessions, %d of them cut", asked, cut)
	require.Greater(t, cut, asked/2)
}

func TestLiveCut(t *testing.T) {
	for _, c := range []struct{ name, text, first string }{
		{"a conversation that is lost, and a list on a sidechain that keeps a boundary", `
			u0 user
			u1 user <u0
			b2 boundary
			s3 user <b2
			u4 user <lost
			b5 boundary side keep=u1,b2,s3/u4
			u6 user <u4`, "b2"},
		{"a kept message whose parent is lost", `
			u1 user
			a2 assistant <lost m=m1 text=x
			u3 user <a2
			a4 assistant <lost m=m1 text=y
			b5 boundary keep=a4/s6
			s6 user <b5`, "a4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := drawn.Log(c.text)
			_, live := liveOf(t, text)
			tr := read(t, live)
			require.Equal(t, c.first, tr.ID(forest.All(tr.Count)[0]))
			path, _ := answersOf(t, text)
			livePath, _ := answersOf(t, live)
			require.Equal(t, path, livePath)
			again, _ := liveOf(t, live)
			require.Zero(t, again.Offset)
			checkTails(t, text)
		})
	}
}

// TestTailBeginsWithALine: if the tail that is read first begins inside a line, the rest of that line is not an entry.
func TestTailBeginsWithALine(t *testing.T) {
	text := drawn.Log(`
		u1 user pad=3000
		b2 boundary
		s3 user <b2
		|{"type":"tool","data":{"type":"user","uuid":"u9","parentUuid":null,"message":{"role":"user","content":"x"}}}
		u4 user <u9`)
	defer func(was int64) { firstTail = was }(firstTail)
	for firstTail = 100; firstTail < 400; firstTail++ {
		_, live := liveOf(t, text)
		first, _, _ := strings.Cut(live, "\n")
		require.Contains(t, first, `"uuid":"b2"`, firstTail)
	}
}

func TestLivePartOfPi(t *testing.T) {
	cut, moved := 0, 0
	for text := range drawn.Many(drawn.Pi) {
		checkTails(t, text)
		l, live := liveOf(t, text)
		require.Equal(t, strings.Index(text, "\n")+1, int(l.Head))
		again, _ := liveOf(t, text[:l.Head]+live)
		require.Equal(t, []any{l.Head, l.Head, l.Compaction}, []any{again.Head, again.Offset, again.Compaction}, text)
		if l.Offset > l.Head {
			require.NotNil(t, l.Compaction)
			cut++
		}
		short := withSettings(t, text, l)
		require.Equal(t, settingsOf(t, text), settingsOf(t, short), text)
		s, _ := liveOf(t, short)
		require.Equal(t, short, withSettings(t, short, s), text)
		if short != text[:l.Head]+live {
			moved++
		}
	}
	require.NotZero(t, cut)
	require.NotZero(t, moved)
}

// withSettings returns the live part of a pi log with its header and settings.
func withSettings(t *testing.T, text string, l Cut) string {
	settings, first, err := l.Settings()
	require.NoError(t, err)
	parent := regexp.MustCompile(`"parentId":("[^"]*"|null)`)
	linked := func(s Linked) string {
		text := text[s.Offset : s.Offset+s.Length]
		if s.Parent == nil {
			return text
		}
		return parent.ReplaceAllLiteralString(text, `"parentId":`+string(s.Parent))
	}
	out := text[:l.Head]
	for _, s := range settings {
		out += strings.TrimSuffix(linked(s), "\n") + "\n"
	}
	from := l.Offset
	if first.Parent != nil {
		out += text[from:first.Offset] + linked(first)
		from = first.Offset + first.Length
	}
	return out + text[from:]
}

// settingsOf returns the ids of what pi takes as the model, the thinking level and the
// name, and the leaf.
func settingsOf(t *testing.T, text string) map[string]string {
	tr := read(t, text)
	found := map[string]string{}
	p := &tail{Log: tr}
	for _, n := range forest.Of(tr.Tree.Up).Walk(tr.End, nil) {
		if setting := p.setting(n); setting != "" && setting != nameSetting {
			found[setting] = tr.ID(n)
		}
		found["leaf"] = tr.ID(n)
	}
	for n := range tr.Count {
		if tr.Entry(n).Get(entry.Type).Is(nameSetting) {
			found[nameSetting] = tr.ID(n)
		}
	}
	return found
}

// TestTwice: a pi log that repeats itself after its compaction has the settings of the live path, however much of its
// end is read first.
func TestTwice(t *testing.T) {
	body := `{"type":"model_change","id":"m","parentId":null,"provider":"p","modelId":"x"}` + "\n"
	up := "m"
	add := func(kind, id, more string) {
		body += fmt.Sprintf(`{"type":"%s","id":"%s","parentId":"%s"%s}`+"\n", kind, id, up, more)
		up = id
	}
	for i := range 20 {
		add("message", fmt.Sprint("e", i), `,"message":{"role":"user","content":"`+strings.Repeat("x", 100)+`"}`)
	}
	add("compaction", "c", `,"firstKeptEntryId":"e19"`)
	add("message", "z", `,"message":{"role":"user","content":"z"}`)
	log := `{"type":"session","version":3,"id":"s"}` + "\n" + body + body
	defer func(was int64) { firstTail = was }(firstTail)
	for firstTail = 64; firstTail < int64(2*len(log)); firstTail *= 2 {
		c, err := Find(strings.NewReader(log), int64(len(log)))
		require.NoError(t, err)
		settings, first, err := c.Settings()
		require.NoError(t, err)
		require.Len(t, settings, 1)
		require.Equal(t, log[settings[0].Offset:][:settings[0].Length], body[:strings.Index(body, "\n")+1])
		require.GreaterOrEqual(t, first.Offset, c.Offset)
		require.Contains(t, log[first.Offset:][:first.Length], `"id":"e19"`)
		require.Equal(t, `"m"`, string(first.Parent))
	}
}

// TestTable: a tree has a table of its end, and a list has none.
func TestTable(t *testing.T) {
	tree, _ := liveOf(t, drawn.Log("u1 user\na2 assistant <u1"))
	require.Equal(t, log.Node(2), tree.Table().Count)
	list, _ := liveOf(t, `{"type":"session_meta","payload":{"id":"s"}}`+"\n"+`{"type":"response_item","payload":{"type":"message","role":"user","content":[]}}`+"\n")
	require.Nil(t, list.Table())
}

// TestSettings: what pi goes on with stands above the live part, as a chain: the name of the session where it was on the path.
func TestSettings(t *testing.T) {
	for _, c := range []struct {
		name, log string
		want      []string // each setting with the parent that it gets, if it needs one, and the first live entry
	}{
		{"the name above the others", `
			n1 pi:session_info
			u2 pi:message <n1
			m3 pi:model_change <u2
			u4 pi:message <m3
			t5 pi:thinking_level_change <u4
			u6 pi:message <t5
			c7 pi:compaction <u6 first=u6
			u8 pi:message <c7`, []string{"n1", `m3<"n1"`, `t5<"m3"`, "u6"}},
		{"the name among the others", `
			m1 pi:model_change
			n2 pi:session_info <m1
			u3 pi:message <n2
			t4 pi:thinking_level_change <u3
			u5 pi:message <t4
			u6 pi:message <u5
			c7 pi:compaction <u6 first=u6`, []string{"m1", "n2", `t4<"n2"`, `u6<"t4"`}},
		{"the last of each", `
			m1 pi:model_change
			t2 pi:thinking_level_change <m1
			m3 pi:model_change <t2
			u4 pi:message <m3
			c5 pi:compaction <u4 first=u4`, []string{"t2", "m3", "u4"}},
		{"the last of one kind", `
			m1 pi:model_change
			m2 pi:model_change <m1
			u3 pi:message <m2
			c4 pi:compaction <u3 first=u3`, []string{"m2", "u3"}},
		{"a name that is not on the path", `
			m1 pi:model_change
			n2 pi:session_info <m1
			t3 pi:thinking_level_change <m1
			u4 pi:message <t3
			c5 pi:compaction <u4 first=u4`, []string{"m1", "n2", "t3", "u4"}},
		{"one that is broken inside", `
			m1 pi:model_change
			|{"type":"model_change","id":"m2","parentId":"m1","modelId":{"x":tru}}
			u3 pi:message <m2
			c4 pi:compaction <u3 first=u3`, []string{"m1", `u3<"m1"`}},
		{"one behind the beginning of another", `
			m1 pi:model_change
			|{"type":"mess{"type":"model_change","id":"m2","parentId":"m1","provider":"p","modelId":"x"}
			u3 pi:message <m2
			c4 pi:compaction <u3 first=u3`, []string{"m2", `u3`}},
		{"above an entry that is above all in the tree, but not in the file", `
			m1 pi:model_change <p3
			u2 pi:message <m1
			p3 pi:message
			c4 pi:compaction <u2 first=u2`, []string{"m1", "u2"}},
		{"above one that holds because it is live", `
			t1 pi:thinking_level_change <m3
			u2 pi:message <t1
			m3 pi:model_change
			c4 pi:compaction <u2 first=u2`, []string{"t1", "u2"}},
		{"above the first line that is live", `
			t1 pi:thinking_level_change <m2
			m2 pi:model_change
			u3 pi:message <t1
			c4 pi:compaction <u3 first=m2`, nil},
		{"none", `
			u1 pi:message
			u2 pi:message <u1
			c3 pi:compaction <u2 first=u2`, []string{"u2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := drawn.Log(drawn.V3 + c.log)
			cut, _ := liveOf(t, text)
			require.Regexp(t, `^"c[0-9]"$`, string(cut.Compaction))
			settings, first, err := cut.Settings()
			require.NoError(t, err)
			checkTails(t, text)
			if c.want == nil {
				require.Empty(t, settings)
				return
			}
			var got []string
			for _, s := range append(settings, first) {
				word := cut.Table().ID(cut.Table().NodeAt(s.Pos))
				if s.Parent != nil {
					word += "<" + string(s.Parent)
				}
				got = append(got, word)
			}
			require.Equal(t, c.want, got)
		})
	}
}

// TestNoSettings: a part of a log without its header gets no settings, nor does a log of which all is live.
func TestNoSettings(t *testing.T) {
	const drawing = "m1 pi:model_change\nu2 pi:message <m1\nu3 pi:message <u2\nc4 pi:compaction <u3 first="
	for _, text := range []string{drawn.Log(drawing + "u3"), drawn.Log(drawn.V3 + drawing + "m1")} {
		cut, _ := liveOf(t, text)
		settings, first, err := cut.Settings()
		require.NoError(t, err)
		require.Empty(t, settings)
		require.Zero(t, first)
	}
	cut, live := liveOf(t, drawn.Log(drawing+"u3"))
	require.Contains(t, live[:strings.IndexByte(live, '\n')], `"id":"u3"`)
	require.Zero(t, cut.Head)
	late, _ := liveOf(t, drawn.Log("u1 pi:message\n"+drawn.V3+"u2 pi:message <u1"))
	require.Equal(t, log.None, late.Table().Leaf, "pi does not open a log whose header comes later")
}

// TestBelowInTree: the live part of a pi log has all that is below the compaction, wherever in the file.
func TestBelowInTree(t *testing.T) {
	_, live := liveOf(t, drawn.Log(drawn.V3+`
		u1 pi:message
		u4 pi:message <c3
		u2 pi:message <u1
		c3 pi:compaction <u2 first=u2
		u5 pi:message <u4`))
	first, _, _ := strings.Cut(live, "\n")
	require.Contains(t, first, `"id":"u4"`)
}

// TestAbove: the live part begins with what belongs to its first node: file snapshots above it, and lines without an id directly above.
func TestAbove(t *testing.T) {
	const snapshot = `|{"type":"file-history-snapshot","messageId":"b2","snapshot":{}}`
	for _, c := range []struct{ name, log, first string }{
		{"a snapshot", "u1 user\n" + snapshot + "\nb2 boundary\ns3 user <b2", `{"type":"file-history-snapshot"`},
		{"a snapshot above a link", "u1 user\n" + snapshot + "\np1 progress <u1\nb2 boundary\ns3 user <b2", `{"type":"file-history-snapshot"`},
		{"a snapshot of another node", "u1 user\n" + strings.ReplaceAll(snapshot, "b2", "u1") + "\np1 progress <u1\nb2 boundary\ns3 user <b2", `{"subtype":"compact_boundary"`},
		{"a snapshot of a kept node on a sidechain, above another one", "u1 user\n" + strings.ReplaceAll(snapshot, "b2", "k3") + "\nk2 user side\nk3 user side\nb4 boundary keep=k3/b4\nu5 user <b4", `{"type":"file-history-snapshot"`},
		{"a title", "u1 user\n|{\"type\":\"custom-title\",\"customTitle\":\"x\"}\nb2 boundary\ns3 user <b2", `{"type":"custom-title"`},
		{"a title above a link", "u1 user\n|{\"type\":\"custom-title\",\"customTitle\":\"x\"}\np1 progress <u1\nb2 boundary\ns3 user <b2", `{"subtype":"compact_boundary"`},
		{"nobody speaks", "p1 progress\nb2 boundary\ns3 system <b2", `{"subtype":"compact_boundary"`},
		{"a boundary with a parent, and a system entry below it", "u1 user\nb2 boundary <u1\ny3 system <b2\nu4 user <y3", `{"subtype":"compact_boundary"`},
		{"no more than a node", "|{\"type\":\"custom-title\",\"customTitle\":\"x\"}\nu1 user\nb2 boundary\ns3 user <b2", `{"subtype":"compact_boundary"`},
	} {
		_, live := liveOf(t, drawn.Log(c.log))
		require.Equal(t, c.first, live[:min(len(live), len(c.first))], c.name)
	}
}

// TestCutOfList: a list is cut at the compaction that took the place of all before it, also if that is the first living entry.
func TestCutOfList(t *testing.T) {
	const head = `{"type":"session_meta","payload":{"id":"s"}}` + "\n" + `{"type":"response_item","payload":{"type":"message","role":"user","content":[]}}` + "\n"
	const compacted = `{"type":"compacted","payload":{"message":"so far","replacement_history":[]}}` + "\n"
	cut, live := liveOf(t, head+compacted+head[strings.IndexByte(head, '\n')+1:])
	require.Equal(t, compacted, live[:min(len(live), len(compacted))])
	require.Greater(t, cut.Offset, cut.Head)
	_, live = liveOf(t, head+`{"type":"event_msg","payload":{"type":"user_message","message":"x"}}`+"\n"+`{"type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":1}}`+"\n"+compacted)
	require.Equal(t, compacted, live, "what was taken back is none of the living")
	const compaction = `{"type":"session.compaction_complete","id":"e","data":{"success":true}}`
	_, live = liveOf(t, `{"type":"session.start","id":"s","parentId":null,"data":{}}`+"\n"+strings.Join([]string{
		`{"type":"session.idle","id":"a","data":{},"ephemeral":true}`, `{"type":"user.message","id":"b","data":{}}`, `{"type":"user.message","id":"c","data":{},"agentId":"g"}`,
		`{"type":"session.idle","id":"d","data":{},"ephemeral":true}`, compaction, `{"type":"user.message","id":"f","data":{}}`}, "\n")+"\n")
	require.Equal(t, compaction, live[:min(len(live), len(compaction))], "entries that are no nodes, or on a sidechain, are not living")
	meta, rest, _ := strings.Cut(head, "\n")
	cut, live = liveOf(t, meta+"\nno entry\n"+compacted+rest)
	require.Equal(t, compacted, live[:min(len(live), len(compacted))], "nothing living is above it")
	require.Greater(t, cut.Offset, cut.Head)
}

// TestEnough: a log whose end is enough is not read to its beginning.
func TestEnough(t *testing.T) {
	var above strings.Builder
	above.WriteString("n0 user pad=1000\n")
	for i := 1; i < 30; i++ {
		fmt.Fprintf(&above, "n%d %s <n%d pad=1000\n", i, []string{"user", "assistant"}[i%2], i-1)
	}
	defer func(was int64) { firstTail = was }(firstTail)
	firstTail = 3500
	for _, c := range []struct {
		end, first string
		all        bool // is read
	}{
		{"b1 boundary\nu2 user <b1 pad=900", "b1", false},
		{"b1 boundary\nu2 user <b1 pad=900\ns1 user side\ns2 assistant <s1 side", "b1", false},
		{"b1 boundary\nu2 user <b1 pad=900\nq progress <gone", "b1", false},
		{"b0 boundary\nu2 user <b0 pad=800\nb1 boundary\nu3 user <b1 pad=800", "b1", false},
		{"b1 boundary <n29\nu2 user <b1 pad=900", "b1", false}, // which names a parent
		{"b1 boundary keep=n28,n29/b1\nu2 user <b1", "n28", false},
		{"b1 boundary keep=n5,n6/b1\nu2 user <b1", "n5", true},
		{"b1 boundary keep=lost/b1\nu2 user <b1", "b1", true},
		{"b1 boundary\nx progress <b1\nu2 user <b1\np system <gone", "b1", true},
		{"b1 boundary\nu2 user <b1\ns1 user side pad=3500\ns2 assistant <s1 side", "b1", true},
		{"b1 boundary\ns1 user side pad=3500\ns2 assistant <s1 side", "n0", true},
		{"b1 boundary\nu2 user <b1 pad=900\ns3 system", "b1", false},
		{"b1 boundary\nu2 user <b1 pad=900\ns1 user <gone side", "b1", false},
		{"u1 user pad=3500", "n0", false}, // a root, and no compaction
		{"b1 boundary\nu2 user <b1\ns3 system <gone\ns4 system <s3", "b1", true},
		{"b1 boundary\nu2 user <b1 pad=900\nb3 boundary keep=n5/b3", "b1", true},
		{"b1 boundary", "n0", true}, // nobody speaks below it
		{"b1 boundary\na1 attachment <b1", "n0", true},
		{"b1 boundary\nu1 user <n29", "n0", true},
		{"u1 user <n29", "n0", true},
		{"- mode\n- mode\n- mode", "n0", true},
	} {
		text := drawn.Log(above.String() + c.end)
		live, err := Find(strings.NewReader(text), int64(len(text)))
		require.NoError(t, err)
		first, _, _ := strings.Cut(text[live.Offset:], "\n")
		require.Contains(t, first, `"uuid":"`+c.first+`"`, c.end)
		require.Equal(t, c.all, live.tail.from == 0, c.end)
	}
}

// TestWhereALogIsCut: a log is cut where its conversation was compacted; all is live of a conversation that was not, whatever
// else was compacted.
func TestWhereALogIsCut(t *testing.T) {
	for _, c := range []struct{ name, log, first string }{
		{"two conversations without a compaction", "x1 user\nu2 user\na3 assistant <u2", "x1"},
		{"another conversation was compacted", "x0 user\nb1 boundary\nu2 user <b1\nu3 user", "x0"},
		{"no conversation", "p1 progress\np2 progress <p1", "p1"},
		{"the newest leaf was not", "x0 user\nu1 user @900\nb2 boundary @3\nu3 user <b2 @4", "b2"},
		{"the leaf that a prompt names was not", "x0 user\nu1 user\nb2 boundary\nu3 user <b2\n- last-prompt leaf=u1", "b2"},
		{"an orphan below a boundary", "x0 user\nb1 boundary\nu2 user <gone", "b1"},
		{"an orphan without a boundary", "x0 user\nu2 user <gone", "x0"},
		{"an orphan above the boundary", "x0 user\nu1 user <gone\nb2 boundary\na3 assistant <u1", "x0"},
		{"an orphan below the boundary of a sub-agent", "x0 user\nb1 boundary side\nu2 user <gone", "x0"},
		{"parents in a cycle below a boundary", "x0 user\nb1 boundary\nu2 user <a3\na3 assistant <u2", "x0"},
		{"nobody speaks below a boundary whose parent is lost", "x0 system\nb1 boundary <gone\ns2 system <b1", "b1"},
		{"only an entry that was kept speaks", "x0 system\nk1 user side\ny2 system\nb3 boundary keep=k1/b3\ns4 system <b3", "k1"},
		{"nobody is asked but a sub-agent", "x0 user side\nb1 boundary side\ns2 user <b1 side", "b1"},
		{"parents that name nobody, as in a capture", "u1 user <-\nb2 boundary <-\nu3 user <-", "u1"},
		{"a snapshot of the last entry of a lost turn", `
			u0 user
			|{"type":"file-history-snapshot","messageId":"a5","snapshot":{}}
			p1 progress <u0
			b2 boundary
			u3 user <gone
			a4 assistant <u3 m=m
			a5 assistant <a4 m=m`, "a5"},
		{"a snapshot above the entry of a sub-agent, in its log", `
			|{"type":"file-history-snapshot","messageId":"b2","snapshot":{}}
			s1 user side
			b2 boundary side
			s3 user <b2 side`, "b2"},
		{"an entry that names a message, and is no snapshot", `
			u1 user
			|{"type":"other","messageId":"b2"}
			p1 progress <u1
			b2 boundary
			u3 user <b2`, "b2"},
	} {
		text := drawn.Log(c.log)
		_, live := liveOf(t, text)
		member := "uuid"
		if c.first == "a5" {
			member = "messageId"
		}
		first, _, _ := strings.Cut(live, "\n")
		require.Contains(t, first, `"`+member+`":"`+c.first+`"`, c.name)
		checkTails(t, text)
	}
	torn := `{"type":"user","uuid":"u1","mess` + drawn.Log("b2 boundary\nu3 user <b2")
	_, live := liveOf(t, drawn.Log("u0 user")+torn)
	require.Equal(t, torn, live, "the rest of an entry stands in the line of the boundary")
	both := strings.TrimSuffix(drawn.Log("u1 user"), "\n") + drawn.Log("b2 boundary\nu3 user <b2")
	_, live = liveOf(t, drawn.Log("u0 user\n- mode")+both)
	require.Equal(t, drawn.Log("- mode")[:5], live[:5])
	require.Len(t, live, len(strings.TrimPrefix(drawn.Log("u0 user\n- mode"), drawn.Log("u0 user")))+len(both), "a whole entry does, and what is above the line belongs to it")
}

// TestWherePiIsCut: a pi log is cut at its last compaction, or at the first entry that this kept if that is on the path.
func TestWherePiIsCut(t *testing.T) {
	for _, c := range []struct{ name, log, first string }{
		{"no entry", "", ""},
		{"no compaction", "u1 pi:message\nu2 pi:message <u1", "u1"},
		{"another branch was compacted", "u1 pi:message\nc2 pi:compaction <u1 first=u1\nu3 pi:message <u1", "u1"},
		{"a compaction that names nothing", "u1 pi:message\nc2 pi:compaction <u1", "c2"},
		{"a compaction that names what is not there", "u1 pi:message\nc2 pi:compaction <u1 first=gone\nu3 pi:message <c2", "c2"},
		{"a compaction that names what is on another branch", "u0 pi:message\nx1 pi:message <u0\nu2 pi:message <u0\nc3 pi:compaction <u2 first=x1", "c3"},
		{"a compaction that kept all", "u1 pi:message\nc2 pi:compaction <u1 first=u1", "u1"},
		{"all on a sidechain", "u0 pi:message side\nu1 pi:message <u0 side\nc2 pi:compaction <u1 side first=u1", "u1"},
		{"an entry without an id above", "u1 pi:message\n- pi:custom\nu2 pi:message <u1\nc3 pi:compaction <u2 first=u2", `"custom"`},
		{"an entry with an id above, and above that one without", "- pi:custom\nu1 pi:message\nu2 pi:message <u1\nc3 pi:compaction <u2 first=u2", "u2"},
	} {
		for _, header := range []string{drawn.V3, `|{"type":"session","version":3,"id":""}` + "\n"} {
			text := drawn.Log(header + c.log)
			cut, live := liveOf(t, text)
			require.Equal(t, int64(strings.IndexByte(text, '\n')+1), cut.Head)
			first, _, _ := strings.Cut(live, "\n")
			require.Contains(t, first, c.first, c.name)
			require.GreaterOrEqual(t, cut.Offset, cut.Head)
			checkTails(t, text)
		}
	}
}

// A failingReader fails at one of its reads, and at no other.
type failingReader struct {
	text  string
	reads int // before that
}

func (r *failingReader) ReadAt(p []byte, at int64) (int, error) {
	if r.reads--; r.reads == -1 {
		return 0, errIO
	}
	return strings.NewReader(r.text).ReadAt(p, at)
}

// TestOneReadFails: whichever one read fails, Find or Settings does, or reads that again.
func TestOneReadFails(t *testing.T) {
	defer func(was int64) { firstTail = was }(firstTail)
	firstTail = 1000
	const list = `{"type":"session_meta","payload":{"id":"s"}}` + "\n"
	for i, text := range []string{
		drawn.Log("u0 user pad=300000\n- mode\nu1 user pad=90000\nq progress <u1 pad=200000\nb2 boundary keep=u1/b2 pad=90000\nu3 user <b2 pad=90000"),
		drawn.Log(drawn.V3 + "m1 pi:model_change pad=90000\nn1 pi:session_info <m1\nu2 pi:message <n1 pad=90000\nu3 pi:message <u2 pad=90000\nc4 pi:compaction <u3 first=u3 pad=9000\nu5 pi:message <c4 pad=300"),
		list + strings.Repeat(`{"type":"response_item","payload":{"type":"message","role":"user","content":[]}}`+"\n", 9000),
	} {
		find := func(reads int) (at []int64, left int, err error) {
			r := &failingReader{text, reads}
			c, err := Find(r, int64(len(text)))
			if err != nil {
				return nil, r.reads, err
			}
			settings, first, err := c.Settings()
			for _, s := range append(settings, first) {
				at = append(at, s.Offset)
			}
			return append(at, c.Offset), r.reads, err
		}
		want, left, err := find(1 << 20)
		require.NoError(t, err)
		failed := 0
		for reads := range 1<<20 - left {
			got, _, err := find(reads)
			if err != nil {
				require.ErrorIs(t, err, errIO)
				failed++
			} else {
				require.Equal(t, want, got, "log %d, read %d", i, reads)
			}
		}
		require.Greater(t, failed, 3)
	}
}

// TestEnoughOfPi: of a pi log no more is read than tells where it is cut, and no more for its settings.
func TestEnoughOfPi(t *testing.T) {
	above := strings.Repeat("|{\"torn\n", 3000)
	const settings = "m2 pi:model_change <n1\nt3 pi:thinking_level_change <m2\ns4 pi:session_info <t3\nu5 pi:message <s4\n"
	defer func(was int64) { firstTail = was }(firstTail)
	firstTail = 1000
	for _, c := range []struct {
		name, log          string
		found, hasSettings bool // without the beginning of the log
	}{
		{"no compaction", "u5 pi:message pad=600", true, true},
		{"a compaction that names nothing", "n1 pi:message\n" + settings + "c6 pi:compaction <u5", true, true},
		{"all settings", "n1 pi:message\n" + settings + "c6 pi:compaction <u5 first=u5", true, true},
		{"the path goes on above", "n1 pi:message <n0\n" + settings + "c6 pi:compaction <u5 first=u5", true, true},
		{"no name", "n1 pi:message <n0\n" + strings.Replace(settings, "session_info", "message", 1) + "c6 pi:compaction <u5 first=u5", true, false},
		{"no model", "n1 pi:message\n" + strings.Replace(settings, "model_change", "message", 1) + "c6 pi:compaction <u5 first=u5", true, true},
		{"no model, and the path goes on above", "n1 pi:message <n0\n" + strings.Replace(settings, "model_change", "message", 1) + "c6 pi:compaction <u5 first=u5", true, false},
		{"the kept entry is above", "u5 pi:message <n0 pad=300\nc6 pi:compaction <u5 first=n0", false, false},
		{"an entry on a sidechain at the end", "|{\"type\":\"message\",\"id\":\"x\",\"parentId\":null,\"isSidechain\":true}", false, false},
	} {
		text := drawn.Log(drawn.V3 + "n0 pi:message\n" + above + c.log)
		cut, err := Find(strings.NewReader(text), int64(len(text)))
		require.NoError(t, err)
		require.Equal(t, c.found, cut.tail.from > 0, c.name)
		require.Equal(t, cut.Table().End, cut.Table().Leaf, "the table knows that the log has a header")
		_, _, err = cut.Settings()
		require.NoError(t, err)
		require.Equal(t, c.hasSettings, cut.tail.from > 0, c.name)
	}
}

// TestSettingsOfAnotherLog: if the log is another one meanwhile, in which nothing was compacted, either an error says so
// or all of the log is live and has no settings above it.
func TestSettingsOfAnotherLog(t *testing.T) {
	text := drawn.Log(drawn.V3 + "m1 pi:model_change\nx pi:message <m1\n" + strings.Repeat("|{\"torn\n", 300) + "u pi:message <x\nc pi:compaction <u")
	then := strings.Replace(text, `"id":"c"`, `"xd":"c"`, 1)
	defer func(was int64) { firstTail = was }(firstTail)
	firstTail = 300
	live := 0
	for reads := range 20 {
		cut, err := Find(&lateReader{text: text, then: then, reads: reads}, int64(len(text)))
		if err != nil || cut.Compaction == nil {
			continue
		}
		settings, first, err := cut.Settings()
		if err != nil {
			require.ErrorIs(t, err, log.ErrChanged)
		} else if cut.Offset == cut.Head {
			live++
			require.Empty(t, settings)
			require.Zero(t, first)
		}
	}
	require.NotZero(t, live)
}
