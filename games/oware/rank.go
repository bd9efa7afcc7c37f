package oware

import "fmt"

const (
	// Ranks is the number of ways to distribute 48 seeds over twelve houses
	// and two stores, C(61,13): ranks are 0 … Ranks-1.
	Ranks = 6_566_222_272_575

	// SouthKey is added to the rank in a book key when South is to move.
	SouthKey = int64(1) << 43
)

const rankTerms = 2*Houses + 1 // the last of the 14 counts follows from the others

// rankTable[i][s] is C(s+i, i+1): the number of ways to put fewer than s seeds in total into the
// first i+1 places. The rows are padded to a power of two so that indexing needs no bounds
// check.
var rankTable = makeRankTable()

func makeRankTable() (t [rankTerms][64]int64) {
	for i := range t {
		for s := 1; s <= Seeds; s++ {
			t[i][s] = t[i][s-1] + 1
			if i > 0 { // Pascal: C(s+i, i+1) = C(s-1+i, i+1) + C(s-1+i, i)
				t[i][s] = t[i][s-1] + t[i-1][s]
			}
		}
	}
	return t
}

// Rank returns the number of the board among all distributions of 48 seeds, 0 … Ranks-1:
// the binomial rank of the vector A…F, a…f, South's store, North's store (Sala Soler
// 2014, fig. 3.5). It does not depend on the side to move or the rules.
//
// With S(i) the number of seeds in places 0 to i, it is the sum of C(S(i)+i, i+1)
// over the first thirteen places.
func (p Position) Rank() int64 {
	south, north := p.own, p.opp
	if p.ToMove() == North {
		south, north = north, south
	}
	// After a multiplication by ones, byte i is the sum of bytes 0…i.
	s := (south & houseBits) * ones
	n := (north&houseBits)*ones + (s>>40&0xff)*ones
	t := &rankTable
	return t[0][s&63] + t[1][s>>8&63] + t[2][s>>16&63] +
		t[3][s>>24&63] + t[4][s>>32&63] + t[5][s>>40&63] +
		t[6][n&63] + t[7][n>>8&63] + t[8][n>>16&63] +
		t[9][n>>24&63] + t[10][n>>32&63] + t[11][n>>40&63] +
		t[12][(Seeds-north>>storeShift)&63]
}

// Unrank is the inverse of [Position.Rank]: it returns the board with that rank, under the rules
// r and with toMove to move. It returns an error for ranks outside 0 … Ranks-1.
func Unrank(r Rules, rank int64, toMove Side) (Position, error) {
	if rank < 0 || rank >= Ranks {
		return Position{}, fmt.Errorf("rank %d out of range: expected 0 to %d", rank, int64(Ranks-1))
	}
	if err := r.Check(); err != nil {
		return Position{}, err
	}
	if toMove > North {
		return Position{}, errToMove
	}

	// For each place from the last, find the largest prefix sum whose term fits. The sums only
	// decrease, so the whole search takes at most 48+13 steps.
	var w [2]uint64
	rest, before := rank, Seeds
	var sums [rankTerms]int
	for i := rankTerms - 1; i >= 0; i-- {
		row, s := &rankTable[i], before
		for row[s&63] > rest {
			s--
		}
		rest -= row[s&63]
		sums[i], before = s, s
	}
	before = 0
	for i, s := range sums[:2*Houses] {
		w[i/Houses] |= uint64(s-before) << (8 * (i % Houses))
		before = s
	}
	w[South] |= uint64(sums[rankTerms-1]-before) << storeShift
	w[North] |= uint64(Seeds-sums[rankTerms-1]) << storeShift
	return fromWords(r, w, toMove), nil
}

// BookKey returns the key of the position in an opening book: its rank, plus SouthKey when South
// is to move. It does not include the rules.
func (p Position) BookKey() int64 {
	if p.ToMove() == South {
		return p.Rank() + SouthKey
	}
	return p.Rank()
}

// FromBookKey is the inverse of [Position.BookKey]. It returns an error for numbers that are not
// book keys.
func FromBookKey(r Rules, key int64) (Position, error) {
	rank, side := key, North
	if key >= SouthKey {
		rank, side = key-SouthKey, South
	}
	if rank < 0 || rank >= Ranks {
		return Position{}, fmt.Errorf("%d is not a book key: expected a rank below %d, plus %d when South is to move",
			key, int64(Ranks), SouthKey)
	}
	return Unrank(r, rank, side)
}

// Orbit numbers the pairs of a position and its [Position.Mirror]: it is the book key of the one
// with South to move.
func (p Position) Orbit() int64 {
	if p.ToMove() == North {
		p = p.Mirror()
	}
	return p.BookKey()
}

// Reachable returns false for boards with exactly one seed in a store. They cannot occur in
// play, because a capture takes two or three seeds from a house. It may return true for other
// unreachable boards.
func (p Position) Reachable() bool { return p.Store() != 1 && p.OpponentStore() != 1 }

// FromWords returns the position with the given [Position.Words] and South to move, for endgame
// tables. It checks nothing: the seeds must add up to 48, and r must be valid.
func FromWords(r Rules, own, opp uint64) Position {
	return fromWords(r, [2]uint64{own & seedBits, opp & seedBits}, South)
}

// AppendQuietPredecessors appends the positions from which a legal move without capture leads to
// p, each once. (Two moves of a position never lead to the same position: each empties its own
// house, and the other does not.) It does not check whether the game was over there.
func (p Position) AppendQuietPredecessors(dst []Position) []Position {
	mover, other := p.opp, p.own // of the move to undo
	tags := mover &^ seedBits
	for h := range Houses {
		shift := 8 * h
		if mover>>shift&0xff != 0 { // a move leaves its house empty
			continue
		}
		for n := 1; n <= Seeds; n++ {
			s := &sowings[h<<6|n]
			if !contains(mover, s.own) || !contains(other, s.opp) {
				break // a longer sowing needs at least these seeds
			}
			own, opp := (mover&seedBits)-s.own+uint64(n)<<shift, other-s.opp
			taken := captures(other, s.reach)
			if taken != 0 && (other&^taken&houseBits != 0 || tags&sowBits != 0) {
				continue // it would have captured
			}
			q := Position{own: own | tags, opp: opp}
			if q.wasLegal(Move(h), s) {
				dst = append(dst, q)
			}
		}
	}
	return dst
}

// contains reports whether each house of a has at least the seeds of b.
func contains(a, b uint64) bool {
	return ((a&houseBits|houseHighs)-b)&houseHighs == houseHighs
}

// wasLegal is IsLegal for a move that sows s and captures nothing.
func (p Position) wasLegal(m Move, s *sowing) bool {
	switch p.Rules() {
	case Abapa, Arena:
		return p.opp&houseBits != 0 || s.opp != 0
	case Awari:
		return (p.opp+s.opp)&houseBits != 0 || p.IsLegal(m)
	}
	return true
}
