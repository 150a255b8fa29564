package tree

import (
	"fmt"
	"slices"
	"strings"

	"jl/internal/entry"
)

// Rules say by whose rules a log is read. [Default] is the suite's own.
type Rules uint8

const (
	Default   Rules = iota // the suite's own rules
	Claude21               // what `claude --resume` loads today
	Claude20               // the published algorithm of 2.0.73
	SDK                    // the Agent SDK's getSessionMessages
	SDKSystem              // the same with its system messages
)

// ruleNames are the names of the rules in the order of the constants.
var ruleNames = [...]string{"", "claude-2.1", "claude-2.0", "sdk", "sdk-system"}

// String returns the name that [Rules.UnmarshalText] takes, "" for Default.
func (r Rules) String() string { return ruleNames[r] }

// UnmarshalText sets r to the rules of the program that text names.
func (r *Rules) UnmarshalText(text []byte) error {
	i := slices.Index(ruleNames[1:], string(text))
	if i < 0 {
		return fmt.Errorf("must be one of %s but got %q", strings.Join(ruleNames[1:], ", "), text)
	}
	*r = Rules(i + 1)
	return nil
}

// Decoder returns a decoder that takes lines for entries by the rules.
func (r Rules) Decoder() entry.Decoder {
	return entry.Decoder{Strict: r != Default, RejectBOM: r == SDK || r == SDKSystem}
}

// knows reports whether entries of a kind are nodes under the rules.
func (r Rules) knows(k kind) bool {
	switch r {
	case Default:
		return true
	case Claude20:
		return k.inConversation()
	}
	return k.inConversation() || k == progress
}
