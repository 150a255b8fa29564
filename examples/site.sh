#!/bin/bash
# Makes a folder of pages: one for each session of all homes, with its sub-agents, and an index of them by project, with
# the prompts of each day of the last year and, with PRICES, the cost of each week. The next run makes only the pages of
# sessions that have changed, and all if jl, a script of it or the prices have. Two pages are made at a time.
#
#	site.sh DIR [PRICES]
#	site.sh ~/sessions /usr/local/share/doc/jl/examples/prices.json
#
# DIR is new, empty or of an earlier run; DIR/index.html is where to begin. A page is what jlpath -ts prints of the
# session; tokens and cost are those of all its branches. Days are those of UTC. What jlpath says of a log goes to standard
# error. A session that is deleted keeps its page until you remove that. The script names what it could not read whole,
# with status 2, and the index marks it. Each page is made aside and gets its name when it is whole, so that the
# next run goes on where one was killed.
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
workers=()
end() { # the workers must not make what is removed
	[ ${#workers[@]} -eq 0 ] || { kill -- "${workers[@]}"; wait; } 2>/dev/null
	rm -rf -- "$new"
}
trap end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

# Without a library of the user, jq starts at once.
query() { HOME=$new jq "$@"; }

# page makes the page of a session and the data of it, of its row, what it cost and its logs.
page() {
	local to=$dir/$1 about=$data/${1%.html}.json row=$2 cost=$3 got line
	shift 3
	jlpath -ts -- "$@" >"$own/rows" 2>"$own/said"
	got=$?
	cat -- "$own/said" >&2
	if [ $got -le 1 ]; then : >"$own/said"; fi
	[ $got -le 1 ] || { status=2 && [ -s "$own/rows" ]; } || return
	printf '%s\n' "$row" >"$own/row" && query -L "$lib" -nrc --slurpfile row "$own/row" --argjson cost "${cost:-null}" --rawfile said "$own/said" --slurpfile used <(jlpath -a --said=usage -- "$@" 2>/dev/null) '
		include "page";
		def plain: tostring | pg_esc;
		[inputs] as $rows | $row[0]
		| ([($rows | pg_title | select(. != "Session")), (.customTitle, .summary, .firstPrompt | strings | pg_first(90)), "Session"][0]) as $title
		| [$rows[] | select(.is == "prompt" and .by == null and (pg_who | not))] as $prompts
		| [$used | group_by(.key)[] | if .[0].key then .[0] else .[] end] as $used
		| def tokens(f): [$used[] | f | numbers] | add // 0;
		{stamp, page, time, cost: $cost, prompts: ($prompts | length), in: tokens(.input, .cacheWrite, .cacheRead), out: tokens(.output),
			project: (.cwd // "" | plain), name: (.cwd // "" | tostring | split("/") | map(select(. != ""))[-1] // "" | pg_line(40)),
			days: ($prompts | map(.timestamp | strings | .[:10] | select(test("^[0-9]{4}-[0-9]{2}-[0-9]{2}$"))) | group_by(.) | map({(.[0]): length}) | add),
			row: ["<tr><td><a href=\"" + .page + "\">" + $title + "</a>", ($said | select(. != "") | " <abbr title=\"" + (rtrimstr("\n") | split("\n") | join("; ") | pg_esc) + "\">not read whole</abbr>"),
				([$rows[] | select(.is == "left").count | numbers] | add | numbers | " <abbr class=q title=\"entries on other branches, or above what the page has\">" + pg_count + " not shown</abbr>"),
			"<td>" + (.agent // "" | plain),
			"<td><time>" + (.time / 1000 | floor | strftime("%Y-%m-%d %H:%M")) + "</time>", "<td class=n>", ([($prompts | length | select(. > 0) | pg_count + "<i> prompt" + (if . == 1 then "" else "s" end) + "</i>"),
				([$rows[] | select(.is == "prompt" and .by and .plan and (pg_who | not))] | length | select(. > 0) | pg_count + " plan" + (if . == 1 then "" else "s" end))] | join(" · ")),
			"<td class=n>", ([$used | pg_tokens | split(" ")[0]] | select(. != []) | .[0] + " in, " + .[1] + " out"), "<td class=n>", ($cost | objects | .text), "</tr>"] | add},
		(null | html($rows[]) | if startswith("<nav>") then "<nav><p><a href=\"../index.html\">All sessions</a>" + .[5:] else . end)' "$own/rows" >"$own/both" 2>"$own/jq" || { cat -- "$own/jq" >&2; return 1; }
	IFS= read -r line <"$own/both" && printf '%s\n' "$line" >"$own/data" && tail -n +2 -- "$own/both" >"$own/page" && sync -- "$own/page" "$own/data" &&
		mkdir -p -- "${to%/*}" "${about%/*}" && mv -T -- "$own/page" "$to" && mv -T -- "$own/data" "$about"
}

# changed calls a function with the name of a page, its row and its logs for each session that has changed, or for each
# other one if a worker is given: 0 or 1.
changed() {
	local name row n at log logs turn=0
	while IFS= read -rd '' name && IFS= read -rd '' row && IFS= read -rd '' n; do
		logs=()
		while [ ${#logs[@]} -lt "$n" ] && IFS= read -rd '' at && IFS= read -rd '' log; do
			[[ -z ${odd[at]-} || ${odd[at]} != "${log%%$mark_*}"*"${log##*$mark_}" ]] || log=${odd[at]}
			logs+=("$log")
		done
		[ -n "${2-}" ] && [ $((turn++ % 2)) -ne "$2" ] || "$1" "$name" "$row" "${logs[@]}"
	done <"$new/plan"
}
usage() { # how many rows follow comes before them; limit(0; …) of jq 1.6 takes one
	jlpath -a --said=usage -- "${@:3}" 2>/dev/null >"$new/usage"
	[ ! -s "$new/usage" ] || { printf '["%s",%s]\n' "$1" "$(wc -l <"$new/usage")" && cat -- "$new/usage"; }
}
# work makes the pages of a worker, in a folder of its own, and ends with what went wrong.
work() {
	trap - EXIT
	own=$new/worker-$1
	mkdir -- "$own" || exit 2
	changed try "$1"
	exit $status
}
try() { page "$1" "$2" "${costs[$1]-}" "${@:3}" || trouble "$3: its page is not made"; }

# A page that was removed is made again, if its session is there. Until the index fits the pages there is a file "stale".
while IFS= read -rd '' file; do
	[ -s "$dir/${file%.json}.html" ] || { : >"$data/stale" && rm -- "$data/$file"; } || exit 2
done < <(find "$data" -name '*.json' -printf '%P\0')
made() { find "$data" -name '*.json' -exec cat -- {} +; }

jlrel --list --all >"$new/list" || [ $? -eq 1 ] || status=2
# A row has U+FFFD for what is not text in a name. The list of names, in the same order, has it as it is.
odd=() mark_=$'\xef\xbf\xbd'
if LC_ALL=C grep -q "$mark_" "$new/list"; then
	jlrel --list --all -0 >"$new/names" 2>/dev/null
	mapfile -d '' -t odd <"$new/names"
	[ ${#odd[@]} -eq "$(wc -l <"$new/list")" ] || odd=()
fi
made >"$new/made" && query -Rnj --rawfile list "$new/list" --arg version "$version" '
	# The name of a page has no character that a folder, an address or a shell reads otherwise.
	def name: if test("\\A[A-Za-z0-9][A-Za-z0-9._-]{0,99}\\z") then . else
		"s-" + ([match("[A-Za-z0-9]+"; "g").string] | join("-") | .[:60]) + "-\(reduce explode[] as $c (7; (. * 33 + $c) % 4294967296))" end;
	(reduce (inputs | fromjson? | objects) as $made ({}; . + {($made.page): $made.stamp})) as $stamps
	| [$list | split("\n")[] | select(. != "") | fromjson] | [range(length) as $n | .[$n] + {n: $n}] | map({agent: (.agent // "unknown"), of: (.sessionId // .agentId // .path), row: .}) | group_by([.agent, .of])[]
	| ((.[0].agent | name) + "/" + (.[0].of | name) + ".html") as $page
	| (map(.row) | sort_by(.kind == "agent")) as $all | $all[0] as $first
	| [$version, ($all[] | [.path, .fileSize, .lastModified])] as $stamp
	# What its sub-agents alone tell does not take the place of a page of a session whose log is gone or cannot be read.
	| select($stamps[$page] != $stamp and ($first.kind != "agent" or ($stamps[$page][1][0] as $was | $was == null or any($all[]; .path == $was))))
	| ($first | {customTitle, summary, firstPrompt, cwd, agent, page: $page, stamp: $stamp}) + {time: ($first.lastTimestamp // $first.lastModified // 0)}
	| ($page, tojson, ($all | length | tostring), ($all[] | (.n | tostring), .path)) + "\u0000"' "$new/made" >"$new/plan" || exit 2

declare -A costs # of each session that has a price: the dollars, of each day too, and how the index says it
if [ $# -eq 2 ]; then
	changed usage | query -L "$lib" -nj --slurpfile prices "$prices" 'include "jl";
		def money: (. * 100 | round) as $cents | "$" + ($cents / 100 | floor | tostring) + "." + ($cents % 100 + 100 | tostring)[1:];
		inputs as $of | [limit($of[1]; inputs)] as $rows
		| [null | cost_by({}; $prices[0]; $rows[])][0] | select(.dollars)
		| {dollars, text: ([select(.unpriced) | "≥ "][0] + (.dollars | money)), days: ([null | cost_by({day: .time[:10]}; $prices[0]; $rows[])] | map(select(.dollars) | {(.day | tostring): .dollars}) | add)}
		| ($of[0], tojson) + "\u0000"' >"$new/costs" 2>"$new/jq" ||
		{ cat -- "$new/jq" >&2; trouble 'what the sessions cost is not known'; }
	while IFS= read -rd '' name && IFS= read -rd '' cost; do costs[$name]=$cost; done <"$new/costs"
fi
[ ! -s "$new/plan" ] || : >"$data/stale" || exit 2
for worker in 0 1; do
	work $worker &
	workers+=($!)
done
for worker in "${workers[@]}"; do wait "$worker" || status=2; done
workers=()

[ -e "$data/stale" ] || [ ! -s "$dir/index.html" ] || exit $status
made >"$new/made" && query -L "$lib" -Rnr '
	include "page";
	def money: (. * 100 | round) as $cents | "$" + ($cents / 100 | floor | tostring) + "." + ($cents % 100 + 100 | tostring)[1:];
	def sum(f): map(f | numbers) | add // 0;
	def words($n; $one): ($n | pg_count) + " " + $one + if $n == 1 then "" else "s" end;
	def sums: [words(sum(.prompts); "prompt"), (sum(.in) | select(. > 0) | pg_count + " in"), (sum(.out) | select(. > 0) | pg_count + " out"), (select(any(.[]; .cost)) | sum(.cost.dollars) | money)] | join(" · ");
	def total(f): reduce (.[] | f | objects | to_entries[]) as $e ({}; . + {($e.key): ((.[$e.key] // 0) + $e.value)});

	# The prompts of each day of the year that ends with the last one, a column for each week, and above it what the week cost.
	def year:
		total(.days) as $prompts | total(.cost.days) as $dollars
		| ([$prompts, $dollars | keys[] | select(test("^[0-9]{4}-"))] | max) as $last | select($last)
		| ($last + "T00:00:00Z" | fromdate) as $stop | ($stop - ($stop | gmtime[6] + 6) % 7 * 86400 - 52 * 7 * 86400) as $from
		| def day: strftime("%Y-%m-%d");
		[range(53) as $w | [range(7) as $d | ($from + ($w * 7 + $d) * 86400) | select(. <= $stop) | day]] as $weeks
		| [$weeks[] | [.[] | $dollars[.] // 0] | add] as $costs | ($costs | max) as $most | (if $most > 0 then 52 else 0 end) as $top
		| ([$weeks[][] | $prompts[.] // 0] | max) as $busy
		| "<figure class=year><svg viewBox=\"0 0 689 \($top + 105)\" role=img aria-label=\"Prompts by day" + (if $top > 0 then ", cost by week" else "" end) + "\">",
			(range(53) as $w | select($costs[$w] > 0) | ($costs[$w] / $most * 44 | if . < 1 then 1 else round end) as $h
				| "<rect class=w x=\($w * 13) y=\(48 - $h) width=10 height=\($h)><title>\($costs[$w] | money) in the week of \($weeks[$w][0])</title></rect>"),
			"<path class=e d=\"" + ([range(53) as $w | range($weeks[$w] | length) | "M\($w * 13) \($top + . * 13)h10v10h-10z"] | join("")) + "\"/>",
			(range(53) as $w | range($weeks[$w] | length) as $d | $weeks[$w][$d] as $day | ($prompts[$day] // 0) | select(. > 0)
				| "<rect class=q\(. / $busy | sqrt * 4 | ceil) x=\($w * 13) y=\($top + $d * 13) width=10 height=10><title>\(words(.; "prompt")) on \($day)</title></rect>"),
			(range(1; 52) as $w | select($weeks[$w][0][:7] != $weeks[$w - 1][0][:7]) | "<text x=\($w * 13) y=\($top + 102)>\($weeks[$w][0] + "T00:00:00Z" | fromdate | strftime("%b"))</text>"),
			"</svg><figcaption>Prompts by day" + (if $top > 0 then ", and the cost of each week; the dearest was \($most | money)" else "" end) + "</figcaption></figure>";

	[inputs | fromjson? | objects] | sort_by(-.time) | . as $all
	| ([group_by(.project)[] | sort_by(-.time)] | sort_by(-.[0].time)) as $projects
	| "<!DOCTYPE html>", "<html lang=en><head><meta charset=utf-8><meta http-equiv=Content-Security-Policy content=\"default-src '"'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'"'\"><meta name=viewport content=\"width=device-width,initial-scale=1\"><meta name=referrer content=no-referrer><title>Sessions</title><style>",
	":root{color-scheme:light dark;--b:#fff;--t:#1f2328;--s:#f6f8fa;--l:#d8dee4;--d:#636c76;--k:#0969da;--r:#cf222e;--g:#1a7f37}",
	"@media(prefers-color-scheme:dark){:root{--b:#0d1117;--t:#e6edf3;--s:#161b22;--l:#30363d;--d:#8d96a0;--k:#58a6ff;--r:#f85149;--g:#3fb950}}",
	"body{max-width:75rem;margin:0 auto;padding:1.5rem 1.25rem 4rem;background:var(--b);color:var(--t);font:1rem/1.5 system-ui,-apple-system,\"Segoe UI\",sans-serif;overflow-wrap:anywhere}",
	"h1{font-size:1.45rem;margin:0}h2{font-size:1.05rem;margin:2rem 0 .2rem;scroll-margin-top:.5rem}h2 small{font-weight:400;font-size:.8rem;color:var(--d);margin-left:.6rem}p{color:var(--d);margin:.2rem 0 1rem}a{color:var(--k);text-decoration:none}a:hover,a:focus-visible{text-decoration:underline}abbr{color:var(--r);font-size:.84em}.q{color:var(--d)}",
	".year{margin:1rem 0;direction:rtl;overflow-x:auto}.year svg{display:block;direction:ltr;width:100%;min-width:40rem;max-width:52rem;margin:0 auto 0 0}.year figcaption{direction:ltr;color:var(--d);font-size:.84rem;margin-top:.3rem}.year text{fill:var(--d);font-size:10px}.e{fill:var(--s);stroke:var(--l);stroke-width:.5}.w{fill:var(--k);opacity:.75}.q1,.q2,.q3,.q4{fill:var(--g)}.q1{opacity:.3}.q2{opacity:.5}.q3{opacity:.75}",
	"nav{font-size:.9rem;color:var(--d)}table{width:100%;border-collapse:collapse;font-size:.9rem;table-layout:auto}th,td{padding:.4rem .9rem .4rem 0;border-bottom:1px solid var(--l);text-align:left;vertical-align:baseline}th{color:var(--d);font-weight:400;font-size:.84em}",
	"tr>:nth-child(n+2){white-space:nowrap;color:var(--d);width:1%}h2~h2+table thead{display:none}.n{text-align:right;font-variant-numeric:tabular-nums}tr>:nth-child(4){min-width:4.5rem}tr>:nth-child(5){min-width:9.5rem}tr>:nth-child(6){min-width:4rem}i{display:none;font-style:normal}tbody tr:hover{background:var(--s)}",
	"@media(max-width:60rem){body{padding:1rem}h2 small{display:block;margin:0}thead{display:none}table,tbody,tr,td{display:block}tr{padding:.6rem 0;border-bottom:1px solid var(--l)}td{border:0;padding:0}td:first-child{margin-bottom:.1rem}",
	"tr>td:nth-child(n+2){display:inline;white-space:normal;font-size:.84rem}td:nth-child(n+3):not(:empty)::before{content:\" · \"}i{display:inline}}",
	"</style></head><body><h1>Sessions</h1><p>\(length) session\(if length == 1 then "" else "s" end), the newest first; times are in UTC" + (if length > 0 then "; " + sums else "" end) + "</p>", year,
	(select($projects | length > 1) | "<nav>" + ([range($projects | length) | "<a href=#p\(. + 1)>" + ($projects[.][0].name | if . == "" then "no folder" else . end) + "</a>"] | join(" · ")) + "</nav>"),
	(range($projects | length) as $i | $projects[$i] | "<h2 id=p\($i + 1)>" + (.[0].name | if . == "" then "no folder" else . end) + "<small>" + ([.[0].project, words(length; "session"), sums | select(. != "")] | join(" · ")) + "</small></h2>",
		"<table><thead><tr><th>Title<th>Agent<th>Time<th class=n>Prompts<th class=n>Tokens<th class=n>Cost</thead><tbody>", .[].row, "</tbody></table>"),
	"</body></html>"
	' "$new/made" >"$new/index" && { cmp -s -- "$new/index" "$dir/index.html" || { sync -- "$new/index" && mv -T -- "$new/index" "$dir/index.html"; }; } &&
	rm -f -- "$data/stale" || exit 2
exit $status
