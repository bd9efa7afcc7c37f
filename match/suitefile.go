package match

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"kroo/engine/search"
	"kroo/games"
	"kroo/internal/atomicfile"
	"kroo/internal/vfs"
)

// writeSuite writes openings to a file as OGN, atomically: each is a game without a result, with the
// given tags (its source) and its score as the comment of its last move.
func writeSuite[P search.Position[P]](path string, g *games.Game[P], suite []scoredOpening[P], made string, provenance ...games.Tag) error {
	return atomicfile.WriteFile(path, func(w io.Writer) error {
		for i, o := range suite {
			l, err := o.line(g)
			if err != nil {
				return fmt.Errorf("opening %d: %w", i+1, err)
			}
			tags := append([]games.Tag{{Name: "Round", Value: fmt.Sprint(i + 1)}}, provenance...)
			tags = append(tags, games.Tag{Name: games.TagTermination, Value: "unterminated"}) // as in PGN
			rec := l.Record(tags...)
			if i == 0 {
				rec = rec.MadeBy(made)
			}
			rec.Result = games.Unknown
			score := fmt.Sprintf("score %+d", o.Score)
			if last := len(rec.Moves) - 1; last >= 0 {
				rec.Moves[last].Comment = score
			} else {
				rec.Comment = score
			}
			if err := g.WriteRecord(w, rec); err != nil {
				return fmt.Errorf("opening %d: %w", i+1, err)
			}
		}
		return nil
	})
}

// readOpenings reads the openings of a file: game records if its name ends in .ogn, or else a list
// of positions (see [parsePositions]). Of openings that lead to the same position it keeps the
// first.
//
// It returns an error with the file and the line or record if an opening ends the game or is for
// other rules, or if the file contains no opening.
func readOpenings[P search.Position[P]](path string, g *games.Game[P], rules string) ([]Opening[P], error) {
	f, err := vfs.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if !games.IsRecords(path) {
		return parsePositions(f, path, g, rules)
	}
	records, err := g.ParseRecords(f, path)
	if err != nil {
		return nil, err
	}
	list := openingList[P]{game: g, seen: map[P]bool{}}
	for i, rec := range records {
		if found := g.RulesOf(rec.Start); found != rules {
			return nil, fmt.Errorf("%s: record %d is under %s rules: expected %s", path, i+1, found, rules)
		}
		o := Opening[P]{Start: rec.Start}
		for _, m := range rec.Moves {
			o.Moves = append(o.Moves, m.Move)
		}
		if err := list.add(o); err != nil {
			return nil, fmt.Errorf("%s: record %d: %w", path, i+1, err)
		}
	}
	return list.all(path)
}

// parsePositions reads openings without moves: one board per line, in the format of
// [games.Game.Parse]. It ignores text from # to the end of the line, blanks and empty lines. Errors
// include file and line; otherwise see [readOpenings].
func parsePositions[P search.Position[P]](r io.Reader, file string, g *games.Game[P], rules string) ([]Opening[P], error) {
	list := openingList[P]{game: g, seen: map[P]bool{}}
	lines := bufio.NewScanner(r)
	number := 1
	for ; lines.Scan(); number++ {
		board, _, _ := strings.Cut(strings.TrimPrefix(lines.Text(), "\ufeff"), "#")
		if board = strings.TrimSpace(board); board == "" {
			continue
		}
		p, err := g.Parse(rules, board)
		if err == nil {
			err = list.add(Opening[P]{Start: p})
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, number, err)
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("%s:%d: the line is too long for a board", file, number)
	case err != nil:
		return nil, fmt.Errorf("%s:%d: %w", file, number, err)
	}
	return list.all(file)
}

// openingList collects openings that lead to different positions.
type openingList[P search.Position[P]] struct {
	game     *games.Game[P]
	openings []Opening[P]
	seen     map[P]bool
}

func (l *openingList[P]) add(o Opening[P]) error {
	g, err := o.line(l.game)
	if err != nil {
		return err
	}
	if _, reason, over := g.Over(); over {
		return fmt.Errorf("the opening ends the game (%s): expected a position to play on from", reason)
	}
	if !l.seen[g.Position()] {
		l.seen[g.Position()] = true
		l.openings = append(l.openings, o)
	}
	return nil
}

func (l *openingList[P]) all(file string) ([]Opening[P], error) {
	if len(l.openings) == 0 {
		return nil, fmt.Errorf("%s: it has no openings", file)
	}
	return l.openings, nil
}
