package regress

import (
	"context"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"kroo/datasets"
	"kroo/engine/search"
	"kroo/features"
	"kroo/games"
	"kroo/internal/agreement"
	"kroo/internal/outline"
	"kroo/internal/wording"
)

// GameFile is the games of a file. Name is used in errors.
type GameFile[P games.Position[P]] struct {
	Name    string
	Records []games.Record[P]
}

// CalibrationReport relates the scores of searches in recorded games to the results. Scores are for
// the side to move, in the game's unit; proven scores are left out. Positions of a game are
// correlated, so standard errors are clustered by game.
type CalibrationReport struct {
	Rules     string `json:"rules"`
	Games     int    `json:"games"`     // with scores and a result; duplicates count once
	Same      int    `json:"same"`      // duplicates left out: the same moves as an earlier game
	Finished  int    `json:"finished"`  // ended by the rules: only these have a final margin
	Positions int    `json:"positions"` // with a score
	Proven    int    `json:"proven"`    // scores left out

	Slope    float64 `json:"slope"` // units of final margin per unit of score, in all phases; 0 if unknown
	SlopeErr float64 `json:"slope_err"`
	Calibrated

	info games.Info
	seen map[string]bool // identities of the games counted
}

// CalibrateGames relates the scores in recorded games to the games' results: the final margin, and
// the chances of a win, a draw and a loss. The games need scores in comments as matches record
// them, {score +25 depth 16}, and a single rule set. A player's name limits it to that player's
// scores; "" means all.
func CalibrateGames[P games.Position[P]](g *games.Game[P], files []GameFile[P], player string) (*CalibrationReport, error) {
	r := &CalibrationReport{info: g.Info, seen: map[string]bool{}}
	var list []scoredPosition
	for _, f := range files {
		before := r.Games + r.Same
		for i, rec := range f.Records {
			found, err := countGame(g, rec, player, r)
			if err != nil {
				return nil, fmt.Errorf("%s: game %d: %w", f.Name, i+1, err)
			}
			list = append(list, found...)
		}
		switch {
		case r.Games+r.Same > before:
		case player != "":
			return nil, fmt.Errorf("%s: no game has a result and a score of a player named %.60q: expected the "+
				"name of a side, or no name for all players", f.Name, player)
		default:
			return nil, fmt.Errorf(`%s: no game has a result and a score in a comment: expected games as train match -o writes them, "F {score +25 depth 16}"`, f.Name)
		}
	}
	slope, errs := marginLine(list, func(s scoredPosition) []float64 { return []float64{s.score} })
	r.Slope, r.SlopeErr = slope[0], errs[0]
	scores := "recorded in games"
	if player != "" {
		scores += " by " + wording.Short(player)
	}
	r.Calibrated = calibrateScores(list, scores)
	return r, nil
}

// Doc describes the report.
func (r *CalibrationReport) Doc() *outline.Doc {
	s := &outline.Doc{Value: r, Title: fmt.Sprintf("%d games under %s rules, %d positions", r.Games, r.Rules, r.Positions)}
	s.Lead = []string{fmt.Sprintf("the rules ended %d games", r.Finished)}
	if r.Same > 0 || r.Proven > 0 {
		s.Lead = append(s.Lead, fmt.Sprintf("left out: %s, %s",
			wording.Count(r.Same, "repeated game"), wording.Count(r.Proven, "proven score")))
	}
	if r.Slope != 0 {
		s.Lead = append(s.Lead, fmt.Sprintf("slope: %.3f ± %.3f %ss of final margin per %s of score",
			r.Slope, r.SlopeErr, r.info.Unit, r.info.Unit))
	}
	if r.Calibration == nil {
		s.Lead = append(s.Lead, "no model of winning chances: "+r.NotCalibrated)
	}
	features.AddCalibration(s, r.info, r.Calibration)
	return s
}

// scoredPosition is a position of a game, for the side to move.
type scoredPosition struct {
	game     uint64  // distinguishes games
	weight   float64 // of the position, 1 unless the rows have weights
	score    float64 // units
	part     float64 // phase as a share of the game's largest phase
	result   int     // of the game: 1 a win, 0 a draw, -1 a loss
	finished bool    // the rules ended the game
	final    float64 // final margin, units; 0 unless finished
}

// scorePattern matches a score in a move's comment, in hundredths of a unit.
var scorePattern = regexp.MustCompile(`(?:^|\s)score ([+-]?[0-9]{1,5})(?:\s|$)`)

