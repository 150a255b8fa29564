package source

// Compressed reports whether the operand is gzip or zstd data.
func (s *Source) Compressed() bool { return s.kind != "" }

// InPlace reports whether At reads the operand where it lies, in any order: it is a
// plain regular file, or zstd data with a sound seek table. If not, At reads all of it
// first, and a caller that wants only a part may prefer Read.
func (s *Source) InPlace() bool {
	if s.whole == nil {
		s.seek()
	}
	return s.whole != nil
}
