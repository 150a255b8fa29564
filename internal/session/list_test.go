package session

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
	"jl/internal/record"
)

func TestList(t *testing.T) {
	h := tree{
		"projects/-w/" + one + ".jsonl":                          `{"type":"user","cwd":"/w","timestamp":"1969-12-31T23:59:59.9995Z","message":{"content":"hi"}}`,
		"projects/-w/" + one + "/custom-title.json":              `{"customTitle":" mine "}`,
		"projects/-w/" + one + "/archived.json":                  "\n{\"archived\":true,\"at\":\"2026-01-02T00:00:00Z\"}",
		"projects/-w/" + two + ".jsonl":                          pack("{}")[:9],
		"projects/-w/44444444-4444-4444-8444-444444444444.jsonl": `{"isSidechain":true,"type":"user","message":{"content":"an agent"}}`,
		"projects/-w/notes.jsonl":                                `{"type":"user","message":{"content":"under any name"}}`,
		"projects/-w/tags.jsonl":                                 `{"type":"tag","tag":"without a conversation"}`,
		"projects/-x/" + one + ".jsonl":                          `{"type":"summary","summary":"a copy","cwd":"/x"}` + "\n" + `{"type":"assistant","timestamp":"1970-01-01T00:00:01Z","message":{}}`,
	}.open(t)
	later := time.Now().Add(time.Hour)
	require.NoError(t, os.Chtimes(h.Path("projects/-x/"+one+".jsonl"), later, later))
	require.NoError(t, os.Symlink("-x", h.Path("projects/-y")))
	require.NoError(t, os.MkdirAll(h.Path("projects/-x/"+one+"/archived.json"), 0o777))
	list := func(cwd string) (titles, wrong []string) {
		f := Filter{Cwd: cwd, Since: math.MinInt64, Until: math.MaxInt64}
		require.NoError(t, f.Resolve())
		all, errs := Homes{h}.List(f)
		for _, b := range all {
			titles = append(titles, rowOf(t, b).Summary)
		}
		return titles, reasons(errs)
	}
	titles, errs := list("")
	require.Equal(t, []string{"under any name", "a copy"}, titles, "the newer copy")
	require.Equal(t, []string{"projects/-w/" + two + ".jsonl: damaged zstd data: unexpected EOF", "projects/-x/" + one + "/archived.json: not read: a directory"}, errs)
	titles, errs = list("/x")
	require.Equal(t, []string{"a copy"}, titles)
	require.Len(t, errs, 2, "what cannot be read may be of that directory")
	titles, _ = list("/w")
	require.Equal(t, []string{"under any name", "mine"}, titles)
	f := Filter{Cwd: "/w", Since: math.MinInt64, Until: math.MaxInt64}
	require.NoError(t, f.Resolve())
	all, _ := Homes{h}.List(f)
	row := rowOf(t, all[1])
	require.Equal(t, int64(-1), row.CreatedAt)
	require.True(t, row.Archived)
	all, _ = Homes{h}.List(Filter{Since: math.MaxInt64, Until: math.MaxInt64})
	require.Empty(t, all)

	gone, err := os.MkdirTemp("", "gone")
	require.NoError(t, err)
	t.Chdir(gone)
	require.NoError(t, os.Remove(gone))
	require.Error(t, (&Filter{Cwd: "x"}).Resolve())
	_, _, err = h.owners("x")
	require.Error(t, err)
}

// A listed is some of a record.Session, decoded.
type listed struct {
	Summary   string
	CreatedAt int64
	Archived  bool
}

func rowOf(t *testing.T, b *Brief) listed {
	t.Helper()
	var r listed
	require.NoError(t, json.Unmarshal(b.Row, &r))
	return r
}

