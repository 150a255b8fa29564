package session

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"jl/internal/dialect"
)

// foreign are sessions that no list has: patterns of their files, in a home or in a directory below the user's.
var foreign = [...]struct {
	dirs    []string // patterns, below the user's directory
	pattern string
	way     string // what they are, and what reads them or makes logs of them
}{
	{[]string{".local/share/opencode"}, "opencode.db", "OpenCode keeps its sessions in opencode.db: opencode.sh of the examples makes logs of them"},
	{
		[]string{".local/share/opencode"}, "storage/session/*/*.json",
		"OpenCode before 1.2 kept files of messages and parts: jq -c 'select(.sessionID == \"ID\")' storage/{message,part}/*/*.json prints those of a session",
	},
	{[]string{".cursor"}, "chats/*/*/store.db", "Cursor keeps its sessions in SQLite: " + dialect.ReadSQLite + " prints rows"},
	{
		[]string{".config/Cursor/User", appSupport + "Cursor/User"}, "globalStorage/state.vscdb",
		"Cursor keeps its chats in SQLite: sqlite3 DB \"select value from cursorDiskKV where key like 'bubbleId:%'\" prints messages",
	},
	{[]string{"."}, ".iflow/projects/*/*.jsonl", unlisted},
	{[]string{"."}, ".local/share/gptme/logs/*/conversation.jsonl", unlisted},
	{[]string{".gemini"}, "tmp/*/chats/session-*.json", oldGemini},
	{nil, "session-*.json", oldGemini},
	{[]string{".openclaw"}, "agents/*/sessions/*.jsonl.deleted.*", putAway},
	{[]string{".openclaw"}, "agents/*/sessions/*.jsonl.reset.*", putAway},
	{codeUser, "workspaceStorage/*/chatSessions/*.jsonl", codeChanges},
	{codeUser, "globalStorage/emptyWindowChatSessions/*.jsonl", codeChanges},
	{codeUser, "workspaceStorage/*/chatSessions/*.json", codeChats},
	{codeUser, "globalStorage/emptyWindowChatSessions/*.json", codeChats},
}

const (
	appSupport = "Library/Application Support/"

	oldGemini   = "older sessions of Gemini CLI are JSON documents: jq -c '{sessionId, projectHash, startTime}, .messages[]' makes a log of one"
	unlisted    = "logs that no list has: each is a FILE for jlpath and jlrel --list"
	putAway     = "a log that OpenClaw has put away: each is a FILE for jlpath and jlrel --list"
	codeChats   = "chats of VS Code are JSON documents: vscode.jq of the examples makes logs of them"
	codeChanges = "chats of VS Code are changes of a JSON document, one a line: vscode.jq of the examples makes logs of them"
)

// codeUser is where VS Code and its forks keep what belongs to the user.
var codeUser = []string{".config/Code*/User", ".config/VSCodium/User", appSupport + "Code*/User", appSupport + "VSCodium/User"}

// An Unlisted is about sessions that no list has, because they are not logs, or are not named as logs are.
type Unlisted struct {
	Path string // of the file, the first of those of its kind in a directory
	More int    // how many others there are
	Way  string // what they are, and what reads them or makes logs of them
}

// Unlisted returns what the homes have of such sessions, and, if all is set, the directories of other programs. There
// is one for each kind of files in a directory.
func (hs Homes) Unlisted(all bool) (found []Unlisted) {
	user, err := os.UserHomeDir()
	for _, f := range foreign {
		var dirs []string
		for _, h := range hs {
			dirs = append(dirs, h.dir)
		}
		for _, pattern := range f.dirs {
			if !all || err != nil {
				continue
			}
			names, _ := fs.Glob(os.DirFS(user), pattern)
			for _, name := range names {
				dirs = append(dirs, filepath.Join(user, name))
			}
		}
		slices.Sort(dirs)
		for _, dir := range slices.Compact(dirs) { // the home of an agent may be one of them
			names, _ := fs.Glob(os.DirFS(dir), f.pattern)
			if f.dirs != nil && len(names) > 0 {
				found = append(found, Unlisted{filepath.Join(dir, names[0]), len(names) - 1, f.way})
			}
		}
	}
	return found
}

// UnknownLog returns the name, in a directory that has no agent's layout, of a file that is named as logs are, "" if
// there is none.
func UnknownLog(dir string) (name string) {
	if agentOf(dir) != nil {
		return ""
	}
	const deepest = 8 // elements: a home has fewer
	_ = fs.WalkDir(os.DirFS(dir), ".", func(at string, e fs.DirEntry, err error) error {
		switch _, isLog := CutLog(at); {
		case err != nil || e.IsDir() && strings.Count(at, "/") >= deepest:
			return fs.SkipDir
		case isLog && !e.IsDir() && at != historyName:
			name = at
			return fs.SkipAll
		}
		return nil
	})
	return name
}

// DirError returns the error for a directory that should be a log. It says what makes logs of what is
// there.
func DirError(dir string) error {
	for _, f := range foreign {
		if has(dir, f.pattern) {
			return fmt.Errorf("%w: %s", syscall.EISDIR, f.way)
		}
	}
	switch {
	case agentOf(dir) != nil:
		return fmt.Errorf("%w, the home of an agent: jlrel --list --home prints its sessions", syscall.EISDIR)
	case has(dir, "*.jsonl"):
		return fmt.Errorf("%w: its logs are *.jsonl", syscall.EISDIR)
	}
	return syscall.EISDIR
}
