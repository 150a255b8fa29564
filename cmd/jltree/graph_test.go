package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
	"jl/test/program"
)

// logOf returns a log, one entry for each line
//
//	id parent kind text
//
// ten seconds after the one before. The parent - is null, and \n in a text is a newline.
// The kinds are prompt, answer, call and result (whose text is the id of the call),
// compaction (whose text is the logical parent), keep (a compaction that keeps the entry
// before the slash below that behind it), ~prompt (a prompt on a sidechain), meta, progress,
// and pi (a prompt in a pi log).
func logOf(lines string) string {
	var b strings.Builder
	at := time.Date(2026, 3, 4, 5, 6, 0, 0, time.UTC)
	for l := range strings.Lines(strings.TrimLeft(lines, "\n")) {
		f := strings.SplitN(strings.TrimSpace(l), " ", 4)
		parent := "null"
		if f[1] != "-" {
			parent = quote(f[1])
		}
		kind, side := strings.CutPrefix(f[2], "~")
		text := quote(strings.ReplaceAll(f[len(f)-1], `\n`, "\n"))
		kept, anchor, _ := strings.Cut(f[len(f)-1], "/")
		members := map[string]string{
			"prompt":     `"type":"user","message":{"role":"user","content":` + text + `}`,
			"meta":       `"type":"user","isMeta":true,"message":{"role":"user","content":` + text + `}`,
			"answer":     `"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":` + text + `}]}`,
			"call":       `"type":"assistant","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","name":"Bash","id":` + text + `}]}`,
			"result":     `"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":` + text + `}]}`,
			"compaction": `"type":"system","subtype":"compact_boundary","logicalParentUuid":` + text,
			"keep":       `"type":"system","subtype":"compact_boundary","compactMetadata":{"preservedMessages":{"uuids":[` + quote(kept) + `],"anchorUuid":` + quote(anchor) + `}},"logicalParentUuid":` + quote(kept),
			"progress":   `"type":"progress"`,
			"pi":         `"type":"message","message":{"role":"user","content":` + text + `}`,
		}[kind]
		if side {
			members += `,"isSidechain":true`
		}
		id, up := "uuid", "parentUuid"
		if kind == "pi" {
			id, up = "id", "parentId"
		}
		fmt.Fprintf(&b, "{%s,%q:%s,%q:%s,\"timestamp\":%q}\n", members, id, quote(f[0]), up, parent, at.Format(time.RFC3339))
		at = at.Add(10 * time.Second)
	}
	return b.String()
}

// quote returns text as JSON.
func quote(text string) string { return string(entry.AppendString(nil, []byte(text))) }

const piHeader = `{"type":"session","version":3,"id":"s","timestamp":"2026-03-04T05:06:00Z"}` + "\n"

