package test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"hash"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/env"
)

// output runs a command in a folder and returns what it prints.
func output(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}

// TestSource makes the source of the last commit, builds it by each recipe that is for it, and wants the programs to
// know their release and their commit.
func TestSource(t *testing.T) {
	env.Long(t)
	env.Needs(t, "make", "tar", "gzip", "sha256sum")
	needsClone(t)
	number := strings.TrimSpace(read(t, "../internal/cli/VERSION"))
	if output(t, "..", "git", "show", "HEAD:internal/cli/VERSION") != number+"\n" {
		t.Skip("the last commit has another number")
	}
	dist := t.TempDir()
	output(t, "..", "make", "-s", "dist-source", "DIST="+dist)
	archive := filepath.Join(dist, "jl-"+number+".tar.gz")
	sum := sha256.Sum256([]byte(read(t, archive)))
	for _, recipe := range []string{"jl.rb", "PKGBUILD"} {
		text := read(t, filepath.Join(dist, recipe))
		require.NotRegexp(t, `@[A-Z0-9]+@`, text)
		require.Contains(t, text, `file://`+archive)
		require.Contains(t, text, hex.EncodeToString(sum[:]))
		require.Contains(t, text, number)
	}

	output(t, dist, "tar", "-xzf", archive)
	source := filepath.Join(dist, "jl-"+number)
	head := output(t, "..", "git", "rev-parse", "HEAD")
	output(t, source, "make", "-s", "build")
	require.Equal(t, "jlpath (jl suite) "+number+" ("+head[:12]+")\n", output(t, source, "bin/jlpath", "--version"))

	t.Run("formula", func(t *testing.T) {
		env.Needs(t, "ruby")
		stand, err := filepath.Abs("testdata/formula.rb")
		require.NoError(t, err)
		out := output(t, dist, "ruby", "-w", stand, filepath.Join(dist, "jl.rb"), source, filepath.Join(dist, "cellar"))
		require.True(t, strings.HasSuffix(out, "tested\n"), out)
	})
	t.Run("PKGBUILD", func(t *testing.T) {
		env.Needs(t, "bash")
		functions := `set -eu; pkgdir=` + filepath.Join(dist, "arch") + `; . ./PKGBUILD; build; check; package`
		require.Contains(t, output(t, dist, "bash", "-c", functions), "a tree of entries")
		files := installed(t, filepath.Join(dist, "arch"))
		require.Contains(t, files, "/usr/bin/jlpath")
		require.Contains(t, files, "/usr/share/licenses/jl/LICENSE")
	})
	t.Run("flake", func(t *testing.T) {
		env.Needs(t, "nix-instantiate", "sh")
		stand, err := filepath.Abs("testdata/flake.nix")
		require.NoError(t, err)
		text := output(t, source, "nix-instantiate", "--store", "dummy://", "--eval", "--strict", "--json", stand,
			"--arg", "flake", "import ./packaging/flake.nix", "--argstr", "rev", strings.TrimSpace(head))
		var phases map[string]string // of each system
		require.NoError(t, json.Unmarshal([]byte(text), &phases), text)
		require.Len(t, phases, 4)
		out := filepath.Join(dist, "nix")
		require.Contains(t, output(t, source, "sh", "-euc", "out="+out+"\n"+phases["x86_64-linux"]), "a tree of entries")
		require.Contains(t, output(t, out, "bin/jlpath", "--version"), number+" ("+head[:12]+")\n")
	})
}

// TestShellOfPackages runs shellcheck on what makes packages.
func TestShellOfPackages(t *testing.T) {
	env.Needs(t, "shellcheck")
	output(t, "../packaging", "shellcheck", "debian", "licenses")
	output(t, "../packaging", "shellcheck", "-s", "bash", "-e", "SC2034,SC2154", "PKGBUILD") // makepkg reads and sets variables
}

var vendorHash = regexp.MustCompile(`vendorHash = "(.*?)"`)

// TestVendorHash wants the hash in the flake to be that of the modules of go.mod.
func TestVendorHash(t *testing.T) {
	vendor := filepath.Join(t.TempDir(), "vendor")
	output(t, "..", "go", "mod", "vendor", "-o", vendor)
	h := sha256.New()
	archived(h, "nix-archive-1")
	archiveNode(t, h, vendor)
	want := "sha256-" + base64.StdEncoding.EncodeToString(h.Sum(nil))
	m := vendorHash.FindStringSubmatch(read(t, "../packaging/flake.nix"))
	require.NotNil(t, m)
	require.Equal(t, want, m[1], "packaging/flake.nix needs the first")
}

// archived writes strings as Nix's archives have them: the length, and the bytes to the next multiple of 8.
func archived(h hash.Hash, strings ...string) {
	for _, s := range strings {
		_ = binary.Write(h, binary.LittleEndian, uint64(len(s)))
		_, _ = io.WriteString(h, s)
		h.Write(make([]byte, -len(s)&7))
	}
}

// archiveNode writes a folder or a file as an archive of Nix has it.
func archiveNode(t *testing.T, h hash.Hash, name string) {
	entries, err := os.ReadDir(name)
	if err != nil {
		archived(h, "(", "type", "regular", "contents", read(t, name), ")")
		return
	}
	archived(h, "(", "type", "directory")
	for _, e := range entries {
		archived(h, "entry", "(", "name", e.Name(), "node")
		archiveNode(t, h, filepath.Join(name, e.Name()))
		archived(h, ")")
	}
	archived(h, ")")
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(text)
}
