package log

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/rule"
	"jl/test/drawn"
)

// TestKinds: what the kinds of nodes mean.
func TestKinds(t *testing.T) {
	for typ, want := range map[string]struct {
		kind                           Kind
		conversation, message, context bool
	}{
		"user": {User, true, true, false}, "tool_result": {User, true, true, false}, "assistant": {Assistant, true, true, false},
		"attachment": {Attachment, true, false, true}, "system": {System, true, false, true}, "progress": {Progress, false, false, false}, "other": {link, false, false, false},
	} {
		k := kindOf(entry.Value(`"` + typ + `"`))
		require.Equal(t, want.kind, k, typ)
		require.Equal(t, []bool{want.conversation, want.message, want.context}, []bool{k.Conversation(), k.Message(), k.Context()}, typ)
	}
	require.True(t, spoken.Conversation() && spoken.Message() && !spoken.Context())
}

// TestColumns: what the columns have of an entry: its session and side, its message and calls, and what its members tell.
func TestColumns(t *testing.T) {
	tree := read(t, drawn.Log(`
		a user
		b user <a side
		c assistant <a session=s m=m call=t,u
		d user <c session=s side res=t
		e assistant <c session=t text=x
		f user <e session=s team
		g user <f meta
		h boundary <g @-`), Reading{})
	require.Equal(t, []int32{0, 1, 2, 3, 4, 2, 0, 0}, tree.Tree.Strand)
	require.Equal(t, []int32{0, 0, 1, 2, 0, 0, 0, 0}, tree.Tree.Message)
	require.Equal(t, []Kind{User, User, Assistant, User, Assistant, User, User, System}, tree.Kinds)
	require.Equal(t, []Mark{0, 0, HasWords, 0, HasWords, Team, Meta, 0}, tree.Marks)
	require.Len(t, tree.Tree.Calls(2), 2)
	require.Equal(t, tree.Tree.Calls(2)[:1], tree.Tree.Results(3))
	require.Equal(t, tree.hash([]byte("m")), tree.Tree.Messages[0].ID)
	for n, want := range []bool{false, true, false, true, false, false, false, false} {
		require.Equal(t, want, tree.Tree.Is(Node(n), Sidechain), n)
	}
	require.True(t, tree.Tree.Is(7, Boundary))
	require.Equal(t, NoTime, tree.Tree.Time[7])
	require.Equal(t, int64(1e6), tree.Tree.Time[1]-tree.Tree.Time[0])
}

// TestLost: entries whose parents are not in the log are marked, and nothing else of them changes.
func TestLost(t *testing.T) {
	tree := read(t, drawn.Log("a user\nb assistant <a\nc progress <no\nd user <gone\ne user <d"), Reading{})
	var flags []rule.Flags
	for n := range tree.Count {
		flags = append(flags, tree.Tree.Flags[n]&(rule.Lost|Talks))
	}
	require.Equal(t, []rule.Flags{Talks, Talks, rule.Lost, Talks | rule.Lost, Talks}, flags)
	require.Equal(t, []Node{None, 0, None, None, 3}, tree.Tree.Parent)
	require.Equal(t, []Node{None, 0, 5, 6, 3}, tree.Written)
	require.Equal(t, 7, tree.Cap)
}

// TestCallHash: ids of calls may be any values, and are told apart as jq does.
func TestCallHash(t *testing.T) {
	tree := read(t, drawn.Log("a user"), Reading{})
	hash := func(v string) Hash { return tree.callHash(entry.Value(v)) }
	require.Equal(t, Hash(0), tree.callHash(nil))
	require.Equal(t, hash(`"é"`), hash(`"\u00e9"`))
	require.Equal(t, hash(`7`), hash(`7`))
	require.NotEqual(t, hash(`7`), hash(`"7"`))
	require.NotEqual(t, hash(`7`), hash(`8`))
	require.NotZero(t, hash(`7`))
	require.NotZero(t, hash(`""`))
	require.Equal(t, Hash(0), tree.hashOf(entry.Value(`7`)))
	require.Equal(t, hash(`"x"`), tree.hashOf(entry.Value(`"x"`)))
}

// TestWithoutID: messages without an id are counted, links are not.
func TestWithoutID(t *testing.T) {
	tree := read(t, drawn.Log("a user\n- progress\n- user\nb user <a\n- assistant\n- attachment"), Reading{})
	require.Equal(t, 2, tree.NoIDCount)
	require.Equal(t, int64(3), tree.NoID.Line)
	require.Equal(t, Node(2), tree.Count)
	require.Equal(t, 1, read(t, drawn.Log(drawn.V3+"a pi:message\n- pi:message <a"), Reading{}).NoIDCount)
}

