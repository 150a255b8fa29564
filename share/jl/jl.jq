# Questions about rows of jlpath --said, for jq 1.6, 1.7, 1.8 and gojq. jl.jq(7) has each function with its rows and an example.
# What begins with jl_ is for this file alone. Three things keep the four jqs equal: nothing is passed on from within a try or a ?,
# because those of jq 1.6 also catch what fails after them; expressions have no lookahead; and no order of members counts.
#
# jq 1.6 copies an object within another one at each step, so a state that grows has one level of names. To start, it goes through
# all of this file for each definition at its top, and again for each step in a chain of them: they are few, and what is needed once
# is within. There //, and, if, try, \() and {a} weigh the most; calls and filters are light, and a constant weighs nothing.

# --- Texts, times and rows ---

def jl_if(condition; f): if condition then f else . end;
def jl_case(condition; f; g): if condition then f else g end;
def jl_or(f; g): f // g;
def jl_pick($names): . as $row | reduce $names[] as $name ({}; . + {($name): $row[$name]});

# A value with the members of its objects in the order of their names, the same in every jq.
def jl_sorted: jl_case(type == "object"; [keys[] as $key | {($key): (.[$key] | jl_sorted)}] | jl_or(add; {}); jl_if(type == "array"; map(jl_sorted)));

# A text as a terminal may show it: without colours, a carriage return is a line break, and controls, those of the upper half too, and
# what turns the direction of writing are escapes.
def jl_shown:
  jl_if(type != "string"; jl_case(. == null; ""; jl_sorted | tojson))
  | jl_if(test("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x{9f}\\x{61c}\\x{200e}\\x{200f}\\x{2028}-\\x{202e}\\x{2066}-\\x{2069}]");
    {"0":"0000","1":"0001","2":"0002","3":"0003","4":"0004","5":"0005","6":"0006","7":"0007","8":"0008","11":"000b","12":"000c","14":"000e","15":"000f","16":"0010","17":"0011","18":"0012","19":"0013","20":"0014","21":"0015","22":"0016","23":"0017","24":"0018","25":"0019","26":"001a","27":"001b","28":"001c","29":"001d","30":"001e","31":"001f","127":"007f","128":"0080","129":"0081","130":"0082","131":"0083","132":"0084","133":"0085","134":"0086","135":"0087","136":"0088","137":"0089","138":"008a","139":"008b","140":"008c","141":"008d","142":"008e","143":"008f","144":"0090","145":"0091","146":"0092","147":"0093","148":"0094","149":"0095","150":"0096","151":"0097","152":"0098","153":"0099","154":"009a","155":"009b","156":"009c","157":"009d","158":"009e","159":"009f","1564":"061c","8206":"200e","8207":"200f","8232":"2028","8233":"2029","8234":"202a","8235":"202b","8236":"202c","8237":"202d","8238":"202e","8294":"2066","8295":"2067","8296":"2068","8297":"2069"} as $escapes
    | [split("\u001b[") | .[0], (.[1:][] | [match("\\A[0-9;:]*m").length][0] as $colour | jl_case($colour; .[$colour:]; "\u001b[" + .))] | join("")
    | split("\r\n") | join("\n") | split("\r") | join("\n") | explode
    | map($escapes[tostring] as $escape | jl_if($escape; "\\u" + $escape | explode | .[])) | implode);

# Where the characters of a text are that take two columns, as those of East Asia and emoji do; and how many columns all take.
def jl_wide: [jl_case(utf8bytelength > length; match("[\\x{1100}-\\x{115f}\\x{23e9}-\\x{23f3}\\x{2600}-\\x{27bf}\\x{2b1b}-\\x{2b55}\\x{2e80}-\\x{a4cf}\\x{ac00}-\\x{d7a3}\\x{f900}-\\x{faff}\\x{fe30}-\\x{fe6f}\\x{ff00}-\\x{ff60}\\x{ffe0}-\\x{ffe6}\\x{1f000}-\\x{3fffd}]"; "g").offset; empty)];
def jl_columns: length + (jl_wide | length);
# The first n columns of a text, on one line.
def jl_line(n):
  jl_if(type == "string"; .[:2 * n]) | jl_shown
  | jl_if(test("[\\t\\n\\x{a0}]|  |^ "); [match("[^ \\t\\n\\x{a0}]+"; "g").string] | join(" "))
  | jl_wide as $wide | jl_if(length + ($wide | length) > n; .[:reduce $wide[] as $at (n - 1; jl_if($at < .; . - 1))] + "…");
def jl_trim: jl_shown | .[:match("[ \\t\\n]*\\z").offset];

# Writes a message as one line of standard error. The stderr of jq 1.6 knows no line breaks.
def jl_say: "jl.jq: " + . | jl_line(300) | jl_case(builtins | contains(["pick/1"]); . + "\n" | stderr; debug) | empty;
# Says what is wrong, once, and ends the program: the halt_error of jq 1.6 goes on with the next input.
def jl_halt: jl_say, (reduce inputs as $rest (""; .) | halt_error(5));
# Says what to type, if a function of all rows has none, or has a path or a number of lines in their place.
def jl_rows($form): ($form | split("(")[0]) + " is about all rows: jq -n '" + $form + "'" | jl_halt;
def jl_given(rows; $function): foreach rows as $row (0; . + 1; jl_case(. == 1 and ($row | type == "string" or type == "number"); jl_rows($function + "(" + ($row | tojson) + "; inputs)"); $row));

# The seconds since 1970 of a time, null if it cannot be read. A search takes long, and nearly all times are without an offset. The mktime
# of jq 1.6 is an hour late where the local time is that of summer.
def jl_seconds:
  def utc: split(".") | select((.[0] | length == 19) and length < 3) | (.[0] | strptime("%Y-%m-%dT%H:%M:%S") | ((.[0] - 1970) * 365 + ((.[0] - 1969) / 4 | floor) + .[7]) * 86400 + .[3] * 3600 + .[4] * 60 + .[5]) + jl_case(.[1]; "0." + .[1] | tonumber | select(. < 1); 0);
  . as $time | [try (split("Z") | .[0] + .[1] | utc) catch null][0]
  | jl_if(. == null; [try ($time | match("\\A(.{10}).(.{8}(?:[.][0-9]+)?)(?:Z|([-+][0-9]{2}):?([0-9]{2}))?\\z").captures | map(.string)
      | (.[0] + "T" + .[1] | utc) - jl_case(.[2]; (.[2][:1] + "1" | tonumber) * (3600 * (.[2][1:] | tonumber) + 60 * (.[3] | tonumber)); 0)) catch null][0]);
