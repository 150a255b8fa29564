package manual

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// printedBy has the records of package record that each program prints, in the order of
// its page. A record that others embed comes before them.
var printedBy = map[string][]string{
	"jlcompact": {"Page"},
	"jlleaf":    {"Leaf"},
	"jlpath":    {"Title"},
	"jlrel": {
		"Member", "Session", "Home", "Report", "SizedFile",
		"Logs", "ToolLink", "AgentLink", "TaskEnd", "TaskLink", "BackupLink", "LogicalLink", "ForkLink", "ControlLink",
	},
	"jlsnap": {"TrackedFile"},
	"jltree": {
		"Place", "Finding", "Malformed", "Recovered", "Orphan", "LostIDs", "Beside", "Root", "WithoutID", "Ordinal", "SelfParent", "Cycle", "Duplicate", "Unmatched", "BadText",
		"ClockSkew", "Between", "AnotherSession", "SnapshotID", "Totals",
	},
}

// records writes what the fields of the records mean that a program prints.
func (w *writer) records(program, dir string) error {
	printed := printedBy[program]
	if printed == nil {
		return nil
	}
	types, err := structs(dir)
	if err != nil {
		return err
	}
	w.macro("Sh", "OUTPUT")
	w.line("The fields of the records are these.")
	w.line("An optional field is left out if it does not apply; any other field is null then.")
	for _, name := range printed {
		record, ok := types[name]
		if !ok {
			return fmt.Errorf("package record has no %s", name)
		}
		w.macro("Ss", upper(spaced(name)))
		w.text(upper(record.named(replaced(record.doc, name, spaced(name)))))
		for _, other := range record.embedded {
			w.text("It also has the fields under " + other + ".")
		}
		w.macro("Pp")
		w.macro("Bl", "-tag -width", strconv.Itoa(record.width())+"n", "-compact")
		for _, f := range record.fields {
			if f.text == "" {
				return fmt.Errorf("the field %s of record.%s has no comment", f.name, name)
			}
			w.macro("It", `"`+f.name+`"`)
			w.text(record.named(f.text))
		}
		w.macro("El")
	}
	return nil
}

// A structType is a record in the source code.
type structType struct {
	doc      string
	fields   []field
	embedded []string // the names of records whose fields it has, as words, and whether it may have none
}

type field struct {
	name   string // in JSON
	inCode string
	text   string // what it means
}

// width returns the length of the longest name of a field.
func (s structType) width() int {
	width := 0
	for _, f := range s.fields {
		width = max(width, len(f.name))
	}
	return width
}

// named returns a text with the names that fields have in JSON.
func (s structType) named(text string) string {
	for _, f := range s.fields {
		text = replaced(text, f.inCode, f.name)
	}
	return text
}

// replaced returns a text in which another word stands for old.
func replaced(text, old, other string) string {
	return regexp.MustCompile(`\b`+old+`\b`).ReplaceAllLiteralString(text, other)
}

// structs returns the records of package record by their names.
func structs(dir string) (map[string]structType, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	types := map[string]structType{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		code, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, code, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			decl, ok := d.(*ast.GenDecl)
			if !ok || decl.Tok != token.TYPE {
				continue
			}
			for _, s := range decl.Specs {
				spec := s.(*ast.TypeSpec)
				if t, ok := spec.Type.(*ast.StructType); ok {
					types[spec.Name.Name] = newStruct(decl.Doc.Text(), t)
				}
			}
		}
	}
	return types, nil
}

// newStruct returns the fields of t under the names that they have in JSON.
func newStruct(doc string, t *ast.StructType) structType {
	record := structType{doc: doc}
	for _, f := range t.Fields.List {
		if len(f.Names) == 0 {
			typ, orNone := f.Type, ""
			if star, ok := typ.(*ast.StarExpr); ok {
				typ, orNone = star.X, ", or none of them"
			}
			record.embedded = append(record.embedded, upper(spaced(typ.(*ast.Ident).Name))+orNone)
			continue
		}
		tag := reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json")
		options := strings.Split(tag, ",")
		text := strings.TrimSpace(f.Comment.Text())
		if text != "" && slices.Contains(options, "omitempty") {
			text += " (optional)"
		}
		record.fields = append(record.fields, field{options[0], f.Names[0].Name, text})
	}
	return record
}

var wordStart = regexp.MustCompile(`[a-z][A-Z]`)

// spaced returns the name of a type as words in lower case.
func spaced(name string) string {
	return strings.ToLower(wordStart.ReplaceAllStringFunc(name, func(s string) string { return s[:1] + " " + s[1:] }))
}

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
