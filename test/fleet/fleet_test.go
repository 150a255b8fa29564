package fleet

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A result is what a job answered for a unit.
type result struct {
	status        int
	out, messages string
}

// jobs are the commands of the plain loop for the logs of a unit: what unit.sh must do.
var jobs = map[string]func(t *testing.T, logs []string) result{
	"check": func(t *testing.T, logs []string) result {
		return run(t, "jltree", append([]string{"--check"}, logs...)...)
	},
	"edges": func(t *testing.T, logs []string) result {
		return run(t, "jltree", append(logs, os.DevNull)...)
	},
	"touched": touched,
}

// run runs a program of the suite.
func run(t *testing.T, program string, args ...string) result {
	var out, messages bytes.Buffer
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = &out, &messages
	err := cmd.Run()
	if _, ok := errors.AsType[*exec.ExitError](err); !ok {
		require.NoError(t, err)
	}
	return result{cmd.ProcessState.ExitCode(), out.String(), messages.String()}
}

const touchedPath = "src/energy.go"

// touched finds the tool calls of a path without grep and jq.
func touched(t *testing.T, logs []string) result {
	r := run(t, "jlrev", logs...)
	all := r.out
	r.out = ""
	for line := range strings.Lines(all) {
		var entry struct {
			UUID, Timestamp string
			Message         struct{ Content json.RawMessage }
		}
		var content []struct {
			Name  string
			Input struct {
				Path string `json:"file_path"`
			}
		}
		if json.Unmarshal([]byte(line), &entry) != nil || json.Unmarshal(entry.Message.Content, &content) != nil {
			continue
		}
		for _, c := range content {
			if strings.HasSuffix(c.Input.Path, "/"+touchedPath) {
				log, err := json.Marshal(logs[0])
				require.NoError(t, err)
				r.out += fmt.Sprintf(`{"log":%s,"agentId":null,"id":"%s","timestamp":"%s","tool":"%s"}`+"\n", log, entry.UUID, entry.Timestamp, c.Name)
			}
		}
	}
	return r
}

// logsOf returns the logs of a unit.
func logsOf(t *testing.T, unit string) []string {
	logs := []string{unit}
	folder := filepath.Join(strings.TrimSuffix(strings.TrimSuffix(unit, ".zst"), ".jsonl"), "subagents")
	entries, err := os.ReadDir(folder)
	if !errors.Is(err, fs.ErrNotExist) {
		require.NoError(t, err)
	}
	for _, e := range entries {
		logs = append(logs, filepath.Join(folder, e.Name()))
	}
	return logs
}

// listOf returns what the lists that match a pattern hold.
func listOf(t *testing.T, pattern string) []string {
	var list []string
	files, err := filepath.Glob(pattern)
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for s := range strings.SplitSeq(strings.TrimSuffix(string(text), "\x00"), "\x00") {
			list = append(list, s)
		}
	}
	return list
}

// results returns the results of a run by unit. Each unit must have one.
func results(t *testing.T, dir string, units []string) map[string]result {
	all := map[string]result{}
	chunks, err := filepath.Glob(filepath.Join(dir, "*.chunk"))
	require.NoError(t, err)
	for _, chunk := range chunks {
		base := strings.TrimSuffix(chunk, ".chunk")
		out, err := os.ReadFile(base + ".out")
		require.NoError(t, err)
		rows, err := os.ReadFile(base + ".units")
		require.NoError(t, err)
		for _, unit := range listOf(t, chunk) {
			row, rest, _ := strings.Cut(string(rows), "\n")
			field := strings.SplitN(row, "\t", 3)
			require.Len(t, field, 3, "%s: %s", chunk, unit)
			status, err := strconv.Atoi(field[0])
			require.NoError(t, err)
			size, err := strconv.Atoi(field[1])
			require.NoError(t, err)
			require.LessOrEqual(t, size, len(out))
			r := result{status: status, out: string(out[:size])}
			for strings.HasPrefix(rest, "\t") {
				var message string
				message, rest, _ = strings.Cut(rest, "\n")
				r.messages += message[1:] + "\n"
			}
			require.NotContains(t, all, unit)
			all[unit], out, rows = r, out[size:], []byte(rest)
		}
		require.Empty(t, out)
		require.Empty(t, rows)
	}
	require.Len(t, all, len(units))
	return all
}

