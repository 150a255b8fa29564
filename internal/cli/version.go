package cli

import "runtime/debug"

// version is set by the linker if the build knows the version better than the module:
// -X jl/internal/cli.version=v1.2.3.
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
