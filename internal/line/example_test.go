package line_test

import (
	"fmt"
	"os"
	"strings"

	"jl/internal/line"
)

func ExampleForward() {
	f := line.NewForward(strings.NewReader("one\ntwo\nthree\n"))
	for f.Next() {
		fmt.Printf("%d %q\n", f.Offset(), f.Bytes())
	}
	fmt.Println(f.Err())
	// Output:
	// 0 "one\ntwo\nthree\n"
	// <nil>
}

func ExampleBackward() {
	const text = "one\ntwo\nthree\n"
	b := line.NewBackward(strings.NewReader(text), int64(len(text)))
	for b.Next() {
		if _, err := b.WriteTo(os.Stdout); err != nil {
			break
		}
	}
	// Output:
	// three
	// two
	// one
}
