package test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jl/test/env"
)

// damagedLog returns a healthy log with its second line torn.
func damagedLog(t *testing.T, healthy []byte) []byte {
	t.Helper()
	lines := strings.SplitAfter(string(healthy), "\n")
	require.Greater(t, len(lines), 3)
	return []byte(lines[0] + lines[1][:200] + strings.Join(lines[2:], ""))
}

// exitStatus runs a command and returns its exit status and all that it prints.
func exitStatus(t *testing.T, cmd *exec.Cmd) (int, string) {
	t.Helper()
	out, err := cmd.CombinedOutput()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode(), string(out)
	}
	require.NoError(t, err)
	return 0, string(out)
}

// TestMakefileStep runs the step for a Makefile. It must tell a healthy log from a damaged
// one, name the damaged lines and print how much of the log can be reached.
func TestMakefileStep(t *testing.T) {
	healthy, err := os.ReadFile("../testdata/demo.jsonl")
	require.NoError(t, err)
	step, err := filepath.Abs("../examples/check.mk")
	require.NoError(t, err)
	bin := built(t)
	for _, test := range []struct {
		name       string
		logs       map[string][]byte
		status     int // make exits with 2 if a recipe fails
		out, never string
	}{
		{"names with characters that a shell interprets", map[string][]byte{
			"my log.jsonl": healthy, "it's.jsonl": healthy, "-x.jsonl": healthy, "$(touch pwned).jsonl": healthy, "a;touch pwned;.jsonl": healthy,
		}, 0, "my log.jsonl: healthy: 15 of 15 nodes can be reached\n", "DAMAGED"},
		{"no logs", nil, 2, "no logs\n", "healthy"},
		{"healthy", map[string][]byte{"a.jsonl": healthy}, 0, "a.jsonl: healthy: 15 of 15 nodes can be reached\n", "DAMAGED"},
		{"one damaged", map[string][]byte{"a.jsonl": healthy, "b.jsonl": damagedLog(t, healthy)}, 2, "b.jsonl:2: damage: malformed: torn entry\nb.jsonl:2: damage: recovered: torn entry\nb.jsonl:2: damage: orphan\nb.jsonl: DAMAGED: 14 of 14 nodes can be reached\n", "a.jsonl: DAMAGED"},
	} {
		t.Run(test.name, func(t *testing.T) {
			cmd := shell(t, bin, "make -f '"+step+"' check-logs")
			for name, log := range test.logs {
				require.NoError(t, os.WriteFile(filepath.Join(cmd.Dir, name), log, 0o600))
			}
			status, out := exitStatus(t, cmd)
			require.Equal(t, test.status, status, out)
			require.Contains(t, out, test.out)
			require.NotContains(t, out, test.never)
			require.Equal(t, len(test.logs), strings.Count(out, "can be reached"))
			require.NoFileExists(t, filepath.Join(cmd.Dir, "pwned"))
		})
	}
}

var runBlock = regexp.MustCompile(`(?m)^        run: \|\n((?:          .*\n)+)`)

// TestActionsStep runs the steps for GitHub Actions as they are in the file.
func TestActionsStep(t *testing.T) {
	workflow, err := os.ReadFile("../examples/check.yml")
	require.NoError(t, err)
	m := runBlock.FindAllSubmatch(workflow, -1)
	require.Len(t, m, 2)
	step := func(i int) string {
		return "set -eo pipefail\n" + strings.ReplaceAll(string(m[i][1]), "          ", "")
	}
	const head = "\n| log | prompts | answers | calls | errors | input | output |\n|---|--:|--:|--:|--:|--:|--:|\n"
	healthy, err := os.ReadFile("../testdata/demo.jsonl")
	require.NoError(t, err)
	bin := built(t)
	capture, err := os.ReadFile("../testdata/questions.jsonl")
	require.NoError(t, err)
	for _, test := range []struct {
		file         string
		log          []byte
		status       int
		out, summary string
		row          string // of the table
	}{
		{"s.jsonl", healthy, 0, "", "- `logs/s.jsonl`: 15 of 15 nodes can be reached, 0 lines or entries damaged\n", "| <code>logs/s.jsonl</code> | 3 | 4 | 3 | 0 | 10548 | 248 |\n"},
		{"used.jsonl", capture, 0, "", "", "| <code>logs/used.jsonl</code> | 3 | 2 | 2 | 3 | 30 | 69 |\n"},
		{"a\n::stop-commands::x\n50%25,b:.jsonl", []byte("{\"uuid\":\"a\"}\n{}}\n"), 1, "::error file=logs/a%0A%3A%3Astop-commands%3A%3Ax%0A50%2525%2Cb%3A.jsonl,line=2::malformed not a whole entry\n", "", ""},
		{"s.jsonl", damagedLog(t, healthy), 1, "::error file=logs/s.jsonl,line=2::malformed torn entry\n::error file=logs/s.jsonl,line=2::recovered torn entry\n::error file=logs/s.jsonl,line=2::orphan \n", "- `logs/s.jsonl`: 14 of 14 nodes can be reached, 3 lines or entries damaged\n", ""},
	} {
		t.Run(test.file, func(t *testing.T) {
			cmd := shell(t, bin, step(0))
			cmd.Env = append(cmd.Env, "GITHUB_STEP_SUMMARY="+filepath.Join(cmd.Dir, "summary"))
			require.NoError(t, os.Mkdir(filepath.Join(cmd.Dir, "logs"), 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(cmd.Dir, "logs", test.file), test.log, 0o600))
			status, out := exitStatus(t, cmd)
			require.Equal(t, test.status, status, out)
			require.Equal(t, test.out, out)
			summary, err := os.ReadFile(filepath.Join(cmd.Dir, "summary"))
			require.NoError(t, err)
			if test.summary != "" {
				require.Equal(t, test.summary, string(summary))
			}
			second := exec.Command("bash", "-c", step(1))
			second.Dir, second.Env = cmd.Dir, cmd.Env
			_, out = exitStatus(t, second)
			whole, err := os.ReadFile(filepath.Join(cmd.Dir, "summary"))
			require.NoError(t, err)
			row, ok := strings.CutPrefix(string(whole), string(summary)+head)
			require.True(t, ok, "%s: %s", out, whole)
			if test.row != "" {
				require.Equal(t, test.row, row, out)
			}
			require.Equal(t, 1, strings.Count(row, "\n"), row)
		})
	}
}

