//go:build !linux

package atomicfile

import "os"

// Only the lists and leases of Linux are known.

func copyACL(_, _ *os.File) error { return nil }

func dropACL(*os.File) error { return nil }

func takeLease(*os.File) (Lease, error) { return Lease{}, nil }

// Wanted reports false.
func (Lease) Wanted() bool { return false }

// Release does nothing.
func (Lease) Release() {}
