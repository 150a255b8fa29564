package manual

import (
	"fmt"
	"strings"

	"jl/internal/said"
)

const made = "made by make docs; do not edit"

// readers are the values of an option that takes a READER.
const readers = "claude claude-2.1 claude-2.0 sdk sdk-system"

// kinds are the names in a list of kinds of rows.
var kinds = strings.ReplaceAll(said.Names(), ",", "")

// The kinds of values that shells can complete.
const (
	dir    = "DIR"
	reader = "READER"
	id     = "ID"   // of an entry
	kind   = "KIND" // of rows, one or more, with commas between
)

// sessions is a command that prints the ids of the sessions.
const sessions = `jlrel --list 2>/dev/null | sed 's/.*"sessionId":"\([^"]*\)".*/\1/'`

// bashIDs are functions of the completions for bash. A log may hold any text as an id, so what is not
// plain is left out: bash would run it.
const bashIDs = `# adds the ids on standard input that begin with $cur
_jl_add() {
	local id
	while read -r id; do
		[[ $id == "$cur"* && $id != *[^[:alnum:]._-]* ]] && COMPREPLY+=("$id")
	done
}

# prints the ids of the ends of the first FILE on the line; it reads no pipe, where it might wait
_jl_ends() {
	local word
	for word in "${COMP_WORDS[@]:1}"; do
		if [[ -n $word && $word != -* && (-f $word || -d $word || ! -e $word) ]]; then jlleaf -a -u -- "$word" 2>/dev/null && return; fi
	done
}

`

