package said

import (
	"strconv"
	"strings"

	"jl/internal/entry"
	"jl/internal/says"
)

// An item is one thing to do.
type item struct{ id, text, status string }

// A list is what there is to do.
type list struct {
	items []item         // the zero item for one that was deleted
	at    map[string]int // by id, where the last one is that has it
}

func (l *list) add(x item) {
	if x.id != "" {
		l.at[x.id] = len(l.items)
	}
	l.items = append(l.items, x)
}

// list returns the list of an agent.
func (r *Rows) list(key string) *list {
	if r.lists[key] == nil {
		r.lists[key] = &list{at: map[string]int{}}
	}
	return r.lists[key]
}

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
	key := string(c.from.agent)
	if c.from.sidechain {
		key += " side"
	}
	switch name := letters(string(c.name.Text())); name {
	case "taskcreate":
		r.taskCreated(key, c, x)
	case "taskupdate":
		r.taskUpdated(key, c)
	default:
		if !strings.Contains(name, "todo") && !strings.Contains(name, "plan") {
			return
		}
		if now, ok := listOf(c.input); ok {
			r.listed(key, now)
		}
	}
}

// taskCreated adds an item, whose number the result tells.
func (r *Rows) taskCreated(key string, c *call, x *says.Thing) {
	l := r.list(key)
	id := strconv.Itoa(len(l.items) + 1)
	for text := range says.Words(x.Text) {
		_, after, _ := strings.Cut(string(text), "#")
		if n := len(after) - len(strings.TrimLeft(after, "0123456789")); n > 0 {
			id = after[:n]
			break
		}
	}
	made := item{id, string(c.input.Member("subject").Text()), "pending"}
	l.add(made)
	r.todoRow(made)
}

func (r *Rows) taskUpdated(key string, c *call) {
	l, id := r.list(key), c.input.Member("taskId")
	name := string(id.Text())
	if id.IsNumber() {
		name = string(id)
	}
	i, isThere := l.at[name]
	if !isThere {
		return
	}
	x := l.items[i]
	if v := c.input.Member("status"); v != nil {
		x.status = status(v)
	}
	if v := c.input.Member("subject"); v.IsString() {
		x.text = string(v.Text())
	}
	if x != l.items[i] {
		r.todoRow(x)
	}
	if before := l.items[i]; before.text != x.text { // as in a list in which another text takes its place
		before.status = "deleted"
		r.todoRow(before)
	}
	if x.status == "deleted" {
		x = item{}
		delete(l.at, name)
	}
	l.items[i] = x
}

// listOf returns the list that an input is: an array, or text with boxes.
func listOf(input entry.Value) (items []item, ok bool) {
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
			items = append(items, x)
		}
		for l := range strings.Lines(string(v.Text())) {
			l = strings.TrimLeft(strings.TrimRight(l, "\r\n"), " ")
			if len(l) > 6 && (l[0] == '-' || l[0] == '*') && l[1:3] == " [" && l[4:6] == "] " {
				ok = true
				x := item{text: l[6:], status: "completed"}
				if l[3] == ' ' {
					x.status = "pending"
				}
				items = append(items, x)
			}
		}
	}
	return items, ok
}

// listed makes the rows of a new list: of what is new or changed in it, and of what is gone.
func (r *Rows) listed(key string, now []item) {
	l := r.list(key)
	before := l.items
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
		if x != (item{}) && !has[x.text] {
			x.status = "deleted"
			r.todoRow(x)
		}
	}
	*l = list{at: map[string]int{}}
	for _, x := range now {
		l.add(x)
	}
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
