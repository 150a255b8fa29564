package entry

// Fields are the members of an object, which are few: a map takes longer to make than it saves.
type Fields []struct {
	name  []byte
	value Value
}

// FieldsOf returns the members of an object, in one pass.
func FieldsOf(v Value) Fields {
	f := make(Fields, 0, 8)
	for name, v := range v.Named() {
		f = append(f, struct {
			name  []byte
			value Value
		}{name, v})
	}
	return f
}

// Get returns the last member of a name, nil if there is none.
func (f Fields) Get(name string) Value {
	for i := len(f) - 1; i >= 0; i-- {
		if string(f[i].name) == name {
			return f[i].value
		}
	}
	return nil
}
