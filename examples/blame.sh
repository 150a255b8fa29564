#!/bin/bash
# Says which sessions wrote a line of a file, of all agents and their sub-agents: for each change that added it, the
# newest first, the time, the session, the sub-agent, the call, the id of the entry and the prompt before it.
#
#	blame.sh FILE:LINE
#	blame.sh src/moons.go:12 | head -n 1
#
# It compares the text of the line with what each change added to the file, and if FILE has the same line more than
# once, the lines beside it, too. Changes of the same file in another checkout count if none was made here; what was
# written by a command, a heredoc for example, counts if no edit added the line. Then jlpath -ts -l ID SESSION shows how
# the line came to be, and jlrel --list SESSION | jq -r resume prints the command that goes on with the session. The
# status is 1 if nothing is found.
set -uo pipefail
case ${1-} in -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' -- "$0"; exit ;; esac
unset CDPATH # cd goes where it is told

trouble() { # a name may have characters that a terminal obeys
	local said=$*
	[[ $said != *[[:cntrl:]]* ]] || said=${said@Q}
	printf 'blame.sh: %s\n' "$said" >&2
}
fail() { trouble "$@"; exit 2; }

[[ $# -eq 1 && $1 =~ ^(.+):0*([1-9][0-9]{0,9})$ ]] || { echo 'usage: blame.sh FILE:LINE' >&2; exit 2; }
file=${BASH_REMATCH[1]} line=${BASH_REMATCH[2]}
for tool in grep jlpath jlrel jq realpath; do type -P "$tool" >/dev/null || fail "$tool is not installed"; done
here=$(realpath -- "$0") && here=${here%/*} || exit 2
for lib in "${JL-}" "$here/../share/jl" "$here/../../../jl" ''; do [ ! -e "$lib/jl.jq" ] || break; done
[ -n "$lib" ] || fail 'jl.jq is not found: set JL to the folder that has it'
[ -f "$file" ] && [ -r "$file" ] || fail "$file: not a file that can be read"
path=$(realpath -- "$file"; echo x) && path=${path%?x} || exit 2
[ "$line" -le "$(grep -c '' -- "$file")" ] || fail "$file: it has no line $line"

# below is the name of the file in its checkout, or in this folder: in another one it begins so, too.
root=$(git -C "${path%/*}" rev-parse --show-toplevel 2>/dev/null) && [ -n "$root" ] || root=$PWD
case $path in "$root"/*) below=${path#"$root"/} ;; *) below=${path##*/} ;; esac

# Rows with a part of the name that JSON writes in one way only, and prompts, are all that jq has to read.
name=${path##*/} part=''
while [[ $name =~ [A-Za-z0-9._-]+ ]]; do
	[ ${#BASH_REMATCH} -le ${#part} ] || part=${BASH_REMATCH[0]}
	name=${name#*"${BASH_REMATCH[0]}"}
done
found=$(set +o pipefail; jlrel --list --all | jlpath -a --said=prompt,file,call | LC_ALL=C grep -a -e '^{"is":"prompt"' -e "$part" |
	HOME=/nonexistent jq -L "$lib" -nr --rawfile text "$file" --argjson n "$line" --arg path "$path" --arg below "$below" '
	include "jl";
	($text | split("\n") | map(rtrimstr("\r"))) as $lines | $lines[$n - 1] as $line | ([$lines[] | select(. == $line)] | length > 1) as $often
	| def shown: [{is: "prompt", text: tostring} | prompts | match("\\S+"; "g").string] | join(" ");
	def names: .cwd as $cwd | .path, .to | strings | if startswith("/") then . else ($cwd // "" | tostring) + "/" + . end;
	# For each line like this one that a change added, how many of the two beside it are those of the file.
	def whole: (.diff | split("\n") | map(select(test("^[-\\\\]") | not) | rtrimstr("\r"))) as $new
		| range($new | length) | select($new[.] == "+" + $line)
		| [select(. > 0 and $n > 1 and $new[. - 1][1:] == $lines[$n - 2]), select($new[. + 1][1:] == $lines[$n])] | length;
	# Whether it added a part of this line, as an edit within a line does whose log does not tell the line.
	def part: [.diff | split("\n")[] | select(startswith("+")) | .[1:] | match("\\S(.*\\S)?").string | select(length > 3) | . as $some | select($line | contains($some))] != [];
	[inputs | objects] as $rows | [null | said($rows | reverse | .[])] as $all # what a fork has copied is that of the older session
	| [$all[] | select(.is == "file" and .failed != true and .action != "read" and (.diff | type) == "string")
		| [names] as $names | select($names | any(. == $path or endswith("/" + $below))) | . + {here: ($names | any(. == $path))}] as $changes
	| [$changes[] | . + {near: ([whole] | max)} | select(.near)] as $added | ([$added[] | select($often).near] | max) as $near
	| [$added[] | select($near == null or .near == $near)]
	| ($line | [match("\\S(.*\\S)?").string][0] // "") as $words
	| if . == [] then [$changes[] | select(part)] else . end
	| if . == [] and ($words | length > 3) then
		(reduce ($all[] | select(.is == "file")) as $row ({}; . + {($row.call | tostring): true})) as $told
		| [$all[] | select(.is == "call" and $told[.id | tostring] == null and ([.input | .. | strings] | any(contains($words)) and any(contains($path | split("/")[-1]))))] else . end
	| map(select(.here)) as $here | if $here == [] then . else $here end
	| sort_by(.timestamp | tostring) | reverse[] | . as $hit
	| ([$rows[] | select(.is == "prompt" and (.by == null or .plan) and .isSidechain == null and .agentId == null and .session == $hit.session)
		| select($hit.timestamp == null or .timestamp == null or .timestamp <= $hit.timestamp)] | sort_by(.timestamp | tostring)[-1] | .plan // .text) as $prompt
	| ({is: "prompt", text: "x", timestamp} | hits("x") | split("\t")[0]) as $time
	| [$time, .session, .agentId, .name, .uuid, ($prompt // "" | tostring[:2000])] | map(. // "" | shown | .[:120]) | join("\t")') || exit 2
[ -n "$found" ] || { trouble "$file:$line: no change of a session that added it is found"; exit 1; }
printf '%s\n' "$found"
