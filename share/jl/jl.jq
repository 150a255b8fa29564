# Questions about a conversation, for jq 1.6 and newer. They read entries of Claude Code
# and of pi:
#
#     jlpath s.jsonl | jq -L /usr/local/share/jl -r 'include "jl"; prompts'
#
# Each function takes one entry and prints nothing for an entry that it is not about, but
# usage reads all entries.

# The blocks of a message. A content that is a string is one text block. Entries of other
# types may repeat messages.
def blocks:
  select(.type == "user" or .type == "assistant" or .type == "message") | .message | objects | .content
  | if type == "string" then {type: "text", text: .} else arrays[] | objects end;

# The role of a message: "user", "assistant" or, in pi logs, others; else the type of the
# entry.
def role: if .type == "message" then .message.role? else .type end;

# All texts of a message.
def texts: select(role != "toolResult") | blocks | select(.type == "text") | .text | strings;

# The texts of a message, without thinking, tool calls and tool results. The report of a
# failed request is not a text of the model: see errors.
def text: select(.isApiErrorMessage | not) | texts;

# Whether a text is what the client, an editor or a hook put in for the user: one that
# begins with a tag whose name is made of several words, as that of a command does.
def inserted:
  test("^\\s*(<([a-z]+[-_][a-z_-]*|tick|goal)[\\s>]|\\[Request interrupted by user)");

# Whether a person may have written the entry. A sidechain is the conversation of an agent.
def personal:
  (.isMeta or .isCompactSummary or .isVisibleInTranscriptOnly or .isSidechain) | not;

# What a person typed of a text. For a command, this is its name and its arguments, or
# nothing if it has no arguments.
def typed:
  (capture("<command-name>(?<of>[^<]*)</command-name>") // {of: ""}).of as $name
  | (capture("<command-args>\\s*(?<of>(.|\n)*?)\\s*</command-args>") // {of: ""}).of as $args
  | if $args != "" then "\($name) \($args)" else select(inserted | not) end;

# What a person typed, one string for each prompt: without meta entries, summaries of
# compactions, the output of commands, tool results and what agents are told. A prompt
# that was typed while the model was busy may be an attachment.
def prompts:
  select(personal)
  | if .type == "attachment" then
      .attachment | select(.type? == "queued_command" and (.isMeta | not))
      | {type: "user", message: {content: .prompt}}
    else select(role == "user") end
  | [text | typed | select(test("\\S"))]
  | select(length > 0) | join("\n");

# The tool calls: {timestamp, uuid, id, name, input}. The uuid is the id of the entry.
def tools:
  {timestamp, uuid: (.uuid // .id)} as $entry
  | select(role == "assistant") | blocks | select(.type == "tool_use" or .type == "toolCall")
  | $entry + {id, name, input: (.input // .arguments)};

# The text of a tool result.
def result:
  .content | if type == "array" then [.[] | .text? | strings] | join("\n") elif . == null then "" else tostring end;

# What failed: {timestamp, uuid, call, text}. It is a call of a tool, or, if call is null, a
# request to the API.
def errors:
  {timestamp, uuid: (.uuid // .id), call: null} as $entry
  | if .isApiErrorMessage then $entry + {text: ([texts] | join("\n"))}
    elif .type == "system" and .subtype == "api_error" then
      $entry + {text: (.error | if type == "object" then .message? // tostring else tostring end)}
    elif role == "toolResult" then
      .message | select(.isError) | $entry + {call: .toolCallId, text: result}
    elif role == "assistant" and .message?.stopReason? == "error" then
      $entry + {text: (.message.errorMessage // "")}
    else blocks | select(.type == "tool_result" and .is_error) | $entry + {call: .tool_use_id, text: result} end;

# The tokens of each model: {model, messages, input, output, cacheWrite, cacheRead}. Several
# entries share a message, and the last of them has its final figures.
def usage(entries):
  reduce (entries | objects | select(.message?.usage? != null and role == "assistant")) as $entry ({};
    .[$entry.message.id // $entry.uuid // $entry.id | tostring] = ($entry.message | {model, usage}))
  | [.[] | select(.model != "<synthetic>")] | group_by(.model)[]
  | {model: .[0].model, messages: length}
    + (map(.usage | {
        input: (.input_tokens // .input),
        output: (.output_tokens // .output),
        cacheWrite: (.cache_creation_input_tokens // .cacheWrite),
        cacheRead: (.cache_read_input_tokens // .cacheRead)
      })
      | {input: (map(.input) | add), output: (map(.output) | add),
         cacheWrite: (map(.cacheWrite) | add), cacheRead: (map(.cacheRead) | add)}
      | map_values(. // 0));

# Usage of this and all further entries of the input.
def usage: usage(., inputs);

# What a call is about: the first member of its input that says it, else the whole input.
def about:
  .input | if type != "object" then tojson else
    .command // .file_path // .path // .notebook_path // .pattern // .query // .url // .description // tojson
    | if type == "string" then . else tojson end
  end;

# The first n characters of a text, on one line.
def line(n): .[:2 * n] | gsub("\\s+"; " ") | if length > n then .[:n - 1] + "…" else . end;

# One line for each thing that happened: the time, who or which tool, and the first words,
# with tabs between them.
def timeline:
  (.timestamp | if type == "string" then .[:19] + "Z" else "" end) as $time
  | ((prompts | ["user", .]),
     (select(role == "assistant") | text | select(test("\\S")) | ["assistant", .]),
     (tools | [.name, about]),
     (errors | ["error", .text]),
     (select(.subtype? == "compact_boundary" or .type == "compaction") | ["compaction", ""]))
  | [$time, .[0], (.[1] | line(80))] | @tsv;

# A text as a block of code of Markdown, in a fence that is longer than any in the text.
def fenced:
  ([match("`{3,}"; "g").length] + [2] | max + 1) as $n
  | ("`" * $n) as $fence | "\($fence)\n\(sub("\n+$"; ""))\n\($fence)\n";

# The entry as Markdown: a heading for each prompt, and below it the answers, the calls of
# tools and their results.
def markdown:
  (prompts | line(70) as $title | "## \($title)\n" + if . == $title then "" else "\n\(.)\n" end),
  (select(role == "assistant") | text | select(test("\\S")) | . + "\n"),
  (tools | "**\(.name)**\n\n" + (about | fenced)),
  (if role == "toolResult" then .message | result | fenced
   else blocks | select(.type == "tool_result") | result | fenced end);
