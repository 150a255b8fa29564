package operand

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/session"
)

// Resolve returns the path of the log that an operand names. It tries the name as a file, but not as a
// directory, because Claude Code also gives the ids of sessions to directories; then as an id: the table of
// INPUT in jl(7). Of several logs of a session it takes the newest that has a conversation. If neither fits,
// or an id is ambiguous or has no log, Resolve reports why and returns false. It also reports places that it
// cannot read and that may hold a newer log of the session. A name that cannot be an id remains as it is.
func (o *Options) Resolve(c *cli.Command, name string) (path string, ok bool) {
	in, ok := o.resolve(c, name)
	in.close()
	return in.path, ok
}

// An input is what an operand names.
type input struct {
	path    string
	prompts []byte           // in place of a log that is gone, the lines about its session in the history at path
	logs    []session.Member // those that the log at path goes on from, oldest first, and this log; nil if they do not matter
	home    *session.Home    // that was opened for the logs alone, or nil
	noted   bool             // [beginsIn] has been printed
}

// close closes the home of the logs, unless other operands use it.
func (in *input) close() {
	if in.home != nil {
		session.Homes{in.home}.Close()
	}
}

// resolve does what Resolve does.
func (o *Options) resolve(c *cli.Command, name string) (in input, ok bool) {
	in.path = name
	id, preferFile := ID(name)
	if id == "" {
		if o.Above && name != "-" {
			o.goOn(&in)
		}
		return in, true
	}
	if packed := packedOf(name); packed != "" {
		if !o.Writes { // else it has made the archive
			c.Fail(cli.File(name), fmt.Errorf("no such file, but there is %s", packed))
		}
		return in, o.Writes
	}
	homes, errs := o.open()
	if len(homes) == 0 && (preferFile || len(errs) == 0) { // not everybody has a home
		return in, true
	}
	if len(homes) > 0 { // what is not there holds nothing
		errs = slices.DeleteFunc(slices.Clone(errs), func(err *session.PlaceError) bool { return o.Home == nil && errors.Is(err, fs.ErrNotExist) })
	}
	found, places := homes.Find(id, false)
	errs = slices.Concat(errs, places)
	if preferFile && len(found) != 1 {
		return in, true
	}
	if len(found) == 1 && found[0].Log == "" && !found[0].Home.HasLog(found[0].ID) {
		if lines, file := found[0].Prompts(); lines != nil {
			c.Note(cli.File(file), "the log of session %s is gone; its prompts are here", entry.Quote(found[0].ID))
			return input{path: file, prompts: lines}, true
		}
	}
	log, from, ok := choose(c, homes, name, found, errs)
	if !ok {
		return in, false
	}
	switch in.path = log.Path(); {
	case o.Above && from.Logs != nil:
		in.logs = append(from.Logs, log)
	case from.Session != "":
		c.Note(cli.File(in.path), beginsIn+o.goesOn(), from.Session, from.Above)
		in.noted = true
	}
	if o.Writes && log.BehindLink() {
		c.Fail(cli.File(in.path), errors.New("not replaced: its folder is a symbolic link"))
		return in, false
	}
	return in, true
}

// beginsIn is the note about a log that goes on from another one and has no copy of it.
const beginsIn = "its beginning is in another log, of session %s: the entries with an ordinal below %s"

// goesOn returns what the note says about how to read that log, too.
func (o *Options) goesOn() string {
	if o.Above { // it is not there
		return ""
	}
	return "; jlpath --through goes on there"
}

// goOn finds the logs that a file goes on from.
func (o *Options) goOn(in *input) {
	homes, _ := o.open()
	h, name := homes.Of(in.path)
	if h == nil {
		var err error
		if h, name, err = session.HomeAround(in.path); err != nil {
			return
		}
		in.home = h
	}
	log := session.Member{Home: h, Kind: session.Log, Name: name}
	if from := log.Beginning(); from.Logs != nil {
		in.logs = append(from.Logs, log)
	}
}

// open returns the homes, which all operands share: thousands of ids take one walk of the homes. They stay
// open until the program ends.
func (o *Options) open() (session.Homes, []*session.PlaceError) {
	if !o.opened {
		o.homes, o.errs = session.Open(o.Home)
		o.opened = true
	}
	return o.homes, o.errs
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
func ID(name string) (id string, preferFile bool) {
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

// choose returns the log of the only match among found, and where its beginning is. If there is none, choose has
// reported why.
func choose(c *cli.Command, homes session.Homes, name string, found []session.Match, errs []*session.PlaceError) (log session.Member, from session.Beginning, ok bool) {
	var ids []string
	for _, m := range found {
		ids = append(ids, m.ID)
	}
	slices.Sort(ids)
	switch ids = slices.Compact(ids); {
	case len(ids) > 1:
		Ambiguous(c, "", name, ids, len(ids))
		return log, from, false
	case len(ids) == 0 && len(name) < session.Shortest:
		c.Fail(cli.File(name), errors.New("no such file, and the beginning of an id takes four characters"))
		return log, from, false
	case len(ids) == 0 && len(errs) > 0: // it may be in what cannot be read
		for _, err := range errs {
			c.Fail(cli.Place{}, fmt.Errorf("no such file as %s, and in %s: %s", entry.Quote(name), err.Path, cli.Reason(err.Err)))
		}
		return log, from, false
	case len(ids) == 0:
		c.Fail(cli.File(name), fmt.Errorf("no such file, and no session of that id in %s", homes))
		return log, from, false
	}
	if m := found[0]; m.Part {
		c.Fail(cli.File(name), fmt.Errorf("a sub-agent, whose entries are in the log of its session: jlpath -a %s | jq -c 'select(.agentId == %q)'", m.Session(), m.ID))
		return log, from, false
	}
	var logs []session.Member
	closed := false
	for _, m := range found {
		more, errs := m.LogsOf()
		logs = append(logs, more...)
		for _, err := range errs {
			c.Fail(cli.File(err.Path), err.Err)
			closed = true
		}
	}
	if len(logs) == 0 {
		if !closed { // else its log may be in what cannot be read
			c.Fail(cli.Place{}, fmt.Errorf("session %s in %s has no log", entry.Quote(ids[0]), homes))
		}
		return log, from, false
	}
	session.Rank(logs)
	from = logs[0].Beginning()
	for _, other := range logs[1:] {
		switch isOther := func(m session.Member) bool { return m.Name == other.Name }; {
		case slices.ContainsFunc(from.Logs, isOther):
		case other.Err != nil:
			c.Fail(cli.File(other.Path()), other.Err)
		case !other.Silent:
			Another(c, ids[0], other.Path(), logs[0].Path())
		}
	}
	f, err := logs[0].Home.Open(logs[0].Name) // by the rules of the home
	if err != nil {
		c.Fail(cli.File(logs[0].Path()), err)
		return log, from, false
	}
	f.Close()
	return logs[0], from, true
}
