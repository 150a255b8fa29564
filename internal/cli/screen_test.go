package cli

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/env"
)

// TestScreen runs itself with and without a terminal as standard output.
func TestScreen(t *testing.T) {
	if os.Getenv("JL_TEST_SCREEN") != "" {
		os.Exit(Run("jlx", "", nil, process, func(c *Command, _ *flags) {
			fmt.Fprintf(c.Out, "%+v \x1b[1m", c.Screen())
			c.Draw([]byte("\x1b[1m"))
			fmt.Fprintf(c.Out, "%s", AppendVisible(nil, []byte("\x1b\n\t\xff")))
		}))
	}
	tests := []struct {
		env  []string
		pipe string
		pty  string
	}{
		{nil, `{Columns:0 UTF8:false Color:false}`, `{Columns:70 UTF8:false Color:true}`},
		{[]string{"COLUMNS=50"}, `{Columns:50 UTF8:false Color:false}`, `{Columns:50 UTF8:false Color:true}`},
		{[]string{"COLUMNS=wide", "LANG=de_DE.UTF-8"}, `{Columns:0 UTF8:true Color:false}`, `{Columns:70 UTF8:true Color:true}`},
		{[]string{"LANG=C.utf8", "LC_ALL=C"}, `{Columns:0 UTF8:false Color:false}`, `{Columns:70 UTF8:false Color:true}`},
		{[]string{"LANG=C", "LC_CTYPE=C.UTF-8", "NO_COLOR=1"}, `{Columns:0 UTF8:true Color:false}`, `{Columns:70 UTF8:true Color:false}`},
		{[]string{"LC_ALL=C.UTF-8", "TERM=dumb"}, `{Columns:0 UTF8:true Color:false}`, `{Columns:70 UTF8:true Color:false}`},
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG", "COLUMNS", "NO_COLOR"} {
		t.Setenv(name, "")
	}
	t.Setenv("TERM", "xterm")
	t.Setenv("JL_TEST_SCREEN", "1")
	self := os.Args[0] + " -test.run=^TestScreen$"
	for _, test := range tests {
		t.Run(strings.Join(test.env, " "), func(t *testing.T) {
			run := func(name string, args ...string) string {
				cmd := exec.Command(name, args...)
				cmd.Env = append(os.Environ(), test.env...)
				out, err := cmd.Output()
				require.NoError(t, err)
				return string(out)
			}
			require.Equal(t, test.pipe+" \x1b[1m\x1b[1m"+`\u001b\u000a\u0009\ufffd`, run(os.Args[0], "-test.run=^TestScreen$"))
			env.NeedsTerminal(t)
			env.Needs(t, "stty")
			require.Equal(t, test.pty+` \u001b[1m`+"\x1b[1m"+`\u001b\u000a\u0009\ufffd`, run("script", "-qec", "stty cols 70; "+self, "/dev/null"))
		})
	}
}
