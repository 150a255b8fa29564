package main

import (
	"errors"

	"jl/internal/check"
	"jl/internal/cli"
	"jl/internal/dialect"
	"jl/internal/operand"
	"jl/internal/record"
)

// findings prints what is wrong with a file, and its totals.
func findings(c *cli.Command, o *flags, f *operand.File) {
	var scratch []byte
	print := func(row any) {
		scratch = record.Append(scratch[:0], row)
		c.Print(scratch)
	}
	r, size := f.At()
	log, err := check.Read(r, size, check.Asked{Name: f.Name, Notes: o.Notes, Spare: f.Spare, Found: func(row any) bool {
		print(row)
		return !c.Broken()
	}})
	if log.Unfinished != nil {
		f.Damaged(log.Unfinished)
	}
	f.Fail(err)
	if errors.Is(err, dialect.ErrNotLog) {
		return
	}
	log.Check()
	f.NoteShape(log.Table())
	totals := log.Totals()
	f.Fail(log.Err())
	if totals.Nodes == 0 {
		f.NoteNone()
	}
	totals.File = record.Text(f.Name)
	sound := totals.Damage == 0 && (totals.Warnings == 0 || !o.Strict)
	if !sound {
		c.No()
	}
	totals.Healthy = sound && !f.Failed()
	print(totals)
	health := "healthy"
	if !totals.Healthy {
		health = "not healthy"
	}
	c.Hint(cli.File(f.Name), "%s; damage: %d, warnings: %d, notes: %d", health, totals.Damage, totals.Warnings, totals.Notes)
}
