package main

import (
	"testing"

	"jl/test/manual"
	"jl/test/scripttest"
)

func TestMain(m *testing.M) { scripttest.Main(m, "jlpath", main) }

func TestScripts(t *testing.T) { scripttest.Run(t, "testdata/script", nil) }

func TestManual(t *testing.T) {
	manual.Test(t, manual.Program{Name: "jlpath", About: about, Flags: new(flags)})
}
