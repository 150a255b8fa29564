package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
	"jl/test/corpus"
	"jl/test/drawn"
	"jl/test/program"
)

// rowsIn returns the rows that jlpath prints, but those that are about a part.
func rowsIn(stdin string, args ...string) (rows []string) {
	out, _, _ := program.Run(about, run, stdin, args...)
	for row := range strings.Lines(out) {
		if !strings.HasPrefix(row, `{"is":"todo"`) && !strings.HasPrefix(row, `{"is":"left"`) && !strings.HasPrefix(row, `{"is":"unread"`) && strings.HasPrefix(row, `{"is":`) {
			rows = append(rows, strings.TrimSuffix(row, "\n"))
		}
	}
	return rows
}

var (
	placeID   = regexp.MustCompile(`"uuid":"#\d+"`)
	keyMember = regexp.MustCompile(`,"key":"([0-9a-f]{16})"}$`)
)

// loose returns rows without what tells their place in the stream, sorted.
func loose(rows []string) []string {
	rows = slices.Clone(rows)
	for i, row := range rows {
		if strings.Contains(row, `"timestamp":null`) && placeID.MatchString(row) {
			row = keyMember.ReplaceAllString(row, "}")
		}
		rows[i] = placeID.ReplaceAllString(row, `"uuid":"#"`)
	}
	slices.Sort(rows)
	return rows
}

// keys returns the keys of rows that have a time, sorted.
func keys(t *testing.T, rows []string) (keys []string) {
	for _, row := range rows {
		m := keyMember.FindStringSubmatch(row)
		require.NotNil(t, m, row)
		if !strings.Contains(row, `"timestamp":null`) {
			keys = append(keys, m[1])
		}
	}
	slices.Sort(keys)
	return keys
}

// talk returns a random log of a session, as Claude Code writes it. Prompts wait in the queue: some are said later, some on another branch,
// some are taken back, and some are lost. Answers come in pieces, calls run in several folders, sub-agents report their progress, the
// conversation is compacted, and some entries come twice.
func talk(rnd *rand.Rand, session string, n int) string {
	var log strings.Builder
	var lines, ids []string
	put := func(format string, args ...any) {
		line := strings.Replace(fmt.Sprintf(format, args...), "{", fmt.Sprintf(`{"timestamp":"2026-01-01T%02d:%02d:%02d.%03dZ","sessionId":"%s",`, len(lines)/3600, len(lines)/60%60, len(lines)%60, rnd.IntN(1000), session), 1)
		lines = append(lines, line)
		log.WriteString(line + "\n")
	}
	dirs := []string{"/garden", "/garden/web", "/harbour"}
	cwd := dirs[rnd.IntN(3)]
	last := "null"
	node := func(typ, more string, args ...any) {
		id := fmt.Sprintf("%s-%04d", session, len(lines))
		put(`{"type":"%s","uuid":"%s","parentUuid":%s,"cwd":"%s",%s}`, typ, id, last, cwd, fmt.Sprintf(more, args...))
		last = `"` + id + `"`
		ids = append(ids, last)
	}
	prompt := func(words string) {
		node("user", `"message":{"role":"user","content":"%s"}`, words)
	}
	for k := range n {
		words := fmt.Sprintf("Count %d.", rnd.IntN(6))
		switch rnd.IntN(12) {
		case 0:
			put(`{"type":"queue-operation","operation":"enqueue","content":"%s"}`, words)
			if rnd.IntN(3) > 0 {
				put(`{"type":"queue-operation","operation":"%s"}`, []string{"dequeue", "remove", "popAll"}[rnd.IntN(3)])
			}
			if rnd.IntN(2) > 0 {
				prompt(words)
			}
		case 1, 2:
			prompt(words)
		case 3: // another branch, or a sub-agent
			if len(ids) > 0 {
				last = ids[rnd.IntN(len(ids))]
			}
		case 4:
			cwd = dirs[rnd.IntN(3)]
		case 5:
			put(`{"type":"progress","uuid":"%s-p%d","parentUuid":%s,"parentToolUseID":"toolu_%s_%d","data":{"type":"agent_progress","agentId":"agent%d","message":{"type":"assistant","uuid":"%s-g%d","timestamp":"2026-01-02T00:00:%02dZ","message":{"id":"msg_%s_g%d","model":"o","content":[{"type":"text","text":"Seen."}],"usage":{"input_tokens":7,"output_tokens":%d}}}}}`,
				session, k, last, session, rnd.IntN(n), rnd.IntN(2), session, k, k%60, session, rnd.IntN(n), k)
		case 6:
			put(`{"type":"ai-title","aiTitle":"Moons %d"}`, rnd.IntN(3))
		case 7:
			if node("system", `"subtype":"compact_boundary","logicalParentUuid":%s,"compactMetadata":{"trigger":"auto"}`, last); rnd.IntN(2) > 0 {
				node("user", `"isCompactSummary":true,"message":{"role":"user","content":"So far %d."}`, k)
			}
		case 8: // once more, as it was
			if len(lines) > 0 {
				log.WriteString(lines[rnd.IntN(len(lines))] + "\n")
			}
		default:
			message := fmt.Sprintf("msg_%s_%d", session, rnd.IntN(n))
			node("assistant", `"message":{"id":"%s","model":"m","content":[{"type":"text","text":"Four %d."}],"usage":{"input_tokens":5,"output_tokens":%d}}`, message, k, rnd.IntN(9))
			call := fmt.Sprintf("toolu_%s_%d", session, k)
			node("assistant", `"message":{"id":"%s","model":"m","content":[{"type":"tool_use","id":"%s","name":"%s","input":{"file_path":"a%d","content":"x\ny","subagent_type":"Explore"}}],"usage":{"input_tokens":5,"output_tokens":%d}}`,
				message, call, []string{"Write", "Task", "Read"}[rnd.IntN(3)], rnd.IntN(3), 9+rnd.IntN(9))
			if rnd.IntN(4) > 0 {
				node("user", `"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"%s","content":"ok"}]}`, call)
			}
		}
	}
	return log.String()
}

