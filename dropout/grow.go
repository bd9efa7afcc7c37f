package dropout

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"kroo/book"
	"kroo/engine"
	"kroo/farm"
	"kroo/games/oware"
	"kroo/internal/atomicfile"
	"kroo/internal/doc"
	"kroo/internal/parallel"
	"kroo/internal/revision"
)

// BookConfig is the settings of a book to grow.
type BookConfig struct {
	Expansions int     `name:"expansions" default:"200" range:"0.." help:"end with this number of positions in the book, including those in the log"`
	Sides      string  `name:"sides" flag:"side" default:"both" choices:"south north both" help:"whose book: south, north or both"`
	Omega      float64 `name:"omega" default:"8" range:"0..1000000" help:"plies that one seed of loss counts as: 0 expands in full breadth, a large value best-first"`
	Width      int     `name:"width" default:"8" range:"1..4096" help:"leaves searched at a time; the book depends on this, not on --workers"`
	engine.Config
}

// Request describes the book to grow. See [Config] for the fields of the same name.
type Request struct {
	BookConfig
	Stop    Stop // in addition to BookConfig.Expansions
	Root    oware.Position
	Cover   []oware.Position
	By      engine.Spec  // searcher, with the Config of BookConfig
	Workers int          // 0 means one per processor
	Log     string       // file of the finished searches, to resume from
	Made    string       // command for the book's header; "" omits it
	Partial bool         // also write the book of an interrupted job
	Farm    farm.Network // of the workers; nil means this machine
}

// Check returns an error for settings out of range. Those of the searches are checked when the
// engine is made.
func (req Request) Check() error {
	if err := checkSettings(book.Sides(req.Sides), req.Omega, req.Width); err != nil {
		return err
	}
	return req.stop().check()
}

