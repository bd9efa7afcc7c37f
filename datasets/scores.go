package datasets

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kroo/games"
)

func parseBound(name string) (Bound, error) {
	i := slices.Index(boundNames[:], name)
	if i < 0 {
		return 0, fmt.Errorf("bound is %.20q: expected %s", name, strings.Join(boundNames[:], ", "))
	}
	return Bound(i), nil
}

// scoresText is "F=-12 A=-30".
func scoresText(scores []MoveScore, name func(games.Move) string) string {
	words := make([]string, len(scores))
	for i, s := range scores {
		words[i] = fmt.Sprintf("%s=%d", name(s.Move), s.Score)
	}
	return strings.Join(words, " ")
}

func parseScores(text string, parse func(name string) (games.Move, error)) (scores []MoveScore, err error) {
	for _, word := range strings.Fields(text) {
		name, number, _ := strings.Cut(word, "=")
		m, err := parse(name)
		if err != nil {
			return nil, fmt.Errorf("scores: %w", err)
		}
		score, err := strconv.ParseInt(number, 10, 32)
		if err != nil {
			return nil, fmt.Errorf("scores: %.40q is no score of a move: expected one as F=-12", word)
		}
		if err := checkScore(int32(score)); err != nil {
			return nil, err
		}
		scores = append(scores, MoveScore{m, int32(score)})
	}
	return scores, nil
}
