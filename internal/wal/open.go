package wal

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"

	"kroo/internal/vfs"
	"kroo/internal/wording"
)

// Open opens the log at path for appending, or creates it with the header head if it does not
// exist or its creation was interrupted. For an existing log it calls check with the header and
// then record for every record, in order; either may be nil. An error from one of them stops
// reading, and Open returns it with the file's name. The slice given to record is valid only
// during the call.
//
// Open removes a torn tail: a last record that is incomplete or damaged. For a damaged header,
// or a damaged record followed by whole records, it returns an error with "damaged", the file's
// name and the offset, and changes nothing. It allocates no more memory than the longest record
// in the file needs.
func Open(path string, head []byte, check, record func([]byte) error) (*Log, error) {
	// Opening, creating and locking is one call, so that no other process comes in between. An
	// incomplete log is rewritten in the same file, because another program may be waiting for
	// its lock.
	f, err := vfs.OpenLocked(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	l := &Log{f: f, path: path}
	err = l.load(check, record)
	if errors.Is(err, errNoHeader) { // it has no records: nothing is lost
		if err = errors.Join(f.Truncate(0), l.start(head)); err != nil {
			vfs.Remove(path)
		}
	} else if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return l, nil
}

// load reads the file, and removes a torn tail.
func (l *Log) load(check, record func([]byte) error) error {
	c, err := contents(l.f, check, record)
	switch {
	case err != nil:
		return err
	case c.Damaged:
		return fmt.Errorf("%w in the middle: the record at offset %d is bad but a whole one follows at offset %d: `train inspect --salvage %s` keeps what is before it",
			errDamaged, c.Bytes, c.after, wording.Path(l.path))
	}
	if l.end = c.Bytes; c.Lost > 0 {
		return errors.Join(l.f.Truncate(c.Bytes), l.f.Sync())
	}
	return nil
}

// errBadRecord: the record is incomplete or fails a checksum.
var errBadRecord = errors.New("bad record")

type head struct {
	length  int64
	payload uint32 // checksum
}

func parseHead(b []byte) (h head, ok bool) {
	h.length = int64(binary.LittleEndian.Uint32(b))
	h.payload = binary.LittleEndian.Uint32(b[4:])
	return h, h.length <= MaxRecord && crc32.Checksum(b[:8], castagnoli) == binary.LittleEndian.Uint32(b[8:])
}

// reader walks the records of a file.
type reader struct {
	f    io.ReaderAt
	size int64
	in   *bufio.Reader
	at   int64 // offset of the next record
	head [headSize]byte
	buf  []byte
}

// start checks the magic and returns the header. A header is read like a record, but a
// bad header is never a torn tail.
func (r *reader) start() ([]byte, error) {
	r.in = bufio.NewReaderSize(io.NewSectionReader(r.f, 0, r.size), 1<<16)
	first := make([]byte, min(r.size, int64(len(Magic))))
	if _, err := io.ReadFull(r.in, first); err != nil {
		return nil, err
	}
	if string(first) != Magic[:len(first)] {
		return nil, fmt.Errorf("not a log: it begins with %q, expected %q", first, Magic)
	}
	r.at = int64(len(first))
	if r.size < int64(len(Magic)+headSize) {
		return nil, errNoHeader
	}
	payload, err := r.next()
	if errors.Is(err, errBadRecord) {
		if h, ok := parseHead(r.head[:]); ok && r.at+headSize+h.length > r.size {
			return nil, errNoHeader
		}
		return nil, fmt.Errorf("%w header at offset %d", errDamaged, r.at)
	}
	return append([]byte(nil), payload...), err
}

// next returns the payload of the record at r.at and steps over it, or
// errBadRecord with r.at unchanged. It allocates only what the file can fill.
func (r *reader) next() ([]byte, error) {
	if r.size-r.at < headSize {
		return nil, errBadRecord
	}
	if _, err := io.ReadFull(r.in, r.head[:]); err != nil {
		return nil, err
	}
	h, ok := parseHead(r.head[:])
	if !ok || h.length > r.size-r.at-headSize {
		return nil, errBadRecord
	}
	if int64(cap(r.buf)) < h.length {
		r.buf = make([]byte, h.length)
	}
	r.buf = r.buf[:h.length]
	if _, err := io.ReadFull(r.in, r.buf); err != nil {
		return nil, err
	}
	if crc32.Checksum(r.buf, castagnoli) != h.payload {
		return nil, errBadRecord
	}
	r.at += headSize + h.length
	return r.buf, nil
}

// recordAfter returns the offset of the first whole record after bad, or -1. It tries every
// offset, because a length may be damaged, or bytes may be missing. A crafted file that looks
// like many overlapping records would make the search quadratic: beyond a budget it reports a
// record, so that Open returns an error and nothing is lost.
func (r *reader) recordAfter(bad int64) (int64, error) {
	in := bufio.NewReaderSize(io.NewSectionReader(r.f, bad+1, r.size-bad-1), 1<<16)
	budget := 4*(r.size-bad) + 1<<20
	for at := bad + 1; at+headSize <= r.size; at++ {
		b, err := in.Peek(headSize)
		if err != nil {
			return 0, err
		}
		if h, ok := parseHead(b); ok && h.length <= r.size-at-headSize {
			sum := crc32.New(castagnoli)
			if _, err := io.Copy(sum, io.NewSectionReader(r.f, at+headSize, h.length)); err != nil {
				return 0, err
			}
			budget -= h.length
			if sum.Sum32() == h.payload || budget < 0 {
				return at, nil
			}
		}
		if _, err := in.Discard(1); err != nil {
			return 0, err
		}
	}
	return -1, nil
}
