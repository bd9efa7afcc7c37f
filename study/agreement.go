package study

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
	"kroo/internal/agreement"
	"kroo/report"
)

// AgreementConfig says how [Agreement] looks at a book.
type AgreementConfig struct {
	Sample // where a player of the book is to move; the rules are the engine's
	Judge  search.Limits
	Player search.Limits // of the search that the book is compared with
}

// AgreementResult compares the moves of a book with those of a search in its
// place. A far longer search is the judge: it scores all moves.
type AgreementResult struct {
	Positions int             `json:"positions"`
	Choosers  []Chooser       `json:"choosers"` // the book, then the search
	Differ    int             `json:"differ"`   // positions where book and search choose different moves
	Gain      float64         `json:"gain"`     // of the book over the search, points a position, by the judge
	GainErr   float64         `json:"gain_err"` // standard error
	Values    AgreementValues `json:"values"`

	judge, player search.Limits
	game          games.Info
}

// inUnits is a value in points in what people count in: seeds in oware.
func (r *AgreementResult) inUnits(points float64) float64 { return points / r.game.PointsPerUnit() }

// Chooser is what chooses moves. Losses are in points against the judge's best
// move.
type Chooser struct {
	Name    string  `json:"name"`
	Best    float64 `json:"best"`  // share of the moves that are as good as the judge's best
	Loss    float64 `json:"loss"`  // mean
	LossErr float64 `json:"err"`   // standard error
	Worst   float64 `json:"worst"` // largest loss

	losses []float64
}

// AgreementValues compare the book's values of the moves that it plays with the
// judge's, in points.
type AgreementValues struct {
	R    float64 `json:"r"`    // correlation, 0 if there is none
	Mean float64 `json:"mean"` // of the book's less the judge's
	MAE  float64 `json:"mae"`
}

// judged is a position with the moves chosen in it.
type judged struct {
	loss           [2]float64 // of the book's move, and of the search's
	differ         bool
	value, verdict float64 // of the book's move, by the book and by the judge
}

// Agreement tells how good the best moves of an engine's book are, beside those
// of the engine's search. Positions come from games in which one side plays the
// book's best moves and the other any move that stays in the book, so they are
// those that a player of the book meets. The engine's configuration has the size
// of the hash tables.
func Agreement[P search.Position[P]](ctx context.Context, e *engine.Engine[P], c AgreementConfig, progress Progress) (*AgreementResult, error) {
	all, err := eachOfBook(ctx, e, c.Sample, progress, func(s engine.Searcher[P], p P) (judged, error) { return judge(ctx, e, s, p, c) })
	if err != nil {
		return nil, err
	}
	r := &AgreementResult{Positions: len(all), judge: c.Judge, player: c.Player, game: e.Kit.Game.Info}
	r.summarize(all)
	return r, nil
}

// judge asks the book, the search and the judge for their moves.
func judge[P search.Position[P]](ctx context.Context, e *engine.Engine[P], s engine.Searcher[P], p P, c AgreementConfig) (j judged, err error) {
	pick, _, _ := engine.Pick(e.Book, nil, engine.BookPolicy{}, p, nil, nil) // bookPositions saw that there is one
	played, err := s.Search(ctx, p, nil, c.Player, search.Query{})
	if err != nil {
		return j, err
	}
	s.Clear()
	verdicts, err := s.Search(ctx, p, nil, c.Judge, search.Query{AllMoves: true})
	verdict := map[games.Move]float64{}
	best := math.Inf(-1)
	for _, l := range verdicts.Lines {
		verdict[l.Move] = float64(engine.Points(e.Kit.Game.Info, l.Score))
		best = max(best, verdict[l.Move])
	}
	return judged{
		loss:   [2]float64{best - verdict[pick.Move], best - verdict[played.Best]},
		differ: pick.Move != played.Best, value: float64(pick.Points), verdict: verdict[pick.Move],
	}, err
}

