#!/bin/bash
# Puts the files of a session's folder back to what they were at an entry, as a rewind of Claude Code does: it shows a
# diff, asks, keeps what is there now, and prints the command that brings it back.
#
#	rewind.sh [-y] SESSION ENTRY
#	rewind.sh [-y] --back FOLDER
#
# ENTRY is the id of an entry, its beginning, or a time, as for jlsnap -l. With -y it does not ask. What is there now is
# kept in .rewind/N of the session's folder, which is the FOLDER of the way back; git ignores it, and you remove it. A file
# that the session made later is removed. Only files that Claude Code has backed up come back: not what a command has
# changed. The script names a file that it cannot put back, that is outside of the folder, below .git or behind a
# symbolic link, or that is saved meanwhile, by an editor for example: such a file stays, and the exit status is 2.
# The conversation stays as it is. End the client first. A run that is killed may have taken a file away; both the way back
# and the same command put one in its place.
set -uo pipefail
case ${1-} in -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' -- "$0"; exit ;; esac
unset CDPATH # cd goes where it is told

status=0
trouble() { # a name may have characters that a terminal obeys
	local said=$*
	[[ $said != *[[:cntrl:]]* ]] || said=${said@Q}
	printf 'rewind.sh: %s\n' "$said" >&2
	status=2
}
fail() { trouble "$@"; exit 2; }

