package oware

import (
	"fmt"
	"math"
	"math/bits"
	"strings"

	"kroo/features"
	"kroo/games/oware"
)

// Captures evaluates a position by captured seeds only: 100 centi-seeds per seed of difference
// between the stores. Training labels are searched with this evaluation (Sala Soler 2014).
//
// It implements search.LastPly, which values the last ply without making its moves.
type Captures struct{}

// Evaluate is within ±4800, well inside ±MaxHeuristic.
func (Captures) Evaluate(p oware.Position) int {
	return 100 * (p.Store() - p.OpponentStore())
}

// BestReply returns Evaluate plus 100 centi-seeds per seed of the largest capture. It is not sure
// if a move may end the game: with more than 24 seeds captured, or by leaving the opponent without
// a move.
func (Captures) BestReply(p oware.Position, enough int) (score, moves int, sure bool) {
	now := 100 * (p.Store() - p.OpponentStore())
	gain := 0
	for set := p.Legal(); set != 0; set &= set - 1 {
		moves++
		gain = max(gain, p.Gain(oware.Move(bits.TrailingZeros8(set))))
		if now+100*gain >= enough {
			break
		}
	}
	return now + 100*gain, moves, p.Store()+gain <= oware.Half && opponentCanMove(p)
}

// The six houses in a position's word: all bits, the lowest and the highest bit of each.
const (
	houseMask  = 1<<48 - 1
	houseOnes  = 0x0101_0101_0101
	houseHighs = 0x80 * houseOnes
)

// opponentCanMove is a quick test that no move of p leaves the opponent without a legal move. It may return
// false although this is the case.
//
// In abapa the opponent has a seed after any legal move, since a move that would capture all of
// them captures nothing. The opponent can move if the mover has a seed too, and one remains if the
// mover has seeds in two houses. Under the other rules it suffices that a house of the opponent has
// three seeds or more: a move that sows into it leaves too many to be captured, and another does
// not reach it.
func opponentCanMove(p oware.Position) bool {
	own, opp := p.Words()
	if p.Rules().LikeAbapa() {
		filled := (own&houseMask + 0x7f*houseOnes) & houseHighs
		return filled&(filled-1) != 0
	}
	return (opp&houseMask+0x7d*houseOnes)&houseHighs != 0
}

const (
	fraction   = 20     // binary places of a table entry
	placeSeeds = 1 << 6 // a house or store has at most 48 seeds
	halfUnit   = 1 << (fraction - 1)
)

// maxRounding is the maximum difference between [Counts.Evaluate] and the fitted function, in
// centi-seeds: half for the integer result, and half a unit of the last binary place for each of
// the 14 table entries.
const maxRounding = 0.5 + 14*0.5/(1<<fraction)*1.01

// Counts computes a function fitted to one of the [Sets] from tables; features that are not sums
// over places are counted one by one. It is immutable and safe for concurrent use.
type Counts struct {
	// table is the value of a place by its seeds, in centi-seeds times 2^fraction; the other side's
	// places are subtracted.
	table [store + 1][placeSeeds]int64
	rest  []counted
}

// counted is a feature that tables cannot represent.
type counted struct {
	count func(oware.Position) (own, opp int)
	worth int64 // in centi-seeds times 2^fraction
}

// places is the value of each place of a side by its seeds, in points: houses 0…5 from the owner's
// left, then the store.
type places [store + 1][oware.Seeds + 1]float64

// byPlace makes a table of a model of one of the Sets, and lists the columns with nonzero weight
// whose features are not sums over places.
func byPlace(m *Model) (t *places, rest []int) {
	t = new(places)
	for i, f := range m.Set.(*features.Set[oware.Position]).Definitions() {
		switch {
		case f.Place == nil && m.Weights[i] != 0:
			rest = append(rest, i)
		case f.Place != nil:
			for place := range t {
				for seeds := range t[place] {
					t[place][seeds] += m.Weights[i] * float64(f.Place(place, seeds))
				}
			}
		}
	}
	return t, rest
}

// NewCounts returns the evaluator of a model of one of the Sets.
func NewCounts(m *Model) *Counts {
	fixed := func(points float64) int64 { return int64(math.Round(points * centi * (1 << fraction))) }
	t, rest := byPlace(m)
	e := new(Counts)
	for place := range t {
		for seeds, points := range t[place] {
			e.table[place][seeds] = fixed(points)
		}
	}
	for _, i := range rest {
		e.rest = append(e.rest, counted{m.Set.(*features.Set[oware.Position]).Definitions()[i].Count, fixed(m.Weights[i])})
	}
	return e
}

// Evaluate returns the value for the player to move in centi-seeds: the fitted function within
// [maxRounding], not clamped. The value of p.Swap() is exactly the negative.
func (e *Counts) Evaluate(p oware.Position) int {
	own, opp := p.Words()
	t := &e.table
	v := t[0][own&63] - t[0][opp&63] +
		t[1][own>>8&63] - t[1][opp>>8&63] +
		t[2][own>>16&63] - t[2][opp>>16&63] +
		t[3][own>>24&63] - t[3][opp>>24&63] +
		t[4][own>>32&63] - t[4][opp>>32&63] +
		t[5][own>>40&63] - t[5][opp>>40&63] +
		t[6][own>>48&63] - t[6][opp>>48&63]
	for _, f := range e.rest {
		ours, theirs := f.count(p)
		v += f.worth * int64(ours-theirs)
	}
	sign := v >> 63 // round half away from zero, so that the result is antisymmetric
	return int(((v^sign-sign)+halfUnit)>>fraction ^ sign - sign)
}

// asPatterns converts an antisymmetric function to a model of the set store+houses, which tables
// can represent. It refuses features that are not sums over places.
func asPatterns(m *Model) (*Model, error) {
	t, rest := byPlace(m)
	if rest != nil {
		var names []string
		for _, i := range rest {
			names = append(names, m.Set.ColumnName(i))
		}
		return nil, fmt.Errorf("no table of houses has the feature %s: evaluate with the weights themselves, or "+
			"fit without it", strings.Join(names, ", "))
	}
	set, err := Parse("store+houses")
	if err != nil {
		return nil, err
	}
	points := make([]float64, set.Len())
	points[0] = t[store][1] // captures are linear
	for h := range houses {
		for seeds := range exactCap + 1 { // the last includes larger ones, which no feature distinguishes
			x := t[h%oware.Houses][seeds]
			if h >= oware.Houses {
				x = -x
			}
			points[1+exactColumn(h, seeds)] = x
		}
	}
	return Sets.NewModel(m.Rules, set, points, features.Provenance{Name: m.Set.String() + " " + m.Hash()})
}
