package test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// The variables that tell the jq of a script where the one of this machine is, and where it keeps parts of libraries.
const (
	realJq   = "JL_TEST_JQ"
	jqLibDir = "JL_TEST_JQ_PARTS"
)

// partsOfJq is the end of the name of the folder for those parts, which lies beside that of the programs.
const partsOfJq = ".jq"

// quick gives a script a jq that reads of ~/.jq only the functions that its program names, and those that they call: jq
// 1.6 takes three quarters of the time of most tests to read all of it. It is this very program, see [quickJq]. Without
// -short, as make torture runs the tests, jq reads all.
func quick(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	jq := filepath.Join(filepath.SplitList(variable(cmd, "PATH"))[1], "jq")
	if _, err := os.Lstat(jq); err != nil || !testing.Short() {
		return
	}
	moved := filepath.Join(t.TempDir(), "jq")
	require.NoError(t, os.Rename(jq, moved))
	self, err := os.Executable()
	require.NoError(t, err)
	require.NoError(t, os.Symlink(self, jq))
	parts := built(t) + partsOfJq
	require.NoError(t, os.MkdirAll(parts, 0o700))
	cmd.Env = append(cmd.Env, realJq+"="+moved, jqLibDir+"="+parts)
}

// variable returns the last value of a variable of a command.
func variable(cmd *exec.Cmd, name string) (value string) {
	for _, v := range cmd.Env {
		if is, ok := strings.CutPrefix(v, name+"="); ok {
			value = is
		}
	}
	return value
}

// quickJq becomes the jq of this machine, with a home that has part of the library of the user, if there is one.
func quickJq() error {
	text, err := os.ReadFile(filepath.Join(os.Getenv("HOME"), ".jq"))
	if err == nil {
		if err := useParts(string(text)); err != nil {
			return err
		}
	}
	return syscall.Exec(os.Getenv(realJq), append([]string{"jq"}, os.Args[1:]...), os.Environ())
}

// useParts makes a folder the home whose .jq is what the arguments need of a library, if there is none yet.
func useParts(library string) error {
	programs := os.Args[1:]
	for _, arg := range os.Args[1:] {
		if strings.HasSuffix(arg, ".jq") {
			file, _ := os.ReadFile(arg) // jq says what is wrong with it
			programs = append(programs, string(file))
		}
	}
	part := namedOf(library, programs)
	sum := sha256.Sum256([]byte(part))
	folder := filepath.Join(os.Getenv(jqLibDir), hex.EncodeToString(sum[:]))
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		made, err := os.MkdirTemp(os.Getenv(jqLibDir), "new")
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(made, ".jq"), []byte(part), 0o600); err != nil {
			return err
		}
		if os.Rename(made, folder) != nil { // another jq was faster
			_ = os.RemoveAll(made)
		}
	}
	return os.Setenv("HOME", folder)
}

var (
	definition = regexp.MustCompile(`(?m)^def (\w+)`)
	// A word after one of these signs is a member, a variable or an option.
	word = regexp.MustCompile(`(?:^|[^\w.$-])(\w+)`)
)

// namedOf returns those functions of a library that programs name, with all that they call, in their order.
func namedOf(library string, programs []string) string {
	places := definition.FindAllStringSubmatchIndex(library, -1)
	functions, names := make([]string, len(places)), make([]string, len(places))
	for i, at := range places {
		end := len(library)
		if i+1 < len(places) {
			end = places[i+1][0]
		}
		functions[i], names[i] = library[at[0]:end], library[at[2]:at[3]]
	}
	named := make([]bool, len(places))
	for texts := programs; len(texts) > 0; texts = texts[1:] {
		words := map[string]bool{}
		for _, m := range word.FindAllStringSubmatch(codeOf(texts[0]), -1) {
			words[m[1]] = true
		}
		for i, name := range names {
			if !named[i] && words[name] {
				named[i] = true
				texts = append(texts, functions[i])
			}
		}
	}
	var some strings.Builder
	for i, function := range functions {
		if named[i] {
			some.WriteString(function)
		}
	}
	return some.String()
}

// codeOf returns a program of jq without its comments and what its strings say.
func codeOf(program string) string {
	var code strings.Builder
	var open []int // for each string that is open, how many parentheses are within what it takes in
	quoted := false
	for i := 0; i < len(program); i++ {
		c := program[i]
		switch {
		case quoted && c == '\\' && strings.HasPrefix(program[i:], `\(`):
			open, quoted = append(open, 0), false
			code.WriteByte('(')
			i++
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
			code.WriteByte(c)
		case quoted:
		case c == '#':
			for i+1 < len(program) && program[i+1] != '\n' {
				i++
			}
		default:
			code.WriteByte(c)
			if len(open) == 0 {
				continue
			}
			last := len(open) - 1
			if c == '(' {
				open[last]++
			} else if c == ')' && open[last] > 0 {
				open[last]--
			} else if c == ')' {
				open, quoted = open[:last], true
			}
		}
	}
	return code.String()
}

// TestQuickJq wants of each function of the library the same compiled program whether jq reads all of the library or what
// the function needs.
func TestQuickJq(t *testing.T) {
	needs(t, "jq")
	library := read(t, "../share/jl/jl.jq")
	functions := publicFunction.FindAllStringSubmatch(library, -1)
	require.Greater(t, len(functions), 30)
	smaller := 0
	for i, m := range functions {
		if testing.Short() && i%20 != 0 {
			continue
		}
		name, rest, _ := strings.Cut(m[1], "(")
		program := name
		if rest != "" {
			program += "(null" + strings.Repeat("; null", strings.Count(rest, ";")) + ")"
		}
		part := namedOf(library, []string{program})
		require.Equal(t, compiled(t, library, program), compiled(t, part, program), program)
		if len(part) < len(library)/3 {
			smaller++
		}
	}
	require.NotZero(t, smaller)
}

// compiled returns what jq makes of a program, for a user with a library.
func compiled(t *testing.T, library, program string) string {
	t.Helper()
	home := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(home, ".jq"), []byte(library), 0o600))
	cmd := exec.Command("jq", "--debug-dump-disasm", "empty as $x | "+program)
	cmd.Env = append(os.Environ(), "HOME="+home)
	out, err := cmd.Output()
	require.NoError(t, err)
	require.NotEmpty(t, out)
	return string(out)
}
