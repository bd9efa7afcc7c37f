package sampler

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"kroo/datasets"
	"kroo/engine/search"
	"kroo/games"
	"kroo/internal/vfs"
)

// read is what a sample leaves out, and notes, of the positions that it reads.
type read struct {
	BadGames int64    `json:"bad_games"` // unreadable games of the file, left out
	FirstBad []string `json:"first_bad"`
	Repeated int64    `json:"repeated"` // positions that repeat an earlier one or its mirror image, left out
}

// fromFile yields the positions of a file: of recorded games (.ogn), of the column "board" of a
// table ([datasets.IsTable]), or of boards, one per line.
func fromFile[P search.Position[P]](ctx context.Context, g *games.Game[P], cfg Config) stream[P] {
	return func(yield func(datasets.Row[P], error) bool) {
		board := func(place, text string) error {
			p, err := playable(g, cfg.Rules, text)
			if err == nil && !yield(datasets.Row[P]{Position: p}, nil) {
				return errEnough
			}
			return err
		}
		var err error
		if datasets.IsTable(cfg.From) {
			err = datasets.Boards(ctx, g, cfg.From, "", cfg.Rules, board)
		} else {
			err = fromText(g, cfg, board, yield)
		}
		if err != nil && !errors.Is(err, errEnough) {
			yield(datasets.Row[P]{}, err)
		}
	}
}

func fromText[P search.Position[P]](g *games.Game[P], cfg Config, board func(place, text string) error, yield func(datasets.Row[P], error) bool) error {
	f, err := vfs.Open(cfg.From)
	if err != nil {
		return err
	}
	defer f.Close()
	if games.IsRecords(cfg.From) {
		return fromRecords(g, cfg, f, yield)
	}
	return eachBoard(f, cfg.From, board)
}

// maxReported limits the number of unreadable games that are reported.
const maxReported = 5

// fromRecords yields the positions of recorded games, except final ones.
func fromRecords[P search.Position[P]](g *games.Game[P], cfg Config, r io.Reader, yield func(datasets.Row[P], error) bool) error {
	cfg.read.BadGames, cfg.read.FirstBad = 0, nil
	records, err := g.ParseGood(r, cfg.From, func(err error) {
		if cfg.read.BadGames++; cfg.read.BadGames <= maxReported {
			cfg.read.FirstBad = append(cfg.read.FirstBad, err.Error())
		}
	})
	if err != nil {
		return err
	}
	if cfg.Strict && cfg.read.BadGames > 0 {
		return errors.New(cfg.read.FirstBad[0])
	}
	for i, rec := range records {
		if rules := g.RulesOf(rec.Start); rules != cfg.Rules {
			return fmt.Errorf("%s: game %d is under the rules %s: expected %s", cfg.From, i+1, rules, cfg.Rules)
		}
		line, err := g.Replay(rec)
		if err != nil {
			return fmt.Errorf("%s: game %d: %w", cfg.From, i+1, err)
		}
		ended := outcomeOf(line, rec.Result)
		for ply, p := range append(line.History(), line.Position()) {
			if _, over := p.Terminal(); !over && g.Phase(p) >= *cfg.MinPhase {
				if !yield(datasets.Row[P]{Position: p, Game: int32(i + 1), Ply: int32(ply), Outcome: ended.For(g.SideToMove(p))}, nil) {
					return errEnough
				}
			}
		}
	}
	return nil
}

// eachBoard passes on the lines of a text, except empty ones and those starting with #.
func eachBoard(r io.Reader, name string, board func(place, text string) error) error {
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff"))
		if text == "" || text[0] == '#' {
			continue
		}
		place := fmt.Sprintf("%s:%d", name, n)
		if err := board(place, text); err != nil {
			return fmt.Errorf("%s: %w", place, err)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: not a list of boards: %w", name, err)
	}
	return nil
}

// playable parses a board on which the game is not over.
func playable[P search.Position[P]](g *games.Game[P], rules, text string) (P, error) {
	p, err := g.Parse(rules, text)
	if err != nil {
		return p, datasets.BadBoard{Err: err}
	}
	if _, over := p.Terminal(); over {
		return p, fmt.Errorf("the game is over on %.80q: expected a position with a move", text)
	}
	return p, nil
}
