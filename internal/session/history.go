package session

import (
	"errors"
	"io/fs"
	"slices"

	"jl/internal/entry"
	"jl/internal/line"
)

// History is what the history of prompts is called in the home.
const History = "history.jsonl"

// Pastes returns the hashes of the long pastes that the history of prompts has for
// a session, sorted. The first call returns why the history cannot be read, with what
// could be. Is it gone, is it no regular file, or are lines of it damaged, that is
// nobody's loss here.
func (h *Home) Pastes(id string) ([]string, error) {
	if h.pastes != nil {
		return h.pastes[id], nil
	}
	err := h.readHistory()
	if errors.Is(err, fs.ErrNotExist) || errors.As(err, new(*SkippedError)) {
		err = nil
	}
	return h.pastes[id], err
}

func (h *Home) readHistory() error {
	h.pastes = map[string][]string{}
	f, err := h.Open(History)
	if err != nil {
		return err
	}
	defer f.Close()
	var dec entry.Decoder
	lines := line.NewForward(f)
	for lines.Next() {
		count, _ := dec.Decode(lines.Bytes(), lines.Number(), lines.Offset())
		for i := range count {
			e := dec.Entry(i)
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
	}
	for id, hashes := range h.pastes {
		slices.Sort(hashes)
		h.pastes[id] = slices.Compact(hashes)
	}
	return cause(lines.Err())
}
