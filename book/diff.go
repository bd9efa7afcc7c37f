package book

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"kroo/games/oware"
	"kroo/internal/doc"
)

// Difference is the result of comparing two books, A and B.
type Difference struct {
	A         int `json:"a"` // entries of each
	B         int `json:"b"`
	OnlyA     int `json:"only_a"` // entries of positions missing from B
	OnlyB     int `json:"only_b"`
	Same      int `json:"same"`            // entries that are equal
	Other     int `json:"other_values"`    // entries of the same position with different values
	OtherBest int `json:"other_best_move"` // those of them without a best move in common
	// Largest lists the entries whose best values differ most, largest difference first.
	Largest []Change `json:"largest"`
}

// Change is a position whose values differ between two books.
type Change struct {
	Position oware.Position
	A, B     Entry
}

// MarshalJSON writes values by the names of moves.
func (c Change) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]named{"a": c.A.named(c.Position), "b": c.B.named(c.Position)})
}

// size is the difference between the best values.
func (c Change) size() int {
	_, a := c.A.Best()
	_, b := c.B.Best()
	return max(a-b, b-a)
}

// Diff compares two sound books for the same rules, and lists up to largest of the largest
// differences.
func Diff(ctx context.Context, a, b *Book, largest int) (d *Difference, err error) {
	err = readBoth(a, b, func() error {
		d, err = diff(ctx, a, b, largest)
		return err
	})
	return d, err
}

func diff(ctx context.Context, a, b *Book, largest int) (*Difference, error) {
	rules, err := soundFor(ctx, a, b)
	if err != nil {
		return nil, fmt.Errorf("cannot compare: %w", err)
	}
	d := &Difference{A: a.Len(), B: b.Len(), Largest: []Change{}}
	var changes []Change
	pair(a, b, func(x, y *Entry) {
		switch {
		case y == nil:
			d.OnlyA++
		case x == nil:
			d.OnlyB++
		case *x == *y:
			d.Same++
		default:
			d.Other++
			if x.bestMoves()&y.bestMoves() == 0 {
				d.OtherBest++
			}
			changes = append(changes, Change{A: *x, B: *y})
		}
	})
	slices.SortStableFunc(changes, func(x, y Change) int { return -cmp.Compare(x.size(), y.size()) })
	for _, c := range changes[:min(len(changes), largest)] {
		if c.Position, err = oware.FromBookKey(rules, c.A.Key); err != nil {
			return nil, err
		}
		d.Largest = append(d.Largest, c)
	}
	return d, nil
}

// Doc reports the comparison of books named a and b.
func (d *Difference) Doc(a, b string) *doc.Doc {
	t := doc.NewTable("book", "entries", "only there")
	t.Add(a, d.A, d.OnlyA)
	t.Add(b, d.B, d.OnlyB)
	o := &doc.Doc{Value: d, Sections: []doc.Section{{Table: t}}}
	largest := doc.Section{Text: []string{fmt.Sprintf("in both: %d the same, %d with other values, %d of them with another best move", d.Same, d.Other, d.OtherBest)}}
	if len(d.Largest) > 0 {
		largest.Text = append(largest.Text, "the largest differences, with the values in the first book above those in the second:")
	}
	for _, c := range d.Largest {
		side := c.Position.ToMove()
		largest.Boards = append(largest.Boards, doc.Board{Board: c.Position.String(), Diagram: c.Position.Diagram(), Line: ScoresText(c.A.Scores, side) + "\n" + ScoresText(c.B.Scores, side)})
	}
	o.Add(largest)
	return o
}
