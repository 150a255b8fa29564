#!/bin/bash
# Replaces a secret by [secret] in all files below folders: sessions and what belongs to them, history.jsonl, and
# backups of backup.sh, also in archives. It prints the names of the files that it has changed.
#
#	redact.sh PATTERN DIR...
#	redact.sh 'sk-ant-[A-Za-z0-9_-]+' ~/.claude ~/backup/claude
#
# PATTERN is an extended regular expression, for the bytes as they are in the file: in a log a quotation mark is \"
# and a line break \n. Each file is made aside, and gets its name when it is whole and has no match; mode and
# times stay. The script names what has the secret and stays as it is, with status 2: what would have other entries
# or be no JSON afterwards, is no text (a database), changes meanwhile, is open in another program, has other names
# (hard links), is behind a symbolic link, or is packed in another way, as by prune.sh; and each link to a folder
# elsewhere. A run that was killed has changed some files; the next one goes on. The old bytes may still be on the
# disk: call the secret back, too. End the clients first.
set -uo pipefail
case ${1-} in -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' -- "$0"; exit ;; esac
umask 077
unset CDPATH # cd goes where it is told

status=0
quoted() { # a name may have characters that a terminal obeys
	said=$*
	[[ $said != *[[:cntrl:]]* ]] || said=${said@Q}
}
trouble() { quoted "$@"; printf 'redact.sh: %s\n' "$said" >&2; status=2; }
fail() { trouble "$@"; exit 2; }

[[ $# -ge 2 && -n $1 && $1 != *[[:cntrl:]]* ]] || { echo 'usage: redact.sh PATTERN DIR...' >&2; exit 2; }
for tool in find flock grep gzip jlcompact jlpath jq ln realpath sed zstd; do type -P "$tool" >/dev/null || fail "$tool is not installed"; done
me=$(realpath -- "$0") && . "${me%/*}/aside.shlib" || exit 2
pattern=$1
shift
has() { LC_ALL=C grep -acE -e "$pattern" >/dev/null; } # not -q: the program before reads to its end
printf '\n' | has
[ $? -eq 1 ] || fail 'this PATTERN is not valid, or fits an empty line'

# bytes prints what a file holds.
bytes() {
	case $1 in
	*.zst) zstd -dcqf -- "$1" ;;
	*.gz) gzip -dcf -- "$1" ;;
	*) cat -- "$1" ;;
	esac
}

# holds returns 0 if a file has the secret, 1 if it has not, and 2 if it cannot be read.
holds() {
	bytes "$1" | has
	local got=("${PIPESTATUS[@]}")
	[ "${got[1]}" -ne 0 ] || return 0
	[ "${got[*]}" = '0 1' ] || return 2
	return 1
}
for dir; do [ -d "$dir" ] || fail "$dir: no such folder"; done

# alike reports whether the second of two files, without the secret, has the form of the first.
alike() {
	case $1 in
	*.jsonl) [ "$(jlpath -a -- "$1" 2>/dev/null | wc -l)" = "$(jlpath -a -- "$2" 2>/dev/null | wc -l)" ] ;;
	*.json) ! jq empty -- "$1" 2>/dev/null || jq empty -- "$2" 2>/dev/null ;;
	*) LC_ALL=C grep -Iq '' -- "$1" ;; # no NUL
	esac
}

# redact writes a file without the secret over it.
redact() {
	local file=$1 to was
	rm -rf -- "$new/file"
	was=$(stat -c '%s %i %y' -- "$file") && [ "$(stat -c %h -- "$file")" = 1 ] || return
	mkdir -- "$new/file" && to=$new/file/${file##*/} && cp -p -- "$file" "$to" || return
	case $file in *.zst) jlcompact --extract -- "$to" && to=${to%.zst} || return ;; esac
	LC_ALL=C sed -E -e "s$(printf '\1')$pattern$(printf '\1')[secret]$(printf '\1')g" <"$to" >"$new/redacted" &&
		{ holds "$new/redacted"; [ $? -eq 1 ]; } && alike "$to" "$new/redacted" || return
	chmod --reference="$file" -- "$new/redacted" && touch -r "$file" -- "$new/redacted" && mv -- "$new/redacted" "$to" || return
	case $file in *.zst) jlcompact --archive -- "$to" && to=$to.zst || return ;; esac
	sync -- "$to" && replace "$to" "$file" "$was" || return
	quoted "$file"
	printf '%s\n' "$said"
}

for dir; do
	begin "${dir%/}" redact.sh
	find "${dir%/}/" -samefile "$begun" -prune -o \( -type f -o -type l \) -print0 >"$new/found" || status=2
	while IFS= read -rd '' file; do
		if [ ! -f "$file" ]; then # a link leads nowhere, or to a folder
			[ ! -d "$file" ] || [[ $(realpath -- "$file") == "$(realpath -- "$dir")"/* ]] || trouble "$file: a symbolic link; what is behind it stays"
			continue
		fi
		holds "$file"
		case $?:$file in
		1:*) ;;
		2:*) trouble "$file: cannot be read" ;;
		*.tar.zst | *.gz) trouble "$file: it is in this archive, which stays" ;;
		*) if [ -L "$file" ] || ! redact "$file"; then trouble "$file: it is there, and the file stays"; fi ;;
		esac
	done <"$new/found"
	rm -rf -- "$new" && rm -rf -- "$begun"
	exec 9>&-
done
exit $status
