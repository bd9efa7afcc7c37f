package engine

import (
	"kroo/engine/search"
	values "kroo/features/chess"
	squares "kroo/features/othello"
	lines "kroo/features/tictactoe"
	"kroo/games/chess"
	"kroo/games/othello"
	"kroo/games/tictactoe"
)

// Names of Othello's built-in evaluations.
const (
	greedyName  = "greedy"  // the difference of discs
	figure3Name = "figure3" // the published weights of squares, for 8x8
	dynamicName = "dynamic" // figure3 that turns to counting discs near the end
)

// Othello returns the kit of Othello. Searched to the depth N at full width, greedy and figure3 are
// the source's players of level N: at level 1 the first of the moves that turn most discs, or weigh
// most, in a scan of the board from its last square to its first. Unlike the source's, they search
// to the end of the game: they take a win even if another move turns more.
func Othello() Kit[othello.Position] {
	return Kit[othello.Position]{
		Game: othello.Descriptor(), Sets: squares.Sets,
		Names: othelloEvaluations.names, Plain: greedyName, Evaluation: othelloEvaluation,
	}
}

// greedy evaluates Othello by the difference of discs, on both boards.
func greedy() Evaluation[othello.Position] {
	return Evaluation[othello.Position]{Evaluator: squares.Discs{}, Name: greedyName, Known: greedyName, Antisymmetric: true}
}

// othelloEvaluation finds a built-in evaluation, or loads a weights file. The default of the small
// board is greedy.
func othelloEvaluation(name, rules string) (e Evaluation[othello.Position], err error) {
	r, err := othello.ParseRules(rules)
	if err != nil {
		return e, err
	}
	if r == othello.Small && (name == "" || name == DefaultName) {
		name = greedyName
	}
	return othelloEvaluations.find(name, rules)
}

var othelloEvaluations = evaluations[othello.Position]{
	names: []string{dynamicName, figure3Name, greedyName},
	own: func(name, _ string) (Evaluation[othello.Position], error) {
		e := Evaluation[othello.Position]{Evaluator: squares.Figure3Squares(), Name: name, Rules: othello.Large.String(), Antisymmetric: true}
		switch name {
		case greedyName:
			return greedy(), nil
		case dynamicName:
			e.Evaluator = squares.NewDynamic()
		}
		return e, nil
	},
	load: ofSets(squares.Sets, squares.NewSquares),
}

// laMoScaName is the name of chess's built-in evaluation.
const laMoScaName = "lamosca"

// Chess returns the kit of chess, under both rule sets. Its built-in evaluation is that of LaMoSca
// as far as it can be reconstructed.
func Chess() Kit[chess.Position] {
	return Kit[chess.Position]{
		Game: chess.Descriptor(), Sets: values.Sets,
		Names: chessEvaluations.names, Plain: laMoScaName, Evaluation: chessEvaluation,
	}
}

// chessTuning suits the search to values in hundredths of a pawn and about thirty moves per
// position. Few transpositions are found in chess: the path hash separates positions reached through
// different ones, and everything but captures and pawn moves is reversible. So the table pays most
// near the leaves, where the depth is too small for a repetition.
var chessTuning = search.Tuning{Futility: 150, ReverseFutility: 100, Fallen: 30, TableDepth: 1, RankDepth: 2}

var chessEvaluations = evaluations[chess.Position]{
	names: []string{laMoScaName},
	own: func(string, string) (Evaluation[chess.Position], error) {
		return Evaluation[chess.Position]{Evaluator: values.LaMoSca(), Name: laMoScaName, Antisymmetric: true}, nil
	},
	load: ofSets(values.Sets, values.NewEvaluator),
}

// chessEvaluation returns "lamosca", or loads a weights file.
func chessEvaluation(name, rules string) (Evaluation[chess.Position], error) {
	e, err := chessEvaluations.find(name, rules)
	e.Tuning, e.InCheck = chessTuning, chess.Position.InCheck
	return e, err
}

// TicTacToe returns the kit of tic-tac-toe. Without weights every position is even: the search
// reaches the end of the game.
func TicTacToe() Kit[tictactoe.Position] {
	k := NewKit(tictactoe.Descriptor(), lines.Sets)
	k.FullWidth = true
	return k
}
