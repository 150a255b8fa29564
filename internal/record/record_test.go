package record

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
)

var update = flag.Bool("update", false, "write testdata/rows.golden")

// records has each struct of the package.
var records = []any{
	Logs{}, ToolLink{}, AgentLink{}, TaskLink{}, TaskEnd{}, BackupLink{}, LogicalLink{}, ForkLink{}, ControlLink{},
	Member{}, Session{}, Home{}, Title{}, Report{}, SizedFile{},
	Leaf{}, Place{}, Finding{}, Malformed{}, Recovered{}, BadText{}, Orphan{}, LostIDs{}, Beside{}, Root{}, WithoutID{}, Ordinal{}, SelfParent{}, Cycle{}, Duplicate{}, AnotherSession{},
	SnapshotID{}, Between{}, ClockSkew{}, Unmatched{}, Totals{}, Page{}, TrackedFile{},
}

// foreign are the structs that keep the names of another program.
var foreign = []string{"record.Session", "record.Title", "record.Report", "record.SizedFile"}

// fill sets each field of v, at any depth, to a value that is not zero.
func fill(v reflect.Value) {
	switch v.Interface().(type) {
	case Raw:
		v.SetBytes([]byte(`"text"`))
		return
	case Time:
		v.Set(reflect.ValueOf(Time(time.Date(2026, 1, 2, 3, 4, 5, 678e6, time.UTC))))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0))
		fill(v.Index(1))
	case reflect.String:
		v.SetString("text")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(0.5)
	default:
		v.SetInt(7)
	}
}

