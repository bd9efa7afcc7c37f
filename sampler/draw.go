package sampler

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"kroo/datasets"
	"kroo/engine/search"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/strict"
	"kroo/internal/vfs"
	"kroo/internal/wording"
)

// The streams of random numbers: methods draw independently even with the same seed.
const (
	uniformStream = 1
	ppsStream     = 2
	gamesStream   = 3
	pickStream    = 4
)

// random is the endless stream of positions drawn with replacement.
func random[P search.Position[P]](ctx context.Context, g *games.Game[P], cfg Config) stream[P] {
	return func(yield func(datasets.Row[P], error) bool) {
		draw, number, err := drawerFor(g, cfg)
		if err != nil {
			yield(datasets.Row[P]{}, err)
			return
		}
		rng := rand.New(rand.NewPCG(cfg.Seed, number))
		for {
			p, err := draw(rng)
			if ctx.Err() != nil {
				err = ctx.Err()
			}
			if !yield(datasets.Row[P]{Position: p}, err) || err != nil {
				return
			}
		}
	}
}

// drawerFor returns what draws a position by a method, and the number of its random stream.
func drawerFor[P search.Position[P]](g *games.Game[P], cfg Config) (func(*rand.Rand) (P, error), uint64, error) {
	if cfg.Method == Uniform && cfg.Population == fromReachable {
		return func(rng *rand.Rand) (P, error) { return g.Random(rng, cfg.Rules) }, uniformStream, nil
	}
	if g.Name != owareName {
		return nil, 0, fmt.Errorf("method %s of the population %s is oware's: expected %s, %s for %s",
			cfg.Method, cfg.Population, Uniform, fromReachable, g.Name)
	}
	draw, number, err := owareDrawer(cfg)
	return func(rng *rand.Rand) (p P, err error) {
		drawn, err := draw(rng)
		if err != nil {
			return p, err
		}
		return g.FromKey(cfg.Rules, drawn.BookKey())
	}, number, err
}

// owareName is the game of pps and the populations.
const owareName = "oware"

// Numbers of boards with either side to move, terminal ones included: of all boards; of those of
// Sala Soler 2014, who leaves out boards with one captured seed in total, C(61,13) − 2·C(58,11);
// and of those in which no store has exactly one seed.
const (
	allBoards       = oware.Ranks
	thesisBoards    = 6_110_837_699_295
	reachableBoards = 4_511_757_387_375
)

// owareDrawer draws from all boards and rejects those outside the population, which keeps the
// proportions among the others.
func owareDrawer(cfg Config) (func(*rand.Rand) (oware.Position, error), uint64, error) {
	r, err := oware.ParseRules(cfg.Rules)
	if err != nil {
		return nil, 0, err
	}
	number := uint64(uniformStream)
	propose := drawRank
	if cfg.Method == PPS {
		number = ppsStream
		propose = newPPS()
	}
	return func(rng *rand.Rand) (oware.Position, error) {
		for {
			p, err := propose(rng, r)
			if err != nil {
				return p, err
			}
			if _, over := p.Terminal(); !over && (cfg.Population == Thesis || p.Reachable()) {
				return p, nil
			}
		}
	}, number, nil
}

// drawRank draws a board, all equally likely, with South to move.
func drawRank(rng *rand.Rand, r oware.Rules) (oware.Position, error) {
	return oware.Unrank(r, rng.Int64N(oware.Ranks), oware.South)
}

// newPPS proposes a layer, the boards with c captured seeds, with probability proportional to c
// times its number of boards; then one of its boards: a division of the captured seeds and an
// arrangement of the others.
func newPPS() func(*rand.Rand, oware.Rules) (oware.Position, error) {
	var upTo [oware.Seeds + 1]int64 // cumulative weights of the layers
	sum := int64(0)
	for c := range upTo {
		sum += int64(c) * int64(c+1) * arrangements(oware.Seeds-c)
		upTo[c] = sum
	}
	return func(rng *rand.Rand, r oware.Rules) (oware.Position, error) {
		captured := 0
		at := rng.Int64N(sum)
		for upTo[captured] <= at {
			captured++
		}
		south := rng.IntN(captured + 1)
		return oware.New(r, arrange(rng, oware.Seeds-captured), [2]int{south, captured - south}, oware.South)
	}
}

