// Package fleet tests the scripts of examples/fleet on a cluster. Only tests import it.
package fleet

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Sessions says which session logs [Sessions.Write] makes.
type Sessions struct {
	N       int // how many there are
	Bytes   int // the mean size of a log in bytes; a third of them have an agent's log of a tenth of it
	Huge    int // how many times as large the first log is; 0 is as large as the others
	Damaged int // how many are damaged
	Missing int // how many are listed but not there
}

// projects are the names of the folders. Scripts must not take them apart.
var projects = []string{"-home-ada-orrery", "-home-ada-my shop", "-home-ada-it's \"$HOME\" *", "-home-ada-two\nlines"}

// Write writes the sessions below a directory, under projects/, and returns the paths of
// their logs, those of missing ones too. Every second log is 60 days old. The same
// arguments give the same files.
func (s Sessions) Write(dir string) ([]string, error) {
	rnd := rand.New(rand.NewPCG(1, uint64(s.N)))
	old := time.Now().AddDate(0, 0, -60)
	var paths []string
	for i := range s.N {
		id := fmt.Sprintf("%08x-0000-4000-8000-%012x", rnd.Uint32(), i)
		path := filepath.Join(dir, "projects", projects[i%len(projects)], id+".jsonl")
		paths = append(paths, path)
		size := s.Bytes/2 + rnd.IntN(s.Bytes)
		if i == 0 && s.Huge > 0 {
			size = s.Bytes * s.Huge
		}
		// The last ones are missing or damaged.
		if i >= s.N-s.Missing {
			continue
		}
		write := func(path string, size int) error {
			text := log(rnd, id, size)
			if i >= s.N-s.Missing-s.Damaged {
				text = torn(text)
			}
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(path, text, 0o644); err != nil || i%2 == 0 {
				return err
			}
			return os.Chtimes(path, old, old)
		}
		if err := write(path, size); err != nil {
			return nil, err
		}
		if i%3 == 0 {
			agent := filepath.Join(strings.TrimSuffix(path, ".jsonl"), "subagents", "agent-a"+strconv.Itoa(i)+".jsonl")
			if err := write(agent, s.Bytes/10); err != nil {
				return nil, err
			}
		}
	}
	return paths, nil
}

// torn returns a log in which a line in the middle lacks its last 30 bytes and its newline.
func torn(log []byte) []byte {
	end := len(log)/2 + bytes.IndexByte(log[len(log)/2:], '\n')
	return slices.Delete(log, end-30, end+1)
}

// log returns a session log of about so many bytes. Half of it is text in tool results.
func log(rnd *rand.Rand, session string, size int) []byte {
	var out bytes.Buffer
	w := bufio.NewWriter(&out)
	parent := "null"
	for n := 0; n%4 > 0 || out.Len()+w.Buffered() < size; n++ {
		kind, message := "user", fmt.Sprintf(`{"role":"user","content":"%s"}`, text(rnd, 20))
		switch n % 4 {
		case 1:
			kind = "assistant"
			message = fmt.Sprintf(`{"id":"msg_%d","type":"message","role":"assistant","content":[{"type":"tool_use","id":"toolu_%[1]d","name":"Read","input":{"file_path":"/home/ada/orrery/%[2]s"}}],"usage":{"input_tokens":%[3]d,"output_tokens":43}}`,
				n, files[rnd.IntN(len(files))], rnd.IntN(100000))
		case 2:
			message = fmt.Sprintf(`{"role":"user","content":[{"tool_use_id":"toolu_%d","type":"tool_result","content":"%s"}]}`, n-1, text(rnd, 20+rnd.IntN(400)))
		case 3:
			kind = "assistant"
			message = fmt.Sprintf(`{"id":"msg_%d","type":"message","role":"assistant","content":[{"type":"text","text":"%s"}]}`, n, text(rnd, 60))
		}
		id := fmt.Sprintf(`"%08x-%04x-4000-8000-%012x"`, rnd.Uint32(), n&0xffff, n)
		fmt.Fprintf(w, `{"parentUuid":%s,"isSidechain":false,"userType":"external","cwd":"/home/ada","sessionId":"%s","version":"2.1.330","gitBranch":"main","type":"%s","message":%s,"uuid":%s,"timestamp":"%s"}`+"\n",
			parent, session, kind, message, id, time.Unix(1_772_442_000+int64(n), 0).UTC().Format("2006-01-02T15:04:05.000Z"))
		parent = id
	}
	_ = w.Flush()
	return out.Bytes()
}

// files are what the tools read.
var files = []string{"src/energy.go", "src/integrate.go", "src/moons.go", "src/orbit.go", "src/plot.go", "go.mod", "Makefile", "doc/moons.md", "test/energy.go", "src/main.go"}

// words are what text is made of, the same in each run.
var words = func() []string {
	rnd := rand.New(rand.NewPCG(1, 1))
	all := make([]string, 4000)
	for i := range all {
		b := make([]byte, 2+rnd.IntN(8))
		for j := range b {
			b[j] = "etaoinshrdlucmfw"[rnd.IntN(16)]
		}
		all[i] = string(b)
	}
	return all
}()

// text returns n words in lines, escaped as in a JSON string. As in prose and in code, few
// words are most of it.
func text(rnd *rand.Rand, n int) string {
	zipf := rand.NewZipf(rnd, 1.2, 8, uint64(len(words)-1))
	var b strings.Builder
	for i := range n {
		b.WriteString(words[zipf.Uint64()])
		switch {
		case i%12 == 11:
			b.WriteString(`\n\t`)
		case rnd.IntN(9) == 0:
			fmt.Fprintf(&b, `(\"%d\") `, rnd.IntN(1000))
		default:
			b.WriteByte(' ')
		}
	}
	return b.String()
}