// countGame returns the scored positions of a game and counts it in r. It returns nil for a
// duplicate, and for a game without a result.
func countGame[P games.Position[P]](
	g *games.Game[P], rec games.Record[P], player string, r *CalibrationReport,
) (list []scoredPosition, err error) {
	rules := g.RulesOf(rec.Start)
	if r.Rules == "" {
		r.Rules = rules
	}
	if rules != r.Rules {
		return nil, fmt.Errorf("under %s rules: expected %s, as the first game", rules, r.Rules)
	}
	result, known := map[string]int{games.FirstWins: 1, games.SecondWins: -1, games.DrawnGame: 0}[rec.Result]
	if !known {
		return nil, nil
	}
	l, err := g.Replay(rec)
	if err != nil {
		return nil, err
	}
	diff, _, over := l.Over()
	proven := 0
	for i, p := range append(l.History(), l.Position())[:len(rec.Moves)] {
		side := g.SideToMove(p)
		score, ok := scoreOf(rec.Moves[i].Comment)
		if !ok || !counts(rec.Tag(g.Sides[side]), player) {
			continue
		}
		if search.Proven(score) {
			proven++
			continue
		}
		sign := 1 - 2*side
		list = append(list, scoredPosition{
			game: uint64(r.Games), weight: 1, score: float64(score) / 100, part: float64(g.Phase(p)) / float64(g.MaxPhase),
			result: sign * result, finished: over, final: float64(sign * diff),
		})
	}
	if len(list)+proven == 0 {
		return nil, nil
	}
	key := g.Identity(rec) // deterministic players can repeat a game
	if r.seen[key] {
		r.Same++
		return nil, nil
	}
	r.seen[key] = true
	if len(list) > 0 && over {
		r.Finished++
	}
	r.Games++
	r.Positions += len(list)
	r.Proven += proven
	return list, nil
}

// counts reports whether a recorded player's scores count: player is its whole name or a word of
// it, such as the hash of its weights, or "" for all.
func counts(name, player string) bool {
	return player == "" || name == player ||
		slices.Contains(strings.FieldsFunc(name, func(r rune) bool { return r == ' ' || r == ',' }), player)
}

// scoreOf parses the score in a comment, in hundredths of a unit.
func scoreOf(comment string) (int, bool) {
	m := scorePattern.FindStringSubmatch(comment)
	if m == nil {
		return 0, false
	}
	score, err := strconv.Atoi(m[1])
	return score, err == nil && score >= -search.Win && score <= search.Win
}

// ends are the parameters of the model of chances: rate at part 0 and 1, draw at 0 and 1.
type ends [4]float64

// Calibrated is a calibration of scores, or why there is none: both are empty for rows without
// outcomes.
type Calibrated struct {
	Calibration   *features.Calibration `json:"calibration,omitempty"`
	NotCalibrated string                `json:"not_calibrated,omitempty"`
}

// calibrateScores calibrates scores of the given origin.
func calibrateScores(list []scoredPosition, scores string) Calibrated {
	c, err := calibration(list)
	if err != nil {
		return Calibrated{NotCalibrated: err.Error()}
	}
	c.Scores = scores
	return Calibrated{Calibration: c}
}

// calibration fits the chances by maximum likelihood, and the margins of finished games by least
// squares.
func calibration(list []scoredPosition) (*features.Calibration, error) {
	var seen [3]int
	for _, s := range list {
		seen[s.result+1]++
	}
	if seen[1] == 0 || seen[0]+seen[2] == 0 {
		return nil, errors.New("needs decided and drawn games")
	}
	e, loss, err := likeliest(list)
	if err != nil {
		return nil, err
	}
	total := 0.0
	for _, s := range list {
		total += s.weight
	}
	c := &features.Calibration{Rate: [2]float64(e[:2]), Draw: [2]float64(e[2:]), Loss: loss / total, Positions: len(list)}
	gradients := agreement.NewClusters(len(e))
	hessian := mat.NewSymDense(len(e), nil)
	for _, s := range list {
		_, g := e.add(s, hessian)
		gradients.Add(s.game, g[:]...)
	}
	c.Games = gradients.Len()
	var inverse mat.Dense
	if inverse.Inverse(hessian) != nil {
		return nil, errUndetermined
	}
	errs := gradients.Errors(&inverse)
	c.RateErr = [2]float64(errs[:2])
	c.DrawErr = [2]float64(errs[2:])
	if c.Rate[0] <= 0 || c.Rate[1] <= 0 {
		return nil, fmt.Errorf("better scores win fewer games (rate %.3g to %.3g): expected scores of searches, "+
			"for the side to move", c.Rate[0], c.Rate[1])
	}
	margin, marginErr := marginLine(list, byPhase)
	c.Margin = [2]float64(margin)
	c.MarginErr = [2]float64(marginErr)
	if c.Check() != nil { // a number out of range says nothing to those who have too few games
		return nil, errUndetermined
	}
	return c, nil
}

