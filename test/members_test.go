package test

import (
	"bytes"
	"compress/gzip"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
	"jl/test/corpus"
	"jl/test/sample"
)

// A table lists the members of a record or of a kind of rows, in their order, as a manual does.
type table struct {
	members  []string
	optional map[string]bool
}

func (t *table) add(name string, optional bool) {
	t.members = append(t.members, name)
	if t.optional == nil {
		t.optional = map[string]bool{}
	}
	t.optional[name] = optional
}

// before returns a table of the members of t, then those of another one.
func (t table) before(other table) (both table) {
	for _, part := range [...]table{t, other} {
		for _, name := range part.members {
			both.add(name, part.optional[name])
		}
	}
	return both
}

// wrong returns what is wrong with a record that has these members, "" if it is as the table says. Members that a
// manual lists in their order have it. Any record may have the name of its FILE.
func (t table) wrong(members []string, inOrder bool) string {
	for _, name := range t.members {
		if !t.optional[name] && !slices.Contains(members, name) {
			return "lacks " + name
		}
	}
	at := 0
	for _, name := range members {
		i := slices.Index(t.members, name)
		switch {
		case i < 0 && name != "file":
			return name + " is not in the table"
		case inOrder && i >= 0 && i < at:
			return name + " is not in its place"
		}
		at = max(at, i)
	}
	return ""
}

var (
	rowsTable    = regexp.MustCompile(`(?s)\n\.It Sy IS\n.*?\n\.El`)
	recordsPart  = regexp.MustCompile(`(?s)\n\.Sh OUTPUT\n.*?\n\.Sh `)
	manualItem   = regexp.MustCompile(`(?s)\n\.It "([^"]+)"((?:\n[^.][^\n]*)*)`)
	edgeLiteral  = regexp.MustCompile(`(?s)\n(\{"uuid":.*?\})\n`)
	literalName  = regexp.MustCompile(`"(\w+)":(\S)`)
	alsoHas      = regexp.MustCompile(`It also has the fields under ([A-Z][a-z ]*)(, or none of them)?\.`)
	bracketedOne = regexp.MustCompile(`^\[(\w+)\]$`)
	functionItem = regexp.MustCompile(`(?s)\n\.It Xo\n\.Ic "(\w+)(?:\(rows\))?".*?\n\.Bd`)
	braced       = regexp.MustCompile(`: \{(\w+(?:, \w+)+)\}(?:, and \.Va (\w+))?`)
)

// rowsIn returns the tables of the kinds of rows in jlpath(1): name, [name], [name]: what they mean.
func rowsIn(page string) map[string]table {
	kinds := map[string]table{}
	for _, m := range manualItem.FindAllStringSubmatch(rowsTable.FindString(page), -1) {
		names, _, _ := strings.Cut(strings.Join(strings.Fields(m[2]), " "), ":")
		var kind table
		for _, name := range strings.Split(names, ", ") {
			bare := bracketedOne.ReplaceAllString(name, "$1")
			kind.add(bare, bare != name)
		}
		kinds[m[1]] = kind
	}
	return kinds
}

// recordsIn returns the tables of the records under OUTPUT in a manual.
func recordsIn(page string) map[string]table {
	records := map[string]table{}
	parts := strings.Split(recordsPart.FindString(page), "\n.Ss ")
	for _, part := range parts[1:] {
		name, _, _ := strings.Cut(part, "\n")
		var r table
		for _, m := range manualItem.FindAllStringSubmatch(part, -1) {
			r.add(m[1], strings.HasSuffix(m[2], "(optional)"))
		}
		for _, m := range alsoHas.FindAllStringSubmatch(strings.Join(strings.Fields(part), " "), -1) {
			for _, other := range records[m[1]].members {
				r.add(other, records[m[1]].optional[other] || m[2] != "")
			}
		}
		records[name] = r
	}
	return records
}

