#!/bin/bash
# Does one job for one unit: a session log and the logs of its agents.
#
#	unit.sh check LOG          prints what is wrong with the logs, as jltree --check does
#	unit.sh edges LOG          prints the edges of all entries, each with its file
#	unit.sh touched PATH LOG   prints the tool calls that name PATH, or one that ends in /PATH
#	unit.sh archive LOG        replaces each log by LOG.zst, and prints their sizes and names
#
# The exit status is the program's: 1 if a log is not healthy, 2 on trouble. A unit
# that is done again, also after a try that was killed, gives the same output and status.
shopt -s globstar nullglob

[ $# -ge 2 ] || { echo 'usage: unit.sh check|edges|touched PATH|archive LOG' >&2; exit 127; }
log=${!#}
folder=${log%.zst}
folder=${folder%.jsonl}
logs=("$log" "$folder"/subagents/**/agent-*.jsonl{,.zst})

# touched prints the tool calls that name a path, newest first in each log. Grep picks the
# lines for jq, which is slow. What a damaged line holds is up to the job check.
touched() {
	local status escaped=${1//\\/\\\\}
	jlrev -- "${logs[@]}" | grep -F -e "${escaped//\"/\\\"}" |
		jq -Rc --arg path "$1" --arg log "$log" '(fromjson?) as $entry
			| $entry.message.content[]? | objects
			| select(any(.input // .arguments | .. | strings; . == $path or endswith("/" + $path)))
			| {log: $log, agentId: $entry.agentId, id: ($entry.uuid // $entry.id), timestamp: $entry.timestamp, tool: .name}'
	status=("${PIPESTATUS[@]}")
	[ "${status[1]}" -ne 1 ] || status[1]=0 # grep found nothing
	return $((status[0] ? status[0] : status[1] ? status[1] : status[2]))
}

# archive replaces logs by their archives. A try that was killed may have left archives
# whose logs are gone.
archive() {
	local file logs=()
	for file; do
		[ ! -e "$file" ] && [ -e "$file.zst" ] || logs+=("$file")
	done
	[ ${#logs[@]} -eq 0 ] || jlcompact --archive -- "${logs[@]}"
}

worst=0
case $1 in
check)
	jltree --check -- "${logs[@]}" || worst=$?
	;;
edges)
	jltree -H -- "${logs[@]}" || worst=$?
	;;
touched)
	touched "$2" || worst=$?
	;;
archive)
	log=${log%.zst}
	archive "$log" "$folder"/subagents/**/agent-*.jsonl || worst=$?
	for file in "$log".zst "$folder"/subagents/**/agent-*.jsonl.zst; do
		[ ! -e "$file" ] || printf '%s\t%q\n' "$(stat -c %s -- "$file")" "$file"
	done
	;;
*)
	echo "unit.sh: there is no job $1" >&2
	exit 127
	;;
esac
exit $worst
