package study

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"kroo/endgame"
	"kroo/engine/search"
	"kroo/games/oware"
	"kroo/internal/doc"
	"kroo/internal/parallel"
	"kroo/report"
)

// ProofsConfig selects the endgames of [Proofs].
type ProofsConfig struct {
	Seeds     int   `name:"seeds" default:"10" range:"1..24" help:"most seeds in play"` // at most those of the table
	Positions int   `name:"positions" default:"100" range:"1..100000" help:"won positions, and as many others, for each number of seeds"`
	Nodes     int64 `name:"nodes" default:"100000" range:"1.." group:"Search" help:"positions visited by a search, at most"`
	Seed      uint64
}

// ProofsResult has a line per number of seeds in play.
type ProofsResult struct {
	Rules string      `json:"rules"`
	Nodes int64       `json:"nodes"` // maximum per search
	Lines []ProofLine `json:"lines"`
}

// ProofLine is the proofs found in positions with a number of seeds in play.
type ProofLine struct {
	Seeds    int       `json:"seeds"`
	Won      ProofRate `json:"won"`       // proof-number search: proofs in positions that the side to move wins
	NotWon   ProofRate `json:"not_won"`   // and disproofs in others
	Engine   ProofRate `json:"engine"`    // the engine at full width, without tables, in the same won positions
	Fewer    int       `json:"fewer"`     // won positions that both prove, proof-number search with fewer nodes
	BothKnow int       `json:"both_know"` // won positions that both prove
}

// ProofRate counts the positions that a search settles, and the nodes it takes.
type ProofRate struct {
	Positions int   `json:"positions"`
	Settled   int   `json:"settled"`
	Median    int64 `json:"median"` // positions visited by the successful searches; 0 without any

	visited []int64
}

// Proofs runs proof-number search and the engine's alpha-beta on whether the side to move wins
// endgames, and checks both against the table. The seeds that are not in play are divided between
// the stores as evenly as possible. It returns an error if a search contradicts the table.
func Proofs(ctx context.Context, s Subject[oware.Position], t *endgame.Table, c ProofsConfig, progress parallel.Progress) (*ProofsResult, error) {
	if c.Seeds > t.Seeds() {
		return nil, fmt.Errorf("%d seeds: expected at most the %d of the table", c.Seeds, t.Seeds())
	}
	r := &ProofsResult{Rules: t.Rules().String(), Nodes: c.Nodes}
	engine := search.NewSearcher(s.eval.Knowledge(), search.Options{FullWidth: true})
	random := rand.New(rand.NewPCG(c.Seed, 0))
	progress.At(0, int64(c.Seeds))
	for n := 1; n <= c.Seeds; n++ {
		l := ProofLine{Seeds: n}
		won, others := drawEndgames(t, n, c.Positions, random)
		for _, p := range won {
			if err := l.won(ctx, engine, p, c.Nodes); err != nil {
				return nil, err
			}
		}
		for _, p := range others {
			if err := l.NotWon.prove(ctx, p, c.Nodes, false); err != nil {
				return nil, err
			}
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, rate := range []*ProofRate{&l.Won, &l.NotWon, &l.Engine} {
			rate.Median = median(rate.visited)
		}
		r.Lines = append(r.Lines, l)
		progress.At(int64(n), int64(c.Seeds))
	}
	return r, nil
}

// won runs both searches on a position that the side to move wins.
func (l *ProofLine) won(ctx context.Context, engine *search.Searcher[oware.Position], p oware.Position, nodes int64) error {
	before := len(l.Won.visited)
	if err := l.Won.prove(ctx, p, nodes, true); err != nil {
		return err
	}
	engine.Clear()
	found := engine.Search(ctx, p, nil, search.Limits{Nodes: nodes}, search.Query{})
	if found.Proven && found.Score <= 0 {
		return fmt.Errorf("the engine does not win %s: the table does", p)
	}
	if l.Engine.add(found.Proven, found.Nodes); found.Proven && len(l.Won.visited) > before {
		if l.BothKnow++; l.Won.visited[before] < found.Nodes {
			l.Fewer++
		}
	}
	return nil
}

// drawEndgames draws count positions with a number of seeds in play that the side to move wins, and
// as many that it does not, in at most a hundred times as many draws.
func drawEndgames(t *endgame.Table, seeds, count int, random *rand.Rand) (won, others []oware.Position) {
	for range 100 * count {
		p := endgame.PositionAt(t.Rules(), seeds, random.IntN(endgame.Positions(seeds)))
		low, high, ok := t.Final(p)
		if _, over := p.Terminal(); over || !ok || p.Legal() == 0 {
			continue
		}
		switch {
		case low > 0 && len(won) < count:
			won = append(won, p)
		case high <= 0 && len(others) < count:
			others = append(others, p)
		}
	}
	return won, others
}

// prove runs proof-number search on a position, and compares the answer with the table's.
func (r *ProofRate) prove(ctx context.Context, p oware.Position, nodes int64, want bool) error {
	wins, known, visited := search.SearchProofNumber(ctx, p, nil, nodes)
	if known && wins != want {
		return fmt.Errorf("%s by proof numbers: wins %v: the table has %v", p, wins, want)
	}
	r.add(known, visited)
	return nil
}

func (r *ProofRate) add(settled bool, visited int64) {
	r.Positions++
	if settled {
		r.Settled++
		r.visited = append(r.visited, visited)
	}
}

// median returns the median, the upper of two; 0 for an empty list.
func median(list []int64) int64 {
	if len(list) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(list))[len(list)/2]
}