# The time of a row in the local time zone, null without one; and its day.
def jl_local($form): [objects.timestamp | jl_seconds | numbers | floor | strflocaltime($form)][0];
def day: jl_local("%Y-%m-%d");

def jl_isRow: .is | type == "string";
def jl_row: if jl_isRow then . else jl_case(.is; empty; "the input is not rows of what was said: use jlpath --said (or -s)" | jl_halt) end;
# A row; an entry ends the program, and a value that is not an object is left out, with a word about what -n and -s make of rows.
def said:
  (({"null":"null: with -n, give the function (inputs)","array":"an array: leave out -s"}[type] | strings | "the input is " + . | jl_say), objects) | jl_row;

# The rows of a stream that fit. What is not a row must not fit. A stream without one, but with something else, ends the program.
def jl_fitting(rows; fits):
  [objects | select(jl_isRow)] as $in | ([arrays[] | objects.is] != []) as $listed
  | foreach (rows, "\u0000") as $row (null; # the type of the last value, until there is a row
      if . == "object" then .
      elif $in != [] and $in != [$row] then "the first row is left out: use jq -n" | jl_halt
      elif $row != "\u0000" then $row | type
      elif . then . + " in place of rows: use jq -n, without -s, and inputs" | jl_halt
      elif $listed then "no rows, but an array of them: use jq -n, without -s, and inputs" | jl_say
      else . end;
      $row | objects)
  | if fits then . else jl_row | empty end;
# Those rows, each once: the first of each key. Forks, resumed sessions and copied logs have rows of another one.
def jl_once(rows; fits):
  foreach jl_fitting(rows; fits) as $row ({}; # a tree of keys by their first four marks, because a jq may copy the object that it changes
    ($row.key | if type == "string" then .[:4] / "" + [. + "key"] else null end) as $path
    | if $path == null then setpath(["new"]; $row) elif getpath($path) then setpath(["new"]; null) else setpath(["new"]; $row) | setpath($path; true) end;
    .new | objects);

# Rows as arrays: those of each value of f, in the order of their first rows; and [value, rows] for each run of one of their values, none of which is null.
def jl_groups(f): . as $all | [range(length)] | group_by($all[.] | f) | sort_by(.[0])[] | map($all[.]);
def jl_runs($of): . as $all | ([null] + $of) as $last | [range(length) | select($of[.] != $last[.])] as $at | range($at | length) | [$of[$at[.]], $all[$at[.]:$at[. + 1]]];
# Of rows with the same key the first with the greatest figure, because a copy may have been made too early; it is of the session of the first.
def jl_distinct(figure):
  jl_if((map(.key) | unique | length) < length; . as $all | [[range(length)] | group_by($all[.].key)[]
    | jl_case(length > 1 and ($all[.[0]].key | type == "string"); [.[0], sort_by($all[.] | 0 - jl_or(figure; 0))[0]]; .[] | [., .])] | sort | map($all[.[1]] + ($all[.[0]] | {session, project})));
# Rows in the order of their times; one without a time stays behind the one before it.
def jl_inTime: . as $all | [foreach range(length) as $i (""; jl_or($all[$i].timestamp | strings | rtrimstr("Z"); .); [., $i])] | sort | map($all[.[1]]);

# Rows in an order to read: those of a sub-agent come behind the call that started it, if that is there.
def jl_nested(rows):
  [jl_once(rows; jl_isRow)] | . as $all
  | def of(id): [.session, id] | tojson;
    def first(fits; id): [range(length) | select($all[.] | fits) | {($all[.] | of(id)): .}] | reverse | add; # the place of the first row with each id
    def age: [$all[.].timestamp, .];
    first(.agentId; .agentId) as $agents | first(.is == "call"; .id) as $calls
  # A caller is older than what it calls, so nothing is within itself.
  | ([.[] | select(.is == "result" and .agent) | of(.agent) as $agent | $calls[of(.call)] as $at
      | select($at and $agents[$agent] and ($all[$at] | .agentId == null or ($agents[of(.agentId)] | age) < ($agents[$agent] | age))) | {($agent): $at}]
      | reverse | add) as $caller
  | def path: ($all[.] | jl_case(.agentId; of(.agentId); "")) as $agent | jl_case($caller[$agent]; ($caller[$agent] | path) + [$agents[$agent]]; []) + [.];
    [range(length)] | sort_by(path)[] | $all[.];

# --- What one row tells ---

def jl_typed: select(.is == "prompt" and .by == null and .isSidechain == null);
def jl_begins: select(.is == "prompt" and (.by == null or .plan) and .isSidechain == null and .agentId == null); # what a sub-agent does is part of the session
def jl_named: [.timestamp | strings][0] + " " + (jl_or(.plan; .text) | jl_line(60)); # a prompt
# Rows with what f makes of the prompt or the plan to which each belongs: the last of its session until its time or, without a time, its
# place. A fork has what it began with from the session before it, so only rows of which none is left out yet tell this.
def jl_prompted(f):
  . as $all | def begins: $all[.] | [jl_begins] != [];
    [[range(length)] | group_by($all[.].session)[]
      | [foreach .[] as $i (["", ""]; ([$all[$i].timestamp | strings | rtrimstr("Z")][0]) as $at | [jl_or($at; .[1]), jl_case($at and ($i | begins); $at; .[1])]; [.[0], ($i | begins | not) or $all[$i].timestamp == null, $i])] | sort
      | foreach .[][2] as $i (null; jl_case($i | begins; $all[$i] | f; .); [$i, .])]
    | sort | map(.[1] as $prompt | $all[.[0]] + {prompt: $prompt});

# Of rows, when something happened, as [the place of a row, [from, to]]: the time since the last row of its session or sub-agent, of
# a pause the last five minutes.
def jl_spans:
  . as $all | [range(length) | [$all[.].session, $all[.].agentId, ($all[.].timestamp | jl_seconds), .] | select(.[2])] | sort
  | foreach .[] as $at ([]; [.[1], $at]; select(.[0][:2] == .[1][:2] and .[0][2] < .[1][2]) | [.[1][3], [([.[0][2], .[1][2] - 300] | max), .[1][2]]]);
# The seconds in spans, once where several run at the same time.
def jl_length: # of the spans: the end of the last, and the sum
  reduce sort[] as $span ([0, 0]; [([.[0], $span[1]] | max), .[1] + ([$span[1] - ([$span[0], .[0]] | max), 0] | max)]) | .[1] * 1000 | round / 1000;

