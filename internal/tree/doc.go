// Package tree holds the entries of one session log by id and parent, and knows
// which of them is the leaf of the conversation and which lie on its path.
//
// A log is a tree: each entry names its parent, and going back to an earlier
// entry and trying again gives that entry two children. A node is an entry with
// an id. A conversation node is a user, assistant, attachment or system entry (in
// a pi log every entry but the header); other nodes are links, which only connect.
//
// What it promises. Children may stand before their parents in the file. Of
// entries with the same id the last counts, with its place. A parent that is not
// in the file makes its child an orphan; a cycle ends at the first repeat; neither
// is passed over in silence: see [Path.Remarks]. Every question ends, on any graph,
// in time linear in the log but for a logarithm. There is one exception: under
// [Claude21] each message of a path costs the stretch from its first entry to its
// last, and where messages are interleaved these stretches overlap.
//
// What it keeps. A node takes 64 bytes, in chunks, and 9 to 15 more in the index.
// Ids are kept as hashes of 128 bits under keys chosen anew in each run; where an
// entry's text is needed it is read again, and an entry that is then no longer
// there is an error. What stands beside the tree (titles, summaries, snapshots)
// takes 48 bytes each.
//
// The readers. [Default] is the suite's own rule; the others answer as the
// programs they are named for do, step by step, differences and all. A pi log is
// always read by pi's rules. Files whose conversation entries have no ids at all
// are one straight path.
//
// It does not know files: it is given lines, and an io.ReaderAt for the second look.
package tree
