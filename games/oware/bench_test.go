package oware

import (
	"testing"

	"kroo/games"
	"kroo/internal/testkit"
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

// Counts for abapa from the start position, on which two independent programs agree.
var perftStart = []int64{1, 6, 36, 190, 1014, 5219, 27332, 139157, 711414, 3592872}

func TestPerftFromStart(t *testing.T) {
	for depth, want := range perftStart {
		testkit.Equal(t, Start(Abapa).Perft(depth), want, "depth %d", depth)
	}
}

// twinPerft counts with the twin, and makes every move.
func twinPerft(tw twin, depth int) (n int64) {
	if depth == 0 {
		return 1
	}
	if _, over := tw.terminal(); over {
		return 0
	}
	for _, m := range tw.legal() {
		after, _ := tw.sow(int(m))
		n += twinPerft(after, depth-1)
	}
	return n
}

func TestPerftAgreesWithTwin(t *testing.T) {
	r := rng(11)
	for _, rules := range allRules {
		positions := []Position{Start(rules), board(t, rules, slam), board(t, rules, hungry), board(t, rules, unfed)}
		for range 20 {
			positions = append(positions, randomRanked(r, rules), randomLumpy(r, rules))
		}
		for _, p := range positions {
			for depth := range 5 {
				if got, want := p.Perft(depth), twinPerft(twinOf(p), depth); got != want || games.Perft(p, depth) != want {
					t.Errorf("%v %v depth %d: %d and %d, the twin %d", rules, p, depth, got, games.Perft(p, depth), want)
				}
			}
		}
	}
}
