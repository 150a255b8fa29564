package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/line"
	"jl/internal/source"
	"jl/internal/tree"
)

// leaves prints the leaves of the operands. Only a failed write stops it.
func leaves(c *cli.Command, f flags) error {
	files := c.Operands(f.Files)
	printed, named := false, false
	for _, name := range files {
		l := lister{c: c, f: f, name: name}
		if len(files) > 1 {
			l.file = name
		}
		if err := l.log(); err != nil {
			return err
		}
		printed = printed || l.printed
		named = named || l.named
	}
	if f.Leaf != nil && !named {
		c.Notef("%s: no entry %q", strings.Join(files, ", "), *f.Leaf)
	}
	if !printed {
		c.No()
	}
	return nil
}

// A lister prints the leaves of one log.
type lister struct {
	c       *cli.Command
	f       flags
	name    string // as the user typed it
	file    string // what the edges say of the file; nothing if there is one log only
	printed bool
	named   bool // -l names an entry of the log, or more than one

	t    *tree.Tree
	ends []tree.Node // the leaves by the default rule, newest first
	last tree.Node
	deep []int32
	row  []byte // scratch
}

// log prints the leaves of one log. It returns a failed write only.
func (l *lister) log() error {
	src, err := source.Open(l.name, l.c.In, l.c.Flush)
	if err != nil {
		l.c.Troublef("%s: %v", l.name, err)
		return nil
	}
	defer src.Close()
	l.read(src)
	l.ends = l.t.Leaves()
	l.last = l.t.Last(l.ends)
	l.deep = l.t.Depths()
	if l.f.All {
		err = l.all()
	} else {
		err = l.one()
	}
	if err := l.t.Err(); err != nil {
		l.c.Troublef("%s: %v", l.name, err)
	}
	return err
}

func (l *lister) read(src *source.Source) {
	r, size, err := src.At()
	if err != nil {
		l.c.Troublef("%s: %v", l.name, err)
	}
	l.t, err = tree.Read(line.NewForward(io.NewSectionReader(r, 0, size)), r, size, tree.Readers[l.f.As],
		func(number, offset int64, d *entry.Damage) {
			d.Report(l.c.Notef, l.c.Troublef, l.name, number, offset)
		})
	if err != nil {
		l.c.Troublef("%s: %v", l.name, err)
	}
	if l.t.Numbered() && l.t.Dialect() == entry.Claude {
		l.c.Notef("%s: no conversation entry has an id: taken as one straight path, in the order of the file", l.name)
	}
}

// one prints the one leaf that is asked for.
func (l *lister) one() error {
	given := tree.None
	if id := l.f.Leaf; id != nil {
		m := l.t.Find([]string{*id})[0]
		l.named = m.Node != tree.None || len(m.Candidates) > 0
		switch {
		case len(m.Candidates) > 0:
			l.c.Ambiguous(l.name, *id, m.Candidates)
			return nil
		case m.Node == tree.None && l.t.FallsBack():
			l.c.Notef("%s: no entry %q: as if none was given", l.name, *id)
			l.named = true
		case m.Node == tree.None:
			return nil
		}
		given = m.Node
	}
	leaf := l.choose(given)
	if leaf == tree.None {
		return nil
	}
	if l.f.Leaf == nil && l.f.As == "" && l.t.Dialect() == entry.Claude {
		l.disagreement(leaf)
	}
	return l.print(leaf, nil)
}

// choose returns the given leaf, or the one that the log's reader takes, and says
// why if it takes none.
func (l *lister) choose(given tree.Node) tree.Node {
	leaf, remarks := l.t.Leaf(given)
	for _, r := range remarks {
		l.c.Notef("%s:%d: %s", l.name, r.Line, r.Text)
	}
	return leaf
}

