package source

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"jl/internal/frames"
	"jl/test/sample"
)

const text = "{\"uuid\":\"a\"}\n{\"uuid\":\"b\"}\n"

// gz returns data as a gzip member, with a name in its header, as gzip(1) writes it.
func gz(t testing.TB, data string) string {
	t.Helper()
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	require.NoError(t, err)
	w.Name = "s.jsonl"
	_, err = io.WriteString(w, data)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.String()
}

// zst returns data as a zstd frame with a checksum.
func zst(t testing.TB, data string) string {
	t.Helper()
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b, zstd.WithEncoderConcurrency(1))
	require.NoError(t, err)
	_, err = io.WriteString(w, data)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.String()
}

// skippable returns a zstd skippable frame.
func skippable(first byte, data string) string {
	return string(binary.LittleEndian.AppendUint32([]byte{first, 0x2a, 0x4d, 0x18}, uint32(len(data)))) + data
}

// incompressible returns n random bytes.
func incompressible(n int) string {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{}).Read(b)
	return string(b)
}

// create writes a file and returns its path.
func create(t testing.TB, data string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	require.NoError(t, os.WriteFile(path, []byte(data), 0o600))
	return path
}

// open opens name and closes it when the test ends.
func open(t testing.TB, name string, stdin io.Reader) *Source {
	t.Helper()
	s, err := Open(name, stdin, nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// readAt returns the bytes that At gives access to, and its error.
func readAt(t testing.TB, s *Source) (string, error) {
	t.Helper()
	r, size, wrong := s.At()
	data, err := io.ReadAll(io.NewSectionReader(r, 0, size+1))
	require.NoError(t, err)
	require.Len(t, data, int(size))
	return string(data), wrong
}

// ways reads an input in every way there is, and calls check with each result.
func ways(t *testing.T, data string, check func(t *testing.T, got string, err error)) {
	t.Helper()
	sources := []struct {
		name string
		open func(t *testing.T) *Source
	}{
		{"file", func(t *testing.T) *Source { return open(t, create(t, data), nil) }},
		{"reader", func(t *testing.T) *Source { return open(t, "-", strings.NewReader(data)) }},
		{"one byte", func(t *testing.T) *Source { return open(t, "-", iotest.OneByteReader(strings.NewReader(data))) }},
		{"half", func(t *testing.T) *Source { return open(t, "-", iotest.HalfReader(strings.NewReader(data))) }},
		{"data with error", func(t *testing.T) *Source { return open(t, "-", iotest.DataErrReader(strings.NewReader(data))) }},
	}
	for _, source := range sources {
		t.Run(source.name+"/read", func(t *testing.T) {
			got, err := io.ReadAll(source.open(t))
			check(t, string(got), err)
		})
		t.Run(source.name+"/at", func(t *testing.T) {
			got, err := readAt(t, source.open(t))
			check(t, got, err)
		})
	}
}

func TestWholeInputs(t *testing.T) {
	long := incompressible(300_000)
	tests := []struct{ name, data, want string }{
		{"empty", "", ""},
		{"plain", text, text},
		{"plain, one byte", "{", "{"},
		{"plain, half of gzip's magic", "\x1f", "\x1f"},
		{"plain, an array", "[1]\n", "[1]\n"},
		{"plain, a little like zstd", "\x28\xb5\x2e\xfe", "\x28\xb5\x2e\xfe"},
		{"plain, nearly skippable", "[*M\x19", "[*M\x19"},
		{"plain, the first byte of zstd", "(", "("},
		{"plain, the first byte of a marker", "Q", "Q"},
		{"plain, three bytes of zstd", "\x28\xb5\x2f", "\x28\xb5\x2f"},
		{"plain, nearly zstd", "\x28\xb5\x2f\xfe", "\x28\xb5\x2f\xfe"},
		{"plain, with the text of a marker", "{\"text\":jl table", "{\"text\":jl table"},
		{"plain, ends nearly as an archive", footerEnd + "\n", footerEnd + "\n"},
		{"gzip", gz(t, text), text},
		{"gzip of nothing", gz(t, ""), ""},
		{"gzip, long", gz(t, long), long},
		{"gzip, members", gz(t, text) + gz(t, "") + gz(t, long) + gz(t, text), text + long + text},
		{"gzip, many empty members", strings.Repeat(gz(t, ""), 1000), ""},
		{"gzip in gzip", gz(t, gz(t, text)), gz(t, text)},
		{"zstd", zst(t, text), text},
		{"zstd of nothing", zst(t, "") + skippable(0x50, ""), ""},
		{"zstd, long", zst(t, long), long},
		{"zstd, frames", zst(t, text) + zst(t, long) + zst(t, text), text + long + text},
		{"zstd, skippable first", skippable(0x50, "x") + zst(t, text), text},
		{"zstd, skippables", skippable(0x5f, "") + zst(t, text) + skippable(0x5e, "table") + zst(t, text) + skippable(0x5e, "end"), text + text},
		{"zstd, skippable only", skippable(0x5a, "x"), ""},
		{"zstd, window of 128 MiB", "\x28\xb5\x2f\xfd\x00\x88" + "\x11\x00\x00{}", "{}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ways(t, tt.data, func(t *testing.T, got string, err error) {
				require.NoError(t, err)
				require.True(t, tt.want == got)
			})
		})
	}
}