yes=''
[ "${1-}" != -y ] || { yes=1; shift; }
[[ $# -eq 2 && -n $1 && -n $2 ]] || { echo 'usage: rewind.sh [-y] SESSION ENTRY | rewind.sh [-y] --back FOLDER' >&2; exit 2; }
for tool in cmp diff find flock jlrel jlsnap jq ln realpath stat sync; do type -P "$tool" >/dev/null || fail "$tool is not installed"; done
here=$PWD me=$(realpath -- "$0") || exit 2
if [ "$1" = --back ]; then
	back=$(realpath -- "$2") && [[ $back == */.rewind/* && -d $back/files && -f $back/absent ]] || fail "$2: not a folder that rewind.sh has kept"
	folder=${back%/.rewind/*}
else
	row=$(jlrel --list -- "$1") || exit
	{ IFS= read -rd '' log && IFS= read -rd '' folder; } < <(jq -j '(.path, .cwd // "") + "\u0000"' <<<"$row") && [ -n "$folder" ] || fail "$1: the log does not name a folder"
fi
[ -d "$folder" ] || fail "$folder: the folder of the session is gone"
cd -P -- "$folder" || exit 2
top=$PWD

# What is kept and what is not finished are in a folder, if the mark in it is that of this script.
own=.rewind new=$top/.rewind/new mark='files of rewind.sh'
for name in "$own" "$own/mark" "$own/.gitignore"; do [ ! -L "$name" ] || fail "$top/$name: a symbolic link"; done
[ -d "$own" ] || mkdir -m 700 -- "$own" || exit 2
[ "$(cat -- "$own/mark" 2>/dev/null)" = "$mark" ] || [ -z "$(find "$own/" -mindepth 1 ! '(' -name mark -empty ')' -print -quit)" ] || fail "$top/$own is not of this script"
exec 9>>"$own/mark"
flock -n 9 && [ "$own/mark" -ef /dev/fd/9 ] || fail "another run writes to $top"
printf '%s\n' "$mark" >"$own/mark" && { [ -e "$own/.gitignore" ] || echo '*' >"$own/.gitignore"; } && rm -rf -- "$new" && mkdir -- "$new" || exit 2
end() { # nothing is left where nothing is kept
	rm -rf -- "$new"
	[ -n "$(find "$top/$own/" -mindepth 1 ! -name mark ! -name .gitignore -print -quit)" ] ||
		{ rm -f -- "$top/$own/.gitignore" "$top/$own/mark" && rmdir -- "$top/$own"; } # the mark goes last
}
trap end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

# clean reports whether a name below the folder is one that the script may write, and says why not.
clean() {
	local name=/$1/
	case ${name,,} in
	//* | *//* | */./* | */../*) trouble "$2: not below $folder; it stays" ;;
	*/.git/* | /.rewind/*) trouble "$2: not a file of the session; it stays" ;;
	*) return 0 ;;
	esac
	return 1
}

# then_ has by its name each file as it was, an empty one if there was none.
declare -A then_=()
if [ -n "${back-}" ]; then
	[ -z "$(find "$back/files" ! -type d ! -type f -print -quit)" ] || fail "$back: it has more than files"
	cp -Rp -- "$back/files" "$new/then" && find "$new/then" -type f -printf '%P\0' >"$new/found" || exit 2
	while IFS= read -rd '' name; do ! clean "$name" "$name" || then_[$name]=$new/then/$name; done <"$new/found"
	while IFS= read -rd '' name; do ! clean "$name" "$name" || then_[$name]=''; done <"$back/absent"
else
	(cd -- "$here" && jlsnap --files "--leaf=$2" -- "$log") >"$new/rows" || { got=$?; [ -s "$new/rows" ] && status=2 || exit $got; }
	(cd -- "$here" && jlsnap --restore "$new/then" "--leaf=$2" -- "$log") >/dev/null 2>"$new/said" || [ $? -eq 1 ] || { status=2 && cat -- "$new/said" >&2; }
	jq -j 'select(.state == "ok" or .state == "absent") | select(.path | explode | index(0) == null) | (.state, .path) + "\u0000"' "$new/rows" >"$new/found" || exit 2
	while IFS= read -rd '' state && IFS= read -rd '' path; do
		name=${path#"$folder"/} name=${name#"$top"/}
		clean "$name" "$path" || continue
		if [ "$state" = absent ]; then then_[$name]=''; elif [ -f "$new/then/$path" ]; then then_[$name]=$new/then/$path; fi # else jlsnap has named it
	done <"$new/found"
fi

# within runs a command in the folder of a file, and goes through no symbolic link. It makes the folder if MAKE is not
# empty, else returns 3 if it is not there; and 4 if something else is in its place.
within() {
	local make=$1 rest=$2 part was
	shift 2
	(
		while [[ $rest == */* ]]; do
			part=${rest%%/*} rest=${rest#*/} was=${PWD%/}
			if [ ! -e "./$part" ] && [ ! -L "./$part" ]; then
				[ -n "$make" ] || exit 3
				mkdir -- "./$part" || exit
			fi
			if [ -L "./$part" ] || ! cd -P -- "./$part" 2>/dev/null || [ "$PWD" != "$was/$part" ]; then exit 4; fi
		done
		"$@"
	)
}
# state prints what a file is now: nothing if there is none.
state() {
	if [ -L "$1" ]; then return 4; elif [ -f "$1" ]; then stat -c '%s %i %y' -- "$1"; elif [ -e "$1" ]; then return 4; fi
}

