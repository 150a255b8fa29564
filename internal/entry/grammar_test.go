package entry

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// grammarTests has a case of each class in the known test suites for JSON parsers.
var grammarTests = []struct {
	name, text string
	valid      bool
}{
	{"array, empty", `[]`, true},
	{"array, spaces inside", "[ \t\r]", true},
	{"array, spaces around", " \r[1 , 2]\t", true},
	{"array, newline inside", "[1,\n2]", false},
	{"array, newline before", "\n[1]", false},
	{"object, newline inside", "{\"a\":1\n}", false},
	{"array of arrays", `[[[]],[]]`, true},
	{"array, mixed", `[null, 1, "1", {}, [], true, false]`, true},
	{"array, trailing comma", `[1,]`, false},
	{"array, two commas", `[1,,2]`, false},
	{"array, comma first", `[,1]`, false},
	{"array, comma only", `[,]`, false},
	{"array, no comma", `[1 2]`, false},
	{"array, colon", `["a":1]`, false},
	{"array, not closed", `[1`, false},
	{"array, not closed after a comma", `[1,`, false},
	{"array, closed as object", `[1}`, false},
	{"array, closed twice", `[1]]`, false},
	{"array, open only", `[`, false},
	{"object, empty", `{}`, true},
	{"object, spaces", "{ \"a\" : 1 , \"b\" : 2 }", true},
	{"object, empty key", `{"":0}`, true},
	{"object, repeated key", `{"a":1,"a":2}`, true},
	{"object, escaped key", `{"\u0000\"":1}`, true},
	{"object, nested", `{"a":{"b":[{"c":{}}]}}`, true},
	{"object, trailing comma", `{"a":1,}`, false},
	{"object, two commas", `{"a":1,,"b":2}`, false},
	{"object, comma first", `{,"a":1}`, false},
	{"object, no colon", `{"a" 1}`, false},
	{"object, two colons", `{"a"::1}`, false},
	{"object, comma for colon", `{"a",1}`, false},
	{"object, no value", `{"a":}`, false},
	{"object, no key", `{:1}`, false},
	{"object, key without quotes", `{a:1}`, false},
	{"object, key in single quotes", `{'a':1}`, false},
	{"object, key is a number", `{1:1}`, false},
	{"object, key open", `{"a`, false},
	{"object, colon missing at the end", `{"a"`, false},
	{"object, value missing at the end", `{"a":`, false},
	{"object, not closed", `{"a":1`, false},
	{"object, closed as array", `{"a":1]`, false},
	{"object, open only", `{`, false},
	{"object, comment", `{"a":1/**/}`, false},
	{"string, empty", `""`, true},
	{"string, all escapes", `"\"\\\/\b\f\n\r\t\u0041\uABCD\uabcd"`, true},
	{"string, NUL escaped", `"\u0000"`, true},
	{"string, surrogate pair", `"\ud834\udd1e"`, true},
	{"string, lone surrogate", `"\ud800"`, true},
	{"string, surrogates in the wrong order", `"\udd1e\ud834"`, true},
	{"string, invalid UTF-8", "\"\xff\xed\xa0\x80\xc0\xaf\"", true},
	{"string, DEL", "\"\x7f\"", true},
	{"string, line separators", "\"\u2028\u2029\"", true},
	{"string, long", `"` + strings.Repeat("0123456789abcdef", 9) + `\n"`, true},
	{"string, newline", "\"a\nb\"", false},
	{"string, tab", "\"a\tb\"", false},
	{"string, NUL", "\"a\x00b\"", false},
	{"string, control character far in", "\"0123456789abcdef\x1f\"", false},
	{"string, no such escape", `"\a"`, false},
	{"string, hex escape", `"\x41"`, false},
	{"string, escaped single quote", `"\'"`, false},
	{"string, escaped newline", "\"\\\n\"", false},
	{"string, escaped byte", "\"\\\xff\"", false},
	{"string, upper case U", `"\U0041"`, false},
	{"string, three digits", `"\u004"`, false},
	{"string, no hex digit", `"\u00g0"`, false},
	{"string, escape at the end", `"\`, false},
	{"string, unicode escape at the end", `"\u12`, false},
	{"string, not closed", `"a`, false},
	{"string, quote escaped", `"a\"`, false},
	{"string, quote only", `"`, false},
	{"string, single quotes", `'a'`, false},
	{"string, two", `"a""b"`, false},
	{"number, zero", `0`, true},
	{"number, minus zero", `-0`, true},
	{"number, digits", `1234567890`, true},
	{"number, fraction", `0.50`, true},
	{"number, exponent", `1e10`, true},
	{"number, exponent with signs", `[1E+10,1e-10,-1.5E-00]`, true},
	{"number, huge", `1e9999`, true},
	{"number, very long", strings.Repeat("9", 500), true},
	{"number, leading zero", `01`, false},
	{"number, minus leading zero", `-01`, false},
	{"number, two zeros", `00`, false},
	{"number, minus", `-`, false},
	{"number, two minus", `--1`, false},
	{"number, plus", `+1`, false},
	{"number, point first", `.5`, false},
	{"number, minus point", `-.5`, false},
	{"number, point last", `1.`, false},
	{"number, point then exponent", `1.e1`, false},
	{"number, two points", `1.2.3`, false},
	{"number, exponent empty", `1e`, false},
	{"number, exponent sign only", `1e-`, false},
	{"number, exponent twice", `1e1e1`, false},
	{"number, exponent fraction", `1e1.5`, false},
	{"number, hex", `0x1F`, false},
	{"number, underscore", `1_000`, false},
	{"number, NaN", `NaN`, false},
	{"number, Infinity", `-Infinity`, false},
	{"number, full width digit", `１`, false},
	{"number, letter after", `1a`, false},
	{"word, true", `true`, true},
	{"word, false", ` false `, true},
	{"word, null", `null`, true},
	{"word, cut", `tru`, false},
	{"word, cut to one", `n`, false},
	{"word, wrong", `fasle`, false},
	{"word, upper case", `TRUE`, false},
	{"word, longer", `nulll`, false},
	{"word, undefined", `undefined`, false},
	{"structure, nothing", ``, false},
	{"structure, spaces only", " \n", false},
	{"structure, byte order mark", "\xef\xbb\xbf{}", false},
	{"structure, NUL after", "{}\x00", false},
	{"structure, form feed", "\f{}", false},
	{"structure, no-break space", "\u00a0{}", false},
	{"structure, two values", `1 2`, false},
	{"structure, two objects", `{}{}`, false},
	{"structure, comma after", `{},`, false},
	{"structure, closing only", `}`, false},
	{"structure, closing bracket only", `]`, false},
	{"structure, comma only", `,`, false},
	{"structure, colon only", `:`, false},
	{"structure, comment", `// {}`, false},
	{"structure, crossed brackets", `[{"a":[}]]`, false},
	{"structure, deep", strings.Repeat(`[{"a":`, 900) + `0` + strings.Repeat(`}]`, 900), true},
	{"structure, deep and one short", strings.Repeat(`[`, 900) + strings.Repeat(`]`, 899), false},
	{"structure, deep and one over", strings.Repeat(`[`, 900) + strings.Repeat(`]`, 901), false},
}

func TestValid(t *testing.T) {
	for _, test := range grammarTests {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, test.valid, Valid([]byte(test.text)))
			checkGrammar(t, []byte(test.text))
			checkGrammar(t, []byte(`{"a":[`+test.text+`]}`))
		})
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"{\n  \"a\": [\n    1\n  ]\n}\n": `[    1  ]`,
		"\r\n\n{\"a\":\"x\"}":            `"x"`,
		"{\"a\":\"x\ny\"}":               ``,
		"{\"a\":\"x\\\ny\"}":             ``,
		"{\"a\":1}\n{\"a\":1}":           ``,
		"":                               ``,
	} {
		require.Equal(t, want, strings.ReplaceAll(string(Parse([]byte(text)).Member("a")), "\r", ""), text)
	}
}

