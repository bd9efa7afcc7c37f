package journal

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"time"

	"kroo/internal/atomicfile"
	"kroo/internal/vfs"
	"kroo/internal/wording"
)

const (
	// Magic is the beginning of every journal.
	Magic            = "kroolog1"
	maxRecord        = 64 << 20 // bytes of a record or header
	recordHeaderSize = 12
)

var (
	// errDamaged: whole records follow a damaged one, so it is not a torn tail, or the header is
	// damaged. The file is unchanged.
	errDamaged = errors.New("damaged")
	// errNoHeader: the file ends inside its header; its creation was interrupted and it has no
	// records.
	errNoHeader = errors.New("the file ends inside its header: its creation was interrupted, delete it and start over")
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// recordFile is the open file of a journal, positioned at its end: a header and records, each with a
// checksum. The methods of a nil recordFile do nothing.
type recordFile struct {
	f      *vfs.File
	path   string
	end    int64  // offset of the next record
	buf    []byte // reused by append
	synced time.Time
	failed error // first write error; nothing is written after it
}

// start writes and syncs the header of a new file.
func (l *recordFile) start(head []byte) error {
	if err := l.write([]byte(Magic)); err != nil {
		return err
	}
	if err := l.append(head); err != nil {
		return err
	}
	if err := l.sync(); err != nil {
		return err
	}
	return vfs.SyncDir(filepath.Dir(l.path))
}

// syncEvery limits the work that a power failure can cost.
const syncEvery = time.Second

// append writes one record, possibly empty. After an error the log accepts no more records; it can
// be opened again.
func (l *recordFile) append(payload []byte) error {
	if len(payload) > maxRecord {
		return fmt.Errorf("%s: record of %d bytes: at most %d", l.path, len(payload), maxRecord)
	}
	l.buf = appendRecord(l.buf[:0], payload)
	return l.write(l.buf)
}

func appendRecord(dst, payload []byte) []byte {
	at := len(dst)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(payload)))
	dst = binary.LittleEndian.AppendUint32(dst, crc32.Checksum(payload, castagnoli))
	dst = binary.LittleEndian.AppendUint32(dst, crc32.Checksum(dst[at:], castagnoli))
	return append(dst, payload...)
}

// write appends b. After a failure, half a record may be in the file. A record after it would
// turn the torn tail into damage in the middle, so write truncates the file and refuses further
// records.
func (l *recordFile) write(b []byte) error {
	if l.failed != nil {
		return l.failed
	}
	if _, err := l.f.WriteAt(b, l.end); err != nil {
		l.failed = fmt.Errorf("cannot append: %w", err)
		l.f.Truncate(l.end) // best effort: Open would truncate it as well
		return l.failed
	}
	l.end += int64(len(b))
	return nil
}

// sync returns when all pieces are on disk. After an error it is unknown which are, and the journal
// accepts no more.
func (l *recordFile) sync() error {
	if l == nil {
		return nil
	}
	if l.failed != nil {
		return l.failed
	}
	if err := l.f.Sync(); err != nil {
		l.failed = fmt.Errorf("cannot sync: %w", err)
	}
	l.synced = time.Now()
	return l.failed
}

// Close syncs and closes the journal and releases its lock.
func (l *recordFile) Close() error {
	if l == nil {
		return nil
	}
	err := l.sync()
	if cerr := l.f.Close(); err == nil && cerr != nil {
		err = fmt.Errorf("cannot close: %w", cerr)
	}
	if l.failed == nil {
		l.failed = fmt.Errorf("%s: %w", l.path, os.ErrClosed)
	}
	return err
}

