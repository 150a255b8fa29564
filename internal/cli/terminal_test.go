package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"jl/test/env"
)

func TestTerminal(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"plain", "{\"a\":\"b\"}\n\tx", "{\"a\":\"b\"}\n\tx"},
		{"beyond ASCII", "é日本😀\u00a0\ufffd\u202f", "é日本😀\u00a0\ufffd\u202f"},
		{"C0", "\x00\a\b\v\f\r\x1b[31m\x1f", `\u0000\u0007\u0008\u000b\u000c\u000d\u001b[31m\u001f`},
		{"DEL and C1", "\x7f\u0080\u009b\u009f", `\u007f\u0080\u009b\u009f`},
		{"bidi", "\u061c\u200e\u200f\u202a\u202e\u2066\u2069", `\u061c\u200e\u200f\u202a\u202e\u2066\u2069`},
		{"next to bidi", "\u200d\u2027\u202f\u2065\u206a", "\u200d\u2027\u202f\u2065\u206a"},
		{"separators of lines and paragraphs", "\u2028\u2029", `\u2028\u2029`},
		{"invalid UTF-8", "\xff\x80a\xc3(\xed\xa0\x80\xc0\xaf", `\ufffd\ufffda\ufffd(\ufffd\ufffd\ufffd\ufffd\ufffd`},
		{"sequence never completed", "a\xf0\x9f\x98", `a\ufffd\ufffd\ufffd`},
	}
	for _, test := range tests {
		for size := 1; size <= 5; size++ {
			t.Run(fmt.Sprint(test.name, "/", size), func(t *testing.T) {
				var out bytes.Buffer
				w := &terminal{w: &out}
				for text := []byte(test.text); len(text) > 0; {
					n, err := w.Write(text[:min(size, len(text))])
					require.NoError(t, err)
					text = text[n:]
				}
				w.end()
				require.Equal(t, test.want, out.String())
			})
		}
	}
}

func TestEscapedJSONIsTheSameValue(t *testing.T) {
	const value = "\u202e\u0085\x7f" // JSON allows these unescaped in a string
	var got string
	require.NoError(t, json.Unmarshal(appendEscaped(nil, []byte(`"`+value+`"`), "\n\t"), &got))
	require.Equal(t, value, got)
}

// FuzzTerminal checks that the output is UTF-8 that escaping does not change again, and
// that it does not depend on the pieces in which the text is written.
func FuzzTerminal(f *testing.F) {
	f.Add([]byte("a\x1b\xe2\x80\xaeb"), 3)
	f.Fuzz(func(t *testing.T, text []byte, cut int) {
		want := string(appendEscaped(nil, text, "\n\t"))
		require.True(t, utf8.ValidString(want))
		require.Equal(t, want, string(appendEscaped(nil, []byte(want), "\n\t")))

		var out bytes.Buffer
		w := &terminal{w: &out}
		cut = max(0, min(cut, len(text)))
		_, _ = w.Write(text[:cut])
		_, _ = w.Write(text[cut:])
		w.end()
		require.Equal(t, want, out.String())
	})
}

// TestPty runs itself with a terminal as standard output.
func TestPty(t *testing.T) {
	const text = "\x1b[2J\u202eok\n"
	if os.Getenv("JL_TEST_PTY") != "" {
		os.Exit(Run("jlx", "", nil, process, func(c *Command, _ *flags) { c.Print([]byte(text)) }))
	}
	t.Setenv("JL_TEST_PTY", "1")
	self := exec.Command(os.Args[0], "-test.run=^TestPty$")
	pipe, err := self.Output()
	require.NoError(t, err)
	require.Equal(t, text, string(pipe))

	env.NeedsTerminal(t)
	pty, err := exec.Command("script", "-qec", os.Args[0]+" -test.run=^TestPty$", "/dev/null").Output()
	require.NoError(t, err)
	require.Equal(t, "\\u001b[2J\\u202eok\r\n", string(pty)) // the terminal adds the CR
}

// TestStderrIsATerminal runs itself with a terminal as standard error, and without.
func TestStderrIsATerminal(t *testing.T) {
	if os.Getenv("JL_TEST_STDERR") != "" {
		os.Exit(Run("jlx", "", nil, process, func(c *Command, _ *flags) {
			if w := c.Terminal(); w != nil {
				_, _ = io.WriteString(w, "\rseen\r\n")
			}
		}))
	}
	t.Setenv("JL_TEST_STDERR", "1")
	self := exec.Command(os.Args[0], "-test.run=^TestStderrIsATerminal$")
	out, err := self.CombinedOutput()
	require.NoError(t, err)
	require.Empty(t, string(out))
	require.Nil(t, newCommand("jlx", Stdio{Err: io.Discard}, false).Terminal())

	env.NeedsTerminal(t)
	pty, err := exec.Command("script", "-qec", os.Args[0]+" -test.run=^TestStderrIsATerminal$ >/dev/null", "/dev/null").Output()
	require.NoError(t, err)
	require.Equal(t, "\rseen\r\r\n", string(pty)) // the terminal adds one CR
}
