// Package env makes the environment of the tests and of every command that they run, and says what they could not test.
// A test that runs commands imports it, itself or by another package of the tests; TestEnvironment proves it.
//
// As soon as the package is there, the environment of the process has nothing of the user's but the PATH, TMPDIR, what
// the go command and the tests themselves are told by variables. The home is one that cannot exist, and files are made
// with the permissions of umask 022. Where the Makefile has made a folder in memory, TMPDIR is that one: see [OnDisk].
package env

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// memory is the variable that names a folder in memory, for temporary files.
const memory = "JL_TEST_MEMORY"

// kept are the variables that tests and their commands see: what the Go runtime and the go command are told, and the
// network that it may need. A variable of the Makefile or of the tests begins with one of own.
var (
	kept = strings.Fields(`PATH TMPDIR HTTP_PROXY HTTPS_PROXY NO_PROXY SSL_CERT_DIR SSL_CERT_FILE CC CGO_ENABLED
		GOAMD64 GOARCH GOARM64 GOAUTH GOCACHE GOCACHEPROG GOCOVERDIR GODEBUG GOENV GOEXPERIMENT GOFIPS140 GOFLAGS GOGC
		GOINSECURE GOMAXPROCS GOMEMLIMIT GOMODCACHE GONOPROXY GONOSUMDB GOOS GOPATH GOPRIVATE GOPROXY GORACE GOROOT
		GOSUMDB GOTMPDIR GOTOOLCHAIN GOTRACEBACK GOVCS GOWORK`)
	own = []string{"JL_TEST_", "TORTURE", "STOP_POINTS", "SCRIPT_TIMES", "FLEET_", "CLUSTER", "SLURM_CONF"}
)

// home is a folder that nobody can make.
const home = os.DevNull + "/home"

// disk is TMPDIR as the user has it, "" in a program under test.
var disk string

// done is the variable that tells a process that its environment is that of a test already.
const done = "JL_TEST_ENVIRONMENT"

func init() {
	// A program under test is in the same file as its tests, but has the environment that a test gives it.
	if os.Getenv(done) == "" && strings.HasSuffix(os.Args[0], ".test") {
		clean()
	}
}

func clean() {
	syscall.Umask(0o022)
	variables := os.Environ()
	folders := goFolders()
	os.Clearenv()
	for _, v := range variables {
		name, value, _ := strings.Cut(v, "=")
		ours := func(prefix string) bool { return strings.HasPrefix(name, prefix) }
		if slices.Contains(kept, name) || slices.ContainsFunc(own, ours) {
			_ = os.Setenv(name, value)
		}
	}
	for name, folder := range folders {
		if os.Getenv(name) == "" {
			_ = os.Setenv(name, folder)
		}
	}
	// The race detector makes each process sleep for a second at its end.
	_ = os.Setenv("GORACE", strings.TrimSpace("atexit_sleep_ms=0 "+os.Getenv("GORACE")))
	_ = os.Setenv("HOME", home)
	_ = os.Setenv("LC_ALL", "C.UTF-8")
	_ = os.Setenv("TZ", "UTC")
	_ = os.Setenv(done, "1")
	disk = os.TempDir()
	if dir := os.Getenv(memory); dir != "" {
		_ = os.Setenv("TMPDIR", dir)
	}
}

// goFolders returns where the go command keeps its settings, modules and builds unless it is told: below the home of
// the user, which is not that of the tests.
func goFolders() map[string]string {
	folders := map[string]string{}
	if dir, err := os.UserHomeDir(); err == nil {
		folders["GOPATH"] = filepath.Join(dir, "go")
	}
	if dir, err := os.UserCacheDir(); err == nil {
		folders["GOCACHE"] = filepath.Join(dir, "go-build")
	}
	if dir, err := os.UserConfigDir(); err == nil {
		folders["GOENV"] = filepath.Join(dir, "go", "env")
	}
	settings := os.Getenv("GOENV")
	if settings == "" {
		settings = folders["GOENV"]
	}
	text, _ := os.ReadFile(settings) // most users have none
	for line := range strings.Lines(string(text)) {
		name, _, _ := strings.Cut(line, "=")
		delete(folders, name) // a variable would outrank it
	}
	return folders
}

// OnDisk makes temporary files where the user has them, in place of memory: for tests of what a file system does.
func OnDisk() {
	if disk != "" {
		_ = os.Setenv("TMPDIR", disk)
	}
}

// DiskDir returns a new folder where the user has temporary files, in place of memory, and removes it at the end of the
// test: for files that are not to count as memory.
func DiskDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp(disk, "jl")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}
