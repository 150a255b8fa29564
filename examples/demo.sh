#!/bin/sh
# Shows the main job of the suite on a small session: one file, two ways that the
# conversation went, and how to get either as entries on a pipe.
#
#	examples/demo.sh BINDIR SESSION
set -eu
PATH=$1:$PATH
session=$2

say() { printf '\n%s\n' "$*"; }

# Shows what was said in the entries on standard input. (With jq it would be a
# line; this makes do with sed.)
said() {
	sed -n -e 's/.*"role":"user","content":"\([^"]*\)".*/  user       \1/p' \
		-e 's/.*"type":"text","text":"\([^"]*\)".*/  assistant  \1/p' \
		-e 's/.*"type":"tool_use".*"name":"\([^"]*\)".*/  tool       \1/p'
}

echo "$session is a session log: $(wc -l <"$session") lines, a tree of entries."

say '$ jlpath '"$session"'      # the conversation, root first, as it was logged'
jlpath "$session" | said

say '$ jlleaf -a '"$session"'   # all ends of the tree, newest first'
jlleaf -a "$session" | sed 's/.*"uuid":"\([^"]*\)".*"type":"\([^"]*\)".*"prompt":"\([^"]*\)".*/  \1  \2  after: \3/' | cut -c1-100

other=$(jlleaf -a -u "$session" | sed -n 2p)
say '$ jlpath -l '"${other%%-*} $session"'   # another branch, by a beginning of its id'
jlpath -l "${other%%-*}" "$session" | said

say '$ jlrev '"$session"' | grep -m1 custom-title   # from the end, as far as needed'
jlrev "$session" | grep -m1 custom-title | sed 's/^/  /'