// TestJoin joins lines that raw line breaks tore. What is sound, or cannot be joined, stays.
func TestJoin(t *testing.T) {
	env.Needs(t, "python3")
	for log, want := range map[string]string{
		"":                                "",
		"{\"a\":\"b\\nc\"}\r\n \n[]\nx\n": "{\"a\":\"b\\nc\"}\r\n \n[]\nx\n",
		"{\"a\":\"b\nc\"}\n{\"a\":\"\r\n{\n\n}\",\"\xff\té\n\":1 }\r\n{}": "{\"a\":\"b\\nc\"}\n{\"a\":\"\\r\\n{\\n\\n}\",\"\xff\\té\\n\":1 }\r\n{}",
		"{\"torn\":\"x\n{\"a\":\"\\\"\n\"}\n":                             "{\"torn\":\"x\n{\"a\":\"\\\"\\n\"}\n",
		"{\"torn\":\"x\n{\"a\":1}\ny\"}\n":                                "{\"torn\":\"x\n{\"a\":1}\ny\"}\n",
		"{\"torn\":\"x\nand\n":                                            "{\"torn\":\"x\nand\n",
	} {
		cmd := exec.Command("python3", "../examples/join.py")
		cmd.Stdin = strings.NewReader(log)
		got, err := cmd.Output()
		require.NoError(t, err)
		require.Equal(t, want, string(got), "%q", log)
	}
}

// TestRepair takes out of a log what the API refuses. What names an entry of which nothing is left then names the one
// above.
func TestRepair(t *testing.T) {
	const log = `{"uuid":"u1","parentUuid":null,"type":"user","message":{"role":"user","content":"Count."}}
{"uuid":"a1","parentUuid":"u1","type":"assistant","message":{"role":"assistant","content":[{"type":"thinking","thinking":"","signature":"s"}]}}
{"uuid":"a2","parentUuid":"a1","type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":" \n"}]}}
{"uuid":"a3","parentUuid":"a2","type":"assistant","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":""},{"type":"tool_use","id":"c1","name":"Bash","input":{}}]}}
{"uuid":"a4","parentUuid":"a3","type":"assistant","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"c2","name":"Read","input":{}}]}}
{"uuid":"r1","parentUuid":"a3","type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":""},{"type":"text","text":"4"}]}]}}
{"uuid":"e","parentUuid":"r1","type":"assistant","message":{"role":"assistant","content":[]}}
{"uuid":"u2","parentUuid":"e","type":"user","message":{"role":"user","content":""}}
{"type":"last-prompt","leafUuid":"u2"}
{"uuid":"b","parentUuid":null,"logicalParentUuid":"u2","type":"system","compactMetadata":{"preservedMessages":{"anchorUuid":"a2","uuids":["a1","a3"]},"preservedSegment":{"headUuid":"a2","tailUuid":"e"}}}
`
	bin := built(t)
	rows := `jq -c '[.uuid, .parentUuid, .logicalParentUuid, .leafUuid, .compactMetadata, (.message.content | arrays[] | .text // .content // .type)] | map(values)'`
	for args, want := range map[string]string{
		"": `["u1"]
["a1","u1","thinking"]
["a3","a1","tool_use"]
["a4","a3","(a call of Read without result)"]
["r1","a3",[{"type":"text","text":"4"}]]
["e","r1"]
["e"]
["b","e",{"preservedMessages":{"anchorUuid":"a1","uuids":["a1","a3"]},"preservedSegment":{"headUuid":"a1","tailUuid":"e"}}]
`,
		"--arg thinking drop --arg parents straight": `["u1"]
["a3","u1","tool_use"]
["a4","a3","(a call of Read without result)"]
["r1","a4",[{"type":"text","text":"4"}]]
["e","r1"]
["e"]
["b","e",{"preservedMessages":{"anchorUuid":"u1","uuids":["a3"]},"preservedSegment":{"headUuid":"u1","tailUuid":"e"}}]
`,
	} {
		cmd := bare(t, bin, `jq -nc -f "$EXAMPLES"/repair.jq `+args+" | "+rows)
		cmd.Stdin = strings.NewReader(log)
		got, err := cmd.Output()
		require.NoError(t, err)
		require.Equal(t, want, string(got), args)
	}
	cmd := bare(t, bin, `jlpath --meta --session "$0" | jq -nc -f "$EXAMPLES"/repair.jq --arg thinking drop >s.jsonl; jltree --check s.jsonl | jq -c 'select(.totals) | [.nodes, .healthy, .warnings]'; jlpath --as claude s.jsonl | jq -r 'select(.uuid).uuid'`)
	cmd.Args = append(cmd.Args, "16200000-1111-4111-8111-111111111111")
	cmd.Stdin = strings.NewReader(log[:strings.Index(log, `{"uuid":"e"`)])
	got, err := cmd.Output()
	require.NoError(t, err)
	require.Equal(t, "[4,true,0]\nu1\na3\na4\nr1\n", string(got))
}

