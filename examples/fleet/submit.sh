#!/bin/bash
# Submits a run to Slurm: an array with a task for each chunk, and a job that collects when
# all of them have ended.
#
#	submit.sh DIR [SBATCH-OPTION]...
#
# The report goes to DIR/report, what a task prints to DIR/K.log. Submitting a run again
# does what is not done yet; with --array=K,... only those chunks.
set -euo pipefail
unset CDPATH # cd goes where it is told

[ $# -ge 1 ] || { echo 'usage: submit.sh DIR [SBATCH-OPTION]...' >&2; exit 2; }
dir=$1
[ -e "$dir/1.chunk" ] || { printf 'submit.sh: not a run: %q\n' "$dir" >&2; exit 2; }
type -P sbatch >/dev/null || { echo 'submit.sh: sbatch is not installed' >&2; exit 2; }
shift
here=$(cd -- "$(dirname -- "$0")" && pwd)
chunks=("$dir"/*.chunk)
job=$(sbatch --parsable --job-name=fleet --requeue --open-mode=append --output="$dir/%a.log" --array=1-${#chunks[@]} "$@" \
	--wrap "exec ${here@Q}/task.sh ${dir@Q} \$SLURM_ARRAY_TASK_ID")
sbatch --job-name=collect --dependency="afterany:$job" --output="$dir/report" "$@" --array=1 \
	--wrap "exec ${here@Q}/collect.sh ${dir@Q}"
