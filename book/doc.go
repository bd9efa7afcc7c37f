// Package book reads and writes oware opening books in the 20-byte format of
// Sala Soler 2014: a text header, then one entry for each position, ascending
// by key, with the values of its six moves.
//
// [Write] makes a file whole or not at all; [Open] maps one into memory and
// [Book.Lookup] finds a position in it without allocating, from any number of
// goroutines. [Verify] checks a file against the rules, [Merge] joins two
// books, [Dump] prints one as text.
//
// # The file
//
// The header is lines of text, the first a signature, the others
// "Name: value", ended by a line that is exactly the bytes 00 0A. This package
// writes ASCII and also reads UTF-16BE, the encoding of the oldest books. An
// entry is a big-endian int64, the position's key, and six big-endian int16,
// the values in points of the moves of the player to move from his left to his
// right, from his own view; a move that is not legal has [Illegal]. The key is
// the binomial rank of the board, plus 2^43 when South is to move
// ([oware.Position.BookKey]).
//
// A reader trusts the size of the file and its checksums, nothing else. Books
// by this package carry two: "CRC-32C" of the entries, and last "Header
// CRC-32C" of all header bytes before its own line. Books by other programs,
// told by their signature, may come without: they are opened, and Verify
// reports it.
//
// Caveats: values of entries are not checked by Open, only by Verify. A file
// must not be cut or overwritten in place while it is open (the system kills
// the process that reads a missing page); Write never does that.
package book
