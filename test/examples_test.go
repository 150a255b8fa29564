package test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
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
	needs(t, "make", "jq", "bash")
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
			cmd := shell(t, bin, "make -f "+step+" check-logs")
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

// TestActionsStep runs the step for GitHub Actions as it is in the file.
func TestActionsStep(t *testing.T) {
	needs(t, "bash", "jq")
	workflow, err := os.ReadFile("../examples/check.yml")
	require.NoError(t, err)
	m := runBlock.FindSubmatch(workflow)
	require.NotNil(t, m)
	script := "set -eo pipefail\n" + strings.ReplaceAll(string(m[1]), "          ", "")
	healthy, err := os.ReadFile("../testdata/demo.jsonl")
	require.NoError(t, err)
	bin := built(t)
	for _, test := range []struct {
		file         string
		log          []byte
		status       int
		out, summary string
	}{
		{"s.jsonl", healthy, 0, "", "- `logs/s.jsonl`: 15 of 15 nodes can be reached, 0 lines or entries damaged\n"},
		{"a\n::stop-commands::x\n50%25,b:.jsonl", []byte("{\"uuid\":\"a\"}\n{}}\n"), 1, "::error file=logs/a%0A%3A%3Astop-commands%3A%3Ax%0A50%2525%2Cb%3A.jsonl,line=2::malformed not a whole entry\n", ""},
		{"s.jsonl", damagedLog(t, healthy), 1, "::error file=logs/s.jsonl,line=2::malformed torn entry\n::error file=logs/s.jsonl,line=2::recovered torn entry\n::error file=logs/s.jsonl,line=2::orphan \n", "- `logs/s.jsonl`: 14 of 14 nodes can be reached, 3 lines or entries damaged\n"},
	} {
		t.Run(test.file, func(t *testing.T) {
			cmd := shell(t, bin, script)
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
		})
	}
}
