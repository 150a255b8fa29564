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
	shown bool
}

// progressWidth is the most bytes, and so the most columns, that a line has. It must not
// reach the right edge of the screen.
const progressWidth = 78

func newScreen(w io.Writer, files int) *screen {
	return &screen{w: w, every: 100 * time.Millisecond, files: files, last: time.Now()}
}

// show shows that a step has done some of the size bytes of the n-th FILE, if the last line is an interval
// old.
func (s *screen) show(n int, name, step string, done, size int64) {
	if s.w == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Since(s.last) < s.every {
		return
	}
	s.last = time.Now()
	name = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, name)
	line := fmt.Sprintf("%d/%d %s %3d%% ", n, s.files, step, done*100/max(size, 1))
	tail := name[max(0, len(line)+len(name)-progressWidth):] // the end of a path says most
	fmt.Fprintf(s.w, "\r%s%s\x1b[K", line, strings.ToValidUTF8(tail, ""))
	s.shown = true
}

// clear clears the line.
func (s *screen) clear() {
	if s.shown {
		fmt.Fprint(s.w, "\r\x1b[K")
	}
	s.shown = false
}