// errUndetermined is the error of a calibration to too few games.
var errUndetermined = errors.New("the results do not determine the chances: give more games")

// marginLine fits final margins of finished games by least squares without an intercept, with
// errors by game. It returns zeros if there are too few finished games, or the numbers of a position
// do not vary.
func marginLine(list []scoredPosition, numbers func(scoredPosition) []float64) (slope, errs []float64) {
	list = slices.DeleteFunc(slices.Clone(list), func(s scoredPosition) bool { return !s.finished })
	n := len(numbers(scoredPosition{}))
	gram := mat.NewSymDense(n, nil)
	xy := make([]float64, n)
	for _, s := range list {
		x := numbers(s)
		gram.SymRankOne(gram, s.weight, mat.NewVecDense(n, x))
		floats.AddScaled(xy, s.weight*s.final, x)
	}
	fit, err := Solve(gram, xy, 0)
	if err != nil || fit.Aliased != nil {
		return make([]float64, n), make([]float64, n)
	}
	gradients := agreement.NewClusters(n)
	for _, s := range list {
		x := numbers(s)
		rest := s.final - floats.Dot(fit.Weights, x)
		floats.Scale(s.weight*rest, x)
		gradients.Add(s.game, x...)
	}
	if gradients.Len() < 3 {
		return make([]float64, n), make([]float64, n)
	}
	return fit.Weights, gradients.Errors(fit.Inverse)
}

// byPhase are the numbers whose weights are the slopes at the ends of the square of the phase.
func byPhase(s scoredPosition) []float64 {
	late := s.part * s.part
	return []float64{s.score * (1 - late), s.score * late}
}

// likelihood returns minus the logarithm of the likelihood, a convex function of the ends (Burridge 1981).
func likelihood(list []scoredPosition) optimize.Problem {
	return optimize.Problem{
		Func: func(x []float64) float64 {
			loss, _ := ends(x).sum(list, nil)
			return loss
		},
		Grad: func(gradient, x []float64) {
			_, g := ends(x).sum(list, nil)
			copy(gradient, g[:])
		},
		Hess: func(hessian *mat.SymDense, x []float64) {
			hessian.Zero()
			ends(x).sum(list, hessian)
		},
	}
}

// likeliest maximises the likelihood.
func likeliest(list []scoredPosition) (e ends, loss float64, err error) {
	problem := likelihood(list)
	settings := &optimize.Settings{Converger: &optimize.FunctionConverge{Relative: 1e-9, Iterations: 1}}
	found, err := optimize.Minimize(problem, []float64{0.3, 0.3, 0.3, 0.3}, settings, &optimize.Newton{})
	if err != nil && !(errors.Is(err, optimize.ErrLinesearcherFailure) && nearMinimum(problem, found.Location)) {
		return e, 0, fmt.Errorf("no maximum-likelihood model found: %w", err)
	}
	return ends(found.X), found.F, nil
}

// nearMinimum reports whether a Newton step from here would gain next to nothing. Rounding then keeps a
// line search from finding a lower value.
func nearMinimum(problem optimize.Problem, at optimize.Location) bool {
	gradient := make([]float64, len(at.X))
	problem.Grad(gradient, at.X)
	hessian := mat.NewSymDense(len(at.X), nil)
	problem.Hess(hessian, at.X)
	var step mat.VecDense
	if step.SolveVec(hessian, mat.NewVecDense(len(gradient), gradient)) != nil {
		return false
	}
	gain := mat.Dot(&step, mat.NewVecDense(len(gradient), gradient)) / 2
	return gain >= 0 && gain <= 1e-9*at.F
}

// sum returns −log likelihood of all results, each times its weight, +Inf if a draw has no chance,
// and its gradient. It adds the second derivatives to hessian unless that is nil.
func (e ends) sum(list []scoredPosition, hessian *mat.SymDense) (loss float64, gradient ends) {
	for _, s := range list {
		l, g := e.add(s, hessian)
		loss += l
		floats.Add(gradient[:], g[:])
	}
	return loss, gradient
}

