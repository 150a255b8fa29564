package session

import "sync"

// known is what has been read of a home. Each part is read once, whole, when it is asked for first. The workers
// of a list share it.
type known struct {
	logs, others once[*table]
	loose        once[*loose]
	agentLogs    once[agentLogs]
	ends         once[index]
	history      once[history]
	titles       once[map[string]string]

	mu      sync.Mutex
	tellers map[string]beginning // by the name of a log
}

// A once is a value that is made when it is asked for first.
type once[T any] struct {
	made  sync.Once
	value T
}

func (o *once[T]) get(read func() T) T {
	o.made.Do(func() { o.value = read() })
	return o.value
}

// logs returns the table of the directories with logs, others that of the others, and so on.
func (h *Home) logs() *table              { return h.known.logs.get(h.readLogs) }
func (h *Home) others() *table            { return h.known.others.get(h.readOthers) }
func (h *Home) loose() *loose             { return h.known.loose.get(h.readLoose) }
func (h *Home) agentLogs() agentLogs      { return h.known.agentLogs.get(h.readAgents) }
func (h *Home) ends() index               { return h.known.ends.get(h.readIndex) }
func (h *Home) history() history          { return h.known.history.get(h.readHistory) }
func (h *Home) titles() map[string]string { return h.known.titles.get(h.readTitles) }

// tell returns what the beginning of a log tells.
func (h *Home) tell(log string) beginning {
	h.known.mu.Lock()
	t, known := h.known.tellers[log]
	h.known.mu.Unlock()
	if !known {
		t = h.reader.beginning(h.open(log, 0))
		h.known.mu.Lock()
		h.known.tellers[log] = t
		h.known.mu.Unlock()
	}
	return t
}
