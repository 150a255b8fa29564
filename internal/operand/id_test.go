package operand

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/log"
)

func TestFind(t *testing.T) {
	const text = lineA + lineB + lineC
	const ambiguous = `jlx: -: "aa" is ambiguous: "aa1", "aa2"` + "\n"
	tests := []struct {
		name   string
		back   bool // the file falls back
		id     string
		known  bool
		want   string // the id of the node, "leaf" for log.None, "" if nothing is chosen
		stderr string
		status int
	}{
		{"whole", false, "aa2", true, "aa2", "", 0},
		{"prefix", false, "b", true, "b3", "", 0},
		{"ambiguous", false, "aa", true, "", ambiguous, 2},
		{"unknown", false, "c", false, "", "", 0},
		{"empty", false, "", false, "", "", 0},
		{"whole, falling back", true, "aa1", true, "aa1", "", 0},
		{"ambiguous, falling back", true, "aa", true, "", ambiguous, 2},
		{"unknown, falling back", true, "c", true, "leaf", `jlx: -: no entry "c": ignored` + "\n", 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			stderr, status := one(t, text, func(f *File) {
				f.FallsBack = test.back
				tr, _ := f.Log(log.Reading{})
				answers := f.Find(tr, "b3", test.id)
				require.True(t, answers["b3"].Known && answers["b3"].Chosen)
				a := answers[test.id]
				require.Equal(t, test.known, a.Known)
				require.Equal(t, test.want != "", a.Chosen)
				switch {
				case test.want == "leaf":
					require.Equal(t, log.None, a.Node)
				case a.Chosen:
					require.Equal(t, test.want, tr.ID(a.Node))
				}
			})
			require.Equal(t, test.stderr, stderr)
			require.Equal(t, test.status, status)
		})
	}
}

func TestNoEntry(t *testing.T) {
	for want, names := range map[string][]string{
		"jlx: -: no entry \"x\"\n":          nil,
		"jlx: a: no entry \"x\"\n":          {"a"},
		"jlx: no FILE has an entry \"x\"\n": {"a", "-"},
	} {
		stderr, status := run(nil, func(c *cli.Command) { NoEntry(c, names, "x") })
		require.Equal(t, want, stderr)
		require.Equal(t, 1, status)
	}
}

func TestParseID(t *testing.T) {
	long := strings.Repeat("x", 1<<10)
	tests := []struct {
		name, line string
		want       string // "" if the line is not an id
	}{
		{"bare", "a-b_1\n", "a-b_1"},
		{"white space", " \ta b \r\n", "a b"},
		{"number", "#12\n", "#12"},
		{"letters", "ñ\n", "ñ"},
		{"invalid UTF-8", "a\xff\n", "a\xff"},
		{"JSON string", ` "a\u0062\"" ` + "\n", `ab"`},
		{"JSON string with an object", `"{\"uuid\":\"a\"}"`, `{"uuid":"a"}`},
		{"lone surrogate", `"\ud83d"`, "\xed\xa0\xbd"},
		{"byte order mark", "\ufeffa\n", "a"},
		{"byte order mark and JSON string", "\ufeff\"a\"\n", "a"},
		{"longest", long + "\n", long},
		{"long JSON string", `"` + long + `y"`, long + "y"},
		{"too long", long + "y\n", ""},
		{"empty JSON string", `""`, ""},
		{"blank", " \t\n", ""},
		{"nothing", "", ""},
		{"byte order mark only", "\ufeff\n", ""},
		{"entry", `{"uuid":"a"}`, ""},
		{"array", `["a"]`, ""},
		{"part of an entry", `"uuid":"a"}`, ""},
		{"broken JSON string", `"a\x"`, ""},
		{"two JSON strings", `"a""b"`, ""},
		{"NUL", "a\x00b", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, test.want, parseID([]byte(test.line)))
		})
	}
}

func TestAppendID(t *testing.T) {
	for id, want := range map[string]string{
		"a-b":            "a-b",
		"a b":            "a b",
		"ñ\xff":          "ñ\xff",
		" a":             `" a"`,
		"a\nb":           `"a\nb"`,
		"\x1b[2J":        `"\u001b[2J"`,
		`"a"`:            `"\"a\""`,
		`{"uuid":"a"}`:   `"{\"uuid\":\"a\"}"`,
		"\ufeffa":        "\"\ufeffa\"",
		"\xed\xa0\xbd\t": `"\ud83d\t"`,
	} {
		require.Equal(t, "x"+want, string(AppendID([]byte("x"), id)))
	}
}

// FuzzAppendID checks that parseID reads back what AppendID writes, for every id that a log
// in UTF-8 can have, lone surrogates included.
func FuzzAppendID(f *testing.F) {
	for _, s := range []string{"a", " a", "\ufeffa", "a\u0085", "\u2028", `"`, `\`, "{", "#1", "-", "\xed\xa0\xbd\n", "\x00", strings.Repeat("a", 2000)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		id := string(entry.Value(entry.AppendString(nil, []byte(s))).Text())
		line := AppendID(nil, id)
		require.NotContains(t, string(line), "\n")
		require.Equal(t, id, parseID(append(line, "\r\n"...)), "%q", line)
	})
}

func TestAmbiguous(t *testing.T) {
	tests := []struct {
		name string
		ids  []string
		want string
	}{
		{"two", []string{"aa", "ab"}, `"aa", "ab"`},
		{"five", strings.Fields("a1 a2 a3 a4 a5"), `"a1", "a2", "a3", "a4", "a5"`},
		{"six", strings.Fields("a1 a2 a3 a4 a5 a6"), `"a1", "a2", "a3", "a4", "a5" and 1 more`},
		{"controls", []string{"a\x1b", "a\n"}, `"a\x1b", "a\n"`},
		{"long", []string{"a" + strings.Repeat("é", 1000), "ab"}, `"a` + strings.Repeat("é", 62) + `…", "ab"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			stderr, status := run(nil, func(c *cli.Command) { Ambiguous(c, "f", "a", test.ids, len(test.ids)) })
			require.Equal(t, 2, status)
			require.Equal(t, `jlx: f: "a" is ambiguous: `+test.want+"\n", stderr)
		})
	}
}
