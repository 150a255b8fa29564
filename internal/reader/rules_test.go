package reader

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/log"
	"jl/test/drawn"
)

func TestRules(t *testing.T) {
	for rules := Claude21; rules <= SDKSystem; rules++ {
		var r Rules
		require.NoError(t, r.UnmarshalText([]byte(rules.String())))
		require.Equal(t, rules, r)
		require.Equal(t, rules == Claude20, r.FallsBack())
	}
	var r Rules
	require.NoError(t, r.UnmarshalText([]byte("claude")))
	require.Equal(t, Claude21, r, "the newest")
	require.EqualError(t, r.UnmarshalText(nil), `must be one of claude, claude-2.1, claude-2.0, sdk, sdk-system but got ""`)
	require.Empty(t, Default.String())
}

// Logs that are not Claude's have no other readers, and those without ids nothing to read.
func TestOtherLogs(t *testing.T) {
	for rules := Default; rules <= SDKSystem; rules++ {
		r := read(t, `{"type":"session","version":3,"id":"s"}`+"\n"+drawn.Log("a pi:message\nb pi:message <a\nc pi:message <a"), rules)
		require.Equal(t, "a c", ids(t, r, r.Path(log.None, log.Options{}, true).Nodes))
		leaf, _ := r.Leaf(log.None)
		require.Equal(t, nodeOf(t, r, "c"), leaf)
	}
	for rules := Claude21; rules <= SDKSystem; rules++ {
		r := read(t, drawn.Log("- user\n- assistant"), rules)
		require.Empty(t, r.Path(log.None, log.Options{}, true).Nodes)
	}
}

func TestTaken(t *testing.T) {
	const text = `
		u1 user @1
		a2 assistant <u1 @2
		p3 progress <a2 @3
		u4 user <p3 @4
		b5 boundary keep=a2,u4/u6 @5
		u6 user <b5 @6
		a7 assistant <u6 @7
		u8 user <no @8`
	for rules, want := range map[Rules]string{
		Default:   "",
		Claude20:  "",
		SDK:       "a2 below u6, u4 below a2, a7 below u4",
		SDKSystem: "a2 below u6, u4 below a2, a7 below u4",
		Claude21:  "a2 below u6, u4 below a2, a7 below u4, u8 below a7",
	} {
		r := read(t, drawn.Log(text), rules)
		leaf := "a7"
		if rules == Claude21 {
			leaf = "u8"
		}
		p := r.Path(nodeOf(t, r, leaf), log.Options{}, true)
		got := ""
		for _, n := range p.Nodes {
			if up, taken := p.Taken[n]; taken {
				if got != "" {
					got += ", "
				}
				got += r.t.ID(n) + " below " + r.t.ID(up)
			}
		}
		require.Equal(t, want, got, rules)
		require.Empty(t, r.Path(nodeOf(t, r, leaf), log.Options{}, false).Taken, rules)
	}
}
