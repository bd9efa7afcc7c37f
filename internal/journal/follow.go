package journal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"

	"kroo/internal/vfs"
)

// Follower reads the pieces of a journal while another process appends to it. It needs no lock, and
// changes nothing.
type Follower[R any] struct {
	path   string
	codec  Codec[R]
	header []byte // of the journal
	at     int64  // offset of the next record; 0 before the header was read
}

// NewFollower returns a follower of the journal at path, which need not exist yet.
func NewFollower[R any](path string, codec Codec[R]) *Follower[R] {
	return &Follower[R]{path: path, codec: codec}
}

// Pieces yields the pieces that were appended since the last call. A piece that is not whole yet
// comes with a later call. It ends with an error if the file cannot be read, or is not the journal of
// the earlier calls: it is shorter or its header differs.
func (t *Follower[R]) Pieces() iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		var none R
		f, err := vfs.Open(t.path)
		if err != nil {
			yield(none, err)
			return
		}
		defer f.Close()
		r, err := t.reader(f)
		for err == nil {
			var payload []byte
			payload, err = r.next()
			if errors.Is(err, errBadRecord) { // being written
				return
			}
			var piece R
			if err == nil {
				piece, err = t.codec.Decode(payload)
			}
			if err == nil {
				t.at = r.at
				if !yield(piece, nil) {
					return
				}
			}
		}
		if !errors.Is(err, errNoHeader) { // being created
			yield(none, fmt.Errorf("%s: %w", t.path, err))
		}
	}
}

// errReplaced: the file is not the journal of the earlier calls.
var errReplaced = errors.New("the journal was replaced")

// reader returns a reader of the records that were not read yet.
func (t *Follower[R]) reader(f *vfs.File) (*reader, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	r := &reader{f: f, size: info.Size()}
	if r.size < t.at {
		return nil, errReplaced
	}
	header, err := r.start()
	if err != nil {
		return nil, err
	}
	if t.at == 0 {
		t.header = header
		t.at = r.at
		return r, nil
	}
	if !bytes.Equal(header, t.header) {
		return nil, errReplaced
	}
	r.at = t.at
	r.in = bufio.NewReaderSize(io.NewSectionReader(f, t.at, r.size-t.at), 1<<16)
	return r, nil
}

// Raw returns the codec of pieces that are only counted. A piece shares its memory with the next one.
func Raw() Codec[[]byte] {
	return Codec[[]byte]{
		Append: func(dst, piece []byte) ([]byte, error) { return append(dst, piece...), nil },
		Decode: func(record []byte) ([]byte, error) { return record, nil },
	}
}
