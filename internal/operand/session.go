package operand

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/session"
	"jl/internal/source"
)

// Resolve returns the path of the log that an operand names. It tries the name as a file, but not as a
// directory, because Claude Code also gives the ids of sessions to directories; then as an id: the table of
// INPUT in jl(7). Of several logs of a session it takes the newest that has a conversation. If neither fits,
// or an id is ambiguous or has no log, Resolve reports why and returns false. It also reports places that it
// cannot read and that may hold a newer log of the session. A name that cannot be an id remains as it is.
func (o *Options) Resolve(c *cli.Command, name string) (path string, ok bool) {
	path, _, ok = o.resolve(c, name, false)
	return path, ok
}

// resolve does what Resolve does. If all is true, a session may be more than the log at path: then text reads
// this log and all logs that it goes on from, or, if the log is gone, the lines about the session in the history
// at path.
func (o *Options) resolve(c *cli.Command, name string, all bool) (path string, text io.Reader, ok bool) {
	id, rather := ID(name)
	if id == "" {
		return name, nil, true
	}
	if packed := packedOf(name); packed != "" {
		if !o.Writes { // else it has made the archive
			c.Fail(cli.File(name), fmt.Errorf("no such file, but there is %s", packed))
		}
		return name, nil, o.Writes
	}
	homes, errs := o.open()
	if len(homes) == 0 && (rather || len(errs) == 0) { // not everybody has a home
		return name, nil, true
	}
	found, places := homes.Find(id, false)
	errs = slices.Concat(errs, places)
	if rather && len(found) != 1 {
		return name, nil, true
	}
	if len(found) == 1 && all && found[0].Log == "" && !found[0].Home.HasLog(found[0].ID) {
		if lines, file := found[0].Prompts(); lines != nil {
			c.Note(cli.File(file), "the log of session %s is gone; its prompts are here", entry.Quote(found[0].ID))
			return file, bytes.NewReader(lines), true
		}
	}
	logs := choose(c, homes, name, found, errs, all)
	if len(logs) == 0 {
		return "", nil, false
	}
	log, ok := logs[len(logs)-1], true
	if len(logs) > 1 {
		text = joined(logs)
	}
	if ok && o.Writes && log.BehindLink() {
		c.Fail(cli.File(log.Path()), errors.New("not replaced: its folder is a symbolic link"))
		ok = false
	}
	return log.Path(), text, ok
}

// joined reads one log after another.
func joined(logs []session.Member) io.Reader {
	var all []io.Reader
	for _, log := range logs {
		if f, err := log.Home.Open(log.Name); err == nil { // which it can, as choose has seen
			if src, err := source.Of(f); err == nil {
				all = append(all, src, strings.NewReader("\n"))
			}
		}
	}
	return io.MultiReader(all...)
}

// open returns the homes, which all operands share: thousands of ids take one walk of the homes. They stay
// open until the program ends.
func (o *Options) open() (session.Homes, []error) {
	if o.homes == nil {
		o.homes = sync.OnceValues(func() (session.Homes, []error) { return session.Open(o.Home) })
	}
	return o.homes()
}

// Another reports another log of a session than the one that is used.
func Another(c *cli.Command, id, other, used string) {
	c.Note(cli.File(other), "another log of session %s, not used; if %s goes on where it ends, jlpath -a OLD NEW | jlpath reads both",
		entry.Quote(id), used)
}

// packedOf returns the name of an archive of the file called name that is there, or "".
func packedOf(name string) string {
	for _, suffix := range []string{".zst", ".gz"} {
		if _, err := os.Lstat(name + suffix); name != "-" && err == nil {
			return name + suffix
		}
	}
	return ""
}

// ID returns the id that an operand may be, or "" if the operand is a file in any case: one that is there and
// not a directory, or a name with a slash. It also returns whether the operand is a file if no single thing has
// that id: a name with a dot, except ID.jsonl, which is the id of a session, and the name of a directory.
func ID(name string) (id string, rather bool) {
	info, err := os.Lstat(name)
	isDir := err == nil && info.IsDir()
	if name == "-" || name == "" || strings.ContainsRune(name, filepath.Separator) || !isDir && !errors.Is(err, fs.ErrNotExist) {
		return "", true
	}
	if stem, isLog := session.CutLog(name); isLog && session.IsID(stem) {
		return stem, false
	}
	return name, isDir || strings.ContainsRune(name, '.')
}

// placeOf returns the path that an error about the homes is about.
func placeOf(err error, homes session.Homes) string {
	if closed, ok := errors.AsType[*session.PlaceError](err); ok {
		return closed.Path
	}
	if home, ok := errors.AsType[*fs.PathError](err); ok {
		return home.Path
	}
	return homes.String()
}

// choose returns the log of the only match among found. If all is true, the logs that it goes on from come
// before it. If there is none, choose has reported why.
func choose(c *cli.Command, homes session.Homes, name string, found []session.Match, errs []error, all bool) []session.Member {
	var ids []string
	for _, m := range found {
		ids = append(ids, m.ID)
	}
	slices.Sort(ids)
	switch ids = slices.Compact(ids); {
	case len(ids) > 1:
		Ambiguous(c, "", name, ids, len(ids))
		return nil
	case len(ids) == 0 && len(name) < session.Shortest:
		c.Fail(cli.File(name), errors.New("no such file, and the beginning of an id takes four characters"))
		return nil
	case len(ids) == 0 && len(errs) > 0: // it may be in what cannot be read
		for _, err := range errs {
			c.Fail(cli.Place{}, fmt.Errorf("no such file as %s, and in %s: %s", entry.Quote(name), placeOf(err, homes), cli.Reason(err)))
		}
		return nil
	case len(ids) == 0:
		c.Fail(cli.File(name), fmt.Errorf("no such file, and no session of that id in %s", homes))
		return nil
	}
	if m := found[0]; m.Part {
		c.Fail(cli.File(name), fmt.Errorf("a sub-agent, whose entries are in the log of its session: jlpath -a %s | jq -c 'select(.agentId == %q)'", m.Session(), m.ID))
		return nil
	}
	var logs []session.Member
	closed := false
	for _, m := range found {
		more, errs := m.LogsOf()
		logs = append(logs, more...)
		for _, err := range errs {
			place, _ := errors.AsType[*session.PlaceError](err)
			c.Fail(cli.File(place.Path), place.Err)
			closed = true
		}
	}
	if len(logs) == 0 {
		if !closed { // else its log may be in what cannot be read
			c.Fail(cli.Place{}, fmt.Errorf("session %s in %s has no log", entry.Quote(ids[0]), homes))
		}
		return nil
	}
	session.Rank(logs)
	used := logs[:1]
	if all {
		used = session.InOrder(logs)
	}
	for _, other := range logs[len(used):] {
		if other.Err != nil {
			c.Fail(cli.File(other.Path()), other.Err)
		} else {
			Another(c, ids[0], other.Path(), logs[0].Path())
		}
	}
	for _, log := range used {
		f, err := log.Home.Open(log.Name) // by the rules of the home
		if err != nil {
			c.Fail(cli.File(log.Path()), err)
			return nil
		}
		f.Close()
	}
	return used
}
