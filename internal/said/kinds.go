package said

import (
	"fmt"
	"strings"

	"jl/internal/says"
)

// Kinds is a set of kinds of rows.
type Kinds uint32

// Default are the kinds that nobody has to ask for.
const Default = Kinds(1<<says.Kinds-1) &^ (1<<says.Picture | 1<<says.Fired)

// Has reports whether one of some kinds is in the set.
func (k Kinds) Has(kinds ...says.Kind) bool {
	for _, kind := range kinds {
		if k&(1<<kind) != 0 {
			return true
		}
	}
	return false
}

// KindsOf returns the set of kinds that have some names, the default without any. It returns an error if a kind has no
// such name.
func KindsOf(names []string) (Kinds, error) {
	if len(names) == 0 {
		return Default, nil
	}
	var k Kinds
	for _, name := range names {
		kind := says.Kind(0)
		for kind < says.Kinds && kind.String() != name {
			kind++
		}
		if kind == says.Kinds {
			return 0, fmt.Errorf("%q is not a kind of row: %s", name, Names())
		}
		k |= 1 << kind
	}
	return k, nil
}

// Names returns the names of all kinds, separated by commas.
func Names() string {
	var names []string
	for kind := range says.Kinds {
		names = append(names, kind.String())
	}
	return strings.Join(names, ", ")
}