// arrangements is the number of ways to put n seeds into twelve houses, C(n+11, 11).
func arrangements(n int) int64 {
	a := int64(1)
	for k := int64(1); k < 2*oware.Houses; k++ {
		a = a * (int64(n) + k) / k // a binomial coefficient after every step
	}
	return a
}

// arrange puts n seeds into twelve houses, every arrangement equally likely: in a row of n seeds
// and 11 walls, the next item is a wall with probability walls left / items left.
func arrange(rng *rand.Rand, n int) (houses [2 * oware.Houses]int) {
	walls := len(houses) - 1
	at := 0
	for left := n + walls; left > 0; left-- {
		if rng.IntN(left) < walls {
			walls--
			at++
		} else {
			houses[at]++
		}
	}
	return houses
}

// share is a part of a mix.
type share struct {
	method string
	part   float64 // fraction of the whole, after parseShares
	n      int     // positions
}

// parseShares parses "games=0.7,uniform=0.3". Shares are relative: 7 and 3 mean the same.
func parseShares(text string) (list []share, err error) {
	parts := []string{Uniform, PPS, played, file}
	sum := 0.0
	for word := range strings.SplitSeq(text, ",") {
		method, number, _ := strings.Cut(strings.TrimSpace(word), "=")
		if !slices.Contains(parts, method) {
			return nil, fmt.Errorf("the share %.40q: %s, and its share, as in games=0.7,uniform=0.3",
				word, wording.Expect(method, parts))
		}
		part, err := strict.Number(number)
		again := slices.ContainsFunc(list, func(s share) bool { return s.method == method })
		if err != nil || again || !(part > 0 && part <= 1e6) {
			return nil, fmt.Errorf(
				"the share %.40q: expected each method once, and its share above 0, as in games=0.7,uniform=0.3", word)
		}
		list = append(list, share{method: method, part: part})
		sum += part
	}
	for i := range list {
		list[i].part /= sum
	}
	return list, nil
}

// divide splits n positions among the shares.
func divide(list []share, n int) []share {
	upTo, done := 0.0, 0
	for i := range list {
		upTo += list[i].part
		list[i].n = int(math.Round(upTo*float64(n))) - done
		done += list[i].n
	}
	return list
}

// uses reports whether a configuration draws by a method, alone or in a mix.
func (c Config) uses(method string) bool {
	if c.Method != Mix {
		return c.Method == method
	}
	list, _ := parseShares(c.Shares)
	return slices.ContainsFunc(list, func(s share) bool { return s.method == method })
}

// readNotes describe what a sample leaves out of the positions that it reads.
type readNotes struct {
	BadGames int64    `json:"bad_games"` // unreadable games of the file, left out
	FirstBad []string `json:"first_bad"`
	Repeated int64    `json:"repeated"` // positions that repeat an earlier one or its mirror image, left out
}

// fromFile yields the positions of a file: of recorded games (.ogn), or of boards ([datasets.Boards]).
func fromFile[P search.Position[P]](
	ctx context.Context, g *games.Game[P], cfg Config, notes *readNotes,
) stream[P] {
	if games.IsRecords(cfg.From) {
		return fromGames(g, cfg, notes)
	}
	return func(yield func(datasets.Row[P], error) bool) {
		for b, err := range datasets.Boards(ctx, g, cfg.From, cfg.Rules) {
			if err == nil {
				err = checkPlayable(b)
			}
			if !yield(datasets.Row[P]{Position: b.Position}, err) || err != nil {
				return
			}
		}
	}
}