# Rows whose tokens count: not the requests of a sub-agent that its session repeats, if its own log is there.
def jl_counted:
  jl_if(map(select(.message == null).agentId) - [null] != [];
    (map(select(.is == "usage" and .message).agentId | strings) | unique | map({(.): true}) | add) as $told
    | map(select(.is != "usage" or .message or ($told[.agentId | tostring] | not))));

# Of the input of a call, the commands: not those of an editor, and of a list the one that its shell runs.
def jl_ran:
  (.command | select({"view":1,"create":1,"str_replace":1,"insert":1,"undo_edit":1}[tostring] == null)), .cmd
  | jl_if(type == "array"; jl_case({"-lc":1,"-c":1}[.[1] | tostring]; .[2]; map(jl_sorted | tostring) | join(" ")));

# Who did or said what a row tells, and its text. That of a call is what it is about: a command, what a search looks for, files, or the
# first words of the rest.
def jl_told:
  [(.cwd | strings) + "/", ""][0] as $cwd
  | def below: ltrimstr($cwd) | jl_if(length > 80; "…" + .[-79:]); # the end of a long path
    {"prompt":"user","answer":"assistant","error":"error","shell":"shell","hook":"hook","task":"task","recap":"recap","compaction":"compaction","thinking":"thinking","summary":"summary","result":"result"}[jl_case(.answered == true; "prompt"; .is)] as $who
  | if .is == "call" then
      [.name,
       (.input
        | [strings,
           (objects
            | jl_ran, .[["pattern", "query"][]],
              (.[["file_path", "filePath", "path", "notebook_path", "absolute_path", "target_file", "dir_path"][]], (.changes | arrays | map(objects.path) | join(", ")) | strings | below),
              .[["url", "subject", "description"][]], ((.questions | arrays)[] | objects.question),
              ((.todos, .plan | arrays | map(objects)) | (map(select(.status == "in_progress")) + .)[0] | objects[["content", "step", "description"][]]),
              .[["todos", "plan", "prompt"][]], (select(.skill) | [.skill, .args | strings] | join(" ")), .[["message", "input", "patch", "patchText"][]])
           | jl_if(type == "array"; map(jl_sorted | tostring) | join(" ")) | strings | select(. != "")][0] as $of
        | jl_case($of; $of; jl_sorted | tojson)
        | jl_if(startswith("*** Begin Patch"); [match("\\n\\*\\*\\* (?:Update|Add|Delete) File: ([^\\n]*)"; "g").captures[0].string | below] | join(", ")))]
    elif .is == "left" then [.is, (.count | tostring) + {"above":" entries above it; jlpath -t has them","branches":" entries on other branches; jlpath -a has them"}[.what | tostring]]
    elif .is == "prompt" then [jl_case([jl_typed] == []; jl_case(.plan; "plan"; "task"); $who), (.text | jl_shown) + jl_case(.images > 0; " (image)"; "")]
    elif .is == "member" then [jl_or(.name; .is), .text]
    else [jl_case(.failed == true and (.is == "result" or .is == "task"); "error"; $who | strings), ([.[["command", "text", "name"][]] | strings][0])] end
  | select(.[1] != "" and length == 2);

def said(rows): jl_once(rows; jl_isRow);
def prompts: said | jl_typed.text | strings | select(. != "") | jl_shown;
def prompts(rows): jl_once(rows; .is == "prompt") | prompts;
def answers: said | select(.is == "answer").text | strings | select(. != "") | jl_shown;
def answers(rows): jl_once(rows; .is == "answer") | answers;
def text: prompts, answers;
def text(rows): jl_once(rows; jl_isRow) | text;
def tools: said | select(.is == "call") | jl_pick(["timestamp", "uuid", "session", "cwd", "id", "name", "input"]);
def tools(rows): jl_once(rows; .is == "call") | tools;
def errors: said | select(.is == "error" or (.failed == true and .is != "file")) | jl_pick(["timestamp", "uuid", "session", "call", "name", "text"]);
def errors(rows): jl_once(rows; jl_isRow) | errors;
def bill: said | select(.is == "bill") | jl_pick(["timestamp", "session", "dollars", "input", "output", "cacheWrite", "cacheRead", "linesAdded", "linesRemoved", "seconds"]);
def bill(rows): [jl_fitting(rows; .is == "bill")] | jl_distinct(.dollars | numbers)[] | bill;

def jl_aloud: select(.alone or {"thinking":1,"summary":1,"session":1,"title":1}[.is] == null) | jl_told | select(.[0] != "result");

def timeline:
  said | [.timestamp | strings | .[:19] + "Z" | jl_line(20)][0] as $time
  | jl_aloud | (.[0] | jl_line(39)) as $who | [$time, $who, (.[1] | jl_line(48 - 8 * ($who | jl_columns / 8 | floor)))] | join("\t");
def timeline(rows): jl_once(rows; jl_isRow) | timeline;

def chat:
  said | .is as $is | jl_case(.agentId or .isSidechain; "  "; "") as $room
  | jl_aloud | (.[0] | jl_line(60)) as $who | .[1]
  | if $is == "prompt" or $who == "user" then ["\n", $room, "> ", (jl_shown | split("\n") | join("\n" + $room + "> "))]
    elif {"answer":1,"member":1,"recap":1}[$is] then ["\n", $room, jl_case($is == "answer"; ""; $who + ": "), (jl_trim | split("\n") | join("\n" + $room))]
    elif $is == "compaction" then ["\n(compaction)"]
    else jl_case($is == "shell"; "\n! "; $room + "- " + $who + ": ") as $head | [$head, jl_line(80 - ($head | ltrimstr("\n") | jl_columns))] end
  | add;
def chat(rows): jl_nested(rows) | chat;

def hits(re):
  said | . as $row
  | (jl_case(.is == "call"; [.input | jl_sorted | .. | strings]; select(.is != "file") | [.command, .text | strings]) | join("\n")) as $text
  | [$text | match(re)][0] | select(.).offset as $at | $row
  | [jl_local("%Y-%m-%d %H:%M"), .session, .agentId, jl_or(jl_told[0]; .is), $text[([$at - 40, 0] | max):$at + 80], (.key | strings)] | map(jl_line(120)) | join("\t");
def hits(re; rows): jl_once(rows; jl_isRow) | hits(re);