// TestMove copies a session to another folder. What the script cannot copy whole it does not copy at
// all, and it removes nothing.
func TestMove(t *testing.T) {
	const (
		id     = "7b1e55d2-0c3a-4f6b-9d21-5a8e4c90f713"
		agent  = id + "/subagents/agent-a3d10fc2.jsonl"
		legacy = "agent-old.jsonl" // of the old layout, in another folder
	)
	bin := built(t)
	for _, test := range []struct {
		name, before string // a script that runs in the home
		args         string
		status       int
		out          string
		copied       bool
	}{
		{"plain", "", "7b1e /srv/new", 0, "projects/-home-ada-orrery/" + agent + "\n", true},
		{"a slash at the end", "", "7b1e /srv/new/", 0, "", true},
		{"archived", "jlcompact --archive projects/-home-ada-orrery/*.jsonl projects/-home-ada-orrery/*/*/*.jsonl", "7b1e /srv/new", 0, "", true},
		{"torn", "sed -i '1s/.$//' projects/-home-ada-orrery/" + agent, "7b1e /srv/new", 2, "jlrel: projects/-home-ada-orrery/" + agent + ":1: ", false},
		{"not finished", "printf '{\"type\":\"us' >>projects/-home-ada-orrery/" + id + ".jsonl", "7b1e /srv/new", 1, "the last line is not finished\n", false},
		{"written at the end", `mkdir ../some; printf '#!/bin/sh\ncase $* in *-srv-new) echo {} >>%s;; esac\nexec %s "$@"\n' projects/-home-ada-orrery/` + id + `.jsonl "$(type -P sync)" >../some/sync; chmod +x ../some/sync; PATH=$PWD/../some:$PATH`, "7b1e /srv/new", 1, "move.sh: 7b1e: a file changed meanwhile\n", false},
		{"not ASCII", "", "7b1e /srv/né", 1, "move.sh: /srv/né: not an absolute path of at most 200 ASCII characters; ", false},
		{"not absolute", "", "7b1e srv", 1, "move.sh: srv: not an absolute path", false},
		{"there already", "mkdir projects/-srv-new && echo >projects/-srv-new/" + id + ".jsonl", "7b1e /srv/new", 1, "move.sh: projects/-srv-new/" + id + ".jsonl exists\n", false},
		{"an odd name", "mkdir projects/-home-ada-orrery/" + id + "/tool-results; echo >projects/-home-ada-orrery/" + id + "/tool-results/\"-a 'b\\$(x)\"", "7b1e /srv/odd", 0, "/tool-results/-a 'b$(x)\n", false},
		{"a line break in a name", "mkdir projects/-home-ada-orrery/" + id + "/tool-results; echo >projects/-home-ada-orrery/" + id + "/tool-results/$'a\\nb'", "7b1e /srv/new", 1, "a line break in a name\n", false},
		{"no such session", "", "dead /srv/new", 1, "jlrel: no session \"dead\" in .\n", false},
		{"usage", "", "7b1e", 2, "usage: move.sh SESSION... DIR\n", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			cmd := bare(t, bin, "set -e; chmod -R go= projects; "+test.before+"\n\"$EXAMPLES\"/move.sh "+test.args)
			cmd.Dir = filepath.Join(cmd.Dir, `it's "my" home`)
			cmd.Env = append(cmd.Env, "CLAUDE_CONFIG_DIR=.")
			require.NoError(t, os.CopyFS(cmd.Dir, os.DirFS("../testdata/orrery")))
			projects := filepath.Join(cmd.Dir, "projects")
			old, moved := filepath.Join(projects, "-home-ada-orrery"), filepath.Join(projects, "-srv-new")
			require.NoError(t, os.WriteFile(filepath.Join(old, "other.txt"), nil, 0o600))
			require.NoError(t, os.WriteFile(filepath.Join(old, legacy), []byte(`{"type":"user","uuid":"q","sessionId":"`+id+`","agentId":"old","isSidechain":true,"cwd":"/elsewhere"}`+"\n"), 0o600))
			status, out := exitStatus(t, cmd)
			require.Equal(t, test.status, status, out)
			require.Contains(t, out, test.out)
			require.FileExists(t, filepath.Join(old, "other.txt"))
			if !test.copied {
				if !strings.Contains(test.before, "-srv-new") {
					require.NoDirExists(t, moved)
				}
				require.NoFileExists(t, filepath.Join(moved, agent))
				require.NoFileExists(t, filepath.Join(moved, legacy))
				return
			}
			require.Len(t, strings.Split(strings.TrimSpace(out), "\n"), 4) // with the metadata of the agent
			for name, cwd := range map[string]string{id + ".jsonl": "/srv/new", agent: "/srv/new", legacy: "/elsewhere"} {
				log, err := os.ReadFile(filepath.Join(moved, name))
				require.NoError(t, err)
				require.Contains(t, string(log), `"cwd":"`+cwd+`"`)
				require.NotContains(t, string(log), `"cwd":"/home/ada/orrery"`)
				info, err := os.Stat(filepath.Join(moved, name))
				require.NoError(t, err)
				require.Equal(t, fs.FileMode(0o600), info.Mode())
			}
		})
	}
}

// TestMoveMany moves the sessions of a project in one run. One that cannot be moved does not stop the rest.
func TestMoveMany(t *testing.T) {
	const other = "8b1e55d2-0c3a-4f6b-9d21-5a8e4c90f713"
	cmd := bare(t, built(t), `log=$(ls orrery/projects/*/7b1e*.jsonl); sed s/7b1e55d2/8b1e55d2/ $log >${log/7b1e55d2/8b1e55d2}
		"$EXAMPLES"/move.sh 7b1e dead 8b1e /srv/new >old 2>said; echo $?; cat said; wc -l <old; ls orrery/projects/-srv-new; ls -A orrery/projects/-srv-new | wc -l`)
	cmd.Dir = testdata(t)
	cmd.Env = append(cmd.Env, "CLAUDE_CONFIG_DIR=orrery")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	const id = "7b1e55d2-0c3a-4f6b-9d21-5a8e4c90f713"
	require.Equal(t, "1\njlrel: no session \"dead\" in orrery\n4\n"+id+"\n"+id+".jsonl\n"+other+".jsonl\n3\n", string(out))
}

