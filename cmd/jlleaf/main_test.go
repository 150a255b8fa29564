package main

import (
	"testing"

	"jl/test/manual"
	"jl/test/scripttest"
)

func TestMain(m *testing.M) { scripttest.Main(m, "jlleaf", main) }

func TestScripts(t *testing.T) { scripttest.Run(t, "testdata/script", nil) }

func TestManual(t *testing.T) {
	manual.Test(t, manual.Program{Name: "jlleaf", About: about, Flags: new(flags)})
}