// functionsIn returns the tables of the objects that functions make, in jl.jq(7): {name, name}, and another.
func functionsIn(page string) map[string]table {
	functions := map[string]table{}
	for _, item := range functionItem.FindAllStringSubmatch(page, -1) {
		m := braced.FindStringSubmatch(strings.Join(strings.Fields(item[0]), " "))
		if m == nil {
			continue
		}
		var members table
		for name := range strings.SplitSeq(m[1], ", ") {
			members.add(name, false)
		}
		if m[2] != "" {
			members.add(m[2], true)
		}
		functions[item[1]] = members
	}
	return functions
}

// edgeIn returns the table of the edge in jltree(1), of which what an entry does not have is left out.
func edgeIn(page string) (edge table) {
	always := []string{"uuid", "parentUuid", "line", "offset", "length"}
	for _, m := range literalName.FindAllStringSubmatch(edgeLiteral.FindString(page), -1) {
		edge.add(m[1], !slices.Contains(always, m[1]))
	}
	return edge
}

func manualPage(t *testing.T, name string) string {
	t.Helper()
	page, err := os.ReadFile("../doc/man/" + name)
	require.NoError(t, err)
	return string(page)
}

// A record is a line that a program printed, and the names of its members.
type record struct {
	line    string
	members []string
}

func newRecord(line string) record {
	r := record{line: line}
	for name := range entry.Value(line).Members() {
		r.members = append(r.members, string(name.Text()))
	}
	return r
}

// member returns the value of a member that is a string, "" if there is none.
func (r record) member(name string) string {
	return string(entry.Value(r.line).Member(name).Text())
}

// records returns what a program prints. Its status may be any, because many logs of the tests are damaged.
func records(t *testing.T, program string, args ...string) (all []record) {
	t.Helper()
	cmd := exec.Command(filepath.Join(built(t), program), args...)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "TZ=UTC")
	out, _ := cmd.Output()
	for line := range strings.Lines(string(out)) {
		all = append(all, newRecord(line))
	}
	return all
}

// TestRowsAreNoLog: what jlpath --said prints is refused by each program that reads logs, though most rows have an id.
func TestRowsAreNoLog(t *testing.T) {
	log, rows := filepath.Join("..", "testdata", "compacted.jsonl"), filepath.Join(t.TempDir(), "rows")
	said, err := exec.Command(filepath.Join(built(t), "jlpath"), "-s", log).Output()
	require.NoError(t, err)
	all := bytes.SplitAfter(said, []byte("\n"))
	for _, command := range []string{"jltree", "jltree --check", "jltree --graph", "jlleaf", "jlleaf -a", "jlpath", "jlpath -as", "jlsnap",
		"jlcompact", "jlcompact --cold", "jlcompact --list", "jlcompact --last=1"} {
		for _, text := range [][]byte{said, all[0], all[len(all)-2]} {
			require.NoError(t, os.WriteFile(rows, text, 0o600))
			name, args, _ := strings.Cut(command, " ")
			cmd := exec.Command(filepath.Join(built(t), name), append(strings.Fields(args), rows)...)
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			require.Error(t, cmd.Run())
			require.Equal(t, 2, cmd.ProcessState.ExitCode(), command)
			require.Empty(t, stdout.String(), command)
			require.Equal(t, name+": "+rows+": not a session log: rows of jlpath --said, which jq reads; their session names the log\n", stderr.String(), command)
		}
	}
}

// tables are those of a manual, and which of their members were printed.
type tables struct {
	of      map[string]table
	printed map[string]map[string]bool // by table and member
}

func newTables(of map[string]table) *tables { return &tables{of, map[string]map[string]bool{}} }

// saw remembers the members of a record that is as a table says.
func (s *tables) saw(name string, members []string) {
	if s.printed[name] == nil {
		s.printed[name] = map[string]bool{}
	}
	for _, m := range members {
		s.printed[name][m] = true
	}
}

// has wants a record to be as one of these tables says, or more.
func (s *tables) has(t *testing.T, r record, names ...string) {
	t.Helper()
	var why []string
	for _, name := range names {
		require.Contains(t, s.of, name, r.line)
		if wrong := s.of[name].wrong(r.members, false); wrong != "" {
			why = append(why, name+": "+wrong)
		} else {
			s.saw(name, r.members)
		}
	}
	require.Less(t, len(why), len(names), "%s%s", r.line, why)
}

