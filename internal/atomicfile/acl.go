package atomicfile

import "os"

// CopyACL gives the file the POSIX access control list of another file; from then on, both
// admit the same users as soon as they have the same owner and mode. An error means that
// the file still has no list: other systems and file systems may have none. Only lists of
// Linux are known.
func (f *File) CopyACL(from *os.File) error {
	list, err := readACL(from)
	if err != nil || list == nil {
		return err
	}
	return writeACL(f.File, list)
}
