// Package check finds what is wrong with a log: damaged lines, text that other readers refuse,
// parents that lead nowhere, ids that are used twice, clocks that go back, calls without results.
//
// What it knows. What counts as a finding, and how severe it is, is decided here and nowhere
// else: damage is what is lost, or what readers of the log disagree about; a warning is what
// some readers may stumble over, or what was interrupted; a note is worth knowing, but sound
// logs have it too. Each kind of finding has one function, which gives it its name and its
// severity. Those that need one entry are called by [Log.entry] when the entry is read; those
// that need the whole log are in the table of [Log.Check]. A new kind is a function, a line
// there, and a struct in package record for its row.
//
// What it promises. It reads the log once, and again only the entries that it reports. It takes
// time linear in the log apart from sorting. Besides the log it keeps the ids of sessions, and at its end
// up to 80 bytes for each call, and up to 40 for each node if a call is far from its result. Parents are
// those that the entries name, whatever a compaction kept. A call must have its result on a path as package
// log makes it, and in a list, also of a program that is not known, in the file.
//
// What it does not do. It prints nothing and decides no exit status.
package check
