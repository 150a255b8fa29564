//go:build darwin || freebsd || netbsd

package archive

import (
	"io/fs"
	"time"
)

// stamps returns when a file was last read, and when its contents, mode or names were
// last changed.
func stamps(info fs.FileInfo) (atime, ctime time.Time) {
	return unixTime(stat(info).Atimespec), unixTime(stat(info).Ctimespec)
}
