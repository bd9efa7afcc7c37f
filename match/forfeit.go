package match

import (
	"errors"
	"fmt"
	"strings"

	"kroo/internal/wording"
	"kroo/match/elo"
)

// Forfeits are the games that a player lost by its own fault instead of on the board.
type Forfeits struct {
	Player string `json:"player"`
	Games  int    `json:"games"`
	Of     int    `json:"of"`     // games played by the player
	Round  string `json:"round"`  // of the first one, as in the records
	Reason string `json:"reason"` // of the first one
}

// forfeits returns those of the players with at least one.
func (r *result[P]) forfeits() (list []Forfeits) {
	for i, name := range []string{r.A, r.B} {
		if n := r.Score.Forfeits[i]; n > 0 {
			list = append(list, Forfeits{name, n, r.Score.Games(), r.first[i].round, r.first[i].reason})
		}
	}
	return list
}

// firstForfeit is the place and reason of a player's first forfeit.
type firstForfeit struct{ round, reason string }

// note records the first forfeit of each player.
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

// ForfeitText returns one sentence per player with forfeits.
func ForfeitText(list []Forfeits) (lines []string) {
	for _, f := range list {
		lines = append(lines, wording.OneLine(f.text()))
	}
	return lines
}

var errAllForfeited = errors.New("all games were forfeited")

// checkPlayed returns an error if all games were forfeited: they do not measure strength.
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
