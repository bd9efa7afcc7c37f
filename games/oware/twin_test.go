package oware

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"kroo/internal/testenv"
)

// twin is a second implementation of the game, slow and obvious, written from the rules alone,
// for comparison with the fast code.
type twin struct {
	rules  Rules
	board  [12]int // A…F, a…f
	store  [2]int
	toMove int // 0 South, 1 North
}

func twinOf(p Position) twin {
	t := twin{rules: p.Rules(), toMove: int(p.ToMove())}
	me, other := t.toMove, 1-t.toMove
	for h := range 6 {
		t.board[6*me+h] = p.House(h)
		t.board[6*other+h] = p.House(6 + h)
	}
	t.store[me], t.store[other] = p.Store(), p.OpponentStore()
	return t
}

func (t twin) position() Position {
	p, err := New(t.rules, t.board, t.store, Side(t.toMove))
	if err != nil {
		panic(fmt.Sprint("the twin lost a seed: ", err))
	}
	return p
}

func (t twin) seeds(side int) (n int) {
	for h := range 6 {
		n += t.board[6*side+h]
	}
	return n
}

// sow returns the board after sowing the house and making every capture, and the number of
// captured seeds.
func (t twin) sow(house int) (after twin, gain int) {
	after = t
	origin := 6*t.toMove + house
	hand := after.board[origin]
	after.board[origin] = 0
	at := origin
	for hand > 0 {
		at++
		if at == 12 {
			at = 0
		}
		if at == origin {
			continue
		}
		after.board[at]++
		hand--
	}
	uncaptured := after
	for at >= 0 && at/6 != t.toMove && (after.board[at] == 2 || after.board[at] == 3) {
		gain += after.board[at]
		after.board[at] = 0
		at--
	}
	if (t.rules == Abapa || t.rules == Arena) && gain > 0 && after.seeds(1-t.toMove) == 0 {
		after, gain = uncaptured, 0
	}
	after.store[t.toMove] += gain
	after.toMove = 1 - t.toMove
	return after, gain
}

func (t twin) legal() []Move {
	var all, leaving []Move // moves, and those that leave the opponent seeds
	for h := range 6 {
		if t.board[6*t.toMove+h] == 0 {
			continue
		}
		all = append(all, Move(h))
		if after, _ := t.sow(h); after.seeds(1-t.toMove) > 0 {
			leaving = append(leaving, Move(h))
		}
	}
	switch {
	case (t.rules == Abapa || t.rules == Arena) && t.seeds(1-t.toMove) == 0: // must feed
		return leaving
	case t.rules == Awari && len(leaving) > 0:
		return leaving
	}
	return all
}

// terminal returns the difference for the side to move.
func (t twin) terminal() (diff int, over bool) {
	me, other := t.toMove, 1-t.toMove
	diff = t.store[me] - t.store[other]
	ends := t.rules != SimpleToEnd
	if ends && (t.store[me] > 24 || t.store[other] > 24) || t.store[0]+t.store[1] == 48 {
		return diff, true
	}
	if len(t.legal()) > 0 {
		return 0, false
	}
	if t.rules == Abapa || t.rules == Arena {
		return diff + t.seeds(me) - t.seeds(other), true
	}
	return diff - t.seeds(me) - t.seeds(other), true
}