// TestFirstIsGone: the entry below one that another entry with its id replaces, further below, has that as its parent.
func TestFirstIsGone(t *testing.T) {
	tree := read(t, drawn.Log("a user\nb assistant <a\nc user <b\na user @9\nd user <c"), Reading{})
	require.Equal(t, "b c a d", ids(t, tree, []Node{0, 1, 2, 3}))
	require.Equal(t, []Node{2, 0, None, 1}, tree.Written)
}

// TestChain: entries that name no parents form no chain, unless they are what is left of a compaction.
func TestChain(t *testing.T) {
	for drawing, want := range map[string]bool{
		"a user\nb boundary":                            true,
		"a user\nb boundary keep=a/b":                   false,
		"a user\nb boundary log=a":                      false,
		"a user\nb boundary keep=x/b":                   true,
		"a user\nb assistant\nc boundary keep=a/c":      true, // two that name nothing
		"a user\nb user log=a\nc boundary keep=a/c":     false,
		"a user\nb assistant side\nc boundary keep=a/c": false,
		"a user\nb boundary log=a\nc boundary":          false, // the first of two
		"a user\nb user <no\nc boundary keep=a/c":       false, // one that names nothing
		"a user":                                               false,
		"a user side\nb other":                                 false, // of one conversation entry
		"a user\np progress":                                   false, // of one conversation entry
		"a user\nb assistant <a\nc user":                       false,
		"a user\nb assistant\nc user":                          true,
		"a user side\nb assistant side\nc user":                false, // of one that is on no sidechain
		"a user side\nb assistant side\nc user\nd user":        true,
		"|{\"uuid\":\"a\",\"type\":\"x\",\"sessionId\":\"s\"}": false,
	} {
		require.Equal(t, want, read(t, drawn.Log(drawing), Reading{}).Unchained, drawing)
	}
	tree := read(t, drawn.Log("a user\nb user side\nc assistant\nd progress\ne assistant side\nf user"), Reading{})
	require.Equal(t, []Node{None, None, 0, 2, 1, 2}, tree.Tree.Parent)
	require.Equal(t, []Node{None, None, None, None, None, None}, tree.Written)
}

// TestKept: what a boundary kept is in file order, each entry once, whether it is listed or a segment.
func TestKept(t *testing.T) {
	tree := read(t, drawn.Log("a user\nb assistant <a\nc user <b\nd boundary keep=c,a,gone,named,c/x\ne user <d\nf boundary seg=a,c/x log=e\ng user <named"), Reading{})
	require.Equal(t, []Node{0, 2}, tree.Tree.Compactions[3].Kept)
	require.Equal(t, []Node{0, 1, 2}, tree.Tree.Compactions[5].Kept)
	require.Equal(t, []Node{3, 5}, []Node{tree.Tree.Compactions[3].Summary, tree.Tree.Compactions[5].Summary})
	require.Equal(t, []Node{None, 4}, []Node{tree.Tree.Compactions[3].Logical, tree.Tree.Compactions[5].Logical})
}

// TestKeptByItself: a boundary may keep itself, but nothing behind it.
func TestKeptByItself(t *testing.T) {
	tree := read(t, drawn.Log("a user\nb assistant <a\nc boundary keep=a,c/c log=b\nd user <c\ne boundary keep=a,f/e log=d\nf user <e\ng boundary keep=h/g\nh user <g"), Reading{})
	require.Equal(t, []Node{0, 2}, tree.Tree.Compactions[2].Kept)
	require.Empty(t, tree.Tree.Compactions[4].Kept)
	require.Empty(t, tree.Tree.Compactions[6].Kept)
	require.True(t, tree.Tree.Compactions[2].From)
	require.Equal(t, Node(1), tree.Tree.Compactions[2].Logical)
}

// TestFirstIsUndone: the leaf of what was undone may be the first entry of a list.
func TestFirstIsUndone(t *testing.T) {
	say := func(id, typ string) string { return `{"id":"` + id + `","type":"` + typ + `","content":"x"}` }
	tree := read(t, `{"sessionId":"s","projectHash":"p","startTime":"2026-01-01T00:00:00.000Z","kind":"main"}`+"\n"+
		strings.Join([]string{say("a", "user"), `{"$rewindTo":"a"}`, say("b", "user")}, "\n")+"\n", Reading{})
	require.Equal(t, "b a", ids(t, tree, tree.Leaves))
	require.Equal(t, Node(1), tree.Leaf)
}

