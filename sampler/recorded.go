package sampler

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"kroo/datasets"
	"kroo/engine/search"
	"kroo/games"
	"kroo/internal/vfs"
)

// readNotes describe what a sample leaves out of the positions that it reads.
type readNotes struct {
	BadGames int64    `json:"bad_games"` // unreadable games of the file, left out
	FirstBad []string `json:"first_bad"`
	Repeated int64    `json:"repeated"` // positions that repeat an earlier one or its mirror image, left out
}

// fromFile yields the positions of a file: of recorded games (.ogn), or of boards ([datasets.Boards]).
func fromFile[P search.Position[P]](
	ctx context.Context, g *games.Game[P], cfg Config, notes *readNotes,
) stream[P] {
	if games.IsRecords(cfg.From) {
		return fromGames(ctx, g, cfg, notes)
	}
	return func(yield func(datasets.Row[P], error) bool) {
		for b, err := range datasets.Boards(ctx, g, cfg.From, cfg.Rules) {
			if err == nil {
				err = checkPlayable(b)
			}
			if !yield(datasets.Row[P]{Position: b.Position}, err) || err != nil {
				return
			}
		}
	}
}

// checkPlayable refuses a board on which the game is over.
func checkPlayable[P search.Position[P]](b datasets.Board[P]) error {
	if _, over := b.Position.Terminal(); over {
		return fmt.Errorf("%s: the game is over: expected a position with a move", b.Place)
	}
	return nil
}

// fromGames yields the positions of a file of recorded games.
func fromGames[P search.Position[P]](
	ctx context.Context, g *games.Game[P], cfg Config, notes *readNotes,
) stream[P] {
	return func(yield func(datasets.Row[P], error) bool) {
		f, err := vfs.Open(cfg.From)
		if err != nil {
			yield(datasets.Row[P]{}, err)
			return
		}
		defer f.Close()
		fromRecords(ctx, g, cfg, f, notes)(yield)
	}
}

// fromRecords yields the positions of recorded games, except final ones.
func fromRecords[P search.Position[P]](
	ctx context.Context, g *games.Game[P], cfg Config, r io.Reader, notes *readNotes,
) stream[P] {
	return func(yield func(datasets.Row[P], error) bool) {
		records, err := parseRecords(g, cfg, r, notes)
		if err != nil {
			yield(datasets.Row[P]{}, err)
			return
		}
		for i, rec := range records {
			line, err := replay(g, cfg, i+1, rec)
			if ctx.Err() != nil {
				err = context.Cause(ctx)
			}
			if err != nil {
				yield(datasets.Row[P]{}, err)
				return
			}
			outcome := outcomeOf(line, rec.Result)
			for ply, p := range positionsOf(line) {
				if isCandidate(g, cfg, p) && !yield(gameRow(g, p, i+1, ply, outcome), nil) {
					return
				}
			}
		}
	}
}

// parseRecords reads recorded games, and notes those that cannot be read, which strictness refuses.
func parseRecords[P search.Position[P]](
	g *games.Game[P], cfg Config, r io.Reader, notes *readNotes,
) ([]games.Record[P], error) {
	notes.BadGames = 0
	notes.FirstBad = nil
	records, err := g.ParseGood(r, cfg.From, func(err error) {
		notes.BadGames++
		if notes.BadGames <= maxReported {
			notes.FirstBad = append(notes.FirstBad, err.Error())
		}
	})
	if err != nil {
		return nil, err
	}
	if cfg.Strict && notes.BadGames > 0 {
		return nil, errors.New(notes.FirstBad[0])
	}
	return records, nil
}

// replay plays the game of a number, which must be under the configuration's rules.
func replay[P search.Position[P]](g *games.Game[P], cfg Config, number int, rec games.Record[P]) (*games.Line[P], error) {
	if rules := g.RulesOf(rec.Start); rules != cfg.Rules {
		return nil, fmt.Errorf("%s: game %d is under the rules %s: expected %s", cfg.From, number, rules, cfg.Rules)
	}
	line, err := g.Replay(rec)
	if err != nil {
		return nil, fmt.Errorf("%s: game %d: %w", cfg.From, number, err)
	}
	return line, nil
}

// positionsOf yields the positions of a game by ply, the last one included.
func positionsOf[P search.Position[P]](line *games.Line[P]) iter.Seq2[int, P] {
	return slices.All(append(line.History(), line.Position()))
}

// isCandidate reports whether a sample may take a position of a game: not if the game is over, nor below
// the minimum phase.
func isCandidate[P search.Position[P]](g *games.Game[P], cfg Config, p P) bool {
	_, over := p.Terminal()
	return !over && g.Phase(p) >= *cfg.MinPhase
}

// gameRow returns the row of a position of a game, which ended with an outcome for the side that moved first.
func gameRow[P search.Position[P]](g *games.Game[P], p P, game, ply int, ended datasets.Outcome) datasets.Row[P] {
	return datasets.Row[P]{Position: p, Game: int32(game), Ply: int32(ply), Outcome: ended.For(g.SideToMove(p))}
}

// maxReported limits the number of unreadable games that are reported.
const maxReported = 5
