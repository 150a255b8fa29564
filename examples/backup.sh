#!/bin/bash
# Backs up the sessions of a home: an archive of each log below DIR, at the same place and with
# the same name, and copies of the other files. What has not changed since the last run stays as
# it is. What the client has deleted stays in DIR.
#
#	backup.sh HOME DIR
#
# If another process has a log open, or a log does not begin with what its archive holds, the
# script names it and leaves it alone, and the exit status is 2.
set -uo pipefail

[ $# -eq 2 ] || { echo 'usage: backup.sh HOME DIR' >&2; exit 2; }
umask 077
unset CDPATH # cd goes where it is told
mkdir -p -- "$2" && cd -- "${2/#-/./-}" && dir=$PWD && cd -- "$OLDPWD" && cd -- "${1/#-/./-}" || exit 2

# A copy gets its name when it is whole: one that is cut short would look newer than the file.
new=$(mktemp -- "$dir/.backup.XXXXXXXX") || exit 2
trap 'rm -f -- "$new"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

status=0
while IFS= read -rd '' file; do
	[ ! "$file" -nt "$dir/$file" ] || {
		mkdir -p -- "$dir/${file%/*}" && cp -p -- "$file" "$new" && mv -T -- "$new" "$dir/$file"
	} || status=2
done < <(
	find projects ! -name '*.jsonl' -type f -print0
	for folder in file-history image-cache jobs paste-cache plans tasks todos; do
		[ ! -d "$folder" ] || find "$folder" -type f -print0
	done
)
while IFS= read -rd '' folder; do
	mkdir -p -- "$dir/$folder" &&
		find "$folder" -maxdepth 1 -name '*.jsonl' -type f -print0 |
		xargs -0 jlcompact --archive --keep --update --to "$dir/$folder" -- || status=2
done < <(find projects -name '*.jsonl' -type f -printf '%h\0' | sort -zu)
exit $status