// Strings are checked eight bytes at a time. The byte that ends one must be found at each
// position in such a group.
func TestValidFindsTheEndOfAString(t *testing.T) {
	for n := range 40 {
		for _, c := range []string{"\x00", "\x1f", "\n", `"`, `\x`} {
			s := `"` + strings.Repeat("\x80", n) + c + strings.Repeat("~", 20) + `"`
			require.False(t, Valid([]byte(s)), "%q", s)
			checkGrammar(t, []byte(s))
		}
		for _, c := range []string{" ", "!", "#", "[", "]", "\x7f", "\xa2", "\xdc", "\xff", `\"`, `\\`, `\u0022`} {
			s := `"` + strings.Repeat("\x21", n) + c + `"`
			require.True(t, Valid([]byte(s)), "%q", s)
			checkGrammar(t, []byte(s))
		}
	}
}

// TestSyntaxFault: a fault of the syntax is where the text stops being JSON.
func TestSyntaxFault(t *testing.T) {
	tests := []struct {
		text string
		want int
	}{
		{`{"a":1}`, -1},
		{" [1] \r", -1},
		{``, 0},
		{`  `, 2},
		{`{"a":1,}`, 7},
		{`{"a":[1,]}`, 8},
		{`{"a" 1}`, 5},
		{`{"a":1}}`, 7},
		{`{"a":1} x`, 8},
		{`{"a":"b`, 7},
		{"\"a\nb\"", 2},
		{`"\x"`, 3},
		{`[tru]`, 4},
		{`[1 2]`, 3},
	}
	for _, test := range tests {
		require.Equal(t, test.want, new(grammar).faults(Value(test.text), false).Syntax, test.text)
	}
	for _, test := range grammarTests {
		at := new(grammar).faults(Value(test.text), false).Syntax
		require.Equal(t, test.valid, at < 0, test.name)
		require.LessOrEqual(t, at, len(test.text), test.name)
	}
}

// TestValidPairs: the first half of a pair that is alone, wherever it stands.
func TestValidPairs(t *testing.T) {
	for text, want := range map[string]int{
		`{"a":"x"}`: -1, `["\ud83d\ude00"]`: -1, `["\\ud83d"]`: -1, `"\u0000"`: -1,
		`"\ud83d"`: 1, `{"a":["\uDE00\ud83d"]}`: 7, `["\ud83d\ude00\ud83d "]`: 14, `{"\udfff":1}`: 2,
	} {
		lone, valid := ValidPairs([]byte(text + "\n"))
		if !valid || lone != want {
			t.Errorf("%s: %d, %t, want %d", text, lone, valid, want)
		}
	}
	if _, valid := ValidPairs([]byte(`{"a":01}`)); valid {
		t.Error("valid")
	}
}
