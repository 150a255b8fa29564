package cli

import (
	"fmt"
	"io"
	"reflect"
	"strings"
	"text/tabwriter"

	"github.com/alecthomas/kong"
)

// Start fills flags, a pointer to a struct with kong's tags, from args. If it
// reports false the run is over, because help or the version was asked for or
// the usage is wrong, and only [Command.Finish] remains.
//
// Options may stand anywhere among the operands, up to a "--". An option's
// value is the rest of its argument or the whole next one, whatever that begins
// with. Values and operands arrive byte for byte. A method Validate() error on
// the struct may refuse a combination: its error is a usage mistake.
//
// About says what the program does, in a line or a few. Help texts in the tags
// are not wrapped: a "\n" breaks one. Every program has -h, --help and --version.
func Start(name, about string, flags any, args []string, std Stdio) (*Command, bool) {
	c := newCommand(name, std, isTerminal(std.Out))
	var common struct {
		Help    bool `short:"h" help:"Print this help."`
		Version bool `help:"Print the version."`
	}
	parser := kong.Must(flags, // a struct that kong refuses is a bug in the program
		kong.NoDefaultHelp(),
		kong.Embed(&common),
		kong.WithHyphenPrefixedParameters(true),
		kong.KindMapper(reflect.String, kong.MapperFunc(verbatim)),
	)
	// Kong has filled the flags by the time it finds them contradictory.
	if err := parse(parser, args); err != nil && !common.Help && !common.Version {
		c.Troublef("%v", err)
		fmt.Fprintf(c.err, "Try '%s --help' for more information.\n", name)
		return c, false
	}
	switch {
	case common.Help:
		help(c.Out, name, about, parser.Model)
	case common.Version:
		fmt.Fprintf(c.Out, "%s (jl suite) %s\n", name, programVersion())
	default:
		return c, true
	}
	return c, false
}

func parse(parser *kong.Kong, args []string) error {
	args, err := permute(parser.Model.Flags, args)
	if err == nil {
		_, err = parser.Parse(args)
	}
	return err
}

// verbatim decodes a string. Kong's own decoder goes through JSON, which would
// change a file name that is not UTF-8.
func verbatim(ctx *kong.DecodeContext, target reflect.Value) error {
	token, err := ctx.Scan.PopValue("string")
	if err == nil {
		target.SetString(token.String())
	}
	return err
}

// permute puts the options before the operands, with "--" between them,
// because kong ends the operands at the next option.
func permute(flags []*kong.Flag, args []string) ([]string, error) {
	valued := map[string]bool{} // by option: does it take a value
	for _, f := range flags {
		takes := !f.IsBool() && !f.IsCounter()
		valued["--"+f.Name] = takes
		valued["-"+string(f.Short)] = takes
	}
	var options, operands []string
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		if arg == "--" {
			operands = append(operands, args...)
			break
		}
		if arg == "-" || !strings.HasPrefix(arg, "-") {
			operands = append(operands, arg)
			continue
		}
		options = append(options, arg)
		if !takesNext(valued, arg) {
			continue
		}
		if len(args) == 0 {
			return nil, fmt.Errorf("flag %s needs a value", arg)
		}
		options = append(options, args[0])
		args = args[1:]
	}
	if len(operands) > 0 {
		options = append(append(options, "--"), operands...)
	}
	return options, nil
}

// takesNext reports whether the value of the option in arg is the next argument,
// as for --leaf, -l and -al, but not for --leaf=ID and -lID.
func takesNext(valued map[string]bool, arg string) bool {
	if strings.HasPrefix(arg, "--") {
		return valued[arg]
	}
	for i, short := range arg[1:] {
		takes, known := valued["-"+string(short)]
		if takes || !known { // what follows is its value, or is for kong to refuse
			return takes && i+2 == len(arg)
		}
	}
	return false
}

// help prints what --help promises. It looks at no terminal's width: the same
// question has the same answer everywhere.
func help(w io.Writer, name, about string, model *kong.Application) {
	fmt.Fprintf(w, "Usage: %s [OPTION]...", name)
	for _, arg := range model.Positional {
		fmt.Fprintf(w, " [%s]...", strings.ToUpper(arg.Name))
	}
	fmt.Fprintf(w, "\n%s\n", about)
	for _, arg := range model.Positional {
		fmt.Fprintf(w, "%s\n", arg.Help)
	}
	fmt.Fprint(w, "\nOptions:\n")
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, flag := range model.Flags {
		option := flag.String()
		if flag.Short == 0 {
			option = "    " + option
		}
		fmt.Fprintf(table, "  %s\t%s\n", option, strings.ReplaceAll(flag.Help, "\n", "\n\t"))
	}
	_ = table.Flush() // a failed write is for Finish to report
	fmt.Fprint(w, `
Exit status:
  0  answered
  1  the answer is "none" or "not healthy"
  2  trouble: wrong usage, unreadable input, a lost entry, a failed write
`)
}
