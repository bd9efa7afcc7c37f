package book

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/doc"
	"kroo/internal/wording"
)

// Played measures how far games stay inside a book. A game is inside as long as the book contains
// its position; it leaves with the move to the first position that the book does not contain.
type Played struct {
	Games    int          `json:"games"`
	Outside  int          `json:"outside"`  // games that begin outside the book
	Ended    int          `json:"ended"`    // games that end inside
	Returned int          `json:"returned"` // games that leave, and later return to a position of the book
	Plies    doc.Spread   `json:"plies"`    // plies inside, over the games
	ByPly    []PlyExits   `json:"by_ply"`   // from ply 1 to the last with a game inside
	ByLoss   []LossExits  `json:"by_loss"`  // by class of loss
	Exits    []Exit       `json:"exits"`    // most frequent first
	ByGame   []PlayedGame `json:"by_game"`  // in the order of the file
}

// PlyExits counts the games that leave with the move of a ply; the first move of a game is ply 1.
type PlyExits struct {
	Ply    int `json:"ply"`
	Inside int `json:"inside"` // games inside before the move
	Leave  int `json:"leave"`
}

// LossExits counts the games whose leaving move loses at most Most against the book's best move, and
// more than the class before.
type LossExits struct {
	Most  float64 `json:"most_seeds"`
	Games int     `json:"games"`
}

// Exit is a move with which games leave the book.
type Exit struct {
	Ply   int      `json:"ply"`   // in the first such game
	Line  string   `json:"line"`  // moves of the first such game, up to this one
	Board string   `json:"board"` // before the move
	Move  string   `json:"move"`
	Loss  int      `json:"loss_points"` // against the book's best move
	Best  []string `json:"best"`        // the book's best moves
	Games int      `json:"games"`

	key exitKey
}

type exitKey struct {
	board int64
	move  oware.Move
}

// PlayedGame is how far one game stays inside.
type PlayedGame struct {
	Game  int    `json:"game"`           // index in the file, from 1
	Plies int    `json:"plies"`          // plies inside: moves to positions of the book, from the start of the game
	Move  string `json:"move,omitempty"` // the leaving move; "" if the game begins outside or ends inside
	Loss  int    `json:"loss_points"`    // loss of this move against the book's best
}

// lossClasses are the upper bounds of [LossExits], in seeds. The last class includes all larger
// losses.
var lossClasses = []float64{0, 0.25, 0.5, 1, 2, 2 * oware.Half}

// Play follows games, which must be of the book's rules, through a book.
func Play(ctx context.Context, b *Book, rules oware.Rules, records []games.Record[oware.Position]) (*Played, error) {
	if len(records) == 0 {
		return nil, fmt.Errorf("no games")
	}
	if err := b.CheckSound(ctx, rules); err != nil {
		return nil, err
	}
	s := &Played{Games: len(records)}
	for _, most := range lossClasses {
		s.ByLoss = append(s.ByLoss, LossExits{Most: most})
	}
	exits := map[exitKey]*Exit{}
	for i, r := range records {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		g, exit := s.follow(b, r)
		g.Game = i + 1
		s.ByGame = append(s.ByGame, g)
		if exit.Move == "" {
			continue
		}
		if exits[exit.key] == nil {
			exits[exit.key] = &exit
		}
		exits[exit.key].Games++
	}
	for _, e := range exits {
		s.Exits = append(s.Exits, *e)
	}
	slices.SortFunc(s.Exits, func(a, b Exit) int {
		return cmp.Or(cmp.Compare(b.Games, a.Games), cmp.Compare(a.Ply, b.Ply), cmp.Compare(a.Line, b.Line))
	})
	s.sum()
	return s, b.Err()
}

// follow plays a game until it leaves the book. Exit.Move is empty if it never leaves.
func (s *Played) follow(b *Book, r games.Record[oware.Position]) (g PlayedGame, exit Exit) {
	p := r.Start
	entry, inside := b.Lookup(p.BookKey())
	if !inside {
		s.Outside++
		return g, exit
	}
	for i, m := range r.Moves {
		next := p.Play(m.Move)
		_, over := next.Terminal()
		after, found := b.Lookup(next.BookKey())
		if !found && !over {
			exit = newExit(p, entry, m.Move)
			exit.Ply, exit.Line = i+1, lineOf(r, i)
			g.Move, g.Loss = exit.Move, exit.Loss
			if returns(b, next, r.Moves[i+1:]) {
				s.Returned++
			}
			return g, exit
		}
		g.Plies++
		p, entry = next, after
	}
	s.Ended++
	return g, exit
}

