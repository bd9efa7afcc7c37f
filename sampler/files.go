package sampler

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"

	"kroo/book"
	"kroo/datasets"
	"kroo/engine/search"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/vfs"
)

// fromFile yields the positions of a file: of recorded games (.ogn), of a table
// ([datasets.IsTable]), or of boards, one per line.
func fromFile[P search.Position[P]](ctx context.Context, g *games.Game[P], cfg Config) stream[P] {
	return func(yield func(datasets.Row[P], error) bool) {
		var err error
		if datasets.IsTable(cfg.From) {
			err = fromTable(ctx, g, cfg, yield)
		} else {
			err = fromText(g, cfg, yield)
		}
		if err != nil && !errors.Is(err, errEnough) {
			var none datasets.Row[P]
			yield(none, err)
		}
	}
}

// reading is what reading a file finds apart from positions.
type reading struct {
	datasets.Rejected
	labelled bool  // the file is a table with labels
	Gathered int64 // games whose last move notes the seeds that its side collects
	Repeated int64 // positions that occurred before
}

func fromText[P search.Position[P]](g *games.Game[P], cfg Config, yield func(datasets.Row[P], error) bool) error {
	f, err := vfs.Open(cfg.From)
	if err != nil {
		return err
	}
	defer f.Close()
	if games.IsRecords(cfg.From) {
		return fromRecords(g, cfg, f, yield)
	}
	return fromBoards(g, cfg, f, yield)
}

// maxReported limits the number of unreadable games that are reported.
const maxReported = 5

// fromRecords yields the positions of recorded games, except final ones.
func fromRecords[P search.Position[P]](g *games.Game[P], cfg Config, r io.Reader, yield func(datasets.Row[P], error) bool) error {
	var bad datasets.Rejected
	records, err := g.ParseGood(r, cfg.From, func(err error) {
		if bad.Rows++; bad.Rows <= maxReported {
			bad.First = append(bad.First, err.Error())
		}
	})
	if err != nil {
		return err
	}
	if cfg.Strict && bad.Rows > 0 {
		return errors.New(bad.First[0])
	}
	cfg.read.Rejected, cfg.read.Gathered = bad, 0
	for _, rec := range records {
		if rec.Gathered {
			cfg.read.Gathered++
		}
	}
	for i, rec := range records {
		if rules := g.RulesOf(rec.Start); rules != cfg.Rules {
			return fmt.Errorf("%s: game %d is under the rules %s: expected %s", cfg.From, i+1, rules, cfg.Rules)
		}
		line, err := g.Replay(rec)
		if err != nil {
			return fmt.Errorf("%s: game %d: %w", cfg.From, i+1, err)
		}
		ended := endOf(line, rec.Result)
		for ply, p := range append(line.History(), line.Position()) {
			if _, over := p.Terminal(); !over && g.Phase(p) >= *cfg.MinPhase {
				if !yield(datasets.Row[P]{Position: p, Game: int32(i + 1), Ply: int32(ply), Outcome: ended.at(g.SideToMove(p))}, nil) {
					return errEnough
				}
			}
		}
	}
	return nil
}

// fromBoards yields boards, one per line. Empty lines and lines starting with # are skipped.
func fromBoards[P search.Position[P]](g *games.Game[P], cfg Config, r io.Reader, yield func(datasets.Row[P], error) bool) error {
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff"))
		if text == "" || text[0] == '#' {
			continue
		}
		p, err := playable(g, cfg.Rules, text)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", cfg.From, n, err)
		}
		if !yield(datasets.Row[P]{Position: p}, nil) {
			return errEnough
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: not a list of boards: %w", cfg.From, err)
	}
	return nil
}

// playable parses a board on which the game is not over.
func playable[P search.Position[P]](g *games.Game[P], rules, text string) (P, error) {
	p, err := g.Parse(rules, text)
	if err != nil {
		return p, err
	}
	if _, over := p.Terminal(); over {
		return p, fmt.Errorf("the game is over on %.80q: expected a position with a move", text)
	}
	return p, nil
}

// fromTable yields the boards of a table, with their labels if it has any.
func fromTable[P search.Position[P]](ctx context.Context, g *games.Game[P], cfg Config, yield func(datasets.Row[P], error) bool) error {
	t, err := datasets.OpenForeign(ctx, g, cfg.From, datasets.Foreign{
		Rules: cfg.Rules, Scores: cfg.Scores,
		Plain: true, Playing: true, // refuse rows without a position in play
	})
	if err != nil {
		return err
	}
	for r, err := range t.Scan(ctx) {
		if err != nil {
			return err
		}
		if !yield(datasets.Row[P]{Position: r.Position, Game: r.Game, Ply: r.Ply, Label: r.Label, Score: r.Score}, nil) {
			break
		}
	}
	cfg.read.labelled, cfg.read.Rejected = t.Labelled(), t.Rejected
	return nil
}

// bookNodes yields the positions of an opening book and those one move later, in an order given by
// the seed. With the children of expanded nodes, these are all nodes of the book's expansion.
func bookNodes[P search.Position[P]](g *games.Game[P], cfg Config) stream[P] {
	return func(yield func(datasets.Row[P], error) bool) {
		var none datasets.Row[P]
		keys, err := bookKeys(g.Info, cfg)
		if err != nil {
			yield(none, err)
			return
		}
		rng := rand.New(rand.NewPCG(cfg.Seed, bookStream))
		rng.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
		var legal []games.Move
		for _, key := range keys {
			p, err := g.FromKey(cfg.Rules, key)
			if err != nil {
				yield(none, fmt.Errorf("%s: %w", cfg.From, err))
				return
			}
			legal = p.AppendMoves(legal[:0])
			if len(legal) > 0 && !yield(datasets.Row[P]{Position: p}, nil) {
				return
			}
			for _, m := range legal {
				if _, over := p.Play(m).Terminal(); !over && !yield(datasets.Row[P]{Position: p.Play(m)}, nil) {
					return
				}
			}
		}
	}
}

// bookKeys returns a book's keys for the rules.
func bookKeys(info games.Info, cfg Config) ([]int64, error) {
	if info.Name != owareName {
		return nil, fmt.Errorf("books are oware's: expected another method for %s", info.Name)
	}
	rules, err := oware.ParseRules(cfg.Rules)
	if err != nil {
		return nil, err
	}
	b, err := book.FindFor(cfg.From, rules)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	keys := make([]int64, b.Len())
	for i := range keys {
		keys[i] = b.At(i).Key
	}
	return keys, b.Err()
}
