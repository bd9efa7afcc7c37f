package thesis

import (
	"fmt"
	"strings"

	"kroo/features"
	"kroo/games/oware"
)

// store is the place of the store among the places of one side, after its
// houses.
const store = oware.Houses

// feature is a number for one side of the board: the sum, over its six houses
// and its store, of a function of what the place holds. Being such a sum is
// what lets an evaluator be made of tables.
type feature struct {
	name  string
	value func(place, seeds int) int // place 0…5 from the owner's left, then store
}

// captured is the number of seeds in the store.
func captured() feature {
	return feature{"captures", func(place, seeds int) int {
		if place == store {
			return seeds
		}
		return 0
	}}
}

// fewer is the number of houses with fewer than k seeds.
func fewer(k int) feature {
	return feature{fmt.Sprintf("<%d", k), func(place, seeds int) int {
		if place != store && seeds < k {
			return 1
		}
		return 0
	}}
}

// more is the number of houses with more than k seeds.
func more(k int) feature {
	return feature{fmt.Sprintf(">%d", k), func(place, seeds int) int {
		if place != store && seeds > k {
			return 1
		}
		return 0
	}}
}

// wide are all counts of houses: with fewer than 1 to 7 seeds, with more than 7 to 15.
// (That more have 7 is the same as that fewer have 8.) Houses of 17 seeds and more are too
// rare to be told apart.
func wide() []feature {
	fs := []feature{captured()}
	for k := 1; k <= 7; k++ {
		fs = append(fs, fewer(k))
	}
	for k := 7; k <= 15; k++ {
		fs = append(fs, more(k))
	}
	return fs
}

// definitions are the features of each set.
var definitions = map[string][]feature{}

// Sets are oware's antisymmetric feature sets. They are shared: do not change
// them.
var Sets = features.Sets[oware.Position]{
	Game:  oware.Descriptor(),
	Usual: "thesis",
	All: []*features.Set[oware.Position]{
		newSet("thesis", "captured seeds and eleven counts of houses (Sala Soler 2014)", captured(),
			fewer(1), fewer(2), fewer(3), fewer(4), fewer(5), more(7), more(8), more(10), more(11), more(12), more(13)),
		newSet("thesis4", "the four of them that survive the thesis's backward elimination", captured(), fewer(1), fewer(3), more(12)),
		newSet("captures", "captured seeds alone", captured()),
		newSet("wide", "captured seeds and every count of houses that differs from the others", wide()...),
	},
}

func newSet(name, about string, fs ...feature) *features.Set[oware.Position] {
	definitions[name] = fs
	var names []string
	for _, f := range fs {
		names = append(names, f.name)
	}
	definition := func() string { return tables(name, fs) }
	return features.NewSet(name, about, names, definition, func(p oware.Position, own, opp []int) {
		for i := range fs {
			v := fs[i].value
			own[i], opp[i] = v(store, p.Store()), v(store, p.OpponentStore())
			for h := range oware.Houses {
				own[i] += v(h, p.House(h))
				opp[i] += v(h, p.House(oware.Houses+h))
			}
		}
	})
}

// tables is the definition of a set: each feature's name and all its values.
func tables(name string, fs []feature) string {
	var all strings.Builder
	fmt.Fprintf(&all, "%q\n", name)
	for _, f := range fs {
		fmt.Fprintf(&all, "%q\n", f.name)
		for place := range store + 1 {
			for seeds := range oware.Seeds + 1 {
				fmt.Fprintf(&all, "%d ", f.value(place, seeds))
			}
		}
	}
	return all.String()
}

// Meaning says what a feature of these sets counts, on one side of the board; "" for an
// unknown name.
func Meaning(name string) string {
	var k int
	switch {
	case name == "captures":
		return "seeds in the store"
	case name == "<1":
		return "empty houses"
	case scan(name, "<%d", &k):
		return fmt.Sprintf("houses with fewer than %d seeds", k)
	case scan(name, ">%d", &k):
		return fmt.Sprintf("houses with more than %d seeds", k)
	}
	return ""
}

func scan(name, format string, k *int) bool {
	_, err := fmt.Sscanf(name, format, k)
	return err == nil && fmt.Sprintf(format, *k) == name
}

// ByName finds a set.
func ByName(name string) (*features.Set[oware.Position], error) { return Sets.ByName(name) }

// Load reads and checks a weights file of one of the sets.
func Load(path string) (*features.Weights, error) { return Sets.Load(path) }
