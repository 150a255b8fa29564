package harness

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// SessionID is the id of the session that this file writes.
const SessionID = "5d9a4a3e-1c1b-4e0e-9a7d-0b8f4f6c2a11"

const agentLog = `{"parentUuid":null,"isSidechain":true,"agentId":"a7c01f","sessionId":"` + SessionID + `","type":"user","message":{"role":"user","content":"Read it"},"uuid":"a0000000-0000-4000-8000-000000000001","timestamp":"2026-03-02T09:00:20.000Z"}
{"parentUuid":"a0000000-0000-4000-8000-000000000001","isSidechain":true,"agentId":"a7c01f","sessionId":"` + SessionID + `","type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"I did."}]},"uuid":"a0000000-0000-4000-8000-000000000002","timestamp":"2026-03-02T09:00:21.000Z"}
`

var epoch = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

func stamp(t time.Time) string { return t.Format("2006-01-02T15:04:05.000Z") }

// Node returns the line of a user entry, the n-th second of the session. An empty
// parent is null. The members in more are added; they begin with a comma.
func Node(n int, id, parent, more string) string {
	if parent = `"` + parent + `"`; parent == `""` {
		parent = "null"
	}
	return fmt.Sprintf(`{"parentUuid":%s,"isSidechain":false,"sessionId":"%s","type":"user"%s,"uuid":"%s","timestamp":"%s"}`+"\n",
		parent, SessionID, more, id, stamp(epoch.Add(time.Duration(n)*time.Second)))
}

// Text returns the message member of an entry, for Node.
func Text(text string) string {
	return `,"message":{"role":"user","content":"` + text + `"}`
}

// A log is a log that is being written.
type log struct {
	strings.Builder
	rnd  *rand.Rand
	n    int
	last string // the parent of the next entry
	time time.Time
}

func newLog(seed, turns uint64) *log {
	return &log{rnd: rand.New(rand.NewPCG(seed, turns)), time: epoch}
}

func (l *log) uuid() string {
	l.n++
	return fmt.Sprintf("%08x-%04x-4000-8000-%012x", l.rnd.Uint32(), l.n&0xffff, l.n)
}

func (l *log) now() string {
	l.time = l.time.Add(time.Second)
	return stamp(l.time)
}

// add writes an entry below the last one, and returns its id.
func (l *log) add(kind, more string) string {
	id, parent := l.uuid(), "null"
	if l.last != "" {
		parent = `"` + l.last + `"`
	}
	fmt.Fprintf(l, `{"parentUuid":%s,"isSidechain":false,"cwd":"/home/ada/orrery","sessionId":"%s","version":"2.1.42","gitBranch":"main","type":"%s"%s,"uuid":"%s","timestamp":"%s"}`+"\n",
		parent, SessionID, kind, more, id, l.now())
	l.last = id
	return id
}

func (l *log) user(text string) string { return l.add("user", Text(text)) }

func (l *log) assistant(content string) string {
	return l.add("assistant", fmt.Sprintf(`,"message":{"id":"msg_%d","role":"assistant","content":[%s]}`, l.n, content))
}

func (l *log) result(id, content, more string) string {
	return l.add("user", fmt.Sprintf(`,"message":{"role":"user","content":[{"tool_use_id":"%s","type":"tool_result","content":"%s"}]}%s`, id, content, more))
}

// turn writes a prompt, two parallel calls, their results and an answer.
func (l *log) turn(prompt string) {
	l.user(prompt)
	one, two := fmt.Sprintf("toolu_%da", l.n), fmt.Sprintf("toolu_%db", l.n)
	call := func(id string) string {
		return l.add("assistant", fmt.Sprintf(`,"message":{"id":"msg_%s","role":"assistant","content":[{"type":"tool_use","id":"%s","name":"Bash","input":{"command":"go test"}}]}`, one, id))
	}
	noise := func() string { return fmt.Sprintf("%x", RandomBytes(l.rnd, 200+l.rnd.IntN(1500))) }
	first := call(one)
	second := call(two)
	l.last = first
	l.result(one, noise(), "")
	l.last = second
	l.result(two, noise(), "")
	l.assistant(`{"type":"text","text":"It passes, \u00e9t\u00e9 \"quoted\"."}`)
}

// RandomBytes returns n random bytes.
func RandomBytes(rnd *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rnd.UintN(256))
	}
	return b
}

func (l *log) snapshot(id, files string) {
	fmt.Fprintf(l, `{"type":"file-history-snapshot","messageId":"%s","snapshot":{"messageId":"%[1]s","trackedFileBackups":{%s},"timestamp":"%s"},"isSnapshotUpdate":false}`+"\n", id, files, l.now())
}

