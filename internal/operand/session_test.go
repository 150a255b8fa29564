package operand

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/cli"
	"jl/test/scripttest"
)

// TestResolveWithClosedFolder: another log of the session, maybe a newer one, may be in a folder
// that cannot be read, or cannot be looked at.
func TestResolveWithClosedFolder(t *testing.T) {
	const id = "11111111-1111-4111-8111-111111111111"
	inDir(t, nil)
	for _, folder := range []string{"home/projects/-a/", "home/projects/-b/"} {
		require.NoError(t, os.MkdirAll(folder, 0o755))
		require.NoError(t, os.WriteFile(folder+id+".jsonl", []byte(lineA), 0o644))
	}
	resolve := func(c *cli.Command) {
		path, ok := (&Options{Home: []string{"home"}}).Resolve(c, "1111")
		require.True(t, ok)
		require.Equal(t, "home/projects/-a/"+id+".jsonl", path)
	}
	t.Cleanup(func() { _ = os.Chmod("home/projects/-b", 0o755) }) // else it cannot be removed
	for mode, want := range map[os.FileMode]string{
		0:     "jlx: home/projects/-b: permission denied\n",
		0o644: "jlx: home/projects/-b/" + id + ".jsonl: permission denied\n",
	} {
		require.NoError(t, os.Chmod("home/projects/-b", mode))
		scripttest.AsNobody(t, func() {
			stderr, status := run(nil, resolve)
			require.Equal(t, want, stderr)
			require.Equal(t, 2, status)
		})
	}
}

// TestHomesAreWalkedOnce: thousands of operands take one walk of the homes, so what appears there later is
// not seen.
func TestHomesAreWalkedOnce(t *testing.T) {
	const id = "11111111-1111-4111-8111-111111111111"
	inDir(t, nil)
	folder := "home/projects/-a/"
	require.NoError(t, os.MkdirAll(folder, 0o755))
	require.NoError(t, os.WriteFile(folder+id+".jsonl", []byte(lineA), 0o644))
	_, _ = run(nil, func(c *cli.Command) {
		o := &Options{Home: []string{"home"}}
		_, ok := o.Resolve(c, "1111")
		require.True(t, ok)
		require.NoError(t, os.WriteFile(folder+"2"+id[1:]+".jsonl", []byte(lineA), 0o644))
		_, ok = o.Resolve(c, "2111")
		require.False(t, ok)
		_, ok = (&Options{Home: []string{"home"}}).Resolve(c, "2111")
		require.True(t, ok)
	})
}
