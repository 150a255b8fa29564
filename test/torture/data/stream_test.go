package data

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/torture/harness"
)

// What the tests of large logs need: none is ever held in the memory of the test.

// parts returns a function that returns the n parts of a text, one by one, and then "".
func parts(n int, part func(i int) string) func() string {
	i := 0
	return func() string {
		for i < n {
			s := part(i)
			i++
			if s != "" {
				return s
			}
		}
		return ""
	}
}

// A comparer compares what is written to it with the parts that next returns.
type comparer struct {
	next func() string
	want string
	at   int64
	bad  string
}

func (c *comparer) Write(b []byte) (int, error) {
	for rest := b; len(rest) > 0 && c.bad == ""; {
		if c.want == "" {
			c.want = c.next()
		}
		n := min(len(rest), len(c.want))
		if n == 0 || string(rest[:n]) != c.want[:n] {
			c.bad = fmt.Sprintf("other bytes after about %d: %q, want %q", c.at, harness.Shorten(string(rest)), harness.Shorten(c.want))
			break
		}
		rest, c.want, c.at = rest[n:], c.want[n:], c.at+int64(n)
	}
	return len(b), nil
}

// problem says what is wrong once everything is written.
func (c *comparer) problem() string {
	if c.bad == "" && (c.want != "" || c.next() != "") {
		c.bad = fmt.Sprintf("the output ends after %d bytes", c.at)
	}
	return c.bad
}

// lines counts the lines that are written to it.
type lines int

func (l *lines) Write(b []byte) (int, error) {
	*l += lines(bytes.Count(b, []byte{'\n'}))
	return len(b), nil
}

// writeParts writes the parts of a text into a file.
func writeParts(t testing.TB, path string, next func() string) {
	f, err := os.Create(path)
	require.NoError(t, err)
	w := bufio.NewWriterSize(f, 1<<20)
	for s := next(); s != ""; s = next() {
		_, err := w.WriteString(s)
		require.NoError(t, err)
	}
	require.NoError(t, w.Flush())
	require.NoError(t, f.Close())
}

// A partReader reads the parts of a text.
type partReader struct{ next func() string }

func (r partReader) Read(b []byte) (int, error) {
	n := 0
	for len(b)-n > 2000 {
		s := r.next()
		if s == "" {
			break
		}
		n += copy(b[n:], s)
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// noise is 64 KB of hexadecimal digits.
var noise = fmt.Sprintf("%x", harness.RandomBytes(rand.New(rand.NewPCG(17, 17)), 32<<10))

// A bigLog is a chain of n entries of 1 KB. The last live ones follow a boundary.
type bigLog struct{ n, live int }

func (g bigLog) entry(i int) string {
	id, parent := fmt.Sprintf(`"%012d"`, i), fmt.Sprintf(`"%012d"`, i-1)
	kind := `"user"`
	switch i {
	case g.n - g.live:
		kind, parent = `"system","subtype":"compact_boundary","logicalParentUuid":`+parent, "null"
	case 0:
		parent = "null"
	}
	from := i * 613 % (len(noise) - 850)
	return `{"parentUuid":` + parent + `,"sessionId":"` + harness.SessionID + `","type":` + kind +
		harness.Text(noise[from:from+850]) + `,"uuid":` + id + `,"timestamp":"2026-03-02T09:00:00.000Z"}` + "\n"
}

// entries returns the entries from one to another, and reversed the same backwards.
func (g bigLog) entries(from, to int) func() string {
	return parts(to-from, func(i int) string { return g.entry(from + i) })
}

func (g bigLog) reversed(from, to int) func() string {
	return parts(to-from, func(i int) string { return g.entry(to - 1 - i) })
}

// measure runs a program on a directory and measures it.
func measure(t testing.TB, dir, program, args string, stdin io.Reader, stdout io.Writer) harness.Cost {
	cmd := harness.Program(t, program, strings.Fields(args)...)
	cmd.Dir, cmd.Stdin, cmd.Stdout = dir, stdin, stdout
	return harness.Measure(t, cmd)
}
