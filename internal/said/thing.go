package said

import (
	"bytes"
	"slices"

	"jl/internal/entry"
	"jl/internal/says"
)

// thing makes the rows of one thing.
func (r *Rows) thing(x *says.Thing) {
	if r.piece != nil && !r.goesOn(x) {
		r.endPiece()
	}
	if x.Piece {
		r.addPiece(x)
		return
	}
	switch x.Is {
	case says.Prompt, says.Result, says.Queued, says.Unqueued, says.Context, says.Setting, says.Usage, says.Unread, says.Picture:
	default:
		r.flushUnsure()
	}
	if x.Is != says.Thinking && x.Is != says.Usage {
		r.endThoughts()
	}
	if r.copied.is && !r.copies && x.Is != says.Setting && x.Is != says.Usage {
		return
	}
	switch x.Is {
	case says.Prompt:
		r.restored = false
		r.prompt(x)
	case says.Context:
		r.context(x)
	case says.File:
		r.namedFile(x)
	case says.Queued, says.Unqueued:
		r.queued(x)
	case says.Answer, says.Thinking:
		r.words(x)
	case says.Call:
		r.call(x)
	case says.Result:
		r.result(x)
	case says.Ended:
		if c := r.calls[r.callKey(x.Call)]; c != nil {
			c.ended, c.failed, c.changes = true, x.Failed, bytes.Clone(x.Extra)
		}
	case says.Usage:
		r.usage(x)
	case says.Bill:
		r.addBill(x)
	case says.Picture:
		r.picture(x.Text, nil)
	case says.Setting:
		r.setting(x)
	case says.Unread:
		r.count(x.What)
	case says.Compaction, says.Summary:
		r.restored = true
		r.plain(x)
	default:
		r.plain(x)
	}
}

// plain makes the row of a thing that is no more than what it says.
func (r *Rows) plain(x *says.Thing) {
	if !r.kinds.Has(x.Is) {
		return
	}
	switch x.Is {
	case says.Title:
		if !x.Text.IsString() {
			return
		}
	case says.Context, says.Summary, says.Recap:
		if says.IsBlank(x.Text) {
			return
		}
	case says.Hook:
		if r.toldByHook(x) {
			return
		}
	case says.Fired:
		if r.hasFired(x) {
			return
		}
	case says.Task:
		if r.calls[r.callKey(x.Call)] != nil { // its result tells it
			return
		}
	}
	r.beginRow(x.Is, x.Call, x.Name, entry.Value(x.What), x.Input, x.Text)
	switch x.Is {
	case says.Task:
		r.value("call", x.Call)
		r.flag("failed", x.Failed)
	case says.Hook:
		r.named(x)
		r.flag("failed", x.Failed)
	case says.Fired, says.Member:
		r.named(x)
	case says.Shell:
		r.value("command", x.Input)
	case says.Compaction:
		r.kept(x.Extra)
		r.endRow()
		return
	}
	r.text("text", x.Text)
	switch x.Is {
	case says.Shell:
		r.flag("failed", x.Failed)
	case says.Title:
		r.int("rank", int64(x.Rank))
	case says.Summary:
		if x.Alone {
			r.flag("alone", true)
		}
	}
	r.endRow()
}

// hasFired reports whether an entry told before that a hook ran, by the call or the turn for which it did.
func (r *Rows) hasFired(x *says.Thing) bool {
	if x.Call == nil {
		return false
	}
	hash := hashOf(x.Is, r.own(x.Call), x.Call, x.Text)
	_, known := r.news[hash]
	r.news[hash] = struct{}{}
	return known
}

// toldByHook reports whether a hook has told the words of x before, since the last answer.
func (r *Rows) toldByHook(x *says.Thing) bool {
	text := bytes.TrimSpace(x.Text.Text())
	if !x.Again {
		r.hooked = append(r.hooked[max(0, len(r.hooked)-openMost):], bytes.Clone(text))
		return false
	}
	i := slices.IndexFunc(r.hooked, func(before []byte) bool { return bytes.HasSuffix(text, before) || bytes.HasSuffix(before, text) })
	if i >= 0 {
		r.hooked = slices.Delete(r.hooked, i, i+1)
	}
	return i >= 0
}

// named writes the name of a hook or a member.
func (r *Rows) named(x *says.Thing) {
	if x.What != "" {
		r.string("name", []byte(x.What))
	} else {
		r.value("name", x.Name)
	}
}

// kept writes the ids of what a compaction kept, as far as it lists them.
func (r *Rows) kept(told entry.Value) {
	ids := told.Member("preservedMessages").Member("uuids")
	if !ids.IsArray() {
		first := entry.First(told.Member("preservedSegment").Member("headUuid").NonEmpty(), told.Member("firstKeptEntryId").NonEmpty())
		if first == nil {
			return
		}
		ids = slices.Concat(entry.Value{'['}, first, entry.Value{']'})
	}
	r.value("kept", ids)
}
