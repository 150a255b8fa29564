# Questions about a conversation, for jq 1.6, 1.7, 1.8 and gojq. The logs of Claude Code, Codex, Copilot CLI, Gemini CLI,
# Qwen Code, pi, Grok Build and DeepSeek are known, what they print for CI, and logs that name a role and a content.
# jl.jq(7) has each function with its rows and an example. As ~/.jq, or in a folder ~/.jq, every jq finds them:
#
#     jlpath --through s.jsonl | jq -r timeline
#     jlpath --through s.jsonl | jq -nr 'timeline(inputs)'
#     jlpath --through s.jsonl | jq -r 'include "jl"; timeline'
#
# What begins with jl_ is for this file alone. Three things keep the four jqs equal: what this file tries is collected
# before it is passed on, because the try and the ? of jq 1.6 also catch what fails after them; expressions have no
# lookahead; and the members of an object are written in the order of their names, as gojq has them.

# --- Texts and times ---

# Writes a text on a line of standard error. The stderr of jq 1.6 knows no line breaks.
def jl_say: if builtins | index("pick/1") then "\(.)\n" | stderr else debug end | empty;

# A text as a terminal may show it: a carriage return is a line break, and controls, those of the upper half too, and
# what turns the direction of writing are escapes.
def jl_shown:
  if test("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x{9f}\\x{61c}\\x{200e}\\x{200f}\\x{2028}-\\x{202e}\\x{2066}-\\x{2069}]") then
    split("\r\n") | join("\n") | split("\r") | join("\n")
    | [explode[] as $c
        | if ($c < 32 and $c != 9 and $c != 10) or ($c > 126 and $c < 160) or $c == 1564 or $c == 8206 or $c == 8207
            or ($c > 8231 and $c < 8239) or ($c > 8293 and $c < 8298) then
            92, 117, ((4096, 256, 16, 1) as $of | ($c / $of | floor) % 16 | if . < 10 then . + 48 else . + 87 end)
          else $c end]
    | implode
  else . end;

# The first n characters of a text, on one line.
def jl_line(n):
  .[:2 * n] | jl_shown | if test("[\\t\\n\\x{a0}]|  |^ ") then gsub("[ \\t\\n\\x{a0}]+"; " ") | ltrimstr(" ") else . end
  | if length > n then .[:n - 1] + "…" else . end;

def jl_end: sub("[ \\t\\r\\n]+\\z"; "");
def jl_trim: sub("\\A[ \\t\\r\\n]+"; "") | sub("[ \\t\\r\\n]+\\z"; "");

# A value as JSON, the same in every jq.
def jl_json:
  def sorted:
    if type == "object" then . as $of | reduce (keys[]) as $key ({}; .[$key] = ($of[$key] | sorted))
    elif type == "array" then map(sorted) else . end;
  sorted | tojson;

# What f finds, or null, also where f cannot look. A condition is never empty.
def jl_try(f): [f?][0];

# A name or an id, which is a text.
def jl_name: if type == "string" or . == null then . else jl_json end;

# A time as ISO 8601: agents also write seconds or milliseconds since 1970. What is no time is null.
def jl_when:
  if type == "string" or . == null then .
  elif type == "number" then
    (if . > 100000000000 then . / 1000 else . end) as $s
    | if $s >= 0 and $s < 253402300800 then
        ($s | floor | todate) as $date | (($s - ($s | floor)) * 1000 | round) as $ms
        | if $ms > 0 and $ms < 1000 then $date[:19] + ".\($ms + 1000 | tostring | .[1:])Z" else $date end
      else null end
  else null end;

# The seconds since 1970 of such a time, null if it cannot be read.
def jl_seconds:
  if type != "string" or length < 19 then null
  else
    [try (("\(.[:10])T\(.[11:19])Z" | fromdate) as $s | .[19:]
      | if . == "Z" then $s
        else
          capture("\\A(?<part>[.][0-9]+)?(?<zone>Z|(?<sign>[-+])(?<hours>[0-9]{2}):?(?<minutes>[0-9]{2}))?\\z")
          | $s + ("0\(.part // "")" | tonumber)
            - (if .sign then ((.hours | tonumber) * 60 + (.minutes | tonumber)) * (if .sign == "-" then -60 else 60 end) else 0 end)
        end) catch null][0]
  end;

# The day of an entry or a row, in the local time zone.
def jl_day: jl_seconds | if . then floor | strflocaltime("%Y-%m-%d") else null end;
def day: .timestamp | jl_when | jl_day;

# --- Entries ---

# What says nothing, by the type of an entry; - and _ at the end of a name stand for all that begins so.
def jl_silent:
  {"agent-color": 1, "agent-name": 1, "agent-setting": 1, "agent_metadata": 1, "atis-latch": 1, "attribution-snapshot": 1,
   "auth_status": 1, "bridge-session": 1, "content-replacement": 1, "continued-in": 1, "control_request": 1,
   "control_response": 1, "cost-state": 1, "ended-by-model": 1, "file-history-delta": 1, "file-history-snapshot": 1,
   "fork-context-ref": 1, "frame-link": 1, "keep_alive": 1, "last-prompt": 1, "mode": 1, "permission-mode": 1, "pr-link": 1,
   "progress": 1, "prompt_suggestion": 1, "rate_limit_event": 1, "relocated": 1, "speculation-accept": 1, "stream_event": 1,
   "tag": 1, "task-summary": 1, "tool_progress": 1, "tool_use_summary": 1, "tools-used": 1, "worktree-state": 1,
   "agent_start": 1, "agent_end": 1, "turn_start": 1, "turn_end": 1, "turn_ended": 1, "message_start": 1, "message_update": 1,
   "tool_execution_start": 1, "tool_execution_update": 1, "tool_execution_end": 1, "thinking_level_change": 1, "label": 1,
   "leaf": 1, "active_tools_change": 1, "custom": 1, "turn.started": 1, "thread.started": 1, "item.started": 1,
   "item.updated": 1, "step_start": 1, "session_info_changed": 1, "queue_update": 1, "backend_tool_call": 1};

