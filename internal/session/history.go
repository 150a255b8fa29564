package session

import (
	"errors"
	"io/fs"
	"slices"

	"jl/internal/entry"
)

// history is the name of the history of prompts in the home.
const history = "history.jsonl"

// pastesOf returns the hashes of the long pastes that the history of prompts has for a
// session, sorted. Only the first call returns an error, a [*PlaceError], together with
// what could be read. A history that is missing, irregular or damaged is not an error.
func (h *Home) pastesOf(id string) ([]string, error) {
	if h.pastes != nil {
		return h.pastes[id], nil
	}
	err := h.readHistory()
	return h.pastes[id], err
}

func (h *Home) readHistory() (failed error) {
	h.pastes = map[string][]string{}
	for e, err := range h.Entries(history) {
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) && !IsSkipped(err) && !errors.As(err, new(*entry.Damage)) {
				failed = err
			}
			continue
		}
		id := string(e.Get(entry.SessionID).Text())
		if id == "" {
			continue
		}
		for _, paste := range entry.Value(e.Bytes).Member("pastedContents").Members() {
			if hash := string(paste.Member("contentHash").Text()); IsElement(hash) {
				h.pastes[id] = append(h.pastes[id], hash)
			}
		}
	}
	for id, hashes := range h.pastes {
		slices.Sort(hashes)
		h.pastes[id] = slices.Compact(hashes)
	}
	return failed
}
