package regress

import (
	"fmt"

	"kroo/datasets"
	"kroo/games/oware"
)

// Split divides rows into two parts by position: each position goes to the
// first part with the given probability (0…1), decided by a hash of the
// position and the seed alone. All rows of a position, and of its mirror
// image, therefore fall into the same part, whatever else is in the table. The
// order of the rows stays.
func Split(rows []datasets.FeatureRow, fraction float64, seed uint64) (first, second []datasets.FeatureRow, err error) {
	if !(fraction >= 0 && fraction <= 1) {
		return nil, nil, fmt.Errorf("regress: cannot split: fraction is %g: expected 0 to 1", fraction)
	}
	for i, r := range rows {
		key, err := orbit(r.Key)
		if err != nil {
			return nil, nil, fmt.Errorf("regress: cannot split: row %d: %w", i, err)
		}
		if unit(uint64(key), seed) < fraction {
			first = append(first, r)
		} else {
			second = append(second, r)
		}
	}
	return first, second, nil
}

// unit is a hash of two numbers in [0, 1): the finalizer of splitmix64 (Steele,
// Lea, Flood 2014), twice.
func unit(a, b uint64) float64 { return float64(mix(a^mix(b))>>11) / (1 << 53) }

func mix(h uint64) uint64 {
	h += 0x9e37_79b9_7f4a_7c15
	h = (h ^ h>>30) * 0xbf58_476d_1ce4_e5b9
	h = (h ^ h>>27) * 0x94d0_49bb_1331_11eb
	return h ^ h>>31
}

// Disjoint returns the validation rows whose position, or its mirror image, is
// not among the training rows, and how many it left out.
func Disjoint(train, validation []datasets.FeatureRow) (kept []datasets.FeatureRow, removed int, err error) {
	seen := make(map[int64]bool, len(train))
	for i, r := range train {
		key, err := orbit(r.Key)
		if err != nil {
			return nil, 0, fmt.Errorf("regress: training row %d: %w", i, err)
		}
		seen[key] = true
	}
	for i, r := range validation {
		key, err := orbit(r.Key)
		if err != nil {
			return nil, 0, fmt.Errorf("regress: validation row %d: %w", i, err)
		}
		if seen[key] {
			removed++
		} else {
			kept = append(kept, r)
		}
	}
	return kept, removed, nil
}

// orbit is the same number for book keys that are one and the same situation,
// the players' names exchanged. It refuses numbers that are no book key.
func orbit(key int64) (int64, error) {
	p, err := oware.FromBookKey(oware.Abapa, key) // the rules are not part of a key
	if err != nil {
		return 0, err
	}
	return p.Orbit(), nil
}
