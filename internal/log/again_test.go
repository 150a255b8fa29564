package log

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
	"jl/test/drawn"
)

func TestBytes(t *testing.T) {
	whole := " \t" + `{"uuid":"u1","type":"user"}` + " \t\r\n"
	torn := `{"uuid":"u2","type":"us{"uuid":"u3","parentUuid":"u1","type":"user"}` + "\n"
	tree := read(t, "\xef\xbb\xbf"+whole+torn+`{"uuid":"u4","parentUuid":"u3","type":"user"}`, Reading{})
	var got []string
	for _, n := range tree.Path(None, Options{}).Nodes {
		b := tree.Entry(n).Line
		got = append(got, string(b))
		x := tree.Pos(n)
		require.Equal(t, len(b), int(x.Length))
		require.Equal(t, string(b), string(tree.EntryAt(x).Line))
	}
	require.Equal(t, []string{
		whole,
		`{"uuid":"u3","parentUuid":"u1","type":"user"}`,
		`{"uuid":"u4","parentUuid":"u3","type":"user"}`,
	}, got)
	require.NoError(t, tree.Err())
}

// A changing is a log whose bytes change after they were read once.
type changing struct {
	text string
	err  error
}

func (c *changing) ReadAt(p []byte, at int64) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	return strings.NewReader(c.text).ReadAt(p, at)
}

var errIO = errors.New("input/output error")

// If an entry cannot be read again, there is an error and no bytes.
func TestReadAgainFails(t *testing.T) {
	log := drawn.Log(`
		u1 user session=s
		a2 assistant <u1 m=m call=t1,t2 session=s
		s3 system <a2
		r4 user <s3 res=t1
		r5 user <a2 res=t2
		b6 boundary log=r5 keep=r5/b6 @80
		u7 user <b6 @90
		- summary leaf=u7 sum=x
		|{"type":"custom-title","sessionId":"s","customTitle":"y"}`)
	for _, c := range []struct {
		name string
		then changing
		want error
	}{
		{"the disk", changing{err: errIO}, errIO},
		{"shrank", changing{text: log[:5]}, ErrChanged},
		{"emptied", changing{}, ErrChanged},
		{"other ids", changing{text: strings.NewReplacer(`"uuid":"`, `"uuid":"x`, `"type":"s`, `"type":"`).Replace(log)}, ErrChanged},
		{"not an entry", changing{text: strings.Repeat("x", len(log))}, ErrChanged},
		{"another id of the same length", changing{text: strings.NewReplacer(
			`"u1"`, `"x1"`, `"a2"`, `"x2"`, `"s3"`, `"x3"`, `"r4"`, `"x4"`, `"r5"`, `"x5"`, `"b6"`, `"x6"`, `"u7"`, `"x7"`).Replace(log)}, ErrChanged},
	} {
		source := &changing{text: log}
		fresh := func() (*Log, Node) {
			source.text, source.err = log, nil
			tree, err := Read(source, int64(len(log)), Reading{}, nil)
			require.NoError(t, err)
			leaf := tree.Path(None, Options{}).Leaf
			require.NotEqual(t, None, leaf)
			require.NoError(t, tree.Err())
			tree.window, tree.again, *source = window{}, entry.Entry{}, c.then // it does not read again what it has
			return tree, leaf
		}
		for name, ask := range map[string]func(*Log, Node) []byte{
			"Entry":   func(t *Log, n Node) []byte { return t.Entry(n).Line },
			"ID":      func(t *Log, n Node) []byte { return []byte(t.ID(n)) },
			"EntryAt": func(t *Log, n Node) []byte { t.Entry(n); return t.EntryAt(t.Pos(n)).Line },
			"Prompt":  func(t *Log, n Node) []byte { return lastPrompt(t, n) },
			"Find":    func(t *Log, n Node) []byte { t.Find([]string{"u"}); return nil },
			"Edge":    func(t *Log, n Node) []byte { appendEdge(t, nil, n, ""); return nil },
		} {
			tree, leaf := fresh()
			require.Empty(t, ask(tree, leaf), "%s: %s", c.name, name)
			require.ErrorIs(t, tree.Err(), c.want, "%s: %s", c.name, name)
			require.Nil(t, tree.Entry(leaf).Line, "the error is kept")
			tree.Path(None, Options{}) // nothing panics after the error
			tree.Summary(leaf)
			tree.Title(leaf)
		}
	}
	source := &changing{text: log}
	tree, err := Read(source, int64(len(log)), Reading{}, nil)
	require.NoError(t, err)
	source.text, tree.window = strings.Repeat(`{"type":"zzzz"} `, len(log)/16), window{}
	require.Nil(t, tree.Summary(nodeOf(t, tree, "u7")))
	require.ErrorIs(t, tree.Err(), ErrChanged)
	for _, ask := range []func(*Log, entry.Pos){
		func(t *Log, p entry.Pos) {
			if len(t.EntryAt(p).Line) > 0 {
				panic("an entry that is none")
			}
		},
		func(t *Log, p entry.Pos) {
			for range t.Texts(nil, []entry.Pos{p}) {
				panic("a text that is no entry")
			}
		},
	} {
		source.text = log
		tree, err := Read(source, int64(len(log)), Reading{}, nil)
		require.NoError(t, err)
		source.text, tree.window = strings.Repeat("x", len(log)), window{}
		ask(tree, tree.Pos(0))
		require.ErrorIs(t, tree.Err(), ErrChanged)
	}
}

// If the lines end with an error, the tree holds the entries before it.
func TestLinesFail(t *testing.T) {
	log := drawn.Log("u1 user\na2 assistant <u1\nu3 user <a2")
	cut := strings.LastIndex(strings.TrimSpace(log), "\n") + 1
	for _, at := range []int{cut, cut + 10} {
		damaged := 0
		tree, err := Read(failing(log[:at]), int64(len(log)), Reading{}, func(d *entry.Damage) {
			damaged++
			require.Equal(t, int64(3), d.Pos.Line)
			require.Equal(t, int64(cut), d.Pos.Offset)
		})
		require.ErrorIs(t, err, errIO)
		require.Equal(t, "u1 a2", ids(t, tree, tree.Path(None, Options{}).Nodes))
		require.Equal(t, min(at-cut, 1), damaged)
	}
	tree, err := Read(failing(""), 1, Reading{}, nil)
	require.ErrorIs(t, err, errIO)
	require.Empty(t, tree.Leaves)
	require.Equal(t, Path{Leaf: None, Top: None}, tree.Path(None, Options{}))
}

// A failing is the beginning of a file of which the rest cannot be read.
type failing string

func (f failing) ReadAt(p []byte, off int64) (int, error) {
	n := copy(p, f[min(off, int64(len(f))):])
	if n < len(p) {
		return n, errIO
	}
	return n, nil
}
