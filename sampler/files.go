package sampler

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"kroo/engine/search"
	"kroo/games"
	"kroo/internal/vfs"
)

// fromFile are the positions of a file: of the games of records (.ogn), the rows
// of a table (.csv), or boards, one a line (any other name).
func fromFile[P search.Position[P]](g *games.Game[P], cfg Config) stream[P] {
	return func(yield func(drawn[P], error) bool) {
		f, err := vfs.Open(cfg.From)
		if err == nil {
			defer f.Close()
			switch strings.ToLower(filepath.Ext(cfg.From)) {
			case ".ogn":
				err = fromRecords(g, cfg, f, yield)
			case ".csv":
				err = fromTable(g, cfg, f, yield)
			default:
				err = fromBoards(g, cfg, f, yield)
			}
		}
		if err != nil && !errors.Is(err, errEnough) {
			var none drawn[P]
			yield(none, err)
		}
	}
}

// fromRecords yields the positions of games in which the game is not over.
func fromRecords[P search.Position[P]](g *games.Game[P], cfg Config, r io.Reader, yield func(drawn[P], error) bool) error {
	records, err := g.ParseRecords(r, cfg.From)
	if err != nil {
		return err
	}
	for i, rec := range records {
		if rules := g.RulesOf(rec.Start); rules != cfg.Rules {
			return fmt.Errorf("%s: game %d is under the rules %s: expected %s", cfg.From, i+1, rules, cfg.Rules)
		}
		p := rec.Start
		for ply := 0; ; ply++ {
			if _, over := p.Terminal(); !over && g.Phase(p) >= cfg.MinPhase {
				if !yield(drawn[P]{position: p, game: int32(i + 1), ply: int32(ply)}, nil) {
					return errEnough
				}
			}
			if ply == len(rec.Moves) {
				break
			}
			p = p.Play(rec.Moves[ply].Move)
		}
	}
	return nil
}

// fromBoards yields the boards of a text, one a line. Empty lines and those that
// begin with # say nothing.
func fromBoards[P search.Position[P]](g *games.Game[P], cfg Config, r io.Reader, yield func(drawn[P], error) bool) error {
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		p, err := playable(g, cfg.Rules, text)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", cfg.From, n, err)
		}
		if !yield(drawn[P]{position: p}, nil) {
			return errEnough
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: not a list of boards: %w", cfg.From, err)
	}
	return nil
}

// playable reads a board on which the game is not over.
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

// The columns of a table of boards. One of the others may be there: what the
// position is worth to the side to move, in units or in points.
const (
	boardColumn = "board"
	scoreColumn = "score"
	labelColumn = "label"
)

// tableColumns finds the columns by the first line of a table; -1 is none.
func tableColumns(file string, head []string) (board, score, label int, err error) {
	for i, name := range head {
		head[i] = strings.ToLower(strings.TrimSpace(name))
	}
	board, score, label = slices.Index(head, boardColumn), slices.Index(head, scoreColumn), slices.Index(head, labelColumn)
	if board < 0 || score >= 0 && label >= 0 {
		err = fmt.Errorf("%s:1: the columns are %.80q: expected %s, and %s or %s or neither", file, head, boardColumn, scoreColumn, labelColumn)
	}
	return board, score, label, err
}

// openTable reads the names of the columns, behind a byte order mark if a spreadsheet
// has written one.
func openTable(r io.Reader) (*csv.Reader, []string, error) {
	text := bufio.NewReader(r)
	if mark, _ := text.Peek(3); string(mark) == "\ufeff" {
		text.Discard(3)
	}
	in := csv.NewReader(text)
	head, err := in.Read()
	in.ReuseRecord = true
	return in, head, err
}

// fromTable yields the boards of a table with their labels, if it has some.
func fromTable[P search.Position[P]](g *games.Game[P], cfg Config, r io.Reader, yield func(drawn[P], error) bool) error {
	in, head, err := openTable(r)
	if err != nil {
		return fmt.Errorf("%s: %w", cfg.From, err)
	}
	board, score, label, err := tableColumns(cfg.From, head)
	if err != nil {
		return err
	}
	for {
		row, err := in.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", cfg.From, err)
		}
		line, _ := in.FieldPos(0)
		var d drawn[P]
		if d.position, err = playable(g, cfg.Rules, strings.TrimSpace(row[board])); err == nil && max(score, label) >= 0 {
			d.label, err = labelText(g.Info, row[max(score, label)], score >= 0)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", cfg.From, line, err)
		}
		if !yield(d, nil) {
			return errEnough
		}
	}
}

// labelText reads points, or units that it turns into points, within ±1000.
func labelText(info games.Info, text string, units bool) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || !(v >= -1e6 && v <= 1e6) {
		return 0, fmt.Errorf("the value is %.40q: expected a number", text)
	}
	if units {
		v *= info.PointsPerUnit()
	}
	return max(-games.MaxPoints, min(v, games.MaxPoints)), nil
}

// hasLabels tells whether the file is a table with labels.
func (c Config) hasLabels() (bool, error) {
	if c.Method != file || strings.ToLower(filepath.Ext(c.From)) != ".csv" {
		return false, nil
	}
	f, err := vfs.Open(c.From)
	if err != nil {
		return false, err
	}
	defer f.Close()
	_, head, err := openTable(f)
	if err != nil {
		return false, fmt.Errorf("%s: %w", c.From, err)
	}
	_, score, label, err := tableColumns(c.From, head)
	return score >= 0 || label >= 0, err
}
