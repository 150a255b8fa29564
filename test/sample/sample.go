// Package sample makes text for tests of what reads and compresses logs.
package sample

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Lines returns at least n bytes of lines that compress about as well as a log.
func Lines(n int) string {
	rnd := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("the file was read and then a test failed because of an error in line function return value")
	var log strings.Builder
	for log.Len() < n {
		fmt.Fprintf(&log, "{\"uuid\":\"%016x%016x\",\"message\":\"", rnd.Uint64(), rnd.Uint64())
		for range 100 {
			log.WriteString(words[rnd.IntN(len(words))] + " ")
		}
		log.WriteString("\"}\n")
	}
	return log.String()
}

// RandomLines returns up to n bytes in lines of several lengths.
func RandomLines(rnd *rand.Rand, n int) string {
	b := make([]byte, rnd.IntN(n+1))
	often := 1 + rnd.IntN(40)
	for i := range b {
		b[i] = "abcdefgh"[rnd.IntN(8)]
		if rnd.IntN(often) == 0 {
			b[i] = '\n'
		}
	}
	return string(b)
}
