#!/bin/bash
# Cuts a list of units into chunks of about equal work, and makes the folder of a run.
#
#	cut.sh CHUNKS DIR COMMAND [ARGUMENT]... <LIST
#
# LIST has the paths of the units' logs, each ended by NUL. Cut.sh creates DIR with at most
# CHUNKS lists (1.chunk, 2.chunk and so on) and the COMMAND that task.sh runs for each unit,
# and prints the number of lists. DIR must not exist. The largest units come first: a unit
# that is larger than a chunk should be gets a chunk of its own, and that chunk starts first.
set -euo pipefail
export LC_ALL=C

# Starting the programs for a unit takes about as long as reading this many bytes;
# doc/fleet.md has the measurement.
start=3000000

[[ $# -ge 3 && $1 =~ ^[1-9][0-9]*$ ]] || { echo "usage: cut.sh CHUNKS DIR COMMAND [ARGUMENT]... <LIST" >&2; exit 2; }
chunks=$1
dir=${2%/}
shift 2
fail() { # a name may have characters that a terminal obeys
	local said=$*
	[[ $said != *[[:cntrl:]]* ]] || said=${said@Q}
	printf 'cut.sh: %s\n' "$said" >&2
	exit 2
}
[ ! -e "$dir" ] || fail "$dir exists"

# name_of sets name to the path of a log without its suffix. The agents' logs are below it.
name_of() {
	name=${1%.zst}
	name=${name%.jsonl}
}

# sizes prints the size and the path of each unit's log and of its agents' folder.
sizes() {
	local unit
	for unit in "${units[@]}"; do
		name_of "$unit"
		printf '%s\0' "$unit"
		[ ! -d "$name/subagents" ] || printf '%s\0' "$name/subagents"
	done | { du -0sb --files0-from=- 2>/dev/null || true; } # a log may be missing
}

mapfile -d '' -t units < <(sort -zu)
[ ${#units[@]} -gt 0 ] || { echo "cut.sh: no units" >&2; exit 1; }

# What is not finished is in a folder that a later run goes on with.
begun=$(dirname -- "$dir")/.cut.sh-$(basename -- "$dir") new=$begun/new
mkdir -p -- "$begun"
exec 9>>"$begun/mark"
flock -n 9 && [ "$begun/mark" -ef /dev/fd/9 ] || fail "another run makes $dir"
trap 'rm -rf -- "$new" && rm -f -- "$begun/mark" && rmdir -- "$begun"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP
rm -rf -- "$new"
mkdir -- "$new"
chmod "$(printf %o $((0777 & ~$(umask))))" -- "$new"
printf '%s\0' "$@" >"$new/command"
sizes >"$new/sizes"
declare -A bytes
while IFS= read -r -d '' row; do
	path=${row#*$'\t'}
	name_of "${path%/subagents}"
	bytes["/$name"]=$((${bytes["/$name"]:-0} + ${row%%$'\t'*}))
done <"$new/sizes"

work=0
for unit in "${units[@]}"; do
	name_of "$unit"
	weight=$((start + ${bytes["/$name"]:-0}))
	work=$((work + weight))
	printf '%d\t%s\0' $weight "$unit"
done >"$new/weights"

sort -z -t $'\t' -k 1,1nr -k 2 -o "$new/weights" -- "$new/weights"
k=0
room=0
while IFS= read -r -d '' row; do
	weight=${row%%$'\t'*}
	if [ $room -le 0 ]; then
		room=$(((work + chunks - k - 1) / (chunks - k))) # an equal share of what is left
		k=$((k + 1))
		exec 3>"$new/$k.chunk"
	fi
	printf '%s\0' "${row#*$'\t'}" >&3
	room=$((room - weight))
	work=$((work - weight))
done <"$new/weights"
rm -- "$new/sizes" "$new/weights"
mv -T -- "$new" "$dir"
echo $k
