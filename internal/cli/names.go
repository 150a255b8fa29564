package cli

import (
	"strings"

	"github.com/alecthomas/kong"
)

// Names is the value of an option that may be given with a list of names or without: --said=A,B or -s. Several lists are
// one, and the option alone adds nothing to a list.
type Names struct {
	Given bool
	List  []string
}

// IsBool makes the value of the option optional.
func (*Names) IsBool() bool { return true }

// Decode reads the value.
func (n *Names) Decode(ctx *kong.DecodeContext) error {
	n.Given = true
	if ctx.Scan.Peek().Type == kong.FlagValueToken {
		n.List = append(n.List, strings.Split(ctx.Scan.Pop().String(), ",")...)
	}
	return nil
}