// TestUsage: without what it needs, a script says so.
func TestUsage(t *testing.T) {
	bin := built(t)
	for _, test := range []struct {
		args, want string
		status     int
	}{
		{"move.sh", "usage: move.sh SESSION... DIR\n", 2},
		{"site.sh", "usage: site.sh DIR [PRICES]\n", 2},
		{"rewind.sh", "usage: rewind.sh [-y] SESSION ENTRY | rewind.sh [-y] --back FOLDER\n", 2},
		{"blame.sh", "usage: blame.sh FILE:LINE\n", 2},
		{"week.sh a b c", "usage: week.sh [DAY [PRICES]]\n", 2},
		{"week.sh monday", "week.sh: monday: not a day, as 2026-11-20 is\n", 2},
		{"status.sh a b", "usage: status.sh [SESSION] [<INPUT]\n", 2},
		{"branch.sh a", "usage: branch.sh SESSION LEAF\n", 2},
		{"handoff.sh", "usage: handoff.sh SESSION [WHAT-TO-DO]\n", 2},
		{"opencode.sh", "usage: opencode.sh DB [SESSION] | opencode.sh EXPORT\n", 2},
		{"fleet/cut.sh 3 dir", "usage: cut.sh CHUNKS DIR COMMAND [ARGUMENT]... <LIST\n", 2},
		{"fleet/task.sh dir", "usage: task.sh DIR K\n", 2},
		{"fleet/collect.sh", "usage: collect.sh DIR\n", 2},
		{"fleet/submit.sh", "usage: submit.sh DIR [SBATCH-OPTION]...\n", 2},
		{"fleet/unit.sh", "usage: unit.sh check|edges|touched PATH|archive LOG\n", 127},
	} {
		name, _, _ := strings.Cut(test.args, " ")
		t.Run(name, func(t *testing.T) {
			status, out := exitStatus(t, with(t, bin, `"$EXAMPLES"/`+test.args, toolsOf(t, name)))
			require.Equal(t, test.want, out)
			require.Equal(t, test.status, status, out)
		})
	}
	for _, missing := range []struct{ script, tool string }{{"move.sh a b", "jlpath"}, {"site.sh a", "cmp"}, {"browse.sh", "fzf"}, {"blame.sh a:1", "grep"}, {"rewind.sh a b", "jlsnap"}, {"opencode.sh a b", "sqlite3"}, {"week.sh", "date"}, {"status.sh", "jlrel"}, {"branch.sh a b", "ln"}, {"handoff.sh a", "jlpath"}, {"merge.sh a b", "zstd"}, {"redact.sh a b", "sed"}} {
		name, _, _ := strings.Cut(missing.script, " ")
		t.Run(name+" without "+missing.tool, func(t *testing.T) {
			tools := slices.DeleteFunc(toolsOf(t, name), func(tool string) bool { return tool == missing.tool })
			env.Needs(t, tools...)
			programs := t.TempDir()
			for _, program := range installed(t, bin) {
				if filepath.Base(program) != missing.tool {
					require.NoError(t, os.Symlink(filepath.Join(bin, program), filepath.Join(programs, filepath.Base(program))))
				}
			}
			status, out := exitStatus(t, with(t, programs, `"$EXAMPLES"/`+missing.script, tools))
			require.Equal(t, name+": "+missing.tool+" is not installed\n", out)
			require.Equal(t, 2, status)
		})
	}
}

// TestTurnTakenOut takes one turn out of the middle of a conversation: all up to the entry above it, and all below its
// last one, tied together.
func TestTurnTakenOut(t *testing.T) {
	const log = `{"uuid":"u1","parentUuid":null,"type":"user","timestamp":"2026-01-01T00:00:01Z","message":{"role":"user","content":"1"}}
{"uuid":"a1","parentUuid":"u1","type":"assistant","timestamp":"2026-01-01T00:00:02Z","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"one"}]}}
{"uuid":"u2","parentUuid":"a1","type":"user","timestamp":"2026-01-01T00:00:03Z","message":{"role":"user","content":"2"}}
{"uuid":"a2","parentUuid":"u2","type":"assistant","timestamp":"2026-01-01T00:00:04Z","message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"two"}]}}
{"uuid":"u3","parentUuid":"a2","type":"user","timestamp":"2026-01-01T00:00:05Z","message":{"role":"user","content":"3"}}
{"uuid":"a3","parentUuid":"u3","type":"assistant","timestamp":"2026-01-01T00:00:06Z","message":{"id":"m3","role":"assistant","content":[{"type":"text","text":"three"}]}}
`
	cmd := bare(t, built(t), `cat >log; id=c8b1de6c-64c1-4e0f-9b5d-0a5d2f1f3e77
		{ jlpath -l a1 log; jlpath -l a2.. log; } | jlpath --bridge --meta --session $id >$id.jsonl 2>said; wc -l <said
		jlpath --as claude $id.jsonl | jq -r .uuid; jltree --check $id.jsonl | jq -c 'select(.totals) | [.healthy, .warnings]'`)
	cmd.Stdin = strings.NewReader(log)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, "1\nu1\na1\nu3\na3\n[true,0]\n", string(out))
}

// TestMoveIsWholeOrNothing moves a session to one folder twice at the same time, with some rounds ended
// by a signal. A move that succeeds has made all its copies, and they stay; else nothing is left of it.
func TestMoveIsWholeOrNothing(t *testing.T) {
	const id = "7b1e55d2-0c3a-4f6b-9d21-5a8e4c90f713"
	bin := built(t)
	rounds := 12
	if testing.Short() {
		rounds = 5
	}
	for round := range rounds {
		home := t.TempDir()
		require.NoError(t, os.CopyFS(home, os.DirFS("../testdata/orrery")))
		before := tree(t, home)
		var moves []*exec.Cmd
		for range 2 {
			cmd := bare(t, bin, `"$EXAMPLES"/move.sh `+id+" /srv/new")
			cmd.Env = append(cmd.Env, "CLAUDE_CONFIG_DIR="+home)
			cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a terminal signals all of them
			require.NoError(t, cmd.Start())
			moves = append(moves, cmd)
		}
		if round%2 == 1 {
			time.Sleep(time.Duration(round) * 15 * time.Millisecond)
			sig := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}[round%3]
			_ = syscall.Kill(-moves[0].Process.Pid, sig) // it may have ended
		}
		moved := 0
		for _, cmd := range moves {
			if err := cmd.Wait(); err == nil {
				moved++
			}
		}
		after := tree(t, home)
		for name := range before {
			require.Contains(t, after, name)
			delete(after, name)
		}
		if round%2 == 0 {
			require.Equal(t, 1, moved, "round %d", round)
		}
		if len(after) == 0 {
			require.Zero(t, moved, "round %d", round)
			require.NoDirExists(t, filepath.Join(home, "projects/-srv-new"), "round %d", round)
			continue
		}
		require.LessOrEqual(t, moved, 1, "round %d", round) // a signal may come when all is done
		require.Len(t, after, 3, "round %d: %v", round, after)
		for _, name := range []string{id + ".jsonl", id + "/subagents/agent-a3d10fc2.jsonl", id + "/subagents/agent-a3d10fc2.meta.json"} {
			require.Contains(t, after, "projects/-srv-new/"+name)
		}
	}
}

// tree returns the files below a directory.
func tree(t *testing.T, dir string) map[string]bool {
	t.Helper()
	files := map[string]bool{}
	require.NoError(t, fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files[name] = true
		}
		return err
	}))
	return files
}

