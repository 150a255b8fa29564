# Stands for Homebrew: builds and installs the source in SOURCE by a formula, into PREFIX, and runs the test of the formula.
#
#	formula.rb FORMULA SOURCE PREFIX
require "fileutils"
require "pathname"

class Pathname
  def install(*files)
    mkpath
    FileUtils.cp_r files, self
  end
end

class Formula
  class << self
    attr_reader :said, :tested

    %i[desc homepage url sha256 license depends_on].each do |name|
      define_method(name) { |value| (@said ||= {})[name] = value }
    end

    def test(&block)
      @tested = block
    end
  end

  def initialize(prefix)
    @prefix = Pathname.new(prefix)
  end
  attr_reader :prefix

  def bin = prefix/"bin"
  def doc = prefix/"share/doc/jl"
  def pkgshare = prefix/"share/jl"
  def opt_pkgshare = pkgshare
  def version = self.class.said[:url][/jl-(.*)\.tar\.gz$/, 1]

  def system(*command)
    Kernel.system(*command) or abort "failed: #{command.join(" ")}"
  end

  def shell_output(command)
    out = `#{command}`
    $?.success? or abort "failed: #{command}"
    out
  end

  def assert_match(want, got)
    got.include?(want) or abort "no #{want.inspect} in #{got.inspect}"
  end
end

formula, source, prefix = ARGV
load formula
%i[desc url sha256 license].each { |name| Jl.said[name] or abort "no #{name}" }
jl = Jl.new(prefix)
Dir.chdir(source) { jl.install }
jl.caveats[/cp -i (\S+)/, 1].then { |library| File.exist?(library) or abort "no #{library}" }
Dir.chdir(prefix) { jl.instance_eval(&Jl.tested) }
puts "tested"
