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
mkdir -p -- "$2" && dir=$(cd -- "$2" && pwd) && cd -- "$1" || exit 2

status=0
find projects ! -name '*.jsonl' -type f -print0 | xargs -0r cp -u --parents -pt "$dir" -- || status=2
for folder in file-history image-cache jobs paste-cache plans tasks todos; do
	[ ! -d "$folder" ] || cp -ru --preserve=mode,timestamps -t "$dir" -- "$folder" || status=2
done
while IFS= read -rd '' folder; do
	mkdir -p -- "$dir/$folder" &&
		find "$folder" -maxdepth 1 -name '*.jsonl' -type f -print0 |
		xargs -0 jlcompact --archive --keep --update --to "$dir/$folder" -- || status=2
done < <(find projects -name '*.jsonl' -type f -printf '%h\0' | sort -zu)
exit $status
