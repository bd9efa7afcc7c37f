package pipeline

import (
	"context"
	"io"

	"kroo/book"
	"kroo/engine"
	"kroo/games/oware"
	"kroo/internal/atomicfile"
	"kroo/match"
)

// Contender is one player of a match.
type Contender struct {
	Eval Evaluator
	Book *book.Book // nil is none
}

func (c Contender) name() string {
	if c.Book != nil {
		return c.Eval.Name + " + book"
	}
	return c.Eval.Name
}

// MatchRequest says which match to play.
type MatchRequest struct {
	MatchConfig
	Rules       oware.Rules
	Seed        uint64 // of the openings
	Concurrency int    // pairs at a time; 0 is one a processor
	A, B        Contender
	Test        *match.Test     // stops the match when decided; nil is none
	Openings    []match.Opening // instead of random ones
	MaxPlies    int             // 0 is no maximum
	match.AdjudicateWin
	match.AdjudicateDraw
	match.TimeControl
	Log string // finished pairs; "" for none
}

// MatchSummary is what a match has shown.
type MatchSummary struct {
	A         string        `json:"a"`
	B         string        `json:"b"`
	Score     match.Score   `json:"score"`
	Elo       float64       `json:"elo"`
	EloBar    float64       `json:"elo_bar"` // half-width of the 95 % interval
	Seeds     float64       `json:"seeds"`   // mean difference a game
	SeedsBar  float64       `json:"seeds_bar"`
	Test      string        `json:"test,omitempty"` // the sequential test's state
	Verdict   match.Verdict `json:"verdict,omitempty"`
	LLR       float64       `json:"llr,omitempty"`
	BookMoves int           `json:"book_moves"` // moves played from books
}

// PlayMatch plays a match and, unless out is "", writes its games there.
func PlayMatch(ctx context.Context, req MatchRequest, out string, progress func(done, total int64, score match.Score)) (MatchSummary, error) {
	player := func(c Contender) func() match.Player {
		return func() match.Player {
			var p match.Player = match.NewEnginePlayer(c.name(), c.Eval, req.Options(), req.Limits())
			if c.Book != nil {
				p = &bookPlayer{Player: p, book: c.Book}
			}
			return p
		}
	}
	for _, c := range []Contender{req.A, req.B} {
		if err := c.Eval.CheckRules(req.Rules); err != nil {
			return MatchSummary{}, err
		}
	}
	res, err := match.Play(ctx, match.Config{
		Rules: req.Rules, Pairs: req.Pairs, OpeningPlies: req.OpeningPlies, Seed: req.Seed,
		Test: req.Test, Openings: req.Openings, MaxPlies: req.MaxPlies,
		AdjudicateWin: req.AdjudicateWin, AdjudicateDraw: req.AdjudicateDraw, TimeControl: req.TimeControl,
		Concurrency: req.Concurrency, Log: req.Log, Limits: LimitsText(req.SearchConfig) + ", " + engine.Signature(),
	}, player(req.A), player(req.B), progress)
	if err != nil {
		return MatchSummary{}, err
	}
	if out != "" {
		if err := atomicfile.WriteFile(out, func(w io.Writer) error { return res.WriteOGN(w) }); err != nil {
			return MatchSummary{}, err
		}
	}
	s := MatchSummary{A: req.A.name(), B: req.B.name(), Score: res.Score, BookMoves: bookMoves(res.Games, req.A, req.B)}
	if req.Test != nil {
		s.Test, s.Verdict, s.LLR = req.Test.Explain(res.LLR), res.Verdict, res.LLR
	}
	s.Elo, s.EloBar = res.Score.Elo()
	s.Seeds, s.SeedsBar = res.Score.Seeds()
	return s, nil
}

// sideNames are the players in words, as tags of game records name them.
var sideNames = [...]string{oware.South: "South", oware.North: "North"}

// bookMoves counts the moves that were played from the players' books.
func bookMoves(games []oware.Record, players ...Contender) (n int) {
	books := map[string]*book.Book{}
	for _, c := range players {
		books[c.name()] = c.Book
	}
	for _, rec := range games {
		g := oware.NewGame(rec.Start)
		for _, move := range rec.Moves {
			mover := books[rec.Tag(sideNames[g.Position().ToMove()])]
			if m, found := BookMove(mover, g); found && m == move.Move {
				n++
			}
			if g.Play(move.Move) != nil {
				break
			}
		}
	}
	return n
}
