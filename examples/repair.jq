# Turns what the API refuses into what it takes: a call without a result, or a result without a call, becomes text,
# and text without a word is left out. So are, if you ask for it, images and thinking:
#
#	jlpath --meta --session ID LOG | jq -nc -f repair.jq > ID.jsonl
#
#	--arg images text       images become text, also those that a result of a tool has beside its message
#	--arg thinking drop     thinking is left out, such as is empty or was signed for another model
#	--arg parents straight  each entry hangs on the one before it, for clients that follow one parent only, and so
#	                        lose a parallel call
#
# An entry of which nothing is left is left out, and what names it names the entry above. All else stays, and so do
# the ids and the order of the entries.
def blocks: .message?.content? | arrays[] | objects;
def all(ids): map(blocks | ids | strings | {(.): true}) | add // {};
def note(words): {type: "text", text: "(\(words))"};
def blank: strings | test("^\\s*$");
def dropped: (.type == "text" and (.text | blank)) // ($ARGS.named.thinking == "drop" and (.type | . == "thinking" or . == "redacted_thinking"));
def kept: map(select(type != "object" or (dropped | not)));

[inputs]
| all(select(.type == "tool_use").id) as $calls
| all(select(.type == "tool_result").tool_use_id) as $results
| (map(select((.message?.content? | if type == "array" then . != [] and kept == [] else blank end) // false)
    | select(.uuid | type == "string") | {(.uuid): [.parentUuid]}) | add // {}) as $gone
| def above: if type == "string" and in($gone) then $gone[.][0] | above else . end;
  def named(f): if f | type == "string" then f |= above else . end;
  def list(f): if f | type == "array" then f |= map(select(tostring | in($gone) | not)) else . end;
map(select(.uuid | tostring | in($gone) | not))
| map((.message?.content? | arrays) |= (kept | map(
    if .type? == "tool_use" and (.id | tostring | in($results) | not) then note("a call of \(.name) without result")
    elif .type? == "tool_result" and (.tool_use_id | tostring | in($calls) | not) then note("the result of a call that is not here")
    elif .type? == "tool_result" then (.content? | arrays) |= kept
    else . end))
  | named(.parentUuid) | named(.logicalParentUuid) | named(.leafUuid) | named(.sourceToolAssistantUUID)
  | if .compactMetadata? | type == "object" then .compactMetadata |= (
      if .preservedSegment | type == "object" then .preservedSegment |= (named(.headUuid) | named(.anchorUuid) | named(.tailUuid)) else . end
      | if .preservedMessages | type == "object" then .preservedMessages |= (named(.anchorUuid) | list(.uuids) | list(.allUuids)) else . end)
    else . end
  | if $ARGS.named.images then
      (.message?.content? | arrays | .. | objects | select(.type? == "image")) |= note("an image")
      | ((.toolUseResult? | .. | objects | select(.type? == "image")), (.toolUseResult? | .. | objects | select(has("base64")).base64)) |= (if type == "object" then note("an image") else "(an image)" end)
    else . end)
| if $ARGS.named.parents == "straight" then
    foreach .[] as $e ({}; .e = $e | if $e.uuid and $e.parentUuid and .last then .e.parentUuid = .last else . end | .last = ($e.uuid // .last); .e)
  else .[] end
