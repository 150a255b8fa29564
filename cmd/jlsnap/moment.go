package main

import (
	"bytes"
	"fmt"
	"io"
	"path"
	"time"

	"jl/internal/entry"
	"jl/internal/filehistory"
	"jl/internal/log"
	"jl/internal/said"
	"jl/internal/says"
	"jl/internal/shape"
)

// A change is a call on the path that changed a file, as its result says.
type change struct {
	at          log.Node // the result
	path        string   // absolute, or as the call names it if no folder is known
	told, input entry.Value
}

// An edited is a file at a moment within a turn: what the calls since the last snapshot made of it.
type edited struct {
	text    []byte
	unknown error // why the text is not known, nil if it is
}

// moment makes of the files of snapshot i those at the moment until, in microseconds since 1970, after the node n: the
// calls since the snapshot changed some. What such a file was then has the next snapshot, unless it was changed again
// before that; else the calls tell. The session id keeps the backups.
func (s *snapper) moment(files []filehistory.File, i int, n log.Node, until int64, id string) {
	begin, next := s.history.Begin(i), log.Node(s.t.Count)
	later := map[string]filehistory.File{}
	if j, ok := s.history.Next(n); ok {
		next = s.history.Begin(j)
		in := map[string]bool{}
		for _, f := range s.history.Tracked(j) {
			in[f.Path] = true
		}
		for _, f := range s.history.State(j) {
			if in[f.Path] {
				later[f.Path] = f
			}
		}
	}
	changes, home := s.changes(begin, next)
	s.edited = map[string]edited{}
	for k, f := range files {
		var own []change
		more := false
		for _, c := range changes {
			switch {
			case !names(f, home, c.path):
			case s.t.Tree.Time[c.at] == log.NoTime && c.at <= n, s.t.Tree.Time[c.at] != log.NoTime && s.t.Tree.Time[c.at] <= until:
				own = append(own, c)
			default:
				more = true
			}
		}
		if len(own) == 0 {
			continue
		}
		if f, known := later[f.Path]; known && !more {
			file, b := s.open(f, id)
			if file != nil {
				file.Close()
			}
			if b.state == ok || b.state == absent {
				files[k] = f
				continue
			}
		}
		s.edited[f.Path] = s.replay(f, own, begin, until, id)
	}
}

// changes returns the changes between two nodes of the path, and the folder that the path names first.
func (s *snapper) changes(after, before log.Node) (changes []change, home string) {
	var t says.Telling
	var e entry.Entry
	inputs := map[string]entry.Value{} // by call
	for x := range s.t.Texts(s.path, nil) {
		if !e.Scan(bytes.TrimSpace(x.Bytes)) {
			continue
		}
		if says.Tell(s.t.Dialect, &e, &t); home == "" {
			home = string(t.Cwd.Text())
		}
		if x.Node <= after || x.Node >= before {
			continue
		}
		for _, thing := range t.Things {
			switch input := inputs[thing.Call.Key()]; {
			case thing.Is == says.Call:
				inputs[thing.Call.Key()] = bytes.Clone(thing.Input)
			case thing.Is == says.Result && !thing.Failed:
				told := entry.Value(bytes.Clone(thing.Extra))
				where := entry.First(told.Member("filePath"), input.Member("file_path")).Text()
				if _, is := said.Edited(told, input, []byte{}); len(where) > 0 && (is || told.Member("newString") != nil || input.Member("new_string") != nil || input.Member("edits") != nil) {
					changes = append(changes, change{x.Node, string(where), told, input})
				}
			}
		}
	}
	return changes, home
}

// names reports whether a tracked file is the one at the path of a call, both below the folder home if they are not
// absolute.
func names(f filehistory.File, home, called string) bool {
	below := func(dir, name string) string {
		if path.IsAbs(name) {
			return path.Clean(name)
		}
		return path.Join(dir, name)
	}
	called = below(home, called)
	real := string(f.Backup.Member(shape.RealParentDir).Text())
	return called == below(home, f.Path) || real != "" && called == path.Join(real, path.Base(f.Path))
}

// replay makes the changes to the text that f has at the prompt.
func (s *snapper) replay(f filehistory.File, own []change, begin log.Node, until int64, id string) edited {
	var text []byte // nil if it is not known
	file, b := s.open(f, id)
	if file != nil {
		if read, err := io.ReadAll(file); err == nil {
			text = append([]byte{}, read...)
		}
		file.Close()
	} else if b.state == absent {
		text = []byte{}
	}
	lost := 0
	for _, c := range own {
		after, ok := said.Edited(c.told, c.input, text)
		if lost++; ok {
			lost = 0
		}
		text = after
	}
	if lost == 0 {
		return edited{text: text}
	}
	clock := func(at int64) string { return time.UnixMicro(at).Local().Format("15:04:05") }
	from := "the prompt"
	if at := s.t.Tree.Time[begin]; at != log.NoTime {
		from = clock(at)
	}
	edits := "1 edit"
	if lost > 1 {
		edits = fmt.Sprint(lost, " edits")
	}
	return edited{unknown: fmt.Errorf("%s of it between %s and %s %s not in it: neither a later snapshot nor the log tells the text", edits, from, clock(until),
		map[bool]string{true: "is", false: "are"}[lost == 1])}
}
