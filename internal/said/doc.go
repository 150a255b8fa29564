// Package said turns the entries of a log into rows, one for each thing that was said or done in it.
//
// What it knows. Package says knows what an entry says, and package shape which words a person typed. This package
// knows what takes more than one entry, and is the same for all agents: which call a result answers, and how long that
// took; which prompts were queued and never said; the texts that come in pieces; the tokens of a message, which
// several entries tell; what a call did to files, as a diff; how the lists of what there is to do change; which
// beginning of a log is a copy of another log.
//
// What it promises. A row is compact JSON. Its members are, in this order: "is", which is its kind; "timestamp",
// "session", "agentId" or "isSidechain", "uuid"; then those of its kind. Texts and inputs that are JSON in the log are
// the log's own bytes, but for lone surrogates, which jq 1.6 cannot read: they become U+FFFD. Rows stand in the order
// of their entries, and what still waits for another entry comes at the end. Each thing has one row, however often the
// log tells it. The rows of a part of a log are the same whether it is read from that log or from a file of its own. A
// kind that nobody asked for costs nothing. What no rule reads is counted, by its name.
//
// It keeps what is open, not what was read: calls without a result, the messages whose tokens may not be complete, the
// queue, lists, and one piece of text; and a hash of 8 bytes for each thing that has an id.
//
// What it does not do. It does not choose entries, and it knows no files and no tree.
package said
