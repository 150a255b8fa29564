package test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// jqs are the programs that the library promises one output on. .ci/run installs them.
var jqs = []string{"jq", "jq-1.7", "jq-1.8", "gojq"}

// A jqRun is what a program of the library did.
type jqRun struct {
	out, message string
	status       int
}

// runJq runs a program after the library. Each line of the output that is JSON has its members in
// the order of their names, as gojq writes them.
func runJq(t *testing.T, jq, flags, program string, input []byte) jqRun {
	t.Helper()
	library, err := os.ReadFile("../share/jl/jl.jq")
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "program.jq")
	require.NoError(t, os.WriteFile(file, append(library, program...), 0o600))
	var args []string
	if flags != "" {
		args = strings.Fields(flags)
	}
	cmd := exec.Command(jq, append(args, "-f", file)...)
	cmd.Stdin = bytes.NewReader(input)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "TZ=UTC")
	var message bytes.Buffer
	cmd.Stderr = &message
	out, err := cmd.Output()
	run := jqRun{message: message.String()}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		run.status = exit.ExitCode()
	} else {
		require.NoError(t, err)
	}
	for line := range strings.Lines(strings.TrimRight(string(out), "\n")) {
		var value any
		if line = strings.TrimSuffix(line, "\n"); json.Unmarshal([]byte(line), &value) == nil {
			sorted, err := json.Marshal(value)
			require.NoError(t, err)
			line = string(sorted)
		}
		run.out += line + "\n"
	}
	return run
}

// eachJq runs test for each jq that is installed, at the same time, and names the others.
func eachJq(t *testing.T, test func(t *testing.T, jq string)) {
	for _, jq := range jqs {
		t.Run(jq, func(t *testing.T) {
			needs(t, jq)
			t.Parallel()
			test(t, jq)
		})
	}
}

// TestJqsAgree wants the same of each function from each jq, for a log of each agent and for what is
// hard to read.
func TestJqsAgree(t *testing.T) {
	needs(t, "jq")
	const rows = `[inputs] as $all | def all: $all[];
		{said: [all | said], stream: [said(all)], prompts: [prompts(all)], answers: [answers(all)], text: [text(all)], tools: [tools(all)],
		 errors: [errors(all)], calls: [calls(all)], files: [files(all)], todos: [todos(all)], timeline: [timeline(all)], chat: [chat(all)],
		 usage: [usage_by({model, day, session, project, agentId, agentType, skill}; all)], cost: [cost_by({day}; {gpt: {input: 1, output: 2}}; all)],
		 active: active(all), patch: [patch(all)], messages: [messages(all)], openai: [openai(all)]} | to_entries | sort_by(.key)[]`
	const pages = `[inputs] as $all | try (markdown($all[]), html($all[])) catch .`
	logs, err := filepath.Glob("../testdata/questions*.jsonl")
	require.NoError(t, err)
	own, err := filepath.Glob("testdata/jq/*.jsonl")
	require.NoError(t, err)
	require.NotEmpty(t, own)
	var input []byte // one stream, because a jq takes long to start
	for _, log := range append(logs, own...) {
		text, err := os.ReadFile(log)
		require.NoError(t, err)
		input = append(append(input, bytes.TrimRight(text, "\n")...), '\n')
	}
	run := func(t *testing.T, jq string) (runs []jqRun) {
		for _, program := range []string{rows, pages} {
			run := runJq(t, jq, "-nc", program, input)
			run.message = "" // jq 1.6 writes them in another form
			require.Zero(t, run.status, jq)
			runs = append(runs, run)
		}
		return runs
	}
	want := run(t, jqs[0])
	eachJq(t, func(t *testing.T, jq string) {
		if jq != jqs[0] {
			require.Equal(t, want, run(t, jq), jq)
		}
	})
}

// TestJqPrograms wants from each jq what a program that stops early, or has a mistake of its own,
// gets without the library.
func TestJqPrograms(t *testing.T) {
	log, err := os.ReadFile("../testdata/questions.jsonl")
	require.NoError(t, err)
	// These are one program, because a jq takes long to start.
	answers := []struct{ program, want string }{
		{`any(said($all[]); .is == "call")`, `true`},
		{`[limit(2; answers($all[]))]`, `["I count them.","Four large moons."]`},
		{`[label $done | tools($all[]) | .name, break $done]`, `["Bash"]`},
		{`[first($all[] | answers)]`, `["I count them."]`},
		{`[first(calls($all[]) | select(.failed)).name]`, `["Bash"]`},
		{`[first(files($all[])).path]`, `["moons.txt"]`},
		{`[last(answers($all[]))]`, `["Four large moons."]`},
		{`[first(errors($all[])) | .name, .input.command]`, `["Bash","wc -l moons"]`},
		{`[$all[] | prompts] == [prompts($all[])]`, `true`},
		{`[first(usage($all[]))] | length`, `1`},
		{`[$all[0] | prompts(., $all[1:][])] == [prompts($all[])]`, `true`},
		{`[{timestamp: 1e308}, {timestamp: 1767225600123}, {timestamp: 1767225600} | day]`, `[null,"2026-01-01","2026-01-01"]`},
		{`[try ($all[] | said | error("mine")) catch .]`, `["mine"]`},
	}
	tests := []struct {
		flags, program, message string
		status                  int
	}{
		{"-nr", `first(timeline(inputs))`, "", 0},
		{"-r", `label $done | prompts | ., break $done`, "", 0},
		{"-nr", `[markdown(inputs)] | length > 10`, "", 0},
		{"-nr", `said(inputs) | error("mine")`, "mine", 5},
		{"-nr", `inputs | prompts | error("mine")`, "mine", 5},
		{"-nr", `files(inputs) | error("mine")`, "mine", 5},
		{"-nr", `usage(inputs) | cost({claude: {input: 1}}) | error("mine")`, "mine", 5},
		{"-nr", `html(inputs) | error("mine")`, "mine", 5},
		{"-r", `timeline(inputs)`, "use jq -n", 5},
		{"-r", `usage(inputs)`, "use jq -n", 5},
		{"-r", `usage_by({agent})`, "usage_by: agent: not one of model", 5},
		{"-nr", `usage_by({day}; inputs) | cost({})`, "the row has no model", 5},
	}
	eachJq(t, func(t *testing.T, jq string) {
		var programs, want []string
		for _, a := range answers {
			programs, want = append(programs, "("+a.program+")"), append(want, a.want)
		}
		got := runJq(t, jq, "-nc", "[inputs] as $all | "+strings.Join(programs, ", "), log)
		require.Equal(t, jqRun{out: strings.Join(want, "\n") + "\n"}, got)
		for _, test := range tests {
			got := runJq(t, jq, test.flags, test.program, log)
			require.Equal(t, test.status, got.status, "%s: %s", test.program, got.message)
			require.Contains(t, got.message, test.message, test.program)
			require.Equal(t, test.status == 0, got.out != "", test.program)
		}
	})
}
