package regress

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"kroo/engine/search"
	"kroo/games"
)

// scoredPosition is a position of a game, seen by the side to move.
type scoredPosition struct {
	game     int     // index among the games that count
	score    float64 // units
	phase    int
	part     float64 // of the game's largest phase
	result   int     // of the game: 1 a win, 0 a draw, -1 a loss
	finished bool    // the rules ended the game
	final    float64 // difference at its end, units; 0 unless finished
}

// scorePattern is how comments of moves tell a score, in hundredths of a unit.
var scorePattern = regexp.MustCompile(`(?:^|\s)score ([+-]?[0-9]{1,5})(?:\s|$)`)

// scored are the positions with a score of the games that have a result. It
// counts games and scores in r.
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
		return fmt.Errorf("%s: no game has a result and a score of a player named %.60q: expected the name of a side, or none for all players", file, player)
	}
	return fmt.Errorf(`%s: no game has a result and a score in a comment: expected games as train match -o writes them, "F {score +25 depth 16}"`, file)
}

// counted are the positions of a game with a score, once it is counted in r;
// none of a game that was seen before.
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
	key := g.Identity(rec) // equal players without chance play a game twice
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

// scoredMoves are the positions of a game at which the player told a score, and
// how many more had a proven one. A game without a result has none.
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

// counts reports whether scores of a player of a name in records count: its whole name, or a word of
// it, such as the hash of its weights, is the one that is asked for. "" asks for all.
func counts(name, player string) bool {
	return player == "" || name == player || slices.Contains(strings.FieldsFunc(name, func(r rune) bool { return r == ' ' || r == ',' }), player)
}

// scoreOf reads the score of a comment, in hundredths of a unit.
func scoreOf(comment string) (int, bool) {
	m := scorePattern.FindStringSubmatch(comment)
	if m == nil {
		return 0, false
	}
	score, err := strconv.Atoi(m[1])
	return score, err == nil && score >= -search.Win && score <= search.Win
}
