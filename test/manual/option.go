package manual

import (
	"cmp"
	"fmt"
	"go/ast"
	"reflect"
	"regexp"
	"slices"
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
	Text     string // for the manual; "" if that has the help
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

// withTexts returns options with the texts that a program has for the manual: the comments of the fields of its flags.
func withTexts(options []option, file *ast.File) (texts []option, err error) {
	texts = slices.Clone(options)
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok || spec.Name.Name != "flags" {
			return true
		}
		for _, f := range spec.Type.(*ast.StructType).Fields.List {
			if f.Doc == nil {
				continue
			}
			name := nameOf(f)
			i := slices.IndexFunc(texts, func(o option) bool { return o.Name == name })
			if i < 0 {
				err = fmt.Errorf("a comment is about --%s, which is no option", name)
				continue
			}
			texts[i].Text = f.Doc.Text()
		}
		return false
	})
	return texts, err
}

var capital = regexp.MustCompile(`([a-z])([A-Z])`)

// nameOf returns the name of the option that kong makes of a field.
func nameOf(f *ast.Field) string {
	tag := ""
	if f.Tag != nil {
		tag = strings.Trim(f.Tag.Value, "`")
	}
	return cmp.Or(reflect.StructTag(tag).Get("name"), strings.ToLower(capital.ReplaceAllString(f.Names[0].Name, "$1-$2")))
}
