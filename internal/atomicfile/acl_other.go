//go:build !linux

package atomicfile

import "os"

func readACL(*os.File) ([]byte, error) { return nil, nil }

func writeACL(*os.File, []byte) error { return nil }

func dropACL(*os.File) error { return nil }
