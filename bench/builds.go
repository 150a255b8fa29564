package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// builds compares the programs of two builds, on a log of long lines and one of short lines of each size,
// and prints a table.
func builds(bin, old string, sizes []string, times int, seed uint64) error {
	dir, self, err := begin()
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s := suite{self: self}
	fmt.Printf("| log | program | wall | CPU | peak | seconds | MiB |\n|---|---|---|---|---|---|---|\n")
	for _, size := range sizes {
		for _, lines := range []string{"long", "short"} {
			log := filepath.Join(dir, "log.jsonl")
			if err := s.make(log, seed, "-sizes", size, "-short="+fmt.Sprint(lines == "short")); err != nil {
				return err
			}
			for _, program := range []string{"jltree", "jltree --check", "jlleaf", "jlpath", "jlrev", "jlcompact"} {
				argv := append(strings.Fields(program), log)
				name, rest := argv[0], argv[1:]
				r, err := compare(comparison{
					argv: append([]string{filepath.Join(bin, name)}, rest...),
					peer: append([]string{filepath.Join(old, name)}, rest...), times: times,
				})
				switch {
				case err != nil:
					return err
				case r.skipped != "":
					return fmt.Errorf("%s", r.skipped)
				}
				fmt.Printf("| %s, %s | %s | %.2f | %.2f | %.2f | %.3f | %d |\n", size, lines, program,
					median(r.wall), median(r.cpu), median(r.most), r.own[len(r.own)/2].wall.Seconds(), r.peak())
			}
		}
	}
	return nil
}
