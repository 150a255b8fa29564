// Package drawn makes logs for tests: from drawings of their entries, and at random.
package drawn

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Log returns the log of a drawing, which has a line for each entry:
//
//	a3 assistant <a2 m=m1 call=t1,t2 @12.5 side
//
// A line has the id, the type, and in any order
//
//	<a2          the parent; null if absent, <- for no key
//	@12.5        the time in seconds after midnight; if absent, the number of
//	             the line; @- for none, @=… for a JSON value
//	m=m1         message.id
//	call=t1,t2   tool_use blocks; res=t1 tool_result blocks; text=… a text block
//	             (_ for a space); think a thinking block; none: an empty content
//	side team meta
//	att={…}      the attachment, without spaces; {"type":"date"} if absent
//	leaf=a3 msg=a3 log=a3 first=a3 session=s sum=…  leafUuid, messageId,
//	             logicalParentUuid, firstKeptEntryId, sessionId, summary
//	keep=a,b/x   preservedMessages with the anchor x; seg=a,b/x preservedSegment
//	pad=1000     as many bytes more
//
// The type boundary makes a system entry with the subtype compact_boundary, pi:… an entry
// of a pi log. The id - makes an entry without an id. A line that begins with | is copied.
func Log(drawing string) string {
	var b strings.Builder
	k := 0
	for l := range strings.Lines(drawing) {
		l = strings.Trim(l, " \t\n")
		if l == "" {
			continue
		}
		k++
		if raw, ok := strings.CutPrefix(l, "|"); ok {
			b.WriteString(raw)
		} else {
			b.WriteString(object(strings.Fields(l), k))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func seconds(s float64) string {
	whole := int(s)
	return fmt.Sprintf(`"2026-01-01T%02d:%02d:%02d.%03dZ"`, whole/3600, whole/60%60, whole%60, int(math.Round((s-float64(whole))*1000)))
}

func object(words []string, k int) string {
	id, typ := words[0], words[1]
	idKey, parentKey := "uuid", "parentUuid"
	if t, ok := strings.CutPrefix(typ, "pi:"); ok {
		typ, idKey, parentKey = t, "id", "parentId"
	}
	parent, time := "null", seconds(float64(k))
	var members, message, blocks, compact []string
	add := func(name, value string) { members = append(members, quote(name)+":"+value) }
	if typ == "boundary" {
		typ = "system"
		add("subtype", `"compact_boundary"`)
	}
	add("type", quote(typ))
	plain, attachment := `"hi"`, `{"type":"date"}`
	for _, w := range words[2:] {
		name, value, _ := strings.Cut(w, "=")
		list := strings.Split(value, ",")
		switch {
		case w == "<-":
			parent = ""
		case w[0] == '<':
			parent = quote(w[1:])
		case w == "@-":
			time = ""
		case name == "@":
			time = value
		case w[0] == '@':
			s, err := strconv.ParseFloat(w[1:], 64)
			if err != nil {
				panic(w)
			}
			time = seconds(s)
		case name == "m":
			message = append(message, `"id":`+quote(value))
		case name == "call":
			for _, id := range list {
				blocks = append(blocks, `{"type":"tool_use","id":`+quote(id)+`,"name":"Bash","input":{}}`)
			}
		case name == "res":
			for _, id := range list {
				blocks = append(blocks, `{"type":"tool_result","tool_use_id":`+quote(id)+`,"content":"done"}`)
			}
		case name == "text":
			blocks = append(blocks, `{"type":"text","text":`+quote(strings.ReplaceAll(value, "_", " "))+`}`)
		case name == "think":
			blocks = append(blocks, `{"type":"thinking","thinking":"hm"}`)
		case name == "none":
			plain = "[]"
		case name == "say":
			plain = quote(strings.ReplaceAll(value, "_", " "))
		case name == "att":
			attachment = value
		case name == "side":
			add("isSidechain", "true")
		case name == "team":
			add("teamName", `"t"`)
		case name == "meta":
			add("isMeta", "true")
		case name == "leaf":
			add("leafUuid", quote(value))
		case name == "msg":
			add("messageId", quote(value))
		case name == "first":
			add("firstKeptEntryId", quote(value))
		case name == "log":
			add("logicalParentUuid", quote(value))
		case name == "session":
			add("sessionId", quote(value))
		case name == "sum":
			add("summary", quote(value))
		case name == "keep", name == "seg":
			ids, anchor, _ := strings.Cut(value, "/")
			list = strings.Split(ids, ",")
			if name == "keep" {
				uuids := "[]"
				if ids != "" {
					b, _ := json.Marshal(list)
					uuids = string(b)
				}
				compact = append(compact, `"preservedMessages":{"anchorUuid":`+quote(anchor)+`,"uuids":`+uuids+`,"allUuids":["no"]}`)
			} else {
				compact = append(compact, `"preservedSegment":{"headUuid":`+quote(list[0])+`,"anchorUuid":`+quote(anchor)+`,"tailUuid":`+quote(list[1])+`}`)
			}
		case name == "pad":
			n, err := strconv.Atoi(value)
			if err != nil {
				panic(w)
			}
			add("pad", quote(strings.Repeat("x", n)))
		default:
			panic("unknown word " + w)
		}
	}
	if typ == "user" || typ == "assistant" || typ == "message" {
		content := plain
		if len(blocks) > 0 {
			content = "[" + strings.Join(blocks, ",") + "]"
		}
		role := typ
		if typ == "message" {
			role = "user"
		}
		message = append(message, `"role":`+quote(role), `"content":`+content)
		add("message", "{"+strings.Join(message, ",")+"}")
	}
	if typ == "attachment" && attachment != "" {
		add("attachment", attachment)
	}
	if len(compact) > 0 {
		add("compactMetadata", "{"+strings.Join(compact, ",")+"}")
	}
	if parent != "" {
		add(parentKey, parent)
	}
	if time != "" {
		add("timestamp", time)
	}
	if id != "-" {
		add(idKey, quote(id))
	}
	return "{" + strings.Join(members, ",") + "}"
}
