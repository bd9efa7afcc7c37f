package match

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strconv"

	"kroo/datasets"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
	"kroo/internal/parallel"
	"kroo/internal/spec"
	"kroo/internal/vfs"
)

// SuiteConfig configures the openings of a suite.
type SuiteConfig struct {
	Plies   int    `name:"plies" default:"4" range:"0..8" help:"moves of each opening"` // more do not fit into memory: oware has 683 970 positions at 8 plies
	Bound   int    `name:"bound" default:"50" range:"0.." help:"largest score of either side, in centi-seeds"`
	N       int    `name:"n" range:"0.." help:"how many to draw at random (default all)"` // 0 takes all, in the game's order of moves
	Seed    uint64 `name:"seed" default:"1" help:"random seed: the same seed gives the same files"`
	Made    string // command for the header of the file; "" omits it
	Workers int    `name:"workers" range:"0..1024" group:"Search" help:"searches at a time (default one per processor)"`
}

// MakeOpenings scores openings with the engine and writes the balanced ones to out, as OGN whose
// tags describe the search. It returns their number.
func MakeOpenings[P search.Position[P]](
	ctx context.Context, e *engine.Engine[P], c SuiteConfig, out string, progress parallel.Progress,
) (int, error) {
	to := Output{File: out, Made: c.Made}
	if err := to.check(); err != nil {
		return 0, err
	}
	pool, err := e.Searchers(c.Workers)
	if err != nil {
		return 0, err
	}
	suite, err := scores[P]{e.Kit.Game, pool, e.Spec.Search.Limits()}.suite(ctx, e.Rules, c, progress)
	if err != nil {
		return 0, err
	}
	return len(suite), writeSuite(to, e.Kit.Game, suite, provenance(e, c)...)
}

// scores scores positions by searches.
type scores[P search.Position[P]] struct {
	game   *games.Game[P]
	pool   engine.Pool[P]
	limits search.Limits
}

// scoredOpening is an opening with its score.
type scoredOpening[P search.Position[P]] struct {
	Opening[P]
	Score int // centi-seeds for the side to move after it
}

// scoreOpenings scores openings of legal moves.
func (s scores[P]) scoreOpenings(ctx context.Context, openings []Opening[P]) ([]scoredOpening[P], error) {
	var jobs []engine.Job[P]
	list := make([]scoredOpening[P], len(openings))
	for i, o := range openings {
		p := o.Start
		for _, m := range o.Moves {
			p = p.Play(m)
		}
		list[i].Opening = o
		jobs = append(jobs, engine.Job[P]{Number: i, Position: p, Limits: s.limits})
	}
	return list, s.pool.Search(ctx, parallel.List(jobs), func(j engine.Job[P], a engine.Answer) error {
		list[j.Number].Score = a.Score
		return nil
	})
}

// scoredAtOnce is the number of positions scored between checks for the number of openings.
const scoredAtOnce = 256

// suite scores the lines of c.Plies plies and keeps the balanced ones. With N it scores them in
// random order until it has N: the first openings are the same for every N. If there are fewer, the
// error gives the number. The suite depends on the configuration and the scores, not on the workers.
//
// Progress counts openings found out of N or, if N is 0, lines scored.
func (s scores[P]) suite(
	ctx context.Context, rules string, c SuiteConfig, progress parallel.Progress,
) (kept []scoredOpening[P], err error) {
	if err := spec.Check(&c); err != nil {
		return nil, err
	}
	lines, err := lines(s.game, rules, c.Plies)
	if err != nil {
		return nil, err
	}
	if c.N > 0 {
		random := rand.New(rand.NewPCG(c.Seed, 0))
		random.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	}
	wanted, done := cmp.Or(c.N, len(lines)), 0
	progress.At(0, int64(wanted))
	for chunk := range slices.Chunk(lines, scoredAtOnce) {
		found, err := s.scoreOpenings(ctx, chunk)
		if err != nil {
			return nil, err
		}
		kept = append(kept, slices.DeleteFunc(found,
			func(o scoredOpening[P]) bool { return max(o.Score, -o.Score) > c.Bound })...)
		kept = kept[:min(len(kept), wanted)]
		done += len(chunk)
		if c.N > 0 {
			done = len(kept)
		}
		progress.At(int64(done), int64(wanted))
		if c.N > 0 && len(kept) == c.N {
			break
		}
	}
	if len(kept) == 0 || len(kept) < c.N {
		return nil, fmt.Errorf("only %d of %d openings of %d plies are within %d centi-seeds, %d wanted: allow a wider bound, or other plies",
			len(kept), len(lines), c.Plies, c.Bound, max(1, c.N))
	}
	return kept, nil
}

// lines returns all openings of the given number of plies from the start that do not end the game, in the
// game's order of moves. The first represents all that lead to the same position, whatever their history: in
// oware no position recurs so early, and in chess only by moving back and forth.
func lines[P search.Position[P]](g *games.Game[P], rules string, plies int) ([]Opening[P], error) {
	start, err := g.Start(rules)
	if err != nil {
		return nil, err
	}
	type line struct {
		at    P
		moves []games.Move
	}
	lines := []line{{at: start}}
	var legal []games.Move
	for range plies {
		var next []line
		seen := map[int64]bool{}
		for _, l := range lines {
			legal = l.at.AppendMoves(legal[:0])
			for _, m := range legal {
				p := l.at.Play(m)
				if _, over := p.Terminal(); over || seen[g.Orbit(p)] {
					continue
				}
				seen[g.Orbit(p)] = true
				next = append(next, line{p, append(slices.Clone(l.moves), m)})
			}
		}
		lines = next
	}
	var openings []Opening[P]
	for _, l := range lines {
		openings = append(openings, Opening[P]{start, l.moves})
	}
	return openings, nil
}

