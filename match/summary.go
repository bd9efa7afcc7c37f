package match

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"kroo/internal/outline"
	"kroo/internal/wording"
	"kroo/match/elo"
)

// Summary is the result of a match.
type Summary struct {
	A string `json:"a"`
	B string `json:"b"`
	// TimeControl is the clock of both, or of A and B; "" without clocks.
	TimeControl string    `json:"time_control,omitempty"`
	Score       elo.Score `json:"score"`
	Elo         float64   `json:"elo"`
	// EloInterval is the 95 % interval.
	EloInterval elo.Interval `json:"elo_interval"`
	// Lines counts the different openings of six plies; games that share one are one sample.
	// EloLines is the 95 % interval of the lead by lines ([elo.Lines]), for ten lines or more.
	Lines     int           `json:"lines,omitempty"`
	EloLines  *elo.Interval `json:"elo_by_lines,omitempty"`
	NElo      float64       `json:"normalized_elo"`
	NEloBar   float64       `json:"normalized_elo_bar"`
	LOS       float64       `json:"los"`   // likelihood that A is stronger
	Diff      float64       `json:"seeds"` // mean final difference per game, in the game's units
	DiffBar   float64       `json:"seeds_bar"`
	Test      string        `json:"test,omitempty"` // the sequential test's state
	Verdict   elo.Verdict   `json:"verdict,omitempty"`
	LLR       float64       `json:"llr,omitempty"`
	BookMoves int           `json:"book_moves"` // moves played from books, in all games
	// Means per game: moves from books by either player, and the ply of the last of them, not
	// counting openings.
	BookMovesA float64 `json:"book_moves_a"`
	BookMovesB float64 `json:"book_moves_b"`
	BookPlies  float64 `json:"book_plies"`
	Distinct   float64 `json:"distinct"` // share of the games that differ from all before, 0 to 1

	Forfeits []Forfeits `json:"forfeits,omitempty"` // of each player with at least one

	labels labels
}

// labels are the names of players for people, by their names in records, which identify weights by
// their hash.
type labels map[string]string

// newLabels labels players by short names. Those that share one with another player get the folders that
// tell their weights' files apart, or else the name in records.
func newLabels(players []nameOfPlayer) labels {
	l := labels{}
	for _, p := range players {
		l[p.Name] = p.tellApart(players)
	}
	return l
}

// nameOfPlayer is how a player is called.
type nameOfPlayer struct {
	// Name distinguishes players in records and in the log; it identifies weights by their hash.
	Name string
	// Label is the name for people.
	Label string
	// Folders are those of the weights' file that the label names, as its path has them.
	Folders []string
}

// tellApart returns the label, after the fewest of its last folders that no other player has too.
func (p nameOfPlayer) tellApart(players []nameOfPlayer) string {
	for n := range len(p.Folders) + 1 {
		text := p.withFolders(n)
		if !slices.ContainsFunc(players, func(other nameOfPlayer) bool {
			return other.Name != p.Name && other.withFolders(n) == text
		}) {
			return text
		}
	}
	return p.Name
}

// withFolders returns the label after its last n folders, or all if there are fewer.
func (p nameOfPlayer) withFolders(n int) string {
	folders := p.Folders[max(0, len(p.Folders)-n):]
	return strings.Join(append(slices.Clone(folders), p.Label), "/")
}

// labelOf returns the label of a player.
func (l labels) labelOf(name string) string {
	if label, ok := l[name]; ok {
		return label
	}
	return name
}

// Doc describes the match; unit is the name of the game's unit.
func (s Summary) Doc(unit string) *outline.Doc {
	a, b := s.labels.labelOf(s.A), s.labels.labelOf(s.B)
	d := &outline.Doc{Value: s, Title: fmt.Sprintf("%s against %s: %d won, %d drawn, %d lost (%.1f %%)",
		a, b, s.Score.Wins, s.Score.Draws, s.Score.Losses, 100*s.Score.Mean())}
	add := func(name, value, note string) {
		d.Facts = append(d.Facts, outline.Fact{Name: name, Value: value, Note: note})
	}
	d.Facts = append(d.Facts, eloFact(s.Score, 1))
	if s.Test != "" { // its bounds may be in this unit
		d.Facts = append(d.Facts, normalizedFacts(s.Score, 1)...)
	}
	switch { // fewer lines than half the games: the interval from pairs is too narrow
	case s.Lines == 0 || 2*s.Lines >= s.Score.Games(): // 0: unknown
	case s.EloLines == nil:
		add("Elo by opening", "unknown", fmt.Sprintf("only %s of six plies", wording.Count(s.Lines, "line")))
	default:
		add("Elo by opening", s.EloLines.Ends(elo.SignedFormat(1)),
			fmt.Sprintf("of %s of six plies", wording.Count(s.Lines, "line")))
	}
	los := fmt.Sprintf("%.1f %%", 100*s.LOS)
	if hasLOS(s.Score.Games()) && los != "100.0 %" && los != "0.0 %" { // the interval says so
		add("stronger", los, "likelihood of superiority")
	}
	add("pairs", fmt.Sprint(s.Score.Pairs), "with 0, ½, 1, 1½ and 2 points")
	switch known, all := s.Score.DiffPairs, s.Score.Games()/2; known {
	case 0: // unknown
	case all:
		add(unit+"s per game", fmt.Sprintf("%s ± %.2f", elo.SignedFormat(2)(s.Diff), s.DiffBar), "")
	default: // games played to the end are closer than adjudicated ones
		add(unit+"s per game", fmt.Sprintf("%s ± %.2f", elo.SignedFormat(2)(s.Diff), s.DiffBar),
			fmt.Sprintf("in %d of %s, played to the end", known, wording.Count(all, "pair")))
	}
	if s.Distinct < 1 && s.Score.Games() > 0 {
		add("distinct games", fmt.Sprintf("%.1f %%", 100*s.Distinct), "")
	}
	if s.BookMoves > 0 {
		add("book moves", fmt.Sprintf("%.1f", s.BookMovesA+s.BookMovesB),
			fmt.Sprintf("per game: %s %.1f, %s %.1f; the last at ply %.1f",
				a, s.BookMovesA, b, s.BookMovesB, s.BookPlies))
	}
	if s.Test != "" {
		add("test", s.Test, "")
	}
	if s.Forfeits != nil {
		d.Add(outline.Section{Text: s.labels.forfeits(s.Forfeits)})
	}
	return d
}

