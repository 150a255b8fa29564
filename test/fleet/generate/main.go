// Generate writes session logs below a directory and prints their paths, each ended by NUL:
//
//	go run ./test/fleet/generate -n 300 -bytes 1000000 DIR >units
//
// The texts are made of random words, so the logs compress about as real ones do.
package main

import (
	"flag"
	"fmt"
	"os"

	"jl/test/fleet"
)

func main() {
	var s fleet.Sessions
	flag.IntVar(&s.N, "n", 300, "the number of sessions")
	flag.IntVar(&s.Bytes, "bytes", 60_000, "the mean size of a log")
	flag.IntVar(&s.Huge, "huge", 0, "how many times as large the first log is")
	flag.IntVar(&s.Damaged, "damaged", 0, "how many are damaged")
	flag.IntVar(&s.Missing, "missing", 0, "how many are printed but not written")
	flag.Parse()
	if flag.NArg() != 1 || s.N < 1 || s.Bytes < 1 {
		flag.Usage()
		os.Exit(2)
	}
	paths, err := s.Write(flag.Arg(0))
	for _, path := range paths {
		fmt.Print(path, "\x00")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}
