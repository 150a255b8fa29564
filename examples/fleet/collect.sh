#!/bin/bash
# Reports on a run: how many units have which status, the units whose status is not 0, with
# their messages, and the chunks that are not done.
#
#	collect.sh DIR
#
# The exit status is 0 if every chunk is done, else 1.
set -euo pipefail
export LC_ALL=C
unset CDPATH # cd goes where it is told
[ $# -eq 1 ] || { echo 'usage: collect.sh DIR' >&2; exit 2; }
cd -- "$1" && [ -e 1.chunk ] || { printf 'collect.sh: not a run: %q\n' "$1" >&2; exit 2; }

# done_chunk reports whether the results of a chunk are there and are whole.
done_chunk() {
	[ -e "$1.units" ] && awk -F '\t' -v units="$(tr -dc '\0' <"$1.chunk" | wc -c)" -v bytes="$(stat -c %s "$1.out")" '
		$1 != "" { n++; sum += $2 }
		END { exit n != units || sum != bytes }' "$1.units"
}

finished=()
todo=()
for ((k = 1; ; k++)); do
	[ -e $k.chunk ] || break
	if done_chunk $k; then finished+=("$k.units"); else todo+=("$k"); fi
done

cat -- "${finished[@]}" /dev/null | awk -F '\t' '
	$1 != "" { n[$1]++; units++; bytes += $2 }
	END {
		printf "%.0f units, %.0f bytes\n", units, bytes
		for (status = 0; status <= 2; status++) printf "%.0f with status %d\n", n[status], status
	}'
echo "${#finished[@]} chunks are done, ${#todo[@]} are not"
cat -- "${finished[@]}" /dev/null | awk -F '\t' '$1 != "" { bad = $1 != 0 } bad'
[ ${#todo[@]} -gt 0 ] || exit 0
(IFS=,; echo "not done: --array=${todo[*]}")
for k in "${todo[@]}"; do
	[ ! -e "$k.trouble" ] || sed "s/^/$k: /" "$k.trouble"
done
exit 1
