package main

import (
	"testing"

	"jl/test/scripttest"
)

func TestMain(m *testing.M) { scripttest.Main(m, "jlrev", main) }

func TestScripts(t *testing.T) { scripttest.Run(t, "testdata/script", nil) }
