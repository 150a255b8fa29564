// Package torture drives the programs, built as they are installed, to where
// they could lie, lose or hang: full disks, failing reads, short transfers, kills
// at every system call, logs that change under them. Each of its tests is the
// proof of one promise, and says in a table how often it was tried and how often
// it held:
//
//	go test ./test/torture
//	TORTURE=long go test -timeout 30m ./test/torture
//
// TORTURE_TABLE names a file for the table, in Markdown. TORTURE_BIN names a
// directory of programs to be driven instead of those that are built, such as
// those of a release, or broken ones.
package torture
