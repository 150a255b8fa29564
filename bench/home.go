package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// sessionSize is the size of each log of a home, in bytes.
const sessionSize = 300_000

// writeHome writes a home with n sessions.
func writeHome(home string, n int, seed uint64) error {
	for i := range n {
		project := filepath.Join(home, "projects", fmt.Sprintf("-src-%d", i%20))
		if err := os.MkdirAll(project, 0o700); err != nil {
			return err
		}
		name := fmt.Sprintf("00000000-0000-4000-8000-%012d.jsonl", i)
		if err := writeCorpus(filepath.Join(project, name), sessionSize, longText, seed+uint64(i)); err != nil {
			return err
		}
	}
	return nil
}

// readEnds reads 64 KiB at each end of all logs below a directory.
func readEnds(dir string) error {
	buf := make([]byte, 64<<10)
	return filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			return err
		}
		for _, at := range []int64{0, max(0, info.Size()-int64(len(buf)))} {
			if _, err := f.ReadAt(buf[:min(int64(len(buf)), info.Size())], at); err != nil {
				return err
			}
		}
		return nil
	})
}
