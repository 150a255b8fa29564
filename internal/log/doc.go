// Package log makes the table of one session log, whose leaves, ends, turns and paths package rule finds.
//
// A log is a tree: each entry names its parent, and going back to an earlier entry and trying again
// gives that entry two children. A node is an entry with an id. A conversation node is a user,
// assistant, attachment or system entry (in a pi log every entry but the header; other dialects have
// types of their own); other nodes are links, which only connect. In a list log the parent of an
// entry is the last entry that was alive when it was written, as package dialect says.
//
// A path is a part of the log, in file order; which, package rule says. This package fills the columns
// that the rule needs: build.go reads the log once, facts.go finds what an entry tells by itself, index.go
// makes the index of ids and settles which of several entries with an id counts, chain.go gives parents to a log whose
// ids form no chain, and compaction.go reads what boundaries name. Path.go says what is odd about a path. How other
// programs read a log is not known here: see package reader.
//
// What it promises. Children may precede their parents in the file. Among entries with the same id
// the last one counts, at its place; but one that has the same bytes as the one that counts so far is no news. A node
// whose parent is not in the file is an orphan; paths name it, and cycles of parents: see [Odd]. Every
// method ends on any graph, in time linear in the log apart from sorting, and a path has each node once. If a
// path is read as a log, its path is the same, for logs as a client writes them, also cut or torn. If lines were copied to or
// moved to where the client did not write them, it may differ, in fewer than one of 1,000.
//
// What it keeps. The columns of a node take 77 bytes, and about 16 in the index; a message of an assistant, or with
// results, takes 16 more, and each call or result 8. A Log keeps ids as hashes of 64 bits under seeds that
// differ in each run: see [Hash]. It keeps no text: it reads an entry again when it needs the text, and
// reports an error if the entry has changed. An annotation (a title, summary or snapshot) takes 32 bytes.
//
// What it does not do. It does not open files: its caller passes an io.ReaderAt, from which a Log
// reads entries again.
package log
