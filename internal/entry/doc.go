// Package entry is the codec of the suite: from the bytes of one line of a
// session log to the few top-level fields that the programs read.
//
// What it knows. An entry is one JSON object. Only its top-level keys count; the
// same keys inside message, toolUseResult, data or snapshot are never looked at.
// Key names are exact: "UUID" is not "uuid", "\u0075uid" is. Of a repeated key
// the last one wins, as in JSON.parse. Two dialects are read: Claude's (uuid,
// parentUuid; Qwen writes the same) and pi's (id, parentId).
//
// What it promises. [Entry.Scan] always looks at every byte of the line, so a
// torn line is never taken for an entry: strings end, brackets balance, nothing
// but JSON's own characters stands outside strings, no bracket stands where none
// can, and nothing follows the object. It does not check the rest of the grammar
// inside nested values; [Valid] does, for the lines that are printed. No function
// recurses on its input and none limits a line's length or depth. Nothing is
// allocated for a line; [Value]s are parts of the line that was given, which the
// caller owns.
//
// A line that is not a whole entry is told from one that is, and what is whole
// inside it is recovered, by [Decoder]: that is the one place where the suite's
// rule for bad input lives.
//
// What it does not do. It never writes an entry anew: an entry that is printed is
// the bytes that were read. It knows nothing of files, trees or paths. It is
// lenient about invalid UTF-8 and lone surrogates, which occur in real logs and
// which JSON.parse accepts; ids that differ in them stay different.
package entry
