package cli

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"
)

// commonFlags are the options of every program.
type commonFlags struct {
	Help    bool `short:"h" help:"Print this help."`
	Version bool `help:"Print the version."`
}

// newParser returns a parser for flags, a pointer to a struct with kong's tags, and for
// the options of every program.
func newParser(flags any, common *commonFlags) *kong.Kong {
	return kong.Must(flags, // if kong refuses the struct, the program has a bug
		kong.NoDefaultHelp(),
		kong.Embed(common),
		kong.WithHyphenPrefixedParameters(true),
		kong.KindMapper(reflect.String, kong.MapperFunc(verbatim)),
		kong.KindMapper(reflect.Int, kong.MapperFunc(number)),
	)
}

// Flags returns the options of a program with the given flags, for its manual and its completions.
func Flags(flags any) []*kong.Flag { return newParser(flags, new(commonFlags)).Model.Flags }

// TakesValue reports whether an option takes a value.
func TakesValue(f *kong.Flag) bool { return !f.IsBool() && !f.IsCounter() }

// parse fills flags, a pointer to a struct with kong's tags, from args. If it reports
// false, the run is over: it has printed help or the version, or the usage is wrong.
//
// Options may appear anywhere among the operands, up to a "--". The value of an option is
// the rest of its argument or the whole next argument, whatever that begins with. It must
// not be empty, because it is more likely an unset shell variable. An option that takes one value may be
// given only once; otherwise all but the last would be silently ignored. Values and operands arrive
// byte for byte.
//
// Besides kong's tags there is needs: the names of options, one of which must be given too. The
// struct may have a method Validate() error, which refuses other wrong combinations of options, a
// method Help() string, whose text follows the options in the help, and the methods of an
// [Operander].
//
// Help texts in the tags are not wrapped: a "\n" breaks one. Every program has -h,
// --help and --version.
func (c *Command) parse(about string, flags any, args []string) bool {
	if o, ok := flags.(Operander); ok && !slices.ContainsFunc(args, isOption) && !slices.ContainsFunc(args, isWord) {
		*o.Operands() = args
		return c.usage(o.Validate())
	}
	var common commonFlags
	parser := newParser(flags, &common)
	args, err := permute(c.name, parser.Model.Flags, args)
	if err == nil {
		var parsed *kong.Context
		if parsed, err = parser.Parse(args); err == nil { // it fills the flags before it finds them contradictory
			err = check(parsed.Path, parser.Model.Flags)
		}
	}
	switch {
	case common.Help:
		help(c.Out, c.name, about, parser.Model, flags)
	case common.Version:
		fmt.Fprintf(c.Out, "%s (jl suite) %s\n", c.name, programVersion())
	default:
		return c.usage(err)
	}
	return false
}

// check refuses an option that takes one value and is given again, and one that is given without any of
// those that it needs.
func check(given []*kong.Path, flags []*kong.Flag) error {
	set := map[string]bool{}
	for _, p := range given {
		if f := p.Flag; f != nil {
			if _, again := set[f.Name]; again && TakesValue(f) && !f.IsSlice() {
				return fmt.Errorf("--%s: can be given only once", f.Name)
			}
			set[f.Name] = !f.Target.IsZero()
		}
	}
	for _, f := range flags {
		needs := strings.Split(f.Tag.Get("needs"), ",")
		if set[f.Name] && needs[0] != "" && !slices.ContainsFunc(needs, func(name string) bool { return set[name] }) {
			return fmt.Errorf("--%s needs --%s", f.Name, strings.Join(needs, " or --"))
		}
	}
	return nil
}

// usage reports an error in the usage, unless it is nil, and returns whether it is.
func (c *Command) usage(err error) bool {
	if err != nil {
		c.Fail(Place{}, errors.New(shorten(err.Error())))
		fmt.Fprintf(c.stderr, "Try '%s --help' for more information.\n", c.name)
	}
	return err == nil
}

// shorten leaves out the middle of a text of more than 300 bytes: the ends say what is wrong, and
// the user gave what is between.
func shorten(text string) string {
	const most = 300
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most/2], "") + "…" + strings.ToValidUTF8(text[len(text)-most/2:], "")
}

// isOption reports whether an argument is an option, or the end of the options.
func isOption(arg string) bool { return len(arg) > 1 && arg[0] == '-' }

// isWord reports whether an argument might be meant as an option, and not as a file or an id.
func isWord(arg string) bool {
	return strings.Trim(arg, "abcdefghijklmnopqrstuvwxyz-") == "" && len(arg) > 2
}

// An Operander has operands. If all arguments are operands, no parser is made, which takes longer
// than a program takes for a small log. So the default of each option must be its zero value.
type Operander interface {
	Operands() *[]string
	Validate() error
}

