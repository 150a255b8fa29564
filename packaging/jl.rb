# The formula for Homebrew. make dist writes what stands between @ signs, to bin/dist/jl.rb.
class Jl < Formula
  desc "Unix filters for coding-agent session logs"
  homepage "@HOMEPAGE@"
  url "@SOURCE@"
  sha256 "@SHA256@"
  license "MIT"

  depends_on "go" => :build
  depends_on "jq"

  def install
    system "make", "build"
    system "make", "install", "PREFIX=#{prefix}"
    pkgshare.install "testdata/demo.jsonl"
  end

  def caveats
    <<~EOS
      To give jq the functions sessions, chat and the like:
        cp -i #{opt_pkgshare}/jl.jq ~/.jq
    EOS
  end

  test do
    demo = shell_output("sh #{doc}/examples/demo.sh #{bin} #{pkgshare}/demo.jsonl")
    assert_match "19 lines, a tree of entries", demo
    assert_match "jlpath (jl suite) #{version}", shell_output("#{bin}/jlpath --version")
  end
end
