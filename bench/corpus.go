package main

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"time"
)

// writeCorpus writes a log of at least size bytes to the file name. The same arguments make the same
// log. No text of it is longer than a number of bytes, or hardly.
func writeCorpus(name string, size int64, longest int, seed uint64) (err error) {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() {
		if closed := f.Close(); err == nil {
			err = closed
		}
	}()
	w := bufio.NewWriterSize(f, 1<<20)
	c := corpus{r: rand.New(rand.NewPCG(seed, 0)), w: w, longest: longest, at: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	for c.size < size {
		c.turn()
	}
	return w.Flush()
}

// A corpus makes a log with the shape of a coding agent's: most lines are short and most
// bytes are in long lines, about forty quotes in a kilobyte, of which more than half are
// escaped, decoys of the keys inside strings and nested objects, parallel tool calls, and
// now and then a step back to an earlier entry.
type corpus struct {
	r       *rand.Rand
	w       io.Writer
	longest int // of the texts, in bytes
	at      time.Time
	size    int64
	ids     []string // the last entries of the conversation, oldest first
	n       int
}

// code is what tool results are full of, as it is in a JSON string.
var code = []string{
	`    if err := run(ctx, \"fast\", []string{\"a\"}); err != nil {\n`,
	`        return fmt.Errorf(\"run: %w\", err)\n    }\n`,
	`{\"uuid\":\"decoy\",\"parentUuid\":null,\"type\":\"user\"}\n`,
	`the quick brown fox jumps over the lazy dog, and goes on for quite a while after that\n`,
	`\tC:\\Users\\name\\src\\main.go:12:3: undefined: x\n`,
	"größer als 日本語のテキスト, and some more prose around it\\n",
	`\u001b[32mok\u001b[0m  \tjl/internal/entry\t0.512s\n`,
}

// text returns a text of a length with a median of 1 kB and a long tail.
func (c *corpus) text() string {
	length := min(int(1000*math.Exp(1.9*c.r.NormFloat64())), c.longest)
	var s strings.Builder
	for s.Len() < length {
		s.WriteString(code[c.r.IntN(len(code))])
	}
	return s.String()
}

func (c *corpus) newID() string {
	return fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", c.r.Uint32(), c.r.IntN(1<<16), c.r.IntN(1<<12), c.r.IntN(1<<12), c.r.Int64N(1<<48))
}

// turn writes a prompt or an answer with one to three tool calls and their results.
func (c *corpus) turn() {
	if len(c.ids) > 10 && c.r.IntN(150) == 0 {
		c.ids = c.ids[:len(c.ids)-1-c.r.IntN(5)]
	}
	if c.r.IntN(8) == 0 {
		c.entry("user", fmt.Sprintf(`{"role":"user","content":"%s"}`, c.text()), "")
		return
	}
	c.n++
	message, calls := fmt.Sprintf("msg_%08d", c.n), 1+c.r.IntN(3)/2
	c.entry("assistant", fmt.Sprintf(`{"id":"%s","role":"assistant","content":[{"type":"text","text":"%s"}],"usage":{"input_tokens":%d}}`, message, c.text(), c.n), "")
	for i := range calls {
		c.entry("assistant", fmt.Sprintf(`{"id":"%s","role":"assistant","content":[{"type":"tool_use","id":"toolu_%08d_%d","name":"Bash","input":{"command":"go test ./..."}}]}`, message, c.n, i), "")
	}
	for i := range calls {
		out := c.text()
		c.entry("user", fmt.Sprintf(`{"role":"user","content":[{"tool_use_id":"toolu_%08d_%d","type":"tool_result","content":"%s"}]}`, c.n, i, out),
			fmt.Sprintf(`,"toolUseResult":{"stdout":"%s","interrupted":false,"lines":[1,2,3]}`, out))
	}
}

// entry writes one entry below the last one.
func (c *corpus) entry(kind, message, more string) {
	parent := "null"
	if len(c.ids) > 0 {
		parent = `"` + c.ids[len(c.ids)-1] + `"`
	}
	id := c.newID()
	c.ids = append(c.ids[max(0, len(c.ids)-50):], id)
	c.at = c.at.Add(time.Duration(c.r.IntN(5000)) * time.Millisecond)
	n, _ := fmt.Fprintf(c.w, `{"parentUuid":%s,"isSidechain":false,"userType":"external","cwd":"/home/user/src","sessionId":"90113291-76a5-4698-9bc1-4a6bf8301fdd","version":"2.0.73","gitBranch":"main","type":"%s","message":%s%s,"uuid":"%s","timestamp":"%s"}`+"\n",
		parent, kind, message, more, id, c.at.Format("2006-01-02T15:04:05.000Z"))
	c.size += int64(n) // Flush reports a failed write
}
