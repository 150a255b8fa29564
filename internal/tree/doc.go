// Package tree makes the tree of one session log, and answers what its leaves, ends, turns and
// paths are.
//
// A log is a tree: each entry names its parent, and going back to an earlier entry and trying again
// gives that entry two children. A node is an entry with an id. A conversation node is a user,
// assistant, attachment or system entry (in a pi log every entry but the header; other dialects have
// types of their own); other nodes are links, which only connect. In a list log the parent of an
// entry is the last entry that was alive when it was written, as package dialect says.
//
// A path is a part of the log, in file order. How it is found: build.go reads the log once and makes a
// node of each entry with an id; the number of a node is its place. Kept.go hangs what follows a
// compaction on its summary where it names an entry that the compaction kept. Turn.go joins what
// belongs to one message of the assistant, and finds what is above each turn; attach.go finds the
// turns that hang beside another and belong to its paths. Leaf.go chooses leaves and ends, and
// path.go climbs from turn to turn, and with across.go from compaction to compaction. Each of these is a
// few passes over arrays by node, made when somebody asks for a turn. How other programs read a log
// is not known here: see package reader.
//
// What it promises. Children may precede their parents in the file. Among entries with the same id
// the last one counts, at its place. A node whose parent is not in the file is an orphan, and turns
// that are above each other are one; paths name both: see [Path.Remarks]. Every method ends on any
// graph, in time linear in the log apart from sorting, and a path has each node once. If a path is read
// as a log, its path is the same, for logs as a client writes them, also cut, torn or copied.
//
// What it keeps. A node takes 52 bytes, and about 16 in the index, which is made when all entries are
// read; a message of an assistant, or with results, takes 16 more, and each call or result 8. The turns
// take 14 bytes more for each node. The tree keeps ids as hashes of 64 bits under seeds that differ in
// each run: see [Hash]. It keeps no text: it reads an entry again when it needs the text, and reports an
// error if the entry has changed. An annotation (a title, summary or snapshot) takes 32 bytes.
//
// What it does not do. It does not open files: its caller passes an io.ReaderAt, from which the tree
// reads entries again.
package tree
