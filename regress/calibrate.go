package regress

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"kroo/engine/search"
	"kroo/features"
	"kroo/games"
	"kroo/internal/agreement"
	"kroo/internal/doc"
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

	Lines       []ScoreLine           `json:"lines"`       // of the finished games
	Calibration *features.Calibration `json:"calibration"` // nil if no model could be fitted
	NoModel     string                `json:"no_model,omitempty"`

	info games.Info
}

// ScoreLine is a least-squares line through some positions: the final margin of the side to move,
// in units, is Level + Slope·score.
type ScoreLine struct {
	Of        string  `json:"of"` // description of the positions
	Positions int     `json:"positions"`
	Games     int     `json:"games"`
	Slope     float64 `json:"slope"` // units of final margin per unit of score
	SlopeErr  float64 `json:"slope_err"`
	Level     float64 `json:"level"` // final margin at score 0, units
	LevelErr  float64 `json:"level_err"`
	R         float64 `json:"r"` // correlation
}

// CalibrateGames relates the scores in recorded games to the games' results: lines for the final
// margin, over all positions, by phase and by size of score; and a model of the chances of a win, a
// draw and a loss. The games need scores in comments as matches record them, {score +25 depth 16},
// and a single rule set. A player's name limits it to that player's scores; "" means all.
func CalibrateGames[P games.Position[P]](g *games.Game[P], files []GameFile[P], player string) (*CalibrationReport, error) {
	r := &CalibrationReport{info: g.Info}
	list, err := scored(g, files, player, r)
	if err != nil {
		return nil, err
	}
	r.Lines = scoreLines(g.Info, list)
	if r.Calibration, err = calibration(list); err != nil {
		r.NoModel = err.Error()
		return r, nil
	}
	r.Calibration.Scores = "recorded in games"
	if player != "" {
		r.Calibration.Scores += " by " + wording.Short(player)
	}
	return r, nil
}

// bands is the number of phase ranges with a line of their own.
const bands = 6

// scoreLines returns lines over all positions, by phase and by size of score, without groups that
// have too few games.
func scoreLines(info games.Info, list []scoredPosition) (lines []ScoreLine) {
	add := func(of string, in func(scoredPosition) bool) {
		if l, ok := fitLine(list, in); ok {
			l.Of = of
			lines = append(lines, l)
		}
	}
	add("all", func(scoredPosition) bool { return true })
	for b := bands; b > 0; b-- {
		from, to := info.MaxPhase*(b-1)/bands+1, info.MaxPhase*b/bands
		if b == 1 {
			from = 0
		}
		add(fmt.Sprintf("%s %d-%d", info.PhaseName, from, to), func(s scoredPosition) bool { return s.phase >= from && s.phase <= to })
	}
	most := float64(info.UnitsPerWin)
	for from, to := 0.0, 1.0; from < most; from, to = to, min(2*to, most) {
		add(fmt.Sprintf("score within %g-%g", from, to), func(s scoredPosition) bool {
			size := math.Abs(s.score)
			return size <= to && (size > from || from == 0)
		})
	}
	return lines
}

// Doc describes the report.
func (r *CalibrationReport) Doc() *doc.Doc {
	unit := r.info.Unit
	s := &doc.Doc{Value: r, Title: fmt.Sprintf("%d games under %s rules, %d positions", r.Games, r.Rules, r.Positions)}
	s.Lead = []string{fmt.Sprintf("%d duplicate games are left out; the rules ended %d games; %d proven scores are left out.", r.Same, r.Finished, r.Proven)}
	if r.Calibration == nil {
		s.Lead = append(s.Lead, "no model of winning chances: "+r.NoModel)
	}
	features.AddCalibration(s, r.info, r.Calibration)
	s.Add(doc.Section{
		Text: []string{fmt.Sprintf("Final margin by score, one least-squares line per group. The slope is in %ss of margin per %s of score; ± is the standard error, clustered by game.", unit, unit)},
		Table: doc.TableOf([]string{"group", "positions", "games", "slope", "±", "at score 0", "±", "R"}, r.Lines, func(l ScoreLine) []any {
			return []any{
				l.Of, l.Positions, l.Games, fmt.Sprintf("%.3f", l.Slope), fmt.Sprintf("%.3f", l.SlopeErr),
				fmt.Sprintf("%+.2f", l.Level), fmt.Sprintf("%.2f", l.LevelErr), fmt.Sprintf("%.3f", l.R),
			}
		}),
	})
	return s
}

// scoredPosition is a position of a game, for the side to move.
type scoredPosition struct {
	game     int     // index among the games counted
	score    float64 // units
	phase    int
	part     float64 // phase as a share of the game's largest phase
	result   int     // of the game: 1 a win, 0 a draw, -1 a loss
	finished bool    // the rules ended the game
	final    float64 // final margin, units; 0 unless finished
}

// scorePattern matches a score in a move's comment, in hundredths of a unit.
var scorePattern = regexp.MustCompile(`(?:^|\s)score ([+-]?[0-9]{1,5})(?:\s|$)`)

