package operand

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/session"
)

// shortest is the length of the shortest beginning of a session id that is looked up, as
// with git: a mistyped name of a file should not be one.
const shortest = 4

// Resolve returns the path of the log that an operand names. If there is a file of that name,
// and it is not a directory, that is it: Claude Code gives the ids of sessions to directories,
// too. Else the operand may be the id of a session in the home, or a beginning that only one id
// has: then it is the log of that session, the newest if there are several. If it is neither,
// Resolve reports it, as it does an ambiguous id and a session without a log, and returns false.
// It also reports what cannot be read and may hold a newer log of the session.
// A name that cannot be an id remains as it is.
func (o *Options) Resolve(c *cli.Command, name string) (path string, ok bool) {
	if len(name) < shortest || !session.IsElement(name) {
		return name, true
	}
	info, err := os.Lstat(name)
	isDir := err == nil && info.IsDir()
	if !isDir && !errors.Is(err, fs.ErrNotExist) {
		return name, true
	}
	dir, err := session.Dir(o.Home)
	if err != nil {
		return name, true
	}
	isFile := isDir || strings.ContainsRune(name, '.') // it may be meant as the name of a file
	h, err := session.Open(dir)
	switch {
	case err == nil:
	case isFile, errors.Is(err, fs.ErrNotExist) && o.Home == "": // not everybody has a home
		return name, true
	default:
		c.Fail(cli.Place{}, fmt.Errorf("no such file as %s, and in %s: %s", entry.Quote(name), dir, cli.Reason(err)))
		return "", false
	}
	defer h.Close()
	ids, err := h.Find(name)
	switch {
	case len(ids) == 0 && isFile, len(ids) > 1 && isDir:
		return name, true
	case len(ids) == 0 && err != nil: // it may be in what cannot be read
		c.Fail(cli.Place{}, fmt.Errorf("no such file as %s, and in %s: %w", entry.Quote(name), dir, err))
		return "", false
	case len(ids) == 0:
		c.Fail(cli.File(name), fmt.Errorf("no such file, and no session of that id in %s", dir))
		return "", false
	case len(ids) > 1:
		Ambiguous(c, "", name, ids, len(ids))
		return "", false
	}
	logs, errs := h.LogsOf(ids[0])
	for _, err := range errs {
		place, _ := errors.AsType[*session.PlaceError](err)
		c.Fail(cli.File(h.Path(place.Name)), place.Err)
	}
	if len(logs) == 0 {
		if len(errs) == 0 { // else its log may be in what cannot be read
			c.Fail(cli.Place{}, fmt.Errorf("session %s in %s has no log", entry.Quote(ids[0]), dir))
		}
		return "", false
	}
	for _, other := range logs[1:] {
		if other.Err != nil {
			c.Fail(cli.File(h.Path(other.Name)), other.Err)
		} else {
			c.Note(cli.File(h.Path(other.Name)), "another log of session %s", entry.Quote(ids[0]))
		}
	}
	log := h.Path(logs[0].Name)
	f, err := h.Open(logs[0].Name) // by the rules of the home
	if err != nil {
		c.Fail(cli.File(log), err)
		return "", false
	}
	f.Close()
	return log, true
}
