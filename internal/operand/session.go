package operand

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/session"
)

// shortest is the length of the shortest beginning of a session id that is looked up, as
// with git: a mistyped name of a file should not be one.
const shortest = 4

// Resolve returns the path of the log that an operand names. If there is a file of that
// name, that is it. Else the operand may be the id of a session in the home, or a beginning
// that only one id has: then it is the log of that session. If it is neither, it remains as
// it is. Resolve reports an ambiguous id, and a session without a log, and returns false.
func (o *Options) Resolve(c *cli.Command, name string) (path string, ok bool) {
	if len(name) < shortest || !session.IsElement(name) {
		return name, true
	}
	if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		return name, true
	}
	dir, err := session.Dir(o.Home)
	if err != nil {
		return name, true
	}
	h, err := session.Open(dir)
	if err != nil {
		return name, true
	}
	defer h.Close()
	ids, _ := h.Find(name) // a part of the home that cannot be read has no session
	switch {
	case len(ids) == 0:
		return name, true
	case len(ids) > 1:
		Ambiguous(c, "", name, ids, len(ids))
		return "", false
	}
	log := h.LogOf(ids[0])
	if log == "" {
		c.Fail(cli.Place{}, fmt.Errorf("session %s in %s has no log", entry.Quote(ids[0]), dir))
		return "", false
	}
	f, err := h.Open(log) // by the rules of the home
	if err != nil {
		c.Fail(cli.File(h.Path(log)), err)
		return "", false
	}
	f.Close()
	return h.Path(log), true
}
