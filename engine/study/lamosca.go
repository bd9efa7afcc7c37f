package study

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"kroo/engine/search"
	"kroo/games/chess"
	"kroo/internal/outline"
	"kroo/internal/parallel"
	"kroo/report"
)

// LaMoScaResult is LaMoSca v0.06's analysis of its first move, as its source prints it in two
// sessions. Values are in hundredths of a pawn, for White.
type LaMoScaResult struct {
	Evaluation string       `json:"evaluation"`
	Replies    []MoveValue  `json:"replies"`  // Black's replies to the first move, at level 2
	First      string       `json:"first"`    // that move
	Sessions   []ChessMoves `json:"sessions"` // at levels 2 and 4
	Line       ValuedLine   `json:"line"`     // level 4's refutation of a move that level 2 prefers
}

// ChessMoves are the first moves of a session.
type ChessMoves struct {
	Level  int         `json:"level"` // plies: LaMoSca's sd
	Moves  []MoveValue `json:"moves"`
	Choice string      `json:"choice"` // first of the best moves
	Leaves int64       `json:"leaves"` // positions evaluated
}

// MoveValue is a move with its value.
type MoveValue struct {
	Move  string `json:"move"`
	Value int    `json:"value"`
	Reply string `json:"reply,omitempty"` // first of the best replies
	// Published is the value that the source prints; nil if it prints none, or one that depends on
	// values it leaves open.
	Published *int `json:"published,omitempty"`
}

// ValuedLine is a line of play with the value of its end.
type ValuedLine struct {
	Moves     string `json:"moves"`
	Value     int    `json:"value"`
	Published int    `json:"published"`
}

// The published values. Level 2 is printed in full; of level 4 these are all that the reconstruction
// determines.
var (
	publishedReplies = map[string]int{
		"b8a6": -4, "b8c6": -9, "g8f6": -9, "g8h6": -4, "a7a6": 0, "a7a5": -1, "b7b6": -1, "b7b5": -3, "c7c6": -2, "c7c5": -5,
		"d7d6": -7, "d7d5": -11, "e7e6": -7, "e7e5": -11, "f7f6": -2, "f7f5": -5, "g7g6": -1, "g7g5": -3, "h7h6": 0, "h7h5": -1,
	}
	publishedMoves = map[int]map[string]int{
		2: {
			"a2a3": -11, "a2a4": -10, "b2b3": -10, "b2b4": -8, "c2c3": -9, "c2c4": -6, "d2d3": -4, "d2d4": 0, "e2e3": -4, "e2e4": 0,
			"f2f3": -9, "f2f4": -6, "g2g3": -10, "g2g4": -8, "h2h3": -11, "h2h4": -10, "b1a3": -7, "b1c3": -2, "g1f3": -2, "g1h3": -7,
		},
		4: {"d2d4": -6, "b1c3": -2},
	}
	publishedLine = ValuedLine{Moves: "d2d4 b8c6 b1c3 c6d4", Published: -101}
)

// LaMoSca replays the two sessions: minimax to 2 and to 4 plies from the start, evaluating only
// leaves and choosing the first of the best moves. eval is LaMoSca's evaluation, or another one,
// described by name.
func LaMoSca(
	ctx context.Context, eval search.Evaluator[chess.Position], name string, progress parallel.Progress,
) (*LaMoScaResult, error) {
	r := &LaMoScaResult{Evaluation: name}
	start := chess.Start(chess.LaMoSca)
	moves := start.AppendMoves(nil)
	m := search.Textbook[chess.Position]{Eval: eval}
	first := start.Play(moves[0])
	r.First = chess.MoveName(moves[0])
	for _, reply := range first.AppendMoves(nil) {
		r.Replies = append(r.Replies, comparePrinted(chess.MoveName(reply), eval.Evaluate(first.Play(reply)), publishedReplies))
	}
	for _, level := range []int{2, 4} {
		s := ChessMoves{Level: level}
		for i, move := range moves {
			progress.At(int64(i), int64(len(moves)))
			value, reply := m.Search(ctx, start.Play(move), nil, level-1)
			s.Leaves += m.Leaves
			v := comparePrinted(chess.MoveName(move), -value, publishedMoves[level])
			v.Reply = chess.MoveName(reply)
			s.Moves = append(s.Moves, v)
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		progress.At(int64(len(moves)), int64(len(moves)))
		best := s.Moves[0]
		for _, v := range s.Moves {
			if v.Value > best.Value { // the first of equals is kept
				best = v
			}
		}
		s.Choice = best.Move
		r.Sessions = append(r.Sessions, s)
	}
	l := chess.Descriptor().NewLine(start)
	if err := l.PlayText(publishedLine.Moves); err != nil {
		return nil, err
	}
	r.Line = publishedLine
	r.Line.Value = eval.Evaluate(l.Position())
	return r, nil
}

// comparePrinted returns a move with its value, and the one that the source prints.
func comparePrinted(move string, value int, printed map[string]int) MoveValue {
	v := MoveValue{Move: move, Value: value}
	if p, there := printed[move]; there {
		v.Published = &p
	}
	return v
}

// Doc has a line per move of each session.
func (r *LaMoScaResult) Doc() *outline.Doc {
	t := outline.NewTable("level", "line", "value", "published")
	chart := report.Chart{
		Name: "study-lamosca", Title: "LaMoSca's first moves", Line: "value for White, moves in the order of the search",
		X: "move, from a2a3 to g1h3", Y: "hundredths of a pawn",
	}
	line := func(level int, moves string, v MoveValue) {
		was := "-"
		if v.Published != nil {
			was = strconv.Itoa(*v.Published)
		}
		t.Add(level, moves, v.Value, was)
	}
	for _, v := range r.Replies {
		line(2, r.First+" "+v.Move, v)
	}
	var leaves []string
	for _, s := range r.Sessions {
		for i, v := range s.Moves {
			line(s.Level, v.Move+" ("+v.Reply+")", v)
			chart.Add(fmt.Sprintf("level %d", s.Level), float64(i+1), float64(v.Value))
		}
		t.Add(s.Level, "move "+s.Choice, "", map[int]string{2: "d2d4", 4: "b1c3"}[s.Level])
		leaves = append(leaves, fmt.Sprint(s.Leaves))
	}
	t.Add(4, r.Line.Moves, r.Line.Value, r.Line.Published)
	return docOf(r, t, chart,
		"Values for White in hundredths of a pawn, by the evaluation "+r.Evaluation+
			"; in brackets the reply that refutes the move.",
		"Level is LaMoSca's sd: minimax to a depth in plies, only leaves evaluated ("+strings.Join(leaves, " and ")+
			" here), the first of the best moves kept.",
		"LaMoSca's evaluation is reconstructed, not published: its sessions determine the worth of 4 squares of a "+
			"knight and 13 of a pawn. A dash: the source prints no value, or one that depends on squares it leaves open.")
}
