# Makes a trajectory in the Agent Trajectory Interchange Format (ATIF) of the rows of one log:
#
#	jlpath -ts LOG | jq -n -f atif.jq > trajectory.json
#
# A prompt is a step of the user, and a message of the model with its calls and their results a step of the agent. The
# format has no place for more, such as hooks, compactions and what sub-agents did.
#
# The way back, without the totals:
#
#	jq -c '{session_id, model_name: .agent.model_name} + .steps[]' trajectory.json | jlpath -ts
def by(f): map({(f): .}) | add // {};
[inputs | select(.agentId == null and .isSidechain == null)] as $rows
| ([$rows[] | select(.is == "result" and (.call | type == "string"))] | by(.call)) as $results
| def of: (.message // .uuid) | tostring;
  ([$rows[] | select(.is == "usage")] | by(of)) as $usage
| def metrics: {prompt_tokens: (.input + .cacheRead + .cacheWrite), completion_tokens: .output, cached_tokens: .cacheRead};
  [foreach ($rows[], null) as $row ({};
      if $row == null then {out: .open}
      elif $row.is == "prompt" and $row.call == null then
        {out: .open, open: [$row]}
      elif {"answer":1,"thinking":1,"call":1}[$row.is // ""] then
        if .open[0].is != "prompt" and .open != null and (.open[0] | of) == ($row | of) then {open: (.open + [$row])} else {out: .open, open: [$row]} end
      else {open} end;
      .out | arrays)
    | .[0] as $first
    | if $first.is == "prompt" then {timestamp: $first.timestamp, source: "user", message: $first.text}
      else {timestamp: $first.timestamp, source: "agent", model_name: $first.model, message: ([.[] | select(.is == "answer").text] | join("\n"))}
        + ([.[] | select(.is == "thinking").text] | if . == [] then {} else {reasoning_content: join("\n")} end)
        + ([.[] | select(.is == "call")] | if . == [] then {} else
            {tool_calls: map({tool_call_id: .id, function_name: .name, arguments: .input}),
             observation: {results: [.[] | $results[.id | tostring] | objects | {source_call_id: .call, content: .text}]}} end)
        + ($usage[$first | of] | if . then {metrics: metrics} else {} end)
      end | with_entries(select(.value != null))] as $steps
| {schema_version: "ATIF-v1.6", session_id: ([$rows[].session | strings][0] // "unknown"),
   agent: ({name: "unknown", version: "unknown", model_name: [$rows[].model | strings][0]} | with_entries(select(.value != null))),
   steps: [$steps | to_entries[] | {step_id: (.key + 1)} + .value],
   final_metrics: ([$rows[] | select(.is == "usage") | metrics] | {total_prompt_tokens: (map(.prompt_tokens) | add // 0),
     total_completion_tokens: (map(.completion_tokens) | add // 0), total_cached_tokens: (map(.cached_tokens) | add // 0), total_steps: ($steps | length)})}
