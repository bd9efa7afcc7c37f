package oware

import (
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"

	"kroo/games/oware"
)

// A bot is one C++ file that plays on its own: a search, and weights small enough that both fit
// into the 100 000 characters allowed by CodinGame. The evaluator's pattern tables have millions of
// entries. Instead, a bot has a table for each pair of houses and for each three consecutive
// houses, fitted to the evaluator's values in self-play games.

// botCharacters is the arena's limit on the length of a program.
const botCharacters = 100_000

// Parameters of a bot's tables.
const (
	botCounts = 25 // 24 seeds or more are one
	botUnit   = 8  // entries are in units of 1/8 centi-seed
	botPairs  = houses * (houses - 1) / 2
	botDigits = 90
)

//go:embed bot.cpp.txt
var botSource string

// bot is the tables of a bot in its units, in the order in which the C++ reads them: values of the
// stores, of each house's seeds, of the buckets of each pair of houses, and of each house and the
// next two in sowing order.
type bot struct {
	stages  int
	stores  [botCounts][botCounts]int
	houses  [maxStages][houses][botCounts]int
	pairs   [maxStages][botPairs][buckets * buckets]int
	triples [maxStages][houses][buckets * buckets * buckets]int
}

// writeBot writes the bot as C++17.
func (e *Evaluator) writeBot(w io.Writer) error {
	h := e.header
	if r, err := oware.ParseRules(h.Rules); err != nil || !r.LikeAbapa() {
		return fmt.Errorf("weights for %s: expected weights for abapa or arena, which a bot plays", h.Rules)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "// A bot for oware in the arena of CodinGame, written by Kroo: weights %s, rules %s,\n// cut to pairs and neighbouring threes of houses.\n", h.Weights, h.Rules)
	fmt.Fprintf(&b, "#define STAGES %d\n#define MOVE_MICROSECONDS 42000\n", e.stages)
	c := e.makeBot()
	var stores, inHouses, pairs, triples []int
	for _, row := range c.stores {
		stores = append(stores, row[:]...)
	}
	for stage := range e.stages {
		for h := range houses {
			inHouses = append(inHouses, c.houses[stage][h][:]...)
			triples = append(triples, c.triples[stage][h][:]...)
		}
		for pair := range botPairs {
			pairs = append(pairs, c.pairs[stage][pair][:]...)
		}
	}
	botArray(&b, "STORES", stores, 2)
	botArray(&b, "HOUSE_WEIGHTS", inHouses, 2)
	botArray(&b, "PAIRS", pairs, 2)
	botArray(&b, "TRIPLES", triples, 1)
	b.WriteString("\n" + botSource)
	if b.Len() >= botCharacters {
		return fmt.Errorf("the bot has %d characters: expected fewer than %d", b.Len(), botCharacters)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// botSteps returns the unit in which numbers are written with a number of digits, and the largest
// code. With one digit, the largest one per mille of the numbers is clipped; otherwise none.
func botSteps(v []int, digits int) (step, most int) {
	sizes := make([]int, len(v))
	for i, x := range v {
		sizes[i] = max(x, -x)
	}
	slices.Sort(sizes)
	if most = botDigits*botDigits/2 - 1; digits == 1 {
		most = botDigits/2 - 1
		sizes = sizes[:len(sizes)-len(sizes)/1000]
	}
	return max(1, (sizes[len(sizes)-1]+most-1)/most), most
}

// botArray writes numbers as text, one or two base-90 digits each.
func botArray(b *bytes.Buffer, name string, v []int, digits int) {
	step, most := botSteps(v, digits)
	fmt.Fprintf(b, "#define %s_STEP %d\nstatic const char %s[] =", name, step, name)
	for i, x := range v {
		if i%(120/digits) == 0 {
			if i > 0 {
				b.WriteByte('"')
			}
			b.WriteString("\n\"")
		}
		code := min(max(int(math.Round(float64(x)/float64(step))), -most), most) + most + 1
		if digits == 2 {
			b.WriteByte(botDigit(code / botDigits))
		}
		b.WriteByte(botDigit(code % botDigits))
	}
	b.WriteString("\";\n")
}

// botDigit returns a printable character that needs no escape in a C++ string.
func botDigit(d int) byte {
	if c := byte('#' + d); c < '\\' {
		return c
	}
	return byte('$' + d)
}

// makeBot makes the tables.
func (e *Evaluator) makeBot() *bot {
	c := &bot{stages: e.stages}
	small := float64(botUnit) / (1 << smallPlaces)
	for own := range botCounts {
		for other := range botCounts {
			c.stores[own][other] = int(math.Round(float64(e.stores[own<<6|other].value) * small))
		}
	}
	for stage := range e.stages {
		for h := range houses {
			for n := range botCounts {
				c.houses[stage][h][n] = int(math.Round(float64(e.house(stage, h, n)) * small))
			}
		}
	}
	if e.lots() > 0 {
		e.fitBot(c)
	}
	return c
}

// botPair numbers pairs of houses, the lower first.
func botPair(a, b int) int { return a*(2*houses-1-a)/2 + b - a - 1 }

// botLine returns a position's table indices of pairs and triples.
func botLine(p oware.Position) (pairs [botPairs]int, triples [houses]int) {
	b := bucketsOf(p)
	for h := range houses {
		next, afterNext := (h+1)%houses, (h+2)%houses
		triples[h] = int(b[h]) | int(b[next])<<bucketBits | int(b[afterNext])<<(2*bucketBits)
		for g := h + 1; g < houses; g++ {
			pairs[botPair(h, g)] = int(b[h])<<bucketBits | int(b[g])
		}
	}
	return pairs, triples
}

// evaluate returns the value that the C++ computes, before rounding to the text's units.
func (c *bot) evaluate(p oware.Position) int {
	stage := stageOf(c.stages, p.SeedsInPlay())
	v := c.stores[min(p.Store(), botCounts-1)][min(p.OpponentStore(), botCounts-1)]
	for h, n := range seedsOf(p) {
		v += c.houses[stage][h][min(n, botCounts-1)]
	}
	pairs, triples := botLine(p)
	for i, k := range pairs {
		v += c.pairs[stage][i][k]
	}
	for h, k := range triples {
		v += c.triples[stage][h][k]
	}
	return v
}

// The bot is fitted in rounds of games, by normalised least mean squares (Widrow and Hoff) with
// decreasing step size.
const (
	botRounds = 6
	botGames  = 800 // per round
)

// fitBot fits pairs and triples to the values of the evaluator's patterns.
func (e *Evaluator) fitBot(c *bot) {
	var pairs [maxStages][botPairs][buckets * buckets]float64
	var triples [maxStages][houses][buckets * buckets * buckets]float64
	rng := rand.New(rand.NewPCG(1, 2014))
	for round := range botRounds {
		rate := 0.4 / float64(1+round*round) / (botPairs + houses)
		for range botGames {
			e.botGame(rng, func(p oware.Position, value int) {
				stage := stageOf(c.stages, p.SeedsInPlay())
				inPairs, inTriples := botLine(p)
				miss := float64(value*botUnit - c.evaluate(p)) // the tables of c have no pairs yet
				for i, k := range inPairs {
					miss -= pairs[stage][i][k]
				}
				for h, k := range inTriples {
					miss -= triples[stage][h][k]
				}
				for i, k := range inPairs {
					pairs[stage][i][k] += rate * miss
				}
				for h, k := range inTriples {
					triples[stage][h][k] += rate * miss
				}
			})
		}
	}
	for stage := range c.stages {
		for i := range pairs[stage] {
			for k, v := range pairs[stage][i] {
				c.pairs[stage][i][k] = int(math.Round(v))
			}
		}
		for h := range triples[stage] {
			for k, v := range triples[stage][h] {
				c.triples[stage][h][k] = int(math.Round(v))
			}
		}
	}
}

// botGame plays a game of the evaluator against itself, at one ply and with every fourth move
// random, and passes every position visited and its value to show.
func (e *Evaluator) botGame(rng *rand.Rand, show func(oware.Position, int)) {
	p := oware.Start(oware.Arena)
	for range 200 {
		if _, over := p.Terminal(); over {
			return
		}
		moves := p.AppendMoves(nil)
		best, most := moves[rng.IntN(len(moves))], math.MinInt
		random := rng.IntN(4) == 0
		for _, m := range moves {
			q := p.Play(m)
			if _, over := q.Terminal(); over {
				continue
			}
			v := e.Evaluate(q)
			show(q, v)
			if !random && -v > most {
				best, most = m, -v
			}
		}
		p = p.Play(best)
	}
}