// bash returns the completions of a program for bash. An operand is completed as a file name or
// the id of a session.
func bash(name string, options []option) string {
	var all []string
	patterns := map[string][]string{} // by kind of value: the options that take one
	lists := ""                       // the options that kinds may follow
	for _, f := range options {
		all = append(all, "--"+f.Name)
		if f.Value != "" {
			value := f.Value
			if value != dir && value != reader && value != id {
				value = ""
			}
			patterns[value] = append(patterns[value], f.names()...)
		}
		if f.Kinds {
			lists += strings.Join(f.names(), " | ")
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# bash completion for %s; %s\n\n%s_%[1]s() {\n", name, made, bashIDs)
	b.WriteString("\tlocal cur=$2 prev=$3\n")
	if lists != "" {
		b.WriteString("\tlocal valued=\n\t[[ $cur == = || $prev == = ]] && valued=1\n")
	}
	b.WriteString("\t[[ $cur == = ]] && cur=\n")
	b.WriteString("\t[[ $prev == = ]] && prev=${COMP_WORDS[COMP_CWORD - 2]}\n")
	b.WriteString("\tCOMPREPLY=()\n\tcase $prev in\n")
	if lists != "" {
		fmt.Fprintf(&b, "\t%s) if [[ $valued ]]; then mapfile -t COMPREPLY < <(compgen -P \"${cur%%\"${cur##*,}\"}\" -W '%s' -- \"${cur##*,}\"); compopt +o default; return; fi ;;&\n", lists, kinds)
	}
	for _, kind := range []struct{ placeholder, action string }{
		{dir, "compopt -o dirnames +o default"},
		{reader, fmt.Sprintf("mapfile -t COMPREPLY < <(compgen -W '%s' -- \"$cur\")", readers)},
		{id, "_jl_add < <(_jl_ends); compopt +o default"},
		{"", "compopt +o default"},
	} {
		if names := patterns[kind.placeholder]; names != nil {
			fmt.Fprintf(&b, "\t%s) %s ;;\n", strings.Join(names, " | "), kind.action)
		}
	}
	fmt.Fprintf(&b, "\t*) if [[ $cur == -* ]]; then mapfile -t COMPREPLY < <(compgen -W '%s' -- \"$cur\")\n", strings.Join(all, " "))
	fmt.Fprintf(&b, "\telse mapfile -t COMPREPLY < <(compgen -f -- \"$cur\"); _jl_add < <(%s); compopt -o filenames; fi ;;\n", sessions)
	fmt.Fprintf(&b, "\tesac\n}\n\ncomplete -o default -F _%s %[1]s\n", name)
	return b.String()
}

// zshIDs are functions of the completions for zsh.
const zshIDs = `_jl_operands() {
	_files
	compadd -- ${(f)"$(` + sessions + `)"}
}

_jl_ends() {
	local word
	local -a ids
	for word in ${words[2,-1]}; do
		[[ $word == -* || -e $word && ! -f $word && ! -d $word ]] && continue # a pipe, which might wait
		ids=(${(f)"$(jlleaf -a -u -- $word 2>/dev/null)"})
		(( $#ids )) && compadd -- $ids && return
	done
}

`

// zsh returns the completions of a program for zsh.
func zsh(name string, options []option) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#compdef %s\n# %s\n\n%s_arguments -s -S \\\n", name, made, zshIDs)
	for _, f := range options {
		value := ""
		if f.Kinds {
			value = "::" + kind + ":_values -s , " + kind + " " + kinds
		}
		if f.Value != "" {
			value = ":" + f.Value + ":"
			switch f.Value {
			case dir:
				value += "_files -/"
			case reader:
				value += "(" + readers + ")"
			case id:
				value += "_jl_ends"
			default:
				value += " "
			}
		}
		about := strings.NewReplacer("'", `'\''`, "[", `\[`, "]", `\]`, ":", `\:`).Replace(firstSentence(f))
		long := "--" + f.Name
		if f.Value != "" {
			long += "="
		}
		if f.Kinds {
			long += "=-"
		}
		repeated := ""
		if f.Repeated {
			repeated = "*"
		}
		switch {
		case f.Short == 0:
			fmt.Fprintf(&b, "\t'%s%s[%s]%s' \\\n", repeated, long, about, value)
		case f.Value != "":
			fmt.Fprintf(&b, "\t'%s'{-%c+,%s}'[%s]%s' \\\n", repeated, f.Short, long, about, value)
		case f.Kinds:
			fmt.Fprintf(&b, "\t'%s[%s]%s' \\\n\t'-%c[%[2]s]' \\\n", long, about, value, f.Short)
		default:
			fmt.Fprintf(&b, "\t'(-%c %s)'{-%[1]c,%[2]s}'[%[3]s]' \\\n", f.Short, long, about)
		}
	}
	b.WriteString("\t'*: :_jl_operands'\n")
	return b.String()
}

// fishIDs are a function of the completions for fish.
const fishIDs = `function __jl_ends
	for word in (commandline -o)[2..]
		string match -q -- '-*' $word; and continue
		test -e $word -a ! -f $word -a ! -d $word; and continue # a pipe, which might wait
		jlleaf -a -u -- $word 2>/dev/null; and return
	end
end

`

// fish returns the completions of a program for fish.
func fish(name string, options []option) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%scomplete -c %s -a \"(%s)\"\n", made, fishIDs, name, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(sessions))
	for _, f := range options {
		fmt.Fprintf(&b, "complete -c %s", name)
		if f.Short != 0 {
			fmt.Fprintf(&b, " -s %c", f.Short)
		}
		fmt.Fprintf(&b, " -l %s", f.Name)
		if f.Kinds {
			fmt.Fprintf(&b, " -f -a '(__fish_append , %s)'", kinds)
		}
		if f.Value != "" {
			b.WriteString(" -x")
			switch f.Value {
			case dir:
				b.WriteString(" -a '(__fish_complete_directories)'")
			case reader:
				fmt.Fprintf(&b, " -a '%s'", readers)
			case id:
				b.WriteString(" -a '(__jl_ends)'")
			}
		}
		fmt.Fprintf(&b, " -d '%s'\n", strings.ReplaceAll(firstSentence(f), "'", `\'`))
	}
	return b.String()
}

// firstSentence returns the first sentence of the help of an option, without a list behind it
// and without the period.
func firstSentence(f option) string {
	help, _, _ := strings.Cut(f.Help, ":\n")
	help, _, _ = strings.Cut(strings.ReplaceAll(help, "\n", " "), ". ")
	return strings.TrimRight(help, ".")
}
