package archive

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
	"unicode"
)

// A screen is a line of a terminal that shows how far a long run has come. FILEs that take
// less than the interval do not appear.
type screen struct {
	w     io.Writer // nil if progress is not shown
	every time.Duration
	files int

	mu    sync.Mutex
	last  time.Time // when the line was last written
	width int       // of the line on the screen, in bytes
}

// progressWidth is the most bytes, and so the most columns, that a line has. It must not
// reach the right edge of the screen.
const progressWidth = 78

func newScreen(w io.Writer, files int) *screen {
	return &screen{w: w, every: 100 * time.Millisecond, files: files, last: time.Now()}
}

// A progress is how far the work with one FILE has come.
type progress struct {
	*screen
	file       int // its number; the first is 1
	name, what string
	done, size int64
}

// file returns the progress of the n-th FILE.
func (s *screen) file(n int, name string) *progress {
	name = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, name)
	return &progress{screen: s, file: n, name: name}
}

// begin begins the next step with the FILE, which has size bytes.
func (p *progress) begin(what string, size int64) { p.what, p.done, p.size = what, 0, size }

// add adds n bytes to what is done. Once an interval, it shows the FILE that is at work.
func (p *progress) add(n int) {
	p.done += int64(n)
	if p.w == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Since(p.last) < p.every {
		return
	}
	p.last = time.Now()
	line := fmt.Sprintf("%d/%d %s %3d%% ", p.file, p.files, p.what, p.done*100/max(p.size, 1))
	tail := p.name[max(0, len(line)+len(p.name)-progressWidth):] // the end of a path says most
	p.write(line + strings.ToValidUTF8(tail, ""))
}

// clear clears the line.
func (s *screen) clear() {
	if s.width > 0 {
		s.write("")
		fmt.Fprint(s.w, "\r")
	}
}

// write replaces the line on the screen. A failed write does not matter.
func (s *screen) write(line string) {
	fmt.Fprintf(s.w, "\r%s%*s", line, max(0, s.width-len(line)), "")
	s.width = len(line)
}
