# Questions about a conversation, for jq 1.6 and newer, in logs of Claude Code, Codex, Copilot CLI,
# Gemini CLI, Qwen Code, pi, Grok Build and DeepSeek, and of agents that write as one of them does.
# As ~/.jq, or in a folder ~/.jq, every jq finds them:
#
#     jlpath --through s.jsonl | jq -r timeline
#     jlpath --through s.jsonl | jq -r 'include "jl"; timeline'
#
# usage, usage_by and markdown read all entries of the input. The others take one entry, and print
# nothing for an entry that they are not about. With jq -n, said(inputs), timeline(inputs) and
# chat(inputs) read all entries, and know the folder of the project and the session from the entries
# before. What begins with jl_ is for this file alone.

# The entry as Claude Code would log it, the one form that all functions below read. An entry may
# hold several of those, or none. Settings that others log once become entries of the type session.
def jl_entry:
  def entry($type): {type: $type, timestamp, uuid: (.uuid // .id)};
  def message($role; content): entry($role) + {message: {id: .id, role: $role, content: [content]}};
  def failure(text): message("assistant"; {type: "text", text: text}) + {isApiErrorMessage: true};
  def boundary: entry("system") + {subtype: "compact_boundary"};
  def words:
    if type == "array" then .[] | words elif type == "object" then .text | words else strings | {type: "text", text: .} end;
  def call($id; $name; $input):
    {type: "tool_use", id: $id, name: $name, input: (($input | strings | fromjson? | objects) // $input // {})};
  def result($id; $failed; content): {type: "tool_result", tool_use_id: $id, is_error: $failed, content: content};
  # The input of other agents includes what the cache read and wrote.
  def tokens($input; $output; $read; $write):
    [$input, $output, $read, $write | numbers // 0] as [$input, $output, $read, $write]
    | {input_tokens: ([$input - $read - $write, 0] | max), output_tokens: $output,
       cache_read_input_tokens: $read, cache_creation_input_tokens: $write};

  # Codex says prompts and answers twice: those of event_msg are the prompts, without what Codex
  # puts in, and those of response_item the answers. Newer releases log prompts as items. Its counts of tokens are known by their total,
  # which only grows.
  def codex:
    def header: "^(Chunk ID|Wall time|Exit code|Command): (.|\\n)*?\\nOutput:\\n";
    def json: (strings | fromjson? | objects) // .;
    def output:
      if type == "array" then map(if .type? == "input_image" then {type: "image"} else . end)
      elif type == "object" then .output // .content // tojson
      else strings // "" | sub(header; "") end;
    def failed:
      if type == "object" then .success == false or (.exit_code // .metadata?.exit_code? // 0) != 0
      else strings | test("^(Chunk ID|Wall time|Exit code|Command): ") and (split("\nOutput:\n")[0] | test("xit(ed with)? code:? (?!0(\\n|$))")) end;
    .payload as $p | ($p.type? // "") as $kind
    | if .type == "session_meta" then
        ($p | .parent_thread_id // (.source | .subagent?.thread_spawn?.parent_thread_id?) // null) as $parent
        | entry("session") + {id: $p.id, sessionId: ($parent // $p.id), copies: ($p.forked_from_id // $parent), cwd: $p.cwd}
      elif .type == "turn_context" then entry("session") + ($p | {cwd, model})
      elif .type == "compacted" then boundary
      elif .type == "event_msg" then
        if $kind == "user_message" or ($p.item | .type?) == "UserMessage" then
          ($p.item | .content?) as $content
          | message("user"; ($p.message, $content | words),
              ($p.images, $p.local_images, ($content | arrays | map(select(.image_url? // .path?))) | arrays[] | {type: "image"}))
        elif $kind == "token_count" then
          entry("assistant") + {counted: true} + ($p.info | objects | .last_token_usage as $last | select($last)
            | {message: {id: ((.total_token_usage // .) | tojson),
                usage: ($last | tokens(.input_tokens; .output_tokens; .cached_input_tokens; 0))}})
        elif $kind == "error" then failure($p.message // "")
        elif $kind == "turn_aborted" then failure("turn aborted: \($p.reason)")
        else empty end
      elif $kind == "reasoning" then message("assistant"; {type: "thinking", thinking: ([$p.summary | arrays[].text? | strings] | join("\n"))})
      elif $kind == "message" then select($p.role == "assistant") | message("assistant"; $p.content | words)
      elif $kind == "agent_message" then # an agent's task is what the agent above it wrote
        select($p | (.recipient // "") | startswith(($p.author // "") + "/")) | message("user"; $p.content | words)
      elif $kind | endswith("_call") then
        message("assistant"; $p | call(.call_id // .id; .name // ($kind | rtrimstr("_call")); .arguments // .input // .action))
      elif $kind | endswith("_output") then
        ($p.output | json) as $output | message("user"; result($p.call_id; ($output | failed) // false; $output | output))
      else empty end;

  # Copilot CLI logs the output tokens of each message, and at the end of a run all of its tokens. Newer
  # releases log the tokens of each request, and at the end those of all runs.
  def copilot:
    .data as $d
    | if .type == "session.start" or .type == "session.resume" then
        entry("session") + {cwd: $d.context?.cwd?, model: $d.selectedModel}
        + if $d.sessionId then {id: $d.sessionId, sessionId: $d.sessionId} else {} end
      elif .type == "session.model_change" then entry("session") + {model: $d.newModel}
      elif .type == "session.compaction_complete" then select($d.success) | boundary
      elif .type == "user.message" then
        select($d.source // "" | test("^(skill|system|instruction)") | not)
        | message("user"; ($d.content | words),
            ($d.attachments | arrays[] | select(.mimeType? // "" | startswith("image/")) | {type: "image"}))
      elif .type == "assistant.message" then
        message("assistant"; ($d.content | words), ($d.toolRequests | arrays[] | call(.toolCallId; .name; .arguments)))
        | .message += {id: ($d.apiCallId // $d.messageId // .uuid), model: $d.model}
        | if $d.outputTokens then .message.usage = {output_tokens: $d.outputTokens} else . end
      elif .type == "tool.execution_complete" then
        message("user"; result($d.toolCallId; $d.success == false or ($d.shellExecution?.exitCode? // 0) != 0; $d | .error?.message? // .result?.content? // ""))
      elif .type == "session.error" then failure($d.message // "")
      elif .type == "abort" then failure("turn aborted: \($d.reason)")
      elif .type == "session.usage_record" then
        $d.usage as $u | entry("assistant") + {message: {id: ($u.apiCallId // .id), model: $u.model,
          usage: ($u | tokens(.inputTokens; .outputTokens; .cacheReadTokens; .cacheWriteTokens))}}
      elif .type == "session.shutdown" and $d.accountingSnapshot == null then
        entry("assistant") + {run: true} + ($d.modelMetrics // {} | to_entries[] | {message: {id: null, model: .key,
          usage: (.value.usage | tokens(.inputTokens; .outputTokens; .cacheReadTokens; .cacheWriteTokens))}})
        | .message.id = "\(.uuid) \(.message.model)"
      else empty end
      + if .agentId then {isSidechain: true} else {} end;

  # The parts of a message of Gemini CLI and Qwen Code: texts, calls and their results.
  def parts:
    if type == "string" then words
    else arrays[] | objects
      | if .functionCall then .functionCall | call(.id; .name; .args)
        elif .functionResponse then
          .functionResponse | result(.id; .response?.error? != null; .response | .error? // .output? // tojson)
        elif .inlineData or .fileData then {type: "image"}
        elif .thought then {type: "thinking", thinking: .text}
        else words end
    end;

  # Gemini CLI keeps calls and their results in a message. A $set of messages replaces the list. A
  # message of the user may repeat a result: it counts only if a $set has no call with this result.
  def gemini($told):
    def summary: [.message.content[].text? | strings | select(startswith("<state_snapshot>"))] != [];
    def untold: if type == "array" then map(select(.functionResponse? | . == null or (.id as $id | $told and ($told | index($id) == null)))) else . end;
    if ."$set" then
      ."$set" | objects | [.messages | arrays[].toolCalls? | arrays[].id] as $ids | (.messages | arrays[] | gemini($ids)), (.summary | strings | {type: "custom-title", customTitle: .})
    elif .startTime then entry("session") + {id: .sessionId, sessionId, cwd: .directories[0]?, timestamp: .startTime}
    elif .type == "user" then message("user"; .content | untold | parts) | if summary then boundary, (.isCompactSummary = true) else . end
    elif .type == "gemini" then
      .tokens as $tokens | .model as $model | [.toolCalls | arrays[]] as $calls
      | (message("assistant"; (.content | parts), ($calls[] | call(.id; .name; .args))) | .message.model = $model
         | if $tokens then .message.usage = ($tokens | tokens(.input; (.output // 0) + (.thoughts // 0); .cached; 0)) else . end),
        (select($calls != []) | message("user"; $calls[] | .id as $id | (.status == "error") as $failed
          | .result | parts
          | result($id; $failed or .is_error == true; .content // .text // "")))
    elif .type == "error" then failure([.content | parts.text] | join("\n"))
    else empty end;

  # Qwen Code has the entries of Claude Code and the messages of Gemini CLI.
  def qwen:
    . as $entry | .usageMetadata as $usage
    | if .subtype == "chat_compression" then .subtype = "compact_boundary"
      elif .subtype == "custom_title" then {type: "custom-title", customTitle: (.systemPayload | .customTitle? // .title?)}
      elif .type == "system" then empty
      else
        (.type == "tool_result" and (.isError == true or .toolCallResult?.status? == "error")) as $failed
        | .type |= if . == "tool_result" then "user" else . end
        | .message = {id: .uuid, model, role: .type,
            content: [.message.parts | parts | if $failed and .type == "tool_result" then .is_error = true else . end]}
        | if $usage then
            .message.usage = ($usage | ((.candidatesTokenCount // 0) + (.thoughtsTokenCount // 0)) as $output
              # Some models count the thoughts among the candidates.
              | tokens(.promptTokenCount;
                  if (.totalTokenCount // infinite) < (.promptTokenCount // 0) + $output then .candidatesTokenCount else $output end;
                  .cachedContentTokenCount; 0))
          else . end
      end;

  def pi:
    if .type == "session" or .type == "session_start" then entry("session") + {id, sessionId: .id, cwd}
    elif .type == "model_change" then entry("session") + {model: .modelId}
    elif .type == "session_info" then {type: "custom-title", customTitle: .name}
    elif .type == "compaction" then boundary, (message("user"; .summary | words) | .isCompactSummary = true)
    elif .type == "message" then
      .message as $m
      | if $m.role == "toolResult" then message("user"; $m | result(.toolCallId; .isError; .content))
        elif $m.role == "user" or $m.role == "assistant" then
          message($m.role; $m.content
            | if type == "array" then .[] | if .type? == "toolCall" then call(.id; .name; .arguments) else . end else words end)
          | .message += {id: "\(.uuid) \(.timestamp)", model: $m.model} # a fork keeps both
          | if $m.usage then .message.usage = ($m.usage | {input_tokens: .input, output_tokens: .output,
              cache_read_input_tokens: .cacheRead, cache_creation_input_tokens: .cacheWrite}) else . end
        else empty end,
        (select($m.stopReason == "error") | failure($m.errorMessage // ""))
    else empty end;

  def deepseek:
    def when: .timestamp = (.time // .time0 | if . then . / 1000 | todate else null end);
    def blocks: arrays[] | objects
      | if .type == "tool-call" then call(.id; .name; .arguments)
        elif .type == "tool-result" then result(.toolCallId; .isError; .content)
        elif .type == "text" or .type == "image" then . else empty end;
    .data as $d | when
    | if .type == "session" then entry("session") + {id, sessionId: ((select(.origin == "subagent") | .parentSession) // .id), cwd}
      elif .type == "session/title" then {type: "custom-title", customTitle: $d.title}
      elif .type == "user/message" then
        if $d.source?.plugin? == "compact" then boundary
        else message("user"; $d.content | blocks) | .isMeta = ($d.source?.kind? // "user" | . != "user") end
      elif .type == "assistant/message" then
        message("assistant"; $d.message.content | blocks)
        | .message += {id: ($d.message.id // .timestamp), model: $d.message.source?.model?}
        | if $d.usage then .message.usage = ($d.usage | tokens(.inputTokens; .outputTokens; .cacheReadTokens; .cacheWriteTokens)) else . end
      elif .type == "tool/result" then message("user"; $d.message.content | blocks)
      else empty end;

  def grok:
    (.params // .) as $p | ($p.update // {}) as $u | .timestamp |= (numbers | todate) // .
    | if $u.sessionUpdate == "user_message_chunk" then message("user"; $u.content | words)
      elif $u.sessionUpdate == "agent_message_chunk" then message("assistant"; $u.content | words)
      elif $u.sessionUpdate == "tool_call" then message("assistant"; $u | call(.toolCallId; .title // .kind; .rawInput))
      elif $u.sessionUpdate == "tool_call_update" then
        select($u.status | . == "completed" or . == "failed")
        | message("user"; $u | result(.toolCallId; .status == "failed"; [.content | arrays[] | .content? // .]))
      else empty end
    | .sessionId = $p.sessionId;

  # Messages, calls and results as the interfaces of models have them.
  def plain:
    (.role // .type) as $role | ((.message | objects) // .) as $m
    | ($m | .call_id // .tool_call_id // .callId // .toolCallId // .id) as $call
    | if $role == "user" then message("user"; $m.content // $m.text | words) | .isMeta = ($m.synthetic_reason != null)
      elif $role == "assistant" then
        message("assistant"; ($m.content // $m.text | words),
          ($m.tool_calls | arrays[] | call(.id; .name // .function?.name?; .arguments // .function?.arguments?)))
        | .message.model = ($m.model // $m.model_id)
      elif $role | endswith("_call") then
        message("assistant"; $m | call($call; .name // .toolName // .function?.name? // ($role | rtrimstr("_call")); .arguments // .input // .parameters // .action))
      elif $role | . == "tool" or endswith("_result") or endswith("_output") then
        message("user"; $m | result($call; .is_error == true; .content // .output // .result // .value | if type == "object" then tojson else . end))
      else empty end;

  def unread:
    if input_line_number < 2 then
      "jl.jq: \(input_filename // "the input") is not a log of Claude Code, Codex, Copilot CLI, Gemini CLI, Qwen Code, "
      + "pi, Grok Build or DeepSeek\n" | halt_error
    else empty end;

  if type != "object" then error("jl.jq: an entry is an object, and this is none: \(tojson[:40])")
  elif .offset != null and .length != null then unread # an edge of jltree
  elif .uuid != null or .message.parts? then if .message.parts? or .systemPayload? then qwen else . end
  elif .payload | type == "object" then codex
  elif ."$set" or ."$rewindTo" or .startTime
    or (.id and .content and (.type | . == "user" or . == "gemini" or . == "error")) then gemini(null)
  elif .params?.update? or .update?.sessionUpdate? then grok
  elif (.data | type == "object") and (.type | strings | test("[.]|^abort$")) then copilot
  elif (.seq or .seq0 or .createdAt) and (.type | strings | test("/|-chunks$|^session$")) then deepseek
  elif (.type == "message" and .role) or (.type // "" | tostring | test("^(function|custom_tool|local_shell|tool)_(call|result)(_output|_result)?$")) then plain
  elif (.type | . == "session" or . == "message" or . == "session_start") or (.id and .timestamp and .type) then pi
  elif (.message | type == "object") and (.type | . == "user" or . == "assistant" or . == "system") then .
  elif .role or (.content and (.type | . == "user" or . == "assistant" or . == "tool_result")) then plain
  elif (has("instructions") and .id) or .record_type then empty # the first lines of an old log of Codex
  elif .type == null and .timestamp and has("instructions") then entry("session") + {id, sessionId: .id} # Codex of 2025
  elif .type and (.sessionId or .session_id or .leafUuid or .messageId or .hash) then .
  else unread end;

# What f says of an entry, for functions that read all entries: one that f cannot read is named on
# standard error, and the others count.
def jl_try(f): objects | try f catch ("jl.jq: line \(input_line_number): \(.)\n" | stderr | empty);

# All entries of the input.
def jl_input: (if type == "array" then .[] else . end), inputs;

# The blocks of a message. A content that is a string is one text block.
def jl_blocks:
  .message | objects | .content | if type == "string" then {type: "text", text: .} else arrays[] | objects end;

# Whether a text is what the client, an editor or a hook put in for the user: one that begins with a
# tag whose name has several words, such as the tag of a command.
def jl_inserted: test("^\\s*(<([a-z]+[-_][a-z_-]*|tick|goal)[\\s>]|\\[Request interrupted by user)");

# What is inside the first tag of that name in a text, "" if there is none.
def jl_tagged($name): (capture("<\($name)>\\s*(?<of>(.|\n)*?)\\s*</\($name)>") // {of: ""}).of;

# What a person typed in a text. For a command, this is its name and its arguments; a command for the
# client, which has its name first, is nothing without arguments.
def jl_typed:
  jl_tagged("command-name") as $name | jl_tagged("command-args") as $args
  | if $args != "" then "\($name) \($args)" elif test("^\\s*<command-message>") then $name else select(jl_inserted | not) end;

# What an entry says, one object for each thing, with its time and the id of the entry:
#
#     {is: "prompt", text, images}      what a person typed, or the task of a sub-agent
#     {is: "answer", text, model}       what the model said
#     {is: "thinking", text, model}
#     {is: "call", id, name, input, model}
#     {is: "result", call, text, images, failed}
#     {is: "error", text}               a request that failed, or that the user interrupted
#     {is: "compaction"}, {is: "summary", text}, {is: "title", text, rank}
#
# and cwd and session where the entry tells them; {is: "session", cwd, session, model} tells no more.
def said:
  def images: [.. | objects | select(.type? == "image")] | length;
  # A sidechain in the log of its session is not the conversation of this log.
  def foreign: (.isSidechain == true and .agentId == null) or .parent_tool_use_id != null;
  # What the client tells the model in the name of the user: an interrupt, or the end of a task in the
  # background, which is the result of the call that began it.
  def notice:
    if test("^\\s*\\[Request interrupted by user") then {is: "error", text: .}
    elif test("^\\s*<task-notification>") then
      {is: "result", call: jl_tagged("tool-use-id"), failed: (jl_tagged("status") == "failed"), images: 0,
       text: ([jl_tagged("summary"), jl_tagged("result") | select(. != "")] | join("\n"))}
    else empty end;
  def prompt(content):
    if .isCompactSummary then {is: "summary", text: ([jl_blocks.text? | strings] | join("\n"))}
    elif .isMeta or .isVisibleInTranscriptOnly or foreign then empty
    else
      (.isSidechain == true and .parentUuid == null) as $task
      | [content]
      | (.[].text? | strings | notice),
        {is: "prompt", images: (map(select(.type == "image")) | length),
         text: (map(.text? | strings | if $task then . else jl_typed end | select(test("\\S"))) | join("\n"))}
      | select(.is != "prompt" or .text != "" or .images > 0)
    end;
  def result:
    {is: "result", call: .tool_use_id, failed: (.is_error == true),
      text: (.content | if type == "array" then [.[] | .text? // .tool_name? | strings] | join("\n") elif . == null then "" else tostring end),
      images: (.content | if type == "array" then images else 0 end)};
  jl_entry
  | (if .type == "user" then prompt(jl_blocks), (jl_blocks | select(.type == "tool_result") | result)
     elif .type == "assistant" then
       if .isApiErrorMessage then {is: "error", text: ([jl_blocks.text? | strings] | join("\n"))}
       else
         .message?.model? as $model
         | jl_blocks
         | if .type == "text" then select(.text | strings | test("\\S")) | {is: "answer", text, model: $model}
           elif .type == "thinking" then select(.thinking | strings | test("\\S")) | {is: "thinking", text: .thinking, model: $model}
           elif .type == "tool_use" then {is: "call", id, name, input, model: $model}
           elif .type == "tool_result" then result
           else empty end
       end
     elif .type == "attachment" then
       select(.attachment | .type? == "queued_command" and (.isMeta | not)) | .message = {content: .attachment.prompt} | prompt(jl_blocks)
     elif .type == "system" then
       if .subtype == "compact_boundary" then {is: "compaction"}
       elif .subtype == "api_error" then {is: "error", text: (.error | if type == "object" then .message? // tostring else tostring end)}
       else empty end
     elif .type == "session" then {is: "session", model}
     elif .customTitle then {is: "title", text: .customTitle, rank: 3}
     elif .aiTitle then {is: "title", text: .aiTitle, rank: 2}
     elif .type == "summary" then {is: "title", text: .summary, rank: 1}
     else empty end) as $said
  | {timestamp, uuid: (.uuid // .id), cwd,
     session: (.agentId // (select(.type == "session") | .id) // .sessionId // .session_id)} + $said;

# The same of all entries: each thing has the session and the cwd that the log told before, if its entry
# tells none, and a number that is the same for all that a session says.
def said(entries):
  foreach (entries | jl_try(said)) as $part ({number: 0};
    ($part | {cwd, session, model} | with_entries(select(.value != null))) as $told
    | if .session and $told.session and .session != $told.session then {number: (.number + 1)} else . end + $told;
    . as $log | $part + {cwd, session, number} + if $part.is == "session" then {model} else {} end);

# What a person typed, one string for each prompt: without meta entries, summaries of compactions, the
# output of commands, tool results and what is not of this conversation.
def prompts: said | select(.is == "prompt").text | select(. != "");

# What the model said, without thinking and calls.
def answers: said | select(.is == "answer").text;

# What was said: prompts and answers.
def text: said | select(.is == "prompt" or .is == "answer").text | select(. != "");

# The calls of tools: {timestamp, uuid, id, name, input}. The uuid is the id of the entry.
def tools: said | select(.is == "call") | {timestamp, uuid, id, name, input};

# What failed: {timestamp, uuid, call, text}. It is a call of a tool, or, if call is null, a request to
# the model.
def errors: said | select(.is == "error" or .failed == true) | {timestamp, uuid, call, text};

# The tokens of messages, added up for each value of f: an object of members of {model, day, time,
# project, branch, session, agentId}, or any other value, which becomes the member "by". A row has these
# and {messages, input, output, cacheWrite, cacheWrite5m, cacheWrite1h, cacheRead}. The project is the
# folder that the session began in; what a sub-agent took counts for the session that it belongs to. The
# input is without what the cache read, and the output with thinking; cacheWrite is what the cache keeps
# for 5 minutes or for an hour. A message that several entries or logs have counts once, with its greatest
# figures.
def usage_by(f; entries):
  def figure: numbers // 0;
  def total: .input + .output + .cacheWrite + .cacheRead;
  # What the log has told so far: where it belongs, the log that its beginning is a copy of, and for
  # Copilot CLI the output of each model in this run.
  def told($entry):
    if $entry.type == "session" then
      if $entry.id == null or $entry.id == .id then . + ($entry | {cwd, model} | with_entries(select(.value)))
      elif $entry.id == .copies then . + {root: $entry.id, copies: $entry.copies}
      else $entry | {id, root: .id, copies, session: .sessionId, cwd, model} end
    elif $entry.run then .outputs[$entry.message.model, "null"] = 0
    elif $entry.message.usage.input_tokens == null then
      .outputs["\($entry.message.model // .model)"] += ($entry.message.usage.output_tokens | figure)
    else . end;
  # A message, after what the log has told.
  def message($log; $rest):
    .message.usage as $usage
    | {key: ((.message.id // .uuid) as $id | if .counted then "\($log.root) \($id)" else $id // $log.count end), run,
       copy: ($log.root != $log.id), model: (.message.model // $log.model),
       day: ((.timestamp | strings | .[:10]) // null), time: .timestamp, project: (.cwd // $log.cwd), branch: .gitBranch,
       session: (.sessionId // .session_id // $log.session), agentId,
       input: ($usage.input_tokens | figure), output: ($rest // $usage.output_tokens | figure),
       cacheWrite: ($usage.cache_creation_input_tokens | figure),
       cacheWrite1h: ($usage.cache_creation?.ephemeral_1h_input_tokens? | figure),
       cacheRead: ($usage.cache_read_input_tokens | figure)};
  def sum(g): map(.message | g) | add;
  # The members that f takes and a message has not: as its value, or by their names.
  def unknown:
    . as $message
    | (try path(f)[0] catch empty), (try (f | objects | keys[]) catch empty
        | select(. as $name | try ($message + {($name): {}} | f[$name] == {}) catch false))
    | strings | select(in($message) | not);

  [foreach (entries | jl_try(select(.uuid == null or .type == "assistant") | jl_entry)
      | select(.type == "session" or (.type == "assistant" and (.message?.usage? | type == "object")))) as $entry ({};
      # Of the total of a run, the messages before it have told a part.
      .rest = (if $entry.run then [($entry.message.usage.output_tokens | figure) - ([.outputs["\($entry.message.model)", "null"] | figure] | add), 0] | max
        else null end)
      | .count as $count | told($entry) | .count = $count + 1;
      . as $log | $entry | select(.type == "assistant" and .message.model != "<synthetic>") | message($log; $log.rest))]
  | group_by(.key) | map(max_by(total) + (min_by([.copy, .time]) | {day, time, project, branch, session, agentId}))
  | (group_by(.session) | map(min_by(.time) | {key: "\(.session)", value: .project}) | from_entries) as $projects
  | map((if .session then .project = $projects["\(.session)"] else . end) as $message
      | {by: ($message | f | if type == "object" then . else {by: .} end), message: $message})
  | ([.[0] | objects.message | unknown] | unique) as $unknown
  | if $unknown != [] then
      "jl.jq: usage_by: \($unknown | join(", ")): not one of model, day, time, project, branch, session and agentId\n" | halt_error
    else . end
  | group_by(.by)[]
  | .[0].by + {messages: (map(select(.message.run | not)) | length), input: sum(.input), output: sum(.output),
      cacheWrite: sum(.cacheWrite), cacheWrite5m: sum(.cacheWrite - .cacheWrite1h), cacheWrite1h: sum(.cacheWrite1h),
      cacheRead: sum(.cacheRead)};

# The same of this and all further entries of the input.
def usage_by(f): usage_by(f; jl_input);

# The tokens of each model.
def usage: usage_by({model});
def usage(entries): usage_by({model}; entries);

# What a row of usage costs at prices for a million tokens, an object that has for the beginning of the
# names of models {input, output, cacheWrite5m, cacheWrite1h, cacheRead}, to the sixth place; null for a
# model without one.
def cost(prices):
  . as $row | [prices | to_entries[] | select(.key as $name | $row.model // "" | startswith($name))] | max_by(.key | length)
  | if . == null then null
    else .value | [to_entries[] | .value * ($row[.key] // 0)] | add | round / 1000000 end;

# A path below the folder of the project; the end of a long one.
def jl_within($cwd):
  if $cwd and startswith($cwd + "/") then .[$cwd | length + 1:] else . end | if length > 80 then "…" + .[-79:] else . end;

# What a call is about: a command, what a search looks for, a file, or the first words of the rest.
def jl_about:
  .cwd as $cwd | .input
  | if type == "string" then [split("\n")[] | capture("^\\*\\*\\* (Update|Add|Delete) File: (?<of>.*)").of | jl_within($cwd)] as $files
      | if $files == [] then . else $files | join(", ") end
    elif type != "object" then tojson
    else
      def one(names):
        [names | if type != "array" then . elif .[1] == "-lc" or .[1] == "-c" then .[2] else map(tostring) | join(" ") end
          | strings | select(. != "")][0];
      (.command | if . == "view" or . == "create" or . == "str_replace" or . == "insert" then null else . end) as $command
      | one($command, .cmd, .pattern, .query)
      // (one(.file_path, .filePath, .path, .notebook_path, .absolute_path, .target_file, .dir_path)
          // empty | jl_within($cwd))
      // one(.url, .description, .questions[]?.question?)
      // ((.todos // .plan | arrays) as $steps | [$steps[] | objects | select(.status == "in_progress")] + $steps
          | .[0] | .content? // .step? // .description?)
      // one(.todos, .plan, .prompt, ([.skill, (select(.skill) | .args) | strings] | join(" ")), .message)
      // tojson
    end;

# The first n characters of a text, on one line.
def jl_line(n): .[:2 * n] | gsub("\\s+"; " ") | ltrimstr(" ") | if length > n then .[:n - 1] + "…" else . end;

# The time of a part, to the second.
def jl_time: .timestamp | if type == "string" then .[:19] + "Z" else "" end;

# A line of the timeline.
def jl_event:
  [jl_time] +
    (if .is == "prompt" then ["user", .text + if .images > 0 then " (image)" else "" end]
     elif .is == "answer" then ["assistant", .text]
     elif .is == "call" then [.name, jl_about]
     elif .is == "error" or .failed then ["error", .text]
     elif .is == "compaction" then ["compaction", ""]
     else empty end | .[1] |= jl_line(80))
  | join("\t");

# One line for each thing that happened: the time, who or which tool, and the first words, with tabs
# between them.
def timeline: said | jl_event;
def timeline(entries): said(entries) | jl_event;

# A line of the chat.
def jl_spoken:
  if .is == "prompt" then "\n> " + (.text | gsub("\n"; "\n> ")) + if .images > 0 then " (image)" else "" end
    elif .is == "answer" then "\n" + (.text | sub("\\s+$"; ""))
    elif .is == "call" then "- \(.name): \(jl_about | jl_line(100))"
    elif .is == "error" or .failed then "- error: \(.text | jl_line(100))"
    elif .is == "compaction" then "\n(compaction)"
    else empty end;

# What was said, as text to read: prompts after ">", answers, and one line for each call and failure.
def chat: said | jl_spoken;
def chat(entries): said(entries) | jl_spoken;

# The conversation as Markdown: a head, and a heading for each prompt; below it the answers, and the calls
# with n lines of their results.
def markdown(n):
  # A text as a block of code, in a fence that is longer than any in the text.
  def fenced($language):
    ([match("`{3,}"; "g").length] + [2] | max + 1) as $n
    | ("`" * $n) as $fence | "\($fence)\($language)\n\(sub("\n+$"; ""))\n\($fence)\n";
  def code: if contains("`") then "`` \(.) ``" else "`\(.)`" end;
  def quoted: "> " + (sub("\\s+$"; "") | gsub("\n"; "\n> ")) + "\n";
  def cut(show):
    sub("\\s+$"; "") | split("\n")
    | if length <= n + 1 then join("\n") | show else (.[:n] | join("\n") | show), "*… \(length - n) more lines*\n" end;
  def joined(f): [f] | select(. != []) | join("\n") + "\n";
  def pictures: select((.images // 0) > 0) | "*(\(if .images == 1 then "image" else "\(.images) images" end))*\n";

  # An edit, with the lines that both sides begin and end with as they are.
  def lines: rtrimstr("\n") | if . == "" then [] else split("\n") end;
  def shared($a; $b): [$a, $b | length] | min as $most | first((range($most) | select($a[.] != $b[.])), $most);
  def diff($old; $new):
    ($old | lines) as $a | ($new | lines) as $b | shared($a; $b) as $head
    | shared($a[$head:] | reverse; $b[$head:] | reverse) as $tail
    | joined(($a[:$head][] | " " + .), ($a[$head:($a | length) - $tail][] | "-" + .),
        ($b[$head:($b | length) - $tail][] | "+" + .), ($a[($a | length) - $tail:][] | " " + .))
    | fenced("diff");
  def old: .old_string, .old_str, .oldText, .oldString | strings;
  def new: .new_string, .new_str, .newText, .newString | strings;
  def edits:
    (., (.edits | arrays[] | objects) | select([old, new] != []) | diff([old, ""][0]; [new, ""][0])),
    (select(.file_path // .filePath // .path // .notebook_path) | .content, .file_text, .new_source | strings | diff(""; .));
  # Tasks, plans and questions, as text.
  def option: "- " + if type == "object" then "\(.label)\(if .description then ": \(.description)" else "" end)" else tostring end;
  def step: "- [\(if .status == "completed" then "x" else " " end)] \(.content // .step // .description)";
  def prose:
    (.prompt | strings | quoted),
    (.plan, .todos | if type == "string" then quoted else joined(arrays[] | objects | step) end),
    (.questions | arrays[] | objects | .question + "\n", joined(.options | arrays[] | option)),
    (.question | strings | . + "\n"), joined(.choices | arrays[] | option);
  def call:
    jl_about as $about | "**\(.name)**" as $name | .input
    | if type == "object" and (.command // .cmd) and [edits] == [] then
        $name + ((.description | strings | " " + jl_line(100)) // "") + "\n", ($about | fenced(""))
      elif type == "object" then
        $name + (if (.plan // .todos // .questions // .question) or . == {} or ($about | test("\n") or length > 120) then ""
          else " " + ($about | code) end) + "\n",
        edits, ([prose] | .[]),
        (select([edits, prose] == [] and ($about | test("\n") or length > 120)) | $about | fenced(""))
      else $name + "\n", (tostring | fenced(if startswith("*** Begin Patch") then "diff" else "" end)) end;
  def result: (select(.failed) | "*failed:*\n"), (.text | select(test("\\S")) | cut(fenced(""))), pictures;

  # Title, time, folder and models of a session.
  def head:
    ([.[] | select(.is == "title" and .text)] | max_by(.rank).text) as $title
    | [.[] | select(.is != "session" and .is != "title")] as $parts
    | [$parts[].timestamp | strings | .[:16] | sub("T"; " ")] as $times
    | "# \([$title, ($parts[] | select(.is == "prompt").text), "Session"] | map(select(. // "" | test("\\S")))[0] | jl_line(70))\n",
      joined([
        (select($times != []) | $times[0] + ($times[-1] | if . == $times[0] then ""
          elif .[:10] == $times[0][:10] then "–" + .[11:] else " – " + . end) + " UTC"),
        ([$parts[].cwd | strings][0] // empty | code),
        (reduce (.[].model | strings) as $model ([]; if index($model) then . else . + [$model] end) | .[])
        ] | select(. != []) | join(" · "));
  def body:
    . as $parts
    # A result belongs to the last call of its id.
    | (reduce range(length) as $i ({calls: {}, of: {}, results: {}};
        $parts[$i] as $part
        | if $part.is == "call" then .calls[$part.id // ""] = $i
          elif $part.is == "result" and .calls[$part.call // ""] then
            "\(.calls[$part.call // ""])" as $call | .of["\($i)"] = true | .results[$call] += [$part]
          else . end)) as $pairs
    | range(length) as $i | .[$i]
    | if .is == "prompt" then
        (.text | jl_line(70)) as $title
        | "## \(if $title == "" then "(image)" else $title end)\n", (jl_time | select(. != "") | "*\(sub("T"; " ") | rtrimstr("Z"))*\n"),
          (.text | select(. != $title) | . + "\n"), pictures
      elif .is == "answer" then .text + "\n"
      elif .is == "thinking" then "*thinking:*\n", (.text | cut(quoted))
      elif .is == "call" then call, ($pairs.results["\($i)"] | arrays[] | result)
      elif .is == "result" then select($pairs.of["\($i)"] | not) | result
      elif .is == "error" then "**Error**\n", (.text | cut(fenced("")))
      elif .is == "compaction" then "---\n", "*Here the conversation was compacted.*\n"
      elif .is == "summary" then .text | cut(quoted)
      else empty end;
  [said(jl_input)]
  | if all(.[]; .is == "session" or .is == "title") then "jl.jq: no conversation\n" | halt_error else . end
  | group_by(.number)[] | select(any(.[]; .is != "session" and .is != "title")) | head, body;
def markdown: markdown(20);
