package dropout

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"kroo/book"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/farm"
	"kroo/games/oware"
	"kroo/internal/atomicfile"
	"kroo/internal/outline"
	"kroo/internal/parallel"
	"kroo/internal/revision"
	"kroo/internal/spec"
)

// BookConfig is the settings of a book to grow.
type BookConfig struct {
	Expansions int     `name:"expansions" default:"200" range:"0.." help:"end with this number of positions in the book, including those in the log"`
	Sides      string  `name:"sides" flag:"side" default:"both" choices:"south north both" help:"whose book: south, north or both"`
	Omega      float64 `name:"omega" default:"8" range:"0..1000000" help:"plies that one seed of loss counts as: 0 expands in full breadth, a large value best-first"`
	Width      int     `name:"width" default:"8" range:"1..4096" help:"leaves searched at a time; the book depends on this, not on --workers"`
	engine.Config
}

// Stop limits an expansion in addition to [BookConfig].Expansions: it ends when the first limit is
// reached. Zero fields mean no limit. It also ends when the root is solved or nothing is left to
// expand.
type Stop struct {
	Searches int           `name:"searches" range:"1.." help:"end after this number of searches, including those in the log"`
	Time     spec.Duration `name:"time" help:"end after this time, such as 3h"` // of this run; the graph then depends on the machine
}

// Request describes the book to grow.
type Request struct {
	BookConfig
	Stop    Stop
	Root    oware.Position
	Cover   []oware.Position // expanded before all other leaves, in this order: see [Cover]
	By      engine.Spec      // searcher; BookConfig replaces its Search
	Workers int              // 0 means one per processor
	Log     string           // file of the finished searches, to resume from
	Made    string           // command for the book's header; "" omits it
	Partial bool             // also write the book of an interrupted job
	Farm    farm.Network     // of the workers; nil means this machine
}

// Check returns an error for settings out of range. Those of the searches are checked when the
// engine is made.
func (req Request) Check() error {
	settings := req.BookConfig
	settings.Config = engine.Config{HashMB: 1}
	if err := errors.Join(spec.Check(&settings), spec.Check(&req.Stop)); err != nil {
		return err
	}
	if req.Expansions == 0 && req.Stop == (Stop{}) {
		return errors.New("nothing ends the expansion: set expansions, searches or a time")
	}
	return nil
}

// Summary is the summary of a new book.
type Summary struct {
	Entries    int                 `json:"entries"`
	Nodes      int                 `json:"nodes"`    // positions, expanded and decided ones included
	Searched   int                 `json:"searched"` // positions that were searched
	Visited    int64               `json:"visited"`  // positions visited by the searches
	MaxDepth   int                 `json:"max_depth"`
	Cycles     int                 `json:"cycles"`      // moves kept out because they would close a cycle
	RootScores [oware.Houses]int16 `json:"root_scores"` // points, by house; -32768 for an illegal move
	Best       string              `json:"best"`        // move at the root
	BestPoints int                 `json:"best_points"`
	Ended      Reason              `json:"ended"`
}

// Doc describes the book at a path, grown as requested.
func (s Summary) Doc(out string, req Request) *outline.Doc {
	return &outline.Doc{
		Value: s, Title: fmt.Sprintf("%s in %s; ended: %s", entriesText(s.Entries), out, s.Ended),
		Facts: outline.Facts(
			"at the root", book.ScoresText(s.RootScores, req.Root.ToMove()),
			"searched", fmt.Sprintf("%d positions to ply %d, %s visited", s.Searched, s.MaxDepth, visitedText(s.Visited)),
			"each search", req.Config.String(), "left out", fmt.Sprintf("%d moves that close a cycle", s.Cycles),
			"to resume, keep", req.Log),
	}
}

func entriesText(n int) string {
	if n == 1 {
		return "1 entry"
	}
	return fmt.Sprintf("%d entries", n)
}

// visitedText formats a number of positions that searches visited, in millions if it is large.
func visitedText(n int64) string {
	if n < 1e6 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d million", n/1e6)
}

