package cli

import (
	"os"
	"slices"
	"strings"
)

// hints say what to type in place of an option that a program lacks, by the names that people try. PROGRAM is that
// program.
var hints = []struct{ options, hint string }{
	{"-help", "say --help"},
	{"-v -version", "say --version"},
	{"--graph --dot --check --strict --notes", "jltree has it"},
	{"--list --links --report --orphans --missing", "jlrel has it"},
	{"--since --until --date --day --days --week --today", "jlrel --list --since monday | PROGRAM reads the sessions since then"},
	{"--cwd --under --project --dir --folder", "jlrel --list --cwd DIR | PROGRAM reads the sessions of a folder"},
	{"--agent", "jlrel --list | jq -c 'select(.agent == \"codex\")' | PROGRAM reads the sessions of one"},
	{"--sessions --all-sessions", "jlrel --list | PROGRAM reads all sessions"},
	{"--type --role --kind --kinds", "jlpath -s --said=prompt,answer prints such rows; man jlpath has the kinds"},
	{"--leaf --union --chain --bridge --through --meta --strip --session", "jlpath has it"},
	{"--files --restore", "jlsnap has it"},
	{"--cold --page --last --before --zstd --archive --extract", "jlcompact has it"},
	{"-n -1 -2 -3 -5 -10 -20 --lines --limit --count --max --head", "| head -n N prints the first N"},
	{"-r --reverse --sort", "jlrev prints the last line first; | sort sorts"},
	{"--markdown --html --chat --timeline --prompts --answers --text --tools --calls --errors --usage --cost --messages --todos --patch",
		"jq has it, as a function of jl.jq: jlpath -s FILE | jq -r NAME"},
	{"--json --jsonl --format --pretty", "the output is JSON lines; | jq . formats them"},
	{"-f --follow --tail", "tail -n +1 -F FILE | jltree follows a log"},
	{"--search --grep --query", "jlrel --list -0 | xargs -0 zstdgrep -l WORD names the logs that have a word"},
	{"-o --out --output", "> FILE writes into a file"},
}

// hintFor returns what to type in place of an option that a program does not know, or "". Arg is the argument that it
// is in: it may be the name of a file.
func hintFor(program, option, arg string) string {
	if strings.Contains(arg, "/") || strings.HasSuffix(arg, ".jsonl") || exists(arg) {
		return "put -- before files whose names begin with -"
	}
	pipe := " | " + program + " reads"
	if program == "jlrel" || program == "jlrev" { // for which a list names no FILEs
		pipe = " prints"
	}
	for _, h := range hints {
		if names := strings.Fields(h.options); slices.Contains(names, option) || slices.Contains(names, arg) {
			return strings.Replace(h.hint, " | PROGRAM reads", pipe, 1)
		}
	}
	return ""
}

// exists reports whether there is a file of that name.
func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}
