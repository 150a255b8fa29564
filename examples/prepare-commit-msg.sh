#!/bin/sh
# Names in the message of a commit the session that changed last in this folder, as a trailer:
#
#	cp -i prepare-commit-msg.sh .git/hooks/prepare-commit-msg
#
# It must be executable. Without a session the message stays as it is.
session=$(jlrel --list --cwd "$(git rev-parse --show-toplevel)" 2>/dev/null | head -n 1 | jq -r .sessionId)
[ -z "$session" ] || git interpret-trailers --in-place --trailer "Session: $session" "$1"
