package test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// handmadeJSON returns the lines of a Go file that make JSON without package record:
// those that import encoding/json, and those with a part of an object in a string, in a
// list of characters or in the arguments of a call. Comments and the tags of fields,
// which hold help texts, do not count. Src is as in [parser.ParseFile].
func handmadeJSON(t *testing.T, name string, src any) []string {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
	require.NoError(t, err)
	var found []string
	ast.Inspect(file, func(n ast.Node) bool {
		made := false
		switch n := n.(type) {
		case *ast.ImportSpec:
			made = n.Path.Value == `"encoding/json"`
		case *ast.BasicLit:
			made = n.Kind == token.STRING && isPart(literal(n))
		case *ast.CompositeLit:
			made = isPart(joined(n.Elts))
		case *ast.CallExpr:
			made = isPart(joined(n.Args))
		case *ast.Field:
			n.Tag = nil // so that Inspect does not visit it
		}
		if made {
			found = append(found, fmt.Sprintf("%s:%d", name, fset.Position(n.Pos()).Line))
		}
		return true
	})
	return slices.Compact(found)
}

// isPart reports whether text may be part of a JSON object.
func isPart(text string) bool {
	return slices.ContainsFunc([]string{`{"`, `":`, `,"`}, func(s string) bool { return strings.Contains(text, s) })
}

// literal returns the text of a string or character, "" for any other literal.
func literal(l *ast.BasicLit) string {
	switch l.Kind {
	case token.STRING:
		text, _ := strconv.Unquote(l.Value)
		return text
	case token.CHAR:
		r, _, _, _ := strconv.UnquoteChar(l.Value[1:], '\'')
		return string(r)
	}
	return ""
}

// joined returns the text of the characters in a list, with a space for anything else.
func joined(list []ast.Expr) string {
	var b strings.Builder
	for _, e := range list {
		if l, ok := e.(*ast.BasicLit); ok && l.Kind == token.CHAR {
			b.WriteString(literal(l))
		} else {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// TestNoHandmadeJSON wants all commands to leave JSON to package record and package
// entry, so that there is one rule for how the value of a log is written.
func TestNoHandmadeJSON(t *testing.T) {
	files, err := filepath.Glob("../cmd/*/*.go")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, name := range files {
		if !strings.HasSuffix(name, "_test.go") {
			require.Empty(t, handmadeJSON(t, name, nil))
		}
	}
}

func TestHandmadeJSON(t *testing.T) {
	tests := []struct {
		name, code string
		want       bool
	}{
		{"beginning of an object", "var x = `{\"page\":`", true},
		{"name", `var x = "\"page\":"`, true},
		{"next member", `const x = ",\"page"`, true},
		{"format", `func f(n int) string { return g("{\"page\":%d}", n) }`, true},
		{"bytes of a string", `var x = []byte("{\"page\"")`, true},
		{"list of characters", `var x = []byte{'a', ',', '"'}`, true},
		{"escaped characters", `var x = []byte{'\x22', '\u003a'}`, true},
		{"appended characters", `func f(b []byte) []byte { return append(b, '"', ':') }`, true},
		{"encoding/json", `import "encoding/json"`, true},
		{"encoding/json under another name", `import x "encoding/json"`, true},

		{"no code", ``, false},
		{"comment", `// A row is {"page":1,"bytes":2}.`, false},
		{"tag", "type x struct { N int `json:\"n\" help:\"Print {\\\"page\\\":N}.\"` }", false},
		{"name alone", `var x = "\"page\""`, false},
		{"brace alone", `var x = []byte{'{'}`, false},
		{"quoted text", `var x = "no entry \"a\" in the file: stop"`, false},
		{"characters apart", `func f(b []byte) []byte { return append(append(b, '"'), ':') }`, false},
		{"another package", `import "github.com/segmentio/encoding/json"`, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var want []string
			if test.want {
				want = []string{"x.go:2"}
			}
			require.Equal(t, want, handmadeJSON(t, "x.go", "package x\n"+test.code))
		})
	}
}