// compareWithTwin compares everything that follows from one position, and returns the number of
// moves compared. Moves of terminal positions are compared too.
func compareWithTwin(t *testing.T, p Position) (moves int) {
	t.Helper()
	tw := twinOf(p)
	if tw.position() != p {
		t.Fatalf("%v: its houses and stores give %v", p, tw.position())
	}
	diff, over := p.Terminal()
	if wantDiff, wantOver := tw.terminal(); diff != wantDiff || over != wantOver {
		t.Fatalf("%v %v: Terminal() = %d, %v; the twin %d, %v", p.Rules(), p, diff, over, wantDiff, wantOver)
	}
	var buf [Houses]Move
	legal := p.AppendMoves(buf[:0])
	if want := tw.legal(); !slices.Equal(legal, want) {
		t.Fatalf("%v %v: moves %v; the twin %v", p.Rules(), p, legal, want)
	}
	for h := range Move(Houses) {
		if p.IsLegal(h) != slices.Contains(legal, h) {
			t.Fatalf("%v %v: IsLegal(%d) = %v", p.Rules(), p, h, p.IsLegal(h))
		}
	}
	var hintBuf [Houses]int32
	hints := p.AppendHints(hintBuf[:0], legal)
	if len(hints) != len(legal) {
		t.Fatalf("%v %v: %d hints for %d moves", p.Rules(), p, len(hints), len(legal))
	}
	for i, m := range legal {
		after, gain := tw.sow(int(m))
		if got := p.Play(m); got != after.position() {
			t.Fatalf("%v %v move %d: %v; the twin %v", p.Rules(), p, m, got, after.position())
		}
		if got := p.Gain(m); got != gain {
			t.Fatalf("%v %v move %d: gain %d; the twin %d", p.Rules(), p, m, got, gain)
		}
		if hints[i] != int32(gain) {
			t.Fatalf("%v %v move %d: hint %d; the twin %d", p.Rules(), p, m, hints[i], gain)
		}
	}
	return len(legal)
}

var allRules = []Rules{Abapa, Awari, Simple, SimpleToEnd, Arena}

func rng(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x6f77617265)) }

// randomRanked draws a board uniformly from all, reachable or not.
func randomRanked(r *rand.Rand, rules Rules) Position {
	p, err := Unrank(rules, r.Int64N(Ranks), Side(r.IntN(2)))
	if err != nil {
		panic(err)
	}
	return p
}

// randomLumpy returns a board with most seeds in few houses, so that large houses, empty sides
// and laps are common.
func randomLumpy(r *rand.Rand, rules Rules) Position {
	places := [14]int{}
	pool := 1 + r.IntN(4)
	choice := r.Perm(14)[:pool]
	for left := Seeds; left > 0; {
		n := 1 + r.IntN(min(left, 1+r.IntN(30)))
		at := choice[r.IntN(pool)]
		if r.IntN(4) == 0 {
			at, n = r.IntN(14), min(left, 1+r.IntN(3))
		}
		places[at] += n
		left -= n
	}
	p, err := New(rules, [12]int(places[:12]), [2]int(places[12:]), Side(r.IntN(2)))
	if err != nil {
		panic(err)
	}
	return p
}

// movesToCompare is the number of moves per rule set.
var movesToCompare = testenv.Sample(150_000, 750_000)

func TestTwinAgreesOnRandomBoards(t *testing.T) {
	for _, rules := range allRules {
		r := rng(uint64(rules))
		laps, doubleLaps := 0, 0
		for moves := 0; moves < movesToCompare; {
			p := randomRanked(r, rules)
			if r.IntN(2) == 0 {
				p = randomLumpy(r, rules)
			}
			moves += compareWithTwin(t, p)
			for h := range Houses {
				if p.House(h) >= 12 {
					laps++
				}
				if p.House(h) >= 23 {
					doubleLaps++
				}
			}
		}
		if laps < movesToCompare/75 || doubleLaps < movesToCompare/750 {
			t.Errorf("%v: only %d moves of 12 or more seeds, %d of 23 or more", rules, laps, doubleLaps)
		}
	}
}

func TestTwinAgreesInRandomGames(t *testing.T) {
	for _, rules := range allRules {
		r := rng(100 + uint64(rules))
		for moves := 0; moves < movesToCompare; {
			p := Start(rules)
			for range 300 {
				moves += compareWithTwin(t, p)
				if _, over := p.Terminal(); over {
					break
				}
				legal := p.AppendMoves(nil)
				p = p.Play(legal[r.IntN(len(legal))])
			}
		}
	}
}
