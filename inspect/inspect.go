package inspect

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"kroo/book"
	"kroo/datasets"
	"kroo/dropout"
	"kroo/endgame"
	"kroo/games/chess"
	"kroo/games/othello"
	"kroo/games/oware"
	"kroo/games/tictactoe"
	"kroo/internal/journal"
	"kroo/internal/plural"
	"kroo/internal/sheet"
	"kroo/internal/vfs"
	"kroo/report"
	"kroo/run"
)

// Sheet is what a file of Kroo's holds: a description for people and a
// value that marshals to JSON for scripts.
type Sheet struct {
	Text  string
	Value any
}

// File tells what kind of file it is by its content and sums it up:
// datasets, weights, books, game records, endgame tables, journals, and whatever else a
// run folder holds.
func File(ctx context.Context, path string) (Sheet, error) {
	head, err := headOf(path)
	if err != nil {
		return Sheet{}, err
	}
	switch kindOf(path, head) {
	case KindDataset:
		return inspectDataset(ctx, path)
	case KindEmpty:
		return Sheet{}, fmt.Errorf("%s: the file is empty", path)
	case KindWeights:
		return inspectWeights(path)
	case KindManifest:
		return told(path, run.DescribeManifest)
	case KindGames:
		return inspectGames(path)
	case KindBook:
		return told(path, book.Describe)
	case KindTable:
		return told(path, endgame.Describe)
	case KindJournal:
		return told(path, journal.Describe)
	case KindLeaves:
		return told(path, dropout.DescribeLeaves)
	case KindConfig:
		return told(path, run.DescribeConfig)
	case KindRecord:
		return told(path, datasets.DescribeManifest)
	case KindPage:
		return told(path, report.DescribePage)
	case KindPicture:
		return told(path, report.DescribePicture)
	}
	return Sheet{}, fmt.Errorf("%s: not a file of Kroo's: expected a dataset (.parquet, .arrow, .csv, .arff), weights or a manifest (.json), a book (.bin), games (.ogn), an endgame table (.endgame) or a journal", path)
}

// told is a file as the package that knows it describes it.
func told(path string, describe func(path string) (*sheet.Sheet, error)) (Sheet, error) {
	s, err := describe(path)
	if err != nil {
		return Sheet{}, err
	}
	return Sheet{Value: s.Value, Text: s.Text(path)}, nil
}

func headOf(path string) ([]byte, error) {
	f, err := vfs.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, 4096))
}

// columns writes rows of cells in aligned columns.
func columns(write func(w io.Writer)) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	write(w)
	w.Flush()
	return b.String()
}

// inspectDataset describes a dataset of any game.
func inspectDataset(ctx context.Context, path string) (Sheet, error) {
	m, err := datasets.ReadManifest(path)
	if err != nil {
		return Sheet{}, err
	}
	var s *DatasetSheet
	switch m.Meta.Game {
	case oware.Descriptor().Name:
		s, err = Dataset(ctx, oware.Descriptor(), path, DatasetOptions[oware.Position]{})
	case othello.Descriptor().Name:
		s, err = Dataset(ctx, othello.Descriptor(), path, DatasetOptions[othello.Position]{})
	case tictactoe.Descriptor().Name:
		s, err = Dataset(ctx, tictactoe.Descriptor(), path, DatasetOptions[tictactoe.Position]{})
	case chess.Descriptor().Name:
		s, err = Dataset(ctx, chess.Descriptor(), path, DatasetOptions[chess.Position]{})
	default:
		err = fmt.Errorf("%s: unknown game %q", path, m.Meta.Game)
	}
	if err != nil {
		return Sheet{}, err
	}
	return Sheet{Value: s, Text: s.Text()}, nil
}

// IsDataset tells whether the content or the name of a file is that of a
// dataset.
func IsDataset(path string) (bool, error) {
	head, err := headOf(path)
	return isDataset(path, head), err
}

func isDataset(path string, head []byte) bool {
	text := strings.ReplaceAll(strings.TrimPrefix(string(head), "\ufeff"), `"`, "")
	return bytes.HasPrefix(head, []byte("PAR1")) || bytes.HasPrefix(head, []byte("ARROW1")) || strings.HasPrefix(text, "key,board,phase,") ||
		slices.Contains([]string{".parquet", ".arrow", ".arff"}, strings.ToLower(filepath.Ext(path)))
}

func inspectWeights(path string) (Sheet, error) {
	w, err := LoadWeights(path)
	if err != nil {
		return Sheet{}, err
	}
	i := w.Info()
	if w.Thesis != nil {
		return Sheet{Value: w.Thesis, Text: i.Text()}, nil
	}
	return Sheet{Value: i, Text: i.Text()}, nil
}

// GamesSheet is what inspecting game records shows.
type GamesSheet struct {
	Games   int            `json:"games"`
	Results map[string]int `json:"results"`
	Plies   int            `json:"plies"` // of all games
	Players []string       `json:"players"`
	// NoResult counts the games that end without a result token: they may be cut.
	NoResult int `json:"no_result"`
}

func inspectGames(path string) (Sheet, error) {
	f, err := vfs.Open(path)
	if err != nil {
		return Sheet{}, err
	}
	defer f.Close()
	games, err := oware.Descriptor().ParseRecords(f, path)
	if err != nil {
		return Sheet{}, err
	}
	s := GamesSheet{Games: len(games), Results: map[string]int{}}
	players := map[string]int{}
	for _, g := range games {
		s.Results[g.Result]++
		s.Plies += len(g.Moves)
		if g.NoResult {
			s.NoResult++
		}
		for _, side := range oware.Descriptor().Sides {
			if name := g.Tag(side); name != "" {
				players[name]++
			}
		}
	}
	s.Players = sortedKeys(players)
	return Sheet{Value: s, Text: columns(func(w io.Writer) {
		fmt.Fprintf(w, "%s: %s, %.1f plies each\n", path, plural.Of(s.Games, "game"), float64(s.Plies)/float64(max(s.Games, 1)))
		for _, r := range sortedKeys(s.Results) {
			fmt.Fprintf(w, "%s\t%d\n", r, s.Results[r])
		}
		if s.NoResult > 0 {
			fmt.Fprintf(w, "without a result\t%d\t(they may be cut)\n", s.NoResult)
		}
		for _, name := range s.Players {
			fmt.Fprintf(w, "%s\t%s\n", name, plural.Of(players[name], "game"))
		}
	})}, nil
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
