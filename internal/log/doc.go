// Package log makes the table of one session log, whose leaves, ends, turns and paths package rule finds.
//
// A log is a tree: each entry names its parent. Who goes back to an earlier entry and tries again gives that entry two
// children. A node is an entry with an id. A conversation node is a user, assistant, attachment or system entry; in a
// pi log it is every entry but the header, and other dialects have types of their own. Other nodes are links, which
// only connect. In a list log the parent of an entry is the last entry that was alive when it was written, as package
// dialect says.
//
// A path is a part of the log, in file order. Package rule says which part. This package fills the columns that the
// rule needs. Build.go reads the log once. Facts.go finds what an entry tells by itself. Index.go makes the index of
// ids, and settles which of several entries with an id counts. Chain.go gives parents to a log whose ids form no chain.
// Compaction.go reads what boundaries name. Path.go says what is odd about a path. Package reader knows how other
// programs read a log.
//
// What it promises. Children may precede their parents in the file. Among entries with the same id the last one counts,
// at its place. An entry with the same bytes as the one that counts so far changes nothing. A node whose parent is not
// in the file is an orphan. Paths name orphans, and cycles of parents: see [Odd]. Every method ends on any graph, in
// time linear in the log apart from sorting, and a path has each node once. A path that is read as a log has itself as
// its path, if a client wrote the log, also if the log was cut or torn. If lines were copied or moved to where the
// client did not write them, it differs in fewer than one of 1,000 logs.
//
// What it keeps. The columns of a node take 77 bytes, and about 16 in the index; a message of an assistant, or with
// results, takes 16 more, and each call or result 8. A Log keeps ids as hashes of 64 bits under seeds that
// differ in each run: see [Hash]. It keeps no text: it reads an entry again when it needs the text, and
// reports an error if the entry has changed. An annotation (a title, summary or snapshot) takes 32 bytes.
//
// What it does not do. It does not open files: its caller passes an io.ReaderAt, from which a Log
// reads entries again.
package log