// verbatim decodes a string. Kong's own decoder converts it to JSON, which changes a file
// name that is not UTF-8.
func verbatim(ctx *kong.DecodeContext, target reflect.Value) error {
	token, err := ctx.Scan.PopValue("string")
	if err != nil {
		return err
	}
	if ctx.Value.Flag != nil && token.String() == "" {
		return errEmpty
	}
	target.SetString(token.String())
	return nil
}

// errEmpty refuses an empty value.
var errEmpty = errors.New("must not be empty")

// number decodes an int in decimal. Kong's own decoder takes 010 as 8.
func number(ctx *kong.DecodeContext, target reflect.Value) error {
	token, err := ctx.Scan.PopValue("int")
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(token.String())
	switch {
	case token.String() == "":
		return errEmpty
	case errors.Is(err, strconv.ErrRange):
		return fmt.Errorf("%s is out of range", token)
	case err != nil:
		return fmt.Errorf("%q is not a whole number", token)
	}
	target.SetInt(int64(n))
	return nil
}

// permute moves the options before the operands, because for kong the operands end at the next option. It puts
// "--" between them if an operand looks like an option. It refuses an option for which it has a better message
// than kong.
func permute(program string, flags []*kong.Flag, args []string) ([]string, error) {
	valued := map[string]bool{} // by option: whether it takes a value
	for _, f := range flags {
		valued["--"+f.Name] = TakesValue(f)
		valued["-"+string(f.Short)] = TakesValue(f)
	}
	var options, operands []string
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		if arg == "--" {
			operands = append(operands, args...)
			break
		}
		if !isOption(arg) {
			if _, is := valued["--"+arg]; is && !exists(arg) {
				return nil, fmt.Errorf("no file %q; the option is --%[1]s", arg)
			}
			operands = append(operands, arg)
			continue
		}
		options = append(options, arg)
		option, next := split(valued, arg)
		if _, known := valued[option]; !known {
			if hint := hintFor(program, option, arg); hint != "" {
				return nil, fmt.Errorf("unknown flag %s: %s", arg, hint)
			}
			if _, is := valued["-"+arg]; is {
				return nil, fmt.Errorf("unknown flag %s, did you mean \"-%[1]s\"?", arg)
			}
			continue // kong says what it is like
		}
		if !next {
			continue
		}
		if len(args) == 0 {
			hint := ""
			if option == "-l" || option == "--leaf" {
				hint = "; quote '#27'" // the shell takes it for a comment
			}
			return nil, fmt.Errorf("flag %s needs a value%s", arg, hint)
		}
		options, args = append(options, args[0]), args[1:]
	}
	if slices.ContainsFunc(operands, func(operand string) bool { return strings.HasPrefix(operand, "-") }) {
		options = append(options, "--") // kong copies all that follow it, for each of them
	}
	return append(options, operands...), nil
}

// split returns the option in arg, or the last of several short ones, or the first that is not known. Next
// reports whether its value is the next argument, as for --leaf, -l and -al, but not for --leaf=ID and -lID.
func split(valued map[string]bool, arg string) (option string, next bool) {
	if strings.HasPrefix(arg, "--") {
		name, _, valuedHere := strings.Cut(arg, "=")
		return name, valued[name] && !valuedHere
	}
	for i, short := range arg[1:] {
		option = "-" + string(short)
		takes, known := valued[option]
		if takes || !known { // the rest is its value, or the option is unknown
			return option, takes && i+2 == len(arg)
		}
	}
	return option, false
}

// help prints the help, in the same form whatever the width of the terminal.
func help(w io.Writer, name, about string, model *kong.Application, flags any) {
	fmt.Fprintf(w, "Usage: %s [OPTION]...", name)
	for _, arg := range model.Positional {
		fmt.Fprintf(w, " [%s]...", strings.ToUpper(arg.Name))
	}
	fmt.Fprintf(w, "\n%s\n", about)
	for _, arg := range model.Positional {
		fmt.Fprintf(w, "%s\n", arg.Help)
	}
	width := 0
	for _, flag := range model.Flags {
		width = max(width, len(option(flag)))
	}
	last := ""
	for _, flag := range model.Flags {
		group := "General"
		if flag.Group != nil {
			group = flag.Group.Title
		}
		if group != last {
			fmt.Fprintf(w, "\n%s:\n", group)
			last = group
		}
		text := strings.ReplaceAll(flag.Help, "\n", "\n"+strings.Repeat(" ", width+4))
		fmt.Fprintf(w, "  %-*s  %s\n", width, option(flag), text)
	}
	if detailed, ok := flags.(interface{ Help() string }); ok {
		fmt.Fprintf(w, "\n%s", detailed.Help())
	}
	fmt.Fprintf(w, "\nMore: man %s, man 7 jl, man jl.jq\n", name)
}

// option returns the names of an option and of its value as the help shows them.
func option(flag *kong.Flag) string {
	text := flag.String()
	if flag.IsBool() && flag.PlaceHolder != "" { // its value is optional
		text += "[=" + flag.PlaceHolder + "]"
	}
	if flag.Short == 0 {
		return "    " + text
	}
	return text
}
