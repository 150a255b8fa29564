package operand

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"jl/internal/cli"
	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/log"
)

const (
	lineA = `{"type":"user","uuid":"aa1","parentUuid":null,"sessionId":"s"}` + "\n"
	lineB = `{"type":"assistant","uuid":"aa2","parentUuid":"aa1","sessionId":"s"}` + "\n"
	lineC = `{"type":"user","uuid":"b3","parentUuid":"aa2","sessionId":"s"}` + "\n"
)

// run runs a command that does do with the given standard input. It returns the messages
// and the exit status.
func run(stdin io.Reader, do func(*cli.Command)) (stderr string, status int) {
	var err strings.Builder
	std := cli.Stdio{In: stdin, Out: io.Discard, Err: &err}
	status = cli.Run("jlx", "", nil, std, func(c *cli.Command, _ *struct{}) { do(c) })
	return err.String(), status
}

// one opens text as standard input of a command and calls do with it.
func one(t *testing.T, text string, do func(*File)) (stderr string, status int) {
	t.Helper()
	return run(strings.NewReader(text), func(c *cli.Command) { Each(c, &Options{}, false, do) })
}

// treeOf returns the tree of f by the default rules.
func treeOf(f *File) *log.Log {
	t, _ := f.Log(log.Reading{})
	return t
}

// ids returns the ids that Entries yields.
func ids(f *File) []string {
	var ids []string
	for e := range f.Entries() {
		ids = append(ids, string(e.Get(entry.UUID).Text()))
	}
	return ids
}

// inDir makes a new directory with the given files the current one.
func inDir(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	t.Setenv("CLAUDE_CONFIG_DIR", "no-home")
	for name, text := range files {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
}

func TestEach(t *testing.T) {
	t.Setenv("HOME", t.TempDir()) // the user may have homes
	inDir(t, map[string]string{"a": lineA, "b": lineB})
	require.NoError(t, os.Mkdir("dir", 0o700))
	tests := []struct {
		name   string
		names  []string
		want   []string // name, label and first id of each file
		stderr string
		status int
	}{
		{"no operands", nil, []string{"-", "", "b3"}, "", 0},
		{"standard input", []string{"-"}, []string{"-", "", "b3"}, "", 0},
		{"one file", []string{"a"}, []string{"a", "", "aa1"}, "", 0},
		{"several files", []string{"a", "-", "b"}, []string{"a", "a", "aa1", "-", "-", "b3", "b", "b", "aa2"}, "", 0},
		{"a missing file", []string{"a", "gone", "b"}, []string{"a", "a", "aa1", "b", "b", "aa2"}, "jlx: no such file as \"gone\", and in no-home: the home that CLAUDE_CONFIG_DIR names: no such file or directory\n", 2},
		{"a directory", []string{"dir", "b"}, []string{"b", "b", "aa2"}, "jlx: dir: is a directory\n", 2},
		{"missing only", []string{"gone"}, nil, "jlx: no such file as \"gone\", and in no-home: the home that CLAUDE_CONFIG_DIR names: no such file or directory\n", 2},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			stderr, status := run(strings.NewReader(lineC), func(c *cli.Command) {
				Each(c, &Options{Files: test.names}, false, func(f *File) { got = append(append(got, f.Name, f.Label), ids(f)...) })
			})
			require.Equal(t, test.want, got)
			require.Equal(t, test.stderr, stderr)
			require.Equal(t, test.status, status)
		})
	}
}

func TestEachClosesFiles(t *testing.T) {
	inDir(t, map[string]string{"a": lineA})
	var files []*File
	run(nil, func(c *cli.Command) {
		Each(c, &Options{Files: []string{"a"}}, false, func(f *File) { files = append(files, f) })
	})
	require.Len(t, files, 1)
	_, err := files[0].Source.Read(make([]byte, 100))
	for err == nil { // the first bytes are in memory
		_, err = files[0].Source.Read(make([]byte, 100))
	}
	require.ErrorIs(t, err, os.ErrClosed)
}

// A broken pipe is a writer that nobody reads.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, syscall.EPIPE }

func TestEachStopsIfOutputIsBroken(t *testing.T) {
	inDir(t, map[string]string{"a": lineA})
	n := 0
	std := cli.Stdio{Out: brokenPipe{}, Err: io.Discard}
	cli.Run("jlx", "", nil, std, func(c *cli.Command, _ *struct{}) {
		Each(c, &Options{Files: []string{"a", "a", "a"}}, false, func(*File) {
			n++
			c.Print([]byte("x"))
			c.Flush()
		})
	})
	require.Equal(t, 1, n)
}

func TestEntries(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
		stderr     string
		status     int
	}{
		{"sound", lineA + "\n" + lineB, []string{"aa1", "aa2"}, "", 0},
		{"empty", "", nil, "", 0},
		{"lost", lineA + "x\n" + lineB, []string{"aa1", "aa2"}, "jlx: -:2: not a whole entry; skipped 2 bytes at byte 63\n", 2},
		{"torn", lineA[:20] + lineB + lineC, []string{"aa2", "b3"}, "jlx: -:1: torn entry; recovered the entry at byte 20\n", 2},
		{"recovered", "\x00" + lineA, []string{"aa1"}, "jlx: -:1: NUL bytes; recovered the entry at byte 1\n", 0},
		{"unfinished", lineA + lineB[:20], []string{"aa1"}, "jlx: -:2: the last line is not finished\n", 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			stderr, status := one(t, test.text, func(f *File) { got = ids(f) })
			require.Equal(t, test.want, got)
			require.Equal(t, test.stderr, stderr)
			require.Equal(t, test.status, status)
		})
	}
}

