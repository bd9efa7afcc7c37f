package match

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"time"

	"kroo/endgame"
	"kroo/engine"
	"kroo/games/oware"
	"kroo/internal/atomicfile"
)

// Request says which match to play.
type Request struct {
	Conditions
	Rules       oware.Rules
	Seed        uint64 // of the openings
	Concurrency int    // pairs at a time; 0 is one a processor
	A, B        Contender
	Test        *Test     // stops the match when decided; nil is none
	Openings    []Opening // instead of random ones
	// RepeatOpenings begins again with the first when there are more pairs.
	RepeatOpenings bool
	MaxPlies       int // 0 is no maximum
	// MoveTimes records the time of each move. It is done anyway if the match
	// is not reproducible: if time limits it, or another program plays.
	MoveTimes bool
	AdjudicateWin
	AdjudicateDraw
	AdjudicateTable *endgame.Table // ends games that it decides; nil is none
	TimeControl                    // without a margin; players may have others
	Margin          time.Duration  // that a player may overrun a clock, or a program the time of a move
	Log             string         // finished pairs; "" for none
}

// Summary is what a match has shown.
type Summary struct {
	A         string  `json:"a"`
	B         string  `json:"b"`
	Score     Score   `json:"score"`
	Elo       float64 `json:"elo"`
	EloBar    float64 `json:"elo_bar"` // half-width of the 95 % interval
	NElo      float64 `json:"normalized_elo"`
	NEloBar   float64 `json:"normalized_elo_bar"`
	LOS       float64 `json:"los"`   // likelihood that A is the stronger
	Seeds     float64 `json:"seeds"` // mean difference a game
	SeedsBar  float64 `json:"seeds_bar"`
	Test      string  `json:"test,omitempty"` // the sequential test's state
	Verdict   Verdict `json:"verdict,omitempty"`
	LLR       float64 `json:"llr,omitempty"`
	BookMoves int     `json:"book_moves"` // moves played from books
}

// Run plays a match and, unless out is "", writes its games there.
func Run(ctx context.Context, req Request, out string, progress func(done, total int64, score Score)) (Summary, error) {
	res, err := run(ctx, req, progress)
	if err != nil {
		return Summary{}, err
	}
	if out != "" {
		if err := atomicfile.WriteFile(out, func(w io.Writer) error { return res.WriteOGN(w) }); err != nil {
			return Summary{}, err
		}
	}
	return req.summary(res), nil
}

// run plays a match after a look at whether its players fit.
func run(ctx context.Context, req Request, progress Progress) (*Result, error) {
	if (req.A.Clock.Base > 0) != (req.B.Clock.Base > 0) && req.TimeControl.Base == 0 {
		return nil, fmt.Errorf("only one of %s and %s has a clock: expected one for the other, or for the match", req.A.name(), req.B.name())
	}
	for _, c := range []Contender{req.A, req.B} {
		if c.Program != nil {
			continue
		}
		if err := c.Eval.CheckRules(req.Rules.String()); err != nil {
			return nil, err
		}
	}
	newA, err := req.A.players(req)
	if err != nil {
		return nil, err
	}
	newB, err := req.B.players(req)
	if err != nil {
		return nil, err
	}
	return Play(ctx, req.config(), newA, newB, progress)
}

// summary is what the result has shown.
func (req Request) summary(res *Result) Summary {
	s := Summary{A: req.A.name(), B: req.B.name(), Score: res.Score, BookMoves: bookMoves(res.Games, req.A, req.B)}
	if req.Test != nil {
		s.Test, s.Verdict, s.LLR = req.Test.Explain(res.LLR), res.Verdict, res.LLR
	}
	s.Elo, s.EloBar = res.Score.Elo()
	s.NElo, s.NEloBar = res.Score.NormalizedElo()
	s.LOS = res.Score.LOS()
	s.Seeds, s.SeedsBar = res.Score.Seeds()
	return s
}

// config is the match as package match wants it.
func (req Request) config() Config {
	c := Config{
		Rules: req.Rules, Pairs: req.Pairs, OpeningPlies: req.OpeningPlies, Seed: req.Seed,
		Test: req.Test, Openings: req.Openings, RepeatOpenings: req.RepeatOpenings, MaxPlies: req.MaxPlies,
		AdjudicateWin: req.AdjudicateWin, AdjudicateDraw: req.AdjudicateDraw,
		TimeControl: cmp.Or(req.A.Clock, req.TimeControl),
		MoveTimes:   req.MoveTimes,
		Concurrency: req.Concurrency, Log: req.Log, Limits: req.limits(),
	}
	if t := req.AdjudicateTable; t != nil {
		c.AdjudicateTable, c.TableName = t, fmt.Sprintf("%s of %d seeds, %s", t.Bounds(), t.Seeds(), t.Made())
	}
	if b := cmp.Or(req.B.Clock, req.TimeControl); b != c.TimeControl {
		c.TimeControlB = b
	}
	for _, tc := range []*TimeControl{&c.TimeControl, &c.TimeControlB} {
		if tc.Base > 0 {
			tc.Margin = req.Margin
		}
	}
	if !req.A.reproducible(req.Config) || !req.B.reproducible(req.Config) || req.TimeControl.Base > 0 {
		c.MoveTimes = true
	}
	return c
}

// limits is what the records say.
func (req Request) limits() string {
	a, b := req.A.limits(req.Config), req.B.limits(req.Config)
	if a != b {
		a = fmt.Sprintf("%s: %s; %s: %s", req.A.name(), a, req.B.name(), b)
	}
	return a + ", " + engine.Signature()
}

// SideNames are the players in words, as tags of game records name them.
var SideNames = [...]string{oware.South: "South", oware.North: "North"}

// bookMoves counts the moves that were played from the players' books.
func bookMoves(games []oware.Record, players ...Contender) (n int) {
	books := map[string]engine.Book[oware.Position]{}
	for _, c := range players {
		books[c.name()] = c.Book
	}
	for _, rec := range games {
		g := oware.NewGame(rec.Start)
		for _, move := range rec.Moves {
			mover := books[rec.Tag(SideNames[g.Position().ToMove()])]
			if m, found := bookMove(mover, g); found && m == move.Move {
				n++
			}
			if g.Play(move.Move) != nil {
				break
			}
		}
	}
	return n
}