// TestOpenCode: what opencode.sh cannot read costs itself and is named, none is status 1, and a title
// cannot do anything to a terminal.
func TestOpenCode(t *testing.T) {
	const bad = `insert into message values ('m0', 'ses_1', 1, 1, '{bad'), ('m3', 'ses_1', 9e12, 1, '7'), ('m4', 'ses_1', 9e12, 1, '{"role":"user","time":5}'), ` +
		`('m5', 'ses_1', 9e12, 1, '{"role":"user","time":{"created":1772445609003}}'); ` +
		`insert into part values ('p8', 'm5', 'ses_1', 0, 0, '{"type":"text","text":"Hi"}'), ('p9', 'm5', 'ses_1', 0, 0, 'nope');`
	bin := built(t)
	for _, test := range []struct {
		name, sql, args string
		status          int
		out, err        string
	}{
		{"a session", "", "db ses_1 | jq -c '[.type, .uuid, .parentUuid]'", 0, `["custom-title",null,null]` + "\n" + `["user","msg_1",null]` + "\n" +
			`["assistant","msg_2","msg_1"]` + "\n" + `["user","msg_2-results","msg_2"]` + "\n" + `["user","msg_2-results-2","msg_2-results"]` + "\n", ""},
		{"bad rows", bad, "db ses_1 | jq -r 'select(.uuid).uuid'", 2, "msg_1\nmsg_2\nmsg_2-results\nmsg_2-results-2\nm5\n", "opencode.sh: message m0 is not as OpenCode writes it\n" +
			"opencode.sh: message m3 is not as OpenCode writes it\nopencode.sh: message m4 is not as OpenCode writes it\nopencode.sh: part p9 is no JSON\n"},
		{"an undo", `update session set revert = '{"messageID":"msg_2"}';`, "db ses_1 | jq -r 'select(.uuid).uuid'", 0, "msg_1\n",
			"opencode.sh: undone messages, which are left out: 1\n"},
		{"an undo of parts", `update session set revert = '{"messageID":"msg_2","partID":"p"}';`, "db ses_1 | jq -r 'select(.uuid).uuid'", 0, "msg_1\nmsg_2\nmsg_2-results\nmsg_2-results-2\n", ""},
		{"a compaction, a thought and a command that fails", `insert into message values ('msg_3', 'ses_1', 1772445620000, 0, '{"role":"user","time":{"created":1772445620000}}'), ` +
			`('msg_4', 'ses_1', 1772445621000, 0, '{"role":"assistant","summary":true,"modelID":"gpt-5","time":{"created":1772445621000},"tokens":{"input":5,"output":6,"reasoning":0,"cache":{"read":0,"write":0}}}'), ` +
			`('msg_5', 'ses_1', 1772445622000, 0, '{"role":"assistant","time":{"created":1772445622000}}'); ` +
			`insert into part values ('p3', 'msg_3', 'ses_1', 0, 0, '{"type":"compaction","auto":false}'), ('p4', 'msg_4', 'ses_1', 0, 0, '{"type":"text","text":"So far."}'), ` +
			`('p5', 'msg_5', 'ses_1', 0, 0, '{"type":"reasoning","text":"Hm."}'), ` +
			`('p6', 'msg_5', 'ses_1', 0, 0, '{"type":"tool","callID":"c3","tool":"bash","state":{"status":"completed","input":{"command":"false"},"output":"","metadata":{"exit":1},"time":{"end":1772445623000}}}');`,
			"db ses_1 | jlpath -s | jq -c '[.is, .uuid, .failed // .text // .input, .output]'", 0, `["title","#1","Count the moons",null]` + "\n" + `["compaction","msg_3-boundary",null,null]` + "\n" +
				`["summary","msg_4-summary","So far.",null]` + "\n" + `["thinking","msg_5","Hm.",null]` + "\n" + `["call","msg_5",{"command":"false"},null]` + "\n" +
				`["result","msg_5-results",true,null]` + "\n" + `["usage","msg_4",5,6]` + "\n" + `["left",null,null,null]` + "\n", ""},
		{"no such session", "", "db ses_9", 1, "", "opencode.sh: db: no session ses_9, or no message in it\n"},
		{"no session", "delete from session;", "db", 1, "", "opencode.sh: db: no session\n"},
		{"a hostile title", `update session set title = 'a' || char(27, 7, 10, 155, 8238) || 'b';`, "db", 0,
			`ses_1` + "\t2026-03-02 10:00:10\t/home/user/moons\ta" + `\u001b\u0007\u000a\u009b\u202eb` + "\n", ""},
		{"an export with a bad message", "", "bad.json | jq -c .uuid", 2, "null\n\"m\"\n", "opencode.sh: message null is not as OpenCode writes it\n"},
		{"no file", "", "nowhere ses_1", 2, "", "Error: unable to open database \"nowhere\": unable to open database file\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			cmd := shell(t, bin, "set -o pipefail; sqlite3 db <opencode.sql; sqlite3 db \"$0\"; \"$EXAMPLES\"/opencode.sh "+test.args)
			cmd.Args = append(cmd.Args, test.sql)
			cmd.Dir = testdata(t)
			require.NoError(t, os.WriteFile(filepath.Join(cmd.Dir, "bad.json"), []byte(`{"info":{"id":"s"},"messages":[7,{"info":{"id":"m","role":"user","time":{}},"parts":[]}]}`), 0o600))
			var stderr strings.Builder
			cmd.Stderr = &stderr
			out, _ := cmd.Output()
			require.Equal(t, test.status, cmd.ProcessState.ExitCode(), stderr.String())
			require.Equal(t, test.out, string(out))
			require.Equal(t, test.err, stderr.String())
		})
	}
}

// meanwhile is a function of scripts: before and after a tool does something with log, another program does something else.
const meanwhile = `meanwhile() { # TOOL BEFORE AFTER
					mkdir -p some
					printf '#!/bin/bash\nlog=%q\ncase " $* " in *" %s "*|*" $log "*) %s; %s "$@"; got=$?; %s; exit $got;; esac\nexec %s "$@"\n' "$PWD/$log" "$log" "$2" "$(type -P $1)" "$3" "$(type -P $1)" >some/$1; chmod +x some/$1; PATH=$PWD/some:$PATH
				}`