// TestLeavesOfOthers: which leaves there are in logs that are not like Claude's, and why there is none.
func TestLeavesOfOthers(t *testing.T) {
	const gemini = `|{"sessionId":"s","projectHash":"p","startTime":"2026-01-01T00:00:00.000Z","kind":"main"}` + "\n"
	say := func(id string) string { return `|{"id":"` + id + `","type":"user","content":"x"}` + "\n" }
	none := func(w What) []Odd { return []Odd{{What: w, At: None, To: None}} }
	for _, c := range []struct {
		name, log, leaves, leaf string
		why                     []Odd
	}{
		{"none", gemini, "-", "-", nil},
		{"the only entry", gemini + say("a"), "a", "a", nil},
		{"the last was undone", gemini + say("a") + say("b") + say("c") + `|{"$rewindTo":"b"}`, "a c", "a", nil},
		{"several were undone, the last first", gemini + say("a") + say("b") + `|{"$rewindTo":"b"}` + "\n" + say("c") + `|{"$rewindTo":"c"}` + "\n" + say("d"), "d c b", "d", nil},
		{"a tree, the newest first", drawn.V3 + "a pi:message\nb pi:message <a @90\nc pi:message <a", "b c", "c", nil},
		{"a header that comes late", "a pi:message <a\n" + drawn.V3, "-", "-", none(NoHeader)},
		{"a header that comes late, in a list", "- pi:message <-\n" + drawn.V1 + "- pi:message <-", "-", "-", none(NoHeader)},
		{"of Claude's, no entry", "", "-", "-", nil},
		{"of Claude's, a link", "p progress", "-", "-", none(NoConversation)},
	} {
		tree := read(t, drawn.Log(c.log), Reading{})
		require.Equal(t, c.leaves, ids(t, tree, tree.Leaves), c.name)
		require.Equal(t, c.leaf, ids(t, tree, slices.DeleteFunc([]Node{tree.Leaf}, func(n Node) bool { return n == None })), c.name)
		require.Equal(t, c.why, tree.NoLeaf, c.name)
		if tree.Count > 0 && c.leaves == "-" {
			given := tree.Path(0, Options{})
			require.Equal(t, c.why[0].What == NoHeader, len(given.Nodes) == 0, "what another program does not open has no path")
		}
	}
}

// TestUndoneToNothing: entries of a list of which each undid those before it are no path in file order, although none
// has a parent; and a list whose program needs no header has a leaf without one.
func TestUndoneToNothing(t *testing.T) {
	event := func(payload string) string { return `|{"type":"event_msg","payload":{` + payload + "}}\n" }
	say := event(`"type":"user_message","message":"x"`)
	tree := read(t, drawn.Log(say+event(`"type":"thread_rolled_back","num_turns":1`)+say), Reading{})
	require.Equal(t, "#3 #1", ids(t, tree, tree.Leaves))
	require.Equal(t, "#3", ids(t, tree, tree.Path(None, Options{}).Nodes))
	require.False(t, tree.Unchained)
}

// TestTailEnds: a tail ends where its caller says, whatever is behind that.
func TestTailEnds(t *testing.T) {
	text := drawn.Log("a user\nb user <a\nc user <b\nd user <c")
	second := int64(strings.Index(text, "\n")) + 1
	third := second + int64(strings.Index(text[second:], "\n")) + 1
	tail, err := ReadTail(strings.NewReader(text), second, third, dialect.Claude, false)
	require.NoError(t, err)
	require.Equal(t, "b", ids(t, tail, tail.Leaves))
	require.Equal(t, Node(1), tail.Count)
	require.Equal(t, third-second, tail.Bytes)
	require.Equal(t, third, tail.Size)
	_, err = ReadTail(failing(text[:third-2]), second, third, dialect.Claude, false)
	require.ErrorIs(t, err, errIO)
}

// TestTailIsPart: a tail is what it is told to be, whatever it looks like, and keeps the parents that its entries name,
// also if none of these is in it.
func TestTailIsPart(t *testing.T) {
	tail := func(drawing string, d dialect.Dialect) *Log {
		r := strings.NewReader(drawn.Log(drawing))
		l, err := ReadTail(r, 0, r.Size(), d, d.NeedsHeader())
		require.NoError(t, err)
		return l
	}
	l := tail(`|{"type":"message","id":"b","parentId":"a","uuid":"z","message":{"content":"x"}}`, dialect.Pi)
	require.Equal(t, "b", ids(t, l, l.Leaves))
	l = tail("c user <a\nd user <b", dialect.Claude)
	require.False(t, l.Unchained)
	require.Equal(t, []Node{None, None}, l.Tree.Parent)
}

