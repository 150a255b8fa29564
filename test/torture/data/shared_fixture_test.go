package torture

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
)

// A kind is a form in which a program gets its input.
type kind string

const (
	plain   kind = "plain"
	gz      kind = "gz"
	zst     kind = "zst"
	archive kind = "archive" // what jlcompact --archive writes
	pipe    kind = "pipe"    // standard input that cannot seek
	stdin   kind = "stdin"   // standard input that is the plain file
	home    kind = "home"    // no operand is a log: the home is the input
)

// logs are the kinds of a program that reads logs.
var logs = []kind{plain, gz, zst, archive, pipe, stdin}

// An invocation is one typical way to call a program. In its arguments FILE
// stands for the operand, PI for a pi log, and HOME, OUT, ID and LEAF for what
// they say.
type invocation struct {
	program string
	args    string // separated by spaces
	kinds   []kind
	writes  bool // replaces FILE, or writes to OUT
}

func (v invocation) String() string { return v.program + " " + v.args }

var allInvocations = []invocation{
	{program: "jlrev", args: "FILE", kinds: logs},
	{program: "jltree", args: "FILE", kinds: logs},
	{program: "jltree", args: "--check FILE", kinds: logs},
	{program: "jlleaf", args: "FILE", kinds: logs},
	{program: "jlleaf", args: "-a FILE", kinds: logs},
	{program: "jlpath", args: "FILE", kinds: logs},
	{program: "jlpath", args: "-l LEAF FILE", kinds: []kind{plain, zst}},
	{program: "jlpath", args: "--bridge FILE", kinds: []kind{plain, pipe}},
	{program: "jlpath", args: "--through --meta FILE", kinds: []kind{plain, archive, pipe}},
	{program: "jlpath", args: "--session ID FILE", kinds: []kind{plain, gz}},
	{program: "jlsnap", args: "FILE", kinds: logs},
	{program: "jlsnap", args: "--home HOME --files FILE", kinds: []kind{plain, archive, pipe}},
	{program: "jlsnap", args: "--home HOME --restore OUT FILE", kinds: []kind{plain, gz}, writes: true},
	{program: "jlrel", args: "--home HOME ID", kinds: []kind{home}},
	{program: "jlrel", args: "--home HOME -0 ID", kinds: []kind{home}},
	{program: "jlrel", args: "--home HOME --report ID", kinds: []kind{home}},
	{program: "jlrel", args: "--home HOME --links ID", kinds: []kind{home}},
	{program: "jlrel", args: "--home HOME --links FILE", kinds: []kind{plain, gz, archive}},
	{program: "jlrel", args: "--home HOME --list", kinds: []kind{home}},
	{program: "jlrel", args: "--home HOME --orphans", kinds: []kind{home}},
	{program: "jlrel", args: "--home HOME FILE", kinds: []kind{plain, pipe}},
	{program: "jlcompact", args: "FILE", kinds: logs},
	{program: "jlcompact", args: "--cold FILE", kinds: []kind{plain, archive, pipe}},
	{program: "jlcompact", args: "--list FILE", kinds: []kind{plain, gz, pipe}},
	{program: "jlcompact", args: "-n 1 FILE", kinds: []kind{plain, zst}},
	{program: "jlcompact", args: "--last 3 FILE", kinds: []kind{plain, archive}},
	{program: "jlcompact", args: "-z FILE", kinds: []kind{plain, pipe}},
	{program: "jlcompact", args: "--stamp PI", kinds: []kind{home}},
	{program: "jlcompact", args: "--archive FILE", kinds: []kind{plain}, writes: true},
	{program: "jlcompact", args: "--archive --keep --to OUT FILE", kinds: []kind{plain}, writes: true},
}

var usable struct {
	once sync.Once
	all  []invocation
}

// invocations returns those that the programs understand: that jltree has
// --check is new.
func invocations(t testing.TB) []invocation {
	t.Helper()
	usable.once.Do(func() {
		help, _ := exec.Command(binary(t, "jltree"), "--help").Output()
		for _, v := range allInvocations {
			if strings.HasPrefix(v.args, "--check") && !bytes.Contains(help, []byte("--check")) {
				continue
			}
			usable.all = append(usable.all, v)
		}
	})
	return usable.all
}