func TestDamage(t *testing.T) {
	flip := func(s string, at int) string {
		b := []byte(s)
		b[at] ^= 1
		return string(b)
	}
	gzipped, zipped := gz(t, text), zst(t, text)
	single := "\x28\xb5\x2f\xfd\xe0" // a frame of one segment, followed by its 8-byte content size
	tests := []struct{ name, data, want, err string }{
		{"gzip, cut", gzipped[:len(gzipped)-1], text, "damaged gzip data: unexpected EOF"},
		{"gzip, cut in the header", gzipped[:5], "", "damaged gzip data: unexpected EOF"},
		{"gzip, cut in the name", gzipped[:13], "", "damaged gzip data: unexpected EOF"},
		{"gzip, checksum", flip(gzipped, len(gzipped)-8), text, "damaged gzip data: gzip: invalid checksum"},
		{"gzip, text after", gzipped + "{}\n", text, "damaged gzip data: unexpected EOF"},
		{"gzip, more text after", gzipped + text, text, "damaged gzip data: gzip: invalid header"},
		{"gzip, NUL after", gzipped + "\x00", text, "damaged gzip data: unexpected EOF"},
		{"gzip, NUL padding after", gzipped + strings.Repeat("\x00", 512), text, "damaged gzip data: gzip: invalid header"},
		{"gzip, NUL padding between", gzipped + strings.Repeat("\x00", 16) + gzipped, text, "damaged gzip data: gzip: invalid header"},
		{"gzip, second cut in the name", gzipped + gzipped[:13], text, "damaged gzip data: unexpected EOF"},
		{"zstd, first byte of an archive", "{" + archive(t, text)[1:], "{" + archive(t, text)[1:], "damaged zstd data: one of the first bytes is wrong"},
		{"zstd, cut", zipped[:len(zipped)-1], "", "damaged zstd data: unexpected EOF"},
		{"zstd, magic only", zipped[:4], "", "damaged zstd data: unexpected EOF"},
		{"zstd, checksum", flip(zipped, len(zipped)-1), "", "damaged zstd data: CRC check failed"},
		{"zstd, text after", zipped + text, text, "damaged zstd data: invalid input: magic number mismatch"},
		{"zstd, NUL after", zipped + "\x00", text, "damaged zstd data: unexpected EOF"},
		{"zstd, second cut", zipped + zipped[:1], text, "damaged zstd data: unexpected EOF"},
		{"zstd, skippable cut", skippable(0x50, "xx")[:9], "", "damaged zstd data: unexpected EOF"},
		{"zstd, skippable then text", skippable(0x50, "xx") + text, "", "damaged zstd data: invalid input: magic number mismatch"},
		{"zstd, window over 128 MiB", "\x28\xb5\x2f\xfd\x00\x89" + "\x11\x00\x00{}", "", "zstd window over 128 MiB, or damaged data: window size exceeded"},
		{"zstd, window of 2^41", "\x28\xb5\x2f\xfd\x00\xf8" + "\x11\x00\x00{}", "", "zstd window over 128 MiB, or damaged data: window size exceeded"},
		{"zstd, segment of 2^62", single + "\x00\x00\x00\x00\x00\x00\x00\x40" + "\x11\x00\x00{}", "", "zstd window over 128 MiB, or damaged data: decompressed size exceeds configured limit"},
		{"zstd, content of 2^62", "\x28\xb5\x2f\xfd\xc0\x00" + "\x00\x00\x00\x00\x00\x00\x00\x40" + "\x10\x00\x00{}" + "\x11\x00\x00{}", "{}", "damaged zstd data: frame size does not match size on stream"},
		{"zstd, unknown dictionary", "\x28\xb5\x2f\xfd\x01\x00\x07" + "\x11\x00\x00{}", "", "zstd data that needs a dictionary is not supported: decompress it first"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ways(t, tt.data, func(t *testing.T, got string, err error) {
				require.EqualError(t, err, tt.err)
				require.Equal(t, tt.want, got)
			})
		})
	}
}