// TestPrune: whole sessions go into archives and come back. What cannot be packed whole is named, and stays.
func TestPrune(t *testing.T) {
	const id = "3f1c9a52-7d6e-4b1f-9a3c-2e8d5b60c7a1"
	bin := built(t)
	for name, script := range map[string]string{
		"and back":                         `prune; [ $got = 0 ]; gone; jlrel --home claude --orphans >orphans; cmp orphans before.orphans; back; diff -r claude before`,
		"a name that is not text":          `mv $log "${log%/*}"/$'a\xffb.jsonl'; before=$(cksum <"${log%/*}"/$'a\xffb.jsonl'); prune; [ $got = 0 ]; [ ! -e "${log%/*}"/$'a\xffb.jsonl' ]; [ "$(zstd -dcq old/claude/a*b.tar.zst | tar -xO --wildcards '*/a*b.jsonl' | cksum)" = "$before" ]`,
		"an empty list":                    `days=365; prune; [ $got = 0 ]; diff -r claude before`,
		"another agent's home":             `touch -d '30 days ago' $(find codex -type f); cp -rp codex before; home=codex; prune; [ $got = 0 ]; [ -z "$(find codex -type f)" ]; for a in old/codex/*; do zstd -dc $a | tar -C codex -xk; done; diff -r codex before/codex`,
		"all homes":                        `cp -rp claude ~/.claude; unset CLAUDE_CONFIG_DIR; home=; prune; [ $got = 0 ]; [ ! -e ~/.claude/projects/*/$id.jsonl ]`,
		"a new one":                        `touch $log; prune; [ $got = 0 ]; [ ! -e old/claude/$id.tar.zst ]; touch -r before/plans $log; diff -r claude before`,
		"an agent that still runs":         `touch claude/projects/*/$id/subagents/*.jsonl; prune; [ $got = 0 ]; [ ! -e old/claude/$id.tar.zst ]; diff -r claude before`,
		"a damaged log":                    `printf '{"uuid":"x"}}\n' >>$log; touch -d '30 days ago' $log; cp -p $log l; prune; [ $got = 2 ]; cmp l $log; stays`,
		"an archive of something else":     `mkdir -p old/claude; echo x | zstd -q >old/claude/$id.tar.zst; prune; [ $got = 2 ]; stays; diff -r claude before`,
		"a killed run has removed some":    `prune; back; rm claude/tasks/$id/*; prune; [ $got = 0 ]; gone; back; diff -r claude before`,
		"a killed run has left a folder":   `mkdir -p old/.prune; echo "unfinished files of prune.sh" >old/.prune/mark; echo half >old/.prune/tar; prune; [ $got = 0 ]; gone; [ ! -e old/.prune ]`,
		"such a folder of another":         `mkdir -p old/.prune; echo mine >old/.prune/x; prune; [ $got = 2 ]; [ -e old/.prune/x ]; diff -r claude before`,
		"a plan that another session has":  `sed "s/$id/4f1c9a52-7d6e-4b1f-9a3c-2e8d5b60c7a1/" $log >claude/projects/-home-user-shop/4f1c9a52-7d6e-4b1f-9a3c-2e8d5b60c7a1.jsonl; prune; [ $got = 0 ]; gone; [ -e claude/plans/calm-green-fox.md ]`,
		"a plan of another's agent":        `mkdir -p $other/subagents; seed $other.jsonl; sed 's/"slug":"[^"]*",//' -i $other.jsonl; head -n 2 $log | sed "s/$id/${other##*/}/; s/\"parentUuid\"/\"agentId\":\"a1\",&/" >$other/subagents/agent-a1.jsonl; PATH=$(without zstdgrep); prune; [ $got = 0 ]; gone; [ -e claude/plans/calm-green-fox.md ]`,
		"a plan of two old sessions":       `seed $other.jsonl; touch -d '30 days ago' $other.jsonl; prune; [ $got = 0 ]; gone; [ ! -e $other.jsonl ]; [ ! -e claude/plans ]`,
		"a session that is damaged":        `seed $other.jsonl; printf '{"uuid":"x"}}\n' >>$other.jsonl; prune; [ $got = 2 ]; gone; [ -e claude/plans/calm-green-fox.md ]`,
		"the log is a link":                `mv $log real; touch -d '30 days ago' real; for to in "$PWD/real" ../../../real; do ln -sf "$to" $log; touch -hd '30 days ago' $log; prune; [ $got = 2 ]; stays; grep -q "$id.jsonl: a symbolic link" said; [ ! -e old/claude ]; done; rm $log; mv real $log; diff -r claude before`,
		"a project's folder is a link":     `mkdir real; mv claude/projects/* real; ln -s "$PWD"/real/* claude/projects; prune; [ $got = 2 ]; stays; [ ! -e old/claude ]; diff -r claude before`,
		"a home with a slash":              `home=claude/; seed $other.jsonl; prune; [ $got = 0 ]; gone; [ -e claude/plans/calm-green-fox.md ]`,
		"a line written meanwhile":         `meanwhile rm 'echo 1 >>"$log"' :; prune; [ $got = 2 ]; stays; [ "$(tail -n 1 $log)" = 1 ]; cmp <(sed '$d' $log) before/${log#*/}`,
		"…by one that has opened it":       `meanwhile rm '(exec 7>>"$log"; sleep .3; echo 1 >&7) & sleep .1' :; prune; [ $got = 2 ]; stays; cmp <(sed '$d' $log) before/${log#*/}`,
		"…by one that keeps it open":       `exec 7>>$log; prune; echo 1 >&7; [ $got = 2 ]; stays; cmp <(sed '$d' $log) before/${log#*/}`,
		"a killed run has removed the log": `rm -r $log claude/projects/*/$id; mkdir -p claude/projects/-x/$id/subagents; prune; [ $got = 0 ]`,
		"half of a surrogate pair":         `sed -i 's/Write the release notes/&\\ud83d/' claude/projects/*/8b20*; prune; [ $got = 0 ]; gone`,
		"a tool is missing":                `PATH=$(without zstd); prune; [ $got = 2 ]; [ "$(cat said)" = "prune.sh: zstd is not installed" ]; [ ! -e old ]; diff -r claude before`,
		"usage":                            `got=0; "$EXAMPLES"/prune.sh old >said 2>&1 || got=$?; [ $got = 2 ]; [ "$(cat said)" = "usage: prune.sh DAYS DIR [HOME]" ]`,
		"twice at once":                    `prune & first=$!; "$EXAMPLES"/prune.sh 20 old2 claude >said2 2>&1 || true; wait $first || true; prune; gone || [ -e old2/claude/$id.tar.zst ]; for a in old*/claude/*; do zstd -dcq $a | tar -C claude -x --skip-old-files; done; diff -r claude before`,
		"a full disk":                      `(ulimit -f 0; trap '' XFSZ; prune; exit $got) && exit 1; rm -rf old; diff -r claude before`,
	} {
		t.Run(name, func(t *testing.T) {
			env.Half(t)
			t.Parallel()
			cmd := bare(t, bin, `set -eE; trap 'echo "failed: $BASH_COMMAND; status $got"; cat said' ERR
				id=`+id+`; log=claude/projects/-home-user-shop/$id.jsonl; home=claude; : >said
				touch -d '30 days ago' $(find claude -type f); touch claude/projects/*/8b20*; cp -rp claude before; jlrel --home claude --orphans >before.orphans
				`+meanwhile+`
				prune() { got=0; "$EXAMPLES"/prune.sh ${days-20} old $home >said 2>&1 || got=$?; }
				gone() { [ -z "$(find claude -name "*$id*")" ]; [ -e old/claude/$id.tar.zst ]; }
				stays() { grep -qF "$log: not removed" said; }
				other=claude/projects/-home-user-shop/4f1c9a52-7d6e-4b1f-9a3c-2e8d5b60c7a1
				seed() { sed "s/$id/${1##*/}/; s/\.jsonl//" $log >$1; }
				without() { # a PATH with all programs but one
					mkdir -p some
					local dir
					for dir in ${PATH//:/ }; do ln -s $dir/* some 2>/dev/null || true; done
					rm some/$1
					echo "$PWD/some"
				}
				back() { for a in old/claude/*; do zstd -dcq $a | tar -C claude -x --skip-old-files; done; }
				exec 2>&1
				`+script)
			cmd.Dir = testdata(t)
			out, err := cmd.Output()
			require.NoError(t, err, "%s", out)
		})
	}
}

