package frames_test

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"jl/internal/frames"
)

func ExampleWriter() {
	var archive bytes.Buffer
	z, err := frames.NewWriter(&archive, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	io.WriteString(z, "{\"uuid\":\"a\"}\n")
	if err := z.Close(); err != nil {
		fmt.Println(err)
		return
	}
	s := frames.NewStream(&archive)
	defer s.Close()
	io.Copy(os.Stdout, s)
	// Output: {"uuid":"a"}
}
