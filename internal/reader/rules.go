package reader

import (
	"fmt"
	"slices"
	"strings"

	"jl/internal/entry"
	"jl/internal/log"
)

// Rules name the program whose answers a [Reader] gives.
type Rules uint8

const (
	Default   Rules = iota // the suite itself
	Claude21               // what `claude --resume` of Claude Code 2.1.332 loads
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

// Reading returns how a log is read into the log that [New] takes.
func (r Rules) Reading() log.Reading {
	if r == Default {
		return log.Reading{}
	}
	return log.Reading{
		Decoder: entry.Decoder{Strict: true, SDK: r == SDK || r == SDKSystem},
		Knows:   r.knows,
	}
}

// knows reports whether entries of a kind are nodes.
func (r Rules) knows(k log.Kind) bool {
	return k.Conversation() || k == log.Progress && r != Claude20
}

// FallsBack reports whether the program chooses a leaf itself if the given one is not in the log.
func (r Rules) FallsBack() bool { return r == Claude20 }