func TestMatches(t *testing.T) {
	dir := "/" + strings.Repeat("w", 250)
	want := projectName(dir)
	other := want[:201] + "other" // the hash of another release, or another directory
	tests := []struct {
		cwd, folder, dir string
		has              bool
	}{
		{"", "-x", "", true},
		{"", want, dir, true},
		{"", other, dir, false},
		{dir, other, dir, true},
		{dir + "x", other, dir, false},
		{"/x", want, dir, true}, // it moved there
		{"/cafe\u0301", "-caf-", "/caf\u00e9", true},
		{"/caf-", "-caf-", "/caf\u00e9", false},
	}
	for _, test := range tests {
		b := Brief{Path: "projects/" + test.folder + "/x.jsonl", cwd: test.cwd}
		filter := Filter{Cwd: test.dir}
		require.NoError(t, filter.Resolve())
		require.Equal(t, test.has, filter.matches(&b), "%v", test)
	}
}

// TestListByName lists the sessions of a directory by each of its names: an agent may know it by the name of a link.
func TestListByName(t *testing.T) {
	above, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	real, link := filepath.Join(above, "real"), filepath.Join(above, "link")
	require.NoError(t, os.Mkdir(real, 0o777))
	require.NoError(t, os.Symlink("real", link))
	log := func(dir string) string { return fmt.Sprintf(`{"type":"user","cwd":%q,"message":{"content":"x"}}`, dir) }
	h := tree{
		"projects/-a/" + one + ".jsonl":                          log(link),
		"projects/-b/" + two + ".jsonl":                          log(real),
		"projects/-c/33333333-3333-4333-8333-333333333333.jsonl": log(real + "/gone"),
	}.open(t)
	count := func(f Filter) int {
		require.NoError(t, f.Resolve())
		f.Since, f.Until = math.MinInt64, math.MaxInt64
		all, _ := Homes{h}.List(f)
		return len(all)
	}
	require.Equal(t, 2, count(Filter{Cwd: link + "/"}))
	require.Equal(t, 1, count(Filter{Cwd: real}), "nothing tells that it has another name")
	require.Equal(t, 1, count(Filter{Cwd: link + "/gone"}))
	require.Equal(t, 3, count(Filter{Under: link}))
	require.Equal(t, 3, count(Filter{Cwd: "", Under: above}))
	require.Equal(t, 0, count(Filter{Cwd: above}))
}

func TestNewestFirst(t *testing.T) {
	all := newestOfEach([]*Brief{
		{ID: "b", Path: "b", last: 1}, {ID: "a", Path: "2/a", last: 1}, {ID: "a", Path: "1/a", last: 1},
		{ID: "c", Path: "c", last: 2}, {ID: "c", Path: "c.gz", last: 1, bytes: 9},
	})
	newestFirst(all)
	require.Equal(t, []*Brief{{ID: "c", Path: "c", Others: []string{"c.gz"}, last: 2}, {ID: "a", Path: "1/a", Others: []string{"2/a"}, last: 1}, {ID: "b", Path: "b", last: 1}}, all)
}

// TestEnds has logs about as long as an end, and longer.
func TestEnds(t *testing.T) {
	r := newEndReader()
	for _, size := range []int{1, endSize - 1, endSize, endSize + 1, 3 * endSize, -endSize, -endSize - 1} {
		text := strings.Repeat("0123456789", endSize)
		if size < 0 { // it begins as logs do
			size, text = -size, "{"+text
		}
		text = text[:size]
		name := filepath.Join(t.TempDir(), "log")
		require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
		f, err := os.Open(name)
		require.NoError(t, err)
		e, err := r.read(f, int64(size))
		require.NoError(t, err)
		require.Equal(t, text[:min(size, endSize)], string(e.head))
		require.Equal(t, text[max(0, size-endSize):], string(e.tail))
		require.Equal(t, size > endSize, r.isPart)
		require.ErrorIs(t, f.Close(), os.ErrClosed)
	}
	_, err := r.read(nil, 0)
	require.Error(t, err)
}

// TestThrough has a reader that returns little at once, and readers that fail.
func TestThrough(t *testing.T) {
	log := strings.Repeat("0123456789", 30<<10)
	r := newEndReader()
	e, err := r.through(iotest.OneByteReader(strings.NewReader(log)))
	require.NoError(t, err)
	require.Equal(t, log[:endSize], string(e.head))
	require.Equal(t, log[len(log)-endSize:], string(e.tail))
	e, err = r.through(strings.NewReader(log[:endSize] + "end"))
	require.NoError(t, err)
	require.Equal(t, log[3:endSize]+"end", string(e.tail))
	for _, before := range []int{10, endSize + 10} {
		e, err = r.through(io.MultiReader(strings.NewReader(log[:before]), iotest.ErrReader(io.ErrClosedPipe)))
		require.ErrorIs(t, err, io.ErrClosedPipe)
		require.Equal(t, log[:min(before, endSize)], string(e.head))
		require.Nil(t, e.tail)
	}
}