// TestTitleOnFirstLine: a title may be at the very beginning. One that is a node is on the path by itself.
func TestTitleOnFirstLine(t *testing.T) {
	tree := read(t, drawn.Log(`
		|{"type":"custom-title","sessionId":"s","customTitle":"one"}
		u1 user session=s`), Reading{})
	require.Equal(t, "one", string(tree.Title(0)))
	tree = read(t, drawn.Log(`
		u1 user session=s
		|{"type":"system","subtype":"custom_title","uuid":"q","parentUuid":"u1","sessionId":"s","systemPayload":{"customTitle":"one"}}`), Reading{})
	require.Empty(t, tree.Annotations(tree.Path(None, Options{}).Nodes))
	require.Equal(t, "one", string(tree.Title(0)))
}

// TestPromptsAsked: prompts are looked for in what users sent and what was attached, from the turn upwards; an empty one does not count.
func TestPromptsAsked(t *testing.T) {
	tree := read(t, drawn.Log("a user\nb assistant <a\nc user <b\nd attachment <c\ne system <d\nf assistant <e\ng user <f"), Reading{})
	asked := map[string]bool{}
	prompts := tree.Prompts(func(e *entry.Entry) []byte {
		id := string(e.Get(entry.UUID).Text())
		asked[id] = true
		return []byte(map[string]string{"a": "first", "d": "attached"}[id])
	})
	require.Equal(t, "attached", string(prompts(nodeOf(t, tree, "f"))))
	require.Equal(t, "attached", string(prompts(nodeOf(t, tree, "g"))))
	require.Equal(t, "first", string(prompts(nodeOf(t, tree, "b"))))
	require.Equal(t, map[string]bool{"a": true, "d": true, "g": true}, asked)
}

// TestCycleOfTurns: where a path comes back to a turn that is below, it names an entry and the parent of that, and it
// begins there.
func TestCycleOfTurns(t *testing.T) {
	for _, c := range []struct {
		log, want string
		top       Node
	}{
		{"a1 assistant <a2 m=x\na2 assistant <u3 m=x\nu3 user <a1", "2: cycle -> u3\n", 0},
		{"a1 assistant <u3 m=x\na2 assistant <a1 m=x\nu3 user <a2", "1: cycle -> u3\n", 0},
		{"u1 user <a3\na2 assistant <u1 m=x\na3 assistant <a2 m=x", "1: cycle -> a3\n", 0},
		{"p0 progress\nu1 user <a2\na2 assistant <u1\nu3 user <a2", "2: cycle -> a2\n", 1},
	} {
		tree := read(t, drawn.Log(c.log), Reading{})
		p := tree.Path(None, Options{})
		require.Equal(t, c.want, texts(tree, p.Odd), c.log)
		require.Equal(t, c.top, p.Top, c.log)
	}
	tree := read(t, drawn.Log("u1 user <u2\nu2 user <u1\nu3 user <u4\nu4 user <u3"), Reading{})
	p := tree.Union([]Node{0, 2}, Options{})
	require.Equal(t, "2: cycle -> u1\n4: cycle -> u3\n", texts(tree, p.Odd), "of each path")
	require.Equal(t, Node(2), p.Leaf, "the last of the leaves")
	require.Equal(t, Path{Leaf: None, Top: None}, tree.Union(nil, Options{}))
}

// TestTaken: a path takes the newest node before a boundary whose logical parent is lost, also from parent to parent, and nothing if there is none.
func TestTaken(t *testing.T) {
	tree := read(t, drawn.Log("a user\nb assistant <a\nc boundary log=x\nd user <c\ne assistant <d"), Reading{})
	for _, o := range []Options{{Through: true}, {Through: true, Chain: true}} {
		p := tree.Path(None, o)
		require.Equal(t, "a b c d e", ids(t, tree, p.Nodes))
		require.Equal(t, map[Node]Node{2: 1}, p.Taken)
		require.Equal(t, []Odd{{LostLogical, 2, "x", 1}}, p.Odd)
	}
	tree = read(t, drawn.Log("c boundary log=x\nd user <c\ne assistant <d"), Reading{})
	p := tree.Path(None, Options{Through: true})
	require.Equal(t, "c d e", ids(t, tree, p.Nodes))
	require.Nil(t, p.Taken)
	require.Equal(t, []Odd{{LostLogical, 0, "x", None}}, p.Odd)
	require.Equal(t, p.Odd, tree.Path(None, Options{Through: true, Chain: true}).Odd)
}
