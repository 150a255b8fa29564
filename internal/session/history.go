package session

import (
	"errors"
	"io/fs"
	"slices"

	"jl/internal/entry"
)

// readPastes returns the hashes of the long pastes that the history of prompts has for each session,
// sorted. With an error, a [*PlaceError], it returns what could be read. A history that is missing,
// irregular or damaged is not an error.
func (h *Home) readPastes() (pastes map[string][]string, failed error) {
	pastes = map[string][]string{}
	for e, err := range h.Entries("history.jsonl") {
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) && !isSkipped(err) && !errors.As(err, new(*entry.Damage)) {
				failed = err
			}
			continue
		}
		id := string(e.Get(entry.SessionID).Text())
		for _, paste := range entry.Value(e.Bytes).Member("pastedContents").Members() {
			if hash := string(paste.Member("contentHash").Text()); id != "" && isElement(hash) {
				pastes[id] = append(pastes[id], hash)
			}
		}
	}
	for id, hashes := range pastes {
		slices.Sort(hashes)
		pastes[id] = slices.Compact(hashes)
	}
	return pastes, failed
}
