#!/bin/bash
# Makes a branch of a session of Claude Code a session of its own, with what belongs to it: the logs of its agents, large
# results, todos, and the backups with which the client rewinds files. It prints how to go on with it.
#
#	branch.sh SESSION LEAF
#	jlleaf -a 3f1c | jq -r '[.uuid[:8], .prompt] | @tsv'    # the ends, of which any is a LEAF
#
# LEAF is the id of any entry of the session, its beginning, or a time. The old session stays as it is. The new log gets
# its name when all else is there; if the script is interrupted, it removes what it has made. jlrel --orphans names what a
# SIGKILL leaves, which has no log.
set -uo pipefail
case ${1-} in -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' -- "$0"; exit ;; esac
unset CDPATH # cd goes where it is told

trouble() { # a name may have characters that a terminal obeys
	local said=$*
	[[ $said != *[[:cntrl:]]* ]] || said=${said@Q}
	printf 'branch.sh: %s\n' "$said" >&2
}
fail() { trouble "$@"; exit 2; }

[[ $# -eq 2 && $1 != -* ]] || { echo 'usage: branch.sh SESSION LEAF' >&2; exit 2; }
for tool in cp jlpath jlrel jq ln realpath sed sync; do type -P "$tool" >/dev/null || fail "$tool is not installed"; done
here=$(realpath -- "$0") && here=${here%/*} || exit 2
for lib in "${JL-}" "$here/../share/jl" "$here/../../../jl" ''; do [ ! -e "$lib/jl.jq" ] || break; done
[ -n "$lib" ] || fail 'jl.jq is not found: set JL to the folder that has it'
query() { HOME=/nonexistent jq -L "$lib" "$@"; }
umask 077

log=$(jlrel -- "$1" | query -r 'select(.kind == "session").path') || exit
[[ $log == */projects/*/* && $log != *$'\n'* ]] || fail "$1: not one session of Claude Code, with one log"
home=${log%/projects/*} old=${log##*/} old=${old%.zst} old=${old%.jsonl}
new=$(cat /proc/sys/kernel/random/uuid 2>/dev/null || uuidgen | tr A-Z a-z) && [[ $new == ????????-????-* ]] || fail 'no new id is to be had'
to=${log%/*}/$new.jsonl made=()

end() {
	trap '' INT TERM HUP
	[ -e "$to" ] || for file in "${made[@]}"; do
		rm -f -- "$file"
		while file=${file%/*} && [[ $file == *"$new"* ]]; do rmdir -- "$file" 2>/dev/null || break; done
	done
	rm -f -- "$to.new"
}
trap 'end; exit 130' INT
trap 'end; exit 143' TERM
trap 'end; exit 129' HUP
trap end EXIT

jlpath -l "$2" --meta --session "$new" -- "$log" >"$to.new" || exit
mapfile -d '' -t files < <(jlrel --home "$home" -0 --relative -- "$old")
wait $! || exit 2 # for its status
for file in "${files[@]}"; do
	[[ $file == *"$old"* && $home/$file != "$log" && ! -L $home/$file ]] || continue # plans and images are not of one session
	copy=$home/${file//"$old"/"$new"}
	made+=("$copy")
	mkdir -p -- "${copy%/*}" && cp -pT -- "$home/$file" "$copy" || exit 2
done
touch -r "$log" -- "$to.new" && sync -- "$to.new" "${made[@]}" && ln -- "$to.new" "$to" || exit 2
jlrel --home "$home" --list -- "$to" | query -r 'include "jl"; resume'
