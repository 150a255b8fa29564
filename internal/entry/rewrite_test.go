package entry

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRewrite(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"empty", `{}`, `{}`},
		{"empty, white space", `{ }`, `{ }`},
		{"nothing to change", `{ "a" : 1 , "b":[ ] }`, `{ "a" : 1 , "b":[ ] }`},
		{"a value", `{ "a" : 1,"set" :  {"x":1} , "b":2}`, `{ "a" : 1,"set" :  "new" , "b":2}`},
		{"each of repeated members", `{"set":1,"set":2}`, `{"set":"new","set":"new"}`},
		{"an escaped name", `{"s\u0065t":1}`, `{"s\u0065t":"new"}`},
		{"the first left out", `{ "drop":1 , "a":2 }`, `{ "a":2 }`},
		{"one in the middle left out", `{"a":1 , "drop":2, "b":3}`, `{"a":1, "b":3}`},
		{"the last left out", `{"a":1 ,"drop":2 }`, `{"a":1 }`},
		{"all left out", `{ "drop":1 ,"drop":[2] }`, `{  }`},
		{"two in a row left out", `{"drop":1, "drop":2,"a":3}`, `{"a":3}`},
		{"left out and changed", `{"drop":1,"set":2,"drop":3,"set":4}`, `{"set":"new","set":"new"}`},
		{"nested members stay", `{"a":{"drop":1,"set":2}}`, `{"a":{"drop":1,"set":2}}`},
		{"not an object", `[{"drop":1}]`, `[{"drop":1}]`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := Value(test.text).Rewrite([]byte("x"), func(name, value Value) Value {
				switch {
				case name.Is("drop"):
					return nil
				case name.Is("set"):
					return Value(`"new"`)
				}
				return value
			})
			require.Equal(t, "x"+test.want, string(got))
			require.True(t, Valid(got[1:]))
		})
	}
}

func TestSet(t *testing.T) {
	drop := func(name, value Value) Value {
		if name.Is("drop") {
			return nil
		}
		return value
	}
	for text, want := range map[string]string{
		`{}`:                              `{"n\"":1}`,
		`{ }`:                             `{"n\"":1 }`,
		`{"drop":2}`:                      `{"n\"":1}`,
		` { "a" : 2,"b":3 }`:              ` {"n\"":1, "a" : 2,"b":3 }`,
		`{"drop":2 , "a":{"b":1}}`:        `{"n\"":1,"a":{"b":1}}`,
		`{ "a":2, "n\u0022" : 3 }` + "\n": `{ "a":2, "n\u0022" : 1 }` + "\n",
		`{"drop":2,"n\"":3}`:              `{"n\"":1}`,
		`[{"a":2}]`:                       `[{"a":2}]`,
		` `:                               ` `,
	} {
		require.Equal(t, "x"+want, string(Value(text).Set([]byte("x"), `n"`, Value("1"), drop)), text)
	}
	require.Equal(t, `{"n":1,"drop":2}`, string(Value(`{"drop":2}`).Set(nil, "n", Value("1"), nil)))
}

func TestAppendMember(t *testing.T) {
	got := AppendMember([]byte("{"), Value(`"a"`), Value(`1`))
	got = AppendMember(got, Value(`"b"`), Value(`{}`))
	require.Equal(t, `{"a":1,"b":{}`, string(got))
}

// FuzzRewrite leaves out the members of an object that bits of mask name, in turn.
func FuzzRewrite(f *testing.F) {
	for _, s := range samples {
		f.Add([]byte(s), uint64(0b0110_1001))
	}
	f.Add([]byte("{ \"a\" :\t1 ,\r\n\"a\":2 , \"\\u0061\" : [ ] }"), uint64(1))
	f.Fuzz(func(t *testing.T, text []byte, mask uint64) {
		v := Value(text)
		if !v.IsObject() || !Valid(v) {
			return
		}
		same := v.Rewrite(nil, func(_, value Value) Value { return value })
		require.Equal(t, string(v), string(same), "nothing is left out")

		var want []string
		i := 0
		drop := func() bool { i++; return mask>>(i%64)&1 == 1 }
		for name, value := range v.Members() {
			if !drop() {
				want = append(want, string(name), string(value))
			}
		}
		i = 0
		got := Value(v.Rewrite(nil, func(_, value Value) Value {
			if drop() {
				return nil
			}
			return value
		}))
		require.True(t, Valid(got), "%q", got)
		var members []string
		for name, value := range got.Members() {
			members = append(members, string(name), string(value))
		}
		require.Equal(t, want, members)
		require.True(t, isSubsequence(got, v), "%q of %q", got, v)
	})
}

// isSubsequence reports whether the bytes of part are bytes of all, in order.
func isSubsequence(part, all []byte) bool {
	for _, c := range part {
		i := bytes.IndexByte(all, c)
		if i < 0 {
			return false
		}
		all = all[i+1:]
	}
	return true
}
