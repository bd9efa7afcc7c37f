package sampler

import (
	"encoding/binary"
	"errors"
	"fmt"

	"kroo/datasets"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
	"kroo/internal/journal"
)

// answered is a record of the journal: a row of positions, by number from 0, and its answer.
// Records are in the order in which searches finish.
type answered[P search.Position[P]] struct {
	number int64
	row    datasets.Row[P]
	engine.Answer
}

// answerCodec writes numbers as varints: row, game, ply, result and margin, and position (text in
// games that do not number positions); then the answer.
func answerCodec[P search.Position[P]](g *games.Game[P], rules string) journal.Codec[answered[P]] {
	return journal.Codec[answered[P]]{
		Append: func(b []byte, a answered[P]) ([]byte, error) {
			for _, v := range []int64{a.number, int64(a.row.Game), int64(a.row.Ply), int64(a.row.Result), int64(a.row.Margin)} {
				b = binary.AppendVarint(b, v)
			}
			if g.FromKey != nil {
				key, _ := g.Key(a.row.Position)
				b = binary.AppendVarint(b, key)
			} else {
				text := g.Print(a.row.Position)
				b = append(binary.AppendVarint(b, int64(len(text))), text...)
			}
			return a.Answer.Append(b), nil
		},
		Decode: func(b []byte) (a answered[P], err error) {
			var v [6]int64
			for i := range v {
				n := 0
				if v[i], n = binary.Varint(b); n <= 0 {
					return a, errors.New("expected a row with its answer")
				}
				b = b[n:]
			}
			a.number, a.row.Game, a.row.Ply = v[0], int32(v[1]), int32(v[2])
			a.row.Outcome = datasets.Outcome{Result: datasets.Result(v[3]), Margin: int32(v[4])}
			if g.FromKey != nil {
				a.row.Position, err = g.FromKey(rules, v[5])
			} else if v[5] < 0 || v[5] > int64(len(b)) {
				err = errors.New("expected the text of a position")
			} else {
				a.row.Position, err = g.Parse(rules, string(b[:v[5]]))
				b = b[v[5]:]
			}
			if err != nil {
				return a, err
			}
			if a.Answer, b, err = engine.ParseAnswer(b); err == nil && len(b) > 0 {
				err = errors.New("expected one answer")
			}
			return a, err
		},
	}
}

// known is the set of rows that have an answer.
type known[P search.Position[P]] struct {
	rows     []uint64 // bitmap
	n, total int64
	last     int64                 // the largest row with an answer
	late     map[int64]answered[P] // answers that came more than ahead rows after last
}

// maxAhead bounds how many rows apart the journal's answers can be in memory. Later ones, mostly for
// rows at which a program failed before, are kept in late.
const maxAhead = 1 << 15

func has(rows []uint64, row int64) bool { return rows[row/64]>>(row%64)&1 != 0 }

// take adds the next record.
func (k *known[P]) take(a answered[P]) error {
	if a.number < 0 || a.number >= k.total || has(k.rows, a.number) {
		return fmt.Errorf("a label of row %d: expected a row of the %d, once", a.number+1, k.total)
	}
	k.rows[a.number/64] |= 1 << (a.number % 64)
	k.n++
	if a.number < k.last-maxAhead {
		k.late[a.number] = a
	}
	k.last = max(k.last, a.number)
	return nil
}