// boundary writes the entry of a compaction and its summary.
func (l *log) boundary(end, summary string) {
	l.last = ""
	l.add("system", `,"logicalParentUuid":"`+end+`","subtype":"compact_boundary","content":"Conversation compacted","compactMetadata":{"trigger":"auto","preTokens":155104}`)
	l.add("user", `,"isCompactSummary":true`+Text(summary))
}

// backup returns the snapshot member of a file that has a backup.
func backup(path, name string) string {
	return fmt.Sprintf(`"%s":{"backupFileName":%s,"version":1,"backupTime":"2026-03-02T09:01:49.000Z"}`, path, name)
}

// Session returns a sound session with about so many turns: it has a compaction in
// the middle, an abandoned branch, a sidechain, snapshots, a summary and a title. The
// leaf is that of the branch.
func Session(seed uint64, turns int) (text, leaf string) {
	l := newLog(seed, uint64(turns))
	tracked := backup("src/integrate.go", `"0000000000000001@v1"`) + "," + backup("src/energy.go", `"0000000000000002@v1"`)
	l.snapshot(l.user("The moons of Jupiter drift. Find out why."), "")
	for i := range (turns + 1) / 2 {
		l.turn(fmt.Sprintf("And then? %d", i))
	}
	fork := l.last
	l.user("Yes, try dt/10.")
	leaf = l.assistant(`{"type":"text","text":"It is slower."}`)
	l.last = fork
	l.snapshot(l.user("No. Replace it by leapfrog."), tracked+","+backup("src/new.go", "null"))
	l.assistant(`{"type":"tool_use","id":"toolu_agent","name":"Agent","input":{"description":"Read","prompt":"Read it"}}`)
	fmt.Fprintf(l, `{"parentUuid":null,"isSidechain":true,"agentId":"a7c01f","sessionId":"%s","type":"user","message":{"role":"user","content":"Read it"},"uuid":"%s","timestamp":"%s"}`+"\n", SessionID, l.uuid(), l.now())
	l.result("toolu_agent", "I did.", `,"toolUseResult":{"status":"completed","agentId":"a7c01f"}`)
	end := l.assistant(`{"type":"text","text":"Leapfrog is in."}`)
	fmt.Fprintf(l, `{"type":"summary","summary":"Leapfrog keeps the moons in place","leafUuid":"%s"}`+"\n", end)
	l.boundary(end, "Summary: leapfrog is in.")
	for i := range (turns + 1) / 2 {
		l.turn(fmt.Sprintf("And now? %d", i))
	}
	l.snapshot(l.user("Thank you."), tracked)
	l.assistant(`{"type":"text","text":"Welcome."}`)
	fmt.Fprintf(l, `{"type":"custom-title","customTitle":"Jupiter's moons","sessionId":"%s"}`+"\n", SessionID)
	return l.String(), leaf
}

// ShortSession returns a session that has the same in about a dozen lines.
func ShortSession() string {
	l := newLog(3, 3)
	l.snapshot(l.user("Why?"), "")
	fork := l.assistant(`{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"go test"}},{"type":"tool_use","id":"t2","name":"Task","input":{}}`)
	l.result("t1", `\u00e9t\u00e9 {\"a\":[1,2]}`, "")
	l.last = fork
	l.result("t2", "ok", `,"toolUseResult":{"agentId":"a7c01f"}`)
	end := l.assistant(`{"type":"text","text":"So."}`)
	l.boundary(end, "Summary")
	l.snapshot(l.user("And?"), backup("a.go", `"0000000000000001@v1"`))
	l.assistant(`{"type":"text","text":"No."}`)
	l.WriteString(`{"type":"summary","summary":"Why","leafUuid":"` + end + `"}` + "\n")
	return l.String()
}

// piSession returns a pi log that was compacted.
func piSession(turns int) string {
	var b strings.Builder
	b.WriteString(`{"type":"session","version":3,"id":"0199a1b2-0000-7000-8000-000000000000","timestamp":"2026-03-02T09:00:00.000Z","cwd":"/home/ada/orrery"}` + "\n")
	n, parent := 0, "null"
	add := func(kind, more string) {
		n++
		fmt.Fprintf(&b, `{"type":"%s","id":"%08x","parentId":%s,"timestamp":"2026-03-02T09:%02d:%02d.000Z"%s}`+"\n", kind, n, parent, n/60%60, n%60, more)
		parent = fmt.Sprintf(`"%08x"`, n)
	}
	for range 2 * turns {
		add("message", `,"message":{"role":"user","content":[{"type":"text","text":"And then?"}]}`)
		add("message", `,"message":{"role":"assistant","content":[{"type":"text","text":"`+strings.Repeat("It passes. ", 50)+`"}]}`)
	}
	kept := n - 1
	add("compaction", fmt.Sprintf(`,"summary":"It passes.","firstKeptEntryId":"%08x","tokensBefore":100`, kept))
	add("message", `,"message":{"role":"user","content":[{"type":"text","text":"Thank you."}]}`)
	return b.String()
}
