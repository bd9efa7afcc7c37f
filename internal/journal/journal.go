// Package journal saves the finished pieces of long work in a write-ahead log, an append-only file
// of checksummed records, so that interrupted work can resume. Pieces appended before a crash
// survive it, and each is either whole or absent.
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
// A Journal is not safe for concurrent use. It has one writer at a time, which a lock on the file
// enforces where the system has such locks ([vfs.ErrLocked]).
//
// The file is the eight bytes "kroolog1" and then records, of which the first is the header. A
// record is, in little-endian order, the payload's length, the CRC-32C of the payload, the
// CRC-32C of those eight bytes (four bytes each), and the payload. The head has its own checksum
// so that a damaged length is never used.
//
// Caveats: Open cannot distinguish a damaged last record from a torn one and removes it. Records
// must not contain parts of such files: in a torn tail they would look like whole records after a
// damaged one, and Open would return an error.
package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"kroo/internal/outline"
	"kroo/internal/strict"
	"kroo/internal/vfs"
	"kroo/internal/wording"
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
			return piece, strict.JSON(record, maxRecord, &piece)
		},
	}
}

// Journal is an open journal with pieces of type R.
type Journal[R any] struct {
	*recordFile // nil if path is empty
	codec       Codec[R]
	buf         []byte // reused by Append
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
	want, text, err := newHeader(kind, settings)
	if err != nil {
		return nil, fmt.Errorf("journal %s: %w", path, err)
	}
	records, err := openRecordFile(path, text, want.check, func(record []byte) error {
		piece, err := codec.Decode(record)
		if err != nil {
			return err
		}
		return replay(piece)
	})
	if err != nil {
		return nil, err
	}
	return &Journal[R]{recordFile: records, codec: codec}, nil
}

// Append adds a finished piece. It is written immediately, so it survives a killed process, and
// synced if the last sync was a second or more ago: a power failure costs the pieces that were appended
// within a second of the last sync.
func (j *Journal[R]) Append(piece R) (err error) {
	if j.recordFile == nil {
		return nil
	}
	j.buf, err = j.codec.Append(j.buf[:0], piece)
	if err != nil {
		return err
	}
	if err := j.append(j.buf); err != nil || time.Since(j.synced) < syncEvery {
		return err
	}
	return j.sync()
}

// Renew deletes the journal at path, unless it is intact and has exactly this header, including
// recorded values, which means that an interrupted call of the same work wrote it. It does not
// delete files that are not journals; [Open] returns an error for them.
func Renew(path, kind string, settings any) error {
	if path == "" {
		return nil
	}
	_, text, err := newHeader(kind, settings)
	if err != nil {
		return fmt.Errorf("journal %s: %w", path, err)
	}
	there, err := Inspect(path)
	if err != nil || there.Kind == "" || !there.Damaged && bytes.Equal(there.header, text) {
		return nil
	}
	return Remove(path)
}

// PathOf returns the name of the journal of work whose result goes to the file out.
func PathOf(out string) string { return out + ".journal" }

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

// Describe describes the journal in a file.
func Describe(path string) (*outline.Doc, error) {
	c, err := Inspect(path)
	if err != nil {
		return nil, err
	}
	return c.doc(), nil
}

// Salvage truncates a damaged journal before its first damaged record, and describes what it
// kept and what was lost.
func Salvage(path string) (*outline.Doc, error) {
	c, err := salvage(path)
	if err != nil {
		return nil, err
	}
	s := c.doc()
	if c.Damaged {
		s = &outline.Doc{Value: c,
			Title: fmt.Sprintf("kept %s (%d bytes), lost the %d bytes after them; the damaged journal is in %s",
				wording.Count(c.Records, "record"), c.Bytes, c.Lost, path+damagedSuffix)}
	}
	return s, nil
}

