#!/bin/bash
# Copies into HOME what it lacks of FROM, the home of another machine or a backup of backup.sh.
#
#	merge.sh FROM HOME
#
# If HOME has only the beginning of a log, the whole log replaces it. HOME also gets the lines of history.jsonl that
# it lacks. If a file differs in another way, or is open in another program, that of HOME stays; the script names it,
# and symbolic links, and the exit status is 2. Nothing in FROM changes. Each file is made aside and gets its name when
# it is whole, so that the next run goes on where one was killed. End the clients first.
set -uo pipefail
case ${1-} in -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' -- "$0"; exit ;; esac
shopt -s nullglob
umask 077
unset CDPATH # cd goes where it is told

status=0
trouble() { # a name may have characters that a terminal obeys
	local said=$*
	[[ $said != *[[:cntrl:]]* ]] || said=${said@Q}
	printf 'merge.sh: %s\n' "$said" >&2
	status=2
}
fail() { trouble "$@"; exit 2; }

[[ $# -eq 2 && -n $1 && -n $2 ]] || { echo 'usage: merge.sh FROM HOME' >&2; exit 2; }
for tool in awk cmp find flock gzip jlcompact ln realpath zstd; do type -P "$tool" >/dev/null || fail "$tool is not installed"; done
me=$(realpath -- "$0") && . "${me%/*}/aside.shlib" || exit 2
[ -d "$1" ] || fail "$1: no such folder"
[ -d "$2" ] || fail "$2: no such folder"
home=$(cd -- "$2" && pwd) && cd -- "${1/#-/./-}" || exit 2
[ ! . -ef "$home" ] || fail "$1 and $2 are the same folder"
roots=()
for root in projects sessions archived_sessions session-state tmp/*/chats daemon/gateway-routed debug file-history history.jsonl \
	image-cache jobs paste-cache plans projects.json session-env session_index.jsonl tasks teams todos; do
	[ ! -e "$root" ] || roots+=("$root")
done
[ ${#roots[@]} -gt 0 ] || fail "$1: no home of an agent"

begin "$home" merge.sh

# plain prints what a file holds.
plain() {
	case $1 in
	*.zst) zstd -dcq -- "$1" ;;
	*.gz) gzip -dc -- "$1" ;;
	*) cat -- "$1" ;;
	esac
}

# renew replaces a file of the home by one that is made aside, and gives that the time of a third.
renew() {
	touch -r "$3" -- "$1" && chmod --reference="$2" -- "$1" && sync -- "$1" || return
	replace "$1" "$2" "$was" || trouble "$2: it changed meanwhile, or another program has it open"
}

# grown replaces a log of the home, or its archive, by one that goes on with it.
grown() {
	local log=$new/${2##*/}
	log=${log%.zst} log=${log%.gz}
	mv -- "$new/theirs" "$log" && touch -r "$1" -- "$log" || return
	case $2 in
	*.zst) chmod --reference="$2" -- "$log" && jlcompact --archive --update --to "${2%/*}" -- "$log" ;;
	*.gz) trouble "$2: packed with gzip, and $1 goes on with it" ;;
	*) renew "$log" "$2" "$1" ;;
	esac
}

# take brings a file into the home.
take() {
	local to=$home/$1 mine='' stem name was
	for ((name = 0; name < ${#1}; name++)); do # each folder above it
		[ "${1:name:1}" != / ] || [ ! -L "$home/${1:0:name}" ] || { trouble "$home/${1:0:name}: a symbolic link"; return 1; }
	done
	stem=$to
	case $1 in *.jsonl.zst | *.jsonl.gz) stem=${to%.*} ;; esac
	for name in "$to" "$stem" "$stem.zst" "$stem.gz"; do [ ! -e "$name" ] && [ ! -L "$name" ] || { mine=$name; break; }; done
	if [ -z "$mine" ]; then
		mkdir -p -- "${to%/*}" && cp -p -- "$1" "$new/copy" && sync -- "$new/copy" && ln -T -- "$new/copy" "$to" && rm -- "$new/copy"
		return
	fi
	[ -f "$mine" ] && [ ! -L "$mine" ] || { trouble "$mine: not a file"; return 0; }
	was=$(stat -c '%s %i %y' -- "$mine") && plain "$1" >"$new/theirs" && plain "$mine" >"$new/mine" || return
	! cmp -s -- "$new/theirs" "$new/mine" || return 0
	case $1 in
	history.jsonl | session_index.jsonl)
		{ cat -- "$new/mine" && { [ -z "$(tail -c 1 -- "$new/mine")" ] || echo; } && awk 'NR == FNR { have[$0]; next } !($0 in have)' "$new/mine" "$new/theirs"; } >"$new/both" &&
			{ cmp -s -- "$new/both" "$new/mine" || renew "$new/both" "$mine" "$mine"; } ;;
	*.jsonl | *.jsonl.zst | *.jsonl.gz)
		local theirs ours
		theirs=$(stat -c %s -- "$new/theirs") ours=$(stat -c %s -- "$new/mine")
		if ! cmp -sn $((theirs < ours ? theirs : ours)) -- "$new/theirs" "$new/mine"; then
			trouble "$1: not as in $home, which stays"
		elif [ "$theirs" -gt "$ours" ]; then
			grown "$1" "$mine"
		fi ;;
	*) trouble "$1: not as in $home, which stays" ;;
	esac
}

find -H "${roots[@]}" \( -type f -o -type l \) -print0 >"$new/found" || status=2
while IFS= read -rd '' file; do
	if [ -L "$file" ]; then
		trouble "$file: a symbolic link; what is behind it is not copied"
	else
		take "$file" || trouble "$file: not copied"
	fi
done <"$new/found"
exit $status