// lineOf returns the names of the first moves of a game.
func lineOf(r games.Record[oware.Position], plies int) string {
	var moves []games.Move
	for _, m := range r.Moves[:plies] {
		moves = append(moves, m.Move)
	}
	return oware.Descriptor().LineNames(r.Start, moves)
}

// newExit returns the exit with a move of an entry; p is its position.
func newExit(p oware.Position, e Entry, m oware.Move) Exit {
	_, best := e.Best()
	x := Exit{Board: p.String(), Move: oware.MoveName(m, p.ToMove()), Loss: best - int(e.Scores[m]), Best: e.named(p).Best}
	x.key = exitKey{e.Key, m}
	return x
}

// returns reports whether moves lead to a position of the book.
func returns(b *Book, p oware.Position, moves []games.MoveText) bool {
	for _, m := range moves {
		p = p.Play(m.Move)
		if _, found := b.Lookup(p.BookKey()); found {
			return true
		}
	}
	return false
}

// sum computes the totals over the games.
func (s *Played) sum() {
	var plies []float64
	for _, g := range s.ByGame {
		plies = append(plies, float64(g.Plies))
		moves := g.Plies
		if g.Move != "" {
			moves++
			s.ByLoss[slices.IndexFunc(s.ByLoss, func(c LossExits) bool { return Seeds(g.Loss) <= c.Most })].Games++
		}
		for len(s.ByPly) < moves {
			s.ByPly = append(s.ByPly, PlyExits{Ply: len(s.ByPly) + 1})
		}
		for ply := range moves {
			s.ByPly[ply].Inside++
		}
		if g.Move != "" {
			s.ByPly[g.Plies].Leave++
		}
	}
	slices.Sort(plies)
	s.Plies = doc.SpreadOf(plies)
}

// Numbers of exits and games in a report.
const (
	maxExits  = 15
	maxPlayed = 20
)

// Doc reports how far the games stay inside.
func (s *Played) Doc() *doc.Doc {
	p, left := s.Plies, s.Games-s.Outside-s.Ended
	d := &doc.Doc{Value: s, Lead: []string{
		fmt.Sprintf("%s: inside the book for %.1f plies on average, median %g, quartiles %g and %g, %g to %g",
			wording.Count(s.Games, "game"), p.Mean, p.Median, p.Q1, p.Q3, p.Min, p.Max),
		fmt.Sprintf("%d leave it, of which %d return later; %d end inside; %d begin outside", left, s.Returned, s.Ended, s.Outside),
	}}
	loss := func(points int) string { return fmt.Sprintf("%.2f", Seeds(points)) }
	if s.Games <= maxPlayed {
		d.Add(doc.Section{Table: doc.TableOf([]string{"game", "plies inside", "leaves by", "loses, seeds"}, s.ByGame, func(g PlayedGame) []any {
			if g.Move == "" {
				return []any{g.Game, g.Plies, "–"}
			}
			return []any{g.Game, g.Plies, g.Move, loss(g.Loss)}
		})})
	}
	if left == 0 {
		return d
	}
	plies := doc.NewTable("ply", "inside before", "leave", "of all games")
	for _, p := range s.ByPly {
		if len(plies.Rows) > 0 || p.Leave > 0 {
			plies.Add(p.Ply, p.Inside, p.Leave, doc.Percent(p.Leave, s.Games))
			plies.Bars = append(plies.Bars, p.Leave)
		}
	}
	losses := doc.NewTable("seeds", "games", "share")
	for i, c := range s.ByLoss {
		text := fmt.Sprintf("up to %g", c.Most)
		switch i {
		case 0:
			text = "0: the book ends here"
		case len(s.ByLoss) - 1:
			text = fmt.Sprintf("over %g", s.ByLoss[i-1].Most)
		}
		losses.Add(text, c.Games, doc.Percent(c.Games, left))
		losses.Bars = append(losses.Bars, c.Games)
	}
	exits := s.Exits[:min(len(s.Exits), maxExits)]
	d.Sections = append(d.Sections,
		doc.Section{Heading: "at which ply games leave", Table: plies},
		doc.Section{Heading: "what the leaving move loses to the book's best, by the book's values", Table: losses},
		doc.Section{
			Heading: fmt.Sprintf("the most frequent exits, %d of %d (--json has all)", len(exits), len(s.Exits)),
			Table: doc.TableOf([]string{"games", "share", "ply", "leaves by", "loses, seeds", "best", "after"}, exits, func(e Exit) []any {
				return []any{e.Games, doc.Percent(e.Games, s.Games), e.Ply, e.Move, loss(e.Loss), strings.Join(e.Best, " "), cmp.Or(e.Line, "the start")}
			}),
		})
	return d
}
