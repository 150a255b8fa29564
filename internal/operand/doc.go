// Package operand opens the FILEs of a command line: as bytes, as entries, or as a log
// in which it looks up the ids that the user gave. It reports what is wrong with a FILE to
// the command, so that all programs use the same words and the same exit status.
//
// What it promises. Each FILE is a session of its own. "-" is standard input, which may be a list of sessions. A FILE
// that does not exist, or is a directory, may be the id of a session in the home: see [Options.Resolve]. A FILE that
// cannot be opened, a read that fails, and a line that is not a whole entry are reported with file and line, and do not
// stop the rest. A lost entry is trouble. A recovered one, and the unfinished end of a log that is being written, are
// notes. A FILE that is not a log gets one message: see [dialect.ErrNotLog].
//
// What it does not do. It prints no data, and it does not know what a program does with a
// log.
//
// The way of an entry, from a file to what is printed, with what each step hands to the next:
//
//	 1  Each                   a name                to a File: a source.Source, whose bytes it decompresses
//	 2  line.Forward           those bytes           to whole lines, many at a time
//	 3  dialect.Reader         the lines             to entries; the first of them tell the dialect.Dialect
//	 4  entry.Decoder          a line                to an entry.Entry: where its few fields are; or to an entry.Damage
//	 5  dialect.Thread         an Entry              to a dialect.Step: its id and its parent
//	 6  log.Read               Entries, or Steps     to a log.Log, whose Tree is a rule.Table: numbers and hashes
//	 7  rule.Table.Make        those columns         to more columns: turns, leaves, what belongs to a path
//	 8  log.Log.Path           a leaf                to a log.Path: nodes, which are the numbers of rows
//	 9  log.Log.Texts          the nodes             to their lines, read again, which jlpath prints as they are
//	10  says.Tell, said.Rows   an Entry              to a says.Telling of Things, then rows, which jlpath --said prints
//
// jlrev prints lines (2). jltree prints an edge of each entry (3 to 5). A log.Log needs the Steps (5) of a list,
// because the entries of a tree name their parents. jlleaf stops at the leaves (7).
package operand
