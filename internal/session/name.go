package session

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"

	"golang.org/x/text/unicode/norm"

	"jl/internal/entry"
)

// nameMax is how many characters of a working directory a folder's name keeps.
const nameMax = 200

// projectName returns the name of the folder under projects for a working directory,
// which must be absolute and free of links. Each UTF-16 unit of the directory's composed
// form (NFC) that is not an ASCII letter or digit becomes "-". A name of more than 200
// units is cut there, and a hash of the directory is appended.
func projectName(dir string) string {
	units := utf16.Encode([]rune(norm.NFC.String(dir)))
	name := make([]byte, len(units))
	var hash int32
	for i, u := range units {
		hash = hash*31 + int32(u)
		name[i] = '-'
		if u < 0x80 && isAlnum(byte(u)) {
			name[i] = byte(u)
		}
	}
	if len(name) <= nameMax {
		return string(name)
	}
	return string(name[:nameMax]) + "-" + strconv.FormatInt(max(int64(hash), -int64(hash)), 36)
}

func isAlnum(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// isElement reports whether name is a single harmless path element: a name that
// stays in the directory it is looked up in.
func isElement(name string) bool {
	const longest = 255 // what file systems allow
	return name != "" && name != "." && name != ".." && len(name) <= longest &&
		!strings.ContainsAny(name, "/\\\x00")
}

// Backup returns the name in the home of the backup of a file, given the name that a
// snapshot has: 16 hexadecimal digits, "@v" and a version. It returns "" if that is not
// the name of a backup, or if the session id cannot be the name of a directory.
func Backup(id, name string) string {
	if !isElement(id) || !IsBackup(name) {
		return ""
	}
	return "file-history/" + id + "/" + name
}

// IsBackup reports whether name is the name of a backup.
func IsBackup(name string) bool { return isElement(name) && backupName().MatchString(name) }

var backupName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{16}@v[0-9]+$`) })

// idLen is the length of a session id, 8-4-4-4-12 hexadecimal digits.
const idLen = 36

// IsID reports whether s has the form of the ids that sessions have: a UUID.
func IsID(s string) bool {
	if len(s) != idLen {
		return false
	}
	for i := range len(s) {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		if dash != (s[i] == '-') || !dash && strings.IndexByte("0123456789abcdefABCDEF", s[i]) < 0 {
			return false
		}
	}
	return true
}

// Owner returns the session id that the name of a file or directory holds, "" if it holds none.
// If it holds two, the first counts: todos are called SESSION-agent-AGENT.json.
func Owner(name string) string {
	for i := 0; i+idLen <= len(name); i++ {
		end := i + idLen
		if (i == 0 || !isAlnum(name[i-1])) && (end == len(name) || !isAlnum(name[end])) && IsID(name[i:end]) {
			return name[i:end]
		}
	}
	return ""
}

// logSuffixes are the suffixes of the names of logs.
var logSuffixes = []string{".jsonl", ".jsonl.zst", ".jsonl.gz", ".jsonl.zstd"}

// CutLog returns the name of a log without its suffix. It reports false, and returns the
// name, if that is not the name of a log.
func CutLog(name string) (string, bool) {
	for _, suffix := range logSuffixes {
		if stem, ok := strings.CutSuffix(name, suffix); ok && stem != "" {
			return stem, true
		}
	}
	return name, false
}

// Named returns what a log with a name calls its session: the id in the last element of the name, or, without an id,
// the name without its suffix.
func Named(name string) string {
	if id := Owner(name[strings.LastIndexByte(name, '/')+1:]); id != "" {
		return id
	}
	if stem, ok := CutLog(name); ok {
		return stem
	}
	return strings.TrimSuffix(name, path.Ext(name))
}

// AgentID returns the id in the name of an agent's log or of its .meta.json, "" for any
// other name.
func AgentID(name string) string {
	name = name[strings.LastIndexByte(name, '/')+1:]
	id, isAgent := strings.CutPrefix(name, agentPrefix)
	stem, ok := strings.CutSuffix(id, metaSuffix)
	if !ok {
		stem, ok = CutLog(id)
	}
	if !isAgent || !ok {
		return ""
	}
	return stem
}

// The names of agents' logs and metadata begin with agentPrefix.
const (
	agentPrefix = "agent-"
	metaSuffix  = ".meta.json"
)

// planSlug returns the slug of the session whose plan has the name, "" if the name is
// not the name of a plan.
func planSlug(name string) string {
	if !strings.HasSuffix(name, ".md") {
		return ""
	}
	slug, _, _ := strings.Cut(strings.TrimSuffix(name, ".md"), "-agent-")
	return slug
}

var outputName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^/[^\x00]*/tasks/[A-Za-z0-9_-]+\.output$`) })

