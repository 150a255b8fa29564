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
//	side team meta synthetic origin=KIND summary
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
			b.WriteString(draw(strings.Fields(l), k))
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

// An object is an entry that is being drawn.
type object struct {
	members, message, blocks, compact []string // members in JSON, and the blocks of the message
	parent, time                      string   // in JSON; empty for no member
	content                           string   // of a message without blocks, in JSON
	attachment                        string
}

func (o *object) add(name, value string) { o.members = append(o.members, quote(name)+":"+value) }

// plain are the members that a word sets to a text.
var plain = map[string]string{
	"leaf": "leafUuid", "msg": "messageId", "first": "firstKeptEntryId", "log": "logicalParentUuid", "session": "sessionId", "sum": "summary",
}

// draw returns the entry of the words of line k of a drawing.
func draw(words []string, k int) string {
	id, typ := words[0], words[1]
	idKey, parentKey := "uuid", "parentUuid"
	if t, ok := strings.CutPrefix(typ, "pi:"); ok {
		typ, idKey, parentKey = t, "id", "parentId"
	}
	o := object{parent: "null", time: seconds(float64(k)), content: `"hi"`, attachment: `{"type":"date"}`}
	if typ == "boundary" {
		typ = "system"
		o.add("subtype", `"compact_boundary"`)
	}
	o.add("type", quote(typ))
	for _, w := range words[2:] {
		if !o.place(w) && !o.block(w) {
			o.member(w)
		}
	}
	switch typ {
	case "user", "assistant":
		o.says(typ)
	case "message":
		o.says("user")
	case "attachment":
		if o.attachment != "" {
			o.add("attachment", o.attachment)
		}
	}
	if len(o.compact) > 0 {
		o.add("compactMetadata", "{"+strings.Join(o.compact, ",")+"}")
	}
	if o.parent != "" {
		o.add(parentKey, o.parent)
	}
	if o.time != "" {
		o.add("timestamp", o.time)
	}
	if id != "-" {
		o.add(idKey, quote(id))
	}
	return "{" + strings.Join(o.members, ",") + "}"
}

// says adds the message of a role.
func (o *object) says(role string) {
	if len(o.blocks) > 0 {
		o.content = "[" + strings.Join(o.blocks, ",") + "]"
	}
	o.message = append(o.message, `"role":`+quote(role), `"content":`+o.content)
	o.add("message", "{"+strings.Join(o.message, ",")+"}")
}

// place reports whether w is a word for the parent or the time.
func (o *object) place(w string) bool {
	switch {
	case w == "<-":
		o.parent = ""
	case w[0] == '<':
		o.parent = quote(w[1:])
	case w == "@-":
		o.time = ""
	case strings.HasPrefix(w, "@="):
		o.time = w[2:]
	case w[0] == '@':
		s, err := strconv.ParseFloat(w[1:], 64)
		if err != nil {
			panic(w)
		}
		o.time = seconds(s)
	default:
		return false
	}
	return true
}

// block reports whether w is a word for the message.
func (o *object) block(w string) bool {
	name, value, _ := strings.Cut(w, "=")
	text := quote(strings.ReplaceAll(value, "_", " "))
	switch name {
	case "m":
		o.message = append(o.message, `"id":`+quote(value))
	case "call":
		for id := range strings.SplitSeq(value, ",") {
			o.blocks = append(o.blocks, `{"type":"tool_use","id":`+quote(id)+`,"name":"Bash","input":{}}`)
		}
	case "res":
		for id := range strings.SplitSeq(value, ",") {
			o.blocks = append(o.blocks, `{"type":"tool_result","tool_use_id":`+quote(id)+`,"content":"done"}`)
		}
	case "text":
		o.blocks = append(o.blocks, `{"type":"text","text":`+text+`}`)
	case "think":
		o.blocks = append(o.blocks, `{"type":"thinking","thinking":"hm"}`)
	case "none":
		o.content = "[]"
	case "say":
		o.content = text
	default:
		return false
	}
	return true
}

// member takes a word for another member.
func (o *object) member(w string) {
	name, value, _ := strings.Cut(w, "=")
	switch name {
	case "att":
		o.attachment = value
	case "side":
		o.add("isSidechain", "true")
	case "team":
		o.add("teamName", `"t"`)
	case "summary":
		o.add("isCompactSummary", "true")
	case "meta":
		o.add("isMeta", "true")
	case "synthetic":
		o.add("isSynthetic", "true")
	case "origin":
		o.add("origin", `{"kind":`+quote(value)+`}`)
	case "keep":
		ids, anchor, _ := strings.Cut(value, "/")
		uuids := "[]"
		if ids != "" {
			uuids = `["` + strings.ReplaceAll(ids, ",", `","`) + `"]`
		}
		o.compact = append(o.compact, `"preservedMessages":{"anchorUuid":`+quote(anchor)+`,"uuids":`+uuids+`,"allUuids":["no"]}`)
	case "seg":
		ids, anchor, _ := strings.Cut(value, "/")
		head, tail, _ := strings.Cut(ids, ",")
		o.compact = append(o.compact, `"preservedSegment":{"headUuid":`+quote(head)+`,"anchorUuid":`+quote(anchor)+`,"tailUuid":`+quote(tail)+`}`)
	case "pad":
		n, err := strconv.Atoi(value)
		if err != nil {
			panic(w)
		}
		o.add("pad", quote(strings.Repeat("x", n)))
	default:
		if plain[name] == "" {
			panic("unknown word " + w)
		}
		o.add(plain[name], quote(value))
	}
}
