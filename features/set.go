package features

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"kroo/games/oware"
)

// store is the place of the store among the places of one side, after its
// houses.
const store = oware.Houses

// Feature is a number for one side of the board: the sum, over its six houses
// and its store, of a function of what the place holds. Being such a sum is
// what lets an evaluator be made of tables.
type Feature struct {
	Name  string
	value func(place, seeds int) int // place 0…5 from the owner's left, then store
}

// Set is a named list of features.
type Set struct {
	Name     string
	Features []Feature
	hash     string
}

// captured is the number of seeds in the store.
func captured() Feature {
	return Feature{"captures", func(place, seeds int) int {
		if place == store {
			return seeds
		}
		return 0
	}}
}

// fewer is the number of houses with fewer than k seeds.
func fewer(k int) Feature {
	return Feature{fmt.Sprintf("<%d", k), func(place, seeds int) int {
		if place != store && seeds < k {
			return 1
		}
		return 0
	}}
}

// more is the number of houses with more than k seeds.
func more(k int) Feature {
	return Feature{fmt.Sprintf(">%d", k), func(place, seeds int) int {
		if place != store && seeds > k {
			return 1
		}
		return 0
	}}
}

var sets = []*Set{
	newSet("thesis", captured(), fewer(1), fewer(2), fewer(3), fewer(4), fewer(5),
		more(7), more(8), more(10), more(11), more(12), more(13)),
	newSet("thesis4", captured(), fewer(1), fewer(3), more(12)),
	newSet("wide", captured(), fewer(1), fewer(2), fewer(3), fewer(4), fewer(5), fewer(6),
		more(6), more(7), more(8), more(9), more(10), more(11), more(12), more(13), more(14), more(15)),
	newSet("captures", captured()),
}

func newSet(name string, fs ...Feature) *Set {
	s := &Set{Name: name, Features: fs}
	h := sha256.New()
	fmt.Fprintf(h, "%q\n", name)
	for _, f := range fs {
		fmt.Fprintf(h, "%q\n", f.Name)
		for place := range store + 1 {
			for seeds := range oware.Seeds + 1 {
				fmt.Fprintf(h, "%d ", f.value(place, seeds))
			}
		}
	}
	s.hash = hex.EncodeToString(h.Sum(nil))[:16]
	return s
}

// Sets lists the names that [ByName] knows.
func Sets() []string {
	names := make([]string, len(sets))
	for i, s := range sets {
		names[i] = s.Name
	}
	return names
}

// ByName finds a set of features.
func ByName(name string) (*Set, error) {
	for _, s := range sets {
		if s.Name == name {
			return s, nil
		}
	}
	return nil, fmt.Errorf("features: unknown set %q: expected %s", name, strings.Join(Sets(), ", "))
}

// Len is the number of features.
func (s *Set) Len() int { return len(s.Features) }

// Names lists the features in their order.
func (s *Set) Names() []string {
	names := make([]string, len(s.Features))
	for i, f := range s.Features {
		names[i] = f.Name
	}
	return names
}

// Hash identifies the set: 16 hexadecimal digits that change when a name, the
// order or a definition changes.
func (s *Set) Hash() string { return s.hash }

// Values stores each feature's value for the player to move in own and for his
// opponent in opp. Values lie in 0…48. Both slices must hold [Set.Len]
// numbers; Values panics if they do not.
func (s *Set) Values(p oware.Position, own, opp []int) {
	if len(own) != len(s.Features) || len(opp) != len(s.Features) {
		panic(fmt.Sprintf("features: Values into %d and %d numbers: set %s has %d features", len(own), len(opp), s.Name, len(s.Features)))
	}
	for i := range s.Features {
		v := s.Features[i].value
		own[i], opp[i] = v(store, p.Store()), v(store, p.OpponentStore())
		for h := range oware.Houses {
			own[i] += v(h, p.House(h))
			opp[i] += v(h, p.House(oware.Houses+h))
		}
	}
}

// feature finds a feature by name.
func (s *Set) feature(name string) (Feature, bool) {
	for _, f := range s.Features {
		if f.Name == name {
			return f, true
		}
	}
	return Feature{}, false
}

// Orbit is the same number for book keys that are one and the same situation,
// the players' names exchanged (oware.Position.Orbit): tables of features are
// split by it. It refuses numbers that are no book key.
func Orbit(key int64) (int64, error) {
	p, err := oware.FromBookKey(oware.Abapa, key) // the rules are not part of a key
	if err != nil {
		return 0, fmt.Errorf("features: %w", err)
	}
	return p.Orbit(), nil
}
