// Package book reads and writes oware opening books in the 20-byte format of Sala Soler 2014: a text
// header, then one entry per position, ascending by key, with the values of its six moves.
//
// [Write] writes a file atomically. [Open] reads one into memory, also the built-in books
// by their names ([Names]). [Book.Lookup] finds a position without allocating and is safe for
// concurrent use. [Verify] checks a file against the rules, itself and endgame tables, [Survey]
// measures its coverage, and [Explore] returns a tree to browse. [Refine] updates the values of
// leaves, and [Book.Sources] returns the searches that values come from. [Merge] joins two books,
// [Prune] shrinks one, and [Dump] writes one as CSV.
//
// # Values
//
// The value of a move to another position of the book is the negative of the best value there. The
// exception is a move that leads back to an earlier position of its line: its value is the result
// that the rules give for the repetition, never a proven one. A file does not record which moves
// those are; this package recognises them by their values.
//
// # File format
//
// The header consists of lines of text: a signature, then "Name: value" lines, then a line that is
// exactly the bytes 00 0A. This package writes ASCII. It also reads UTF-16BE, the encoding of the
// oldest books.
//
// An entry is a big-endian int64 and six big-endian int16. The first is the position's key: the
// binomial rank of the board, plus 2^43 when South is to move ([oware.Position.BookKey]). The others
// are the values of the moves of the side to move, from its left to its right, in points for that
// side: 1000/24 per seed of the evaluation that the book was built with. An illegal move has the
// value [Illegal].
//
// A reader trusts only the size of the file and its checksums. Books of this package have two
// checksums: "CRC-32C" covers the entries, and "Header CRC-32C", the last line, covers all header
// bytes before it. Books of other programs, which have another signature, may lack them: Open
// accepts such a book, and Verify reports it.
//
// Caveats: Open does not check the values of entries; Verify does. A file has at most 8 GB, and is read into memory.
package book
