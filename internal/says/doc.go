// Package says tells what one entry says: in a [Telling], as things of a [Kind], in the words of all agents.
//
// What it knows. One file for each program, which begins with its row of the table of agents: what its entries tell
// about their session, and what they say; which types say nothing; how results tell that a call failed, was refused or
// changed a file. Names that several programs share stand once: block.go has the types and members of blocks, tokens.go
// what a usage counts, any.go who speaks in a log of a program that has no row. Where the first words of a text tell
// who wrote it, package shape knows.
//
// What it promises. A [Thing] has the values of the entry, or values made of them, and lives as long as the entry.
// Nothing vanishes: a type of entry, of block or of usage that no rule reads is a thing of the kind [Unread]. Each call
// takes time linear in the entry, however its objects are nested.
//
// What it does not do. It sees one entry, so it does not know which call a result answers, nor what was said before:
// see package said. It chooses no path and opens no file.
//
// A new agent is a file here if its entries say what they say in a way of their own: a variable of the type agent, and
// a line in the table in table.go. If its log is not like any other, it is a file and a line in package dialect, too;
// and always a row in session/agents.go, and a home in the tests of jlrel.
package says