// disagreement says who chooses what, if not all choose leaf. A pinned entry on the
// way to the leaf is no other choice.
func (l *lister) disagreement(leaf tree.Node) {
	pinned := l.t.Pinned()
	if pinned != tree.None && l.t.Above(pinned, leaf) {
		pinned = leaf
	}
	if l.last == leaf && (pinned == leaf || pinned == tree.None) {
		return
	}
	say := fmt.Sprintf("newest is %q, last in the file is %q", l.t.ID(leaf), l.t.ID(l.last))
	if pinned != tree.None {
		say += fmt.Sprintf(", pinned by last-prompt is %q", l.t.ID(pinned))
	}
	l.c.Notef("%s: the rules disagree: %s; taken: newest", l.name, say)
}

// all prints all leaves, newest first.
func (l *lister) all() error {
	if len(l.ends) == 0 {
		l.choose(tree.None)
	}
	forks := l.t.Forks(l.ends)
	for i, leaf := range l.ends {
		if err := l.print(leaf, &forks[i]); err != nil {
			return err
		}
	}
	return nil
}

// print prints one leaf; its fork point is given for the list of all.
func (l *lister) print(leaf tree.Node, fork *tree.Node) error {
	if l.f.UUID {
		l.row = appendID(l.row[:0], []byte(l.t.ID(leaf)))
	} else {
		l.row = l.appendRow(l.row[:0], leaf, fork)
	}
	if l.t.Err() != nil {
		return nil // what was read again is not what was there
	}
	l.printed = true
	_, err := l.c.Out.Write(append(l.row, '\n'))
	return err
}

// appendID appends an id as it is, or as a JSON string if a reader of lines would
// take it for something else.
func appendID(dst, id []byte) []byte {
	control := func(r rune) bool { return r < 0x20 || r == 0x7f }
	bare := len(bytes.TrimSpace(id)) == len(id) && len(id) > 0 && id[0] != '"' && id[0] != '{'
	if bare && !bytes.HasPrefix(id, []byte("\ufeff")) && !bytes.ContainsFunc(id, control) {
		return append(dst, id...)
	}
	return entry.AppendString(dst, id)
}

func (l *lister) appendRow(dst []byte, leaf tree.Node, fork *tree.Node) []byte {
	dst = l.t.AppendEdge(dst, leaf, l.file)
	for _, by := range []struct {
		name string
		is   bool
	}{
		{"newest", len(l.ends) > 0 && leaf == l.ends[0]},
		{"last", leaf == l.last},
		{"pinned", leaf == l.t.Pinned()},
	} {
		if by.is {
			dst = fmt.Appendf(dst, `,"%s":true`, by.name)
		}
	}
	dst = fmt.Appendf(dst, `,"depth":%d`, l.deep[leaf])
	if fork != nil && *fork != tree.None {
		dst = appendText(dst, "fork", []byte(l.t.ID(*fork)))
	}
	dst = appendText(dst, "summary", l.t.Summary(leaf))
	dst = appendText(dst, "title", l.t.Title(leaf))
	if fork != nil {
		dst = appendText(dst, "prompt", firstWords(l.t.Prompt(leaf)))
	}
	return append(dst, '}')
}

// appendText appends a member, if there is a text.
func appendText(dst []byte, name string, text []byte) []byte {
	if len(text) == 0 {
		return dst
	}
	return entry.AppendString(fmt.Appendf(dst, `,"%s":`, name), text)
}

// firstWords returns the beginning of a text on one line, of at most 80 characters.
func firstWords(text []byte) []byte {
	const most = 80
	var words []byte
	for word := range bytes.FieldsSeq(text) {
		if len(words) > 0 {
			words = append(words, ' ')
		}
		words = append(words, word[:min(len(word), (most+1)*utf8.UTFMax)]...)
		if utf8.RuneCount(words) > most {
			return cut(words, most)
		}
	}
	return words
}

// cut cuts text down to so many characters and behind a word, if there is one that
// ends in their second half.
func cut(text []byte, most int) []byte {
	runes := []rune(string(text))[:most]
	short := strings.TrimRight(string(runes), " ")
	if i := strings.LastIndexByte(short, ' '); i > most/2 {
		short = short[:i]
	}
	return []byte(short + "…")
}
