# Stands for Nix and nixpkgs: for each system, the commands that build, check and install the package of a flake.
{ flake, rev }:
let
  lib = {
    genAttrs = names: f: builtins.listToAttrs (map (name: { inherit name; value = f name; }) names);
    fileContents = file: builtins.head (builtins.match "(.*)\n" (builtins.readFile file));
    licenses.mit = "MIT";
  };
  pkgs.buildGoModule = package: builtins.deepSeq (removeAttrs package [ "src" ])
    (builtins.concatStringsSep "\n" [ package.buildPhase package.checkPhase package.installPhase ]);
  legacyPackages = { x86_64-linux = pkgs; aarch64-linux = pkgs; x86_64-darwin = pkgs; aarch64-darwin = pkgs; };
in
builtins.mapAttrs (system: packages: packages.default) (flake.outputs { self.rev = rev; nixpkgs = { inherit lib legacyPackages; }; }).packages
