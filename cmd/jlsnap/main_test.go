package main

import (
	"testing"

	"jl/test/program"
)

func TestMain(m *testing.M) { program.Main(m, "jlsnap", main) }

func TestProgram(t *testing.T) { program.Test(t, about, new(flags), nil) }
