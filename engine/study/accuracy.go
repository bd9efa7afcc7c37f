package study

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"kroo/endgame"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/games/oware"
	"kroo/internal/outline"
	"kroo/internal/parallel"
	"kroo/report"
)

// AccuracyConfig selects the endgames of [Accuracy].
type AccuracyConfig struct {
	Fewest, Most int     // seeds in play, at most those of the table
	Positions    int     `name:"positions" default:"300" range:"1..100000" help:"positions for each number of seeds"`
	Nodes        []int64 `name:"nodes" default:"1000,10000,100000" range:"1.." group:"Search" help:"positions visited by each search, one number or several"`
	Seed         uint64
	Player       string // searcher, for the note
}

// AccuracyResult has a line per number of seeds in play, and one for all.
type AccuracyResult struct {
	Rules  string         `json:"rules"`
	Player string         `json:"player"`
	Nodes  []int64        `json:"nodes"`
	Lines  []AccuracyLine `json:"lines"`
}

// AccuracyLine is how often searches choose a move that keeps the proven value.
type AccuracyLine struct {
	Seeds    int    `json:"seeds"`    // 0 for all of them
	Value    []Kept `json:"value"`    // the difference in seeds, by nodes
	Result   []Kept `json:"result"`   // won, drawn or lost, where moves differ in that
	Rejected int    `json:"rejected"` // positions drawn and left out
}

// Kept counts the positions in which the search chose a right move.
type Kept struct {
	Positions int     `json:"positions"`
	Kept      int     `json:"kept"`
	Share     float64 `json:"share"`
	Low       float64 `json:"low"` // 95 % Wilson interval
	High      float64 `json:"high"`
}

// choice is a position with the moves that keep its value and result.
type choice struct {
	position      oware.Position
	line          int                 // of the result
	value, result map[oware.Move]bool // result is nil if all moves keep it, or some are unknown
}

// Accuracy searches random endgames with a pool, and counts the chosen moves that keep the value of
// the table. A position counts if its value is exact, each move is proven to keep it or to lose it,
// and both kinds exist. The table ignores the history of positions. The seeds that are not in play
// are divided between the stores as evenly as possible.
func Accuracy(
	ctx context.Context, pool engine.Pool[oware.Position], t *endgame.Table, c AccuracyConfig, progress parallel.Progress,
) (*AccuracyResult, error) {
	if c.Most > t.Seeds() {
		return nil, fmt.Errorf("%d seeds: expected at most the %d of the table", c.Most, t.Seeds())
	}
	r := &AccuracyResult{Rules: t.Rules().String(), Player: c.Player, Nodes: c.Nodes}
	all := newAccuracyLine(0, c)
	var choices []choice
	for seeds := c.Fewest; seeds <= c.Most; seeds++ {
		line := newAccuracyLine(seeds, c)
		var found []choice
		found, line.Rejected = drawChoices(t, seeds, c.Positions, rand.New(rand.NewPCG(c.Seed, uint64(seeds))))
		for _, one := range found {
			one.line = len(r.Lines)
			choices = append(choices, one)
		}
		all.Rejected += line.Rejected
		r.Lines = append(r.Lines, line)
	}
	r.Lines = append(r.Lines, all)
	var jobs []engine.Job[oware.Position]
	for _, one := range choices {
		for _, nodes := range c.Nodes {
			jobs = append(jobs, engine.Job[oware.Position]{
				Number:   len(jobs),
				Position: one.position,
				Limits:   search.Limits{Nodes: nodes},
			})
		}
	}
	work := progress.Tally(0, int64(len(jobs)))
	err := pool.Search(ctx, parallel.List(jobs), func(j engine.Job[oware.Position], found engine.Answer) error {
		one, nodes := choices[j.Number/len(c.Nodes)], j.Number%len(c.Nodes)
		for _, line := range []int{one.line, len(r.Lines) - 1} {
			r.Lines[line].add(one, nodes, found.Move)
		}
		work.Add(1)
		return nil
	})
	for _, l := range r.Lines {
		for i := range c.Nodes {
			l.Value[i].interval()
			l.Result[i].interval()
		}
	}
	return r, err
}

func newAccuracyLine(seeds int, c AccuracyConfig) AccuracyLine {
	return AccuracyLine{Seeds: seeds, Value: make([]Kept, len(c.Nodes)), Result: make([]Kept, len(c.Nodes))}
}