// TestMerge copies into a home what it lacks of another. What differs stays and is named.
func TestMerge(t *testing.T) {
	bin := built(t)
	for name, script := range map[string]string{
		"an empty home":              `mkdir mine; merge; status 0; diff -r claude mine`,
		"twice":                      `mkdir mine; merge; merge; status 0; diff -r claude mine`,
		"a backup":                   `"$EXAMPLES"/backup.sh claude bk; mkdir mine; merge bk; status 0; find mine -name '*.zst' -exec jlcompact --extract {} +; diff -r claude mine`,
		"a home that has all":        `cp -rp claude mine; rm -r claude/plans; cp -rp mine before; merge; status 0; diff -r mine before`,
		"a log that has grown":       `cp -rp claude mine; tail -n 1 $log >>$log; merge; status 0; diff -r claude mine; [ ! $log -nt mine/${log#*/} ]`,
		"…and is archived there":     `cp -rp claude mine; jlcompact --archive mine/${log#*/}; tail -n 1 $log >>$log; merge; status 0; jlcompact --extract mine/${log#*/}.zst; diff -r claude mine`,
		"…and is archived here":      `cp -rp claude mine; tail -n 1 $log >>$log; cp $log more; jlcompact --archive $log; merge; status 0; cmp more mine/${log#*/}`,
		"a log that has grown there": `cp -rp claude mine; tail -n 1 $log >>mine/${log#*/}; cp -rp mine before; merge; status 0; diff -r mine before`,
		"a log that went on in both": `cp -rp claude mine; tail -n 1 $log >>$log; head -n 2 $log | tail -n 1 >>mine/${log#*/}; cp -rp mine before; merge; status 2 "${log#*/}: not as in"; diff -r mine before`,
		"another plan":               `cp -rp claude mine; echo new >claude/plans/calm-green-fox.md; cp -rp mine before; merge; status 2 "plans/calm-green-fox.md: not as in"; diff -r mine before`,
		"history":                    `cp -rp claude mine; printf '1\n2\n3\n' >claude/history.jsonl; printf '1\n3\n4' >mine/history.jsonl; merge; status 0; [ "$(sort mine/history.jsonl | tr -d '\n')" = 1234 ]`,
		"a link here":                `mkdir mine; ln -s /etc/passwd claude/plans/x; merge; status 2 "plans/x: a symbolic link"; [ ! -e mine/plans/x ]`,
		"a link there":               `mkdir mine real; ln -s ../real mine/plans; merge; status 2 "mine/plans: a symbolic link"; [ -z "$(ls real)" ]`,
		"a name with a line break":   `mkdir mine; cp $log claude/projects/$'a\nb.jsonl'; merge; status 0; diff -r claude mine`,
		"a full disk":                `mkdir mine; (ulimit -f 1; trap '' XFSZ; merge; exit $got) && exit 1; merge; status 0; diff -r claude mine`,
		"no home":                    `mkdir mine no; merge no; status 2 "merge.sh: no: no home of an agent"`,
		"the same":                   `ln -s claude mine; merge; status 2 "are the same folder"`,
		"no destination":             `merge; status 2 "merge.sh: mine: no such folder"`,
		"usage":                      `got=0; "$EXAMPLES"/merge.sh claude >said 2>&1 || got=$?; status 2 "usage: merge.sh FROM HOME"`,
		"a line written meanwhile":   `cp -rp claude mine; theirs=$log log=mine/${log#*/}; sed '$d' $theirs >$log; meanwhile mv 'echo 1 >>"$log"' 'echo 2 >>"$log"'; merge; status 2 "$log: it changed meanwhile"; cmp <(sed '$d' $theirs; printf '1\n2\n2\n1\n') $log`,
		"…by one that keeps it open": `cp -rp claude mine; theirs=$log log=mine/${log#*/}; sed '$d' $theirs >$log; exec 7>>$log; merge; echo 1 >&7; status 2 "$log: it changed meanwhile, or another program has it open"; [ "$(tail -n 1 $log)" = 1 ]`,
	} {
		t.Run(name, func(t *testing.T) {
			env.Half(t)
			t.Parallel()
			cmd := bare(t, bin, `set -eE; trap 'echo "failed: $BASH_COMMAND; status $got"; cat said' ERR
				log=claude/projects/-home-user-shop/3f1c9a52-7d6e-4b1f-9a3c-2e8d5b60c7a1.jsonl; got=0; : >said
				`+meanwhile+`
				merge() { got=0; "$EXAMPLES"/merge.sh "${1-claude}" mine >said 2>&1 || got=$?; [ ! -e mine/.merge ]; }
				status() { [ $got = $1 ] && if [ -n "${2-}" ]; then grep -qF -e "$2" said; else [ ! -s said ]; fi; }
				exec 2>&1
				`+script)
			cmd.Dir = testdata(t)
			out, err := cmd.Output()
			require.NoError(t, err, "%s", out)
		})
	}
}

