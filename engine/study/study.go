// Package study repeats measurements of the literature, so that its tables can be compared with
// this engine's.
//
// A study of any game takes a [Subject]: [Algorithms] and [Orders]. [Accuracy] is about endgames of
// oware. [LaMoSca] replays the published sessions of a chess program, [Figure3] compares fitted
// weights with a published table. Each returns a [Result], whose document has a table and a
// [report.Chart].
//
// Node counts are reproducible with any number of workers. Times depend on the machine and are only
// comparable with each other; they are processor time where the system measures it, so that other
// work has little effect.
package study

import (
	"cmp"
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
	"kroo/games/chess"
	"kroo/games/othello"
	"kroo/games/oware"
	"kroo/games/tictactoe"
	"kroo/internal/outline"
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
	counts string // what the plain evaluation counts, in a phrase

	// Positions are taken from games whose first openingPlies moves are random, one per everyPlies.
	// 0 means 4 and 3; in a game with few phases 1 and 1.
	openingPlies, everyPlies int

	// orderings of moves are compared in addition to those of any game. The last one is the best.
	orderings []ordering[P]

	// listings returns published searches, studied next to the textbook ones; nil without any.
	listings func(context.Context, search.Evaluator[P]) []searcher[P]

	published literature
}

// Of returns the subject of a game.
func Of[P search.Position[P]](kit engine.Kit[P]) (Subject[P], error) {
	eval, err := kit.Evaluation(kit.Plain, kit.Game.Rules[0])
	d, _ := detailsByGame[kit.Game.Name].(details[P])
	d.counts = cmp.Or(d.counts, "the function "+eval.Name)
	opening, every := 4, 3
	if kit.Game.MaxPhase < 20 {
		opening, every = 1, 1
	}
	d.openingPlies, d.everyPlies = cmp.Or(d.openingPlies, opening), cmp.Or(d.everyPlies, every)
	d.orderings = append([]ordering[P]{{"random", shuffle[P]}, {"naive", nil}}, d.orderings...)
	return Subject[P]{details: d, game: kit.Game, eval: eval}, err
}

// detailsByGame has the additional information for some games, by name.
var detailsByGame = map[string]any{
	"oware":     mancala,
	"tictactoe": details[tictactoe.Position]{counts: "the end of the game alone"},
	"othello":   details[othello.Position]{counts: "discs", everyPlies: 5},
	"chess": details[chess.Position]{
		counts: "the values of pieces and squares, as LaMoSca's are reconstructed", openingPlies: 8,
		orderings: []ordering[chess.Position]{byRank("captures", func(p chess.Position, m games.Move) int {
			var one [1]int32
			return int(p.AppendHints(one[:0], []games.Move{m})[0])
		})},
	},
}

// mancala is oware, the game in the literature on mancala games. Its orderings are those that Sala
// Soler (2014) compares: defensive, houses with one or two seeds first, which are those that can be
// captured soonest; attacking, captures first, the largest before the others; combined, captures,
// then the defensive moves, then the rest.
var mancala = details[oware.Position]{
	counts: "captured seeds", listings: owareListings,
	orderings: []ordering[oware.Position]{
		byRank("defensive", weak),
		byRank("attacking", oware.Position.Gain),
		byRank("combined", func(p oware.Position, m games.Move) int { return 2*p.Gain(m) + weak(p, m) }),
	},
	published: literature{
		waiting: map[string]map[int]int{
			"minimax":        {8: 2, 9: 4, 10: 21, 11: 105, 12: 480, 13: 2640},
			alphaBetaListing: {13: 2, 14: 3, 15: 9, 16: 19, 17: 45, 18: 94},
			negascoutListing: {13: 1, 14: 2, 15: 6, 16: 12, 17: 29, 18: 63},
		},
		waitingRules: oware.SimpleToEnd.String(),
		algorithms: "(s published): the seconds that A. Ferrando, A. Bonanno and L. Repetto (Un programma che " +
			"gioca a Mancala) waited for the first move on a Core 2 Quad of 2.5 GHz; (million/s): positions " +
			"visited here by seconds there. As printed: their listings, in their order of moves, F to A and f to " +
			"a, which count seeds at the end of a game too.",
		ordersRules: oware.Abapa.String(),
		orders: "Sala Soler (2014), 669 positions of eight games of strong players: branching at depth 11 of " +
			"the full tree 4.584, of the minimal tree 2.335; combined comes near it and is the fastest of the " +
			"orderings at depth 13; with the hash table the tree is less than half the minimal one there.",
	},
}

