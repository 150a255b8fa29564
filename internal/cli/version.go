package cli

import "runtime/debug"

// version is set by the linker where the build knows better than the module
// does: -X jl/internal/cli.version=v1.2.3.
var version string

func programVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
