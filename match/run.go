package match

import (
	"context"
	"errors"
	"fmt"
	"io"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
	"kroo/internal/parallel"
	"kroo/internal/wording"
	"kroo/match/elo"
)

// Summary is the result of a match.
type Summary struct {
	A     string    `json:"a"`
	B     string    `json:"b"`
	Score elo.Score `json:"score"`
	Elo   float64   `json:"elo"`
	// EloInterval is the 95 % interval. It is missing in records of older builds, whose Score has
	// the data.
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
	Distinct   float64 `json:"distinct"`               // share of the games that differ from all before, 0 to 1
	Again      int     `json:"played_again,omitempty"` // games replayed since this program was suspended

	Forfeits []Forfeits `json:"forfeits,omitempty"` // of each player with at least one
}

// Run plays a match of two players and writes its games. Progress counts games. When the context is
// done, it returns its error along with the summary of the finished pairs. If all games were
// forfeited, it writes them and returns both as well.
func Run[P search.Position[P]](ctx context.Context, k engine.Kit[P], c Config, a, b engine.Spec, out Output, progress parallel.Progress) (sum Summary, err error) {
	if err := out.check(); err != nil {
		return Summary{}, err
	}
	m, err := prepared(k, c)
	if err != nil {
		return Summary{}, err
	}
	defer func() { err = errors.Join(err, m.close()) }()
	if m.A, err = open(ctx, k, a, c); err != nil {
		return Summary{}, err
	}
	defer func() { err = errors.Join(err, m.A.Close()) }()
	if m.B, err = open(ctx, k, b, c); err != nil {
		return Summary{}, err
	}
	defer func() { err = errors.Join(err, m.B.Close()) }()
	res, err := play(ctx, m.match, func(done int64, s elo.Score) { progress.Note(2*done, 2*int64(c.Pairs), standing(s, c.Test)) })
	if res == nil {
		return Summary{}, err
	}
	if err != nil { // stopped: report the finished pairs
		return m.summary(res), err
	}
	if err := write(out, k.Game, res.Games); err != nil {
		return Summary{}, err
	}
	sum = m.summary(res)
	return sum, checkPlayed(sum.Forfeits, sum.Score.Games())
}

// opened is a match without entrants whose files are open.
type opened[P search.Position[P]] struct {
	match[P]
	tables io.Closer // may be nil
}

// prepared opens the openings and the tables of a configuration.
func prepared[P search.Position[P]](k engine.Kit[P], c Config) (*opened[P], error) {
	m := &opened[P]{match: match[P]{Config: c, Game: k.Game, Engine: engine.Signature()}}
	rules, err := c.rulesOf(k.Game.Info)
	if err != nil {
		return nil, err
	}
	if c.Openings != "" {
		if m.Suite, err = readOpenings(c.Openings, k.Game, rules); err != nil {
			return nil, err
		}
	}
	if !c.AdjudicateTables || c.Tables == engine.NoTables {
		return m, nil
	}
	if k.Tables == nil {
		return nil, fmt.Errorf("%s has no endgame tables to adjudicate by", k.Game.Name)
	}
	t, err := k.Tables(c.Tables, rules)
	if err != nil || t == nil {
		return m, err
	}
	m.tables, m.Tables, m.TablesName = t, t, t.Name()
	return m, nil
}

func (m *opened[P]) close() error {
	if m.tables == nil {
		return nil
	}
	return m.tables.Close()
}

// summary summarises the result.
func (m *opened[P]) summary(res *result[P]) Summary {
	s := Summary{A: res.A, B: res.B, Score: res.Score, BookMoves: res.BookMoves[0] + res.BookMoves[1], Again: res.Again, Forfeits: res.forfeits()}
	if m.Test.Given() {
		s.Test, s.Verdict, s.LLR = m.Test.Explain(res.LLR), res.Verdict, res.LLR
	}
	if games := float64(len(res.Games)); games > 0 {
		s.Distinct = float64(res.Distinct) / games
		s.BookMovesA, s.BookMovesB = float64(res.BookMoves[0])/games, float64(res.BookMoves[1])/games
		s.BookPlies = float64(res.BookPlies) / games
	}
	s.Elo, s.EloInterval = res.Score.Elo()
	s.Lines = res.Lines.Len()
	if in, ok := res.Lines.Interval(); ok {
		s.EloLines = &in
	}
	s.NElo, s.NEloBar = res.Score.NormalizedElo()
	s.LOS = res.Score.LOS()
	s.Diff, s.DiffBar = res.Score.Diff(widest(m.Game.Info))
	return s
}

// widest is the range of final differences, from all lost to all won.
func widest(info games.Info) float64 { return 2 * float64(info.UnitsPerWin) }

// Text formats the summary for people; unit is the name of the game's unit.
func (s Summary) Text(unit string) string {
	text := fmt.Sprintf("%s against %s: %s", s.A, s.B, s.Score)
	switch known, all := s.Score.DiffPairs, s.Score.Games()/2; known {
	case 0: // unknown
	case all:
		text += fmt.Sprintf(", %ss %s ± %.2f", unit, elo.Signed(2)(s.Diff), s.DiffBar)
	default: // games played to the end are closer than adjudicated ones
		text += fmt.Sprintf(", %ss %s ± %.2f in %d of %s played to the end", unit, elo.Signed(2)(s.Diff), s.DiffBar, known, wording.Count(all, "pair"))
	}
	text += s.byLines()
	if s.Distinct < 1 {
		text += fmt.Sprintf(", %.1f %% distinct games", 100*s.Distinct)
	}
	if s.BookMoves > 0 {
		text += fmt.Sprintf(", %.1f book moves per game (%s %.1f, %s %.1f), the last at ply %.1f", s.BookMovesA+s.BookMovesB, s.A, s.BookMovesA, s.B, s.BookMovesB, s.BookPlies)
	}
	switch {
	case s.Again == 1:
		text += ", 1 game replayed because the program was suspended"
	case s.Again > 1:
		text += fmt.Sprintf(", %d games replayed because the program was suspended", s.Again)
	}
	return text
}

// byLines formats the interval by opening lines if there are clearly fewer lines than pairs;
// otherwise the interval from pairs is as good.
func (s Summary) byLines() string {
	switch {
	case s.Lines == 0 || 2*s.Lines >= s.Score.Games(): // 0 in records of older builds
		return ""
	case s.EloLines == nil:
		return fmt.Sprintf(", only %s of six plies, too few for an interval by line", wording.Count(s.Lines, "opening line"))
	}
	return fmt.Sprintf(", by %d opening lines of six plies %s", s.Lines, s.EloLines.Ends(elo.Signed(1)))
}