// scored returns the scored positions of all games with a result, and counts games and scores in r.
func scored[P games.Position[P]](g *games.Game[P], files []GameFile[P], player string, r *CalibrationReport) (list []scoredPosition, err error) {
	seen := map[string]bool{}
	for _, f := range files {
		before := r.Games + r.Same
		for i, rec := range f.Records {
			found, err := counted(g, rec, player, seen, r)
			if err != nil {
				return nil, fmt.Errorf("%s: game %d: %w", f.Name, i+1, err)
			}
			list = append(list, found...)
		}
		if r.Games+r.Same == before {
			return nil, noScores(f.Name, player)
		}
	}
	return list, nil
}

func noScores(file, player string) error {
	if player != "" {
		return fmt.Errorf("%s: no game has a result and a score of a player named %.60q: expected the name of a side, or no name for all players", file, player)
	}
	return fmt.Errorf(`%s: no game has a result and a score in a comment: expected games as train match -o writes them, "F {score +25 depth 16}"`, file)
}

// counted returns the scored positions of a game and counts it in r. It returns nil for a
// duplicate.
func counted[P games.Position[P]](g *games.Game[P], rec games.Record[P], player string, seen map[string]bool, r *CalibrationReport) ([]scoredPosition, error) {
	rules := g.RulesOf(rec.Start)
	if r.Rules == "" {
		r.Rules = rules
	}
	if rules != r.Rules {
		return nil, fmt.Errorf("under %s rules: expected %s, as the first game", rules, r.Rules)
	}
	list, proven, err := scoredMoves(g, rec, player)
	if err != nil || len(list)+proven == 0 {
		return nil, err
	}
	key := g.Identity(rec) // deterministic players can repeat a game
	if seen[key] {
		r.Same++
		return nil, nil
	}
	seen[key] = true
	for i := range list {
		list[i].game = r.Games
	}
	if len(list) > 0 && list[0].finished {
		r.Finished++
	}
	r.Games, r.Positions, r.Proven = r.Games+1, r.Positions+len(list), r.Proven+proven
	return list, nil
}

// scoredMoves returns the positions of a game in which the player recorded a score, and the number
// of proven scores. It returns nil for a game without a result.
func scoredMoves[P games.Position[P]](g *games.Game[P], rec games.Record[P], player string) (list []scoredPosition, proven int, err error) {
	result, known := map[string]int{games.FirstWins: 1, games.SecondWins: -1, games.DrawnGame: 0}[rec.Result]
	if !known {
		return nil, 0, nil
	}
	l, err := g.Replay(rec)
	if err != nil {
		return nil, 0, err
	}
	diff, _, over := l.Over()
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
			score: float64(score) / 100, phase: g.Phase(p), part: float64(g.Phase(p)) / float64(g.MaxPhase),
			result: sign * result, finished: over, final: float64(sign * diff),
		})
	}
	return slices.Clip(list), proven, nil
}

// counts reports whether a recorded player's scores count: player is its whole name or a word of
// it, such as the hash of its weights, or "" for all.
func counts(name, player string) bool {
	return player == "" || name == player || slices.Contains(strings.FieldsFunc(name, func(r rune) bool { return r == ' ' || r == ',' }), player)
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

// fitLine fits the final margins of finished games to scores by least squares. It returns false if
// there are too few positions or games.
func fitLine(list []scoredPosition, in func(scoredPosition) bool) (ScoreLine, bool) {
	var l ScoreLine
	var x, y []float64
	var games []int
	for _, s := range list {
		if s.finished && in(s) {
			x, y, games = append(x, s.score), append(y, s.final), append(games, s.game)
		}
	}
	l.Positions, l.Games = len(x), len(slices.Compact(slices.Sorted(slices.Values(games))))
	if sum, squares := floats.Sum(x), floats.Dot(x, x); l.Games < 3 || squares-sum*sum/float64(len(x)) <= 1e-9*squares {
		return l, false
	}
	fit, errs, ok := lineByGame(games, y, func(i int) [2]float64 { return [2]float64{1, x[i]} })
	if !ok {
		return l, false
	}
	l.Level, l.Slope, l.LevelErr, l.SlopeErr = fit[0], fit[1], errs[0], errs[1]
	l.R = agreement.Correlation(x, y)
	return l, true
}

// lineByGame fits two weights by least squares, with standard errors clustered by game. It returns
// false if the two regressors are nearly collinear.
func lineByGame(games []int, y []float64, numbers func(i int) [2]float64) (w, errs [2]float64, ok bool) {
	gram, xy := mat.NewSymDense(2, nil), make([]float64, 2)
	for i := range y {
		x := numbers(i)
		gram.SymRankOne(gram, 1, mat.NewVecDense(2, x[:]))
		floats.AddScaled(xy, y[i], x[:])
	}
	fit, err := Solve(gram, xy)
	if err != nil || fit.Aliased != nil {
		return w, errs, false
	}
	w = [2]float64(fit.Weights)
	gradients := agreement.NewClusters(2)
	for i := range y {
		x := numbers(i)
		rest := y[i] - w[0]*x[0] - w[1]*x[1]
		gradients.Add(uint64(games[i]), rest*x[0], rest*x[1])
	}
	return w, [2]float64(gradients.Errors(fit.Inverse)), true
}