# put moves a file to a name that nothing has, or fails: what another program saved there meanwhile stays. Not all file
# systems have links.
put() {
	if ln -PT -- "$1" "$2" 2>/dev/null; then rm -- "$1"; return; fi
	[ ! -e "$2" ] && [ ! -L "$2" ] && mv -nT -- "$1" "$2" && [ ! -e "$1" ] && [ ! -L "$1" ]
}
# change puts THEN in the place of a file, or nothing if THEN is empty; KEPT is what was there, or empty. It returns 5 if
# something else is there now: it takes that away, looks at it, and puts it back. What it takes becomes what is kept, so
# that a program which still writes to it loses nothing.
change() {
	local kept=$1 then=$2 base=$3 taken=$4
	if [ -n "$kept" ]; then
		[ "$(stat -c %d -- . "${taken%/*}" | uniq | wc -l)" = 1 ] || taken=./.rewind.${taken##*.}
		mv -T -- "$base" "$taken" 2>/dev/null || { [ ! -e "$base" ] && [ ! -L "$base" ] && return 5; return 1; }
		if [ -L "$taken" ] || ! cmp -s -- "$taken" "$kept"; then
			put "$taken" "$base" || trouble "$(realpath -s -- "$taken"): what was there before it changed again"
			return 5
		fi
		mv -fT -- "$taken" "$kept" || { put "$taken" "$base"; return 1; }
	fi
	[ -z "$then" ] || put "$then" "$base" || { [ -e "$base" ] || [ -L "$base" ] && return 5; [ -z "$kept" ] || ln -PT -- "$kept" "$base"; return 1; }
}

# was has the state of each file that is to change. It is kept, and shown beside what it will be.
declare -A was=()
kept=$new/kept
mkdir -p -- "$kept/files" && : >"$kept/absent" && : >"$new/diff" || exit 2
mapfile -d '' -t names < <([ ${#then_[@]} -eq 0 ] || printf '%s\0' "${!then_[@]}" | LC_ALL=C sort -z)
for name in "${names[@]}"; do
	now=$top/$name then=${then_[$name]}
	is=$(within '' "$name" state "./${name##*/}")
	case $? in 0 | 3) ;; *) trouble "$name: a symbolic link, or not a file; it stays"; continue ;; esac
	if [ -n "$is" ]; then
		[ -z "$then" ] || ! cmp -s -- "$now" "$then" || continue
		mkdir -p -- "$(dirname -- "$kept/files/$name")" && cp -p -- "$now" "$kept/files/$name" || exit 2
	else
		[ -n "$then" ] || continue
		now=/dev/null
		printf '%s\0' "$name" >>"$kept/absent" || exit 2
	fi
	was[$name]=$is label=$name
	[[ $label != *[[:cntrl:]]* ]] || label=${label@Q}
	diff -u --label "a/$label" --label "b/$label" -- "$now" "${then:-/dev/null}" >>"$new/diff"
	[ $? -le 1 ] || exit 2
done
[ ${#was[@]} -gt 0 ] || { echo 'rewind.sh: there is nothing to change' >&2; exit $status; }
if [ -t 1 ]; then LC_ALL=C tr '\000-\010\013-\037\177' '?' <"$new/diff"; else cat -- "$new/diff"; fi
if [ -z "$yes" ]; then
	printf 'Change %s? [y/N] ' "$([ ${#was[@]} -eq 1 ] && echo 'this file' || echo "these ${#was[@]} files")" >&2
	read -r answer
	[[ ${answer-} == [yY]* ]] || exit 1
fi

# The way back is whole before the first file changes.
n=1
while [ -e "$own/$n" ] || [ -L "$own/$n" ]; do n=$((n + 1)); done
find "$new" -type f -exec sync -- {} + && mv -T -- "$kept" "$own/$n" && sync -- "$own" || exit 2
printf 'the way back: %q --back %q\n' "$me" "$top/$own/$n"
trap '' INT TERM HUP
taken=0
for name in "${names[@]}"; do
	[ -n "${was[$name]+x}" ] || continue
	base=./${name##*/}
	is=$(within '' "$name" state "$base")
	case $? in 0 | 3) ;; *) is=odd ;; esac
	[ "$is" = "${was[$name]}" ] || { trouble "$name: it changed meanwhile; it stays"; continue; }
	kept=${is:+$top/$own/$n/files/$name}
	within "${then_[$name]}" "$name" change "$kept" "${then_[$name]}" "$base" "$top/$own/$n/taken.$((++taken))"
	case $? in 0) ;; 5) trouble "$name: it changed meanwhile; it stays" ;; *) trouble "$name: it stays" ;; esac
done
for name in "${names[@]}"; do # a program that had it open may have written to it
	kept=$top/$own/$n/files/$name
	if [ -n "${was[$name]-}" ] && [ "$(stat -c %i -- "$kept")" = "$(cut -d ' ' -f 2 <<<"${was[$name]}")" ] && [ "$(state "$kept")" != "${was[$name]}" ]; then
		trouble "$name: it changed meanwhile; what was saved is in $kept"
	fi
done
exit $status
