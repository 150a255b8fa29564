package cli

import (
	"cmp"
	"os"
	"strconv"
	"strings"

	"golang.org/x/term"
)

// A Screen says what a drawing for a person must fit.
type Screen struct {
	Columns int  // 0 if the width is not known
	UTF8    bool // the locale has characters beyond ASCII
	Color   bool
}

// Screen returns what standard output and the environment say. The width is COLUMNS, or else the
// width of the terminal. A terminal has color unless NO_COLOR is set or TERM is dumb.
func (c *Command) Screen() Screen {
	s := Screen{Color: c.screen != nil && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
	locale := strings.ToLower(cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_CTYPE"), os.Getenv("LANG")))
	s.UTF8 = strings.Contains(locale, "utf-8") || strings.Contains(locale, "utf8")
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		s.Columns = n
	} else if out, ok := c.stdout.w.(*os.File); ok {
		s.Columns, _, _ = term.GetSize(int(out.Fd())) // 0 if it is not a terminal
	}
	return s
}

// Draw writes b to standard output as Print does, but lets the controls in b reach a
// terminal. The caller makes those of a log visible: see [AppendVisible].
func (c *Command) Draw(b []byte) {
	if c.screen == nil {
		c.Print(b)
		return
	}
	c.Flush()
	_, _ = c.stdout.Write(b)
}

// AppendVisible appends text to dst with the characters escaped that a terminal could
// interpret, and bytes that are not UTF-8 replaced. The result is one line.
func AppendVisible(dst, text []byte) []byte { return appendEscaped(dst, text, "") }
