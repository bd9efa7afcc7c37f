// Package journal keeps the finished pieces of long work in a write-ahead log
// ([kroo/internal/wal]), so that the same call goes on where another was
// stopped.
//
// A journal begins with its kind and its settings: everything that the pieces
// depend on. [Open] replays the pieces of a journal with the same kind and
// settings, and refuses any other with an error that names the field that
// differs. When the work's own output is written, [Remove] the journal.
//
// What belongs in the settings: inputs (by hash), rules, limits, evaluation,
// the engine's signature. What does not: how much work there is, when the
// pieces of less work are also pieces of more; the number of workers.
//
// A Journal is not safe for concurrent use.
package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"kroo/internal/strictjson"
	"kroo/internal/wal"
)

// Codec turns pieces into bytes and back. Decode checks what it reads; a piece
// may keep the bytes it was decoded from only during replay.
type Codec[R any] struct {
	Append func(dst []byte, piece R) ([]byte, error)
	Decode func(record []byte) (R, error)
}

// JSON is the codec of pieces that are JSON objects. A field that R does not
// have is an error.
func JSON[R any]() Codec[R] {
	return Codec[R]{
		Append: func(dst []byte, piece R) ([]byte, error) {
			text, err := json.Marshal(piece)
			return append(dst, text...), err
		},
		Decode: func(record []byte) (piece R, err error) {
			return piece, strictjson.Decode(record, wal.MaxRecord, &piece)
		},
	}
}

// Journal is an open journal of pieces of type R.
type Journal[R any] struct {
	log   *wal.Log // nil keeps nothing
	codec Codec[R]
	buf   []byte // reused by Append
}

// Open goes on with the journal at path, or starts it. It hands every piece
// there is to replay, in order; an error from replay stops it and is returned
// with the file's name and the record's number. kind names the work and changes
// with the meaning of the pieces ("kroo-match 2"); settings is a struct or map
// that JSON makes an object of, and with it one that does not differ between two
// calls for the same work.
//
// For an empty path the journal keeps nothing and Open replays nothing.
func Open[R any](path, kind string, settings any, codec Codec[R], replay func(R) error) (*Journal[R], error) {
	if path == "" {
		return &Journal[R]{codec: codec}, nil
	}
	want, err := newHeader(kind, settings)
	if err != nil {
		return nil, fmt.Errorf("journal %s: %w", path, err)
	}
	text, err := json.Marshal(want)
	if err != nil {
		return nil, fmt.Errorf("journal %s: %w", path, err)
	}
	log, err := wal.OpenOrCreate(path, text, want.check, func(record []byte) error {
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

// Append adds a finished piece. It survives a killed process at once, and a
// power cut after a second or two; see [wal.Log.Append].
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

// Remove deletes the journal at path, once the output of the work is written.
// It is no error if there is none.
func Remove(path string) error {
	if path == "" {
		return nil
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("journal: cannot remove: %w", err)
	}
	return nil
}
