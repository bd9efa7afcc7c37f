package regress

import (
	"fmt"
	"math"

	"kroo/features"
	"kroo/games"
	"kroo/internal/doc"
	"kroo/internal/wording"
)

// GameFile is the games of a file, whose name is for errors.
type GameFile[P games.Position[P]] struct {
	Name    string
	Records []games.Record[P]
}

// CalibrationReport is what the scores of searches in recorded games are worth. A score is
// for the side that moves, in units of the game; scores of proven positions are left out.
// Positions of one game are not independent, so standard errors are by game.
type CalibrationReport struct {
	Rules     string `json:"rules"`
	Games     int    `json:"games"`     // with scores and a result; the same moves count once
	Same      int    `json:"same"`      // games left out: their moves are an earlier game's
	Finished  int    `json:"finished"`  // games that the rules ended: only these have a final difference
	Positions int    `json:"positions"` // with a score, of the games
	Proven    int    `json:"proven"`    // scores left out

	Lines       []ScoreLine           `json:"lines"`       // of the finished games
	Calibration *features.Calibration `json:"calibration"` // nil if there is no model of the results
	NoModel     string                `json:"no_model,omitempty"`

	info games.Info
}

// ScoreLine is the line of least squares through some positions: the final
// difference of the side that moves, in units, is Level + Slope·score.
type ScoreLine struct {
	Of        string  `json:"of"` // which positions
	Positions int     `json:"positions"`
	Games     int     `json:"games"`
	Slope     float64 `json:"slope"` // units of final difference for a unit of score
	SlopeErr  float64 `json:"slope_err"`
	Level     float64 `json:"level"` // final difference at score 0, units
	LevelErr  float64 `json:"level_err"`
	R         float64 `json:"r"` // correlation
}

// CalibrateGames relates the scores in recorded games to how the games ended: a line through
// final differences, over all positions, by phase and by size of score; and a model of the
// chances of a win, a draw and a loss. The games need scores as matches record them, {score
// +25 depth 16}, and one set of rules. A player counts alone by name; "" is all.
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

// bands are the phases of which a line is made.
const bands = 6

// scoreLines are lines over all positions, by phase and by size of score. What
// has too few games for a line is left out.
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

// Doc is the report.
func (r *CalibrationReport) Doc() *doc.Doc {
	unit := r.info.Unit
	s := &doc.Doc{Value: r, Title: fmt.Sprintf("%d games under %s rules, %d positions", r.Games, r.Rules, r.Positions)}
	s.Lead = []string{fmt.Sprintf("%d games have the moves of another and count once; %d were ended by the rules; %d proven scores are left out.", r.Same, r.Finished, r.Proven)}
	if r.Calibration == nil {
		s.Lead = append(s.Lead, "no model of the chances: "+r.NoModel)
	}
	features.AddCalibration(s, r.info, r.Calibration)
	s.Add(doc.Section{
		Text: []string{fmt.Sprintf("Final margin by score, a least-squares line for each group: slope in %ss of margin for a %s of score; ± is a standard error by game.", unit, unit)},
		Table: doc.TableOf([]string{"positions of", "positions", "games", "slope", "±", "at score 0", "±", "R"}, r.Lines, func(l ScoreLine) []any {
			return []any{
				l.Of, l.Positions, l.Games, fmt.Sprintf("%.3f", l.Slope), fmt.Sprintf("%.3f", l.SlopeErr),
				fmt.Sprintf("%+.2f", l.Level), fmt.Sprintf("%.2f", l.LevelErr), fmt.Sprintf("%.3f", l.R),
			}
		}),
	})
	return s
}
