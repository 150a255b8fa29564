package operand

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"slices"
	"strings"

	"jl/internal/cli"
	"jl/internal/dialect"
	"jl/internal/entry"
)

// longestRow is how long the first row of a list may be, in bytes.
const longestRow = 1 << 20

// isList reports whether the first line of the file that is not blank is a row of jlrel --list. It waits for
// that line only, before which no program has anything to print.
func (f *File) isList() bool {
	begin, end := 0, 0 // of that line, as far as it has come
	look := func(b []byte) bool {
		if len(b) < len(entry.BOM) && strings.HasPrefix(entry.BOM, string(b)) {
			return false
		}
		if begin == end {
			begin = len(b) - len(bytes.TrimLeft(bytes.TrimPrefix(b, []byte(entry.BOM)), " \t\r\n"))
			end = begin
		}
		more := bytes.IndexByte(b[end:], '\n')
		end = len(b)
		return begin < end && (b[begin] != '{' || more >= 0) || end > longestRow
	}
	head := f.Source.Peek(look)
	look(head)
	row, _, _ := bytes.Cut(head[begin:], []byte{'\n'})
	var e entry.Entry
	return len(row) > 0 && row[0] == '{' && e.Scan(bytes.TrimSpace(row)) && dialect.Listed(&e) != nil
}

// listed yields the paths that the rows of a list name, as they arrive. It reports lines that are no rows.
func (f *File) listed() iter.Seq[string] {
	return func(yield func(string) bool) {
		for id, e := range f.List(true) {
			var path string
			if e != nil {
				path = string(dialect.Listed(e).Text())
			}
			switch {
			case id != "":
				f.Fail(fmt.Errorf("a list has a line that is no row of jlrel --list: %s", entry.Quote(id)))
			case path == "":
				f.FailAt(e.Pos.Line, errors.New("not a row of jlrel --list, as the first line is"))
			case strings.Contains(path, "\ufffd") && !exists(path):
				f.FailAt(e.Pos.Line, fmt.Errorf("%q: the name is not UTF-8, and only jlrel --list -0 | xargs -0 %s passes it on", path, f.c.Name()))
			case path == "-": // a file of that name
				path = "./-"
				fallthrough
			default:
				if !yield(path) {
					return
				}
			}
		}
	}
}

// exists reports whether there is a file of that name, or may be one.
func exists(name string) bool {
	_, err := os.Lstat(name)
	return !errors.Is(err, fs.ErrNotExist)
}

// eachListed calls do with the files that the rows of list name, as if they were operands.
func (o *Options) eachListed(c *cli.Command, list *File, do func(*File)) {
	o.Files = slices.DeleteFunc(slices.Clone(o.Files), func(name string) bool { return name == "-" })
	given := len(o.Files)
	for path := range list.listed() {
		if c.Broken() {
			return
		}
		if o.Files = append(o.Files, path); o.Single != "" { // nothing is done before it is known to be one
			continue
		}
		if in, ok := o.resolve(c, path); ok {
			o.use(c, in, true, do)
		}
	}
	switch {
	case o.Single == "" || len(o.Files) == given:
	case len(o.Files) > 1:
		list.Fail(fmt.Errorf("%s takes one FILE, and the list names %d", o.Single, len(o.Files)))
	default:
		if in, ok := o.resolve(c, o.Files[0]); ok {
			o.use(c, in, true, do)
		}
	}
}
