// Package weightsfile is the format of files of pattern weights of any game: a header
// that says what they are, and compressed sections, sealed by a SHA-256. [Seal] makes
// the content of a file, [Open] checks and reads one; [File.Weights] reads the weights
// of a model.
//
// # Bytes
//
// A weights file is, numbers little-endian:
//
//	8 bytes   the magic "kroowts\n"
//	4 bytes   version of the format, 2
//	4 bytes   kind: 1 a model, 2 a compiled evaluator
//	4 bytes   length of the header in bytes, at most 1 MiB
//	header    JSON, see Header
//	4 bytes   sections that follow
//	section   8 bytes of length, and a Zstandard frame (RFC 8878) so long, which refers
//	          at most 1 MiB back; …
//	32 bytes  SHA-256 of all bytes before it
//
// In version 1, of files up to 22 November 2026, a section is a DEFLATE stream (RFC 1951).
// Both are read.
//
// A model has one section, a float32 for each column: the first (lowest) bytes
// of all columns, then the second, third and fourth bytes. Package features/oware
// describes the sections of its compiled evaluator; other games have none.
//
// Caveat: Open checks the container. What the header says of game, rules and set is
// for the game's package to check.
package weightsfile
