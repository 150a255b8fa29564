package source_test

import (
	"fmt"
	"io"
	"os"
	"strings"

	"jl/internal/source"
)

func Example() {
	s, err := source.Open("-", strings.NewReader("{\"uuid\":\"a\"}\n"), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	io.Copy(os.Stdout, s)
	// Output: {"uuid":"a"}
}

func ExampleSource_At() {
	s, err := source.Open("-", strings.NewReader("{\"uuid\":\"a\"}\n"), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	r, size, err := s.At()
	uuid := make([]byte, 6)
	r.ReadAt(uuid, 1)
	fmt.Println(string(uuid), size, err)
	// Output: "uuid" 13 <nil>
}
