package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"jl/internal/frames"
	"jl/test/program"
)

func asIs(b []byte) []byte { return b }

func gzipped(b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(b) // memory does not fail
	_ = w.Close()
	return out.Bytes()
}

func zstded(b []byte) []byte {
	w, _ := zstd.NewWriter(nil) // no option is wrong
	return w.EncodeAll(b, nil)
}

// archive returns the archive that jlcompact makes of a log.
func archive(b []byte) []byte {
	var out bytes.Buffer
	w, _ := frames.NewWriter(&out, 3)
	_, _ = w.Write(b)
	_ = w.Close()
	return out.Bytes()
}

// TestPackedList lists one log, compressed in all ways. Its prompt is at the beginning,
// and its title at the end.
func TestPackedList(t *testing.T) {
	logOf := func(middle int) []byte {
		return []byte(`{"type":"user","cwd":"/w","timestamp":"2026-01-01T00:00:00Z","message":{"content":"prompt"}}` + "\n" +
			strings.Repeat(`{"type":"assistant","message":{"content":"not looked at at all"}}`+"\n", middle/67) +
			`{"type":"custom-title","customTitle":"title"}` + "\n")
	}
	small, long, huge := logOf(0), logOf(400<<10), logOf(17<<20)
	badTable := func(b []byte) []byte { // a size in the table
		b = archive(b)
		b[len(b)-12] ^= 1
		return b
	}
	const (
		all      = `{"customTitle":"title","firstPrompt":"prompt"`
		headOnly = `{"customTitle":null,"firstPrompt":"prompt","compressed":true,"headOnly":true`
	)
	tests := []struct {
		name, suffix string
		log          []byte
		pack         func([]byte) []byte
		want         string
		said         string
	}{
		{"small", ".jsonl", small, asIs, all + "}", ""},
		{"small gzip", ".jsonl.gz", small, gzipped, all + `,"compressed":true}`, ""},
		{"gzip by another name", ".jsonl", small, gzipped, all + `,"compressed":true}`, ""},
		{"zstd by another name", ".jsonl", long, zstded, all + `,"compressed":true}`, ""},
		{"small archive", ".jsonl.zst", small, archive, all + `,"compressed":true}`, ""},
		{"long", ".jsonl", long, asIs, all + "}", ""},
		{"long gzip", ".jsonl.gz", long, gzipped, all + `,"compressed":true}`, ""},
		{"long zstd", ".jsonl.zst", long, zstded, all + `,"compressed":true}`, ""},
		{"long archive", ".jsonl.zst", long, archive, all + `,"compressed":true}`, ""},
		{"damaged table", ".jsonl.zst", long, badTable, all + `,"compressed":true}`, ""},
		{"huge archive", ".jsonl.zst", huge, archive, all + `,"compressed":true}`, ""},
		{"huge gzip", ".jsonl.gz", huge, gzipped, headOnly + "}", ""},
		{"huge zstd", ".jsonl.zst", huge, zstded, headOnly + "}", ""},
		{"plain by another name", ".jsonl.zst", long, asIs, all + "}", ""},
		{"plain after rubbish", ".jsonl", append([]byte("rubbish\n"), long...), asIs, all + "}", ""},
		{"cut archive", ".jsonl.zst", long, func(b []byte) []byte { return archive(b)[:60] }, "", "damaged"},
		{"cut behind the head", ".jsonl.gz", huge, func(b []byte) []byte { b = gzipped(b); return b[:len(b)/4] }, headOnly + "}", "damaged gzip data"},
		{"empty", ".jsonl.gz", nil, gzipped, "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			home := t.TempDir()
			name := filepath.Join(home, "projects", "-w", id+test.suffix)
			write(t, string(test.pack(test.log)), name)
			out, said, status := program.Run(about, run, "", "--home", home, "--list")
			switch {
			case test.said == "" && test.want == "":
				require.Equal(t, "jlrel: no session in "+home+"\n", said)
				require.Equal(t, 1, status)
			case test.said == "":
				require.Empty(t, said)
			default:
				require.Regexp(t, "^jlrel: "+name+": .*"+test.said+".*\n$", said)
				require.Equal(t, 2, status)
			}
			if test.want == "" {
				require.Empty(t, out)
				return
			}
			var row struct {
				CustomTitle *string `json:"customTitle"`
				FirstPrompt *string `json:"firstPrompt"`
				Compressed  bool    `json:"compressed,omitempty"`
				HeadOnly    bool    `json:"headOnly,omitempty"`
			}
			require.NoError(t, json.Unmarshal([]byte(out), &row))
			got, err := json.Marshal(row)
			require.NoError(t, err)
			require.Equal(t, test.want, string(got))
			info, err := os.Stat(name)
			require.NoError(t, err)
			require.Contains(t, out, fmt.Sprintf(`"fileSize":%d,"path":"%s"`, info.Size(), name))
		})
	}
}