func (l *AccuracyLine) add(c choice, nodes int, m oware.Move) {
	l.Value[nodes].add(c.value[m])
	if c.result != nil {
		l.Result[nodes].add(c.result[m])
	}
}

func (k *Kept) add(kept bool) {
	k.Positions++
	if kept {
		k.Kept++
	}
}

// interval computes the Wilson interval, which is valid for shares near 1 as well.
func (k *Kept) interval() {
	if k.Positions == 0 {
		return
	}
	const z = 1.959964
	n, p := float64(k.Positions), float64(k.Kept)/float64(k.Positions)
	centre, half := (p+z*z/(2*n))/(1+z*z/n), z/(1+z*z/n)*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	k.Share = p
	k.Low = max(0, centre-half)
	k.High = min(1, centre+half)
}

// drawChoices draws up to count different positions that count, in at most a thousand times as many
// draws. It returns the number of rejected draws.
func drawChoices(t *endgame.Table, seeds, count int, random *rand.Rand) (found []choice, rejected int) {
	seen := map[oware.Position]bool{}
	for range 1000 * count {
		if len(found) == count {
			break
		}
		p := endgame.PositionAt(t.Rules(), seeds, random.IntN(endgame.Positions(seeds)))
		if seen[p] {
			continue
		}
		seen[p] = true
		if c, ok := choose(t, p); ok {
			found = append(found, c)
		} else {
			rejected++
		}
	}
	return found, rejected
}

// choose returns the moves that keep the value of a position, and those that keep its result.
func choose(t *endgame.Table, p oware.Position) (c choice, ok bool) {
	low, high, _ := t.Final(p)
	if _, over := p.Terminal(); over || low != high {
		return c, false
	}
	moves := p.AppendMoves(nil)
	var lows, highs []int
	for _, m := range moves {
		least, most, _ := t.Final(p.Play(m)) // for the other side, with the capture in a store
		lows, highs = append(lows, -most), append(highs, -least)
	}
	c.position, c.value = p, keeping(moves, lows, highs, low)
	for i := range moves {
		lows[i], highs[i] = cmp.Compare(lows[i], 0), cmp.Compare(highs[i], 0)
	}
	c.result = keeping(moves, lows, highs, cmp.Compare(low, 0))
	return c, c.value != nil
}

// keeping returns the moves with at least a value; nil if that is unknown for some, or true of all
// or none.
func keeping(moves []oware.Move, lows, highs []int, value int) map[oware.Move]bool {
	kept := map[oware.Move]bool{}
	for i, m := range moves {
		if lows[i] < value && value <= highs[i] {
			return nil
		}
		kept[m] = lows[i] >= value
	}
	if slices.Max(lows) < value || slices.Min(lows) >= value {
		return nil
	}
	return kept
}

// Doc has a line per number of seeds.
func (r *AccuracyResult) Doc() *outline.Doc {
	t := outline.NewTable("seeds", "positions")
	for _, n := range r.Nodes {
		t.Header = append(t.Header, fmt.Sprintf("%d nodes, %%", n))
	}
	t.Header = slices.Concat(t.Header, []string{"results"}, t.Header[2:])
	chart := report.Chart{
		Name:  "study-accuracy",
		Title: "Moves that keep the proven value",
		Line:  r.Rules + ", " + r.Player,
		X:     "seeds in play",
		Y:     "share of the positions, %",
	}
	for _, l := range r.Lines {
		row := []any{l.Seeds}
		if l.Seeds == 0 {
			row[0] = "all"
		}
		for _, list := range [][]Kept{l.Value, l.Result} {
			row = append(row, list[0].Positions)
			for _, k := range list {
				row = append(row, k.text())
			}
		}
		t.Add(row...)
		for i, n := range r.Nodes {
			if l.Seeds > 0 && l.Value[i].Positions > 0 {
				chart.Add(fmt.Sprintf("%d nodes", n), float64(l.Seeds), 100*l.Value[i].Share)
			}
		}
	}
	return docOf(r, t, chart,
		fmt.Sprintf("Rules %s, %s, without tables: share of moves that keep the value in seeds proven by the "+
			"endgame table, with 95 %% Wilson interval, and of moves that keep the result, in positions where this "+
			"differs between moves.", r.Rules, r.Player),
		"Random positions with an exact value in which each move is proven to keep or lose it, and both kinds "+
			"exist. The table ignores the history of a position.")
}

func (k Kept) text() string {
	if k.Positions == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f (%.1f–%.1f)", 100*k.Share, 100*k.Low, 100*k.High)
}
