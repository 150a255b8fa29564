package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
)

// FuzzEdit: what comes out is JSON, without the members that are dropped, with the
// session in its places, and every other member as it was. Without an edit to make
// nothing changes.
func FuzzEdit(f *testing.F) {
	for _, s := range []string{
		`{}`, ` { } `, `{"parentUuid":null}`, "\t{ \"isSidechain\" : false , \"parentUuid\":{}\r}\r\n",
		`{"a":1,"parentUuid":"x"}`, `{"parentUuid":"x","a":1}`, `{"parentUuid":1,"a":[{"parentUuid":2}],"parentUuid":3}`,
		`{"sessionId":"s","sessionId":7,"b":"\"}"}`, `{"session\u0049d":null,"\u0070arentUuid":[]}`,
	} {
		f.Add([]byte(s))
	}
	session := "new \"\\\n\xff"
	f.Fuzz(func(t *testing.T, line []byte) {
		object := entry.Value(bytes.TrimSpace(line))
		if !entry.Valid(line) || !object.IsObject() {
			return
		}
		require.Equal(t, line, new(edit).apply(line, "parentUuid", nil))

		e := &edit{strip: true, session: entry.AppendString(nil, []byte(session))}
		var want [][]byte
		for name, value := range object.Members() {
			switch {
			case name.Is("isSidechain"), name.Is("parentUuid"):
				continue
			case name.Is("sessionId"):
				value = e.session
			}
			want = append(want, name, value)
		}
		got := e.apply(line, "parentUuid", nil)
		require.True(t, entry.Valid(got))
		var members [][]byte
		for name, value := range entry.Value(bytes.TrimSpace(got)).Members() {
			members = append(members, name, value)
		}
		require.Equal(t, want, members)
	})
}
