package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// A kinded is an error that says what kind it is of.
type kinded struct{ n int }

func (k kinded) Error() string { return fmt.Sprintf("wrong at %d", k.n) }
func (kinded) Kind() string    { return "wrong" }

// TestPlaceOfError: an error of a file is about that file if no place is given.
func TestPlaceOfError(t *testing.T) {
	var text strings.Builder
	c := newCommand("jlx", Stdio{Out: io.Discard, Err: &text}, false)
	err := &fs.PathError{Op: "open", Path: "home", Err: syscall.ENOENT}
	c.Fail(Place{}, err)
	c.Fail(File("link"), err)
	c.Fail(Place{}, fmt.Errorf("no session: %w", err))
	c.Fail(File(""), &fs.PathError{Op: "open", Err: syscall.ENOENT})
	require.Equal(t, "jlx: home: no such file or directory\n"+
		"jlx: link: no such file or directory\n"+
		"jlx: no session: open home: no such file or directory\n"+
		"jlx: '': no such file or directory\n", text.String())
}

// The first ten messages of a kind about a file are printed, and the others are counted.
func TestMessagesAreBounded(t *testing.T) {
	tell := func(do func(*Command)) []string {
		var err strings.Builder
		c := newCommand("jlx", Stdio{Out: io.Discard, Err: &err}, false)
		do(c)
		c.finish()
		return strings.Split(strings.TrimSuffix(err.String(), "\n"), "\n")
	}
	got := tell(func(c *Command) {
		for i := range 13 {
			c.Note(Line("a", int64(i+1)), "odd %s%%", "x")
			c.Fail(Line("a", int64(i+1)), kinded{i})
			c.Fail(File("b"), fmt.Errorf("each is of its own kind: %d", i))
		}
		c.Note(File("c"), "odd %s%%", "x")
	})
	require.Len(t, got, 10+10+13+1+2)
	require.Equal(t, "jlx: a:10: odd x%", got[27])
	require.Equal(t, []string{"jlx: c: odd x%", "jlx: a: 3 more: odd …%", "jlx: a: 3 more: wrong"}, got[33:])

	// Each file is counted for itself.
	got = tell(func(c *Command) {
		for range 2 {
			for range 11 {
				c.Fail(File("a"), errors.New("bad"))
			}
			c.CountMessages()
		}
	})
	require.Len(t, got, 22)
	require.Equal(t, "jlx: a: 1 more: bad", got[10])
	require.Equal(t, "jlx: a: bad", got[11])

	// If nobody reads the output, nobody wants the count.
	var err strings.Builder
	c := newCommand("jlx", Stdio{Out: &failing{err: syscall.EPIPE}, Err: &err}, false)
	for range 12 {
		c.Note(Place{}, "bad")
	}
	c.Print([]byte("x"))
	require.Equal(t, 141, c.finish())
	require.Equal(t, 10, strings.Count(err.String(), "\n"))
}