// compare wants the results of a run to be those of the plain loop.
func compare(t *testing.T, dir, job string, units []string) {
	got := results(t, dir, units)
	same, size, statuses := 0, 0, [3]int{}
	for _, unit := range units {
		want := jobs[job](t, logsOf(t, unit))
		require.Equal(t, want, got[unit], unit)
		same++
		size += len(want.out)
		statuses[want.status]++
	}
	require.Positive(t, size)
	t.Logf("%s: %d of %d outputs are those of the plain loop: %d bytes; units by status: %v", job, same, len(units), size, statuses)
}

// A site is a folder of the shared file system, with the scripts and lists of units.
type site struct {
	t   *testing.T
	dir string
}

// newSite returns a site whose list is units. The programs must be in the PATH.
func newSite(t *testing.T, sessions Sessions) (s site, units []string) {
	s = site{t, t.TempDir()}
	require.NoError(t, os.CopyFS(filepath.Join(s.dir, "fleet"), os.DirFS("../../examples/fleet")))
	units, err := sessions.Write(filepath.Join(s.dir, "sessions"))
	require.NoError(t, err)
	s.list("units", units)
	return s, units
}

// list writes a list of units.
func (s site) list(name string, units []string) {
	require.NoError(s.t, os.WriteFile(filepath.Join(s.dir, name), []byte(strings.Join(units, "\x00")+"\x00"), 0o644))
}

// command returns a command that runs a line with bash.
func (s site) command(line string) *exec.Cmd {
	cmd := exec.Command("bash", "-c", line)
	cmd.Dir = s.dir
	return cmd
}

// sh runs a line, which must succeed, and returns what it prints.
func (s site) sh(line string) string {
	s.t.Helper()
	out, err := s.command(line).CombinedOutput()
	require.NoError(s.t, err, "%s\n%s", line, out)
	return strings.TrimSpace(string(out))
}

// fails runs a line that must end with a status, and returns what it prints.
func (s site) fails(status int, line string) string {
	s.t.Helper()
	out, err := s.command(line).CombinedOutput()
	exit, ok := errors.AsType[*exec.ExitError](err)
	require.True(s.t, ok, "%s: %v\n%s", line, err, out)
	require.Equal(s.t, status, exit.ExitCode(), "%s\n%s", line, out)
	return string(out)
}

// types runs a line of doc/fleet.md, with some words replaced.
func (s site) types(line string, oldnew ...string) string {
	s.t.Helper()
	doc, err := os.ReadFile("../../doc/fleet.md")
	require.NoError(s.t, err)
	require.Contains(s.t, string(doc), "\n"+line+"\n")
	return s.sh(strings.NewReplacer(oldnew...).Replace(line))
}

// progress returns how many units of a chunk are done and how many it has, while a task
// does it.
func (s site) progress(run, k string) (done, all int) {
	rows, _ := os.ReadFile(filepath.Join(s.dir, run, k+".new.units"))
	for row := range strings.Lines(string(rows)) {
		if !strings.HasPrefix(row, "\t") {
			done++
		}
	}
	return done, len(listOf(s.t, filepath.Join(s.dir, run, k+".chunk")))
}

// listing returns a line for each file of a run that is a result: name, hash and time.
func listing(t *testing.T, dir string, suffixes ...string) string {
	var b strings.Builder
	require.NoError(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !slices.Contains(suffixes, filepath.Ext(path)) {
			return err
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		info, err := e.Info()
		require.NoError(t, err)
		name, err := filepath.Rel(dir, path)
		require.NoError(t, err)
		fmt.Fprintf(&b, "%q %x %v\n", name, sha256.Sum256(text), info.ModTime().UTC())
		return nil
	}))
	require.NotEmpty(t, b.String())
	return b.String()
}
