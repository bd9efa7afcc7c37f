package dropout

import (
	"fmt"
	"slices"

	"kroo/book"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/doc"
	"kroo/internal/wording"
)

// description describes the leaves of the drop-out diagrams: the ends of lines in which the player
// of the book plays best moves and the opponent any.
type description struct {
	Sides []sideDescription `json:"sides"`
}

// sideDescription describes the leaves of one player's book. Values are in points for that player,
// depths in plies.
type sideDescription struct {
	Side    string     `json:"side"`
	Leaves  int        `json:"leaves"`
	Decided int        `json:"decided"` // leaves with a proven value
	Values  doc.Spread `json:"values"`
	Depths  doc.Spread `json:"depths"`
	Bins    doc.Bins   `json:"histogram"` // of the values; Exact counts decided leaves
}

// DescribeLeaves describes a file of the leaves of both players' books.
func DescribeLeaves(path string) (*doc.Doc, error) {
	leaves, err := ReadLeaves(path)
	if err != nil {
		return nil, err
	}
	d := description{}
	s := &doc.Doc{Title: "leaves of the drop-out diagrams", Lead: []string{"Columns: side, whose book it is, S or N; value_points, for that player; " +
		"depth_plies, from the root; decided, whether the value is proven."}}
	for i, name := range oware.Descriptor().Sides {
		if list := leaves[oware.Side(i)]; len(list) > 0 {
			side := describeSide(name, list)
			d.Sides = append(d.Sides, side)
			s.Add(side.section())
		}
	}
	s.Value = d
	return s, nil
}

func describeSide(name string, list []book.Leaf) sideDescription {
	s := sideDescription{Side: name, Leaves: len(list), Bins: doc.NewBins(games.MaxPoints)}
	var values, depths []float64
	for _, l := range list {
		values, depths = append(values, float64(l.Value)), append(depths, float64(l.Depth))
		s.Bins.Count(float64(l.Value), l.Decided)
		if l.Decided {
			s.Decided++
		}
	}
	slices.Sort(values)
	slices.Sort(depths)
	s.Values, s.Depths = doc.SpreadOf(values), doc.SpreadOf(depths)
	return s
}

func (s sideDescription) section() doc.Section {
	leaves := wording.Count(s.Leaves, "leaf")
	if s.Leaves != 1 {
		leaves = fmt.Sprintf("%d leaves", s.Leaves)
	}
	text := fmt.Sprintf("%s: %s, %d decided; value %+.2f to %+.2f seeds, median %+.2f; depth %.0f to %.0f, median %.0f",
		s.Side, leaves, s.Decided, book.Seeds(s.Values.Min), book.Seeds(s.Values.Max), book.Seeds(s.Values.Median), s.Depths.Min, s.Depths.Max, s.Depths.Median)
	return doc.Section{Text: []string{text}, Table: s.Bins.Table("seeds", oware.Descriptor().PointsPerUnit(), s.Leaves)}
}