// unprinted returns what the tables have and no record had. A member of a table that others have in theirs may be
// printed by any of them.
func (s *tables) unprinted(shared ...string) (missing []string) {
	anywhere := map[string]bool{}
	for _, members := range s.printed {
		maps.Copy(anywhere, members)
	}
	common := map[string]bool{}
	for _, name := range shared {
		for _, member := range s.of[name].members {
			common[member] = true
		}
	}
	for name, table := range s.of {
		for _, member := range table.members {
			if !s.printed[name][member] && !(common[member] && anywhere[member]) {
				missing = append(missing, name+": "+member)
			}
		}
	}
	slices.Sort(missing)
	return missing
}

// TestRowsHaveTheirMembers wants each row that jlpath prints to have the members that its manual says, in that order,
// and no others; and a row with each of them.
func TestRowsHaveTheirMembers(t *testing.T) {
	kinds := newTables(rowsIn(manualPage(t, "jlpath.1")))
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(kinds.of)), func(name string) bool { return name == "any" })
	require.NotEmpty(t, names)
	asked := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == "left" }) // which a path has unasked
	logs, _, err := corpus.Find(t.TempDir(), "../testdata", "testdata", "../cmd")
	require.NoError(t, err)
	for _, which := range []string{"-a", "-t"} {
		for _, r := range records(t, "jlpath", append([]string{which, "--said=" + strings.Join(asked, ",")}, logs...)...) {
			is := r.member("is")
			require.Contains(t, names, is, r.line)
			kinds.saw(is, r.members)
			if n := len(r.members) - 1; is != "left" && is != "unread" { // about the part that is printed, and so without a key
				require.Equal(t, "key", r.members[n], r.line)
				require.Regexp(t, "^[0-9a-f]{16}$", r.member("key"), r.line)
				r.members = append([]string{"key"}, r.members[:n]...)
			}
			require.Empty(t, table{members: []string{"key"}, optional: map[string]bool{"key": true}}.before(kinds.of["any"]).before(kinds.of[is]).wrong(r.members, true), r.line)
		}
	}
	require.Empty(t, kinds.unprinted("any"))
}

