package data

import (
	"path/filepath"
	"regexp"
	"testing"

	"jl/test/torture/harness"
)

// environments differ in what must not matter.
var environments = [][]string{
	{"GOMAXPROCS=1", "TZ=UTC", "LC_ALL=C", "HOME=/nonexistent"},
	{"GOMAXPROCS=2", "TZ=Asia/Kathmandu", "LANG=tr_TR.UTF-8", "LC_ALL=tr_TR.UTF-8", "HOME=/", "TERM=xterm", "COLUMNS=20"},
	{"GOMAXPROCS=16", "TZ=America/St_Johns", "LANG=ja_JP.eucJP", "LC_ALL=ja_JP.eucJP", "HOME=/tmp", "GOGC=5", "NO_COLOR=1", "TERM=dumb"},
}

// TestSameAnswer repeats commands in various environments.
func TestSameAnswer(t *testing.T) {
	p := harness.Parallel(t, "P30", "the same input gives the same output, messages, status and files")
	forms := func(c harness.Command) []harness.Form { return c.Forms[:harness.Pick(1, len(c.Forms))] }
	p.Each(forms, func(p *harness.Promise, c harness.Command, form harness.Form) {
		want := c.Run(p, c.On(p, harness.Middle(p)), form)
		for _, env := range environments {
			for range harness.Times(6, 6) / harness.Each(3) {
				f := c.On(p, harness.Middle(p))
				cmd := c.Cmd(p, f, form)
				cmd.Env = append(cmd.Env, env...)
				got := c.Execute(p, f, cmd)
				p.Try(got == want, "%v on %v with %v: %v, want %v", c, form, env, got, want)
			}
		}
	})
	rnd := harness.Rand(t, 0)
	session, _ := harness.Session(3, 0)
	b := newBatch(t, []string{wrecked(rnd, 40, 20).String(), wrecked(rnd, 40, 20).String(), session})
	for _, c := range calls {
		want := c.run(t, b.dir, b.files...)
		for _, env := range environments {
			for range harness.Pick(2, 10) {
				cmd := c.cmd(t, b.dir, b.files...)
				cmd.Env = append(cmd.Env, env...)
				got := harness.Execute(t, cmd)
				p.Try(got == want, "%v of damaged logs with %v: %v, want %v", c, env, got, want)
			}
		}
	}
}

// TestNoRaces runs all commands, built with the race detector.
func TestNoRaces(t *testing.T) {
	if !harness.Long() {
		t.Skip("TORTURE=long runs this: the build takes a minute")
	}
	p := harness.NewPromise(t, "P31", "no data races, in any invocation")
	bin := t.TempDir()
	if err := harness.Build(harness.Root, bin, []string{"CGO_ENABLED=1"}, harness.Names, "-race"); err != nil {
		p.SkipWithout("race detector: " + regexp.MustCompile(`\s+`).ReplaceAllString(err.Error(), " "))
	}
	racy := regexp.MustCompile(`WARNING: DATA RACE|race: `)
	p.Each(harness.AllForms, func(p *harness.Promise, c harness.Command, form harness.Form) {
		want := c.Run(p, c.On(p, harness.Middle(p)), form)
		for _, procs := range []string{"1", "2", "16"} {
			f := c.On(p, harness.Middle(p))
			cmd := c.Cmd(p, f, form)
			cmd.Path = filepath.Join(bin, c.Program)
			cmd.Env = append(cmd.Env, "GOMAXPROCS="+procs)
			got := c.Execute(p, f, cmd)
			p.Try(!racy.MatchString(got.Stderr) && got == want, "%v on %v: %v", c, form, got)
		}
	})
}
