// Package wal implements a write-ahead log, an append-only file of checksummed records, for work
// that must survive a crash. Records written before the crash survive, and a record is either
// whole or absent.
//
// [Open] creates a log with a header that identifies the work, or reads the header and all
// records of an existing log and removes a tail torn by a crash. [Log.Append] writes a record
// immediately, so that it survives a killed process. It syncs the file if the last sync was a
// second or more ago, so that a power failure costs a second or two of work. [Log.Sync] syncs
// now.
//
// Caveats: a log has one writer at a time, which a lock on the file enforces where the system
// has such locks. A Log is not safe for concurrent use. Open cannot distinguish a damaged last
// record from a torn one and removes it. Records must not contain parts of such logs: in a torn
// tail they would look like whole records after a damaged one, and Open would return an error.
//
// The file is the eight bytes "kroolog1" and then records, of which the first is the header. A
// record is, in little-endian order, the payload's length, the CRC-32C of the payload, the
// CRC-32C of those eight bytes (four bytes each), and the payload. The head has its own checksum
// so that a damaged length is never used.
package wal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"time"

	"kroo/internal/vfs"
)

// MaxRecord is the maximum length of a record or header, in bytes.
const MaxRecord = 64 << 20

// Magic is the beginning of every log.
const Magic = "kroolog1"

const headSize = 12

// Errors that callers distinguish with [errors.Is].
var (
	// ErrLocked: another process, or another Log of this one, has the file open.
	ErrLocked = vfs.ErrLocked
	// errDamaged: whole records follow a damaged one, so it is not a torn tail, or the header is
	// damaged. The file is unchanged.
	errDamaged = errors.New("damaged")
	// errNoHeader: the file ends inside its header; its creation was interrupted and it has no
	// records.
	errNoHeader = errors.New("the file ends inside its header: its creation was interrupted, delete it and start over")
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Log is an open log, positioned at its end.
type Log struct {
	f      *vfs.File
	path   string
	end    int64  // offset of the next record
	buf    []byte // reused by Append
	synced time.Time
	failed error // first write error; nothing is written after it
}

// start writes and syncs the header of a new log.
func (l *Log) start(head []byte) error {
	if err := l.write([]byte(Magic)); err != nil {
		return err
	}
	if err := l.append(head); err != nil {
		return err
	}
	if err := l.Sync(); err != nil {
		return err
	}
	return vfs.SyncDir(filepath.Dir(l.path))
}

// Append writes one record of up to [MaxRecord] bytes, possibly empty. After an error the log
// accepts no more records; it can be opened again.
func (l *Log) Append(record []byte) error {
	if err := l.append(record); err != nil {
		return err
	}
	if time.Since(l.synced) >= syncEvery {
		return l.Sync()
	}
	return nil
}

// syncEvery limits the work that a power failure can cost.
const syncEvery = time.Second

func (l *Log) append(payload []byte) error {
	if len(payload) > MaxRecord {
		return fmt.Errorf("%s: record of %d bytes: at most %d", l.path, len(payload), MaxRecord)
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
func (l *Log) write(b []byte) error {
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

// Sync returns when all records are on disk. After an error it is unknown which are, and the log
// accepts no more.
func (l *Log) Sync() error {
	if l.failed != nil {
		return l.failed
	}
	if err := l.f.Sync(); err != nil {
		l.failed = fmt.Errorf("cannot sync: %w", err)
	}
	l.synced = time.Now()
	return l.failed
}

// Close syncs and closes the log and releases its lock.
func (l *Log) Close() error {
	err := l.Sync()
	if cerr := l.f.Close(); err == nil && cerr != nil {
		err = fmt.Errorf("cannot close: %w", cerr)
	}
	if l.failed == nil {
		l.failed = fmt.Errorf("%s: %w", l.path, os.ErrClosed)
	}
	return err
}
