package harness

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
)

// A Fixture is a directory with a session in all forms and a home. In it lie
//
//	log/s.jsonl        the session
//	packed/s.jsonl.gz  the same, compressed by gzip
//	packed/s.jsonl.zst by zstd
//	archive/           by jlcompact --archive
//	home/              a home with that session, its members and others
//	pi.jsonl           a pi log
//	out/               where commands write; it does not exist, or is empty
//	tmp/               TMPDIR
type Fixture struct {
	Dir      string
	Tmp      string
	Text     string   // the session
	Leaf     string   // the leaf of an abandoned branch
	Operands []string // if set, what FILE stands for
}

// Path returns the path of a file in the fixture.
func (f *Fixture) Path(name ...string) string {
	return filepath.Join(append([]string{f.Dir}, name...)...)
}

// Log is the name of the session's log in a fixture.
const Log = "log/s.jsonl"

// Restored are the files that jlsnap --restore writes, and the backup of each.
var Restored = map[string]string{"src/integrate.go": "0000000000000001@v1", "src/energy.go": "0000000000000002@v1"}

// Backup returns the path of the backup of a restored file.
func (f *Fixture) Backup(name string) string {
	return f.Path("home/file-history", SessionID, Restored[name])
}

var shared struct {
	mu  sync.Mutex
	all map[int]*Fixture
}

// The tests share these fixtures, and do not write to them. The sizes are about those
// of the log.

func Tiny(t testing.TB) *Fixture   { return Shared(t, 1) }    // 10 KB
func Small(t testing.TB) *Fixture  { return Shared(t, 2) }    // 20 KB
func Middle(t testing.TB) *Fixture { return Shared(t, 60) }   // 300 KB: several reads and writes
func Large(t testing.TB) *Fixture  { return Shared(t, 2000) } // 10 MB: too much to spool in memory

// Shared returns the shared fixture whose session has so many turns.
func Shared(t testing.TB, turns int) *Fixture {
	Bin(t, "")
	shared.mu.Lock()
	defer shared.mu.Unlock()
	f := shared.all[turns]
	if f == nil {
		dir, err := os.MkdirTemp(scratch.dir, "f-")
		require.NoError(t, err)
		f = fill(t, dir, turns)
		if shared.all == nil {
			shared.all = map[int]*Fixture{}
		}
		shared.all[turns] = f
	}
	return f
}

func fill(t testing.TB, dir string, turns int) *Fixture {
	require.NoError(t, os.Chmod(dir, 0o755))
	f := &Fixture{Dir: dir, Tmp: filepath.Join(dir, "tmp")}
	f.Text, f.Leaf = Session(1, turns)
	const (
		project = "home/projects/-home-ada-orrery/"
		other   = "8b20d4e7-15aa-4c3d-8f77-90c1e2d3a4b5"
		gone    = "c0ffee00-1234-4abc-8def-0123456789ab"
	)
	text, _ := Session(2, 1)
	Write(t, dir, map[string]string{
		Log:                  f.Text,
		"packed/s.jsonl.gz":  Gzip(f.Text),
		"packed/s.jsonl.zst": Zstd(f.Text),
		"pi.jsonl":           piSession(turns),
		"tmp/.":              "",
		"archive/.":          "",

		project + SessionID + ".jsonl":                                 f.Text,
		project + SessionID + "/subagents/agent-a7c01f.jsonl":          agentLog,
		project + SessionID + "/subagents/agent-a7c01f.meta.json":      `{"agentType":"Explore","toolUseId":"toolu_agent"}`,
		project + SessionID + "/tool-results/toolu_big.txt":            "a big result\n",
		project + other + ".jsonl":                                     strings.ReplaceAll(text, SessionID, other),
		"home/todos/" + SessionID + "-agent-" + SessionID + ".json":    "[]\n",
		"home/todos/" + gone + "-agent-" + gone + ".json":              "[]\n",
		"home/debug/" + other + ".txt":                                 "debug\n",
		"home/file-history/" + SessionID + "/" + "0000000000000001@v1": "func Step() {}\n",
		"home/file-history/" + SessionID + "/" + "0000000000000002@v1": strings.Repeat("// energy is kept\n", 1000),
	})
	got := Run(t, dir, "jlcompact", "--archive", "--keep", "--to", "archive", Log)
	require.Zero(t, got.Status, got)
	f.age(t)
	return f
}

