package main

import (
	"jl/internal/archive"
	"jl/internal/cli"
	"jl/internal/operand"
)

// replaceFiles replaces the FILEs by their archives, or archives by their files. An error
// with one of them does not stop the others.
func replaceFiles(c *cli.Command, f *flags) {
	var names []string
	operand.Refuse(c, f.Files)
	f.Writes = true // a FILE may have been replaced before
	for _, name := range f.Files {
		if name, ok := f.Resolve(c, name); ok {
			names = append(names, name)
		}
	}
	o := archive.Options{
		Extract: f.Extract, To: f.To, Level: f.level(), Keep: f.Keep, Update: f.Update, Terminal: c.Terminal(),
		Removed: func(name string) { c.Note(cli.File(name), "removed: a killed run left it") },
	}
	err := archive.Replace(names, o, func(name string, err error) { c.Fail(cli.File(name), err) })
	if err != nil {
		c.Fail(cli.File(f.To), err)
	}
}
