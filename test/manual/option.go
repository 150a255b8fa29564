package manual

import (
	"strings"

	"jl/internal/cli"
)

// An option is an option of a program.
type option struct {
	Name     string // without dashes
	Short    rune   // 0 if there is none
	Value    string // what the help calls its value, "" if it takes none
	Kinds    bool   // kinds of rows may follow it, behind a =
	Repeated bool   // each use adds a value
	Help     string // lines
}

// names returns the names of an option with their dashes, the short one first.
func (o *option) names() []string {
	if o.Short == 0 {
		return []string{"--" + o.Name}
	}
	return []string{"-" + string(o.Short), "--" + o.Name}
}

// head returns the names of an option, with what the help calls its value.
func (o *option) head() string {
	head := strings.Join(o.names(), ", ")
	switch {
	case o.Kinds:
		head += "[=" + kind + "]"
	case o.Value != "":
		head += " " + o.Value
	}
	return head
}

// optionsOf returns the options of a program with the given flags.
func optionsOf(flags any) []option {
	var options []option
	for _, f := range cli.Flags(flags) {
		o := option{Name: f.Name, Short: f.Short, Repeated: f.IsCumulative(), Help: f.Help}
		if cli.TakesValue(f) {
			o.Value = f.PlaceHolder
		}
		o.Kinds = f.PlaceHolder == kind
		options = append(options, o)
	}
	return options
}
