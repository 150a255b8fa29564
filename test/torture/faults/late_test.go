package faults

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/env"
	"jl/test/torture/harness"
)

// late makes a file system that takes bytes and fails only when they are synced, because the disk that it is on
// is full, copies the files of a directory to it and runs a command there. Then it prints the names and hashes of all files.
const late = `cd "$0" && mkdir back mnt && mount -t tmpfs -o size=8m tmpfs back && truncate -s 32M back/img &&
mkfs.ext4 -q -m0 -O ^has_journal -E lazy_itable_init=0,nodiscard back/img && mount -o loop,nodiscard back/img mnt &&
cp -p files/* mnt && sync mnt/* && rmdir mnt/lost+found || exit 99
head -c 100M /dev/zero >back/fill 2>/dev/null
for i in 1 2 3 4 5 6 7 8 9; do while head -c 64K /dev/urandom >mnt/fill.$i && sync mnt/fill.$i 2>/dev/null; do i=$i$i; done; done
rm -f mnt/fill.?
cd mnt && "$@" >&2; status=$?
sha256sum $(ls -A | grep -v '^fill') | sed 's/^\(........\)[^ ]*/\1/'; exit $status`

// TestFailsLate replaces files where only a sync tells that they are not on the disk.
func TestFailsLate(t *testing.T) {
	env.Long(t)
	p := harness.NewPromise(t, "P1", "output failure is never success: a file system that fails when it is synced")
	if exec.Command("unshare", "-m", "sh", "-c", "mkfs.ext4 -V 2>/dev/null && losetup -f").Run() != nil {
		p.SkipWithout("loop devices, mkfs.ext4(8)")
	}
	text := fmt.Sprintf("%x\n", harness.RandomBytes(rand.New(rand.NewPCG(3, 4)), 150_000))
	for _, test := range []struct{ file, line string }{
		{"s.jsonl", "jlcompact --archive s.jsonl"},
		{"s.jsonl", "jlcompact --archive --keep s.jsonl"},
		{"s.jsonl.zst", "jlcompact --extract s.jsonl.zst"},
	} {
		dir := harness.Dir(t)
		require.NoError(t, os.Mkdir(filepath.Join(dir, "files"), 0o700))
		data := text
		if strings.HasSuffix(test.file, ".zst") {
			data = harness.Zstd(text)
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, "files", test.file), []byte(data), 0o600))
		words := strings.Fields(test.line)
		run := func(wrapper ...string) harness.Outcome {
			return harness.Execute(t, harness.Wrapped(t, wrapper, words[0], words[1:]...))
		}
		want := run("sh", "-c", `cd "$0/files"; sha256sum * | sed 's/^\(........\)[^ ]*/\1/'`, dir)
		got := run("unshare", "-m", "sh", "-c", late, dir)
		require.NotEqual(t, 99, got.Status, got)
		p.Try(got.Status == 2 && got.Stdout == want.Stdout && strings.Count(got.Stderr, "\n") == 1 && strings.HasPrefix(got.Stderr, "jlcompact: "+test.file+": write "), "%s: %v", test.line, got)
	}
}
