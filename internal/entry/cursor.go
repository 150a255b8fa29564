package entry

// A Cursor walks through a value, and into the objects and arrays in it that the caller
// chooses, in one pass. For the members of an object:
//
//	if c.Object() {
//		for name := c.Name(); name != nil; name = c.Name() {
//			value := c.Value() // or a loop over what is in it
//		}
//	}
//
// The caller steps over each value, or through it to its end, before it asks for the next
// name or element. Where the text is not well formed the walk ends: from there on, the
// methods return nil and false.
type Cursor struct {
	text Value    // the value, and what follows it, which may be other lines
	at   int      // -1 where the text is not well formed
	g    *grammar // checks what the cursor steps over by the full grammar, unless it is nil

	escaped bool // the last name has escapes
}

// Cursor returns a cursor at v.
func (v Value) Cursor() Cursor { return Cursor{text: v, at: skipSpace(v, 0)} }

// Object steps into the value at the cursor if it is an object, and reports whether it is.
func (c *Cursor) Object() bool { return c.open('{') }

// Array steps into the value at the cursor if it is an array, and reports whether it is.
func (c *Cursor) Array() bool { return c.open('[') }

func (c *Cursor) open(bracket byte) bool {
	if c.at < 0 || c.at >= len(c.text) || c.text[c.at] != bracket {
		return false
	}
	c.at++
	return true
}

// Name steps to the value of the next member, and returns its name without quotes and escapes,
// which is not nil if it is empty. After the last member it steps to the end of the object and
// returns nil.
func (c *Cursor) Name() []byte {
	v := c.name()
	switch {
	case v == nil:
		return nil
	case c.escaped:
		return v.Text()
	}
	return v[1 : len(v)-1]
}

// name steps as Name does, and returns the name as it is written.
func (c *Cursor) name() Value {
	if !c.next('}') {
		return nil
	}
	text, start := c.text, c.at
	c.at = -1
	if text[start] != '"' {
		return nil
	}
	end := plain(text, start+1) // names are short
	if c.escaped = end >= len(text) || text[end] != '"'; !c.escaped {
		end++
	} else if end = c.g.sound(text, start); end < 0 {
		return nil
	}
	colon := skipSpace(text, end)
	if colon >= len(text) || text[colon] != ':' {
		return nil
	}
	c.at = skipSpace(text, colon+1)
	return text[start:end]
}

// Element steps to the next element. After the last one it steps to the end of the array and
// reports false.
func (c *Cursor) Element() bool { return c.next(']') }

// next steps to the next member or element, or past the bracket that closes their
// container. It reports whether there is a next one.
func (c *Cursor) next(closing byte) bool {
	if c.at < 0 {
		return false
	}
	before := c.text[c.at-1]
	first := before == '{' || before == '[' // no value ends in either
	i := skipSpace(c.text, c.at)
	if i < len(c.text) && c.text[i] == closing {
		c.at = i + 1
		return false
	}
	if !first {
		if i >= len(c.text) || c.text[i] != ',' {
			c.at = -1
			return false
		}
		i = skipSpace(c.text, i+1)
	}
	if i >= len(c.text) {
		c.at = -1
		return false
	}
	c.at = i
	return true
}

// Value steps over the value at the cursor and returns it. Do not append to it: other text may
// follow it in memory. Value does not check the grammar
// inside objects and arrays, unless a [Decoder] that finds faults, or is strict, gave the cursor
// to its Walk.
func (c *Cursor) Value() Value {
	start := c.at
	if start < 0 {
		return nil
	}
	if c.at = c.g.skip(c.text, start); c.at < 0 {
		return nil
	}
	return c.text[start:c.at]
}

// Lost reports whether the walk has ended where the text is not well formed.
func (c *Cursor) Lost() bool { return c.at < 0 }

// Since returns the text from start, an earlier place of c, to c, which must not be lost. Do not
// append to it: other text may follow it in memory.
func (c *Cursor) Since(start Cursor) Value { return c.text[start.at:c.at] }
