# Turns what the API refuses into text: a call without a result, a result without a call, and, with
# --arg images text, images, also those that a result of a tool has beside its message. Everything else
# stays, and so do the ids and the order of the entries.
#
#	jlpath --meta --session ID LOG | jq -nc -f repair.jq > ID.jsonl
def blocks: .message?.content? | arrays[] | objects;
def note(words): {type: "text", text: "(\(words))"};

[inputs]
| [.[] | blocks | select(.type == "tool_use").id] as $calls
| [.[] | blocks | select(.type == "tool_result").tool_use_id] as $results
| .[]
| (.message?.content? | arrays) |= map(
    if .type? == "tool_use" and (.id | IN($results[]) | not) then note("a call of \(.name) without result")
    elif .type? == "tool_result" and (.tool_use_id | IN($calls[]) | not) then note("the result of a call that is not here")
    else . end)
| if $ARGS.named.images then
    (.message?.content? | arrays | .. | objects | select(.type? == "image")) |= note("an image")
    | ((.toolUseResult? | .. | objects | select(.type? == "image")), (.toolUseResult? | .. | objects | select(has("base64")).base64)) |= (if type == "object" then note("an image") else "(an image)" end)
  else . end