// talks returns random logs, each of a session of its own.
func talks(n int) (logs []string) {
	for seed := range uint64(n) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		logs = append(logs, talk(rnd, fmt.Sprintf("%08d-0000-4000-8000-000000000000", seed), 3+rnd.IntN(25)))
	}
	return logs
}

// sessions returns random logs, some with all that a log can hold, which name no session.
func sessions(n int) (logs []string) {
	for seed := range uint64(n / 4) {
		rnd := rand.New(rand.NewPCG(seed, 8))
		logs = append(logs, drawn.Log(drawn.Session(rnd, 3+rnd.IntN(20))))
	}
	return append(logs, talks(n-len(logs))...)
}

// some returns a sixth of n if the tests run with -short.
func some(n int) int {
	if testing.Short() {
		return (n + 5) / 6
	}
	return n
}

// copyOfAnother tells that a log begins with a copy of another one, which has rows with --through alone.
var copyOfAnother = regexp.MustCompile(`"(forked_from_id|seedLength|parentSession|history_base)"`)

// TestPartsHaveTheRowsOfAll: the rows of any part are rows of the whole log, byte for byte.
func TestPartsHaveTheRowsOfAll(t *testing.T) {
	file := filepath.Join(t.TempDir(), "log")
	check := func(name string) {
		whole := map[string]int{}
		for _, row := range rowsIn("", "-as", name) {
			whole[row]++
		}
		var ends []string
		if out, _, _ := program.Run(about, run, "", "-a", name); out != "" {
			for line := range strings.Lines(out) {
				if e := entry.Parse([]byte(line)); e.Member("uuid").IsString() && len(ends) < 60 {
					ends = append(ends, string(e.Member("uuid").Text()))
				}
			}
		}
		parts := [][]string{{"-s"}}
		if text, err := os.ReadFile(name); err == nil && !copyOfAnother.Match(text) {
			parts = append(parts, []string{"-ts"})
		}
		for i := 0; i < len(ends); i += 1 + len(ends)/some(4) {
			parts = append(parts, []string{"-s", "-l", ends[i]}, []string{"-s", "-l", ends[i] + ".." + ends[len(ends)-1]})
		}
		for _, part := range parts {
			count := map[string]int{}
			for _, row := range rowsIn("", append(part, name)...) {
				count[row]++
				if count[row] > whole[row] {
					text, _ := os.ReadFile(name)
					require.Fail(t, "no row of the whole log", "%s %s: %s\n%s", part, name, row, text)
				}
			}
		}
	}
	for _, log := range sessions(some(60)) {
		require.NoError(t, os.WriteFile(file, []byte(log), 0o666))
		if check(file); t.Failed() {
			t.Log(log)
			return
		}
	}
	for _, name := range corpusLogs(t) {
		check(name)
	}
}

// corpusLogs returns the logs of testdata and of the scripts that test the commands.
func corpusLogs(t *testing.T) []string {
	logs, _, err := corpus.Find(t.TempDir(), "../../testdata", "..")
	require.NoError(t, err)
	require.Greater(t, len(logs), 100)
	return logs
}

// TestRowsOfSeveralLogs: the rows of logs in one stream are those of each alone.
func TestRowsOfSeveralLogs(t *testing.T) {
	logs := talks(60)
	for i := range len(logs) - 2 {
		var each []string
		for _, log := range logs[i : i+3] {
			each = append(each, rowsIn(log, "-as")...)
		}
		require.Equal(t, loose(each), loose(rowsIn(strings.Join(logs[i:i+3], ""), "-as")), "logs %d to %d", i, i+2)
	}
}

