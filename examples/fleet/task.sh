#!/bin/bash
# Does one chunk of a run: runs the COMMAND of the run for each unit, one after another.
#
#	task.sh DIR K
#
# The output of all units goes to DIR/K.out. DIR/K.units has a line for each unit: the exit
# status, the number of bytes in K.out and the path, quoted as for a shell; and below it the
# messages, each after a tab. Both files get these names when they are whole, so a chunk
# is done if K.units exists, and doing it again changes nothing.
#
# A unit whose status is 0, 1 or 2 has a result. A full disk, or a program that is missing
# or was killed, is trouble with the machine: the exit status is 75, and the chunk is not done.
[ $# -eq 2 ] || { echo "usage: task.sh DIR K" >&2; exit 2; }
dir=$1
k=$2
new=$dir/$k.new

# fail also leaves its message for collect.sh, if the disk has room.
fail() {
	echo "task.sh: ${SLURMD_NODENAME:-$HOSTNAME}: $*" | tee -a -- "$dir/$k.trouble" >&2
	exit 75
}

# machine matches messages of programs that say nothing about the unit.
machine=': (no space left on device|disk quota exceeded|cannot allocate memory|too many open files|stale NFS file handle)'$'\n'
shopt -s nocasematch

mapfile -d '' -t command <"$dir/command" || fail "cannot read $dir/command"
[ -r "$dir/$k.chunk" ] || fail "cannot read $dir/$k.chunk"

# If another task does the same chunk, wait until it has ended. The programs hold the lock
# too: one that outlives its task would write into the files of the next.
exec 9>"$dir/$k.lock" || fail "cannot write $dir/$k.lock"
flock 9 || fail "cannot lock $dir/$k.lock"
[ ! -e "$dir/$k.units" ] || exit 0

exec 3<"$dir/$k.chunk" 4>"$new.out" 5>"$new.units" || fail "cannot write $new.units"
size=0
while IFS= read -r -d '' unit <&3; do
	messages=$("${command[@]}" "$unit" 2>&1 >&4 3<&- 5>&- </dev/null)
	status=$?
	[ $status -le 2 ] || fail "${unit@Q}: status $status: $messages"
	[[ ! $messages$'\n' =~ $machine ]] || fail "${unit@Q}: $messages"
	before=$size
	size=$(stat -c %s -- "$new.out") || fail "cannot read $new.out"
	{
		printf '%d\t%d\t%q\n' $status $((size - before)) "$unit" &&
			printf '%s' "${messages:+$'\t'${messages//$'\n'/$'\n\t'}$'\n'}"
	} >&5 || fail "cannot write $new.units"
done

# A full disk may show only here.
sync -- "$new.out" "$new.units" || fail "cannot write $new.units"
mv -- "$new.out" "$dir/$k.out" || fail "cannot rename $new.out"
mv -- "$new.units" "$dir/$k.units" || fail "cannot rename $new.units"
rm -f -- "$dir/$k.trouble"
