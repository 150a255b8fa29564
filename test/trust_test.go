package test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/env"
)

// TestSBOM: the SBOM of the modules in the programs is SPDX, has each of them once, and is the same again.
func TestSBOM(t *testing.T) {
	env.Needs(t, "sh", "awk", "date")
	list := output(t, "..", "go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} h1:x={{end}}{{end}}", "./cmd/...")
	modules := slices.Compact(slices.Sorted(strings.Lines(list)))
	modules = slices.DeleteFunc(modules, func(m string) bool { return strings.TrimSpace(m) == "" })
	require.NotEmpty(t, modules)
	make := func() string {
		cmd := exec.Command("../packaging/sbom", "1.2.3", "c0ffee", "1700000000", "go1.26.1")
		cmd.Stdin = strings.NewReader(strings.Join(modules, ""))
		out, err := cmd.Output()
		require.NoError(t, err)
		return string(out)
	}
	text := make()
	require.Equal(t, text, make())
	var doc struct {
		SpdxVersion, DataLicense, SPDXID, Name, DocumentNamespace string
		CreationInfo                                              struct {
			Created  string
			Creators []string
		}
		Packages []struct {
			SPDXID, Name, VersionInfo, DownloadLocation, Comment string
			ExternalRefs                                         []struct{ ReferenceLocator string }
		}
		Relationships []struct{ SpdxElementID, RelationshipType, RelatedSpdxElement string }
	}
	require.NoError(t, json.Unmarshal([]byte(text), &doc))
	require.Equal(t, []string{"SPDX-2.3", "CC0-1.0", "SPDXRef-DOCUMENT", "jl-1.2.3", "2023-11-14T22:13:20Z"},
		[]string{doc.SpdxVersion, doc.DataLicense, doc.SPDXID, doc.Name, doc.CreationInfo.Created})
	require.NotEmpty(t, doc.CreationInfo.Creators)
	require.Regexp(t, `^urn:`, doc.DocumentNamespace)
	var named []string
	ids := map[string]bool{}
	for _, p := range doc.Packages {
		require.Regexp(t, `^SPDXRef-[A-Za-z0-9.-]+$`, p.SPDXID)
		require.False(t, ids[p.SPDXID], p.SPDXID)
		ids[p.SPDXID] = true
		if p.Name == "jl" || p.Name == "stdlib" {
			continue
		}
		named = append(named, p.Name+" "+p.VersionInfo+" "+strings.TrimPrefix(p.Comment, "go.sum: ")+"\n")
		require.Regexp(t, `^pkg:golang/[^ ]+@v[^ +]+$`, p.ExternalRefs[0].ReferenceLocator)
	}
	require.Equal(t, modules, named)
	require.Len(t, doc.Relationships, len(doc.Packages))
	for _, r := range doc.Relationships {
		require.True(t, ids[r.RelatedSpdxElement], r.RelatedSpdxElement)
	}
	require.Contains(t, read(t, "../packaging.mk"), "packaging/sbom $(NUMBER)")
}

// TestActionsArePinned: an action is named by the hash of a commit, with its version behind it, so that nobody can move it.
func TestActionsArePinned(t *testing.T) {
	uses := regexp.MustCompile(`(?m)^\s*-?\s*uses: (.*)$`)
	files, err := filepath.Glob("../.github/workflows/*.yml")
	require.NoError(t, err)
	for _, file := range append(files, "../action.yml", "../examples/check.yml") {
		all := uses.FindAllStringSubmatch(read(t, file), -1)
		require.NotEmpty(t, all, file)
		for _, use := range all {
			require.Regexp(t, `^[a-z-]+/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`, use[1], file)
		}
	}
}

// TestYAML: what GitHub reads is YAML.
func TestYAML(t *testing.T) {
	env.Needs(t, "ruby")
	files, err := filepath.Glob("../.github/*/*.yml")
	require.NoError(t, err)
	for _, file := range append(files, "../.github/dependabot.yml", "../action.yml", "../examples/check.yml") {
		output(t, ".", "ruby", "-ryaml", "-e", `d = YAML.load_file(ARGV[0]); exit d.is_a?(Hash) && d.size > 0`, file)
	}
}