// TestRowsOnce: a log that comes twice says all once, from a pipe and from a file, and one from a file what it says from a
// pipe.
func TestRowsOnce(t *testing.T) {
	logs := sessions(60)
	for _, name := range corpusLogs(t) {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		logs = append(logs, string(text))
	}
	file := filepath.Join(t.TempDir(), "log")
	for i, log := range logs {
		if log == "" || bytes.IndexByte([]byte(log), 0) >= 0 {
			continue
		}
		log = strings.TrimSuffix(log, "\n") + "\n"
		once := rowsIn(log, "-as")
		all := keys(t, once)
		require.Len(t, slices.Compact(slices.Clone(all)), len(all), "log %d: a key comes twice", i)
		pieces := strings.Contains(log, `_message_chunk"`) // those of a text may be alike, as the manual says
		if !pieces && !slices.ContainsFunc(once, func(row string) bool { return strings.Contains(row, `"timestamp":null`) }) {
			require.Equal(t, loose(once), loose(rowsIn(log+log, "-as")), "log %d", i)
			require.NoError(t, os.WriteFile(file, []byte(log+log), 0o666))
			require.Equal(t, len(once), len(rowsIn("", "-as", file)), "log %d", i)
		}
		require.NoError(t, os.WriteFile(file, []byte(log), 0o666))
		ofFile := rowsIn("", "-as", file)
		for _, row := range ofFile {
			require.NotContains(t, row, `"session":null`, "log %d", i)
		}
		require.Equal(t, len(once), len(ofFile), "log %d", i)
		if !slices.ContainsFunc(once, func(row string) bool { return strings.Contains(row, `"session":null`) }) { // which short ids go with
			require.Equal(t, all, keys(t, ofFile), "log %d", i)
		}
	}
}

// TestQueueOfFile: whichever texts wait, in whatever form an entry says them or not, a file says of the queue what a pipe does, though
// only the entries with a word of them are read ahead.
func TestQueueOfFile(t *testing.T) {
	forms := [][2]string{ // a text in the queue, and a content that says it
		{`"Paint the harbour blue."`, `"Paint the harbour blue."`},
		{`"Paint the harbour blue."`, `[{"type":"text","text":"  Paint the harb\u006fur blue.\n"}]`},
		{`"Zähle die Möwen"`, `"Z\u00e4hle die M\u00f6wen"`},
		{`"/compact keep the lights"`, `"<command-name>/compact</command-name>\n<command-message>compact</command-message>\n<command-args>keep the lights</command-args>"`},
		{`"! ls quay"`, `"<bash-input>ls quay</bash-input>"`},
		{`"Count\nthe quays"`, `"<system-reminder>Friday.</system-reminder>Count\nthe quays"`},
		{`[{"type":"text","text":"Sail"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AA=="}}]`, `[{"type":"text","text":"Sail"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AA=="}}]`},
		{`"y"`, `"y"`}, {`"12"`, `"12"`}, {`"好"`, `"好"`},
		{`"<task-notification>\n<task-id>b7b23b2</task-id>\n</task-notification>"`, `"<task-notification>\n<task-id>b7b23b2</task-id>\n</task-notification>"`},
	}
	file := filepath.Join(t.TempDir(), "log")
	for seed := range uint64(200) {
		rnd := rand.New(rand.NewPCG(seed, 9))
		var log strings.Builder
		line := 0
		put := func(format string, args ...any) {
			fmt.Fprintf(&log, `{"timestamp":"2026-01-01T00:%02d:%02d.000Z","sessionId":"5e55a000-0000-4000-8000-000000000000",%s}`+"\n", line/60, line%60, fmt.Sprintf(format, args...))
			line++
		}
		say := func(content string) {
			put(`"type":"user","uuid":"u%d","parentUuid":null,"cwd":"/harbour","message":{"role":"user","content":%s}`, line, content)
		}
		say(`"Begin."`)
		for range 1 + rnd.IntN(12) {
			form := forms[rnd.IntN(len(forms))]
			put(`"type":"queue-operation","operation":"enqueue","content":%s`, form[0])
			for range rnd.IntN(3) {
				put(`"type":"assistant","uuid":"a%d","parentUuid":"u0","message":{"role":"assistant","id":"m%[1]d","content":[{"type":"text","text":"The harbour lights, the quays."}]}`, line)
			}
			switch rnd.IntN(8) {
			case 0:
				put(`"type":"queue-operation","operation":"popAll"`)
			case 1, 2:
				put(`"type":"queue-operation","operation":"dequeue"`)
			}
			if rnd.IntN(2) > 0 {
				say(form[1])
			}
			if rnd.IntN(4) == 0 {
				say(`"Paint the harbour blue.\nCount\nthe quays"`)
			}
		}
		require.NoError(t, os.WriteFile(file, []byte(log.String()), 0o666))
		require.Equal(t, loose(rowsIn(log.String(), "-as")), loose(rowsIn("", "-as", file)), log.String())
	}
}

// TestKeysOfCopies: a copy that keeps the times has the same keys, whatever its ids and its session are.
func TestKeysOfCopies(t *testing.T) {
	id := regexp.MustCompile(`"(uuid|parentUuid|logicalParentUuid|leafUuid)":"([^"]*)"`)
	for i, log := range sessions(60) {
		copied := id.ReplaceAllString(log, `"$1":"copy-of-$2"`)
		copied = regexp.MustCompile(`"sessionId":"[^"]*"`).ReplaceAllString(copied, `"sessionId":"another session"`)
		require.Equal(t, keys(t, rowsIn(log, "-as")), keys(t, rowsIn(copied, "-as")), "log %d", i)
	}
}
