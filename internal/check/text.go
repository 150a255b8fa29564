package check

import (
	"bytes"
	"fmt"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/record"
	"jl/internal/shape"
)

// line reports a damaged line. An unfinished line is not a finding: the log is being written.
func (l *Log) line(d *entry.Damage) {
	severity := record.Damage
	if !d.Lost() {
		if d.Unfinished() {
			l.Unfinished = d
		}
		if d.Unfinished() || len(d.Recovered) > 0 {
			return // its entries are findings
		}
		severity = record.Note // a byte order mark and nothing else
	}
	if f, ok := l.finding(severity, "malformed", d.Pos); ok {
		l.give(record.Malformed{Finding: f, Reason: d.Reason()})
	}
}

// recovered reports e, whose line has the damage d.
func (l *Log) recovered(e *entry.Entry, d *entry.Damage) {
	l.torn[e.Pos] = true
	if f, ok := l.finding(record.Damage, "recovered", e.Pos); ok {
		l.give(record.Recovered{Finding: f, ID: l.idOf(e), Reason: d.Reason()})
	}
}

// text reports what is wrong with the text of an entry: its grammar, and characters that other
// readers refuse.
func (l *Log) text(e *entry.Entry, m *shape.Message) {
	faults := e.Faults()
	if faults.Syntax >= 0 {
		if f, ok := l.finding(record.Damage, "malformed", e.Pos); ok {
			l.give(record.Malformed{Finding: f, ID: l.idOf(e), Reason: "not JSON by the full grammar", At: e.At(faults.Syntax)})
		}
	}
	for _, bad := range []struct {
		name     string
		severity record.Severity
		at       int
	}{
		{"invalid UTF-8", record.Warning, faults.UTF8},
		{"lone surrogate", record.Warning, faults.Surrogate},
		{"NUL character", record.Note, faults.NUL}, // binary output, which some servers refuse
		{"line separator", record.Warning, separator(e, l.dialect)},
		{"empty text", record.Warning, emptyText(e, m)}, // which a server refuses
	} {
		if bad.at >= 0 {
			if f, ok := l.finding(bad.severity, bad.name, e.Pos); ok {
				l.give(l.badText(f, e, bad.at))
			}
		}
	}
	l.thinking(e, m)
}

// badText returns the row of what is at an offset in e.
func (l *Log) badText(f record.Finding, e *entry.Entry, at int) record.BadText {
	return record.BadText{Finding: f, ID: l.idOf(e), At: e.At(at), Where: record.Text(pathTo(entry.Value(e.Bytes), at))}
}

// thinking notes whether e, whose message is m, has thinking with text, and whether it has empty signed thinking.
func (l *Log) thinking(e *entry.Entry, m *shape.Message) {
	for i := range m.Blocks {
		b := &m.Blocks[i]
		if !b.Type.Is("thinking") {
			continue
		}
		if text := b.Raw.Member("thinking"); string(text) != `""` {
			l.thinks = l.thinks || !text.IsEmpty()
		} else if isHollow(b.Raw) {
			l.hollow = append(l.hollow, e.Pos)
			return
		}
	}
}

func isHollow(b entry.Value) bool {
	return string(b.Member("thinking")) == `""` && !b.Member("signature").IsEmpty()
}

// hollowThinking reports empty thinking with a signature, which a server refuses. If no thinking of the
// log has text, that is how the client writes it.
func (l *Log) hollowThinking() {
	severity := record.Note
	if l.thinks {
		severity = record.Warning
	}
	for _, at := range l.hollow {
		if f, ok := l.finding(severity, "empty signed thinking", at); ok {
			e := l.t.EntryAt(at)
			body, where := entry.Value(e.Bytes), 0
			for b := range body.Member("message").Member("content").Elements() {
				if isHollow(b) {
					where = body.Offset(b.Member("thinking"))
					break
				}
			}
			l.give(l.badText(f, e, where))
		}
	}
}

// emptyText returns the offset in e of the text of an empty block of text in its message m, -1 if there is none.
func emptyText(e *entry.Entry, m *shape.Message) int {
	isEmpty := func(b *shape.Block) bool { return b.Type.Is("text") && string(b.Text) == `""` }
	for i := range m.Blocks {
		if !isEmpty(&m.Blocks[i]) {
			continue
		}
		body := entry.Value(e.Bytes)
		for b := range shape.Blocks(body.Member("message").Member("content")) {
			if isEmpty(&b) {
				return body.Offset(b.Text)
			}
		}
	}
	return -1
}

// separator returns the offset in e of a raw U+2028, or else of a raw U+2029. It returns -1 if there is none,
// or if the program of the log does not end lines at them.
func separator(e *entry.Entry, d dialect.Dialect) int {
	if !d.SplitsLines() {
		return -1
	}
	at := bytes.Index(e.Bytes, []byte("\u2028"))
	if at < 0 {
		at = bytes.Index(e.Bytes, []byte("\u2029"))
	}
	return at
}

// pathTo returns the path in jq, such as .message.content[0].text, of the offset at in v. It
// takes a bounded number of steps, because each may read the rest of v.
func pathTo(v entry.Value, at int) []byte {
	const steps = 32
	var path []byte
	for range steps {
		var next entry.Value
		for name, m := range v.Members() { // none unless v is an object
			if at < v.Offset(m)+len(m) {
				next, path = m, appendKey(path, name)
				break
			}
		}
		i := 0
		for m := range v.Elements() { // none unless v is an array
			if at < v.Offset(m)+len(m) {
				next, path = m, fmt.Appendf(path, "[%d]", i)
				break
			}
			i++
		}
		if next == nil {
			return path
		}
		if at -= v.Offset(next); at < 0 { // it is in the name
			return path
		}
		v = next[:len(next):len(next)]
	}
	return path
}

// appendKey appends to a path of jq the step to a member.
func appendKey(path []byte, name entry.Value) []byte {
	text := name.Text()
	plain := len(text) > 0
	for i, c := range text {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_'
		plain = plain && (letter || i > 0 && c >= '0' && c <= '9')
	}
	path = append(path, '.')
	if plain {
		return append(path, text...)
	}
	return entry.AppendString(path, text)
}
