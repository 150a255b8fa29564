package scripttest

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"jl/test/env"
)

// needs are the tools of a script, and its lines that depend on something.
type needs struct {
	tools   []string // all that it names
	always  []string // those without which it cannot run
	guarded []guarded
}

// A guarded line is one behind conditions, as [exec:zstd] or [!root].
type guarded struct {
	line       int
	conditions []condition
	end        bool // it ends the script
}

type condition struct {
	not  bool
	name string
}

// A part is what a script leaves out: the lines from the first to the last one, which is 0 for all the rest.
type part struct {
	first, last int
	why         string
}

// String returns the lines, as 7, 7-9 or 7-.
func (p part) String() string {
	switch p.last {
	case 0:
		return fmt.Sprintf("%d-", p.first)
	case p.first:
		return fmt.Sprint(p.first)
	}
	return fmt.Sprintf("%d-%d", p.first, p.last)
}

var (
	guard    = regexp.MustCompile(`^\[(!?)([^\]]*)\] *`)
	ends     = regexp.MustCompile(`^(skip|stop)\b`)
	runs     = regexp.MustCompile(`^([!?] *)?(exec|status)\b`)
	runsFile = regexp.MustCompile(`\b(?:ba)?sh ([\w.-]+)`)
)

// needsOf returns what a script needs: the words of its lines, and of those of its files that it runs with a shell.
func needsOf(archive *txtar.Archive) (n needs) {
	checked := map[string]bool{} // tools that the rest of the script has
	for i, text := range strings.Split(string(archive.Comment), "\n") {
		text = strings.TrimSpace(text)
		if strings.HasPrefix(text, "#") {
			continue
		}
		l := guarded{line: i + 1}
		for m := guard.FindStringSubmatch(text); m != nil; m = guard.FindStringSubmatch(text) {
			l.conditions = append(l.conditions, condition{m[1] != "", m[2]})
			text = text[len(m[0]):]
		}
		l.end = ends.MatchString(text)
		here := maps.Clone(checked)
		for _, c := range l.conditions {
			tool := strings.TrimPrefix(c.name, "exec:")
			here[tool] = true
			checked[tool] = checked[tool] || l.end && c.not
			if tool != c.name {
				n.tools = append(n.tools, tool)
			}
		}
		if len(l.conditions) > 0 {
			n.guarded = append(n.guarded, l)
		}
		if l.end || !runs.MatchString(text) {
			continue
		}
		scripts := []string{text}
		for _, m := range runsFile.FindAllStringSubmatch(text, -1) {
			for _, file := range archive.Files {
				if file.Name == m[1] {
					scripts = append(scripts, string(file.Data))
				}
			}
		}
		for _, tool := range env.Words(scripts...) {
			n.tools = append(n.tools, tool)
			if !here[tool] {
				n.always = append(n.always, tool)
			}
		}
	}
	for _, list := range []*[]string{&n.tools, &n.always} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return n
}

// leftOut returns the parts of the script that do not run on this machine because a tool is missing, or because of
// the user who runs it. A line for root beside one for others is none: one of them runs.
func (n needs) leftOut() (parts []part) {
	for i, l := range n.guarded {
		all, why := true, ""
		for _, c := range l.conditions {
			holds, reason := c.holds()
			all = all && holds
			if holds == l.end && reason != "" {
				why = reason
			}
		}
		beside := func(i int) bool {
			return i >= 0 && i < len(n.guarded) && isForRoot(n.guarded[i]) != 0 && isForRoot(n.guarded[i]) == -isForRoot(l)
		}
		switch {
		case all != l.end || why == "":
		case l.end:
			return append(parts, part{l.line, 0, why})
		case beside(i-1) || beside(i+1):
		case len(parts) > 0 && parts[len(parts)-1].why == why && parts[len(parts)-1].last == l.line-1:
			parts[len(parts)-1].last = l.line
		default:
			parts = append(parts, part{l.line, l.line, why})
		}
	}
	return parts
}

// isForRoot returns 1 for a line that only root runs, -1 for one that root does not, and else 0.
func isForRoot(l guarded) int {
	for _, c := range l.conditions {
		switch {
		case l.end || c.name != "root":
		case c.not:
			return -1
		default:
			return 1
		}
	}
	return 0
}

// holds reports whether a condition holds, and why it does or does not. Why is empty for a condition that says
// nothing about tools and the user.
func (c condition) holds() (is bool, why string) {
	switch tool, isTool := strings.CutPrefix(c.name, "exec:"); {
	case isTool:
		is, why = env.Has(tool), tool+" is not installed"
	case c.name == "strace":
		is, _ = holding(c.name)
		why = "strace is not installed, or may not trace here"
	case c.name == "linux":
		is, why = runtime.GOOS == "linux", "this is not Linux"
	case c.name == "cover":
		is, why = testing.CoverMode() != "", "the tests measure coverage"
	case c.name == "root" && os.Geteuid() == 0:
		is, why = true, "root may do everything"
	case c.name == "root":
		why = "only root may do that"
	default:
		return true, ""
	}
	return is != c.not, why
}
