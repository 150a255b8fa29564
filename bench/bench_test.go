package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The same seed makes the same log, another seed another one, and each line is an entry.
func TestCorpus(t *testing.T) {
	const size = 1 << 20
	dir := t.TempDir()
	read := func(name string, seed uint64) []byte {
		name = filepath.Join(dir, name)
		require.NoError(t, writeCorpus(name, size, longText, seed))
		log, err := os.ReadFile(name)
		require.NoError(t, err)
		return log
	}
	log := read("a", 1)
	require.GreaterOrEqual(t, len(log), size)
	require.True(t, bytes.Equal(log, read("b", 1)))
	require.False(t, bytes.Equal(log, read("c", 2)))
	require.NoError(t, writeCorpus(filepath.Join(dir, "short"), size, shortText, 1))
	short, err := os.ReadFile(filepath.Join(dir, "short"))
	require.NoError(t, err)
	longest := func(log []byte) (most int) {
		for line := range bytes.Lines(log) {
			most = max(most, len(line))
		}
		return most
	}
	require.Less(t, longest(short), 4*shortText)
	require.Greater(t, longest(log), 40*shortText)
	known := map[string]bool{"": true}
	for line := range bytes.Lines(log) {
		var e struct{ UUID, ParentUUID string }
		require.NoError(t, json.Unmarshal(line, &e))
		require.True(t, known[e.ParentUUID])
		known[e.UUID] = true
	}
}

func TestCompare(t *testing.T) {
	r, err := compare(comparison{argv: []string{"true"}, peer: []string{"no-such-program"}, times: 3})
	require.NoError(t, err)
	require.Equal(t, "no-such-program is not installed", r.skipped)

	_, err = compare(comparison{argv: []string{"true"}, peer: []string{"false"}, times: 3})
	require.ErrorContains(t, err, "false: exit status 1")

	r, err = compare(comparison{name: "own", peerName: "peer & co", argv: []string{"true"}, peer: []string{"true"}, times: 3})
	require.NoError(t, err)
	require.Len(t, r.wall, 3)
	require.LessOrEqual(t, r.wall[0], r.wall[2])
	require.Len(t, r.most, 3)
	require.Positive(t, median(r.most))

	var table, picture strings.Builder
	results := []result{r, {comparison: comparison{name: "other"}, skipped: "it is not installed"}}
	writeTable(&table, results)
	require.Contains(t, table.String(), "| own | peer & co |")
	require.Contains(t, table.String(), "skipped: it is not installed")
	writePicture(&picture, results)
	require.Contains(t, picture.String(), "own / peer &amp; co")
	require.NotContains(t, picture.String(), "other")
}

func TestSlopes(t *testing.T) {
	var table strings.Builder
	run := func(name, size string, seconds int) result {
		return result{comparison: comparison{name: name}, size: size, own: []cost{{wall: time.Duration(seconds) * time.Second, peak: 2048}}}
	}
	writeSlopes(&table, []result{run("a", "16M", 1), run("a", "16M", 7), run("a", "2G", 4), run("b", "2G", 8), run("c", "empty", 1)}, []string{"16M", "2G"})
	require.Contains(t, table.String(), "| a | 1.0000 | 16 | 2 | 4.0000 | 512 | 2 |\n")
	require.Contains(t, table.String(), "| b | | | | 8.0000 | 256 | 2 |\n")
	require.NotContains(t, table.String(), "| c |")
}

// TestEnds: both ends of each log of a home can be read.
func TestEnds(t *testing.T) {
	home := t.TempDir()
	require.NoError(t, writeHome(home, 3, 1))
	logs, err := filepath.Glob(filepath.Join(home, "projects", "*", "*.jsonl"))
	require.NoError(t, err)
	require.Len(t, logs, 3)
	require.NoError(t, readEnds(home))
	require.Error(t, readEnds(filepath.Join(home, "gone")))
}

func TestParseSize(t *testing.T) {
	for text, want := range map[string]int64{"16M": 16 << 20, "2G": 2 << 30} {
		got, err := parseSize(text)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	for _, text := range []string{"", "16", "M", "1.5G"} {
		_, err := parseSize(text)
		require.Error(t, err, text)
	}
}