// TestCutAnywhere cuts small compressed files at every byte after the magic.
func TestCutAnywhere(t *testing.T) {
	data := strings.Repeat(text, 20) + incompressible(50)
	for _, tt := range []struct {
		packed string
		magic  int
	}{{gz(t, data), 2}, {zst(t, data), 4}, {skippable(0x50, "x") + zst(t, data), 10}} {
		for n := tt.magic; n < len(tt.packed); n++ {
			s := open(t, "-", strings.NewReader(tt.packed[:n]))
			got, err := io.ReadAll(s)
			require.ErrorIs(t, err, io.ErrUnexpectedEOF, "cut at %d", n)
			require.True(t, strings.HasPrefix(data, string(got)))

			at, err := readAt(t, open(t, "-", strings.NewReader(tt.packed[:n])))
			require.ErrorIs(t, err, io.ErrUnexpectedEOF)
			require.Equal(t, string(got), at)
		}
	}
}

// TestFlipAnywhere flips each bit of small compressed files. Bits that no checksum
// covers, such as those of the name in a gzip header, make no difference.
func TestFlipAnywhere(t *testing.T) {
	data := strings.Repeat(text, 3)
	for _, packed := range []string{gz(t, data), zst(t, data)} {
		for bit := 32; bit < 8*len(packed); bit++ {
			b := []byte(packed)
			b[bit/8] ^= 1 << (bit % 8)
			got, err := io.ReadAll(open(t, "-", bytes.NewReader(b)))
			require.True(t, err != nil || string(got) == data, "bit %d", bit)
		}
	}
}

// A zero is an endless reader.
type zero struct{}

func (zero) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	tests := []struct {
		name, path string
		err        error
	}{
		{"missing", filepath.Join(dir, "nope"), fs.ErrNotExist},
		{"no name", "", fs.ErrNotExist},
		{"directory", dir, syscall.EISDIR},
		{"below a file", filepath.Join(create(t, text), "x"), syscall.ENOTDIR},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Open(tt.path, nil, func() {})
			require.ErrorIs(t, err, tt.err)
		})
	}
}

func TestStdinErrors(t *testing.T) {
	dir, err := os.Open(t.TempDir())
	require.NoError(t, err)
	_, err = Open("-", dir, nil)
	require.EqualError(t, err, "is a directory")
	require.NoError(t, dir.Close(), "stdin after Close")

	_, err = Open("-", dir, nil)
	require.ErrorIs(t, err, fs.ErrClosed)
}

// TestReadErrors has operands that fail part-way. Whatever the format, Read returns the
// bytes before the error, and the error of the operand.
func TestReadErrors(t *testing.T) {
	data := strings.Repeat(text, 1000)
	eio := &fs.PathError{Op: "read", Path: "s.jsonl", Err: syscall.EIO}
	for _, tt := range []struct{ name, packed string }{
		{"plain", data}, {"gzip", gz(t, data)}, {"zstd", zst(t, data)},
		{"zstd, between frames", zst(t, data) + zst(t, data)}, {"gzip, before the end", gz(t, data) + " "},
		{"nothing", "."}, {"magic", "\x28\xb5\x2f\xfd"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, wrong := range []error{eio, io.ErrUnexpectedEOF} {
				for _, n := range []int{len(tt.packed) / 2, len(tt.packed) - 1} {
					broken := func() io.Reader {
						return io.MultiReader(strings.NewReader(tt.packed[:n]), iotest.ErrReader(wrong))
					}
					s := open(t, "-", broken())
					got, err := io.ReadAll(s)
					require.Equal(t, wrong, err)
					require.True(t, strings.HasPrefix(data+data, string(got)) || string(got) == tt.packed[:n])
					_, err = s.Read(make([]byte, 1))
					require.Equal(t, wrong, err, "the second Read")

					at, err := readAt(t, open(t, "-", broken()))
					require.Equal(t, wrong, err)
					require.Equal(t, string(got), at)
				}
			}
		})
	}
}