// add returns −log likelihood of a position's result, times its weight, and its gradient. It adds the
// second derivatives to hessian unless that is nil.
//
// With A = exp(v−x) and B = exp(v+x), the chance of a win is 1/(1+A), of a loss 1/(1+B), and of a
// draw (exp(2v)−1)/((1+A)(1+B)).
func (e ends) add(s scoredPosition, hessian *mat.SymDense) (loss float64, gradient ends) {
	x := s.score * features.Along([2]float64(e[:2]), s.part)
	v := features.Along([2]float64(e[2:]), s.part)
	var dx, dv, dxx, dxv, dvv float64
	soft := func(sign float64) { // log(1+exp(v+sign·x))
		z := v + sign*x
		p := features.Logistic(z)
		loss += math.Max(z, 0) + math.Log1p(math.Exp(-math.Abs(z)))
		dx += sign * p
		dv += p
		c := p * (1 - p)
		dxx += c
		dxv += sign * c
		dvv += c
	}
	if s.result >= 0 {
		soft(-1)
	}
	if s.result <= 0 {
		soft(1)
	}
	if s.result == 0 {
		t := -math.Expm1(-2 * v) // 1−exp(−2v)
		if !(t > 0) {
			return math.Inf(1), gradient
		}
		loss -= 2*v + math.Log(t)
		dv -= 2 / t
		dvv += 4 * (1 - t) / (t * t)
	}
	by := ends{s.score * (1 - s.part), s.score * s.part, 1 - s.part, s.part}
	for i := range by {
		di := [2]float64{dx, dv}[i/2]
		gradient[i] = s.weight * di * by[i]
		for j := i; hessian != nil && j < len(by); j++ {
			d := [3]float64{dxx, dxv, dvv}[i/2+j/2]
			hessian.SetSym(i, j, hessian.At(i, j)+s.weight*d*by[i]*by[j])
		}
	}
	return s.weight * loss, gradient
}

// calibrationRows limits the rows of a calibration. Larger datasets are sampled evenly, which keeps
// most games, and errors are by game.
const calibrationRows = 1 << 20

// calibrate calibrates the labels of tables against the outcomes of the rows' games, each row with
// its weight, from the column of that name, "" for 1. Without outcomes there is no calibration.
// Proven labels and rows of weight 0 are left out.
func (t tables) calibrate(ctx context.Context, g games.Info, where, weight string) (found Calibrated, err error) {
	results := map[string]int{datasets.Win.String(): 1, datasets.Draw.String(): 0, datasets.Loss.String(): -1}
	q := datasets.Query{Columns: []string{"phase", "", "label", "exact", "result", "margin"}, Where: where}
	weightAt := len(q.Columns)
	if weight != "" {
		q.Columns = append(q.Columns, weight)
	}
	with := slices.DeleteFunc(slices.Clone(t), func(t *datasets.Table) bool { return !t.Meta.Results })
	n := int64(0)
	every := with.rows()/calibrationRows + 1
	var list []scoredPosition
	for file, t := range with {
		q.Columns[1] = t.ClusterColumn()
		for b, err := range t.Batches(ctx, q) {
			if err != nil {
				return found, err
			}
			phases, groups := b.Whole(0), b.Whole(1)
			labels, exact := b.Numbers(2), b.Truth(3)
			ended, margins := b.Texts(4), b.Whole(5)
			weights := slices.Repeat([]float64{1}, b.Len())
			if weight != "" {
				weights = b.Numbers(weightAt)
			}
			for i := range b.Len() {
				result, known := results[ended[i]]
				n++
				if n%every != 0 || !known || exact[i] || math.Abs(labels[i]) >= games.MaxPoints || weights[i] == 0 {
					continue
				}
				list = append(list, scoredPosition{
					game: datasets.ClusterOf(uint32(file), groups[i]), weight: weights[i],
					score: labels[i] / g.PointsPerUnit(), part: float64(phases[i]) / float64(g.MaxPhase),
					// A decisive result without a margin: the rules did not end the game.
					result: result, finished: margins[i] != 0 || result == 0, final: float64(margins[i]),
				})
			}
		}
	}
	if list == nil {
		return found, nil
	}
	return calibrateScores(list, "of the searches that labelled the rows, "+strings.Join(with.texts(limitsOf), "; ")), nil
}

// text describes the calibration in a line, "" if the rows have no outcomes.
func (c Calibrated) text(g games.Info) string {
	switch {
	case c.NotCalibrated != "":
		return "not calibrated: " + c.NotCalibrated
	case c.Calibration == nil:
		return ""
	}
	level, _, _ := c.Calibration.Chances(0, 1)
	ahead, _, _ := c.Calibration.Chances(1, 1)
	return fmt.Sprintf("calibrated on %d games: with %d %s a score of 0 wins %s, +1 %s %s",
		c.Calibration.Games, g.MaxPhase, g.PhaseName, features.Percent(level), g.Unit, features.Percent(ahead))
}