// FuzzEnds looks at ends of logs of any kind.
func FuzzEnds(f *testing.F) {
	f.Add([]byte(`{"type":"user","message":{"content":"<command-name>/x</command-name>"},"gitBranch":"main"}` + "\n" +
		`{"type":"custom-title","customTitle":"\ud83d"}{"type":"tag","tag":"x"}`))
	f.Add([]byte(`"cwd": "a","cwd":"b","cwd": "c"` + strings.Repeat(" ", 2000) + `"cwd":"d`))
	f.Fuzz(func(t *testing.T, end []byte) {
		r := newEndReader()
		n := r.names(ends{head: end, tail: end})
		for _, text := range []string{n.custom, n.ai, n.tag, n.firstPrompt, firstString(end, "cwd")} {
			require.True(t, entry.Valid(entry.AppendString(nil, []byte(text))))
		}
		for _, name := range []string{"cwd", "tag", "customTitle"} {
			want := stringsIn(end, name)
			require.Equal(t, want, slices.Compact(slices.Collect(stringsOf(end, name))))
		}
	})
}

// stringsIn returns what stringsOf yields, by a regular expression.
func stringsIn(text []byte, name string) (all []string) {
	member := regexp.MustCompile(`"` + name + `": ?"`)
	for rest := text; ; {
		at := member.FindIndex(rest)
		if at == nil {
			return slices.Compact(all)
		}
		c := entry.Value(rest[at[1]-1:]).Cursor()
		v := c.Value()
		rest = rest[at[0]+1:] // the quote of a value may be that of another name
		if v == nil {
			continue
		}
		all = append(all, string(v.Text()))
	}
}

// TestNameOf wants the name that a list gives the session of a log, and with an error the
// name in what could be read.
func TestNameOf(t *testing.T) {
	dir := t.TempDir()
	const name = "projects/-w/11111111-1111-4111-8111-111111111111.jsonl"
	path := filepath.Join(dir, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	prompt := `{"type":"user","message":{"content":"first"}}` + "\n"
	title := `{"type":"custom-title","customTitle":"mine"}` + "\n"
	far := `{"type":"x","x":"` + strings.Repeat("x", endSize) + `"}` + "\n"
	for _, log := range []string{prompt, prompt + title, prompt + far + title, title + far, prompt + far + far, far + title + far} {
		require.NoError(t, os.WriteFile(path, []byte(log), 0o600))
		homes, errs := Open([]string{dir})
		require.Empty(t, errs)
		want := ""
		all, errs := homes.List(Filter{Until: math.MaxInt64})
		require.Empty(t, errs)
		for _, b := range all {
			want = rowOf(t, b).Summary
		}
		homes.Close()
		got, err := NameOf(strings.NewReader(log), int64(len(log)))
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	log := prompt + far + title
	got, err := NameOf(readerAt(func(b []byte, offset int64) (int, error) {
		if offset > 0 {
			return 0, io.ErrClosedPipe
		}
		return copy(b, log), nil
	}), int64(len(log)))
	require.ErrorIs(t, err, io.ErrClosedPipe)
	require.Equal(t, "first", got)
}

type readerAt func(b []byte, offset int64) (int, error)

func (r readerAt) ReadAt(b []byte, offset int64) (int, error) { return r(b, offset) }

// TestBegin: a session that goes on from an older log has the first prompt of that, if it comes above the place where it
// goes on.
func TestBegin(t *testing.T) {
	for first, want := range map[int64]string{2: "old", 3: "new", 4: "new"} {
		b := Brief{above: 3, row: &record.Session{FirstPrompt: record.Text("new")}}
		b.begin(&Brief{first: first, row: &record.Session{FirstPrompt: record.Text("old")}})
		require.Equal(t, record.Text(want), b.row.FirstPrompt, first)
	}
}
