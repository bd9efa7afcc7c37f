package engine

import "kroo/games/oware"

// Captures evaluates an oware position by nothing but the seeds captured: 100
// centi-seeds a seed of difference between the stores. It is the evaluation
// that training labels are searched with (Sala Soler 2014).
var Captures Evaluator[oware.Position] = captures{}

type captures struct{}

// Evaluate is within ±4800, far inside ±MaxHeuristic.
func (captures) Evaluate(p oware.Position) int {
	return 100 * (p.Store() - p.OpponentStore())
}
