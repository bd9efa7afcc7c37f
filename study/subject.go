package study

import (
	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
	"kroo/games/chess"
	"kroo/games/othello"
	"kroo/games/oware"
	"kroo/games/tictactoe"
)

// Subject is a game as the studies look at it. [Oware], [TicTacToe], [Othello] and
// [Chess] are the subjects there are.
type Subject[P search.Position[P]] struct {
	Game       *games.Game[P]
	Evaluation engine.Evaluation[P] // of every search
	Counts     string               // what it counts, in a phrase
	Orderings  []Ordering[P]        // of moves; the last one is the best there is
	Perft      func(p P, depth int) int64

	// Positions are taken from games whose first OpeningPlies moves are random,
	// one of EveryPlies.
	OpeningPlies, EveryPlies int

	Published Published
}

// Published is what the literature has beside a game's studies; the zero value
// is nothing.
type Published struct {
	// Waiting is how many seconds a first move took, by algorithm and depth, under
	// WaitingRules; Algorithms is a sentence with their source.
	Waiting      map[string]map[int]int
	WaitingRules string
	Algorithms   string
	// Sentences for the notes of the other studies, under Rules, each with its source.
	Rules                     string
	Branching, Orders, Tables string
}

// under is what holds for rules.
func (p Published) under(rules string) Published {
	if rules != p.WaitingRules {
		p.Waiting, p.Algorithms = nil, ""
	}
	if rules != p.Rules {
		p.Branching, p.Orders, p.Tables = "", "", ""
	}
	return p
}

// Oware is the subject of the literature on mancala games. The evaluation counts
// captured seeds alone.
func Oware() Subject[oware.Position] {
	return Subject[oware.Position]{
		Game: oware.Descriptor(), Evaluation: engine.Captures(), Counts: "captured seeds",
		Orderings: owareOrderings, Perft: oware.Position.Perft,
		OpeningPlies: 4, EveryPlies: 3,
		Published: Published{
			Waiting: waiting, WaitingRules: oware.Simple.String(),
			Algorithms: "(s 2008): the seconds that A. Ferrando, A. Bonanno and L. Repetto (Un programma che gioca a Mancala) waited for the first move on a Core 2 Quad of 2.5 GHz.",
			Rules:      oware.Abapa.String(),
			Branching:  "Sala Soler (2014), 669 positions of eight games of strong players: full tree to depth 11 branching 4.584, minimal tree 2.335; combined comes near it and is the fastest of the orderings.",
			Orders:     "Sala Soler (2014), 669 positions: combined comes near the minimal tree and is the fastest of the orderings at depth 13; with the hash table the tree is less than half the minimal one there.",
			Tables:     "Sala Soler (2014), depth 17, 1310 ms a search without a table: scheme 1 is the fastest; scheme 4 has a poor hit rate and still saves much time.",
		},
	}
}

// waiting are the seconds of Published.Waiting.
var waiting = map[string]map[int]int{
	"minimax":    {8: 2, 9: 4, 10: 21, 11: 105, 12: 480, 13: 2640},
	"alpha-beta": {13: 2, 14: 3, 15: 9, 16: 19, 17: 45, 18: 94},
	"negascout":  {13: 1, 14: 2, 15: 6, 16: 12, 17: 29, 18: 63},
}

// TicTacToe is a game small enough to search to its end: nine plies.
func TicTacToe() Subject[tictactoe.Position] {
	level := engine.Evaluation[tictactoe.Position]{
		Evaluator: search.EvaluatorFunc[tictactoe.Position](func(tictactoe.Position) int { return 0 }),
	}
	return Subject[tictactoe.Position]{
		Game: tictactoe.Descriptor(), Evaluation: level, Counts: "the end of the game alone",
		Orderings: anyOrderings[tictactoe.Position](), Perft: games.Perft[tictactoe.Position],
		OpeningPlies: 1, EveryPlies: 1,
	}
}

// Othello is a game of many moves a position. The evaluation counts discs, since
// that serves both boards.
func Othello() Subject[othello.Position] {
	return Subject[othello.Position]{
		Game: othello.Descriptor(), Evaluation: engine.Greedy(), Counts: "discs",
		Orderings: anyOrderings[othello.Position](), Perft: othello.Position.Perft,
		OpeningPlies: 4, EveryPlies: 5,
	}
}

// Chess is chess with the evaluation of LaMoSca as far as it can be reconstructed.
func Chess() Subject[chess.Position] {
	eval, err := engine.Chess().Evaluation(engine.LaMoScaName, "")
	if err != nil {
		panic(err) // it is built in
	}
	return Subject[chess.Position]{
		Game: chess.Descriptor(), Evaluation: eval, Counts: "the values of pieces and squares, as LaMoSca's are reconstructed",
		Orderings: append(anyOrderings[chess.Position](), Ordering[chess.Position]{"captures", byRank(hint)}),
		Perft:     chess.Position.Perft, OpeningPlies: 8, EveryPlies: 3,
	}
}

// hint is the hint of a move of chess: captures of large pieces by small ones first.
func hint(p chess.Position, m games.Move) int {
	var one [1]int32
	return int(p.AppendHints(one[:0], []games.Move{m})[0])
}

// knowledge is what the engine's searchers know.
func (s Subject[P]) knowledge() search.Knowledge[P] {
	return s.Evaluation.Knowledge()
}

// best is the best ordering of moves.
func (s Subject[P]) best() orderer[P] { return s.Orderings[len(s.Orderings)-1].order }