// Copy returns a copy that a test may write to. It holds the given files and
// directories, or all.
func (f *Fixture) Copy(t testing.TB, names ...string) *Fixture {
	c := *f
	c.Dir = Dir(t)
	c.Tmp = c.Path("tmp")
	if names == nil {
		names = []string{"."}
	}
	for _, name := range names {
		require.NoError(t, os.MkdirAll(c.Path(name), 0o755))
		require.NoError(t, os.CopyFS(c.Path(name), os.DirFS(f.Path(name))))
	}
	require.NoError(t, os.MkdirAll(c.Tmp, 0o755))
	require.NoError(t, os.Chmod(c.Dir, 0o755))
	c.age(t)
	return &c
}

// age gives all files and directories the same old time, so that a change shows.
func (f *Fixture) age(t testing.TB) {
	longAgo := time.Unix(1_700_000_000, 0)
	require.NoError(t, filepath.WalkDir(f.Dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type()&fs.ModeSymlink == 0 {
			err = os.Chtimes(path, longAgo, longAgo)
		}
		return err
	}))
}

// Write writes files below a directory. The name "d/." makes the directory d.
func Write(t testing.TB, dir string, files map[string]string) {
	for name, text := range files {
		path := filepath.Join(dir, name)
		if strings.HasSuffix(name, "/.") {
			require.NoError(t, os.MkdirAll(path, 0o755))
			continue
		}
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
}

// Read returns the text of a file.
func Read(t testing.TB, path string) string {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

// List returns the names in a directory.
func List(t testing.TB, dir string) []string {
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names
}

// Listing returns a line for each file below a directory: its path in it, mode, size
// and hash.
func Listing(t testing.TB, dir string) string {
	var b strings.Builder
	require.NoError(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if os.IsNotExist(err) {
			return nil
		}
		if err != nil || path == dir {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		fmt.Fprintf(&b, "%s %v", name, info.Mode())
		if info.Mode().IsRegular() {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, " %d %x", len(text), sha256.Sum256(text))
		}
		b.WriteByte('\n')
		return nil
	}))
	return b.String()
}

// Exists reports whether there is a file.
func Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// Gzip returns text compressed by gzip.
func Gzip(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	return b.String()
}

// Zstd returns text compressed by zstd.
func Zstd(text string) string {
	w, _ := zstd.NewWriter(nil)
	return string(w.EncodeAll([]byte(text), nil))
}

// Unzstd returns what a file compressed by zstd holds.
func Unzstd(t testing.TB, path string) string {
	text, err := Unpack(Read(t, path))
	require.NoError(t, err)
	return text
}

// Unpack returns what zstd data holds.
func Unpack(packed string) (string, error) {
	d, _ := zstd.NewReader(nil)
	defer d.Close()
	text, err := d.DecodeAll([]byte(packed), nil)
	return string(text), err
}