// stop combines all limits of the request.
func (req Request) stop() Stop {
	s := req.Stop
	s.Expansions = req.Expansions
	return s
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
func (s Summary) Doc(out string, req Request) *doc.Doc {
	return &doc.Doc{
		Value: s, Title: fmt.Sprintf("%d entries in %s; ended: %s", s.Entries, out, s.Ended),
		Facts: doc.Facts(
			"at the root", book.ScoresText(s.RootScores, req.Root.ToMove()),
			"searched", fmt.Sprintf("%d positions to ply %d, %d million visited", s.Searched, s.MaxDepth, s.Visited/1e6),
			"each search", req.Config.String(), "left out", fmt.Sprintf("%d moves that close a cycle", s.Cycles),
			"to resume, keep", req.Log),
	}
}

// Grow expands a book and writes it to out. An interrupted job keeps its log and resumes from it
// when called again, possibly with another [Stop]. Progress is that of [Build].
func Grow(ctx context.Context, req Request, out string, progress parallel.Progress) (*Graph, Summary, error) {
	if err := atomicfile.Check(out); err != nil {
		return nil, Summary{}, err
	}
	req.By.Search = req.Config
	e, err := engine.Open(ctx, engine.Oware(), req.By, req.Root.Rules().String())
	if err != nil {
		return nil, Summary{}, err
	}
	defer e.Close()
	cfg, err := req.build(e).normal()
	if err != nil {
		return nil, Summary{}, err
	}
	if e.Tables != nil {
		cfg.Prober = e.Tables
	}
	pool, err := searchPool(req.Farm, e, req.Workers, int64(req.Stop.Evaluations))
	if err != nil {
		return nil, Summary{}, err
	}
	g, reason, err := Build(ctx, cfg, pool, progress)
	if err != nil && (g == nil || !req.Partial) {
		return nil, Summary{}, err
	}
	sum := g.summary(reason)
	if sum.Entries > 0 {
		err = errors.Join(err, book.Write(out, req.header(cfg, e.Eval.Name, sum), g.Entries()))
	}
	return g, sum, err
}

// searchPool returns the pool: workers of this machine, or those of a farm. searches is the expected
// number of searches for the farm, 0 if unknown.
func searchPool(net farm.Network, e *engine.Engine[oware.Position], workers int, searches int64) (engine.Pool[oware.Position], error) {
	if net != nil {
		return farm.Searches(net, e, searches)
	}
	return e.Searchers(workers)
}

// engineText identifies what the values of searches depend on, except their limits.
func engineText(e *engine.Engine[oware.Position]) string {
	unlimited := *e // limits are recorded separately
	unlimited.Spec.Search = engine.Config{HashMB: e.Spec.Search.HashMB, Tables: e.Spec.Search.Tables}
	return strings.TrimSuffix(fmt.Sprintf("%s, %s, %s", e.Signature(), e.Eval.Name, unlimited.Limits()), ", ")
}

// build returns the configuration for Build.
func (req Request) build(e *engine.Engine[oware.Position]) Config {
	return Config{
		Rules: req.Root.Rules(), Root: req.Root, Sides: book.Sides(req.Sides), Cover: req.Cover,
		Omega: req.Omega, Width: req.Width,
		Stop: req.stop(), Limits: req.Limits(), Log: req.Log,
		Engine: engineText(e),
	}
}

func (req Request) header(cfg Config, weights string, sum Summary) book.Header {
	fields := append(cfg.fields(),
		book.Field{Name: book.FieldWeights, Value: weights},
		book.Field{Name: "Searched", Value: strconv.Itoa(sum.Searched)},
		book.Field{Name: "Tool", Value: revision.Get()},
	)
	if req.Made != "" {
		fields = append(fields, book.Field{Name: book.FieldMade, Value: req.Made})
	}
	return book.Header{Fields: fields}
}

func (g *Graph) summary(reason Reason) Summary {
	stats := g.Stats()
	s := Summary{
		Entries: stats.Expanded, Nodes: stats.Nodes, Searched: stats.Searched, Visited: stats.Visited,
		MaxDepth: stats.MaxDepth, Cycles: stats.Cycles, RootScores: g.rootScores(), Ended: reason,
	}
	if m, points, ok := g.bestAtRoot(); ok {
		s.Best, s.BestPoints = oware.MoveName(m, g.nodes.at(0).pos.ToMove()), points
	}
	return s
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

// championOmega is ω for searches with the default weights. Their scores are small in the opening: a
// score of one seed there is worth 2.9 seeds at the end of the game (docs/champion), so the same
// loss needs a larger factor than book.DefaultOmega. Measured: a book of 30 000 searches lasts 8.2
// moves per game against an opponent who varies, against 6.8 with ω = 2 and 7.2 with ω = 32
// (docs/book.md).
const championOmega = 8

// Presets returns the recipes. Their costs are for two cores that visit 4.5 million positions per
// second each with the default weights.
func Presets() []Preset {
	both := BookConfig{Sides: string(book.ForBoth), Omega: book.DefaultOmega}
	byNodes := func(nodes int64, hashMB int) BookConfig {
		c := both
		c.Omega = championOmega
		c.Config = engine.Config{Nodes: nodes, HashMB: hashMB}
		return c
	}
	thesis := both
	thesis.Config = engine.Config{MoveTime: engine.Duration{Duration: 10 * time.Second}, HashMB: 64}
	return []Preset{
		{
			Name: "default", Text: "as the program's own book was made: 100 000 searches of 200 000 positions, about 50 minutes",
			BookConfig: byNodes(200_000, 16), Stop: Stop{Evaluations: 100_000},
		},
		{
			Name: "night", Text: "as many searches as the thesis, 162 889, of 1.5 million positions: about eight hours",
			BookConfig: byNodes(1_500_000, 16), Stop: Stop{Evaluations: thesisSearches},
		},
		{
			Name: "thesis", Text: `162 889 searches of 10 s: 452 hours of searching, 226 on two cores (the source says "about 250 h" of the same figures); it depends on the machine`,
			BookConfig: thesis, Stop: Stop{Evaluations: thesisSearches},
		},
	}
}
