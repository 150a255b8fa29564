package main

import (
	"errors"
	"strings"
	"unicode/utf8"

	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/log"
	"jl/internal/operand"
	"jl/internal/reader"
	"jl/internal/record"
	"jl/internal/rule"
	"jl/internal/says"
	"jl/internal/shape"
)

// A printer prints the leaves of the logs, one after another.
type printer struct {
	c       *cli.Command
	f       *flags
	printed bool
	found   bool // the log has the entry that -l names, or there is no -l
	row     []byte

	file *operand.File
	t    *log.Log
	as   *reader.Reader

	depth   func(log.Node) int
	prompts func(log.Node) []byte // with -a: the last prompt at a node or above it

	newest, last log.Node // the ends that are newest by the clock, and last in the file
}

// log prints the leaves of one log.
func (p *printer) log(file *operand.File) {
	file.FallsBack = p.f.As.FallsBack()
	t, ok := file.Log(p.f.As.Reading())
	if ok && p.f.As != reader.Default {
		ok = file.Allows(t.Dialect, "--as")
	}
	if !ok {
		p.found = true // no more is to be said
		return
	}
	p.file, p.t, p.as, p.depth = file, t, reader.New(t, p.f.As), t.Tree.Depth()
	p.newest, p.last = log.None, operand.LastEnd(t)
	if leaves := t.Leaves; len(leaves) > 0 {
		p.newest = leaves[0]
	}
	var ends []rule.End
	if p.f.All {
		ends, _ = t.Ends()
		p.prompts = t.Prompts(func(e *entry.Entry) []byte {
			prompt, _ := says.PromptOf(t.Dialect, e)
			return prompt
		})
	}
	for _, e := range ends {
		p.print(e.Leaf, &e)
	}
	if len(ends) == 0 {
		p.one()
	}
	p.file.Fail(p.t.Err())
}

// one prints one leaf: the given one, or the one at which the conversation ends. It reports why
// there is none.
func (p *printer) one() {
	given := log.None
	if p.f.Leaf != "" {
		a := p.file.Find(p.t, p.f.Leaf)[p.f.Leaf]
		p.found = p.found || a.Known
		if !a.Chosen {
			return
		}
		given = a.Node
	}
	leaf, odd := p.as.Leaf(given)
	p.file.Odd(p.t, odd)
	if leaf == log.None {
		return
	}
	if p.f.Leaf == "" && p.f.As == reader.Default {
		p.file.NoteLeaf(p.t, leaf, p.as.Pinned())
		p.hint()
	}
	p.print(leaf, nil)
}

// hint says on a terminal how many other branches there are.
func (p *printer) hint() {
	if p.c.Terminal() == nil {
		return
	}
	if ends, _ := p.t.Ends(); len(ends) > 1 {
		p.c.Hint(cli.File(p.file.Name), "other branches: %d; jlleaf -a prints their ends", len(ends)-1)
	}
}

// print prints one leaf. Its end is given if all ends are printed.
func (p *printer) print(leaf log.Node, end *rule.End) {
	if p.f.UUID {
		p.row = append(operand.AppendID(p.row[:0], p.t.ID(leaf)), '\n')
	} else {
		id, parent := p.t.RawID(leaf), p.t.RawParent(leaf)
		edge := p.t.Dialect.AppendEdge(p.row[:0], p.t.Entry(leaf), id, parent, p.file.Label)
		p.row = record.Extend(edge, p.record(leaf, end))
	}
	if p.t.Err() != nil {
		return // what was read again is not what was there
	}
	p.printed = true
	p.c.Print(p.row)
	if e := p.t.Entry(leaf); !entry.Valid(e.Bytes) {
		p.file.FailAt(e.Pos.Line, errors.New("not valid JSON inside; jlpath does not print it"))
	}
}

// record returns what the edge of a leaf adds to the edge of jltree.
func (p *printer) record(leaf log.Node, end *rule.End) record.Leaf {
	r := record.Leaf{
		Newest:  leaf == p.newest,
		Last:    leaf == p.last,
		Pinned:  leaf == p.as.Pinned(),
		Depth:   p.depth(leaf),
		Summary: record.Text(p.t.Summary(leaf)),
		Title:   record.Text(p.t.Title(leaf)),
	}
	if end != nil {
		if end.Fork != log.None {
			r.Fork = record.Raw(p.t.RawID(end.Fork))
		}
		r.Own = &end.Own
		r.Prompt = record.Text(firstWords(shape.Title(p.prompts(leaf))))
	}
	for _, text := range [...]record.Raw{r.Summary, r.Title, r.Prompt} {
		entry.ReplaceLone(text)
	}
	return r
}

// firstWords returns the beginning of a text on one line, of at most 80 characters. It cuts after a
// word if one ends in their second half.
func firstWords(text []byte) []byte {
	const most = 80
	words := shape.FirstWords(text, (most+1)*utf8.UTFMax)
	if runes := []rune(string(words)); len(runes) > most {
		short := strings.TrimRight(string(runes[:most]), " ")
		if i := strings.LastIndexByte(short, ' '); i > most/2 {
			short = short[:i]
		}
		return []byte(short + "…")
	}
	return words
}
