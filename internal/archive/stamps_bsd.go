//go:build darwin || freebsd || netbsd

package archive

import (
	"io/fs"
	"time"
)

// stamps returns when a file was last read, and when its contents, mode or names were
// last changed.
func stamps(info fs.FileInfo) (atime, ctime time.Time) {
	s := stat(info)
	return time.Unix(s.Atimespec.Unix()), time.Unix(s.Ctimespec.Unix())
}
