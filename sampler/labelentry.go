package sampler

import (
	"encoding/binary"
	"fmt"

	"kroo/datasets"
	"kroo/games"
	"kroo/internal/journal"
)

// entry is a record of the journal of labels: the label of the next row, or why there is
// none; or later the label of a row that had none.
type entry[P games.Position[P]] struct {
	label  datasets.LabelRow[P]
	failed string // "" for a label
	late   bool   // of the row, which had none
	row    int64  // from 0
}

// known is what a journal tells.
type known[P games.Position[P]] struct {
	rows   int64
	failed map[int64]string               // rows without a label
	later  map[int64]datasets.LabelRow[P] // labels of rows that had none at first
}

// take takes the next entry.
func (k *known[P]) take(x entry[P]) error {
	if k.failed == nil {
		k.failed, k.later = map[int64]string{}, map[int64]datasets.LabelRow[P]{}
	}
	switch {
	case !x.late && x.failed != "":
		k.failed[k.rows] = x.failed
	case x.late && k.failed[x.row] == "":
		return fmt.Errorf("another label of row %d, which has one", x.row+1)
	case x.late:
		k.later[x.row] = x.label
		delete(k.failed, x.row)
		return nil
	}
	k.rows++
	return nil
}

// label is the label of a row whose own entry is x, if it has one.
func (k *known[P]) label(row int64, x entry[P]) (l datasets.LabelRow[P], there bool) {
	if x.failed == "" {
		return x.label, true
	}
	l, there = k.later[row]
	return l, there
}

// The flags of entries that are more than the label of the next row; the others are those
// of the label.
const (
	flagFailed = flagAtMost << (1 + iota)
	flagLate
)

// entryCodec writes an entry: a label as it is, a failure as its flag and text, and a later
// label as its flag, the row as a varint and the label.
func entryCodec[P games.Position[P]]() journal.Codec[entry[P]] {
	return journal.Codec[entry[P]]{
		Append: func(b []byte, x entry[P]) ([]byte, error) {
			switch {
			case x.failed != "":
				return append(append(b, flagFailed), x.failed...), nil
			case x.late:
				b = binary.AppendUvarint(append(b, flagLate), uint64(x.row))
			}
			return appendLabel(b, x.label)
		},
		Decode: decodeEntry[P],
	}
}

func decodeEntry[P games.Position[P]](b []byte) (x entry[P], err error) {
	if len(b) > 1 {
		switch b[0] {
		case flagFailed:
			return entry[P]{failed: string(b[1:])}, nil
		case flagLate:
			row, n := binary.Uvarint(b[1:])
			if n <= 0 || row > MaxN {
				return x, errLabel
			}
			x.late, x.row, b = true, int64(row), b[1+n:]
		}
	}
	x.label, err = decodeLabel[P](b)
	return x, err
}
