#!/bin/bash
# Makes a folder of pages: one for each session of all homes, with its sub-agents, and an index of them. The next run
# makes only the pages of sessions that have changed, and all if jl, a script of it or the prices have.
#
#	site.sh DIR [PRICES]
#	site.sh ~/sessions /usr/local/share/doc/jl/examples/prices.json
#
# DIR is new, empty or of an earlier run; DIR/index.html is where to begin. A page is what jlpath -ts prints of the
# session; tokens and, with PRICES, cost are those of all its branches. A session that is deleted keeps its page: remove
# that to leave it out. What the script could not read whole it names, with status 2, and the index marks it. Each page
# is made aside and gets its name when it is whole, so that the next run goes on where one was killed.
set -uo pipefail
case ${1-} in -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' -- "$0"; exit ;; esac
umask 077
unset CDPATH # cd goes where it is told

status=0
trouble() { # a name may have characters that a terminal obeys
	local said=$*
	[[ $said != *[[:cntrl:]]* ]] || said=${said@Q}
	printf 'site.sh: %s\n' "$said" >&2
	status=2
}
fail() { trouble "$@"; exit 2; }

[[ $# -ge 1 && $# -le 2 && -n $1 ]] || { echo 'usage: site.sh DIR [PRICES]' >&2; exit 2; }
for tool in cksum cmp find flock jlpath jlrel jq realpath sync; do type -P "$tool" >/dev/null || fail "$tool is not installed"; done
here=$(realpath -- "$0") && here=${here%/*} || exit 2
for lib in "${JL-}" "$here/../share/jl" "$here/../../../jl" ''; do [ ! -e "$lib/page.jq" ] || break; done
[ -n "$lib" ] || fail 'page.jq is not found: set JL to the folder that has it'
prices=${2-/dev/null}
jq empty -- "$prices" || fail "$prices: not a file of prices"
version=$({ jlpath --version && cat -- "$here/site.sh" "$lib/jl.jq" "$lib/page.jq" "$prices"; } | cksum) || exit 2
mkdir -p -- "$1" && cd -- "${1/#-/./-}" && dir=$PWD && cd -- "$OLDPWD" || exit 2

# The mark of this script is in a folder, with a small file of data for each page, and meanwhile what is not finished.
data=$dir/.site new=$dir/.site/new mark='data of site.sh'
[ "$(cat -- "$data/mark" 2>/dev/null)" = "$mark" ] || [ -z "$(find "$dir/" -mindepth 1 ! -path "$dir/.site" ! '(' -path "$dir/.site/mark" -empty ')' -print -quit)" ] ||
	fail "$dir: not empty, and not of this script"
mkdir -p -- "$data" && exec 9>>"$data/mark" || exit 2
flock -n 9 || fail "another run writes to $dir"
printf '%s\n' "$mark" >"$data/mark" && rm -rf -- "$new" && mkdir -- "$new" || exit 2
trap 'rm -rf -- "$new"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

# Without a library of the user, jq starts at once.
query() { HOME=$new jq "$@"; }

# page makes the page of a session and the data of it, of its row, what it cost and its logs.
page() {
	local to=$dir/$1 about=$data/${1%.html}.json row=$2 cost=$3 got line
	shift 3
	jlpath -ts -- "$@" >"$new/rows" 2>"$new/said"
	got=$?
	if [ $got -le 1 ]; then : >"$new/said"; else cat -- "$new/said" >&2; fi
	[ $got -le 1 ] || { status=2 && [ -s "$new/rows" ]; } || return
	printf '%s\n' "$row" >"$new/row" && query -L "$lib" -nrc --slurpfile row "$new/row" --arg cost "$cost" --rawfile said "$new/said" --slurpfile used <(jlpath -a --said=usage -- "$@" 2>/dev/null) '
		include "page";
		def plain: tostring | pg_esc;
		[inputs] as $rows | $row[0]
		| ([($rows | pg_title | select(. != "Session")), (.customTitle, .summary, .firstPrompt | strings | pg_first(90)), "Session"][0]) as $title
		| ([$rows[] | select(.is == "prompt" and .by != "model" and .call == null and (pg_who | not))] | length) as $prompts
		| {stamp, page, time, row: ["<tr><td><a href=\"" + .page + "\">" + $title + "</a>", ($said | select(. != "") | " <abbr title=\"" + (rtrimstr("\n") | split("\n") | join("; ") | pg_esc) + "\">not read whole</abbr>"),
			"<td title=\"" + (.cwd // "" | plain) + "\">" + (.cwd // "" | tostring | split("/") | map(select(. != ""))[-1] // "" | pg_line(40)), "<td>" + (.agent // "" | plain),
			"<td><time>" + (.time / 1000 | floor | strftime("%Y-%m-%d %H:%M")) + "</time>", "<td class=n>", ($prompts | select(. > 0) | pg_count + "<i> prompt" + (if $prompts == 1 then "" else "s" end) + "</i>"),
			"<td class=n>", ([$used | pg_tokens | split(" ")[0]] | select(. != []) | .[0] + " in, " + .[1] + " out"), "<td class=n>", $cost, "</tr>"] | add},
		(null | html($rows[]) | if startswith("<nav>") then "<nav><p><a href=\"../index.html\">All sessions</a>" + .[5:] else . end)' "$new/rows" >"$new/both" 2>"$new/jq" || { cat -- "$new/jq" >&2; return 1; }
	IFS= read -r line <"$new/both" && printf '%s\n' "$line" >"$new/data" && tail -n +2 -- "$new/both" >"$new/page" && sync -- "$new/page" "$new/data" &&
		mkdir -p -- "${to%/*}" "${about%/*}" && mv -T -- "$new/page" "$to" && mv -T -- "$new/data" "$about"
}

# changed calls a function with the name of a page, its row and its logs for each session that has changed.
changed() {
	local name row n log logs
	while IFS= read -rd '' name && IFS= read -rd '' row && IFS= read -rd '' n; do
		logs=()
		while [ ${#logs[@]} -lt "$n" ] && IFS= read -rd '' log; do logs+=("$log"); done
		"$1" "$name" "$row" "${logs[@]}"
	done <"$new/plan"
}
usage() { # how many rows follow comes before them; limit(0; …) of jq 1.6 takes one
	jlpath -a --said=usage -- "${@:3}" 2>/dev/null >"$new/usage"
	[ ! -s "$new/usage" ] || { printf '["%s",%s]\n' "$1" "$(wc -l <"$new/usage")" && cat -- "$new/usage"; }
}
try() { page "$1" "$2" "${costs[$1]-}" "${@:3}" || trouble "$3: its page is not made"; }

# A page that was removed is made again, if its session is there.
while IFS= read -rd '' file; do
	[ -s "$dir/${file%.json}.html" ] || rm -- "$data/$file" || exit 2
done < <(find "$data" -name '*.json' -printf '%P\0')
made() { find "$data" -name '*.json' -exec cat -- {} +; }

jlrel --list --all >"$new/list" || [ $? -eq 1 ] || status=2
made >"$new/made" && query -Rnj --rawfile list "$new/list" --arg version "$version" '
	# The name of a page has no character that a folder, an address or a shell reads otherwise.
	def name: if test("\\A[A-Za-z0-9][A-Za-z0-9._-]{0,99}\\z") then . else
		"s-" + ([match("[A-Za-z0-9]+"; "g").string] | join("-") | .[:60]) + "-\(reduce explode[] as $c (7; (. * 33 + $c) % 4294967296))" end;
	(reduce (inputs | fromjson? | objects) as $made ({}; . + {($made.page): $made.stamp})) as $stamps
	| [$list | split("\n")[] | select(. != "") | fromjson] | map({agent: (.agent // "unknown"), of: (.sessionId // .agentId // .path), row: .}) | group_by([.agent, .of])[]
	| ((.[0].agent | name) + "/" + (.[0].of | name) + ".html") as $page
	| (map(.row) | sort_by(.kind == "agent")) as $all | $all[0] as $first
	| [$version, ($all[] | [.path, .fileSize, .lastModified])] as $stamp
	| select($stamps[$page] != $stamp)
	| ($first | {customTitle, summary, firstPrompt, cwd, agent, page: $page, stamp: $stamp}) + {time: ($first.lastTimestamp // $first.lastModified // 0)}
	| ($page, tojson, ($all | length | tostring), ($all[].path)) + "\u0000"' "$new/made" >"$new/plan" || exit 2

declare -A costs # of each session that has a price
if [ $# -eq 2 ]; then
	changed usage | query -L "$lib" -nj --slurpfile prices "$prices" 'include "jl";
		inputs as $of | [limit($of[1]; inputs)] as $rows
		| [null | cost_by({}; $prices[0]; $rows[])][0] | select(.dollars) | (.dollars * 100 | round) as $cents
		| ($of[0], [select(.unpriced) | "≥ "][0] + "$" + ($cents / 100 | floor | tostring) + "." + ($cents % 100 + 100 | tostring)[1:]) + "\u0000"' >"$new/costs" 2>"$new/jq" ||
		{ cat -- "$new/jq" >&2; trouble 'what the sessions cost is not known'; }
	while IFS= read -rd '' name && IFS= read -rd '' cost; do costs[$name]=$cost; done <"$new/costs"
fi
changed try

made >"$new/made" && query -Rnr '
	[inputs | fromjson? | objects] | sort_by(-.time)
	| "<!DOCTYPE html>", "<html lang=en><head><meta charset=utf-8><meta http-equiv=Content-Security-Policy content=\"default-src '"'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'"'\"><meta name=viewport content=\"width=device-width,initial-scale=1\"><meta name=referrer content=no-referrer><title>Sessions</title><style>",
	":root{color-scheme:light dark;--b:#fff;--t:#1f2328;--s:#f6f8fa;--l:#d8dee4;--d:#636c76;--k:#0969da;--r:#cf222e}",
	"@media(prefers-color-scheme:dark){:root{--b:#0d1117;--t:#e6edf3;--s:#161b22;--l:#30363d;--d:#8d96a0;--k:#58a6ff;--r:#f85149}}",
	"body{max-width:75rem;margin:0 auto;padding:1.5rem 1.25rem 4rem;background:var(--b);color:var(--t);font:1rem/1.5 system-ui,-apple-system,\"Segoe UI\",sans-serif;overflow-wrap:anywhere}",
	"h1{font-size:1.45rem;margin:0}p{color:var(--d);margin:.2rem 0 1rem}a{color:var(--k);text-decoration:none}a:hover,a:focus-visible{text-decoration:underline}abbr{color:var(--r);font-size:.84em}",
	"table{width:100%;border-collapse:collapse;font-size:.9rem}th,td{padding:.4rem .9rem .4rem 0;border-bottom:1px solid var(--l);text-align:left;vertical-align:baseline}th{color:var(--d);font-weight:400;font-size:.84em}",
	"tr>:nth-child(n+2){white-space:nowrap;color:var(--d)}td:nth-child(2){max-width:11rem;overflow:hidden;text-overflow:ellipsis}.n{text-align:right;font-variant-numeric:tabular-nums}i{display:none;font-style:normal}tbody tr:hover{background:var(--s)}",
	"@media(max-width:60rem){body{padding:1rem}thead{display:none}table,tbody,tr,td{display:block}tr{padding:.6rem 0;border-bottom:1px solid var(--l)}td{border:0;padding:0}td:first-child{margin-bottom:.1rem}",
	"tr>td:nth-child(n+2){display:inline;white-space:normal;font-size:.84rem}td:nth-child(n+3):not(:empty)::before{content:\" · \"}i{display:inline}}",
	"</style></head><body><h1>Sessions</h1><p>\(length), the newest first; times are in UTC</p>",
	"<table><thead><tr><th>Title<th>Project<th>Agent<th>Time<th class=n>Prompts<th class=n>Tokens<th class=n>Cost</thead><tbody>", .[].row, "</tbody></table></body></html>"
	' "$new/made" >"$new/index" && { cmp -s -- "$new/index" "$dir/index.html" || { sync -- "$new/index" && mv -T -- "$new/index" "$dir/index.html"; }; } || exit 2
exit $status
