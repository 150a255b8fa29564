package reader

import "jl/internal/entry"

// isComplete reports whether the attachment e has the content that Claude Code needs to load it.
func isComplete(e *entry.Entry) bool {
	a := e.Member("attachment")
	content, typ := a.Member("content"), a.Member("type")
	if !typ.IsString() {
		return false
	}
	switch string(typ.Text()) {
	case "new_file", "new_directory", "compaction_reminder", "verify_plan_reminder", "companion_intro":
		return false
	case "file", "already_read_file":
		return content.IsObject()
	case "hook_success":
		return content.IsString() && !content.IsEmpty()
	case "hook_additional_context":
		return isArrayOf(content, entry.Value.IsString)
	case "todo_reminder", "task_reminder":
		return isArrayOf(content, entry.Value.IsObject)
	case "invoked_skills":
		return isArrayOf(a.Member("skills"), entry.Value.IsObject)
	}
	return true
}

// isArrayOf reports whether v is an array and is reports true for all its elements.
func isArrayOf(v entry.Value, is func(entry.Value) bool) bool {
	for e := range v.Elements() {
		if !is(e) {
			return false
		}
	}
	return v.IsArray()
}
