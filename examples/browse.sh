#!/bin/bash
# Shows the sessions of all agents in fzf, the newest first, and below them what was said in the one under the cursor.
# Enter goes on with it, in its agent and its folder; ctrl-o makes a page of it and opens that in the browser, ctrl-f
# lists its files, and ctrl-x archives its log, after a question.
#
#	browse.sh [FZF-OPTION]...
#	browse.sh -q moons
#
# The options are for fzf: with --filter WORD it takes the session that fits best, and does not ask for one. A page is in
# a folder of its own below TMPDIR; BROWSER names the program that opens it, else xdg-open or open does, and its name is
# printed. After an archive the agent does not find the session: jlcompact --extract brings the log back.
set -uo pipefail
case ${1-} in -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' -- "$0"; exit ;; esac
unset CDPATH # cd goes where it is told

trouble() { # a name may have characters that a terminal obeys
	local said=$*
	[[ $said != *[[:cntrl:]]* ]] || said=${said@Q}
	printf 'browse.sh: %s\n' "$said" >&2
}
fail() { trouble "$@"; exit 2; }

[[ ${1-} != -h ]] || { echo 'usage: browse.sh [FZF-OPTION]...' >&2; exit 2; }
for tool in fzf jlcompact jlpath jlrel jq mktemp realpath; do type -P "$tool" >/dev/null || fail "$tool is not installed"; done
BROWSE=$(realpath -- "$0") && here=${BROWSE%/*} || exit 2
for lib in "${JL-}" "$here/../share/jl" "$here/../../../jl" ''; do [ ! -e "$lib/page.jq" ] || break; done
[ -n "$lib" ] || fail 'page.jq is not found: set JL to the folder that has it'

# query is jq without a library of the user, which it would read at each start.
query() { HOME=/nonexistent jq -L "$lib" "$@"; }
# log prints the name of the log of a row, and an x, because a name may end with a newline.
log() { query -j .path <<<"$1" && echo x; }

if [ "${1-}" = --chat ]; then # the preview
	path=$(log "$2") && jlpath -ts -- "${path%x}" | query -r 'include "jl"; chat'
	exit
fi

rows=$(jlrel --list | query -r '
	def shown: [tostring | match("[^\\p{C}]+"; "g").string] | join(" ");
	def wide($n): .[:$n] | . + " " * ($n - length);
	(.lastTimestamp // .lastModified // 0 | . / 1000 | floor | strflocaltime("%Y-%m-%d %H:%M")) as $time
	| (.agent // "" | shown | wide(8)) as $agent | (.cwd // "" | tostring | split("/") | map(select(. != ""))[-1] // "" | shown | wide(12)) as $folder
	| tojson + "\t" + ([$time, $agent, $folder, (.customTitle // .summary // .firstPrompt // "" | shown | .[:200])] | join(" "))')
[ -n "$rows" ] || { trouble 'there is no session'; exit 1; }
export BROWSE
chosen=$(SHELL=$BASH fzf --delimiter '\t' --with-nth 2.. --reverse --tiebreak index --expect enter,ctrl-o,ctrl-f,ctrl-x \
	--header 'enter: go on  ctrl-o: page  ctrl-f: files  ctrl-x: archive' \
	--preview 'bash "$BROWSE" --chat {1}' --preview-window down,60%,wrap "$@" <<<"$rows") || exit
key=enter
[[ $chosen == '{'* ]] || { key=${chosen%%$'\n'*} chosen=${chosen#*$'\n'}; }
row=${chosen%%$'\n'*} row=${row%%$'\t'*}
path=$(log "$row") && path=${path%x} || exit 2

case ${key:-enter} in
enter)
	command=$(query -r 'include "jl"; resume' <<<"$row") && [ -n "$command" ] || exit 2
	folder=$(query -r '.cwd // empty' <<<"$row")
	[ -z "$folder" ] || [ -d "$folder" ] || fail "$folder: the folder of the session is gone; move.sh moves the session to another"
	eval "$command" ;;
ctrl-f)
	jlrel -- "$path" | query -r '[.kind, .bytes // "", .path] | map(tostring) | @tsv' ;;
ctrl-x)
	printf 'Archive %s? [y/N] ' "${path@Q}" >&2
	read -r answer
	[[ ${answer-} == [yY]* ]] || exit 1
	jlcompact --archive -- "$path" ;;
ctrl-o)
	dir=$(mktemp -d "${TMPDIR:-/tmp}/jl-page.XXXXXX") || exit 2
	trap 'rm -r -- "$dir"' EXIT
	jlpath -ts -- "$path" | query -nr 'include "page"; html(inputs)' >"$dir/new"
	[ "${PIPESTATUS[1]}" -eq 0 ] && mv -- "$dir/new" "$dir/page.html" || exit 2
	trap - EXIT
	printf '%s\n' "$dir/page.html"
	for open in "${BROWSER-}" xdg-open open; do
		[ -z "$open" ] || ! type -P "$open" >/dev/null || { "$open" "$dir/page.html"; exit; }
	done ;;
*) fail "$key: no such key" ;;
esac
