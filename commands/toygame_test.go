package commands

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/features"
	"kroo/games"
)

// row is three in a row on a line of seven squares: what this test alone knows. The sides
// take turns to put a stone; three stones side by side win.
type row struct{ mine, theirs uint8 }

const rowLength = 7

func three(stones uint8) bool { return stones&(stones>>1)&(stones>>2) != 0 }

func (p row) stones() int { return len(p.AppendMoves(nil)) }

func (p row) AppendMoves(dst []games.Move) []games.Move {
	for m := range games.Move(rowLength) {
		if (p.mine|p.theirs)>>m&1 == 0 {
			dst = append(dst, m)
		}
	}
	return dst
}

func (p row) Play(m games.Move) row { return row{p.theirs, p.mine | 1<<m} }

func (p row) Terminal() (diff int, over bool) {
	if three(p.theirs) {
		return -1, true
	}
	return 0, p.stones() == 0
}

func (p row) Repetition(int) (diff int, over bool) { return 0, false }
func (p row) Progress() int                        { return rowLength - p.stones() }
func (p row) DrawClock() int                       { return 0 }
func (p row) PlyLimit() (plies, diff int)          { return 0, 0 }

func (p row) text() string {
	signs := [2]byte{'a', 'b'}
	if p.Progress()%2 == 1 {
		signs = [2]byte{'b', 'a'}
	}
	board := []byte(strings.Repeat(".", rowLength))
	for i := range board {
		switch {
		case p.mine>>i&1 == 1:
			board[i] = signs[0]
		case p.theirs>>i&1 == 1:
			board[i] = signs[1]
		}
	}
	return string(board)
}

func parseRow(_, text string) (p row, err error) {
	if len(text) != rowLength || strings.Trim(text, "ab.") != "" {
		return p, fmt.Errorf("the board is %.20q: expected %d of a, b and .", text, rowLength)
	}
	for i, c := range text {
		switch c {
		case 'a':
			p.mine |= 1 << i
		case 'b':
			p.theirs |= 1 << i
		}
	}
	if p.Progress()%2 == 1 {
		p = row{p.theirs, p.mine}
	}
	return p, nil
}

func (p row) NoMoves() int  { return 0 }
func (p row) MinCycle() int { return 1 }

func (p row) Key() uint64 {
	return (uint64(p.mine)<<8 | uint64(p.theirs) + 1) * 0x9e3779b97f4a7c15
}

func (p row) AppendHints(dst []int32, moves []games.Move) []int32 {
	return append(dst, make([]int32, len(moves))...)
}

var rowGame = &games.Game[row]{
	Info: games.Info{
		Name: "row", Rules: []string{"seven"}, Sides: [2]string{"First", "Second"}, Unit: "win", UnitsPerWin: 1, MaxMoves: rowLength,
		PhaseName: "stones", MaxPhase: rowLength, BoardText: "seven of a, b and .", MoveText: "a digit", Separator: " ", Draws: "games cut at random",
	},
	Start:      func(string) (row, error) { return row{}, nil },
	Parse:      parseRow,
	Print:      row.text,
	RulesOf:    func(row) string { return "seven" },
	SideToMove: func(p row) int { return p.Progress() % 2 },
	MoveName:   func(_ row, m games.Move) string { return string(rune('p' + m)) },
	ScanMove: func(_ row, text string) (games.Move, int, error) {
		if m := int(text[0]) - 'p'; m >= 0 && m < rowLength {
			return games.Move(m), 1, nil
		}
		return 0, 0, errors.New("no square")
	},
	Diagram:   func(p row) string { return p.text() + "\n" },
	Random:    func(rng *rand.Rand, _ string) (row, error) { return games.RandomPlayout(rng, row{}, rowLength), nil },
	Key:       func(row) (int64, bool) { return 0, false },
	Orbit:     func(p row) int64 { return int64(p.mine)<<8 | int64(p.theirs) },
	Phase:     row.Progress,
	EndReason: func(row) games.Reason { return games.Reason("over") },
}

// rowSets have one set: the stones on each square.
var rowSets = features.Sets[row]{Game: rowGame, DefaultSet: "stones", All: []*features.Set[row]{
	features.NewSet(features.Definition[row]{
		Name: "stones", About: "stones by square", Features: features.Named[row](strings.Split("abcdefg", "")), Text: func() string { return "row 1" },
		Count: func(p row, own, opp []int) {
			for i := range own {
				own[i], opp[i] = int(p.mine>>i&1), int(p.theirs>>i&1)
			}
		},
	}),
}}

