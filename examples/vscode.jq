# Makes lines that jlpath reads of a chat of VS Code, a file of workspaceStorage/ID/chatSessions, .json or .jsonl:
#
#	jq -nc -f vscode.jq CHAT | jlpath -ts
#
# A file .jsonl has the changes of a JSON document, one a line, which are made again.
reduce inputs as $e (null;
  if ($e | has("requests")) then $e
  elif $e.kind == 0 then $e.v
  elif $e.kind == 1 then setpath($e.k; $e.v)
  elif $e.kind == 2 then setpath($e.k; (getpath($e.k) // [])[:$e.i] + ($e.v // []))
  else delpaths([$e.k]) end)
| .sessionId as $session | .requests[]
| {session_id: $session, timestamp: [.timestamp | numbers / 1000 | todate][0]} as $at
| $at + {role: "user", content: (.message | .text? // .)},
  $at + {role: "assistant", model: .modelId, content: [.response[]?
    | if .kind == null and (.value | type == "string") then {type: "text", text: .value}
      elif .kind == "thinking" then {type: "thinking", thinking: (.value | if type == "array" then join("\n") else . end)}
      elif .toolCallId then {type: "tool_use", id: .toolCallId, name: .toolId, input: {said: (.invocationMessage | .value? // .)}}
      else empty end]}
