#!/bin/sh
# Shows the main job of the suite on a small session: the log holds two branches of one
# conversation, and each can be printed as entries on a pipe.
#
#	examples/demo.sh BINDIR SESSION
set -eu
case ${1-} in -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' -- "$0"; exit ;; esac
PATH=$1:$PATH
session=$2

say() { printf '\n%s\n' "$*"; }

# messages prints the texts and tool calls of the entries on standard input. It uses sed
# because the build needs no jq, which would do this in one line.
messages() {
	sed -n -e 's/.*"role":"user","content":"\([^"]*\)".*/  user       \1/p' \
		-e 's/.*"type":"text","text":"\([^"]*\)".*/  assistant  \1/p' \
		-e 's/.*"type":"tool_use".*"name":"\([^"]*\)".*/  tool       \1/p'
}

echo "$session is a session log: $(wc -l <"$session") lines, a tree of entries."

say '$ jlpath '"$session"'      # the conversation, root first'
jlpath "$session" | messages

say '$ jlleaf -a '"$session"'   # all ends, newest first'
jlleaf -a "$session" | sed 's/.*"uuid":"\([^"]*\)".*"type":"\([^"]*\)".*"prompt":"\([^"]*\)".*/  \1  \2  after: \3/' | cut -c1-100

other=$(jlleaf -a -u "$session" | sed -n 2p)
[ -n "$other" ] || other=$(jlleaf -u "$session") # there is one branch
say '$ jlpath -l '"${other%%-*} $session"'   # another branch; a prefix of its id is enough'
jlpath -l "${other%%-*}" "$session" | messages

say '$ jlrev '"$session"' | grep -m1 custom-title   # from the end, no further than needed'
jlrev "$session" | grep -m1 custom-title | sed 's/^/  /'
