package session

import (
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"jl/internal/entry"
	"jl/internal/says"
)

// historyName is the name of the file of a home with the prompts of all sessions.
const historyName = "history.jsonl"

// A history is what the history of prompts, and the indexes of folders, have.
type history struct {
	pastes map[string][]string // by session, the hashes of its long pastes, sorted
	logs   map[string]string   // by session, the name of its log where one was, "" if that is not told
	err    *PlaceError         // where there may be more
}

// readHistory returns the history. One that is missing, irregular or damaged is not an error.
func (h *Home) readHistory() history {
	all := history{pastes: map[string][]string{}, logs: map[string]string{}}
	for e, err := range h.Entries(historyName) {
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) && !isSkipped(err) && !errors.As(err, new(*entry.Damage)) {
				all.err = err
			}
			continue
		}
		id := string(says.SessionOf(e).Text())
		if id == "" {
			continue
		}
		all.logs[id] = ""
		if dir := e.Member("project").Text(); len(dir) > 0 && h.NamesAgents() && isElement(id) {
			all.logs[id] = path.Join("projects", projectName(string(dir)), id+logSuffixes[0])
		}
		for _, paste := range e.Member("pastedContents").Members() {
			if hash := string(paste.Member("contentHash").Text()); isElement(hash) {
				all.pastes[id] = append(all.pastes[id], hash)
			}
		}
	}
	for id, hashes := range all.pastes {
		slices.Sort(hashes)
		all.pastes[id] = slices.Compact(hashes)
	}
	for _, r := range h.logs().rows {
		if path.Base(r.name) != "sessions-index.json" || r.isDir {
			continue
		}
		index, err := h.ReadObject(r.name) // it is only a hint
		if err != nil {
			continue
		}
		for e := range index.Member("entries").Elements() {
			if id := string(e.Member("sessionId").Text()); isElement(id) {
				all.logs[id] = path.Join(path.Dir(r.name), id+logSuffixes[0])
			}
		}
	}
	return all
}

// Lost returns the logs of the sessions that the history, or the index of a folder, names, and that are
// gone, sorted by session. A [Member] that has no name was at a place that nothing tells.
func (h *Home) Lost() (logs []Member) {
	all := h.history()
	for _, id := range slices.Sorted(maps.Keys(all.logs)) {
		if !h.HasLog(id) {
			logs = append(logs, Member{Home: h, Session: id, Kind: Log, Name: all.logs[id], Missing: true})
		}
	}
	return logs
}

// lost returns the sessions without a log whose ids begin with a prefix.
func (h *Home) lost(prefix string) (found []Match, errs []*PlaceError) {
	for _, log := range h.Lost() {
		if strings.HasPrefix(log.Session, prefix) {
			found = append(found, Match{Home: h, ID: log.Session})
		}
	}
	return found, nil
}

// Prompts returns the lines that the history has of a session, and the path of the history.
func (m *Match) Prompts() (lines []byte, file string) {
	for e, err := range m.Home.EntriesWith(historyName, []byte(m.ID)) {
		if err == nil && says.SessionOf(e).Is(m.ID) {
			lines = append(append(lines, e.Bytes...), '\n')
		}
	}
	return lines, m.Home.Path(historyName)
}