// minPairs is the least number of pairs for which a likelihood of superiority is shown; an interval needs as many
// lines. The likelihood is a normal approximation with the spread of the pairs. For a single pair the spread comes
// from the 0.05 added to each empty count, so any result but ½ would seem almost certain.
const minPairs = 10

// hasLOS reports whether games in pairs are enough for a likelihood of superiority.
func hasLOS(games int) bool { return games >= 2*minPairs }

// EloFacts describes the lead of the first player, in Elo and in normalized Elo.
func EloFacts(s elo.Score, decimals int) []outline.Fact {
	return append([]outline.Fact{eloFact(s, decimals)}, normalizedFacts(s, decimals)...)
}

func eloFact(s elo.Score, decimals int) outline.Fact {
	lead, in := s.Elo()
	return outline.Fact{Name: "Elo", Value: in.Text(lead, elo.SignedFormat(decimals)), Note: "95 % interval"}
}

// normalizedFacts returns the lead in normalized Elo, or nothing for a clean sweep, which has no spread.
func normalizedFacts(s elo.Score, decimals int) []outline.Fact {
	if m := s.Mean(); m <= 0 || m >= 1 {
		return nil
	}
	normalized, bar := s.NormalizedElo()
	return outline.Facts("normalized Elo", fmt.Sprintf("%s ± %.*f", elo.SignedFormat(decimals)(normalized), decimals, bar))
}

// Doc describes the tournament: one row per player, the strongest first, and then the points against
// each place.
func (s TournamentSummary) Doc() *outline.Doc {
	t := outline.NewTable("#", "player", "Elo, 95 %", "LOS", "games", "score", "won", "drawn", "lost")
	cross := outline.NewTable("#", "player")
	for i := range s.Standings {
		cross.Header = append(cross.Header, fmt.Sprint(i+1))
	}
	for i, p := range s.Standings {
		los, share := "", "" // empty for the last, or with too few games
		if i+1 < len(s.Standings) && hasLOS(min(p.Games(), s.Standings[i+1].Games())) {
			los = fmt.Sprintf("%.1f %%", 100*p.LOS)
		}
		if p.Games() > 0 {
			share = fmt.Sprintf("%.1f %%", 100*p.Points()/float64(p.Games()))
		}
		name := s.labels.labelOf(p.Name)
		t.Add(i+1, name, p.Interval.Text(p.Elo, elo.SignedFormat(1)), los, p.Games(), share, p.Wins, p.Draws, p.Losses)
		row := []any{i + 1, name}
		for j, r := range p.Against {
			cell := "-"
			if i != j && r.Games() > 0 {
				cell = fmt.Sprintf("%g/%d", float64(r.Wins)+float64(r.Draws)/2, r.Games())
			}
			row = append(row, cell)
		}
		cross.Add(row...)
	}
	d := &outline.Doc{Value: s, Title: fmt.Sprintf("%d games of %s", s.Games, wording.Count(len(s.Standings), "player"))}
	d.Add(outline.Section{Table: t, Note: fmt.Sprintf("LOS: likelihood of being stronger than the next, if both have played %d pairs.", minPairs)})
	d.Add(outline.Section{Table: cross, Note: "Points against each player, by number."})
	if s.Forfeits != nil {
		d.Add(outline.Section{Text: s.labels.forfeits(s.Forfeits)})
	}
	return d
}

// Forfeits are the games that a player lost by its own fault instead of on the board.
type Forfeits struct {
	Player string `json:"player"`
	Games  int    `json:"games"`
	Of     int    `json:"of"`     // games played by the player
	Round  string `json:"round"`  // of the first one, as in the records
	Reason string `json:"reason"` // of the first one
}

// forfeits returns one sentence per player with forfeits.
func (l labels) forfeits(list []Forfeits) (lines []string) {
	for _, f := range list {
		lines = append(lines, wording.OneLine(fmt.Sprintf("%s forfeited %d of %s; the first, %s: %s",
			l.labelOf(f.Player), f.Games, wording.Count(f.Of, "game"), f.Round, f.Reason)))
	}
	return lines
}

var errAllForfeited = errors.New("all games were forfeited")

// checkPlayed returns an error if all games were forfeited: they do not measure strength.
func (l labels) checkPlayed(list []Forfeits, games int) error {
	lost := 0
	for _, f := range list {
		lost += f.Games
	}
	if games == 0 || lost < games {
		return nil
	}
	return fmt.Errorf("%w: %s: expected a program that plays: run it by hand, or give it more time",
		errAllForfeited, strings.Join(l.forfeits(list), "; "))
}
