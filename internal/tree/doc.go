// Package tree holds the entries of one session log by id and parent. It finds leaves,
// paths, and the live part of the log.
//
// A log is a tree: each entry names its parent, and going back to an earlier entry and
// trying again gives that entry two children. A node is an entry with an id. A
// conversation node is a user, assistant, attachment or system entry (in a pi log every
// entry but the header; other dialects have types of their own); other nodes are links,
// which only connect. In a straight log the parent of an entry is the last entry that was
// alive when it was written.
//
// What it promises. Children may precede their parents in the file. Among entries with the
// same id the last one counts, at its position. A node whose parent is not in the file is
// an orphan, and a cycle ends at the first repeat; paths name both: see [Path.Remarks].
// Every method ends on any graph, in time linear in the log apart from sorting. There is
// one exception: under [Claude21] each message of a path costs time linear in the distance
// from its first entry to its last, so interleaved messages cost more than linear time.
// [ReadLive] costs what the live part costs, whatever the size of the log, but it reads all
// of a straight log; [Live.Settings] may read all of a pi log.
//
// What it keeps. A node takes 48 bytes, and 11 to 15 bytes in the index; the message of an
// assistant, or with results, 16 bytes more, and 8 for each call or result. What looks at all
// nodes takes 4 or 8 bytes more for each. The tree keeps ids of entries as hashes of 64 bits with
// a tag of 32, and those of messages and calls as hashes of 64 bits, under seeds that differ in
// each run. It keeps no text: it reads an entry again when it needs the text, and reports an
// error if the entry has changed. An annotation (a title, summary or snapshot) takes 40 bytes.
//
// The rules. [Default] is the suite's own rule; the others answer exactly as the programs
// after which they are named. A log that is not Claude's always follows the rules of its
// dialect. A Claude log whose conversation entries have no ids is one path in file order.
//
// What it does not do. It does not open files: its caller passes an io.ReaderAt, from which
// it also reads entries again.
package tree