# Each prompt with the last answer to it in each session, but not with one that another session goes on from.
def pairs(rows):
  def id: jl_or(.key; [.session, .timestamp, .uuid, .text]);
  [jl_fitting(rows; .agentId == null and .isSidechain == null and (.is == "answer" or [jl_begins] != []))] | jl_prompted(jl_or(.key; [.timestamp, .uuid, .text]))
  | [jl_groups([.session, .prompt]) | [map(select(.is == "prompt"))[0], [null, (map(select(.is == "answer")) | jl_inTime[])]] | select(.[0])]
  | jl_groups(.[0].prompt) | (map((.[1] | map(id)) - [.[1][-1] | id]) | add) as $before | [jl_groups(.[1][-1] | id)[0]] | .[] | select([.[1][-1] | id] - $before != [])
  | .[1][-1].text as $answer | .[0] | {timestamp, session, uuid, prompt: .text, answer: $answer};

# --- Calls and files ---

# Rows with the call that each is, or is about, in of, and which with its id that is, in nth: an id may come again, and what is told of it
# is of the last call before that.
def jl_called:
  . as $all | map([.session, .agentId, jl_case(.is == "call"; .id; .call)] | tojson) as $of
  | [[range(length)] | group_by($of[.])[] | foreach .[] as $i (0; . + jl_case($all[$i].is == "call"; 1; 0); [$i, jl_case(. == 0; 1; .)])]
  | sort | map(.[0] as $i | .[1] as $nth | $all[$i] + {nth: $nth, of: ($of[$i] + jl_case($nth == 1; ""; $nth | tostring))});
# Of these rows, the calls and what the user ran, with the last row that tells how each ended. A fork may have a call without its end.
def jl_ended:
  (map(select(.is == "result" or .is == "task")) | jl_inTime | map({(.of): .}) | add) as $ends
  | map(select(.is == "call" or .is == "shell") | . + {ended: $ends[.of]}) | jl_distinct(jl_case(.ended; 1; 0))[];

def calls(rows):
  [jl_fitting(rows; .is == "call" or (.call and (.is == "result" or .is == "task")))] | jl_called | jl_ended | .ended as $ended
  | jl_pick(["timestamp", "uuid", "session", "cwd", "id", "name", "input"])
    + {result: $ended.text, seconds: jl_or($ended.seconds; [[.timestamp, $ended.timestamp | jl_seconds | numbers] | select(length == 2) | (.[1] - .[0]) * 1000 | round / 1000][0])}
    + ($ended | jl_pick(["failed", "refused"]));

def commands(rows):
  # Of the code that a tool runs: the command of each object in it.
  def written: match("[\"']?\\b(?:cmd|command)[\"']?\\s*:\\s*(\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'|`(?:[^`\\\\]|\\\\.)*`)"; "g").captures[0].string | . as $quoted | [try fromjson catch $quoted[1:-1]][0];
  [jl_fitting(rows; .is == "shell" or .is == "call" or .is == "result")] | jl_called | jl_ended | select(.ended.refused | not)
  | jl_case(.is == "shell"; .command; select({"SlashCommand":1,"Skill":1}[.name | tostring] == null) | .input | (objects | jl_ran, .chars), (strings | written) | strings) as $text
  | select($text | type == "string" and . != "")
  | {timestamp, session, agentId, command: $text, failed: jl_case(.is == "shell"; .failed; .ended.failed)};

# The rows of files, and those of the file with a path, or its end. On Windows the separators are those of both kinds.
def jl_isWindows: test("\\A([A-Za-z]:|\\\\\\\\)");
def jl_slashed: split("\\") | join("/");
def jl_at(path):
  ("/" + path) as $tail | .is == "file" and ([.path, .to | strings | jl_case(jl_isWindows; "/" + jl_slashed | endswith($tail | jl_slashed); "/" + . | endswith($tail)) | select(.)] != []);
def files: said | select(.is == "file") | jl_pick(["timestamp", "session", "cwd", "action", "path", "name", "failed"]) + jl_case(.to; {to}; {});
def files(rows): jl_once(jl_given(rows; "files"); .is == "file") | files;
def files(path; rows): jl_once(rows; jl_at(path)) | files;

# The changes as a diff for git apply in the folder of the session. What git would not take is named, and what was done to the same
# file later.
def jl_patch(rows):
  def named: jl_if(test("[\\x08-\\x0a\\x0c\\x0d\"]"); tojson); # a path in quotes, if a mark in it would be read otherwise
  def clean($isWindows): # a path without its . and .., with the separators of git
    jl_if($isWindows; jl_slashed) | reduce split("/")[] as $part ([];
      if $part == ".." and length > 1 and .[-1] != ".." then .[:-1] elif $part == "." or ($part == "" and length > 0) then . else . + [$part] end)
    | join("/");
  [[rows] | jl_inTime | .[] | select(.failed != true and .action != "read" and .action != "named")
    | ([.cwd, .path | strings | jl_isWindows] | any) as $isWindows | ([.cwd | strings, ""][0] | clean($isWindows)) as $cwd | [.diff | strings][0] as $diff
    | {cwd: $cwd, name: jl_or(.to; .path), diff: $diff, gone: (.action == "delete"), new: (.action == "write" and [$diff | strings | startswith("@@ -0,0 ")] == [true]),
       names: [.path, .to | strings | clean($isWindows) | jl_if($cwd != "" and startswith($cwd + "/"); .[$cwd | length + 1:])]}]
  # A file that was made and then deleted is left out, because git deletes first. What is done to a file belongs to the row that made it.
  | . as $all | [foreach range(length) as $i ({}; $all[$i] as $row | ($row.names | map("at " + .)) as $at | jl_or(.[$at[0] | strings]; jl_case($row.new; $i + 1; -1)) as $made
      | reduce $at[] as $name (. + {"": $made}; . + {($name): jl_case($name == $at[-1] and ($row.gone | not); $made; null)}); .[""])] as $made
  | ([range(length) | select($all[.].gone) | {($made[.] | tostring): ($made[.] > 0)}] | add) as $never
  | ([range(length) as $i | $all[$i].names[] | {(.): $i}] | add) as $last
  | foreach (range(length) | select($never[$made[.] | tostring] | not)) as $i ({};
    $all[$i] as $row | $row.names as $names | $names[0] as $path | $names[-1] as $to | $row.diff as $diff | $row.gone as $gone | ($row.new and .["at " + $path] != "empty") as $new
    | [if $names == [] or [$names[] | select(test("\\A(\\z|/|~|[A-Za-z]:|\\.\\.(/|\\z))"))] != [] then ($row.name | tostring) + " is not below " + $row.cwd
       elif [$names[] | select(test("(\\A|/)\\.[gG][iI][tT](/|\\z)|[\\x00-\\x07\\x0b\\x0e-\\x1f\\x7f]"))] != [] then $row.name + " is in .git, or has a control character in its name"
       elif [.["of " + $names[]] | select(.)] != [] then "a later change of " + $path + " is left out, too"
       elif $new and .["at " + $path] then $path + " is made twice"
       elif .["in " + $path] and ($path != $to or ($gone and $last[$path] == $i)) then $path + " is " + jl_case($gone; "deleted"; "moved") + " after a change of it, which git does not apply"
       elif $diff == null then "what was changed in " + $path + " is not in the log" else empty end] as $why
    | reduce ($why[] | $names[]) as $name (.; . + {("of " + $name): true})
    | . + {"": $why, ("in " + $to): true, out: [select($why == [] and ($diff != "" or $path != $to)) | "diff --git " + ("a/" + $path | named) + " " + ("b/" + $to | named), (select($new) | "new file mode 100644"), (select($gone) | "deleted file mode 100644"),
          (select($path != $to) | "rename from " + ($path | named), "rename to " + ($to | named)),
          ($diff | select(. != "" and . != "@@ -0,0 +0,0 @@\n") | "--- " + jl_case($new; "/dev/null"; "a/" + $path | named), "+++ " + jl_case($gone; "/dev/null"; "b/" + $to | named), ($diff | rtrimstr("\n")))]} | . + {("at " + $to): jl_case([$diff | strings | test("\\A@@ [^ ]+ \\+0,0 @@")] == [true] and ($gone | not); "empty"; $gone | not)};
    .out[], (.[""][] | "patch: " + . | jl_say));
