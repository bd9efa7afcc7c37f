package sampler

import (
	"kroo/datasets"
	"kroo/games"
)

// ending is how a game ended, for the side that moves first.
type ending struct{ datasets.Outcome }

// endOf is the end of a game: by its rules, or as its record says, which then has no margin.
func endOf[P games.Position[P]](line *games.Line[P], result string) ending {
	if diff, _, over := line.Over(); over {
		return ending{datasets.OutcomeOf(diff)}
	}
	switch result {
	case games.FirstWins:
		return ending{datasets.Outcome{Result: datasets.Win}}
	case games.SecondWins:
		return ending{datasets.Outcome{Result: datasets.Loss}}
	case games.DrawnGame:
		return ending{datasets.Outcome{Result: datasets.Draw}}
	}
	return ending{}
}

// at is the outcome for the side to move, 0 or 1.
func (e ending) at(side int) datasets.Outcome {
	if side == 0 {
		return e.Outcome
	}
	return e.Outcome.Other()
}
