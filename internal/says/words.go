package says

import (
	"iter"
	"slices"

	"jl/internal/entry"
	"jl/internal/shape"
)

// Words yields the texts of a content: the content itself if it is a string, or what its blocks say.
func Words(content entry.Value) iter.Seq[entry.Value] {
	return func(yield func(entry.Value) bool) {
		if content.IsString() {
			yield(content)
			return
		}
		for v := range Elements(content) {
			if !yieldWords(v, yield) {
				return
			}
		}
	}
}

// Elements yields the elements of an array, or an object alone.
func Elements(v entry.Value) iter.Seq[entry.Value] {
	if v.IsArray() {
		return v.Elements()
	}
	return func(yield func(entry.Value) bool) {
		if v.IsObject() {
			yield(v)
		}
	}
}

// yieldWords yields what an element of a content says. It reports false once no more is wanted.
func yieldWords(v entry.Value, yield func(entry.Value) bool) bool {
	if v.IsString() {
		return yield(v)
	}
	var kind, text, tool, content, data entry.Value
	for member, v := range v.Named() {
		switch string(member) {
		case "text":
			text = v
		case "tool_name":
			tool = v
		case "content", "resource":
			content = v
		case "kind":
			kind = v
		case "data":
			data = v
		}
	}
	switch {
	case kind.Is("text") && text == nil: // Kiro's
		text = data
	case text.IsObject(): // Cursor's
		text = text.Member("text")
	}
	for _, first := range []entry.Value{text, tool} {
		if first.IsString() {
			return yield(first)
		}
	}
	if content.Member("type").Is("document") { // that the server fetched
		for _, words := range wordsOf(content) {
			if !yield(words) {
				return false
			}
		}
		return true
	}
	if content.IsObject() { // a block in a block, or a file of a server, whose bytes are not words
		text = content.Member("text")
		if content.Member("blob") != nil {
			text = content.Member("uri")
		}
		return !text.IsString() || yield(text)
	}
	for _, words := range wordsOf(v) {
		if !yield(words) {
			return false
		}
	}
	return true
}

// wordsOf returns what a block other than a text says: what a search found, a link, a document. Data without a type
// says its JSON.
func wordsOf(v entry.Value) (words []entry.Value) {
	typ := v.Member("type")
	if typ == nil && BlockOf(v).Is == Unread {
		return []entry.Value{entry.AppendString(nil, v)}
	}
	names := []string{"title", "url", "stdout", "stderr", "error_code"}
	var texts entry.Value
	switch string(typ.Text()) {
	case "search_result":
		names, texts = []string{"title", "source"}, v.Member("content")
	case "resource_link":
		names = []string{"title", "name", "uri", "description"}
	case "document":
		names, texts = []string{"title", "context"}, documentText(v.Member("source"))
	}
	for _, name := range names {
		if part := v.Member(name); !part.IsEmpty() {
			words = append(words, part)
		}
	}
	return slices.AppendSeq(words, shape.Texts(texts))
}

// IsBlank reports whether all [Words] of a content are white space to JavaScript.
func IsBlank(content entry.Value) bool {
	for text := range Words(content) {
		if !shape.IsSpace(text) {
			return false
		}
	}
	return true
}

// documentText returns the text of a document whose source is a string or blocks, nil if it is a file.
func documentText(source entry.Value) entry.Value {
	switch typ := source.Member("type"); {
	case typ.Is("text"):
		return source.Member("data")
	case typ.Is("content"):
		return source.Member("content")
	}
	return nil
}
