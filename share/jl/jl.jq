# Questions about a conversation, for jq 1.6, 1.7, 1.8 and gojq. jl.jq(7) has each function with its rows and an example, and says
# whose logs are known. As ~/.jq, or in a folder ~/.jq, every jq finds them.
#
# What begins with jl_ is for this file alone. Three things keep the four jqs equal: what this file tries is collected
# before it is passed on, because the try and the ? of jq 1.6 also catch what fails after them; expressions have no
# lookahead; and the members of an object are written in the order of their names, as gojq has them.
#
# To start, jq 1.6 goes through all of this file for each definition of its own and each at the top of this file, and again for
# each step in a chain of those that a program does not need. So what one function needs is in it, and what calls others is at
# the end; and names are values, as in jl_is, because a value is one thing to go through, whatever it holds.

# --- Texts and times ---

# Applies f where a condition holds.
def jl_if(condition; f): if condition then f else . end;

# A text as a terminal may show it: a carriage return is a line break, and controls, those of the upper half too, and
# what turns the direction of writing are escapes.
def jl_shown:
  jl_if(test("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x{9f}\\x{61c}\\x{200e}\\x{200f}\\x{2028}-\\x{202e}\\x{2066}-\\x{2069}]");
    split("\r\n") | join("\n") | split("\r") | join("\n")
    | [explode[] as $c
        | if ($c < 32 and $c != 9 and $c != 10) or ($c > 126 and $c < 160) or $c == 1564 or $c == 8206 or $c == 8207
            or ($c > 8231 and $c < 8239) or ($c > 8293 and $c < 8298) then
            92, 117, ((4096, 256, 16, 1) as $of | ($c / $of | floor) % 16 | if . < 10 then . + 48 else . + 87 end)
          else $c end]
    | implode);

# The first n characters of a text, on one line.
def jl_line(n):
  .[:2 * n] | jl_shown | jl_if(test("[\\t\\n\\x{a0}]|  |^ "); gsub("[ \\t\\n\\x{a0}]+"; " ") | ltrimstr(" "))
  | jl_if(length > n; .[:n - 1] + "…");

# Writes a message as one line of standard error. The stderr of jq 1.6 knows no line breaks.
def jl_say: "jl.jq: \(.)" | jl_line(300) | if builtins | index("pick/1") then "\(.)\n" | stderr else debug end | empty;

def jl_filled: select(test("[^ \\t\\r\\n]"));
def jl_end: sub("[ \\t\\r\\n]+\\z"; "");
def jl_trim: sub("\\A[ \\t\\r\\n]+"; "") | jl_end;

# A value as JSON, the same in every jq.
def jl_json:
  def sorted:
    if type == "object" then . as $of | reduce (keys[]) as $key ({}; .[$key] = ($of[$key] | sorted))
    elif type == "array" then map(sorted) else . end;
  sorted | tojson;

# What f finds, or null, also where f cannot look. A condition is never empty.
def jl_try(f): [f?][0];

# The first member of these names that is not null; and whether a value is one of these.
def jl_first($names): . as $of | [$names[] | $of[.] | select(. != null)][0];
def jl_is($values): [.] - $values == [];

# A name or an id, which is a text.
def jl_name: if type == "string" or . == null then . else jl_json end;

# What an entry is called in a message.
def jl_kind: if type == "object" then .type // .kind // .role // "unknown" | jl_name else "a \(type)" end;

# A time as ISO 8601: agents also write seconds or milliseconds since 1970. What is no time is null.
def jl_when:
  if type == "string" or . == null then .
  elif type == "number" then
    jl_if(. > 100000000000; . / 1000) as $s
    | if $s >= 0 and $s < 253402300800 then
        ($s | floor | todate) as $date | (($s - ($s | floor)) * 1000 | round) as $ms
        | if $ms > 0 and $ms < 1000 then $date[:19] + ".\($ms + 1000 | tostring | .[1:])Z" else $date end
      else null end
  else null end;

