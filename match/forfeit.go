package match

import (
	"errors"
	"fmt"
	"strings"

	"kroo/internal/wording"
	"kroo/match/elo"
)

// Forfeits are the games that a player has lost by its own fault instead of on the board.
type Forfeits struct {
	Player string `json:"player"`
	Games  int    `json:"games"`
	Of     int    `json:"of"`     // games that the player has played
	Round  string `json:"round"`  // of the first one, as records have it
	Reason string `json:"reason"` // of the first one
}

// forfeits are those of the players who have any.
func (r *result[P]) forfeits() (list []Forfeits) {
	for i, name := range []string{r.A, r.B} {
		if n := r.Score.Forfeits[i]; n > 0 {
			list = append(list, Forfeits{name, n, r.Score.Games(), r.first[i].round, r.first[i].reason})
		}
	}
	return list
}

// firstForfeit is where a player forfeited first, and why.
type firstForfeit struct{ round, reason string }

// note remembers the first forfeits of a match.
func (r *result[P]) note(o elo.Outcome, round string) {
	for i, lost := range o.Forfeit {
		if lost && r.first[i] == (firstForfeit{}) {
			r.first[i] = firstForfeit{round, o.Reason}
		}
	}
}

// text describes the forfeits in a sentence.
func (f Forfeits) text() string {
	return fmt.Sprintf("%s forfeited %d of %s; the first, %s: %s", f.Player, f.Games, wording.Count(f.Of, "game"), f.Round, f.Reason)
}

// ForfeitText has a sentence of each player who has forfeited games.
func ForfeitText(list []Forfeits) (lines []string) {
	for _, f := range list {
		lines = append(lines, wording.OneLine(f.text()))
	}
	return lines
}

var errAllForfeited = errors.New("all games were forfeited")

// checkPlayed refuses games that were all forfeited: they say nothing of how the players
// play.
func checkPlayed(list []Forfeits, games int) error {
	lost := 0
	for _, f := range list {
		lost += f.Games
	}
	if games == 0 || lost < games {
		return nil
	}
	return fmt.Errorf("%w: %s: expected a program that plays: run it by hand, or give it more time", errAllForfeited, strings.Join(ForfeitText(list), "; "))
}
