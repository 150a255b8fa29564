package log_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A client draws a log as Claude Code writes one: prompts, parallel calls, rewinds, compactions that keep
// entries, approved plans, and sub-agents.
type client struct {
	*rand.Rand
	lines   []string          // a drawing
	parents map[string]string // by id
	tip     string            // the entry that the next one hangs on
	line    []string          // the conversation at the tip
}

func (c *client) chance(percent int) bool { return c.IntN(100) < percent }

// write draws an entry and returns its id.
func (c *client) write(what, parent string) string {
	n := len(c.lines)
	id := fmt.Sprintf("n%d", n)
	what = fmt.Sprintf("%s %s @%d session=s", id, what, n)
	if parent != "" {
		what += " <" + parent
	}
	c.lines, c.parents[id] = append(c.lines, what), parent
	return id
}

// step draws a turn, a compaction, or lets the user go back.
func (c *client) step() {
	switch k := c.IntN(100); {
	case k < 12 && len(c.line) > 0:
		i := c.IntN(len(c.line))
		c.tip, c.line = c.line[i], c.line[:i+1]
	case k < 22 && len(c.line) > 2:
		c.compact()
	default:
		c.turn()
	}
}

func (c *client) compact() {
	var keep []string
	if c.chance(60) {
		keep = slices.Clone(c.line[len(c.line)-1-c.IntN(min(4, len(c.line))):])
	}
	at := len(c.lines)
	b := c.write("boundary log="+c.tip, "")
	summary := c.write("user summary", b)
	c.tip, c.line = summary, []string{summary}
	if len(keep) == 0 {
		return
	}
	if c.chance(50) {
		c.lines[at] += " keep=" + strings.Join(keep, ",") + "/" + summary
	} else {
		c.lines[at] += " seg=" + keep[0] + "," + keep[len(keep)-1] + "/" + summary
	}
	c.line = append(keep, summary)
	if c.chance(70) {
		c.tip, c.line = keep[len(keep)-1], append([]string{summary}, keep...)
	}
}

func (c *client) turn() {
	if c.chance(5) { // a plan was approved, and the context cleared
		c.tip = c.write("user text=Implement_the_following_plan:", "")
	} else {
		c.tip = c.write("user"+c.author(), c.tip)
	}
	for range 1 + c.IntN(3) {
		if !c.message() {
			break
		}
	}
	c.line = nil
	for n := c.tip; n != ""; n = c.parents[n] {
		c.line = append(c.line, n)
	}
	slices.Reverse(c.line)
}

// author draws what says who wrote a prompt, which most do not say.
func (c *client) author() string {
	if !c.chance(20) {
		return ""
	}
	return []string{" meta", " synthetic", " origin=human", " origin=channel meta", " origin=peer", " origin=task-notification", " origin=auto-continuation"}[c.IntN(7)]
}

// message draws the entries of a message and most results, each below its call. It reports whether
// there are calls.
func (c *client) message() bool {
	message := len(c.lines)
	var calls [][2]string // the entry that makes the call, and the call
	for range 1 + c.IntN(4) {
		call, what := fmt.Sprintf("t%d", len(c.lines)), fmt.Sprintf("assistant m=m%d", message)
		makes := c.chance(70)
		if makes {
			what += " call=" + call
		} else {
			what += " text=x"
		}
		c.tip = c.write(what, c.tip)
		if makes {
			calls = append(calls, [2]string{c.tip, call})
			if c.chance(20) {
				c.write(fmt.Sprintf("assistant side none m=s%d", len(c.lines)), c.write("user side", ""))
			}
		}
		if c.chance(15) {
			c.tip = c.write("progress", c.tip)
		}
	}
	c.Shuffle(len(calls), func(i, j int) { calls[i], calls[j] = calls[j], calls[i] })
	for _, call := range calls {
		if !c.chance(93) {
			continue
		}
		up := call[0]
		if c.chance(20) {
			up = c.write([]string{"progress", "attachment"}[c.IntN(2)], up)
		}
		c.tip = c.write("user res="+call[1], up)
	}
	return len(calls) > 0
}

// soundLog returns the client that drew a log as the seed decides.
func soundLog(seed uint64) *client {
	c := &client{Rand: rand.New(rand.NewPCG(seed, 1)), parents: map[string]string{}}
	for range 2 + c.IntN(11) {
		c.step()
	}
	return c
}

// randomLog returns the lines of the drawing of a log that the seed decides: as a client writes it, or
// with one kind of damage.
func randomLog(seed uint64) []string {
	lines, _ := damagedLog(seed)
	return lines
}

// damagedLog is randomLog. It reports whether lines stand where the client did not write them.
func damagedLog(seed uint64) (lines []string, moved bool) {
	c := soundLog(seed)
	lines = c.lines
	switch k := c.IntN(100); {
	case k < 15:
		lines = slices.DeleteFunc(lines, func(string) bool { return c.chance(7) })
	case k < 25: // the end is lost
		lines = lines[:1+c.IntN(len(lines))]
	case k < 32: // the beginning is lost
		lines = lines[c.IntN(len(lines)):]
	case k < 40: // some lines come twice
		moved = true
		for range 3 {
			lines = slices.Insert(lines, c.IntN(len(lines)+1), lines[c.IntN(len(lines))])
		}
	case k < 48: // two writers
		moved = true
		for range 3 {
			i := c.IntN(len(lines))
			j := min(i+1, len(lines)-1)
			lines[i], lines[j] = lines[j], lines[i]
		}
	case k < 56: // a fork that copied its beginning with new ids
		moved = true
		for _, line := range lines[:1+c.IntN(len(lines))] {
			words := strings.Fields(line)
			for i, w := range words {
				if i == 0 || w[0] == '<' || w == "session=s" {
					words[i] += "f"
				}
			}
			lines = append(lines, strings.Join(words, " "))
		}
	}
	return lines, moved
}