// Reversal returns the lines of a text, last to first, as jlrev prints them.
func Reversal(text string) string {
	lines := strings.SplitAfter(text, "\n")
	var b strings.Builder
	for i := len(lines) - 1; i >= 0; i-- {
		b.WriteString(lines[i])
		if lines[i] != "" && !strings.HasSuffix(lines[i], "\n") {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// AllLinesIn reports whether each line of some is a line of text.
func AllLinesIn(some, text string) bool {
	for line := range strings.Lines(some) {
		if !strings.HasSuffix(line, "\n") || !strings.Contains("\n"+text, "\n"+line) {
			return false
		}
	}
	return true
}

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

// RandomBytes returns n random bytes.
func RandomBytes(rnd *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rnd.UintN(256))
	}
	return b
}

// Session returns a sound session with about so many turns: it has a compaction in
// the middle, an abandoned branch, a sidechain, snapshots, a summary and a title. The
// leaf is that of the branch.
func Session(seed uint64, turns int) (text, leaf string) {
	var b strings.Builder
	rnd, n := rand.New(rand.NewPCG(seed, uint64(turns))), 0
	next := func() (id, now string) {
		n++
		return fmt.Sprintf("%08x-%04x-4000-8000-%012x", rnd.Uint32(), n&0xffff, n), stamp(epoch.Add(time.Duration(n) * time.Second))
	}
	add := func(parent, kind, more string) string {
		id, now := next()
		if parent = `"` + parent + `"`; parent == `""` {
			parent = "null"
		}
		fmt.Fprintf(&b, `{"parentUuid":%s,"isSidechain":false,"cwd":"/home/ada/orrery","sessionId":"%s","version":"2.1.42","gitBranch":"main","type":"%s"%s,"uuid":"%s","timestamp":"%s"}`+"\n",
			parent, SessionID, kind, more, id, now)
		return id
	}
	user := func(parent, text string) string { return add(parent, "user", Text(text)) }
	assistant := func(parent, message, content string) string {
		return add(parent, "assistant", fmt.Sprintf(`,"message":{"id":"msg_%s","role":"assistant","content":[%s]}`, message, content))
	}
	result := func(parent, call, content, more string) string {
		return add(parent, "user", fmt.Sprintf(`,"message":{"role":"user","content":[{"tool_use_id":"%s","type":"tool_result","content":"%s"}]}%s`, call, content, more))
	}
	snapshot := func(id, files string) string {
		_, now := next()
		fmt.Fprintf(&b, `{"type":"file-history-snapshot","messageId":"%s","snapshot":{"messageId":"%[1]s","trackedFileBackups":{%s},"timestamp":"%s"},"isSnapshotUpdate":false}`+"\n", id, files, now)
		return id
	}
	backup := func(path, name string) string {
		return fmt.Sprintf(`"%s":{"backupFileName":%s,"version":1,"backupTime":"2026-03-02T09:01:49.000Z"}`, path, name)
	}
	// Each turn is a prompt, two parallel calls with their results, and an answer.
	talk := func(last, prompt string) string {
		for i := range (turns + 1) / 2 {
			last = user(last, fmt.Sprint(prompt, i))
			id := fmt.Sprint("toolu_", n)
			call := `{"type":"tool_use","id":"%s","name":"Bash","input":{"command":"go test"}}`
			one := assistant(last, id, fmt.Sprintf(call, id+"a"))
			two := assistant(one, id, fmt.Sprintf(call, id+"b"))
			result(one, id+"a", fmt.Sprintf("%x", RandomBytes(rnd, 200+rnd.IntN(1500))), "")
			last = result(two, id+"b", fmt.Sprintf("%x", RandomBytes(rnd, 200+rnd.IntN(1500))), "")
			last = assistant(last, id+"c", `{"type":"text","text":"It passes, \u00e9t\u00e9 \"quoted\"."}`)
		}
		return last
	}
	tracked := backup("src/integrate.go", `"0000000000000001@v1"`) + "," + backup("src/energy.go", `"0000000000000002@v1"`)
	fork := talk(snapshot(user("", "The moons of Jupiter drift. Find out why."), ""), "And then? ")
	leaf = assistant(user(fork, "Yes, try dt/10."), "leaf", `{"type":"text","text":"It is slower."}`)
	last := snapshot(user(fork, "No. Replace it by leapfrog."), tracked+","+backup("src/new.go", "null"))
	last = assistant(last, "agent", `{"type":"tool_use","id":"toolu_agent","name":"Agent","input":{"description":"Read","prompt":"Read it"}}`)
	id, now := next()
	fmt.Fprintf(&b, `{"parentUuid":null,"isSidechain":true,"agentId":"a7c01f","sessionId":"%s","type":"user","message":{"role":"user","content":"Read it"},"uuid":"%s","timestamp":"%s"}`+"\n", SessionID, id, now)
	last = result(last, "toolu_agent", "I did.", `,"toolUseResult":{"status":"completed","agentId":"a7c01f"}`)
	last = assistant(last, "end", `{"type":"text","text":"Leapfrog is in."}`)
	fmt.Fprintf(&b, `{"type":"summary","summary":"Leapfrog keeps the moons in place","leafUuid":"%s"}`+"\n", last)
	last = add("", "system", `,"logicalParentUuid":"`+last+`","subtype":"compact_boundary","content":"Conversation compacted","compactMetadata":{"trigger":"auto","preTokens":155104}`)
	last = talk(add(last, "user", `,"isCompactSummary":true`+Text("Summary: leapfrog is in.")), "And now? ")
	assistant(snapshot(user(last, "Thank you."), tracked), "last", `{"type":"text","text":"Welcome."}`)
	fmt.Fprintf(&b, `{"type":"custom-title","customTitle":"Jupiter's moons","sessionId":"%s"}`+"\n", SessionID)
	return b.String(), leaf
}

// piSession returns a pi log that was compacted.
func piSession(turns int) string {
	var text strings.Builder
	text.WriteString(`{"type":"session","version":3,"id":"0199a1b2-0000-7000-8000-000000000000","timestamp":"2026-03-02T09:00:00.000Z","cwd":"/home/ada/orrery"}` + "\n")
	parent := "null"
	for n := range 4*turns + 2 {
		more := `"message","message":{"role":"user","content":[{"type":"text","text":"` + strings.Repeat("And then? ", 50) + `"}]}`
		if n == 4*turns {
			more = fmt.Sprintf(`"compaction","summary":"It passes.","firstKeptEntryId":"%08x","tokensBefore":100`, n-1)
		}
		fmt.Fprintf(&text, `{"id":"%08x","parentId":%s,"timestamp":"%s","type":%s}`+"\n", n, parent, stamp(epoch.Add(time.Duration(n)*time.Second)), more)
		parent = fmt.Sprintf(`"%08x"`, n)
	}
	return text.String()
}
