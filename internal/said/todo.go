package said

import (
	"slices"
	"strconv"
	"strings"

	"jl/internal/entry"
	"jl/internal/says"
)

// An item is one thing to do.
type item struct{ id, text, status string }

// statuses are other names of a status.
var statuses = map[string]string{
	"": "pending", "done": "completed", "complete": "completed", "todo_status_completed": "completed", "active": "in_progress",
	"todo_status_in_progress": "in_progress", "todo_status_pending": "pending",
}

func status(v entry.Value) string {
	s := strings.ToLower(string(v.Text()))
	if name := statuses[s]; name != "" {
		return name
	}
	return s
}

// todos makes a row of each change that a call made to the list of its session and agent.
func (r *Rows) todos(c *call, x *says.Thing) {
	if !r.kinds.Has(says.Todo) || x.Failed || !c.input.IsObject() {
		return
	}
	key := string(c.head.agent)
	if c.head.side {
		key += " side"
	}
	switch name := letters(string(c.name.Text())); {
	case name == "taskcreate":
		r.taskCreated(key, c, x)
	case name == "taskupdate":
		r.taskUpdated(key, c)
	case strings.Contains(name, "todo"), strings.Contains(name, "plan"):
		if now, ok := listOf(c.input); ok {
			r.listed(key, now)
		}
	}
}

// taskCreated adds an item, whose number the result tells.
func (r *Rows) taskCreated(key string, c *call, x *says.Thing) {
	list := r.lists[key]
	id := strconv.Itoa(len(list) + 1)
	for text := range says.Words(x.Text) {
		if _, after, ok := strings.Cut(string(text), "#"); ok {
			if n := len(after) - len(strings.TrimLeft(after, "0123456789")); n > 0 {
				id = after[:n]
				break
			}
		}
	}
	made := item{id, string(c.input.Member("subject").Text()), "pending"}
	r.lists[key] = append(list, made)
	r.todoRow(made)
}

func (r *Rows) taskUpdated(key string, c *call) {
	list, id := r.lists[key], c.input.Member("taskId")
	name := string(id.Text())
	if id.IsNumber() {
		name = string(id)
	}
	i := slices.IndexFunc(list, func(x item) bool { return x.id == name })
	if i < 0 {
		return
	}
	before := list[i]
	if v := c.input.Member("status"); v != nil {
		list[i].status = status(v)
	}
	if v := c.input.Member("subject"); v.IsString() {
		list[i].text = string(v.Text())
	}
	if list[i] != before {
		r.todoRow(list[i])
	}
	if list[i].status == "deleted" {
		r.lists[key] = slices.Delete(list, i, i+1)
	}
}

// listOf returns the list that an input is: an array, or text with boxes.
func listOf(input entry.Value) (list []item, ok bool) {
	for _, name := range []string{"todos", "plan", "items", "todoList"} {
		v := input.Member(name)
		if v.IsArray() {
			ok = true
		}
		for v := range v.Elements() {
			x := item{status: status(v.Member("status")), id: string(v.Member("id").Text())}
			if v.Member("completed").Truthy() {
				x.status = "completed"
			}
			for _, name := range []string{"title", "description", "text", "step", "content"} {
				if s := v.Member(name); s.IsString() {
					x.text = string(s.Text())
				}
			}
			list = append(list, x)
		}
		for l := range strings.Lines(string(v.Text())) {
			l = strings.TrimLeft(strings.TrimRight(l, "\r\n"), " ")
			if len(l) > 6 && (l[0] == '-' || l[0] == '*') && l[1:3] == " [" && l[4:6] == "] " {
				ok = true
				x := item{text: l[6:], status: "completed"}
				if l[3] == ' ' {
					x.status = "pending"
				}
				list = append(list, x)
			}
		}
	}
	return list, ok
}

// listed makes the rows of a new list: of what is new or changed in it, and of what is gone.
func (r *Rows) listed(key string, now []item) {
	before := r.lists[key]
	had, has := map[item]bool{}, map[string]bool{}
	for _, x := range before {
		had[x] = true
	}
	for _, x := range now {
		has[x.text] = true
		if !had[x] {
			r.todoRow(x)
		}
	}
	for _, x := range before {
		if !has[x.text] {
			x.status = "deleted"
			r.todoRow(x)
		}
	}
	r.lists[key] = now
}

func (r *Rows) todoRow(x item) {
	r.beginRow(says.Todo, entry.Value(x.id), entry.Value(x.text), entry.Value(x.status))
	if x.id != "" {
		r.string("id", []byte(x.id))
	} else {
		r.value("id", nil)
	}
	r.string("text", []byte(x.text))
	r.string("status", []byte(x.status))
	r.endRow()
}
