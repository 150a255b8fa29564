#!/bin/bash
# Prints one line about a session: the tokens in its context, what it has cost, and what all sessions have used in the
# window of five hours for which the limits of Claude count.
#
#	status.sh [SESSION] [<INPUT]
#
# As the status line of Claude Code, which gives its session as JSON on standard input, in ~/.claude/settings.json:
#
#	"statusLine": {"type": "command", "command": "bash /usr/local/share/doc/jl/examples/status.sh"}
#
# In tmux, where it takes the session that went on last, of any agent:
#
#	set -g status-right '#(bash /usr/local/share/doc/jl/examples/status.sh)'
#
# It reads the sessions of the last day, with their sub-agents, and SESSION, however old that is; without SESSION, the
# newest one if there was none in the last day. The prices are those of prices.json beside it. If there is no such
# session, or it tells no tokens, the script says so, with status 1.
set -uo pipefail
case ${1-} in -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' -- "$0"; exit ;; esac
unset CDPATH # cd goes where it is told

trouble() { # a name may have characters that a terminal obeys
	local said=$*
	[[ $said != *[[:cntrl:]]* ]] || said=${said@Q}
	printf 'status.sh: %s\n' "$said" >&2
}
fail() { trouble "$@"; exit 2; }

[[ $# -le 1 && ${1-} != -* ]] || { echo 'usage: status.sh [SESSION] [<INPUT]' >&2; exit 2; }
for tool in grep jlpath jlrel jq realpath sed; do type -P "$tool" >/dev/null || fail "$tool is not installed"; done
here=$(realpath -- "$0") && here=${here%/*} || exit 2
for lib in "${JL-}" "$here/../share/jl" "$here/../../../jl" ''; do [ ! -e "$lib/jl.jq" ] || break; done
[ -n "$lib" ] || fail 'jl.jq is not found: set JL to the folder that has it'
id=${1-}
[ -n "$id" ] || [ -t 0 ] || id=$(HOME=/nonexistent jq -r '.session_id // empty' 2>/dev/null)
# What is said of a log that is being written is no matter for one line.
rows=$(jlrel --list --all --since 24h 2>/dev/null)
if [ -z "$rows" ] || [[ $rows != *"\"sessionId\":\"$id"* ]]; then # an older one
	[ -n "$id" ] || id=$(jlrel --list | HOME=/nonexistent jq -nr 'first(inputs).sessionId // ""')
	[ -n "$id" ] || exit 1
	rows+=$'\n'$(jlrel --list --all 2>/dev/null | grep -F "\"sessionId\":\"$id")
	[ -n "${rows##*$'\n'}" ] || { trouble "$id: no such session"; exit 1; }
fi
rows=${rows#$'\n'}
jlpath -a --said=usage <<<"$rows" 2>/dev/null | HOME=/nonexistent jq -L "$lib" -nr --arg id "$id" --argjson list "[${rows//$'\n'/,}]" --slurpfile prices "$here/prices.json" '
	include "jl";
	def fixed($n): . * pow(10; $n) | round | tostring | if length <= $n then "0000"[:$n + 1 - length] + . else . end | .[:-$n] + "." + .[-$n:];
	($list | map(select(.kind != "agent"))) as $list
	| ([$list[].sessionId | strings | select($id != "" and startswith($id))][0] // (if $id == "" then $list[0].sessionId else null end)) as $id
	| [inputs] as $all | [$all[] | select(.session == $id)] as $own | select($own != [])
	| ([$own[] | select(.agentId == null)][-1] | .input + .cacheWrite + .cacheRead // 0) as $context
	| ([cost_by({}; $prices[0]; $own[])][0].dollars // 0) as $dollars | [blocks($all[] | select(.timestamp >= (now - 86400 | todate)))][-1] as $window
	| "\($context) tokens in the context, $\($dollars | fixed(2)), \($window.output // 0) tokens out in the window"
		+ ([$window.end | strings | {timestamp: .} | " until " + jl_local("%H:%M")][0] // "")' | grep . || { trouble "${id:-the newest session}: no tokens"; exit 1; }
