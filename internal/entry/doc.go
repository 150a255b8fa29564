// Package entry is the codec of the suite: it reads, from the bytes of one line of a
// session log, the few top-level fields that the programs use.
//
// What it knows. An entry is one JSON object on one line. Only its top-level keys count; the
// same keys inside message, toolUseResult, data or snapshot are ignored. Key names are
// exact: "UUID" is not "uuid", but "\u0075uid" is. If a key is repeated, the last one
// wins, as in JSON.parse.
//
// What it promises. [Entry.Scan] reads every byte of the line, so it never accepts a torn
// line: strings end, brackets balance, only bytes that JSON allows in a line
// appear outside strings, no bracket follows a byte that it cannot follow, and nothing follows the
// object. It does not check the rest of the grammar inside nested values; [Valid] does,
// for the lines that are printed. No function recurses on its input or limits the length
// or depth of a line. Scanning a line does not allocate; a [Value] is part of the line,
// which the caller owns.
//
// [Decoder] holds the suite's rule for bad input: it decides whether a line is one whole
// entry, and recovers the whole entries inside a damaged line.
//
// Nearly all bytes of a log pass through three loops: one checks strings, one skips strings, and
// one skips nested values. On amd64 they use AVX2 if the processor has it. With the build tag
// purego, and on other processors, they are plain Go. Both accept the same lines. So that the
// bytes pass only once, a Decoder can read the message of an entry while it scans the entry, and
// can find its [Faults] at the same time; only invalid UTF-8 has a loop of its own. A Decoder does
// not search for the end of a line that begins with an entry: the line ends where the entry ends,
// because the loops stop at a newline.
//
// What it does not do. It never re-encodes an entry: a printed entry is the bytes that were read.
// It knows nothing about files, trees or paths, nor about the programs that write logs. It accepts
// invalid UTF-8 and lone surrogates, as JSON.parse does, because they occur in real logs. Ids that
// differ in them stay different, except that an escaped surrogate equals the three bytes that UTF-8
// would give it.
package entry