// TestReadErrorAtTheEnd has the read fail where the input could have ended.
func TestReadErrorAtTheEnd(t *testing.T) {
	for _, packed := range []string{text, gz(t, text), zst(t, text)} {
		for _, wrong := range []error{syscall.EIO, io.ErrUnexpectedEOF} {
			got, err := io.ReadAll(open(t, "-", io.MultiReader(strings.NewReader(packed), iotest.ErrReader(wrong))))
			require.Equal(t, wrong, err)
			require.Equal(t, text, string(got))
		}
	}
}

func TestPlainFileHasNoDecoder(t *testing.T) {
	s := open(t, create(t, text), nil)
	require.Nil(t, s.zstd)
	require.IsType(t, (*input)(nil), s.r)
}

// TestPlainFileIsNotSpooled checks that a plain file is read where it is, and keeps its
// size for At while it grows.
func TestPlainFileIsNotSpooled(t *testing.T) {
	path := create(t, text)
	s := open(t, path, nil)
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	defer f.Close()
	_, err = f.WriteString("more\n")
	require.NoError(t, err)

	got, err := readAt(t, s)
	require.NoError(t, err)
	require.Equal(t, text, got)
	whole, err := io.ReadAll(s)
	require.NoError(t, err)
	require.Equal(t, text+"more\n", string(whole))
	require.Nil(t, s.spooled)
	got, err = readAt(t, s)
	require.NoError(t, err)
	require.Equal(t, text, got)
}

// TestStdinIsReadFromItsOffset has a file as stdin that was read in part.
func TestStdinIsReadFromItsOffset(t *testing.T) {
	_, rest, _ := strings.Cut(text, "\n")
	for _, at := range []bool{true, false} {
		for _, skip := range []int{len(text) - len(rest), len(text), len(text) + 5} {
			f, err := os.Open(create(t, text))
			require.NoError(t, err)
			defer f.Close()
			_, err = f.Seek(int64(skip), io.SeekStart)
			require.NoError(t, err)
			s := open(t, "-", f)
			var got string
			if at {
				got, err = readAt(t, s)
			} else {
				var b []byte
				b, err = io.ReadAll(s)
				got = string(b)
			}
			require.NoError(t, err)
			require.Equal(t, text[min(skip, len(text)):], got)
			require.NoError(t, s.Close())
			_, err = f.Stat()
			require.NoError(t, err, "stdin after Close")
		}
	}
}

// TestUnreadableFile has a regular file whose first bytes cannot be read. At must not
// treat it as plain, because it returns plain files without reading them.
func TestUnreadableFile(t *testing.T) {
	f, err := os.OpenFile(create(t, gz(t, text)), os.O_WRONLY, 0)
	require.NoError(t, err)
	defer f.Close()
	got, err := readAt(t, open(t, "-", f))
	require.ErrorIs(t, err, syscall.EBADF)
	require.Empty(t, got)
}

// TestFileWithoutSize reads a file that is empty according to stat.
func TestFileWithoutSize(t *testing.T) {
	const path = "/proc/self/status"
	if info, err := os.Stat(path); err != nil || info.Size() != 0 {
		t.Skip("no such file here")
	}
	got, err := readAt(t, open(t, path, nil))
	require.NoError(t, err)
	require.Contains(t, got, "\nPid:")
}

// TestOpenDoesNotWaitForMagicBytes opens a pipe that has one byte so far.
func TestOpenDoesNotWaitForMagicBytes(t *testing.T) {
	r, w := io.Pipe()
	go io.WriteString(w, "{")
	s := open(t, "-", r)
	go func() {
		io.WriteString(w, "}\n")
		w.Close()
	}()
	got, err := io.ReadAll(s)
	require.NoError(t, err)
	require.Equal(t, "{}\n", string(got))
}

