package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"kroo/book"
	"kroo/endgame"
	"kroo/engine/search"
	"kroo/features"
	chessfeatures "kroo/features/chess"
	othellofeatures "kroo/features/othello"
	owarefeatures "kroo/features/oware"
	tictactoefeatures "kroo/features/tictactoe"
	"kroo/games/chess"
	"kroo/games/othello"
	"kroo/games/oware"
	"kroo/games/tictactoe"
	"kroo/internal/wording"
)

// Oware returns the kit of oware.
func Oware() Kit[oware.Position] {
	return Kit[oware.Position]{
		Game:       oware.Descriptor(),
		Sets:       owarefeatures.Sets,
		Names:      owareEvaluations.names,
		Plain:      CapturesName,
		Evaluation: owareEvaluations.find,
		Calibration: func(rules string) *features.Calibration {
			e, err := owarefeatures.Default(rules)
			if e == nil || err != nil { // only a broken build, which cannot play either, has an error
				return nil
			}
			return e.Header().Calibration
		},
		Tables: func(path, rules string) (Tables[oware.Position], error) {
			t, err := OpenTable(path, rules)
			if t == nil {
				return nil, err
			}
			return t, err
		},
		Book:  openBook,
		Books: book.Names(),
	}
}

// OpenTable opens an endgame table: a file, or the one for the rules in a folder; "" means the
// built-in one. It returns nil if there is none for the rules.
func OpenTable(path, rules string) (*endgame.Table, error) {
	if path == NoTables {
		return nil, nil
	}
	r, err := oware.ParseRules(rules)
	if err != nil || path == "" && !endgame.Serves(r) {
		return nil, err
	}
	t, err := endgame.Find(path, r)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w: %sexpected a file, a folder or %s", err, wording.Suggest(path, []string{NoTables}), NoTables)
	}
	return t, err
}

// TableFile resolves the path of oware's endgame tables: the path itself if a file, or the file for
// the rules in a folder.
func TableFile(path, rules string) string {
	r, err := oware.ParseRules(rules)
	if err != nil {
		return path
	}
	return endgame.File(path, r)
}

// OwareBook is a book file to play from.
type OwareBook struct{ *book.Book }

// Moves implements [Book].
func (b OwareBook) Moves(p oware.Position) (list []BookMove) {
	e, found := b.Lookup(p.BookKey())
	if !found {
		return nil
	}
	for m, s := range e.Scores {
		if s != book.Illegal {
			list = append(list, BookMove{oware.Move(m), int(s)})
		}
	}
	return list
}

// Rules implements [Book].
func (b OwareBook) Rules() string { return b.Header().Get(book.FieldRules) }

// openBook opens a sound book for the rules, "" for any.
func openBook(path, rules string) (Book[oware.Position], error) {
	b, r, err := book.FindFor(path, rules)
	if err != nil {
		return nil, err
	}
	if err := b.CheckSound(context.Background(), r); err != nil {
		return nil, err
	}
	return OwareBook{b}, nil
}

// CapturesName is the name of the evaluation of oware by captured seeds alone.
const CapturesName = "captures"

// Captures evaluates oware by the difference of captured seeds alone.
func Captures() Evaluation[oware.Position] {
	return Evaluation[oware.Position]{
		Evaluator:     owarefeatures.Captures{},
		LastPly:       owarefeatures.Captures{},
		Name:          CapturesName,
		Known:         CapturesName,
		Antisymmetric: true,
	}
}

var owareEvaluations = evaluations[oware.Position]{
	names: owarefeatures.Names(),
	own:   owareByName,
	load: func(path string) (Evaluation[oware.Position], error) {
		w, err := owarefeatures.Find(path, "")
		if err != nil {
			return Evaluation[oware.Position]{}, err
		}
		return ofWeights(w)
	},
}

// owareByName makes the evaluation of a name of [owarefeatures.Names]; captured seeds alone have a faster
// evaluator of their own.
func owareByName(name, rules string) (e Evaluation[oware.Position], err error) {
	w, err := owarefeatures.Find(name, rules)
	if err != nil {
		return e, err
	}
	if w.Model != nil && w.Model.Provenance.Name == CapturesName {
		return Captures(), nil
	}
	e, err = ofWeights(w)
	if err != nil {
		return e, err
	}
	e.Antisymmetric = w.Tables == nil
	if !e.Antisymmetric { // a champion
		e.Name = DefaultName + " " + w.Tables.Hash()
	}
	return e, nil
}