// TestRedact takes a secret out of all files of a home. What it cannot take out whole it names and leaves.
func TestRedact(t *testing.T) {
	bin := built(t)
	for name, script := range map[string]string{
		"in each file":               `echo sk-ant-1 >claude/history.jsonl; sed -i 's/clock/sk-ant-Z_2/' $log; chmod 600 $log; touch -d 2001-01-01 $log; redact; [ $got = 0 ]; [ $(wc -l <said) = 4 ]; clean; grep -q 'wall \[secret\]' $log; [ "$(stat -c '%a %y' $log | cut -c 1-14)" = "600 2001-01-01" ]; jltree --check $log >/dev/null; redact; [ $got = 0 ]; [ ! -s said ]`,
		"nothing else":               `cp -rp claude before; pattern=nowhere; redact; [ $got = 0 ]; [ ! -s said ]; diff -r claude before`,
		"in an archive":              `sed 's/clock/sk-ant-1/' $log >whole; sed -i 's/clock/sk-ant-1/' $log; jlcompact --archive $log; redact; [ $got = 0 ]; diff <(sed 's/sk-ant-1/[secret]/' whole) <(zstd -dcq $log.zst)`,
		"in a large archive":         `{ cat $log; sed 's/clock/sk-ant-1/' $log; for i in {1..2000}; do echo "{\"n\":$i$RANDOM$RANDOM}"; done; } >more; cat more >$log; jlcompact --archive $log; redact; [ $got = 0 ]; zstd -dcq $log.zst >now; ! has now || exit 1; [ "$(wc -l <now)" = "$(wc -l <more)" ]`,
		"in an archive of prune.sh":  `tar -c claude | zstd -qo claude/x.tar.zst; cp claude/x.tar.zst x; redact; [ $got = 2 ]; grep -q 'x.tar.zst: it is in this archive, which stays' said; cmp x claude/x.tar.zst`,
		"in a damaged archive":       `jlcompact --archive $log; truncate -s -30 $log.zst; cp $log.zst x; redact; [ $got = 2 ]; grep -q "$log.zst: cannot be read" said; cmp x $log.zst`,
		"it would cost an entry":     `pattern='"uuid":"[^"]*",?'; cp -rp claude before; sed -i 's/.*/{"uuid":"a","x":{"y":&}}/; s/"uuid":"a",//' $log; cp $log x; pattern='"y":'; redact; [ $got = 2 ]; cmp x $log`,
		"in a database":              `printf 'sk-ant-1\0' >claude/a.db; cp claude/a.db x; redact; [ $got = 2 ]; grep -q 'a.db: it is there, and the file stays' said; cmp claude/a.db x`,
		"behind a link":              `echo sk-ant-1 >real; ln -s ../real claude/link; redact; [ $got = 2 ]; grep -q 'claude/link: it is there' said; [ "$(cat real)" = sk-ant-1 ]`,
		"with two names":             `echo sk-ant-1 >claude/a; ln claude/a b; redact; [ $got = 2 ]; [ "$(cat b)" = sk-ant-1 ]`,
		"a name with a line break":   `echo sk-ant-1 >claude/$'a\nb'; redact; [ $got = 0 ]; grep -qF "$'claude/a\nb'" said; [ "$(cat claude/a*b)" = '[secret]' ]`,
		"a killed run":               `sed -i 's/clock/sk-ant-1/' $log; mkdir -p claude/.redact/new; echo 'unfinished files of redact.sh' >claude/.redact/mark; ln $log claude/.redact/new/old; redact; [ $got = 0 ]; clean`,
		"a line written meanwhile":   `sed -i 's/clock/sk-ant-1/' $log; meanwhile mv 'echo 1 >>"$log"' 'echo 2 >>"$log"'; redact; [ $got = 2 ]; grep -q "$log: it is there, and the file stays" said; [ "$(tail -n 4 $log)" = $'1\n2\n2\n1' ]; has $log`,
		"…by one that has opened it": `sed -i 's/clock/sk-ant-1/' $log; meanwhile mv '(exec 7>>"$log"; sleep .3; echo 1 >&7) & sleep .1' :; redact; [ $got = 2 ]; [ "$(tail -n 1 $log)" = 1 ]; has $log`,
		"…by one that keeps it open": `sed -i 's/clock/sk-ant-1/' $log; exec 7>>$log; redact; echo 1 >&7; [ $got = 2 ]; [ "$(tail -n 1 $log)" = 1 ]; has $log`,
		"no pattern":                 `for pattern in 'x*' '(' ''; do redact; [ $got = 2 ]; done`,
		"a full disk":                `cp -rp claude before; sed -i 's/clock/sk-ant-1/' $log; cp $log x; (ulimit -f 0; trap '' XFSZ; redact; exit $got) 2>/dev/null && exit 1; cmp $log x; redact; [ $got = 0 ]; clean`,
		"usage":                      `got=0; "$EXAMPLES"/redact.sh x >said 2>&1 || got=$?; [ $got = 2 ]; grep -q '^usage: redact.sh PATTERN DIR...$' said`,
	} {
		t.Run(name, func(t *testing.T) {
			env.Half(t)
			t.Parallel()
			cmd := bare(t, bin, `set -eE; trap 'echo "failed: $BASH_COMMAND; status $got"; cat said' ERR
				log=claude/projects/-home-user-shop/3f1c9a52-7d6e-4b1f-9a3c-2e8d5b60c7a1.jsonl; got=0; : >said; pattern='sk-ant-[A-Za-z0-9_-]+'
				has() { grep -qrE -e "$pattern" "$1"; }
				clean() { if has claude; then return 1; fi; }
				redact() { got=0; "$EXAMPLES"/redact.sh "$pattern" claude >said 2>&1 || got=$?; [ ! -e claude/.redact ]; }
				`+meanwhile+`
				exec 2>&1
				`+script)
			cmd.Dir = testdata(t)
			out, err := cmd.Output()
			require.NoError(t, err, "%s", out)
		})
	}
}