// A world is a home with sessions, and one of them in all forms.
type world struct {
	dir   string // all of it is below; another user may come in
	home  string
	id    string // of the session
	leaf  string // the end of a branch that was given up
	text  string // of the session's log
	forms map[kind]string
	pi    string // a pi log
	out   string // does not exist, or is an empty directory
	tmp   string // TMPDIR
}

// short returns the name that the programs get for a path: relative to their
// working directory, so that they print the same wherever a world is.
func (w *world) short(path string) string { return strings.TrimPrefix(path, w.dir+"/") }

// command returns the command of an invocation on the given form of the session.
func (v invocation) command(t testing.TB, w *world, k kind) *exec.Cmd {
	t.Helper()
	return v.wrapped(t, w, k, nil)
}

// wrapped returns the same, executed by another command.
func (v invocation) wrapped(t testing.TB, w *world, k kind, by []string) *exec.Cmd {
	t.Helper()
	var args []string
	for _, a := range strings.Fields(v.args) {
		switch a {
		case "FILE":
			if k == pipe || k == stdin {
				continue
			}
			a = w.short(w.forms[k])
		case "PI":
			a = w.short(w.pi)
		case "HOME":
			a = w.short(w.home)
		case "OUT":
			a = w.short(w.out)
		case "ID":
			a = w.id
		case "LEAF":
			a = w.leaf
		}
		args = append(args, a)
	}
	if v.program == "jlcompact" && v.writes && strings.Contains(v.args, "OUT") {
		require.NoError(t, os.MkdirAll(w.out, 0o755))
	}
	cmd := wrapped(t, by, v.program, args...)
	cmd.Dir = w.dir
	cmd.Env = append(cmd.Env, "TMPDIR="+w.tmp)
	switch k {
	case pipe:
		cmd.Stdin = strings.NewReader(w.text) // which os/exec copies into a pipe
	case stdin:
		f, err := os.Open(w.forms[plain])
		require.NoError(t, err)
		t.Cleanup(func() { f.Close() })
		cmd.Stdin = f
	}
	return cmd
}

// on returns the world that v may run in: a new one like w if it writes.
func (v invocation) on(t testing.TB, w *world) *world {
	t.Helper()
	if v.writes {
		return w.again(t)
	}
	return w
}

// run runs v where nothing fails, and returns how it ends.
func (v invocation) run(t testing.TB, w *world, k kind) outcome {
	t.Helper()
	got := execute(t, v.command(t, w, k))
	got.files = v.listing(t, w)
	return got
}

// listing returns what is where v writes to; nothing if it does not.
func (v invocation) listing(t testing.TB, w *world) string {
	t.Helper()
	if !v.writes {
		return ""
	}
	dirs := []string{w.out}
	if strings.Contains(v.args, "--archive") {
		dirs = append(dirs, filepath.Dir(w.forms[plain]))
	}
	var b strings.Builder
	for _, dir := range dirs {
		b.WriteString(listing(t, dir))
	}
	return b.String()
}

// listing returns a line for each file below a directory: its path in it, mode,
// size and the hash of its bytes.
func listing(t testing.TB, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
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
	})
	require.NoError(t, err)
	return b.String()
}

var shared struct {
	mu  sync.Mutex
	all map[int]*world
}

// tiny returns a world with a session of some 10 KB, to be read byte by byte.
func tiny(t testing.TB) *world { return sharedWorld(t, 1) }

// small returns a world with a session of some 20 KB that all tests share, and none
// writes to.
func small(t testing.TB) *world { return sharedWorld(t, 2) }

// middle returns one with a session of some 300 KB: several reads and writes.
func middle(t testing.TB) *world { return sharedWorld(t, 60) }

// large returns one with a session of some 10 MB, more than is kept in memory of
// what cannot seek.
func large(t testing.TB) *world { return sharedWorld(t, 2000) }

func sharedWorld(t testing.TB, turns int) *world {
	t.Helper()
	shared.mu.Lock()
	defer shared.mu.Unlock()
	w := shared.all[turns]
	if w == nil {
		binary(t, "")
		dir, err := os.MkdirTemp(made.dir, "w-")
		require.NoError(t, err)
		w = fill(t, dir, turns)
		if shared.all == nil {
			shared.all = map[int]*world{}
		}
		shared.all[turns] = w
	}
	return w
}

