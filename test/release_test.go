package test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/env"
)

// TestReleaseHasItsChanges wants the newest changes to be those of the release, or of none.
func TestReleaseHasItsChanges(t *testing.T) {
	number := strings.TrimSpace(read(t, "../internal/cli/VERSION"))
	newest := regexp.MustCompile(`(?m)^## (.*)$`).FindStringSubmatch(read(t, "../CHANGELOG.md"))
	require.NotNil(t, newest)
	require.Regexp(t, `^(Unreleased|`+regexp.QuoteMeta(number)+` - \d{4}-\d\d-\d\d)$`, newest[1])
}

var moduleChange = regexp.MustCompile(`(?m)^    go mod edit -module (\S+)\n    find .*\n    gofmt .*$`)

// TestModuleChange gives the module another path, as CONTRIBUTING.md does.
func TestModuleChange(t *testing.T) {
	env.Long(t)
	env.Needs(t, "sh", "perl", "make")
	change := moduleChange.FindStringSubmatch(read(t, "../CONTRIBUTING.md"))
	require.NotNil(t, change)
	dir := t.TempDir()
	for _, part := range []string{"bench", "cmd", "internal", "test"} {
		require.NoError(t, os.CopyFS(filepath.Join(dir, part), os.DirFS(filepath.Join("..", part))))
	}
	for _, file := range []string{"go.mod", "go.sum", "Makefile", "packaging.mk"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(read(t, filepath.Join("..", file))), 0o644))
	}
	output(t, dir, "sh", "-ec", change[0])
	require.NotContains(t, output(t, dir, "go", "list", "-deps", "-test", "./..."), "\njl/")
	output(t, dir, "go", "test", "./internal/cli", "./test", "-run", "Version|Arrows")
	require.Contains(t, output(t, dir, "make", "-n", "build", "COMMIT=c0"), "-X "+change[1]+"/internal/cli.commit=c0")
}
