package atomicfile

import (
	"errors"
	"os"
	"time"
)

// ErrOpen is the error of [TakeLease] for a file that is open for writing.
var ErrOpen = errors.New("is open for writing in another process")

// A Lease on a file notices who opens it for writing. The zero Lease notices nothing.
type Lease struct{ f *os.File }

// TakeLease takes a lease on f, which must be open for reading only. The error is ErrOpen
// if a process has the file open for writing.
//
// While the lease is held, a process that opens the file for writing, or truncates it, waits,
// by default up to 45 seconds. So the caller releases the lease soon.
//
// A file may be open for an instant only: a writer may close it after each entry, and a new
// process has the files of its parent until it runs. So TakeLease asks for a tenth of a second
// before it returns ErrOpen.
//
// Only Linux has leases, for the owner of the file and those who have CAP_LEASE, and not on
// every file system. Elsewhere, TakeLease returns the zero Lease.
func TakeLease(f *os.File) (Lease, error) {
	const tries = 10
	for try := 1; ; try++ {
		lease, err := takeLease(f)
		if err != ErrOpen || try == tries {
			return lease, err
		}
		time.Sleep(10 * time.Millisecond)
	}
}