func TestReady(t *testing.T) {
	var calls int
	ready := func() { calls++ }
	for _, data := range []string{text, gz(t, text), zst(t, text)} {
		s, err := Open(create(t, data), nil, ready)
		require.NoError(t, err)
		_, err = io.ReadAll(s)
		require.NoError(t, err)
		require.NoError(t, s.Close())
		require.Zero(t, calls, "calls for a regular file")
	}
	for _, data := range []string{text, gz(t, text), zst(t, text)} {
		reads := 0
		calls = 0
		s, err := Open("-", reader(func(p []byte) (int, error) {
			reads++
			require.Equal(t, reads, calls, "once before each read")
			if data == "" {
				return 0, io.EOF
			}
			n := copy(p, data[:1])
			data = data[1:]
			return n, nil
		}), ready)
		require.NoError(t, err)
		_, err = io.ReadAll(s)
		require.NoError(t, err)
		_, err = s.Read(make([]byte, 1))
		require.Equal(t, io.EOF, err)
		require.Equal(t, reads, calls, "calls after the end")
		require.NoError(t, s.Close())
	}
}

// A reader is a Read function.
type reader func(p []byte) (int, error)

func (r reader) Read(p []byte) (int, error) { return r(p) }

func TestNamedPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(path, 0o600))
	var once sync.Once
	// There is no writer before ready: opening the pipe first would hang.
	s, err := Open(path, nil, func() {
		once.Do(func() { go os.WriteFile(path, []byte(text), 0o600) })
	})
	require.NoError(t, err)
	defer s.Close()
	got, err := readAt(t, s)
	require.NoError(t, err)
	require.Equal(t, text, got)
}

func TestSpool(t *testing.T) {
	for _, size := range []int{spoolMemory - 1, spoolMemory, spoolMemory + 1, 9 << 20} {
		dir := t.TempDir()
		t.Setenv("TMPDIR", dir)
		data := incompressible(size)
		r, w, err := os.Pipe()
		require.NoError(t, err)
		go func() {
			io.WriteString(w, data)
			w.Close()
		}()
		s, err := Open("-", r, nil)
		require.NoError(t, err)
		for range 2 {
			got, err := readAt(t, s)
			require.NoError(t, err)
			require.True(t, got == data)
		}
		require.Equal(t, size > spoolMemory, s.spooled != nil)
		left, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Empty(t, left)
		require.NoError(t, s.Close())
		if s.spooled != nil {
			_, err = s.spooled.ReadAt(make([]byte, 1), 0)
			require.ErrorIs(t, err, fs.ErrClosed)
		}
		require.NoError(t, r.Close())
	}
}

// TestSpoolBrokenInput has an input that breaks after more than spoolMemory.
func TestSpoolBrokenInput(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	data := incompressible(9 << 20)
	for _, packed := range []string{gz(t, data), zst(t, data)} {
		got, err := readAt(t, open(t, "-", strings.NewReader(packed[:len(packed)-100])))
		require.ErrorIs(t, err, io.ErrUnexpectedEOF)
		require.Greater(t, len(got), spoolMemory)
		require.True(t, strings.HasPrefix(data, got))
	}
}

func TestSpoolErrors(t *testing.T) {
	data := incompressible(9 << 20)
	none := filepath.Join(t.TempDir(), "none")
	t.Setenv("TMPDIR", none)
	s := open(t, "-", strings.NewReader(data))
	for range 2 {
		got, err := readAt(t, s)
		require.ErrorContains(t, err, "temporary file in "+none+": ")
		require.ErrorIs(t, err, fs.ErrNotExist)
		require.Empty(t, got)
	}
	got, err := readAt(t, open(t, "-", strings.NewReader(data[:1000])))
	require.NoError(t, err, "spooled to memory")
	require.Equal(t, data[:1000], got)
}

// TestSpoolFullDisk limits the size of the file in TMPDIR to 8 MiB.
func TestSpoolFullDisk(t *testing.T) {
	var limit syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit))
	full := limit
	full.Cur = spoolMemory
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &full))
	defer syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit)

	t.Setenv("TMPDIR", t.TempDir())
	got, err := readAt(t, open(t, "-", strings.NewReader(incompressible(9<<20))))
	require.ErrorIs(t, err, syscall.EFBIG)
	require.ErrorContains(t, err, "temporary file in ")
	require.Empty(t, got)
}

