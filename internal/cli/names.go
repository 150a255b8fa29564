package cli

import (
	"strings"

	"github.com/alecthomas/kong"
)

// Names is the value of an option that may be given with a list of names or without: --said=A,B, -s=A,B or -s. Several
// lists are one, and the option alone adds nothing to a list.
type Names struct {
	Given bool
	List  []string
}

// IsBool makes the value of the option optional.
func (*Names) IsBool() bool { return true }

// Decode reads the value.
func (n *Names) Decode(ctx *kong.DecodeContext) error {
	n.Given = true
	token := ctx.Scan.Peek()
	names, short := strings.CutPrefix(token.String(), "=")
	switch {
	case token.Type == kong.FlagValueToken: // of --said=A,B
		names = token.String()
	case token.Type != kong.ShortFlagTailToken || !short: // not of -s=A,B
		return nil
	}
	ctx.Scan.Pop()
	n.List = append(n.List, strings.Split(names, ",")...)
	return nil
}
