package log

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"jl/test/drawn"
)

// draw returns a drawing of n entries.
func draw(n int, entry func(b *strings.Builder, k int)) string {
	var b strings.Builder
	for k := range n {
		entry(&b, k)
		b.WriteByte('\n')
	}
	return b.String()
}

// shapes are graphs on which a careless walk takes more than linear time.
var shapes = []struct {
	name string
	draw func(n int) string
	o    Options
}{
	{name: "chain", draw: func(n int) string {
		return draw(n, func(b *strings.Builder, k int) { fmt.Fprintf(b, "n%d user <n%d", k, k-1) })
	}},
	{name: "chain, children first", draw: func(n int) string {
		return draw(n, func(b *strings.Builder, k int) { fmt.Fprintf(b, "n%d user <n%d @1", k, k+1) })
	}},
	{name: "one cycle", draw: func(n int) string {
		return draw(n, func(b *strings.Builder, k int) { fmt.Fprintf(b, "n%d user <n%d", k, (k+1)%n) })
	}},
	{name: "fan-out", draw: func(n int) string {
		return draw(n, func(b *strings.Builder, k int) { fmt.Fprintf(b, "n%d user <n0", k) })
	}},
	{name: "roots", draw: func(n int) string {
		return draw(n, func(b *strings.Builder, k int) { fmt.Fprintf(b, "n%d assistant", k) })
	}},
	{name: "progress", draw: func(n int) string {
		return draw(n, func(b *strings.Builder, k int) {
			kind := "progress"
			if k == 0 || k == n-1 {
				kind = "user"
			}
			fmt.Fprintf(b, "n%d %s <n%d", k, kind, k-1)
		})
	}},
	{name: "progress, a child each", draw: func(n int) string {
		return draw(n, func(b *strings.Builder, k int) {
			kind := []string{"progress", "user"}[k%2]
			fmt.Fprintf(b, "n%d %s <n%d", k, kind, k/2*2-2)
		})
	}},
	{name: "through compactions", o: Options{Through: true}, draw: func(n int) string {
		return draw(n, func(b *strings.Builder, k int) { fmt.Fprintf(b, "n%d boundary log=n%d", k, k-1) })
	}},
	{name: "preserved lists", draw: func(n int) string {
		return draw(n, func(b *strings.Builder, k int) {
			if k%4 == 3 {
				fmt.Fprintf(b, "n%d boundary keep=n%d,n%d/n%d", k, k-2, k-1, k)
			} else {
				fmt.Fprintf(b, "n%d user <n%d", k, k-1)
			}
		})
	}},
	{name: "preserved lists of two anchors", draw: func(n int) string {
		// Each node of the second half moves all of the first half.
		return draw(n, func(b *strings.Builder, k int) {
			if k < n/2 {
				fmt.Fprintf(b, "n%d user <n0", k)
			} else {
				fmt.Fprintf(b, "n%d boundary seg=no,n%d/n%d", k, (k+1)%2, k%2)
			}
		})
	}},
	{name: "preserved lists that move nothing", draw: func(n int) string {
		return draw(n, func(b *strings.Builder, k int) {
			if k == 0 {
				b.WriteString("n0 user")
			} else {
				fmt.Fprintf(b, "n%d boundary <n0 seg=n1,n0/n0", k)
			}
		})
	}},
	{name: "parallel calls", draw: func(n int) string {
		return draw(n, func(b *strings.Builder, k int) {
			turn := k / 4 * 4
			switch k % 4 {
			case 0:
				fmt.Fprintf(b, "n%d assistant <n%d m=m%d call=a%d", k, k-1, turn, turn)
			case 1:
				fmt.Fprintf(b, "n%d assistant <n%d m=m%d call=b%d", k, k-1, turn, turn)
			case 2:
				fmt.Fprintf(b, "n%d user <n%d res=a%d", k, k-2, turn)
			case 3:
				fmt.Fprintf(b, "n%d user <n%d res=b%d", k, k-2, turn)
			}
		})
	}},
	{name: "forks, and results beside the path, around a preserved list", draw: func(n int) string {
		return draw(n, func(b *strings.Builder, k int) {
			turn, up := k/4*4, k-4
			if k < 4 {
				up = n
			}
			switch {
			case k == n/8*4:
				fmt.Fprintf(b, "n%d boundary keep=n%d,n%d/n%d", k, turn-4, turn-2, k)
			case k%4 == 0:
				fmt.Fprintf(b, "n%d assistant <n%d m=m%d call=a%d,b%d", k, up, turn, turn, turn)
			case k%4 == 1:
				fmt.Fprintf(b, "n%d user <n%d", k, turn)
			case k%4 == 2:
				fmt.Fprintf(b, "n%d user <n%d res=a%d", k, turn, turn)
			case k%4 == 3:
				fmt.Fprintf(b, "n%d user <n%d res=b%d", k, turn, turn)
			}
		})
	}},
	{name: "parallel calls of one message", draw: func(n int) string {
		return draw(n, func(b *strings.Builder, k int) {
			if k < n/2 {
				fmt.Fprintf(b, "n%d assistant <n%d m=m call=t%d", k, k-1, k)
			} else {
				fmt.Fprintf(b, "n%d user <n%d res=t%d", k, k-n/2, k-n/2)
			}
		})
	}},
	{name: "open calls of one message", draw: func(n int) string {
		return draw(n, func(b *strings.Builder, k int) {
			switch {
			case k == 0:
				b.WriteString("n0 system")
			case k <= n/2:
				fmt.Fprintf(b, "n%d assistant <n%d m=m call=t%d", k, k-1, k)
			default:
				fmt.Fprintf(b, "n%d user <n0 res=t%d @1", k, k-n/2)
			}
		})
	}},
	{name: "context below results below context", draw: func(n int) string {
		return draw(n, func(b *strings.Builder, k int) {
			switch {
			case k == 0:
				b.WriteString("n0 user")
			case k <= n/3:
				fmt.Fprintf(b, "n%d assistant <n%d m=m call=t%d @90", k, k-1, k)
			case k == n-1:
				fmt.Fprintf(b, "n%d user <n%d", k, n/3)
			case (k-n/3)%2 == 1 && k > n/3+1:
				fmt.Fprintf(b, "n%d attachment <n%d @1", k, k-1)
			case k == n/3+1:
				fmt.Fprintf(b, "n%d attachment <n%d @1", k, n/3)
			default:
				fmt.Fprintf(b, "n%d user <n%d res=t%d @1", k, k-1, (k-n/3)/2)
			}
		})
	}},
}

// BenchmarkShapes reports the time per node, which must not grow with the number of nodes.
func BenchmarkShapes(b *testing.B) {
	for _, s := range shapes {
		for _, n := range []int{6_000, 60_000} {
			b.Run(fmt.Sprintf("%s/n=%d", s.name, n), func(b *testing.B) {
				log := drawn.Log(s.draw(n))
				b.ResetTimer()
				for b.Loop() {
					tree := read(b, log, Reading{})
					tree.Path(None, s.o)
					if _, last := tree.Ends(); last != None {
						lastPrompt(tree, last)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/node")
			})
		}
	}
}

// BenchmarkMemory reports how much a Log keeps per node.
func BenchmarkMemory(b *testing.B) {
	const n = 200_000
	log := drawn.Log(draw(n, func(b *strings.Builder, k int) { fmt.Fprintf(b, "n%d user <n%d", k, k-1) }))
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	for b.Loop() {
		before := heap()
		tree := read(b, log, Reading{})
		after := heap()
		b.ReportMetric(float64(after-before)/n, "B/node")
		runtime.KeepAlive(tree)
	}
}