// provenance returns tags that describe how the openings of a file were found.
func provenance[P search.Position[P]](e *engine.Engine[P], c SuiteConfig) []games.Tag {
	draw := "all"
	if c.N > 0 {
		draw = strconv.Itoa(c.N) + ", seed " + strconv.FormatUint(c.Seed, 10)
	}
	return []games.Tag{
		{Name: "Event", Value: "openings of " + strconv.Itoa(c.Plies) + " plies within " + strconv.Itoa(c.Bound) +
			" centi-seeds"},
		{Name: "Draw", Value: draw},
		{Name: "Limits", Value: e.LimitsText()},
		{Name: "Engine", Value: e.Signature()},
		{Name: "Evaluator", Value: e.Eval.Name},
	}
}

// writeSuite writes openings as OGN: each is a game without a result, with the given tags (its
// source) and its score as the comment of its last move.
func writeSuite[P search.Position[P]](out Output, g *games.Game[P], suite []scoredOpening[P], provenance ...games.Tag) error {
	var records []games.Record[P]
	for i, o := range suite {
		l, err := o.line(g)
		if err != nil {
			return fmt.Errorf("opening %d: %w", i+1, err)
		}
		tags := append([]games.Tag{{Name: "Round", Value: fmt.Sprint(i + 1)}}, provenance...)
		rec := l.Record(append(tags, games.Tag{Name: games.TagTermination, Value: string(endOfOpening)})...)
		rec.Result = games.Unknown
		comment := &rec.Comment
		if last := len(rec.Moves) - 1; last >= 0 {
			comment = &rec.Moves[last].Comment
		}
		*comment = fmt.Sprintf("score %+d", o.Score)
		records = append(records, rec)
	}
	return write(out, g, records)
}

// readOpenings reads the openings of a file: game records if its name ends in .ogn, or else boards
// ([datasets.Boards]). Of openings that lead to the same position it keeps the first.
//
// It returns an error with the place if an opening ends the game or is for other rules, or if the
// file contains no opening.
func readOpenings[P search.Position[P]](
	ctx context.Context, path string, g *games.Game[P], rules string,
) (list []Opening[P], err error) {
	seen := map[P]bool{}
	read := boardOpenings(ctx, path, g, rules)
	if games.IsRecords(path) {
		read = recordOpenings(path, g)
	}
	for o, err := range read {
		if err != nil {
			return nil, err
		}
		end, err := playOut(o.Opening, g, rules)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", o.place, err)
		}
		if !seen[end] {
			seen[end] = true
			list = append(list, o.Opening)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: it has no openings", path)
	}
	return list, nil
}

// CheckOpenings reads the file of a match's openings, and returns an error if it has too few for the pairs
// and no player varies. A program calls it before long work that ends with the match.
func CheckOpenings[P search.Position[P]](ctx context.Context, g *games.Game[P], c Config, varies bool) error {
	rules, err := c.rulesOf(g.Info)
	if err != nil {
		return err
	}
	list, err := readOpenings(ctx, c.Openings, g, rules)
	if err != nil {
		return err
	}
	return c.checkEnough(len(list), varies)
}

// playOut returns the position after an opening. It refuses an opening that ends the game or is for
// other rules.
func playOut[P search.Position[P]](o Opening[P], g *games.Game[P], rules string) (end P, err error) {
	l, err := o.line(g)
	if err != nil {
		return end, err
	}
	if found := g.RulesOf(o.Start); found != rules {
		return end, fmt.Errorf("under %s rules: expected %s", found, rules)
	}
	if _, reason, over := l.Over(); over {
		return end, fmt.Errorf("the opening ends the game (%s): expected a position to play on from", reason)
	}
	return l.Position(), nil
}

// placedOpening is an opening of a file.
type placedOpening[P search.Position[P]] struct {
	Opening[P]
	place string
}

// recordOpenings yields game records as openings. An error names the place and ends the sequence.
func recordOpenings[P search.Position[P]](path string, g *games.Game[P]) iter.Seq2[placedOpening[P], error] {
	return func(yield func(placedOpening[P], error) bool) {
		records, err := parseRecords(path, g)
		for i, rec := range records {
			o := placedOpening[P]{Opening[P]{Start: rec.Start}, fmt.Sprintf("%s: record %d", path, i+1)}
			for _, m := range rec.Moves {
				o.Moves = append(o.Moves, m.Move)
			}
			if !yield(o, nil) {
				return
			}
		}
		if err != nil {
			yield(placedOpening[P]{}, err)
		}
	}
}

func parseRecords[P search.Position[P]](path string, g *games.Game[P]) ([]games.Record[P], error) {
	f, err := vfs.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return g.ParseRecords(f, path)
}

// boardOpenings yields boards as openings without moves. An error names the place and ends the
// sequence.
func boardOpenings[P search.Position[P]](
	ctx context.Context, path string, g *games.Game[P], rules string,
) iter.Seq2[placedOpening[P], error] {
	return func(yield func(placedOpening[P], error) bool) {
		for b, err := range datasets.Boards(ctx, g, path, rules) {
			o := placedOpening[P]{Opening[P]{Start: b.Position}, b.Place}
			if !yield(o, err) {
				return
			}
		}
	}
}