func TestEntriesStops(t *testing.T) {
	stderr, status := one(t, lineA+"x\n", func(f *File) {
		for e := range f.Entries() {
			require.True(t, e.Get(entry.UUID).Is("aa1"))
			break
		}
	})
	require.Empty(t, stderr)
	require.Zero(t, status)
}

func TestFailedReads(t *testing.T) {
	broken := func() io.Reader {
		eio := &os.PathError{Op: "read", Path: "/dev/stdin", Err: syscall.EIO}
		return io.MultiReader(strings.NewReader(lineA+lineB), iotest.ErrReader(eio))
	}
	const want = "jlx: -: input/output error\n"
	for name, read := range map[string]func(f *File) int{
		"Entries": func(f *File) int { return len(ids(f)) },
		"Tree": func(f *File) int {
			nodes := 0
			for _, a := range f.Find(treeOf(f), "aa1", "aa2") {
				if a.Chosen {
					nodes++
				}
			}
			return nodes
		},
		"At": func(f *File) int {
			r, size := f.At()
			text, err := io.ReadAll(io.NewSectionReader(r, 0, size))
			require.NoError(t, err)
			return bytes.Count(text, []byte("\n"))
		},
	} {
		n := 0
		stderr, status := run(broken(), func(c *cli.Command) { Each(c, &Options{}, false, func(f *File) { n = read(f) }) })
		require.Equal(t, 2, n, name)
		require.Equal(t, want, stderr, name)
		require.Equal(t, 2, status, name)
	}
}

func TestDamagedCompression(t *testing.T) {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	_, err := io.WriteString(w, lineA+lineB)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	stderr, status := one(t, z.String()[:z.Len()-4], func(f *File) { require.Len(t, ids(f), 2) })
	require.Equal(t, "jlx: -: damaged gzip data: unexpected EOF\n", stderr)
	require.Equal(t, 2, status)
}

func TestTreeNotes(t *testing.T) {
	stderr, status := one(t, `{"type":"user","message":{}}`+"\n", func(f *File) { f.Log(log.Reading{}) })
	require.Equal(t, "jlx: -: "+dialect.ClaudeNoIDs.Note()+"\n", stderr)
	require.Zero(t, status)

	stderr, _ = one(t, `{"type":"session","version":1,"id":"s"}`+"\n"+`{"type":"message"}`+"\n", func(f *File) {
		require.True(t, treeOf(f).Dialect.IsList())
	})
	require.Empty(t, stderr, "pi logs of version 1 never have ids")

	stderr, status = one(t, lineA+"[]\n", func(f *File) { f.Log(log.Reading{}) })
	require.Equal(t, "jlx: -:2: a JSON array is not an entry; skipped 3 bytes at byte 63\n", stderr)
	require.Equal(t, 2, status)
}

func TestMessages(t *testing.T) {
	tests := []struct {
		name   string
		do     func(f *File)
		stderr string
		status int
	}{
		{"Fail", func(f *File) { f.Fail(errors.New("it is late")) }, "jlx: -: it is late\n", 2},
		{"Fail, the same twice", func(f *File) { f.Fail(errors.New("it is late")); f.Fail(errors.New("it is late")) }, "jlx: -: it is late\n", 2},
		{"Fail, nil", func(f *File) { f.Fail(nil) }, "", 0},
		{"FailAt", func(f *File) { f.FailAt(7, errors.New("it is late")) }, "jlx: -:7: it is late\n", 2},
		{"Note", func(f *File) { f.Note("%d of %d", 1, 2) }, "jlx: -: 1 of 2\n", 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			stderr, status := one(t, "", test.do)
			require.Equal(t, test.stderr, stderr)
			require.Equal(t, test.status, status)
		})
	}
}

// TestHeader: the header of a pi log is its first entry, or there is none.
func TestHeader(t *testing.T) {
	const header = `{"type":"session","version":3,"id":"s"}` + "\n"
	for text, want := range map[string]string{
		"":                                       "",
		lineA:                                    "",
		header + `{"type":"message","id":"a"}`:   header,
		`{"type":"message","id":"a"}\n` + header: "",
	} {
		one(t, text, func(f *File) {
			got := ""
			if h := f.Header(dialect.Pi); h != nil {
				got = string(h.Line)
			}
			require.Equal(t, want, got, text)
			require.Nil(t, f.Header(dialect.Claude))
		})
	}
}

// A maker makes nothing; a file whose entries are made is read ahead.
type maker struct{}

func (maker) Make(*entry.Entry) {}

// TestShrunkFile: a file that ends before the size that it had is trouble, however it is read.
func TestShrunkFile(t *testing.T) {
	for name, read := range map[string]func(*File){
		"entries": func(f *File) {
			r := f.Reader()
			r.Prepare(func() dialect.Maker { return maker{} })
			for r.Next() {
			}
			r.Close()
			f.End(r)
		},
		"tree": func(f *File) { f.Log(log.Reading{}) },
		"again": func(f *File) {
			for range f.Again() {
			}
		},
		"head": func(f *File) {
			for range f.Head() {
			}
		},
	} {
		for _, lines := range []int{100, 100_000} { // the second is read ahead
			t.Run(fmt.Sprint(name, " ", lines), func(t *testing.T) {
				inDir(t, map[string]string{"log": strings.Repeat(lineA, lines)})
				stderr, status := run(nil, func(c *cli.Command) {
					Each(c, &Options{Files: []string{"log"}}, false, func(f *File) {
						require.True(t, f.Source.InPlace())
						require.NoError(t, os.Truncate("log", int64(len(lineA)*lines/2)))
						read(f)
					})
				})
				require.Equal(t, "jlx: log: the file shrank while it was read\n", stderr)
				require.Equal(t, 2, status)
			})
		}
	}
}