# The entry as Claude Code would log it, the one form that all functions below read. An entry may hold several of those, or
# none. Settings that others log once become entries of the type session; a capture's own total, of the type total; and what
# no branch reads, of the type unread.
def jl_entry:
  def entry($type): {type: $type, timestamp: (.timestamp | jl_when), uuid: (.uuid // .id)};
  def message($role; content): entry($role) + {message: {id: .id, role: $role, content: [content]}};
  def failure(text): message("assistant"; {type: "text", text: (text | if type == "string" then . else jl_json end)}) + {isApiErrorMessage: true};
  def boundary: entry("system") + {subtype: "compact_boundary"};
  def unread: entry("unread") + {name: (.type // .kind // .role // "unknown" | jl_name)};
  def silent: empty;
  def call($id; $name; $input):
    {type: "tool_use", id: $id, name: $name, input: (($input | strings | fromjson? | objects) // $input // {})};
  def result($id; $failed; content): {type: "tool_result", tool_use_id: $id, is_error: $failed, content: content};
  def image($type; $data): {type: "image", source: {type: "base64", media_type: ($type // "image/png"), data: $data}};
  def linked: # an image at an address
    if type == "string" and startswith("data:") then image(.[5:] | split(";")[0]; split(",")[1])
    else {type: "image", source: {type: "url", url: .}} end;

  # The blocks of a content, in the forms that all agents have: texts, thinking, images, calls and their results.
  def blocks:
    def first_of(names): [names | select(. != null)][0];
    if type == "string" then {type: "text", text: .} elif type == "array" then .[] | blocks elif type != "object" then empty
    else
      ({text: 1, input_text: 1, output_text: 1, tool_use: 2, toolUse: 2, "tool-call": 2, toolCall: 2, toolRequest: 2, tool_call: 2,
        function_call: 2, tool_result: 3, toolResult: 3, "tool-result": 3, toolResponse: 3, tool_response: 3, function_result: 3,
        image: 4, input_image: 4, image_url: 4, thinking: 5, think: 5, reasoning: 5}[.type // .kind // "" | jl_name]) as $form
      | (if .data | type == "object" then .data else . end) as $in
      | if .functionCall then .functionCall | call(.id; .name; .args)
        elif .functionResponse then
          .functionResponse | result(.id; jl_try(.response.error) != null; .response | jl_try(.error // .output) // jl_json)
        elif .inlineData or .fileData then image(.inlineData.mimeType; .inlineData.data)
        elif $form == 5 or .thought == true then {type: "thinking", thinking: first_of(.thinking, .think, .reasoning, .text, .data)}
        elif $form == 4 then
          if .source then . elif .image_url then .image_url | (jl_try(.url) // .) | linked else image(.mimeType // .media_type; .data) end
        elif $form == 3 then
          first_of($in.tool_use_id, $in.toolUseId, $in.toolCallId, $in.tool_call_id, $in.call_id, $in.callId, $in.id, .id) as $id
          | first_of($in.toolResult, $in) as $of
          | result($id; $of.is_error == true or $of.isError == true or ($of.status | . == "error" or . == "failed");
              first_of($of.content, $of.output, $of.result, $of.value, $of.error)
              | if type == "array" then [blocks] elif type == "object" then jl_json else . end)
        elif $form == 2 then
          first_of(jl_try($in.toolCall.value), $in.function, $in) as $of
          | call(first_of($in.id, $in.toolUseId, $in.toolCallId, $in.call_id, $in.callID, .id);
              first_of($of.name, $of.toolName, $of.tool, "tool");
              first_of($of.input, $of.args, $of.arguments, $of.parameters, $of.rawInput))
        else first_of(.text, (.data | strings), .content) | if type == "string" then {type: "text", text: .} elif $form == 1 then empty else blocks end end
    end;

  # The input of other agents includes what the cache read and wrote.
  def tokens($input; $output; $read; $write):
    [$input, $output, $read, $write | numbers // 0] as [$input, $output, $read, $write]
    | {input_tokens: ([$input - $read - $write, 0] | max), output_tokens: $output,
       cache_read_input_tokens: $read, cache_creation_input_tokens: $write};
  # A capture's total: a running one counts once, with its last figures.
  def total($session; $model; usage): entry("total") + {sessionId: $session, message: {model: $model, usage: usage}};

  # Codex says prompts and answers twice: those of event_msg are the prompts, without what Codex
  # puts in, and those of response_item the answers. Newer releases log prompts as items. Its counts of tokens are known by
  # their total, which only grows.
  def codex:
    def json: (strings | fromjson? | objects) // .;
    def headed: test("\\A(Chunk ID|Wall time|Exit code|Command): ");
    def output:
      if type == "array" then [blocks]
      elif type == "object" then .output // .content // jl_json
      elif type != "string" then ""
      elif headed and contains("\nOutput:\n") then split("\nOutput:\n")[1:] | join("\nOutput:\n")
      else . end;
    def failed:
      if type == "object" then .success == false or (.exit_code // jl_try(.metadata.exit_code) // 0) != 0
      elif type != "string" then false
      else headed and (split("\nOutput:\n")[0] | [capture("xit(ed with)? code:? (?<code>[^\\n]*)").code][0] // "0" | . != "0") end;
    .payload as $p | ($p.type | strings // "") as $kind
    | if .type == "session_meta" then
        ($p | .parent_thread_id // jl_try(.source.subagent.thread_spawn.parent_thread_id)) as $parent
        | entry("session") + {id: $p.id, sessionId: ($parent // $p.id), copies: ($p.forked_from_id // $parent), cwd: $p.cwd}
      elif .type == "turn_context" then entry("session") + ($p | {cwd, model})
      elif .type == "compacted" then boundary
      elif .type == "event_msg" then
        if $kind == "user_message" or jl_try($p.item.type) == "UserMessage" then
          jl_try($p.item.content) as $content
          | message("user"; (($p.message, $content) | if type == "array" then map(select(jl_try(.image_url // .path) | not)) else . end | blocks),
              (($p.images | arrays[]), ($content | arrays[] | .image_url? // empty) | linked),
              (($p.local_images | arrays[]), ($content | arrays[] | .path? // empty) | {type: "image", source: {type: "file", path: .}}))
        elif $kind == "token_count" then
          entry("assistant") + {counted: true} + ($p.info | objects | .last_token_usage as $last | select($last)
            | {message: {id: ((.total_token_usage // .) | tojson),
                usage: ($last | tokens(.input_tokens; .output_tokens; .cached_input_tokens; 0))}})
        elif $kind == "error" or $kind == "stream_error" then failure($p.message // "")
        elif $kind == "turn_aborted" then failure("turn aborted: \($p.reason)")
        elif $kind == "patch_apply_end" then entry("changes") + {call: $p.call_id, changes: ($p | select(.success != false).changes)}
        elif {agent_message: 1, agent_reasoning: 1, agent_reasoning_raw_content: 1, agent_reasoning_section_break: 1, background_event: 1,
              context_compacted: 1, deprecation_notice: 1, sub_agent_activity: 1, plan_update: 1, session_configured: 1, turn_diff: 1,
              thread_rolled_back: 1, thread_name_updated: 1, thread_settings_applied: 1, thread_goal_updated: 1, undo_completed: 1, item_completed: 1,
              entered_review_mode: 1, exited_review_mode: 1, model_reroute: 1, view_image_tool_call: 1, raw_response_item: 1,
              skills_update_available: 1}[$kind] // ($kind | test("_(begin|end|delta|started|complete|updated|request|response)\\z")) then silent
        else unread end
      elif .type != "response_item" then silent
      elif $kind == "reasoning" then message("assistant"; {type: "thinking", thinking: ([$p.summary | arrays[].text? | strings] | join("\n"))})
      elif $kind == "message" then select($p.role == "assistant") | message("assistant"; $p.content | blocks)
      elif $kind == "agent_message" then # an agent's task is what the agent above it wrote
        select($p | (.recipient // "") | startswith(($p.author // "") + "/")) | message("user"; $p.content | blocks)
      elif $kind | endswith("_call") then
        message("assistant"; $p | call(.call_id // .id; .name // ($kind | rtrimstr("_call")); .arguments // .input // .action))
      elif $kind | endswith("_output") or endswith("_result") then
        ($p.output // $p.result | json) as $output | message("user"; result($p.call_id; ($output | failed) // false; $output | output))
      elif $kind | . == "ghost_snapshot" or . == "compaction" or . == "context_compaction" or . == "compaction_trigger" then silent
      else unread end;

  # Copilot CLI logs the output tokens of each message, and at the end of a run all of its tokens. Newer
  # releases log the tokens of each request, and at the end those of all runs.
  def copilot:
    .data as $d
    | if .type == "session.start" or .type == "session.resume" then
        entry("session") + {cwd: jl_try($d.context.cwd), model: $d.selectedModel}
        + if $d.sessionId then {id: $d.sessionId, sessionId: $d.sessionId} else {} end
      elif .type == "session.model_change" then entry("session") + {model: $d.newModel}
      elif .type == "session.compaction_complete" then select($d.success) | boundary
      elif .type == "user.message" then
        select($d.source // "" | jl_name | test("^(skill|system|instruction)") | not)
        | message("user"; ($d.content | blocks),
            ($d.attachments | arrays[] | select(jl_try(.mimeType) // "" | startswith("image/")) | image(.mimeType; .data)))
      elif .type == "assistant.message" then
        message("assistant"; ($d.reasoningText | strings | select(. != "") | {type: "thinking", thinking: .}), ($d.content | blocks),
          ($d.toolRequests | arrays[] | call(.toolCallId; .name; .arguments)))
        | .message += {id: ($d.apiCallId // $d.messageId // .uuid), model: $d.model}
        | if $d.outputTokens then .message.usage = {output_tokens: $d.outputTokens} else . end
      elif .type == "tool.execution_complete" then
        message("user"; result($d.toolCallId; $d.success == false or (jl_try($d.shellExecution.exitCode) // 0) != 0;
          $d | jl_try(.error.message) // jl_try(.result.content) // ""))
        + {toolUseResult: {diff: [jl_try($d.result.detailedContent) | strings | select(test("(^|\\n)@@ -"))][0]}}
      elif .type == "session.error" then failure($d.message // "")
      elif .type == "abort" then failure("turn aborted: \($d.reason)")
      elif .type == "session.usage_record" then
        $d.usage as $u | entry("assistant") + {message: {id: ($u.apiCallId // .id), model: $u.model,
          usage: ($u | tokens(.inputTokens; .outputTokens; .cacheReadTokens; .cacheWriteTokens))}}
      elif .type == "session.shutdown" and $d.accountingSnapshot == null then
        entry("assistant") + {run: true} + ($d.modelMetrics // {} | to_entries[] | {message: {id: null, model: .key,
          usage: (.value.usage | tokens(.inputTokens; .outputTokens; .cacheReadTokens; .cacheWriteTokens))}})
        | .message.id = "\(.uuid) \(.message.model)"
      elif .type | test("^(abort|assistant|hook|permission|session|subagent|system|tool)[.]|^(user_input|elicitation|pending|exit_plan_mode|command|skill|model|capabilities|mcp|external_tool|sampling)[._]") then silent
      else unread end
      + if .agentId then {isSidechain: true} else {} end;

  # Gemini CLI keeps calls and their results in a message. A $set of messages replaces the list; what it says of a call, it
  # may say as a part, too. A message of the user may repeat a result: it counts only if a $set has no call with this result.
  def gemini($told):
    def summary: [.message.content[].text? | strings | select(startswith("<state_snapshot>"))] != [];
    def untold: if type == "array" then map(select(jl_try(.functionResponse) | . == null or (.id as $id | $told and ($told | index([$id]) == null)))) else . end;
    if ."$set" then
      ."$set" | objects
      | [.messages | arrays[].toolCalls? | arrays[].id] as $ids
      | (.messages | arrays | reduce (.[] | objects) as $m ([{}, []];
            if $m.id and .[0][$m.id] then . else [(.[0] | if $m.id then .[$m.id] = true else . end), .[1] + [$m]] end) | .[1][] | gemini($ids)),
        (.summary | strings | {type: "custom-title", customTitle: .})
    elif ."$rewindTo" then silent
    elif .startTime then entry("session") + {id: .sessionId, sessionId, cwd: jl_try(.directories[0]), timestamp: .startTime}
    elif .type == "user" then message("user"; .content | untold | blocks) | if summary then boundary, (.isCompactSummary = true) else . end
    elif .type == "gemini" then
      .tokens as $tokens | .model as $model | [.toolCalls | arrays[]] as $calls | [$calls[].id] as $ids
      | [.thoughts | arrays[] | objects | [.subject, .description | strings] | join("\n") | {type: "thinking", thinking: .}] as $thoughts
      | (message("assistant"; $thoughts[],
            (.content | if type == "array" then map(select(jl_try(.functionCall) | . == null or (.id as $id | $ids | index($id) == null))) else . end | blocks),
            ($calls[] | call(.id; .name; .args))) | .message.model = $model
         | if $tokens then .message.usage = ($tokens | tokens(.input; (.output // 0) + (.thoughts // 0); .cached; 0)) else . end),
        ($calls[] as $call | . as $entry | ($call.status | . == "error" or . == "cancelled") as $failed
          | [$call.result | blocks | result($call.id; $failed or .is_error == true; .content // .text // "")]
          | if . == [] and $failed then [result($call.id; true; $call.status)] else . end | select(. != []) | . as $results
          | $entry | message("user"; $results[]) + {toolUseResult: {diff: [jl_try($call.resultDisplay.fileDiff) | strings][0]}})
    elif .type == "error" then failure([.content | blocks.text] | join("\n"))
    elif .type == "info" or .type == "warning" then silent
    else unread end;

  # Qwen Code has the entries of Claude Code and the messages of Gemini CLI. Its records of requests count those for a
  # compaction and beside the conversation, too.
  def qwen:
    . as $entry | .usageMetadata as $usage
    | if .subtype == "chat_compression" then .subtype = "compact_boundary"
      elif .subtype == "custom_title" then {type: "custom-title", customTitle: jl_try(.systemPayload | .customTitle // .title)}
      elif .subtype == "ui_telemetry" then
        jl_try(.systemPayload.uiEvent) | objects | select(."event.name" | strings | endswith("api_response")) as $event
        | $entry | entry("total") + {sessionId, cwd, request: true, message: {id: .uuid, model: ($event.model // .model),
            usage: ($event | tokens(.input_token_count; (.output_token_count // 0) + (.thoughts_token_count // 0); .cached_content_token_count; 0))}}
      elif .type == "system" then silent
      else
        (.type == "tool_result" and (.isError == true or jl_try(.toolCallResult.status) == "error")) as $failed
        | .type |= if . == "tool_result" then "user" else . end
        | .toolUseResult = {diff: [jl_try(.toolCallResult.resultDisplay.fileDiff) | strings][0]}
        | .message = {id: .uuid, model, role: .type,
            content: [.message.parts | blocks | if $failed and .type == "tool_result" then .is_error = true else . end]}
        | if $usage then
            .message.usage = ($usage | ((.candidatesTokenCount // 0) + (.thoughtsTokenCount // 0)) as $output
              # Some models count the thoughts among the candidates.
              | tokens(.promptTokenCount;
                  if (.totalTokenCount // infinite) < (.promptTokenCount // 0) + $output then .candidatesTokenCount else $output end;
                  .cachedContentTokenCount; 0))
          else . end
      end;

  # In what pi prints, message_end has the whole of a message.
  def pi:
    if .type == "session" or .type == "session_start" then entry("session") + {id, sessionId: .id, cwd}
    elif .type == "model_change" then entry("session") + {model: .modelId}
    elif .type == "session_info" then {type: "custom-title", customTitle: .name}
    elif .type == "compaction" then boundary, (message("user"; .summary | blocks) | .isCompactSummary = true)
    elif .type == "branch_summary" then message("user"; .summary | blocks) | .isCompactSummary = true
    elif .type == "custom_message" then select(.display == true) | entry("row") + {row: {is: "member", name: (.customType | jl_name), text: ([.content | blocks.text | strings] | join("\n"))}}
    elif .type == "message" or .type == "message_end" then
      .message as $m | .timestamp = (.timestamp // $m.timestamp)
      | if $m.role == "toolResult" then
          message("user"; $m | result(.toolCallId; .isError; [.content | blocks])) + {toolUseResult: {diff: [jl_try($m.details.patch) | strings][0]}}
        elif $m.role == "bashExecution" then
          entry("row") + {row: ($m | {is: "shell", command: (.command | jl_name), text: (.output | jl_name // ""), failed: (.cancelled == true or (.exitCode // 0) != 0)})}
        elif $m.role == "user" or $m.role == "assistant" then
          message($m.role; $m.content | blocks)
          | .message += {id: "\(.uuid) \(.timestamp)", model: $m.model} # a fork keeps both
          | if $m.usage then .message.usage = ($m.usage | {input_tokens: .input, output_tokens: .output,
              cache_read_input_tokens: .cacheRead, cache_creation_input_tokens: .cacheWrite}) else . end
        elif $m.role | . == "custom" or . == "system" or . == "branchSummary" or . == "compactionSummary" then silent
        else unread end,
        (select($m.stopReason == "error") | failure($m.errorMessage // ""))
    elif jl_silent[.type] then silent
    else unread end;

  def deepseek:
    def when: .timestamp = (.time // .time0 | jl_when);
    .data as $d | when
    | if .type == "session" then entry("session") + {id, sessionId: ((select(.origin == "subagent") | .parentSession) // .id), cwd}
      elif .type == "session/title" then {type: "custom-title", customTitle: $d.title}
      elif .type == "user/message" then
        if jl_try($d.source.plugin) == "compact" then boundary
        else message("user"; $d.content | blocks) | .isMeta = (jl_try($d.source.kind) // "user" | . != "user") end
      elif .type == "assistant/message" then
        message("assistant"; $d.message.content | blocks)
        | .message += {id: ($d.message.id // .timestamp), model: jl_try($d.message.source.model)}
        | if $d.usage then .message.usage = ($d.usage | tokens(.inputTokens; .outputTokens; .cacheReadTokens; .cacheWriteTokens)) else . end
      elif .type == "tool/result" then message("user"; $d.message.content | blocks)
      elif .type | test("^(agent|approval|request|session|step|subagent|tool|turn)/|chunk") then silent
      else unread end;

  def grok:
    (.params // .) as $p | ($p.update // {}) as $u | $u.sessionUpdate as $is
    | if $is == "user_message_chunk" then message("user"; $u.content | blocks)
      elif $is == "agent_message_chunk" then message("assistant"; $u.content | blocks)
      elif $is == "agent_thought_chunk" then message("assistant"; {type: "thinking", thinking: jl_try($u.content.text)})
      elif $is == "tool_call" then message("assistant"; $u | call(.toolCallId; .title // .kind; .rawInput))
      elif $is == "tool_call_update" then
        select($u.status | . == "completed" or . == "failed")
        | message("user"; $u | result(.toolCallId; .status == "failed"; [.content | arrays[] | jl_try(.content) // . | blocks]))
      elif $is == "compaction_checkpoint" then boundary
      elif $is | . == "plan" or . == "available_commands_update" or . == "current_mode_update" or . == "rewind_marker" or . == null then silent
      else unread + {name: ($is | jl_name)} end
    | .sessionId = $p.sessionId;

  # What codex exec --json prints. Its usage is that of the whole thread so far.
  def codex_exec:
    .item as $i
    | if .type == "thread.started" then entry("session") + {id: .thread_id, sessionId: .thread_id}
      elif .type == "turn.completed" then .usage as $u | total(null; null; $u | tokens(.input_tokens; .output_tokens; .cached_input_tokens; 0))
      elif .type == "turn.failed" or .type == "error" then failure((.error | objects.message) // .message // "")
      elif .type != "item.completed" then silent
      elif $i.type == "agent_message" then message("assistant"; $i.text | blocks)
      elif $i.type == "reasoning" then message("assistant"; {type: "thinking", thinking: $i.text})
      elif $i.type == "user_message" then message("user"; ($i.text // $i.content) | blocks)
      elif $i.type == "error" then failure($i.message // "")
      elif $i.type then
        (.timestamp | jl_when) as $time
        | ($i | if .type == "command_execution" then call(.id; "shell"; {command: .command})
           elif .type == "file_change" then call(.id; "apply_patch"; {changes: .changes})
           elif .type == "todo_list" then call(.id; "update_plan"; {plan: [.items | arrays[] | {step: .text, status: (if .completed then "completed" else "pending" end)}]})
           else call(.id; .tool // .type; .arguments // del(.id, .type, .status, .result, .error)) end) as $call
        | message("assistant"; $call),
          message("user"; $i | result(.id; .status == "failed" or (.exit_code // 0) != 0;
            .aggregated_output // jl_try(.error.message) // (jl_try(.result.content) | if . then [blocks] else null end) // ""))
      else unread end;

  # What opencode run --format json prints.
  def opencode:
    .part as $p | .sessionID as $session
    | if .type == "text" then message("assistant"; $p.text | blocks)
      elif .type == "reasoning" then message("assistant"; {type: "thinking", thinking: $p.text})
      elif .type == "tool_use" then
        message("assistant"; $p | call(.callID; .tool; .state.input)),
        ($p.state | select(.status | . == "completed" or . == "error")
          | {type: "user", timestamp: null, message: {role: "user", content: [result($p.callID; .status == "error"; .error // .output // "")]}})
      elif .type == "step_finish" then
        entry("assistant") + {message: {id: $p.id, usage: ($p.tokens // {} | {input_tokens: .input, output_tokens: ((.output // 0) + (.reasoning // 0)),
          cache_read_input_tokens: jl_try(.cache.read), cache_creation_input_tokens: jl_try(.cache.write)})}}
      elif .type == "error" then failure(.error | jl_try(.data.message) // jl_try(.message // .name) // jl_json)
      elif .type == "step_start" then silent
      else unread end
    | .sessionId = $session;

  # What gemini and cursor-agent print with --output-format stream-json, where it is not as Claude Code has it. An answer comes
  # in pieces.
  def stream:
    (.session_id // .sessionId) as $session
    | if .type == "init" then entry("session") + {id: $session, sessionId: $session, model}
      elif .type == "message" then message(.role; .content | blocks) | .delta = true
      elif .type == "tool_use" then message("assistant"; call(.tool_id; .tool_name; .parameters))
      elif .type == "tool_result" then message("user"; result(.tool_id; .status == "error"; .output // jl_try(.error.message) // ""))
      elif .type == "tool_call" then
        (.tool_call | objects | to_entries[0]) as $c | (jl_try($c.value.args) // $c.value) as $args
        | ($c.key | sub("ToolCall\\z"; "")) as $name
        | if .subtype == "started" then message("assistant"; call(.call_id; $name; $args))
          else jl_try($c.value.result) as $r
            | message("user"; result(.call_id; ($r | type == "object" and (has("success") | not)) ;
                $r | if type == "object" then .success // .error // .failure // .rejected // . else . end
                | if type == "object" then .content // .stdout // .message // .errorMessage // jl_json else . end
                | if type == "string" then . else jl_json end)) end
      elif .type == "thinking" then select(.text | strings | . != "") | message("assistant"; {type: "thinking", thinking: .text}) | .delta = true
      else unread end
    | .sessionId = $session;

  # The last line of a capture, or all of it: its own total, what failed, and the answer again.
  def end_of_capture:
    (.session_id // .sessionId) as $session | . as $capture
    | (select(.is_error == true or .status == "error" or (.subtype // "" | jl_name | startswith("error")))
        | failure([.result, jl_try(.error.message), .error, (.errors | arrays | map(jl_name) | join("\n")), .subtype | strings | select(. != "")][0] // "")),
      (select(.result | strings | . != "") | select(.is_error != true) | message("assistant"; .result | blocks) | .again = true),
      (if .modelUsage | type == "object" and . != {} then
         .modelUsage | to_entries[] as $model
         | $capture | total($session; $model.key; $model.value | {input_tokens: .inputTokens, output_tokens: .outputTokens,
             cache_read_input_tokens: .cacheReadInputTokens, cache_creation_input_tokens: .cacheCreationInputTokens,
             cache_creation: {ephemeral_1h_input_tokens: .cacheCreationEphemeral1hInputTokens}})
       elif jl_try(.stats.models) | type == "object" then
         .stats.models | to_entries[] as $model
         | $capture | total($session; $model.key; $model.value | (jl_try(.tokens) // .) | tokens(.input_tokens // .prompt // .input; (.output_tokens // .candidates // 0) + (.thoughts // 0); .cached; 0))
       elif jl_try(.stats.input_tokens) then .stats as $s | total($session; null; $s | tokens(.input_tokens; .output_tokens; .cached; 0))
       elif jl_try(.usage.inputTokens) then total($session; null; $capture.usage | {input_tokens: .inputTokens, output_tokens: .outputTokens,
         cache_read_input_tokens: .cacheReadTokens, cache_creation_input_tokens: .cacheWriteTokens})
       elif jl_try(.usage.input_tokens) then total($session; null; $capture.usage)
       else empty end)
    | .sessionId = $session;

  # Whatever has a role and a content: messages, calls and results as the interfaces of models have them, and the entries of
  # Kiro, Cursor, Goose, Kimi and others, where one object is in another.
  def plain:
    . as $entry
    | [., (.message, .payload, .data, .item, .event, .msg, .record, .params | objects | ., (.message, .payload, .data, .part | objects))] as $in
    | [($in[] | select([.content, .text, .think, .parts, .output, .user_input, .tool_calls, .result, .return_value, .arguments, .args, .input,
        .action, .function, .summary, .thinking, .message_id] | any(. != null))), ($in[] | select(.usage | type == "object"))][0] as $m
    | (if .step_index != null and .source == "MODEL" and .type != "PLANNER_RESPONSE" then "toolresult" else null end) as $step
    | ([$step, ($in[] | .role, .type, .kind, .sender, .author, .source) | strings | ascii_downcase | gsub("[^a-z]"; "")
        | {user: "user", human: "user", prompt: "user", usermessage: "user", userinput: "user", userprompt: "user", userexplicit: "user", turnbegin: "user", usermsg: "user",
           assistant: "assistant", model: "assistant", ai: "assistant", agent: "assistant", bot: "assistant", assistantmessage: "assistant",
           agentmessage: "assistant", assistantmsg: "assistant", assistanttext: "assistant", contentpart: "assistant", plannerresponse: "assistant", llm: "assistant",
           tool: "result", toolresult: "result", toolresults: "result", toolresponse: "result", toolmessage: "result", functioncalloutput: "result",
           functioncallresult: "result", functionresult: "result", toolcallresult: "result", toolcalloutput: "result", customtoolcalloutput: "result",
           localshellcalloutput: "result", function: "result", toolcall: "call", functioncall: "call", customtoolcall: "call", localshellcall: "call", tooluse: "call",
           think: "thinking", thinking: "thinking", reasoning: "thinking",
           usagerecord: "usage", turnprompt: "none", metadata: "none", configupdate: "none", toolssetactivetools: "none", permissionsetmode: "none",
           stepbegin: "none", stepend: "none", system: "none", systemmessage: "none", conversationhistory: "none", developer: "none", meta: "none", checkpoint: "none", usage: "none", systemprompt: "none"}[.] // empty][0]) as $role
    | .timestamp = ([$in[] | .timestamp, .created_at, .createdAt, .created, .time, .ts, jl_try(.meta.timestamp) | select(type == "string" or type == "number")][0] | jl_when)
    | (.session_id // .sessionId // .sessionID // .conversation_id // .conversationId) as $session
    | if $role == "none" then silent
      elif $role == null or $m == null then unread
      else
        ($m | .call_id // .tool_call_id // .callId // .toolCallId // .tool_use_id // .toolUseId // .id) as $call
        | ([$m | .content, .text, .parts, .user_input, .output, .result, .summary, (select(.think).think | {type: "think", think: .}) | select(. != null)][0]) as $content
        | if $role == "usage" then entry("assistant") + {message: {content: []}}
          elif $role == "call" then
            ($m.function // $m) as $f
            | message("assistant"; call($call; $f.name // $m.toolName // $m.tool // ($entry.type | jl_name | rtrimstr("_call"));
                $f.arguments // $f.input // $f.parameters // $f.args // $m.action // {}))
          elif $role == "thinking" then message("assistant"; {type: "thinking", thinking: ($content | if type == "string" then . else [blocks | .text // .thinking] | join("\n") end)})
          else
            [$content | blocks] as $blocks
            | if $role == "result" and all($blocks[]; .type != "tool_result") then
                ($m.return_value // $m) as $r
                | message("user"; result($call; $r.is_error == true or $r.isError == true;
                    $r | .content // .output // .result // .value // .message | if type == "array" then [blocks] elif type == "object" then jl_json else . end))
              else
                message(if $role == "result" then "user" else $role end; $blocks[],
                  ($m.reasoning_content, $m.thinking | strings | select(. != "") | {type: "thinking", thinking: .}),
                  ($m.tool_calls | arrays[] | call(.id; .name // jl_try(.function.name); .arguments // jl_try(.function.arguments) // .args)))
              end
          end
        | .message.model = ($m.model // $m.model_id // $entry.model // null | if type == "string" then . else null end)
        | ($m.usage // $entry.usage) as $usage
        | if ($usage | type == "object") and .type == "assistant" then .message.usage = ($usage
            | if .inputOther then {input_tokens: .inputOther, output_tokens: .output, cache_read_input_tokens: .inputCacheRead, cache_creation_input_tokens: .inputCacheCreation}
              elif .prompt_tokens then tokens(.prompt_tokens; .completion_tokens; jl_try(.prompt_tokens_details.cached_tokens); 0) else . end) else . end
        | if $session then .sessionId = $session else . end
        | if $m.isMeta == true or $entry.isMeta == true then .isMeta = true else . end
      end;

  (.type | strings // "") as $type
  | if type != "object" then {type: "unread", name: "a \(type)"}
    elif .offset != null and .length != null then unread + {name: "an edge of jltree"}
    elif jl_try(.message.parts) or .systemPayload then qwen
    elif .type == "result" and (.subtype or .status or .session_id or .stats) then end_of_capture
    elif .uuid != null and (.payload | type != "object") then .
    elif .payload | type == "object" then
      if {session_meta: 1, turn_context: 1, response_item: 1, event_msg: 1, compacted: 1, world_state: 1, inter_agent_communication_metadata: 1}[$type] then codex else plain end
    elif ."$set" or ."$rewindTo" or .startTime
      or (.id and .content and (.type | . == "user" or . == "gemini" or . == "error" or . == "info" or . == "warning")) then gemini(null)
    elif jl_try(.params.update) or jl_try(.update.sessionUpdate) then grok
    elif $type | test("^(thread|turn|item)[.]") then codex_exec
    elif .sessionID and (.part or .error) then opencode
    elif .type == "error" and .message and (.id | not) then codex_exec
    elif .type == "init" or (.type == "message" and .role and (.content | type == "string") and .timestamp and (.id | not))
      or ((.type == "tool_use" or .type == "tool_result") and .tool_id) or .type == "tool_call" and .tool_call or (.type == "thinking" and .subtype) then stream
    elif (.data | type == "object") and ($type | test("[.]|^abort$")) then copilot
    elif (.seq or .seq0 or .createdAt) and ($type | test("/|-chunks$|^session$")) then deepseek
    elif (.type == "message" and .role) or ($type | test("^(function|custom_tool|local_shell|tool)_(call|result)(_output|_result)?$")) then plain
    elif $type | . == "session" or . == "message" or . == "session_start" or . == "message_end" then pi
    elif (.message | type == "object") and (.type | . == "user" or . == "assistant" or . == "system") then .
    elif .role or (.content and (.type | . == "user" or . == "assistant" or . == "tool_result")) then plain
    elif $type == "custom" or jl_silent[$type] then silent
    elif (has("instructions") and .id) and .type == null or .record_type then silent # the first lines of an old log of Codex
    elif .type == null and .timestamp and has("instructions") then entry("session") + {id, sessionId: .id} # Codex of 2025
    elif .id and .timestamp and {model_change: 1, session_info: 1, compaction: 1, branch_summary: 1, custom_message: 1}[$type] then pi
    elif $type != "" and (.sessionId or .session_id or .leafUuid or .messageId or .hash) then .
    else plain end;

# --- What an entry says ---

# What an entry is called in a message.
def jl_kind: if type == "object" then .type // .kind // .role // "unknown" | jl_name else "a \(type)" end;

# The rows of an entry, or of each entry of an array. One that cannot be read costs itself. (What only this function needs is
# in it: jq 1.6 takes longer to start the more functions are called by each other at the top.)
def jl_read($full):
  # The tags that clients are known to put into the text of a prompt; * stands for any end of a name. The same list is in
  # internal/shape/prompt.go, and a test keeps the two equal. What is between those of inserted was not typed; unwrapped are
  # around what was typed. Other tags are words.
  def tags: {
    "inserted": [
      "additional_data", "ADDITIONAL_METADATA", "agent_skills", "always_applied_workspace_rules", "app-context",
      "apps_instructions", "attached_files", "background-task-*", "bash-*", "channel-message",
      "collaboration_mode", "command-*", "cross-session-message", "current_date", "current_datetime",
      "editor_context", "environment_context", "environment_details", "extra_context", "file_attachments",
      "fork-boilerplate", "git_status", "goal", "hook_context", "ide_*", "info-msg", "local-command-*",
      "manually_attached_skills", "new-diagnostics", "open_and_recently_viewed_files",
      "permissions instructions", "persisted-output", "plugins_instructions", "post-tool-use-hook",
      "pre-tool-use-hook", "project_layout", "session-start-hook", "session_context", "skills_instructions",
      "state_snapshot", "subagent_notification", "system-reminder", "system_info", "system_instruction",
      "system_reminder", "task-notification", "teammate-message", "tick", "turn_aborted", "untrusted_context",
      "uploaded_files", "user-prompt-submit-hook", "user_info", "user_instructions", "USER_SETTINGS_CHANGE",
      "user_shell_command", "workspace_info", "workspace_roots"
    ],
    "unwrapped": ["pasted_content", "user-memory-input", "user_query", "USER_REQUEST"]
  };

  # A text in which each element of a known name is what f makes of {name, attributes, text}. An element ends at the first
  # end tag of its name; a tag without it is text.
  def elements(f):
    if contains("</") | not then .
    else
      def named: . as $tag | [tags.inserted[] | select(. as $name | if endswith("*") then .[:-1] as $begin | $tag | startswith($begin) else $tag == $name end)][0];
      def tag: capture("\\A/?(?<name>permissions instructions|[A-Za-z][A-Za-z0-9_-]*)(?<attributes>[ \\t\\r\\n][^>]*)?>") // null;
      split("<") as $pieces
      # The last end tag of each name.
      | (reduce range(1; $pieces | length) as $i ({}; if $pieces[$i] | startswith("/") then
          ([$pieces[$i] | tag][0].name) as $name | if $name then .[$name] = $i else . end else . end)
        | with_entries(.key as $name | select((tags.unwrapped | index($name)) or ($name | named)))) as $ends
      | if $ends == {} then .
        else
          [$pieces[0],
            foreach (range(1; $pieces | length), null) as $i ({open: {}};
              .out = null
              | if $i == null then .
                else
                  $pieces[$i] as $piece | ($piece | startswith("/")) as $closes
                  | (if $piece | test("\\A/?[A-Za-z]") then [$piece | tag][0] else null end) as $tag
                  | (if $tag == null then null else $piece | split(">")[1:] | join(">") end) as $after
                  | if .element then
                      if $closes and $tag.name == .element.name then .out = (.element | .text = (.text | join("")) | [f] | join("")) + $after | .element = null
                      else .element.text += ["<" + $piece] end
                    elif $tag == null or $ends[$tag.name] == null then .out = "<" + $piece
                    elif tags.unwrapped | index($tag.name) then
                      if $closes then if .open[$tag.name] then .open[$tag.name] = null | .out = $after else .out = "<" + $piece end
                      elif $ends[$tag.name] > $i then .open[$tag.name] = true | .out = $after
                      else .out = "<" + $piece end
                    elif $closes or $ends[$tag.name] < $i then .out = "<" + $piece
                    else .element = {name: $tag.name, attributes: ($tag.attributes // ""), text: [$after]} end
                end;
              .out // empty)]
          | join("")
        end
    end;

  # What is in the first element of that name in a text, "" if there is none.
  def tagged($name):
    if contains("<\($name)>") then split("<\($name)>")[1] | if contains("</\($name)>") then split("</\($name)>")[0] | jl_trim else "" end
    else "" end;

  # What a person typed in a text. For a command, this is its name and its arguments; a command for the
  # client, which has its name first, is nothing without arguments.
  def typed:
    . as $text | elements(empty)
    | if . == $text then . else jl_trim end
    | if ($text | contains("</command-name>")) and . != $text then
        . as $rest | ($text | tagged("command-name")) as $name | ($text | tagged("command-args")) as $args
        | [if $args != "" then "\($name) \($args)"
           elif $text | split("<command-name>")[0] | contains("<command-message>") then $name else empty end, $rest | select(. != "")]
        | join("\n")
      else . end
    | if startswith("[Request interrupted by user") then "" else . end;

  # The blocks of a message. A content that is a string is one text block.
  def blocks:
    .message | objects | .content | if type == "string" then {type: "text", text: .} else arrays[] | objects end;

  # The rows of an entry; jl.jq(7) has their members. Those without is are for said(entries) alone: {queued: TEXT} is a prompt that
  # is put into the queue. With $full, rows have the id of the message and the pictures themselves, too.
  def rows:
    # A sidechain in the log of its session is not the conversation of this log.
    def foreign: (.isSidechain == true and .agentId == null) or .parent_tool_use_id != null;
    def picture: .type == "image" or .type == "document";
    def texts: if type == "array" then [.[] | objects | .text // .tool_name | strings] | join("\n") elif . == null then "" else jl_name end;
    # What the client tells the model in the name of the user, and what is of others than the user.
    def notices:
      if startswith("[Request interrupted by user") then {is: "error", text: .}
      elif contains("</task-notification>") or contains("</teammate-message>") or contains("</bash-") then
        . as $text
        | (select(contains("</bash-"))
            | tagged("bash-input") as $command | [tagged("bash-stdout"), tagged("bash-stderr") | select(. != "")] as $out
            | select($command != "" or $out != [])
            | {is: "shell", command: (if $command == "" then null else $command end), text: ($out | join("\n")), failed: false}),
          (select(contains("</task-notification>"))
            | {is: "task", call: tagged("tool-use-id"), failed: (tagged("status") == "failed"), images: 0,
               text: ([tagged("summary"), tagged("result") | select(. != "")] | join("\n"))}),
          (select(contains("</teammate-message>"))
            | split("<teammate-message")[1:][] | select(contains("</teammate-message>")) | split("</teammate-message>")[0]
            | {is: "member", name: ((capture("teammate_id=\"(?<name>[^\"]*)\"") // {name: null}).name),
               text: (split(">")[1:] | join(">") | jl_trim)})
      else empty end;
    def pictures(content): if $full then {pictures: [content | .. | objects | select(picture)]} else {} end;
    def prompt(content):
      if .isCompactSummary == true then {is: "summary", text: ([blocks.text? | strings] | join("\n"))}
      elif .isMeta or .isVisibleInTranscriptOnly or foreign then empty
      else
        (.isSidechain == true and .parentUuid == null) as $task
        | [content]
        | (.[].text? | strings | notices),
          (map(select(picture)) as $pictures
          | {is: "prompt", images: ($pictures | length),
             text: (map(.text? | strings | if $task then . else typed end | select(test("[^ \\t\\r\\n]"))) | join("\n"))}
            + pictures($pictures)
          | select(.text != "" or .images > 0))
      end;
    def result:
      {is: "result", call: (.tool_use_id | jl_name), failed: (.is_error == true), text: (.content | texts),
        images: (.content | if type == "array" then [.. | objects | select(picture)] | length else 0 end)}
      + pictures(.content | arrays);
    def title(text; $rank): if text | type == "string" then {is: "title", text: text, rank: $rank} else {unread: "a title that is no text"} end;
    (if .type == "user" then prompt(blocks | select(.type != "tool_result")), (blocks | select(.type == "tool_result") | result)
     elif .type == "assistant" then
       if .isApiErrorMessage == true then {is: "error", text: ([blocks.text? | strings] | join("\n"))}
       else
         (.message.model | if . == "<synthetic>" then null else jl_name end) as $model | . as $entry
         | blocks
         | (if .type == "text" then select(.text | strings | test("[^ \\t\\r\\n]")) | {is: "answer", text, model: $model}
            elif .type == "thinking" then select(.thinking | strings | test("[^ \\t\\r\\n]")) | {is: "thinking", text: .thinking, model: $model}
            elif .type == "tool_use" then {is: "call", id: (.id | jl_name), name: (.name | jl_name // "tool"), input, model: $model}
            elif .type == "tool_result" then result
            else empty end)
           + (if $full then {message: $entry.message.id} else {} end)
           + (if $entry.delta then {delta: true} elif $entry.again then {again: true} else {} end)
       end
     elif .type == "attachment" then
       .attachment as $a
       | if jl_try($a.type) == "queued_command" then select($a.isMeta | not) | .message = {content: $a.prompt} | prompt(blocks)
         elif jl_try($a.type) | . == "hook_blocking_error" or . == "hook_non_blocking_error" or . == "hook_stopped_continuation" then
           {is: "hook", name: ($a.hookName | jl_name), failed: true,
             text: ([jl_try($a.blockingError.blockingError), $a.blockingError, $a.message, $a.stderr, $a.stdout, $a.content, $a.reason, $a.command | strings | select(. != "")][0] // "")}
         else empty end
     elif .type == "system" then
       if .subtype == "compact_boundary" then {is: "compaction"}
       elif .subtype == "api_error" then {is: "error", text: (.error | if type == "object" then (.message // .) | jl_name else jl_name end)}
       elif .subtype == "task_notification" and .tool_use_id then
         {is: "task", call: (.tool_use_id | jl_name), failed: (.status == "failed"), images: 0, text: (.summary | strings // "")}
       elif .subtype == "stop_hook_summary" then
         {is: "hook", name: "Stop", failed: true, text: (.hookErrors | arrays[] | if type == "object" then (.message // .error // .) | jl_name else jl_name end)}
       elif .subtype == "init" then {is: "session", model}
       else empty end
     elif .type == "session" then {is: "session", model}
     elif .type == "row" then .row
     elif .type == "queue-operation" then
       if .operation == "enqueue" then {queued: (.content | strings | typed)}
       elif .operation == "remove" then {is: "prompt", images: 0, text: (.content | strings | typed | select(. != "")), removed: true}
       else empty end
     elif .customTitle then title(.customTitle; 3)
     elif .aiTitle then title(.aiTitle; 2)
     elif .type == "summary" then title(.summary; 1)
     elif .type == "changes" then if $full then {changes, call} else empty end
     elif .type == "total" then empty
     elif .type == "unread" then {unread: .name}
     elif jl_silent[.type | jl_name // ""] or (.type | jl_name // "" | test("^(api-request|artifact-|marble-origami-|conversation_reset|active_goal)")) then empty
     else {unread: (.type | jl_name // "unknown")} end) as $said
    | {timestamp: (.timestamp | jl_when), uuid: (.uuid // .id), cwd: (.cwd | strings // null),
       session: (.agentId // (select(.type == "session") | .id) // .sessionId // .session_id | jl_name)} + $said
    + if $full and $said.is == "result" then {told: [.toolUseResult // .tool_use_result | objects][0]} else {} end;

  . as $entry
  | if type == "array" then .[] | jl_read($full)
    elif type == "object" and .type == "progress" then empty
    else [try (jl_entry | rows) catch {unread: "\($entry | jl_kind): \(.)"}][] end;

# All entries of the input.
def jl_input: (if type == "array" then .[] else . end), inputs;

# The entries; where jq has read the first one itself, for want of -n, that is an error.
def jl_all(entries):
  if type == "object" and (.type or .message or .role or .payload or .sessionId or .kind) then
    . as $first
    | foreach (entries, null) as $entry (0; . + 1;
        if . == 1 and $entry != $first then error("jl.jq: the first entry is left out: use jq -n") else $entry | select(. != null) end)
  else entries end;

# One line for each log about the entries that were not read: {LOG: {WHAT: HOW MANY}}.
def jl_report:
  to_entries[] | [.value[]] as $counts
  | "jl.jq: \(if .key == "null" then "the input" else .key end): \($counts | add) \(if ($counts | add) == 1 then "entry is" else "entries are" end) not read: \(
      [.value | to_entries | sort_by(-.value)[:5][] | "\(.key)\(if .value > 1 then " (\(.value))" else "" end)"] | join(", "))\(
      if ($counts | length) > 5 then ", …" else "" end)" | jl_line(300) | jl_say;

# The rows of a stream of entries: each has the session and the cwd that the log told before, if its entry tells none, and a
# number that is the same for all that a session says. Pieces of a text are joined. A prompt that was taken from the queue
# waits until it is known whether it is said again as another entry.
def jl_rows(entries; $full):
  def flush: if .held then .out += .held | .held = null else . end;
  def join_pieces: if .piece then .out += [.piece] | .last = .piece.text | .piece = null else . end;
  foreach ((jl_all(entries) | jl_read($full)), null) as $row ({number: 0};
    .out = []
    | if $row == null then join_pieces | flush
      elif $row.unread then .unread["\(.session)"][$row.unread] += 1
      elif $row.queued then .base[$row.queued] = (.seen[$row.queued] // 0)
      else
        (if $row.session and .session != $row.session then
           if .session then join_pieces | flush | .number += 1 | .cwd = null | .model = null else . end | .session = $row.session
         else . end)
        | (if $row.cwd then .cwd = $row.cwd else . end)
        | ($row + {cwd, session, number}) as $r
        | (if .piece and ($row.delta and $row.is == .piece.is | not) then join_pieces else . end)
        | if $row.is == "prompt" then
            if $row.removed then
              if (.seen[$row.text] // 0) > (.base[$row.text] // 0) then .base[$row.text] += 1
              else .held += [$r | del(.removed)] end
            else
              .seen[$row.text] += 1
              | (if .held then
                   # It was taken from the queue and is said again; those before it were not.
                   .held as $held | ([range($held | length) | select($held[.].text == $row.text)][0] // ($held | length)) as $at
                   | .out += $held[:$at] | .held = ($held[$at + 1:] | if . == [] then null else . end)
                 else . end)
              | .out += [$r]
            end
          else
            (if .held and ($row.is != "result") then flush else . end)
            | if $row.delta then .piece = (if .piece then .piece | .text += $row.text else $r | del(.delta) end)
              elif $row.again then if .last == $row.text then . else .out += [$r | del(.again)] end
              elif $row.is == "session" then (if $row.model then .model = $row.model else . end) | .out += [$r + {model}]
              elif $row.is == "answer" then .last = $row.text | .out += [$r]
              else .out += [$r] end
          end
      end;
    .out[], (if $row == null and .unread then .unread | jl_report else empty end));

# What an entry says, one row for each thing; what a stream of entries says.
def said:
  jl_read(false)
  | if .is then if .again then empty elif .removed or .delta then del(.removed, .delta) else . end
    elif .unread then "jl.jq: not read: \(.unread)" | jl_line(300) | jl_say
    else empty end;
def said(entries): jl_rows(entries; false);

# --- Lists of what was said ---

# What a person typed, one text for each prompt; what the model said; and both.
def jl_prompt: select(.is == "prompt").text | select(. != "") | jl_shown;
def jl_answer: select(.is == "answer").text | jl_shown;
def jl_text: select(.is == "prompt" or .is == "answer").text | select(. != "") | jl_shown;
def prompts: said | jl_prompt;
def prompts(entries): jl_rows(entries; false) | jl_prompt;
def answers: said | jl_answer;
def answers(entries): jl_rows(entries; false) | jl_answer;
def text: said | jl_text;
def text(entries): jl_rows(entries; false) | jl_text;

# The calls of tools. The uuid is the id of the entry.
def tools: said | select(.is == "call") | {timestamp, uuid, id, name, input};
def tools(entries): jl_rows(entries; false) | select(.is == "call") | {timestamp, uuid, session, cwd, id, name, input};

# What failed: a call of a tool, or, if call is null, a request to the model, a hook or a command of the user.
def jl_failed: .is == "error" or .failed == true;
def errors: said | select(jl_failed) | {timestamp, uuid, call, text};
def errors(entries):
  foreach (jl_rows(entries; false) | select(.is == "call" or jl_failed)) as $row ({};
    if $row.is == "call" and $row.id then .[$row.id] = $row else . end;
    if $row.is == "call" then empty
    else .[$row.call // ""] as $call | $row | {timestamp, uuid, session, cwd, call, name: ($call.name // .name), input: $call.input, text} end);

# Which rows are of which call: for the call at place i in an array of rows, "of i" has the places of its results, and a result
# that has a call its own place. A result belongs to the last call of its id.
def jl_pairs:
  . as $rows
  | reduce range(length) as $i ({};
      $rows[$i] as $row
      | if $row.is == "call" then if $row.id then .["call \($row.number) \($row.id)"] = $i else . end
        elif ($row.is == "result" or $row.is == "task") and $row.call then
          .["call \($row.number) \($row.call)"] as $call
          | if $call == null then . else .["of \($call)"] += [$i] | .["\($i)"] = true end
        else . end);

# Each call with its result, in the order of the calls.
def jl_calls(entries; $full):
  [jl_rows(entries; $full) | select(.is == "call" or .is == "result" or .is == "task" or .changes)]
  | . as $rows | jl_pairs as $pairs
  | (reduce ($rows[] | select(.changes and .call)) as $row ({}; .["\($row.number) \($row.call)"] = $row.changes)) as $changes
  | range(length) as $i | $rows[$i] | select(.is == "call")
  | [$pairs["of \($i)"] | arrays[] | $rows[.]] as $results | $results[-1] as $last
  | (if $last then (.timestamp | jl_seconds) as $from | ($last.timestamp | jl_seconds) as $to
       | if $from and $to then ($to - $from) * 1000 | round / 1000 else null end else null end) as $seconds
  | {timestamp, uuid, session, cwd, id, name, input, result: $last.text, failed: (if $last then $last.failed else null end), seconds: $seconds}
    + if $full then {told: [$results[].told | objects][0], changes: $changes["\(.number) \(.id)"]} else {} end;
def calls(entries): jl_calls(entries; false);
def calls: calls(jl_input);

# The patch of Codex that an input is or holds, null if there is none.
def jl_codex_patch:
  [if type == "string" then . elif type == "object" then .input, .patch, .patchText, (.command, .cmd | if type == "array" then .[] else . end) else empty end
   | strings | select(contains("*** Begin Patch"))][0]
  | if . then "*** Begin Patch" + (split("*** Begin Patch")[1] | split("*** End Patch")[0]) else null end;

# What a call does to files: {action, path}, and of an edit the texts before and after, of a write the text.
def jl_touches:
  def some(names): [names | strings][0];
  (.name | jl_name // "" | ascii_downcase | gsub("[^a-z]"; "")) as $name | (.input | jl_codex_patch) as $patch
  | if $patch then
      $patch | split("\n*** ")[1:][]
      | capture("\\A(?<action>Add|Update|Delete) File: (?<path>[^\\n]*)(?<body>[^\\x00]*)") as $file
      | {action: {Add: "write", Update: "edit", Delete: "delete"}[$file.action], path: ($file.path | jl_trim), hunks: ($file.body | ltrimstr("\n"))}
    else
      .input | objects
      | some(.file_path, .filePath, .path, .notebook_path, .absolute_path, .target_file, .filename) as $path
      | [.command | strings | select(test("\\A[a-z_]+\\z"))][0] as $command
      | [., (.edits | arrays[] | objects) | {old: some(.old_string, .old_str, .oldText, .oldString, .oldStr), new: (some(.new_string, .new_str, .newText, .newString, .newStr) // ""), all: (.replace_all == true or .replaceAll == true)}
          | select(.old != null)] as $edits
      | some(.content, .file_text, .contents, .fileText, .new_source) as $content
      | if .changes | type == "array" then
          .changes[] | objects | {action: ({add: "write", delete: "delete"}[.kind | jl_name // ""] // "edit"), path: (.path | strings)}
        elif $path == null then
          (select($name | test("read")) | (.paths, .files, .absolute_paths | arrays[] | if type == "object" then .path else . end), (.operations | arrays[] | objects.path) | strings
            | {action: "read", path: .})
        elif $edits != [] then {action: (if $edits == [{old: "", new: $edits[0].new, all: $edits[0].all}] then "write" else "edit" end), path: $path, edits: $edits}
        elif $content != null and ($command == null or $command == "create" or $command == "write") then {action: "write", path: $path, content: $content}
        elif $command == "view" or $command == "read" then {action: "read", path: $path}
        elif $command == "insert" or $command == "append" then {action: "edit", path: $path}
        elif $name | test("delete|remove|unlink") then {action: "delete", path: $path}
        elif $name | test("write|create") then {action: "write", path: $path}
        elif $name | test("edit|replace|patch|insert") then {action: "edit", path: $path}
        elif $name | test("read|view|open") and (test("list|dir|ls\\z") | not) then {action: "read", path: $path}
        else empty end
    end;

# The files that calls read, wrote, edited or deleted.
def files(entries): jl_calls(entries; false) | . as $call | jl_touches | {timestamp: $call.timestamp, session: $call.session, cwd: $call.cwd, action, path, name: $call.name, failed: $call.failed};
def files: files(jl_input);

# What there is to do, as the agent left it: the last list of each session, with the tasks that were made and changed one by one.
def todos(entries):
  def status: jl_name // "pending" | ascii_downcase | if . == "done" or . == "complete" or . == "todo_status_completed" then "completed" elif . == "active" or . == "todo_status_in_progress" then "in_progress" else . end;
  reduce (jl_calls(entries; false) | select(.failed != true)) as $call ({order: [], of: {}};
    ([$call.input | objects][0] // {}) as $in | "\($call.session)" as $session
    | (if any(.order[]; . == $session) then . else .order += [$session] end)
    | ([$in.todos, $in.plan, $in.items, $in.todoList | arrays][0]
        // [$in.todos | strings | split("\n")[] | capture("\\A *[-*] \\[(?<done>[ xX])\\] (?<text>.*)") | {text, status: (if .done == " " then "pending" else "completed" end)}]) as $list
    | if ($list | length) > 0 and ($call.name | test("todo|plan"; "i")) then
        .of[$session] = ($list | map(select(type == "object") | {id: (.id | jl_name), text: ([.content, .step, .text, .description, .title | strings][0] // ""), status: (.status | status)}))
      elif $call.name == "TaskCreate" and $in.subject then
        .of[$session] += [{id: ([$call.result // "" | capture("#(?<id>[0-9]+)").id][0] // "\((.of[$session] | length) + 1)"), text: ($in.subject | jl_name), status: "pending"}]
      elif $call.name == "TaskUpdate" and $in.taskId then
        .of[$session] = ((.of[$session] // []) | map(if .id == ($in.taskId | jl_name) then
          (if $in.status then .status = ($in.status | status) else . end) | (if $in.subject then .text = ($in.subject | jl_name) else . end) else . end) | map(select(.status != "deleted")))
      else . end)
  | .of as $of | .order[] as $session | $of[$session] // [] | .[] | {session: (if $session == "null" then null else $session end)} + .;
def todos: todos(jl_input);

# The seconds in which something happened: a pause counts for five minutes at most.
def active(entries):
  reduce (jl_all(entries) | [try (if type == "array" then .[] else . end | jl_entry) catch empty][] | select(.timestamp)
      | {session: (.agentId // .sessionId // .session_id | jl_name), at: (.timestamp | jl_seconds)} | select(.at)) as $e ({sum: 0};
    ("at \($e.session)") as $key | .[$key] as $before
    | (if $before and $e.at > $before then .sum += ([$e.at - $before, 300] | min) else . end)
    | if $before == null or $e.at > $before then .[$key] = $e.at else . end)
  | .sum | . * 1000 | round / 1000;
def active: active(jl_input);

# --- Tokens ---

# The tokens of messages, added up for each value of f: an object of members of {model, day, time, project, branch, session,
# agentId, agentType, skill}, or any other value, which becomes the member "by". The project is the folder that the session
# began in; what a sub-agent took counts for the session that it belongs to. The input is without what the cache read, and the
# output with thinking; cacheWrite is what the cache keeps for 5 minutes or for an hour. A message that several entries or logs
# have counts once, with its greatest figures. Where a log has totals of its own, its messages take nothing.
def usage_by(f; entries):
  def figure: numbers // 0;
  def total: .input + .output + .cacheWrite + .cacheRead;
  # What the log has told so far: where it belongs, the log that its beginning is a copy of, the time, the types of agents, and for
  # Copilot CLI the output of each model in this run.
  def told($entry):
    if $entry.type == "session" then
      if $entry.id == null or $entry.id == .id then . + ($entry | {cwd, model} | with_entries(select(.value)))
      elif $entry.id == .copies then . + {root: $entry.id, copies: $entry.copies}
      else {types, unread} + ($entry | {id, root: .id, copies, session: .sessionId, cwd, model}) end
    elif $entry.run then .outputs[$entry.message.model, "null"] = 0
    elif $entry.type == "assistant" then
      if $entry.message.usage.input_tokens == null then
        .outputs["\($entry.message.model // .model)"] += ($entry.message.usage.output_tokens | figure)
      else . end
    else . end;
  # A message, after what the log has told.
  def message($log; $rest):
    .message.usage as $usage | (.sessionId // .session_id // $log.session) as $session
    | {key: (if .type == "total" and (.request | not) then "total \($session) \(.message.model)"
             else (.message.id // .uuid) as $id | if .counted then "\($log.root) \($id)" else $id // $log.count end end),
       run, total: (if .type == "total" then true else null end), copy: ($log.root != $log.id), model: (.message.model // $log.model),
       time: (.timestamp | jl_when // $log.time), project: (.cwd // $log.cwd), branch: .gitBranch,
       session: $session, agentId: (.agentId // .agent_id), agentType: (.attributionAgent // .subagent_type), skill: .attributionSkill,
       input: ($usage.input_tokens | figure), output: ($rest // $usage.output_tokens | figure),
       cacheWrite: ($usage.cache_creation_input_tokens | figure),
       cacheWrite1h: (jl_try($usage.cache_creation.ephemeral_1h_input_tokens) | figure),
       cacheRead: ($usage.cache_read_input_tokens | figure)};
  def sum(g): map(.message | g) | add;
  # The members that f takes and a message has not: as its value, or by their names.
  def unknown:
    . as $message
    | [try path(f)[0] catch empty][], [try (f | objects | keys[] | select(. as $name | try ($message + {($name): {}} | f[$name] == {}) catch false)) catch empty][]
    | strings | select(in($message) | not);
  def asked: # the type of the agent that a call asks for, by the id of the call, and that of an agent, by the result of the call
    if .type == "assistant" then
      .message.content | arrays[] | objects | select(.type == "tool_use" and (jl_try(.input.subagent_type) | type == "string")) | {("\(.id)"): .input.subagent_type}
    else
      [.toolUseResult | objects | select(.agentId)][0] as $of | select($of)
      | (.message.content | arrays | first(.[] | objects | select(.tool_use_id))) as $result
      | {("agent \($of.agentId)"): [$of.agentType | strings, {call: "\($result.tool_use_id)"}][0]}
    end;

  # Whether f asks for the type of the agent: to find it takes long.
  ([try ({agentType: "jl"} | f | tojson | contains("\"jl\"")) catch true] != [false]) as $asks
  | [foreach ((jl_all(entries) | if type == "array" then .[] else . end
      | if type != "object" or .uuid == null or .type == "assistant" or .type == "result" or .systemPayload then
          . as $entry | [try jl_entry catch {type: "unread", name: "\($entry | jl_kind): \(.)"}][]
        elif $asks and .type == "user" and (.toolUseResult | type == "object" and .agentId != null) then {types: [try asked catch empty][]}
        elif .type == "system" then select(.subtype == "init")
        else empty end
      | select(.types or .type == "session" or .type == "unread" or ((.type == "assistant" or .type == "total") and (jl_try(.message.usage) | type == "object"))
          or (.type == "system" and .subtype == "init"))), null) as $entry ({};
      .out = null
      | if $entry == null then .
        elif $entry.types then .types += $entry.types
        elif $entry.type == "unread" then .unread["\(.session)"][$entry.name // "unknown"] += 1
        elif $entry.type == "system" then .cwd = $entry.cwd | .session = $entry.session_id
        else
          # Of the total of a run, the messages before it have told a part.
          .rest = (if $entry.run then [($entry.message.usage.output_tokens | figure) - ([.outputs["\($entry.message.model)", "null"] | figure] | add), 0] | max
            else null end)
          | (if $asks and $entry.agentId == null and $entry.type == "assistant" then [try ($entry | asked) catch empty] as $asked | if $asked == [] then . else .types += ($asked | add) end else . end)
          | .count as $count | told($entry) | .count = $count + 1 | (if $entry.timestamp then .time = ($entry.timestamp | jl_when) else . end)
          | . as $log
          | if ($entry.type == "assistant" or $entry.type == "total") and $entry.message.model != "<synthetic>" then .out = ($entry | message($log; $log.rest)) else . end
        end;
      if .out then .out elif $entry == null then {types: (.types // {})}, (.unread // {} | jl_report) else empty end)]
  | .[-1].types as $types | .[:-1]
  | (reduce (.[] | select(.total).session) as $session ({}; .["\($session)"] = true)) as $totals
  | (reduce (.[] | select(.total | not).session) as $session ({}; .["\($session)"] = true)) as $told
  | group_by(.key) | map(max_by(total) + (min_by([.copy, .time]) | {time, project, branch, session, agentId}))
  | map(if .total then . elif $totals["\(.session)"] then .input = 0 | .output = 0 | .cacheWrite = 0 | .cacheWrite1h = 0 | .cacheRead = 0 else . end)
  # The day of each minute: to work out the day of each time takes long.
  | ([.[].time | strings | select(endswith("Z")) | .[:16]] | unique | map({key: (. + "Z"), value: (. + ":00Z" | jl_day)}) | from_entries) as $days
  | (group_by(.session) | map(min_by(.time) | {key: "\(.session)", value: .project}) | from_entries) as $projects
  | map((if .session then .project = $projects["\(.session)"] else . end)
      | .day = (if .time == null then null else $days[.time[:16] + .time[19:][-1:]] end // (.time | jl_day))
      | (if $asks and .agentType == null and .agentId then .agentType = ($types["agent \(.agentId)"] | if type == "object" then $types[.call] else . end) else . end)
      | . as $message | {by: ($message | f | if type == "object" then . else {by: .} end), message: $message})
  | ([.[0] | objects.message | unknown] | unique) as $unknown
  | if $unknown != [] then
      error("jl.jq: usage_by: \($unknown | join(", ")): not one of model, day, time, project, branch, session, agentId, agentType and skill")
    else . end
  | group_by(.by)[]
  | .[0].by + {messages: (map(.message | select((.run | not) and ((.total | not) or ($told["\(.session)"] | not)))) | length),
      input: sum(.input), output: sum(.output), cacheWrite: sum(.cacheWrite), cacheWrite5m: sum(.cacheWrite - .cacheWrite1h),
      cacheWrite1h: sum(.cacheWrite1h), cacheRead: sum(.cacheRead)};
def usage_by(f): usage_by(f; jl_input);

# The tokens of each model.
def usage: usage_by({model});
def usage(entries): usage_by({model}; entries);

# What a row of usage costs at prices for a million tokens, an object that has for the beginning of the
# names of models {input, output, cacheWrite5m, cacheWrite1h, cacheRead}, to the sixth place; null for a
# model without one.
def jl_price(prices): .model // "" | jl_name | . as $model | [prices | to_entries[] | select((.value | type == "object") and (.key as $name | $model | startswith($name)))] | max_by(.key | length).value;
def cost(prices):
  . as $row
  | if has("model") then jl_price(prices) | if . == null then null else [to_entries[] | (.value | numbers) * ($row[.key] // 0)] | add // 0 | . * 1 | round / 1000000 end
    else error("jl.jq: cost: the row has no model: usage_by({day, model}), or cost_by({day}; prices)") end;

# The same, added up for each value of f. A model without a price is named in the row, and on standard error.
def cost_by(f; prices; entries):
  (prices) as $prices
  | [usage_by({by: (f | if type == "object" then . else {by: .} end), model}; entries)]
  | ([.[] | select(jl_price($prices) == null and .input + .output + .cacheWrite + .cacheRead > 0).model] | unique) as $unknown
  | (if $unknown == [] then empty else "jl.jq: no price for \($unknown | map("\(.)") | join(", "))" | jl_line(300) | jl_say end),
    (group_by(.by)[]
     | [.[] | select(.input + .output + .cacheWrite + .cacheRead > 0) | {model, cost: cost($prices)}] as $costs
     | [$costs[] | select(.cost == null).model] as $unpriced
     | .[0].by + {dollars: ([$costs[].cost | numbers] | if . == [] and $unpriced != [] then null else (add // 0) * 1000000 | round / 1000000 end)}
       + if $unpriced == [] then {} else {unpriced: $unpriced} end);
def cost_by(f; prices): cost_by(f; prices; jl_input);

# --- To read ---

# A path below the folder of the project.
def jl_below($cwd): if $cwd and startswith($cwd + "/") then .[$cwd | length + 1:] else . end;
def jl_within($cwd): # the end of a long one
  jl_below($cwd) | if length > 80 then "…" + .[-79:] else . end;

# What a call is about: a command, what a search looks for, a file, or the first words of the rest.
def jl_about:
  .cwd as $cwd | .input
  | (if type == "string" or (type == "object" and (.patch or .patchText or .input)) then jl_codex_patch else null end) as $patch
  | if $patch then [$patch | split("\n")[] | capture("^\\*\\*\\* (Update|Add|Delete) File: (?<of>.*)").of | jl_within($cwd)] as $files
      | if $files == [] then $patch else $files | join(", ") end
    elif type == "string" then .
    elif type != "object" then jl_json
    else
      def one(names):
        [names | if type != "array" then . elif .[1] == "-lc" or .[1] == "-c" then .[2] else map(tostring) | join(" ") end
          | strings | select(. != "")][0];
      (.command | if . == "view" or . == "create" or . == "str_replace" or . == "insert" then null else . end) as $command
      | one($command, .cmd, .pattern, .query)
      // ([one(.file_path, .filePath, .path, .notebook_path, .absolute_path, .target_file, .dir_path) | select(. != null) | jl_within($cwd)][0])
      // ([.changes | arrays[] | objects.path | strings | jl_within($cwd)] | if . == [] then null else join(", ") end)
      // one(.url, .description, (.questions | arrays[] | objects.question))
      // ((.todos // .plan | arrays) as $steps | [$steps[] | objects | select(.status == "in_progress")] + $steps
          | .[0] | objects | .content // .step // .description | strings)
      // one(.todos, .plan, .prompt, ([.skill, (select(.skill) | .args) | strings] | join(" ")), .message)
      // jl_json
    end;

# The time of a row, to the second.
def jl_time: .timestamp | if type == "string" then .[:19] + "Z" | if test("\\A[-0-9T:. Z]*\\z") then . else jl_line(20) end else "" end;

# A line of the timeline.
def jl_event:
  if .is == "prompt" then [jl_time, "user", .text + if .images > 0 then " (image)" else "" end]
  elif .is == "answer" then [jl_time, "assistant", .text]
  elif .is == "call" then [jl_time, (.name | jl_line(60)), jl_about]
  elif .is == "shell" and .command then [jl_time, "shell", (.command | jl_name)]
  elif .is == "member" then [jl_time, (.name // "member" | jl_line(60)), .text]
  elif .is == "error" or .failed == true then [jl_time, (if .is == "hook" then "hook" else "error" end), .text]
  elif .is == "task" and .text != "" then [jl_time, "task", .text]
  elif .is == "compaction" then [jl_time, "compaction", ""]
  else empty end
  | .[2] |= jl_line(80) | join("\t");

# One line for each thing that happened: the time, who or which tool, and the first words, with tabs
# between them.
def timeline: said | jl_event;
def timeline(entries): jl_rows(entries; false) | jl_event;

# A line of the chat.
def jl_spoken:
  def quoted: jl_shown | "\n> " + (split("\n") | join("\n> "));
  if .is == "prompt" then (.text | quoted) + if .images > 0 then " (image)" else "" end
  elif .is == "answer" then "\n" + (.text | jl_shown | jl_end)
  elif .is == "call" then "- \(.name | jl_line(60)): \(jl_about | jl_line(100))"
  elif .is == "shell" and .command then "\n! \(.command | jl_name | jl_line(100))"
  elif .is == "member" then "\n\(.name // "member" | jl_line(60)): \(.text | jl_shown)"
  elif .is == "error" or .failed == true then "- \(if .is == "hook" then "hook" else "error" end): \(.text | jl_line(100))"
  elif .is == "task" and .text != "" then "- task: \(.text | jl_line(100))"
  elif .is == "compaction" then "\n(compaction)"
  else empty end;

# What was said, as text to read: prompts after ">", answers, and one line for each call and failure.
def chat: said | jl_spoken;
def chat(entries): jl_rows(entries; false) | jl_spoken;

# An edit as lines, with those that both sides begin and end with as they are.
def jl_diff($old; $new):
  def lines: rtrimstr("\n") | if . == "" then [] else split("\n") end;
  def shared($a; $b): [$a, $b | length] | min as $most | first((range($most) | select($a[.] != $b[.])), $most);
  ($old | lines) as $a | ($new | lines) as $b | shared($a; $b) as $head
  | shared($a[$head:] | reverse; $b[$head:] | reverse) as $tail
  | ($a[:$head][] | " " + .), ($a[$head:($a | length) - $tail][] | "-" + .),
    ($b[$head:($b | length) - $tail][] | "+" + .), ($a[($a | length) - $tail:][] | " " + .);

# What a call would change, as lines of diffs, one text for each edit or file.
def jl_changes:
  [.input | jl_codex_patch][0] as $patch
  | if $patch then $patch + "*** End Patch"
    else
      jl_touches | select(.action == "edit" or .action == "write")
      | if .edits then .edits[] | [jl_diff(.old; .new)] | join("\n") elif .content then .content as $text | [jl_diff(""; $text)] | join("\n") else empty end
    end;

# Title, times, folder and models of the rows of a session.
def jl_head:
  . as $all | [.[] | select(.is != "session" and .is != "title")] as $rows
  | [$rows[].timestamp | strings | .[:16] | sub("T"; " ") | jl_line(16)] as $times
  | {title: ([([.[] | select(.is == "title" and .text)] | max_by(.rank).text), ($rows[] | select(.is == "prompt").text), "Session"] | map(select(. // "" | test("[^ \\t\\r\\n]")))[0] | jl_line(70)),
     times: (if $times == [] then null else $times[0] + ($times[-1] | if . == $times[0] then ""
       elif .[:10] == $times[0][:10] then "–" + .[11:] else " – " + . end) + " UTC" end),
     cwd: [$rows[].cwd | strings | jl_line(200)][0],
     models: (reduce ($all[].model | strings | jl_line(60)) as $model ([]; if index($model) then . else . + [$model] end))};

# The rows of a stream, one array for each session in which something was said; an error if there is none.
def jl_sessions(entries; $full):
  [jl_rows(entries; $full) | select(.is)]
  | if all(.[]; .is == "session" or .is == "title") then error("jl.jq: no conversation") else . end
  | group_by(.number)[] | select(any(.[]; .is != "session" and .is != "title"));

# The conversation as Markdown: a head, and a heading for each prompt; below it the answers, and the calls
# with n lines of their results.
def jl_markdown(n; entries):
  def longest($mark): [match("\($mark)+"; "g").length] | max // 0;
  # A text as a block of code, in a fence that is longer than any in the text.
  def fenced($language):
    jl_shown | (if contains("```") then ("`" * (longest("`") + 1)) else "```" end) as $fence
    | "\($fence)\($language)\n\(sub("\n+\\z"; ""))\n\($fence)\n";
  def code: jl_line(200) | if contains("`") then ("`" * (longest("`") + 1)) as $ticks | "\($ticks) \(.) \($ticks)" else "`\(.)`" end;
  # A name within a line: no mark of Markdown in it counts.
  def plain: jl_line(70) | gsub("(?<mark>[\\\\`*\\[\\]<>])"; "\\\(.mark)");
  def quoted: "> " + (jl_shown | jl_end | split("\n") | join("\n> ")) + "\n";
  # Words of Markdown; a fence that they open and do not close is closed behind them.
  def words:
    jl_shown
    | if contains("```") or contains("~~~") then
        (reduce (split("\n")[] | capture("\\A {0,3}(?<fence>`{3,}|~{3,})(?<rest>.*)")) as $f (null;
          if . == null then if ($f.fence | startswith("`")) and ($f.rest | contains("`")) then null else $f.fence end
          elif (. as $open | $f.fence | startswith($open)) and ($f.rest | test("\\A[ \\t]*\\z")) then null
          else . end)) as $open
        | if $open then . + "\n" + $open else . end
      else . end;
  def cut(show):
    jl_shown | jl_end | split("\n")
    | if length <= n + 1 then join("\n") | show else (.[:n] | join("\n") | show), "*… \(length - n) more lines*\n" end;
  def joined(f): [f] | select(. != []) | join("\n") + "\n";
  def pictures: select((.images // 0) > 0) | "*(\(if .images == 1 then "image" else "\(.images) images" end))*\n";
  # Tasks, plans and questions, as text.
  def name: jl_name | jl_line(1000);
  def option: "- " + if type == "object" then "\(.label | name)\(if .description then ": \(.description | name)" else "" end)" else name end;
  def step: "- [\(if .status == "completed" then "x" else " " end)] \(.content // .step // .description | name)";
  def prose:
    (.prompt | strings | quoted),
    (.plan, .todos | if type == "string" then quoted else joined(arrays[] | objects | step) end),
    (.questions | arrays[] | objects | (.question | name) + "\n", joined(.options | arrays[] | option)),
    (.question | strings | name + "\n"), joined(.choices | arrays[] | option);
  def call:
    jl_about as $about | "**\(.name | plain)**" as $name | [jl_changes] as $changes | .input
    | if type == "object" and (.command // .cmd) and $changes == [] then
        $name + ((.description | strings | " " + plain) // "") + "\n", ($about | fenced(""))
      elif type == "object" then
        $name + (if (.plan // .todos // .questions // .question) or . == {} or ($about | test("\n") or length > 120) then ""
          else " " + ($about | code) end) + "\n",
        ($changes[] | fenced("diff")), ([prose] | .[]),
        (select($changes == [] and [prose] == [] and ($about | test("\n") or length > 120)) | $about | fenced(""))
      else $name + "\n", (jl_name | fenced(if $changes != [] then "diff" else "" end)) end;
  def result: (select(.failed == true) | "*failed:*\n"), (.text | select(test("[^ \\t\\r\\n]")) | cut(fenced(""))), pictures;

  def head:
    jl_head | "# \(.title | plain)\n", joined([.times, (.cwd | strings | code), (.models[] | plain) | select(. != null)] | select(. != []) | join(" · "));
  def body:
    . as $rows | jl_pairs as $pairs
    | range(length) as $i | .[$i]
    | if .is == "prompt" then
        (.text | jl_line(70)) as $title
        | "## \(if $title == "" then "(image)" else $title | plain end)\n", (jl_time | select(. != "") | "*\(sub("T"; " ") | rtrimstr("Z"))*\n"),
          (.text | select(. != $title) | words + "\n"), pictures
      elif .is == "answer" then .text | words + "\n"
      elif .is == "thinking" then "*thinking:*\n", (.text | cut(quoted))
      elif .is == "call" then call, ($pairs["of \($i)"] | arrays[] | $rows[.] | result)
      elif .is == "result" or .is == "task" then select($pairs["\($i)"] | not) | result
      elif .is == "shell" then (.command | select(. != null) | "**!**\n", (jl_name | fenced(""))), result
      elif .is == "member" then "**\(.name // "member" | plain)**\n", (.text | quoted)
      elif .is == "hook" then "**Hook** \(.name // "" | code)\n", (.text | cut(fenced("")))
      elif .is == "error" then "**Error**\n", (.text | cut(fenced("")))
      elif .is == "compaction" then "---\n", "*Here the conversation was compacted.*\n"
      elif .is == "summary" then .text | cut(quoted)
      else empty end;
  jl_sessions(entries; false) | head, body;
# markdown(n) has a number of lines, markdown(entries) entries.
def markdown(x):
  . as $entry | [x] as $x
  | if ($x[0] | type) == "number" then jl_markdown($x[0]; $entry | jl_input) else jl_markdown(20; jl_all($x[])) end;
def markdown: jl_markdown(20; jl_input);

# The conversation as one HTML page, which needs nothing but itself: no script, no other file, no network. The prompts are linked at
# the top, results are folded, edits are diffs, and pictures that the log holds are shown.
def html(entries):
  def esc: jl_name // "" | jl_shown | gsub("\u0000"; "") | @html;
  def name: jl_line(100) | @html;
  def block($class): select(test("[^ \\t\\r\\n]")) | "<pre class=\"\($class)\">\(esc)</pre>";
  def words: "<div class=\"words\">\(jl_trim | esc)</div>";
  def folded($class; $what): select(test("[^ \\t\\r\\n]"))
    | "<details class=\"\($class)\"><summary>\($what | @html) · \(jl_line(80) | @html)</summary><pre>\(esc)</pre></details>";
  # Only these types are pictures for a browser and cannot hold a script.
  def picture:
    (.source | objects) as $of
    | if $of.type == "base64" and ($of.media_type | jl_name // "" | test("\\Aimage/(png|jpeg|gif|webp)\\z")) and ($of.data | jl_name // "" | test("\\A[A-Za-z0-9+/=\\s]+\\z")) then
        "<img alt=\"picture\" src=\"data:\($of.media_type);base64,\($of.data | gsub("\\s"; ""))\">"
      else "<p class=\"note\">(\(.type | name): \([$of.media_type, $of.path, $of.url | strings][0] // "not in the log" | name))</p>" end;
  def pictures: (.pictures // []) as $pictures | ($pictures[] | picture), (select($pictures == [] and (.images // 0) > 0) | "<p class=\"note\">(image)</p>");
  def diff:
    "<pre class=\"diff\">" + ([split("\n")[] | jl_shown | (if startswith("+") then "ins" elif startswith("-") then "del" else "span" end) as $tag
      | "<\($tag)>\(@html)</\($tag)>"] | join("\n")) + "</pre>";
  def time: jl_time | select(. != "") | "<time>\(sub("T"; " ") | rtrimstr("Z") | @html)</time>";
  def result: (if .failed == true then "failed" else "result" end) as $class | (.text | folded($class; $class)), pictures;
  def call:
    jl_about as $about | [jl_changes] as $changes | (.input | if type == "object" then .description else null end | strings // "") as $why
    | "<div class=\"call\"><p><b>\(.name | name)</b> \(if $why != "" and $why != $about then $why | name else "" end)</p>",
      (if $changes != [] then ($about | select(test("\n") | not) | "<p><code>\(name)</code></p>"), ($changes[] | diff)
       elif (.input | type == "object" and (. == {} or (.todos, .plan | type == "array"))) then empty else $about | block("input") end),
      (.input | objects | (.prompt, .plan, (select($changes == []) | .content) | strings) | select(. != $about) | folded("input"; "text")),
      (.input | objects | (.todos, .plan | arrays) | [.[] | objects | "\(if .status == "completed" then "☑" else "☐" end) \(.content // .step // .description | jl_name // "")"] | join("\n") | block("input"));
  def item($i; $rows; $pairs):
    if .is == "prompt" then "<section id=\"p\($i)\" class=\"prompt\">\([time] | join(""))", (.text | words), pictures, "</section>"
    elif .is == "answer" then "<section class=\"answer\">\(.text | words)</section>"
    elif .is == "thinking" then .text | folded("thinking"; "thinking")
    elif .is == "call" then call, ($pairs["of \($i)"] | arrays[] | $rows[.] | result), "</div>"
    elif .is == "result" or .is == "task" then select($pairs["\($i)"] | not) | "<div class=\"call\">", result, "</div>"
    elif .is == "shell" then "<div class=\"call\"><p><b>!</b></p>", (.command | strings | block("input")), result, "</div>"
    elif .is == "member" then "<section class=\"member\"><b>\(.name // "member" | name)</b>", (.text | words), "</section>"
    elif .is == "hook" then "<div class=\"call\"><p><b>hook</b> \(.name // "" | name)</p>", (.text | block("failed")), "</div>"
    elif .is == "error" then .text | block("failed")
    elif .is == "compaction" then "<hr><p class=\"note\">Here the conversation was compacted.</p>"
    elif .is == "summary" then .text | folded("result"; "summary")
    else empty end;
  [jl_sessions(entries; true)] as $all
  | ($all[0] | jl_head) as $first
  | "<!DOCTYPE html>", "<html lang=\"en\"><head><meta charset=\"utf-8\">",
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'\">",
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><meta name=\"color-scheme\" content=\"light dark\"><meta name=\"referrer\" content=\"no-referrer\">",
    "<title>\($first.title | @html)</title>",
    "<style>
:root { color-scheme: light dark; --back: #fff; --text: #1c1e21; --soft: #f2f4f6; --line: #d5d9de; --dim: #5c6570; --prompt: #e7f0fb; --add: #dcf3e1; --cut: #fbe1e1; --bad: #b3261e }
@media (prefers-color-scheme: dark) { :root { --back: #15181c; --text: #e3e6ea; --soft: #1e2227; --line: #363c44; --dim: #9aa4af; --prompt: #1d2c40; --add: #173a22; --cut: #472022; --bad: #ff8a80 } }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 1rem; max-width: 58rem; background: var(--back); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
h1 { font-size: 1.4rem; line-height: 1.25 } header p, time, .note, summary { color: var(--dim); font-size: .85rem } nav ol { padding-left: 1.8rem } nav li { margin: .15rem 0 } a { color: inherit }
section { margin: 1rem 0 } .prompt { background: var(--prompt); border-radius: .5rem; padding: .6rem .9rem } .words { white-space: pre-wrap } time { float: right; margin-left: 1rem }
.call { margin: .6rem 0; border-left: 3px solid var(--line); padding-left: .8rem } .call p { margin: .2rem 0 } .member { border-left: 3px solid var(--dim); padding-left: .8rem }
pre { background: var(--soft); border-radius: .3rem; padding: .5rem .7rem; margin: .3rem 0; overflow-x: auto; white-space: pre-wrap; font: .82rem/1.4 ui-monospace, monospace; tab-size: 4 }
details { margin: .3rem 0 } summary { cursor: pointer } details pre { max-height: 30rem; overflow-y: auto } .failed, .failed summary { color: var(--bad) }
.diff ins, .diff del { text-decoration: none; display: inline-block; min-width: 100% } .diff ins { background: var(--add) } .diff del { background: var(--cut) } img { max-width: 100%; height: auto; border-radius: .3rem } hr { border: 0; border-top: 1px solid var(--line) }
@media print { details { break-inside: avoid } }
</style></head><body>",
    (range($all | length) as $s | $all[$s] as $rows | "\($s + 1)-" as $at | ($rows | jl_pairs) as $pairs | ($rows | jl_head) as $head
     | "<header><h1>\($head.title | @html)</h1><p>\([$head.times, $head.cwd, $head.models[] | strings | @html] | join(" · "))</p>",
       "<nav><ol>", (range($rows | length) as $i | $rows[$i] | select(.is == "prompt") | "<li><a href=\"#p\($at)\($i)\">\(.text | jl_line(100) | if . == "" then "(image)" else . end | @html)</a></li>"), "</ol></nav></header>",
       "<main>", (range($rows | length) as $i | $rows[$i] | if .is == "prompt" then [item("\($at)\($i)"; $rows; $pairs)] | .[] else item($i; $rows; $pairs) end), "</main>"),
    "</body></html>";
def html: html(jl_input);

# --- For programs ---

# The conversation as messages: {role, blocks}, those of one role as one. The calls of a message come together and each result next,
# whatever stands between them in the log; a call without a result gets one that says so.
def jl_turns(entries):
  def id: gsub("[^A-Za-z0-9_-]"; "_");
  [jl_rows(entries; true) | select(.is)] | group_by(.number)[]
  | . as $rows | jl_pairs as $pairs
  # The first row of each message; its other answers and calls follow there.
  | (reduce (range(length) | select($rows[.].is | . == "answer" or . == "call")) as $i ({};
      ($rows[$i].message | jl_name) as $message
      | if $message then .["\($message)"] += [$i] else .["row \($i)"] = [$i] end)) as $messages
  | (reduce ($messages[] | arrays) as $places ({}; .["\($places[0])"] = $places)) as $at
  | [range(length) as $i | $rows[$i]
      | if .is == "prompt" or .is == "summary" or .is == "member" or (.is == "shell" and .command) then
          {role: "user", blocks: [(if .is == "shell" then "! \(.command)\n\(.text)" else .text end | select(test("[^ \\t\\r\\n]")) | {type: "text", text: .}), (.pictures // [])[],
            (select(.pictures == null and (.images // 0) > 0) | {type: "text", text: "(image)"})]}
        elif $at["\($i)"] then
          $at["\($i)"] as $places
          | ([$places[] as $p | $rows[$p] | if .is == "answer" then {type: "text", text: (.text | jl_end)}
              else {type: "tool_use", id: (.id // "call_\($p)" | id), name: (.name | id | .[:64]), input: (.input | if type == "object" then . elif . == null then {} else {input: .} end)} end]
             | {role: "assistant", blocks: .}),
            ([$places[] as $p | $rows[$p] | select(.is == "call")
              | [$pairs["of \($p)"] | arrays[] | $rows[.]] as $results
              | {type: "tool_result", tool_use_id: (.id // "call_\($p)" | id), is_error: any($results[]; .failed == true),
                 text: (if $results == [] then "(no result)" else [$results[].text | select(. != "")] | join("\n") end), pictures: [$results[] | (.pictures // [])[]]}]
             | select(. != []) | {role: "user", blocks: .})
        else empty end
      | select(.blocks != [])]
  | (if .[0].role == "assistant" then [{role: "user", blocks: [{type: "text", text: "(The beginning is not here.)"}]}] + . else . end)
  # Those of one role as one; results come first.
  | reduce .[] as $turn ([]; if .[-1].role == $turn.role then .[-1].blocks += $turn.blocks else . + [$turn] end)
  | select(. != []);

# A picture as the Messages API takes it, or words for it.
def jl_picture:
  .source as $of
  | if ($of | type == "object") and (($of.type == "base64" and $of.data and $of.media_type) or ($of.type == "url" and $of.url)) then
      {type: .type, source: (if $of.type == "base64" then $of | {type, media_type, data} else $of | {type, url} end)}
    else {type: "text", text: "(image)"} end;

# The array of messages that the Messages API takes, one for each session.
def messages(entries):
  jl_turns(entries)
  | map({role, content: [.blocks | (.[] | select(.type == "tool_result")), (.[] | select(.type != "tool_result"))
      | if .type == "tool_result" then
          {type, tool_use_id, content: [(.text | select(test("[^ \\t\\r\\n]")) | {type: "text", text: .}), (.pictures[] | jl_picture)]} + if .is_error then {is_error: true} else {} end
        elif .type == "image" or .type == "document" then jl_picture else . end]});
def messages: messages(jl_input);

# The array of messages that the Chat Completions API takes, one for each session.
def openai(entries):
  def said: [.[] | select(.type == "text").text] | join("\n\n");
  def linked: if jl_try(.source.type) == "base64" then {type: "image_url", image_url: {url: "data:\(.source.media_type);base64,\(.source.data)"}}
    elif jl_try(.source.type) == "url" then {type: "image_url", image_url: {url: .source.url}} else {type: "text", text: "(image)"} end;
  jl_turns(entries)
  | map(.role as $role | .blocks
      | if $role == "assistant" then
          said as $said | [.[] | select(.type == "tool_use") | {id, type: "function", function: {name, arguments: (.input | jl_json)}}] as $calls
          | {role: "assistant", content: (if $said == "" then null else $said end)} + if $calls == [] then {} else {tool_calls: $calls} end
        else
          (.[] | select(.type == "tool_result") | {role: "tool", tool_call_id: .tool_use_id, content: (.text + if .pictures == [] then "" else "\n(image)" end)}),
          ([.[] | select(.type != "tool_result")] | select(. != [])
            | {role: "user", content: (if all(.[]; .type == "text") then said else [.[] | if .type == "text" then . else linked end] end)})
        end);
def openai: openai(jl_input);

# The edits of calls that did not fail, as diffs for git apply, with paths below the folder of the session. The log's own diff is taken
# where it has one; otherwise the lines of the edit stand for their place, which git looks for.
def patch(entries):
  def range_of($start; $count): if $count == 0 and $start == 1 then "0,0" else "\($start),\($count)" end;
  # A hunk from lines with their marks.
  def hunk($old; $new):
    "@@ -\(range_of($old; [.[] | select(startswith(" ") or startswith("-"))] | length)) +\(range_of($new; [.[] | select(startswith(" ") or startswith("+"))] | length)) @@", .[];
  def hunks_of_text: # the hunks of a diff
    split("\n") | (if .[-1] == "" then .[:-1] else . end) | . as $lines | [range(length) | select($lines[.] | startswith("@@ -"))][0] as $from | select($from != null) | $lines[$from:];
  def added($text): $text | if . == "" then [] else (if endswith("\n") then split("\n")[:-1] | map("+" + .) else (split("\n") | map("+" + .)) + ["\\ No newline at end of file"] end) end;
  # The lines by which a text becomes another, with three lines around.
  def change($old; $new):
    def lines: if . == "" then [] elif endswith("\n") then split("\n")[:-1] else split("\n") | .[-1] += "\n\\ No newline at end of file" end;
    def shared($a; $b): [$a, $b | length] | min as $most | first((range($most) | select($a[.] != $b[.])), $most);
    ($old | lines) as $a | ($new | lines) as $b | shared($a; $b) as $head
    | shared($a[$head:] | reverse; $b[$head:] | reverse) as $tail
    | ([$head - 3, 0] | max) as $from | ([$tail, 3] | min) as $after
    | [($a[$from:$head][] | " " + .), ($a[$head:($a | length) - $tail][] | "-" + .), ($b[$head:($b | length) - $tail][] | "+" + .), ($a[($a | length) - $tail:][:$after][] | " " + .)]
    | [hunk($from + 1; $from + 1)];
  def file($path; $old; $new): # the head of a file's diff
    "diff --git a/\($path) b/\($path)", (if $old then empty else "new file mode 100644" end), (if $new then empty else "deleted file mode 100644" end),
    (if $old then "--- a/\($path)" else "--- /dev/null" end), (if $new then "+++ b/\($path)" else "+++ /dev/null" end);
  def moved($path; $to):
    "diff --git a/\($path) b/\($to)", "rename from \($path)", "rename to \($to)", "--- a/\($path)", "+++ b/\($to)";
  # The text after edits; an edit whose place is not there changes nothing.
  def edited($edits): reduce $edits[] as $e (.; split($e.old)
    | if length < 2 then join($e.old) elif $e.all then join($e.new) else .[0] + $e.new + (.[1:] | join($e.old)) end);
  [foreach (jl_calls(entries; true) | select(.failed != true) | . as $call
      | ([.changes | objects | to_entries[] | {path: .key, change: .value}] | if . == [] then [$call | jl_touches | select(.action != "read")] else . end)[]
      | {call: $call, touch: ., path: (.path | gsub("\\\\"; "/"))}) as $t ({};
    .out = [] | .say = null
    | ($t.call.cwd // "" | gsub("\\\\"; "/") | rtrimstr("/")) as $cwd
    | ($t.path | ltrimstr("./") | jl_below($cwd)) as $path
    | ("text " + $path) as $key | .[$key] as $before | $t.touch as $touch | ([$t.call.told | objects][0] // {}) as $told
    | ([$told.structuredPatch | arrays][0] // []) as $structured
    | ([$told.diff | strings | hunks_of_text][0]) as $diff
    | if $path | test("\\A(/|[A-Za-z]:/|~|\\.\\./)|(\\A|/)\\.\\.(/|\\z)|[\\n\\t\"]") then .say = "\($t.path) is not below \($cwd)"
      elif $touch.change then
        ($touch.change | .type // (if .add then "add" elif .delete then "delete" else "update" end)) as $type
        | ($touch.change.content // jl_try($touch.change.add.content) // jl_try($touch.change.delete.content) // "") as $text
        | if $type == "add" then .out = [file($path; false; true), (added($text) | select(. != []) | hunk(1; 1))] | .[$key] = $text
          elif $type == "delete" then .out = [file($path; true; false), (added($text) | map(if startswith("+") then "-" + .[1:] else . end) | select(. != []) | hunk(1; 1))]
          else
            (($touch.change.unified_diff // jl_try($touch.change.update.unified_diff)) | strings | hunks_of_text) as $hunks
            | ($touch.change.move_path | strings // null) as $to
            | .out = (if $to then ($to | jl_below($cwd)) as $to
                      | [moved($path; $to)] else [file($path; true; true)] end) + $hunks
            | .[$key] = null
          end
      elif $structured != [] then
        .out = [file($path; true; true), ($structured[] | . as $h | "@@ -\(.oldStart),\(.oldLines) +\(.newStart),\(.newLines) @@", .lines[])]
        | .[$key] = (if $touch.content then $touch.content elif $before and $touch.edits then ($before | edited($touch.edits)) else null end)
      elif $diff then
        .out = [file($path; $told.diff | test("new file mode|--- /dev/null|(^|\\n)@@ -0,0 ") | not; true), $diff[]] | .[$key] = null
      elif $touch.action == "write" and ($touch.content or $touch.edits) then
        ($touch.content // $touch.edits[0].new) as $text
        | .out = (if $before != null then [file($path; true; true), change($before; $text)[]] | if length < 5 then [] else . end
          elif $told.type == "update" then [] else [file($path; false; true), (added($text) | select(. != []) | hunk(1; 1))] end)
        | (if $before == null and $told.type == "update" then .say = "what was in \($path) before is not in the log" else . end)
        | .[$key] = $text
      elif $touch.action == "write" and $touch.hunks then # *** Add File
        ($touch.hunks | split("\n") | map(select(startswith("+")))) as $lines
        | .out = [file($path; false; true), ($lines | select(. != []) | hunk(1; 1))] | .[$key] = ($lines | map(.[1:] + "\n") | join(""))
      elif $touch.hunks then # *** Update File
        ($touch.hunks | split("\n") | (if .[-1] == "" then .[:-1] else . end)) as $lines
        | ($lines | map(select(startswith("*** Move to: ")) | .[13:])[0]) as $to
        | (reduce ($lines[] | select(startswith("*** ") | not)) as $line ([];
            if $line | startswith("@@") then . + [[]] else (if . == [] then [[]] else . end) | .[-1] += [if $line == "" then " " else $line end] end)) as $hunks
        | .out = (if $to then [moved($path; $to)] else [file($path; true; true)] end)
            + [$hunks[] | select(. != []) | hunk(2; 2)]
        | .[$key] = null
      elif $touch.edits and $before != null then
        ($before | edited($touch.edits)) as $text
        | .out = ([change($before; $text)[]] | if length < 2 then [] else [file($path; true; true)] + . end) | .[$key] = $text
      elif $touch.edits then
        .out = [file($path; true; true), ($touch.edits[] | [jl_diff(.old; .new)] | hunk(2; 2))]
      elif $touch.action == "delete" then .say = "what was in \($path), which was deleted, is not in the log"
      else .say = "the change of \($path) is not in the log" end;
    .out[], (.say | strings | "jl.jq: patch: \(.)" | jl_line(300) | jl_say))][];
def patch: patch(jl_input);

# --- Of the list: rows of jlrel --list ---

# A session as one line: its last time, the beginning of its id, the agent, the project and the title, with tabs between them.
def sessions:
  def when: [.lastTimestamp, .lastModified, .createdAt | select(. != null)][0] | jl_when | jl_seconds | if . then floor | strflocaltime("%Y-%m-%d %H:%M") else "" end;
  [when, (.sessionId | jl_name // "" | .[:8]), (.agent // "claude"), (.cwd | jl_name // "" | split("/") | map(select(. != "")) | .[-1] // ""), (.customTitle // .summary // .firstPrompt)]
  | map(jl_name // "" | jl_line(80)) | join("\t");

# The command that goes on with a session, for a shell. For an agent that has none, it is named, and there is no command.
def resume:
  (.sessionId | jl_name) as $id
  | {claude: ["claude", "--resume", $id], openclaude: ["openclaude", "--resume", $id], codex: ["codex", "resume", $id], gemini: ["gemini", "--resume", $id], copilot: ["copilot", "--resume=\($id)"],
     qwen: ["qwen", "--resume", $id], pi: ["pi", "--session", .path], omp: ["omp", "--session", .path], grok: ["grok", "--resume", $id], cursor: ["cursor-agent", "--resume=\($id)"],
     opencode: ["opencode", "--session", $id], kimi: ["kimi", "--session", $id], droid: ["droid", "--resume", $id], trae: ["trae", "resume", $id]}[.agent // "claude"] as $command
  | if $command == null then "jl.jq: no command is known that goes on with a session of \(.agent | jl_name)" | jl_line(300) | jl_say
    else (if .cwd then "cd \(.cwd | jl_name | @sh) && " else "" end) + ($command | map(jl_name | if test("\\A[A-Za-z0-9=-]+\\z") and . != $id then . else @sh end) | join(" ")) end;
