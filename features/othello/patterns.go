package othello

import (
	"math"

	"kroo/games/othello"
)

// Patterns is an evaluator compiled from a model: for each kind of pattern and stage a table of all
// contents, looked up at every place of the kind. It is immutable and safe for concurrent use.
type Patterns struct {
	rules  othello.Rules
	hash   string
	kinds  []table
	counts [][2 * tallies]int32 // by stage: own moves, then the other side's; nil without mobility
}

// table has the values of a kind's contents, by stage.
type table struct {
	places []gather
	values []int32 // in 1/fractions of a hundredth of a disc
	size   int
	stages int
}

// fractions is the resolution of tables: entries per hundredth of a disc.
const fractions = 256

// Compile returns the evaluator of a model. Entries are clamped to ±33 million fractions, or 1300
// discs, far more than any score.
func Compile(m *Model) *Patterns {
	set := m.Set.(*patternSet)
	e := &Patterns{rules: set.rules, hash: m.Hash()}
	worth := fractions * 100 / Sets.Game.PointsPerUnit()
	value := func(column int) int32 {
		return int32(math.Round(min(max(m.Weights[column]*worth, -math.MaxInt32/64), math.MaxInt32/64)))
	}
	for _, t := range set.Parts {
		if t.Of.kinds == nil {
			e.counts = make([][2 * tallies]int32, t.Stages)
			for i := range t.Size * t.Stages {
				e.counts[i/t.Size][i%t.Size] = value(t.From + i)
			}
		}
		from := t.From
		for _, k := range t.Of.kinds {
			c := table{places: k.places, size: len(k.column), stages: t.Stages}
			for stage := range t.Stages {
				for _, column := range k.column {
					c.values = append(c.values, value(from+stage*t.Size+int(column)))
				}
			}
			e.kinds = append(e.kinds, c)
			from += len(k.first)
		}
	}
	return e
}

// Hash returns the model's hash.
func (e *Patterns) Hash() string { return e.hash }

// Rules returns the board that the weights were fitted for.
func (e *Patterns) Rules() othello.Rules { return e.rules }

// Evaluate returns the value for the side to move in hundredths of a disc, rounded to the nearest,
// not clamped.
func (e *Patterns) Evaluate(p othello.Position) int {
	mine, theirs := p.Discs()
	own, opp := viewOf(mine), viewOf(theirs)
	sum := int64(0)
	stage, stages := 0, 1 // most sets have the same for every kind
	for i := range e.kinds {
		t := &e.kinds[i]
		if t.stages != stages {
			stage, stages = stageOf(p, t.stages), t.stages
		}
		values := t.values[stage*t.size:]
		for g := range t.places {
			sum += int64(values[t.places[g].index(&own, &opp)])
		}
	}
	if e.counts != nil {
		ours, others := mobility(p)
		c := &e.counts[stageOf(p, len(e.counts))]
		sum += int64(c[ours]) + int64(c[tallies+others])
	}
	return int((sum + fractions/2) >> 8)
}