def patch(rows): jl_patch(jl_once(jl_given(rows; "patch"); .is == "file"));
def patch(path; rows): jl_patch(jl_once(rows; jl_at(path)));

def todos(rows):
  [jl_once(rows; .is == "todo")] | jl_inTime | jl_groups([.session, .agentId, .isSidechain, [.id, .text]])[-1] | select(.status != "deleted") | jl_pick(["session", "id", "text", "status"]);

# --- Tokens, money and time ---

# Rows with the day, the block and the folder in which the session began, worked out once for each hour, session and folder, because that
# takes long. A block begins at a full hour, and ends after five hours.
def jl_dated(more):
  def hour: .timestamp | tostring | if endswith("Z") then split(":")[0] else . end;
  [jl_runs(map([hour, .session, .cwd]))] as $runs
  | ([$runs[] | select(.[0][2] | type == "string") | [.[0][1], (.[1] | map(.timestamp) | min), .[0][2]]] | sort | reverse | map({(.[0] | tostring): .[2]}) | add) as $first
  | ([$runs[][0][0]] | unique | map([([. + (":00:00Z", "") | jl_seconds | numbers][0] | jl_if(.; . / 3600 | floor * 3600)), .]) | sort
      | [foreach .[] as $hour (null; jl_case($hour[0] and . and $hour[0] - . < 18000; .; $hour[0]); {($hour[1]): {block: jl_if(.; strftime("%Y-%m-%dT%H:%M:%SZ")),
          day: [[$hour[1] + (":00:00Z", ":59:59Z") | {timestamp: .} | day] | unique | select(length == 1)[0]][0]}})] | add) as $hours
  | [$runs[] | ($hours[.[0][0]] + {project: jl_or($first[.[0][1] | tostring]; .[0][2])}) as $of | .[1] | jl_case($of.day; .[] | . + $of + more; .[] | . + $of + more + {day: day})];

# Values that f makes of rows, each in an array, as members. If it makes nothing of a row, these are those of others.
def jl_members:
  jl_if(map(select(length > 1)) != []; "a row has one value, or members of one: {day, model}" | jl_halt)
  | ([.[][0] | objects | {(keys[]): null}] | add) as $none | map(.[0] | jl_if(type != "object"; jl_case(. == null and $none; $none; {by: .})));
# What is told of the rows for each value of f; a member that it makes of nothing, in all rows and in one that has all names, ends the program.
def jl_told_by(f; $function; $names; figure; told):
  ($names | map({(.): ("jl:" + .)}) | add + {is: "usage", uuid: "u", message: "m", file: "f", cwd: ("/w" * 9), project: ("/jl:project" * 9), timestamp: "2026-01-01T12:00:00Z", day: "2026-01-02", block: "2026-01-03T00:00:00Z", time: "2026-01-04T00:00:00Z"}) as $row
  | [[jl_distinct(figure) | jl_runs(jl_or([try map([f]) catch null][0]; map([try f catch null])))] | group_by(.[0] | tojson) | . as $groups | (map(.[0][0]) | jl_members) as $by
      | [range(length)] | group_by($by[.])[] | $by[.[0]] as $of | ([$groups[.[]][][1]] | add | told) as $figures
      | jl_if(($of | keys) - ($figures | keys) | length < ($of | length); $function + ": a member of f has the name of a figure: " + ($of | keys | join(", ")) | jl_halt) | $of + $figures]
  | def nulls(fits): [.[] | .. | objects | . as $of | keys[] | select($of[.] | fits)];
    (([[$row | try f catch empty] | select(. != [])] | jl_members | nulls(. == null)) - nulls(type != "null" and type != "object")) as $unknown
  | jl_if($unknown != []; $function + ": " + ($unknown | map(jl_if(. == "by"; "null")) | join(", ")) + ": not one of " + ($names | join(", ")) | jl_halt) | .[];

def usage_by(f; rows):
  def sum($of): [try (reduce .[][$of] as $n (null; . + $n)) catch ""][0] | jl_if(type == "string"; 0);
  [jl_fitting(rows; .is == "usage" or .is == "prompt" or (.is == "result" and .agent) or (.is == "call" and (.input | type == "object" and has("subagent_type"))))]
  | jl_if(map(select(.is != "usage" or .message == null)) != []; jl_counted
      | (map(jl_case(.is == "result"; {("agent " + (.agent | tostring)): (.call | tostring)}; select(.is == "call") | {(.id | tostring): .input.subagent_type})) | add) as $types
      | jl_prompted(jl_named) | map(select(.is == "usage") | . + {agentType: jl_or(.agentType; $types[$types["agent " + (.agentId | tostring)] | tostring])}))
  | jl_dated({branch: .gitBranch, time: .timestamp, long: ([try (.input + .cacheWrite + .cacheRead) catch null][0] | if . > 100000 then if . > 272000 then 272 elif . > 200000 then 200 else 100 end else 0 end)})
  | jl_told_by(f; "usage_by"; ["agentId","agentType","block","branch","day","geo","long","mcp","model","project","prompt","session","skill","speed","tier","time"]; [.input, .output, .cacheWrite, .cacheRead | numbers] | add;
      . as $rows | reduce ("input","output","cacheWrite","cacheWrite5m","cacheWrite1h","cacheRead","thinking","webSearches") as $of ({messages: (map(.message) - [null] | length)};
        ($rows | sum($of)) as $sum | jl_if($sum or ($of | . != "thinking" and . != "webSearches"); . + {($of): jl_or($sum; 0)})));
