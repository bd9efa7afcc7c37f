// Package journal saves the finished pieces of long work in a write-ahead log
// ([kroo/internal/wal]), so that interrupted work can resume.
//
// A journal starts with its kind and its settings: everything that the pieces depend on. [Open]
// replays the pieces of a journal with the same kind and settings, and returns an error for any
// other journal, naming the field that differs. [Remove] the journal when the output of the work
// is written.
//
// Settings include inputs (by hash), rules, limits, evaluation, and the engine's signature. They
// do not include the number of workers, nor the amount of work if the pieces of less work are
// also pieces of more. A setting called "recorded", at any depth, is informative: it is not
// compared, but shown in errors about the settings next to it.
//
// A Journal is not safe for concurrent use.
package journal

import (
	"bytes"
	"encoding/json"
	"fmt"

	"kroo/internal/strict"
	"kroo/internal/vfs"
	"kroo/internal/wal"
)

// Codec encodes and decodes pieces. Decode validates its input. A piece may share memory with
// the decoded bytes, but only during replay.
type Codec[R any] struct {
	Append func(dst []byte, piece R) ([]byte, error)
	Decode func(record []byte) (R, error)
}

// JSON returns the codec of pieces that are JSON objects. It returns an error for fields that R
// does not have.
func JSON[R any]() Codec[R] {
	return Codec[R]{
		Append: func(dst []byte, piece R) ([]byte, error) {
			text, err := json.Marshal(piece)
			return append(dst, text...), err
		},
		Decode: func(record []byte) (piece R, err error) {
			return piece, strict.JSON(record, wal.MaxRecord, &piece)
		},
	}
}

// Journal is an open journal with pieces of type R.
type Journal[R any] struct {
	log   *wal.Log // nil if path is empty
	codec Codec[R]
	buf   []byte // reused by Append
}

// Open opens the journal at path, or creates it. It passes every piece to replay, in order. An
// error from replay stops it; Open returns the error with the file's name and the record's
// number.
//
// kind names the work. It changes when the meaning of the pieces changes ("kroo-match 2").
// settings is a struct or map that encodes as a JSON object, always the same object for the same
// work.
//
// With an empty path nothing is saved or replayed.
func Open[R any](path, kind string, settings any, codec Codec[R], replay func(R) error) (*Journal[R], error) {
	if path == "" {
		return &Journal[R]{codec: codec}, nil
	}
	want, text, err := encodedHeader(kind, settings)
	if err != nil {
		return nil, fmt.Errorf("journal %s: %w", path, err)
	}
	log, err := wal.Open(path, text, want.check, func(record []byte) error {
		piece, err := codec.Decode(record)
		if err != nil {
			return err
		}
		return replay(piece)
	})
	if err != nil {
		return nil, err
	}
	return &Journal[R]{log: log, codec: codec}, nil
}

// Append adds a finished piece. The piece survives a killed process immediately, and a power
// failure after a second or two: see [wal.Log.Append].
func (j *Journal[R]) Append(piece R) (err error) {
	if j.log == nil {
		return nil
	}
	if j.buf, err = j.codec.Append(j.buf[:0], piece); err != nil {
		return err
	}
	return j.log.Append(j.buf)
}

// Sync returns when all pieces are on disk.
func (j *Journal[R]) Sync() error {
	if j.log == nil {
		return nil
	}
	return j.log.Sync()
}

// Close syncs and closes the journal.
func (j *Journal[R]) Close() error {
	if j.log == nil {
		return nil
	}
	return j.log.Close()
}

// Renew deletes the journal at path, unless it is intact and has exactly this header, including
// recorded values, which means that an interrupted call of the same work wrote it. It does not
// delete files that are not journals; [Open] returns an error for them.
func Renew(path, kind string, settings any) error {
	if path == "" {
		return nil
	}
	_, text, err := encodedHeader(kind, settings)
	if err != nil {
		return fmt.Errorf("journal %s: %w", path, err)
	}
	there, err := wal.Inspect(path, nil)
	if err != nil || !there.Damaged && bytes.Equal(there.Header, text) {
		return nil
	}
	if kind, _ := settingsOf(there.Header); kind == "" {
		return nil
	}
	return Remove(path)
}

// Remove deletes the journal at path, if it exists. Call it when the output of the work is
// written.
func Remove(path string) error {
	if path == "" {
		return nil
	}
	if err := vfs.RemoveIfThere(path); err != nil {
		return fmt.Errorf("cannot remove: %w", err)
	}
	return nil
}
