package env

import (
	"hash/fnv"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// within are the tools that a tool runs itself, where its package could be there without them.
var within = map[string][]string{"parallel": {"perl"}}

// Needs skips a test unless all of these tools are installed, and names the first that is missing.
func Needs(t testing.TB, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		for _, tool := range append([]string{tool}, within[tool]...) {
			if !Has(tool) {
				t.Skip(missing(tool))
			}
		}
	}
}

// NeedsUser skips a test of what a user may not do, for root may do everything.
func NeedsUser(t testing.TB) {
	t.Helper()
	if os.Geteuid() == 0 {
		t.Skip("root may do everything")
	}
}

// NeedsRoot skips a test of what only root may do.
func NeedsRoot(t testing.TB) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root may do that")
	}
}

// Long skips a test that takes long, if the tests run with -short, as those of make check do.
func Long(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("make torture runs what takes long")
	}
}

// Half skips every second of the cases of a test, by their names, if the tests run with -short.
func Half(t testing.TB) {
	t.Helper()
	if h := fnv.New32a(); testing.Short() {
		_, _ = io.WriteString(h, t.Name())
		if h.Sum32()%2 == 0 {
			Long(t)
		}
	}
}

// NeedsTerminal skips a test that runs script(1), which gives a program a terminal. Not every one has the options.
func NeedsTerminal(t testing.TB) {
	t.Helper()
	Needs(t, "script")
	if exec.Command("script", "-qec", "true", os.DevNull).Run() != nil {
		t.Skip("script has other options here")
	}
}

// NeedsStrace skips a test that runs strace(1) where that is not allowed.
func NeedsStrace(t testing.TB) {
	t.Helper()
	Needs(t, "strace")
	if exec.Command("strace", "-qq", "-o", os.DevNull, "true").Run() != nil {
		t.Skip("strace may not trace here")
	}
}

// NotTested says that a part of a test is left out: what, in few words, and why. What and why have no line break.
// make check lists it together with the tests that are skipped.
func NotTested(t testing.TB, what, why string) {
	t.Helper()
	t.Logf("not tested: %s: %s", strings.ReplaceAll(what, ": ", ":"), why)
}

// Has reports whether a tool is installed.
func Has(tool string) bool {
	_, err := exec.LookPath(tool)
	return err == nil
}

func missing(tool string) string { return tool + " is not installed" }
