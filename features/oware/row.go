package oware

import "kroo/games/oware"

// Entry is a column and its value in a row.
type Entry struct {
	Index uint32
	Value float32
}

// AppendRow appends the columns of the position that are one to ones and those
// that have another value to vals, both ascending. Every position gives as
// many of either, [Set.RowLen]. With room in the slices it allocates nothing.
func (s *Set) AppendRow(ones []uint32, vals []Entry, p oware.Position) ([]uint32, []Entry) {
	b, inPlay := bucketsOf(p), p.SeedsInPlay()
	for i := range s.parts {
		t := &s.parts[i]
		from := uint32(t.from)
		if t.stages > 1 {
			from += uint32(stageOf(t.stages, inPlay) * t.size)
		}
		switch {
		case t.patterns != nil:
			ones = appendPatterns(ones, from, t.patterns, &b)
		case t.exact:
			ones = appendExact(ones, from, p)
		case t.value != nil:
			vals = append(vals, Entry{from, t.value(p)})
		default:
			n := len(ones)
			ones = t.indices(ones, p)
			for k := n; k < len(ones); k++ {
				ones[k] += from
			}
		}
	}
	return ones, vals
}

func appendPatterns(ones []uint32, from uint32, ps []pattern, b *[houses]uint8) []uint32 {
	for _, t := range ps {
		ones = append(ones, from+t.index(b))
		from += uint32(t.size())
	}
	return ones
}

func appendExact(ones []uint32, from uint32, p oware.Position) []uint32 {
	for h, n := range seedsOf(p) {
		ones = append(ones, from+uint32(exactColumn(h, int(n))))
	}
	return ones
}

// exactColumn is the column, in the family of exact counts, of a house with n
// seeds.
func exactColumn(house, n int) int { return house*(exactCap+1) + min(n, exactCap) }

// RowLen is how many columns of a row are one, and how many have values.
func (s *Set) RowLen() (ones, vals int) {
	o, v := s.AppendRow(nil, nil, oware.Start(oware.Abapa))
	return len(o), len(v)
}