// checkPlayable refuses a board on which the game is over.
func checkPlayable[P search.Position[P]](b datasets.Board[P]) error {
	if _, over := b.Position.Terminal(); over {
		return fmt.Errorf("%s: the game is over: expected a position with a move", b.Place)
	}
	return nil
}

// fromGames yields the positions of a file of recorded games.
func fromGames[P search.Position[P]](g *games.Game[P], cfg Config, notes *readNotes) stream[P] {
	return func(yield func(datasets.Row[P], error) bool) {
		f, err := vfs.Open(cfg.From)
		if err != nil {
			yield(datasets.Row[P]{}, err)
			return
		}
		defer f.Close()
		fromRecords(g, cfg, f, notes)(yield)
	}
}

// maxReported limits the number of unreadable games that are reported.
const maxReported = 5

// fromRecords yields the positions of recorded games, except final ones.
func fromRecords[P search.Position[P]](
	g *games.Game[P], cfg Config, r io.Reader, notes *readNotes,
) stream[P] {
	return func(yield func(datasets.Row[P], error) bool) {
		records, err := parseRecords(g, cfg, r, notes)
		if err != nil {
			yield(datasets.Row[P]{}, err)
			return
		}
		for i, rec := range records {
			line, err := replay(g, cfg, i+1, rec)
			if err != nil {
				yield(datasets.Row[P]{}, err)
				return
			}
			outcome := outcomeOf(line, rec.Result)
			for ply, p := range positionsOf(line) {
				if isCandidate(g, cfg, p) && !yield(gameRow(g, p, i+1, ply, outcome), nil) {
					return
				}
			}
		}
	}
}

// parseRecords reads recorded games, and notes those that cannot be read, which strictness refuses.
func parseRecords[P search.Position[P]](
	g *games.Game[P], cfg Config, r io.Reader, notes *readNotes,
) ([]games.Record[P], error) {
	notes.BadGames = 0
	notes.FirstBad = nil
	records, err := g.ParseGood(r, cfg.From, func(err error) {
		notes.BadGames++
		if notes.BadGames <= maxReported {
			notes.FirstBad = append(notes.FirstBad, err.Error())
		}
	})
	if err != nil {
		return nil, err
	}
	if cfg.Strict && notes.BadGames > 0 {
		return nil, errors.New(notes.FirstBad[0])
	}
	return records, nil
}

// replay plays the game of a number, which must be under the configuration's rules.
func replay[P search.Position[P]](g *games.Game[P], cfg Config, number int, rec games.Record[P]) (*games.Line[P], error) {
	if rules := g.RulesOf(rec.Start); rules != cfg.Rules {
		return nil, fmt.Errorf("%s: game %d is under the rules %s: expected %s", cfg.From, number, rules, cfg.Rules)
	}
	line, err := g.Replay(rec)
	if err != nil {
		return nil, fmt.Errorf("%s: game %d: %w", cfg.From, number, err)
	}
	return line, nil
}

// positionsOf yields the positions of a game by ply, the last one included.
func positionsOf[P search.Position[P]](line *games.Line[P]) iter.Seq2[int, P] {
	return slices.All(append(line.History(), line.Position()))
}

// isCandidate reports whether a sample may take a position of a game: not if the game is over, nor below
// the minimum phase.
func isCandidate[P search.Position[P]](g *games.Game[P], cfg Config, p P) bool {
	_, over := p.Terminal()
	return !over && g.Phase(p) >= *cfg.MinPhase
}

// gameRow returns the row of a position of a game, which ended with an outcome for the side that moved first.
func gameRow[P search.Position[P]](g *games.Game[P], p P, game, ply int, ended datasets.Outcome) datasets.Row[P] {
	return datasets.Row[P]{Position: p, Game: int32(game), Ply: int32(ply), Outcome: ended.For(g.SideToMove(p))}
}
