package sampler

import (
	"encoding/binary"
	"errors"
	"fmt"

	"kroo/engine"
	"kroo/internal/journal"
)

// answered is a record of the journal of labels: the answer for a row, from 0. They are in the
// order in which searches end.
type answered struct {
	row int64
	engine.Answer
}

// answerCodec writes the row as a varint before the answer.
var answerCodec = journal.Codec[answered]{
	Append: func(b []byte, a answered) ([]byte, error) {
		return a.Answer.Append(binary.AppendUvarint(b, uint64(a.row))), nil
	},
	Decode: func(b []byte) (a answered, err error) {
		row, n := binary.Uvarint(b)
		if n <= 0 {
			return a, errors.New("expected the number of a row")
		}
		a.row = int64(row)
		var rest []byte
		if a.Answer, rest, err = engine.ParseAnswer(b[n:]); err == nil && len(rest) > 0 {
			err = errors.New("expected one answer")
		}
		return a, err
	},
}

// known is which of the rows have an answer.
type known struct {
	rows     []uint64 // a bit each
	n, total int64
	last     int64                   // the largest row that has one
	late     map[int64]engine.Answer // those that came more than ahead rows after the last
}

// ahead is how many rows apart the answers of a journal are, but those that are late: most are of rows at
// which a program has failed before.
const ahead = 1 << 15

func has(rows []uint64, row int) bool { return rows[row/64]>>(row%64)&1 != 0 }

// take takes the next record.
func (k *known) take(a answered) error {
	if a.row < 0 || a.row >= k.total || has(k.rows, int(a.row)) {
		return fmt.Errorf("a label of row %d: expected a row of the %d, once", a.row+1, k.total)
	}
	k.rows[a.row/64] |= 1 << (a.row % 64)
	k.n++
	if a.row < k.last-ahead {
		k.late[a.row] = a.Answer
	}
	k.last = max(k.last, a.row)
	return nil
}