// again returns a copy of w that may be written to.
func (w *world) again(t testing.TB) *world {
	t.Helper()
	dir := space(t)
	require.NoError(t, os.CopyFS(dir, os.DirFS(w.dir)))
	require.NoError(t, os.Chmod(dir, 0o755))
	moved := func(path string) string { return dir + strings.TrimPrefix(path, w.dir) }
	c := *w
	c.dir, c.home, c.pi, c.out, c.tmp = dir, moved(w.home), moved(w.pi), moved(w.out), moved(w.tmp)
	c.forms = map[kind]string{}
	for k, path := range w.forms {
		c.forms[k] = moved(path)
	}
	c.age(t)
	return &c
}

// longAgo is when all files of a world were written.
var longAgo = time.Unix(1_700_000_000, 0)

// age gives all files and directories the same time, so that a change shows.
func (w *world) age(t testing.TB) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(w.dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type()&fs.ModeSymlink == 0 {
			err = os.Chtimes(path, longAgo, longAgo)
		}
		return err
	}))
}

const sessionID = "5d9a4a3e-1c1b-4e0e-9a7d-0b8f4f6c2a11"

func fill(t testing.TB, dir string, turns int) *world {
	t.Helper()
	require.NoError(t, os.Chmod(dir, 0o755))
	in := func(name string) string { return filepath.Join(dir, name) }
	w := &world{
		dir: dir, home: in("home"), id: sessionID, out: in("out"), tmp: in("tmp"), pi: in("pi.jsonl"),
		forms: map[kind]string{plain: in("log/s.jsonl"), gz: in("packed/s.jsonl.gz"), zst: in("packed/s.jsonl.zst"), archive: in("archive/s.jsonl.zst")},
	}
	write := func(path, text string) {
		t.Helper()
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	require.NoError(t, os.MkdirAll(w.tmp, 0o755))
	w.text, w.leaf = session(1, turns)
	write(w.forms[plain], w.text)
	var b bytes.Buffer
	g := gzip.NewWriter(&b)
	_, err := g.Write([]byte(w.text))
	require.NoError(t, err)
	require.NoError(t, g.Close())
	write(w.forms[gz], b.String())
	b.Reset()
	z, err := zstd.NewWriter(&b)
	require.NoError(t, err)
	_, err = z.Write([]byte(w.text))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	write(w.forms[zst], b.String())
	require.NoError(t, os.MkdirAll(filepath.Dir(w.forms[archive]), 0o755))
	made := execute(t, program(t, "jlcompact", "--archive", "--keep", "--to", filepath.Dir(w.forms[archive]), w.forms[plain]))
	require.Zero(t, made.status, made)

	write(w.pi, piSession(turns))

	project := "home/projects/-home-ada-orrery/"
	write(in(project+w.id+".jsonl"), w.text)
	write(in(project+w.id+"/subagents/agent-a7c01f.jsonl"), agentLog)
	write(in(project+w.id+"/subagents/agent-a7c01f.meta.json"), `{"agentType":"Explore","toolUseId":"toolu_agent"}`)
	write(in(project+w.id+"/tool-results/toolu_big.txt"), "a big result\n")
	other := "8b20d4e7-15aa-4c3d-8f77-90c1e2d3a4b5"
	text, _ := session(2, 1)
	write(in(project+other+".jsonl"), strings.ReplaceAll(text, w.id, other))
	gone := "c0ffee00-1234-4abc-8def-0123456789ab"
	write(in("home/todos/"+w.id+"-agent-"+w.id+".json"), "[]\n")
	write(in("home/todos/"+gone+"-agent-"+gone+".json"), "[]\n")
	write(in("home/debug/"+other+".txt"), "debug\n")
	for i, text := range []string{"func Step() {}\n", strings.Repeat("// energy is kept\n", 1000)} {
		write(in(fmt.Sprintf("home/file-history/%s/%016x@v1", w.id, i+1)), text)
	}
	w.age(t)
	return w
}

const agentLog = `{"parentUuid":null,"isSidechain":true,"agentId":"a7c01f","sessionId":"` + sessionID + `","type":"user","message":{"role":"user","content":"Read it"},"uuid":"a0000000-0000-4000-8000-000000000001","timestamp":"2026-03-02T09:00:20.000Z"}
{"parentUuid":"a0000000-0000-4000-8000-000000000001","isSidechain":true,"agentId":"a7c01f","sessionId":"` + sessionID + `","type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"I did."}]},"uuid":"a0000000-0000-4000-8000-000000000002","timestamp":"2026-03-02T09:00:21.000Z"}
`

// An author writes a session.
type author struct {
	strings.Builder
	rnd  *rand.Rand
	n    int
	last string // the entry that the next one follows
	time time.Time
}

func (a *author) uuid() string {
	a.n++
	return fmt.Sprintf("%08x-%04x-4000-8000-%012x", a.rnd.Uint32(), a.n&0xffff, a.n)
}

func (a *author) now() string {
	a.time = a.time.Add(time.Second)
	return a.time.Format("2006-01-02T15:04:05.000Z")
}

// add writes an entry that follows the last one. What is more in it is members,
// ",…".
func (a *author) add(kind, more string) string {
	id, parent := a.uuid(), "null"
	if a.last != "" {
		parent = `"` + a.last + `"`
	}
	fmt.Fprintf(a, `{"parentUuid":%s,"isSidechain":false,"cwd":"/home/ada/orrery","sessionId":"%s","version":"2.1.42","gitBranch":"main","type":"%s"%s,"uuid":"%s","timestamp":"%s"}`+"\n",
		parent, sessionID, kind, more, id, a.now())
	a.last = id
	return id
}

func (a *author) user(text string) string {
	return a.add("user", fmt.Sprintf(`,"message":{"role":"user","content":"%s"}`, text))
}

func (a *author) assistant(content string) string {
	return a.add("assistant", fmt.Sprintf(`,"message":{"id":"msg_%d","role":"assistant","content":[%s]}`, a.n, content))
}

// turn writes a prompt, two calls at once, their results, and an answer.
func (a *author) turn(prompt string) {
	a.user(prompt)
	one, two := fmt.Sprintf("toolu_%da", a.n), fmt.Sprintf("toolu_%db", a.n)
	call := func(id, of string) string {
		return a.add("assistant", fmt.Sprintf(`,"message":{"id":"msg_%s","role":"assistant","content":[{"type":"tool_use","id":"%s","name":"Bash","input":{"command":"go test"}}]}`, of, id))
	}
	result := func(id string) {
		noise := make([]byte, 200+a.rnd.IntN(1500))
		for i := range noise {
			noise[i] = byte(a.rnd.UintN(256))
		}
		a.add("user", fmt.Sprintf(`,"message":{"role":"user","content":[{"tool_use_id":"%s","type":"tool_result","content":"%x"}]}`, id, noise))
	}
	first := call(one, one)
	second := call(two, one)
	a.last = first
	result(one)
	a.last = second
	result(two)
	a.assistant(`{"type":"text","text":"It passes, \u00e9t\u00e9 \"quoted\"."}`)
}

func (a *author) snapshot(of string, files string) {
	now := a.now()
	fmt.Fprintf(a, `{"type":"file-history-snapshot","messageId":"%s","snapshot":{"messageId":"%[1]s","trackedFileBackups":{%s},"timestamp":"%s"},"isSnapshotUpdate":false}`+"\n", of, files, now)
}

// session returns a session that was compacted in its middle, with a branch that
// was given up, an agent on a sidechain, snapshots, a summary and a title, and the
// leaf of that branch. Nothing is wrong with it.
func session(seed uint64, turns int) (text, leaf string) {
	a := &author{rnd: rand.New(rand.NewPCG(seed, uint64(turns))), time: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)}
	first := a.user("The moons of Jupiter drift. Find out why.")
	a.snapshot(first, "")
	for i := range (turns + 1) / 2 {
		a.turn(fmt.Sprintf("And then? %d", i))
	}
	fork := a.last
	a.user("Yes, try dt/10.")
	leaf = a.assistant(`{"type":"text","text":"It is slower."}`)
	a.last = fork
	edit := a.user("No. Replace it by leapfrog.")
	a.snapshot(edit, `"src/integrate.go":{"backupFileName":"0000000000000001@v1","version":1,"backupTime":"2026-03-02T09:01:49.000Z"},"src/energy.go":{"backupFileName":"0000000000000002@v1","version":1,"backupTime":"2026-03-02T09:01:49.000Z"},"src/new.go":{"backupFileName":null,"version":1,"backupTime":"2026-03-02T09:01:49.000Z"}`)
	a.assistant(`{"type":"tool_use","id":"toolu_agent","name":"Agent","input":{"description":"Read","prompt":"Read it"}}`)
	fmt.Fprintf(a, `{"parentUuid":null,"isSidechain":true,"agentId":"a7c01f","sessionId":"%s","type":"user","message":{"role":"user","content":"Read it"},"uuid":"%s","timestamp":"%s"}`+"\n", sessionID, a.uuid(), a.now())
	a.add("user", `,"message":{"role":"user","content":[{"tool_use_id":"toolu_agent","type":"tool_result","content":"I did."}]},"toolUseResult":{"status":"completed","agentId":"a7c01f"}`)
	end := a.assistant(`{"type":"text","text":"Leapfrog is in."}`)
	fmt.Fprintf(a, `{"type":"summary","summary":"Leapfrog keeps the moons in place","leafUuid":"%s"}`+"\n", end)
	a.last = ""
	a.add("system", `,"logicalParentUuid":"`+end+`","subtype":"compact_boundary","content":"Conversation compacted","compactMetadata":{"trigger":"auto","preTokens":155104}`)
	a.add("user", `,"isCompactSummary":true,"message":{"role":"user","content":"Summary: leapfrog is in."}`)
	for i := range (turns + 1) / 2 {
		a.turn(fmt.Sprintf("And now? %d", i))
	}
	last := a.user("Thank you.")
	a.snapshot(last, `"src/integrate.go":{"backupFileName":"0000000000000001@v1","version":1,"backupTime":"2026-03-02T09:01:49.000Z"},"src/energy.go":{"backupFileName":"0000000000000002@v1","version":1,"backupTime":"2026-03-02T09:01:49.000Z"}`)
	a.assistant(`{"type":"text","text":"Welcome."}`)
	fmt.Fprintf(a, `{"type":"custom-title","customTitle":"Jupiter's moons","sessionId":"%s"}`+"\n", sessionID)
	return a.String(), leaf
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

// each runs do for all invocations and the kinds of input that are chosen of
// theirs, in parallel.
func each(p *promised, choose func(invocation) []kind, do func(p *promised, v invocation, k kind)) {
	t := p.t.(*testing.T)
	for _, v := range invocations(t) {
		for _, k := range choose(v) {
			t.Run(strings.ReplaceAll(v.String(), " ", "_")+"/"+string(k), func(t *testing.T) {
				t.Parallel()
				do(p.in(t), v, k)
			})
		}
	}
}

// allKinds chooses all kinds of input, firstKind the one that is typical.
func allKinds(v invocation) []kind  { return v.kinds }
func firstKind(v invocation) []kind { return v.kinds[:1] }

// readers are the invocations that only print.
func readers(choose func(invocation) []kind) func(invocation) []kind {
	return func(v invocation) []kind {
		if v.writes {
			return nil
		}
		return choose(v)
	}
}

// writers are the others.
func writers(v invocation) []kind {
	if !v.writes {
		return nil
	}
	return v.kinds[:1]
}

// TestWorlds: what all tests start from is sound. Every invocation answers on
// every kind of input, alike on all of them, and says nothing.
func TestWorlds(t *testing.T) {
	w := small(t)
	require.Less(t, len(w.text), 30_000)
	require.Greater(t, len(middle(t).text), 250_000)
	for _, v := range invocations(t) {
		first := outcome{}
		for i, k := range v.kinds {
			got := v.run(t, v.on(t, w), k)
			require.Contains(t, []int{0, 1}, got.status, "%v: %v", v, got)
			require.Empty(t, got.stderr, "%v on %v", v, k)
			require.False(t, got.stdout == "" && got.files == "", "%v on %v prints nothing", v, k)
			if i == 0 {
				first = got
			}
			if v.program != "jlrel" && !strings.Contains(v.args, "--check") {
				require.Equal(t, first, got, "%v on %v", v, k)
			}
		}
	}
}

// This copy goes with the next changes.
