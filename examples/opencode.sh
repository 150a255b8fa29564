#!/bin/bash
# Prints a session of OpenCode, which keeps its sessions in SQLite, as a log of Claude Code, so that
# jlpath, jltree and the jq library read it. Without SESSION it lists the sessions, newest first.
#
#	opencode.sh DB [SESSION]
#	opencode.sh EXPORT
#
# DB is ~/.local/share/opencode/opencode.db, unless XDG_DATA_HOME is set. EXPORT is what opencode export
# printed: a JSON document, such as Entire keeps as full.jsonl.
#
# A message or a part of one that cannot be read is named and left out, and the exit status is 2. It is 1 if
# there is no session, or no message in it. Messages that were undone, which OpenCode keeps until the next prompt,
# are left out and counted.
set -uo pipefail
case ${1-} in -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' -- "$0"; exit ;; esac

# rows prints an object for each message of the session.
rows() {
	if [ $# = 1 ]; then
		jq -c '.info as $s | .messages[] | {id: (.info?.id? // null), session: $s.id, parent: $s.parentID,
			cwd: $s.directory, title: $s.title, revert: $s.revert, message: (.info? // null), parts: (.parts? // [])}' -- "$1"
		return
	fi
	sqlite3 -readonly "$1" "
		select json_object('id', m.id, 'session', s.id, 'parent', s.parent_id, 'cwd', s.directory, 'title', s.title,
			'revert', case when json_valid(s.revert) then json(s.revert) end, 'message', case when json_valid(m.data) then json(m.data) end,
			'parts', (select json_group_array(json(data)) from (select data from part where message_id = m.id and json_valid(data) order by id)),
			'bad', (select json_group_array(id) from part where message_id = m.id and not json_valid(data)))
		from message m join session s on s.id = m.session_id where s.id = '$2' order by m.time_created, m.id"
}

# entries makes the entries of rows, and a string for each of what it cannot read.
entries() {
	jq -nc '
	def time: if . then . / 1000 | todate else null end;
	def failed: .state.status == "error" or (.state.metadata?.exit? // 0) != 0 or .tool == "invalid";
	# What OpenCode tells of a change: a diff of the file, or of a file that was written over that it was there.
	def told: [objects | .filediff?.patch?, .diff? | strings][0] as $diff
		| if $diff then {toolUseResult: {structuredPatch: [$diff | rtrimstr("\n") | split("\n@@ -")[1:][] | split("\n")
				| (.[0] | capture("^(?<oldStart>[0-9]+)(,(?<oldLines>[0-9]+))? [+](?<newStart>[0-9]+)(,(?<newLines>[0-9]+))? @@") | map_values((. // "1") | tonumber)) + {lines: .[1:]}]}}
		  elif .exists? == true then {toolUseResult: {type: "update", originalFile: null, structuredPatch: []}}
		  else {} end;
	foreach inputs as $row ({last: null, entries: []};
		.entries = [if [$row.revert | objects | [$row.id, .partID == null] > [.messageID, false]] == [true] then null else .last as $last | try (
			($row | {cwd, sessionId: (.parent // .session)} + if .parent then {isSidechain: true, agentId: .session} else {} end) as $all
			| ($row.message | objects // error("")) as $m | [$row.parts[] | select(.type == "tool")] as $tools
			| (if $last == null then {type: "custom-title", customTitle: $row.title, sessionId: $all.sessionId} else empty end),
			(select([$row.parts[].type] | index("compaction")) | $all + {type: "system", subtype: "compact_boundary", uuid: "\($row.id)-boundary", parentUuid: null,
				logicalParentUuid: $last, timestamp: ($m.time.created | time)}),
			(select($m.summary == true) | $all + {type: "user", isCompactSummary: true, uuid: "\($row.id)-summary", parentUuid: $last,
				timestamp: ($m.time.created | time), message: {role: "user", content: ([$row.parts[] | select(.type == "text").text] | join("\n"))}}),
			(select([$row.parts[].type] | index("compaction") | not) | $all + {type: $m.role, uuid: $row.id, timestamp: ($m.time.created | time),
				parentUuid: (if $m.summary == true then "\($row.id)-summary" else $last end), message: ({
				id: $row.id, role: $m.role, model: $m.modelID, content: [$row.parts[] | select($m.summary != true)
					| if .type == "text" and (.synthetic or .ignored | not) then {type, text}
					  elif .type == "reasoning" then {type: "thinking", thinking: .text}
					  elif .type == "tool" then {type: "tool_use", id: .callID, name: (if .tool == "invalid" then .state.input.tool? // .tool else .tool end), input: .state.input}
					  elif .type == "file" and (.mime | startswith("image/")) then {type: "image"}
					  else empty end]}
				+ if $m.tokens then {usage: ($m.tokens | {input_tokens: .input, output_tokens: (.output + .reasoning),
					cache_read_input_tokens: .cache.read, cache_creation_input_tokens: .cache.write})} else {} end)}),
			($tools | to_entries[] | .key as $n | .value as $tool | def name($n): if $n < 0 then $row.id elif $n == 0 then "\($row.id)-results" else "\($row.id)-results-\($n + 1)" end;
				$all + {type: "user", uuid: name($n), parentUuid: name($n - 1), timestamp: ([$tools[:$n + 1][].state.time.end? // empty] | max | time),
					message: {role: "user", content: [{type: "tool_result", tool_use_id: $tool.callID, is_error: ($tool | failed), content: ($tool.state | .output // .error // "")}]}}
				+ ($tool.state.metadata | told)),
			(select($m.error) | $all + {type: "assistant", uuid: "\($row.id)-error", parentUuid: $row.id, isApiErrorMessage: true,
				timestamp: ($m.time.created | time), message: {role: "assistant", content: [{type: "text", text: ($m.error | .data.message? // .name)}]}}),
			($row.bad[]? | "part \(.) is no JSON"))
			catch "message \($row.id) is not as OpenCode writes it" end]
		| .last = ([.entries[] | objects | .uuid // empty] | last) // .last;
		.entries[])'
}

# list prints the sessions, one a line, with escapes for what a terminal may interpret.
list() {
	sqlite3 -readonly "$1" "select json_array(id, datetime(time_updated / 1000, 'unixepoch'), directory, title)
		from session order by time_updated desc" | jq -r 'def hex: "0123456789abcdef"[. % 16:. % 16 + 1];
			map(tostring | explode | map(if . < 32 or . >= 127 and . < 160 or . == 1564 or . == 8206 or . == 8207
					or . >= 8234 and . <= 8238 or . >= 8294 and . <= 8297
				then "\\u" + ([. / 4096, . / 256, . / 16, .] | map(floor | hex) | add) else [.] | implode end) | add // "") | join("\t")'
}

case $#:${2-} in
1:) [ "$(head -c 6 -- "$1" | tr -d '\0')" != SQLite ] || set -- "$1" '' ;;
2:*[!A-Za-z0-9_-]* | 2: | 0:* | [3-9]*) echo 'usage: opencode.sh DB [SESSION] | opencode.sh EXPORT' >&2; exit 2 ;;
esac
for tool in jq ${2+sqlite3}; do type -P "$tool" >/dev/null || { echo "opencode.sh: $tool is not installed" >&2; exit 2; }; done
if [ "${2-x}" = '' ]; then list "$1"; else rows "$@" | entries; fi | awk '
	/^"/ { print "opencode.sh: " substr($0, 2, length($0) - 2) > "/dev/stderr"; bad = 1; next }
	/^null/ { undone++; next }
	{ print; n++ }
	END {
		if (undone) print "opencode.sh: undone messages, which are left out: " undone > "/dev/stderr"
		exit bad ? 2 : !n
	}'
status=("${PIPESTATUS[@]}")
[ "${status[0]}" = 0 ] || exit 2
[ "${status[1]}" != 1 ] || printf 'opencode.sh: %q: no session%s\n' "$1" "${2:+ $2, or no message in it}" >&2
exit "${status[1]}"
