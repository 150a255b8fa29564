package bridge

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/forest"
	"jl/internal/log"
	"jl/test/drawn"
)

// read returns the tree of a log.
func read(t testing.TB, text string) *log.Log {
	t.Helper()
	tr, err := log.Read(strings.NewReader(text), int64(len(text)), log.Reading{}, nil)
	require.NoError(t, err)
	return tr
}

// whats are the names of what is odd.
var whats = map[log.What]string{
	log.Orphan: "orphan", log.Tied: "tied", log.NoLogical: "no logical parent", log.LostLogical: "lost logical parent",
}

func TestBridge(t *testing.T) {
	for _, c := range []struct {
		name, text, leaf string
		o                log.Options
		want, remarks    string
	}{
		{name: "to the newest that is not younger, at any distance", text: `
			u1 user @1
			u2 user @2
			u3 user @4000
			u4 user <no @3000
			z1 user @- side
			z2 user <z1 @- side`, leaf: "u4",
			want: "u2 u4", remarks: "4: tied no -> u2\n"},
		{name: "to a node of the same time", text: `
			u1 user @1
			u2 user @5
			u3 user <no @5
			z1 user @- side
			z2 user <z1 @- side`,
			want: "u2 u3", remarks: "3: tied no -> u2\n"},
		{name: "ties to the later in the file", leaf: "u2", text: `
			u1 user @1
			u2 user <no @5
			u3 user @1
			z1 user @- side
			z2 user <z1 @- side`,
			want: "u2 u3", remarks: "2: tied no -> u3\n"},
		{name: "to the anchor of a compaction, and so below what this kept", text: `
			u1 user @1
			u2 user <u1 @2
			b3 boundary keep=u2/s4 @3
			s4 user <b3 @4
			u6 user <u5 @6`,
			want: "u2 b3 s4 u6", remarks: "5: tied u5 -> s4\n"},
		{name: "to a link", text: `
			u1 user @1
			p2 progress <u1 @2
			u3 user <no @5`,
			want: "u1 p2 u3", remarks: "3: tied no -> p2\n"},
		{name: "not to a descendant", leaf: "u4", text: `
			u1 user @1
			u3 user <u2 @4
			u4 user <u3 @3
			u2 user <no @5`,
			want: "u1 u3 u4 u2", remarks: "4: tied no -> u1\n"},
		{name: "not to a descendant of a tied orphan", leaf: "x6", text: `
			u1 user @1
			u2 assistant <no @2
			x3 user <u2 @2 session=s
			u4 user <u2 @1
			x5 user <x3 @9 session=s
			x6 user <lost @9 session=s`,
			want: "u1 u2 x3 x5 x6", remarks: "6: tied lost -> x5\n" +
				"2: tied no -> u1\n"},
		{name: "not to a descendant through a tie of another class", leaf: "u4", text: `
			u1 user <gone @2
			x2 user <u1 @3 session=s
			x3 assistant <lost @4 session=s
			u5 user <x3 @1
			u4 user <x3 @5`,
			want: "u1 x2 x3 u4", remarks: "3: tied lost -> x2\n" +
				"1: tied gone\n"},
		{name: "to a node of the same session", text: `
			u1 user @1 session=s
			u2 user @2 session=t
			u3 user @3
			u4 user <no @5 session=s
			z1 user @- side
			z2 user <z1 @- side`,
			want: "u1 u4", remarks: "4: tied no -> u1\n"},
		{name: "from the main line to the main line", text: `
			u1 user @1
			u2 user @2 side
			u3 user <no @5
			z1 user @- side
			z2 user <z1 @- side`,
			want: "u1 u3", remarks: "3: tied no -> u1\n"},
		{name: "from a sidechain to a sidechain", leaf: "u3", text: `
			u1 user @1 side
			u2 user @2
			u3 user <no @5 side`,
			want: "u1 u3", remarks: "3: tied no -> u1\n"},
		{name: "without a time, to the one before it in the file", leaf: "u4", text: `
			u1 user @1
			u2 user @9
			u3 user @5 session=s
			u4 user <no @-
			u5 user @1
			z1 user @- side
			z2 user <z1 @- side`,
			want: "u2 u4", remarks: "4: tied no -> u2\n"},
		{name: "if all others are younger, to the one before it in the file", leaf: "u3", text: `
			u1 user @8
			u2 user @7
			u3 user <no @5
			u4 user @8
			z1 user @- side
			z2 user <z1 @- side`,
			want: "u2 u3", remarks: "3: tied no -> u2\n"},
		{name: "nothing before it", text: `
			u1 user <no`,
			want: "u1", remarks: "1: tied no\n"},
		{name: "several", text: `
			u1 user
			u2 user <no
			u3 user <u2
			u4 user <gone`,
			want: "u1 u2 u3 u4", remarks: "4: tied gone -> u3\n" +
				"2: tied no -> u1\n"},
		{name: "an orphan whose logical parent is missing is bridged", o: log.Options{Through: true}, text: `
			u1 user
			u3 user <no log=gone
			z1 user @- side
			z2 user <z1 @- side`,
			want: "u1 u3", remarks: "2: tied no -> u1\n"},
		{name: "bridged", text: drawn.V3 + `
			a pi:message
			b pi:message <no`, want: "a b", remarks: "3: tied no -> a\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr := read(t, drawn.Log(c.text))
			c.o.Tie = New(tr).Path()
			leaf := log.None
			if c.leaf != "" {
				leaf = tr.Find([]string{c.leaf})[c.leaf].Node
			}
			path := tr.Path(leaf, c.o)
			var ids, remarks strings.Builder
			for _, n := range path.Nodes {
				fmt.Fprintf(&ids, "%s ", tr.ID(n))
			}
			for _, o := range path.Odd {
				fmt.Fprintf(&remarks, "%d: %s %s", tr.Pos(o.At).Line, whats[o.What], o.Name)
				if o.To != log.None {
					remarks.WriteString(" -> " + tr.ID(o.To))
				}
				remarks.WriteByte('\n')
			}
			require.NoError(t, tr.Err())
			require.Equal(t, c.want, strings.TrimSpace(ids.String()))
			require.Equal(t, c.remarks, remarks.String())
		})
	}
}

