// Package book reads and writes oware opening books in the 20-byte format of
// Sala Soler 2014: a text header, then one entry for each position, ascending
// by key, with the values of its six moves.
//
// [Write] writes a file atomically. [Open] maps one into memory, [Find] also knows the
// program's own book, which is called "default" ([DefaultName]) and is for abapa.
// [Book.Lookup] finds a position without allocating, from any number of goroutines.
// [Verify] checks a file against the rules, itself and endgame tables, [Survey] says
// what it covers, [Explore] makes a tree to walk through. [Diff] compares two books,
// [Deepen] takes new values for leaves, [Book.Sources] finds the searches that values come from.
// [Merge] joins two, [Prune] makes one smaller, and [Dump] prints one as text or as a
// tree of lines.
//
// # Values
//
// A move to another position of the book has the negative of the best value there.
// Only a move that leads back to an earlier position of its line cannot: it closes a
// cycle, and counts as what the rules give when that position is repeated, never as
// proven. A file does not say which moves those are; the functions of this package
// find them by their values. Merge and Prune restore this rule in what they make.
//
// # The file
//
// The header consists of lines of text: a signature, then "Name: value" lines, then
// a line that is exactly the bytes 00 0A. This package writes ASCII. It also reads
// UTF-16BE, the encoding of the oldest books.
//
// An entry is a big-endian int64 and six big-endian int16. The first is the
// position's key: the binomial rank of the board, plus 2^43 when South is to move
// ([oware.Position.BookKey]). The others are the values of the moves of the side to
// move, from its left to its right, in points from its own view: 1000/24 to a seed
// of the evaluation that the book was built with. A move that is not legal has the
// value [Illegal].
//
// A reader trusts the size of the file and its checksums, and nothing else. Books
// of this package have two checksums: "CRC-32C" covers the entries, and "Header
// CRC-32C", the last line, covers all header bytes before it. Books of other
// programs, which have another signature, may lack them: Open accepts such a book,
// and Verify reports it.
//
// Caveats: Open does not check the values of entries, only Verify does. Nobody may
// shorten or overwrite a file in place while it is open: what is missing is an error,
// [Book.Err]. Write replaces files and never does that.
package book
