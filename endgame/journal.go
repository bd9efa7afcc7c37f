package endgame

import (
	"encoding/binary"
	"errors"
	"fmt"

	"kroo/internal/journal"
)

// journalKind changes whenever the meaning of the pieces does.
const journalKind = "kroo-endgame 2"

// journalHeader is everything that the levels of a table depend on. The table's number of
// seeds is not in it: a table can resume from the journal of a larger or smaller one.
type journalHeader struct {
	Rules    string `json:"rules"`
	Bounds   Bounds `json:"bounds"`
	Resolved int    `json:"settled"`
	Budget   int64  `json:"budget"`
}

// piece is a part of a level. A level may be longer than the longest record.
type piece struct {
	level  int
	number int // within the level, from 0
	last   bool
	data   []byte // at most pieceSize
}

const (
	pieceHead = 1 + 4 + 1
	pieceSize = 1 << 20
)

var pieces = journal.Codec[piece]{Append: appendPiece, Decode: readPiece}

func appendPiece(b []byte, p piece) ([]byte, error) {
	b = binary.LittleEndian.AppendUint32(append(b, byte(p.level)), uint32(p.number))
	last := byte(0)
	if p.last {
		last = 1
	}
	return append(append(b, last), p.data...), nil
}

// readPiece decodes a piece, whose data refers to the record.
func readPiece(b []byte) (piece, error) {
	if len(b) < pieceHead || b[5] > 1 {
		return piece{}, errors.New("not a piece of a level")
	}
	return piece{int(b[0]), int(binary.LittleEndian.Uint32(b[1:])), b[5] == 1, b[pieceHead:]}, nil
}

// keepLevel appends a finished level to the journal and syncs it.
func keepLevel(j *journal.Journal[piece], n int, data []byte) error {
	p := piece{level: n}
	for ; !p.last; p.number++ {
		p.data = data[:min(len(data), pieceSize)]
		data = data[len(p.data):]
		p.last = len(data) == 0
		if err := j.Append(p); err != nil {
			return err
		}
	}
	return j.Sync()
}

// openJournal reads the journal's levels into the table and returns their number.
func (c Config) openJournal(t *Table) (*journal.Journal[piece], int, error) {
	r := journalReader{table: t}
	j, err := journal.Open(c.Journal, journalKind, journalHeader{c.Rules.String(), c.Bounds, c.Resolve, c.Budget}, pieces, r.take)
	if err != nil {
		return nil, 0, err
	}
	return j, min(r.known, t.seeds+1), nil
}

// journalReader joins the pieces in a journal into levels.
type journalReader struct {
	table  *Table
	known  int // whole levels
	pieces int // of the next level
	filled int // bytes of it
}

func (r *journalReader) take(p piece) error {
	if p.level != r.known {
		return errors.New("levels are not in order: delete it to start over")
	}
	if p.number == 0 { // a level that was written in part restarts
		r.pieces, r.filled = 0, 0
	}
	if p.number != r.pieces {
		return fmt.Errorf("pieces of level %d are not in order: delete it to start over", r.known)
	}
	r.pieces++
	if r.known <= r.table.seeds {
		level := r.table.levelData(r.known)
		if len(p.data) > len(level)-r.filled || p.last && len(p.data) < len(level)-r.filled {
			return fmt.Errorf("level %d has the wrong size: delete it to start over", r.known)
		}
		r.filled += copy(level[r.filled:], p.data)
	}
	if p.last {
		r.known++
		r.pieces, r.filled = 0, 0
	}
	return nil
}