var drawings = []struct {
	name, text, want string
	args             []string
}{
	{name: "one conversation", text: `
		u1 - prompt Fix the parser
		a1 u1 call t1
		r1 a1 result t1
		a2 r1 answer Done.
		u2 a2 prompt Thanks.`, want: `
   START (UTC)       TOOK  TURNS  CALLS  ID  PROMPT
@  2026-03-04 05:06   40s      2      1  u2  (leaf) Fix the parser
`},
	{name: "all turns", args: []string{"--all"}, text: `
		m0 - meta caveat
		u1 m0 prompt Fix the parser
		a1 u1 call t1
		r1 a1 result t1
		a2 r1 answer Done.
		u2 a2 prompt Thanks.`, want: `
   START (UTC)       TOOK  TURNS  CALLS  ID  PROMPT
@  2026-03-04 05:06    0s      1      0  u2  (leaf) Thanks.
○  2026-03-04 05:06   40s      1      1  a2  Fix the parser
`},
	{name: "a prompt that was sent meanwhile", args: []string{"--all"}, text: `
		u1 - prompt Fix the parser
		u2 u1 prompt No, do not
		a1 u1 answer Done.
		u3 a1 prompt Thanks.`, want: `
   START (UTC)       TOOK  TURNS  CALLS  ID  PROMPT
@  2026-03-04 05:06    0s      1      0  u3  (leaf) Thanks.
○  2026-03-04 05:06   20s      2      0  a1  Fix the parser
`},
	{name: "two branches", text: `
		u1 - prompt Fix the parser
		a1 u1 answer How?
		u2 a1 prompt Quickly.
		a2 u2 answer Done.
		u3 a1 prompt Carefully.`, want: `
     START (UTC)       TOOK  TURNS  CALLS  ID  PROMPT
@    2026-03-04 05:06    0s      1      0  u3  (leaf) Carefully.
│ ●  2026-03-04 05:06   10s      1      0  a2  (end) Quickly.
├─╯
○    2026-03-04 05:06   10s      1      0  a1  Fix the parser
`},
	{name: "a fork of a fork", text: `
		u1 - prompt one
		a1 u1 answer so
		u2 a1 prompt two
		a2 u2 answer so
		u3 a2 prompt three
		u4 a2 prompt four
		u5 a1 prompt five`, want: `
       START (UTC)       TOOK  TURNS  CALLS  ID  PROMPT
@      2026-03-04 05:07    0s      1      0  u5  (leaf) five
│ ●    2026-03-04 05:06    0s      1      0  u4  (end) four
│ │ ●  2026-03-04 05:06    0s      1      0  u3  (end) three
│ ├─╯
│ ○    2026-03-04 05:06   10s      1      0  a2  two
├─╯
○      2026-03-04 05:06   10s      1      0  a1  one
`},
	{name: "parallel calls are not branches", text: `
		u1 - prompt Look at both files
		a1 u1 call t1
		a2 a1 call t2
		r1 a1 result t1
		r2 a2 result t2
		a3 r2 answer Done.`, want: `
   START (UTC)       TOOK  TURNS  CALLS  ID  PROMPT
@  2026-03-04 05:06   50s      1      2  a3  (leaf) Look at both files
`},
	{name: "a branch that begins with an answer", text: `
		u1 - prompt Try it
		a1 u1 answer It fails.
		a2 u1 answer It works.
		a3 u1 call t1`, want: `
     START (UTC)       TOOK  TURNS  CALLS  ID  PROMPT
@    2026-03-04 05:06    0s      0      1  a3  (leaf) … Bash
│ ●  2026-03-04 05:06    0s      0      0  a2  (end) … It works.
├─╯
│ ●  2026-03-04 05:06    0s      0      0  a1  (end) … It fails.
├─╯
○    2026-03-04 05:06    0s      1      0  u1  Try it
`},
	{name: "a compaction", text: `
		u1 - prompt one
		a1 u1 answer two
		b1 - compaction a1
		u2 b1 prompt three`, want: `
   START (UTC)       TOOK  TURNS  CALLS  ID  PROMPT
@  2026-03-04 05:06   10s      1      0  u2  (leaf) (compaction) three
┆
○  2026-03-04 05:06   10s      1      0  a1  one
`},
	{name: "a compaction of what is below a fork", text: `
		u1 - prompt one
		a1 u1 answer so
		u2 a1 prompt two
		u3 a1 prompt three
		b1 - compaction u2
		u4 b1 prompt four
		b2 - compaction a1
		u5 b2 prompt five`, want: `
     START (UTC)       TOOK  TURNS  CALLS  ID  PROMPT
@    2026-03-04 05:07   10s      1      0  u5  (leaf) (compaction) five
┆ ●  2026-03-04 05:06   10s      1      0  u4  (end) (compaction) four
┆ ┆
┆ ○  2026-03-04 05:06    0s      1      0  u2  two
├─╯
┆ ●  2026-03-04 05:06    0s      1      0  u3  (end) three
├─╯
○    2026-03-04 05:06   10s      1      0  a1  one
`},
	{name: "a compaction that kept messages", text: `
		u1 - prompt one
		a1 u1 answer two
		b1 - keep a1/b1
		u2 a1 prompt three`, want: `
   START (UTC)       TOOK  TURNS  CALLS  ID  PROMPT
@  2026-03-04 05:06   10s      1      0  u2  (leaf) (compaction) three
┆
○  2026-03-04 05:06   10s      1      0  a1  one
`},
	{name: "orphans", text: `
		u1 - prompt one
		u2 x prompt two
		u3 u2 prompt three
		u4 y prompt four`, want: `
   START (UTC)       TOOK  TURNS  CALLS  ID  PROMPT
@  2026-03-04 05:06    0s      1      0  u4  (leaf) (orphan) four
┆
○  2026-03-04 05:06   10s      2      0  u3  (orphan) two
┆
○  2026-03-04 05:06    0s      1      0  u1  one
`},
	{name: "a plan that began afresh", text: `
		u1 - prompt one
		a2 u1 answer x
		u3 - prompt Implement the following plan: two`, want: `
   START (UTC)       TOOK  TURNS  CALLS  ID  PROMPT
@  2026-03-04 05:06    0s      1      0  u3  (leaf) (plan) two
┆
○  2026-03-04 05:06   10s      1      0  a2  one
`},
	{name: "a cycle", text: `
		u1 u2 prompt one
		u2 u1 prompt two
		u3 u2 prompt three`, want: `
   START (UTC)       TOOK  TURNS  CALLS  ID  PROMPT
@  2026-03-04 05:06   20s      3      0  u3  (leaf) (cycle) one
~
`},
	{name: "sidechains", text: `
		u1 - prompt one
		s1 - ~prompt Look around
		a1 s1 ~prompt deeper
		s2 u1 ~prompt Look here
		u2 u1 prompt two`, want: `
   START (UTC)       TOOK  TURNS  CALLS  ID  PROMPT
@  2026-03-04 05:06   40s      2      0  u2  (leaf) one

◌  2026-03-04 05:06   20s      3      0      (2 sidechains) Look around
`},
	{name: "the log of an agent", text: `
		s1 - ~prompt Look around
		a1 s1 ~call t1
		a2 a1 ~call t2
		r1 a1 ~result t1
		r2 a2 ~result t2
		s2 r2 ~prompt deeper`, want: `
   START (UTC)       TOOK  TURNS  CALLS  ID  PROMPT
@  2026-03-04 05:06   50s      2      2  s2  (leaf) Look around
`},
	{name: "what no end is below", text: `
		u1 - prompt one
		p1 - progress
		p2 p1 progress`, want: `
   START (UTC)       TOOK  TURNS  CALLS  ID  PROMPT
@  2026-03-04 05:06    0s      1      0  u1  (leaf) one

◌  2026-03-04 05:06   10s      0      0      (2 entries above no end)
`},
	{name: "a link below what a compaction kept", text: `
		u1 - prompt one
		a1 u1 answer Yes.
		b1 - keep a1/b1
		u2 b1 prompt two
		u3 - prompt three
		p1 b1 progress`, want: `
   START (UTC)       TOOK  TURNS  CALLS  ID  PROMPT
@  2026-03-04 05:06    0s      1      0  u3  (leaf) three

●  2026-03-04 05:06   30s      1      0  u2  (end) (compaction) two
┆
○  2026-03-04 05:06   10s      1      0  a1  one
`},
	{name: "a prompt above a result of a message", text: `
		u1 - prompt one
		a1 u1 call t1
		a2 a1 answer waiting
		u2 a2 prompt two
		r1 u2 result t1
		u3 a2 prompt three`, want: `
   START (UTC)       TOOK  TURNS  CALLS  ID  PROMPT
@  2026-03-04 05:06   50s      3      1  u3  (leaf) one
`},
	{name: "wide characters", text: `
		u1 - prompt 月を 見て ください
		日本 u1 answer so
		u2 日本 prompt 👨‍👩‍👧 é
		u3 日本 prompt <command-name>/clear</command-name>
		a3 u3 answer so`, want: `
     START (UTC)       TOOK  TURNS  CALLS  ID    PROMPT
@    2026-03-04 05:06   10s      1      0  a3    (leaf) /clear
│ ●  2026-03-04 05:06    0s      1      0  u2    (end) 👨‍👩‍👧 é
├─╯
○    2026-03-04 05:06   10s      1      0  日本  月を 見て ください
`},
	{name: "commands", args: []string{"--all"}, text: `
		u1 - prompt <command-name>/init</command-name>
		a1 u1 answer Done.
		u2 a1 prompt <command-name>/model</command-name>
		u3 u2 prompt <local-command-stdout>ok</local-command-stdout>
		u4 u3 prompt Go on
		a2 u4 answer
		a3 a2 answer Yes.`, want: `
   START (UTC)       TOOK  TURNS  CALLS  ID  PROMPT
@  2026-03-04 05:06   20s      1      0  a3  (leaf) Go on
○  2026-03-04 05:06   30s      1      0  u3  /init
`},
	{name: "an answer that begins with white space", text: `
		a1 - answer \n
		a2 a1 answer Yes.`, want: `
   START (UTC)       TOOK  TURNS  CALLS  ID  PROMPT
@  2026-03-04 05:06   10s      0      0  a2  (leaf) … Yes.
`},
	{name: "control characters", text: `
		u1 - prompt a` + "\t\t\x1b[31m\u202eb\u0085" + `
		` + "\a" + ` u1 prompt c`, want: `
   START (UTC)       TOOK  TURNS  CALLS  ID      PROMPT
@  2026-03-04 05:06   10s      2      0  \u0007  (leaf) a \u001b[31m\u202eb
`},
	{name: "ids with the same beginning", text: `
		u1 - prompt one
		01234567-1 u1 answer so
		01234567-2 01234567-1 prompt two
		12345678-3 01234567-1 prompt three`, want: `
     START (UTC)       TOOK  TURNS  CALLS  ID          PROMPT
@    2026-03-04 05:06    0s      1      0  12345678    (leaf) three
│ ●  2026-03-04 05:06    0s      1      0  01234567-2  (end) two
├─╯
○    2026-03-04 05:06   10s      1      0  01234567-1  one
`},
	{name: "a pi log", text: piHeader + `
		a - pi one
		b a pi two
		c a pi three`, want: `
     START (UTC)       TOOK  TURNS  CALLS  ID  PROMPT
@    2026-03-04 05:06    0s      1      0  c   (leaf) three
│ ●  2026-03-04 05:06    0s      1      0  b   (end) two
├─╯
○    2026-03-04 05:06    0s      1      0  a   one
`},
}

func TestGraph(t *testing.T) {
	t.Setenv("LC_ALL", "C.UTF-8")
	t.Setenv("COLUMNS", "")
	for _, d := range drawings {
		t.Run(d.name, func(t *testing.T) {
			text, header := strings.CutPrefix(d.text, piHeader)
			if text = logOf(text); header {
				text = piHeader + text
			}
			stdout, stderr, status := program.Run(about, run, text, append(d.args, "--graph")...)
			require.Equal(t, strings.TrimPrefix(d.want, "\n"), stdout)
			require.Empty(t, stderr)
			require.Zero(t, status)
		})
	}
}
