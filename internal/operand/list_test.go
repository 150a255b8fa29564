package operand

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/cli"
)

// rowOf returns a row of jlrel --list about a log.
func rowOf(path string) string {
	return fmt.Sprintf(`{"sessionId":"s","summary":"x","lastModified":1,"fileSize":1,"path":%q,"agent":null,"lastTimestamp":1}`+"\n", path)
}

// TestList: rows of jlrel --list on standard input are operands, in whatever form they arrive.
func TestList(t *testing.T) {
	t.Setenv("HOME", t.TempDir()) // the user may have homes
	inDir(t, map[string]string{"a": lineA, "b": lineB, "-": lineC, "na\xffme": lineA, "na\ufffdme": lineB, "n\xff": lineA})
	const entry = `{"type":"user","uuid":"d4","path":"a","sessionId":"s","lastTimestamp":1}` + "\n"
	long := strings.Replace(rowOf("a"), `"x"`, `"`+strings.Repeat("x", 1<<19)+`"`, 1)
	tests := []struct {
		name, stdin string
		files       []string
		want        string // name and label of each file
		stderr      string
		status      int
	}{
		{"rows", rowOf("b") + rowOf("a"), nil, "b:b a:a", "", 0},
		{"one row has a label, too", rowOf("a"), nil, "a:a", "", 0},
		{"without a last newline", strings.TrimSpace(rowOf("a")), nil, "a:a", "", 0},
		{"the least that a row has", `{"lastTimestamp":null,"path":"a","sessionId":null}`, nil, "a:a", "", 0},
		{"no time in the log", `{"sessionId":"s","path":"a","lastModified":1}`, nil, "a:a", "", 0},
		{"blank lines, CRLF and a byte order mark", "\ufeff\r\n\n" + strings.ReplaceAll(rowOf("a"), "\n", "\r\n\r\n") + rowOf("b"), nil, "a:a b:b", "", 0},
		{"a long row", long + long, nil, "a:a a:a", "", 0},
		{"among operands", rowOf("b"), []string{"a", "-", "a"}, "a:a b:b a:a", "", 0},
		{"a file called -", rowOf("-"), nil, "./-:./-", "", 0},
		{"a file that is gone", rowOf("b") + rowOf("./gone") + rowOf("a"), nil, "b:b a:a", "jlx: ./gone: no such file or directory\n", 2},
		{"a name that is not UTF-8", rowOf("a") + rowOf("n\ufffd") + rowOf("na\ufffdme"), nil, "a:a na\ufffdme:na\ufffdme",
			"jlx: -:2: \"n\ufffd\": the name is not UTF-8, and only jlrel --list -0 | xargs -0 jlx passes it on\n", 2},
		{"something else below", rowOf("a") + `{"a":1}` + "\n" + rowOf("b"), nil, "a:a b:b", "jlx: -:2: not a row of jlrel --list, as the first line is\n", 2},
		{"a word below", rowOf("a") + "word\n" + rowOf("b"), nil, "a:a b:b", "jlx: -: a list has a line that is no row of jlrel --list: \"word\"\n", 2},
		{"a torn row", rowOf("a") + rowOf("b")[:20], nil, "a:a", "jlx: -:2: the last line is not finished\n", 2},
		{"rows of members", `{"sessionId":"s","kind":"session","path":"a","bytes":1,"mtime":"2026-01-01T00:00:00.000Z"}` + "\n", nil, "-:", "", 0},
		{"an entry with such members", entry, nil, "-:", "", 0},
		{"an entry, and rows", entry + rowOf("a"), nil, "-:", "", 0},
		{"a row whose path is no text", `{"sessionId":"s","path":1,"lastTimestamp":1}`, nil, "-:", "", 0},
		{"a line that is no object", "[1]\n" + rowOf("a"), nil, "-:", "", 0},
		{"nothing", "", nil, "-:", "jlx: -: no entry\n", 1},
	}
	for _, tt := range tests {
		for form, stdin := range map[string]io.Reader{
			"plain":        strings.NewReader(tt.stdin),
			"byte by byte": slow{strings.NewReader(tt.stdin)},
			"gzip":         gzipped(t, tt.stdin),
			"a file":       asFile(t, tt.stdin),
		} {
			if form == "gzip" && tt.stdin == "" {
				continue // it is not empty then
			}
			t.Run(tt.name+" "+form, func(t *testing.T) {
				var got []string
				stderr, status := run(stdin, func(c *cli.Command) {
					Each(c, &Options{Files: tt.files}, false, func(f *File) {
						got = append(got, f.Name+":"+f.Label)
						text, err := io.ReadAll(f.Source)
						require.NoError(t, err)
						if f.Name == "-" {
							require.Equal(t, tt.stdin, string(text), "not a byte is used up")
						} else {
							require.NotEmpty(t, text)
						}
						if len(text) == 0 {
							f.NoteNone()
						}
					})
				})
				require.Equal(t, tt.want, strings.Join(got, " "))
				require.Equal(t, tt.stderr, stderr)
				require.Equal(t, tt.status, status)
			})
		}
	}
}

