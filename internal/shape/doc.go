// Package shape knows the shape of what entries hold: the content of messages, tool
// calls and results, prompts, the lists of a compaction, backups of files.
// When a release writes one of these differently, this is the place to change.
//
// What it knows. An entry's top level belongs to package entry; this package reads
// below it, in Claude's records and pi's. Each shape has one function, which reads it
// in all the forms that releases have written, and says where a form comes from.
//
// What it promises. It returns values of the entry as they are written, parts of the
// entry that live as long as the entry does, unless a function says that it returns a
// copy. A value of another kind than expected counts as absent. Each call takes time
// linear in the entry, however many blocks it holds.
//
// What it does not do. It knows no files, no tree and no session, and never decides
// what a shape means for a path or a row.
package shape
