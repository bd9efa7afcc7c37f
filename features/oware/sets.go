package oware

import (
	"fmt"

	"kroo/features"
	"kroo/games/oware"
)

// store is the index of the store among one side's places, after its houses.
const store = oware.Houses

// placed is a feature that is the sum of value over a side's six houses and its store; place is 0…5
// for houses from the owner's left, then store. Tables can represent such sums.
func placed(name, meaning string, value func(place, seeds int) int) features.Feature[oware.Position] {
	return features.Feature[oware.Position]{Name: name, Meaning: meaning, Place: value}
}

// capturedSeeds is the number of seeds in the store.
var capturedSeeds = placed("captures", "seeds in the store", func(place, seeds int) int {
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
	return placed(fmt.Sprintf("<%d", k), meaning, func(place, seeds int) int {
		if place != store && seeds < k {
			return 1
		}
		return 0
	})
}

// more counts the houses with more than k seeds.
func more(k int) features.Feature[oware.Position] {
	return placed(fmt.Sprintf(">%d", k), fmt.Sprintf("houses with more than %d seeds", k), func(place, seeds int) int {
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
		newSet("thesis4", "the four that survive the thesis's backward elimination", capturedSeeds, fewer(1), fewer(3), more(12)),
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
