package oware

import (
	"math"

	"kroo/games/oware"
)

// Direct evaluates by a model itself, column by column. It serves sets that the tables
// of an [Evaluator] cannot hold, such as threats or gains. It takes microseconds a
// position, a hundred times as long as an Evaluator, and allocates.
type Direct struct{ Model *Model }

// Evaluate is the value for the side to move in centi-seeds, rounded.
func (d Direct) Evaluate(p oware.Position) int {
	return int(math.Round(d.Model.Exact(p) * centi))
}

// Compiles tells whether tables can hold the model's families.
func (m *Model) Compiles() bool {
	for _, f := range m.Set.Families() {
		if !f.Compiles {
			return false
		}
	}
	return true
}
