package study

import (
	"cmp"
	"slices"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
	"kroo/games/chess"
	"kroo/games/othello"
	"kroo/games/oware"
	"kroo/games/tictactoe"
	"kroo/internal/doc"
	"kroo/report"
)

// Subject is a game to study, searched with its plain evaluation ([engine.Kit]).
type Subject[P search.Position[P]] struct {
	details[P]
	game *games.Game[P]
	eval engine.Evaluation[P]

	recorded []P // positions of recorded games; nil for generated ones
}

// details is a game's information for studies. The zero value is valid.
type details[P search.Position[P]] struct {
	Counts string // what the plain evaluation counts, in a phrase

	// Positions are taken from games whose first OpeningPlies moves are random, one per EveryPlies.
	// 0 means 4 and 3; in a game with few phases 1 and 1.
	OpeningPlies, EveryPlies int

	// Orderings of moves are compared in addition to those of any game. The last one is the best.
	Orderings []ordering[P]

	// Listings are published searches, studied next to the textbook ones.
	Listings []listing[P]

	Published literature
}

// Of returns the subject of a game.
func Of[P search.Position[P]](kit engine.Kit[P]) (Subject[P], error) {
	eval, err := kit.Evaluation(kit.Plain, kit.Game.Rules[0])
	a, _ := detailsByGame[kit.Game.Name].(details[P])
	a.Counts = cmp.Or(a.Counts, "the function "+eval.Name)
	opening, every := 4, 3
	if kit.Game.MaxPhase < 20 {
		opening, every = 1, 1
	}
	a.OpeningPlies, a.EveryPlies = cmp.Or(a.OpeningPlies, opening), cmp.Or(a.EveryPlies, every)
	a.Orderings = append(anyOrderings[P](), a.Orderings...)
	return Subject[P]{details: a, game: kit.Game, eval: eval}, err
}

// detailsByGame has the additional information for some games, by name.
var detailsByGame = map[string]any{
	"oware":     mancala,
	"tictactoe": details[tictactoe.Position]{Counts: "the end of the game alone"},
	"othello":   details[othello.Position]{Counts: "discs", EveryPlies: 5},
	"chess": details[chess.Position]{
		Counts: "the values of pieces and squares, as LaMoSca's are reconstructed", OpeningPlies: 8,
		Orderings: []ordering[chess.Position]{byHints[chess.Position]("captures")},
	},
}

// literature has the published figures for a game's studies; the zero value is empty.
type literature struct {
	// Waiting is the published seconds for a first move, by algorithm and depth, under WaitingRules;
	// Algorithms is a sentence with their source.
	Waiting      map[string]map[int]int
	WaitingRules string
	Algorithms   string
	// Orders is a sentence for the notes of [Orders] under OrdersRules, with its source.
	Orders, OrdersRules string
}

// under returns the part valid for rules.
func (p literature) under(rules string) literature {
	if rules != p.WaitingRules {
		p.Waiting, p.Algorithms = nil, ""
	}
	if rules != p.OrdersRules {
		p.Orders = ""
	}
	return p
}

// mancala is oware, the game in the literature on mancala games.
var mancala = details[oware.Position]{
	Counts: "captured seeds", Orderings: owareOrderings, Listings: owareListings,
	Published: literature{
		Waiting: map[string]map[int]int{
			"minimax":        {8: 2, 9: 4, 10: 21, 11: 105, 12: 480, 13: 2640},
			alphaBetaListing: {13: 2, 14: 3, 15: 9, 16: 19, 17: 45, 18: 94},
			negascoutListing: {13: 1, 14: 2, 15: 6, 16: 12, 17: 29, 18: 63},
		},
		WaitingRules: oware.SimpleToEnd.String(),
		Algorithms:   "(s published): the seconds that A. Ferrando, A. Bonanno and L. Repetto (Un programma che gioca a Mancala) waited for the first move on a Core 2 Quad of 2.5 GHz; (million/s): positions visited here by seconds there. As printed: their listings, in their order of moves, F to A and f to a, which count seeds at the end of a game too.",
		OrdersRules:  oware.Abapa.String(),
		Orders:       "Sala Soler (2014), 669 positions of eight games of strong players: branching at depth 11 of the full tree 4.584, of the minimal tree 2.335; combined comes near it and is the fastest of the orderings at depth 13; with the hash table the tree is less than half the minimal one there.",
	},
}

// best returns the best ordering of moves.
func (s Subject[P]) best() ordering[P] { return s.Orderings[len(s.Orderings)-1] }

// Result is the result of a study: its document has a table, a chart, and notes on how to read them.
type Result interface{ Doc() *doc.Doc }

// docOf returns the document of a result. Notes explain the table and cite the published figures.
func docOf(result Result, t *doc.Table, c report.Chart, notes ...string) *doc.Doc {
	notes = slices.DeleteFunc(notes, func(s string) bool { return s == "" })
	return &doc.Doc{Title: c.Title, Value: result, Sections: []doc.Section{{Text: notes, Table: t, Figures: []doc.Drawing{c}}}}
}