func (c Contents) doc() *outline.Doc {
	s := &outline.Doc{Value: c, Title: fmt.Sprintf("a journal of %s, %q", wording.Count(c.Records,
		"finished piece"), c.Kind)}
	for _, name := range slices.Sorted(maps.Keys(c.Settings)) {
		s.Facts = append(s.Facts, outline.Fact{Name: name, Value: c.Settings[name]})
	}
	switch {
	case c.Damaged:
		s.Addf("damaged at byte %d: --salvage keeps what is before it, and loses %d bytes", c.Bytes, c.Lost)
	case c.Lost > 0:
		s.Addf("torn at its end: the last %d bytes are not a whole piece", c.Lost)
	}
	return s
}

// header is the first record of a journal, as JSON.
type header struct {
	Journal  string                     `json:"journal"` // the kind of work
	Settings map[string]json.RawMessage `json:"settings"`
}

// newHeader returns a header and its encoding.
func newHeader(kind string, settings any) (h header, text []byte, err error) {
	h.Journal = kind
	text, err = json.Marshal(settings)
	if err != nil {
		return h, nil, fmt.Errorf("settings: %w", err)
	}
	if err := json.Unmarshal(text, &h.Settings); err != nil || h.Settings == nil {
		return h, nil, errors.New("settings: expected a value that encodes as a JSON object")
	}
	text, err = json.Marshal(h)
	return h, text, err
}

// check compares the header found in a file with h.
func (h header) check(found []byte) error {
	var there header
	if err := strict.JSON(found, maxRecord, &there); err != nil || there.Journal != h.Journal {
		return fmt.Errorf("not a journal of kind %q: %s", h.Journal, whatToDo)
	}
	got, want := flatten(there.Settings), flatten(h.Settings)
	fields := maps.Clone(want)
	maps.Copy(fields, got)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if got[name] != want[name] && !isRecorded(name) {
			return fmt.Errorf("%w: %s is %s, expected %s%s: %s",
				ErrOther, strings.ReplaceAll(name, "_", " "), show(got[name]), show(want[name]), recordedValues(name,
					got, want), whatToDo)
		}
	}
	return nil
}

// ErrOther is wrapped by the error for a journal with other settings.
var ErrOther = errors.New("made with other settings")

// isRecorded reports whether a setting is only for people.
func isRecorded(name string) bool {
	return slices.Contains(strings.Split(name, "."), "recorded")
}

// recordedValues returns the "recorded" values next to a setting, of both journals.
func recordedValues(name string, there, here map[string]string) string {
	next := name[:strings.LastIndexByte(name, '.')+1] + "recorded"
	if there[next] == "" && here[next] == "" {
		return ""
	}
	return fmt.Sprintf(" (it was %s, now %s)", show(there[next]), show(here[next]))
}

const whatToDo = "delete it to start over, or choose another file"

// flatten maps the values of an object by name. Values of an inner object have names such as
// "outer.inner".
func flatten(object map[string]json.RawMessage) map[string]string {
	flat := map[string]string{}
	for name, value := range object {
		var inner map[string]json.RawMessage
		if json.Unmarshal(value, &inner) == nil && len(inner) > 0 {
			for below, v := range flatten(inner) {
				flat[name+"."+below] = v
			}
			continue
		}
		var text bytes.Buffer
		json.Compact(&text, value) // cannot fail: it was decoded before
		flat[name] = text.String()
	}
	return flat
}

// show formats a value for an error: on one line, truncated if long, with words for a missing
// field.
func show(value string) string {
	const maxLength = 120
	switch {
	case value == "":
		return "not set"
	case len(value) > maxLength:
		return strings.ToValidUTF8(value[:maxLength], "") + "…"
	}
	return value
}

// settingsOf returns the kind of work and the settings in a journal's header, with values as
// JSON. They are empty if it is not a journal's header.
func settingsOf(head []byte) (kind string, settings map[string]string) {
	var h header
	if err := strict.JSON(head, maxRecord, &h); err != nil {
		return "", nil
	}
	return h.Journal, flatten(h.Settings)
}
