package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/cut"
)

// BenchmarkLive finds the live part of logs of very different sizes that end alike.
// What it costs must follow the live part: compare the two in one run.
func BenchmarkLive(b *testing.B) {
	var tail bytes.Buffer
	tail.WriteString(`{"type":"system","subtype":"compact_boundary","uuid":"b","parentUuid":null}` + "\n")
	for i, before := 0, "b"; tail.Len() < 4<<20; i++ {
		id := fmt.Sprint("u", i)
		fmt.Fprintf(&tail, `{"parentUuid":"%s","type":"user","message":{"role":"user","content":"%01000d"},"uuid":"%s"}`+"\n", before, i, id)
		before = id
	}
	for _, size := range []int64{16 << 20, 4 << 30} {
		b.Run(fmt.Sprintf("%dM", size>>20), func(b *testing.B) {
			f, err := os.Create(filepath.Join(b.TempDir(), "log"))
			require.NoError(b, err)
			defer f.Close()
			// What is above is a hole but for the ends: it must not be read.
			above := `{"type":"user","uuid":"a","parentUuid":null}` + "\n"
			for place, text := range map[int64]string{
				0:                                     above,
				size - int64(tail.Len()+len(above)+1): "\n" + above,
				size - int64(tail.Len()):              tail.String(),
			} {
				_, err = f.WriteAt([]byte(text), place)
				require.NoError(b, err)
			}
			b.SetBytes(int64(tail.Len()))
			b.ReportAllocs()
			for b.Loop() {
				p, err := cut.Find(f, size)
				require.NoError(b, err)
				require.Equal(b, size-int64(tail.Len()), p.Offset)
			}
		})
	}
}