func TestDetect(t *testing.T) {
	tests := []struct {
		head, kind string
		sure       bool
	}{
		{"", "", false},
		{"{", "", true},
		{"\n", "", true},
		{"\xef", "", true}, // a BOM
		{"[", "", false},
		{"[{", "", true},
		{"\x1f", "", false},
		{"\x1f\x8b", "gzip", true},
		{"\x1f\x8c", "", true},
		{"(", "", false},
		{"\x28\xb5\x2f", "", false},
		{"\x28\xb5\x2f\xfd", "zstd", true},
		{"\x5e\x2a\x4d\x18", "zstd", true},
		{"\x60\x2a\x4d\x18", "", true},
	}
	for _, tt := range tests {
		kind, sure := detect([]byte(tt.head))
		require.Equal(t, tt.kind, kind, "%q", tt.head)
		require.Equal(t, tt.sure, sure, "%q", tt.head)
	}
	for _, m := range magics {
		require.LessOrEqual(t, len(m.bytes), magicLen)
		require.Equal(t, m.kind, kindOf(t, m.bytes))
	}
	require.Empty(t, kindOf(t, "[{}]"))
}

func FuzzAtIsRead(f *testing.F) {
	for _, data := range []string{"", text, gz(f, text), zst(f, text), gz(f, text)[:20], zst(f, text)[:20], skippable(0x50, "x") + zst(f, text), "Q", shortEnd[1:], archive(f, text), zst(f, text) + seekTable(1, 0, row{uint32(len(zst(f, text))), 1}), "\x1f\x9d"} {
		f.Add([]byte(data))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		in := string(data)
		s, err := Open("-", strings.NewReader(in), nil)
		if err != nil {
			return // compressed in a way that Open refuses
		}
		require.NoError(t, s.Close())
		for _, packed := range []string{in, gz(t, in), zst(t, in)} {
			got, wrong := io.ReadAll(open(t, "-", strings.NewReader(packed)))
			for _, s := range []*Source{
				open(t, "-", strings.NewReader(packed)),
				open(t, "-", iotest.OneByteReader(strings.NewReader(packed))),
				open(t, create(t, packed), nil),
			} {
				r, size, err := s.At()
				at, late := io.ReadAll(io.NewSectionReader(r, 0, size))
				if wrong == nil {
					require.NoError(t, err)
					require.NoError(t, late)
					require.True(t, bytes.Equal(got, at))
					continue
				}
				// How many bytes come before the error depends on the reads.
				require.True(t, err != nil || late != nil)
				require.True(t, bytes.HasPrefix(got, at) || bytes.HasPrefix(at, got))
			}
			if packed != in || isPlain(in) {
				require.NoError(t, wrong)
				require.True(t, slices.Equal(data, got))
			}
		}
	})
}

// isPlain reports whether data is plain.
func isPlain(data string) bool {
	kind, _ := detect([]byte(data))
	return kind == "" && !frames.EndsTable([]byte(data[max(0, len(data)-len(footerEnd)):]))
}

func kindOf(t *testing.T, data string) string {
	t.Helper()
	kind, err := Kind(strings.NewReader(data))
	require.NoError(t, err)
	return kind
}

func BenchmarkRead(b *testing.B) {
	log := sample.Lines(16 << 20)
	for _, bm := range []struct{ name, packed string }{
		{"plain", log}, {"gzip", gz(b, log)}, {"zstd", zst(b, log)}, {"seekable", archive(b, log)},
	} {
		b.Run(bm.name, func(b *testing.B) {
			path := create(b, bm.packed)
			buf := make([]byte, 256<<10)
			b.SetBytes(int64(len(log)))
			b.ReportAllocs()
			for b.Loop() {
				s, err := Open(path, nil, nil)
				for err == nil {
					_, err = s.Read(buf)
				}
				require.Equal(b, io.EOF, err)
				s.Close()
			}
		})
	}
}

// TestReadWaitsForAnEmptyPipe has a pipe that another process made non-blocking.
func TestReadWaitsForAnEmptyPipe(t *testing.T) {
	from, tried := strings.NewReader(text), false
	got, err := io.ReadAll(open(t, "-", reader(func(p []byte) (int, error) {
		if !tried {
			tried = true
			return 0, &os.PathError{Op: "read", Path: "|0", Err: syscall.EAGAIN}
		}
		return from.Read(p)
	})))
	require.NoError(t, err)
	require.Equal(t, text, string(got))
}