def usage(rows): usage_by({model}; rows);
def blocks(rows): usage_by({block}; rows) | {start: .block, end: [.block | strings | jl_seconds + 18000 | strftime("%Y-%m-%dT%H:%M:%SZ")][0]} + jl_pick(["messages", "input", "output", "cacheWrite", "cacheWrite5m", "cacheWrite1h", "cacheRead"]);

# The prices of a row of usage: those under the longest beginning of its model's name, also without a vendor, a region and the like before
# it, for its speed and the length of its prompt.
def jl_price(prices):
  . as $row | jl_if(has("model") | not; "cost: the row has no model: usage_by({day, model}), or cost_by({day}; prices)" | jl_halt)
  | prices | jl_if(type != "object"; "cost: the prices are not an object: with --slurpfile p FILE that is $p[0]" | jl_halt)
  | [($row.model | strings | ., (split("/")[-1] | jl_or(split("anthropic.")[-1]; "") | jl_if(startswith("claude"); split(".") | join("-")))) as $model
      | [keys[] as $name | select($model | startswith($name)) | .[$name]] | select(. != [])[-1]][0]
  | jl_if($row.speed == "fast"; . as $all | .fast | jl_if(.; ($all | {tier, geo, webSearches}) + .)) | reduce (100, 200, 272) as $over (.; jl_if($row.long >= $over; . + .["over\($over)k"]));
# What a row costs, and what the cache saved, in dollars, null without a price. Tier and place multiply the price of tokens, not of searches.
def cost(prices):
  . as $row | jl_price(prices)
  | jl_if(.; (reduce ([.tier[$row.tier | tostring], .geo[$row.geo | tostring] | numbers][]) as $times (1; . * $times)) as $times
      | [keys[] as $of | (.[$of] | numbers) * jl_or($row[$of]; 0) * jl_case($of == "webSearches"; 1; $times)] | add | round / 1000000);
def saved(prices): . as $row | jl_price(prices) | jl_if(.; .input as $full | [("cacheRead", "cacheWrite5m", "cacheWrite1h") as $of | ($full - jl_or(.[$of]; $full)) * jl_or($row[$of]; 0)] | add | round / 1000000);
def cost_by(f; prices; rows):
  (prices) as $prices
  | [usage_by({by: [try f catch null], model, speed, long, tier, geo}; rows) | select(.input + .output + .cacheWrite + .cacheRead + jl_or(.webSearches; 0) > 0)
      | {by, model: ([(.model | tostring), (select(.speed == "fast") | "(fast)")] | join(" ")), cost: cost($prices)}]
  | (map(select(.cost == null).model) | unique | select(. != []) | "no price for " + join(", ") | jl_say),
    ((map(.by) | jl_members) as $by | . as $all | [range(length)] | group_by($by[.])[] | ($by[.[0]] | jl_if(has("dollars") or has("unpriced"); "cost_by: a member of f has the name of a figure" | jl_halt)) + (map($all[.]) | (map(select(.cost == null).model) | unique) as $none
      | {dollars: ([.[].cost | numbers] | jl_case(. == [] and $none != []; null; jl_or(add; 0) * 1000000 | round / 1000000))} + jl_case($none == []; {}; {unpriced: $none})));

# What comes before a prompt, or before an answer to a question, is the time of the user. Of copies the one with the shortest time counts.
def active_by(f; rows):
  [jl_fitting(rows; .timestamp and jl_isRow)] | jl_dated({}) | jl_prompted(jl_named)
  | [. as $all | [jl_spans] | sort[] | .[1] as $span | $all[.[0]] | . + {who: jl_case(.answered == true or [jl_typed] != []; "user"; "agent"), "": $span}]
  | jl_told_by(f; "active_by"; ["agentId","day","project","prompt","session","who"]; .[""][0]; {seconds: (map(.[""]) | jl_length)});
def active(rows): [jl_fitting(rows; .timestamp and jl_isRow)] | [jl_spans | .[1]] | jl_length;

# --- To read and for programs ---

