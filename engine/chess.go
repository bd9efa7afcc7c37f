package engine

import (
	"fmt"

	"kroo/engine/search"
	values "kroo/features/chess"
	"kroo/games/chess"
)

// LaMoScaName is the name of chess's built-in evaluation.
const LaMoScaName = "lamosca"

// Chess is the kit of chess, under both rule sets. Its built-in evaluation is that of
// LaMoSca as far as it can be reconstructed.
func Chess() Kit[chess.Position] {
	return Kit[chess.Position]{Game: chess.Descriptor(), Evaluation: chessEvaluation}
}

// chessTuning suits the search to values in hundredths of a pawn and to some thirty
// moves a position. In chess few transpositions are found: the path hash sets apart
// positions that were reached over others, and all but captures and moves of pawns are
// reversible. So the table is worth most near the leaves, where depth is too small for
// a repetition.
var chessTuning = search.Tuning{Futility: 150, ReverseFutility: 100, Fallen: 30, TableDepth: 1, RankDepth: 2}

// chessEvaluation is "lamosca", or loads a weights file.
func chessEvaluation(name, _ string) (e Evaluation[chess.Position], err error) {
	e = Evaluation[chess.Position]{Antisymmetric: true, Tuning: chessTuning, InCheck: chess.Position.InCheck}
	if name == "" || name == DefaultName || name == LaMoScaName {
		e.Evaluator, e.Name = values.LaMoSca(), LaMoScaName
		return e, nil
	}
	w, err := values.Sets.Load(name)
	if err != nil {
		return e, fmt.Errorf("%w; the evaluation known by name is %s", err, LaMoScaName)
	}
	fitted, err := values.NewEvaluator(w)
	if err != nil {
		return e, err
	}
	e.Evaluator, e.Name, e.Rules, e.File = fitted, "weights "+w.Hash(), w.Rules, name
	return e, nil
}
