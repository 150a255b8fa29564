package session

import (
	"strconv"
	"strings"
	"unicode/utf16"
)

// nameMax is how many characters of a working directory a folder's name keeps.
const nameMax = 200

// ProjectName returns the name of the folder under projects for a working
// directory, which must be absolute and without links. Every UTF-16 unit of its
// composed form that is no ASCII letter or digit becomes "-". A name of more than 200
// units is cut there, and a hash of the directory is added.
func ProjectName(dir string) string {
	units := utf16.Encode([]rune(Compose(dir)))
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

// MayBeProject reports whether a folder may belong to the working directory that
// [ProjectName] gave the name want: it has that name, or it has the same beginning
// of a cut name and another hash, as some releases made it. In that case only the
// cwd in the records can tell.
func MayBeProject(folder, want string) bool {
	return folder == want || len(want) > nameMax && strings.HasPrefix(folder, want[:nameMax+1])
}

func isAlnum(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// IsElement reports whether name is a single harmless path element: a name that
// stays in the directory it is looked up in.
func IsElement(name string) bool {
	const longest = 255 // what file systems allow
	return name != "" && name != "." && name != ".." && len(name) <= longest &&
		!strings.ContainsAny(name, "/\\\x00")
}

// Backup returns what the backup of a file is called in the home, given its name as
// a snapshot has it, 16 hexadecimal digits, "@v" and a version; "" if that is none, or
// if the id of the session cannot be the name of a directory.
func Backup(id, name string) string {
	if !IsElement(id) || !IsBackup(name) {
		return ""
	}
	return "file-history/" + id + "/" + name
}

// IsBackup reports whether name is one that backups have.
func IsBackup(name string) bool {
	const digits = 16
	if !IsElement(name) || len(name) <= digits+len("@v") {
		return false
	}
	for i := range len(name) {
		c, ok := name[i], false
		switch {
		case i < digits:
			ok = isHex(c) && (c < 'A' || c > 'F')
		case i < digits+len("@v"):
			ok = c == "@v"[i-digits]
		default:
			ok = '0' <= c && c <= '9'
		}
		if !ok {
			return false
		}
	}
	return true
}

// idLen is the length of a session id, 8-4-4-4-12 hexadecimal digits.
const idLen = 36

// IsID reports whether s has the form of the ids that sessions have: a UUID.
func IsID(s string) bool {
	if len(s) != idLen {
		return false
	}
	for i := range len(s) {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		if dash != (s[i] == '-') || !dash && !isHex(s[i]) {
			return false
		}
	}
	return true
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// Owner returns the session id that the name of a file or directory holds, "" if
// none. Of two it is the first: todos are called SESSION-agent-AGENT.json.
func Owner(name string) string {
	for i := 0; i+idLen <= len(name); i++ {
		end := i + idLen
		if (i == 0 || !isAlnum(name[i-1])) && (end == len(name) || !isAlnum(name[end])) && IsID(name[i:end]) {
			return name[i:end]
		}
	}
	return ""
}

// belongs reports whether a name is that of a member of the session id.
func belongs(name, id string) bool {
	if owner := Owner(name); owner != "" {
		return owner == id
	}
	rest, ok := strings.CutPrefix(name, id)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '-')
}

// logSuffixes are what the name of a log ends with.
var logSuffixes = []string{".jsonl", ".jsonl.zst", ".jsonl.gz"}

// cutLog returns the name of a log without its suffix.
func cutLog(name string) (string, bool) {
	for _, suffix := range logSuffixes {
		if stem, ok := strings.CutSuffix(name, suffix); ok && stem != "" {
			return stem, true
		}
	}
	return name, false
}

// AgentID returns the id in the name of an agent's log or of its .meta.json, ""
// if it is neither.
func AgentID(name string) string {
	name = name[strings.LastIndexByte(name, '/')+1:]
	id, ok := strings.CutPrefix(name, "agent-")
	if !ok {
		return ""
	}
	if stem, ok := strings.CutSuffix(id, metaSuffix); ok {
		return stem
	}
	if stem, ok := cutLog(id); ok {
		return stem
	}
	return ""
}

const metaSuffix = ".meta.json"

// PlanSlug returns the slug of the session whose plan has the name, "" if it is not
// that of a plan.
func PlanSlug(name string) string {
	slug, ok := strings.CutSuffix(name, ".md")
	if !ok {
		return ""
	}
	slug, _, _ = strings.Cut(slug, "-agent-")
	return slug
}