// isTaskOutput reports whether path is a place where the output of a background task is stored, outside
// of the home. Only such a file is looked at, and it is never opened: some have had 459 GB.
func isTaskOutput(path string) bool {
	const longest = 4096
	return len(path) < longest && outputName().MatchString(path) && filepath.Clean(path) == path
}

// toolResult returns the name of the file that a big result of the session id was saved to, given the path that an
// entry names; or "" if it is not the path of such a file.
func (a *agent) toolResult(saved, id string) string {
	saved = strings.ReplaceAll(strings.TrimSpace(saved), `\`, "/")
	dir, base := path.Split(saved)
	if !isElement(base) || !strings.HasSuffix(dir, "/"+id+"/"+a.resultsDir+"/") {
		return ""
	}
	return base
}

// HasAgentLog reports whether a sub-agent of a session, whose log has a name, has a log of its own: in the folder of
// the session, or beside its log, as older releases have it.
func HasAgentLog(name, agent string) bool {
	stem, isLog := CutLog(name)
	dirs := []string{filepath.Join(stem, "subagents"), filepath.Dir(name)}
	workflows := filepath.Join(stem, "subagents", "workflows")
	runs, _ := os.ReadDir(workflows) // none is there, mostly
	for _, run := range runs {
		dirs = append(dirs, filepath.Join(workflows, run.Name()))
	}
	for _, dir := range dirs {
		for _, suffix := range logSuffixes {
			if _, err := os.Stat(filepath.Join(dir, agentPrefix+agent+suffix)); err == nil && isLog && isElement(agent) {
				return true
			}
		}
	}
	return false
}

// cwdOfSession returns the first working directory in the first 64 KiB of a session's log, "" if there is none. The name
// is that of a log of one of its sub-agents. Older releases put such a log beside the session's, newer ones into a folder
// that is named after the session.
func cwdOfSession(name string) string {
	abs, err := filepath.Abs(name)
	if err != nil {
		return ""
	}
	name = filepath.ToSlash(abs)
	stem := name[:max(0, strings.LastIndex(name, "/subagents/"))]
	if stem == "" {
		id := firstString(headOf(name), "sessionId")
		if !isElement(id) {
			return ""
		}
		stem = path.Join(path.Dir(name), id)
	}
	for line := range bytes.Lines(headOf(stem + ".jsonl")) {
		if cwd := entry.Value(line).Member("cwd"); !cwd.IsEmpty() {
			return string(cwd.Text())
		}
	}
	return ""
}

// headOf returns the first 64 KiB of a file, all of a shorter one, and nothing if the file cannot be read.
func headOf(name string) []byte {
	f, _, err := openFile(filepath.FromSlash(name))
	if err != nil {
		return nil
	}
	defer f.Close()
	head := make([]byte, endSize)
	n, _ := f.ReadAt(head, 0)
	return head[:n]
}

// AgentTold returns what the file beside the log of a sub-agent, which has a name, tells: the type and the model of
// that.
func AgentTold(name string) (agentType, model string) {
	if AgentID(name) == "" {
		return "", ""
	}
	stem, _ := CutLog(name)
	meta, err := objectIn(openFile(stem + metaSuffix))
	if err != nil { // many logs have none
		return "", ""
	}
	return string(meta.Member("agentType").Text()), string(meta.Member("model").Text())
}

// CwdTold returns the first working directory of a session, whose log has a name, if the place of the log in a home or a
// file beside it tells that, else "". For an agent whose entries tell it, CwdTold returns "", but the log of a sub-agent
// may begin in another directory than its session, whose log tells it.
func CwdTold(name string) string {
	if AgentID(name) != "" {
		return cwdOfSession(name)
	}
	abs, err := filepath.Abs(name)
	if err != nil {
		return ""
	}
	elements := strings.Split(filepath.ToSlash(abs), "/")
	all := models()
	for i := range all {
		a := &all[i]
		for _, r := range a.rules {
			at := len(elements) - len(r.elements)
			if a.project == nil || !r.isSession() || at < 1 {
				continue
			}
			rest := strings.Join(elements[at:], "/")
			if !a.match(rest, false).isSession() {
				continue
			}
			if h, err := openHome(filepath.FromSlash(strings.Join(elements[:at], "/")), a); err == nil {
				if cwd := a.project(h, path.Dir(rest)); cwd != "" {
					return cwd
				}
			}
		}
	}
	return ""
}