// Grow expands a book and writes it to out. An interrupted job keeps its log and resumes from it
// when called again, possibly with another [Stop]. Progress counts the entries of the book.
func Grow(ctx context.Context, req Request, out string, progress parallel.Progress) (sum Summary, err error) {
	rules := req.Root.Rules()
	if err := errors.Join(atomicfile.Check(out), req.Check(), book.CheckRules(rules)); err != nil {
		return sum, err
	}
	if _, over := req.Root.Terminal(); over {
		return sum, errors.New("the game is over at the root")
	}
	e, err := engine.Open(ctx, engine.Oware(), req.searcher(), rules.String())
	if err != nil {
		return sum, err
	}
	defer e.Close()
	from, err := sourceOf(e, req.Farm, req.Workers, req.Stop.Searches, req.Log)
	if err != nil {
		return sum, err
	}
	g, reason, err := expand(ctx, req, from, progress)
	if g == nil {
		return sum, err
	}
	defer func() { err = errors.Join(err, g.release()) }()
	if err != nil && !req.Partial {
		return sum, err
	}
	sum = g.summary(reason)
	if sum.Entries == 0 {
		return sum, cmp.Or(err, g.withoutEntries(reason))
	}
	fields := append(req.fields(from),
		book.Field{Name: book.FieldWeights, Value: e.Eval.Name},
		book.Field{Name: "Searched", Value: strconv.Itoa(sum.Searched)},
		book.Field{Name: "Tool", Value: revision.Get()})
	if req.Made != "" {
		fields = append(fields, book.Field{Name: book.FieldMade, Value: req.Made})
	}
	return sum, errors.Join(err, book.Write(out, book.Header{Fields: fields}, g.entries()))
}

// searcher returns the searcher with the settings of its searches.
func (req Request) searcher() engine.Spec {
	by := req.By
	by.Search = req.Config
	return by
}

// withoutEntries is the error for an expansion that ended before it expanded the root.
func (g *graph) withoutEntries(reason Reason) error {
	if reason != rootSolved {
		return fmt.Errorf("no book is written: the expansion ended (%s) before it expanded the root: expected a "+
			"higher limit", reason)
	}
	return fmt.Errorf("no book is written: the root is solved (%s), so there is nothing to expand",
		resultText(g.nodes.at(root)))
}

// resultText is the result of a position that is solved.
func resultText(n *node) string {
	winner := n.pos.ToMove()
	switch {
	case n.outcome.low == 0:
		return "a draw"
	case n.outcome.low < 0:
		winner = winner.Other()
	}
	text := oware.Descriptor().Sides[winner] + " wins"
	plies, ok := search.PliesToEnd(int(n.p))
	if ok {
		text += fmt.Sprintf(" at ply %d", plies)
	}
	return text
}

// fields returns the fields of the book's header about its expansion.
func (req Request) fields(from source) []book.Field {
	return []book.Field{
		{Name: book.FieldRules, Value: from.rules.String()},
		{Name: book.FieldLimits, Value: limitsText(from.limits)},
		{Name: book.FieldOmega, Value: decimal(req.Omega)},
		{Name: "Sides", Value: req.Sides},
		{Name: "Width", Value: strconv.Itoa(req.Width)},
		{Name: book.FieldEngine, Value: from.engine},
	}
}