// ofWeights returns the evaluation of weights of any kind.
func ofWeights(w *owarefeatures.Opened) (e Evaluation[oware.Position], err error) {
	if w.Tables != nil {
		e = patternSets(w.Tables)
	} else {
		m, err := w.Function()
		if err != nil {
			return e, err
		}
		e, err = ofModel(m)
		if err != nil {
			return e, err
		}
	}
	switch e.Rules { // positions are worth nearly the same
	case oware.Abapa.String():
		e.Also = oware.Arena.String()
	case oware.Arena.String():
		e.Also = oware.Abapa.String()
	}
	return e, nil
}

// fittedTuning suits the search to fitted weights: see docs/experiments.md for the matches, and for
// the tuning that found most values.
var fittedTuning = search.Tuning{
	ReverseFutility: 70, TableDepth: 3, RankDepth: 3, ReduceBelow: 140, UnseenDepth: 4,
	Late: 107, LateDepth: 28, LateFifth: 126, LateBelow: 136,
}

// patternSets returns the evaluation of compiled pattern weights.
func patternSets(e features.Tables[oware.Position]) Evaluation[oware.Position] {
	return Evaluation[oware.Position]{
		Evaluator:   e,
		Name:        "weights " + e.Hash(),
		Rules:       e.Header().Rules,
		Calibration: e.Header().Calibration,
		Tuning:      fittedTuning,
	}
}

// ofModel returns the evaluation of a model. A named model, such as a published one, keeps its name.
func ofModel(m *owarefeatures.Model) (Evaluation[oware.Position], error) {
	if m.Named != nil {
		return fittedBy(m), nil
	}
	c, err := owarefeatures.Compile(m)
	if err != nil {
		return Evaluation[oware.Position]{}, err
	}
	e := patternSets(c)
	if m.Provenance.Name != "" {
		e.Name = m.Provenance.Name + " " + c.Hash()
	}
	return e, nil
}

// fittedBy returns the evaluation of a model of a thesis set.
func fittedBy(m *owarefeatures.Model) Evaluation[oware.Position] {
	e := evaluationOf(m, owarefeatures.NewCounts(m))
	e.Tuning = fittedTuning
	return e
}

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
	large := othello.Large.String()
	return kitOf(othello.Descriptor(), othellofeatures.Sets, othellofeatures.NewSquares,
		Evaluation[othello.Position]{Evaluator: othellofeatures.NewDynamic(), Name: dynamicName, Rules: large},
		Evaluation[othello.Position]{Evaluator: othellofeatures.Figure3Squares(), Name: figure3Name, Rules: large},
		Evaluation[othello.Position]{Evaluator: othellofeatures.Discs{}, Name: greedyName})
}

// chessTuning suits the search to values in hundredths of a pawn and about thirty moves per
// position. Few transpositions are found in chess: the path hash separates positions reached through
// different ones, and everything but captures and pawn moves is reversible. So the table pays most
// near the leaves, where the depth is too small for a repetition.
var chessTuning = search.Tuning{Futility: 150, ReverseFutility: 100, Fallen: 30, TableDepth: 1, RankDepth: 2}

// Chess returns the kit of chess. Its built-in evaluation is LaMoSca's, as far as reconstructed.
func Chess() Kit[chess.Position] {
	return kitOf(chess.Descriptor(), chessfeatures.Sets, chessfeatures.NewEvaluator,
		Evaluation[chess.Position]{
			Evaluator: chessfeatures.LaMoSca(),
			Name:      "lamosca",
			Tuning:    chessTuning,
			InCheck:   chess.Position.InCheck,
		})
}

// TicTacToe returns the kit of tic-tac-toe. Without weights every position is even: the search
// reaches the end of the game.
func TicTacToe() Kit[tictactoe.Position] {
	k := NewKit(tictactoe.Descriptor(), tictactoefeatures.Sets)
	k.FullWidth = true
	return k
}
