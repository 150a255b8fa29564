# The package for Nix. In a clone: nix build --no-write-lock-file "git+file://$PWD?dir=packaging". As an input of another
# flake, the programs know their commit, too.
{
  description = "Unix filters for coding-agent session logs";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      jl = pkgs: pkgs.buildGoModule {
        pname = "jl";
        version = nixpkgs.lib.fileContents ../internal/cli/VERSION;
        src = ../.;
        vendorHash = "sha256-KhXzOC/TFhcnD3lX0gFXOeYOcJW6IZIGc5Ag4/OHvuM="; # TestVendorHash says when it changes
        buildPhase = "make build COMMIT=${self.rev or self.dirtyRev or ""}";
        checkPhase = "sh examples/demo.sh bin testdata/demo.jsonl";
        installPhase = "make install PREFIX=$out";
        meta = {
          description = "Unix filters for coding-agent session logs";
          license = nixpkgs.lib.licenses.mit;
          mainProgram = "jlpath";
        };
      };
    in {
      packages = nixpkgs.lib.genAttrs systems (system: { default = jl nixpkgs.legacyPackages.${system}; });
    };
}
