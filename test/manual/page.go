package manual

import (
	"cmp"
	"go/ast"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// date is the date of the pages. Change it when what they say changes much.
const date = "November 25, 2026"

// programs are the programs that have a page, in the order in which pages refer to them.
var programs = []string{"jlcompact", "jlleaf", "jlpath", "jlrel", "jlrev", "jlsnap", "jltree"}

// page returns the manual page of a program in mdoc(7). File is its main.go, and records the
// directory of package record.
func page(p Program, options []option, file, records string) (string, error) {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
	if err != nil {
		return "", err
	}
	if options, err = withTexts(options, f); err != nil {
		return "", err
	}
	about, _, _ := strings.Cut(p.About, "\n")
	w := &writer{name: p.Name}
	w.macro("Dd", date)
	w.macro("Dt", strings.ToUpper(p.Name)+" 1")
	w.macro("Os")
	w.macro("Sh", "NAME")
	w.macro("Nm", p.Name)
	w.macro("Nd", strings.ToLower(about[:1])+strings.TrimSuffix(about[1:], "."))
	w.manual(f.Doc, options)
	if err := w.records(p.Name, records); err != nil {
		return "", err
	}
	w.status(p.Flags)
	w.examples(p.Flags)
	w.macro("Sh", "SEE ALSO")
	for _, other := range programs {
		if other != p.Name {
			w.macro("Xr", other+" 1 ,")
		}
	}
	w.macro("Xr", "jl 7")
	return w.page.String(), nil
}

// A writer writes a page.
type writer struct {
	page   strings.Builder
	name   string
	listed bool // the options are written
}

// macro writes a line that begins with a macro.
func (w *writer) macro(name string, args ...string) {
	w.page.WriteString(strings.TrimRight("."+name+" "+strings.Join(args, " "), " ") + "\n")
}

var (
	sentenceEnd = regexp.MustCompile(`([A-Za-z0-9)"\]][.:?!]\)?) +([A-Z"]|--)`)
	dashed      = regexp.MustCompile(`(^|[^\w-])(--?)(\w)`)
)

// text writes a paragraph, each sentence on lines of its own.
func (w *writer) text(s string) {
	s = strings.Join(strings.Fields(s), " ")
	for _, sentence := range strings.Split(sentenceEnd.ReplaceAllString(s, "$1\n$2"), "\n") {
		line := ""
		for _, word := range strings.Fields(sentence) {
			if line != "" && len(line)+1+len(word) > 78 {
				w.line(line)
				line = ""
			}
			line = strings.TrimPrefix(line+" "+word, " ")
		}
		w.line(line)
	}
}

// line writes a line of text, in which the dashes of options stay dashes.
func (w *writer) line(s string) {
	s = strings.ReplaceAll(s, `\`, `\e`)
	s = dashed.ReplaceAllStringFunc(s, func(m string) string { return strings.ReplaceAll(m, "-", `\-`) })
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	w.page.WriteString(s + "\n")
}

// literal writes lines as they are.
func (w *writer) literal(s string) {
	w.macro("Bd", "-literal -offset indent")
	escaped := strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(strings.TrimRight(s, "\n"))
	for _, l := range strings.Split(escaped, "\n") {
		if strings.HasPrefix(l, ".") {
			l = `\&` + l
		}
		w.page.WriteString(l + "\n")
	}
	w.macro("Ed")
}

// manual writes what a doc comment has: the synopsis, the description, then the options, and the sections that have a
// heading.
func (w *writer) manual(doc *ast.CommentGroup, options []option) {
	parsed := new(comment.Parser).Parse(doc.Text())
	usage, begun := false, true // begun: a section has just begun
	var first string
	for _, block := range parsed.Content {
		switch block := block.(type) {
		case *comment.Heading:
			w.options(options)
			w.macro("Sh", strings.ToUpper(plain(block.Text)))
			begun = true
			continue
		case *comment.Paragraph:
			s := plain(block.Text)
			switch {
			case s == "Usage:":
				usage = true
				continue
			case first == "":
				first = s
				continue
			case !begun:
				w.macro("Pp")
			}
			w.text(s)
		case *comment.Code:
			if usage {
				usage = false
				w.synopsis(block.Text)
				w.macro("Sh", "DESCRIPTION")
				w.text(first)
			} else {
				w.block(block.Text)
			}
		}
		begun = false
	}
	w.options(options)
}

// plain returns the words of a paragraph.
func plain(text []comment.Text) string {
	var b strings.Builder
	for _, t := range text {
		switch t := t.(type) {
		case comment.Plain:
			b.WriteString(string(t))
		case comment.Italic:
			b.WriteString(string(t))
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// synopsis writes the lines of a usage, of which each that begins with the program's name is
// a form of its own.
func (w *writer) synopsis(usage string) {
	w.macro("Sh", "SYNOPSIS")
	forms := strings.Split("\n"+usage, "\n"+w.name)
	for _, form := range forms[1:] {
		w.macro("Nm", w.name)
		for _, part := range brackets(strings.Join(strings.Fields(form), " ")) {
			w.macro(arguments(part))
		}
	}
}

// brackets splits a usage at the spaces that are outside of brackets, but keeps alternatives
// together.
func brackets(s string) []string {
	depth, begin := 0, 0
	var parts []string
	for i, r := range s {
		switch {
		case r == '[':
			depth++
		case r == ']':
			depth--
		case r == ' ' && depth == 0 && !strings.HasPrefix(s[i+1:], "|") && !strings.HasSuffix(s[:i], "|"):
			parts = append(parts, s[begin:i])
			begin = i + 1
		}
	}
	return append(parts, s[begin:])
}

var usageToken = regexp.MustCompile(`\[|\](?:\.\.\.)?|--?\w[\w-]*|[^\s\[\]]+`)

// arguments returns a part of a usage, or the names of an option, as macros on one line.
func arguments(s string) string {
	var out []string
	for _, at := range usageToken.FindAllStringIndex(s, -1) {
		token := s[at[0]:at[1]]
		if (token == "[" || token[0] == '=') && at[0] > 0 && !strings.ContainsAny(s[at[0]-1:at[0]], " [|") {
			out = append(out, "Ns") // no space before it
		}
		switch {
		case token == "[":
			out = append(out, "Oo")
		case token == "]":
			out = append(out, "Oc")
		case token == "]...":
			out = append(out, "Oc Ns ...")
		case strings.HasPrefix(token, "-") && len(token) > 1:
			out = append(out, "Fl "+strings.TrimPrefix(token, "-"))
		case token == "|" || token == ",":
			out = append(out, token)
		default:
			out = append(out, "Ar "+strings.ReplaceAll(token, "-", `\-`))
		}
	}
	return strings.Join(out, " ")
}

var itemHead = regexp.MustCompile(`^ {0,4}(\S.*?)(?:  +(\S.*))?$`)

// block writes an indented block: a list of words with what they mean, a table if its first
// line is in capitals, or lines as they are. The words of an item are on one line.
func (w *writer) block(s string) {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	aligned := slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(strings.TrimLeft(l, " "), "  ") })
	if !aligned || strings.HasPrefix(s, "{") || strings.HasPrefix(s, " ") {
		w.literal(s)
		return
	}
	w.macro("Pp")
	w.macro("Bl", "-tag -width", strconv.Itoa(column(lines)-2)+"n", "-compact")
	if lines[0] == strings.ToUpper(lines[0]) {
		m := itemHead.FindStringSubmatch(lines[0])
		w.macro("It Sy", m[1])
		w.macro("Sy", m[2])
		lines = lines[1:]
	}
	meaning := ""
	flush := func() {
		if meaning != "" {
			w.text(meaning)
		}
		meaning = ""
	}
	for _, l := range lines {
		if l == "" || strings.HasPrefix(l, "     ") {
			meaning += " " + l
			continue
		}
		m := itemHead.FindStringSubmatch(l)
		flush()
		w.head(m[1])
		meaning = m[2]
	}
	flush()
	w.macro("El")
}

// column returns the column in which the meanings of an aligned list begin.
func column(lines []string) int {
	for _, l := range lines {
		if m := itemHead.FindStringSubmatchIndex(l); m != nil && m[4] > 0 {
			return m[4]
		}
	}
	return 0
}

// head begins an item of a list.
func (w *writer) head(s string) {
	if !strings.HasPrefix(s, "-") {
		w.macro("It", `"`+strings.ReplaceAll(s, `"`, "")+`"`)
		return
	}
	w.macro("It", arguments(strings.ReplaceAll(s, ",", " ,")))
}

// options writes the options.
func (w *writer) options(options []option) {
	if w.listed {
		return
	}
	w.listed = true
	w.macro("Sh", "OPTIONS")
	w.macro("Bl", "-tag -width Ds")
	for _, o := range options {
		w.head(o.head())
		w.text(cmp.Or(o.Text, o.Help))
	}
	w.macro("El")
}

// status writes what the help says about each exit status.
func (w *writer) status(flags any) {
	w.macro("Sh", "EXIT STATUS")
	w.macro("Bl", "-tag -width Ds")
	for _, row := range strings.Split(section(flags, "Exit status:"), "\n  ")[1:] {
		if status, text, ok := strings.Cut(row, "  "); ok && status != "" {
			w.macro("It", status)
			w.text(text)
		} else {
			w.text(row)
		}
	}
	w.macro("El")
}

// examples writes the examples of the help.
func (w *writer) examples(flags any) {
	if examples := section(flags, "Examples:"); examples != "" {
		w.macro("Sh", "EXAMPLES")
		w.literal(strings.ReplaceAll(examples, "\n  ", "\n")[1:])
	}
}

// section returns the lines of the help below a heading, with a newline before each.
func section(flags any, heading string) string {
	detailed, ok := flags.(interface{ Help() string })
	if !ok {
		return ""
	}
	_, rest, _ := strings.Cut(detailed.Help(), heading)
	lines, _, _ := strings.Cut(rest, "\n\n")
	return strings.TrimRight(lines, "\n")
}