// weak is 1 for a house with one or two seeds.
func weak(p oware.Position, m games.Move) int {
	if n := p.House(int(m)); n == 1 || n == 2 {
		return 1
	}
	return 0
}

// literature has the published figures for a game's studies; the zero value is empty.
type literature struct {
	// waiting is the published seconds for a first move, by algorithm and depth, under waitingRules;
	// algorithms is a sentence with their source.
	waiting      map[string]map[int]int
	waitingRules string
	algorithms   string
	// orders is a sentence for the notes of [Orders] under ordersRules, with its source.
	orders, ordersRules string
}

// under returns the part valid for rules.
func (p literature) under(rules string) literature {
	if rules != p.waitingRules {
		p.waiting, p.algorithms = nil, ""
	}
	if rules != p.ordersRules {
		p.orders = ""
	}
	return p
}

// ordering is a move ordering, which depends on the position alone; nil keeps the game's order.
type ordering[P any] struct {
	name  string
	order func(p P, moves []games.Move)
}

// byRank tries moves in descending order of rank, keeping the game's order within a rank.
func byRank[P any](name string, rank func(P, games.Move) int) ordering[P] {
	return ordering[P]{name, func(p P, moves []games.Move) {
		slices.SortStableFunc(moves, func(a, b games.Move) int { return rank(p, b) - rank(p, a) })
	}}
}

// shuffle is a random order, the same for the same position.
func shuffle[P search.Position[P]](p P, moves []games.Move) {
	random := rand.New(rand.NewPCG(p.Key(), 0))
	random.Shuffle(len(moves), func(i, j int) { moves[i], moves[j] = moves[j], moves[i] })
}

// cost is the cost of searches. Fields that a search does not count are 0.
type cost struct {
	score   int // of the last search
	nodes   int64
	leaves  int64 // positions evaluated, and ends of games
	seconds float64
}

// visitFunc searches a position to a depth.
type visitFunc[P any] func(p P, depth int) cost

// searcher is a search to be measured. fresh makes one that has searched nothing yet.
type searcher[P any] struct {
	name  string
	fresh func() visitFunc[P]
}

// timeSearch runs a fresh search and measures its time, where the system measures it per thread as
// processor time, so that other work on the machine has little effect; elsewhere as wall-clock time.
func (s searcher[P]) timeSearch(p P, depth int) cost {
	visit := s.fresh()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	begin := threadTime()
	c := visit(p, depth)
	c.seconds = (threadTime() - begin).Seconds()
	return c
}

// processStart is the origin of wall-clock times.
var processStart = time.Now()

// plain makes a searcher of a search without memory.
func plain[P any](name string, f visitFunc[P]) searcher[P] {
	return searcher[P]{name, func() visitFunc[P] { return f }}
}

// full counts the leaves of the tree of all moves.
func (s Subject[P]) full() searcher[P] {
	return plain("full tree", func(p P, depth int) cost {
		if s.game.Perft != nil {
			return cost{leaves: s.game.Perft(p, depth)}
		}
		return cost{leaves: games.Perft(p, depth)}
	})
}

// textbook is a textbook search with the subject's evaluation.
func (s Subject[P]) textbook(ctx context.Context, name string, t search.Textbook[P]) searcher[P] {
	t.Eval = s.eval.Evaluator
	return searcher[P]{name, func() visitFunc[P] {
		own := t
		own.Clear()
		return func(p P, depth int) (c cost) {
			c.score, _ = own.Search(ctx, p, nil, depth)
			c.nodes, c.leaves = own.Nodes, own.Leaves
			return c
		}
	}}
}

// engine is the engine's search with options.
func (s Subject[P]) engine(ctx context.Context, name string, o search.Options) searcher[P] {
	return searcher[P]{name, func() visitFunc[P] {
		own := search.NewSearcher(s.eval.Knowledge(), o)
		return func(p P, depth int) cost {
			r := own.Search(ctx, p, nil, search.Limits{Depth: depth}, search.Query{})
			return cost{score: r.Score, nodes: r.Nodes}
		}
	}}
}

// Result is the result of a study: its document has a table, a chart, and notes on how to read them.
type Result interface{ Doc() *outline.Doc }

// docOf returns the document of a result. Notes explain the table and cite the published figures.
func docOf(result Result, t *outline.Table, c report.Chart, notes ...string) *outline.Doc {
	notes = slices.DeleteFunc(notes, func(s string) bool { return s == "" })
	return &outline.Doc{Title: c.Title, Value: result, Sections: []outline.Section{{Text: notes, Table: t,
		Figures: []outline.Drawing{c}}}}
}
