package main

import (
	"fmt"
	"strings"

	"jl/internal/cli"
	"jl/internal/forest"
	"jl/internal/log"
	"jl/internal/reader"
	"jl/internal/record"
	"jl/internal/says"
)

// A left is what the log has and a path lacks, as numbers of conversation entries. What follows the leaf does not
// count, nor what is on sidechains, unless the leaf is on one.
type left struct {
	above    int // that --through adds
	branches int // on other branches
}

// leftBy returns what a path lacks. It is nothing if a person chose less than a path.
func (p *printer) leftBy(g passage) (l left) {
	if g.leaf == log.None || p.f.Chain || p.f.As != reader.Default {
		return l
	}
	on, above := forest.NewSet(p.t.Cap), forest.NewSet(p.t.Cap)
	on.AddAll(g.Nodes)
	if !p.f.Through {
		above.AddAll(p.t.Path(g.leaf, log.Options{Through: true}).Nodes)
	}
	aside, end := p.t.Tree.Is(g.leaf, log.Sidechain), p.t.Tree.Turn[g.leaf]
	upTo := forest.Of(p.t.Tree.Whole()).Nearest(func(turn log.Node) bool { return turn == end })
	for n := range p.t.Count {
		switch {
		case !p.t.Tree.Is(n, log.Talks) || p.t.Tree.Is(n, log.Sidechain) && !aside || on.Has(n):
		case above.Has(n):
			l.above++
		case upTo(p.t.Tree.Turn[n]) == log.None:
			l.branches++
		}
	}
	return l
}

// leftOut prints a row for each thing that a path lacks.
func (p *printer) leftOut(g passage) {
	l := p.leftBy(g)
	for _, row := range []record.Left{{What: "above", Count: l.above}, {What: "branches", Count: l.branches}} {
		if row.Count > 0 {
			row.Is, row.Session = "left", record.Raw(says.SessionOf(p.t.Entry(g.leaf)).NonEmpty())
			if row.Session == nil {
				row.Session = record.Raw(p.session())
			}
			if p.file.Label != "" {
				row.File = record.Text(p.file.Label)
			}
			p.c.Print(record.Append(nil, row))
		}
	}
}

// hint says on a terminal what a path lacks, and anywhere if more of the log is on other branches than on the path
// that the rules choose.
func (p *printer) hint(g passage) {
	maybeMost := len(p.f.Leaf) == 0 && !p.besideNoted && 2*len(g.Nodes) < int(p.t.Count)
	if p.c.Terminal() == nil && !maybeMost {
		return
	}
	l := p.leftBy(g)
	var left []string
	if l.above > 0 {
		left = append(left, fmt.Sprintf("above it %d, which jlpath -t prints", l.above))
	}
	if l.branches > 0 {
		left = append(left, fmt.Sprintf("on other branches %d, whose ends jlleaf -a prints", l.branches))
	}
	if left == nil {
		return
	}
	say := p.c.Hint
	if maybeMost && l.branches > l.above+len(g.Nodes) {
		say = p.c.Note
	}
	say(cli.File(p.file.Name), "conversation entries that this path has not: %s", strings.Join(left, "; "))
}
