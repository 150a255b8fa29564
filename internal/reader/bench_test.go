package reader

import (
	"fmt"
	"strings"
	"testing"

	"jl/internal/log"
	"jl/test/drawn"
)

// shapes are logs of n entries that could take more than linear time.
var shapes = map[string]func(b *strings.Builder, n, k int){
	"a long path":             func(b *strings.Builder, n, k int) { fmt.Fprintf(b, "n%d user <n%d", k, k-1) },
	"orphans of one time":     func(b *strings.Builder, n, k int) { fmt.Fprintf(b, "n%d user <x%d @1", k, k) },
	"progress above progress": func(b *strings.Builder, n, k int) { fmt.Fprintf(b, "n%d progress <n%d", k, k-1) },
	"children of progress": func(b *strings.Builder, n, k int) {
		fmt.Fprintf(b, "n%d %s <n%d", k, []string{"progress", "user"}[k%2], k-1)
	},
	"lists that move the same children": func(b *strings.Builder, n, k int) {
		switch {
		case k < n/2:
			fmt.Fprintf(b, "n%d user <n%d", k, n/2)
		default:
			fmt.Fprintf(b, "n%d boundary seg=n%d,n%d/n%d", k, k+1, k+1, k)
		}
	},
	"forks": func(b *strings.Builder, n, k int) { fmt.Fprintf(b, "n%d user <n%d", k, k/2) },
	"one message": func(b *strings.Builder, n, k int) {
		fmt.Fprintf(b, "n%d assistant <n%d m=m call=t%d", k, k-1, k)
	},
	"answers far from their calls": func(b *strings.Builder, n, k int) {
		if k < n/2 {
			fmt.Fprintf(b, "n%d assistant <n%d m=m%d call=t%d", k, k-1, k, k)
		} else {
			fmt.Fprintf(b, "n%d user <n0 res=t%d", k, k-n/2)
		}
	},
	"open calls of one message": func(b *strings.Builder, n, k int) {
		switch {
		case k == 0:
			b.WriteString("n0 system")
		case k <= n/2:
			fmt.Fprintf(b, "n%d assistant <n%d m=m call=t%d", k, k-1, k)
		default:
			fmt.Fprintf(b, "n%d user <n0 res=t%d @1", k, k-n/2)
		}
	},
	"context below results below context": func(b *strings.Builder, n, k int) {
		switch {
		case k == 0:
			b.WriteString("n0 user")
		case k <= n/3:
			fmt.Fprintf(b, "n%d assistant <n%d m=m call=t%d @90", k, k-1, k)
		case k == n-1:
			fmt.Fprintf(b, "n%d user <n%d", k, n/3)
		case k == n/3+1:
			fmt.Fprintf(b, "n%d attachment <n%d @1", k, n/3)
		case (k-n/3)%2 == 1:
			fmt.Fprintf(b, "n%d attachment <n%d @1", k, k-1)
		default:
			fmt.Fprintf(b, "n%d user <n%d res=t%d @1", k, k-1, (k-n/3)/2)
		}
	},
	"a cycle": func(b *strings.Builder, n, k int) { fmt.Fprintf(b, "n%d user <n%d", k, (k+1)%n) },
}

// BenchmarkShapes reports the time per node, which must not grow with the number of nodes.
func BenchmarkShapes(b *testing.B) {
	for name, draw := range shapes {
		for rules := Claude21; rules <= SDK; rules++ {
			for _, n := range []int{6_000, 60_000} {
				b.Run(fmt.Sprintf("%s/%s/n=%d", name, rules, n), func(b *testing.B) {
					var text strings.Builder
					for k := range n {
						draw(&text, n, k)
						text.WriteByte('\n')
					}
					r := read(b, drawn.Log(text.String()), rules)
					for b.Loop() {
						New(r.t, rules).Path(log.None, log.Options{}, false)
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/node")
				})
			}
		}
	}
}