// openRecordFile opens the log at path for appending, or creates it with the header head if it does not
// exist or its creation was interrupted. For an existing log it calls check with the header and
// then record for every record, in order. An error from one of them stops reading, and openRecordFile
// returns it with the file's name. The slice given to record is valid only during the call.
//
// It removes a torn tail: a last record that is incomplete or damaged. For a damaged header, or a
// damaged record followed by whole records, it returns an error with "damaged", the file's name
// and the offset, and changes nothing. It allocates no more memory than the longest record in the
// file needs.
func openRecordFile(path string, head []byte, check, record func([]byte) error) (*recordFile, error) {
	// Opening, creating and locking is one call, so that no other process comes in between. An
	// incomplete log is rewritten in the same file, because another program may be waiting for
	// its lock.
	f, err := vfs.OpenLocked(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	l := &recordFile{f: f, path: path}
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
func (l *recordFile) load(check, record func([]byte) error) error {
	c, err := contents(l.f, check, record)
	switch {
	case err != nil:
		return err
	case c.Damaged:
		return fmt.Errorf("%w in the middle: the record at offset %d is bad but a whole one follows at offset %d: `train inspect --salvage %s` keeps what is before it",
			errDamaged, c.Bytes, c.after, wording.Path(l.path))
	}
	l.end = c.Bytes
	if c.Lost > 0 {
		return l.cutTornTail()
	}
	return nil
}

// cutTornTail removes what follows the last whole record.
func (l *recordFile) cutTornTail() error { return errors.Join(l.f.Truncate(l.end), l.f.Sync()) }

// errBadRecord: the record is incomplete or fails a checksum.
var errBadRecord = errors.New("bad record")

type recordHeader struct {
	length  int64
	payload uint32 // checksum
}

func parseRecordHeader(b []byte) (h recordHeader, ok bool) {
	h.length = int64(binary.LittleEndian.Uint32(b))
	h.payload = binary.LittleEndian.Uint32(b[4:])
	return h, h.length <= maxRecord && crc32.Checksum(b[:8], castagnoli) == binary.LittleEndian.Uint32(b[8:])
}

// reader walks the records of a file.
type reader struct {
	f      io.ReaderAt
	size   int64
	in     *bufio.Reader
	at     int64 // offset of the next record
	header [recordHeaderSize]byte
	buf    []byte
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
	if r.size < int64(len(Magic)+recordHeaderSize) {
		return nil, errNoHeader
	}
	payload, err := r.next()
	if errors.Is(err, errBadRecord) {
		if h, ok := parseRecordHeader(r.header[:]); ok && r.at+recordHeaderSize+h.length > r.size {
			return nil, errNoHeader
		}
		return nil, fmt.Errorf("%w header at offset %d", errDamaged, r.at)
	}
	return append([]byte(nil), payload...), err
}

// next returns the payload of the record at r.at and steps over it, or
// errBadRecord with r.at unchanged. It allocates only what the file can fill.
func (r *reader) next() ([]byte, error) {
	if r.size-r.at < recordHeaderSize {
		return nil, errBadRecord
	}
	if _, err := io.ReadFull(r.in, r.header[:]); err != nil {
		return nil, err
	}
	h, ok := parseRecordHeader(r.header[:])
	if !ok || h.length > r.size-r.at-recordHeaderSize {
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
	r.at += recordHeaderSize + h.length
	return r.buf, nil
}

// recordAfter returns the offset of the first whole record after bad, or -1. It tries every
// offset, because a length may be damaged, or bytes may be missing. A crafted file that looks
// like many overlapping records would make the search quadratic: beyond a budget it reports a
// record, so that opening is an error and nothing is lost.
func (r *reader) recordAfter(bad int64) (int64, error) {
	in := bufio.NewReaderSize(io.NewSectionReader(r.f, bad+1, r.size-bad-1), 1<<16)
	budget := 4*(r.size-bad) + 1<<20
	for at := bad + 1; at+recordHeaderSize <= r.size; at++ {
		b, err := in.Peek(recordHeaderSize)
		if err != nil {
			return 0, err
		}
		if h, ok := parseRecordHeader(b); ok && h.length <= r.size-at-recordHeaderSize {
			sum := crc32.New(castagnoli)
			if _, err := io.Copy(sum, io.NewSectionReader(r.f, at+recordHeaderSize, h.length)); err != nil {
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

// Contents describes the contents of a journal.
type Contents struct {
	Kind     string            `json:"kind"`     // kind of work, "" if unknown
	Settings map[string]string `json:"settings"` // values as JSON
	Records  int64             `json:"records"`  // number of whole pieces before the first damaged or torn one
	Bytes    int64             `json:"bytes"`    // size of the file up to there
	Lost     int64             `json:"lost"`     // bytes from there to the end
	// Damaged: whole records follow the damaged one, so [Open] returns an error, and [Salvage]
	// truncates the journal.
	Damaged bool `json:"damaged"`

	header []byte
	after  int64 // offset of the first whole record after the damage
}

// Inspect reads a journal without changing it. It returns an error if the header is damaged.
func Inspect(path string) (Contents, error) {
	f, err := vfs.Open(path)
	if err != nil {
		return Contents{}, err
	}
	defer f.Close()
	c, err := contents(f, skipRecord, skipRecord)
	if err != nil {
		return c, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

func skipRecord([]byte) error { return nil }

func contents(f *vfs.File, check, record func([]byte) error) (c Contents, err error) {
	info, err := f.Stat()
	if err != nil {
		return c, err
	}
	if !info.Mode().IsRegular() {
		return c, errors.New("not a regular file")
	}
	r := &reader{f: f, size: info.Size()}
	c.header, err = r.start()
	if err != nil {
		return c, err
	}
	c.Kind, c.Settings = settingsOf(c.header)
	if err := check(c.header); err != nil {
		return c, err
	}
	for r.at < r.size {
		payload, err := r.next()
		if errors.Is(err, errBadRecord) {
			c.after, err = r.recordAfter(r.at)
			c.Bytes = r.at
			c.Lost = r.size - r.at
			c.Damaged = c.after >= 0
			return c, err
		}
		if err != nil {
			return c, err
		}
		if err := record(payload); err != nil {
			return c, fmt.Errorf("record %d: %w", c.Records, err)
		}
		c.Records++
	}
	c.Bytes = r.at
	return c, nil
}

// damagedSuffix is appended to path for the copy that [Salvage] makes.
const damagedSuffix = ".damaged"

// salvage truncates a damaged log before its first damaged record, so that it can be opened
// again. It first copies the whole log to path + damagedSuffix. It does not change an undamaged
// log. It returns the contents before.
func salvage(path string) (Contents, error) {
	f, err := vfs.OpenLocked(path, os.O_RDWR, 0)
	if err != nil {
		return Contents{}, err
	}
	defer f.Close()
	c, err := contents(f, skipRecord, skipRecord)
	if err == nil && c.Damaged {
		err = cutDamage(f, path, c.Bytes)
	}
	if err != nil {
		return c, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

func cutDamage(f *vfs.File, path string, size int64) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	err = atomicfile.WriteFile(path+damagedSuffix, func(w io.Writer) error {
		_, err := io.Copy(w, io.NewSectionReader(f, 0, info.Size()))
		return err
	})
	if err != nil {
		return err
	}
	if err := f.Truncate(size); err != nil {
		return err
	}
	return f.Sync()
}
