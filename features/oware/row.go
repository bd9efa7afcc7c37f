package oware

import (
	"kroo/features"
	"kroo/games/oware"
)

// AppendRow implements [features.Columns]. Both slices are ascending, and their lengths are the
// same for all positions.
func (s *Set) AppendRow(ones []uint32, vals []features.Entry, p oware.Position) ([]uint32, []features.Entry) {
	var b [16]uint8 // of the houses, and of noHouse
	bucketed := bucketsOf(p)
	copy(b[:], bucketed[:])
	inPlay := p.SeedsInPlay()
	for i := range s.Parts {
		t := &s.Parts[i]
		from := uint32(t.From)
		if t.Stages > 1 {
			from += uint32(stageOf(t.Stages, inPlay) * t.Size)
		}
		switch f := t.Of; {
		case f.padded != nil:
			ones = appendPatterns(ones, from, f.padded, &b)
		case f.exact:
			ones = appendExact(ones, from, p)
		case f.value != nil:
			vals = append(vals, features.Entry{Index: from, Value: f.value(p)})
		default:
			n := len(ones)
			ones = f.indices(ones, p)
			for k := n; k < len(ones); k++ {
				ones[k] += from
			}
		}
	}
	return ones, vals
}

// padded is a pattern prepared for rows: padded to six houses with noHouse, whose bucket is always
// 0; and its first column.
type padded struct {
	at   [patternHouses]uint8
	from uint32
}

const noHouse = houses

func pad(ps []pattern) (all []padded) {
	from := uint32(0)
	for _, t := range ps {
		x := padded{from: from}
		for k := range x.at {
			x.at[k] = noHouse
		}
		copy(x.at[:], t)
		all = append(all, x)
		from += uint32(t.size())
	}
	return all
}

// appendPatterns appends pattern.column of every pattern. It is unrolled, since it makes up nearly
// all of a row.
func appendPatterns(ones []uint32, from uint32, ps []padded, b *[16]uint8) []uint32 {
	for i := range ps {
		t := &ps[i]
		ones = append(ones, from+t.from+
			(uint32(b[t.at[0]&15])|uint32(b[t.at[1]&15])<<3|uint32(b[t.at[2]&15])<<6|
				uint32(b[t.at[3]&15])<<9|uint32(b[t.at[4]&15])<<12|uint32(b[t.at[5]&15])<<15))
	}
	return ones
}

func appendExact(ones []uint32, from uint32, p oware.Position) []uint32 {
	for h, n := range seedsOf(p) {
		ones = append(ones, from+uint32(exactColumn(h, int(n))))
	}
	return ones
}

// exactColumn returns the column of a house with n seeds in the family of exact counts.
func exactColumn(house, n int) int { return house*(exactCap+1) + min(n, exactCap) }
