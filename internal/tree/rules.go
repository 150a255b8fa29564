package tree

import (
	"fmt"
	"slices"
	"strings"

	"jl/internal/entry"
)

// Rules name the program by whose rules a log is read.
type Rules uint8

const (
	Default   Rules = iota // the suite's own rules
	Claude21               // what `claude --resume` of Claude Code 2.1.330 loads
	Claude20               // the published algorithm of Claude Code 2.0.73
	SDK                    // the Agent SDK's getSessionMessages
	SDKSystem              // the same, with system messages
)

// ruleNames has the names of the rules in the order of the constants.
var ruleNames = [...]string{"", "claude-2.1", "claude-2.0", "sdk", "sdk-system"}

// String returns the name that [Rules.UnmarshalText] takes, "" for Default.
func (r Rules) String() string { return ruleNames[r] }

// claude is another name for the rules of the newest release of Claude Code.
const claude = "claude"

// UnmarshalText sets r to the rules with the name text. Default has no name.
func (r *Rules) UnmarshalText(text []byte) error {
	i := slices.Index(ruleNames[1:], string(text))
	switch {
	case string(text) == claude:
		*r = Claude21
	case i < 0:
		return fmt.Errorf("must be one of %s, %s but got %s", claude, strings.Join(ruleNames[1:], ", "), entry.Quote(string(text)))
	default:
		*r = Rules(i + 1)
	}
	return nil
}

// decoder returns a decoder that accepts the lines that the rules accept.
func (r Rules) decoder() entry.Decoder {
	return entry.Decoder{Strict: r != Default, SDK: r == SDK || r == SDKSystem}
}

// plain reports whether a path is nothing but the walk to its leaf: nothing that hangs
// beside it belongs to it.
func (t *Tree) plain() bool { return t.Straight() || !t.dialect.LikeClaude() }

// knows reports whether entries of the kind k are nodes by the rules.
func (r Rules) knows(k kind) bool {
	switch r {
	case Default:
		return true
	case Claude20:
		return k.inConversation()
	}
	return k.inConversation() || k == progress
}