// rowPatterns takes the same columns for a set of patterns: the engine plays with the model.
var rowPatterns = features.Patterns[row]{Game: rowGame, DefaultSet: "stones", Parse: func(_, spec string) (features.Columns[row], error) {
	return rowSets.ByName(spec)
}}

// rowEvaluation is even, or that of a weights file.
func rowEvaluation(name, _ string) (e engine.Evaluation[row], err error) {
	e.Name, e.Antisymmetric = "even", true
	e.Evaluator = search.EvaluatorFunc[row](func(row) int { return 0 })
	if name == "" {
		return e, nil
	}
	if strings.HasSuffix(name, ".weights") {
		m, err := rowPatterns.Load(name, "", nil)
		if err != nil {
			return e, err
		}
		e.Evaluator = search.EvaluatorFunc[row](func(p row) int { return int(m.Exact(p) / 10) })
		e.Name, e.Rules, e.File = "weights "+m.Hash(), m.Rules, name
		return e, nil
	}
	w, err := rowSets.Load(name)
	if err != nil {
		return e, err
	}
	e.Evaluator = search.EvaluatorFunc[row](func(p row) int { return int(w.Exact(p) / 10) })
	e.Name, e.Rules, e.File = "weights "+w.Hash(), w.Rules, name
	return e, nil
}

// toyGame in the environment tells the program that a test runs to know the game.
const toyGame = "KROO_TEST_TOY_GAME"

func init() {
	if os.Getenv(toyGame) != "" {
		allGames = append(allGames, GameOf(engine.Kit[row]{Game: rowGame, Sets: rowSets, Patterns: rowPatterns, Evaluation: rowEvaluation, FullWidth: true}))
	}
}

// A game is added by one value in the table: commands sample, label, tabulate, fit, measure,
// match, inspect, analyse and study it, and help names it.
func TestAGameIsAddedByOneLine(t *testing.T) {
	t.Setenv(toyGame, "yes")
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	for _, c := range []struct{ args, want string }{
		{"sample --game row --n 300 -o " + in("p.parquet"), "300 seven positions"},
		{"label " + in("p.parquet") + " --nodes 500 -o " + in("l.parquet"), "train features"},
		{"convert " + in("l.parquet") + " " + in("l.csv"), "300 rows of labels"},
		{"inspect " + in("l.csv"), "300 labels of row under seven rules"},
		{"features " + in("l.parquet") + " -o " + in("f.parquet"), "300 rows of the set stones"},
		{"fit " + in("f.parquet") + " -o " + in("w.json"), "weights of a b c d e f g"},
		{"inspect " + in("w.json"), "set stones"},
		{"evaluate " + in("w.json") + " " + in("l.parquet"), "r_doubled"},
		{"match --game row --a " + in("w.json") + " --pairs 2 --nodes 100 --opening-plies 1 -o " + in("m.ogn"), "against even"},
		{"inspect " + in("m.ogn"), "4 games"},
		{"features --game row --list", "stones by square"},
		{"fit " + in("l.parquet") + " -o " + in("p.weights"), "train match --game row --a " + in("p.weights")},
		{"inspect " + in("p.weights"), "set stones"},
		{"match --game row --a " + in("p.weights") + " --pairs 2 --nodes 100 --opening-plies 1 -o " + in("n.ogn"), "against even"},
		{"analyse " + in("n.ogn") + " --depth 2", "First"},
		{"ogn split " + in("n.ogn") + " " + in("split"), "4 games written"},
		{"weights calibrate " + in("n.ogn"), "4 games under seven rules"},
		{"study orders --game row --depth 2 --positions 5", "5 positions of generated games"},
		{"study orders --game row --depth 2 --positions 5", "minimal tree"},
		{"study algorithms --game row --depth 3", "evaluation by the function even"},
		{"perft --game row --depth 2", "42"},
		{"sample --help", "chess or row"},
	} {
		if out := good(t, dir, strings.Fields(c.args)...); !strings.Contains(out, c.want) {
			t.Errorf("train %s prints %q: want %q", c.args, out, c.want)
		}
	}
}
