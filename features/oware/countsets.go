// Package oware has oware's pattern features, the linear functions fitted to them, and the
// evaluator compiled from such a function. Programs that also import the rules import it under
// another name, such as patterns.
//
// Evaluators compute a position from scratch: they are not updated by moves.
//
// [Sets] are antisymmetric counts as in Sala Soler 2014:
//
//   - "thesis": captured seeds, and the number of a side's houses with fewer than 1, 2, 3, 4, 5
//     seeds or more than 7, 8, 10, 11, 12, 13;
//   - "thesis4": the four that remain after the thesis's backward elimination: captures, <1,
//     <3, >12;
//   - "captures": captured seeds alone;
//   - "wide": all counts, including the thesis's twelve.
//
// To add a feature, list its definition in a set. A feature that is not a sum over houses and
// stores needs no Place: [Counts] evaluates it, explanations assign it to the whole board, and
// exports of tables refuse it.
//
// A [PatternSet] is a list of families of pattern features, such as store+houses+pairs, and the
// numbering of their columns ([Parse]). A [Model] is a weight in points (1000/24 per seed) for
// each column, with its origin. [Compile] turns it into an [Evaluator], a few integer tables whose
// speed does not depend on the number of columns; [NewCounts] evaluates a model of the Sets
// within 0.53 centi-seeds. [Find] finds weights by name, the program's own ([Default]) or
// published ones ([FindByName]), or reads a file of any kind.
//
// # The mover's view
//
// Positions are seen by the player to move: houses A…F are the mover's from the left, a…f the
// other side's, both in sowing order, whoever is South. One function serves both players. It is
// not antisymmetric under passing the turn, since the move itself has a value.
//
// # Buckets and tables
//
// Patterns of two houses and more see a house in one of eight buckets: 0, 1, 2, 3, 4–5, 6–8,
// 9–11, 12 and more seeds. The evaluator keeps the houses as four aligned triples, ABC, DEF, abc,
// def, nine bits each, and has a table of 2^18 entries for each pair of triples; every pattern
// within two triples is added to one of these tables. Exact counts of a house, and features of
// the two stores alone, have small tables of their own.
//
// # Files
//
// docs/formats.md describes the bytes of weights files, with a reader, and docs/champion what a
// value of [Default] is worth in final margins and chances.
//
// Caveats: a function is fitted for some rules (Model.CheckRules) but evaluates any position;
// values are not limited to ±24 seeds, the search clamps them.
package oware

import (
	"fmt"

	"kroo/features"
	"kroo/games/oware"
)

// store is the index of the store among one side's places, after its houses.
const store = oware.Houses

// newPlaceFeature is a feature that is the sum of value over a side's six houses and its store; place is 0…5
// for houses from the owner's left, then store. Tables can represent such sums.
func newPlaceFeature(name, meaning string, value func(place, seeds int) int) features.Feature[oware.Position] {
	return features.Feature[oware.Position]{Name: name, Meaning: meaning, Place: value}
}

// capturedSeeds is the number of seeds in the store.
var capturedSeeds = newPlaceFeature("captures", "seeds in the store", func(place, seeds int) int {
	if place == store {
		return seeds
	}
	return 0
})

// fewer counts the houses with fewer than k seeds.
func fewer(k int) features.Feature[oware.Position] {
	meaning := fmt.Sprintf("houses with fewer than %d seeds", k)
	if k == 1 {
		meaning = "empty houses"
	}
	return newPlaceFeature(fmt.Sprintf("<%d", k), meaning, func(place, seeds int) int {
		if place != store && seeds < k {
			return 1
		}
		return 0
	})
}

// more counts the houses with more than k seeds.
func more(k int) features.Feature[oware.Position] {
	return newPlaceFeature(fmt.Sprintf(">%d", k), fmt.Sprintf("houses with more than %d seeds", k), func(place, seeds int) int {
		if place != store && seeds > k {
			return 1
		}
		return 0
	})
}

// wide returns all counts of houses: with fewer than 1 to 7 seeds, with more than 7 to 15. (More
// than 7 is the complement of fewer than 8.) Houses of 17 seeds and more are too rare to
// distinguish.
func wide() []features.Feature[oware.Position] {
	fs := []features.Feature[oware.Position]{capturedSeeds}
	for k := 1; k <= 7; k++ {
		fs = append(fs, fewer(k))
	}
	for k := 7; k <= 15; k++ {
		fs = append(fs, more(k))
	}
	return fs
}

// Sets are oware's antisymmetric feature sets. They are shared: do not modify them. To define a
// feature, list it in a set.
var Sets = features.Sets[oware.Position]{
	Game:       oware.Descriptor(),
	DefaultSet: "thesis",
	All: []*features.Set[oware.Position]{
		newSet("thesis", "captured seeds and eleven counts of houses (Sala Soler 2014)", capturedSeeds,
			fewer(1), fewer(2), fewer(3), fewer(4), fewer(5), more(7), more(8), more(10), more(11), more(12), more(13)),
		newSet("thesis4", "the four that survive the thesis's backward elimination", capturedSeeds, fewer(1), fewer(3),
			more(12)),
		newSet("captures", "captured seeds alone", capturedSeeds),
		newSet("wide", "captured seeds and every distinct count of houses", wide()...),
	},
}

func newSet(name, about string, fs ...features.Feature[oware.Position]) *features.Set[oware.Position] {
	return features.NewSet(features.Definition[oware.Position]{Name: name, About: about, Features: fs, Board: &houseBoard})
}

// houseBoard is the houses and the store of each side.
var houseBoard = features.Board[oware.Position]{
	Side: store + 1, Contents: oware.Seeds + 1,
	Content: func(p oware.Position, place int) int {
		own, opp := p.Words()
		if place > store {
			own, place = opp, place-store-1
		}
		return int(own >> (8 * place) & 63)
	},
	Name: func(p oware.Position, place int) string {
		side := p.ToMove()
		if place > store {
			side, place = 1-side, place-store-1
		}
		if place == store {
			return ""
		}
		return oware.MoveName(oware.Move(place), side)
	},
}

// placeOf returns the place of a house, 0…11.
func placeOf(house int) int { return house + house/oware.Houses }