# The conversation as Markdown, with n lines of each result; with none, the prompts and the last answer to each.
def markdown(n; rows):
  def ticks: "`" * ([match("`+"; "g").length, 2] | max + 1); # a run longer than any in it
  def fenced($language): jl_trim | ticks as $ticks | [$ticks + $language, ., $ticks, ""] | join("\n");
  def code: jl_line(200) | jl_case(contains("`"); ticks as $ticks | [$ticks, ., $ticks] | join(" "); "`" + . + "`");
  def plain: jl_line(70) | reduce ["\\", "`", "*", "[", "]", "<", ">"][] as $mark (.; split($mark) | join("\\" + $mark)); # no mark counts
  def quoted: "> " + (jl_trim | split("\n") | join("\n> ")) + "\n";
  def words: # of Markdown; a fence that stays open is closed behind them
    jl_shown
    | (reduce match("(?:^|\\n) {0,3}(`{3,}|~{3,})"; "g").captures[0].string as $fence (""; . as $open | jl_case($open == ""; $fence; jl_if($fence | startswith($open); "")))) as $open
    | jl_if($open != ""; . + "\n" + $open) + "\n";
  def cut(f): jl_trim | split("\n") | jl_case(length <= n + 1; join("\n") | f; (.[:n] | join("\n") | f), "*… " + (length - n | tostring) + " more lines*\n");
  def images: select(.images > 0) | "*(" + jl_case(.images == 1; "image"; (.images | tostring) + " images") + ")*\n";
  def result: (select(.failed == true) | jl_case(.refused; "*refused:*\n"; "*failed:*\n")), (.text | strings | select(test("[^\\s\\x0b\\x{85}\\p{Z}]")) | cut(fenced(""))), images;
  [jl_nested(rows)] | jl_called | [jl_groups(.session) | select(map(select(jl_told)) != [])]
  | jl_if(. == []; "no conversation" | jl_halt) | .[] | . as $all
  | (map(.timestamp | strings | .[:10] + " " + .[11:16] | select(test("^[-0-9: ]+$"))) | [min, max | strings] | unique
      | [select(.[0]) | .[0] + (.[1:] | map("–" + ltrimstr($all[0].timestamp | tostring | .[:10] + " ")) | add) + " UTC"]) as $times
  | "# " + ([(map(select(.is == "title")) | sort_by(.rank)[-1].text), (.[] | select(.is == "prompt") | jl_or(.plan; .text)), "Session" | strings | select(test("[^\\s\\x0b\\x{85}\\p{Z}]"))][0] | plain) + "\n",
    ([$times[], ([.[].cwd | strings][0] | strings | code), ([.[].model | strings] | unique[] | plain)] | join(" · ") + "\n"),
    (jl_if(n == 0; map(select(.agentId == null and .isSidechain == null and (.is == "answer" or [jl_begins] != []))) | [.[range(length):][:2] | select(.[0].is == "prompt" or .[1].is != "answer")[0]])
      | (map(select(.call and .is != "prompt")) | [jl_groups(.of) | {(.[0].of): .}] | add) as $told
      | (map(select(.is == "call") | {(.of): true}) | add) as $calls
      | .[] | .agentId as $agent
      | if .is == "prompt" then
          (jl_or(.plan; .text) | jl_line(70)) as $title
          | jl_case([jl_typed] == [] and .plan == null; "**Task**\n", (.text | words), images; "## " + jl_case($title == ""; "(image)"; $title | plain) + "\n", (.timestamp | strings | "*" + (.[:19] | split("T") | join(" ") | jl_line(19)) + "*\n"), (.text | select(. != $title) | words), images)
        elif .is == "answer" then .text | words
        elif .is == "call" then
          ([$told[.of] | arrays[] | .diff | strings | select(. != "")]) as $diffs | jl_told[1] as $about | ($about | test("\n") or length > 120) as $long
          | ([.input | objects | jl_ran | strings] != []) as $command
          | "**" + (.name | plain) + "**" + jl_case($command and $diffs == []; [.input.description | strings | " " + plain] | add; jl_case($long; ""; " " + ($about | code))) + "\n",
            ($diffs[] | fenced("diff")),
            ([.input | objects | (.prompt, .plan | strings | quoted),
              (.plan, .todos, .questions | arrays
                | [.. | objects | jl_case(.status; jl_case(.status == "completed"; "- [x] "; "- [ ] "); jl_case(.label; "- "; "")) + ([.question, .content, .step, .label, .description | strings | jl_line(1000)] | join(": "))] | join("\n") + "\n")]
              | .[], (select($diffs == [] and . == [] and ($long or $command)) | $about | fenced(""))), ($told[.of] | arrays[] | select(.is != "file") | result)
        elif .is == "compaction" then "---\n\n*Here the conversation was compacted.*\n"
        elif .is == "left" then "*Not in this: " + jl_told[1] + "*\n"
        elif .call then select(.is != "file" and $calls[.of] == null) | result
        elif .is == "shell" then "**!**\n", (.command | strings | fenced("")), result
        else jl_told | jl_or({"thinking":"*thinking:*","summary":"*summary:*","recap":"*recap:*","error":"**Error**","hook":"**Hook**"}[.[0] | tostring]; "**" + (.[0] | plain) + "**") + "\n", (.[1] | strings | cut(quoted)) end
      | jl_if($agent; rtrimstr("\n") | "> " + (split("\n") | join("\n> ")) + "\n"));
def markdown(rows): markdown(20; jl_given(rows; "markdown"));

# The conversation as {role, blocks}, those of one role as one. The calls of a message come together, and the result of each next,
# if only one that says that there is none.
def jl_turns(rows):
  # An id or a name as the API takes it. Of an id that is longer the end counts; odd characters of it are numbers.
  def plain(odd): [tostring | match("[A-Za-z0-9_-]+|[^A-Za-z0-9_-]"; "g").string | jl_if(test("[^A-Za-z0-9_-]"); odd)] | join("_") | .[-64:];
  def id: (jl_or(.id; .uuid) | tostring) + jl_case(.nth > 1; "_" + (.nth | tostring); "") | plain(explode[0] | tostring);
  def said: .text | strings | select(test("[^\\s\\x0b\\x{85}\\p{Z}]")) | {type: "text", text: .[:match("[\\s\\x0b\\x{85}\\p{Z}]*\\z").offset]};
  def pictures: # of the rows of what they belong to
    map(select(.is == "picture" and ((.url | type == "string") or ([.media, .data | strings] | length == 2)))) as $all | ($all[] | {type: jl_case(.media | tostring | startswith("application/"); "document"; "image"), source: jl_case(.data; {type: "base64", media_type: .media, data}; {type: "url", url})}),
    (select($all == [] and .[0].images > 0) | {type: "text", text: "(image)"});
  [jl_once(rows; jl_isRow)] | jl_called | jl_groups([.session, .agentId, .isSidechain]) | select(.[0].isSidechain == null or map(select(.is == "answer")) != [])
  # What a compaction kept comes after its summary.
  | . as $all | (reduce (range(length) | select(($all[.].kept | type == "array") and $all[. + 1].is == "summary")) as $i (.;
      ([range($i) | select([$all[.].uuid] - $all[$i].kept == [])][0]) as $at | jl_if($at; .[:$at] + .[$i:$i + 2] + .[$at:$i] + .[$i + 2:])))
  | . as $all
  | ([range(length) as $i | $all[$i]
      | jl_case(.is == "answer" or .is == "call"; ["message", jl_or(.message; $i)]; jl_case(.call and .is != "prompt" and .is != "task"; ["call", .of]; select(.is == "picture") | ["of", .uuid])) as $key | [$key, .]]
      | [jl_groups(.[0]) | {(.[0][0] | tojson): .}] | add) as $of
  | def of($is; $id): [$of[[$is, $id] | tojson] | arrays[][1]];
    [foreach .[] as $row (0; . + 1; . as $i | $row
      | if .is == "answer" or .is == "call" then
          of("message"; jl_or(.message; $i - 1)) | select(.[0] == $row)
          | {role: "assistant", blocks: map(jl_case(.is == "answer"; said; {type: "tool_use", id: id, name: (.name | plain(empty)), input: (.input | jl_if(type != "object"; {input: .}))}))},
            {role: "user", blocks: map(select(.is == "call") | of("call"; .of) as $results
              | {type: "tool_result", tool_use_id: id, failed: ([$results[] | select(.failed == true)] != []), pictures: [$results | pictures],
                 text: ([$results[] | .text | strings | select(. != "")] | jl_case($results == []; "(no result)"; join("\n")))})}
        elif (.is == "prompt" and .call == null) or {"summary":1,"member":1,"context":1,"task":1}[.is] then {role: "user", blocks: [said, ([., of("of"; .uuid)[]] | pictures)]}
        elif .is == "shell" and (.command | type == "string") then {role: "user", blocks: [{text: ("! " + .command + "\n" + [.text | strings][0])} | said]}
        else empty end)]
  | map(select(.blocks != []))
  | jl_if(.[0].role == "assistant"; [{role: "user", blocks: [{type: "text", text: "(The beginning is not here.)"}]}] + .)
  | [foreach (.[], null) as $turn ({}; if $turn and .open.role == $turn.role then {open: {role: $turn.role, blocks: (.open.blocks + $turn.blocks)}} else {out: .open, open: $turn} end; .out | objects)]
  | map(.blocks |= map(select(.type == "tool_result")) + map(select(.type != "tool_result"))) | select(. != []);

