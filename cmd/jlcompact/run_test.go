package main

import (
	"strings"

	"jl/internal/cli"
)

// An outcome is how a run ended.
type outcome struct {
	status         int
	stdout, stderr string
}

// inProcess runs the program without a process.
func inProcess(args ...string) outcome {
	var out, errs strings.Builder
	status := cli.Run("jlcompact", about, args, cli.Stdio{In: strings.NewReader(""), Out: &out, Err: &errs}, run)
	return outcome{status, out.String(), errs.String()}
}
