package book

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/outline"
	"kroo/internal/wording"
)

// Played measures how far games stay inside a book. A game is inside as long as the book contains
// its position; it leaves with the move to the first position that the book does not contain.
type Played struct {
	Games   int            `json:"games"`
	Outside int            `json:"outside"` // games that begin outside the book
	Ended   int            `json:"ended"`   // games that end inside
	Plies   outline.Spread `json:"plies"`   // plies inside, over the games
	ByPly   []PlyExits     `json:"by_ply"`  // from ply 1 to the last with a game inside
	Exits   []Exit         `json:"exits"`   // most frequent first
}

// PlyExits counts the games that leave with the move of a ply; the first move of a game is ply 1.
type PlyExits struct {
	Ply    int `json:"ply"`
	Inside int `json:"inside"` // games inside before the move
	Leave  int `json:"leave"`
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
}

// Play follows games, which must be of the book's rules, through a book.
func Play(ctx context.Context, b *Book, rules oware.Rules, records []games.Record[oware.Position]) (*Played, error) {
	if len(records) == 0 {
		return nil, errors.New("no games")
	}
	if err := b.CheckSound(ctx, rules); err != nil {
		return nil, err
	}
	s := &Played{Games: len(records)}
	var inside []int            // games by plies inside
	exits := map[string]*Exit{} // by board and move
	for i, r := range records {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		plies, exit := s.follow(b, r)
		inside = append(inside, make([]int, max(0, plies+1-len(inside)))...)
		inside[plies]++
		for ply := range plies {
			s.at(ply).Inside++
		}
		if exit == nil {
			continue
		}
		s.at(plies).Inside++
		s.at(plies).Leave++
		key := exit.Board + exit.Move
		exits[key] = cmp.Or(exits[key], exit)
		exits[key].Games++
	}
	for _, e := range exits {
		s.Exits = append(s.Exits, *e)
	}
	slices.SortFunc(s.Exits, func(a, b Exit) int {
		return cmp.Or(cmp.Compare(b.Games, a.Games), cmp.Compare(a.Ply, b.Ply), cmp.Compare(a.Line, b.Line))
	})
	spread, _ := outline.SpreadOf(slices.All(inside), len(records))
	s.Plies = *spread
	return s, nil
}

// at returns the counts of the ply after some plies.
func (s *Played) at(plies int) *PlyExits {
	for len(s.ByPly) <= plies {
		s.ByPly = append(s.ByPly, PlyExits{Ply: len(s.ByPly) + 1})
	}
	return &s.ByPly[plies]
}

// follow plays a game until it leaves the book, and returns the plies inside. exit is nil if it never
// leaves or begins outside.
func (s *Played) follow(b *Book, r games.Record[oware.Position]) (plies int, exit *Exit) {
	p := r.Start
	entry, inside := b.Lookup(p.BookKey())
	if !inside {
		s.Outside++
		return 0, nil
	}
	for i, m := range r.Moves {
		next := p.Play(m.Move)
		_, over := next.Terminal()
		after, found := b.Lookup(next.BookKey())
		if !found && !over {
			var line []games.Move
			for _, m := range r.Moves[:i] {
				line = append(line, m.Move)
			}
			_, best := entry.Best()
			return i, &Exit{
				Ply:   i + 1,
				Line:  oware.Descriptor().LineNames(r.Start, line),
				Board: p.String(),
				Move:  oware.MoveName(m.Move, p.ToMove()),
				Loss:  best - int(entry.Scores[m.Move]), Best: entry.withMoveNames(p).Best,
			}
		}
		p, entry = next, after
	}
	s.Ended++
	return len(r.Moves), nil
}

// maxExits is the number of exits in a report.
const maxExits = 15

// Doc reports how far the games stay inside.
func (s *Played) Doc() *outline.Doc {
	p, left := s.Plies, s.Games-s.Outside-s.Ended
	d := &outline.Doc{Value: s, Lead: []string{
		fmt.Sprintf("%s: inside the book for %.1f plies on average, median %g, quartiles %g and %g, %g to %g",
			wording.Count(s.Games, "game"), p.Mean, p.Median, p.Q1, p.Q3, p.Min, p.Max),
		fmt.Sprintf("%d leave it; %d end inside; %d begin outside", left, s.Ended, s.Outside),
	}}
	if left == 0 {
		return d
	}
	plies := outline.NewTable("ply", "inside before", "leave", "of all games")
	for _, p := range s.ByPly {
		if len(plies.Rows) > 0 || p.Leave > 0 {
			plies.Add(p.Ply, p.Inside, p.Leave, outline.Percent(p.Leave, s.Games))
			plies.Bars = append(plies.Bars, p.Leave)
		}
	}
	exits := s.Exits[:min(len(s.Exits), maxExits)]
	d.Sections = append(d.Sections,
		outline.Section{Heading: "at which ply games leave", Table: plies},
		outline.Section{
			Heading: fmt.Sprintf("the most frequent exits, %d of %d (--json has all)", len(exits), len(s.Exits)),
			Table: outline.TableOf([]string{"games", "share", "ply", "leaves by", "loses, seeds", "best", "after"}, exits,
				func(e Exit) []any {
					loss := fmt.Sprintf("%.2f", oware.InSeeds(e.Loss))
					best := strings.Join(e.Best, " ")
					after := cmp.Or(e.Line, "the start")
					return []any{e.Games, outline.Percent(e.Games, s.Games), e.Ply, e.Move, loss, best, after}
				}),
		})
	return d
}
