package main

import (
	"fmt"
	"html"
	"io"
	"math"
	"slices"
	"strings"
)

// writeTable writes the results as a table in Markdown.
func writeTable(w io.Writer, results []result) {
	fmt.Fprintln(w, "| log | program | peer | wall: median | min | max | CPU: median | seconds | peak, MiB |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|")
	for _, r := range results {
		if r.skipped != "" {
			fmt.Fprintf(w, "| %s | %s | %s | skipped: %s | | | | | |\n", r.size, r.name, r.peerName, r.skipped)
			continue
		}
		fmt.Fprintf(w, "| %s | %s | %s | %.3g | %.3g | %.3g | %.3g | %.4f | %d |\n", r.size, r.name, r.peerName,
			median(r.wall), r.wall[0], r.wall[len(r.wall)-1], median(r.cpu), r.own[len(r.own)/2].wall.Seconds(), r.peak())
	}
}

// writeSlopes writes how the time and the memory of each program grow with the log, as a
// table in Markdown.
func writeSlopes(w io.Writer, results []result, sizes []string) {
	fmt.Fprint(w, "\n| program |")
	for _, size := range sizes {
		fmt.Fprintf(w, " %s: seconds | MiB/s | peak, MiB |", size)
	}
	fmt.Fprint(w, "\n|---|", strings.Repeat("---|", 3*len(sizes)), "\n")
	done := map[string]bool{}
	for _, first := range results {
		if done[first.name] || !slices.Contains(sizes, first.size) || first.skipped != "" {
			continue
		}
		done[first.name] = true
		fmt.Fprintf(w, "| %s |", first.name)
		for _, size := range sizes {
			i := slices.IndexFunc(results, func(r result) bool { return r.name == first.name && r.size == size && r.skipped == "" })
			if i < 0 {
				fmt.Fprint(w, " | | |")
				continue
			}
			n, _ := parseSize(size)
			seconds := results[i].own[len(results[i].own)/2].wall.Seconds()
			fmt.Fprintf(w, " %.4f | %.0f | %d |", seconds, float64(n>>20)/seconds, results[i].peak())
		}
		fmt.Fprintln(w)
	}
}

// writePicture writes the ratios of the wall times as a picture in SVG: a bar for each
// median, and a line from the smallest ratio to the largest, on a logarithmic scale.
func writePicture(w io.Writer, results []result) {
	const left, right, row, top = 330, 760, 22, 40
	low, high := 0.001, 100.0
	x := func(ratio float64) float64 {
		ratio = min(max(ratio, low), high)
		return left + (right-left)*math.Log(ratio/low)/math.Log(high/low)
	}
	var measured []result
	for _, r := range results {
		if r.skipped == "" {
			measured = append(measured, r)
		}
	}
	height := top + row*len(measured) + 20
	fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="%d" font-family="sans-serif" font-size="12">`+"\n", height)
	fmt.Fprintf(w, `<rect width="100%%" height="100%%" fill="white"/><text x="10" y="18">Wall time, program to peer: median, and smallest to largest of the pairs. Left of 1 the program is faster.</text>`+"\n")
	for ratio := low; ratio <= high*1.01; ratio *= 10 {
		fmt.Fprintf(w, `<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="#ccc"/><text x="%.1f" y="%d" fill="#666" text-anchor="middle">%.3g</text>`+"\n", x(ratio), top-8, x(ratio), height-18, x(ratio), height-4, ratio)
	}
	for i, r := range measured {
		y := top + row*i
		m := x(median(r.wall))
		fmt.Fprintf(w, `<text x="%d" y="%d" text-anchor="end">%s</text>`+"\n", left-10, y+12, html.EscapeString(fmt.Sprintf("%s / %s, %s", r.name, r.peerName, r.size)))
		fmt.Fprintf(w, `<rect x="%.1f" y="%d" width="%.1f" height="12" fill="#4a7ab5"/>`+"\n", min(m, x(1)), y+2, math.Abs(m-x(1)))
		fmt.Fprintf(w, `<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="black"/>`+"\n", x(r.wall[0]), y+8, x(r.wall[len(r.wall)-1]), y+8)
	}
	fmt.Fprintln(w, "</svg>")
}
