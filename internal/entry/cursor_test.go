package entry

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// walk returns what is in the value at c, with the containers walked through.
func walk(c *Cursor) string {
	var parts []string
	switch {
	case c.Object():
		for name := c.Name(); name != nil; name = c.Name() {
			parts = append(parts, string(name)+"="+walk(c))
		}
		return "{" + strings.Join(parts, " ") + "}"
	case c.Array():
		for c.Element() {
			parts = append(parts, walk(c))
		}
		return "[" + strings.Join(parts, " ") + "]"
	}
	return string(c.Value())
}

func TestCursor(t *testing.T) {
	tests := []struct {
		text, want string
		lost       bool
	}{
		{`{}`, `{}`, false},
		{` [ ] `, `[]`, false},
		{`{"a" : 1 , "b":[true,{"c":"}"},[]] }`, `{a=1 b=[true {c="}"} []]}`, false},
		{`["]",-1.5e3,null]`, `["]" -1.5e3 null]`, false},
		{`7`, `7`, false},
		{`{"":1,"\u0061\n":2,"a name of many letters":3}`, "{=1 a\n=2 a name of many letters=3}", false},
		{`{"a":1,}`, `{a=1}`, true},
		{`{"a":1 "b":2}`, `{a=1}`, true},
		{`{"a":1,b:2}`, `{a=1}`, true},
		{`{"a"}`, `{}`, true},
		{`{"a`, `{}`, true},
		{`{"a\`, `{}`, true},
		{`[1,`, `[1]`, true},
		{`[1 2]`, `[1]`, true},
		{`[{"a":[1`, `[{a=[1]}]`, true},
		{`[1,]`, `[1 ]`, true},
		{``, ``, true},
	}
	for _, test := range tests {
		c := Value(test.text).Cursor()
		require.Equal(t, test.want, walk(&c), test.text)
		require.Equal(t, test.lost, c.Lost(), test.text)
	}
}

// A walk that goes wrong inside of a value can go on behind it.
func TestCursorGoesBack(t *testing.T) {
	text := Value(`[{"a" 1},"b"]`)
	c := text.Cursor()
	require.True(t, c.Array())
	require.True(t, c.Element())
	start := c
	require.True(t, c.Object())
	require.Nil(t, c.Name())
	require.True(t, c.Lost())
	require.Nil(t, c.Value())
	c = start
	require.Equal(t, `{"a" 1}`, string(c.Value()))
	require.Equal(t, `{"a" 1}`, string(c.Since(start)))
	require.Equal(t, 1, text.Offset(c.Since(start)))
	require.True(t, c.Element())
	require.Equal(t, `"b"`, string(c.Value()))
	require.False(t, c.Element())
	require.False(t, c.Lost())
}
