package archive

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// A progress shows on a terminal how far a long run has come, on one line that it
// overwrites and finally clears. It does not show files that take less than the interval.
type progress struct {
	w     io.Writer // nil if there is no terminal
	every time.Duration

	file, files int
	name, what  string
	done, size  int64

	last  time.Time // when it last wrote the line
	width int       // of the line on the screen, in bytes
}

// progressWidth is the most bytes, and so the most columns, that a line has. It must not
// reach the right edge of the screen.
const progressWidth = 78

func newProgress(w io.Writer, files int) *progress {
	return &progress{w: w, every: 100 * time.Millisecond, files: files, last: time.Now()}
}

// next begins the next file.
func (p *progress) next(name string) {
	p.file++
	p.name = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, name)
}

// begin begins the next step with a file, of size bytes.
func (p *progress) begin(what string, size int64) { p.what, p.done, p.size = what, 0, size }

// add adds n bytes to what is done, and shows it once an interval.
func (p *progress) add(n int) {
	p.done += int64(n)
	if p.w == nil || time.Since(p.last) < p.every {
		return
	}
	p.last = time.Now()
	line := fmt.Sprintf("%d/%d %s %3d%% ", p.file, p.files, p.what, p.done*100/max(p.size, 1))
	name := p.name
	for len(line)+len(name) > progressWidth { // the end of a path says most
		_, n := utf8.DecodeRuneInString(name)
		name = name[n:]
	}
	p.write(line + name)
}

// clear clears the line.
func (p *progress) clear() {
	if p.width > 0 {
		p.write("")
		fmt.Fprint(p.w, "\r")
	}
}

// write replaces the line on the screen. A failed write does not matter.
func (p *progress) write(line string) {
	fmt.Fprintf(p.w, "\r%s%*s", line, max(0, p.width-len(line)), "")
	p.width = len(line)
}