// A slow reader returns one byte at a time.
type slow struct{ r io.Reader }

func (s slow) Read(p []byte) (int, error) { return s.r.Read(p[:min(len(p), 1)]) }

// gzipped returns a text as gzip makes it.
func gzipped(t *testing.T, text string) io.Reader {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := io.WriteString(w, text)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return &b
}

// asFile returns a text as a regular file, which begins with something that was read already.
func asFile(t *testing.T, text string) io.Reader {
	f, err := os.CreateTemp(t.TempDir(), "")
	require.NoError(t, err)
	t.Cleanup(func() { f.Close() })
	_, err = f.WriteString("read\n" + text)
	require.NoError(t, err)
	_, err = f.Seek(int64(len("read\n")), io.SeekStart)
	require.NoError(t, err)
	return f
}

// TestListIsLive: the log of a row is read before the next row is there.
func TestListIsLive(t *testing.T) {
	inDir(t, map[string]string{"a": lineA, "b": lineB})
	r, w := io.Pipe()
	done := make(chan string)
	go func() {
		_, _ = run(r, func(c *cli.Command) {
			Each(c, &Options{}, false, func(f *File) { done <- f.Name })
		})
		close(done)
	}()
	for _, name := range []string{"a", "b", "a"} {
		_, err := io.WriteString(w, rowOf(name))
		require.NoError(t, err)
		require.Equal(t, name, <-done)
	}
	w.Close()
	require.Empty(t, <-done)
}

// TestListForOne: a program that takes one FILE does nothing for a list of several.
func TestListForOne(t *testing.T) {
	inDir(t, map[string]string{"a": lineA, "b": lineB})
	for stdin, want := range map[string]struct {
		name, stderr string
		status       int
	}{
		rowOf("a"):              {"a", "", 0},
		rowOf("a") + rowOf("b"): {"", "jlx: -: --restore takes one FILE, and the list names 2\n", 2},
	} {
		name := ""
		stderr, status := run(strings.NewReader(stdin), func(c *cli.Command) {
			Each(c, &Options{Single: "--restore"}, false, func(f *File) { name = f.Name })
		})
		require.Equal(t, want.name, name)
		require.Equal(t, want.stderr, stderr)
		require.Equal(t, want.status, status)
	}
}

// TestListOfThousands: a long list is read row by row, and each file is closed.
func TestListOfThousands(t *testing.T) {
	inDir(t, map[string]string{"a": lineA})
	const rows = 10_000
	n := 0
	stderr, status := run(strings.NewReader(strings.Repeat(rowOf("a"), rows)), func(c *cli.Command) {
		Each(c, &Options{}, false, func(*File) { n++ })
	})
	require.Equal(t, rows, n)
	require.Empty(t, stderr)
	require.Zero(t, status)
}

// TestLinesAreNoList: a program for any lines reads a list as lines.
func TestLinesAreNoList(t *testing.T) {
	inDir(t, map[string]string{"a": lineA})
	_, _ = run(strings.NewReader(rowOf("a")), func(c *cli.Command) {
		Each(c, &Options{Lines: true}, false, func(f *File) { require.Equal(t, "-", f.Name) })
	})
}
