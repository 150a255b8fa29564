package session

import (
	"slices"

	"jl/internal/entry"
	"jl/internal/line"
)

// Pastes returns the hashes of the long pastes that the history of prompts has for
// a session, sorted. What is wrong with the history is nobody's loss here.
func (h *Home) Pastes(id string) []string {
	if h.pastes == nil {
		h.readHistory()
	}
	return h.pastes[id]
}

func (h *Home) readHistory() {
	h.pastes = map[string][]string{}
	f, err := h.Open("history.jsonl")
	if err != nil {
		return
	}
	defer f.Close()
	var dec entry.Decoder
	lines := line.NewForward(f)
	for lines.Next() {
		count, _ := dec.Decode(lines.Bytes(), lines.Number() == 1)
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
}