// Doc has a line per number of seeds.
func (r *ProofsResult) Doc() *doc.Doc {
	t := doc.NewTable("seeds", "won", "proven", "visited", "engine proves", "visited", "fewer by proof numbers", "not won", "proven", "visited")
	chart := report.Chart{Name: "study-proofs", Title: "Won endgames that searches prove", Line: "rules " + r.Rules, X: "seeds in play", Y: "share of the positions, %"}
	for _, l := range r.Lines {
		t.Add(l.Seeds, l.Won.Positions, l.Won.Settled, l.Won.Median, l.Engine.Settled, l.Engine.Median, fmt.Sprintf("%d of %d", l.Fewer, l.BothKnow), l.NotWon.Positions, l.NotWon.Settled, l.NotWon.Median)
		if of := float64(l.Won.Positions); of > 0 {
			chart.Add("proof numbers", float64(l.Seeds), 100*float64(l.Won.Settled)/of)
			chart.Add("engine without tables", float64(l.Seeds), 100*float64(l.Engine.Settled)/of)
		}
	}
	return docOf(r, t, chart, fmt.Sprintf("Rules %s. Won: the side to move wins, by the endgame table; the searches use no table and visit at most %d positions. Visited: the median over searches that end with a proof.", r.Rules, r.Nodes))
}

// CyclesResult has a line per number of seeds in play.
type CyclesResult struct {
	Rules string               `json:"rules"`
	Lines []endgame.CycleCount `json:"lines"`
}

// Cycles counts the positions of oware, with 1 to seeds seeds in play, to which a game can return.
func Cycles(ctx context.Context, r oware.Rules, seeds int, progress parallel.Progress) (*CyclesResult, error) {
	total, done := int64(0), int64(0)
	for n := 1; n <= seeds; n++ {
		total += int64(endgame.Positions(n))
	}
	result := &CyclesResult{Rules: r.String()}
	progress.At(0, total)
	for n := 1; n <= seeds; n++ {
		c, err := endgame.CountCycles(ctx, r, n)
		if err != nil {
			return nil, err
		}
		result.Lines = append(result.Lines, c)
		done += int64(c.Positions)
		progress.At(done, total)
	}
	return result, nil
}

// Doc has a line per number of seeds, and compares the published figure with ours.
func (r *CyclesResult) Doc() *doc.Doc {
	t := doc.NewTable("seeds", "positions", "in cycles", "share", "components", "in the largest", "without any capture", "closed")
	chart := report.Chart{Name: "study-cycles", Title: "Positions that a game can return to", Line: "rules " + r.Rules, X: "seeds in play", Y: "share of the positions, %"}
	for _, c := range r.Lines {
		share := 100 * float64(c.InCycles) / float64(c.Positions)
		t.Add(c.Seeds, c.Positions, c.InCycles, fmt.Sprintf("%.2f %%", share), c.Components, c.Largest, c.Calm, c.Closed)
		chart.Add("in cycles", float64(c.Seeds), share)
	}
	published := ""
	if r.Rules == oware.Abapa.String() {
		published = "Sala Soler (2014) finds more than seven million positions in cycles at 15 seeds, as here: 7061295 in the largest component. For eight seeds he has a cycle of more than 75000; here 65036 of 75582 positions are in the largest component."
	}
	return docOf(r, t, chart, "Rules "+r.Rules+", positions as the side to move sees them. In cycles: in a strongly connected component, of two positions or more, of the moves without capture; a game can return to these. Without any capture: the same by positions where no move captures. Closed: of these, where no move leads anywhere else.", published)
}
