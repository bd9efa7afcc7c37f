package engine

import (
	"kroo/engine/search"
	values "kroo/features/chess"
	"kroo/games/chess"
)

// laMoScaName is the name of chess's built-in evaluation.
const laMoScaName = "lamosca"

// Chess is the kit of chess, under both rule sets. Its built-in evaluation is that of
// LaMoSca as far as it can be reconstructed.
func Chess() Kit[chess.Position] {
	return Kit[chess.Position]{
		Game: chess.Descriptor(), Sets: values.Sets,
		Names: chessEvaluations.names, Plain: laMoScaName, Evaluation: chessEvaluation,
	}
}

// chessTuning suits the search to values in hundredths of a pawn and to some thirty
// moves a position. In chess few transpositions are found: the path hash sets apart
// positions that were reached over others, and all but captures and moves of pawns are
// reversible. So the table is worth most near the leaves, where depth is too small for
// a repetition.
var chessTuning = search.Tuning{Futility: 150, ReverseFutility: 100, Fallen: 30, TableDepth: 1, RankDepth: 2}

var chessEvaluations = evaluations[chess.Position]{
	names: []string{laMoScaName},
	own: func(string, string) (Evaluation[chess.Position], error) {
		return Evaluation[chess.Position]{Evaluator: values.LaMoSca(), Name: laMoScaName, Antisymmetric: true}, nil
	},
	load: ofSets(values.Sets, values.NewEvaluator),
}

// chessEvaluation is "lamosca", or loads a weights file.
func chessEvaluation(name, rules string) (Evaluation[chess.Position], error) {
	e, err := chessEvaluations.find(name, rules)
	e.Tuning, e.InCheck = chessTuning, chess.Position.InCheck
	return e, err
}
