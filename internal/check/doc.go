// Package check finds what is wrong with a log: damaged lines, text that other readers refuse,
// parents that lead nowhere, ids that are used twice, clocks that go back, calls without results.
//
// What it knows. This package alone decides what counts as a finding, and how severe it is. Damage is what is lost, or
// what readers of the log disagree about. A warning is what some readers may stumble over, or what was interrupted. A
// note is worth knowing, but sound logs have it too. Each kind of finding has one function, which gives it its name
// and its severity. Log.entry calls those that need one entry, as it is read. [Log.Check] calls those that need the
// whole log. A new kind is a function, a line in one of the two, and a struct in package record for its row. Log.both
// reads the two entries of a finding that is about two.
//
// What it promises. It reads the log once, and again only the entries that it reports. It takes time linear in the
// log, apart from sorting. Besides the log it keeps the ids of sessions, and up to 80 bytes for each call: at the end,
// or, with up to 60 for each entry with calls or results, while it reads a list. At the end it keeps up to 40 bytes
// for each node if a call is far from its result. Parents are those that the entries name, whatever a compaction kept.
// A call must have its result on a path, as package log makes it. In a list, also of an unknown program, the result
// may be anywhere in the file.
//
// What it does not do. It prints nothing and decides no exit status.
package check
