package tree

// A Reader says by whose rules a log is read.
type Reader uint8

const (
	Default   Reader = iota // the suite's own rules
	Claude21                // what `claude --resume` loads today
	Claude20                // the published algorithm of 2.0.73
	SDK                     // the Agent SDK's getSessionMessages
	SDKSystem               // the same with its system messages
)

// Readers holds the names of the readers but for the default.
var Readers = map[string]Reader{
	"claude-2.1": Claude21,
	"claude-2.0": Claude20,
	"sdk":        SDK,
	"sdk-system": SDKSystem,
}

// knows reports whether entries of a kind are nodes to the reader.
func (r Reader) knows(k kind) bool {
	switch r {
	case Default:
		return true
	case Claude20:
		return k.conversation()
	}
	return k.conversation() || k == progress
}