// TestRecordsHaveTheirMembers wants the same of the other records, in any order.
func TestRecordsHaveTheirMembers(t *testing.T) {
	logs, homes, err := corpus.Find(t.TempDir(), "../testdata", "testdata", "../cmd")
	require.NoError(t, err)

	t.Run("jltree", func(t *testing.T) {
		s := newTables(recordsIn(manualPage(t, "jltree.1")))
		s.of["edge"] = edgeIn(manualPage(t, "jltree.1"))
		findings := slices.DeleteFunc(slices.Collect(maps.Keys(s.of)), func(name string) bool { return name == "Totals" || name == "edge" })
		for _, r := range records(t, "jltree", logs...) {
			s.has(t, renamed(r), "edge")
		}
		for _, r := range records(t, "jltree", append([]string{"--check", "--notes"}, logs...)...) {
			if slices.Contains(r.members, "totals") {
				s.has(t, r, "Totals")
			} else {
				s.has(t, r, findings...)
			}
		}
		require.Empty(t, s.unprinted("Finding", "Place"))
	})

	t.Run("jlleaf", func(t *testing.T) {
		s := newTables(recordsIn(manualPage(t, "jlleaf.1")))
		s.of["Leaf"] = edgeIn(manualPage(t, "jltree.1")).before(s.of["Leaf"])
		for _, r := range records(t, "jlleaf", append([]string{"-a"}, logs...)...) {
			s.has(t, renamed(r), "Leaf")
		}
		require.Empty(t, s.unprinted())
	})

	t.Run("jlcompact", func(t *testing.T) {
		s := newTables(recordsIn(manualPage(t, "jlcompact.1")))
		for _, r := range records(t, "jlcompact", append([]string{"--list"}, logs...)...) {
			s.has(t, r, "Page")
		}
		require.Empty(t, s.unprinted())
	})

	var inHomes []string
	for _, home := range homes {
		inHomes = append(inHomes, "--home", home)
	}

	t.Run("jlsnap", func(t *testing.T) {
		s := newTables(recordsIn(manualPage(t, "jlsnap.1")))
		for _, r := range records(t, "jlsnap", slices.Concat(inHomes, []string{"--files"}, logs)...) {
			s.has(t, r, "Tracked file")
		}
		require.Empty(t, s.unprinted())
	})

	t.Run("jlrel", func(t *testing.T) {
		s := newTables(recordsIn(manualPage(t, "jlrel.1")))
		var found []record
		for _, r := range append(records(t, "jlrel", append(inHomes, "--list", "--all")...), records(t, "jlrel", "--list", packed(t))...) {
			s.has(t, r, "Session")
			found = append(found, r)
		}
		for _, r := range records(t, "jlrel", append(inHomes, "--homes")...) {
			s.has(t, r, "Home")
		}
		// Each log is looked for in its own home, for in all homes it takes long; and those of no home in one.
		of := map[string][]string{}
		homeOf := func(log string) string {
			in := homes[0]
			for _, home := range homes {
				if strings.HasPrefix(log, home+"/") && (len(home) > len(in) || !strings.HasPrefix(log, in+"/")) {
					in = home
				}
			}
			return in
		}
		for _, r := range found { // by its id, with the logs of its agents
			in := homeOf(r.member("path"))
			of[in] = append(of[in], r.member("sessionId"))
		}
		for _, log := range logs {
			of[homeOf(log)] = append(of[homeOf(log)], log)
		}
		asked := func(options ...string) (all []record) {
			for home, logs := range of {
				all = append(all, records(t, "jlrel", slices.Concat(options, []string{"--home", home}, logs)...)...)
			}
			return all
		}
		for _, r := range slices.Concat(asked(), records(t, "jlrel", append(inHomes, "--orphans", "--missing")...)) {
			s.has(t, r, "Member")
		}
		for _, r := range asked("--links") {
			kind := r.member("link")
			if kind == "continued" {
				kind = "fork"
			}
			s.has(t, r, strings.ToUpper(kind[:1])+kind[1:]+" link")
		}
		for _, r := range asked("--report") {
			s.has(t, r, "Report")
			for _, list := range []string{"file_history", "output_files"} {
				for file := range entry.Value(r.line).Member(list).Elements() {
					s.has(t, newRecord(string(file)), "Sized file")
				}
			}
		}
		require.Empty(t, s.unprinted("Logs", "Task end"))
	})
}

// packed returns a compressed log that is cut in the middle.
func packed(t *testing.T) string {
	t.Helper()
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err := io.WriteString(w, `{"type":"user","uuid":"a","parentUuid":null,"message":{"role":"user","content":"Hello"}}`+"\n"+sample.Lines(1<<20))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	name := filepath.Join(t.TempDir(), "60000000-0000-4000-8000-000000000003.jsonl.gz")
	require.NoError(t, os.WriteFile(name, packed.Bytes()[:packed.Len()/2], 0o600))
	return name
}

// TestFunctionsHaveTheirMembers wants the same of the objects that functions of the jq library make of rows.
func TestFunctionsHaveTheirMembers(t *testing.T) {
	logs, _, err := corpus.Find(t.TempDir(), "../testdata", "testdata")
	require.NoError(t, err)
	rows := filepath.Join(t.TempDir(), "rows")
	var all strings.Builder
	for _, r := range records(t, "jlpath", append([]string{"-as"}, logs...)...) {
		all.WriteString(r.line)
	}
	require.NoError(t, os.WriteFile(rows, []byte(all.String()), 0o600))
	functions := newTables(functionsIn(manualPage(t, "jl.jq.7")))
	for name := range functions.of {
		out, err := shell(t, built(t), "jq -nc '"+name+"(inputs)' "+rows).Output()
		require.NoError(t, err)
		for line := range strings.Lines(string(out)) {
			functions.has(t, newRecord(line), name)
		}
	}
	require.Greater(t, len(functions.of), 5)
	require.Empty(t, functions.unprinted())
}

// renamed returns an edge of pi with the names that others have.
func renamed(r record) record {
	for i, name := range r.members {
		switch name {
		case "id":
			r.members[i] = "uuid"
		case "parentId":
			r.members[i] = "parentUuid"
		}
	}
	return r
}
