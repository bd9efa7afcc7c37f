package oware

import (
	"testing"
)

// positionsAndMoves returns 1024 random positions from games, each with a legal move.
func positionsAndMoves(rules Rules) (ps [1024]Position, ms [1024]Move) {
	r := rng(41)
	p := Start(rules)
	for i := range ps {
		for _, over := p.Terminal(); over; _, over = p.Terminal() {
			p = Start(rules)
			for range r.IntN(40) {
				if p.Legal() == 0 {
					break
				}
				legal := p.AppendMoves(nil)
				p = p.Play(legal[r.IntN(len(legal))])
			}
		}
		legal := p.AppendMoves(nil)
		ps[i], ms[i] = p, legal[r.IntN(len(legal))]
		p = p.Play(ms[i])
	}
	return ps, ms
}

var sink uint64

func BenchmarkPlay(b *testing.B) {
	for _, rules := range allRules {
		b.Run(rules.String(), func(b *testing.B) {
			ps, ms := positionsAndMoves(rules)
			var acc uint64
			for i := 0; b.Loop(); i++ {
				p := ps[i&1023].Play(ms[i&1023])
				acc += p.own ^ p.opp
			}
			sink += acc
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mmoves/s")
		})
	}
}

func BenchmarkPerft9(b *testing.B) {
	for b.Loop() {
		if n := Start(Abapa).Perft(9); n != perftStart[9] {
			b.Fatal(n)
		}
	}
	b.ReportMetric(float64(perftStart[9])*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mleaves/s")
}