func decimal(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func limitsText(l search.Limits) string {
	var parts []string
	if l.Depth > 0 {
		parts = append(parts, fmt.Sprintf("depth %d", l.Depth))
	}
	if l.Nodes > 0 {
		parts = append(parts, fmt.Sprintf("nodes %d", l.Nodes))
	}
	if l.Time > 0 {
		parts = append(parts, "time "+l.Time.String())
	}
	return strings.Join(parts, ", ")
}

// points converts a score to points, the scale of books.
func points(score int) int { return engine.Points(oware.Descriptor().Info, score) }

// entries returns the book: every expanded node with the values of its moves in points, ascending by
// key. It serves the player of the side it was built for, and includes the positions with the
// opponent to move.
func (g *graph) entries() []book.Entry {
	entries := make([]book.Entry, 0, g.expanded)
	for i := range index(g.nodes.len) {
		if n := g.nodes.at(root + i); n.isExpanded() {
			entries = append(entries, book.Entry{Key: n.pos.BookKey(), Scores: g.scores(n)})
		}
	}
	slices.SortFunc(entries, func(a, b book.Entry) int { return cmp.Compare(a.Key, b.Key) })
	return entries
}

// scores returns the values of the moves of a node in points, by house from the mover's left;
// book.Illegal for illegal moves, and for all moves of a leaf.
func (g *graph) scores(n *node) (scores [oware.Houses]int16) {
	for i := range scores {
		scores[i] = book.Illegal
	}
	for _, m := range g.appendMoves(nil, n) {
		scores[m.house] = int16(points(int(m.value)))
	}
	return scores
}

// rootScores returns the scores of the root, or of a leaf if the graph is empty.
func (g *graph) rootScores() [oware.Houses]int16 { return g.scores(g.nodes.at(root)) }

// pv returns the principal variation: best moves from the root to a leaf, the leftmost of equals.
func (g *graph) pv() (line []oware.Move) {
	for i := root; i != 0 && g.nodes.at(i).isExpanded(); {
		n := g.nodes.at(i)
		moves := g.appendMoves(nil, n)
		best := moves[slices.IndexFunc(moves, func(m move) bool { return m.value == int32(n.p) })]
		line = append(line, best.house)
		i = best.child
	}
	return line
}

// summary walks through the graph breadth-first from the root.
func (g *graph) summary(reason Reason) Summary {
	s := Summary{
		Entries: g.expanded, Nodes: g.nodes.len, Searched: g.searched, Visited: g.visited,
		RootScores: g.rootScores(), Ended: reason,
	}
	first := g.nodes.at(root)
	if m, points := (book.Entry{Scores: s.RootScores}).Best(); points != book.Illegal {
		s.Best = oware.MoveName(m, first.pos.ToMove())
		s.BestPoints = points
	}
	g.marks++
	first.mark = g.marks
	level := []index{root}
	var next []index
	var buf [oware.Houses]move
	for ; ; s.MaxDepth++ {
		next = next[:0]
		for _, i := range level {
			for _, m := range g.appendMoves(buf[:0], g.nodes.at(i)) {
				if m.child == 0 {
					s.Cycles++
				} else if c := g.nodes.at(m.child); c.mark != g.marks {
					c.mark = g.marks
					next = append(next, m.child)
				}
			}
		}
		if len(next) == 0 {
			return s
		}
		level, next = next, level
	}
}

// Preset is a recipe for a book.
type Preset struct {
	Name string
	Text string // purpose and cost
	BookConfig
	Stop Stop
}

// thesisSearches is the number of positions searched for Sala Soler's book (2014).
const thesisSearches = 162_889

// Presets returns the recipes. Their costs are for two cores that visit 4.5 million positions per
// second each with the default weights.
func Presets() []Preset {
	recipe := func(omega float64, search engine.Config) BookConfig {
		return BookConfig{Sides: string(book.ForBoth), Omega: omega, Width: 8, Config: search}
	}
	return []Preset{
		{
			Name:       "default",
			Text:       "as the program's own book was made: 100 000 searches of 200 000 positions, about 50 minutes",
			BookConfig: recipe(championOmega, engine.Config{Nodes: 200_000, HashMB: 16}), Stop: Stop{Searches: 100_000},
		},
		{
			Name: "night", Text: "as many searches as the thesis, 162 889, of 1.5 million positions: about eight hours",
			BookConfig: recipe(championOmega, engine.Config{Nodes: 1_500_000, HashMB: 16}),
			Stop:       Stop{Searches: thesisSearches},
		},
		{
			Name: "thesis", Text: `162 889 searches of 10 s: 452 hours of searching, 226 on two cores (the source says "about 250 h" of the same figures); it depends on the machine`,
			BookConfig: recipe(thesisOmega,
				engine.Config{MoveTime: engine.Duration{Duration: 10 * time.Second}, HashMB: 64}),
			Stop: Stop{Searches: thesisSearches},
		},
	}
}
