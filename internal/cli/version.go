package cli

import (
	_ "embed"
	"runtime/debug"
	"strings"
)

// release is the number of the release, in a line of its own. What is packed reads the same file.
//
//go:embed VERSION
var release string

// commit is the commit that the programs are built from. Make sets it with -X jl/internal/cli.commit=, and git in an
// archive of the source. If nobody has, it is still a format.
var commit = "$Format:%H$"

// programVersion returns the number, and the commit if it is known: 1.0.0 (4c2843a6f0d1).
func programVersion() string {
	version, at := strings.TrimSpace(release), commit
	if info, ok := debug.ReadBuildInfo(); ok && strings.HasPrefix(at, "$") {
		at = stampedCommit(info)
	}
	if len(at) >= 40 {
		at = at[:12] + at[40:]
	}
	if at == "" {
		return version
	}
	return version + " (" + at + ")"
}

// stampedCommit returns the commit that the go command writes into what it builds in a clone, "" if it did not.
func stampedCommit(info *debug.BuildInfo) string {
	stamps := map[string]string{}
	for _, s := range info.Settings {
		stamps[s.Key] = s.Value
	}
	if stamps["vcs.modified"] == "true" {
		return stamps["vcs.revision"] + "-dirty"
	}
	return stamps["vcs.revision"]
}