// TestAction runs the step that action.yml has for the check, on logs in folders whose names a shell would split.
func TestAction(t *testing.T) {
	steps := regexp.MustCompile(`(?m)^      run: \|\n((?:        .*\n)+)`).FindAllStringSubmatch(read(t, "../action.yml"), -1)
	require.Len(t, steps, 2)
	step := "set -eo pipefail\n" + strings.ReplaceAll(steps[1][1], "\n        ", "\n")
	healthy, err := os.ReadFile("../testdata/demo.jsonl")
	require.NoError(t, err)
	for _, tt := range []struct {
		name, logs, strict string
		status             int
		out                string
	}{
		{"healthy", "**/good.jsonl", "", 0, ""},
		{"damaged", "**/*.jsonl", "", 1, "::error file=a b/torn.jsonl,line=2::malformed torn entry\n::error file=a b/torn.jsonl,line=2::recovered torn entry\n::error file=a b/torn.jsonl,line=2::orphan \n"},
		{"several patterns", "*.jsonl a*/good.jsonl", "--strict", 0, ""},
		{"none", "*.log", "", 1, "::error::no log fits *.log\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cmd := bare(t, built(t), step)
			cmd.Env = append(cmd.Env, "LOGS="+tt.logs, "STRICT="+tt.strict, "GITHUB_STEP_SUMMARY="+filepath.Join(cmd.Dir, "summary"), "RUNNER_TEMP="+t.TempDir())
			require.NoError(t, os.Mkdir(filepath.Join(cmd.Dir, "a b"), 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(cmd.Dir, "a b/good.jsonl"), healthy, 0o600))
			require.NoError(t, os.WriteFile(filepath.Join(cmd.Dir, "a b/torn.jsonl"), damagedLog(t, healthy), 0o600))
			status, out := exitStatus(t, cmd)
			require.Equal(t, tt.status, status, out)
			require.Equal(t, tt.out, out)
		})
	}
}

// TestNPM: the packages for npm start the programs, with their streams, arguments and exit status, and say what is missing.
func TestNPM(t *testing.T) {
	env.Long(t)
	env.Needs(t, "sh", "node", "npm")
	stage, to := t.TempDir(), t.TempDir()
	platform := runtime.GOOS + "-" + runtime.GOARCH
	require.NoError(t, os.CopyFS(filepath.Join(stage, platform, "built"), os.DirFS(built(t))))
	cmd := exec.Command("packaging/npm", "1.2.3", stage, to, runtime.GOOS+"/"+runtime.GOARCH)
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), "NPM_REPOSITORY=git+https://example.org/jl.git")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	root := t.TempDir()
	which := "jl-suite-" + strings.ReplaceAll(platform, "amd64", "x64")
	output(t, to, "npm", "pack", "--silent", "--pack-destination", root, "./jl-suite", "./"+which)
	main := filepath.Join(root, "node_modules/jl-suite")
	unpack := func(name string) {
		folder := filepath.Join(root, "node_modules", name)
		require.NoError(t, os.MkdirAll(folder, 0o700))
		output(t, folder, "tar", "-xzf", filepath.Join(root, name+"-1.2.3.tgz"), "--strip-components", "1")
	}
	unpack("jl-suite")
	var manifest struct {
		Name, Version, Repository string
		Bin, OptionalDependencies map[string]string
	}
	require.NoError(t, json.Unmarshal([]byte(read(t, filepath.Join(main, "package.json"))), &manifest))
	require.Equal(t, map[string]string{which: "1.2.3"}, manifest.OptionalDependencies)
	require.Equal(t, "git+https://example.org/jl.git", manifest.Repository)
	require.Len(t, manifest.Bin, 7)
	require.FileExists(t, filepath.Join(main, "share/jl/page.jq"))

	path := filepath.Join(main, manifest.Bin["jlpath"])
	status, text := exitStatus(t, exec.Command("node", path, "--version"))
	require.Equal(t, 2, status)
	require.Equal(t, "jlpath: "+which+" is not installed: this system has no package, or npm left out the optional ones\n", text)
	unpack(which)
	demo := read(t, "../testdata/demo.jsonl")
	for _, tt := range []struct {
		args   []string
		status int
		out    string
	}{
		{[]string{"-l", "09e5"}, 0, `"uuid":"09e5`},
		{[]string{"-l", "none"}, 1, `jlpath: -: no entry "none"`},
		{[]string{"--nonsense"}, 2, "jlpath: unknown flag --nonsense"},
	} {
		cmd := exec.Command("node", append([]string{path}, tt.args...)...)
		cmd.Stdin = strings.NewReader(demo)
		status, text := exitStatus(t, cmd)
		require.Equal(t, tt.status, status, text)
		require.Contains(t, text, tt.out)
	}
}