// TestRows compares a row of each struct, and the names that may be left out, with
// testdata/rows.golden. Run go test -update to write that file.
func TestRows(t *testing.T) {
	const golden = "testdata/rows.golden"
	var got []byte
	for _, r := range records {
		full := reflect.New(reflect.TypeOf(r)).Elem()
		fill(full)
		row := Append(nil, full.Interface())
		require.True(t, entry.Valid(row), "%s", row)
		got = fmt.Appendf(got, "%T\n  %s", r, row)
		var optional []string
		always := entry.Value(Append(nil, r))
		for name := range entry.Value(row).Members() {
			if name := string(name.Text()); always.Member(name) == nil {
				optional = append(optional, name)
			}
		}
		got = fmt.Appendf(got, "  optional: %s\n", strings.Join(optional, ", "))
	}
	if *update {
		require.NoError(t, os.WriteFile(golden, got, 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
}

// A structType is a struct of the package as its source has it.
type structType struct {
	name string
	doc  string
	*ast.StructType
}

// structs returns the exported structs of the package, and the package comment.
func structs(t *testing.T) (found []structType, comment string) {
	t.Helper()
	names, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		require.NoError(t, err)
		comment += file.Doc.Text()
		for _, d := range file.Decls {
			gen, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range gen.Specs {
				if spec, ok := s.(*ast.TypeSpec); ok && spec.Name.IsExported() {
					if st, ok := spec.Type.(*ast.StructType); ok {
						found = append(found, structType{spec.Name.Name, gen.Doc.Text(), st})
					}
				}
			}
		}
	}
	return found, comment
}

func TestRecordsHasEachStruct(t *testing.T) {
	var want, got []string
	all, _ := structs(t)
	for _, s := range all {
		if s.name != "Left" { // a row
			want = append(want, "record."+s.name)
		}
	}
	for _, r := range records {
		got = append(got, fmt.Sprintf("%T", r))
	}
	require.ElementsMatch(t, want, got)
}

// TestFieldsAreDocumented checks that each struct has a comment, and each field a tag and
// a comment. The package comment documents the fields that many records have.
func TestFieldsAreDocumented(t *testing.T) {
	all, comment := structs(t)
	_, comment, found := strings.Cut(comment, "one name:")
	require.True(t, found)
	comment, _, _ = strings.Cut(comment, ".")
	common := regexp.MustCompile(`\w+`).FindAllString(comment, -1)
	for _, s := range all {
		require.NotEmpty(t, s.doc, s.name)
		for _, f := range s.Fields.List {
			if len(f.Names) == 0 {
				continue // embedded
			}
			name := s.name + "." + f.Names[0].Name
			require.Len(t, f.Names, 1, name)
			require.NotNil(t, f.Tag, name)
			tag := jsonName(reflect.StructTag(strings.Trim(f.Tag.Value, "`")))
			require.NotEmpty(t, tag, name)
			documented := f.Doc != nil || f.Comment != nil || slices.Contains(common, tag) || slices.Contains(foreign, "record."+s.name)
			require.True(t, documented, "%s has no comment", name)
		}
	}
}

func jsonName(tag reflect.StructTag) string {
	name, _, _ := strings.Cut(tag.Get("json"), ",")
	return name
}

// TestOneNameOneKind checks that a field name has one kind of value in all records. Any
// kind may travel as Raw.
func TestOneNameOneKind(t *testing.T) {
	kinds := map[string]reflect.Kind{}
	owner := map[string]string{}
	var check func(reflect.Type)
	check = func(s reflect.Type) {
		for i := range s.NumField() {
			f := s.Field(i)
			typ := f.Type
			if typ.Kind() == reflect.Pointer {
				typ = typ.Elem()
			}
			if f.Anonymous {
				check(typ)
				continue
			}
			kind := typ.Kind()
			switch typ.Kind() {
			case reflect.Int, reflect.Int32, reflect.Int64, reflect.Float64:
				kind = reflect.Float64
			}
			name := jsonName(f.Tag)
			if typ == reflect.TypeFor[Raw]() || name == "path" && s == reflect.TypeFor[Totals]() {
				continue
			}
			if before, ok := kinds[name]; ok {
				require.Equal(t, before, kind, "%s in %s and %s", name, owner[name], s)
			}
			kinds[name], owner[name] = kind, s.String()
		}
	}
	for _, r := range records {
		check(reflect.TypeOf(r))
	}
}

// TestOneThingOneName checks that no record uses another name for what has one.
func TestOneThingOneName(t *testing.T) {
	others := []string{"session", "session_id", "sessionID", "size", "fileSize", "lastModified", "modified", "filename", "filePath"}
	for _, r := range records {
		if slices.Contains(foreign, fmt.Sprintf("%T", r)) {
			continue
		}
		for i := range reflect.TypeOf(r).NumField() {
			name := jsonName(reflect.TypeOf(r).Field(i).Tag)
			require.NotContains(t, others, name, "%T", r)
		}
	}
}

func TestText(t *testing.T) {
	require.Nil(t, Text(""))
	require.Nil(t, Text([]byte(nil)))
	require.Equal(t, `"a\"b\n"`, string(Text("a\"b\n")))
	require.Equal(t, `"\ud83d"`, string(Text(entry.Value(`"\ud83d"`).Text())))
	require.Equal(t, "\"\ufffd\"", string(Text("\xff")))
}

func TestScalar(t *testing.T) {
	tests := []struct{ value, want string }{
		{`"a\u0062"`, `"a\u0062"`},
		{`1.50e3`, `1.50e3`},
		{`true`, `true`},
		{`false`, `false`},
		{`null`, ``},
		{``, ``},
		{`{"a":1}`, ``},
		{`[1]`, ``},
		{`"\x"`, ``},
		{`nul`, ``},
	}
	for _, test := range tests {
		require.Equal(t, test.want, string(Scalar(entry.Value(test.value))), test.value)
	}
	v := entry.Value(`"a"`)
	s := Scalar(v)
	v[1] = 'b'
	require.Equal(t, `"a"`, string(s), "a copy")
}

func TestTime(t *testing.T) {
	for at, want := range map[time.Time]string{
		time.Date(2026, 1, 2, 3, 4, 5, 678_999_999, time.UTC):                    "2026-01-02T03:04:05.678Z",
		time.Date(2026, 1, 2, 3, 4, 5, 0, time.FixedZone("", 3600)):              "2026-01-02T02:04:05.000Z",
		time.Date(1969, 12, 31, 23, 59, 59, 999e6, time.FixedZone("", -8*60*60)): "1970-01-01T07:59:59.999Z",
	} {
		got, err := Time(at).MarshalText()
		require.NoError(t, err)
		require.Equal(t, want, string(got))
	}
}

func TestAppend(t *testing.T) {
	require.Equal(t, "x{\"line\":1,\"offset\":2,\"length\":3}\n", string(Append([]byte("x"), Place(entry.Pos{Line: 1, Offset: 2, Length: 3}))))

	// A value of a log is written as it is, whatever its depth.
	deep := Raw(strings.Repeat("[", 1_000_000) + strings.Repeat("]", 1_000_000))
	require.Equal(t, `{"file":"text","size":0}`+"\n", string(Append(nil, SizedFile{File: Raw(`"text"`)})))
	require.Len(t, Append(nil, SizedFile{File: deep}), len(deep)+len(`{"file":,"size":0}`)+1)

	require.Panics(t, func() { Append(nil, make(chan int)) })
}

func TestExtend(t *testing.T) {
	require.Equal(t, `{"id":1,"newest":true,"depth":3}`+"\n", string(Extend([]byte(`{"id":1`), Leaf{Newest: true, Depth: 3})))
	require.Equal(t, `{"id":1}`+"\n", string(Extend([]byte(`{"id":1`), Logs{})))
	require.Equal(t, "{}\n"+`{"id":1}`+"\n", string(Extend([]byte("{}\n"+`{"id":1`), Logs{})), "only the last object")
}
