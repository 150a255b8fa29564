package entry

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
)

// generated returns lines of about n bytes in all, with the shape of real logs: most lines
// are short, most bytes are in long lines, and those are tool results full of escaped
// code. JL_BENCH names a log to use instead.
func generated(b *testing.B, n int) [][]byte {
	if name := os.Getenv("JL_BENCH"); name != "" {
		data, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		return bytes.SplitAfter(data, []byte("\n"))
	}
	r := rand.New(rand.NewPCG(1, 2))
	code := `    if err := run(ctx, \"fast\", []string{\"a\"}); err != nil {\n\t\treturn fmt.Errorf(\"run: %w\", err)\n\t}\n    // the quick brown fox jumps over the lazy dog and goes on for a while\n`
	var lines [][]byte
	for i := 0; n > 0; i++ {
		var l bytes.Buffer
		fmt.Fprintf(&l, `{"parentUuid":"00000000-0000-4000-8000-%012x","isSidechain":false,"userType":"external","cwd":"/home/user/src","sessionId":"90113291-76a5-4698-9bc1-4a6bf8301fdd","version":"2.0.73","gitBranch":"main","type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_%d","type":"tool_result","content":"`, i, i)
		for size := int(1200 * (0.2 + r.ExpFloat64()*r.ExpFloat64()*3)); size > 0; size -= len(code) {
			l.WriteString(code)
		}
		fmt.Fprintf(&l, `"}]},"uuid":"00000000-0000-4000-8000-%012x","timestamp":"2026-01-01T00:00:00.000Z","toolUseResult":{"stdout":"ok","interrupted":false,"lines":[1,2,3]}}`+"\n", i+1)
		lines = append(lines, l.Bytes())
		n -= l.Len()
	}
	return lines
}

func bench(b *testing.B, f func(line []byte) bool) {
	lines := generated(b, 16<<20)
	total := 0
	for _, l := range lines {
		total += len(l)
	}
	b.SetBytes(int64(total))
	b.ReportAllocs()
	for b.Loop() {
		for _, l := range lines {
			if len(l) > 0 && !f(l) {
				b.Fatalf("%.100q", l)
			}
		}
	}
}

func BenchmarkScan(b *testing.B) {
	var e Entry
	bench(b, func(l []byte) bool { return e.Scan(bytes.TrimSuffix(l, []byte("\n"))) })
}

func BenchmarkDecode(b *testing.B) {
	var d Decoder
	bench(b, func(l []byte) bool { n, _ := d.Decode(l, 2, 5000); return n == 1 })
}

func BenchmarkValid(b *testing.B) {
	bench(b, Valid)
}

func BenchmarkIndexByteNewline(b *testing.B) {
	bench(b, func(l []byte) bool { return bytes.IndexByte(l, '\n') >= 0 })
}

// A hostile line that is ten times as long must not take more time for each byte.
func BenchmarkRecover(b *testing.B) {
	for _, test := range hostile {
		for _, size := range []int{100_000, 1_000_000} {
			b.Run(fmt.Sprintf("%s/%d", test.name, size), func(b *testing.B) {
				line := bytes.Repeat([]byte(test.text), size/len(test.text))
				var d Decoder
				for b.Loop() {
					d.Decode(line, 2, 5000)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(line)), "ns/byte")
			})
		}
	}
}