// summarize makes the means.
func (r *AgreementResult) summarize(all []judged) {
	r.Choosers = []Chooser{{Name: "book"}, {Name: "search of " + limitsText(r.player)}}
	var gains, values, verdicts []float64
	for _, j := range all {
		for k := range r.Choosers {
			r.Choosers[k].losses = append(r.Choosers[k].losses, j.loss[k])
		}
		if j.differ {
			r.Differ++
		}
		gains = append(gains, j.loss[1]-j.loss[0])
		values, verdicts = append(values, j.value), append(verdicts, j.verdict)
		r.Values.MAE += math.Abs(j.value - j.verdict)
	}
	r.Values.MAE /= float64(len(all))
	for k := range r.Choosers {
		r.Choosers[k].summarize()
	}
	r.Gain, r.GainErr = meanAndError(gains)
	r.Values.Mean = stat.Mean(values, nil) - stat.Mean(verdicts, nil)
	r.Values.R = agreement.Correlation(values, verdicts)
}

func (c *Chooser) summarize() {
	best := 0
	for _, loss := range c.losses {
		if loss == 0 {
			best++
		}
		c.Worst = max(c.Worst, loss)
	}
	c.Best = float64(best) / float64(len(c.losses))
	c.Loss, c.LossErr = meanAndError(c.losses)
}

// meanAndError are a mean and its standard error, 0 for fewer than two values.
func meanAndError(x []float64) (mean, err float64) {
	if len(x) < 2 {
		return stat.Mean(x, nil), 0
	}
	return stat.Mean(x, nil), stat.StdDev(x, nil) / math.Sqrt(float64(len(x)))
}

// limitsText names the limits of a search.
func limitsText(l search.Limits) string {
	switch {
	case l.Time > 0:
		return l.Time.String()
	case l.Nodes > 0:
		return fmt.Sprintf("%d nodes", l.Nodes)
	}
	return fmt.Sprintf("depth %d", l.Depth)
}

// Rows has a line for the book and one for the search.
func (r *AgreementResult) Rows() [][]string {
	rows := [][]string{{"moves of", "best move", "loss", "±", "worst"}}
	for _, c := range r.Choosers {
		rows = append(rows, []string{c.Name, fmt.Sprintf("%.1f %%", 100*c.Best), fmt.Sprintf("%.3f", r.inUnits(c.Loss)), fmt.Sprintf("%.3f", r.inUnits(c.LossErr)), fmt.Sprintf("%.2f", r.inUnits(c.Worst))})
	}
	return rows
}

// Note says who judges, and what the book gains.
func (r *AgreementResult) Note() string {
	return fmt.Sprintf(`%[1]d positions that a player of the book meets. Losses are in %[10]ss against the best move of a search of %[2]s, ± is a standard error.
Book and search choose different moves in %[3]d positions (%.1[4]f %%); the book's are better by %+.3[5]f ± %.3[6]f %[10]ss a position.
The book's values of its moves: R %.3[7]f with the judge's, %+.2[8]f %[10]ss higher, mean error %.2[9]f %[10]ss.`,
		r.Positions, limitsText(r.judge), r.Differ, 100*float64(r.Differ)/float64(r.Positions), r.inUnits(r.Gain), r.inUnits(r.GainErr), r.Values.R, r.inUnits(r.Values.Mean), r.inUnits(r.Values.MAE), r.game.Unit)
}

// Chart shows what share of the moves loses at most so much.
func (r *AgreementResult) Chart() report.Chart {
	c := report.Chart{Name: "study-book", Title: "Losses of the book's moves and of the search's", Line: fmt.Sprintf("%d positions, judged by %s", r.Positions, limitsText(r.judge)), X: "loss, " + r.game.Unit + "s", Y: "share of moves with at most this loss, %"}
	for _, ch := range r.Choosers {
		for tenths := 0; tenths <= 25; tenths++ {
			at, n := float64(tenths)/10, 0
			for _, loss := range ch.losses {
				if r.inUnits(loss) <= at {
					n++
				}
			}
			c.Add(ch.Name, at, 100*float64(n)/float64(len(ch.losses)))
		}
	}
	return c
}