# The messages of each session, as the Messages API takes them; and as the Chat Completions API does.
def messages(rows):
  jl_turns(rows)
  | map({role, content: (.blocks | map(jl_if(.type == "tool_result"; {type, tool_use_id, content: [(.text | select(test("[^\\s\\x0b\\x{85}\\p{Z}]")) | {type: "text", text: .}), .pictures[]]} + jl_case(.failed; {is_error: true}; {}))))});
def openai(rows):
  def said: map(select(.type == "text").text) | join("\n\n");
  jl_turns(rows)
  | map(.role as $role | .blocks
      | jl_case($role == "assistant";
          {role: "assistant", content: (said | jl_if(. == ""; null))} + (map(select(.type == "tool_use") | {id, type: "function", function: {name, arguments: (.input | jl_sorted | tojson)}}) | jl_case(. == []; {}; {tool_calls: .}));
          (.[] | select(.type == "tool_result") | {role: "tool", tool_call_id: .tool_use_id, content: (.text + jl_case(.pictures == []; ""; "\n(image)"))}),
          (map(select(.type != "tool_result")) | select(. != [])
            | {role: "user", content: jl_case(map(select(.type != "text")) == []; said; map(jl_if(.type != "text"; {type: "image_url", image_url: {url: jl_or(.source.url; "data:" + .source.media_type + ";base64," + .source.data)}})))})));

# --- Of the list: rows of jlrel --list ---

# A row of the list; another one ends the program, and a value that is not an object is left out.
def jl_listed: objects | jl_if(has("sessionId") | not; "the input is not rows of jlrel --list" | jl_halt);

# A session as a line in n columns; an id and a folder are as long as they are given, if there is room.
def jl_session(n; $id; $folder):
  ([15, n / 2 - 25] | max) as $most
  | ([.lastTimestamp, .lastModified, .createdAt | select(. != null)][0] | jl_case(type == "number"; . / jl_case(. > 100000000000; 1000; 1); jl_seconds) | jl_case(type == "number"; floor | strflocaltime("%Y-%m-%d %H:%M"); "")) as $time
  | [$time, ([$id | strings, numbers | tostring | .[:$most]][0], jl_or(.agent; ""), $folder | jl_line($most))] as $head
  | $head + [jl_or(.customTitle; jl_or(.summary; .firstPrompt)) | jl_line([n - ($head | map(8 + (jl_columns / 8 | floor * 8)) | add), 1] | max)] | join("\t");
def jl_folder: [.cwd | strings | split("/")[] | select(. != "")] | reverse;

# Each session of rows, with as much of its id and of the end of its folder as tells it from the others.
def sessions(n; rows):
  def apart($least): # of values
    unique | . as $all
    | [range(length) as $i | $all[$i] | {(tojson): .[:[range($least; length) as $n | select([$all[$i + 1], $all[:$i][-1] | .[:$n]] - [.[:$n]] | length == 2) | $n][0]]}] | add;
  . as $in | [rows | jl_listed] | jl_if($in != null and . - [$in] == .; "the first row is left out: use jq -n" | jl_halt)
  | (map(.sessionId | strings) | apart(8)) as $ids | (map(jl_folder) | apart(1)) as $folders
  | .[] | jl_session(n; $ids[.sessionId | tojson]; $folders[jl_folder | tojson] | reverse | join("/"));
# A session, whole, or in n columns; in place of n, rows.
def sessions: jl_listed | jl_session(1e9; .sessionId; .cwd);
def sessions(n): [n] as $of | jl_case($of[0] | type == "number"; jl_listed | jl_session($of[0]; .sessionId | jl_if(type == "string"; .[:13]); jl_folder[0]); sessions(1e9; $of[]));

# The command that goes on with a session, for a shell. No id becomes an option.
def resume:
  jl_listed
  | (jl_or(.agent; "claude") | tostring) as $agent
  | {"claude":"--resume ","openclaude":"--resume ","codex":"resume -- ","gemini":"--resume ","copilot":"--resume=","qwen":"--resume ","pi":"--session ","omp":"--session ",
     "grok":"--resume ","cursor":"--resume=","opencode":"--session ","kimi":"--session ","droid":"--resume ","trae":"resume "}[$agent] as $how
  | (jl_case($agent == "pi" or $agent == "omp"; .path; .sessionId) | tostring) as $id
  | jl_case($how == null or $id == "null"; jl_case($how == null; "no command is known that goes on with a session of " + $agent; "the log names no session") | jl_say;
      jl_case(($id | startswith("-")) and ($how | test("=|--\\s$") | not); "the id " + $id + " would be an option of " + $agent | jl_say;
        jl_case(.cwd | type == "string"; "cd " + (.cwd | jl_if(startswith("-"); "./" + .) | @sh) + " && "; "") + jl_case($agent == "cursor"; "cursor-agent"; $agent) + " "
        + jl_case($how | endswith("="); $how + $id | @sh; $how + ($id | @sh))));

# --- What to type, for functions that lack their rows; last, because a jq goes through all that is behind a definition ---

def pairs: jl_rows("pairs(inputs)"); def calls: jl_rows("calls(inputs)"); def commands: jl_rows("commands(inputs)"); def patch: jl_rows("patch(inputs)"); def todos: jl_rows("todos(inputs)");
def usage_by(f): jl_rows("usage_by({day}; inputs)"); def usage: jl_rows("usage(inputs)"); def blocks: jl_rows("blocks(inputs)"); def cost_by(f; prices): jl_rows("cost_by({day}; $p[0]; inputs)"); def active_by(f): jl_rows("active_by({day}; inputs)");
def active: jl_rows("active(inputs)"); def markdown: jl_rows("markdown(inputs)"); def messages: jl_rows("messages(inputs)"); def openai: jl_rows("openai(inputs)"); def html: jl_rows("html(inputs)");
def html(rows): "the page is in page.jq, because to read it takes long: jq -nr 'include \"page\"; html(inputs)', with -L and its folder if jq does not find it" | jl_halt;
