package datasets

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"strings"

	"kroo/games"
	"kroo/internal/vfs"
)

// Board is a board of a file.
type Board[P games.Position[P]] struct {
	Position P
	Place    string // such as boards.txt:3
}

// Boards yields the boards of a file that any program may have written: of the column "board" of a
// table ([isTable]), or of a list of one board per line, where # begins a comment. A list may be
// called .csv, too. A table that names other rules is refused. An error names the place and ends the
// sequence.
func Boards[P games.Position[P]](
	ctx context.Context, g *games.Game[P], path, rules string,
) iter.Seq2[Board[P], error] {
	return func(yield func(Board[P], error) bool) {
		isList, err := isBoardList(g, path, rules)
		if err != nil {
			yield(Board[P]{}, err)
			return
		}
		texts := listedBoards(path)
		if !isList {
			texts = tableBoards(ctx, g, path, rules)
		}
		for text, err := range texts {
			b := Board[P]{Place: text.place}
			if err == nil {
				b.Position, err = g.Parse(rules, text.board)
				if err != nil {
					err = fmt.Errorf("%s: %w", text.place, BadBoard{Err: err})
				}
			}
			if !yield(b, err) || err != nil {
				return
			}
		}
	}
}

// boardText is a board of a file, not parsed.
type boardText struct {
	place string
	board string
}

// isBoardList reports whether a file is a list of boards: by its name or, if that is .csv, because it
// begins with a board instead of the names of columns.
func isBoardList[P games.Position[P]](g *games.Game[P], path, rules string) (bool, error) {
	if !isTable(path) {
		return true, nil
	}
	if !strings.EqualFold(filepath.Ext(path), ".csv") {
		return false, nil
	}
	begin, err := vfs.ReadStart(path, headSize)
	if err != nil {
		return false, err
	}
	for text, err := range boardLines(bytes.NewReader(begin), path) {
		if err != nil {
			return false, nil // no board has so long a line
		}
		_, err = g.Parse(rules, text.board)
		return err == nil, nil
	}
	return false, nil
}

// listedBoards yields the boards of a list.
func listedBoards(path string) iter.Seq2[boardText, error] {
	return func(yield func(boardText, error) bool) {
		f, err := vfs.Open(path)
		if err != nil {
			yield(boardText{}, err)
			return
		}
		defer f.Close()
		boardLines(f, path)(yield)
	}
}

// boardLines yields the lines of a list without comments, except empty ones.
func boardLines(r io.Reader, name string) iter.Seq2[boardText, error] {
	return func(yield func(boardText, error) bool) {
		lines := bufio.NewScanner(r)
		number := 1
		for ; lines.Scan(); number++ {
			board, _, _ := strings.Cut(strings.TrimPrefix(lines.Text(), "\ufeff"), "#")
			board = strings.TrimSpace(board)
			if board != "" && !yield(boardText{fmt.Sprintf("%s:%d", name, number), board}, nil) {
				return
			}
		}
		err := lines.Err()
		if errors.Is(err, bufio.ErrTooLong) {
			err = errors.New("the line is too long for a board: expected a list of one board per line")
		}
		if err != nil {
			yield(boardText{}, fmt.Errorf("%s:%d: %w", name, number, err))
		}
	}
}

// tableBoards yields the column of boards of a table.
func tableBoards[P games.Position[P]](
	ctx context.Context, g *games.Game[P], path, rules string,
) iter.Seq2[boardText, error] {
	return func(yield func(boardText, error) bool) {
		f, err := openImport(ctx, g, path, ImportOptions{Rules: rules}, true)
		if err != nil {
			yield(boardText{}, err)
			return
		}
		for row, err := range f.cells(ctx) {
			if err != nil {
				yield(boardText{}, err)
				return
			}
			text := boardText{place: path + row.Place}
			err = f.complete(row.Cells)
			if err != nil {
				yield(text, fmt.Errorf("%s: %w", text.place, err))
				return
			}
			text.board = row.Cells[0]
			if !yield(text, nil) {
				return
			}
		}
	}
}
