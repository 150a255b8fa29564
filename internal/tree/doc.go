// Package tree makes the tree of one session log, and answers what its leaves, ends, turns and
// paths are.
//
// A log is a tree: each entry names its parent, and going back to an earlier entry and trying again
// gives that entry two children. A node is an entry with an id. A conversation node is a user,
// assistant, attachment or system entry (in a pi log every entry but the header; other dialects have
// types of their own); other nodes are links, which only connect. In a list log the parent of an
// entry is the last entry that was alive when it was written, as package dialect says.
//
// How a tree is made. Build.go reads the log once, first line to last, and makes a node of each
// entry with an id. Then kept.go adds a copy of each entry that the last compaction kept, below the
// anchor, and hangs what follows below the copies: from there on, whatever walks from parent to
// parent needs no rule for compactions. Turn.go joins what belongs to one message of the assistant.
// Leaf.go finds leaves and ends, path.go walks to one of them, and branch.go looks at several paths
// together. How other programs read a log is not known here: see package reader.
//
// What it promises. Children may precede their parents in the file. Among entries with the same id
// the last one counts, at its place. A node whose parent is not in the file is an orphan, and a
// cycle ends at the first repeat; paths name both: see [Path.Remarks]. Every method ends on any
// graph, in time linear in the log apart from sorting.
//
// What it keeps. A node takes 48 bytes, and about 16 in the index; a message of an assistant, or
// with results, takes 16 more, and each call or result 8. What looks at all nodes takes 4 or 8 bytes
// more for each. The tree keeps ids as hashes of 64 bits under seeds that differ in each run: see
// [Hash]. It keeps no text: it reads an entry again when it needs the text, and reports an error if
// the entry has changed. An annotation (a title, summary or snapshot) takes 32 bytes.
//
// What it does not do. It does not open files: its caller passes an io.ReaderAt, from which the tree
// reads entries again.
package tree
