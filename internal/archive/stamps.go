//go:build !(darwin || freebsd || netbsd)

package archive

import (
	"io/fs"
	"time"
)

// stamps returns when a file was last read, and when anything about it last
// changed, its mode and its names too.
func stamps(info fs.FileInfo) (atime, ctime time.Time) {
	return unixTime(stat(info).Atim), unixTime(stat(info).Ctim)
}