// FuzzBridgedPathsEnd: a bridged path ends on any graph, and has no node twice.
func FuzzBridgedPathsEnd(f *testing.F) {
	for i := range 128 {
		var b []byte
		for k := range 120 {
			b = append(b, byte(i*k*k+i*31+k*7>>(i%3)))
		}
		f.Add(b, i%2 == 0)
	}
	f.Fuzz(func(t *testing.T, b []byte, through bool) {
		tr := read(t, drawn.Log(drawn.Graph(b)))
		for _, leaf := range append(forest.All(tr.Count), log.None) {
			seen := map[log.Node]bool{}
			for _, n := range tr.Path(leaf, log.Options{Tie: New(tr).Path(), Through: through}).Nodes {
				require.False(t, seen[n])
				seen[n] = true
			}
		}
		require.NoError(t, tr.Err())
	})
}

// BenchmarkBridge reports the time per node, which must not grow with the number of nodes.
func BenchmarkBridge(b *testing.B) {
	for _, s := range []struct {
		name string
		line func(k, n int) string
	}{
		{"orphans of one second", func(k, _ int) string { return fmt.Sprintf("n%d user <no%d @1", k, k) }},
		{"orphans without a time", func(k, n int) string {
			if k < n/2 { // children, before their parents, which are orphans: each is tied to the next child
				return fmt.Sprintf("n%d user <n%d @-", k, n-1-k)
			}
			return fmt.Sprintf("n%d user <no @-", k)
		}},
		{"orphans of many sessions", func(k, _ int) string {
			if k%3 == 0 {
				return fmt.Sprintf("n%d user <n%d session=s%d", k, k-1, k/3)
			}
			return fmt.Sprintf("n%d user <no%d session=s%d", k, k, k/3+k%3-1)
		}},
	} {
		for _, n := range []int{6_000, 60_000} {
			b.Run(fmt.Sprintf("%s/n=%d", s.name, n), func(b *testing.B) {
				var drawing strings.Builder
				for k := range n {
					drawing.WriteString(s.line(k, n) + "\n")
				}
				text := drawn.Log(drawing.String())
				b.ResetTimer()
				for b.Loop() {
					tr := read(b, text)
					tr.Path(log.None, log.Options{Tie: New(tr).Path()})
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/node")
			})
		}
	}
}
