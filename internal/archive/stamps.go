//go:build !(darwin || freebsd || netbsd)

package archive

import (
	"io/fs"
	"time"
)

// stamps returns the time of the last access to a file, and that of the last change of
// anything about it, its mode and its names too.
func stamps(info fs.FileInfo) (atime, ctime time.Time) {
	return unixTime(stat(info).Atim), unixTime(stat(info).Ctim)
}