# The seconds since 1970 of such a time, null if it cannot be read.
def jl_seconds:
  if type != "string" or length < 19 then null
  else
    [try (("\(.[:10])T\(.[11:19])Z" | strptime("%Y-%m-%dT%H:%M:%SZ") | mktime) as $s | .[19:]
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

# Whether an entry of this type says nothing.
def jl_silent:
  test("\\A(agent-(color|name|setting)|agent_(end|metadata|start)|(active_goal|api-request|artifact-|conversation_reset|marble-origami-).*"
    + "|active_tools_change|atis-latch|attribution-snapshot|auth_status|backend_tool_call|bridge-session|content-replacement|continued-in"
    + "|control_(request|response)|cost-state|custom|ended-by-model|file-history-(delta|snapshot)|fork-context-ref|frame-link|item[.](started|updated)"
    + "|keep_alive|label|last-prompt|leaf|message_(start|update)|mode|permission-mode|pr-link|progress|prompt_suggestion|queue_update"
    + "|rate_limit_event|relocated|session_info_changed|speculation-accept|step_start|stream_event|tag|task-summary|thinking_level_change"
    + "|thread[.]started|tool_(execution_(start|update|end)|progress|use_summary)|tools-used|turn_(end|ended|start)|turn[.]started|worktree-state)\\z");

# The entries, in the form of Claude Code's, that an entry holds. Settings that others log once become entries of the type
# session; a capture's own total, of the type total; and what no branch reads, of the type unread.
def jl_entry:
  (.type | strings // "") as $type
  | def entry($type): {type: $type, timestamp: (.timestamp | jl_when), uuid: (.uuid // .id)};
  def message($role; content): entry($role) + {message: {id, role: $role, content: [content]}};
  def thought(f): message("assistant"; {type: "thinking", thinking: f});
  def failure(f): message("assistant"; {type: "text", text: (f // "" | jl_name)}) + {isApiErrorMessage: true};
  def boundary: entry("system") + {subtype: "compact_boundary"};
  def title(f): {type: "custom-title", customTitle: f};
  def session: entry("session");
  def unread: entry("unread") + {name: jl_kind};
  def silent: empty;
  def call($id; $name; $input):
    {type: "tool_use", id: $id, name: $name, input: (($input | strings | fromjson? | objects) // $input // {})};
  def result($id; $failed; content): {type: "tool_result", tool_use_id: $id, is_error: $failed, content: content};
  # The result that an object is, whatever it calls its members.
  def outcome($id; blocks):
    result($id; .is_error == true or .isError == true or (.status | jl_is(["error", "failed"]));
      jl_first(["content", "output", "result", "value", "error", "message"])
      | if type == "array" then [blocks] elif type == "object" then jl_json else . end);
  def diff(f): {toolUseResult: {diff: [jl_try(f) | strings][0]}};
  def image($type; $data): {type: "image", source: {type: "base64", media_type: ($type // "image/png"), data: $data}};
  def linked: # an image at an address
    if type == "string" and startswith("data:") then image(.[5:] | split(";")[0]; split(",")[1])
    else {type: "image", source: {type: "url", url: .}} end;

  # The blocks of a content, in the forms that all agents have.
  def blocks:
    if type == "string" then {type: "text", text: .} elif type == "array" then .[] | blocks elif type != "object" then empty
    else
      ({text: 1, input_text: 1, output_text: 1, tool_use: 2, toolUse: 2, "tool-call": 2, toolCall: 2, toolRequest: 2, tool_call: 2,
        function_call: 2, tool_result: 3, toolResult: 3, "tool-result": 3, toolResponse: 3, tool_response: 3, function_result: 3,
        image: 4, input_image: 4, image_url: 4, thinking: 5, think: 5, reasoning: 5}[.type // .kind // "" | jl_name]) as $form
      | ([.data | objects][0] // .) as $in
      | if .functionCall then .functionCall | call(.id; .name; .args)
        elif .functionResponse then
          .functionResponse | result(.id; jl_try(.response.error) != null; .response | jl_try(.error // .output) // jl_json)
        elif .inlineData or .fileData then image(.inlineData.mimeType; .inlineData.data)
        elif $form == 5 or .thought == true then {type: "thinking", thinking: jl_first(["thinking", "think", "reasoning", "text", "data"])}
        elif $form == 4 then
          if .source then . elif .image_url then .image_url | (jl_try(.url) // .) | linked else image(.mimeType // .media_type; .data) end
        elif $form == 3 then
          ($in | jl_first(["tool_use_id", "toolUseId", "toolCallId", "tool_call_id", "call_id", "callId", "id"])) as $id
          | ($id // .id) as $id | $in.toolResult // $in | outcome($id; blocks)
        elif $form == 2 then
          (jl_try($in.toolCall.value) // $in.function // $in) as $of
          | call(($in | jl_first(["id", "toolUseId", "toolCallId", "call_id", "callID"])) // .id;
              $of | jl_first(["name", "toolName", "tool"]) // "tool";
              $of | jl_first(["input", "args", "arguments", "parameters", "rawInput"]))
        else .text // (.data | strings) // .content | if type == "string" then {type: "text", text: .} elif $form == 1 then empty else blocks end end
    end;
  def user(f): message("user"; f | blocks);
  def assistant(f): message("assistant"; f | blocks);

  # The input of other agents includes what the cache read and wrote.
  def tokens:
    def figure($names): jl_first($names) | numbers // 0;
    figure(["cached_input_tokens", "cacheReadTokens", "cached_content_token_count", "cachedContentTokenCount", "cached"]) as $read
    | figure(["cacheWriteTokens"]) as $write
    | figure(["input_tokens", "inputTokens", "input_token_count", "promptTokenCount", "prompt_tokens", "prompt", "input"]) as $input
    | {input_tokens: ([$input - $read - $write, 0] | max), cache_read_input_tokens: $read, cache_creation_input_tokens: $write,
       output_tokens: (figure(["output_tokens", "outputTokens", "output_token_count", "completion_tokens", "candidates", "output"])
         + figure(["thoughts", "thoughts_token_count"]))};
  # Where it does not.
  def tokens($input; $output; $read; $write):
    {input_tokens: .[$input], output_tokens: .[$output], cache_read_input_tokens: .[$read], cache_creation_input_tokens: .[$write]};
  # A capture's total: a running one counts once, with its last figures.
  def total($session; $model; usage): entry("total") + {sessionId: $session, message: {model: $model, usage: usage}};
  # Adds to a message the tokens of a usage, if there is one.
  def used($usage; f): jl_if($usage; .message.usage = ($usage | f));

  # Codex says prompts and answers twice: the prompts, without what Codex puts in, are those of event_msg, and the answers those of
  # response_item. Its counts of tokens are known by their total, which only grows; newer releases also
  # record the tokens of each response, before they count them.
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
    | if $type == "session_meta" then
        ($p | .parent_thread_id // jl_try(.source.subagent.thread_spawn.parent_thread_id)) as $parent
        | session + {id: $p.id, sessionId: ($parent // $p.id), copies: (if $p.history_base then null else $p.forked_from_id // $parent end), cwd: $p.cwd}
      elif $type == "turn_context" then session + ($p | {cwd, model})
      elif $type == "compacted" then boundary
      elif $type == "token_usage_record" then
        entry("assistant") + {recorded: ($p.thread_token_usage | tojson), message: {id: $p.response_id, usage: ($p.usage | tokens)}}
      elif $type == "event_msg" then
        if $kind == "user_message" or jl_try($p.item.type) == "UserMessage" then
          jl_try($p.item.content) as $content
          | message("user"; (($p.message, $content) | jl_if(type == "array"; map(select(jl_try(.image_url // .path) | not))) | blocks),
              (($p.images | arrays[]), ($content | arrays[] | .image_url? // empty) | linked),
              (($p.local_images | arrays[]), ($content | arrays[] | .path? // empty) | {type: "image", source: {type: "file", path: .}}))
        elif $kind == "token_count" then
          entry("assistant") + {counted: true} + ($p.info | objects | .last_token_usage as $last | select($last)
            | {message: {id: (.total_token_usage // . | tojson), usage: ($last | tokens)}})
        elif $kind | jl_is(["error", "stream_error"]) then failure($p.message)
        elif $kind == "turn_aborted" then failure("turn aborted: \($p.reason)")
        elif $kind == "patch_apply_end" then entry("changes") + {call: $p.call_id, changes: ($p | select(.success != false).changes)}
        elif $kind | test("\\A(agent_(message|reasoning(_raw_content|_section_break)?)|background_event|context_compacted|deprecation_notice|sub_agent_activity|plan_update|session_configured|turn_diff|thread_(rolled_back|name_updated|settings_applied|goal_updated)|undo_completed|item_completed|(entered|exited)_review_mode|model_reroute|view_image_tool_call|raw_response_item|skills_update_available|.*_(begin|end|delta|started|complete|updated|request|response))\\z") then silent
        else unread end
      elif $type != "response_item" then silent
      elif $kind == "reasoning" then thought([$p.summary | arrays[].text? | strings] | join("\n"))
      elif $kind == "message" then select($p.role == "assistant") | assistant($p.content)
      elif $kind == "agent_message" then # an agent's task is what the agent above it wrote
        select($p | (.recipient // "") | startswith(($p.author // "") + "/")) | user($p.content)
      elif $kind | endswith("_call") then
        message("assistant"; $p | call(.call_id // .id; .name // ($kind | rtrimstr("_call")); .arguments // .input // .action))
      elif $kind | test("_(output|result)\\z") then
        ($p.output // $p.result | json) as $output | message("user"; result($p.call_id; ($output | failed) // false; $output | output))
      elif $kind | jl_is(["ghost_snapshot", "compaction", "context_compaction", "compaction_trigger"]) then silent
      else unread end;

  # Copilot CLI logs the output tokens of each message, and at the end all tokens of the run; newer releases the tokens of each
  # request, and at the end those of all runs.
  def copilot:
    .data as $d
    | if $type | jl_is(["session.start", "session.resume"]) then
        session + {cwd: jl_try($d.context.cwd), model: $d.selectedModel}
        + if $d.sessionId then $d | {id: .sessionId, sessionId} else {} end
      elif $type == "session.model_change" then session + {model: $d.newModel}
      elif $type == "session.compaction_complete" then select($d.success) | boundary
      elif $type == "user.message" then
        select($d.source // "" | jl_name | test("^(skill|system|instruction)") | not)
        | message("user"; ($d.content | blocks),
            ($d.attachments | arrays[] | select(jl_try(.mimeType) // "" | startswith("image/")) | image(.mimeType; .data)))
      elif $type == "assistant.message" then
        message("assistant"; ($d.reasoningText | strings | select(. != "") | {type: "thinking", thinking: .}), ($d.content | blocks),
          ($d.toolRequests | arrays[] | call(.toolCallId; .name; .arguments)))
        | .message += {id: ($d.apiCallId // $d.messageId // .uuid), model: $d.model}
        | used($d.outputTokens; {output_tokens: .})
      elif $type == "tool.execution_complete" then
        message("user"; result($d.toolCallId; $d.success == false or (jl_try($d.shellExecution.exitCode) // 0) != 0;
          $d | jl_try(.error.message) // jl_try(.result.content) // ""))
        + diff($d.result.detailedContent | strings | select(test("(^|\\n)@@ -")))
      elif $type == "session.error" then failure($d.message)
      elif $type == "abort" then failure("turn aborted: \($d.reason)")
      elif $type == "session.usage_record" then
        $d.usage as $u | entry("assistant") + {message: {id: ($u.apiCallId // .id), model: $u.model, usage: ($u | tokens)}}
      elif $type == "session.shutdown" and $d.accountingSnapshot == null then
        entry("assistant") + {run: true} + ($d.modelMetrics // {} | to_entries[] | {message: {model: .key, usage: (.value.usage | tokens)}})
        | .message.id = "\(.uuid) \(.message.model)"
      elif $type | test("^(abort|assistant|hook|permission|session|subagent|system|tool)[.]|^(user_input|elicitation|pending|exit_plan_mode|command|skill|model|capabilities|mcp|external_tool|sampling)[._]") then silent
      else unread end
      + if .agentId then {isSidechain: true} else {} end;

  # Gemini CLI keeps calls and their results in a message; parts may repeat them. A $set of messages replaces the list: of a
  # stream, what was said before under the same id is left out.
  def gemini($told):
    # The parts of a content, without the calls, or their results, of these ids.
    def without(part; $ids):
      jl_if(type == "array"; map(select(jl_try(part) | . == null or (.id as $id | $ids and ($ids | index([$id]) == null)))));
    if ."$set" then
      ."$set" | objects
      | [.messages | arrays[].toolCalls? | arrays[].id] as $ids
      | (select(.messages) | entry("row") + {row: {list: true}}),
        (.messages | arrays | reduce (.[] | objects) as $m ([{}, []];
            if $m.id and .[0][$m.id] then . else [(.[0] | jl_if($m.id; .[$m.id] = true)), .[1] + [$m]] end) | .[1][] | gemini($ids) | .listed = true),
        title(.summary | strings)
    elif ."$rewindTo" then silent
    elif .startTime then session + {id: .sessionId, sessionId, cwd: jl_try(.directories[0]), timestamp: .startTime}
    elif .type == "user" then
      user(.content | without(.functionResponse; $told))
      | jl_if(any(.message.content[].text? | strings; startswith("<state_snapshot>")); boundary, (.isCompactSummary = true))
    elif .type == "gemini" then
      . as $entry | [.toolCalls | arrays[]] as $calls
      | (message("assistant";
            (.thoughts | arrays[] | objects | [.subject, .description | strings] | join("\n") | {type: "thinking", thinking: .}),
            (.content | without(.functionCall; [$calls[].id]) | blocks),
            ($calls[] | call(.id; .name; .args))) | .message.model = $entry.model | used($entry.tokens; tokens)),
        ($calls[] as $call | ($call.status | jl_is(["error", "cancelled"])) as $failed
          | [$call.result | blocks | result($call.id; $failed or .is_error == true; .content // .text // "")]
          | jl_if(. == [] and $failed; [result($call.id; true; $call.status)]) | select(. != []) as $results
          | $entry | message("user"; $results[]) + diff($call.resultDisplay.fileDiff))
    elif .type == "error" then failure([.content | blocks.text] | join("\n"))
    elif .type | jl_is(["info", "warning"]) then silent
    else unread end;

  # Qwen Code has the entries of Claude Code and the messages of Gemini CLI. Its records of requests count all of them.
  def qwen:
    . as $entry
    | if .subtype == "chat_compression" then .subtype = "compact_boundary"
      elif .subtype == "custom_title" then title(jl_try(.systemPayload | .customTitle // .title))
      elif .subtype == "ui_telemetry" then
        jl_try(.systemPayload.uiEvent) | objects | select(."event.name" | strings | endswith("api_response")) as $event
        | $entry | entry("total") + {sessionId, cwd, request: true, message: {id: .uuid, model: ($event.model // .model), usage: ($event | tokens)}}
      elif $type == "system" then silent
      else
        ($type == "tool_result" and (.isError == true or jl_try(.toolCallResult.status) == "error")) as $failed
        | .type |= jl_if(. == "tool_result"; "user")
        | . + diff(.toolCallResult.resultDisplay.fileDiff)
        | .message = {id: .uuid, model, role: .type,
            content: [.message.parts | blocks | jl_if($failed and .type == "tool_result"; .is_error = true)]}
        | used($entry.usageMetadata; ((.candidatesTokenCount // 0) + (.thoughtsTokenCount // 0)) as $output
            # Some models count the thoughts among the candidates.
            | .output = if (.totalTokenCount // infinite) < (.promptTokenCount // 0) + $output then .candidatesTokenCount else $output end
            | tokens)
      end;

  # In what pi prints, message_end has the whole of a message.
  def pi:
    if $type | jl_is(["session", "session_start"]) then session + {id, sessionId: .id, cwd}
    elif $type == "model_change" then session + {model: .modelId}
    elif $type == "session_info" then title(.name)
    elif $type == "compaction" then boundary, (user(.summary) | .isCompactSummary = true)
    elif $type == "branch_summary" then user(.summary) | .isCompactSummary = true
    elif $type == "custom_message" then select(.display == true) | entry("row") + {row: {is: "member", name: (.customType | jl_name), text: ([.content | blocks.text | strings] | join("\n"))}}
    elif $type | jl_is(["message", "message_end"]) then
      .message as $m | .timestamp = (.timestamp // $m.timestamp)
      | if $m.role == "toolResult" then
          message("user"; $m | result(.toolCallId; .isError; [.content | blocks])) + diff($m.details.patch)
        elif $m.role == "bashExecution" then
          entry("row") + {row: ($m | {is: "shell", command: (.command | jl_name), text: (.output | jl_name // ""), failed: (.cancelled == true or (.exitCode // 0) != 0)})}
        elif $m.role | jl_is(["user", "assistant"]) then
          message($m.role; $m.content | blocks)
          | .message += {id: "\(.uuid) \(.timestamp)", model: $m.model} # a fork keeps both
          | used($m.usage; tokens("input"; "output"; "cacheRead"; "cacheWrite"))
        elif $m.role | jl_is(["custom", "system", "branchSummary", "compactionSummary"]) then silent
        else unread end,
        (select($m.stopReason == "error") | failure($m.errorMessage))
    elif $type | jl_silent then silent
    else unread end;

  def deepseek:
    .data as $d | .timestamp = (.time // .time0 | jl_when)
    | if $type == "session" then session + {id, sessionId: ((select(.origin == "subagent") | .parentSession) // .id), cwd}
      elif $type == "session/title" then title($d.title)
      elif $type == "user/message" then
        if jl_try($d.source.plugin) == "compact" then boundary
        else user($d.content) | .isMeta = (jl_try($d.source.kind) // "user" | . != "user") end
      elif $type == "assistant/message" then
        assistant($d.message.content)
        | .message += {id: ($d.message.id // .timestamp), model: jl_try($d.message.source.model)}
        | used($d.usage; tokens)
      elif $type == "tool/result" then user($d.message.content)
      elif $type | test("^(agent|approval|request|session|step|subagent|tool|turn)/|chunk") then silent
      else unread end;

  def grok:
    (.params // .) as $p | ($p.update // {}) as $u | $u.sessionUpdate as $is
    | if $is == "user_message_chunk" then user($u.content)
      elif $is == "agent_message_chunk" then assistant($u.content)
      elif $is == "agent_thought_chunk" then thought(jl_try($u.content.text))
      elif $is == "tool_call" then message("assistant"; $u | call(.toolCallId; .title // .kind; .rawInput))
      elif $is == "tool_call_update" then
        select($u.status | jl_is(["completed", "failed"]))
        | message("user"; $u | result(.toolCallId; .status == "failed"; [.content | arrays[] | jl_try(.content) // . | blocks]))
      elif $is == "compaction_checkpoint" then boundary
      elif $is | jl_is(["plan", "available_commands_update", "current_mode_update", "rewind_marker", null]) then silent
      else unread + {name: ($is | jl_name)} end
    | .sessionId = $p.sessionId;

  # What codex exec --json prints. Its usage is that of the whole thread so far.
  def codex_exec:
    .item as $i
    | if $type == "thread.started" then session + {id: .thread_id, sessionId: .thread_id}
      elif $type == "turn.completed" then .usage as $u | total(null; null; $u | tokens)
      elif $type | jl_is(["turn.failed", "error"]) then failure((.error | objects.message) // .message)
      elif $type != "item.completed" then silent
      elif $i.type == "agent_message" then assistant($i.text)
      elif $i.type == "reasoning" then thought($i.text)
      elif $i.type == "user_message" then user($i.text // $i.content)
      elif $i.type == "error" then failure($i.message)
      elif $i.type then
        message("assistant"; $i | if .type == "command_execution" then call(.id; "shell"; {command})
           elif .type == "file_change" then call(.id; "apply_patch"; {changes})
           elif .type == "todo_list" then call(.id; "update_plan"; {plan: [.items | arrays[] | {step: .text, status: (if .completed then "completed" else "pending" end)}]})
           else call(.id; .tool // .type; .arguments // del(.id, .type, .status, .result, .error, .agents_states)) end),
        message("user"; $i | result(.id; .status == "failed" or (.exit_code // 0) != 0;
            .aggregated_output // jl_try(.error.message) // (jl_try(.result.content) | if . then [blocks] else null end)
            // ([.agents_states | objects | .[] | objects.message | strings] | join("\n"))))
      else unread end;

  # What opencode run --format json prints.
  def opencode:
    .part as $p | .sessionID as $session
    | if $type == "text" then assistant($p.text)
      elif $type == "reasoning" then thought($p.text)
      elif $type == "tool_use" then
        ($p.state | objects) as $s
        | (message("assistant"; $p | call(.callID; .tool; $s.input)) | .timestamp = (jl_try($s.time.start) // .timestamp | jl_when)),
          (select($s.status | jl_is(["completed", "error"])) | message("user"; result($p.callID; $s.status == "error"; $s.error // $s.output // "")))
      elif $type == "step_finish" then
        entry("assistant") + {message: {id: $p.id, usage: ($p.tokens // {} | {input_tokens: .input, output_tokens: ((.output // 0) + (.reasoning // 0)),
          cache_read_input_tokens: jl_try(.cache.read), cache_creation_input_tokens: jl_try(.cache.write)})}}
      elif $type == "error" then failure(.error | jl_try(.data.message) // jl_try(.message // .name) // jl_json)
      elif $type == "step_start" then silent
      else unread end
    | .sessionId = $session;

  # What gemini and cursor-agent print with --output-format stream-json. An answer comes in pieces.
  def stream:
    (.session_id // .sessionId) as $session
    | if $type == "init" then session + {id: $session, sessionId: $session, model}
      elif $type == "message" then message(.role; .content | blocks) | .delta = true
      elif $type == "tool_use" then message("assistant"; call(.tool_id; .tool_name; .parameters))
      elif $type == "tool_result" then message("user"; result(.tool_id; .status == "error"; .output // jl_try(.error.message) // ""))
      elif $type == "tool_call" then
        (.tool_call | objects | to_entries[0]) as $c
        | if .subtype == "started" then message("assistant"; call(.call_id; $c.key | sub("ToolCall\\z"; ""); jl_try($c.value.args) // $c.value))
          else jl_try($c.value.result) as $r
            | message("user"; result(.call_id; ($r | type == "object" and (has("success") | not));
                $r | jl_if(type == "object"; .success // .error // .failure // .rejected // .)
                | jl_if(type == "object"; .content // .stdout // .message // .errorMessage // jl_json)
                | if type == "string" then . else jl_json end)) end
      elif $type == "thinking" then select(.text | strings | . != "") | thought(.text) | .delta = true
      else unread end
    | .sessionId = $session;

  # The last line of a capture, or all of it: its own total, what failed, and the answer again.
  def end_of_capture:
    (.session_id // .sessionId) as $session | . as $capture
    | (select(.is_error == true or .status == "error" or (.subtype // "" | jl_name | startswith("error")))
        | failure([.result, jl_try(.error.message), .error, (.errors | arrays | map(jl_name) | join("\n")), .subtype | strings | select(. != "")][0])),
      (select(.result | strings | . != "") | select(.is_error != true) | assistant(.result) | .again = true),
      (if .modelUsage | type == "object" and . != {} then
         .modelUsage | to_entries[] as $model
         | $capture | total($session; $model.key; $model.value
             | tokens("inputTokens"; "outputTokens"; "cacheReadInputTokens"; "cacheCreationInputTokens")
               + {cache_creation: {ephemeral_1h_input_tokens: .cacheCreationEphemeral1hInputTokens}})
       elif jl_try(.stats.models) | type == "object" then
         .stats.models | to_entries[] as $model | $capture | total($session; $model.key; $model.value | (jl_try(.tokens) // .) | tokens)
       elif jl_try(.stats.input_tokens) then total($session; null; $capture.stats | tokens)
       elif jl_try(.usage.inputTokens) then
         total($session; null; $capture.usage | tokens("inputTokens"; "outputTokens"; "cacheReadTokens"; "cacheWriteTokens"))
       elif jl_try(.usage.input_tokens) then total($session; null; $capture.usage)
       else empty end)
    | .sessionId = $session;

  # Whatever has a role and a content: what the interfaces of models have, also in other objects.
  def plain:
    . as $entry
    | [., (.["message", "payload", "data", "item", "event", "msg", "record", "params"]
        | objects | ., (.["message", "payload", "data", "part"] | objects))] as $in
    | [($in[] | select(jl_first(["content", "text", "think", "parts", "output", "user_input", "tool_calls", "result", "return_value", "arguments", "args",
        "input", "action", "function", "summary", "thinking", "message_id"]) != null)), ($in[] | select(.usage | type == "object"))][0] as $m
    | [first((select(.step_index != null and .source == "MODEL" and .type != "PLANNER_RESPONSE") | "toolresult"),
        ($in[] | .["role", "type", "kind", "sender", "author", "source"]) | strings | ascii_downcase | gsub("[^a-z]"; "") as $name
        | {user: "user|human|prompt|user(message|input|prompt|explicit|msg)|turnbegin",
           assistant: "assistant|model|ai|agent|bot|llm|(assistant|agent)message|assistant(msg|text)|contentpart|plannerresponse",
           result: "tool|function|tool(results?|response|message)|(tool|function)callresult|functionresult|(tool|function|customtool|localshell)calloutput",
           call: "(tool|function|customtool|localshell)call|tooluse", thinking: "think|thinking|reasoning", usage: "usagerecord",
           none: "turnprompt|meta|metadata|configupdate|toolssetactivetools|permissionsetmode|step(begin|end)|system(message|prompt)?|conversationhistory|developer|checkpoint|usage"}
        | to_entries[] | select(.value as $names | $name | test("\\A(\($names))\\z")).key)][0] as $role
    | .timestamp = ([$in[] | .["timestamp", "created_at", "createdAt", "created", "time", "ts"], jl_try(.meta.timestamp) | strings, numbers][0] | jl_when)
    | jl_first(["session_id", "sessionId", "sessionID", "conversation_id", "conversationId"]) as $session
    | if $role == "none" then silent
      elif $role == null or $m == null then unread
      else
        ($m | jl_first(["call_id", "tool_call_id", "callId", "toolCallId", "tool_use_id", "toolUseId", "id"])) as $call
        | ($m | jl_first(["content", "text", "parts", "user_input", "output", "result", "summary"])
            // if .think then {type: "think", think} else null end) as $content
        | if $role == "usage" then entry("assistant") + {message: {content: []}}
          elif $role == "call" then
            ($m.function // $m) as $f
            | message("assistant"; call($call; $f.name // $m.toolName // $m.tool // ($entry.type | jl_name | rtrimstr("_call"));
                ($f | jl_first(["arguments", "input", "parameters", "args"])) // $m.action // {}))
          elif $role == "thinking" then thought($content | if type == "string" then . else [blocks | .text // .thinking] | join("\n") end)
          else
            [$content | blocks] as $blocks
            | if $role == "result" and all($blocks[]; .type != "tool_result") then
                message("user"; $m.return_value // $m | outcome($call; blocks))
              else
                message(if $role == "result" then "user" else $role end; $blocks[],
                  ($m.reasoning_content, $m.thinking | strings | select(. != "") | {type: "thinking", thinking: .}),
                  ($m.tool_calls | arrays[] | call(.id; .name // jl_try(.function.name); .arguments // jl_try(.function.arguments) // .args)))
              end
          end
        | .message.model = ([$m.model, $m.model_id, $entry.model | strings][0])
        | ([$m, $entry | .usage // empty | objects][0]) as $usage
        | jl_if(.type == "assistant"; used($usage;
            if .inputOther then tokens("inputOther"; "output"; "inputCacheRead"; "inputCacheCreation")
            elif .prompt_tokens then .cached = jl_try(.prompt_tokens_details.cached_tokens) | tokens else . end))
        | jl_if($session; .sessionId = $session)
        | jl_if($m.isMeta == true or $entry.isMeta == true; .isMeta = true)
      end;

  if type != "object" then {type: "unread", name: "a \(type)"}
  elif .offset != null and .length != null then unread + {name: "an edge of jltree"}
  elif jl_try(.message.parts) or .systemPayload then qwen
  elif $type == "result" and (.subtype or .status or .session_id or .stats) then end_of_capture
  elif .pastedContents and (.display | type == "string") then user(.display) + {sessionId, cwd: .project} # a line of history.jsonl
  elif .uuid != null and (.payload | type != "object") then .
  elif .payload | type == "object" then
    if $type | jl_is(["session_meta", "turn_context", "response_item", "event_msg", "compacted", "token_usage_record", "world_state", "inter_agent_communication_metadata"]) then codex else plain end
  elif ."$set" or ."$rewindTo" or .startTime or (.id and .content and ($type | jl_is(["user", "gemini", "error", "info", "warning"]))) then gemini(null) | .listed = .listed == true
  elif jl_try(.params.update) or jl_try(.update.sessionUpdate) then grok
  elif $type | test("^(thread|turn|item)[.]") then codex_exec
  elif .sessionID and (.part or .error) then opencode
  elif $type == "error" and .message and (.id | not) then codex_exec
  elif $type == "init" or ($type == "message" and .role and (.content | type == "string") and .timestamp and (.id | not))
    or ($type == "tool_use" or $type == "tool_result") and .tool_id or $type == "tool_call" and .tool_call or ($type == "thinking" and .subtype) then stream
  elif (.data | type == "object") and ($type | test("[.]|^abort$")) then copilot
  elif (.seq or .seq0 or .createdAt) and ($type | test("/|-chunks$|^session$")) then deepseek
  elif ($type == "message" and .role) or ($type | test("^(function|custom_tool|local_shell|tool)_(call|result)(_output|_result)?$")) then plain
  elif $type | jl_is(["session", "message", "session_start", "message_end"]) then pi
  elif (.message | type == "object") and ($type | jl_is(["user", "assistant", "system"])) then .
  elif .role or (.content and ($type | jl_is(["user", "assistant", "tool_result"]))) then plain
  elif $type == "custom" or ($type | jl_silent) then silent
  elif (has("instructions") and .id) and .type == null or .record_type then silent # the first lines of an old log of Codex
  elif .type == null and .timestamp and has("instructions") then session + {id, sessionId: .id} # Codex of 2025
  elif .id and .timestamp and ($type | jl_is(["model_change", "session_info", "compaction", "branch_summary", "custom_message"])) then pi
  elif $type != "" and (.sessionId or .session_id or .leafUuid or .messageId or .hash) then .
  else plain end;

# --- What an entry says ---

# The rows of an entry, or of each entry of an array. One that cannot be read costs itself.
def jl_read($full):
  # The tags that clients are known to put into the text of a prompt, as internal/shape/prompt.go has them; * stands for any end of
  # a name. What is between those of inserted was not typed; unwrapped are around what was typed. Other tags are words.
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

  # A text without the elements of inserted, and without the tags of unwrapped. An element ends at the first end tag of its name; a
  # tag without one is text.
  def stripped:
    def tag: [capture("\\A/?(?<name>permissions instructions|[A-Za-z][A-Za-z0-9_-]*)([ \\t\\r\\n][^>]*)?>").name][0];
    def wraps: . as $name | tags.unwrapped | index($name);
    def known: . as $name | any(tags.inserted[]; if endswith("*") then .[:-1] as $begin | $name | startswith($begin) else . == $name end);
    jl_if(contains("</");
      split("<") as $pieces
      # The last end tag of each name.
      | (reduce range(1; $pieces | length) as $i ({}; jl_if($pieces[$i] | startswith("/"); ($pieces[$i] | tag) as $name | jl_if($name; .[$name] = $i)))
        | with_entries(select(.key | wraps or known))) as $ends
      | jl_if($ends != {};
          [$pieces[0],
            foreach range(1; $pieces | length) as $i ({};
              $pieces[$i] as $piece | ($piece | startswith("/")) as $closes
              | ($piece | if test("\\A/?[A-Za-z]") then tag else null end) as $name
              | (if $name then $piece | split(">")[1:] | join(">") else null end) as $after
              | .out = "<" + $piece
              | if .element then
                  if $closes and $name == .element then .out = $after | .element = null else .out = null end
                elif $name == null or $ends[$name] == null then .
                elif $name | wraps then
                  if $closes then jl_if(.open[$name]; .open[$name] = null | .out = $after)
                  else jl_if($ends[$name] > $i; .open[$name] = true | .out = $after) end
                elif $closes or $ends[$name] < $i then .
                else .element = $name | .out = null end;
              .out // empty)]
          | join("")));

  # The text of the first element of that name, or "".
  def tagged($name):
    if contains("<\($name)>") then split("<\($name)>")[1] | if contains("</\($name)>") then split("</\($name)>")[0] | jl_trim else "" end
    else "" end;

  def interrupted: startswith("[Request interrupted by user");
  # What a person typed in a text. A command for the client, which has its name first, is nothing without arguments.
  def typed:
    . as $text | stripped
    | if . == $text then . else jl_trim end
    | jl_if(($text | contains("</command-name>")) and . != $text;
        . as $rest | ($text | tagged("command-name")) as $name | ($text | tagged("command-args")) as $args
        | [if $args != "" then "\($name) \($args)"
           elif $text | split("<command-name>")[0] | contains("<command-message>") then $name else empty end, $rest | select(. != "")]
        | join("\n"))
    | jl_if(interrupted; "");

  # The blocks of a message.
  def blocks:
    .message | objects | .content | if type == "string" then {type: "text", text: .} else arrays[] | objects end;

  # The rows of an entry. {queued: TEXT}, a prompt that is put into the queue, is for streams alone. With $full, rows have the id of
  # the message and the pictures themselves, too.
  def rows:
    # A sidechain in the log of its session is not the conversation of this log.
    def foreign: (.isSidechain == true and .agentId == null) or .parent_tool_use_id != null;
    def picture: .type == "image" or .type == "document";
    def words: [blocks.text? | strings] | join("\n");
    def texts: if type == "array" then [.[] | objects | .text // .tool_name | strings] | join("\n") elif . == null then "" else jl_name end;
    # What the client tells the model in the name of the user, and what is of others than the user.
    def notices:
      if interrupted then {is: "error", text: .}
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
    def pictures($pictures): if $full then {pictures: $pictures} else {} end;
    def prompt(content):
      if .isCompactSummary == true then {is: "summary", text: words}
      elif .isMeta or .isVisibleInTranscriptOnly or foreign then empty
      else
        (.isSidechain == true and .parentUuid == null) as $task
        | [content]
        | (.[].text? | strings | notices),
          (map(select(picture)) as $pictures
          | {is: "prompt", images: ($pictures | length),
             text: (map(.text? | strings | if $task then . else typed end | jl_filled) | join("\n"))}
            + pictures($pictures)
          | select(.text != "" or .images > 0))
      end;
    def result:
      [.content | arrays | .. | objects | select(picture)] as $pictures
      | {is: "result", call: (.tool_use_id | jl_name), failed: (.is_error == true), text: (.content | texts), images: ($pictures | length)} + pictures($pictures);
    # What a person typed where the client asked: why a call is refused, an answer that is not made of those offered, and notes.
    def replies($told):
      (if .is_error == true then .content | texts | select(startswith("The user doesn't want to")) | split("the user said:\n")[1:] | join("the user said:\n")
       else $told | objects | (.answers | objects) as $answers | .annotations as $notes | .questions | arrays[] | objects
         | ([.options | arrays[] | objects.label | strings | select(. != "") | "\"\(.)\"", .] | sort_by(-length)) as $offered
         | (.question | strings) as $question
         | ($answers[$question] | strings | select(reduce $offered[] as $words (.; split($words) | join("")) | test("[^, ]"))),
           (jl_try($notes[$question].notes) | strings) end) as $text
      | select(($text | test("[^ \\t\\r\\n]")) and ($text | startswith("The user wants to clarify these questions.") | not))
      | {is: "prompt", call: (.tool_use_id | jl_name), images: 0, text: $text};
    def title(text; $rank): if text | type == "string" then {is: "title", text: text, rank: $rank} else {unread: "a title that is no text"} end;
    def said($is): . as $text | select(strings | jl_filled) | {is: $is, text: $text};
    def cause: jl_try(.message // .error) // . | jl_name;
    (if .type == "user" then prompt(blocks | select(.type != "tool_result")), ((.toolUseResult // .tool_use_result) as $told | blocks | select(.type == "tool_result") | result, replies($told))
     elif .type == "assistant" then
       if .isApiErrorMessage == true then {is: "error", text: words}
       else
         (.message.model | if . == "<synthetic>" then null else jl_name end) as $model | . as $entry
         | blocks
         | (if .type == "text" then .text | said("answer") + {model: $model}
            elif .type == "thinking" then .thinking | said("thinking") + {model: $model}
            elif .type == "tool_use" then {is: "call", id: (.id | jl_name), name: (.name | jl_name // "tool"), input, model: $model}
            elif .type == "tool_result" then result
            else empty end)
           + (if $full then {message: $entry.message.id} else {} end)
           + (if $entry.delta then {delta: true} elif $entry.again then {again: true} else {} end)
       end
     elif .type == "attachment" then
       .attachment as $a
       | if jl_try($a.type) == "queued_command" then select($a.isMeta | not) | .message = {content: $a.prompt} | prompt(blocks)
         elif jl_try($a.type) | jl_is(["hook_blocking_error", "hook_non_blocking_error", "hook_stopped_continuation"]) then
           {is: "hook", name: ($a.hookName | jl_name), failed: true,
             text: ([jl_try($a.blockingError.blockingError), $a.blockingError, $a.message, $a.stderr, $a.stdout, $a.content, $a.reason, $a.command | strings | select(. != "")][0] // "")}
         else empty end
     elif .type == "system" then
       if .subtype == "compact_boundary" then {is: "compaction"}
       elif .subtype == "api_error" then {is: "error", text: (.error | cause)}
       elif .subtype == "task_notification" and .tool_use_id then
         {is: "task", call: (.tool_use_id | jl_name), failed: (.status == "failed"), images: 0, text: (.summary | strings // "")}
       elif .subtype == "stop_hook_summary" then
         {is: "hook", name: "Stop", failed: true, text: (.hookErrors | arrays[] | cause)}
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
     elif .type == "unread" then {unread: .name}
     elif .type == "total" or (.type | jl_name // "" | jl_silent) then empty
     else {unread: (.type | jl_name // "unknown")} end) as $said
    | {timestamp: (.timestamp | jl_when), uuid: (.uuid // .id), cwd: (.cwd | strings // null),
       session: (.agentId // (select(.type == "session") | .id) // .sessionId // .session_id | jl_name)} + $said
    + if .listed == null then {} else {listed} end
    + if $full and $said.is == "result" then {told: [.toolUseResult // .tool_use_result | objects][0]} else {} end;

  . as $entry
  | if type == "array" then .[] | jl_read($full)
    elif type == "object" and .type == "progress" then empty
    else [try (jl_entry | rows) catch {unread: "\($entry | jl_kind): \(.)"}][] end;

# All entries of the input.
def jl_input: jl_if(type == "array"; .[]), inputs;

# The entries; an error where jq has read the first one itself, for want of -n.
def jl_all(entries):
  if type == "object" and (.type or .message or .role or .payload or .sessionId or .kind) then
    . as $first
    | foreach (entries, null) as $entry (0; . + 1;
        if . == 1 and $entry != $first then error("jl.jq: the first entry is left out: use jq -n") else $entry | select(. != null) end)
  else entries end;

# One line for each log about what was not read: {LOG: {WHAT: HOW MANY}}.
def jl_report:
  to_entries[] | [.value[]] as $counts
  | "\(if .key == "null" then "the input" else .key end): \($counts | add) \(if ($counts | add) == 1 then "entry is" else "entries are" end) not read: \(
      [[.value | to_entries[] | [-.value, .key]] | sort[:5][] | "\(.[1])\(if .[0] < -1 then " (\(-.[0]))" else "" end)"] | join(", "))\(
      if ($counts | length) > 5 then ", …" else "" end)" | jl_say;

# The rows of a stream of entries, with what the log told before, and the number of the session. Pieces of a text are joined. A
# prompt that was taken from the queue waits until it is known whether another entry says it again.
def jl_rows(entries; $full):
  def flush: jl_if(.held; .out += .held | .held = null);
  def join_pieces: jl_if(.piece; .out += [.piece] | .last = .piece.text | .piece = null);
  foreach ((jl_all(entries) | jl_read($full)), null) as $row ({number: 0};
    .out = []
    | if $row == null then join_pieces | flush
      elif $row.unread then .unread["\(.session)"][$row.unread] += 1
      elif $row.list then .list += 1
      elif $row.listed and (.listed[$row.uuid] // .list) != .list then .
      elif $row.queued then .base[$row.queued] = (.seen[$row.queued] // 0)
      else
        jl_if($row.session and .session != $row.session;
           jl_if(.session; join_pieces | flush | .number += 1 | .cwd = null | .model = null) | .session = $row.session)
        | jl_if($row.cwd; .cwd = $row.cwd)
        | jl_if($row.listed != null and $row.uuid; .listed[$row.uuid] = (.list // 0))
        | ($row + {cwd, session, number} | jl_if(.listed != null; del(.listed))) as $r
        | jl_if(.piece and ($row.delta and $row.is == .piece.is | not); join_pieces)
        | if $row.is == "prompt" then
            if $row.removed then
              if (.seen[$row.text] // 0) > (.base[$row.text] // 0) then .base[$row.text] += 1
              else .held += [$r | del(.removed)] end
            else
              .seen[$row.text] += 1
              | (if .held then
                   # It was taken from the queue and is said again; those before it were not.
                   .held as $held | ([range($held | length) | select($held[.].text == $row.text)][0] // ($held | length)) as $at
                   | .out += $held[:$at] | .held = ($held[$at + 1:] | jl_if(. == []; null))
                 else . end)
              | .out += [$r]
            end
          else
            jl_if(.held and ($row.is != "result"); flush)
            | if $row.delta then .piece = (if .piece then .piece | .text += $row.text else $r | del(.delta) end)
              elif $row.again then if .last == $row.text then . else .out += [$r | del(.again)] end
              elif $row.is == "session" then jl_if($row.model; .model = $row.model) | .out += [$r + {model}]
              elif $row.is == "answer" then .last = $row.text | .out += [$r]
              else .out += [$r] end
          end
      end;
    .out[], (select($row == null) | .unread // {} | jl_report));

# What an entry says, one row for each thing.
def said:
  jl_read(false)
  | if .is then if .again then empty elif .removed or .delta or .listed != null then del(.removed, .delta, .listed) else . end
    elif .unread then "not read: \(.unread)" | jl_say
    else empty end;

# --- Lists of what was said ---

# The texts of rows of these kinds.
def jl_texts($kinds): select(.is | jl_is($kinds)).text | select(. != "") | jl_shown;

# Whether a row is of a call, a request to the model, a hook or a command that failed.
def jl_failed: .is == "error" or .failed == true;

# For the call at place i in an array of rows, "of i" has the places of its results, and i those of results that have a call, which
# is the last of its id.
def jl_pairs:
  . as $rows
  | reduce range(length) as $i ({};
      $rows[$i] as $row
      | if $row.is == "call" then jl_if($row.id; .["call \($row.number) \($row.id)"] = $i)
        elif ($row.is == "result" or $row.is == "task") and $row.call then
          .["call \($row.number) \($row.call)"] as $call
          | if $call == null then . else .["of \($call)"] += [$i] | .["\($i)"] = true end
        else . end);

# Each call with its result; told and changes are for patches.
def jl_calls(rows):
  [rows | select((.is | jl_is(["call", "result", "task"])) or .changes)]
  | . as $rows | jl_pairs as $pairs
  | (reduce ($rows[] | select(.changes and .call)) as $row ({}; .["\($row.number) \($row.call)"] = $row.changes)) as $changes
  | range(length) as $i | $rows[$i] | select(.is == "call")
  | [$pairs["of \($i)"] | arrays[] | $rows[.]] as $results | $results[-1] as $last
  | (if $last then (.timestamp | jl_seconds) as $from | ($last.timestamp | jl_seconds) as $to
       | if $from and $to then ($to - $from) * 1000 | round / 1000 else null end else null end) as $seconds
  | {timestamp, uuid, session, cwd, id, name, input, result: $last.text, failed: (if $last then $last.failed else null end), seconds: $seconds,
     told: [$results[].told | objects][0], changes: $changes["\(.number) \(.id)"]};

# The patch of Codex that an input is or holds, null if there is none.
def jl_codex_patch:
  [if type == "string" then . elif type == "object" then .input, .patch, .patchText, (.command, .cmd | jl_if(type == "array"; .[])) else empty end
   | strings | select(contains("*** Begin Patch"))][0]
  | if . then "*** Begin Patch" + (split("*** Begin Patch")[1] | split("*** End Patch")[0]) else null end;

# What a call does to files: {action, path}, and the texts of an edit or a write.
def jl_touches:
  def some($names): [.[$names[]] | strings][0];
  (.name | jl_name // "" | ascii_downcase | gsub("[^a-z]"; "")) as $name | (.input | jl_codex_patch) as $patch
  | if $patch then
      $patch | split("\n*** ")[1:][]
      | capture("\\A(?<action>Add|Update|Delete) File: (?<path>[^\\n]*)(?<body>[^\\x00]*)") as $file
      | {action: {Add: "write", Update: "edit", Delete: "delete"}[$file.action], path: ($file.path | jl_trim), hunks: ($file.body | ltrimstr("\n"))}
    else
      .input | objects
      | some(["file_path", "filePath", "path", "notebook_path", "absolute_path", "target_file", "filename"]) as $path
      | [.command | strings | select(test("\\A[a-z_]+\\z"))][0] as $command
      | [., (.edits | arrays[] | objects) | {old: some(["old_string", "old_str", "oldText", "oldString", "oldStr"]), new: (some(["new_string", "new_str", "newText", "newString", "newStr"]) // ""),
            all: (.replace_all == true or .replaceAll == true)}
          | select(.old != null)] as $edits
      | some(["content", "file_text", "contents", "fileText", "new_source"]) as $content
      | if .changes | type == "array" then
          .changes[] | objects | {action: ({add: "write", delete: "delete"}[.kind | jl_name // ""] // "edit"), path: (.path | strings)}
        elif $path == null then
          (select($name | test("read")) | (.paths, .files, .absolute_paths | arrays[] | jl_if(type == "object"; .path)), (.operations | arrays[] | objects.path) | strings
            | {action: "read", path: .})
        elif $edits != [] then {action: (if $edits == [{old: "", new: $edits[0].new, all: $edits[0].all}] then "write" else "edit" end), path: $path, edits: $edits}
        elif $content != null and ($command | jl_is([null, "create", "write"])) then {action: "write", path: $path, content: $content}
        else
          ($name | if $command | jl_is(["view", "read"]) then "read"
            elif ($command | jl_is(["insert", "append"])) then "edit"
            elif test("delete|remove|unlink") then "delete"
            elif test("write|create") then "write"
            elif test("edit|replace|patch|insert") then "edit"
            elif test("read|view|open") and (test("list|dir|ls\\z") | not) then "read" else empty end)
          | {action: ., path: $path}
        end
    end;

def jl_files(rows): jl_calls(rows) | . as $call | jl_touches | $call + . | {timestamp, session, cwd, action, path, name, failed};

# The last list of what there is to do of each session, with the tasks that were made and changed one by one.
def jl_todos(rows):
  def status:
    {done: "completed", complete: "completed", todo_status_completed: "completed", active: "in_progress", todo_status_in_progress: "in_progress"} as $names
    | jl_name // "pending" | ascii_downcase | $names[.] // .;
  reduce (jl_calls(rows) | select(.failed != true)) as $call ([];
    ([$call.input | objects][0] // {}) as $in
    | (map(.session == $call.session) | index(true) // length) as $at | .[$at].session = $call.session
    | ([$in["todos", "plan", "items", "todoList"] | arrays][0]
        // [$in.todos | strings | split("\n")[] | capture("\\A *[-*] \\[(?<done>[ xX])\\] (?<text>.*)") | .status = if .done == " " then "pending" else "completed" end]) as $list
    | if $list != [] and ($call.name | test("todo|plan"; "i")) then
        .[$at].list = [$list[] | objects | {id: (.id | jl_name), text: [(.["content", "step", "text", "description", "title"] | strings), ""][0], status: (.status | status)}]
      elif $call.name == "TaskCreate" and $in.subject then
        .[$at].list += [{id: ([$call.result // "" | capture("#(?<id>[0-9]+)").id][0] // "\((.[$at].list | length) + 1)"), text: ($in.subject | jl_name), status: "pending"}]
      elif $call.name == "TaskUpdate" and $in.taskId then
        .[$at].list |= [.[]? | jl_if(.id == ($in.taskId | jl_name);
            jl_if($in.status; .status = ($in.status | status)) | jl_if($in.subject; .text = ($in.subject | jl_name)))
          | select(.status != "deleted")]
      else . end)
  | .[] | {session} + (.list // [] | .[]);

# The seconds in which something happened; a pause is at most five minutes.
def active(entries):
  reduce (jl_all(entries) | [try (jl_if(type == "array"; .[]) | jl_entry) catch empty][] | select(.timestamp)
      | {session: (.agentId // .sessionId // .session_id | jl_name), at: (.timestamp | jl_seconds)} | select(.at)) as $e ({sum: 0};
    ("at \($e.session)") as $key | .[$key] as $before
    | jl_if($before and $e.at > $before; .sum += ([$e.at - $before, 300] | min))
    | jl_if($before == null or $e.at > $before; .[$key] = $e.at))
  | .sum | . * 1000 | round / 1000;

# --- Tokens ---

# What f makes of a message, as members of a row.
def jl_by(f): f | if type == "object" then . else {by: .} end;

# The tokens of messages, added up for each value of f. A message that several entries or logs have counts once, with its greatest
# figures. Where a log has totals of its own, its messages take nothing.
def usage_by(f; entries):
  def figure: numbers // 0;
  def total: .input + .output + .cacheWrite + .cacheRead;
  # What the log has told: where it belongs, what its beginning is a copy of, and the output of each model in this run.
  def told($entry):
    if $entry.type == "session" then
      if $entry.id == null or $entry.id == .id then . + ($entry | {cwd, model} | with_entries(select(.value)))
      elif $entry.id == .copies then . + {root: $entry.id, copies: $entry.copies}
      else {types, unread} + ($entry | {id, root: .id, copies, session: .sessionId, cwd, model}) end
    elif $entry.recorded then .recorded = $entry.recorded
    elif $entry.run then .outputs[$entry.message.model, "null"] = 0
    elif $entry.type == "assistant" then
      jl_if($entry.message.usage.input_tokens == null;
        .outputs["\($entry.message.model // .model)"] += ($entry.message.usage.output_tokens | figure))
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
  | [foreach ((jl_all(entries) | jl_if(type == "array"; .[])
      | if type != "object" or .uuid == null or .type == "assistant" or .type == "result" or .systemPayload then
          . as $entry | [try jl_entry catch {type: "unread", name: "\($entry | jl_kind): \(.)"}][]
        elif $asks and .type == "user" and (.toolUseResult | type == "object" and .agentId != null) then {types: [try asked catch empty][]}
        elif .type == "system" then select(.subtype == "init")
        else empty end
      | select(.types or (.type | jl_is(["session", "unread"])) or .subtype == "init" or (.type | jl_is(["assistant", "total"])) and (jl_try(.message.usage) | type == "object"))),
      null) as $entry ({};
      .out = null
      | if $entry == null then .
        elif $entry.types then .types += $entry.types
        elif $entry.type == "unread" then .unread["\(.session)"][$entry.name // "unknown"] += 1
        elif $entry.type == "system" then .cwd = $entry.cwd | .session = $entry.session_id
        else
          # Of the total of a run, the messages before it have told a part.
          .rest = [select($entry.run) | [($entry.message.usage.output_tokens | figure) - ([.outputs["\($entry.message.model)", "null"] | figure] | add), 0] | max][0]
          | jl_if($asks and $entry.agentId == null and $entry.type == "assistant"; [try ($entry | asked) catch empty] as $asked | if $asked == [] then . else .types += ($asked | add) end)
          | .count as $count | told($entry) | .count = $count + 1 | jl_if($entry.timestamp; .time = ($entry.timestamp | jl_when))
          | . as $log
          | jl_if($entry.type != "session" and $entry.message.model != "<synthetic>" and ($entry.counted and $entry.message.id == .recorded | not); .out = ($entry | message($log; $log.rest)))
        end;
      if .out then .out elif $entry == null then {types: (.types // {})}, (.unread // {} | jl_report) else empty end)]
  | .[-1].types as $types | .[:-1]
  # The sessions that have totals, and those that have messages.
  | (reduce .[] as $m ({}; .["\($m.total)"]["\($m.session)"] = true)) as $sessions
  | group_by(.key) | map(max_by(total) + (min_by([.copy, .time]) | {time, project, branch, session, agentId}))
  | map(if .total then . elif $sessions["true"]["\(.session)"] then . + {input: 0, output: 0, cacheWrite: 0, cacheWrite1h: 0, cacheRead: 0} else . end)
  # The day of each minute: to work out the day of each time takes long.
  | ([.[].time | strings | select(endswith("Z")) | .[:16]] | unique | map({key: (. + "Z"), value: (. + ":00Z" | jl_day)}) | from_entries) as $days
  | (group_by(.session) | map(min_by(.time) | {key: "\(.session)", value: .project}) | from_entries) as $projects
  | map(jl_if(.session; .project = $projects["\(.session)"])
      | .day = (if .time == null then null else $days[.time[:16] + .time[19:][-1:]] end // (.time | jl_day))
      | jl_if($asks and .agentType == null and .agentId; .agentType = ($types["agent \(.agentId)"] | jl_if(type == "object"; $types[.call])))
      | . as $message | {by: ($message | jl_by(f)), message: $message})
  | ([.[0] | objects.message | unknown] | unique) as $unknown
  | jl_if($unknown != [];
      error("jl.jq: usage_by: \($unknown | join(", ")): not one of model, day, time, project, branch, session, agentId, agentType and skill"))
  | group_by(.by)[]
  | .[0].by + {messages: (map(.message | select((.run | not) and ((.total | not) or ($sessions["null"]["\(.session)"] | not)))) | length),
      input: sum(.input), output: sum(.output), cacheWrite: sum(.cacheWrite), cacheWrite5m: sum(.cacheWrite - .cacheWrite1h),
      cacheWrite1h: sum(.cacheWrite1h), cacheRead: sum(.cacheRead)};

# The price of a row of usage, and its cost to the sixth place; null for a model without one.
def jl_price(prices): .model // "" | jl_name | . as $model | [prices | to_entries[] | select((.value | type == "object") and (.key as $name | $model | startswith($name))) | [(.key | length), .value]] | max[1];
def cost(prices):
  . as $row
  | if has("model") then jl_price(prices) | if . == null then null else [to_entries[] | (.value | numbers) * ($row[.key] // 0)] | add // 0 | . * 1 | round / 1000000 end
    else error("jl.jq: cost: the row has no model: usage_by({day, model}), or cost_by({day}; prices)") end;

# What rows of usage cost together. A model without a price is named.
def jl_cost(prices; usage):
  def used: .input + .output + .cacheWrite + .cacheRead > 0;
  (prices) as $prices | [usage]
  | ([.[] | select(jl_price($prices) == null and used).model] | unique) as $unknown
  | (select($unknown != []) | "no price for \($unknown | map("\(.)") | join(", "))" | jl_say),
    (group_by(.by)[]
     | [.[] | select(used) | {model, cost: cost($prices)}] as $costs
     | [$costs[] | select(.cost == null).model] as $unpriced
     | .[0].by + {dollars: ([$costs[].cost | numbers] | if . == [] and $unpriced != [] then null else (add // 0) * 1000000 | round / 1000000 end)}
       + if $unpriced == [] then {} else {unpriced: $unpriced} end);

# --- To read ---

# A path below the folder of the project.
def jl_below($cwd): jl_if($cwd and startswith($cwd + "/"); .[$cwd | length + 1:]);

# What a call is about: a command, what a search looks for, files, or the first words of the rest.
def jl_about:
  def within($cwd): jl_below($cwd) | jl_if(length > 80; "…" + .[-79:]); # the end of a long path
  .cwd as $cwd | .input
  | (if type == "string" or (type == "object" and (.patch or .patchText or .input)) then jl_codex_patch else null end) as $patch
  | if $patch then [$patch | split("\n")[] | capture("^\\*\\*\\* (Update|Add|Delete) File: (?<of>.*)").of | within($cwd)] as $files
      | if $files == [] then $patch else $files | join(", ") end
    elif type == "string" then .
    elif type != "object" then jl_json
    else
      def one(names):
        [names | if type != "array" then . elif .[1] == "-lc" or .[1] == "-c" then .[2] else map(tostring) | join(" ") end
          | strings | select(. != "")][0];
      (.command | jl_if(jl_is(["view", "create", "str_replace", "insert"]); null)) as $command
      | one($command, .cmd, .pattern, .query)
      // ([one(.["file_path", "filePath", "path", "notebook_path", "absolute_path", "target_file", "dir_path"]) | select(. != null) | within($cwd)][0])
      // ([.changes | arrays[] | objects.path | strings | within($cwd)] | if . == [] then null else join(", ") end)
      // one(.url, .subject, .description, (.questions | arrays[] | objects.question))
      // ((.todos // .plan | arrays) as $steps | [$steps[] | objects | select(.status == "in_progress")] + $steps
          | .[0] | objects | .content // .step // .description | strings)
      // one(.todos, .plan, .prompt, ([.skill, (select(.skill) | .args) | strings] | join(" ")), .message)
      // jl_json
    end;

# The time of a row, to the second.
def jl_time: .timestamp | if type == "string" then .[:19] + "Z" | if test("\\A[-0-9T:. Z]*\\z") then . else jl_line(20) end else "" end;

# Who did or said what a row tells, and its text.
def jl_told:
  if .is == "prompt" then ["user", .text + if .images > 0 then " (image)" else "" end]
  elif .is == "answer" then ["assistant", .text]
  elif .is == "call" then [(.name | jl_line(60)), jl_about]
  elif .is == "shell" and .command then ["shell", (.command | jl_name)]
  elif .is == "member" then [(.name // "member" | jl_line(60)), .text]
  elif jl_failed then [(if .is == "hook" then "hook" else "error" end), .text]
  elif .is == "task" and .text != "" then ["task", .text]
  elif .is == "compaction" then ["compaction", ""]
  else empty end;

# A row as a line of the timeline, of 80 columns, and as text to read.
def jl_event: jl_time as $time | jl_told | (.[0] | 48 - 8 * (length / 8 | floor)) as $room | [$time, .[0], (.[1] | jl_line([$room, 20] | max))] | join("\t");

def jl_spoken:
  .is as $is | jl_told | .[0] as $who | .[1]
  | if $is == "prompt" then jl_shown | "\n> " + (split("\n") | join("\n> "))
    elif $is == "answer" then "\n" + (jl_shown | jl_end)
    elif $is == "shell" and $who == "shell" then "\n! " + jl_line(100)
    elif $is == "member" then "\n\($who): \(jl_shown)"
    elif $is == "compaction" then "\n(compaction)"
    else "- \($who): \(jl_line(100))" end;

def jl_lines: rtrimstr("\n") | if . == "" then [] else split("\n") end;

# A diff of two arrays of lines, with n lines around: where it begins, and its lines.
def jl_diff($a; $b; $n):
  def shared($a; $b): [$a, $b | length] | min as $most | first((range($most) | select($a[.] != $b[.])), $most);
  shared($a; $b) as $head | shared($a[$head:] | reverse; $b[$head:] | reverse) as $tail | ([$head - $n, 0] | max) as $from
  | [$from, ($a[$from:$head][] | " " + .), ($a[$head:($a | length) - $tail][] | "-" + .),
    ($b[$head:($b | length) - $tail][] | "+" + .), ($a[($a | length) - $tail:][:$n][] | " " + .)];
# What a call would change, as a text of diff lines for each edit or file.
def jl_changes:
  [.input | jl_codex_patch][0] as $patch
  | if $patch then $patch + "*** End Patch"
    else
      jl_touches | select(.action | jl_is(["edit", "write"]))
      | if .edits then .edits[] elif .content then {old: "", new: .content} else empty end
      | jl_diff(.old | jl_lines; .new | jl_lines; infinite)[1:] | join("\n")
    end;

# Title, times, folder and models of the rows of a session.
def jl_head:
  . as $all | [.[] | select(.is != "session" and .is != "title")] as $rows
  | [$rows[].timestamp | strings | .[:16] | sub("T"; " ") | jl_line(16)] as $times
  | {title: ([([.[] | select(.is == "title" and .text)] | max_by(.rank).text), ($rows[] | select(.is == "prompt").text), "Session"] | map(strings | jl_filled)[0] | jl_line(70)),
     times: (if $times == [] then null else $times[0] + ($times[-1] | if . == $times[0] then ""
       elif .[:10] == $times[0][:10] then "–" + .[11:] else " – " + . end) + " UTC" end),
     cwd: [$rows[].cwd | strings | jl_line(200)][0],
     models: (reduce ($all[].model | strings | jl_line(60)) as $model ([]; if index($model) then . else . + [$model] end))};

# The rows of each session in which something was said; an error if there is none.
def jl_sessions(rows):
  [reduce (rows | select(.is)) as $row ([]; .[$row.number] += [$row]) | .[] | select(. != null and any(.[]; .is | jl_is(["session", "title"]) | not))]
  | if . == [] then error("jl.jq: no conversation") else .[] end;

# The conversation as Markdown, with n lines of each result.
def jl_markdown(n; rows):
  def longest($mark): [match("\($mark)+"; "g").length] | max // 0;
  # A block of code, in a fence longer than any in it.
  def fenced($language):
    jl_shown | (if contains("```") then ("`" * (longest("`") + 1)) else "```" end) as $fence
    | "\($fence)\($language)\n\(sub("\n+\\z"; ""))\n\($fence)\n";
  def code: jl_line(200) | if contains("`") then ("`" * (longest("`") + 1)) as $ticks | "\($ticks) \(.) \($ticks)" else "`\(.)`" end;
  # A name within a line: no mark of Markdown in it counts.
  def plain: jl_line(70) | gsub("(?<mark>[\\\\`*\\[\\]<>])"; "\\\(.mark)");
  def quoted: "> " + (jl_shown | jl_end | split("\n") | join("\n> ")) + "\n";
  # Words of Markdown; a fence that stays open is closed behind them.
  def words:
    jl_shown
    | jl_if(contains("```") or contains("~~~");
        (reduce (split("\n")[] | capture("\\A {0,3}(?<fence>`{3,}|~{3,})(?<rest>.*)")) as $f (null;
          if . == null then if ($f.fence | startswith("`")) and ($f.rest | contains("`")) then null else $f.fence end
          elif (. as $open | $f.fence | startswith($open)) and ($f.rest | test("\\A[ \\t]*\\z")) then null
          else . end)) as $open
        | jl_if($open; . + "\n" + $open));
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
  def result: (select(.failed == true) | "*failed:*\n"), (.text | jl_filled | cut(fenced(""))), pictures;

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
  jl_sessions(rows) | head, body;

# The conversation as one HTML page, which needs nothing but itself: no script, no other file, no network.
def jl_html(rows):
  def esc: jl_name // "" | jl_shown | gsub("\u0000"; "") | @html;
  def name: jl_line(100) | @html;
  def block($class): jl_filled | "<pre class=\"\($class)\">\(esc)</pre>";
  def words: "<div class=\"words\">\(jl_trim | esc)</div>";
  def folded($class; $what): jl_filled
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
  [jl_sessions(rows)] as $all
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
# --- For programs ---

# The conversation as {role, blocks}, those of one role as one. The calls of a message come together, and the result of each next,
# if only one that says that there is none.
def jl_turns(rows):
  def id: gsub("[^A-Za-z0-9_-]"; "_");
  reduce (rows | select(.is)) as $row ([]; .[$row.number] += [$row]) | .[] | select(.)
  | . as $rows | jl_pairs as $pairs
  # The first row of each message; its other answers and calls follow there.
  | (reduce (range(length) | select($rows[.].is | . == "answer" or . == "call")) as $i ({};
      ($rows[$i].message | jl_name) as $message
      | if $message then .["\($message)"] += [$i] else .["row \($i)"] = [$i] end)) as $messages
  | (reduce ($messages[] | arrays) as $places ({}; .["\($places[0])"] = $places)) as $at
  | [range(length) as $i | $rows[$i]
      | if .is == "prompt" and .call then empty # the result has it
        elif (.is | jl_is(["prompt", "summary", "member"])) or (.is == "shell" and .command) then
          {role: "user", blocks: [(if .is == "shell" then "! \(.command)\n\(.text)" else .text end | jl_filled | {type: "text", text: .}), (.pictures // [])[],
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
  | jl_if(.[0].role == "assistant"; [{role: "user", blocks: [{type: "text", text: "(The beginning is not here.)"}]}] + .)
  # Those of one role as one; results come first.
  | reduce .[] as $turn ([]; if .[-1].role == $turn.role then .[-1].blocks += $turn.blocks else . + [$turn] end)
  | select(. != []);

# The messages of each session, as the Messages API takes them.
def jl_messages(rows):
  # A picture as the Messages API takes it, or words for it.
  def picture:
    .source as $of
    | if ($of | type == "object") and (($of.type == "base64" and $of.data and $of.media_type) or ($of.type == "url" and $of.url)) then
        {type: .type, source: (if $of.type == "base64" then $of | {type, media_type, data} else $of | {type, url} end)}
      else {type: "text", text: "(image)"} end;
  jl_turns(rows)
  | map({role, content: [.blocks | (.[] | select(.type == "tool_result")), (.[] | select(.type != "tool_result"))
      | if .type == "tool_result" then
          {type, tool_use_id, content: [(.text | jl_filled | {type: "text", text: .}), (.pictures[] | picture)]} + if .is_error then {is_error: true} else {} end
        elif .type == "image" or .type == "document" then picture else . end]});

# The same, as the Chat Completions API takes them.
def jl_openai(rows):
  def said: [.[] | select(.type == "text").text] | join("\n\n");
  def linked:
    [.source | objects | if .type == "base64" then "data:\(.media_type);base64,\(.data)" elif .type == "url" then .url else empty end]
    | if . == [] then {type: "text", text: "(image)"} else {type: "image_url", image_url: {url: .[0]}} end;
  jl_turns(rows)
  | map(.role as $role | .blocks
      | if $role == "assistant" then
          said as $said | [.[] | select(.type == "tool_use") | {id, type: "function", function: {name, arguments: (.input | jl_json)}}] as $calls
          | {role: "assistant", content: (if $said == "" then null else $said end)} + if $calls == [] then {} else {tool_calls: $calls} end
        else
          (.[] | select(.type == "tool_result") | {role: "tool", tool_call_id: .tool_use_id, content: (.text + if .pictures == [] then "" else "\n(image)" end)}),
          ([.[] | select(.type != "tool_result")] | select(. != [])
            | {role: "user", content: (if all(.[]; .type == "text") then said else [.[] | if .type == "text" then . else linked end] end)})
        end);

# The edits of calls that did not fail, as diffs for git apply: the log's own, or lines that stand for their place.
def jl_patch(rows):
  # Hunks from lines with their marks; none from none.
  def hunk($old; $new):
    def count($start; $mark): [.[] | select(test("\\A[ \($mark)]"))] | length | "\(if . == 0 and $start == 1 then 0 else $start end),\(.)";
    select(. != []) | "@@ -\(count($old; "-")) +\(count($new; "+")) @@", .[];
  def lines: split("\n") | jl_if(.[-1] == ""; .[:-1]);
  def hunks_of_text: # the hunks of a diff
    lines | . as $lines | [range(length) | select($lines[.] | startswith("@@ -"))][0] as $from | select($from != null) | $lines[$from:];
  def whole($text; $mark): # all lines of a text
    [$text | lines[] | $mark + .] + if $text | . == "" or endswith("\n") then [] else ["\\ No newline at end of file"] end | hunk(1; 1);
  def change($old; $new): # the lines by which a text becomes another, with three lines around
    def ended: . as $text | lines | if $text == "" or ($text | endswith("\n")) then . else .[-1] += "\n\\ No newline at end of file" end;
    jl_diff($old | ended; $new | ended; 3) | (.[0] + 1) as $at | .[1:] | hunk($at; $at);
  # The text after edits; an edit whose place is not there changes nothing.
  def edited($edits): reduce $edits[] as $e (.; split($e.old)
    | if length < 2 then join($e.old) elif $e.all then join($e.new) else .[0] + $e.new + (.[1:] | join($e.old)) end);
  [foreach (jl_calls(rows) | select(.failed != true) | . as $call
      | ([.changes | objects | to_entries[] | {path: .key, change: .value}] | jl_if(. == []; [$call | jl_touches | select(.action != "read")]))[]
      | {call: $call, touch: ., path: (.path | gsub("\\\\"; "/"))}) as $t ({};
    .out = [] | .say = null
    | ($t.call.cwd // "" | gsub("\\\\"; "/") | rtrimstr("/")) as $cwd
    | ($t.path | ltrimstr("./") | jl_below($cwd)) as $path
    | ("text " + $path) as $key | .[$key] as $before | $t.touch as $touch | ($t.call.told // {}) as $told
    | ([$told.structuredPatch | arrays][0] // []) as $structured
    | [$told.diff | strings | hunks_of_text][0] as $diff
    | def file($old; $new): # the head of its diff
        "diff --git a/\($path) b/\($path)", (if $old then empty else "new file mode 100644" end), (if $new then empty else "deleted file mode 100644" end),
        (if $old then "--- a/\($path)" else "--- /dev/null" end), (if $new then "+++ b/\($path)" else "+++ /dev/null" end);
      def becomes($text; lines): .out = [lines] | .[$key] = $text;
      def update($text; $to; lines): # or a move
        becomes($text; if $to then ($to | jl_below($cwd)) as $to
            | "diff --git a/\($path) b/\($to)", "rename from \($path)", "rename to \($to)", "--- a/\($path)", "+++ b/\($to)"
          else file(true; true) end, lines);
      def add($text): becomes($text; file(false; true), whole($text; "+"));
      def rewrite($text): becomes($text; [change($before; $text)] | select(. != []) | file(true; true), .[]);
      if $path | test("\\A(/|[A-Za-z]:/|~|\\.\\./)|(\\A|/)\\.\\.(/|\\z)|[\\n\\t\"]") then .say = "\($t.path) is not below \($cwd)"
      elif $touch.change then
        $touch.change as $of | ($of.type // if $of.add then "add" elif $of.delete then "delete" else "update" end) as $type
        | ($of.content // jl_try($of.add.content) // jl_try($of.delete.content) // "") as $text
        | if $type == "add" then add($text)
          elif $type == "delete" then becomes(.[$key]; file(true; false), whole($text; "-"))
          else update(null; $of.move_path | strings // null; $of.unified_diff // jl_try($of.update.unified_diff) | strings | hunks_of_text[]) end
      elif $structured != [] then
        update(if $touch.content then $touch.content elif $before and $touch.edits then $before | edited($touch.edits) else null end; null;
          $structured[] | "@@ -\(.oldStart),\(.oldLines) +\(.newStart),\(.newLines) @@", .lines[])
      elif $diff then
        becomes(null; file($told.diff | test("new file mode|--- /dev/null|(^|\\n)@@ -0,0 ") | not; true), $diff[])
      elif $touch.action == "write" and ($touch.content or $touch.edits) then
        ($touch.content // $touch.edits[0].new) as $text
        | if $before != null then rewrite($text)
          elif $told.type == "update" then .[$key] = $text | .say = "what was in \($path) before is not in the log"
          else add($text) end
      elif $touch.action == "write" and $touch.hunks then # *** Add File
        add([$touch.hunks | split("\n")[] | select(startswith("+")) | .[1:] + "\n"] | join(""))
      elif $touch.hunks then # *** Update File
        ($touch.hunks | lines) as $lines
        | (reduce ($lines[] | select(startswith("*** ") | not)) as $line ([];
            if $line | startswith("@@") then . + [[]] else jl_if(. == []; [[]]) | .[-1] += [if $line == "" then " " else $line end] end)) as $hunks
        | update(null; [$lines[] | select(startswith("*** Move to: ")) | .[13:]][0]; $hunks[] | hunk(2; 2))
      elif $touch.edits and $before != null then rewrite($before | edited($touch.edits))
      elif $touch.edits then .out = [file(true; true), ($touch.edits[] | jl_diff(.old | jl_lines; .new | jl_lines; infinite)[1:] | hunk(2; 2))]
      elif $touch.action == "delete" then .say = "what was in \($path), which was deleted, is not in the log"
      else .say = "the change of \($path) is not in the log" end;
    .out[], (.say | strings | "patch: \(.)" | jl_say))][];

# --- Of a stream of entries, and of the input ---

def said(entries): jl_rows(entries; false);
def prompts: said | jl_texts(["prompt"]);
def prompts(entries): said(entries) | jl_texts(["prompt"]);
def answers: said | jl_texts(["answer"]);
def answers(entries): said(entries) | jl_texts(["answer"]);
def text: said | jl_texts(["prompt", "answer"]);
def text(entries): said(entries) | jl_texts(["prompt", "answer"]);
# The calls of tools. The uuid is the id of the entry.
def tools: said | select(.is == "call") | {timestamp, uuid, id, name, input};
def tools(entries): said(entries) | select(.is == "call") | {timestamp, uuid, session, cwd, id, name, input};
def errors: said | select(jl_failed) | {timestamp, uuid, call, text};
def errors(entries):
  foreach (said(entries) | select(.is == "call" or jl_failed)) as $row ({};
    jl_if($row.is == "call" and $row.id; .[$row.id] = $row);
    if $row.is == "call" then empty
    else .[$row.call // ""] as $call | $row | {timestamp, uuid, session, cwd, call, name: ($call.name // .name), input: $call.input, text} end);
def timeline: said | jl_event;
def timeline(entries): said(entries) | jl_event;
def chat: said | jl_spoken;
def chat(entries): said(entries) | jl_spoken;
def calls: jl_calls(said(jl_input)) | del(.told, .changes);
def calls(entries): jl_calls(said(entries)) | del(.told, .changes);
def files: jl_files(said(jl_input));
def files(entries): jl_files(said(entries));
def todos: jl_todos(said(jl_input));
def todos(entries): jl_todos(said(entries));
def active: active(jl_input);
def usage_by(f): usage_by(f; jl_input);
def usage: usage_by({model}; jl_input);
def usage(entries): usage_by({model}; entries);
def cost_by(f; prices): jl_cost(prices; usage_by({by: jl_by(f), model}; jl_input));
def cost_by(f; prices; entries): jl_cost(prices; usage_by({by: jl_by(f), model}; entries));
def markdown: jl_markdown(20; said(jl_input));
# markdown(n) has a number of lines, markdown(entries) entries.
def markdown(x):
  . as $entry | [x] as $x
  | if ($x[0] | type) == "number" then jl_markdown($x[0]; said($entry | jl_input)) else jl_markdown(20; said($x[])) end;
def html: jl_html(jl_rows(jl_input; true));
def html(entries): jl_html(jl_rows(entries; true));
def messages: jl_messages(jl_rows(jl_input; true));
def messages(entries): jl_messages(jl_rows(entries; true));
def openai: jl_openai(jl_rows(jl_input; true));
def openai(entries): jl_openai(jl_rows(entries; true));
def patch: jl_patch(jl_rows(jl_input; true));
def patch(entries): jl_patch(jl_rows(entries; true));

# --- Of the list: rows of jlrel --list ---

# A session as one line.
def sessions:
  def when: [.lastTimestamp, .lastModified, .createdAt | select(. != null)][0] | jl_when | jl_seconds | if . then floor | strflocaltime("%Y-%m-%d %H:%M") else "" end;
  [when, (.sessionId | jl_name // "" | .[:8]), (.agent // "claude"), (.cwd | jl_name // "" | split("/") | map(select(. != "")) | .[-1] // ""), (.customTitle // .summary // .firstPrompt)]
  | map(jl_name // "" | jl_line(80)) | join("\t");

# The command that goes on with a session, for a shell.
def resume:
  (.agent // "claude") as $agent | (.sessionId | jl_name) as $id
  | {claude: "--resume", openclaude: "--resume", codex: "resume", gemini: "--resume", copilot: "--resume=", qwen: "--resume", pi: "--session", omp: "--session",
     grok: "--resume", cursor: "--resume=", opencode: "--session", kimi: "--session", droid: "--resume", trae: "resume"}[$agent] as $flag
  | if $flag == null then "no command is known that goes on with a session of \($agent | jl_name)" | jl_say
    else
      (if .cwd then "cd \(.cwd | jl_name | @sh) && " else "" end) + ([if $agent == "cursor" then "cursor-agent" else $agent end, if $flag | endswith("=") then "\($flag)\($id)" else $flag, if $agent | jl_is(["pi", "omp"]) then .path else $id end end]
      | map(jl_name | if test("\\A[A-Za-z0-9=-]+\\z") and . != $id then . else @sh end) | join(" "))
    end;
