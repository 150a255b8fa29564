package says

import (
	"cmp"
	"fmt"
	"slices"

	"jl/internal/entry"
	"jl/internal/shape"
)

// isDroid reports whether e is an entry of Factory's Droid.
func isDroid(e *entry.Entry, typ entry.Value) bool {
	switch {
	case typ.Is("session_start"):
		return e.Get(entry.ID).IsString() && e.Member("role") == nil
	case typ.Is("message"):
		return e.Get(entry.ID).IsString() && e.Get(entry.Message).IsObject()
	}
	return isAny(typ, "agent_turn_outcome", "compaction_state", "todo_state", "session_end")
}

// droidSays tells what an entry of Droid says. Its tokens are in no entry, but in a file beside the log.
func droidSays(e *entry.Entry, t *Telling) {
	switch typ := e.Get(entry.Type); string(typ.Text()) {
	case "session_start":
		t.Session, t.Cwd = e.Get(entry.ID), e.Member("cwd").NonEmpty()
		t.say(Thing{Is: Setting})
	case "message":
		plainSays(e, t)
		t.Model = entry.First(t.Model, e.Get(entry.Message).Member("modelId").NonEmpty())
		for i := 0; i < len(t.Things); i++ {
			x := &t.Things[i]
			if x.Model == nil && slices.Contains([]Kind{Answer, Thinking, Call}, x.Is) {
				x.Model = t.Model
			}
			x.Ends = x.Is == Call && x.Name.Is("Create")
			if changes := droidChanges(shape.Object(x.Text)); x.Is == Result && changes != nil {
				t.Things = slices.Insert(t.Things, i, Thing{Is: Ended, Call: x.Call, Failed: x.Failed, Extra: changes})
				i++
			}
		}
	case "compaction_state":
		t.compaction(nil, entry.First(e.Member("summaryText"), e.Get(entry.Summary)))
	case "agent_turn_outcome":
		if reason := e.Member("reason"); reason.IsString() && !reason.Is("completed") {
			t.aborted(reason)
		}
	}
}

// droidChanges returns the parts of a file that an edit changed, an array, nil if result is not of an edit, or does not
// tell them. Droid tells the lines, three around a change, but not whether the last line of a file has a line break: so
// the last one of a part is left out where two others are behind the change. What becomes of the last line of a file is
// not told; behind another change it is taken for one with a line break.
func droidChanges(result entry.Value) entry.Value {
	var out entry.Value
	var before, after []byte
	first, to, old, now, behind := int64(0), int64(0), int64(0), int64(0), 0
	lastLine := 0 // its length
	atEnd := false
	end := func() {
		if before == nil && after == nil {
			return
		}
		if atEnd = behind == 0; behind > 1 {
			before, after = before[:len(before)-lastLine], after[:len(after)-lastLine]
		}
		mark := byte(',')
		if out == nil {
			mark = '['
		}
		out = fmt.Appendf(append(out, mark), `{"path":%s,"kind":"update","line":%d,"to":%d,"before":%s,"after":%s}`,
			entry.First(result.Member("file_path"), quoted("")), first, to, quoted(string(before)), quoted(string(after)))
		before, after, behind = nil, nil, 0
	}
	for l := range result.Member("diffLines").Elements() {
		m := entry.FieldsOf(l)
		at, hasOld := m.Get("lineNumber").Member("old").Int()
		in, hasNew := m.Get("lineNumber").Member("new").Int()
		if hasOld && at != old+1 && old > 0 || hasNew && in != now+1 && now > 0 {
			end()
		}
		if before == nil && after == nil {
			first, to = at, in
			before, after = []byte{}, []byte{}
		}
		first, to = cmp.Or(first, at), cmp.Or(to, in)
		line := append(m.Get("content").Text(), '\n')
		if hasOld {
			before, old = append(before, line...), at
		}
		if hasNew {
			after, now = append(after, line...), in
		}
		if behind++; hasOld != hasNew {
			behind = 0
		}
		lastLine = len(line)
	}
	if end(); out == nil || atEnd {
		return nil
	}
	return append(out, ']')
}
