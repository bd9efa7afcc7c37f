package engine

import (
	"kroo/engine/search"
	values "kroo/features/chess"
	"kroo/games/chess"
)

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
