#!/bin/bash
# Prints what each project took since a day: the prompts, the hours in which something happened, the tokens and the
# dollars, the dearest first, with sums. All agents and sub-agents count; what several did at one time counts once.
#
#	week.sh [DAY [PRICES]]
#	week.sh 2026-11-01
#
# DAY is a date in the local time zone, six days ago if there is none. PRICES is prices.json beside the script if there is
# none; a model without a price is named. The status is 1 if nothing happened since then, 2 if something was not read.
set -uo pipefail
case ${1-} in -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' -- "$0"; exit ;; esac
unset CDPATH # cd goes where it is told

trouble() { # a name may have characters that a terminal obeys
	local said=$*
	[[ $said != *[[:cntrl:]]* ]] || said=${said@Q}
	printf 'week.sh: %s\n' "$said" >&2
}
fail() { trouble "$@"; exit 2; }

[[ $# -le 2 && ${1-} != -* ]] || { echo 'usage: week.sh [DAY [PRICES]]' >&2; exit 2; }
[[ $# -eq 0 || $1 == ????-??-?? ]] || fail "$1: not a day, as 2026-11-20 is"
for tool in date jlpath jlrel jq mktemp realpath sed; do type -P "$tool" >/dev/null || fail "$tool is not installed"; done
here=$(realpath -- "$0") && here=${here%/*} || exit 2
for lib in "${JL-}" "$here/../share/jl" "$here/../../../jl" ''; do [ ! -e "$lib/jl.jq" ] || break; done
[ -n "$lib" ] || fail 'jl.jq is not found: set JL to the folder that has it'
prices=${2-$here/prices.json}
jq empty -- "$prices" || fail "$prices: not a file of prices"
day=${1-$(date -d "6 days ago" +%F)}
since=$(date -d "$day" +%s 2>/dev/null) && since=$(date -ud "@$since" +%FT%TZ) || fail "$day: not a day, as 2026-11-20 is"

# The lists of jlrel say which logs went on since then; of their rows those since then count.
said=$(mktemp) || exit 2
trap 'rm -f -- "$said"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP
jlrel --list --all --since "$day" 2>"$said" | jlpath -as 2>>"$said" | HOME=/nonexistent jq -L "$lib" -nr --arg since "$since" --slurpfile prices "$prices" '
	include "jl";
	[inputs | select(.timestamp >= $since)] as $rows
	| ([usage_by({project, session}; $rows[]), active_by({project, session}; $rows[])] | map({(.session | tostring): .project}) | add) as $of
	| [(said($rows[]) | select(.is == "prompt" and .agentId == null and .isSidechain == null and ([prompts] != [])) | {project: $of[.session | tostring], prompts: 1}),
		(active_by({project}; $rows[]) | {project, seconds}), (active_by({}; $rows[]) | {all: .seconds}),
		(usage_by({project}; $rows[]) | {project, tokens: (.input + .output + .cacheWrite + .cacheRead)}),
		(cost_by({project}; $prices[0]; $rows[]) | {project, dollars})]
	| (map(.all // 0) | add) as $all
	| def sum(f): map(f // 0) | add // 0;
	def fixed($n): . * pow(10; $n) | round | tostring | if length <= $n then "0000"[:$n + 1 - length] + . else . end | .[:-$n] + "." + .[-$n:];
	def line($of; $seconds): [sum(.prompts), ($seconds / 3600 | fixed(1)), sum(.tokens), (sum(.dollars) | fixed(2)), $of] | @tsv;
	[group_by(.project)[] | select(.[0] | has("project"))] | sort_by(-sum(.dollars), -sum(.tokens), .[0].project)
	| select(. != []) | (["PROMPTS", "HOURS", "TOKENS", "DOLLARS", "PROJECT"] | @tsv), (.[] | line(.[0].project // "(no folder)"; sum(.seconds))), (add | line("(all)"; $all))'
status=("${PIPESTATUS[@]}")
grep -v ': no entry$' -- "$said" >&2 # the list has said why
[ "${status[2]}" = 0 ] || exit 2
[ "${status[0]}" = 0 ] && exit "$((status[1] > 1 ? 2 : status[1]))"
exit "${status[0]}"
